/* vec3d.h: vectors of doubles, for what is measured on the host. Rest values are computed with them
 * and rounded once, so that they depend on neither compiler nor machine. */
#ifndef WEFT_VEC3D_H
#define WEFT_VEC3D_H

#include <math.h>
#include <weft/types.h>

typedef struct weft_vec3d {
  double x, y, z;
} weft_vec3d;

static inline weft_vec3d weft_v3d(double x, double y, double z) { return (weft_vec3d){x, y, z}; }
/* The first three numbers of an array. */
static inline weft_vec3d weft_v3d_at(const double *p) { return weft_v3d(p[0], p[1], p[2]); }
static inline weft_vec3d weft_v3d_from(weft_vec3 a) {
  return weft_v3d((double)a.x, (double)a.y, (double)a.z);
}
static inline weft_vec3 weft_v3d_round(weft_vec3d a) {
  return (weft_vec3){(float)a.x, (float)a.y, (float)a.z};
}

static inline weft_vec3d weft_v3d_add(weft_vec3d a, weft_vec3d b) {
  return weft_v3d(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline weft_vec3d weft_v3d_sub(weft_vec3d a, weft_vec3d b) {
  return weft_v3d(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline weft_vec3d weft_v3d_scale(weft_vec3d a, double s) {
  return weft_v3d(a.x * s, a.y * s, a.z * s);
}
/* a + s b */
static inline weft_vec3d weft_v3d_add_scaled(weft_vec3d a, double s, weft_vec3d b) {
  return weft_v3d_add(a, weft_v3d_scale(b, s));
}
static inline double weft_v3d_dot(weft_vec3d a, weft_vec3d b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline weft_vec3d weft_v3d_cross(weft_vec3d a, weft_vec3d b) {
  return weft_v3d(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double weft_v3d_length(weft_vec3d a) { return sqrt(weft_v3d_dot(a, a)); }
static inline double weft_v3d_distance(weft_vec3d a, weft_vec3d b) {
  return weft_v3d_length(weft_v3d_sub(a, b));
}
/* Makes a box hold one point more. */
static inline void weft_v3d_grow(weft_vec3d *low, weft_vec3d *high, weft_vec3d p) {
  *low = weft_v3d(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
  *high = weft_v3d(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
}
/* Turned by the length of `rotation`, radians, about its direction (Rodrigues' formula). */
static inline weft_vec3d weft_v3d_rotate(weft_vec3d v, weft_vec3d rotation) {
  double angle = weft_v3d_length(rotation);
  if (angle == 0) return v;
  weft_vec3d axis = weft_v3d_scale(rotation, 1 / angle);
  weft_vec3d out = weft_v3d_scale(v, cos(angle));
  out = weft_v3d_add_scaled(out, sin(angle), weft_v3d_cross(axis, v));
  return weft_v3d_add_scaled(out, weft_v3d_dot(axis, v) * (1 - cos(angle)), axis);
}

/* Of a triangle: along the first edge, square to it in the triangle, and along the normal; false
 * where it has no area. */
static inline bool weft_v3d_frame(const weft_vec3d x[3], weft_vec3d axes[3]) {
  weft_vec3d along = weft_v3d_sub(x[1], x[0]);
  weft_vec3d normal = weft_v3d_cross(along, weft_v3d_sub(x[2], x[0]));
  const double length = weft_v3d_length(along), area = weft_v3d_length(normal);
  if (!(area > 0 && area < (double)INFINITY)) return false;
  axes[0] = weft_v3d_scale(along, 1 / length);
  axes[2] = weft_v3d_scale(normal, 1 / area);
  axes[1] = weft_v3d_cross(axes[2], axes[0]);
  return true;
}

/* ---- of points in floats, computed in doubles ---- */

static inline double weft_v3_distance(weft_vec3 a, weft_vec3 b) {
  return weft_v3d_distance(weft_v3d_from(a), weft_v3d_from(b));
}
static inline double weft_v3_triangle_area(weft_vec3 a, weft_vec3 b, weft_vec3 c) {
  weft_vec3d u = weft_v3d_sub(weft_v3d_from(b), weft_v3d_from(a));
  weft_vec3d v = weft_v3d_sub(weft_v3d_from(c), weft_v3d_from(a));
  return 0.5 * weft_v3d_length(weft_v3d_cross(u, v));
}

#endif
