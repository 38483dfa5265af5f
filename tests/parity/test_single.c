/* All passes of a frame in one dispatch: what is issued, that no bit depends on it, and what is
 * said where it cannot be done. */
#include <time.h>

#include "../physics/rig.h"
/* after rig.h */
#include "ranges.h"
#include "solver_gl.h"

static weft_model *sheet(uint32_t side, weft_bending bending) {
  weft_grid_desc grid = {.rows = side, .columns = side};
  return rig_sheet(&grid, "tshirt", bending, false, WEFT_PIN_CORNERS);
}

static const weft_collider shapes[] = {
    {.shape = WEFT_COLLIDER_SPHERE,
     .a = {0, -0.1f, 0.32f},
     .radius = 0.3f,
     .friction_static = 0.4f},
    {.shape = WEFT_COLLIDER_PLANE, .a = {0, -0.4f, 0}, .b = {0, 1, 0}},
};

/* Every pass that single runs. */
static weft_params everything(weft_schedule schedule) {
  return (weft_params){.schedule = schedule,
                       .substeps = 6,
                       .iterations = 2,
                       .air_density = 1.2f,
                       .wind = {0, 0, 4},
                       .global_damping = 1,
                       .lra = 2,
                       .multilevel = WEFT_ALL_LEVELS,
                       .line_sweeps = 2,
                       .grab = true,
                       .colliders = shapes,
                       .collider_count = 2};
}

/* Some frames in which pins move and a hand pulls, and some in which they do not. */
static uint64_t hash_of_run(const weft_model *model, const weft_params *params,
                            const weft_backend *backend) {
  weft_solver *solver = rig_solver(model, params, backend);
  rig_step(solver, 1);
  uint32_t pin = solver->pin_particles[0];
  weft_vec3 to = weft_v3_add(weft_v3d_round(solver->pin_to[0]), weft_v3(0.02f, 0.03f, 0));
  assert_int_equal(weft_solver_move_pins(solver, &pin, &to, 1, NULL), WEFT_OK);
  rig_step(solver, 1);
  if (params->grab) {
    weft_vec3 target = {0.1f, 0.2f, 0.3f};
    uint32_t middle = model->particle_count / 2;
    assert_int_equal(weft_solver_grab(solver, middle, target, NULL), WEFT_OK);
  }
  rig_step(solver, 2);
  uint64_t hash = rig_hash(solver);
  weft_solver_destroy(solver);
  return hash;
}

static void check_everything(weft_gl *gl, weft_bending bending, bool all) {
  weft_model *model = sheet(13, bending);
  weft_params params = everything(WEFT_SCHEDULE_SINGLE);
  if (!all) {
    params.iterations = 1;
    params.lra = params.multilevel = params.line_sweeps = 0;
  }
  uint64_t ref = hash_of_run(model, &params, weft_backend_ref());
  assert_true(hash_of_run(model, &params, rig_backend_on(gl)) == ref);
  weft_model_destroy(model);
}

/* Each program takes seconds to compile, so not every setting meets all others: any two of work
 * group, reads, bending and parameters meet. The long form has all 24. */
static void every_pass_gives_the_bits_of_the_reference(void **state) {
  (void)state;
  static const struct {
    uint32_t group;
    weft_gl_reads reads;
    weft_bending bending;
    bool all;
  } ways[] = {
      {32, WEFT_GL_READS_BUFFERS, WEFT_BENDING_ISOMETRIC, true},
      {32, WEFT_GL_READS_TEXTURES, WEFT_BENDING_DIHEDRAL, false},
      {64, WEFT_GL_READS_BUFFERS, WEFT_BENDING_DIHEDRAL, true},
      {64, WEFT_GL_READS_TEXTURES, WEFT_BENDING_ISOMETRIC, false},
      {128, WEFT_GL_READS_BUFFERS, WEFT_BENDING_ISOMETRIC, false},
      {128, WEFT_GL_READS_TEXTURES, WEFT_BENDING_DIHEDRAL, true},
  };
  for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
    weft_gl *gl = rig_context(
        &(weft_gl_desc){.debug = true, .group_size = ways[k].group, .reads = ways[k].reads});
    if (rig_long_form()) {
      for (int b = 0; b < 4; ++b)
        check_everything(gl, b % 2 ? WEFT_BENDING_DIHEDRAL : WEFT_BENDING_ISOMETRIC, b / 2);
    } else {
      check_everything(gl, ways[k].bending, ways[k].all);
    }
    assert_int_equal(weft_gl_message_count(gl), 0);
    weft_gl_destroy(gl);
  }
}

/* Teams have bundles of many lines, more bundles than there are teams, and threads so long that
 * positions find no room beside them in shared memory. */
