/* analytic.c: differential equations, root finding and elliptic integrals for expected values. */
#include "analytic.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- Runge-Kutta ---- */

static void rk4_step(weft_ode_slope *slope, const void *user, uint32_t n, double t, double h,
                     double *y) {
  double k[4][WEFT_ODE_MAX], at[WEFT_ODE_MAX];
  static const double reach[] = {0, 0.5, 0.5, 1};
  for (int stage = 0; stage < 4; ++stage) {
    for (uint32_t i = 0; i < n; ++i) {
      at[i] = y[i] + (stage ? reach[stage] * h * k[stage - 1][i] : 0);
    }
    slope(user, t + reach[stage] * h, at, k[stage]);
  }
  for (uint32_t i = 0; i < n; ++i) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

double weft_ode_solve(weft_ode_slope *slope, const void *user, uint32_t count, double t,
                      double duration, double tolerance, double *y) {
  enum { FIRST_STEPS = 8, MAX_HALVINGS = 16 };
  double coarse[WEFT_ODE_MAX], fine[WEFT_ODE_MAX], difference = INFINITY;
  uint32_t steps = FIRST_STEPS;
  for (int halving = 0; halving < MAX_HALVINGS; ++halving, steps *= 2) {
    memcpy(fine, y, count * sizeof *y);
    for (uint32_t s = 0; s < steps; ++s) {
      rk4_step(slope, user, count, t + duration * s / steps, duration / steps, fine);
    }
    difference = halving ? 0 : INFINITY;
    for (uint32_t i = 0; i < count && halving; ++i) {
      difference = fmax(difference, fabs(fine[i] - coarse[i]));
    }
    memcpy(coarse, fine, count * sizeof *y);
    if (difference <= tolerance) break;
  }
  memcpy(y, fine, count * sizeof *y);
  return difference;
}

/* ---- pendulums ---- */

/* Cholesky; the matrix is positive definite. The solution replaces b. */
static void solve(uint32_t n, double (*a)[WEFT_PENDULUM_MAX], double *b) {
  for (uint32_t j = 0; j < n; ++j) {
    for (uint32_t k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
    a[j][j] = sqrt(a[j][j]);
    for (uint32_t i = j + 1; i < n; ++i) {
      for (uint32_t k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
  }
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
}

static void pendulum_slope(const void *user, double t, const double *y, double *dy) {
  const weft_pendulum *p = user;
  uint32_t n = p->links;
  double below[WEFT_PENDULUM_MAX] = {0}, matrix[WEFT_PENDULUM_MAX][WEFT_PENDULUM_MAX];
  (void)t;
  for (uint32_t i = n; i-- > 0;) below[i] = p->mass[i] + (i + 1 < n ? below[i + 1] : 0);
  double *force = dy + n;
  for (uint32_t i = 0; i < n; ++i) {
    force[i] = -below[i] * p->g * p->length[i] * sin(y[i]);
    for (uint32_t j = 0; j < n; ++j) {
      double inertia = below[i > j ? i : j] * p->length[i] * p->length[j];
      matrix[i][j] = inertia * cos(y[i] - y[j]);
      force[i] -= inertia * sin(y[i] - y[j]) * y[n + j] * y[n + j];
    }
    dy[i] = y[n + i];
  }
  solve(n, matrix, force);
}

double weft_pendulum_advance(weft_pendulum *p, double duration, double tolerance) {
  double y[2 * WEFT_PENDULUM_MAX];
  memcpy(y, p->angle, p->links * sizeof *y);
  memcpy(y + p->links, p->speed, p->links * sizeof *y);
  double difference = weft_ode_solve(pendulum_slope, p, 2 * p->links, 0, duration, tolerance, y);
  memcpy(p->angle, y, p->links * sizeof *y);
  memcpy(p->speed, y + p->links, p->links * sizeof *y);
  return difference;
}

double weft_pendulum_energy(const weft_pendulum *p) {
  double height = 0, vx = 0, vy = 0, energy = 0;
  for (uint32_t i = 0; i < p->links; ++i) {
    height -= p->length[i] * cos(p->angle[i]);
    vx += p->length[i] * cos(p->angle[i]) * p->speed[i];
    vy += p->length[i] * sin(p->angle[i]) * p->speed[i];
    energy += p->mass[i] * (p->g * height + 0.5 * (vx * vx + vy * vy));
  }
  return energy;
}

void weft_pendulum_positions(const weft_pendulum *p, double *x, double *y) {
  double px = 0, py = 0;
  for (uint32_t i = 0; i < p->links; ++i) {
    x[i] = px += p->length[i] * sin(p->angle[i]);
    y[i] = py -= p->length[i] * cos(p->angle[i]);
  }
}

double weft_pendulum_period(double length, double g, double amplitude) {
  double a = 1, b = cos(amplitude / 2);
  for (int k = 0; k < 40 && fabs(a - b) > 1e-16; ++k) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return 2 * pi * sqrt(length / g) / a;
}

/* ---- friction ---- */

void weft_turntable_slope(const void *turntable, double t, const double *y, double *dy) {
  const weft_turntable *on = turntable;
  double ux = y[2] - on->omega * y[1], uz = y[3] + on->omega * y[0], u = hypot(ux, uz);
  (void)t;
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = -on->mu * WEFT_PHYSICS_G * ux / u;
  dy[3] = -on->mu * WEFT_PHYSICS_G * uz / u;
}

/* ---- hanging lines ---- */

double weft_catenary_sag(double span, double length) {
  /* length = 2a sinh(span/2a): sinh(u)/u = length/span with u = span/2a grows with u. */
  double low = 1e-9, high = 50;
  for (int k = 0; k < 200; ++k) {
    double u = 0.5 * (low + high);
    if (sinh(u) / u < length / span) {
      low = u;
    } else {
      high = u;
    }
  }
  double a = span / (low + high);
  return a * (cosh(span / (2 * a)) - 1);
}

/* Joint i carries the weight of the joints between it and the middle: in units of a joint's weight
 * the vertical pull in link i is (links - 1)/2 - i, the horizontal one h everywhere. */
static double chain_shape(double h, double link, uint32_t links, double *sag, double *x,
                          double *y) {
  double px = 0, py = 0, lowest = 0;
  if (x) x[0] = y[0] = 0;
  for (uint32_t i = 0; i < links; ++i) {
    double pull = 0.5 * (links - 1) - i, tension = hypot(h, pull);
    px += link * h / tension;
    py -= link * pull / tension;
    lowest = fmin(lowest, py);
    if (x) {
      x[i + 1] = px;
      y[i + 1] = py;
    }
  }
  *sag = -lowest;
  return px;
}

double weft_chain_sag(double span, double length, uint32_t links, double *x, double *y) {
  double low = 0, high = 1e9, sag = 0;
  for (int k = 0; k < 300; ++k) {
    double h = 0.5 * (low + high);
    if (chain_shape(h, length / links, links, &sag, NULL, NULL) < span) {
      low = h;
    } else {
      high = h;
    }
  }
  chain_shape(0.5 * (low + high), length / links, links, &sag, x, y);
  return sag;
}

/* ---- bending ---- */

typedef struct elastica {
  double length, c3;
} elastica;

/* From the tip towards the clamp, s away from the tip: y = theta (below the horizontal), theta', x,
 * depth. */
static void elastica_slope(const void *user, double s, const double *y, double *dy) {
  const elastica *e = user;
  dy[0] = y[1];
  dy[1] = -s / e->c3 * cos(y[0]);
  dy[2] = cos(y[0]);
  dy[3] = sin(y[0]);
}

/* The least slope, which is that at the clamp where a strip hangs over; x and y, from the clamp on,
 * of so many points. */
static double elastica_shoot(const elastica *e, double tip, uint32_t count, double *x, double *y) {
  enum { STEPS = 2000 };
  double state[4] = {tip, 0, 0, 0};
  uint32_t pieces = count - 1, steps = STEPS / pieces + 1;
  double h = e->length / ((double)pieces * steps), least = tip;
  for (uint32_t p = 0; p <= pieces; ++p) {
    x[pieces - p] = state[2];
    y[pieces - p] = state[3];
    for (uint32_t k = 0; k < steps && p < pieces; ++k) {
      rk4_step(elastica_slope, e, 4, (p * (double)steps + k) * h, h, state);
      least = fmin(least, state[0]);
    }
  }
  for (uint32_t p = 0; p < count; ++p) {
    x[p] = state[2] - x[p];
    y[p] -= state[3];
  }
  return least;
}

/* No moment bends the tip. The steeper it is, the steeper is the strip everywhere; at the clamp it
 * is level. */
double weft_heavy_elastica(double length, double c3, uint32_t count, double *x, double *y) {
  elastica e = {length, c3};
  double low = 0, high = 2 * atan(1), ends_x[2], ends_y[2];
  bool ends = !x || count < 2;
  for (int k = 0; k < 60; ++k) {
    double middle = 0.5 * (low + high);
    if (elastica_shoot(&e, middle, 2, ends_x, ends_y) < 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  elastica_shoot(&e, 0.5 * (low + high), ends ? 2 : count, ends ? ends_x : x, ends ? ends_y : y);
  return ends ? atan2(-ends_y[1], ends_x[1]) : atan2(-y[count - 1], x[count - 1]);
}

double weft_peirce_length(double overhang, double angle) {
  return overhang * cbrt(cos(0.5 * angle) / (8 * tan(angle)));
}
