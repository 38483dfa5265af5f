/* What nonsense and extremes in the descriptors give: a refusal that names the field, or the
 * behaviour that the public headers state. Fields are met by their offsets, so that every float of
 * a struct is tried with everything that is no number. */
#include <float.h>

#include "base.h"
#include "rig.h"

#define FIELD(type, field) \
  { #field, offsetof(type, field) }
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

typedef struct field {
  const char *name;
  size_t offset;
} field;

static void put(void *base, const field *f, float value) {
  memcpy((char *)base + f->offset, &value, sizeof value);
}

static void is_sentence(const weft_error *err, weft_result code, const char *about) {
  if (err->code != code || strlen(err->message) < 15 || strchr(err->message, '\n')) {
    fail_msg("%s: code %d, \"%s\"", about, (int)err->code, err->message);
  }
}

/* ---- parameters ---- */

static void every_parameter_refuses_what_is_no_number(void **state) {
  (void)state;
  static const field fields[] = {
      FIELD(weft_params, frame_dt),       FIELD(weft_params, relaxation),
      FIELD(weft_params, pbd_stretch),    FIELD(weft_params, pbd_bending),
      FIELD(weft_params, gravity.x),      FIELD(weft_params, gravity.y),
      FIELD(weft_params, gravity.z),      FIELD(weft_params, damping),
      FIELD(weft_params, global_damping), FIELD(weft_params, thickness),
      FIELD(weft_params, wind.x),         FIELD(weft_params, wind.y),
      FIELD(weft_params, wind.z),         FIELD(weft_params, gust),
      FIELD(weft_params, gust_period),    FIELD(weft_params, air_density),
      FIELD(weft_params, drag),           FIELD(weft_params, skin_friction)};
  const float values[] = {NAN, INFINITY, -INFINITY, -FLT_MAX, FLT_MAX};
  for (size_t k = 0; k < COUNT_OF(fields); ++k) {
    for (size_t i = 0; i < COUNT_OF(values); ++i) {
      weft_params params = {0}, out;
      weft_error err = {0};
      put(&params, &fields[k], values[i]);
      weft_params_resolve(&params, &out, &err);
      is_sentence(&err, WEFT_ERROR_ARGUMENT, fields[k].name);
    }
  }
}

static void zero_asks_for_the_default_and_negative_is_refused(void **state) {
  (void)state;
  weft_params out;
  assert_int_equal(weft_params_resolve(&(weft_params){0}, &out, NULL), WEFT_OK);
  assert_true(out.frame_dt == 1.0f / 60 && out.substeps == 0 && out.relaxation == 1);
  static const field fields[] = {
      FIELD(weft_params, frame_dt),    FIELD(weft_params, damping),
      FIELD(weft_params, thickness),   FIELD(weft_params, gust),
      FIELD(weft_params, gust_period), FIELD(weft_params, air_density),
      FIELD(weft_params, drag),        FIELD(weft_params, relaxation),
      FIELD(weft_params, pbd_stretch), FIELD(weft_params, global_damping)};
  for (size_t k = 0; k < COUNT_OF(fields); ++k) {
    weft_params params = {0};
    weft_error err = {0};
    put(&params, &fields[k], -1e-6f);
    weft_params_resolve(&params, &out, &err);
    is_sentence(&err, WEFT_ERROR_ARGUMENT, fields[k].name);
  }
  weft_error err = {0};
  weft_params_resolve(&(weft_params){.relaxation = 1.34f}, &out, &err);
  is_sentence(&err, WEFT_ERROR_ARGUMENT, "relaxation");
  assert_int_equal(weft_params_resolve(&(weft_params){.relaxation = 1.333f}, &out, NULL), WEFT_OK);
}

static void every_field_of_a_collider_refuses_what_is_no_number(void **state) {
  (void)state;
  static const field fields[] = {FIELD(weft_collider, a.x),
                                 FIELD(weft_collider, a.y),
                                 FIELD(weft_collider, a.z),
                                 FIELD(weft_collider, friction_static),
                                 FIELD(weft_collider, friction_dynamic),
                                 FIELD(weft_collider, rotation.x),
                                 FIELD(weft_collider, rotation.y),
                                 FIELD(weft_collider, rotation.z),
                                 FIELD(weft_collider, b.x),
                                 FIELD(weft_collider, b.z),
                                 FIELD(weft_collider, radius),
                                 FIELD(weft_collider, half_size.x),
                                 FIELD(weft_collider, half_size.y),
                                 FIELD(weft_collider, half_size.z)};
  const float values[] = {NAN, INFINITY, -INFINITY, FLT_MAX};
  enum { SHAPED = 8 }; /* fields from here on are not those of every shape */
  for (int shape = WEFT_COLLIDER_PLANE; shape <= WEFT_COLLIDER_BOX; ++shape) {
    for (size_t k = 0; k < COUNT_OF(fields); ++k) {
      bool b = k == SHAPED || k == SHAPED + 1, radius = k == SHAPED + 2;
      if (b && shape != WEFT_COLLIDER_PLANE && shape != WEFT_COLLIDER_CAPSULE) continue;
      if (radius && shape != WEFT_COLLIDER_SPHERE && shape != WEFT_COLLIDER_CAPSULE) continue;
      if (k > SHAPED + 2 && shape != WEFT_COLLIDER_BOX) continue;
      for (size_t i = 0; i < COUNT_OF(values); ++i) {
        weft_collider c = {.shape = (weft_collider_shape)shape,
                           .b = {0, 1, 0},
                           .radius = 1,
                           .half_size = {1, 1, 1}};
        weft_params out;
        weft_error err = {0};
        const weft_params params = {.colliders = &c, .collider_count = 1};
        assert_int_equal(weft_params_resolve(&params, &out, NULL), WEFT_OK);
        put(&c, &fields[k], values[i]);
        weft_params_resolve(&params, &out, &err);
        is_sentence(&err, WEFT_ERROR_ARGUMENT, fields[k].name);
      }
    }
  }
}

/* ---- cloth ---- */

static const weft_vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
static const uint32_t two[6] = {0, 1, 2, 1, 3, 2};

static weft_model *preprocess(const weft_vec3 *positions, const weft_material *material,
                              const weft_pin *pin, weft_error *err) {
  weft_vec3 x[4];
  uint32_t t[6];
  memcpy(x, positions, sizeof x);
  memcpy(t, two, sizeof t);
  const weft_mesh mesh = {.vertex_count = 4, .triangle_count = 2, .positions = x, .triangles = t};
  const weft_model_desc desc = {.mesh = &mesh,
                                .material = material,
                                .bending = WEFT_BENDING_DIHEDRAL,
                                .pins = pin,
                                .pin_count = pin != NULL};
  weft_model *model = NULL;
  weft_model_create(&desc, &model, err);
  return model;
}

static void every_field_of_a_material_refuses_what_is_no_number(void **state) {
  (void)state;
  static const field fields[] = {
      FIELD(weft_material, area_density), FIELD(weft_material, damping_time),
      FIELD(weft_material, stretch_warp), FIELD(weft_material, stretch_weft),
      FIELD(weft_material, shear),        FIELD(weft_material, bending)};
  const float values[] = {NAN, -INFINITY, -1, -FLT_MIN, INFINITY};
  for (size_t k = 0; k < COUNT_OF(fields); ++k) {
    /* Infinite stiffness is a material; infinite density and damping are not. */
    for (size_t i = 0; i < COUNT_OF(values) - (k >= 2); ++i) {
      weft_material m = *weft_material_find("denim");
      weft_error err = {0};
      put(&m, &fields[k], values[i]);
      assert_null(preprocess(square, &m, NULL, &err));
      is_sentence(&err, WEFT_ERROR_ARGUMENT, fields[k].name);
    }
  }
  weft_material weightless = *weft_material_find("denim");
  weft_error err = {0};
  weightless.area_density = 0;
  assert_null(preprocess(square, &weightless, NULL, &err));
  is_sentence(&err, WEFT_ERROR_ARGUMENT, "area density 0");
}

static void vertices_that_no_cloth_can_have_are_refused(void **state) {
  (void)state;
  const weft_vec3 bad[] = {
      {NAN, 0, 0},    {0, INFINITY, 0}, {0, 0, -INFINITY},
      {1.1e6f, 0, 0}, {1, 0, 0}, /* vertex 1's place: no triangle of vertex 0 has an area */
      {1, 0, 1e-10f}};
  for (size_t k = 0; k < COUNT_OF(bad); ++k) {
    weft_vec3 x[4];
    memcpy(x, square, sizeof x);
    x[2] = bad[k];
    weft_error err = {0};
    assert_null(preprocess(x, NULL, NULL, &err));
    is_sentence(&err, WEFT_ERROR_MESH, "vertex");
    bool named = strstr(err.message, "vertex 2") || strstr(err.message, "vertices 1 and 2") ||
                 (k == 4 && strstr(err.message, "vertex 0 has a mass of 0 kg"));
    if (!named) fail_msg("no vertex named: %s", err.message);
  }
}

static void repair_refuses_what_it_cannot_read(void **state) {
  (void)state;
  weft_vec3 x[4];
  uint32_t t[6] = {0, 1, 2, 1, 4, 2};
  memcpy(x, square, sizeof x);
  weft_mesh mesh = {.vertex_count = 4, .triangle_count = 2, .positions = x, .triangles = t};
  weft_error err = {0};
  weft_mesh_repair(&mesh, NULL, &err);
  is_sentence(&err, WEFT_ERROR_MESH, "index");
  assert_non_null(strstr(err.message, "triangle 1 names vertex 4"));
}

/* ---- what runs, and how ---- */

static weft_solver *solve(const weft_model *model, const weft_params *params) {
  weft_solver *solver = NULL;
  weft_error err = {0};
  weft_params plain = *params;
  plain.plain = true;
  if (weft_solver_create(model, &plain, weft_backend_ref(), &solver, &err)) {
    fail_msg("%s", err.message);
  }
  return solver;
}

static void run(weft_solver *solver, uint32_t frames, weft_metrics *m) {
  for (uint32_t f = 0; f < frames; ++f) assert_int_equal(weft_solver_step(solver, NULL), WEFT_OK);
  assert_int_equal(weft_solver_metrics(solver, m, NULL), WEFT_OK);
  assert_int_equal(m->nonfinite, 0);
}

static void cloth_pinned_everywhere_stays_where_it_is(void **state) {
  (void)state;
  const weft_pin all = {.rule = WEFT_PIN_BOX, .box_min = {-9, -9, -9}, .box_max = {9, 9, 9}};
  weft_error err = {0};
  weft_model *model = preprocess(square, NULL, &all, &err);
  assert_non_null(model);
  for (int mode = 0; mode < 3; ++mode) {
    weft_solver *solver = solve(model, &(weft_params){.mode = (weft_mode)mode,
                                                      .iterations = 3,
                                                      .global_damping = 1,
                                                      .air_density = 1.2f,
                                                      .wind = {1000, 0, 0}});
    weft_metrics m;
    weft_vec3 x[4];
    run(solver, 5, &m);
    assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
    assert_memory_equal(x, square, sizeof x);
    assert_true(m.max_speed == 0);
    weft_solver_destroy(solver);
  }
  weft_model_destroy(model);
}

/* Coincident particles: their link has no direction and rests; both fall as one. */
static void coincident_particles_fall_together(void **state) {
  (void)state;
  const weft_vec3 x[] = {{0, 1, 0}, {0, 1, 0}, {0.5f, 1, 0}};
  const float masses[] = {1, 2, 1e18f};
  const weft_link links[] = {{.a = 0, .b = 1, .rest_length = 0.5f},
                             {.a = 0, .b = 1, .rest_length = 0.1f, .compliance = 1e-3f},
                             {.a = 1, .b = 0, .rest_length = 0.1f, .sense = WEFT_SENSE_AT_LEAST}};
  weft_model *model = NULL;
  const weft_particles_desc desc = {
      .particle_count = 3, .positions = x, .masses = masses, .links = links, .link_count = 3};
  assert_int_equal(weft_model_create_particles(&desc, &model, NULL), WEFT_OK);
  weft_solver *solver = solve(model, &(weft_params){.iterations = 2});
  weft_metrics m;
  run(solver, 30, &m);
  weft_vec3 now[3];
  assert_int_equal(weft_solver_read(solver, now, NULL, NULL), WEFT_OK);
  assert_memory_equal(&now[0], &now[1], sizeof now[0]);
  /* n substeps of dt fall g*n*(n+1)/2*dt^2, here n = 600, dt = 1/1200: half a second. */
  double fallen = 9.81 * 600 * 601 / 2 / 1200 / 1200;
  assert_true(fabs((double)now[0].y - (1 - fallen)) < 1e-3);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void links_that_are_none_are_refused_by_number(void **state) {
  (void)state;
  const weft_link bad[] = {{.a = 0, .b = 1, .rest_length = 0},
                           {.a = 0, .b = 1, .rest_length = -1},
                           {.a = 0, .b = 1, .rest_length = NAN},
                           {.a = 0, .b = 1, .rest_length = INFINITY},
                           {.a = 1, .b = 1, .rest_length = 1},
                           {.a = 0, .b = 4, .rest_length = 1},
                           {.a = UINT32_MAX, .b = 1, .rest_length = 1},
                           {.a = 0, .b = 1, .rest_length = 1, .compliance = -1},
                           {.a = 0, .b = 1, .rest_length = 1, .compliance = NAN},
                           {.a = 0, .b = 1, .rest_length = 1, .compliance = INFINITY},
                           {.a = 0, .b = 1, .rest_length = 1, .damping = -1},
                           {.a = 0, .b = 1, .rest_length = 1, .damping = NAN},
                           {.a = 0, .b = 1, .rest_length = 1, .sense = (weft_sense)3}};
  for (size_t k = 0; k < COUNT_OF(bad); ++k) {
    const weft_link links[] = {{.a = 0, .b = 1, .rest_length = 1}, bad[k]};
    const float masses[] = {1, 1, 1, 0};
    weft_model *model = NULL;
    weft_error err = {0};
    const weft_particles_desc desc = {.particle_count = 4,
                                      .positions = square,
                                      .masses = masses,
                                      .links = links,
                                      .link_count = 2};
    weft_model_create_particles(&desc, &model, &err);
    assert_null(model);
    is_sentence(&err, WEFT_ERROR_ARGUMENT, "link");
    assert_non_null(strstr(err.message, "link 1"));
  }
}

static void masses_out_of_range_are_refused_by_number(void **state) {
  (void)state;
  const float bad[] = {-1, NAN, INFINITY, -INFINITY, FLT_MIN, 1e-19f, 1e19f, FLT_MAX, -0.0f};
  for (size_t k = 0; k < COUNT_OF(bad); ++k) {
    const float masses[] = {1, 1, bad[k], 0};
    weft_model *model = NULL;
    weft_error err = {0};
    const weft_particles_desc desc = {.particle_count = 4, .positions = square, .masses = masses};
    weft_model_create_particles(&desc, &model, &err);
    if (bad[k] == 0) { /* minus zero pins as zero does */
      assert_non_null(model);
      assert_int_equal(weft_model_pinned_count(model), 2);
      weft_model_destroy(model);
      continue;
    }
    assert_null(model);
    is_sentence(&err, WEFT_ERROR_ARGUMENT, "mass");
    assert_non_null(strstr(err.message, "particle 2"));
  }
}

/* The very centre of a sphere has no way out, nor has a particle on the axis of a capsule. */
static void a_particle_at_the_centre_is_left_alone(void **state) {
  (void)state;
  const weft_vec3 x[] = {{0, 0, 0}, {0.25f, 0, 0}};
  const float masses[] = {1, 1};
  const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE, .radius = 1};
  weft_model *model = NULL;
  const weft_particles_desc desc = {.particle_count = 2, .positions = x, .masses = masses};
  assert_int_equal(weft_model_create_particles(&desc, &model, NULL), WEFT_OK);
  weft_solver *solver = solve(
      model,
      &(weft_params){.no_gravity = true, .colliders = &ball, .collider_count = 1, .substeps = 1});
  weft_metrics m;
  weft_vec3 now[2];
  run(solver, 1, &m);
  assert_int_equal(weft_solver_read(solver, now, NULL, NULL), WEFT_OK);
  assert_memory_equal(&now[0], &x[0], sizeof now[0]);
  assert_true(fabsf(now[1].x - 1) < 1e-5f); /* the other one stands on the surface */
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void a_thousand_substeps_and_iterations_run(void **state) {
  (void)state;
  const weft_pin top = {.rule = WEFT_PIN_TOP};
  weft_error err = {0};
  weft_model *model = preprocess(square, NULL, &top, &err);
  const weft_params params[] = {{.substeps = WEFT_MAX_SUBSTEPS},
                                {.iterations = WEFT_MAX_ITERATIONS, .substeps = 2},
                                {.iterations = WEFT_MAX_ITERATIONS, .substeps = WEFT_MAX_SUBSTEPS},
                                {.frame_dt = 1e-6f, .substeps = WEFT_MAX_SUBSTEPS}};
  for (size_t k = 0; k < COUNT_OF(params); ++k) {
    weft_solver *solver = solve(model, &params[k]);
    weft_metrics m;
    run(solver, 2, &m);
    assert_true(m.strain_max < 1e-3);
    weft_solver_destroy(solver);
  }
  weft_model_destroy(model);
}

static void a_state_that_is_not_finite_is_not_written(void **state) {
  (void)state;
  weft_error err = {0};
  weft_model *model = preprocess(square, NULL, NULL, &err);
  weft_solver *solver = solve(model, &(weft_params){0});
  uint64_t before = 0, after = 0;
  before = rig_hash(solver);
  weft_vec3 x[4], v[4] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, INFINITY, 0}};
  memcpy(x, square, sizeof x);
  x[0].y = 5;
  weft_solver_write(solver, x, v, &err);
  is_sentence(&err, WEFT_ERROR_NOT_FINITE, "velocity");
  assert_non_null(strstr(err.message, "velocity of particle 3"));
  after = rig_hash(solver);
  assert_true(before == after);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_parameter_refuses_what_is_no_number),
      cmocka_unit_test(zero_asks_for_the_default_and_negative_is_refused),
      cmocka_unit_test(every_field_of_a_collider_refuses_what_is_no_number),
      cmocka_unit_test(every_field_of_a_material_refuses_what_is_no_number),
      cmocka_unit_test(vertices_that_no_cloth_can_have_are_refused),
      cmocka_unit_test(repair_refuses_what_it_cannot_read),
      cmocka_unit_test(cloth_pinned_everywhere_stays_where_it_is),
      cmocka_unit_test(coincident_particles_fall_together),
      cmocka_unit_test(links_that_are_none_are_refused_by_number),
      cmocka_unit_test(masses_out_of_range_are_refused_by_number),
      cmocka_unit_test(a_particle_at_the_centre_is_left_alone),
      cmocka_unit_test(a_thousand_substeps_and_iterations_run),
      cmocka_unit_test(a_state_that_is_not_finite_is_not_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
