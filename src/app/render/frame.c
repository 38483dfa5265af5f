/* Camera, lights and what changes from sample to sample.
 *
 * Samples follow the R2 sequence (Roberts 2018, "The unreasonable effectiveness of quasirandom
 * sequences"): deterministic, and well spread at any count. */
#include <math.h>

#include "inspect.h"
#include "matrix.h"
#include "render_internal.h"

static const float pi = 3.14159265f;

/* Irradiance over pi across the beam with the sun at its default height, and radiance of the sky.
 */
static const weft_colour sun_colour = {1.24f, 1.10f, 0.92f};
static const weft_colour zenith = {0.19f, 0.27f, 0.38f}, horizon = {0.66f, 0.71f, 0.76f};
static const weft_colour glow = {0.34f, 0.29f, 0.20f}; /* around the sun */
static const weft_colour haze = {0.05f, 0.10f, 0.20f}; /* what an air mass takes from the beam */
static const weft_colour ground = {0.43f, 0.42f, 0.40f};
static const float ground_seen = 0.5f; /* what is lit of the ground near things that cast shadows */
static const float sun_pitch = 0.80f;  /* radians */
static const float sun_disc = 0.045f;  /* radians; larger than the real one: softer */
static const float lowest_sky = 0.06f; /* sine of the lowest patch's elevation */
static const uint32_t patches_at_least = 16; /* of sky, in a whole picture */

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
  return direction(picture->camera.yaw - 1.0f, sun_pitch);
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

