/* setup_environment.c: what stands around the cloth. */
#include <string.h>

#include "inspect.h"
#include "setup_internal.h"

static const double farthest = 1e6; /* m: what a solver takes */

/* ---- ground ---- */

weft_result weft_setup_take_ground(void *base, const char *text, weft_error *err) {
  weft_setup *options = base;
  options->ground = WEFT_GROUND_AT;
  if (strcmp(text, "off") == 0) options->ground = WEFT_GROUND_OFF;
  if (strcmp(text, "on") == 0) options->ground = WEFT_GROUND_ON;
  if (options->ground != WEFT_GROUND_AT ||
      weft_read_number("--ground", text, -farthest, farthest, &options->ground_height, NULL) ==
          WEFT_OK) {
    return WEFT_OK;
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--ground: \"%s\" is none of off, on, a height in metres from %g to %g", text,
                   -farthest, farthest);
}

/* ---- friction ---- */

weft_result weft_setup_read_friction(const char *option, const char *text, float friction[2],
                                     weft_error *err) {
  uint32_t count = strchr(text, ',') ? 2 : 1;
  weft_result result = weft_read_numbers(option, text, 0, 1e3, count, friction, err);
  if (count == 1) friction[1] = friction[0];
  if (result == WEFT_OK && friction[1] > friction[0]) {
    weft_log(WEFT_LOG_WARNING,
             "%s %s: friction of what slides is more than at rest, which no real pair has", option,
             text);
  }
  return result;
}

weft_result weft_setup_take_friction(void *base, const char *text, weft_error *err) {
  weft_setup *options = base;
  weft_result result = weft_setup_read_friction("--friction", text, options->friction, err);
  options->friction_given = result == WEFT_OK;
  return result;
}

static void roughen(weft_collider *c, const float friction[2]) {
  c->friction_static = friction[0];
  c->friction_dynamic = friction[1];
}

/* ---- colliders ---- */

/* What is seen grows to hold a shape whose points are there. */
static void show_at(weft_scene_instance *scene, const weft_collider *c, weft_vec3 a, weft_vec3 b) {
  const bool half_size = weft_shape_infos[c->shape].size == WEFT_SHAPE_HALF;
  const float r = half_size ? weft_v3_length(c->half_size) : c->radius;
  const bool turned = c->key_count > 0 || weft_v3_length(c->rotation) > 0;
  const weft_vec3 half = half_size && !turned ? c->half_size : weft_v3(r, r, r);
  const weft_vec3 ends[2] = {a, weft_shape_infos[c->shape].axis ? b : a};
  weft_vec3 low, high;
  weft_v3_bounds(ends, 2, &low, &high);
  weft_scene_take_in(scene, weft_v3_sub(low, half), weft_v3_add(high, half));
}

/* All along its way; a level plane is drawn as the floor. */
static void show(weft_scene_instance *scene, const weft_collider *c) {
  if (weft_shape_infos[c->shape].size == WEFT_SHAPE_ENDLESS) {
    scene->ground = scene->ground || c->b.y > 0.999f * weft_v3_length(c->b);
    return;
  }
  if (c->key_count == 0) show_at(scene, c, c->a, c->b);
  for (uint32_t k = 0; k < c->key_count; ++k) show_at(scene, c, c->keys[k].a, c->keys[k].b);
}

/* Ways by option are from where the shape was put; a scene's are where it is. */
static void add_keys(weft_scene_instance *scene, const weft_setup *o,
                     const weft_setup_collider *from, weft_collider *c) {
  if (from->key_count == 0) return;
  const bool normal = weft_shape_infos[c->shape].size == WEFT_SHAPE_ENDLESS;
  weft_collider_key *keys = weft_scene_key_room(scene, from->key_count);
  for (uint32_t k = 0; k < from->key_count; ++k) {
    const weft_collider_key *way = &o->collider_keys[from->first_key + k];
    keys[k] = *way;
    keys[k].a = weft_v3_add(c->a, way->a);
    keys[k].b = normal ? c->b : weft_v3_add(c->b, way->a);
  }
  c->keys = keys;
  c->key_count = from->key_count;
}

static weft_result add_colliders(const weft_setup *o, weft_scene_instance *scene, weft_error *err) {
  const uint32_t own = scene->params.collider_count;
  if (own + o->collider_count > WEFT_MAX_COLLIDERS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--collider: %u beside the %u of %.100s are more than %d", o->collider_count,
                     own, scene->name, WEFT_MAX_COLLIDERS);
  }
  for (uint32_t k = 0; k < o->collider_count; ++k) {
    weft_collider *c = weft_scene_add_collider(scene);
    *c = o->colliders[k].shape;
    add_keys(scene, o, &o->colliders[k], c);
    if (o->friction_given && !o->colliders[k].friction_given) roughen(c, o->friction);
    show(scene, c);
  }
  return WEFT_OK;
}

/* ---- colliders put elsewhere ---- */

weft_result weft_setup_take_shift(void *base, const char *text, weft_error *err) {
  weft_setup *options = base;
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

static weft_result shift_colliders(const weft_setup *o, weft_scene_instance *scene,
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

weft_result weft_setup_set_environment(const weft_setup *o, weft_scene_instance *scene,
                                       weft_error *err) {
  for (uint32_t c = 0; o->friction_given && c < scene->params.collider_count; ++c) {
    roughen(&scene->colliders[c], o->friction);
  }
  weft_result result = add_colliders(o, scene, err);
  return result == WEFT_OK ? shift_colliders(o, scene, err) : result;
}
