/* lanes_self.h: the look of self-collision in vectors, group by group, see self.h. A part of
 * lanes_kernels.h. */

/* ---- triangles of two groups ---- */

typedef struct group {
  uint32_t first, count;
  float box[12][WEFT_SELF_EIGHT];
  float unseen[WEFT_SELF_EIGHT], rounding[WEFT_SELF_EIGHT];
  float rest[4][WEFT_SELF_EIGHT];
} group;

LANE void store_box(group *g, uint32_t k, self_box box) {
  const v3 parts[4] = {box.low, box.high, box.move_low, box.move_high};
  for (int p = 0; p < 4; ++p) {
    store(&g->box[3 * p][k], parts[p].x);
    store(&g->box[3 * p + 1][k], parts[p].y);
    store(&g->box[3 * p + 2][k], parts[p].z);
  }
}

LANE void load_group(const weft_self_run *run, uint32_t number, group *g) {
  g->first = number * WEFT_SELF_EIGHT;
  uint32_t left = run->cache->triangles - g->first;
  g->count = left < WEFT_SELF_EIGHT ? left : WEFT_SELF_EIGHT;
  for (uint32_t k = 0; k < WEFT_SELF_EIGHT; k += WEFT_LANES) {
    uint32_t nodes[WEFT_LANES], triangles[WEFT_LANES];
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {
      uint32_t t = g->first + (k + l < g->count ? k + l : g->count - 1);
      nodes[l] = t * (uint32_t)sizeof(weft_self_node);
      triangles[l] = t * (uint32_t)sizeof(weft_self_triangle);
    }
    vf unseen, rounding;
    store_box(g, k, node_boxes(run->nodes, nodes, &unseen, &rounding));
    store(&g->unseen[k], unseen);
    store(&g->rounding[k], rounding);
    v4 rest = load_particles((const vec4 *)(const void *)run->triangles + 1, triangles);
    store(&g->rest[0][k], rest.x);
    store(&g->rest[1][k], rest.y);
    store(&g->rest[2][k], rest.z);
    store(&g->rest[3][k], rest.w);
  }
}

LANE self_box boxes_of(const group *g, uint32_t k) {
  v3 parts[4];
  for (int p = 0; p < 4; ++p) {
    parts[p] =
        (v3){load(&g->box[3 * p][k]), load(&g->box[3 * p + 1][k]), load(&g->box[3 * p + 2][k])};
  }
  return (self_box){parts[0], parts[1], parts[2], parts[3]};
}

LANE self_box box_of_one(const group *g, uint32_t k) {
  v3 parts[4];
  for (int p = 0; p < 4; ++p) {
    parts[p] = (v3){all(g->box[3 * p][k]), all(g->box[3 * p + 1][k]), all(g->box[3 * p + 2][k])};
  }
  return (self_box){parts[0], parts[1], parts[2], parts[3]};
}

typedef struct two_triangles {
  const weft_self_triangle *a, *b;
  float margin, reach;
  uint32_t near;
  weft_self_entry *entry;
} two_triangles;

LANE void add_feature(search *s, features *f, bool edges, const two_triangles *two, uint32_t p0,
                      uint32_t p1, uint32_t p2, uint32_t p3) {
  if (f->count == FEATURES) check_features(s, f, edges);
  uint32_t k = f->count++, row = sizeof(vec4);
  f->p[0][k] = p0 * row;
  f->p[1][k] = p1 * row;
  f->p[2][k] = p2 * row;
  f->p[3][k] = p3 * row;
  f->margin[k] = two->margin;
  f->reach[k] = two->reach;
  f->near[k] = two->near;
  f->entry[k] = two->entry;
}

