/* Self-collision and pins that are moved: they stop at cloth rather than go through it, come after
 * when it makes way, and are where they are told to be while nothing is in their way. */
#include "rig.h"
/* after rig.h */
#include "../rig_scene.h"
#include "base.h"
#include "intersections.h"
#include "model.h"

/* A plate of which all is pinned, above a sheet whose pins are its border or all of it. */
enum { PLATE = 7, SHEET = 15, PLATES = PLATE * PLATE, SHEETS = SHEET * SHEET };
static const float apart = 0.05f;

typedef struct meeting {
  weft_model *model;
  weft_solver *solver;
  uint64_t driven, overflows, worst;
} meeting;

static weft_mesh plate_over_sheet(void) {
  weft_grid_desc small = {.rows = PLATE, .columns = PLATE, .width = 0.1f, .height = 0.1f};
  weft_grid_desc large = {.rows = SHEET, .columns = SHEET, .width = 0.3f, .height = 0.3f};
  weft_mesh plate = rig_grid(&small), sheet = rig_grid(&large), all = {0};
  all.vertex_count = PLATES + SHEETS;
  all.triangle_count = plate.triangle_count + sheet.triangle_count;
  all.positions = weft_alloc(all.vertex_count, sizeof *all.positions);
  all.triangles = weft_alloc(3 * (size_t)all.triangle_count, sizeof *all.triangles);
  for (uint32_t i = 0; i < PLATES; ++i) {
    weft_vec3 p = plate.positions[i]; /* a little askew: no vertex over a vertex */
    all.positions[i] = weft_v3(p.x + 0.0037f, p.y - 0.0021f, apart + 0.1f * p.x);
  }
  for (uint32_t i = 0; i < SHEETS; ++i) all.positions[PLATES + i] = sheet.positions[i];
  uint32_t corners = 3 * plate.triangle_count;
  memcpy(all.triangles, plate.triangles, corners * sizeof *all.triangles);
  for (uint32_t k = 0; k < 3 * sheet.triangle_count; ++k) {
    all.triangles[corners + k] = sheet.triangles[k] + PLATES;
  }
  weft_mesh_free(&plate);
  weft_mesh_free(&sheet);
  return all;
}

static meeting meet(bool all_pinned, const weft_params *params) {
  weft_mesh mesh = plate_over_sheet();
  uint32_t list[PLATES + SHEETS], count = 0;
  for (uint32_t i = 0; i < PLATES + SHEETS; ++i) {
    uint32_t row = (i - PLATES) / SHEET, column = (i - PLATES) % SHEET;
    bool border = row == 0 || column == 0 || row == SHEET - 1 || column == SHEET - 1;
    if (i < PLATES || all_pinned || border) list[count++] = i;
  }
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = list, .list_count = count};
  meeting m = {
      .model = rig_preprocess(&(weft_model_desc){
          .mesh = &mesh, .material = weft_material_find("tshirt"), .pins = &pin, .pin_count = 1})};
  weft_free(mesh.positions);
  weft_free(mesh.triangles);
  m.solver = rig_solver(m.model, params, weft_backend_cpu(0));
  return m;
}

static void part(meeting *m) {
  weft_solver_destroy(m->solver);
  weft_model_destroy(m->model);
}

static weft_vec3 target_of(const meeting *m, uint32_t i, float down) {
  weft_vec3 p = m->model->rest_positions[i];
  return weft_v3(p.x, p.y, p.z - down);
}

/* In the next frame the plate goes to `down` below where it was. */
static void move_to(meeting *m, float down) {
  uint32_t list[PLATES];
  weft_vec3 targets[PLATES];
  weft_error err = {0};
  for (uint32_t i = 0; i < PLATES; ++i) {
    list[i] = i;
    targets[i] = target_of(m, i, down);
  }
  assert_int_equal(weft_solver_move_pins(m->solver, list, targets, PLATES, &err), WEFT_OK);
}

static void frame(meeting *m) {
  rig_step(m->solver, 1);
  weft_metrics now;
  weft_error err = {0};
  weft_intersections found;
  weft_vec3 *x = weft_alloc(PLATES + SHEETS, sizeof *x);
  assert_int_equal(weft_solver_metrics(m->solver, &now, &err), WEFT_OK);
  assert_int_equal(weft_solver_read(m->solver, x, NULL, &err), WEFT_OK);
  assert_int_equal(weft_count_intersections(x, PLATES + SHEETS, m->model->triangles,
                                            m->model->triangle_count, NULL, &found, &err),
                   WEFT_OK);
  weft_free(x);
  m->driven += now.self_driven;
  m->overflows += now.self_overflows;
  if (found.triangle_pairs > m->worst) m->worst = found.triangle_pairs;
}

