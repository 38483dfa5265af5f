/* opt_attach.h: --attach. */
#ifndef WEFT_CLI_OPT_ATTACH_H
#define WEFT_CLI_OPT_ATTACH_H

#include "cli.h"

weft_result weft_cli_read_attach(const char *text, weft_cli_options *options, weft_error *err);

/* Which vertices of a file's mesh ride on the rest, for weft_model_desc: *attached is freed with
 * weft_free, and NULL where none does. `pins`: as weft_cli_find_pins has them; what is pinned by
 * its name or number is attached only where it is named. */
weft_result weft_cli_find_attached(const weft_cli_options *options, const weft_mesh *mesh,
                                   const weft_pin *pins, bool **attached, weft_error *err);

/* Says what rides, until the next call; NULL where nothing does. */
const char *weft_cli_attached_text(const weft_cli_options *options,
                                   const weft_scene_instance *scene);

#endif
