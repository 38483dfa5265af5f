/* kernel_bounds.c: inputs for the passes of the origin that goes along with the cloth: boxes of
 * particles far out and on one spot, and shifts that leave nothing but a zero. */
#include "kernel_data.h"

void weft_kernel_bound(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  enum { MOST = 1u << 20 }; /* particles: elements behind the last have none */
  weft_kernel_frame(rng, contents);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  uint32_t elements = weft_kernel_elements(c);
  uint64_t n = (uint64_t)elements * WEFT_FAN - 17;
  u->particle_count = n < MOST ? (uint32_t)n : MOST;
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, u->particle_count);
  for (uint32_t i = 0; i < u->particle_count; ++i) {
    x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    if (i % 32 == 3) x[i].y = -1e30f;
    if (i / WEFT_FAN % 4 == 1) x[i] = x[i - i % WEFT_FAN]; /* a box of one point */
  }
  weft_bounds *boxes = weft_contents_set(contents, WEFT_BUFFER_BOUNDS, elements);
  weft_kernel_fill_unwritten(boxes, elements * sizeof *boxes);
}

void weft_kernel_bound_join(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint32_t elements = c->pass.first + c->pass.count + WEFT_KERNEL_PAD;
  weft_bounds *boxes = weft_contents_set(contents, WEFT_BUFFER_BOUNDS, elements);
  for (uint32_t k = 0; k < elements; ++k) {
    boxes[k].low = weft_kernel_vector(rng, 0);
    boxes[k].high = weft_kernel_vector(rng, 0);
  }
}

void weft_kernel_shift(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_particles p = weft_kernel_fill_particles(c, rng, contents);
  vec4 *by = weft_contents_set(contents, WEFT_BUFFER_SHIFT_BY, 1);
  by->x = 0.015625f * (float)(weft_rng_u32(rng) % 256);
  by->y = -0.5f;
  for (uint32_t i = 0; i < p.count; ++i) {
    p.x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    if (i % 4 == 1) p.x[i] = (vec4){by->x, by->y, by->z, p.x[i].w}; /* at the new origin */
  }
}
