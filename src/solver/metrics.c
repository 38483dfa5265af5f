/* metrics.c: what a state is worth, in double precision on the host. */
#include <math.h>
#include <string.h>

#include "measure.h"
#include "vec3d.h"

/* C^2 of a constraint. */
typedef double measure(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x);
static measure *const measures[WEFT_CONSTRAINT_TYPE_COUNT] = {
#define WEFT_CONSTRAINT(ID, name, ...) weft_measure_##name,
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
};

/* The value that stands at `rank` among them in ascending order (Hoare 1961); moves them about. */
static double ranked(double *values, size_t count, size_t rank) {
  size_t low = 0, high = count - 1;
  while (low < high) {
    double middle = values[low + (high - low) / 2];
    size_t i = low, j = high + 1;
    for (--i;;) {
      do ++i;
      while (values[i] < middle);
      do --j;
      while (values[j] > middle);
      if (i >= j) break;
      double swap = values[i];
      values[i] = values[j];
      values[j] = swap;
    }
    if (rank <= j) {
      high = j;
    } else {
      low = j + 1;
    }
  }
  return values[rank];
}

static double p99(double *values, size_t count) {
  return count > 0 ? ranked(values, count, (size_t)(0.99 * (double)(count - 1) + 0.5)) : 0;
}

static bool has_strain(const weft_constraint_group *g) {
  return g->type == WEFT_CONSTRAINT_DISTANCE && g->role == WEFT_ROLE_STRETCH;
}

/* Those along threads come first. */
void weft_measure_strain(const weft_model *model, const weft_vec3 *x, weft_metrics *m) {
  size_t count = 0, threads = 0, others = 0;
  for (uint32_t k = 0; k < model->group_count; ++k) {
    if (has_strain(&model->groups[k])) count += model->groups[k].count;
  }
  if (count == 0) return;
  double *strain = weft_alloc(count, sizeof *strain), sum = 0, max = 0;
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    for (uint32_t i = 0; i < g->count && has_strain(g); ++i) {
      const uint32_t *pair = &g->particles[2 * (size_t)i];
      double s = fabs(weft_length_error(g, i, x) / (double)g->rest[i]);
      if (isnan(s)) s = INFINITY; /* keeps the order below an order */
      bool thread = weft_along_thread(model, pair[0], pair[1]);
      strain[thread ? threads++ : count - ++others] = s;
      sum += s;
      if (!(s > max)) continue;
      max = s;
      memcpy(m->strain_max_edge, pair, sizeof m->strain_max_edge);
    }
  }
  m->strain_threads_p99 = p99(strain, threads);
  m->strain_mean = sum / (double)count;
  m->strain_p99 = p99(strain, count);
  m->strain_max = max;
  weft_free(strain);
}

static void measure_constraints(const weft_model *model, const weft_vec3 *x, weft_metrics *m) {
  double squares = 0, lengths = 0;
  weft_measure_strain(model, x, m);
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    for (uint32_t i = 0; i < g->count; ++i) {
      double e2 = measures[g->type](g, i, x);
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

static void measure_particle(weft_metrics *m, weft_vec3d x, weft_vec3d v, double mass,
                             weft_vec3d gravity) {
  double speed2 = weft_v3d_dot(v, v);
  weft_vec3d spin = weft_v3d_cross(x, v);
  m->kinetic_energy += 0.5 * mass * speed2;
  m->potential_energy -= mass * weft_v3d_dot(gravity, x);
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
  weft_vec3d gravity = weft_v3d_from(params->gravity);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    weft_vec3d x = weft_v3d_from(positions[i]), v = weft_v3d_from(velocities[i]);
    if (!isfinite(weft_v3d_dot(x, x)) || !isfinite(weft_v3d_dot(v, v))) m.nonfinite++;
    grow_box(&m, positions[i]);
    if (model->inverse_masses[i] > 0) {
      measure_particle(&m, x, v, (double)model->masses[i], gravity);
    }
  }
  measure_constraints(model, positions, &m);
  *metrics = m;
}

uint32_t weft_self_tangled(const weft_contents *contents) {
  const weft_buffer_contents *table = &contents->buffers[WEFT_BUFFER_SELF_TRIANGLES];
  uint32_t marked = 0;
  for (uint64_t t = 0; t < table->count; ++t) {
    uvec4 corners; /* the first of an element, in either precision */
    memcpy(&corners, (const char *)table->data + t * table->stride, sizeof corners);
    marked += !(corners.w & WEFT_SELF_BODY) && corners.w & WEFT_SELF_TANGLED;
  }
  return marked;
}
