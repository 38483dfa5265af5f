/* lanes_best.c: which vectors this processor has. */
#include "lanes.h"

#if defined __x86_64__ || defined __i386__
static bool has_16(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("bmi2");
}
static bool has_8(void) { return __builtin_cpu_supports("avx2"); }
#else
static bool has_16(void) { return false; }
static bool has_8(void) { return false; }
#endif

const weft_lanes *weft_lanes_usable(uint32_t lanes) {
  if (lanes == 16 && has_16()) return weft_lanes_16();
  if (lanes == 8 && has_8()) return weft_lanes_8();
  return lanes == 4 ? weft_lanes_4() : NULL;
}

const weft_lanes *weft_lanes_best(void) {
  for (uint32_t lanes = WEFT_LANES_MAX; lanes > 4; lanes /= 2) {
    const weft_lanes *usable = weft_lanes_usable(lanes);
    if (usable) return usable;
  }
  return weft_lanes_4();
}
