/* build.c: the pieces scenes are put together from. */
#include <math.h>

#include "scenes_internal.h"

weft_vec3 weft_turned(weft_vec3 p, double angle) {
  double c = cos(angle), s = sin(angle);
  return weft_v3((float)(c * (double)p.x + s * (double)p.z), p.y,
                 (float)(c * (double)p.z - s * (double)p.x));
}

weft_scene_store *weft_scene_storage(weft_scene_instance *scene) {
  if (!scene->storage) scene->storage = weft_alloc(1, sizeof(weft_scene_store));
  return scene->storage;
}

void *weft_scene_keep(weft_scene_instance *scene, size_t count, size_t size) {
  weft_scene_store *store = weft_scene_storage(scene);
  void *blocks = store->blocks, *kept = weft_alloc(count, size);
  weft_grow(&blocks, &store->capacity, store->count + 1, sizeof *store->blocks);
  store->blocks = blocks;
  return store->blocks[store->count++] = kept;
}

weft_collider *weft_scene_add_collider(weft_scene_instance *scene) {
  if (!scene->colliders) {
    scene->colliders = weft_alloc(WEFT_MAX_COLLIDERS, sizeof *scene->colliders);
    scene->params.colliders = scene->colliders;
  }
  WEFT_CHECK(scene->params.collider_count < WEFT_MAX_COLLIDERS, "too many colliders in a scene");
  weft_collider *collider = &scene->colliders[scene->params.collider_count++];
  *collider = (weft_collider){.friction_static = 0.4f, .friction_dynamic = 0.3f};
  return collider;
}

void weft_scene_add_sphere(weft_scene_instance *scene, weft_vec3 centre, float radius) {
  weft_collider *sphere = weft_scene_add_collider(scene);
  sphere->shape = WEFT_COLLIDER_SPHERE;
  sphere->a = centre;
  sphere->radius = radius;
}

void weft_scene_add_capsule(weft_scene_instance *scene, weft_vec3 a, weft_vec3 b, float radius) {
  weft_collider *capsule = weft_scene_add_collider(scene);
  capsule->shape = WEFT_COLLIDER_CAPSULE;
  capsule->a = a;
  capsule->b = b;
  capsule->radius = radius;
}

static float stiffness(float compliance, float own) {
  return compliance > 0 ? 1 / compliance : compliance == 0 ? INFINITY : own;
}

static weft_material fabric_of(const weft_scene_options *options,
                               const weft_scene_defaults *defaults) {
  weft_material m =
      options->material ? *options->material : *weft_material_find(defaults->material);
  const float *c = options->compliance;
  if (!c) return m;
  m.stretch_warp = stiffness(c[0], m.stretch_warp);
  m.stretch_weft = stiffness(c[0], m.stretch_weft);
  m.shear = stiffness(c[1], m.shear);
  m.bending = stiffness(c[2], m.bending);
  return m;
}

weft_result weft_scene_preprocess(weft_scene_instance *scene, const weft_scene_options *options,
                                  const weft_scene_defaults *defaults, weft_error *err) {
  bool own_pins = options->pin_count > 0;
  scene->fabric = fabric_of(options, defaults);
  weft_model_desc desc = {
      .mesh = &scene->mesh,
      .material = &scene->fabric,
      .bending = options->bending_set ? options->bending : defaults->bending,
      .no_shear = options->no_shear,
      .attached = options->attached,
      .pins = own_pins ? options->pins : defaults->pins,
      .pin_count = own_pins ? options->pin_count : defaults->pin_count,
  };
  return weft_model_create(&desc, &scene->model, err);
}

static float *component(weft_vec3 *v, int axis) {
  return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

void weft_scene_ripple(weft_mesh *mesh, int axis, float spacing, uint64_t seed) {
  enum { WAVES = 5 };
  weft_rng rng = weft_rng_seed(seed);
  float frequency[WAVES][3], phase[WAVES];
  const float max = 8; /* radians per metre */
  /* Neighbouring triangles turn by far less than a degree: the sheet still counts as flat. */
  float height = fminf(0.002f, 0.005f / (2 * max * max * spacing));
  for (int k = 0; k < WAVES; ++k) {
    for (int c = 0; c < 3; ++c) frequency[k][c] = weft_rng_float(&rng, -max, max);
    phase[k] = weft_rng_float(&rng, 0, 6.2831853f);
  }
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    weft_vec3 p = mesh->positions[i];
    *component(&p, axis) = 0;
    float sum = 0;
    for (int k = 0; k < WAVES; ++k) {
      sum += sinf(frequency[k][0] * p.x + frequency[k][1] * p.y + frequency[k][2] * p.z + phase[k]);
    }
    *component(&mesh->positions[i], axis) += height * sum / WAVES;
  }
}

void weft_scene_keep_apart(weft_scene_instance *scene) {
  scene->params.self_collision = true;
  scene->params.self_static = 0.5f;
  scene->params.self_dynamic = 0.4f;
}

void weft_scene_look(weft_scene_instance *scene, weft_vec3 centre, float radius, float yaw,
                     float pitch) {
  scene->view_centre = centre;
  scene->view_radius = radius;
  scene->view_yaw = yaw;
  scene->view_pitch = pitch;
}

uint32_t weft_scene_pinned(weft_scene_instance *scene, const uint32_t **particles) {
  uint32_t count = weft_model_particle_count(scene->model), pinned = 0;
  uint32_t *list = weft_scene_keep(scene, weft_model_pinned_count(scene->model), sizeof *list);
  for (uint32_t i = 0; i < count; ++i) {
    if (weft_model_is_pinned(scene->model, i)) list[pinned++] = i;
  }
  *particles = list;
  return pinned;
}
