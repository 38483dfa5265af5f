/* Loose pieces that ride on the cloth: a button and a patch over a sheet that hangs in the wind.
 * Where they are is worked out here anew, from the rest pose and the triangles of the mesh alone.
 */
#include "rig.h"
/* after rig.h */
#include "base.h"

enum { ROWS = 21, COLUMNS = 17, SHEET = ROWS * COLUMNS, RIM = 6, BUTTON = RIM + 2, SIDE = 6 };
enum { PATCH = SIDE * SIDE, ALL = SHEET + BUTTON + PATCH, LAST = SHEET + BUTTON };
enum { SHEET_TRIANGLES = 2 * (ROWS - 1) * (COLUMNS - 1), BUTTON_TRIANGLES = 2 * RIM };
enum { TRIANGLES = SHEET_TRIANGLES + BUTTON_TRIANGLES + 2 * (SIDE - 1) * (SIDE - 1) };
static const float edge = 0.02f, density = 0.2f;
static const double pi = 3.14159265358979;

/* ---- the mesh ---- */

typedef struct shirt {
  weft_mesh mesh;
  weft_vec3 positions[ALL];
  uint32_t triangles[3 * TRIANGLES];
  bool attached[ALL];
} shirt;

/* A part of a tube, as a chest is. */
static weft_vec3 on_chest(float x, float y, float out) {
  const float radius = 0.25f;
  return weft_v3((radius + out) * sinf(x / radius), y, (radius + out) * cosf(x / radius) - radius);
}

static uint32_t *add_quads(uint32_t *t, uint32_t first, uint32_t rows, uint32_t columns) {
  for (uint32_t r = 0; r + 1 < rows; ++r) {
    for (uint32_t c = 0; c + 1 < columns; ++c, t += 6) {
      const uint32_t a = first + r * columns + c, b = a + columns;
      const uint32_t corners[6] = {a, b, b + 1, a, b + 1, a + 1};
      memcpy(t, corners, sizeof corners);
    }
  }
  return t;
}

/* Two cones of RIM triangles, 12 mm wide and 3 mm thick, 2 mm above the sheet; a patch of 45 mm, as
 * far off. */
static void make(shirt *s, float out) {
  memset(s, 0, sizeof *s);
  for (uint32_t i = 0; i < SHEET; ++i) {
    const float c = (float)(i % COLUMNS), r = (float)(i / COLUMNS);
    s->positions[i] = on_chest(edge * (c - 0.5f * (COLUMNS - 1)), -edge * r, 0);
  }
  for (uint32_t k = 0; k < BUTTON; ++k) {
    const float angle = 2 * (float)pi * (float)k / RIM, radius = k < RIM ? 0.006f : 0;
    const float height = k < RIM ? 0.0035f : k == RIM ? 0.005f : 0.002f;
    s->positions[SHEET + k] =
        on_chest(0.033f + radius * cosf(angle), -0.171f + radius * sinf(angle), height + out);
    s->attached[SHEET + k] = true;
  }
  for (uint32_t k = 0; k < PATCH; ++k) {
    const float c = (float)(k % SIDE), r = (float)(k / SIDE);
    s->positions[LAST + k] = on_chest(-0.09f + 0.009f * c, -0.23f - 0.009f * r, 0.002f + out);
    s->attached[LAST + k] = true;
  }
  uint32_t *t = s->triangles;
  for (uint32_t k = 0; k < RIM;
       ++k, t += 6) { /* the button first: it is not where the cloth ends */
    const uint32_t a = SHEET + k, b = SHEET + (k + 1) % RIM;
    const uint32_t corners[6] = {a, b, SHEET + RIM, b, a, SHEET + RIM + 1};
    memcpy(t, corners, sizeof corners);
  }
  t = add_quads(t, 0, ROWS, COLUMNS);
  t = add_quads(t, LAST, SIDE, SIDE);
  assert_int_equal(t - s->triangles, 3 * TRIANGLES);
  s->mesh = (weft_mesh){.vertex_count = ALL,
                        .triangle_count = TRIANGLES,
                        .positions = s->positions,
                        .triangles = s->triangles};
}

