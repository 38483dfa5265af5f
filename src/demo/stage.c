/* stage.c: making, changing, stepping and drawing what is on. */
#include "stage.h"

#include <math.h>

static const double gust_seconds = 1;

/* ---- life ---- */

static weft_result open_solver(weft_demo_stage *stage, const weft_params *params, weft_error *err) {
  weft_solver *solver = NULL;
  weft_result result = weft_solver_create(stage->scene.model, params, stage->backend, &solver, err);
  if (result != WEFT_OK) return result;
  weft_demo_tape tape;
  result = weft_demo_tape_open(&tape, stage->gl, solver, err);
  if (result != WEFT_OK) {
    weft_solver_destroy(solver);
    return result;
  }
  weft_demo_tape_close(&stage->tape);
  weft_solver_destroy(stage->solver);
  stage->solver = solver;
  stage->tape = tape;
  stage->wind = solver->params.wind;
  return WEFT_OK;
}

weft_result weft_demo_stage_open(weft_demo_stage *stage, const weft_demo_choice *choice,
                                 weft_error *err) {
  weft_demo_stage next = {.host = stage->host,
                          .gl = stage->gl,
                          .backend = stage->backend,
                          .choice = *choice,
                          .width = stage->width,
                          .height = stage->height,
                          .quality = stage->quality};
  weft_result result = next.host->make(next.host->user, choice, &next.scene, err);
  if (result == WEFT_OK) result = open_solver(&next, &next.scene.params, err);
  if (result == WEFT_OK)
    result = weft_demo_stage_resize(&next, next.width, next.height, next.quality, err);
  if (result != WEFT_OK) {
    weft_demo_stage_close(&next);
    return result;
  }
  next.own = next.solver->params;
  next.own.colliders = next.scene.params.colliders;
  weft_demo_stage_close(stage);
  *stage = next;
  return WEFT_OK;
}

void weft_demo_stage_close(weft_demo_stage *stage) {
  weft_demo_tape_close(&stage->tape);
  weft_solver_destroy(stage->solver);
  weft_renderer_destroy(stage->renderer);
  weft_scene_free(&stage->scene);
  stage->solver = NULL;
  stage->renderer = NULL;
}

/* ---- changing ---- */

static weft_result move_state(weft_solver *from, weft_solver *to, weft_error *err) {
  uint32_t n = weft_model_particle_count(from->model);
  weft_vec3 *x = weft_alloc(2 * (size_t)n, sizeof *x);
  weft_result result = weft_solver_read(from, x, x + n, err);
  if (result == WEFT_OK) result = weft_solver_write(to, x, x + n, err);
  to->frame = from->frame;
  weft_free(x);
  return result;
}

weft_result weft_demo_stage_retune(weft_demo_stage *stage, const weft_params *params,
                                   weft_error *err) {
  weft_params wanted = *params;
  wanted.colliders = stage->scene.colliders;
  wanted.collider_count = stage->scene.params.collider_count;
  weft_solver *before = stage->solver;
  stage->solver = NULL;
  weft_result result = open_solver(stage, &wanted, err);
  if (result == WEFT_OK) result = move_state(before, stage->solver, err);
  if (result != WEFT_OK && stage->solver == NULL) {
    stage->solver = before;
    return result;
  }
  weft_solver_destroy(before);
  stage->scene.params = wanted;
  return result;
}

void weft_demo_stage_friction(weft_demo_stage *stage, float at_rest, float sliding) {
  for (uint32_t k = 0; k < stage->scene.params.collider_count; ++k) {
    stage->scene.colliders[k].friction_static = at_rest;
    stage->scene.colliders[k].friction_dynamic = sliding;
  }
}

weft_result weft_demo_stage_reset(weft_demo_stage *stage, weft_error *err) {
  stage->gusting = false;
  weft_demo_tape_forget(&stage->tape);
  return weft_solver_reset(stage->solver, err);
}

weft_result weft_demo_stage_blow(weft_demo_stage *stage, weft_vec3 peak, weft_error *err) {
  weft_result result = WEFT_OK;
  if (!(stage->solver->params.air_density > 0)) {
    weft_params airy = stage->solver->params;
    airy.air_density = 1.2f;
    airy.wind = weft_v3(0, 0, 0);
    result = weft_demo_stage_retune(stage, &airy, err);
  }
  stage->gust = peak;
  stage->gust_begin = weft_solver_time(stage->solver);
  stage->gusting = true;
  return result;
}

/* ---- running ---- */

static weft_vec3 wind_now(weft_demo_stage *stage) {
  if (!stage->gusting) return stage->wind;
  double part = (weft_solver_time(stage->solver) - stage->gust_begin) / gust_seconds;
  if (part > 1) {
    stage->gusting = false;
    return stage->wind;
  }
  double swell = sin(3.141592653589793 * part);
  return weft_v3_add(stage->wind, weft_v3_scale(stage->gust, (float)(swell * swell)));
}

weft_result weft_demo_stage_step(weft_demo_stage *stage, weft_error *err) {
  weft_demo_input input = {.wind = wind_now(stage)};
  weft_demo_tape_record(&stage->tape, stage->solver, &input);
  weft_result result = weft_demo_input_give(&input, stage->solver, err);
  return result == WEFT_OK ? weft_scene_step(&stage->scene, stage->solver, err) : result;
}

/* ---- drawing ---- */

weft_result weft_demo_stage_resize(weft_demo_stage *stage, uint32_t width, uint32_t height,
                                   weft_demo_quality quality, weft_error *err) {
  uint32_t part = quality == WEFT_DEMO_COARSE ? 2 : 1;
  weft_renderer_desc desc = {.width = (width + part - 1) / part,
                             .height = (height + part - 1) / part,
                             .samples = 1,
                             .multisamples = quality == WEFT_DEMO_FINE ? 4 : 1,
                             .shadow_size = 2048 / part};
  weft_renderer *renderer = NULL;
  weft_result result = stage->host->make_renderer(stage->host->user, &stage->scene, stage->gl,
                                                  &desc, &renderer, err);
  if (result != WEFT_OK) return result;
  weft_renderer_destroy(stage->renderer);
  stage->renderer = renderer;
  stage->width = width;
  stage->height = height;
  stage->quality = quality;
  stage->drawn_width = desc.width;
  stage->drawn_height = desc.height;
  return WEFT_OK;
}

weft_result weft_demo_stage_draw(weft_demo_stage *stage, const weft_camera *camera,
                                 weft_view_mode view, int32_t batch, weft_error *err) {
  const weft_scene_instance *scene = &stage->scene;
  weft_picture picture = {.camera = *camera,
                          .centre = scene->view_centre,
                          .radius = 1.3f * scene->view_radius,
                          .mode = view,
                          .solver = stage->solver,
                          .one_batch = batch >= 0,
                          .batch = batch >= 0 ? (uint32_t)batch : 0,
                          .colliders = scene->params.colliders,
                          .collider_count = scene->params.collider_count,
                          .time = weft_solver_time(stage->solver)};
  stage->host->dress(stage->host->user, scene, &stage->choice, &picture);
  if (!weft_solver_gl_view(stage->solver, WEFT_BUFFER_X, &picture.positions)) {
    return weft_fail(err, WEFT_ERROR_GL, "the solver's positions are not in a GL buffer");
  }
  return weft_renderer_draw(stage->renderer, &picture, err);
}
