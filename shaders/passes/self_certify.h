/* self_certify: certifies a pair of neighbouring patches. Where no certificate holds, the stars of the particles they share are to be tested, and
 * their triangles are compared if their boxes overlap. */
#ifndef WEFT_PASSES_SELF_CERTIFY_H
#define WEFT_PASSES_SELF_CERTIFY_H
#include "kernels/self_monotone.h"
#include "passes/self_list.h"

/* The least eigenvalue bound over the patches of a hull, relative to a reference. */
KERNEL real self_hull_proves(BUFFERS m, uint seen_from, uint first, uint count) {
  weft_self_certificate reference = AT(SELF_CERTIFICATES, seen_from);
  real proved = count != 0u ? K(1.0e30) : K(-1.0);
  for (uint entry = first; entry < first + count; ++entry) {
    weft_self_hull hull = AT(SELF_HULLS, entry);
    weft_self_certificate shape = AT(SELF_CERTIFICATES, hull.of);
    proved = self_less(proved, self_proves(shape.least, shape.most, XYZ(shape.first), XYZ(shape.second), XYZ(reference.first),
                                           XYZ(reference.second), hull.turn_c, hull.turn_s, hull.bend));
    if (!(proved > K(0.0))) proved = K(-1.0);
  }
  return proved;
}

/* With the first patch as reference, else with the second. */
KERNEL bool self_are_certified(BUFFERS m, weft_self_adjacent beside) {
  if (self_is_monotone(self_hull_proves(m, beside.first, beside.hulls, beside.from_first))) return true;
  return self_is_monotone(self_hull_proves(m, beside.second, beside.hulls + beside.from_first, beside.from_second));
}

/* Each particle is listed once, even if several pairs ask for it. */
KERNEL void self_ask_for(BUFFERS m, uint part, uint particle) {
  if (ATOMIC_SWAP(SELF_UNCERTIFIED, 2u * particle, 1u) != 0u) return;
  uint slot = self_take_place(m, part, WEFT_SELF_AT_UNCERTIFIED, SELF_NO_PLACE);
  SET(SELF_UNCERTIFIED, 2u * slot + 1u, particle);
}

PASS(pass_self_certify) {
  weft_self_adjacent beside = AT(SELF_ADJACENT, i);
  uint part = self_part_of_patch(m, beside.first);
  if (self_is_idle(m, part, pass.detection)) return;
  if (self_are_certified(m, beside)) return;
  for (uint k = 0u; k < beside.particle_count; ++k) self_ask_for(m, part, AT(SELF_SHARED, beside.particles + k));
  if (beside.first != beside.second) {
    uint before = part * U.self_patches;
    uint nodes = part * U.self_nodes;
    self_box box = self_box_in(AT(SELF_NODES, nodes + beside.first - before));
    real reach = AT(SELF_CERTIFICATES, beside.first).reach;
    if (!self_boxes_meet(box, self_box_in(AT(SELF_NODES, nodes + beside.second - before)), reach)) return;
  }
  uint slot = self_take_place(m, part, WEFT_SELF_AT_PATCH_PAIRS + pass.detection, U.self_meets);
  if (slot != SELF_NO_PLACE) SET(SELF_PATCH_PAIRS, slot, self_two_of(beside.first, beside.second));
}

#endif