static const weft_pin top = {.rule = WEFT_PIN_TOP};

static weft_material fabric_of(float area_density) {
  weft_material m = *weft_material_find("tshirt");
  m.area_density = area_density;
  return m;
}

static weft_model *model_of(const shirt *s) {
  const weft_material fabric = fabric_of(density);
  return rig_preprocess(&(weft_model_desc){.mesh = &s->mesh,
                                           .material = &fabric,
                                           .pins = &top,
                                           .pin_count = 1,
                                           .attached = s->attached});
}

static const weft_params windy = {.substeps = 20,
                                  .wind = {6, 1, 9},
                                  .gust = 0.5f,
                                  .air_density = 1.2f,
                                  .damping = 0.5f,
                                  .self_collision = true,
                                  .self_static = 0.5f,
                                  .self_dynamic = 0.4f};

/* ---- where things should be ---- */

typedef struct foot {
  uint32_t corners[3];
  double weights[3], distance;
} foot;

static weft_vec3d mixed(const weft_vec3 *x, const foot *f) {
  weft_vec3d sum = {0, 0, 0};
  for (int k = 0; k < 3; ++k) {
    sum = weft_v3d_add_scaled(sum, f->weights[k], weft_v3d_from(x[f->corners[k]]));
  }
  return sum;
}

/* By trying: barycentric weights in steps that are halved. */
static void refine(weft_vec3d p, const weft_vec3 *x, foot *f) {
  for (double step = 0.5; step > 1e-9; step *= 0.5) {
    for (int tries = 0, moved = 1; moved && tries < 8; ++tries) {
      moved = 0;
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
          foot next = *f;
          const double part = fmin(step, next.weights[a]);
          if (a == b || part == 0) continue;
          next.weights[a] -= part;
          next.weights[b] += part;
          next.distance = weft_v3d_distance(p, mixed(x, &next));
          if (next.distance >= f->distance) continue;
          *f = next;
          moved = 1;
        }
      }
    }
  }
}

/* The nearest point of the sheet, at any state. */
static foot nearest_foot(const shirt *s, const weft_vec3 *x, weft_vec3d p) {
  foot best = {.distance = INFINITY};
  for (uint32_t t = 0; t < TRIANGLES; ++t) {
    const uint32_t *c = s->triangles + 3 * t;
    if (c[0] >= SHEET) continue;
    foot f = {.corners = {c[0], c[1], c[2]}, .weights = {1.0 / 3, 1.0 / 3, 1.0 / 3}};
    f.distance = weft_v3d_distance(p, mixed(x, &f));
    if (f.distance > best.distance + (double)edge) continue;
    refine(p, x, &f);
    if (f.distance < best.distance) best = f;
  }
  return best;
}

static weft_vec3d middle(const weft_vec3 *x, uint32_t first, uint32_t count) {
  weft_vec3d sum = {0, 0, 0};
  for (uint32_t i = first; i < first + count; ++i) sum = weft_v3d_add(sum, weft_v3d_from(x[i]));
  return weft_v3d_scale(sum, 1.0 / count);
}

static double length_between(const weft_vec3 *x, uint32_t a, uint32_t b) {
  return weft_v3_distance(x[a], x[b]);
}

/* The button is over its foot, at its height above the sheet, and has its shape; every vertex of
 * the patch is over a foot of its own. */
