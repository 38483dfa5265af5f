/* lanes_self.h: the look of self-collision in vectors: boxes, candidates and planes, see self.h. A
 * part of lanes_kernels.h. */

/* ---- boxes ---- */

LANE v3 less3(v3 a, v3 b) { return self_less3(a, b); }
LANE v3 more3(v3 a, v3 b) { return self_more3(a, b); }

LANE float least_lane(vf v) {
  float least = v[0];
  for (int k = 1; k < WEFT_LANES; ++k) least = v[k] < least ? v[k] : least;
  return least;
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
  uint32_t first = group * WEFT_SELF_GROUP;
  uint32_t end = first + WEFT_SELF_GROUP < run->cache->triangles ? first + WEFT_SELF_GROUP
                                                                 : run->cache->triangles;
  for (uint32_t t = first; t < first + WEFT_SELF_GROUP; t += WEFT_LANES) {
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
    vf by = UNI(run->u->self_thickness) * K(0.5);
    by = by + rounding;
    store_boxes(run->nodes, t, end, self_box_grown(box, by), load(&run->cache->unseen[t]),
                rounding);
    *moves = interval_join(*moves, box.move_low, box.move_high);
  }
}

LANE weft_vec3 way_between(vec4 a, vec4 b) { return weft_v3(b.x - a.x, b.y - a.y, b.z - a.z); }

