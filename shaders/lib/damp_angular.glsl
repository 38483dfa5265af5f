// damp_angular.glsl: one element of the pass damp_angular. Included after the buffers it works on.

void pass_damp_angular(uint row, uint reset) {
  uint begin = (row - reset) * WEFT_FAN;
  uint end = min(begin + WEFT_FAN, u.particle_count);
  precise vec3 centre = motion_a_at(reset - 1u).xyz * u.inv_total_mass;
  precise vec3 drift = motion_b_at(reset - 1u).xyz * u.inv_total_mass;
  precise vec3 spin = vec3(0.0);
  precise vec3 diagonal = vec3(0.0);
  precise vec3 products = vec3(0.0);
  for (uint i = begin; i < end; ++i) {
    vec4 p = x_at(i);
    if (p.w == 0.0) continue;
    precise float mass = exact_rcp(p.w);
    precise vec3 r = p.xyz - centre;
    r = exact_flush3(r);
    precise vec3 relative = v_at(i).xyz - drift;
    relative = exact_flush3(relative);
    precise vec3 turn = exact_cross(r, relative);
    turn = exact_trim3(turn);
    turn = turn * mass;
    spin = spin + exact_trim3(turn);
    precise vec3 square = r * r;
    precise vec3 around = square.yzx + square.zxy;
    around = around * mass;
    diagonal = diagonal + exact_trim3(around);
    precise vec3 mixed = r.xxy * r.yzz;
    mixed = mixed * mass;
    products = products - exact_trim3(mixed);
  }
  motion[row].a = vec4(exact_trim3(spin), 0.0);
  motion[row].b = vec4(exact_trim3(diagonal), 0.0);
  motion[row].c = vec4(exact_trim3(products), 0.0);
}
