/* lanes_levels.h: the passes of levels in vectors. A part of lanes_kernels.h. */

/* ---- level_project ---- */

/* The ends of a vector of edges. */
typedef struct level_ends {
  v4 a, b;
} level_ends;

LANE level_ends load_level_ends(const vec4 *rows, const uint32_t *block) {
  return (level_ends){load_particles(rows, block), load_particles(rows, block + WEFT_LANES)};
}

LANE v3 base_direction(level_ends base) { return level_direction(xyz(base.a), xyz(base.b)); }

LANE pulled_edge pull_ends(level_ends p, v3 n, const uint32_t *numbers_of_edges) {
  return level_project(p.a, p.b, n, load(numbers_of_edges), load(numbers_of_edges + WEFT_LANES));
}

LANE void pull_block(vec4 *level_x, const uint32_t *block, v3 n, bool held) {
  const uint32_t *a = block, *b = block + WEFT_LANES;
  level_ends p = load_level_ends(level_x, block);
  pulled_edge to = pull_ends(p, n, block + 2 * WEFT_LANES);
  if (!any(to.acts)) return;
  if (held) {
    store_where(level_x, a, to.a, p.a.w, to.acts & (p.a.w > all(0)));
    store_where(level_x, b, to.b, p.b.w, to.acts & (p.b.w > all(0)));
    return;
  }
  store_particles(level_x, a, choose3(to.acts, to.a, xyz(p.a)), p.a.w);
  store_particles(level_x, b, choose3(to.acts, to.b, xyz(p.b)), p.b.w);
}

/* Roots first, as in project_distance. */
static void edges_rows(const weft_packed_run *run, const uint32_t *block, size_t count) {
  vec4 *level_x = run->level_x;
  const vec4 *level_base = run->level_base;
  const bool held = run->shape; /* some nodes are fixed, which are not written */
  const size_t words = WEFT_EDGE_WORDS * WEFT_LANES;
  for (size_t done = 0; done < count; done += AT_ONCE, block += AT_ONCE * words) {
    size_t part = count - done < AT_ONCE ? count - done : AT_ONCE;
    v3 n[AT_ONCE];
    for (size_t k = 0; k < part; ++k) {
      n[k] = base_direction(load_level_ends(level_base, block + k * words));
    }
    for (size_t k = 0; k < part; ++k) pull_block(level_x, block + k * words, n[k], held);
  }
}

/* ---- the same of edges that follow each other, see edge_rows.c ---- */

LANE level_ends load_abreast(const vec4 *rows, const uint32_t *block) {
  return (level_ends){load_in_a_row(rows + block[0]), load_in_a_row(rows + block[1])};
}

LANE void store_abreast(vec4 *rows, const uint32_t *block, level_ends p) {
  store_in_a_row(rows + block[0], xyz(p.a), p.a.w);
  store_in_a_row(rows + block[1], xyz(p.b), p.b.w);
}

#if WEFT_LANES > 4
LANE level_ends load_end_to_end(const vec4 *rows, const uint32_t *block) {
  v4 p = load_in_a_row(rows + block[0]), q = load_in_a_row(rows + block[0] + WEFT_LANES);
  return (level_ends){
      {even_quads(p.x, q.x), even_quads(p.y, q.y), even_quads(p.z, q.z), even_quads(p.w, q.w)},
      {odd_quads(p.x, q.x), odd_quads(p.y, q.y), odd_quads(p.z, q.z), odd_quads(p.w, q.w)}};
}

LANE void store_end_to_end(vec4 *rows, const uint32_t *block, level_ends p) {
  v3 low = {low_quads(p.a.x, p.b.x), low_quads(p.a.y, p.b.y), low_quads(p.a.z, p.b.z)};
  v3 high = {high_quads(p.a.x, p.b.x), high_quads(p.a.y, p.b.y), high_quads(p.a.z, p.b.z)};
  store_in_a_row(rows + block[0], low, low_quads(p.a.w, p.b.w));
  store_in_a_row(rows + block[0] + WEFT_LANES, high, high_quads(p.a.w, p.b.w));
}
#else /* no planner asks for them */
LANE level_ends load_end_to_end(const vec4 *rows, const uint32_t *block) {
  return load_abreast(rows, block);
}

