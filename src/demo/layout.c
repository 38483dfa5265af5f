/* layout.c: free room. */
#include "layout.h"

#include <math.h>

double weft_demo_free_width(const weft_demo_layout *l) {
  return fmax(l->width - l->left - l->right, l->width / 4);
}

double weft_demo_free_left(const weft_demo_layout *l) {
  return fmin(l->left, l->width - weft_demo_free_width(l));
}

void weft_demo_centre(weft_camera *camera, const weft_demo_layout *l) {
  double middle = weft_demo_free_left(l) + weft_demo_free_width(l) / 2;
  camera->aside[0] = (float)(2 * middle / fmax(l->width, 1) - 1);
}

weft_camera weft_demo_home_camera(const weft_scene_instance *scene, const weft_demo_layout *l) {
  weft_camera camera =
      weft_camera_around(scene->view_centre, scene->view_radius, scene->view_yaw, scene->view_pitch,
                         (uint32_t)fmax(weft_demo_free_width(l), 1), (uint32_t)fmax(l->height, 1));
  weft_demo_centre(&camera, l);
  return camera;
}
