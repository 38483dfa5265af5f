/* lanes_push.h: the pushes of self-collision in vectors: passes/self_update_normals.h,
 * self_weigh.h, self_repel.h, self_apply.h and self_cache_store.h for as many pairs as there are
 * lanes. A part of lanes_kernels.h. */

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
    uvec4 c = weft_self_particles(run->pairs[at]);
    lanes.planes[k] = at * (uint32_t)sizeof(weft_self_plane);
    lanes.rows[0][k] = c.x * (uint32_t)sizeof(vec4);
    lanes.rows[1][k] = c.y * (uint32_t)sizeof(vec4);
    lanes.rows[2][k] = c.z * (uint32_t)sizeof(vec4);
    lanes.rows[3][k] = c.w * (uint32_t)sizeof(vec4);
  }
  p->count = 0;
  return lanes;
}

/* Whether the list of a pair's part is too short. */
LANE bool is_closed(const weft_self_run *run, uint32_t at) {
  if (!run->closed) return false;
  uint32_t part = weft_self_part_of(run->u, weft_self_first(run->pairs[at]));
  return run->counts[(size_t)part * WEFT_SELF_COUNTS + WEFT_SELF_AT_FLAGS] != 0;
}

/* ---- packed pairs ---- */

LANE vf word(const uint32_t *block, int k) { return load(block + k * WEFT_LANES); }

LANE v3 three_words(const uint32_t *block, int k) {
  return (v3){word(block, k), word(block, k + 1), word(block, k + 2)};
}

LANE void set_three_words(uint32_t *block, int k, v3 v) {
  store(block + k * WEFT_LANES, v.x);
  store(block + (k + 1) * WEFT_LANES, v.y);
  store(block + (k + 2) * WEFT_LANES, v.z);
}

/* Friction on cloth is that of the parameters, on a body its own. */
LANE void pack_friction(const weft_self_run *run, uint32_t *block, const pair_lanes *lanes) {
  vf mu_s = UNI(run->u->self_static), mu_k = UNI(run->u->self_dynamic);
  const uint32_t cloth = run->u->particle_count;
  for (uint32_t l = 0; l < WEFT_LANES && run->bodies; ++l) {
    const uint32_t first = lanes->rows[0][l] / (uint32_t)sizeof(vec4);
    const uint32_t last = lanes->rows[3][l] / (uint32_t)sizeof(vec4);
    if (first < cloth && last < cloth) continue;
    const weft_self_friction *of = &run->friction[(first < cloth ? last : first) - cloth];
    mu_s[l] = of->at_rest;
    mu_k[l] = of->sliding;
  }
  store(block + WEFT_PUSH_FRICTION * WEFT_LANES, mu_s);
  store(block + (WEFT_PUSH_FRICTION + 1) * WEFT_LANES, mu_k);
}

/* Another block, of the planes of now. Pairs that do not push are wanted nowhere. */
LANE void pack_pairs(const weft_self_run *run, weft_push_chunk *chunk, const pair_lanes *lanes) {
  uint32_t *block = chunk->words + (size_t)chunk->blocks++ * WEFT_PUSH_WORDS * WEFT_LANES;
  const vec4 *rows = (const vec4 *)(const void *)run->planes;
  v4 normal = load_particles(rows, lanes->planes);
  v4 weights = load_particles(rows + 1, lanes->planes);
  v4 numbers = load_particles(rows + 3, lanes->planes); /* from weft_self_plane.distance on */
  memcpy(block, lanes->rows, sizeof lanes->rows);
  set_three_words(block, WEFT_PUSH_WEIGHTS, xyz(weights));
  store(block + (WEFT_PUSH_WEIGHTS + 3) * WEFT_LANES, weights.w);
  set_three_words(block, WEFT_PUSH_NORMAL, xyz(normal));
  v4 slide = load_particles(rows + 2, lanes->planes);
  set_three_words(block, WEFT_PUSH_SLIDE, xyz(slide));
  store(block + WEFT_PUSH_ESCAPE * WEFT_LANES, slide.w);
  v3 x[4];
  for (int k = 0; k < 4; ++k) x[k] = xyz(load_particles(run->x_prev, lanes->rows[k]));
  v3 before = self_apart_of(x[0], x[1], x[2], x[3], weights);
  set_three_words(block, WEFT_PUSH_START, before);
  vf wanted = self_wanted(xyz(normal), before, numbers.x, slide.w);
  vi pushes = lanes_of(lanes->valid) & (normal.w > all(0));
  store(block + WEFT_PUSH_WANTED * WEFT_LANES, choose(pushes, wanted, all(-INFINITY)));
  store(block + WEFT_PUSH_THICKNESS * WEFT_LANES, numbers.z);
  pack_friction(run, block, lanes);
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    block[WEFT_PUSH_PLACE * WEFT_LANES + l] = lanes->planes[l] / (uint32_t)sizeof(weft_self_plane);
  }
}