static void lines_of_any_length_give_the_bits_of_the_reference(void **state) {
  (void)state;
  static const weft_grid_desc grids[] = {{.rows = 3, .columns = 2},
                                         {.rows = 29, .columns = 37},
                                         {.rows = 3, .columns = 400},
                                         {.rows = 2, .columns = 900}};
  for (size_t k = 0; k < sizeof grids / sizeof *grids; ++k) {
    weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true, .group_size = k % 2 ? 128 : 32});
    weft_model *model =
        rig_sheet(&grids[k], "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
    weft_params params = {.schedule = WEFT_SCHEDULE_SINGLE, .substeps = 4, .line_sweeps = 3};
    uint64_t ref = hash_of_run(model, &params, weft_backend_ref());
    assert_true(hash_of_run(model, &params, rig_backend_on(gl)) == ref);
    assert_int_equal(weft_gl_message_count(gl), 0);
    weft_model_destroy(model);
    weft_gl_destroy(gl);
  }
}

/* Small ones below a sheet that falls past them, in steps as long as they are. */
static const weft_collider obstacles[] = {
    {.shape = WEFT_COLLIDER_PLANE, .a = {0, -1.2f, 0}, .b = {0, 1, 0}, .friction_static = 0.3f},
    {.shape = WEFT_COLLIDER_SPHERE, .a = {0.1f, -1.1f, 0.01f}, .radius = 0.08f},
    {.shape = WEFT_COLLIDER_CAPSULE,
     .a = {-0.4f, -1.1f, 0.01f},
     .b = {0.0f, -1.2f, -0.01f},
     .radius = 0.02f,
     .friction_dynamic = 0.4f},
    {.shape = WEFT_COLLIDER_BOX,
     .a = {0.3f, -1.1f, 0},
     .half_size = {0.1f, 0.02f, 0.1f},
     .friction_static = 0.5f},
};
enum { OBSTACLES = sizeof obstacles / sizeof *obstacles };

static uint64_t hash_past(const weft_model *model, uint32_t chosen, weft_schedule schedule,
                          const weft_backend *backend) {
  weft_collider colliders[OBSTACLES];
  weft_params params = {.schedule = schedule, .substeps = 2, .gravity = {0, -60, 0}};
  params.colliders = colliders;
  for (int k = 0; k < OBSTACLES; ++k) {
    if (chosen & 1u << k) colliders[params.collider_count++] = obstacles[k];
  }
  weft_solver *solver = rig_solver(model, &params, backend);
  uint64_t hash = 0;
  rig_step(solver, 10);
  hash = rig_hash(solver);
  weft_solver_destroy(solver);
  return hash;
}

/* All sets of shapes by colours; single, whose program takes seconds to compile, each shape and all
 * of them, and the long form all sets. */
static void every_kind_of_shape_gives_the_bits_of_the_reference(void **state) {
  (void)state;
  static const weft_gl_reads both_reads[] = {WEFT_GL_READS_BUFFERS, WEFT_GL_READS_TEXTURES};
  const uint32_t all = (1u << OBSTACLES) - 1;
  weft_grid_desc grid = {.rows = 15, .columns = 15};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  const uint64_t free_fall = hash_past(model, 0, WEFT_SCHEDULE_COLOURS, weft_backend_ref());
  for (int r = 0; r < 2; ++r) {
    weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true, .reads = both_reads[r]});
    for (uint32_t chosen = 1; chosen <= all; ++chosen) {
      uint64_t ref = hash_past(model, chosen, WEFT_SCHEDULE_COLOURS, weft_backend_ref());
      if (ref == free_fall) fail_msg("shapes %u meet nothing", chosen);
      bool alone = (chosen & (chosen - 1)) == 0 && r == 0;
      if (alone || chosen == all || rig_long_form())
        assert_true(hash_past(model, chosen, WEFT_SCHEDULE_SINGLE, rig_backend_on(gl)) == ref);
      assert_true(hash_past(model, chosen, WEFT_SCHEDULE_COLOURS, rig_backend_on(gl)) == ref);
    }
    assert_int_equal(weft_gl_message_count(gl), 0);
    weft_gl_destroy(gl);
  }
  weft_model_destroy(model);
}

static weft_schedule chosen_for(const weft_backend *backend, uint32_t side, uint32_t balls,
                                uint32_t line_sweeps) {
  weft_collider all[64];
  for (uint32_t k = 0; k < balls; ++k) all[k] = shapes[0];
  weft_model *model = sheet(side, WEFT_BENDING_ISOMETRIC);
  weft_params params = {.colliders = all, .collider_count = balls, .line_sweeps = line_sweeps};
  weft_solver *solver = rig_solver(model, &params, backend);
  weft_schedule schedule = weft_solver_schedule(solver);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  return schedule;
}

