/* project_bends: a team of invocations solves the bends along the lines of a bundle. A bend is stored with the edge that ends at its middle
 * particle; the last edge of a line has no bend, and its multiplier is 0. Teams of a work group share barriers, so all of them run as many steps
 * as the longest line of the pass. */
#ifndef WEFT_PASSES_PROJECT_BENDS_H
#define WEFT_PASSES_PROJECT_BENDS_H
#include "kernels/bend_line.h"
/* shared by project_bends and project_lines */
#include "passes/line_room.h"

KERNEL real3 bend_at_end(BUFFERS m, weft_line_bundle bundle, uint k) {
  real3 bend = V3(K(0.0), K(0.0), K(0.0));
  if (line_goes_on(m, bundle, k)) {
    weft_line_edge e = AT(LINE_EDGES, bundle.first + k);
    real4 before = AT(X, e.a);
    real4 middle = AT(X, e.b);
    real4 after = AT(X, AT(LINE_EDGES, bundle.first + k + 1u).b);
    bend = bend_of(XYZ(before), XYZ(middle), XYZ(after));
  }
  return bend;
}

/* Subtracts a matrix times block o from block b. */
KERNEL void bend_take_block(BUFFERS m, uint b, uint o, uint matrix) {
  real4 by = AT(LINE_BENDS, matrix);
  real3 upper = bend_less3(line_kept(2u * b), line_kept(2u * o), line_kept(2u * o + 1u), by.x, by.y);
  real3 lower = bend_less3(line_kept(2u * b + 1u), line_kept(2u * o), line_kept(2u * o + 1u), by.z, by.w);
  line_keep(2u * b, upper);
  line_keep(2u * b + 1u, lower);
}

/* Multiplies block b by its own matrix. */
KERNEL void bend_solve_block(BUFFERS m, uint b, uint matrix) {
  real4 by = AT(LINE_BENDS, matrix);
  real3 upper = bend_row3(line_kept(2u * b), line_kept(2u * b + 1u), by.x, by.y);
  real3 lower = bend_row3(line_kept(2u * b), line_kept(2u * b + 1u), by.z, by.w);
  line_keep(2u * b, upper);
  line_keep(2u * b + 1u, lower);
}

/* An edge moves its first particle; the last edge of a line also moves its second one. */
KERNEL void bend_move_ends(BUFFERS m, weft_line_bundle bundle, uint k) {
  weft_line_edge e = AT(LINE_EDGES, bundle.first + k);
  real scale = AT(LINE_SCALES, bundle.first + k);
  bool goes_back = k > 0u && AT(LINE_EDGES, bundle.first + k - 1u).b == e.a;
  real3 none = V3(K(0.0), K(0.0), K(0.0));
  real3 middle = none;
  real3 last = none;
  if (goes_back) middle = line_kept(k - 1u);
  if (goes_back && k > 1u) last = line_kept(k - 2u);
  real4 pa = AT(X, e.a);
  real3 moved = bend_move(XYZ(pa), line_weight(pa.w, scale), bend_pull(line_kept(k), middle, last));
  SET(X, e.a, V4(moved, pa.w));
  if (!line_goes_on(m, bundle, k)) {
    real4 pb = AT(X, e.b);
    moved = bend_move(XYZ(pb), line_weight(pb.w, scale), bend_pull(none, none, middle));
    SET(X, e.b, V4(moved, pb.w));
  }
}

GROUP_PASS(pass_project_bends) {
  uint end = pass.first + pass.count;
  weft_line_bundle bundle = line_bundle_of(m, i, end);
  uint table = AT(LINE_TABLES, MIN(i, end - 1u));
  uint blocks = (bundle.count + 1u) / 2u;
  EACH(k, 0u, 1u, 2u * blocks) { line_keep(k, bend_at_end(m, bundle, k)); }
  WAIT_FOR_GROUP
  /* Step s of cyclic reduction: eliminates the blocks 2^s before and after from every block that is left. */
  uint matrices = table + 3u * blocks;
  for (uint s = 0u; s < pass.steps; ++s) {
    uint stride = 1u << s;
    EACH(b, 2u * stride - 1u, 2u * stride, s < bundle.steps ? blocks : 0u) {
      uint own = matrices + 2u * (((b + 1u) >> (s + 1u)) - 1u);
      bend_take_block(m, b, b - stride, own);
      if (b + stride < blocks) bend_take_block(m, b, b + stride, own + 1u);
    }
    matrices += 2u * (blocks >> (s + 1u));
    WAIT_FOR_GROUP
  }
  /* After the last step no equations are coupled. */
  EACH(b, 0u, 1u, blocks) { bend_solve_block(m, b, table + 3u * b); }
  WAIT_FOR_GROUP
  for (uint s = pass.steps; s > 0u; --s) {
    uint stride = 1u << (s - 1u);
    EACH(b, stride - 1u, 2u * stride, s <= bundle.steps ? blocks : 0u) {
      uint own = table + 3u * b + 1u;
      if (b >= stride) bend_take_block(m, b, b - stride, own);
      if (b + stride < blocks) bend_take_block(m, b, b + stride, own + 1u);
    }
    WAIT_FOR_GROUP
  }
  EACH(k, 0u, 1u, bundle.count) { bend_move_ends(m, bundle, k); }
}

#endif
