/* lanes_4.c: four lanes, which every processor with vectors has. */
#define WEFT_LANES 4
#include "lanes_kernels.h"

const weft_lanes *weft_lanes_4(void) {
  static const weft_lanes lanes = LANES_TABLE("4 lanes");
  return &lanes;
}
