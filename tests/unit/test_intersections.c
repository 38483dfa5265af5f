/* The count of self-intersections against other arithmetic and other algorithms: predicates against
 * whole numbers of a thousand bits, a segment and a triangle against fractions in 128 bits, whole
 * meshes against all pairs, and meshes whose count is known. */
#include "intersections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <weft/mesh.h>
#include <weft_kit/import.h>

#include "base.h"
#include "cmocka_all.h"
#include "orient.h"

__extension__ typedef __int128 wide;

static int sign_of(wide x) { return (x > 0) - (x < 0); }

static int whole(weft_rng *rng, int low, int high) {
  return low + (int)(weft_rng_u32(rng) % (uint32_t)(high - low + 1));
}

/* ---- predicates, on floats of any exponent ---- */

/* A whole number in two's complement, the lowest limb first, in units of 2^-447: the smallest
 * product of three floats. */
enum { LIMBS = 40, UNIT = 447 };
typedef struct huge {
  uint32_t limb[LIMBS];
} huge;

static void add_huge(huge *sum, const huge *x) {
  uint64_t carry = 0;
  for (int k = 0; k < LIMBS; ++k) {
    carry += (uint64_t)sum->limb[k] + x->limb[k];
    sum->limb[k] = (uint32_t)carry;
    carry >>= 32;
  }
}

static int huge_sign(const huge *x) {
  if (x->limb[LIMBS - 1] >> 31) return -1;
  for (int k = 0; k < LIMBS; ++k) {
    if (x->limb[k]) return 1;
  }
  return 0;
}

/* sum += sign * product of the first n factors, each a float */
static void add_factors(huge *sum, int sign, const double *factor, int n) {
  wide mantissas = sign;
  int exponent = 0;
  for (int k = 0; k < n; ++k) {
    int e;
    mantissas *= (wide)ldexp(frexp(factor[k], &e), 24);
    exponent += e - 24;
  }
  if (mantissas == 0) return;
  huge x;
  memset(&x, mantissas < 0 ? 0xff : 0, sizeof x);
  int shift = exponent + UNIT, limb = shift / 32;
  assert_true(shift >= 0 && limb + 4 < LIMBS);
  memset(x.limb, 0, (size_t)limb * sizeof *x.limb);
  for (int k = 0; k < 4; ++k) { /* 72 bits, moved by up to 31 */
    wide at = 32 * k - shift % 32 >= 0 ? mantissas >> (32 * k - shift % 32)
                                       : mantissas * ((wide)1 << (shift % 32 - 32 * k));
    x.limb[limb + k] = (uint32_t)at;
  }
  add_huge(sum, &x);
}

/* By the permutations of a 4 x 4 matrix with a column of ones. */
static int huge3d(double p[4][3]) {
  huge sum = {{0}};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < 4; ++k) {
        if (i == j || j == k || i == k) continue;
        int row[4] = {i, j, k, 6 - i - j - k}, sign = 1;
        for (int a = 0; a < 4; ++a) {
          for (int b = a + 1; b < 4; ++b) sign = row[a] > row[b] ? -sign : sign;
        }
        add_factors(&sum, sign, (double[]){p[i][0], p[j][1], p[k][2]}, 3);
      }
    }
  }
  return huge_sign(&sum);
}

static int huge2d(double p[4][3], int u, int v) {
  huge sum = {{0}};
  for (int k = 0; k < 3; ++k) {
    const double *a = p[k], *b = p[(k + 1) % 3];
    add_factors(&sum, 1, (double[]){a[u], b[v]}, 2);
    add_factors(&sum, -1, (double[]){a[v], b[u]}, 2);
  }
  return huge_sign(&sum);
}

static double any_float(weft_rng *rng, int exponents) {
  float x = (float)whole(rng, -(1 << 24), 1 << 24);
  return (double)ldexpf(x, whole(rng, -exponents, exponents) - (exponents > 50 ? 12 : 24));
}

