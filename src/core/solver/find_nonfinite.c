/* find_nonfinite.c: runs the frames since the last finite state again and checks after each
 * pass. */
#include "find_nonfinite.h"
#include "solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- states ---- */

void weft_kept_state_alloc(const weft_solver *solver, weft_kept_state *state) {
  uint32_t pins = solver->pinned_count;
  uint32_t colliders = solver->params.collider_count;
  *state = (weft_kept_state){.pin_from = weft_alloc(pins, sizeof *state->pin_from),
                             .pin_to = weft_alloc(pins, sizeof *state->pin_to),
                             .pins = pins,
                             .colliders_from = weft_alloc(colliders, sizeof(weft_collider)),
                             .colliders_to = weft_alloc(colliders, sizeof(weft_collider))};
  state->body_ways = weft_alloc(solver->body_particles, sizeof *state->body_ways);
  state->body_awake = weft_alloc(solver->params.body_count, sizeof *state->body_awake);
  state->shapes = weft_alloc(solver->shapes.count, sizeof *state->shapes);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (weft_buffer_infos[id].use != WEFT_USE_STATE) continue;
    uint64_t rows = weft_solver_buffer_count(solver, (weft_buffer_id)id);
    state->elements[id] = weft_alloc((size_t)rows, weft_buffer_infos[id].stride);
    state->counts[id] = rows;
  }
  state->x = state->elements[WEFT_BUFFER_X];
  state->v = state->elements[WEFT_BUFFER_V];
}

void weft_kept_state_free(weft_kept_state *state) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) weft_free(state->elements[id]);
  weft_free(state->body_ways);
  weft_free(state->body_awake);
  weft_free(state->shapes);
  weft_free(state->pin_from);
  weft_free(state->pin_to);
  weft_free(state->colliders_from);
  weft_free(state->colliders_to);
  weft_soft_free(&state->soft);
  *state = (weft_kept_state){0};
}

/* The state was there before the call that keeps memory in it. */
static void *lasting(size_t count, size_t size) {
  void *memory = weft_alloc(count, size);
  weft_keep_memory(memory);
  return memory;
}

/* Particles may have been pinned or released since. */
static void size_pins(weft_kept_state *state, uint32_t pins) {
  if (pins == state->pins) return;
  weft_free(state->pin_from);
  weft_free(state->pin_to);
  state->pin_from = state->pin_to = NULL;
  state->pins = 0;
  state->pin_from = lasting(pins, sizeof *state->pin_from);
  state->pin_to = lasting(pins, sizeof *state->pin_to);
  state->pins = pins;
}

static void keep_pins(const weft_solver *solver, weft_kept_state *state) {
  size_pins(state, solver->pinned_count);
  size_t bytes = solver->pinned_count * sizeof *state->pin_from;
  if (bytes) {
    memcpy(state->pin_from, solver->pin_from, bytes);
    memcpy(state->pin_to, solver->pin_to, bytes);
  }
  for (uint32_t c = 0; c < solver->params.collider_count; ++c) {
    const double now = weft_solver_time(solver);
    state->colliders_from[c] = weft_collider_without_keys(&solver->colliders_from[c], now);
    state->colliders_to[c] = weft_collider_without_keys(&solver->colliders[c], now);
  }
  weft_solver_keep_bodies(solver, state->body_ways, state->body_awake);
  weft_solver_keep_shapes(solver, state->shapes);
  weft_soft_copy(&state->soft, &solver->soft);
  state->pins_moving = solver->pins_moving;
  state->frame = solver->frame;
  state->origin = solver->origin;
}

