/* backend.c: the backend cpu: the reference's buffers, its passes on all processors and in vectors.
 *
 * Passes are not run when they are asked for but queued until a substep is whole or somebody looks:
 * then the chain gets a plan (plan.h), made once and kept. What has no vector version is the
 * reference's own function over part of the elements; a pass that nobody here knows is that
 * function over all of them. */
#include "backend.h"

#include <pthread.h>
#include <string.h>

#include "base.h"
#include "cpu.h"
#include "cpu_need.h"
#include "crowd_run.h"
#include "inspect.h"
#include "plan.h"
#include "ref.h"
#include "staying.h"
#include "thread_pool.h"

/* A solver has a handful of chains; a caller that runs passes one by one has more. */
enum { MAX_PLANS = 128 };

typedef struct weft_cpu {
  weft_deferred *deferred; /* the pool is left */
  weft_memory memory;
  uint32_t members; /* parts that work is cut into, at most */
  const weft_lanes *lanes;
  weft_cpu_desc desc;
  weft_staying staying;
  weft_crowd_run crowd; /* without parts: none */
  weft_cpu_plan *plans[MAX_PLANS];
  uint32_t plan_count;
  bool remembers; /* constraints have got other numbers before, and plans are to take them */
  /* The chain that waits. */
  weft_pass queue[WEFT_FUSED_MAX];
  uint32_t queued, substep;
  vec4 *moves[WEFT_THREAD_POOL_MAX]; /* of nodes of levels, each member its own */
  float *split_moves;                /* the same by component, for all of them */
  size_t split_stride;
  weft_line_rooms line_rooms;
  bool shapes_known;
  weft_self_work self;
  bool looks;         /* self-collision in vectors; otherwise it is the reference's */
  weft_shapes shapes; /* of the substep of these fused passes, if they are known */
} weft_cpu;

/* ---- items ---- */

static void run_reference(const weft_cpu *self, const weft_pass *pass, uint32_t first,
                          uint32_t count) {
  if (!count) return;
  weft_pass part = *pass;
  part.first += first;
  part.count = count;
  /* Jacobi corrections go to slots counted from the pass's first element. */
  if (pass->variant & WEFT_VARIANT_JACOBI) part.delta_first += first * weft_pass_arity(pass->kind);
  weft_ref_run(self->memory.payload, &part, self->substep);
}

/* Returns how many elements it has done. */
static uint32_t run_air(const weft_cpu *self, const weft_pass *pass, uint32_t first,
                        uint32_t count) {
  unsigned char *const *buffers = self->memory.payload;
  const weft_substep *substeps = (const void *)buffers[WEFT_BUFFER_SUBSTEPS];
  const weft_triangle *triangles = (const void *)buffers[WEFT_BUFFER_TRIANGLES];
  const uint32_t *offsets = (const void *)buffers[WEFT_BUFFER_CORNER_OFFSETS];
  const uint32_t *items = (const void *)buffers[WEFT_BUFFER_CORNER_ITEMS];
  vec4 *forces = (void *)buffers[WEFT_BUFFER_FORCES];
  const weft_vec3 wind = substeps[self->substep].wind;
  const weft_air air = {.u = (const void *)buffers[WEFT_BUFFER_UNIFORMS],
                        .wind = {wind.x, wind.y, wind.z, 0},
                        .dt = substeps[self->substep].air_dt,
                        .x = (const void *)buffers[WEFT_BUFFER_X],
                        .v = (void *)buffers[WEFT_BUFFER_V]};
  size_t i = (size_t)pass->first + first;
  if (air.dt == 0) return count;
  if (pass->kind == WEFT_PASS_AERO_FORCE) {
    return (uint32_t)self->lanes->aero_force(&air, triangles + i, forces + i, count);
  }
  self->lanes->aero_gather(&air, forces, offsets, items, i, count);
  return count;
}

/* Returns how many particles it has done; 0 for any pass but those of contact. */
static uint32_t run_contact(const weft_cpu *self, const weft_pass *pass, uint32_t first,
                            uint32_t count) {
  unsigned char *const *buffers = self->memory.payload;
  const weft_contact_run run = {.u = (const void *)buffers[WEFT_BUFFER_UNIFORMS],
                                .x = (const void *)buffers[WEFT_BUFFER_X],
                                .x_prev = (const void *)buffers[WEFT_BUFFER_X_PREV],
                                .grid = (const void *)buffers[WEFT_BUFFER_GRID],
                                .items = (const void *)buffers[WEFT_BUFFER_GRID_ITEMS],
                                .contacts = (void *)buffers[WEFT_BUFFER_CONTACTS],
                                .kept = (void *)buffers[WEFT_BUFFER_CONTACTS_KEPT],
                                .found = (void *)buffers[WEFT_BUFFER_CONTACT_FOUND],
                                .load = (void *)buffers[WEFT_BUFFER_CONTACT_LOAD],
                                .delta = (void *)buffers[WEFT_BUFFER_CONTACT_DELTA]};
  const weft_lanes *lanes = self->lanes;
  uint32_t i = pass->first + first;
  if (pass->kind == WEFT_PASS_CONTACT_FIND) return lanes->contact_find(&run, i, count);
  if (pass->kind == WEFT_PASS_CONTACT_COUNT) return lanes->contact_count(&run, i, count);
  if (pass->kind == WEFT_PASS_CONTACT_PROJECT) return lanes->contact_project(&run, i, count);
  if (pass->kind == WEFT_PASS_CONTACT_KEEP) return lanes->contact_keep(&run, i, count);
  return 0;
}

