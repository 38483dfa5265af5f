/* render_options.c: the options of weft render. */
#include <math.h>

#include "render_job.h"

#define AT(field) .offset = offsetof(render_options, field)
#define GIVEN(field) .given = offsetof(render_options, field)

static weft_result take_colour(void *base, const char *text, weft_error *err) {
  render_options *own = base;
  own->colour_given = true;
  weft_error why = {0};
  weft_result result = weft_colour_parse(text, &own->colour, &why);
  return result ? weft_fail(err, result, "--colour: %s", why.message) : WEFT_OK;
}

static weft_result take_box(void *base, const char *text, weft_error *err) {
  render_options *own = base;
  float n[6];
  weft_result result = weft_read_numbers("--box", text, -1e5, 1e5, 6, n, err);
  if (result != WEFT_OK) return result;
  own->box_given = true;
  own->box_min = weft_v3(fminf(n[0], n[3]), fminf(n[1], n[4]), fminf(n[2], n[5]));
  own->box_max = weft_v3(fmaxf(n[0], n[3]), fmaxf(n[1], n[4]), fmaxf(n[2], n[5]));
  if (weft_v3_length(weft_v3_sub(own->box_max, own->box_min)) >= 1e-3f) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--box: %s is smaller than a millimetre", text);
}

static weft_result take_view(void *base, const char *text, weft_error *err) {
  render_options *own = base;
  weft_error why = {0};
  weft_result result = weft_view_parse(text, &own->view, &why);
  return result ? weft_fail(err, result, "--view: %s", why.message) : WEFT_OK;
}

