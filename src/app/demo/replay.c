/* replay.c: recording, and running once more. */
#include "replay.h"

#include <string.h>
#include <weft/change.h>

static bool is_kept(int id) { return weft_buffer_infos[id].use == WEFT_USE_STATE; }

static weft_result shift(const weft_demo_input *input, weft_scene_instance *scene,
                         weft_solver *solver, weft_error *err) {
  switch (input->shape.kind) {
    case WEFT_DEMO_COLLIDER:
      return weft_solver_move_collider(solver, input->shape.index, input->offset, err);
    case WEFT_DEMO_BODY:
      return weft_scene_shift_body(scene, solver, input->shape.index, input->offset, err);
    case WEFT_DEMO_NO_SHAPE:
      break;
  }
  return WEFT_OK;
}

static weft_result blow(weft_solver *solver, weft_vec3 wind, weft_error *err) {
  weft_params params = *weft_solver_params(solver);
  params.wind = wind;
  return weft_solver_set_params(solver, &params, err);
}

weft_result weft_demo_input_give(const weft_demo_input *input, weft_scene_instance *scene,
                                 weft_solver *solver, weft_error *err) {
  weft_result result = blow(solver, input->wind, err);
  if (result != WEFT_OK) return result;
  weft_solver_set_grab_state(solver, &input->grab);
  result = shift(input, scene, solver, err);
  if (result != WEFT_OK || input->pin == WEFT_NO_PARTICLE) return result;
  return weft_solver_move_pins(solver, &input->pin, &input->pin_target, 1, err);
}

/* ---- recording ---- */

void weft_demo_replay_close(weft_demo_replay *replay) {
  for (int s = 0; s < 2; ++s) {
    for (int k = 0; k < WEFT_BUFFER_COUNT; ++k) {
      if (replay->states[s].copies[k].name) weft_gl_buffer_destroy(&replay->states[s].copies[k]);
    }
    weft_free(replay->states[s].pin_from);
    weft_free(replay->states[s].pin_to);
    weft_free(replay->states[s].body_ways);
    weft_free(replay->states[s].body_awake);
    weft_free(replay->states[s].shapes);
    weft_free(replay->states[s].offsets);
  }
  *replay = (weft_demo_replay){0};
}

void weft_demo_replay_forget(weft_demo_replay *replay) {
  replay->states[0].valid = replay->states[1].valid = false;
}

/* The solver may have changed, or a list of self-collision have grown. False: no memory. */
static bool fit(weft_gl *gl, weft_gl_buffer *copy, uint64_t size) {
  if (copy->name && copy->size == size) return true;
  if (copy->name) weft_gl_buffer_destroy(copy);
  return weft_gl_buffer_create(gl, "demo replay", size, 0, GL_DYNAMIC_COPY, NULL, copy, NULL) ==
         WEFT_OK;
}

static void *again(void *room, size_t count, size_t size) {
  weft_free(room);
  return weft_alloc(count, size);
}

static void make_room(weft_demo_replay_state *state, const weft_solver *solver) {
  const weft_params *params = weft_solver_params(solver);
  const size_t pins = weft_solver_pins(solver).count;
  const size_t shapes = (size_t)params->collider_count + params->body_count;
  state->pin_from = again(state->pin_from, pins, sizeof *state->pin_from);
  state->pin_to = again(state->pin_to, pins, sizeof *state->pin_to);
  state->body_ways =
      again(state->body_ways, weft_bodies_of(params).particles, sizeof *state->body_ways);
  state->body_awake = again(state->body_awake, params->body_count, sizeof *state->body_awake);
  state->shapes = again(state->shapes, weft_solver_shape_count(solver), sizeof *state->shapes);
  state->offsets = again(state->offsets, shapes, sizeof *state->offsets);
}

static void copy_state(weft_gl *gl, weft_demo_replay_state *state, const weft_scene_instance *scene,
                       const weft_solver *solver) {
  state->valid = false;
  make_room(state, solver);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  for (int k = 0; k < WEFT_BUFFER_COUNT; ++k) {
    weft_gl_view view = {0};
    if (!is_kept(k)) continue;
    weft_solver_gl_view(solver, (weft_buffer_id)k, &view);
    if (!fit(gl, &state->copies[k], view.size)) return;
    if (view.size == 0) continue;
    glBindBuffer(GL_COPY_READ_BUFFER, view.buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, state->copies[k].name);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)view.offset, 0,
                        (GLsizeiptr)view.size);
  }
  const weft_pins_view pins = weft_solver_pins(solver);
  size_t bytes = pins.count * sizeof *state->pin_from;
  if (bytes) {
    memcpy(state->pin_from, pins.from, bytes);
    memcpy(state->pin_to, pins.to, bytes);
  }
  weft_solver_keep_bodies(solver, state->body_ways, state->body_awake);
  weft_solver_keep_shapes(solver, state->shapes);
  const weft_params *params = weft_solver_params(solver);
  for (uint32_t c = 0; c < params->collider_count; ++c) {
    state->offsets[c] = params->colliders[c].offset;
  }
  for (uint32_t b = 0; b < params->body_count; ++b) {
    state->offsets[params->collider_count + b] = scene->body_sources[b].offset;
  }
  state->frame = weft_solver_frame(solver);
  state->origin = weft_solver_origin(solver);
  state->valid = true;
}

