/* lang_lanes.h: the language of kernels (shaders/kernels/lang_glsl.h) in vectors: a lane is an
 * element, what depends on data is a mask, and what is the same for all of a pass is spread over
 * the lanes. Then all kernels that passes in vectors call, in that language. A part of
 * lanes_kernels.h. */
#define precise
#define INLINED LANE
#define KERNEL LANE
#define KERNEL_STRUCT(name) typedef struct name {
#define KERNEL_STRUCT_END(name) \
  }                             \
  name;
#define real vf
#define real3 v3
#define real4 v4
#define mask vi
#define K(x) all((float)(x))
#define AS_BITS(x) ((vu)(x))
#define AS_REAL(x) ((vf)(x))
#define NEVER ((vi){0})
#define ALWAYS (~(vi){0})
#define SELECT(condition, yes, no) choose(condition, yes, no)
#define LESS(a, b) less_of(a, b)
#define MORE(a, b) more_of(a, b)
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define NOT(a) (~(a))
#define WHEN(condition) if (any(condition)) {
#define END }
#define UNUSED(x) (void)(x)
#define UNI(x) all(x)
#define UNI3(v) every(v)
#define ABS(x) absolute(x)
#define XYZ(v) xyz(v)
#define V3(x, y, z) ((v3){x, y, z})
#define v3_add add
#define v3_sub sub
#define v3_scale scale
#define v3_neg neg
#define v3_select choose3
#define EXACT_PI 3.14159274101257324219f
#define EXACT_TWO_PI 6.28318548202514648438f
#define EXACT_SPLIT 4097.0f

LANE vf zero_below(vf x, float min) {
  vi small = absolute(x) < all(min);
  return (vf)((vi)x & ~small);
}

LANE vf exact_snap(vf x) { return zero_below(x, (float)WEFT_SNAP); }
LANE vf exact_flush(vf x) { return zero_below(x, (float)WEFT_FLUSH); }
LANE vf exact_trim(vf x) { return zero_below(x, (float)WEFT_TRIM); }

#include <kernels/exact.h>
/* after it */
#include <kernels/air.h>
#include <kernels/bend_line.h>
#include <kernels/level.h>
#include <kernels/line.h>
#include <kernels/lra.h>
#include <kernels/motion.h>
#include <kernels/pin.h>
#include <kernels/self_cull_bound.h>
#include <kernels/self_monotone.h>
/* numbers of a lane as integers */
#define uint vu
#define INT(x) __builtin_convertvector(x, vi)
#define UINT(x) ((vu)(x))
#define REAL(x) __builtin_convertvector(x, vf)
#include <kernels/grid.h>
#include <kernels/particle_contact.h>
#include <kernels/self_repel.h>
#undef uint
/* in that language */
#include <rows/constraint_kernels.h>
#include <rows/shape_kernels.h>
/* after them */
#include "constraint_choice.h"
#include "shape_choice.h"
/* after them */
#include <kernels/collide.h>
#include <kernels/point_on_shape.h>
