/* slack.c: how far a cloth stretches under its own weight. */
#include <math.h>

#include "solver.h"

/* More than this is no weight's work but a fabric without strength. */
static const double most_slack = 0.25;

/* An edge that stands for a strip of length l and area A has alpha = l^2/(C A): over all of them
 * l^2/alpha adds up to the stiffness C times the area, once for each direction that edges run in.
 */
static double stiffness_times_area(const weft_model *model) {
  double sum = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    if (group->role != WEFT_ROLE_STRETCH || group->type != WEFT_CONSTRAINT_DISTANCE) continue;
    for (uint32_t i = 0; i < group->count; ++i) {
      double rest = (double)group->rest[i];
      if (group->compliance[i] == 0) return INFINITY;
      sum += rest * rest / (double)group->compliance[i];
    }
  }
  return sum / (model->grid_rows > 0 ? 2 : 3);
}

double weft_model_extent(const weft_model *model) {
  weft_vec3 low = model->rest_positions[0], high = low;
  for (uint32_t i = 1; i < model->particle_count; ++i) {
    weft_vec3 p = model->rest_positions[i];
    low = weft_v3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
    high = weft_v3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
  }
  return fmax((double)(high.x - low.x), fmax((double)(high.y - low.y), (double)(high.z - low.z)));
}

/* Strain at the upper end of a strip that hangs: rho g L / C. */
double weft_levels_own_slack(const weft_model *model, const weft_params *params) {
  double mass = 0, strength = stiffness_times_area(model);
  for (uint32_t i = 0; i < model->particle_count; ++i) mass += (double)model->masses[i];
  double weight = mass * (double)weft_v3_length(params->gravity);
  double strain = weight * weft_model_extent(model) / strength;
  return strain < most_slack ? strain : most_slack; /* NaN: the most */
}
