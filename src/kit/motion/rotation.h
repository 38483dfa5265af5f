/* rotation.h: unit quaternions and affine maps, in doubles. */
#ifndef WEFT_MOTION_ROTATION_H
#define WEFT_MOTION_ROTATION_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "vec3d.h"

/* x, y, z, w. */
typedef struct weft_quaternion {
  double q[4];
} weft_quaternion;

/* False for one without a length. */
static inline bool weft_quaternion_normalize(weft_quaternion *a) {
  double sum = 0;
  for (int k = 0; k < 4; ++k) sum += a->q[k] * a->q[k];
  if (!(sum > 1e-24 && sum < 1e24)) return false;
  for (int k = 0; k < 4; ++k) a->q[k] /= sqrt(sum);
  return true;
}

/* From a to b along the shorter arc (Shoemake 1985). */
static inline weft_quaternion weft_quaternion_slerp(weft_quaternion a, weft_quaternion b,
                                                    double part) {
  double cosine = 0, sign = 1, from = 1 - part, to = part;
  for (int k = 0; k < 4; ++k) cosine += a.q[k] * b.q[k];
  if (cosine < 0) cosine = -cosine, sign = -1;
  if (cosine < 1 - 1e-9) { /* else straight: the same to rounding */
    double angle = acos(cosine);
    from = sin(from * angle) / sin(angle);
    to = sin(to * angle) / sin(angle);
  }
  for (int k = 0; k < 4; ++k) a.q[k] = from * a.q[k] + to * sign * b.q[k];
  weft_quaternion_normalize(&a);
  return a;
}

/* Three rows of four: a turn, a shear or a scale, and a shift. */
typedef struct weft_affine {
  double m[3][4];
} weft_affine;

static inline weft_affine weft_affine_identity(void) {
  return (weft_affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

static inline weft_affine weft_affine_from(const double *translation, weft_quaternion rotation,
                                           const double *scale) {
  double x = rotation.q[0], y = rotation.q[1], z = rotation.q[2], w = rotation.q[3];
  const double r[3][3] = {
      {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
      {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
      {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)},
  };
  weft_affine a;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) a.m[i][k] = r[i][k] * scale[k];
    a.m[i][3] = translation[i];
  }
  return a;
}

/* b first, then a. */
static inline weft_affine weft_affine_after(const weft_affine *a, const weft_affine *b) {
  weft_affine out;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 4; ++k) {
      out.m[i][k] = k == 3 ? a->m[i][3] : 0;
      for (int n = 0; n < 3; ++n) out.m[i][k] += a->m[i][n] * b->m[n][k];
    }
  }
  return out;
}

static inline weft_vec3d weft_affine_point(const weft_affine *a, weft_vec3d p) {
  return weft_v3d(a->m[0][0] * p.x + a->m[0][1] * p.y + a->m[0][2] * p.z + a->m[0][3],
                  a->m[1][0] * p.x + a->m[1][1] * p.y + a->m[1][2] * p.z + a->m[1][3],
                  a->m[2][0] * p.x + a->m[2][1] * p.y + a->m[2][2] * p.z + a->m[2][3]);
}

#endif
