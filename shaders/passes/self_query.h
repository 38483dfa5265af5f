/* self_query: a triangle walks down the tree, in preorder, to the triangles after its own that it could meet, and lists their
 * features that could: its vertices and the other, the other's vertices and it, edges and edges. A vertex or edge belongs to
 * one triangle, so each pair is found once. In a further look the triangles walk whose motions were cut short since
 * the last one, to all others. */
#ifndef WEFT_PASSES_SELF_QUERY_H
#define WEFT_PASSES_SELF_QUERY_H
#include "passes/self.h"

#define SELF_LIST(p0, p1, p2, p3, bits, near)                                                         \
  {                                                                                                   \
    uint slot = ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_CANDIDATES + pass.look), 1u);   \
    if (slot < U.self_candidates) {                                                                   \
      if (SELF_JOINED) slot = ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(SELF_ALL_PARTS, WEFT_SELF_AT_CANDIDATES + pass.look), 1u); \
      SET(SELF_CANDIDATES, slot, U4((p0) | (bits), (p1) | (near ? WEFT_SELF_NEAR : 0u), p2, p3));      \
    } else {                                                                                          \
      ATOMIC_OR(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_FLAGS), WEFT_SELF_OVERFLOW);               \
    }                                                                                                 \
  }
#define SELF_MARKED(t) \
  (AT(SELF_MARKS, (t).corners.x) == pass.look || AT(SELF_MARKS, (t).corners.y) == pass.look || AT(SELF_MARKS, (t).corners.z) == pass.look)
#define SELF_ALL_STILL(t) (SELF_STILL((t).corners.x) && SELF_STILL((t).corners.y) && SELF_STILL((t).corners.z))

/* Corner k of one triangle and the other triangle; edge k of the own triangle and the edges of the other. */
#define SELF_VERTEX(of, k, corner, vertex, to, c0, c1, c2)                                               \
  if (SELF_OWNS(of, k) && !SELF_HAS(to, of.corners.corner) &&                                            \
      self_vertex_is_near(vertex, c0, c1, c2, margin) &&                                               \
      !self_vertex_parted(vertex, c0, c1, c2, reach)) {                                                \
    SELF_LIST(of.corners.corner, to.corners.x, to.corners.y, to.corners.z, 0u, near)                     \
  }
#define SELF_EDGE(k, from, next, edge, first, second)                                                  \
  if (SELF_OWNS(own, 3u + k) && self_boxes_meet(edge, box, beside)) {                                  \
    SELF_TWO_EDGES(own.corners.from, own.corners.next, edge, first, second, 3u, x, y, b01, b0, b1)     \
    SELF_TWO_EDGES(own.corners.from, own.corners.next, edge, first, second, 4u, y, z, b12, b1, b2)     \
    SELF_TWO_EDGES(own.corners.from, own.corners.next, edge, first, second, 5u, z, x, b20, b2, b0)     \
  }
#define SELF_TWO_EDGES(p0, p1, edge, first, second, k, from, next, to, third, fourth)                  \
  if (SELF_OWNS(other, k) && p0 != other.corners.from && p0 != other.corners.next &&                   \
      p1 != other.corners.from && p1 != other.corners.next && self_boxes_meet(edge, to, margin) &&      \
      !self_edges_parted(first, second, third, fourth, reach)) {                                        \
    SELF_LIST(p0, p1, other.corners.from, other.corners.next, WEFT_SELF_EDGES, near)                    \
  }

