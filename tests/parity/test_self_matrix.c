/* Self-collision together with everything else that moves cloth: modes, schedules, lines, levels,
 * attachments, the grab, pins and colliders that move, wind, damping. A sheet lies folded in three,
 * and its layers are thrown at each other. Whatever else is on, no frame of it has an intersection,
 * every backend has the same bits, and without self-collision the same run goes through itself. */
#include "../physics/rig.h"
/* after rig.h */
#include "cpu.h"
#include "intersections.h"

/* ---- which runs ---- */

/* Twelve settings are on or off beside mode and schedule: 36,864 runs. Every two settings that go
 * together, in all their values, are in one of these rows (a covering array of strength two, found
 * by greedy search from random starts). A test counts that. */
enum { SETTINGS = 14 };
typedef struct row {
  weft_mode mode;
  weft_schedule schedule;
  int pbd, thrice, lines, levels, lra, grab, pins, wind, colliders, friction, each, damped;
} row;

#define GS WEFT_MODE_GS
#define JACOBI WEFT_MODE_JACOBI
#define HYBRID WEFT_MODE_HYBRID
#define AUTO WEFT_SCHEDULE_AUTO
#define COLOURS WEFT_SCHEDULE_COLOURS
#define PATCHES WEFT_SCHEDULE_PATCHES