static void add_features(search *s, const two_triangles *two) {
  const uint32_t a[3] = {two->a->corners.x, two->a->corners.y, two->a->corners.z};
  const uint32_t b[3] = {two->b->corners.x, two->b->corners.y, two->b->corners.z};
  uint32_t owns_a = two->a->corners.w, owns_b = two->b->corners.w;
  uint32_t same[3]; /* bits of b's corners that are this one of a */
  for (int k = 0; k < 3; ++k) {
    same[k] =
        (uint32_t)(a[k] == b[0]) | (uint32_t)(a[k] == b[1]) << 1 | (uint32_t)(a[k] == b[2]) << 2;
  }
  uint32_t shared = same[0] | same[1] | same[2];
  for (uint32_t k = 0; k < 3; ++k) {
    if ((owns_a >> k & 1) && !same[k]) {
      add_feature(s, &s->vertices, false, two, a[k], b[0], b[1], b[2]);
    }
    if ((owns_b >> k & 1) && !(shared >> k & 1)) {
      add_feature(s, &s->vertices, false, two, b[k], a[0], a[1], a[2]);
    }
  }
  for (uint32_t k = 0; k < 3; ++k) {
    if (!(owns_a >> (3 + k) & 1)) continue;
    uint32_t both = same[k] | same[(k + 1) % 3];
    for (uint32_t l = 0; l < 3; ++l) {
      uint32_t ends = 1u << l | 1u << (l + 1) % 3;
      if (!(owns_b >> (3 + l) & 1) || (both & ends)) continue;
      add_feature(s, &s->edges, true, two, a[k], a[(k + 1) % 3], b[l], b[(l + 1) % 3]);
    }
  }
}

LANE bool all_fixed(const weft_self_run *run, const weft_self_triangle *t) {
  return run->x[t->corners.x].w == 0 && run->x[t->corners.y].w == 0 && run->x[t->corners.z].w == 0;
}

LANE void meet_triangles(search *s, const group *a, uint32_t i, const group *b, uint32_t j,
                         float margin, float reach, bool near, weft_self_entry *entry) {
  const weft_self_run *run = s->run;
  const weft_self_triangle *one = &run->triangles[a->first + i],
                           *other = &run->triangles[b->first + j];
  bool tangled = (one->corners.w & other->corners.w & WEFT_SELF_TANGLED) != 0;
  if (tangled || (all_fixed(run, one) && all_fixed(run, other))) {
    if (entry) entry->slack = WEFT_SELF_HOT; /* it may not always be so */
    return;
  }
  const two_triangles two = {one, other, margin, reach, near ? WEFT_SELF_NEAR : 0, entry};
  add_features(s, &two);
}

/* Triangle i of a group and those of another, or those after it in its own. Returns how much they
 * may move. */
LANE vf meet_group(search *s, const group *a, uint32_t i, const group *b, uint32_t k,
                   weft_self_entry *entry) {
  const weft_self_run *run = s->run;
  self_box own = box_of_one(a, i), there = boxes_of(b, k);
  uint32_t valid = b->count > k ? (1u << (b->count - k)) - 1 : 0;
  if (a->first == b->first) valid &= i + 1 > k ? ~((1u << (i + 1 - k)) - 1) : ~0u;
  valid &= (1u << WEFT_LANES) - 1;
  uint32_t meet = signs(self_boxes_meet(own, there, all(0))) & valid;
  vf slack = choose(lanes_of(valid & ~meet), box_gap(own, there), all(1.0e30f));
  if (!meet) return slack;
  v4 rest = {load(&b->rest[0][k]), load(&b->rest[1][k]), load(&b->rest[2][k]),
             load(&b->rest[3][k])};
  v4 own_rest = {all(a->rest[0][i]), all(a->rest[1][i]), all(a->rest[2][i]), all(a->rest[3][i])};
  vf thickness = UNI(run->u->self_thickness);
  vi near = self_near_at_rest(own_rest, rest, thickness);
  vf reach = choose(near, all(a->unseen[i]) + load(&b->unseen[k]), thickness);
  vf less = reach - thickness;
  uint32_t meet_closer = signs(self_boxes_meet(own, there, less)) & meet;
  slack = choose(lanes_of(meet & ~meet_closer), box_gap(own, there) - less, slack);
  vf margin = reach + (all(a->rounding[i]) + load(&b->rounding[k]));
  uint32_t nears = signs(near);
  for (uint32_t bits = meet_closer; bits; bits &= bits - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(bits);
    meet_triangles(s, a, i, b, k + l, margin[l], reach[l], nears >> l & 1, entry);
  }
  return slack;
}

