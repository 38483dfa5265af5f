/* scenes_internal.h: what the scenes share while they are made: colliders, keys and pins that live
 * as long as the instance, and the mannequin that garments are put on. */
#ifndef WEFT_SCENES_INTERNAL_H
#define WEFT_SCENES_INTERNAL_H

#include "base.h"
#include "figure.h"
#include "scenes.h"

/* What the instance's storage points to: blocks freed with it. */
typedef struct weft_scene_store {
  void **blocks;
  size_t count, capacity;
  weft_scene_prop *props;
  size_t prop_capacity;
  void *motion; /* what animate() needs, one of the blocks */
} weft_scene_store;

/* What a scene wants unless the options say otherwise. */
typedef struct weft_scene_defaults {
  const char *material;
  weft_bending bending;
  const weft_pin *pins;
  uint32_t pin_count;
} weft_scene_defaults;

/* Zero-filled memory that is freed with the instance. */
void *weft_scene_keep(weft_scene_instance *scene, size_t count, size_t size);
weft_scene_store *weft_scene_storage(weft_scene_instance *scene);

/* Level, at this height unless it is asked for at another; NULL where none is wanted. */
weft_collider *weft_scene_add_ground(weft_scene_instance *scene, float height);
/* What is asked for, once the model is there, where the scene itself has no ground. */
void weft_scene_finish_ground(weft_scene_instance *scene);
/* Comes down to this height, unless it stands where it was asked for. */
void weft_scene_lower_ground(weft_scene_instance *scene, float height);
void weft_scene_add_sphere(weft_scene_instance *scene, weft_vec3 centre, float radius);
void weft_scene_add_capsule(weft_scene_instance *scene, weft_vec3 a, weft_vec3 b, float radius);

/* WEFT_ERROR_ARGUMENT with a sentence when an option is given that a scene does not use. */
weft_result weft_scene_check_uses(const char *name, unsigned used, const weft_scene_options *o,
                                  weft_error *err);

/* Preprocesses the model of scene->mesh. */
weft_result weft_scene_preprocess(weft_scene_instance *scene, const weft_scene_options *options,
                                  const weft_scene_defaults *defaults, weft_error *err);

/* Moves the vertices along an axis (0 = x, 1 = y, 2 = z) by a few waves of a millimetre or two
 * whose phases come from the seed: a perfectly flat sheet under perfectly even load cannot choose a
 * fold. spacing: metres between vertices. */
void weft_scene_ripple(weft_mesh *mesh, int axis, float spacing, uint64_t seed);

/* What a scene is held by unless it shall be plain. */
weft_result weft_scene_hold_own(weft_scene_instance *scene, bool plain, weft_error *err);

void weft_scene_look(weft_scene_instance *scene, weft_vec3 centre, float radius, float yaw,
                     float pitch);

/* Self-collision, with friction of cotton on cotton. */
void weft_scene_keep_apart(weft_scene_instance *scene);

/* What animate() calls: moves those pins that have not been let go and go with no body. */
weft_result weft_scene_move_pins(const weft_scene_instance *scene, weft_solver *solver,
                                 const uint32_t *particles, const weft_vec3 *targets,
                                 uint32_t count, weft_error *err);

void weft_scene_free_bodies(weft_scene_instance *scene);
/* Where their motions have them at the end of the coming frame. */
weft_result weft_scene_move_bodies(const weft_scene_instance *scene, weft_solver *solver,
                                   weft_error *err);

typedef struct weft_scene_bonds weft_scene_bonds;
void weft_scene_free_bonds(weft_scene_bonds *bonds);
/* Moves what is bound to a body whose vertices shall be at these positions. */
weft_result weft_scene_move_bound(const weft_scene_instance *scene, weft_solver *solver,
                                  uint32_t body, const weft_vec3 *positions, weft_error *err);

/* The pinned particles in ascending order, kept; returns how many. */
uint32_t weft_scene_pinned(weft_scene_instance *scene, const uint32_t **particles);

/* A point turned about the y axis. */
weft_vec3 weft_turned(weft_vec3 p, double angle);

/* ---- mannequin: the figure of figure.h ---- */
/* pose(time) moves it; NULL: it stands. Poses are sampled for `seconds`. */
weft_result weft_scene_add_mannequin(weft_scene_instance *scene, weft_mannequin kind,
                                     weft_pose (*pose)(double time), double seconds,
                                     weft_error *err);
/* The skin as a body; NULL: it stands. */
weft_result weft_scene_add_skin(weft_scene_instance *scene, weft_pose (*pose)(double time),
                                weft_error *err);
/* What it has made; the block itself is the instance's. */
void weft_scene_figure_free(weft_scene_figure *body);

/* ---- makers, one for each row of scenes.def ---- */
#define WEFT_SCENE(name, ...)                                                       \
  weft_result weft_make_##name(const weft_scene_options *o, weft_scene_instance *s, \
                               weft_error *err);
#include "scenes.def"
#undef WEFT_SCENE

/* The same of pins that keys move; and all that keys change, before a frame. */
weft_result weft_scene_move_timed(const weft_scene_instance *scene, weft_solver *solver,
                                  const uint32_t *particles, const weft_vec3 *targets,
                                  uint32_t count, weft_error *err);
weft_result weft_scene_lead_timeline(const weft_scene_instance *scene, weft_solver *solver,
                                     weft_error *err);

#endif