/* ---- planes anew ---- */

LANE self_corners pair_corners(const vec4 *rows, const pair_lanes *lanes) {
  v3 x[4];
  for (int k = 0; k < 4; ++k) x[k] = xyz(load_particles(rows, lanes->rows[k]));
  return self_corners_from(x[0], x[1], x[2], x[3]);
}

LANE self_closest closest_of(self_corners at, bool of_edges) {
  return of_edges ? self_edge_edge(at) : self_vertex_triangle(at);
}

LANE vi parts_well(self_corners at, self_normal normal, vf distance2, vf least) {
  return self_certified(at, normal.gap, least) & self_good(normal.gap, distance2);
}

/* How far pairs have slid that touched before, and by how much they may part now. */
LANE void recall(const weft_self_run *run, const pair_lanes *lanes) {
  for (uint32_t l = 0; l < (uint32_t)__builtin_popcount(lanes->valid); ++l) {
    uint32_t at = lanes->planes[l] / (uint32_t)sizeof(weft_self_plane);
    const weft_self_cached *found = weft_pushes_find(run->packed, run, run->pairs[at]);
    run->planes[at].slide = found ? found->slide : (weft_vec3){0};
    run->planes[at].escape = found ? found->escape : 0;
  }
  vec4 *slides = (vec4 *)(void *)run->planes + 2;
  v4 slide = load_particles(slides, lanes->planes);
  vf of_cloth = self_escape_of(NEVER, slide.w, UNI(run->u->self_escape));
  vf of_body = self_escape_of(ALWAYS, slide.w, UNI(run->u->self_escape));
  vf escape =
      body_or(run, lanes->rows[0], of_body, body_or(run, lanes->rows[3], of_body, of_cloth));
  store_particles(slides, lanes->planes, xyz(slide), escape);
}

LANE void aim_pairs(const weft_self_run *run, weft_push_chunk *chunk, pushing *p, bool of_edges) {
  if (!p->count) return;
  pair_lanes lanes = take_pairs(run, p);
  recall(run, &lanes);
  const self_corners at = pair_corners(run->x_prev, &lanes), ends = pair_corners(run->x, &lanes);
  vi edges = of_edges ? ALWAYS : NEVER;
  self_closest closest = closest_of(ends, of_edges);
  self_normal best = self_extrapolate(at, edges, closest);
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
  pack_pairs(run, chunk, &lanes);
}

static void self_update_normals(const weft_self_run *run, uint32_t first, uint32_t count) {
  pushing vertices = {0}, edges = {0};
  weft_push_chunk *chunk = weft_pushes_begin(run->packed, run->member, first, count);
  for (uint32_t k = first; k < first + count; ++k) {
    if (!(run->planes[k].use & WEFT_SELF_PUSHES) || is_closed(run, k)) continue;
    bool of_edges = weft_self_is_edges(run->pairs[k]);
    pushing *p = of_edges ? &edges : &vertices;
    p->at[p->count++] = k;
    if (p->count == WEFT_LANES) aim_pairs(run, chunk, p, of_edges);
  }
  aim_pairs(run, chunk, &vertices, false);
  aim_pairs(run, chunk, &edges, true);
}

/* The blocks of pairs; where self_update_normals has left none they are made of the planes. */
LANE weft_push_chunk *chunk_of(const weft_self_run *run, uint32_t first, uint32_t count) {
  weft_push_chunk *chunk = &run->packed->chunks[run->member];
  if (chunk->known && chunk->first == first && chunk->count == count) return chunk;
  pushing p = {0};
  chunk = weft_pushes_begin(run->packed, run->member, first, count);
  for (uint32_t k = first; k < first + count; ++k) {
    bool pushes = (run->planes[k].use & WEFT_SELF_PUSHES) && !is_closed(run, k);
    if (pushes) p.at[p.count++] = k;
    if (p.count < WEFT_LANES && (k + 1 < first + count || p.count == 0)) continue;
    pair_lanes lanes = take_pairs(run, &p);
    pack_pairs(run, chunk, &lanes);
  }
  return chunk;
}