/* Particle i and those after it, where positions and velocities are pairs. Returns how many it has
 * done. */
static size_t run_pairs(const weft_cpu *self, const weft_pass *pass, size_t i, size_t count) {
  unsigned char *const *buffers = self->memory.payload;
  const weft_uniforms *u = (const void *)buffers[WEFT_BUFFER_UNIFORMS];
  const weft_pair_state state = {.x = (vec4 *)(void *)buffers[WEFT_BUFFER_X] + i,
                                 .x_prev = (vec4 *)(void *)buffers[WEFT_BUFFER_X_PREV] + i,
                                 .v = (vec4 *)(void *)buffers[WEFT_BUFFER_V] + i,
                                 .x_low = (vec4 *)(void *)buffers[WEFT_BUFFER_X_LOW] + i,
                                 .x_prev_low = (vec4 *)(void *)buffers[WEFT_BUFFER_X_PREV_LOW] + i,
                                 .v_low = (vec4 *)(void *)buffers[WEFT_BUFFER_V_LOW] + i};
  if (pass->kind == WEFT_PASS_PREDICT) return self->lanes->predict_pairs(u, &state, count);
  if (pass->kind == WEFT_PASS_UPDATE_VELOCITY) {
    return self->lanes->update_velocity_pairs(u, &state, count);
  }
  if (pass->kind == WEFT_PASS_COLLIDE && self->shapes_known) {
    return self->lanes->collide_pairs(&self->shapes, &state, count);
  }
  return 0;
}

/* Of a list that is not full every member gets as much as of its room. Returns how much all have.
 */
static uint32_t share_out(const weft_cpu *self, const weft_pass *pass, uint32_t *first,
                          uint32_t *count) {
  const uvec4 *sizes = (const void *)self->memory.payload[WEFT_BUFFER_SELF_DISPATCH_ARGS];
  uint32_t end = sizes[pass->counted - 1].w;
  uint64_t there = end > pass->first ? end - pass->first : 0;
  if (there > pass->count) there = pass->count;
  uint32_t begin = (uint32_t)(there * *first / pass->count);
  *count = (uint32_t)(there * ((uint64_t)*first + *count) / pass->count) - begin;
  *first = begin;
  return (uint32_t)there;
}

static size_t run_bodies(const weft_cpu *self, size_t first, size_t count) {
  unsigned char *const *buffers = self->memory.payload;
  const weft_uniforms *u = (const void *)buffers[WEFT_BUFFER_UNIFORMS];
  const weft_body_path *paths = (const void *)buffers[WEFT_BUFFER_BODY_PATHS];
  vec4 *x = (void *)buffers[WEFT_BUFFER_X], *x_prev = (void *)buffers[WEFT_BUFFER_X_PREV];
  paths += first - u->particle_count;
  return self->lanes->move_bodies(u, paths, weft_way_of(&self->memory, self->substep), x + first,
                                  x_prev + first, count);
}

static void run_shapes(const weft_cpu *self, size_t first, size_t count) {
  unsigned char *const *buffers = self->memory.payload;
  const weft_uniforms *u = (const void *)buffers[WEFT_BUFFER_UNIFORMS];
  const weft_shape_path *paths = (const void *)buffers[WEFT_BUFFER_SHAPE_PATHS];
  const weft_collider_pose *poses = (const void *)buffers[WEFT_BUFFER_COLLIDERS];
  const weft_collider_pose *now = poses + (size_t)self->substep * u->collider_count;
  vec4 *x = (void *)buffers[WEFT_BUFFER_X], *x_prev = (void *)buffers[WEFT_BUFFER_X_PREV];
  self->lanes->move_shapes(u, paths + (first - u->shape_first), now,
                           self->substep ? now - u->collider_count : poses + u->poses_before,
                           weft_way_of(&self->memory, self->substep), x + first, x_prev + first,
                           count);
}

