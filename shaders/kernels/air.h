/* air.h: a third of the force of the air on a triangle: pressure drag along the normal, quadratic in the normal relative wind, and skin friction
 * along the triangle. Both are explicit, so each is clamped to what stops the three particles in one step; else a storm would throw light cloth
 * back faster than it came. */
#ifndef WEFT_KERNELS_AIR_H
#define WEFT_KERNELS_AIR_H
#include "kernels/exact.h"

/* A force in N per m/s, clamped to what stops particles of this total inverse mass in one step. */
KERNEL real air_capped(real force, real lightness) {
  real most = exact_rcp(lightness);
  return SELECT(AND(lightness > K(0.0), force > most), most, force);
}

/* x: positions and inverse masses; sum: of the three velocities; drag, skin: half air density times the coefficient; third: 1/3. */
KERNEL real3 air_force(real4 xa, real4 xb, real4 xc, real3 sum, real3 wind, real drag, real skin, real third, real dt) {
  real3 e1 = exact_flush3(v3_sub(XYZ(xb), XYZ(xa)));
  real3 e2 = exact_flush3(v3_sub(XYZ(xc), XYZ(xa)));
  real3 normal = exact_flush3(exact_cross(e1, e2));
  real normal2 = exact_dot(normal, normal);
  real inverse = exact_rsqrt(normal2);
  precise real area = normal2 * inverse;
  area = area * K(0.5);
  normal = exact_flush3(v3_scale(normal, inverse));
  real3 mean = v3_scale(sum, third);
  real3 relative = exact_flush3(v3_sub(wind, mean));
  real across = exact_flush(exact_dot(normal, relative));
  real3 pressed = v3_scale(normal, across);
  real3 along = exact_flush3(v3_sub(relative, pressed));
  real along2 = exact_dot(along, along);
  real along_inverse = exact_rsqrt(along2);
  precise real along_speed = along2 * along_inverse;
  along_speed = SELECT(along2 == K(0.0), K(0.0), along_speed);
  precise real push = drag * ABS(across);
  push = push * area;
  precise real pull = skin * along_speed;
  pull = pull * area;
  precise real lightness = xa.w + xb.w;
  lightness = lightness + xc.w;
  lightness = lightness * dt;
  real3 force = v3_scale(pressed, air_capped(push, lightness));
  force = v3_add(force, v3_scale(along, air_capped(pull, lightness)));
  force = exact_flush3(v3_scale(force, third));
  return v3_select(normal2 == K(0.0), V3(K(0.0), K(0.0), K(0.0)), force);
}

/* A component of the velocity of a particle of inverse mass w under a force. */
KERNEL real air_velocity(real v, real force, real w, real dt) {
  precise real scale = w * dt;
  precise real change = force * scale;
  precise real velocity = v + change;
  return exact_snap(velocity);
}

KERNEL real3 air_velocity3(real3 v, real3 force, real w, real dt) {
  return V3(air_velocity(v.x, force.x, w, dt), air_velocity(v.y, force.y, w, dt), air_velocity(v.z, force.z, w, dt));
}

#endif
