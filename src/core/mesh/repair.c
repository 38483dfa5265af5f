/* Makes a mesh usable as cloth: removes degenerate and duplicate triangles and unused vertices,
 * and makes the winding of each component consistent. */
#include "adjacency.h"
#include "map.h"
#include "mesh_internal.h"
#include "vec3.h"

/* Removes marked triangles; the others keep their order. */
static void drop_marked(weft_mesh *mesh, const uint8_t *marks) {
  uint32_t count = 0, *from = weft_alloc(mesh->triangle_count, sizeof *from);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    if (marks[t]) continue;
    for (size_t corner = 0; corner < 3; ++corner) {
      mesh->triangles[3 * (size_t)count + corner] = mesh->triangles[3 * (size_t)t + corner];
    }
    from[count++] = t;
  }
  if (count < mesh->triangle_count) mesh->grid_rows = mesh->grid_columns = 0;
  weft_map_triangles(&mesh->map, from, count);
  weft_free(from);
  mesh->triangle_count = count;
}

/* Dropping the smallest triangles raises the mean area that decides, so it is repeated. */
static void drop_bad_triangles(weft_mesh *mesh) {
  uint8_t *marks = weft_alloc(mesh->triangle_count, 1);
  while (weft_mark_zero_area(mesh, marks) > 0) drop_marked(mesh, marks);
  if (weft_mark_duplicates(mesh, marks) > 0) drop_marked(mesh, marks);
  while (weft_mark_zero_area(mesh, marks) > 0) drop_marked(mesh, marks);
  weft_free(marks);
}

/* How many faces of the source have a marked triangle here; NULL: any triangle. */
static uint32_t count_faces(const weft_mesh *mesh, const uint8_t *marks) {
  const weft_mesh_map *map = &mesh->map;
  if (!map->faces) return 0;
  uint8_t *met = weft_alloc(map->source_face_count, 1);
  uint32_t count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    if (met[map->faces[t]] || (marks && !marks[t])) continue;
    met[map->faces[t]] = 1;
    ++count;
  }
  weft_free(met);
  return count;
}

/* Of a triangle's vertices that are used, or whose heir is, the nearest to one of its corners. */
static uint32_t nearest_used(const weft_mesh *mesh, const uint32_t *t, uint32_t corner,
                             const uint8_t *used, const uint32_t *heirs) {
  uint32_t best = WEFT_NO_VERTEX;
  float min = INFINITY;
  for (int k = 0; k < 3; ++k) {
    uint32_t v = used[t[k]] ? t[k] : heirs[t[k]];
    if (t[k] == corner || v == WEFT_NO_VERTEX) continue;
    float far = weft_v3_length(weft_v3_sub(mesh->positions[v], mesh->positions[corner]));
    if (best != WEFT_NO_VERTEX && !(far < min)) continue;
    min = far;
    best = v;
  }
  return best;
}

/* Heirs for vertices that lost all their triangles: a corner of one of these. Two passes, for
 * dropped triangles that share vertices. */
static uint32_t *find_heirs(const weft_mesh *mesh, const uint32_t *before, uint32_t count) {
  uint8_t *used = weft_alloc(mesh->vertex_count, 1);
  uint32_t *heirs = weft_alloc(mesh->vertex_count, sizeof *heirs);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) heirs[v] = WEFT_NO_VERTEX;
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) used[mesh->triangles[c]] = 1;
  for (size_t c = 0; c < 6 * (size_t)count; ++c) {
    const size_t corner = c % (3 * (size_t)count);
    const uint32_t v = before[corner];
    if (used[v] || heirs[v] != WEFT_NO_VERTEX) continue;
    heirs[v] = nearest_used(mesh, before + corner - corner % 3, v, used, heirs);
  }
  weft_free(used);
  return heirs;
}

