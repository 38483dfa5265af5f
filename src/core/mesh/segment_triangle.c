/* segment_triangle.c: whether a segment meets a triangle, decided by signs of determinants alone.
 */
#include <float.h>
#include <math.h>

#include "intersections.h"
#include "orient.h"

enum { AXES = 3 };

static const int planes[AXES][2] = {{1, 2}, {2, 0}, {0, 1}};

/* ---- quick rejection ---- */

/* Projections of n points on m, relative to the first point, widened by more than their
 * rounding. */
typedef struct extent {
  double low, high;
} extent;

static extent extent_of(const double *const *points, int n, const double *origin, const double *m) {
  extent e = {INFINITY, -INFINITY};
  for (int k = 0; k < n; ++k) {
    double value = 0, magnitude = 0;
    for (int i = 0; i < AXES; ++i) {
      double product = (points[k][i] - origin[i]) * m[i];
      value += product;
      magnitude += fabs(product);
    }
    double rounding = 8 * DBL_EPSILON * magnitude;
    if (value - rounding < e.low) e.low = value - rounding;
    if (value + rounding > e.high) e.high = value + rounding;
  }
  return e;
}

static void cross(const double *u, const double *v, double *out) {
  for (int k = 0; k < AXES; ++k) {
    int m = (k + 1) % AXES, n = (k + 2) % AXES;
    out[k] = u[m] * v[n] - u[n] * v[m];
  }
}

static void difference(const double *a, const double *b, double *out) {
  for (int k = 0; k < AXES; ++k) out[k] = a[k] - b[k];
}

/* In flat cloth neighbours are coplanar, which only exact sums detect, but well separated within
 * the plane. If their extents along any direction do not overlap, they do not meet. Tested are
 * the directions in the triangle's plane perpendicular to its edges and to the segment. */
static bool clearly_apart(const double *p, const double *q, const double *const *t) {
  const double *segment[] = {p, q};
  double side[4][AXES], normal[AXES], across[AXES];
  for (int k = 0; k < 3; ++k) difference(t[(k + 1) % 3], t[k], side[k]);
  difference(q, p, side[3]);
  cross(side[0], side[1], normal);
  for (int k = 0; k < 4; ++k) {
    cross(normal, side[k], across);
    extent a = extent_of(t, 3, t[0], across), b = extent_of(segment, 2, t[0], across);
    if (a.high < b.low || b.high < a.low) return true;
  }
  return false;
}

/* ---- in a plane, with coordinates u and v ---- */

/* False for collinear segments: where these meet, callers find it by other tests. */
static bool segments_meet_in_plane(const double *p, const double *q, const double *a,
                                   const double *b, int u, int v) {
  int sp = weft_orient2d(a, b, p, u, v), sq = weft_orient2d(a, b, q, u, v);
  int sa = weft_orient2d(p, q, a, u, v), sb = weft_orient2d(p, q, b, u, v);
  if (sp == 0 && sq == 0 && sa == 0 && sb == 0) return false;
  return sp * sq <= 0 && sa * sb <= 0;
}

/* From the signs of a point against the three sides: inside if no two signs differ. */
static bool no_opposites(int r, int s, int t) {
  return !((r < 0 || s < 0 || t < 0) && (r > 0 || s > 0 || t > 0));
}

static bool meets_in_plane(const double *p, const double *q, const double *const *t, int u, int v) {
  if (no_opposites(weft_orient2d(t[0], t[1], p, u, v), weft_orient2d(t[1], t[2], p, u, v),
                   weft_orient2d(t[2], t[0], p, u, v))) {
    return true;
  }
  /* p is outside, so a segment that enters crosses a side. One along a side enters through a
   * corner, where the next side begins. */
  for (int k = 0; k < 3; ++k) {
    if (segments_meet_in_plane(p, q, t[k], t[(k + 1) % 3], u, v)) return true;
  }
  return false;
}

/* ---- in space ---- */

static bool overlap(const double *p, const double *q, const double *a, const double *b, int axis) {
  return fmax(p[axis], q[axis]) >= fmin(a[axis], b[axis]) &&
         fmax(a[axis], b[axis]) >= fmin(p[axis], q[axis]);
}

/* Coplanar points keep their order when a coordinate is dropped, unless the plane is parallel to
 * that axis; then all of them are projected onto a line. */
static bool segments_meet(const double *p, const double *q, const double *a, const double *b) {
  if (weft_orient3d(p, q, a, b) != 0) return false;
  for (int k = 0; k < AXES; ++k) {
    int u = planes[k][0], v = planes[k][1];
    if (weft_orient2d(p, q, a, u, v) || weft_orient2d(p, q, b, u, v) ||
        weft_orient2d(a, b, p, u, v) || weft_orient2d(a, b, q, u, v)) {
      return segments_meet_in_plane(p, q, a, b, u, v);
    }
  }
  return overlap(p, q, a, b, 0) && overlap(p, q, a, b, 1) && overlap(p, q, a, b, 2);
}

/* Either the segment lies in the triangle's plane, or the triangle has no area. */
static bool meets_coplanar(const double *p, const double *q, const double *const *t) {
  for (int k = 0; k < AXES; ++k) {
    int u = planes[k][0], v = planes[k][1];
    if (weft_orient2d(t[0], t[1], t[2], u, v)) return meets_in_plane(p, q, t, u, v);
  }
  return segments_meet(p, q, t[0], t[1]) || segments_meet(p, q, t[1], t[2]) ||
         segments_meet(p, q, t[2], t[0]);
}

bool weft_segment_meets_triangle(const double *p, const double *q, const double *a, const double *b,
                                 const double *c) {
  const double *t[] = {a, b, c};
  int sp = weft_orient3d_quick(a, b, c, p), sq = weft_orient3d_quick(a, b, c, q);
  if (sp * sq > 0) return false;
  if (sp == 0 || sq == 0) {
    if (clearly_apart(p, q, t)) return false;
    sp = weft_orient3d(a, b, c, p);
    sq = weft_orient3d(a, b, c, q);
    if (sp * sq > 0) return false;
    if (sp == 0 && sq == 0) return meets_coplanar(p, q, t);
  }
  /* The line through p and q meets the plane in one point, which is on the segment. It is in the
   * triangle unless the line passes two sides with different signs. */
  return no_opposites(weft_orient3d(p, q, a, b), weft_orient3d(p, q, b, c),
                      weft_orient3d(p, q, c, a));
}
