/* lanes_strips.h: projections on split positions where neighbouring constraints have neighbouring
 * particles, and positions into the split ones and back. A part of lanes_kernels.h. */

/* ---- distances ---- */

/* A vector of pairs: positions and inverse masses. */
LANE corners pairs_at(const float *a, const float *b, size_t component) {
  v4 pa = load_split(a, component), pb = load_split(b, component);
  return corners_of(pa, pb, pa, pa);
}

/* What a strip has for its constraints: `values` numbers each, see lanes.h. */
typedef struct strip_numbers {
  const uint32_t *at;
  uint32_t values;
  bool narrow;
  vu base[4];
} strip_numbers;

LANE strip_numbers numbers_of_strip(const uint32_t *strip, uint32_t values, bool narrow) {
  strip_numbers s = {.at = strip + WEFT_STRIP_HEAD, .values = values, .narrow = narrow};
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

/* A root is a chain of operations that wait for each other. So some vectors are measured first, of
 * which a processor can have several under way, and moved afterwards. */
enum { AT_ONCE = 4 };

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

/* False where care is needed, and nothing is written. */
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

/* How many vectors of pairs that act both ways it has done before one that needs care. */
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
LANE void distances_with_care(float *a, float *b, size_t component, const strip_numbers *s,
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
  float *a = halves->x + strip[1], *b = halves->x + strip[2];
  uint32_t last = strip[WEFT_STRIP_LAST], vectors = strip[0] - (last < WEFT_LANES);
  bool fast = strip[WEFT_STRIP_FAST_SAFE] && acts == WEFT_ACTS_ALWAYS;
  uint32_t done = fast ? distances_fast(a, b, component, &s, vectors) : 0;
  distances_with_care(a, b, component, &s, done, vectors, acts);
  if (last == WEFT_LANES) return strip_vector(&s, vectors);
  size_t end = (size_t)vectors * WEFT_LANES;
  distance_last(a + end, b + end, component, strip_pair(&s, vectors), last, acts);
  return strip_vector(&s, vectors + 1);
}

static void project_distance_strips(const weft_halves *halves, const uint32_t *strip, size_t count,
                                    uint32_t acts) {
  for (size_t k = 0; k < count; ++k) {
    bool narrow = strip[WEFT_STRIP_NARROW];
    strip = narrow ? project_pairs_of(halves, strip, true, acts)
                   : project_pairs_of(halves, strip, false, acts);
  }
}

/* ---- bends ---- */

/* What the components of a bend share: weights and factor, and the particles' shares. */
typedef struct bend {
  v4 data;
  vf share[4];
} bend;

/* n: lanes that count. Where they are all, the masks fall away. */
LANE vf load_of(const float *x, uint32_t n) {
  return n == WEFT_LANES ? load(x) : load_first(x, n, 1);
}

LANE void store_of(float *x, uint32_t n, vf v) {
  if (n == WEFT_LANES) {
    store(x, v);
  } else {
    store_first(x, n, v);
  }
}

LANE bend load_bend(float *const q[4], size_t component, v4 data, uint32_t n) {
  bend b = {.data = data};
  const vf weights[4] = {b.data.x, b.data.y, b.data.z, isometric_last_weight(b.data)};
  for (int r = 0; r < 4; ++r) {
    b.share[r] = isometric_share(load_of(q[r] + 3 * component, n), weights[r]);
  }
  return b;
}

/* One component of the four, `at` floats on. */
LANE void bend_with_care(float *const q[4], size_t at, const bend *b, const vf p[4], uint32_t n) {
  vf step = isometric_step(isometric_sum(p[0], p[1], p[2], p[3], b->data), b->data.w);
  for (int r = 0; r < 4; ++r) {
    store_of(q[r] + at, n, moved_on(p[r], isometric_move(step, b->share[r])));
  }
}

LANE void bend_component(float *const q[4], size_t at, const bend *b, bool fast, uint32_t n) {
  vf p[4], to[4];
  for (int r = 0; r < 4; ++r) p[r] = load_of(q[r] + at, n);
  if (fast) {
    vf step = fast_isometric_step(fast_isometric_sum(p[0], p[1], p[2], p[3], b->data), b->data.w);
    for (int r = 0; r < 4; ++r) to[r] = p[r] + fast_isometric_move(step, b->share[r]);
    if (all_have_top_bit(top_bit_if_large(common(to[0], to[1]) & common(to[2], to[3])))) {
      for (int r = 0; r < 4; ++r) store_of(q[r] + at, n, to[r]);
      return;
    }
  }
  bend_with_care(q, at, b, p, n);
}

LANE void project_bend(float *const q[4], size_t component, v4 data, bool fast, uint32_t n) {
  bend b = load_bend(q, component, data, n);
  bend_component(q, 0, &b, fast, n);
  bend_component(q, component, &b, fast, n);
  bend_component(q, 2 * component, &b, fast, n);
}

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
  for (int r = 0; r < 4; ++r) q[r] = halves->x + strip[1 + r];
  bool fast_safe = strip[WEFT_STRIP_FAST_SAFE];
  uint32_t last = strip[WEFT_STRIP_LAST], vectors = strip[0] - (last < WEFT_LANES);
  for (uint32_t k = 0; k < vectors; ++k) {
    fetch_words_ahead(strip_vector(&s, k), strip_step(&s));
    project_bend(q, component, strip_quad(&s, k), fast_safe, WEFT_LANES);
    for (int r = 0; r < 4; ++r) q[r] += WEFT_LANES;
  }
  if (last == WEFT_LANES) return strip_vector(&s, vectors);
  project_bend(q, component, strip_quad(&s, vectors), fast_safe, last);
  return strip_vector(&s, vectors + 1);
}