static void run_range(weft_cpu *self, const weft_pass *pass, uint32_t first, uint32_t count,
                      uint32_t member) {
  unsigned char *const *buffers = self->memory.payload;
  const weft_uniforms *u = (const void *)buffers[WEFT_BUFFER_UNIFORMS];
  if (!weft_pass_runs(pass, self->substep)) return;
  uint32_t all = pass->counted ? share_out(self, pass, &first, &count) : pass->count;
  const weft_self_range range = {&self->memory, pass, self->substep, first, count, all, member};
  if (self->looks && weft_self_work_run(&self->self, self->lanes, &range)) return;
  size_t i = (size_t)pass->first + first, done = 0;
  if (self->lanes && pass->variant & WEFT_VARIANT_PAIRS) {
    done = run_pairs(self, pass, i, count);
    run_reference(self, pass, first + (uint32_t)done, count - (uint32_t)done);
    return;
  }
  vec4 *x = (vec4 *)(void *)buffers[WEFT_BUFFER_X] + i;
  vec4 *x_prev = (vec4 *)(void *)buffers[WEFT_BUFFER_X_PREV] + i;
  vec4 *v = (vec4 *)(void *)buffers[WEFT_BUFFER_V] + i;
  if (self->lanes && pass->kind == WEFT_PASS_PREDICT) {
    done = self->lanes->predict(u, x, x_prev, v, count);
  } else if (self->lanes && pass->kind == WEFT_PASS_UPDATE_VELOCITY) {
    done = self->lanes->update_velocity(u, x, x_prev, v, count);
  } else if (self->lanes && pass->kind == WEFT_PASS_MOVE_BODIES) {
    done = run_bodies(self, i, count);
  } else if (self->lanes && pass->kind == WEFT_PASS_MOVE_SHAPES) {
    run_shapes(self, i, count);
    done = count;
  } else if (self->lanes && pass->kind == WEFT_PASS_COLLIDE && self->shapes_known) {
    self->lanes->collide(&self->shapes, &(weft_pair_state){.x = x, .x_prev = x_prev}, count);
    done = count;
  } else if (self->lanes &&
             (pass->kind == WEFT_PASS_AERO_FORCE || pass->kind == WEFT_PASS_AERO_GATHER)) {
    done = run_air(self, pass, first, count);
  } else if (self->lanes) {
    done = run_contact(self, pass, first, count);
  }
  run_reference(self, pass, first + (uint32_t)done, count - (uint32_t)done);
}

/* For all items of a part. */
static weft_packed_run packed_run_of(const weft_cpu *self, uint32_t member) {
  weft_packed_run run = weft_packed_run_of(&self->memory);
  run.halves = &self->staying.halves;
  run.moves = self->moves[member];
  run.split_moves = self->split_moves;
  run.moves_stride = self->split_stride;
  run.room = weft_line_room(&self->line_rooms, member);
  return run;
}

static void run_moves(const weft_cpu *self, const weft_cpu_item *item, uint32_t member) {
  unsigned char *const *buffers = self->memory.payload;
  const vec4 *x = (const void *)buffers[WEFT_BUFFER_LEVEL_X];
  const vec4 *base = (const void *)buffers[WEFT_BUFFER_LEVEL_BASE];
  if (item->kind == WEFT_CPU_SPLIT_MOVES) {
    self->lanes->level_moves_split(x, base, self->split_moves, self->split_stride, item->first,
                                   item->count);
  } else {
    self->lanes->level_moves(x + item->first, base + item->first, self->moves[member] + item->first,
                             item->count);
  }
}

static void move_pins(const weft_cpu *self, const weft_pass *pass, const weft_cpu_item *item) {
  unsigned char *const *buffers = self->memory.payload;
  const weft_pin_path *pins = (const void *)buffers[WEFT_BUFFER_PINS];
  self->lanes->move_pins_staying(
      (const void *)buffers[WEFT_BUFFER_UNIFORMS], pins + pass->first + item->first,
      weft_way_of(&self->memory, self->substep), &self->staying.halves, item->count);
}

/* Particles of one share. */
static void run_together(const weft_cpu *self, uint32_t pass, size_t first, size_t count) {
  const weft_uniforms *u = (const void *)self->memory.payload[WEFT_BUFFER_UNIFORMS];
  const weft_halves *halves = &self->staying.halves;
  weft_pass_kind kind = self->queue[pass].kind;
  if (kind == WEFT_PASS_PREDICT) {
    self->lanes->predict_staying(u, halves, first, count);
    return;
  }
  bool collides = kind == WEFT_PASS_COLLIDE;
  bool updates = !collides || weft_plan_settles(self->queue, self->queued, pass);
  self->lanes->settle_staying(updates ? u : NULL, collides ? &self->shapes : NULL, halves, first,
                              count);
}

