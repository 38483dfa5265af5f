/* Contact steps: in which substeps they begin and end, what a look at the end of one sees, and what
 * the first detection of a frame sees, and what friction remembers from substep to substep. */
#include "../rig.h"
/* after rig.h */
#include "backend.h"

/* ---- when passes run ---- */

static uint32_t runs_of(weft_pass pass, uint32_t when) {
  uint32_t runs = 0;
  pass.when = when;
  for (uint32_t s = 0; s < pass.substeps; ++s) runs += weft_pass_runs(&pass, s) ? 1 : 0;
  return runs;
}

static void contact_steps_share_a_frame(void **state) {
  (void)state;
  for (uint32_t substeps = 1; substeps <= 100; ++substeps) {
    for (uint32_t steps = 1; steps <= substeps; ++steps) {
      weft_pass pass = {.substeps = substeps, .long_steps = steps};
      assert_int_equal(runs_of(pass, WEFT_WHEN_ALWAYS), substeps);
      assert_int_equal(runs_of(pass, WEFT_WHEN_FRAME_BEGINS), 1);
      assert_int_equal(runs_of(pass, WEFT_WHEN_STEP_BEGINS), steps);
      assert_int_equal(runs_of(pass, WEFT_WHEN_STEP_ENDS), steps);
      assert_int_equal(runs_of(pass, WEFT_WHEN_STEP_GOES_ON), substeps - steps);
      uint32_t length = 0;
      bool begins = true; /* after the end of one */
      for (uint32_t s = 0; s < substeps; ++s) {
        pass.when = WEFT_WHEN_STEP_BEGINS;
        assert_int_equal(weft_pass_runs(&pass, s), begins);
        pass.when = WEFT_WHEN_STEP_ENDS;
        begins = weft_pass_runs(&pass, s);
        ++length;
        if (!begins) continue;
        assert_true(length == substeps / steps || length == (substeps - 1) / steps + 1);
        length = 0;
      }
      assert_true(begins); /* with the frame */
    }
  }
}

static void there_are_at_most_as_many_as_substeps(void **state) {
  (void)state;
  const struct {
    float frame_dt;
    uint32_t substeps, asked, steps;
  } cases[] = {{1.0f / 60, 20, 0, 20}, {1.0f / 60, 80, 0, 20}, {1.0f / 60, 7, 0, 7},
               {1.0f / 30, 80, 0, 40}, {1e-4f, 5, 0, 2},       {1.0f / 60, 80, 33, 33},
               {1.0f / 60, 4, 33, 4},  {1.0f / 60, 99, 0, 25}, {1.0f / 60, 200, 0, 50},
               {1.0f / 60, 99, 7, 7}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    weft_params in = {
        .frame_dt = cases[k].frame_dt, .substeps = cases[k].substeps, .self_steps = cases[k].asked};
    weft_params out;
    assert_int_equal(weft_params_resolve(&in, &out, NULL), WEFT_OK);
    assert_int_equal(weft_self_steps(&out), cases[k].steps);
  }
}

/* ---- what looks see ---- */

enum { SIDE = 6, COUNT = SIDE * SIDE, SUBSTEPS = 8, STEPS = 3 };

static void read_buffer(weft_solver *solver, weft_buffer_id id, vec4 *to) {
  weft_solver_read_buffer(solver, id, 0, COUNT, to);
}

/* A sheet that falls and swings; passes are watched one by one. */
static weft_solver *falling(weft_model **model) {
  const weft_grid_desc grid = {.rows = SIDE, .columns = SIDE, .width = 0.1f, .height = 0.1f};
  *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  weft_params params = {.substeps = SUBSTEPS, .self_collision = true, .self_steps = STEPS};
  weft_solver *solver = rig_solver(*model, &params, weft_backend_ref());
  weft_vec3 x[COUNT], v[COUNT];
  weft_error err = {0};
  assert_int_equal(weft_solver_read(solver, x, v, &err), WEFT_OK);
  for (uint32_t i = 0; i < COUNT; ++i) {
    v[i] = weft_v3(0.3f, 0.2f * (float)(i % SIDE), 1 - 0.1f * (float)(i / SIDE));
  }
  rig_write(solver, x, v);
  return solver;
}

