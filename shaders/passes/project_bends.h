/* project_bends: a team of invocations solves the bends along the lines of a bundle. A bend belongs
 * to the edge at whose end it is; where the line ends there it has none, and its multiplier is 0.
 * Teams of a work group wait for each other, so all of them take the steps of the longest line of
 * the pass. */
#ifndef WEFT_PASSES_PROJECT_BENDS_H
#define WEFT_PASSES_PROJECT_BENDS_H
#include "kernels/bend_line.h"
/* with what the two have in common */
#include "passes/line_room.h"

#define BEND(k) DIRECTION(k)
#define SET_BEND(k, to)   \
  LINE(s_nx, k) = (to).x; \
  LINE(s_ny, k) = (to).y; \
  LINE(s_nz, k) = (to).z;
/* Takes block o, times a matrix, out of block b. */
#define TAKE_BLOCK(b, o, matrix)                                                               \
  {                                                                                            \
    real4 by = AT(LINE_BENDS, matrix);                                                         \
    real3 upper = bend_less3(BEND(2u * (b)), BEND(2u * (o)), BEND(2u * (o) + 1u), by.x, by.y); \
    real3 lower =                                                                              \
        bend_less3(BEND(2u * (b) + 1u), BEND(2u * (o)), BEND(2u * (o) + 1u), by.z, by.w);      \
    SET_BEND(2u * (b), upper)                                                                  \
    SET_BEND(2u * (b) + 1u, lower)                                                             \
  }

GROUP_PASS(pass_project_bends) {
  uint end = pass.first + pass.count; /* a team may come after the last bundle */
  uint at = MIN(i, end - 1u);
  weft_line_bundle bundle = AT(LINE_BUNDLES, at);
  uint table = AT(LINE_TABLES, at);
  uint first = bundle.first;
  uint count = i < end ? bundle.count : 0u;
  uint blocks = (count + 1u) / 2u;
  EACH(k, 0u, 1u, 2u * blocks) {
    real3 bend = V3(K(0.0), K(0.0), K(0.0));
    if (GOES_ON(k)) {
      weft_line_edge e = AT(LINE_EDGES, first + k);
      real4 before = AT(X, e.a);
      real4 middle = AT(X, e.b);
      real4 after = AT(X, AT(LINE_EDGES, first + k + 1u).b);
      bend = bend_of(XYZ(before), XYZ(middle), XYZ(after));
    }
    SET_BEND(k, bend)
  }
  WAIT_FOR_GROUP
  /* Step s takes the blocks 2^s before and after out of every block that is left. */
  uint matrices = table + 3u * blocks;
  for (uint s = 0u; s < pass.steps; ++s) {
    uint stride = 1u << s;
    EACH(b, 2u * stride - 1u, 2u * stride, s < bundle.steps ? blocks : 0u) {
      uint own = matrices + 2u * (((b + 1u) >> (s + 1u)) - 1u);
      TAKE_BLOCK(b, b - stride, own)
      if (b + stride < blocks) TAKE_BLOCK(b, b + stride, own + 1u)
    }
    matrices += 2u * (blocks >> (s + 1u));
    WAIT_FOR_GROUP
  }
  /* A block's own matrix; what is left after the last step is coupled to nothing. */
  EACH(b, 0u, 1u, blocks) {
    real4 by = AT(LINE_BENDS, table + 3u * b);
    real3 upper = bend_row3(BEND(2u * b), BEND(2u * b + 1u), by.x, by.y);
    real3 lower = bend_row3(BEND(2u * b), BEND(2u * b + 1u), by.z, by.w);
    SET_BEND(2u * b, upper)
    SET_BEND(2u * b + 1u, lower)
  }
  WAIT_FOR_GROUP
  for (uint s = pass.steps; s > 0u; --s) {
    uint stride = 1u << (s - 1u);
    EACH(b, stride - 1u, 2u * stride, s <= bundle.steps ? blocks : 0u) {
      uint own = table + 3u * b + 1u;
      if (b >= stride) TAKE_BLOCK(b, b - stride, own)
      if (b + stride < blocks) TAKE_BLOCK(b, b + stride, own + 1u)
    }
    WAIT_FOR_GROUP
  }
  /* An edge moves the particle it begins at; the last of a line the one at its end, too. */
  EACH(k, 0u, 1u, count) {
    weft_line_edge e = AT(LINE_EDGES, first + k);
    real scale = AT(LINE_SCALES, first + k);
    bool goes_back = k > 0u && AT(LINE_EDGES, first + k - 1u).b == e.a;
    real3 none = V3(K(0.0), K(0.0), K(0.0));
    real3 middle = none;
    real3 last = none;
    if (goes_back) middle = BEND(k - 1u);
    if (goes_back && k > 1u) last = BEND(k - 2u);
    real4 pa = AT(X, e.a);
    real3 moved = bend_move(XYZ(pa), line_weight(pa.w, scale), bend_pull(BEND(k), middle, last));
    SET(X, e.a, V4(moved, pa.w));
    if (!GOES_ON(k)) {
      real4 pb = AT(X, e.b);
      moved = bend_move(XYZ(pb), line_weight(pb.w, scale), bend_pull(none, none, middle));
      SET(X, e.b, V4(moved, pb.w));
    }
  }
}

#endif
