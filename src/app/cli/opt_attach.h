/* opt_attach.h: --attach. */
#ifndef WEFT_CLI_OPT_ATTACH_H
#define WEFT_CLI_OPT_ATTACH_H

#include "cli.h"

/* Says what rides, until the next call; NULL where nothing does. */
const char *weft_cli_attached_text(const weft_cli_options *options,
                                   const weft_scene_instance *scene);

#endif
