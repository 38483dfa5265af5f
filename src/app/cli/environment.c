/* environment.c: what stands around the cloth by option. */
#include "environment.h"

#include <string.h>

#include "collider_depth.h"
#include "inspect.h"

static const double farthest = 1e6; /* m: what a solver takes */

weft_result weft_cli_note(weft_cli_options *options, const char *option, const char *text,
                          weft_error *err) {
  if (options->around_count == WEFT_CLI_MAX_AROUND) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--%s: more than %d options of the cloth and what stands around it", option,
                     WEFT_CLI_MAX_AROUND);
  }
  options->around[options->around_count++] = (weft_cli_given){.option = option, .text = text};
  return WEFT_OK;
}

char **weft_cli_around(const weft_cli_options *options) {
  char **around = weft_alloc((size_t)options->around_count + 1, sizeof *around);
  for (uint32_t k = 0; k < options->around_count; ++k) {
    const weft_cli_given *given = &options->around[k];
    weft_string text = {0};
    weft_string_add(&text, "%s%s%s", given->option, *given->text ? " " : "", given->text);
    around[k] = text.bytes;
  }
  return around;
}

void weft_cli_free_around(char **around) {
  for (char **one = around; *one; ++one) weft_free(*one);
  weft_free(around);
}

/* ---- ground ---- */

weft_result weft_cli_take_ground(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  options->ground = WEFT_GROUND_AT;
  if (strcmp(text, "off") == 0) options->ground = WEFT_GROUND_OFF;
  if (strcmp(text, "on") == 0) options->ground = WEFT_GROUND_ON;
  if (options->ground != WEFT_GROUND_AT ||
      weft_read_number("--ground", text, -farthest, farthest, &options->ground_height, NULL) ==
          WEFT_OK) {
    return weft_cli_note(options, "ground", text, err);
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--ground: \"%s\" is none of off, on, a height in metres from %g to %g", text,
                   -farthest, farthest);
}

/* ---- friction ---- */

weft_result weft_cli_read_friction(const char *option, const char *text, float friction[2],
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

weft_result weft_cli_take_friction(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  weft_result result = weft_cli_read_friction("--friction", text, options->friction, err);
  options->friction_given = result == WEFT_OK;
  return result == WEFT_OK ? weft_cli_note(options, "friction", text, err) : result;
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
static void add_keys(weft_scene_instance *scene, const weft_cli_options *o,
                     const weft_cli_collider *from, weft_collider *c) {
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
    add_keys(scene, o, &o->colliders[k], c);
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
  return weft_cli_note(options, "shift-collider", text, err);
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

weft_result weft_cli_set_environment(const weft_cli_options *o, weft_scene_instance *scene,
                                     weft_error *err) {
  for (uint32_t c = 0; o->friction_given && c < scene->params.collider_count; ++c) {
    roughen(&scene->colliders[c], o->friction);
  }
  weft_result result = add_colliders(o, scene, err);
  return result == WEFT_OK ? shift_colliders(o, scene, err) : result;
}

/* m: what nobody sees. */
static const float unseen = 0.002f;

void weft_cli_warn_start(const weft_cli_options *o, const weft_scene_instance *scene) {
  const bool placed = o->ground == WEFT_GROUND_AT || o->collider_count > 0 || o->shift_count > 0;
  if (!o->mesh && !placed) return;
  const weft_params *p = &scene->params;
  const weft_vec3 *x = p->start ? p->start : weft_model_rest_positions(scene->model);
  const uint32_t particles = weft_model_particle_count(scene->model);
  uint32_t inside = 0, worst = 0;
  float deepest = unseen;
  for (uint32_t i = 0; i < particles; ++i) {
    if (weft_model_inverse_masses(scene->model)[i] == 0) continue; /* pinned, or attached */
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
           "(a %s), %s: put it elsewhere (--ground, --collider, --move)",
           scene->name, inside, inside == 1 ? " is" : "s are", (double)deepest, worst,
           weft_shape_infos[p->colliders[worst].shape].name,
           p->self_collision ? "which throws cloth out where that does not take it through itself"
                             : "which throws cloth out");
}
