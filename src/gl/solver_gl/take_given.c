/* take_given.c: targets of pins and positions of bodies, from buffers of the caller's into those of
 * their paths; see shaders/solver/take.comp, and core's given.c for what the host knows. */
#include <string.h>

#include "solver_gl_internal.h"

enum { GROUP = 64, ORIGIN_WORDS = 4 };

/* Which places of paths were last given; made when first asked for. */
struct weft_gl_given {
  GLuint program; /* the context's */
  weft_gl_buffer places;
  uint32_t *words; /* as in the buffer */
  uint32_t count;  /* of pins in it */
};

/* What is taken. */
typedef struct taking {
  weft_buffer_id paths;
  uint32_t what, first, count; /* WEFT_TAKE_; the first of a body's; how many */
} taking;

void weft_gl_given_free(weft_gl_instance *self) {
  struct weft_gl_given *given = self->given;
  if (!given) return;
  weft_gl_buffer_destroy(&given->places);
  weft_free(given->words);
  weft_free(given);
  self->given = NULL;
}

static weft_result make(weft_gl_instance *self, weft_error *err) {
  if (self->given) return WEFT_OK;
  struct weft_gl_given *given = self->given = weft_alloc(1, sizeof *given);
  const uint64_t words = ORIGIN_WORDS + self->counts[WEFT_BUFFER_PINS];
  given->words = weft_alloc((size_t)words, sizeof *given->words);
  weft_result result = weft_gl_find_program(self->gl, "solver/take.comp", NULL, weft_strdup(""),
                                            &given->program, err);
  if (result == WEFT_OK) result = weft_gl_end_programs(self->gl, err);
  if (result == WEFT_OK)
    result = weft_gl_buffer_create(self->gl, "places of what is given", 4 * words, 0,
                                   GL_DYNAMIC_DRAW, NULL, &given->places, err);
  if (result != WEFT_OK) weft_gl_given_free(self);
  return result;
}

/* ---- what the caller gives ---- */

static weft_result check_view(const weft_gl_view *view, weft_error *err) {
  enum { POSITION = 3 * sizeof(float) };
  GLint64 bytes = 0;
  if (view->offset % 4 || view->stride % 4 || view->stride < POSITION) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "an offset of %llu and a stride of %u bytes: multiples of 4, and a stride of "
                     "at least 12",
                     (unsigned long long)view->offset, view->stride);
  }
  if (!glIsBuffer(view->buffer)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%u is no buffer of the current context",
                     view->buffer);
  }
  glBindBuffer(GL_COPY_READ_BUFFER, view->buffer);
  glGetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &bytes);
  const uint64_t end =
      view->count ? view->offset + (uint64_t)(view->count - 1) * view->stride + POSITION : 0;
  if (end <= (uint64_t)bytes) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "%u positions end %llu bytes behind the start of a buffer of %llu", view->count,
                   (unsigned long long)end, (unsigned long long)bytes);
}

/* From the last place in front that a block may begin at; *words lie between. */
static weft_gl_range range_of(const weft_gl *gl, const weft_gl_view *view, uint32_t *words) {
  const uint64_t first = view->offset / gl->limits.storage_alignment * gl->limits.storage_alignment;
  const uint64_t end = view->offset + (uint64_t)(view->count - 1) * view->stride + 12;
  *words = (uint32_t)((view->offset - first) / 4);
  return (weft_gl_range){view->buffer, (GLintptr)first, (GLsizeiptr)(end - first)};
}

/* The origin and the places, where they are others than before. */
static void tell_places(weft_gl_instance *self, const weft_solver *solver,
                        const uint32_t *particles, uint32_t count) {
  struct weft_gl_given *given = self->given;
  const weft_vec3d o = solver->origin;
  const float origin[ORIGIN_WORDS] = {(float)o.x, (float)o.y, (float)o.z, 0};
  bool anew = memcmp(given->words, origin, sizeof origin) != 0 || given->count < count;
  memcpy(given->words, origin, sizeof origin);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t pin = particles ? weft_solver_pin_index(solver, particles[k]) : k;
    anew = anew || given->words[ORIGIN_WORDS + k] != pin;
    given->words[ORIGIN_WORDS + k] = pin;
  }
  if (!anew) return;
  if (given->count < count) given->count = count;
  weft_gl_buffer_write(&given->places, 0, 4 * (uint64_t)(ORIGIN_WORDS + given->count),
                       given->words);
}

