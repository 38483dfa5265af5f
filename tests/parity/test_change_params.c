/* Parameters that change in a solver that runs, row by row of params.def: set before the first
 * frame, frames are those of a solver made so; set later, those of one that was made so and took
 * the state over. What is refused leaves the solver as it was. */
#include "../physics/rig.h"
/* after rig.h */
#include <weft/change.h>

#include "base.h"
#include "param.h"

enum { BEFORE = 4, AFTER = 4, NEW_TABLES, SAME_INSTANCE };

typedef struct setup {
  weft_model *model;
  weft_params params;
} setup;

static const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE,
                                   .a = {0, -0.3f, 0.1f},
                                   .radius = 0.25f,
                                   .friction_static = 0.3f,
                                   .friction_dynamic = 0.2f};

/* Every mechanism that a row belongs to acts in one of these. */
static setup sheet_in_the_wind(void) {
  weft_grid_desc grid = {.rows = 9, .columns = 9};
  return (setup){rig_sheet(&grid, "tshirt", WEFT_BENDING_DIHEDRAL, false, WEFT_PIN_CORNERS),
                 {.substeps = 6,
                  .multilevel = 2, /* which take their slack from gravity */
                  .lra = 1,
                  .wind = {3, 0, 1},
                  .gust = 0.3f,
                  .air_density = 1.2f,
                  .damping = 0.2f,
                  .global_damping = 0.3f,
                  .thickness = 0.01f,
                  .grab = true,
                  .colliders = &ball,
                  .collider_count = 1}};
}

