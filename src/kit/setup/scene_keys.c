/* scene_keys.c: the keys of scene files, from keys.def and weft/params.def. */
#include "scene_keys.h"

#include <stdlib.h>
#include <string.h>

static const weft_key keys[] = {
#define WEFT_KEY(section, name, option, prefix, form, least, most, words) \
  {WEFT_SECTION_##section, #name, option, prefix, WEFT_FORM_##form, least, most, words, 0},
#include "keys.def"
#undef WEFT_KEY
};

/* What a key that holds others leads to. */
static weft_section section_of(const weft_key *key) {
  static const struct {
    weft_section in;
    const char *name;
    weft_section of;
  } ways[] = {{WEFT_SECTION_ROOT, "cloth", WEFT_SECTION_CLOTH},
              {WEFT_SECTION_ROOT, "pins", WEFT_SECTION_PIN},
              {WEFT_SECTION_ROOT, "bodies", WEFT_SECTION_BODY},
              {WEFT_SECTION_ROOT, "colliders", WEFT_SECTION_COLLIDER},
              {WEFT_SECTION_ROOT, "parameters", WEFT_SECTION_PARAMETERS},
              {WEFT_SECTION_ROOT, "keys", WEFT_SECTION_KEY},
              {WEFT_SECTION_PIN, "keys", WEFT_SECTION_PIN_KEY},
              {WEFT_SECTION_COLLIDER, "keys", WEFT_SECTION_COLLIDER_KEY}};
  for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
    if (ways[k].in == key->section && strcmp(ways[k].name, key->name) == 0) return ways[k].of;
  }
  return WEFT_SECTION_ROOT;
}

static weft_key key_of_param(weft_section section, uint32_t row) {
  static const weft_form forms[] = {[WEFT_KIND_REAL] = WEFT_FORM_NUMBER,
                                    [WEFT_KIND_COUNT] = WEFT_FORM_WHOLE,
                                    [WEFT_KIND_CHOICE] = WEFT_FORM_TEXT,
                                    [WEFT_KIND_FLAG] = WEFT_FORM_SWITCH,
                                    [WEFT_KIND_VEC3] = WEFT_FORM_NUMBERS};
  const weft_param_info *p = &weft_param_infos[row];
  return (weft_key){.section = section,
                    .name = p->name,
                    .option = p->option ? p->option : p->name,
                    .form = forms[p->kind],
                    .least = 3,
                    .most = 3};
}

/* `tangled` has a key of its own, and the time of a frame never changes. */
static bool has_key(weft_section section, uint32_t row) {
  if (section == WEFT_SECTION_PARAMETERS) return row != WEFT_PARAM_tangled;
  return section == WEFT_SECTION_KEY && row != WEFT_PARAM_frame_dt && row != WEFT_PARAM_tangled;
}

bool weft_key_at(weft_section section, uint32_t k, weft_key *key) {
  for (size_t n = 0; n < sizeof keys / sizeof *keys; ++n) {
    if (keys[n].section != section || k-- > 0) continue;
    *key = keys[n];
    key->of = section_of(key);
    return true;
  }
  for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
    if (!has_key(section, row) || k-- > 0) continue;
    *key = key_of_param(section, row);
    return true;
  }
  return false;
}

bool weft_key_find(weft_section section, const char *name, weft_key *key) {
  for (uint32_t k = 0; weft_key_at(section, k, key); ++k) {
    if (strcmp(key->name, name) == 0) return true;
  }
  return false;
}

bool weft_key_of_option(const char *option, const char *text, weft_key *key) {
  weft_key plain = {0};
  for (int s = 0; s < WEFT_SECTIONS; ++s) {
    for (uint32_t k = 0; s != WEFT_SECTION_KEY && weft_key_at((weft_section)s, k, key); ++k) {
      if (!key->option || strcmp(key->option, option) != 0) continue;
      const bool keyed = key->form == WEFT_FORM_KEYS;
      if (keyed != (text[0] == '{' && strcmp(option, "body-motion") == 0)) continue;
      if (!key->prefix || !*key->prefix) {
        if (!plain.name) plain = *key;
      } else if (strncmp(text, key->prefix, strlen(key->prefix)) == 0) {
        return true;
      }
    }
  }
  *key = plain;
  return plain.name != NULL;
}

/* ---- text ---- */

static int add_bytes(const char *bytes, size_t count, void *text) {
  weft_string_add_bytes(text, bytes, count);
  return 0;
}

bool weft_json_dump(const json_t *value, weft_string *text) {
  const size_t flags = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9);
  const bool good = json_dump_callback(value, add_bytes, text, flags) == 0;
  weft_string_add(text, "%s", "");
  return good;
}

