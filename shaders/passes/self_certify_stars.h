/* self_certify_stars: a particle whose triangles no patch certifies. Where they do not certify themselves, those pairs of them are listed of which it is the
 * shared corner with the lowest number. */
#ifndef WEFT_PASSES_SELF_CERTIFY_STARS_H
#define WEFT_PASSES_SELF_CERTIFY_STARS_H
#include "kernels/self_monotone.h"
#include "passes/self.h"

#define SELF_FAN_TRIANGLE(k) AT(SELF_TRIANGLES, AT(SELF_FANS, star.first + (k)) >> 2u)
/* The particle of ray k: rays of an open fan are one more than triangles. */
#define SELF_RAY(k) self_ray_of(AT(SELF_TRIANGLES, AT(SELF_FANS, star.first + ((k) < star.count ? (k) : (k) - 1u)) >> 2u).corners, \
                                AT(SELF_FANS, star.first + ((k) < star.count ? (k) : (k) - 1u)) & 3u, (k) < star.count ? 1u : 2u)
#define SELF_RAY_IN(buffer, k) exact_flush3(v3_sub(XYZ(AT(buffer, SELF_RAY(k))), XYZ(AT(buffer, particle))))

KERNEL uint self_ray_of(weft_uvec3 three, uint corner, uint by) {
  uint k = (corner + by) % 3u;
  return PART3U(three, k);
}

PASS(pass_self_certify_stars) {
  if (i >= SELF_COUNT(SELF_ALL_PARTS, WEFT_SELF_AT_UNCERTIFIED)) return;
  uint particle = AT(SELF_UNCERTIFIED, 2u * i + 1u);
  SET(SELF_UNCERTIFIED, 2u * particle, 0u);
  uint part = SELF_PART(particle);
  weft_self_star star = AT(SELF_STARS, particle);
  bool closed = star.kind == WEFT_SELF_FAN_CLOSED;
  uint last = closed ? 0u : star.count;
  bool certified = star.kind != WEFT_SELF_FAN_NONE;
  if (certified) {
    real3 first = SELF_RAY_IN(X_PREV, 0u);
    real3 a = first;
    real3 n = V3(K(0.0), K(0.0), K(0.0));
    for (uint k = 1u; k <= star.count; ++k) {
      real3 b = k < star.count ? SELF_RAY_IN(X_PREV, k) : SELF_RAY_IN(X_PREV, last);
      n = self_spanned(n, a, b);
      a = b;
    }
    n = self_unit(n);
    /* Sectors have area, and the rays pass the first one once; of an open fan, all lie to either side of the middle one. */
    real3 middle = SELF_RAY_IN(X_PREV, closed ? 0u : star.middle);
    real3 middle_there = SELF_RAY_IN(X, closed ? 0u : star.middle);
    a = first;
    real3 c = SELF_RAY_IN(X, 0u);
    real before = K(0.0);
    uint winds = 0u;
    for (uint k = 1u; k <= star.count && certified; ++k) {
      uint ray = k < star.count ? k : last;
      real3 b = SELF_RAY_IN(X_PREV, ray);
      real3 d = SELF_RAY_IN(X, ray);
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
    if (!closed) certified = certified && self_gap_is_open(n, a, first, c, SELF_RAY_IN(X, 0u), star.floor);
  }
  if (certified) return;
  for (uint k = 0u; k < star.count; ++k) {
    uint self = AT(SELF_FANS, star.first + k) >> 2u;
    weft_self_triangle own = AT(SELF_TRIANGLES, self);
    for (uint other = k + 1u; other < star.count; ++other) {
      uint found = AT(SELF_FANS, star.first + other) >> 2u;
      weft_self_triangle to = AT(SELF_TRIANGLES, found);
      bool lower = (own.corners.x < particle && SELF_HAS(to, own.corners.x)) || (own.corners.y < particle && SELF_HAS(to, own.corners.y)) ||
                   (own.corners.z < particle && SELF_HAS(to, own.corners.z));
      if (lower || (own.flags & to.flags & WEFT_SELF_UNPARTED) != 0u) continue;
      SELF_LIST(part, WEFT_SELF_AT_TRIANGLE_PAIRS + pass.detection, SELF_TRIANGLE_PAIRS, U.self_close, self_two_of(self, found))
    }
  }
}

#endif