/* Its lower half is folded up, and slides down along the other. */
static setup cloth_on_itself(void) {
  static weft_vec3 start[81];
  weft_grid_desc grid = {.rows = 9, .columns = 9};
  weft_model *model =
      rig_sheet(&grid, "tablecloth", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  for (uint32_t i = 0; i < 81; ++i) {
    start[i] = model->rest_positions[i];
    if (i / 9 <= 4) continue;
    start[i].y = 2 * model->rest_positions[4 * 9].y - start[i].y;
    start[i].z = 0.015f;
  }
  return (setup){model,
                 {.substeps = 6,
                  .start = start,
                  .self_collision = true,
                  .self_thickness = 0.02f,
                  .self_static = 0.3f,
                  .self_dynamic = 0.2f,
                  .line_sweeps = 1,
                  .colliders = &ball,
                  .collider_count = 1}};
}

static setup grains(void) {
  static weft_vec3 at[18];
  static float masses[18];
  for (uint32_t k = 0; k < 18; ++k) {
    at[k] = weft_v3(0.018f * (float)(k % 3), 0.018f * (float)(k / 9), 0.019f * (float)(k / 3 % 3));
    masses[k] = 0.01f;
  }
  static const weft_collider ground = {.b = {0.2f, 1, 0}, .friction_static = 0.2f};
  const weft_particles_desc desc = {
      .particle_count = 18, .positions = at, .masses = masses, .radius = 0.01f};
  return (setup){rig_particles(&desc),
                 {.substeps = 6,
                  .particle_contact = true,
                  .contact_static = 0.4f,
                  .contact_dynamic = 0.3f,
                  .colliders = &ground,
                  .collider_count = 1}};
}

typedef setup setup_function(void);
static setup_function *const setups[] = {sheet_in_the_wind, cloth_on_itself, grains};
enum { SETUPS = sizeof setups / sizeof *setups };

/* ---- another value of a row ---- */

static void put(weft_params *p, uint32_t row, double value) {
  const weft_param_info *info = &weft_param_infos[row];
  void *at = (char *)p + info->offset;
  switch (info->kind) {
    case WEFT_KIND_REAL:
      *(float *)at = (float)value;
      break;
    case WEFT_KIND_VEC3:
      *(weft_vec3 *)at = weft_v3(0.4f, (float)value, -0.7f);
      break;
    case WEFT_KIND_FLAG:
      *(bool *)at = value != 0;
      break;
    case WEFT_KIND_COUNT:
    case WEFT_KIND_CHOICE:
      *(uint32_t *)at = (uint32_t)value;
      break;
  }
}

static double other_value(const weft_params *p, uint32_t row) {
  const weft_param_info *info = &weft_param_infos[row];
  const double v = weft_param_of(p, row, info->kind == WEFT_KIND_VEC3);
  switch (info->kind) {
    case WEFT_KIND_COUNT:
      return v < info->high ? v + 1 : v - 1;
    case WEFT_KIND_CHOICE:
      return v == 0 ? 1 : 0;
    case WEFT_KIND_FLAG:
      return v == 0;
    case WEFT_KIND_REAL:
    case WEFT_KIND_VEC3:
      break;
  }
  const double more = v == 0 ? fmin(0.1, info->high) : v * 1.25;
  return more <= info->high ? more : v * 0.75;
}

static weft_result try_solver(const setup *s, const weft_params *p, const weft_backend *b,
                              weft_solver **solver, weft_error *err) {
  return weft_solver_create(s->model, p, b, solver, err);
}

static weft_params changed(const weft_solver *solver, uint32_t row) {
  weft_params p = *weft_solver_params(solver);
  put(&p, row, other_value(&p, row));
  return p;
}

static void set(weft_solver *solver, const weft_params *p, const char *row) {
  weft_error err = {0};
  if (weft_solver_set_params(solver, p, &err) != WEFT_OK) fail_msg("%s: %s", row, err.message);
}

/* Refused as at creation, and nothing happened. */
static void expect_refusal(weft_solver *solver, const weft_params *p, const weft_error *made) {
  weft_error err = {0};
  const uint64_t before = rig_hash(solver);
  const void *instance = solver->instance;
  assert_int_equal(weft_solver_set_params(solver, p, &err), made->code);
  assert_string_equal(err.message, made->message);
  assert_true(rig_hash(solver) == before && solver->instance == instance);
  rig_step(solver, 1);
}

/* Returns whether the backend went on with its instance, 0: it was refused. `plain`: of a run that
 * changes nothing. */
static int check_row(const setup *s, const weft_backend *backend, uint32_t row, uint64_t plain,
                     bool *acts) {
  const char *name = weft_param_infos[row].name;
  weft_error refusal = {0};
  weft_solver *early = rig_solver(s->model, &s->params, backend), *made = NULL;
  weft_params wanted = changed(early, row);
  wanted.colliders = s->params.colliders; /* which outlive the solver */
  wanted.start = s->params.start;
  if (try_solver(s, &wanted, backend, &made, &refusal) != WEFT_OK) {
    expect_refusal(early, &wanted, &refusal);
    weft_solver_destroy(early);
    return 0;
  }
  const void *instance = early->instance;
  set(early, &wanted, name);
  const int kind = early->instance == instance ? SAME_INSTANCE : NEW_TABLES;
  rig_step(early, AFTER);
  rig_step(made, AFTER);
  if (rig_hash(early) != rig_hash(made)) fail_msg("%s, set at first", name);
  if (acts) *acts |= rig_hash(made) != plain;
  weft_solver_destroy(early);
  weft_solver_destroy(made);
  if (backend == weft_backend_f64())
    return kind; /* of which a state that is taken over is rounded */
  weft_solver *late = rig_solver(s->model, &s->params, backend), *over = NULL;
  rig_step(late, BEFORE);
  weft_vec3 *now = weft_alloc(s->model->particle_count, sizeof *now);
  assert_int_equal(weft_solver_read(late, now, NULL, NULL), WEFT_OK);
  if (row == WEFT_PARAM_self_collision) wanted.start = now; /* what intersects now is marked */
  assert_int_equal(try_solver(s, &wanted, backend, &over, NULL), WEFT_OK);
  weft_free(now);
  assert_int_equal(weft_solver_copy_state_from(over, late, NULL), WEFT_OK);
  set(late, &wanted, name);
  rig_step(late, AFTER);
  rig_step(over, AFTER);
  if (rig_hash(late) != rig_hash(over)) fail_msg("%s, set in mid-run", name);
  assert_true(weft_solver_time(late) == weft_solver_time(over));
  weft_solver_destroy(late);
  weft_solver_destroy(over);
  return kind;
}

/* Of what is held, and of the start alone. */
static bool is_idle(uint32_t row) {
  return row == WEFT_PARAM_touches_itself || row == WEFT_PARAM_tangled ||
         row == WEFT_PARAM_grab_patch || row == WEFT_PARAM_grab_stiffness ||
         row == WEFT_PARAM_grab_damping || row == WEFT_PARAM_grab_limit;
}

/* Lines, which every setup of cloth has, do not go with it. */
static bool is_of_pbd(uint32_t row) {
  return row == WEFT_PARAM_pbd_stretch || row == WEFT_PARAM_pbd_bending;
}

static void every_row_changes_as_if_it_had_been_so(void **state) {
  (void)state;
  uint32_t tried[WEFT_PARAM_COUNT] = {0};
  bool acts[WEFT_PARAM_COUNT] = {0}, kept[WEFT_PARAM_COUNT] = {0};
  for (int k = 0; k < SETUPS; ++k) {
    const setup s = setups[k]();
    const uint64_t plain = rig_hash_after(s.model, &s.params, weft_backend_ref(), AFTER);
    for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
      const int kind = check_row(&s, weft_backend_ref(), row, plain, &acts[row]);
      if (kind == 0) continue;
      ++tried[row];
      const bool in_place = weft_param_infos[row].at_once || weft_param_infos[row].refills;
      if (!in_place && kind == SAME_INSTANCE) {
        fail_msg("%s says that it takes new tables", weft_param_infos[row].name);
      }
      kept[row] |= kind == SAME_INSTANCE;
    }
    weft_model_destroy(s.model);
  }
  for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
    if (!tried[row]) fail_msg("%s was refused everywhere", weft_param_infos[row].name);
    if (weft_param_infos[row].at_once && !acts[row] && !is_idle(row)) {
      fail_msg("%s changed nothing in any setup", weft_param_infos[row].name);
    }
    if (weft_param_infos[row].refills && !kept[row] && !is_of_pbd(row)) {
      fail_msg("%s took new tables in every setup", weft_param_infos[row].name);
    }
  }
}

