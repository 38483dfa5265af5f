/* The backend in doubles: the same schedule and statements, without the rounding of float. */
#include "f64.h"
#include "rig.h"

static weft_model *sheet(weft_bending bending, weft_pin_rule pins) {
  const weft_grid_desc grid = {.rows = 12, .columns = 9};
  return rig_sheet(&grid, "tshirt", bending, false, pins);
}

/* ---- against the reference ---- */

static const weft_collider ball[] = {{.shape = WEFT_COLLIDER_SPHERE,
                                      .a = {0.1f, 0.2f, 0.3f},
                                      .radius = 0.4f,
                                      .friction_static = 0.5f,
                                      .friction_dynamic = 0.3f}};

/* The same crumpled start on both. */
static void crumple(weft_solver *one, weft_solver *other) {
  uint32_t n = one->model->particle_count;
  weft_vec3 *x = calloc(n, sizeof *x), *v = calloc(n, sizeof *v);
  weft_rng rng = weft_rng_seed(5);
  for (uint32_t i = 0; i < n; ++i) {
    weft_vec3 noise =
        weft_v3(weft_rng_float(&rng, -0.01f, 0.01f), weft_rng_float(&rng, -0.01f, 0.01f),
                weft_rng_float(&rng, -0.01f, 0.01f));
    x[i] = weft_v3_add(one->model->rest_positions[i], noise);
    v[i] = weft_v3_scale(noise, 20);
  }
  assert_int_equal(weft_solver_write(one, x, v, NULL), WEFT_OK);
  assert_int_equal(weft_solver_write(other, x, v, NULL), WEFT_OK);
  free(x);
  free(v);
}

static double farthest(weft_solver *ref, weft_solver *f64) {
  uint32_t n = ref->model->particle_count;
  weft_vec3 *x = calloc(n, sizeof *x);
  double *wide = calloc(3 * (size_t)n, sizeof *wide);
  assert_int_equal(weft_solver_read(ref, x, NULL, NULL), WEFT_OK);
  assert_int_equal(weft_solver_read_f64(f64, wide, NULL, NULL), WEFT_OK);
  double max = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const double *p = wide + 3 * (size_t)i;
    assert_true(isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]));
    max = fmax(max, fabs(p[0] - (double)x[i].x));
    max = fmax(max, fabs(p[1] - (double)x[i].y));
    max = fmax(max, fabs(p[2] - (double)x[i].z));
  }
  free(x);
  free(wide);
  return max;
}

static void one_substep_differs_from_the_reference_by_rounding_alone(void **state) {
  (void)state;
  for (int bending = 0; bending < 2; ++bending) {
    for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
      for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
        weft_model *model =
            sheet(bending ? WEFT_BENDING_DIHEDRAL : WEFT_BENDING_ISOMETRIC, WEFT_PIN_CORNERS);
        weft_params params = {.mode = (weft_mode)mode,
                              .iterations = iterations,
                              .hybrid_min = 20,
                              .air_density = 1.2f,
                              .wind = {3, 0, 1},
                              .colliders = ball,
                              .collider_count = 1};
        weft_solver *ref = rig_guarded(model, &params, weft_backend_ref(), 256);
        weft_solver *f64 = rig_guarded(model, &params, weft_backend_f64(), 256);
        assert_int_equal(ref->passes.count, f64->passes.count);
        crumple(ref, f64);
        weft_solver_begin_frame(ref);
        weft_solver_begin_frame(f64);
        weft_solver_run_substep(ref, 0);
        weft_solver_run_substep(f64, 0);
        double apart = farthest(ref, f64);
        print_message("mode %d, %u iterations: %.2g m\n", mode, iterations, apart);
        assert_true(apart > 1e-12); /* not floats in disguise */
        assert_true(apart < 1e-6);
        assert_int_equal(f64->backend->broken_guard(f64->instance), WEFT_BUFFER_COUNT);
        weft_solver_destroy(ref);
        weft_solver_destroy(f64);
        weft_model_destroy(model);
      }
    }
  }
}

/* ---- against theory ---- */

/* Of the centre of mass: rest lengths are rounded to float, so the cloth itself is never quite at
 * rest and pulls at its particles by 1e-9 m. */
static double centre_y(const weft_model *model, const double *x) {
  double sum = 0, mass = 0;
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    double m = 1 / (double)model->inverse_masses[i];
    sum += m * x[3 * i + 1];
    mass += m;
  }
  return sum / mass;
}

