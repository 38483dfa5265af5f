// Yarns over and under each other, and of uneven thickness. They live in the rest pose, move with the
// cloth, and fade before their period reaches two pixels.
#include "render/frame.glsl"

float hash(vec2 p) {
  vec3 q = fract(vec3(p.xyx) * vec3(0.1031, 0.1030, 0.0973));
  q += dot(q, q.yzx + 33.33);
  return fract((q.x + q.y) * q.z);
}

// 1 while a period spans many pixels, 0 from two pixels on.
float visible(float footprint, float period) {
  return 1.0 - smoothstep(0.2, 0.5, footprint / period);
}

// A yarn is a little lighter or darker than its neighbours, and thicker here than there.
float slub(float yarn, float along) {
  float place = 0.13 * along, cell = floor(place);
  float f = place - cell;
  float thick = mix(hash(vec2(cell, yarn)), hash(vec2(cell + 1.0, yarn)), f * f * (3.0 - 2.0 * f));
  return 0.5 * (hash(vec2(yarn, 7.0)) - 0.5) + 0.7 * (thick - 0.5);
}

// What is seen of a yarn: how bright its shape is there, around 0, which it is and where along it.
struct seen_yarn {
  float bright, number, along;
};

// Warp and weft over and under each other: round in section, dark where they dive.
seen_yarn plain(vec2 q) {
  vec2 cell = floor(q);
  vec2 f = abs(q - cell - 0.5) * 2.0;
  bool warp = fract(0.5 * (cell.x + cell.y)) < 0.4;
  float across = warp ? f.x : f.y, along = warp ? f.y : f.x;
  float bright = 0.47 - 0.8 * across * across - 0.6 * along * along;
  return seen_yarn(bright, warp ? cell.x : cell.y + 53.0, warp ? q.y : q.x);
}

// Warp yarns over two of the weft and under one, a step on from yarn to yarn: of denim one sees ridges
// that run up at 45 degrees, and the warp.
seen_yarn twill(vec2 q) {
  float yarn = floor(q.x), across = abs(q.x - yarn - 0.5) * 2.0;
  float ridge = cos(6.2831853 / 3.0 * (0.5 * (yarn + 0.5 + q.x) - q.y));
  return seen_yarn(0.55 * ridge + 0.2 - 0.6 * across * across, yarn, q.y);
}

// Columns of stitches: two legs each that lean towards each other like a V.
seen_yarn knitted(vec2 q) {
  float column = floor(q.x), u = abs(q.x - column - 0.5) * 2.0;
  float leg = 2.0 * u - 1.0;
  float t = fract(1.3 * q.y - 0.55 * u) * 2.0 - 1.0;
  return seen_yarn(0.65 - 1.5 * leg * leg - 0.8 * t * t * t * t, column, 1.3 * q.y);
}

float pattern(vec2 q) {
  bool knit = material.weave.y == WEFT_WEAVE_KNIT_ID;
  seen_yarn y;
  if (knit) {
    y = knitted(q);
  } else if (material.weave.y == WEFT_WEAVE_TWILL_ID) {
    y = twill(q);
  } else {
    y = plain(q);
  }
  return y.bright + (knit ? 0.5 : 1.0) * slub(y.number, y.along);
}

// From afar real yarns are finer than a pixel, and cloth would be plastic. The picture then shows
// yarns 2^n times as thick, fainter with every n: weave.w is n, and between two there are both.
float weave_on_plane(vec2 p, float footprint) {
  float level = floor(material.weave.w), part = material.weave.w - level;
  float thick = material.weave.x * exp2(level), faint = 0.45 * exp2(-0.45 * level);
  float fine = (1.0 - part) * visible(footprint, thick);
  float coarse = part * visible(footprint, 2.0 * thick);
  float sum = 0.0;
  if (fine > 0.0) sum += fine * faint * pattern(p / thick);
  if (coarse > 0.0) sum += coarse * faint * exp2(-0.45) * pattern(p / (2.0 * thick));
  return sum;
}

// The pattern lies on the three coordinate planes of the rest pose, blended by its normal there.
vec3 planes_of(vec3 dx, vec3 dy) {
  vec3 n = cross(dx, dy), w = abs(n / max(length(n), 1e-20));
  w = w * w * w * w;
  return w / max(w.x + w.y + w.z, 1e-6);
}

// Brightness of the yarns, around 0.
float weave(vec3 rest, vec3 dx, vec3 dy, vec3 w) {
  float footprint = max(length(dx), length(dy)), sum = 0.0;
  if (material.weave.x <= 0.0 || footprint <= 0.0) return 0.0;
  // Loops, since a software driver skips those, and walks through both sides of a condition.
  for (; w.x > 0.01; w.x = 0.0) sum += w.x * weave_on_plane(rest.zy, footprint);
  for (; w.y > 0.01; w.y = 0.0) sum += w.y * weave_on_plane(rest.xz, footprint);
  for (; w.z > 0.01; w.z = 0.0) sum += w.z * weave_on_plane(rest.xy, footprint);
  return sum * material.weave.z;
}
