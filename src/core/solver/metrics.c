/* metrics.c: energies, strain and residuals of a state, in double precision on the host. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "measure.h"
#include "ranking.h"
#include "vec3d.h"

/* C^2 of a constraint. */
typedef double measure(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x);
static measure *const measures[WEFT_CONSTRAINT_TYPE_COUNT] = {
#define WEFT_CONSTRAINT(ID, name, ...) weft_measure_##name,
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
};

static bool has_strain(const weft_constraint_group *g) {
  return g->type == WEFT_CONSTRAINT_DISTANCE && g->role == WEFT_ROLE_STRETCH;
}

/* Strain of edges along threads, and of all edges. */
typedef struct strain_rankings {
  weft_ranking threads, all;
} strain_rankings;

typedef void take_strain(void *context, const uint32_t *pair, bool thread, double strain);

static void each_strain(const weft_model *model, const weft_vec3 *x, take_strain *take,
                        void *context) {
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    for (uint32_t i = 0; i < g->count && has_strain(g); ++i) {
      const uint32_t *pair = &g->particles[2 * (size_t)i];
      double s = fabs(weft_length_error(g, i, x) / (double)g->rest[i]);
      if (isnan(s)) s = INFINITY; /* keeps the order below an order */
      take(context, pair, weft_along_thread(model, pair[0], pair[1]), s);
    }
  }
}

typedef struct strain_sums {
  strain_rankings *rankings;
  weft_metrics *m;
  double sum;
} strain_sums;

static void count_strain(void *context, const uint32_t *pair, bool thread, double strain) {
  strain_sums *s = context;
  weft_ranking_count(&s->rankings->all, strain);
  if (thread) weft_ranking_count(&s->rankings->threads, strain);
  s->sum += strain;
  if (!(strain > s->m->strain_max)) return;
  s->m->strain_max = strain;
  memcpy(s->m->strain_max_edge, pair, sizeof s->m->strain_max_edge);
}

static void keep_strain(void *context, const uint32_t *pair, bool thread, double strain) {
  (void)pair;
  strain_rankings *r = context;
  weft_ranking_keep(&r->all, strain);
  if (thread) weft_ranking_keep(&r->threads, strain);
}

void weft_measure_strain(const weft_model *model, const weft_vec3 *x, weft_metrics *m) {
  strain_sums sums = {weft_alloc(1, sizeof *sums.rankings), m, 0};
  weft_ranking *threads = &sums.rankings->threads, *all = &sums.rankings->all;
  m->strain_max = 0;
  each_strain(model, x, count_strain, &sums);
  if (all->count > 0) {
    weft_ranking_seek(threads, 0.99);
    weft_ranking_seek(all, 0.99);
    each_strain(model, x, keep_strain, sums.rankings);
    m->strain_threads_p99 = weft_ranking_end(threads);
    m->strain_mean = sums.sum / (double)all->count;
    m->strain_p99 = weft_ranking_end(all);
  }
  weft_free(sums.rankings);
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

static weft_vec3 placed(weft_vec3d origin, weft_vec3 p) {
  return weft_v3d_round(weft_v3d_add(origin, weft_v3d_from(p)));
}

void weft_measure(const weft_model *model, const weft_params *params, weft_vec3d origin,
                  const weft_vec3 *positions, const weft_vec3 *velocities, weft_metrics *metrics) {
  weft_metrics m = {.box_min = positions[0], .box_max = positions[0]};
  weft_vec3d gravity = weft_v3d_from(params->gravity);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    weft_vec3d x = weft_v3d_from(positions[i]), v = weft_v3d_from(velocities[i]);
    if (!isfinite(weft_v3d_dot(x, x)) || !isfinite(weft_v3d_dot(v, v))) m.nonfinite++;
    grow_box(&m, positions[i]);
    if (model->inverse_masses[i] > 0) {
      measure_particle(&m, weft_v3d_add(origin, x), v, (double)model->masses[i], gravity);
    }
  }
  m.box_min = placed(origin, m.box_min);
  m.box_max = placed(origin, m.box_max);
  measure_constraints(model, positions, &m);
  *metrics = m;
}

uint32_t weft_self_tangled(const weft_contents *contents) {
  const weft_buffer_contents *table = &contents->buffers[WEFT_BUFFER_SELF_TRIANGLES];
  uint32_t marked = 0;
  for (uint64_t t = 0; t < table->count; ++t) {
    uint32_t flags; /* after the corners, in either precision */
    const char *triangle = (const char *)table->data + t * table->stride;
    memcpy(&flags, triangle + offsetof(weft_self_triangle, flags), sizeof flags);
    marked += !(flags & WEFT_SELF_BODY) && flags & WEFT_SELF_TANGLED;
  }
  return marked;
}
