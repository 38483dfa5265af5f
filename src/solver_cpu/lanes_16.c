/* lanes_16.c: sixteen lanes: AVX-512. */
#include "lanes.h"

#ifdef __AVX512F__
#define WEFT_LANES 16
#include "lanes_kernels.h"

const weft_lanes *weft_lanes_16(void) {
  static const weft_lanes lanes = LANES_TABLE("16 lanes, AVX-512");
  return &lanes;
}
#else
const weft_lanes *weft_lanes_16(void) { return NULL; }
#endif
