/* opt_pins.c: --pin: rules, places, numbers, and names that a file gives. */
#include "opt_pins.h"

#include <string.h>
#include <weft_kit/import.h>

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
static weft_result read_colour(const char *text, weft_cli_pin_name *name, weft_error *err) {
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
static weft_result read_name(const char *text, weft_cli_pin_name *name, weft_error *err) {
  const char *rest;
  *name = (weft_cli_pin_name){.text = text};
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

weft_result weft_cli_take_pin(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  if (options->pin_count == WEFT_CLI_MAX_PINS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--pin: given more than %d times",
                     WEFT_CLI_MAX_PINS);
  }
  weft_pin pin = {0};
  weft_cli_pin_name name;
  weft_result result = read_name(text, &name, err);
  if (result == WEFT_OK && !name.text) result = read_rule(text, &pin, err);
  if (result != WEFT_OK) return result;
  options->pin_names[options->pin_count] = name;
  options->pins[options->pin_count++] = pin;
  return WEFT_OK;
}

/* ---- names of a file ---- */

const char *weft_cli_named_pin(const weft_cli_options *o) {
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

static weft_result find_name(const weft_cli_pin_name *name, const weft_source *source,
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

weft_result weft_cli_find_pins(const weft_cli_options *o, const weft_mesh_map *map,
                               weft_pin pins[WEFT_CLI_MAX_PINS], weft_error *err) {
  memcpy(pins, o->pins, sizeof o->pins);
  if (!weft_cli_named_pin(o)) return WEFT_OK;
  weft_source source;
  const weft_import_desc import = weft_cli_import_desc(o);
  weft_result result = weft_source_read(o->mesh, &import, &source, err);
  for (uint32_t k = 0; k < o->pin_count && result == WEFT_OK; ++k) {
    if (!o->pin_names[k].text) continue;
    result = find_name(&o->pin_names[k], &source, map, &pins[k], err);
  }
  weft_source_free(&source);
  return result;
}

void weft_cli_free_pins(const weft_cli_options *o, weft_pin pins[WEFT_CLI_MAX_PINS]) {
  for (uint32_t k = 0; k < o->pin_count; ++k) {
    if (o->pin_names[k].text) weft_free((void *)(uintptr_t)pins[k].list);
  }
}

/* ---- doubts ---- */

/* What hangs by a few vertices is pulled into a spike; two corners were asked for. */
void weft_cli_warn_pins(const weft_cli_options *o, const weft_scene_instance *scene) {
  const uint32_t count = weft_model_pinned_count(scene->model);
  bool area = o->pin_count == 0 && count != 2;
  for (uint32_t k = 0; k < o->pin_count; ++k) {
    const weft_pin_rule rule = o->pins[k].rule;
    area = area || rule == WEFT_PIN_TOP || rule == WEFT_PIN_LEFT || rule == WEFT_PIN_BOX ||
           o->pin_names[k].text;
  }
  if (!area || count >= 4 || weft_model_particle_count(scene->model) < 16) return;
  weft_log(WEFT_LOG_WARNING,
           "%s is held by %u vert%s alone: --pin box:x0,y0,z0,x1,y1,z1 can hold more of it",
           scene->name, count, count == 1 ? "ex" : "ices");
}
