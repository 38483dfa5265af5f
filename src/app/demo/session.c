/* session.c: making, changing, stepping and drawing what is on. */
#include "session.h"

#include <math.h>
#include <string.h>
#include <weft/change.h>

#include "overlay.h"
#include "ray_cast.h"

static const double gust_seconds = 1;

/* ---- life ---- */

static bool lends_air(const weft_demo_session *session, const weft_params *params) {
  return session->gusting && !(params->air_density > 0);
}

/* As a solver gets them. */
static weft_params complete(const weft_demo_session *session, const weft_params *params) {
  weft_params wanted = *params;
  wanted.grab = true;
  if (lends_air(session, params)) wanted.air_density = WEFT_AIR;
  wanted.colliders = session->scene.colliders;
  wanted.collider_count = session->scene.params.collider_count;
  wanted.bodies = session->scene.bodies;
  wanted.body_count = session->scene.params.body_count;
  return wanted;
}

static void take_up(weft_demo_session *session, const weft_params *params) {
  session->scene.params = complete(session, params);
  session->lent_air = lends_air(session, params);
  session->wind = weft_solver_params(session->solver)->wind;
  weft_demo_replay_forget(&session->replay);
  weft_demo_overlay_restart(session, false);
  session->changes++;
  session->tunings++;
}

/* Replaces the solver; the new one starts in the rest pose, or where the old one is. */
static weft_result open_solver(weft_demo_session *session, const weft_params *params,
                               weft_error *err) {
  const weft_params wanted = complete(session, params);
  weft_solver *solver = NULL, *beside = NULL;
  weft_result result = weft_demo_beside_follow(session, err);
  if (result == WEFT_OK) {
    result = weft_demo_session_make(session, &wanted, session->solver, &solver, err);
  }
  if (result == WEFT_OK) result = weft_demo_beside_make(session, &wanted, &beside, err);
  if (result != WEFT_OK) {
    weft_solver_destroy(solver);
    return result;
  }
  weft_solver_destroy(session->solver);
  weft_solver_destroy(session->beside.solver);
  session->solver = solver;
  session->beside.solver = beside;
  session->led = WEFT_NO_PARTICLE;
  session->dragged = (weft_demo_shape){0};
  take_up(session, params);
  return WEFT_OK;
}

weft_result weft_demo_session_open(weft_demo_session *session, const weft_demo_choice *choice,
                                   weft_error *err) {
  weft_demo_session next = {.host = session->host,
                            .gl = session->gl,
                            .backend = session->backend,
                            .replay = {.gl = session->gl},
                            .choice = *choice,
                            .width = session->width,
                            .height = session->height,
                            .quality = session->quality,
                            .hide_trails = session->hide_trails,
                            .hide_analytic = session->hide_analytic};
  weft_result result = next.host->make(next.host->user, choice, &next.scene, err);
  if (result == WEFT_OK) result = open_solver(&next, &next.scene.params, err);
  if (result == WEFT_OK) result = weft_demo_overlay_open(&next, err);
  if (result == WEFT_OK)
    result = weft_demo_session_resize(&next, next.width, next.height, next.quality, err);
  if (result != WEFT_OK) {
    weft_demo_session_close(&next);
    return result;
  }
  next.own = weft_demo_session_params(&next);
  next.own_held = next.scene.held;
  weft_demo_session_close(session);
  *session = next;
  return WEFT_OK;
}

void weft_demo_session_close(weft_demo_session *session) {
  weft_demo_overlay_close(session);
  weft_demo_beside_close(session);
  weft_demo_replay_close(&session->replay);
  weft_solver_destroy(session->solver);
  weft_renderer_destroy(session->renderer);
  weft_scene_free(&session->scene);
  session->solver = NULL;
  session->renderer = NULL;
}

/* ---- changing ---- */

weft_params weft_demo_session_params(const weft_demo_session *session) {
  weft_params params = *weft_solver_params(session->solver);
  params.wind = session->wind;
  if (session->lent_air) params.air_density = 0;
  return params;
}

