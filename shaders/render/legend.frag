// Panel, swatches, the bar of colours and letters, as sRGB bytes.
#include "render/range.glsl"

layout(binding = WEFT_RENDER_UNIT_COLOUR) uniform usampler2D font;

in vec2 place;
flat in uvec4 mark;
out vec4 colour;

vec3 srgb(vec3 x) {
  return mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), x));
}

void main() {
  if (mark.x == WEFT_MARK_PANEL) {
    colour = vec4(0.09, 0.10, 0.12, 0.80);
  } else if (mark.x == WEFT_MARK_FLAT) {
    colour = vec4(srgb(linear_of_rgb(mark.y)), 1.0);
  } else if (mark.x == WEFT_MARK_BAR) {
    float part = range.paint == WEFT_PAINT_ROOT ? place.x * place.x : place.x;
    colour = vec4(srgb(colour_of(mix(range.low, range.high, part))), 1.0);
  } else {
    ivec2 dot_at = ivec2(place * vec2(WEFT_GLYPH_COLUMNS, WEFT_GLYPH_ROWS));
    ivec2 texel = ivec2(int(mark.y) * WEFT_GLYPH_COLUMNS + dot_at.x, dot_at.y);
    colour = vec4(vec3(0.96), texelFetch(font, texel, 0).r > 0u ? 1.0 : 0.0);
  }
}
