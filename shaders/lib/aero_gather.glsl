// aero_gather.glsl: one element of the pass aero_gather. Included after the buffers it works on.

void pass_aero_gather(uint i) {
  precise vec3 force = vec3(0.0);
  uint end = corner_offset_at(i + 1u);
  for (uint k = corner_offset_at(i); k < end; ++k) {
    uint triangle = corner_item_at(k);
    force = force + force_at(triangle).xyz;
  }
  precise float scale = x_at(i).w * u.dt;
  precise vec3 change = force * scale;
  precise vec3 velocity = v_at(i).xyz + change;
  velocity = exact_snap3(velocity);
  v[i] = vec4(velocity, 0.0);
}
