/* tune.c: what is moved on the panel acts as it is moved, and what keeps the limit of strain is
 * chosen again for it. Only another size begins anew. */
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

/* What was moved; the rule of strain leaves that alone from now on. */
static void read_rows(weft_demo *demo, weft_params *wanted) {
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    if (!weft_param_infos[k].panel.part || weft_param_same(&demo->ui.params, &demo->on_panel, k)) {
      continue;
    }
    weft_param_copy(wanted, &demo->ui.params, k);
    demo->session.scene.held.kept |= weft_keep_bit(k);
  }
}

static bool differ(const weft_params *wanted, const weft_params *now) {
  bool found = false;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    const weft_param_info *p = &weft_param_infos[k];
    if (!p->panel.part || weft_param_same(wanted, now, k)) continue;
    found = true;
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
    const weft_params own = session->own;
    const weft_strain_choice held = session->scene.held;
    if (!weft_demo_play(demo, &choice)) return WEFT_ERROR_ARGUMENT; /* it has said why */
    weft_demo_session_carry(wanted, &own, &session->own);
    session->scene.held = held;
    return WEFT_OK;
  }
  weft_result result = weft_demo_session_recut(session, &choice, wanted, err);
  if (result != WEFT_OK) return result;
  weft_demo_choose(demo, demo->ui.picked);
  weft_log(WEFT_LOG_INFO, "another cloth, as it lies");
  return WEFT_OK;
}

/* What was asked for on the panel, but for another cloth. */
static weft_params read_panel(weft_demo *demo) {
  weft_demo_session *session = &demo->session;
  weft_strain_choice *held = &session->scene.held;
  weft_params wanted = weft_demo_session_params(session);
  const weft_vec3 before = wanted.wind;
  wanted.no_gravity = false; /* it may be asked for now */
  read_rows(demo, &wanted);
  if (demo->ui.max_strain != weft_demo_shown_limit(session)) {
    held->target = (double)demo->ui.max_strain / 100;
    held->by_default = held->target == 0;
  }
  weft_demo_ask_for_presets(demo, &wanted);
  const weft_vec3 wind = wanted.wind;
  if (memcmp(&wind, &before, sizeof wind) != 0) weft_scene_blow(&wanted, wind);
  return wanted;
}

static void tell_limit(weft_demo *demo, const weft_strain_choice *before) {
  const weft_strain_choice *held = &demo->session.scene.held;
  if (weft_demo_same_limit(held, before)) return;
  demo->meter.strain = (weft_strain_seen){0}; /* of other parameters */
  if (held->target != before->target)
    weft_log(WEFT_LOG_INFO, "max strain %.3g %%", 100 * held->target);
}

static weft_result retune(weft_demo *demo, const weft_params *wanted, bool rubbed,
                          weft_error *err) {
  const weft_demo_ui *b = &demo->ui;
  weft_demo_session *session = &demo->session;
  weft_body before[WEFT_MAX_BODIES];
  rubbed |= rub_bodies(demo, before);
  const weft_params now = weft_demo_session_params(session);
  if (!differ(wanted, &now) && !rubbed) return WEFT_OK;
  weft_result result = weft_demo_session_retune(session, wanted, err);
  for (uint32_t k = 0; k < b->body_count && result != WEFT_OK; ++k) {
    session->scene.bodies[k] = before[k];
  }
  return result;
}

static weft_result take(weft_demo *demo, weft_error *err) {
  const weft_demo_ui *b = &demo->ui;
  weft_demo_session *session = &demo->session;
  const weft_strain_choice before = session->scene.held;
  weft_params wanted = read_panel(demo);
  bool remade = !same_cut(&b->choice, &session->choice) || b->choice.size != session->scene.size;
  bool rubbed = false;
  weft_result result = remade ? remake(demo, &wanted, err) : WEFT_OK;
  if (result == WEFT_OK) rub(demo, &rubbed);
  if (result == WEFT_OK) result = weft_demo_session_choose(session, &wanted, err);
  if (result == WEFT_OK) result = retune(demo, &wanted, rubbed, err);
  if (result != WEFT_OK) session->scene.held = before;
  tell_limit(demo, &before);
  return result;
}

/* As often as leaves most of the time for simulating, and once more when the slider is let go of.
 */
void weft_demo_tune(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  weft_error err = {0};
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
