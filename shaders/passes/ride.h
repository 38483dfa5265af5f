/* ride: particles of attached pieces follow the triangles that they are fastened to. Last pass of a substep. */
#ifndef WEFT_PASSES_RIDE_H
#define WEFT_PASSES_RIDE_H
#include "kernels/ride.h"

PASS(pass_ride) {
  weft_rider rider = AT(RIDERS, i);
  uvec4 p = rider.particles;
  real3 offset = XYZ(rider.offset);
  real share_b = rider.shares.x;
  real share_c = rider.shares.y;
  real3 position = ride_position(XYZ(AT(X, p.y)), XYZ(AT(X, p.z)), XYZ(AT(X, p.w)), share_b, share_c, offset);
  real3 velocity = ride_velocity(XYZ(AT(V, p.y)), XYZ(AT(V, p.z)), XYZ(AT(V, p.w)), share_b, share_c);
  SET(X, p.x, V4(position, K(0.0)));
  SET(V, p.x, V4(velocity, K(0.0)));
}

#endif
