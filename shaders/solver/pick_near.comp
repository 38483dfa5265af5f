// pick_near: of WEFT_FAN particles in a row the one that a ray meets first, the lowest index of
// several. It meets what lies before its origin and within its cone.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_PICK_RAY) restrict readonly buffer PickRay {
  weft_pick_ray pick_ray[];
};
layout(std430, binding = WEFT_SLOT_PICK) restrict writeonly buffer Pick { weft_pick pick[]; };

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint row = u_pass.first + gl_GlobalInvocationID.x;
  uint begin = row * WEFT_FAN;
  uint end = min(begin + WEFT_FAN, u.particle_count);
  vec4 origin = pick_ray[0].origin;
  vec4 direction = pick_ray[0].direction;
  weft_pick best = weft_pick(0.0, 0.0, WEFT_PICK_NONE, 0u);
  for (uint i = begin; i < end; ++i) {
    precise vec3 away = x[i].xyz - origin.xyz;
    away = exact_flush3(away);
    precise float along = exact_dot(away, direction.xyz);
    along = exact_flush(along);
    precise vec3 foot = direction.xyz * along;
    precise vec3 aside = away - foot;
    aside = exact_flush3(aside);
    precise float offset2 = exact_dot(aside, aside);
    offset2 = exact_flush(offset2);
    precise float wide = direction.w * along;
    wide = origin.w + wide;
    wide = exact_flush(wide);
    precise float wide2 = wide * wide;
    bool met = along > 0.0 && offset2 <= wide2;
    bool first = best.particle == WEFT_PICK_NONE || along < best.along;
    if (met && first) best = weft_pick(along, offset2, i, 0u);
  }
  pick[row] = best;
}
