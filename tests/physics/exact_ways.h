/* exact_ways.h: whether a vertex meets a triangle, or an edge an edge, while all corners go
 * straight from floats to floats: decided in integers of any length (GMP), without rounding.
 *
 * An interval of time is free of a meeting where one direction has all of the first feature ahead
 * of all of the second at both of its ends (what is linear in time is then ahead in between), where
 * the cubic that is 0 when the four corners lie in a plane has no root, or where at any root the
 * point in that plane is outside. It has one where the cubic changes its sign and the point stays
 * inside. Signs of polynomials are those of their coefficients of Bernstein. Other intervals are
 * halved. */
#ifndef WEFT_TESTS_EXACT_WAYS_H
#define WEFT_TESTS_EXACT_WAYS_H

#include <gmp.h>

typedef enum meeting { MISS, HIT, UNSURE } meeting; /* UNSURE: they touch, or nearly do */

enum { DEEPEST = 60, UNIT_BITS = 100, DEGREE = 4 };

/* ---- vectors and polynomials ---- */

typedef struct exact3 {
  mpz_t of[3];
} exact3;

typedef struct poly {
  mpz_t c[DEGREE + 1];
} poly;

static void exact3_init(exact3 *v) {
  for (int k = 0; k < 3; ++k) mpz_init(v->of[k]);
}
static void exact3_clear(exact3 *v) {
  for (int k = 0; k < 3; ++k) mpz_clear(v->of[k]);
}

static void set_exact(mpz_t z, float x) {
  double scaled = ldexp((double)x, UNIT_BITS);
  if (scaled != floor(scaled)) fail_msg("%g has bits below 2^-%d", (double)x, UNIT_BITS);
  mpz_set_d(z, scaled);
}

/* a - b */
static void set_between(exact3 *v, weft_vec3 a, weft_vec3 b) {
  const float to[3] = {a.x, a.y, a.z}, from[3] = {b.x, b.y, b.z};
  mpz_t z;
  mpz_init(z);
  for (int k = 0; k < 3; ++k) {
    set_exact(v->of[k], to[k]);
    set_exact(z, from[k]);
    mpz_sub(v->of[k], v->of[k], z);
  }
  mpz_clear(z);
}

static void polys_init(poly *p, int count) {
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i <= DEGREE; ++i) mpz_init(p[k].c[i]);
  }
}
static void polys_clear(poly *p, int count) {
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i <= DEGREE; ++i) mpz_clear(p[k].c[i]);
  }
}

/* sum += a b, or -= */
static void add_product(poly *sum, const poly *a, const poly *b, bool minus) {
  for (int i = 0; i <= DEGREE; ++i) {
    for (int j = 0; i + j <= DEGREE; ++j) {
      if (minus) mpz_submul(sum->c[i + j], a->c[i], b->c[j]);
      if (!minus) mpz_addmul(sum->c[i + j], a->c[i], b->c[j]);
    }
  }
}
static void add_cross(poly sum[3], const poly a[3], const poly b[3]) {
  for (int k = 0; k < 3; ++k) {
    add_product(&sum[k], &a[(k + 1) % 3], &b[(k + 2) % 3], false);
    add_product(&sum[k], &a[(k + 2) % 3], &b[(k + 1) % 3], true);
  }
}
static void add_dot(poly *sum, const poly a[3], const poly b[3], bool minus) {
  for (int k = 0; k < 3; ++k) add_product(sum, &a[k], &b[k], minus);
}

/* 1 or -1 where a polynomial has that sign from 0 to 1 for certain, else 0. */
static int sign_of(const poly *p) {
  static const unsigned long choose[5][5] = {
      {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 1, 0}, {1, 4, 6, 4, 1}};
  int sign = 0;
  mpz_t b;
  mpz_init(b);
  for (int i = 0; i <= DEGREE; ++i) {
    mpz_set_ui(b, 0);
    for (int j = 0; j <= i; ++j) mpz_addmul_ui(b, p->c[j], choose[i][j] * (12 / choose[4][j]));
    int here = mpz_sgn(b);
    if (i == 0) sign = here;
    if (here != sign) sign = 0;
    if (sign == 0) break;
  }
  mpz_clear(b);
  return sign;
}

