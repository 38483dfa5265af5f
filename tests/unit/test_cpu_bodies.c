/* Vertices of bodies, and of those that stand for shapes, on the backend cpu against the
 * reference's, with every kind of vector: on their way, held back, at rest, in their last frame,
 * and not finite. */
#include "cmocka_all.h"
/* after cmocka */
#include <math.h>
#include <string.h>

#include "cpu.h"
#include "exact.h"
#include "lanes_wide.h"
#include "solver.h"

enum { SHAPES = 3, CLOTH = 5, VERTICES = 50, PARTICLES = CLOTH + VERTICES };

typedef struct body {
  weft_uniforms u;
  weft_substep substeps[3];
  vec4 x[PARTICLES], x_prev[PARTICLES];
  weft_body_path paths[VERTICES];
  weft_collider_pose poses[4 * SHAPES]; /* of each substep, then as the frame begins */
  weft_shape_path shape_paths[VERTICES];
} body;

static bool one_in(weft_rng *rng, uint32_t n) { return weft_rng_u32(rng) % n == 0; }

static vec4 random_vector(weft_rng *rng, float size, float w) {
  vec4 p = {weft_rng_float(rng, -size, size), weft_rng_float(rng, -size, size),
            weft_rng_float(rng, -size, size), w};
  if (one_in(rng, 8)) p.y = ldexpf(p.y, -(int)(weft_rng_u32(rng) % 100));
  return p;
}

static weft_vec3 random_point(weft_rng *rng) {
  const vec4 p = random_vector(rng, 1, 0);
  return weft_v3(p.x, p.y, p.z);
}

/* Where it is on its way, or somewhere else, since it was held back. */
static vec4 start_of(weft_rng *rng, const weft_body_path *path, float part) {
  const weft_vec3 a = path->from, b = path->to;
  vec4 p = {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), a.z + part * (b.z - a.z), 0};
  vec4 off = random_vector(rng, one_in(rng, 2) ? 1e-4f : 0.3f, 0);
  if (one_in(rng, 2)) p.x += off.x, p.y += off.y, p.z += off.z;
  return p;
}

static body make_body(weft_rng *rng, bool with_awkward) {
  body c = {.u = {.particle_count = CLOTH, .self_escape = one_in(rng, 4) ? 0 : 1e-3f}};
  const float ends[] = {0.25f, 0.5f, 1};
  for (uint32_t s = 0; s < 3; ++s) c.substeps[s].way = ends[s];
  for (uint32_t i = 0; i < PARTICLES; ++i) c.x[i] = random_vector(rng, 1, 1);
  for (uint32_t i = 0; i < VERTICES; ++i) {
    weft_body_path *path = &c.paths[i];
    path->from = random_point(rng);
    path->to = path->from;
    if (!one_in(rng, 4)) {
      path->stays = one_in(rng, 8);
      path->to = random_point(rng);
    }
    c.x[CLOTH + i] = start_of(rng, path, one_in(rng, 2) ? 0.25f : 0);
    if (with_awkward && one_in(rng, 40)) path->to.x = one_in(rng, 2) ? NAN : INFINITY;
    if (with_awkward && one_in(rng, 40)) c.x[CLOTH + i].y = 1e30f;
    /* Shapes of any number of vertices. */
    weft_shape_path *own = &c.shape_paths[i];
    own->collider = i == 0 ? 0 : own[-1].collider;
    if (i > 0 && one_in(rng, 9)) own->collider = weft_rng_u32(rng) % SHAPES;
    own->stays = i > 0 && own->collider == own[-1].collider ? own[-1].stays : one_in(rng, 4);
    own->from = random_vector(rng, 1, weft_rng_float(rng, 0, 1));
    own->to = one_in(rng, 2) ? own->from : random_vector(rng, 1, weft_rng_float(rng, 0, 1));
  }
  c.u.collider_count = SHAPES;
  c.u.poses_before = 3 * SHAPES;
  c.u.shape_first = CLOTH;
  for (uint32_t k = 0; k < 4 * SHAPES; ++k) {
    weft_collider_pose *p = &c.poses[k];
    p->a = random_vector(rng, 1, 0);
    p->b = random_vector(rng, 1, 0);
    p->axis_x = random_vector(rng, 1, 0);
    p->axis_y = random_vector(rng, 1, 0);
    p->axis_z = random_vector(rng, 1, 0);
  }
  return c;
}