static void free_fall_is_the_exact_sum_of_its_steps(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_BENDING_ISOMETRIC, WEFT_PIN_NONE);
  uint32_t n = model->particle_count;
  double *x = calloc(3 * (size_t)n, sizeof *x);
  double *v = calloc(3 * (size_t)n, sizeof *v);
  for (uint32_t substeps = 20; substeps <= 400; substeps += 380) {
    weft_solver *solver =
        rig_guarded(model, &(weft_params){.substeps = substeps}, weft_backend_f64(), 256);
    assert_int_equal(weft_solver_read_f64(solver, x, NULL, NULL), WEFT_OK);
    double from = centre_y(model, x);
    for (int frame = 0; frame < 10; ++frame) {
      assert_int_equal(weft_solver_step(solver, NULL), WEFT_OK);
    }
    assert_int_equal(weft_solver_read_f64(solver, x, v, NULL), WEFT_OK);
    double g = -(double)9.81f, dt = (double)(1.0f / 60) / substeps, k = 10.0 * substeps;
    double off = centre_y(model, x) - from - 0.5 * g * k * (k + 1) * dt * dt;
    double speed_off = centre_y(model, v) - g * k * dt;
    print_message("%u substeps: position off by %.2g m, velocity by %.2g m/s\n", substeps, off,
                  speed_off);
    assert_true(fabs(off) < 1e-12);
    assert_true(fabs(speed_off) < 1e-11); /* (x - x_pred)/dt divides the rounding of x by dt */
    weft_solver_destroy(solver);
  }
  free(x);
  free(v);
  weft_model_destroy(model);
}

static void what_is_divided_once_is_never_rounded_to_float(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_BENDING_DIHEDRAL, WEFT_PIN_CORNERS);
  weft_solver *solver = rig_guarded(model, &(weft_params){.substeps = 7}, weft_backend_f64(), 256);
  double dt = (double)(1.0f / 60) / 7;
  const double *u = weft_f64_elements(solver->instance, WEFT_BUFFER_UNIFORMS, 0, 1);
  assert_true(u[1] == -(double)9.81f * dt);
  assert_true(u[4] == dt);
  assert_true(u[5] == 1 / dt);
  assert_true(u[9] == 1.0 / 3);
  uint64_t checked = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    if (group->type != WEFT_CONSTRAINT_DISTANCE) continue;
    uint32_t base = weft_group_base(model, g);
    for (uint32_t i = 0; i < group->count; ++i) {
      const unsigned char *row =
          weft_f64_elements(solver->instance, WEFT_BUFFER_DISTANCE, base + i, 1);
      double inverse;
      memcpy(&inverse, row + 16, sizeof inverse); /* after two uints and a double */
      double w = (double)model->inverse_masses[group->particles[2 * i]] +
                 (double)model->inverse_masses[group->particles[2 * i + 1]];
      if (w == 0) continue;
      double exact = 1 / (w + (double)group->compliance[i] / (dt * dt));
      assert_true(fabs(inverse / exact - 1) < 1e-15);
      ++checked;
    }
  }
  assert_true(checked > 100);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- the pieces ---- */

