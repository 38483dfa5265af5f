/* input.c: keys and mouse: first the panel, then the camera and the table of keys. */
#include <math.h>

#include "demo_internal.h"
#include "orbit.h"
#include "window.h"

/* What is open, the latest first; with nothing left, the window. */
static void close_one(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  if (b->show_help) {
    b->show_help = false;
    weft_log(WEFT_LOG_DEBUG, "escape closes the keys");
  } else if (b->file) {
    weft_demo_reply(demo, WEFT_DEMO_AS_NOTHING);
  } else if (*b->message) {
    *b->message = 0;
  } else {
    weft_demo_act(demo, WEFT_DEMO_QUIT);
  }
}

static void on_key(void *user, int key, int action, int modifiers) {
  weft_demo *demo = user;
  demo->modifiers = modifiers;
  demo->last_key_action = action;
  bool escape = key == WEFT_KEY_ESCAPE && action == WEFT_PRESS;
  if (escape && weft_demo_panel_escape(demo->panel)) {
    weft_log(WEFT_LOG_DEBUG, "escape closes the list");
    return;
  }
  if (weft_demo_panel_key(demo->panel, key, action != WEFT_RELEASE, modifiers)) return;
  if (escape) close_one(demo);
}

static void on_text(void *user, uint32_t codepoint) {
  weft_demo *demo = user;
  if (weft_demo_panel_text(demo->panel, codepoint)) return;
  if (demo->ui.file && (codepoint == 'c' || codepoint == 'b')) {
    weft_demo_reply(demo, codepoint == 'c' ? WEFT_DEMO_AS_CLOTH : WEFT_DEMO_AS_BODY);
    return;
  }
  const weft_demo_key *key = weft_demo_key_of(codepoint);
  if (!key || (demo->last_key_action == WEFT_REPEAT && !key->repeats)) return;
  weft_demo_act(demo, key->action);
}

bool weft_demo_near_pin(const weft_demo *demo) {
  static const double near = 40; /* pixels of a window 800 high */
  weft_pins_view pins = weft_solver_pins(demo->session.solver);
  weft_demo_view view = weft_demo_view_now(demo);
  double reach = near * demo->height / 800, x, y;
  for (uint32_t k = 0; k < pins.count && !demo->desc->no_pins; ++k) {
    if (!weft_demo_project(&demo->camera, weft_v3d_round(pins.to[k]), view.width, view.height, &x,
                           &y))
      continue;
    if (hypot(x + view.left - demo->x, y - demo->y) < reach) return true;
  }
  return false;
}

/* ---- the mouse in the cloth ---- */

static weft_ray ray_at(const weft_demo *demo) {
  weft_demo_view view = weft_demo_view_now(demo);
  return weft_demo_ray(&demo->camera, demo->x - view.left, demo->y, view.width, view.height);
}

