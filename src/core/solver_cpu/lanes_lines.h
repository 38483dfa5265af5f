/* lanes_lines.h: project_lines in vectors: a lane solves a bundle. A part of lanes_kernels.h.
 *
 * Where the bundles of all lanes have as many edges, and lines end at the same ones, nothing is
 * masked; otherwise the block is ragged, see WEFT_LINES_HEAD. An equation is set up, coupled and,
 * every second one, reduced in one pass over the edges, and the last substitution moves particles.
 *
 * A slot is a particle of a bundle: a line of so many edges has one more. Lines side by side in the
 * split arrays keep their slots there. Others have them in the room of the thread: lines along the
 * arrays are transposed into it and back, those anywhere else gathered and scattered. */

typedef struct line_block {
  line_equation *equations;
  v3 *n; /* directions of edges */
  float *x;
  size_t component;
  size_t slot_step;       /* floats from a slot to the next in the room */
  const uint32_t *places; /* of slots, from x; NULL: in the room, one after the other */
  const uint32_t *lanes;  /* WEFT_LINES_LANES rows of words */
  const uint32_t *ends;   /* of edges: whether a line ends there */
  const uint32_t *weights, *numbers;
  uint32_t edges, slots, steps;
  bool ragged; /* of the rest only then */
  const uint32_t *goes_on;
  uint32_t min_edges, min_steps, min_slots;
  vi lane_edges, lane_steps, lane_slots;
} line_block;

LANE vi numbers(uint32_t k) { return (vi){0} + (int32_t)k; }

/* Lanes that have an edge k. */
LANE vi has_edge(const line_block *b, uint32_t k) {
  return b->ragged && k >= b->min_edges ? numbers(k) < b->lane_edges : ALWAYS;
}

/* Lanes that have a step t of reduction. */
LANE vi has_step(const line_block *b, uint32_t t) {
  return b->ragged && t >= b->min_steps ? numbers(t) < b->lane_steps : ALWAYS;
}

/* Lanes of which edge k + 1 begins where edge k ends. */
LANE vi goes_on(const line_block *b, uint32_t k) {
  if (!b->ends[k]) return ALWAYS;
  return b->ragged ? (vi)load(b->goes_on + (size_t)k * WEFT_LANES) : NEVER;
}

LANE float *slot_at(const line_block *b, uint32_t slot) {
  return b->x + (b->places ? b->places[slot] : slot * b->slot_step);
}

LANE v3 slot_position(const line_block *b, uint32_t slot) {
  return load_three(slot_at(b, slot), b->component);
}

LANE vf slot_weight(const line_block *b, uint32_t slot) {
  return load(b->weights + (size_t)slot * WEFT_LANES);
}

/* ---- elimination ---- */

LANE vf line_multipliers(const weft_packed_run *run, const line_block *b, uint32_t k) {
  if (run->reset) return all(0);
  if (!b->ragged || k < b->min_edges) return gather(run->lambda + k, b->lanes);
  vi there = has_edge(b, k);
  vf lambda = all(0);
  for (int l = 0; l < WEFT_LANES; ++l) {
    if (there[l]) lambda[l] = run->lambda[b->lanes[l] + k];
  }
  return lambda;
}

/* Equations of lanes that are done stay as they are. */
LANE line_equation choose_equation(vi on, line_equation yes, line_equation no) {
  return (line_equation){choose(on, yes.diagonal, no.diagonal), choose(on, yes.next, no.next),
                         choose(on, yes.before, no.before), choose(on, yes.right, no.right)};
}

