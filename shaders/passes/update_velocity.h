/* update_velocity: v += (x - x_pred)/dt. */
#ifndef WEFT_PASSES_UPDATE_VELOCITY_H
#define WEFT_PASSES_UPDATE_VELOCITY_H
#include "kernels/motion.h"

PASS(pass_update_velocity) {
  real4 p = AT(X, i);
  if (p.w == K(0.0)) return;
  if (PAIRS) {
    pair3 velocity = updated_velocity_pair3(pair3_of(XYZ(p), XYZ(AT(X_LOW, i))),
                                            pair3_of(XYZ(AT(X_PREV, i)), XYZ(AT(X_PREV_LOW, i))),
                                            pair3_of(XYZ(AT(V, i)), XYZ(AT(V_LOW, i))), U.dt, U.inv_dt);
    SET(V, i, V4(velocity.high, K(0.0)));
    SET(V_LOW, i, V4(velocity.low, K(0.0)));
    return;
  }
  real3 velocity = updated_velocity3(XYZ(p), XYZ(AT(X_PREV, i)), XYZ(AT(V, i)), U.dt, U.inv_dt);
  SET(V, i, V4(velocity, K(0.0)));
}

#endif
