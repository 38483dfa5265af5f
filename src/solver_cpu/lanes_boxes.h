/* lanes_boxes.h: the boxes of self-collision in vectors, and which groups could meet soon, see
 * self.h. A part of lanes_kernels.h. */

/* ---- boxes ---- */

LANE v3 less3(v3 a, v3 b) { return self_less3(a, b); }
LANE v3 more3(v3 a, v3 b) { return self_more3(a, b); }

LANE float least_lane(vf v) {
#if WEFT_LANES == 8
  quad four = quad_less(SHUFFLE(v, v, 0, 1, 2, 3), SHUFFLE(v, v, 4, 5, 6, 7));
#else
  quad four = v;
#endif
  four = quad_less(four, SHUFFLE(four, four, 2, 3, 2, 3));
  return quad_less(four, SHUFFLE(four, four, 1, 1, 1, 1))[0];
}

LANE float most_lane(vf v) { return -least_lane(-v); }

LANE float or_infinite(float x) { return x < 1.0e30f ? x : INFINITY; }

/* The largest component of an interval's ends, counted from a base; infinite, if any is not a
 * number. */
LANE float most_from(quad low, quad high, quad base) {
  quad most = quad_xyz(quad_more(high - base, base - low));
  return quad_most(quad_choose(most < quad_all(1.0e30f), most, quad_all(INFINITY)))[0];
}

LANE quad whole_quad(const vec4 *q) { return load_quad(q, 0); }

LANE self_corner corner_at(const weft_self_run *run, const uint32_t *rows) {
  v3 before = xyz(load_particles(run->x_prev, rows));
  v3 now = xyz(load_particles(run->x, rows));
  return self_corner_of(before, exact_flush3(sub(now, before)), NEVER);
}

/* ---- boxes of triangles ---- */

/* A particle of a group: where it is, how far it is to move, and has moved since the last look. */
typedef struct leaf_corner {
  quad from, move, since;
} leaf_corner;

/* Boxes around some of them. */
typedef struct leaf_box {
  quad low, high, move_low, move_high;
} leaf_box;

LANE leaf_corner leaf_corner_of(const weft_self_run *run, uint32_t bytes) {
  quad from = quad_xyz(load_quad(run->x_prev, bytes));
  quad move = quad_xyz(load_quad(run->x, bytes)) - from;
  quad since = from - quad_xyz(load_quad(run->cache->seen, bytes));
  quad_bits small = quad_absolute(move) < quad_all((float)WEFT_FLUSH);
  return (leaf_corner){from, quad_choose(small, quad_all(0), move), since};
}

/* self_known of one of them. */
LANE bool leaf_known(const leaf_corner *c) {
  float sum = c->from[0] + c->from[1];
  sum = sum + c->from[2];
  sum = sum + c->move[0];
  sum = sum + c->move[1];
  sum = sum + c->move[2];
  return fabsf(sum) < 1.0e30f;
}

/* As self_box_around; `known`: all numbers of the group are ones. */
LANE leaf_box leaf_around(const leaf_corner *points, const uint8_t of[3], bool known) {
  const leaf_corner *a = &points[of[0]], *b = &points[of[1]], *c = &points[of[2]];
  bool are = known || (leaf_known(a) && leaf_known(b) && leaf_known(c));
  quad far = quad_xyz(quad_all(1.0e30f));
  quad_bits ones = (quad_bits){0} - (int32_t)are;
  return (leaf_box){
      quad_choose(ones, quad_less(quad_less(a->from, b->from), c->from), -far),
      quad_choose(ones, quad_more(quad_more(a->from, b->from), c->from), far),
      quad_choose(ones, quad_less(quad_less(a->move, b->move), c->move), -far),
      quad_choose(ones, quad_more(quad_more(a->move, b->move), c->move), far),
  };
}

/* As pass_self_leaf. Returns what coordinates may be rounded by. */
LANE quad store_leaf(const weft_self_run *run, uint32_t triangle, leaf_box box) {
  quad most = quad_most(quad_more(quad_absolute(box.low), quad_absolute(box.high)));
  quad rounding = most * quad_all(9.5367431640625e-07f);
  quad by = quad_all(run->thickness * 0.5f) + rounding;
  weft_self_node *node = &run->nodes[triangle];
  quad unseen = quad_all(run->cache->unseen[triangle]);
  store_quad(&node->low, 0, SHUFFLE(box.low - by, unseen, 0, 1, 2, 7));
  store_quad(&node->high, 0, SHUFFLE(box.high + by, rounding, 0, 1, 2, 7));
  store_quad(&node->move_low, 0, box.move_low);
  store_quad(&node->move_high, 0, box.move_high);
  return rounding;
}