static void run_staying(const weft_cpu *self, const weft_cpu_item *item) {
  if (self->queue[item->pass].kind == WEFT_PASS_MOVE_PINS) {
    move_pins(self, &self->queue[item->pass], item);
    return;
  }
  size_t end = (size_t)item->first + item->count;
  for (size_t first = item->first, count; first < end; first += count) {
    count = weft_halves_together(&self->staying.halves, first, end - first);
    run_together(self, item->pass, first, count);
  }
}

/* words: of the item; NULL where its part has none. */
static void run_item(weft_cpu *self, const weft_packed_run *run, const uint32_t *words,
                     const weft_cpu_item *item, uint32_t member) {
  const weft_pass *pass = &self->queue[item->pass];
  const weft_halves *h = &self->staying.halves;
  vec4 *x = (void *)self->memory.payload[WEFT_BUFFER_X];
  switch (item->kind) {
    case WEFT_CPU_RUN:
      run_range(self, pass, item->first, item->count, member);
      return;
    case WEFT_CPU_STAYING:
      run_staying(self, item);
      return;
    case WEFT_CPU_SPLIT:
      self->lanes->split(h, x, item->first, item->count);
      return;
    case WEFT_CPU_JOIN:
      self->lanes->join(h, h->x, h->x + 3 * h->component, x, item->first, item->count);
      return;
    case WEFT_CPU_MOVES:
    case WEFT_CPU_SPLIT_MOVES:
      run_moves(self, item, member);
      return;
    default:
      weft_packed_run_item(run, self->lanes, &self->memory, pass, item, words);
  }
}

/* ---- chains ---- */

typedef struct work {
  weft_cpu *self;
  const weft_cpu_plan *plan;
} work;

static uint32_t parts_of(void *context, uint32_t phase) {
  const work *w = context;
  return w->plan->phases[phase].count;
}

static uint32_t after_of(void *context, uint32_t phase) {
  return ((const work *)context)->plan->phases[phase].after;
}

/* Parts have scratch of their own, whoever runs them. */
static void run_part(void *context, uint32_t phase, uint32_t number) {
  const work *w = context;
  const weft_cpu_plan *plan = w->plan;
  const weft_cpu_part *part = &plan->parts[plan->phases[phase].first + number];
  const weft_packed_run run = packed_run_of(w->self, number);
  for (size_t i = 0; i < part->count; ++i) {
    const weft_cpu_item *item = &plan->items[part->first + i];
    run_item(w->self, &run, part->words ? part->words + item->at : NULL, item, number);
  }
}

static void run_plan(weft_cpu *self, weft_cpu_plan *plan) {
  work w = {self, plan};
  uint32_t phases = (uint32_t)plan->phase_count;
  const weft_job job = {
      .context = &w, .phases = phases, .parts = parts_of, .run = run_part, .after = after_of};
  if (plan->members > 1) {
    weft_thread_pool_run(&job, &plan->pace);
    return;
  }
  for (uint32_t k = 0; k < phases; ++k) {
    for (uint32_t p = 0; p < plan->phases[k].count; ++p) run_part(&w, k, p);
  }
}

static void forget_plans(weft_cpu *self) {
  for (uint32_t k = 0; k < self->plan_count; ++k) {
    weft_plan_free(self->plans[k]);
    weft_free(self->plans[k]);
  }
  self->plan_count = 0;
}

/* Whether the chain may work on what stays split: see weft_staying_enter. */
static bool may_stay(const weft_cpu *self, const weft_staying *staying, bool collides) {
  bool enters = staying->split || self->queue[0].kind == WEFT_PASS_PREDICT;
  return staying->halves.x && enters && (!collides || self->shapes_known);
}

static weft_plan_desc desc_of(const weft_cpu *self) {
  return (weft_plan_desc){.memory = &self->memory,
                          .lanes = self->lanes,
                          .halves = self->staying.halves.x ? &self->staying.halves : NULL,
                          .members = self->members,
                          .exactly = self->desc.exactly,
                          .narrow = self->desc.narrow,
                          .tile = self->desc.tile,
                          .remembers = self->remembers};
}

static weft_cpu_plan *plan_for_queue(weft_cpu *self, bool crowds, bool stay) {
  for (uint32_t k = 0; k < self->plan_count; ++k) {
    if (weft_plan_fits(self->plans[k], self->queue, self->queued, stay)) return self->plans[k];
  }
  if (self->plan_count == MAX_PLANS) {
    weft_crowd_run_steps(&self->crowd);
    forget_plans(self);
  }
  weft_cpu_plan *plan = weft_alloc(1, sizeof *plan);
  weft_plan_desc desc = desc_of(self);
  desc.may_stay = stay;
  desc.crowd = crowds && stay ? &self->crowd.crowd : NULL;
  double start = weft_clock_seconds();
  weft_plan_build(&desc, self->queue, self->queued, plan);
  weft_log(WEFT_LOG_DEBUG, "plan of %u passes: %.3f s", self->queued, weft_clock_seconds() - start);
  self->plans[self->plan_count++] = plan;
  return plan;
}

