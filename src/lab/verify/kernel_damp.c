/* kernel_damp.c: inputs for the passes of global damping: bodies of every shape, down to
 * lines and points, and trees whose last elements have nothing to sum. */
#include "kernel_data.h"

enum { PARTICLES = 5000, BELOW = 1000 };

void weft_kernel_damp_case(weft_kernel_case *c) {
  switch (c->pass.kind) {
    case WEFT_PASS_DAMP_LINEAR:
    case WEFT_PASS_DAMP_ANGULAR: /* the root of the first tree lies just before */
      c->pass.level_first = c->pass.first;
      break;
    case WEFT_PASS_DAMP_SUM:
    case WEFT_PASS_BOUND_JOIN:
    case WEFT_PASS_PICK_BEST:
      c->pass.below_first = 7;
      c->pass.first = c->pass.level_first = BELOW;
      break;
    case WEFT_PASS_DAMP_RIGID: /* many bodies at once */
      c->pass.tree_elements = 1 + c->pass.count + WEFT_KERNEL_PAD;
      c->pass.first = 3 * c->pass.tree_elements;
      break;
    case WEFT_PASS_DAMP_VELOCITY:
      c->pass.tree_elements = 1;
      break;
    default:
      break;
  }
}

/* Inertia of a body made of two rods along a direction, one of them of length 0 at times: full,
 * flat, on a line, a point. */
static void fill_inertia(weft_rng *rng, uint32_t i, weft_motion *element) {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  int rods = (int)(i % 4);
  for (int k = 0; k < rods; ++k) {
    vec4 r = weft_kernel_small_vector(rng, i % 8 == 5 ? 1e-4f : 1, 0);
    if (i % 3 == 0 && k == 0) r.x = r.y = 0; /* along an axis */
    double x = (double)r.x, y = (double)r.y, z = (double)r.z;
    xx += y * y + z * z;
    yy += x * x + z * z;
    zz += x * x + y * y;
    xy -= x * y;
    xz -= x * z;
    yz -= y * z;
  }
  element->b = (vec4){(float)xx, (float)yy, (float)zz, 0};
  element->c = (vec4){(float)xy, (float)xz, (float)yz, 0};
}

void weft_kernel_damp(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->inv_total_mass = 0.013f;
  u->global_damping = 0.1f;
  bool elements_of_particles = c->pass.kind == WEFT_PASS_DAMP_VELOCITY;
  uint32_t particles = elements_of_particles ? weft_kernel_elements(c) : PARTICLES;
  u->particle_count = particles;
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, particles);
  vec4 *v = weft_contents_set(contents, WEFT_BUFFER_V, particles);
  for (uint32_t i = 0; i < particles; ++i) {
    x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    v[i] = weft_kernel_vector(rng, 0);
  }
  uint32_t elements = c->pass.first + c->pass.count + WEFT_KERNEL_PAD;
  weft_motion *motion = weft_contents_set(contents, WEFT_BUFFER_MOTION, elements);
  for (uint32_t i = 0; i < elements; ++i) {
    motion[i].a = weft_kernel_small_vector(rng, 10, 0);
    motion[i].b = weft_kernel_small_vector(rng, 10, 0);
    motion[i].c = weft_kernel_small_vector(rng, 10, 0);
    if (c->pass.kind == WEFT_PASS_DAMP_RIGID) fill_inertia(rng, i, &motion[i]);
  }
}
