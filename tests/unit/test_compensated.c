/* Positions and velocities as pairs of floats: the arithmetic is exact where it says so, contact
 * with shapes follows doubles, and what is written from outside has no low part left from before.
 */
#include "rig.h"
/* after it */
#include <kernels/lang_c.h>
/* in that language */
#include <kernels/pair.h>
/* and out of it */
#include <kernels/lang_c_end.h>

#include "base.h"

/* ---- arithmetic ---- */

static float any_float(weft_rng *rng) {
  return ldexpf(weft_rng_float(rng, -2, 2), -(int)(weft_rng_u32(rng) % 24));
}

static void sums_and_products_of_two_are_exact(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(5);
  for (int k = 0; k < 200000; ++k) {
    float a = any_float(&rng), b = any_float(&rng);
    pair sum = two_sum(a, b), product = two_product(a, b);
    /* A double has room for both: 24 bits and 24 more, or two numbers 24 apart. */
    assert_true((double)sum.high + (double)sum.low == (double)a + (double)b);
    assert_true(sum.high == a + b);
    assert_true((double)product.high + (double)product.low == (double)a * (double)b);
    assert_true(product.high == a * b);
    bool larger = fabsf(a) >= fabsf(b);
    pair fast = larger ? fast_two_sum(a, b) : fast_two_sum(b, a);
    assert_true(fast.high == sum.high && fast.low == sum.low);
  }
}

static pair any_pair(weft_rng *rng) {
  float high = any_float(rng);
  return fast_two_sum(high, weft_rng_float(rng, -0x1p-25f, 0x1p-25f) * high);
}

static double value(pair a) { return (double)a.high + (double)a.low; }

static void sums_and_products_of_pairs_have_48_bits(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(6);
  for (int k = 0; k < 200000; ++k) {
    pair a = any_pair(&rng), b = any_pair(&rng);
    float c = any_float(&rng);
    double size = fabs(value(a)) + fabs(value(b));
    rig_near(value(pair_add(a, b)), value(a) + value(b), 0x1p-46 * size, "a sum");
    rig_near(value(pair_plus(a, c)), value(a) + (double)c,
             0x1p-46 * (fabs(value(a)) + fabs((double)c)), "a sum with a float");
    rig_near(value(pair_scale(a, c)), value(a) * (double)c, 0x1p-45 * fabs(value(a) * (double)c),
             "a product");
    double square = value(a) * value(a);
    if (fabs(value(a)) > 0x1p-40)
      rig_near(value(pair_square(a)), square, 0x1p-45 * square, "a square");
  }
}

static void products_with_vectors_have_48_bits(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(7);
  for (int k = 0; k < 200000; ++k) {
    pair x = any_pair(&rng), y = any_pair(&rng), z = any_pair(&rng);
    weft_vec3 n = weft_v3(any_float(&rng), any_float(&rng), any_float(&rng));
    double parts[3] = {value(x) * (double)n.x, value(y) * (double)n.y, value(z) * (double)n.z};
    double size = fabs(parts[0]) + fabs(parts[1]) + fabs(parts[2]);
    rig_near(value(pair3_dot(pair3_from(x, y, z), n)), parts[0] + parts[1] + parts[2],
             0x1p-44 * size, "a dot product");
    pair3 scaled = pair3_product(n, x.high);
    assert_true(value(pair_z(scaled)) == (double)n.z * (double)x.high);
  }
}

/* ---- contact ---- */

/* A particle that slides at 0.5 m/s over the level top of a shape, in steps of
 * 17 us: it is pushed out by 3 nm in each, a hundredth of an ulp of where it is. */
static void slide_over(const weft_collider *shape, const char *what) {
  const weft_vec3 start = weft_v3(3, 1, 2), velocity = weft_v3(0.5f, 0, 0);
  const float mass = 1;
  weft_model *model = rig_particles(
      &(weft_particles_desc){.particle_count = 1, .positions = &start, .masses = &mass});
  weft_params params = {
      .substeps = 1000, .compensated = true, .colliders = shape, .collider_count = 1};
  weft_solver *pairs = rig_solver(model, &params, weft_backend_ref());
  params.compensated = false;
  weft_solver *doubles = rig_solver(model, &params, weft_backend_f64());
  rig_write(pairs, NULL, &velocity);
  rig_write(doubles, NULL, &velocity);
  rig_step(pairs, 4);
  rig_step(doubles, 4);
  double x[3], v[3];
  assert_int_equal(weft_solver_read_f64(doubles, x, v, NULL), WEFT_OK);
  weft_vec3 high = rig_row(pairs, WEFT_BUFFER_X, 0), low = rig_row(pairs, WEFT_BUFFER_X_LOW, 0);
  weft_vec3d got = weft_v3d_add(weft_v3d_from(high), weft_v3d_from(low));
  got = weft_v3d_add(got, weft_solver_origin(pairs));
  assert_true(x[0] > 3.01 && x[1] < 1 + 1e-9);
  /* The point of a capsule's axis is a float: see docs/physics.md. */
  const double allowed = shape->shape == WEFT_COLLIDER_CAPSULE ? 4e-8 : 1e-8;
  rig_near3(got, weft_v3d(x[0], x[1], x[2]), allowed, what);
  weft_solver_destroy(pairs);
  weft_solver_destroy(doubles);
  weft_model_destroy(model);
}

