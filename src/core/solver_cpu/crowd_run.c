/* crowd_run.c: see crowd_run.h. */
#include "crowd_run.h"

#include "base.h"
#include "solver.h"

struct weft_crowd_step {
  const weft_cpu_plan *plan;
  uint32_t substep;
  uint64_t first_iteration; /* a bit for each pass */
  weft_halves halves;       /* of the first block */
  weft_shapes shapes;
};

/* More are run before the next one is added. */
enum { MAX_STEPS = 64 };

weft_way weft_way_of(const weft_memory *memory, uint32_t substep) {
  const weft_substep *at = (const void *)memory->payload[WEFT_BUFFER_SUBSTEPS];
  at += substep;
  return (weft_way){substep ? at[-1].way : 0, at->way};
}

weft_packed_run weft_packed_run_of(const weft_memory *memory) {
  unsigned char *const *buffers = memory->payload;
  return (weft_packed_run){.x_low = (void *)buffers[WEFT_BUFFER_X_LOW],
                           .x_prev = (const void *)buffers[WEFT_BUFFER_X_PREV],
                           .x_prev_low = (const void *)buffers[WEFT_BUFFER_X_PREV_LOW],
                           .level_x = (void *)buffers[WEFT_BUFFER_LEVEL_X],
                           .level_base = (void *)buffers[WEFT_BUFFER_LEVEL_BASE],
                           .lambda = (void *)buffers[WEFT_BUFFER_LINE_LAMBDA],
                           .matrices = (const void *)buffers[WEFT_BUFFER_LINE_BENDS]};
}

/* Means of the finest level are of particles, which follow it; the rest of levels is among nodes.
 */
static bool is_among_nodes(weft_pass_kind kind) {
  return kind == WEFT_PASS_LEVEL_RESTRICT || kind == WEFT_PASS_LEVEL_SMALL ||
         kind == WEFT_PASS_LEVEL_PROLONG;
}

void weft_packed_run_item(const weft_packed_run *of, const weft_lanes *lanes,
                          const weft_memory *memory, const weft_pass *pass,
                          const weft_cpu_item *item, const uint32_t *words) {
  unsigned char *const *buffers = memory->payload;
  weft_packed_run run = *of;
  run.acts = pass->acts;
  run.variant = pass->variant;
  run.shape = item->first;
  run.reset = pass->first_iteration == 1;
  run.x = (void *)buffers[is_among_nodes(pass->kind) ? WEFT_BUFFER_LEVEL_X : WEFT_BUFFER_X];
  if (item->kind != WEFT_CPU_PROJECT) {
    lanes->packed[item->kind - WEFT_CPU_PACKED][item->layout](&run, words, item->count);
    return;
  }
  int type = weft_pass_constraint(pass->kind);
  run.multipliers = buffers[weft_constraint_buffers_of[type].multipliers];
  (item->fast ? lanes->project_fast : lanes->project)[type][item->layout](&run, words, item->count);
}

void weft_crowd_run_create(weft_crowd_run *run, uint32_t parts) {
  const weft_uniforms *u = (const void *)run->memory->payload[WEFT_BUFFER_UNIFORMS];
  uint32_t particles = u->particle_count; /* bodies stand behind the cloth */
  run->crowd = weft_crowd_of(parts, particles / parts, run->lanes->lanes);
  run->steps = weft_alloc(MAX_STEPS, sizeof *run->steps);
  run->staying = (weft_staying){.memory = run->memory,
                                .lanes = run->lanes,
                                .particles = particles,
                                .members = run->members,
                                .crowd = &run->crowd};
  weft_staying_create(&run->staying);
}

void weft_crowd_run_free(weft_crowd_run *run) {
  weft_staying_free(&run->staying);
  weft_free(run->steps);
}

/* ---- a block ---- */

/* What runs: a chain, on a block, by a member. */
typedef struct turn {
  const weft_crowd_run *run;
  const weft_crowd_step *step;
  weft_halves halves;
  uint32_t block, member;
} turn;

static const void *uniforms_of(const turn *t) {
  return t->run->memory->payload[WEFT_BUFFER_UNIFORMS];
}

