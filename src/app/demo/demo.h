/* demo.h: the window: a scene that runs, is looked at and is played with.
 *
 * Simulation and picture share one context: the renderer reads the solver's buffers in place, and
 * nothing comes to the host per frame. Scenes, looks and words for the terminal come from a host,
 * which is the program's part. */
#ifndef WEFT_DEMO_H
#define WEFT_DEMO_H

#include "render.h"
#include "scenes.h"
#include "ui_state.h"
#include "watch.h"

/* What is shown beside a scene that has a theory: trails and theory, led by the host. */
typedef struct weft_demo_theory {
  /* *theory stays NULL for a scene that has none. */
  weft_result (*open)(void *user, const weft_scene_instance *scene, weft_solver *solver,
                      weft_gl *gl, void **theory, weft_error *err);
  void (*close)(void *theory);
  void (*step)(void *theory, weft_solver *solver); /* after every frame */
  /* The state or the parameters were changed from outside. */
  void (*restart)(void *theory, weft_solver *solver, bool forget_trails);
  double (*measure)(void *theory, weft_solver *solver); /* m apart; negative: nothing to say */
  void (*show)(const void *theory, bool trails, bool analytic, weft_picture *picture);
} weft_demo_theory;

/* What a file that was dropped holds. */
typedef struct weft_demo_file {
  uint32_t vertices, triangles;
  float extent; /* m from corner to corner of the box around it */
  bool closed;
  double seconds; /* that it moves; 0: it stands still */
} weft_demo_file;

typedef struct weft_demo_host {
  void *user;
  const char *file; /* of a mesh given on the command line: one scene more. NULL: none */
  /* Reads a file that was dropped; a sentence where it cannot be. */
  weft_result (*look_at)(void *user, const char *file, weft_demo_file *found, weft_error *err);
  /* The scene of a choice, under what the command line says. */
  weft_result (*make)(void *user, const weft_demo_choice *choice, weft_scene_instance *scene,
                      weft_error *err);
  /* Where solvers run; *shown as in weft_cli_drawn_backend, and the demo's from then on. */
  weft_result (*choose_backend)(void *user, weft_gl *gl, weft_shown **shown,
                                const weft_backend **backend, weft_error *err);
  /* A renderer for it; sizes and samples are in desc, the rest is filled in. */
  weft_result (*make_renderer)(void *user, const weft_demo_choice *choice,
                               const weft_scene_instance *scene, weft_gl *gl,
                               weft_renderer_desc *desc, weft_renderer **renderer, weft_error *err);
  /* Fabric and ground of the picture. */
  void (*dress)(void *user, const weft_scene_instance *scene, const weft_demo_choice *choice,
                weft_picture *picture);
  void (*say)(void *user, const char *line); /* a line for the terminal */
  const char *(*hint)(const char *option);   /* what it is for; NULL: not known */
  const weft_demo_theory *theory;            /* NULL: none */
} weft_demo_host;

/* Zero-initialise. */
typedef struct weft_demo_desc {
  weft_gl_desc gl;
  uint32_t width, height; /* of the window, screen units. Default 1280 x 800 */
  weft_demo_choice choice;
  weft_view_mode view;
  int32_t quality;        /* weft_demo_quality + 1. Default 0: as fine as the machine is fast */
  double speed;           /* simulated seconds per second. Default 1 */
  uint64_t frames;        /* ends after as many simulated frames. Default 0: never */
  const char *screenshot; /* the last picture, as PNG; NULL: none */
  bool paused, no_panel, help;
  bool no_trails, no_analytic;
  bool times;   /* a line with the time of each pass, twice a second */
  bool no_pins; /* no marks at pinned particles */
  bool pick;    /* starts with this particle picked */
  uint32_t particle;
  const weft_demo_host *host;
} weft_demo_desc;

/* How it ended. */
typedef struct weft_demo_outcome {
  char scene[300];           /* the scene itself is gone */
  uint64_t frames, pictures; /* simulated since the last reset; shown */
  uint64_t hash;             /* of the state */
  uint32_t gl_messages;
  weft_strain_choice
      held;           /* a limit of strain at the end, target 0: none; under which parameters */
  weft_params params; /* without colliders */
  weft_strain_seen strain; /* measured twice a second since scene or limit changed */
  bool output_failed;      /* the error is about the screenshot */
} weft_demo_outcome;

/* Runs until the user quits. WEFT_ERROR_NO_GL without display, libglfw or OpenGL 4.3. */
weft_result weft_demo_run(const weft_demo_desc *desc, weft_demo_outcome *outcome, weft_error *err);

#endif
