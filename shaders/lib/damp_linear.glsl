// damp_linear.glsl: one element of the pass damp_linear. Included after the buffers it works on.

void pass_damp_linear(uint row, uint reset) {
  uint begin = (row - reset) * WEFT_FAN;
  uint end = min(begin + WEFT_FAN, u.particle_count);
  precise vec3 moment = vec3(0.0);
  precise vec3 momentum = vec3(0.0);
  for (uint i = begin; i < end; ++i) {
    vec4 p = x_at(i);
    if (p.w == 0.0) continue;
    precise float mass = exact_rcp(p.w);
    precise vec3 mx = p.xyz * mass;
    precise vec3 mv = v_at(i).xyz * mass;
    moment = moment + exact_trim3(mx);
    momentum = momentum + exact_trim3(mv);
  }
  motion[row].a = vec4(exact_trim3(moment), 0.0);
  motion[row].b = vec4(exact_trim3(momentum), 0.0);
  motion[row].c = vec4(0.0);
}
