/* triangle_tree.h: boxes over triangles in doubles: the point nearest to a given one, and all
 * triangles within reach of a box. */
#ifndef WEFT_MESH_TRIANGLE_TREE_H
#define WEFT_MESH_TRIANGLE_TREE_H

#include "vec3d.h"

typedef struct weft_triangle_tree weft_triangle_tree;

/* Over triangles [first, end) of `corners`, which are indices into `x`. Both must outlive it. Freed
 * with weft_triangle_tree_free. */
weft_triangle_tree *weft_triangle_tree_create(const weft_vec3d *x, const uint32_t *corners,
                                              uint32_t first, uint32_t end);
void weft_triangle_tree_free(weft_triangle_tree *tree);
/* Refits the boxes after points have moved. */
void weft_triangle_tree_fit(weft_triangle_tree *tree);

/* A point of a triangle. */
typedef struct weft_nearest {
  uint32_t triangle;
  double weights[3]; /* barycentric coordinates */
  weft_vec3d at;
  double distance; /* m */
} weft_nearest;

/* The point of triangle a b c nearest to p (Ericson 2005, "Real-time collision detection",
 * 5.1.5). */
void weft_nearest_in_triangle(weft_vec3d p, weft_vec3d a, weft_vec3d b, weft_vec3d c,
                              weft_nearest *found);
/* The closest points of two segments, as fractions 0 to 1; returns the distance (5.1.9). */
double weft_nearest_of_segments(weft_vec3d p0, weft_vec3d p1, weft_vec3d q0, weft_vec3d q1,
                                double *s, double *t);

/* False if nothing is within so many metres. Of equal distances the first found, which depends
 * on the points alone. */
bool weft_triangle_tree_nearest(const weft_triangle_tree *tree, weft_vec3d point, double within,
                                weft_nearest *found);

/* Calls `visit` for every triangle whose box is within reach of this box. */
typedef void weft_tree_visit(void *context, uint32_t triangle);
void weft_triangle_tree_around(const weft_triangle_tree *tree, weft_vec3d low, weft_vec3d high,
                               double reach, weft_tree_visit *visit, void *context);

#endif
