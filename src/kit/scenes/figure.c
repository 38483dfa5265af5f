/* figure.c: the skin of the figure, and which bones each vertex of it follows. The mesh was made
 * from figure_shape.c when weft was built: it is the same each time, and takes half a second. */
#include <string.h>

#include "base.h"
#include "figure_internal.h"

static const double follows_within = 0.075; /* m beyond the nearest bone that another one has say */

/* ---- weights ---- */

static bool are_neighbours(int a, int b) {
  return (int)weft_bone_parent((weft_bone)a) == b || (int)weft_bone_parent((weft_bone)b) == a;
}

/* The nearest bone and those that it hangs on or that hang on it, less by their distance. */
static weft_figure_weights weights_of(weft_vec3 vertex) {
  double away[WEFT_BONE_COUNT], sum = 0;
  weft_figure_distances(vertex, away);
  int nearest = 0;
  for (int b = 1; b < WEFT_BONE_COUNT; ++b) nearest = away[b] < away[nearest] ? b : nearest;
  weft_figure_weights w = {0};
  for (int b = 0; b < WEFT_BONE_COUNT && w.count < WEFT_FIGURE_BONES; ++b) {
    double part = 1 - (away[b] - away[nearest]) / follows_within;
    if ((b != nearest && !are_neighbours(b, nearest)) || part <= 0) continue;
    w.bones[w.count] = (uint8_t)b;
    w.weights[w.count++] = part * part;
    sum += part * part;
  }
  for (uint32_t k = 0; k < w.count; ++k) w.weights[k] /= sum;
  return w;
}

/* ---- life ---- */

static void take_mesh(weft_mesh *mesh) {
  const weft_figure_mesh_data *data = &weft_figure_made;
  size_t corners = 3 * (size_t)data->triangle_count;
  mesh->vertex_count = data->vertex_count;
  mesh->triangle_count = data->triangle_count;
  mesh->positions = weft_alloc(data->vertex_count, sizeof *mesh->positions);
  mesh->triangles = weft_alloc(corners, sizeof *mesh->triangles);
  memcpy(mesh->positions, data->positions, data->vertex_count * sizeof *mesh->positions);
  for (size_t k = 0; k < corners; ++k) mesh->triangles[k] = data->corners[k];
}

weft_figure *weft_figure_create(void) {
  weft_figure *f = weft_alloc(1, sizeof *f);
  take_mesh(&f->mesh);
  f->weights = weft_alloc(f->mesh.vertex_count, sizeof *f->weights);
  for (uint32_t v = 0; v < f->mesh.vertex_count; ++v) {
    f->weights[v] = weights_of(f->mesh.positions[v]);
  }
  return f;
}

void weft_figure_destroy(weft_figure *figure) {
  if (!figure) return;
  weft_mesh_free(&figure->mesh);
  weft_free(figure->weights);
  weft_free(figure);
}

const weft_mesh *weft_figure_mesh(const weft_figure *figure) { return &figure->mesh; }
