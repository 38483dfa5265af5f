// grab.glsl: one element of the pass grab. Included after the buffers it works on.

void pass_grab(uint k, uint substep) {
  weft_grab row = grab_at(k);
  uint i = row.particle;
  if (i == WEFT_GRAB_NONE) return;
  vec4 p = x[i];
  if (p.w == 0.0) return;
  precise float t = substep_at(substep).wind.w;
  precise vec3 way = row.to.xyz - row.from.xyz;
  way = way * t;
  way = exact_flush3(way);
  precise vec3 target = row.from.xyz + way;
  precise vec3 off = target - p.xyz;
  off = exact_flush3(off);
  precise vec3 velocity = v[i].xyz;
  precise vec3 pulled = off * row.pull;
  precise vec3 braked = velocity * row.brake;
  precise vec3 kick = pulled - braked;
  kick = exact_snap3(kick);
  precise float size2 = exact_dot(kick, kick);
  if (!(size2 <= WEFT_LARGEST)) return;
  precise float inverse = exact_rsqrt(size2);
  precise float size = size2 * inverse;
  precise float part = row.most * inverse;
  part = size > row.most ? part : 1.0;
  kick = kick * part;
  kick = exact_snap3(kick);
  velocity = velocity + kick;
  velocity = exact_snap3(velocity);
  precise vec3 step = velocity * u.dt;
  precise vec3 predicted = x_prev[i].xyz + step;
  predicted = exact_snap3(predicted);
  v[i] = vec4(velocity, 0.0);
  x[i] = vec4(predicted, p.w);
}
