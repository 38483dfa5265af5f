/* scene_schema.c: the JSON Schema of scene files, from the tables that they are read by. */
#include <math.h>
#include <string.h>

#include "scene_keys.h"

static json_t *type_of(const char *type) { return json_pack("{s:s}", "type", type); }

static json_t *any_of(json_t *a, json_t *b) { return json_pack("{s:[o, o]}", "anyOf", a, b); }

static json_t *list_of(json_t *items, uint32_t least, uint32_t most) {
  json_t *list = json_pack("{s:s, s:o}", "type", "array", "items", items);
  if (least > 0) json_object_set_new(list, "minItems", json_integer(least));
  if (most > 0 && most < 1000) json_object_set_new(list, "maxItems", json_integer(most));
  return list;
}

static json_t *one_of(const char *const *words) {
  json_t *list = json_array();
  for (size_t k = 0; words[k]; ++k) json_array_append_new(list, json_string(words[k]));
  return json_pack("{s:o}", "enum", list);
}

static json_t *words_of(const char *words) {
  json_t *list = json_array();
  for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ') {
    json_array_append_new(list, json_stringn(at, strcspn(at, " ")));
  }
  return json_pack("{s:o}", "enum", list);
}

static json_t *range(json_t *number, const weft_option *option) {
  if (!option || !(option->low < option->high)) return number;
  json_object_set_new(number, "minimum", json_real(option->low));
  json_object_set_new(number, "maximum", json_real(option->high));
  return number;
}

static json_t *name_of_scene(void) {
  const char *names[64] = {NULL};
  for (uint32_t k = 0; k < 63 && weft_scene_at(k); ++k) names[k] = weft_scene_at(k)->name;
  return one_of(names);
}

static json_t *fabric(void) {
  const char *names[32] = {NULL};
  for (uint32_t k = 0; k < 31 && weft_material_at(k); ++k) names[k] = weft_material_at(k)->name;
  json_t *measures = json_pack("{s:o}", "name", one_of(names));
  for (size_t k = 0; weft_fabric_measures[k]; ++k) {
    json_object_set_new(measures, weft_fabric_measures[k],
                        json_pack("{s:s, s:i}", "type", "number", "minimum", 0));
  }
  return any_of(one_of(names), json_pack("{s:s, s:o, s:b}", "type", "object", "properties",
                                         measures, "additionalProperties", 0));
}

static json_t *text(const weft_key *key, const weft_option *option) {
  if (key->words) return words_of(key->words);
  if (option && option->choices) return one_of(option->choices);
  if (option && strcmp(key->name, "scene") == 0) return name_of_scene();
  return json_pack("{s:s, s:i}", "type", "string", "minLength", strcmp(key->name, "about") != 0);
}

static const char *file_of(weft_section section) {
  static const char *const names[WEFT_SECTIONS] = {
      [WEFT_SECTION_CLOTH] = "cloth",           [WEFT_SECTION_PIN] = "pin",
      [WEFT_SECTION_PIN_KEY] = "pin_key",       [WEFT_SECTION_BODY] = "body",
      [WEFT_SECTION_COLLIDER] = "collider",     [WEFT_SECTION_COLLIDER_KEY] = "collider_key",
      [WEFT_SECTION_PARAMETERS] = "parameters", [WEFT_SECTION_KEY] = "key"};
  return names[section];
}

static json_t *section(weft_section of) {
  char to[60];
  snprintf(to, sizeof to, "#/$defs/%s", file_of(of));
  return json_pack("{s:s}", "$ref", to);
}

static json_t *texts(void) {
  json_t *name = json_pack("{s:s, s:i}", "type", "string", "minLength", 1);
  return any_of(json_incref(name), list_of(name, 1, 0));
}

static json_t *whole(const weft_key *key, const weft_option *option) {
  json_t *number = range(type_of("integer"), option);
  const bool version = strcmp(key->name, "weft") == 0;
  if (version) json_object_set_new(number, "const", json_integer(1));
  if (option || version) return number;
  json_object_set_new(number, "minimum", json_integer(1)); /* frames */
  json_object_set_new(number, "maximum", json_integer(1000000));
  return number;
}

