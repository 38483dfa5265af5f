// The range of a picture's colours, and the numbers under its bar: the largest value, or the 99th
// percentile, is rounded up to one that reads well, without the host looking at it.
#include "shared/weft_shared.h"
#include "render/frame.h"

layout(local_size_x = 8) in;

layout(std430, binding = WEFT_RENDER_SLOT_PEAK) readonly buffer peak_block { uint peak; };
layout(std430, binding = WEFT_RENDER_SLOT_BINS) readonly buffer bins_block { uint bins[]; };
layout(std430, binding = WEFT_RENDER_SLOT_RANGE) writeonly buffer range_block {
  weft_render_range range;
};
layout(std430, binding = WEFT_RENDER_SLOT_MARKS) writeonly buffer marks_block {
  weft_render_mark marks[];
};

layout(location = WEFT_RENDER_LOCATION_FIRST) uniform uint first; // mark
layout(location = WEFT_RENDER_LOCATION_GIVEN) uniform float given;
layout(location = WEFT_RENDER_LOCATION_UNIT) uniform float unit;
layout(location = WEFT_RENDER_LOCATION_NONE) uniform float when_none;
layout(location = WEFT_RENDER_LOCATION_MAX) uniform float most;
layout(location = WEFT_RENDER_LOCATION_USUAL) uniform float usual;
layout(location = WEFT_RENDER_LOCATION_LABELS) uniform vec4 row;
layout(location = WEFT_RENDER_LOCATION_PAINT) uniform uint paint;

const float steps[8] = float[](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0);

// The power of ten at or below a positive number.
int power_of(float v) {
  int e = 0;
  for (; v >= 9.9999 && e < 38; ++e) v /= 10.0;
  for (; v < 0.99999 && e > -38; --e) v *= 10.0;
  return e;
}

float ten_to(int e) {
  float v = 1.0;
  for (; e > 0; --e) v *= 10.0;
  for (; e < 0; ++e) v /= 10.0;
  return v;
}

float rounded_up(float v) {
  float ten = ten_to(power_of(v));
  int k = 0;
  while (k < 7 && steps[k] * ten < 0.9999 * v) ++k;
  return steps[k] * ten;
}

// The 99th percentile, to a bin; the largest where nearly all are 0.
float usual_largest() {
  uint bin = peak >> WEFT_VIEW_BIN_SHIFT, allowed = bins[WEFT_VIEW_BINS] / 100u, above = bins[bin];
  for (; bin > 0u && above <= allowed; above += bins[bin]) --bin;
  float edge = uintBitsToFloat((bin + 1u) << WEFT_VIEW_BIN_SHIFT);
  return bin == 0u ? uintBitsToFloat(peak) : min(edge, uintBitsToFloat(peak));
}

uint text[WEFT_LEGEND_LABEL_SIZE];
uint size = 0u;

void put(uint glyph) {
  if (size < WEFT_LEGEND_LABEL_SIZE) text[size++] = glyph;
}

void put_digits(uint v, int least) {
  uint digits[10];
  int n = 0;
  for (; v > 0u || n < least; v /= 10u) digits[n++] = v % 10u;
  while (n > 0) put(WEFT_GLYPH_ZERO + digits[--n]);
}

// v with so many decimals, without the zeros at its end.
void put_number(float v, int decimals) {
  uint scaled = uint(round(abs(v) * ten_to(decimals)));
  if (v < 0.0 && scaled > 0u) put(WEFT_GLYPH_MINUS);
  while (decimals > 0 && scaled % 10u == 0u) {
    scaled /= 10u;
    --decimals;
  }
  uint ten = uint(round(ten_to(decimals)));
  put_digits(scaled / ten, 1);
  if (decimals == 0) return;
  put(WEFT_GLYPH_POINT);
  put_digits(scaled % ten, decimals);
}

// Four digits of the range's largest; powers of ten where they would be far from the point.
void put_label(float v, float largest) {
  int e = power_of(largest);
  bool scientific = e < -2 || e > 4;
  if (!scientific) {
    put_number(v, max(3 - e, 0));
    return;
  }
  put_number(v / ten_to(e), 3);
  if (v == 0.0) return;
  put(WEFT_GLYPH_E);
  if (e < 0) put(WEFT_GLYPH_MINUS);
  put_digits(uint(abs(e)), 1);
}

void main() {
  uint k = gl_LocalInvocationIndex;
  float found = unit * (usual > 0.0 ? usual_largest() : uintBitsToFloat(peak));
  float largest = given > 0.0 ? given : (found > 1e-30 ? min(rounded_up(found), most) : when_none);
  if (k == 0u) range = weft_render_range(0.0, largest / unit, paint, 0.0);
  if (k >= WEFT_LEGEND_LABELS) return;
  float part = float(k) / float(WEFT_LEGEND_LABELS - 1u);
  put_label(largest * (paint == WEFT_PAINT_ROOT ? part * part : part), largest);
  float wide = float(size) * float(WEFT_GLYPH_COLUMNS + 1);
  float left = clamp(row.x + part * row.z - 0.5 * wide, 2.0, row.w - wide);
  for (uint g = 0u; g < WEFT_LEGEND_LABEL_SIZE; ++g) {
    vec4 box = vec4(floor(left) + float(g) * float(WEFT_GLYPH_COLUMNS + 1), row.y,
                    float(WEFT_GLYPH_COLUMNS), float(WEFT_GLYPH_ROWS));
    uint kind = g < size ? WEFT_MARK_GLYPH : WEFT_MARK_NONE;
    marks[first + k * WEFT_LEGEND_LABEL_SIZE + g] =
        weft_render_mark(box, uvec4(kind, g < size ? text[g] : 0u, 0u, 0u));
  }
}
