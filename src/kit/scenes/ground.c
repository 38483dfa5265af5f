/* ground.c: the plane under a scene: its own, none, or where it is asked for. */
#include <math.h>

#include "scenes_internal.h"

weft_collider *weft_scene_add_ground(weft_scene_instance *scene, float height) {
  if (scene->ground_asked == WEFT_GROUND_OFF) return NULL;
  weft_collider *ground = weft_scene_add_collider(scene);
  ground->shape = WEFT_COLLIDER_PLANE;
  ground->a = weft_v3(0, scene->ground_asked == WEFT_GROUND_AT ? scene->ground_height : height, 0);
  ground->b = weft_v3(0, 1, 0);
  ground->friction_static = 0.6f;
  ground->friction_dynamic = 0.5f;
  scene->ground = true;
  return ground;
}

static bool is_level(const weft_collider *c) {
  return c->shape == WEFT_COLLIDER_PLANE && c->b.y > 0 && c->key_count == 0;
}

static bool has_ground(const weft_scene_instance *scene) {
  for (uint32_t c = 0; c < scene->params.collider_count; ++c) {
    if (is_level(&scene->colliders[c])) return true;
  }
  return false;
}

/* A tenth of its size below what lies lowest at rest. */
static float height_below(const weft_scene_instance *scene) {
  weft_vec3 low, high;
  weft_v3_bounds(weft_model_rest_positions(scene->model), weft_model_particle_count(scene->model),
                 &low, &high);
  return fmaxf(low.y - 0.1f * weft_v3_length(weft_v3_sub(high, low)), -1e6f);
}

void weft_scene_finish_ground(weft_scene_instance *scene) {
  const weft_scene_ground asked = scene->ground_asked;
  if (asked == WEFT_GROUND_OFF) scene->ground = false; /* a floor that is only drawn, too */
  if (asked != WEFT_GROUND_ON && asked != WEFT_GROUND_AT) return;
  if (!has_ground(scene)) weft_scene_add_ground(scene, scene->ground ? 0 : height_below(scene));
}

void weft_scene_lower_ground(weft_scene_instance *scene, float height) {
  if (!scene->ground || scene->ground_asked == WEFT_GROUND_AT) return;
  for (uint32_t c = 0; c < scene->params.collider_count; ++c) {
    weft_collider *plane = &scene->colliders[c];
    if (is_level(plane) && height < plane->a.y) plane->a.y = height;
  }
}
