/* lanes_lines.h: project_lines in vectors. A part of lanes_kernels.h.
 *
 * A lane solves a bundle, those of the other lanes beside it. All take as many steps as the longest
 * needs; lanes that are done, and places past the end of a lane, are masked. */

LANE vi load_numbers(const uint32_t *from) { return (vi)load(from); }
LANE vi numbers(uint32_t k) { return (vi){0} + (int32_t)k; }

/* The direction of edge k, and the particle it begins at before it is moved. */
typedef struct line_edge {
  v3 n;
  v4 a;
} line_edge;

typedef struct line_block {
  line_equation *equations;
  line_edge *edges;
  const uint32_t *words; /* of the edges */
  const uint32_t *first; /* where each lane's multipliers begin */
  vi counts, steps;      /* of each lane */
  vf scale;
  uint32_t max, min, max_steps, min_steps;
} line_block;

_Static_assert(sizeof(line_equation) + sizeof(line_edge) == WEFT_LINE_ROW * sizeof(vf),
               "the room is counted in vectors");

LANE vf line_weight_of(const line_block *b, v4 particle) {
  return line_weight(particle.w, b->scale);
}

/* Lanes that have an edge k. */
LANE vi has_edge(const line_block *b, uint32_t k) { return numbers(k) < b->counts; }

/* Lanes whose edge k + 1 begins where edge k ends. */
LANE vi goes_on(const line_block *b, const uint32_t *words, uint32_t k) {
  if (k + 1 >= b->max) return numbers(0);
  const uint32_t *after = words + WEFT_EDGE_WORDS * WEFT_LANES;
  vi on = load_numbers(words + WEFT_LANES) == load_numbers(after);
  return k + 1 < b->min ? on : on & has_edge(b, k + 1);
}

LANE vf multipliers(const weft_line_run *run, const line_block *b, uint32_t k) {
  if (run->reset) return all(0);
  if (k < b->min) return gather(run->lambda + k, b->first);
  float lanes[WEFT_LANES];
  for (int l = 0; l < WEFT_LANES; ++l) {
    lanes[l] = (int32_t)k < b->counts[l] ? run->lambda[b->first[l] + k] : 0;
  }
  return load(lanes);
}

LANE void set_up_edge(const weft_line_run *run, const line_block *block, uint32_t k, v4 pa, v4 pb) {
  const uint32_t *words = block->words + (size_t)k * WEFT_EDGE_WORDS * WEFT_LANES;
  vf rest_length = load(words + 2 * WEFT_LANES), compliance = load(words + 3 * WEFT_LANES);
  line_equation *q = block->equations + k;
  line_edge *e = block->edges + k;
  line_start start =
      line_set_up(xyz(pa), xyz(pb), line_weight_of(block, pa), line_weight_of(block, pb),
                  rest_length, compliance, multipliers(run, block, k));
  q->diagonal = start.diagonal;
  q->right = start.right;
  e->n = start.n;
  e->a = pa;
}

LANE v4 load_ends(const weft_line_run *run, const uint32_t *at) {
  if (!run->halves) return load_particles(run->x, at);
  return gather_split(run->halves->x, run->halves->component, at);
}

LANE void store_ends(const weft_line_run *run, const uint32_t *at, v3 p, vf w) {
  if (!run->halves) {
    store_particles(run->x, at, p, w);
  } else {
    scatter_split(run->halves->x, run->halves->component, at, p);
  }
}

LANE void store_ends_where(const weft_line_run *run, const uint32_t *at, v3 p, vf w, vi on) {
  if (!run->halves) {
    store_where(run->x, at, p, w, on);
  } else {
    scatter_split_where(run->halves->x, run->halves->component, at, p, on);
  }
}

