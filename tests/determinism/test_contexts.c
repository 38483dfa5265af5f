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

enum { SIZES = 3 };
static weft_gl *contexts[SIZES];
static const uint32_t sizes[SIZES] = {32, 64, 128};

static int open_contexts(void **state) {
  (void)state;
  for (int k = 0; k < SIZES; ++k) {
    weft_error err = {0};
    if (weft_gl_create_headless(&(weft_gl_desc){.group_size = sizes[k]}, &contexts[k], &err)) {
      print_message("no GL: %s\n", err.message);
      contexts[k] = NULL;
    }
  }
  return 0;
}

static int close_contexts(void **state) {
  (void)state;
  for (int k = 0; k < SIZES; ++k) weft_gl_destroy(contexts[k]);
  return 0;
}

static void check_scene(weft_scene_instance *scene) {
  for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
    scene->params.mode = (weft_mode)mode;
    if (mode != WEFT_MODE_GS) scene->params.self_collision = false; /* its passes are the same */
    uint64_t ref = hash_of(scene, weft_backend_ref(), false);
    for (int k = 0; k < SIZES; ++k) {
      const weft_backend *backend = rig_backend_on(contexts[k]);
      if (hash_of(scene, backend, k == 0) == ref) continue;
      fail_msg("%s, mode %d, groups of %u", scene->name, mode, sizes[k]);
    }
  }
}

static void every_scene_has_one_hash_whatever_the_group_size(void **state) {
  (void)state;
  for (int k = 0; k < SIZES; ++k) {
    if (!contexts[k]) skip();
  }
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    const weft_scene_options options = {.size = 20, .seed = 1};
    weft_scene_instance scene = rig_scene_of(weft_scene_at(k), &options);
    check_scene(&scene);
    weft_scene_free(&scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_scene_has_one_hash_whatever_the_group_size),
  };
  return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
