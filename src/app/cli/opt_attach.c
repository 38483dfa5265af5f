/* opt_attach.c: what is said of pieces of a file that ride on the cloth beneath them. */
#include "opt_attach.h"

#include "mesh_internal.h"

const char *weft_cli_attached_text(const weft_cli_options *o, const weft_scene_instance *scene) {
  static char text[160];
  const weft_model *model = scene->single ? scene->single : scene->model;
  const uint32_t vertices = weft_model_attached_count(model);
  if (vertices == 0) return NULL;
  uint32_t pieces = 0, *root = weft_mesh_pieces(&scene->mesh);
  for (uint32_t v = 0; v < scene->mesh.vertex_count; ++v) {
    pieces += root[v] == v && weft_model_is_attached(model, v);
  }
  weft_free(root);
  snprintf(text, sizeof text, "%s loose piece%s (%s vertices) ride%s on the cloth beneath%s",
           weft_cli_grouped(pieces), weft_plural(pieces), weft_cli_grouped(vertices),
           pieces == 1 ? "s" : "",
           o->setup.attach_off ? "" : "; --attach off leaves small ones alone");
  return text;
}
