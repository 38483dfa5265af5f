/* hinge.h: the rest shape of two triangles that share an edge. */
#ifndef WEFT_MODEL_HINGE_H
#define WEFT_MODEL_HINGE_H

#include <weft/types.h>

typedef struct weft_hinge_shape {
  double length;     /* of the edge, metres */
  double area[2];    /* of the triangle of each opposite vertex, square metres */
  double angle;      /* radians, 0 when flat; see weft_hinge_angle */
  double weights[4]; /* K of Bergou 2006 for (edge 0, edge 1, opposite 0, opposite 1) */
  bool degenerate;   /* a triangle too thin, or folded flat onto the other, to hinge on */
} weft_hinge_shape;

void weft_hinge_measure(const weft_vec3 *positions, const uint32_t edge[2],
                        const uint32_t opposite[2], weft_hinge_shape *shape);

/* The signed angle between two triangles: opposite vertices x0 and x1, edge x2 x3. If the
 * triangle (x0, x2, x3) is counter-clockwise seen from the front, it is the rotation of the
 * front normal about x3 - x2, by the right-hand rule, from the triangle of x0 to that of x1. */
double weft_hinge_angle(weft_vec3 x0, weft_vec3 x1, weft_vec3 x2, weft_vec3 x3);

/* Rounds K to floats that sum to exactly zero, so that moving the whole cloth bends nothing. */
void weft_hinge_round_weights(const double weights[4], float rounded[4]);

#endif
