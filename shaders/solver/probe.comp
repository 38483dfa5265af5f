// probe: the shapes of arithmetic that the solver is made of, over data for which the host computes the same.
// A driver that fuses, reorders or flushes differently, gives another zero, or runs a program with the
// parameters of an earlier pass is found here before it is found in a cloth.
#include "solver/blocks.glsl"
#include "kernels/exact.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;
layout(std430, binding = 0) restrict readonly buffer Inputs { vec4 inputs[]; };
layout(std430, binding = 1) restrict writeonly buffer Outputs { float outputs[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  vec4 q = inputs[i];
  precise float ax = abs(q.x);
  precise float ay = abs(q.y);
  precise float product = q.x * q.y;
  precise float unfused = product + q.z;
  precise float other = q.z * q.w;
  precise float crossed = product - other;
  precise float left = q.x + q.y;
  left = left + q.z;
  left = left + q.w;
  precise float dotted = exact_dot(q.xyz, q.yzw);
  precise float rcp = exact_rcp(ax);
  precise float rsqrt = exact_rsqrt(ay);
  precise float angle = exact_atan2(q.z, q.w);
  precise float snapped = exact_snap(q.x);
  precise float flushed = exact_flush(q.x);
  precise float trimmed = exact_trim(q.x);
  precise vec3 crossing = exact_cross(q.xyz, q.yzw);
  precise vec3 chain = q.xyz * q.w;
  chain = chain + q.yzw;
  precise vec3 sum = vec3(0.0);
  for (uint k = 0u; k < u_pass.steps; ++k) {
    precise vec3 term = q.yzw * q.z;
    sum = sum + term;
  }
  precise float nothing = q.x - q.x;
  nothing = -nothing;
  precise float zero = exact_flush(nothing);
  precise float told = u_pass.first_iteration == 1u ? q.x : q.y;
  if (u_pass.acts == WEFT_ACTS_STRETCHED) told = told + q.z;
  if (u_pass.acts == WEFT_ACTS_COMPRESSED) told = told - q.w;
  uint at = 16u * i;
  outputs[at] = unfused;
  outputs[at + 1u] = crossed;
  outputs[at + 2u] = left;
  outputs[at + 3u] = dotted;
  outputs[at + 4u] = rcp;
  outputs[at + 5u] = rsqrt;
  outputs[at + 6u] = angle;
  outputs[at + 7u] = snapped;
  outputs[at + 8u] = flushed;
  outputs[at + 9u] = trimmed;
  outputs[at + 10u] = crossing.y;
  outputs[at + 11u] = chain.z;
  outputs[at + 12u] = sum.x;
  outputs[at + 13u] = zero;
  outputs[at + 14u] = told;
  outputs[at + 15u] = product;
}
