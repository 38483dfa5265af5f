/* vertex_normal.h: the normal of a vertex as the mean of those of the triangles around it, weighted by their areas: the cross product of two edges
 * is twice the area long. */
#ifndef WEFT_KERNELS_VERTEX_NORMAL_H
#define WEFT_KERNELS_VERTEX_NORMAL_H
#include "kernels/exact.h"

/* A triangle more, of the vertex and the two after it. */
KERNEL real3 vertex_normal_with(real3 sum, real3 vertex, real3 next, real3 last) {
  real3 a = v3_sub(next, vertex);
  real3 b = v3_sub(last, vertex);
  return v3_add(sum, exact_cross(a, b));
}

/* Of length 1; 0 where there is no triangle with an area. By the largest component first, since squares of small areas are too small. */
KERNEL real3 vertex_normal_of(real3 sum) {
  real most = MORE(ABS(sum.x), MORE(ABS(sum.y), ABS(sum.z)));
  real3 scaled = v3_scale(sum, exact_rcp(most));
  real3 normal = v3_scale(scaled, exact_rsqrt(exact_dot(scaled, scaled)));
  return v3_select(most > K(0.0), normal, V3(K(0.0), K(0.0), K(0.0)));
}

#endif
