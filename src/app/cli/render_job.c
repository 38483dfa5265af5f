/* render_job.c: simulate, draw, write, picture by picture. */
#include "render_job.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "drawing.h"
#include "find_particle.h"
#include "inspect.h"
#include "interrupt.h"
#include "solver_gl.h"

/* ---- life ---- */

/* On a GPU as many as look smooth; on a software driver as many as can be waited for. */
static uint32_t samples_for(const render_job *job) {
  const render_options *own = job->own;
  if (own->samples) return own->samples;
  if (own->draft) return 1;
  if (weft_gl_is_software(job->session.gl)) return job->plan.output == RENDER_VIDEO ? 2 : 4;
  return own->gallery ? 16 : 64;
}

static uint32_t side_for(const render_options *own, uint32_t given, uint32_t otherwise) {
  return given ? given : own->draft ? otherwise / 2 : otherwise;
}

/* The renderer is made before anything is simulated: a picture it refuses costs no time. */
const char weft_render_advice[] =
    "\r\033[Kfinishing the picture in progress; Ctrl-C again stops at once\n";

weft_result weft_render_job_open(const weft_cli_options *options, const render_options *own,
                                 render_job *job, weft_error *err) {
  *job = (render_job){.options = options, .own = own, .apart = -1};
  weft_result result = weft_cli_session_open(options, true, &job->session, err);
  if (result != WEFT_OK) return result;
  const weft_scene_instance *scene = &job->session.scene;
  if (own->pick_given) {
    result = weft_model_find_particle(scene->model, own->pick, &job->particle, err);
  }
  if (result != WEFT_OK) return result;
  double frame_dt = weft_solver_params(job->session.solver)->frame_dt;
  weft_render_plan_of(own, scene->still.frame, frame_dt, &job->plan);
  job->width = side_for(own, own->width, 1280);
  job->height = side_for(own, own->height, 720);
  if (job->plan.format == WEFT_VIDEO_MP4 || job->plan.format == WEFT_VIDEO_WEBM) {
    job->width += job->width & 1;
    job->height += job->height & 1;
  }
  job->desc = (weft_renderer_desc){.width = job->width,
                                   .height = job->height,
                                   .samples = samples_for(job),
                                   .quick = own->draft,
                                   .shadow_size = own->shadow_size};
  result = weft_render_beside_open(job, err);
  if (result != WEFT_OK) return result;
  weft_cli_drawing drawing;
  weft_cli_drawing_of(scene, &job->desc, &drawing);
  result = weft_cli_texture_of(options, scene, &job->desc, &drawing, err);
  if (result == WEFT_OK) {
    result = weft_renderer_create(job->session.gl, &job->desc, &job->renderer, err);
  }
  weft_cli_drawing_free(&drawing);
  if (result == WEFT_OK) {
    result = weft_cli_theory_open(scene, job->session.solver, job->session.gl, &job->theory, err);
  }
  if (result != WEFT_OK) return result;
  return weft_watch_open(&job->session.scene, job->session.solver, &job->watch, err);
}

void weft_render_job_close(render_job *job) {
  weft_video_abandon(job->video);
  weft_free(job->image.pixels);
  weft_render_beside_close(job);
  weft_watch_close(&job->watch);
  weft_cli_theory_close(job->theory);
  weft_renderer_destroy(job->renderer);
  weft_cli_session_close(&job->session);
}

/* ---- timing ---- */

/* The time when the driver has finished; without --timing it is not waited for. */
static render_cost now(const render_job *job) {
  if (!job->own->timing) return (render_cost){0};
  weft_solver_finish(job->session.solver);
  return (render_cost){weft_clock_seconds(), (double)clock() / CLOCKS_PER_SEC, 0};
}

static void add_since(const render_job *job, render_cost start, render_cost *sum) {
  render_cost end = now(job);
  sum->wall += end.wall - start.wall;
  sum->cpu += end.cpu - start.cpu;
  sum->count++;
}

static weft_result step(render_job *job, bool look, weft_error *err) {
  if (job->drawn == 0) return weft_watch_step(&job->watch, look, err);
  render_cost start = now(job);
  weft_result result = weft_watch_step(&job->watch, look, err);
  add_since(job, start, &job->timing.solver);
  return result;
}