LANE void meet_groups(search *s, const group *a, const group *b, weft_self_entry *entry) {
  const weft_self_run *run = s->run;
  vf slack = all(1.0e30f);
  uint32_t asked = (1u << a->count) - 1;
  bool hot = entry->slack <= WEFT_SELF_HOT && entry->slack > WEFT_SELF_COLD;
  entry->slack = hot ? entry->slack - 1 : 1.0e30f;
  weft_self_entry *asks = hot ? NULL : entry;
  if (a->first != b->first) { /* triangles that are apart from all of the other group */
    self_box whole = node_box(&run->nodes[run->cache->triangles + b->first / WEFT_SELF_EIGHT]);
    uint32_t bits = 0;
    for (uint32_t k = 0; k < WEFT_SELF_EIGHT; k += WEFT_LANES) {
      self_box own = boxes_of(a, k);
      vi meet = self_boxes_meet(own, whole, all(0));
      bits |= signs(meet) << k;
      vf gap = choose(meet, all(1.0e30f), box_gap(own, whole));
      slack = choose(gap < slack, gap, slack);
    }
    asked &= bits;
  }
  for (; asked; asked &= asked - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(asked);
    for (uint32_t k = 0; k < WEFT_SELF_EIGHT; k += WEFT_LANES) {
      vf left = meet_group(s, a, i, b, k, asks);
      slack = choose(left < slack, left, slack);
    }
  }
  float least = least_lane(slack) * 0.98f - 16 * a->rounding[0];
  if (!(least > 0)) least = WEFT_SELF_UNKNOWN;
  if (!hot && least < entry->slack) entry->slack = least;
}

/* ---- the look ---- */

/* Where the owned vertices of a group are now is what the next look counts from. */
LANE void see_group(const weft_self_run *run, uint32_t number) {
  weft_self_cache *cache = run->cache;
  uint32_t first = number * WEFT_SELF_EIGHT, end = first + WEFT_SELF_EIGHT;
  for (uint32_t t = first; t < end && t < cache->triangles; ++t) {
    uvec4 c = run->triangles[t].corners;
    if (c.w & 1) cache->seen[c.x] = run->x_prev[c.x];
    if (c.w & 2) cache->seen[c.y] = run->x_prev[c.y];
    if (c.w & 4) cache->seen[c.z] = run->x_prev[c.z];
  }
}

/* A group with too many others about it for a row: all that its motions could bring it to. */
static void look_around(search *s, uint32_t number) {
  enum { NEAR = 1024 };
  const weft_self_run *run = s->run;
  uint32_t triangles = run->cache->triangles, found[NEAR], length;
  const self_near near = {node_box(&run->nodes[triangles + number]), 0, true};
  if (!find_groups(run, number, &near, found, NEAR, &length)) {
    uint32_t first = number * WEFT_SELF_EIGHT, left = triangles - first;
    run->reference(run->context, first, left < WEFT_SELF_EIGHT ? left : WEFT_SELF_EIGHT);
    return;
  }
  group own, other;
  load_group(run, number, &own);
  for (uint32_t k = 0; k < length; ++k) {
    weft_self_entry entry = {found[k], WEFT_SELF_HOT};
    load_group(run, found[k], &other);
    meet_groups(s, &own, &other, &entry);
  }
}

static void look_from(search *s, uint32_t number, bool make, float margin) {
  const weft_self_run *run = s->run;
  weft_self_cache *cache = run->cache;
  weft_self_entry *due[WEFT_SELF_ROW_MAX];
  uint32_t count = 0;
  if (cache->lengths[number] != WEFT_SELF_FULL && cache->margin >= 0) {
    count = spend_row(run, number, true, due);
  }
  if (make) {
    make_row(run, number, margin);
    if (cache->lengths[number] != WEFT_SELF_FULL) count = spend_row(run, number, false, due);
  }
  see_group(run, number);
  if (cache->lengths[number] == WEFT_SELF_FULL) {
    look_around(s, number);
    return;
  }
  group own, other;
  if (count) load_group(run, number, &own);
  for (uint32_t k = 0; k < count; ++k) {
    load_group(run, due[k]->group, &other);
    meet_groups(s, &own, &other, due[k]);
  }
}

static void self_query(const weft_self_run *run) {
  enum { GROUPS_AT_ONCE = 4 };
  weft_self_cache *cache = run->cache;
  bool will_do;
  float margin = weft_self_cache_margin(cache, &will_do);
  search s;
  s.run = run;
  s.vertices.count = s.edges.count = s.listed_count = 0;
  for (;;) {
    uint32_t first = __atomic_fetch_add(&cache->next, GROUPS_AT_ONCE, __ATOMIC_RELAXED);
    if (first >= cache->groups) break;
    for (uint32_t g = first; g < first + GROUPS_AT_ONCE && g < cache->groups; ++g) {
      look_from(&s, g, !will_do, margin);
    }
  }
  check_features(&s, &s.vertices, false);
  check_features(&s, &s.edges, true);
  list_all(&s);
}
