/* folded.c: cloth that meets itself: wring, a towel wrung by three turns or more and let go; heap,
 * a sheet that falls on its corner into folds; stack, ten cloths that fall on a ball. */
#include <math.h>

#include "scenes_internal.h"

static const double pi = 3.14159265358979323846;

/* ---- wring ---- */

static const float towel_width = 0.35f, towel_length = 1;
static const double wring_turns = 3, turn_seconds = 2, rest_seconds = 0.5;
/* The ends come so much nearer each, m, while the first turns are made: what is wrung gets
 * shorter. */
static const double wring_nearer = 0.1, nearer_turns = 2.25;
/* Hands hold the middle of each end. */
static const double held_part = 0.5;

typedef struct wring {
  uint32_t count;
  const uint32_t *ends;
  const weft_vec3 *rest;
  weft_vec3 *targets;
  double turns;
} wring;

/* Turned to the end, held for a moment, and turned back in a third of the time. */
static double wrung_part(double time, double turns) {
  double seconds = turn_seconds * turns;
  if (time < seconds) return time / seconds;
  double back = (time - seconds - rest_seconds) / (seconds / 3);
  return 1 - fmin(fmax(back, 0), 1);
}

static weft_result turn_ends(weft_scene_instance *s, weft_solver *solver, weft_error *err) {
  wring *w = weft_scene_storage(s)->motion;
  double dt = (double)weft_solver_params(solver)->frame_dt;
  double part = wrung_part(weft_solver_time(solver) + dt, w->turns);
  double angle = pi * w->turns * part;
  double nearer = wring_nearer * fmin(1, w->turns * part / nearer_turns);
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
  /* A rope with more turns is as much thinner. It could not be as thick: a towel that is pressed to
   * a rope 0.6 m long has a radius of 24 mm, and a thread that goes round that six times is 1.1 m
   * long. It would stay free of intersections, but stretch, and the hands would wait for it. */
  float slender = fminf(1, (float)wring_turns / (o->turns > 0 ? o->turns : (float)wring_turns));
  float width = towel_width * slender;
  uint32_t across = (uint32_t)lround(o->size * (double)(width / towel_length));
  weft_grid_desc grid = {.rows = across < 2 ? 2 : across,
                         .columns = o->size,
                         .width = towel_length,
                         .height = width,
                         .pattern = o->pattern,
                         .plane = WEFT_PLANE_XY,
                         .centre = {0, 1, 0}};
  s->params.touches_itself = true;
  s->params.substeps = 20;
  s->params.damping = 0.5f;
  weft_scene_keep_apart(s);
  if (slender < 1) s->params.self_thickness = 0.003f * slender;
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
  w->turns = o->turns > 0 ? (double)o->turns : wring_turns;
  w->count = weft_scene_pinned(s, &w->ends);
  w->rest = weft_model_rest_positions(s->model);
  w->targets = weft_scene_keep(s, w->count, sizeof *w->targets);
  weft_scene_storage(s)->motion = w;
  s->animate = turn_ends;
  return WEFT_OK;
}

/* ---- heap ---- */

/* Curls a sheet about the origin and stands it on a corner, leaning: flat, or on an edge, it would
 * fold to a strip. */
static void stand_on_corner(weft_mesh *mesh) {
  const float c = sqrtf(0.5f), curl = 0.3f, lean = 0.25f, up = 0.78f, back = -0.4f;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const weft_vec3 p = mesh->positions[i];
    const float along = c * (p.x - p.y) / curl, y = c * (p.x + p.y);
    const float z = p.z + curl * cosf(along);
    mesh->positions[i] = weft_v3(curl * sinf(along), up + y * cosf(lean) - z * sinf(lean),
                                 back + y * sinf(lean) + z * cosf(lean));
  }
}

