// level_gather.glsl: one element of the pass level_gather. Included after the buffers it works on.

void pass_level_gather(uint i) {
  uint begin = level_offset_at(i);
  uint end = level_offset_at(i + 1u);
  precise vec3 mean;
  level_mean(x_at, begin, end, mean)
  vec4 node = vec4(mean, level_x_at(i).w);
  level_x[i] = node;
  level_base[i] = node;
}