/* Returns whether there is a collide. */
static bool look_at_shapes(weft_cpu *self) {
  bool asked = false;
  for (uint32_t k = 0; k < self->queued; ++k) asked |= self->queue[k].kind == WEFT_PASS_COLLIDE;
  const weft_uniforms *u = (const void *)self->memory.payload[WEFT_BUFFER_UNIFORMS];
  const weft_collider_pose *poses = (const void *)self->memory.payload[WEFT_BUFFER_COLLIDERS];
  self->shapes_known = asked && self->lanes && u->collider_count <= WEFT_MAX_COLLIDERS;
  if (!self->shapes_known) return asked;
  poses += (size_t)self->substep * u->collider_count;
  weft_shapes_prepare(&self->shapes, poses, u->collider_count, self->lanes->lanes);
  return asked;
}

/* Whether certificates are made of each look at patches. */
static bool certifies(const weft_cpu *self) {
  uint32_t patches = 0, pairs = 0;
  for (uint32_t k = 0; k < self->queued; ++k) {
    const weft_pass *pass = &self->queue[k];
    patches += pass->kind == WEFT_PASS_SELF_PATCH && !pass->detection;
    pairs += pass->kind == WEFT_PASS_SELF_CERTIFY;
  }
  return patches == pairs;
}

static void begin_detection(weft_cpu *self) {
  for (uint32_t k = 0; k < self->queued; ++k) {
    const weft_pass *pass = &self->queue[k];
    if (pass->kind == WEFT_PASS_SELF_PATCH && !pass->detection) {
      weft_self_work_begin(&self->self, &self->memory, certifies(self));
    }
  }
}

/* Only one of the two is the state at a time. */
static void enter(weft_cpu *self, const weft_cpu_plan *plan, weft_staying *staying) {
  weft_staying *other = staying == &self->staying ? &self->crowd.staying : &self->staying;
  if (!plan->crowd) weft_crowd_run_steps(&self->crowd);
  weft_staying_leave(other);
  if (!plan->stays) {
    weft_staying_leave(staying);
    return;
  }
  weft_staying_enter(staying);
  if (plan->passes[0].kind == WEFT_PASS_PREDICT) weft_staying_begin(staying);
}

/* The queue is run, or waits as a step of the crowd. */
static void flush_queue(weft_cpu *self) {
  if (!self->queued) return;
  bool collides = look_at_shapes(self);
  const weft_crowd *crowd = &self->crowd.crowd;
  bool crowds = crowd->parts && weft_plan_can_crowd(crowd, self->lanes, self->queue, self->queued);
  weft_staying *staying = crowds ? &self->crowd.staying : &self->staying;
  weft_cpu_plan *plan = plan_for_queue(self, crowds, may_stay(self, staying, collides));
  enter(self, plan, staying);
  if (plan->crowd) {
    const weft_shapes *shapes = self->shapes_known ? &self->shapes : NULL;
    weft_crowd_run_add(&self->crowd, plan, self->queue, self->substep, shapes);
  } else {
    if (self->looks) begin_detection(self);
    run_plan(self, plan);
    if (self->looks) weft_pushes_settle(&self->self.pushes, &self->memory);
  }
  if (plan->stays) weft_staying_moved(staying);
  self->queued = 0;
}

static void flush(weft_cpu *self) {
  flush_queue(self);
  weft_crowd_run_steps(&self->crowd);
}

/* ---- the backend ---- */

/* About as many threads as plans have work for. */
static uint32_t shares_of(const weft_cpu *self, const weft_cpu_desc *desc, size_t particles) {
  enum { MIN_IN_A_SHARE = 970 };
  size_t max = desc->exactly ? self->members : particles / MIN_IN_A_SHARE;
  return max < 1 ? 1 : max < self->members ? (uint32_t)max : self->members;
}

static void make_staying(weft_cpu *self, const weft_cpu_desc *desc) {
  size_t bodies = self->memory.bytes[WEFT_BUFFER_BODY_PATHS] / sizeof(weft_body_path) +
                  self->memory.bytes[WEFT_BUFFER_SHAPE_PATHS] / sizeof(weft_shape_path);
  size_t particles = self->memory.bytes[WEFT_BUFFER_X] / sizeof(vec4);
  if (!self->lanes || desc->no_split || particles == 0) return;
  self->staying = (weft_staying){.memory = &self->memory,
                                 .lanes = self->lanes,
                                 .particles = (uint32_t)(particles - bodies),
                                 .members = self->members,
                                 .shares = shares_of(self, desc, particles - bodies)};
  weft_staying_create(&self->staying);
}

