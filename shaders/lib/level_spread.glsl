// level_spread.glsl: one element of the pass level_spread. Included after the buffers it works on.

void pass_level_spread(uint i) {
  weft_level_parents p = particle_parents_at(i);
  if (p.nodes.x == WEFT_NO_PARENT) return;
  vec4 particle = x_at(i);
  precise vec3 to = level_follow(particle.xyz, p);
  x[i] = vec4(to, particle.w);
}
