/* pin.h: a pinned particle on its straight path through the frame. */
#ifndef WEFT_KERNELS_PIN_H
#define WEFT_KERNELS_PIN_H
#include "kernels/exact.h"

/* The point at fraction t between two points; at t = 1 exactly the second. */
KERNEL real3 pin_position(real3 from, real3 to, real t) {
  real3 path = v3_sub(to, from);
  path = v3_scale(path, t);
  real3 position = exact_snap3(v3_add(from, path));
  return v3_select(t == K(1.0), to, position);
}

/* The target of a pin that is at `x_prev`. If truncation delayed it, it catches up by at most `most`, or twice its own step if that is more, so as
 * not to tear the cloth. No limit where `most` is 0. */
KERNEL real3 pin_after(real3 position, real3 x_prev, real3 own_step, real most) {
  real3 way = exact_flush3(v3_sub(position, x_prev));
  real3 step = exact_flush3(own_step);
  precise real most2 = most * most;
  precise real step2 = exact_dot(step, step) * K(4.0);
  real reach2 = SELECT(step2 > most2, step2, most2);
  real way2 = exact_dot(way, way);
  precise real part2 = reach2 * exact_rcp(way2);
  precise real part = part2 * exact_rsqrt(part2);
  real3 nearer = exact_snap3(v3_add(x_prev, v3_scale(way, part)));
  return v3_select(AND(most > K(0.0), way2 > reach2), nearer, position);
}

/* Its target in a substep that spans the fractions `before` to t of the frame's path. */
KERNEL real3 pin_on_its_way(real3 from, real3 to, real before, real t, real3 x_prev, real most) {
  real3 position = pin_position(from, to, t);
  real3 came_from = pin_position(from, to, before);
  came_from = v3_select(before == K(0.0), from, came_from);
  return pin_after(position, x_prev, v3_sub(position, came_from), most);
}

KERNEL real3 pin_velocity(real3 position, real3 x_prev, real inv_dt) {
  real3 velocity = v3_sub(position, x_prev);
  velocity = v3_scale(velocity, inv_dt);
  return exact_snap3(velocity);
}

#endif