/* The particles of a group. Returns whether all of their numbers are ones. */
LANE bool load_leaf(const weft_self_run *run, const weft_self_corners *of, leaf_corner *points) {
  quad sum = quad_all(0);
  for (uint32_t k = 0; k < of->count; ++k) {
    points[k] = leaf_corner_of(run, of->at[k]);
    sum = sum + quad_absolute(points[k].from) + quad_absolute(points[k].move) +
          quad_absolute(points[k].since);
  }
  return sum[0] < 1.0e29f && sum[1] < 1.0e29f && sum[2] < 1.0e29f;
}

/* How far the particles of a group have moved since the last look; not a number counts as far. */
LANE void store_drift(weft_self_drift *drift, const leaf_corner *points, uint32_t count,
                      bool known) {
  quad far = quad_xyz(quad_all(1.0e30f)), low = far, high = -far;
  for (uint32_t k = 0; k < count; ++k) {
    quad since = points[k].since;
    if (!known) since = quad_choose(quad_absolute(since) < far, since, far);
    low = quad_less(low, since);
    high = quad_more(high, since);
  }
  store_quad(&drift->low, 0, low);
  store_quad(&drift->high, 0, high);
}

/* The boxes of a group's triangles, and what its particles have done since the last look. Returns
 * how far they are to move. */
LANE weft_self_drift leaf_group(const weft_self_run *run, uint32_t group) {
  const weft_self_corners *of = &run->cache->corners[group];
  leaf_corner points[3 * WEFT_SELF_EIGHT];
  bool known = load_leaf(run, of, points);
  quad far = quad_all(1.0e30f), low = far, high = -far, rounding = quad_all(0);
  store_drift(&run->cache->drift[group], points, of->count, known);
  for (uint32_t t = 0; t < of->triangles; ++t) {
    leaf_box box = leaf_around(points, &of->of[3 * t], known);
    rounding = quad_more(store_leaf(run, group * WEFT_SELF_EIGHT + t, box), rounding);
    low = quad_less(box.move_low, low);
    high = quad_more(box.move_high, high);
  }
  run->cache->rounding[group] = rounding[0];
  weft_self_drift moves;
  store_quad(&moves.low, 0, low);
  store_quad(&moves.high, 0, high);
  return moves;
}

LANE quad way_between(const vec4 *a, const vec4 *b) { return whole_quad(b) - whole_quad(a); }

static void self_leaf(const weft_self_run *run, uint32_t first, uint32_t count) {
  weft_self_cache *cache = run->cache;
  uint32_t middle = run->triangles[cache->cloth_triangles / 2].corners.x;
  quad base_drift = way_between(&cache->seen[middle], &run->x_prev[middle]);
  quad base_move = way_between(&run->x_prev[middle], &run->x[middle]);
  uint32_t end = (first + count - 1) / WEFT_SELF_EIGHT + 1;
  const quad nowhere = quad_all(0);
  const weft_self_most apart = {most_from(nowhere, nowhere, base_drift),
                                most_from(nowhere, nowhere, base_move)};
  uint32_t seen = weft_self_blocks_seen(cache);
  for (uint32_t g = first / WEFT_SELF_EIGHT; g < end; ++g) {
    if (g >= seen) { /* of bodies that stand still: their boxes are what they were */
      cache->most[g / WEFT_SELF_BLOCK] = apart;
      g |= WEFT_SELF_BLOCK - 1;
      continue;
    }
    weft_self_drift moves = leaf_group(run, g);
    const weft_self_drift *drift = &cache->drift[g];
    weft_self_most own = {most_from(whole_quad(&drift->low), whole_quad(&drift->high), base_drift),
                          most_from(whole_quad(&moves.low), whole_quad(&moves.high), base_move)};
    weft_self_most *most = &cache->most[g / WEFT_SELF_BLOCK];
    if (g % WEFT_SELF_BLOCK == 0) *most = (weft_self_most){0, 0};
    cache->own[g] = own;
    most->drift = own.drift > most->drift ? own.drift : most->drift;
    most->move = own.move > most->move ? own.move : most->move;
  }
}

