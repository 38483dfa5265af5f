/* timeline.c: what changes during a run by keys: parameters, and pins that move, soften or let go.
 * All of it follows from the time alone, so that a run that is begun anew goes the same way. */
#include <math.h>
#include <weft/change.h>

#include "param.h"
#include "scenes_internal.h"

/* The particles of one pin. */
typedef struct timed_pins {
  uint32_t count, *particles;
  weft_vec3 *home, *targets, middle; /* m: where they begin, and shall be next */
  uint32_t key_count;
  weft_timed_pin *keys;
} timed_pins;

struct weft_timeline {
  uint32_t param_count, pin_count;
  weft_timed_param *params;
  timed_pins pins[WEFT_TIMED_PINS];
};

static struct weft_timeline *timeline_of(weft_scene_instance *scene) {
  if (!scene->timeline) scene->timeline = weft_scene_keep(scene, 1, sizeof *scene->timeline);
  return scene->timeline;
}

void weft_scene_time_params(weft_scene_instance *scene, const weft_timed_param *keys,
                            uint32_t count) {
  struct weft_timeline *t = timeline_of(scene);
  t->params = weft_scene_keep(scene, count, sizeof *t->params);
  memcpy(t->params, keys, count * sizeof *keys);
  t->param_count = count;
}

void weft_scene_time_pins(weft_scene_instance *scene, const uint32_t *particles, uint32_t count,
                          uint32_t pin, const weft_timed_pin *keys, uint32_t key_count) {
  struct weft_timeline *t = timeline_of(scene);
  WEFT_CHECK(t->pin_count < WEFT_TIMED_PINS, "a scene has room for all of its pins");
  timed_pins *p = &t->pins[t->pin_count++];
  const weft_model *model = scene->single ? scene->single : scene->model;
  const weft_vec3 *start = scene->params.start;
  if (!start) start = weft_model_rest_positions(model);
  p->count = count;
  p->particles = weft_scene_keep(scene, count, sizeof *p->particles);
  p->home = weft_scene_keep(scene, count, sizeof *p->home);
  p->targets = weft_scene_keep(scene, count, sizeof *p->targets);
  p->keys = weft_scene_keep(scene, key_count, sizeof *p->keys);
  double sum[3] = {0, 0, 0};
  if (!scene->timed) {
    scene->timed = weft_scene_keep(scene, weft_model_particle_count(model), sizeof *scene->timed);
  }
  bool moves = false;
  for (uint32_t k = 0; k < key_count; ++k) {
    if (keys[k].pin != pin) continue;
    p->keys[p->key_count++] = keys[k];
    moves = moves || !keys[k].weighs;
  }
  for (uint32_t k = 0; k < count; ++k) {
    p->particles[k] = particles[k];
    p->home[k] = start[particles[k]];
    sum[0] += (double)p->home[k].x;
    sum[1] += (double)p->home[k].y;
    sum[2] += (double)p->home[k].z;
    if (moves) scene->timed[particles[k]] = true;
  }
  const double n = count ? count : 1;
  p->middle = weft_v3((float)(sum[0] / n), (float)(sum[1] / n), (float)(sum[2] / n));
}

/* ---- parameters ---- */

/* Straight from key to key where a solver takes it at once, else from its key on; false before the
 * first one of those. */
static bool value_at(const struct weft_timeline *t, uint32_t row, double time, double dt,
                     double value[3]) {
  const weft_param_info *info = &weft_param_infos[row];
  const bool straight =
      info->at_once && (info->kind == WEFT_KIND_REAL || info->kind == WEFT_KIND_VEC3);
  const weft_timed_param *before = NULL, *after = NULL;
  for (uint32_t k = 0; k < t->param_count; ++k) {
    const weft_timed_param *key = &t->params[k];
    if (key->row != row) continue;
    const bool past = (double)key->time <= time + (straight ? 0 : 1e-3 * dt);
    if (past) before = key;
    if (!past && !after) after = key;
  }
  if (!before && !straight) return false;
  const weft_timed_param *from = before ? before : after;
  double part = 0;
  if (straight && before && after) {
    part = (time - (double)before->time) / ((double)after->time - (double)before->time);
  }
  for (int c = 0; c < 3; ++c) {
    value[c] = from->value[c] + (part > 0 ? part * (after->value[c] - before->value[c]) : 0);
  }
  return true;
}

/* Into parameters of which 0 asks for no default. */
static void set_value(weft_params *params, uint32_t row, const double value[3]) {
  char *place = (char *)params + weft_param_infos[row].offset;
  switch (weft_param_infos[row].kind) {
    case WEFT_KIND_REAL:
      *(float *)(void *)place = (float)value[0];
      break;
    case WEFT_KIND_COUNT:
      *(uint32_t *)(void *)place = (uint32_t)value[0];
      break;
    case WEFT_KIND_CHOICE:
      *(int *)(void *)place = (int)value[0];
      break;
    case WEFT_KIND_FLAG:
      *(bool *)place = value[0] > 0;
      break;
    case WEFT_KIND_VEC3:
      *(weft_vec3 *)(void *)place = weft_v3((float)value[0], (float)value[1], (float)value[2]);
      break;
  }
  if (row == WEFT_PARAM_gravity) params->no_gravity = !(weft_v3_length(params->gravity) > 0);
  if (row == WEFT_PARAM_self_iterations) params->no_self_pushes = params->self_iterations == 0;
}