static weft_result draw(render_job *job, const weft_picture *picture, weft_error *err) {
  if (job->drawn == 1) job->timing.renderer = (render_cost){0};
  render_cost start = now(job);
  weft_result result = weft_renderer_draw(job->renderer, picture, err);
  add_since(job, start, &job->timing.renderer);
  return result;
}

/* ---- how long it will take ---- */

/* Told once it is known to be long, and again where it turns out to be much longer. */
static void tell_estimate(render_job *job, double whole, const char *of, const char *hint) {
  static const double worth_telling = 10, much_longer = 1.6; /* seconds, factor */
  char text[40];
  if (whole < worth_telling || whole < much_longer * job->told || job->own->gallery) return;
  job->told = whole;
  weft_cli_duration(whole, text, sizeof text);
  weft_progress_end();
  printf("about %s %s%s\n", text, of, hint);
  fflush(stdout);
}

/* Of the way to the first picture, from what a second of it did. */
static void estimate_way(render_job *job, double begun, uint64_t done, uint32_t frame) {
  double passed = weft_clock_seconds() - begun;
  char of[48];
  if (passed < 1 || done == frame) return;
  snprintf(of, sizeof of, "to simulate %u frames", frame);
  tell_estimate(job, passed * frame / (double)done, of,
                job->options->setup.mesh ? "" : "; a smaller --size is quicker");
}

/* Of all pictures, from the second on: drivers compile during the first. */
static void estimate_pictures(render_job *job, uint32_t index) {
  double now = weft_clock_seconds(), step = fmin(job->plan.step, 1);
  char of[48];
  if (++job->made == 1) job->first_made = now;
  if (job->made < 2) return;
  double left = (now - job->first_made) / (job->made - 1) * step * (job->plan.count - index - 1);
  snprintf(of, sizeof of, "for %u pictures", job->plan.count);
  tell_estimate(job, now - job->started + left, of, job->own->draft ? "" : "; --draft is quicker");
}

/* ---- one picture ---- */

weft_result weft_render_job_advance(render_job *job, uint32_t frame, weft_error *err) {
  uint64_t now = weft_solver_frame(job->session.solver);
  bool long_way = now == 0 && frame > 0 && job->drawn == 0;
  weft_result result = WEFT_OK;
  double begun = weft_clock_seconds();
  for (uint64_t f = now; f < frame && result == WEFT_OK; ++f) {
    if (weft_interrupted()) {
      job->cut = true;
      break;
    }
    if (long_way) weft_progress("simulating", f, frame);
    result = step(job, f + 1 == frame, err);
    if (result == WEFT_OK) result = weft_render_beside_step(job, f + 1 == frame, err);
    if (result == WEFT_OK) weft_cli_theory_step(job->theory, job->session.solver);
    if (long_way) estimate_way(job, begun, f + 1, frame);
  }
  if (long_way) weft_progress_end();
  return result;
}

weft_result weft_render_job_draw(render_job *job, weft_error *err) {
  weft_solver *solver = job->session.solver;
  weft_picture picture;
  weft_render_picture_of(job, weft_solver_time(solver), &picture);
  if (!weft_solver_gl_view(solver, WEFT_BUFFER_X, &picture.positions)) {
    return weft_fail(err, WEFT_ERROR_GL, "the solver's positions are not in a GL buffer");
  }
  picture.origin = weft_v3d_round(weft_solver_origin(solver));
  picture.solver = solver;
  job->apart = weft_cli_theory_measure(job->theory, solver);
  weft_cli_theory_show(job->theory, !job->own->no_trails, !job->own->no_analytic, &picture);
  weft_free(job->image.pixels);
  job->image = (weft_image){0};
  weft_result result = draw(job, &picture, err);
  if (result == WEFT_OK) result = weft_renderer_read(job->renderer, &job->image, err);
  return result == WEFT_OK ? weft_render_beside_draw(job, &picture, err) : result;
}

