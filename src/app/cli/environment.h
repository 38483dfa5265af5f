/* environment.h: what stands around the cloth by option. */
#ifndef WEFT_CLI_ENVIRONMENT_H
#define WEFT_CLI_ENVIRONMENT_H

#include <jansson.h>

#include "cli.h"

/* Each as "collider sphere:0,1,0,0.5", and NULL at the end. */
char **weft_cli_around(const weft_cli_options *options);
void weft_cli_free_around(char **around);

/* What acts on the cloth, in a line or two, and as JSON. */
void weft_cli_environment_print(FILE *file, weft_solver *solver);
json_t *weft_cli_environment_json(weft_solver *solver);

/* Cloth that starts inside of a collider is named, where a user put one of them there: it would be
 * thrown out. */
void weft_cli_warn_start(const weft_cli_options *options, const weft_scene_instance *scene);

#endif
