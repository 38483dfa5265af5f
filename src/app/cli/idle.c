/* idle.c: what was given and cannot act, as the command line alone tells. */
#include "idle.h"

#include <string.h>

static weft_result check_pins(const weft_cli_options *o, weft_error *err) {
  uint32_t none = 0;
  for (uint32_t k = 0; k < o->setup.pin_count; ++k) {
    none += o->setup.pins[k].rule == WEFT_PIN_NONE && !o->setup.pin_names[k].text;
  }
  if (none == 0 || none == o->setup.pin_count) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--pin none holds nothing, and another --pin holds something: give one");
}

weft_result weft_cli_check_options(const weft_cli_spec *spec, const weft_cli_options *o,
                                   weft_error *err) {
  const weft_cli_backend backend = o->backend;
  const bool validates = strcmp(spec->command, "validate") == 0; /* gl unless told otherwise */
  const bool window = strcmp(spec->command, "demo") == 0;
  const bool cpu =
      backend == WEFT_CLI_BACKEND_CPU || (backend == WEFT_CLI_BACKEND_DEFAULT && !validates);
  const bool gl = backend == WEFT_CLI_BACKEND_DEFAULT || backend == WEFT_CLI_BACKEND_GL ||
                  !(spec->tables & WEFT_CLI_BACKEND);
  const weft_idle_check checks[] = {
      {o->threads, cpu, "threads", "--backend cpu"},
      {o->group_size, gl, "group-size", "--backend gl"},
      {o->device, gl && !window, "device",
       window ? "no window, which is on the device of its display" : "--backend gl"},
      {o->gl_debug, gl, "gl-debug", "--backend gl"},
      {o->minimum_limits, gl, "minimum-limits", "--backend gl"},
  };
  weft_result result = WEFT_CHECK_IDLE(checks, false, err);
  return result == WEFT_OK ? check_pins(o, err) : result;
}
