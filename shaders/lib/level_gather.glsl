// level_gather.glsl: one element of the pass level_gather. Included after the buffers it works on.

void pass_level_gather(uint i) {
  uint begin = offsets[i];
  uint end = offsets[i + 1u];
  precise vec3 mean;
  level_mean(x, begin, end, mean)
  vec4 node = vec4(mean, level_x[i].w);
  level_x[i] = node;
  level_base[i] = node;
}