static weft_result choose(weft_demo_session *session, const weft_model *model, weft_params *params,
                          weft_error *err) {
  weft_strain_choice *held = &session->scene.held;
  if (!held->by_default && held->target == 0) return WEFT_OK;
  weft_params p = complete(session, params);
  p.grab = session->pulled;
  if (lends_air(session, params)) p.wind = weft_v3(0, 0, 0);
  if (session->gusting) p.wind = weft_v3_add(p.wind, session->gust);
  weft_result result = weft_scene_hold(&session->scene, model, held->by_default ? 0 : held->target,
                                       held->kept, &p, held, err);
  if (result != WEFT_OK || held->target == 0) return result;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    if (weft_keep_bit(k)) weft_param_copy(params, &p, k);
  }
  return WEFT_OK;
}

weft_result weft_demo_session_choose(weft_demo_session *session, weft_params *params,
                                     weft_error *err) {
  return choose(session, weft_solver_model(session->solver), params, err);
}

/* Whether it takes another solver: friction, which solvers keep as it was when they were made, and
 * self-collision switched on, which has to know what crosses at the start, as a replay does. */
static bool needs_solver(const weft_demo_session *session, const weft_params *wanted) {
  const weft_model *model = weft_solver_model(session->solver);
  const weft_params *now = weft_solver_params(session->solver);
  bool other = weft_self_active(model, wanted) && !weft_self_active(model, now);
  for (uint32_t c = 0; c < now->collider_count; ++c) {
    other |= now->colliders[c].friction_static != wanted->colliders[c].friction_static ||
             now->colliders[c].friction_dynamic != wanted->colliders[c].friction_dynamic;
  }
  for (uint32_t b = 0; b < now->body_count; ++b) {
    other |= now->bodies[b].friction_static != wanted->bodies[b].friction_static ||
             now->bodies[b].friction_dynamic != wanted->bodies[b].friction_dynamic ||
             now->bodies[b].thickness != wanted->bodies[b].thickness;
  }
  return other;
}

weft_result weft_demo_session_retune(weft_demo_session *session, const weft_params *params,
                                     weft_error *err) {
  const weft_params wanted = complete(session, params),
                    before = *weft_solver_params(session->solver);
  if (needs_solver(session, &wanted)) return open_solver(session, params, err);
  weft_result result = weft_demo_beside_follow(session, err);
  if (result == WEFT_OK) result = weft_solver_set_params(session->solver, &wanted, err);
  if (result != WEFT_OK) return result;
  result = weft_demo_beside_retune(session, &wanted, err);
  if (result != WEFT_OK) {
    weft_solver_set_params(session->solver, &before, NULL);
    return result;
  }
  take_up(session, params);
  return WEFT_OK;
}

/* Keeps the limit of strain where wind, mouse or pins have changed. */
static weft_result adapt(weft_demo_session *session, weft_error *err) {
  const weft_params now = weft_demo_session_params(session);
  weft_params wanted = now;
  weft_result result = weft_demo_session_choose(session, &wanted, err);
  bool same = lends_air(session, &now) == session->lent_air;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) same &= weft_param_same(&wanted, &now, k);
  if (result != WEFT_OK || same) return result;
  return weft_demo_session_retune(session, &wanted, err);
}

/* ---- another fabric, or a body more ---- */

static weft_renderer_desc describe_renderer(weft_demo_session *session, uint32_t width,
                                            uint32_t height, weft_demo_quality quality) {
  bool coarse = quality == WEFT_DEMO_COARSE;
  uint32_t part = coarse ? 2 : 1;
  weft_demo_beside_halve(session, &width, &height);
  return (weft_renderer_desc){.width = (width + part - 1) / part,
                              .height = (height + part - 1) / part,
                              .samples = 1,
                              .multisamples = quality == WEFT_DEMO_FINE ? 4 : 1,
                              .soft_edges = coarse,
                              .thin = coarse,
                              .quick = weft_gl_is_software(session->gl)};
}

/* What the user changed of shapes, and where bodies were dragged to. */
static void carry_shapes(const weft_scene_instance *from, weft_scene_instance *to) {
  for (uint32_t c = 0; c < from->params.collider_count && c < to->params.collider_count; ++c) {
    to->colliders[c].friction_static = from->colliders[c].friction_static;
    to->colliders[c].friction_dynamic = from->colliders[c].friction_dynamic;
  }
  for (uint32_t b = 0; b < from->params.body_count && b < to->params.body_count; ++b) {
    const weft_mesh *mesh = to->bodies[b].mesh;
    to->bodies[b] = from->bodies[b];
    to->bodies[b].mesh = mesh;
    to->body_sources[b].offset = from->body_sources[b].offset;
  }
}

