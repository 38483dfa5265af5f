/* narrow.h: where numbers of constraints are 16 bits (lanes.h). */
#ifndef WEFT_CPU_NARROW_H
#define WEFT_CPU_NARROW_H

/* Particles of a grid, at least. The numbers of a smaller one come from a cache, and to widen them
 * takes longer than to load them. */
enum { WEFT_CPU_NARROW = 100000 };

#endif
