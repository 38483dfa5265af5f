/* project_lines: a team of invocations solves the lines of a bundle, which are independent blocks of one tridiagonal system. Teams of a work group
 * share barriers, so all of them run as many steps as the longest line of the pass. */
#ifndef WEFT_PASSES_PROJECT_LINES_H
#define WEFT_PASSES_PROJECT_LINES_H
#include "kernels/line.h"
/* shared by project_bends and project_lines */
#include "passes/line_room.h"

GROUP_ARRAY(float, s_diagonal, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_next, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_before, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_right, WEFT_LINE_ROOM)

/* The multiplier of edge k of a bundle from earlier iterations; 0 in the first one. */
KERNEL real line_so_far(BUFFERS m, weft_line_bundle bundle, uint k, uint first_iteration) {
  real multiplier = K(0.0);
  if (first_iteration != 1u) multiplier = AT(LINE_LAMBDA, bundle.first + k);
  return multiplier;
}

KERNEL void line_begin_edge(BUFFERS m, weft_line_bundle bundle, uint k, uint first_iteration) {
  weft_line_edge e = AT(LINE_EDGES, bundle.first + k);
  real4 pa = AT(X, e.a);
  real4 pb = AT(X, e.b);
  line_start start = line_set_up(XYZ(pa), XYZ(pb), line_weight(pa.w, bundle.scale), line_weight(pb.w, bundle.scale), e.rest_length,
                                 e.compliance, line_so_far(m, bundle, k, first_iteration));
  LINE(s_diagonal, k) = start.diagonal;
  LINE(s_right, k) = start.right;
  line_keep(k, start.n);
}

/* Sets the coupling of an edge to the next one. */
KERNEL void line_couple_edge(BUFFERS m, weft_line_bundle bundle, uint k) {
  LINE(s_next, k) = K(0.0);
  LINE(s_before, k) = K(0.0);
  if (line_goes_on(m, bundle, k)) {
    real4 shared_end = AT(X, AT(LINE_EDGES, bundle.first + k).b);
    LINE(s_next, k) = line_coupling(line_kept(k), line_kept(k + 1u), line_weight(shared_end.w, bundle.scale));
  }
  if (bundle.steps == 0u || (k & 1u) == 0u) LINE(s_diagonal, k) = line_pivot(LINE(s_diagonal, k));
}

KERNEL line_equation line_equation_of(uint k) {
  line_equation e;
  e.diagonal = LINE(s_diagonal, k);
  e.right = LINE(s_right, k);
  e.next = LINE(s_next, k);
  e.before = K(0.0);
  return e;
}

/* Eliminates the equations `stride` before and after from equation k; `leaves`: this is its last step. */
KERNEL void line_reduce_equation(uint k, uint stride, uint count, bool leaves) {
  line_equation own = line_reduce_before(line_equation_of(k), line_equation_of(k - stride));
  if (k + stride < count) {
    LINE(s_before, k + stride) = own.next;
    own = line_reduce_after(own, line_equation_of(k + stride));
  } else {
    own.next = K(0.0);
  }
  LINE(s_right, k) = exact_flush(own.right);
  LINE(s_next, k) = own.next;
  LINE(s_diagonal, k) = own.diagonal;
  if (leaves) LINE(s_diagonal, k) = line_pivot(own.diagonal);
}

KERNEL void line_put_back(uint k, uint stride, uint count) {
  real value = LINE(s_right, k);
  if (k >= stride) value = line_less(value, LINE(s_before, k), LINE(s_right, k - stride));
  if (k + stride < count) value = line_less(value, LINE(s_next, k), LINE(s_right, k + stride));
  LINE(s_right, k) = line_solved(value, LINE(s_diagonal, k));
}

/* An equation moves the first particle of its edge; the last one of a line also moves the second. */
KERNEL void line_move_ends(BUFFERS m, weft_line_bundle bundle, uint k, uint first_iteration) {
  weft_line_edge e = AT(LINE_EDGES, bundle.first + k);
  real before = line_so_far(m, bundle, k, first_iteration);
  SET(LINE_LAMBDA, bundle.first + k, line_multiplier(before, LINE(s_right, k)));
  real4 pa = AT(X, e.a);
  real weight = line_weight(pa.w, bundle.scale);
  real3 moved = line_move_on(XYZ(pa), weight, line_kept(k), LINE(s_right, k));
  if (k > 0u && AT(LINE_EDGES, bundle.first + k - 1u).b == e.a) {
    moved = line_move_back(moved, weight, line_kept(k - 1u), LINE(s_right, k - 1u));
  }
  SET(X, e.a, V4(exact_flush3(moved), pa.w));
  if (!line_goes_on(m, bundle, k)) {
    real4 pb = AT(X, e.b);
    moved = line_move_back(XYZ(pb), line_weight(pb.w, bundle.scale), line_kept(k), LINE(s_right, k));
    SET(X, e.b, V4(exact_flush3(moved), pb.w));
  }
}

GROUP_PASS(pass_project_lines) {
  weft_line_bundle bundle = line_bundle_of(m, i, pass.first + pass.count);
  uint count = bundle.count;
  EACH(k, 0u, 1u, count) { line_begin_edge(m, bundle, k, pass.first_iteration); }
  WAIT_FOR_GROUP
  EACH(k, 0u, 1u, count) { line_couple_edge(m, bundle, k); }
  WAIT_FOR_GROUP
  /* Step s of cyclic reduction: eliminates the equations 2^s before and after from every equation that is left. */
  for (uint s = 0u; s < pass.steps; ++s) {
    uint stride = 1u << s;
    EACH(k, 2u * stride - 1u, 2u * stride, s < bundle.steps ? count : 0u) {
      bool leaves = s + 1u == bundle.steps || ((k + 1u) >> (s + 1u) & 1u) == 1u;
      line_reduce_equation(k, stride, count, leaves);
    }
    WAIT_FOR_GROUP
  }
  /* After the last step no equations are coupled. */
  uint alone = 1u << bundle.steps;
  EACH(k, alone - 1u, alone, count) { LINE(s_right, k) = line_solved(LINE(s_right, k), LINE(s_diagonal, k)); }
  WAIT_FOR_GROUP
  for (uint s = pass.steps; s > 0u; --s) {
    uint stride = 1u << (s - 1u);
    EACH(k, stride - 1u, 2u * stride, s <= bundle.steps ? count : 0u) { line_put_back(k, stride, count); }
    WAIT_FOR_GROUP
  }
  EACH(k, 0u, 1u, count) { line_move_ends(m, bundle, k, pass.first_iteration); }
}

#endif
