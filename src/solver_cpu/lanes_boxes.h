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

/* The largest component of an interval's ends, counted from a base. */
LANE float most_from(const vec4 *low, const vec4 *high, weft_vec3 base) {
  float x = fmaxf(high->x - base.x, base.x - low->x);
  float y = fmaxf(high->y - base.y, base.y - low->y);
  float z = fmaxf(high->z - base.z, base.z - low->z);
  float sum = x + y + z; /* not a number, if any is */
  return sum < 1.0e30f ? fmaxf(x, fmaxf(y, z)) : INFINITY;
}

typedef struct interval {
  v3 low, high;
} interval;

LANE interval no_interval(void) {
  vf far = all(1.0e30f);
  return (interval){{far, far, far}, {-far, -far, -far}};
}

LANE interval interval_join(interval a, v3 low, v3 high) {
  return (interval){less3(a.low, low), more3(a.high, high)};
}

/* Not a number counts as far. */
LANE vf or_far(vf x) { return choose(absolute(x) < all(1.0e30f), x, all(1.0e30f)); }
LANE v3 v3_or_far(v3 v) { return (v3){or_far(v.x), or_far(v.y), or_far(v.z)}; }

LANE void interval_reduce(interval a, vec4 *low, vec4 *high) {
  *low = (vec4){least_lane(a.low.x), least_lane(a.low.y), least_lane(a.low.z), 0};
  *high = (vec4){most_lane(a.high.x), most_lane(a.high.y), most_lane(a.high.z), 0};
}

/* Byte offsets of corner k of triangles [first, end), the last again where they end. */
LANE void corner_rows(const weft_self_triangle *triangles, uint32_t first, uint32_t end,
                      uint32_t rows[3][WEFT_LANES]) {
  for (uint32_t k = 0; k < WEFT_LANES; ++k) {
    uvec4 c = triangles[first + k < end ? first + k : end - 1].corners;
    rows[0][k] = c.x * (uint32_t)sizeof(vec4);
    rows[1][k] = c.y * (uint32_t)sizeof(vec4);
    rows[2][k] = c.z * (uint32_t)sizeof(vec4);
  }
}

LANE self_corner corner_at(const weft_self_run *run, const uint32_t *rows) {
  v3 before = xyz(load_particles(run->x_prev, rows));
  v3 now = xyz(load_particles(run->x, rows));
  return self_corner_of(before, exact_flush3(sub(now, before)), NEVER);
}

LANE void store_boxes(weft_self_node *nodes, uint32_t first, uint32_t end, self_box box, vf reach,
                      vf rounding) {
  uint32_t at[WEFT_LANES];
  for (uint32_t k = 0; k < WEFT_LANES; ++k) {
    at[k] = (first + k < end ? first + k : end - 1) * (uint32_t)sizeof *nodes;
  }
  vec4 *rows = (vec4 *)(void *)nodes;
  store_particles(rows, at, box.low, reach);
  store_particles(rows + 1, at, box.high, rounding);
  store_particles(rows + 2, at, box.move_low, all(0));
  store_particles(rows + 3, at, box.move_high, all(0));
}

/* The boxes of a group's triangles, and what its particles have done since the last look. */
LANE void leaf_group(const weft_self_run *run, uint32_t group, interval *drift, interval *moves) {
  vf most_rounding = all(0);
  uint32_t first = group * WEFT_SELF_EIGHT;
  uint32_t end = first + WEFT_SELF_EIGHT < run->cache->triangles ? first + WEFT_SELF_EIGHT
                                                                 : run->cache->triangles;
  for (uint32_t t = first; t < first + WEFT_SELF_EIGHT; t += WEFT_LANES) {
    uint32_t rows[3][WEFT_LANES];
    corner_rows(run->triangles, t, end, rows);
    self_corner c[3];
    for (int k = 0; k < 3; ++k) {
      c[k] = corner_at(run, rows[k]);
      v3 since = sub(c[k].at, xyz(load_particles(run->cache->seen, rows[k])));
      *drift = interval_join(*drift, v3_or_far(since), v3_or_far(since));
    }
    self_box box = self_box_around(c[0], c[1], c[2]);
    vf rounding = self_rounding(box);
    most_rounding = self_more(rounding, most_rounding);
    vf by = UNI(run->thickness) * K(0.5);
    by = by + rounding;
    store_boxes(run->nodes, t, end, self_box_grown(box, by), load(&run->cache->unseen[t]),
                rounding);
    *moves = interval_join(*moves, box.move_low, box.move_high);
  }
  run->cache->rounding[group] = most_lane(most_rounding);
}

LANE weft_vec3 way_between(vec4 a, vec4 b) { return weft_v3(b.x - a.x, b.y - a.y, b.z - a.z); }

static void self_leaf(const weft_self_run *run, uint32_t first, uint32_t count) {
  weft_self_cache *cache = run->cache;
  uint32_t middle = run->triangles[cache->cloth_triangles / 2].corners.x;
  weft_vec3 base_drift = way_between(cache->seen[middle], run->x_prev[middle]);
  weft_vec3 base_move = way_between(run->x_prev[middle], run->x[middle]);
  uint32_t end = (first + count - 1) / WEFT_SELF_EIGHT + 1;
  const weft_self_most apart = {most_from(&(vec4){0}, &(vec4){0}, base_drift),
                                most_from(&(vec4){0}, &(vec4){0}, base_move)};
  uint32_t seen = weft_self_blocks_seen(cache);
  for (uint32_t g = first / WEFT_SELF_EIGHT; g < end; ++g) {
    if (g >= seen) { /* of bodies that stand still: their boxes are what they were */
      cache->most[g / WEFT_SELF_BLOCK] = apart;
      g |= WEFT_SELF_BLOCK - 1;
      continue;
    }
    interval drift = no_interval(), moves = no_interval();
    leaf_group(run, g, &drift, &moves);
    weft_self_drift *own = &cache->drift[g];
    interval_reduce(drift, &own->low, &own->high);
    vec4 move_low, move_high;
    interval_reduce(moves, &move_low, &move_high);
    cache->own[g] = (weft_self_most){most_from(&own->low, &own->high, base_drift),
                                     most_from(&move_low, &move_high, base_move)};
    weft_self_most *most = &cache->most[g / WEFT_SELF_BLOCK];
    if (g % WEFT_SELF_BLOCK == 0) *most = (weft_self_most){0, 0};
    most->drift = fmaxf(most->drift, cache->own[g].drift);
    most->move = fmaxf(most->move, cache->own[g].move);
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
    keep = choose(keep < most_kept, keep, most_kept);
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
