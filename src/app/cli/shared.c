/* shared.c: the tables of options that several commands take, and the reading of a command line. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "idle.h"
#include "inspect.h"
#include "opt_instances.h"

#define AT(field) .offset = offsetof(weft_cli_options, field)
#define GIVEN(field) .given = offsetof(weft_cli_options, field)
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const char *const besides[] = {"off", "plain", NULL}; /* weft_beside */
static const char *const levels[] = {"error", "warning", "info", "debug", NULL};

/* ---- values with a reader of their own ---- */

static weft_result take_backend(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  if (strcmp(text, "ref") == 0) {
    options->backend = WEFT_CLI_BACKEND_REF;
  } else if (strcmp(text, "gl") == 0) {
    options->backend = WEFT_CLI_BACKEND_GL;
  } else if (strcmp(text, "f64") == 0) {
    options->backend = WEFT_CLI_BACKEND_F64;
  } else if (strcmp(text, "cpu") == 0) {
    options->backend = WEFT_CLI_BACKEND_CPU;
  } else {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--backend: \"%s\" is none of gl, cpu, ref, f64",
                     text);
  }
  return WEFT_OK;
}

static weft_result take_vary(void *base, const char *text, weft_error *err) {
  return weft_cli_read_vary(text, base, err);
}

static weft_result take_group_size(void *base, const char *text, weft_error *err) {
  weft_cli_options *options = base;
  weft_result result = weft_read_count("--group-size", text, 32, 128, &options->group_size, err);
  if (result != WEFT_OK || options->group_size == 32 || options->group_size == 64 ||
      options->group_size == 128) {
    return result;
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--group-size: %s is none of 32, 64, 128", text);
}

/* ---- the tables ---- */

static const weft_option instances_table[] = {
    OPTION(COUNT, "instances", "N",
           "number of cloths that do not touch, in the same passes, 1 to 10000. Each goes as\n"
           "it would alone. Not with global damping or particles that keep apart. Default: 1",
           AT(instances), RANGE(1, 10000)),
    OPTION(CUSTOM, "vary", "NAME=A:B",
           "from A in the first instance to B in the last, in equal ratios (in equal steps\n"
           "when one is 0): stretch-compliance, shear-compliance (m/N), bending-compliance\n"
           "(1/(N m)) or density (kg/m^2). May be given several times",
           .take = take_vary),
};

static weft_result take_drawn(void *base, const char *text, weft_error *err) {
  if (strcmp(text, "f64") != 0) return take_backend(base, text, err);
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--backend: doubles are not drawn: gl, cpu or ref");
}

static const weft_option drawn_table[] = {
    OPTION(CUSTOM, "backend", "NAME",
           "what simulates: gl (compute shaders), cpu (all processors) or ref (the C reference)\n"
           "The same in every bit. Default: gl, and cpu where the driver of OpenGL is a\n"
           "software one",
           .common = true, .take = take_drawn),
    OPTION(CHOICE, "beside", "WHAT",
           "plain: in the left half the same cloth under a plain sweep: 20 substeps, no line\n"
           "solver, levels or attachments; off: the scene alone. Default: plain in duel",
           AT(beside), GIVEN(beside_given), .choices = besides),
    OPTION(TEXT, "texture", "FILE",
           "a PNG to print on the cloth: over the whole of a sheet, and as vt lays it on a\n"
           "mesh of a file; where it is transparent the fabric is seen",
           AT(texture)),
};

static const weft_option backend_table[] = {
    OPTION(CUSTOM, "backend", "NAME",
           "gl (compute shaders), cpu (all processors), ref (the C reference) or f64 (doubles)\n"
           "Default: gl on a GPU, and cpu where the driver of OpenGL is a software one or there\n"
           "is none",
           .common = true, .take = take_backend),
};

static const weft_option threads_table[] = {
    OPTION(COUNT, "threads", "N", "threads of the backend cpu, 1 to 64. Default: one a processor",
           AT(threads), RANGE(1, 64)),
};

static const weft_option gl_table[] = {
    OPTION(TEXT, "device", "WHICH",
           "the EGL device: a number, hardware, software, or a part of its name, as weft info\n"
           "lists them. Default: WEFT_EGL_DEVICE, else the first that works",
           AT(device)),
    OPTION(CUSTOM, "group-size", "N", "invocations per work group: 32, 64 or 128. Default: 64",
           .take = take_group_size),
    OPTION(FLAG, "gl-debug", NULL,
           "ask the driver for messages and log them. Default: in debug builds", AT(gl_debug)),
    OPTION(FLAG, "minimum-limits", NULL, "pretend the driver had no more than OpenGL 4.3 promises",
           AT(minimum_limits)),
};

static const weft_option general_table[] = {
    OPTION(CHOICE, "log-level", "LEVEL",
           "error, warning, info or debug, on stderr. Default: warning", .was = "log", AT(log),
           .choices = levels),
    {.name = "help",
     .letter = 'h',
     .argument = "[all]",
     .help = "print this; --help all: every option, with units, ranges and defaults",
     .common = true},
};

/* ---- reading ---- */

enum { MAX_SETS = 8 + WEFT_SETUP_SETS }; /* all of those below */

/* Those of the setup that a command takes. */
static size_t gather_setup(const weft_cli_spec *spec, weft_setup *setup, weft_option_set *sets) {
  weft_option_set all[WEFT_SETUP_SETS];
  size_t n = 0;
  weft_setup_sets(setup, all);
  for (int k = 0; k < WEFT_SETUP_SETS; ++k) {
    const bool scene = k < WEFT_SETUP_SIMULATION;
    if (spec->tables & (scene ? WEFT_CLI_SCENE : WEFT_CLI_SIMULATION)) sets[n++] = all[k];
  }
  return n;
}

static size_t gather_sets(const weft_cli_spec *spec, weft_cli_options *options,
                          weft_option_set *sets, char *frames_help, size_t frames_help_size,
                          weft_option *frames) {
  snprintf(frames_help, frames_help_size, "how many frames, 1 to 1000000. Default: %u",
           spec->default_frames);
  *frames = (weft_option)OPTION(COUNT, "frames", "N", frames_help, .common = true, AT(frames),
                                GIVEN(frames_given), RANGE(1, 1e6));
  const struct {
    unsigned table;
    const char *title;
    const weft_option *options;
    size_t count;
  } tables[] = {{WEFT_CLI_FRAMES, "Length", frames, 1},
                {WEFT_CLI_INSTANCES, "Instances", instances_table, COUNT_OF(instances_table)},
                {WEFT_CLI_BACKEND, "Backend", backend_table, COUNT_OF(backend_table)},
                {WEFT_CLI_DRAWN, "Drawing", drawn_table, COUNT_OF(drawn_table)},
                {WEFT_CLI_THREADS, "CPU", threads_table, COUNT_OF(threads_table)},
                {WEFT_CLI_GL, "OpenGL", gl_table, COUNT_OF(gl_table)},
                {UINT_MAX, "General", general_table, COUNT_OF(general_table)}};
  size_t n = 0;
  if (spec->extra_count) {
    sets[n++] =
        (weft_option_set){"Options", spec->extra, spec->extra_count, spec->extra_base, NULL};
  }
  for (size_t k = 0; k < COUNT_OF(tables); ++k) {
    if (tables[k].table == UINT_MAX || (spec->tables & tables[k].table)) {
      sets[n++] =
          (weft_option_set){tables[k].title, tables[k].options, tables[k].count, options, NULL};
    }
    if (k == 0) n += gather_setup(spec, &options->setup, sets + n);
  }
  return n;
}

static void scene_names(char *list, size_t size) {
  *list = 0;
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", k ? ", " : "", weft_scene_at(k)->name);
  }
}

