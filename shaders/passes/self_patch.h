/* self_patch: the box of a patch's triangles, and the bounds that certify it against itself and its neighbours. A work group for each patch. */
#ifndef WEFT_PASSES_SELF_PATCH_H
#define WEFT_PASSES_SELF_PATCH_H
#include "kernels/self_monotone.h"
#include "passes/self_counts.h"
#include "passes/self_marked.h"

GROUP_ARRAY(weft_self_node, s_self_boxes, WEFT_SELF_PATCH)
GROUP_ARRAY(real, s_self_least, WEFT_SELF_PATCH)
GROUP_ARRAY(real, s_self_most2, WEFT_SELF_PATCH)
GROUP_ARRAY(uint, s_self_marked, WEFT_SELF_PATCH)

/* Adds four of the eight weighted particles, relative to the first of them. */
KERNEL real3 self_weighed_four(BUFFERS m, real3 sum, uvec4 particles, real4 weights, real3 origin) {
  real3 to = sum;
  for (uint k = 0u; k < 4u; ++k) {
    real3 from = exact_flush3(v3_sub(self_before(m, PART4U(particles, k)), origin));
    to = self_weighed(to, from, PART4(weights, k));
  }
  return to;
}

/* An axis of the patch's mean gradient at the start. */
KERNEL real3 self_axis_of(BUFFERS m, weft_self_patch own, real4 weights_a, real4 weights_b) {
  real3 origin = self_before(m, own.fixed_a.x);
  real3 sum = self_weighed_four(m, V3(K(0.0), K(0.0), K(0.0)), own.fixed_a, weights_a, origin);
  return self_unit(self_weighed_four(m, sum, own.fixed_b, weights_b, origin));
}

/* The bounds of a triangle, at both ends of the motion. */
KERNEL self_gradient self_gradient_on_its_way(BUFFERS m, weft_self_triangle t, real3 first, real3 second) {
  weft_uvec3 c = t.corners;
  real3 e = exact_flush3(v3_sub(self_before(m, c.y), self_before(m, c.x)));
  real3 f = exact_flush3(v3_sub(self_before(m, c.z), self_before(m, c.x)));
  self_gradient g = self_gradient_of(e, f, t.inverse, first, second);
  e = exact_flush3(v3_sub(self_now(m, c.y), self_now(m, c.x)));
  f = exact_flush3(v3_sub(self_now(m, c.z), self_now(m, c.x)));
  self_gradient there = self_gradient_of(e, f, t.inverse, first, second);
  g = self_gradient_join(self_gradient_join(self_gradient_none(), g), there);
  return g;
}

GROUP_PASS(pass_self_patch) {
  uint part = self_part_of_patch(m, i);
  if (self_is_idle(m, part, pass.detection)) return;
  weft_self_patch own_patch = AT(SELF_PATCHES, i);
  real3 first = self_axis_of(m, own_patch, own_patch.u_a, own_patch.u_b);
  real3 second = self_axis_of(m, own_patch, own_patch.v_a, own_patch.v_b);
  EACH(k, 0u, 1u, WEFT_SELF_PATCH) {
    weft_self_triangle t = AT(SELF_TRIANGLES, WEFT_SELF_PATCH * i + k);
    s_self_boxes[k] = self_node_of(self_box_of_triangle(m, t));
    self_gradient g = self_gradient_on_its_way(m, t, first, second);
    s_self_least[k] = g.least;
    s_self_most2[k] = g.most2;
    s_self_marked[k] = self_is_marked(m, t, pass.detection) ? 1u : 0u;
  }
  WAIT_FOR_GROUP
  /* Reduces eight rows of eight, then the eight results. */
  for (uint step = 1u; step < WEFT_SELF_PATCH; step = step * 8u) {
    EACH(k, 0u, 8u * step, WEFT_SELF_PATCH) {
      for (uint other = k + step; other < k + 8u * step; other += step) {
        s_self_boxes[k] = self_node_of(self_box_join(self_box_in(s_self_boxes[k]), self_box_in(s_self_boxes[other])));
        s_self_least[k] = self_less(s_self_least[k], s_self_least[other]);
        s_self_most2[k] = self_more(s_self_most2[k], s_self_most2[other]);
        s_self_marked[k] = s_self_marked[k] | s_self_marked[other];
      }
    }
    WAIT_FOR_GROUP
  }
  EACH(k, 0u, 1u, 1u) {
    SET(SELF_NODES, part * U.self_nodes + (i - part * U.self_patches), s_self_boxes[0u]);
    weft_self_certificate shape;
    shape.first = V4(first, K(0.0));
    shape.second = V4(second, K(0.0));
    shape.least = s_self_least[0u];
    shape.most = self_root(s_self_most2[0u]);
    shape.reach = own_patch.reach;
    shape.marked = s_self_marked[0u];
    SET(SELF_CERTIFICATES, i, shape);
  }
}

#endif
