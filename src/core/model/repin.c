/* repin.c: a copy of a model with other pins. Colouring and constraints do not depend on pins,
 * so nothing is preprocessed again. */
#include <string.h>

#include "base.h"
#include "geodesic.h"
#include "left.h"
#include "map.h"
#include "preprocess.h"

static void *copied(const void *items, size_t count, size_t size) {
  if (!items) return NULL;
  void *copy = weft_alloc(count, size);
  if (count) memcpy(copy, items, count * size);
  return copy;
}

static void copy_group(const weft_constraint_group *from, weft_constraint_group *to) {
  size_t n = from->count, colours = from->colour_count;
  *to = *from;
  to->particles = copied(from->particles, n * from->arity, sizeof *from->particles);
  to->rest = copied(from->rest, n, sizeof *from->rest);
  to->weights = copied(from->weights, 4 * n, sizeof *from->weights);
  to->compliance = copied(from->compliance, n, sizeof *from->compliance);
  to->damping = copied(from->damping, n, sizeof *from->damping);
  to->source = copied(from->source, n, sizeof *from->source);
  to->colour_first = copied(from->colour_first, colours + 1, sizeof *from->colour_first);
  to->colour_sizes = copied(from->colour_sizes, colours, sizeof *from->colour_sizes);
}

/* Inverse masses without pins. Stored, because the inverse of a rounded mass is not always the
 * rounded inverse: a particle pinned and freed again must be what it was. */
static float *free_inverse_masses(const weft_model *m) {
  float *inverse = weft_alloc(m->particle_count, sizeof *inverse);
  for (uint32_t i = 0; i < m->particle_count; ++i) {
    float known = m->free_inverse_masses ? m->free_inverse_masses[i] : m->inverse_masses[i];
    if (weft_rides(m, i)) continue;
    inverse[i] = known > 0 ? known : (float)(1.0 / (double)m->masses[i]);
  }
  return inverse;
}

weft_model *weft_model_copy(const weft_model *from) {
  weft_model *to = weft_alloc(1, sizeof *to);
  size_t n = from->particle_count, corners = 3 * (size_t)from->triangle_count;
  *to = *from;
  to->left = weft_left_share(from->left);
  to->geodesics = weft_alloc(1, sizeof *to->geodesics);
  to->owned = (weft_owned){0};
  to->map = weft_map_copy(&from->map, from->particle_count, from->triangle_count);
  to->tangles = weft_tangles_copy(from);
  to->rest_positions = copied(from->rest_positions, n, sizeof *from->rest_positions);
  to->inverse_masses = copied(from->inverse_masses, n, sizeof *from->inverse_masses);
  to->masses = copied(from->masses, n, sizeof *from->masses);
  to->free_inverse_masses = free_inverse_masses(from);
  to->triangles = copied(from->triangles, corners, sizeof *from->triangles);
  to->corner_offsets = copied(from->corner_offsets, n + 1, sizeof *from->corner_offsets);
  to->corner_items = copied(from->corner_items, corners, sizeof *from->corner_items);
  to->riders = copied(from->riders, from->rider_count, sizeof *from->riders);
  to->rides = copied(from->rides, n, sizeof *from->rides);
  to->links = copied(from->links, from->link_count, sizeof *from->links);
  for (uint32_t g = 0; g < from->group_count; ++g) copy_group(&from->groups[g], &to->groups[g]);
  return to;
}

static void set_pins(weft_model *model, const uint32_t *particles, uint32_t count, bool pinned) {
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t i = particles[k];
    model->inverse_masses[i] = pinned ? 0 : model->free_inverse_masses[i];
  }
  model->pinned_count = 0;
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    model->pinned_count += weft_is_pin(model, i);
  }
}

weft_result weft_model_check_pins(const weft_model *model, const uint32_t *particles,
                                  uint32_t count, weft_error *err) {
  if (model->part_count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "pins of a joined model cannot be changed");
  }
  for (uint32_t k = 0; k < count; ++k) {
    if (particles[k] >= model->particle_count) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "particle %u does not exist, the model has %u particles", particles[k],
                       model->particle_count);
    }
    if (!weft_rides(model, particles[k])) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "particle %u is of a piece that is attached to the cloth, and goes where that "
                     "goes",
                     weft_model_number(model, particles[k]));
  }
  return WEFT_OK;
}

weft_result weft_model_with_pins(const weft_model *model, const uint32_t *particles, uint32_t count,
                                 bool pinned, weft_model **out, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(out);
  *out = NULL;
  WEFT_NEED(model);
  WEFT_NEED_ITEMS(particles, count);
  weft_result result = weft_model_check_pins(model, particles, count, err);
  if (result != WEFT_OK) return result;
  weft_model *copy = weft_model_copy(model);
  set_pins(copy, particles, count, pinned);
  result = weft_model_validate(copy, err);
  if (result == WEFT_OK) {
    weft_owned_begin(&copy->owned);
    *out = copy;
  } else {
    weft_model_destroy(copy);
  }
  return result;
}
