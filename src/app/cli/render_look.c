/* render_look.c: from a scene and the options to a picture: camera and light. */
#include <math.h>

#include "drawing.h"
#include "render_job.h"

static float radians(float degrees) { return degrees * 0.017453292f; }

/* A turntable goes by simulated time, so that a frame looks the same wherever it is drawn. */
static float yaw_of(const render_options *own, const weft_scene_instance *scene, double time) {
  float yaw = own->yaw_given ? radians(own->yaw) : scene->view_yaw;
  return yaw + radians((float)fmod(own->orbit * time, 360));
}

/* What options say of the camera comes before what the scene says, piece by piece. */
static weft_camera camera_of(const render_job *job, double time) {
  const render_options *own = job->own;
  const weft_scene_instance *scene = &job->session.scene;
  const weft_scene_still *still = &scene->still;
  bool nearer = job->plan.still && still->zoom > 0 && !own->box_given && !(own->distance > 0);
  weft_vec3 centre = scene->view_centre;
  float radius = scene->view_radius;
  if (own->box_given) {
    centre = weft_v3_scale(weft_v3_add(own->box_min, own->box_max), 0.5f);
    radius = weft_v3_length(weft_v3_sub(own->box_max, own->box_min)) / 2;
  }
  float pitch = own->pitch_given ? radians(own->pitch) : scene->view_pitch;
  weft_camera camera = weft_camera_around(centre, radius, yaw_of(own, scene, time), pitch,
                                          job->desc.width, job->desc.height);
  if (nearer) camera.target = still->target;
  if (own->target_given) camera.target = own->target;
  if (own->distance > 0) camera.distance = own->distance;
  float zoom = own->zoom > 0 ? own->zoom : nearer ? still->zoom : 1;
  if (zoom != 1) camera.fov = 2 * atanf(tanf(camera.fov / 2) / zoom);
  return camera;
}

/* The sun stands still while the camera goes round. */
static void set_sun(const render_options *own, const weft_scene_instance *scene,
                    weft_picture *picture) {
  if (!own->sun_yaw_given && !own->sun_pitch_given && own->orbit == 0) return;
  float yaw = own->sun_yaw_given ? radians(own->sun_yaw) : yaw_of(own, scene, 0) - radians(49);
  picture->sun_set = true;
  picture->sun_yaw = yaw;
  picture->sun_pitch = radians(own->sun_pitch_given ? own->sun_pitch : 46);
}

void weft_render_picture_of(const render_job *job, double time, weft_picture *picture) {
  const weft_cli_options *options = job->options;
  const render_options *own = job->own;
  const weft_scene_instance *scene = &job->session.scene;
  *picture = (weft_picture){
      .look =
          weft_cli_look_of(scene->name, options->setup.fabric ? options->setup.fabric->name : NULL,
                           own->colour_given ? &own->colour : NULL),
      .camera = camera_of(job, time),
      .centre = scene->view_centre,
      .radius = 1.3f * scene->view_radius,
      .mode = own->view,
      .view_range = own->view_range,
      .one_batch = own->batch_given,
      .batch = own->batch,
      .pins = own->pins,
      .one_particle = own->pick_given,
      .particle = job->particle,
      .colliders = scene->params.colliders,
      .collider_count = scene->params.collider_count,
      .time = time,
  };
  weft_cli_ground_of(scene, picture);
  weft_cli_figure_of(scene, picture);
  set_sun(own, scene, picture);
}