static bool changes_sign(const poly *p) {
  mpz_t end;
  mpz_init(end);
  for (int i = 0; i <= DEGREE; ++i) mpz_add(end, end, p->c[i]);
  bool changes = mpz_sgn(p->c[0]) * mpz_sgn(end) < 0;
  mpz_clear(end);
  return changes;
}

/* ---- a pair of features on its way ---- */

/* At the two ends of an interval. Vertex p, triangle a b c: b - a, c - a, p - a. Edges a b, c d:
 * b - a, d - c, c - a. */
typedef struct ways {
  bool edges;
  exact3 a[2], b[2], r[2];
} ways;

static void ways_init(ways *w, bool edges) {
  w->edges = edges;
  for (int k = 0; k < 2; ++k) exact3_init(&w->a[k]), exact3_init(&w->b[k]), exact3_init(&w->r[k]);
}
static void ways_clear(ways *w) {
  for (int k = 0; k < 2; ++k)
    exact3_clear(&w->a[k]), exact3_clear(&w->b[k]), exact3_clear(&w->r[k]);
}

static void set_ways(ways *w, const weft_vec3 from[4], const weft_vec3 to[4]) {
  for (int k = 0; k < 2; ++k) {
    const weft_vec3 *x = k ? to : from;
    set_between(&w->a[k], w->edges ? x[1] : x[2], w->edges ? x[0] : x[1]);
    set_between(&w->b[k], x[3], w->edges ? x[2] : x[1]);
    set_between(&w->r[k], w->edges ? x[2] : x[0], w->edges ? x[0] : x[1]);
  }
}

/* Twice the vectors of the first or second half. */
static void halve3(exact3 half[2], const exact3 whole[2], bool second) {
  for (int k = 0; k < 3; ++k) {
    mpz_add(half[!second].of[k], whole[0].of[k], whole[1].of[k]);
    mpz_mul_2exp(half[second].of[k], whole[second].of[k], 1);
  }
}

/* ---- a direction ---- */

/* Differences of a point of the first feature and one of the second, at both ends. */
typedef struct differences {
  int count;
  weft_vec3d near[8];
  exact3 at[8];
} differences;

static void set_differences(differences *d, const ways *w) {
  d->count = 0;
  for (int end = 0; end < 2; ++end) {
    for (int j = 0; j < (w->edges ? 4 : 3); ++j) {
      exact3 *q = &d->at[d->count];
      for (int k = 0; k < 3; ++k) {
        mpz_set(q->of[k], w->r[end].of[k]);
        if (w->edges && (j & 1)) mpz_sub(q->of[k], q->of[k], w->a[end].of[k]);
        if (w->edges && (j & 2)) mpz_add(q->of[k], q->of[k], w->b[end].of[k]);
        if (!w->edges && j == 1) mpz_sub(q->of[k], q->of[k], w->a[end].of[k]);
        if (!w->edges && j == 2) mpz_sub(q->of[k], q->of[k], w->b[end].of[k]);
      }
      d->near[d->count++] = weft_v3d(mpz_get_d(q->of[0]), mpz_get_d(q->of[1]), mpz_get_d(q->of[2]));
    }
  }
}