/* Four points in a plane z = 2^k x through the origin, or one where all coordinates lie in a few
 * values; then, every other time, one coordinate moved by the last bit. */
static void nearly_flat(weft_rng *rng, double p[4][3]) {
  static const int spreads[] = {0, 2, 10, 40, 100};
  int spread = spreads[weft_rng_u32(rng) % 5], k = whole(rng, -3, 3);
  bool repeat = weft_rng_u32(rng) % 2;
  for (int i = 0; i < 4; ++i) {
    for (int c = 0; c < 2; ++c) p[i][c] = any_float(rng, spread);
    if (repeat && i > 0) p[i][whole(rng, 0, 1)] = p[i - 1][whole(rng, 0, 1)];
    p[i][2] = ldexp(p[i][0], k);
  }
  if (weft_rng_u32(rng) % 2) return;
  double *moved = &p[whole(rng, 0, 3)][whole(rng, 0, 2)];
  *moved = (double)nextafterf((float)*moved, weft_rng_u32(rng) % 2 ? INFINITY : -INFINITY);
}

static void predicates_are_exact(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(1);
  int seen[3] = {0}, undecided = 0;
  for (int k = 0; k < 100000; ++k) {
    double p[4][3];
    nearly_flat(&rng, p);
    int wanted = huge3d(p), quick = weft_orient3d_quick(p[0], p[1], p[2], p[3]);
    if (weft_orient3d(p[0], p[1], p[2], p[3]) != wanted) fail_msg("volume %d is wrong", k);
    if (quick != 0 && quick != wanted) fail_msg("quick volume %d is wrong", k);
    seen[wanted + 1]++;
    undecided += quick == 0 && wanted != 0;
    for (int u = 0; u < 3; ++u) {
      int v = (u + 1) % 3, area = huge2d(p, u, v);
      if (weft_orient2d(p[0], p[1], p[2], u, v) != area) fail_msg("area %d is wrong", k);
    }
  }
  assert_true(seen[0] > 10000 && seen[1] > 10000 && seen[2] > 10000);
  assert_true(undecided > 1000); /* else the exact sums were not needed */
}

static void predicates_keep_the_smallest_and_largest_floats(void **state) {
  (void)state;
  for (int exponent = -149; exponent <= 127; exponent += 276) {
    double s = ldexp(1, exponent);
    double a[] = {0, 0, 0}, b[] = {s, 0, 0}, c[] = {0, s, 0}, d[] = {0, 0, s}, e[] = {s, s, 0};
    assert_int_equal(weft_orient3d(a, b, c, d), -1);
    assert_int_equal(weft_orient3d(a, c, b, d), 1);
    assert_int_equal(weft_orient3d(a, b, c, e), 0);
    assert_int_equal(weft_orient2d(a, b, c, 0, 1), 1);
  }
}

/* ---- a segment and a triangle, in fractions ---- */

typedef struct point {
  int64_t x, y, z;
} point;

typedef struct wide3 {
  wide x, y, z;
} wide3;

