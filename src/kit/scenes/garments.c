/* garments.c: skirt and poncho on a mannequin. */
#include <math.h>

#include "scenes_internal.h"

static const double two_pi = 6.283185307179586;

static void set_garment_params(weft_scene_instance *s) {
  s->params.substeps = 20;
  s->params.thickness = 0.004f;
  s->params.air_density = WEFT_AIR;
  s->params.damping = 0.2f;
  weft_scene_keep_apart(s);
  weft_scene_add_ground(s, 0);
}

/* ---- skirt ---- */

static const float waist_height = 1.04f;
static const double dance_seconds = 30;

static double ramp(double time, double from, double to) {
  double t = fmin(fmax((time - from) / (to - from), 0), 1);
  return t * t * (3 - 2 * t);
}

/* Stands for a third of a second, then turns to and fro and walks on the spot. */
static weft_pose dance(double time) {
  time = fmin(time, dance_seconds);
  double ease = ramp(time, 0.33, 1.33);
  double stride = 0.42 * ease * sin(two_pi * (time - 0.33) / 1.1);
  weft_pose pose = {.turn = (float)(0.9 * ease * sin(two_pi * (time - 0.33) / 2.2))};
  for (int right = 0; right < 2; ++right) {
    double swing = right ? -stride : stride;
    pose.swing[WEFT_BONE_THIGH + right] = (float)swing;
    /* The knee bends backwards, most while the leg is lifted forward. */
    pose.swing[WEFT_BONE_SHIN + right] = (float)(swing > 0 ? -1.2 * swing : 0.5 * swing);
  }
  pose.drop = weft_figure_drop(&pose);
  return pose;
}

typedef struct waist {
  uint32_t count;
  const uint32_t *particles;
  const weft_vec3 *rest;
  weft_vec3 *targets;
} waist;

static weft_result turn_waist(weft_scene_instance *s, weft_solver *solver, weft_error *err) {
  double dt = (double)weft_solver_params(solver)->frame_dt;
  double time = weft_solver_time(solver) + dt;
  waist *w = weft_scene_storage(s)->motion;
  weft_pose pose = dance(time);
  weft_bone_frames frames;
  weft_pose_frames(&pose, &frames);
  for (uint32_t k = 0; k < w->count; ++k) {
    w->targets[k] = weft_pose_point(&frames, WEFT_BONE_PELVIS, w->rest[w->particles[k]]);
  }
  return weft_scene_move_pins(s, solver, w->particles, w->targets, w->count, err);
}

/* A waist is wider than deep, and the hem round. */
static void fit_to_waist(weft_mesh *mesh, const weft_tube_desc *tube) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    weft_vec3 *p = &mesh->positions[v];
    double up = 1 + ((double)p->y - (double)tube->centre_top.y) / (double)tube->height;
    p->z = (float)((1 - 0.2 * up * up) * (double)p->z);
  }
}

weft_result weft_make_skirt(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  uint32_t n = o->size;
  weft_tube_desc tube = {.top_radius = 0.1435f,
                         .bottom_radius = 0.42f,
                         .height = 0.56f,
                         .rings = (3 * n + 2) / 5,
                         .segments = (5 * n + 1) / 3,
                         .centre_top = weft_v3(0, waist_height, 0)};
  weft_result result = weft_mesh_tube(&tube, &s->mesh, err);
  if (result != WEFT_OK) return result;
  fit_to_waist(&s->mesh, &tube);
  set_garment_params(s);
  result = weft_scene_add_mannequin(s, o->mannequin, dance, dance_seconds, err);
  if (result != WEFT_OK) return result;
  s->still = (weft_scene_still){140, 1.45f, {0, 0.66f, 0}};
  weft_scene_look(s, weft_v3(0, 0.85f, 0), 0.98f, 0.55f, 0.12f);
  const weft_pin pin = {.rule = WEFT_PIN_TOP};
  result = weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"tablecloth", WEFT_BENDING_DIHEDRAL, &pin, 1}, err);
  if (result != WEFT_OK || o->pin_count > 0) return result;
  waist *w = weft_scene_keep(s, 1, sizeof *w);
  w->count = weft_scene_pinned(s, &w->particles);
  w->rest = weft_model_rest_positions(s->model);
  w->targets = weft_scene_keep(s, w->count, sizeof *w->targets);
  weft_scene_storage(s)->motion = w;
  s->animate = turn_waist;
  return WEFT_OK;
}

/* ---- poncho ---- */

weft_result weft_make_poncho(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  uint32_t n = o->size;
  weft_poncho_desc poncho = {.width = 1.3f,
                             .depth = 1.15f,
                             .neck_radius = 0.115f,
                             .segments = (n < 12 ? 12 : n) / 6 * 4,
                             .rings = (n + 1) / 2,
                             .centre = weft_v3(0, 1.5f, 0)};
  weft_result result = weft_mesh_poncho(&poncho, &s->mesh, err);
  if (result != WEFT_OK) return result;
  weft_scene_ripple(&s->mesh, 1, 1.2f / (float)n, o->seed);
  set_garment_params(s);
  result = weft_scene_add_mannequin(s, o->mannequin, NULL, 0, err);
  if (result != WEFT_OK) return result;
  /* It falls on shoulders that slope. */
  s->least_substeps = (uint32_t)lround(36 * pow(n / 48.0, n > 48 ? 0.35 : 0));
  s->still = (weft_scene_still){120, 1.45f, {0, 1.13f, 0}};
  weft_scene_look(s, weft_v3(0, 0.95f, 0), 0.98f, 0.55f, 0.15f);
  return weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"trousers", WEFT_BENDING_ISOMETRIC, NULL, 0}, err);
}
