// pass.glsl: what every solver pass starts with: the shared structs, uniforms and the element index.
#include "shared/weft_shared.h"
#include "lib/exact.glsl"

#ifndef WEFT_PASS_GROUP
#define WEFT_PASS_GROUP WEFT_GROUP_SIZE
#endif
layout(local_size_x = WEFT_PASS_GROUP) in;

layout(std140, binding = WEFT_UNIFORM_BINDING) uniform Uniforms { weft_uniforms u; };
layout(location = WEFT_LOCATION_FIRST) uniform uint u_first;
layout(location = WEFT_LOCATION_COUNT) uniform uint u_count;
layout(location = WEFT_LOCATION_SUBSTEP) uniform uint u_substep;
layout(location = WEFT_LOCATION_OFFSET) uniform uint u_offset;
layout(location = WEFT_LOCATION_RESET) uniform uint u_reset;
layout(location = WEFT_LOCATION_SENSE) uniform uint u_sense;
#include "lib/rows.glsl"
