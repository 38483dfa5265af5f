/* metrics.c: what a state is worth, in double precision on the host. */
#include <math.h>
#include <stdlib.h>

#include "solver.h"

typedef struct dvec3 {
  double x, y, z;
} dvec3;

static dvec3 wide(weft_vec3 v) { return (dvec3){(double)v.x, (double)v.y, (double)v.z}; }
static dvec3 sub(dvec3 a, dvec3 b) { return (dvec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static double dot(dvec3 a, dvec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static dvec3 cross(dvec3 a, dvec3 b) {
  return (dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* 0 for an inequality that is kept. */
static double length_error(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x) {
  dvec3 d = sub(wide(x[g->particles[2 * (size_t)i]]), wide(x[g->particles[2 * (size_t)i + 1]]));
  double error = sqrt(dot(d, d)) - (double)g->rest[i];
  if (g->sense == WEFT_SENSE_AT_MOST && error < 0) return 0;
  if (g->sense == WEFT_SENSE_AT_LEAST && error > 0) return 0;
  return error;
}

static double isometric_error2(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x) {
  const uint32_t *p = &g->particles[4 * (size_t)i];
  dvec3 last = wide(x[p[3]]), c = {0, 0, 0};
  for (int r = 0; r < 3; ++r) {
    double k = (double)g->weights[4 * (size_t)i + (size_t)r];
    dvec3 d = sub(wide(x[p[r]]), last);
    c = (dvec3){c.x + k * d.x, c.y + k * d.y, c.z + k * d.z};
  }
  return dot(c, c);
}

static double dihedral_error(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x) {
  const uint32_t *p = &g->particles[4 * (size_t)i];
  dvec3 x0 = wide(x[p[0]]), x1 = wide(x[p[1]]), x2 = wide(x[p[2]]), x3 = wide(x[p[3]]);
  dvec3 e = sub(x3, x2);
  dvec3 n1 = cross(sub(x2, x0), sub(x3, x0)), n2 = cross(sub(x3, x1), sub(x2, x1));
  double sine = dot(cross(n1, n2), e), cosine = dot(n1, n2) * sqrt(dot(e, e));
  double error = atan2(sine, cosine) - (double)g->rest[i];
  return remainder(error, 6.283185307179586);
}

static double error2(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x) {
  if (g->type == WEFT_CONSTRAINT_ISOMETRIC) return isometric_error2(g, i, x);
  double error =
      g->type == WEFT_CONSTRAINT_DIHEDRAL ? dihedral_error(g, i, x) : length_error(g, i, x);
  return error * error;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool has_strain(const weft_constraint_group *g) {
  return g->type == WEFT_CONSTRAINT_DISTANCE && g->role == WEFT_ROLE_STRETCH;
}

static void measure_strain(const weft_model *model, const weft_vec3 *x, weft_metrics *m) {
  size_t count = 0, next = 0;
  for (uint32_t k = 0; k < model->group_count; ++k) {
    if (has_strain(&model->groups[k])) count += model->groups[k].count;
  }
  if (count == 0) return;
  double *strain = weft_alloc(count, sizeof *strain);
  double sum = 0;
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    for (uint32_t i = 0; i < g->count && has_strain(g); ++i) {
      double s = fabs(length_error(g, i, x) / (double)g->rest[i]);
      if (isnan(s)) s = INFINITY; /* keeps the order below an order */
      strain[next++] = s;
      sum += s;
    }
  }
  qsort(strain, count, sizeof *strain, ascending);
  m->strain_mean = sum / (double)count;
  m->strain_p99 = strain[(size_t)(0.99 * (double)(count - 1) + 0.5)];
  m->strain_max = strain[count - 1];
  weft_free(strain);
}

static void measure_constraints(const weft_model *model, const weft_vec3 *x, weft_metrics *m) {
  double squares = 0, lengths = 0;
  measure_strain(model, x, m);
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    for (uint32_t i = 0; i < g->count; ++i) {
      double e2 = error2(g, i, x);
      if (g->compliance[i] > 0) m->elastic_energy += 0.5 * e2 / (double)g->compliance[i];
      if (g->type != WEFT_CONSTRAINT_DISTANCE) continue;
      squares += e2;
      lengths += 1;
    }
  }
  m->residual_rms = lengths > 0 ? sqrt(squares / lengths) : 0;
}

static void grow_box(weft_metrics *m, weft_vec3 p) {
  m->box_min =
      weft_v3(fminf(m->box_min.x, p.x), fminf(m->box_min.y, p.y), fminf(m->box_min.z, p.z));
  m->box_max =
      weft_v3(fmaxf(m->box_max.x, p.x), fmaxf(m->box_max.y, p.y), fmaxf(m->box_max.z, p.z));
}

static void measure_particle(weft_metrics *m, dvec3 x, dvec3 v, double mass, dvec3 gravity) {
  double speed2 = dot(v, v);
  dvec3 spin = cross(x, v);
  m->kinetic_energy += 0.5 * mass * speed2;
  m->potential_energy -= mass * dot(gravity, x);
  m->momentum[0] += mass * v.x;
  m->momentum[1] += mass * v.y;
  m->momentum[2] += mass * v.z;
  m->angular_momentum[0] += mass * spin.x;
  m->angular_momentum[1] += mass * spin.y;
  m->angular_momentum[2] += mass * spin.z;
  if (sqrt(speed2) > m->max_speed) m->max_speed = sqrt(speed2);
}

void weft_measure(const weft_model *model, const weft_params *params, const weft_vec3 *positions,
                  const weft_vec3 *velocities, weft_metrics *metrics) {
  weft_metrics m = {.box_min = positions[0], .box_max = positions[0]};
  dvec3 gravity = wide(params->gravity);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    dvec3 x = wide(positions[i]), v = wide(velocities[i]);
    if (!isfinite(dot(x, x)) || !isfinite(dot(v, v))) m.nonfinite++;
    grow_box(&m, positions[i]);
    if (model->inverse_masses[i] > 0) {
      measure_particle(&m, x, v, (double)model->masses[i], gravity);
    }
  }
  measure_constraints(model, positions, &m);
  *metrics = m;
}
