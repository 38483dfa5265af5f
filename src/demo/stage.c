/* stage.c: making, changing, stepping and drawing what is on. */
#include "stage.h"

#include <math.h>

#include "beside.h"
#include "touch.h"

static const double gust_seconds = 1;

/* ---- life ---- */

/* Replaces the solver; the new one starts in the rest pose, or where the old one is. */
static weft_result open_solver(weft_demo_stage *stage, const weft_model *model,
                               const weft_params *params, weft_error *err) {
  weft_params wanted = *params;
  wanted.grab = true;
  wanted.colliders = stage->scene.colliders;
  wanted.collider_count = stage->scene.params.collider_count;
  weft_solver *solver = NULL;
  weft_demo_tape tape = {0};
  weft_result result = weft_solver_create(model, &wanted, stage->backend, &solver, err);
  if (result == WEFT_OK && stage->solver) {
    result = weft_solver_take_state(solver, stage->solver, err);
  }
  if (result == WEFT_OK) result = weft_demo_tape_open(&tape, stage->gl, solver, err);
  if (result != WEFT_OK) {
    weft_solver_destroy(solver);
    return result;
  }
  weft_demo_tape_close(&stage->tape);
  weft_solver_destroy(stage->solver);
  stage->solver = solver;
  stage->tape = tape;
  stage->scene.params = wanted;
  stage->wind = weft_solver_params(solver)->wind;
  stage->led = WEFT_NO_PARTICLE;
  stage->dragged = WEFT_DEMO_NO_COLLIDER;
  weft_demo_beside_restart(stage, false);
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
                          .quality = stage->quality,
                          .hide_trails = stage->hide_trails,
                          .hide_twin = stage->hide_twin};
  weft_result result = next.host->make(next.host->user, choice, &next.scene, err);
  if (result == WEFT_OK) result = open_solver(&next, next.scene.model, &next.scene.params, err);
  if (result == WEFT_OK) result = weft_demo_beside_open(&next, err);
  if (result == WEFT_OK)
    result = weft_demo_stage_resize(&next, next.width, next.height, next.quality, err);
  if (result != WEFT_OK) {
    weft_demo_stage_close(&next);
    return result;
  }
  weft_demo_stage_close(stage);
  *stage = next;
  return WEFT_OK;
}

void weft_demo_stage_close(weft_demo_stage *stage) {
  weft_demo_beside_close(stage);
  weft_demo_tape_close(&stage->tape);
  weft_solver_destroy(stage->solver);
  weft_renderer_destroy(stage->renderer);
  weft_model_destroy(stage->repinned);
  weft_scene_free(&stage->scene);
  stage->repinned = NULL;
  stage->solver = NULL;
  stage->renderer = NULL;
}

/* ---- changing ---- */

weft_result weft_demo_stage_retune(weft_demo_stage *stage, const weft_params *params,
                                   weft_error *err) {
  return open_solver(stage, weft_solver_model(stage->solver), params, err);
}

weft_result weft_demo_stage_limit(weft_demo_stage *stage, double target, weft_params *params,
                                  weft_error *err) {
  weft_strain_choice *held = &stage->scene.held;
  params->colliders = stage->scene.colliders;
  params->collider_count = stage->scene.params.collider_count;
  if (target > 0) {
    return weft_params_hold_strain(weft_solver_model(stage->solver), target, held->kept, params,
                                   held, err);
  }
  *held = (weft_strain_choice){0};
  return WEFT_OK;
}

void weft_demo_stage_friction(weft_demo_stage *stage, float at_rest, float sliding) {
  for (uint32_t k = 0; k < stage->scene.params.collider_count; ++k) {
    stage->scene.colliders[k].friction_static = at_rest;
    stage->scene.colliders[k].friction_dynamic = sliding;
  }
}

weft_result weft_demo_stage_reset(weft_demo_stage *stage, weft_error *err) {
  stage->gusting = false;
  stage->led = WEFT_NO_PARTICLE;
  stage->dragged = WEFT_DEMO_NO_COLLIDER;
  weft_demo_tape_forget(&stage->tape);
  weft_result result = weft_solver_reset(stage->solver, err);
  weft_demo_beside_restart(stage, true);
  return result;
}

