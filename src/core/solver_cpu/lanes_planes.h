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
                                          .thickness = run->thickness,
                                          .floor = of->floor[l]};
  }
}

LANE void find_planes(const weft_self_run *run, planes *p, bool of_edges) {
  if (!p->count) return;
  uint32_t valid = (1u << p->count) - 1;
  for (uint32_t k = p->count; k < WEFT_LANES; ++k) p->at[k] = p->at[0];
  uint32_t rows[4][WEFT_LANES];
  vi same;
  for (uint32_t k = 0; k < WEFT_LANES; ++k) {
    uvec4 c = weft_self_particles(run->candidates[p->at[k]]);
    same[k] = weft_self_is_same(run->candidates[p->at[k]]) ? -1 : 0;
    rows[0][k] = c.x * (uint32_t)sizeof(vec4);
    rows[1][k] = c.y * (uint32_t)sizeof(vec4);
    rows[2][k] = c.z * (uint32_t)sizeof(vec4);
    rows[3][k] = c.w * (uint32_t)sizeof(vec4);
  }
  v3 before[4], moves[4];
  v4 rest[4];
  vi still = ~(vi){0};
  for (int k = 0; k < 4; ++k) {
    v4 x = load_particles(run->x, rows[k]);
    before[k] = xyz(load_particles(run->x_prev, rows[k]));
    moves[k] = exact_flush3(sub(xyz(x), before[k]));
    rest[k] = load_particles(run->rest, rows[k]);
    still = still & (x.w == all(0)) & ~self_moves(moves[k]);
  }
  valid &= ~signs(still);
  p->count = 0;
  vi edges = of_edges ? ALWAYS : NEVER;
  const self_corners at = self_corners_from(before[0], before[1], before[2], before[3]);
  const self_corners to = {moves[0], moves[1], moves[2], moves[3]};
  const self_marks anywhere = {marked(run, rows[0]), marked(run, rows[1]), marked(run, rows[2]),
                               marked(run, rows[3])};
  self_closest closest = of_edges ? self_edge_edge(at) : self_vertex_triangle(at);
  vf least = UNI(run->least), thickness = UNI(run->on_cloth);
  thickness = body_or(run, rows[3], rest[3].z, thickness);
  thickness = body_or(run, rows[0], rest[0].z, thickness);
  vf floor_here = self_floor_at(before[0], least);
  plane_lanes found;
  found.distance = thickness;
  self_normal first = self_first_normal(at, edges, closest);
  self_cull_bound cull_bound = self_detect_ahead(to, first, anywhere, edges, found.distance,
                                                 UNI(run->u->self_beyond), floor_here);
  valid &= ~signs(self_certified(at, first.gap, least) & cull_bound.safe & cull_bound.far);
  if (!valid) return;
  if (any(same)) {
    const self_corners made =
        self_corners_from(xyz(rest[0]), xyz(rest[1]), xyz(rest[2]), xyz(rest[3]));
    self_closest there = of_edges ? self_edge_edge(made) : self_vertex_triangle(made);
    vf rest_gap = self_rest_gap(there.distance2);
    found.distance = choose(same, self_less(thickness, rest_gap), thickness);
    least = choose(same, self_own_floor(at, rest_gap, least), least);
    floor_here = self_floor_at(before[0], least);
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
  const vec4 *distances = &run->rest[(size_t)run->u->self_particles * run->u->self_parts + part];
  run->own = run->counts + (size_t)part * WEFT_SELF_COUNTS;
  run->thickness = distances->x;
  run->least = distances->y;
  run->on_cloth = distances->z;
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