void weft_solver_keep_elements(weft_solver *solver, weft_kept_state *state) {
  for (int k = 0; k < WEFT_BUFFER_COUNT; ++k) {
    weft_buffer_id id = (weft_buffer_id)k;
    const uint64_t rows = weft_solver_buffer_count(solver, id);
    if (weft_buffer_infos[k].use != WEFT_USE_STATE) continue;
    if (rows != state->counts[k]) { /* a list that has grown */
      weft_free(state->elements[k]);
      state->elements[k] = NULL;
      state->counts[k] = 0;
      state->elements[k] = lasting((size_t)rows, weft_buffer_infos[k].stride);
      state->counts[k] = rows;
    }
    weft_solver_read_buffer(solver, id, 0, rows, state->elements[k]);
  }
}

weft_result weft_solver_keep(weft_solver *solver, weft_kept_state *state, weft_error *err) {
  weft_solver_keep_elements(solver, state);
  keep_pins(solver, state);
  return solver->backend->check(solver->instance, "reading the state", err);
}

void weft_solver_restore_elements(weft_solver *solver, const weft_kept_state *state) {
  for (int k = 0; k < WEFT_BUFFER_COUNT; ++k) {
    weft_buffer_id id = (weft_buffer_id)k;
    const uint64_t rows = weft_solver_buffer_count(solver, id);
    if (!state->elements[k]) continue;
    weft_solver_write_buffer(solver, id, 0, rows < state->counts[k] ? rows : state->counts[k],
                             state->elements[k]);
  }
}

/* Keys are each solver's own. */
static void place_collider(weft_collider *to, const weft_collider *from) {
  const weft_collider own = *to;
  *to = *from;
  to->keys = own.keys;
  to->key_count = own.key_count;
}

void weft_solver_restore(weft_solver *solver, const weft_kept_state *state) {
  solver->origin = state->origin;
  weft_solver_restore_elements(solver, state);
  size_t bytes = solver->pinned_count * sizeof *state->pin_from;
  if (bytes) {
    memcpy(solver->pin_from, state->pin_from, bytes);
    memcpy(solver->pin_to, state->pin_to, bytes);
  }
  for (uint32_t c = 0; c < solver->params.collider_count; ++c) {
    place_collider(&solver->colliders_from[c], &state->colliders_from[c]);
    place_collider(&solver->colliders[c], &state->colliders_to[c]);
  }
  size_t ways = solver->body_particles * sizeof *state->body_ways;
  if (ways) memcpy(solver->body_ways, state->body_ways, ways);
  for (uint32_t b = 0; b < solver->params.body_count; ++b) {
    solver->body_state[b].awake = state->body_awake[b];
  }
  weft_solver_settle_bodies(solver);
  weft_solver_restore_shapes(solver, state->shapes);
  weft_soft_copy(&solver->soft, &state->soft);
  solver->pins_moving = state->pins_moving;
  solver->frame = state->frame;
}

/* The first element with an infinite or NaN component, or `elements`. */
static uint64_t first_bad(const float *values, uint64_t elements, uint32_t width,
                          uint32_t *component) {
  for (uint64_t r = 0; r < elements; ++r) {
    for (uint32_t c = 0; c < width; ++c) {
      if (isfinite(values[r * width + c])) continue;
      *component = c;
      return r;
    }
  }
  return elements;
}

uint32_t weft_kept_state_nonfinite(const weft_kept_state *state, uint32_t particles) {
  uint32_t component;
  uint64_t element = first_bad(&state->x[0].x, particles, 4, &component);
  if (element == particles) element = first_bad(&state->v[0].x, particles, 4, &component);
  return element == particles ? UINT32_MAX : (uint32_t)element;
}

/* ---- what passes write ---- */

/* Buffers of floats that passes write; the rest hold indices as well or are never written. */
static bool is_watched(int id) {
  weft_buffer_use use = weft_buffer_infos[id].use;
  bool written = use == WEFT_USE_STATE || use == WEFT_USE_SCRATCH;
  return written && weft_buffer_is_float((weft_buffer_id)id);
}

static bool writes(const weft_pass *pass, weft_buffer_id id) {
  const weft_pass_info *info = &weft_pass_infos[pass->kind];
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    const weft_binding *b = &info->bindings[k];
    if (b->buffer == id && b->writes && weft_binding_used(b, pass->variant)) return true;
  }
  return false;
}

