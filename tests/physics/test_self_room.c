/* Self-collision's lists grow where they are too short, and nobody sees it but in memory: the bits
 * are those of lists that were long enough from the start. What there is no memory for is an error,
 * and what is more than lists may ever hold rests. */
#include "rig.h"
/* after rig.h */
#include <sys/resource.h>

#include "../rig_scene.h"
#include "gl.h"
#include "room.h"

static weft_solver *solver_with(const weft_scene_instance *s, uint32_t room,
                                const weft_backend *backend) {
  weft_params params = s->params;
  params.self_room = room;
  return rig_solver(s->model, &params, backend);
}

static void have_same_bits(weft_solver *a, weft_solver *b, uint32_t frame) {
  const uint32_t n = a->model->particle_count;
  weft_vec3 *x = calloc(4 * (size_t)n, sizeof *x);
  weft_error err = {0};
  assert_int_equal(weft_solver_read(a, x, x + n, &err), WEFT_OK);
  assert_int_equal(weft_solver_read(b, x + 2 * (size_t)n, x + 3 * (size_t)n, &err), WEFT_OK);
  if (memcmp(x, x + 2 * (size_t)n, 2 * (size_t)n * sizeof *x) != 0) fail_msg("frame %u", frame);
  free(x);
}

static weft_metrics metrics_of(weft_solver *solver) {
  weft_metrics m;
  weft_error err = {0};
  assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
  return m;
}

/* Cloths fall on each other; a towel is wrung, and friction remembers; bodies move. */
static void check_scene(const char *name, uint32_t size, uint32_t frames,
                        const weft_backend *backend) {
  weft_scene_instance s = rig_scene(name, size), t = rig_scene(name, size);
  weft_solver *little = solver_with(&s, 1, backend), *roomy = solver_with(&t, 64, backend);
  uint64_t candidates = 0;
  for (uint32_t f = 0; f < frames; ++f) {
    rig_scene_step(&s, little, 1);
    rig_scene_step(&t, roomy, 1);
    have_same_bits(little, roomy, f);
    const weft_metrics a = metrics_of(little), b = metrics_of(roomy);
    assert_int_equal(a.self_pairs, b.self_pairs);
    assert_int_equal(a.self_candidates, b.self_candidates);
    assert_int_equal(a.self_limited, b.self_limited);
    assert_int_equal(a.self_pauses, b.self_pauses);
    assert_int_equal(a.self_overflows + b.self_overflows, 0);
    candidates += a.self_candidates;
  }
  print_message("%s on %s: %llu candidates, room for %u a particle\n", name,
                weft_backend_name(backend), (unsigned long long)candidates,
                weft_solver_params(little)->self_room);
  assert_true(candidates > 0 && weft_solver_params(little)->self_room > 1);
  assert_int_equal(weft_solver_params(roomy)->self_room, 64);
  weft_solver_destroy(little);
  weft_solver_destroy(roomy);
  weft_scene_free(&s);
  weft_scene_free(&t);
}

/* Lists of a stack are too short in its first frames, and once more as sheets land. */
static void lists_grow_unseen(void **state) {
  const bool all = rig_long_form();
  check_scene("stack", 8, all ? 40 : 18, weft_backend_cpu(2));
  check_scene("wring", 16, 200, weft_backend_cpu(2));
  check_scene("walk", 12, 30, weft_backend_cpu(2));
  check_scene("stack", 6, all ? 36 : 18, weft_backend_ref());
  check_scene("stack", 6, all ? 36 : 18, weft_backend_f64());
  if (rig_gl_context) check_scene("stack", 6, all ? 36 : 18, rig_backend(state));
}

/* A solver that goes on from another has as much room: what friction remembers is part of it. */
static void who_goes_on_has_as_much_room(void **state) {
  (void)state;
  enum { FIRST = 20, THEN = 8 };
  weft_scene_instance s = rig_scene("stack", 8), t = rig_scene("stack", 8);
  weft_solver *from = solver_with(&s, 32, weft_backend_cpu(2));
  weft_solver *little = solver_with(&t, 1, weft_backend_cpu(2));
  weft_error err = {0};
  rig_scene_step(&s, from, FIRST);
  assert_int_equal(weft_solver_copy_state_from(little, from, &err), WEFT_OK);
  assert_int_equal(weft_solver_params(little)->self_room, 32);
  for (uint32_t f = 0; f < THEN; ++f) {
    rig_scene_step(&s, from, 1);
    rig_scene_step(&t, little, 1);
    have_same_bits(from, little, f);
  }
  assert_true(metrics_of(from).self_pairs > 0);
  weft_solver_destroy(from);
  weft_solver_destroy(little);
  weft_scene_free(&s);
  weft_scene_free(&t);
}

