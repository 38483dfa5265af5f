/* lanes_planes.h: what parts the candidates of a detection, in vectors: passes/self_separate.h for
 * as many as there are lanes, vertices over triangles apart from edges. A part of lanes_kernels.h.
 */

/* Places in a list, as many of `count` as the part has room for; from *slot on. */
LANE uint32_t take_places(const weft_self_run *run, uint32_t place, uint32_t count, uint32_t room,
                          uint32_t *slot) {
  *slot = __atomic_fetch_add(&run->own[place], count, __ATOMIC_RELAXED);
  uint32_t left = *slot < room ? room - *slot : 0;
  if (left < count) {
    __atomic_fetch_or(&run->own[WEFT_SELF_AT_FLAGS], WEFT_SELF_OVERFLOW, __ATOMIC_RELAXED);
    count = left;
  }
  if (run->all != run->own && count) {
    *slot = __atomic_fetch_add(&run->all[place], count, __ATOMIC_RELAXED);
  }
  return count;
}

/* Candidates of one kind, by their places in the list. */
typedef struct planes {
  uint32_t count;
  uint32_t at[WEFT_LANES];
} planes;

LANE vi marked(const weft_self_run *run, const uint32_t *rows) {
  vi marks;
  for (uint32_t k = 0; k < WEFT_LANES; ++k) marks[k] = run->marks[rows[k] / sizeof(vec4)] ? -1 : 0;
  return marks;
}

/* Where a particle is of a body: what the body has. */
LANE vf body_or(const weft_self_run *run, const uint32_t *rows, vf of_body, vf otherwise) {
  if (!run->bodies) return otherwise;
  vi body;
  for (uint32_t k = 0; k < WEFT_LANES; ++k) {
    body[k] = rows[k] / sizeof(vec4) >= run->u->particle_count ? -1 : 0;
  }
  return choose(body, of_body, otherwise);
}

typedef struct plane_lanes {
  self_normal normal;
  self_four weights;
  vf distance, floor;
  uint32_t limits, pushes, uncertain; /* bits of lanes */
} plane_lanes;

/* Pairs take places at the end of the list together. */
LANE void keep_pairs(const weft_self_run *run, const planes *p, uint32_t kept,
                     const plane_lanes *of) {
  if (!kept) return;
  uint32_t slot, places = take_places(run, WEFT_SELF_AT_PAIRS, (uint32_t)__builtin_popcount(kept),
                                      run->u->self_pairs, &slot);
  for (uint32_t bits = kept; places; bits &= bits - 1, ++slot, --places) {
    uint32_t l = (uint32_t)__builtin_ctz(bits);
    const self_normal *n = &of->normal;
    const self_four *w = &of->weights;
    run->pairs[slot] = run->candidates[p->at[l]];
    run->planes[slot] = (weft_self_plane){.normal = {n->n.x[l], n->n.y[l], n->n.z[l]},
                                          .gap = n->gap[l],
                                          .weights = {w->k0[l], w->k1[l], w->k2[l], w->k3[l]},
                                          .distance = of->distance[l],
                                          .use = (of->limits >> l & 1 ? WEFT_SELF_LIMITS : 0) |
                                                 (of->pushes >> l & 1 ? WEFT_SELF_PUSHES : 0) |
                                                 (of->uncertain >> l & 1 ? WEFT_SELF_UNCERTAIN : 0),
                                          .reach = run->cloth->reach,
                                          .floor = of->floor[l]};
  }
}

/* Candidates in lanes; the first again in those that are left. */
typedef struct candidate_lanes {
  uint32_t valid;               /* bits of lanes, but for those of whom all is still */
  uint32_t rows[4][WEFT_LANES]; /* particles, bytes from x */
  vi same;
  v3 before[4], moves[4];
} candidate_lanes;

LANE candidate_lanes take_candidates(const weft_self_run *run, planes *p) {
  candidate_lanes c;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    const uvec4 listed = run->candidates[p->at[l < p->count ? l : 0]];
    const uvec4 particles = weft_self_particles(listed);
    c.same[l] = weft_self_is_same(listed) ? -1 : 0;
    c.rows[0][l] = particles.x * (uint32_t)sizeof(vec4);
    c.rows[1][l] = particles.y * (uint32_t)sizeof(vec4);
    c.rows[2][l] = particles.z * (uint32_t)sizeof(vec4);
    c.rows[3][l] = particles.w * (uint32_t)sizeof(vec4);
  }
  vi still = ALWAYS;
  for (int k = 0; k < 4; ++k) {
    v4 x = load_particles(run->x, c.rows[k]);
    c.before[k] = xyz(load_particles(run->x_prev, c.rows[k]));
    c.moves[k] = exact_flush3(sub(xyz(x), c.before[k]));
    still = still & (x.w == all(0)) & ~self_moves(c.moves[k]);
  }
  c.valid = ((1u << p->count) - 1) & ~signs(still);
  p->count = 0;
  return c;
}

