/* self_find_triangles: of two patches, the pairs of triangles whose boxes meet. Those that share a corner belong to its star, but in a redetection, where only
 * triangles count whose motions were cut short since the last one. A work group for each pair of patches. */
#ifndef WEFT_PASSES_SELF_FIND_TRIANGLES_H
#define WEFT_PASSES_SELF_FIND_TRIANGLES_H
#include "passes/self.h"

/* Boxes of the second patch's triangles, and behind them of each eight in a row. */
GROUP_ARRAY(weft_self_node, s_self_fine, WEFT_SELF_PATCH + WEFT_SELF_PATCH / WEFT_SELF_FAN)

#define SELF_BOX_OF(t) self_box_around(SELF_CORNER((t).corners.x), SELF_CORNER((t).corners.y), SELF_CORNER((t).corners.z))

GROUP_PASS(pass_self_find_triangles) {
  if (i >= SELF_COUNT(SELF_ALL_PARTS, WEFT_SELF_AT_PATCH_PAIRS + pass.detection)) return;
  if (i >= U.self_meets * U.self_parts) return;
  weft_self_two two = AT(SELF_PATCH_PAIRS, i);
  uint part = SELF_PART_OF_PATCH(two.first);
  bool again = pass.detection != 0u;
  real reach = SELF_DISTANCES(part).x;
  EACH(k, 0u, 1u, WEFT_SELF_PATCH) {
    weft_self_triangle t = AT(SELF_TRIANGLES, WEFT_SELF_PATCH * two.second + k);
    s_self_fine[k] = self_node_of(SELF_BOX_OF(t));
  }
  WAIT_FOR_GROUP
  EACH(k, 0u, WEFT_SELF_FAN, WEFT_SELF_PATCH) {
    self_box box = self_box_in(s_self_fine[k]);
    for (uint other = k + 1u; other < k + WEFT_SELF_FAN; ++other) box = self_box_join(box, self_box_in(s_self_fine[other]));
    s_self_fine[WEFT_SELF_PATCH + k / WEFT_SELF_FAN] = self_node_of(box);
  }
  WAIT_FOR_GROUP
  EACH(k, 0u, 1u, WEFT_SELF_PATCH) {
    uint self = WEFT_SELF_PATCH * two.first + k;
    weft_self_triangle own = AT(SELF_TRIANGLES, self);
    if ((own.flags & WEFT_SELF_EMPTY) != 0u) continue;
    self_box box = SELF_BOX_OF(own);
    bool marked = SELF_MARKED(own);
    uint from = two.first == two.second ? k + 1u : 0u;
    for (uint place = from; place < WEFT_SELF_PATCH; ++place) {
      if ((place & (WEFT_SELF_FAN - 1u)) == 0u || place == from) {
        if (!self_boxes_meet(box, self_box_in(s_self_fine[WEFT_SELF_PATCH + place / WEFT_SELF_FAN]), reach)) {
          place = place | (WEFT_SELF_FAN - 1u);
          continue;
        }
      }
      if (!self_boxes_meet(box, self_box_in(s_self_fine[place]), reach)) continue;
      uint found = WEFT_SELF_PATCH * two.second + place;
      weft_self_triangle other = AT(SELF_TRIANGLES, found);
      if ((other.flags & WEFT_SELF_EMPTY) != 0u) continue;
      if ((own.flags & other.flags & WEFT_SELF_UNPARTED) != 0u) continue;
      bool share = SELF_HAS(other, own.corners.x) || SELF_HAS(other, own.corners.y) || SELF_HAS(other, own.corners.z);
      if (again ? !marked && !SELF_MARKED(other) : share) continue;
      SELF_LIST(part, WEFT_SELF_AT_TRIANGLE_PAIRS + pass.detection, SELF_TRIANGLE_PAIRS, U.self_close, self_two_of(self, found))
    }
  }
}

#endif