static wide3 minus(point a, point b) {
  return (wide3){(wide)a.x - b.x, (wide)a.y - b.y, (wide)a.z - b.z};
}
static wide3 times(wide3 a, wide3 b) {
  return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static wide dot(wide3 a, wide3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static bool is_zero(wide3 a) { return a.x == 0 && a.y == 0 && a.z == 0; }

/* Segments p q and u v, by the parameters of their common perpendicular. */
static bool segments_meet(point p, point q, point u, point v) {
  wide3 d = minus(q, p), e = minus(v, u), r = minus(u, p), m = times(d, e);
  if (!is_zero(m)) {
    wide t = dot(times(r, e), m), s = dot(times(r, d), m), all = dot(m, m);
    return dot(r, m) == 0 && t >= 0 && t <= all && s >= 0 && s <= all;
  }
  if (is_zero(d) && is_zero(e)) return is_zero(r);
  if (is_zero(d)) return segments_meet(u, v, p, q);
  if (!is_zero(times(r, d))) return false;
  wide a = dot(r, d), b = dot(minus(v, p), d);
  return !(a < 0 && b < 0) && !(a > dot(d, d) && b > dot(d, d));
}

/* A segment in the plane of the triangle, cut by the half-plane inside each side. */
static bool clipped(point p, point q, const point *t, wide3 n) {
  wide low[2] = {0, 1}, high[2] = {1, 1}; /* parameters: fractions with denominators above 0 */
  for (int k = 0; k < 3; ++k) {
    wide3 side = minus(t[(k + 1) % 3], t[k]);
    wide fp = dot(times(side, minus(p, t[k])), n), fq = dot(times(side, minus(q, t[k])), n);
    if (fp < 0 && fq < 0) return false;
    if (fp < 0 && -fp * low[1] > low[0] * (fq - fp)) low[0] = -fp, low[1] = fq - fp;
    if (fq < 0 && fp * high[1] < high[0] * (fp - fq)) high[0] = fp, high[1] = fp - fq;
  }
  return low[0] * high[1] <= high[0] * low[1];
}

static bool on_segment(point p, point q, const point *t) {
  int from = 0;
  wide longest = -1;
  for (int k = 0; k < 3; ++k) {
    wide3 side = minus(t[(k + 1) % 3], t[k]);
    if (dot(side, side) > longest) longest = dot(side, side), from = k;
  }
  return segments_meet(p, q, t[from], t[(from + 1) % 3]);
}

/* The point where the line meets the plane, and on which side of each side of the triangle it is.
 */
static bool fractions_meet(point p, point q, const point *t) {
  wide3 n = times(minus(t[1], t[0]), minus(t[2], t[0]));
  if (is_zero(n)) return on_segment(p, q, t);
  wide dp = dot(n, minus(p, t[0])), dq = dot(n, minus(q, t[0])), w = dq - dp;
  if (sign_of(dp) * sign_of(dq) > 0) return false;
  if (dp == 0 && dq == 0) return clipped(p, q, t, n);
  for (int k = 0; k < 3; ++k) {
    wide3 a = minus(p, t[k]), b = minus(q, t[k]);
    wide3 x = {a.x * dq - b.x * dp, a.y * dq - b.y * dp, a.z * dq - b.z * dp};
    if (sign_of(dot(times(minus(t[(k + 1) % 3], t[k]), x), n)) * sign_of(w) < 0) return false;
  }
  return true;
}

static point any_point(weft_rng *rng, int high) {
  return (point){whole(rng, 0, high), whole(rng, 0, high), whole(rng, 0, high)};
}

static point combine(point a, point u, point v, int i, int j) {
  return (point){a.x + i * u.x + j * v.x, a.y + i * u.y + j * v.y, a.z + i * u.z + j * v.z};
}

/* Five points of a lattice in a plane, some of them then a step away from it. */
static void flat_points(weft_rng *rng, point *p) {
  point a = any_point(rng, 4000), u = any_point(rng, 400), v = any_point(rng, 400);
  for (int k = 0; k < 5; ++k) {
    p[k] = combine(a, u, v, whole(rng, -3, 3), whole(rng, -3, 3));
    if (whole(rng, 0, 5) == 0) p[k].x += whole(rng, -1, 1);
    if (whole(rng, 0, 5) == 0) p[k].z += whole(rng, -1, 1);
  }
}

/* Whole numbers that a float holds, moved away from the origin and scaled. */
static void to_floats(const point *p, int n, int offset, int exponent, double out[][3]) {
  for (int k = 0; k < n; ++k) {
    const int64_t c[] = {p[k].x, p[k].y, p[k].z};
    for (int i = 0; i < 3; ++i) out[k][i] = ldexp((double)(c[i] + offset), exponent);
  }
}

/* What meets goes on meeting when space is sheared: points of a small lattice, spread over one
 * whose steps are large and askew. */
static void askew(weft_rng *rng, int n, point *p) {
  enum { STEP = 1 << 19 };
  point u, v, w, zero = {0, 0, 0};
  do {
    u = any_point(rng, STEP), v = any_point(rng, STEP), w = any_point(rng, STEP);
  } while (dot(times(minus(u, zero), minus(v, zero)), minus(w, zero)) == 0);
  for (int k = 0; k < n; ++k) {
    p[k] = combine(combine(zero, u, v, (int)p[k].x, (int)p[k].y), w, zero, (int)p[k].z, 0);
  }
}

static void segments_meet_triangles_as_fractions_say(void **state) {
  (void)state;
  static const int highs[] = {1, 2, 3, 6, 8000};
  weft_rng rng = weft_rng_seed(2);
  int met[2] = {0}, flat = 0, thin = 0;
  for (int k = 0; k < 600000; ++k) {
    point p[5];
    if (k % 6 == 5) {
      flat_points(&rng, p);
    } else {
      for (int i = 0; i < 5; ++i) p[i] = any_point(&rng, highs[k % 6]);
    }
    double x[5][3];
    bool wanted = fractions_meet(p[0], p[1], p + 2);
    if (k % 6 < 4 && k % 4 < 2) askew(&rng, 5, p);
    to_floats(p, 5, whole(&rng, 0, 1) * whole(&rng, -(1 << 22), 1 << 22), whole(&rng, -40, 40), x);
    if (weft_segment_meets_triangle(x[0], x[1], x[2], x[3], x[4]) != wanted) {
      fail_msg("case %d: fractions say %s", k, wanted ? "that they meet" : "that they do not");
    }
    wide3 n = times(minus(p[3], p[2]), minus(p[4], p[2]));
    met[wanted]++;
    thin += is_zero(n);
    flat += !is_zero(n) && dot(n, minus(p[0], p[2])) == 0 && dot(n, minus(p[1], p[2])) == 0;
  }
  assert_true(met[0] > 100000 && met[1] > 100000 && flat > 50000 && thin > 50000);
}

/* ---- whole meshes against all pairs ---- */

typedef struct soup {
  uint32_t vertices, triangles;
  point *at;
  uint32_t *corners;
} soup;

static bool names(const uint32_t *t, uint32_t v) { return t[0] == v || t[1] == v || t[2] == v; }
static bool repeats(const uint32_t *t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

static bool edge_meets(const soup *s, uint32_t a, uint32_t b, const uint32_t *t) {
  const point corner[] = {s->at[t[0]], s->at[t[1]], s->at[t[2]]};
  return !repeats(t) && !names(t, a) && !names(t, b) && fractions_meet(s->at[a], s->at[b], corner);
}

static bool any_edge_meets(const soup *s, const uint32_t *one, const uint32_t *other) {
  return !repeats(one) &&
         (edge_meets(s, one[0], one[1], other) || edge_meets(s, one[1], one[2], other) ||
          edge_meets(s, one[2], one[0], other));
}

/* An edge is any two vertices that a triangle has. */
static uint64_t brute_edges(const soup *s) {
  uint64_t count = 0;
  uint8_t *is_edge = weft_alloc((size_t)s->vertices * s->vertices, 1);
  for (uint32_t c = 0; c < 3 * s->triangles; ++c) {
    const uint32_t *t = s->corners + c / 3 * 3;
    uint32_t a = t[c % 3], b = t[(c + 1) % 3];
    if (!repeats(t)) is_edge[(a < b ? a : b) * s->vertices + (a < b ? b : a)] = 1;
  }
  for (uint32_t e = 0; e < s->vertices * s->vertices; ++e) {
    for (uint32_t t = 0; is_edge[e] && t < s->triangles; ++t) {
      count += edge_meets(s, e / s->vertices, e % s->vertices, s->corners + 3 * t);
    }
  }
  weft_free(is_edge);
  return count;
}

static void compare_with_all_pairs(const soup *s) {
  weft_intersections wanted = {.edge_triangle_pairs = brute_edges(s)}, found;
  uint8_t *marks = weft_alloc(2 * (size_t)s->triangles, 1), *mine = marks + s->triangles;
  for (uint32_t a = 0; a < s->triangles; ++a) {
    for (uint32_t b = a + 1; b < s->triangles; ++b) {
      const uint32_t *one = s->corners + 3 * a, *other = s->corners + 3 * b;
      if (!any_edge_meets(s, one, other) && !any_edge_meets(s, other, one)) continue;
      wanted.triangle_pairs++;
      wanted.sharing_pairs += names(one, other[0]) || names(one, other[1]) || names(one, other[2]);
      mine[a] = mine[b] = 1;
      if (wanted.listed == WEFT_INTERSECTIONS_LISTED) continue;
      wanted.pairs[wanted.listed][0] = a;
      wanted.pairs[wanted.listed++][1] = b;
    }
  }
  for (uint32_t t = 0; t < s->triangles; ++t) wanted.triangles += mine[t];
  weft_vec3 *x = weft_alloc(s->vertices, sizeof *x);
  for (uint32_t v = 0; v < s->vertices; ++v) {
    x[v] = weft_v3((float)s->at[v].x, (float)s->at[v].y, (float)s->at[v].z);
  }
  memset(marks, 7, s->triangles);
  assert_int_equal(
      weft_count_intersections(x, s->vertices, s->corners, s->triangles, marks, &found, NULL),
      WEFT_OK);
  assert_memory_equal(&found, &wanted, sizeof found);
  assert_memory_equal(marks, mine, s->triangles);
  weft_free(x);
  weft_free(marks);
}

/* Any triangles over any vertices, and crumpled sheets, in boxes from tight to wide. */
static void counts_are_those_of_all_pairs(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(3);
  for (int k = 0; k < 60; ++k) {
    weft_mesh sheet;
    weft_grid_desc d = {.rows = 2 + (uint32_t)k % 9, .columns = 9};
    assert_int_equal(weft_mesh_grid(&d, &sheet, NULL), WEFT_OK);
    soup s = {.vertices = sheet.vertex_count, .triangles = sheet.triangle_count};
    s.at = weft_alloc(s.vertices, sizeof *s.at);
    s.corners = sheet.triangles;
    for (uint32_t v = 0; v < s.vertices; ++v) s.at[v] = any_point(&rng, 2 + 3 * (k % 5) * (k % 5));
    for (uint32_t c = 0; k % 2 && c < 3 * s.triangles; ++c) {
      s.corners[c] = weft_rng_u32(&rng) % s.vertices;
    }
    compare_with_all_pairs(&s);
    weft_free(s.at);
    weft_mesh_free(&sheet);
  }
}

/* ---- meshes whose count is known ---- */

static weft_intersections count(const weft_vec3 *x, uint32_t vertices, const uint32_t *triangles,
                                uint32_t n) {
  weft_intersections found;
  assert_int_equal(weft_count_intersections(x, vertices, triangles, n, NULL, &found, NULL),
                   WEFT_OK);
  return found;
}

static const uint32_t quads[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};

/* An upright quad through a lying one. Where they meet, z = 0.3, the lying diagonal is at x = 0.3
 * and the upright one at x = 0; so one upright half passes both lying ones, the other one of them.
 */
static void crossed_quads(void **state) {
  (void)state;
  const weft_vec3 x[] = {{-1, 0, -1},      {1, 0, -1},     {1, 0, 1},     {-1, 0, 1},
                         {-0.5f, -1, .3f}, {.5f, -1, .3f}, {.5f, 1, .3f}, {-0.5f, 1, .3f}};
  static const uint32_t pairs[][2] = {{0, 2}, {1, 2}, {1, 3}};
  weft_intersections found = count(x, 8, quads, 4);
  assert_int_equal(found.triangle_pairs, 3);
  assert_int_equal(found.edge_triangle_pairs, 4); /* the diagonals and two upright sides */
  assert_int_equal(found.triangles, 4);
  assert_int_equal(found.listed, 3);
  assert_memory_equal(found.pairs, pairs, sizeof pairs);
}

/* One above the other, then at the same height: side by side, touching in a point, overlapping. */
static void parallel_quads(void **state) {
  (void)state;
  weft_vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1},
                   {0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
  static const struct {
    float by_x, by_y, by_z;
    bool meet;
  } cases[] = {{0, 0x1p-149f, 0, false},
               {0.5f, 1e-6f, 0.5f, false},
               {0x1.000002p0f, 0, 0, false},
               {1, 0, 1, true},
               {1, 0, 0, true},
               {0.5f, 0, 0.25f, true},
               {0, 0, 0, true}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    for (int v = 0; v < 4; ++v) {
      x[4 + v] = weft_v3_add(x[v], weft_v3(cases[k].by_x, cases[k].by_y, cases[k].by_z));
    }
    assert_int_equal(count(x, 8, quads, 4).triangle_pairs > 0, cases[k].meet);
  }
}

/* Of one vertex in common: beyond it they cross or do not. Of an edge: not counted. */
static void neighbours(void **state) {
  (void)state;
  const uint32_t fan[] = {0, 1, 2, 0, 3, 4}, hinge[] = {0, 1, 2, 1, 0, 3};
  const weft_vec3 apart[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}};
  const weft_vec3 through[] = {{0, 0, 0}, {1, 0, -1}, {1, 0, 1}, {2, -1, 0}, {2, 1, 0}};
  const weft_vec3 shut[] = {{0, 0, 0}, {1, 0, 0}, {0.5f, 0, 1}, {0.5f, 0, 1}};
  assert_int_equal(count(apart, 5, fan, 2).triangle_pairs, 0);
  assert_int_equal(count(through, 5, fan, 2).triangle_pairs, 1);
  assert_int_equal(count(through, 5, fan, 2).edge_triangle_pairs, 1);
  assert_int_equal(count(shut, 4, hinge, 2).triangle_pairs, 0);
}

/* A sheet rolled up as a spiral passes itself nowhere; a flat one turned in space neither; a roll
 * that is too tight does. */
static void rolled_sheets(void **state) {
  (void)state;
  weft_mesh sheet;
  weft_grid_desc d = {.rows = 120, .columns = 150};
  assert_int_equal(weft_mesh_grid(&d, &sheet, NULL), WEFT_OK);
  weft_vec3 *x = weft_alloc(sheet.vertex_count, sizeof *x);
  for (int k = 0; k < 3; ++k) {
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
      weft_vec3 p = sheet.positions[v];
      double turn = 30 * ((double)p.x + 0.5), radius = k == 1 ? 0.1 : 0.1 + 0.002 * turn;
      double along = 0.6 * (double)p.x + 0.8 * (double)p.y;
      x[v] = k == 0 ? weft_v3((float)(0.36 * along - 0.8 * (double)p.x), p.y, (float)along)
                    : weft_v3((float)(radius * cos(turn)), p.y, (float)(radius * sin(turn)));
    }
    uint64_t pairs =
        count(x, sheet.vertex_count, sheet.triangles, sheet.triangle_count).triangle_pairs;
    assert_int_equal(pairs > 0, k == 1);
  }
  weft_free(x);
  weft_mesh_free(&sheet);
}

static void triangles_without_area(void **state) {
  (void)state;
  const weft_vec3 x[] = {{0, 0, 0}, {4, 0, 0}, {0, 0, 4}, {1, -1, 1}, {1, 0, 1},
                         {1, 1, 1}, {1, 0, 1}, {1, 0, 1}, {1, 0, 1},  {9, 9, 9}};
  const uint32_t segment[] = {0, 1, 2, 3, 4, 5}, spot[] = {0, 1, 2, 6, 7, 8};
  const uint32_t twice[] = {0, 1, 2, 3, 3, 5}, away[] = {0, 1, 2, 9, 9, 9};
  assert_int_equal(count(x, 10, segment, 2).triangle_pairs, 1);
  assert_int_equal(count(x, 10, spot, 2).triangle_pairs, 1);
  assert_int_equal(count(x, 10, twice, 2).triangle_pairs, 0);
  assert_int_equal(count(x, 10, away, 2).triangle_pairs, 0);
  assert_int_equal(count(x, 10, segment, 0).triangle_pairs, 0);
}

static void what_cannot_be_counted_is_refused(void **state) {
  (void)state;
  weft_vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {NAN, 0, 0}};
  const uint32_t good[] = {0, 1, 2}, beyond[] = {0, 1, 4}, bad[] = {0, 1, 3};
  weft_intersections found;
  uint8_t mark = 7;
  assert_int_equal(weft_count_intersections(x, 4, good, 1, &mark, &found, NULL), WEFT_OK);
  assert_int_equal(weft_count_intersections(x, 4, beyond, 1, NULL, &found, NULL), WEFT_ERROR_MESH);
  for (int k = 0; k < 2; ++k, x[3].x = -INFINITY) {
    weft_error err;
    mark = 7;
    assert_int_equal(weft_count_intersections(x, 4, bad, 1, &mark, &found, &err),
                     WEFT_ERROR_NOT_FINITE);
    assert_non_null(strstr(err.message, "vertex 3"));
    assert_int_equal(mark, 0);
    assert_int_equal(found.triangle_pairs, 0);
  }
}

