// predict.glsl: one element of the pass predict. Included after the buffers it works on.

void pass_predict(uint i) {
  vec4 p = x_at(i);
  x_prev[i] = p;
  if (p.w == 0.0) {
    v[i] = vec4(0.0);
    return;
  }
  precise vec3 velocity = v_at(i).xyz;
  velocity = velocity + u.gravity_step.xyz;
  velocity = velocity * u.keep;
  velocity = exact_snap3(velocity);
  precise vec3 step = velocity * u.dt;
  precise vec3 predicted = p.xyz + step;
  predicted = exact_snap3(predicted);
  v[i] = vec4(velocity, 0.0);
  x[i] = vec4(predicted, p.w);
}