static void rows_change_alike_on_every_backend(void **state) {
  (void)state;
  const weft_backend *backends[] = {weft_backend_cpu(1), weft_backend_cpu(2), weft_backend_f64(),
                                    rig_backend_on(test_gl)};
  for (int k = 0; k < SETUPS; ++k) {
    setup s = setups[k]();
    for (size_t b = 0; b < sizeof backends / sizeof *backends; ++b) {
      for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
        const weft_param_info *info = &weft_param_infos[row];
        /* All passes in one dispatch are made anew. */
        s.params.schedule = info->refills ? WEFT_SCHEDULE_COLOURS : WEFT_SCHEDULE_AUTO;
        if (info->at_once || info->refills) check_row(&s, backends[b], row, 0, NULL);
      }
    }
    weft_model_destroy(s.model);
  }
}

/* A run in which everything at once changes each frame, in new and old tables: equal bits. */
static uint64_t changing_run(const setup *s, const weft_backend *backend) {
  weft_solver *solver = rig_solver(s->model, &s->params, backend);
  uint64_t hash = WEFT_HASH_SEED;
  for (uint32_t f = 0; f < 12; ++f) {
    weft_params p = *weft_solver_params(solver);
    p.wind.x = 5 * sinf((float)f);
    p.gravity = weft_v3(sinf((float)f), -9, cosf((float)f));
    p.damping = 0.1f * (float)f;
    if (f == 5) p.substeps = 9;
    if (f == 8) p.iterations = 2;
    set(solver, &p, "all");
    rig_step(solver, 1);
    const uint64_t one = rig_hash(solver);
    hash = weft_hash_bytes(hash, &one, sizeof one);
  }
  weft_solver_destroy(solver);
  return hash;
}

