/* vec3.h: vectors of floats, for building geometry on the host. Solver passes spell their
 * arithmetic out. */
#ifndef WEFT_VEC3_H
#define WEFT_VEC3_H

#include <math.h>
#include <weft/types.h>

static inline weft_vec3 weft_v3(float x, float y, float z) { return (weft_vec3){x, y, z}; }
static inline weft_vec3 weft_v3_add(weft_vec3 a, weft_vec3 b) {
  return weft_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline weft_vec3 weft_v3_sub(weft_vec3 a, weft_vec3 b) {
  return weft_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline weft_vec3 weft_v3_scale(weft_vec3 a, float s) {
  return weft_v3(a.x * s, a.y * s, a.z * s);
}
static inline float weft_v3_dot(weft_vec3 a, weft_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline weft_vec3 weft_v3_cross(weft_vec3 a, weft_vec3 b) {
  return weft_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline float weft_v3_length(weft_vec3 a) { return sqrtf(weft_v3_dot(a, a)); }

/* Of at least one point. */
static inline void weft_v3_bounds(const weft_vec3 *points, size_t count, weft_vec3 *low,
                                  weft_vec3 *high) {
  *low = *high = points[0];
  for (size_t i = 1; i < count; ++i) {
    weft_vec3 p = points[i];
    *low = weft_v3(fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z));
    *high = weft_v3(fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z));
  }
}

#endif
