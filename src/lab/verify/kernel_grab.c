/* kernel_grab.c: contents for soft pins, and for the passes of a mouse: springs that pull far too
 * hard or have arrived, rays along the axes and through the particles themselves, many at the same
 * distance. */
#include <string.h>

#include "kernel_data.h"

static void awkward_element(weft_rng *rng, uint32_t i, weft_grab *element, vec4 *x, vec4 *v) {
  switch (i % 16) {
    case 0: /* nothing held */
      element->particle = WEFT_GRAB_NONE;
      break;
    case 1: /* arrived, and still */
      element->from = element->to = (vec4){x->x, x->y, x->z, 0};
      *v = (vec4){0, 0, 0, 0};
      break;
    case 2: /* no force at all */
      element->impulse_limit = 0;
      break;
    case 3: /* damping only */
      element->stiffness = 0;
      break;
    case 4: /* at the edge of where a length is known */
      *x = (vec4){1e18f * weft_rng_float(rng, 0.5f, 8), 1e16f, 0, x->w};
      element->stiffness = 1;
      break;
    case 5: /* no length in float */
      *x = (vec4){1e30f, 0, 1e25f, x->w};
      break;
    case 6: /* smallest state there is */
      *x = (vec4){(float)WEFT_SNAP, 0, 0, x->w};
      *v = (vec4){0, (float)WEFT_SNAP, 0, 0};
      element->from = element->to = (vec4){0, 0, (float)WEFT_SNAP, 0};
      break;
    case 7: /* the softest, at its limit */
      element->stiffness = element->damping = element->impulse_limit = (float)WEFT_SNAP;
      break;
    default:
      break;
  }
}

void weft_kernel_grab(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_particles p = weft_kernel_fill_particles(c, rng, contents);
  weft_grab *elements = weft_contents_set(contents, WEFT_BUFFER_GRAB, p.count);
  for (uint32_t i = 0; i < p.count; ++i) {
    uint32_t held = p.count - 1 - i; /* each particle once, not its own */
    p.x[held] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    p.v[held] = weft_kernel_vector(rng, 0);
    elements[i].from = weft_kernel_vector(rng, 0);
    elements[i].to = weft_kernel_vector(rng, 0);
    elements[i].stiffness = weft_rng_float(rng, 0, 1200);
    elements[i].damping = weft_rng_float(rng, 0, 1);
    elements[i].impulse_limit = weft_rng_float(rng, 0, i % 2 ? 40 : 1e6f);
    elements[i].particle = held;
    if (i == WEFT_KERNEL_FIRST + c->pass.count) { /* where the pass ends: it would show */
      p.x[held].w = 1;
      elements[i].impulse_limit = 1e6f;
    } else {
      awkward_element(rng, i, &elements[i], &p.x[held], &p.v[held]);
    }
    p.x_prev[held] = weft_kernel_nearby(rng, p.x[held]);
  }
}

void weft_kernel_soft_pins(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_particles p = weft_kernel_fill_particles(c, rng, contents);
  weft_soft_pin *elements = weft_contents_set(contents, WEFT_BUFFER_SOFT_PINS, p.count);
  for (uint32_t i = 0; i < p.count; ++i) {
    uint32_t held = p.count - 1 - i; /* each particle once, not its own */
    p.x[held] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    p.x_prev[held] = weft_kernel_nearby(rng, p.x[held]);
    elements[i].from = weft_kernel_vector(rng, 0);
    elements[i].to = weft_kernel_vector(rng, 0);
    elements[i].step = weft_kernel_small_vector(rng, 0, 0);
    elements[i].pull = weft_rng_float(rng, 0, 1);
    elements[i].brake = weft_rng_float(rng, 0, 1) * (1 - elements[i].pull);
    elements[i].particle = held;
    if (i == WEFT_KERNEL_FIRST + c->pass.count) { /* where the pass ends: it would show */
      p.x[held].w = 1;
      continue;
    }
    if (i % 16 == 0) elements[i].particle = WEFT_SOFT_NONE;
    if (i % 16 == 1) elements[i].from = elements[i].to = p.x[held]; /* it is there */
    if (i % 16 == 2) elements[i].pull = elements[i].brake = (float)WEFT_SNAP;
    if (i % 16 == 3) p.x[held] = (vec4){(float)WEFT_FLUSH, -(float)WEFT_FLUSH, 0, p.x[held].w};
    if (i % 16 == 4) p.x_prev[held] = p.x[held];
  }
}

static vec4 axis(uint32_t k) {
  return (vec4){k == 0 ? 1.0f : 0, k == 1 ? -1.0f : 0, k == 2 ? 1.0f : 0, 0};
}

void weft_kernel_pick_near(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  enum { MOST = 1u << 20 }; /* particles: elements behind the last have nothing to look at */
  weft_kernel_frame(rng, contents);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  uint32_t elements = WEFT_KERNEL_FIRST + c->pass.count + WEFT_KERNEL_PAD;
  uint64_t n = (uint64_t)elements * WEFT_FAN - 17;
  u->particle_count = n < MOST ? (uint32_t)n : MOST;
  weft_pick_ray *ray = weft_contents_set(contents, WEFT_BUFFER_PICK_RAY, 1);
  bool along_axis = c->pass.count % 2 == 0;
  ray->origin = weft_kernel_small_vector(rng, 1, along_axis ? 0.125f : weft_rng_float(rng, 0, 1));
  ray->direction = along_axis ? axis(c->pass.count % 3) : (vec4){0.48f, 0.6f, 0.64f, 0};
  ray->direction.w = c->pass.count % 3 == 0 ? 0 : weft_rng_float(rng, 0, 0.5f);
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, u->particle_count);
  for (uint32_t i = 0; i < u->particle_count; ++i) {
    x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    if (i % 8 == 1) x[i] = x[i - 1];     /* the same distance */
    if (i % 32 == 3) x[i] = ray->origin; /* at the eye */
    if (i % 64 == 5) x[i].x = 1e30f;     /* no length in float */
    if (i % 32 == 7) x[i].x = ray->origin.x + (float)WEFT_SNAP;
  }
  weft_pick *pick = weft_contents_set(contents, WEFT_BUFFER_PICK, elements);
  for (uint32_t k = 0; k < elements; ++k) {
    uint32_t bits = WEFT_KERNEL_UNWRITTEN;
    for (uint32_t w = 0; w < 4; ++w) memcpy((char *)&pick[k] + 4 * w, &bits, 4);
  }
}

void weft_kernel_pick_best(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint32_t elements = c->pass.first + c->pass.count + WEFT_KERNEL_PAD;
  weft_pick *pick = weft_contents_set(contents, WEFT_BUFFER_PICK, elements);
  for (uint32_t k = 0; k < elements; ++k) {
    pick[k].along = 0.25f * (float)(1 + weft_rng_u32(rng) % 16); /* many the same */
    pick[k].offset2 = weft_rng_float(rng, 0, 1);
    pick[k].particle = weft_rng_u32(rng) % 4 == 0 ? WEFT_PICK_NONE : k;
    if (k < 300) pick[k].particle = WEFT_PICK_NONE;
  }
}
