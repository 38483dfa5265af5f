/* desc_counts.c: what a model has as many of as its mesh and pins say. */
#include "adjacency.h"
#include "preprocess.h"

static void count_edges(const weft_mesh *mesh, weft_desc_counts *counts) {
  weft_edges edges;
  weft_edges_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &edges);
  counts->edges = edges.count;
  for (uint32_t e = 0; e < edges.count; ++e) counts->hinges += edges.items[e].triangle_count > 1;
  weft_edges_free(&edges);
}

static weft_result count_pins(const weft_model_desc *desc, weft_desc_counts *counts,
                              weft_error *err) {
  const weft_mesh *mesh = desc->mesh;
  bool *pinned = weft_alloc(mesh->vertex_count, sizeof *pinned);
  weft_result result =
      weft_pins_select(mesh, desc->pins, desc->pin_count, desc->attached, pinned, err);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) counts->pins += pinned[v];
  weft_free(pinned);
  return result;
}

weft_result weft_count_desc(const weft_model_desc *desc, weft_desc_counts *counts,
                            weft_error *err) {
  const weft_mesh *mesh = desc->mesh;
  for (size_t k = 0; k < 3 * (size_t)mesh->triangle_count; ++k) {
    if (mesh->triangles[k] < mesh->vertex_count) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "triangle %zu has a corner that does not exist",
                     k / 3);
  }
  *counts = (weft_desc_counts){.particles = mesh->vertex_count,
                               .triangles = mesh->triangle_count,
                               .grid = mesh->grid_rows > 0};
  count_edges(mesh, counts);
  return count_pins(desc, counts, err);
}
