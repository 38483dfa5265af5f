/* Positions and velocities as pairs of floats: the arithmetic is exact where it says so, and what
 * is written from outside has no low part left from before. */
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
  assert_int_equal(weft_solver_take_state(to, from, NULL), WEFT_OK);
  assert_int_equal(weft_solver_take_state(plain, from, NULL), WEFT_OK);
  rig_step(from, 2);
  rig_step(to, 2);
  assert_true(rig_hash(from) == rig_hash(to));
  /* From single floats on: nothing is left of the low parts. */
  assert_int_equal(weft_solver_take_state(to, plain, NULL), WEFT_OK);
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
      cmocka_unit_test(what_is_written_has_no_low_part),
      cmocka_unit_test(what_is_moved_has_no_low_part),
      cmocka_unit_test(a_state_goes_on_in_another_solver),
      cmocka_unit_test(patches_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
