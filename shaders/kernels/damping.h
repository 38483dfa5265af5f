/* damping.h: global damping, v += k (v_cm + omega x r - v): motion that is not rigid motion of the whole decays, and both momenta are conserved
 * (Mueller et al. 2007, section 3.5). */
#ifndef WEFT_KERNELS_DAMPING_H
#define WEFT_KERNELS_DAMPING_H
#include "kernels/exact.h"

/* Sums over particles, of two kinds: mass times position (a) and times velocity (b); angular momentum about the centre
 * (a), diagonal of the inertia tensor (b) and products of inertia 01, 02, 12 (c, negative sums). */
KERNEL_STRUCT(motion_sum)
  real3 a, b, c;
KERNEL_STRUCT_END(motion_sum)

KERNEL motion_sum motion_add(motion_sum s, real3 a, real3 b, real3 c) {
  s.a = v3_add(s.a, a);
  s.b = v3_add(s.b, b);
  s.c = v3_add(s.c, c);
  return s;
}

/* The term of a particle of inverse mass w; a pinned one adds 0. */
KERNEL motion_sum damping_linear(motion_sum s, real3 x, real w, real3 v) {
  real mass = exact_rcp(w);
  motion_sum to = s;
  to.a = v3_add(s.a, exact_trim3(v3_scale(x, mass)));
  to.b = v3_add(s.b, exact_trim3(v3_scale(v, mass)));
  to.a = v3_select(w == K(0.0), s.a, to.a);
  to.b = v3_select(w == K(0.0), s.b, to.b);
  return to;
}

KERNEL motion_sum damping_angular(motion_sum s, real3 x, real w, real3 v, real3 centre, real3 drift) {
  real mass = exact_rcp(w);
  real3 r = exact_flush3(v3_sub(x, centre));
  real3 relative = exact_flush3(v3_sub(v, drift));
  real3 turn = exact_trim3(exact_cross(r, relative));
  turn = exact_trim3(v3_scale(turn, mass));
  precise real xx = r.x * r.x;
  precise real yy = r.y * r.y;
  precise real zz = r.z * r.z;
  real3 around = v3_add(V3(yy, zz, xx), V3(zz, xx, yy));
  around = exact_trim3(v3_scale(around, mass));
  precise real xy = r.x * r.y;
  precise real xz = r.x * r.z;
  precise real yz = r.y * r.z;
  real3 mixed = exact_trim3(v3_scale(V3(xy, xz, yz), mass));
  motion_sum to = s;
  to.a = v3_select(w == K(0.0), s.a, v3_add(s.a, turn));
  to.b = v3_select(w == K(0.0), s.b, v3_add(s.b, around));
  to.c = v3_select(w == K(0.0), s.c, v3_sub(s.c, mixed));
  return to;
}

KERNEL real3 damping_yzx(real3 v) { return V3(v.y, v.z, v.x); }
KERNEL real3 damping_zxy(real3 v) { return V3(v.z, v.x, v.y); }

/* The remaining 2 x 2 system after elimination of the first unknown: matrix and right side. */
KERNEL_STRUCT(damping_two)
  real first;
  real second;
KERNEL_STRUCT_END(damping_two)

KERNEL damping_two damping_solve_two(real e_1, real e_2, real e_12, real y_1, real y_2) {
  mask swapped = e_2 > e_1;
  real pivot = SELECT(swapped, e_2, e_1);
  real other = SELECT(swapped, e_1, e_2);
  real y_first = SELECT(swapped, y_2, y_1);
  real y_second = SELECT(swapped, y_1, y_2);
  y_first = exact_flush(y_first);
  real inv_1 = exact_rcp(pivot);
  precise real part_12 = e_12 * inv_1;
  part_12 = exact_flush(part_12);
  precise real t = part_12 * e_12;
  precise real last = other - t;
  t = part_12 * y_first;
  precise real y_last = y_second - t;
  y_last = exact_flush(y_last);
  real inv_2 = exact_rcp(last);
  mask two = pivot > K(WEFT_MIN_INERTIA);
  mask three = AND(two, last > K(WEFT_MIN_INERTIA));
  precise real w_second = y_last * inv_2;
  w_second = SELECT(three, w_second, K(0.0));
  precise real w_first = y_first * inv_1;
  t = part_12 * w_second;
  w_first = w_first - t;
  w_first = SELECT(two, w_first, K(0.0));
  w_first = exact_flush(w_first);
  w_second = exact_flush(w_second);
  damping_two w;
  w.first = SELECT(swapped, w_second, w_first);
  w.second = SELECT(swapped, w_first, w_second);
  return w;
}

