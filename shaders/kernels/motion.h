/* motion.h: prediction and velocity update, by component. Small steps: Macklin et al. 2019. */
#ifndef WEFT_KERNELS_MOTION_H
#define WEFT_KERNELS_MOTION_H
#include "kernels/pair.h"

/* External acceleration and damping: gravity_step is gravity times dt, keep the factor of damping in a substep. */
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

/* v += (x - x_pred)/dt. The prediction is computed again from x_prev and v: the same operations, so the same bits, and nothing to store. The form
 * (x - x_prev)/dt would lose gravity in float at small dt. */
KERNEL real updated_velocity(real x, real x_prev, real v, real dt, real inv_dt) {
  real predicted = predicted_position(x_prev, v, dt);
  precise real correction = x - predicted;
  correction = correction * inv_dt;
  precise real velocity = v + correction;
  return exact_snap(velocity);
}

/* ---- the same with pairs: the change in a substep is smaller than an ulp of the value, the more so the shorter the substep ---- */

KERNEL pair predicted_velocity_pair(pair v, real gravity_step, real keep) {
  return pair_kept(pair_scale(pair_plus(v, gravity_step), keep));
}

KERNEL pair predicted_position_pair(pair x, pair v, real dt) { return pair_kept(pair_add(x, pair_scale(v, dt))); }

KERNEL pair updated_velocity_pair(pair x, pair x_prev, pair v, real dt, real inv_dt) {
  pair predicted = predicted_position_pair(x_prev, v, dt);
  pair off = pair_add(x, pair_negative(predicted));
  precise real correction = off.high * inv_dt;
  return pair_kept(pair_plus(v, correction));
}

KERNEL pair3 predicted_velocity_pair3(pair3 v, real3 gravity_step, real keep) {
  return pair3_from(predicted_velocity_pair(pair_x(v), gravity_step.x, keep),
                    predicted_velocity_pair(pair_y(v), gravity_step.y, keep),
                    predicted_velocity_pair(pair_z(v), gravity_step.z, keep));
}

KERNEL pair3 predicted_position_pair3(pair3 x, pair3 v, real dt) {
  return pair3_from(predicted_position_pair(pair_x(x), pair_x(v), dt), predicted_position_pair(pair_y(x), pair_y(v), dt),
                    predicted_position_pair(pair_z(x), pair_z(v), dt));
}

KERNEL pair3 updated_velocity_pair3(pair3 x, pair3 x_prev, pair3 v, real dt, real inv_dt) {
  return pair3_from(updated_velocity_pair(pair_x(x), pair_x(x_prev), pair_x(v), dt, inv_dt),
                    updated_velocity_pair(pair_y(x), pair_y(x_prev), pair_y(v), dt, inv_dt),
                    updated_velocity_pair(pair_z(x), pair_z(x_prev), pair_z(v), dt, inv_dt));
}

/* ---- all three components ---- */

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
