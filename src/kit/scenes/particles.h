/* particles.h: putting systems of particles and links together, inside the scenes room. */
#ifndef WEFT_SCENES_PARTICLES_H
#define WEFT_SCENES_PARTICLES_H

#include "scenes_internal.h"

/* Grows while a scene is made; zero-initialise. */
typedef struct weft_system {
  weft_vec3 *positions;
  float *masses;     /* kg, 0: pinned */
  float *radii;      /* m, as drawn, 0: not drawn */
  uint32_t *colours; /* 0xRRGGBB */
  size_t count, capacity;
  weft_link *links;
  size_t link_count, link_capacity;
} weft_system;

uint32_t weft_system_add(weft_system *system, weft_vec3 place, float mass, float radius,
                         uint32_t colour);
/* A link with the distance of its ends as rest length; the caller may change what it returns until
 * the next one is added. */
weft_link *weft_system_link(weft_system *system, uint32_t a, uint32_t b, weft_sense sense,
                            float compliance);

/* The model of the system and what is drawn of it; frees the system in either case. radius: of
 * every particle, m. link_radius: as drawn. */
weft_result weft_system_preprocess(weft_system *system, float radius, float link_radius,
                                   weft_scene_instance *scene, weft_error *err);

/* The pinned particles as they are moved by animate(), kept with the scene. */
typedef struct weft_roots {
  uint32_t count;
  const uint32_t *particles;
  const weft_vec3 *rest; /* of all particles */
  weft_vec3 *targets;
} weft_roots;
weft_roots *weft_scene_roots(weft_scene_instance *scene);

/* A rod that is drawn and nothing else. */
void weft_scene_add_prop(weft_scene_instance *scene, weft_vec3 a, weft_vec3 b, float radius,
                         uint32_t colour);

/* The index-th value of a list whose last value repeats; `otherwise` when the list is empty. */
float weft_listed(const float *list, uint32_t count, uint32_t index, float otherwise);

/* One of a few well told apart colours, in turn. */
uint32_t weft_palette_colour(uint32_t index);

/* Refuses systems that no machine steps in reasonable time. */
weft_result weft_check_system_size(const char *scene, uint64_t particles, weft_error *err);

#endif
