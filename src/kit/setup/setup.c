/* setup.c: the settings as a whole. */
#include "setup.h"

#include <math.h>

#include "setup_internal.h"

weft_setup weft_setup_empty(void) { return (weft_setup){.scale = 1, .unit = 1, .seed = 1}; }

void weft_setup_free(weft_setup *setup) {
  for (uint32_t k = 0; k < setup->pin_count; ++k) weft_free((void *)(uintptr_t)setup->pins[k].list);
  for (size_t k = 0; k < setup->text_count; ++k) weft_free(setup->texts[k]);
  weft_free(setup->texts);
  weft_free(setup->said);
  *setup = weft_setup_empty();
}

const char *weft_setup_keep(weft_setup *setup, const char *text) {
  char *kept = weft_strdup(text);
  weft_grow((void **)&setup->texts, &setup->text_capacity, setup->text_count + 1,
            sizeof *setup->texts);
  return setup->texts[setup->text_count++] = kept;
}

/* ---- what was given ---- */

static weft_result note(weft_setup *setup, const char *option, const char *text, bool around) {
  weft_grow((void **)&setup->said, &setup->said_capacity, setup->said_count + 1,
            sizeof *setup->said);
  setup->said[setup->said_count++] =
      (weft_given){.option = option, .text = text, .around = around, .key = setup->reading};
  return WEFT_OK;
}

weft_result weft_setup_note(void *base, const char *option, const char *text, weft_error *err) {
  (void)err;
  return note(base, option, text, false);
}

weft_result weft_setup_note_world(void *base, const char *option, const char *text,
                                  weft_error *err) {
  (void)err;
  return note(base, option, text, true);
}

/* What a scene or file is made with, but for which. */
weft_result weft_setup_note_scene(void *base, const char *option, const char *text,
                                  weft_error *err) {
  const bool which = strcmp(option, "scene") == 0 || strcmp(option, "mesh") == 0;
  (void)err;
  return note(base, option, text, !which && strcmp(option, "size") != 0);
}

/* ---- what several readers share ---- */

const char *const weft_setup_ups[] = {"y", "z", NULL}; /* weft_up */

/* Metres. */
weft_result weft_setup_read_unit(const char *option, const char *text, float *unit,
                                 weft_error *err) {
  static const struct {
    const char *name;
    float metres;
  } units[] = {{"m", 1},       {"dm", 0.1f},    {"cm", 0.01f},
               {"mm", 0.001f}, {"in", 0.0254f}, {"ft", 0.3048f}};
  for (size_t k = 0; k < sizeof units / sizeof *units; ++k) {
    if (strcmp(units[k].name, text) != 0) continue;
    *unit = units[k].metres;
    return WEFT_OK;
  }
  if (weft_read_number(option, text, 1e-6, 1e6, unit, NULL) == WEFT_OK) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "%s: \"%s\" is none of m, dm, cm, mm, in, ft, a number of metres from 1e-06 "
                   "to 1e+06",
                   option, text);
}

weft_import_desc weft_setup_import_desc(const weft_setup *o) {
  const float degree = 0.017453292f;
  return (weft_import_desc){.groups = o->group,
                            .scale = o->scale * o->unit,
                            .up = (weft_up)o->up,
                            .turn = weft_v3_scale(o->turn, degree),
                            .move = o->move,
                            .weld = o->weld,
                            .weld_distance = o->weld_distance};
}

/* ---- parameters: what weft/params.def says of them ---- */

weft_option weft_setup_param_option(uint32_t row) {
  static const weft_option_kind kinds[] = {[WEFT_KIND_REAL] = WEFT_OPTION_NUMBER,
                                           [WEFT_KIND_COUNT] = WEFT_OPTION_COUNT,
                                           [WEFT_KIND_CHOICE] = WEFT_OPTION_CHOICE,
                                           [WEFT_KIND_FLAG] = WEFT_OPTION_SWITCH,
                                           [WEFT_KIND_VEC3] = WEFT_OPTION_VECTOR};
  const weft_param_info *p = &weft_param_infos[row];
  const bool flag = p->kind == WEFT_KIND_FLAG && p->option && !p->argument;
  return (weft_option){.name = p->option ? p->option : p->name,
                       .kind = flag ? WEFT_OPTION_FLAG : kinds[p->kind],
                       .argument = p->argument,
                       .help = p->help,
                       .common = p->common,
                       .offset = offsetof(weft_setup, params) + p->offset,
                       .given = offsetof(weft_setup, given) + row * sizeof(bool),
                       .low = p->low,
                       .high = p->high,
                       .choices = p->choices};
}

/* Whether the last word about it is of the scene file. */
static bool is_of_file(const weft_setup *setup, const char *option) {
  const char *key = NULL;
  for (size_t k = 0; k < setup->said_count; ++k) {
    if (strcmp(setup->said[k].option, option) == 0) key = setup->said[k].key;
  }
  return key != NULL;
}

/* Both may be given where they say the same, or one of them beside a file. */
weft_result weft_setup_settle(weft_setup *setup, weft_error *err) {
  const double rate = (double)setup->fps, dt = (double)setup->params.frame_dt;
  if (!(rate > 0) ||
      (is_of_file(setup, "fps") && weft_setup_gave(setup, frame_dt) && !is_of_file(setup, "dt"))) {
    return WEFT_OK;
  }
  const bool same_place = is_of_file(setup, "dt") == is_of_file(setup, "fps");
  if (weft_setup_gave(setup, frame_dt) && same_place && !(fabs(dt * rate - 1) < 1e-4)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--dt %.7g and --fps %.7g say different things: frames of %.7g s are %.7g a "
                     "second",
                     dt, rate, dt, 1 / dt);
  }
  setup->given[WEFT_PARAM_frame_dt] = true;
  setup->params.frame_dt = (float)(1 / rate);
  return WEFT_OK;
}
