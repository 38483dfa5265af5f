/* One process, several contexts: the same hash from each, and from a solver that was reset. Thread
 * counts need a process each: weft validate --level repeat, run by tests/cli/validate.sh. */
#include "../physics/rig.h"
/* after rig.h */
#include "../rig_scene.h"

enum { FRAMES = 3 };

static uint64_t hash_of(weft_scene_instance *scene, const weft_backend *backend, bool twice) {
  weft_solver *solver = rig_solver(scene->model, &scene->params, backend);
  uint64_t hash = 0;
  for (int run = 0; run < (twice ? 2 : 1); ++run) {
    weft_solver_reset(solver, NULL);
    for (int f = 0; f < FRAMES; ++f) weft_scene_step(scene, solver, NULL);
    hash = rig_hash(solver);
  }
  weft_solver_destroy(solver);
  return hash;
}

/* The last is of a driver that has no more than OpenGL 4.3 promises. */
enum { CONTEXTS = 4 };
static const weft_gl_desc descs[CONTEXTS] = {
    {.group_size = 32}, {.group_size = 64}, {.group_size = 128}, {.minimum_limits = true}};
static weft_gl *contexts[CONTEXTS];

static int open_contexts(void **state) {
  (void)state;
  for (int k = 0; k < CONTEXTS; ++k) {
    weft_error err = {0};
    if (weft_gl_create_headless(&descs[k], &contexts[k], &err)) {
      print_message("no GL: %s\n", err.message);
      contexts[k] = NULL;
    }
  }
  return 0;
}

static int close_contexts(void **state) {
  (void)state;
  for (int k = 0; k < CONTEXTS; ++k) weft_gl_destroy(contexts[k]);
  return 0;
}

/* Every scene in every context and mode would compile for minutes. Particles run in all contexts,
 * cloth in every second one, beginning with the first or second in turn, so that two scenes meet
 * all; the second and third mode in one, in turn. The long form leaves nothing out. */
static bool is_run(const weft_scene_instance *scene, uint32_t turn, uint32_t mode, uint32_t k) {
  if (rig_long_form()) return true;
  if (mode != WEFT_MODE_GS) return k == (turn + mode) % CONTEXTS;
  return scene->model->triangle_count == 0 || k % 2 == turn % 2;
}

static void check_scene(weft_scene_instance *scene, uint32_t turn) {
  for (uint32_t mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
    scene->params.mode = (weft_mode)mode;
    if (mode != WEFT_MODE_GS) scene->params.self_collision = false; /* its passes are the same */
    uint64_t ref = hash_of(scene, weft_backend_ref(), false);
    for (uint32_t k = 0; k < CONTEXTS; ++k) {
      if (!is_run(scene, turn, mode, k)) continue;
      const weft_backend *backend = rig_backend_on(contexts[k]);
      if (hash_of(scene, backend, k < 2) == ref) continue;
      fail_msg("%s, mode %u, groups of %u%s", scene->name, mode, descs[k].group_size,
               descs[k].minimum_limits ? ", minimum limits" : "");
    }
  }
}

static void every_scene_has_one_hash_in_whatever_context(void **state) {
  (void)state;
  for (int k = 0; k < CONTEXTS; ++k) {
    if (!contexts[k]) skip();
  }
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    const weft_scene_options options = {.size = 20, .seed = 1};
    weft_scene_instance scene = rig_scene_of(weft_scene_at(k), &options);
    check_scene(&scene, k);
    weft_scene_free(&scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_scene_has_one_hash_in_whatever_context),
  };
  return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
