/* bound.c: pins that go with a body. */
#include <math.h>
#include <string.h>
#include <weft/body.h>

#include "scenes_internal.h"

typedef struct bound_to {
  weft_binding *binding; /* NULL: nothing is bound to this body */
  uint32_t count, *particles;
  weft_vec3 *targets;
} bound_to;

struct weft_scene_bonds {
  uint32_t body_count; /* later ones have nothing bound to them */
  bound_to *bodies;
};

void weft_scene_free_bonds(weft_scene_bonds *bonds) {
  if (!bonds) return;
  for (uint32_t b = 0; b < bonds->body_count; ++b) {
    weft_binding_destroy(bonds->bodies[b].binding);
    weft_free(bonds->bodies[b].particles);
    weft_free(bonds->bodies[b].targets);
  }
  weft_free(bonds->bodies);
  weft_free(bonds);
}

/* ---- binding ---- */

/* Pinned particles, where they are, and the body that each is nearest to. */
typedef struct choice {
  uint32_t count;
  const uint32_t *particles;
  weft_vec3 *points;
  double *distances;
  uint32_t *bodies;
} choice;

static choice choice_of(weft_scene_instance *scene) {
  choice c = {.count = weft_scene_pinned(scene, &c.particles)};
  const weft_vec3 *start = scene->params.start;
  if (!start) start = weft_model_rest_positions(scene->model);
  c.points = weft_alloc(c.count, sizeof *c.points);
  c.distances = weft_alloc(c.count, sizeof *c.distances);
  c.bodies = weft_alloc(c.count, sizeof *c.bodies);
  for (uint32_t k = 0; k < c.count; ++k) {
    c.points[k] = start[c.particles[k]];
    c.distances[k] = INFINITY;
  }
  return c;
}

static void choice_free(choice *c) {
  weft_free(c->points);
  weft_free(c->distances);
  weft_free(c->bodies);
}

static weft_result look_at(const weft_scene_instance *scene, uint32_t body, choice *c,
                           weft_error *err) {
  weft_binding *binding = NULL;
  weft_result result =
      weft_binding_create(scene->bodies[body].mesh, c->points, c->count, &binding, err);
  for (uint32_t k = 0; k < c->count && result == WEFT_OK; ++k) {
    double distance = weft_binding_distance(binding, k);
    if (!(distance < c->distances[k])) continue;
    c->distances[k] = distance;
    c->bodies[k] = body;
  }
  weft_binding_destroy(binding);
  return result;
}

static weft_result bind_to(weft_scene_instance *scene, uint32_t body, const choice *c,
                           weft_error *err) {
  bound_to *to = &scene->bonds->bodies[body];
  to->particles = weft_alloc(c->count, sizeof *to->particles);
  to->targets = weft_alloc(c->count, sizeof *to->targets);
  for (uint32_t k = 0; k < c->count; ++k) {
    if (c->bodies[k] != body) continue;
    to->targets[to->count] = c->points[k];
    to->particles[to->count++] = c->particles[k];
    scene->bound[c->particles[k]] = true;
  }
  if (to->count == 0) return WEFT_OK;
  return weft_binding_create(scene->bodies[body].mesh, to->targets, to->count, &to->binding, err);
}

static weft_result check(const weft_scene_instance *scene, uint32_t body, weft_error *err) {
  uint32_t count = scene->params.body_count;
  if (count == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s has no body that pins could go with",
                     scene->name);
  }
  if (body != WEFT_NEAREST_BODY && body >= count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s has %u bod%s, and %u is not among them (from 0)",
                     scene->name, count, count == 1 ? "y" : "ies", body);
  }
  if (weft_model_pinned_count(scene->model) > 0) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "nothing of %s is pinned, so nothing can go with a body", scene->name);
}

weft_result weft_scene_bind_pins(weft_scene_instance *scene, uint32_t body, weft_error *err) {
  weft_result result = check(scene, body, err);
  if (result != WEFT_OK) return result;
  weft_scene_free_bonds(scene->bonds);
  uint32_t particles = weft_model_particle_count(scene->model), count = scene->params.body_count;
  scene->bonds = weft_alloc(1, sizeof *scene->bonds);
  *scene->bonds = (weft_scene_bonds){.body_count = count};
  scene->bonds->bodies = weft_alloc(count, sizeof *scene->bonds->bodies);
  scene->bound = weft_scene_keep(scene, particles, sizeof *scene->bound);
  choice c = choice_of(scene);
  for (uint32_t b = 0; b < count && result == WEFT_OK; ++b) {
    if (body == WEFT_NEAREST_BODY || body == b) result = look_at(scene, b, &c, err);
  }
  for (uint32_t b = 0; b < count && result == WEFT_OK; ++b) result = bind_to(scene, b, &c, err);
  choice_free(&c);
  return result;
}

/* ---- going along ---- */

weft_result weft_scene_move_bound(const weft_scene_instance *scene, weft_solver *solver,
                                  uint32_t body, const weft_vec3 *positions, weft_error *err) {
  if (!scene->bonds || body >= scene->bonds->body_count) return WEFT_OK;
  const bound_to *to = &scene->bonds->bodies[body];
  if (!to->binding) return WEFT_OK;
  weft_result result = weft_binding_at(to->binding, positions, to->targets, err);
  for (uint32_t k = 0, end = 0; k < to->count && result == WEFT_OK; k = end + 1) {
    for (end = k; end < to->count && weft_scene_leads(scene, to->particles[end]);) ++end;
    result = weft_solver_move_pins(solver, to->particles + k, to->targets + k, end - k, err);
  }
  return result;
}
