/* weft validate: the proof that the GPU computes what the reference computes, and where it does
 * not.
 */
#include "cmd_validate.h"

#include <stdio.h>
#include <string.h>

#include "report.h"
#include "validate.h"

enum { LAYOUT, KERNEL, SUBSTEP, TRAJECTORY, REPEAT, ALL };
static const char *const level_names[] = {"layout", "kernel", "substep", "trajectory",
                                          "repeat", "all",    NULL};

typedef struct validate_options {
  int level;
  const char *physics; /* seen before: weft_cmd_physics reads its own */
  const char *json, *pass;
} validate_options;

static const weft_option extra[] = {
    {.name = "level",
     .kind = WEFT_OPTION_CHOICE,
     .argument = "LEVEL",
     .help = "what is compared. Default trajectory\n"
             "  layout      C structs and binding slots with what the driver reports\n"
             "  kernel      each shader alone with its twin, over made-up inputs (--seed)\n"
             "  substep     one substep after --frames frames, pass by pass\n"
             "  trajectory  positions and velocities after every substep of --frames frames\n"
             "  repeat      state hashes of repeated runs, group sizes, thread counts\n"
             "  all         all of them",
     .offset = offsetof(validate_options, level),
     .choices = level_names},
    {.name = "pass",
     .kind = WEFT_OPTION_TEXT,
     .argument = "NAME",
     .help = "level kernel: this pass alone. Default: every pass",
     .offset = offsetof(validate_options, pass)},
    {.name = "json",
     .kind = WEFT_OPTION_TEXT,
     .argument = "FILE",
     .help = "write the findings as JSON. Default: not written",
     .offset = offsetof(validate_options, json)},
    {.name = "physics",
     .kind = WEFT_OPTION_OPTIONAL,
     .argument = "[CASE ...]",
     .help = "hold the solver against theory instead of comparing bits;\n"
             "see weft validate --physics --help",
     .offset = offsetof(validate_options, physics)},
};

static weft_result open_gl(weft_validation *v, weft_error *err) {
  weft_result result = weft_app_make_gl(v->options, &v->gl, err);
  if (result == WEFT_OK) result = weft_backend_gl(v->gl, &v->backend, err);
  if (result == WEFT_OK) result = weft_gl_run_probe(v->gl, &v->probe, err);
  if (result != WEFT_OK) return result;
  char driver[512];
  printf("driver        %s\nprobe         %s\n", weft_driver_name(v->gl, driver, sizeof driver),
         v->probe.verdict);
  json_object_set_new(v->report, "build", weft_json_build(v->gl));
  json_object_set_new(
      v->report, "probe",
      json_pack("{s:b, s:i, s:i, s:s}", "exact", v->probe.exact, "tested", (int)v->probe.tested,
                "mismatches", (int)v->probe.mismatches, "verdict", v->probe.verdict));
  return WEFT_OK;
}

/* The backend cpu has no driver: nothing to probe, no layout to ask for, no groups to vary. */
static weft_result open_cpu(weft_validation *v, int level, weft_error *err) {
  v->backend = weft_backend_cpu(v->options->threads);
  v->probe.exact = true;
  if (level == LAYOUT || level == REPEAT) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--level %s asks a driver, which cpu has not",
                     level_names[level]);
  }
  printf("backend       cpu, %s\n", weft_backend_cpu_describe());
  json_object_set_new(v->report, "build", weft_json_build(NULL));
  return WEFT_OK;
}

static weft_result open_other(weft_validation *v, int level, weft_error *err) {
  weft_app_backend backend = v->options->backend;
  if (backend == WEFT_APP_BACKEND_CPU) return open_cpu(v, level, err);
  if (backend == WEFT_APP_BACKEND_REF || backend == WEFT_APP_BACKEND_F64) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--backend: the reference is compared with gl or with cpu");
  }
  return open_gl(v, err);
}

