/* panel_none.c: no panel, where weft was built without Dear ImGui. */
#include "panel.h"

#ifndef WEFT_HAVE_IMGUI

weft_demo_panel *weft_demo_panel_create(double scale, int height) {
  (void)scale, (void)height;
  return NULL;
}
void weft_demo_panel_destroy(weft_demo_panel *panel) { (void)panel; }
bool weft_demo_panel_move(weft_demo_panel *panel, double x, double y) {
  (void)panel, (void)x, (void)y;
  return false;
}
bool weft_demo_panel_button(weft_demo_panel *panel, int button, bool down) {
  (void)panel, (void)button, (void)down;
  return false;
}
bool weft_demo_panel_scroll(weft_demo_panel *panel, double x, double y) {
  (void)panel, (void)x, (void)y;
  return false;
}
bool weft_demo_panel_key(weft_demo_panel *panel, int key, bool down, int modifiers) {
  (void)panel, (void)key, (void)down, (void)modifiers;
  return false;
}
bool weft_demo_panel_text(weft_demo_panel *panel, uint32_t codepoint) {
  (void)panel, (void)codepoint;
  return false;
}
void weft_demo_panel_sides(const weft_demo_panel *panel, double *left, double *right) {
  (void)panel, (void)left, (void)right;
}
bool weft_demo_panel_escape(weft_demo_panel *panel) {
  (void)panel;
  return false;
}
void weft_demo_panel_draw(weft_demo_panel *panel, weft_demo_ui *ui, int width, int height,
                          double seconds) {
  (void)panel, (void)ui, (void)width, (void)height, (void)seconds;
}

#endif