static void fill(weft_contents *contents, weft_buffer_id id, const void *rows, uint64_t count,
                 size_t size) {
  memcpy(weft_contents_set(contents, id, count), rows, count * size);
}

typedef struct part {
  uint32_t substep, first, count; /* of the vertices */
  weft_pass_kind kind;
} part;

static void run_on(const weft_backend *backend, part of, body *c) {
  weft_contents contents;
  weft_contents_init(&contents);
  fill(&contents, WEFT_BUFFER_UNIFORMS, &c->u, 1, sizeof c->u);
  fill(&contents, WEFT_BUFFER_SUBSTEPS, c->substeps, 3, sizeof *c->substeps);
  fill(&contents, WEFT_BUFFER_X, c->x, PARTICLES, sizeof *c->x);
  fill(&contents, WEFT_BUFFER_X_PREV, c->x_prev, PARTICLES, sizeof *c->x_prev);
  fill(&contents, WEFT_BUFFER_COLLIDERS, c->poses, 4 * SHAPES, sizeof *c->poses);
  if (of.kind == WEFT_PASS_MOVE_BODIES) {
    fill(&contents, WEFT_BUFFER_BODY_PATHS, c->paths, VERTICES, sizeof *c->paths);
  } else {
    fill(&contents, WEFT_BUFFER_SHAPE_PATHS, c->shape_paths, VERTICES, sizeof *c->shape_paths);
  }
  void *instance = NULL;
  assert_int_equal(backend->create(backend, &contents, 256, &instance, NULL), WEFT_OK);
  const weft_pass pass = {.kind = of.kind, .first = CLOTH + of.first, .count = of.count};
  backend->run(instance, &pass, of.substep);
  backend->read(instance, WEFT_BUFFER_X, 0, PARTICLES, c->x);
  backend->read(instance, WEFT_BUFFER_X_PREV, 0, PARTICLES, c->x_prev);
  assert_int_equal(backend->broken_guard(instance), WEFT_BUFFER_COUNT);
  backend->destroy(instance);
  weft_contents_free(&contents);
}

static void check_rows(const char *what, const vec4 *rows, const vec4 *expected) {
  const float *a = &rows->x, *b = &expected->x;
  for (uint32_t k = 0; k < 4 * PARTICLES; ++k) {
    if (memcmp(&a[k], &b[k], sizeof *a) == 0 || (isnan(a[k]) && isnan(b[k]))) continue;
    fail_msg("%s, particle %u, component %u: %a, the reference's is %a", what, k / 4, k % 4,
             (double)a[k], (double)b[k]);
  }
}

static void have_the_reference_s_bits(weft_pass_kind kind) {
  const weft_lanes *kinds[] = {weft_lanes_usable(4), weft_lanes_usable(8), weft_lanes_usable(16),
                               lanes_wide()};
  weft_rng rng = weft_rng_seed(8);
  for (uint32_t round = 0; round < 2000; ++round) {
    const body c = make_body(&rng, round % 2);
    part of = {.kind = kind, .substep = round % 3, .first = weft_rng_u32(&rng) % 4};
    of.count = weft_rng_u32(&rng) % (VERTICES - of.first + 1);
    body expected = c;
    run_on(weft_backend_ref(), of, &expected);
    for (uint32_t k = 0; k < 4; ++k) {
      weft_cpu_desc desc = {.threads = 1, .lanes = kinds[k]};
      if (!desc.lanes) continue;
      weft_backend cpu = weft_cpu_backend_of(&desc);
      body got = c;
      run_on(&cpu, of, &got);
      check_rows(desc.lanes->name, got.x, expected.x);
      check_rows(desc.lanes->name, got.x_prev, expected.x_prev);
    }
  }
}

static void bodies_have_the_reference_s_bits(void **state) {
  (void)state;
  have_the_reference_s_bits(WEFT_PASS_MOVE_BODIES);
}

static void shapes_have_the_reference_s_bits(void **state) {
  (void)state;
  have_the_reference_s_bits(WEFT_PASS_MOVE_SHAPES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_have_the_reference_s_bits),
                                     cmocka_unit_test(shapes_have_the_reference_s_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
