/* level.h: twin of shaders/lib/level.glsl. */
#ifndef WEFT_REF_LEVEL_H
#define WEFT_REF_LEVEL_H

#include "ref.h"

static inline void level_project(vec4 *level_x, const vec4 *level_base, weft_distance c) {
  vec4 pa = level_x[c.a];
  vec4 pb = level_x[c.b];
  weft_vec3 line = weft_v3_sub(exact_xyz(level_base[c.a]), exact_xyz(level_base[c.b]));
  line = exact_flush3(line);
  float line2 = exact_dot(line, line);
  float inverse = exact_rsqrt(line2);
  weft_vec3 n = weft_v3_scale(line, inverse);
  n = exact_flush3(n);
  weft_vec3 d = weft_v3_sub(exact_xyz(pa), exact_xyz(pb));
  d = exact_flush3(d);
  float len = exact_dot(d, n);
  float violation = len - c.rest_length;
  float step = violation * c.inv_denominator;
  step = violation > 0.0f ? step : 0.0f;
  step = exact_trim(step);
  if (!(step > 0.0f)) return;
  float step_a = pa.w * step;
  float step_b = pb.w * step;
  weft_vec3 delta_a = weft_v3_scale(n, step_a);
  weft_vec3 delta_b = weft_v3_scale(n, step_b);
  weft_vec3 new_a = weft_v3_sub(exact_xyz(pa), delta_a);
  new_a = exact_flush3(new_a);
  weft_vec3 new_b = weft_v3_add(exact_xyz(pb), delta_b);
  new_b = exact_flush3(new_b);
  if (pa.w > 0.0f) level_x[c.a] = exact_vec4(new_a, pa.w);
  if (pb.w > 0.0f) level_x[c.b] = exact_vec4(new_b, pb.w);
}

/* The mean of children [begin, end), whose positions are in `from`. */
static inline weft_vec3 level_mean(const vec4 *from, const weft_level_child *children,
                                   uint32_t begin, uint32_t end) {
  weft_vec3 origin = exact_xyz(from[children[begin].node]);
  weft_vec3 sum = weft_v3(0, 0, 0);
  for (uint32_t k = begin + 1; k < end; ++k) {
    weft_level_child child = children[k];
    weft_vec3 away = weft_v3_sub(exact_xyz(from[child.node]), origin);
    away = exact_flush3(away);
    away = weft_v3_scale(away, child.share);
    sum = weft_v3_add(sum, away);
  }
  weft_vec3 mean = weft_v3_add(origin, sum);
  return exact_flush3(mean);
}

static inline weft_vec3 level_follow(const weft_ref *ref, weft_vec3 from,
                                     const weft_level_parents *parents) {
  const uint32_t nodes[4] = {parents->nodes.x, parents->nodes.y, parents->nodes.z,
                             parents->nodes.w};
  const float weights[4] = {parents->weights.x, parents->weights.y, parents->weights.z,
                            parents->weights.w};
  weft_vec3 to = from;
  for (uint32_t k = 0; k < 4; ++k) {
    uint32_t node = nodes[k];
    if (node == WEFT_NO_PARENT) break;
    weft_vec3 moved = weft_v3_sub(exact_xyz(ref->level_x[node]), exact_xyz(ref->level_base[node]));
    moved = exact_flush3(moved);
    moved = weft_v3_scale(moved, weights[k]);
    to = weft_v3_add(to, moved);
  }
  return exact_flush3(to);
}

static inline void level_restrict_node(const weft_ref *ref, uint32_t i) {
  uint32_t begin = ref->level_offsets[i];
  uint32_t end = ref->level_offsets[i + 1];
  weft_vec3 mean = level_mean(ref->level_x, ref->level_children, begin, end);
  vec4 node = exact_vec4(mean, ref->level_x[i].w);
  ref->level_x[i] = node;
  ref->level_base[i] = node;
}

static inline void level_prolong_node(const weft_ref *ref, uint32_t i) {
  const weft_level_parents *p = &ref->level_node_parents[i];
  if (p->nodes.x == WEFT_NO_PARENT) return;
  vec4 node = ref->level_x[i];
  weft_vec3 to = level_follow(ref, exact_xyz(node), p);
  ref->level_x[i] = exact_vec4(to, node.w);
}

#endif
