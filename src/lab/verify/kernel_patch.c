/* kernel_patch.c: patches of two particles up to as many as fit, every kind of constraint
 * and sense in each, every particle in several of them: what a sweep finds is what the one before
 * it left. */
#include <math.h>
#include <string.h>

#include "kernel_data.h"

/* A range for each type, and for a pair one for each way it can act; those left over are empty,
 * and none of them is the last. */
enum { WAYS = 3, RANGES = WAYS * WEFT_CONSTRAINT_TYPE_COUNT };

static weft_constraint_type type_of(uint32_t range) {
  return (weft_constraint_type)((RANGES - 1 - range) % WEFT_CONSTRAINT_TYPE_COUNT);
}
static const weft_constraint_info *info_of(uint32_t range) {
  return &weft_constraint_infos[type_of(range)];
}

static uint32_t particles_of(const weft_kernel_case *c, uint32_t patch) {
  if (c->sparse) return 4;
  return patch % 64 == 5 ? WEFT_PATCH_PARTICLES : 2 + patch * 7 % 60;
}

/* Constraints of a range, of so many particles. */
static uint32_t members_of(uint32_t range, uint32_t particles) {
  const weft_constraint_info *info = info_of(range);
  return info->pair || range >= RANGES - WEFT_CONSTRAINT_TYPE_COUNT ? particles / info->arity : 0;
}

/* Constraints of the first `patches` patches that are pairs, or that are not. */
static uint32_t constraints_of(const weft_kernel_case *c, uint32_t patches, bool pairs) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < patches; ++k) {
    for (uint32_t r = 0; r < RANGES; ++r) {
      if (info_of(r)->pair == pairs) count += members_of(r, particles_of(c, k));
    }
  }
  return count;
}

void weft_kernel_patch_case(weft_kernel_case *c) {
  if (c->pass.kind != WEFT_PASS_PATCH) return;
  c->pass.quad_first = constraints_of(c, weft_kernel_elements(c), true);
}

typedef struct data {
  weft_rng *rng;
  uint32_t *words;
  weft_patch_pair *pairs;
  weft_patch_quad *quads;
  vec4 *numbers;
  uint32_t pair_count, quad_count;
} data;

static weft_patch_pair pair(data *d, const uint32_t *p) {
  weft_rng *rng = d->rng;
  bool still = weft_rng_u32(rng) % 8 == 0;
  float length = weft_rng_u32(rng) % 8 == 0 ? 0 : weft_rng_float(rng, 0.001f, 1);
  return (weft_patch_pair){p[0] | p[1] << 16, length,
                           still ? 0 : weft_rng_float(rng, 1e-4f, 1e-2f)};
}

/* Of a constraint that is no pair: as weft_kernel_numbers, but a patch sweeps them one after the
 * other, and what one range leaves must stay as small as what solvers have. */
static vec4 quad_numbers(data *d, const weft_constraint_info *info) {
  weft_rng *rng = d->rng;
  bool still = weft_rng_u32(rng) % 8 == 0;
  if (info->terms) {
    vec4 q = {weft_rng_float(rng, -4, 4), weft_rng_float(rng, -4, 4), weft_rng_float(rng, -4, 4),
              0};
    if (!still) q.w = weft_rng_float(rng, 1e-5f, 1e-4f);
    return q;
  }
  vec4 q = {weft_rng_float(rng, -3.1f, 3.1f), 0, 0, still ? 0 : 1};
  if (weft_rng_u32(rng) % 4) q.y = weft_rng_float(rng, 0, 500);
  if (weft_rng_u32(rng) % 4) q.z = weft_rng_float(rng, 0, 2);
  return q;
}

