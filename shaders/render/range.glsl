// Values to colours: the range of this picture.
#include "render/frame.h"
#include "render/map.glsl"

layout(std140, binding = WEFT_RENDER_RANGE_BINDING) uniform range_block {
  weft_render_range range;
};

vec3 colour_of(float value) {
  if (value < 0.5 * WEFT_NO_VALUE) return linear_of_rgb(WEFT_RGB_PLAIN);
  // A value that is 1 at all corners is nearly so between them.
  if (range.paint == WEFT_PAINT_GAPS && value > 0.999) return linear_of_rgb(WEFT_RGB_PLAIN);
  float t = clamp((value - range.low) / (range.high - range.low), 0.0, 1.0);
  if (range.paint == WEFT_PAINT_ROOT) t = sqrt(t);
  if (range.paint == WEFT_PAINT_PULLED) return diverging(t);
  if (range.paint == WEFT_PAINT_PUSHED) return diverging(-t);
  return sequential(t);
}