void weft_demo_session_carry(weft_params *params, const weft_params *from, const weft_params *to) {
  weft_params carried = *to;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    const bool shown = weft_param_infos[k].panel.part != WEFT_PANEL_NONE;
    if (shown && !weft_param_same(params, from, k)) weft_param_copy(&carried, params, k);
  }
  *params = carried;
}

static weft_result go_on_as(weft_demo_session *session, weft_scene_instance *scene,
                            weft_params *params, weft_error *err) {
  weft_params own;
  weft_scene_instance old = session->scene;
  weft_result result = weft_params_resolve(&scene->params, &own, err);
  if (result != WEFT_OK) return result;
  carry_shapes(&old, scene);
  weft_demo_session_carry(params, &session->own, &own);
  session->scene = *scene;
  session->scene.held = old.held;
  result = choose(session, scene->model, params, err);
  if (result == WEFT_OK) result = open_solver(session, params, err);
  if (result != WEFT_OK) {
    session->scene = old;
    return result;
  }
  for (uint32_t i = 0; old.let_go && i < weft_model_particle_count(scene->model); ++i) {
    if (old.let_go[i]) weft_scene_let_go(&session->scene, i);
  }
  session->own = own;
  session->own_held = scene->held;
  weft_scene_free(&old);
  return WEFT_OK;
}

/* Renderers know the bodies of a scene, but nothing of fabrics. */
static weft_result go_on_seen_as(weft_demo_session *session, const weft_demo_choice *choice,
                                 weft_scene_instance *scene, weft_params *params, weft_error *err) {
  if (weft_model_particle_count(scene->model) != weft_model_particle_count(session->scene.model)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "another fabric makes another mesh here");
  }
  weft_renderer *renderer = NULL;
  weft_result result = WEFT_OK;
  if (scene->params.body_count != session->scene.params.body_count) {
    weft_renderer_desc desc =
        describe_renderer(session, session->width, session->height, session->quality);
    result = session->host->make_renderer(session->host->user, choice, scene, session->gl, &desc,
                                          &renderer, err);
  }
  if (result == WEFT_OK) result = go_on_as(session, scene, params, err);
  if (result != WEFT_OK) {
    weft_renderer_destroy(renderer);
    return result;
  }
  if (!renderer) return WEFT_OK;
  weft_renderer_destroy(session->renderer);
  session->renderer = renderer;
  return WEFT_OK;
}

weft_result weft_demo_session_recut(weft_demo_session *session, const weft_demo_choice *choice,
                                    weft_params *params, weft_error *err) {
  weft_scene_instance scene = {0};
  weft_result result = session->host->make(session->host->user, choice, &scene, err);
  if (result != WEFT_OK) return result;
  result = go_on_seen_as(session, choice, &scene, params, err);
  if (result != WEFT_OK) {
    weft_scene_free(&scene);
    return result;
  }
  session->choice = *choice;
  session->drawn = false;
  return WEFT_OK;
}

void weft_demo_session_friction(weft_demo_session *session, float at_rest, float sliding) {
  for (uint32_t k = 0; k < session->scene.params.collider_count; ++k) {
    session->scene.colliders[k].friction_static = at_rest;
    session->scene.colliders[k].friction_dynamic = sliding;
  }
}

weft_result weft_demo_session_reset(weft_demo_session *session, weft_error *err) {
  session->gusting = session->pulled = false;
  session->led = WEFT_NO_PARTICLE;
  session->dragged = (weft_demo_shape){0};
  for (uint32_t b = 0; b < session->scene.params.body_count; ++b) {
    session->scene.body_sources[b].offset = weft_v3(0, 0, 0);
  }
  weft_result result = adapt(session, err);
  weft_demo_replay_forget(&session->replay);
  if (result == WEFT_OK) result = weft_solver_reset(session->solver, err);
  if (result == WEFT_OK && session->beside.solver) {
    result = weft_solver_reset(session->beside.solver, err);
  }
  weft_demo_overlay_restart(session, true);
  session->changes++;
  return result;
}

