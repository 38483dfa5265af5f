/* Pins set and freed in mid-run: the copy of a model shares nothing, and a solver that continues
 * where another is has every bit of it. */
#include "rig.h"
/* after rig.h */
#include "base.h"

static weft_model *shirt(weft_pin_rule pins) {
  weft_grid_desc grid = {.rows = 12, .columns = 12};
  return rig_sheet(&grid, "tshirt", WEFT_BENDING_DIHEDRAL, false, pins);
}

static weft_model *with_pins(const weft_model *model, uint32_t particle, bool pinned) {
  weft_model *out = NULL;
  weft_error err = {0};
  if (weft_model_with_pins(model, &particle, 1, pinned, &out, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  return out;
}

static weft_solver *continued(weft_solver *from, const weft_model *model, const weft_params *params,
                              const weft_backend *backend) {
  weft_solver *to = rig_solver(model, params, backend);
  weft_error err = {0};
  if (weft_solver_copy_state_from(to, from, &err) != WEFT_OK) fail_msg("%s", err.message);
  return to;
}

/* ---- the model ---- */

static void a_copy_shares_nothing_and_has_the_pins_asked_for(void **state) {
  (void)state;
  weft_model *model = shirt(WEFT_PIN_CORNERS);
  assert_int_equal(model->pinned_count, 2);
  const uint32_t more[] = {50, 60, 50};
  weft_model *copy = NULL;
  assert_int_equal(weft_model_with_pins(model, more, 3, true, &copy, NULL), WEFT_OK);
  assert_true(copy->triangles != model->triangles && copy->masses != model->masses);
  assert_true(copy->corner_items != model->corner_items);
  assert_true(copy->corner_offsets != model->corner_offsets);
  assert_true(copy->rest_positions != model->rest_positions);
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *a = &model->groups[g], *b = &copy->groups[g];
    assert_true(a->particles != b->particles && a->compliance != b->compliance);
    assert_true(a->colour_first != b->colour_first && a->colour_sizes != b->colour_sizes);
    assert_true(a->damping != b->damping && (!a->rest || a->rest != b->rest));
  }
  weft_model_destroy(model);
  assert_int_equal(weft_model_validate(copy, NULL), WEFT_OK);
  assert_int_equal(weft_model_pinned_count(copy), 4);
  assert_true(copy->inverse_masses[50] == 0 && copy->inverse_masses[60] == 0);
  assert_true(copy->inverse_masses[51] > 0);
  weft_model *freed = with_pins(copy, 0, false);
  assert_int_equal(weft_model_pinned_count(freed), 3);
  weft_model_destroy(copy);
  assert_int_equal(weft_model_validate(freed, NULL), WEFT_OK);
  assert_true(freed->inverse_masses[0] > 0 && freed->inverse_masses[60] == 0);
  weft_solver *solver = rig_solver(freed, &(weft_params){0}, weft_backend_ref());
  rig_step(solver, 2);
  weft_solver_destroy(solver);
  weft_model_destroy(freed);
}

/* The inverse of the rounded mass differs in the last place for many of these. */
static void what_is_pinned_and_freed_again_has_the_mass_it_had_to_the_bit(void **state) {
  (void)state;
  weft_model *model = shirt(WEFT_PIN_NONE);
  uint32_t all[144];
  for (uint32_t i = 0; i < 144; ++i) all[i] = i;
  weft_model *pinned = NULL, *freed = NULL;
  assert_int_equal(weft_model_with_pins(model, all, 144, true, &pinned, NULL), WEFT_OK);
  assert_int_equal(weft_model_pinned_count(pinned), 144);
  assert_int_equal(weft_model_with_pins(pinned, all, 144, false, &freed, NULL), WEFT_OK);
  assert_memory_equal(freed->inverse_masses, model->inverse_masses, 144 * sizeof(float));
  assert_int_equal(weft_model_pinned_count(freed), 0);
  weft_model_destroy(model);
  weft_model_destroy(pinned);
  weft_model_destroy(freed);
}

static void a_particle_given_without_mass_weighs_the_mean_when_freed(void **state) {
  (void)state;
  const weft_vec3 positions[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  const float masses[] = {0, 1, 4};
  const weft_link link = {.a = 0, .b = 1, .rest_length = 1};
  weft_model *model = NULL;
  assert_int_equal(weft_model_create_particles(&(weft_particles_desc){.particle_count = 3,
                                                                      .positions = positions,
                                                                      .masses = masses,
                                                                      .links = &link,
                                                                      .link_count = 1,
                                                                      .radius = 0.1f},
                                               &model, NULL),
                   WEFT_OK);
  weft_model *freed = with_pins(model, 0, false);
  rig_near((double)freed->inverse_masses[0], 0.4, 1e-7, "inverse mass");
  assert_int_equal(weft_model_link_count(freed), 1);
  assert_true(weft_model_links(freed) != weft_model_links(model));
  assert_true(weft_model_radius(freed) == weft_model_radius(model));
  weft_model_destroy(model);
  weft_model_destroy(freed);
}

static void a_pin_that_does_not_exist_is_refused_in_a_sentence(void **state) {
  (void)state;
  weft_model *model = shirt(WEFT_PIN_NONE), *out = model;
  weft_error err = {0};
  uint32_t wrong = 144;
  assert_int_equal(weft_model_with_pins(model, &wrong, 1, true, &out, &err), WEFT_ERROR_ARGUMENT);
  assert_null(out);
  assert_non_null(strstr(err.message, "144"));
  weft_model_destroy(model);
}

/* ---- the state ---- */

static const weft_params shirt_params = {.substeps = 5, .iterations = 2, .grab = true};

static void other_particles_keep_every_bit_when_one_is_pinned(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_model *model = shirt(WEFT_PIN_CORNERS);
  weft_solver *solver = rig_solver(model, &shirt_params, backend);
  rig_step(solver, 12);
  weft_model *with = with_pins(model, 77, true);
  weft_solver *next = continued(solver, with, &shirt_params, backend);
  weft_vec3 x[2][144], v[2][144];
  weft_solver_read(solver, x[0], v[0], NULL);
  weft_solver_read(next, x[1], v[1], NULL);
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  assert_memory_equal(v[0], v[1], sizeof v[0]);
  assert_int_equal(weft_solver_frame(next), 12);
  assert_true(weft_solver_time(next) == weft_solver_time(solver));
  weft_vec3 there = rig_position(next, 77);
  rig_step(next, 20);
  weft_vec3 still = rig_position(next, 77);
  assert_memory_equal(&there, &still, sizeof there);
  assert_true(weft_v3_length(weft_v3_sub(rig_position(next, 130), x[0][130])) > 0.01f);
  weft_solver_destroy(solver);
  weft_solver_destroy(next);
  weft_model_destroy(model);
  weft_model_destroy(with);
}

/* There and back: the state without a step, and all that follows. */
static void freed_and_pinned_again_nothing_has_changed(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_model *model = shirt(WEFT_PIN_CORNERS);
  weft_model *freed = with_pins(model, 0, false), *back = with_pins(freed, 0, true);
  weft_solver *a = rig_solver(model, &shirt_params, backend);
  rig_step(a, 7);
  const uint32_t pin = 0;
  const weft_vec3 target = {0.1f, 0.2f, 0.3f};
  weft_solver *b = continued(a, freed, &shirt_params, backend);
  assert_true(rig_hash(a) == rig_hash(b));
  weft_solver *c = continued(b, back, &shirt_params, backend);
  assert_true(rig_hash(a) == rig_hash(c));
  assert_int_equal(weft_solver_move_pins(a, &pin, &target, 1, NULL), WEFT_OK);
  assert_int_equal(weft_solver_move_pins(c, &pin, &target, 1, NULL), WEFT_OK);
  rig_step(a, 5);
  rig_step(b, 5);
  rig_step(c, 5);
  assert_true(rig_hash(a) == rig_hash(c));
  assert_true(rig_hash(a) != rig_hash(b));
  weft_solver_destroy(a);
  weft_solver_destroy(b);
  weft_solver_destroy(c);
  weft_model_destroy(model);
  weft_model_destroy(freed);
  weft_model_destroy(back);
}

/* All that is hidden between frames: pins on their way, the hand, gusts and colliders that follow
 * time. Continued on the other backend as well. */
static void a_run_continued_elsewhere_is_the_run_that_went_on(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_model *model = shirt(WEFT_PIN_CORNERS);
  const weft_collider_key keys[] = {{.time = 0, .a = {0, -1, 0}}, {.time = 1, .a = {0, 1, 0}}};
  const weft_collider ball = {
      .shape = WEFT_COLLIDER_SPHERE, .radius = 0.3f, .keys = keys, .key_count = 2};
  weft_params params = shirt_params;
  params.air_density = 1.2f;
  params.wind = weft_v3(0, 0, 3);
  params.gust = 0.5f;
  params.colliders = &ball;
  params.collider_count = 1;
  weft_solver *a = rig_solver(model, &params, weft_backend_ref());
  assert_int_equal(weft_solver_grab(a, 100, weft_v3(0, 0, 1), NULL), WEFT_OK);
  rig_step(a, 9);
  const uint32_t pin = 11;
  const weft_vec3 target = {0.5f, 0.2f, 0.3f};
  assert_int_equal(weft_solver_move_pins(a, &pin, &target, 1, NULL), WEFT_OK);
  assert_int_equal(weft_solver_move_grab(a, weft_v3(0.5f, 0, 1), NULL), WEFT_OK);
  weft_solver *b = continued(a, model, &params, backend);
  assert_int_equal(weft_solver_grabbed(b), 100);
  for (int f = 0; f < 10; ++f) {
    rig_step(a, 1);
    rig_step(b, 1);
    assert_true(rig_hash(a) == rig_hash(b));
  }
  weft_solver_destroy(a);
  weft_solver_destroy(b);
  weft_model_destroy(model);
}

/* Grains in a heap: friction remembers. */
static void what_friction_remembers_comes_along(void **state) {
  enum { SIDE = 5, COUNT = SIDE * SIDE * 4 };
  weft_vec3 positions[COUNT];
  float masses[COUNT];
  weft_rng rng = weft_rng_seed(1);
  for (uint32_t i = 0; i < COUNT; ++i) {
    positions[i].x = 0.02f * (float)(i % SIDE) + weft_rng_float(&rng, 0, 0.002f);
    positions[i].y = 0.02f * (float)(i / (SIDE * SIDE)) + 0.01f;
    positions[i].z = 0.02f * (float)(i / SIDE % SIDE) + weft_rng_float(&rng, 0, 0.002f);
    masses[i] = 0.01f;
  }
  weft_model *model = NULL;
  assert_int_equal(
      weft_model_create_particles(
          &(weft_particles_desc){
              .particle_count = COUNT, .positions = positions, .masses = masses, .radius = 0.01f},
          &model, NULL),
      WEFT_OK);
  const weft_collider floor = {
      .shape = WEFT_COLLIDER_PLANE, .b = {0, 1, 0}, .friction_static = 0.5f};
  const weft_params params = {.particle_contact = true,
                              .contact_static = 0.5f,
                              .contact_dynamic = 0.5f,
                              .substeps = 8,
                              .colliders = &floor,
                              .collider_count = 1};
  weft_solver *a = rig_solver(model, &params, rig_backend(state));
  rig_step(a, 20);
  weft_solver *b = continued(a, model, &params, rig_backend(state));
  weft_solver *c = continued(a, model, &params, rig_backend(state));
  weft_solver_forget_contacts(c); /* the sabotage, so that the test can tell */
  rig_step(a, 10);
  rig_step(b, 10);
  rig_step(c, 10);
  assert_true(rig_hash(a) == rig_hash(b));
  assert_true(rig_hash(a) != rig_hash(c));
  weft_solver_destroy(a);
  weft_solver_destroy(b);
  weft_solver_destroy(c);
  weft_model_destroy(model);
}

static void time_goes_on_with_another_frame_time(void **state) {
  (void)state;
  weft_model *model = shirt(WEFT_PIN_CORNERS);
  weft_solver *a = rig_solver(model, &(weft_params){0}, weft_backend_ref());
  rig_step(a, 30);
  weft_solver *b = continued(a, model, &(weft_params){.frame_dt = 0.001f}, weft_backend_ref());
  rig_near(weft_solver_time(b), 0.5, 1e-6, "time, s");
  rig_step(b, 10);
  rig_near(weft_solver_time(b), 0.51, 1e-6, "time, s");
  assert_int_equal(weft_solver_reset(b, NULL), WEFT_OK);
  assert_true(weft_solver_time(b) == 0);
  weft_solver_destroy(a);
  weft_solver_destroy(b);
  weft_model_destroy(model);
}

static void what_is_held_is_let_go_where_it_is_pinned(void **state) {
  (void)state;
  weft_model *model = shirt(WEFT_PIN_CORNERS), *with = with_pins(model, 100, true);
  weft_solver *a = rig_solver(model, &shirt_params, weft_backend_ref());
  assert_int_equal(weft_solver_grab(a, 100, weft_v3(0, 0, 1), NULL), WEFT_OK);
  weft_solver *b = continued(a, with, &shirt_params, weft_backend_ref());
  assert_int_equal(weft_solver_grabbed(b), WEFT_NO_PARTICLE);
  weft_solver *c = continued(a, model, &(weft_params){0}, weft_backend_ref());
  assert_int_equal(weft_solver_grabbed(c), WEFT_NO_PARTICLE);
  rig_step(b, 1);
  rig_step(c, 1);
  weft_solver_destroy(a);
  weft_solver_destroy(b);
  weft_solver_destroy(c);
  weft_model_destroy(model);
  weft_model_destroy(with);
}

static void another_number_of_particles_is_refused_in_a_sentence(void **state) {
  (void)state;
  weft_model *model = shirt(WEFT_PIN_CORNERS);
  weft_model *one = rig_model(1, &(weft_vec3){0, 0, 0}, &(float){1});
  weft_solver *a = rig_solver(model, &(weft_params){0}, weft_backend_ref());
  weft_solver *b = rig_solver(one, &(weft_params){0}, weft_backend_ref());
  weft_error err = {0};
  assert_int_equal(weft_solver_copy_state_from(b, a, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "144"));
  weft_solver_destroy(a);
  weft_solver_destroy(b);
  weft_model_destroy(model);
  rig_model_free(one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_copy_shares_nothing_and_has_the_pins_asked_for),
      cmocka_unit_test(what_is_pinned_and_freed_again_has_the_mass_it_had_to_the_bit),
      cmocka_unit_test(a_particle_given_without_mass_weighs_the_mean_when_freed),
      cmocka_unit_test(a_pin_that_does_not_exist_is_refused_in_a_sentence),
      RIG_BOTH(other_particles_keep_every_bit_when_one_is_pinned),
      RIG_BOTH(freed_and_pinned_again_nothing_has_changed),
      RIG_BOTH(a_run_continued_elsewhere_is_the_run_that_went_on),
      RIG_BOTH(what_friction_remembers_comes_along),
      cmocka_unit_test(time_goes_on_with_another_frame_time),
      cmocka_unit_test(what_is_held_is_let_go_where_it_is_pinned),
      cmocka_unit_test(another_number_of_particles_is_refused_in_a_sentence),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
