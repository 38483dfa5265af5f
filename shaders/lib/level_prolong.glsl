// level_prolong.glsl: one element of the pass level_prolong. Included after the buffers it works on.

void pass_level_prolong(uint i) {
  weft_level_parents p = level_parents_at(i);
  if (p.nodes.x == WEFT_NO_PARENT) return;
  vec4 node = level_x_at(i);
  precise vec3 to = level_follow(node.xyz, p);
  level_x[i] = vec4(to, node.w);
}