/* Rest positions and, in w, thicknesses. */
LANE v4 load_vertices(const weft_self_run *run, const uint32_t *rows) {
  enum { WIDE = sizeof(weft_self_vertex) / sizeof(vec4) };
  uint32_t at[WEFT_LANES];
  for (uint32_t l = 0; l < WEFT_LANES; ++l) at[l] = rows[l] * WIDE;
  return load_particles((const vec4 *)(const void *)run->vertices, at);
}

LANE vf thickness_of(const weft_self_run *run, const candidate_lanes *c) {
  vf thickness = UNI(run->cloth->thickness);
  for (int k = 3; k >= 0 && run->bodies; k -= 3) {
    thickness = body_or(run, c->rows[k], load_vertices(run, c->rows[k]).w, thickness);
  }
  return thickness;
}

/* What two features keep that were made so near. */
LANE vf made_gap(const weft_self_run *run, const candidate_lanes *c, bool of_edges) {
  v3 rest[4];
  for (int k = 0; k < 4; ++k) rest[k] = xyz(load_vertices(run, c->rows[k]));
  const self_corners made = self_corners_from(rest[0], rest[1], rest[2], rest[3]);
  self_closest there = of_edges ? self_edge_edge(made) : self_vertex_triangle(made);
  return self_rest_gap(there.distance2);
}

LANE void find_planes(const weft_self_run *run, planes *p, bool of_edges) {
  if (!p->count) return;
  const candidate_lanes c = take_candidates(run, p);
  uint32_t valid = c.valid;
  vi edges = of_edges ? ALWAYS : NEVER;
  const self_corners at = self_corners_from(c.before[0], c.before[1], c.before[2], c.before[3]);
  const self_corners to = {c.moves[0], c.moves[1], c.moves[2], c.moves[3]};
  const self_marks anywhere = {marked(run, c.rows[0]), marked(run, c.rows[1]),
                               marked(run, c.rows[2]), marked(run, c.rows[3])};
  self_closest closest = of_edges ? self_edge_edge(at) : self_vertex_triangle(at);
  vf least = UNI(run->cloth->floor), thickness = thickness_of(run, &c);
  vf floor_here = self_floor_at(c.before[0], least);
  plane_lanes found;
  found.distance = thickness;
  self_normal first = self_first_normal(at, edges, closest);
  self_cull_bound cull_bound = self_detect_ahead(to, first, anywhere, edges, found.distance,
                                                 UNI(run->u->self_beyond), floor_here);
  valid &= ~signs(self_certified(at, first.gap, least) & cull_bound.safe & cull_bound.far);
  if (!valid) return;
  if (any(c.same)) {
    vf made = made_gap(run, &c, of_edges);
    found.distance = choose(c.same, self_less(thickness, made), thickness);
    least = choose(c.same, self_own_floor(at, made, least), least);
    floor_here = self_floor_at(c.before[0], least);
  }
  found.normal = self_best_normal(at, edges, closest);
  found.weights = closest.weights;
  found.floor = least;
  vi certain = self_certified(at, found.normal.gap, least);
  cull_bound = self_detect_ahead(to, found.normal, anywhere, edges, found.distance,
                                 UNI(run->u->self_beyond), floor_here);
  vi safe = certain & cull_bound.safe;
  valid &= ~signs(safe & cull_bound.far);
  vi pushes = certain & ~cull_bound.far & self_good(found.normal.gap, closest.distance2);
  found.uncertain = signs(~certain);
  found.limits = signs(~safe);
  found.pushes = run->detection == 0 ? signs(pushes) : 0;
  keep_pairs(run, p, valid, &found);
}

/* From here on candidates are those of this part. */
LANE void go_to_part(weft_self_run *run, uint32_t part) {
  run->own = run->counts + (size_t)part * WEFT_SELF_COUNTS;
  run->cloth = &run->vertices[(size_t)part * run->u->self_cloth];
}

/* Candidates of a part mostly stand together; a vector has those of one part. */
static void self_planes(const weft_self_run *given, uint32_t first, uint32_t count) {
  planes vertices = {0}, edges = {0};
  weft_self_run own = *given;
  const weft_self_run *run = &own;
  bool joined = own.all != own.own;
  uint32_t cloth = own.u->self_cloth, part = 0;
  for (uint32_t k = first; k < first + count; ++k) {
    uint32_t particle = weft_self_first(run->candidates[k]);
    uint32_t of = part;
    if (joined && particle - part * cloth >= cloth) of = weft_self_part_of(own.u, particle);
    if (of != part) {
      find_planes(run, &vertices, false);
      find_planes(run, &edges, true);
      part = of;
      go_to_part(&own, part);
    }
    bool of_edges = weft_self_is_edges(run->candidates[k]);
    planes *p = of_edges ? &edges : &vertices;
    p->at[p->count++] = k;
    if (p->count == WEFT_LANES) find_planes(run, p, of_edges);
  }
  find_planes(run, &vertices, false);
  find_planes(run, &edges, true);
}
