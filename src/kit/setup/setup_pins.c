/* setup_pins.c: --pin: rules, places, numbers, and names that a file gives. */
#include <string.h>
#include <weft_kit/import.h>

#include "setup_internal.h"

/* ---- reading ---- */

static const struct {
  const char *name;
  weft_pin_rule rule;
} rules[] = {{"corners", WEFT_PIN_CORNERS},
             {"top", WEFT_PIN_TOP},
             {"left", WEFT_PIN_LEFT},
             {"none", WEFT_PIN_NONE}};
enum { RULES = sizeof rules / sizeof *rules };

static weft_result read_box(const char *text, weft_pin *pin, weft_error *err) {
  float v[6];
  weft_result result = weft_read_numbers("--pin box", text, -1e6, 1e6, 6, v, err);
  if (result != WEFT_OK) return result;
  *pin = (weft_pin){WEFT_PIN_BOX, {v[0], v[1], v[2]}, {v[3], v[4], v[5]}, NULL, 0};
  if (v[0] <= v[3] && v[1] <= v[4] && v[2] <= v[5]) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--pin box: \"%s\" is empty, x0 <= x1 and so on",
                   text);
}

static weft_result read_list(const char *text, weft_pin *pin, weft_error *err) {
  uint32_t count = 1;
  for (const char *c = text; *c; ++c) count += *c == ',';
  uint32_t *list = weft_alloc(count, sizeof *list);
  *pin = (weft_pin){.rule = WEFT_PIN_LIST, .list = list, .list_count = count};
  weft_result result = WEFT_OK;
  const char *at = text;
  for (uint32_t k = 0; k < count && result == WEFT_OK; ++k) {
    char piece[16];
    size_t length = strcspn(at, ",");
    snprintf(piece, sizeof piece, "%.*s", (int)length, at);
    result = weft_read_count("--pin list", piece, 0, UINT32_MAX - 1, &list[k], err);
    at += length + 1;
  }
  if (result != WEFT_OK) weft_free(list);
  return result;
}

/* In the numbers of the file, whatever these are. */
static weft_result read_colour(const char *text, weft_setup_pin *name, weft_error *err) {
  float v[4] = {0, 0, 0, -1};
  uint32_t count = 1;
  for (const char *c = text; *c; ++c) count += *c == ',';
  weft_result result =
      weft_read_numbers("--pin colour", text, -1e6, 1e6, count == 4 ? 4 : 3, v, err);
  if (result != WEFT_OK) return result;
  memcpy(name->rgb, v, sizeof name->rgb);
  name->within = v[3];
  if (v[3] >= 0 || count < 4) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--pin colour: within %g of it is nothing",
                   (double)v[3]);
}

static bool begins(const char *text, const char *word, const char **rest) {
  const size_t length = strlen(word);
  *rest = text + length;
  return strncmp(text, word, length) == 0;
}

/* What of a file is meant, NULL in name.text for nothing of it. */
static weft_result read_name(const char *text, weft_setup_pin *name, weft_error *err) {
  const char *rest;
  *name = (weft_setup_pin){.text = text};
  if (begins(text, "colour:", &rest)) {
    name->coloured = true;
    return read_colour(rest, name, err);
  }
  if (begins(text, "group:", &rest)) {
    name->word = WEFT_SOURCE_GROUP;
  } else if (begins(text, "material:", &rest)) {
    name->word = WEFT_SOURCE_MATERIAL;
  } else {
    name->text = NULL;
    return WEFT_OK;
  }
  name->name = rest;
  if (*rest) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--pin: \"%s\" names nothing", text);
}

static weft_result read_rule(const char *text, weft_pin *pin, weft_error *err) {
  const char *rest;
  if (begins(text, "box:", &rest)) return read_box(rest, pin, err);
  if (begins(text, "list:", &rest)) return read_list(rest, pin, err);
  for (size_t k = 0; k < RULES; ++k) {
    if (strcmp(rules[k].name, text) != 0) continue;
    pin->rule = rules[k].rule;
    return WEFT_OK;
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--pin: \"%s\" is none of corners, top, left, none, box:x0,y0,z0,x1,y1,z1, "
                   "list:1,2,3, group:NAME, material:NAME, colour:R,G,B",
                   text);
}

