/* scenes.c: the table, and the life of an instance. */
#include "scenes.h"

#include <string.h>

#include "inside.h"

static const weft_scene scenes[] = {
    {"hanging", "a sheet of 1 m held at two corners, swinging down", 64, weft_make_hanging},
    {"drape", "a sheet falls over a sphere on the ground", 64, weft_make_drape},
    {"flag", "a flag at its pole in gusty wind", 64, weft_make_flag},
    {"curtain", "a curtain on hooks is drawn, then a ball goes through", 96, weft_make_curtain},
    {"skirt", "a skirt on a mannequin that turns and walks on the spot", 72, weft_make_skirt},
    {"poncho", "a poncho falls from the neck of a mannequin over shoulders and arms", 72,
     weft_make_poncho},
    {"pleats", "a pleated skirt whose folds are its rest shape hangs from the waist", 72,
     weft_make_pleats},
    {"tumble", "a sheet falls over a box that turns and a ball that spins", 80, weft_make_tumble},
};

const weft_scene *weft_scene_at(uint32_t index) {
  return index < sizeof scenes / sizeof scenes[0] ? &scenes[index] : NULL;
}

const weft_scene *weft_scene_find(const char *name) {
  for (uint32_t k = 0; name && weft_scene_at(k); ++k) {
    if (strcmp(scenes[k].name, name) == 0) return &scenes[k];
  }
  return NULL;
}

weft_result weft_scene_make(const weft_scene *scene, const weft_scene_options *options,
                            weft_scene_instance *instance, weft_error *err) {
  WEFT_CHECK(scene && instance, "a scene needs an entry of the table and room for the instance");
  weft_scene_options wanted = options ? *options : (weft_scene_options){0};
  if (wanted.size == 0) wanted.size = scene->default_size;
  *instance = (weft_scene_instance){.name = scene->name};
  if (wanted.size < 4 || wanted.size > 4096) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "size of scene %s is %u, allowed is 4 to 4096",
                     scene->name, wanted.size);
  }
  weft_result result = scene->make(&wanted, instance, err);
  if (result != WEFT_OK) weft_scene_free(instance);
  return result;
}

void weft_scene_free(weft_scene_instance *instance) {
  if (!instance) return;
  weft_model_destroy(instance->model);
  weft_mesh_free(&instance->mesh);
  weft_free(instance->colliders);
  weft_scene_store *store = instance->storage;
  if (store) {
    for (size_t k = 0; k < store->count; ++k) weft_free(store->blocks[k]);
    weft_free(store->blocks);
    weft_free(store);
  }
  *instance = (weft_scene_instance){0};
}

weft_result weft_scene_step(weft_scene_instance *scene, weft_solver *solver, weft_error *err) {
  weft_result result = scene->animate ? scene->animate(scene, solver, err) : WEFT_OK;
  return result == WEFT_OK ? weft_solver_step(solver, err) : result;
}
