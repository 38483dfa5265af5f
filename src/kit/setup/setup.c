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
  setup->said[setup->said_count++] = (weft_given){.option = option,
                                                  .text = text,
                                                  .around = around,
                                                  .line = setup->reading_line,
                                                  .key = setup->reading_key};
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

/* Both may be given where they say the same. */
weft_result weft_setup_settle(weft_setup *setup, weft_error *err) {
  const double rate = (double)setup->fps, dt = (double)setup->params.frame_dt;
  if (!(rate > 0)) return WEFT_OK;
  if (weft_setup_gave(setup, frame_dt) && !(fabs(dt * rate - 1) < 1e-4)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--dt %.7g and --fps %.7g say different things: frames of %.7g s are %.7g a "
                     "second",
                     dt, rate, dt, 1 / dt);
  }
  setup->given[WEFT_PARAM_frame_dt] = true;
  setup->params.frame_dt = (float)(1 / rate);
  return WEFT_OK;
}