/* What was meant as the value of an option that takes one as --name=value alone; NULL: nothing. */
static const char *detached_value(const weft_positionals *named, char *hint, size_t size) {
  *hint = 0;
  for (uint32_t k = 0; k < named->count; ++k) {
    if (!named->behind[k]) continue;
    snprintf(hint, size, " (a value of --%s is written --%s=%.100s)", named->behind[k],
             named->behind[k], named->items[k]);
    return named->items[k];
  }
  return NULL;
}

bool weft_cli_names_file(const char *text) {
  return !weft_scene_find(text) &&
         (strchr(text, '/') || strchr(text, '.') || access(text, F_OK) == 0);
}

weft_result weft_cli_no_scene(const char *name, const char *hint, weft_error *err) {
  enum { MOST = 64 };
  const char *names[MOST], *near;
  size_t count = 0;
  char list[256];
  for (; weft_scene_at((uint32_t)count) && count < MOST; ++count) {
    names[count] = weft_scene_at((uint32_t)count)->name;
  }
  near = weft_nearest_name(name, names, count);
  if (near) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "\"%s\" is neither a file nor a scene, did you mean %s?%s", name, near, hint);
  }
  scene_names(list, sizeof list);
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "\"%s\" is neither a file nor a scene, the scenes are %s%s", name, list, hint);
}

