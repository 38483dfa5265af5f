/* world.c: what stands around the cloth by option. */
#include "world.h"

#include <string.h>

#include "collider_depth.h"
#include "inspect.h"

static const double farthest = 1e6; /* m: what a solver takes */

/* ---- ground ---- */

weft_result weft_cli_take_ground(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  options->ground = WEFT_GROUND_AT;
  if (strcmp(text, "off") == 0) options->ground = WEFT_GROUND_OFF;
  if (strcmp(text, "on") == 0) options->ground = WEFT_GROUND_ON;
  if (options->ground != WEFT_GROUND_AT) return WEFT_OK;
  if (weft_read_number("--ground", text, -farthest, farthest, &options->ground_height, NULL) ==
      WEFT_OK) {
    return WEFT_OK;
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--ground: \"%s\" is none of off, on, a height in metres", text);
}

/* ---- friction ---- */

weft_result weft_cli_read_friction(const char *option, const char *text, float friction[2],
                                   weft_error *err) {
  uint32_t count = strchr(text, ',') ? 2 : 1;
  weft_result result = weft_read_numbers(option, text, 0, 1e3, count, friction, err);
  if (count == 1) friction[1] = friction[0];
  return result;
}

weft_result weft_cli_take_friction(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  weft_result result = weft_cli_read_friction("--friction", text, options->friction, err);
  options->friction_given = result == WEFT_OK;
  return result;
}

static void roughen(weft_collider *c, const float friction[2]) {
  c->friction_static = friction[0];
  c->friction_dynamic = friction[1];
}

weft_result weft_cli_take_collider_friction(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  if (options->collider_count == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--collider-friction: stands behind the --collider that it is of");
  }
  float friction[2];
  weft_result result = weft_cli_read_friction("--collider-friction", text, friction, err);
  if (result != WEFT_OK) return result;
  weft_cli_collider *last = &options->colliders[options->collider_count - 1];
  roughen(&last->shape, friction);
  last->friction_given = true;
  return WEFT_OK;
}

/* ---- colliders ---- */

/* The shape before the colon, or WEFT_SHAPE_COUNT. */
static unsigned shape_named(const char *text, size_t length) {
  unsigned shape = 0;
  while (shape < WEFT_SHAPE_COUNT && !(strlen(weft_shape_infos[shape].name) == length &&
                                       !strncmp(weft_shape_infos[shape].name, text, length))) {
    ++shape;
  }
  return shape;
}

static weft_result no_such_shape(const char *text, weft_error *err) {
  char forms[400] = "";
  for (unsigned s = 0; s < WEFT_SHAPE_COUNT; ++s) {
    size_t used = strlen(forms);
    snprintf(forms + used, sizeof forms - used, "%s%s", s ? ", " : "", weft_shape_infos[s].form);
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--collider: \"%s\" is none of %s", text, forms);
}

static weft_result read_plane(const char *text, const float v[4], weft_collider *c,
                              weft_error *err) {
  const double square =
      (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
  if (!(square > 1e-12)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--collider: \"%s\" has no normal", text);
  }
  const double along = (double)v[3] / square;
  c->b = weft_v3(v[0], v[1], v[2]);
  c->a = weft_v3((float)(along * (double)v[0]), (float)(along * (double)v[1]),
                 (float)(along * (double)v[2]));
  const weft_vec3 a = c->a;
  if (fabs((double)a.x) <= farthest && fabs((double)a.y) <= farthest &&
      fabs((double)a.z) <= farthest) {
    return WEFT_OK;
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--collider: \"%s\" is farther than %g m away", text,
                   farthest);
}

static weft_result read_box(const char *text, const float v[6], weft_collider *c, weft_error *err) {
  const weft_vec3 low = weft_v3(v[0], v[1], v[2]), high = weft_v3(v[3], v[4], v[5]);
  c->a = weft_v3_scale(weft_v3_add(low, high), 0.5f);
  c->half_size = weft_v3_scale(weft_v3_sub(high, low), 0.5f);
  const weft_vec3 h = c->half_size;
  if (h.x >= 1e-6f && h.y >= 1e-6f && h.z >= 1e-6f) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--collider: \"%s\" is empty, x0 < x1, y0 < y1 and z0 < z1", text);
}

static weft_result read_round(const char *text, const float *v, bool axis, weft_collider *c,
                              weft_error *err) {
  c->a = weft_v3(v[0], v[1], v[2]);
  c->b = axis ? weft_v3(v[3], v[4], v[5]) : c->a;
  c->radius = v[axis ? 6 : 3];
  if (c->radius >= 1e-6f) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--collider: \"%s\" has the radius %g m, not above 0",
                   text, (double)c->radius);
}

static weft_result read_shape(const char *text, weft_collider *c, weft_error *err) {
  const size_t length = strcspn(text, ":");
  const unsigned shape = shape_named(text, length);
  if (shape == WEFT_SHAPE_COUNT || text[length] == 0) return no_such_shape(text, err);
  const weft_shape_info *info = &weft_shape_infos[shape];
  const uint32_t count = info->size == WEFT_SHAPE_HALF ? 6 : info->axis ? 7 : 4;
  char what[80];
  snprintf(what, sizeof what, "--collider %.60s", info->form);
  float v[7];
  weft_result result =
      weft_read_numbers(what, text + length + 1, -farthest, farthest, count, v, err);
  if (result != WEFT_OK) return result;
  c->shape = (weft_collider_shape)shape;
  switch (info->size) {
    case WEFT_SHAPE_ENDLESS:
      return read_plane(text, v, c, err);
    case WEFT_SHAPE_HALF:
      return read_box(text, v, c, err);
    case WEFT_SHAPE_RADIUS:
      return read_round(text, v, info->axis, c, err);
  }
  return WEFT_OK;
}

