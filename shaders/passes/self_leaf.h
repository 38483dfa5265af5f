/* self_leaf: the box of a triangle: its corners at the start of the substep, grown by half the thickness, beside the interval of
 * their motions. */
#ifndef WEFT_PASSES_SELF_LEAF_H
#define WEFT_PASSES_SELF_LEAF_H
#include "passes/self.h"

PASS(pass_self_leaf) {
  uint part = SELF_PART_OF_TRIANGLE(i);
  if (SELF_IDLE(part)) return;
  uvec4 three = AT(SELF_TRIANGLES, i).corners;
  self_box box = self_box_around(SELF_CORNER(three.x), SELF_CORNER(three.y), SELF_CORNER(three.z));
  real rounding = self_rounding(box);
  real4 distances = SELF_DISTANCES(part);
  precise real by = self_half(distances.x) + rounding;
  real reach = self_more(AT(SELF_REST, three.x).w, self_more(AT(SELF_REST, three.y).w, AT(SELF_REST, three.z).w));
  precise real unseen = reach + distances.y;
  SET(SELF_NODES, part * U.self_nodes + (i - part * U.self_triangles), self_node_of(self_box_grown(box, by), unseen, rounding));
}

#endif
