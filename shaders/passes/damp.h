/* damp.h: elements of the summation trees of global damping. */
#ifndef WEFT_PASSES_DAMP_H
#define WEFT_PASSES_DAMP_H
#include "kernels/damping.h"

KERNEL motion_sum motion_nothing() {
  motion_sum sum;
  sum.a = V3(K(0.0), K(0.0), K(0.0));
  sum.b = sum.a;
  sum.c = sum.a;
  return sum;
}

KERNEL motion_sum motion_sum_of(weft_motion element) {
  motion_sum sum;
  sum.a = XYZ(element.a);
  sum.b = XYZ(element.b);
  sum.c = XYZ(element.c);
  return sum;
}

KERNEL weft_motion motion_element(motion_sum sum) {
  weft_motion element;
  element.a = V4(exact_trim3(sum.a), K(0.0));
  element.b = V4(exact_trim3(sum.b), K(0.0));
  element.c = V4(exact_trim3(sum.c), K(0.0));
  return element;
}

#endif
