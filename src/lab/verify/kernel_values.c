/* kernel_values.c: the values that made-up data are of. State keeps what the solver guarantees of
 * it (finite; components 0 or at least the snap threshold), and within that is as nasty as it can
 * be.
 */
#include <string.h>

#include "kernel_data.h"

/* ---- values ---- */

static float sign_of(weft_rng *rng) { return weft_rng_u32(rng) & 1 ? 1.0f : -1.0f; }

/* Mostly of a garment's size; also 0, at the snap threshold, and far away. */
float weft_kernel_component(weft_rng *rng) {
  switch (weft_rng_u32(rng) % 24) {
    case 0:
      return 0;
    case 1:
      return sign_of(rng) * (float)WEFT_SNAP;
    case 2:
      return sign_of(rng) * (float)WEFT_SNAP * weft_rng_float(rng, 1, 8);
    case 3:
      return sign_of(rng) * weft_rng_float(rng, 1e3f, 1e5f);
    default:
      return weft_rng_float(rng, -1, 1);
  }
}

vec4 weft_kernel_vector(weft_rng *rng, float w) {
  vec4 v;
  v.x = weft_kernel_component(rng);
  v.y = weft_kernel_component(rng);
  v.z = weft_kernel_component(rng);
  v.w = w;
  return v;
}

vec4 weft_kernel_small_vector(weft_rng *rng, float size, float w) {
  vec4 v;
  v.x = weft_rng_float(rng, -size, size);
  v.y = weft_rng_float(rng, -size, size);
  v.z = weft_rng_float(rng, -size, size);
  v.w = w;
  return v;
}

float weft_kernel_inverse_mass(weft_rng *rng) {
  return weft_rng_u32(rng) % 8 == 0 ? 0 : weft_rng_float(rng, 0.1f, 1000);
}

vec4 weft_kernel_unwritten(void) {
  float nan = exact_from_bits(WEFT_KERNEL_UNWRITTEN);
  return (vec4){nan, nan, nan, nan};
}

void weft_kernel_fill_unwritten(void *elements, uint64_t bytes) {
  uint32_t bits = WEFT_KERNEL_UNWRITTEN;
  for (uint64_t k = 0; k < bytes / 4; ++k) memcpy((char *)elements + 4 * k, &bits, 4);
}

/* The bits of x moved by up to 2^-12 of itself: a state a substep earlier. */
vec4 weft_kernel_nearby(weft_rng *rng, vec4 x) {
  x.x = exact_snap(x.x + x.x * weft_rng_float(rng, -2.4e-4f, 2.4e-4f));
  x.y = exact_snap(x.y + weft_rng_float(rng, -1e-3f, 1e-3f));
  x.z = exact_snap(x.z);
  return x;
}

/* Weights and a factor; or a rest value, compliance, damping and relaxation, where these are not
 * kept apart. */
vec4 weft_kernel_numbers(const weft_constraint_info *info, uint32_t i, weft_rng *rng) {
  vec4 q = weft_kernel_small_vector(rng, 4, weft_rng_float(rng, 1e-4f, 0.1f));
  if (!info->terms) {
    q.x = i % 4 == 0 ? 0 : weft_rng_float(rng, -3.14159f, 3.14159f);
    q.y = i % 3 == 0 ? 0 : weft_rng_float(rng, 0, 1e4f);
    q.z = i % 5 == 0 ? 0 : weft_rng_float(rng, 0, 2);
    q.w = weft_rng_float(rng, 0.1f, 1);
  } else if (i % 24 == 12) { /* on a flat square: nothing to do but rounding */
    q = (vec4){1, 1, -1, q.w};
  } else if (i % 16 == 3) { /* a needle's cotangents */
    q = weft_kernel_small_vector(rng, 1e5f, 1e-12f);
  }
  if (i % 16 == 2) q.w = 0;
  return q;
}

/* ---- contents every pass has ---- */

void weft_kernel_frame(weft_rng *rng, weft_contents *contents) {
  weft_uniforms *u = weft_contents_set(contents, WEFT_BUFFER_UNIFORMS, 1);
  u->gravity_step = (vec4){0.001f, -9.81f / 1200, 0, 0};
  u->dt = (float)(1.0 / 1200);
  u->inv_dt = 1200;
  u->keep = 0.9973f;
  u->drag = 0.72f;
  u->skin = 0.012f;
  u->third = 1.0f / 3;
  weft_substep *substeps = weft_contents_set(contents, WEFT_BUFFER_SUBSTEPS, 3);
  const float ways[3] = {1, 0.37f, 1.0f / 3}; /* pins at their targets first */
  for (int k = 0; k < 3; ++k) {
    const vec4 wind = k < 2 ? weft_kernel_small_vector(rng, 10, 0) : (vec4){0};
    substeps[k] = (weft_substep){
        .wind = {wind.x, wind.y, wind.z}, .way = ways[k], .air_dt = (float)(1 + k) * u->dt};
  }
}

uint32_t weft_kernel_elements(const weft_kernel_case *c) {
  return WEFT_KERNEL_FIRST + c->pass.count + WEFT_KERNEL_PAD;
}

weft_kernel_particles weft_kernel_fill_particles(const weft_kernel_case *c, weft_rng *rng,
                                                 weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint32_t n = weft_kernel_elements(c);
  return (weft_kernel_particles){n, weft_contents_set(contents, WEFT_BUFFER_X, n),
                                 weft_contents_set(contents, WEFT_BUFFER_V, n),
                                 weft_contents_set(contents, WEFT_BUFFER_X_PREV, n)};
}

float weft_kernel_distance(vec4 a, vec4 b) {
  weft_vec3 d = exact_flush3(weft_v3_sub(exact_xyz(a), exact_xyz(b)));
  float length2 = exact_dot(d, d);
  return length2 > 0 ? length2 * exact_rsqrt(length2) : 0;
}
