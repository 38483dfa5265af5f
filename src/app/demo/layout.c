/* layout.c: free room. */
#include "layout.h"

#include <math.h>

weft_demo_layout weft_demo_layout_of(int width, int height, double left, double right) {
  int across = width - (int)ceil(left) - (int)ceil(right);
  weft_demo_layout layout = {width, height, (int)ceil(left), across};
  if (across >= width / 4) return layout;
  layout.across = width / 4;
  if (layout.left + layout.across > width) layout.left = width - layout.across;
  return layout;
}

/* How far the camera has to be from its target to have a point within the picture's width. */
static float distance_for(const weft_camera *c, weft_vec3 point, float half_width) {
  weft_vec3 way = weft_v3_sub(point, c->target);
  float right = way.x * cosf(c->yaw) - way.z * sinf(c->yaw);
  float behind = cosf(c->pitch) * (way.x * sinf(c->yaw) + way.z * cosf(c->yaw));
  return fabsf(right) / half_width + behind + way.y * sinf(c->pitch);
}

weft_camera weft_demo_home_camera(const weft_scene_instance *scene, int width, int height) {
  static const float margin = 0.95f, farthest = 1.6f;
  weft_camera c = weft_camera_around(scene->view_centre, scene->view_radius, scene->view_yaw,
                                     scene->view_pitch, (uint32_t)width, (uint32_t)height);
  float half_width = margin * tanf(c.fov / 2) * (float)width / (float)height;
  const weft_vec3 *points = weft_model_rest_positions(scene->model);
  float wanted = c.distance, most = farthest * c.distance;
  for (uint32_t i = 0; i < weft_model_particle_count(scene->model); ++i) {
    wanted = fmaxf(wanted, distance_for(&c, points[i], half_width));
  }
  c.distance = fminf(wanted, most);
  return c;
}
