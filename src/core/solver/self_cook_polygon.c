/* self_cook_polygon.c: the convex polygon around points of a plane. */
#include <math.h>

#include "self_cook_hulls.h"

/* Fractions of the points' extent. A corner that protrudes by less than the first is dropped; a
 * point inside by less than the second counts as outside. Rest positions are floats, so both are
 * far below their spacing. */
static const double straight = 1e-10, touching = 1e-8;

static double side_of(weft_cook_vec2 a, weft_cook_vec2 b, weft_cook_vec2 p) {
  return weft_cook_cross(weft_cook_minus(b, a), weft_cook_minus(p, a));
}

/* The extreme points in eight directions, in order; all directions in one loop, since each
 * comparison waits for the previous one of its direction. */
enum { WAYS = 8 };
typedef struct ring {
  double x[WAYS], y[WAYS];
} ring;

static ring outermost(const weft_cook_vec2 *points, uint32_t count) {
  static const double way_x[WAYS] = {1, 1, 0, -1, -1, -1, 0, 1},
                      way_y[WAYS] = {0, 1, 1, 1, 0, -1, -1, -1};
  ring r;
  for (int k = 0; k < WAYS; ++k) r.x[k] = points[0].x, r.y[k] = points[0].y;
  for (uint32_t i = 1; i < count; ++i) {
    double x = points[i].x, y = points[i].y;
    for (int k = 0; k < WAYS; ++k) {
      bool beyond = way_x[k] * (x - r.x[k]) + way_y[k] * (y - r.y[k]) > 0;
      r.x[k] = beyond ? x : r.x[k];
      r.y[k] = beyond ? y : r.y[k];
    }
  }
  return r;
}

/* Discards points inside that octagon (Akl and Toussaint 1978, "A fast convex hull algorithm"). */
static uint32_t leave_inner(weft_cook_vec2 *points, uint32_t count) {
  const ring r = outermost(points, count);
  double x[WAYS + 1], y[WAYS + 1];
  int n = 0;
  for (int k = 0; k < WAYS; ++k) {
    if (n > 0 && x[n - 1] == r.x[k] && y[n - 1] == r.y[k]) continue;
    x[n] = r.x[k];
    y[n++] = r.y[k];
  }
  x[n] = x[0];
  y[n] = y[0];
  if (n > 1 && x[n - 1] == x[0] && y[n - 1] == y[0]) --n;
  if (n < 3) return count;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; ++i) {
    bool inner = true;
    for (int k = 0; k < n; ++k) {
      double dx = x[k + 1] - x[k], dy = y[k + 1] - y[k];
      inner &= dx * (points[i].y - y[k]) - dy * (points[i].x - x[k]) > 0;
    }
    if (!inner) points[kept++] = points[i];
  }
  return kept;
}

static bool comes_before(weft_cook_vec2 a, weft_cook_vec2 b) {
  return a.x != b.x ? a.x < b.x : a.y < b.y;
}

static void sort_points(weft_cook_vec2 *points, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    weft_cook_vec2 moved = points[i];
    uint32_t k = i;
    for (; k > 0 && comes_before(moved, points[k - 1]); --k) points[k] = points[k - 1];
    points[k] = moved;
  }
}

/* Appends a corner after removing those before it, down to `least`, that are not convex. */
static bool add_corner(weft_cook_polygon *polygon, uint32_t least, weft_cook_vec2 p,
                       double stands_out) {
  weft_cook_vec2 *c = polygon->corner;
  while (polygon->count > least) {
    weft_cook_vec2 a = c[polygon->count - 2], b = c[polygon->count - 1];
    weft_cook_vec2 d = weft_cook_minus(p, a);
    if (side_of(a, b, p) > stands_out * sqrt(d.x * d.x + d.y * d.y)) break;
    --polygon->count;
  }
  if (polygon->count == WEFT_COOK_HULL_SIDES) return false;
  c[polygon->count++] = p;
  return true;
}

/* Returns the area. */
static double fill_sides(weft_cook_polygon *polygon) {
  double area = 0;
  weft_cook_vec2 middle = {0, 0};
  for (uint32_t k = 0; k < polygon->count; ++k) {
    weft_cook_vec2 a = polygon->corner[k], b = polygon->corner[(k + 1) % polygon->count];
    weft_cook_vec2 d = weft_cook_minus(b, a);
    double length = sqrt(d.x * d.x + d.y * d.y);
    polygon->normal[k] = (weft_cook_vec2){-d.y / length, d.x / length};
    polygon->offset[k] = polygon->normal[k].x * a.x + polygon->normal[k].y * a.y;
    area += 0.5 * side_of(polygon->corner[0], a, b);
    middle.x += a.x / polygon->count;
    middle.y += a.y / polygon->count;
  }
  polygon->middle = middle;
  return area;
}

static void fill_inner(weft_cook_polygon *polygon) {
  double least = INFINITY;
  for (uint32_t k = 0; k < polygon->count; ++k) {
    double depth = polygon->normal[k].x * polygon->middle.x +
                   polygon->normal[k].y * polygon->middle.y - polygon->offset[k];
    least = depth < least ? depth : least;
  }
  least -= 2 * polygon->tolerance;
  polygon->inner2 = least > 0 ? least * least : 0;
}

/* Andrew 1979, "Another efficient algorithm for convex hulls in two dimensions". */
bool weft_cook_polygon_around(weft_cook_vec2 *points, uint32_t count, double extent,
                              weft_cook_polygon *polygon) {
  count = leave_inner(points, count);
  sort_points(points, count);
  polygon->count = 0;
  polygon->tolerance = touching * extent;
  double stands_out = straight * extent;
  for (uint32_t i = 0; i < count; ++i) {
    if (!add_corner(polygon, 1, points[i], stands_out)) return false;
  }
  uint32_t lower = polygon->count;
  for (uint32_t i = count - 1; i-- > 0;) {
    if (!add_corner(polygon, lower, points[i], stands_out)) return false;
  }
  --polygon->count; /* the first again */
  if (polygon->count < 3) return false;
  double area = fill_sides(polygon);
  fill_inner(polygon);
  return area > polygon->tolerance * extent;
}