const weft_option weft_render_option_table[] = {
    OPTION(TEXT, "output", "FILE",
           "the picture to write, or a video: .png, x-%04d.png, .mp4, .webm or .gif\n"
           "With one %0Nd in the name every frame of a range, numbered as in the simulation;\n"
           "videos are made by ffmpeg. Default: the scene's name with .png",
           .letter = 'o', .common = true, AT(output)),
    OPTION(TEXT, "gallery", "DIR",
           "draw every scene as DIR/SCENE.png, and all of them, half as large, on one sheet,\n"
           "DIR/gallery.png; takes no scene. Sizes are those the scenes name for it",
           AT(gallery)),
    OPTION(COUNT, "frame", "N",
           "which frame to draw, 0 for the rest pose. Default: that of the scene\n"
           "Without it the scene is seen as near as it fits",
           .common = true, AT(frame), GIVEN(frame_given), RANGE(0, 1e6)),
    OPTION(COUNT, "from", "N", "first frame of a range. Default: 0", .common = true, AT(from),
           GIVEN(from_given), RANGE(0, 1e6)),
    OPTION(COUNT, "to", "N", "last frame of a range. Default: 239 after the first", .common = true,
           AT(to), GIVEN(to_given), RANGE(0, 1e6)),
    OPTION(COUNT, "frames", "N", "length of a range, instead of --to", AT(frames),
           GIVEN(frames_given), RANGE(1, 1e6)),
    OPTION(COUNT, "first-frame", "N",
           "the number of the start in the names of numbered pictures. Default: 0", AT(first_frame),
           GIVEN(first_given), RANGE(0, 1e6)),
    OPTION(NUMBER, "fps", "RATE",
           "fps of a video; it shows the frames that fit its time, whatever\n"
           "their own rate. Default: 60, and 20 for .gif, which takes 50 at most",
           AT(fps), RANGE(1, 1000)),
    OPTION(NUMBER, "slow", "FACTOR",
           "slow motion: a second of a video shows 1/FACTOR s; below 1 it is faster. Where\n"
           "frames repeat, --dt makes finer ones. Default: 1",
           AT(slow), RANGE(0.01, 1000)),
    OPTION(COUNT, "width", "PIXELS",
           "of the picture; an odd one becomes even in .mp4 and .webm. Default: 1280,\n"
           "800 for a gallery",
           AT(width), RANGE(1, WEFT_MAX_PICTURE_SIDE)),
    OPTION(COUNT, "height", "PIXELS", "of the picture, likewise. Default: 720, 450 for a gallery",
           AT(height), RANGE(1, WEFT_MAX_PICTURE_SIDE)),
    OPTION(NUMBER, "yaw", "DEGREES",
           "where the camera stands around the scene; 0 looks along -z\n"
           "Default: that of the scene",
           .common = true, AT(yaw), GIVEN(yaw_given), RANGE(-3600, 3600)),
    OPTION(NUMBER, "pitch", "DEGREES",
           "of the camera above the horizon, -89 to 89. Default: that of the scene", AT(pitch),
           GIVEN(pitch_given), RANGE(-89, 89)),
    OPTION(NUMBER, "orbit", "DEGREES",
           "a turntable: the camera goes round by this angle in a simulated second, and the\n"
           "sun stands still. Default: 0",
           AT(orbit), RANGE(-3600, 3600)),
    OPTION(CUSTOM, "box", "X,Y,Z,X,Y,Z",
           "two corners of a box, metres: the camera looks at its middle, from where all of\n"
           "it is seen. Default: that of the scene",
           .take = take_box),
    OPTION(VECTOR, "target", "X,Y,Z",
           "what the camera looks at, metres. Default: that of the scene", AT(target),
           GIVEN(target_given), RANGE(-1e5, 1e5)),
    OPTION(NUMBER, "distance", "METRES",
           "of the camera from what it looks at. Default: so that it fills\nthe picture",
           AT(distance), RANGE(1e-3, 1e5)),
    OPTION(NUMBER, "zoom", "FACTOR",
           "shows the scene this much larger. Default: 1, that of the scene without --frame",
           AT(zoom), RANGE(0.01, 100)),
    OPTION(CUSTOM, "view", "NAME",
           "what colours mean, as strain; --help all has all. Default: shaded\n"
           "shaded (fabric), wire (the mesh over it), strain (what is longer than at rest),\n"
           "compression (what is shorter), colours (batches of the\n"
           "graph colouring), bending (energy), bend-angle, velocity, contacts, gaps,\n"
           "tangled or normals; all but the first two with a legend",
           .common = true, .take = take_view),
    OPTION(NUMBER, "view-range", "MAX",
           "largest value of the view's legend, in its unit: percent, mJ/m^2,\n"
           "degrees or m/s. Default: the 99th percentile in the picture, of velocity the\n"
           "largest, rounded up",
           AT(view_range), RANGE(1e-9, 1e9)),
    OPTION(COUNT, "batch", "N",
           "with --view colours: only this batch, counted from 0. Default: all\n"
           "that hold lengths",
           AT(batch), GIVEN(batch_given), RANGE(0, 1e6)),
    OPTION(FLAG, "no-trails", NULL, "bead and pendulum: without the trail of the last 90 frames",
           AT(no_trails)),
    OPTION(FLAG, "no-analytic", NULL,
           "bead and pendulum: without the motion of theory beside weft's, and how far\n"
           "they are apart",
           AT(no_analytic)),
    OPTION(FLAG, "pins", NULL, "mark the pinned particles", AT(pins)),
    OPTION(COUNT, "pick", "N", "a ring around particle N, counted from 0", AT(pick),
           GIVEN(pick_given), RANGE(0, 4294967294.0)),
    OPTION(CUSTOM, "colour", "RRGGBB",
           "dye of the cloth, or the name of a fabric to take it from.\n"
           "Default: the fabric's own",
           .take = take_colour),
    OPTION(NUMBER, "sun-yaw", "DEGREES",
           "where the sun stands, as for the camera. Default: to the camera's left", AT(sun_yaw),
           GIVEN(sun_yaw_given), RANGE(-3600, 3600)),
    OPTION(NUMBER, "sun-pitch", "DEGREES", "of the sun above the horizon, -89 to 89. Default: 46",
           AT(sun_pitch), GIVEN(sun_pitch_given), RANGE(-89, 89)),
    OPTION(COUNT, "samples", "N",
           "pictures to average. Default: 64, 16 for a gallery; where OpenGL is a software\n"
           "driver 4, 2 for a video",
           AT(samples), RANGE(1, WEFT_MAX_RENDER_SAMPLES)),
    OPTION(FLAG, "draft", NULL,
           "a quick preview: half the default width and height, one sample, simpler meshes\n"
           "of round shapes and simpler shadows",
           AT(draft)),
    OPTION(FLAG, "timing", NULL,
           "say what solving a frame and drawing a picture cost, the first picture left\n"
           "out; the window draws as --samples 1 does",
           AT(timing)),
    OPTION(COUNT, "shadow-size", "TEXELS", "side of a shadow map. Default: 2048", AT(shadow_size),
           RANGE(16, WEFT_MAX_PICTURE_SIDE)),
};

const size_t weft_render_option_count =
    sizeof weft_render_option_table / sizeof weft_render_option_table[0];
