/* weft render: run a scene or mesh on the GPU and draw one frame from the solver's own buffer. */
#include "cmd_render.h"

#include <math.h>
#include <string.h>

#include "drawing.h"
#include "render.h"
#include "solver_gl.h"
#include "watch.h"

typedef struct render_options {
  const char *output;
  uint32_t frame, width, height, samples, shadow_size;
  int view;                         /* weft_view_mode */
  float yaw, pitch, distance, zoom; /* degrees, degrees, metres, factor */
  float sun_yaw, sun_pitch;         /* degrees */
  weft_colour colour;
  weft_vec3 target;
  bool frame_given, yaw_given, pitch_given, sun_yaw_given, sun_pitch_given, colour_given,
      target_given;
} render_options;

#define AT(field) .offset = offsetof(render_options, field)
#define GIVEN(field) .given = offsetof(render_options, field)

static weft_result take_colour(void *base, const char *text, weft_error *err) {
  render_options *own = base;
  own->colour_given = true;
  weft_error why = {0};
  weft_result result = weft_colour_parse(text, &own->colour, &why);
  return result ? weft_fail(err, result, "--colour: %s", why.message) : WEFT_OK;
}

static const char *const views[] = {"shaded", "wire", NULL};

static const weft_option extra[] = {
    {.name = "output",
     .letter = 'o',
     .kind = WEFT_OPTION_TEXT,
     .argument = "FILE",
     .help = "the picture to write. Default: the scene's name with .png",
     AT(output)},
    {.name = "frame",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "which frame to draw, 0 for the rest pose. Default: the scene's own",
     AT(frame),
     GIVEN(frame_given),
     .low = 0,
     .high = 1e6},
    {.name = "width",
     .kind = WEFT_OPTION_COUNT,
     .argument = "PIXELS",
     .help = "of the picture. Default: 1280",
     AT(width),
     .low = 1,
     .high = WEFT_MAX_PICTURE_SIDE},
    {.name = "height",
     .kind = WEFT_OPTION_COUNT,
     .argument = "PIXELS",
     .help = "of the picture. Default: 720",
     AT(height),
     .low = 1,
     .high = WEFT_MAX_PICTURE_SIDE},
    {.name = "yaw",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "DEGREES",
     .help = "where the camera stands around the scene; 0 looks along -z.\n"
             "Default: the scene's own",
     AT(yaw),
     GIVEN(yaw_given),
     .low = -3600,
     .high = 3600},
    {.name = "pitch",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "DEGREES",
     .help = "of the camera above the horizon, -89 to 89. Default: the scene's own",
     AT(pitch),
     GIVEN(pitch_given),
     .low = -89,
     .high = 89},
    {.name = "target",
     .kind = WEFT_OPTION_VECTOR,
     .argument = "X,Y,Z",
     .help = "what the camera looks at, metres. Default: the scene's own",
     AT(target),
     GIVEN(target_given),
     .low = -1e5,
     .high = 1e5},
    {.name = "distance",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "METRES",
     .help = "of the camera from what it looks at. Default: so that it fills\nthe picture",
     AT(distance),
     .low = 1e-3,
     .high = 1e5},
    {.name = "zoom",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "FACTOR",
     .help = "shows the scene this much larger. Default: 1",
     AT(zoom),
     .low = 0.01,
     .high = 100},
    {.name = "view",
     .kind = WEFT_OPTION_CHOICE,
     .argument = "NAME",
     .help = "shaded, or wire to see the mesh as well. Default: shaded",
     AT(view),
     .choices = views},
    {.name = "colour",
     .kind = WEFT_OPTION_CUSTOM,
     .argument = "RRGGBB",
     .help = "dye of the cloth, or the name of a fabric to take it from.\n"
             "Default: the fabric's own",
     .take = take_colour},
    {.name = "sun-yaw",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "DEGREES",
     .help = "where the sun stands, as for the camera. Default: to the camera's left",
     AT(sun_yaw),
     GIVEN(sun_yaw_given),
     .low = -3600,
     .high = 3600},
    {.name = "sun-pitch",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "DEGREES",
     .help = "of the sun above the horizon, -89 to 89. Default: 46",
     AT(sun_pitch),
     GIVEN(sun_pitch_given),
     .low = -89,
     .high = 89},
    {.name = "samples",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "pictures to average; below 8 the sky casts no shadow. Default: 64",
     AT(samples),
     .low = 1,
     .high = WEFT_MAX_RENDER_SAMPLES},
    {.name = "shadow-size",
     .kind = WEFT_OPTION_COUNT,
     .argument = "TEXELS",
     .help = "side of a shadow map. Default: 2048",
     AT(shadow_size),
     .low = 16,
     .high = WEFT_MAX_PICTURE_SIDE},
};

/* ---- what it looks like ---- */

static float radians(float degrees) { return degrees * 0.017453292f; }

static weft_camera camera_of(const render_options *own, const weft_scene_instance *scene,
                             const weft_renderer_desc *desc) {
  float yaw = own->yaw_given ? radians(own->yaw) : scene->view_yaw;
  float pitch = own->pitch_given ? radians(own->pitch) : scene->view_pitch;
  weft_camera camera = weft_camera_around(scene->view_centre, scene->view_radius, yaw, pitch,
                                          desc->width, desc->height);
  if (own->target_given) camera.target = own->target;
  if (own->distance > 0) camera.distance = own->distance;
  if (own->zoom > 0) {
    camera.fov = 2 * atanf(tanf(camera.fov / 2) / own->zoom);
  }
  return camera;
}

