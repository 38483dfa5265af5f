/* self_find_features: of two triangles, one pair of features: a vertex of the first and the second, one of the second and the first, or two edges. A
 * vertex or edge belongs to one triangle, so each pair is found once. What the four corners alone do not part is a candidate. */
#ifndef WEFT_PASSES_SELF_FIND_FEATURES_H
#define WEFT_PASSES_SELF_FIND_FEATURES_H
#include "passes/self.h"

PASS(pass_self_find_features) {
  uint number = i / WEFT_SELF_FEATURES;
  uint feature = i % WEFT_SELF_FEATURES;
  if (number >= SELF_COUNT(SELF_ALL_PARTS, WEFT_SELF_AT_TRIANGLE_PAIRS + pass.detection)) return;
  if (feature >= 15u || number >= U.self_close * U.self_parts) return;
  weft_self_two two = AT(SELF_TRIANGLE_PAIRS, number);
  uint part = SELF_PART_OF_TRIANGLE(two.first);
  real reach = SELF_DISTANCES(part).x;
  weft_self_triangle first = AT(SELF_TRIANGLES, two.first);
  weft_self_triangle second = AT(SELF_TRIANGLES, two.second);
  bool same = first.flags >> WEFT_SELF_PIECE == second.flags >> WEFT_SELF_PIECE;
  bool edges = feature >= 6u;
  uvec4 p;
  if (edges) {
    uint k = (feature - 6u) / 3u;
    uint l = (feature - 6u) % 3u;
    if (!SELF_OWNS(first, 3u + k) || !SELF_OWNS(second, 3u + l)) return;
    p = U4(PART3U(first.corners, k), PART3U(first.corners, (k + 1u) % 3u), PART3U(second.corners, l), PART3U(second.corners, (l + 1u) % 3u));
    if (p.x == p.z || p.x == p.w || p.y == p.z || p.y == p.w) return;
  } else {
    uint k = feature % 3u;
    weft_self_triangle of = first;
    weft_self_triangle to = second;
    if (feature >= 3u) {
      of = second;
      to = first;
    }
    if (!SELF_OWNS(of, k)) return;
    p = U4(PART3U(of.corners, k), to.corners.x, to.corners.y, to.corners.z);
    if (p.x == p.y || p.x == p.z || p.x == p.w) return;
  }
  self_corner a = SELF_CORNER(p.x);
  self_corner b = SELF_CORNER(p.y);
  self_corner c = SELF_CORNER(p.z);
  self_corner d = SELF_CORNER(p.w);
  bool parted;
  if (edges) {
    parted = !self_boxes_meet(self_box_join(self_box_of(a), self_box_of(b)), self_box_join(self_box_of(c), self_box_of(d)), reach);
    parted = parted || self_edges_parted(a, b, c, d, reach);
  } else {
    parted = !self_vertex_is_near(a, b, c, d, reach);
    parted = parted || self_vertex_parted(a, b, c, d, reach);
  }
  if (parted) return;
  SELF_LIST(part, WEFT_SELF_AT_CANDIDATES + pass.detection, SELF_CANDIDATES, U.self_candidates,
            weft_self_listed(p, edges, same))
}

#endif
