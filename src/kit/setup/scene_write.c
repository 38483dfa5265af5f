/* scene_write.c: settings as a scene file: an option as its key, its text as the key's form. */
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "scene_keys.h"

typedef struct writer {
  json_t *root, *sections[WEFT_SECTIONS]; /* of lists the item that was begun last */
  const char *file;                       /* that is written: paths are relative to it */
} writer;

/* ---- values ---- */

/* Nine digits are a float; a fraction is what it comes to. */
static json_t *number_of(const char *text, size_t length) {
  char piece[64];
  snprintf(piece, sizeof piece, "%.*s", (int)length, text);
  if (strspn(piece, "-0123456789") == strlen(piece)) {
    return json_integer((json_int_t)strtoll(piece, NULL, 10));
  }
  const char *over = strchr(piece, '/');
  double value = 0, below = 1;
  const char *end = piece + strlen(piece);
  weft_parse_double(piece, over ? over : end, &value);
  if (over) weft_parse_double(over + 1, end, &below);
  const bool percent = end > piece && end[-1] == '%';
  return json_real(value / below / (percent ? 100 : 1));
}

static json_t *numbers_of(const char *text, bool alone) {
  json_t *list = json_array();
  for (const char *at = text; *at; at += strcspn(at, ","), at += *at == ',') {
    json_array_append_new(list, number_of(at, strcspn(at, ",")));
  }
  if (!alone || json_array_size(list) != 1) return list;
  json_t *one = json_incref(json_array_get(list, 0));
  json_decref(list);
  return one;
}

static bool is_number(const char *text) {
  double value;
  const char *end = text + strlen(text);
  return *text && weft_parse_double(text, end, &value) == end;
}

static json_t *path_of(const writer *w, const char *path) {
  char *way = strcmp(path, "-") == 0 ? weft_strdup(path) : weft_name_from(path, w->file);
  json_t *text = json_string(way);
  weft_free(way);
  return text;
}

static json_t *fabric_of(const char *text) {
  const size_t length = strcspn(text, ",");
  if (!text[length]) return json_string(text);
  json_t *fabric = json_object();
  json_object_set_new(fabric, "name", json_stringn(text, length));
  for (const char *at = text + length; *at; at += strcspn(at, ",")) {
    const char *name = ++at, *equals = strchr(name, '=');
    char key[40];
    if (!equals) break;
    snprintf(key, sizeof key, "%.*s", (int)(equals - name), name);
    json_object_set_new(fabric, key, number_of(equals + 1, strcspn(equals + 1, ",")));
  }
  return fabric;
}

static json_t *keys_of(const char *text) {
  json_t *whole = json_loads(text, 0, NULL), *keys = json_incref(json_object_get(whole, "keys"));
  json_decref(whole);
  return keys ? keys : json_array();
}

static json_t *value_of(const writer *w, const weft_key *key, const char *text) {
  switch (key->form) {
    case WEFT_FORM_PATH:
      return path_of(w, text);
    case WEFT_FORM_NUMBER:
    case WEFT_FORM_WHOLE:
      return number_of(text, strlen(text));
    case WEFT_FORM_FLAG:
      return json_true();
    case WEFT_FORM_SWITCH:
      return json_boolean(strcmp(text, "off") != 0);
    case WEFT_FORM_OPTIONAL:
      return *text ? number_of(text, strlen(text)) : json_true();
    case WEFT_FORM_WORD:
      return is_number(text) ? number_of(text, strlen(text)) : json_string(text);
    case WEFT_FORM_NUMBERS:
      return numbers_of(text, key->least == 1);
    case WEFT_FORM_INDICES:
      return numbers_of(text, false);
    case WEFT_FORM_FABRIC:
      return fabric_of(text);
    case WEFT_FORM_KEYS:
      return keys_of(text);
    default:
      return json_string(text);
  }
}

/* ---- where they go ---- */

static json_t *list_in(json_t *object, const char *name) {
  if (!json_object_get(object, name)) json_object_set_new(object, name, json_array());
  return json_object_get(object, name);
}

static json_t *item_in(json_t *object, const char *name) {
  json_t *item = json_object();
  json_array_append_new(list_in(object, name), item);
  return item;
}

/* An item of the list of a section is begun by its head. */
static json_t *section_for(writer *w, const weft_key *key) {
  static const char *const names[WEFT_SECTIONS] = {[WEFT_SECTION_CLOTH] = "cloth",
                                                   [WEFT_SECTION_PIN] = "pins",
                                                   [WEFT_SECTION_BODY] = "bodies",
                                                   [WEFT_SECTION_COLLIDER] = "colliders",
                                                   [WEFT_SECTION_PARAMETERS] = "parameters"};
  json_t **section = &w->sections[key->section];
  const bool listed = key->section == WEFT_SECTION_PIN || key->section == WEFT_SECTION_BODY ||
                      key->section == WEFT_SECTION_COLLIDER;
  if (listed && key->prefix) *section = item_in(w->root, names[key->section]);
  if (*section) return *section;
  json_object_set_new(w->root, names[key->section], json_object());
  return *section = json_object_get(w->root, names[key->section]);
}

