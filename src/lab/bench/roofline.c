/* roofline.c: the least that passes can take: bytes that must move, over what a copy reaches,
 * and what starting them costs.
 *
 * Bytes are counted from what a pass binds (weft_pass_infos), its elements and the strides of the
 * buffers, each once a pass: what is streamed at its elements, what is reached anywhere where it
 * is known to be touched. What only the data say (cells of the grid, neighbours, nodes of coarser
 * levels above a particle, corrections that an inequality may not make) does not count, so the
 * count is too high for pinned particles only, which some passes do not write. Nothing is supposed
 * to stay in a cache from one pass to the next.
 *
 * That is what a frame must move where each pass is over before the next one begins. The backend
 * cpu takes a substep as one chain, tile by tile, and moves every row once in and once out: that is
 * what its frames are counted by. */
#include <string.h>

#include "bench_internal.h"
#include "grid_layout.h"
#include "model.h"

/* What is being counted, and of its tables what counts depend on. */
typedef struct counting {
  weft_solver *solver;
  const uint32_t *strides;
  const weft_metrics *metrics; /* of the last frame */
  uint32_t *left;              /* constraints that lines leave of each batch; NULL: all */
  uint32_t *offsets;           /* of nodes into their children; NULL: no levels */
  weft_level_step *steps;
  uint32_t *words; /* of patches; NULL: none */
} counting;

/* A whole buffer; NULL when there is none. */
static void *rows_of(weft_solver *solver, weft_buffer_id id, size_t stride) {
  uint64_t count = weft_solver_buffer_count(solver, id);
  if (count == 0) return NULL;
  void *rows = weft_alloc(count, stride);
  weft_solver_read_buffer(solver, id, 0, count, rows);
  return rows;
}

static counting begin_count(weft_solver *solver, const uint32_t *strides,
                            const weft_metrics *metrics) {
  return (counting){
      .solver = solver,
      .strides = strides,
      .metrics = metrics,
      .left = rows_of(solver, WEFT_BUFFER_LINE_LEFT, sizeof(uint32_t)),
      .offsets = rows_of(solver, WEFT_BUFFER_LEVEL_OFFSETS, sizeof(uint32_t)),
      .steps = rows_of(solver, WEFT_BUFFER_LEVEL_STEPS, sizeof(weft_level_step)),
      .words = rows_of(solver, WEFT_BUFFER_PATCH_WORDS, sizeof(uint32_t)),
  };
}

static void end_count(counting *c) {
  weft_free(c->left);
  weft_free(c->offsets);
  weft_free(c->steps);
  weft_free(c->words);
}

/* ---- passes of self-collision ---- */

/* With the elements it had on average in the last frame, where earlier passes counted them. Further
 * looks are idle in most substeps. */
static weft_pass as_counted(const counting *c, const weft_pass *pass) {
  weft_pass counted = *pass;
  uint32_t steps = c->metrics->self_steps, size = pass->counted - 1;
  if (!pass->counted) return counted;
  counted.count = 0;
  if (size == WEFT_SELF_SIZE_PAIRS || (size == WEFT_SELF_SIZE_LIMITED && !pass->detection)) {
    counted.count = c->metrics->self_pairs / steps;
  }
  if (size == WEFT_SELF_SIZE_CANDIDATES && !pass->detection) {
    counted.count = c->metrics->self_candidates / steps;
  }
  return counted;
}

/* How often it runs in a substep, on average. */
static double part_of(const counting *c, const weft_pass *pass) {
  uint32_t substeps = weft_solver_params(c->solver)->substeps, runs = 0;
  for (uint32_t s = 0; s < substeps; ++s) runs += weft_pass_runs(pass, s) ? 1 : 0;
  return (double)runs / substeps;
}

/* ---- constraints of a pass ---- */

/* The group whose constraints a project pass has, and the first of them in it. */
static const weft_constraint_group *group_of(const weft_model *model, const weft_pass *pass,
                                             uint32_t *first, uint32_t *number) {
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    uint32_t base = weft_group_base(model, g);
    if (weft_project_pass(group->type) != pass->kind) continue;
    if (pass->first < base || pass->first - base >= group->count) continue;
    *first = pass->first - base;
    *number = g;
    return group;
  }
  return NULL;
}

