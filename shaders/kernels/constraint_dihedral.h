/* constraint_dihedral.h: the signed angle between the triangles (x0 x2 x3) and (x1 x3 x2) about the edge x2 x3 = rest angle.
 * The atan2 form and its gradients (Bridson et al. 2003; Grinspun et al. 2003) are regular when flat and when folded, where
 * acos of the normals' product is not. data: rest angle, alpha~, gamma, theta (1 for Gauss-Seidel, 0 when nothing can
 * move). */
#ifndef WEFT_KERNELS_CONSTRAINT_DIHEDRAL_H
#define WEFT_KERNELS_CONSTRAINT_DIHEDRAL_H
#include "kernels/constraint.h"

KERNEL_STRUCT(hinge)
  mask defined; /* whether both triangles have a normal */
  real n1_2, n2_2; /* squares of the normals, which are twice as long as the areas */
  real3 u1, u2; /* unit normals */
  real sine, cosine; /* of the angle */
  real3 g0, g1, g2, g3; /* its gradients */
KERNEL_STRUCT_END(hinge)

KERNEL hinge dihedral_measure(corners p) {
  real3 e = apart(p.pairs, XYZ(p.p3), p.low3, XYZ(p.p2), p.low2);
  real3 a2 = apart(p.pairs, XYZ(p.p2), p.low2, XYZ(p.p0), p.low0);
  real3 a3 = apart(p.pairs, XYZ(p.p3), p.low3, XYZ(p.p0), p.low0);
  real3 b2 = apart(p.pairs, XYZ(p.p2), p.low2, XYZ(p.p1), p.low1);
  real3 b3 = apart(p.pairs, XYZ(p.p3), p.low3, XYZ(p.p1), p.low1);
  real3 n1 = exact_flush3(exact_cross(a2, a3));
  real3 n2 = exact_flush3(exact_cross(b3, b2));
  real e_2 = exact_dot(e, e);
  real n1_2 = exact_dot(n1, n1);
  real n2_2 = exact_dot(n2, n2);
  /* A triangle without area has no normal: such a hinge rests (relative to its edge, 2^-40 in area). */
  precise real least = e_2 * e_2;
  least = least * K(WEFT_MIN_LENGTH_RATIO2);
  least = least * K(WEFT_MIN_LENGTH_RATIO2);
  hinge h;
  h.defined = AND(AND(n1_2 > least, n2_2 > least), e_2 > K(0.0));

  real e_inverse = exact_rsqrt(e_2);
  precise real e_length = e_2 * e_inverse;
  real3 e_unit = v3_scale(e, e_inverse);
  /* Unit normals for the angle: the products of the full ones could leave the range of float. */
  real3 u1 = exact_flush3(v3_scale(n1, exact_rsqrt(n1_2)));
  real3 u2 = exact_flush3(v3_scale(n2, exact_rsqrt(n2_2)));
  real3 turned = exact_flush3(exact_cross(u1, u2));
  h.sine = exact_flush(exact_dot(turned, e_unit));
  h.cosine = exact_flush(exact_dot(u1, u2));
  h.n1_2 = n1_2;
  h.n2_2 = n2_2;
  h.u1 = u1;
  h.u2 = u2;

  real3 m1 = v3_scale(n1, exact_rcp(n1_2));
  real3 m2 = v3_scale(n2, exact_rcp(n2_2));
  precise real minus_length = -e_length;
  h.g0 = v3_scale(m1, minus_length);
  h.g1 = v3_scale(m2, minus_length);
  h.g2 = v3_add(v3_scale(m1, exact_dot(a3, e_unit)), v3_scale(m2, exact_dot(b3, e_unit)));
  h.g3 = v3_neg(v3_add(v3_scale(m1, exact_dot(a2, e_unit)), v3_scale(m2, exact_dot(b2, e_unit))));
  return h;
}

/* The angle minus the rest angle, within -pi to pi. */
KERNEL real dihedral_excess(hinge h, real rest_angle) {
  precise real violation = exact_atan2(h.sine, h.cosine) - rest_angle;
  precise real lower = violation - K(EXACT_TWO_PI);
  precise real higher = violation + K(EXACT_TWO_PI);
  violation = SELECT(violation > K(EXACT_PI), lower, violation);
  violation = SELECT(violation < K(-EXACT_PI), higher, violation);
  return violation;
}

/* A particle's term of sum w |gradient|^2; that sum; a particle's term of the angle's change in this substep. */
KERNEL real dihedral_weight(real3 gradient, real w) {
  precise real part = exact_dot(gradient, gradient) * w;
  return part;
}

KERNEL real dihedral_sum(hinge h, corners p) {
  precise real sum = dihedral_weight(h.g0, p.p0.w) + dihedral_weight(h.g1, p.p1.w);
  sum = sum + dihedral_weight(h.g2, p.p2.w);
  sum = sum + dihedral_weight(h.g3, p.p3.w);
  return sum;
}

KERNEL real dihedral_turned(real3 gradient, bool pairs, real4 p, real3 low, real3 q, real3 q_low) {
  return exact_dot(gradient, apart(pairs, XYZ(p), low, q, q_low));
}

KERNEL real dihedral_step(hinge h, real violation, real sum, real4 data) {
  mask defined = AND(h.defined, AND(sum > K(WEFT_TRIM), sum < K(WEFT_LARGEST)));
  precise real held = sum + data.y;
  precise real step = violation * exact_rcp(held);
  step = step * data.w;
  return exact_trim(SELECT(defined, step, K(0.0)));
}

KERNEL real3 dihedral_move(real3 gradient, real step, real w) {
  precise real scaled = step * w;
  scaled = -scaled;
  return v3_scale(gradient, scaled);
}

KERNEL projection project_dihedral(corners p, real4 data, bool keeps, history past, uint acts) {
  UNUSED(acts);
  hinge h = dihedral_measure(p);
  precise real violation = dihedral_excess(h, data.x);
  precise real sum = dihedral_sum(h, p);
  real before = K(0.0);
  if (keeps) {
    before = past.multiplier.x;
    precise real held = data.y * before;
    precise real damped = dihedral_turned(h.g0, p.pairs, p.p0, p.low0, past.q0, past.q_low0) +
                          dihedral_turned(h.g1, p.pairs, p.p1, p.low1, past.q1, past.q_low1);
    damped = damped + dihedral_turned(h.g2, p.pairs, p.p2, p.low2, past.q2, past.q_low2);
    damped = damped + dihedral_turned(h.g3, p.pairs, p.p3, p.low3, past.q3, past.q_low3);
    damped = exact_flush(damped);
    damped = damped * data.z;
    violation = violation + held;
    violation = violation + damped;
    precise real more = sum * data.z;
    sum = sum + more;
  }
  real step = dihedral_step(h, violation, sum, data);
  precise real after = before - step;
  after = exact_trim(after);
  projection to;
  to.moves = NOT(step == K(0.0));
  to.d0 = dihedral_move(h.g0, step, p.p0.w);
  to.d1 = dihedral_move(h.g1, step, p.p1.w);
  to.d2 = dihedral_move(h.g2, step, p.p2.w);
  to.d3 = dihedral_move(h.g3, step, p.p3.w);
  to.multiplier = V3(after, K(0.0), K(0.0));
  return to;
}

#endif
