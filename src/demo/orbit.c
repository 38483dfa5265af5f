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

void weft_demo_pan(weft_camera *c, double dx, double dy, double height) {
  float metres = 2 * c->distance * tanf(c->fov / 2) / (float)fmax(height, 1);
  weft_vec3 right = weft_v3(cosf(c->yaw), 0, -sinf(c->yaw));
  weft_vec3 up =
      weft_v3(-sinf(c->pitch) * sinf(c->yaw), cosf(c->pitch), -sinf(c->pitch) * cosf(c->yaw));
  c->target = weft_v3_add(c->target, weft_v3_scale(right, -metres * (float)dx));
  c->target = weft_v3_add(c->target, weft_v3_scale(up, metres * (float)dy));
}

void weft_demo_zoom(weft_camera *c, double notches, float nearest, float furthest) {
  float wanted = c->distance * (float)pow(notch, notches);
  c->distance = fminf(fmaxf(wanted, nearest), furthest);
}
