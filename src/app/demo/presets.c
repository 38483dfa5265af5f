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

static void ask_for_wind(weft_demo *demo, weft_params *wanted) {
  weft_demo_ui *b = &demo->ui;
  if (b->wind_asked < 0) return;
  wanted->wind = weft_v3_scale(wind_direction(demo), winds[b->wind_asked].speed);
  wanted->gust = winds[b->wind_asked].gust;
  b->wind_asked = -1;
}

static bool is_of_stretch(uint32_t k) {
  return weft_param_infos[k].panel.part == WEFT_PANEL_STRETCH;
}

float weft_demo_shown_limit(const weft_demo_session *session) {
  const weft_strain_choice *held = &session->scene.held;
  return held->by_default ? 0 : (float)(100 * held->target);
}

static weft_strain_choice firmly(const weft_demo_session *session) {
  return (weft_strain_choice){.target = firm, .kept = session->own_held.kept};
}

static void ask_for_strain(weft_demo *demo, weft_params *wanted) {
  weft_demo_ui *b = &demo->ui;
  if (b->strain_asked < 0) return;
  weft_demo_session *session = &demo->session;
  weft_strain_choice *held = &session->scene.held;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    if (is_of_stretch(k)) weft_param_copy(wanted, &session->own, k);
  }
  *held = session->own_held;
  if (b->strain_asked == WEFT_DEMO_FIRM) *held = firmly(session);
  if (b->strain_asked == WEFT_DEMO_UNHELD) {
    *held = (weft_strain_choice){0};
    weft_params_plain(wanted);
  }
  b->strain_asked = -1;
}

bool weft_demo_same_limit(const weft_strain_choice *a, const weft_strain_choice *b) {
  return a->by_default == b->by_default && (a->by_default || a->target == b->target) &&
         a->kept == b->kept;
}

/* The scene's without a limit may be plain, too. */
int32_t weft_demo_strain_preset(const weft_demo *demo) {
  const weft_demo_session *session = &demo->session;
  const weft_strain_choice *held = &session->scene.held, firm_one = firmly(session);
  const weft_params *p = &demo->ui.params;
  bool own = weft_demo_same_limit(held, &session->own_held);
  if (own && (held->by_default || held->target > 0)) return WEFT_DEMO_AS_SCENE;
  if (weft_demo_same_limit(held, &firm_one)) return WEFT_DEMO_FIRM;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    own &= !is_of_stretch(k) || weft_param_same(p, &session->own, k);
  }
  if (own) return WEFT_DEMO_AS_SCENE;
  bool plain = !p->line_sweeps && !p->lra && !p->multilevel;
  return plain && !held->by_default && held->target == 0 ? WEFT_DEMO_UNHELD : -1;
}

void weft_demo_ask_for_presets(weft_demo *demo, weft_params *wanted) {
  ask_for_wind(demo, wanted);
  ask_for_strain(demo, wanted);
}