static bool met(weft_demo *demo, weft_hit *found) {
  static const float pixels = 6;
  float slope = 2 * tanf(demo->camera.fov / 2) * pixels / (float)weft_demo_view_now(demo).height;
  weft_error err = {0};
  if (weft_demo_session_pick(&demo->session, ray_at(demo), slope, found, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return false;
  }
  return found->particle != WEFT_NO_PARTICLE;
}

static void pin(weft_demo *demo) {
  weft_hit hit;
  if (!met(demo, &hit)) return;
  uint32_t particle = hit.particle;
  weft_error err = {0};
  weft_demo_choose(demo, particle);
  bool led = weft_scene_leads(&demo->session.scene, particle);
  if (weft_demo_session_pin(&demo->session, particle, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return;
  }
  char text[120];
  snprintf(text, sizeof text, "particle %u %s%s",
           weft_model_number(demo->session.scene.model, particle),
           weft_demo_session_pinned(&demo->session, particle) ? "pinned" : "freed",
           led ? ": the scene does not move it any more" : "");
  weft_demo_notify(demo, text);
  weft_demo_read_picked(demo);
}

static bool hold_particle(weft_demo *demo, uint32_t particle) {
  weft_error err = {0};
  weft_demo_choose(demo, particle);
  weft_demo_say_picked(demo);
  weft_result result = weft_demo_session_hold(&demo->session, particle, &err);
  if (result == WEFT_ERROR_ARGUMENT) { /* a pin of the scene's: nothing went wrong */
    weft_demo_notify(demo, err.message);
    return false;
  }
  if (result != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return false;
  }
  weft_vec3 velocity;
  weft_demo_session_particle(&demo->session, particle, &demo->held_at, &velocity);
  weft_log(WEFT_LOG_INFO, "holding particle %u",
           weft_model_number(demo->session.scene.model, particle));
  return true;
}

static const char *const shape_names[] = {"nothing", "collider", "body"};

static void hold_shape(weft_demo *demo, weft_demo_shape shape, float distance) {
  weft_ray ray = ray_at(demo);
  float part = distance / weft_v3_length(ray.direction);
  weft_vec3 way = weft_v3_scale(ray.direction, part);
  demo->held_at = weft_v3_add(ray.origin, way);
  demo->held_offset = weft_demo_session_drag(&demo->session, shape);
  weft_log(WEFT_LOG_INFO, "holding %s %u", shape_names[shape.kind], shape.index);
}

/* What is nearest to the eye, cloth or shape; with shift the shape, whatever hangs over it. */
static bool take_hold(weft_demo *demo, bool through) {
  weft_ray ray = ray_at(demo);
  float distance;
  weft_hit hit = {.particle = WEFT_NO_PARTICLE};
  weft_demo_shape shape;
  weft_error err = {0};
  if (weft_demo_session_ray_cast(&demo->session, &ray, &shape, &distance, &err) != WEFT_OK) {
    weft_demo_complain(demo, &err);
    return false;
  }
  bool cloth = !through && met(demo, &hit);
  bool first = shape.kind != WEFT_DEMO_NO_SHAPE && (!cloth || distance < hit.distance);
  demo->missed = !through && !first && !cloth;
  if (first) hold_shape(demo, shape, distance);
  return first || (cloth && hold_particle(demo, hit.particle));
}

static void pull(weft_demo *demo) {
  weft_ray ray = ray_at(demo);
  weft_vec3 target = weft_demo_facing(&demo->camera, &ray, demo->held_at);
  if (demo->session.dragged.kind != WEFT_DEMO_NO_SHAPE) {
    weft_vec3 way = weft_v3_sub(target, demo->held_at);
    weft_demo_session_drag_to(&demo->session, weft_v3_add(demo->held_offset, way));
    return;
  }
  weft_error err = {0};
  if (weft_demo_session_pull(&demo->session, target, &err) != WEFT_OK)
    weft_demo_complain(demo, &err);
}

static void press(weft_demo *demo, int button) {
  bool left = button == WEFT_BUTTON_LEFT, shift = demo->modifiers & WEFT_SHIFT;
  demo->missed = false;
  weft_demo_beside_point(&demo->session,
                         demo->x - demo->layout.left); /* it may have stood there all along */
  if (demo->ui.metrics.nonfinite == 0) *demo->ui.message = 0;
  if (left && !shift && (demo->modifiers & WEFT_CONTROL)) {
    pin(demo);
    return;
  }
  demo->dragging = true;
  demo->drag_button = button;
  demo->holding = left && take_hold(demo, shift);
}

static void tell_shape(const weft_demo *demo) {
  weft_demo_shape shape = demo->session.dragged;
  if (shape.kind == WEFT_DEMO_NO_SHAPE) return;
  weft_vec3 o = weft_demo_session_offset(&demo->session, shape);
  weft_log(WEFT_LOG_INFO, "%s %u moved by (%.4f, %.4f, %.4f) m", shape_names[shape.kind],
           shape.index, (double)o.x, (double)o.y, (double)o.z);
}

static void let_go(weft_demo *demo) {
  demo->dragging = false;
  if (demo->holding) tell_shape(demo);
  if (demo->holding) weft_demo_session_let_go(&demo->session);
  demo->holding = false;
  if (demo->missed) weft_demo_choose(demo, WEFT_NO_PARTICLE);
  demo->missed = false;
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
  if (!demo->dragging) {
    weft_demo_beside_point(&demo->session, demo->x - demo->layout.left);
    return;
  }
  demo->missed = false;
  if (demo->holding) {
    pull(demo);
    return;
  }
  demo->away = true;
  if (demo->drag_button == WEFT_BUTTON_MIDDLE || (demo->modifiers & WEFT_SHIFT)) {
    weft_demo_pan(&demo->camera, dx, dy, weft_demo_view_now(demo).height);
  } else {
    weft_demo_orbit(&demo->camera, dx, dy);
  }
}

static void on_scroll(void *user, double x, double y) {
  weft_demo *demo = user;
  if (weft_demo_panel_scroll(demo->panel, x, y)) return;
  float size = demo->session.scene.view_radius;
  demo->away = true;
  weft_demo_zoom(&demo->camera, y, 0.05f * size, 30 * size);
}

static void on_drop(void *user, const char *file) { weft_demo_drop(user, file); }

void weft_demo_listen(weft_demo *demo) {
  weft_gl_window_cursor(demo->gl, &demo->x, &demo->y);
  demo->x *= demo->density;
  demo->y *= demo->density;
  weft_gl_window_listen(demo->gl, &(weft_gl_window_events){.user = demo,
                                                           .key = on_key,
                                                           .button = on_button,
                                                           .move = on_move,
                                                           .scroll = on_scroll,
                                                           .text = on_text,
                                                           .drop = on_drop});
}
