/* mannequin.c: the figure in a scene. Cloth meets its skin, or capsules in the skin, which is seen
 * instead of them. */
#include <math.h>

#include "scenes_internal.h"

enum { KEYS_PER_SECOND = 30 };

struct weft_scene_figure {
  weft_figure *figure; /* made when it is first to be seen */
  weft_pose (*pose)(double time);
  uint32_t first; /* collider; one follows for each further capsule */
  weft_vec3 *positions;
};

static weft_pose standing(double time) {
  (void)time;
  return (weft_pose){0};
}

/* ---- what cloth collides with ---- */

static void add_keys(weft_scene_instance *scene, weft_pose (*pose)(double), double seconds) {
  const weft_scene_figure *body = scene->figure;
  uint32_t count = (uint32_t)(seconds * KEYS_PER_SECOND) + 1;
  weft_figure_capsule c;
  for (uint32_t i = 0; weft_figure_capsule_at(i, &c); ++i) {
    scene->colliders[body->first + i].keys =
        weft_scene_keep(scene, count, sizeof(weft_collider_key));
    scene->colliders[body->first + i].key_count = count;
  }
  for (uint32_t k = 0; k < count; ++k) {
    weft_pose now = pose((double)k / KEYS_PER_SECOND);
    weft_bone_frames frames;
    weft_pose_frames(&now, &frames);
    for (uint32_t i = 0; weft_figure_capsule_at(i, &c); ++i) {
      weft_collider_key *key = (weft_collider_key *)scene->colliders[body->first + i].keys + k;
      key->time = (float)k / KEYS_PER_SECOND;
      key->a = weft_pose_point(&frames, c.bone, c.a);
      key->b = weft_pose_point(&frames, c.bone, c.b);
    }
  }
}

static void add_capsules(weft_scene_instance *scene, weft_pose (*pose)(double time),
                         double seconds) {
  weft_figure_capsule c;
  scene->figure = weft_scene_keep(scene, 1, sizeof *scene->figure);
  *scene->figure =
      (weft_scene_figure){.pose = pose ? pose : standing, .first = scene->params.collider_count};
  for (uint32_t k = 0; weft_figure_capsule_at(k, &c); ++k) {
    weft_scene_add_capsule(scene, c.a, c.b, c.radius);
  }
  if (pose) add_keys(scene, pose, seconds);
}

weft_result weft_scene_add_skin(weft_scene_instance *scene, weft_pose (*pose)(double time),
                                weft_error *err) {
  weft_scene_body figure = {.name = "figure", .pose = pose, .figure = weft_figure_create()};
  const weft_body skin = {.friction_static = 0.4f, .friction_dynamic = 0.3f};
  return weft_scene_add_body(scene, &figure, &skin, err);
}

weft_result weft_scene_add_mannequin(weft_scene_instance *scene, weft_mannequin kind,
                                     weft_pose (*pose)(double time), double seconds,
                                     weft_error *err) {
  if (kind == WEFT_MANNEQUIN_MESH) return weft_scene_add_skin(scene, pose, err);
  add_capsules(scene, pose, seconds);
  return WEFT_OK;
}

/* ---- what is seen ---- */

const weft_mesh *weft_scene_figure_mesh(const weft_scene_instance *scene) {
  weft_scene_figure *body = scene->figure;
  if (!body) return NULL;
  if (!body->figure) {
    body->figure = weft_figure_create();
    uint32_t count = weft_figure_mesh(body->figure)->vertex_count;
    body->positions = weft_alloc(count, sizeof *body->positions);
  }
  return weft_figure_mesh(body->figure);
}

const weft_vec3 *weft_scene_figure_at(const weft_scene_instance *scene,
                                      const weft_collider *colliders, double time) {
  const weft_scene_figure *body = scene->figure;
  if (!weft_scene_figure_mesh(scene)) return NULL;
  weft_vec3 offsets[WEFT_BONE_COUNT] = {{0, 0, 0}};
  weft_figure_capsule c;
  for (uint32_t k = 0; weft_figure_capsule_at(k, &c); ++k) {
    weft_vec3 by = colliders[body->first + k].offset;
    if (by.x != 0 || by.y != 0 || by.z != 0) offsets[c.bone] = by;
  }
  weft_pose pose = body->pose(time);
  weft_figure_posed(body->figure, &pose, offsets, body->positions);
  return body->positions;
}

uint64_t weft_scene_figure_hides(const weft_scene_instance *scene) {
  uint64_t hidden = 0;
  weft_figure_capsule c;
  for (uint32_t k = 0; scene->figure && weft_figure_capsule_at(k, &c); ++k) {
    hidden |= UINT64_C(1) << (scene->figure->first + k);
  }
  return hidden;
}

void weft_scene_figure_free(weft_scene_figure *body) {
  if (!body) return;
  weft_figure_destroy(body->figure);
  weft_free(body->positions);
}
