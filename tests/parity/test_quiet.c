/* Self-collision where nothing is near anything: on the GPU only what looks is issued, until a
 * detection lists something, at whatever place in a frame. Bits are those of the reference, which
 * runs all passes; numbers of dispatches and of calls stay below what a frame of quiet cloth may
 * cost. */
#include "../physics/rig.h"
/* after rig.h */
#include "../rig_scene.h"
#include "gl.h"
#include "solver_gl.h"

static weft_gl_counts of_step(weft_gl *gl, weft_scene_instance *scene, weft_solver *solver) {
  weft_gl_counts before = weft_solver_gl_counts(gl), after;
  rig_scene_step(scene, solver, 1);
  weft_solver_finish(solver);
  after = weft_solver_gl_counts(gl);
  return (weft_gl_counts){.dispatches = after.dispatches - before.dispatches,
                          .calls = after.calls - before.calls};
}

static void expect_same(weft_solver *on_ref, weft_solver *on_gl, uint32_t frame) {
  if (rig_hash(on_ref) != rig_hash(on_gl)) fail_msg("frame %u is another one", frame);
}

static void expect_counts(weft_solver *on_ref, weft_solver *on_gl) {
  weft_metrics a, b;
  assert_int_equal(weft_solver_metrics(on_ref, &a, NULL), WEFT_OK);
  assert_int_equal(weft_solver_metrics(on_gl, &b, NULL), WEFT_OK);
  assert_int_equal(a.self_candidates, b.self_candidates);
  assert_int_equal(a.self_pairs, b.self_pairs);
  assert_int_equal(a.self_limited, b.self_limited);
  assert_int_equal(a.self_pauses, b.self_pauses);
  assert_true(b.self_pairs > 0);
}

/* ---- what it costs ---- */

static void cloth_that_touches_nothing_costs_few_dispatches(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true});
  weft_scene_instance scene = rig_scene("hanging", 64);
  scene.params.self_collision = true;
  scene.params.substeps = 20;
  weft_solver *solver = rig_solver(scene.model, &scene.params, rig_backend_on(gl));
  weft_gl_counts first = of_step(gl, &scene, solver);
  assert_true(first.dispatches > 1500);
  for (uint32_t frame = 2; frame < 6; ++frame) {
    weft_gl_counts step = of_step(gl, &scene, solver);
    /* With few slots and units more is bound anew. */
    uint64_t most = gl->limits.max_storage_bindings < 64 ? 9000 : 2400;
    if (step.dispatches > 600 || step.calls > most) {
      fail_msg("frame %u is %llu dispatches and %llu calls", frame,
               (unsigned long long)step.dispatches, (unsigned long long)step.calls);
    }
  }
  assert_int_equal(weft_gl_message_count(gl), 0);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
  weft_gl_destroy(gl);
}

/* ---- when it ends ---- */

typedef struct fallen {
  const char *name;
  uint32_t size, frames, steps; /* contact steps; 0: as many as substeps */
} fallen;

/* Cloth falls, and comes to itself or to a body. `seen`: frames of few and of many dispatches. */
static void run_beside(weft_gl *gl, const fallen *f, uint32_t seen[2]) {
  weft_scene_instance scene = rig_scene(f->name, f->size), again = rig_scene(f->name, f->size);
  const uint32_t frames = f->frames;
  scene.params.self_collision = again.params.self_collision = true;
  scene.params.self_steps = again.params.self_steps = f->steps;
  weft_solver *on_ref = rig_solver(again.model, &again.params, weft_backend_ref());
  weft_solver *on_gl = rig_guarded(scene.model, &scene.params, rig_backend_on(gl), 256);
  uint64_t all = of_step(gl, &scene, on_gl).dispatches;
  rig_scene_step(&again, on_ref, 1);
  for (uint32_t frame = 2; frame <= frames; ++frame) {
    rig_scene_step(&again, on_ref, 1);
    seen[of_step(gl, &scene, on_gl).dispatches >= all]++;
    expect_same(on_ref, on_gl, frame);
  }
  assert_int_equal(on_gl->backend->broken_guard(on_gl->instance), WEFT_BUFFER_COUNT);
  weft_solver_destroy(on_ref);
  weft_solver_destroy(on_gl);
  weft_scene_free(&scene);
  weft_scene_free(&again);
}

