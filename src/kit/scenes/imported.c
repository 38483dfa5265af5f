/* imported.c: any mesh, hung up. Everything is a part of the mesh's own size, so
 * that garments drawn in decimetres or in wild units move alike. */
#include <math.h>
#include <string.h>

#include "scenes_internal.h"

/* What lies flat has no top, and is held at two corners. */
static weft_pin default_pin(weft_vec3 low, weft_vec3 high) {
  float height = high.y - low.y, extent = weft_v3_length(weft_v3_sub(high, low));
  return (weft_pin){.rule = height < 0.02f * extent ? WEFT_PIN_CORNERS : WEFT_PIN_TOP};
}

static void set_environment(weft_scene_instance *s, weft_vec3 low, weft_vec3 high) {
  float extent = weft_v3_length(weft_v3_sub(high, low));
  s->params.substeps = 20;
  s->params.thickness = fminf(0.002f * extent, 1e3f); /* what parameters allow */
  s->params.air_density = WEFT_AIR;
  weft_scene_keep_apart(s);
  s->still.frame = 60;
  weft_vec3 centre = weft_v3_scale(weft_v3_add(low, high), 0.5f);
  centre.y -= 0.05f * extent;
  weft_scene_look(s, centre, 0.55f * extent, 0.5f, 0.2f);
}

/* A sheet has a second diagonal in each quad that can be left out; how it is cut, the file says. */
static unsigned uses_of(const weft_mesh *mesh, const weft_scene_options *o) {
  const bool sheet = mesh->grid_rows > 0 && o->pattern == WEFT_GRID_SAME_DIAGONAL;
  return sheet ? WEFT_SCENE_CLOTH | WEFT_SCENE_SHEET : WEFT_SCENE_CLOTH;
}

/* Creases are what the cloth was made with. */
static weft_bending bending_of(weft_scene_instance *s, const weft_scene_options *o) {
  if (!o->bending_set) s->creases = weft_mesh_creases(&s->mesh, &s->sharpest);
  return s->creases > 0 ? WEFT_BENDING_MIXED : WEFT_BENDING_ISOMETRIC;
}

weft_result weft_scene_from_mesh(const char *name, weft_mesh *mesh,
                                 const weft_scene_options *options, weft_scene_instance *instance,
                                 weft_error *err) {
  WEFT_CHECK(name && mesh && instance, "a scene from a mesh needs name, mesh and instance");
  weft_scene_options wanted = options ? *options : (weft_scene_options){0};
  *instance = (weft_scene_instance){
      .mesh = *mesh, .ground_asked = wanted.ground, .ground_height = wanted.ground_height};
  *mesh = (weft_mesh){0};
  char *kept = weft_scene_keep(instance, strlen(name) + 1, 1);
  memcpy(kept, name, strlen(name) + 1);
  instance->name = kept;
  weft_result result;
  if (instance->mesh.vertex_count == 0 || instance->mesh.triangle_count == 0) {
    result = weft_fail(err, WEFT_ERROR_MESH, "%s: no triangle to make cloth of", name);
  } else if (weft_scene_check_uses(name, uses_of(&instance->mesh, &wanted), &wanted, err) !=
             WEFT_OK) {
    result = WEFT_ERROR_ARGUMENT;
  } else {
    weft_vec3 low, high;
    weft_v3_bounds(instance->mesh.positions, instance->mesh.vertex_count, &low, &high);
    set_environment(instance, low, high);
    const weft_pin pin = default_pin(low, high);
    result = weft_scene_preprocess(
        instance, &wanted,
        &(weft_scene_defaults){"tablecloth", bending_of(instance, &wanted), &pin, 1}, err);
  }
  if (result == WEFT_OK) weft_scene_finish_ground(instance);
  if (result == WEFT_OK) result = weft_scene_hold_own(instance, wanted.plain, err);
  if (result != WEFT_OK) weft_scene_free(instance);
  return result;
}