static weft_demo_replay_state *older(weft_demo_replay *replay) {
  weft_demo_replay_state *a = &replay->states[0], *b = &replay->states[1];
  if (!a->valid || !b->valid) return a->valid ? a : b;
  return a->frame < b->frame ? a : b;
}

static weft_demo_replay_state *newer(weft_demo_replay *replay) {
  weft_demo_replay_state *old = older(replay), *other = &replay->states[old == &replay->states[0]];
  return other->valid ? other : old;
}

static weft_demo_replay_state *spare(weft_demo_replay *replay) {
  if (!replay->states[0].valid) return &replay->states[0];
  return replay->states[1].valid ? older(replay) : &replay->states[1];
}

void weft_demo_replay_record(weft_demo_replay *replay, const weft_scene_instance *scene,
                             const weft_solver *solver, const weft_demo_input *input) {
  const weft_demo_replay_state *last = newer(replay);
  if (!last->valid || weft_solver_frame(solver) >= last->frame + WEFT_DEMO_REPLAY_FRAMES) {
    copy_state(replay->gl, spare(replay), scene, solver);
  }
  replay->inputs[weft_solver_frame(solver) % (2 * WEFT_DEMO_REPLAY_FRAMES)] = *input;
}

const weft_demo_input *weft_demo_replay_input(const weft_demo_replay *replay, uint64_t frame) {
  return &replay->inputs[frame % (2 * WEFT_DEMO_REPLAY_FRAMES)];
}

/* ---- running once more ---- */

typedef struct rerun {
  weft_demo_replay *replay;
  weft_scene_instance *scene;
  weft_solver *live, *again, *ref;
  weft_kept_state start, ends[2];
  weft_vec3
      offsets[WEFT_MAX_BODIES]; /* of the scene's bodies now; meanwhile they have those of then */
  const char *name;
  weft_demo_verdict *verdict;
} rerun;

/* As the live one was: where colliders are then, bodies inside of them get their rest pose. */
static weft_result make_solvers(rerun *r, weft_error *err) {
  const weft_model *model = weft_solver_model(r->live);
  weft_params params = *weft_solver_params(r->live);
  weft_collider *colliders = weft_alloc(params.collider_count, sizeof *colliders);
  for (uint32_t c = 0; c < params.collider_count; ++c) {
    colliders[c] = params.colliders[c];
    colliders[c].offset = weft_solver_collider_home(r->live, c);
  }
  params.colliders = colliders;
  weft_result result =
      weft_solver_create(model, &params, weft_solver_backend(r->live), &r->again, err);
  if (result == WEFT_OK) {
    result = weft_solver_create(model, &params, weft_backend_ref(), &r->ref, err);
  }
  weft_free(colliders);
  return result;
}

static weft_result load_start(rerun *r, const weft_demo_replay_state *state, weft_error *err) {
  weft_kept_state_alloc(r->live, &r->start);
  weft_kept_state_alloc(r->live, &r->ends[0]);
  weft_kept_state_alloc(r->live, &r->ends[1]);
  for (int k = 0; k < WEFT_BUFFER_COUNT; ++k) {
    if (!is_kept(k)) continue;
    weft_gl_buffer_read(&state->copies[k], 0, state->copies[k].size, r->start.elements[k]);
  }
  size_t bytes = weft_solver_pins(r->live).count * sizeof *state->pin_from;
  if (bytes) {
    memcpy(r->start.pin_from, state->pin_from, bytes);
    memcpy(r->start.pin_to, state->pin_to, bytes);
  }
  const weft_params *params = weft_solver_params(r->live);
  size_t vertices = weft_bodies_of(params).particles;
  if (vertices) memcpy(r->start.body_ways, state->body_ways, vertices * sizeof *state->body_ways);
  for (uint32_t b = 0; b < params->body_count; ++b) r->start.body_awake[b] = state->body_awake[b];
  const uint32_t shapes = weft_solver_shape_count(r->live);
  if (shapes) memcpy(r->start.shapes, state->shapes, shapes * sizeof *state->shapes);
  for (uint32_t c = 0; c < params->collider_count; ++c) {
    r->start.colliders_to[c] = params->colliders[c];
    r->start.colliders_to[c].offset = state->offsets[c];
    r->start.colliders_from[c] = r->start.colliders_to[c];
  }
  for (uint32_t b = 0; b < params->body_count; ++b) {
    r->offsets[b] = r->scene->body_sources[b].offset;
    r->scene->body_sources[b].offset = state->offsets[params->collider_count + b];
  }
  r->start.frame = state->frame;
  r->start.origin = state->origin;
  weft_result result = weft_solver_follow(r->again, r->live, err);
  if (result == WEFT_OK) result = weft_solver_follow(r->ref, r->live, err);
  if (result != WEFT_OK) return result;
  weft_solver_restore(r->again, &r->start);
  weft_solver_restore(r->ref, &r->start);
  return WEFT_OK;
}