/* As self_refit.h, a corner of the box in one instruction. */
static void self_refit(const weft_self_run *run, const weft_pass *pass, uint32_t first,
                       uint32_t count) {
  for (uint32_t i = first; i < first + count; ++i) {
    uint32_t begin = pass->below_first + (i - pass->level_first) * WEFT_SELF_FAN;
    uint32_t end =
        begin + WEFT_SELF_FAN < pass->level_first ? begin + WEFT_SELF_FAN : pass->level_first;
    const weft_self_node *below = &run->nodes[begin];
    quad low = load_quad(&below->low, 0), high = load_quad(&below->high, 0);
    quad move_low = load_quad(&below->move_low, 0), move_high = load_quad(&below->move_high, 0);
    for (uint32_t k = begin + 1; k < end; ++k) {
      const weft_self_node *node = &run->nodes[k];
      low = quad_less(low, load_quad(&node->low, 0));
      high = quad_more(high, load_quad(&node->high, 0));
      move_low = quad_less(move_low, load_quad(&node->move_low, 0));
      move_high = quad_more(move_high, load_quad(&node->move_high, 0));
    }
    weft_self_node *node = &run->nodes[i];
    store_quad(&node->low, 0, low);
    store_quad(&node->high, 0, high);
    store_quad(&node->move_low, 0, move_low);
    store_quad(&node->move_high, 0, move_high);
    node->low.w = node->high.w = 0;
  }
}

/* ---- rows ---- */

LANE self_box node_box(const weft_self_node *node) {
  return (self_box){every(node->low), every(node->high), every(node->move_low),
                    every(node->move_high)};
}

LANE self_box node_boxes(const weft_self_node *nodes, const uint32_t *at, vf *reach, vf *rounding) {
  const vec4 *rows = (const vec4 *)(const void *)nodes;
  v4 low = load_particles(rows, at), high = load_particles(rows + 1, at);
  *reach = low.w;
  *rounding = high.w;
  return (self_box){xyz(low), xyz(high), xyz(load_particles(rows + 2, at)),
                    xyz(load_particles(rows + 3, at))};
}

/* How far two boxes are apart along the axis that parts them best, without any motion. */
LANE vf box_gap(self_box a, self_box b) {
  vf x = self_more(a.low.x - b.high.x, b.low.x - a.high.x);
  vf y = self_more(a.low.y - b.high.y, b.low.y - a.high.y);
  vf z = self_more(a.low.z - b.high.z, b.low.z - a.high.z);
  return self_more(x, self_more(y, z));
}

/* What walks down the tree for groups [first, end) near a box: within a margin without any motion,
 * or those that its motions could bring it to. */
typedef struct self_near {
  self_box box;
  float margin;
  bool moves;
  uint32_t first, end;
} self_near;

/* Bits of the nodes [first, end), 8 at most, that are near; the others are `beyond` away or more.
 */
LANE uint32_t nodes_near(const weft_self_node *nodes, uint32_t first, uint32_t end,
                         const self_near *near, vf *beyond) {
  uint32_t bits = 0;
  for (uint32_t k = 0; k < end - first; k += WEFT_LANES) {
    uint32_t at[WEFT_LANES];
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {
      uint32_t node = first + k + l < end ? first + k + l : end - 1;
      at[l] = node * (uint32_t)sizeof *nodes;
    }
    vf reach, rounding;
    self_box there = node_boxes(nodes, at, &reach, &rounding);
    vf gap = box_gap(near->box, there);
    vi close =
        near->moves ? self_boxes_meet(near->box, there, all(0)) : ~(vi)(gap > all(near->margin));
    *beyond = choose(close, *beyond, self_less(gap, *beyond));
    bits |= signs(close) << k;
  }
  return bits & ((1u << (end - first)) - 1);
}

typedef struct self_level {
  uint32_t first, count;
} self_level;

typedef struct self_step {
  uint32_t level, index;
} self_step;

/* Nodes that a walk may visit: those for two sides together are no more than that of a triangle for
 * both. */
LANE uint32_t walk_of(const weft_self_cache *cache, const self_near *near) {
  bool cloth = near->first<cache->cloth_groups, bodies = near->end> cache->cloth_groups;
  if (cache->sides == 1 || (cloth && bodies)) return WEFT_SELF_WALK;
  return bodies ? WEFT_SELF_WALK / 4 * 3 : WEFT_SELF_WALK / 4;
}