/* Step t takes the equations 2^t before and after out of equation k. */
LANE void reduce_edge(const line_block *b, uint32_t k, uint32_t t) {
  uint32_t stride = 1u << t, after = k + stride;
  line_equation *at = b->equations + k;
  vi acts = has_step(b, t);
  line_equation own = line_reduce_before(*at, at[-(ptrdiff_t)stride]);
  vf coupling = own.next;
  own.next = all(0);
  if (after < b->edges) {
    vi there = has_edge(b, after), both = acts & there;
    line_equation whole = own;
    whole.next = coupling;
    own = choose_equation(there, line_reduce_after(whole, at[stride]), own);
    at[stride].before = choose(both, coupling, at[stride].before);
  }
  bool leaves = ((k + 1) >> (t + 1) & 1) == 1;
  own.right = exact_flush(own.right);
  if (leaves || t + 1 == b->steps) {
    own.diagonal = line_pivot(own.diagonal);
  } else if (b->ragged && t + 1 >= b->min_steps) {
    own.diagonal = choose(has_step(b, t + 1), own.diagonal, line_pivot(own.diagonal));
  }
  own = choose_equation(acts, own, *at);
  at->diagonal = own.diagonal;
  at->right = own.right;
  at->next = own.next;
}

/* What of the edges so far the next one goes on from. */
typedef struct line_end {
  v3 p, n;
  vf weight;
  uint32_t slot;
} line_end;

LANE void begin_line(const line_block *b, line_end *end) {
  end->p = slot_position(b, end->slot);
  end->weight = slot_weight(b, end->slot);
}

/* Equation k, and the coupling of the one before. */
LANE void set_up_edge(const weft_packed_run *run, const line_block *b, uint32_t k, bool leaves,
                      line_end *end) {
  const uint32_t *numbers_of_edge = b->numbers + (size_t)k * 2 * WEFT_LANES;
  line_equation *q = b->equations + k;
  v3 p = slot_position(b, end->slot + 1);
  vf weight = slot_weight(b, end->slot + 1);
  line_start start = line_set_up(end->p, p, end->weight, weight, load(numbers_of_edge),
                                 load(numbers_of_edge + WEFT_LANES), line_multipliers(run, b, k));
  q->diagonal = leaves ? line_pivot(start.diagonal) : start.diagonal;
  if (!leaves && b->ragged && b->min_steps == 0) {
    q->diagonal = choose(has_step(b, 0), start.diagonal, line_pivot(start.diagonal));
  }
  q->right = start.right;
  b->n[k] = start.n;
  if (k) q[-1].next = kept_if(goes_on(b, k - 1), line_coupling(end->n, start.n, end->weight));
  *end = (line_end){p, start.n, weight, end->slot + 1};
  if (!b->ends[k] || k + 1 == b->edges) return;
  ++end->slot;
  begin_line(b, end);
}

/* Every second equation leaves at once; the one between two of them is reduced as soon as that
 * after the second is known. */
LANE void set_up_edges(const weft_packed_run *run, const line_block *b) {
  line_end end = {.slot = 0};
  begin_line(b, &end);
  uint32_t k = 0;
  for (; k + 2 <= b->edges; k += 2) {
    set_up_edge(run, b, k, true, &end);
    set_up_edge(run, b, k + 1, false, &end);
    if (k) reduce_edge(b, k - 1, 0);
  }
  if (k < b->edges) set_up_edge(run, b, k, true, &end);
  b->equations[b->edges - 1].next = all(0);
  if (k) reduce_edge(b, k - 1, 0);
}

LANE void eliminate(const line_block *b) {
  for (uint32_t t = 1; t < b->steps; ++t) {
    uint32_t stride = 1u << t;
    for (uint32_t k = 2 * stride - 1; k < b->edges; k += 2 * stride) reduce_edge(b, k, t);
  }
}

/* ---- and back ---- */

LANE void substitute_edge(const line_block *b, uint32_t k, uint32_t t) {
  uint32_t stride = 1u << (t - 1);
  line_equation *own = b->equations + k;
  vi acts = has_step(b, t - 1);
  vf value = own->right;
  if (k >= stride) {
    vf less = line_less(value, own->before, own[-(ptrdiff_t)stride].right);
    value = choose(acts, less, value);
  }
  if (k + stride < b->edges) {
    vf less = line_less(value, own->next, own[stride].right);
    value = choose(acts & has_edge(b, k + stride), less, value);
  }
  own->right = line_solved(value, own->diagonal);
}

