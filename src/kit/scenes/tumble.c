/* tumble.c: what turning shapes do to cloth: a sheet comes down over a box that turns
 * and a ball that spins beside it. */
#include "scenes_internal.h"

static const float seconds = 60;

/* Two keys: a path may end, but not within the time that is watched. */
static void add_turning(weft_scene_instance *s, weft_collider shape, weft_vec3 centre,
                        weft_vec3 start, weft_vec3 rate) {
  weft_collider_key *keys = weft_scene_keep(s, 2, sizeof *keys);
  for (int k = 0; k < 2; ++k) {
    keys[k].time = k ? seconds : 0;
    keys[k].a = centre;
    keys[k].rotation = weft_v3_add(start, weft_v3_scale(rate, keys[k].time));
  }
  weft_collider *c = weft_scene_add_collider(s);
  shape.friction_static = 0.7f;
  shape.friction_dynamic = 0.6f;
  *c = shape;
  c->keys = keys;
  c->key_count = 2;
}

weft_result weft_make_tumble(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  weft_grid_desc grid = {.rows = o->size,
                         .columns = o->size,
                         .width = 1.5f,
                         .height = 1.5f,
                         .pattern = o->pattern,
                         .plane = WEFT_PLANE_XZ,
                         .centre = {0.05f, 0.95f, 0}};
  s->params.substeps = 20;
  s->params.thickness = 0.01f; /* triangles reach across the edges of the box */
  s->params.damping = 0.4f;
  weft_scene_keep_apart(s);
  weft_result result = weft_mesh_grid(&grid, &s->mesh, err);
  if (result != WEFT_OK) return result;
  weft_scene_ripple(&s->mesh, 1, 1.5f / (float)o->size, o->seed);
  weft_scene_add_ground(s, 0);
  weft_collider box = {.shape = WEFT_COLLIDER_BOX, .half_size = {0.26f, 0.2f, 0.2f}};
  add_turning(s, box, weft_v3(-0.3f, 0.45f, 0), weft_v3(0.3f, 0.2f, 0.5f), weft_v3(0, 0.5f, 0));
  weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE, .radius = 0.26f};
  add_turning(s, ball, weft_v3(0.42f, 0.27f, 0.05f), weft_v3(0, 0, 0), weft_v3(0, 0, -4));
  s->still = (weft_scene_still){100, 1.3f, {-0.02f, 0.33f, 0.05f}};
  weft_scene_look(s, weft_v3(0, 0.35f, 0), 0.85f, 0.6f, 0.4f);
  return weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"trousers", WEFT_BENDING_ISOMETRIC, NULL, 0}, err);
}
