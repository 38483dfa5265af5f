// A ribbon between two particles that faces the eye, lifted a little towards it so that the cloth it
// lies in does not hide it, and cut short at both ends so that neighbours can be told apart.
#include "render/frame.glsl"

layout(location = 0) in vec4 end_a;
layout(location = 1) in vec4 end_b;
layout(location = 2) in uint rgb;

layout(location = WEFT_RENDER_LOCATION_WIDTH) uniform vec3 shape; // half width, part cut off, lift

flat out uint ribbon;

void main() {
  float along = mix(shape.y, 1.0 - shape.y, float(gl_VertexID & 1));
  float side = gl_VertexID < 2 ? -1.0 : 1.0;
  vec3 place = mix(end_a.xyz, end_b.xyz, along);
  vec3 towards = normalize(frame.eye.xyz - place);
  vec3 across = cross(towards, end_b.xyz - end_a.xyz);
  float size = length(across);
  if (size > 0.0) across /= size;
  float lift = shape.z > 0.0 ? shape.z + frame.eye.w : 0.0; // as far as the cloth, and a little more
  place += side * shape.x * across + lift * towards;
  ribbon = rgb;
  gl_Position = frame.view_projection * vec4(place, 1.0);
}
