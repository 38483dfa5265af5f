// Radiance to sRGB bytes: Narkowicz's 2015 fit of the ACES film curve, then the exact sRGB curve.
#include "render/film.glsl"
#include "render/frame.h"

layout(binding = WEFT_RENDER_UNIT_COLOUR) uniform sampler2D picture;
layout(location = WEFT_RENDER_LOCATION_SCALE) uniform float scale;
out vec4 colour;

vec3 srgb(vec3 x) {
  return mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), x));
}

void main() {
  vec3 radiance = scale * texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb;
  colour = vec4(srgb(film(radiance)), 1.0);
}
