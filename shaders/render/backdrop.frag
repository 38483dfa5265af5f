// What lies behind everything.
#include "render/sky.glsl"

out vec4 colour;

void main() { colour = vec4(backdrop(gl_FragCoord.xy), 1.0); }
