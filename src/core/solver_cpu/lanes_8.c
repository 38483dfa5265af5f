/* lanes_8.c: eight lanes: AVX2. */
#include "lanes.h"

#ifdef __AVX2__
#define WEFT_LANES 8
#define WEFT_LANES_NAME "8 lanes, AVX2"
#include "lanes_kernels.h"

const weft_lanes *weft_lanes_8(void) { return &lanes_table; }
#else
const weft_lanes *weft_lanes_8(void) { return NULL; }
#endif
