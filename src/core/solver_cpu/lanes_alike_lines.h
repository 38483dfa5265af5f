/* lanes_alike_lines.h: project_lines in vectors on split positions, of bundles that are alike:
 * those of all lanes have as many edges, and lines end in the same places. Nothing is masked, and
 * what a pass of lanes_lines.h over all edges leaves in memory for the next one stays in registers
 * where it can. A part of lanes_kernels.h.
 *
 * A slot is a particle of a bundle: a line of so many edges has one more. Where lines stand side by
 * side, the lanes' slots are neighbours in the split arrays, and positions stay there. Lines that
 * run along the arrays, one below the other, are turned into the room of the thread and back. */

typedef struct alike_lines {
  line_equation *equations;
  v3 *n; /* directions of edges */
  float *x;
  size_t component;
  const uint32_t *places; /* of slots, from x; NULL: in the room, one after the other */
  const uint32_t *first;  /* where each lane's multipliers begin */
  const uint32_t *starts; /* of lines along: bytes to the first two slots of each lane */
  const uint32_t *ends;   /* of edges: whether a line ends there */
  const uint32_t *weights, *numbers;
  uint32_t edges, slots, steps;
} alike_lines;

enum { SLOT_STEP = 3 * WEFT_LANES };

LANE float *slot_at(const alike_lines *b, uint32_t slot) {
  return b->x + (b->places ? b->places[slot] : slot * SLOT_STEP);
}

LANE v3 slot_position(const alike_lines *b, uint32_t slot) {
  return load_three(slot_at(b, slot), b->component);
}

LANE vf slot_weight(const alike_lines *b, uint32_t slot) {
  return load(b->weights + (size_t)slot * WEFT_LANES);
}

/* ---- from rows of particles into the room and back ---- */

/* Slots of one parity, one component: four at a time, in the order of memory. */
LANE void turn_in(const float *from, const uint32_t *starts, float *to, uint32_t count) {
  uint32_t j = 0;
  for (; j + 4 <= count; j += 4, to += 8 * SLOT_STEP) {
    v4 four = load_particles((const vec4 *)(const void *)(from + j), starts);
    store(to, four.x);
    store(to + 2 * SLOT_STEP, four.y);
    store(to + 4 * SLOT_STEP, four.z);
    store(to + 6 * SLOT_STEP, four.w);
  }
  for (; j < count; ++j, to += 2 * SLOT_STEP) {
    for (int l = 0; l < WEFT_LANES; ++l) to[l] = from[starts[l] / sizeof *from + j];
  }
}

LANE void turn_out(const float *from, const uint32_t *starts, float *to, uint32_t count) {
  uint32_t j = 0;
  for (; j + 4 <= count; j += 4, from += 8 * SLOT_STEP) {
    v3 three = {load(from), load(from + 2 * SLOT_STEP), load(from + 4 * SLOT_STEP)};
    store_particles((vec4 *)(void *)(to + j), starts, three, load(from + 6 * SLOT_STEP));
  }
  for (; j < count; ++j, from += 2 * SLOT_STEP) {
    for (int l = 0; l < WEFT_LANES; ++l) to[starts[l] / sizeof *to + j] = from[l];
  }
}

LANE void turn_slots(const alike_lines *b, const weft_halves *halves, bool out) {
  for (uint32_t parity = 0; parity < 2; ++parity) {
    const uint32_t *starts = b->starts + parity * WEFT_LANES;
    uint32_t count = (b->slots + 1 - parity) / 2;
    for (uint32_t c = 0; c < 3; ++c) {
      float *there = halves->x + c * halves->component;
      float *here = b->x + parity * SLOT_STEP + c * WEFT_LANES;
      if (out) {
        turn_out(here, starts, there, count);
      } else {
        turn_in(there, starts, here, count);
      }
    }
  }
}

/* ---- elimination ---- */

LANE vf alike_multiplier(const weft_line_run *run, const alike_lines *b, uint32_t k) {
  return run->reset ? all(0) : gather(run->lambda + k, b->first);
}