static const row rows[] = {
    {GS, COLOURS, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1},
    {GS, PATCHES, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1},
    {GS, PATCHES, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0},
    {GS, PATCHES, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1},
    {GS, AUTO, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0},
    {JACOBI, COLOURS, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1},
    {JACOBI, AUTO, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1},
    {JACOBI, AUTO, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0},
    {HYBRID, COLOURS, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0},
    {HYBRID, COLOURS, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1},
    {HYBRID, AUTO, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* What does not go together, with or without self-collision, and how it is refused. */
typedef struct refusal {
  row settings;
  const char *words;
} refusal;

static const refusal refusals[] = {
    {{.mode = JACOBI, .schedule = PATCHES}, "schedule patches sweeps Gauss-Seidel"},
    {{.mode = HYBRID, .schedule = PATCHES}, "schedule patches sweeps Gauss-Seidel"},
    {{.pbd = 1, .lines = 1}, "they need method xpbd"},
};
enum { REFUSALS = sizeof refusals / sizeof *refusals };

/* As numbers: mode and schedule from 0 to 2, the others 0 or 1. */
static void values_of(const row *r, int values[SETTINGS]) {
  const int all[SETTINGS] = {(int)r->mode, (int)r->schedule, r->pbd,  r->thrice, r->lines,
                             r->levels,    r->lra,           r->grab, r->pins,   r->wind,
                             r->colliders, r->friction,      r->each, r->damped};
  memcpy(values, all, sizeof all);
}

/* ---- the sheet ---- */

enum { COLUMNS = 20, LINES = 12, PARTICLES = COLUMNS * LINES, FRAMES = 4, SUBSTEPS = 12 };
/* A pin in the middle of the lowest layer, one at its corner, and what the grab pulls, in the
 * uppermost. */
enum { MIDDLE = (LINES / 2) * COLUMNS + 3, CORNER = 0, GRABBED = (LINES / 2) * COLUMNS + 16 };
static const double length = 0.42, apart = 0.018, speed = 0.9;
static const double pi = 3.14159265358979323846;

static weft_model *sheet(void) {
  const uint32_t list[] = {CORNER, MIDDLE};
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = list, .list_count = 2};
  const weft_grid_desc grid = {.rows = LINES,
                               .columns = COLUMNS,
                               .width = (float)length,
                               .height = 0.24f,
                               .plane = WEFT_PLANE_XZ};
  return rig_grid_model(&grid, (weft_model_desc){.material = weft_material_find("tablecloth"),
                                                 .bending = WEFT_BENDING_ISOMETRIC,
                                                 .pins = &pin,
                                                 .pin_count = 1});
}

/* Where a thread of the weft is after so much of its length: to and fro and to, with half circles
 * between. */
static weft_vec3 folded(double along, double z) {
  double radius = apart / 2, bend = pi * radius, layer = (length - 2 * bend) / 3;
  double x = along, y = 0;
  if (along > layer) {
    double angle = fmin((along - layer) / radius, pi);
    x = layer + radius * sin(angle);
    y = radius * (1 - cos(angle));
  }
  if (along > layer + bend) x = layer - (along - layer - bend);
  if (along > 2 * layer + bend) {
    double angle = fmin((along - 2 * layer - bend) / radius, pi);
    x = -radius * sin(angle);
    y = apart + radius * (1 - cos(angle));
  }
  if (along > 2 * (layer + bend)) x = along - 2 * (layer + bend);
  /* Layers a little askew, so that vertices are not over vertices. */
  return weft_v3((float)x, (float)(y + 0.0004 * sin(40 * x + 33 * z)), (float)(z + 0.13 * y));
}

static void fold(weft_solver *solver, const weft_model *model) {
  weft_vec3 x[PARTICLES], v[PARTICLES];
  for (uint32_t i = 0; i < PARTICLES; ++i) {
    double along = length * (i % COLUMNS) / (COLUMNS - 1);
    x[i] = folded(along, (double)model->rest_positions[i].z);
    double layer = (double)x[i].y / apart; /* 0, 1 or 2, and between in the bends */
    v[i] = weft_v3(0, i == CORNER || i == MIDDLE ? 0 : (float)(speed * (1 - layer)), 0);
  }
  rig_write(solver, x, v);
}

/* ---- what moves it ---- */

/* A ball comes up against the lowest layer; a capsule is dragged down onto the uppermost. */
static const weft_collider_key rising[] = {{.time = 0, .a = {0.06f, -0.09f, 0}},
                                           {.time = 0.05f, .a = {0.06f, -0.05f, 0.01f}}};
static const weft_collider colliders[] = {{.shape = WEFT_COLLIDER_SPHERE,
                                           .radius = 0.06f,
                                           .friction_static = 0.4f,
                                           .friction_dynamic = 0.3f,
                                           .keys = rising,
                                           .key_count = 2},
                                          {.shape = WEFT_COLLIDER_CAPSULE,
                                           .a = {-0.1f, 0.09f, -0.05f},
                                           .b = {0.2f, 0.09f, -0.08f},
                                           .radius = 0.03f}};

static weft_params params_of(const row *r, bool self) {
  weft_params p = {
      .self_collision = self,
      .self_room = 32, /* three layers that are pressed together have 20 pairs a particle */
      .substeps = SUBSTEPS,
      .mode = r->mode,
      .hybrid_min = 100, /* of a colour, so that some are below */
      .schedule = r->schedule,
      .method = r->pbd ? WEFT_METHOD_PBD : WEFT_METHOD_XPBD,
      .iterations = r->thrice ? 3 : 1,
      .line_sweeps = r->lines ? 1 : 0,
      .multilevel = r->levels ? 8 : 0,
      .lra = r->lra ? 2 : 0,
      .grab = r->grab,
      .collide_each_iteration = r->each};
  if (r->wind) {
    p.air_density = 1.2f;
    p.wind = weft_v3(1, -4, 1);
    p.gust = 0.5f;
  }
  if (r->colliders) {
    p.colliders = colliders;
    p.collider_count = sizeof colliders / sizeof *colliders;
  }
  if (r->friction) p.self_static = 0.5f, p.self_dynamic = 0.4f;
  if (r->damped) p.global_damping = 3;
  return p;
}

/* Before frame f: a pin is driven up through the layers above it, what is grabbed is pulled down
 * through those below. */
static void move(weft_solver *solver, const row *r, uint32_t f) {
  weft_error err = {0};
  const float up[FRAMES] = {0.02f, 0.05f, 0.07f, 0.02f};
  if (r->pins) {
    const uint32_t list[] = {CORNER, MIDDLE};
    const weft_vec3 corner = rig_position(solver, CORNER);
    const weft_vec3 to[] = {{corner.x - 0.01f, corner.y + 0.01f, corner.z}, {0.06f, up[f], 0.01f}};
    assert_int_equal(weft_solver_move_pins(solver, list, to, 2, &err), WEFT_OK);
  }
  if (r->grab) {
    const weft_vec3 down = {0.08f, 0.02f - up[f], 0};
    if (f == 0) assert_int_equal(weft_solver_grab(solver, GRABBED, down, &err), WEFT_OK);
    assert_int_equal(weft_solver_move_grab(solver, down, &err), WEFT_OK);
  }
  if (r->colliders) {
    const weft_vec3 by = {0, -0.5f * up[f], 0};
    assert_int_equal(weft_solver_move_collider(solver, 1, by, &err), WEFT_OK);
  }
}

/* ---- a run ---- */

typedef struct seen {
  uint64_t hashes[FRAMES], crossings[FRAMES];
  weft_metrics metrics[FRAMES];
  weft_schedule schedule;
} seen;

static uint64_t crossings(weft_solver *solver, const weft_model *model) {
  weft_vec3 x[PARTICLES];
  weft_error err = {0};
  weft_intersections found;
  assert_int_equal(weft_solver_read(solver, x, NULL, &err), WEFT_OK);
  assert_int_equal(weft_count_intersections(x, PARTICLES, model->triangles, model->triangle_count,
                                            NULL, &found, &err),
                   WEFT_OK);
  return found.triangle_pairs;
}

static seen run(const weft_model *model, const row *r, bool self, const weft_backend *backend) {
  const weft_params params = params_of(r, self);
  weft_solver *solver = rig_solver(model, &params, backend);
  weft_error err = {0};
  seen s = {.schedule = weft_solver_schedule(solver)};
  fold(solver, model);
  assert_true(crossings(solver, model) == 0);
  for (uint32_t f = 0; f < FRAMES; ++f) {
    move(solver, r, f);
    rig_step(solver, 1);
    s.hashes[f] = rig_hash(solver);
    s.crossings[f] = crossings(solver, model);
    assert_int_equal(weft_solver_metrics(solver, &s.metrics[f], &err), WEFT_OK);
    assert_int_equal(s.metrics[f].nonfinite, 0);
  }
  weft_solver_destroy(solver);
  return s;
}

static uint64_t most_crossings(const seen *s) {
  uint64_t most = 0;
  for (uint32_t f = 0; f < FRAMES; ++f) most = s->crossings[f] > most ? s->crossings[f] : most;
  return most;
}

static void expect_same(size_t k, const weft_backend *backend, const seen *a, const seen *b) {
  for (uint32_t f = 0; f < FRAMES; ++f) {
    const weft_metrics *m = &a->metrics[f], *other = &b->metrics[f];
    bool counts = m->self_candidates == other->self_candidates &&
                  m->self_pairs == other->self_pairs && m->self_limited == other->self_limited &&
                  m->self_detections == other->self_detections &&
                  m->self_pauses == other->self_pauses && m->self_driven == other->self_driven;
    if (a->hashes[f] != b->hashes[f] || !counts) {
      fail_msg("row %zu on %s: other %s after frame %u", k, weft_backend_name(backend),
               counts ? "bits" : "counts", f + 1);
    }
  }
}

/* ---- tests ---- */

static bool goes_together(int a, int x, int b, int y) {
  for (size_t k = 0; k < REFUSALS; ++k) {
    int no[SETTINGS];
    values_of(&refusals[k].settings, no);
    bool about = true; /* what is refused differs from nothing in just these two */
    for (int s = 0; s < SETTINGS; ++s) about = about && (no[s] == 0) == (s != a && s != b);
    if (about && no[a] == x && no[b] == y) return false;
  }
  return true;
}

static void any_two_settings_meet_in_a_row(void **state) {
  (void)state;
  uint32_t pairs = 0;
  for (int a = 0; a < SETTINGS; ++a) {
    for (int b = a + 1; b < SETTINGS; ++b) {
      for (int x = 0; x < (a < 2 ? 3 : 2); ++x) {
        for (int y = 0; y < (b < 2 ? 3 : 2); ++y) {
          bool met = false;
          for (size_t k = 0; k < ROWS; ++k) {
            int v[SETTINGS];
            values_of(&rows[k], v);
            met = met || (v[a] == x && v[b] == y);
          }
          if (met != goes_together(a, x, b, y)) {
            fail_msg("settings %d and %d, at %d and %d: %s", a, b, x, y,
                     met ? "refused and in a row" : "in no row");
          }
          ++pairs;
        }
      }
    }
  }
  print_message("%u pairs in %d rows\n", pairs, (int)ROWS);
}

/* No row's result is another's by a setting that does nothing. */
static void every_setting_moves_the_cloth(void **state) {
  (void)state;
  static const row plain = {.thrice = 1, .colliders = 1};
  static const row others[] = {
      {.mode = JACOBI, .thrice = 1, .colliders = 1},
      {.mode = HYBRID, .thrice = 1, .colliders = 1},
      {.schedule = PATCHES, .thrice = 1, .colliders = 1},
      {.pbd = 1, .thrice = 1, .colliders = 1},
      {.colliders = 1},
      {.lines = 1, .thrice = 1, .colliders = 1},
      {.levels = 1, .thrice = 1, .colliders = 1},
      {.lra = 1, .thrice = 1, .colliders = 1},
      {.grab = 1, .thrice = 1, .colliders = 1},
      {.pins = 1, .thrice = 1, .colliders = 1},
      {.wind = 1, .thrice = 1, .colliders = 1},
      {.thrice = 1},
      {.friction = 1, .thrice = 1, .colliders = 1},
      {.each = 1, .thrice = 1, .colliders = 1},
      {.damped = 1, .thrice = 1, .colliders = 1},
  };
  enum { OTHERS = sizeof others / sizeof *others };
  weft_model *model = sheet();
  uint64_t ends[OTHERS + 1];
  for (size_t k = 0; k <= OTHERS; ++k) {
    seen s = run(model, k == OTHERS ? &plain : &others[k], true, weft_backend_cpu(0));
    ends[k] = s.hashes[FRAMES - 1];
    for (size_t j = 0; j < k; ++j) {
      if (ends[j] == ends[k]) fail_msg("runs %zu and %zu end alike", j, k);
    }
  }
  weft_model_destroy(model);
}

static void rows_stay_free_with_the_same_bits(void **state) {
  const weft_cpu_desc descs[] = {{.threads = 1, .tile = 100},
                                 {.threads = 3, .exactly = true, .lanes = weft_lanes_usable(4)}};
  enum { ON_CPU = sizeof descs / sizeof *descs };
  weft_backend on_cpu[ON_CPU];
  const weft_backend *backends[ON_CPU + 1];
  for (size_t b = 0; b < ON_CPU; ++b) {
    on_cpu[b] = weft_cpu_backend_of(&descs[b]);
    backends[b] = &on_cpu[b];
  }
  backends[ON_CPU] = rig_gl_context ? rig_backend(state) : NULL;
  weft_model *model = sheet();
  uint64_t limited = 0, driven = 0;
  for (size_t k = 0; k < ROWS; ++k) {
    const row *r = &rows[k];
    seen expected = run(model, r, true, weft_backend_ref());
    seen without = run(model, r, false, weft_backend_cpu(0));
    seen doubles = run(model, r, true, weft_backend_f64());
    uint64_t pairs = 0, row_limited = 0, row_driven = 0;
    for (uint32_t f = 0; f < FRAMES; ++f) {
      pairs += expected.metrics[f].self_pairs;
      row_limited += expected.metrics[f].self_limited;
      row_driven += expected.metrics[f].self_driven;
      assert_int_equal(expected.metrics[f].self_overflows, 0); /* then all would rest */
    }
    limited += row_limited;
    driven += row_driven;
    print_message("row %zu: %llu pairs, %llu motions cut, %llu pins held; %llu without\n", k,
                  (unsigned long long)pairs, (unsigned long long)row_limited,
                  (unsigned long long)row_driven, (unsigned long long)most_crossings(&without));
    assert_true(most_crossings(&expected) == 0 && most_crossings(&doubles) == 0);
    assert_true(pairs > 1000 && most_crossings(&without) > 10);
    for (size_t b = 0; b <= ON_CPU && backends[b]; ++b) {
      seen other = run(model, r, true, backends[b]);
      expect_same(k, backends[b], &expected, &other);
      assert_int_equal(other.schedule, r->schedule == PATCHES ? PATCHES : COLOURS);
    }
  }
  assert_true(limited > 0 && driven > 0);
  weft_model_destroy(model);
}

/* ---- what is refused ---- */

static void expect_refused(const weft_model *model, const weft_params *params,
                           const weft_backend *backend, weft_result code, const char *words) {
  weft_solver *solver = NULL;
  weft_error err = {0};
  weft_result result = weft_solver_create(model, params, backend, &solver, &err);
  if (result != code || solver || !strstr(err.message, words)) {
    fail_msg("%d, wanted %d; no \"%s\" in: %s", (int)result, (int)code, words, err.message);
  }
}

static void what_does_not_go_together_is_refused(void **state) {
  (void)state;
  weft_model *model = sheet();
  const weft_backend *const backends[] = {weft_backend_ref(), weft_backend_cpu(0)};
  const weft_params pairs = {.self_collision = true, .compensated = true};
  for (int b = 0; b < 2; ++b) {
    for (size_t k = 0; k < REFUSALS; ++k) {
      const weft_params params = params_of(&refusals[k].settings, true);
      expect_refused(model, &params, backends[b], WEFT_ERROR_ARGUMENT, refusals[k].words);
    }
    expect_refused(model, &pairs, backends[b], WEFT_ERROR_ARGUMENT, "does not go with compensated");
  }
  weft_model_destroy(model);
}

/* ---- the single dispatch ---- */

/* It has no passes of self-collision. Where all backends have colours anyway it means nothing. */
static void the_single_dispatch_yields_to_colours(void **state) {
  weft_model *model = sheet();
  row r = {.schedule = WEFT_SCHEDULE_SINGLE, .friction = 1};
  seen on_ref = run(model, &r, true, weft_backend_ref());
  seen on_cpu = run(model, &r, true, weft_backend_cpu(0));
  assert_int_equal(on_ref.schedule, COLOURS);
  expect_same(0, weft_backend_cpu(0), &on_ref, &on_cpu);
  if (rig_gl_context) {
    const weft_backend *gl = rig_backend(state);
    const weft_params single = params_of(&r, true);
    expect_refused(model, &single, gl, WEFT_ERROR_LIMIT,
                   "schedule single cannot run this: it has no self-collision");
    assert_int_equal(run(model, &r, false, gl).schedule, WEFT_SCHEDULE_SINGLE);
    r.schedule = AUTO;
    assert_int_equal(run(model, &r, false, gl).schedule, WEFT_SCHEDULE_SINGLE);
    seen by_itself = run(model, &r, true, gl);
    assert_int_equal(by_itself.schedule, COLOURS);
    expect_same(0, gl, &on_ref, &by_itself);
  }
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_two_settings_meet_in_a_row),
      cmocka_unit_test(every_setting_moves_the_cloth),
      {"rows_stay_free_with_the_same_bits", rows_stay_free_with_the_same_bits, NULL, NULL,
       &rig_places[1]},
      cmocka_unit_test(what_does_not_go_together_is_refused),
      {"the_single_dispatch_yields_to_colours", the_single_dispatch_yields_to_colours, NULL, NULL,
       &rig_places[1]},
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
