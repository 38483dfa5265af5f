// level.glsl: what the passes over coarser levels share. A node is a mean of particles or finer nodes:
// see src/model/levels.h. Included after the buffers level_x and, where they are used, level_base.

#ifdef WEFT_LEVEL_EDGES
// Where a projection of |x_a - x_b| <= rest_length takes its two, along the line between where they were
// before all corrections: there the particles still are, and only along it do equal momenta at both
// leave their angular momentum as it is. Fixed nodes are never written: several edges of a colour may
// share one.
void level_project(weft_distance c) {
  vec4 pa = level_x_at(c.a);
  vec4 pb = level_x_at(c.b);
  precise vec3 line = level_base_at(c.a).xyz - level_base_at(c.b).xyz;
  line = exact_flush3(line);
  precise float line2 = exact_dot(line, line);
  precise float inverse = exact_rsqrt(line2);
  precise vec3 n = line * inverse;
  n = exact_flush3(n);
  precise vec3 d = pa.xyz - pb.xyz;
  d = exact_flush3(d);
  precise float len = exact_dot(d, n);
  precise float violation = len - c.rest_length;
  precise float step = violation * c.inv_denominator;
  step = violation > 0.0 ? step : 0.0;
  step = exact_trim(step);
  if (!(step > 0.0)) return;
  precise float step_a = pa.w * step;
  precise float step_b = pb.w * step;
  precise vec3 delta_a = n * step_a;
  precise vec3 delta_b = n * step_b;
  precise vec3 new_a = pa.xyz - delta_a;
  new_a = exact_flush3(new_a);
  precise vec3 new_b = pb.xyz + delta_b;
  new_b = exact_flush3(new_b);
  if (pa.w > 0.0) level_x[c.a] = vec4(new_a, pa.w);
  if (pb.w > 0.0) level_x[c.b] = vec4(new_b, pb.w);
}
#endif

#ifdef WEFT_LEVEL_MEAN
// The mean of children from[begin, end), relative to the first of them, so that no translation shows in
// its digits.
#define level_mean(from, begin, end, mean)                \
  {                                                       \
    vec3 origin = from(level_child_at(begin).node).xyz;   \
    precise vec3 sum = vec3(0.0);                         \
    for (uint k = (begin) + 1u; k < (end); ++k) {         \
      weft_level_child child = level_child_at(k);         \
      precise vec3 away = from(child.node).xyz - origin;  \
      away = exact_flush3(away);                          \
      away = away * child.share;                          \
      sum = sum + away;                                   \
    }                                                     \
    mean = origin + sum;                                  \
    mean = exact_flush3(mean);                            \
  }
#endif

#ifdef WEFT_LEVEL_FOLLOW
// Where a particle or finer node goes with its parents.
vec3 level_follow(vec3 from, weft_level_parents parents) {
  precise vec3 to = from;
  for (uint k = 0u; k < 4u; ++k) {
    uint node = parents.nodes[k];
    if (node == WEFT_NO_PARENT) break;
    precise vec3 moved = level_x_at(node).xyz - level_base_at(node).xyz;
    moved = exact_flush3(moved);
    moved = moved * parents.weights[k];
    to = to + moved;
  }
  to = exact_flush3(to);
  return to;
}
#endif
