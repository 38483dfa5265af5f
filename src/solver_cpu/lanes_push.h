/* lanes_push.h: the pushes of self-collision in vectors: passes/self_aim.h, self_count.h,
 * self_push.h and self_keep.h for as many pairs as there are lanes. A part of lanes_kernels.h. */

/* Pairs, by their places in the list. */
typedef struct pushing {
  uint32_t count;
  uint32_t at[WEFT_LANES];
} pushing;

/* Pairs in lanes; the first again in those that are left. */
typedef struct pair_lanes {
  uint32_t valid;
  uint32_t rows[4][WEFT_LANES]; /* particles, bytes from x */
  uint32_t planes[WEFT_LANES];  /* bytes */
} pair_lanes;

LANE pair_lanes take_pairs(const weft_self_run *run, pushing *p) {
  pair_lanes lanes;
  lanes.valid = (1u << p->count) - 1;
  for (uint32_t k = 0; k < WEFT_LANES; ++k) {
    uint32_t at = p->at[k < p->count ? k : 0];
    uvec4 c = run->pairs[at];
    lanes.planes[k] = at * (uint32_t)sizeof(weft_self_plane);
    lanes.rows[0][k] = (c.x & WEFT_SELF_PARTICLE) * (uint32_t)sizeof(vec4);
    lanes.rows[1][k] = (c.y & WEFT_SELF_PARTICLE) * (uint32_t)sizeof(vec4);
    lanes.rows[2][k] = c.z * (uint32_t)sizeof(vec4);
    lanes.rows[3][k] = c.w * (uint32_t)sizeof(vec4);
  }
  p->count = 0;
  return lanes;
}

/* Whether the list of a pair's part is too short. */
LANE bool is_closed(const weft_self_run *run, uint32_t at) {
  if (!run->closed) return false;
  uint32_t part = (run->pairs[at].x & WEFT_SELF_PARTICLE) / run->u->self_particles;
  return run->counts[(size_t)part * WEFT_SELF_COUNTS + WEFT_SELF_AT_FLAGS] != 0;
}

/* ---- planes anew ---- */

LANE self_corners pair_corners(const vec4 *rows, const pair_lanes *lanes) {
  v3 x[4];
  for (int k = 0; k < 4; ++k) x[k] = xyz(load_particles(rows, lanes->rows[k]));
  return (self_corners){every((vec4){0}), exact_flush3(sub(x[1], x[0])),
                        exact_flush3(sub(x[2], x[0])), exact_flush3(sub(x[3], x[0]))};
}

LANE self_closest closest_of(self_corners at, bool of_edges) {
  return of_edges ? self_edge_edge(at) : self_vertex_triangle(at);
}

LANE vi parts_well(self_corners at, self_normal normal, vf distance2, vf least) {
  return self_certified(at, normal.gap, least) & self_good(normal.gap, distance2);
}

