/* drawing.h: from a scene to what a renderer is made of, for render and whatever else draws. */
#ifndef WEFT_CLI_DRAWING_H
#define WEFT_CLI_DRAWING_H

#include "cli.h"
#include "render.h"

typedef struct weft_cli_drawing {
  weft_strand *strands;
  weft_prop *props;
  weft_texture texture;
  float *uvs;
} weft_cli_drawing;

/* Fills the desc's cloth, strands and props from the scene; `drawing` keeps what the desc points
 * to until it is freed, which may be right after weft_renderer_create. */
void weft_cli_drawing_of(const weft_scene_instance *scene, weft_renderer_desc *desc,
                         weft_cli_drawing *drawing);
/* After it, what --texture asks for; WEFT_ERROR_ARGUMENT where the cloth has no coordinates for it.
 */
weft_result weft_cli_texture_of(const weft_cli_options *options, const weft_scene_instance *scene,
                                weft_renderer_desc *desc, weft_cli_drawing *drawing,
                                weft_error *err);
void weft_cli_drawing_free(weft_cli_drawing *drawing);

/* What a scene's cloth looks like. fabric: its name, NULL for that of the scene, whose dye suits
 * the scene; colour: another dye, or NULL. */
weft_fabric_look weft_cli_look_of(const char *scene, const char *fabric, const weft_colour *colour);
/* The scene's body where it is. Set picture->colliders and picture->time before. */
void weft_cli_figure_of(const weft_scene_instance *scene, weft_picture *picture);
/* Floor of the picture: where the scene has a plane facing up. Set picture->time before. */
void weft_cli_ground_of(const weft_scene_instance *scene, weft_picture *picture);

#endif
