/* state.h: the inside of a state that is kept. */
#ifndef WEFT_SOLVER_STATE_H
#define WEFT_SOLVER_STATE_H

#include <weft/change.h>

#include "find_nonfinite.h"
#include "inspect.h"

/* What outlives a frame in buffers that are scratch: rejected steps in a row, neighbours that were
 * found. */
enum { WEFT_STATE_COUNTERS = 2 };
extern const weft_buffer_id weft_state_counters[WEFT_STATE_COUNTERS];

struct weft_state {
  weft_kept_state kept;
  uint32_t *counters[WEFT_STATE_COUNTERS];
  float *multipliers; /* NULL where none are kept */
  weft_grab_state grab;
  double began;
  uint32_t still_count;
  bool still_all;
  uint64_t still_since;
  bool moved[WEFT_MAX_BODIES]; /* of weft_body_state */
  uint32_t self_room;
  /* The sizes of the solver it was kept of. */
  uint32_t particles, pins, colliders, bodies, body_particles, shapes;
  uint64_t counts[WEFT_STATE_COUNTERS], distances;
};

/* One for this solver, with all arrays that its sizes ask for but multipliers. */
weft_state *weft_state_for(const weft_solver *solver);

#endif
