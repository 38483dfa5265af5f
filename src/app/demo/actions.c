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
  if (weft_demo_picked_read(&demo->partners, weft_demo_beside_pointed(&demo->session),
                            &demo->ui.particle, &err)) {
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

void weft_demo_settle(weft_demo *demo) {
  double left = 0, right = 0;
  if (demo->ui.show_panel) weft_demo_panel_sides(demo->panel, &left, &right);
  demo->layout = weft_demo_layout_of(demo->width, demo->height, left, right);
}

weft_demo_view weft_demo_view_now(const weft_demo *demo) {
  weft_demo_view view = weft_demo_view_of(&demo->session, demo->layout.across, demo->layout.height);
  view.left += demo->layout.left;
  return view;
}

void weft_demo_home(weft_demo *demo) {
  weft_demo_view view = weft_demo_view_now(demo);
  demo->away = false;
  if (view.width < 1 || view.height < 1) return;
  demo->camera = weft_demo_home_camera(&demo->session.scene, view.width, view.height);
}

void weft_demo_start_over(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  b->measured = false;
  b->batch = -1;
  demo->holding = false;
  b->history.count = 0;
  demo->meter.strain = (weft_strain_seen){0};
  *b->hash = *b->verdict = *b->message = 0;
  weft_demo_clock_forgive(&demo->clock);
}

bool weft_demo_play(weft_demo *demo, const weft_demo_choice *choice) {
  weft_error err = {0};
  uint32_t before = demo->session.choice.scene;
  if (weft_demo_session_open(&demo->session, choice, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return false;
  }
  weft_demo_start_over(demo);
  demo->ui.pass_count = 0;
  demo->ui.render_ms = 0;
  weft_demo_pace_forget(&demo->pace);
  weft_demo_meter_forget(&demo->meter);
  weft_demo_times_forget(&demo->times);
  weft_demo_choose(demo, WEFT_NO_PARTICLE);
  if (weft_scene_at(choice->scene) && (weft_scene_at(choice->scene)->uses & WEFT_SCENE_CLOTH)) {
    demo->cloth_size = choice->size;
  }
  if (before != choice->scene) weft_demo_home(demo);
  weft_demo_show_settings(demo);
  weft_log(WEFT_LOG_INFO, "scene %s", demo->title);
  return true;
}

uint32_t weft_demo_file_scene(void) {
  uint32_t index = 0;
  while (weft_scene_at(index)) ++index;
  return index;
}

/* The size of a cloth holds for the next one, too; bodies that were dropped stay behind. */
static void go_to(weft_demo *demo, uint32_t index) {
  const weft_scene *scene = weft_scene_at(index);
  weft_demo_choice choice = {.scene = index, .fabric = -1, .bending = -1};
  if (!scene) choice.cloth = demo->cloth;
  if (scene && (scene->uses & WEFT_SCENE_CLOTH)) choice.size = demo->cloth_size;
  weft_demo_play(demo, &choice);
}

static void change_scene(weft_demo *demo, int by) {
  int count = (int)demo->ui.scene_count, now = (int)demo->session.choice.scene;
  go_to(demo, (uint32_t)((now + by + count) % count));
}

/* Its own values again, at the size of the command line. */
static void restore(weft_demo *demo) {
  demo->cloth_size = demo->desc->choice.size;
  go_to(demo, demo->session.choice.scene);
}

/* ---- single actions ---- */

static void reset(weft_demo *demo) {
  weft_error err = {0};
  if (weft_demo_session_reset(&demo->session, &err) != WEFT_OK) weft_demo_complain(demo, &err);
  weft_demo_start_over(demo);
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
                                demo->ui.who, &verdict, &err) != WEFT_OK) {
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
    weft_log(WEFT_LOG_INFO, "marks at pins %s", b->show_pins ? "always" : "near the mouse");
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
  bool restoring = b->restore, going = b->scene_asked >= 0;
  uint32_t scene = going ? (uint32_t)b->scene_asked : 0;
  b->restore = false;
  b->scene_asked = -1;
  if (restoring) {
    restore(demo);
  } else if (going) {
    go_to(demo, scene);
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
