/* loosened.c: a scene that begins without intersections. */
#include "scenes_internal.h"

weft_result weft_scene_untangle(weft_scene_instance *scene, const int32_t *layers,
                                weft_error *err) {
  weft_params *p = &scene->params;
  weft_vec3 *start = weft_scene_start_room(scene);
  const weft_untangle_desc desc = {.model = scene->model,
                                   .start = p->start,
                                   .bodies = p->bodies,
                                   .body_count = p->body_count,
                                   .layers = layers,
                                   .thickness = p->self_thickness};
  weft_result result = weft_untangle(&desc, start, &scene->loosened, err);
  if (result == WEFT_OK) p->start = start;
  return result;
}