/* Step t takes the equations 2^t before and after out of equation k. */
LANE void reduce_alike(const alike_lines *b, uint32_t k, uint32_t t) {
  uint32_t stride = 1u << t;
  line_equation *at = b->equations + k;
  line_equation own = line_reduce_before(*at, at[-(ptrdiff_t)stride]);
  if (k + stride < b->edges) {
    at[stride].before = own.next;
    own = line_reduce_after(own, at[stride]);
  } else {
    own.next = all(0);
  }
  bool leaves = ((k + 1) >> (t + 1) & 1) == 1 || t + 1 == b->steps;
  at->diagonal = leaves ? line_pivot(own.diagonal) : own.diagonal;
  at->right = exact_flush(own.right);
  at->next = own.next;
}

/* What of the edges so far the next one goes on from. */
typedef struct alike_end {
  v3 p, n;
  vf weight;
  uint32_t slot;
  bool ends; /* the line */
} alike_end;

LANE void begin_line(const alike_lines *b, alike_end *end) {
  end->p = slot_position(b, end->slot);
  end->weight = slot_weight(b, end->slot);
}

/* Equation k, and the coupling of the one before. */
LANE void set_up_alike(const weft_line_run *run, const alike_lines *b, uint32_t k, bool leaves,
                       alike_end *end) {
  const uint32_t *numbers_of_edge = b->numbers + (size_t)k * 2 * WEFT_LANES;
  line_equation *q = b->equations + k;
  v3 p = slot_position(b, end->slot + 1);
  vf weight = slot_weight(b, end->slot + 1);
  line_start start = line_set_up(end->p, p, end->weight, weight, load(numbers_of_edge),
                                 load(numbers_of_edge + WEFT_LANES), alike_multiplier(run, b, k));
  q->diagonal = leaves ? line_pivot(start.diagonal) : start.diagonal;
  q->right = start.right;
  b->n[k] = start.n;
  if (k) q[-1].next = end->ends ? all(0) : line_coupling(end->n, start.n, end->weight);
  *end = (alike_end){p, start.n, weight, end->slot + 1, b->ends[k]};
  if (!end->ends || k + 1 == b->edges) return;
  ++end->slot;
  begin_line(b, end);
}

/* Every second equation leaves at once; the one between two of them is reduced as soon as that
 * after the second is known. */
LANE void set_up_all_alike(const weft_line_run *run, const alike_lines *b) {
  alike_end end = {.slot = 0};
  begin_line(b, &end);
  uint32_t k = 0;
  for (; k + 2 <= b->edges; k += 2) {
    set_up_alike(run, b, k, true, &end);
    set_up_alike(run, b, k + 1, false, &end);
    if (k) reduce_alike(b, k - 1, 0);
  }
  if (k < b->edges) set_up_alike(run, b, k, true, &end);
  b->equations[b->edges - 1].next = all(0);
  if (k) reduce_alike(b, k - 1, 0);
}

LANE void eliminate_alike(const alike_lines *b) {
  for (uint32_t t = 1; t < b->steps; ++t) {
    uint32_t stride = 1u << t;
    for (uint32_t k = 2 * stride - 1; k < b->edges; k += 2 * stride) reduce_alike(b, k, t);
  }
}

/* ---- and back ---- */

LANE void substitute_alike(const alike_lines *b, uint32_t k, uint32_t t) {
  uint32_t stride = 1u << (t - 1);
  line_equation *own = b->equations + k;
  vf value = own->right;
  if (k >= stride) value = line_less(value, own->before, own[-(ptrdiff_t)stride].right);
  if (k + stride < b->edges) value = line_less(value, own->next, own[stride].right);
  own->right = line_solved(value, own->diagonal);
}

/* All but every second equation, which the step after this one needs. */
LANE void substitute_all_alike(const alike_lines *b) {
  uint32_t alone = 1u << b->steps;
  for (uint32_t k = alone - 1; k < b->edges; k += alone) {
    line_equation *q = b->equations + k;
    q->right = line_solved(q->right, q->diagonal);
  }
  for (uint32_t t = b->steps; t > 1; --t) {
    uint32_t stride = 1u << (t - 1);
    for (uint32_t k = stride - 1; k < b->edges; k += 2 * stride) substitute_alike(b, k, t);
  }
}

LANE void move_slot(const alike_lines *b, uint32_t slot, v3 to) {
  store_split(slot_at(b, slot), b->component, exact_flush3(to));
}

/* The particle that edge k begins at, and where the line ends there that at its end. Returns the
 * slot that the next edge begins at. */
