// move_pins: pinned particles follow their straight path through the frame. At its end they stand
// exactly on the target.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_V) restrict writeonly buffer Velocities { vec4 v[]; };
layout(std430, binding = WEFT_SLOT_PINS) restrict readonly buffer Pins { weft_pin_path pins[]; };
layout(std430, binding = WEFT_SLOT_SUBSTEPS) restrict readonly buffer Substeps {
  weft_substep substeps[];
};

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  weft_pin_path path = pins[u_first + gl_GlobalInvocationID.x];
  uint i = path.particle;
  precise float t = substeps[u_substep].wind.w;
  precise vec3 way = path.to.xyz - path.from.xyz;
  way = way * t;
  precise vec3 position = path.from.xyz + way;
  position = exact_snap3(position);
  position.x = t == 1.0 ? path.to.x : position.x;
  position.y = t == 1.0 ? path.to.y : position.y;
  position.z = t == 1.0 ? path.to.z : position.z;
  precise vec3 velocity = position - x_prev[i].xyz;
  velocity = velocity * u.inv_dt;
  velocity = exact_snap3(velocity);
  x[i] = vec4(position, x[i].w);
  v[i] = vec4(velocity, 0.0);
}