/* Where edge k goes on in all lanes, its end is the beginning of edge k + 1. */
static void set_up_edges(const weft_line_run *run, const line_block *block) {
  const size_t step = WEFT_EDGE_WORDS * WEFT_LANES;
  const uint32_t *words = block->words;
  v4 pa = load_ends(run, words);
  for (uint32_t k = 0; k < block->max; ++k, words += step) {
    v4 after = pa;
    if (k + 1 < block->max) after = load_ends(run, words + step);
    bool on = everywhere(goes_on(block, words, k));
    v4 pb = on ? after : load_ends(run, words + WEFT_LANES);
    set_up_edge(run, block, k, pa, pb);
    pa = after;
  }
}

static void couple_edges(const line_block *block) {
  const uint32_t *words = block->words;
  for (uint32_t k = 0; k < block->max; ++k, words += WEFT_EDGE_WORDS * WEFT_LANES) {
    line_equation *q = block->equations + k;
    const line_edge *e = block->edges + k;
    vf next = all(0);
    if (k + 1 < block->max) {
      vf coupling = line_coupling(e[0].n, e[1].n, line_weight_of(block, e[1].a));
      next = kept_if(goes_on(block, words, k), coupling);
    }
    q->next = next;
    if (k % 2 == 0) {
      q->diagonal = line_pivot(q->diagonal);
    } else if (block->min_steps == 0) {
      q->diagonal = choose(block->steps == 0, line_pivot(q->diagonal), q->diagonal);
    }
  }
}

/* Takes equation k + stride out of k. */
LANE void reduce_after(const line_block *block, line_equation *own, uint32_t r, uint32_t stride,
                       vi active) {
  line_equation *after = own + stride;
  vf coupling = own->next;
  line_equation to = line_reduce_after(*own, *after);
  vi there = active;
  if (r >= block->min) there &= has_edge(block, r);
  own->diagonal = choose(there, to.diagonal, own->diagonal);
  own->right = choose(there, to.right, own->right);
  own->next = choose(active, kept_if(there, to.next), own->next);
  after->before = choose(there, coupling, after->before);
}

/* Step t takes the equations 2^t before and after out of equation k. */
LANE void reduce_edge(const line_block *block, uint32_t k, uint32_t t) {
  uint32_t stride = 1u << t, r = k + stride;
  line_equation *own = block->equations + k;
  const line_equation *left = own - stride;
  vi active = t < block->min_steps ? ~numbers(0) : numbers(t) < block->steps;
  line_equation to = line_reduce_before(*own, *left);
  own->diagonal = choose(active, to.diagonal, own->diagonal);
  own->right = choose(active, to.right, own->right);
  if (r < block->max) {
    reduce_after(block, own, r, stride, active);
  } else {
    own->next = kept_if(~active, own->next);
  }
  own->right = choose(active, exact_flush(own->right), own->right);
  bool every = ((k + 1) >> (t + 1) & 1) == 1;
  if (!every && t + 1 < block->min_steps) return;
  vi leaves = every ? active : block->steps == numbers(t + 1);
  own->diagonal = choose(leaves, line_pivot(own->diagonal), own->diagonal);
}

LANE void substitute_edge(const line_block *block, uint32_t k, uint32_t t) {
  uint32_t stride = 1u << (t - 1);
  line_equation *own = block->equations + k;
  vi active = t <= block->min_steps ? ~numbers(0) : numbers(t) <= block->steps;
  vf value = own->right;
  if (k >= stride) {
    vf less = line_less(value, own->before, (own - stride)->right);
    value = choose(active, less, value);
  }
  if (k + stride < block->max) {
    vi there = k + stride < block->min ? active : active & has_edge(block, k + stride);
    vf less = line_less(value, own->next, own[stride].right);
    value = choose(there, less, value);
  }
  own->right = line_solved(value, own->diagonal);
}

