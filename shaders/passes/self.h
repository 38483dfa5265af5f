/* self.h: common code of the passes of self-collision that reads no buffer. Functions that do are in headers of their own, one for each set of
 * buffers, because GLSL requires every buffer that a program names to be bound. */
#ifndef WEFT_PASSES_SELF_H
#define WEFT_PASSES_SELF_H
#include "kernels/self_truncate.h"

/* ---- instances of a joined model ----
 * They are independent: each has its triangles, a tree, counters and the capacity in lists that it would have alone. A list holds the elements of
 * all instances, in any order and without gaps. Cloth particles of all instances come first, then body particles of all instances. */

KERNEL bool self_is_joined(BUFFERS m) { return U.self_parts > 1u; }

/* Particles of bodies lie behind those of the cloth. In a pair with a body, all corners of one feature are the body's. */
KERNEL bool self_is_of_body(BUFFERS m, uint particle) { return particle >= U.particle_count; }
KERNEL bool self_touches_body(BUFFERS m, uvec4 p) { return self_is_of_body(m, p.x) || self_is_of_body(m, p.w); }
/* In a pair with a body: one of the body's vertices. */
KERNEL uint self_of_body(BUFFERS m, uvec4 p) { return self_is_of_body(m, p.x) ? p.x : p.w; }

KERNEL uint self_part_of(BUFFERS m, uint particle) {
  if (!self_is_joined(m)) return 0u;
  if (!self_is_of_body(m, particle)) return particle / U.self_cloth;
  uint of_bodies = U.self_particles - U.self_cloth;
  return (particle - U.particle_count) / of_bodies;
}
KERNEL uint self_part_of_triangle(BUFFERS m, uint triangle) { return self_is_joined(m) ? triangle / U.self_triangles : 0u; }
KERNEL uint self_part_of_patch(BUFFERS m, uint patch_number) { return self_is_joined(m) ? patch_number / U.self_patches : 0u; }

/* The particle whose invocation does what is done once for an instance. */
KERNEL uint self_first_of(BUFFERS m, uint part) { return part * U.self_cloth; }
/* Instead of an instance: the counters of all instances together. */
KERNEL uint self_all_parts(BUFFERS m) { return self_is_joined(m) ? U.self_parts : 0u; }
/* The index of an instance's counter. */
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
