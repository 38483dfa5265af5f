/* setup_colliders.c: shapes by option: --collider and what stands behind it. */
#include <string.h>

#include "inspect.h"
#include "setup_internal.h"

static const double farthest = 1e6; /* m: what a solver takes */
static const float degree = 0.017453292f;

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

weft_result weft_setup_take_collider(void *base, const char *text, weft_error *err) {
  weft_setup *options = base;
  if (options->collider_count == WEFT_MAX_COLLIDERS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--collider: more than %d of them",
                     WEFT_MAX_COLLIDERS);
  }
  weft_setup_collider *c = &options->colliders[options->collider_count];
  *c = (weft_setup_collider){.shape = {.friction_static = 0.4f, .friction_dynamic = 0.3f}};
  weft_result result = read_shape(text, &c->shape, err);
  if (result != WEFT_OK) return result;
  ++options->collider_count;
  return WEFT_OK;
}

/* ---- what stands behind it ---- */

static weft_result last_collider(weft_setup *options, const char *option,
                                 weft_setup_collider **last, weft_error *err) {
  if (options->collider_count == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s: stands behind the --collider that it is of",
                     option);
  }
  *last = &options->colliders[options->collider_count - 1];
  return WEFT_OK;
}

weft_result weft_setup_take_collider_friction(void *base, const char *text, weft_error *err) {
  weft_setup_collider *last = NULL;
  float friction[2];
  weft_result result = last_collider(base, "collider-friction", &last, err);
  if (result == WEFT_OK) {
    result = weft_setup_read_friction("--collider-friction", text, friction, err);
  }
  if (result != WEFT_OK) return result;
  last->shape.friction_static = friction[0];
  last->shape.friction_dynamic = friction[1];
  last->friction_given = true;
  return WEFT_OK;
}

weft_result weft_setup_take_collider_rotation(void *base, const char *text, weft_error *err) {
  weft_setup_collider *last = NULL;
  weft_result result = last_collider(base, "collider-rotation", &last, err);
  if (result != WEFT_OK) return result;
  const weft_shape_info *info = &weft_shape_infos[last->shape.shape];
  if (info->size != WEFT_SHAPE_HALF) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--collider-rotation: turns a box, and this is a %s, which --collider-key "
                     "spins",
                     info->name);
  }
  float v[3];
  result = weft_read_numbers("--collider-rotation", text, -3600, 3600, 3, v, err);
  if (result != WEFT_OK) return result;
  last->shape.rotation = weft_v3_scale(weft_v3(v[0], v[1], v[2]), degree);
  return WEFT_OK;
}

/* Where there is room for one more, behind those before it. */
static weft_result next_key(weft_setup *options, weft_setup_collider *of, float time,
                            weft_collider_key **key, weft_error *err) {
  if (options->collider_key_count == WEFT_SETUP_MAX_KEYS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--collider-key: more than %d of them",
                     WEFT_SETUP_MAX_KEYS);
  }
  if (of->key_count == 0) of->first_key = options->collider_key_count;
  *key = &options->collider_keys[options->collider_key_count];
  if (of->key_count > 0 && !(time > (*key)[-1].time)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--collider-key: the time %g s does not come after %g s, that of the key "
                     "before it",
                     (double)time, (double)(*key)[-1].time);
  }
  ++options->collider_key_count;
  ++of->key_count;
  return WEFT_OK;
}

weft_result weft_setup_take_collider_key(void *base, const char *text, weft_error *err) {
  weft_setup_collider *last = NULL;
  weft_collider_key *key = NULL;
  uint32_t count = 1;
  float v[7] = {0};
  for (const char *c = text; *c; ++c) count += *c == ',';
  weft_result result = last_collider(base, "collider-key", &last, err);
  if (result == WEFT_OK) {
    result =
        weft_read_numbers("--collider-key", text, -farthest, farthest, count == 7 ? 7 : 4, v, err);
  }
  if (result == WEFT_OK) result = next_key(base, last, v[0], &key, err);
  if (result != WEFT_OK) return result;
  const weft_vec3 turned = weft_v3_scale(weft_v3(v[4], v[5], v[6]), degree);
  *key = (weft_collider_key){.time = v[0],
                             .a = weft_v3(v[1], v[2], v[3]),
                             .rotation = count == 7 ? turned : last->shape.rotation};
  return WEFT_OK;
}
