// probe: the shapes of arithmetic that the solver is made of, over data the host knows the answer to.
// A driver that fuses, reorders or flushes differently is found here before it is found in a cloth.
#include "lib/pass.glsl"

layout(std430, binding = 0) restrict readonly buffer Inputs { vec4 inputs[]; };
layout(std430, binding = 1) restrict writeonly buffer Outputs { float outputs[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
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
  outputs[8u * i] = unfused;
  outputs[8u * i + 1u] = crossed;
  outputs[8u * i + 2u] = left;
  outputs[8u * i + 3u] = dotted;
  outputs[8u * i + 4u] = rcp;
  outputs[8u * i + 5u] = rsqrt;
  outputs[8u * i + 6u] = angle;
  outputs[8u * i + 7u] = snapped;
}
