/* particles.c: preprocessing of models that are not cloth: given particles, links and hinges. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base.h"
#include "preprocess.h"

/* As for cloth: beyond this distance floats are more than 6 cm apart. */
static const float farthest = 1e6f;

/* ---- validation ---- */

static bool is_nonnegative(float x) { return x == 0 || (x >= FLT_MIN && x <= FLT_MAX); }

static weft_result check_particle(const weft_particles_desc *d, uint32_t i, weft_error *err) {
  weft_vec3 x = d->positions[i];
  bool near = fabsf(x.x) <= farthest && fabsf(x.y) <= farthest && fabsf(x.z) <= farthest;
  if (!near) { /* also false for NaN */
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "particle %u lies at (%g %g %g), allowed is up to %g m from the origin", i,
                     (double)x.x, (double)x.y, (double)x.z, (double)farthest);
  }
  float m = d->masses[i];
  if (m == 0 || (m >= WEFT_MIN_MASS && m <= WEFT_MAX_MASS)) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "particle %u has a mass of %g kg, allowed is %g to %g, or 0 to pin it", i,
                   (double)m, (double)WEFT_MIN_MASS, (double)WEFT_MAX_MASS);
}

static weft_result refuse(weft_error *err, const char *what, uint32_t index, const char *reason) {
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s %u: %s", what, index, reason);
}

static weft_result check_members(const weft_particles_desc *d, const char *what, uint32_t index,
                                 const uint32_t *particles, uint32_t arity, weft_error *err) {
  for (uint32_t a = 0; a < arity; ++a) {
    if (particles[a] >= d->particle_count) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "%s %u names particle %u, but there are %u particles", what, index,
                       particles[a], d->particle_count);
    }
    for (uint32_t b = 0; b < a; ++b) {
      if (particles[a] != particles[b]) continue;
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s %u names particle %u twice", what, index,
                       particles[a]);
    }
  }
  return WEFT_OK;
}

static weft_result check_link(const weft_particles_desc *d, uint32_t i, weft_error *err) {
  const weft_link *l = &d->links[i];
  const uint32_t ends[2] = {l->a, l->b};
  weft_result result = check_members(d, "link", i, ends, 2, err);
  if (result != WEFT_OK) return result;
  if (!(l->rest_length >= 1e-9f && l->rest_length <= farthest)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "link %u has a rest length of %g m, allowed is 1e-9 to %g m", i,
                     (double)l->rest_length, (double)farthest);
  }
  if (!is_nonnegative(l->compliance)) {
    return refuse(err, "link", i, "its compliance is not a number from 0 up");
  }
  if (!is_nonnegative(l->damping)) {
    return refuse(err, "link", i, "its damping is not a number from 0 up");
  }
  if ((unsigned)l->sense > WEFT_SENSE_AT_LEAST) {
    return refuse(err, "link", i, "its sense does not exist");
  }
  return WEFT_OK;
}

static weft_result check_hinge(const weft_particles_desc *d, uint32_t i, weft_error *err) {
  const weft_hinge *h = &d->hinges[i];
  weft_result result = check_members(d, "hinge", i, h->particles, 4, err);
  if (result != WEFT_OK) return result;
  if (!(fabsf(h->rest_angle) <= 3.1415928f)) {
    return refuse(err, "hinge", i, "its rest angle does not lie between -pi and pi");
  }
  if (!is_nonnegative(h->compliance)) {
    return refuse(err, "hinge", i, "its compliance is not a number from 0 up");
  }
  if (!is_nonnegative(h->damping)) {
    return refuse(err, "hinge", i, "its damping is not a number from 0 up");
  }
  return WEFT_OK;
}

static weft_result check_valence(const weft_particles_desc *d, weft_error *err) {
  uint32_t *valence = weft_alloc(d->particle_count, sizeof *valence);
  for (uint32_t i = 0; i < d->link_count; ++i) {
    ++valence[d->links[i].a];
    ++valence[d->links[i].b];
  }
  for (uint32_t i = 0; i < d->hinge_count; ++i) {
    for (int k = 0; k < 4; ++k) ++valence[d->hinges[i].particles[k]];
  }
  uint32_t worst = 0;
  for (uint32_t p = 1; p < d->particle_count; ++p) {
    if (valence[p] > valence[worst]) worst = p;
  }
  uint32_t max = valence[worst];
  weft_free(valence);
  if (max <= WEFT_MAX_VALENCE) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "particle %u has %u links and hinges, more than %d: each would be solved on its "
                   "own",
                   worst, max, WEFT_MAX_VALENCE);
}

static weft_result check(const weft_particles_desc *d, weft_error *err) {
  if (d->particle_count == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "a model needs at least one particle");
  }
  /* The reciprocal of a cell, and the square of a length below a radius, must be floats. */
  if (!(d->radius == 0 || (d->radius >= 1e-9f && d->radius <= 1e3f))) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "a particle radius of %g m is neither 0 nor within 1e-9 to 1000",
                     (double)d->radius);
  }
  weft_result result = WEFT_OK;
  for (uint32_t i = 0; i < d->particle_count && result == WEFT_OK; ++i) {
    result = check_particle(d, i, err);
  }
  for (uint32_t i = 0; i < d->link_count && result == WEFT_OK; ++i) result = check_link(d, i, err);
  for (uint32_t i = 0; i < d->hinge_count && result == WEFT_OK; ++i) {
    result = check_hinge(d, i, err);
  }
  return result == WEFT_OK ? check_valence(d, err) : result;
}

/* ---- preprocessing ---- */