static void check_places(const shirt *s, const weft_vec3 *x) {
  const foot under = nearest_foot(s, s->positions, middle(s->positions, SHEET, BUTTON));
  const weft_vec3d now = middle(x, SHEET, BUTTON);
  rig_near(weft_v3d_distance(now, mixed(x, &under)), under.distance, 2e-6, "m over its foot");
  rig_near(nearest_foot(s, x, now).distance, under.distance, 1e-3, "m over the sheet");
  for (uint32_t a = SHEET; a < LAST; ++a) {
    for (uint32_t b = SHEET; b < a; ++b) {
      rig_near(length_between(x, a, b), length_between(s->positions, a, b), 1e-6, "the shape");
    }
  }
  for (uint32_t i = LAST; i < ALL; ++i) {
    const foot own = nearest_foot(s, s->positions, weft_v3d_from(s->positions[i]));
    const weft_vec3d at = weft_v3d_from(x[i]);
    rig_near(weft_v3d_distance(at, mixed(x, &own)), own.distance, 2e-5, "m over its own foot");
  }
}

/* To which side they are: a normal has a sign. */
static void check_side(const weft_vec3 *x) {
  const weft_vec3d below = middle(x, 0, SHEET), button = middle(x, SHEET, BUTTON);
  assert_true(weft_v3d_distance(below, button) > 0);
  const uint32_t row = 8, column = 9, a = row * COLUMNS + column; /* around the button's foot */
  weft_vec3d u = weft_v3d_sub(weft_v3d_from(x[a + 1]), weft_v3d_from(x[a]));
  weft_vec3d v = weft_v3d_sub(weft_v3d_from(x[a]), weft_v3d_from(x[a + COLUMNS]));
  weft_vec3d over = weft_v3d_sub(button, weft_v3d_from(x[a]));
  assert_true(weft_v3d_dot(over, weft_v3d_cross(u, v)) > 0);
}

