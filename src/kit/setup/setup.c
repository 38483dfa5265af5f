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
  weft_grow((void **)&setup->texts, &setup->text_capacity, setup->text_count + 1,
            sizeof *setup->texts);
  return setup->texts[setup->text_count++] = weft_strdup(text);
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

/* ---- what goes together ---- */

/* One that was given and is about files alone, or NULL. --unit and --up are of bodies too. */
static const char *option_of_files(const weft_setup *o) {
  const bool bodies = o->body_count > 0;
  const struct {
    bool given;
    const char *name;
  } options[] = {{o->group, "group"},
                 {o->scale_given, "scale"},
                 {o->unit_given && !bodies, "unit"},
                 {o->up_given && !bodies, "up"},
                 {o->turn_given, "turn"},
                 {o->move_given, "move"},
                 {o->weld_given, "weld"},
                 {o->keep_order, "keep-order"}};
  for (size_t k = 0; k < sizeof options / sizeof *options; ++k) {
    if (options[k].given) return options[k].name;
  }
  return NULL;
}

weft_result weft_setup_check_subject(const weft_setup *setup, weft_error *err) {
  if (setup->mesh) {
    if (!setup->size_given) return WEFT_OK;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--size is for built-in scenes, %s is a file",
                     setup->mesh);
  }
  if (weft_setup_named_pin(setup)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--pin %s: is for files, %s is a built-in scene",
                     weft_setup_named_pin(setup), setup->scene);
  }
  const char *idle = option_of_files(setup);
  if (!idle) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s is for files, %s is a built-in scene", idle,
                   setup->scene);
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
