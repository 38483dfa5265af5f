/* line.h: all stretch constraints of a line at once. Their projections, linearised at the current positions, are a tridiagonal system, solved by
 * cyclic reduction (Hockney 1965): every second equation is eliminated, then every second of the rest, and so on, followed by back substitution. */
#ifndef WEFT_KERNELS_LINE_H
#define WEFT_KERNELS_LINE_H
#include "kernels/exact.h"

/* Inverse masses are scaled by a power of two near the largest, so that couplings are at most 1 and multipliers have the size of lengths. */
KERNEL real line_weight(real inverse_mass, real line_scale) {
  precise real w = inverse_mass * line_scale;
  return exact_flush(w);
}

KERNEL real line_pivot(real diagonal) { return SELECT(diagonal > K(WEFT_FLUSH), exact_rcp(diagonal), K(0.0)); }

/* An equation: its diagonal, or the reciprocal of it after elimination; the coupling to the next remaining equation and, after elimination, to the
 * previous one; its right side, later its multiplier. */
KERNEL_STRUCT(line_equation)
  real diagonal, next, before, right;
KERNEL_STRUCT_END(line_equation)

KERNEL_STRUCT(line_start)
  real diagonal, right;
  real3 n; /* the direction of the edge */
KERNEL_STRUCT_END(line_start)

/* Masses' part of the diagonal is WEFT_LINE_FIRM times too large, or a stiff line drawn straight between two pins would be singular. */
KERNEL line_start line_set_up(real3 pa, real3 pb, real weight_a, real weight_b, real rest_length, real compliance,
                              real multiplier) {
  real3 d = exact_flush3(v3_sub(pb, pa));
  real length2 = exact_dot(d, d);
  precise real shortest2 = rest_length * rest_length;
  shortest2 = shortest2 * K(WEFT_MIN_LENGTH_RATIO2);
  real inverse = exact_rsqrt(length2);
  precise real len = length2 * inverse;
  real3 n = exact_flush3(v3_scale(d, inverse));
  precise real right = len - rest_length;
  precise real held = compliance * multiplier;
  right = right + held;
  mask defined = length2 > shortest2;
  precise real sum = weight_a + weight_b;
  sum = sum * K(WEFT_LINE_FIRM);
  precise real diagonal = sum + compliance;
  line_start to;
  to.diagonal = diagonal;
  to.right = SELECT(defined, exact_flush(right), K(0.0));
  to.n = v3_select(defined, n, V3(K(0.0), K(0.0), K(0.0)));
  return to;
}

/* The coupling of two edges that share a particle. */
KERNEL real line_coupling(real3 n, real3 n_after, real weight) {
  real cosine = exact_flush(exact_dot(n, n_after));
  precise real coupling = weight * cosine;
  precise real next = -exact_flush(coupling);
  return next;
}

/* Eliminates the equation before, and the one after, from an equation. */
KERNEL line_equation line_reduce_before(line_equation own, line_equation left) {
  precise real part = left.next * left.diagonal;
  part = exact_flush(part);
  precise real less = part * left.next;
  precise real diagonal = own.diagonal - less;
  less = part * left.right;
  precise real right = own.right - less;
  own.diagonal = diagonal;
  own.right = right;
  return own;
}

KERNEL line_equation line_reduce_after(line_equation own, line_equation after) {
  precise real part = own.next * after.diagonal;
  part = exact_flush(part);
  precise real less = part * own.next;
  precise real diagonal = own.diagonal - less;
  less = part * after.right;
  precise real right = own.right - less;
  precise real next = part * after.next;
  next = -exact_flush(next);
  own.diagonal = diagonal;
  own.right = right;
  own.next = next;
  return own;
}

/* Subtracts a multiplier that is already known from the right side. */
KERNEL real line_less(real value, real coupling, real multiplier) {
  precise real known = coupling * multiplier;
  precise real to = value - known;
  return to;
}

KERNEL real line_solved(real value, real diagonal) {
  precise real to = value * diagonal;
  return exact_flush(to);
}

KERNEL real line_multiplier(real before, real change) {
  precise real after = before - change;
  return exact_flush(after);
}

/* The correction of a particle by the edge that begins at it, and by the edge that ends there. */
KERNEL real3 line_move_on(real3 x, real weight, real3 n, real multiplier) {
  precise real step = weight * multiplier;
  return v3_add(x, v3_scale(n, step));
}

KERNEL real3 line_move_back(real3 x, real weight, real3 n, real multiplier) {
  precise real step = weight * multiplier;
  return v3_sub(x, v3_scale(n, step));
}

#endif