weft_result weft_demo_session_blow(weft_demo_session *session, weft_vec3 peak, weft_error *err) {
  session->gust = peak;
  session->gust_begin = weft_solver_time(session->solver);
  session->gusting = true;
  weft_result result = adapt(session, err);
  if (result != WEFT_OK) session->gusting = false;
  return result;
}

static weft_result end_gust(weft_demo_session *session, weft_error *err) {
  if (session->lent_air) {
    weft_log(WEFT_LOG_DEBUG, "the gust is over, and there is no air again");
  }
  session->gusting = false;
  return adapt(session, err);
}

/* ---- the mouse ---- */

/* A ray finds particles within the distance between neighbours. */
static float reach(const weft_demo_session *session) {
  const weft_model *model = session->scene.model;
  if (weft_model_triangle_count(model) == 0) return weft_model_radius(model);
  return 1.2f * session->scene.view_radius / sqrtf((float)weft_model_particle_count(model));
}

weft_result weft_demo_session_pick(weft_demo_session *session, weft_ray ray, float slope,
                                   weft_hit *hit, weft_error *err) {
  ray.radius = reach(session);
  ray.slope = slope;
  return weft_solver_pick(weft_demo_beside_pointed(session), &ray, hit, err);
}

void weft_demo_session_particle(weft_demo_session *session, uint32_t particle, weft_vec3 *position,
                                weft_vec3 *velocity) {
  weft_solver *solver = weft_demo_beside_pointed(session);
  vec4 x, v;
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, particle, 1, &x);
  weft_solver_read_buffer(solver, WEFT_BUFFER_V, particle, 1, &v);
  *position = weft_solver_placed(solver, x);
  *velocity = weft_v3(v.x, v.y, v.z);
}

bool weft_demo_session_pinned(const weft_demo_session *session, uint32_t particle) {
  return weft_model_is_pinned(weft_solver_model(session->solver), particle);
}

weft_result weft_demo_session_hold(weft_demo_session *session, uint32_t particle, weft_error *err) {
  weft_vec3 position, velocity;
  weft_demo_session_particle(session, particle, &position, &velocity);
  const bool pinned = weft_demo_session_pinned(session, particle);
  if (pinned && weft_scene_leads(&session->scene, particle)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "pin %u is moved by the scene and cannot be dragged; ctrl and click frees it",
                     particle);
  }
  const bool pulled = session->pulled;
  session->pulled = true;
  weft_result result = adapt(session, err);
  if (result != WEFT_OK) {
    session->pulled = pulled;
    return result;
  }
  if (!pinned) return weft_solver_grab(session->solver, particle, position, err);
  session->led = particle;
  session->led_at = session->led_to = position;
  return WEFT_OK;
}

weft_result weft_demo_session_pull(weft_demo_session *session, weft_vec3 target, weft_error *err) {
  session->led_to = target;
  if (weft_solver_grabbed(session->solver) == WEFT_NO_PARTICLE) return WEFT_OK;
  return weft_solver_move_grab(session->solver, target, err);
}

void weft_demo_session_let_go(weft_demo_session *session) {
  weft_solver_release(session->solver);
  if (session->dragged.kind == WEFT_DEMO_NO_SHAPE) weft_demo_overlay_restart(session, false);
  session->changes++;
  session->led = WEFT_NO_PARTICLE;
  session->dragged = (weft_demo_shape){0};
}

/* As it stands in the solver, whatever cloth holds back. */
static weft_result cast_on_body(const weft_demo_session *session, uint32_t b, const weft_ray *ray,
                                float *way, weft_error *err) {
  const weft_mesh *mesh = session->scene.bodies[b].mesh;
  weft_vec3 *positions = weft_alloc(mesh->vertex_count, sizeof *positions);
  weft_result result = weft_solver_read_body(weft_demo_beside_pointed(session), b, positions, err);
  if (result == WEFT_OK) *way = weft_demo_ray_cast_mesh(mesh, positions, ray);
  weft_free(positions);
  return result;
}