/* ---- how deep pairs are ---- */

typedef struct depths {
  v4 x[4];
  v4 weights;
  v3 n, apart;
  vf depth;
  uint32_t deep; /* bits of lanes */
} depths;

LANE depths depths_of(const weft_self_run *run, const uint32_t *block) {
  depths d;
  for (int k = 0; k < 4; ++k) d.x[k] = load_particles(run->x, block + k * WEFT_LANES);
  d.n = three_words(block, WEFT_PUSH_NORMAL);
  d.weights = (v4){word(block, WEFT_PUSH_WEIGHTS), word(block, WEFT_PUSH_WEIGHTS + 1),
                   word(block, WEFT_PUSH_WEIGHTS + 2), word(block, WEFT_PUSH_WEIGHTS + 3)};
  d.apart = self_apart_of(xyz(d.x[0]), xyz(d.x[1]), xyz(d.x[2]), xyz(d.x[3]), d.weights);
  d.depth = self_depth(d.n, word(block, WEFT_PUSH_WANTED), d.apart);
  d.deep = signs(d.depth > all(0));
  return d;
}

LANE vf weight_of(const depths *d, int k) {
  const vf weights[4] = {d->weights.x, d->weights.y, d->weights.z, d->weights.w};
  return weights[k];
}

/* Where this member adds up what pairs do to particles. */
LANE uint32_t *sums_of(const weft_self_run *run) {
  return run->member ? run->packed->sums[run->member] : run->pushes;
}

LANE void count_pairs(uint32_t *sums, const weft_self_run *run, const uint32_t *block) {
  depths d = depths_of(run, block);
  if (!d.deep) return;
  vu weights = self_weight_of(d.depth);
  for (int k = 0; k < 4; ++k) {
    uint32_t acts = signs(weight_of(&d, k) != all(0)) & d.deep;
    for (; acts; acts &= acts - 1) {
      int l = __builtin_ctz(acts);
      uint32_t row = block[k * WEFT_LANES + l];
      if (row / sizeof(vec4) < run->u->particle_count) sums[row / 4 + 3] += weights[l];
    }
  }
}

/* The weights of what pushes the particles of a block's column, by all members. */
LANE vu weights_of(const weft_self_run *run, const uint32_t *rows) {
  vi loads;
  for (int l = 0; l < WEFT_LANES; ++l) loads[l] = (int32_t)run->pushes[rows[l] / 4 + 3];
  for (uint32_t m = 1; m < run->packed->members; ++m) {
    const uint32_t *sums = run->packed->sums[m];
    for (int l = 0; l < WEFT_LANES; ++l) loads[l] += (int32_t)sums[rows[l] / 4 + 3];
  }
  return (vu)loads;
}

LANE v3 slide_of(const uint32_t *block, const depths *d) {
  return self_slide(d->apart, three_words(block, WEFT_PUSH_START),
                    three_words(block, WEFT_PUSH_SLIDE));
}

/* Corrections of the particles of a block's column, those of the lanes of these bits. */
LANE void add_moves(uint32_t *sums, const uint32_t *rows, v3 move, uint32_t lanes) {
  typedef uint32_t quad_sums __attribute__((vector_size(16)));
  vu x = self_fixed(move.x), y = self_fixed(move.y), z = self_fixed(move.z);
  lanes &= signs((vi)((x | y | z) != (vu){0}));
  if (!lanes) return;
  v4 by_lane = transposed((vf)x, (vf)y, (vf)z, (vf)(vu){0});
  quad_sums added[WEFT_LANES];
  store(&added[0], by_lane.x);
  store(&added[SIDE_BY_SIDE], by_lane.y);
  store(&added[2 * SIDE_BY_SIDE], by_lane.z);
  store(&added[3 * SIDE_BY_SIDE], by_lane.w);
  for (; lanes; lanes &= lanes - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(lanes);
    quad_sums sum;
    memcpy(&sum, (char *)sums + rows[l], sizeof sum);
    sum += added[l % 4 * SIDE_BY_SIDE + l / 4];
    memcpy((char *)sums + rows[l], &sum, sizeof sum);
  }
}

