// Where the marked particles are: straight from the solver's positions.
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = WEFT_GROUP_SIZE) in;

layout(std430, binding = WEFT_RENDER_SLOT_X) readonly buffer x_block { vec4 x[]; };
layout(std430, binding = WEFT_RENDER_SLOT_PINS) readonly buffer pins_block { uint pins[]; };
layout(std430, binding = WEFT_RENDER_SLOT_ENDS) writeonly buffer places_block { vec4 places[]; };

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first;
layout(location = WEFT_RENDER_LOCATION_COUNT) uniform uint count;
layout(location = WEFT_RENDER_LOCATION_ORIGIN) uniform vec3 origin;

void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint i = first + gl_GlobalInvocationID.x;
  bool picked = (pins[i] & WEFT_PIN_PICKED) != 0u;
  places[i] = vec4(x[pins[i] & ~WEFT_PIN_PICKED].xyz + origin, picked ? 1.0 : 0.0);
}
