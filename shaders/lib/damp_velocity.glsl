// damp_velocity.glsl: one element of the pass damp_velocity. Included after the buffers it works on.

void pass_damp_velocity(uint i, uint offset) {
  vec4 p = x[i];
  if (p.w == 0.0) return;
  precise vec3 r = p.xyz - motion[offset].a.xyz;
  r = exact_flush3(r);
  precise vec3 rigid = exact_cross(motion[offset].c.xyz, r);
  rigid = rigid + motion[offset].b.xyz;
  precise vec3 velocity = v[i].xyz;
  precise vec3 change = rigid - velocity;
  change = exact_flush3(change);
  change = change * u.global_damping;
  velocity = velocity + change;
  velocity = exact_snap3(velocity);
  v[i] = vec4(velocity, 0.0);
}
