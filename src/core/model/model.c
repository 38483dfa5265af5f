/* Read access to a preprocessed model. */
#include "model.h"

#include "base.h"

const weft_constraint_info weft_constraint_infos[WEFT_CONSTRAINT_TYPE_COUNT] = {
#define PAIR true
#define QUAD false
#define ONE 1
#define THREE 3
#define XPBD true
#define OWN false
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, rest, view) \
  {#name, arity, element, multiplier, terms, WEFT_REST_##rest, WEFT_SEEN_##view},
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
};

uint32_t weft_model_particle_count(const weft_model *model) {
  return model ? model->particle_count : 0;
}
uint32_t weft_model_number(const weft_model *model, uint32_t particle) {
  return model && model->map.numbers && particle < model->particle_count
             ? model->map.numbers[particle]
             : particle;
}

uint32_t weft_model_numbered(const weft_model *model, uint32_t number) {
  if (!model || !model->map.vertices) return number;
  return number < model->map.source_vertex_count ? model->map.vertices[number] : WEFT_NO_VERTEX;
}

uint32_t weft_model_triangle_count(const weft_model *model) {
  return model ? model->triangle_count : 0;
}
const uint32_t *weft_model_triangles(const weft_model *model) {
  return model ? model->triangles : NULL;
}
const weft_vec3 *weft_model_rest_positions(const weft_model *model) {
  return model ? model->rest_positions : NULL;
}
const float *weft_model_inverse_masses(const weft_model *model) {
  return model ? model->inverse_masses : NULL;
}
uint32_t weft_model_pinned_count(const weft_model *model) {
  return model ? model->pinned_count : 0;
}
uint32_t weft_model_group_count(const weft_model *model) { return model ? model->group_count : 0; }

weft_group_info weft_model_group(const weft_model *model, uint32_t index) {
  if (index >= weft_model_group_count(model)) return (weft_group_info){0};
  const weft_constraint_group *g = &model->groups[index];
  return (weft_group_info){g->name, g->count, g->colour_count, g->lower_bound, g->colour_sizes};
}

uint64_t weft_model_constraint_count(const weft_model *model) {
  uint64_t sum = 0;
  for (uint32_t g = 0; g < weft_model_group_count(model); ++g) sum += model->groups[g].count;
  return sum;
}

uint32_t weft_model_colour_count(const weft_model *model) {
  uint32_t sum = 0;
  for (uint32_t g = 0; g < weft_model_group_count(model); ++g) sum += model->groups[g].colour_count;
  return sum;
}

bool weft_along_thread(const weft_model *model, uint32_t a, uint32_t b) {
  uint32_t columns = model->grid_columns;
  if (model->grid_rows == 0) return true;
  bool same_row = a / columns == b / columns, same_column = a % columns == b % columns;
  return same_row || same_column;
}
