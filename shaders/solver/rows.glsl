// rows.glsl: a constraint whatever its type.
struct constraint_row {
  uvec4 particles;
  vec4 data;
};

constraint_row row_of_pair(weft_pair_row c) {
  return constraint_row(uvec4(c.a, c.b, 0u, 0u), vec4(c.rest, c.factor, 0.0, 0.0));
}
constraint_row row_of_quad(weft_quad_row c) { return constraint_row(c.particles, c.data); }
