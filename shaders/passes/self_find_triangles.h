/* self_find_triangles: pairs of triangles of two patches whose boxes overlap; a work group for each pair of patches. Triangles that share a corner
 * are left to the stars. A redetection has no stars, and takes only triangles with truncated corners. */
#ifndef WEFT_PASSES_SELF_FIND_TRIANGLES_H
#define WEFT_PASSES_SELF_FIND_TRIANGLES_H
#include "passes/self_list.h"
#include "passes/self_marked.h"

/* Boxes of the second patch's triangles, then boxes of eight consecutive ones each. */
GROUP_ARRAY(weft_self_node, s_self_fine, WEFT_SELF_PATCH + WEFT_SELF_PATCH / WEFT_SELF_FAN)

/* Whether two triangles whose boxes overlap are compared; `marked`: the first has truncated corners. */
KERNEL bool self_are_compared(BUFFERS m, weft_self_triangle own, bool marked, weft_self_triangle other, uint detection) {
  if ((other.flags & WEFT_SELF_EMPTY) != 0u) return false;
  if ((own.flags & other.flags & WEFT_SELF_UNPARTED) != 0u) return false;
  bool share = self_has(other, own.corners.x) || self_has(other, own.corners.y) || self_has(other, own.corners.z);
  return detection != 0u ? marked || self_is_marked(m, other, detection) : !share;
}

GROUP_PASS(pass_self_find_triangles) {
  if (i >= self_counted(m, self_all_parts(m), WEFT_SELF_AT_PATCH_PAIRS + pass.detection)) return;
  if (i >= U.self_meets * U.self_parts) return;
  weft_self_two two = AT(SELF_PATCH_PAIRS, i);
  uint part = self_part_of_patch(m, two.first);
  real reach = AT(SELF_PARTS, part).reach;
  EACH(k, 0u, 1u, WEFT_SELF_PATCH) {
    weft_self_triangle t = AT(SELF_TRIANGLES, WEFT_SELF_PATCH * two.second + k);
    s_self_fine[k] = self_node_of(self_box_of_triangle(m, t));
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
    self_box box = self_box_of_triangle(m, own);
    bool marked = self_is_marked(m, own, pass.detection);
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
      if (!self_are_compared(m, own, marked, AT(SELF_TRIANGLES, found), pass.detection)) continue;
      uint slot = self_take_place(m, part, WEFT_SELF_AT_TRIANGLE_PAIRS + pass.detection, U.self_close);
      if (slot != SELF_NO_PLACE) SET(SELF_TRIANGLE_PAIRS, slot, self_two_of(self, found));
    }
  }
}

#endif