static void every_pass_runs_in_doubles(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_BENDING_ISOMETRIC, WEFT_PIN_CORNERS);
  weft_solver *solver = rig_guarded(model, &(weft_params){0}, weft_backend_f64(), 256);
  for (int kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    assert_non_null(weft_pass_infos[kind].name);
    weft_pass nothing = {.kind = (weft_pass_kind)kind};
    solver->backend->run(solver->instance, &nothing, 0); /* a pass without function would crash */
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void every_buffer_takes_floats_and_gives_them_back(void **state) {
  (void)state;
  weft_contents contents;
  weft_contents_init(&contents);
  weft_rng rng = weft_rng_seed(3);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    uint32_t *words = weft_contents_set(&contents, (weft_buffer_id)id, 7);
    char format[WEFT_F64_SCALARS];
    weft_f64_format((weft_buffer_id)id, format);
    size_t scalars = strlen(format);
    assert_int_equal(contents.buffers[id].stride, 4 * scalars);
    for (size_t k = 0; k < 7 * scalars; ++k) {
      float value = weft_rng_float(&rng, -1e6f, 1e6f);
      memcpy(&words[k], &value, sizeof value);
      if (format[k % scalars] == 'u') words[k] = weft_rng_u32(&rng);
    }
  }
  const weft_backend *backend = weft_backend_f64();
  void *instance;
  assert_int_equal(backend->create(backend, &contents, 256, &instance, NULL), WEFT_OK);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const weft_buffer_contents *table = &contents.buffers[id];
    unsigned char *back = calloc(7, table->stride);
    backend->read(instance, (weft_buffer_id)id, 0, 7, back);
    assert_memory_equal(back, table->data, 7 * (size_t)table->stride);
    memset(back, 0, 3 * (size_t)table->stride);
    backend->write(instance, (weft_buffer_id)id, 2, 3, back);
    memcpy((unsigned char *)table->data + 2 * (size_t)table->stride, back,
           3 * (size_t)table->stride);
    backend->read(instance, (weft_buffer_id)id, 0, 7, back);
    assert_memory_equal(back, table->data, 7 * (size_t)table->stride);
    free(back);
  }
  assert_int_equal(backend->broken_guard(instance), WEFT_BUFFER_COUNT);
  unsigned char *behind = weft_f64_elements(instance, WEFT_BUFFER_V, 7, 0);
  ++*behind;
  assert_int_equal(backend->broken_guard(instance), WEFT_BUFFER_V);
  backend->destroy(instance);
  weft_contents_free(&contents);
}

/* All particles in one point: no direction is defined anywhere. */
static void lengths_of_zero_make_no_nan(void **state) {
  (void)state;
  for (int bending = 0; bending < 2; ++bending) {
    weft_model *model =
        sheet(bending ? WEFT_BENDING_DIHEDRAL : WEFT_BENDING_ISOMETRIC, WEFT_PIN_CORNERS);
    uint32_t n = model->particle_count;
    weft_vec3 *x = calloc(n, sizeof *x);
    for (uint32_t i = 0; i < n; ++i) x[i] = ball->a;
    weft_params params = {.iterations = 2,
                          .no_gravity = true,
                          .air_density = 1.2f,
                          .colliders = ball,
                          .collider_count = 1};
    weft_solver *ref = rig_guarded(model, &params, weft_backend_ref(), 256);
    weft_solver *f64 = rig_guarded(model, &params, weft_backend_f64(), 256);
    assert_int_equal(weft_solver_write(ref, x, NULL, NULL), WEFT_OK);
    assert_int_equal(weft_solver_write(f64, x, NULL, NULL), WEFT_OK);
    assert_int_equal(weft_solver_step(ref, NULL), WEFT_OK);
    assert_int_equal(weft_solver_step(f64, NULL), WEFT_OK);
    assert_true(farthest(ref, f64) == 0);
    weft_solver_destroy(ref);
    weft_solver_destroy(f64);
    weft_model_destroy(model);
    free(x);
  }
}

static void other_backends_give_their_floats_as_doubles(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_BENDING_ISOMETRIC, WEFT_PIN_CORNERS);
  weft_solver *solver = rig_guarded(model, &(weft_params){0}, weft_backend_ref(), 256);
  const uint32_t n = model->particle_count;
  double *x = calloc(3 * (size_t)n, sizeof *x);
  weft_vec3 *single = calloc(n, sizeof *single);
  rig_step(solver, 3);
  assert_int_equal(weft_solver_read(solver, single, NULL, NULL), WEFT_OK);
  assert_int_equal(weft_solver_read_f64(solver, x, NULL, NULL), WEFT_OK);
  for (uint32_t i = 0; i < n; ++i) {
    assert_true(x[3 * i] == (double)single[i].x && x[3 * i + 1] == (double)single[i].y &&
                x[3 * i + 2] == (double)single[i].z);
  }
  free(x);
  free(single);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_substep_differs_from_the_reference_by_rounding_alone),
      cmocka_unit_test(free_fall_is_the_exact_sum_of_its_steps),
      cmocka_unit_test(what_is_divided_once_is_never_rounded_to_float),
      cmocka_unit_test(every_pass_runs_in_doubles),
      cmocka_unit_test(every_buffer_takes_floats_and_gives_them_back),
      cmocka_unit_test(lengths_of_zero_make_no_nan),
      cmocka_unit_test(other_backends_give_their_floats_as_doubles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
