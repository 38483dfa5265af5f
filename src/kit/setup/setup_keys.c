/* setup_keys.c: what changes during a run: --pin-key, --pin-weight, --key. */
#include <math.h>
#include <string.h>

#include "preprocess.h"
#include "setup_internal.h"

static const double farthest = 1e6; /* m, s */
static const float degree = 0.017453292f;

static weft_result full(const char *option, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s: more than %d of them", option,
                   WEFT_SETUP_MAX_KEYS);
}

static weft_result not_later(const char *option, float time, float before, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--%s: the time %g s does not come after %g s, that of the key before it",
                   option, (double)time, (double)before);
}

/* ---- pins ---- */

/* Adds one of the last pin behind those of its kind. */
static weft_result add_pin_key(weft_setup *setup, const char *option, weft_timed_pin key,
                               weft_error *err) {
  if (setup->pin_count == 0 || setup->pins_yield) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s: stands behind the --pin that it is of",
                     option);
  }
  if (setup->pin_key_count == WEFT_SETUP_MAX_KEYS) return full(option, err);
  key.pin = setup->pin_count - 1;
  for (uint32_t k = 0; k < setup->pin_key_count; ++k) {
    const weft_timed_pin *before = &setup->pin_keys[k];
    if (before->pin != key.pin || before->weighs != key.weighs || key.time > before->time) continue;
    return not_later(option, key.time, before->time, err);
  }
  setup->pin_keys[setup->pin_key_count++] = key;
  return WEFT_OK;
}

weft_result weft_setup_take_pin_key(void *base, const char *text, weft_error *err) {
  uint32_t count = 1;
  float v[7] = {0};
  for (const char *c = text; *c; ++c) count += *c == ',';
  weft_result result =
      weft_read_numbers("--pin-key", text, -farthest, farthest, count == 7 ? 7 : 4, v, err);
  if (result != WEFT_OK) return result;
  const weft_timed_pin key = {.time = v[0],
                              .move = weft_v3(v[1], v[2], v[3]),
                              .turn = weft_v3_scale(weft_v3(v[4], v[5], v[6]), degree)};
  return add_pin_key(base, "pin-key", key, err);
}

/* What stands before the last @, and the time behind it; 0 without. */
static weft_result split(const char *option, const char *text, char *before, size_t size,
                         float *time, weft_error *err) {
  const char *at = strrchr(text, '@');
  *time = 0;
  snprintf(before, size, "%.*s", at ? (int)(at - text) : (int)strlen(text), text);
  return at ? weft_read_number(option, at + 1, -farthest, farthest, time, err) : WEFT_OK;
}

weft_result weft_setup_take_pin_weight(void *base, const char *text, weft_error *err) {
  weft_timed_pin key = {.weighs = true};
  char weight[64];
  weft_result result = split("--pin-weight", text, weight, sizeof weight, &key.time, err);
  if (result == WEFT_OK) {
    result = weft_read_number("--pin-weight", weight, 0, 1, &key.weight, err);
  }
  return result == WEFT_OK ? add_pin_key(base, "pin-weight", key, err) : result;
}

/* ---- parameters ---- */

static weft_result find_row(const char *name, uint32_t *row, weft_error *err) {
  const char *names[WEFT_PARAM_COUNT];
  for (*row = 0; *row < WEFT_PARAM_COUNT; ++*row) {
    const weft_param_info *p = &weft_param_infos[*row];
    names[*row] = p->option ? p->option : p->name;
    if (strcmp(names[*row], name) != 0 && strcmp(p->name, name) != 0) continue;
    if (*row != WEFT_PARAM_frame_dt) return WEFT_OK;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--key: %s is the same in all frames", name);
  }
  const char *near = weft_nearest_name(name, names, WEFT_PARAM_COUNT);
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--key: \"%s\" is no parameter%s%s%s", name,
                   near ? ", did you mean " : "", near ? near : "", near ? "?" : "");
}

