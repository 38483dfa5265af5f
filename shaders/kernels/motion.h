/* motion.h: where a particle goes freely, and what its velocity is afterwards; a component each. Small steps: Macklin
 * et al. 2019. */
#ifndef WEFT_KERNELS_MOTION_H
#define WEFT_KERNELS_MOTION_H
#include "kernels/exact.h"

/* External accelerations and damping: gravity_step is gravity times dt, keep what damping leaves in a substep. */
KERNEL real predicted_velocity(real v, real gravity_step, real keep) {
  precise real velocity = v + gravity_step;
  velocity = velocity * keep;
  return exact_snap(velocity);
}

KERNEL real predicted_position(real x, real v, real dt) {
  precise real step = v * dt;
  precise real predicted = x + step;
  return exact_snap(predicted);
}

/* v += (x - x_pred)/dt. The prediction is computed anew from x_prev and v: the same operations, so the same bits, and no
 * bytes to store. The form (x - x_prev)/dt would lose gravity in float at small dt. */
KERNEL real updated_velocity(real x, real x_prev, real v, real dt, real inv_dt) {
  real predicted = predicted_position(x_prev, v, dt);
  precise real correction = x - predicted;
  correction = correction * inv_dt;
  precise real velocity = v + correction;
  return exact_snap(velocity);
}

KERNEL real3 predicted_velocity3(real3 v, real3 gravity_step, real keep) {
  return V3(predicted_velocity(v.x, gravity_step.x, keep), predicted_velocity(v.y, gravity_step.y, keep),
            predicted_velocity(v.z, gravity_step.z, keep));
}

KERNEL real3 predicted_position3(real3 x, real3 v, real dt) {
  return V3(predicted_position(x.x, v.x, dt), predicted_position(x.y, v.y, dt), predicted_position(x.z, v.z, dt));
}

KERNEL real3 updated_velocity3(real3 x, real3 x_prev, real3 v, real dt, real inv_dt) {
  return V3(updated_velocity(x.x, x_prev.x, v.x, dt, inv_dt), updated_velocity(x.y, x_prev.y, v.y, dt, inv_dt),
            updated_velocity(x.z, x_prev.z, v.z, dt, inv_dt));
}

#endif
