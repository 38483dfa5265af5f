/* self_advance: every particle moves by its step fraction, pins too, which catch up later (pin_after). In a rejected step no particle of the
 * instance moves. Velocities remain those of whole displacements: truncation is no impulse, since it would act on one side of a pair alone;
 * repulsion of the next substep takes the approach from both sides. Only after many rejected steps in a row velocities are halved. A particle that
 * was to move and did not is marked and counted, for the report of what stands still. */
#ifndef WEFT_PASSES_SELF_ADVANCE_H
#define WEFT_PASSES_SELF_ADVANCE_H
#include "kernels/pin.h"
#include "passes/self_corners.h"
#include "passes/self_counts.h"

/* Counters of an instance that grow once a contact step. */
KERNEL void self_tell_part(BUFFERS m, uint part, bool pause, uint paused) {
  SET(SELF_COUNTS, self_place(part, WEFT_SELF_AT_REJECTED_NOW), pause ? paused + 1u : 0u);
  for (uint k = 0u; k < WEFT_SELF_DETECTIONS - 1u; ++k) {
    if (self_counted(m, part, WEFT_SELF_AT_REDETECT + k) != 0u) ATOMIC_ADD(SELF_COUNTS, self_place(part, WEFT_SELF_AT_DETECTIONS), 1u);
  }
  if (pause) {
    ATOMIC_ADD(SELF_COUNTS, self_place(part, WEFT_SELF_AT_REJECTED_STEPS), 1u);
    ATOMIC_ADD(SELF_COUNTS, self_place(part, WEFT_SELF_AT_OVERFLOWS), 1u);
  } else {
    ATOMIC_ADD(SELF_COUNTS, self_place(part, WEFT_SELF_AT_CANDIDATE_SUM), self_counted(m, part, WEFT_SELF_AT_CANDIDATES));
  }
}

PASS(pass_self_advance) {
  uint part = self_part_of(m, i);
  uint flags = self_counted(m, part, WEFT_SELF_AT_FLAGS);
  bool pause = flags != 0u;
  uint paused = self_counted(m, part, WEFT_SELF_AT_REJECTED);
  if (i == self_first_of(m, part)) self_tell_part(m, part, pause, paused);
  uint share = pause ? 0u : AT(SELF_FRACTIONS, 2u * i);
  if (share == WEFT_SELF_WHOLE) return;
  real4 p = AT(X, i);
  if (self_is_still(m, i)) return;
  bool pinned = p.w == K(0.0);
  if (pinned) ATOMIC_ADD(SELF_COUNTS, self_place(part, WEFT_SELF_AT_OVERRIDDEN), 1u);
  if (!pinned && !pause) ATOMIC_ADD(SELF_COUNTS, self_place(part, WEFT_SELF_AT_LIMITED), 1u);
  if (!pinned && share == 0u && self_moves(self_move(m, i))) {
    SET(SELF_FRACTIONS, 2u * i, WEFT_SELF_STOOD);
    ATOMIC_ADD(SELF_COUNTS, self_place(part, WEFT_SELF_AT_STOOD), 1u);
  }
  real3 before = self_before(m, i);
  real3 held = self_held(before, self_move(m, i), share);
  held = v3_select(share == 0u, before, held);
  SET(X, i, V4(held, p.w));
  if (pinned) {
    SET(V, i, V4(pin_velocity(held, before, U.self_inv_dt), K(0.0)));
  } else if (pause && !self_is_known(XYZ(AT(V, i)))) {
    SET(V, i, V4(V3(K(0.0), K(0.0), K(0.0)), K(0.0)));
  } else if (pause && paused >= WEFT_SELF_PATIENCE) {
    SET(V, i, V4(self_slowed(XYZ(AT(V, i))), K(0.0)));
  }
}

#endif
