/* shape_marks.c: which triangles are tangled at the start, shape bodies included. */
#include <string.h>

#include "exact.h"
#include "solver.h"

uint8_t *weft_shapes_mark_tangled(const weft_model *model, const weft_params *params,
                                  weft_vec3d origin) {
  weft_bodies all = weft_bodies_of(params);
  const uint32_t first = all.count - params->shape_bodies;
  weft_body *bodies = weft_alloc(all.count, sizeof *bodies);
  weft_mesh *meshes = weft_alloc(params->shape_bodies, sizeof *meshes);
  if (all.count) memcpy(bodies, all.items, all.count * sizeof *bodies);
  for (uint32_t b = first; b < all.count; ++b) {
    weft_mesh *mesh = &meshes[b - first];
    *mesh = *bodies[b].mesh;
    mesh->positions = weft_alloc(mesh->vertex_count, sizeof *mesh->positions);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      const vec4 x = exact_vec4(bodies[b].mesh->positions[i], 0);
      mesh->positions[i] = weft_origin_leave(origin, x);
    }
    bodies[b].mesh = mesh;
  }
  all.items = bodies;
  uint8_t *marks = weft_model_marks_with(model, &all, params->start);
  for (uint32_t b = first; b < all.count; ++b) weft_free(meshes[b - first].positions);
  weft_free(meshes);
  weft_free(bodies);
  return marks;
}
