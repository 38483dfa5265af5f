// damp_rigid.glsl: one element of the pass damp_rigid. Included after the buffers it works on.

// d: diagonal, o: products (01, 02, 12) of a symmetric matrix whose trace is 1.
vec3 damp_solve(vec3 d, vec3 o, vec3 l) {
  uint turns = 0u;
  for (uint k = 0u; k < 2u; ++k) {
    bool turn = d.x < d.y || d.x < d.z;
    d = turn ? d.yzx : d;
    l = turn ? l.yzx : l;
    o = turn ? o.zxy : o;
    turns = turns + (turn ? 1u : 0u);
  }
  precise float inv_0 = exact_rcp(d.x);
  precise float part_1 = o.x * inv_0;
  part_1 = exact_flush(part_1);
  precise float part_2 = o.y * inv_0;
  part_2 = exact_flush(part_2);
  precise float t = part_1 * o.x;
  precise float e_1 = d.y - t;
  t = part_2 * o.y;
  precise float e_2 = d.z - t;
  t = part_2 * o.x;
  precise float e_12 = o.z - t;
  e_12 = exact_flush(e_12);
  t = part_1 * l.x;
  precise float y_1 = l.y - t;
  t = part_2 * l.x;
  precise float y_2 = l.z - t;
  bool swapped = e_2 > e_1;
  precise float pivot = swapped ? e_2 : e_1;
  precise float other = swapped ? e_1 : e_2;
  precise float y_first = swapped ? y_2 : y_1;
  precise float y_second = swapped ? y_1 : y_2;
  y_first = exact_flush(y_first);
  precise float inv_1 = exact_rcp(pivot);
  precise float part_12 = e_12 * inv_1;
  part_12 = exact_flush(part_12);
  t = part_12 * e_12;
  precise float last = other - t;
  t = part_12 * y_first;
  precise float y_last = y_second - t;
  y_last = exact_flush(y_last);
  precise float inv_2 = exact_rcp(last);
  bool two = pivot > WEFT_MIN_INERTIA;
  bool three = two && last > WEFT_MIN_INERTIA;
  precise float w_second = y_last * inv_2;
  w_second = three ? w_second : 0.0;
  precise float w_first = y_first * inv_1;
  t = part_12 * w_second;
  w_first = w_first - t;
  w_first = two ? w_first : 0.0;
  w_first = exact_flush(w_first);
  w_second = exact_flush(w_second);
  precise float w_1 = swapped ? w_second : w_first;
  precise float w_2 = swapped ? w_first : w_second;
  precise float w_0 = l.x * inv_0;
  t = part_1 * w_1;
  w_0 = w_0 - t;
  t = part_2 * w_2;
  w_0 = w_0 - t;
  vec3 w = vec3(w_0, w_1, w_2);
  w = turns == 1u ? w.zxy : w;
  w = turns == 2u ? w.yzx : w;
  return w;
}

void pass_damp_rigid(uint row, uint linear, uint angular) {
  precise vec3 centre = motion[linear].a.xyz * u.inv_total_mass;
  precise vec3 drift = motion[linear].b.xyz * u.inv_total_mass;
  vec3 diagonal = motion[angular].b.xyz;
  precise float trace = diagonal.x + diagonal.y;
  trace = trace + diagonal.z;
  precise float scale = exact_rcp(trace);
  precise vec3 d = diagonal * scale;
  precise vec3 o = motion[angular].c.xyz * scale;
  precise vec3 l = motion[angular].a.xyz * scale;
  precise vec3 spin = damp_solve(exact_flush3(d), exact_flush3(o), exact_flush3(l));
  bool turns = trace > WEFT_TRIM;
  spin.x = turns ? spin.x : 0.0;
  spin.y = turns ? spin.y : 0.0;
  spin.z = turns ? spin.z : 0.0;
  motion[row].a = vec4(exact_flush3(centre), 0.0);
  motion[row].b = vec4(exact_flush3(drift), 0.0);
  motion[row].c = vec4(exact_flush3(spin), 0.0);
}
