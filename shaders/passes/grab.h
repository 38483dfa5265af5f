/* grab: held particles are pulled to a moving point. Right after the prediction: constraints, contacts and colliders answer
 * afterwards. */
#ifndef WEFT_PASSES_GRAB_H
#define WEFT_PASSES_GRAB_H
#include "kernels/grab.h"
#include "kernels/motion.h"

PASS(pass_grab) {
  weft_grab element = AT(GRAB, i);
  uint particle = element.particle;
  if (particle == WEFT_GRAB_NONE) return;
  real4 p = AT(X, particle);
  if (p.w == K(0.0)) return;
  real3 target = grab_target(XYZ(element.from), XYZ(element.to), AT(SUBSTEPS, substep).way);
  grabbed to = grab_velocity(XYZ(p), XYZ(AT(V, particle)), target, element.stiffness, element.damping, element.impulse_limit);
  if (!to.defined) return;
  SET(V, particle, V4(to.velocity, K(0.0)));
  if (PAIRS) {
    SET(X_LOW, particle, V4(V3(K(0.0), K(0.0), K(0.0)), K(0.0)));
    SET(V_LOW, particle, V4(V3(K(0.0), K(0.0), K(0.0)), K(0.0)));
  }
  SET(X, particle, V4(predicted_position3(XYZ(AT(X_PREV, particle)), to.velocity, U.dt), p.w));
}

#endif
