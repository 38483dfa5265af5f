/* presets.c: winds, and how firmly cloth is held against stretch, in one click. */
#include <math.h>
#include <string.h>

#include "demo_internal.h"

static const struct {
  float speed, gust; /* m/s; part of it */
} winds[] = {
    [WEFT_DEMO_CALM] = {0, 0}, [WEFT_DEMO_BREEZE] = {4, 0.3f}, [WEFT_DEMO_STORM] = {14, 0.6f}};

/* Of p99, a part. */
static const double firm = 0.002;

/* As the scene's own wind blows, else away from the camera. */
static weft_vec3 wind_direction(const weft_demo *demo) {
  weft_vec3 own = demo->session.own.wind;
  float speed = weft_v3_length(own);
  if (speed > 0) return weft_v3_scale(own, 1 / speed);
  return weft_v3(-sinf(demo->camera.yaw), 0, -cosf(demo->camera.yaw));
}

int32_t weft_demo_wind_preset(const weft_params *p) {
  float speed = weft_v3_length(p->wind);
  if (speed == 0) return WEFT_DEMO_CALM;
  for (int32_t k = WEFT_DEMO_BREEZE; k < WEFT_DEMO_WIND_COUNT; ++k) {
    if (fabsf(speed - winds[k].speed) < 0.01f && p->gust == winds[k].gust) return k;
  }
  return -1;
}

static void ask_for_wind(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  if (b->wind_asked < 0) return;
  b->params.wind = weft_v3_scale(wind_direction(demo), winds[b->wind_asked].speed);
  b->params.gust = winds[b->wind_asked].gust;
  b->wind_asked = -1;
  b->edited = true;
}

static bool is_of_stretch(uint32_t k) {
  return weft_param_infos[k].panel.part == WEFT_PANEL_STRETCH;
}

float weft_demo_shown_limit(const weft_demo_session *session) {
  const weft_strain_choice *held = &session->scene.held;
  return held->by_default ? 0 : (float)(100 * held->target);
}

static void ask_for_strain(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  if (b->strain_asked < 0) return;
  weft_demo_session *session = &demo->session;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    if (is_of_stretch(k)) weft_param_copy(&b->params, &session->own, k);
  }
  session->scene.held = session->own_held;
  if (b->strain_asked == WEFT_DEMO_UNHELD) {
    session->scene.held = (weft_strain_choice){0};
    weft_params_plain(&b->params);
  }
  b->max_strain = weft_demo_shown_limit(session);
  if (b->strain_asked == WEFT_DEMO_FIRM) b->max_strain = (float)(100 * firm);
  b->strain_asked = -1;
  b->edited = true;
}

int32_t weft_demo_strain_preset(const weft_demo *demo) {
  const weft_demo_ui *b = &demo->ui;
  const weft_demo_session *session = &demo->session;
  bool own = session->scene.held.target == session->own_held.target &&
             session->scene.held.by_default == session->own_held.by_default;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    own &= !is_of_stretch(k) || weft_param_same(&b->params, &session->own, k);
  }
  if (own) return WEFT_DEMO_AS_SCENE;
  if (fabs(session->scene.held.target - firm) < 1e-6) return WEFT_DEMO_FIRM;
  bool plain = !b->params.line_sweeps && !b->params.lra && !b->params.multilevel;
  return plain && session->scene.held.target == 0 ? WEFT_DEMO_UNHELD : -1;
}

void weft_demo_ask_for_presets(weft_demo *demo) {
  ask_for_wind(demo);
  ask_for_strain(demo);
}
