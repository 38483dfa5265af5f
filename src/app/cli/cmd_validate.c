/* weft validate: the proof that the GPU computes what the reference computes, and where it does
 * not.
 */
#include "cmd_validate.h"

#include <stdio.h>
#include <string.h>

#include "body_times.h"
#include "cli.h"
#include "json.h"
#include "machine.h"
#include "outputs.h"
#include "validate_print.h"

enum { LAYOUT, KERNEL, SUBSTEP, TRAJECTORY, REPEAT, ALL };
static const char *const level_names[] = {"layout", "kernel", "substep", "trajectory",
                                          "repeat", "all",    NULL};

typedef struct validate_options {
  int level;
  const char *physics; /* seen before: weft_cmd_physics reads its own */
  const char *json, *pass;
} validate_options;

static const weft_option extra[] = {
    OPTION(
        CHOICE, "level", "LEVEL",
        "what is compared: layout, kernel, substep, trajectory, repeat, all. Default: trajectory\n"
        "  layout      C structs and binding slots with what the driver reports\n"
        "  kernel      each shader alone against the reference, over made-up inputs (--seed)\n"
        "  substep     one substep after --frames frames, pass by pass\n"
        "  trajectory  positions and velocities after every substep of --frames frames\n"
        "  repeat      state hashes of repeated runs, group sizes, thread counts\n"
        "  all         all of them",
        .offset = offsetof(validate_options, level), .common = true, .choices = level_names),
    OPTION(TEXT, "pass", "NAME", "level kernel: this pass alone. Default: every pass",
           .offset = offsetof(validate_options, pass)),
    OPTION(TEXT, "json", "FILE", "write the findings as JSON. Default: not written", .common = true,
           .offset = offsetof(validate_options, json)),
    OPTION(OPTIONAL, "physics", "CASE,...",
           "hold the solver against theory; see weft validate --physics --help", .common = true,
           .offset = offsetof(validate_options, physics)),
};

/* What the command found so far. */
typedef struct validation {
  const weft_cli_options *options;
  weft_verify_request request;
  json_t *report;
  bool different, told; /* of bodies */
} validation;

/* ---- the backend that is compared ---- */

static weft_result make_scene(void *user, weft_scene_instance *scene, weft_error *err) {
  validation *v = user;
  weft_result result = weft_cli_make_scene(v->options, scene, err);
  if (result != WEFT_OK || v->told) return result;
  const double seconds = v->request.frames * (double)scene->params.frame_dt;
  weft_cli_bodies_print(stdout, v->options, scene, seconds);
  fflush(stdout);
  weft_cli_bodies_warn(v->options, scene, seconds);
  json_object_set_new(v->report, "bodies", weft_cli_bodies_json(v->options, scene));
  v->told = true;
  return WEFT_OK;
}

static weft_result open_gl(validation *v, weft_error *err) {
  weft_verify_request *r = &v->request;
  weft_gl_probe probe = {0};
  weft_result result = weft_cli_make_gl(v->options, &r->gl, err);
  if (result == WEFT_OK) result = weft_backend_gl(r->gl, &r->backend, err);
  if (result == WEFT_OK) result = weft_gl_run_probe(r->gl, &probe, err);
  if (result != WEFT_OK) return result;
  r->exact = probe.exact;
  char driver[512];
  printf("driver        %s\nprobe         %s\n", weft_driver_name(r->gl, driver, sizeof driver),
         probe.verdict);
  json_object_set_new(v->report, "build", weft_json_build(r->gl));
  json_object_set_new(
      v->report, "probe",
      json_pack("{s:b, s:i, s:i, s:s}", "exact", probe.exact, "tested", (int)probe.tested,
                "mismatches", (int)probe.mismatches, "verdict", probe.verdict));
  return WEFT_OK;
}

/* The backend cpu has no driver: nothing to probe, no layout to ask for, no groups to vary. */
static weft_result open_cpu(validation *v, int level, weft_error *err) {
  v->request.backend = weft_backend_cpu(v->options->threads);
  v->request.exact = true;
  if (level == LAYOUT || level == REPEAT) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--level %s asks a driver, which cpu has not",
                     level_names[level]);
  }
  printf("backend       cpu, %s\n", weft_backend_cpu_describe());
  json_object_set_new(v->report, "build", weft_json_build(NULL));
  return WEFT_OK;
}

static weft_result open_other(validation *v, int level, weft_error *err) {
  weft_cli_backend backend = v->options->backend;
  if (backend == WEFT_CLI_BACKEND_CPU) return open_cpu(v, level, err);
  if (backend == WEFT_CLI_BACKEND_REF || backend == WEFT_CLI_BACKEND_F64) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--backend: the reference is compared with gl or with cpu");
  }
  return open_gl(v, err);
}

/* ---- levels: findings are printed even where an error ended the run ---- */

static const char *other_name(const validation *v) { return weft_backend_name(v->request.backend); }

static weft_result run_layout(validation *v, weft_error *err) {
  weft_layout_findings f;
  weft_result result = weft_verify_layout(&v->request, &f, err);
  if (result == WEFT_OK) weft_print_layout(&f);
  json_object_set_new(v->report, "layout", weft_layout_json(&f));
  v->different |= f.count > 0;
  weft_layout_findings_free(&f);
  return result;
}

