// moved.glsl: a position after a correction, kept out of reach of subnormals.
vec3 moved_back(vec3 p, vec3 delta) {
  precise vec3 to = p - delta;
  to = exact_flush3(to);
  return to;
}

vec3 moved_on(vec3 p, vec3 delta) {
  precise vec3 to = p + delta;
  to = exact_flush3(to);
  return to;
}
