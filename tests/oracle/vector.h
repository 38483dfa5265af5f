/* vector.h: vectors of three doubles. */
#ifndef ORACLE_VECTOR_H
#define ORACLE_VECTOR_H

#include <math.h>

typedef struct vec {
  double x, y, z;
} vec;

static inline vec from3(const double p[3]) { return (vec){p[0], p[1], p[2]}; }
static inline vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec scale(double s, vec a) { return (vec){s * a.x, s * a.y, s * a.z}; }
static inline vec along(vec a, double t, vec d) { return add(a, scale(t, d)); } /* a + t d */
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double length(vec a) { return sqrt(dot(a, a)); }
static inline double distance(vec a, vec b) { return length(sub(a, b)); }
static inline vec unit(vec a) { return scale(1 / length(a), a); }
static inline vec mix(vec a, vec b, double t) { return along(a, t, sub(b, a)); }
static inline vec cross(vec a, vec b) {
  return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* What is left of a without its part along the direction n of length 1. */
static inline vec tangential(vec a, vec n) { return along(a, -dot(a, n), n); }
static inline double clamp(double t, double low, double high) {
  return t < low ? low : t > high ? high : t;
}

#endif
