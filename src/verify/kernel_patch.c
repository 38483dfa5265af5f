/* kernel_patch.c: patches of two particles up to as many as fit, every kind of constraint
 * and sense in each, every particle in several of them: what a sweep finds is what the one before
 * it left. */
#include <math.h>
#include <string.h>

#include "kernel_data.h"

enum { RANGES = 5, PROMISED_GROUPS = 65535 };

static const uint32_t kinds[RANGES] = {WEFT_PATCH_DISTANCE, WEFT_PATCH_ISOMETRIC,
                                       WEFT_PATCH_DISTANCE, WEFT_PATCH_DIHEDRAL,
                                       WEFT_PATCH_DISTANCE};

static uint32_t arity_of(uint32_t range) { return kinds[range] == WEFT_PATCH_DISTANCE ? 2 : 4; }

static uint32_t particles_of(const weft_kernel_case *c, uint32_t patch) {
  if (c->sparse) return 4;
  return patch % 64 == 5 ? WEFT_PATCH_PARTICLES : 2 + patch * 7 % 60;
}

/* Constraints of the first `patches` patches that need so many particles. */
static uint32_t constraints_of(const weft_kernel_case *c, uint32_t patches, uint32_t arity) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < patches; ++k) {
    for (uint32_t r = 0; r < RANGES; ++r) {
      if (arity_of(r) == arity) count += particles_of(c, k) / arity;
    }
  }
  return count;
}

/* A work group each, so that past the promised number of groups is far fewer than elsewhere. */
void weft_kernel_patch_case(weft_kernel_case *c) {
  if (c->pass.kind != WEFT_PASS_PATCH) return;
  if (c->sparse) c->pass.count = PROMISED_GROUPS + 1;
  c->pass.quad_first = constraints_of(c, weft_kernel_rows(c), 2);
}

typedef struct data {
  weft_rng *rng;
  uint32_t *words;
  weft_patch_distance *distances;
  weft_patch_quad *quads;
  vec4 *weights;
  uint32_t distance_count, quad_count;
} data;

/* What a hinge rests at, or its weights. */
static vec4 weights(data *d, uint32_t kind) {
  weft_rng *rng = d->rng;
  vec4 q;
  bool still = weft_rng_u32(rng) % 8 == 0;
  if (kind == WEFT_PATCH_ISOMETRIC) {
    q.x = weft_rng_float(rng, -4, 4);
    q.y = weft_rng_float(rng, -4, 4);
    q.z = weft_rng_float(rng, -4, 4);
    q.w = still ? 0 : weft_rng_float(rng, 1e-5f, 1e-4f);
  } else {
    q.x = weft_rng_float(rng, -3.1f, 3.1f);
    q.y = weft_rng_u32(rng) % 4 == 0 ? 0 : weft_rng_float(rng, 0, 500);
    q.z = weft_rng_u32(rng) % 4 == 0 ? 0 : weft_rng_float(rng, 0, 2);
    q.w = still ? 0 : 1;
  }
  return q;
}

static weft_patch_distance distance(data *d, const uint32_t *p) {
  weft_rng *rng = d->rng;
  bool still = weft_rng_u32(rng) % 8 == 0;
  float length = weft_rng_u32(rng) % 8 == 0 ? 0 : weft_rng_float(rng, 0.001f, 1);
  return (weft_patch_distance){p[0] | p[1] << 16, length,
                               still ? 0 : weft_rng_float(rng, 1e-4f, 1e-2f)};
}

