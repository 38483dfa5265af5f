// damp_sum.glsl: one element of the pass damp_sum. Included after the buffers it works on.

void pass_damp_sum(uint row, uint offset, uint reset) {
  uint begin = offset + (row - reset) * WEFT_FAN;
  uint end = min(begin + WEFT_FAN, reset);
  precise vec3 a = vec3(0.0);
  precise vec3 b = vec3(0.0);
  precise vec3 c = vec3(0.0);
  for (uint k = begin; k < end; ++k) {
    a = a + motion[k].a.xyz;
    b = b + motion[k].b.xyz;
    c = c + motion[k].c.xyz;
  }
  motion[row].a = vec4(exact_trim3(a), 0.0);
  motion[row].b = vec4(exact_trim3(b), 0.0);
  motion[row].c = vec4(exact_trim3(c), 0.0);
}
