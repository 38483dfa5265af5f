// update_velocity.glsl: one element of the pass update_velocity. Included after the buffers it works on.

void pass_update_velocity(uint i) {
  vec4 p = x_at(i);
  if (p.w == 0.0) return;
  precise vec3 velocity = v_at(i).xyz;
  precise vec3 step = velocity * u.dt;
  precise vec3 predicted = x_prev_at(i).xyz + step;
  predicted = exact_snap3(predicted);
  precise vec3 correction = p.xyz - predicted;
  correction = correction * u.inv_dt;
  velocity = velocity + correction;
  velocity = exact_snap3(velocity);
  v[i] = vec4(velocity, 0.0);
}