static void what_is_listed_amid_a_frame_has_all_passes(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true});
  static const fallen rows[] = {
      {"drape", 16, 20, 0}, {"handkerchief", 16, 14, 0}, {"drape", 16, 20, 6}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    uint32_t seen[2] = {0, 0};
    run_beside(gl, &rows[k], seen);
    print_message("%s: %u frames quiet, %u not\n", rows[k].name, seen[0], seen[1]);
    assert_true(seen[0] > 0 && seen[1] > 0);
  }
  assert_int_equal(weft_gl_message_count(gl), 0);
  weft_gl_destroy(gl);
}

/* ---- what the host does meanwhile ---- */

/* Two layers in the air that are quiet; then the upper one is put upon the lower. */
static void states_that_the_host_writes_are_looked_at(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true});
  weft_scene_instance scene = rig_scene("hanging", 24);
  scene.params.self_collision = true;
  uint32_t n = scene.model->particle_count;
  weft_vec3 *now = weft_alloc(2 * (size_t)n, sizeof *now), *then = weft_alloc(n, sizeof *then);
  weft_solver *pair[2] = {rig_solver(scene.model, &scene.params, weft_backend_ref()),
                          rig_solver(scene.model, &scene.params, rig_backend_on(gl))};
  for (int k = 0; k < 2; ++k) rig_step(pair[k], 3);
  expect_same(pair[0], pair[1], 3);
  /* Half of it is folded over the other. */
  assert_int_equal(weft_solver_read(pair[0], now, now + n, NULL), WEFT_OK);
  float middle = 0;
  for (uint32_t i = 0; i < n; ++i) middle += now[i].x / (float)n;
  for (uint32_t i = 0; i < n; ++i) {
    then[i] = now[i];
    if (now[i].x > middle) then[i].x = 2 * middle - now[i].x;
    if (now[i].x > middle) then[i].y += 0.004f;
  }
  for (int k = 0; k < 2; ++k) {
    assert_int_equal(weft_solver_write(pair[k], then, NULL, NULL), WEFT_OK);
    rig_step(pair[k], 1);
  }
  expect_same(pair[0], pair[1], 4);
  expect_counts(pair[0], pair[1]);
  for (int k = 0; k < 2; ++k) {
    assert_int_equal(weft_solver_reset(pair[k], NULL), WEFT_OK);
    rig_step(pair[k], 2);
  }
  expect_same(pair[0], pair[1], 2);
  /* Another solver goes on with what is kept of pairs. */
  for (int k = 0; k < 2; ++k) {
    weft_solver *next = rig_solver(scene.model, &scene.params, pair[k]->backend);
    rig_step(next, 3);
    assert_int_equal(weft_solver_write(pair[k], then, NULL, NULL), WEFT_OK);
    rig_step(pair[k], 1);
    assert_int_equal(weft_solver_copy_state_from(next, pair[k], NULL), WEFT_OK);
    rig_step(next, 1);
    weft_solver_destroy(pair[k]);
    pair[k] = next;
  }
  expect_same(pair[0], pair[1], 5);
  expect_counts(pair[0], pair[1]);
  /* A detection is begun, and then the substep anew. */
  for (int k = 0; k < 2; ++k) {
    assert_int_equal(weft_solver_reset(pair[k], NULL), WEFT_OK);
    rig_step(pair[k], 12);
    assert_int_equal(weft_solver_write(pair[k], then, NULL, NULL), WEFT_OK);
    weft_solver_begin_frame(pair[k]);
    size_t near = 0;
    while (weft_solver_pass(pair[k], near)->kind != WEFT_PASS_SELF_CERTIFY) ++near;
    weft_solver_run_passes(pair[k], near + 1, 0);
    assert_int_equal(weft_solver_write(pair[k], then, NULL, NULL), WEFT_OK);
    rig_step(pair[k], 1);
  }
  expect_same(pair[0], pair[1], 6);
  expect_counts(pair[0], pair[1]);
  assert_int_equal(weft_gl_message_count(gl), 0);
  for (int k = 0; k < 2; ++k) weft_solver_destroy(pair[k]);
  weft_free(now);
  weft_free(then);
  weft_scene_free(&scene);
  weft_gl_destroy(gl);
}

