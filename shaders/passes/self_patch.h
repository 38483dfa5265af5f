/* self_patch: of a patch: the box of its triangles, and what certifies that it does not touch itself or its neighbours. A work group for each. */
#ifndef WEFT_PASSES_SELF_PATCH_H
#define WEFT_PASSES_SELF_PATCH_H
#include "kernels/self_monotone.h"
#include "passes/self.h"

GROUP_ARRAY(weft_self_node, s_self_boxes, WEFT_SELF_PATCH)
GROUP_ARRAY(real, s_self_least, WEFT_SELF_PATCH)
GROUP_ARRAY(real, s_self_most2, WEFT_SELF_PATCH)
GROUP_ARRAY(uint, s_self_marked, WEFT_SELF_PATCH)

/* From the first of the eight to the others. */
#define SELF_FIXED(sum, particles, weights)                                                 \
  for (uint k = 0u; k < 4u; ++k) {                                                          \
    real3 from = exact_flush3(v3_sub(XYZ(AT(X_PREV, PART4U(particles, k))), origin));       \
    sum = self_weighed(sum, from, PART4(weights, k));                                       \
  }
#define SELF_EDGE_IN(buffer, t, corner) \
  exact_flush3(v3_sub(XYZ(AT(buffer, (t).corners.corner)), XYZ(AT(buffer, (t).corners.x))))

GROUP_PASS(pass_self_patch) {
  if (SELF_IDLE(SELF_PART_OF_PATCH(i))) return;
  weft_self_patch own_patch = AT(SELF_PATCHES, i);
  real3 origin = XYZ(AT(X_PREV, own_patch.fixed_a.x));
  real3 first = V3(K(0.0), K(0.0), K(0.0));
  real3 second = first;
  SELF_FIXED(first, own_patch.fixed_a, own_patch.u_a)
  SELF_FIXED(first, own_patch.fixed_b, own_patch.u_b)
  SELF_FIXED(second, own_patch.fixed_a, own_patch.v_a)
  SELF_FIXED(second, own_patch.fixed_b, own_patch.v_b)
  first = self_unit(first);
  second = self_unit(second);
  EACH(k, 0u, 1u, WEFT_SELF_PATCH) {
    weft_self_triangle t = AT(SELF_TRIANGLES, WEFT_SELF_PATCH * i + k);
    s_self_boxes[k] = self_node_of(self_box_around(SELF_CORNER(t.corners.x), SELF_CORNER(t.corners.y), SELF_CORNER(t.corners.z)));
    self_gradient g = self_gradient_of(SELF_EDGE_IN(X_PREV, t, y), SELF_EDGE_IN(X_PREV, t, z), t.inverse, first, second);
    self_gradient there = self_gradient_of(SELF_EDGE_IN(X, t, y), SELF_EDGE_IN(X, t, z), t.inverse, first, second);
    g = self_gradient_join(self_gradient_join(self_gradient_none(), g), there);
    s_self_least[k] = g.least;
    s_self_most2[k] = g.most2;
    s_self_marked[k] = SELF_MARKED(t) ? 1u : 0u;
  }
  WAIT_FOR_GROUP
  /* Eight of each row of eight, then of the eight rows. */
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
    uint part = SELF_PART_OF_PATCH(i);
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