static void they_stay_in_their_places_in_the_wind(void **state) {
  shirt s;
  make(&s, 0);
  weft_model *model = model_of(&s);
  weft_solver *solver = rig_solver(model, &windy, rig_backend(state));
  weft_vec3 x[ALL], v[ALL];
  double furthest = 0;
  for (int frame = 1; frame <= 60; ++frame) {
    rig_step(solver, 1);
    if (frame % 20) continue;
    assert_int_equal(weft_solver_read(solver, x, v, NULL), WEFT_OK);
    check_places(&s, x);
    check_side(x);
    furthest = fmax(
        furthest, weft_v3d_distance(middle(x, SHEET, BUTTON), middle(s.positions, SHEET, BUTTON)));
  }
  assert_true(furthest > 0.02); /* the wind has moved it */
  assert_true(weft_v3_length(v[SHEET]) > 0);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- mass ---- */

static double area_of(const shirt *s) {
  double area = 0;
  for (uint32_t t = 0; t < TRIANGLES; ++t) {
    const uint32_t *c = s->triangles + 3 * t;
    area += weft_v3_triangle_area(s->positions[c[0]], s->positions[c[1]], s->positions[c[2]]);
  }
  return area;
}

static void nothing_of_their_mass_is_lost(void **state) {
  (void)state;
  shirt s;
  make(&s, 0);
  const weft_material fabric = fabric_of(density);
  weft_model *model = rig_preprocess(
      &(weft_model_desc){.mesh = &s.mesh, .material = &fabric, .attached = s.attached});
  double mass = 0;
  uint32_t without = 0;
  for (uint32_t i = 0; i < ALL; ++i) {
    without += model->inverse_masses[i] == 0;
    if (model->inverse_masses[i] > 0) mass += 1 / (double)model->inverse_masses[i];
  }
  assert_int_equal(without, BUTTON + PATCH);
  rig_near(mass, (double)density * area_of(&s), 1e-6 * mass, "kg");
  assert_int_equal(weft_model_pinned_count(model), 0);
  assert_int_equal(weft_model_attached_count(model), BUTTON + PATCH);
  weft_model_destroy(model);
}

enum { LADDER = 12, PLATE = 4 };

/* A strip of LADDER rungs, 20 mm apart, and a plate of four vertices over its last rows. */
static weft_model *ladder(bool plate) {
  weft_vec3 positions[2 * LADDER + PLATE];
  uint32_t triangles[6 * LADDER], *t = add_quads(triangles, 0, LADDER, 2);
  bool attached[2 * LADDER + PLATE] = {0};
  for (uint32_t i = 0; i < 2 * LADDER; ++i) {
    positions[i] = weft_v3(edge * (float)(i % 2), -edge * (float)(i / 2), 0);
  }
  for (uint32_t k = 0; k < PLATE; ++k) {
    positions[2 * LADDER + k] = weft_v3(edge * (3 * (float)(k % 2) - 1),
                                        -edge * ((float)LADDER - 2 + 2 * (float)(k / 2)), 0.003f);
    attached[2 * LADDER + k] = true;
  }
  t = add_quads(t, 2 * LADDER, 2, 2);
  weft_mesh mesh = {.vertex_count = plate ? 2 * LADDER + PLATE : 2 * LADDER,
                    .triangle_count = (uint32_t)(t - triangles) / 3 - (plate ? 0 : 2),
                    .positions = positions,
                    .triangles = triangles};
  weft_material fabric = fabric_of(density);
  fabric.stretch_warp = fabric.stretch_weft = fabric.shear = 20;
  return rig_preprocess(&(weft_model_desc){.mesh = &mesh,
                                           .material = &fabric,
                                           .bending = WEFT_BENDING_NONE,
                                           .pins = &top,
                                           .pin_count = 1,
                                           .attached = plate ? attached : NULL});
}

/* m: how much longer row r is. */
static void measure_rows(bool plate, const weft_backend *backend, double stretch[LADDER - 1]) {
  weft_model *model = ladder(plate);
  const weft_params params = {.substeps = 40, .iterations = 8, .damping = 6};
  weft_solver *solver = rig_solver(model, &params, backend);
  weft_vec3 x[2 * LADDER + PLATE];
  rig_step(solver, 240);
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  for (uint32_t r = 0; r + 1 < LADDER; ++r) {
    const double upper = 0.5 * ((double)x[2 * r].y + (double)x[2 * r + 1].y);
    const double lower = 0.5 * ((double)x[2 * r + 2].y + (double)x[2 * r + 3].y);
    stretch[r] = upper - lower - (double)edge;
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* Hooke: a row becomes longer in proportion to all that hangs on it. */
static void cloth_sags_by_their_weight(void **state) {
  double alone[LADDER - 1], loaded[LADDER - 1];
  const double plate = 6 * (double)(edge * edge), cell = (double)(edge * edge);
  measure_rows(false, rig_backend(state), alone);
  measure_rows(true, rig_backend(state), loaded);
  for (uint32_t r = 1; r < 6; ++r) {
    const double below = cell * (LADDER - 1.5 - r); /* half of the cell itself */
    rig_near(loaded[r] / alone[r], (below + plate) / below, 0.02 * (below + plate) / below,
             "what a row stretches, over that without the plate");
  }
}

/* ---- all backends, modes and schedules ---- */

static void check_equal(const weft_model *model, const weft_params *params,
                        const weft_backend *backend, const char *name) {
  const uint64_t wanted = rig_hash_after(model, params, weft_backend_ref(), 6);
  print_message("%s\n", name);
  assert_true(rig_hash_after(model, params, backend, 6) == wanted);
  assert_true(rig_hash_after(model, params, weft_backend_cpu(1), 6) == wanted);
  assert_true(rig_hash_after(model, params, weft_backend_cpu(2), 6) == wanted);
}

static void every_way_has_the_same_bits(void **state) {
  shirt s;
  make(&s, 0);
  weft_model *model = model_of(&s);
  const weft_backend *backend = rig_backend(state);
  weft_params p = windy;
  p.substeps = 8;
  check_equal(model, &p, backend, "self-collision");
  p.self_collision = false;
  p.schedule = WEFT_SCHEDULE_SINGLE;
  p.lra = 2;
  p.line_sweeps = 2;
  check_equal(model, &p, backend, "single dispatch, attachments, lines");
  p.schedule = WEFT_SCHEDULE_PATCHES;
  p.line_sweeps = 0;
  check_equal(model, &p, backend, "patches");
  p.schedule = WEFT_SCHEDULE_COLOURS;
  p.mode = WEFT_MODE_JACOBI;
  p.method = WEFT_METHOD_PBD;
  p.global_damping = 1;
  check_equal(model, &p, backend, "jacobi, pbd, global damping");
  weft_params pairs = {.compensated = true, .substeps = 8, .iterations = 2};
  check_equal(model, &pairs, backend, "pairs of floats");
  weft_model_destroy(model);
}

static void doubles_agree_with_floats(void **state) {
  (void)state;
  shirt s;
  make(&s, 0);
  weft_model *model = model_of(&s);
  weft_params p = windy;
  p.self_collision = false;
  weft_vec3 x[2][ALL];
  for (int k = 0; k < 2; ++k) {
    weft_solver *solver = rig_solver(model, &p, k ? weft_backend_f64() : weft_backend_cpu(1));
    rig_step(solver, 4);
    assert_int_equal(weft_solver_read(solver, x[k], NULL, NULL), WEFT_OK);
    weft_solver_destroy(solver);
  }
  for (uint32_t i = 0; i < ALL; ++i) {
    assert_true(weft_v3_distance(x[0][i], x[1][i]) < 1e-4);
  }
  weft_model_destroy(model);
}

static void joined_models_move_as_each_alone(void **state) {
  shirt s;
  make(&s, 0);
  weft_model *model = model_of(&s), *joined = NULL;
  const weft_model *three[3] = {model, model, model};
  assert_int_equal(weft_model_join(three, 3, &joined, NULL), WEFT_OK);
  assert_int_equal(weft_model_attached_count(joined), 3 * (BUTTON + PATCH));
  weft_params p = windy;
  p.substeps = 8;
  weft_vec3 *x = calloc(4 * ALL, sizeof *x);
  weft_solver *all = rig_solver(joined, &p, rig_backend(state));
  weft_solver *one = rig_solver(model, &p, weft_backend_ref());
  rig_step(all, 6);
  rig_step(one, 6);
  assert_int_equal(weft_solver_read(all, x, NULL, NULL), WEFT_OK);
  assert_int_equal(weft_solver_read(one, x + 3 * ALL, NULL, NULL), WEFT_OK);
  for (int m = 0; m < 3; ++m) assert_memory_equal(x + m * ALL, x + 3 * ALL, ALL * sizeof *x);
  weft_solver_destroy(all);
  weft_solver_destroy(one);
  weft_model_destroy(joined);
  weft_model_destroy(model);
  free(x);
}

/* ---- what is attached ---- */

static uint32_t found_in(const shirt *s, bool *attached) {
  return weft_mesh_find_attached(&s->mesh, attached);
}

static void small_pieces_that_lie_on_the_cloth_are_found(void **state) {
  (void)state;
  shirt s;
  bool attached[ALL];
  make(&s, 0);
  assert_int_equal(found_in(&s, attached), 2);
  assert_memory_equal(attached, s.attached, sizeof attached);
  make(&s, 0.06f); /* hanging in the air */
  assert_int_equal(found_in(&s, attached), 0);
  make(&s, 0.02f); /* further than a button is wide, and not than a patch may be off */
  assert_int_equal(found_in(&s, attached), 1);
  assert_true(attached[LAST] && !attached[SHEET]);
  make(&s, 0);
  for (uint32_t i = LAST; i < ALL; ++i)
    s.positions[i].y *= 2; /* twice the area: cloth of its own */
  assert_int_equal(found_in(&s, attached), 1);
  assert_true(!attached[LAST] && attached[SHEET]);
}

/* Their start is where the cloth's start has them; nothing of them is in the way of anything. */
static void they_start_with_the_cloth(void **state) {
  (void)state;
  shirt s;
  make(&s, 0);
  weft_model *model = model_of(&s);
  weft_vec3 start[ALL], x[ALL];
  for (uint32_t i = 0; i < ALL; ++i) { /* turned about y, and the pieces left behind */
    const weft_vec3 p = s.positions[i];
    start[i] = i < SHEET ? weft_v3(p.z, p.y + 0.3f, -p.x) : p;
  }
  weft_params p = windy;
  p.start = start;
  weft_solver *solver = rig_solver(model, &p, weft_backend_cpu(1));
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  for (uint32_t i = SHEET; i < ALL; ++i) {
    const weft_vec3 q = s.positions[i];
    assert_true(weft_v3_distance(x[i], weft_v3(q.z, q.y + 0.3f, -q.x)) < 1e-6);
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* A ray that hits the button means the cloth beneath. */
static void what_is_picked_can_be_pulled(void **state) {
  (void)state;
  shirt s;
  make(&s, 0);
  weft_model *model = model_of(&s);
  weft_params p = windy;
  p.grab = true;
  weft_solver *solver = rig_solver(model, &p, weft_backend_cpu(1));
  const weft_vec3 at = s.positions[SHEET + RIM];
  const weft_ray ray = {
      .origin = weft_v3(at.x, at.y, at.z + 1), .direction = weft_v3(0, 0, -1), .radius = 0.002f};
  weft_hit hit;
  assert_int_equal(weft_solver_pick(solver, &ray, &hit, NULL), WEFT_OK);
  assert_true(hit.particle < SHEET);
  assert_true(weft_v3_distance(at, s.positions[hit.particle]) < 1.5 * (double)edge);
  assert_int_equal(weft_solver_grab(solver, hit.particle, at, NULL), WEFT_OK);
  weft_error err = {0};
  assert_int_equal(weft_solver_grab(solver, SHEET, at, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "attached"));
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void refuses(const shirt *s, const weft_pin *pin, const char *word) {
  weft_error err = {0};
  weft_model *model = NULL;
  const weft_model_desc desc = {
      .mesh = &s->mesh, .pins = pin, .pin_count = 1, .attached = s->attached};
  assert_int_equal(weft_model_create(&desc, &model, &err), WEFT_ERROR_ARGUMENT);
  assert_null(model);
  if (!strstr(err.message, word)) fail_msg("%s", err.message);
}

static void what_cannot_ride_is_refused(void **state) {
  (void)state;
  shirt s;
  weft_error err = {0};
  make(&s, 0);
  const uint32_t button = SHEET + 1;
  refuses(&s, &(weft_pin){.rule = WEFT_PIN_LIST, .list = &button, .list_count = 1}, "attached");
  const weft_vec3 at = s.positions[SHEET + RIM];
  refuses(&s, &(weft_pin){.rule = WEFT_PIN_BOX, .box_min = at, .box_max = at}, "no vertex");
  weft_model *model = model_of(&s), *other = NULL;
  assert_int_equal(weft_model_with_pins(model, &button, 1, true, &other, &err),
                   WEFT_ERROR_ARGUMENT);
  const uint32_t free_one = 5 * COLUMNS;
  assert_int_equal(weft_model_with_pins(model, &free_one, 1, true, &other, &err), WEFT_OK);
  assert_int_equal(weft_model_pinned_count(other), weft_model_pinned_count(model) + 1);
  assert_false(weft_model_is_pinned(other, button));
  weft_model_destroy(other);
  weft_model_destroy(model);
  s.attached[0] = true;
  refuses(&s, &top, "shares no vertex");
  memset(s.attached, true, sizeof s.attached);
  refuses(&s, &top, "nothing is left");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(they_stay_in_their_places_in_the_wind),
      cmocka_unit_test(nothing_of_their_mass_is_lost),
      RIG_BOTH(cloth_sags_by_their_weight),
      RIG_BOTH(every_way_has_the_same_bits),
      cmocka_unit_test(doubles_agree_with_floats),
      RIG_BOTH(joined_models_move_as_each_alone),
      cmocka_unit_test(small_pieces_that_lie_on_the_cloth_are_found),
      cmocka_unit_test(they_start_with_the_cloth),
      cmocka_unit_test(what_is_picked_can_be_pulled),
      cmocka_unit_test(what_cannot_ride_is_refused),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
