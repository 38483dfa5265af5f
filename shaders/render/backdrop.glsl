// The backdrop of a photographer: floor and wall in one sweep, without a horizon.
#include "render/frame.glsl"

vec3 backdrop(vec2 fragment) {
  vec2 p = fragment * frame.size.zw;
  vec3 colour = mix(frame.backdrop_below.rgb, frame.backdrop_above.rgb, smoothstep(0.0, 1.0, p.y));
  vec2 from_centre = (p - vec2(0.5, 0.45)) * vec2(1.0, 0.9);
  return colour * (1.06 - 0.55 * dot(from_centre, from_centre));
}