LANE uint32_t apply_alike(const alike_lines *b, uint32_t k, uint32_t slot) {
  v3 n = b->n[k];
  vf by = b->equations[k].right, weight = slot_weight(b, slot);
  v3 to = line_move_on(slot_position(b, slot), weight, n, by);
  if (k && !b->ends[k - 1]) {
    to = line_move_back(to, weight, b->n[k - 1], b->equations[k - 1].right);
  }
  move_slot(b, slot, to);
  if (!b->ends[k]) return slot + 1;
  to = line_move_back(slot_position(b, slot + 1), slot_weight(b, slot + 1), n, by);
  move_slot(b, slot + 1, to);
  return slot + 2;
}

LANE void apply_all_alike(const alike_lines *b) {
  uint32_t slot = 0, k = 0;
  for (; k + 2 <= b->edges; k += 2) {
    substitute_alike(b, k, 1);
    slot = apply_alike(b, k, slot);
    slot = apply_alike(b, k + 1, slot);
  }
  if (k == b->edges) return;
  substitute_alike(b, k, 1);
  apply_alike(b, k, slot);
}

LANE vf next_multiplier(const weft_line_run *run, const alike_lines *b, uint32_t k) {
  return line_multiplier(alike_multiplier(run, b, k), b->equations[k].right);
}

/* Four at a time: in a lane they lie side by side. */
LANE void keep_multipliers(const weft_line_run *run, const alike_lines *b) {
  uint32_t at[WEFT_LANES], k = 0;
  for (int l = 0; l < WEFT_LANES; ++l) at[l] = b->first[l] * (uint32_t)sizeof *run->lambda;
  for (; k + 4 <= b->edges; k += 4) {
    v3 three = {next_multiplier(run, b, k), next_multiplier(run, b, k + 1),
                next_multiplier(run, b, k + 2)};
    store_particles((vec4 *)(void *)(run->lambda + k), at, three, next_multiplier(run, b, k + 3));
  }
  for (; k < b->edges; ++k) scatter(run->lambda + k, b->first, next_multiplier(run, b, k));
}

/* ---- a block ---- */

LANE uint32_t whole_lines(uint32_t words) { return (words + 15) / 16 * 16; }

LANE alike_lines alike_lines_of(const weft_line_run *run, const uint32_t *words, bool across) {
  alike_lines b = {.edges = words[WEFT_ALIKE_EDGES],
                   .slots = words[WEFT_ALIKE_SLOTS],
                   .steps = words[WEFT_ALIKE_STEPS]};
  b.equations = run->room;
  b.n = (v3 *)(void *)(b.equations + WEFT_LINE_ROOM);
  b.x = across ? run->halves->x : (float *)(void *)(b.n + WEFT_LINE_ROOM);
  b.component = across ? run->halves->component : WEFT_LANES;
  b.first = words + WEFT_ALIKE_HEAD;
  b.starts = b.first + WEFT_LANES;
  b.ends = words + WEFT_ALIKE_HEAD + whole_lines(3 * WEFT_LANES);
  const uint32_t *places = b.ends + whole_lines(b.edges);
  b.places = across ? places : NULL;
  b.weights = places + whole_lines(b.slots);
  b.numbers = b.weights + (size_t)b.slots * WEFT_LANES;
  return b;
}

/* Inlined for both. */
LANE const uint32_t *solve_alike(const weft_line_run *run, const uint32_t *words, bool across) {
  const alike_lines b = alike_lines_of(run, words, across);
  if (!across) turn_slots(&b, run->halves, false);
  set_up_all_alike(run, &b);
  eliminate_alike(&b);
  substitute_all_alike(&b);
  apply_all_alike(&b);
  keep_multipliers(run, &b);
  if (!across) turn_slots(&b, run->halves, true);
  return words + words[WEFT_ALIKE_WORDS];
}

static __attribute__((noinline)) const uint32_t *solve_across(const weft_line_run *run,
                                                              const uint32_t *words) {
  return solve_alike(run, words, true);
}

static __attribute__((noinline)) const uint32_t *solve_along(const weft_line_run *run,
                                                             const uint32_t *words) {
  return solve_alike(run, words, false);
}

static void alike_lines_solve(const weft_line_run *run, const uint32_t *words, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    words = words[WEFT_ALIKE_LIE] == WEFT_ALIKE_ACROSS ? solve_across(run, words)
                                                       : solve_along(run, words);
  }
}
