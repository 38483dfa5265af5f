/* soft_pins: after all that constrains the cloth, before contact: springs that hold particles softly. */
#ifndef WEFT_PASSES_SOFT_PINS_H
#define WEFT_PASSES_SOFT_PINS_H
#include "kernels/grab.h"
#include "kernels/soft_pin.h"

PASS(pass_soft_pins) {
  weft_soft_pin element = AT(SOFT_PINS, i);
  uint particle = element.particle;
  if (particle == WEFT_SOFT_NONE) return;
  real4 p = AT(X, particle);
  if (p.w == K(0.0)) return;
  real3 point = grab_target(XYZ(element.from), XYZ(element.to), AT(SUBSTEPS, substep).way);
  real3 to = soft_pin(XYZ(p), XYZ(AT(X_PREV, particle)), point, XYZ(element.step), element.pull, element.brake);
  SET(X, particle, V4(to, p.w));
}

#endif
