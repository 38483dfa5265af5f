/* inspect.c: access to the inside of a solver. */
#include "inspect.h"

#include <string.h>

#include "solver.h"

/* ---- names ---- */

const char *weft_mode_name(weft_mode mode) {
  return weft_param_infos[WEFT_PARAM_mode].choices[mode];
}
const char *weft_schedule_name(weft_schedule schedule) {
  return weft_param_infos[WEFT_PARAM_schedule].choices[schedule];
}

/* ---- what a solver has ---- */

const weft_backend *weft_solver_backend(const weft_solver *solver) { return solver->backend; }

bool weft_solver_runs_single(const weft_solver *solver) { return solver->single; }

size_t weft_solver_pass_count(const weft_solver *solver) { return solver->passes.count; }

const weft_pass *weft_solver_pass(const weft_solver *solver, size_t index) {
  WEFT_CHECK(index < solver->passes.count, "a substep has fewer passes");
  return &solver->passes.items[index];
}

weft_result weft_solver_strides(const weft_solver *solver, uint32_t strides[WEFT_BUFFER_COUNT],
                                weft_error *err) {
  weft_contents contents;
  weft_result result = WEFT_OK;
  if (solver->backend->contents) {
    result = solver->backend->contents(solver->model, &solver->params, &contents, err);
  } else {
    weft_contents_init(&contents);
  }
  if (result != WEFT_OK) return result;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) strides[id] = contents.buffers[id].stride;
  weft_contents_free(&contents);
  return WEFT_OK;
}

weft_pins_view weft_solver_pins(const weft_solver *solver) {
  return (weft_pins_view){solver->pinned_count, solver->pin_particles, solver->pin_from,
                          solver->pin_to};
}

/* ---- running ---- */

void weft_solver_run_pass(weft_solver *solver, const weft_pass *pass, uint32_t substep) {
  if (weft_solver_pass_active(solver, pass)) solver->backend->run(solver->instance, pass, substep);
}

void weft_solver_finish(weft_solver *solver) { solver->backend->finish(solver->instance); }

weft_result weft_solver_check(weft_solver *solver, const char *what, weft_error *err) {
  return solver->backend->check(solver->instance, what, err);
}

weft_result weft_solver_follow(weft_solver *solver, const weft_solver *leader, weft_error *err) {
  WEFT_CHECK(solver->pinned_count == leader->pinned_count, "solvers of other models");
  size_t bytes = leader->pinned_count * sizeof *leader->pin_from;
  if (bytes) {
    memcpy(solver->pin_from, leader->pin_from, bytes);
    memcpy(solver->pin_to, leader->pin_to, bytes);
  }
  WEFT_CHECK(solver->body_particles == leader->body_particles, "solvers of other bodies");
  weft_solver_follow_bodies(solver, leader);
  weft_solver_follow_shapes(solver, leader);
  solver->frame = leader->frame;
  solver->began = leader->began;
  solver->origin = leader->origin; /* since its buffers will be overwritten with the leader's */
  if (solver->params.self_room >= leader->params.self_room) return WEFT_OK;
  return weft_solver_give_room(solver, leader->params.self_room, err);
}

weft_grab_state weft_solver_grab_state(const weft_solver *solver) { return solver->grab; }
void weft_solver_set_grab_state(weft_solver *solver, const weft_grab_state *grab) {
  solver->grab = *grab;
  if (grab->count > 0)
    weft_grab_strength(solver); /* the leader may have been grabbed with other
                                   substeps */
}

/* ---- observed passes: a wrapper around the solver's backend ---- */

struct weft_observed {
  weft_backend backend; /* the solver's meanwhile */
  weft_solver *solver;
  const weft_backend *inner;
  void *instance;
  weft_pass_observer observer;
};

static void end_pass(const weft_observed *o, int kind) {
  if (o->observer.wait) o->inner->finish(o->instance);
  o->observer.after(o->observer.user, kind);
}

static void observed_run(void *instance, const weft_pass *pass, uint32_t substep) {
  const weft_observed *o = instance;
  if (!weft_pass_runs(pass, substep)) return;
  o->observer.before(o->observer.user, (int)pass->kind);
  o->inner->run(o->instance, pass, substep);
  end_pass(o, (int)pass->kind);
}

