/* lanes_4.c: four lanes, which every processor with vectors has. */
#define WEFT_LANES 4
#define WEFT_LANES_NAME "4 lanes"
#include "lanes_kernels.h"

const weft_lanes *weft_lanes_4(void) { return &lanes_table; }