/* The first word of positions or velocities in which the two ends differ. */
static bool parted(rerun *r, const char *where) {
  size_t words = (size_t)4 * weft_model_particle_count(weft_solver_model(r->live));
  for (int what = 0; what < 2; ++what) {
    const uint32_t *a = (const uint32_t *)(what ? r->ends[0].v : r->ends[0].x);
    const uint32_t *b = (const uint32_t *)(what ? r->ends[1].v : r->ends[1].x);
    for (size_t k = 0; k < words; ++k) {
      if (a[k] == b[k]) continue;
      float values[2];
      memcpy(&values[0], &a[k], 4);
      memcpy(&values[1], &b[k], 4);
      snprintf(r->verdict->text, sizeof r->verdict->text,
               "DIFFERENT: first %s, in the %s of particle %zu, component %zu: reference %.9g, "
               "%s %.9g",
               where, what ? "velocity" : "position", k / 4, k % 4, (double)values[0], r->name,
               (double)values[1]);
      return true;
    }
  }
  r->verdict->components += words / 4 * 6;
  return false;
}

static weft_result compare(rerun *r, weft_solver *a, weft_solver *b, const char *where, bool *equal,
                           weft_error *err) {
  weft_result result = weft_solver_keep(a, &r->ends[0], err);
  if (result == WEFT_OK) result = weft_solver_keep(b, &r->ends[1], err);
  if (result == WEFT_OK) *equal = !parted(r, where);
  return result;
}

static weft_result begin(rerun *r, weft_solver *solver, weft_error *err) {
  const weft_demo_input *input = weft_demo_replay_input(r->replay, weft_solver_frame(solver));
  weft_result result = weft_demo_input_give(input, r->scene, solver, err);
  if (result == WEFT_OK) result = weft_scene_lead(r->scene, solver, err);
  if (result == WEFT_OK) weft_solver_begin_frame(solver);
  return result;
}

static weft_result run_frame(rerun *r, bool *equal, weft_error *err) {
  weft_result result = begin(r, r->again, err);
  if (result == WEFT_OK) result = begin(r, r->ref, err);
  for (uint32_t s = 0; s < weft_solver_params(r->live)->substeps && *equal && result == WEFT_OK;
       ++s) {
    char where[64];
    snprintf(where, sizeof where, "in frame %llu, substep %u",
             (unsigned long long)weft_solver_frame(r->ref) + 1, s + 1);
    weft_solver_run_substep(r->again, s);
    weft_solver_run_substep(r->ref, s);
    result = compare(r, r->ref, r->again, where, equal, err);
  }
  weft_solver_end_frame(r->again);
  weft_solver_end_frame(r->ref);
  return result;
}

static weft_result run(rerun *r, weft_error *err) {
  bool equal = true;
  weft_result result = WEFT_OK;
  uint64_t frames = weft_solver_frame(r->live) - r->start.frame;
  while (weft_solver_frame(r->ref) < weft_solver_frame(r->live) && equal && result == WEFT_OK) {
    result = run_frame(r, &equal, err);
  }
  if (equal && result == WEFT_OK) {
    result = compare(r, r->ref, r->live, "against what was shown, though equal when run again",
                     &equal, err);
  }
  r->verdict->compared = result == WEFT_OK;
  r->verdict->equal = equal;
  if (!equal || result != WEFT_OK) return result;
  char values[32];
  weft_group_digits(values, r->verdict->components);
  snprintf(r->verdict->text, sizeof r->verdict->text,
           "%s = reference in all %s values of %llu substeps, frames %llu to %llu", r->name, values,
           (unsigned long long)(frames * weft_solver_params(r->live)->substeps),
           (unsigned long long)r->start.frame + 1, (unsigned long long)weft_solver_frame(r->live));
  return result;
}

weft_result weft_demo_replay_validate(weft_demo_replay *replay, weft_scene_instance *scene,
                                      weft_solver *live, const char *name,
                                      weft_demo_verdict *verdict, weft_error *err) {
  *verdict = (weft_demo_verdict){0};
  const weft_demo_replay_state *state = older(replay);
  if (!state->valid || state->frame >= weft_solver_frame(live)) {
    snprintf(verdict->text, sizeof verdict->text, "no frame has run yet");
    return WEFT_OK;
  }
  rerun r = {.replay = replay, .scene = scene, .live = live, .name = name, .verdict = verdict};
  weft_result result = make_solvers(&r, err);
  if (result == WEFT_OK) {
    result = load_start(&r, state, err);
    if (result == WEFT_OK) result = run(&r, err);
    for (uint32_t b = 0; b < scene->params.body_count; ++b) {
      scene->body_sources[b].offset = r.offsets[b];
    }
  }
  weft_kept_state_free(&r.start);
  weft_kept_state_free(&r.ends[0]);
  weft_kept_state_free(&r.ends[1]);
  weft_solver_destroy(r.again);
  weft_solver_destroy(r.ref);
  return result;
}