weft_result weft_make_heap(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  weft_grid_desc grid = {.rows = o->size,
                         .columns = o->size,
                         .width = 1,
                         .height = 1,
                         .pattern = o->pattern,
                         .plane = WEFT_PLANE_XY};
  s->params.substeps = 20;
  s->params.thickness = 0.003f;
  s->params.damping = 1;
  s->least_substeps = 50; /* it comes down on a corner */
  weft_scene_keep_apart(s);
  weft_result result = weft_mesh_grid(&grid, &s->mesh, err);
  if (result != WEFT_OK) return result;
  weft_scene_ripple(&s->mesh, 2, 1 / (float)o->size, o->seed);
  stand_on_corner(&s->mesh);
  weft_scene_add_ground(s, 0);
  s->still = (weft_scene_still){100, 2.2f, {0, 0.08f, 0}};
  weft_scene_look(s, weft_v3(0, 0.55f, 0), 0.9f, 0.6f, 0.3f);
  return weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"trousers", WEFT_BENDING_DIHEDRAL, NULL, 0}, err);
}

/* ---- stack ---- */

enum { CLOTHS = 10 /* unless asked for */ };
static const float cloth_side = 0.8f, ball_radius = 0.26f;
/* From one to the next at the start, and of all of them at most, m. */
static const float cloth_gap = 0.03f, cloths_height = 0.3f;
/* The golden angle: corners come down beside each other, not upon each other. */
static const double cloth_turn = 2.39996322972865332;

/* As many copies of a cloth above each other, each turned further than the one below. */
static weft_result pile_up(const weft_mesh *one, uint32_t cloths, weft_mesh *all, weft_error *err) {
  uint64_t n = one->vertex_count, t = one->triangle_count;
  float gap = fminf(cloth_gap, cloths_height / (float)cloths);
  if (cloths * n > 1u << 24) {
    return weft_fail(err, WEFT_ERROR_LIMIT,
                     "stack of %u cloths of %llu particles is too large: at most 2^24 in all",
                     cloths, (unsigned long long)n);
  }
  all->vertex_count = (uint32_t)(cloths * n);
  all->triangle_count = (uint32_t)(cloths * t);
  all->positions = weft_alloc(all->vertex_count, sizeof *all->positions);
  all->triangles = weft_alloc(3 * (size_t)all->triangle_count, sizeof *all->triangles);
  for (uint32_t k = 0; k < cloths; ++k) {
    for (size_t i = 0; i < n; ++i) {
      weft_vec3 p = weft_turned(one->positions[i], k * cloth_turn);
      p.y += (float)k * gap;
      all->positions[k * n + i] = p;
    }
    for (size_t c = 0; c < 3 * t; ++c) {
      all->triangles[3 * k * t + c] = one->triangles[c] + k * one->vertex_count;
    }
  }
  return WEFT_OK;
}

weft_result weft_make_stack(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  weft_grid_desc grid = {.rows = o->size,
                         .columns = o->size,
                         .width = cloth_side,
                         .height = cloth_side,
                         .pattern = o->pattern,
                         .plane = WEFT_PLANE_XZ,
                         .centre = {0.01f, 2 * ball_radius + 0.04f, 0.005f}};
  weft_mesh one = {0};
  weft_result result = weft_mesh_grid(&grid, &one, err);
  if (result == WEFT_OK) {
    weft_scene_ripple(&one, 1, cloth_side / (float)o->size, o->seed);
    result = pile_up(&one, o->layers ? o->layers : CLOTHS, &s->mesh, err);
  }
  weft_mesh_free(&one);
  if (result != WEFT_OK) return result;
  s->params.substeps = 20;
  s->params.thickness = 0.003f;
  s->params.damping = 0.5f;
  s->least_substeps = 38; /* or too many motions are cut short where cloths land on each other */
  weft_scene_keep_apart(s);
  weft_scene_add_ground(s, 0);
  weft_scene_add_sphere(s, weft_v3(0, ball_radius, 0), ball_radius);
  s->still = (weft_scene_still){80, 1.3f, {0, 0.28f, 0}};
  weft_scene_look(s, weft_v3(0, 0.35f, 0), 0.65f, 0.6f, 0.4f);
  return weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"trousers", WEFT_BENDING_ISOMETRIC, NULL, 0}, err);
}
