/* distance.h: twin of shaders/lib/distance.glsl. */
#ifndef WEFT_REF_DISTANCE_H
#define WEFT_REF_DISTANCE_H

#include "ref.h"

static inline void distance_measure(weft_vec3 pa, weft_vec3 pb, float rest_length,
                                    weft_vec3 *direction, float *excess, bool *defined) {
  weft_vec3 d = weft_v3_sub(pa, pb);
  d = exact_flush3(d);
  float length2 = exact_dot(d, d);
  float shortest2 = rest_length * rest_length;
  shortest2 = shortest2 * (float)WEFT_MIN_LENGTH_RATIO2;
  float inverse = exact_rsqrt(length2);
  float len = length2 * inverse;
  *direction = weft_v3_scale(d, inverse);
  *excess = len - rest_length;
  *defined = length2 > shortest2;
}

static inline float distance_step(float violation, bool defined, float inv_denominator,
                                  uint32_t sense) {
  float step = violation * inv_denominator;
  step = defined ? step : 0.0f;
  step = exact_trim(step);
  bool pushes = sense == WEFT_ACTS_STRETCHED && step < 0.0f;
  bool pulls = sense == WEFT_ACTS_COMPRESSED && step > 0.0f;
  return pushes || pulls ? 0.0f : step;
}

static inline float distance_parted(weft_vec3 n, weft_vec3 pa, weft_vec3 pb, weft_vec3 prev_a,
                                    weft_vec3 prev_b) {
  weft_vec3 moved_a = weft_v3_sub(pa, prev_a);
  weft_vec3 moved_b = weft_v3_sub(pb, prev_b);
  weft_vec3 moved = weft_v3_sub(moved_a, moved_b);
  moved = exact_flush3(moved);
  float parted = exact_dot(n, moved);
  return exact_flush(parted);
}

static inline float distance_step_lambda(float violation, float parted, bool defined,
                                         float inv_denominator, weft_xpbd xpbd, uint32_t sense,
                                         float *lambda) {
  float before = *lambda;
  float held = xpbd.compliance * before;
  float damped = xpbd.gamma * parted;
  violation = violation + held;
  violation = violation + damped;
  float step = violation * inv_denominator;
  step = defined ? step : 0.0f;
  step = exact_trim(step);
  float after = before - step;
  after = exact_trim(after);
  bool pushes = sense == WEFT_ACTS_STRETCHED && after > 0.0f;
  bool pulls = sense == WEFT_ACTS_COMPRESSED && after < 0.0f;
  step = pushes || pulls ? before : step;
  *lambda = pushes || pulls ? 0.0f : after;
  return step;
}

static inline weft_vec3 distance_delta(weft_vec3 n, float step, float w) {
  return weft_v3_scale(n, w * step);
}

#endif
