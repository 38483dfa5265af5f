/* environment.h: what stands around the cloth by option: --ground, --collider and what is said of
 * one,
 * --friction, --shift-collider. */
#ifndef WEFT_CLI_ENVIRONMENT_H
#define WEFT_CLI_ENVIRONMENT_H

#include <jansson.h>

#include "cli.h"

/* Readers of options. */
weft_result weft_cli_take_ground(void *base, const char *text, weft_error *err);
weft_result weft_cli_take_collider(void *base, const char *text, weft_error *err);
weft_result weft_cli_take_collider_rotation(void *base, const char *text, weft_error *err);
weft_result weft_cli_take_collider_key(void *base, const char *text, weft_error *err);
weft_result weft_cli_take_collider_friction(void *base, const char *text, weft_error *err);
weft_result weft_cli_take_friction(void *base, const char *text, weft_error *err);
weft_result weft_cli_take_shift(void *base, const char *text, weft_error *err);
/* Static and kinetic, or one number for both. */
weft_result weft_cli_read_friction(const char *option, const char *text, float friction[2],
                                   weft_error *err);

/* Notes an option of these, or of the scene, as it was given, for who has to say what a run depends
 * on. */
weft_result weft_cli_note(weft_cli_options *options, const char *option, const char *text,
                          weft_error *err);

/* Each as "collider sphere:0,1,0,0.5", and NULL at the end. */
char **weft_cli_around(const weft_cli_options *options);
void weft_cli_free_around(char **around);

/* Puts all of it into a scene that has its bodies. */
weft_result weft_cli_set_environment(const weft_cli_options *options, weft_scene_instance *scene,
                                     weft_error *err);
/* What acts on the cloth, in a line or two, and as JSON. */
void weft_cli_environment_print(FILE *file, weft_solver *solver);
json_t *weft_cli_environment_json(weft_solver *solver);

/* Cloth that starts inside of a collider is named, where a user put one of them there: it would be
 * thrown out. */
void weft_cli_warn_start(const weft_cli_options *options, const weft_scene_instance *scene);

#endif