static weft_result lead_params(const weft_scene_instance *scene, weft_solver *solver,
                               weft_error *err) {
  const struct weft_timeline *t = scene->timeline;
  const weft_params *now = weft_solver_params(solver);
  const double time = weft_solver_time(solver), dt = (double)now->frame_dt;
  weft_params wanted = *now, own; /* before a key the scene's own, also after a reset */
  bool differ = false;
  weft_result result = weft_params_resolve(&scene->params, &own, err);
  if (result != WEFT_OK) return result;
  for (uint32_t k = 0; k < t->param_count; ++k) {
    const uint32_t row = t->params[k].row;
    double value[3];
    if (value_at(t, row, time, dt, value)) {
      set_value(&wanted, row, value);
    } else {
      weft_param_copy(&wanted, &own, row);
    }
    differ = differ || !weft_param_same(&wanted, now, row);
  }
  return differ ? weft_solver_set_params(solver, &wanted, err) : WEFT_OK;
}

/* ---- pins ---- */

/* 1 before the first that says it; -1 where none does. */
static float weight_at(const timed_pins *p, double time, double dt) {
  float weight = -1;
  for (uint32_t k = 0; k < p->key_count; ++k) {
    const weft_timed_pin *key = &p->keys[k];
    if (!key->weighs) continue;
    if (weight < 0) weight = 1;
    if ((double)key->time <= time + 1e-3 * dt) weight = key->weight;
  }
  return weight;
}

static bool place_at(const timed_pins *p, double time, weft_vec3 *move, weft_vec3 *turn) {
  const weft_timed_pin *before = NULL, *after = NULL;
  for (uint32_t k = 0; k < p->key_count; ++k) {
    const weft_timed_pin *key = &p->keys[k];
    if (key->weighs) continue;
    if ((double)key->time <= time) before = key;
    if ((double)key->time > time && !after) after = key;
  }
  const weft_timed_pin *from = before ? before : after, *to = after ? after : before;
  if (!from) return false;
  const double part =
      from == to ? 0 : (time - (double)from->time) / ((double)to->time - (double)from->time);
  *move = weft_v3_add(from->move, weft_v3_scale(weft_v3_sub(to->move, from->move), (float)part));
  *turn = weft_v3_add(from->turn, weft_v3_scale(weft_v3_sub(to->turn, from->turn), (float)part));
  return true;
}

/* Rodrigues' formula. */
static weft_vec3 turned(weft_vec3 arm, weft_vec3 turn) {
  const float angle = weft_v3_length(turn);
  if (!(angle > 0)) return arm;
  const weft_vec3 axis = weft_v3_scale(turn, 1 / angle);
  const float c = cosf(angle), s = sinf(angle);
  const weft_vec3 along = weft_v3_scale(axis, (1 - c) * weft_v3_dot(axis, arm));
  return weft_v3_add(weft_v3_add(weft_v3_scale(arm, c), along),
                     weft_v3_scale(weft_v3_cross(axis, arm), s));
}

static weft_result weigh(const weft_scene_instance *scene, const timed_pins *p, weft_solver *solver,
                         weft_error *err) {
  const double dt = (double)weft_solver_params(solver)->frame_dt;
  const float weight = weight_at(p, weft_solver_time(solver), dt);
  uint32_t *others = weft_alloc(p->count, sizeof *others), count = 0;
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < p->count && weight >= 0; ++k) {
    const uint32_t particle = p->particles[k];
    if (scene->let_go && scene->let_go[particle]) continue;
    if (weft_solver_pin_weight(solver, particle) != weight) others[count++] = particle;
  }
  if (count > 0) result = weft_solver_set_pins(solver, others, count, weight, err);
  weft_free(others);
  return result;
}

static weft_result lead_pins(const weft_scene_instance *scene, timed_pins *p, weft_solver *solver,
                             weft_error *err) {
  const double end = weft_solver_time(solver) + (double)weft_solver_params(solver)->frame_dt;
  weft_vec3 move, turn;
  weft_result result = weigh(scene, p, solver, err);
  if (result != WEFT_OK || !place_at(p, end, &move, &turn)) return result;
  if (weight_at(p, end, 0) == 0) return WEFT_OK; /* they are free */
  const weft_vec3 to = weft_v3_add(p->middle, move);
  for (uint32_t k = 0; k < p->count; ++k) {
    p->targets[k] = weft_v3_add(to, turned(weft_v3_sub(p->home[k], p->middle), turn));
  }
  return weft_scene_move_timed(scene, solver, p->particles, p->targets, p->count, err);
}

weft_result weft_scene_lead_timeline(const weft_scene_instance *scene, weft_solver *solver,
                                     weft_error *err) {
  struct weft_timeline *t = scene->timeline;
  if (!t) return WEFT_OK;
  weft_result result = lead_params(scene, solver, err);
  for (uint32_t k = 0; k < t->pin_count && result == WEFT_OK; ++k) {
    result = lead_pins(scene, &t->pins[k], solver, err);
  }
  return result;
}
