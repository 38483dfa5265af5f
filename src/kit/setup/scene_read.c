/* scene_read.c: settings from a scene file. A key stands for an option, so a value is read as the
 * option's text is; what is wrong is said with file, line and key. */
#include <string.h>

#include "files.h"
#include "scene_keys.h"

enum { VERSION = 1, LONGEST = 64 << 20, MOST_FRAMES = 1000000 };

typedef struct reader {
  weft_setup *setup;
  const char *name, *folder; /* as it is shown; "" or with a slash at its end */
  const char *text;
  size_t length;
  char path[256]; /* of the value that is being read: "pins[0].box" */
  weft_error *err;
} reader;

/* ---- where we are ---- */

/* Goes on to a member or item; what comes back is how long the path was. */
static size_t enter(reader *r, const char *name) {
  const size_t before = strlen(r->path);
  snprintf(r->path + before, sizeof r->path - before, "%s%s", before ? "." : "", name);
  return before;
}

static size_t enter_item(reader *r, size_t index) {
  const size_t before = strlen(r->path);
  snprintf(r->path + before, sizeof r->path - before, "[%zu]", index);
  return before;
}

static void leave(reader *r, size_t before) { r->path[before] = 0; }

static weft_result refuse(const reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static weft_result refuse(const reader *r, const char *format, ...) {
  char why[800];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  const int line = weft_json_line(r->text, r->length, r->path);
  return weft_fail(r->err, WEFT_ERROR_FORMAT, "%s:%d: %s: %s", r->name, line,
                   *r->path ? r->path : "the file", why);
}

/* A value as it stands in the file. */
static const char *shown(const json_t *value, char *text, size_t size) {
  weft_string dumped = {0};
  weft_json_dump(value, &dumped);
  const size_t most = size - 4;
  snprintf(text, size, "%.*s%s", (int)most, dumped.bytes, dumped.count > most ? "..." : "");
  weft_string_free(&dumped);
  return text;
}

static weft_result wrong_kind(const reader *r, const json_t *value, const char *wanted) {
  char text[80];
  return refuse(r, "%s is not %s", shown(value, text, sizeof text), wanted);
}

/* ---- keys ---- */

static weft_result no_such_key(const reader *r, weft_section section, const char *name) {
  const char *names[WEFT_PARAM_COUNT + 32];
  size_t count = 0;
  char list[500] = "";
  for (weft_key key; weft_key_at(section, (uint32_t)count, &key); ++count) {
    const size_t used = strlen(list);
    names[count] = key.name;
    snprintf(list + used, sizeof list - used, "%s%s", count ? ", " : "", key.name);
  }
  const char *near = weft_nearest_name(name, names, count);
  if (near) return refuse(r, "there is no such key, did you mean %s?", near);
  return refuse(r, "there is no such key; the keys here are %s", list);
}

/* ---- texts ---- */

static bool add_number(weft_string *text, const json_t *value) {
  if (json_is_integer(value)) {
    weft_string_add(text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
  } else if (json_is_real(value)) {
    weft_string_add(text, "%.17g", json_real_value(value));
  }
  return json_is_number(value);
}

static bool add_list(weft_string *text, const json_t *list, uint32_t least, uint32_t most,
                     bool whole) {
  const size_t count = json_array_size(list);
  bool good = json_is_array(list) && count >= least && count <= most;
  for (size_t k = 0; k < count && good; ++k) {
    const json_t *item = json_array_get(list, k);
    if (k > 0) weft_string_add(text, ",");
    good = whole ? json_is_integer(item) && json_integer_value(item) >= 0 : json_is_number(item);
    if (good) add_number(text, item);
  }
  return good;
}

static weft_result numbers_wanted(const reader *r, const json_t *value, const weft_key *key) {
  char what[80];
  const char *kind = key->form == WEFT_FORM_INDICES ? "whole numbers" : "numbers";
  if (key->least == key->most) {
    snprintf(what, sizeof what, "a list of %u %s", key->least, kind);
  } else {
    snprintf(what, sizeof what, "%sa list of %u to %u %s", key->least == 1 ? "a number or " : "",
             key->least, key->most, kind);
  }
  return wrong_kind(r, value, what);
}

/* ---- options ---- */

/* What an option says of its text, as of a key: without its name. */
static weft_result refuse_option(const reader *r, const char *option, const char *message) {
  const size_t length = strlen(option);
  if (strncmp(message, "--", 2) == 0 && strncmp(message + 2, option, length) == 0) {
    message += 2 + length;
    message += strspn(message, ": ");
  }
  return refuse(r, "%s", message);
}

static weft_result take(reader *r, const char *option, const char *text) {
  weft_setup *setup = r->setup;
  weft_error why = {0};
  const char *kept = weft_setup_keep(setup, text);
  weft_option own;
  const weft_option_set set = {.base = setup, .note = weft_setup_note_of(option)};
  WEFT_CHECK(weft_setup_option(option, &own),
             "a key of scene files stands for an option that there is");
  setup->reading = weft_setup_keep(setup, r->path);
  weft_result result = weft_option_take(&set, &own, kept, &why);
  setup->reading = NULL;
  return result == WEFT_OK ? WEFT_OK : refuse_option(r, option, why.message);
}

static weft_result check_words(const reader *r, const weft_key *key, const char *text) {
  if (!key->words) return WEFT_OK;
  const size_t length = strlen(text);
  for (const char *word = key->words; *word; word += strcspn(word, " "), word += *word == ' ') {
    if (strcspn(word, " ") == length && strncmp(word, text, length) == 0) return WEFT_OK;
  }
  char list[80], *at = list;
  snprintf(list, sizeof list, "%s", key->words);
  weft_string words = {0};
  for (; *at; at += strcspn(at, " "), at += *at == ' ') {
    weft_string_add(&words, "%s%.*s", at == list ? "" : ", ", (int)strcspn(at, " "), at);
  }
  weft_result result = refuse(r, "\"%.100s\" is none of %s%s", text, words.bytes,
                              key->form == WEFT_FORM_WORD ? ", a number" : "");
  weft_string_free(&words);
  return result;
}

/* A path that stays what it is wherever it is read from. */
static const char *path_from(reader *r, const char *path, weft_string *whole) {
  const bool alone = path[0] == '/' || strcmp(path, "-") == 0;
  weft_string_add(whole, "%s%s", alone ? "" : r->folder, path);
  return whole->bytes;
}

static bool has_nul(const json_t *text) {
  return strlen(json_string_value(text)) != json_string_length(text);
}

/* ---- values by their form ---- */

static weft_result read_text(reader *r, const json_t *value, const weft_key *key) {
  weft_string text = {0};
  weft_result result = WEFT_OK;
  if (!json_is_string(value) || has_nul(value)) return wrong_kind(r, value, "a text");
  const char *given = json_string_value(value);
  if (!*given) return wrong_kind(r, value, "a text of at least a letter");
  result = check_words(r, key, given);
  weft_string_add(&text, "%s", key->prefix ? key->prefix : "");
  if (key->form == WEFT_FORM_PATH) {
    path_from(r, given, &text);
  } else {
    weft_string_add(&text, "%s", given);
  }
  if (result == WEFT_OK) result = take(r, key->option, text.bytes);
  weft_string_free(&text);
  return result;
}

static weft_result read_number(reader *r, const json_t *value, const weft_key *key) {
  weft_string text = {0};
  const bool whole = key->form == WEFT_FORM_WHOLE;
  if (whole ? !json_is_integer(value) : !json_is_number(value)) {
    return wrong_kind(r, value, whole ? "a whole number" : "a number");
  }
  add_number(&text, value);
  weft_result result = take(r, key->option, text.bytes);
  weft_string_free(&text);
  return result;
}

static weft_result read_numbers(reader *r, const json_t *value, const weft_key *key) {
  weft_string text = {0};
  weft_string_add(&text, "%s", key->prefix ? key->prefix : "");
  const bool whole = key->form == WEFT_FORM_INDICES;
  const bool alone = !whole && key->least == 1 && add_number(&text, value);
  weft_result result = WEFT_OK;
  if (!alone && !add_list(&text, value, key->least, key->most, whole)) {
    result = numbers_wanted(r, value, key);
  }
  if (result == WEFT_OK) result = take(r, key->option, text.bytes);
  weft_string_free(&text);
  return result;
}

static weft_result read_bool(reader *r, const json_t *value, const weft_key *key) {
  const bool optional = key->form == WEFT_FORM_OPTIONAL;
  if (optional && json_is_number(value)) return read_number(r, value, key);
  if (!json_is_boolean(value)) {
    return wrong_kind(r, value, optional ? "true, false or a number" : "true or false");
  }
  const bool on = json_is_true(value);
  if (key->form == WEFT_FORM_SWITCH && strcmp(key->option, "collide-each-iteration") != 0) {
    return take(r, key->option, on ? "on" : "off");
  }
  return on ? take(r, key->option, "") : WEFT_OK;
}

/* A text, or a list of which each item is read so. */
static weft_result read_each(reader *r, const json_t *value, const weft_key *key,
                             weft_result (*read)(reader *r, const json_t *value,
                                                 const weft_key *key)) {
  if (!json_is_array(value)) return read(r, value, key);
  weft_result result = WEFT_OK;
  for (size_t k = 0; k < json_array_size(value) && result == WEFT_OK; ++k) {
    const size_t before = enter_item(r, k);
    result = read(r, json_array_get(value, k), key);
    leave(r, before);
  }
  return result;
}

static weft_result read_names(reader *r, const json_t *value, const weft_key *key) {
  weft_string text = {0};
  if (!json_is_array(value)) return read_text(r, value, key);
  const size_t count = json_array_size(value);
  weft_result result = count ? WEFT_OK : wrong_kind(r, value, "a list of names");
  for (size_t k = 0; k < count && result == WEFT_OK; ++k) {
    const json_t *item = json_array_get(value, k);
    if (!json_is_string(item) || has_nul(item)) result = wrong_kind(r, item, "a text");
    if (result == WEFT_OK) {
      weft_string_add(&text, "%s%s", k ? "," : "", json_string_value(item));
    }
  }
  if (result == WEFT_OK) result = take(r, key->option, text.bytes);
  weft_string_free(&text);
  return result;
}

static weft_result read_map(reader *r, json_t *value, const weft_key *key) {
  const char *name;
  json_t *number;
  if (!json_is_object(value)) return wrong_kind(r, value, "an object of whole numbers by name");
  json_object_foreach(value, name, number) {
    weft_string text = {0};
    const size_t before = enter(r, name);
    weft_string_add(&text, "%s:", name);
    weft_result result =
        json_is_integer(number) ? WEFT_OK : wrong_kind(r, number, "a whole number");
    add_number(&text, number);
    if (result == WEFT_OK) result = take(r, key->option, text.bytes);
    weft_string_free(&text);
    leave(r, before);
    if (result != WEFT_OK) return result;
  }
  return WEFT_OK;
}

static weft_result no_measure(const reader *r, const char *name) {
  size_t count = 0;
  while (weft_fabric_measures[count]) ++count;
  const char *near = weft_nearest_name(name, weft_fabric_measures, count);
  if (near) return refuse(r, "there is no such key, did you mean %s?", near);
  return refuse(r, "there is no such key; the keys here are name and what `weft info` lists");
}

static weft_result read_fabric(reader *r, json_t *value, const weft_key *key) {
  const json_t *preset = json_object_get(value, "name");
  const char *name;
  json_t *number;
  if (!json_is_object(value)) return read_text(r, value, key);
  if (preset && !json_is_string(preset)) return wrong_kind(r, preset, "the name of a fabric");
  weft_string text = {0};
  weft_string_add(&text, "%s", preset ? json_string_value(preset) : "tablecloth");
  weft_result result = WEFT_OK;
  json_object_foreach(value, name, number) {
    size_t k = 0;
    if (strcmp(name, "name") == 0) continue;
    const size_t before = enter(r, name);
    while (weft_fabric_measures[k] && strcmp(weft_fabric_measures[k], name) != 0) ++k;
    if (!weft_fabric_measures[k]) result = no_measure(r, name);
    if (result == WEFT_OK && !json_is_number(number)) result = wrong_kind(r, number, "a number");
    weft_string_add(&text, ",%s=", name);
    add_number(&text, number);
    if (result != WEFT_OK) break;
    leave(r, before);
  }
  if (result == WEFT_OK) result = take(r, key->option, text.bytes);
  weft_string_free(&text);
  return result;
}

static weft_result read_motion_keys(reader *r, json_t *value, const weft_key *key) {
  if (!json_is_array(value)) return wrong_kind(r, value, "a list of keys");
  json_t *whole = json_pack("{s:O}", "keys", value);
  weft_string dumped = {0};
  weft_json_dump(whole, &dumped);
  json_decref(whole);
  weft_result result = take(r, key->option, dumped.bytes);
  weft_string_free(&dumped);
  return result;
}

/* ---- sections ---- */

static weft_result read_section(reader *r, json_t *object, weft_section section);

static weft_result read_sections(reader *r, json_t *list, const weft_key *key) {
  weft_result result = WEFT_OK;
  if (!json_is_array(list)) return wrong_kind(r, list, "a list of objects");
  for (size_t k = 0; k < json_array_size(list) && result == WEFT_OK; ++k) {
    const size_t before = enter_item(r, k);
    result = read_section(r, json_array_get(list, k), key->of);
    if (result == WEFT_OK) leave(r, before);
  }
  return result;
}

static weft_result read_root_value(reader *r, const json_t *value, const weft_key *key) {
  weft_setup *setup = r->setup;
  if (strcmp(key->name, "about") == 0) {
    return json_is_string(value) ? WEFT_OK : wrong_kind(r, value, "a text");
  }
  if (strcmp(key->name, "outputs") == 0) {
    weft_string path = {0};
    if (!json_is_string(value) || has_nul(value)) return wrong_kind(r, value, "the name of a file");
    if (setup->output_count == WEFT_SETUP_MAX_OUTPUTS) {
      return refuse(r, "more than %d of them", WEFT_SETUP_MAX_OUTPUTS);
    }
    path_from(r, json_string_value(value), &path);
    setup->outputs[setup->output_count++] = weft_setup_keep(setup, path.bytes);
    weft_string_free(&path);
    return WEFT_OK;
  }
  const json_int_t number = json_integer_value(value);
  if (!json_is_integer(value)) return wrong_kind(r, value, "a whole number");
  const bool frames = strcmp(key->name, "frames") == 0;
  if (frames && number >= 1 && number <= MOST_FRAMES) {
    setup->frames = (uint32_t)number;
  } else if (frames) {
    return refuse(r, "%" JSON_INTEGER_FORMAT " is out of range, allowed is 1 to %d", number,
                  MOST_FRAMES);
  } else if (number != VERSION) {
    return refuse(r, "this is a file of version %" JSON_INTEGER_FORMAT ", and this weft reads %d",
                  number, VERSION);
  }
  return WEFT_OK;
}

static weft_result read_value(reader *r, json_t *value, const weft_key *key) {
  switch (key->form) {
    case WEFT_FORM_SECTION:
      return read_section(r, value, key->of);
    case WEFT_FORM_SECTIONS:
      return read_sections(r, value, key);
    case WEFT_FORM_PATHS:
      return read_each(r, value, key, read_root_value);
    case WEFT_FORM_NUMBERS:
    case WEFT_FORM_INDICES:
      return read_numbers(r, value, key);
    case WEFT_FORM_EACH_NUMBERS:
      if (!json_is_array(value)) return wrong_kind(r, value, "a list of lists of numbers");
      return read_each(r, value, key, read_numbers);
    case WEFT_FORM_FLAG:
    case WEFT_FORM_SWITCH:
    case WEFT_FORM_OPTIONAL:
      return read_bool(r, value, key);
    case WEFT_FORM_WORD:
      if (json_is_number(value)) return read_number(r, value, key);
      if (!json_is_string(value)) return wrong_kind(r, value, "a text or a number");
      return read_text(r, value, key);
    case WEFT_FORM_EACH_TEXT:
      return read_each(r, value, key, read_text);
    case WEFT_FORM_NAMES:
      return read_names(r, value, key);
    case WEFT_FORM_MAP:
      return read_map(r, value, key);
    case WEFT_FORM_FABRIC:
      return read_fabric(r, value, key);
    case WEFT_FORM_KEYS:
      return read_motion_keys(r, value, key);
    case WEFT_FORM_NUMBER:
    case WEFT_FORM_WHOLE:
      return key->option ? read_number(r, value, key) : read_root_value(r, value, key);
    case WEFT_FORM_TEXT:
    case WEFT_FORM_PATH:
      break;
  }
  return key->option ? read_text(r, value, key) : read_root_value(r, value, key);
}

/* ---- what several keys say together ---- */

static weft_result read_time(reader *r, const json_t *object, weft_string *text) {
  const json_t *time = json_object_get(object, "time");
  if (!time) return refuse(r, "it has no time");
  if (add_number(text, time)) return WEFT_OK;
  enter(r, "time");
  return wrong_kind(r, time, "a number");
}

/* A member that is there: numbers, commas before each. */
static weft_result add_vector(reader *r, const json_t *object, const char *name,
                              weft_string *text) {
  const json_t *value = json_object_get(object, name);
  if (value) {
    weft_string_add(text, ",");
    if (add_list(text, value, 3, 3, false)) return WEFT_OK;
    enter(r, name);
    return wrong_kind(r, value, "a list of 3 numbers");
  }
  weft_string_add(text, ",0,0,0");
  return WEFT_OK;
}

/* T,X,Y,Z[,X,Y,Z] */
static weft_result read_way(reader *r, const json_t *object, const char *option) {
  weft_string text = {0};
  weft_result result = read_time(r, object, &text);
  if (result == WEFT_OK) result = add_vector(r, object, "move", &text);
  if (result == WEFT_OK && json_object_get(object, "turn")) {
    result = add_vector(r, object, "turn", &text);
  }
  if (result == WEFT_OK) result = take(r, option, text.bytes);
  weft_string_free(&text);
  return result;
}

static weft_result read_pin_key(reader *r, const json_t *object) {
  const json_t *weight = json_object_get(object, "weight");
  const bool goes = !weight || json_object_get(object, "move") || json_object_get(object, "turn");
  weft_string text = {0};
  weft_result result = WEFT_OK;
  if (goes) result = read_way(r, object, "pin-key");
  if (weight && result == WEFT_OK) {
    if (!add_number(&text, weight)) {
      enter(r, "weight");
      result = wrong_kind(r, weight, "a number");
    }
    weft_string_add(&text, "@");
    if (result == WEFT_OK) result = read_time(r, object, &text);
    if (result == WEFT_OK) result = take(r, "pin-weight", text.bytes);
  }
  weft_string_free(&text);
  return result;
}

/* What parameters are at a time. */
static weft_result read_changes(reader *r, json_t *object) {
  const char *name;
  json_t *value;
  weft_string time = {0};
  weft_result result = read_time(r, object, &time);
  if (result == WEFT_OK && json_object_size(object) < 2) {
    result = refuse(r, "it changes nothing");
  }
  json_object_foreach(object, name, value) {
    weft_string text = {0};
    if (result != WEFT_OK) break;
    if (strcmp(name, "time") == 0) continue;
    const size_t before = enter(r, name);
    weft_string_add(&text, "%s=", name);
    bool good = add_number(&text, value) || add_list(&text, value, 3, 3, false);
    if (json_is_boolean(value)) weft_string_add(&text, json_is_true(value) ? "on" : "off");
    if (json_is_string(value)) weft_string_add(&text, "%s", json_string_value(value));
    good = good || json_is_boolean(value) || (json_is_string(value) && !has_nul(value));
    weft_string_add(&text, "@%s", time.bytes);
    result = good ? take(r, "key", text.bytes) : wrong_kind(r, value, "a value of a parameter");
    weft_string_free(&text);
    if (result == WEFT_OK) leave(r, before);
  }
  weft_string_free(&time);
  return result;
}

/* ---- a section ---- */

static weft_result check_keys(reader *r, json_t *object, weft_section section) {
  const char *name;
  json_t *value;
  weft_key key;
  if (!json_is_object(object)) return wrong_kind(r, object, "an object");
  json_object_foreach(object, name, value) {
    if (weft_key_find(section, name, &key)) continue;
    enter(r, name);
    return no_such_key(r, section, name);
  }
  return WEFT_OK;
}

/* Of keys that begin an item there is one, and it is read first. */
static weft_result read_head(reader *r, json_t *object, weft_section section) {
  weft_key key, head = {0};
  char list[120] = "";
  uint32_t heads = 0, given = 0;
  for (uint32_t k = 0; weft_key_at(section, k, &key); ++k) {
    const size_t used = strlen(list);
    if (!key.prefix) continue;
    snprintf(list + used, sizeof list - used, "%s%s", heads++ ? ", " : "", key.name);
    if (!json_object_get(object, key.name)) continue;
    head = key;
    ++given;
  }
  if (heads == 0) return WEFT_OK;
  if (given != 1) {
    return refuse(r, "it needs one of %s, and has %s", list, given ? "several" : "none");
  }
  const size_t before = enter(r, head.name);
  weft_result result = read_value(r, json_object_get(object, head.name), &head);
  if (result == WEFT_OK) leave(r, before);
  return result;
}

static weft_result read_members(reader *r, json_t *object, weft_section section) {
  const char *name;
  json_t *value;
  json_object_foreach(object, name, value) {
    weft_key key;
    if (!weft_key_find(section, name, &key) || key.prefix) continue;
    const size_t before = enter(r, name);
    weft_result result = read_value(r, value, &key);
    if (result != WEFT_OK) return result;
    leave(r, before);
  }
  return WEFT_OK;
}

static weft_result read_section(reader *r, json_t *object, weft_section section) {
  weft_result result = check_keys(r, object, section);
  if (result != WEFT_OK) return result;
  if (section == WEFT_SECTION_PIN_KEY) return read_pin_key(r, object);
  if (section == WEFT_SECTION_COLLIDER_KEY) return read_way(r, object, "collider-key");
  if (section == WEFT_SECTION_KEY) return read_changes(r, object);
  result = read_head(r, object, section);
  return result == WEFT_OK ? read_members(r, object, section) : result;
}

/* ---- the file ---- */

static weft_result no_such_scene(const reader *r, const char *name) {
  const char *names[64];
  weft_string list = {0};
  size_t count = 0;
  for (; count < 64 && weft_scene_at((uint32_t)count); ++count) {
    names[count] = weft_scene_at((uint32_t)count)->name;
    weft_string_add(&list, "%s%s", count ? ", " : "", names[count]);
  }
  const char *near = weft_nearest_name(name, names, count);
  weft_result result = near ? refuse(r, "there is no scene %.60s, did you mean %s?", name, near)
                            : refuse(r, "\"%.60s\" is none of %s", name, list.bytes);
  weft_string_free(&list);
  return result;
}

static weft_result read_root(reader *r, json_t *root) {
  static const char *const needed[] = {"weft", "cloth"};
  weft_result result = check_keys(r, root, WEFT_SECTION_ROOT);
  for (size_t k = 0; k < sizeof needed / sizeof *needed && result == WEFT_OK; ++k) {
    if (!json_object_get(root, needed[k])) result = refuse(r, "it has no \"%s\"", needed[k]);
  }
  if (result == WEFT_OK) result = read_section(r, root, WEFT_SECTION_ROOT);
  const weft_setup *setup = r->setup;
  if (result != WEFT_OK || !setup->scene || weft_scene_find(setup->scene)) return result;
  enter(r, "cloth.scene");
  return no_such_scene(r, setup->scene);
}

static void release_json(void *root) { json_decref(*(json_t **)root); }

weft_result weft_setup_read_text(weft_setup *setup, const char *text, size_t length,
                                 const char *name, const char *folder, weft_error *err) {
  reader r = {.setup = setup, .folder = folder ? folder : "", .err = err};
  json_error_t error;
  if (length > LONGEST) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %zu bytes are more than a scene file may have",
                     name, length);
  }
  const size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* of UTF-8 */
  json_t *root = NULL;
  weft_deferred *deferred = weft_defer(release_json, &root);
  root = json_loadb(text + mark, length - mark, JSON_REJECT_DUPLICATES, &error);
  if (!root) {
    weft_defer_end(deferred);
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s:%d: %s", name, error.line, error.text);
  }
  weft_string source = {0};
  weft_string_add_bytes(&source, text + mark, length - mark);
  setup->source = r.text = weft_setup_keep(setup, source.bytes);
  r.length = length - mark;
  weft_string_free(&source);
  setup->file = r.name = weft_setup_keep(setup, name);
  weft_result result = read_root(&r, root);
  weft_defer_end(deferred);
  json_decref(root);
  return result;
}