/* Members of a range take the particles in an order of their own, each once. */
static void fill_range(data *d, uint32_t range, uint32_t particles, uint32_t *words) {
  uint32_t order[WEFT_PATCH_PARTICLES], arity = arity_of(range), count = particles / arity;
  for (uint32_t k = 0; k < particles; ++k) order[k] = k;
  for (uint32_t k = particles; k > 1; --k) {
    uint32_t other = weft_rng_u32(d->rng) % k, swap = order[k - 1];
    order[k - 1] = order[other];
    order[other] = swap;
  }
  words[0] = arity == 2 ? d->distance_count : d->quad_count;
  uint32_t sense = arity == 2 ? range / 2 : 0; /* each of the three */
  words[1] = count | kinds[range] << 16 | sense << 20;
  for (uint32_t k = 0; k < count; ++k) {
    if (arity == 2) {
      d->distances[d->distance_count++] = distance(d, order + 2 * (size_t)k);
    } else {
      const uint32_t *p = order + 4 * (size_t)k;
      d->weights[d->quad_count] = weights(d, kinds[range]);
      d->quads[d->quad_count++] = (weft_patch_quad){p[0] | p[1] << 16, p[2] | p[3] << 16};
    }
  }
}

static void fill_particles(uint32_t count, weft_rng *rng, weft_tables *tables) {
  vec4 *x = weft_tables_set(tables, WEFT_BUFFER_X, count);
  vec4 *x_prev = weft_tables_set(tables, WEFT_BUFFER_X_PREV, count);
  for (uint32_t i = 0; i < count; ++i) {
    x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    if (i > 0 && i % 16 == 0) memcpy(&x[i], &x[i - 1], 3 * sizeof(float)); /* coincident */
    x_prev[i] = weft_kernel_nearby(rng, x[i]);
  }
}

/* What a first iteration must not read is no number. */
static void fill_multipliers(const weft_kernel_case *c, uint32_t distances, uint32_t quads,
                             weft_rng *rng, weft_tables *tables) {
  if (!(c->pass.variant & WEFT_VARIANT_LAMBDA)) return;
  weft_xpbd *xpbd = weft_tables_set(tables, WEFT_BUFFER_PATCH_XPBD, distances + quads);
  for (uint32_t i = 0; i < distances + quads; ++i) {
    xpbd[i].compliance = i % 4 == 0 ? 0 : weft_rng_float(rng, 0, 500);
    xpbd[i].gamma = i % 4 == 1 ? 0 : weft_rng_float(rng, 0, 2);
  }
  uint32_t rows = distances + 3 * quads;
  float *lambda = weft_tables_set(tables, WEFT_BUFFER_PATCH_LAMBDA, rows);
  for (uint32_t i = 0; i < rows; ++i) {
    lambda[i] = c->pass.first_iteration ? NAN : weft_rng_float(rng, -1e-4f, 1e-4f);
  }
}

void weft_kernel_patch(const weft_kernel_case *c, weft_rng *rng, weft_tables *tables) {
  weft_kernel_frame(rng, tables);
  uint32_t patches = weft_kernel_rows(c), particles = 0;
  for (uint32_t k = 0; k < patches; ++k) particles += particles_of(c, k);
  fill_particles(particles, rng, tables);
  uint32_t distances = constraints_of(c, patches, 2), quads = constraints_of(c, patches, 4);
  uint32_t ranges = WEFT_PATCH_ROW * patches, list = ranges + 2 * RANGES * patches;
  data d = {.rng = rng,
            .words = weft_tables_set(tables, WEFT_BUFFER_PATCH_WORDS, list + (uint64_t)particles),
            .distances = weft_tables_set(tables, WEFT_BUFFER_PATCH_DISTANCE, distances),
            .quads = weft_tables_set(tables, WEFT_BUFFER_PATCH_QUAD, quads),
            .weights = weft_tables_set(tables, WEFT_BUFFER_PATCH_WEIGHTS, quads)};
  /* Particles of the list run backwards: none is at its own place. */
  for (uint32_t i = 0; i < particles; ++i) d.words[list + i] = particles - 1 - i;
  for (uint32_t k = 0, first = list; k < patches; ++k) {
    uint32_t held = particles_of(c, k);
    const uint32_t row[WEFT_PATCH_ROW] = {first, held, ranges + 2 * RANGES * k, RANGES};
    memcpy(d.words + WEFT_PATCH_ROW * (size_t)k, row, sizeof row);
    for (uint32_t r = 0; r < RANGES; ++r) fill_range(&d, r, held, d.words + row[2] + 2 * r);
    first += held;
  }
  fill_multipliers(c, distances, quads, rng, tables);
}