/* The groups that are near, the last first, and how far away no other is nearer. False: more than
 * max, or a walk of a triangle could be too long. */
static bool find_groups(const weft_self_run *run, const self_near *near, uint32_t *found,
                        uint32_t max, uint32_t *length, float *apart) {
  const uint32_t walk = walk_of(run->cache, near);
  vf beyond = all(1.0e30f);
  self_level levels[10];
  uint32_t top = 0;
  levels[0] = (self_level){0, run->cache->triangles};
  for (; levels[top].count > 1; ++top) {
    levels[top + 1] = (self_level){levels[top].first + levels[top].count,
                                   (levels[top].count - 1) / WEFT_SELF_FAN + 1};
  }
  self_step stack[WEFT_SELF_FAN * 10];
  uint32_t depth = 0, entered = 0;
  *length = 0;
  stack[depth++] = (self_step){top, 0};
  while (depth) {
    self_step at = stack[--depth];
    if (++entered * WEFT_SELF_FAN + WEFT_SELF_FAN >= walk) return false;
    if (at.level == 1) {
      if (*length == max) return false;
      found[(*length)++] = at.index;
      continue;
    }
    uint32_t level = at.level - 1, first = at.index * WEFT_SELF_FAN;
    uint32_t end =
        first + WEFT_SELF_FAN < levels[level].count ? first + WEFT_SELF_FAN : levels[level].count;
    uint32_t bits = nodes_near(run->nodes, levels[level].first + first, levels[level].first + end,
                               near, &beyond);
    for (; bits; bits &= bits - 1) {
      uint32_t index = first + (uint32_t)__builtin_ctz(bits);
      uint32_t groups = 1u << (3 * (level - 1)), one = index * groups;
      if (one < near->end && one + groups > near->first) stack[depth++] = (self_step){level, index};
    }
  }
  *apart = least_lane(beyond);
  return true;
}

/* What is left of a gap between boxes of a group and others beyond rounding. */
LANE vf known_slack(const weft_self_run *run, uint32_t group, vf gap) {
  gap = gap * all(0.98f) - all(16 * run->cache->rounding[group]);
  return choose(gap > all(0), gap, all(WEFT_SELF_UNKNOWN));
}

/* Whether a group is among others, of which the last comes first. */
LANE bool is_among(const uint32_t *groups, uint32_t count, uint32_t group) {
  uint32_t first = 0;
  while (count > 1) {
    uint32_t half = count / 2;
    first += groups[first + half] >= group ? half : 0;
    count -= half;
  }
  return groups[first] == group;
}

/* Forgets what is kept with other groups, those of a list, the last first. */
LANE void forget_kept(weft_self_list *list, const uint32_t *groups, uint32_t count) {
  uint32_t left = 0;
  uint64_t some[16] = {0};
  for (uint32_t g = 0; g < count; ++g) some[groups[g] / 64 % 16] |= 1ull << groups[g] % 64;
  for (uint32_t k = 0; k < list->count; ++k) {
    uint32_t group = list->records[k] >> WEFT_SELF_RECORD_GROUP;
    if ((some[group / 64 % 16] >> group % 64 & 1) && is_among(groups, count, group)) continue;
    list->records[left] = list->records[k];
    list->slacks[left++] = list->slacks[k];
  }
  list->count = left;
}

LANE void forget_all(weft_self_list *list) {
  list->count = 0;
  list->least = 1.0e30f;
  list->spent = 0;
  list->full = false;
}

/* What a row does not last for: entries whose groups are to be compared, and how much what it keeps
 * is to move. */
typedef struct self_due {
  float soon;
  uint32_t count;
  bool kept; /* features of one of them are kept */
  uint32_t groups[WEFT_SELF_ROW_MAX], places[WEFT_SELF_ROW_MAX];
  float last[WEFT_SELF_ROW_MAX]; /* with more slack features last for this look */
  float keep[WEFT_SELF_ROW_MAX]; /* with less slack they are worth keeping */
} self_due;

