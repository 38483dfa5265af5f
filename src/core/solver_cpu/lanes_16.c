/* lanes_16.c: sixteen lanes: AVX-512. */
#include "lanes.h"

#ifdef __AVX512F__
#define WEFT_LANES 16
#define WEFT_LANES_NAME "16 lanes, AVX-512"
#include "lanes_kernels.h"

const weft_lanes *weft_lanes_16(void) { return &lanes_table; }
#else
const weft_lanes *weft_lanes_16(void) { return NULL; }
#endif