static weft_colour mixed(weft_colour a, weft_colour b, float t) {
  return (weft_colour){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

/* As sky.glsl has it. */
static weft_colour sky_radiance(weft_vec3 from, weft_vec3 sun) {
  float low = powf(1 - fmaxf(from.y, 0), 4);
  float near = powf(0.5f + 0.5f * weft_v3_dot(from, sun), 8);
  weft_colour c = mixed(zenith, horizon, low);
  return (weft_colour){c.r + near * glow.r, c.g + near * glow.g, c.b + near * glow.b};
}

/* Less, and redder, the longer its way through the air (air mass after Young 1994, simplified). */
static weft_colour sun_beam(weft_vec3 sun) {
  if (!(sun.y > 0)) return (weft_colour){0, 0, 0};
  float more = 1 / (sun.y + 0.05f) - 1 / (sinf(sun_pitch) + 0.05f);
  return (weft_colour){sun_colour.r * expf(-haze.r * more), sun_colour.g * expf(-haze.g * more),
                       sun_colour.b * expf(-haze.b * more)};
}

/* Real spherical harmonics up to the second order, without their constants. */
static void harmonics(weft_vec3 d, float y[9]) {
  const float all[9] = {
      1, d.y, d.z, d.x, d.x * d.y, d.y * d.z, 3 * d.z * d.z - 1, d.x * d.z, d.x * d.x - d.y * d.y};
  for (int k = 0; k < 9; ++k) y[k] = all[k];
}

/* What the whole sky sheds on a surface, over pi, as harmonics of its normal (Ramamoorthi and
 * Hanrahan 2001, "An efficient representation for irradiance environment maps"). */
static void sky_irradiance(weft_vec3 sun, vec4 light[9]) {
  enum { HIGH = 24, AROUND = 48 };
  /* squares of the constants, times 1, 2/3 and 1/4 of the cosine's own */
  static const float weight[9] = {0.0795775f, 0.1591549f, 0.1591549f, 0.1591549f, 0.2984155f,
                                  0.2984155f, 0.0248680f, 0.2984155f, 0.0746039f};
  for (int k = 0; k < 9; ++k) light[k] = (vec4){0, 0, 0, 0};
  for (int j = 0; j < HIGH; ++j) {
    float up = ((float)j + 0.5f) / HIGH, flat = sqrtf(1 - up * up);
    for (int i = 0; i < AROUND; ++i) {
      float angle = 2 * pi * ((float)i + 0.5f) / AROUND, y[9];
      weft_vec3 from = weft_v3(flat * cosf(angle), up, flat * sinf(angle));
      weft_colour c = sky_radiance(from, sun);
      harmonics(from, y);
      for (int k = 0; k < 9; ++k) {
        float part = weight[k] * y[k] * 2 * pi / (HIGH * AROUND);
        light[k].x += part * c.r;
        light[k].y += part * c.g;
        light[k].z += part * c.b;
      }
    }
  }
}

static weft_colour level_light(const vec4 light[9]) {
  const float up[9] = {1, 1, 0, 0, 0, 0, -1, 0, -1};
  weft_colour c = {0, 0, 0};
  for (int k = 0; k < 9; ++k) {
    c.r += up[k] * light[k].x;
    c.g += up[k] * light[k].y;
    c.b += up[k] * light[k].z;
  }
  return c;
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

static float fov_of(const weft_camera *c) { return c->fov > 0 ? c->fov : 0.45f; }

static mat4 camera_matrix(const weft_picture *picture, const weft_render_targets *targets,
                          point2 inside_pixel, weft_vec3 *eye) {
  const weft_camera *c = &picture->camera;
  float width = (float)targets->width, height = (float)targets->height;
  *eye = weft_v3_add(c->target, weft_v3_scale(direction(c->yaw, c->pitch), c->distance));
  float away = weft_v3_length(weft_v3_sub(*eye, picture->centre));
  /* A high and narrow picture has the floor at the feet of the camera in it. */
  float near = 0.05f * (away + picture->radius);
  float far = away + 12 * picture->radius;
  mat4 projection = weft_mat4_perspective(fov_of(c), width / height, near, far);
  mat4 shift = weft_mat4_shift((2 * inside_pixel.x - 1) / width, (2 * inside_pixel.y - 1) / height);
  return weft_mat4_multiply(shift,
                            weft_mat4_multiply(projection, weft_mat4_look_at(*eye, c->target)));
}

uint32_t weft_frame_patches(const weft_render_targets *targets, uint32_t samples) {
  if (targets->quick) return 1;
  uint32_t each = (patches_at_least + samples - 1) / samples;
  return each < WEFT_RENDER_SKY_MAPS ? each : WEFT_RENDER_SKY_MAPS;
}

static void fill_lights(const weft_picture *picture, const weft_render_targets *targets,
                        uint32_t index, uint32_t samples, weft_render_frame *frame) {
  weft_vec3 middle = sun_direction(picture), sun = sun_sample(picture, index, samples);
  float reach = shadow_radius(picture), side = 2 * reach;
  uint32_t patches = weft_frame_patches(targets, samples);
  frame->sun_matrix = light_matrix(picture, reach, sun);
  frame->sun = pack(sun, side / (float)targets->shadow_size[0]);
  frame->sun_light = pack_colour(sun_beam(middle), 1, sun_disc / sqrtf((float)samples));
  for (uint32_t m = 0; m < patches; ++m) {
    weft_vec3 sky = targets->quick ? weft_v3(0, 1, 0) : sky_sample(index * patches + m);
    frame->sky_matrix[m] = light_matrix(picture, reach, sky);
    frame->sky[m] = pack(sky, side / (float)targets->shadow_size[1]);
  }
  frame->sky_shape = (vec4){(float)patches, sqrtf(2.0f / (float)(patches * samples)), 0, 0};
  uint32_t few = patches > 1;
  frame->taps = samples == 1 ? (vec4){8, 20, 12, 6}
                : few        ? (vec4){10, 8, 4, 3}
                             : (vec4){4, 5, 4, 3};
  sky_irradiance(middle, frame->sky_light);
  frame->true_sun = pack(middle, 0);
}

static void fill_surroundings(const weft_picture *picture, const weft_render_targets *targets,
                              uint32_t index, weft_render_frame *frame) {
  weft_colour open = level_light(frame->sky_light);
  float sun = fmaxf(frame->true_sun.y, 0);
  float size = log2f(picture->radius);
  frame->bounce = (vec4){ground_seen * ground.r * (open.r + sun * frame->sun_light.x),
                         ground_seen * ground.g * (open.g + sun * frame->sun_light.y),
                         ground_seen * ground.b * (open.b + sun * frame->sun_light.z), 0};
  frame->ground = pack_colour(ground, 1, picture->ground_height);
  frame->floor =
      (vec4){0.5f * exp2f(roundf(size)), 5 * picture->radius, 1 / (float)WEFT_RENDER_FLOOR_SIZE, 0};
  frame->zenith = pack_colour(zenith, 1, (float)(index % 64));
  frame->horizon = pack_colour(horizon, 1, 0);
  frame->glow = pack_colour(glow, 1, 0);
  frame->centre = pack(picture->centre, picture->radius);
  frame->origin = pack(picture->origin, 0);
  float width = (float)targets->width, height = (float)targets->height;
  frame->size = (vec4){width, height, 1 / width, 1 / height};
}

/* Through the corners of the picture. */
static void fill_rays(const weft_picture *picture, const weft_render_targets *targets,
                      weft_vec3 eye, weft_render_frame *frame) {
  const weft_camera *c = &picture->camera;
  weft_vec3 ahead = weft_v3_unit(weft_v3_sub(c->target, eye));
  weft_vec3 right = weft_v3(cosf(c->yaw), 0, -sinf(c->yaw)), up = weft_v3_cross(right, ahead);
  float high = tanf(fov_of(c) / 2), wide = high * (float)targets->width / (float)targets->height;
  weft_vec3 corner =
      weft_v3_sub(ahead, weft_v3_add(weft_v3_scale(right, wide), weft_v3_scale(up, high)));
  frame->ray[0] = pack(corner, 0);
  frame->ray[1] = pack(weft_v3_scale(right, 2 * wide), 0);
  frame->ray[2] = pack(weft_v3_scale(up, 2 * high), 0);
}

void weft_frame_fill(const weft_picture *picture, const weft_render_targets *targets,
                     uint32_t index, uint32_t samples, float cloth_edge, weft_render_frame *frame) {
  weft_vec3 eye;
  point2 centre = {0.5f, 0.5f}, jitter = turned(turned(r2(index), index), index);
  *frame = (weft_render_frame){0};
  frame->view_projection = camera_matrix(picture, targets, samples == 1 ? centre : jitter, &eye);
  frame->eye = pack(eye, fminf(0.75f * cloth_edge, 0.02f * picture->radius));
  fill_lights(picture, targets, index, samples, frame);
  fill_surroundings(picture, targets, index, frame);
  fill_rays(picture, targets, eye, frame);
}

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
  detail.pixels = (float)targets->shadow_size[light > 0] / (2 * shadow_radius(picture));
  return detail;
}

/* A yarn is to be about five pixels wide in the middle of the picture, if need be 64 times as thick
 * as it is. */
float weft_weave_level(const weft_picture *picture, uint32_t height) {
  const weft_camera *c = &picture->camera;
  float pixel = 2 * c->distance * tanf(fov_of(c) / 2) / (float)height;
  if (!(picture->look.yarn > 0)) return 0;
  return fminf(fmaxf(log2f(5 * pixel / picture->look.yarn), 0), 6);
}

void weft_material_of(const weft_fabric_look *look, float weave_level,
                      weft_render_material *material) {
  static const float ids[] = {WEFT_WEAVE_PLAIN_ID, WEFT_WEAVE_TWILL_ID, WEFT_WEAVE_KNIT_ID};
  static const float prints[] = {WEFT_PRINT_NONE_ID, WEFT_PRINT_STRIPES_ID, WEFT_PRINT_CHECK_ID,
                                 WEFT_PRINT_DOTS_ID};
  bool is_printed = look->print != WEFT_PRINT_NONE && look->repeat > 0;
  *material = (weft_render_material){
      .front = pack_colour(look->front, 1, fmaxf(look->sheen_roughness, 0.07f)),
      .back = pack_colour(look->back, 1, look->transmission),
      .sheen = pack_colour(look->sheen, 1, look->gloss),
      .weave = {look->yarn, ids[look->weave], 1, weave_level},
      .ink = pack_colour(look->ink, 1, is_printed ? prints[look->print] : 0),
      .print = {look->repeat, look->inked, 0, 0},
      .gloss = {look->roughness, 0.5f * look->roughness, 0, 0},
  };
}