static weft_result run_kernels(validation *v, weft_error *err) {
  weft_kernel_findings f;
  weft_result result = weft_verify_kernels(&v->request, &f, err);
  if (result == WEFT_OK) weft_print_kernels(&f, other_name(v));
  json_object_set_new(v->report, "kernel", weft_kernels_json(&f));
  v->different |= f.different > 0;
  weft_kernel_findings_free(&f);
  return result;
}

static weft_result run_substep(validation *v, weft_error *err) {
  weft_trajectory_findings f;
  weft_result result = weft_verify_substep(&v->request, &f, err);
  weft_print_substep(&f, other_name(v));
  json_object_set_new(v->report, "substep", weft_substep_json(&f));
  v->different |= f.differs;
  return result;
}

static weft_result run_trajectory(validation *v, weft_error *err) {
  weft_trajectory_findings f;
  weft_result result = weft_verify_trajectory(&v->request, &f, err);
  weft_print_trajectory(&f, v->request.frames, other_name(v), v->request.gl);
  json_object_set_new(v->report, "trajectory", weft_trajectory_json(&f, v->request.frames));
  v->different |= f.differs;
  return result;
}

static weft_result run_repeat(validation *v, weft_error *err) {
  weft_repeat_findings f;
  weft_result result = weft_verify_repeat(&v->request, &f, err);
  if (f.count) weft_print_repeat(&f, v->request.frames);
  json_object_set_new(v->report, "repeat", weft_repeat_json(&f));
  v->different |= f.different > 0;
  return result;
}

static weft_result run_levels(validation *v, int level, weft_error *err) {
  static weft_result (*const levels[])(validation *, weft_error *) = {
      [LAYOUT] = run_layout,
      [KERNEL] = run_kernels,
      [SUBSTEP] = run_substep,
      [TRAJECTORY] = run_trajectory,
  };
  weft_result result = WEFT_OK;
  bool cpu = v->options->backend == WEFT_CLI_BACKEND_CPU;
  if (!cpu && (level == REPEAT || level == ALL)) result = run_repeat(v, err);
  if (result == WEFT_OK && (cpu || level != REPEAT)) result = open_other(v, level, err);
  for (int k = cpu ? KERNEL : LAYOUT; k <= TRAJECTORY && result == WEFT_OK; ++k) {
    fflush(stdout);
    if (level == k || level == ALL) result = levels[k](v, err);
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

static int finish(validation *v, const char *json, weft_result result, const weft_error *err) {
  int status = v->different ? WEFT_EXIT_DIFFERENT : WEFT_EXIT_OK;
  if (result != WEFT_OK) status = weft_cli_fail(err);
  json_object_set_new(v->report, "equal", json_boolean(result == WEFT_OK && !v->different));
  if (result != WEFT_OK) json_object_set_new(v->report, "error", json_string(err->message));
  weft_error write_error = {0};
  if (json && weft_json_write(json, json_incref(v->report), &write_error) != WEFT_OK &&
      status == WEFT_EXIT_OK) {
    status = weft_cli_fail_output(&write_error);
  }
  json_decref(v->report);
  weft_gl_destroy(v->request.gl);
  return status;
}

/* ---- the command ---- */

int weft_cmd_validate(int argc, char **argv) {
  if (weft_cmd_physics_wanted(argc, argv)) return weft_cmd_physics(argc, argv);
  weft_cli_options options;
  validate_options own = {.level = TRAJECTORY};
  weft_cli_spec spec = {
      .command = "validate",
      .arguments = "[SCENE|FILE] [options]",
      .summary =
          "Runs the compute shaders (or, with --backend cpu, the fast CPU backend) and the CPU\n"
          "reference side by side and compares them bit by bit. On a difference it names the "
          "first\n"
          "substep, pass, batch and particle, with both values.",
      .notes =
          "--backend is gl (default) or cpu; cpu has levels kernel, substep and trajectory.\n"
          "Status 1 where something differs; 5 for states that are equal but infinite or NaN, "
          "which is\n"
          "looked at after every substep. weft --help lists all statuses.",
      .tables = WEFT_CLI_SCENE | WEFT_CLI_FRAMES | WEFT_CLI_SIMULATION | WEFT_CLI_INSTANCES |
                WEFT_CLI_BACKEND | WEFT_CLI_THREADS | WEFT_CLI_GL,
      .default_scene = "hanging",
      .default_frames = 60,
      .extra = extra,
      .extra_count = sizeof extra / sizeof *extra,
      .extra_base = &own,
  };
  int status = WEFT_EXIT_OK;
  weft_error err = {0};
  if (!weft_cli_parse(&spec, argc, argv, &options, &status)) return status;
  if (weft_cli_output_check(&options, own.json, &err) != WEFT_OK) {
    weft_cli_options_free(&options);
    return weft_cli_fail_output(&err);
  }
  validation v = {.options = &options,
                  .request = {.make_scene = make_scene,
                              .user = &v,
                              .gl_desc = weft_cli_gl_desc(&options),
                              .frames = options.frames,
                              .seed = options.setup.seed,
                              .pass = own.pass},
                  .report = json_object()};
  weft_result result = check_pass(&own, &err);
  if (result == WEFT_OK) result = run_levels(&v, own.level, &err);
  status = finish(&v, own.json, result, &err);
  weft_cli_options_free(&options);
  return status;
}
