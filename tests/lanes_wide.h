/* lanes_wide.h: sixteen lanes on any machine: what AVX-512 runs, in the instructions of all
 * processors. */
#ifndef WEFT_TESTS_LANES_WIDE_H
#define WEFT_TESTS_LANES_WIDE_H

#include "lanes.h"

const weft_lanes *lanes_wide(void);

/* Which of the first 16 shapes 16 particles may touch, and which may sweep them: a bit for each. */
typedef struct lanes_near {
  uint32_t touch, sweep;
} lanes_near;
lanes_near lanes_wide_near(const weft_shapes *shapes, const vec4 *x, const vec4 *x_prev);

#endif
