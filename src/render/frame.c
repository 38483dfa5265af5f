/* Camera, lights and what changes from sample to sample.
 *
 * Samples follow the R2 sequence (Roberts 2018, "The unreasonable effectiveness of quasirandom
 * sequences"): deterministic, and well spread at any count. */
#include <math.h>

#include "inspect.h"
#include "matrix.h"
#include "render_internal.h"

static const float pi = 3.14159265f;

static const vec4 fine_taps = {1, 1, 2, 1}, few_taps = {1, 2.5f, 1, 2};
/* Of half as many texels; reach as far. */
static const vec4 quick_taps = {1, 0.75f, 1, 0.5f};

static const weft_colour sun_colour = {3.10f, 2.86f, 2.50f};   /* irradiance across the beam */
static const weft_colour sky_zenith = {0.36f, 0.41f, 0.49f};   /* radiance */
static const weft_colour sky_horizon = {0.20f, 0.21f, 0.23f};  /* radiance */
static const weft_colour floor_bounce = {0.13f, 0.12f, 0.11f}; /* radiance */
static const float sun_disc = 0.060f;  /* radians; larger than the real one: softer */
static const float lowest_sky = 0.06f; /* sine of the lowest sampled elevation */
static const weft_colour backdrop_above = {0.33f, 0.365f, 0.41f};
static const weft_colour backdrop_below = {0.66f, 0.65f, 0.63f};

typedef struct point2 {
  float x, y; /* [0, 1) */
} point2;

static point2 r2(uint32_t index) {
  double n = index + 1.0, x = 0.5 + n * 0.7548776662466927, y = 0.5 + n * 0.5698402909980532;
  return (point2){(float)(x - floor(x)), (float)(y - floor(y))};
}

/* The golden-ratio sequence runs beside it, so that the three choices of a sample are unrelated. */
static point2 turned(point2 p, uint32_t index) {
  double t = index * 0.6180339887498949;
  float x = p.y + (float)(t - floor(t)), y = p.x + 0.37f;
  return (point2){x - floorf(x), y - floorf(y)};
}

static weft_vec3 direction(float yaw, float pitch) {
  return weft_v3(cosf(pitch) * sinf(yaw), sinf(pitch), cosf(pitch) * cosf(yaw));
}

weft_camera weft_camera_around(weft_vec3 centre, float radius, float yaw, float pitch,
                               uint32_t width, uint32_t height) {
  weft_camera camera = {centre, yaw, pitch, 0, 0.45f};
  float half = camera.fov / 2;
  if (width < height) half = atanf(tanf(half) * (float)width / (float)height);
  camera.distance = radius / sinf(half);
  return camera;
}

static vec4 pack(weft_vec3 v, float w) { return (vec4){v.x, v.y, v.z, w}; }

static vec4 pack_colour(weft_colour c, float scale, float w) {
  return (vec4){c.r * scale, c.g * scale, c.b * scale, w};
}

static weft_vec3 sun_direction(const weft_picture *picture) {
  if (picture->sun_set) return direction(picture->sun_yaw, picture->sun_pitch);
  return direction(picture->camera.yaw - 1.0f, 0.80f);
}

static weft_vec3 sun_sample(const weft_picture *picture, uint32_t index, uint32_t samples) {
  weft_vec3 middle = sun_direction(picture), u, v;
  if (samples == 1) return middle;
  point2 p = r2(index);
  float r = sun_disc * sqrtf(p.x), angle = 2 * pi * p.y;
  weft_square_to(middle, &u, &v);
  weft_vec3 offset =
      weft_v3_add(weft_v3_scale(u, r * cosf(angle)), weft_v3_scale(v, r * sinf(angle)));
  return weft_v3_unit(weft_v3_add(middle, offset));
}

static weft_vec3 sky_sample(uint32_t index) {
  point2 p = turned(r2(index), index);
  float y = lowest_sky + (1 - lowest_sky) * p.x, r = sqrtf(1 - y * y), angle = 2 * pi * p.y;
  return weft_v3(r * cosf(angle), y, r * sinf(angle));
}

