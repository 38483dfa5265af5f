// constraint_element.glsl: a constraint whatever its type.
struct constraint_element {
  uvec4 particles;
  vec4 data;
};

constraint_element element_of_pair(weft_pair_element c) {
  return constraint_element(uvec4(c.a, c.b, 0u, 0u), vec4(c.rest, c.factor, 0.0, 0.0));
}
constraint_element element_of_quad(weft_quad_element c) { return constraint_element(c.particles, c.data); }
