/* What stands still although it was to move is counted, with frame, reason and pair, the same on
 * every backend; what lies, hangs or is not pulled is not. */
#include "rig.h"

enum { SIDE = 9, SHEET = SIDE * SIDE };

/* Two level sheets of their own, one `apart` above the other; vertices of the upper one come last.
 */
static weft_model *two_sheets(float apart) {
  weft_mesh one = rig_grid(&(weft_grid_desc){.rows = SIDE, .columns = SIDE});
  const uint32_t triangles = one.triangle_count;
  weft_mesh both = {.vertex_count = 2 * SHEET, .triangle_count = 2 * triangles};
  both.positions = calloc(2 * SHEET, sizeof *both.positions);
  both.triangles = calloc(6 * (size_t)triangles, sizeof *both.triangles);
  for (uint32_t i = 0; i < 2 * SHEET; ++i) {
    const float across = 0.025f * (float)(i % SIDE), along = 0.025f * (float)(i % SHEET / SIDE);
    both.positions[i] = weft_v3(across, i < SHEET ? 0 : apart, along);
  }
  for (uint32_t c = 0; c < 6 * triangles; ++c) {
    const bool upper = c >= 3 * triangles;
    both.triangles[c] = one.triangles[c % (3 * triangles)] + (upper ? SHEET : 0);
  }
  weft_model *model = rig_preprocess(&(weft_model_desc){
      .mesh = &both, .material = weft_material_find("tablecloth"), .bending = WEFT_BENDING_NONE});
  free(both.positions);
  free(both.triangles);
  weft_mesh_free(&one);
  return model;
}

static weft_standstill still_of(weft_solver *solver) {
  weft_standstill s;
  weft_error err = {0};
  assert_int_equal(weft_solver_standstill(solver, &s, &err), WEFT_OK);
  return s;
}

/* All that fall are held, from the first frame on. */
typedef struct held {
  float apart;
  bool on_pins; /* the lower sheet is pinned, and nothing pushes */
  bool full;    /* lists are of one pair a particle and stay so */
  weft_still_reason reason;
} held;

static const held all_held[] = {
    {5e-7f, false, false, WEFT_STILL_UNCERTAIN}, /* a quarter of the floor of 2^-17 m is 1.9e-6 */
    {3e-6f, true, false, WEFT_STILL_CUT}, /* told apart, and less than half the floor: no room */
    {1e-3f, false, true, WEFT_STILL_LIST},
};

static weft_standstill hold_sheets(const held *h, const weft_backend *backend) {
  weft_model *model = two_sheets(h->apart);
  const uint32_t pinned = h->on_pins ? SHEET : 0, free = 2 * SHEET - pinned;
  const weft_params params = {
      .self_collision = true, .no_self_pushes = h->on_pins, .self_room = h->full ? 1 : 0};
  memset(model->inverse_masses, 0, pinned * sizeof *model->inverse_masses);
  model->pinned_count = pinned;
  weft_solver *solver = rig_solver(model, &params, backend);
  assert_int_equal(still_of(solver).count, 0);
  (h->full ? rig_step_without_room : rig_step)(solver, 2);
  const weft_standstill s = still_of(solver);
  assert_int_equal(s.count, free);
  assert_int_equal(s.free, free);
  assert_true(s.all);
  assert_int_equal(s.since, 1);
  assert_int_equal(s.reason, h->reason);
  assert_int_equal(s.of_reason[h->reason], s.count);
  if (h->full) {
    assert_int_equal(s.pair[0], WEFT_NO_PARTICLE);
  } else { /* of both sheets, and as far apart as these */
    assert_true((s.pair[0] < SHEET) != (s.pair[3] < SHEET));
    rig_near(s.distance, (double)h->apart, 1e-3 * (double)h->apart, "distance of the nearest pair");
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  return s;
}

static void have_same(const weft_standstill *a, const weft_standstill *b) {
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->since, b->since);
  assert_int_equal(a->reason, b->reason);
  assert_memory_equal(a->of_reason, b->of_reason, sizeof a->of_reason);
  assert_memory_equal(a->pair, b->pair, sizeof a->pair);
  assert_int_equal(a->edges, b->edges);
}