/* Leaves exactly one of scene and mesh set. */
static weft_result choose_subject(const weft_cli_spec *spec, const weft_positionals *named,
                                  weft_cli_options *options, weft_error *err) {
  char list[256];
  scene_names(list, sizeof list);
  uint32_t subjects = named->count + (options->setup.scene != NULL) + (options->setup.mesh != NULL);
  char hint[240];
  const char *detached = detached_value(named, hint, sizeof hint);
  if (subjects > 1) {
    const char *second = detached       ? detached
                         : named->count ? named->items[named->count - 1]
                                        : options->setup.mesh;
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "one scene or one file at a time, \"%s\" is too many%s", second, hint);
  }
  if (spec->instead_of_scene && *spec->instead_of_scene) {
    if (subjects == 0) return WEFT_OK;
  }
  if (spec->instead_of_scene && *spec->instead_of_scene && !spec->beside_scene) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "all scenes were asked for, \"%s\" is too many",
                     named->count           ? named->items[0]
                     : options->setup.scene ? options->setup.scene
                                            : options->setup.mesh);
  }
  if (named->count && weft_cli_names_file(named->items[0])) {
    options->setup.mesh = named->items[0];
  } else if (named->count) {
    options->setup.scene = named->items[0];
  }
  if (!options->setup.scene && !options->setup.mesh) options->setup.scene = spec->default_scene;
  if (!options->setup.scene && !options->setup.mesh) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "name a scene (%s) or a mesh file", list);
  }
  if (options->setup.scene && !weft_scene_find(options->setup.scene)) {
    return weft_cli_no_scene(options->setup.scene, hint, err);
  }
  return weft_setup_check_subject(&options->setup, err);
}

static weft_result read_line(const weft_cli_spec *spec, const weft_option_set *sets, size_t count,
                             int argc, char **argv, weft_cli_options *options, weft_help *help,
                             weft_error *err) {
  weft_positionals named;
  weft_result result = weft_options_parse(sets, count, argc, argv, &named, help, err);
  if (result != WEFT_OK || *help) return result;
  if ((spec->tables & WEFT_CLI_SCENE) && !spec->positionals) {
    result = choose_subject(spec, &named, options, err); /* which a scene file may name */
    return weft_setup_locate(&options->setup, result, err);
  }
  if (named.count > spec->max_positionals) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "too many arguments at \"%s\"",
                     named.items[spec->max_positionals]);
  }
  if (spec->positionals) *spec->positionals = named;
  return WEFT_OK;
}

/* A page is enough at first; what fits it is not cut. */
static void print_help(const weft_cli_spec *spec, const weft_option_set *sets, size_t count,
                       weft_help wanted) {
  enum { FEW = 8 };
  const bool all = wanted == WEFT_HELP_ALL || weft_options_count(sets, count) <= FEW;
  printf("usage: weft %s %s\n\n%s\n", spec->command, spec->arguments, spec->summary);
  if (!all) {
    weft_options_print_common(stdout, sets, count);
    return;
  }
  weft_options_print(stdout, sets, count);
  if (spec->notes) printf("\n%s\n", spec->notes);
}

/* A scene file is read before the options, which win over it. From then on the cloth that it names
 * stands in its place. */