static void a_run_of_changes_has_the_same_bits_everywhere(void **state) {
  (void)state;
  for (int k = 0; k < SETUPS; ++k) {
    setup s = setups[k]();
    const uint64_t wanted = changing_run(&s, weft_backend_ref());
    assert_true(changing_run(&s, weft_backend_cpu(1)) == wanted);
    assert_true(changing_run(&s, weft_backend_cpu(2)) == wanted);
    s.params.schedule = WEFT_SCHEDULE_COLOURS;
    assert_true(changing_run(&s, rig_backend_on(test_gl)) == wanted);
    s.params.schedule = WEFT_SCHEDULE_AUTO;
    assert_true(changing_run(&s, rig_backend_on(test_gl)) == wanted);
    weft_model_destroy(s.model);
  }
}

/* Cloth of many vectors, in all the layouts that the backend cpu has for it. */
static setup larger(int kind) {
  const weft_bending bending = kind & 1 ? WEFT_BENDING_DIHEDRAL : WEFT_BENDING_ISOMETRIC;
  const weft_grid_desc grid = {.rows = 33, .columns = 37};
  const weft_disc_desc disc = {.rings = 17};
  weft_mesh mesh = {0};
  const weft_result result =
      kind & 2 ? weft_mesh_disc(&disc, &mesh, NULL) : weft_mesh_grid(&grid, &mesh, NULL);
  assert_int_equal(result, WEFT_OK);
  const uint32_t held[2] = {0, 40};
  const weft_pin pins = {.rule = WEFT_PIN_LIST, .list = held, .list_count = 2};
  weft_model *model = NULL;
  const weft_model_desc desc = {.mesh = &mesh, .bending = bending, .pins = &pins, .pin_count = 1};
  assert_int_equal(weft_model_create(&desc, &model, NULL), WEFT_OK);
  weft_mesh_free(&mesh);
  return (setup){model, {.plain = true, .substeps = 5, .line_sweeps = kind & 4 ? 2 : 0, .lra = 1}};
}

/* Each frame has other substeps and, now and then, iterations. */
static uint64_t uneven_run(const setup *s, const weft_backend *backend) {
  weft_solver *solver = rig_solver(s->model, &s->params, backend);
  const void *instance = solver->instance;
  uint64_t hash = WEFT_HASH_SEED;
  for (uint32_t f = 0; f < 12; ++f) {
    weft_params p = *weft_solver_params(solver);
    p.substeps = 5 + f * 7 % 4;
    p.iterations = 1 + f / 5;
    if (f == 9) p.frame_dt *= 0.8f;
    set(solver, &p, "substeps and iterations");
    rig_step(solver, 1);
    const uint64_t one = rig_hash(solver);
    hash = weft_hash_bytes(hash, &one, sizeof one);
  }
  assert_ptr_equal(solver->instance, instance);
  weft_solver_destroy(solver);
  return hash;
}

static void numbers_that_are_packed_change_with_their_tables(void **state) {
  (void)state;
  for (int kind = 0; kind < 8; ++kind) {
    const setup s = larger(kind);
    const uint64_t wanted = uneven_run(&s, weft_backend_ref());
    assert_true(uneven_run(&s, weft_backend_cpu(1)) == wanted);
    assert_true(uneven_run(&s, weft_backend_cpu(3)) == wanted);
    weft_model_destroy(s.model);
  }
}

/* ---- other models ---- */

/* One of this model that took the state over. */
static weft_solver *made_of(const weft_model *model, weft_solver *late) {
  weft_params p = *weft_solver_params(late);
  weft_solver *over = rig_solver(model, &p, weft_solver_backend(late));
  assert_int_equal(weft_solver_copy_state_from(over, late, NULL), WEFT_OK);
  return over;
}

static void expect_the_same(weft_solver *late, weft_solver *over, const char *what) {
  for (uint32_t f = 0; f < 3; ++f) {
    rig_step(late, 1);
    rig_step(over, 1);
    if (rig_hash(late) != rig_hash(over)) fail_msg("%s, frame %u", what, f);
  }
  weft_solver_destroy(over);
}