static void set_sun(const render_options *own, weft_picture *picture) {
  if (!own->sun_yaw_given && !own->sun_pitch_given) return;
  picture->sun_set = true;
  picture->sun_yaw = own->sun_yaw_given ? radians(own->sun_yaw) : picture->camera.yaw - radians(49);
  picture->sun_pitch = radians(own->sun_pitch_given ? own->sun_pitch : 46);
}

/* ---- the run ---- */

typedef struct run {
  const weft_app_options *options;
  const render_options *own;
  weft_app_session session;
  weft_renderer *renderer;
  weft_image image;
  bool output_failed;
} run;

static weft_result simulate(run *r, weft_error *err) {
  uint32_t frames = r->own->frame_given ? r->own->frame : r->session.scene.still_frame;
  weft_app_watch watch;
  weft_result result = weft_app_watch_open(&r->session.scene, r->session.solver, &watch, err);
  for (uint32_t f = 0; f < frames && result == WEFT_OK; ++f) {
    weft_app_progress("simulating", f, frames);
    result = weft_app_watch_step(&watch, f + 1 == frames, err);
  }
  weft_app_progress_clear();
  weft_app_watch_close(&watch);
  return result;
}

static weft_renderer_desc renderer_desc(const run *r) {
  return (weft_renderer_desc){
      .width = r->own->width ? r->own->width : 1280,
      .height = r->own->height ? r->own->height : 720,
      .samples = r->own->samples,
      .shadow_size = r->own->shadow_size,
  };
}

static weft_result draw(run *r, const weft_renderer_desc *desc, weft_error *err) {
  const weft_scene_instance *scene = &r->session.scene;
  weft_picture picture = {
      .look = weft_app_look_of(scene->name, r->options->fabric ? r->options->fabric->name : NULL,
                               r->own->colour_given ? &r->own->colour : NULL),
      .camera = camera_of(r->own, scene, desc),
      .centre = scene->view_centre,
      .radius = 1.3f * scene->view_radius,
      .mode = (weft_view_mode)r->own->view,
      .colliders = scene->params.colliders,
      .collider_count = scene->params.collider_count,
      .time = weft_solver_time(r->session.solver),
  };
  weft_app_ground_of(scene, &picture);
  set_sun(r->own, &picture);
  if (!weft_solver_gl_view(r->session.solver, WEFT_BUFFER_X, &picture.positions)) {
    return weft_fail(err, WEFT_ERROR_GL, "the solver's positions are not in a GL buffer");
  }
  weft_result result = weft_renderer_draw(r->renderer, &picture, err);
  if (result == WEFT_OK) result = weft_renderer_read(r->renderer, &r->image, err);
  return result;
}

static weft_result write_picture(run *r, weft_error *err) {
  char name[300];
  snprintf(name, sizeof name, "%.200s.png", r->session.scene.name);
  const char *path = r->own->output ? r->own->output : name;
  weft_result result = weft_image_write_png(&r->image, path, err);
  r->output_failed = result != WEFT_OK;
  if (result == WEFT_OK) {
    printf("%s: frame %llu, %u x %u pixels\n", path,
           (unsigned long long)weft_solver_frame(r->session.solver), r->image.width,
           r->image.height);
  }
  return result;
}

/* The renderer is made first: a picture it refuses costs no simulation. */
static weft_result render(run *r, weft_error *err) {
  weft_result result = weft_app_session_open(r->options, false, &r->session, err);
  if (result != WEFT_OK) return result;
  weft_renderer_desc desc = renderer_desc(r);
  weft_app_drawing drawing;
  weft_app_drawing_of(&r->session.scene, &desc, &drawing);
  result = weft_renderer_create(r->session.gl, &desc, &r->renderer, err);
  weft_app_drawing_free(&drawing);
  if (result == WEFT_OK) result = simulate(r, err);
  weft_error stopped = {0};
  if (result == WEFT_ERROR_NOT_FINITE) { /* the solver is back in the last good frame */
    stopped = *err;
    result = WEFT_OK;
  }
  if (result == WEFT_OK) result = draw(r, &desc, err);
  if (result == WEFT_OK) result = write_picture(r, err);
  if (result == WEFT_OK && stopped.code != WEFT_OK) {
    result = weft_fail(err, stopped.code, "%s; the picture shows the last good frame, %llu",
                       stopped.message, (unsigned long long)weft_solver_frame(r->session.solver));
  }
  weft_free(r->image.pixels);
  weft_renderer_destroy(r->renderer);
  weft_app_session_close(&r->session);
  return result;
}

int weft_cmd_render(int argc, char **argv) {
  render_options own = {0};
  weft_app_options options;
  const weft_app_spec spec = {
      .command = "render",
      .arguments = "SCENE|FILE [options]",
      .summary =
          "Simulates a built-in scene or a mesh on the GPU and draws one frame to a PNG, "
          "without a\ndisplay.",
      .notes =
          "The state is looked at every 10th frame. A simulation that became infinite or NaN "
          "stops with\nstatus 5 and names the first frame, substep, pass and particle; the "
          "picture is then of\nthe last good frame.",
      .tables = WEFT_APP_SCENE | WEFT_APP_SIMULATION | WEFT_APP_GL,
      .extra = extra,
      .extra_count = sizeof extra / sizeof extra[0],
      .extra_base = &own,
  };
  int status;
  if (!weft_app_parse(&spec, argc, argv, &options, &status)) return status;
  weft_error err = {0};
  run r = {.options = &options, .own = &own};
  weft_result result = render(&r, &err);
  weft_app_options_free(&options);
  if (result == WEFT_OK) return WEFT_EXIT_OK;
  return r.output_failed ? weft_app_fail_output(&err) : weft_app_fail(&err);
}