/* Of groups that are new in a row it is known how far their boxes are apart. */
LANE void know_row(const weft_self_run *run, uint32_t group, weft_self_row *r) {
  weft_self_cache *cache = run->cache;
  weft_self_entry *row = r->entries;
  const weft_self_node *groups = run->nodes + cache->triangles;
  self_box own = node_box(&groups[group]);
  uint32_t length = r->length;
  for (uint32_t k = 0; k < length; k += WEFT_LANES) {
    uint32_t at[WEFT_LANES];
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {
      at[l] =
          WEFT_SELF_GROUP_OF(row[k + l < length ? k + l : length - 1]) * (uint32_t)sizeof *groups;
    }
    vf reach, rounding;
    vf gap = known_slack(run, group, box_gap(own, node_boxes(groups, at, &reach, &rounding)));
    for (uint32_t l = 0; l < WEFT_LANES && k + l < length; ++l) {
      if (row[k + l].slack == WEFT_SELF_UNKNOWN) row[k + l].slack = gap[l];
    }
  }
}

/* Groups of a side that a group could meet: those behind it. */
LANE self_near near_of(const weft_self_run *run, uint32_t group, uint32_t side) {
  const weft_self_cache *cache = run->cache;
  bool bodies = side == WEFT_SELF_BODIES;
  return (self_near){.box = node_box(&run->nodes[cache->triangles + group]),
                     .first = bodies ? cache->cloth_groups : group,
                     .end = bodies ? cache->groups : cache->cloth_groups};
}

/* Puts the groups that were found, the last first, in place of those of a row; what is known of a
 * pair stays known. */
LANE void replace_row(weft_self_row *row, const uint32_t *found, uint32_t length) {
  weft_self_entry before[WEFT_SELF_ROW_MAX];
  uint32_t gone[WEFT_SELF_ROW_MAX], gone_count = 0, o = 0, old = row->length;
  for (uint32_t k = 0; k < old; ++k) before[k] = row->entries[k];
  for (uint32_t k = 0; k < length; ++k) {
    for (; o < old && WEFT_SELF_GROUP_OF(before[o]) > found[k]; ++o) {
      if (before[o].group & WEFT_SELF_KEEPS) gone[gone_count++] = WEFT_SELF_GROUP_OF(before[o]);
    }
    bool known = o < old && WEFT_SELF_GROUP_OF(before[o]) == found[k];
    row->entries[k] = known ? before[o++] : (weft_self_entry){found[k], WEFT_SELF_UNKNOWN};
  }
  for (; o < old; ++o) {
    if (before[o].group & WEFT_SELF_KEEPS) gone[gone_count++] = WEFT_SELF_GROUP_OF(before[o]);
  }
  if (gone_count) forget_kept(&row->list, gone, gone_count);
  row->length = length;
}

/* The groups of a new row for others that come nearer by `soon` in a look: within a wide margin, or
 * a part of it where there is no room for so many. */
LANE bool find_row(const weft_self_run *run, weft_self_row *row, self_near *near, float soon,
                   uint32_t *found, uint32_t room, uint32_t *length) {
  enum { LEAST = 32 };
  float wide = 1.5f * run->cache->usual + 6 * soon, apart;
  if (row->length < room / 4) row->part = fminf(1, 2 * row->part);
  for (;; row->part *= 0.5f) {
    near->margin = fmaxf(row->part * wide, 2.5f * soon);
    if (find_groups(run, near, found, room, length, &apart)) break;
    if (row->part * LEAST < 1) return false;
  }
  near->margin = fmaxf(near->margin, apart);
  return true;
}

/* A new row. It lasts for as long as others are away that are not in it, which may be much farther
 * than what it was asked for. */
LANE void make_row(const weft_self_run *run, uint32_t group, uint32_t side, float soon) {
  weft_self_cache *cache = run->cache;
  weft_self_row *row = weft_self_row_of(cache, group, side);
  uint32_t found[WEFT_SELF_ROW_MAX], length;
  if (row->margin < 0 || row->length == WEFT_SELF_FULL) row->length = 0;
  self_near near = near_of(run, group, side);
  bool fits = cache->groups <= WEFT_SELF_RECORD_GROUPS &&
              find_row(run, row, &near, soon, found, cache->room[side], &length);
  row->margin = near.margin;
  row->far = 0;
  if (!fits) {
    row->length = WEFT_SELF_FULL;
    forget_all(&row->list);
    return;
  }
  if (!row->length) forget_all(&row->list);
  replace_row(row, found, length);
  know_row(run, group, row);
}

LANE vf length_of(v3 v) { return native_root(exact_dot(v, v)); }

