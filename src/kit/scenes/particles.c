/* particles.c: the pieces of scenes that are not cloth. */
#include "particles.h"

#include <string.h>

enum { MAX_PARTICLES = 4000000 };

static const uint32_t palette[] = {0xc4473f, 0x3f76b5, 0xd9a13a, 0x4d9a63,
                                   0x8a5aa8, 0xd9743a, 0x3d9a9a, 0x8c8f94};

uint32_t weft_palette_colour(uint32_t index) {
  return palette[index % (sizeof palette / sizeof *palette)];
}

float weft_listed(const float *list, uint32_t count, uint32_t index, float otherwise) {
  if (count == 0) return otherwise;
  return list[index < count ? index : count - 1];
}

weft_result weft_check_system_size(const char *scene, uint64_t particles, weft_error *err) {
  if (particles <= MAX_PARTICLES) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "scene %s would have %llu particles, at most %d are allowed: fewer links or a "
                   "smaller size",
                   scene, (unsigned long long)particles, MAX_PARTICLES);
}

/* ---- a growing system ---- */

static void *grown(void *items, size_t capacity, size_t count, size_t size) {
  void *bigger = weft_alloc(capacity, size);
  if (count) memcpy(bigger, items, count * size);
  weft_free(items);
  return bigger;
}

static void make_room(weft_system *s) {
  if (s->count < s->capacity) return;
  size_t capacity = s->capacity ? 2 * s->capacity : 64;
  s->positions = grown(s->positions, capacity, s->count, sizeof *s->positions);
  s->masses = grown(s->masses, capacity, s->count, sizeof *s->masses);
  s->radii = grown(s->radii, capacity, s->count, sizeof *s->radii);
  s->colours = grown(s->colours, capacity, s->count, sizeof *s->colours);
  s->capacity = capacity;
}

uint32_t weft_system_add(weft_system *system, weft_vec3 place, float mass, float radius,
                         uint32_t colour) {
  make_room(system);
  uint32_t i = (uint32_t)system->count++;
  system->positions[i] = place;
  system->masses[i] = mass;
  system->radii[i] = radius;
  system->colours[i] = colour;
  return i;
}

weft_link *weft_system_link(weft_system *system, uint32_t a, uint32_t b, weft_sense sense,
                            float compliance) {
  WEFT_CHECK(a < system->count && b < system->count, "a link joins particles of its system");
  void *links = system->links;
  weft_grow(&links, &system->link_capacity, system->link_count + 1, sizeof *system->links);
  system->links = links;
  weft_link *link = &system->links[system->link_count++];
  float length = weft_v3_length(weft_v3_sub(system->positions[a], system->positions[b]));
  *link =
      (weft_link){.a = a, .b = b, .rest_length = length, .compliance = compliance, .sense = sense};
  return link;
}

static void keep_drawing(const weft_system *s, float link_radius, weft_scene_instance *scene) {
  float *radii = weft_scene_keep(scene, s->count, sizeof *radii);
  uint32_t *colours = weft_scene_keep(scene, s->count, sizeof *colours);
  memcpy(radii, s->radii, s->count * sizeof *radii);
  memcpy(colours, s->colours, s->count * sizeof *colours);
  scene->drawing.radii = radii;
  scene->drawing.colours = colours;
  scene->drawing.link_radius = link_radius;
}

weft_result weft_system_preprocess(weft_system *system, float radius, float link_radius,
                                   weft_scene_instance *scene, weft_error *err) {
  weft_particles_desc desc = {
      .particle_count = (uint32_t)system->count,
      .positions = system->positions,
      .masses = system->masses,
      .links = system->links,
      .link_count = (uint32_t)system->link_count,
      .radius = radius,
  };
  weft_result result = weft_model_create_particles(&desc, &scene->model, err);
  if (result == WEFT_OK) keep_drawing(system, link_radius, scene);
  weft_free(system->positions);
  weft_free(system->masses);
  weft_free(system->radii);
  weft_free(system->colours);
  weft_free(system->links);
  *system = (weft_system){0};
  return result;
}

/* ---- around it ---- */

weft_roots *weft_scene_roots(weft_scene_instance *scene) {
  weft_roots *roots = weft_scene_keep(scene, 1, sizeof *roots);
  roots->count = weft_scene_pinned(scene, &roots->particles);
  roots->rest = weft_model_rest_positions(scene->model);
  roots->targets = weft_scene_keep(scene, roots->count, sizeof *roots->targets);
  weft_scene_storage(scene)->motion = roots;
  return roots;
}

void weft_scene_add_prop(weft_scene_instance *scene, weft_vec3 a, weft_vec3 b, float radius,
                         uint32_t colour) {
  weft_scene_store *store = weft_scene_storage(scene);
  void *props = store->props;
  weft_grow(&props, &store->prop_capacity, scene->drawing.prop_count + 1u, sizeof *store->props);
  store->props = props;
  store->props[scene->drawing.prop_count++] = (weft_scene_prop){a, b, radius, colour};
  scene->drawing.props = store->props;
}
