/* What a mesh suffers from. */
#include <float.h>
#include <string.h>

#include "adjacency.h"
#include "mesh_internal.h"
#include "sets.h"
#include "vec3d.h"

static double area_of(const weft_vec3 *positions, const uint32_t *t) {
  return weft_v3_triangle_area(positions[t[0]], positions[t[1]], positions[t[2]]);
}

static double total_area(const weft_mesh *mesh) {
  double sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    sum += area_of(mesh->positions, mesh->triangles + 3 * (size_t)t);
  }
  return sum;
}

uint32_t weft_mark_zero_area(const weft_mesh *mesh, uint8_t *marks) {
  uint32_t count = 0;
  double min = 1e-6 * total_area(mesh) / fmax(mesh->triangle_count, 1);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
    double area = area_of(mesh->positions, corner);
    marks[t] = weft_triangle_repeats(corner) || !(area > 0 && area >= min);
    count += marks[t];
  }
  return count;
}

/* The same three vertices in ascending order whatever the triangle's winding. */
static void sorted_corners(const uint32_t *t, uint32_t *key) {
  uint32_t a = t[0], b = t[1], c = t[2], swap;
  if (a > b) swap = a, a = b, b = swap;
  if (b > c) swap = b, b = c, c = swap;
  if (a > b) swap = a, a = b, b = swap;
  key[0] = a, key[1] = b, key[2] = c;
}

/* An open-addressing table of triangle numbers. */
uint32_t weft_mark_duplicates(const weft_mesh *mesh, uint8_t *marks) {
  size_t slots = 16;
  while (slots < 2 * (size_t)mesh->triangle_count) slots *= 2;
  uint32_t *table = weft_alloc(slots, sizeof *table); /* number + 1, 0 for free */
  uint32_t count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    uint32_t key[3], other[3];
    sorted_corners(mesh->triangles + 3 * (size_t)t, key);
    uint64_t mixed = weft_hash_bytes(WEFT_HASH_SEED, key, sizeof key);
    size_t slot = (size_t)(mixed ^ mixed >> 29) & (slots - 1);
    for (marks[t] = 0; table[slot] != 0; slot = (slot + 1) & (slots - 1)) {
      sorted_corners(mesh->triangles + 3 * (size_t)(table[slot] - 1), other);
      if (memcmp(key, other, sizeof key) != 0) continue;
      marks[t] = 1;
      break;
    }
    if (!marks[t]) table[slot] = t + 1;
    count += marks[t];
  }
  weft_free(table);
  return count;
}

uint32_t *weft_mesh_pieces(const weft_mesh *mesh) {
  uint32_t *piece = weft_sets(mesh->vertex_count);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
    weft_set_join(piece, corner[0], corner[1]);
    weft_set_join(piece, corner[0], corner[2]);
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) piece[v] = weft_set_root(piece, v);
  return piece;
}

static void count_components(const weft_mesh *mesh, weft_mesh_report *report) {
  uint32_t *piece = weft_mesh_pieces(mesh);
  uint8_t *used = weft_alloc(mesh->vertex_count, 1);
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) used[mesh->triangles[c]] = 1;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    report->unused_vertices += !used[v];
    report->components += used[v] && piece[v] == v;
  }
  weft_free(used);
  weft_free(piece);
}

static void inspect_edges(const weft_mesh *mesh, weft_mesh_report *report) {
  weft_edges edges;
  weft_edges_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &edges);
  double sum = 0, shortest = edges.count ? DBL_MAX : 0, longest = 0;
  for (uint32_t e = 0; e < edges.count; ++e) {
    const weft_edge *edge = edges.items + e;
    report->boundary_edges += edge->triangle_count == 1;
    report->nonmanifold_edges += edge->triangle_count > 2;
    report->flipped_edges += weft_edge_flipped(edge, mesh->triangles);
    double length = weft_v3_distance(mesh->positions[edge->a], mesh->positions[edge->b]);
    sum += length;
    shortest = fmin(shortest, length);
    longest = fmax(longest, length);
  }
  report->edge_count = edges.count;
  report->shortest_edge = (float)shortest;
  report->longest_edge = (float)longest;
  report->mean_edge = (float)(sum / fmax(edges.count, 1));
  weft_edges_free(&edges);
}

static double smallest_angle_of(const weft_vec3 *positions, const uint32_t *t) {
  double smallest = 180;
  for (int corner = 0; corner < 3; ++corner) {
    weft_vec3d p = weft_v3d_from(positions[t[corner]]);
    weft_vec3d u = weft_v3d_sub(weft_v3d_from(positions[t[(corner + 1) % 3]]), p);
    weft_vec3d v = weft_v3d_sub(weft_v3d_from(positions[t[(corner + 2) % 3]]), p);
    double sine = weft_v3d_length(weft_v3d_cross(u, v)), cosine = weft_v3d_dot(u, v);
    double degrees = atan2(sine, cosine) * (180 / 3.141592653589793);
    smallest = fmin(smallest, degrees);
  }
  return smallest;
}

static void inspect_triangles(const weft_mesh *mesh, weft_mesh_report *report) {
  uint8_t *marks = weft_alloc(mesh->triangle_count, 1);
  report->duplicate_triangles = weft_mark_duplicates(mesh, marks);
  report->zero_area_triangles = weft_mark_zero_area(mesh, marks);
  report->area = total_area(mesh);
  double smallest = 180;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    if (marks[t]) continue;
    const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
    smallest = fmin(smallest, smallest_angle_of(mesh->positions, corner));
  }
  bool any = report->zero_area_triangles < mesh->triangle_count;
  report->smallest_angle = any ? (float)smallest : 0;
  weft_free(marks);
}

static void inspect_vertices(const weft_mesh *mesh, weft_mesh_report *report) {
  if (mesh->vertex_count > 0) {
    weft_v3_bounds(mesh->positions, mesh->vertex_count, &report->box_min, &report->box_max);
  }
  uint32_t *kept = weft_alloc(mesh->vertex_count, sizeof *kept);
  report->duplicate_positions =
      mesh->vertex_count - weft_weld_map(mesh->positions, mesh->vertex_count, 0, kept);
  weft_free(kept);
}

void weft_mesh_inspect(const weft_mesh *mesh, weft_mesh_report *report) {
  if (!report) return;
  *report = (weft_mesh_report){0};
  if (!mesh || !weft_mesh_is_whole(mesh)) return;
  report->vertex_count = mesh->vertex_count;
  report->triangle_count = mesh->triangle_count;
  if (weft_check_indices(mesh, NULL) != WEFT_OK) return;
  inspect_vertices(mesh, report);
  inspect_edges(mesh, report);
  inspect_triangles(mesh, report);
  count_components(mesh, report);
}
