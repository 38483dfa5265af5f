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
#include "lib/move_pins.glsl"

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  pass_move_pins(u_pass.first + gl_GlobalInvocationID.x, u_substep);
}