static weft_result read_scene_file(const weft_option_set *sets, size_t count, int argc, char **argv,
                                   weft_cli_options *options, weft_error *err) {
  const int at = weft_options_find(sets, count, argc, argv, weft_is_scene_file);
  weft_setup *setup = &options->setup;
  if (at == 0) return WEFT_OK;
  options->reads[2] = argv[at];
  weft_result result = weft_setup_read(setup, argv[at], err);
  if (result != WEFT_OK) return result;
  setup->pins_yield = true;
  argv[at] = (char *)(uintptr_t)(setup->scene ? setup->scene : setup->mesh);
  setup->scene = setup->mesh = NULL;
  if (setup->frames > 0) options->frames = setup->frames;
  return WEFT_OK;
}

/* What else the setup hangs on. */
static void settle(weft_cli_options *options) {
  const weft_cli_backend backend = options->backend;
  options->setup.pins_yield = false;
  options->setup.several = options->instances > 1;
  /* On the processor: all backends but f64 come to the same bits, and a driver need not be there.
   */
  options->setup.dresses = backend == WEFT_CLI_BACKEND_REF   ? weft_backend_ref()
                           : backend == WEFT_CLI_BACKEND_F64 ? weft_backend_f64()
                                                             : weft_backend_cpu(options->threads);
}

weft_result weft_cli_take_scene(weft_cli_options *options, const char *text, const char *name,
                                const char *folder, weft_error *err) {
  weft_setup *setup = &options->setup;
  weft_result result = weft_setup_read_text(setup, text, strlen(text), name, folder, err);
  if (result == WEFT_OK) result = weft_setup_settle(setup, err);
  settle(options);
  return weft_setup_locate(setup, result, err);
}

static weft_result parse(const weft_cli_spec *spec, const weft_option_set *sets, size_t count,
                         int argc, char **argv, weft_cli_options *options, weft_help *help,
                         weft_error *err) {
  weft_result result = WEFT_OK;
  if (spec->tables & WEFT_CLI_SCENE) {
    result = read_scene_file(sets, count, argc, argv, options, err);
  }
  if (result != WEFT_OK) return result;
  result = read_line(spec, sets, count, argc, argv, options, help, err);
  if (result != WEFT_OK || *help) return result;
  result = weft_setup_settle(&options->setup, err);
  settle(options);
  if (result == WEFT_OK) result = weft_cli_check_options(spec, options, err);
  return weft_setup_locate(&options->setup, result, err);
}

bool weft_cli_parse(const weft_cli_spec *spec, int argc, char **argv, weft_cli_options *options,
                    int *exit_status) {
  *options = (weft_cli_options){
      .setup = weft_setup_empty(), .frames = spec->default_frames, .log = WEFT_LOG_WARNING};
  weft_option_set sets[MAX_SETS];
  weft_option frames;
  char frames_help[80];
  size_t count = gather_sets(spec, options, sets, frames_help, sizeof frames_help, &frames);
  weft_help help = WEFT_HELP_NONE;
  weft_error err = {0};
  weft_result result = parse(spec, sets, count, argc, argv, options, &help, &err);
  if (result == WEFT_OK && !help) {
    weft_cli_log_level((weft_log_level)options->log);
    return true;
  }
  if (help) {
    print_help(spec, sets, count, help);
    *exit_status = WEFT_EXIT_OK;
  } else {
    *exit_status = weft_cli_fail(&err);
  }
  weft_cli_options_free(options);
  return false;
}

void weft_cli_options_free(weft_cli_options *options) { weft_setup_free(&options->setup); }

const char *weft_cli_help_of(const char *option) {
  weft_setup setup = weft_setup_empty();
  weft_option_set sets[WEFT_SETUP_SETS];
  weft_setup_sets(&setup, sets);
  for (size_t s = 0; s < WEFT_SETUP_SETS; ++s) {
    for (size_t k = 0; s != WEFT_SETUP_PARAMETERS && k < sets[s].count; ++k) {
      if (strcmp(sets[s].options[k].name, option) == 0) return sets[s].options[k].help;
    }
  }
  return NULL;
}