static bool is_flat(const json_t *list) {
  bool flat = true;
  for (size_t k = 0; k < json_array_size(list); ++k) {
    const json_t *item = json_array_get(list, k);
    flat = flat && !json_is_array(item) && !json_is_object(item);
  }
  return flat;
}

static bool write_items(json_t *list, uint32_t depth, weft_string *text) {
  bool good = true;
  const bool flat = is_flat(list);
  for (size_t k = 0; k < json_array_size(list); ++k) {
    const char *comma = k == 0 ? "" : flat ? ", " : ",";
    weft_string_add(text, flat ? "%s" : "%s\n%*s", comma, (int)(2 * depth + 2), "");
    good = weft_json_write_lines(json_array_get(list, k), depth + 1, text) && good;
  }
  if (!flat) weft_string_add(text, "\n%*s", (int)(2 * depth), "");
  return good;
}

static bool write_members(json_t *object, uint32_t depth, weft_string *text) {
  const char *name, *comma = "";
  json_t *value;
  bool good = true;
  json_object_foreach(object, name, value) {
    json_t *key = json_string(name);
    weft_string_add(text, "%s\n%*s", comma, (int)(2 * depth + 2), "");
    good = weft_json_dump(key, text) && good;
    weft_string_add(text, ": ");
    good = weft_json_write_lines(value, depth + 1, text) && good;
    json_decref(key);
    comma = ",";
  }
  if (*comma) weft_string_add(text, "\n%*s", (int)(2 * depth), "");
  return good;
}

bool weft_json_write_lines(json_t *value, uint32_t depth, weft_string *text) {
  const bool list = json_is_array(value);
  if (!list && !json_is_object(value)) return weft_json_dump(value, text);
  weft_string_add(text, list ? "[" : "{");
  const bool good = list ? write_items(value, depth, text) : write_members(value, depth, text);
  weft_string_add(text, list ? "]" : "}");
  return good;
}

/* ---- lines ---- */

typedef struct scan {
  const char *at, *end;
  int line;
} scan;

static void skip_blank(scan *s) {
  for (; s->at < s->end && strchr(" \t\r\n", *s->at); ++s->at) s->line += *s->at == '\n';
}

static void skip_text(scan *s) {
  for (++s->at; s->at < s->end && *s->at != '"'; ++s->at) s->at += *s->at == '\\';
  ++s->at;
}

/* A value and the blanks behind it. */
static void skip_value(scan *s) {
  int depth = 0;
  do {
    skip_blank(s);
    if (s->at >= s->end) return;
    if (*s->at == '"') {
      skip_text(s);
    } else if (strchr("[{", *s->at)) {
      ++depth;
      ++s->at;
    } else if (strchr("]}", *s->at)) {
      --depth;
      ++s->at;
    } else if (strchr(",:", *s->at)) {
      ++s->at;
    } else {
      while (s->at < s->end && !strchr(",:]} \t\r\n", *s->at)) ++s->at;
    }
  } while (depth > 0);
  skip_blank(s);
}

/* Into the member that a path begins with, whatever dots are in its name, and past its name in the
 * path; false where there is none. */
static bool enter_member(scan *s, const char **path) {
  for (++s->at; skip_blank(s), s->at < s->end && *s->at == '"';) {
    const char *name = s->at + 1;
    skip_text(s);
    const size_t length = (size_t)(s->at - 1 - name);
    if (strncmp(*path, name, length) == 0 && strchr(".[", (*path)[length])) {
      *path += length;
      return true;
    }
    skip_blank(s);
    ++s->at; /* : */
    skip_value(s);
    if (s->at < s->end && *s->at == ',') ++s->at;
  }
  return false;
}

static bool enter_item(scan *s, unsigned long index) {
  ++s->at;
  for (; index > 0 && s->at < s->end; --index) {
    skip_value(s);
    if (s->at >= s->end || *s->at != ',') return false;
    ++s->at;
  }
  skip_blank(s);
  return s->at < s->end && *s->at != ']';
}

int weft_json_line(const char *text, size_t length, const char *path) {
  scan s = {text, text + length, 1};
  skip_blank(&s);
  int line = s.line;
  while (*path && s.at < s.end) {
    scan next = s;
    if (*path == '[') {
      char *rest;
      if (*s.at != '[' || !enter_item(&next, strtoul(path + 1, &rest, 10))) break;
      path = rest + 1;
      line = next.line;
    } else {
      path += *path == '.';
      if (*s.at != '{' || !enter_member(&next, &path)) break;
      line = next.line;
      skip_blank(&next);
      ++next.at;
      skip_blank(&next);
    }
    s = next;
  }
  return line;
}
