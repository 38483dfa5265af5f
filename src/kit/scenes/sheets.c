/* sheets.c: hanging, drape, flag and curtain: square grids of particles. */
#include <math.h>

#include "scenes_internal.h"

static weft_result make_sheet(const weft_scene_options *o, float width, float height,
                              weft_plane plane, weft_vec3 centre, weft_scene_instance *s,
                              weft_error *err) {
  weft_grid_desc grid = {.rows = o->size,
                         .columns = o->size,
                         .width = width,
                         .height = height,
                         .pattern = o->pattern,
                         .plane = plane,
                         .centre = centre};
  s->params.substeps = 20;
  s->params.thickness = 0.003f;
  return weft_mesh_grid(&grid, &s->mesh, err);
}

/* Turned down about its first row. */
static void tilt(weft_mesh *mesh, float angle) {
  weft_vec3 hinge = mesh->positions[0];
  float away = mesh->positions[mesh->vertex_count - 1].z - hinge.z;
  float c = cosf(angle), s = away > 0 ? sinf(angle) : -sinf(angle);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    weft_vec3 *p = &mesh->positions[i];
    float y = p->y - hinge.y, z = p->z - hinge.z;
    *p = weft_v3(p->x, hinge.y + c * y - s * z, hinge.z + s * y + c * z);
  }
}

/* Held out level at two corners (or turned down by an angle: 90 degrees is upright) and let go: it
 * swings down, folds between the corners and comes to hang. */
weft_result weft_make_hanging(const weft_scene_options *o, weft_scene_instance *s,
                              weft_error *err) {
  weft_result result = make_sheet(o, 1, 1, WEFT_PLANE_XZ, weft_v3(0, 1.6f, 0), s, err);
  if (result != WEFT_OK) return result;
  weft_scene_ripple(&s->mesh, 1, 1.0f / (float)o->size, o->seed);
  if (o->angle_set) tilt(&s->mesh, o->angle);
  weft_scene_add_ground(s, 0);
  s->params.damping = 0.2f;
  s->still = (weft_scene_still){36, 1.3f, {0, 1.1f, -0.1f}};
  weft_scene_look(s, weft_v3(0, 1.15f, -0.5f), 0.75f, 0.6f, 0.2f);
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  return weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"tablecloth", WEFT_BENDING_ISOMETRIC, &pin, 1}, err);
}

weft_result weft_make_drape(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  weft_result result =
      make_sheet(o, 1.2f, 1.2f, WEFT_PLANE_XZ, weft_v3(0.02f, 0.72f, 0.01f), s, err);
  if (result != WEFT_OK) return result;
  weft_scene_ripple(&s->mesh, 1, 1.2f / (float)o->size, o->seed);
  weft_scene_add_ground(s, 0);
  weft_scene_add_sphere(s, weft_v3(0, 0.34f, 0), 0.34f);
  s->params.damping = 0.5f;
  weft_scene_keep_apart(s);
  s->still = (weft_scene_still){100, 1.25f, {0, 0.3f, 0}};
  weft_scene_look(s, weft_v3(0, 0.3f, 0), 0.72f, 0.7f, 0.42f);
  return weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"trousers", WEFT_BENDING_ISOMETRIC, NULL, 0}, err);
}

weft_result weft_make_flag(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  weft_result result = make_sheet(o, 1.5f, 1, WEFT_PLANE_XY, weft_v3(0.75f, 2, 0), s, err);
  if (result != WEFT_OK) return result;
  weft_scene_ripple(&s->mesh, 2, 1.5f / (float)o->size, o->seed);
  weft_scene_add_ground(s, 0);
  weft_scene_add_capsule(s, weft_v3(-0.03f, 0, 0), weft_v3(-0.03f, 2.6f, 0), 0.02f);
  s->params.wind = weft_v3(7, 0, 1.5f);
  s->params.gust = 0.4f;
  s->params.air_density = WEFT_AIR;
  weft_scene_keep_apart(s);
  s->still = (weft_scene_still){90, 1.3f, {0.72f, 1.9f, 0}};
  weft_scene_look(s, weft_v3(0.65f, 1.9f, 0), 1, 0.35f, 0.1f);
  const weft_pin pin = {.rule = WEFT_PIN_LEFT};
  return weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"tablecloth", WEFT_BENDING_ISOMETRIC, &pin, 1}, err);
}

/* ---- curtain ---- */

static const float curtain_width = 2.4f, curtain_height = 1.8f, curtain_top = 2;
static const double draw_seconds = 1.5;
static const float drawn_part = 0.5f; /* of the width, when drawn */
enum { GAPS = 14 };

