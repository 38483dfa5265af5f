// The largest of all values, and how many there are of about each size: bits of positive floats order as
// the floats do. What is not finite is left out.
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_VALUES) readonly buffer values_block { vec2 values[]; };
layout(std430, binding = WEFT_RENDER_SLOT_PEAK) buffer peak_block { uint peak; };

layout(std430, binding = WEFT_RENDER_SLOT_BINS) buffer bins_block { uint bins[]; };

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;

shared uint group_peak;

void main() {
  if (gl_LocalInvocationIndex == 0u) group_peak = 0u;
  memoryBarrierShared();
  barrier();
  if (gl_GlobalInvocationID.x < count) {
    float value = values[first + gl_GlobalInvocationID.x].x;
    float size = abs(value);
    if (value > 0.5 * WEFT_NO_VALUE && size < 1e30) {
      atomicMax(group_peak, floatBitsToUint(size));
      atomicAdd(bins[floatBitsToUint(size) >> WEFT_VIEW_BIN_SHIFT], 1u);
      atomicAdd(bins[WEFT_VIEW_BINS], 1u);
    }
  }
  memoryBarrierShared();
  barrier();
  if (gl_LocalInvocationIndex == 0u) atomicMax(peak, group_peak);
}
