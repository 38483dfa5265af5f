/* weft render: run a scene or mesh on the GPU and draw it from the solver's own buffers: one
 * picture, numbered ones, a video, or all scenes on one sheet. */
#include "cmd_render.h"

#include <string.h>

#include "body_times.h"
#include "inputs.h"
#include "interrupt.h"
#include "max_strain.h"
#include "outputs.h"
#include "render_job.h"
#include "stillness.h"

static void describe(const render_job *job, char *text, size_t size) {
  const render_plan *plan = &job->plan;
  const char *path = job->own->output;
  if (plan->output == RENDER_VIDEO) {
    snprintf(text, size, "%s: frames %u to %u, %u picture%s of %u x %u pixels, %.4g s", path,
             plan->first, job->drawn_frame, job->drawn, weft_plural(job->drawn), job->image.width,
             job->image.height, job->drawn / plan->fps);
  } else if (plan->output == RENDER_NUMBERED) {
    int used = snprintf(text, size, "%s: frames %u to %u, %u x %u pixels", path, plan->first,
                        job->drawn_frame, job->image.width, job->image.height);
    if (job->own->first_frame) {
      snprintf(text + used, size - (size_t)used, ", numbered from %u on",
               job->own->first_frame + plan->first);
    }
  } else {
    char name[300];
    snprintf(name, sizeof name, "%.200s.png", job->session.scene.name);
    int used = snprintf(text, size, "%s: frame %u, %u x %u pixels", path ? path : name,
                        job->drawn_frame, job->image.width, job->image.height);
    if (job->apart >= 0 && !job->own->no_analytic) {
      snprintf(text + used, size - (size_t)used, ", %.4g mm from theory", 1000 * job->apart);
    }
  }
}

/* Why a picture is rougher than one of a GPU. */
static void tell_samples(const render_job *job) {
  if (job->own->samples || job->own->draft || !weft_gl_is_software(job->session.gl)) return;
  printf("  %u sample%s, since OpenGL is a software driver; --samples 64 is smoother\n",
         job->desc.samples, weft_plural(job->desc.samples));
}

static void tell_cost(const char *what, const render_cost *c, const char *of) {
  if (c->count == 0) return;
  printf("%s: %.1f ms a %s (processor %.1f ms), mean of %u\n", what, 1e3 * c->wall / c->count, of,
         1e3 * c->cpu / c->count, c->count);
}

static void tell_times(const render_job *job) {
  char of[48];
  uint32_t substeps = weft_solver_params(job->session.solver)->substeps;
  snprintf(of, sizeof of, "frame of %u substep%s", substeps, weft_plural(substeps));
  tell_cost("solver", &job->timing.solver, of);
  tell_cost(job->drawn > 1 ? "renderer" : "renderer, compiling included", &job->timing.renderer,
            "picture");
}

static int cut_short(const render_job *job) {
  char what[200];
  if (job->drawn == 0) {
    snprintf(what, sizeof what, "in frame %llu of %u; nothing was written",
             (unsigned long long)weft_solver_frame(job->session.solver), job->plan.last);
  } else {
    snprintf(what, sizeof what, "after frame %u of %u; what was drawn until then is kept",
             job->drawn_frame, job->plan.last);
  }
  return weft_interrupt_tell(what);
}

static void tell_bodies(const render_job *job) {
  const weft_scene_instance *scene = &job->session.scene;
  const double seconds = job->plan.last * (double)scene->params.frame_dt;
  weft_cli_bodies_print(stdout, job->options, scene, seconds);
  fflush(stdout);
  weft_cli_bodies_warn(job->options, scene, seconds);
}

