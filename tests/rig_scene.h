/* rig_scene.h: scenes for tests, plain; one that cannot be made fails the test. */
#ifndef WEFT_TESTS_RIG_SCENE_H
#define WEFT_TESTS_RIG_SCENE_H

#include "rig.h"
#include "scenes.h"

static inline weft_scene_instance rig_scene_of(const weft_scene *scene,
                                               const weft_scene_options *options) {
  weft_scene_instance instance = {0};
  weft_error err = {0};
  weft_scene_options plain = options ? *options : (weft_scene_options){0};
  plain.plain = true;
  assert_non_null(scene);
  if (weft_scene_make(scene, &plain, &instance, &err) != WEFT_OK) {
    fail_msg("%s: %s", scene->name, err.message);
  }
  return instance;
}

static inline weft_scene_instance rig_scene(const char *name, uint32_t size) {
  const weft_scene_options options = {.size = size, .seed = 1};
  return rig_scene_of(weft_scene_find(name), &options);
}

static inline void rig_scene_step(weft_scene_instance *scene, weft_solver *solver,
                                  uint32_t frames) {
  weft_error err = {0};
  for (uint32_t f = 0; f < frames; ++f) {
    if (weft_scene_step(scene, solver, &err) != WEFT_OK) fail_msg("%s", err.message);
  }
}

/* Of the states after every frame, from a start that `change` makes (NULL: none); nothing was
 * written beside a buffer. */
static inline uint64_t rig_scene_hash(weft_scene_instance *scene, const weft_params *params,
                                      const weft_backend *backend, uint32_t frames,
                                      void (*change)(weft_solver *solver)) {
  weft_solver *solver = rig_guarded(scene->model, params, backend, 256);
  uint64_t hash = WEFT_HASH_SEED, one = 0;
  if (change) change(solver);
  for (uint32_t f = 0; f < frames; ++f) {
    rig_scene_step(scene, solver, 1);
    one = rig_hash(solver);
    hash = weft_hash_bytes(hash, &one, sizeof one);
  }
  assert_int_equal(backend->broken_guard(solver->instance), WEFT_BUFFER_COUNT);
  weft_solver_destroy(solver);
  return hash;
}

#endif
