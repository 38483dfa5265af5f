/* opt_fit.c: --dress: cloth that starts inside of bodies, brought outside before anything else. */
#include <weft_kit/fit.h>

#include "cli.h"

static weft_result read_seconds(const weft_cli_options *options, float *seconds, weft_error *err) {
  *seconds = 0;
  if (!*options->dress) return WEFT_OK;
  return weft_read_number("--dress", options->dress, 0.01, 100, seconds, err);
}

/* On the processor: all backends but f64 come to the same bits, and a driver need not be there. */
static const weft_backend *backend_of(const weft_cli_options *options) {
  if (options->backend == WEFT_CLI_BACKEND_REF) return weft_backend_ref();
  if (options->backend == WEFT_CLI_BACKEND_F64) return weft_backend_f64();
  return weft_backend_cpu(options->threads);
}

static void tell(const weft_fit_report *r, double seconds) {
  const weft_fit_state *b = &r->before, *a = &r->after;
  if (r->frames == 0) {
    weft_log(WEFT_LOG_WARNING, "--dress: the cloth is outside of all bodies already");
    return;
  }
  printf("dressed in %u frames, %.3g s; bodies were eroded by %.3g mm at most\n", r->frames,
         seconds, 1e3 * r->eroded);
  printf("  %-22s %12s  %12s\n", "", "before", "after");
  printf("  %-22s %12s  %12s\n", "particles inside", weft_cli_grouped(b->inside),
         weft_cli_grouped(a->inside));
  printf("  %-22s %12s  %12s\n", "pairs with bodies", weft_cli_grouped(b->with_bodies),
         weft_cli_grouped(a->with_bodies));
  printf("  %-22s %12s  %12s\n", "pairs with itself", weft_cli_grouped(b->with_itself),
         weft_cli_grouped(a->with_itself));
  printf("  %-22s %10.3g %%  %10.3g %%\n", "strain p99", 100 * b->strain_p99, 100 * a->strain_p99);
}

weft_result weft_cli_fit(const weft_cli_options *options, weft_scene_instance *scene,
                         weft_error *err) {
  if (!options->dress) return WEFT_OK;
  weft_fit_desc desc = {.model = scene->model,
                        .params = &scene->params,
                        .backend = backend_of(options),
                        .hold_pins = scene->animate != NULL};
  weft_result result = read_seconds(options, &desc.seconds, err);
  if (result == WEFT_OK && scene->params.body_count == 0) {
    result = weft_fail(err, WEFT_ERROR_ARGUMENT, "--dress: needs a --body to put the cloth on");
  }
  if (result != WEFT_OK) return result;
  weft_vec3 *start = weft_scene_start_room(scene);
  weft_fit_report report;
  double begun = weft_clock_seconds();
  result = weft_fit(&desc, start, &report, err);
  if (result != WEFT_OK) return result;
  tell(&report, weft_clock_seconds() - begun);
  if (report.frames > 0) scene->params.start = start;
  return WEFT_OK;
}