typedef struct curtain {
  uint32_t count;
  const uint32_t *hooks;
  const weft_vec3 *rest;
  weft_vec3 *targets;
  float drawn;
} curtain;

/* Eased from 1 to the drawn part. */
static double width_part(double time, float drawn) {
  double t = fmin(fmax(time / draw_seconds, 0), 1);
  return 1 - (1 - (double)drawn) * t * t * (3 - 2 * t);
}

static weft_result draw_curtain(weft_scene_instance *s, weft_solver *solver, weft_error *err) {
  double dt = (double)weft_solver_params(solver)->frame_dt;
  double now = weft_solver_time(solver);
  if (now > draw_seconds) return WEFT_OK;
  curtain *c = weft_scene_storage(s)->motion;
  double part = width_part(now + dt, c->drawn);
  for (uint32_t k = 0; k < c->count; ++k) {
    weft_vec3 rest = c->rest[c->hooks[k]];
    c->targets[k] = weft_v3((float)((double)rest.x * part), rest.y, rest.z);
  }
  return weft_scene_move_pins(s, solver, c->hooks, c->targets, c->count, err);
}

/* Lets the cloth lean to alternating sides between the hooks: so it folds when they close up. */
static void lean(weft_mesh *mesh, float spacing) {
  const float frequency = 3.1415927f * GAPS; /* over the width */
  float curving = frequency / curtain_width * frequency / curtain_width;
  float height = fminf(0.001f, 0.005f / (curving * spacing));
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    float along = mesh->positions[i].x / curtain_width + 0.5f;
    mesh->positions[i].z += height * sinf(frequency * along);
  }
}

/* Evenly spread over the top row, both ends held. */
static uint32_t choose_hooks(uint32_t columns, uint32_t *hooks) {
  uint32_t gaps = columns - 1 < GAPS ? columns - 1 : GAPS;
  for (uint32_t k = 0; k <= gaps; ++k) {
    hooks[k] = (uint32_t)(((uint64_t)(columns - 1) * k + gaps / 2) / gaps);
  }
  return gaps + 1;
}

static void add_ball(weft_scene_instance *s) {
  static const float times[] = {2, 4.5f};
  weft_collider_key *keys = weft_scene_keep(s, 2, sizeof *keys);
  for (int k = 0; k < 2; ++k) {
    keys[k] = (weft_collider_key){times[k], {0.15f, 0.75f, k ? 1.2f : -1.2f}, {0, 0, 0}, {0, 0, 0}};
  }
  weft_collider *ball = weft_scene_add_collider(s);
  ball->shape = WEFT_COLLIDER_SPHERE;
  ball->radius = 0.25f;
  ball->keys = keys;
  ball->key_count = 2;
}

weft_result weft_make_curtain(const weft_scene_options *o, weft_scene_instance *s,
                              weft_error *err) {
  weft_vec3 centre = weft_v3(0, curtain_top - 0.5f * curtain_height, 0);
  weft_result result = make_sheet(o, curtain_width, curtain_height, WEFT_PLANE_XY, centre, s, err);
  if (result != WEFT_OK) return result;
  lean(&s->mesh, curtain_width / (float)o->size);
  weft_scene_ripple(&s->mesh, 2, curtain_width / (float)o->size, o->seed);
  weft_scene_add_ground(s, 0);
  add_ball(s);
  s->params.wind = weft_v3(0, 0, 0.4f);
  s->params.gust = 0.8f;
  s->params.air_density = WEFT_AIR;
  s->params.damping = 0.3f;
  weft_scene_keep_apart(s);
  s->still = (weft_scene_still){120, 1.1f, {0, 1.02f, 0}};
  weft_scene_look(s, weft_v3(0, 1, 0), 1.2f, 0.5f, 0.15f);
  uint32_t hooks[GAPS + 1];
  uint32_t count = choose_hooks(s->mesh.grid_columns, hooks);
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = hooks, .list_count = count};
  result = weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"trousers", WEFT_BENDING_ISOMETRIC, &pin, 1}, err);
  if (result != WEFT_OK || o->pin_count > 0) return result;
  curtain *c = weft_scene_keep(s, 1, sizeof *c);
  c->drawn = o->drawn > 0 ? o->drawn : drawn_part;
  c->count = weft_scene_pinned(s, &c->hooks);
  c->rest = weft_model_rest_positions(s->model);
  c->targets = weft_scene_keep(s, c->count, sizeof *c->targets);
  weft_scene_storage(s)->motion = c;
  s->animate = draw_curtain;
  return WEFT_OK;
}