static weft_vec3d exact_crossed(weft_vec3d a, weft_vec3d b) {
  return weft_v3d(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

typedef struct direction {
  weft_vec3d n;
  double ahead; /* of what is least ahead, about */
} direction;

static void try_direction(const differences *d, weft_vec3d n, direction *best) {
  double length = sqrt(weft_v3d_dot(n, n));
  if (!(length > 0)) return;
  n = weft_v3d_scale(n, 1 / length);
  double least = INFINITY;
  for (int k = 0; k < d->count && least > best->ahead; ++k) {
    least = fmin(least, weft_v3d_dot(n, d->near[k]));
  }
  if (least > best->ahead) *best = (direction){n, least};
}

/* Normals of all points, lines and planes through the differences: one is the widest. */
static direction widest(const differences *d) {
  direction best = {{0, 0, 0}, 0};
  for (int i = 0; i < d->count; ++i) {
    weft_vec3d p = d->near[i];
    try_direction(d, p, &best);
    for (int j = 0; j < i; ++j) {
      weft_vec3d e = weft_v3d_sub(d->near[j], p);
      weft_vec3d n = exact_crossed(exact_crossed(e, p), e);
      try_direction(d, n, &best);
      for (int k = 0; k < j; ++k) {
        n = exact_crossed(e, weft_v3d_sub(d->near[k], p));
        try_direction(d, n, &best);
        try_direction(d, weft_v3d_scale(n, -1), &best);
      }
    }
  }
  return best;
}

/* In integers. */
static bool are_ahead(const differences *d, weft_vec3d n) {
  const long of[3] = {lrint(n.x * 0x1p50), lrint(n.y * 0x1p50), lrint(n.z * 0x1p50)};
  bool ahead = true;
  mpz_t dot, term;
  mpz_inits(dot, term, NULL);
  for (int k = 0; k < d->count && ahead; ++k) {
    mpz_mul_si(dot, d->at[k].of[0], of[0]);
    for (int axis = 1; axis < 3; ++axis) {
      mpz_mul_si(term, d->at[k].of[axis], of[axis]);
      mpz_add(dot, dot, term);
    }
    ahead = mpz_sgn(dot) > 0;
  }
  mpz_clears(dot, term, NULL);
  return ahead;
}

static bool direction_parts(const ways *w) {
  differences d;
  for (int k = 0; k < 8; ++k) exact3_init(&d.at[k]);
  set_differences(&d, w);
  direction best = widest(&d);
  bool parts = best.ahead > 0 && are_ahead(&d, best.n);
  for (int k = 0; k < 8; ++k) exact3_clear(&d.at[k]);
  return parts;
}

/* ---- the cubic ---- */

static void set_linear(poly p[3], const exact3 v[2]) {
  for (int k = 0; k < 3; ++k) {
    mpz_set(p[k].c[0], v[0].of[k]);
    mpz_sub(p[k].c[1], v[1].of[k], v[0].of[k]);
  }
}

/* What is 0 in one plane, and what is above 0 where the point in it is inside: in parts of the
 * square of the normal, along the sides of the triangle, or along both edges from both ends. */
static int set_conditions(const ways *w, poly *plane, poly inside[4]) {
  enum { A, B, R = 6, N = 9, U = 12, V = 15, ALL = 18 };
  poly p[ALL], *a = p, *b = p + 3, *r = p + R, *n = p + N, *u = p + U, *v = p + V;
  polys_init(p, ALL);
  set_linear(a, w->a);
  set_linear(b, w->b);
  set_linear(r, w->r);
  add_cross(n, a, b);
  add_cross(u, r, b);
  if (w->edges) add_cross(v, r, a);
  if (!w->edges) add_cross(v, a, r);
  add_dot(plane, r, n, false);
  add_dot(&inside[0], u, n, false);
  add_dot(&inside[1], v, n, false);
  add_dot(&inside[2], n, n, false);
  add_dot(&inside[2], u, n, true);
  if (w->edges) {
    add_dot(&inside[3], n, n, false);
    add_dot(&inside[3], v, n, true);
  } else {
    add_dot(&inside[2], v, n, true);
  }
  polys_clear(p, ALL);
  return w->edges ? 4 : 3;
}

static meeting by_cubic(const ways *w) {
  poly plane, inside[4];
  polys_init(&plane, 1);
  polys_init(inside, 4);
  int count = set_conditions(w, &plane, inside);
  meeting result = sign_of(&plane) != 0 ? MISS : changes_sign(&plane) ? HIT : UNSURE;
  for (int k = 0; k < count && result != MISS; ++k) {
    int sign = sign_of(&inside[k]);
    if (sign < 0) result = MISS;
    if (sign == 0) result = UNSURE;
  }
  polys_clear(&plane, 1);
  polys_clear(inside, 4);
  return result;
}

static meeting decide(const ways *w, int depth) {
  if (direction_parts(w)) return MISS;
  meeting result = by_cubic(w);
  if (result != UNSURE || depth == DEEPEST) return result;
  ways half;
  ways_init(&half, w->edges);
  result = MISS;
  for (int second = 0; second < 2 && result == MISS; ++second) {
    halve3(half.a, w->a, second);
    halve3(half.b, w->b, second);
    halve3(half.r, w->r, second);
    result = decide(&half, depth + 1);
  }
  ways_clear(&half);
  return result;
}

/* A vertex and a triangle, or an edge and an edge. */
static meeting features_meet(bool edges, const weft_vec3 from[4], const weft_vec3 to[4]) {
  ways w;
  ways_init(&w, edges);
  set_ways(&w, from, to);
  meeting result = decide(&w, 0);
  ways_clear(&w);
  return result;
}

#endif
