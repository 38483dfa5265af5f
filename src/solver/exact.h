/* exact.h: arithmetic whose bits every driver must agree on.
 *
 * Twin of shaders/lib/exact.glsl, statement for statement; compiled without contraction. Passes get
 * every constant that float rounds from here by name: the run in doubles has it unrounded. */
#ifndef WEFT_EXACT_H
#define WEFT_EXACT_H

#include <float.h>
#include <math.h>
#include <shared/weft_shared.h>
#include <string.h>

#include "base.h"

/* ---- numbers: what the format of float is part of. src/solver_f64/double.h brings its own ---- */
#ifndef WEFT_EXACT_NUMBERS

#if FLT_EVAL_METHOD != 0
#error "float arithmetic must round to float after each operation (on x86: use SSE, not x87)"
#endif
#ifdef __FAST_MATH__
#error "fast-math changes the bits that the GPU is compared with"
#endif

static inline float exact_from_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline uint32_t exact_to_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float exact_rcp(float x) {
  float y = exact_from_bits(0x7EF311C7u - exact_to_bits(x));
  float t = x * y;
  t = 2.0f - t;
  y = y * t;
  t = x * y;
  t = 2.0f - t;
  y = y * t;
  t = x * y;
  t = 1.0f - t;
  t = y * t;
  y = y + t;
  return y;
}

static inline float exact_rsqrt(float x) {
  float h = 0.5f * x;
  float y = exact_from_bits(0x5F375A86u - (exact_to_bits(x) >> 1));
  float t = h * y;
  t = t * y;
  t = 1.5f - t;
  y = y * t;
  t = h * y;
  t = t * y;
  t = 1.5f - t;
  y = y * t;
  t = h * y;
  t = t * y;
  t = 0.5f - t;
  t = y * t;
  y = y + t;
  return y;
}

static inline float exact_snap(float x) { return fabsf(x) < (float)WEFT_SNAP ? 0.0f : x; }
static inline float exact_flush(float x) { return fabsf(x) < (float)WEFT_FLUSH ? 0.0f : x; }
static inline float exact_trim(float x) { return fabsf(x) < (float)WEFT_TRIM ? 0.0f : x; }

static inline float exact_atan2(float y, float x) {
  float ax = fabsf(x);
  float ay = fabsf(y);
  bool steep = ay > ax;
  float high = steep ? ay : ax;
  float low = steep ? ax : ay;
  float cut = high * 0.414213567972183227539f;
  bool wide = low > cut;
  float sum = low + high;
  float difference = low - high;
  float numerator = wide ? difference : low;
  float denominator = wide ? sum : high;
  float inverse = exact_rcp(denominator);
  float t = numerator * inverse;
  t = exact_flush(t);
  float z = t * t;
  float p = 0.0805374458432197570801f * z;
  p = p - 0.138776853680610656738f;
  p = p * z;
  p = p + 0.199777111411094665527f;
  p = p * z;
  p = p - 0.333329498767852783203f;
  p = p * z;
  p = p * t;
  p = p + t;
  float shifted = p + 0.785398185253143310547f;
  float angle = wide ? shifted : p;
  float complement = 1.57079637050628662109f - angle;
  angle = steep ? complement : angle;
  float supplement = 3.14159274101257324219f - angle;
  angle = x < 0.0f ? supplement : angle;
  float negative = -angle;
  angle = y < 0.0f ? negative : angle;
  return angle;
}

/* The floats next to pi and 2 pi. */
#define EXACT_PI 3.14159274101257324219f
#define EXACT_TWO_PI 6.28318548202514648438f

#endif

/* ---- vectors ---- */

static inline weft_vec3 exact_snap3(weft_vec3 v) {
  return weft_v3(exact_snap(v.x), exact_snap(v.y), exact_snap(v.z));
}
static inline weft_vec3 exact_flush3(weft_vec3 v) {
  return weft_v3(exact_flush(v.x), exact_flush(v.y), exact_flush(v.z));
}
static inline weft_vec3 exact_trim3(weft_vec3 v) {
  return weft_v3(exact_trim(v.x), exact_trim(v.y), exact_trim(v.z));
}

static inline float exact_dot(weft_vec3 a, weft_vec3 b) {
  float xx = a.x * b.x;
  float yy = a.y * b.y;
  float zz = a.z * b.z;
  float s = xx + yy;
  s = s + zz;
  return s;
}

static inline weft_vec3 exact_cross(weft_vec3 a, weft_vec3 b) {
  weft_vec3 l = weft_v3(a.y * b.z, a.z * b.x, a.x * b.y);
  weft_vec3 r = weft_v3(a.z * b.y, a.x * b.z, a.y * b.x);
  return weft_v3_sub(l, r);
}

static inline weft_vec3 exact_xyz(vec4 v) { return weft_v3(v.x, v.y, v.z); }
static inline vec4 exact_vec4(weft_vec3 v, float w) { return (vec4){v.x, v.y, v.z, w}; }
static inline weft_vec3 exact_neg(weft_vec3 v) { return weft_v3(-v.x, -v.y, -v.z); }

#endif
