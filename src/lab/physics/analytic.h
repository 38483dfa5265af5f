/* analytic.h: what theory says, computed in double precision without anything of the solver. */
#ifndef WEFT_PHYSICS_ANALYTIC_H
#define WEFT_PHYSICS_ANALYTIC_H

#include <stdbool.h>
#include <stdint.h>

/* Standard gravity as every case uses it: the solver's default, a float. */
#define WEFT_PHYSICS_G ((double)9.81f)

/* ---- ordinary differential equations ---- */
typedef void weft_ode_slope(const void *user, double t, const double *y, double *dy);
enum { WEFT_ODE_MAX = 64 };
/* Classic Runge-Kutta of order 4 over [t, t + duration]; the step is halved until two runs agree
 * within `tolerance` in every component. Returns that difference (chaos may keep it above). */
double weft_ode_solve(weft_ode_slope *slope, const void *user, uint32_t count, double t,
                      double duration, double tolerance, double *y);

/* ---- pendulums ---- */
enum { WEFT_PENDULUM_MAX = 32 };
/* Point masses on massless rods in a plane, angles from the downward vertical, links from the pivot
 * on. Lagrange's equations: sum_j M_ij theta_j'' = -sum_j mu_ij l_i l_j sin(theta_i - theta_j)
 * theta_j'^2 - mu_ii g l_i sin(theta_i), M_ij = mu_ij l_i l_j cos(theta_i - theta_j), mu_ij the
 * mass at and below the lower of both. One link is theta'' = -(g/l) sin(theta). */
typedef struct weft_pendulum {
  uint32_t links;
  double g;
  double mass[WEFT_PENDULUM_MAX], length[WEFT_PENDULUM_MAX];
  double angle[WEFT_PENDULUM_MAX], speed[WEFT_PENDULUM_MAX]; /* rad, rad/s */
} weft_pendulum;
/* Returns the difference between the last two step sizes. */
double weft_pendulum_advance(weft_pendulum *p, double duration, double tolerance);
double weft_pendulum_energy(const weft_pendulum *p); /* J, against the pivot */
/* [links] x and y of the masses, the pivot at the origin, y up. */
void weft_pendulum_positions(const weft_pendulum *p, double *x, double *y);
/* Exact period of one link released at an angle, by the arithmetic-geometric mean. */
double weft_pendulum_period(double length, double g, double amplitude);

/* ---- friction ---- */
/* A point on a level table that turns: Coulomb friction mu g against its motion relative to the
 * table, which must not be zero. State: x, z, vx, vz. */
typedef struct weft_turntable {
  double omega, mu; /* rad/s about y; coefficient of friction */
} weft_turntable;
void weft_turntable_slope(const void *turntable, double t, const double *y, double *dy);

/* ---- hanging lines ---- */
/* Sag of an inextensible line of a length between two points a span apart at one height. */
double weft_catenary_sag(double span, double length);
/* The same for a chain of equal straight links with equal masses at its joints. Joints [links + 1]
 * go to x, y when not NULL, the first at the origin. */
double weft_chain_sag(double span, double length, uint32_t links, double *x, double *y);

/* ---- bending ---- */
/* The heavy elastica: a strip of a length clamped level at one end, of bending rigidity per weight
 * per length c^3 = B/w (m^3): theta'' = -(L - s)/c^3 cos(theta). Points [count] along it, evenly
 * spaced from clamp to tip, go to x, y (y is negative below the clamp) when not NULL. Returns the
 * angle below the horizontal of the line from clamp to tip, in radians. */
double weft_heavy_elastica(double length, double c3, uint32_t count, double *x, double *y);
/* Peirce's relation for the same: c = l (cos(angle/2) / (8 tan(angle)))^(1/3). */
double weft_peirce_length(double overhang, double angle);

#endif