LANE void store_end_to_end(vec4 *rows, const uint32_t *block, level_ends p) {
  store_abreast(rows, block, p);
}
#endif

LANE level_ends load_row_of_ends(const vec4 *rows, const uint32_t *block, bool abreast) {
  return abreast ? load_abreast(rows, block) : load_end_to_end(rows, block);
}

LANE void pull_row(vec4 *level_x, const uint32_t *block, v3 n, bool abreast) {
  level_ends p = load_row_of_ends(level_x, block, abreast);
  pulled_edge to = pull_ends(p, n, block + WEFT_EDGES_HEAD);
  if (!any(to.acts)) return;
  v3 a = choose3(to.acts, to.a, xyz(p.a)), b = choose3(to.acts, to.b, xyz(p.b));
  p = (level_ends){{a.x, a.y, a.z, p.a.w}, {b.x, b.y, b.z, p.b.w}};
  if (abreast) {
    store_abreast(level_x, block, p);
  } else {
    store_end_to_end(level_x, block, p);
  }
}

LANE void pull_rows(const weft_packed_run *run, const uint32_t *block, size_t count, bool abreast) {
  const size_t words = WEFT_EDGES_HEAD + 2 * WEFT_LANES;
  for (size_t done = 0; done < count; done += AT_ONCE, block += AT_ONCE * words) {
    size_t part = count - done < AT_ONCE ? count - done : AT_ONCE;
    v3 n[AT_ONCE];
    for (size_t k = 0; k < part; ++k) {
      n[k] = base_direction(load_row_of_ends(run->level_base, block + k * words, abreast));
    }
    for (size_t k = 0; k < part; ++k) pull_row(run->level_x, block + k * words, n[k], abreast);
  }
}

static void edges_abreast(const weft_packed_run *run, const uint32_t *block, size_t count) {
  pull_rows(run, block, count, true);
}

static void edges_end_to_end(const weft_packed_run *run, const uint32_t *block, size_t count) {
  pull_rows(run, block, count, false);
}

/* ---- means and followers ---- */

/* Vectors of elements in a layout: some places each, then numbers. What is in rows or gathered has
 * a vector of words for each place; in a strip each place is that of the first lane. */
typedef struct packed_vectors {
  weft_layout layout;
  uint32_t places, values; /* of an element */
  const uint32_t *at, *numbers;
  uint32_t count, last; /* vectors, and lanes of the last one */
} packed_vectors;

LANE packed_vectors vectors_of(weft_layout layout, const uint32_t *words, uint32_t count,
                               uint32_t places, uint32_t values) {
  packed_vectors v = {layout, places,    values, words, words + places * WEFT_LANES,
                      count,  WEFT_LANES};
  if (layout != WEFT_UNIT) return v;
  v.at = words + WEFT_STRIP_PLACES;
  v.numbers = words + weft_strip_head(places);
  v.count = words[WEFT_STRIP_VECTORS];
  v.last = words[WEFT_STRIP_LAST];
  return v;
}

LANE void next_vector(packed_vectors *v) {
  const uint32_t step = (v->layout == WEFT_UNIT ? 0 : v->places) + v->values;
  v->numbers += step * WEFT_LANES;
  if (v->layout != WEFT_UNIT) v->at += step * WEFT_LANES;
}

/* Place k of vector i of those split arrays, or rows. */
LANE v3 vector_at(const packed_vectors *v, uint32_t i, uint32_t k, const float *split,
                  size_t component, const vec4 *rows) {
  if (v->layout == WEFT_UNIT) return load_three(split + v->at[k] + i * WEFT_LANES, component);
  const uint32_t *at = v->at + k * WEFT_LANES;
  if (v->layout == WEFT_PLACES) return gather_three(split, component, at);
  return xyz(load_particles(rows, at));
}

