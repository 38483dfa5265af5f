/* bend_line.h: all bends along a line at once. A bend is the second difference of three consecutive particles, C = x_before - 2 x + x_after, with
 * a multiplier for each component. C is linear, so the system (K W K^T + alpha~) lambda = C is the same in every substep. It has five diagonals;
 * pairs of equations form blocks that are coupled to their neighbours only, and are solved by cyclic reduction (Hockney 1965) with matrices from a
 * table. */
#ifndef WEFT_KERNELS_BEND_LINE_H
#define WEFT_KERNELS_BEND_LINE_H
#include "kernels/line.h"

KERNEL real3 bend_of(real3 before, real3 at, real3 after) {
  real3 sum = v3_add(v3_sub(before, at), v3_sub(after, at));
  return exact_flush3(sum);
}

/* A row of a matrix times the two unknowns of a block. */
KERNEL real bend_row(real first, real second, real by_first, real by_second) {
  precise real one = first * by_first;
  precise real two = second * by_second;
  precise real sum = one + two;
  return exact_flush(sum);
}

KERNEL real3 bend_row3(real3 first, real3 second, real by_first, real by_second) {
  return V3(bend_row(first.x, second.x, by_first, by_second),
            bend_row(first.y, second.y, by_first, by_second),
            bend_row(first.z, second.z, by_first, by_second));
}

/* A value less the same product. The value is 0 or so large that no product which a processor might flush could change it. */
KERNEL real bend_less(real value, real first, real second, real by_first, real by_second) {
  precise real one = first * by_first;
  precise real two = second * by_second;
  precise real sum = one + two;
  precise real to = value - sum;
  return exact_flush(to);
}

KERNEL real3 bend_less3(real3 value, real3 first, real3 second, real by_first, real by_second) {
  return V3(bend_less(value.x, first.x, second.x, by_first, by_second),
            bend_less(value.y, first.y, second.y, by_first, by_second),
            bend_less(value.z, first.z, second.z, by_first, by_second));
}

/* The correction of a particle: it is the first of one bend, the middle of the one before, and the last of the one before that. */
KERNEL real3 bend_pull(real3 as_first, real3 as_middle, real3 as_last) {
  real3 ends = v3_add(as_first, as_last);
  return v3_sub(ends, v3_add(as_middle, as_middle));
}

KERNEL real3 bend_move(real3 x, real weight, real3 pull) {
  real3 step = v3_scale(pull, weight);
  return exact_flush3(v3_sub(x, step));
}

#endif