/* Constraints of a colour share no particle; those of a Jacobi pass do. */
static uint64_t touched(const weft_model *model, const weft_pass *pass) {
  uint32_t first = 0, number;
  const weft_constraint_group *group = group_of(model, pass, &first, &number);
  if (!group) return 0;
  uint64_t roles = (uint64_t)pass->count * group->arity;
  if (!(pass->variant & WEFT_VARIANT_JACOBI)) return roles;
  unsigned char *seen = weft_alloc(model->particle_count, 1);
  const uint32_t *particles = group->particles + (size_t)first * group->arity;
  uint64_t count = 0;
  for (uint64_t k = 0; k < roles; ++k) {
    count += !seen[particles[k]];
    seen[particles[k]] = 1;
  }
  weft_free(seen);
  return count;
}

/* What a line holds is left to it: the pass reads such a constraint and moves nothing. */
static uint64_t moved_by_lines(const counting *c, const weft_pass *pass) {
  const weft_model *model = weft_solver_model(c->solver);
  uint32_t first, number = 0;
  const weft_constraint_group *group = group_of(model, pass, &first, &number);
  if (!c->left || !group || (pass->variant & WEFT_VARIANT_JACOBI)) return 0;
  const uint32_t *left = c->left + pass->batch;
  for (uint32_t g = 0; g < number; ++g) left += model->groups[g].colour_count;
  return (uint64_t)(pass->count - *left) * group->arity;
}

static uint64_t roles_of(const weft_solver *solver, const weft_pass *pass) {
  uint32_t arity = weft_pass_arity(pass->kind);
  if (pass->kind != WEFT_PASS_JACOBI_APPLY) return (uint64_t)pass->count * arity;
  weft_split split =
      weft_group_split(weft_solver_model(solver), pass->group, weft_solver_params(solver));
  return (uint64_t)split.tail_count * weft_solver_model(solver)->groups[pass->group].arity;
}

/* ---- bytes ---- */

/* Rows of a buffer that a pass touches, and whether it reads and writes them. */
typedef struct rule {
  weft_reach reach;
  bool reads, writes;
} rule;

static bool is_multiplier(const weft_pass *pass, weft_buffer_id id) {
  int type = weft_pass_constraint(pass->kind);
  return id == WEFT_BUFFER_LINE_LAMBDA ||
         (type >= 0 && id == weft_constraint_buffers_of[type].multipliers);
}

static rule rule_for(const weft_pass *pass, const weft_binding *b) {
  rule r = {b->reach, b->reads, b->writes};
  switch (b->reach) {
    case WEFT_REACH_SOMETIMES:
    case WEFT_REACH_TWICE:
    case WEFT_REACH_BLOCK_IN:
      r.writes = false;
      break;
    case WEFT_REACH_ROOT:
      r.reads = false;
      break;
    default:
      break;
  }
  /* What an inequality moves the data say; side by side corrections are written, not positions. */
  if (b->buffer == WEFT_BUFFER_X && weft_pass_constraint(pass->kind) >= 0) {
    r.writes = pass->acts == WEFT_ACTS_ALWAYS && !(pass->variant & WEFT_VARIANT_JACOBI);
  }
  if (is_multiplier(pass, b->buffer)) r.reads = !pass->first_iteration;
  return r;
}

/* Colours have about as many edges; exact where there is one. */
static uint64_t edges_of(const weft_solver *solver, const weft_pass *pass) {
  uint64_t edges = weft_solver_buffer_count(solver, WEFT_BUFFER_LINE_EDGES);
  uint64_t bundles = weft_solver_buffer_count(solver, WEFT_BUFFER_LINE_BUNDLES);
  return edges * pass->count / (bundles ? bundles : 1);
}

