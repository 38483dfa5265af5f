// Radiance to sRGB bytes: the tone curve, then the exact sRGB curve. Half a step of noise, the same in every
// picture, keeps smooth slopes from showing steps.
#include "render/film.glsl"
#include "render/frame.h"

layout(binding = WEFT_RENDER_UNIT_COLOUR) uniform sampler2D picture;
layout(location = WEFT_RENDER_LOCATION_SCALE) uniform float scale;
out vec4 colour;

vec3 srgb(vec3 x) {
  return mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), x));
}

float noise(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }

void main() {
  vec3 radiance = scale * texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb;
  colour = vec4(srgb(film(radiance)) + (noise(gl_FragCoord.xy) - 0.5) / 255.0, 1.0);
}
