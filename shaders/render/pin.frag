// A pin is a disc with a dark rim, the picked particle a ring with two: to be seen on any ground.
#include "render/frame.glsl"
#include "render/film.glsl"
#include "render/map.glsl"

in vec2 corner;
flat in float half_size;
flat in float is_ring;

layout(location = WEFT_RENDER_LOCATION_PIN) uniform vec4 shape;

out vec4 colour;

// 1 within a radius, 0 outside, over one pixel.
float within(float radius) { return clamp((radius - length(corner)) * half_size + 0.5, 0.0, 1.0); }

void main() {
  float whole = within(1.0), filling = within(0.66);
  vec3 tint = linear_of_rgb(WEFT_RGB_PIN);
  if (is_ring > 0.0) {
    whole -= within(0.55);
    filling = within(0.9) - within(0.65);
    tint = linear_of_rgb(WEFT_RGB_RING);
  }
  if (whole <= 0.0) discard;
  vec3 shown = mix(linear_of_rgb(WEFT_RGB_RIM), tint, filling);
  // Blended with radiance: what is nearly white must not outshine what it lies on.
  colour = vec4(before_film(min(shown, 0.9)), whole * shape.w);
}
