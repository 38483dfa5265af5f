/* isometric.h: twin of shaders/lib/isometric.glsl. */
#ifndef WEFT_REF_ISOMETRIC_H
#define WEFT_REF_ISOMETRIC_H

#include "ref.h"

static inline weft_vec3 isometric_sum(weft_vec3 p0, weft_vec3 p1, weft_vec3 p2, weft_vec3 p3,
                                      vec4 k) {
  weft_vec3 d0 = weft_v3_sub(p0, p3);
  weft_vec3 d1 = weft_v3_sub(p1, p3);
  weft_vec3 d2 = weft_v3_sub(p2, p3);
  d0 = weft_v3_scale(d0, k.x);
  d1 = weft_v3_scale(d1, k.y);
  d2 = weft_v3_scale(d2, k.z);
  weft_vec3 s = weft_v3_add(d0, d1);
  s = weft_v3_add(s, d2);
  return exact_flush3(s);
}

static inline float isometric_last_weight(vec4 k) {
  float k3 = k.x + k.y;
  k3 = k3 + k.z;
  return -k3;
}

static inline weft_vec3 isometric_step(weft_vec3 violation, float inv_denominator) {
  weft_vec3 step = weft_v3_scale(violation, inv_denominator);
  return exact_trim3(step);
}

static inline weft_vec3 isometric_step_lambda(weft_vec3 violation, weft_vec3 then,
                                              float inv_denominator, weft_xpbd xpbd,
                                              weft_vec3 *lambda) {
  weft_vec3 before = *lambda;
  weft_vec3 held = weft_v3_scale(before, xpbd.compliance);
  weft_vec3 damped = weft_v3_sub(violation, then);
  damped = exact_flush3(damped);
  damped = weft_v3_scale(damped, xpbd.gamma);
  violation = weft_v3_add(violation, held);
  violation = weft_v3_add(violation, damped);
  weft_vec3 step = isometric_step(violation, inv_denominator);
  *lambda = exact_trim3(weft_v3_sub(before, step));
  return step;
}

static inline weft_vec3 isometric_delta(weft_vec3 step, float w, float k) {
  return weft_v3_scale(step, w * k);
}

#endif
