/* params.c: defaults and ranges of the parameters. */
#include <math.h>
#include <stdio.h>

#include "param.h"
#include "shape.h"
#include "solver.h"

typedef struct range {
  const char *name;
  float value, low, high;
} range;

static weft_result check_range(const range *r, weft_error *err) {
  if (r->value >= r->low && r->value <= r->high) return WEFT_OK; /* NaN fails both */
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s is %g, allowed is %g to %g", r->name,
                   (double)r->value, (double)r->low, (double)r->high);
}

static weft_result check_vector(const char *name, weft_vec3 v, float limit, weft_error *err) {
  if (fabsf(v.x) <= limit && fabsf(v.y) <= limit && fabsf(v.z) <= limit) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s is (%g, %g, %g), each component may reach %g",
                   name, (double)v.x, (double)v.y, (double)v.z, (double)limit);
}

static weft_result check_points(const weft_collider *c, uint32_t index, weft_vec3 a, weft_vec3 b,
                                weft_vec3 rotation, weft_error *err) {
  const weft_shape_info *shape = &weft_shape_infos[c->shape];
  char name[48];
  snprintf(name, sizeof name, "position of collider %u", index);
  weft_result result = check_vector(name, a, 1e6f, err);
  if (result == WEFT_OK && (shape->axis || shape->size == WEFT_SHAPE_ENDLESS)) {
    result = check_vector(name, b, 1e6f, err);
  }
  snprintf(name, sizeof name, "rotation (rad) of collider %u", index);
  if (result == WEFT_OK) result = check_vector(name, rotation, 1e5f, err);
  if (result == WEFT_OK && shape->size == WEFT_SHAPE_ENDLESS) {
    float length = weft_v3_length(b);
    if (!(length > 1e-6f)) {
      result = weft_fail(err, WEFT_ERROR_ARGUMENT, "plane %u has no normal", index);
    }
  }
  return result;
}

/* A plane that is turned over between two keys would have no normal halfway. */
static bool turns_over(const weft_collider *c, uint32_t k) {
  if (weft_shape_infos[c->shape].size != WEFT_SHAPE_ENDLESS || k == 0) return false;
  weft_vec3 a = c->keys[k - 1].b, b = c->keys[k].b;
  return weft_v3_dot(a, b) < -0.99f * weft_v3_length(a) * weft_v3_length(b);
}

/* Beyond a quarter turn in a substep the direction of a surface is ambiguous. The turn between
 * two keys is at most the length of the change. */
static weft_result check_turn(const weft_collider *c, uint32_t index, uint32_t k, float substep,
                              weft_error *err) {
  if (k == 0) return WEFT_OK;
  const weft_collider_key *k0 = &c->keys[k - 1], *k1 = &c->keys[k];
  float angle = weft_v3_length(weft_v3_sub(k1->rotation, k0->rotation));
  float turn = angle * (substep / (k1->time - k0->time));
  if (turn <= 1.5708f || angle <= 1.5708f) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "collider %u turns by %g rad in a substep between keys %u and %u, at most a "
                   "quarter turn is allowed: give more substeps",
                   index, (double)turn, k - 1, k);
}

static weft_result check_sizes(const weft_collider *c, uint32_t index, weft_error *err) {
  weft_shape_size size = weft_shape_infos[c->shape].size;
  bool round = size == WEFT_SHAPE_RADIUS, box = size == WEFT_SHAPE_HALF;
  const struct {
    const char *what;
    float value, low;
  } rows[] = {
      {"radius (m)", round ? c->radius : 1, 1e-6f},
      {"half size (m) along x", box ? c->half_size.x : 1, 1e-6f},
      {"half size (m) along y", box ? c->half_size.y : 1, 1e-6f},
      {"half size (m) along z", box ? c->half_size.z : 1, 1e-6f},
      {"static friction", c->friction_static, 0},
      {"dynamic friction", c->friction_dynamic, 0},
  };
  weft_result result = WEFT_OK;
  for (size_t k = 0; k < sizeof rows / sizeof *rows && result == WEFT_OK; ++k) {
    char name[64];
    snprintf(name, sizeof name, "%s of collider %u", rows[k].what, index);
    result = check_range(&(range){name, rows[k].value, rows[k].low, 1e6f}, err);
  }
  return result;
}

weft_result weft_collider_check(const weft_collider *c, uint32_t index, float substep,
                                weft_error *err) {
  if (!c->keys && c->key_count > 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "keys of collider %u are NULL, and it has %u", index,
                     c->key_count);
  }
  if ((unsigned)c->shape >= WEFT_SHAPE_COUNT) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "collider %u has an unknown shape", index);
  }
  char name[48];
  snprintf(name, sizeof name, "offset of collider %u", index);
  weft_result result = check_vector(name, c->offset, 1e6f, err);
  if (result == WEFT_OK) result = check_sizes(c, index, err);
  if (result == WEFT_OK && c->key_count == 0) {
    result = check_points(c, index, c->a, c->b, c->rotation, err);
  }
  for (uint32_t k = 0; k < c->key_count && result == WEFT_OK; ++k) {
    result = check_points(c, index, c->keys[k].a, c->keys[k].b, c->keys[k].rotation, err);
    bool ascending = k == 0 || c->keys[k].time > c->keys[k - 1].time;
    if (result == WEFT_OK && !(ascending && isfinite(c->keys[k].time))) {
      result = weft_fail(err, WEFT_ERROR_ARGUMENT,
                         "times on the path of collider %u must be finite and ascend (key %u)",
                         index, k);
    }
    if (result == WEFT_OK) result = check_turn(c, index, k, substep, err);
    if (result == WEFT_OK && turns_over(c, k)) {
      result = weft_fail(err, WEFT_ERROR_ARGUMENT,
                         "plane %u turns over between keys %u and %u: give a key between them",
                         index, k - 1, k);
    }
  }
  return result;
}

