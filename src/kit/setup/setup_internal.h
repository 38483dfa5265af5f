/* setup_internal.h: what the files of this room call of each other. */
#ifndef WEFT_SETUP_INTERNAL_H
#define WEFT_SETUP_INTERNAL_H

#include "base.h"
#include "setup.h"

/* ---- readers of settings ---- */
weft_result weft_setup_take_pin(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_pin_key(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_pin_weight(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_key(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_layer(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_attach(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_ground(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_collider(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_collider_rotation(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_collider_key(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_collider_friction(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_friction(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_shift(void *base, const char *text, weft_error *err);
weft_result weft_setup_take_max_strain(void *base, const char *text, weft_error *err);
/* Static and kinetic, or one number for both. */
weft_result weft_setup_read_friction(const char *option, const char *text, float friction[2],
                                     weft_error *err);
weft_result weft_setup_read_unit(const char *option, const char *text, float *unit,
                                 weft_error *err);
extern const char *const weft_setup_ups[]; /* names of weft_up */
extern const weft_option weft_setup_body_options[];
enum { WEFT_SETUP_BODY_OPTIONS = 12 };
/* A row of weft/params.def as an option; one without is called as its row is. */
weft_option weft_setup_param_option(uint32_t row);
/* Of what is given: of all, and of what makes the scene or stands around it. */
weft_note weft_setup_note, weft_setup_note_scene, weft_setup_note_world;
weft_note *weft_setup_note_of(const char *option); /* of the table that it is in */

/* ---- pins and pieces of a file ---- */

/* The pins of the setup, [pin_count], with vertices for names of the file; the map is that of its
 * mesh. To be freed with weft_setup_free_pins, also where it fails. */
weft_result weft_setup_find_pins(const weft_setup *setup, const weft_mesh_map *map,
                                 weft_pin pins[WEFT_SETUP_MAX_PINS], weft_error *err);
void weft_setup_free_pins(const weft_setup *setup, weft_pin pins[WEFT_SETUP_MAX_PINS]);
/* Which vertices of a file's mesh ride on the rest, for weft_model_desc: *attached is freed with
 * weft_free, and NULL where none does. `pins`: as weft_setup_find_pins has them; what is pinned by
 * its name or number is attached only where it is named. */
weft_result weft_setup_find_attached(const weft_setup *setup, const weft_mesh *mesh,
                                     const weft_pin *pins, bool **attached, weft_error *err);
/* Marks the vertices of a group, object or material of the file, or of a connected piece (@0, @1,
 * ...); others stay as they are. Sentences name the file and the option. */
weft_result weft_setup_mark_named(const weft_setup *setup, const weft_mesh *mesh, const char *file,
                                  const char *option, const char *name, bool *marked,
                                  weft_error *err);
/* Which layer each particle of a scene is in, 0 where none is given: *layers is freed with
 * weft_free, and NULL where there is no --layer. */
weft_result weft_setup_find_layers(const weft_setup *setup, const weft_scene_instance *scene,
                                   int32_t **layers, weft_error *err);

/* ---- steps of making a scene ---- */

/* Reads the bodies of the setup into a scene. */
weft_result weft_setup_add_bodies(const weft_setup *setup, weft_scene_instance *scene,
                                  weft_error *err);
/* Ground, colliders and friction, into a scene that has its bodies. */
weft_result weft_setup_set_environment(const weft_setup *setup, weft_scene_instance *scene,
                                       weft_error *err);
/* What was given and cannot act: WEFT_ERROR_ARGUMENT, or with many_scenes a warning. */
weft_result weft_setup_check_idle(const weft_setup *setup, const weft_scene_instance *scene,
                                  weft_error *err);
/* What --pin-to-body asks for, once bodies are there and the cloth is where it begins. */
weft_result weft_setup_bind_pins(const weft_setup *setup, weft_scene_instance *scene,
                                 weft_error *err);
/* Gives the scene what changes over time. */
weft_result weft_setup_add_keys(const weft_setup *setup, weft_scene_instance *scene,
                                weft_error *err);

#endif
