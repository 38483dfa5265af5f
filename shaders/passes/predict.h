/* predict: external accelerations and damping, then the position the particle would reach freely. */
#ifndef WEFT_PASSES_PREDICT_H
#define WEFT_PASSES_PREDICT_H
#include "kernels/motion.h"

PASS(pass_predict) {
  real4 p = AT(X, i);
  SET(X_PREV, i, p);
  if (p.w == K(0.0)) {
    SET(V, i, V4(V3(K(0.0), K(0.0), K(0.0)), K(0.0)));
    return;
  }
  real3 velocity = predicted_velocity3(XYZ(AT(V, i)), XYZ(U.gravity_step), U.keep);
  SET(V, i, V4(velocity, K(0.0)));
  SET(X, i, V4(predicted_position3(XYZ(p), velocity, U.dt), p.w));
}

#endif
