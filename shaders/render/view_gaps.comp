// The smallest gap of the pairs that each particle is in, in parts of the thickness of self-collision, 1 where it is in
// none (x), and whether its motion was cut short (y): pairs and shares as the last substep left them, gaps at the positions of the picture.
// permutations: PAIRS
#include "shared/weft_shared.h"
#include "kernels/lang_glsl.h"
#include "render/frame.h"

layout(std140, binding = WEFT_UNIFORM_BINDING) uniform Uniforms { weft_uniforms u; };
layout(std430, binding = WEFT_RENDER_SLOT_X) readonly buffer x_block { vec4 x[]; };
// A value that is not below 0 orders by its bits.
layout(std430, binding = WEFT_RENDER_SLOT_VALUES) buffer values_block { uint value_bits[]; };
layout(std430, binding = WEFT_RENDER_SLOT_SELF_COUNTS) readonly buffer counts_block { uint self_counts[]; };

#ifdef PAIRS
// A second pass, over pairs: its groups are those of the solver's own passes over them.
layout(local_size_x = WEFT_SELF_GROUP) in;

layout(std430, binding = WEFT_RENDER_SLOT_SELF_PAIRS) readonly buffer pairs_block { uvec4 pairs[]; };
layout(std430, binding = WEFT_RENDER_SLOT_SELF_PLANES) readonly buffer planes_block { weft_self_plane planes[]; };

void main() {
  uint k = gl_GlobalInvocationID.x + gl_WorkGroupID.y * (WEFT_SELF_ROW * WEFT_SELF_GROUP);
  uint end = u.self_parts > 1u ? u.self_parts * WEFT_SELF_COUNTS : 0u; // of all parts together
  if (k >= self_counts[end + WEFT_SELF_AT_PAIRS] || k >= uint(pairs.length())) return;
  uvec4 p = weft_self_particles(pairs[k]);
  vec4 weights = planes[k].weights;
  vec3 apart = vec3(0.0);
  for (uint c = 1u; c < 4u; ++c) apart += weights[c] * (x[p[c]].xyz - x[p.x].xyz);
  uint bits = floatBitsToUint(min(length(apart) / planes[k].reach, 1.0));
  for (uint c = 0u; c < 4u; ++c) atomicMin(value_bits[2u * p[c]], bits);
}
#else
layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_SELF_FRACTIONS) readonly buffer shares_block { uint shares[]; };

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;
void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  bool cut = false;
  if (u.self_parts > 0u) {
    uint of_bodies = u.self_particles - u.self_cloth;
    uint part = (i < u.particle_count ? i / u.self_cloth : (i - u.particle_count) / of_bodies) * WEFT_SELF_COUNTS;
    bool paused = self_counts[part + WEFT_SELF_AT_FLAGS] != 0u;
    cut = x[i].w > 0.0 && (paused || shares[2u * i] != WEFT_SELF_WHOLE);
  }
  value_bits[2u * i] = floatBitsToUint(u.self_parts > 0u ? 1.0 : WEFT_NO_VALUE);
  value_bits[2u * i + 1u] = floatBitsToUint(cut ? 1.0 : 0.0);
}
#endif