static void move_pins(const turn *t, const weft_pass *pass) {
  const weft_crowd *crowd = &t->run->crowd;
  const weft_pin_path *pins = (const void *)t->run->memory->payload[WEFT_BUFFER_PINS];
  uint32_t part = weft_crowd_part(crowd, t->block, 0), each = pass->count / crowd->parts;
  pins += pass->first + (size_t)part * each;
  t->run->lanes->move_pins_beside(uniforms_of(t), pins,
                                  weft_way_of(t->run->memory, t->step->substep), &t->halves, each,
                                  weft_crowd_filled(crowd, t->block), part * crowd->particles);
}

static void run_particles(const turn *t, uint32_t number) {
  const weft_cpu_plan *plan = t->step->plan;
  const weft_lanes *lanes = t->run->lanes;
  weft_pass_kind kind = plan->passes[number].kind;
  size_t count = 2 * t->halves.half;
  if (kind == WEFT_PASS_PREDICT) {
    lanes->predict_staying(uniforms_of(t), &t->halves, 0, count);
    return;
  }
  bool collides = kind == WEFT_PASS_COLLIDE;
  bool updates = !collides || weft_plan_settles(plan->passes, plan->pass_count, number);
  lanes->settle_staying(updates ? uniforms_of(t) : NULL, collides ? &t->step->shapes : NULL,
                        &t->halves, 0, count);
}

static void run_item(const turn *t, const weft_packed_run *run, const weft_cpu_item *item,
                     const uint32_t *words) {
  weft_pass pass = t->step->plan->passes[item->pass];
  if (item->kind != WEFT_CPU_STAYING) {
    pass.first_iteration = (t->step->first_iteration >> item->pass & 1) ? 1 : 0;
    weft_packed_run_item(run, t->run->lanes, t->run->memory, &pass, item, words);
  } else if (pass.kind == WEFT_PASS_MOVE_PINS) {
    move_pins(t, &pass);
  } else {
    run_particles(t, item->pass);
  }
}

static void run_step(const turn *t) {
  const weft_cpu_plan *plan = t->step->plan;
  const weft_cpu_part *part = &plan->parts[t->block];
  const weft_memory *memory = t->run->memory;
  weft_packed_run run = weft_packed_run_of(memory);
  run.halves = &t->halves;
  run.room = weft_line_room(t->run->line_rooms, t->member);
  if (run.lambda) run.lambda += weft_plan_first_edge(&t->run->crowd, memory, t->block);
  for (size_t i = 0; i < part->count; ++i) {
    const weft_cpu_item *item = &plan->items[part->first + i];
    run_item(t, &run, item, part->words + item->at);
  }
}

/* ---- all ---- */

static uint32_t parts_of(void *context, uint32_t phase) {
  (void)phase;
  const weft_crowd_run *run = context;
  return run->members < run->crowd.blocks ? run->members : run->crowd.blocks;
}

static void run_member(void *context, uint32_t phase, uint32_t member) {
  (void)phase;
  weft_crowd_run *run = context;
  for (uint32_t block; (block = atomic_fetch_add(&run->next_block, 1)) < run->crowd.blocks;) {
    for (uint32_t k = 0; k < run->step_count; ++k) {
      const weft_crowd_step *step = &run->steps[k];
      weft_halves halves = weft_staying_block(&run->staying, &step->halves, block);
      run_step(&(turn){run, step, halves, block, member});
    }
  }
}

void weft_crowd_run_steps(weft_crowd_run *run) {
  if (!run->step_count) return;
  const weft_job job = {.context = run, .phases = 1, .parts = parts_of, .run = run_member};
  atomic_store(&run->next_block, 0);
  weft_thread_pool_run(&job, &run->pace);
  run->step_count = 0;
}

void weft_crowd_run_add(weft_crowd_run *run, const weft_cpu_plan *plan, const weft_pass *passes,
                        uint32_t substep, const weft_shapes *shapes) {
  if (run->step_count == MAX_STEPS) weft_crowd_run_steps(run);
  weft_crowd_step *step = &run->steps[run->step_count++];
  step->plan = plan;
  step->substep = substep;
  step->halves = run->staying.halves;
  if (shapes) step->shapes = *shapes;
  step->first_iteration = 0;
  for (uint32_t k = 0; k < plan->pass_count; ++k) {
    step->first_iteration |= (uint64_t)(passes[k].first_iteration == 1) << k;
  }
}
