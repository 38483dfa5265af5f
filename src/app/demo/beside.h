/* beside.h: the scene once more, as a plain sweep has it, in the left half of the window.
 *
 * A second solver of the same model, from the same start. Whatever the mouse, the wind and the
 * scene do to the scene's own solver is done to it, too: it runs the frames that the other has run
 * with the inputs that were recorded. With a scene that is shown alone these do nothing. */
#ifndef WEFT_DEMO_BESIDE_H
#define WEFT_DEMO_BESIDE_H

#include "gl.h"
#include "inspect.h"
#include "pair.h"

typedef struct weft_demo_session weft_demo_session;

typedef struct weft_demo_beside {
  weft_solver *solver;      /* NULL: the scene is shown alone */
  bool pointed;             /* the mouse is in its half, or was when it was pressed */
  weft_pair pair;           /* of what panels leave free */
  weft_picture picture;     /* as last composed */
  GLuint halves, halves_to; /* texture and frame buffer of both pictures as drawn */
  GLuint strip, strip_to;   /* of the captions */
  weft_caption captions[2];
  /* What its frames cost since the captions were written. */
  weft_gl_timer timer;
  bool timer_made;
  uint32_t pending; /* frames in the timer, not read yet */
  double seconds;
  uint64_t frames;
  double ms; /* a frame */
} weft_demo_beside;

/* Where in the window the camera's picture is, in pixels from its upper left corner. */
typedef struct weft_demo_view {
  int left, width, height;
} weft_demo_view;
/* The half that the mouse is in, or all of the window. */
weft_demo_view weft_demo_view_of(const weft_demo_session *session, int width, int height);
/* The mouse is at x. */
void weft_demo_beside_point(weft_demo_session *session, double x);
/* Whose cloth the mouse is in. */
weft_solver *weft_demo_beside_pointed(const weft_demo_session *session);

/* *solver is NULL for a scene that is shown alone; else where the present one is. */
weft_result weft_demo_beside_make(const weft_demo_session *session, const weft_params *params,
                                  weft_solver **solver, weft_error *err);
weft_result weft_demo_beside_retune(weft_demo_session *session, const weft_params *params,
                                    weft_error *err);
weft_result weft_demo_beside_pin(weft_demo_session *session, uint32_t particle, bool pinned,
                                 weft_error *err);
void weft_demo_beside_close(weft_demo_session *session); /* of a zeroed session as well */
/* Runs the frames that the scene is ahead. */
weft_result weft_demo_beside_follow(weft_demo_session *session, weft_error *err);
/* Its strain and cost, and the scene's, into the captions. */
weft_result weft_demo_beside_measure(weft_demo_session *session, const weft_metrics *own,
                                     double own_ms, weft_error *err);

/* Changes the size of a picture to that of a half. */
void weft_demo_beside_halve(weft_demo_session *session, uint32_t *width, uint32_t *height);
/* Room for two pictures as the session draws them. */
void weft_demo_beside_resize(weft_demo_session *session);
weft_result weft_demo_beside_compose(weft_demo_session *session, weft_error *err);
weft_result weft_demo_beside_draw(weft_demo_session *session, weft_error *err);
/* Into the window, from its `left` on. */
void weft_demo_beside_show(const weft_demo_session *session, int left);

#endif