/* So far down, straight, in so many frames. */
static void go(meeting *m, float from, float to, uint32_t frames) {
  for (uint32_t f = 1; f <= frames; ++f) {
    move_to(m, from + (to - from) * (float)f / (float)frames);
    frame(m);
  }
}

static void rest(meeting *m, uint32_t frames) {
  for (uint32_t f = 0; f < frames; ++f) frame(m);
}

static bool plate_is_there(const meeting *m, float down) {
  for (uint32_t i = 0; i < PLATES; ++i) {
    weft_vec3 at = rig_position(m->solver, i), to = target_of(m, i, down);
    if (at.x != to.x || at.y != to.y || at.z != to.z) return false;
  }
  return true;
}

static float lowest_of_plate(const meeting *m) {
  float low = INFINITY;
  for (uint32_t i = 0; i < PLATES; ++i) low = fminf(low, rig_position(m->solver, i).z);
  return low;
}

/* ---- tests ---- */

/* 3 m/s and 30 m/s down to far below a sheet that cannot move, a rest there, and back. */
static void pins_that_are_driven_together_stop(void **state) {
  (void)state;
  const uint32_t frames[] = {8, 1};
  for (int k = 0; k < 2; ++k) {
    const weft_params params = {.self_collision = true, .no_gravity = true};
    meeting m = meet(true, &params);
    go(&m, 0, 0.4f, frames[k]);
    rest(&m, 10);
    assert_true(m.driven > 0);
    /* Stopped, not thrown back. Cloth may come as near as floats can tell. */
    rig_near((double)lowest_of_plate(&m), 0, 1e-3, "where the plate stops");
    assert_true(lowest_of_plate(&m) > 0);
    go(&m, 0.4f, 0, frames[k]);
    rest(&m, 10);
    assert_true(plate_is_there(&m, 0));
    assert_true(m.worst == 0);
    part(&m);
  }
}

/* At 10 m/s into the middle of a sheet that can give way but is held around: it bulges, and when it
 * gives no more the plate waits. */
static void a_plate_does_not_go_through_a_sheet(void **state) {
  (void)state;
  for (uint32_t room = 1; room <= 16; room += 15) {
    const weft_params params = {.self_collision = true, .no_gravity = true, .self_room = room};
    meeting m = meet(false, &params);
    go(&m, 0, 0.5f, 3);
    rest(&m, 20);
    go(&m, 0.5f, 0, 10);
    rest(&m, 40);
    print_message("room %u: pins held back %llu times\n", room, (unsigned long long)m.driven);
    assert_true(m.worst == 0);
    assert_true(m.driven > 0);
    assert_int_equal(m.overflows, 0);
    assert_true(plate_is_there(&m, 0));
    part(&m);
  }
}

/* A pin that is far from where it should be comes after at 2 m/s; the sheet that kept it back makes
 * way far faster. */
static void a_pin_that_was_held_back_comes_after(void **state) {
  (void)state;
  const weft_params params = {.self_collision = true, .no_gravity = true};
  meeting m = meet(true, &params);
  go(&m, 0, 0.4f, 8);
  float before = lowest_of_plate(&m);
  assert_true(before > 0 && before < 1e-3f);
  uint32_t list[SHEETS];
  weft_vec3 targets[SHEETS];
  weft_error err = {0};
  for (uint32_t i = 0; i < SHEETS; ++i) {
    list[i] = PLATES + i;
    targets[i] = target_of(&m, PLATES + i, 1);
  }
  assert_int_equal(weft_solver_move_pins(m.solver, list, targets, SHEETS, &err), WEFT_OK);
  frame(&m);
  rest(&m, 5);
  rig_near((double)(before - lowest_of_plate(&m)), 2.0 * 6 / 60, 2e-3, "the way in six frames");
  rest(&m, 10);
  assert_true(plate_is_there(&m, 0.4f));
  assert_true(m.worst == 0);
  part(&m);
}

/* As fast as 30 m/s, where nothing is in the way: the bits are those without self-collision. */
static void free_pins_are_where_they_are_told(void **state) {
  (void)state;
  uint64_t hashes[2];
  for (int self = 0; self < 2; ++self) {
    const weft_params params = {.self_collision = self == 1, .no_gravity = true};
    meeting m = meet(false, &params);
    go(&m, 0, -0.5f, 1);
    assert_true(plate_is_there(&m, -0.5f));
    go(&m, -0.5f, -0.3f, 4);
    assert_true(plate_is_there(&m, -0.3f));
    assert_true(m.driven == 0);
    hashes[self] = rig_hash(m.solver);
    part(&m);
  }
  assert_true(hashes[0] == hashes[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pins_that_are_driven_together_stop),
      cmocka_unit_test(a_plate_does_not_go_through_a_sheet),
      cmocka_unit_test(a_pin_that_was_held_back_comes_after),
      cmocka_unit_test(free_pins_are_where_they_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
