/* walk.c: a skirt on a figure that walks on the spot. What cloth meets is the skin, one closed mesh
 * that is seen as well; the waistband is bound to it. */
#include "scenes_internal.h"

static const float waist_height = 1.04f;

/* A waist is wider than deep, and the hem round. */
static void fit_to_waist(weft_mesh *mesh, const weft_tube_desc *tube) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    weft_vec3 *p = &mesh->positions[v];
    float up = 1 + (p->y - tube->centre_top.y) / tube->height;
    p->z *= 1 - 0.2f * up * up;
  }
}

weft_result weft_make_walk(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  uint32_t n = o->size < 8 ? 8 : o->size; /* fewer would cut into the figure */
  weft_tube_desc tube = {.top_radius = 0.133f,
                         .bottom_radius = 0.34f,
                         .height = 0.52f,
                         .rings = (3 * n + 2) / 5,
                         .segments = (5 * n + 1) / 3,
                         .centre_top = weft_v3(0, waist_height, 0)};
  weft_result result = weft_mesh_tube(&tube, &s->mesh, err);
  if (result != WEFT_OK) return result;
  fit_to_waist(&s->mesh, &tube);
  s->params.substeps = 20;
  s->params.damping = 0.2f;
  s->params.air_density = WEFT_AIR;
  weft_scene_keep_apart(s);
  weft_scene_add_ground(s, 0);
  s->still = (weft_scene_still){110, 1.1f, {0, 0.84f, 0}};
  weft_scene_look(s, weft_v3(0, 0.85f, 0), 0.98f, 0.75f, 0.1f);
  result = weft_scene_add_skin(s, weft_figure_walk, err);
  const weft_pin pin = {.rule = WEFT_PIN_TOP};
  if (result == WEFT_OK) {
    result = weft_scene_preprocess(
        s, o, &(weft_scene_defaults){"tablecloth", WEFT_BENDING_DIHEDRAL, &pin, 1}, err);
  }
  if (result != WEFT_OK || o->pin_count > 0) return result;
  return weft_scene_bind_pins(s, 0, err);
}
