/* The passes of air of the backend cpu against the reference's, with every kind of vector:
 * triangles of all shapes, without area and far too small, of light and heavy particles, and lists
 * of any length. */
#include "cmocka_all.h"
/* after cmocka */
#include <math.h>
#include <string.h>

#include "cpu.h"
#include "exact.h"
#include "lanes_wide.h"
#include "solver.h"

enum { PARTICLES = 40, TRIANGLES = 75, FIRST = 2 };

typedef struct cloth {
  weft_uniforms u;
  weft_substep substeps[2];
  vec4 x[PARTICLES], v[PARTICLES];
  uint32_t triangles[3 * TRIANGLES];
  uint32_t offsets[PARTICLES + 1], items[3 * TRIANGLES];
  vec4 forces[TRIANGLES];
} cloth;

static bool one_in(weft_rng *rng, uint32_t n) { return weft_rng_u32(rng) % n == 0; }

static vec4 random_vector(weft_rng *rng, float size, float w) {
  vec4 p = {weft_rng_float(rng, -size, size), weft_rng_float(rng, -size, size),
            weft_rng_float(rng, -size, size), w};
  if (one_in(rng, 6)) p.y = ldexpf(p.y, -(int)(weft_rng_u32(rng) % 100));
  if (one_in(rng, 6)) p.z = 0;
  return p;
}

static cloth make_cloth(weft_rng *rng, bool with_awkward) {
  cloth c = {.u = {.dt = 1.0f / 1200, .drag = 0.72f, .skin = 0.012f, .third = 1.0f / 3}};
  static const float sizes[] = {1, 1e-3f, 1e-9f}, max_weights[] = {1, 1e3f, 1e7f};
  float size = sizes[weft_rng_u32(rng) % 3], max = max_weights[weft_rng_u32(rng) % 3];
  float speed = one_in(rng, 4) ? 1e-17f : 10;
  const vec4 wind = random_vector(rng, speed, 0);
  c.substeps[1].wind = weft_v3(wind.x, wind.y, wind.z);
  c.substeps[1].air_dt = (float)(weft_rng_u32(rng) % 7) / 1200; /* 0: it does not act */
  for (uint32_t i = 0; i < PARTICLES; ++i) {
    c.x[i] = random_vector(rng, size, one_in(rng, 3) ? 0 : weft_rng_float(rng, 0, max));
    c.v[i] = one_in(rng, 8) ? wind : random_vector(rng, speed, 0);
    c.v[i].w = 1; /* is made 0 */
    if (with_awkward && one_in(rng, 40)) c.x[i].x = one_in(rng, 2) ? NAN : INFINITY;
    if (with_awkward && one_in(rng, 40)) c.v[i].y = 1e30f;
  }
  for (uint32_t k = 0; k < 3 * TRIANGLES; ++k) c.triangles[k] = weft_rng_u32(rng) % PARTICLES;
  for (uint32_t i = 1; i <= PARTICLES; ++i) {
    uint32_t end = c.offsets[i - 1] + weft_rng_u32(rng) % 9;
    c.offsets[i] = end < 3 * TRIANGLES ? end : 3 * TRIANGLES;
  }
  for (uint32_t k = 0; k < 3 * TRIANGLES; ++k) c.items[k] = weft_rng_u32(rng) % TRIANGLES;
  for (uint32_t t = 0; t < TRIANGLES; ++t) c.forces[t] = random_vector(rng, 1e-3f, 0);
  return c;
}

static void fill(weft_contents *contents, weft_buffer_id id, const void *rows, uint64_t count,
                 size_t size) {
  memcpy(weft_contents_set(contents, id, count), rows, count * size);
}

/* One of the passes over all but the first few; what it writes goes back into the cloth. */
static void run_on(const weft_backend *backend, weft_pass_kind kind, uint32_t count, cloth *c) {
  weft_contents contents;
  weft_contents_init(&contents);
  fill(&contents, WEFT_BUFFER_UNIFORMS, &c->u, 1, sizeof c->u);
  fill(&contents, WEFT_BUFFER_SUBSTEPS, c->substeps, 2, sizeof *c->substeps);
  fill(&contents, WEFT_BUFFER_X, c->x, PARTICLES, sizeof *c->x);
  fill(&contents, WEFT_BUFFER_V, c->v, PARTICLES, sizeof *c->v);
  fill(&contents, WEFT_BUFFER_TRIANGLES, c->triangles, 3 * TRIANGLES, sizeof *c->triangles);
  fill(&contents, WEFT_BUFFER_FORCES, c->forces, TRIANGLES, sizeof *c->forces);
  fill(&contents, WEFT_BUFFER_CORNER_OFFSETS, c->offsets, PARTICLES + 1, sizeof *c->offsets);
  fill(&contents, WEFT_BUFFER_CORNER_ITEMS, c->items, 3 * TRIANGLES, sizeof *c->items);
  void *instance = NULL;
  assert_int_equal(backend->create(backend, &contents, 256, &instance, NULL), WEFT_OK);
  const weft_pass pass = {.kind = kind, .first = FIRST, .count = count};
  backend->run(instance, &pass, 1);
  backend->read(instance, WEFT_BUFFER_FORCES, 0, TRIANGLES, c->forces);
  backend->read(instance, WEFT_BUFFER_V, 0, PARTICLES, c->v);
  assert_int_equal(backend->broken_guard(instance), WEFT_BUFFER_COUNT);
  backend->destroy(instance);
  weft_contents_free(&contents);
}

static void check_rows(const char *what, const vec4 *rows, const vec4 *expected, uint32_t count) {
  const float *a = &rows->x, *b = &expected->x;
  for (uint32_t k = 0; k < 4 * count; ++k) {
    if (memcmp(&a[k], &b[k], sizeof *a) == 0 || (isnan(a[k]) && isnan(b[k]))) continue;
    fail_msg("%s, row %u, component %u: %a, the reference's is %a", what, k / 4, k % 4,
             (double)a[k], (double)b[k]);
  }
}

static void check_cloth(const cloth *c, weft_pass_kind kind, uint32_t count) {
  const weft_lanes *kinds[] = {weft_lanes_usable(4), weft_lanes_usable(8), weft_lanes_usable(16),
                               lanes_wide()};
  cloth expected = *c;
  run_on(weft_backend_ref(), kind, count, &expected);
  for (uint32_t k = 0; k < 4; ++k) {
    weft_cpu_desc desc = {.threads = 1, .lanes = kinds[k]};
    if (!desc.lanes) continue;
    weft_backend cpu = weft_cpu_backend_of(&desc);
    cloth got = *c;
    run_on(&cpu, kind, count, &got);
    check_rows(desc.lanes->name, got.forces, expected.forces, TRIANGLES);
    check_rows(desc.lanes->name, got.v, expected.v, PARTICLES);
  }
}

static void air_has_the_reference_s_bits(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(5);
  for (uint32_t round = 0; round < 4000; ++round) {
    cloth c = make_cloth(&rng, round % 2);
    check_cloth(&c, WEFT_PASS_AERO_FORCE, weft_rng_u32(&rng) % (TRIANGLES - FIRST + 1));
    check_cloth(&c, WEFT_PASS_AERO_GATHER, weft_rng_u32(&rng) % (PARTICLES - FIRST + 1));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(air_has_the_reference_s_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
