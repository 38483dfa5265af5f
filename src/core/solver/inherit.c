/* inherit.c: one solver goes on from another's state, hidden state included, so that its next frame
 * is the one that the other would have made. */
#include <string.h>

#include "solver.h"

weft_heritage weft_heritage_of_none(void) {
  weft_heritage of;
  memset(&of, 0xff, sizeof of);
  of.places = false;
  return of;
}

/* Copies rows unchanged if both have the buffer. */
static bool copy_elements(weft_solver *to, weft_solver *from, weft_buffer_id id, uint32_t stride) {
  uint64_t n = to->buffer_counts[id];
  if (n == 0 || n != from->buffer_counts[id]) return false;
  void *elements = weft_alloc((size_t)n, stride);
  weft_solver_read_buffer(from, id, 0, n, elements);
  weft_solver_write_buffer(to, id, 0, n, elements);
  weft_free(elements);
  return true;
}

/* Positions with the inverse masses of `to`, velocities, and positions of its pins. */
static void take_particles(weft_solver *to, weft_solver *from) {
  uint32_t n = to->model->particle_count;
  weft_origin_set(to, from->origin);
  weft_solver_read_buffer(from, WEFT_BUFFER_X, 0, n, to->staging);
  for (uint32_t i = 0; i < n; ++i) to->staging[i].w = to->model->inverse_masses[i];
  weft_solver_write_buffer(to, WEFT_BUFFER_X, 0, n, to->staging);
  for (uint32_t k = 0; k < to->pinned_count; ++k) {
    vec4 x = to->staging[to->pin_particles[k]];
    to->pin_from[k] = to->pin_to[k] = weft_origin_leave_in_double(to->origin, x);
  }
  copy_elements(to, from, WEFT_BUFFER_V, sizeof(vec4));
  if (!copy_elements(to, from, WEFT_BUFFER_X_LOW, sizeof(vec4))) {
    weft_solver_clear_elements(to, WEFT_BUFFER_X_LOW);
  }
  if (!copy_elements(to, from, WEFT_BUFFER_V_LOW, sizeof(vec4))) {
    weft_solver_clear_elements(to, WEFT_BUFFER_V_LOW);
  }
}

/* Both lists ascend. */
static void take_pins(weft_solver *to, const weft_solver *from) {
  to->pins_moving = false;
  if (!from->pins_moving) return;
  for (uint32_t k = 0, j = 0; k < to->pinned_count; ++k) {
    while (j < from->pinned_count && from->pin_particles[j] < to->pin_particles[k]) ++j;
    if (j == from->pinned_count || from->pin_particles[j] != to->pin_particles[k]) continue;
    to->pin_from[k] = from->pin_from[j];
    to->pin_to[k] = from->pin_to[j];
    to->pins_moving = true;
  }
}

/* As `from` has it, but keys are each solver's own. */
static weft_collider with_keys_of(const weft_collider *own, const weft_collider *from,
                                  double time) {
  if (own->key_count == 0) return weft_collider_without_keys(from, time);
  weft_collider c = *from;
  c.keys = own->keys;
  c.key_count = own->key_count;
  return c;
}

static void take_colliders(weft_solver *to, const weft_solver *from, const weft_heritage *of) {
  for (uint32_t c = 0; c < to->params.collider_count; ++c) {
    const uint32_t was = of->colliders[c];
    if (was == WEFT_NEW) continue;
    if (of->places) {
      to->colliders_from[c] =
          with_keys_of(&to->colliders[c], &from->colliders_from[was], weft_solver_time(from));
      to->colliders_home[c] = with_keys_of(&to->colliders[c], &from->colliders_home[was], 0);
    } else if (to->params.collider_count == from->params.collider_count) {
      to->colliders[c].offset = from->colliders[was].offset;
      to->colliders_from[c].offset = from->colliders_from[was].offset;
    }
  }
}

static void take_grab(weft_solver *to, const weft_solver *from) {
  bool free = to->params.grab;
  for (uint32_t k = 0; k < from->grab.count; ++k) {
    free = free && to->model->inverse_masses[from->grab.particles[k]] > 0;
  }
  weft_solver_release(to);
  if (!free || from->grab.count == 0) return;
  to->grab = from->grab;
  weft_grab_strength(to);
}

/* ---- the contact cache ---- */

/* What a particle of `from` is in `to`; WEFT_NEW: it is not there. */
static uint32_t renumbered(const weft_solver *to, const weft_solver *from, const weft_heritage *of,
                           uint32_t particle) {
  if (particle < from->model->particle_count) return particle;
  const uint32_t beside = particle - from->model->particle_count;
  for (uint32_t b = 0; b < to->params.body_count; ++b) {
    const uint32_t was = of->bodies[b];
    if (was == WEFT_NEW) continue;
    const uint32_t k = beside - from->body_state[was].first;
    if (k < from->bodies[was].mesh->vertex_count) {
      return to->model->particle_count + to->body_state[b].first + k;
    }
  }
  return weft_solver_shape_particle(to, from, of, particle);
}