/* Everything lies in the thickness of everything: there are more pairs than lists ever hold. */
static void past_the_most_that_is_looked_at_nothing_moves(void **state) {
  (void)state;
  weft_scene_instance s = rig_scene("stack", 12);
  s.params.substeps = 4;
  s.params.self_thickness = 1;
  weft_solver *solver = solver_with(&s, 0, weft_backend_cpu(2));
  rig_scene_step(&s, solver, 1);
  const weft_metrics m = metrics_of(solver);
  assert_int_equal(weft_solver_params(solver)->self_room, WEFT_SELF_MOST_ROOM);
  assert_int_equal(m.self_overflows, m.self_steps);
  weft_solver_destroy(solver);
  weft_scene_free(&s);
}

/* The address space is all that this machine has; there is no more of it than is in use. */
static weft_result give_room_in(weft_solver *solver, uint64_t bytes, weft_error *err) {
  struct rlimit all, few;
  assert_int_equal(getrlimit(RLIMIT_AS, &all), 0);
  few = all;
  few.rlim_cur = bytes;
  assert_int_equal(setrlimit(RLIMIT_AS, &few), 0);
  weft_result result = weft_solver_give_room(solver, WEFT_SELF_MOST_ROOM, err);
  assert_int_equal(setrlimit(RLIMIT_AS, &all), 0);
  return result;
}

static void what_memory_cannot_hold_is_an_error(void **state) {
  (void)state;
  weft_scene_instance s = rig_scene("stack", 8), t = rig_scene("stack", 8);
  weft_solver *solver = solver_with(&s, 8, weft_backend_cpu(2));
  weft_solver *other = solver_with(&t, 8, weft_backend_cpu(2));
  weft_error err = {0};
  rig_scene_step(&s, solver, 20);
  rig_scene_step(&t, other, 20);
  assert_int_equal(give_room_in(solver, 1 << 20, &err), WEFT_ERROR_LIMIT);
  assert_non_null(strstr(err.message, "needs room for 256 pairs a particle"));
  assert_int_equal(weft_solver_params(solver)->self_room, 8);
  rig_scene_step(&s, solver, 1);
  rig_scene_step(&t, other, 1);
  have_same_bits(solver, other, 21);
  weft_solver_destroy(solver);
  weft_solver_destroy(other);
  weft_scene_free(&s);
  weft_scene_free(&t);
}

/* A list that is larger than what the driver binds. */
static void what_a_driver_cannot_bind_is_an_error(void **state) {
  if (!rig_gl_context) skip();
  const weft_grid_desc grid = {.rows = 96, .columns = 96};
  weft_model *model = rig_sheet(&grid, "tablecloth", WEFT_BENDING_NONE, true, WEFT_PIN_NONE);
  const weft_params params = {.self_collision = true, .substeps = 2};
  weft_solver *solver = rig_solver(model, &params, rig_backend(state));
  weft_error err = {0};
  const uint64_t bytes = (uint64_t)96 * 96 * WEFT_SELF_MOST_ROOM * sizeof(weft_self_plane);
  const bool fits = bytes <= rig_gl_context->limits.max_storage_block;
  rig_step(solver, 1);
  const weft_result result = weft_solver_give_room(solver, WEFT_SELF_MOST_ROOM, &err);
  assert_int_equal(result, fits ? WEFT_OK : WEFT_ERROR_LIMIT);
  if (!fits) assert_non_null(strstr(err.message, "needs 144.0 MiB in one storage block"));
  rig_step(solver, 1);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"lists_grow_unseen", lists_grow_unseen, NULL, NULL, &rig_places[1]},
      cmocka_unit_test(who_goes_on_has_as_much_room),
      cmocka_unit_test(past_the_most_that_is_looked_at_nothing_moves),
      cmocka_unit_test(what_memory_cannot_hold_is_an_error),
      {"what_a_driver_cannot_bind_is_an_error", what_a_driver_cannot_bind_is_an_error, NULL, NULL,
       &rig_places[1]},
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