static void solve_equations(const line_block *block) {
  uint32_t max = block->max;
  for (uint32_t t = 0; t < block->max_steps; ++t) {
    uint32_t stride = 1u << t;
    for (uint32_t k = 2 * stride - 1; k < max; k += 2 * stride) reduce_edge(block, k, t);
  }
  uint32_t apart = 1u << block->max_steps;
  for (uint32_t k = apart - 1; k < max; k += apart) {
    line_equation *q = block->equations + k;
    q->right = line_solved(q->right, q->diagonal);
  }
  for (uint32_t t = block->max_steps; t > 0; --t) {
    uint32_t stride = 1u << (t - 1);
    for (uint32_t k = stride - 1; k < max; k += 2 * stride) substitute_edge(block, k, t);
  }
}

/* Some lanes have no edge k. */
LANE void write_where(const weft_line_run *run, const line_block *block, const uint32_t *words,
                      uint32_t k, vf lambda, v3 a, v3 b, v4 pa, v4 pb, vi on) {
  vi there = has_edge(block, k);
  for (int l = 0; l < WEFT_LANES; ++l) {
    if (there[l]) run->lambda[block->first[l] + k] = lambda[l];
  }
  store_ends_where(run, words, a, pa.w, there);
  store_ends_where(run, words + WEFT_LANES, b, pb.w, there & ~on);
}

/* What is written to the end of an edge that goes on is overwritten by the next. */
LANE void write_edge(const weft_line_run *run, const line_block *block, const uint32_t *words,
                     uint32_t k, v3 a, vi on) {
  const line_equation *q = block->equations + k;
  vf lambda = line_multiplier(multipliers(run, block, k), q->right);
  v4 pa = block->edges[k].a;
  if (k < block->min && everywhere(on)) {
    scatter(run->lambda + k, block->first, lambda);
    store_ends(run, words, a, pa.w);
    return;
  }
  v4 pb = load_ends(run, words + WEFT_LANES);
  v3 b =
      exact_flush3(line_move_back(xyz(pb), line_weight_of(block, pb), block->edges[k].n, q->right));
  if (k >= block->min) {
    write_where(run, block, words, k, lambda, a, b, pa, pb, on);
    return;
  }
  scatter(run->lambda + k, block->first, lambda);
  store_ends(run, words, a, pa.w);
  store_ends(run, words + WEFT_LANES, b, pb.w);
}

static void apply_edges(const weft_line_run *run, const line_block *block) {
  const uint32_t *words = block->words;
  vi came = numbers(0); /* lanes whose edge k - 1 goes on in k */
  for (uint32_t k = 0; k < block->max; ++k, words += WEFT_EDGE_WORDS * WEFT_LANES) {
    const line_equation *q = block->equations + k;
    const line_edge *e = block->edges + k;
    vf w = line_weight_of(block, e->a);
    v3 moved = line_move_on(xyz(e->a), w, e->n, q->right);
    if (any(came)) {
      v3 back = line_move_back(moved, w, e[-1].n, q[-1].right);
      moved = choose3(came, back, moved);
    }
    vi on = goes_on(block, words, k);
    write_edge(run, block, words, k, exact_flush3(moved), on);
    came = on;
  }
}

static void lines(const weft_line_run *run, const uint32_t *words, size_t count) {
  line_block block = {.equations = run->room};
  block.edges = (line_edge *)(void *)(block.equations + WEFT_LINE_ROOM);
  for (size_t k = 0; k < count; ++k) {
    block.max = words[WEFT_LINES_MAX];
    block.min = words[WEFT_LINES_MIN];
    block.max_steps = words[WEFT_LINES_MAX_STEPS];
    block.min_steps = words[WEFT_LINES_MIN_STEPS];
    block.first = words + WEFT_LINES_HEAD;
    block.counts = load_numbers(block.first + WEFT_LANES);
    block.steps = load_numbers(block.first + 2 * WEFT_LANES);
    block.scale = load(block.first + 3 * WEFT_LANES);
    block.words = block.first + WEFT_BUNDLE_WORDS * WEFT_LANES;
    set_up_edges(run, &block);
    couple_edges(&block);
    solve_equations(&block);
    apply_edges(run, &block);
    words = block.words + (size_t)block.max * WEFT_EDGE_WORDS * WEFT_LANES;
  }
}