static uint64_t elements(const counting *c, const weft_pass *pass, const weft_binding *b) {
  const weft_solver *solver = c->solver;
  uint64_t all = weft_solver_buffer_count(solver, b->buffer), count = pass->count;
  switch (b->reach) {
    case WEFT_REACH_TOUCHED:
      count = touched(weft_solver_model(solver), pass);
      break;
    case WEFT_REACH_ROLES:
      count = roles_of(solver, pass);
      break;
    case WEFT_REACH_TWICE:
      count *= 2;
      break;
    case WEFT_REACH_LINES:
      count = edges_of(solver, pass);
      break;
    case WEFT_REACH_CHILDREN:
      count = c->offsets[pass->first + pass->count] - c->offsets[pass->first];
      break;
    case WEFT_REACH_BLOCK:
    case WEFT_REACH_BLOCK_IN:
      count *= WEFT_GRID_BLOCK;
      break;
    case WEFT_REACH_ALL:
      count = all;
      break;
    case WEFT_REACH_ONE:
      count = 1;
      break;
    case WEFT_REACH_SUBSTEP:
      count = all / weft_solver_params(solver)->substeps;
      break;
    case WEFT_REACH_UNKNOWN:
      count = 0;
      break;
    case WEFT_REACH_OWN:
    case WEFT_REACH_SOMETIMES:
    case WEFT_REACH_ROOT:
      break;
  }
  return count < all ? count : all;
}

/* Constraints of a range of a patch, with their multipliers where these are kept. */
static uint64_t range_bytes(uint32_t what, const weft_pass *pass, const uint32_t *strides) {
  bool pair = weft_constraint_infos[what >> 16 & 15u].pair;
  uint64_t bytes = strides[WEFT_BUFFER_PATCH_PAIRS];
  if (!pair) bytes = strides[WEFT_BUFFER_PATCH_QUADS] + strides[WEFT_BUFFER_PATCH_DATA];
  if (pass->variant & WEFT_VARIANT_LAMBDA) {
    uint64_t kept = (pair ? 1u : 3u) * (uint64_t)strides[WEFT_BUFFER_PATCH_LAMBDA];
    bytes += strides[WEFT_BUFFER_PATCH_XPBD] + (pass->first_iteration ? kept : 2 * kept);
  }
  return (what & 0xffffu) * bytes;
}

/* A patch reads its words and constraints, and its particles, which it writes back. */
static uint64_t patch_bytes(const counting *c, const weft_pass *pass) {
  uint64_t moved = 2ull * c->strides[WEFT_BUFFER_X] + sizeof *c->words, bytes = 0;
  if (pass->variant & WEFT_VARIANT_LAMBDA) moved += c->strides[WEFT_BUFFER_X_PREV];
  for (uint32_t k = pass->first; k < pass->first + pass->count; ++k) {
    const uint32_t *header = &c->words[WEFT_PATCH_HEADER * (size_t)k];
    bytes += (WEFT_PATCH_HEADER + 2ull * header[3]) * sizeof *c->words + header[1] * moved;
    for (uint32_t r = 0; r < header[3]; ++r) {
      bytes += range_bytes(c->words[header[2] + 2 * (size_t)r + 1], pass, c->strides);
    }
  }
  return bytes;
}

/* Bytes of a row of a step of level_small. */
static uint64_t step_bytes(const counting *c, const weft_level_step *step) {
  const uint32_t *s = c->strides;
  uint64_t nodes = step->count;
  if (step->kind == WEFT_LEVEL_PROJECT) return nodes * s[WEFT_BUFFER_LEVEL_EDGES];
  if (step->kind == WEFT_LEVEL_PROLONG) return nodes * s[WEFT_BUFFER_LEVEL_NODE_PARENTS];
  uint64_t children = c->offsets[step->first + nodes] - c->offsets[step->first];
  uint64_t each = 2ull * s[WEFT_BUFFER_LEVEL_X] + s[WEFT_BUFFER_LEVEL_BASE];
  return nodes * (each + s[WEFT_BUFFER_LEVEL_OFFSETS]) + children * s[WEFT_BUFFER_LEVEL_CHILDREN];
}

/* One work group: each row once, whatever steps come back to it. */
static uint64_t small_bytes(const counting *c, const weft_pass *pass) {
  uint64_t bytes = (uint64_t)pass->steps * c->strides[WEFT_BUFFER_LEVEL_STEPS];
  const weft_level_step *steps = c->steps + pass->first;
  for (uint32_t k = 0; k < pass->steps; ++k) {
    bool again = false;
    for (uint32_t j = 0; j < k && !again; ++j) {
      again = steps[j].kind == steps[k].kind && steps[j].first == steps[k].first;
    }
    if (!again) bytes += step_bytes(c, &steps[k]);
  }
  return bytes;
}

/* Rows of a buffer that a pass reads and writes. */
typedef struct moved {
  uint64_t in, out;
} moved;

