// A square of floor around the picture, as a strip of four.
#include "render/frame.glsl"

out vec3 world;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec2 p = frame.centre.xz + corner * frame.centre.w * 12.0;
  world = vec3(p.x, frame.ground.w, p.y);
  gl_Position = frame.view_projection * vec4(world, 1.0);
}