static void observed_run_single(void *instance, const weft_single_run *run) {
  const weft_observed *o = instance;
  o->observer.before(o->observer.user, WEFT_PASS_SINGLE);
  o->inner->run_single(o->instance, run);
  end_pass(o, WEFT_PASS_SINGLE);
}

static void observed_finish(void *instance) {
  const weft_observed *o = instance;
  o->observer.before(o->observer.user, WEFT_TIMED_KINDS);
  o->inner->finish(o->instance);
}

static weft_result observed_check(void *instance, const char *what, weft_error *err) {
  const weft_observed *o = instance;
  return o->inner->check(o->instance, what, err);
}

static void observed_read(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                          void *data) {
  const weft_observed *o = instance;
  o->inner->read(o->instance, id, first, count, data);
}

static const void *observed_elements(void *instance, weft_buffer_id id) {
  const weft_observed *o = instance;
  return o->inner->elements(o->instance, id);
}

static void observed_write(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                           const void *data) {
  const weft_observed *o = instance;
  o->inner->write(o->instance, id, first, count, data);
}

static void observed_save(void *instance) {
  const weft_observed *o = instance;
  o->inner->save(o->instance);
}

static void observed_restore(void *instance) {
  const weft_observed *o = instance;
  o->inner->restore(o->instance);
}

static void observed_unmoved(void *instance, uint64_t first, uint64_t count, bool *unmoved) {
  const weft_observed *o = instance;
  o->inner->unmoved(o->instance, first, count, unmoved);
}

static weft_result observed_resize(void *instance, const weft_self_room *room, weft_error *err) {
  const weft_observed *o = instance;
  return o->inner->resize(o->instance, room, err);
}

weft_observed *weft_solver_observe(weft_solver *solver, const weft_pass_observer *observer) {
  weft_observed *o = weft_alloc(1, sizeof *o);
  *o = (weft_observed){.backend = *solver->backend,
                       .solver = solver,
                       .inner = solver->backend,
                       .instance = solver->instance,
                       .observer = *observer};
  o->backend.run = observed_run;
  o->backend.run_single = observed_run_single;
  o->backend.finish = observed_finish;
  o->backend.check = observed_check;
  o->backend.read = observed_read;
  if (o->inner->elements) o->backend.elements = observed_elements;
  o->backend.write = observed_write;
  o->backend.save = observed_save;
  o->backend.restore = observed_restore;
  o->backend.unmoved = observed_unmoved;
  o->backend.resize = observed_resize;
  solver->backend = &o->backend;
  solver->instance = o;
  return o;
}

void weft_solver_observe_end(weft_observed *o) {
  o->solver->backend = o->inner;
  o->solver->instance = o->instance;
  weft_free(o);
}

/* ---- a backend alone ---- */

struct weft_instance {
  const weft_backend *backend;
  void *own; /* the backend's */
};

weft_result weft_instance_create(const weft_backend *backend, weft_contents *contents,
                                 uint32_t guard, weft_instance **instance, weft_error *err) {
  *instance = NULL;
  void *own = NULL;
  weft_result result = backend->create(backend, contents, guard, &own, err);
  if (result != WEFT_OK) return result;
  *instance = weft_alloc(1, sizeof **instance);
  **instance = (weft_instance){backend, own};
  return WEFT_OK;
}

void weft_instance_destroy(weft_instance *instance) {
  if (!instance) return;
  instance->backend->destroy(instance->own);
  weft_free(instance);
}

void weft_instance_run(weft_instance *instance, const weft_pass *pass, uint32_t substep) {
  instance->backend->run(instance->own, pass, substep);
}

void weft_instance_read(weft_instance *instance, weft_buffer_id id, uint64_t count, void *data) {
  instance->backend->finish(instance->own);
  if (count) instance->backend->read(instance->own, id, 0, count, data);
}

weft_buffer_id weft_instance_broken_guard(weft_instance *instance) {
  return instance->backend->broken_guard(instance->own);
}