static void a_look_is_over_the_whole_way_of_a_contact_step(void **state) {
  (void)state;
  weft_model *model;
  weft_solver *solver = falling(&model);
  vec4 began[COUNT], x_prev[COUNT], x[COUNT];
  uint32_t looks = 0;
  weft_solver_begin_frame(solver);
  for (uint32_t s = 0; s < SUBSTEPS; ++s) {
    bool begins = s == 0 || s * STEPS / SUBSTEPS > (s - 1) * STEPS / SUBSTEPS;
    if (begins) read_buffer(solver, WEFT_BUFFER_X, began);
    for (size_t k = 0; k < weft_solver_pass_count(solver); ++k) {
      const weft_pass *pass = weft_solver_pass(solver, k);
      weft_solver_run_pass(solver, pass, s);
      bool looks_now = pass->kind == WEFT_PASS_SELF_PATCH && pass->detection == 0 &&
                       pass->when == WEFT_WHEN_STEP_ENDS && weft_pass_runs(pass, s);
      if (!looks_now) continue;
      read_buffer(solver, WEFT_BUFFER_X_PREV, x_prev);
      read_buffer(solver, WEFT_BUFFER_X, x);
      assert_memory_equal(x_prev, began, sizeof began);
      assert_memory_not_equal(x, began, sizeof began);
      ++looks;
    }
  }
  assert_int_equal(looks, STEPS);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void the_first_look_of_a_frame_is_ahead_by_a_contact_step(void **state) {
  (void)state;
  weft_model *model;
  weft_solver *solver = falling(&model);
  vec4 began[COUNT], predicted[COUNT], ahead[COUNT], back[COUNT];
  read_buffer(solver, WEFT_BUFFER_X, began);
  weft_solver_begin_frame(solver);
  for (size_t k = 0; k < weft_solver_pass_count(solver); ++k) {
    const weft_pass *pass = weft_solver_pass(solver, k);
    if (pass->kind == WEFT_PASS_SELF_EXTRAPOLATE) read_buffer(solver, WEFT_BUFFER_X, predicted);
    weft_solver_run_pass(solver, pass, 0);
    if (pass->kind == WEFT_PASS_SELF_EXTRAPOLATE) read_buffer(solver, WEFT_BUFFER_X, ahead);
    if (pass->kind == WEFT_PASS_SELF_RESTORE) break;
  }
  read_buffer(solver, WEFT_BUFFER_X, back);
  assert_memory_equal(back, predicted, sizeof back);
  const float most = (SUBSTEPS - 1) / STEPS + 1; /* substeps of the longest */
  for (uint32_t i = 0; i < COUNT; ++i) {
    float way = predicted[i].x - began[i].x;
    assert_true(way > 1e-4f);
    rig_near((double)(ahead[i].x - began[i].x), (double)(most * way), 1e-7, "the way ahead");
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void a_held_pin_moves_at_the_speed_of_its_contact_step(void **state) {
  (void)state;
  weft_model *model;
  weft_solver *solver = falling(&model);
  weft_uniforms u;
  weft_solver_read_buffer(solver, WEFT_BUFFER_UNIFORMS, 0, 1, &u);
  rig_near((double)u.self_inv_dt, STEPS * 60.0, 1e-3, "1 over a contact step");
  rig_near((double)u.inv_dt, SUBSTEPS * 60.0, 1e-3, "1 over a substep");
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- what friction remembers ---- */

enum { LAYERS = 2 * COUNT, ROOM = 64 * LAYERS };

/* A sheet that slides over another one and hops. */
static weft_solver *sliding(weft_model **model) {
  static weft_vec3 x[LAYERS], v[LAYERS];
  static uint32_t triangles[2 * 6 * (SIDE - 1) * (SIDE - 1)];
  uint32_t count = 0;
  for (uint32_t i = 0; i < LAYERS; ++i) {
    float c = (float)(i % SIDE), r = (float)(i % COUNT / SIDE);
    x[i] = weft_v3(0.02f * c + (i < COUNT ? 0 : 0.007f), i < COUNT ? 0 : 0.0031f, 0.02f * r);
    v[i] = i < COUNT ? weft_v3(0, 0, 0) : weft_v3(0.2f, -0.3f + 0.05f * c, 0.1f);
    if (i % SIDE == SIDE - 1 || i % COUNT / SIDE == SIDE - 1) continue;
    const uint32_t corners[6] = {i, i + SIDE, i + 1, i + 1, i + SIDE, i + SIDE + 1};
    memcpy(&triangles[count], corners, sizeof corners);
    count += 6;
  }
  weft_mesh mesh = {
      .vertex_count = LAYERS, .triangle_count = count / 3, .positions = x, .triangles = triangles};
  *model = rig_preprocess(
      &(weft_model_desc){.mesh = &mesh, .material = weft_material_find("tablecloth")});
  const weft_params params = {.substeps = 4 * SUBSTEPS,
                              .self_steps = STEPS,
                              .self_collision = true,
                              .self_thickness = 0.003f,
                              .self_static = 0.5f,
                              .self_dynamic = 0.4f,
                              .no_gravity = true};
  weft_solver *solver = rig_solver(*model, &params, weft_backend_ref());
  rig_write(solver, x, v);
  return solver;
}

typedef struct memory {
  weft_self_cached kept[ROOM];
  weft_self_plane before[ROOM], planes[ROOM];
  uvec4 pairs[ROOM];
  uint32_t kept_count, pair_count;
} memory;

static void read_pairs(weft_solver *solver, weft_self_plane *planes, memory *m) {
  uint32_t counts[WEFT_SELF_COUNTS];
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_COUNTS, 0, WEFT_SELF_COUNTS, counts);
  m->pair_count = counts[WEFT_SELF_AT_PAIRS];
  assert_true(m->pair_count <= ROOM);
  if (!m->pair_count) return;
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_PAIRS, 0, m->pair_count, m->pairs);
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_PLANES, 0, m->pair_count, planes);
}

static void read_kept(weft_solver *solver, memory *m) {
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE_COUNT, 0, 1, &m->kept_count);
  if (!m->kept_count) return;
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE, 0, m->kept_count, m->kept);
}

