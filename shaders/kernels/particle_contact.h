/* particle_contact.h: contact of two particles, |xi - xj| - 2r >= 0, with friction against their relative slide: that of this substep and what
 * earlier ones left (Cundall and Strack 1979). Without memory a few iterations leave a slip in every substep, and a heap would flow like honey. */
#ifndef WEFT_KERNELS_PARTICLE_CONTACT_H
#define WEFT_KERNELS_PARTICLE_CONTACT_H
#include "kernels/friction.h"

KERNEL_STRUCT(particle_gap)
  real3 from;    /* from the other to this one, m */
  real distance2;
  real inverse; /* of the distance */
  real depth;   /* m of overlap; above 0 if they touch */
KERNEL_STRUCT_END(particle_gap)

KERNEL particle_gap particle_gap_between(real3 p, real3 q, real contact_distance) {
  particle_gap gap;
  gap.from = exact_flush3(v3_sub(p, q));
  gap.distance2 = exact_dot(gap.from, gap.from);
  gap.inverse = exact_rsqrt(gap.distance2);
  precise real away = gap.distance2 * gap.inverse;
  precise real depth = contact_distance - away;
  gap.depth = SELECT(gap.distance2 == K(0.0), contact_distance, depth);
  return gap;
}

/* At equal positions there is no direction: the lower index moves to negative x. */
KERNEL real3 particle_contact_normal(particle_gap gap, mask lower) {
  real3 n = exact_flush3(v3_scale(gap.from, gap.inverse));
  real3 aside = V3(SELECT(lower, K(-1.0), K(1.0)), K(0.0), K(0.0));
  return v3_select(gap.distance2 == K(0.0), aside, n);
}

/* The slide of the two: that of this substep, plus the remembered slide. */
KERNEL real3 particle_contact_slide(real3 moved, real3 other_moved, real3 kept, real3 n) {
  real3 slide = v3_sub(moved, other_moved);
  slide = exact_flush3(v3_add(slide, kept));
  return friction_across(slide, n);
}

/* The fraction omega/n of the correction that a particle of inverse mass w makes, n the larger number of contacts of the two: the same for both,
 * so that momentum is conserved. */
KERNEL real3 particle_contact_correction(real3 slide, real3 n, real depth, real w, real other_w, real contacts,
                                         real relaxation, real mu_s, real mu_k) {
  real3 held = exact_trim3(friction_held(slide, depth, mu_s, mu_k));
  real3 correction = exact_flush3(v3_sub(v3_scale(n, depth), held));
  precise real weight = w + other_w;
  precise real share = w * exact_rcp(weight);
  share = exact_flush(share);
  precise real part = relaxation * exact_rcp(contacts);
  share = share * part;
  return exact_trim3(v3_scale(correction, share));
}

#endif
