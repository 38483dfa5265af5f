// Copies a sample; blending adds it to those before.
#include "render/frame.h"

layout(binding = WEFT_RENDER_UNIT_COLOUR) uniform sampler2D picture;
out vec4 colour;

void main() { colour = vec4(texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb, 1.0); }