static void slides_follow_doubles(void **state) {
  (void)state;
  const weft_collider_key turntable[] = {{0, {2.75f, 1, 2}, {0, 1, 0}, {0, 0, 0}},
                                         {1, {2.75f, 1, 2}, {0, 1, 0}, {0, 6, 0}}};
  const weft_collider_key belt[] = {{0, {2, 0.75f, 2}, {0, 0, 0}, {0, 0, 0}},
                                    {1, {1, 0.75f, 2}, {0, 0, 0}, {0, 3, 0}}};
  const weft_collider_key spin[] = {{0, {3, 0.5f, 2}, {0, 0, 0}, {0, 0, 0}},
                                    {1, {3, 0.5f, 2}, {0, 0, 0}, {0, 0, -20}}};
  const weft_collider shapes[] = {
      {.shape = WEFT_COLLIDER_PLANE, .keys = turntable, .key_count = 2},
      {.shape = WEFT_COLLIDER_BOX, .half_size = {4, 0.25f, 4}, .keys = belt, .key_count = 2},
      {.shape = WEFT_COLLIDER_SPHERE, .radius = 0.5f, .keys = spin, .key_count = 2},
      {.shape = WEFT_COLLIDER_CAPSULE, .a = {1, 0.75f, 2}, .b = {5, 0.75f, 2}, .radius = 0.25f},
  };
  static const char *const names[] = {"on a turntable", "on a box that moves and turns",
                                      "on a ball that spins", "along a capsule"};
  for (int k = 0; k < 4; ++k) {
    weft_collider shape = shapes[k];
    shape.friction_static = 0.5f;
    shape.friction_dynamic = 0.25f;
    slide_over(&shape, names[k]);
  }
}

/* ---- states ---- */

enum { LINKS = 6 };

static weft_model *pendulum(void) {
  weft_vec3 positions[LINKS + 1] = {{0}};
  float masses[LINKS + 1] = {0};
  weft_link links[LINKS] = {{0}};
  for (uint32_t k = 0; k < LINKS; ++k) {
    positions[k + 1] = weft_v3(0.1f * (float)(k + 1), 0.07f * (float)(k + 1), 0);
    masses[k + 1] = 1;
    links[k] = (weft_link){.a = k, .b = k + 1, .rest_length = 0.1220656f};
  }
  return rig_particles(&(weft_particles_desc){.particle_count = LINKS + 1,
                                              .positions = positions,
                                              .masses = masses,
                                              .links = links,
                                              .link_count = LINKS});
}

static const weft_params often = {.substeps = 200, .compensated = true, .damping = 0.3f};

static uint32_t low_parts(weft_solver *solver, weft_buffer_id id) {
  uint32_t there = 0;
  for (uint32_t i = 0; i <= LINKS; ++i) {
    weft_vec3 low = rig_row(solver, id, i);
    there += low.x != 0 || low.y != 0;
  }
  return there;
}

static void what_is_written_has_no_low_part(void **state) {
  (void)state;
  weft_model *model = pendulum();
  weft_solver *used = rig_solver(model, &often, weft_backend_ref());
  weft_solver *fresh = rig_solver(model, &often, weft_backend_ref());
  weft_vec3 positions[LINKS + 1], velocities[LINKS + 1];
  rig_step(used, 3);
  assert_int_equal(low_parts(used, WEFT_BUFFER_X_LOW), LINKS);
  assert_int_equal(low_parts(used, WEFT_BUFFER_V_LOW), LINKS);
  assert_int_equal(weft_solver_read(used, positions, velocities, NULL), WEFT_OK);
  rig_write(used, positions, velocities);
  rig_write(fresh, positions, velocities);
  assert_int_equal(low_parts(used, WEFT_BUFFER_X_LOW) + low_parts(used, WEFT_BUFFER_V_LOW), 0);
  rig_step(used, 2);
  rig_step(fresh, 2);
  assert_true(rig_hash(used) == rig_hash(fresh));
  assert_int_equal(weft_solver_reset(used, NULL), WEFT_OK);
  assert_int_equal(low_parts(used, WEFT_BUFFER_X_LOW) + low_parts(used, WEFT_BUFFER_V_LOW), 0);
  weft_solver_destroy(used);
  weft_solver_destroy(fresh);
  weft_model_destroy(model);
}

