/* Column-major 4 x 4 matrices, by cglm. Its vec4 and mat4 are arrays, and the structs shared with
 * the shaders have the same names: cglm's are renamed while its header is read. */
#include "matrix.h"

#include <math.h>
#include <string.h>
#define vec4 cglm_vec4
#define mat4 cglm_mat4
#include <cglm/cglm.h>
#undef vec4
#undef mat4

#include "base.h"

static mat4 packed(cglm_mat4 from) {
  mat4 to;
  memcpy(to.m, from, sizeof to.m);
  return to;
}

static void unpack(mat4 from, cglm_mat4 to) { memcpy(to, from.m, sizeof from.m); }

mat4 weft_mat4_multiply(mat4 a, mat4 b) {
  cglm_mat4 left, right, product;
  unpack(a, left);
  unpack(b, right);
  glm_mat4_mul(left, right, product);
  return packed(product);
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
  weft_vec3 back = weft_v3_unit(weft_v3_sub(eye, target));
  bool upright = fabsf(back.y) > 0.999f; /* looking straight down or up: the x axis stays right */
  vec3 from = {eye.x, eye.y, eye.z};
  vec3 to = {eye.x - back.x, eye.y - back.y, eye.z - back.z};
  vec3 up = {0, upright ? 0.0f : 1.0f, upright ? -back.y : 0.0f};
  cglm_mat4 view;
  glm_lookat(from, to, up, view);
  return packed(view);
}

mat4 weft_mat4_perspective(float fov, float aspect, float near, float far) {
  cglm_mat4 projection;
  glm_perspective(fov, aspect, near, far, projection);
  return packed(projection);
}

mat4 weft_mat4_orthographic(float half_side, float near, float far) {
  cglm_mat4 projection;
  glm_ortho(-half_side, half_side, -half_side, half_side, near, far, projection);
  return packed(projection);
}

mat4 weft_mat4_shift(float x, float y) {
  cglm_mat4 shift;
  glm_translate_make(shift, (vec3){x, y, 0});
  return packed(shift);
}

mat4 weft_mat4_to_texture(void) {
  return (mat4){{0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1}};
}
