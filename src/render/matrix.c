/* Column-major 4 x 4 matrices. */
#include "matrix.h"

#include <math.h>

#include "base.h"

mat4 weft_mat4_multiply(mat4 a, mat4 b) {
  mat4 r = {{0}};
  for (int c = 0; c < 4; ++c) {
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < 4; ++i) r.m[4 * c + i] += a.m[4 * k + i] * b.m[4 * c + k];
    }
  }
  return r;
}

weft_vec3 weft_v3_unit(weft_vec3 a) {
  float length = weft_v3_length(a);
  return length > 0 ? weft_v3_scale(a, 1 / length) : weft_v3(0, 1, 0);
}

void weft_square_to(weft_vec3 axis, weft_vec3 *u, weft_vec3 *v) {
  weft_vec3 other = fabsf(axis.y) < 0.9f ? weft_v3(0, 1, 0) : weft_v3(0, 0, 1);
  *u = weft_v3_unit(weft_v3_cross(other, axis));
  *v = weft_v3_cross(axis, *u);
}

mat4 weft_mat4_look_at(weft_vec3 eye, weft_vec3 target) {
  weft_vec3 back = weft_v3_unit(weft_v3_sub(eye, target)), right, up;
  if (fabsf(back.y) > 0.999f) {
    right = weft_v3(1, 0, 0);
  } else {
    right = weft_v3_unit(weft_v3_cross(weft_v3(0, 1, 0), back));
  }
  up = weft_v3_cross(back, right);
  return (mat4){{right.x, up.x, back.x, 0, right.y, up.y, back.y, 0, right.z, up.z, back.z, 0,
                 -weft_v3_dot(right, eye), -weft_v3_dot(up, eye), -weft_v3_dot(back, eye), 1}};
}

mat4 weft_mat4_perspective(float fov, float aspect, float near, float far) {
  float f = 1 / tanf(fov / 2), depth = near - far;
  return (mat4){{f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / depth, -1, 0, 0,
                 2 * far * near / depth, 0}};
}

mat4 weft_mat4_orthographic(float half_side, float near, float far) {
  float s = 1 / half_side, depth = near - far;
  return (mat4){{s, 0, 0, 0, 0, s, 0, 0, 0, 0, 2 / depth, 0, 0, 0, (far + near) / depth, 1}};
}

mat4 weft_mat4_shift(float x, float y) {
  return (mat4){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, 0, 1}};
}

mat4 weft_mat4_to_texture(void) {
  return (mat4){{0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1}};
}
