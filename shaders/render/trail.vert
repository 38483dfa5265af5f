// A piece of a trail: a ribbon that faces the eye, thinner the older it is. Neighbours share the
// direction where they meet, so they do not overlap.
#include "render/frame.glsl"

layout(location = 0) in vec4 end_a; // w: age, 0..1; above: not there
layout(location = 1) in vec4 end_b;
layout(location = 2) in vec4 way_a;
layout(location = 3) in vec4 way_b;
layout(location = 4) in uvec4 trail; // particle, radius as bits, colour

out float age;
flat out uint rgb;

void main() {
  bool far = (gl_VertexID & 1) == 1;
  vec4 end = far ? end_b : end_a;
  vec3 way = far ? way_b.xyz : way_a.xyz;
  float side = gl_VertexID < 2 ? -1.0 : 1.0;
  vec3 across = cross(normalize(frame.eye.xyz - end.xyz), way);
  float size = length(across);
  if (size > 0.0) across /= size;
  age = min(end.w, 1.0);
  rgb = trail.z;
  float half_width = uintBitsToFloat(trail.y) * (1.0 - 0.75 * age);
  bool there = max(end_a.w, end_b.w) <= 1.5;
  vec4 place = frame.view_projection * vec4(end.xyz + side * half_width * across, 1.0);
  gl_Position = there ? place : vec4(2.0, 2.0, 2.0, 1.0);
}
