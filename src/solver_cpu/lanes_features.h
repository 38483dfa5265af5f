/* lanes_features.h: which vertices and triangles, which edges could come together, and how long
 * others cannot, see self.h. A part of lanes_kernels.h. */

/* ---- features that could come together ---- */

enum { FEATURES = 128, LISTED = 256 };

/* A vertex and a triangle, or two edges, with what makes them candidates. */
typedef struct features {
  uint32_t count;
  uint32_t p[4][FEATURES];         /* particles, bytes from x */
  uint32_t triangles[2][FEATURES]; /* bytes from the nodes */
  float reach[FEATURES];
  uint32_t near[FEATURES];
  /* Of groups that are compared; no entry: what is kept already, or is not to be. */
  weft_self_entry *entry[FEATURES];
  weft_self_list *list[FEATURES];             /* of the group that keeps it; NULL: none */
  float rounding[FEATURES];                   /* what slacks may be rounded by */
  float last[FEATURES], keep[FEATURES];       /* with more slack it lasts; with less it is kept */
  uint32_t record[FEATURES], place[FEATURES]; /* as what, or where it is kept */
} features;

/* Features whose slack does not last: whether they are candidates is asked for whole vectors of
 * them. */
typedef struct doubtful {
  uint32_t count;
  uint32_t p[4][FEATURES], triangles[2][FEATURES]; /* as those of features */
  float reach[FEATURES];
  uint32_t near[FEATURES];
} doubtful;

typedef struct search {
  const weft_self_run *run;
  features vertices, edges;
  doubtful doubtful[2]; /* vertices, edges */
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

LANE vf distance2_of(v3 a, v3 b) {
  v3 between = sub(a, b);
  return exact_dot(between, between);
}

/* How much corners may move against each other, s, before a line between features no longer parts
 * them. One corner is g from another, g.n along the line. That changes by s, and as the line turns
 * by what of g lies across it times the sine of the angle, and by a part of what lies along it.
 * Rates are those of all that, each for an s of 1. */
LANE vf corner_slack(vf along, vf reach, vf rate) { return (along - reach) / (all(1) + rate); }

/* What of a vector is left beside a part of it that is known. */
LANE vf rest_of(vf all2, vf known2) {
  vf rest2 = all2 - known2;
  return native_root(choose(rest2 > all(0), rest2, all(0)));
}

/* Of a corner, along the line n between middles: that turns by an angle whose sine is at most
 * s/|n|; up to 30 degrees of it take 0.27 of the sine from what lies along it. */
LANE vf middle_slack(v3 g, v3 n, vf inverse, vf reach) {
  vf along = exact_dot(g, n) * inverse;
  vf across = rest_of(exact_dot(g, g), along * along);
  return corner_slack(along, reach, (across + all(0.27f) * absolute(along)) * inverse);
}

LANE vf vertex_slack(const self_corner c[4], vf reach) {
  v3 g[3];
  for (int k = 0; k < 3; ++k) g[k] = sub(c[0].at, c[1 + k].at);
  v3 n = scale(add(add(g[0], g[1]), g[2]), all(1.0f / 3));
  vf length = length_of(n), inverse = all(1) / length, slack = all(0.5f) * length;
  for (int k = 0; k < 3; ++k) {
    vf left = middle_slack(g[k], n, inverse, reach);
    slack = less_of(slack, left); /* not a number stays that */
  }
  return slack;
}

/* Along what of the line between middles is square to the first edge, whose two corners then are as
 * far along it. As that edge turns, by a sine of 1.34 s/length for an s of up to a quarter of it,
 * so does the line; around the edge it turns by s*t besides. Of what lies along the line, 30
 * degrees take 0.28 of the sine of the one and 0.19 of the other. */
LANE vf square_slack(const self_corner c[4], v3 n, vf reach) {
  v3 edge = sub(c[1].at, c[0].at);
  vf length2 = exact_dot(edge, edge), length = native_root(length2), inverse = all(1) / length;
  v3 along = scale(edge, inverse);
  vf beside = exact_dot(n, along);
  v3 square = sub(n, scale(along, beside));
  vf line = length_of(square), lines = all(1) / line;
  vf edge_turns = all(1.34f) * inverse;
  vf t = (all(1) + edge_turns * absolute(beside)) * lines + all(0.45f) * inverse;
  vf slack = self_less(all(0.25f) * length, all(0.5f) / t);
  v3 middle = add(c[0].at, scale(edge, all(0.5f)));
  for (int k = 2; k < 4; ++k) {
    v3 g = sub(middle, c[k].at);
    vf gu = exact_dot(g, along), gw = exact_dot(g, square) * lines;
    vf gv = rest_of(exact_dot(g, g), gu * gu + gw * gw);
    vf rate = edge_turns * (absolute(gu) + all(0.19f) * absolute(gw)) +
              t * (gv + all(0.28f) * absolute(gw));
    vf left = corner_slack(gw, reach, rate);
    slack = less_of(slack, left);
  }
  return choose(length2 > all(1.0e-12f), slack, all(-1));
}

LANE vf edges_slack(const self_corner c[4], vf reach) {
  v3 n = sub(self_middle2(c[0], c[1], c[2].at), self_middle2(c[2], c[3], c[2].at));
  vf length = length_of(n), inverse = all(1) / length, slack = all(0.5f) * length;
  for (int k = 0; k < 4; ++k) {
    vf left = middle_slack(sub(c[k / 2].at, c[2 + k % 2].at), n, inverse, reach);
    slack = less_of(slack, left);
  }
  return self_more(square_slack(c, n, reach), slack);
}

/* Of a vertex and a triangle, or of two edges. */
LANE void feature_boxes(const self_corner c[4], bool edges, self_box *a, self_box *b) {
  if (edges) {
    *a = self_box_join(self_box_of(c[0]), self_box_of(c[1]));
    *b = self_box_join(self_box_of(c[2]), self_box_of(c[3]));
  } else {
    *a = self_box_of(c[0]);
    *b = self_box_join(self_box_join(self_box_of(c[1]), self_box_of(c[2])), self_box_of(c[3]));
  }
}

LANE void lower(float *least, float slack) {
  if (!(slack >= *least)) *least = slack;
}

/* Where there is no more room the groups are compared in every look, and the list begins anew with
 * less. */
LANE void keep_feature(const features *f, uint32_t k, float slack) {
  weft_self_list *list = f->list[k];
  if (list->count == list->room) {
    list->full = true;
    f->entry[k]->slack = WEFT_SELF_UNKNOWN;
    return;
  }
  list->records[list->count] = f->record[k];
  list->slacks[list->count++] = slack;
  f->entry[k]->group |= WEFT_SELF_KEEPS;
  lower(&list->least, slack);
}

/* What is left to a feature whose groups are compared, or that is kept. Slacks of a list count from
 * before what is spent of it. */
LANE void note_one(features *f, uint32_t k, float slack, bool far) {
  weft_self_list *list = f->list[k];
  if (!f->entry[k]) {
    list->slacks[f->place[k]] = slack + list->spent;
    lower(&list->least, slack + list->spent);
  } else if (far) {
    lower(&f->entry[k]->slack, slack);
  } else {
    keep_feature(f, k, slack + list->spent);
  }
}

/* Bits of a vector of features, from number k on, whose groups keep what is known of them. */
LANE uint32_t kept_of(const features *f, uint32_t k) {
  uint32_t bits = 0;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) bits |= (uint32_t)(f->list[k + l] != NULL) << l;
  return bits;
}