LANE const uint32_t *number_of(const packed_vectors *v, uint32_t k) {
  return v->numbers + k * WEFT_LANES;
}

/* The mean of a vector of nodes. fast: by the fast path (lanes_fast.h); false where a number is too
 * small for it. */
LANE bool mean_of(const weft_packed_run *run, const packed_vectors *v, uint32_t i, bool fast,
                  v3 *mean) {
  const float *x = run->halves->x;
  size_t component = run->halves->component;
  v3 origin = vector_at(v, i, 1, x, component, run->x), sum = {all(0), all(0), all(0)};
  vu tells[3] = {(vu)origin.x, (vu)origin.y, (vu)origin.z};
  for (uint32_t c = 2; c < v->places; ++c) {
    v3 p = vector_at(v, i, c, x, component, run->x);
    vf share = load(number_of(v, c - 2));
    sum = fast ? fast_level_add_child3(sum, origin, p, share)
               : level_add_child3(sum, origin, p, share);
    tells[0] &= (vu)p.x;
    tells[1] &= (vu)p.y;
    tells[2] &= (vu)p.z;
  }
  *mean = fast ? fast_level_mean3(origin, sum) : level_mean3(origin, sum);
  if (!fast) return true;
  vu large = top_bit_if_large(tells[0] & (vu)mean->x);
  large &= top_bit_if_large(tells[1] & (vu)mean->y) & top_bit_if_large(tells[2] & (vu)mean->z);
  return all_have_top_bit(large);
}

LANE void put_means(const weft_packed_run *run, const uint32_t *nodes, v3 mean) {
  vf w = load_particles(run->level_x, nodes).w;
  store_particles(run->level_x, nodes, mean, w);
  store_particles(run->level_base, nodes, mean, w);
}

/* Nodes that follow each other from the first one on, as many as `count` lanes. */
LANE void put_means_in_a_row(const weft_packed_run *run, uint32_t first, v3 mean, uint32_t count) {
  uint32_t nodes[WEFT_LANES];
  for (uint32_t l = 0; l < WEFT_LANES; ++l) nodes[l] = (first + l) * (uint32_t)sizeof(vec4);
  if (count == WEFT_LANES) {
    put_means(run, nodes, mean);
    return;
  }
  for (uint32_t l = 0; l < count; ++l) {
    vec4 *x = run->level_x + first + l;
    run->level_base[first + l] = *x = (vec4){mean.x[l], mean.y[l], mean.z[l], x->w};
  }
}

LANE void means(const weft_packed_run *run, weft_layout layout, const uint32_t *words,
                uint32_t count) {
  packed_vectors v = vectors_of(layout, words, count, 1 + run->shape, run->shape - 1);
  bool unit = layout == WEFT_UNIT, fast = unit;
  for (uint32_t i = 0; i < v.count; ++i, next_vector(&v)) {
    v3 mean;
    if (layout == WEFT_ROWS) fetch_ahead(v.at, v.places + v.values);
    fast = fast && mean_of(run, &v, i, true, &mean);
    if (!fast) mean_of(run, &v, i, false, &mean);
    uint32_t nodes[WEFT_LANES]; /* of split positions they count nodes */
    for (int l = 0; layout == WEFT_PLACES && l < WEFT_LANES; ++l)
      nodes[l] = v.at[l] * (uint32_t)sizeof(vec4);
    if (layout == WEFT_ROWS) put_means(run, v.at, mean);
    if (layout == WEFT_PLACES) put_means(run, nodes, mean);
    if (!unit) continue;
    put_means_in_a_row(run, v.at[0] + i * WEFT_LANES, mean, i + 1 < v.count ? WEFT_LANES : v.last);
  }
}