/* All but every second equation, which the step after this one needs. */
LANE void substitute_edges(const line_block *b) {
  uint32_t alone = 1u << b->steps;
  for (uint32_t k = alone - 1; k < b->edges; k += alone) {
    line_equation *q = b->equations + k;
    q->right = line_solved(q->right, q->diagonal);
  }
  for (uint32_t t = b->steps; t > 1; --t) {
    uint32_t stride = 1u << (t - 1);
    for (uint32_t k = stride - 1; k < b->edges; k += 2 * stride) substitute_edge(b, k, t);
  }
}

LANE void move_slot(const line_block *b, uint32_t slot, v3 to) {
  store_split(slot_at(b, slot), b->component, exact_flush3(to));
}

/* The particle that edge k begins at, and where the line ends there that at its end. Returns the
 * slot that the next edge begins at. */
LANE uint32_t move_edge(const line_block *b, uint32_t k, uint32_t slot) {
  v3 n = b->n[k];
  vf by = b->equations[k].right, weight = slot_weight(b, slot);
  v3 to = line_move_on(slot_position(b, slot), weight, n, by);
  if (k && (b->ragged || !b->ends[k - 1])) {
    v3 back = line_move_back(to, weight, b->n[k - 1], b->equations[k - 1].right);
    to = choose3(goes_on(b, k - 1), back, to);
  }
  move_slot(b, slot, to);
  if (!b->ends[k]) return slot + 1;
  to = line_move_back(slot_position(b, slot + 1), slot_weight(b, slot + 1), n, by);
  move_slot(b, slot + 1, to);
  return slot + 2;
}

LANE void move_edges(const line_block *b) {
  uint32_t slot = 0, k = 0;
  for (; k + 2 <= b->edges; k += 2) {
    substitute_edge(b, k, 1);
    slot = move_edge(b, k, slot);
    slot = move_edge(b, k + 1, slot);
  }
  if (k == b->edges) return;
  substitute_edge(b, k, 1);
  move_edge(b, k, slot);
}

LANE vf next_multiplier(const weft_packed_run *run, const line_block *b, uint32_t k) {
  return line_multiplier(line_multipliers(run, b, k), b->equations[k].right);
}

/* Four at a time: in a lane they lie side by side. */
LANE void keep_multipliers(const weft_packed_run *run, const line_block *b) {
  uint32_t at[WEFT_LANES], k = 0, whole = b->ragged ? b->min_edges : b->edges;
  for (int l = 0; l < WEFT_LANES; ++l) at[l] = b->lanes[l] * (uint32_t)sizeof *run->lambda;
  for (; k + 4 <= whole; k += 4) {
    v3 three = {next_multiplier(run, b, k), next_multiplier(run, b, k + 1),
                next_multiplier(run, b, k + 2)};
    store_particles((vec4 *)(void *)(run->lambda + k), at, three, next_multiplier(run, b, k + 3));
  }
  for (; k < whole; ++k) scatter(run->lambda + k, b->lanes, next_multiplier(run, b, k));
  for (; k < b->edges; ++k) {
    vf lambda = next_multiplier(run, b, k);
    vi there = has_edge(b, k);
    for (int l = 0; l < WEFT_LANES; ++l) {
      if (there[l]) run->lambda[b->lanes[l] + k] = lambda[l];
    }
  }
}

/* ---- slots into the room and back ---- */

/* Of lines along, slots of one parity, one component: four at a time, in the order of memory. */
LANE void turn_in(const float *from, const uint32_t *starts, float *to, size_t step,
                  uint32_t count) {
  uint32_t j = 0;
  for (; j + 4 <= count; j += 4, to += 4 * step) {
    v4 four = load_particles((const vec4 *)(const void *)(from + j), starts);
    store(to, four.x);
    store(to + step, four.y);
    store(to + 2 * step, four.z);
    store(to + 3 * step, four.w);
  }
  for (; j < count; ++j, to += step) {
    for (int l = 0; l < WEFT_LANES; ++l) to[l] = from[starts[l] / sizeof *from + j];
  }
}

