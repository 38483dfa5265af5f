// damp_velocity.glsl: one element of the pass damp_velocity. Included after the buffers it works on.

void pass_damp_velocity(uint i, uint offset) {
  vec4 p = x_at(i);
  if (p.w == 0.0) return;
  precise vec3 r = p.xyz - motion_a_at(offset).xyz;
  r = exact_flush3(r);
  precise vec3 rigid = exact_cross(motion_c_at(offset).xyz, r);
  rigid = rigid + motion_b_at(offset).xyz;
  precise vec3 velocity = v_at(i).xyz;
  precise vec3 change = rigid - velocity;
  change = exact_flush3(change);
  change = change * u.global_damping;
  velocity = velocity + change;
  velocity = exact_snap3(velocity);
  v[i] = vec4(velocity, 0.0);
}