static weft_colour sky_radiance(weft_vec3 from) {
  float t = from.y;
  return (weft_colour){sky_horizon.r + t * (sky_zenith.r - sky_horizon.r),
                       sky_horizon.g + t * (sky_zenith.g - sky_horizon.g),
                       sky_horizon.b + t * (sky_zenith.b - sky_horizon.b)};
}

/* Mean irradiance of a floor that nothing stands on, over all samples. */
static weft_colour open_floor(const weft_picture *picture, uint32_t samples) {
  double r = 0, g = 0, b = 0;
  bool sky = samples >= WEFT_MIN_SKY_SAMPLES;
  for (uint32_t i = 0; i < samples; ++i) {
    weft_vec3 sun = sun_sample(picture, i, samples), from = sky_sample(i);
    weft_colour l = sky_radiance(from);
    float ws = fmaxf(sun.y, 0), wk = sky ? 2 * pi * (1 - lowest_sky) * from.y : 0;
    float wa = sky ? 0 : pi;
    r += sun_colour.r * ws + l.r * wk + sky_zenith.r * wa;
    g += sun_colour.g * ws + l.g * wk + sky_zenith.g * wa;
    b += sun_colour.b * ws + l.b * wk + sky_zenith.b * wa;
  }
  return (weft_colour){(float)(r / samples), (float)(g / samples), (float)(b / samples)};
}

static float reach_of(const weft_picture *picture, const weft_collider *c) {
  weft_vec3 a, b;
  const weft_shape_info *shape = &weft_shape_infos[c->shape];
  if (shape->size == WEFT_SHAPE_ENDLESS) return 0;
  weft_collider_at(c, picture->time, &a, &b);
  float size = c->radius, from_a = weft_v3_length(weft_v3_sub(a, picture->centre)), from_b = 0;
  if (shape->axis) from_b = weft_v3_length(weft_v3_sub(b, picture->centre));
  if (shape->size == WEFT_SHAPE_HALF) size = weft_v3_length(c->half_size);
  return fmaxf(from_a, from_b) + size;
}

/* What the shadow maps hold: the ball around the picture, and shapes that stand out of it, or their
 * shadows would break off in the open; twice the ball at most, for the sake of detail. */
static float shadow_radius(const weft_picture *picture) {
  float r = picture->radius;
  for (uint32_t k = 0; k < picture->collider_count; ++k) {
    r = fmaxf(r, reach_of(picture, &picture->colliders[k]));
  }
  return fminf(r, 2 * picture->radius);
}

/* A ball of radius r around the picture as a light sees it, onto its shadow map. */
static mat4 light_matrix(const weft_picture *picture, float r, weft_vec3 towards) {
  weft_vec3 eye = weft_v3_add(picture->centre, weft_v3_scale(towards, 3 * r));
  mat4 view = weft_mat4_look_at(eye, picture->centre);
  mat4 clip = weft_mat4_multiply(weft_mat4_orthographic(r, 0, 6 * r), view);
  return weft_mat4_multiply(weft_mat4_to_texture(), clip);
}

static mat4 camera_matrix(const weft_picture *picture, const weft_render_targets *targets,
                          point2 inside_pixel, weft_vec3 *eye) {
  const weft_camera *c = &picture->camera;
  float width = (float)targets->width, height = (float)targets->height;
  *eye = weft_v3_add(c->target, weft_v3_scale(direction(c->yaw, c->pitch), c->distance));
  float away = weft_v3_length(weft_v3_sub(*eye, picture->centre));
  float near = fmaxf(away - 2 * picture->radius, 0.02f * (away + picture->radius));
  float far = away + 12 * picture->radius;
  mat4 projection = weft_mat4_perspective(c->fov > 0 ? c->fov : 0.45f, width / height, near, far);
  mat4 shift = weft_mat4_shift((2 * inside_pixel.x - 1) / width, (2 * inside_pixel.y - 1) / height);
  return weft_mat4_multiply(shift,
                            weft_mat4_multiply(projection, weft_mat4_look_at(*eye, c->target)));
}