LANE void push_pairs(uint32_t *sums, const weft_self_run *run, const uint32_t *block) {
  depths d = depths_of(run, block);
  if (!d.deep) return;
  vf load = body_or(run, block, all(2), body_or(run, block + 3 * WEFT_LANES, all(2), all(1)));
  vu weight = self_weight_of(d.depth);
  for (int k = 0; k < 4; ++k) {
    vf here = self_load(weights_of(run, block + k * WEFT_LANES), weight);
    load = choose((weight_of(&d, k) != all(0)) & (here > load), here, load);
  }
  v4 w = {d.x[0].w, d.x[1].w, d.x[2].w, d.x[3].w};
  vf share = self_divided(w, d.weights, load);
  d.deep &= signs(share != all(0));
  v3 c = self_correction(slide_of(block, &d), d.n, d.depth, word(block, WEFT_PUSH_FRICTION),
                         word(block, WEFT_PUSH_FRICTION + 1), self_creep(UNI(run->u->self_escape)));
  for (int k = 0; k < 4; ++k) {
    const vf masses[4] = {w.x, w.y, w.z, w.w};
    add_moves(
        sums, block + k * WEFT_LANES,
        self_corner_move(c, masses[k], weight_of(&d, k), share, word(block, WEFT_PUSH_THICKNESS)),
        d.deep);
  }
}

LANE void keep_slides(uint32_t *sums, const weft_self_run *run, const uint32_t *block) {
  (void)sums; /* it pushes nobody */
  depths d = depths_of(run, block);
  if (!d.deep) return;
  vf mu_s = word(block, WEFT_PUSH_FRICTION), mu_k = word(block, WEFT_PUSH_FRICTION + 1);
  v3 held = self_slide_held(slide_of(block, &d), d.n, d.depth, mu_s, mu_k,
                            self_creep(UNI(run->u->self_escape)));
  uint32_t count = (uint32_t)__builtin_popcount(d.deep);
  uint32_t slot = __atomic_fetch_add(run->kept_count, count, __ATOMIC_RELAXED);
  vf escape = word(block, WEFT_PUSH_ESCAPE);
  for (uint32_t bits = d.deep; bits; bits &= bits - 1, ++slot) {
    int l = __builtin_ctz(bits);
    uvec4 listed = run->pairs[block[WEFT_PUSH_PLACE * WEFT_LANES + l]];
    run->kept[slot] = (weft_self_cached){listed, {held.x[l], held.y[l], held.z[l]}, escape[l]};
  }
}

typedef void on_block(uint32_t *sums, const weft_self_run *run, const uint32_t *block);

/* Blocks of the pairs that push of [first, first+count); the function is a constant in each call.
 */
LANE void each_block(const weft_self_run *run, uint32_t first, uint32_t count, on_block *act) {
  uint32_t *sums = sums_of(run);
  const weft_push_chunk *chunk = chunk_of(run, first, count);
  const uint32_t *block = chunk->words;
  for (uint32_t left = chunk->blocks; left; --left, block += WEFT_PUSH_WORDS * WEFT_LANES) {
    act(sums, run, block);
  }
}

static void self_weigh(const weft_self_run *run, uint32_t first, uint32_t count) {
  each_block(run, first, count, count_pairs);
}

static void self_repel(const weft_self_run *run, uint32_t first, uint32_t count) {
  each_block(run, first, count, push_pairs);
}

static void self_cache_store(const weft_self_run *run, uint32_t first, uint32_t count) {
  each_block(run, first, count, keep_slides);
}

/* Returns how many it has done; in self_pushes are the sums of all members then. */
static uint32_t self_apply(const weft_self_run *run, uint32_t first, uint32_t count) {
  const weft_pushes *packed = run->packed;
  const vi vector = vector_part();
  uint32_t k = first;
  for (; k + SIDE_BY_SIDE <= first + count; k += SIDE_BY_SIDE) {
    vu sum = (vu)load(&run->pushes[4 * k]);
    for (uint32_t m = 1; m < packed->members; ++m) sum += (vu)load(&packed->sums[m][4 * k]);
    vi pushed = SPREAD(sum, 3) != (vu){0};
    if (!any(pushed)) continue;
    vf p = load(&run->x[k]);
    vf to = exact_flush(p + self_unfixed(sum));
    store(&run->x[k], choose(pushed & vector, to, p));
    for (uint32_t m = 0; m < packed->members; ++m) {
      store(m ? &packed->sums[m][4 * k] : &run->pushes[4 * k], all(0));
    }
  }
  for (uint32_t m = 1; m < packed->members; ++m) {
    for (uint32_t i = 4 * k; i < 4 * (first + count); ++i) {
      run->pushes[i] += packed->sums[m][i];
      packed->sums[m][i] = 0;
    }
  }
  return k - first;
}