static void self_leaf(const weft_self_run *run, uint32_t first, uint32_t count) {
  weft_self_cache *cache = run->cache;
  uint32_t middle = run->triangles[cache->triangles / 2].corners.x;
  weft_vec3 base_drift = way_between(cache->seen[middle], run->x_prev[middle]);
  weft_vec3 base_move = way_between(run->x_prev[middle], run->x[middle]);
  uint32_t end = (first + count - 1) / WEFT_SELF_GROUP + 1;
  for (uint32_t g = first / WEFT_SELF_GROUP; g < end; ++g) {
    interval drift = no_interval(), moves = no_interval();
    leaf_group(run, g, &drift, &moves);
    weft_self_drift *own = &cache->drift[g];
    interval_reduce(drift, &own->low, &own->high);
    vec4 move_low, move_high;
    interval_reduce(moves, &move_low, &move_high);
    cache->far[g] = or_infinite(cache->far[g] + most_from(&own->low, &own->high, base_drift));
    weft_self_most *most = &cache->most[g / WEFT_SELF_BLOCK];
    if (g % WEFT_SELF_BLOCK == 0) *most = (weft_self_most){0, 0};
    most->drift = fmaxf(most->drift, cache->far[g]);
    most->move = fmaxf(most->move, most_from(&move_low, &move_high, base_move));
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

/* Bits of the nodes [first, end), 8 at most, that come within `margin` of a box. */
LANE uint32_t nodes_within(const weft_self_node *nodes, uint32_t first, uint32_t end, self_box box,
                           float margin) {
  uint32_t bits = 0;
  for (uint32_t k = 0; k < end - first; k += WEFT_LANES) {
    uint32_t at[WEFT_LANES];
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {
      uint32_t node = first + k + l < end ? first + k + l : end - 1;
      at[l] = node * (uint32_t)sizeof *nodes;
    }
    vf reach, rounding;
    self_box there = node_boxes(nodes, at, &reach, &rounding);
    bits |= signs(~(vi)(box_gap(box, there) > all(margin))) << k;
  }
  return bits & ((1u << (end - first)) - 1);
}

typedef struct self_level {
  uint32_t first, count;
} self_level;

typedef struct self_step {
  uint32_t level, index;
} self_step;

/* The groups from this one on that are within the margin. False: too many, or a walk of a triangle
 * could be too long. */
LANE bool find_row(const weft_self_run *run, uint32_t group, float margin, uint32_t *found,
                   uint32_t *length) {
  self_level levels[10];
  uint32_t top = 0;
  levels[0] = (self_level){0, run->cache->triangles};
  for (; levels[top].count > 1; ++top) {
    levels[top + 1] = (self_level){levels[top].first + levels[top].count,
                                   (levels[top].count - 1) / WEFT_SELF_FAN + 1};
  }
  self_box box = node_box(&run->nodes[levels[1].first + group]);
  self_step stack[WEFT_SELF_FAN * 10];
  uint32_t depth = 0, entered = 0;
  *length = 0;
  stack[depth++] = (self_step){top, 0};
  while (depth) {
    self_step at = stack[--depth];
    if (++entered * WEFT_SELF_FAN + WEFT_SELF_FAN >= WEFT_SELF_WALK) return false;
    if (at.level == 1) {
      if (*length == WEFT_SELF_ROW) return false;
      found[(*length)++] = at.index;
      continue;
    }
    uint32_t level = at.level - 1, first = at.index * WEFT_SELF_FAN;
    uint32_t end =
        first + WEFT_SELF_FAN < levels[level].count ? first + WEFT_SELF_FAN : levels[level].count;
    uint32_t bits = nodes_within(run->nodes, levels[level].first + first, levels[level].first + end,
                                 box, margin);
    for (uint32_t k = 0; k < end - first; ++k) {
      uint32_t last = ((first + k + 1) << (3 * (level - 1))) - 1; /* group */
      if ((bits >> k & 1) && last >= group) stack[depth++] = (self_step){level, first + k};
    }
  }
  return true;
}

/* A new row; what is known of a pair stays known. */
LANE void make_row(const weft_self_run *run, uint32_t group, float margin) {
  weft_self_cache *cache = run->cache;
  weft_self_entry *row = &cache->rows[(size_t)group * WEFT_SELF_ROW];
  uint32_t found[WEFT_SELF_ROW], length, old = cache->lengths[group];
  if (cache->margin < 0 || old == WEFT_SELF_FULL) old = 0;
  cache->far[group] = 0;
  if (!find_row(run, group, margin, found, &length)) {
    cache->lengths[group] = WEFT_SELF_FULL;
    return;
  }
  weft_self_entry before[WEFT_SELF_ROW];
  memcpy(before, row, old * sizeof *before);
  for (uint32_t k = 0; k < length; ++k) {
    row[k] = (weft_self_entry){found[k], WEFT_SELF_UNKNOWN};
    for (uint32_t o = 0; o < old; ++o) {
      if (before[o].group == found[k]) row[k].slack = before[o].slack;
    }
  }
  cache->lengths[group] = (uint8_t)length;
}

LANE vf length_of(v3 v) {
  vf length2 = exact_dot(v, v);
  return length2 * exact_rsqrt(length2);
}

/* How far two particles of either group can have moved against each other, and what that may change
 * the rounding of positions by. */
LANE vf against(v3 low_a, v3 high_a, v3 low_b, v3 high_b) {
  v3 low = less3(low_a, low_b), high = more3(high_a, high_b);
  vf moved = absolute(low.x) + absolute(low.y) + absolute(low.z);
  moved = moved + absolute(high.x) + absolute(high.y) + absolute(high.z);
  return length_of(sub(high, low)) * all(1.001f) + moved * all(1.0e-5f);
}

/* Takes from the slacks of a row what has moved since the last look. Returns how many do not last
 * for the motions of this one, which go to due. */
LANE uint32_t spend_row(const weft_self_run *run, uint32_t group, bool moved,
                        weft_self_entry **due) {
  weft_self_cache *cache = run->cache;
  weft_self_entry *row = &cache->rows[(size_t)group * WEFT_SELF_ROW];
  uint32_t length = cache->lengths[group], count = 0;
  const weft_self_node *groups = run->nodes + cache->triangles;
  v3 drift_low = every(cache->drift[group].low), drift_high = every(cache->drift[group].high);
  v3 move_low = every(groups[group].move_low), move_high = every(groups[group].move_high);
  for (uint32_t k = 0; k < length; k += WEFT_LANES) {
    uint32_t drifts[WEFT_LANES], nodes[WEFT_LANES];
    float slacks[WEFT_LANES];
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {
      weft_self_entry entry = row[k + l < length ? k + l : length - 1];
      drifts[l] = entry.group * (uint32_t)sizeof(weft_self_drift);
      nodes[l] = entry.group * (uint32_t)sizeof(weft_self_node);
      slacks[l] = entry.slack;
    }
    const vec4 *drift = (const vec4 *)(const void *)cache->drift;
    const vec4 *node = (const vec4 *)(const void *)groups;
    vf spent = against(drift_low, drift_high, xyz(load_particles(drift, drifts)),
                       xyz(load_particles(drift + 1, drifts)));
    vf soon = against(move_low, move_high, xyz(load_particles(node + 2, nodes)),
                      xyz(load_particles(node + 3, nodes)));
    vf left = load(slacks) - kept_if(moved ? ~(vi){0} : (vi){0}, spent);
    uint32_t enough = signs(left > soon * all(1.5f));
    for (uint32_t l = 0; l < WEFT_LANES && k + l < length; ++l) {
      row[k + l].slack = left[l];
      if (!(enough >> l & 1)) due[count++] = &row[k + l];
    }
  }
  return count;
}

/* ---- features that could come together ---- */

enum { FEATURES = 128, LISTED = 256 };

/* A vertex and a triangle, or two edges, with what makes them candidates; particles are bytes from
 * x. */
typedef struct features {
  uint32_t count;
  uint32_t p[4][FEATURES];
  float margin[FEATURES], reach[FEATURES];
  uint32_t near[FEATURES];
  weft_self_entry *entry[FEATURES];
} features;

typedef struct search {
  const weft_self_run *run;
  features vertices, edges;
  uvec4 listed[LISTED];
  uint32_t listed_count;
} search;

LANE void list_all(search *s) {
  const weft_self_run *run = s->run;
  uint32_t *counts = run->counts;
  uint32_t slot =
      __atomic_fetch_add(&counts[WEFT_SELF_AT_CANDIDATES], s->listed_count, __ATOMIC_RELAXED);
  for (uint32_t k = 0; k < s->listed_count; ++k, ++slot) {
    if (slot < run->u->self_candidates) {
      run->candidates[slot] = s->listed[k];
    } else {
      __atomic_fetch_or(&counts[WEFT_SELF_AT_FLAGS], WEFT_SELF_OVERFLOW, __ATOMIC_RELAXED);
    }
  }
  s->listed_count = 0;
}

LANE vf distance_of(v3 a, v3 b) { return length_of(sub(a, b)); }

/* How much two features may move against each other until the line n between their middles no
 * longer parts them: their gap along n shrinks by at most |n| + the farthest corners' distance for
 * each metre, while what is needed grows by the reach. `turns`: how much faster than they n moves.
 */
LANE vf line_slack(v3 n, vf gap, vf farthest, vf reach, vf turns) {
  vf length = length_of(n);
  vf rest = gap - length * reach;
  vf slack = rest * exact_rcp(length + turns * (farthest + farthest + reach));
  return choose(slack < farthest, slack, farthest);
}

LANE vf vertex_slack(const self_corner c[4], vf reach) {
  v3 n = sub(sub(c[0].at, c[1].at), self_middle3(c[1], c[2], c[3], c[1].at));
  vf most =
      self_more(all(0), self_more(self_reaches(c[2], c[1].at, n), self_reaches(c[3], c[1].at, n)));
  vf gap = self_reaches(c[0], c[1].at, n) - most;
  vf farthest = self_more(distance_of(c[0].at, c[1].at),
                          self_more(distance_of(c[0].at, c[2].at), distance_of(c[0].at, c[3].at)));
  return line_slack(n, gap, farthest, reach, all(1));
}

LANE vf edges_gap(const self_corner c[4], v3 n) {
  vf low = self_less(self_reaches(c[0], c[2].at, n), self_reaches(c[1], c[2].at, n));
  return low - self_more(all(0), self_reaches(c[3], c[2].at, n));
}

LANE vf edges_slack(const self_corner c[4], vf reach) {
  vf farthest = self_more(self_more(distance_of(c[0].at, c[2].at), distance_of(c[0].at, c[3].at)),
                          self_more(distance_of(c[1].at, c[2].at), distance_of(c[1].at, c[3].at)));
  v3 n = sub(self_middle2(c[0], c[1], c[2].at), self_middle2(c[2], c[3], c[2].at));
  vf slack = line_slack(n, edges_gap(c, n), farthest, reach, all(1));
  /* The same square to the first edge, which turns as it moves. */
  v3 along = sub(c[1].at, c[0].at);
  vf length2 = exact_dot(along, along);
  vf inverse = exact_rsqrt(length2);
  v3 square = sub(n, scale(along, exact_dot(n, along) * inverse * inverse));
  vf turns = all(1.25f) + length_of(n) * inverse;
  vf other = line_slack(square, edges_gap(c, square), farthest, reach, turns);
  vf quarter = length2 * inverse * all(0.25f);
  other = choose(other < quarter, other, quarter);
  return self_more(slack, choose(length2 > all(1.0e-12f), other, all(-1)));
}

/* What is left to those of a vector of features, from number k on, whose groups ask for it. */
LANE void note_slack(features *f, uint32_t k, const self_corner c[4], bool edges, vf gap,
                     uint32_t listed, uint32_t valid) {
  uint32_t asked = 0;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) asked |= (uint32_t)(f->entry[k + l] != NULL) << l;
  asked &= valid;
  if (!asked) return;
  vf reach = load(&f->reach[k]), slack = gap;
  if (signs(~(vi)(gap > all(0))) & asked & ~listed) {
    slack = self_more(edges ? edges_slack(c, reach) : vertex_slack(c, reach), slack);
  }
  /* Beyond what rounding makes of it. */
  slack = slack * all(0.98f) - (load(&f->margin[k]) - reach) * all(8);
  for (; asked; asked &= asked - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(asked);
    weft_self_entry *entry = f->entry[k + l];
    float left = slack[l] > 0 ? slack[l] : WEFT_SELF_UNKNOWN;
    if (listed >> l & 1) left = WEFT_SELF_HOT;
    if (left < entry->slack) entry->slack = left;
  }
}

LANE void check_features(search *s, features *f, bool edges) {
  const weft_self_run *run = s->run;
  uint32_t last = f->count ? f->count - 1 : 0;
  for (uint32_t k = f->count; k % WEFT_LANES; ++k) { /* the last again, to fill a vector */
    for (int c = 0; c < 4; ++c) f->p[c][k] = f->p[c][last];
    f->margin[k] = f->margin[last];
    f->entry[k] = f->entry[last];
    f->reach[k] = f->reach[last];
  }
  for (uint32_t k = 0; k < f->count; k += WEFT_LANES) {
    self_corner c[4];
    for (int i = 0; i < 4; ++i) c[i] = corner_at(run, &f->p[i][k]);
    vf margin = load(&f->margin[k]), reach = load(&f->reach[k]);
    self_box a, b;
    if (edges) {
      a = self_box_join(self_box_of(c[0]), self_box_of(c[1]));
      b = self_box_join(self_box_of(c[2]), self_box_of(c[3]));
    } else {
      a = self_box_of(c[0]);
      b = self_box_join(self_box_join(self_box_of(c[1]), self_box_of(c[2])), self_box_of(c[3]));
    }
    vi listed = self_boxes_meet(a, b, margin);
    if (any(listed)) {
      vi parted = edges ? self_edges_parted(c[0], c[1], c[2], c[3], reach)
                        : self_vertex_parted(c[0], c[1], c[2], c[3], reach);
      listed = listed & ~parted;
    }
    uint32_t valid =
        f->count - k < WEFT_LANES ? (1u << (f->count - k)) - 1 : (1u << WEFT_LANES) - 1;
    uint32_t bits = signs(listed) & valid;
    note_slack(f, k, c, edges, box_gap(a, b) - margin, bits, valid);
    for (; bits; bits &= bits - 1) {
      uint32_t l = (uint32_t)__builtin_ctz(bits);
      if (s->listed_count == LISTED) list_all(s);
      enum { ROW = sizeof(vec4) };
      s->listed[s->listed_count++] = (uvec4){f->p[0][k + l] / ROW | (edges ? WEFT_SELF_EDGES : 0),
                                             f->p[1][k + l] / ROW | f->near[k + l],
                                             f->p[2][k + l] / ROW, f->p[3][k + l] / ROW};
    }
  }
  f->count = 0;
}

/* ---- triangles of two groups ---- */

typedef struct group {
  uint32_t first, count;
  float box[12][WEFT_SELF_GROUP];
  float unseen[WEFT_SELF_GROUP], rounding[WEFT_SELF_GROUP];
  float rest[4][WEFT_SELF_GROUP];
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
  g->first = number * WEFT_SELF_GROUP;
  uint32_t left = run->cache->triangles - g->first;
  g->count = left < WEFT_SELF_GROUP ? left : WEFT_SELF_GROUP;
  for (uint32_t k = 0; k < WEFT_SELF_GROUP; k += WEFT_LANES) {
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
    self_box whole = node_box(&run->nodes[run->cache->triangles + b->first / WEFT_SELF_GROUP]);
    uint32_t bits = 0;
    for (uint32_t k = 0; k < WEFT_SELF_GROUP; k += WEFT_LANES) {
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
    for (uint32_t k = 0; k < WEFT_SELF_GROUP; k += WEFT_LANES) {
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
  uint32_t first = number * WEFT_SELF_GROUP, end = first + WEFT_SELF_GROUP;
  for (uint32_t t = first; t < end && t < cache->triangles; ++t) {
    uvec4 c = run->triangles[t].corners;
    if (c.w & 1) cache->seen[c.x] = run->x_prev[c.x];
    if (c.w & 2) cache->seen[c.y] = run->x_prev[c.y];
    if (c.w & 4) cache->seen[c.z] = run->x_prev[c.z];
  }
}

static void look_from(search *s, uint32_t number, bool make, float margin) {
  const weft_self_run *run = s->run;
  weft_self_cache *cache = run->cache;
  weft_self_entry *due[WEFT_SELF_ROW];
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
    uint32_t first = number * WEFT_SELF_GROUP, left = cache->triangles - first;
    run->reference(run->context, first, left < WEFT_SELF_GROUP ? left : WEFT_SELF_GROUP);
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
