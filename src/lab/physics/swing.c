/* swing.c: pendulums found in a model, and led on by theory. */
#include "swing.h"

#include <math.h>

#include "analytic.h"
#include "base.h"

static const double tolerance = 1e-10; /* rad, rad/s a step */
static const float in_plane = 1e-5f;   /* m */

typedef struct chain {
  weft_pendulum pendulum;
  weft_vec3 pivot;
  uint32_t particles[WEFT_PENDULUM_MAX]; /* from the pivot on */
} chain;

struct weft_swing {
  uint32_t particle_count, count;
  weft_vec3 *start; /* [particle_count]: pins stay there */
  chain *chains;
};

/* ---- chains in a model ---- */

/* A link at `particle` other than `from`; the link count when there is none. */
static uint32_t next_link(const weft_model *model, uint32_t particle, uint32_t from) {
  const weft_link *links = weft_model_links(model);
  uint32_t count = weft_model_link_count(model), k = 0;
  while (k < count && (k == from || (links[k].a != particle && links[k].b != particle))) ++k;
  return k;
}

static weft_result check_link(const weft_link *link, uint32_t index, weft_error *err) {
  if (link->compliance == 0 && link->sense == WEFT_SENSE_EQUAL) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "theory knows rigid links only, and link %u can change its length", index);
}

static weft_result follow(const weft_model *model, uint32_t pin, chain *c, weft_error *err) {
  const weft_link *links = weft_model_links(model);
  const float *w = weft_model_inverse_masses(model);
  uint32_t count = weft_model_link_count(model), at = pin, link = next_link(model, pin, UINT32_MAX);
  weft_pendulum *p = &c->pendulum;
  for (; link < count; link = next_link(model, at, link)) {
    weft_result result = check_link(&links[link], link, err);
    if (result != WEFT_OK) return result;
    if (p->links == WEFT_PENDULUM_MAX) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "theory goes up to %d links of a pendulum",
                       WEFT_PENDULUM_MAX);
    }
    at = links[link].a == at ? links[link].b : links[link].a;
    if (w[at] == 0) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "particle %u is pinned, and its chain has two ends", at);
    }
    c->particles[p->links] = at;
    p->length[p->links] = (double)links[link].rest_length;
    p->mass[p->links] = 1 / (double)w[at];
    p->links++;
  }
  return WEFT_OK;
}

static weft_result find_chains(const weft_model *model, weft_swing *s, weft_error *err) {
  const float *w = weft_model_inverse_masses(model);
  uint32_t found = 0, links = 0;
  for (uint32_t i = 0; i < s->particle_count; ++i) {
    if (w[i] != 0 || next_link(model, i, UINT32_MAX) == weft_model_link_count(model)) continue;
    chain *c = &s->chains[s->count++];
    weft_result result = follow(model, i, c, err);
    if (result != WEFT_OK) return result;
    c->pivot = s->start[i];
    found += c->pendulum.links;
  }
  for (uint32_t i = 0; i < s->particle_count; ++i) links += w[i] != 0;
  if (found == links && links == weft_model_link_count(model)) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "theory knows chains under a pin, and not every particle hangs in one");
}

/* ---- angles ---- */

static weft_result start_chain(chain *c, const weft_vec3 *x, const weft_vec3 *v, weft_error *err) {
  weft_pendulum *p = &c->pendulum;
  weft_vec3 above = c->pivot, speed = {0, 0, 0};
  for (uint32_t k = 0; k < p->links; ++k) {
    weft_vec3 at = x[c->particles[k]], now = v ? v[c->particles[k]] : weft_v3(0, 0, 0);
    if (fabsf(at.z - c->pivot.z) > in_plane || fabsf(now.z) > in_plane) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "theory swings in a plane, and particle %u left it", c->particles[k]);
    }
    double dx = (double)at.x - (double)above.x, dy = (double)at.y - (double)above.y;
    double vx = (double)now.x - (double)speed.x, vy = (double)now.y - (double)speed.y;
    p->angle[k] = atan2(dx, -dy);
    p->speed[k] = (vy * dx - vx * dy) / (dx * dx + dy * dy);
    above = at;
    speed = now;
  }
  return WEFT_OK;
}

static weft_result start(const weft_model *model, const weft_params *params,
                         const weft_vec3 *velocities, weft_swing *s, weft_error *err) {
  weft_vec3 g = params->no_gravity ? weft_v3(0, 0, 0) : params->gravity;
  if (g.x != 0 || g.z != 0 || g.y > 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "theory wants gravity to point straight down");
  }
  weft_result result = find_chains(model, s, err);
  for (uint32_t k = 0; k < s->count && result == WEFT_OK; ++k) {
    s->chains[k].pendulum.g = -(double)g.y;
    result = start_chain(&s->chains[k], s->start, velocities, err);
  }
  return result;
}

/* ---- life ---- */

weft_result weft_swing_create(const weft_model *model, const weft_params *params,
                              const weft_vec3 *positions, const weft_vec3 *velocities,
                              weft_swing **swing, weft_error *err) {
  uint32_t n = weft_model_particle_count(model);
  const weft_vec3 *from = positions ? positions : weft_model_rest_positions(model);
  weft_swing *s = weft_alloc(1, sizeof *s);
  s->particle_count = n;
  s->start = weft_alloc(n, sizeof *s->start);
  s->chains = weft_alloc(n, sizeof *s->chains);
  for (uint32_t i = 0; i < n; ++i) s->start[i] = from[i];
  weft_result result = start(model, params, velocities, s, err);
  if (result != WEFT_OK) {
    weft_swing_destroy(s);
    s = NULL;
  }
  *swing = s;
  return result;
}

void weft_swing_destroy(weft_swing *s) {
  if (!s) return;
  weft_free(s->start);
  weft_free(s->chains);
  weft_free(s);
}

void weft_swing_advance(weft_swing *s, double seconds) {
  for (uint32_t k = 0; k < s->count; ++k) {
    weft_pendulum_advance(&s->chains[k].pendulum, seconds, tolerance);
  }
}

void weft_swing_positions(const weft_swing *s, weft_vec3 *positions) {
  for (uint32_t i = 0; i < s->particle_count; ++i) positions[i] = s->start[i];
  for (uint32_t k = 0; k < s->count; ++k) {
    const chain *c = &s->chains[k];
    double x[WEFT_PENDULUM_MAX], y[WEFT_PENDULUM_MAX];
    weft_pendulum_positions(&c->pendulum, x, y);
    for (uint32_t i = 0; i < c->pendulum.links; ++i) {
      positions[c->particles[i]] = weft_v3((float)((double)c->pivot.x + x[i]),
                                           (float)((double)c->pivot.y + y[i]), c->pivot.z);
    }
  }
}

double weft_swing_distance(const weft_swing *s, const weft_vec3 *positions) {
  weft_vec3 *theory = weft_alloc(s->particle_count, sizeof *theory);
  double max = 0;
  weft_swing_positions(s, theory);
  for (uint32_t i = 0; i < s->particle_count; ++i) {
    max = fmax(max, (double)weft_v3_length(weft_v3_sub(positions[i], theory[i])));
  }
  weft_free(theory);
  return max;
}
