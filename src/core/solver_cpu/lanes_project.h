/* lanes_project.h: projections of constraints in vectors, any row of constraints.def: what
 * shaders/passes/project.h does for one element. A part of lanes_kernels.h. */

/* Particles of a vector of constraints: as many as one has, then the first again. */
LANE corners corners_in(const v4 p[4]) { return corners_of(p[0], p[1], p[2], p[3]); }

LANE v3 moved_if(vi moves, v4 p, v3 d) { return choose3(moves, moved_by(p, d), xyz(p)); }

/* The numbers of a row: two of a pair, else four. */
LANE v4 numbers_of(const uint32_t *values, bool two) {
  v4 data = {load(values), load(values + WEFT_LANES), all(0), all(0)};
  if (two) return data;
  data.z = load(values + 2 * WEFT_LANES);
  data.w = load(values + 3 * WEFT_LANES);
  return data;
}

LANE v3 multipliers_at(const void *multipliers, const uint32_t *own, bool three) {
  if (three) return xyz(load_particles(multipliers, own));
  return (v3){gather(multipliers, own), all(0), all(0)};
}

LANE void set_multipliers(void *multipliers, const uint32_t *own, bool three, v3 value) {
  if (three) {
    store_particles(multipliers, own, value, all(0));
  } else {
    scatter(multipliers, own, value.x);
  }
}

/* What is known of a type when this is compiled. */
typedef struct row_kind {
  uint32_t type, arity;
  bool pair, three, terms;
} row_kind;

/* more: what a block has behind the numbers where multipliers are kept. */
LANE history history_of(const weft_projection_run *run, row_kind kind, bool pairs,
                        const uint32_t *block, const uint32_t *more) {
  history past = no_history();
  v3 *const q[4] = {&past.q0, &past.q1, &past.q2, &past.q3};
  v3 *const low[4] = {&past.q_low0, &past.q_low1, &past.q_low2, &past.q_low3};
  for (uint32_t r = 0; r < kind.arity; ++r) {
    *q[r] = xyz(load_particles(run->x_prev, block + r * WEFT_LANES));
    if (pairs) *low[r] = xyz(load_particles(run->x_prev_low, block + r * WEFT_LANES));
  }
  if (kind.terms) {
    past.compliance = load(more);
    past.gamma = load(more + WEFT_LANES);
    more += 2 * WEFT_LANES;
  }
  if (!run->reset) past.multiplier = multipliers_at(run->multipliers, more, kind.three);
  return past;
}

LANE uint32_t words_of(row_kind kind, bool keeps) {
  uint32_t words = kind.pair ? 4 : 8;
  return keeps ? words + (kind.terms ? 2 : 0) + 1 : words;
}

LANE void project_block(const weft_projection_run *run, row_kind kind, bool keeps, bool pairs,
                        const uint32_t *block) {
  const uint32_t *values = block + (kind.pair ? 2 : 4) * WEFT_LANES;
  const uint32_t *more = values + (kind.pair ? 2 : 4) * WEFT_LANES;
  v4 p[4];
  for (uint32_t r = 0; r < 4; ++r) {
    p[r] = r < kind.arity ? load_particles(run->x, block + r * WEFT_LANES) : p[0];
  }
  corners at = corners_in(p);
  v3 *const low[4] = {&at.low0, &at.low1, &at.low2, &at.low3};
  at.pairs = pairs;
  for (uint32_t r = 0; r < kind.arity && pairs; ++r) {
    *low[r] = xyz(load_particles(run->x_low, block + r * WEFT_LANES));
  }
  history past = keeps ? history_of(run, kind, pairs, block, more) : no_history();
  projection to =
      project_constraint(kind.type, at, numbers_of(values, kind.pair), keeps, past, run->acts);
  if (keeps) {
    const uint32_t *own = more + (kind.terms ? 2 * WEFT_LANES : 0);
    set_multipliers(run->multipliers, own, kind.three, to.multiplier);
  }
  const v3 d[4] = {to.d0, to.d1, to.d2, to.d3};
  for (uint32_t r = 0; r < kind.arity; ++r) {
    const uint32_t *where = block + r * WEFT_LANES;
    if (!pairs) {
      store_particles(run->x, where, moved_if(to.moves, p[r], d[r]), p[r].w);
      continue;
    }
    pair3 moved = pair3_moved(pair3_of(xyz(p[r]), *low[r]), d[r]);
    store_particles(run->x, where, choose3(to.moves, moved.high, xyz(p[r])), p[r].w);
    store_particles(run->x_low, where, choose3(to.moves, moved.low, *low[r]), all(0));
  }
}

LANE void project_blocks(const weft_projection_run *run, row_kind kind, bool keeps, bool pairs,
                         const uint32_t *block, size_t count) {
  const uint32_t words = words_of(kind, keeps);
  for (size_t k = 0; k < count; ++k, block += (size_t)words * WEFT_LANES) {
    fetch_ahead(block, words);
    project_block(run, kind, keeps, pairs, block);
  }
}

/* On split positions, without multipliers; particles are places. */
LANE void project_split_blocks(const weft_halves *halves, row_kind kind, const uint32_t *block,
                               size_t count, uint32_t acts) {
  const uint32_t words = words_of(kind, false);
  for (size_t k = 0; k < count; ++k, block += (size_t)words * WEFT_LANES) {
    v4 p[4];
    for (uint32_t r = 0; r < 4; ++r) {
      p[r] = r < kind.arity ? gather_split(halves->x, halves->component, block + r * WEFT_LANES)
                            : p[0];
    }
    v4 data = numbers_of(block + (kind.pair ? 2 : 4) * WEFT_LANES, kind.pair);
    projection to = project_constraint(kind.type, corners_in(p), data, false, no_history(), acts);
    const v3 d[4] = {to.d0, to.d1, to.d2, to.d3};
    for (uint32_t r = 0; r < kind.arity; ++r) {
      scatter_split(halves->x, halves->component, block + r * WEFT_LANES,
                    moved_if(to.moves, p[r], d[r]));
    }
  }
}

#define IS_PAIR true
#define IS_QUAD false
#define IS_ONE false
#define IS_THREE true
#define IS_XPBD true
#define IS_OWN false
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...)                          \
  static const row_kind kind_##name = {WEFT_CONSTRAINT_##ID, arity, IS_##element, IS_##multiplier, \
                                       IS_##terms};                                                \
  static void project_##name##_blocks(const weft_projection_run *run, const uint32_t *block,       \
                                      size_t count) {                                              \
    project_blocks(run, kind_##name, false, false, block, count);                                  \
  }                                                                                                \
  static void project_##name##_pairs(const weft_projection_run *run, const uint32_t *block,        \
                                     size_t count) {                                               \
    project_blocks(run, kind_##name, false, true, block, count);                                   \
  }                                                                                                \
  static void keep_##name##_pairs(const weft_projection_run *run, const uint32_t *block,           \
                                  size_t count) {                                                  \
    project_blocks(run, kind_##name, true, true, block, count);                                    \
  }                                                                                                \
  static void keep_##name##_blocks(const weft_projection_run *run, const uint32_t *block,          \
                                   size_t count) {                                                 \
    project_blocks(run, kind_##name, true, false, block, count);                                   \
  }                                                                                                \
  static void project_##name##_split(const weft_halves *halves, const uint32_t *block,             \
                                     size_t count, uint32_t acts) {                                \
    project_split_blocks(halves, kind_##name, block, count, acts);                                 \
  }
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
