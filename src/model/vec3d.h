/* vec3d.h: double-precision vectors. Rest values are computed in double and rounded once, so that
 * they depend on neither compiler nor machine. */
#ifndef WEFT_MODEL_VEC3D_H
#define WEFT_MODEL_VEC3D_H

#include <math.h>
#include <weft/types.h>

typedef struct weft_vec3d {
  double x, y, z;
} weft_vec3d;

static inline weft_vec3d weft_v3d(weft_vec3 a) { return (weft_vec3d){a.x, a.y, a.z}; }
static inline weft_vec3d weft_v3d_sub(weft_vec3d a, weft_vec3d b) {
  return (weft_vec3d){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline double weft_v3d_dot(weft_vec3d a, weft_vec3d b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline weft_vec3d weft_v3d_cross(weft_vec3d a, weft_vec3d b) {
  return (weft_vec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double weft_v3d_length(weft_vec3d a) { return sqrt(weft_v3d_dot(a, a)); }

static inline double weft_distance(weft_vec3 a, weft_vec3 b) {
  return weft_v3d_length(weft_v3d_sub(weft_v3d(a), weft_v3d(b)));
}
static inline double weft_triangle_area(weft_vec3 a, weft_vec3 b, weft_vec3 c) {
  weft_vec3d u = weft_v3d_sub(weft_v3d(b), weft_v3d(a));
  weft_vec3d v = weft_v3d_sub(weft_v3d(c), weft_v3d(a));
  return 0.5 * weft_v3d_length(weft_v3d_cross(u, v));
}

#endif
