/* self_leaf: the box of a triangle: its corners at the start of the substep, grown by half the thickness, beside the interval of
 * their motions. */
#ifndef WEFT_PASSES_SELF_LEAF_H
#define WEFT_PASSES_SELF_LEAF_H
#include "passes/self.h"

PASS(pass_self_leaf) {
  if (SELF_IDLE) return;
  uvec4 three = AT(SELF_TRIANGLES, i).corners;
  self_box box = self_box_around(SELF_CORNER(three.x), SELF_CORNER(three.y), SELF_CORNER(three.z));
  real rounding = self_rounding(box);
  precise real by = U.self_thickness * K(0.5);
  by = by + rounding;
  real reach = self_more(AT(SELF_REST, three.x).w, self_more(AT(SELF_REST, three.y).w, AT(SELF_REST, three.z).w));
  precise real unseen = reach + U.self_floor;
  SET(SELF_NODES, i, self_node_of(self_box_grown(box, by), unseen, rounding));
}

#endif
