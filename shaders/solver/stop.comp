// stop: where a look of self-collision has listed anything, or could not walk on, all that comes after it waits for the
// host: the groups of every dispatch become none. Steps are the parts of a joined model, 1 where nothing is joined;
// count is how many entries there are, first what the host knows the look by.
#include "solver/blocks.glsl"

layout(local_size_x = 64) in;
layout(std430, binding = 0) restrict readonly buffer Counts { uint counts[]; };
layout(std430, binding = 1) restrict buffer Groups { uvec4 groups[]; };

shared uint s_listed;

void main() {
  uint k = gl_LocalInvocationIndex;
  if (k == 0u) s_listed = 0u;
  bool stopped = groups[0].x != 0u;
  memoryBarrierShared();
  barrier();
  uint all = u_pass.steps > 1u ? u_pass.steps : 0u;
  uint any = 0u;
  for (uint place = k; place < WEFT_SELF_COUNTS; place += 64u) any |= counts[all * WEFT_SELF_COUNTS + place];
  for (uint part = k; part < u_pass.steps; part += 64u) any |= counts[part * WEFT_SELF_COUNTS + WEFT_SELF_AT_FLAGS];
  if (any != 0u) atomicOr(s_listed, 1u);
  memoryBarrierShared();
  barrier();
  if (s_listed == 0u || stopped) return;
  if (k == 0u) groups[0] = uvec4(1u, u_pass.first, 0u, 0u);
  for (uint entry = k + 1u; entry < u_pass.count; entry += 64u) groups[entry] = uvec4(0u);
}
