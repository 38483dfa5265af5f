/* pick.c: the particle under the pointer, searched on the backend. */
#include <math.h>

#include "exact.h"
#include "solver.h"
#include "vec3d.h"

static bool in_reach(weft_vec3 v) {
  return fabsf(v.x) <= 1e6f && fabsf(v.y) <= 1e6f && fabsf(v.z) <= 1e6f; /* NaN is not */
}

/* The ray as passes need it: of unit length, no component so small that products vanish. */
static weft_result prepare(const weft_ray *ray, weft_vec3d origin, weft_pick_ray *element,
                           weft_error *err) {
  weft_vec3d d = weft_v3d_from(ray->direction);
  if (!in_reach(ray->origin)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "the ray starts at (%g, %g, %g), each component may reach 1e6 m",
                     (double)ray->origin.x, (double)ray->origin.y, (double)ray->origin.z);
  }
  double length = weft_v3d_length(d);
  if (!(length > 0 && isfinite(length))) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "the ray has no direction");
  }
  if (!(ray->radius >= 0 && ray->radius <= 1e6f && ray->slope >= 0 && ray->slope <= 1e6f)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "a ray of radius %g m and slope %g, allowed is 0 to 1e6", (double)ray->radius,
                     (double)ray->slope);
  }
  weft_vec3 unit = weft_v3d_round(weft_v3d(d.x / length, d.y / length, d.z / length));
  element->origin =
      exact_vec4(weft_origin_enter(origin, weft_v3d_from(ray->origin)), exact_snap(ray->radius));
  element->direction = exact_vec4(exact_snap3(unit), exact_snap(ray->slope));
  return WEFT_OK;
}

/* For an attached piece, the cloth particle that carries most of it. */
static uint32_t carrier_of(const weft_model *model, uint32_t particle) {
  if (!weft_rides(model, particle)) return particle;
  const weft_model_rider *r = model->riders;
  while (r->particle != particle) ++r;
  int most = 0;
  for (int c = 1; c < 3; ++c) most = r->weights[c] > r->weights[most] ? c : most;
  return r->corners[most];
}

weft_result weft_solver_pick(weft_solver *solver, const weft_ray *ray, weft_hit *hit,
                             weft_error *err) {
  WEFT_NEED(hit);
  *hit = (weft_hit){.particle = WEFT_NO_PARTICLE};
  WEFT_NEED(solver);
  WEFT_NEED(ray);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  weft_pick_ray element;
  weft_result result = prepare(ray, solver->origin, &element, err);
  if (result == WEFT_OK) result = weft_solver_check_frames(solver, err);
  if (result != WEFT_OK) return result;
  weft_solver_write_buffer(solver, WEFT_BUFFER_PICK_RAY, 0, 1, &element);
  weft_pass_list passes = {0};
  weft_pick_passes(solver->model->particle_count, &passes);
  for (size_t k = 0; k < passes.count; ++k) {
    solver->backend->run(solver->instance, &passes.items[k], 0);
  }
  weft_free(passes.items);
  weft_pick best;
  weft_solver_read_buffer(solver, WEFT_BUFFER_PICK, solver->buffer_counts[WEFT_BUFFER_PICK] - 1, 1,
                          &best);
  result = solver->backend->check(solver->instance, "picking a particle", err);
  if (result == WEFT_OK && best.particle != WEFT_PICK_NONE) {
    const uint32_t particle = carrier_of(solver->model, best.particle);
    *hit = (weft_hit){particle, best.along, sqrtf(best.offset2)};
  }
  return result;
}