LANE void turn_out(const float *from, const uint32_t *starts, float *to, size_t step,
                   uint32_t count) {
  uint32_t j = 0;
  for (; j + 4 <= count; j += 4, from += 4 * step) {
    v3 three = {load(from), load(from + step), load(from + 2 * step)};
    store_particles((vec4 *)(void *)(to + j), starts, three, load(from + 3 * step));
  }
  for (; j < count; ++j, from += step) {
    for (int l = 0; l < WEFT_LANES; ++l) to[starts[l] / sizeof *to + j] = from[l];
  }
}

LANE void turn_slots(const line_block *b, const weft_halves *halves, bool out) {
  for (uint32_t parity = 0; parity < 2; ++parity) {
    const uint32_t *starts = b->lanes + (WEFT_LINES_STARTS + parity) * WEFT_LANES;
    uint32_t count = (b->slots + 1 - parity) / 2;
    for (uint32_t c = 0; c < 3; ++c) {
      float *there = halves->x + c * halves->component;
      float *here = slot_at(b, parity) + c * WEFT_LANES;
      if (out) {
        turn_out(here, starts, there, 2 * b->slot_step, count);
      } else {
        turn_in(there, starts, here, 2 * b->slot_step, count);
      }
    }
  }
}

LANE void slots_from_places(const line_block *b, const weft_halves *h, const uint32_t *at) {
  for (uint32_t slot = 0; slot < b->slots; ++slot, at += WEFT_LANES) {
    store_split(slot_at(b, slot), b->component, gather_three(h->x, h->component, at));
  }
}

/* Ascending: where a line goes on in some lanes and ends in others, the particle there has two
 * slots, the second of which holds. */
LANE void slots_to_places(const line_block *b, const weft_halves *h, const uint32_t *at) {
  uint32_t slot = 0, whole = b->ragged ? b->min_slots : b->slots;
  for (; slot < whole; ++slot, at += WEFT_LANES) {
    scatter_split(h->x, h->component, at, slot_position(b, slot));
  }
  for (; slot < b->slots; ++slot, at += WEFT_LANES) {
    scatter_split_where(h->x, h->component, at, slot_position(b, slot),
                        numbers(slot) < b->lane_slots);
  }
}

/* With inverse masses behind the components. */
LANE void slots_from_rows(const line_block *b, const vec4 *x, const uint32_t *at) {
  for (uint32_t slot = 0; slot < b->slots; ++slot, at += WEFT_LANES) {
    v4 p = load_particles(x, at);
    store_split(slot_at(b, slot), b->component, xyz(p));
    store(slot_at(b, slot) + 3 * b->component, p.w);
  }
}

LANE void slots_to_rows(const line_block *b, vec4 *x, const uint32_t *at) {
  uint32_t slot = 0, whole = b->ragged ? b->min_slots : b->slots;
  for (; slot < whole; ++slot, at += WEFT_LANES) {
    v4 p = load_split(slot_at(b, slot), b->component);
    store_particles(x, at, xyz(p), p.w);
  }
  for (; slot < b->slots; ++slot, at += WEFT_LANES) {
    v4 p = load_split(slot_at(b, slot), b->component);
    store_where(x, at, xyz(p), p.w, numbers(slot) < b->lane_slots);
  }
}