/* Members of a range take the particles in an order of their own, each once. */
static void fill_range(data *d, uint32_t range, uint32_t particles, uint32_t *words) {
  const weft_constraint_info *info = info_of(range);
  uint32_t order[WEFT_PATCH_PARTICLES], arity = info->arity;
  uint32_t count = members_of(range, particles);
  for (uint32_t k = 0; k < particles; ++k) order[k] = k;
  for (uint32_t k = particles; k > 1; --k) {
    uint32_t other = weft_rng_u32(d->rng) % k, swap = order[k - 1];
    order[k - 1] = order[other];
    order[other] = swap;
  }
  words[0] = info->pair ? d->pair_count : d->quad_count;
  uint32_t acts = info->pair ? range / WEFT_CONSTRAINT_TYPE_COUNT : 0;
  words[1] = count | (uint32_t)type_of(range) << 16 | acts << 20;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t *p = order + arity * (size_t)k;
    if (info->pair) {
      d->pairs[d->pair_count++] = pair(d, p);
    } else {
      d->numbers[d->quad_count] = quad_numbers(d, info);
      uint32_t last = arity > 3 ? p[3] : 0;
      d->quads[d->quad_count++] = (weft_patch_quad){p[0] | p[1] << 16, p[2] | last << 16};
    }
  }
}

static void fill_particles(uint32_t count, weft_rng *rng, weft_contents *contents) {
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, count);
  vec4 *x_prev = weft_contents_set(contents, WEFT_BUFFER_X_PREV, count);
  for (uint32_t i = 0; i < count; ++i) {
    x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    if (i > 0 && i % 16 == 0) memcpy(&x[i], &x[i - 1], 3 * sizeof(float)); /* coincident */
    x_prev[i] = weft_kernel_nearby(rng, x[i]);
  }
}

/* What a first iteration must not read is no number. */
static void fill_multipliers(const weft_kernel_case *c, uint32_t distances, uint32_t quads,
                             weft_rng *rng, weft_contents *contents) {
  if (!(c->pass.variant & WEFT_VARIANT_LAMBDA)) return;
  weft_xpbd *xpbd = weft_contents_set(contents, WEFT_BUFFER_PATCH_XPBD, distances + quads);
  for (uint32_t i = 0; i < distances + quads; ++i) {
    xpbd[i].compliance = i % 4 == 0 ? 0 : weft_rng_float(rng, 0, 500);
    xpbd[i].gamma = i % 4 == 1 ? 0 : weft_rng_float(rng, 0, 2);
  }
  uint32_t elements = distances + 3 * quads;
  float *lambda = weft_contents_set(contents, WEFT_BUFFER_PATCH_LAMBDA, elements);
  for (uint32_t i = 0; i < elements; ++i) {
    lambda[i] = c->pass.first_iteration ? NAN : weft_rng_float(rng, -1e-4f, 1e-4f);
  }
}

void weft_kernel_patch(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint32_t patches = weft_kernel_elements(c), particles = 0;
  for (uint32_t k = 0; k < patches; ++k) particles += particles_of(c, k);
  fill_particles(particles, rng, contents);
  uint32_t pairs = constraints_of(c, patches, true), quads = constraints_of(c, patches, false);
  uint32_t ranges = WEFT_PATCH_HEADER * patches, list = ranges + 2 * RANGES * patches;
  data d = {
      .rng = rng,
      .words = weft_contents_set(contents, WEFT_BUFFER_PATCH_WORDS, list + (uint64_t)particles),
      .pairs = weft_contents_set(contents, WEFT_BUFFER_PATCH_PAIRS, pairs),
      .quads = weft_contents_set(contents, WEFT_BUFFER_PATCH_QUADS, quads),
      .numbers = weft_contents_set(contents, WEFT_BUFFER_PATCH_DATA, quads)};
  /* Particles of the list run backwards: none is at its own place. */
  for (uint32_t i = 0; i < particles; ++i) d.words[list + i] = particles - 1 - i;
  for (uint32_t k = 0, first = list; k < patches; ++k) {
    uint32_t held = particles_of(c, k);
    const uint32_t header[WEFT_PATCH_HEADER] = {first, held, ranges + 2 * RANGES * k, RANGES};
    memcpy(d.words + WEFT_PATCH_HEADER * (size_t)k, header, sizeof header);
    for (uint32_t r = 0; r < RANGES; ++r) fill_range(&d, r, held, d.words + header[2] + 2 * r);
    first += held;
  }
  fill_multipliers(c, pairs, quads, rng, contents);
}
