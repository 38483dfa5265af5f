/* self_certify_stars: certifies the triangles around a particle that no patch certifies. If that fails, it lists pairs of them; a pair that shares
 * two corners is listed by the lower one. */
#ifndef WEFT_PASSES_SELF_CERTIFY_STARS_H
#define WEFT_PASSES_SELF_CERTIFY_STARS_H
#include "kernels/self_monotone.h"
#include "passes/self_corners.h"
#include "passes/self_list.h"

/* The particle at the end of ray k. An open fan has one more ray than triangles. */
KERNEL uint self_ray_of(BUFFERS m, weft_self_star star, uint k) {
  bool last = k == star.count;
  uint fan = AT(SELF_FANS, star.first + (last ? k - 1u : k));
  weft_uvec3 three = AT(SELF_TRIANGLES, fan >> 2u).corners;
  return PART3U(three, ((fan & 3u) + (last ? 2u : 1u)) % 3u);
}
KERNEL real3 self_ray_before(BUFFERS m, uint particle, weft_self_star star, uint k) {
  return exact_flush3(v3_sub(self_before(m, self_ray_of(m, star, k)), self_before(m, particle)));
}
KERNEL real3 self_ray_now(BUFFERS m, uint particle, weft_self_star star, uint k) {
  return exact_flush3(v3_sub(self_now(m, self_ray_of(m, star, k)), self_now(m, particle)));
}

/* Ray k, from 1 to the number of triangles; the last ray of a closed fan is the first one. */
KERNEL uint self_ray_behind(weft_self_star star, uint k) {
  return star.kind == WEFT_SELF_FAN_CLOSED && k == star.count ? 0u : k;
}

/* The direction of projection: the summed normals of its triangles at the start. */
KERNEL real3 self_star_normal(BUFFERS m, uint particle, weft_self_star star) {
  real3 a = self_ray_before(m, particle, star, 0u);
  real3 n = V3(K(0.0), K(0.0), K(0.0));
  for (uint k = 1u; k <= star.count; ++k) {
    real3 b = self_ray_before(m, particle, star, self_ray_behind(star, k));
    n = self_spanned(n, a, b);
    a = b;
  }
  return self_unit(n);
}

/* All sectors have positive area, and the rays wind once around a closed fan; rays of an open fan lie to either side of the middle one, and leave
 * a gap. */
KERNEL bool self_star_is_certified(BUFFERS m, uint particle, weft_self_star star) {
  if (star.kind == WEFT_SELF_FAN_NONE) return false;
  bool closed = star.kind == WEFT_SELF_FAN_CLOSED;
  real3 n = self_star_normal(m, particle, star);
  real3 first = self_ray_before(m, particle, star, 0u);
  real3 first_there = self_ray_now(m, particle, star, 0u);
  real3 middle = self_ray_before(m, particle, star, closed ? 0u : star.middle);
  real3 middle_there = self_ray_now(m, particle, star, closed ? 0u : star.middle);
  real3 a = first;
  real3 c = first_there;
  real before = K(0.0);
  uint winds = 0u;
  bool certified = true;
  for (uint k = 1u; k <= star.count && certified; ++k) {
    real3 b = self_ray_before(m, particle, star, self_ray_behind(star, k));
    real3 d = self_ray_now(m, particle, star, self_ray_behind(star, k));
    certified = self_sector_is_high(n, a, b, c, d, star.floor);
    real side = k < star.count ? self_area(n, first, b) : K(0.0);
    winds += before < K(0.0) && side >= K(0.0) ? 1u : 0u;
    before = side;
    if (!closed && k - 1u < star.middle) certified = certified && self_sector_is_high(n, a, middle, c, middle_there, star.floor);
    if (!closed && k > star.middle) certified = certified && self_sector_is_high(n, middle, b, middle_there, d, star.floor);
    a = b;
    c = d;
  }
  if (closed) certified = certified && winds == 1u;
  if (!closed) certified = certified && self_gap_is_open(n, a, first, c, first_there, star.floor);
  return certified;
}

/* Whether it is the lowest shared corner of two of its triangles, and these form pairs (are not both tangled). */
KERNEL bool self_star_lists(uint particle, weft_self_triangle own, weft_self_triangle to) {
  bool lower = (own.corners.x < particle && self_has(to, own.corners.x)) || (own.corners.y < particle && self_has(to, own.corners.y)) ||
               (own.corners.z < particle && self_has(to, own.corners.z));
  return !lower && (own.flags & to.flags & WEFT_SELF_UNPARTED) == 0u;
}

PASS(pass_self_certify_stars) {
  if (i >= self_counted(m, self_all_parts(m), WEFT_SELF_AT_UNCERTIFIED)) return;
  uint particle = AT(SELF_UNCERTIFIED, 2u * i + 1u);
  SET(SELF_UNCERTIFIED, 2u * particle, 0u);
  uint part = self_part_of(m, particle);
  weft_self_star star = AT(SELF_STARS, particle);
  if (self_star_is_certified(m, particle, star)) return;
  for (uint k = 0u; k < star.count; ++k) {
    uint self = AT(SELF_FANS, star.first + k) >> 2u;
    weft_self_triangle own = AT(SELF_TRIANGLES, self);
    for (uint other = k + 1u; other < star.count; ++other) {
      uint found = AT(SELF_FANS, star.first + other) >> 2u;
      if (!self_star_lists(particle, own, AT(SELF_TRIANGLES, found))) continue;
      uint slot = self_take_place(m, part, WEFT_SELF_AT_TRIANGLE_PAIRS + pass.detection, U.self_close);
      if (slot != SELF_NO_PLACE) SET(SELF_TRIANGLE_PAIRS, slot, self_two_of(self, found));
    }
  }
}

#endif