/* A pin that moves, and a particle that is grabbed, are put where they are as single floats. */
static void what_is_moved_has_no_low_part(void **state) {
  (void)state;
  weft_model *model = pendulum();
  weft_params params = often;
  params.grab = true;
  weft_solver *solver = rig_solver(model, &params, weft_backend_ref());
  vec4 mark[LINKS + 1];
  const uint32_t pin = 0;
  const weft_vec3 target = {0.01f, 0.02f, 0};
  for (uint32_t i = 0; i <= LINKS; ++i) mark[i] = (vec4){0x1p-30f, 0x1p-30f, 0, 0};
  weft_solver_write_buffer(solver, WEFT_BUFFER_X_LOW, 0, LINKS + 1, mark);
  assert_int_equal(weft_solver_move_pins(solver, &pin, &target, 1, NULL), WEFT_OK);
  rig_step(solver, 1);
  weft_vec3 low = rig_row(solver, WEFT_BUFFER_X_LOW, 0);
  assert_true(low.x == 0 && low.y == 0);
  assert_int_equal(weft_solver_grab(solver, LINKS, weft_v3(1, 1, 0), NULL), WEFT_OK);
  weft_solver_begin_frame(solver);
  size_t passes = 0;
  while (solver->passes.items[passes].kind != WEFT_PASS_GRAB) ++passes;
  weft_solver_run_passes(solver, passes, 0);
  assert_int_equal(low_parts(solver, WEFT_BUFFER_X_LOW), LINKS);
  weft_solver_run_passes(solver, passes + 1, 1);
  assert_int_equal(low_parts(solver, WEFT_BUFFER_X_LOW), LINKS - 1);
  assert_int_equal(low_parts(solver, WEFT_BUFFER_V_LOW), LINKS - 1);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void a_state_goes_on_in_another_solver(void **state) {
  (void)state;
  weft_model *model = pendulum();
  weft_params single = often;
  single.compensated = false;
  weft_solver *from = rig_solver(model, &often, weft_backend_ref());
  weft_solver *to = rig_solver(model, &often, weft_backend_cpu(1));
  weft_solver *plain = rig_solver(model, &single, weft_backend_ref());
  rig_step(from, 3);
  assert_int_equal(weft_solver_copy_state_from(to, from, NULL), WEFT_OK);
  assert_int_equal(weft_solver_copy_state_from(plain, from, NULL), WEFT_OK);
  rig_step(from, 2);
  rig_step(to, 2);
  assert_true(rig_hash(from) == rig_hash(to));
  /* From single floats on: nothing is left of the low parts. */
  assert_int_equal(weft_solver_copy_state_from(to, plain, NULL), WEFT_OK);
  assert_int_equal(low_parts(to, WEFT_BUFFER_X_LOW) + low_parts(to, WEFT_BUFFER_V_LOW), 0);
  weft_solver_destroy(from);
  weft_solver_destroy(to);
  weft_solver_destroy(plain);
  weft_model_destroy(model);
}

static void patches_are_refused(void **state) {
  (void)state;
  weft_model *model = pendulum();
  weft_params params = often;
  params.schedule = WEFT_SCHEDULE_PATCHES;
  weft_solver *solver = NULL;
  weft_error err = {0};
  assert_int_equal(weft_solver_create(model, &params, weft_backend_ref(), &solver, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "compensated goes with colours or single"));
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_and_products_of_two_are_exact),
      cmocka_unit_test(sums_and_products_of_pairs_have_48_bits),
      cmocka_unit_test(products_with_vectors_have_48_bits),
      cmocka_unit_test(slides_follow_doubles),
      cmocka_unit_test(what_is_written_has_no_low_part),
      cmocka_unit_test(what_is_moved_has_no_low_part),
      cmocka_unit_test(a_state_goes_on_in_another_solver),
      cmocka_unit_test(patches_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
