// pass.glsl: what every solver pass starts with: the shared structs, uniforms and the element index.
#include "shared/weft_shared.h"
#include "lib/exact.glsl"

#ifndef WEFT_PASS_GROUP
#define WEFT_PASS_GROUP WEFT_GROUP_SIZE
#endif
layout(local_size_x = WEFT_PASS_GROUP) in;

layout(std140, binding = WEFT_UNIFORM_BINDING) uniform Uniforms { weft_uniforms u; };
// Blocks, not single uniforms: some drivers compile a program anew for the values of single uniforms and may run
// one that was made for others.
#ifdef WEFT_WHOLE_RUN
layout(std140, binding = WEFT_PASS_BINDING) uniform Pass { weft_whole_run_args u_run; };
#else
layout(std140, binding = WEFT_PASS_BINDING) uniform Pass { weft_pass u_pass; };
#endif
layout(std140, binding = WEFT_SUBSTEP_BINDING) uniform Substep { uint u_substep; };
#include "lib/rows.glsl"
