/* lanes_project.h: projections of constraints in vectors, any row of constraints.def, in any
 * layout: what shaders/passes/project.h does for one element. A part of lanes_kernels.h. */

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
LANE history history_of(const weft_packed_run *run, row_kind kind, bool pairs,
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

/* ---- vectors of constraints in blocks, or of parts side by side, see WEFT_EDGE_WORDS ---- */

typedef struct constraints {
  weft_layout layout;
  vec4 *rows;
  float *x; /* structure of arrays */
  size_t component;
  const uint32_t *places; /* of the first; in blocks behind them its numbers */
  const uint32_t *values; /* of parts side by side */
  uint32_t each, words;   /* numbers of one; vectors of words of a block */
  bool same;              /* numbers are those of all lanes */
} constraints;

LANE constraints constraints_in(const weft_packed_run *run, row_kind kind, weft_layout layout,
                                const uint32_t *words) {
  return (constraints){.layout = layout,
                       .rows = run->x,
                       .x = run->halves->x,
                       .component = run->halves->component,
                       .places = words,
                       .each = kind.pair ? 2 : 4,
                       .words = words_of(kind, false)};
}

LANE constraints constraints_beside(const weft_packed_run *run, row_kind kind,
                                    const uint32_t *words, size_t count, bool same) {
  const size_t line = WEFT_CACHE_LINE / sizeof *words;
  constraints c = constraints_in(run, kind, WEFT_BESIDE, words);
  c.values = words + (count * c.each + line - 1) / line * line;
  c.same = same;
  return c;
}

/* Of a vector of a block. */
LANE const uint32_t *block_at(const constraints *c, size_t k) {
  return c->places + k * c->words * WEFT_LANES;
}

LANE vf value_at(const constraints *c, size_t k, uint32_t v) {
  if (c->layout != WEFT_BESIDE) return load(block_at(c, k) + (c->each + v) * WEFT_LANES);
  const uint32_t *at = c->values + (k * c->each + v) * (c->same ? 1 : WEFT_LANES);
  if (!c->same) return load(at);
  float one;
  memcpy(&one, at, sizeof one);
  return all(one);
}

LANE v4 values_of(const constraints *c, size_t k) {
  v4 data = {value_at(c, k, 0), value_at(c, k, 1), all(0), all(0)};
  if (c->each == 2) return data;
  data.z = value_at(c, k, 2);
  data.w = value_at(c, k, 3);
  return data;
}

/* Of parts side by side. */
LANE float *corner_place(const constraints *c, size_t k, uint32_t r) {
  return c->x + c->places[k * c->each + r];
}

LANE v4 load_corner(const constraints *c, size_t k, uint32_t r) {
  const uint32_t *at = block_at(c, k) + r * WEFT_LANES;
  if (c->layout == WEFT_ROWS) return load_particles(c->rows, at);
  if (c->layout == WEFT_PLACES) return gather_split(c->x, c->component, at);
  return load_split(corner_place(c, k, r), c->component);
}

/* w: of rows. */
LANE void store_corner(const constraints *c, size_t k, uint32_t r, v3 p, vf w) {
  const uint32_t *at = block_at(c, k) + r * WEFT_LANES;
  if (c->layout == WEFT_ROWS) {
    store_particles(c->rows, at, p, w);
  } else if (c->layout == WEFT_PLACES) {
    scatter_split(c->x, c->component, at, p);
  } else {
    store_split(corner_place(c, k, r), c->component, p);
  }
}

LANE void fetch_vector_ahead(const constraints *c, size_t k) {
  if (c->layout == WEFT_ROWS) fetch_ahead(block_at(c, k), c->words);
}

/* ---- the safe path ---- */

/* Vector k. Multipliers and pairs are of rows. */
LANE void project_vector(const weft_packed_run *run, row_kind kind, bool keeps, bool pairs,
                         const constraints *c, size_t k) {
  const uint32_t *block = block_at(c, k), *more = block + 2 * c->each * WEFT_LANES;
  v4 p[4];
  for (uint32_t r = 0; r < 4; ++r) p[r] = r < kind.arity ? load_corner(c, k, r) : p[0];
  corners at = corners_in(p);
  v3 *const low[4] = {&at.low0, &at.low1, &at.low2, &at.low3};
  at.pairs = pairs;
  for (uint32_t r = 0; r < kind.arity && pairs; ++r) {
    *low[r] = xyz(load_particles(run->x_low, block + r * WEFT_LANES));
  }
  history past = keeps ? history_of(run, kind, pairs, block, more) : no_history();
  projection to = project_constraint(kind.type, at, values_of(c, k), keeps, past, run->acts);
  if (keeps) {
    const uint32_t *own = more + (kind.terms ? 2 * WEFT_LANES : 0);
    set_multipliers(run->multipliers, own, kind.three, to.multiplier);
  }
  const v3 d[4] = {to.d0, to.d1, to.d2, to.d3};
  for (uint32_t r = 0; r < kind.arity; ++r) {
    if (!pairs) {
      store_corner(c, k, r, moved_if(to.moves, p[r], d[r]), p[r].w);
      continue;
    }
    const uint32_t *where = block + r * WEFT_LANES;
    pair3 moved = pair3_moved(pair3_of(xyz(p[r]), *low[r]), d[r]);
    store_particles(run->x, where, choose3(to.moves, moved.high, xyz(p[r])), p[r].w);
    store_particles(run->x_low, where, choose3(to.moves, moved.low, *low[r]), all(0));
  }
}

LANE void project_blocks(const weft_packed_run *run, row_kind kind, bool keeps, bool pairs,
                         weft_layout layout, const uint32_t *words, size_t count) {
  constraints c = constraints_in(run, kind, layout, words);
  c.words = words_of(kind, keeps);
  for (size_t k = 0; k < count; ++k) {
    fetch_vector_ahead(&c, k);
    project_vector(run, kind, keeps, pairs, &c, k);
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
  static void project_##name##_rows(const weft_packed_run *run, const uint32_t *words,             \
                                    size_t count) {                                                \
    bool keeps = run->variant & WEFT_VARIANT_LAMBDA, pairs = run->variant & WEFT_VARIANT_PAIRS;    \
    if (keeps && pairs) {                                                                          \
      project_blocks(run, kind_##name, true, true, WEFT_ROWS, words, count);                       \
    } else if (keeps) {                                                                            \
      project_blocks(run, kind_##name, true, false, WEFT_ROWS, words, count);                      \
    } else if (pairs) {                                                                            \
      project_blocks(run, kind_##name, false, true, WEFT_ROWS, words, count);                      \
    } else {                                                                                       \
      project_blocks(run, kind_##name, false, false, WEFT_ROWS, words, count);                     \
    }                                                                                              \
  }                                                                                                \
  static void project_##name##_places(const weft_packed_run *run, const uint32_t *words,           \
                                      size_t count) {                                              \
    project_blocks(run, kind_##name, false, false, WEFT_PLACES, words, count);                     \
  }
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
