/* lanes_attachments.h: the pass of attachments in vectors. A part of lanes_kernels.h. */

LANE v3 own_anchors(const weft_packed_run *run, weft_layout layout, const uint32_t *at) {
  if (layout == WEFT_ROWS) return xyz(load_particles(run->x, at));
  return gather_three(run->halves->x, run->halves->component, at);
}

LANE v3 common_anchor(const weft_packed_run *run, weft_layout layout, uint32_t at) {
  if (layout == WEFT_ROWS) {
    quad q = load_quad(run->x, at);
    return (v3){all(q[0]), all(q[1]), all(q[2])};
  }
  const float *x = run->halves->x + at;
  size_t y = run->halves->component;
  return (v3){all(x[0]), all(x[y]), all(x[2 * y])};
}

LANE v3 anchor_of(const weft_packed_run *run, weft_layout layout, const uint32_t *head, uint32_t k,
                  const uint32_t **words) {
  uint32_t common = head[WEFT_LRA_ANCHORS + k];
  if (layout == WEFT_UNIT && common != WEFT_OWN_ANCHORS && common & WEFT_ANCHORS_IN_A_ROW) {
    const float *first = run->halves->x + (common & ~WEFT_ANCHORS_IN_A_ROW);
    return load_three(first, run->halves->component);
  }
  if (common != WEFT_OWN_ANCHORS) return common_anchor(run, layout, common);
  v3 own = own_anchors(run, layout, *words);
  *words += WEFT_LANES;
  return own;
}

/* Whether one of the lanes may reach further than its length, judged by squares: one that is not
 * found here is within reach by more than roots and squares can round. */
LANE bool may_be_taut(v3 p, v3 a, vf max, vi moves) {
  v3 away = sub(p, a);
  vf most2 = max * max;
  most2 = most2 * (1 - 0x1p-16f);
  return any((exact_dot(away, away) > most2) & moves);
}

LANE tethered pull_back(const weft_packed_run *run, weft_layout layout, v3 p, vi moves,
                        const uint32_t *head, const uint32_t **words) {
  vi taut = {0};
  for (uint32_t k = 0; k < head[WEFT_LRA_COUNT]; ++k) {
    v3 a = anchor_of(run, layout, head, k, words);
    vf max = load(*words);
    *words += WEFT_LANES;
    if (!may_be_taut(p, a, max, moves)) continue;
    tethered to = lra_to(p, a, max);
    p = choose3(moves, to.x, p);
    taut |= to.taut & moves;
  }
  return (tethered){.taut = taut, .x = p};
}

static void lra_rows(const weft_packed_run *run, const uint32_t *head, size_t count) {
  uint32_t at[WEFT_LANES];
  every_one(at);
  for (size_t b = 0; b < count; ++b) {
    vec4 *rows = run->x + head[0] / sizeof *rows;
    v4 p = load_particles(rows, at);
    vi moves = p.w != all(0);
    const uint32_t *words = head + WEFT_LRA_HEAD;
    tethered to = pull_back(run, WEFT_ROWS, xyz(p), moves, head, &words);
    head = words;
    if (!any(to.taut)) continue;
    if (any(~moves)) { /* others may be looking at an anchor */
      store_where(rows, at, to.x, p.w, to.taut);
    } else {
      store_particles(rows, at, to.x, p.w);
    }
  }
}

static void lra_unit(const weft_packed_run *run, const uint32_t *head, size_t count) {
  const weft_halves *halves = run->halves;
  for (size_t b = 0; b < count; ++b) {
    uint32_t filled = head[WEFT_LRA_FILLED];
    float *x = halves->x + head[0];
    vi moves = load_first(x + 3 * halves->component, filled, 0) != all(0);
    const uint32_t *words = head + WEFT_LRA_HEAD;
    v3 p = {load_first(x, filled, 0), load_first(x + halves->component, filled, 0),
            load_first(x + 2 * halves->component, filled, 0)};
    tethered to = pull_back(run, WEFT_UNIT, p, moves, head, &words);
    head = words;
    if (any(to.taut)) store_split_where(x, halves->component, to.x, to.taut);
  }
}
