/* lanes_self.h: the look of self-collision in vectors, group by group, see self.h. A part of
 * lanes_kernels.h. */

/* ---- triangles of two groups ---- */

typedef struct group {
  uint32_t first, count;
  float box[12][WEFT_SELF_EIGHT];
  float unseen[WEFT_SELF_EIGHT];
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

/* Two triangles, with what makes their features candidates, and what keeps them. */
typedef struct two_triangles {
  uint32_t numbers[2];
  float reach, rounding;
  uint32_t near; /* 1: at rest */
  weft_self_entry *entry;
  weft_self_list *list;
  float last, keep;
  uint32_t place;
} two_triangles;

/* Pairs of features have numbers: corners of the first triangle and the second from 0 on, corners
 * of the second and the first from 3 on, edges from 6 on. */
LANE void add_feature(search *s, const two_triangles *two, uint32_t number) {
  const weft_self_triangle *triangles = s->run->triangles;
  const uint32_t *a = &triangles[two->numbers[0]].corners.x;
  const uint32_t *b = &triangles[two->numbers[1]].corners.x;
  bool edges = number >= 6;
  features *f = edges ? &s->edges : &s->vertices;
  if (f->count == FEATURES) check_features(s, f, edges);
  uint32_t k = f->count++, row = sizeof(vec4);
  if (edges) {
    uint32_t i = (number - 6) / 3, j = (number - 6) % 3;
    f->p[0][k] = a[i] * row;
    f->p[1][k] = a[(i + 1) % 3] * row;
    f->p[2][k] = b[j] * row;
    f->p[3][k] = b[(j + 1) % 3] * row;
  } else {
    const uint32_t *of = number < 3 ? a : b, *to = number < 3 ? b : a;
    f->p[0][k] = of[number % 3] * row;
    for (int c = 0; c < 3; ++c) f->p[1 + c][k] = to[c] * row;
  }
  for (int t = 0; t < 2; ++t) {
    f->triangles[t][k] = two->numbers[t] * (uint32_t)sizeof(weft_self_node);
  }
  f->rounding[k] = two->rounding;
  f->reach[k] = two->reach;
  f->near[k] = two->near ? WEFT_SELF_NEAR : 0;
  f->entry[k] = two->entry;
  f->list[k] = two->list;
  f->place[k] = two->place;
  f->last[k] = two->last;
  f->keep[k] = two->keep;
  uint32_t other = two->numbers[1] / WEFT_SELF_EIGHT;
  f->record[k] = WEFT_SELF_RECORD(two->numbers[0] % WEFT_SELF_EIGHT,
                                  two->numbers[1] % WEFT_SELF_EIGHT, number, two->near) |
                 other << WEFT_SELF_RECORD_GROUP;
}

static void add_features(search *s, const two_triangles *two) {
  const uvec4 one = s->run->triangles[two->numbers[0]].corners;
  const uvec4 other = s->run->triangles[two->numbers[1]].corners;
  const uint32_t a[3] = {one.x, one.y, one.z}, b[3] = {other.x, other.y, other.z};
  uint32_t same[3]; /* bits of b's corners that are this one of a */
  for (int k = 0; k < 3; ++k) {
    same[k] =
        (uint32_t)(a[k] == b[0]) | (uint32_t)(a[k] == b[1]) << 1 | (uint32_t)(a[k] == b[2]) << 2;
  }
  uint32_t shared = same[0] | same[1] | same[2];
  for (uint32_t k = 0; k < 3; ++k) {
    if ((one.w >> k & 1) && !same[k]) add_feature(s, two, k);
    if ((other.w >> k & 1) && !(shared >> k & 1)) add_feature(s, two, 3 + k);
  }
  for (uint32_t k = 0; k < 3; ++k) {
    if (!(one.w >> (3 + k) & 1)) continue;
    uint32_t both = same[k] | same[(k + 1) % 3];
    for (uint32_t l = 0; l < 3; ++l) {
      uint32_t ends = 1u << l | 1u << (l + 1) % 3;
      if ((other.w >> (3 + l) & 1) && !(both & ends)) add_feature(s, two, 6 + 3 * k + l);
    }
  }
}

/* ---- what is kept ---- */

LANE void check_one_kept(search *s, uint32_t number, weft_self_list *list, uint32_t k, float last,
                         float keep) {
  const weft_self_run *run = s->run;
  const weft_self_cache *cache = run->cache;
  uint32_t record = list->records[k];
  uint32_t a = number * WEFT_SELF_EIGHT + (record & 7);
  uint32_t b = (record >> WEFT_SELF_RECORD_GROUP) * WEFT_SELF_EIGHT + (record >> 3 & 7);
  uint32_t near = record >> 10 & 1;
  float reach = near ? cache->unseen[a] + cache->unseen[b] : run->thickness;
  float rounding = cache->rounding[number];
  const two_triangles two = {{a, b}, reach, rounding, near, NULL, list, last, keep, k};
  add_feature(s, &two, record >> 6 & 15);
}

/* What was spent of a list is taken from it before it is so much that it would be rounded. */
LANE void take_spent(weft_self_list *list, float most) {
  if (!(list->spent > most)) return;
  for (uint32_t k = 0; k < list->count; ++k) list->slacks[k] -= list->spent;
  list->least -= list->spent;
  list->spent = 0;
}

/* Of what a row keeps, features whose slack may not last for this look. */
LANE void check_kept(search *s, uint32_t number, weft_self_list *list, const self_due *due) {
  float soon = due->soon * 1.5f, keep = due->soon * WEFT_SELF_LOOKS_KEPT;
  if (!list->count) list->spent = 0;
  if (!list->count || list->least - list->spent > soon) return;
  take_spent(list, 16 * s->run->cache->usual);
  vf enough = all(list->spent + soon), least = all(1.0e30f);
  list->least = 1.0e30f;
  for (uint32_t k = 0; k < list->count; k += WEFT_LANES) {
    uint32_t left = list->count - k;
    uint32_t valid = left < WEFT_LANES ? (1u << left) - 1 : (1u << WEFT_LANES) - 1;
    vf slack = load(&list->slacks[k]);
    uint32_t tested = signs(~(vi)(slack > enough)) & valid;
    slack = choose(lanes_of(valid & ~tested), slack, all(1.0e30f));
    least = less_of(slack, least);
    for (; tested; tested &= tested - 1) {
      check_one_kept(s, number, list, k + (uint32_t)__builtin_ctz(tested), soon, keep);
    }
  }
  lower(&list->least, least_lane(least));
}

/* ---- two groups ---- */

/* Two groups that are compared; no entry: nothing is kept. */
typedef struct two_groups {
  const group *a, *b;
  weft_self_entry *entry;
  weft_self_list *list;
  float last, keep; /* features with more slack last; those with less are kept */
} two_groups;

LANE void meet_triangles(search *s, const two_groups *two, uint32_t i, uint32_t j, float reach,
                         uint32_t near) {
  const weft_self_run *run = s->run;
  uint32_t one = two->a->first + i, other = two->b->first + j;
  const weft_self_triangle *a = &run->triangles[one], *b = &run->triangles[other];
  if (a->corners.w & b->corners.w & WEFT_SELF_UNPARTED) return;
  const two_triangles triangles = {
      {one, other}, reach,      run->cache->rounding[two->a->first / WEFT_SELF_EIGHT],
      near,         two->entry, two->list,
      two->last,    two->keep,  0};
  add_features(s, &triangles);
}

/* Triangle i of a group and those of another from number k on, or those after it in its own.
 * Returns how much those may move whose features are not looked at. */
LANE vf meet_group(search *s, const two_groups *two, uint32_t i, uint32_t k) {
  const weft_self_run *run = s->run;
  const group *a = two->a, *b = two->b;
  self_box own = box_of_one(a, i), there = boxes_of(b, k);
  uint32_t valid = b->count > k ? (1u << (b->count - k)) - 1 : 0;
  if (a->first == b->first) valid &= i + 1 > k ? ~((1u << (i + 1 - k)) - 1) : ~0u;
  valid &= (1u << WEFT_LANES) - 1;
  vf apart = box_gap(own, there), keep = all(two->entry ? two->keep : -1.0e30f);
  uint32_t meet = signs(self_boxes_meet(own, there, all(0))) & valid;
  uint32_t close = meet | (signs(apart < keep) & valid);
  vf slack = choose(lanes_of(valid & ~close), apart, all(1.0e30f));
  if (!close) return slack;
  v4 rest = {load(&b->rest[0][k]), load(&b->rest[1][k]), load(&b->rest[2][k]),
             load(&b->rest[3][k])};
  v4 own_rest = {all(a->rest[0][i]), all(a->rest[1][i]), all(a->rest[2][i]), all(a->rest[3][i])};
  vf thickness = UNI(run->thickness);
  vi near = self_near_at_rest(own_rest, rest, thickness);
  vf reach = choose(near, all(a->unseen[i]) + load(&b->unseen[k]), thickness);
  vf less = reach - thickness;
  meet &= signs(self_boxes_meet(own, there, less));
  uint32_t closer = meet | (signs(apart - less < keep) & close);
  slack = choose(lanes_of(close & ~closer), apart - less, slack);
  uint32_t nears = signs(near);
  for (uint32_t bits = closer; bits; bits &= bits - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(bits);
    meet_triangles(s, two, i, k + l, reach[l], nears >> l & 1);
  }
  return slack;
}

LANE void meet_groups(search *s, const two_groups *two) {
  const weft_self_run *run = s->run;
  const group *a = two->a, *b = two->b;
  vf slack = all(1.0e30f), keep = all(two->entry ? two->keep : -1.0e30f);
  uint32_t asked = (1u << a->count) - 1;
  if (two->entry) {
    two->entry->slack = 1.0e30f;
    two->entry->group &= ~WEFT_SELF_KEEPS;
  }
  if (a->first != b->first) { /* triangles that are apart from all of the other group */
    self_box whole = node_box(&run->nodes[run->cache->triangles + b->first / WEFT_SELF_EIGHT]);
    uint32_t bits = 0;
    for (uint32_t k = 0; k < WEFT_SELF_EIGHT; k += WEFT_LANES) {
      self_box own = boxes_of(a, k);
      vf gap = box_gap(own, whole);
      vi close = self_boxes_meet(own, whole, all(0)) | (vi)(gap < keep);
      bits |= signs(close) << k;
      gap = choose(close, all(1.0e30f), gap);
      slack = less_of(gap, slack);
    }
    asked &= bits;
  }
  for (; asked; asked &= asked - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(asked);
    for (uint32_t k = 0; k < WEFT_SELF_EIGHT; k += WEFT_LANES) {
      vf left = meet_group(s, two, i, k);
      slack = less_of(left, slack);
    }
  }
  if (two->entry) {
    uint32_t number = a->first / WEFT_SELF_EIGHT;
    lower(&two->entry->slack, least_lane(known_slack(run, number, slack)));
  }
}

/* ---- the look ---- */

/* Where particles are now is what the next look counts from: those [from, to) of `count` shares of
 * some that are in one piece. */
LANE void see_share(const weft_self_run *run, uint64_t first, uint64_t particles, uint32_t from,
                    uint32_t to, uint32_t count) {
  uint64_t low = first + particles * from / count, high = first + particles * to / count;
  memcpy(&run->cache->seen[low], &run->x_prev[low], (size_t)(high - low) * sizeof(vec4));
}

/* With groups [first, end) go as large a share of the particles of cloth and of bodies. */
LANE void see_particles(const weft_self_run *run, uint32_t first, uint32_t end) {
  const weft_self_cache *cache = run->cache;
  uint32_t cloth = cache->cloth_groups, middle = first < cloth ? first : cloth;
  if (middle < cloth) {
    uint32_t to = end < cloth ? end : cloth;
    see_share(run, run->first_particle, run->cloth_particles, middle, to, cloth);
  }
  if (end <= cloth) return;
  uint32_t from = first > cloth ? first : cloth;
  see_share(run, run->u->particle_count, run->u->self_particles - run->u->particle_count,
            from - cloth, end - cloth, cache->groups - cloth);
}

/* A group with too many others about it for a row: all that its motions could bring it to, of the
 * sides [first, end). False: the reference has compared it, with all sides. */
static bool look_around(search *s, uint32_t number, uint32_t first, uint32_t end) {
  const weft_self_run *run = s->run;
  uint32_t triangles = run->cache->triangles, found[WEFT_SELF_ROW_MAX], length;
  self_near near = near_of(run, number, first);
  near.end = near_of(run, number, end - 1).end;
  near.moves = true;
  float apart;
  if (!find_groups(run, &near, found, WEFT_SELF_ROW_MAX, &length, &apart)) {
    uint32_t from = number * WEFT_SELF_EIGHT, left = triangles - from;
    run->reference(run->context, run->first_triangle + from,
                   left < WEFT_SELF_EIGHT ? left : WEFT_SELF_EIGHT);
    return false;
  }
  group own, other;
  load_group(run, number, &own);
  for (uint32_t k = 0; k < length; ++k) {
    load_group(run, found[k], &other);
    meet_groups(s, &(two_groups){&own, &other, NULL, NULL, 0, 0});
  }
  return true;
}

/* How far a group comes against those of a side: all that these do, or its own way alone. */
LANE weft_self_most comes_to(const weft_self_run *run, uint32_t number, weft_self_most most,
                             bool rest) {
  const weft_self_cache *cache = run->cache;
  weft_self_most own = cache->own[number];
  if (!rest) return (weft_self_most){own.drift + most.drift, own.move + most.move};
  const weft_self_drift *drift = &cache->drift[number];
  const weft_self_node *node = &run->nodes[cache->triangles + number];
  const quad nowhere = quad_all(0);
  return (weft_self_most){
      most_from(whole_quad(&drift->low), whole_quad(&drift->high), nowhere),
      most_from(whole_quad(&node->move_low), whole_quad(&node->move_high), nowhere)};
}

/* Whether groups that are not in a row could not meet its group. Both move, and come by half as
 * much again as they are to. */
LANE bool row_lasts(weft_self_row *row, weft_self_most comes) {
  row->far = or_infinite(row->far + comes.drift);
  return row->margin >= 0 && row->far + 1.5f * comes.move <= 0.99f * row->margin;
}

/* A list that was too short begins anew with what has half the slack. */
LANE void begin_anew(weft_self_row *row) {
  row->list.scale = 0.5f * row->list.scale;
  forget_all(&row->list);
  for (uint32_t k = 0; k < row->length; ++k) {
    row->entries[k] = (weft_self_entry){WEFT_SELF_GROUP_OF(row->entries[k]), WEFT_SELF_UNKNOWN};
  }
}

/* Brings a row up to date, and finds what is due. False: it is too long. */
LANE bool refresh_row(const weft_self_run *run, uint32_t number, uint32_t side, weft_self_most most,
                      self_due *due) {
  weft_self_cache *cache = run->cache;
  weft_self_row *row = weft_self_row_of(cache, number, side);
  bool rest = side == WEFT_SELF_BODIES && weft_self_bodies_rest(cache);
  weft_self_most comes = comes_to(run, number, most, rest);
  due->count = 0;
  due->kept = false;
  if (!row_lasts(row, comes)) make_row(run, number, side, comes.move);
  if (row->length == WEFT_SELF_FULL) return false;
  if (row->list.full) begin_anew(row);
  if (row->length) spend_row(run, number, row, rest, due);
  return true;
}

/* What is due of a row. */
LANE void look_along(search *s, uint32_t number, weft_self_row *row, const self_due *due) {
  const weft_self_run *run = s->run;
  if (due->kept) forget_kept(&row->list, due->groups, due->count);
  check_kept(s, number, &row->list, due);
  group own, other;
  if (due->count) load_group(run, number, &own);
  for (uint32_t k = 0; k < due->count; ++k) {
    load_group(run, due->groups[k], &other);
    weft_self_entry *entry = &row->entries[due->places[k]];
    meet_groups(s, &(two_groups){&own, &other, entry, &row->list, due->last[k], due->keep[k]});
  }
}

static void look_from(search *s, uint32_t number, const weft_self_most *most) {
  const weft_self_run *run = s->run;
  uint32_t sides = run->cache->sides, around = 0; /* bits of sides */
  self_due due[WEFT_SELF_SIDES];
  for (uint32_t side = 0; side < sides; ++side) {
    if (!refresh_row(run, number, side, most[side], &due[side])) around |= 1u << side;
  }
  uint32_t first = around == 1u << WEFT_SELF_BODIES, end = around == 1u ? 1 : sides;
  if (around && !look_around(s, number, first, end)) return;
  for (uint32_t side = 0; side < sides; ++side) {
    weft_self_row *row = weft_self_row_of(run->cache, number, side);
    if (!(around >> side & 1) && row->length) look_along(s, number, row, &due[side]);
  }
}

/* Rows and lists have room for many, so what is in use of them lies too far apart for a processor
 * to look ahead by itself. */
LANE void fetch_row(const weft_self_row *row) {
  enum { LINE = WEFT_CACHE_LINE, MOST = 64 * LINE };
  const weft_self_list *list = &row->list;
  if (row->length == WEFT_SELF_FULL) return;
  uint32_t length = row->length * (uint32_t)sizeof *row->entries;
  uint32_t size = list->count * (uint32_t)sizeof *list->slacks;
  if (length > MOST) length = MOST; /* what comes then is looked ahead to */
  if (size > MOST) size = MOST;
  for (uint32_t k = 0; k < length; k += LINE) __builtin_prefetch((const char *)row->entries + k);
  for (uint32_t k = 0; k < size; k += LINE) {
    __builtin_prefetch((const char *)list->slacks + k);
    __builtin_prefetch((const char *)list->records + k);
  }
}

LANE void fetch_group(const weft_self_cache *cache, uint32_t number) {
  for (uint32_t side = 0; side < cache->sides; ++side) {
    fetch_row(weft_self_row_of(cache, number, side));
  }
}

static void self_query(const weft_self_run *run) {
  enum { GROUPS_AT_ONCE = 8 };
  weft_self_cache *cache = run->cache;
  weft_self_most most[WEFT_SELF_SIDES];
  for (uint32_t side = 0; side < cache->sides; ++side) {
    most[side] = weft_self_cache_most(cache, side);
  }
  search s;
  s.run = run;
  s.vertices.count = s.edges.count = s.listed_count = 0;
  s.doubtful[0].count = s.doubtful[1].count = 0;
  for (;;) {
    uint32_t first = __atomic_fetch_add(&cache->next, GROUPS_AT_ONCE, __ATOMIC_RELAXED);
    if (first >= weft_self_groups_seen(cache)) break;
    uint32_t end = first + GROUPS_AT_ONCE < cache->groups ? first + GROUPS_AT_ONCE : cache->groups;
    uint32_t looks = end < cache->cloth_groups ? end : cache->cloth_groups;
    for (uint32_t g = first; g < looks; ++g) fetch_group(cache, g);
    for (uint32_t g = first; g < looks; ++g) look_from(&s, g, most);
    see_particles(run, first, end);
  }
  check_features(&s, &s.vertices, false);
  check_features(&s, &s.edges, true);
  settle_doubtful(&s, false);
  settle_doubtful(&s, true);
  list_all(&s);
}