/* ---- meshes made by others ---- */

/* Counted by another program, with fractions of Python and all pairs whose boxes overlap. */
static const struct {
  const char *name, *groups;
  uint64_t edge_triangle_pairs, triangle_pairs;
} known_files[] = {
    {"garments/diffcloth_tshirt1900.obj", NULL, 0, 0},
    {"garments/dedo_apron_2_dense.obj", NULL, 0, 0},
    {"garments/makehuman_fedora.obj", NULL, 0, 0},
    {"garments/makehuman_female_elegantsuit01.obj", NULL, 43, 40},
    {"garments/makehuman_male_worksuit01.obj", NULL, 126, 124},
    {"bodies/makehuman_base.obj", NULL, 2460, 2390},
    {"cloth/cipc_tableCloth.obj", NULL, 0, 0},
};

static void known_garments(void **state) {
  (void)state;
  struct stat info;
  if (stat(WEFT_MESH_DIR "/garments", &info) != 0) {
    print_message("no meshes in %s\n", WEFT_MESH_DIR);
    skip();
  }
  for (size_t k = 0; k < sizeof known_files / sizeof *known_files; ++k) {
    char path[500];
    snprintf(path, sizeof path, "%s/%s", WEFT_MESH_DIR, known_files[k].name);
    weft_mesh mesh;
    weft_import_desc desc = {.groups = known_files[k].groups};
    assert_int_equal(weft_mesh_import(path, &desc, &mesh, NULL), WEFT_OK);
    weft_intersections found =
        count(mesh.positions, mesh.vertex_count, mesh.triangles, mesh.triangle_count);
    if (found.edge_triangle_pairs != known_files[k].edge_triangle_pairs ||
        found.triangle_pairs != known_files[k].triangle_pairs) {
      fail_msg("%s: %llu edge and triangle pairs, %llu triangle pairs", known_files[k].name,
               (unsigned long long)found.edge_triangle_pairs,
               (unsigned long long)found.triangle_pairs);
    }
    weft_mesh_free(&mesh);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(predicates_are_exact),
      cmocka_unit_test(predicates_keep_the_smallest_and_largest_floats),
      cmocka_unit_test(segments_meet_triangles_as_fractions_say),
      cmocka_unit_test(counts_are_those_of_all_pairs),
      cmocka_unit_test(crossed_quads),
      cmocka_unit_test(parallel_quads),
      cmocka_unit_test(neighbours),
      cmocka_unit_test(rolled_sheets),
      cmocka_unit_test(triangles_without_area),
      cmocka_unit_test(what_cannot_be_counted_is_refused),
      cmocka_unit_test(known_garments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
