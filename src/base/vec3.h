/* vec3.h: the arithmetic of weft_vec3. Without a guard on purpose: base.h reads it for floats, and
 * src/solver_f64/double.h once more for doubles. */
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