static weft_result check_schedule(const weft_params *p, weft_error *err) {
  if (p->schedule == WEFT_SCHEDULE_PATCHES && p->compensated) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "schedule patches keeps positions as single floats: compensated goes with "
                     "colours or single");
  }
  if (p->schedule == WEFT_SCHEDULE_PATCHES && p->mode != WEFT_MODE_GS) {
    return weft_fail(
        err, WEFT_ERROR_ARGUMENT,
        "schedule patches sweeps Gauss-Seidel: modes jacobi and hybrid go with colours");
  }
  return WEFT_OK;
}

/* Iterations of repulsion in a substep. Where a body presses cloth, few leave part of the
 * overlap, the gaps shrink, and truncation holds the body back (docs/method.md). */
enum { WEFT_BODY_PUSHES = 8 };

enum { WEFT_PLAIN_SUBSTEPS = 20 };

static void set_defaults(weft_params *p) {
  p->shape_bodies = 0; /* a solver gives its own */
  if (p->body_count > 0) p->self_collision = true;
  if (!p->complete) {
    if (p->self_iterations == 0 && p->body_count > 0) p->self_iterations = WEFT_BODY_PUSHES;
    for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) weft_param_complete(p, k);
  }
  if (p->plain && p->substeps == 0) p->substeps = WEFT_PLAIN_SUBSTEPS;
  if (p->no_gravity) p->gravity = weft_v3(0, 0, 0);
  if (p->no_self_pushes) p->self_iterations = 0;
}

weft_params weft_params_default(void) {
  weft_params p = {0};
  set_defaults(&p);
  p.complete = true;
  return p;
}

static weft_result check_count(const weft_param_info *info, uint32_t value, weft_error *err) {
  const uint32_t low = (uint32_t)info->low, high = (uint32_t)info->high;
  if (value == (uint32_t)info->otherwise || (value >= low && value <= high)) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s is %u, allowed is %u to %u", info->what, value,
                   low, high);
}

static weft_result check_choice(const weft_param_info *info, uint32_t value, weft_error *err) {
  for (uint32_t k = 0; info->choices[k]; ++k) {
    if (value == k) return WEFT_OK;
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "unknown %s %u", info->what, value);
}

static weft_result check_row(const weft_params *p, uint32_t index, weft_error *err) {
  const weft_param_info *info = &weft_param_infos[index];
  const float low = (float)info->low, high = (float)info->high;
  const double v = weft_param_of(p, index, 0);
  switch (info->kind) {
    case WEFT_KIND_REAL:
      return check_range(&(range){info->what, (float)v, low, high}, err);
    case WEFT_KIND_COUNT:
      return check_count(info, (uint32_t)v, err);
    case WEFT_KIND_CHOICE:
      return check_choice(info, (uint32_t)v, err);
    case WEFT_KIND_VEC3:
      return check_vector(
          info->what,
          weft_v3((float)v, (float)weft_param_of(p, index, 1), (float)weft_param_of(p, index, 2)),
          high, err);
    case WEFT_KIND_FLAG:
      break;
  }
  return WEFT_OK;
}

weft_result weft_params_resolve(const weft_params *in, weft_params *out, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(out);
  weft_params p = in ? *in : (weft_params){0};
  set_defaults(&p);
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT && result == WEFT_OK; ++k) {
    result = check_row(&p, k, err);
  }
  if (result == WEFT_OK) result = check_schedule(&p, err);
  if (result == WEFT_OK && p.self_collision && p.compensated) {
    result = weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "self-collision holds for positions that are single floats: it does not go "
                       "with compensated");
  }
  if (result == WEFT_OK && p.collider_count > WEFT_MAX_COLLIDERS) {
    result =
        weft_fail(err, WEFT_ERROR_ARGUMENT, "number of colliders is %u, at most %d are allowed",
                  p.collider_count, WEFT_MAX_COLLIDERS);
  }
  if (result == WEFT_OK) WEFT_NEED_ITEMS(p.colliders, p.collider_count);
  for (uint32_t k = 0; k < p.collider_count && result == WEFT_OK; ++k) {
    const float substep = p.substeps ? p.frame_dt / (float)p.substeps : 0; /* or not known yet */
    result = weft_collider_check(&p.colliders[k], k, substep, err);
  }
  if (result == WEFT_OK) *out = p;
  return result;
}

void weft_params_plain(weft_params *params) {
  if (!params) return;
  params->plain = true;
  params->substeps = WEFT_PLAIN_SUBSTEPS;
  params->iterations = 1;
  params->line_sweeps = params->multilevel = params->lra = 0;
}

void weft_params_mueller2007(weft_params *params) {
  if (!params) return;
  const double k = 0.1;
  double dt = params->frame_dt > 0 ? (double)params->frame_dt : 1.0 / 60.0;
  params->plain = true;
  params->substeps = 1;
  params->iterations = 10;
  params->method = WEFT_METHOD_PBD;
  params->collide_each_iteration = true;
  params->global_damping = (float)(-log(1 - k) / dt);
}
