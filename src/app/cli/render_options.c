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
    {.name = "output",
     .letter = 'o',
     .kind = WEFT_OPTION_TEXT,
     .argument = "FILE",
     .help = "the picture to write, or a video: .png, x-%04d.png, .mp4, .webm or .gif\n"
             "With one %0Nd in the name every frame of a range, numbered as in the simulation;\n"
             "videos are made by ffmpeg. Default: the scene's name with .png",
     .common = true,
     AT(output)},
    {.name = "gallery",
     .kind = WEFT_OPTION_TEXT,
     .argument = "DIR",
     .help = "draw every scene as DIR/SCENE.png, and all of them, half as large, on one sheet,\n"
             "DIR/gallery.png; takes no scene. Sizes are those the scenes name for it",
     AT(gallery)},
    {.name = "frame",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "which frame to draw, 0 for the rest pose. Default: that of the scene\n"
             "Without it the scene is seen as near as it fits",
     .common = true,
     AT(frame),
     GIVEN(frame_given),
     .low = 0,
     .high = 1e6},
    {.name = "from",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "first frame of a range. Default: 0",
     .common = true,
     AT(from),
     GIVEN(from_given),
     .low = 0,
     .high = 1e6},
    {.name = "to",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "last frame of a range. Default: 239 after the first",
     .common = true,
     AT(to),
     GIVEN(to_given),
     .low = 0,
     .high = 1e6},
    {.name = "frames",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "length of a range, instead of --to",
     AT(frames),
     GIVEN(frames_given),
     .low = 1,
     .high = 1e6},
    {.name = "first-frame",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "the number of the start in the names of numbered pictures. Default: 0",
     AT(first_frame),
     GIVEN(first_given),
     .low = 0,
     .high = 1e6},
    {.name = "fps",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "RATE",
     .help = "fps of a video; it shows the frames that fit its time, whatever\n"
             "their own rate. Default: 60, and 20 for .gif, which takes 50 at most",
     AT(fps),
     .low = 1,
     .high = 1000},
    {.name = "slow",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "FACTOR",
     .help = "slow motion: a second of a video shows 1/FACTOR s; below 1 it is faster. Where\n"
             "frames repeat, --dt makes finer ones. Default: 1",
     AT(slow),
     .low = 0.01,
     .high = 1000},
    {.name = "width",
     .kind = WEFT_OPTION_COUNT,
     .argument = "PIXELS",
     .help = "of the picture; an odd one becomes even in .mp4 and .webm. Default: 1280,\n"
             "800 for a gallery",
     AT(width),
     .low = 1,
     .high = WEFT_MAX_PICTURE_SIDE},
    {.name = "height",
     .kind = WEFT_OPTION_COUNT,
     .argument = "PIXELS",
     .help = "of the picture, likewise. Default: 720, 450 for a gallery",
     AT(height),
     .low = 1,
     .high = WEFT_MAX_PICTURE_SIDE},
    {.name = "yaw",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "DEGREES",
     .help = "where the camera stands around the scene; 0 looks along -z\n"
             "Default: that of the scene",
     .common = true,
     AT(yaw),
     GIVEN(yaw_given),
     .low = -3600,
     .high = 3600},
    {.name = "pitch",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "DEGREES",
     .help = "of the camera above the horizon, -89 to 89. Default: that of the scene",
     AT(pitch),
     GIVEN(pitch_given),
     .low = -89,
     .high = 89},
    {.name = "orbit",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "DEGREES",
     .help = "a turntable: the camera goes round by this angle in a simulated second, and the\n"
             "sun stands still. Default: 0",
     AT(orbit),
     .low = -3600,
     .high = 3600},
    {.name = "box",
     .kind = WEFT_OPTION_CUSTOM,
     .argument = "X,Y,Z,X,Y,Z",
     .help = "two corners of a box, metres: the camera looks at its middle, from where all of\n"
             "it is seen. Default: that of the scene",
     .take = take_box},
    {.name = "target",
     .kind = WEFT_OPTION_VECTOR,
     .argument = "X,Y,Z",
     .help = "what the camera looks at, metres. Default: that of the scene",
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
     .help = "shows the scene this much larger. Default: 1, that of the scene without --frame",
     AT(zoom),
     .low = 0.01,
     .high = 100},
    {.name = "view",
     .kind = WEFT_OPTION_CUSTOM,
     .argument = "NAME",
     .help = "what colours mean, as strain; --help all has all. Default: shaded\n"
             "shaded (fabric), wire (the mesh over it), strain (what is longer than at rest),\n"
             "compression (what is shorter), colours (batches of the\n"
             "graph colouring), bending (energy), bend-angle, velocity, contacts, gaps,\n"
             "tangled or normals; all but the first two with a legend",
     .common = true,
     .take = take_view},
    {.name = "view-range",
     .kind = WEFT_OPTION_NUMBER,
     .argument = "MAX",
     .help = "largest value of the view's legend, in its unit: percent, mJ/m^2,\n"
             "degrees or m/s. Default: the 99th percentile in the picture, of velocity the\n"
             "largest, rounded up",
     AT(view_range),
     .low = 1e-9,
     .high = 1e9},
    {.name = "batch",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "with --view colours: only this batch, counted from 0. Default: all\n"
             "that hold lengths",
     AT(batch),
     GIVEN(batch_given),
     .low = 0,
     .high = 1e6},
    {.name = "no-trails",
     .kind = WEFT_OPTION_FLAG,
     .help = "bead and pendulum: without the trail of the last 90 frames",
     AT(no_trails)},
    {.name = "no-analytic",
     .kind = WEFT_OPTION_FLAG,
     .help = "bead and pendulum: without the motion of theory beside weft's, and how far\n"
             "they are apart",
     AT(no_analytic)},
    {.name = "pins", .kind = WEFT_OPTION_FLAG, .help = "mark the pinned particles", AT(pins)},
    {.name = "pick",
     .kind = WEFT_OPTION_COUNT,
     .argument = "N",
     .help = "a ring around particle N, counted from 0",
     AT(pick),
     GIVEN(pick_given),
     .low = 0,
     .high = 4294967294.0},
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
     .help = "pictures to average. Default: 64, 16 for a gallery; where OpenGL is a software\n"
             "driver 4, 2 for a video",
     AT(samples),
     .low = 1,
     .high = WEFT_MAX_RENDER_SAMPLES},
    {.name = "draft",
     .kind = WEFT_OPTION_FLAG,
     .help = "a quick preview: half the default width and height, one sample, simpler meshes\n"
             "of round shapes and simpler shadows",
     AT(draft)},
    {.name = "timing",
     .kind = WEFT_OPTION_FLAG,
     .help = "say what solving a frame and drawing a picture cost, the first picture left\n"
             "out; the window draws as --samples 1 does",
     AT(timing)},
    {.name = "shadow-size",
     .kind = WEFT_OPTION_COUNT,
     .argument = "TEXELS",
     .help = "side of a shadow map. Default: 2048",
     AT(shadow_size),
     .low = 16,
     .high = WEFT_MAX_PICTURE_SIDE},
};

const size_t weft_render_option_count =
    sizeof weft_render_option_table / sizeof weft_render_option_table[0];