LANE void follow(const weft_packed_run *run, weft_layout layout, const uint32_t *words,
                 uint32_t count) {
  packed_vectors v = vectors_of(layout, words, count, 1 + run->shape, run->shape);
  size_t component = run->halves->component;
  for (uint32_t i = 0; i < v.count; ++i, next_vector(&v)) {
    uint32_t lanes = i + 1 < v.count ? WEFT_LANES : v.last;
    float *x = run->halves->x + v.at[0] + i * WEFT_LANES;
    vf w = all(0);
    v3 to;
    if (layout == WEFT_UNIT) {
      to = load_three_of(x, component, lanes);
    } else if (layout == WEFT_PLACES) {
      to = gather_three(run->halves->x, component, v.at);
    } else {
      fetch_ahead(v.at, v.places + v.values);
      v4 p = load_particles(run->x, v.at);
      to = xyz(p);
      w = p.w;
    }
    for (uint32_t c = 1; c < v.places; ++c) {
      v3 by = vector_at(&v, i, c, run->split_moves, run->moves_stride, run->moves);
      to = level_follow3(to, by, load(number_of(&v, c - 1)));
    }
    to = exact_flush3(to);
    if (layout == WEFT_UNIT) store_three_of(x, component, lanes, to);
    if (layout == WEFT_PLACES) scatter_split(run->halves->x, component, v.at, to);
    if (layout == WEFT_ROWS) store_particles(run->x, v.at, to, w);
  }
}

/* Strips one after the other, or all blocks. */
#define LEVEL_LOOPS(name, values_of)                                                           \
  static void name##_rows(const weft_packed_run *run, const uint32_t *words, size_t count) {   \
    name(run, WEFT_ROWS, words, (uint32_t)count);                                              \
  }                                                                                            \
  static void name##_places(const weft_packed_run *run, const uint32_t *words, size_t count) { \
    name(run, WEFT_PLACES, words, (uint32_t)count);                                            \
  }                                                                                            \
  static void name##_unit(const weft_packed_run *run, const uint32_t *words, size_t count) {   \
    for (; count; --count) {                                                                   \
      name(run, WEFT_UNIT, words, 0);                                                          \
      words += weft_strip_head(1 + run->shape) +                                               \
               (size_t)words[WEFT_STRIP_VECTORS] * (values_of)*WEFT_LANES;                     \
    }                                                                                          \
  }
LEVEL_LOOPS(means, run->shape - 1)
LEVEL_LOOPS(follow, run->shape)

/* ---- how far nodes have moved ---- */

static void level_moves(const vec4 *level_x, const vec4 *level_base, vec4 *moves, size_t count) {
  size_t k = 0;
  for (; k + SIDE_BY_SIDE <= count; k += SIDE_BY_SIDE) {
    store(moves + k, level_moved(load(level_x + k), load(level_base + k)));
  }
  for (; k < count; ++k) {
    vf by = level_moved(of_quad(load_quad(level_x + k, 0)), of_quad(load_quad(level_base + k, 0)));
    store_quad(moves + k, 0, (quad){by[0], by[1], by[2], 0});
  }
}

static void level_moves_split(const vec4 *level_x, const vec4 *level_base, float *moves,
                              size_t stride, size_t first, size_t count) {
  uint32_t at[WEFT_LANES];
  every_one(at);
  size_t k = first, end = first + count;
  for (; k + WEFT_LANES <= end; k += WEFT_LANES) {
    v3 to = xyz(load_particles(level_x + k, at)), base = xyz(load_particles(level_base + k, at));
    store_split(moves + k, stride, level_moved3(to, base));
  }
  for (; k < end; ++k) {
    vf by = level_moved(of_quad(load_quad(level_x + k, 0)), of_quad(load_quad(level_base + k, 0)));
    for (int c = 0; c < 3; ++c) moves[k + (size_t)c * stride] = by[c];
  }
}