weft_result weft_demo_session_ray_cast(const weft_demo_session *session, const weft_ray *ray,
                                       weft_demo_shape *shape, float *distance, weft_error *err) {
  const weft_params *params = weft_solver_params(session->solver);
  weft_result result = WEFT_OK;
  *shape = (weft_demo_shape){0};
  *distance = INFINITY;
  for (uint32_t k = 0; k < params->collider_count + params->body_count; ++k) {
    bool body = k >= params->collider_count;
    uint32_t index = body ? k - params->collider_count : k;
    float way = -1;
    if (!body) {
      way = weft_demo_ray_cast(&params->colliders[k], weft_solver_time(session->solver), ray);
    } else if (!(session->hidden >> index & 1)) {
      result = cast_on_body(session, index, ray, &way, err);
      if (result != WEFT_OK) return result;
    }
    if (way < 0 || way >= *distance) continue;
    *distance = way;
    *shape = (weft_demo_shape){body ? WEFT_DEMO_BODY : WEFT_DEMO_COLLIDER, index};
  }
  return WEFT_OK;
}

weft_vec3 weft_demo_session_offset(const weft_demo_session *session, weft_demo_shape shape) {
  return shape.kind == WEFT_DEMO_BODY
             ? session->scene.body_sources[shape.index].offset
             : weft_solver_params(session->solver)->colliders[shape.index].offset;
}

weft_vec3 weft_demo_session_drag(weft_demo_session *session, weft_demo_shape shape) {
  session->dragged = shape;
  session->drag_to = weft_demo_session_offset(session, shape);
  return session->drag_to;
}

void weft_demo_session_drag_to(weft_demo_session *session, weft_vec3 offset) {
  session->drag_to = offset;
}

/* A pin that the scene moves is the user's from then on, also when it is pinned again: where it was
 * put, not torn back to where the scene would have it. */
weft_result weft_demo_session_pin(weft_demo_session *session, uint32_t particle, weft_error *err) {
  const bool pinned = weft_demo_session_pinned(session, particle);
  weft_result result = weft_demo_beside_follow(session, err);
  if (result == WEFT_OK) {
    result = weft_solver_set_pins(session->solver, &particle, 1, !pinned, err);
  }
  if (result != WEFT_OK) return result;
  result = weft_demo_beside_pin(session, particle, !pinned, err);
  if (result != WEFT_OK) {
    weft_solver_set_pins(session->solver, &particle, 1, pinned, NULL);
    return result;
  }
  if (pinned && weft_scene_leads(&session->scene, particle)) {
    weft_scene_let_go(&session->scene, particle);
  }
  session->led = WEFT_NO_PARTICLE;
  weft_demo_replay_forget(&session->replay);
  session->changes++;
  return adapt(session, err);
}

/* ---- running ---- */

/* A pin follows no faster than this, so that a jerk cannot tear the cloth away with it. */
static const float fastest_pin = 6; /* m/s */
/* Nor a shape: cloth that is hit leaves no faster than it would be thrown. */
static const float fastest_shape = 3; /* m/s */

static weft_vec3 on_the_way(weft_vec3 from, weft_vec3 to, float max) {
  weft_vec3 way = weft_v3_sub(to, from);
  float far = weft_v3_length(way);
  return far > max ? weft_v3_add(from, weft_v3_scale(way, max / far)) : to;
}

static weft_vec3 next_led(weft_demo_session *session) {
  float max = fastest_pin * weft_solver_params(session->solver)->frame_dt;
  session->led_at = on_the_way(session->led_at, session->led_to, max);
  return session->led_at;
}

static weft_vec3 next_offset(const weft_demo_session *session) {
  weft_vec3 now = weft_demo_session_offset(session, session->dragged);
  float dt = weft_solver_params(session->solver)->frame_dt;
  return on_the_way(now, session->drag_to, fastest_shape * dt);
}

/* Of its time; above 1 it is over. */
static double part_of_gust(const weft_demo_session *session) {
  return (weft_solver_time(session->solver) - session->gust_begin) / gust_seconds;
}

static weft_vec3 wind_now(const weft_demo_session *session) {
  weft_vec3 still = session->lent_air ? weft_v3(0, 0, 0) : session->wind;
  if (!session->gusting) return still;
  double swell = sin(3.141592653589793 * part_of_gust(session));
  return weft_v3_add(still, weft_v3_scale(session->gust, (float)(swell * swell)));
}