static json_t *value(const weft_key *key, const weft_option *option) {
  switch (key->form) {
    case WEFT_FORM_NUMBER:
      return range(type_of("number"), option);
    case WEFT_FORM_WHOLE:
      return whole(key, option);
    case WEFT_FORM_FLAG:
    case WEFT_FORM_SWITCH:
      return type_of("boolean");
    case WEFT_FORM_OPTIONAL:
      return any_of(type_of("boolean"), type_of("number"));
    case WEFT_FORM_WORD:
      return any_of(words_of(key->words), type_of("number"));
    case WEFT_FORM_NUMBERS: {
      json_t *list = list_of(range(type_of("number"), option), key->least, key->most);
      return key->least == 1 ? any_of(type_of("number"), list) : list;
    }
    case WEFT_FORM_INDICES:
      return list_of(json_pack("{s:s, s:i}", "type", "integer", "minimum", 0), 1, 0);
    case WEFT_FORM_PATHS:
    case WEFT_FORM_NAMES:
    case WEFT_FORM_EACH_TEXT:
      return texts();
    case WEFT_FORM_EACH_NUMBERS:
      return list_of(list_of(type_of("number"), key->least, key->most), 0, 0);
    case WEFT_FORM_MAP:
      return json_pack("{s:s, s:o}", "type", "object", "additionalProperties", type_of("integer"));
    case WEFT_FORM_FABRIC:
      return fabric();
    case WEFT_FORM_KEYS:
      return list_of(type_of("object"), 1, 0);
    case WEFT_FORM_SECTION:
      return section(key->of);
    case WEFT_FORM_SECTIONS:
      return list_of(section(key->of), 0, 0);
    case WEFT_FORM_TEXT:
    case WEFT_FORM_PATH:
      break;
  }
  return text(key, option);
}

/* What its option says of it, without the words of a command line. */
static void describe(json_t *property, const weft_option *option) {
  weft_string help = {0};
  if (!option || !option->help) return;
  for (const char *at = option->help; *at; ++at) {
    const bool dashes = strncmp(at, "--", 2) == 0;
    weft_string_add(&help, dashes ? "" : *at == '\n' ? " " : "%c", *at);
    at += dashes;
  }
  json_object_set_new(property, "description", json_string(help.bytes));
  weft_string_free(&help);
}

static json_t *object(weft_section of) {
  weft_key key;
  json_t *properties = json_object(), *heads = json_array(), *needed = json_array();
  const bool timed =
      of == WEFT_SECTION_PIN_KEY || of == WEFT_SECTION_COLLIDER_KEY || of == WEFT_SECTION_KEY;
  for (uint32_t k = 0; weft_key_at(of, k, &key); ++k) {
    weft_option found;
    const bool known = key.option && weft_setup_option(key.option, &found);
    json_t *property = value(&key, known ? &found : NULL);
    describe(property, known ? &found : NULL);
    json_object_set_new(properties, key.name, property);
    if (key.prefix) json_array_append_new(heads, json_pack("{s:[s]}", "required", key.name));
  }
  json_t *made = json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties,
                           "additionalProperties", 0);
  if (timed) json_array_append_new(needed, json_string("time"));
  if (of == WEFT_SECTION_ROOT) json_array_append_new(needed, json_string("weft"));
  if (of == WEFT_SECTION_ROOT) json_array_append_new(needed, json_string("cloth"));
  if (json_array_size(heads) > 0) json_object_set(made, "oneOf", heads);
  if (json_array_size(needed) > 0) json_object_set(made, "required", needed);
  json_decref(heads);
  json_decref(needed);
  return made;
}

char *weft_setup_schema(void) {
  json_t *root = object(WEFT_SECTION_ROOT), *parts = json_object();
  for (int s = WEFT_SECTION_CLOTH; s < WEFT_SECTIONS; ++s) {
    json_object_set_new(parts, file_of((weft_section)s), object((weft_section)s));
  }
  json_object_set_new(root, "$defs", parts);
  json_object_set_new(root, "$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
  json_object_set_new(root, "title", json_string("weft scene file"));
  weft_string out = {0};
  weft_json_write_lines(root, 0, &out);
  weft_string_add(&out, "\n");
  json_decref(root);
  return out.bytes;
}
