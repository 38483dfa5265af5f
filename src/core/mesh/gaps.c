/* gaps.c: exporters round coordinates, face by face or in other units, and copies of one vertex
 * no longer coincide. */
#include "gaps.h"

#include <math.h>

#include "adjacency.h"
#include "map.h"
#include "mesh_internal.h"
#include "sets.h"
#include "vec3d.h"

/* m: the mean edge, and the shortest at each vertex. */
static double measure_edges(const weft_mesh *mesh, const weft_edges *edges, double *shortest) {
  double sum = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) shortest[v] = INFINITY;
  for (uint32_t e = 0; e < edges->count; ++e) {
    const uint32_t a = edges->items[e].a, b = edges->items[e].b;
    const double length = weft_v3_distance(mesh->positions[a], mesh->positions[b]);
    sum += length;
    shortest[a] = fmin(shortest[a], length);
    shortest[b] = fmin(shortest[b], length);
  }
  return sum / fmax(edges->count, 1);
}

/* Vertices of border edges, ascending. */
static uint32_t find_border(const weft_mesh *mesh, const weft_edges *edges, uint32_t *border) {
  uint8_t *marks = weft_alloc(mesh->vertex_count, 1);
  uint32_t count = 0;
  for (uint32_t e = 0; e < edges->count; ++e) {
    if (edges->items[e].triangle_count != 1) continue;
    marks[edges->items[e].a] = marks[edges->items[e].b] = 1;
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (marks[v]) border[count++] = v;
  }
  weft_free(marks);
  return count;
}

static uint32_t count_pieces(const weft_mesh *mesh, uint32_t *sets) {
  uint32_t count = 0;
  uint8_t *seen = weft_alloc(mesh->vertex_count, 1);
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
    const uint32_t root = weft_set_root(sets, mesh->triangles[c]);
    count += !seen[root];
    seen[root] = 1;
  }
  weft_free(seen);
  return count;
}

/* Vertices that welding within `most` would merge, where edges are much longer than that. */
static void look(const weft_mesh *mesh, const double *shortest, const uint32_t *border,
                 uint32_t count, double most, uint32_t *sets, weft_mesh_gaps *gaps) {
  weft_vec3 *positions = weft_alloc(count, sizeof *positions);
  uint32_t *kept = weft_alloc(count, sizeof *kept);
  uint8_t *marks = weft_alloc(count, 1);
  for (uint32_t k = 0; k < count; ++k) positions[k] = mesh->positions[border[k]];
  weft_weld_map(positions, count, (float)most, kept);
  for (uint32_t k = 0; k < count; ++k) {
    const double apart = weft_v3_distance(positions[k], positions[kept[k]]);
    if (apart == 0 || 4 * apart > fmin(shortest[border[k]], shortest[border[kept[k]]])) continue;
    gaps->widest = fmax(gaps->widest, apart);
    weft_set_join(sets, border[k], border[kept[k]]);
    marks[k] = marks[kept[k]] = 1;
  }
  for (uint32_t k = 0; k < count; ++k) gaps->vertices += marks[k];
  weft_free(positions);
  weft_free(kept);
  weft_free(marks);
}

weft_mesh_gaps weft_mesh_find_gaps(const weft_mesh *mesh) {
  weft_mesh_gaps gaps = {0};
  weft_edges edges;
  weft_edges_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &edges);
  uint32_t *border = weft_alloc(mesh->vertex_count, sizeof *border);
  uint32_t *sets = weft_mesh_pieces(mesh);
  const uint32_t count = find_border(mesh, &edges, border);
  double *shortest = weft_alloc(mesh->vertex_count, sizeof *shortest);
  const double most = fmin(1e-3, measure_edges(mesh, &edges, shortest) / 20);
  gaps.pieces = count_pieces(mesh, sets);
  if (count > 0 && most > 0) look(mesh, shortest, border, count, most, sets, &gaps);
  gaps.after = count_pieces(mesh, sets);
  weft_free(shortest);
  weft_free(sets);
  weft_free(border);
  weft_edges_free(&edges);
  return gaps;
}
