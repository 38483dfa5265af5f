/* backend.h: the interface of a backend.
 *
 * A backend owns one set of buffers and runs passes over them; everything it needs comes as the
 * data of pass.h. */
#ifndef WEFT_SOLVER_BACKEND_H
#define WEFT_SOLVER_BACKEND_H

#include "pass.h"
#include "room.h"

/* What run_single runs: of the list it was shown the first so many passes, in so many substeps. */
typedef struct weft_single_run {
  size_t passes;
  uint32_t substep, count;
  bool pins_rest, grab_empty; /* move_pins, grab are left out */
} weft_single_run;

struct weft_backend {
  const char *name;
  void *context; /* the backend's own */
  /* Makes the initial contents of buffers in the backend's own precision; NULL:
   * weft_solver_contents. */
  weft_result (*contents)(const weft_model *model, const weft_params *params,
                          weft_contents *contents, weft_error *err);
  /* guard: bytes of guard words around every buffer (a multiple of 256), for tests; 0 for none.
   * Without, arrays of contents that are given may become the instance's own. */
  weft_result (*create)(const weft_backend *backend, weft_contents *contents, uint32_t guard,
                        void **instance, weft_error *err);
  void (*destroy)(void *instance);
  void (*run)(void *instance, const weft_pass *pass, uint32_t substep);
  /* Both NULL where passes are only run one by one. Looks at the list of a substep, with the
   * contents the instance was made of, and decides whether run_single shall run it. A schedule of
   * WEFT_SCHEDULE_SINGLE that cannot be kept is an error. Called once. */
  weft_result (*plan_single)(void *instance, weft_schedule asked, const weft_pass *passes,
                             size_t count, const weft_contents *contents, bool *single,
                             weft_error *err);
  void (*run_single)(void *instance, const weft_single_run *run);
  void (*finish)(void *instance); /* returns when everything issued is done */
  /* What the driver complained of since the last check, as one sentence naming `what`. Blocks;
   * called where the state is read, never inside a step. */
  weft_result (*check)(void *instance, const char *what, weft_error *err);
  void (*read)(void *instance, weft_buffer_id id, uint64_t first, uint64_t count, void *data);
  void (*write)(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                const void *data);
  /* Keeps the state; brings what was kept last back. */
  void (*save)(void *instance);
  void (*restore)(void *instance);
  /* Which positions have the bits that were kept last. */
  void (*unmoved)(void *instance, uint64_t first, uint64_t count, bool *unmoved);
  /* The lists of self-collision are that long from now on, and empty: what was kept is still there
   * to be brought back. After an error the instance may be fit for no more than to be destroyed. */
  weft_result (*resize)(void *instance, const weft_self_room *room, weft_error *err);
  /* The first buffer whose guard words changed, or WEFT_BUFFER_COUNT. */
  weft_buffer_id (*broken_guard)(void *instance);
};

#endif
