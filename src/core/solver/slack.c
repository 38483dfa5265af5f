/* slack.c: strain of a cloth under its own weight. */
#include <math.h>

#include "solver.h"

/* Larger strain comes from a fabric without stiffness. */
static const double max_slack = 0.25;

/* Stiffness times area of the threads of one direction: an edge that stands for a strip of
 * length l and area A has alpha = l^2/(C A). */
static double threads(const weft_model *model, bool columns) {
  double sum = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    if (group->role != WEFT_ROLE_STRETCH || group->type != WEFT_CONSTRAINT_DISTANCE) continue;
    for (uint32_t i = 0; i < group->count; ++i) {
      const uint32_t *pair = &group->particles[2 * (size_t)i];
      uint32_t apart = pair[0] % model->grid_columns != pair[1] % model->grid_columns;
      double rest = (double)group->rest[i];
      if (!weft_along_thread(model, pair[0], pair[1]) || apart == columns) continue;
      if (group->compliance[i] == 0) return INFINITY;
      sum += rest * rest / (double)group->compliance[i];
    }
  }
  return sum;
}

/* For a mesh that is no grid: the same sum over all edges counts the area three times, once for
 * each direction of edges. */
static double edges(const weft_model *model) {
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
  return sum / 3;
}

double weft_model_extent(const weft_model *model) {
  double most = 0;
  for (uint32_t k = 0; k < weft_model_part_count(model); ++k) {
    const weft_model *part = weft_model_part(model, k);
    weft_vec3 low, high;
    weft_v3_bounds(part->rest_positions, part->particle_count, &low, &high);
    const weft_vec3 size = weft_v3_sub(high, low);
    most = fmax(most, (double)fmaxf(size.x, fmaxf(size.y, size.z)));
  }
  return most;
}

/* Strain at the upper end of the hanging cloth, of a grid along its softer threads: rho g L / C. */
double weft_levels_own_slack(const weft_model *model, const weft_params *params) {
  bool grid = model->grid_rows > 0;
  double strength = grid ? fmin(threads(model, true), threads(model, false)) : edges(model);
  double mass = 0;
  for (uint32_t i = 0; i < model->particle_count; ++i) mass += (double)model->masses[i];
  double weight = mass * (double)weft_v3_length(params->gravity);
  double strain = weight * weft_model_extent(model) / strength;
  return strain < max_slack ? strain : max_slack; /* NaN: the maximum */
}