LANE bool same_pair(uvec4 a, uvec4 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

/* How far a pair has slid, if it touched before. */
LANE void recall(const weft_self_run *run, uint32_t at) {
  uvec4 listed = run->pairs[at];
  for (uint32_t k = run->heads[listed.x & WEFT_SELF_PARTICLE]; k; k = run->next[k - 1]) {
    if (same_pair(run->kept[k - 1].pair, listed)) run->planes[at].slide = run->kept[k - 1].slide;
  }
}

LANE void aim_pairs(const weft_self_run *run, pushing *p, bool of_edges) {
  if (!p->count) return;
  pair_lanes lanes = take_pairs(run, p);
  const self_corners at = pair_corners(run->x_prev, &lanes), ends = pair_corners(run->x, &lanes);
  vi edges = of_edges ? ALWAYS : NEVER;
  self_closest closest = closest_of(ends, of_edges);
  self_normal best = self_ahead(at, edges, closest);
  vec4 *rows = (vec4 *)(void *)run->planes;
  vf least = load_particles(rows + 3, lanes.planes).w; /* weft_self_plane.floor */
  vi good = parts_well(at, best, self_apart2(at, closest.weights), least);
  if (!everywhere(good)) {
    self_closest start = closest_of(at, of_edges);
    self_normal other = self_best_normal(at, edges, start);
    closest = self_closest_select(good, closest, start);
    best.n = v3_select(good, best.n, other.n);
    best.gap = choose(good, best.gap, other.gap);
    good |= parts_well(at, other, start.distance2, least);
  }
  const self_four *w = &closest.weights;
  store_particles(rows, lanes.planes, best.n, choose(good, best.gap, K(-1.0)));
  store_particles(rows + 1, lanes.planes, (v3){w->k0, w->k1, w->k2}, w->k3);
}

static void self_aim(const weft_self_run *run, uint32_t first, uint32_t count) {
  pushing vertices = {0}, edges = {0};
  for (uint32_t k = first; k < first + count; ++k) {
    if (!(run->planes[k].use & WEFT_SELF_PUSHES) || is_closed(run, k)) continue;
    bool of_edges = run->pairs[k].x & WEFT_SELF_EDGES;
    pushing *p = of_edges ? &edges : &vertices;
    recall(run, k);
    p->at[p->count++] = k;
    if (p->count == WEFT_LANES) aim_pairs(run, p, of_edges);
  }
  aim_pairs(run, &vertices, false);
  aim_pairs(run, &edges, true);
}

/* ---- how deep pairs are ---- */

typedef struct depths {
  v4 x[4];
  v4 weights;
  v3 n, apart, kept;
  vf depth, thickness;
  uint32_t deep; /* bits of lanes */
} depths;

LANE v3 apart_of(v3 x0, v3 x1, v3 x2, v3 x3, v4 weights) {
  v3 zero = {all(0), all(0), all(0)};
  return exact_flush3(self_weighted(zero, sub(x1, x0), sub(x2, x0), sub(x3, x0), weights));
}

LANE depths depths_of(const weft_self_run *run, const pair_lanes *lanes) {
  depths d;
  for (int k = 0; k < 4; ++k) d.x[k] = load_particles(run->x, lanes->rows[k]);
  const vec4 *rows = (const vec4 *)(const void *)run->planes;
  v4 normal = load_particles(rows, lanes->planes);
  d.weights = load_particles(rows + 1, lanes->planes);
  d.n = xyz(normal);
  d.kept = xyz(load_particles(rows + 2, lanes->planes));
  d.apart = apart_of(xyz(d.x[0]), xyz(d.x[1]), xyz(d.x[2]), xyz(d.x[3]), d.weights);
  v4 numbers = load_particles(rows + 3, lanes->planes); /* from weft_self_plane.distance on */
  d.thickness = numbers.z;
  d.depth = self_depth(d.n, normal.w, numbers.x, d.apart, UNI(run->u->self_escape));
  d.deep = signs(d.depth > all(0)) & lanes->valid;
  return d;
}

LANE vf weight_of(const depths *d, int k) {
  const vf weights[4] = {d->weights.x, d->weights.y, d->weights.z, d->weights.w};
  return weights[k];
}

LANE void add_to(const weft_self_run *run, uint32_t *sum, uint32_t value) {
  if (run->alone) {
    *sum += value;
  } else {
    __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
  }
}

LANE void count_pairs(const weft_self_run *run, const pair_lanes *lanes) {
  depths d = depths_of(run, lanes);
  for (int k = 0; k < 4; ++k) {
    uint32_t acts = signs(weight_of(&d, k) != all(0)) & d.deep;
    for (; acts; acts &= acts - 1) {
      add_to(run, &run->pushes[lanes->rows[k][__builtin_ctz(acts)] / 4 + 3], 1);
    }
  }
}

LANE v3 slide_of(const weft_self_run *run, const pair_lanes *lanes, const depths *d) {
  v3 before[4];
  for (int k = 0; k < 4; ++k) before[k] = xyz(load_particles(run->x_prev, lanes->rows[k]));
  v3 start = apart_of(before[0], before[1], before[2], before[3], d->weights);
  return self_slide(d->apart, start, d->kept);
}

LANE void push_pairs(const weft_self_run *run, const pair_lanes *lanes) {
  depths d = depths_of(run, lanes);
  if (!d.deep) return;
  vf load = all(1);
  for (int k = 0; k < 4; ++k) {
    vf here;
    for (int l = 0; l < WEFT_LANES; ++l) here[l] = (float)run->pushes[lanes->rows[k][l] / 4 + 3];
    load = choose((weight_of(&d, k) != all(0)) & (here > load), here, load);
  }
  v4 w = {d.x[0].w, d.x[1].w, d.x[2].w, d.x[3].w};
  vf share = self_divided(w, d.weights, load);
  d.deep &= signs(share != all(0));
  v3 slide = slide_of(run, lanes, &d);
  v3 c = self_correction(slide, d.n, d.depth, UNI(run->u->self_static), UNI(run->u->self_dynamic));
  for (int k = 0; k < 4; ++k) {
    const vf masses[4] = {w.x, w.y, w.z, w.w};
    v3 move = self_corner_move(c, masses[k], weight_of(&d, k), share, d.thickness);
    vu x = self_fixed(move.x), y = self_fixed(move.y), z = self_fixed(move.z);
    uint32_t moves = d.deep & signs((vi)((x | y | z) != (vu){0}));
    for (; moves; moves &= moves - 1) {
      int l = __builtin_ctz(moves);
      uint32_t *sums = &run->pushes[lanes->rows[k][l] / 4];
      add_to(run, &sums[0], x[l]);
      add_to(run, &sums[1], y[l]);
      add_to(run, &sums[2], z[l]);
    }
  }
}

LANE void keep_slides(const weft_self_run *run, const pair_lanes *lanes) {
  depths d = depths_of(run, lanes);
  if (!d.deep) return;
  vf mu_s = UNI(run->u->self_static), mu_k = UNI(run->u->self_dynamic);
  v3 held = self_slide_held(slide_of(run, lanes, &d), d.n, d.depth, mu_s, mu_k);
  uint32_t count = (uint32_t)__builtin_popcount(d.deep);
  uint32_t slot = __atomic_fetch_add(run->kept_count, count, __ATOMIC_RELAXED);
  for (uint32_t bits = d.deep; bits; bits &= bits - 1, ++slot) {
    int l = __builtin_ctz(bits);
    uvec4 listed = run->pairs[lanes->planes[l] / sizeof(weft_self_plane)];
    run->kept[slot] = (weft_self_kept){listed, {held.x[l], held.y[l], held.z[l], 0}};
  }
}

typedef enum push_pass { COUNT_PAIRS, PUSH_PAIRS, KEEP_SLIDES } push_pass;

LANE void for_pushing(const weft_self_run *run, uint32_t first, uint32_t count, push_pass pass) {
  pushing p = {0};
  for (uint32_t k = first; k < first + count; ++k) {
    const weft_self_plane *plane = &run->planes[k];
    bool pushes = (plane->use & WEFT_SELF_PUSHES) && plane->normal.w > 0;
    if (pushes && !is_closed(run, k)) p.at[p.count++] = k;
    if (p.count < WEFT_LANES && (k + 1 < first + count || p.count == 0)) continue;
    pair_lanes lanes = take_pairs(run, &p);
    if (pass == COUNT_PAIRS) {
      count_pairs(run, &lanes);
    } else if (pass == PUSH_PAIRS) {
      push_pairs(run, &lanes);
    } else {
      keep_slides(run, &lanes);
    }
  }
}

static void self_count(const weft_self_run *run, uint32_t first, uint32_t count) {
  for_pushing(run, first, count, COUNT_PAIRS);
}

static void self_push(const weft_self_run *run, uint32_t first, uint32_t count) {
  for_pushing(run, first, count, PUSH_PAIRS);
}

static void self_keep(const weft_self_run *run, uint32_t first, uint32_t count) {
  for_pushing(run, first, count, KEEP_SLIDES);
}
