// tether.glsl: one element of the pass tether. Included after the buffers it works on.

void pass_tether(uint i) {
  vec4 start = x_at(i);
  if (start.w == 0.0) return;
  weft_tether tether = tether_at(i);
  precise vec3 p = start.xyz;
  bool taut = false;
  for (uint k = 0u; k < 4u; ++k) {
    uint anchor = tether.anchors[k];
    if (anchor == WEFT_NO_ANCHOR) break;
    vec3 a = x_at(anchor).xyz;
    precise float most = tether.lengths[k];
    precise vec3 away = p - a;
    away = exact_flush3(away);
    precise float length2 = exact_dot(away, away);
    precise float inverse = exact_rsqrt(length2);
    precise float len = length2 * inverse;
    if (!(len > most)) continue;
    precise vec3 n = away * inverse;
    n = exact_flush3(n);
    precise vec3 reach = n * most;
    p = a + reach;
    p = exact_flush3(p);
    taut = true;
  }
  if (taut) x[i] = vec4(p, start.w);
}
