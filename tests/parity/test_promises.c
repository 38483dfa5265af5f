/* What the public headers promise and a short run can show. */
#include <dirent.h>

#include "../physics/rig.h"

static weft_model *sheet(void) {
  weft_grid_desc grid = {.rows = 9, .columns = 9};
  return rig_sheet(&grid, "tshirt", WEFT_BENDING_DIHEDRAL, false, WEFT_PIN_CORNERS);
}

static uint64_t hash_of(const weft_model *model, const weft_params *params, const weft_backend *b) {
  weft_solver *solver = rig_solver(model, params, b);
  rig_step(solver, 2);
  uint64_t hash = rig_hash(solver);
  weft_solver_destroy(solver);
  return hash;
}

/* weft_schedule: which passes a single dispatch does not have, and that other backends run colours.
 */
static void single_runs_lines_and_refuses_what_the_header_says(void **state) {
  (void)state;
  weft_model *model = sheet();
  const weft_backend *gl = rig_backend_on(test_gl);
  const weft_params lines = {.schedule = WEFT_SCHEDULE_SINGLE, .substeps = 4, .line_sweeps = 2};
  weft_params colours = lines;
  colours.schedule = WEFT_SCHEDULE_COLOURS;
  const uint64_t wanted = hash_of(model, &colours, weft_backend_ref());
  assert_int_equal(hash_of(model, &lines, gl), wanted);
  assert_int_equal(hash_of(model, &lines, weft_backend_ref()), wanted);
  assert_int_equal(hash_of(model, &lines, weft_backend_cpu(1)), wanted);
  const weft_vec3 grains[] = {{0, 0, 0}, {0.02f, 0, 0}};
  const float masses[] = {1, 1};
  const weft_particles_desc pile = {
      .particle_count = 2, .positions = grains, .masses = masses, .radius = 0.01f};
  weft_model *sand = NULL;
  assert_int_equal(weft_model_create_particles(&pile, &sand, NULL), WEFT_OK);
  const struct {
    const weft_model *model;
    weft_params params;
  } refused[] = {
      {model, {.schedule = WEFT_SCHEDULE_SINGLE, .mode = WEFT_MODE_JACOBI}},
      {sand, {.schedule = WEFT_SCHEDULE_SINGLE, .particle_contact = true}},
      {model, {.schedule = WEFT_SCHEDULE_SINGLE, .self_collision = true}},
  };
  for (size_t k = 0; k < sizeof refused / sizeof *refused; ++k) {
    weft_solver *solver = NULL;
    weft_error err = {0};
    assert_int_equal(weft_solver_create(refused[k].model, &refused[k].params, gl, &solver, &err),
                     WEFT_ERROR_LIMIT);
    assert_null(solver);
    assert_non_null(strstr(err.message, "schedule single cannot run this"));
  }
  weft_model_destroy(sand);
  weft_model_destroy(model);
}

static int threads_now(void) {
  DIR *folder = opendir("/proc/self/task");
  int count = 0;
  if (!folder) skip();
  for (const struct dirent *e; (e = readdir(folder));) count += e->d_name[0] != '.';
  closedir(folder);
  return count;
}

/* weft_backend_cpu: all solvers of a process share one set of threads. */
static void solvers_share_their_threads(void **state) {
  (void)state;
  enum { SOLVERS = 6, THREADS = 3 };
  weft_model *model = sheet();
  const weft_params params = {.substeps = 4};
  weft_solver *solvers[SOLVERS];
  const int before = threads_now();
  int with_one = 0;
  for (int k = 0; k < SOLVERS; ++k) {
    solvers[k] = rig_solver(model, &params, weft_backend_cpu(THREADS));
    rig_step(solvers[k], 1);
    if (k == 0) with_one = threads_now();
  }
  assert_in_range(with_one, before, before + THREADS - 1);
  assert_int_equal(threads_now(), with_one);
  for (int k = 0; k < SOLVERS; ++k) weft_solver_destroy(solvers[k]);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_runs_lines_and_refuses_what_the_header_says),
      cmocka_unit_test(solvers_share_their_threads),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
