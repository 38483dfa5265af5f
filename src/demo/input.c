/* input.c: keys and mouse: first the panel, then the camera and the table of keys. */
#include <math.h>

#include "inside.h"
#include "orbit.h"
#include "window.h"

static void on_key(void *user, int key, int action, int modifiers) {
  weft_demo *demo = user;
  demo->modifiers = modifiers;
  demo->last_key_action = action;
  if (weft_demo_panel_key(demo->panel, key, action != WEFT_RELEASE, modifiers)) return;
  if (key == WEFT_KEY_ESCAPE && action == WEFT_PRESS) weft_demo_act(demo, WEFT_DEMO_QUIT);
}

static void on_text(void *user, uint32_t codepoint) {
  weft_demo *demo = user;
  if (weft_demo_panel_text(demo->panel, codepoint)) return;
  const weft_demo_key *key = weft_demo_key_of(codepoint);
  if (!key || (demo->last_key_action == WEFT_REPEAT && !key->repeats)) return;
  weft_demo_act(demo, key->action);
}

/* ---- the mouse in the cloth ---- */

static weft_ray ray_at(const weft_demo *demo) {
  return weft_demo_ray(&demo->camera, demo->x, demo->y, demo->width, demo->height);
}

static bool picked(weft_demo *demo, uint32_t *particle) {
  static const float pixels = 6;
  float slope = 2 * tanf(demo->camera.fov / 2) * pixels / (float)demo->height;
  weft_hit hit;
  weft_error err = {0};
  if (weft_demo_stage_pick(&demo->stage, ray_at(demo), slope, &hit, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return false;
  }
  *particle = demo->board.picked = hit.particle;
  return hit.particle != WEFT_NO_PARTICLE;
}

static void pin(weft_demo *demo) {
  uint32_t particle;
  if (!picked(demo, &particle)) return;
  weft_error err = {0};
  if (weft_demo_stage_pin(&demo->stage, particle, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return;
  }
  weft_log(WEFT_LOG_INFO, "particle %u %s", particle,
           weft_demo_stage_pinned(&demo->stage, particle) ? "pinned" : "freed");
}

static bool take_hold(weft_demo *demo) {
  uint32_t particle;
  if (!picked(demo, &particle)) return false;
  weft_error err = {0};
  if (weft_demo_stage_hold(&demo->stage, particle, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return false;
  }
  weft_vec3 velocity;
  weft_demo_stage_particle(&demo->stage, particle, &demo->held_at, &velocity);
  weft_log(WEFT_LOG_INFO, "holding particle %u", particle);
  return true;
}

static void pull(weft_demo *demo) {
  weft_ray ray = ray_at(demo);
  weft_vec3 target = weft_demo_facing(&demo->camera, &ray, demo->held_at);
  weft_error err = {0};
  if (weft_demo_stage_pull(&demo->stage, target, &err) != WEFT_OK) weft_demo_complain(demo, &err);
}

static void press(weft_demo *demo, int button) {
  bool plain = button == WEFT_BUTTON_LEFT && !(demo->modifiers & WEFT_SHIFT);
  if (plain && (demo->modifiers & WEFT_CONTROL)) {
    pin(demo);
    return;
  }
  demo->dragging = true;
  demo->drag_button = button;
  demo->holding = plain && take_hold(demo);
}

static void let_go(weft_demo *demo) {
  demo->dragging = false;
  if (demo->holding) weft_demo_stage_let_go(&demo->stage);
  demo->holding = false;
}

static void on_button(void *user, int button, int action, int modifiers) {
  weft_demo *demo = user;
  demo->modifiers = modifiers;
  bool down = action == WEFT_PRESS;
  bool taken = weft_demo_panel_button(demo->panel, button, down);
  if (down && !taken && !demo->dragging) {
    press(demo, button);
  } else if (!down && demo->dragging && button == demo->drag_button) {
    let_go(demo);
  }
}

static void on_move(void *user, double x, double y) {
  weft_demo *demo = user;
  double dx = x * demo->density - demo->x, dy = y * demo->density - demo->y;
  demo->x += dx;
  demo->y += dy;
  weft_demo_panel_move(demo->panel, demo->x, demo->y);
  if (!demo->dragging) return;
  if (demo->holding) {
    pull(demo);
  } else if (demo->drag_button == WEFT_BUTTON_MIDDLE || (demo->modifiers & WEFT_SHIFT)) {
    weft_demo_pan(&demo->camera, dx, dy, demo->height);
  } else {
    weft_demo_orbit(&demo->camera, dx, dy);
  }
}

static void on_scroll(void *user, double x, double y) {
  weft_demo *demo = user;
  if (weft_demo_panel_scroll(demo->panel, x, y)) return;
  float size = demo->stage.scene.view_radius;
  weft_demo_zoom(&demo->camera, y, 0.05f * size, 30 * size);
}

void weft_demo_listen(weft_demo *demo) {
  weft_gl_window_cursor(demo->gl, &demo->x, &demo->y);
  demo->x *= demo->density;
  demo->y *= demo->density;
  weft_gl_window_listen(demo->gl, &(weft_gl_window_events){.user = demo,
                                                           .key = on_key,
                                                           .button = on_button,
                                                           .move = on_move,
                                                           .scroll = on_scroll,
                                                           .text = on_text});
}