static void picture_name(const render_job *job, uint32_t frame, char *name, size_t size) {
  if (job->own->output) {
    weft_numbered_name(job->own->output, &job->plan.name, job->own->first_frame + frame, name,
                       size);
  } else {
    snprintf(name, size, "%.200s.png", job->session.scene.name);
  }
}

static weft_result put_out(render_job *job, uint32_t frame, weft_error *err) {
  weft_result result;
  if (job->video) {
    result = weft_video_write(job->video, &job->image, err);
  } else {
    char name[WEFT_LONGEST_PATH];
    picture_name(job, frame, name, sizeof name);
    result = weft_image_write_png(&job->image, name, err);
  }
  job->output_failed = result != WEFT_OK;
  if (result != WEFT_OK) return result;
  job->drawn++;
  job->drawn_frame = frame;
  return WEFT_OK;
}

/* Slow motion shows a frame more than once; it is drawn once. */
static weft_result make_picture(render_job *job, uint32_t index, weft_error *err) {
  uint32_t frame = weft_render_plan_frame(&job->plan, index);
  weft_result result = weft_render_job_advance(job, frame, err);
  if (result != WEFT_OK || job->cut) return result;
  if (job->drawn == 0) {
    job->started = weft_clock_seconds();
    job->told = 0;
  }
  if (job->plan.count > 1) {
    weft_progress("drawing", job->drawn, job->plan.count);
  }
  bool shown = job->drawn > 0 && job->drawn_frame == frame;
  if (!shown) result = weft_render_job_draw(job, err);
  if (result == WEFT_OK) result = put_out(job, frame, err);
  if (result == WEFT_OK && !shown) estimate_pictures(job, index);
  return result;
}

/* ---- all of them ---- */

static weft_result open_video(render_job *job, weft_error *err) {
  if (job->plan.output != RENDER_VIDEO) return WEFT_OK;
  const weft_video_desc desc = {.path = job->own->output,
                                .format = job->plan.format,
                                .width = job->width,
                                .height = job->height,
                                .count = job->plan.count,
                                .fps = job->plan.fps};
  weft_result result = weft_video_open(&desc, &job->video, err);
  job->output_failed = result != WEFT_OK;
  return result;
}

/* A video without a picture is none. */
static weft_result close_video(render_job *job, weft_error *err) {
  if (!job->video) return WEFT_OK;
  weft_video *video = job->video;
  job->video = NULL;
  if (job->drawn == 0) {
    weft_video_abandon(video);
    return WEFT_OK;
  }
  weft_result result = weft_video_close(video, err);
  job->output_failed = result != WEFT_OK;
  return result;
}

/* What the simulation left when it became infinite or NaN: one picture is of the last good frame,
 * where the solver is back; of a range there is what was drawn before. */
static weft_result end_not_finite(render_job *job, weft_error *err) {
  weft_error why = *err;
  unsigned long long good = (unsigned long long)weft_solver_frame(job->session.solver);
  weft_result result = WEFT_OK;
  if (job->plan.output == RENDER_ONE) {
    result = weft_render_job_draw(job, err);
    if (result == WEFT_OK) result = put_out(job, (uint32_t)good, err);
    if (result != WEFT_OK) return result;
    return weft_fail(err, why.code, "%s; the picture shows the last good frame, %llu", why.message,
                     good);
  }
  result = close_video(job, err);
  if (result != WEFT_OK) return result;
  if (job->drawn == 0) return weft_fail(err, why.code, "%s; nothing was written", why.message);
  return weft_fail(err, why.code, "%s; the last picture shows frame %u", why.message,
                   job->drawn_frame);
}

weft_result weft_render_job_run(render_job *job, weft_error *err) {
  weft_result result = open_video(job, err);
  for (uint32_t k = 0; k < job->plan.count && result == WEFT_OK && !job->cut; ++k) {
    result = make_picture(job, k, err);
    if (k + 1 < job->plan.count && weft_interrupted()) job->cut = true;
  }
  weft_progress_end();
  if (result == WEFT_ERROR_NOT_FINITE) return end_not_finite(job, err);
  return result == WEFT_OK ? close_video(job, err) : result;
}
