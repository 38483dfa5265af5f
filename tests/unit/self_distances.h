/* self_distances.h: how far features are apart, in doubles, for tests of what certifies it. */
#ifndef WEFT_TESTS_SELF_DISTANCES_H
#define WEFT_TESTS_SELF_DISTANCES_H

#include <math.h>
#include <stdbool.h>

#include "vec3d.h"

static inline weft_vec3d nearest_of(weft_vec3d p, weft_vec3d a, weft_vec3d b) {
  weft_vec3d d = weft_v3d_sub(b, a);
  double part = weft_v3d_dot(weft_v3d_sub(p, a), d) / weft_v3d_dot(d, d);
  return weft_v3d_add_scaled(a, fmin(1, fmax(0, part)), d);
}

static inline double to_triangle(weft_vec3d p, const weft_vec3d t[3]) {
  weft_vec3d d = weft_v3d_sub(t[1], t[0]), e = weft_v3d_sub(t[2], t[0]);
  weft_vec3d n = weft_v3d_cross(d, e), w = weft_v3d_sub(p, t[0]);
  double nn = weft_v3d_dot(n, n), u = weft_v3d_dot(weft_v3d_cross(w, e), n) / nn;
  double v = weft_v3d_dot(weft_v3d_cross(d, w), n) / nn;
  if (nn > 0 && u >= 0 && v >= 0 && u + v <= 1) return fabs(weft_v3d_dot(w, n)) / sqrt(nn);
  double least = INFINITY;
  for (int k = 0; k < 3; ++k) {
    least = fmin(least, weft_v3d_distance(p, nearest_of(p, t[k], t[(k + 1) % 3])));
  }
  return least;
}

static inline double between_edges(const weft_vec3d a[2], const weft_vec3d b[2]) {
  weft_vec3d d = weft_v3d_sub(a[1], a[0]), e = weft_v3d_sub(b[1], b[0]);
  weft_vec3d w = weft_v3d_sub(a[0], b[0]);
  double dd = weft_v3d_dot(d, d), ee = weft_v3d_dot(e, e), de = weft_v3d_dot(d, e);
  double det = dd * ee - de * de, dw = weft_v3d_dot(d, w), ew = weft_v3d_dot(e, w);
  double s = (de * ew - ee * dw) / det, t = (dd * ew - de * dw) / det;
  if (det > 0 && s >= 0 && s <= 1 && t >= 0 && t <= 1) {
    return weft_v3d_distance(weft_v3d_add_scaled(a[0], s, d), weft_v3d_add_scaled(b[0], t, e));
  }
  double least = INFINITY;
  for (int k = 0; k < 2; ++k) {
    least = fmin(least, weft_v3d_distance(a[k], nearest_of(a[k], b[0], b[1])));
    least = fmin(least, weft_v3d_distance(b[k], nearest_of(b[k], a[0], a[1])));
  }
  return least;
}

/* A vertex and a triangle, or two edges. */
typedef struct features {
  uint32_t particle[4];
  bool edges;
} features;

static inline double distance_of(const features *f, const weft_vec3d *x) {
  weft_vec3d at[4];
  for (int k = 0; k < 4; ++k) at[k] = x[f->particle[k]];
  return f->edges ? between_edges(at, at + 2) : to_triangle(at[0], at + 1);
}

#endif
