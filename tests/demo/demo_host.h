/* demo_host.h: sessions of the demo without its program and its window. */
#ifndef WEFT_TESTS_DEMO_HOST_H
#define WEFT_TESTS_DEMO_HOST_H

#include <string.h>
#include <weft_kit/import.h>

#include "rig_gl.h"
/* after cmocka */
#include "session.h"

static weft_beside scenes_beside; /* of scenes made from now on */

/* BALL.json moves the mesh of BALL. */
static weft_result read_body(const char *file, weft_scene_body *source, weft_error *err) {
  const char *moved = strstr(file, ".json");
  if (!moved) return weft_mesh_import(file, NULL, &source->mesh, err);
  char mesh[200];
  snprintf(mesh, sizeof mesh, "%.*s", (int)(moved - file), file);
  const weft_motion_desc desc = {.motion = file, .mesh = mesh};
  return weft_motion_load(&desc, &source->motion, err);
}

static weft_result make(void *user, const weft_demo_choice *choice, weft_scene_instance *scene,
                        weft_error *err) {
  const weft_scene_options options = {
      .size = choice->size ? choice->size : 16,
      .material = choice->fabric < 0 ? NULL : weft_material_at((uint32_t)choice->fabric)};
  weft_result result = weft_scene_make(weft_scene_find(user), &options, scene, err);
  if (result != WEFT_OK) return result;
  scene->beside = scenes_beside;
  for (uint32_t b = 0; b < choice->body_count && result == WEFT_OK; ++b) {
    weft_scene_body source = {0};
    result = read_body(choice->bodies[b], &source, err);
    const weft_body like = {.friction_static = 0.4f, .friction_dynamic = 0.3f};
    if (result == WEFT_OK) result = weft_scene_add_body(scene, &source, &like, err);
  }
  if (result != WEFT_OK) weft_scene_free(scene);
  return result;
}

static weft_result make_renderer(void *user, const weft_demo_choice *choice,
                                 const weft_scene_instance *scene, weft_gl *context,
                                 weft_renderer_desc *desc, weft_renderer **renderer,
                                 weft_error *err) {
  (void)user, (void)choice;
  desc->bodies = scene->params.bodies;
  desc->body_count = scene->params.body_count;
  desc->particle_count = weft_model_particle_count(scene->model);
  desc->triangle_count = weft_model_triangle_count(scene->model);
  desc->triangles = weft_model_triangles(scene->model);
  desc->rest_positions = weft_model_rest_positions(scene->model);
  return weft_renderer_create(context, desc, renderer, err);
}

static void dress(void *user, const weft_scene_instance *scene, const weft_demo_choice *choice,
                  weft_picture *picture) {
  (void)user, (void)scene, (void)choice;
  picture->look = weft_fabric_look_of(NULL);
  picture->ground = true;
}

static inline void open_session_with(weft_demo_host *host, const char *scene,
                                     const weft_demo_choice *choice, weft_demo_session *session) {
  weft_error err = {0};
  *host = (weft_demo_host){.user = (void *)(uintptr_t)scene,
                           .make = make,
                           .make_renderer = make_renderer,
                           .dress = dress};
  *session = (weft_demo_session){
      .host = host, .gl = test_gl, .width = 240, .height = 200, .quality = WEFT_DEMO_PLAIN};
  if (weft_backend_gl(test_gl, &session->backend, &err) != WEFT_OK ||
      weft_demo_session_open(session, choice, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
}

static inline void open_session(weft_demo_host *host, const char *scene,
                                weft_demo_session *session) {
  open_session_with(host, scene, &(weft_demo_choice){.fabric = -1, .bending = -1}, session);
}

static inline void step(weft_demo_session *session, int frames) {
  weft_error err = {0};
  for (int f = 0; f < frames; ++f) {
    if (weft_demo_session_step(session, NULL, &err) != WEFT_OK) fail_msg("%s", err.message);
  }
}

static inline weft_vec3 offset_of(const weft_demo_session *session, uint32_t collider) {
  return weft_solver_params(session->solver)->colliders[collider].offset;
}

static inline weft_demo_shape cast(weft_demo_session *session, const weft_ray *ray, float *way) {
  weft_demo_shape shape;
  weft_error err = {0};
  if (weft_demo_session_ray_cast(session, ray, &shape, way, &err)) fail_msg("%s", err.message);
  return shape;
}

static inline weft_camera camera_of(const weft_demo_session *session) {
  const weft_scene_instance *s = &session->scene;
  return weft_camera_around(s->view_centre, s->view_radius, s->view_yaw, s->view_pitch, 240, 200);
}

static inline weft_image draw(weft_demo_session *session) {
  weft_image image = {0};
  weft_error err = {0};
  weft_camera camera = camera_of(session);
  const weft_demo_ui ui = {.batch = -1, .picked = WEFT_NO_PARTICLE};
  bool moves;
  if (weft_demo_session_compose(session, &camera, &ui, &moves, &err) != WEFT_OK ||
      weft_demo_session_draw(session, &err) != WEFT_OK ||
      weft_renderer_read(session->renderer, &image, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  return image;
}

/* Bytes that are not nearly the same. */
static inline size_t differing(const weft_image *a, const weft_image *b) {
  size_t count = 0;
  for (size_t i = 0; i < (size_t)3 * a->width * a->height; ++i) {
    count += abs(a->pixels[i] - b->pixels[i]) > 8;
  }
  return count;
}

static inline void expect_equal(weft_demo_session *session, const char *when) {
  weft_demo_verdict verdict;
  weft_error err = {0};
  if (weft_demo_replay_validate(&session->replay, &session->scene, session->solver, "gl", &verdict,
                                &err)) {
    fail_msg("%s", err.message);
  }
  if (!verdict.equal || !verdict.compared) fail_msg("%s: %s", when, verdict.text);
}

#endif