static void drag(weft_solver *solver, uint32_t particle) {
  const weft_vec3 x = rig_position(solver, particle);
  const weft_vec3 to = weft_v3_add(x, weft_v3(0.01f, 0.005f, 0.02f));
  assert_int_equal(weft_solver_move_pins(solver, &particle, &to, 1, NULL), WEFT_OK);
}

static void pin(weft_solver *solver, const uint32_t *particles, uint32_t count, bool pinned) {
  assert_int_equal(weft_solver_set_pins(solver, particles, count, pinned ? 1 : 0, NULL), WEFT_OK);
}

static void check_models(const setup *s, const weft_model *other, const weft_backend *backend) {
  static const uint32_t more[3] = {37, 20, 52}, fewer[1] = {20};
  weft_solver *late = rig_solver(s->model, &s->params, backend);
  const void *instance = late->instance;
  rig_step(late, BEFORE);
  weft_solver *over = made_of(other, late);
  assert_int_equal(weft_solver_set_model(late, other, NULL), WEFT_OK);
  expect_the_same(late, over, "another fabric");
  for (int released = 0; released < 2; ++released) {
    weft_model *pinned = NULL;
    const uint32_t *which = released ? fewer : more, count = released ? 1 : 3;
    assert_int_equal(
        weft_model_with_pins(weft_solver_model(late), which, count, !released, &pinned, NULL),
        WEFT_OK);
    over = made_of(pinned, late);
    if (released) drag(late, 37);
    if (released) drag(over, 37);
    pin(late, which, count, !released);
    expect_the_same(late, over, released ? "released while another is moved" : "pinned");
    weft_model_destroy(pinned);
  }
  assert_ptr_equal(late->instance, instance);
  weft_solver_destroy(late);
}

static void other_models_of_the_same_constraints_keep_the_instance(void **state) {
  (void)state;
  const weft_grid_desc grid = {.rows = 9, .columns = 9};
  weft_model *others[2] = {
      rig_sheet(&grid, "denim", WEFT_BENDING_DIHEDRAL, false, WEFT_PIN_CORNERS),
      rig_sheet(&grid, "denim", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS)};
  const weft_backend *backends[] = {weft_backend_ref(), weft_backend_cpu(1), weft_backend_cpu(2),
                                    rig_backend_on(test_gl)};
  for (int k = 0; k < 2; ++k) {
    setup s = setups[k]();
    s.params.schedule = WEFT_SCHEDULE_COLOURS;
    s.params.multilevel = 0; /* which take new tables */
    s.params.collider_count = 0;
    for (size_t b = 0; b < sizeof backends / sizeof *backends; ++b) {
      check_models(&s, others[k], backends[b]);
    }
    weft_model_destroy(s.model);
    weft_model_destroy(others[k]);
  }
}

/* What was set to 0 stays 0 when tables are made anew. */
static void no_gravity_stays_no_gravity(void **state) {
  (void)state;
  const setup s = sheet_in_the_wind();
  weft_solver *solver = rig_solver(s.model, &s.params, weft_backend_ref());
  weft_params p = *weft_solver_params(solver);
  p.no_gravity = true;
  set(solver, &p, "no_gravity");
  assert_true(weft_solver_params(solver)->gravity.y == 0);
  p = *weft_solver_params(solver);
  p.substeps = 7;
  set(solver, &p, "substeps");
  assert_true(weft_solver_params(solver)->gravity.y == 0);
  p = *weft_solver_params(solver);
  p.gravity.y = -3;
  set(solver, &p, "gravity");
  assert_true(weft_solver_params(solver)->gravity.y == -3);
  weft_solver_destroy(solver);
  weft_model_destroy(s.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_changes_as_if_it_had_been_so),
      cmocka_unit_test(rows_change_alike_on_every_backend),
      cmocka_unit_test(a_run_of_changes_has_the_same_bits_everywhere),
      cmocka_unit_test(numbers_that_are_packed_change_with_their_tables),
      cmocka_unit_test(other_models_of_the_same_constraints_keep_the_instance),
      cmocka_unit_test(no_gravity_stays_no_gravity),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
