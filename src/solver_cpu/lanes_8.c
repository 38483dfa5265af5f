/* lanes_8.c: eight lanes: AVX2. */
#include "lanes.h"

#ifdef __AVX2__
#define WEFT_LANES 8
#include "lanes_kernels.h"

const weft_lanes *weft_lanes_8(void) {
  static const weft_lanes lanes = LANES_TABLE("8 lanes, AVX2");
  return &lanes;
}
#else
const weft_lanes *weft_lanes_8(void) { return NULL; }
#endif