/* Returns how many pairs had slid, and begin anew. */
static uint32_t check_slides(const memory *m) {
  uint32_t anew = 0;
  for (uint32_t i = 0; i < m->pair_count; ++i) {
    if (!(m->planes[i].use & WEFT_SELF_PUSHES)) continue;
    weft_vec3 slide = {0, 0, 0};
    float before = 0;
    bool found = false;
    for (uint32_t k = 0; k < m->kept_count; ++k) {
      if (memcmp(&m->kept[k].pair, &m->pairs[i], sizeof m->pairs[i]) != 0) continue;
      slide = m->kept[k].slide;
      before = m->kept[k].escape;
      found = true;
    }
    const weft_vec3 was = m->before[i].slide, now = m->planes[i].slide;
    anew += !found && (was.x != 0 || was.y != 0 || was.z != 0) ? 1 : 0;
    assert_true(now.x == slide.x && now.y == slide.y && now.z == slide.z);
    /* 1/8 m/s at first, and 16 m/s^2. */
    const double dt = 1 / (60.0 * 4 * SUBSTEPS);
    double escape = found ? fmin((double)before + 16 * dt * dt, 2 * dt) : 0.125 * dt;
    rig_near((double)m->planes[i].escape, escape, 1e-10, "the most that a pair parts by");
  }
  return anew;
}

/* Pairs stay listed for a contact step, and those that did not touch in a substep have let go. */
static void slides_are_those_of_the_last_substep(void **state) {
  (void)state;
  weft_model *model;
  weft_solver *solver = sliding(&model);
  memory *m = calloc(1, sizeof *m);
  uint32_t anew = 0, kept = 0;
  for (uint32_t frame = 0; frame < 6; ++frame) {
    weft_solver_begin_frame(solver);
    for (uint32_t s = 0; s < 4 * SUBSTEPS; ++s) {
      for (size_t k = 0; k < weft_solver_pass_count(solver); ++k) {
        const weft_pass *pass = weft_solver_pass(solver, k);
        if (pass->kind == WEFT_PASS_SELF_CACHE_LOAD) read_kept(solver, m);
        if (pass->kind == WEFT_PASS_SELF_UPDATE_NORMALS) read_pairs(solver, m->before, m);
        weft_solver_run_pass(solver, pass, s);
        if (pass->kind != WEFT_PASS_SELF_UPDATE_NORMALS) continue;
        read_pairs(solver, m->planes, m);
        anew += check_slides(m);
        kept += m->kept_count;
      }
    }
    weft_solver_end_frame(solver);
  }
  print_message("%u slides kept, %u begun anew\n", kept, anew);
  assert_true(kept > 1000 && anew > 100);
  free(m);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* The mean edge of a sheet lies between those of its squares and their diagonals. */
static void a_shortened_motion_is_a_quarter_of_the_mean_edge(void **state) {
  (void)state;
  weft_model *model;
  weft_solver *solver = falling(&model);
  weft_self_part part;
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_PARTS, 0, 1, &part);
  const double edge = 0.1 / (SIDE - 1);
  assert_true((double)part.longest > edge / 4 && (double)part.longest < sqrt(2) * edge / 4);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contact_steps_share_a_frame),
      cmocka_unit_test(there_are_at_most_as_many_as_substeps),
      cmocka_unit_test(a_look_is_over_the_whole_way_of_a_contact_step),
      cmocka_unit_test(the_first_look_of_a_frame_is_ahead_by_a_contact_step),
      cmocka_unit_test(a_held_pin_moves_at_the_speed_of_its_contact_step),
      cmocka_unit_test(slides_are_those_of_the_last_substep),
      cmocka_unit_test(a_shortened_motion_is_a_quarter_of_the_mean_edge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
