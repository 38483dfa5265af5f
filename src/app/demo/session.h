/* session.h: the scene that is on: its model, solver and renderer, made anew when the choice
 * changes.
 */
#ifndef WEFT_DEMO_SESSION_H
#define WEFT_DEMO_SESSION_H

#include "beside.h"
#include "demo.h"
#include "replay.h"
#include "times.h"
#include "ui_state.h"

struct weft_demo_session {
  const weft_demo_host *host;
  weft_gl *gl;
  const weft_backend *backend;
  weft_demo_choice choice; /* what runs */
  weft_scene_instance scene;
  weft_solver *solver;
  weft_renderer *renderer;
  uint32_t width, height; /* of the picture wanted */
  weft_demo_quality quality;
  uint32_t drawn_width, drawn_height; /* of the renderer: less when coarse */
  weft_picture picture;               /* as last composed */
  uint64_t changes, composed;         /* of the state so far, and when it was composed */
  bool drawn;                         /* the renderer has it */
  weft_demo_replay replay;
  uint64_t tunings;            /* changes of parameters so far */
  weft_params own;             /* of the scene, before anything was changed here; no colliders */
  weft_strain_choice own_held; /* and its limit of strain */
  bool pulled;                 /* by the mouse, since the last reset: substeps are for that */
  weft_vec3 wind;              /* without gust */
  weft_vec3 gust;              /* m/s at its peak */
  double gust_begin;           /* simulated seconds; only while gusting */
  bool gusting;
  bool lent_air; /* by a gust, where there is none */
  uint32_t led;  /* a pin led by the mouse, or WEFT_NO_PARTICLE */
  weft_vec3 led_at, led_to;
  weft_demo_shape dragged; /* by the mouse */
  weft_vec3 drag_to;       /* its offset wanted, m */
  uint64_t hidden;         /* a bit for each body that is not drawn */
  void *theory;            /* the host's, or NULL */
  bool hide_trails, hide_analytic;
  weft_demo_beside beside;
};

weft_result weft_demo_session_open(weft_demo_session *session, const weft_demo_choice *choice,
                                   weft_error *err);
void weft_demo_session_close(weft_demo_session *session); /* the scene; a zeroed session as well */

/* The same scene of another fabric, bending or compliance; the cloth goes on from where it is, with
 * the pins that the user gave it. Of `params` the rows of the panel that are not the scene's own
 * are carried over; *params becomes what runs. */
weft_result weft_demo_session_recut(weft_demo_session *session, const weft_demo_choice *choice,
                                    weft_params *params, weft_error *err);
/* In `params` what was the one scene's own becomes the other's; rows of the panel that differed
 * stay.
 */
void weft_demo_session_carry(weft_params *params, const weft_params *from, const weft_params *to);
/* How a scene takes a body more. */
typedef struct weft_demo_joined {
  bool moves; /* the body does, and all begins with it */
  bool anew;  /* all begins at the start again: it moves, or cloth is in its way; else the cloth
                 goes on from where it is */
  uint64_t tangled; /* pairs of triangles of cloth and body that cross at the start already */
} weft_demo_joined;
/* Recuts with a choice that has a body more than the present one. */
weft_result weft_demo_session_add_body(weft_demo_session *session, const weft_demo_choice *choice,
                                       weft_params *params, weft_demo_joined *joined,
                                       weft_error *err);
/* Pairs of triangles of cloth and bodies that cross at the start: they are not kept apart. */
weft_result weft_demo_session_tangled(const weft_demo_session *session, uint64_t *pairs,
                                      weft_error *err);
/* What runs, but for a gust. */
weft_params weft_demo_session_params(const weft_demo_session *session);
/* In `params` chooses again what keeps the scene's limit of strain (scene.held, but what its `kept`
 * has) under these parameters, in the wind at its strongest, a gust with it, and under a pull if
 * there was one. Without a limit it does nothing. */
weft_result weft_demo_session_choose(weft_demo_session *session, weft_params *params,
                                     weft_error *err);
/* The same model under other parameters (their colliders and bodies are not looked at); the state
 * stays. */
weft_result weft_demo_session_retune(weft_demo_session *session, const weft_params *params,
                                     weft_error *err);
/* A solver of the scene where `from` is, which may be NULL, with the pins that the user gave. */
weft_result weft_demo_session_make(const weft_demo_session *session, const weft_params *params,
                                   weft_solver *from, weft_solver **solver, weft_error *err);
/* Friction of every collider; effective with the next retune. */
void weft_demo_session_friction(weft_demo_session *session, float at_rest, float sliding);

weft_result weft_demo_session_reset(weft_demo_session *session, weft_error *err);
/* A gust of a second; where there is no air it brings some, for as long. */
weft_result weft_demo_session_blow(weft_demo_session *session, weft_vec3 peak, weft_error *err);

/* The first particle near a ray. */
weft_result weft_demo_session_pick(weft_demo_session *session, weft_ray ray, float slope,
                                   weft_hit *hit, weft_error *err);
/* Where a particle is, and how fast: a read-back of two rows. */
void weft_demo_session_particle(weft_demo_session *session, uint32_t particle, weft_vec3 *position,
                                weft_vec3 *velocity);
bool weft_demo_session_pinned(const weft_demo_session *session, uint32_t particle);
/* Takes hold of a particle, by a spring of bounded force, or of a pin, which then follows. */
weft_result weft_demo_session_hold(weft_demo_session *session, uint32_t particle, weft_error *err);
weft_result weft_demo_session_pull(weft_demo_session *session, weft_vec3 target, weft_error *err);
void weft_demo_session_let_go(weft_demo_session *session);
/* The first shape that a ray meets, and how far along it, m. Planes do not count, nor bodies that
 * are not drawn. Of bodies a read-back. */
weft_result weft_demo_session_ray_cast(const weft_demo_session *session, const weft_ray *ray,
                                       weft_demo_shape *shape, float *distance, weft_error *err);
weft_vec3 weft_demo_session_offset(const weft_demo_session *session, weft_demo_shape shape);
/* Begins to drag a shape; returns its offset now. Let go of as the others are; it stays where it
 * is.
 */
weft_vec3 weft_demo_session_drag(weft_demo_session *session, weft_demo_shape shape);
/* Where its offset is wanted; it goes there at a limited speed. */
void weft_demo_session_drag_to(weft_demo_session *session, weft_vec3 offset);
/* Pins a particle where it is, or frees it; what the scene moved is the user's from then on. */
weft_result weft_demo_session_pin(weft_demo_session *session, uint32_t particle, weft_error *err);

/* How far the state is from theory, m; negative where there is none. Reads positions back. */
double weft_demo_session_apart(weft_demo_session *session);

/* One frame; with times, its passes are timed. */
weft_result weft_demo_session_step(weft_demo_session *session, weft_demo_times *times,
                                   weft_error *err);

/* A renderer for pictures of this size. */
weft_result weft_demo_session_resize(weft_demo_session *session, uint32_t width, uint32_t height,
                                     weft_demo_quality quality, weft_error *err);
/* Makes up the picture that the UI state asks for: view, batch, marks. *moves: it differs from the
 * one before. */
weft_result weft_demo_session_compose(weft_demo_session *session, const weft_camera *camera,
                                      const weft_demo_ui *ui, bool *moves, weft_error *err);
weft_result weft_demo_session_draw(weft_demo_session *session, weft_error *err);

#endif
