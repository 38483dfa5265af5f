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
  double dt = (double)params->frame_dt / params->substeps;
  u->dt = (float)dt;
  u->inv_dt = (float)(1 / dt);
  u->third = (float)(1.0 / 3);
  u->collider_count = params->collider_count;
  u->particle_count = model->particle_count;
  u->inv_total_mass = (float)inverse_total_mass(model);
}

/* For the rows of params.def that act at once. */
void weft_uniforms_change(const weft_params *params, void *uniforms) {
  weft_uniforms *u = uniforms;
  double dt = (double)params->frame_dt / params->substeps;
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
  }
  if (u->self_parts > 0) {
    u->self_static = exact_flush(params->self_static);
    u->self_dynamic = exact_flush(params->self_dynamic);
  }
}
