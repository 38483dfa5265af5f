/* tune.c: what is moved on the panel acts as it is moved. Parameters and fabrics take a new solver,
 * which goes on from the state of the old; only another size begins anew. */
#include <string.h>

#include "demo_internal.h"

static bool as_soft(const weft_demo_choice *a, const weft_demo_choice *b) {
  for (int k = 0; k < 3; ++k) {
    if (a->softened[k] != b->softened[k]) return false;
    if (a->softened[k] && a->compliance[k] != b->compliance[k]) return false;
  }
  return true;
}

static bool same_cut(const weft_demo_choice *a, const weft_demo_choice *b) {
  return a->fabric == b->fabric && a->bending == b->bending && as_soft(a, b);
}

typedef struct differences {
  bool wind, others;
} differences;

static differences compare(const weft_params *wanted, const weft_params *now) {
  differences found = {false, false};
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    const weft_param_info *p = &weft_param_infos[k];
    if (!p->panel.part || weft_param_same(wanted, now, k)) continue;
    found.wind |= k == WEFT_PARAM_wind;
    found.others |= k != WEFT_PARAM_wind;
    weft_log(WEFT_LOG_INFO, "%s now %.7g", p->option, weft_param_of(wanted, k, 0));
  }
  return found;
}

static void rub(weft_demo *demo, bool *rubbed) {
  const weft_demo_ui *b = &demo->ui;
  if (!b->has_colliders) return;
  const weft_collider *first = &demo->session.scene.colliders[0];
  *rubbed = first->friction_static != b->friction_static ||
            first->friction_dynamic != b->friction_dynamic;
  if (*rubbed) weft_demo_session_friction(&demo->session, b->friction_static, b->friction_dynamic);
}

/* As the rows have it; *before keeps what was. */
static bool rub_bodies(weft_demo *demo, weft_body before[WEFT_MAX_BODIES]) {
  const weft_demo_ui *b = &demo->ui;
  weft_body *bodies = demo->session.scene.bodies;
  bool rubbed = false;
  for (uint32_t k = 0; k < b->body_count; ++k) {
    const weft_demo_body *row = &b->bodies[k];
    before[k] = bodies[k];
    if (row->friction_static == bodies[k].friction_static &&
        row->friction_dynamic == bodies[k].friction_dynamic &&
        row->thickness == bodies[k].thickness) {
      continue;
    }
    rubbed = true;
    bodies[k].friction_static = row->friction_static;
    bodies[k].friction_dynamic = row->friction_dynamic;
    bodies[k].thickness = row->thickness;
    weft_log(WEFT_LOG_INFO, "body %u now %g, %g, %g m", k, (double)row->friction_static,
             (double)row->friction_dynamic, (double)row->thickness);
  }
  return rubbed;
}

static void hide_bodies(weft_demo *demo) {
  demo->session.hidden = 0;
  for (uint32_t k = 0; k < demo->ui.body_count; ++k) {
    if (demo->ui.bodies[k].hidden) demo->session.hidden |= UINT64_C(1) << k;
  }
}

/* Another size begins anew, another cloth goes on. */
static weft_result remake(weft_demo *demo, weft_params *wanted, weft_error *err) {
  weft_demo_session *session = &demo->session;
  const weft_demo_choice choice = demo->ui.choice;
  if (choice.size != session->scene.size) {
    weft_params own = session->own;
    if (!weft_demo_play(demo, &choice)) return WEFT_ERROR_ARGUMENT; /* it has said why */
    weft_demo_session_carry(wanted, &own, &session->own);
    return WEFT_OK;
  }
  weft_result result = weft_demo_session_recut(session, &choice, wanted, err);
  if (result != WEFT_OK) return result;
  weft_demo_choose(demo, demo->ui.picked);
  weft_log(WEFT_LOG_INFO, "another cloth, as it lies");
  return WEFT_OK;
}

static weft_result limit_strain(weft_demo *demo, weft_params *wanted, weft_error *err) {
  double limit = (double)demo->ui.max_strain / 100;
  weft_result result = weft_demo_session_limit(&demo->session, limit, wanted, err);
  if (result != WEFT_OK) return result;
  demo->meter.strain = (weft_strain_seen){0}; /* of other parameters */
  weft_log(WEFT_LOG_INFO, "max strain %g %%", 100 * limit);
  return WEFT_OK;
}

static weft_result take(weft_demo *demo, weft_error *err) {
  weft_demo_ui *b = &demo->ui;
  weft_demo_session *session = &demo->session;
  weft_params wanted = b->params, now = weft_demo_session_params(session);
  const weft_vec3 wind = wanted.wind;
  /* A limit that was asked for is chosen for anew; what a scene holds by default it knows itself.
   */
  bool held = session->scene.held.target > 0 && !session->scene.held.by_default, rubbed = false;
  bool limits = b->max_strain != weft_demo_shown_limit(session);
  bool remade = !same_cut(&b->choice, &session->choice) || b->choice.size != session->scene.size;
  wanted.no_gravity = false; /* it may have been asked for now */
  if (memcmp(&wind, &now.wind, sizeof wind) != 0) weft_scene_blow(&wanted, wind);
  weft_result result = remade ? remake(demo, &wanted, err) : WEFT_OK;
  if (result == WEFT_OK) rub(demo, &rubbed);
  limits |= remade && held;
  if (result == WEFT_OK && limits) result = limit_strain(demo, &wanted, err);
  if (result != WEFT_OK) return result;
  weft_body before[WEFT_MAX_BODIES];
  rubbed |= rub_bodies(demo, before);
  now = weft_demo_session_params(session);
  differences differ = compare(&wanted, &now);
  if (!differ.others && !rubbed && (!differ.wind || now.air_density > 0)) {
    session->wind = wanted.wind; /* which needs no other solver */
    return WEFT_OK;
  }
  result = weft_demo_session_retune(session, &wanted, err);
  for (uint32_t k = 0; k < b->body_count && result != WEFT_OK; ++k) {
    session->scene.bodies[k] = before[k];
  }
  return result;
}

/* As often as leaves most of the time for simulating, and once more when the slider is let go of.
 */
void weft_demo_tune(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  weft_error err = {0};
  weft_demo_ask_for_presets(demo);
  hide_bodies(demo);
  double now = weft_clock_seconds();
  if (!b->edited || (b->held && now < demo->tuned_at + 2 * demo->tune_costs)) return;
  *b->message = *b->verdict = *b->hash = 0;
  if (take(demo, &err) != WEFT_OK && *err.message) weft_demo_complain(demo, &err);
  demo->tuned_at = weft_clock_seconds();
  demo->tune_costs = demo->tuned_at - now;
  if (demo->tune_costs > 0.1) weft_demo_clock_forgive(&demo->clock);
  weft_demo_show_settings(demo);
}