/* Scratch buffers may hold values of the failed run, and a pass may fill them only in part.
 * Inverse masses of nodes are not scratch. */
static void clear_scratch(weft_solver *solver) {
  for (int k = 0; k < WEFT_BUFFER_COUNT; ++k) {
    weft_buffer_id id = (weft_buffer_id)k;
    if (!is_watched(k) || weft_buffer_infos[k].use != WEFT_USE_SCRATCH) continue;
    uint64_t count = weft_solver_buffer_count(solver, id);
    vec4 *elements = weft_alloc((size_t)count, weft_buffer_infos[k].stride);
    if (id == WEFT_BUFFER_LEVEL_X) {
      weft_solver_read_buffer(solver, id, 0, count, elements);
      for (uint64_t i = 0; i < count; ++i) elements[i] = (vec4){0, 0, 0, elements[i].w};
    }
    weft_solver_write_buffer(solver, id, 0, count, elements);
    weft_free(elements);
  }
}

static bool look_at(weft_solver *solver, weft_buffer_id id, weft_nonfinite *place) {
  uint64_t count = weft_solver_buffer_count(solver, id);
  uint32_t stride = weft_buffer_infos[id].stride, width = stride / (uint32_t)sizeof(float);
  float *values = weft_alloc((size_t)count, stride);
  weft_solver_read_buffer(solver, id, 0, count, values);
  uint64_t element = first_bad(values, count, width, &place->component);
  if (element < count) {
    place->buffer = id;
    place->element = element;
    place->value = values[element * width + place->component];
  }
  weft_free(values);
  return element < count;
}

/* ---- naming ---- */

uint32_t weft_pass_group(const weft_model *model, const weft_pass *pass) {
  for (uint32_t g = 0; g < model->group_count; ++g) {
    uint32_t base = weft_group_base(model, g);
    if (weft_project_pass(model->groups[g].type) == pass->kind && pass->first >= base &&
        pass->first < base + model->groups[g].count) {
      return g;
    }
  }
  return UINT32_MAX;
}

static uint32_t particle_of_constraint(const weft_model *model, uint32_t group, uint64_t index,
                                       uint32_t role) {
  if (group == UINT32_MAX || index >= model->groups[group].count) return UINT32_MAX;
  const weft_constraint_group *g = &model->groups[group];
  return g->particles[index * g->arity + role];
}

static uint32_t particle_at(const weft_model *model, const weft_nonfinite *place) {
  uint64_t element = place->element;
  uint32_t base = place->group == UINT32_MAX ? 0 : weft_group_base(model, place->group);
  uint32_t arity = place->group == UINT32_MAX ? 1 : model->groups[place->group].arity;
  switch (weft_buffer_infos[place->buffer].owner) {
    case WEFT_OWNER_PARTICLE:
      return (uint32_t)element;
    case WEFT_OWNER_CONSTRAINT:
      return particle_of_constraint(model, place->group, element - base, 0);
    case WEFT_OWNER_SLOT:
      return particle_of_constraint(model, place->group,
                                    place->pass->first - base + element / arity,
                                    (uint32_t)(element % arity));
    case WEFT_OWNER_TRIANGLE:
      return element < model->triangle_count ? model->triangles[3 * element] : UINT32_MAX;
    case WEFT_OWNER_OTHER:
      break;
  }
  return UINT32_MAX;
}