/* A processor works through few elements while a dispatch for each pass would only start; a GPU is
 * left idle by 2,048 particles and fewer. */
static void small_cloths_run_single_and_large_ones_by_colours(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL);
  const weft_backend *backend = rig_backend_on(gl);
  bool software = strstr(gl->renderer, "llvmpipe");
  weft_schedule middle = software ? WEFT_SCHEDULE_SINGLE : WEFT_SCHEDULE_COLOURS;
  assert_int_equal(chosen_for(backend, 8, 0, 0), WEFT_SCHEDULE_SINGLE);
  assert_int_equal(chosen_for(backend, 45, 0, 0), WEFT_SCHEDULE_SINGLE);
  assert_int_equal(chosen_for(backend, 45, 0, 1), WEFT_SCHEDULE_SINGLE);
  assert_int_equal(chosen_for(backend, 60, 0, 0), middle);
  if (software && weft_processors() > 1) {
    assert_int_equal(chosen_for(backend, 60, 64, 0), WEFT_SCHEDULE_COLOURS);
    assert_int_equal(chosen_for(backend, 60, 0, 8), WEFT_SCHEDULE_COLOURS); /* edges count */
  }
  if (weft_processors() > 1) {
    assert_int_equal(chosen_for(backend, 200, 0, 0), WEFT_SCHEDULE_COLOURS);
  }
  weft_gl_destroy(gl);
}

static void a_frame_is_one_dispatch_and_makes_nothing(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true});
  weft_model *model = sheet(9, WEFT_BENDING_ISOMETRIC);
  weft_params params = everything(WEFT_SCHEDULE_SINGLE);
  weft_solver *solver = rig_solver(model, &params, rig_backend_on(gl));
  assert_int_equal(weft_solver_schedule(solver), WEFT_SCHEDULE_SINGLE);
  rig_step(solver, 1); /* its first substeps are timed, one by one */
  weft_gl_counts before = weft_solver_gl_counts(gl);
  rig_step(solver, 1);
  weft_gl_counts after = weft_solver_gl_counts(gl);
  assert_int_equal(after.dispatches - before.dispatches, 1);
  assert_int_equal(after.barriers - before.barriers, 1);
  assert_int_equal(after.buffers_created, before.buffers_created);
  assert_int_equal(after.programs_created, before.programs_created);
  assert_int_equal(after.reads, before.reads);
  weft_solver_begin_frame(solver);
  for (uint32_t s = 0; s < params.substeps; ++s) weft_solver_run_substep(solver, s);
  weft_solver_end_frame(solver);
  assert_int_equal(weft_solver_gl_counts(gl).dispatches - after.dispatches, params.substeps);
  weft_solver_destroy(solver);
  /* A second solver of the kind needs no second program. */
  after = weft_solver_gl_counts(gl);
  params.multilevel = 0;
  weft_solver_destroy(rig_solver(model, &params, rig_backend_on(gl)));
  uint64_t made = weft_solver_gl_counts(gl).programs_created - after.programs_created;
  weft_solver_destroy(rig_solver(model, &params, rig_backend_on(gl)));
  assert_true(weft_solver_gl_counts(gl).programs_created - after.programs_created == made);
  assert_int_equal(weft_gl_message_count(gl), 0);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

/* llvmpipe ends a shader whose loops have turned 65,535 times together. */
static void frames_too_long_for_one_dispatch_are_split_and_stay_equal(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL);
  weft_model *model = sheet(7, WEFT_BENDING_ISOMETRIC);
  weft_params params = {.schedule = WEFT_SCHEDULE_SINGLE, .substeps = 700, .iterations = 1};
  for (int k = 0; k < 3; ++k) {
    weft_gl_counts before = weft_solver_gl_counts(gl);
    uint64_t ref = hash_of_run(model, &params, weft_backend_ref());
    assert_true(hash_of_run(model, &params, rig_backend_on(gl)) == ref);
    uint64_t dispatches = weft_solver_gl_counts(gl).dispatches - before.dispatches;
    assert_true(dispatches > 4 && dispatches < 400);
    /* More steps than the uniform block has room for; loops inside lines. */
    params.substeps = k == 0 ? 20 : 300;
    params.iterations = k == 0 ? 60 : 1;
    params.line_sweeps = k == 0 ? 0 : 12;
  }
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

/* A driver of a slow device would reset it. On the processor the work is this process's, and many
 * parts take long in few turns of loops. */