static moved moved_by(const counting *c, const weft_pass *pass, const weft_binding *binding) {
  moved m = {0};
  if (!weft_binding_used(binding, pass->variant)) return m;
  rule r = rule_for(pass, binding);
  uint64_t rows = elements(c, pass, binding);
  if (r.reads) m.in = rows;
  if (r.writes) m.out = rows;
  if (weft_pass_constraint(pass->kind) >= 0 && binding->buffer == WEFT_BUFFER_X && m.out) {
    m.out -= moved_by_lines(c, pass);
  }
  return m;
}

static uint64_t bytes_of(const counting *c, const weft_pass *pass) {
  const weft_pass_info *info = &weft_pass_infos[pass->kind];
  uint64_t bytes = 0;
  if (pass->count == 0) return 0;
  if (pass->kind == WEFT_PASS_PATCH) return patch_bytes(c, pass);
  if (pass->kind == WEFT_PASS_LEVEL_SMALL) return small_bytes(c, pass);
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    moved m = moved_by(c, pass, &info->bindings[k]);
    bytes += (m.in + m.out) * c->strides[info->bindings[k].buffer];
  }
  return bytes;
}

/* ---- passes that share what they move ---- */

/* What single runs stays in its work group: each buffer in once, what changes out once. */
static double bytes_of_single(const counting *c) {
  const weft_solver *solver = c->solver;
  uint32_t moves[WEFT_BUFFER_COUNT] = {0};
  for (size_t k = 0; k < weft_solver_pass_count(solver); ++k) {
    const weft_pass *pass = weft_solver_pass(solver, k);
    const weft_pass_info *info = &weft_pass_infos[pass->kind];
    for (uint32_t b = 0; b < info->binding_count; ++b) {
      if (weft_binding_used(&info->bindings[b], pass->variant)) moves[info->bindings[b].buffer] = 1;
    }
  }
  moves[WEFT_BUFFER_X] = moves[WEFT_BUFFER_V] = 2;
  double bytes = 0;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    uint64_t count = weft_solver_buffer_count(solver, (weft_buffer_id)id);
    bytes += (double)(moves[id] * count * c->strides[id]);
  }
  return bytes;
}

/* Rows of each buffer that a chain of passes moves. */
typedef struct fused {
  moved rows[WEFT_BUFFER_COUNT];
  bool made[WEFT_BUFFER_COUNT]; /* written before it is read: it need not come in */
} fused;

static void add_to_fused(fused *all, const counting *c, const weft_pass *pass) {
  const weft_pass_info *info = &weft_pass_infos[pass->kind];
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    weft_buffer_id id = info->bindings[k].buffer;
    moved m = moved_by(c, pass, &info->bindings[k]), *sum = &all->rows[id];
    if (pass->kind == WEFT_PASS_PATCH && weft_binding_used(&info->bindings[k], pass->variant)) {
      m.in = weft_solver_buffer_count(c->solver, id); /* rules count patches, not what they have */
      m.out = info->bindings[k].writes ? m.in : 0;
    }
    if (sum->in == 0 && sum->out == 0 && m.out && !m.in) all->made[id] = true;
    if (!all->made[id]) sum->in += m.in;
    sum->out += m.out;
  }
}

/* On a large grid nearly all numbers of constraints are 16 bits. */
static bool is_narrow(const counting *c) {
  const weft_model *model = weft_solver_model(c->solver);
  bool narrow = model->grid_rows > 0 && model->particle_count >= WEFT_CPU_NARROW;
  for (size_t k = 0; k < weft_solver_pass_count(c->solver); ++k) {
    const weft_pass *pass = weft_solver_pass(c->solver, k);
    narrow = narrow && (weft_pass_constraint(pass->kind) < 0 || !pass->variant);
  }
  return narrow;
}

/* The backend cpu packs constraints; on a grid without their particles, which lie side by side. */
static uint32_t packed_stride(const counting *c, int id) {
  for (int type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT; ++type) {
    if (id != (int)weft_constraint_buffers_of[type].elements) continue;
    uint32_t particles = weft_constraint_infos[type].pair ? 2 : 4;
    uint32_t numbers = c->strides[id] - particles * (uint32_t)sizeof(uint32_t);
    return is_narrow(c) ? numbers / 2 : numbers;
  }
  return c->strides[id];
}

