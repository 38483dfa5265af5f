/* export.c: a scene's state as a file. */
#include "cli.h"

/* The file that came in, with its vertices where the state has them. */
static weft_result export_source(const weft_scene_instance *scene, const weft_source *source,
                                 const weft_vec3 *positions, const char *path, weft_error *err) {
  weft_vec3 *placed = weft_alloc(source->vertex_count, sizeof *placed);
  const weft_mesh_map *map = &scene->mesh.map;
  weft_result result = weft_source_place(source, map, positions, placed, err);
  if (result == WEFT_OK) result = weft_source_write_obj(path, source, map, placed, err);
  weft_free(placed);
  return result;
}

weft_result weft_cli_export(const weft_scene_instance *scene, const weft_source *source,
                            const weft_vec3 *positions, const char *path, weft_error *err) {
  if (source) return export_source(scene, source, positions, path, err);
  const weft_model *model = weft_model_part(scene->model, 0); /* all have its structure */
  if (weft_model_triangle_count(model) > 0) {
    return weft_mesh_export_obj(path, &scene->mesh, positions, err);
  }
  const weft_link *links = weft_model_links(model);
  uint32_t count = weft_model_link_count(model), pairs = 0;
  uint32_t *list = weft_alloc(2 * (size_t)count, sizeof *list);
  for (uint32_t k = 0; k < count; ++k) {
    if (links[k].bending) continue;
    list[2 * (size_t)pairs] = links[k].a;
    list[2 * (size_t)pairs++ + 1] = links[k].b;
  }
  weft_result result =
      weft_mesh_export_lines(path, positions, weft_model_particle_count(model), list, pairs, err);
  weft_free(list);
  return result;
}
