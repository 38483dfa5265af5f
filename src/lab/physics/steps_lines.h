/* steps_lines.h: the part of the case `steps` about chains of many links. */
#ifndef WEFT_PHYSICS_STEPS_LINES_H
#define WEFT_PHYSICS_STEPS_LINES_H

#include "case.h"

/* A rope that swings, beside Lagrange's equations, and a chain between two points, beside its
 * statics. */
void weft_steps_of_lines(weft_physics_run *run);

#endif