static void what_is_held_is_told_with_its_reason(void **state) {
  const weft_backend *backends[] = {weft_backend_cpu(2), weft_backend_f64(), rig_backend(state)};
  for (size_t k = 0; k < sizeof all_held / sizeof *all_held; ++k) {
    const weft_standstill ref = hold_sheets(&all_held[k], weft_backend_ref());
    for (size_t b = 0; b < sizeof backends / sizeof *backends; ++b) {
      const weft_standstill s = hold_sheets(&all_held[k], backends[b]);
      have_same(&ref, &s);
    }
  }
}

/* A tube about a ball that begins inside of it: what throws it out would take it through itself. */
static weft_model *tube(void) {
  enum { AROUND = 32, DOWN = 12 };
  static weft_vec3 x[AROUND * (DOWN + 1)];
  static uint32_t corners[6 * AROUND * DOWN];
  uint32_t *t = corners;
  for (uint32_t i = 0; i < AROUND * (DOWN + 1); ++i) {
    const double turn = 6.2831853 * (i % AROUND) / AROUND, down = (double)(i / AROUND) / DOWN;
    const double radius = 0.2 + 0.1 * down;
    x[i] = weft_v3((float)(radius * cos(turn)), (float)(1.2 - 0.3 * down),
                   (float)(radius * sin(turn)));
  }
  for (uint32_t i = 0; i < AROUND * DOWN; ++i) {
    const uint32_t next = i / AROUND * AROUND + (i + 1) % AROUND;
    *t++ = i, *t++ = next, *t++ = next + AROUND;
    *t++ = i, *t++ = next + AROUND, *t++ = i + AROUND;
  }
  const weft_mesh mesh = {.vertex_count = AROUND * (DOWN + 1),
                          .triangle_count = 2 * AROUND * DOWN,
                          .positions = x,
                          .triangles = corners};
  const weft_pin pin = {.rule = WEFT_PIN_TOP};
  return rig_preprocess(&(weft_model_desc){
      .mesh = &mesh, .material = weft_material_find("tablecloth"), .pins = &pin, .pin_count = 1});
}

static weft_standstill thrown(const weft_backend *backend) {
  weft_model *model = tube();
  const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE,
                              .a = {0, 1, 0},
                              .radius = 0.33f,
                              .friction_static = 0.4f,
                              .friction_dynamic = 0.3f};
  const weft_params params = {.self_collision = true,
                              .self_static = 0.5f,
                              .self_dynamic = 0.4f,
                              .thickness = 0.0018f,
                              .line_sweeps = 4,
                              .lra = 1,
                              .colliders = &ball,
                              .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_step(solver, 1);
  weft_metrics m;
  weft_error err = {0};
  assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
  assert_int_equal(m.self_pauses, 0);
  assert_true(m.self_limited > 1000);
  const weft_standstill s = still_of(solver);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  return s;
}

/* What is still being cut after all detections but one shortens the motions of that contact step,
 * and nothing is held but what is near. */
static void cuts_hold_back_what_is_near(void **state) {
  const weft_standstill ref = thrown(weft_backend_ref()), other = thrown(rig_backend(state)),
                        cpu = thrown(weft_backend_cpu(0));
  assert_true(ref.count < ref.free / 4);
  have_same(&ref, &other);
  have_same(&ref, &cpu);
}

/* Nothing is told of cloth that falls and comes to rest with friction, sheet on sheet on the floor,
 * though most of it does not move any more. */
