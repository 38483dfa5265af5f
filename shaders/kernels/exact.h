/* exact.h: arithmetic whose bits every driver, compiler and vector must agree on. Only + - *, comparison, bit casts and
 * selects; every result is `precise`, so that nothing is fused or reordered. */
#ifndef WEFT_KERNELS_EXACT_H
#define WEFT_KERNELS_EXACT_H

#ifndef WEFT_EXACT_NUMBERS

/* 1/x for normal positive x: integer seed, three Newton steps, the last in residual form (at most 1.2 ulp). */
KERNEL real exact_rcp(real x) {
  precise real y = AS_REAL(0x7EF311C7u - AS_BITS(x));
  precise real t = x * y;
  t = K(2.0) - t;
  y = y * t;
  t = x * y;
  t = K(2.0) - t;
  y = y * t;
  t = x * y;
  t = K(1.0) - t;
  t = y * t;
  y = y + t;
  return y;
}

/* 1/sqrt(x) for normal positive x, likewise (at most 1.3 ulp). */
KERNEL real exact_rsqrt(real x) {
  precise real h = K(0.5) * x;
  precise real y = AS_REAL(0x5F375A86u - (AS_BITS(x) >> 1));
  precise real t = h * y;
  t = t * y;
  t = K(1.5) - t;
  y = y * t;
  t = h * y;
  t = t * y;
  t = K(1.5) - t;
  y = y * t;
  t = h * y;
  t = t * y;
  t = K(0.5) - t;
  t = y * t;
  y = y + t;
  return y;
}

/* Angle of (x, y) in (-pi, pi], within 3e-7: the polynomial of Cephes' atanf (Moshier) after one reduction to
 * [0, tan(pi/8)]. At least one of x and y must not be 0. */
KERNEL real exact_atan2(real y, real x) {
  real ax = ABS(x);
  real ay = ABS(y);
  mask steep = ay > ax;
  real high = SELECT(steep, ay, ax);
  real low = SELECT(steep, ax, ay);
  precise real cut = high * K(0.414213567972183227539);
  mask wide = low > cut;
  precise real sum = low + high;
  precise real difference = low - high;
  real numerator = SELECT(wide, difference, low);
  real denominator = SELECT(wide, sum, high);
  real inverse = exact_rcp(denominator);
  precise real t = numerator * inverse;
  t = exact_flush(t);
  precise real z = t * t;
  precise real p = K(0.0805374458432197570801) * z;
  p = p - K(0.138776853680610656738);
  p = p * z;
  p = p + K(0.199777111411094665527);
  p = p * z;
  p = p - K(0.333329498767852783203);
  p = p * z;
  p = p * t;
  p = p + t;
  precise real shifted = p + K(0.785398185253143310547);
  real angle = SELECT(wide, shifted, p);
  precise real complement = K(1.57079637050628662109) - angle;
  angle = SELECT(steep, complement, angle);
  precise real supplement = K(3.14159274101257324219) - angle;
  angle = SELECT(x < K(0.0), supplement, angle);
  precise real negative = -angle;
  angle = SELECT(y < K(0.0), negative, angle);
  return angle;
}

#endif

/* ---- vectors ---- */

KERNEL real3 exact_snap3(real3 v) { return V3(exact_snap(v.x), exact_snap(v.y), exact_snap(v.z)); }
KERNEL real3 exact_flush3(real3 v) {
  return V3(exact_flush(v.x), exact_flush(v.y), exact_flush(v.z));
}
KERNEL real3 exact_trim3(real3 v) { return V3(exact_trim(v.x), exact_trim(v.y), exact_trim(v.z)); }

KERNEL real exact_dot(real3 a, real3 b) {
  precise real xx = a.x * b.x;
  precise real yy = a.y * b.y;
  precise real zz = a.z * b.z;
  precise real s = xx + yy;
  s = s + zz;
  return s;
}

KERNEL real3 exact_cross(real3 a, real3 b) {
  precise real lx = a.y * b.z;
  precise real ly = a.z * b.x;
  precise real lz = a.x * b.y;
  precise real rx = a.z * b.y;
  precise real ry = a.x * b.z;
  precise real rz = a.y * b.x;
  return v3_sub(V3(lx, ly, lz), V3(rx, ry, rz));
}

#endif
