/* self_certify: a pair of patches that are neighbours. Where no certificate holds, the stars of what they share are asked, and their triangles are
 * compared if their boxes meet. */
#ifndef WEFT_PASSES_SELF_CERTIFY_H
#define WEFT_PASSES_SELF_CERTIFY_H
#include "kernels/self_monotone.h"
#include "passes/self.h"

PASS(pass_self_certify) {
  weft_self_adjacent beside = AT(SELF_ADJACENT, i);
  uint part = SELF_PART_OF_PATCH(beside.first);
  if (SELF_IDLE(part)) return;
  /* With the first as reference, then with the second: the least that any patch of its hull proves. */
  real best = K(-1.0);
  uint entry = beside.hulls;
  for (uint side = 0u; side < 2u && !self_is_monotone(best); ++side) {
    weft_self_certificate reference = AT(SELF_CERTIFICATES, side == 0u ? beside.first : beside.second);
    uint end = entry + (side == 0u ? beside.from_first : beside.from_second);
    real proved = entry < end ? K(1.0e30) : K(-1.0);
    for (; entry < end; ++entry) {
      weft_self_hull hull = AT(SELF_HULLS, entry);
      weft_self_certificate shape = AT(SELF_CERTIFICATES, hull.of);
      proved = self_less(proved, self_proves(shape.least, shape.most, XYZ(shape.first), XYZ(shape.second), XYZ(reference.first),
                                             XYZ(reference.second), hull.turn_c, hull.turn_s, hull.bend));
      if (!(proved > K(0.0))) proved = K(-1.0);
    }
    best = self_more(best, proved);
  }
  if (self_is_monotone(best)) return;
  for (uint k = 0u; k < beside.particle_count; ++k) {
    uint particle = AT(SELF_SHARED, beside.particles + k);
    if (ATOMIC_SWAP(SELF_UNCERTIFIED, 2u * particle, 1u) != 0u) continue;
    uint slot = ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(part, WEFT_SELF_AT_UNCERTIFIED), 1u);
    if (SELF_JOINED) slot = ATOMIC_ADD(SELF_COUNTS, SELF_PLACE(SELF_ALL_PARTS, WEFT_SELF_AT_UNCERTIFIED), 1u);
    SET(SELF_UNCERTIFIED, 2u * slot + 1u, particle);
  }
  if (beside.first != beside.second) {
    uint before = part * U.self_patches;
    uint nodes = part * U.self_nodes;
    self_box box = self_box_in(AT(SELF_NODES, nodes + beside.first - before));
    real reach = AT(SELF_CERTIFICATES, beside.first).reach;
    if (!self_boxes_meet(box, self_box_in(AT(SELF_NODES, nodes + beside.second - before)), reach)) return;
  }
  SELF_LIST(part, WEFT_SELF_AT_PATCH_PAIRS + pass.detection, SELF_PATCH_PAIRS, U.self_meets, self_two_of(beside.first, beside.second))
}

#endif
