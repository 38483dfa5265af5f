// Cloth seen close: yarns over and under each other, and yarns of uneven thickness. Both live in
// the rest pose, move with the cloth, and fade before their period reaches two pixels.
#include "render/frame.glsl"

float hash(vec2 p) {
  vec3 q = fract(vec3(p.xyx) * vec3(0.1031, 0.1030, 0.0973));
  q += dot(q, q.yzx + 33.33);
  return fract((q.x + q.y) * q.z);
}

float value_noise(vec2 p) {
  vec2 cell = floor(p);
  vec2 f = p - cell;
  vec2 s = f * f * (3.0 - 2.0 * f);
  float a = mix(hash(cell), hash(cell + vec2(1.0, 0.0)), s.x);
  float b = mix(hash(cell + vec2(0.0, 1.0)), hash(cell + vec2(1.0, 1.0)), s.x);
  return mix(a, b, s.y);
}

// 1 while a period spans many pixels, 0 from two pixels on.
float visible(float footprint, float period) {
  return 1.0 - smoothstep(0.2, 0.5, footprint / period);
}

// Brightness of the yarns around 0: round in section, dark where they dive.
float yarns(vec2 p) {
  vec2 q = p / material.weave.x;
  if (material.weave.y == WEFT_WEAVE_KNIT_ID) {
    float column = abs(fract(q.x) - 0.5) * 2.0;
    float loop = fract(q.y * 1.4 + 0.35 * column);
    return 0.9 - 1.1 * column * column - 0.7 * loop * (1.0 - column);
  }
  float step_on = material.weave.y == WEFT_WEAVE_TWILL_ID ? 0.25 : 0.5;
  vec2 cell = floor(q);
  vec2 f = abs(q - cell - 0.5) * 2.0;
  bool over = fract((cell.x + cell.y) * step_on) < 0.5;
  float across = over ? f.x : f.y;
  float along = over ? f.y : f.x;
  return 0.7 - across * across - 0.4 * along * along;
}

// Uneven yarns: streaks along warp and weft.
float streaks(vec2 p, float width) {
  vec2 q = p / width;
  return value_noise(q * vec2(1.0, 0.07)) + value_noise(q.yx * vec2(1.0, 0.07)) - 1.0;
}

float weave_on_plane(vec2 p, float footprint) {
  float period = material.weave.x;
  float close_up = visible(footprint, period);
  float fine = visible(footprint, 4.0 * period);
  float coarse = visible(footprint, 16.0 * period);
  float sum = 0.0;
  if (close_up > 0.0) sum += close_up * 0.45 * yarns(p);
  if (fine > 0.0) sum += fine * 0.18 * streaks(p, 2.0 * period);
  if (coarse > 0.0) sum += coarse * 0.13 * streaks(p, 8.0 * period);
  return sum;
}

// The pattern lies on the three coordinate planes of the rest pose, blended by its normal there.
float weave(vec3 rest) {
  vec3 dx = dFdx(rest), dy = dFdy(rest);
  vec3 n = cross(dx, dy);
  float size = length(n);
  float footprint = max(length(dx), length(dy));
  if (material.weave.x <= 0.0 || size <= 0.0) return 0.0;
  vec3 w = abs(n / size);
  w = w * w * w * w;
  w /= w.x + w.y + w.z;
  float sum = 0.0;
  if (w.x > 0.01) sum += w.x * weave_on_plane(rest.zy, footprint);
  if (w.y > 0.01) sum += w.y * weave_on_plane(rest.xz, footprint);
  if (w.z > 0.01) sum += w.z * weave_on_plane(rest.xy, footprint);
  return sum * material.weave.z;
}
