/* cmd_inspect.h: the parts of weft inspect. */
#ifndef WEFT_CLI_CMD_INSPECT_H
#define WEFT_CLI_CMD_INSPECT_H

#include <weft_kit/motion.h>

#include "cli.h"
#include "intersections_print.h"
#include "json.h"

/* Prints what a model of particles and links is made of, and adds it to the report. */
void weft_inspect_particles(const weft_model *model, json_t *json);

/* Where the mesh of a file passes through itself; pairs have the numbers of its faces, from 0. */
weft_result weft_inspect_file_intersections(const weft_mesh *mesh, weft_intersections *found,
                                            weft_error *err);
/* The same of cloth. */
weft_result weft_inspect_cloth_intersections(const weft_mesh *mesh, weft_intersections *found,
                                             weft_error *err);
/* `raw` is NULL where there is no file. */
void weft_inspect_print_intersections(const weft_intersections *raw,
                                      const weft_intersections *cloth);
json_t *weft_inspect_intersections_json(const weft_intersections *found);

/* Prints how the cloth lies to the bodies of its scene where it begins, and adds it to the report.
 */
weft_result weft_inspect_bodies(const weft_scene_instance *scene, json_t *json, weft_error *err);

/* Prints what a moving body is like, and adds it to the report. Mesh and scale come from the
 * options. */
weft_result weft_inspect_motion(const weft_cli_options *options, weft_motion_desc desc,
                                json_t *json, weft_error *err);

#endif
