/* project_lines: a team of invocations solves the lines of a bundle, which stand side by side in
 * one system with no coupling between them. Teams of a work group wait for each other, so all of
 * them take the steps of the longest line of the pass. */
#ifndef WEFT_PASSES_PROJECT_LINES_H
#define WEFT_PASSES_PROJECT_LINES_H
#include "kernels/line.h"
/* with what the two have in common */
#include "passes/line_room.h"

GROUP_ARRAY(float, s_diagonal, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_next, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_before, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_right, WEFT_LINE_ROOM)

#define WEIGHT(p) line_weight((p).w, bundle.scale)

GROUP_PASS(pass_project_lines) {
  uint end = pass.first + pass.count; /* a team may come after the last bundle */
  weft_line_bundle bundle = AT(LINE_BUNDLES, MIN(i, end - 1u));
  uint first = bundle.first;
  uint count = i < end ? bundle.count : 0u;
  EACH(k, 0u, 1u, count) {
    weft_line_edge e = AT(LINE_EDGES, first + k);
    real multiplier = K(0.0);
    if (pass.first_iteration != 1u) multiplier = AT(LINE_LAMBDA, first + k);
    real4 pa = AT(X, e.a);
    real4 pb = AT(X, e.b);
    line_start start = line_set_up(XYZ(pa), XYZ(pb), WEIGHT(pa), WEIGHT(pb), e.rest_length,
                                   e.compliance, multiplier);
    LINE(s_diagonal, k) = start.diagonal;
    LINE(s_right, k) = start.right;
    LINE(s_nx, k) = start.n.x;
    LINE(s_ny, k) = start.n.y;
    LINE(s_nz, k) = start.n.z;
  }
  WAIT_FOR_GROUP
  EACH(k, 0u, 1u, count) {
    LINE(s_next, k) = K(0.0);
    LINE(s_before, k) = K(0.0);
    if (GOES_ON(k)) {
      real4 shared_end = AT(X, AT(LINE_EDGES, first + k).b);
      LINE(s_next, k) = line_coupling(DIRECTION(k), DIRECTION(k + 1u), WEIGHT(shared_end));
    }
    if (bundle.steps == 0u || (k & 1u) == 0u) LINE(s_diagonal, k) = line_pivot(LINE(s_diagonal, k));
  }
  WAIT_FOR_GROUP
  /* Step s takes the equations 2^s before and after out of every equation that is left. */
  for (uint s = 0u; s < pass.steps; ++s) {
    uint stride = 1u << s;
    EACH(k, 2u * stride - 1u, 2u * stride, s < bundle.steps ? count : 0u) {
      line_equation own;
      own.diagonal = LINE(s_diagonal, k);
      own.right = LINE(s_right, k);
      own.next = LINE(s_next, k);
      own.before = K(0.0);
      line_equation other;
      other.diagonal = LINE(s_diagonal, k - stride);
      other.next = LINE(s_next, k - stride);
      other.right = LINE(s_right, k - stride);
      other.before = K(0.0);
      own = line_reduce_before(own, other);
      if (k + stride < count) {
        LINE(s_before, k + stride) = own.next;
        other.diagonal = LINE(s_diagonal, k + stride);
        other.next = LINE(s_next, k + stride);
        other.right = LINE(s_right, k + stride);
        own = line_reduce_after(own, other);
      } else {
        own.next = K(0.0);
      }
      LINE(s_right, k) = exact_flush(own.right);
      LINE(s_next, k) = own.next;
      bool leaves = s + 1u == bundle.steps || ((k + 1u) >> (s + 1u) & 1u) == 1u;
      LINE(s_diagonal, k) = own.diagonal;
      if (leaves) LINE(s_diagonal, k) = line_pivot(own.diagonal);
    }
    WAIT_FOR_GROUP
  }
  /* What is left after the last step is coupled to nothing. */
  uint alone = 1u << bundle.steps;
  EACH(k, alone - 1u, alone, count) {
    LINE(s_right, k) = line_solved(LINE(s_right, k), LINE(s_diagonal, k));
  }
  WAIT_FOR_GROUP
  for (uint s = pass.steps; s > 0u; --s) {
    uint stride = 1u << (s - 1u);
    EACH(k, stride - 1u, 2u * stride, s <= bundle.steps ? count : 0u) {
      real value = LINE(s_right, k);
      if (k >= stride) value = line_less(value, LINE(s_before, k), LINE(s_right, k - stride));
      if (k + stride < count) value = line_less(value, LINE(s_next, k), LINE(s_right, k + stride));
      LINE(s_right, k) = line_solved(value, LINE(s_diagonal, k));
    }
    WAIT_FOR_GROUP
  }
  /* An equation moves the particle it begins at; the last of a line the one at its end, too. */
  EACH(k, 0u, 1u, count) {
    weft_line_edge e = AT(LINE_EDGES, first + k);
    real before = K(0.0);
    if (pass.first_iteration != 1u) before = AT(LINE_LAMBDA, first + k);
    SET(LINE_LAMBDA, first + k, line_multiplier(before, LINE(s_right, k)));
    real4 pa = AT(X, e.a);
    real3 moved = line_move_on(XYZ(pa), WEIGHT(pa), DIRECTION(k), LINE(s_right, k));
    if (k > 0u && AT(LINE_EDGES, first + k - 1u).b == e.a) {
      moved = line_move_back(moved, WEIGHT(pa), DIRECTION(k - 1u), LINE(s_right, k - 1u));
    }
    SET(X, e.a, V4(exact_flush3(moved), pa.w));
    if (!GOES_ON(k)) {
      real4 pb = AT(X, e.b);
      moved = line_move_back(XYZ(pb), WEIGHT(pb), DIRECTION(k), LINE(s_right, k));
      SET(X, e.b, V4(exact_flush3(moved), pb.w));
    }
  }
}

#endif