static weft_result run_levels(weft_validation *v, int level, weft_error *err) {
  static weft_result (*const levels[])(weft_validation *, weft_error *) = {
      [LAYOUT] = weft_validate_layout,
      [KERNEL] = weft_validate_kernels,
      [SUBSTEP] = weft_validate_substep,
      [TRAJECTORY] = weft_validate_trajectory,
  };
  weft_result result = WEFT_OK;
  bool cpu = v->options->backend == WEFT_APP_BACKEND_CPU;
  if (!cpu && (level == REPEAT || level == ALL)) result = weft_validate_repeat(v, err);
  if (result == WEFT_OK && (cpu || level != REPEAT)) result = open_other(v, level, err);
  for (int k = cpu ? KERNEL : LAYOUT; k <= TRAJECTORY && result == WEFT_OK; ++k) {
    if (level == k || level == ALL) result = levels[k](v, err);
    fflush(stdout);
  }
  return result;
}

/* Only the level kernel goes pass by pass. */
static weft_result check_pass(const validate_options *own, weft_error *err) {
  if (!own->pass) return WEFT_OK;
  if (own->level != KERNEL) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--pass: needs --level kernel");
  }
  for (int kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    if (strcmp(weft_pass_infos[kind].name, own->pass) == 0) return WEFT_OK;
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--pass: no pass is called '%s'", own->pass);
}

static int finish(weft_validation *v, const char *json, weft_result result, const weft_error *err) {
  int status = v->different ? WEFT_EXIT_DIFFERENT : WEFT_EXIT_OK;
  if (result != WEFT_OK) status = weft_app_fail(err);
  json_object_set_new(v->report, "equal", json_boolean(result == WEFT_OK && !v->different));
  if (result != WEFT_OK) json_object_set_new(v->report, "error", json_string(err->message));
  weft_error write_error = {0};
  if (json && weft_json_write(json, json_incref(v->report), &write_error) != WEFT_OK &&
      status == WEFT_EXIT_OK) {
    status = weft_app_fail_output(&write_error);
  }
  json_decref(v->report);
  weft_gl_destroy(v->gl);
  return status;
}

int weft_cmd_validate(int argc, char **argv) {
  if (weft_cmd_physics_wanted(argc, argv)) return weft_cmd_physics(argc, argv);
  weft_app_options options;
  validate_options own = {.level = TRAJECTORY};
  weft_app_spec spec = {
      .command = "validate",
      .arguments = "[SCENE|FILE] [options]",
      .summary =
          "Runs the compute shaders (or, with --backend cpu, the fast CPU backend) and the CPU\n"
          "reference side by side and compares them bit by bit. On a difference it names the "
          "first\n"
          "substep, pass, batch and particle, with both values.",
      .notes =
          "--backend is gl (default) or cpu; cpu has levels kernel, substep and trajectory.\n"
          "Exit status: 0 equal, 1 different, 2 usage, 3 a file was refused, 5 equal but infinite "
          "or\nNaN (looked at after every substep), 77 no usable GL.",
      .tables = WEFT_APP_SCENE | WEFT_APP_FRAMES | WEFT_APP_SIMULATION | WEFT_APP_INSTANCES |
                WEFT_APP_BACKEND | WEFT_APP_THREADS | WEFT_APP_GL,
      .default_scene = "hanging",
      .default_frames = 60,
      .extra = extra,
      .extra_count = sizeof extra / sizeof *extra,
      .extra_base = &own,
  };
  int status = WEFT_EXIT_OK;
  if (!weft_app_parse(&spec, argc, argv, &options, &status)) return status;
  weft_validation v = {.options = &options, .pass = own.pass, .report = json_object()};
  weft_error err = {0};
  weft_result result = check_pass(&own, &err);
  if (result == WEFT_OK) result = run_levels(&v, own.level, &err);
  status = finish(&v, own.json, result, &err);
  weft_app_options_free(&options);
  return status;
}
