/* self.h: what the passes of self-collision share that reads no buffer. Functions that do are in headers of their own, a header for
 * each set of buffers: GLSL wants all that a program names to be bound. */
#ifndef WEFT_PASSES_SELF_H
#define WEFT_PASSES_SELF_H
#include "kernels/self_truncate.h"

/* ---- parts of a joined model ----
 * They do not know of each other: each has its triangles, a tree, counts and as much room in the lists as it has alone. Lists are those of all
 * parts, in any order and without gaps. Particles of the cloth of all parts come first, then those of the bodies of all parts. */

KERNEL bool self_is_joined(BUFFERS m) { return U.self_parts > 1u; }

/* Bodies have the particles behind those of the cloth, and all corners of one side of a pair. */
KERNEL bool self_is_of_body(BUFFERS m, uint particle) { return particle >= U.particle_count; }
KERNEL bool self_touches_body(BUFFERS m, uvec4 p) { return self_is_of_body(m, p.x) || self_is_of_body(m, p.w); }
/* Of a pair that touches one: a vertex of the body. */
KERNEL uint self_of_body(BUFFERS m, uvec4 p) { return self_is_of_body(m, p.x) ? p.x : p.w; }

KERNEL uint self_part_of(BUFFERS m, uint particle) {
  if (!self_is_joined(m)) return 0u;
  if (!self_is_of_body(m, particle)) return particle / U.self_cloth;
  uint of_bodies = U.self_particles - U.self_cloth;
  return (particle - U.particle_count) / of_bodies;
}
KERNEL uint self_part_of_triangle(BUFFERS m, uint triangle) { return self_is_joined(m) ? triangle / U.self_triangles : 0u; }
KERNEL uint self_part_of_patch(BUFFERS m, uint patch_number) { return self_is_joined(m) ? patch_number / U.self_patches : 0u; }

/* The particle of a part that does what is done once. */
KERNEL uint self_first_of(BUFFERS m, uint part) { return part * U.self_cloth; }
/* In place of a part: what they have together. */
KERNEL uint self_all_parts(BUFFERS m) { return self_is_joined(m) ? U.self_parts : 0u; }
/* Where a part has a count. */
KERNEL uint self_place(uint part, uint place) { return part * WEFT_SELF_COUNTS + place; }

/* ---- boxes and pairs ---- */

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

KERNEL bool self_has(weft_self_triangle t, uint particle) {
  return t.corners.x == particle || t.corners.y == particle || t.corners.z == particle;
}
KERNEL bool self_owns(weft_self_triangle t, uint k) { return (t.flags >> k & 1u) != 0u; }

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

#endif
