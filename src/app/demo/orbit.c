/* orbit.c: turning, moving and nearing. */
#include "orbit.h"

#include <math.h>

#include "base.h"

static const float turn = 0.007f;   /* radians a pixel */
static const float steepest = 1.5f; /* radians above or below the horizon */
static const double notch = 0.88;   /* of the distance */

void weft_demo_orbit(weft_camera *c, double dx, double dy) {
  c->yaw = remainderf(c->yaw - turn * (float)dx, 6.2831853f);
  c->pitch = fminf(fmaxf(c->pitch + turn * (float)dy, -steepest), steepest);
}

static weft_vec3 backward(const weft_camera *c) {
  return weft_v3(cosf(c->pitch) * sinf(c->yaw), sinf(c->pitch), cosf(c->pitch) * cosf(c->yaw));
}

static weft_vec3 rightward(const weft_camera *c) { return weft_v3(cosf(c->yaw), 0, -sinf(c->yaw)); }

static weft_vec3 upward(const weft_camera *c) { return weft_v3_cross(backward(c), rightward(c)); }

void weft_demo_pan(weft_camera *c, double dx, double dy, double height) {
  float metres = 2 * c->distance * tanf(c->fov / 2) / (float)fmax(height, 1);
  c->target = weft_v3_add(c->target, weft_v3_scale(rightward(c), -metres * (float)dx));
  c->target = weft_v3_add(c->target, weft_v3_scale(upward(c), metres * (float)dy));
}

void weft_demo_zoom(weft_camera *c, double notches, float nearest, float farthest) {
  float wanted = c->distance * (float)pow(notch, notches);
  c->distance = fminf(fmaxf(wanted, nearest), farthest);
}

weft_ray weft_demo_ray(const weft_camera *c, double x, double y, double width, double height) {
  float half = tanf(c->fov / 2);
  float across = half * (float)((2 * x - width) / height);
  float above = half * (float)((height - 2 * y) / height);
  weft_vec3 way = weft_v3_scale(backward(c), -1);
  way = weft_v3_add(way, weft_v3_scale(rightward(c), across));
  way = weft_v3_add(way, weft_v3_scale(upward(c), above));
  return (weft_ray){.origin = weft_v3_add(c->target, weft_v3_scale(backward(c), c->distance)),
                    .direction = way};
}

bool weft_demo_project(const weft_camera *c, weft_vec3 point, double width, double height,
                       double *x, double *y) {
  weft_vec3 eye = weft_v3_add(c->target, weft_v3_scale(backward(c), c->distance));
  weft_vec3 way = weft_v3_sub(point, eye);
  float reach = -weft_v3_dot(way, backward(c)) * tanf(c->fov / 2);
  if (!(reach > 0)) return false;
  *x = ((double)(weft_v3_dot(way, rightward(c)) / reach) * height + width) / 2;
  *y = (1 - (double)(weft_v3_dot(way, upward(c)) / reach)) * height / 2;
  return true;
}

weft_vec3 weft_demo_facing(const weft_camera *c, const weft_ray *ray, weft_vec3 point) {
  weft_vec3 normal = backward(c);
  float depth = weft_v3_dot(weft_v3_sub(point, ray->origin), normal);
  float along = depth / weft_v3_dot(ray->direction, normal);
  return weft_v3_add(ray->origin, weft_v3_scale(ray->direction, along));
}