/* T,X,Y,Z[,X,Y,Z] of the item that was begun last. */
static void write_way(json_t *item, const char *text) {
  json_t *numbers = numbers_of(text, false), *key = item_in(item, "keys");
  json_object_set(key, "time", json_array_get(numbers, 0));
  static const char *const names[] = {"move", "turn"};
  for (size_t n = 0; n < 2 && json_array_size(numbers) >= 4 + 3 * n; ++n) {
    json_t *vector = json_array();
    for (size_t k = 0; k < 3; ++k)
      json_array_append(vector, json_array_get(numbers, 1 + 3 * n + k));
    json_object_set_new(key, names[n], vector);
  }
  json_decref(numbers);
}

static void write_weight(json_t *item, const char *text, const char *at) {
  json_t *key = item_in(item, "keys");
  json_object_set_new(key, "time", number_of(at + 1, strlen(at + 1)));
  json_object_set_new(key, "weight", number_of(text, (size_t)(at - text)));
}

/* NAME=VALUE@T, where the key before has no other time. */
static void write_change(writer *w, const char *text) {
  const char *equals = strchr(text, '='), *at = strrchr(text, '@');
  char name[60], value[200];
  weft_key key = {0};
  snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
  snprintf(value, sizeof value, "%.*s", (int)(at - equals - 1), equals + 1);
  for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
    const weft_param_info *p = &weft_param_infos[row];
    if (p->option && strcmp(p->option, name) == 0) snprintf(name, sizeof name, "%s", p->name);
  }
  json_t *time = number_of(at + 1, strlen(at + 1)), *last = w->sections[WEFT_SECTION_KEY];
  if (!last || !json_equal(json_object_get(last, "time"), time)) {
    last = item_in(w->root, "keys");
    json_object_set(last, "time", time);
  }
  json_decref(time);
  w->sections[WEFT_SECTION_KEY] = last;
  weft_key_find(WEFT_SECTION_KEY, name, &key);
  json_object_set_new(last, name, value_of(w, &key, value));
}

static void write_layer(json_t *cloth, const char *text) {
  const char *colon = strrchr(text, ':');
  weft_string name = {0};
  if (!json_object_get(cloth, "layer")) json_object_set_new(cloth, "layer", json_object());
  weft_string_add_bytes(&name, text, (size_t)(colon - text));
  json_object_set_new(json_object_get(cloth, "layer"), name.bytes,
                      number_of(colon + 1, strlen(colon + 1)));
  weft_string_free(&name);
}

static void write_setting(writer *w, const char *option, const char *text) {
  weft_key key;
  const char *at = strrchr(text, '@');
  json_t *const pin = w->sections[WEFT_SECTION_PIN];
  if (strcmp(option, "key") == 0) {
    write_change(w, text);
  } else if (strcmp(option, "pin-key") == 0) {
    write_way(pin, text);
  } else if (strcmp(option, "collider-key") == 0) {
    write_way(w->sections[WEFT_SECTION_COLLIDER], text);
  } else if (strcmp(option, "pin-weight") == 0 && at) {
    write_weight(pin, text, at);
  } else if (weft_key_of_option(option, text, &key)) {
    json_t *section = section_for(w, &key);
    if (key.prefix) text += strlen(key.prefix);
    if (key.form == WEFT_FORM_MAP) {
      write_layer(section, text);
    } else if (key.form == WEFT_FORM_EACH_TEXT || key.form == WEFT_FORM_EACH_NUMBERS) {
      json_array_append_new(list_in(section, key.name), key.form == WEFT_FORM_EACH_TEXT
                                                            ? json_string(text)
                                                            : numbers_of(text, false));
    } else {
      json_object_set_new(section, key.name, value_of(w, &key, text));
    }
  }
}

/* ---- what a built-in scene has by itself ---- */

/* What is chosen against stretch stays to be chosen. */
static bool is_chosen(const weft_scene_instance *scene, uint32_t row) {
  static const uint32_t chosen[] = {WEFT_PARAM_substeps,
                                    WEFT_PARAM_iterations,
                                    WEFT_PARAM_line_sweeps,
                                    WEFT_PARAM_lra,
                                    WEFT_PARAM_lra_slack,
                                    WEFT_PARAM_multilevel,
                                    WEFT_PARAM_multilevel_sweeps,
                                    WEFT_PARAM_multilevel_slack,
                                    WEFT_PARAM_tangled};
  for (size_t k = 0; k < sizeof chosen / sizeof *chosen; ++k) {
    if (chosen[k] == row) return scene->held.target > 0 || row == WEFT_PARAM_tangled;
  }
  return false;
}