static int render(const weft_cli_options *options, const render_options *own) {
  render_job job;
  weft_error err = {0};
  int status = WEFT_EXIT_OK;
  weft_result result = weft_render_job_open(options, own, &job, &err);
  if (result == WEFT_OK) {
    weft_interrupt_open(weft_render_advice);
    weft_cli_strain_print_choice(stdout, &job.session.scene.params, &job.session.scene.held);
    weft_cli_bending_print(stdout, job.session.solver);
    tell_bodies(&job);
    result = weft_render_job_run(&job, &err);
  }
  if (job.drawn > 0 && !job.output_failed) {
    char text[WEFT_LONGEST_PATH + 200];
    describe(&job, text, sizeof text);
    printf("%s\n", text);
    weft_render_beside_tell(&job);
    tell_samples(&job);
    weft_cli_strain_print_reached(stdout, &job.session.scene.params, &job.session.scene.held,
                                  &job.watch.strain);
    weft_cli_warn_still(job.session.scene.model, &job.watch.still);
    if (own->timing) tell_times(&job);
  }
  if (result != WEFT_OK) {
    status = job.output_failed ? weft_cli_fail_output(&err) : weft_cli_fail(&err);
  } else if (job.cut) {
    status = cut_short(&job);
  } else if (job.watch.still.last.all) {
    status = WEFT_EXIT_STILL;
  }
  weft_render_job_close(&job);
  return status;
}

/* The first picture, or the video, is tried before anything is simulated. */
static weft_result check_output(const weft_cli_options *options, const render_options *own,
                                weft_error *err) {
  weft_numbered pattern = {0};
  char name[WEFT_LONGEST_PATH];
  if (own->gallery) return WEFT_OK;
  if (own->output && weft_numbered_read(own->output, &pattern)) {
    const uint32_t first = own->first_frame;
    weft_numbered_name(own->output, &pattern, first + own->from, name, sizeof name);
    weft_result result = weft_cli_protect_inputs(options, own->output, &pattern, first + own->from,
                                                 first + weft_render_last(own), err);
    if (result != WEFT_OK) return result;
  } else {
    const char *slash = options->setup.mesh ? strrchr(options->setup.mesh, '/') : NULL;
    const char *file = slash ? slash + 1 : options->setup.mesh;
    snprintf(name, sizeof name, "%.200s.png", file ? file : options->setup.scene);
  }
  return weft_cli_output_check(options, name, err);
}

int weft_cmd_render(int argc, char **argv) {
  render_options own = {0};
  weft_cli_options options;
  const weft_cli_spec spec = {
      .command = "render",
      .arguments = "SCENE|FILE [options], or weft render --gallery DIR",
      .summary =
          "Simulates a built-in scene or a mesh on the GPU and draws it without a display: one "
          "frame\nto a PNG, a range of frames to numbered PNGs, or a video.",
      .notes =
          "The state is looked at whenever it is drawn. A simulation that became infinite or NaN "
          "stops\nwith status 5 and names the first frame, substep, pass and particle; one picture "
          "is then of\nthe last good frame, a range ends before.\n"
          "Ctrl-C finishes the picture in progress and the file, which holds what was drawn until "
          "then\n(status 130, 143 for SIGTERM); a second Ctrl-C, and one before the first frame, "
          "stops at\nonce and leaves nothing.",
      .tables =
          WEFT_CLI_SCENE | WEFT_CLI_SIMULATION | WEFT_CLI_DRAWN | WEFT_CLI_THREADS | WEFT_CLI_GL,
      .instead_of_scene = &own.gallery,
      .extra = weft_render_option_table,
      .extra_count = weft_render_option_count,
      .extra_base = &own,
  };
  int status;
  if (!weft_cli_parse(&spec, argc, argv, &options, &status)) return status;
  weft_error err = {0};
  if (weft_render_plan_check(&own, &err) != WEFT_OK) {
    status = weft_cli_fail(&err);
  } else if (check_output(&options, &own, &err) != WEFT_OK) {
    status = weft_cli_fail_output(&err);
  } else {
    weft_interrupt_prepare("before the first frame; nothing was written");
    status = own.gallery ? weft_render_gallery(&options, &own) : render(&options, &own);
    weft_interrupt_close();
  }
  weft_cli_options_free(&options);
  return status;
}
