/* lanes_strips.h: projections in unit-stride runs. A part of lanes_kernels.h. */

/* ---- distances ---- */

/* A vector of pairs: positions and inverse masses. */
LANE corners pairs_at(const float *a, const float *b, size_t component) {
  v4 pa = load_split(a, component), pb = load_split(b, component);
  return corners_of(pa, pb, pa, pa);
}

/* What a strip has for its constraints: as many numbers as places each, see lanes.h. */
typedef struct strip_numbers {
  const uint32_t *at;
  uint32_t values;
  bool narrow;
  vu base[4];
} strip_numbers;

LANE strip_numbers numbers_of_strip(const uint32_t *strip, uint32_t values, bool narrow) {
  strip_numbers s = {.at = strip + weft_strip_head(values), .values = values, .narrow = narrow};
  for (uint32_t k = 0; k < values; ++k) s.base[k] = strip[WEFT_STRIP_BASES + k] - (vu){0};
  return s;
}

/* Words of a vector. */
LANE uint32_t strip_step(const strip_numbers *s) {
  return s->values * WEFT_LANES / (s->narrow ? 2 : 1);
}

LANE const uint32_t *strip_vector(const strip_numbers *s, size_t vector) {
  return s->at + vector * strip_step(s);
}

LANE vf strip_number(const strip_numbers *s, size_t vector, uint32_t k) {
  const uint32_t *at = strip_vector(s, vector);
  return s->narrow ? load_above(s->base[k], at + k * WEFT_LANES / 2) : load(at + k * WEFT_LANES);
}

LANE v4 strip_pair(const strip_numbers *s, size_t vector) {
  return (v4){strip_number(s, vector, 0), strip_number(s, vector, 1), all(0), all(0)};
}

typedef struct pulls {
  v3 n[AT_ONCE];
  vf step[AT_ONCE];
} pulls;

/* False where a particle is not a number: the other of its pair keeps its position. */
LANE bool measure_fast(const float *a, const float *b, size_t component, const strip_numbers *s,
                       uint32_t first, uint32_t count, pulls *out) {
  vi numbers_all = ALWAYS;
  for (uint32_t k = 0; k < count; ++k, a += WEFT_LANES, b += WEFT_LANES) {
    v3 pa = load_three(a, component), pb = load_three(b, component);
    const v4 a4 = {pa.x, pa.y, pa.z, all(0)}, b4 = {pb.x, pb.y, pb.z, all(0)};
    corners p = corners_of(a4, b4, a4, a4);
    fast_distance_pull pull =
        fast_distance_measure(p, strip_pair(s, first + k), false, no_history(), WEFT_ACTS_ALWAYS);
    out->n[k] = pull.n;
    out->step[k] = pull.step;
    numbers_all &= pull.n.x == pull.n.x;
  }
  return everywhere(numbers_all);
}

/* False where numbers are too small, and nothing is written. */
LANE bool move_fast(float *a, float *b, size_t component, v3 n, vf step) {
  v3 pa = load_three(a, component), pb = load_three(b, component);
  fast_distance_pull pull = {n, step, all(0)};
  projection to = fast_distance_moves(pull, load(a + 3 * component), load(b + 3 * component));
  v3 new_a = add(pa, to.d0), new_b = add(pb, to.d1);
  vu large = top_bit_if_large(common(pa.x, pb.x) & common(new_a.x, new_b.x));
  large &= top_bit_if_large(common(pa.y, pb.y) & common(new_a.y, new_b.y));
  large &= top_bit_if_large(common(pa.z, pb.z) & common(new_a.z, new_b.z));
  if (!all_have_top_bit(large)) return false;
  store_split(a, component, new_a);
  store_split(b, component, new_b);
  return true;
}

/* How many vectors of pairs that act both ways it has done before one that needs the safe path. */
LANE uint32_t distances_fast(float *a, float *b, size_t component, const strip_numbers *s,
                             uint32_t count) {
  for (uint32_t done = 0; done < count; done += AT_ONCE) {
    uint32_t part = count - done < AT_ONCE ? count - done : AT_ONCE;
    pulls p;
    if (!measure_fast(a, b, component, s, done, part, &p)) return done;
    for (uint32_t k = 0; k < part; ++k, a += WEFT_LANES, b += WEFT_LANES) {
      fetch_words_ahead(strip_vector(s, done + k), strip_step(s));
      if (!move_fast(a, b, component, p.n[k], p.step[k])) return done + k;
    }
  }
  return count;
}