/* The shortest number that is read as this float. */
static json_t *real_of(double value) {
  char text[40];
  double shorter = value;
  for (int digits = 6; digits <= 9; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    weft_parse_double(text, text + strlen(text), &shorter);
    if ((float)shorter == (float)value) break;
  }
  return json_real(shorter);
}

static json_t *param_of(const weft_params *p, uint32_t row) {
  const weft_param_info *info = &weft_param_infos[row];
  const double value = weft_param_of(p, row, 0);
  switch (info->kind) {
    case WEFT_KIND_REAL:
      return real_of(value);
    case WEFT_KIND_COUNT:
      return json_integer((json_int_t)value);
    case WEFT_KIND_CHOICE:
      return json_string(info->choices[(int)value]);
    case WEFT_KIND_FLAG:
      return json_boolean(value > 0);
    case WEFT_KIND_VEC3:
      break;
  }
  return json_pack("[o, o, o]", real_of(value), real_of(weft_param_of(p, row, 1)),
                   real_of(weft_param_of(p, row, 2)));
}

static void write_own(writer *w, const weft_setup *setup, const weft_scene_instance *scene) {
  const weft_params defaults = weft_params_default();
  weft_params own = scene->params;
  for (uint32_t row = 0; row < WEFT_PARAM_COUNT && !own.complete; ++row) {
    const bool none = row == WEFT_PARAM_gravity
                          ? own.no_gravity
                          : row == WEFT_PARAM_self_iterations && own.no_self_pushes;
    if (!none) weft_param_complete(&own, row);
  }
  json_t *cloth = json_object_get(w->root, "cloth");
  const weft_material *fabric = weft_material_find(scene->fabric.name);
  const bool preset =
      fabric && !setup->compliance_given && memcmp(fabric, &scene->fabric, sizeof *fabric) == 0;
  json_object_set_new(cloth, "size", json_integer(scene->size));
  json_object_set_new(cloth, "seed", json_integer((json_int_t)setup->seed));
  if (preset) json_object_set_new(cloth, "fabric", json_string(fabric->name));
  for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
    const weft_key key = {.section = WEFT_SECTION_PARAMETERS};
    if (setup->given[row] || is_chosen(scene, row)) continue;
    if (setup->plain && row == WEFT_PARAM_substeps) continue;
    /* What would do nothing is left out. */
    const bool blows = row == WEFT_PARAM_wind || row == WEFT_PARAM_gust;
    if (blows && !(own.air_density > 0) && setup->param_key_count == 0) continue;
    const bool rubs = row == WEFT_PARAM_self_static || row == WEFT_PARAM_self_dynamic;
    if (rubs && (!own.self_collision || own.no_self_pushes)) continue;
    if (weft_param_same(&own, &defaults, row)) continue;
    json_object_set_new(section_for(w, &key), weft_param_infos[row].name, param_of(&own, row));
  }
}

/* ---- the file ---- */

static void release_json(void *root) { json_decref(*(json_t **)root); }

weft_result weft_setup_write(const weft_setup *setup, const weft_scene_instance *scene,
                             const char *file, char **text, weft_error *err) {
  writer w = {.root = json_object(), .file = file ? file : "-"};
  weft_deferred *deferred = weft_defer(release_json, &w.root);
  json_object_set_new(w.root, "weft", json_integer(1));
  const weft_scene *own = setup->scene ? weft_scene_find(setup->scene) : NULL;
  if (own) json_object_set_new(w.root, "about", json_string(own->summary));
  if (setup->frames > 0) json_object_set_new(w.root, "frames", json_integer(setup->frames));
  json_object_set_new(w.root, "cloth", json_object());
  w.sections[WEFT_SECTION_ROOT] = w.root;
  w.sections[WEFT_SECTION_CLOTH] = json_object_get(w.root, "cloth");
  write_setting(&w, own ? "scene" : "mesh", own ? setup->scene : setup->mesh);
  for (size_t k = 0; k < setup->said_count; ++k) {
    const weft_given *given = &setup->said[k];
    if (strcmp(given->option, "scene") == 0 || strcmp(given->option, "mesh") == 0) continue;
    write_setting(&w, given->option, given->text);
  }
  if (own && scene) write_own(&w, setup, scene);
  for (uint32_t k = 0; k < setup->output_count; ++k) {
    json_array_append_new(list_in(w.root, "outputs"), path_of(&w, setup->outputs[k]));
  }
  weft_string whole = {0};
  const bool good = weft_json_write_lines(w.root, 0, &whole);
  weft_string_add(&whole, "\n");
  weft_defer_end(deferred);
  json_decref(w.root);
  *text = whole.bytes;
  return good ? WEFT_OK : weft_fail(err, WEFT_ERROR_FORMAT, "a setting is no UTF-8");
}