weft_result weft_cli_take_collider(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  if (options->collider_count == WEFT_MAX_COLLIDERS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--collider: more than %d of them",
                     WEFT_MAX_COLLIDERS);
  }
  weft_cli_collider *c = &options->colliders[options->collider_count];
  *c = (weft_cli_collider){.shape = {.friction_static = 0.4f, .friction_dynamic = 0.3f}};
  weft_result result = read_shape(text, &c->shape, err);
  if (result == WEFT_OK) ++options->collider_count;
  return result;
}

/* What is seen grows to hold a shape; a level plane is drawn as the floor. */
static void show(weft_scene_instance *scene, const weft_collider *c) {
  const weft_shape_size size = weft_shape_infos[c->shape].size;
  if (size == WEFT_SHAPE_ENDLESS) {
    scene->ground = scene->ground || c->b.y > 0.999f * weft_v3_length(c->b);
    return;
  }
  const float r = c->radius;
  const weft_vec3 half = size == WEFT_SHAPE_HALF ? c->half_size : weft_v3(r, r, r);
  const weft_vec3 ends[2] = {c->a, weft_shape_infos[c->shape].axis ? c->b : c->a};
  weft_vec3 low, high;
  weft_v3_bounds(ends, 2, &low, &high);
  weft_scene_take_in(scene, weft_v3_sub(low, half), weft_v3_add(high, half));
}

static weft_result add_colliders(const weft_cli_options *o, weft_scene_instance *scene,
                                 weft_error *err) {
  const uint32_t own = scene->params.collider_count;
  if (own + o->collider_count > WEFT_MAX_COLLIDERS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--collider: %u beside the %u of %.100s are more than %d", o->collider_count,
                     own, scene->name, WEFT_MAX_COLLIDERS);
  }
  for (uint32_t k = 0; k < o->collider_count; ++k) {
    weft_collider *c = weft_scene_add_collider(scene);
    *c = o->colliders[k].shape;
    if (o->friction_given && !o->colliders[k].friction_given) roughen(c, o->friction);
    show(scene, c);
  }
  return WEFT_OK;
}

/* ---- colliders put elsewhere ---- */

weft_result weft_cli_take_shift(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  float v[4];
  weft_result result = weft_read_numbers("--shift-collider", text, -farthest, farthest, 4, v, err);
  if (result != WEFT_OK) return result;
  if (!(v[0] >= 0) || v[0] >= WEFT_MAX_COLLIDERS || v[0] != (float)(uint32_t)v[0] ||
      options->shift_count == WEFT_MAX_COLLIDERS) {
    return weft_fail(
        err, WEFT_ERROR_ARGUMENT,
        "--shift-collider: \"%s\" does not begin with the number of a collider, 0 to %d", text,
        WEFT_MAX_COLLIDERS - 1);
  }
  options->shifts[options->shift_count].collider = (uint32_t)v[0];
  options->shifts[options->shift_count++].by = weft_v3(v[1], v[2], v[3]);
  return WEFT_OK;
}

static weft_result shift_colliders(const weft_cli_options *o, weft_scene_instance *scene,
                                   weft_error *err) {
  for (uint32_t k = 0; k < o->shift_count; ++k) {
    const uint32_t c = o->shifts[k].collider, count = scene->params.collider_count;
    if (c >= count) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "--shift-collider: %.100s has %u collider%s, and %u is not among them "
                       "(from 0)",
                       scene->name, count, weft_plural(count), c);
    }
    scene->colliders[c].offset = o->shifts[k].by;
  }
  return WEFT_OK;
}

weft_result weft_cli_furnish(const weft_cli_options *o, weft_scene_instance *scene,
                             weft_error *err) {
  for (uint32_t c = 0; o->friction_given && c < scene->params.collider_count; ++c) {
    roughen(&scene->colliders[c], o->friction);
  }
  weft_result result = add_colliders(o, scene, err);
  return result == WEFT_OK ? shift_colliders(o, scene, err) : result;
}

/* m: what nobody sees. */
static const float unseen = 0.002f;

void weft_cli_doubt_start(const weft_cli_options *o, const weft_scene_instance *scene) {
  const bool placed = o->ground == WEFT_GROUND_AT || o->collider_count > 0 || o->shift_count > 0;
  if (!o->mesh && !placed) return;
  const weft_params *p = &scene->params;
  const weft_vec3 *x = p->start ? p->start : weft_model_rest_positions(scene->model);
  const uint32_t particles = weft_model_particle_count(scene->model);
  uint32_t inside = 0, worst = 0;
  float deepest = unseen;
  for (uint32_t i = 0; i < particles; ++i) {
    if (weft_model_inverse_masses(scene->model)[i] == 0) continue;
    bool in = false;
    for (uint32_t c = 0; c < p->collider_count; ++c) {
      const float depth = weft_collider_depth(&p->colliders[c], 0, 0, x[i]);
      in = in || depth > unseen;
      if (!(depth > deepest)) continue;
      deepest = depth;
      worst = c;
    }
    inside += in;
  }
  if (inside == 0) return;
  weft_log(WEFT_LOG_WARNING,
           "%s: %u particle%s inside of colliders at the start, up to %.2g m deep in collider %u "
           "(a %s), which throws cloth out: put it elsewhere (--ground, --collider, --move)",
           scene->name, inside, inside == 1 ? " is" : "s are", (double)deepest, worst,
           weft_shape_infos[p->colliders[worst].shape].name);
}
