/* window.h: a context in a window, for the program's own display only.
 *
 * GLFW is loaded at run time, so that the program starts on machines without it; everything
 * headless never touches it. One thread: the one that made the first window. */
#ifndef WEFT_GL_WINDOW_H
#define WEFT_GL_WINDOW_H

#include "gl.h"

/* What the user does. Any function may be NULL. Keys, buttons, actions and modifiers are GLFW's. */
typedef struct weft_gl_window_events {
  void *user;
  void (*key)(void *user, int key, int action, int modifiers);
  void (*button)(void *user, int button, int action, int modifiers);
  void (*move)(void *user, double x, double y); /* window coordinates, y down */
  void (*scroll)(void *user, double x, double y);
  /* A character typed, after its key: what the user's own keyboard layout makes of it. */
  void (*text)(void *user, uint32_t codepoint);
  void (*drop)(void *user,
               const char *file); /* each file that is dropped; valid until it returns */
} weft_gl_window_events;

/* A window of width x height screen units with a 4.3 core context, current on return; destroyed by
 * weft_gl_destroy. Both 0: 1280 x 800, larger by the scale of the display. WEFT_ERROR_NO_GL with a
 * sentence without libglfw, a display or OpenGL 4.3. */
weft_result weft_gl_create_window(const weft_gl_desc *desc, int width, int height,
                                  const char *title, weft_gl **gl, weft_error *err);

/* All of these want a gl made by weft_gl_create_window. */
void weft_gl_window_listen(weft_gl *gl, const weft_gl_window_events *events);
void weft_gl_window_title(weft_gl *gl, const char *title);
void weft_gl_window_vsync(weft_gl *gl, bool on);               /* on after creation */
void weft_gl_window_size(weft_gl *gl, int *w, int *h);         /* pixels of the frame buffer */
void weft_gl_window_cursor(weft_gl *gl, double *x, double *y); /* screen units */
/* Pixels to a screen unit: 2 on displays of high density. */
double weft_gl_window_density(weft_gl *gl);
/* How many pixels text and buttons want where one pixel was enough on an ordinary display: what the
 * desktop says of the window's display (Xft.dpi over 96 on X11), at least the density. */
double weft_gl_window_scale(weft_gl *gl);
void weft_gl_window_poll(weft_gl *gl); /* calls the listener */
void weft_gl_window_swap(weft_gl *gl);
bool weft_gl_window_should_close(weft_gl *gl);
void weft_gl_window_close(weft_gl *gl); /* makes should_close true */

#endif