weft_result weft_demo_session_step(weft_demo_session *session, weft_demo_times *times,
                                   weft_error *err) {
  weft_result result = WEFT_OK;
  if (session->gusting && part_of_gust(session) > 1) result = end_gust(session, err);
  if (result != WEFT_OK) return result;
  weft_demo_input input = {.wind = wind_now(session),
                           .grab = weft_solver_grab_state(session->solver),
                           .pin = session->led,
                           .shape = session->dragged};
  if (session->dragged.kind != WEFT_DEMO_NO_SHAPE) input.offset = next_offset(session);
  if (session->led != WEFT_NO_PARTICLE) input.pin_target = next_led(session);
  weft_demo_replay_record(&session->replay, &session->scene, session->solver, &input);
  result = weft_demo_input_give(&input, &session->scene, session->solver, err);
  if (result == WEFT_OK) {
    result = times ? weft_demo_times_step(times, &session->scene, session->solver, err)
                   : weft_scene_step(&session->scene, session->solver, err);
  }
  weft_demo_overlay_step(session);
  session->changes++;
  return result;
}

/* ---- drawing ---- */

weft_result weft_demo_session_resize(weft_demo_session *session, uint32_t width, uint32_t height,
                                     weft_demo_quality quality, weft_error *err) {
  weft_renderer_desc desc = describe_renderer(session, width, height, quality);
  weft_result result =
      session->renderer
          ? weft_renderer_resize(session->renderer, &desc, err)
          : session->host->make_renderer(session->host->user, &session->choice, &session->scene,
                                         session->gl, &desc, &session->renderer, err);
  if (result != WEFT_OK) return result;
  session->width = width;
  session->height = height;
  session->quality = quality;
  session->drawn_width = desc.width;
  session->drawn_height = desc.height;
  session->drawn = false;
  weft_demo_beside_resize(session);
  return WEFT_OK;
}

weft_result weft_demo_session_compose(weft_demo_session *session, const weft_camera *camera,
                                      const weft_demo_ui *ui, bool *moves, weft_error *err) {
  const weft_scene_instance *scene = &session->scene;
  const weft_params *params = weft_solver_params(session->solver);
  weft_picture picture;
  memset(&picture, 0, sizeof picture); /* compared as bytes */
  picture.camera = *camera;
  picture.centre = scene->view_centre;
  picture.radius = 1.3f * scene->view_radius;
  picture.mode = (weft_view_mode)ui->view;
  picture.solver = session->solver;
  picture.one_batch = ui->batch >= 0;
  picture.batch = ui->batch >= 0 ? (uint32_t)ui->batch : 0;
  picture.no_legend = !session->beside.solver; /* the window draws it */
  picture.pins = ui->show_pins || ui->near_pin;
  picture.one_particle = ui->picked != WEFT_NO_PARTICLE;
  picture.particle = ui->picked;
  picture.colliders = params->colliders;
  picture.collider_count = params->collider_count;
  picture.hidden_bodies = session->hidden;
  picture.time = weft_solver_time(session->solver);
  session->host->dress(session->host->user, scene, &session->choice, &picture);
  weft_demo_overlay_show(session, &picture);
  if (!weft_solver_gl_view(session->solver, WEFT_BUFFER_X, &picture.positions)) {
    return weft_fail(err, WEFT_ERROR_GL, "the solver's positions are not in a GL buffer");
  }
  picture.origin = weft_v3d_round(weft_solver_origin(session->solver));
  *moves = memcmp(&picture, &session->picture, sizeof picture) != 0 ||
           session->composed != session->changes;
  session->composed = session->changes;
  if (*moves) session->drawn = false;
  session->picture = picture;
  return weft_demo_beside_compose(session, err);
}

weft_result weft_demo_session_draw(weft_demo_session *session, weft_error *err) {
  weft_result result = session->beside.solver
                           ? weft_demo_beside_draw(session, err)
                           : weft_renderer_draw(session->renderer, &session->picture, err);
  session->drawn = result == WEFT_OK;
  return result;
}
