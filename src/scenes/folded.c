/* folded.c: cloth that meets itself: wring, a towel wrung by three turns and let go; heap, a sheet
 * that falls upright into folds. Both need self-collision. */
#include <math.h>

#include "scenes_internal.h"

static const double pi = 3.14159265358979323846;

/* Friction of cotton on cotton. */
static void keep_apart(weft_scene_instance *s) {
  s->params.self_collision = true;
  s->params.self_static = 0.5f;
  s->params.self_dynamic = 0.4f;
}

/* ---- wring ---- */

static const float towel_width = 0.35f, towel_length = 1;
static const double wring_turns = 3, wring_seconds = 6, rest_seconds = 0.5;
/* The ends come so much nearer each, m, while the first part of the turns is made: what is wrung
 * gets shorter. */
static const double wring_nearer = 0.2, nearer_part = 0.5;
/* Hands hold the middle of each end. */
static const double held_part = 0.5;

typedef struct wring {
  uint32_t count;
  const uint32_t *ends;
  const weft_vec3 *rest;
  weft_vec3 *targets;
} wring;

/* Turned to the end, held for a moment, and turned back in a third of the time. */
static double wrung_part(double time) {
  if (time < wring_seconds) return time / wring_seconds;
  double back = (time - wring_seconds - rest_seconds) / (wring_seconds / 3);
  return 1 - fmin(fmax(back, 0), 1);
}

static weft_result turn_ends(weft_scene_instance *s, weft_solver *solver, weft_error *err) {
  wring *w = weft_scene_storage(s)->motion;
  double dt = (double)weft_solver_params(solver)->frame_dt;
  double part = wrung_part(weft_solver_time(solver) + dt);
  double angle = pi * wring_turns * part;
  double nearer = wring_nearer * fmin(1, part / nearer_part);
  for (uint32_t k = 0; k < w->count; ++k) {
    weft_vec3 p = w->rest[w->ends[k]];
    double side = (double)p.x < 0 ? -1 : 1, c = cos(side * angle), sn = sin(side * angle);
    double y = (double)p.y - 1, z = (double)p.z;
    w->targets[k] = weft_v3((float)((double)p.x - side * nearer), (float)(1 + c * y - sn * z),
                            (float)(sn * y + c * z));
  }
  return weft_scene_move_pins(s, solver, w->ends, w->targets, w->count, err);
}

weft_result weft_make_wring(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  uint32_t across = (uint32_t)lround(o->size * (double)(towel_width / towel_length));
  weft_grid_desc grid = {.rows = across < 2 ? 2 : across,
                         .columns = o->size,
                         .width = towel_length,
                         .height = towel_width,
                         .pattern = o->pattern,
                         .plane = WEFT_PLANE_XY,
                         .centre = {0, 1, 0}};
  s->params.substeps = 20;
  s->params.damping = 0.5f;
  keep_apart(s);
  weft_result result = weft_mesh_grid(&grid, &s->mesh, err);
  if (result != WEFT_OK) return result;
  weft_scene_ripple(&s->mesh, 2, towel_length / (float)o->size, o->seed);
  weft_scene_add_ground(s, 0);
  s->still = (weft_scene_still){270, 1.2f, {0, 1, 0}};
  weft_scene_look(s, weft_v3(0, 1, 0), 0.6f, 0.4f, 0.25f);
  uint32_t rows = s->mesh.grid_rows, columns = s->mesh.grid_columns;
  uint32_t *list = weft_scene_keep(s, 2 * (size_t)rows, sizeof *list), count = 0;
  for (uint32_t r = 0; r < rows; ++r) {
    /* All of it where there are few rows. */
    if (rows > 8 && fabs((double)r / (rows - 1) - 0.5) > 0.5 * held_part) continue;
    list[count++] = r * columns;
    list[count++] = r * columns + columns - 1;
  }
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = list, .list_count = count};
  result = weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"tablecloth", WEFT_BENDING_ISOMETRIC, &pin, 1}, err);
  if (result != WEFT_OK || o->pin_count > 0) return result;
  wring *w = weft_scene_keep(s, 1, sizeof *w);
  w->count = weft_scene_pinned(s, &w->ends);
  w->rest = weft_model_rest_positions(s->model);
  w->targets = weft_scene_keep(s, w->count, sizeof *w->targets);
  weft_scene_storage(s)->motion = w;
  s->animate = turn_ends;
  return WEFT_OK;
}

/* ---- heap ---- */

weft_result weft_make_heap(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  weft_grid_desc grid = {.rows = o->size,
                         .columns = o->size,
                         .width = 1,
                         .height = 1,
                         .pattern = o->pattern,
                         .plane = WEFT_PLANE_XY,
                         .centre = {0, 0.56f, 0}};
  s->params.substeps = 20;
  s->params.thickness = 0.003f;
  s->params.damping = 1;
  keep_apart(s);
  weft_result result = weft_mesh_grid(&grid, &s->mesh, err);
  if (result != WEFT_OK) return result;
  weft_scene_ripple(&s->mesh, 2, 1 / (float)o->size, o->seed);
  weft_scene_add_ground(s, 0);
  s->still = (weft_scene_still){80, 1.5f, {0, 0.1f, 0}};
  weft_scene_look(s, weft_v3(0, 0.2f, 0), 0.7f, 0.6f, 0.4f);
  return weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"trousers", WEFT_BENDING_ISOMETRIC, NULL, 0}, err);
}
