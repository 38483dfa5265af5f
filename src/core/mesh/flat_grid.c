/* flat_grid.c: see flat_grid.h. */
#include "flat_grid.h"

#include "orient.h"

/* A projection of the grid along an axis; sign: the winding of its quads. */
typedef struct view {
  const weft_vec3 *x;
  uint32_t rows, columns;
  int u, v, sign;
} view;

typedef struct point {
  double at[3];
} point;

static point point_of(const view *s, uint32_t row, uint32_t column) {
  weft_vec3 x = s->x[(size_t)row * s->columns + column];
  return (point){{(double)x.x, (double)x.y, (double)x.z}};
}

static int turn(const view *s, const point *a, const point *b, const point *c) {
  return weft_orient2d(a->at, b->at, c->at, s->u, s->v);
}

static int turn_of_first(const view *s) {
  point a = point_of(s, 0, 0), b = point_of(s, 0, 1), c = point_of(s, 1, 1);
  return turn(s, &a, &b, &c);
}

static bool quads_turn_alike(const view *s) {
  for (uint32_t r = 0; r + 1 < s->rows; ++r) {
    point a = point_of(s, r, 0), d = point_of(s, r + 1, 0);
    for (uint32_t k = 1; k < s->columns; ++k) {
      point b = point_of(s, r, k), c = point_of(s, r + 1, k);
      if (turn(s, &a, &b, &c) != s->sign || turn(s, &b, &c, &d) != s->sign ||
          turn(s, &c, &d, &a) != s->sign || turn(s, &d, &a, &b) != s->sign) {
        return false;
      }
      a = b;
      d = c;
    }
  }
  return true;
}

/* Points of the outline, in the winding of the quads. */
static point outline_at(const view *s, uint64_t k) {
  uint32_t right = s->columns - 1, bottom = s->rows - 1;
  k %= 2 * ((uint64_t)right + bottom);
  if (k < right) return point_of(s, 0, (uint32_t)k);
  k -= right;
  if (k < bottom) return point_of(s, (uint32_t)k, right);
  k -= bottom;
  if (k < right) return point_of(s, bottom, right - (uint32_t)k);
  return point_of(s, bottom - (uint32_t)(k - right), 0);
}

/* Quads are convex, so where the outline does not turn it goes straight on, and not back. */
static bool outline_is_convex(const view *s) {
  uint64_t count = 2 * ((uint64_t)s->columns - 1 + s->rows - 1);
  point a = outline_at(s, count - 1), b = outline_at(s, 0);
  for (uint64_t k = 1; k <= count; ++k) {
    point c = outline_at(s, k);
    if (turn(s, &a, &b, &c) == -s->sign) return false;
    a = b;
    b = c;
  }
  return true;
}

bool weft_grid_lies_flat(const weft_vec3 *x, uint32_t rows, uint32_t columns) {
  if (rows < 2 || columns < 2) return false;
  for (int axis = 0; axis < 3; ++axis) {
    view s = {.x = x, .rows = rows, .columns = columns, .u = (axis + 1) % 3, .v = (axis + 2) % 3};
    s.sign = turn_of_first(&s);
    if (s.sign && quads_turn_alike(&s) && outline_is_convex(&s)) return true;
  }
  return false;
}
