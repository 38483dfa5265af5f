/* weft scene: scene files: a built-in scene or a command line as one, and their schema. */
#include <string.h>

#include "cli.h"
#include "output.h"

typedef struct scene_options {
  const char *output;
} scene_options;

static const weft_option extra[] = {
    OPTION(TEXT, "output", "FILE",
           "write the scene file there, its paths as seen from its folder. Default: printed",
           .letter = 'o', .common = true, .offset = offsetof(scene_options, output)),
};

static weft_result put(const char *path, const char *text, weft_error *err) {
  weft_output *out = NULL;
  weft_result result = weft_output_open(path ? path : "-", &out, err);
  if (result != WEFT_OK) return result;
  fputs(text, weft_output_file(out));
  return weft_output_close(out, err);
}

/* What is chosen, and what a built-in scene has by itself, shows once it is made. */
static weft_result make_text(weft_cli_options *options, const char *path, char **text,
                             weft_error *err) {
  weft_setup *setup = &options->setup;
  weft_scene_instance scene;
  weft_result result = weft_cli_make_scene(options, &scene, err);
  if (result != WEFT_OK) return result;
  setup->frames = options->frames;
  result = weft_setup_write(setup, &scene, path, text, err);
  weft_scene_free(&scene);
  return result;
}

static int show(int argc, char **argv) {
  scene_options own = {0};
  weft_cli_options options;
  const weft_cli_spec spec = {
      .command = "scene show",
      .arguments = "SCENE|FILE [options]",
      .summary =
          "Writes a built-in scene, or a mesh with the options beside it, as a scene file:\n"
          "weft simulate, validate, render, bench and demo take it in the place of a scene.",
      .tables = WEFT_CLI_SCENE | WEFT_CLI_FRAMES | WEFT_CLI_SIMULATION,
      .default_frames = 120,
      .extra = extra,
      .extra_count = sizeof extra / sizeof extra[0],
      .extra_base = &own,
  };
  int status;
  char *text = NULL;
  weft_error err = {0};
  if (!weft_cli_parse(&spec, argc, argv, &options, &status)) return status;
  weft_result result = make_text(&options, own.output, &text, &err);
  status = result == WEFT_OK ? WEFT_EXIT_OK : weft_cli_fail(&err);
  if (result == WEFT_OK && put(own.output, text, &err) != WEFT_OK) {
    status = weft_cli_fail_output(&err);
  }
  weft_free(text);
  weft_cli_options_free(&options);
  return status;
}

static int print_schema(void) {
  weft_error err = {0};
  char *text = weft_setup_schema();
  const int status = put(NULL, text, &err) == WEFT_OK ? WEFT_EXIT_OK : weft_cli_fail_output(&err);
  weft_free(text);
  return status;
}

static int print_help(void) {
  printf(
      "usage: weft scene show SCENE|FILE [options]\n       weft scene schema\n\n"
      "show    writes a built-in scene, or a mesh with the options beside it, as a scene file\n"
      "schema  prints the JSON Schema of scene files\n\n"
      "weft scene show --help lists the options; docs/scenes.md is about the files.\n");
  return WEFT_EXIT_OK;
}

int weft_cmd_scene(int argc, char **argv) {
  if (argc > 1 && weft_help_asked(argc, argv, 1)) return print_help();
  if (argc > 1 && strcmp(argv[1], "show") == 0) return show(argc - 1, argv + 1);
  if (argc == 2 && strcmp(argv[1], "schema") == 0) return print_schema();
  if (argc > 2 && strcmp(argv[1], "schema") == 0) {
    return weft_cli_usage("schema takes nothing, \"%s\" is too many", argv[2]);
  }
  return weft_cli_usage(argc > 1 ? "\"%s\" is none of show, schema" : "say show or schema%s",
                        argc > 1 ? argv[1] : "");
}
