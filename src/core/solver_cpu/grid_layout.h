/* grid_layout.h: what of a grid takes fewer bytes than its rows, for those who count them. */
#ifndef WEFT_CPU_GRID_LAYOUT_H
#define WEFT_CPU_GRID_LAYOUT_H

#include "pass.h"

/* Particles of a grid, at least, where numbers of constraints are 16 bits (lanes.h). The numbers of
 * a smaller one come from a cache, and to widen them takes longer than to load them. */
enum { WEFT_CPU_NARROW = 100000 };

/* Whether a pass over all of a grid can work on what stays split (staying.h): three numbers of a
 * row, and the inverse masses of positions. All passes of a substep must. Lines then have of an
 * edge its two numbers and the weight of a particle. */
bool weft_cpu_pass_can_stay(const weft_pass *pass);

#endif
