/* Checks what solvers rely on, from the arrays alone. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base.h"
#include "model.h"

static weft_result broken(weft_error *err, const weft_constraint_group *g, uint32_t constraint,
                          const char *reason) {
  return weft_fail(err, WEFT_ERROR_MESH, "%s constraint %u: %s", g->name, constraint, reason);
}

/* ---- particles and triangles ---- */
static weft_result check_particles(const weft_model *m, weft_error *err) {
  uint32_t pinned = 0;
  for (uint32_t i = 0; i < m->particle_count; ++i) {
    weft_vec3 x = m->rest_positions[i];
    float w = m->inverse_masses[i], mass = m->masses[i];
    if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z)) {
      return weft_fail(err, WEFT_ERROR_MESH, "particle %u: rest position is not finite", i);
    }
    if (weft_rides(m, i)) {
      if (w == 0 && mass == 0) continue;
      return weft_fail(err, WEFT_ERROR_MESH, "particle %u rides on others, and has a mass", i);
    }
    if (!(mass >= FLT_MIN && mass <= FLT_MAX)) {
      return weft_fail(err, WEFT_ERROR_MESH, "particle %u: a mass of %g kg is not positive", i,
                       (double)mass);
    }
    /* w was rounded from the exact inverse, mass from the exact mass: half an ulp each. */
    bool inverse = w >= FLT_MIN && fabs((double)w * (double)mass - 1.0) < 2.5e-7;
    if (w != 0 && !inverse) {
      return weft_fail(err, WEFT_ERROR_MESH, "particle %u: inverse mass %g does not fit mass %g", i,
                       (double)w, (double)mass);
    }
    if (w == 0) ++pinned;
  }
  if (pinned != m->pinned_count) {
    return weft_fail(err, WEFT_ERROR_MESH, "%u particles are pinned, but %u are counted", pinned,
                     m->pinned_count);
  }
  return WEFT_OK;
}

static weft_result check_corners(const weft_model *m, weft_error *err) {
  size_t corners = 3 * (size_t)m->triangle_count;
  for (size_t i = 0; i < corners; ++i) {
    if (m->triangles[i] < m->particle_count) continue;
    return weft_fail(err, WEFT_ERROR_MESH, "triangle %zu: particle %u does not exist", i / 3,
                     m->triangles[i]);
  }
  if (m->corner_offsets[0] != 0 || m->corner_offsets[m->particle_count] != corners) {
    return weft_fail(err, WEFT_ERROR_MESH, "the corner lists do not cover all triangles");
  }
  for (uint32_t p = 0; p < m->particle_count; ++p) {
    uint32_t begin = m->corner_offsets[p], end = m->corner_offsets[p + 1];
    bool sound = begin <= end && end <= corners;
    for (uint32_t i = begin; sound && i < end; ++i) {
      uint32_t item = m->corner_items[i];
      sound = item < corners && m->triangles[item] == p &&
              (i == begin || m->corner_items[i - 1] < item);
    }
    if (sound) continue;
    return weft_fail(err, WEFT_ERROR_MESH,
                     "particle %u: its corner list is not its triangles in ascending order", p);
  }
  return WEFT_OK;
}

static weft_result check_riders(const weft_model *m, weft_error *err) {
  for (uint32_t k = 0; k < m->rider_count; ++k) {
    const weft_model_rider *r = &m->riders[k];
    bool sound = r->particle < m->particle_count && m->rides[r->particle];
    for (int c = 0; c < 3 && sound; ++c) {
      sound = r->corners[c] < m->particle_count && !m->rides[r->corners[c]];
    }
    if (sound) continue;
    return weft_fail(err, WEFT_ERROR_MESH, "rider %u: its particles are not those of its triangle",
                     k);
  }
  return WEFT_OK;
}

