/* render_plan.c: which frames of the simulation become pictures, and where those go. */
#include <math.h>
#include <string.h>

#include "render_job.h"

enum { DEFAULT_FRAMES = 240, GIF_MAX_FPS = 50 };

static render_output output_of(const render_options *own, weft_numbered *name) {
  *name = (weft_numbered){0};
  if (!own->output) return RENDER_ONE;
  if (weft_video_format_of(own->output)) return RENDER_VIDEO;
  weft_numbered_read(own->output, name);
  return name->numbered ? RENDER_NUMBERED : RENDER_ONE;
}

/* ---- what does not go together ---- */

static weft_result check_name(const char *path, weft_error *err) {
  static const char *const pictures[] = {".png", NULL};
  weft_numbered name;
  if (weft_video_format_of(path)) {
    if (!strchr(path, '%')) return WEFT_OK;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--output: %s: a video has no frame numbers", path);
  }
  if (!weft_numbered_read(path, &name)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--output: \"%s\" may hold one place for the frame number, %%01d to %%09d "
                     "(for example x-%%04d.png), and no other %%",
                     path);
  }
  if (weft_name_ends(path, pictures)) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--output: %s: pictures are written as .png, videos as .mp4, .webm or .gif",
                   path);
}

static weft_result check_one(const render_options *own, weft_error *err) {
  if (own->from_given || own->to_given || own->frames_given) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--%s is for a video or numbered pictures (-o x.mp4, -o x-%%04d.png); one "
                     "picture is of --frame",
                     own->from_given ? "from"
                     : own->to_given ? "to"
                                     : "frames");
  }
  return WEFT_OK;
}

static weft_result check_range(const render_options *own, weft_error *err) {
  if (own->frame_given) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--frame is for one picture; a range is --from and --to");
  }
  if (own->to_given && own->frames_given) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--to and --frames both say where the range ends");
  }
  if (own->to_given && own->to < own->from) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--to %u is before --from %u", own->to, own->from);
  }
  return WEFT_OK;
}

static weft_result check_gallery(const render_options *own, weft_error *err) {
  const struct {
    const char *name;
    bool given;
  } rows[] = {{"output", own->output != NULL}, {"frame", own->frame_given},
              {"from", own->from_given},       {"to", own->to_given},
              {"frames", own->frames_given},   {"target", own->target_given},
              {"box", own->box_given},         {"distance", own->distance > 0}};
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
    if (!rows[k].given) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s is for one scene, --gallery draws all",
                     rows[k].name);
  }
  return WEFT_OK;
}

static weft_result check_view(const render_options *own, weft_error *err) {
  bool ranged = own->view == WEFT_VIEW_STRAIN || own->view == WEFT_VIEW_BENDING ||
                own->view == WEFT_VIEW_BEND_ANGLE || own->view == WEFT_VIEW_VELOCITY;
  if (own->view_range > 0 && !ranged) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--view-range is for --view strain, bending, bend-angle or velocity");
  }
  if (own->batch_given && own->view != WEFT_VIEW_COLOURS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--batch is for --view colours");
  }
  return WEFT_OK;
}

weft_result weft_render_plan_check(const render_options *own, weft_error *err) {
  weft_numbered name;
  render_output output = output_of(own, &name);
  weft_result result = own->output ? check_name(own->output, err) : WEFT_OK;
  if (result == WEFT_OK && own->gallery) result = check_gallery(own, err);
  if (result == WEFT_OK) result = check_view(own, err);
  if (result == WEFT_OK && own->draft && own->samples) {
    result = weft_fail(err, WEFT_ERROR_ARGUMENT, "--draft draws one sample, not --samples %u",
                       own->samples);
  }
  if (result == WEFT_OK && own->first_given && output != RENDER_NUMBERED) {
    result = weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "--first-frame is for numbered pictures (-o x-%%04d.png)");
  }
  if (result != WEFT_OK) return result;
  if (output != RENDER_VIDEO && (own->fps > 0 || own->slow > 0)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s is for videos (-o x.mp4, .webm or .gif)",
                     own->fps > 0 ? "fps" : "slow");
  }
  if (output == RENDER_VIDEO && weft_video_format_of(own->output) == WEFT_VIDEO_GIF &&
      own->fps > GIF_MAX_FPS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--fps: %g is too fast for a .gif, viewers take %d at most", (double)own->fps,
                     GIF_MAX_FPS);
  }
  return output == RENDER_ONE ? check_one(own, err) : check_range(own, err);
}

/* ---- the plan ---- */

static void plan_video(const render_options *own, double frame_dt, render_plan *plan) {
  plan->format = weft_video_format_of(own->output);
  plan->fps = own->fps > 0 ? (double)own->fps : plan->format == WEFT_VIDEO_GIF ? 20 : 60;
  double slow = own->slow > 0 ? (double)own->slow : 1;
  plan->step = 1 / (plan->fps * slow * frame_dt);
  double whole = round(plan->step), part = round(1 / plan->step);
  if (fabs(plan->step - whole) < 1e-4 * whole) plan->step = whole; /* 1/60 s is not a float */
  if (fabs(1 / plan->step - part) < 1e-4 * part) plan->step = 1 / part;
  double frames = plan->last - plan->first + 1.0;
  plan->count = (uint32_t)fmin(fmax(ceil(frames / plan->step - 1e-6), 1), 1e9);
}

uint32_t weft_render_last(const render_options *own) {
  const uint32_t frames = own->frames_given ? own->frames : DEFAULT_FRAMES;
  return own->to_given ? own->to : own->from + frames - 1;
}

void weft_render_plan_of(const render_options *own, uint32_t still_frame, double frame_dt,
                         render_plan *plan) {
  *plan = (render_plan){.step = 1, .count = 1};
  plan->output = output_of(own, &plan->name);
  if (plan->output == RENDER_ONE) {
    plan->still = !own->frame_given;
    plan->first = plan->last = own->frame_given ? own->frame : still_frame;
    return;
  }
  plan->first = own->from;
  plan->last = weft_render_last(own);
  plan->count = plan->last - plan->first + 1;
  if (plan->output == RENDER_VIDEO) plan_video(own, frame_dt, plan);
}

uint32_t weft_render_plan_frame(const render_plan *plan, uint32_t picture) {
  uint32_t frame = plan->first + (uint32_t)floor(picture * plan->step + 1e-6);
  return frame < plan->last ? frame : plan->last;
}
