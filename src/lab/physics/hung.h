/* hung.h: a bead and pendulums that several cases let go. A bead on a wire is a pendulum of one
 * link. */
#ifndef WEFT_PHYSICS_HUNG_H
#define WEFT_PHYSICS_HUNG_H

#include "analytic.h"
#include "case.h"

enum { WEFT_HUNG_SYSTEMS = 5, WEFT_HUNG_LINKS = 8 };

typedef struct weft_hung {
  const char *name;
  uint32_t links;
  double mass[WEFT_HUNG_LINKS];   /* kg */
  double length[WEFT_HUNG_LINKS]; /* m */
  double angle[WEFT_HUNG_LINKS];  /* rad at the start, from hanging straight down */
} weft_hung;

/* The bead first. */
extern const weft_hung weft_hung_systems[WEFT_HUNG_SYSTEMS];

weft_pendulum weft_hung_start(const weft_hung *system);
/* Side by side in one model: of each its pivot, a metre from the next, then its masses. */
weft_model *weft_hung_model(weft_physics_run *run, const weft_hung *systems, uint32_t count);

#endif
