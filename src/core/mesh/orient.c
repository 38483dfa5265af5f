/* orient.c: signs of determinants. Compiled without contraction and in plain doubles, which the
 * exact sums need. */
#include "orient.h"

#include <float.h>
#include <math.h>

#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1
#error "sums without rounding need doubles that are rounded to double"
#endif

static int sign_of(double x) { return (x > 0) - (x < 0); }

/* ---- exact sums ---- */

/* 24 products of three coordinates, two terms each. */
enum { MAX_TERMS = 48 };

/* Terms whose bits do not overlap, in ascending order of magnitude, none of them 0: the sign of
 * their sum is that of the last. */
typedef struct expansion {
  double terms[MAX_TERMS];
  int count;
} expansion;

/* Every sum of two doubles is kept together with its rounding error (Knuth's two-sum); b passes
 * through all terms from the smallest on (Shewchuk's grow-expansion). */
static void add(expansion *e, double b) {
  int kept = 0;
  double carry = b;
  for (int k = 0; k < e->count; ++k) {
    double term = e->terms[k];
    double sum = carry + term;
    double of_term = sum - carry, of_carry = sum - of_term;
    double lost = (carry - of_carry) + (term - of_term);
    if (lost != 0) e->terms[kept++] = lost;
    carry = sum;
  }
  if (carry != 0) e->terms[kept++] = carry;
  e->count = kept;
}

static int sign_of_sum(const expansion *e) {
  return e->count ? sign_of(e->terms[e->count - 1]) : 0;
}

/* sign * x * y * z. A float has 24 bits, so x * y is exact. Cut into halves of at most 26 bits
 * (Dekker), each half times z is exact as well. */
static void add_product(expansion *e, double sign, double x, double y, double z) {
  const double splitter = 0x1p27 + 1;
  double xy = sign * x * y, wide = splitter * xy;
  double high = wide - (wide - xy), low = xy - high;
  add(e, high * z);
  add(e, low * z);
}

/* sign * det(a, b, c) */
static void add_determinant(expansion *e, double sign, const double *a, const double *b,
                            const double *c) {
  for (int k = 0; k < 3; ++k) {
    int m = (k + 1) % 3, n = (k + 2) % 3;
    add_product(e, sign, a[k], b[m], c[n]);
    add_product(e, -sign, a[k], b[n], c[m]);
  }
}

/* det(a - d, b - d, c - d), multiplied out. */
static int exact3d(const double *a, const double *b, const double *c, const double *d) {
  expansion e = {.count = 0};
  add_determinant(&e, 1, a, b, c);
  add_determinant(&e, -1, b, c, d);
  add_determinant(&e, 1, a, c, d);
  add_determinant(&e, -1, a, b, d);
  return sign_of_sum(&e);
}

/* det(a - c, b - c), multiplied out: six products of two floats, each exact. */
static int exact2d(const double *a, const double *b, const double *c, int u, int v) {
  const double *p[] = {a, b, c, a};
  expansion e = {.count = 0};
  for (int k = 0; k < 3; ++k) {
    add(&e, p[k][u] * p[k + 1][v]);
    add(&e, -(p[k][v] * p[k + 1][u]));
  }
  return sign_of_sum(&e);
}

/* ---- doubles with a bound ---- */

/* A determinant in doubles, and the sum of the magnitudes of its products. */
typedef struct estimate {
  double value, magnitude;
} estimate;

/* No product has more than eight rounding errors of DBL_EPSILON / 2 on its way into value. Twice
 * as much covers products of errors and those in magnitude itself. */
static int decided(estimate e) {
  return fabs(e.value) > 8 * DBL_EPSILON * e.magnitude ? sign_of(e.value) : 0;
}

static estimate estimate3d(const double *a, const double *b, const double *c, const double *d) {
  estimate e = {0, 0};
  for (int k = 0; k < 3; ++k) {
    int m = (k + 1) % 3, n = (k + 2) % 3;
    double plus = (b[m] - d[m]) * (c[n] - d[n]), minus = (b[n] - d[n]) * (c[m] - d[m]);
    double factor = a[k] - d[k];
    e.value += factor * (plus - minus);
    e.magnitude += fabs(factor) * (fabs(plus) + fabs(minus));
  }
  return e;
}

int weft_orient3d_quick(const double *a, const double *b, const double *c, const double *d) {
  return decided(estimate3d(a, b, c, d));
}

/* If every product is 0, nothing was rounded: points in a coordinate plane, as in flat cloth. */
int weft_orient3d(const double *a, const double *b, const double *c, const double *d) {
  estimate e = estimate3d(a, b, c, d);
  if (e.magnitude == 0) return 0;
  int sign = decided(e);
  return sign ? sign : exact3d(a, b, c, d);
}

int weft_orient2d(const double *a, const double *b, const double *c, int u, int v) {
  double plus = (a[u] - c[u]) * (b[v] - c[v]), minus = (a[v] - c[v]) * (b[u] - c[u]);
  estimate e = {plus - minus, fabs(plus) + fabs(minus)};
  if (e.magnitude == 0) return 0;
  int sign = decided(e);
  return sign ? sign : exact2d(a, b, c, u, v);
}
