/* actions.c: what keys and panel make happen. */
#include <math.h>
#include <string.h>

#include "demo_internal.h"
#include "window.h"

static const float gust_speed = 9; /* m/s */

void weft_demo_complain(weft_demo *demo, const weft_error *err) {
  snprintf(demo->ui.message, sizeof demo->ui.message, "%.300s", err->message);
  weft_log(WEFT_LOG_WARNING, "%s", err->message);
}

void weft_demo_notify(weft_demo *demo, const char *text) {
  static const double seconds = 4;
  snprintf(demo->ui.notice, sizeof demo->ui.notice, "%s", text);
  demo->notice_until = weft_clock_seconds() + seconds;
  weft_log(WEFT_LOG_INFO, "%s", text);
}

void weft_demo_say(weft_demo *demo, const char *line) {
  const weft_demo_host *host = demo->desc->host;
  host->say(host->user, line);
}

/* ---- the picked particle ---- */

void weft_demo_choose(weft_demo *demo, uint32_t particle) {
  weft_demo_ui *b = &demo->ui;
  b->picked = particle;
  b->particle = (weft_demo_picked){0};
  if (particle == WEFT_NO_PARTICLE) return;
  weft_demo_partners_find(&demo->partners, demo->session.scene.model, particle);
  weft_demo_read_picked(demo);
}

void weft_demo_read_picked(weft_demo *demo) {
  weft_error err = {0};
  if (demo->ui.picked == WEFT_NO_PARTICLE) return;
  if (weft_demo_picked_read(&demo->partners, demo->session.solver, &demo->ui.particle, &err)) {
    weft_demo_complain(demo, &err);
  }
}

void weft_demo_say_picked(weft_demo *demo) {
  char line[400];
  if (!demo->ui.particle.known) return;
  weft_demo_picked_describe(&demo->ui.particle, line, sizeof line);
  weft_demo_say(demo, line);
}

/* ---- scenes and settings ---- */

void weft_demo_home(weft_demo *demo) {
  const weft_scene_instance *scene = &demo->session.scene;
  demo->camera =
      weft_camera_around(scene->view_centre, scene->view_radius, scene->view_yaw, scene->view_pitch,
                         (uint32_t)demo->width, (uint32_t)demo->height);
}

static void show_title(weft_demo *demo) {
  const weft_model *model = demo->session.scene.model;
  uint32_t triangles = weft_model_triangle_count(model);
  int used = snprintf(demo->title, sizeof demo->title, "%.60s: %u particles",
                      demo->session.scene.name, weft_model_particle_count(model));
  if (triangles) {
    snprintf(demo->title + used, sizeof demo->title - (size_t)used, ", %u triangles", triangles);
  }
}

/* In per cent; 0: the default's. */
static float shown_limit(const weft_demo_session *session) {
  const weft_strain_choice *held = &session->scene.held;
  return held->by_default ? 0 : (float)(100 * held->target);
}

void weft_demo_show_settings(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  const weft_demo_session *session = &demo->session;
  const weft_scene *scene = weft_scene_at(session->choice.scene);
  b->choice = session->choice;
  b->params = *weft_solver_params(session->solver);
  b->params.wind = session->wind;
  b->edited = false;
  b->strain_limit = session->scene.held.target;
  b->max_strain = shown_limit(session);
  b->takes_cloth = !scene || (scene->uses & WEFT_SCENE_CLOTH);
  const weft_material *fabric = &session->scene.fabric;
  b->choice.compliance[0] = 2 / (fabric->stretch_warp + fabric->stretch_weft);
  b->choice.compliance[1] = 1 / fabric->shear;
  b->choice.compliance[2] = 1 / fabric->bending;
  b->takes_contact = b->params.particle_contact;
  b->has_colliders = session->scene.params.collider_count > 0;
  if (b->has_colliders) {
    b->friction_static = session->scene.colliders[0].friction_static;
    b->friction_dynamic = session->scene.colliders[0].friction_dynamic;
  }
  show_title(demo);
}