/* Those of a scene file yield to those given beside it. */
static void forget_pins(weft_setup *setup) {
  for (uint32_t k = 0; k < setup->pin_count; ++k) weft_free((void *)(uintptr_t)setup->pins[k].list);
  setup->pin_count = setup->pin_key_count = 0;
  size_t kept = 0;
  for (size_t k = 0; k < setup->said_count; ++k) {
    const char *option = setup->said[k].option;
    const bool gone = strcmp(option, "pin") == 0 || strcmp(option, "pin-key") == 0 ||
                      strcmp(option, "pin-weight") == 0;
    if (!gone) setup->said[kept++] = setup->said[k];
  }
  setup->said_count = kept;
  setup->pins_yield = false;
}

weft_result weft_setup_take_pin(void *base, const char *text, weft_error *err) {
  weft_setup *options = base;
  if (options->pins_yield) forget_pins(options);
  if (options->pin_count == WEFT_SETUP_MAX_PINS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--pin: given more than %d times",
                     WEFT_SETUP_MAX_PINS);
  }
  weft_pin pin = {0};
  weft_setup_pin name;
  weft_result result = read_name(text, &name, err);
  if (result == WEFT_OK && !name.text) result = read_rule(text, &pin, err);
  if (result != WEFT_OK) return result;
  options->pin_names[options->pin_count] = name;
  options->pins[options->pin_count++] = pin;
  return WEFT_OK;
}

/* ---- names of a file ---- */

const char *weft_setup_named_pin(const weft_setup *o) {
  for (uint32_t k = 0; k < o->pin_count; ++k) {
    if (o->pin_names[k].text) return o->pin_names[k].text;
  }
  return NULL;
}

/* Those of the marked vertices that the cloth has. */
static weft_result list_marked(const weft_mesh_map *map, const bool *marked, weft_pin *pin,
                               weft_error *err) {
  uint32_t *list = weft_alloc(map->source_vertex_count, sizeof *list), count = 0;
  for (uint32_t v = 0; v < map->source_vertex_count; ++v) {
    if (marked[v] && map->vertices[v] != WEFT_NO_VERTEX) list[count++] = v;
  }
  *pin = (weft_pin){.rule = WEFT_PIN_LIST, .list = list, .list_count = count};
  if (count > 0) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "none of its vertices is in the cloth");
}

static weft_result find_name(const weft_setup_pin *name, const weft_source *source,
                             const weft_mesh_map *map, weft_pin *pin, weft_error *err) {
  bool *marked = weft_alloc(source->vertex_count, sizeof *marked);
  weft_error why = {0};
  weft_result result =
      name->coloured ? weft_source_select_coloured(source, name->rgb, name->within, marked, &why)
                     : weft_source_select(source, name->word, name->name, marked, &why);
  if (result == WEFT_OK) result = list_marked(map, marked, pin, &why);
  weft_free(marked);
  return result == WEFT_OK
             ? WEFT_OK
             : weft_fail(err, result, "--pin %.100s: %.850s", name->text, why.message);
}

weft_result weft_setup_find_pins(const weft_setup *o, const weft_mesh_map *map,
                                 weft_pin pins[WEFT_SETUP_MAX_PINS], weft_error *err) {
  memcpy(pins, o->pins, sizeof o->pins);
  if (!weft_setup_named_pin(o)) return WEFT_OK;
  weft_source source;
  const weft_import_desc import = weft_setup_import_desc(o);
  weft_result result = weft_source_read(o->mesh, &import, &source, err);
  for (uint32_t k = 0; k < o->pin_count && result == WEFT_OK; ++k) {
    if (!o->pin_names[k].text) continue;
    result = find_name(&o->pin_names[k], &source, map, &pins[k], err);
  }
  weft_source_free(&source);
  return result;
}

void weft_setup_free_pins(const weft_setup *o, weft_pin pins[WEFT_SETUP_MAX_PINS]) {
  for (uint32_t k = 0; k < o->pin_count; ++k) {
    if (o->pin_names[k].text) weft_free((void *)(uintptr_t)pins[k].list);
  }
}
