/* Grids, and functions common to all builders. */
#include "builders.h"
#include "map.h"

weft_result weft_check_size(const char *what, float metres, weft_error *err) {
  if (metres >= 1e-6f && metres <= 1e6f) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s is %g m; it must lie between 1e-6 and 1e6 m", what,
                   (double)metres);
}

weft_result weft_check_centre(weft_vec3 centre, weft_error *err) {
  if (fabsf(centre.x) <= 1e6f && fabsf(centre.y) <= 1e6f && fabsf(centre.z) <= 1e6f) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "centre is %g %g %g; it must lie within 1e6 m",
                   (double)centre.x, (double)centre.y, (double)centre.z);
}

weft_result weft_mesh_reserve(weft_mesh *mesh, uint64_t vertex_count, uint64_t triangle_count,
                              weft_error *err) {
  if (vertex_count > WEFT_MESH_MAX_VERTICES || triangle_count > WEFT_MESH_MAX_TRIANGLES) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "a mesh of %llu vertices and %llu triangles is too large; at most %u and %u",
                     (unsigned long long)vertex_count, (unsigned long long)triangle_count,
                     (unsigned)WEFT_MESH_MAX_VERTICES, (unsigned)WEFT_MESH_MAX_TRIANGLES);
  }
  mesh->vertex_count = (uint32_t)vertex_count;
  mesh->triangle_count = (uint32_t)triangle_count;
  mesh->positions = weft_alloc(mesh->vertex_count, sizeof *mesh->positions);
  mesh->triangles = weft_alloc(3 * (size_t)mesh->triangle_count, sizeof *mesh->triangles);
  return WEFT_OK;
}

void weft_mesh_free(weft_mesh *mesh) {
  if (!mesh) return;
  weft_free(mesh->positions);
  weft_free(mesh->triangles);
  weft_map_free(&mesh->map);
  *mesh = (weft_mesh){0};
}

weft_mesh weft_mesh_copy(const weft_mesh *mesh) {
  weft_mesh copy = *mesh;
  copy.positions = weft_alloc(mesh->vertex_count, sizeof *copy.positions);
  copy.triangles = weft_alloc(3 * (size_t)mesh->triangle_count, sizeof *copy.triangles);
  copy.map = weft_map_copy(&mesh->map, mesh->vertex_count, mesh->triangle_count);
  const size_t corners = 3 * (size_t)mesh->triangle_count;
  if (mesh->vertex_count) {
    memcpy(copy.positions, mesh->positions, mesh->vertex_count * sizeof *copy.positions);
  }
  if (corners) memcpy(copy.triangles, mesh->triangles, corners * sizeof *copy.triangles);
  return copy;
}

void weft_mesh_swap(weft_mesh *a, weft_mesh *b) {
  const weft_mesh was = *a;
  *a = *b;
  *b = was;
}

weft_result weft_mesh_from_arrays(const weft_vec3 *positions, uint32_t vertex_count,
                                  const uint32_t *triangles, uint32_t triangle_count,
                                  weft_mesh *mesh, weft_error *err) {
  WEFT_NEED(mesh);
  *mesh = (weft_mesh){0};
  WEFT_NEED_ITEMS(positions, vertex_count);
  WEFT_NEED_ITEMS(triangles, triangle_count);
  WEFT_GUARD(err);
  weft_mesh given = {.vertex_count = vertex_count,
                     .triangle_count = triangle_count,
                     .positions = (weft_vec3 *)(uintptr_t)positions,
                     .triangles = (uint32_t *)(uintptr_t)triangles};
  if (vertex_count > WEFT_MESH_MAX_VERTICES || triangle_count > WEFT_MESH_MAX_TRIANGLES) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "%u vertices and %u triangles; at most %u and %u are allowed", vertex_count,
                     triangle_count, WEFT_MESH_MAX_VERTICES, WEFT_MESH_MAX_TRIANGLES);
  }
  for (uint32_t v = 0; v < vertex_count; ++v) {
    if (weft_v3_finite(positions[v])) continue;
    return weft_fail(err, WEFT_ERROR_MESH, "the position of vertex %u is not finite", v);
  }
  weft_result result = weft_check_indices(&given, err);
  if (result == WEFT_OK) *mesh = weft_mesh_copy(&given);
  return result;
}

static weft_grid_desc grid_defaults(const weft_grid_desc *desc) {
  weft_grid_desc d = desc ? *desc : (weft_grid_desc){0};
  if (d.rows == 0) d.rows = 64;
  if (d.columns == 0) d.columns = 64;
  if (d.width == 0) d.width = 1;
  if (d.height == 0) d.height = 1;
  return d;
}

