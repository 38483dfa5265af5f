/* Looking at a cooked model from outside. */
#include "model.h"

#include "base.h"

uint32_t weft_model_particle_count(const weft_model *model) { return model->particle_count; }
uint32_t weft_model_triangle_count(const weft_model *model) { return model->triangle_count; }
const uint32_t *weft_model_triangles(const weft_model *model) { return model->triangles; }
const weft_vec3 *weft_model_rest_positions(const weft_model *model) {
  return model->rest_positions;
}
const float *weft_model_inverse_masses(const weft_model *model) { return model->inverse_masses; }
uint32_t weft_model_pinned_count(const weft_model *model) { return model->pinned_count; }
uint32_t weft_model_group_count(const weft_model *model) { return model->group_count; }

weft_group_info weft_model_group(const weft_model *model, uint32_t index) {
  WEFT_CHECK(index < model->group_count, "the index of a constraint group is in range");
  const weft_constraint_group *g = &model->groups[index];
  return (weft_group_info){g->name, g->count, g->colour_count, g->lower_bound, g->colour_sizes};
}

uint64_t weft_model_constraint_count(const weft_model *model) {
  uint64_t sum = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) sum += model->groups[g].count;
  return sum;
}

uint32_t weft_model_colour_count(const weft_model *model) {
  uint32_t sum = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) sum += model->groups[g].colour_count;
  return sum;
}

bool weft_along_thread(const weft_model *model, uint32_t a, uint32_t b) {
  uint32_t columns = model->grid_columns;
  if (model->grid_rows == 0) return true;
  bool same_row = a / columns == b / columns, same_column = a % columns == b % columns;
  return same_row || same_column;
}
