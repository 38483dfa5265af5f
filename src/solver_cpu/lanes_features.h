/* lanes_features.h: which vertices and triangles, which edges could come together, and how long
 * others cannot, see self.h. A part of lanes_kernels.h. */

/* ---- features that could come together ---- */

enum { FEATURES = 128, LISTED = 256 };

/* A vertex and a triangle, or two edges, with what makes them candidates. */
typedef struct features {
  uint32_t count;
  uint32_t p[4][FEATURES];         /* particles, bytes from x */
  uint32_t triangles[2][FEATURES]; /* bytes from the nodes */
  float margin[FEATURES], reach[FEATURES];
  uint32_t near[FEATURES];
  /* Of those of groups that are compared; no entry: what is kept already, or is not to be. */
  weft_self_entry *entry[FEATURES];
  float keep[FEATURES];                      /* what has less slack is kept */
  uint32_t home[FEATURES], record[FEATURES]; /* by which group, and as what */
} features;

typedef struct search {
  const weft_self_run *run;
  features vertices, edges;
  uvec4 listed[LISTED];
  uint32_t listed_count;
} search;

LANE void list_all(search *s) {
  const weft_self_run *run = s->run;
  uint32_t slot, count = take_places(run, WEFT_SELF_AT_CANDIDATES, s->listed_count,
                                     run->u->self_candidates, &slot);
  memcpy(&run->candidates[slot], s->listed, count * sizeof *s->listed);
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

/* Where there is no more room the groups are compared in every look. */
LANE void keep_feature(const weft_self_run *run, const features *f, uint32_t k) {
  weft_self_cache *cache = run->cache;
  uint32_t home = f->home[k], count = cache->kept_counts[home];
  if (count == WEFT_SELF_KEPT) {
    f->entry[k]->slack = WEFT_SELF_UNKNOWN;
    return;
  }
  cache->kept[(size_t)home * WEFT_SELF_KEPT + count] = f->record[k];
  cache->kept_counts[home] = (uint16_t)(count + 1);
}

/* What is left to those of a vector of features, from number k on, whose groups are compared. */
LANE void note_slack(const weft_self_run *run, features *f, uint32_t k, const self_corner c[4],
                     bool edges, vf gap, uint32_t listed, uint32_t valid) {
  uint32_t asked = 0;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) asked |= (uint32_t)(f->entry[k + l] != NULL) << l;
  asked &= valid;
  if (!asked) return;
  vf reach = load(&f->reach[k]), slack = gap;
  if (signs(~(vi)(gap > load(&f->keep[k]))) & asked & ~listed) {
    slack = self_more(edges ? edges_slack(c, reach) : vertex_slack(c, reach), slack);
  }
  /* Beyond what rounding makes of it. */
  slack = slack * all(0.98f) - (load(&f->margin[k]) - reach) * all(8);
  uint32_t far = signs(slack > load(&f->keep[k])) & ~listed;
  for (; asked; asked &= asked - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(asked);
    if (!(far >> l & 1)) {
      keep_feature(run, f, k + l);
    } else if (slack[l] < f->entry[k + l]->slack) {
      f->entry[k + l]->slack = slack[l];
    }
  }
}

LANE bool still(const weft_self_run *run, uint32_t particle) {
  vec4 x = run->x[particle], before = run->x_prev[particle];
  float most = fmaxf(fmaxf(fabsf(x.x - before.x), fabsf(x.y - before.y)), fabsf(x.z - before.z));
  return x.w == 0 && most < (float)WEFT_FLUSH;
}

/* Bits of the features, from number k on, of two triangles that are pinned and do not move. */
LANE uint32_t all_still(const weft_self_run *run, const features *f, uint32_t k) {
  uint32_t bits = 0;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    bool of_both = true;
    for (int t = 0; t < 2 && of_both; ++t) {
      uvec4 c = run->triangles[f->triangles[t][k + l] / sizeof(weft_self_node)].corners;
      of_both = still(run, c.x) && still(run, c.y) && still(run, c.z);
    }
    bits |= (uint32_t)of_both << l;
  }
  return bits;
}

/* Whether features, from number k on, are those of triangles that the reference compares: their
 * boxes meet, and not all corners are still. */
LANE vi triangles_meet(const weft_self_run *run, const features *f, uint32_t k) {
  vf reach, rounding, thickness = UNI(run->thickness);
  self_box a = node_boxes(run->nodes, &f->triangles[0][k], &reach, &rounding);
  self_box b = node_boxes(run->nodes, &f->triangles[1][k], &reach, &rounding);
  return self_boxes_meet(a, b, all(0)) & self_boxes_meet(a, b, load(&f->reach[k]) - thickness) &
         ~lanes_of(all_still(run, f, k));
}

LANE void check_features(search *s, features *f, bool edges) {
  const weft_self_run *run = s->run;
  uint32_t last = f->count ? f->count - 1 : 0;
  for (uint32_t k = f->count; k % WEFT_LANES; ++k) { /* the last again, to fill a vector */
    for (int c = 0; c < 4; ++c) f->p[c][k] = f->p[c][last];
    for (int t = 0; t < 2; ++t) f->triangles[t][k] = f->triangles[t][last];
    f->margin[k] = f->margin[last];
    f->entry[k] = f->entry[last];
    f->reach[k] = f->reach[last];
    f->keep[k] = f->keep[last];
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
      if (any(listed)) listed = listed & triangles_meet(run, f, k);
    }
    uint32_t valid =
        f->count - k < WEFT_LANES ? (1u << (f->count - k)) - 1 : (1u << WEFT_LANES) - 1;
    uint32_t bits = signs(listed) & valid;
    note_slack(run, f, k, c, edges, box_gap(a, b) - margin, bits, valid);
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
