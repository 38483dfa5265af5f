/* opt_layers.h: --layer. */
#ifndef WEFT_CLI_OPT_LAYERS_H
#define WEFT_CLI_OPT_LAYERS_H

#include "cli.h"

weft_result weft_cli_read_layer(const char *text, weft_cli_options *options, weft_error *err);

/* Marks the vertices of a group, object or material of the file, or of a connected piece (@0, @1,
 * ...); others stay as they are. Sentences name the file and the option. */
weft_result weft_cli_mark_named(const weft_cli_options *options, const weft_mesh *mesh,
                                const char *file, const char *option, const char *name,
                                bool *marked, weft_error *err);

/* Which layer each particle of a scene is in, 0 where none is given: *layers is freed with
 * weft_free, and NULL where there is no --layer. */
weft_result weft_cli_find_layers(const weft_cli_options *options, const weft_scene_instance *scene,
                                 int32_t **layers, weft_error *err);

#endif