/* Three numbers of a row, and of an edge of a line, where state stays split from substep to
 * substep; masses only come in, and what becomes the position before is where it is. */
static uint32_t split_stride(const counting *c, int id, bool out) {
  bool position = id == WEFT_BUFFER_X;
  if (id == WEFT_BUFFER_LINE_EDGES) return 3 * (uint32_t)sizeof(float);
  if (!position && id != WEFT_BUFFER_X_PREV && id != WEFT_BUFFER_V) return packed_stride(c, id);
  if (id == WEFT_BUFFER_X_PREV) return 0;
  return (position && !out ? 4 : 3) * (uint32_t)sizeof(float);
}

/* Of a substep whose passes meet every row while it is in the cache. */
static double bytes_of_fused(const counting *c, const weft_bench_row *row) {
  fused *all = weft_alloc(1, sizeof *all);
  double bytes = 0;
  bool stays = weft_solver_model(c->solver)->grid_rows > 0;
  for (size_t k = 0; k < weft_solver_pass_count(c->solver); ++k) {
    const weft_pass pass = as_counted(c, weft_solver_pass(c->solver, k));
    bool runs = row->passes[pass.kind].runs > 0 && pass.count > 0 &&
                (pass.when == WEFT_WHEN_ALWAYS || pass.when == WEFT_WHEN_STEP_ENDS);
    if (runs) add_to_fused(all, c, &pass);
    stays = stays && (!runs || weft_cpu_pass_can_stay(&pass));
  }
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    uint64_t max = weft_solver_buffer_count(c->solver, (weft_buffer_id)id);
    uint64_t in = all->rows[id].in < max ? all->rows[id].in : max;
    uint64_t out = all->rows[id].out < max ? all->rows[id].out : max;
    uint32_t in_stride = stays ? split_stride(c, id, false) : packed_stride(c, id);
    uint32_t out_stride = stays ? split_stride(c, id, true) : packed_stride(c, id);
    bytes += (double)(in * in_stride + out * out_stride);
  }
  weft_free(all);
  return bytes;
}

/* ---- the floor ---- */

static void count_frame(const counting *c, weft_bench_row *row) {
  row->roofline_of = weft_solver_runs_single(c->solver) ? "each dispatch" : "each pass";
  row->roofline_bytes = row->roofline_ms = 0;
  if (strcmp(row->backend, "cpu") == 0) {
    row->roofline_of = "each substep";
    row->roofline_bytes = bytes_of_fused(c, row) * row->substeps;
    row->roofline_ms = 1e3 * row->roofline_bytes / row->machine.bytes_per_s;
    return;
  }
  for (int kind = 0; kind < WEFT_TIMED_KINDS; ++kind) {
    if (row->passes[kind].runs == 0) continue;
    row->roofline_bytes += row->passes[kind].bytes;
    row->roofline_ms += row->passes[kind].roofline_ms;
  }
}

void weft_bench_count_roofline(weft_solver *solver, const uint32_t *strides, weft_bench_row *row) {
  double listed[WEFT_TIMED_KINDS] = {0}, bytes[WEFT_TIMED_KINDS] = {0};
  counting c = begin_count(solver, strides, &row->metrics);
  for (size_t k = 0; k < weft_solver_pass_count(solver); ++k) {
    const weft_pass pass = as_counted(&c, weft_solver_pass(solver, k));
    double part = part_of(&c, &pass);
    listed[pass.kind] += part;
    if (row->passes[pass.kind].runs > 0) bytes[pass.kind] += part * (double)bytes_of(&c, &pass);
  }
  bool on_gl = strcmp(row->backend, "gl") == 0;
  listed[WEFT_PASS_SINGLE] = 1;
  if (weft_solver_runs_single(solver)) bytes[WEFT_PASS_SINGLE] = bytes_of_single(&c);
  for (int kind = 0; kind < WEFT_TIMED_KINDS; ++kind) {
    weft_bench_pass *pass = &row->passes[kind];
    if (pass->runs == 0) continue;
    double starts = on_gl ? pass->dispatches : pass->runs;
    pass->bytes = starts > 0 ? bytes[kind] * pass->runs / listed[kind] : 0;
    pass->roofline_ms =
        1e3 * (pass->bytes / row->machine.bytes_per_s + starts * row->machine.dispatch_s);
  }
  count_frame(&c, row);
  end_count(&c);
}