static void make_moves(weft_cpu *self) {
  size_t nodes = self->memory.bytes[WEFT_BUFFER_LEVEL_X] / sizeof(vec4);
  if (!self->lanes || nodes == 0) return;
  for (uint32_t k = 0; k < self->members; ++k) {
    self->moves[k] = weft_alloc(nodes, sizeof(vec4));
  }
  self->split_stride = (nodes + 1023) / 1024 * 1024 + WEFT_OFF_BEAT;
  self->split_moves = weft_alloc(3 * self->split_stride, sizeof(float));
}

static void make_line_rooms(weft_cpu *self) {
  if (!self->lanes || self->memory.bytes[WEFT_BUFFER_LINE_BUNDLES] == 0) return;
  size_t row = WEFT_LINE_ROW * sizeof(float) * self->lanes->lanes;
  size_t each = WEFT_LINE_ROOM * row + WEFT_OFF_BEAT * sizeof(float);
  each = (each + WEFT_CACHE_LINE - 1) / WEFT_CACHE_LINE * WEFT_CACHE_LINE;
  self->line_rooms = (weft_line_rooms){weft_alloc_lines(self->members, each), each};
}

/* A block takes as long with one part as with all its lanes: about five small parts one by one of
 * sixteen, and twelve larger ones, that fill vectors by themselves; and only one thread runs it. It
 * has to stay in the last cache. */
static bool crowd_pays(const weft_cpu *self, uint32_t parts) {
  enum { SMALL = 600, MAX_IN_BLOCK = 400000 }; /* particles: of a part, of all lanes */
  uint64_t lanes = self->lanes->lanes, blocks = (parts + lanes - 1) / lanes;
  uint64_t rounds = (blocks + self->members - 1) / self->members;
  const weft_uniforms *u = (const void *)self->memory.payload[WEFT_BUFFER_UNIFORMS];
  uint64_t particles = u->particle_count / parts;
  uint64_t eighths = particles <= SMALL ? 4 : 7; /* of the lanes, filled at least */
  return rounds * lanes * self->members * eighths <= 8 * (uint64_t)parts &&
         particles * lanes <= MAX_IN_BLOCK;
}

static void make_crowd(weft_cpu *self, uint32_t parts) {
  bool bodies = self->memory.bytes[WEFT_BUFFER_BODY_PATHS] > 0;
  if (!self->lanes || self->desc.no_split || !self->desc.tile || bodies || parts < 2) return;
  if (!self->desc.exactly && !crowd_pays(self, parts)) return;
  self->crowd = (weft_crowd_run){.memory = &self->memory,
                                 .lanes = self->lanes,
                                 .line_rooms = &self->line_rooms,
                                 .members = self->members};
  weft_crowd_run_create(&self->crowd, parts);
}

static void leave_pool(void *instance) {
  (void)instance;
  weft_thread_pool_release();
}

static uint32_t members_of(const weft_cpu_desc *desc) {
  const uint32_t wanted = desc->threads ? desc->threads : weft_thread_pool_processors();
  return wanted < WEFT_THREAD_POOL_MAX ? wanted : WEFT_THREAD_POOL_MAX;
}

static void cpu_need(const weft_backend *backend, weft_need *need) {
  weft_cpu_need(members_of(backend->context), need);
}

static weft_result cpu_create(const weft_backend *backend, weft_contents *contents, uint32_t guard,
                              void **instance, weft_error *err) {
  (void)err;
  const weft_cpu_desc *desc = backend->context;
  weft_cpu *self = weft_alloc(1, sizeof *self);
  weft_memory_create(&self->memory, contents, guard);
  self->members = members_of(desc);
  self->deferred = weft_defer(leave_pool, self);
  weft_thread_pool_acquire(self->members);
  self->lanes = desc->lanes ? desc->lanes : weft_lanes_best();
  self->desc = *desc;
  const uint64_t *bytes = self->memory.bytes;
  /* Blocks count bytes in 32 bits. */
  bool countable = bytes[WEFT_BUFFER_X] <= UINT32_MAX && bytes[WEFT_BUFFER_LEVEL_X] <= UINT32_MAX &&
                   bytes[WEFT_BUFFER_ISOMETRIC_LAMBDA] <= UINT32_MAX;
  if (desc->plain || !countable) self->lanes = NULL;
  uint64_t pairs = bytes[WEFT_BUFFER_SELF_CANDIDATES], planes = bytes[WEFT_BUFFER_SELF_PLANES];
  self->looks = self->lanes && pairs > 0 && planes <= UINT32_MAX;
  if (self->looks) weft_self_work_create(&self->self, &self->memory, self->members);
  make_staying(self, desc);
  make_moves(self);
  make_line_rooms(self);
  make_crowd(self, contents->parts);
  *instance = self;
  return WEFT_OK;
}

