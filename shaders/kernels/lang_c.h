/* lang_c.h: the language of kernels (lang_glsl.h) in C: in floats, and in doubles where `float` means double
 * (src/core/solver_f64/double.h). lang_c_end.h takes the macros away again. */
#include <shared/weft_shared.h>
#include <string.h>

#include "base.h"

#define precise
#define KERNEL static inline
#define KERNEL_STRUCT(name) typedef struct name {
#define KERNEL_STRUCT_END(name) \
  }                             \
  name;
#define real float
#define real3 weft_vec3
#define real4 vec4
#define mask bool
#define K(x) ((float)(x))
#define AS_BITS(x) exact_to_bits(x)
#define AS_REAL(x) exact_from_bits(x)
#define NEVER false
#define ALWAYS true
#define SELECT(condition, yes, no) ((condition) ? (yes) : (no))
#define LESS(a, b) SELECT((a) < (b), a, b)
#define MORE(a, b) SELECT((a) > (b), a, b)
#define AND(a, b) ((a) && (b))
#define OR(a, b) ((a) || (b))
#define NOT(a) (!(a))
#define WHEN(condition) if (condition) {
#define END }
#define UNUSED(x) (void)(x)
#define UNI(x) (x)
#define UNI3(v) exact_xyz(v)
#define ABS(x) fabsf(x)
#define INT(x) ((int32_t)(x))
#define UINT(x) ((uint32_t)(x))
#define REAL(x) ((float)(x))
#define XYZ(v) exact_xyz(v)
#define V3(x, y, z) weft_v3(x, y, z)
#define V4(v, w) exact_vec4(v, w)
#define PART4(v, k) ((const float[4]){(v).x, (v).y, (v).z, (v).w}[k])
#define v3_add weft_v3_add
#define v3_sub weft_v3_sub
#define v3_scale weft_v3_scale
#define v3_neg exact_neg
#define v3_select exact_select

#ifndef WEFT_KERNELS_LANG_C_H
#define WEFT_KERNELS_LANG_C_H

static inline weft_vec3 exact_neg(weft_vec3 a) { return weft_v3(-a.x, -a.y, -a.z); }
static inline weft_vec3 exact_select(bool condition, weft_vec3 yes, weft_vec3 no) {
  return condition ? yes : no;
}
static inline weft_vec3 exact_xyz(vec4 v) { return weft_v3(v.x, v.y, v.z); }
static inline vec4 exact_vec4(weft_vec3 v, float w) { return (vec4){v.x, v.y, v.z, w}; }

/* ---- numbers that belong to the format of float; double.h brings its own ---- */
#ifndef WEFT_EXACT_NUMBERS

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

static inline float exact_snap(float x) { return fabsf(x) < (float)WEFT_SNAP ? 0.0f : x; }
static inline float exact_flush(float x) { return fabsf(x) < (float)WEFT_FLUSH ? 0.0f : x; }
static inline float exact_trim(float x) { return fabsf(x) < (float)WEFT_TRIM ? 0.0f : x; }

/* The floats next to pi and 2 pi. */
#define EXACT_PI 3.14159274101257324219f
#define EXACT_TWO_PI 6.28318548202514648438f
/* 2^12 + 1: half of the bits of a float (kernels/pair.h). */
#define EXACT_SPLIT 4097.0f

#endif

#endif
