/* binding.c: points that are fastened to a surface and go where its triangles go. */
#include <math.h>
#include <string.h>
#include <weft/body.h>

#include "base.h"
#include "triangle_tree.h"

typedef struct bond {
  uint32_t corners[3];
  double weights[3]; /* of the corners, in the nearest point of the triangle */
  weft_vec3d beyond; /* from there to the point, in the triangle's own directions, metres */
  double distance;   /* its length */
} bond;

struct weft_binding {
  uint32_t count, vertices;
  bond *bonds;
};

/* ---- the nearest point of a triangle (Ericson 2005, "Real-time collision detection", 5.1.5) ----
 *
 * As weft_nearest_in_triangle, but no weight is the rest of the others: points stay to the last bit
 * where they were bound. */

static void on_edge(double *weights, int from, int to, double before, double after) {
  double part = before / (before + after); /* both distances along the edge, neither below 0 */
  weights[from] = 1 - part;
  weights[to] = part;
}

static void nearest_weights(weft_vec3d p, const weft_vec3d *x, double *w) {
  weft_vec3d ab = weft_v3d_sub(x[1], x[0]), ac = weft_v3d_sub(x[2], x[0]);
  double d[3][2];
  for (int k = 0; k < 3; ++k) {
    weft_vec3d from = weft_v3d_sub(p, x[k]);
    d[k][0] = weft_v3d_dot(ab, from);
    d[k][1] = weft_v3d_dot(ac, from);
    w[k] = 0;
  }
  double of_c = d[0][0] * d[1][1] - d[1][0] * d[0][1];
  double of_b = d[2][0] * d[0][1] - d[0][0] * d[2][1];
  double of_a = d[1][0] * d[2][1] - d[2][0] * d[1][1];
  double to_c = d[1][1] - d[1][0], to_b = d[2][0] - d[2][1];
  if (d[0][0] <= 0 && d[0][1] <= 0) {
    w[0] = 1;
  } else if (d[1][0] >= 0 && d[1][1] <= d[1][0]) {
    w[1] = 1;
  } else if (d[2][1] >= 0 && d[2][0] <= d[2][1]) {
    w[2] = 1;
  } else if (of_c <= 0 && d[0][0] >= 0 && d[1][0] <= 0) {
    on_edge(w, 0, 1, d[0][0], -d[1][0]);
  } else if (of_b <= 0 && d[0][1] >= 0 && d[2][1] <= 0) {
    on_edge(w, 0, 2, d[0][1], -d[2][1]);
  } else if (of_a <= 0 && to_c >= 0 && to_b >= 0) {
    on_edge(w, 1, 2, to_c, to_b);
  } else {
    double sum = of_a + of_b + of_c;
    w[0] = of_a / sum;
    w[1] = of_b / sum;
    w[2] = of_c / sum;
  }
}

static weft_vec3d weighted(const weft_vec3d *x, const double *w) {
  weft_vec3d sum = weft_v3d_scale(x[0], w[0]);
  return weft_v3d_add_scaled(weft_v3d_add_scaled(sum, w[1], x[1]), w[2], x[2]);
}

/* ---- binding ---- */

static void corners_of(const uint32_t *corners, const weft_vec3 *positions, weft_vec3d *x) {
  for (int k = 0; k < 3; ++k) x[k] = weft_v3d_from(positions[corners[k]]);
}

/* What has an area, and the tree over it. */
typedef struct surface {
  weft_vec3d *x;     /* [vertex_count] */
  uint32_t *corners; /* 3 of each that has one */
  uint32_t count;
  weft_triangle_tree *tree;
} surface;

static surface open_surface(const weft_mesh *mesh) {
  surface s = {.x = weft_alloc(mesh->vertex_count, sizeof *s.x),
               .corners = weft_alloc(3 * (size_t)mesh->triangle_count, sizeof *s.corners)};
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) s.x[i] = weft_v3d_from(mesh->positions[i]);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *c = &mesh->triangles[3 * (size_t)t];
    const weft_vec3d x[3] = {s.x[c[0]], s.x[c[1]], s.x[c[2]]};
    weft_vec3d unused[3];
    if (!weft_v3d_frame(x, unused)) continue;
    memcpy(&s.corners[3 * (size_t)s.count], c, 3 * sizeof *c);
    ++s.count;
  }
  s.tree = weft_triangle_tree_create(s.x, s.corners, 0, s.count);
  return s;
}

static void close_surface(surface *s) {
  weft_triangle_tree_free(s->tree);
  weft_free(s->corners);
  weft_free(s->x);
}

