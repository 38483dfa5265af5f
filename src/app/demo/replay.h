/* replay.h: what is needed to run the last frames once more: a state some frames old, and what came
 * from outside since.
 *
 * States are copied from buffer to buffer on the GPU, one every WEFT_DEMO_REPLAY_FRAMES frames, and
 * come to the host only when a comparison is asked for. */
#ifndef WEFT_DEMO_REPLAY_H
#define WEFT_DEMO_REPLAY_H

#include "inspect.h"
#include "scenes.h"
#include "solver_gl.h"

/* What can be dragged beside cloth. */
typedef enum weft_demo_shape_kind {
  WEFT_DEMO_NO_SHAPE = 0,
  WEFT_DEMO_COLLIDER,
  WEFT_DEMO_BODY,
} weft_demo_shape_kind;
typedef struct weft_demo_shape {
  weft_demo_shape_kind kind;
  uint32_t index; /* among colliders or bodies */
} weft_demo_shape;

enum { WEFT_DEMO_REPLAY_FRAMES = 8 };

/* What may differ from frame to frame beside what the scene itself does. */
typedef struct weft_demo_input {
  weft_vec3 wind;       /* m/s */
  weft_grab_state grab; /* what is held, and where it goes */
  uint32_t pin;         /* led by the mouse, or WEFT_NO_PARTICLE */
  weft_vec3 pin_target;
  weft_demo_shape shape; /* dragged by the mouse, and its offset at the end of the frame */
  weft_vec3 offset;
} weft_demo_input;

/* To be called before a frame of any solver of the scene that is to do the same. */
weft_result weft_demo_input_give(const weft_demo_input *input, weft_scene_instance *scene,
                                 weft_solver *solver, weft_error *err);

typedef struct weft_demo_replay_state {
  weft_gl_buffer copies[WEFT_BUFFER_COUNT]; /* of what is state */
  weft_vec3d *pin_from, *pin_to;
  weft_body_way *body_ways;
  uint32_t *body_awake;
  weft_shape_state *shapes;
  weft_vec3 *offsets; /* of colliders, which rest between frames, and behind them of bodies */
  weft_vec3d origin;
  uint64_t frame;
  bool valid;
} weft_demo_replay_state;

typedef struct weft_demo_replay {
  weft_gl *gl;
  weft_demo_replay_state states[2];                    /* the older one is used */
  weft_demo_input inputs[2 * WEFT_DEMO_REPLAY_FRAMES]; /* of frame f at f % their number */
} weft_demo_replay;

/* Begins as { .gl = gl }; rooms for states are made where they are needed. */
void weft_demo_replay_close(weft_demo_replay *replay); /* a zeroed one as well */
/* The state was replaced, or the solver has changed: what was recorded leads nowhere. */
void weft_demo_replay_forget(weft_demo_replay *replay);
/* Before a frame that runs with this input. Waits for nothing. */
void weft_demo_replay_record(weft_demo_replay *replay, const weft_scene_instance *scene,
                             const weft_solver *solver, const weft_demo_input *input);

/* That of one of the last frames. */
const weft_demo_input *weft_demo_replay_input(const weft_demo_replay *replay, uint64_t frame);

typedef struct weft_demo_verdict {
  bool compared, equal;
  uint64_t components;
  char text[320]; /* in one sentence */
} weft_demo_verdict;
/* Runs the frames since the older state again, on the reference and where the solver runs, and
 * compares positions and velocities after each substep, and the end with what the solver holds now.
 * `name`: what the live one is called.
 */
weft_result weft_demo_replay_validate(weft_demo_replay *replay, weft_scene_instance *scene,
                                      weft_solver *live, const char *name,
                                      weft_demo_verdict *verdict, weft_error *err);

#endif
