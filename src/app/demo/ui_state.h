/* ui_state.h: what the panel shows and what the user requests there; the panel reads nothing else.
 *
 * The demo fills the figures before each picture and afterwards does what `asked` and `choice`
 * want. Read by C and C++. */
#ifndef WEFT_DEMO_UI_H
#define WEFT_DEMO_UI_H

#include <weft/solver.h>

#include "keys.h"

enum { WEFT_DEMO_HISTORY = 120, WEFT_DEMO_SERIES = 5 };

/* Figures over time, sampled twice a second. */
typedef struct weft_demo_history {
  float values[WEFT_DEMO_SERIES][WEFT_DEMO_HISTORY]; /* oldest first */
  uint32_t count;
} weft_demo_history;
enum { /* its rows */
       WEFT_DEMO_STRAIN_MEAN = 0,
       WEFT_DEMO_STRAIN_P99,
       WEFT_DEMO_STRAIN_MAX,
       WEFT_DEMO_KINETIC,
       WEFT_DEMO_POTENTIAL,
};

/* What a scene is made of; changes make it anew. */
typedef struct weft_demo_choice {
  uint32_t scene;      /* index into the scenes; their count: the file of the command line */
  uint32_t size;       /* 0: that of the scene */
  int32_t fabric;      /* index into the fabrics, -1: that of the scene */
  int32_t bending;     /* weft_bending, -1: that of the scene */
  bool softened[3];    /* these have another compliance than their fabric has: */
  float compliance[3]; /* of stretch and shear (m/N), of bending (1/(N m)) */
  /* Files dropped on the window; the names belong to the demo. */
  const char *cloth;                   /* instead of that of the command line, or NULL */
  const char *bodies[WEFT_MAX_BODIES]; /* beside those of the scene */
  uint32_t body_count;
} weft_demo_choice;

/* Settings in one click. */
typedef enum weft_demo_wind {
  WEFT_DEMO_CALM = 0,
  WEFT_DEMO_BREEZE,
  WEFT_DEMO_STORM,
  WEFT_DEMO_WIND_COUNT
} weft_demo_wind;
typedef enum weft_demo_strain {
  WEFT_DEMO_UNHELD = 0, /* the textbook's sweep */
  WEFT_DEMO_AS_SCENE,
  WEFT_DEMO_FIRM,
  WEFT_DEMO_STRAIN_COUNT
} weft_demo_strain;

/* What becomes of a file that was dropped. */
typedef enum weft_demo_answer {
  WEFT_DEMO_UNANSWERED = 0,
  WEFT_DEMO_AS_CLOTH,
  WEFT_DEMO_AS_BODY,
  WEFT_DEMO_AS_NOTHING,
} weft_demo_answer;

/* A body as it is shown and set. */
typedef struct weft_demo_body {
  const char *name;
  float friction_static, friction_dynamic;
  float thickness; /* m; 0: as cloth from cloth */
  bool hidden;
} weft_demo_body;

/* How much work a picture is. */
typedef enum weft_demo_quality {
  WEFT_DEMO_FINE = 0, /* smooth edges */
  WEFT_DEMO_PLAIN,    /* without */
  WEFT_DEMO_COARSE,   /* a quarter of the pixels */
} weft_demo_quality;

/* GPU time of a kind of pass, of one simulated frame. */
enum { WEFT_DEMO_MAX_PASSES = 128 };
typedef struct weft_demo_pass_time {
  const char *name;
  double ms;
} weft_demo_pass_time;

/* Values of one particle. */
typedef struct weft_demo_picked {
  bool known; /* what follows was read */
  uint32_t particle;
  uint32_t number; /* what it is called */
  weft_vec3 at, velocity;
  float inverse_mass; /* 1/kg, 0: pinned or attached */
  bool attached;
  float strain;               /* of the most strained edge, with its sign */
  uint32_t edges, neighbours; /* neighbours share a constraint with it, */
  uint32_t near;              /* or are found near it by contact between particles */
  bool touches_collider, touches_particle;
} weft_demo_picked;

typedef struct weft_demo_ui {
  /* ---- lists ---- */
  const char *const *scenes;
  const char *const *fabrics;
  const char *const *bendings;
  const char *const *views;
  uint32_t scene_count, fabric_count, view_count, bending_count; /* a file is one scene more */
  /* ---- figures ---- */
  const char *title; /* scene and size in words */
  const char *runs;  /* where solver and drawing run */
  const char *who;   /* runs the solver, in a word: "GPU", "gl", "cpu" */
  double pictures_per_second, solver_ms, render_ms, projections_per_second;
  double render_ms_a_frame; /* drawing, per simulated frame */
  weft_demo_pass_time passes[WEFT_DEMO_MAX_PASSES];
  uint32_t pass_count;    /* 0: not timed yet */
  double passes_ms;       /* of all of them, */
  double passes_whole_ms; /* and of the whole frames they were in */
  double time;            /* simulated seconds */
  uint64_t frame;
  double speed, achieved; /* simulated seconds per second */
  bool paused, too_slow;
  uint32_t batch_count; /* 0 unless the view shows batches */
  bool takes_cloth;     /* fabric and bending mean something to the scene */
  bool takes_size;      /* and how fine it is */
  bool takes_air;       /* there are triangles */
  bool takes_contact;
  bool has_colliders;
  bool measured;
  weft_metrics metrics;
  weft_standstill still; /* and what weft_still_describe says of it */
  char still_text[600];
  double strain_limit; /* a part; 0: none */
  weft_demo_history history;
  uint32_t picked; /* particle last clicked, or WEFT_NO_PARTICLE */
  weft_demo_picked particle;
  bool has_theory, shows_trails, shows_analytic;
  double apart;      /* m from theory; negative: not known */
  char hash[64];     /* empty: not asked for */
  char verdict[320]; /* of the last comparison with the reference; empty: none */
  bool verdict_good;
  char message[320]; /* of what went wrong; empty: nothing */
  char notice[200];  /* of what was just done; empty: nothing */
  const char *file;  /* that was dropped and waits for an answer; NULL: none */
  char facts[160];   /* about it */
  /* What an option of the command line is for; NULL: not known. */
  const char *(*hint)(const char *option);
  /* Told where on the panel something can be clicked, pixels, whenever it has moved. */
  void (*place)(const char *name, double x, double y);
  /* ---- requests: read and written by the panel ---- */
  int32_t scene_asked;              /* another scene; -1: none */
  int32_t wind_asked, wind_now;     /* weft_demo_wind, -1: none of them */
  int32_t strain_asked, strain_now; /* weft_demo_strain, -1: none of them */
  uint32_t view;
  int32_t batch;   /* of the view that shows batches, -1: all */
  int32_t quality; /* weft_demo_quality, -1: as fine as the machine is fast */
  weft_demo_quality drawn;
  weft_demo_choice choice;
  float max_strain;                        /* %; 0: no limit */
  weft_params params;                      /* edited; its colliders are the scene's */
  float friction_static, friction_dynamic; /* of all colliders */
  weft_demo_body bodies[WEFT_MAX_BODIES];
  uint32_t body_count;
  weft_demo_answer answer;
  bool edited;  /* something above differs from what runs */
  bool held;    /* and a slider is still held */
  bool restore; /* back to the scene's own values */
  bool asked[WEFT_DEMO_ACTION_COUNT];
  bool show_panel, show_help, show_times;
  bool show_pins; /* always; else while the mouse is near one: */
  bool near_pin;
} weft_demo_ui;

#endif
