/* demo_internal.h: the running demo, shared by its loop, its actions and its input. */
#ifndef WEFT_DEMO_INTERNAL_H
#define WEFT_DEMO_INTERNAL_H

#include "clock.h"
#include "layout.h"
#include "meter.h"
#include "pace.h"
#include "panel.h"
#include "picked.h"
#include "prompt.h"
#include "session.h"

typedef struct weft_demo {
  const weft_demo_desc *desc;
  weft_gl *gl;
  weft_shown *shown; /* NULL: the solver runs in GL */
  weft_demo_session session;
  weft_demo_clock clock;
  weft_demo_meter meter;
  weft_demo_times times;
  bool tell_times;             /* in the terminal */
  weft_demo_partners partners; /* of the picked particle */
  weft_demo_ui ui;
  weft_params on_panel; /* as it showed them last: what differs from ui.params was moved there */
  uint64_t tunings;     /* of the session, then */
  weft_demo_panel *panel;
  weft_camera camera;
  weft_demo_layout layout; /* the scene is drawn in what is free */
  bool away;               /* the camera was moved: it stays, whatever the room */
  char title[400], runs[400];
  const char *names[3][64];      /* scenes, fabrics, views */
  int width, height;             /* pixels */
  int sized_width, sized_height; /* that pictures were last made for */
  weft_demo_pace pace;
  uint32_t cloth_size;         /* asked for; 0: that of each scene */
  double tuned_at, tune_costs; /* when settings were last taken, and the seconds that took */
  double moved_at;             /* when the picture last changed */
  double resized_at;     /* when the window got another size than the renderer; 0: it has not */
  double density, scale; /* of the window, see gl/window.h */
  /* input */
  double x, y;           /* pixels */
  bool dragging;         /* since a press outside the panel */
  bool holding;          /* cloth or a pin, not the camera */
  weft_vec3 held_at;     /* the point held, on the plane the mouse moves it in */
  weft_vec3 held_offset; /* of the shape held, when it was taken */
  int drag_button, modifiers, last_key_action;
  double captions_shown; /* when those of pictures side by side were */
  double apart_shown;    /* when the distance from theory was */
  bool missed;           /* a press met nothing, and the mouse has not moved since */
  double picked_shown;   /* when the picked particle was read last */
  double notice_until;   /* wall time */
  char **files;          /* [file_count] dropped so far; those from `asked` on wait for an answer */
  size_t file_count, file_room, asked;
  const char *cloth; /* the last that became cloth, or NULL */
  weft_demo_prompt sign;
  bool photograph, quit;
  uint64_t pictures;
} weft_demo;

/* ---- actions.c ---- */
/* A failure of what the user asked for goes to the UI state, not to the caller. */
void weft_demo_act(weft_demo *demo, weft_demo_action action);
/* What was asked for on the panel since the last picture. */
void weft_demo_obey(weft_demo *demo);
/* Another scene, or the same made anew. */
bool weft_demo_play(weft_demo *demo, const weft_demo_choice *choice);
void weft_demo_home(weft_demo *demo);                     /* camera */
void weft_demo_settle(weft_demo *demo);                   /* looks how much room there is */
weft_demo_view weft_demo_view_now(const weft_demo *demo); /* in the window */
void weft_demo_complain(weft_demo *demo, const weft_error *err);
/* One sentence on screen for a few seconds, and in the log. */
void weft_demo_notify(weft_demo *demo, const char *text);
/* A line for the terminal. */
void weft_demo_say(weft_demo *demo, const char *line);
/* Makes a particle the picked one, or none (WEFT_NO_PARTICLE). */
void weft_demo_choose(weft_demo *demo, uint32_t particle);
/* Its values, onto the UI state. */
void weft_demo_read_picked(weft_demo *demo);
void weft_demo_say_picked(weft_demo *demo); /* in a line for the terminal */
/* The window's pixels. */
weft_result weft_demo_photograph(weft_demo *demo, const char *path, weft_error *err);

/* What was measured belongs to another state. */
void weft_demo_start_over(weft_demo *demo);
/* Of a mesh from a file, behind those built in. */
uint32_t weft_demo_file_scene(void);

/* ---- drop.c ---- */
/* A file was dropped on the window. */
void weft_demo_drop(weft_demo *demo, const char *file);
/* What shall become of it. */
void weft_demo_reply(weft_demo *demo, weft_demo_answer answer);
/* Does what was answered, and asks about the next file. */
void weft_demo_ask(weft_demo *demo);

/* ---- presets.c ---- */
int32_t weft_demo_wind_preset(const weft_params *params); /* a weft_demo_wind, or -1 */
int32_t weft_demo_strain_preset(const weft_demo *demo);   /* a weft_demo_strain, or -1 */
/* Into what is wanted, those that were clicked: winds, and limits of strain. */
void weft_demo_ask_for_presets(weft_demo *demo, weft_params *wanted);
/* Whether two ask for the same limit of strain. */
bool weft_demo_same_limit(const weft_strain_choice *a, const weft_strain_choice *b);
/* The limit of strain, %; 0: what is chosen by default, or none. */
float weft_demo_shown_limit(const weft_demo_session *session);

/* ---- show.c ---- */
/* The UI state's requests, as it runs now. */
void weft_demo_show_settings(weft_demo *demo);

/* ---- tune.c ---- */
/* What was moved on the panel since the last picture. */
void weft_demo_tune(weft_demo *demo);

/* ---- input.c ---- */
/* Whether the mouse is near a pin, as it is seen. */
bool weft_demo_near_pin(const weft_demo *demo);
void weft_demo_listen(weft_demo *demo);

#endif