static void what_lies_is_not_told(void **state) {
  const weft_collider floor = {.shape = WEFT_COLLIDER_PLANE,
                               .a = {0, -0.02f, 0},
                               .b = {0, 1, 0},
                               .friction_static = 0.6f,
                               .friction_dynamic = 0.5f};
  weft_model *model = two_sheets(0.004f);
  const weft_params params = {.self_collision = true,
                              .self_static = 0.5f,
                              .self_dynamic = 0.4f,
                              .damping = 5,
                              .colliders = &floor,
                              .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  weft_vec3 *x = calloc(2 * 2 * (size_t)SHEET, sizeof *x), *before = x + 2 * (size_t)SHEET;
  uint32_t resting = 0;
  for (uint32_t f = 0; f < 90; ++f) {
    memcpy(before, x, 2 * SHEET * sizeof *x);
    rig_step(solver, 1);
    assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
    assert_int_equal(still_of(solver).count, 0);
    for (uint32_t i = 0; i < 2 * SHEET; ++i) resting += !memcmp(&x[i], &before[i], sizeof *x);
  }
  print_message("%u times a particle rested for a frame\n", resting);
  assert_true(resting > 0);
  free(x);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* Nor of what nothing pulls, of what is pinned, and where writing has begun anew. */
static void what_is_not_pulled_is_not_told(void **state) {
  weft_model *model = two_sheets(5e-7f);
  const weft_params weightless = {.self_collision = true, .no_gravity = true},
                    heavy = {.self_collision = true};
  const weft_backend *backend = rig_backend(state);
  weft_solver *solver = rig_solver(model, &weightless, backend);
  rig_step(solver, 2);
  assert_int_equal(still_of(solver).count, 0);
  weft_solver_destroy(solver);
  solver = rig_solver(model, &heavy, backend);
  rig_step(solver, 2);
  assert_int_equal(still_of(solver).count, 2 * SHEET);
  weft_error err = {0};
  assert_int_equal(weft_solver_reset(solver, &err), WEFT_OK);
  assert_int_equal(still_of(solver).count, 0);
  weft_solver_destroy(solver);
  memset(model->inverse_masses, 0, 2 * SHEET * sizeof *model->inverse_masses);
  model->pinned_count = 2 * SHEET;
  solver = rig_solver(model, &heavy, backend);
  rig_step(solver, 2);
  assert_int_equal(still_of(solver).count, 0);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- a folded hem ---- */

enum { HEM_ROWS = 2 * (SIDE - 1) + 1, HEM = HEM_ROWS * SIDE };

/* One piece, folded flat along x = 0: rows go out in the lower layer and come back in the upper
 * one, 1.2e-6 m above it. */
static weft_model *hem(void) {
  static weft_vec3 x[HEM];
  static uint32_t corners[6 * (HEM_ROWS - 1) * (SIDE - 1)];
  uint32_t *t = corners;
  for (uint32_t i = 0; i < HEM; ++i) {
    const int row = (int)(i / SIDE) - (SIDE - 1);
    x[i] = weft_v3(0.025f * (float)abs(row),
                   row < 0   ? -6e-7f
                   : row > 0 ? 6e-7f
                             : 0,
                   0.025f * (float)(i % SIDE));
  }
  for (uint32_t r = 0; r + 1 < HEM_ROWS; ++r) {
    for (uint32_t c = 0; c + 1 < SIDE; ++c) {
      const uint32_t a = r * SIDE + c, b = a + SIDE;
      *t++ = a, *t++ = a + 1, *t++ = b + 1;
      *t++ = a, *t++ = b + 1, *t++ = b;
    }
  }
  const weft_mesh mesh = {.vertex_count = HEM,
                          .triangle_count = sizeof corners / sizeof *corners / 3,
                          .positions = x,
                          .triangles = corners};
  return rig_preprocess(&(weft_model_desc){
      .mesh = &mesh, .material = weft_material_find("tablecloth"), .bending = WEFT_BENDING_NONE});
}

/* It falls as a single sheet does, n(n + 1)/2 g dt^2 after n substeps, and its layers do not pass.
 */
static void a_folded_hem_falls(void **state) {
  enum { FRAMES = 6, SUBSTEPS = 20 };
  weft_model *model = hem();
  const weft_params params = {.self_collision = true, .substeps = SUBSTEPS};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  weft_vec3 x[HEM];
  for (uint32_t f = 0; f < FRAMES; ++f) {
    rig_step(solver, 1);
    assert_int_equal(still_of(solver).count, 0);
    assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
    for (uint32_t i = 0; i < (SIDE - 1) * SIDE; ++i) {
      const uint32_t over = (HEM_ROWS - 1 - i / SIDE) * SIDE + i % SIDE;
      assert_true(x[over].y > x[i].y);
    }
  }
  const double n = FRAMES * SUBSTEPS, dt = 1.0 / 60 / SUBSTEPS,
               fall = n * (n + 1) / 2 * 9.81 * dt * dt;
  for (uint32_t i = 0; i < HEM; ++i)
    rig_near((double)x[i].y, -fall, 1e-3 * fall, "height of the hem");
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(what_is_held_is_told_with_its_reason),
      RIG_BOTH(cuts_hold_back_what_is_near),
      RIG_BOTH(a_folded_hem_falls),
      RIG_BOTH(what_lies_is_not_told),
      RIG_BOTH(what_is_not_pulled_is_not_told),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
