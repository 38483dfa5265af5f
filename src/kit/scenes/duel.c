/* duel.c: what a solver is tried on: a fine sheet hung by two corners, and a ball that pushes it.
 */
#include <math.h>

#include "scenes_internal.h"

static const float width = 1, top = 1.5f, behind = -0.5f; /* m; behind: z of the pinned side */
static const float radius = 0.22f;                        /* of the ball, m */
enum { SECONDS = 60, KEYS_PER_SECOND = 8 };

typedef struct corners {
  uint32_t count;
  const uint32_t *pinned;
  const weft_vec3 *rest;
  weft_vec3 *targets;
} corners;

/* The corners come nearer to each other while the sheet swings down, and it folds between them. */
static weft_result draw_together(weft_scene_instance *s, weft_solver *solver, weft_error *err) {
  static const double seconds = 1, part = 0.3;
  double now = weft_solver_time(solver), dt = (double)weft_solver_params(solver)->frame_dt;
  if (now > seconds) return WEFT_OK;
  double t = fmin((now + dt) / seconds, 1), x = 1 - part * t * t * (3 - 2 * t);
  corners *c = weft_scene_storage(s)->motion;
  for (uint32_t k = 0; k < c->count; ++k) {
    c->targets[k] = c->rest[c->pinned[k]];
    c->targets[k].x *= (float)x;
  }
  return weft_scene_move_pins(s, solver, c->pinned, c->targets, c->count, err);
}

/* Beneath the swinging sheet at first, then up behind it and down again. */
static void add_ball(weft_scene_instance *s) {
  static const double pi = 3.14159265358979, begin = 1, period = 5;
  const uint32_t count = SECONDS * KEYS_PER_SECOND + 1;
  weft_collider_key *keys = weft_scene_keep(s, count, sizeof *keys);
  for (uint32_t k = 0; k < count; ++k) {
    double time = (double)k / KEYS_PER_SECOND;
    double swing = time > begin ? sin(pi * (time - begin) / period) : 0;
    float up = (float)(swing * swing);
    keys[k].time = (float)time;
    keys[k].a = weft_v3(0, radius + 0.7f * up, behind - 0.45f * (1 - up));
  }
  weft_scene_add_sphere(s, keys[0].a, radius);
  weft_collider *ball = &s->colliders[s->params.collider_count - 1];
  ball->keys = keys;
  ball->key_count = count;
}

weft_result weft_make_duel(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  const weft_grid_desc grid = {.rows = o->size,
                               .columns = o->size,
                               .width = width,
                               .height = width,
                               .pattern = o->pattern,
                               .plane = WEFT_PLANE_XZ,
                               .centre = weft_v3(0, top, behind + width / 2)};
  weft_result result = weft_mesh_grid(&grid, &s->mesh, err);
  if (result != WEFT_OK) return result;
  weft_scene_ripple(&s->mesh, 1, width / (float)o->size, o->seed);
  weft_scene_add_ground(s, 0);
  add_ball(s);
  s->params.thickness = 0.003f;
  s->params.damping = 0.2f;
  s->still = (weft_scene_still){160, 1, {0, 0.9f, -0.4f}};
  weft_scene_look(s, weft_v3(0, 0.8f, behind + 0.1f), 0.84f, 0.6f, 0.12f);
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  result = weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"tablecloth", WEFT_BENDING_ISOMETRIC, &pin, 1}, err);
  if (result != WEFT_OK || o->pin_count > 0) return result;
  corners *c = weft_scene_keep(s, 1, sizeof *c);
  c->count = weft_scene_pinned(s, &c->pinned);
  c->rest = weft_model_rest_positions(s->model);
  c->targets = weft_scene_keep(s, c->count, sizeof *c->targets);
  weft_scene_storage(s)->motion = c;
  s->animate = draw_together;
  return WEFT_OK;
}
