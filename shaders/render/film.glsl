// The tone curve, and back: what must be drawn to be seen as a given colour, 0..1.
vec3 film(vec3 x) {
  return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

vec3 before_film(vec3 y) {
  vec3 a = 2.51 - 2.43 * y, b = 0.03 - 0.59 * y, c = -0.14 * y;
  return (sqrt(max(b * b - 4.0 * a * c, 0.0)) - b) / (2.0 * a);
}
