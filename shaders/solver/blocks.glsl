// blocks.glsl: what every program of the solver starts with: the shared structs, the language of kernels, uniforms.
#include "shared/weft_shared.h"
#include "kernels/lang_glsl.h"

layout(std140, binding = WEFT_UNIFORM_BINDING) uniform Uniforms { weft_uniforms u; };
// Blocks, not single uniforms: some drivers compile a program anew for the values of single uniforms and may run
// one that was made for others.
#ifdef WEFT_SINGLE
layout(std140, binding = WEFT_PASS_BINDING) uniform Pass { weft_single_run_args u_run; };
#else
layout(std140, binding = WEFT_PASS_BINDING) uniform Pass { weft_pass u_pass; };
#endif
layout(std140, binding = WEFT_SUBSTEP_BINDING) uniform Substep { uint u_substep; };