/* Unused vertices stay for now; returns their heirs, to be freed. */
static uint32_t *drop_triangles(weft_mesh *mesh) {
  const uint32_t count = mesh->triangle_count, faces = count_faces(mesh, NULL);
  uint32_t *before = weft_alloc(3 * (size_t)count, sizeof *before);
  memcpy(before, mesh->triangles, 3 * (size_t)count * sizeof *before);
  drop_bad_triangles(mesh);
  mesh->map.mending.faces_dropped += faces - count_faces(mesh, NULL);
  uint32_t *heirs = find_heirs(mesh, before, count);
  weft_free(before);
  return heirs;
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

/* Edges along which both triangles of a component run the same way, now and if one side were
 * flipped. Each such edge is counted from both triangles. */
static void count_flipped(const weft_mesh *mesh, const uint32_t *neighbours, const uint8_t *sides,
                          const uint32_t *queue, uint32_t count, uint64_t flipped[2]) {
  flipped[0] = flipped[1] = 0;
  for (uint32_t i = 0; i < count; ++i) {
    size_t t = queue[i];
    const uint32_t *corner = mesh->triangles + 3 * t;
    for (size_t c = 0; c < 3; ++c) {
      uint32_t n = neighbours[3 * t + c];
      if (n == UINT32_MAX) continue;
      bool same_way =
          runs_along(mesh->triangles + 3 * (size_t)n, corner[(c + 1) % 3], corner[(c + 2) % 3]);
      flipped[0] += same_way;
      flipped[1] += same_way == (sides[t] == sides[n]);
    }
  }
}

/* The smaller side of each component is flipped. A one-sided surface keeps a seam of
 * inconsistent edges; if flipping would lengthen it, nothing is flipped. */
static void wind_consistently(weft_mesh *mesh) {
  uint32_t *neighbours = build_neighbours(mesh);
  uint32_t *queue = weft_alloc(mesh->triangle_count, sizeof *queue);
  uint8_t *sides = weft_alloc(mesh->triangle_count, 1);
  uint8_t *marks = weft_alloc(mesh->triangle_count, 1);
  for (uint32_t seed = 0; seed < mesh->triangle_count; ++seed) {
    if (sides[seed] != 0) continue;
    uint32_t turned;
    uint32_t count = walk_component(mesh, neighbours, seed, sides, queue, &turned);
    uint8_t turn = 2 * (uint64_t)turned > count ? 1 : 2;
    uint64_t flipped[2];
    if (turned == 0) continue;
    count_flipped(mesh, neighbours, sides, queue, count, flipped);
    if (flipped[1] >= flipped[0]) continue;
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t *corner = mesh->triangles + 3 * (size_t)queue[i];
      if (sides[queue[i]] != turn) continue;
      uint32_t swap = corner[1];
      corner[1] = corner[2];
      corner[2] = swap;
      marks[queue[i]] = 1;
    }
  }
  mesh->map.mending.faces_turned += count_faces(mesh, marks);
  weft_free(marks);
  weft_free(sides);
  weft_free(queue);
  weft_free(neighbours);
}

static weft_result repair(weft_mesh *mesh, weft_mesh_report *changes, weft_error *err) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (weft_v3_finite(mesh->positions[v])) continue;
    return weft_fail(err, WEFT_ERROR_MESH, "vertex %u is not finite", weft_mesh_number(mesh, v));
  }
  weft_result result = weft_check_indices(mesh, err);
  if (result != WEFT_OK) return result;
  weft_mesh_report found;
  weft_mesh_inspect(mesh, changes ? changes : &found);
  if (changes) found = *changes;
  uint32_t *heirs = NULL;
  if (found.zero_area_triangles + found.duplicate_triangles > 0) heirs = drop_triangles(mesh);
  if (mesh->triangle_count == 0) {
    weft_free(heirs);
    return weft_fail(err, WEFT_ERROR_MESH, "no triangle is left; all %u have no area",
                     found.triangle_count);
  }
  wind_consistently(mesh);
  weft_mesh_drop_unused(mesh, heirs);
  weft_free(heirs);
  return WEFT_OK;
}

weft_result weft_mesh_repair(weft_mesh *mesh, weft_mesh_report *changes, weft_error *err) {
  WEFT_NEED_MESH(mesh);
  WEFT_GUARD(err);
  weft_mesh repaired = weft_mesh_copy(mesh);
  weft_result result = repair(&repaired, changes, err);
  if (result == WEFT_OK) weft_mesh_swap(mesh, &repaired);
  weft_mesh_free(&repaired);
  return result;
}
