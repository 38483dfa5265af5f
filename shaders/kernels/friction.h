/* friction.h: Coulomb friction on positions (Macklin et al. 2014, "Unified particle physics", section 6.1). */
#ifndef WEFT_KERNELS_FRICTION_H
#define WEFT_KERNELS_FRICTION_H
#include "kernels/exact.h"

/* The tangential part of a slide, n the normal. */
KERNEL real3 friction_across(real3 slide, real3 n) {
  real normal_part = exact_flush(exact_dot(slide, n));
  return exact_flush3(v3_sub(slide, v3_scale(n, normal_part)));
}

/* The part of a slide that friction cancels: all of it up to mu_s times the normal correction, beyond that mu_k times the correction. */
KERNEL real3 friction_held(real3 across, real depth, real mu_s, real mu_k) {
  real slide2 = exact_dot(across, across);
  real inverse = exact_rsqrt(slide2);
  precise real slid = slide2 * inverse;
  precise real static_limit = mu_s * depth;
  precise real kinetic_limit = mu_k * depth;
  precise real part = kinetic_limit * inverse;
  part = SELECT(part < K(1.0), part, K(1.0));
  part = SELECT(slid <= static_limit, K(1.0), part);
  real3 held = v3_scale(across, part);
  return v3_select(slide2 == K(0.0), V3(K(0.0), K(0.0), K(0.0)), held);
}

#endif
