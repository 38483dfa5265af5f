#define WEFT_LANES 16
#define WEFT_LANES_NAME "16 lanes, for testing"
#include "lanes_kernels.h"
/* after it */
#include "lanes_wide.h"

const weft_lanes *lanes_wide(void) { return &lanes_table; }

lanes_near lanes_wide_near(const weft_shapes *shapes, const vec4 *x, const vec4 *x_prev) {
  particle_block h = particle_block_of(x, x_prev, NULL, shapes->solid);
  near_some near = near_shapes(shapes->bounds, &h);
  return (lanes_near){near.touch, near.sweep};
}
