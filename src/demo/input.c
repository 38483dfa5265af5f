/* input.c: keys and mouse: first the panel, then the camera and the table of keys. */
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

static void on_button(void *user, int button, int action, int modifiers) {
  weft_demo *demo = user;
  demo->modifiers = modifiers;
  bool down = action == WEFT_PRESS;
  bool taken = weft_demo_panel_button(demo->panel, button, down);
  if (down && !taken && !demo->dragging) {
    demo->dragging = true;
    demo->drag_button = button;
  } else if (!down && button == demo->drag_button) {
    demo->dragging = false;
  }
}

static void on_move(void *user, double x, double y) {
  weft_demo *demo = user;
  double dx = x * demo->density - demo->x, dy = y * demo->density - demo->y;
  demo->x += dx;
  demo->y += dy;
  weft_demo_panel_move(demo->panel, demo->x, demo->y);
  if (!demo->dragging) return;
  if (demo->drag_button == WEFT_BUTTON_MIDDLE || (demo->modifiers & WEFT_SHIFT)) {
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
