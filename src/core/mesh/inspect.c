/* Reports the defects of a mesh. */
#include <float.h>
#include <stdlib.h>
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

/* ---- duplicates ---- */

/* The triangles from t on that were cut from the same face of the source. */
static uint32_t face_size(const weft_mesh *mesh, uint32_t t) {
  const uint32_t *faces = mesh->map.faces;
  uint32_t end = t + 1;
  while (faces && end < mesh->triangle_count && faces[end] == faces[t]) ++end;
  return end - t;
}

static int ascending(const void *a, const void *b) {
  uint32_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x < y ? -1 : x > y;
}

/* The vertices of some triangles in ascending order, each once, whatever the winding. Returns
 * how many. */
static uint32_t vertices_of(const weft_mesh *mesh, uint32_t t, uint32_t triangles, uint32_t *out) {
  uint32_t count = 0;
  memcpy(out, mesh->triangles + 3 * (size_t)t, 3 * (size_t)triangles * sizeof *out);
  qsort(out, 3 * (size_t)triangles, sizeof *out, ascending);
  for (uint32_t c = 0; c < 3 * triangles; ++c) {
    if (count == 0 || out[c] != out[count - 1]) out[count++] = out[c];
  }
  return count;
}

typedef struct lookup {
  const weft_mesh *mesh;
  uint32_t *table; /* 1 + number of a first triangle, 0 for free */
  size_t slots;
  bool faces;                 /* of whole faces; otherwise of single triangles */
  uint32_t *vertices, *other; /* capacity for the vertices of the largest face */
} lookup;

static uint32_t size_of(const lookup *l, uint32_t t) {
  return l->faces ? face_size(l->mesh, t) : 1;
}

/* Whether an earlier one has the same vertices; if not, it is added for later ones. */
static bool was_there(const lookup *l, uint32_t t) {
  const uint32_t count = vertices_of(l->mesh, t, size_of(l, t), l->vertices);
  const size_t bytes = count * sizeof *l->vertices;
  const uint64_t mixed = weft_hash_bytes(WEFT_HASH_SEED, l->vertices, bytes);
  size_t slot = (size_t)(mixed ^ mixed >> 29) & (l->slots - 1);
  for (; l->table[slot] != 0; slot = (slot + 1) & (l->slots - 1)) {
    const uint32_t before = l->table[slot] - 1;
    if (vertices_of(l->mesh, before, size_of(l, before), l->other) != count) continue;
    if (memcmp(l->vertices, l->other, bytes) == 0) return true;
  }
  l->table[slot] = t + 1;
  return false;
}

static uint32_t largest_face(const weft_mesh *mesh) {
  uint32_t most = 1;
  for (uint32_t t = 0, size; t < mesh->triangle_count; t += size) {
    size = face_size(mesh, t);
    if (size > most) most = size;
  }
  return most;
}

/* Faces of one triangle are left to the search over single triangles. */
static uint32_t mark_repeated(lookup *l, uint8_t *marks) {
  uint32_t count = 0;
  memset(l->table, 0, l->slots * sizeof *l->table);
  for (uint32_t t = 0, size; t < l->mesh->triangle_count; t += size) {
    size = size_of(l, t);
    if (marks[t] || (l->faces && size == 1) || !was_there(l, t)) continue;
    memset(marks + t, 1, size);
    count += size;
  }
  return count;
}

/* Whole faces first: two that lie back to back may have different diagonals. */
uint32_t weft_mark_duplicates(const weft_mesh *mesh, uint8_t *marks) {
  lookup l = {.mesh = mesh, .slots = 16};
  while (l.slots < 2 * (size_t)mesh->triangle_count) l.slots *= 2;
  const size_t room = 3 * (size_t)largest_face(mesh);
  l.table = weft_alloc(l.slots, sizeof *l.table);
  l.vertices = weft_alloc(room, sizeof *l.vertices);
  l.other = weft_alloc(room, sizeof *l.other);
  memset(marks, 0, mesh->triangle_count);
  uint32_t count = 0;
  l.faces = true;
  count += mark_repeated(&l, marks);
  l.faces = false;
  count += mark_repeated(&l, marks);
  weft_free(l.table);
  weft_free(l.vertices);
  weft_free(l.other);
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
  WEFT_GUARD_FILL_ONLY(report);
  if (!mesh || !weft_mesh_is_whole(mesh)) return;
  report->vertex_count = mesh->vertex_count;
  report->triangle_count = mesh->triangle_count;
  if (weft_check_indices(mesh, NULL) != WEFT_OK) return;
  inspect_vertices(mesh, report);
  inspect_edges(mesh, report);
  inspect_triangles(mesh, report);
  count_components(mesh, report);
}
