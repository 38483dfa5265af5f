// The tone curve, and back: what must be drawn to be seen as a given colour, 0..1. Colours are what they are up
// to 0.76; above that the largest part rolls off, and the others keep their ratio to it. It is the upper
// part of Khronos' "PBR neutral" (2024), without its pallor of highlights, which has no way back.
const float FROM = 0.76, REST = 1.0 - FROM;

vec3 film(vec3 x) {
  x = max(x, 0.0);
  float peak = max(x.r, max(x.g, x.b));
  return peak < FROM ? x : x * ((1.0 - REST * REST / (peak + REST - FROM)) / peak);
}

vec3 before_film(vec3 y) {
  y = min(y, 0.99);
  float shown = max(y.r, max(y.g, y.b));
  return shown < FROM ? y : y * ((REST * REST / (1.0 - shown) - REST + FROM) / shown);
}
