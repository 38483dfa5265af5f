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

static weft_result unknown(const reader *r, const char *what, const char *name,
                           const char *const *names, size_t count) {
  const char *near = weft_nearest_name(name, names, count);
  if (near) return refuse(r, "there is no such %s, did you mean %s?", what, near);
  weft_string list = {0};
  for (size_t k = 0; k < count; ++k) weft_string_add(&list, "%s%s", k ? ", " : "", names[k]);
  weft_result result = refuse(r, "there is no such %s; there are %s", what, list.bytes);
  weft_string_free(&list);
  return result;
}

static weft_result no_such_key(const reader *r, weft_section section, const char *name) {
  const char *names[WEFT_PARAM_COUNT + 32];
  size_t count = 0;
  for (weft_key key; weft_key_at(section, (uint32_t)count, &key); ++count) names[count] = key.name;
  return unknown(r, "key", name, names, count);
}

static weft_result no_such_scene(const reader *r, const char *name) {
  const char *names[64];
  size_t count = 0;
  for (; count < 64 && weft_scene_at((uint32_t)count); ++count) {
    names[count] = weft_scene_at((uint32_t)count)->name;
  }
  return unknown(r, "scene", name, names, count);
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

/* ---- options ---- */

/* What an option says of its text, as of a key: without its name. */
static weft_result refuse_option(const reader *r, const char *message) {
  if (strncmp(message, "--", 2) == 0) message += strcspn(message, ": ");
  message += strspn(message, ": ");
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
  return result == WEFT_OK ? WEFT_OK : refuse_option(r, why.message);
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

/* ---- values by their form ---- */

static bool is_text(const json_t *value) {
  return json_string_length(value) > 0 &&
         strlen(json_string_value(value)) == json_string_length(value);
}

static const char *add_numbers(const weft_key *key, const json_t *value, weft_string *text) {
  static _Thread_local char wanted[80];
  const bool whole = key->form == WEFT_FORM_INDICES, alone = !whole && key->least == 1;
  if ((alone && add_number(text, value)) || add_list(text, value, key->least, key->most, whole)) {
    return NULL;
  }
  snprintf(wanted, sizeof wanted, "%sa list of %u%s %snumbers", alone ? "a number or " : "",
           key->least, key->least == key->most ? "" : " or more", whole ? "whole " : "");
  return wanted;
}

static const char *add_names(const json_t *value, weft_string *text) {
  const size_t count = json_array_size(value);
  bool good = count > 0;
  for (size_t k = 0; k < count && good; ++k) {
    const json_t *item = json_array_get(value, k);
    good = is_text(item);
    if (good) weft_string_add(text, "%s%s", k ? "," : "", json_string_value(item));
  }
  return good ? NULL : "a text or a list of them";
}

/* Adds a value as the text of its option; what is wanted instead, or NULL. */
static const char *add_value(reader *r, const weft_key *key, const json_t *value,
                             weft_string *text) {
  const weft_form form = key->form;
  const bool flag = form == WEFT_FORM_FLAG || form == WEFT_FORM_OPTIONAL;
  if (form == WEFT_FORM_NUMBERS || form == WEFT_FORM_INDICES || form == WEFT_FORM_EACH_NUMBERS) {
    return add_numbers(key, value, text);
  }
  if (flag || form == WEFT_FORM_SWITCH) {
    if (form == WEFT_FORM_OPTIONAL && add_number(text, value)) return NULL;
    weft_string_add(text, flag ? "" : json_is_true(value) ? "on" : "off");
    return json_is_boolean(value)       ? NULL
           : form == WEFT_FORM_OPTIONAL ? "true, false or a number"
                                        : "true or false";
  }
  if (form == WEFT_FORM_WHOLE) {
    add_number(text, value);
    return json_is_integer(value) ? NULL : "a whole number";
  }
  const bool number = form == WEFT_FORM_NUMBER || form == WEFT_FORM_WORD;
  if (number && add_number(text, value)) return NULL;
  if (form == WEFT_FORM_NUMBER) return "a number";
  if (form == WEFT_FORM_NAMES && json_is_array(value)) return add_names(value, text);
  if (!is_text(value)) return number ? "a text or a number" : "a text of at least a letter";
  if (form == WEFT_FORM_PATH) {
    path_from(r, json_string_value(value), text);
  } else {
    weft_string_add(text, "%s", json_string_value(value));
  }
  return NULL;
}

static weft_result read_option(reader *r, const json_t *value, const weft_key *key) {
  const bool flag = key->form == WEFT_FORM_FLAG || key->form == WEFT_FORM_OPTIONAL;
  weft_string text = {0};
  weft_string_add(&text, "%s", key->prefix ? key->prefix : "");
  const char *wanted = add_value(r, key, value, &text);
  weft_result result = wanted ? wrong_kind(r, value, wanted) : WEFT_OK;
  if (result == WEFT_OK && json_is_string(value)) {
    result = check_words(r, key, json_string_value(value));
  }
  if (result == WEFT_OK && !(flag && json_is_false(value)))
    result = take(r, key->option, text.bytes);
  weft_string_free(&text);
  return result;
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

static weft_result read_fabric(reader *r, json_t *value, const weft_key *key) {
  const json_t *preset = json_object_get(value, "name");
  const char *name;
  json_t *number;
  if (!json_is_object(value)) return read_option(r, value, key);
  if (preset && !weft_material_find(json_string_value(preset))) { /* also of no text */
    enter(r, "name");
    if (!json_is_string(preset)) return wrong_kind(r, preset, "the name of a fabric");
    return take(r, key->option, json_string_value(preset));
  }
  weft_string text = {0};
  weft_string_add(&text, "%s", preset ? json_string_value(preset) : "tablecloth");
  weft_result result = WEFT_OK;
  json_object_foreach(value, name, number) {
    size_t k = 0;
    if (strcmp(name, "name") == 0) continue;
    const size_t before = enter(r, name);
    while (weft_fabric_measures[k] && strcmp(weft_fabric_measures[k], name) != 0) ++k;
    if (!weft_fabric_measures[k]) result = unknown(r, "key", name, weft_fabric_measures, k);
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
    if (!is_text(value)) return wrong_kind(r, value, "the name of a file");
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
    case WEFT_FORM_EACH_NUMBERS:
      if (!json_is_array(value)) return wrong_kind(r, value, "a list of lists of numbers");
      return read_each(r, value, key, read_option);
    case WEFT_FORM_EACH_TEXT:
      return read_each(r, value, key, read_option);
    case WEFT_FORM_MAP:
      return read_map(r, value, key);
    case WEFT_FORM_FABRIC:
      return read_fabric(r, value, key);
    case WEFT_FORM_KEYS:
      return read_motion_keys(r, value, key);
    default:
      return key->option ? read_option(r, value, key) : read_root_value(r, value, key);
  }
}

/* ---- what several keys say together ---- */

/* Adds a member of a key, of numbers; what stands instead of one that is not there. */
static weft_result add_member(reader *r, const json_t *object, const char *name, uint32_t count,
                              const char *otherwise, weft_string *text) {
  const json_t *value = json_object_get(object, name);
  const weft_key key = {.form = WEFT_FORM_NUMBERS, .least = count, .most = count};
  if (!value && !otherwise) return refuse(r, "it has no %s", name);
  if (!value) weft_string_add(text, "%s", otherwise);
  if (!value) return WEFT_OK;
  const bool one = count == 1 && json_is_array(value);
  const char *wanted = one ? "a number" : add_numbers(&key, value, text);
  if (!wanted) return WEFT_OK;
  enter(r, name);
  return wrong_kind(r, value, count == 1 ? "a number" : wanted);
}

/* T,X,Y,Z[,X,Y,Z] */
static weft_result read_way(reader *r, const json_t *object, const char *option) {
  weft_string text = {0};
  weft_result result = add_member(r, object, "time", 1, NULL, &text);
  weft_string_add(&text, ",");
  if (result == WEFT_OK) result = add_member(r, object, "move", 3, "0,0,0", &text);
  if (result == WEFT_OK && json_object_get(object, "turn")) {
    weft_string_add(&text, ",");
    result = add_member(r, object, "turn", 3, NULL, &text);
  }
  if (result == WEFT_OK) result = take(r, option, text.bytes);
  weft_string_free(&text);
  return result;
}

static weft_result read_pin_key(reader *r, const json_t *object) {
  const bool weighs = json_object_get(object, "weight") != NULL;
  const bool goes = !weighs || json_object_get(object, "move") || json_object_get(object, "turn");
  weft_string text = {0};
  weft_result result = goes ? read_way(r, object, "pin-key") : WEFT_OK;
  if (!weighs || result != WEFT_OK) return result;
  result = add_member(r, object, "weight", 1, NULL, &text);
  weft_string_add(&text, "@");
  if (result == WEFT_OK) result = add_member(r, object, "time", 1, NULL, &text);
  if (result == WEFT_OK) result = take(r, "pin-weight", text.bytes);
  weft_string_free(&text);
  return result;
}

/* What parameters are at a time. */
static weft_result read_changes(reader *r, json_t *object) {
  const char *name;
  json_t *value;
  weft_string time = {0};
  weft_result result = add_member(r, object, "time", 1, NULL, &time);
  if (result == WEFT_OK && json_object_size(object) < 2) {
    result = refuse(r, "it changes nothing");
  }
  json_object_foreach(object, name, value) {
    weft_string text = {0};
    if (result != WEFT_OK) break;
    if (strcmp(name, "time") == 0) continue;
    const size_t before = enter(r, name);
    weft_key key;
    weft_key_find(WEFT_SECTION_KEY, name, &key);
    weft_string_add(&text, "%s=", name);
    const char *wanted = add_value(r, &key, value, &text);
    weft_string_add(&text, "@%s", time.bytes);
    result = wanted ? wrong_kind(r, value, wanted) : take(r, "key", text.bytes);
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