/* kg: of the particles that have a mass. */
static float mean_mass(const weft_particles_desc *d) {
  double sum = 0;
  uint32_t movable = 0;
  for (uint32_t i = 0; i < d->particle_count; ++i) {
    sum += (double)d->masses[i];
    movable += d->masses[i] > 0;
  }
  return movable ? (float)(sum / movable) : 1;
}

static void copy_particles(const weft_particles_desc *d, weft_model *model) {
  uint32_t n = d->particle_count;
  model->particle_count = n;
  model->radius = d->radius;
  model->rest_positions = weft_alloc(n, sizeof *model->rest_positions);
  model->inverse_masses = weft_alloc(n, sizeof *model->inverse_masses);
  model->masses = weft_alloc(n, sizeof *model->masses);
  model->corner_offsets = weft_alloc((size_t)n + 1, sizeof *model->corner_offsets);
  memcpy(model->rest_positions, d->positions, n * sizeof *d->positions);
  float otherwise = mean_mass(d);
  for (uint32_t i = 0; i < n; ++i) {
    bool pinned = d->masses[i] == 0;
    /* Only used once it is unpinned. */
    model->masses[i] = pinned ? otherwise : d->masses[i];
    model->inverse_masses[i] = pinned ? 0 : (float)(1.0 / (double)d->masses[i]);
    if (pinned) model->pinned_count++;
  }
  model->link_count = d->link_count;
  model->links = weft_alloc(d->link_count, sizeof *model->links);
  if (d->link_count) memcpy(model->links, d->links, d->link_count * sizeof *d->links);
}

static void begin(weft_raw_group *raw, const char *name, weft_constraint_type type, uint32_t arity,
                  uint32_t capacity) {
  *raw = (weft_raw_group){.capacity = capacity};
  weft_constraint_group *g = &raw->group;
  *g = (weft_constraint_group){.name = name, .type = type, .arity = arity};
  g->particles = weft_alloc((size_t)capacity * arity, sizeof *g->particles);
  g->rest = weft_alloc(capacity, sizeof *g->rest);
  g->compliance = weft_alloc(capacity, sizeof *g->compliance);
  g->damping = weft_alloc(capacity, sizeof *g->damping);
}

static void add_links(const weft_particles_desc *d, weft_sense sense, bool bending,
                      weft_model *model) {
  static const char *const names[2][3] = {
      {"links", "links at most", "links at least"},
      {"bend links", "bend links at most", "bend links at least"}};
  weft_raw_group raw;
  begin(&raw, names[bending][sense], WEFT_CONSTRAINT_DISTANCE, 2, d->link_count);
  weft_constraint_group *g = &raw.group;
  g->sense = sense;
  g->role = bending ? WEFT_ROLE_BENDING : WEFT_ROLE_STRETCH;
  g->source = weft_alloc(d->link_count, sizeof *g->source);
  for (uint32_t i = 0; i < d->link_count; ++i) {
    const weft_link *l = &d->links[i];
    if (l->sense != sense || l->bending != bending) continue;
    uint32_t k = g->count++;
    g->particles[2 * (size_t)k] = l->a;
    g->particles[2 * (size_t)k + 1] = l->b;
    g->rest[k] = l->rest_length;
    g->compliance[k] = l->compliance;
    g->damping[k] = l->compliance > 0 ? l->damping : 0;
    g->source[k] = i;
  }
  weft_group_finish(&raw, 0, model);
}

static void add_hinges(const weft_particles_desc *d, weft_model *model) {
  weft_raw_group raw;
  begin(&raw, "hinges", weft_hinge_type, 4, d->hinge_count);
  weft_constraint_group *g = &raw.group;
  g->role = WEFT_ROLE_BENDING;
  g->count = d->hinge_count;
  for (uint32_t i = 0; i < d->hinge_count; ++i) {
    const weft_hinge *h = &d->hinges[i];
    memcpy(&g->particles[4 * (size_t)i], h->particles, sizeof h->particles);
    g->rest[i] = h->rest_angle;
    g->compliance[i] = h->compliance;
    g->damping[i] = h->compliance > 0 ? h->damping : 0;
  }
  weft_group_finish(&raw, 0, model);
}

weft_result weft_model_create_particles(const weft_particles_desc *desc, weft_model **model,
                                        weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(model);
  *model = NULL;
  WEFT_NEED(desc);
  WEFT_NEED_ITEMS(desc->positions, desc->particle_count);
  WEFT_NEED_ITEMS(desc->masses, desc->particle_count);
  WEFT_NEED_ITEMS(desc->links, desc->link_count);
  WEFT_NEED_ITEMS(desc->hinges, desc->hinge_count);
  weft_result result = check(desc, err);
  if (result != WEFT_OK) return result;
  weft_model *preprocessed = weft_model_alloc();
  copy_particles(desc, preprocessed);
  for (int bending = 0; bending < 2; ++bending) {
    for (int sense = WEFT_SENSE_EQUAL; sense <= WEFT_SENSE_AT_LEAST; ++sense) {
      add_links(desc, (weft_sense)sense, bending == 1, preprocessed);
    }
  }
  add_hinges(desc, preprocessed);
  if (preprocessed->pinned_count == preprocessed->particle_count) {
    weft_log(WEFT_LOG_WARNING, "every particle is pinned: nothing can move");
  }
  result = weft_model_validate(preprocessed, err);
  if (result == WEFT_OK) {
    weft_owned_begin(&preprocessed->owned);
    *model = preprocessed;
  } else {
    weft_model_destroy(preprocessed);
  }
  return result;
}

float weft_model_radius(const weft_model *model) { return model ? model->radius : 0; }
uint32_t weft_model_link_count(const weft_model *model) { return model ? model->link_count : 0; }
const weft_link *weft_model_links(const weft_model *model) { return model ? model->links : NULL; }
