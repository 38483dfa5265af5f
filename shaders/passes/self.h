/* self.h: what the passes of self-collision share. */
#ifndef WEFT_PASSES_SELF_H
#define WEFT_PASSES_SELF_H
#include "kernels/self_truncate.h"

/* Parts of a joined model do not know of each other: each has its triangles, a tree, counts and as much room in the lists as it
 * has alone. Lists are those of all parts, in any order and without gaps. */
#define SELF_JOINED (U.self_parts > 1u)
/* Particles of the cloth of all parts come first, then those of the bodies of all parts. */
#define SELF_PART_OF_BODY(particle) (((particle) - U.particle_count) / (U.self_particles - U.self_cloth))
#define SELF_PART_OF_CLOTH(particle) ((particle) / U.self_cloth)
#define SELF_PART(particle) \
  (!SELF_JOINED ? 0u : SELF_OF_BODY(particle) ? SELF_PART_OF_BODY(particle) : SELF_PART_OF_CLOTH(particle))
/* Of a part: it does what is done once. */
#define SELF_FIRST(part) ((part) * U.self_cloth)
#define SELF_PART_OF_TRIANGLE(t) (SELF_JOINED ? (t) / U.self_triangles : 0u)
#define SELF_PART_OF_PATCH(p) (SELF_JOINED ? (p) / U.self_patches : 0u)
/* Of node k of a level that has so many in each part. */
#define SELF_PART_OF_NODE(k, of_part) (SELF_JOINED ? (k) / (of_part) : 0u)
#define SELF_PART_OF_PAIR(k) SELF_PART(weft_self_first(AT(SELF_PAIRS, k)))
/* In place of a part: what they have together. */
#define SELF_ALL_PARTS (SELF_JOINED ? U.self_parts : 0u)
#define SELF_PLACE(part, place) ((part) * WEFT_SELF_COUNTS + (place))
#define SELF_COUNT(part, place) AT(SELF_COUNTS, SELF_PLACE(part, place))
/* Of a part: x its most thickness, y its floor: distances below are not told from 0; z the thickness of cloth on cloth, w the longest motion of a
 * step that is shortened. */
#define SELF_DISTANCES(part) AT(SELF_REST, U.self_particles * U.self_parts + (part))
/* Bodies have the particles behind those of the cloth, and all corners of one side of a pair. */
#define SELF_OF_BODY(particle) ((particle) >= U.particle_count)
#define SELF_TOUCHES_BODY(p) (SELF_OF_BODY((p).x) || SELF_OF_BODY((p).w))
/* Of the body of such a pair: x and y its friction, z its thickness. */
#define SELF_BODY(p) AT(SELF_REST, SELF_OF_BODY((p).x) ? (p).x : (p).w)
#define SELF_STATIC(p) (SELF_TOUCHES_BODY(p) ? SELF_BODY(p).x : U.self_static)
#define SELF_DYNAMIC(p) (SELF_TOUCHES_BODY(p) ? SELF_BODY(p).y : U.self_dynamic)
/* A redetection is for motions that the last one cut short, while the lists have room. */
#define SELF_IDLE(part)                                                                    \
  (pass.detection != 0u && (SELF_COUNT(part, WEFT_SELF_AT_REDETECT + pass.detection - 1u) == 0u || \
                       SELF_COUNT(part, WEFT_SELF_AT_FLAGS) != 0u))
#define SELF_MOVE(particle) exact_flush3(v3_sub(XYZ(AT(X, particle)), XYZ(AT(X_PREV, particle))))
/* A pin that does not move. */
#define SELF_STILL(particle) (AT(X, particle).w == K(0.0) && !self_moves(SELF_MOVE(particle)))
#define SELF_CORNER(particle) self_corner_of(XYZ(AT(X_PREV, particle)), SELF_MOVE(particle), AT(SELF_DIRTY, particle) != 0u)
#define SELF_HAS(t, particle) ((t).corners.x == (particle) || (t).corners.y == (particle) || (t).corners.z == (particle))
#define SELF_OWNS(t, k) (((t).flags >> (k) & 1u) != 0u)
/* Motions of its corners were cut short in the last detection. */
#define SELF_MARKED(t)                                                                                           \
  (pass.detection != 0u && (AT(SELF_DIRTY, (t).corners.x) == pass.detection || AT(SELF_DIRTY, (t).corners.y) == pass.detection || \
                       AT(SELF_DIRTY, (t).corners.z) == pass.detection))
/* Adds to a list that has room for so many of each part. */
#define SELF_LIST(part, place, list, room, value)                                          \
  {                                                                                        \
    uint slot = ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, place), 1u);                      \
    if (slot < (room)) {                                                                   \
      if (SELF_JOINED) slot = ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(SELF_ALL_PARTS, place), 1u); \
      SET(list, slot, value);                                                              \
    } else {                                                                               \
      ATOMIC_OR(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_FLAGS), WEFT_SELF_OVERFLOW);    \
    }                                                                                      \
  }

KERNEL self_box self_box_in(weft_self_node node) {
  self_box box;
  box.low = XYZ(node.low);
  box.high = XYZ(node.high);
  box.move_low = XYZ(node.move_low);
  box.move_high = XYZ(node.move_high);
  return box;
}

KERNEL weft_self_node self_node_of(self_box box) {
  weft_self_node node;
  node.low = V4(box.low, K(0.0));
  node.high = V4(box.high, K(0.0));
  node.move_low = V4(box.move_low, K(0.0));
  node.move_high = V4(box.move_high, K(0.0));
  return node;
}

KERNEL weft_self_two self_two_of(uint first, uint second) {
  weft_self_two two;
  two.first = first;
  two.second = second;
  return two;
}

KERNEL real4 self_to4(self_four f) { return V4(V3(f.k0, f.k1, f.k2), f.k3); }

KERNEL self_closest self_closest_points(self_corners at, bool edges) {
  self_closest closest;
  if (edges) {
    closest = self_edge_edge(at);
  } else {
    closest = self_vertex_triangle(at);
  }
  return closest;
}

/* What parts a pair, of corners counted from the first of them. */
KERNEL weft_self_plane self_plane_of(self_corners at, bool edges, self_closest closest, real thickness, real least) {
  self_normal best = self_best_normal(at, edges, closest);
  weft_self_plane plane;
  plane.normal = best.n;
  plane.gap = best.gap;
  plane.weights = self_to4(closest.weights);
  plane.slide = V3(K(0.0), K(0.0), K(0.0));
  plane.escape = K(0.0);
  plane.distance = K(0.0);
  plane.use = self_certified(at, best.gap, least) ? 0u : WEFT_SELF_UNCERTAIN;
  plane.thickness = thickness;
  plane.floor = least;
  return plane;
}

/* Positions at the start of the substep, or of the contact step in detections, from that of the first particle. */
#define SELF_CORNERS_AT(corners, p) SELF_CORNERS_IN(X_PREV, corners, p)
#define SELF_CORNERS_IN(buffer, corners, p)                                    \
  {                                                                            \
    real3 origin = XYZ(AT(buffer, (p).x));                                     \
    corners.p0 = V3(K(0.0), K(0.0), K(0.0));                                   \
    corners.p1 = exact_flush3(v3_sub(XYZ(AT(buffer, (p).y)), origin));         \
    corners.p2 = exact_flush3(v3_sub(XYZ(AT(buffer, (p).z)), origin));         \
    corners.p3 = exact_flush3(v3_sub(XYZ(AT(buffer, (p).w)), origin));         \
  }

#endif