/* lie: WEFT_LINES_ where slots lie. */
LANE void bring_slots(const weft_packed_run *run, const line_block *b, const uint32_t *words,
                      uint32_t lie, bool out) {
  const uint32_t *at = words + words[WEFT_LINES_AT];
  if (lie == WEFT_LINES_ALONG) turn_slots(b, run->halves, out);
  bool places = lie == WEFT_LINES_APART || lie == WEFT_LINES_RAGGED;
  if (places && !out) slots_from_places(b, run->halves, at);
  if (places && out) slots_to_places(b, run->halves, at);
  if (lie == WEFT_LINES_RAGGED_ROWS && !out) slots_from_rows(b, run->x, at);
  if (lie == WEFT_LINES_RAGGED_ROWS && out) slots_to_rows(b, run->x, at);
}

/* ---- a block ---- */

LANE line_block line_block_of(const weft_packed_run *run, const uint32_t *words, uint32_t lie) {
  bool across = lie == WEFT_LINES_ACROSS, ragged = lie >= WEFT_LINES_RAGGED;
  line_block b = {.edges = words[WEFT_LINES_EDGES],
                  .slots = words[WEFT_LINES_SLOTS],
                  .steps = words[WEFT_LINES_STEPS],
                  .ragged = ragged};
  b.equations = run->room;
  b.n = (v3 *)(void *)(b.equations + WEFT_LINE_ROOM);
  b.x = across ? run->halves->x : (float *)(void *)(b.n + WEFT_LINE_ROOM);
  b.component = across ? run->halves->component : WEFT_LANES;
  b.slot_step = (lie == WEFT_LINES_RAGGED_ROWS ? 4 : 3) * WEFT_LANES;
  b.lanes = words + WEFT_LINES_HEAD;
  b.ends = b.lanes + WEFT_LINES_LANES * WEFT_LANES;
  b.places = across ? words + words[WEFT_LINES_PLACES] : NULL;
  b.weights = words + words[WEFT_LINES_WEIGHTS];
  b.numbers = b.weights + (size_t)b.slots * WEFT_LANES;
  if (!ragged) return b;
  b.goes_on = words + words[WEFT_LINES_GO_ON];
  b.min_edges = words[WEFT_LINES_MIN_EDGES];
  b.min_steps = words[WEFT_LINES_MIN_STEPS];
  b.min_slots = words[WEFT_LINES_MIN_SLOTS];
  b.lane_edges = (vi)load(b.lanes + WEFT_LINES_LANE_EDGES * WEFT_LANES);
  b.lane_steps = (vi)load(b.lanes + WEFT_LINES_LANE_STEPS * WEFT_LANES);
  b.lane_slots = (vi)load(b.lanes + WEFT_LINES_LANE_SLOTS * WEFT_LANES);
  return b;
}

/* Compiled for each way that slots lie. */
#define SOLVE_LINES(name, lie)                                                                    \
  static __attribute__((noinline)) void name(const weft_packed_run *run, const uint32_t *words) { \
    const line_block b = line_block_of(run, words, lie);                                          \
    bring_slots(run, &b, words, lie, false);                                                      \
    set_up_edges(run, &b);                                                                        \
    eliminate(&b);                                                                                \
    substitute_edges(&b);                                                                         \
    move_edges(&b);                                                                               \
    keep_multipliers(run, &b);                                                                    \
    bring_slots(run, &b, words, lie, true);                                                       \
  }
SOLVE_LINES(lines_along, WEFT_LINES_ALONG)
SOLVE_LINES(lines_across, WEFT_LINES_ACROSS)
SOLVE_LINES(lines_ragged, WEFT_LINES_RAGGED)
SOLVE_LINES(lines_ragged_rows, WEFT_LINES_RAGGED_ROWS)

static void lines(const weft_packed_run *run, const uint32_t *words, size_t count) {
  static void (*const solve[])(const weft_packed_run *, const uint32_t *) = {
      [WEFT_LINES_ALONG] = lines_along,
      [WEFT_LINES_ACROSS] = lines_across,
      [WEFT_LINES_RAGGED] = lines_ragged,
      [WEFT_LINES_RAGGED_ROWS] = lines_ragged_rows};
  for (; count; --count, words += words[WEFT_LINES_WORDS]) solve[words[WEFT_LINES_LIE]](run, words);
}
