/* backend.h: the interface of a backend.
 *
 * A backend owns one set of buffers and runs passes over them; all of its input is data of
 * pass.h. */
#ifndef WEFT_SOLVER_BACKEND_H
#define WEFT_SOLVER_BACKEND_H

#include "pass.h"
#include "room.h"

/* What run_single runs: the first passes of the list that the backend has seen, over a range of
 * substeps. */
typedef struct weft_single_run {
  size_t passes;
  uint32_t substep, count;
  bool pins_rest, grab_empty; /* move_pins and grab are skipped */
} weft_single_run;

/* What a solver will take, bytes, as far as it does not depend on the backend; each backend adds
 * its own. */
typedef struct weft_need {
  const weft_params *params;
  uint64_t particles, triangles; /* with those of bodies */
  uint64_t pairs, quads;         /* constraints of two and of four particles */
  uint64_t patches;              /* of self-collision */
  uint64_t room;                 /* pairs of its list */
  bool grid;
  bool angles;                  /* quads are those of angles */
  uint64_t buffers, saved;      /* filled */
  uint64_t lists;               /* of the buffers: those that begin without contents */
  uint64_t host, device;        /* the result: of the instance */
  uint64_t making, first_frame; /* more than that, while it is made and while a frame is planned */
} weft_need;

struct weft_backend {
  const char *name;
  void *context; /* the backend's own */
  /* Around every public function of a solver, and of its creation; NULL: nothing is to be done.
   * Calls nest. After an error nothing is entered. */
  weft_result (*enter)(const weft_backend *backend, weft_error *err);
  void (*leave)(const weft_backend *backend);
  /* Makes the initial contents of buffers in the backend's own precision; NULL:
   * weft_solver_contents. */
  weft_result (*contents)(const weft_model *model, const weft_params *params,
                          weft_contents *contents, weft_error *err);
  /* guard: bytes of guard words around every buffer (a multiple of 256), for tests; 0 for none.
   * Without guard words the backend may take ownership of arrays of given contents. */
  weft_result (*create)(const weft_backend *backend, weft_contents *contents, uint32_t guard,
                        void **instance, weft_error *err);
  void (*destroy)(void *instance);
  void (*run)(void *instance, const weft_pass *pass, uint32_t substep);
  /* Both NULL if passes can only run one by one. Decides from the pass list of a substep, and
   * the contents the instance was made of, whether run_single is used. A schedule of
   * WEFT_SCHEDULE_SINGLE that cannot be kept is an error. Called once. */
  weft_result (*plan_single)(void *instance, weft_schedule asked, const weft_pass *passes,
                             size_t count, const weft_contents *contents, bool *single,
                             weft_error *err);
  void (*run_single)(void *instance, const weft_single_run *run);
  /* Both NULL where passes are done when they return. Around the passes of a frame; and the seconds
   * of the last of these whose time is known, 0 where there is none that was not told yet. */
  void (*time_frame)(void *instance, bool begins);
  double (*frame_seconds)(void *instance);
  void (*finish)(void *instance); /* returns when everything issued is done */
  /* Driver errors since the last check, as one sentence that names `what`. Blocks; called where
   * the state is read, never inside a step. */
  weft_result (*check)(void *instance, const char *what, weft_error *err);
  void (*read)(void *instance, weft_buffer_id id, uint64_t first, uint64_t count, void *data);
  void (*write)(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                const void *data);
  /* Writes what follows from parameters that act at once. NULL: the uniforms are floats, and the
   * solver writes them. */
  void (*change)(void *instance, const weft_params *params);
  /* Writes tables that are filled, of which those that come with frames may have other lengths, and
   * goes on with this list of passes. Where it fails, nothing has happened. NULL: it cannot. */
  weft_result (*refill)(void *instance, const weft_contents *tables, const weft_pass *passes,
                        size_t count, weft_error *err);
  /* The elements of a buffer where they are, valid until the instance is asked for anything else;
   * NULL: they are not on the host. */
  const void *(*elements)(void *instance, weft_buffer_id id);
  /* Saves the state; restores what was saved last. */
  void (*save)(void *instance);
  void (*restore)(void *instance);
  /* Which positions are bit for bit those saved last. */
  void (*unmoved)(void *instance, uint64_t first, uint64_t count, bool *unmoved);
  /* Sets the capacities of the lists of self-collision and empties them; a saved state remains.
   * After an error the instance can only be destroyed. */
  weft_result (*resize)(void *instance, const weft_self_room *room, weft_error *err);
  /* What an instance will take; NULL: its buffers. */
  void (*need)(const weft_backend *backend, weft_need *need);
  /* Bytes that an instance has on a device; NULL: none. */
  uint64_t (*device_bytes)(void *instance);
  /* The first buffer whose guard words changed, or WEFT_BUFFER_COUNT. */
  weft_buffer_id (*broken_guard)(void *instance);
};

/* Enters for the rest of the block; returns the error from a function that has an `err`. */
#define WEFT_ENTER(backend) WEFT_ENTER_AS(entered, backend)
#define WEFT_ENTER_AS(name, backend)                                     \
  __attribute__((cleanup(weft_leave))) const weft_backend *name = NULL;  \
  const weft_result name##_result = weft_enter((backend), &(name), err); \
  if (name##_result != WEFT_OK) return name##_result
weft_result weft_enter(const weft_backend *backend, const weft_backend **entered, weft_error *err);
void weft_leave(const weft_backend **entered); /* NULL in it: was not entered */

#endif
