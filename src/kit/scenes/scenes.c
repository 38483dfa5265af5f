/* scenes.c: the table, and the life of an instance. */
#include "scenes.h"

#include <stdio.h>
#include <string.h>

#include "scenes_internal.h"

enum {
  CLOTH = WEFT_SCENE_CLOTH | WEFT_SCENE_SHEET,
  GARMENT = WEFT_SCENE_CLOTH,
  LINKS = WEFT_SCENE_LINKS,
};

static const weft_scene scenes[] = {
#define WEFT_SCENE(name, what, size, small_size, uses) \
  {#name, what, size, small_size, uses, weft_make_##name},
#include "scenes.def"
#undef WEFT_SCENE
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

void weft_scene_blow(weft_params *params, weft_vec3 wind) {
  params->wind = wind;
  if (params->air_density == 0 && weft_v3_length(wind) > 0) params->air_density = WEFT_AIR;
}

/* ---- options a scene has no use for ---- */

static bool given(const weft_scene_options *o, unsigned use) {
  switch (use) {
    case WEFT_SCENE_CLOTH:
      return o->material || o->compliance || o->bending_set || o->pin_count;
    case WEFT_SCENE_SHEET:
      return o->pattern || o->no_shear;
    case WEFT_SCENE_LINKS:
      return o->links > 0;
    case WEFT_SCENE_MASSES:
      return o->mass_count > 0;
    case WEFT_SCENE_LENGTHS:
      return o->length_count > 0;
    case WEFT_SCENE_TURNS:
      return o->turns > 0;
    case WEFT_SCENE_DRAWN:
      return o->drawn > 0;
    case WEFT_SCENE_LAYERS:
      return o->layers > 0;
    case WEFT_SCENE_MANNEQUIN:
      return o->mannequin != WEFT_MANNEQUIN_CAPSULES;
    default:
      return o->angle_set;
  }
}

static const struct {
  unsigned use;
  const char *what;
} uses[] = {{WEFT_SCENE_CLOTH, "fabric, bending or pins"},
            {WEFT_SCENE_SHEET, "pattern or shear"},
            {WEFT_SCENE_LINKS, "number of links"},
            {WEFT_SCENE_MASSES, "masses"},
            {WEFT_SCENE_LENGTHS, "lengths"},
            {WEFT_SCENE_ANGLE, "angle"},
            {WEFT_SCENE_TURNS, "turns"},
            {WEFT_SCENE_DRAWN, "width when drawn"},
            {WEFT_SCENE_LAYERS, "number of layers"},
            {WEFT_SCENE_MANNEQUIN, "mannequin"}};

weft_result weft_scene_check_uses(const char *name, unsigned used, const weft_scene_options *o,
                                  weft_error *err) {
  for (size_t k = 0; k < sizeof uses / sizeof *uses; ++k) {
    if ((used & uses[k].use) || !given(o, uses[k].use)) continue;
    char others[160] = "";
    for (uint32_t i = 0; weft_scene_at(i); ++i) {
      if (!(scenes[i].uses & uses[k].use)) continue;
      size_t at = strlen(others);
      snprintf(others + at, sizeof others - at, "%s%s", at ? ", " : "", scenes[i].name);
    }
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s takes no %s; the scenes that do are %s", name,
                     uses[k].what, others);
  }
  return WEFT_OK;
}

weft_result weft_scene_make(const weft_scene *scene, const weft_scene_options *options,
                            weft_scene_instance *instance, weft_error *err) {
  WEFT_CHECK(scene && instance, "a scene needs an entry of the table and room for the instance");
  weft_scene_options wanted = options ? *options : (weft_scene_options){0};
  if (wanted.size == 0) wanted.size = scene->default_size;
  *instance = (weft_scene_instance){.name = scene->name,
                                    .size = wanted.size,
                                    .ground_asked = wanted.ground,
                                    .ground_height = wanted.ground_height};
  if (scene->uses & WEFT_SCENE_BESIDE) instance->beside = WEFT_BESIDE_PLAIN;
  if (wanted.size < 4 || wanted.size > 4096) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "size of scene %s is %u, allowed is 4 to 4096",
                     scene->name, wanted.size);
  }
  weft_result result = weft_scene_check_uses(scene->name, scene->uses, &wanted, err);
  if (result == WEFT_OK) result = scene->make(&wanted, instance, err);
  if (result == WEFT_OK) weft_scene_finish_ground(instance);
  if (result == WEFT_OK) result = weft_scene_hold_own(instance, wanted.plain, err);
  if (result != WEFT_OK) weft_scene_free(instance);
  return result;
}