/* How much they may move against each other before they could be candidates. */
LANE vf slack_of(const features *f, uint32_t k, const self_corner c[4], bool edges) {
  self_box a, b;
  feature_boxes(c, edges, &a, &b);
  vf reach = load(&f->reach[k]), slack = box_gap(a, b) - reach;
  if (!everywhere(slack > load(&f->keep[k]))) {
    slack = self_more(edges ? edges_slack(c, reach) : vertex_slack(c, reach), slack);
  }
  return slack * all(0.98f) -
         load(&f->rounding[k]) * all(16); /* beyond what rounding makes of it */
}

LANE bool still(const weft_self_run *run, uint32_t particle) {
  vec4 x = run->x[particle];
  if (x.w != 0) return false;
  vec4 before = run->x_prev[particle];
  float most = fmaxf(fmaxf(fabsf(x.x - before.x), fabsf(x.y - before.y)), fabsf(x.z - before.z));
  return most < (float)WEFT_FLUSH;
}

/* Bits of the features, from number k on, of two triangles that are pinned and do not move. */
LANE uint32_t all_still(const weft_self_run *run, const doubtful *f, uint32_t k) {
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
LANE vi triangles_meet(const weft_self_run *run, const doubtful *f, uint32_t k) {
  vf reach, rounding, thickness = UNI(run->thickness);
  self_box a = node_boxes(run->nodes, &f->triangles[0][k], &reach, &rounding);
  self_box b = node_boxes(run->nodes, &f->triangles[1][k], &reach, &rounding);
  return self_boxes_meet(a, b, all(0)) & self_boxes_meet(a, b, load(&f->reach[k]) - thickness) &
         ~lanes_of(all_still(run, f, k));
}

/* Bits of a vector of features, from number k on, that are candidates. */
LANE uint32_t candidates_of(const weft_self_run *run, const doubtful *f, uint32_t k, bool edges) {
  self_corner c[4];
  for (int i = 0; i < 4; ++i) c[i] = corner_at(run, &f->p[i][k]);
  self_box a, b;
  feature_boxes(c, edges, &a, &b);
  vf reach = load(&f->reach[k]), own, other, unused;
  node_boxes(run->nodes, &f->triangles[0][k], &unused, &own);
  node_boxes(run->nodes, &f->triangles[1][k], &unused, &other);
  vf rounding = own + other;
  vi listed = self_boxes_meet(a, b, reach + rounding);
  if (any(listed)) {
    listed &= ~(edges ? self_edges_parted(c[0], c[1], c[2], c[3], reach)
                      : self_vertex_parted(c[0], c[1], c[2], c[3], reach));
  }
  return any(listed) ? signs(listed & triangles_meet(run, f, k)) : 0;
}

LANE void list_features(search *s, const doubtful *f, uint32_t k, bool edges, uint32_t bits) {
  enum { ROW = sizeof(vec4) };
  for (; bits; bits &= bits - 1) {
    uint32_t l = k + (uint32_t)__builtin_ctz(bits);
    if (s->listed_count == LISTED) list_all(s);
    s->listed[s->listed_count++] =
        (uvec4){f->p[0][l] / ROW | (edges ? WEFT_SELF_EDGES : 0), f->p[1][l] / ROW | f->near[l],
                f->p[2][l] / ROW, f->p[3][l] / ROW};
  }
}

/* Lists those that are candidates; the last of a vector that is not full stands there again. */
LANE void settle_doubtful(search *s, bool edges) {
  doubtful *f = &s->doubtful[edges];
  for (uint32_t k = f->count; k % WEFT_LANES; ++k) {
    for (int c = 0; c < 4; ++c) f->p[c][k] = f->p[c][k - 1];
    for (int t = 0; t < 2; ++t) f->triangles[t][k] = f->triangles[t][k - 1];
    f->reach[k] = f->reach[k - 1];
  }
  for (uint32_t k = 0; k < f->count; k += WEFT_LANES) {
    uint32_t left = f->count - k;
    uint32_t valid = left < WEFT_LANES ? (1u << left) - 1 : (1u << WEFT_LANES) - 1;
    list_features(s, f, k, edges, candidates_of(s->run, f, k, edges) & valid);
  }
  f->count = 0;
}

LANE void doubt_features(search *s, const features *f, uint32_t k, bool edges, uint32_t bits) {
  doubtful *to = &s->doubtful[edges];
  for (; bits; bits &= bits - 1) {
    uint32_t l = k + (uint32_t)__builtin_ctz(bits), at = to->count++;
    for (int c = 0; c < 4; ++c) to->p[c][at] = f->p[c][l];
    for (int t = 0; t < 2; ++t) to->triangles[t][at] = f->triangles[t][l];
    to->reach[at] = f->reach[l];
    to->near[at] = f->near[l];
  }
  if (to->count > FEATURES - WEFT_LANES) settle_doubtful(s, edges);
}

/* What has enough slack where it began is no candidate, wherever it is to go. */
LANE void check_features(search *s, features *f, bool edges) {
  const weft_self_run *run = s->run;
  uint32_t last = f->count ? f->count - 1 : 0;
  for (uint32_t k = f->count; k % WEFT_LANES; ++k) { /* the last again, to fill a vector */
    for (int c = 0; c < 4; ++c) f->p[c][k] = f->p[c][last];
    f->rounding[k] = f->rounding[last];
    f->list[k] = NULL;
    f->reach[k] = f->reach[last];
    f->last[k] = f->last[last];
    f->keep[k] = f->keep[last];
  }
  for (uint32_t k = 0; k < f->count; k += WEFT_LANES) {
    uint32_t left = f->count - k;
    uint32_t open = left < WEFT_LANES ? (1u << left) - 1 : (1u << WEFT_LANES) - 1;
    uint32_t kept = kept_of(f, k);
    self_corner c[4];
    v3 none = {all(0), all(0), all(0)};
    for (int i = 0; i < 4; ++i) {
      c[i] = self_corner_of(xyz(load_particles(run->x_prev, &f->p[i][k])), none, NEVER);
    }
    vf slack = all(0);
    if (kept) {
      slack = slack_of(f, k, c, edges);
      open &= ~(signs(slack > load(&f->last[k])) & kept);
    }
    uint32_t far = signs(slack > load(&f->keep[k]));
    for (; kept; kept &= kept - 1) {
      uint32_t l = (uint32_t)__builtin_ctz(kept);
      note_one(f, k + l, slack[l], far >> l & 1);
    }
    doubt_features(s, f, k, edges, open);
  }
  f->count = 0;
}