static bond bond_to(const surface *s, weft_vec3d p, uint32_t triangle) {
  const uint32_t *c = &s->corners[3 * (size_t)triangle];
  const weft_vec3d x[3] = {s->x[c[0]], s->x[c[1]], s->x[c[2]]};
  double w[3];
  nearest_weights(p, x, w);
  weft_vec3d beyond = weft_v3d_sub(p, weighted(x, w));
  weft_vec3d axes[3] = {0};
  weft_v3d_frame(x, axes);
  return (bond){.corners = {c[0], c[1], c[2]},
                .weights = {w[0], w[1], w[2]},
                .beyond = {weft_v3d_dot(beyond, axes[0]), weft_v3d_dot(beyond, axes[1]),
                           weft_v3d_dot(beyond, axes[2])},
                .distance = weft_v3d_length(beyond)};
}

/* Of those within reach of a point: the nearest, of several as near the first of the mesh. */
typedef struct search {
  const surface *on;
  weft_vec3d point;
  uint32_t triangle;
  bond best;
} search;

static void look_at(void *context, uint32_t triangle) {
  search *s = context;
  const bond found = bond_to(s->on, s->point, triangle);
  const bool first = triangle < s->triangle;
  if (found.distance > s->best.distance || (found.distance == s->best.distance && !first)) return;
  s->triangle = triangle;
  s->best = found;
}

static bond bind_point(const surface *to, weft_vec3d p) {
  const double rounding = 1 + 1e-12; /* those that are as near are to be seen */
  weft_nearest near;
  weft_triangle_tree_nearest(to->tree, p, INFINITY, &near);
  search s = {
      .on = to, .point = p, .triangle = near.triangle, .best = bond_to(to, p, near.triangle)};
  weft_triangle_tree_around(to->tree, p, p, near.distance * rounding, look_at, &s);
  return s.best;
}

static weft_result check_mesh(const weft_mesh *mesh, weft_error *err) {
  bool area = false;
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *c = &mesh->triangles[3 * t];
    if (c[0] >= mesh->vertex_count || c[1] >= mesh->vertex_count || c[2] >= mesh->vertex_count) {
      return weft_fail(err, WEFT_ERROR_MESH, "triangle %zu names a vertex that does not exist", t);
    }
    weft_vec3d x[3];
    corners_of(c, mesh->positions, x);
    weft_vec3d unused[3];
    area = area || weft_v3d_frame(x, unused);
  }
  if (area) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_MESH, "nothing can be bound to a mesh without area");
}

weft_result weft_binding_create(const weft_mesh *mesh, const weft_vec3 *points, uint32_t count,
                                weft_binding **out, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(out);
  *out = NULL;
  WEFT_NEED(mesh);
  WEFT_NEED_ITEMS(points, count);
  const weft_vec3 *positions = mesh->positions;
  const uint32_t *triangles = mesh->triangles;
  WEFT_NEED_ITEMS(positions, mesh->vertex_count);
  WEFT_NEED_ITEMS(triangles, mesh->triangle_count);
  weft_result result = check_mesh(mesh, err);
  for (uint32_t k = 0; k < count && result == WEFT_OK; ++k) {
    if (isfinite(points[k].x) && isfinite(points[k].y) && isfinite(points[k].z)) continue;
    result = weft_fail(err, WEFT_ERROR_NOT_FINITE, "point %u to be bound is not finite", k);
  }
  if (result != WEFT_OK) return result;
  weft_binding *binding = weft_alloc(1, sizeof *binding);
  *binding = (weft_binding){.count = count,
                            .vertices = mesh->vertex_count,
                            .bonds = weft_alloc(count, sizeof *binding->bonds)};
  surface s = open_surface(mesh);
  for (uint32_t k = 0; k < count; ++k) {
    binding->bonds[k] = bind_point(&s, weft_v3d_from(points[k]));
  }
  close_surface(&s);
  *out = binding;
  return WEFT_OK;
}

void weft_binding_destroy(weft_binding *binding) {
  if (!binding) return;
  weft_free(binding->bonds);
  weft_free(binding);
}

double weft_binding_distance(const weft_binding *binding, uint32_t point) {
  return binding && point < binding->count ? binding->bonds[point].distance : 0;
}

weft_result weft_binding_at(const weft_binding *binding, const weft_vec3 *positions,
                            weft_vec3 *points, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(binding);
  WEFT_NEED_ITEMS(positions, binding->vertices);
  WEFT_NEED_ITEMS(points, binding->count);
  for (uint32_t k = 0; k < binding->count; ++k) {
    const bond *b = &binding->bonds[k];
    weft_vec3d x[3];
    corners_of(b->corners, positions, x);
    weft_vec3d p = weighted(x, b->weights);
    weft_vec3d axes[3];
    if (weft_v3d_frame(x, axes)) {
      p = weft_v3d_add_scaled(p, b->beyond.x, axes[0]);
      p = weft_v3d_add_scaled(p, b->beyond.y, axes[1]);
      p = weft_v3d_add_scaled(p, b->beyond.z, axes[2]);
    }
    points[k] = weft_v3d_round(p);
  }
  return WEFT_OK;
}