/* Read as its option is. */
static weft_result read_value(uint32_t row, const char *text, weft_timed_param *key,
                              weft_error *err) {
  weft_setup values = {0};
  weft_option option = weft_setup_param_option(row);
  const weft_option_set set = {.base = &values};
  if (option.kind == WEFT_OPTION_FLAG) option.kind = WEFT_OPTION_SWITCH;
  weft_result result = weft_option_take(&set, &option, text, err);
  for (uint32_t c = 0; c < 3; ++c) key->value[c] = weft_param_of(&values.params, row, c);
  return result;
}

weft_result weft_setup_take_key(void *base, const char *text, weft_error *err) {
  weft_setup *setup = base;
  weft_timed_param key = {0};
  char what[120], *equals;
  if (!strchr(text, '=') || !strchr(text, '@')) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--key: \"%s\" is not NAME=VALUE@T", text);
  }
  weft_result result = split("--key", text, what, sizeof what, &key.time, err);
  if (result != WEFT_OK) return result;
  if (setup->param_key_count == WEFT_SETUP_MAX_KEYS) return full("key", err);
  equals = strchr(what, '=');
  *equals = 0;
  result = find_row(what, &key.row, err);
  if (result == WEFT_OK) result = read_value(key.row, equals + 1, &key, err);
  if (result != WEFT_OK) return result;
  for (uint32_t k = 0; k < setup->param_key_count; ++k) {
    const weft_timed_param *before = &setup->param_keys[k];
    if (before->row != key.row || key.time > before->time) continue;
    return not_later("key", key.time, before->time, err);
  }
  setup->param_keys[setup->param_key_count++] = key;
  return WEFT_OK;
}

/* ---- into the scene ---- */

static bool has_keys(const weft_setup *setup, uint32_t pin) {
  bool any = false;
  for (uint32_t k = 0; k < setup->pin_key_count; ++k) any = any || setup->pin_keys[k].pin == pin;
  return any;
}

static weft_result add_pin(const weft_setup *setup, const weft_pin *pins, uint32_t pin,
                           weft_scene_instance *scene, weft_error *err) {
  const weft_model *model = scene->single ? scene->single : scene->model;
  bool *held = weft_alloc(scene->mesh.vertex_count, sizeof *held);
  weft_result result = weft_pins_select(&scene->mesh, &pins[pin], 1, NULL, held, err);
  uint32_t *particles = weft_alloc(scene->mesh.vertex_count, sizeof *particles), count = 0;
  for (uint32_t i = 0; i < scene->mesh.vertex_count; ++i) {
    if (held[i] && weft_model_is_pinned(model, i)) particles[count++] = i;
  }
  if (result == WEFT_OK) {
    weft_scene_time_pins(scene, particles, count, pin, setup->pin_keys, setup->pin_key_count);
  }
  weft_free(particles);
  weft_free(held);
  return result;
}

weft_result weft_setup_add_keys(const weft_setup *setup, weft_scene_instance *scene,
                                weft_error *err) {
  weft_pin pins[WEFT_SETUP_MAX_PINS];
  weft_result result = WEFT_OK;
  if (setup->param_key_count > 0) {
    weft_scene_time_params(scene, setup->param_keys, setup->param_key_count);
  }
  for (uint32_t k = 0; k < setup->pin_key_count; ++k) {
    if (!setup->several || !setup->pin_keys[k].weighs) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--pin-weight: not for several --instances");
  }
  if (setup->pin_key_count == 0) return WEFT_OK;
  result = weft_setup_find_pins(setup, &scene->mesh.map, pins, err);
  for (uint32_t pin = 0; pin < setup->pin_count && result == WEFT_OK; ++pin) {
    if (has_keys(setup, pin)) result = add_pin(setup, pins, pin, scene, err);
  }
  weft_setup_free_pins(setup, pins);
  return result;
}
