// A mark at a particle: a square of so many pixels that faces the eye, lifted towards it by its own size,
// and as far as the cloth, so that the cloth it sits in does not cut it.
#include "render/frame.glsl"

layout(location = 0) in vec4 place; // w: 1 for the picked particle

layout(location = WEFT_RENDER_LOCATION_PIN) uniform vec4 shape;

out vec2 corner; // in half sizes
flat out float half_size; // pixels
flat out float is_ring;

void main() {
  mat4 m = frame.view_projection;
  float focal = length(vec3(m[0][1], m[1][1], m[2][1])); // height of the picture a metre off, halved
  float away = (m * vec4(place.xyz, 1.0)).w;
  float metre = 0.5 * frame.size.y * focal / max(away, 1e-6); // pixels
  is_ring = place.w;
  half_size = place.w > 0.0 ? shape.y : clamp(shape.z * metre, 1.5, shape.x);
  corner = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * (1.0 + 1.0 / half_size);
  vec3 towards = normalize(frame.eye.xyz - place.xyz);
  gl_Position = m * vec4(place.xyz + (frame.eye.w + 1.5 * half_size / metre) * towards, 1.0);
  gl_Position.xy += corner * half_size * 2.0 * frame.size.zw * gl_Position.w;
}