/* Passes that are none of a substep, of as many groups as none of those: where the origin goes
 * along, and where a particle is picked. */
static void other_passes_run_meanwhile(void **state) {
  (void)state;
  enum { SIDE = 104, FRAMES = 18 };
  weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true});
  weft_model *model = rig_sheet(&(weft_grid_desc){.rows = SIDE, .columns = SIDE}, "tshirt",
                                WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  const weft_params params = {.substeps = 2, .self_collision = true};
  const weft_ray ray = {.origin = {20, 0, 9}, .direction = {0, 0, -1}, .slope = 1};
  weft_solver *pair[2] = {rig_solver(model, &params, weft_backend_ref()),
                          rig_solver(model, &params, rig_backend_on(gl))};
  weft_vec3 *v = weft_alloc(SIDE * SIDE, sizeof *v);
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) v[i] = weft_v3(60, 0, 0);
  weft_hit hits[2];
  for (int k = 0; k < 2; ++k) {
    rig_write(pair[k], weft_model_rest_positions(model), v);
    rig_step(pair[k], FRAMES);
    assert_int_equal(weft_solver_pick(pair[k], &ray, &hits[k], NULL), WEFT_OK);
    assert_true(weft_solver_origin(pair[k]).x > 10);
  }
  expect_same(pair[0], pair[1], FRAMES);
  assert_true(hits[0].particle != WEFT_NO_PARTICLE && hits[0].particle == hits[1].particle);
  assert_int_equal(weft_gl_message_count(gl), 0);
  for (int k = 0; k < 2; ++k) weft_solver_destroy(pair[k]);
  weft_free(v);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

/* Substeps one by one, and a look at the state amid them. */
static void substeps_may_be_looked_at_one_by_one(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true});
  weft_scene_instance scene = rig_scene("hanging", 20);
  scene.params.self_collision = true;
  weft_solver *on_ref = rig_solver(scene.model, &scene.params, weft_backend_ref());
  weft_solver *on_gl = rig_solver(scene.model, &scene.params, rig_backend_on(gl));
  for (uint32_t frame = 0; frame < 4; ++frame) {
    weft_solver_begin_frame(on_ref);
    weft_solver_begin_frame(on_gl);
    for (uint32_t s = 0; s < scene.params.substeps; ++s) {
      size_t passes = weft_solver_pass_count(on_gl);
      size_t part = (frame * 7 + s * 13) % passes;
      for (size_t k = 0; k < passes; ++k) {
        weft_solver_run_pass(on_ref, weft_solver_pass(on_ref, k), s);
        weft_solver_run_pass(on_gl, weft_solver_pass(on_gl, k), s);
        if (k == part && s % 3 == 0) expect_same(on_ref, on_gl, frame);
      }
    }
    weft_solver_end_frame(on_ref);
    weft_solver_end_frame(on_gl);
    expect_same(on_ref, on_gl, frame);
  }
  weft_solver_destroy(on_ref);
  weft_solver_destroy(on_gl);
  weft_scene_free(&scene);
  weft_gl_destroy(gl);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth_that_touches_nothing_costs_few_dispatches),
      cmocka_unit_test(what_is_listed_amid_a_frame_has_all_passes),
      cmocka_unit_test(states_that_the_host_writes_are_looked_at),
      cmocka_unit_test(other_passes_run_meanwhile),
      cmocka_unit_test(substeps_may_be_looked_at_one_by_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
