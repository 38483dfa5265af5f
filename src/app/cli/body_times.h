/* body_times.h: when bodies move, and who says so: a line each before a run, and a warning where a
 * motion ends before it. */
#ifndef WEFT_CLI_BODY_TIMES_H
#define WEFT_CLI_BODY_TIMES_H

#include <jansson.h>

#include "cli.h"

/* ", from frame 7 of the file on, one every 2 frames"; what begins at 0 needs no word. */
void weft_cli_print_file_start(FILE *file, const weft_motion_info *info);

/* Of a run of so many seconds. Nothing for a scene without bodies. */
void weft_cli_bodies_print(FILE *file, const weft_cli_options *options,
                           const weft_scene_instance *scene, double seconds);
/* Keys may end whenever they like; a file of frames, or an animation, most likely is played at
 * another speed than it was made for. */
void weft_cli_bodies_warn(const weft_cli_options *options, const weft_scene_instance *scene,
                          double seconds);
json_t *weft_cli_bodies_json(const weft_cli_options *options, const weft_scene_instance *scene);

#endif
