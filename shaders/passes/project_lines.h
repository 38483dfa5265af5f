/* project_lines: a work group solves the lines of a bundle, which stand side by side in one system with no coupling between
 * them. */
#ifndef WEFT_PASSES_PROJECT_LINES_H
#define WEFT_PASSES_PROJECT_LINES_H
#include "kernels/line.h"

GROUP_ARRAY(float, s_diagonal, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_next, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_before, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_right, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_nx, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_ny, WEFT_LINE_ROOM)
GROUP_ARRAY(float, s_nz, WEFT_LINE_ROOM)

#define DIRECTION(k) V3(s_nx[k], s_ny[k], s_nz[k])
/* Whether the edge after k begins where k ends. */
#define GOES_ON(k) ((k) + 1u < count && AT(LINE_EDGES, first + (k) + 1u).a == AT(LINE_EDGES, first + (k)).b)

GROUP_PASS(pass_project_lines) {
  weft_line_bundle bundle = AT(LINE_BUNDLES, i);
  uint first = bundle.first;
  uint count = bundle.count;
  EACH(k, 0u, 1u, count) {
    weft_line_edge e = AT(LINE_EDGES, first + k);
    real multiplier = K(0.0);
    if (pass.first_iteration != 1u) multiplier = AT(LINE_LAMBDA, first + k);
    line_start start = line_set_up(AT(X, e.a), AT(X, e.b), e.rest_length, e.compliance, multiplier, U.line_scale);
    s_diagonal[k] = start.diagonal;
    s_right[k] = start.right;
    s_nx[k] = start.n.x;
    s_ny[k] = start.n.y;
    s_nz[k] = start.n.z;
  }
  WAIT_FOR_GROUP
  EACH(k, 0u, 1u, count) {
    s_next[k] = K(0.0);
    s_before[k] = K(0.0);
    if (GOES_ON(k)) {
      real w = AT(X, AT(LINE_EDGES, first + k).b).w;
      s_next[k] = line_coupling(DIRECTION(k), DIRECTION(k + 1u), w, U.line_scale);
    }
    if (bundle.steps == 0u || (k & 1u) == 0u) s_diagonal[k] = line_pivot(s_diagonal[k]);
  }
  WAIT_FOR_GROUP
  /* Step s takes the equations 2^s before and after out of every equation that is left. */
  for (uint s = 0u; s < bundle.steps; ++s) {
    uint stride = 1u << s;
    EACH(k, 2u * stride - 1u, 2u * stride, count) {
      line_equation own;
      own.diagonal = s_diagonal[k];
      own.right = s_right[k];
      own.next = s_next[k];
      own.before = K(0.0);
      line_equation other;
      other.diagonal = s_diagonal[k - stride];
      other.next = s_next[k - stride];
      other.right = s_right[k - stride];
      other.before = K(0.0);
      own = line_reduce_before(own, other);
      if (k + stride < count) {
        s_before[k + stride] = own.next;
        other.diagonal = s_diagonal[k + stride];
        other.next = s_next[k + stride];
        other.right = s_right[k + stride];
        own = line_reduce_after(own, other);
      } else {
        own.next = K(0.0);
      }
      s_right[k] = exact_flush(own.right);
      s_next[k] = own.next;
      bool leaves = s + 1u == bundle.steps || ((k + 1u) >> (s + 1u) & 1u) == 1u;
      s_diagonal[k] = own.diagonal;
      if (leaves) s_diagonal[k] = line_pivot(own.diagonal);
    }
    WAIT_FOR_GROUP
  }
  /* What is left after the last step is coupled to nothing. */
  uint alone = 1u << bundle.steps;
  EACH(k, alone - 1u, alone, count) { s_right[k] = line_solved(s_right[k], s_diagonal[k]); }
  WAIT_FOR_GROUP
  for (uint s = bundle.steps; s > 0u; --s) {
    uint stride = 1u << (s - 1u);
    EACH(k, stride - 1u, 2u * stride, count) {
      real value = s_right[k];
      if (k >= stride) value = line_less(value, s_before[k], s_right[k - stride]);
      if (k + stride < count) value = line_less(value, s_next[k], s_right[k + stride]);
      s_right[k] = line_solved(value, s_diagonal[k]);
    }
    WAIT_FOR_GROUP
  }
  /* An equation moves the particle it begins at; the last of a line the one at its end, too. */
  EACH(k, 0u, 1u, count) {
    weft_line_edge e = AT(LINE_EDGES, first + k);
    real before = K(0.0);
    if (pass.first_iteration != 1u) before = AT(LINE_LAMBDA, first + k);
    SET(LINE_LAMBDA, first + k, line_multiplier(before, s_right[k]));
    real4 pa = AT(X, e.a);
    real3 moved = line_move_on(XYZ(pa), pa.w, DIRECTION(k), s_right[k], U.line_scale);
    if (k > 0u && AT(LINE_EDGES, first + k - 1u).b == e.a) {
      moved = line_move_back(moved, pa.w, DIRECTION(k - 1u), s_right[k - 1u], U.line_scale);
    }
    SET(X, e.a, V4(exact_flush3(moved), pa.w));
    if (!GOES_ON(k)) {
      real4 pb = AT(X, e.b);
      moved = line_move_back(XYZ(pb), pb.w, DIRECTION(k), s_right[k], U.line_scale);
      SET(X, e.b, V4(exact_flush3(moved), pb.w));
    }
  }
}

#endif