/* ---- groups ---- */
static weft_result check_ranges(const weft_constraint_group *g, weft_error *err) {
  bool sound = g->colour_first[0] == 0 && g->colour_first[g->colour_count] == g->count;
  for (uint32_t c = 0; sound && c < g->colour_count; ++c) {
    sound = g->colour_first[c] < g->colour_first[c + 1] &&
            g->colour_sizes[c] == g->colour_first[c + 1] - g->colour_first[c] &&
            (c == 0 || g->colour_sizes[c] <= g->colour_sizes[c - 1]);
    if (!sound) {
      return weft_fail(err, WEFT_ERROR_MESH,
                       "%s colour %u: its range is empty, out of order or "
                       "larger than the one before",
                       g->name, c);
    }
  }
  if (sound && g->arity == weft_constraint_infos[g->type].arity) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_MESH,
                   "%s: its colours do not cover %u constraints of %u particles", g->name, g->count,
                   g->arity);
}

static bool is_nonnegative(float x) { return x == 0 || (x >= FLT_MIN && x <= FLT_MAX); }

static weft_result check_rest(const weft_constraint_group *g, uint32_t i, weft_error *err) {
  switch (weft_constraint_infos[g->type].rest) {
    case WEFT_REST_POSITIVE:
      if (g->rest[i] >= FLT_MIN && g->rest[i] <= FLT_MAX) return WEFT_OK;
      return broken(err, g, i, "its rest value is not positive and finite");
    case WEFT_REST_ANGLE:
      if (fabsf(g->rest[i]) <= 3.1415928f) return WEFT_OK;
      return broken(err, g, i, "its rest angle does not lie between -pi and pi");
    case WEFT_REST_WEIGHTS:
      break;
  }
  const float *k = g->weights + 4 * (size_t)i;
  double sum = (double)k[0] + (double)k[1] + (double)k[2] + (double)k[3];
  return sum == 0 ? WEFT_OK : broken(err, g, i, "its weights do not sum to zero");
}

static weft_result check_values(const weft_constraint_group *g, uint32_t i, weft_error *err) {
  if ((unsigned)g->sense > WEFT_SENSE_AT_LEAST)
    return broken(err, g, i, "its sense does not exist");
  if (!is_nonnegative(g->compliance[i]))
    return broken(err, g, i, "its compliance is not 0 or more");
  if (!is_nonnegative(g->damping[i])) return broken(err, g, i, "its damping is not 0 or more");
  return check_rest(g, i, err);
}

/* last[p] is 1 + the last constraint seen at particle p: it has the same colour if it is not
 * before that colour's first constraint. */
static weft_result check_conflicts(const weft_constraint_group *g, uint32_t particle_count,
                                   uint32_t *last, weft_error *err) {
  memset(last, 0, particle_count * sizeof *last);
  for (uint32_t c = 0; c < g->colour_count; ++c) {
    uint32_t first = g->colour_first[c];
    for (uint32_t i = first; i < g->colour_first[c + 1]; ++i) {
      for (uint32_t k = 0; k < g->arity; ++k) {
        uint32_t p = g->particles[(size_t)i * g->arity + k];
        if (p >= particle_count)
          return broken(err, g, i, "it names a particle that does not exist");
        if (last[p] == i + 1) return broken(err, g, i, "it names a particle twice");
        if (last[p] > first) {
          return weft_fail(err, WEFT_ERROR_MESH,
                           "%s colour %u: constraints %u and %u share particle %u", g->name, c,
                           last[p] - 1, i, p);
        }
        last[p] = i + 1;
      }
      weft_result result = check_values(g, i, err);
      if (result != WEFT_OK) return result;
    }
  }
  return WEFT_OK;
}

weft_result weft_model_validate(const weft_model *model, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(model);
  weft_result result = check_particles(model, err);
  if (result == WEFT_OK) result = check_corners(model, err);
  if (result == WEFT_OK) result = check_riders(model, err);
  uint32_t *last = weft_alloc(model->particle_count, sizeof *last);
  for (uint32_t i = 0; i < model->group_count && result == WEFT_OK; ++i) {
    result = check_ranges(&model->groups[i], err);
    if (result == WEFT_OK) {
      result = check_conflicts(&model->groups[i], model->particle_count, last, err);
    }
  }
  weft_free(last);
  return result;
}