void weft_nonfinite_describe(const weft_solver *solver, const weft_nonfinite *place, char *text,
                             size_t size) {
  char pass[64], batch[96] = "", whose[32] = "";
  weft_pass_describe(place->pass, pass, sizeof pass);
  if (place->group != UINT32_MAX) {
    const char *name = solver->model->groups[place->group].name;
    if (place->pass->kind == WEFT_PASS_JACOBI_APPLY) {
      snprintf(batch, sizeof batch, " of group %s,", name);
    } else {
      snprintf(batch, sizeof batch, ", batch %u of group %s,", place->pass->batch, name);
    }
  }
  if (place->particle != UINT32_MAX) {
    snprintf(whose, sizeof whose, " of particle %u",
             weft_model_number(solver->model, place->particle));
  }
  snprintf(text, size, "in frame %llu, substep %u of %u: pass %s%s made the %s%s %s",
           (unsigned long long)place->frame + 1, place->substep + 1, solver->params.substeps, pass,
           batch, weft_buffer_infos[place->buffer].quantity, whose,
           isnan(place->value) ? "NaN" : "infinite");
}

/* ---- searching ---- */

void weft_solver_find_nonfinite_pass(weft_solver *solver, uint32_t substep,
                                     const weft_kept_state *before, weft_nonfinite *place) {
  weft_solver_restore_elements(solver, before);
  clear_scratch(solver);
  *place = (weft_nonfinite){.frame = solver->frame, .substep = substep, .particle = UINT32_MAX};
  for (size_t k = 0; k < solver->passes.count && !place->found; ++k) {
    const weft_pass *pass = &solver->passes.items[k];
    if (!weft_solver_pass_active(solver, pass)) continue;
    solver->backend->run(solver->instance, pass, substep);
    for (int b = 0; b < WEFT_BUFFER_COUNT && !place->found; ++b) {
      weft_buffer_id id = (weft_buffer_id)b;
      place->found = is_watched(b) && writes(pass, id) && look_at(solver, id, place);
    }
    if (!place->found) continue;
    place->pass = pass;
    bool applies = pass->kind == WEFT_PASS_JACOBI_APPLY;
    place->group = applies ? pass->group : weft_pass_group(solver->model, pass);
    place->particle = particle_at(solver->model, place);
  }
}

/* The substeps of a frame that has begun; true when one of them makes the state non-finite. */
static bool search_frame(weft_solver *solver, weft_kept_state *before, weft_kept_state *after,
                         weft_nonfinite *place, weft_result *result, weft_error *err) {
  uint32_t n = solver->model->particle_count;
  *result = weft_solver_keep(solver, before, err);
  for (uint32_t s = 0; s < solver->params.substeps && *result == WEFT_OK; ++s) {
    weft_solver_run_substep(solver, s);
    *result = weft_solver_keep(solver, after, err);
    if (*result == WEFT_OK && weft_kept_state_nonfinite(after, n) != UINT32_MAX) {
      weft_solver_find_nonfinite_pass(solver, s, before, place);
      return true;
    }
    weft_kept_state swap = *before;
    *before = *after;
    *after = swap;
  }
  return false;
}

weft_result weft_solver_find_nonfinite(weft_solver *solver, weft_kept_state *good, uint64_t frames,
                                       weft_animate *animate, void *user, weft_nonfinite *place,
                                       weft_error *err) {
  weft_kept_state before, after;
  weft_kept_state_alloc(solver, &before);
  weft_kept_state_alloc(solver, &after);
  *place = (weft_nonfinite){.particle = UINT32_MAX, .group = UINT32_MAX};
  weft_solver_restore(solver, good);
  weft_result result = WEFT_OK;
  bool spoiled = false;
  for (uint64_t f = 0; f < frames && !spoiled && result == WEFT_OK; ++f) {
    result = weft_solver_keep(solver, good, err);
    if (result == WEFT_OK && animate) result = animate(user, solver, err);
    if (result != WEFT_OK) break;
    weft_solver_begin_frame(solver);
    spoiled = search_frame(solver, &before, &after, place, &result, err);
    if (!spoiled) weft_solver_end_frame(solver);
  }
  if (spoiled) weft_solver_restore(solver, good);
  weft_kept_state_free(&before);
  weft_kept_state_free(&after);
  return result;
}
