// A rectangle of the legend.
#include "render/frame.h"

layout(location = 0) in vec4 box;
layout(location = 1) in uvec4 what;

layout(location = WEFT_RENDER_LOCATION_SCREEN) uniform vec3 panel; // left, top, pixels per unit
layout(location = WEFT_RENDER_LOCATION_SIZE) uniform vec2 picture; // pixels

out vec2 place; // 0..1 from the upper left corner
flat out uvec4 mark;

void main() {
  place = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  mark = what;
  vec2 pixel = panel.xy + panel.z * (box.xy + place * box.zw);
  vec2 p = 2.0 * pixel / picture - 1.0;
  gl_Position = what.x == WEFT_MARK_NONE ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(p.x, -p.y, 0.0, 1.0);
}