/* What was measured belongs to another state. */
static void start_over(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  b->measured = false;
  b->batch = -1;
  demo->holding = false;
  b->history.count = 0;
  demo->meter.strain = (weft_strain_seen){0};
  *b->hash = *b->verdict = *b->message = 0;
  weft_demo_clock_forgive(&demo->clock);
}

static bool play(weft_demo *demo, const weft_demo_choice *choice) {
  weft_error err = {0};
  uint32_t before = demo->session.choice.scene;
  if (weft_demo_session_open(&demo->session, choice, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return false;
  }
  start_over(demo);
  demo->ui.pass_count = 0;
  demo->ui.render_ms = 0;
  weft_demo_pace_forget(&demo->pace);
  weft_demo_meter_forget(&demo->meter);
  weft_demo_times_forget(&demo->times);
  weft_demo_choose(demo, WEFT_NO_PARTICLE);
  if (before != choice->scene) weft_demo_home(demo);
  weft_demo_show_settings(demo);
  weft_log(WEFT_LOG_INFO, "scene %s", demo->title);
  return true;
}

static void change_scene(weft_demo *demo, int by) {
  int count = (int)demo->ui.scene_count, now = (int)demo->session.choice.scene;
  weft_demo_choice choice = {
      .scene = (uint32_t)((now + by + count) % count), .fabric = -1, .bending = -1};
  play(demo, &choice);
}

static bool as_soft(const weft_demo_choice *a, const weft_demo_choice *b) {
  for (int k = 0; k < 3; ++k) {
    if (a->softened[k] != b->softened[k]) return false;
    if (a->softened[k] && a->compliance[k] != b->compliance[k]) return false;
  }
  return true;
}

static bool same_choice(const weft_demo_choice *a, const weft_demo_choice *b) {
  return a->scene == b->scene && a->size == b->size && a->fabric == b->fabric &&
         a->bending == b->bending && as_soft(a, b);
}

/* The figures before belong to other parameters. */
static bool change_limit(weft_demo *demo, double limit, weft_params *wanted) {
  weft_error err = {0};
  if (weft_demo_session_limit(&demo->session, limit, wanted, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return false;
  }
  demo->meter.strain = (weft_strain_seen){0};
  weft_log(WEFT_LOG_INFO, "max strain %g %%", 100 * limit);
  return true;
}

/* A new model starts at its beginning; new parameters go on from where the cloth is. */
static void apply(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  weft_params wanted = b->params;
  float friction[2] = {b->friction_static, b->friction_dynamic};
  double limit = b->max_strain / 100.0;
  bool limits = b->max_strain != shown_limit(&demo->session);
  bool was_friction[2] = {false};
  if (b->has_colliders) {
    was_friction[0] = demo->session.scene.colliders[0].friction_static != friction[0];
    was_friction[1] = demo->session.scene.colliders[0].friction_dynamic != friction[1];
  }
  if (!same_choice(&b->choice, &demo->session.choice)) {
    weft_demo_choice choice = b->choice;
    if (!play(demo, &choice)) return;
    limits |= limit > 0;
  }
  if (limits && !change_limit(demo, limit, &wanted)) return;
  if (was_friction[0] || was_friction[1]) {
    weft_demo_session_friction(&demo->session, friction[0], friction[1]);
  }
  weft_error err = {0};
  if (weft_demo_session_retune(&demo->session, &wanted, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return;
  }
  *b->message = *b->verdict = *b->hash = 0;
  weft_demo_clock_forgive(&demo->clock);
  weft_demo_show_settings(demo);
  weft_log(WEFT_LOG_INFO, "applied: %u substeps, %u iterations",
           weft_solver_params(demo->session.solver)->substeps,
           weft_solver_params(demo->session.solver)->iterations);
}

/* Its own values again; a scene just chosen on the panel comes this way too. */
static void restore(weft_demo *demo) {
  weft_demo_choice choice = {.scene = demo->ui.choice.scene, .fabric = -1, .bending = -1};
  play(demo, &choice);
}

/* ---- single actions ---- */

static void reset(weft_demo *demo) {
  weft_error err = {0};
  if (weft_demo_session_reset(&demo->session, &err) != WEFT_OK) weft_demo_complain(demo, &err);
  start_over(demo);
  weft_log(WEFT_LOG_INFO, "reset");
}

static void blow(weft_demo *demo) {
  weft_vec3 away = weft_v3(-sinf(demo->camera.yaw), 0.1f, -cosf(demo->camera.yaw));
  weft_error err = {0};
  if (weft_demo_session_blow(&demo->session, weft_v3_scale(away, gust_speed), &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
  }
  weft_demo_show_settings(demo);
  weft_log(WEFT_LOG_INFO, "gust");
}

static void hash(weft_demo *demo) {
  uint64_t value = 0;
  weft_error err = {0};
  if (weft_solver_hash(demo->session.solver, &value, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return;
  }
  snprintf(demo->ui.hash, sizeof demo->ui.hash, "frame %llu: %016llx",
           (unsigned long long)weft_solver_frame(demo->session.solver), (unsigned long long)value);
  weft_demo_say(demo, demo->ui.hash);
}

static void validate(weft_demo *demo) {
  weft_demo_verdict verdict;
  weft_error err = {0};
  if (weft_demo_replay_validate(&demo->session.replay, &demo->session.scene, demo->session.solver,
                                &verdict, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return;
  }
  memcpy(demo->ui.verdict, verdict.text, sizeof verdict.text);
  demo->ui.verdict_good = verdict.equal;
  weft_demo_say(demo, verdict.text);
  weft_demo_clock_forgive(&demo->clock);
}

static void say_help(weft_demo *demo) {
  char line[160];
  for (uint32_t k = 0; weft_demo_key_at(k); ++k) {
    snprintf(line, sizeof line, "  %-22s %s", weft_demo_key_at(k)->name, weft_demo_key_at(k)->help);
    weft_demo_say(demo, line);
  }
  for (uint32_t k = 0; weft_demo_gesture_at(k); ++k) {
    snprintf(line, sizeof line, "  %-22s %s", weft_demo_gesture_at(k)->name,
             weft_demo_gesture_at(k)->help);
    weft_demo_say(demo, line);
  }
}

static void show_overlay(weft_demo *demo, weft_demo_action action) {
  bool *hide =
      action == WEFT_DEMO_TRAILS ? &demo->session.hide_trails : &demo->session.hide_analytic;
  *hide = !*hide;
  weft_log(WEFT_LOG_INFO, "%s %s", action == WEFT_DEMO_TRAILS ? "trails" : "theory",
           *hide ? "off" : "on");
}

static void change_view(weft_demo *demo, int by) {
  int count = (int)demo->ui.view_count;
  demo->ui.view = (uint32_t)(((int)demo->ui.view + by + count) % count);
  weft_log(WEFT_LOG_INFO, "view %s", demo->ui.views[demo->ui.view]);
}

static void next_batch(weft_demo *demo) {
  int32_t count = (int32_t)weft_view_batch_count(demo->session.scene.model);
  demo->ui.batch = demo->ui.batch + 1 < count ? demo->ui.batch + 1 : -1;
}

static void pause(weft_demo *demo, bool on) {
  if (on == demo->clock.paused) return;
  demo->clock.paused = on;
  weft_log(WEFT_LOG_INFO, "%s at frame %llu", on ? "paused" : "going on",
           (unsigned long long)weft_solver_frame(demo->session.solver));
}

static void tell_speed(const weft_demo *demo) {
  weft_log(WEFT_LOG_INFO, "speed %g", demo->clock.speed);
}

static void act_on_time(weft_demo *demo, weft_demo_action action) {
  if (action == WEFT_DEMO_PAUSE) {
    pause(demo, !demo->clock.paused);
  } else if (action == WEFT_DEMO_STEP) {
    pause(demo, true);
    demo->clock.single++;
  } else if (action == WEFT_DEMO_SLOWER) {
    weft_demo_clock_slower(&demo->clock);
    tell_speed(demo);
  } else {
    weft_demo_clock_faster(&demo->clock);
    tell_speed(demo);
  }
}

/* In the panel, or where there is none in the terminal. */
static void show_or_tell_times(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  bool *where = demo->panel && b->show_panel ? &b->show_times : &demo->tell_times;
  *where = !*where;
  b->pass_count = 0;
  weft_demo_times_forget(&demo->times);
  weft_log(WEFT_LOG_INFO, "times of passes %s", *where ? "on" : "off");
}

static void act_on_window(weft_demo *demo, weft_demo_action action) {
  weft_demo_ui *b = &demo->ui;
  if (action == WEFT_DEMO_SCREENSHOT) {
    demo->photograph = true;
  } else if (action == WEFT_DEMO_PANEL) {
    b->show_panel = !b->show_panel;
  } else if (action == WEFT_DEMO_TIMES) {
    show_or_tell_times(demo);
  } else if (action == WEFT_DEMO_PINS) {
    b->show_pins = !b->show_pins;
    weft_log(WEFT_LOG_INFO, "marks at pins %s", b->show_pins ? "on" : "off");
  } else if (action == WEFT_DEMO_HELP) {
    b->show_help = !b->show_help;
    if (!demo->panel) say_help(demo);
  } else {
    demo->quit = true;
  }
}

void weft_demo_act(weft_demo *demo, weft_demo_action action) {
  switch (action) {
    case WEFT_DEMO_PAUSE:
    case WEFT_DEMO_STEP:
    case WEFT_DEMO_SLOWER:
    case WEFT_DEMO_FASTER:
      act_on_time(demo, action);
      break;
    case WEFT_DEMO_RESET:
      reset(demo);
      break;
    case WEFT_DEMO_NEXT_SCENE:
      change_scene(demo, 1);
      break;
    case WEFT_DEMO_PREVIOUS_SCENE:
      change_scene(demo, -1);
      break;
    case WEFT_DEMO_NEXT_VIEW:
      change_view(demo, 1);
      break;
    case WEFT_DEMO_PREVIOUS_VIEW:
      change_view(demo, -1);
      break;
    case WEFT_DEMO_NEXT_BATCH:
      next_batch(demo);
      break;
    case WEFT_DEMO_GUST:
      blow(demo);
      break;
    case WEFT_DEMO_TRAILS:
    case WEFT_DEMO_ANALYTIC:
      show_overlay(demo, action);
      break;
    case WEFT_DEMO_CAMERA:
      weft_demo_home(demo);
      break;
    case WEFT_DEMO_VALIDATE:
      validate(demo);
      break;
    case WEFT_DEMO_HASH:
      hash(demo);
      break;
    case WEFT_DEMO_SCREENSHOT:
    case WEFT_DEMO_TIMES:
    case WEFT_DEMO_PINS:
    case WEFT_DEMO_PANEL:
    case WEFT_DEMO_HELP:
    case WEFT_DEMO_QUIT:
      act_on_window(demo, action);
      break;
    case WEFT_DEMO_NOTHING:
    case WEFT_DEMO_ACTION_COUNT:
      break;
  }
}

void weft_demo_obey(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  for (int k = 0; k < WEFT_DEMO_ACTION_COUNT; ++k) {
    bool asked = b->asked[k];
    b->asked[k] = false;
    if (asked) weft_demo_act(demo, (weft_demo_action)k);
  }
  bool restoring = b->restore, applying = b->apply;
  b->restore = b->apply = false;
  if (restoring) {
    restore(demo);
  } else if (applying) {
    apply(demo);
  }
}

/* ---- pictures ---- */

weft_result weft_demo_photograph(weft_demo *demo, const char *path, weft_error *err) {
  weft_image image = {(uint32_t)demo->width, (uint32_t)demo->height, NULL};
  size_t stride = (size_t)3 * image.width;
  image.pixels = weft_alloc(stride, image.height);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glReadBuffer(GL_BACK);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  for (int y = 0; y < demo->height; ++y) { /* GL's rows run upwards */
    glReadPixels(0, demo->height - 1 - y, demo->width, 1, GL_RGB, GL_UNSIGNED_BYTE,
                 image.pixels + stride * (size_t)y);
  }
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  weft_result result = weft_image_write_png(&image, path, err);
  weft_free(image.pixels);
  if (result != WEFT_OK) return result;
  char line[400];
  snprintf(line, sizeof line, "wrote %.360s", path);
  weft_demo_say(demo, line);
  return WEFT_OK;
}
