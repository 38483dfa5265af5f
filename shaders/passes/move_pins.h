/* move_pins: pinned particles follow their straight path through the frame. At its end they are exactly on the target, unless self_advance
 * truncated their displacement. */
#ifndef WEFT_PASSES_MOVE_PINS_H
#define WEFT_PASSES_MOVE_PINS_H
#include "kernels/pin.h"

PASS(pass_move_pins) {
  weft_pin_path path = AT(PINS, i);
  uint particle = path.particle;
  real before = K(0.0);
  if (substep != 0u) before = AT(SUBSTEPS, substep - 1u).way;
  real3 position = pin_on_its_way(XYZ(path.from), XYZ(path.to), before, AT(SUBSTEPS, substep).way,
                                  XYZ(AT(X_PREV, particle)), U.self_escape);
  real3 velocity = pin_velocity(position, XYZ(AT(X_PREV, particle)), U.inv_dt);
  SET(X, particle, V4(position, AT(X, particle).w));
  SET(V, particle, V4(velocity, K(0.0)));
  if (PAIRS) {
    SET(X_LOW, particle, V4(V3(K(0.0), K(0.0), K(0.0)), K(0.0)));
    SET(V_LOW, particle, V4(V3(K(0.0), K(0.0), K(0.0)), K(0.0)));
  }
}

#endif
