/* weft plot: draw what simulate --log wrote. */
#include <string.h>

#include "cli.h"
#include "outputs.h"
#include "python.h"

typedef struct plot_options {
  const char *output;
} plot_options;

static const char *const endings[] = {"png", "svg", "pdf", NULL};

/* NULL where it has none of the endings. */
static const char *format_of(const char *path) {
  const char *dot = strrchr(path, '.');
  for (uint32_t k = 0; dot && endings[k]; ++k) {
    if (strcmp(dot + 1, endings[k]) == 0) return endings[k];
  }
  return NULL;
}

static int plot(const weft_cli_options *options, const weft_positionals *logs, const char *output) {
  weft_error err = {0};
  const char *arguments[WEFT_MAX_POSITIONALS + 2] = {format_of(output)}, *python;
  if (logs->count == 0) return weft_cli_usage("name a log, as simulate --log wrote it");
  if (!arguments[0]) {
    return weft_cli_usage("--output: %s: a plot ends with .png, .svg or .pdf", output);
  }
  memcpy(arguments + 1, logs->items, logs->count * sizeof *arguments);
  const weft_python_drawing drawing = {
      .script = "plot.py", .what = "plot", .path = output, .arguments = arguments};
  weft_result result = weft_cli_output_check(options, output, &err);
  if (result == WEFT_OK) result = weft_python_find(&drawing, &python, &err);
  if (result == WEFT_OK) result = weft_python_draw(&drawing, python, &err);
  if (result == WEFT_OK) return WEFT_EXIT_OK;
  return result == WEFT_ERROR_FILE ? weft_cli_fail_output(&err) : weft_cli_fail(&err);
}

int weft_cmd_plot(int argc, char **argv) {
  plot_options own = {.output = "plot.png"};
  weft_positionals logs = {0};
  static const weft_option extra[] = {
      OPTION(TEXT, "output", "FILE", "the plot, as .png, .svg or .pdf. Default: plot.png",
             .letter = 'o', .common = true, .offset = offsetof(plot_options, output)),
  };
  weft_cli_options options;
  const weft_cli_spec spec = {
      .command = "plot",
      .arguments = "LOG... [options]",
      .summary =
          "Draws logs that `weft simulate --log` wrote: strain, energy, contact and time over "
          "the\nframes. Of several logs each has a colour; of instances the median is drawn, "
          "and a band\nfrom the least to the largest.",
      .notes =
          "Drawn by Python with matplotlib (Debian: python3-matplotlib): that of the environment\n"
          "variable WEFT_PYTHON, else python3, else /usr/bin/python3.",
      .extra = extra,
      .extra_count = sizeof extra / sizeof extra[0],
      .extra_base = &own,
      .max_positionals = WEFT_MAX_POSITIONALS,
      .positionals = &logs,
  };
  int status;
  if (!weft_cli_parse(&spec, argc, argv, &options, &status)) return status;
  status = plot(&options, &logs, own.output);
  weft_cli_options_free(&options);
  return status;
}