weft_result weft_demo_stage_blow(weft_demo_stage *stage, weft_vec3 peak, weft_error *err) {
  weft_result result = WEFT_OK;
  if (!(weft_solver_params(stage->solver)->air_density > 0)) {
    weft_params airy = *weft_solver_params(stage->solver);
    airy.air_density = 1.2f;
    airy.wind = weft_v3(0, 0, 0);
    result = weft_demo_stage_retune(stage, &airy, err);
  }
  stage->gust = peak;
  stage->gust_begin = weft_solver_time(stage->solver);
  stage->gusting = true;
  return result;
}

/* ---- the mouse ---- */

/* Particles are met from as far off as they stand apart. */
static float reach(const weft_demo_stage *stage) {
  const weft_model *model = stage->scene.model;
  if (weft_model_triangle_count(model) == 0) return weft_model_radius(model);
  return 1.2f * stage->scene.view_radius / sqrtf((float)weft_model_particle_count(model));
}

weft_result weft_demo_stage_pick(weft_demo_stage *stage, weft_ray ray, float slope, weft_hit *hit,
                                 weft_error *err) {
  ray.radius = reach(stage);
  ray.slope = slope;
  return weft_solver_pick(stage->solver, &ray, hit, err);
}

void weft_demo_stage_particle(weft_demo_stage *stage, uint32_t particle, weft_vec3 *position,
                              weft_vec3 *velocity) {
  vec4 x, v;
  weft_solver_read_buffer(stage->solver, WEFT_BUFFER_X, particle, 1, &x);
  weft_solver_read_buffer(stage->solver, WEFT_BUFFER_V, particle, 1, &v);
  *position = weft_v3(x.x, x.y, x.z);
  *velocity = weft_v3(v.x, v.y, v.z);
}

bool weft_demo_stage_pinned(const weft_demo_stage *stage, uint32_t particle) {
  return weft_model_inverse_masses(weft_solver_model(stage->solver))[particle] == 0;
}

weft_result weft_demo_stage_hold(weft_demo_stage *stage, uint32_t particle, weft_error *err) {
  weft_vec3 position, velocity;
  weft_demo_stage_particle(stage, particle, &position, &velocity);
  if (!weft_demo_stage_pinned(stage, particle)) {
    return weft_solver_grab(stage->solver, particle, position, err);
  }
  if (weft_scene_leads(&stage->scene, particle)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "pin %u is moved by the scene and cannot be dragged; ctrl and click frees it",
                     particle);
  }
  stage->led = particle;
  stage->led_at = stage->led_to = position;
  return WEFT_OK;
}

weft_result weft_demo_stage_pull(weft_demo_stage *stage, weft_vec3 target, weft_error *err) {
  stage->led_to = target;
  if (weft_solver_grabbed(stage->solver) == WEFT_NO_PARTICLE) return WEFT_OK;
  return weft_solver_move_grab(stage->solver, target, err);
}

void weft_demo_stage_let_go(weft_demo_stage *stage) {
  weft_solver_release(stage->solver);
  if (stage->dragged == WEFT_DEMO_NO_COLLIDER) weft_demo_beside_restart(stage, false);
  stage->led = WEFT_NO_PARTICLE;
  stage->dragged = WEFT_DEMO_NO_COLLIDER;
}

uint32_t weft_demo_stage_touch(const weft_demo_stage *stage, const weft_ray *ray, float *distance) {
  const weft_params *params = weft_solver_params(stage->solver);
  uint32_t first = WEFT_DEMO_NO_COLLIDER;
  *distance = INFINITY;
  for (uint32_t c = 0; c < params->collider_count; ++c) {
    float way = weft_demo_touch(&params->colliders[c], weft_solver_time(stage->solver), ray);
    if (way < 0 || way >= *distance) continue;
    *distance = way;
    first = c;
  }
  return first;
}

weft_vec3 weft_demo_stage_drag(weft_demo_stage *stage, uint32_t collider) {
  stage->dragged = collider;
  stage->drag_to = weft_solver_params(stage->solver)->colliders[collider].offset;
  return stage->drag_to;
}

void weft_demo_stage_drag_to(weft_demo_stage *stage, weft_vec3 offset) { stage->drag_to = offset; }