static void cpu_destroy(void *instance) {
  weft_cpu *self = instance;
  forget_plans(self);
  for (uint32_t k = 0; k < WEFT_THREAD_POOL_MAX; ++k) weft_free(self->moves[k]);
  weft_defer_end(self->deferred);
  weft_thread_pool_release();
  weft_memory_destroy(&self->memory);
  weft_staying_free(&self->staying);
  weft_crowd_run_free(&self->crowd);
  weft_free(self->split_moves);
  weft_free(self->line_rooms.room);
  weft_self_work_free(&self->self);
  weft_free(self);
}

/* Chains end with a substep, after air, so that substeps with and without share a plan, and where
 * one iteration ends and the next begins: so all iterations share a plan, and what a tile leaves to
 * the next does not grow with their number. */
static bool ends_fusion(const weft_cpu *self, const weft_pass *pass) {
  if (self->queued == WEFT_FUSED_MAX) return true;
  if (weft_self_repeats(pass->kind)) return false;
  for (uint32_t k = 0; k < self->queued; ++k) {
    if (self->queue[k].kind == pass->kind && self->queue[k].first == pass->first) return true;
  }
  return false;
}

static void cpu_run(void *instance, const weft_pass *pass, uint32_t substep) {
  weft_cpu *self = instance;
  if (self->queued && (self->substep != substep || ends_fusion(self, pass))) flush_queue(self);
  if (weft_pass_is_air(pass->kind) && !weft_pass_runs(pass, substep)) return;
  self->substep = substep;
  self->queue[self->queued++] = *pass;
  bool self_collides = self->memory.bytes[WEFT_BUFFER_SELF_PAIRS] > 0;
  weft_pass_kind last = self_collides ? WEFT_PASS_SELF_ADVANCE : WEFT_PASS_UPDATE_VELOCITY;
  bool whole = pass->kind == last || pass->kind == WEFT_PASS_RIDE;
  if (whole || pass->kind == WEFT_PASS_AERO_GATHER) flush_queue(self);
}

static void cpu_finish(void *instance) { flush(instance); }

static weft_result cpu_check(void *instance, const char *what, weft_error *err) {
  (void)what;
  (void)err;
  flush(instance);
  return WEFT_OK;
}

static const void *cpu_elements(void *instance, weft_buffer_id id) {
  weft_cpu *self = instance;
  flush(self);
  weft_staying_show(&self->staying, id);
  weft_staying_show(&self->crowd.staying, id);
  return weft_memory_elements(&self->memory, id, 0, 0);
}

static void cpu_read(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                     void *data) {
  weft_cpu *self = instance;
  flush(self);
  weft_staying_show(&self->staying, id);
  weft_staying_show(&self->crowd.staying, id);
  const weft_memory *memory = &self->memory;
  memcpy(data, weft_memory_elements(memory, id, first, count),
         (size_t)(count * memory->stride[id]));
}

/* Plans hold copies of contents, and of the nodes of levels, which of them are fixed. */
static bool packed_from(weft_buffer_id id) {
  return weft_buffer_infos[id].use == WEFT_USE_CONSTANT || id == WEFT_BUFFER_LEVEL_X;
}

/* Plans know what inverse masses are good for. */
static bool changes_masses(const vec4 *rows, uint64_t count, const vec4 *data) {
  for (uint64_t k = 0; k < count; ++k) {
    if (memcmp(&rows[k].w, &data[k].w, sizeof data->w) != 0) return true;
  }
  return false;
}

static void cpu_write(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                      const void *data) {
  weft_cpu *self = instance;
  flush(self);
  if (weft_staying_keeps(id)) {
    weft_staying_leave(&self->staying);
    weft_staying_leave(&self->crowd.staying);
  }
  const weft_memory *memory = &self->memory;
  void *rows = weft_memory_elements(memory, id, first, count);
  if (packed_from(id) || (id == WEFT_BUFFER_X && changes_masses(rows, count, data))) {
    forget_plans(self);
  }
  memcpy(rows, data, (size_t)(count * memory->stride[id]));
  weft_self_work_wrote(&self->self, id);
}

static void cpu_save(void *instance) {
  weft_cpu *self = instance;
  flush(self);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (!weft_buffer_saved((weft_buffer_id)id)) continue;
    weft_staying_show(&self->staying, (weft_buffer_id)id);
    weft_staying_show(&self->crowd.staying, (weft_buffer_id)id);
  }
  weft_memory_save(&self->memory);
}

static void cpu_restore(void *instance) {
  weft_cpu *self = instance;
  flush(self);
  weft_staying_leave(&self->staying);
  weft_staying_leave(&self->crowd.staying);
  weft_memory_restore(&self->memory);
  weft_self_work_wrote(&self->self, WEFT_BUFFER_X);
}