/* How far two particles of either group can have moved against each other, and what that may change
 * the rounding of positions by. */
LANE vf against(v3 low_a, v3 high_a, v3 low_b, v3 high_b) {
  v3 low = less3(low_a, low_b), high = more3(high_a, high_b);
  vf moved = absolute(low.x) + absolute(low.y) + absolute(low.z);
  moved = moved + absolute(high.x) + absolute(high.y) + absolute(high.z);
  return length_of(sub(high, low)) * all(1.001f) + moved * all(1.0e-5f);
}

/* How a group moves: since the last look, and in this substep. */
typedef struct self_pace {
  v3 drift_low, drift_high, move_low, move_high;
} self_pace;

LANE self_pace pace_of(const weft_self_run *run, uint32_t group) {
  const weft_self_node *node = &run->nodes[run->cache->triangles + group];
  const weft_self_drift *drift = &run->cache->drift[group];
  return (self_pace){every(drift->low), every(drift->high), every(node->move_low),
                     every(node->move_high)};
}

LANE self_pace no_pace(void) {
  v3 none = {all(0), all(0), all(0)};
  return (self_pace){none, none, none, none};
}

/* Of entries of a row from number k on, the last again where it ends. */
LANE self_pace paces_of(const weft_self_run *run, const weft_self_row *row, uint32_t k) {
  uint32_t drifts[WEFT_LANES], nodes[WEFT_LANES];
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    weft_self_entry entry = row->entries[k + l < row->length ? k + l : row->length - 1];
    drifts[l] = WEFT_SELF_GROUP_OF(entry) * (uint32_t)sizeof(weft_self_drift);
    nodes[l] = WEFT_SELF_GROUP_OF(entry) * (uint32_t)sizeof(weft_self_node);
  }
  const vec4 *drift = (const vec4 *)(const void *)run->cache->drift;
  const vec4 *node = (const vec4 *)(const void *)(run->nodes + run->cache->triangles);
  return (self_pace){xyz(load_particles(drift, drifts)), xyz(load_particles(drift + 1, drifts)),
                     xyz(load_particles(node + 2, nodes)), xyz(load_particles(node + 3, nodes))};
}

/* Takes from the slacks of a row what has moved since the last look, and finds what is due. Where
 * the others rest, all of them do the same. */
LANE void spend_row(const weft_self_run *run, uint32_t group, weft_self_row *of, bool rest,
                    self_due *due) {
  weft_self_entry *row = of->entries;
  uint32_t length = of->length;
  vf most_kept = all(of->list.scale * run->cache->usual);
  vf most_spent = all(0), most_soon = all(0);
  self_pace own = pace_of(run, group), other = no_pace();
  for (uint32_t k = 0; k < length; k += WEFT_LANES) {
    float slacks[WEFT_LANES];
    uint32_t keeps = 0;
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {
      weft_self_entry entry = row[k + l < length ? k + l : length - 1];
      slacks[l] = entry.slack;
      keeps |= entry.group >> 31 << l;
    }
    if (!rest) other = paces_of(run, of, k);
    vf spent = against(own.drift_low, own.drift_high, other.drift_low, other.drift_high);
    vf soon = against(own.move_low, own.move_high, other.move_low, other.move_high);
    vi kept = lanes_of(keeps);
    most_spent = choose(~kept | (vi)(spent < most_spent), most_spent, spent);
    most_soon = choose(~kept | (vi)(soon < most_soon), most_soon, soon);
    vf left = load(slacks) - spent;
    uint32_t enough = signs(left > soon * all(1.5f));
    /* So that they are compared again after dozens of looks like this one, unless there is much
     * that would be kept. */
    vf keep = soon * all(WEFT_SELF_LOOKS_KEPT), last = soon * all(1.5f);
    keep = less_of(keep, most_kept);
    for (uint32_t l = 0; l < WEFT_LANES && k + l < length; ++l) {
      row[k + l].slack = left[l];
      if (enough >> l & 1) continue;
      due->kept |= keeps >> l & 1;
      due->groups[due->count] = WEFT_SELF_GROUP_OF(row[k + l]);
      due->places[due->count] = k + l;
      due->last[due->count] = last[l];
      due->keep[due->count++] = keep[l];
    }
  }
  of->list.spent += most_lane(most_spent);
  due->soon = most_lane(most_soon);
}
