/* render_job.h: what weft render was asked for, and the pieces it is made of. */
#ifndef WEFT_CLI_RENDER_JOB_H
#define WEFT_CLI_RENDER_JOB_H

#include "cli.h"
#include "numbered.h"
#include "pair.h"
#include "render.h"
#include "theory.h"
#include "video.h"
#include "watch.h"

/* The command's own options. */
typedef struct render_options {
  const char *output, *gallery;
  uint32_t frame, from, to, frames; /* of the simulation */
  uint32_t first_frame;             /* number of the start in the names of pictures */
  float fps, slow;                  /* 1/s, factor */
  uint32_t width, height, samples, shadow_size;
  weft_view_mode view;
  float view_range; /* in the unit of the view's legend */
  uint32_t batch, pick;
  bool pins;
  float yaw, pitch, orbit, distance, zoom; /* degrees, degrees, degrees/s, metres, factor */
  float sun_yaw, sun_pitch;                /* degrees */
  weft_colour colour;
  weft_vec3 target, box_min, box_max;
  bool first_given, frame_given, from_given, to_given, frames_given, yaw_given, pitch_given,
      sun_yaw_given, sun_pitch_given, colour_given, target_given, box_given, batch_given,
      pick_given, timing;
  bool no_trails, no_analytic, draft;
} render_options;

/* The table of these options; offsets into render_options. */
extern const weft_option weft_render_option_table[];
extern const size_t weft_render_option_count;

/* ---- which frames, and to where ---- */

typedef enum render_output {
  RENDER_ONE = 0, /* one PNG */
  RENDER_NUMBERED,
  RENDER_VIDEO,
} render_output;

typedef struct render_plan {
  render_output output;
  weft_video_format format;
  weft_numbered name;
  uint32_t first, last; /* frames of the simulation */
  uint32_t count;       /* pictures */
  double step;          /* simulated frames per picture; below 1 they repeat */
  double fps;           /* of the video */
  bool still;           /* the frame and the view that the scene names for its picture */
} render_plan;

/* Options that contradict each other, as WEFT_ERROR_ARGUMENT. */
weft_result weft_render_plan_check(const render_options *own, weft_error *err);
/* Of a range that is asked for: its last frame. */
uint32_t weft_render_last(const render_options *own);
/* Needs the scene: its still frame and the length of a simulated frame. */
void weft_render_plan_of(const render_options *own, uint32_t still_frame, double frame_dt,
                         render_plan *plan);
uint32_t weft_render_plan_frame(const render_plan *plan, uint32_t picture);

/* ---- one scene, from opening to closing ---- */

/* Work that is waited for, of what comes after the first picture: drivers compile until then. One
 * picture alone is timed all the same. */
typedef struct render_cost {
  double wall, cpu; /* seconds; of the processor by all threads: on a software driver, which is not
                       alone on its machine, the steadier of the two */
  uint32_t count;
} render_cost;
typedef struct render_timing {
  render_cost solver, renderer;
} render_timing;

/* What the scene is drawn beside: its own solver and pictures of half the width. */
typedef struct render_beside {
  weft_solver *solver; /* NULL: the scene is drawn alone */
  weft_watch watch;
  weft_pair pair;
  weft_caption captions[2]; /* of the last picture */
} render_beside;

typedef struct render_job {
  const weft_cli_options *options;
  const render_options *own;
  weft_cli_session session;
  render_beside beside;
  uint32_t width, height; /* of what is put out */
  uint32_t particle;      /* of --pick */
  weft_renderer_desc desc;
  weft_renderer *renderer;
  weft_watch watch;
  weft_cli_theory *theory; /* NULL where none is known */
  double apart;            /* m from it in the last picture; negative: not known */
  render_plan plan;
  weft_image image; /* the last picture */
  weft_video *video;
  uint32_t drawn;       /* pictures put out */
  uint32_t drawn_frame; /* the last one's frame of the simulation */
  uint32_t made;        /* of them, without those that repeat one */
  double started;       /* seconds, when drawing began, */
  double first_made;    /* and when the first was there */
  double told;          /* seconds that all of it takes, as was said last */
  render_timing timing;
  bool output_failed, cut;
} render_job;

/* Camera, light, cloth and colliders at a time; positions are left to the caller. */
void weft_render_picture_of(const render_job *job, double time, weft_picture *picture);

/* ---- render_beside.c: with a scene that is drawn alone these do nothing ---- */
weft_result weft_render_beside_open(render_job *job, weft_error *err);
void weft_render_beside_close(render_job *job);
weft_result weft_render_beside_step(render_job *job, bool look, weft_error *err);
/* Takes job->image, the scene's half, into a picture of both. */
weft_result weft_render_beside_draw(render_job *job, const weft_picture *picture, weft_error *err);
void weft_render_beside_tell(const render_job *job);

/* What the first Ctrl-C is answered with on a terminal. */
extern const char weft_render_advice[];

/* Whatever it returns, weft_render_job_close follows. */
weft_result weft_render_job_open(const weft_cli_options *options, const render_options *own,
                                 render_job *job, weft_error *err);
void weft_render_job_close(render_job *job);
/* Simulates and draws all that the plan says, until it is interrupted (job->cut). */
weft_result weft_render_job_run(render_job *job, weft_error *err);
/* Simulates up to a frame; stops before it when interrupted. */
weft_result weft_render_job_advance(render_job *job, uint32_t frame, weft_error *err);
weft_result weft_render_job_draw(render_job *job, weft_error *err);

/* All scenes, small, and a sheet of them; the exit status. */
int weft_render_gallery(const weft_cli_options *options, const render_options *own);

#endif
