// tether: a particle further from a pinned one than the cloth between them is long comes back to
// that length, nearest attachment first (Kim, Chentanez and Mueller-Fischer 2012, "Long range
// attachments"). Pinned particles are read and never written, so the order of particles is free.
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_TETHERS) restrict readonly buffer Tethers {
  weft_tether tethers[];
};

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  vec4 start = x[i];
  if (start.w == 0.0) return;
  weft_tether tether = tethers[i];
  precise vec3 p = start.xyz;
  bool taut = false;
  for (uint k = 0u; k < 4u; ++k) {
    uint anchor = tether.anchors[k];
    if (anchor == WEFT_NO_ANCHOR) break;
    vec3 a = x[anchor].xyz;
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