/* Keeps the pairs of which both have all particles. Returns their number. */
static uint32_t renumber(const weft_solver *to, const weft_solver *from, const weft_heritage *of,
                         weft_self_cached *pairs, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < count; ++k) {
    const uvec4 listed = pairs[k].pair, p = weft_self_particles(listed);
    const uint32_t was[4] = {p.x, p.y, p.z, p.w};
    uint32_t now[4];
    bool all = true;
    for (int i = 0; i < 4; ++i) {
      now[i] = renumbered(to, from, of, was[i]);
      all = all && now[i] != WEFT_NEW;
    }
    if (!all) continue;
    pairs[kept] = pairs[k];
    pairs[kept++].pair =
        (uvec4){now[0] | (listed.x - p.x), now[1] | (listed.y - p.y), now[2], now[3]};
  }
  return kept;
}

/* The contact cache, and the rejected steps in a row. */
static weft_result take_self(weft_solver *to, weft_solver *from, const weft_heritage *of,
                             weft_error *err) {
  const uint64_t counts = from->buffer_counts[WEFT_BUFFER_SELF_COUNTS];
  if (counts == 0 || counts != to->buffer_counts[WEFT_BUFFER_SELF_COUNTS]) return WEFT_OK;
  if (to->params.self_room < from->params.self_room) {
    const weft_result result = weft_solver_give_room(to, from->params.self_room, err);
    if (result != WEFT_OK) return result;
  }
  uint32_t kept = 0;
  weft_solver_read_buffer(from, WEFT_BUFFER_SELF_CACHE_COUNT, 0, 1, &kept);
  if (kept > to->buffer_counts[WEFT_BUFFER_SELF_CACHE]) kept = 0; /* `to` has no repulsion */
  weft_self_cached *pairs = weft_alloc(kept, sizeof *pairs);
  weft_solver_read_buffer(from, WEFT_BUFFER_SELF_CACHE, 0, kept, pairs);
  kept = renumber(to, from, of, pairs, kept);
  weft_solver_write_buffer(to, WEFT_BUFFER_SELF_CACHE, 0, kept, pairs);
  weft_solver_write_buffer(to, WEFT_BUFFER_SELF_CACHE_COUNT, 0, 1, &kept);
  weft_free(pairs);
  copy_elements(to, from, WEFT_BUFFER_SELF_COUNTS, sizeof(uint32_t));
  return WEFT_OK;
}

/* Forces in links until the next substep; schedules keep them in different buffers. */
static void take_multipliers(weft_solver *to, weft_solver *from) {
  bool kept = to->params.keep_multipliers && from->params.keep_multipliers;
  uint64_t n = to->buffer_counts[WEFT_BUFFER_DISTANCE];
  if (!kept || n == 0 || n != from->buffer_counts[WEFT_BUFFER_DISTANCE]) return;
  float *lambda = weft_solver_read_multipliers(from);
  weft_solver_write_multipliers(to, lambda);
  weft_free(lambda);
}

weft_result weft_solver_inherit(weft_solver *to, weft_solver *from, const weft_heritage *of,
                                weft_error *err) {
  weft_result result = weft_solver_check_frames(from, err);
  if (result == WEFT_OK) result = weft_solver_check_frames(to, err);
  if (result != WEFT_OK) return result;
  weft_solver_settle_given(from);
  weft_solver_settle_given(to);
  take_particles(to, from);
  take_pins(to, from);
  weft_solver_take_bodies(to, from, of);
  take_colliders(to, from, of);
  take_grab(to, from);
  if (!copy_elements(to, from, WEFT_BUFFER_CONTACTS_KEPT,
                     WEFT_CONTACT_SLOTS * sizeof(weft_neighbour))) {
    weft_solver_forget_contacts(to);
  }
  copy_elements(to, from, WEFT_BUFFER_CONTACT_FOUND, sizeof(uint32_t));
  result = take_self(to, from, of, err);
  if (result != WEFT_OK) return result;
  take_multipliers(to, from);
  weft_soft_take(to, &from->soft);
  to->frame = to->frames_checked = from->frame;
  bool same = to->params.frame_dt == from->params.frame_dt;
  double done = (double)from->frame * (double)to->params.frame_dt;
  to->began = same ? from->began : weft_solver_time(from) - done;
  weft_solver_take_shapes(to, from, of);
  result = from->backend->check(from->instance, "reading the state", err);
  return result == WEFT_OK ? to->backend->check(to->instance, "taking a state", err) : result;
}
