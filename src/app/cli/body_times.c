/* body_times.c: file, format, frames, rate, start and end of each body. */
#include "body_times.h"

#include <string.h>

#include "json.h"
#include "sequence.h"

/* What moves a body of the options; its own file where that brings the motion. */
static const char *motion_of(const weft_setup_body *body) {
  if (body->motion && body->motion[0] == '{') return "keys";
  return body->motion ? body->motion : body->file;
}

/* NULL for one of the scene itself. */
static const weft_setup_body *asked_for(const weft_cli_options *options,
                                        const weft_scene_instance *scene, uint32_t b) {
  const uint32_t own = scene->params.body_count - options->setup.body_count;
  return b < own ? NULL : &options->setup.bodies[b - own];
}

static bool has_frames(const weft_motion_info *info) {
  return strcmp(info->kind, "glTF") != 0 && strcmp(info->kind, "rigid keys") != 0;
}

/* From sample to sample. */
static double rate_of(const weft_motion_info *info) {
  return info->frame_count > 1 ? (info->frame_count - 1) / info->duration : 0;
}

/* ---- a line each ---- */

void weft_cli_print_file_start(FILE *file, const weft_motion_info *info) {
  const bool seconds = !strcmp(info->kind, "MDD cache") || !strcmp(info->kind, "rigid keys");
  if (info->file_start != 0) {
    fprintf(file, seconds ? ", from %g s of the file on" : ", from frame %g of the file on",
            info->file_start);
  }
  if (info->file_step != 1) fprintf(file, ", one every %g frames", info->file_step);
}

static void print_motion(FILE *file, const weft_motion_info *info, double rate,
                         const char *said_by) {
  fprintf(file, "%s", info->kind);
  if (has_frames(info)) {
    fprintf(file, ", %u frame%s", info->frame_count, weft_plural(info->frame_count));
  }
  weft_cli_print_file_start(file, info);
  if (rate > 0) {
    fprintf(file, ", %.6g a second (%s)", rate,
            said_by == weft_setup_rate_guess ? "a guess: --body-fps says it" : said_by);
  } else {
    fprintf(file, ", times of its own");
    if (has_frames(info) && info->frame_count > 1) {
      fprintf(file, " (about %.4g a second)", rate_of(info));
    }
  }
}

static void print_end(FILE *file, const weft_motion_info *info, double seconds) {
  const bool early = info->duration < seconds * (1 - 1e-4);
  fprintf(file, ", from 0 to %.4g s%s", info->duration, early ? ", then at rest" : "");
  if (info->duration > seconds * (1 + 1e-4)) fprintf(file, ", of which the run has %.4g", seconds);
}

static void print_body(FILE *file, const weft_cli_options *options,
                       const weft_scene_instance *scene, uint32_t b, double seconds) {
  const weft_scene_body *source = &scene->body_sources[b];
  const weft_setup_body *body = asked_for(options, scene, b);
  const char *said_by, *name = body ? body->file : source->name;
  fprintf(file, "  body %-4u %s", b, *name ? weft_cli_shown(name) : "of the scene");
  if (body && body->motion) fprintf(file, ", moved by %s", weft_cli_shown(motion_of(body)));
  if (source->motion) {
    const weft_motion_info info = weft_motion_describe(source->motion);
    const double rate = weft_setup_body_rate(&options->setup, body, &said_by);
    fprintf(file, ": ");
    print_motion(file, &info, rate, said_by);
    print_end(file, &info, seconds);
  } else {
    fprintf(file, weft_scene_body_moves(source) ? ": as the scene moves it" : ": at rest");
  }
  fprintf(file, "\n");
}

void weft_cli_bodies_print(FILE *file, const weft_cli_options *options,
                           const weft_scene_instance *scene, double seconds) {
  for (uint32_t b = 0; b < scene->params.body_count; ++b) {
    print_body(file, options, scene, b, seconds);
  }
}

/* ---- what ends early ---- */

void weft_cli_bodies_warn(const weft_cli_options *options, const weft_scene_instance *scene,
                          double seconds) {
  for (uint32_t b = 0; b < scene->params.body_count; ++b) {
    const weft_setup_body *body = asked_for(options, scene, b);
    const weft_motion_info info = weft_motion_describe(scene->body_sources[b].motion);
    const double dt = (double)scene->params.frame_dt;
    const char *said_by;
    if (!scene->body_sources[b].motion || strcmp(info.kind, "rigid keys") == 0) continue;
    const double rate = weft_setup_body_rate(&options->setup, body, &said_by);
    const double left = (seconds - info.duration) / dt;
    if (left < 0.01) continue;
    weft_log(WEFT_LOG_WARNING,
             "--body: %s ends at %.4g s, and the run at %.4g s: the body rests for the last %.4g "
             "frame%s%s",
             motion_of(body), info.duration, seconds, left, left == 1 ? "" : "s",
             rate > 0 && said_by == weft_setup_rate_guess
                 ? " (60 frames a second are a guess: --body-fps says how many it has)"
                 : "");
  }
}

/* ---- JSON ---- */

static json_t *text_or_null(const char *text) {
  return text && *text ? weft_json_text(text) : json_null();
}

json_t *weft_cli_bodies_json(const weft_cli_options *options, const weft_scene_instance *scene) {
  json_t *list = json_array();
  for (uint32_t b = 0; b < scene->params.body_count; ++b) {
    const weft_scene_body *source = &scene->body_sources[b];
    const weft_setup_body *body = asked_for(options, scene, b);
    const weft_motion_info info = weft_motion_describe(source->motion);
    const bool frames = source->motion && has_frames(&info);
    const char *said_by = NULL;
    double rate = source->motion ? weft_setup_body_rate(&options->setup, body, &said_by) : 0;
    if (!(rate > 0) && frames) rate = rate_of(&info);
    json_t *o = json_object();
    json_object_set_new(o, "file", text_or_null(body ? body->file : source->name));
    json_object_set_new(o, "motion", text_or_null(body && source->motion ? motion_of(body) : NULL));
    json_object_set_new(o, "kind", text_or_null(info.kind));
    json_object_set_new(o, "moves", json_boolean(weft_scene_body_moves(source)));
    json_object_set_new(o, "frames", frames ? json_integer(info.frame_count) : json_null());
    json_object_set_new(o, "frames_per_second", rate > 0 ? weft_json_real(rate) : json_null());
    json_object_set_new(o, "rate_said_by", text_or_null(said_by));
    json_object_set_new(o, "file_start", frames ? weft_json_real(info.file_start) : json_null());
    json_object_set_new(o, "end_s", source->motion ? weft_json_real(info.duration) : json_null());
    json_array_append_new(list, o);
  }
  return list;
}
