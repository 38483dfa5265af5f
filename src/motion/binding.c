/* binding.c: points that are fastened to a surface and go where its triangles go. */
#include <math.h>
#include <weft/body.h>

#include "base.h"
#include "vec3d.h"

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

/* Along the first edge, square to it in the triangle, and along the normal. */
typedef struct frame {
  weft_vec3d axes[3];
} frame;

/* False where the triangle has no area. */
static bool frame_of(weft_vec3d a, weft_vec3d b, weft_vec3d c, frame *out) {
  weft_vec3d along = weft_v3d_sub(b, a);
  weft_vec3d normal = weft_v3d_cross(along, weft_v3d_sub(c, a));
  double length = weft_v3d_length(along), area = weft_v3d_length(normal);
  if (!(area > 0)) return false;
  out->axes[0] = weft_v3d_scale(along, 1 / length);
  out->axes[2] = weft_v3d_scale(normal, 1 / area);
  out->axes[1] = weft_v3d_cross(out->axes[2], out->axes[0]);
  return true;
}

/* ---- the nearest point of a triangle (Ericson 2005, "Real-time collision detection", 5.1.5) ----
 */

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

/* How far p is from the interval of three numbers. */
static double outside(double p, double a, double b, double c) {
  return fmax(fmax(fmin(fmin(a, b), c) - p, p - fmax(fmax(a, b), c)), 0);
}

static bool can_be_nearer(weft_vec3d p, const weft_vec3d *x, double than) {
  double dx = outside(p.x, x[0].x, x[1].x, x[2].x), dy = outside(p.y, x[0].y, x[1].y, x[2].y);
  double dz = outside(p.z, x[0].z, x[1].z, x[2].z);
  return dx * dx + dy * dy + dz * dz < than * than;
}

static bool bind_to(const weft_mesh *mesh, uint32_t triangle, weft_vec3d p, bond *best) {
  const uint32_t *corners = &mesh->triangles[3 * (size_t)triangle];
  weft_vec3d x[3];
  corners_of(corners, mesh->positions, x);
  frame f;
  if (!can_be_nearer(p, x, best->distance) || !frame_of(x[0], x[1], x[2], &f)) return false;
  double w[3];
  nearest_weights(p, x, w);
  weft_vec3d beyond = weft_v3d_sub(p, weighted(x, w));
  double distance = weft_v3d_length(beyond);
  if (!(distance < best->distance)) return false;
  *best = (bond){.corners = {corners[0], corners[1], corners[2]},
                 .weights = {w[0], w[1], w[2]},
                 .beyond = {weft_v3d_dot(beyond, f.axes[0]), weft_v3d_dot(beyond, f.axes[1]),
                            weft_v3d_dot(beyond, f.axes[2])},
                 .distance = distance};
  return true;
}

/* Points follow one another, so the triangle of the one before is a good guess: it leaves little
 * but the boxes of the others to look at. Of two that are as near it is the first that is meant. */
static void bind_point(const weft_mesh *mesh, weft_vec3d p, uint32_t *guess, bond *best) {
  bond near = {.distance = INFINITY};
  bind_to(mesh, *guess, p, &near);
  *best = (bond){.distance = nextafter(near.distance, INFINITY)};
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    if (bind_to(mesh, t, p, best)) *guess = t;
  }
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
    frame f;
    area = area || frame_of(x[0], x[1], x[2], &f);
  }
  if (area) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_MESH, "nothing can be bound to a mesh without area");
}

weft_result weft_binding_create(const weft_mesh *mesh, const weft_vec3 *points, uint32_t count,
                                weft_binding **out, weft_error *err) {
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
  uint32_t guess = 0;
  for (uint32_t k = 0; k < count; ++k) {
    bind_point(mesh, weft_v3d_from(points[k]), &guess, &binding->bonds[k]);
  }
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
  WEFT_NEED(binding);
  WEFT_NEED_ITEMS(positions, binding->vertices);
  WEFT_NEED_ITEMS(points, binding->count);
  for (uint32_t k = 0; k < binding->count; ++k) {
    const bond *b = &binding->bonds[k];
    weft_vec3d x[3];
    corners_of(b->corners, positions, x);
    weft_vec3d p = weighted(x, b->weights);
    frame f;
    if (frame_of(x[0], x[1], x[2], &f)) {
      p = weft_v3d_add_scaled(p, b->beyond.x, f.axes[0]);
      p = weft_v3d_add_scaled(p, b->beyond.y, f.axes[1]);
      p = weft_v3d_add_scaled(p, b->beyond.z, f.axes[2]);
    }
    points[k] = weft_v3d_round(p);
  }
  return WEFT_OK;
}
