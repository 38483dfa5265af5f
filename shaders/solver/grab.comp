// grab: a held particle is pulled to a moving point by a damped spring, implicit in the particle's
// own velocity, whose force is bounded: however far the point jumps, it cannot throw the particle
// past it. Comes right after the prediction: constraints, contacts and colliders answer afterwards.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_V) restrict buffer Velocities { vec4 v[]; };
layout(std430, binding = WEFT_SLOT_GRAB) restrict readonly buffer Grab { weft_grab grab[]; };
layout(std430, binding = WEFT_SLOT_SUBSTEPS) restrict readonly buffer Substeps {
  weft_substep substeps[];
};

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  weft_grab row = grab[u_first + gl_GlobalInvocationID.x];
  uint i = row.particle;
  if (i == WEFT_GRAB_NONE) return;
  vec4 p = x[i];
  if (p.w == 0.0) return;
  precise float t = substeps[u_substep].wind.w;
  precise vec3 way = row.to.xyz - row.from.xyz;
  way = way * t;
  way = exact_flush3(way);
  precise vec3 target = row.from.xyz + way;
  precise vec3 off = target - p.xyz;
  off = exact_flush3(off);
  precise vec3 velocity = v[i].xyz;
  precise vec3 pulled = off * row.pull;
  precise vec3 braked = velocity * row.brake;
  precise vec3 kick = pulled - braked;
  kick = exact_snap3(kick);
  precise float size2 = exact_dot(kick, kick);
  if (!(size2 <= WEFT_LARGEST)) return;
  precise float inverse = exact_rsqrt(size2);
  precise float size = size2 * inverse;
  precise float part = row.most * inverse;
  part = size > row.most ? part : 1.0;
  kick = kick * part;
  kick = exact_snap3(kick);
  velocity = velocity + kick;
  velocity = exact_snap3(velocity);
  precise vec3 step = velocity * u.dt;
  precise vec3 predicted = x_prev[i].xyz + step;
  predicted = exact_snap3(predicted);
  v[i] = vec4(velocity, 0.0);
  x[i] = vec4(predicted, p.w);
}