/* Vectors [first, end). */
LANE void distances_safely(float *a, float *b, size_t component, const strip_numbers *s,
                           uint32_t first, uint32_t end, uint32_t acts) {
  for (uint32_t k = first; k < end; ++k) {
    float *own_a = a + (size_t)k * WEFT_LANES, *own_b = b + (size_t)k * WEFT_LANES;
    fetch_words_ahead(strip_vector(s, k), strip_step(s));
    corners p = pairs_at(own_a, own_b, component);
    projection to = project_distance(p, strip_pair(s, k), false, no_history(), acts);
    store_split(own_a, component, moved_if(to.moves, p.p0, to.d0));
    store_split(own_b, component, moved_if(to.moves, p.p1, to.d1));
  }
}

/* The last vector of a strip, of which n lanes count; the others hold pairs that nothing moves. */
LANE void distance_last(float *a, float *b, size_t component, v4 numbers_of_pairs, uint32_t n,
                        uint32_t acts) {
  v4 pa = load_split_first(a, component, n, 1), pb = load_split_first(b, component, n, 2);
  projection to =
      project_distance(corners_of(pa, pb, pa, pa), numbers_of_pairs, false, no_history(), acts);
  store_split_first(a, component, n, moved_if(to.moves, pa, to.d0));
  store_split_first(b, component, n, moved_if(to.moves, pb, to.d1));
}

/* Returns where the next strip begins. */
LANE const uint32_t *project_pairs_of(const weft_halves *halves, const uint32_t *strip, bool narrow,
                                      uint32_t acts) {
  size_t component = halves->component;
  const strip_numbers s = numbers_of_strip(strip, 2, narrow);
  const uint32_t *places = strip + WEFT_STRIP_PLACES;
  float *a = halves->x + places[0], *b = halves->x + places[1];
  uint32_t last = strip[WEFT_STRIP_LAST], vectors = strip[WEFT_STRIP_VECTORS] - (last < WEFT_LANES);
  bool fast = strip[WEFT_STRIP_FAST_SAFE] && acts == WEFT_ACTS_ALWAYS;
  uint32_t done = fast ? distances_fast(a, b, component, &s, vectors) : 0;
  distances_safely(a, b, component, &s, done, vectors, acts);
  if (last == WEFT_LANES) return strip_vector(&s, vectors);
  size_t end = (size_t)vectors * WEFT_LANES;
  distance_last(a + end, b + end, component, strip_pair(&s, vectors), last, acts);
  return strip_vector(&s, vectors + 1);
}

static void project_distance_unit(const weft_packed_run *run, const uint32_t *strip, size_t count) {
  const weft_halves *halves = run->halves;
  for (size_t k = 0; k < count; ++k) {
    bool narrow = strip[WEFT_STRIP_NARROW];
    strip = narrow ? project_pairs_of(halves, strip, true, run->acts)
                   : project_pairs_of(halves, strip, false, run->acts);
  }
}

/* ---- bends ---- */

LANE v4 strip_quad(const strip_numbers *s, size_t vector) {
  return (v4){strip_number(s, vector, 0), strip_number(s, vector, 1), strip_number(s, vector, 2),
              strip_number(s, vector, 3)};
}

/* Returns where the next strip begins. */
LANE const uint32_t *project_bends_of(const weft_halves *halves, const uint32_t *strip,
                                      bool narrow) {
  size_t component = halves->component;
  const strip_numbers s = numbers_of_strip(strip, 4, narrow);
  float *q[4];
  for (int r = 0; r < 4; ++r) q[r] = halves->x + strip[WEFT_STRIP_PLACES + r];
  bool fast_safe = strip[WEFT_STRIP_FAST_SAFE];
  uint32_t last = strip[WEFT_STRIP_LAST], vectors = strip[WEFT_STRIP_VECTORS] - (last < WEFT_LANES);
  for (uint32_t k = 0; k < vectors; ++k) {
    fetch_words_ahead(strip_vector(&s, k), strip_step(&s));
    project_bend(q, component, strip_quad(&s, k), fast_safe, WEFT_LANES);
    for (int r = 0; r < 4; ++r) q[r] += WEFT_LANES;
  }
  if (last == WEFT_LANES) return strip_vector(&s, vectors);
  project_bend(q, component, strip_quad(&s, vectors), fast_safe, last);
  return strip_vector(&s, vectors + 1);
}

static void project_isometric_unit(const weft_packed_run *run, const uint32_t *strip,
                                   size_t count) {
  const weft_halves *halves = run->halves;
  for (size_t k = 0; k < count; ++k) {
    bool narrow = strip[WEFT_STRIP_NARROW];
    strip = narrow ? project_bends_of(halves, strip, true) : project_bends_of(halves, strip, false);
  }
}
