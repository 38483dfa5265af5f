/* self_find_features: a pair of features of two triangles: a vertex of the first and the second triangle, one of the second and the first, or two
 * edges. Each vertex and edge belongs to one triangle, so each pair is found once. If the four corners alone do not separate the pair, it becomes
 * a candidate pair. */
#ifndef WEFT_PASSES_SELF_FIND_FEATURES_H
#define WEFT_PASSES_SELF_FIND_FEATURES_H
#include "passes/self_list.h"
#include "passes/self_marked.h"

/* Particles of two features, and whether these are edges; none if they share a particle or another triangle owns them. */
KERNEL_STRUCT(self_feature)
  uvec4 p;
  bool edges;
  bool none;
KERNEL_STRUCT_END(self_feature)

KERNEL self_feature self_two_edges(weft_self_triangle a, weft_self_triangle b, uint k, uint l) {
  self_feature f;
  f.p = U4(PART3U(a.corners, k), PART3U(a.corners, (k + 1u) % 3u), PART3U(b.corners, l), PART3U(b.corners, (l + 1u) % 3u));
  f.edges = true;
  f.none = !self_owns(a, 3u + k) || !self_owns(b, 3u + l) || f.p.x == f.p.z || f.p.x == f.p.w || f.p.y == f.p.z || f.p.y == f.p.w;
  return f;
}

KERNEL self_feature self_vertex_and(weft_self_triangle a, uint k, weft_self_triangle b) {
  self_feature f;
  f.p = U4(PART3U(a.corners, k), b.corners.x, b.corners.y, b.corners.z);
  f.edges = false;
  f.none = !self_owns(a, k) || self_has(b, f.p.x);
  return f;
}

/* Feature pair k of WEFT_SELF_FEATURES. */
KERNEL self_feature self_feature_of(weft_self_triangle first, weft_self_triangle second, uint k) {
  self_feature f;
  if (k >= 6u) {
    f = self_two_edges(first, second, (k - 6u) / 3u, (k - 6u) % 3u);
  } else if (k >= 3u) {
    f = self_vertex_and(second, k % 3u, first);
  } else {
    f = self_vertex_and(first, k % 3u, second);
  }
  return f;
}

KERNEL bool self_are_parted(BUFFERS m, self_feature f, real reach) {
  self_corner a = self_corner_at(m, f.p.x);
  self_corner b = self_corner_at(m, f.p.y);
  self_corner c = self_corner_at(m, f.p.z);
  self_corner d = self_corner_at(m, f.p.w);
  bool parted;
  if (f.edges) {
    parted = !self_boxes_meet(self_box_join(self_box_of(a), self_box_of(b)), self_box_join(self_box_of(c), self_box_of(d)), reach);
    parted = parted || self_edges_parted(a, b, c, d, reach);
  } else {
    parted = !self_vertex_is_near(a, b, c, d, reach);
    parted = parted || self_vertex_parted(a, b, c, d, reach);
  }
  return parted;
}

PASS(pass_self_find_features) {
  uint number = i / WEFT_SELF_FEATURES;
  uint feature = i % WEFT_SELF_FEATURES;
  if (number >= self_counted(m, self_all_parts(m), WEFT_SELF_AT_TRIANGLE_PAIRS + pass.detection)) return;
  if (feature >= 15u || number >= U.self_close * U.self_parts) return;
  weft_self_two two = AT(SELF_TRIANGLE_PAIRS, number);
  uint part = self_part_of_triangle(m, two.first);
  real reach = AT(SELF_PARTS, part).reach;
  weft_self_triangle first = AT(SELF_TRIANGLES, two.first);
  weft_self_triangle second = AT(SELF_TRIANGLES, two.second);
  bool same = first.flags >> WEFT_SELF_PIECE == second.flags >> WEFT_SELF_PIECE;
  self_feature found = self_feature_of(first, second, feature);
  if (found.none) return;
  if (self_are_parted(m, found, reach)) return;
  uint slot = self_take_place(m, part, WEFT_SELF_AT_CANDIDATES + pass.detection, U.self_candidates);
  if (slot != SELF_NO_PLACE) SET(SELF_CANDIDATES, slot, weft_self_listed(found.p, found.edges, same));
}

#endif
