/* move_pins: pinned particles follow their straight path through the frame. At its end they stand exactly on the target, unless
 * cloth held them back (self_hold). */
#ifndef WEFT_PASSES_MOVE_PINS_H
#define WEFT_PASSES_MOVE_PINS_H
#include "kernels/pin.h"

PASS(pass_move_pins) {
  weft_pin_path path = AT(PINS, i);
  uint particle = path.particle;
  uint before = substep == 0u ? 0u : substep - 1u;
  real3 position = pin_position(XYZ(path.from), XYZ(path.to), AT(SUBSTEPS, substep).wind.w);
  real3 came_from = pin_position(XYZ(path.from), XYZ(path.to), AT(SUBSTEPS, before).wind.w);
  came_from = v3_select(substep == 0u, XYZ(path.from), came_from);
  position = pin_after(position, XYZ(AT(X_PREV, particle)), v3_sub(position, came_from), U.self_escape);
  real3 velocity = pin_velocity(position, XYZ(AT(X_PREV, particle)), U.inv_dt);
  SET(X, particle, V4(position, AT(X, particle).w));
  SET(V, particle, V4(velocity, K(0.0)));
  if (PAIRS) {
    SET(X_LOW, particle, V4(V3(K(0.0), K(0.0), K(0.0)), K(0.0)));
    SET(V_LOW, particle, V4(V3(K(0.0), K(0.0), K(0.0)), K(0.0)));
  }
}

#endif
