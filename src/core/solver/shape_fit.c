/* shape_fit.c: a convex body scaled down about a point of itself stays inside itself. It is
 * clear of a triangle if a plane separates the two; the plane gives the largest scale. Only a
 * few directions are tried, so the result may be smaller than necessary. */
#include "shape_fit.h"

#include <math.h>

#include "base.h"
#include "shape.h"
#include "vec3d.h"

/* In a shape's own axes, relative to pose.a. */
typedef struct body {
  const weft_shape_mesh *mesh;
  weft_vec3d axes[3], origin;
  double length; /* fraction along its axis */
  weft_vec3d *points;
  weft_vec3d *normals; /* [triangles] */
  double *reaches;     /* [triangles] projections on these directions, relative to the core */
  weft_vec3d core;
  double reach, gap;
} body;

static weft_vec3d xyz(vec4 v) { return weft_v3d((double)v.x, (double)v.y, (double)v.z); }

static weft_vec3d place(const body *b, vec4 point) {
  return weft_v3d_add(xyz(point), weft_v3d(0, 0, (double)point.w * b->length));
}

static body body_of(const weft_shape_mesh *mesh, const weft_collider_pose *pose) {
  body b = {.mesh = mesh,
            .axes = {xyz(pose->axis_x), xyz(pose->axis_y), xyz(pose->axis_z)},
            .origin = xyz(pose->a)};
  if (weft_shape_infos[pose->shape].axis) b.length = weft_v3d_distance(xyz(pose->b), b.origin);
  b.points = weft_alloc(mesh->point_count, sizeof *b.points);
  for (uint32_t k = 0; k < mesh->point_count; ++k) b.points[k] = place(&b, mesh->points[k]);
  b.normals = weft_alloc(mesh->triangle_count, sizeof *b.normals);
  b.reaches = weft_alloc(mesh->triangle_count, sizeof *b.reaches);
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *c = &mesh->triangles[3 * t];
    b.normals[t] = weft_v3d_cross(weft_v3d_sub(b.points[c[1]], b.points[c[0]]),
                                  weft_v3d_sub(b.points[c[2]], b.points[c[0]]));
  }
  return b;
}

static void free_body(body *b) {
  weft_free(b->points);
  weft_free(b->normals);
  weft_free(b->reaches);
}

static double reach_along(const body *b, weft_vec3d along) {
  double reach = 0;
  for (uint32_t k = 0; k < b->mesh->point_count; ++k) {
    reach = fmax(reach, weft_v3d_dot(along, weft_v3d_sub(b->points[k], b->core)));
  }
  return reach;
}

static void grow_from(body *b, vec4 core) {
  b->core = place(b, core);
  b->reach = 0;
  for (uint32_t k = 0; k < b->mesh->point_count; ++k) {
    b->reach = fmax(b->reach, weft_v3d_distance(b->points[k], b->core));
  }
  for (uint32_t t = 0; t < b->mesh->triangle_count; ++t) {
    b->reaches[t] = reach_along(b, b->normals[t]);
  }
}

/* The scale at which planes perpendicular to `along` separate the body from the triangle. */
static double size_along(const body *b, const weft_vec3d corners[3], weft_vec3d along,
                         double reach) {
  double apart = INFINITY;
  for (int k = 0; k < 3; ++k) {
    apart = fmin(apart, weft_v3d_dot(along, weft_v3d_sub(corners[k], b->core)));
  }
  if (!(apart > 0)) return 0;
  double left = apart - b->gap * weft_v3d_length(along);
  return left >= reach ? 1 : fmax(0, left) / reach;
}

/* The point of a triangle nearest to a point: Ericson 2005, Real-Time Collision Detection,
 * 5.1.5. */
