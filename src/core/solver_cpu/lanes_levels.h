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
static void level_edges(vec4 *level_x, const vec4 *level_base, const uint32_t *block, size_t count,
                        bool held) {
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

/* ---- the same of edges that follow each other, see level_edges_in_rows in lanes.h ---- */

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

LANE void pull_rows(vec4 *level_x, const vec4 *level_base, const uint32_t *block, size_t count,
                    bool abreast) {
  const size_t words = WEFT_EDGES_HEAD + 2 * WEFT_LANES;
  for (size_t done = 0; done < count; done += AT_ONCE, block += AT_ONCE * words) {
    size_t part = count - done < AT_ONCE ? count - done : AT_ONCE;
    v3 n[AT_ONCE];
    for (size_t k = 0; k < part; ++k) {
      n[k] = base_direction(load_row_of_ends(level_base, block + k * words, abreast));
    }
    for (size_t k = 0; k < part; ++k) pull_row(level_x, block + k * words, n[k], abreast);
  }
}

static void level_edges_in_rows(vec4 *level_x, const vec4 *level_base, const uint32_t *block,
                                size_t count, bool abreast) {
  if (abreast) {
    pull_rows(level_x, level_base, block, count, true);
  } else {
    pull_rows(level_x, level_base, block, count, false);
  }
}

/* ---- level_gather, level_restrict ---- */

LANE void put_means(vec4 *level_x, vec4 *level_base, const uint32_t *nodes, v3 mean) {
  vf w = load_particles(level_x, nodes).w;
  store_particles(level_x, nodes, mean, w);
  store_particles(level_base, nodes, mean, w);
}

static void level_means(const vec4 *from, vec4 *level_x, vec4 *level_base, const uint32_t *block,
                        size_t count, uint32_t children) {
  for (size_t k = 0; k < count; ++k) {
    const uint32_t *nodes = block;
    fetch_ahead(block, 2 * children);
    v3 origin = xyz(load_particles(from, block + WEFT_LANES));
    v3 sum = {all(0), all(0), all(0)};
    block += 2 * WEFT_LANES;
    for (uint32_t c = 1; c < children; ++c, block += 2 * WEFT_LANES) {
      v3 child = xyz(load_particles(from, block));
      sum = level_add_child3(sum, origin, child, load(block + WEFT_LANES));
    }
    put_means(level_x, level_base, nodes, level_mean3(origin, sum));
  }
}

/* ---- level_prolong, level_spread ---- */

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

static void level_follow_blocks(vec4 *x, const vec4 *moves, const uint32_t *block, size_t count,
                                uint32_t parents) {
  for (size_t k = 0; k < count; ++k) {
    const uint32_t *rows = block;
    fetch_ahead(block, 1 + 2 * parents);
    v4 p = load_particles(x, rows);
    v3 to = xyz(p);
    block += WEFT_LANES;
    for (uint32_t c = 0; c < parents; ++c, block += 2 * WEFT_LANES) {
      v3 by = xyz(load_particles(moves, block));
      to = level_follow3(to, by, load(block + WEFT_LANES));
    }
    store_particles(x, rows, exact_flush3(to), p.w);
  }
}

/* ---- between a grid and its finest level, on split positions ---- */

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

/* The mean of a vector of nodes. fast: by the fast path (lanes_fast.h); false where care is
 * needed. */
LANE bool mean_of_places(const float *x, size_t component, const uint32_t *places,
                         const uint32_t *shares, uint32_t children, bool fast, v3 *mean) {
  v3 origin = load_three(x + places[0], component);
  v3 sum = {all(0), all(0), all(0)};
  vu tells[3] = {(vu)origin.x, (vu)origin.y, (vu)origin.z};
  for (uint32_t c = 1; c < children; ++c, shares += WEFT_LANES) {
    v3 p = load_three(x + places[c], component);
    sum = fast ? fast_level_add_child3(sum, origin, p, load(shares))
               : level_add_child3(sum, origin, p, load(shares));
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

/* The first n nodes. */
LANE void put_first_means(vec4 *level_x, vec4 *level_base, const uint32_t *at, v3 mean,
                          uint32_t n) {
  if (n == WEFT_LANES) {
    put_means(level_x, level_base, at, mean);
    return;
  }
  for (uint32_t l = 0; l < n; ++l) {
    level_base[l] = level_x[l] = (vec4){mean.x[l], mean.y[l], mean.z[l], level_x[l].w};
  }
}

static void level_mean_strip(const weft_halves *halves, vec4 *level_x, vec4 *level_base,
                             const uint32_t *words, size_t count, uint32_t children) {
  uint32_t at[WEFT_LANES], last = words[1];
  every_one(at);
  size_t node = words[0];
  const uint32_t *places = words + 2, *shares = words + (2 + children + 7) / 8 * 8;
  const float *x = halves->x;
  bool fast = true;
  for (size_t k = 0; k < count; ++k, node += WEFT_LANES, x += WEFT_LANES) {
    v3 mean;
    fast = fast && mean_of_places(x, halves->component, places, shares, children, true, &mean);
    if (!fast) mean_of_places(x, halves->component, places, shares, children, false, &mean);
    shares += (children - 1) * WEFT_LANES;
    put_first_means(level_x + node, level_base + node, at, mean, k + 1 < count ? WEFT_LANES : last);
  }
}

static void level_mean_remainder(const weft_halves *halves, vec4 *level_x, vec4 *level_base,
                                 const uint32_t *block, size_t count, uint32_t children) {
  const float *x = halves->x;
  for (size_t k = 0; k < count; ++k) {
    const uint32_t *nodes = block;
    v3 origin = gather_three(x, halves->component, block + WEFT_LANES);
    v3 sum = {all(0), all(0), all(0)};
    block += 2 * WEFT_LANES;
    for (uint32_t c = 1; c < children; ++c, block += 2 * WEFT_LANES) {
      v3 child = gather_three(x, halves->component, block);
      sum = level_add_child3(sum, origin, child, load(block + WEFT_LANES));
    }
    put_means(level_x, level_base, nodes, level_mean3(origin, sum));
  }
}

/* n lanes; returns where the next vector has its weights. */
LANE const uint32_t *follow_nodes(float *x, size_t component, const float *moves, size_t stride,
                                  const uint32_t *nodes, const uint32_t *weights, uint32_t parents,
                                  uint32_t n) {
  v3 to = load_three_of(x, component, n);
  for (uint32_t c = 0; c < parents; ++c, weights += WEFT_LANES) {
    to = level_follow3(to, load_three(moves + nodes[c], stride), load(weights));
  }
  store_three_of(x, component, n, exact_flush3(to));
  return weights;
}

static void level_follow_strip(const weft_halves *halves, const float *moves, size_t stride,
                               const uint32_t *words, size_t count, uint32_t parents) {
  float *x = halves->x + words[0];
  size_t component = halves->component, k = 0;
  const uint32_t *nodes = words + 1, *weights = words + 8;
  uint32_t last = words[5];
  size_t whole = last == WEFT_LANES ? count : count - 1;
  for (; k < whole; ++k, x += WEFT_LANES, moves += WEFT_LANES) {
    weights =
        follow_nodes(x, component, moves, stride, nodes, weights, parents, (uint32_t)WEFT_LANES);
  }
  if (k < count) follow_nodes(x, component, moves, stride, nodes, weights, parents, last);
}

static void level_follow_remainder(const weft_halves *halves, const float *moves, size_t stride,
                                   const uint32_t *block, size_t count, uint32_t parents) {
  for (size_t k = 0; k < count; ++k) {
    const uint32_t *places = block;
    v3 to = xyz(gather_split(halves->x, halves->component, places));
    block += WEFT_LANES;
    for (uint32_t c = 0; c < parents; ++c, block += 2 * WEFT_LANES) {
      v3 by = {gather(moves, block), gather(moves + stride, block),
               gather(moves + 2 * stride, block)};
      to = level_follow3(to, by, load(block + WEFT_LANES));
    }
    scatter_split(halves->x, halves->component, places, exact_flush3(to));
  }
}
