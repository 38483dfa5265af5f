/* predict: external accelerations and damping, then the position the particle would reach freely. */
#ifndef WEFT_PASSES_PREDICT_H
#define WEFT_PASSES_PREDICT_H
#include "kernels/motion.h"

PASS(pass_predict) {
  real4 p = AT(X, i);
  real3 zero = V3(K(0.0), K(0.0), K(0.0));
  SET(X_PREV, i, p);
  if (PAIRS) SET(X_PREV_LOW, i, AT(X_LOW, i));
  if (p.w == K(0.0)) {
    SET(V, i, V4(zero, K(0.0)));
    if (PAIRS) SET(V_LOW, i, V4(zero, K(0.0)));
    return;
  }
  if (PAIRS) {
    pair3 velocity = predicted_velocity_pair3(pair3_of(XYZ(AT(V, i)), XYZ(AT(V_LOW, i))), XYZ(U.gravity_step), U.keep);
    pair3 position = predicted_position_pair3(pair3_of(XYZ(p), XYZ(AT(X_LOW, i))), velocity, U.dt);
    SET(V, i, V4(velocity.high, K(0.0)));
    SET(V_LOW, i, V4(velocity.low, K(0.0)));
    SET(X, i, V4(position.high, p.w));
    SET(X_LOW, i, V4(position.low, K(0.0)));
    return;
  }
  real3 velocity = predicted_velocity3(XYZ(AT(V, i)), XYZ(U.gravity_step), U.keep);
  SET(V, i, V4(velocity, K(0.0)));
  SET(X, i, V4(predicted_position3(XYZ(p), velocity, U.dt), p.w));
}

#endif