static void no_dispatch_takes_long(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL);
  enum { PARTS = 64 };
  weft_model *one = sheet(20, WEFT_BENDING_ISOMETRIC), *model = NULL;
  const weft_model *parts[PARTS];
  for (int k = 0; k < PARTS; ++k) parts[k] = one;
  assert_int_equal(weft_model_join(parts, PARTS, &model, NULL), WEFT_OK);
  weft_params params = {.schedule = WEFT_SCHEDULE_SINGLE, .substeps = 30, .iterations = 2};
  uint64_t ref = hash_of_run(model, &params, weft_backend_ref());
  assert_true(hash_of_run(model, &params, rig_backend_on(gl)) == ref);
  weft_solver *solver = rig_solver(model, &params, rig_backend_on(gl));
  rig_step(solver, 1);
  uint64_t before = weft_solver_gl_counts(gl).dispatches;
  clock_t start = clock();
  rig_step(solver, 1);
  rig_hash(solver); /* waits */
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  uint64_t dispatches = weft_solver_gl_counts(gl).dispatches - before;
  print_message("%.3f s in %u dispatches\n", seconds, (unsigned)dispatches);
  assert_true(seconds < 0.1 * (double)dispatches);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_model_destroy(one);
  weft_gl_destroy(gl);
}

static void what_it_cannot_run_is_refused_by_name_and_otherwise_left_to_colours(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL);
  weft_model *model = sheet(8, WEFT_BENDING_ISOMETRIC);
  weft_params params = {.schedule = WEFT_SCHEDULE_SINGLE, .mode = WEFT_MODE_JACOBI};
  weft_solver *solver = NULL;
  weft_error err = {0};
  assert_int_equal(weft_solver_create(model, &params, rig_backend_on(gl), &solver, &err),
                   WEFT_ERROR_LIMIT);
  assert_null(solver);
  assert_non_null(strstr(err.message, "project_distance (jacobi)"));
  params.schedule = WEFT_SCHEDULE_AUTO;
  solver = rig_solver(model, &params, rig_backend_on(gl));
  assert_int_equal(weft_solver_schedule(solver), WEFT_SCHEDULE_COLOURS);
  weft_solver_destroy(solver);
  params.mode = WEFT_MODE_GS;
  solver = rig_solver(model, &params, rig_backend_on(gl));
  assert_int_equal(weft_solver_schedule(solver), WEFT_SCHEDULE_SINGLE);
  weft_solver_destroy(solver);
  params.schedule = WEFT_SCHEDULE_SINGLE; /* means nothing there */
  solver = rig_solver(model, &params, weft_backend_ref());
  assert_int_equal(weft_solver_schedule(solver), WEFT_SCHEDULE_COLOURS);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

static void plain_cloth_needs_no_more_blocks_than_promised(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true, .minimum_limits = true});
  weft_model *model = sheet(9, WEFT_BENDING_ISOMETRIC);
  weft_params params = {.schedule = WEFT_SCHEDULE_SINGLE, .colliders = shapes, .collider_count = 2};
  weft_solver *solver = rig_solver(model, &params, rig_backend_on(gl));
  assert_int_equal(weft_solver_schedule(solver), WEFT_SCHEDULE_SINGLE);
  weft_solver_destroy(solver);
  uint64_t ref = hash_of_run(model, &params, weft_backend_ref());
  assert_true(hash_of_run(model, &params, rig_backend_on(gl)) == ref);
  params = everything(WEFT_SCHEDULE_SINGLE);
  weft_error err = {0};
  assert_int_equal(weft_solver_create(model, &params, rig_backend_on(gl), &solver, &err),
                   WEFT_ERROR_LIMIT);
  assert_non_null(strstr(err.message, "storage blocks"));
  params.schedule = WEFT_SCHEDULE_AUTO;
  solver = rig_solver(model, &params, rig_backend_on(gl));
  assert_int_equal(weft_solver_schedule(solver), WEFT_SCHEDULE_COLOURS);
  weft_solver_destroy(solver);
  assert_int_equal(weft_gl_message_count(gl), 0);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_pass_gives_the_bits_of_the_reference),
      cmocka_unit_test(lines_of_any_length_give_the_bits_of_the_reference),
      cmocka_unit_test(every_kind_of_shape_gives_the_bits_of_the_reference),
      cmocka_unit_test(small_cloths_run_single_and_large_ones_by_colours),
      cmocka_unit_test(a_frame_is_one_dispatch_and_makes_nothing),
      cmocka_unit_test(frames_too_long_for_one_dispatch_are_split_and_stay_equal),
      cmocka_unit_test(no_dispatch_takes_long),
      cmocka_unit_test(what_it_cannot_run_is_refused_by_name_and_otherwise_left_to_colours),
      cmocka_unit_test(plain_cloth_needs_no_more_blocks_than_promised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