static void cpu_unmoved(void *instance, uint64_t first, uint64_t count, bool *unmoved) {
  weft_cpu *self = instance;
  flush(self);
  weft_staying_show(&self->staying, WEFT_BUFFER_X);
  weft_staying_show(&self->crowd.staying, WEFT_BUFFER_X);
  weft_memory_unmoved(&self->memory, first, count, unmoved);
}

/* Plans hold how many elements passes have. */
static weft_result cpu_resize(void *instance, const weft_self_room *room, weft_error *err) {
  (void)err;
  weft_cpu *self = instance;
  flush(self);
  forget_plans(self);
  if (self->looks) weft_pushes_free(&self->self.pushes);
  weft_memory_resize(&self->memory, room);
  weft_self_set_room(self->memory.payload[WEFT_BUFFER_UNIFORMS], room);
  if (self->looks) weft_pushes_create(&self->self.pushes, &self->memory, self->members);
  return WEFT_OK;
}

/* What a table is to plans: nothing, numbers that can be packed anew, or something else. */
typedef enum weft_plan_table { WEFT_PLAN_NONE, WEFT_PLAN_NUMBERS, WEFT_PLAN_OTHER } weft_plan_table;

static weft_plan_table plan_table(const weft_cpu *self, int id, const void *data) {
  const char *name = weft_buffer_infos[id].name;
  if (!packed_from((weft_buffer_id)id) || strncmp(name, "self_", 5) == 0) return WEFT_PLAN_NONE;
  for (int type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT; ++type) {
    const weft_constraint_buffers of = weft_constraint_buffers_of[type];
    if (id == (int)of.elements || id == (int)of.terms) return WEFT_PLAN_NUMBERS;
  }
  if (id == WEFT_BUFFER_LINE_EDGES) return WEFT_PLAN_NUMBERS;
  if (id == WEFT_BUFFER_LINE_BENDS) return WEFT_PLAN_NONE; /* they are read where they are */
  const bool same = memcmp(self->memory.payload[id], data, (size_t)self->memory.bytes[id]) == 0;
  return same ? WEFT_PLAN_NONE : WEFT_PLAN_OTHER;
}

static weft_result cpu_refill(void *instance, const weft_contents *tables, const weft_pass *passes,
                              size_t count, weft_error *err) {
  (void)passes;
  (void)count;
  (void)err;
  weft_cpu *self = instance;
  weft_plan_table packed = WEFT_PLAN_NONE;
  flush(self);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const weft_buffer_contents *table = &tables->buffers[id];
    if (!table->filled || !table->data) continue;
    const weft_plan_table own = plan_table(self, id, table->data);
    packed = own > packed ? own : packed;
    weft_self_work_wrote(&self->self, (weft_buffer_id)id);
  }
  weft_memory_refill(&self->memory, tables);
  const weft_plan_desc desc = desc_of(self);
  bool holds = packed != WEFT_PLAN_OTHER;
  for (uint32_t k = 0; k < self->plan_count && packed == WEFT_PLAN_NUMBERS && holds; ++k) {
    holds = weft_plan_refresh(self->plans[k], &desc);
  }
  if (!holds) forget_plans(self);
  self->remembers = self->remembers || packed == WEFT_PLAN_NUMBERS;
  return WEFT_OK;
}

static weft_buffer_id cpu_broken_guard(void *instance) {
  weft_cpu *self = instance;
  flush(self);
  return weft_memory_broken_guard(&self->memory);
}

weft_backend weft_cpu_backend_of(const weft_cpu_desc *desc) {
  return (weft_backend){
      .name = "cpu",
      .context = (void *)(uintptr_t)desc,
      .create = cpu_create,
      .destroy = cpu_destroy,
      .run = cpu_run,
      .finish = cpu_finish,
      .check = cpu_check,
      .read = cpu_read,
      .elements = cpu_elements,
      .write = cpu_write,
      .save = cpu_save,
      .restore = cpu_restore,
      .unmoved = cpu_unmoved,
      .resize = cpu_resize,
      .refill = cpu_refill,
      .need = cpu_need,
      .broken_guard = cpu_broken_guard,
  };
}

static weft_cpu_desc descs[WEFT_THREAD_POOL_MAX + 1];
static weft_backend backends[WEFT_THREAD_POOL_MAX + 1];

static void make_backends(void) {
  for (uint32_t threads = 0; threads <= WEFT_THREAD_POOL_MAX; ++threads) {
    descs[threads] = (weft_cpu_desc){.threads = threads, .tile = WEFT_CPU_TILE};
    backends[threads] = weft_cpu_backend_of(&descs[threads]);
  }
}

const weft_backend *weft_backend_cpu(uint32_t threads) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_backends);
  return &backends[threads < WEFT_THREAD_POOL_MAX ? threads : WEFT_THREAD_POOL_MAX];
}

const char *weft_backend_cpu_describe(void) { return weft_lanes_best()->name; }