static weft_result grid_check(const weft_grid_desc *d, weft_error *err) {
  if (d->rows < 2 || d->columns < 2) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "a grid of %u x %u vertices has no face; 2 x 2 does",
                     d->rows, d->columns);
  }
  if ((unsigned)d->pattern > WEFT_GRID_EQUILATERAL || (unsigned)d->plane > WEFT_PLANE_XZ) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "unknown grid pattern %d or plane %d",
                     (int)d->pattern, (int)d->plane);
  }
  weft_result result = weft_check_size("grid width", d->width, err);
  if (result == WEFT_OK) result = weft_check_size("grid height", d->height, err);
  if (result == WEFT_OK) result = weft_check_centre(d->centre, err);
  return result;
}

/* i-th of n points spread evenly over [-1/2, 1/2]; mirrored points are exact negatives. */
static double spread(uint32_t i, uint32_t n) { return (2.0 * i - (n - 1.0)) / (2.0 * (n - 1.0)); }

static void grid_positions(const weft_grid_desc *d, weft_vec3 *out) {
  bool shifted = d->pattern == WEFT_GRID_EQUILATERAL;
  double spacing = d->width / (shifted ? d->columns - 0.5 : d->columns - 1.0);
  double height = shifted ? spacing * (d->rows - 1.0) * 0.8660254037844386 : (double)d->height;
  for (uint32_t row = 0; row < d->rows; ++row) {
    double shift = shifted ? (row % 2 ? 0.25 : -0.25) * spacing : 0;
    double down = height * spread(row, d->rows);
    for (uint32_t column = 0; column < d->columns; ++column) {
      double along = spacing * (d->columns - 1.0) * spread(column, d->columns) + shift;
      bool hanging = d->plane == WEFT_PLANE_XY;
      *out++ = weft_v3((float)(d->centre.x + along), (float)(d->centre.y - (hanging ? down : 0)),
                       (float)(d->centre.z + (hanging ? 0 : down)));
    }
  }
}

bool weft_grid_cut_from_first(weft_grid_pattern pattern, uint32_t row, uint32_t column) {
  switch (pattern) {
    case WEFT_GRID_ALTERNATING:
      return (row + column) % 2 == 0;
    case WEFT_GRID_EQUILATERAL:
      return row % 2 == 1;
    default:
      return true;
  }
}

void weft_grid_cut(uint32_t rows, uint32_t columns, weft_grid_pattern pattern, uint32_t *t) {
  for (uint32_t row = 0; row + 1 < rows; ++row) {
    for (uint32_t column = 0; column + 1 < columns; ++column, t += 6) {
      uint32_t a = row * columns + column, b = a + 1; /* a b */
      uint32_t c = a + columns, e = c + 1;            /* c e */
      bool first = weft_grid_cut_from_first(pattern, row, column);
      uint32_t last = first ? e : b, from = first ? a : b;
      t[0] = a, t[1] = c, t[2] = last;
      t[3] = from, t[4] = first ? e : c, t[5] = first ? b : e;
    }
  }
}

weft_result weft_mesh_grid(const weft_grid_desc *desc, weft_mesh *mesh, weft_error *err) {
  WEFT_NEED(mesh);
  *mesh = (weft_mesh){0};
  WEFT_GUARD_FILL(mesh, err);
  weft_grid_desc d = grid_defaults(desc);
  weft_result result = grid_check(&d, err);
  if (result != WEFT_OK) return result;
  uint64_t quads = (uint64_t)(d.rows - 1) * (d.columns - 1);
  uint64_t triangles = quads > WEFT_MESH_MAX_TRIANGLES ? quads : 2 * quads;
  result = weft_mesh_reserve(mesh, (uint64_t)d.rows * d.columns, triangles, err);
  if (result != WEFT_OK) return result;
  grid_positions(&d, mesh->positions);
  weft_grid_cut(d.rows, d.columns, d.pattern, mesh->triangles);
  mesh->grid_rows = d.rows;
  mesh->grid_columns = d.columns;
  mesh->grid_pattern = d.pattern;
  return WEFT_OK;
}

static uint32_t ring_vertex(weft_ring r, uint32_t i) { return r.first + (r.offset + i) % r.count; }

/* The next vertex is taken from the ring whose edge has its middle first, so triangles alternate
 * left and right and both rings end together. */
uint32_t weft_mesh_stitch(weft_mesh *mesh, uint32_t at, weft_ring inner, weft_ring outer) {
  uint32_t i = 0, j = 0;
  while (i < inner.edges || j < outer.edges) {
    uint64_t inner_middle = (2 * (uint64_t)i + 1 + inner.phase) * outer.edges;
    uint64_t outer_middle = (2 * (uint64_t)j + 1 + outer.phase) * inner.edges;
    bool take_inner = j == outer.edges || (i < inner.edges && inner_middle <= outer_middle);
    uint32_t *t = mesh->triangles + 3 * (size_t)at++;
    t[0] = ring_vertex(inner, i);
    t[1] = ring_vertex(outer, j);
    t[2] = take_inner ? ring_vertex(inner, ++i) : ring_vertex(outer, ++j);
  }
  return at;
}
