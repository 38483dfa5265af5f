/* bounds.h: boxes around particles, and a change of the origin of positions. */
#ifndef WEFT_KERNELS_BOUNDS_H
#define WEFT_KERNELS_BOUNDS_H
#include "kernels/pair.h"

KERNEL_STRUCT(bounds_box)
  real3 low, high;
KERNEL_STRUCT_END(bounds_box)

/* An empty box: the union with any other is that one. */
KERNEL bounds_box bounds_nothing() {
  bounds_box box;
  box.low = V3(K(3e38), K(3e38), K(3e38));
  box.high = v3_neg(box.low);
  return box;
}

KERNEL bounds_box bounds_joined(bounds_box a, real3 low, real3 high) {
  bounds_box box;
  box.low = V3(LESS(a.low.x, low.x), LESS(a.low.y, low.y), LESS(a.low.z, low.z));
  box.high = V3(MORE(a.high.x, high.x), MORE(a.high.y, high.y), MORE(a.high.z, high.z));
  return box;
}

/* Exact if no position is farther from the new origin than from the old one: both are multiples of the spacing of floats there. */
KERNEL real3 shifted3(real3 x, real3 by) { return exact_snap3(v3_sub(x, by)); }

KERNEL pair3 shifted_pair3(pair3 x, real3 by) { return pair3_moved(x, v3_neg(by)); }

#endif