/* A pin that the scene moves is the user's from then on, also when it is pinned again: where it was
 * put, not torn back to where the scene would have it. */
weft_result weft_demo_stage_pin(weft_demo_stage *stage, uint32_t particle, weft_error *err) {
  weft_model *model = NULL;
  bool pinned = weft_demo_stage_pinned(stage, particle);
  weft_result result =
      weft_model_repinned(weft_solver_model(stage->solver), &particle, 1, !pinned, &model, err);
  if (result == WEFT_OK) {
    weft_params params = *weft_solver_params(stage->solver);
    params.wind = stage->wind;
    result = open_solver(stage, model, &params, err);
  }
  if (result != WEFT_OK) {
    weft_model_destroy(model);
    return result;
  }
  if (pinned && weft_scene_leads(&stage->scene, particle)) {
    weft_scene_let_go(&stage->scene, particle);
  }
  weft_model_destroy(stage->repinned);
  stage->repinned = model;
  return WEFT_OK;
}

/* ---- running ---- */

/* A pin follows no faster than this, so that a jerk cannot tear the cloth away with it. */
static const float fastest_pin = 6; /* m/s */
/* Nor a collider: cloth that is hit leaves no faster than it would be thrown. */
static const float fastest_collider = 3; /* m/s */

static weft_vec3 on_the_way(weft_vec3 from, weft_vec3 to, float max) {
  weft_vec3 way = weft_v3_sub(to, from);
  float far = weft_v3_length(way);
  return far > max ? weft_v3_add(from, weft_v3_scale(way, max / far)) : to;
}

static weft_vec3 next_led(weft_demo_stage *stage) {
  float max = fastest_pin * weft_solver_params(stage->solver)->frame_dt;
  stage->led_at = on_the_way(stage->led_at, stage->led_to, max);
  return stage->led_at;
}

static weft_vec3 next_offset(const weft_demo_stage *stage) {
  const weft_params *params = weft_solver_params(stage->solver);
  weft_vec3 now = params->colliders[stage->dragged].offset;
  return on_the_way(now, stage->drag_to, fastest_collider * params->frame_dt);
}

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

weft_result weft_demo_stage_step(weft_demo_stage *stage, weft_demo_times *times, weft_error *err) {
  weft_demo_input input = {.wind = wind_now(stage),
                           .hand = weft_solver_hand(stage->solver),
                           .pin = stage->led,
                           .collider = stage->dragged};
  if (stage->dragged != WEFT_DEMO_NO_COLLIDER) input.offset = next_offset(stage);
  if (stage->led != WEFT_NO_PARTICLE) input.pin_target = next_led(stage);
  weft_demo_tape_record(&stage->tape, stage->solver, &input);
  weft_result result = weft_demo_input_give(&input, stage->solver, err);
  if (result == WEFT_OK) {
    result = times ? weft_demo_times_step(times, &stage->scene, stage->solver, err)
                   : weft_scene_step(&stage->scene, stage->solver, err);
  }
  weft_demo_beside_step(stage);
  return result;
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
                                 const weft_demo_board *board, weft_error *err) {
  const weft_scene_instance *scene = &stage->scene;
  weft_picture picture = {.camera = *camera,
                          .centre = scene->view_centre,
                          .radius = 1.3f * scene->view_radius,
                          .mode = (weft_view_mode)board->view,
                          .solver = stage->solver,
                          .one_batch = board->batch >= 0,
                          .batch = board->batch >= 0 ? (uint32_t)board->batch : 0,
                          .pins = board->show_pins,
                          .one_particle = board->picked != WEFT_NO_PARTICLE,
                          .particle = board->picked,
                          .colliders = weft_solver_params(stage->solver)->colliders,
                          .collider_count = weft_solver_params(stage->solver)->collider_count,
                          .time = weft_solver_time(stage->solver)};
  stage->host->dress(stage->host->user, scene, &stage->choice, &picture);
  weft_demo_beside_show(stage, &picture);
  if (!weft_solver_gl_view(stage->solver, WEFT_BUFFER_X, &picture.positions)) {
    return weft_fail(err, WEFT_ERROR_GL, "the solver's positions are not in a GL buffer");
  }
  return weft_renderer_draw(stage->renderer, &picture, err);
}