/* omega with I omega = L by symmetric elimination with the largest diagonal as pivot. d: diagonal, o: products (01, 02, 12) of a matrix whose
 * trace is 1. Around an axis without inertia (particles on a line, a single one) omega is 0. */
KERNEL real3 damping_solve(real3 d, real3 o, real3 l) {
  mask first = OR(d.x < d.y, d.x < d.z);
  d = v3_select(first, damping_yzx(d), d);
  l = v3_select(first, damping_yzx(l), l);
  o = v3_select(first, damping_zxy(o), o);
  mask second = OR(d.x < d.y, d.x < d.z);
  d = v3_select(second, damping_yzx(d), d);
  l = v3_select(second, damping_yzx(l), l);
  o = v3_select(second, damping_zxy(o), o);
  real inv_0 = exact_rcp(d.x);
  precise real part_1 = o.x * inv_0;
  part_1 = exact_flush(part_1);
  precise real part_2 = o.y * inv_0;
  part_2 = exact_flush(part_2);
  precise real t = part_1 * o.x;
  precise real e_1 = d.y - t;
  t = part_2 * o.y;
  precise real e_2 = d.z - t;
  t = part_2 * o.x;
  precise real e_12 = o.z - t;
  e_12 = exact_flush(e_12);
  t = part_1 * l.x;
  precise real y_1 = l.y - t;
  t = part_2 * l.x;
  precise real y_2 = l.z - t;
  damping_two behind = damping_solve_two(e_1, e_2, e_12, y_1, y_2);
  precise real w_0 = l.x * inv_0;
  t = part_1 * behind.first;
  w_0 = w_0 - t;
  t = part_2 * behind.second;
  w_0 = w_0 - t;
  real3 w = V3(w_0, behind.first, behind.second);
  w = v3_select(second, damping_zxy(w), w);
  w = v3_select(first, damping_zxy(w), w);
  return w;
}

/* The centre of mass (a) and its velocity (b) from the first sum. */
KERNEL motion_sum damping_centre(motion_sum linear, real inv_total_mass) {
  linear.a = v3_scale(linear.a, inv_total_mass);
  linear.b = v3_scale(linear.b, inv_total_mass);
  return linear;
}

/* The rigid motion of the whole from the two sums: centre (a), its velocity (b), angular velocity (c). */
KERNEL motion_sum damping_rigid(motion_sum linear, motion_sum angular, real inv_total_mass) {
  precise real trace = angular.b.x + angular.b.y;
  trace = trace + angular.b.z;
  real scale = exact_rcp(trace);
  real3 d = exact_flush3(v3_scale(angular.b, scale));
  real3 o = exact_flush3(v3_scale(angular.c, scale));
  real3 l = exact_flush3(v3_scale(angular.a, scale));
  real3 spin = damping_solve(d, o, l);
  spin = v3_select(trace > K(WEFT_TRIM), spin, V3(K(0.0), K(0.0), K(0.0)));
  motion_sum rigid = damping_centre(linear, inv_total_mass);
  rigid.a = exact_flush3(rigid.a);
  rigid.b = exact_flush3(rigid.b);
  rigid.c = exact_flush3(spin);
  return rigid;
}

KERNEL real3 damped_velocity(real3 x, real3 v, motion_sum rigid, real part) {
  real3 r = exact_flush3(v3_sub(x, rigid.a));
  real3 rigid_velocity = v3_add(exact_cross(rigid.c, r), rigid.b);
  real3 change = exact_flush3(v3_sub(rigid_velocity, v));
  change = v3_scale(change, part);
  return exact_snap3(v3_add(v, change));
}

#endif
