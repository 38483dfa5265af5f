/* orient.h: on which side of a plane or a line a point lies, exactly.
 *
 * A point is three doubles that hold finite floats. Most answers come from doubles with a bound on
 * their rounding; where that does not decide, the determinant is summed without any rounding
 * (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric
 * predicates"). Products of floats neither overflow nor underflow here. */
#ifndef WEFT_MESH_ORIENT_H
#define WEFT_MESH_ORIENT_H

/* The sign, -1, 0 or 1, of det(a - d, b - d, c - d): six times the volume of a tetrahedron. 0 where
 * the four lie in a plane. */
int weft_orient3d(const double *a, const double *b, const double *c, const double *d);

/* The same, but also 0 where doubles cannot decide. */
int weft_orient3d_quick(const double *a, const double *b, const double *c, const double *d);

/* The sign of det(a - c, b - c) of coordinates u and v alone, each 0 to 2. 0 where the three lie on
 * a line. */
int weft_orient2d(const double *a, const double *b, const double *c, int u, int v);

#endif
