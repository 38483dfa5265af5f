/* opt_pins.h: --pin. */
#ifndef WEFT_CLI_OPT_PINS_H
#define WEFT_CLI_OPT_PINS_H

#include "cli.h"

weft_result weft_cli_take_pin(void *base, const char *text, weft_error *err);

/* The first rule that needs names of a file, as it was given; NULL: none does. */
const char *weft_cli_named_pin(const weft_cli_options *options);

/* The pins of the options, [pin_count], with vertices for names of the file; the map is that of its
 * mesh. To be freed with weft_cli_free_pins, also where it fails. */
weft_result weft_cli_find_pins(const weft_cli_options *options, const weft_mesh_map *map,
                               weft_pin pins[WEFT_CLI_MAX_PINS], weft_error *err);
void weft_cli_free_pins(const weft_cli_options *options, weft_pin pins[WEFT_CLI_MAX_PINS]);

/* Warns of a mesh from a file that hangs by a few vertices. */
void weft_cli_warn_pins(const weft_cli_options *options, const weft_scene_instance *scene);

#endif