PASS(pass_self_query) {
  uint part = SELF_PART_OF_TRIANGLE(i);
  if (SELF_IDLE(part)) return;
  weft_self_triangle own = AT(SELF_TRIANGLES, i);
  /* Triangles and nodes count from the first of the part. */
  uint triangles = part * U.self_triangles;
  uint nodes = part * U.self_nodes;
  uint self = i - triangles;
  bool again = pass.look != 0u;
  if (again && !SELF_MARKED(own)) return;
  if (!again && (own.corners.w & WEFT_SELF_BODY) != 0u) return; /* behind it are bodies alone */
  bool own_still = SELF_ALL_STILL(own);
  weft_self_node own_node = AT(SELF_NODES, nodes + self);
  self_box own_box = self_box_in(own_node);
  self_corner a0 = SELF_CORNER(own.corners.x);
  self_corner a1 = SELF_CORNER(own.corners.y);
  self_corner a2 = SELF_CORNER(own.corners.z);
  self_box a01 = self_box_join(self_box_of(a0), self_box_of(a1));
  self_box a12 = self_box_join(self_box_of(a1), self_box_of(a2));
  self_box a20 = self_box_join(self_box_of(a2), self_box_of(a0));
  real thickness = SELF_DISTANCES(part).x;
  real half_thickness = self_half(thickness);
  uint top = U.self_top;
  uint level = top;
  uint index = 0u;
  uint first = nodes + pass.level_first;
  uint visited = 0u;
  bool walks = true;
  while (walks && visited < WEFT_SELF_WALK) {
    /* On to the next triangle whose box meets. A loop of its own: where lanes are masked, what is done with a triangle costs
     * them all as much as where each of them does it. */
    uint found = self;
    while (found == self && walks && visited < WEFT_SELF_WALK) {
      bool enter = false;
      uint last = ((index + 1u) << (3u * level)) - 1u;
      if (again || last > self) {
        bool meet = self_boxes_meet(own_box, self_box_in(AT(SELF_NODES, first + index)), K(0.0));
        enter = meet && level != 0u;
        found = meet && level == 0u ? index : self;
      }
      ++visited;
      if (enter) {
        --level;
        index = index << 3u;
        first -= ((U.self_triangles - 1u) >> (3u * level)) + 1u;
        continue;
      }
      ++index;
      while (level < top && ((index & 7u) == 0u || index == ((U.self_triangles - 1u) >> (3u * level)) + 1u)) {
        first += ((U.self_triangles - 1u) >> (3u * level)) + 1u;
        ++level;
        index = ((index - 1u) >> 3u) + 1u;
      }
      walks = level != top;
    }
    if (found != self) {
      weft_self_node node = AT(SELF_NODES, nodes + found);
      self_box box = self_box_in(node);
      weft_self_triangle other = AT(SELF_TRIANGLES, triangles + found);
      bool near = self_near_at_rest(own.rest, other.rest, thickness);
      precise real unseen = own_node.low.w + node.low.w;
      real reach = near ? unseen : thickness;
      precise real less = reach - thickness;
      bool skip = (own_still && SELF_ALL_STILL(other)) ||
                  (own.corners.w & other.corners.w & WEFT_SELF_UNPARTED) != 0u ||
                  (again && found < self && SELF_MARKED(other));
      if (!skip && self_boxes_meet(own_box, box, less)) {
        precise real rounding = own_node.high.w + node.high.w;
        precise real margin = reach + rounding;
        /* No edge that meets one of the other triangle's is farther than this from its box, which is grown. */
        precise real beside = reach - half_thickness;
        beside = beside + rounding;
        beside = beside + rounding;
        self_corner b0 = SELF_CORNER(other.corners.x);
        self_corner b1 = SELF_CORNER(other.corners.y);
        self_corner b2 = SELF_CORNER(other.corners.z);
        SELF_VERTEX(own, 0u, x, a0, other, b0, b1, b2)
        SELF_VERTEX(own, 1u, y, a1, other, b0, b1, b2)
        SELF_VERTEX(own, 2u, z, a2, other, b0, b1, b2)
        SELF_VERTEX(other, 0u, x, b0, own, a0, a1, a2)
        SELF_VERTEX(other, 1u, y, b1, own, a0, a1, a2)
        SELF_VERTEX(other, 2u, z, b2, own, a0, a1, a2)
        self_box b01 = self_box_join(self_box_of(b0), self_box_of(b1));
        self_box b12 = self_box_join(self_box_of(b1), self_box_of(b2));
        self_box b20 = self_box_join(self_box_of(b2), self_box_of(b0));
        SELF_EDGE(0u, x, y, a01, a0, a1)
        SELF_EDGE(1u, y, z, a12, a1, a2)
        SELF_EDGE(2u, z, x, a20, a2, a0)
      }
    }
  }
  /* Also where a driver cut the loops off. */
  if (walks) {
    ATOMIC_OR(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_FLAGS), WEFT_SELF_OVERFLOW);
  }
}

#endif
