/* Makes a mesh usable as cloth: no zero-area or duplicate triangles, no unused vertices, one
 * winding a component. */
#include "adjacency.h"
#include "mesh_internal.h"

/* Removes marked triangles; the others keep their order. */
static void drop_marked(weft_mesh *mesh, const uint8_t *marks) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    if (marks[t]) continue;
    for (size_t corner = 0; corner < 3; ++corner) {
      mesh->triangles[3 * (size_t)count + corner] = mesh->triangles[3 * (size_t)t + corner];
    }
    ++count;
  }
  if (count < mesh->triangle_count) mesh->grid_rows = mesh->grid_columns = 0;
  mesh->triangle_count = count;
}

/* Dropping the smallest raises the mean they are judged by, hence the repetition. */
static void drop_bad_triangles(weft_mesh *mesh) {
  uint8_t *marks = weft_alloc(mesh->triangle_count, 1);
  while (weft_mark_zero_area(mesh, marks) > 0) drop_marked(mesh, marks);
  if (weft_mark_duplicates(mesh, marks) > 0) drop_marked(mesh, marks);
  while (weft_mark_zero_area(mesh, marks) > 0) drop_marked(mesh, marks);
  weft_free(marks);
}

static uint32_t corner_at(const uint32_t *t, uint32_t vertex) {
  return t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2;
}

/* Neighbour across the manifold edge that faces each corner, UINT32_MAX when none. */
static uint32_t *build_neighbours(const weft_mesh *mesh) {
  size_t corners = 3 * (size_t)mesh->triangle_count;
  uint32_t *neighbours = weft_alloc(corners, sizeof *neighbours);
  for (size_t c = 0; c < corners; ++c) neighbours[c] = UINT32_MAX;
  weft_edges edges;
  weft_edges_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &edges);
  for (uint32_t e = 0; e < edges.count; ++e) {
    const weft_edge *edge = edges.items + e;
    if (edge->triangle_count != 2) continue;
    for (int side = 0; side < 2; ++side) {
      size_t t = edge->triangle[side];
      uint32_t corner = corner_at(mesh->triangles + 3 * t, edge->opposite[side]);
      neighbours[3 * t + corner] = edge->triangle[1 - side];
    }
  }
  weft_edges_free(&edges);
  return neighbours;
}

static bool runs_along(const uint32_t *t, uint32_t from, uint32_t to) {
  return (t[0] == from && t[1] == to) || (t[1] == from && t[2] == to) ||
         (t[2] == from && t[0] == to);
}

/* Walks one component breadth first from a seed; sides[t] becomes 1 for triangles wound like the
 * seed and 2 for the others. queue receives its triangles; returns how many. */
static uint32_t walk_component(const weft_mesh *mesh, const uint32_t *neighbours, uint32_t seed,
                               uint8_t *sides, uint32_t *queue, uint32_t *turned) {
  uint32_t count = 1;
  *turned = 0;
  queue[0] = seed;
  sides[seed] = 1;
  for (uint32_t i = 0; i < count; ++i) {
    size_t t = queue[i];
    const uint32_t *corner = mesh->triangles + 3 * t;
    for (int c = 0; c < 3; ++c) {
      uint32_t n = neighbours[3 * t + (size_t)c];
      if (n == UINT32_MAX || sides[n] != 0) continue;
      bool same_way =
          runs_along(mesh->triangles + 3 * (size_t)n, corner[(c + 1) % 3], corner[(c + 2) % 3]);
      sides[n] = same_way ? (uint8_t)(3 - sides[t]) : sides[t];
      *turned += sides[n] == 2;
      queue[count++] = n;
    }
  }
  return count;
}

/* The smaller part of each component is turned. A one-sided surface keeps a seam. */
static void wind_consistently(weft_mesh *mesh) {
  uint32_t *neighbours = build_neighbours(mesh);
  uint32_t *queue = weft_alloc(mesh->triangle_count, sizeof *queue);
  uint8_t *sides = weft_alloc(mesh->triangle_count, 1);
  for (uint32_t seed = 0; seed < mesh->triangle_count; ++seed) {
    if (sides[seed] != 0) continue;
    uint32_t turned;
    uint32_t count = walk_component(mesh, neighbours, seed, sides, queue, &turned);
    uint8_t turn = 2 * (uint64_t)turned > count ? 1 : 2;
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t *corner = mesh->triangles + 3 * (size_t)queue[i];
      if (sides[queue[i]] != turn) continue;
      uint32_t swap = corner[1];
      corner[1] = corner[2];
      corner[2] = swap;
    }
  }
  weft_free(sides);
  weft_free(queue);
  weft_free(neighbours);
}

weft_result weft_mesh_repair(weft_mesh *mesh, weft_mesh_report *changes, weft_error *err) {
  WEFT_NEED_MESH(mesh);
  if (mesh->numbers) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "a mesh is repaired before it is ordered");
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (weft_v3_finite(mesh->positions[v])) continue;
    return weft_fail(err, WEFT_ERROR_MESH, "vertex %u is not finite", v);
  }
  weft_result result = weft_check_indices(mesh, err);
  if (result != WEFT_OK) return result;
  weft_mesh_report found;
  weft_mesh_inspect(mesh, changes ? changes : &found);
  if (changes) found = *changes;
  if (found.zero_area_triangles + found.duplicate_triangles > 0) drop_bad_triangles(mesh);
  if (mesh->triangle_count == 0) {
    return weft_fail(err, WEFT_ERROR_MESH, "no triangle is left; all %u have no area",
                     found.triangle_count);
  }
  wind_consistently(mesh);
  weft_mesh_drop_unused(mesh);
  return WEFT_OK;
}