void weft_frame_fill(const weft_picture *picture, const weft_render_targets *targets,
                     uint32_t index, uint32_t samples, float cloth_edge, weft_render_frame *frame) {
  bool sky_sampled = samples >= WEFT_MIN_SKY_SAMPLES;
  weft_vec3 sun = sun_sample(picture, index, samples), eye;
  weft_vec3 sky = sky_sampled ? sky_sample(index) : weft_v3(0, 1, 0);
  weft_colour open = open_floor(picture, samples);
  float reach = shadow_radius(picture), side = 2 * reach;
  point2 centre = {0.5f, 0.5f}, jitter = turned(turned(r2(index), index), index);
  *frame = (weft_render_frame){0};
  frame->view_projection = camera_matrix(picture, targets, samples == 1 ? centre : jitter, &eye);
  frame->sun_matrix = light_matrix(picture, reach, sun);
  frame->sky_matrix = light_matrix(picture, reach, sky);
  frame->eye = pack(eye, fminf(0.75f * cloth_edge, 0.02f * picture->radius));
  frame->sun = pack(sun, side / (float)targets->shadow_size[0]);
  frame->sun_light = pack_colour(sun_colour, sun.y > 0 ? 1 : 0, 0);
  frame->sky = pack(sky, side / (float)targets->shadow_size[1]);
  frame->sky_light = pack_colour(sky_radiance(sky), sky_sampled ? 2 * pi * (1 - lowest_sky) : 0, 0);
  frame->taps = sky_sampled ? fine_taps : targets->quick ? quick_taps : few_taps;
  frame->ambient_above = pack_colour(sky_zenith, sky_sampled ? 0 : 1, 0);
  frame->ambient_below = pack_colour(floor_bounce, 1, 0);
  frame->floor_light = (vec4){1 / open.r, 1 / open.g, 1 / open.b, picture->ground_height};
  frame->centre = pack(picture->centre, picture->radius);
  frame->backdrop_above = pack_colour(backdrop_above, 1, 0);
  frame->backdrop_below = pack_colour(backdrop_below, 1, 0);
  float width = (float)targets->width, height = (float)targets->height;
  frame->size = (vec4){width, height, 1 / width, 1 / height};
}

static float fov_of(const weft_camera *c) { return c->fov > 0 ? c->fov : 0.45f; }

weft_render_detail weft_frame_detail(const weft_picture *picture,
                                     const weft_render_targets *targets) {
  const weft_camera *c = &picture->camera;
  weft_render_detail detail = {0};
  if (!targets->quick) return detail;
  detail.eye = weft_v3_add(c->target, weft_v3_scale(direction(c->yaw, c->pitch), c->distance));
  detail.pixels = (float)targets->height / (2 * tanf(fov_of(c) / 2));
  return detail;
}

weft_render_detail weft_frame_light_detail(const weft_picture *picture,
                                           const weft_render_targets *targets, uint32_t light) {
  weft_render_detail detail = {.light = true};
  if (!targets->quick) return detail;
  detail.pixels = (float)targets->shadow_size[light] / (2 * shadow_radius(picture));
  return detail;
}

/* A yarn is to be about five pixels wide in the middle of the picture, if need be 64 times as thick
 * as it is. */
float weft_weave_level(const weft_picture *picture, uint32_t height) {
  const weft_camera *c = &picture->camera;
  float pixel = 2 * c->distance * tanf((c->fov > 0 ? c->fov : 0.45f) / 2) / (float)height;
  if (!(picture->look.yarn > 0)) return 0;
  return fminf(fmaxf(log2f(5 * pixel / picture->look.yarn), 0), 6);
}

void weft_material_of(const weft_fabric_look *look, float weave_level,
                      weft_render_material *material) {
  static const float ids[] = {WEFT_WEAVE_PLAIN_ID, WEFT_WEAVE_TWILL_ID, WEFT_WEAVE_KNIT_ID};
  *material = (weft_render_material){
      .front = pack_colour(look->front, 1, fmaxf(look->sheen_roughness, 0.07f)),
      .back = pack_colour(look->back, 1, look->transmission),
      .sheen = pack_colour(look->sheen, 1, 0),
      .weave = {look->yarn, ids[look->weave], 1, weave_level},
  };
}