/* ---- passes ---- */

static void run(weft_gl_instance *self, const taking *t, const weft_gl_view *view) {
  weft_gl_programs *shared = self->shared;
  struct weft_gl_given *given = self->given;
  weft_pass pass = {
      .count = t->count, .acts = t->what, .group = t->first, .round = self->strides[t->paths] / 4};
  if (t->count == 0) return;
  if (view) {
    const weft_gl_range range = range_of(self->gl, view, &pass.first);
    pass.steps = view->stride / 4;
    weft_gl_set_range(shared, GL_SHADER_STORAGE_BUFFER, 1, &range);
  }
  weft_gl_set_program(shared, given->program);
  weft_gl_bind_pass(self, &pass);
  weft_gl_bind_single(self, t->paths, 0);
  weft_gl_set_range(shared, GL_SHADER_STORAGE_BUFFER, 2,
                    &(weft_gl_range){given->places.name, 0, (GLsizeiptr)given->places.size});
  if (!view) weft_gl_bind_single(self, t->paths, 1); /* of no use */
  weft_gl_barrier(shared, GL_SHADER_STORAGE_BARRIER_BIT);
  weft_gl_dispatch(shared, (t->count + GROUP - 1) / GROUP);
  weft_gl_make_visible(self, false);
  weft_gl_forget(shared);
}

/* Once a frame is done its paths start where they ended. */
static void end_paths(weft_gl_instance *self, weft_buffer_id paths, uint32_t first,
                      uint32_t count) {
  run(self, &(taking){paths, WEFT_TAKE_OVER, first, count}, NULL);
}

weft_result weft_solver_gl_move_pins(weft_solver *solver, const uint32_t *particles,
                                     const weft_gl_view *targets, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(targets);
  weft_gl_instance *self = weft_gl_instance_of(solver, err);
  if (!self) return WEFT_ERROR_ARGUMENT;
  const uint32_t count = targets->count;
  if (count > solver->pinned_count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "targets for %u pins, the model has %u", count,
                     solver->pinned_count);
  }
  for (uint32_t k = 0; k < count && particles; ++k) {
    if (weft_solver_pin_index(solver, particles[k]) != UINT32_MAX) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "particle %u is not pinned", particles[k]);
  }
  if (count == 0) return WEFT_OK;
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  weft_gl_take_over(self);
  weft_result result = check_view(targets, err);
  if (result == WEFT_OK) result = make(self, err);
  if (result != WEFT_OK) return result;
  if (solver->pins_given == WEFT_GIVEN_NOT) weft_solver_upload_pins(solver);
  if (solver->pins_given == WEFT_GIVEN_OVER)
    end_paths(self, WEFT_BUFFER_PINS, 0, solver->pinned_count);
  tell_places(self, solver, particles, count);
  run(self, &(taking){WEFT_BUFFER_PINS, WEFT_TAKE_PINS, 0, count}, targets);
  solver->pins_given = WEFT_GIVEN_NOW;
  solver->pins_moving = true;
  return WEFT_OK;
}

weft_result weft_solver_gl_move_body(weft_solver *solver, uint32_t body,
                                     const weft_gl_view *positions, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(positions);
  weft_gl_instance *self = weft_gl_instance_of(solver, err);
  if (!self) return WEFT_ERROR_ARGUMENT;
  const bool there = body < solver->params.body_count;
  const uint32_t count = there ? solver->bodies[body].mesh->vertex_count : 0;
  if (!there || positions->count != count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     there ? "body %u has %u vertices, and %u are given" : "body %u does not exist",
                     body, count, positions->count);
  }
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  weft_gl_take_over(self);
  weft_result result = check_view(positions, err);
  if (result == WEFT_OK) result = make(self, err);
  if (result != WEFT_OK) return result;
  weft_body_state *state = &solver->body_state[body];
  const uint32_t first = state->first;
  state->moved = true;
  state->awake = weft_solver_frames_awake(solver);
  if (state->given == WEFT_GIVEN_NOT) weft_solver_upload_body(solver, body);
  if (state->given == WEFT_GIVEN_OVER) end_paths(self, WEFT_BUFFER_BODY_PATHS, first, count);
  tell_places(self, solver, NULL, 0);
  run(self, &(taking){WEFT_BUFFER_BODY_PATHS, WEFT_TAKE_BODY, first, count}, positions);
  state->given = WEFT_GIVEN_NOW;
  return WEFT_OK;
}
