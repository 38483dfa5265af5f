/* panel.h: the panel over the picture, drawn by Dear ImGui where weft was built with it. */
#ifndef WEFT_DEMO_PANEL_H
#define WEFT_DEMO_PANEL_H

#include "ui_state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_demo_panel weft_demo_panel;

/* For the current context; scale: weft_gl_window_scale, height of the window in pixels. NULL
 * without Dear ImGui. Everything below allows a NULL panel. */
weft_demo_panel *weft_demo_panel_create(double scale, int height);
void weft_demo_panel_destroy(weft_demo_panel *panel);

/* What the user does, in pixels of the frame buffer, y down. True: it was meant for the panel. */
bool weft_demo_panel_move(weft_demo_panel *panel, double x, double y);
bool weft_demo_panel_button(weft_demo_panel *panel, int button, bool down);
bool weft_demo_panel_scroll(weft_demo_panel *panel, double x, double y);
bool weft_demo_panel_key(weft_demo_panel *panel, int key, bool down, int modifiers);
bool weft_demo_panel_text(weft_demo_panel *panel, uint32_t codepoint);

/* Pixels that it takes at either side. */
void weft_demo_panel_sides(const weft_demo_panel *panel, double *left, double *right);
/* Closes a list that is open; false: there was none. */
bool weft_demo_panel_escape(weft_demo_panel *panel);

/* Into the frame buffer bound for drawing, `seconds` after the last time. */
void weft_demo_panel_draw(weft_demo_panel *panel, weft_demo_ui *ui, int width, int height,
                          double seconds);

#ifdef __cplusplus
}
#endif

#endif
