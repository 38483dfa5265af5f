/* Times of passes: of each kind that runs, adding up to the frame they are in, at no change of a
 * bit; and not a query beyond those made once. */
#include "times.h"

#include <stdlib.h>
#include <string.h>

#include "rig_gl.h"
#include "rig_scene.h"

typedef struct play {
  weft_scene_instance scene;
  weft_solver *solver;
  weft_demo_times *times;
  weft_demo_ui *ui;
} play;

static play open_play(const char *name, uint32_t iterations) {
  play p = {0};
  p.scene = rig_scene(name, 24);
  p.scene.params.schedule = WEFT_SCHEDULE_COLOURS; /* a pass each, on any driver */
  if (iterations) p.scene.params.iterations = iterations;
  p.solver = rig_solver(p.scene.model, &p.scene.params, rig_backend_on(test_gl));
  p.times = weft_alloc(1, sizeof *p.times);
  p.ui = weft_alloc(1, sizeof *p.ui);
  return p;
}

static void close_play(play *p) {
  weft_demo_times_close(p->times);
  weft_free(p->times);
  weft_free(p->ui);
  weft_solver_destroy(p->solver);
  weft_scene_free(&p->scene);
}

/* The GPU is done after each, so that every frame is read when its turn comes. */
static void run(play *p, int frames) {
  weft_error err = {0};
  for (int f = 0; f < frames; ++f) {
    if (weft_demo_times_step(p->times, &p->scene, p->solver, &err)) fail_msg("%s", err.message);
    glFinish();
  }
}

static const weft_demo_pass_time *row_of(const play *p, const char *name) {
  for (uint32_t k = 0; k < p->ui->pass_count; ++k) {
    if (strcmp(p->ui->passes[k].name, name) == 0) return &p->ui->passes[k];
  }
  return NULL;
}

static void each_kind_that_runs_has_a_row_and_no_other(void **state) {
  (void)state;
  play p = open_play("curtain", 0); /* has wind, and pins that move */
  run(&p, WEFT_DEMO_TIMES_RING + 2);
  weft_demo_times_show(p.times, p.ui);
  bool runs[WEFT_PASS_KIND_COUNT] = {0};
  for (size_t k = 0; k < weft_solver_pass_count(p.solver); ++k) {
    const weft_pass *pass = weft_solver_pass(p.solver, k);
    runs[pass->kind] = pass->kind != WEFT_PASS_GRAB && pass->kind != WEFT_PASS_MOVE_SHAPES;
  }
  for (int kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    const weft_demo_pass_time *row = row_of(&p, weft_pass_infos[kind].name);
    if ((row != NULL) != runs[kind]) fail_msg("%s: %d", weft_pass_infos[kind].name, runs[kind]);
    if (row) assert_true(row->ms > 0);
  }
  assert_true(runs[WEFT_PASS_MOVE_PINS] && runs[WEFT_PASS_AERO_FORCE]);
  close_play(&p);
}

static void rows_add_up_to_the_frame(void **state) {
  (void)state;
  play p = open_play("hanging", 0);
  run(&p, WEFT_DEMO_TIMES_RING + 4);
  weft_demo_times_show(p.times, p.ui);
  double sum = 0;
  for (uint32_t k = 0; k < p.ui->pass_count; ++k) sum += p.ui->passes[k].ms;
  assert_true(sum == p.ui->passes_ms);
  if (!(sum <= p.ui->passes_whole_ms && sum > 0.7 * p.ui->passes_whole_ms)) {
    fail_msg("passes %.3f ms, whole frames %.3f ms", sum, p.ui->passes_whole_ms);
  }
  close_play(&p);
}

/* 40 iterations: 1,600 spans a frame and more, for 256 timers. */
static void with_more_spans_than_timers_the_sum_is_still_right(void **state) {
  (void)state;
  play p = open_play("hanging", 40);
  run(&p, 2);
  assert_in_range(p.times->queries, 2, 2 * (2 * WEFT_DEMO_TIMES_SPANS + 2));
  run(&p, WEFT_DEMO_TIMES_RING + 6);
  weft_demo_times_show(p.times, p.ui);
  assert_non_null(row_of(&p, "project_distance"));
  assert_non_null(row_of(&p, "project_isometric"));
  double part = p.ui->passes_ms / p.ui->passes_whole_ms;
  if (!(part > 0.5 && part < 1.6)) fail_msg("passes are %.2f of the frame", part);
  close_play(&p);
}

static void timed_frames_have_the_same_bits(void **state) {
  (void)state;
  uint64_t hashes[2];
  weft_error err = {0};
  for (int timed = 0; timed < 2; ++timed) {
    play p = open_play("curtain", 0);
    for (int f = 0; f < 6; ++f) {
      if (timed) run(&p, 1);
      if (!timed) assert_int_equal(weft_scene_step(&p.scene, p.solver, &err), WEFT_OK);
    }
    assert_int_equal(weft_solver_frame(p.solver), 6);
    hashes[timed] = rig_hash(p.solver);
    close_play(&p);
  }
  assert_int_equal(hashes[0], hashes[1]);
}

static void timers_are_made_once(void **state) {
  (void)state;
  play p = open_play("hanging", 0);
  GLuint first, second;
  run(&p, 1);
  glGenQueries(1, &first);
  run(&p, 2 * WEFT_DEMO_TIMES_RING);
  glGenQueries(1, &second);
  assert_int_equal(second, first + 1);
  glDeleteQueries(1, &first);
  glDeleteQueries(1, &second);
  close_play(&p);
}

/* Without anything new the table stays; what was under way before a change is not mixed in. */
static void a_table_stays_until_there_is_another(void **state) {
  (void)state;
  play p = open_play("hanging", 0);
  run(&p, WEFT_DEMO_TIMES_RING + 1);
  weft_demo_times_show(p.times, p.ui);
  double whole = p.ui->passes_whole_ms;
  assert_true(whole > 0);
  weft_demo_times_show(p.times, p.ui);
  assert_true(p.ui->passes_whole_ms == whole);
  weft_demo_times_forget(p.times);
  run(&p, WEFT_DEMO_TIMES_RING);
  weft_demo_times_show(p.times, p.ui);
  assert_true(p.ui->passes_whole_ms == whole);
  close_play(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_kind_that_runs_has_a_row_and_no_other),
      cmocka_unit_test(rows_add_up_to_the_frame),
      cmocka_unit_test(with_more_spans_than_timers_the_sum_is_still_right),
      cmocka_unit_test(timed_frames_have_the_same_bits),
      cmocka_unit_test(timers_are_made_once),
      cmocka_unit_test(a_table_stays_until_there_is_another),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
