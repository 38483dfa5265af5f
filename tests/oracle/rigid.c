/* rigid.c: damping of all motion that is not that of a rigid body (Mueller et al. 2007, section
 * 3.5): from all particles that can move, centre of mass, its velocity, angular momentum L and
 * inertia tensor I; with omega = I^-1 L each velocity is moved by the fraction k towards v_cm +
 * omega x r.
 *
 * The inverse is taken along the principal axes (eigenvectors of I, by Jacobi's rotations), so that
 * an axis about which nothing has inertia can be left out. */
#include "deviations.h"
#include "oracle.h"

/* One rotation makes element (p, q) of a symmetric matrix 0; its columns gather in `axes`. */
static void turn_away(double m[3][3], double axes[3][3], int p, int q) {
  if (m[p][q] == 0) return;
  double angle = 0.5 * atan2(2 * m[p][q], m[q][q] - m[p][p]), c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; ++k) {
    double a = m[k][p], b = m[k][q];
    m[k][p] = c * a - s * b;
    m[k][q] = s * a + c * b;
  }
  for (int k = 0; k < 3; ++k) {
    double a = m[p][k], b = m[q][k], u = axes[k][p], v = axes[k][q];
    m[p][k] = c * a - s * b;
    m[q][k] = s * a + c * b;
    axes[k][p] = c * u - s * v;
    axes[k][q] = s * u + c * v;
  }
}

static vec angular_velocity(oracle *o, double inertia[3][3], vec momentum) {
  double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double trace = inertia[0][0] + inertia[1][1] + inertia[2][2];
  for (int sweep = 0; sweep < 12; ++sweep) {
    turn_away(inertia, axes, 0, 1);
    turn_away(inertia, axes, 0, 2);
    turn_away(inertia, axes, 1, 2);
  }
  vec omega = {0, 0, 0};
  int turning = 0;
  for (int k = 0; k < 3; ++k) {
    vec axis = {axes[0][k], axes[1][k], axes[2][k]};
    if (!(inertia[k][k] > MIN_INERTIA_RATIO * trace)) continue;
    omega = along(omega, dot(axis, momentum) / inertia[k][k], axis);
    ++turning;
  }
  o->counts.rigid_bodies += turning == 3;
  o->counts.rigid_lines += turning == 2;
  return omega;
}

/* m (r^2 1 - r r^T) */
static void add_inertia(double inertia[3][3], double m, vec r) {
  const double at[3] = {r.x, r.y, r.z};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      inertia[i][j] += m * ((i == j ? dot(r, r) : 0) - at[i] * at[j]);
    }
  }
}

void oracle_damp(oracle *o) {
  const double *w = o->s->inverse_masses;
  uint32_t n = o->s->particle_count;
  double mass = 0, inertia[3][3] = {{0}}, rate = (double)o->p->global_damping;
  vec centre = {0, 0, 0}, velocity = {0, 0, 0}, momentum = {0, 0, 0};
  for (uint32_t i = 0; i < n; ++i) {
    if (oracle_pinned(o, i)) continue;
    mass += 1 / w[i];
    centre = along(centre, 1 / w[i], o->x[i]);
    velocity = along(velocity, 1 / w[i], o->v[i]);
  }
  if (rate == 0 || mass == 0) return;
  centre = scale(1 / mass, centre);
  velocity = scale(1 / mass, velocity);
  for (uint32_t i = 0; i < n; ++i) {
    if (oracle_pinned(o, i)) continue;
    vec r = sub(o->x[i], centre);
    momentum = along(momentum, 1 / w[i], cross(r, sub(o->v[i], velocity)));
    add_inertia(inertia, 1 / w[i], r);
  }
  vec omega = angular_velocity(o, inertia, momentum);
  double k = 1 - exp(-rate * o->dt);
  for (uint32_t i = 0; i < n; ++i) {
    if (oracle_pinned(o, i)) continue;
    vec rigid = add(velocity, cross(omega, sub(o->x[i], centre)));
    o->v[i] = mix(o->v[i], rigid, k);
  }
}
