/* indices.c: whether the vertices that triangles name exist. */
#include "mesh_internal.h"

weft_result weft_check_indices(const weft_mesh *mesh, weft_error *err) {
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
    if (mesh->triangles[c] < mesh->vertex_count) continue;
    return weft_fail(err, WEFT_ERROR_MESH, "triangle %zu names vertex %u, but the mesh has %u",
                     c / 3, mesh->triangles[c], mesh->vertex_count);
  }
  return WEFT_OK;
}
