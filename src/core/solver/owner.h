/* owner.h: whose a saved state is. */
#ifndef WEFT_SOLVER_OWNER_H
#define WEFT_SOLVER_OWNER_H

#include <weft/solver.h>

#include "param.h"
#include "record.h"

/* What tables and passes of a solver are made of. */
typedef struct weft_owner {
  uint32_t particles, triangles, links, pins, parts, colliders, bodies, tangled;
  uint64_t registry; /* names of parameters and buffers */
  uint64_t rest, masses, constraints, start;
  double params[WEFT_PARAM_COUNT][3];
  uint64_t of_colliders[WEFT_MAX_COLLIDERS], of_bodies[WEFT_MAX_BODIES];
} weft_owner;

weft_owner weft_owner_of(const weft_solver *solver);
void weft_owner_record(weft_record *record, weft_owner *owner);
/* WEFT_ERROR_ARGUMENT, and what differs first, where a state of one does not go on in the other. */
weft_result weft_owner_compare(const weft_owner *own, const weft_owner *was, weft_error *err);

#endif
