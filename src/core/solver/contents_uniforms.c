/* contents_uniforms.c: what holds for a whole frame. Compiled twice, see
 * src/core/solver_f64/double.h. */
#include <math.h>

#include "exact.h"
#include "fill.h"

static double inverse_total_mass(const weft_model *model) {
  double sum = 0;
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    if (model->inverse_masses[i] > 0) sum += 1 / (double)model->inverse_masses[i];
  }
  return sum > 0 ? 1 / sum : 0;
}

void weft_uniforms_fill(const weft_model *model, const weft_params *params,
                        weft_contents *contents) {
  weft_uniforms *u = weft_contents_set(contents, WEFT_BUFFER_UNIFORMS, 1);
  u->third = (float)(1.0 / 3);
  u->collider_count = params->collider_count;
  u->particle_count = model->particle_count;
  weft_uniforms_take_mass(model, u);
}

void weft_uniforms_take_mass(const weft_model *model, void *uniforms) {
  weft_uniforms *u = uniforms;
  u->inv_total_mass = (float)inverse_total_mass(model);
}

static void change_self(const weft_params *params, double dt, weft_uniforms *u) {
  const uint32_t steps = weft_self_steps(params);
  u->self_static = exact_flush(params->self_static);
  u->self_dynamic = exact_flush(params->self_dynamic);
  u->self_escape = (float)(2 * dt); /* 2 m/s */
  u->self_extrapolate = (float)((params->substeps - 1) / steps + 1);
  u->self_beyond = (float)weft_self_beyond(params);
  u->self_inv_dt = (float)(steps / (double)params->frame_dt);
}

/* For the rows of params.def that act without other tables. */
void weft_uniforms_change(const weft_params *params, void *uniforms) {
  weft_uniforms *u = uniforms;
  double dt = (double)params->frame_dt / params->substeps;
  u->dt = (float)dt;
  u->inv_dt = (float)(1 / dt);
  u->poses_before = params->substeps * params->collider_count;
  u->gravity_step.x = (float)((double)params->gravity.x * dt);
  u->gravity_step.y = (float)((double)params->gravity.y * dt);
  u->gravity_step.z = (float)((double)params->gravity.z * dt);
  u->keep = (float)exp(-(double)params->damping * dt);
  u->drag = (float)(0.5 * (double)params->air_density * (double)params->drag);
  u->skin = (float)(0.5 * (double)params->air_density * (double)params->skin_friction);
  u->global_damping = (float)-expm1(-(double)params->global_damping * dt);
  if (u->contact_distance > 0) {
    u->contact_static = exact_flush(params->contact_static);
    u->contact_dynamic = exact_flush(params->contact_dynamic);
    u->contact_relaxation = params->relaxation;
  }
  if (u->self_parts > 0) change_self(params, dt, u);
}
