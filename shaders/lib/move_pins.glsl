// move_pins.glsl: one element of the pass move_pins. Included after the buffers it works on.

void pass_move_pins(uint k, uint substep) {
  weft_pin_path path = pin_at(k);
  uint i = path.particle;
  precise float t = substep_at(substep).wind.w;
  precise vec3 way = path.to.xyz - path.from.xyz;
  way = way * t;
  precise vec3 position = path.from.xyz + way;
  position = exact_snap3(position);
  position.x = t == 1.0 ? path.to.x : position.x;
  position.y = t == 1.0 ? path.to.y : position.y;
  position.z = t == 1.0 ? path.to.z : position.z;
  precise vec3 velocity = position - x_prev[i].xyz;
  velocity = velocity * u.inv_dt;
  velocity = exact_snap3(velocity);
  x[i] = vec4(position, x[i].w);
  v[i] = vec4(velocity, 0.0);
}