bool weft_is_scene_file(const char *path) { return weft_ends_with(path, ".weft.json"); }

weft_result weft_setup_read(weft_setup *setup, const char *path, weft_error *err) {
  char *bytes;
  size_t length;
  weft_result result = weft_mesh_load(path, &bytes, &length, err);
  if (result != WEFT_OK) return result;
  const char *slash = strrchr(path, '/');
  weft_string folder = {0};
  weft_string_add_bytes(&folder, path, slash ? (size_t)(slash - path) + 1 : 0);
  result = weft_setup_read_text(setup, bytes, length, weft_shown_path(path), folder.bytes, err);
  weft_string_free(&folder);
  weft_free(bytes);
  return result;
}

/* ---- what shows once the scene is made ---- */

/* A sentence that begins with an option, or with what one of them says. */
static const weft_given *meant_by(const weft_setup *setup, const char *message, size_t *begin) {
  for (size_t k = setup->said_count; k-- > 0;) {
    const weft_given *given = &setup->said[k];
    const size_t length = strlen(given->option);
    *begin = 0;
    if (strncmp(message, "--", 2) == 0) {
      const bool same = strncmp(message + 2, given->option, length) == 0;
      if (!same || !strchr(" :", message[2 + length])) continue;
      *begin = 2 + length + strspn(message + 2 + length, ": ");
      return given;
    }
    const size_t text = strlen(given->text);
    if (text > 2 && strncmp(message, given->text, text) == 0) return given;
  }
  return NULL;
}

weft_result weft_setup_locate(const weft_setup *setup, weft_result result, weft_error *err) {
  if (!setup->file || !err) return result;
  const weft_error why = *err;
  size_t begin;
  const weft_given *given = meant_by(setup, why.message, &begin);
  if (given && !given->key) return result;
  if (!given) return weft_fail(err, result, "%s: %.900s", setup->file, why.message);
  return weft_fail(err, result, "%s:%d: %s: %.900s", setup->file,
                   weft_json_line(setup->source, strlen(setup->source), given->key), given->key,
                   why.message + begin);
}