static void project_isometric_strips(const weft_halves *halves, const uint32_t *strip, size_t count,
                                     uint32_t acts) {
  (void)acts;
  for (size_t k = 0; k < count; ++k) {
    bool narrow = strip[WEFT_STRIP_NARROW];
    strip = narrow ? project_bends_of(halves, strip, true) : project_bends_of(halves, strip, false);
  }
}

/* ---- into the split positions and back ---- */

static void split_one(const weft_halves *halves, float *to, const vec4 *x, size_t i) {
  float *place = to + weft_halves_place(halves, i);
  place[0] = x[i].x;
  place[halves->component] = x[i].y;
  place[2 * halves->component] = x[i].z;
}

static void split_with_mass(const weft_halves *halves, float *to, float *w, const vec4 *x,
                            size_t i) {
  split_one(halves, to, x, i);
  if (w) w[weft_halves_place(halves, i)] = x[i].w;
}

static void join_one(const weft_halves *halves, const float *from, const float *w, vec4 *to,
                     size_t i) {
  size_t at = weft_halves_place(halves, i);
  to[i].x = from[at];
  to[i].y = from[at + halves->component];
  to[i].z = from[at + 2 * halves->component];
  to[i].w = w ? w[at] : 0;
}

/* Bytes from one particle of a parity to the next. */
LANE void every_other(uint32_t at[WEFT_LANES]) {
  for (uint32_t k = 0; k < WEFT_LANES; ++k) at[k] = 2 * k * (uint32_t)sizeof(vec4);
}

/* w: of the split ones, NULL where there is no fourth component. Vectors begin where they lie in
 * one share. */
LANE void split_range(const weft_halves *halves, float *to, float *w, const vec4 *from,
                      size_t first, size_t count) {
  uint32_t at[WEFT_LANES];
  every_other(at);
  size_t i = first, end = first + count;
  for (; i < end && i % (2 * WEFT_LANES); ++i) split_with_mass(halves, to, w, from, i);
  for (; i + 2 * WEFT_LANES <= end; i += 2 * WEFT_LANES) {
    for (size_t k = i; k < i + 2; ++k) {
      v4 p = load_particles(from + k, at);
      size_t place = weft_halves_place(halves, k);
      store_split(to + place, halves->component, xyz(p));
      if (w) store(w + place, p.w);
    }
  }
  for (; i < end; ++i) split_with_mass(halves, to, w, from, i);
}

static void split_particles(const weft_halves *halves, const vec4 *x, size_t first, size_t count) {
  split_range(halves, halves->x, halves->x + 3 * halves->component, x, first, count);
}

static void split_three(const weft_halves *halves, float *to, const vec4 *from, size_t first,
                        size_t count) {
  split_range(halves, to, NULL, from, first, count);
}

static void join_particles(const weft_halves *halves, const float *from, const float *w, vec4 *to,
                           size_t first, size_t count) {
  uint32_t at[WEFT_LANES];
  every_other(at);
  size_t i = first, end = first + count;
  for (; i < end && i % (2 * WEFT_LANES); ++i) join_one(halves, from, w, to, i);
  for (; i + 2 * WEFT_LANES <= end; i += 2 * WEFT_LANES) {
    for (size_t k = i; k < i + 2; ++k) {
      size_t place = weft_halves_place(halves, k);
      v3 p = load_three(from + place, halves->component);
      store_particles(to + k, at, p, w ? load(w + place) : all(0));
    }
  }
  for (; i < end; ++i) join_one(halves, from, w, to, i);
}