static weft_vec3d nearest_to(weft_vec3d p, const weft_vec3d t[3]) {
  weft_vec3d ab = weft_v3d_sub(t[1], t[0]), ac = weft_v3d_sub(t[2], t[0]);
  weft_vec3d ap = weft_v3d_sub(p, t[0]), bp = weft_v3d_sub(p, t[1]), cp = weft_v3d_sub(p, t[2]);
  double d1 = weft_v3d_dot(ab, ap), d2 = weft_v3d_dot(ac, ap);
  double d3 = weft_v3d_dot(ab, bp), d4 = weft_v3d_dot(ac, bp);
  double d5 = weft_v3d_dot(ab, cp), d6 = weft_v3d_dot(ac, cp);
  double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (d1 <= 0 && d2 <= 0) return t[0];
  if (d3 >= 0 && d4 <= d3) return t[1];
  if (d6 >= 0 && d5 <= d6) return t[2];
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return weft_v3d_add_scaled(t[0], d1 / (d1 - d3), ab);
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return weft_v3d_add_scaled(t[0], d2 / (d2 - d6), ac);
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return weft_v3d_add_scaled(t[1], w, weft_v3d_sub(t[2], t[1]));
  }
  double sum = va + vb + vc;
  return weft_v3d_add_scaled(weft_v3d_add_scaled(t[0], vb / sum, ab), vc / sum, ac);
}

/* The scale of the body beside a triangle of the cloth, at most `enough`. */
static double size_beside(const body *b, const weft_vec3d t[3], double enough) {
  weft_vec3d way = weft_v3d_sub(nearest_to(b->core, t), b->core);
  double size =
      weft_v3d_length(way) > b->reach + b->gap ? 1 : size_along(b, t, way, reach_along(b, way));
  for (uint32_t k = 0; k < b->mesh->triangle_count && size < enough; ++k) {
    size = fmax(size, size_along(b, t, b->normals[k], b->reaches[k]));
  }
  return fmin(size, enough);
}

static weft_vec3d seen(const body *b, weft_vec3 x) {
  weft_vec3d d = weft_v3d_sub(weft_v3d_from(x), b->origin);
  return weft_v3d(weft_v3d_dot(b->axes[0], d), weft_v3d_dot(b->axes[1], d),
                  weft_v3d_dot(b->axes[2], d));
}

/* The scale beside all triangles, or beside those with a pin. */
static double size_among(const body *b, const weft_model *model, const weft_vec3 *positions,
                         bool pins) {
  double size = 1;
  for (size_t t = 0; t < model->triangle_count; ++t) {
    const uint32_t *c = &model->triangles[3 * t];
    bool pinned = model->inverse_masses[c[0]] == 0 || model->inverse_masses[c[1]] == 0 ||
                  model->inverse_masses[c[2]] == 0;
    if (pins && !pinned) continue;
    const weft_vec3d corners[3] = {seen(b, positions[c[0]]), seen(b, positions[c[1]]),
                                   seen(b, positions[c[2]])};
    size = size_beside(b, corners, size);
  }
  return size;
}

/* About the middle; if cloth leaves little room there, about points around it. */
static vec4 candidate(const body *b, uint32_t k) {
  static const float around[][4] = {{0, 0, 0, 0.5f},    {0.5f, 0, 0, 0.5f},  {-0.5f, 0, 0, 0.5f},
                                    {0, 0.5f, 0, 0.5f}, {0, -0.5f, 0, 0.5f}, {0, 0, 0.5f, 1},
                                    {0, 0, -0.5f, 0}};
  weft_vec3d most = weft_v3d(0, 0, 0);
  for (uint32_t p = 0; p < b->mesh->point_count; ++p) {
    weft_vec3d at = xyz(b->mesh->points[p]);
    most = weft_v3d(fmax(most.x, at.x), fmax(most.y, at.y), fmax(most.z, at.z));
  }
  const float *to = around[k];
  return (vec4){to[0] * (float)most.x, to[1] * (float)most.y, to[2] * (float)most.z,
                b->length > 0 ? to[3] : 0};
}

weft_shape_fit weft_shape_fit_to(const weft_shape_mesh *whole, const weft_collider_pose *pose,
                                 double gap, const weft_model *model, const weft_vec3 *positions) {
  enum { CANDIDATES = 7 };
  body b = body_of(whole, pose);
  b.gap = gap;
  weft_shape_fit best = {.size = -1};
  for (uint32_t k = 0; k < CANDIDATES && best.size < 1; ++k) {
    vec4 core = candidate(&b, k);
    grow_from(&b, core);
    double size = size_among(&b, model, positions, false);
    if (size <= (double)best.size) continue;
    double most = size < 1 ? size_among(&b, model, positions, true) : 1;
    best = (weft_shape_fit){core, (float)size, (float)most, b.reach};
  }
  free_body(&b);
  return best;
}
