/* locate.c: the first pass, batch, particle and constraint at which the backends part.
 *
 * Each pass runs alone on both, and everything it may write is compared before the next. When that
 * finds nothing although the substep as a whole differed, the passes themselves are right and their
 * order on the device is not: then growing prefixes of the pass list run without a read in
 * between, and the pass that ends the shortest differing prefix is named. */
#include <stdio.h>
#include <string.h>

#include "verify_internal.h"

/* What differs first, while it is being named. */
typedef struct place {
  weft_divergence *told;
  const weft_pass *pass;
  weft_buffer_id buffer;
} place;

/* ---- comparing what a pass wrote ---- */

/* Where the length of a list is counted. */
static uint32_t counted_where(const weft_pass *pass, weft_buffer_id id) {
  switch (id) {
    case WEFT_BUFFER_SELF_CANDIDATES:
      return WEFT_SELF_AT_CANDIDATES + pass->detection;
    case WEFT_BUFFER_SELF_PAIRS:
    case WEFT_BUFFER_SELF_PLANES:
      return WEFT_SELF_AT_PAIRS;
    case WEFT_BUFFER_SELF_PATCH_PAIRS:
      return WEFT_SELF_AT_PATCH_PAIRS + pass->detection;
    case WEFT_BUFFER_SELF_TRIANGLE_PAIRS:
      return WEFT_SELF_AT_TRIANGLE_PAIRS + pass->detection;
    case WEFT_BUFFER_SELF_UNCERTIFIED:
      return WEFT_SELF_AT_UNCERTIFIED;
    default:
      return WEFT_SELF_COUNTS;
  }
}

/* Of lists whose length passes count only what is listed. */
static uint64_t listed(weft_solver *solver, const weft_pass *pass, weft_buffer_id id) {
  uint64_t room = weft_solver_buffer_count(solver, id);
  if (id == WEFT_BUFFER_SELF_CACHE_HEADS || id == WEFT_BUFFER_SELF_CACHE_NEXT)
    return 0; /* places in a list */
  if (id == WEFT_BUFFER_SELF_CACHE) {
    uint32_t kept;
    weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE_COUNT, 0, 1, &kept);
    return kept < room ? kept : room;
  }
  uint32_t counted_at = counted_where(pass, id);
  if (counted_at == WEFT_SELF_COUNTS) return room;
  uint64_t count = weft_solver_buffer_count(solver, WEFT_BUFFER_SELF_COUNTS);
  uint32_t *counts = weft_alloc((size_t)count, sizeof *counts);
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_COUNTS, 0, count, counts);
  /* Of a joined model: of all parts together. */
  uint32_t there = counts[count - WEFT_SELF_COUNTS + counted_at];
  bool overrun = weft_has_overrun(counts, count);
  weft_free(counts);
  if (overrun) return 0;
  return there < room ? there : room;
}

static void compare_buffer(weft_pair *pair, const weft_pass *pass, weft_buffer_id id,
                           weft_difference *difference) {
  uint64_t length = listed(pair->ref, pass, id);
  bool marks = id == WEFT_BUFFER_SELF_UNCERTIFIED; /* and in every other word a list */
  uint64_t count = marks ? weft_solver_buffer_count(pair->ref, id) : length;
  uint32_t stride = weft_buffer_infos[id].stride;
  void *ref = weft_alloc((size_t)count, stride), *other = weft_alloc((size_t)count, stride);
  weft_solver_read_buffer(pair->ref, id, 0, count, ref);
  weft_solver_read_buffer(pair->other, id, 0, count, other);
  weft_sort_table(id, ref, count, length);
  weft_sort_table(id, other, count, length);
  weft_compare_elements(ref, other, 0, count, stride / 4, difference);
  weft_free(ref);
  weft_free(other);
}

/* Delta slots beyond those a pass fills hold what an earlier pass left; both hold the same. */
static bool compare_written(weft_pair *pair, const weft_pass *pass, place *p) {
  const weft_pass_info *info = &weft_pass_infos[pass->kind];
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    const weft_binding *b = &info->bindings[k];
    if (!b->writes || !weft_binding_used(b, pass->variant)) continue;
    weft_difference difference = {0};
    compare_buffer(pair, pass, b->buffer, &difference);
    if (difference.differing == 0) continue;
    p->told->found = true;
    p->told->difference = difference;
    p->pass = pass;
    p->buffer = b->buffer;
    return true;
  }
  return false;
}

/* ---- naming ---- */

static void name_constraint(const weft_model *model, uint32_t group, uint32_t index,
                            weft_divergence *d) {
  const weft_constraint_group *g = &model->groups[group];
  d->constraint = weft_group_base(model, group) + index;
  d->arity = g->arity;
  memcpy(d->particles, &g->particles[(size_t)index * g->arity], g->arity * sizeof(uint32_t));
}

/* The constraint of the batch that moves a particle. */
static void name_mover(const weft_model *model, uint32_t group, const weft_pass *pass,
                       weft_divergence *d) {
  const weft_constraint_group *g = &model->groups[group];
  uint32_t begin = pass->first - weft_group_base(model, group);
  for (uint32_t i = begin; i < begin + pass->count; ++i) {
    for (uint32_t r = 0; r < g->arity; ++r) {
      if (g->particles[(size_t)i * g->arity + r] == d->particle) {
        name_constraint(model, group, i, d);
        return;
      }
    }
  }
}

static void name_projection(const weft_model *model, uint32_t group, const place *p) {
  const weft_constraint_group *g = &model->groups[group];
  weft_divergence *d = p->told;
  uint32_t base = weft_group_base(model, group);
  uint64_t element = d->difference.element;
  snprintf(d->group, sizeof d->group, "%s", g->name);
  d->batch = p->pass->batch;
  switch (p->buffer) {
    case WEFT_BUFFER_X:
      d->particle = (uint32_t)element;
      name_mover(model, group, p->pass, d);
      break;
    case WEFT_BUFFER_DELTA: {
      uint32_t index = p->pass->first - base + (uint32_t)(element / g->arity);
      if (index < g->count) {
        name_constraint(model, group, index, d);
        d->particle = d->particles[element % g->arity];
      }
      break;
    }
    default: /* multipliers: an element each */
      if (element >= base && element < (uint64_t)base + g->count) {
        name_constraint(model, group, (uint32_t)element - base, d);
        d->particle = d->particles[0];
      }
  }
}

/* In terms that outlive the pair. */
static void name_place(const weft_model *model, const place *p) {
  weft_divergence *d = p->told;
  d->particle = d->constraint = UINT32_MAX;
  d->buffer = weft_buffer_infos[p->buffer].name;
  weft_pass_describe(p->pass, d->pass, sizeof d->pass);
  uint32_t group = weft_pass_group(model, p->pass);
  if (group != UINT32_MAX) {
    name_projection(model, group, p);
  } else if (p->buffer == WEFT_BUFFER_FORCES) {
    d->particle = model->triangles[3 * d->difference.element];
  } else if (p->buffer != WEFT_BUFFER_GRID && p->buffer != WEFT_BUFFER_GRID_LOOSE &&
             p->buffer != WEFT_BUFFER_GRID_ITEMS) {
    d->particle = (uint32_t)d->difference.element;
  }
  if (d->particle != UINT32_MAX) d->particle = weft_model_number(model, d->particle);
  for (uint32_t r = 0; d->constraint != UINT32_MAX && r < d->arity; ++r) {
    d->particles[r] = weft_model_number(model, d->particles[r]);
  }
}

/* ---- searching ---- */

static uint32_t search_step_by_step(weft_pair *pair, uint32_t substep, place *p) {
  uint32_t compared = 0;
  weft_pair_restore(pair);
  for (size_t k = 0; k < weft_solver_pass_count(pair->ref) && !p->told->found; ++k) {
    const weft_pass *pass = weft_solver_pass(pair->ref, k);
    if (!weft_solver_pass_active(pair->ref, pass)) continue;
    weft_solver_run_pass(pair->ref, pass, substep);
    weft_solver_run_pass(pair->other, pass, substep);
    compared++;
    compare_written(pair, pass, p);
  }
  return compared;
}

static void search_prefixes(weft_pair *pair, uint32_t substep, place *p) {
  enum { TRIES = 4 };
  for (size_t end = 1; end <= weft_solver_pass_count(pair->ref) && !p->told->found; ++end) {
    for (int attempt = 0; attempt < TRIES && !p->told->found; ++attempt) {
      weft_pair_restore(pair);
      weft_solver_run_passes(pair->other, end, substep);
      weft_solver_run_passes(pair->ref, end, substep);
      p->told->race = compare_written(pair, weft_solver_pass(pair->ref, end - 1), p);
    }
  }
}

uint32_t weft_pair_locate(weft_pair *pair, uint32_t substep, weft_divergence *divergence) {
  *divergence = (weft_divergence){0};
  place p = {.told = divergence};
  uint32_t compared = search_step_by_step(pair, substep, &p);
  if (divergence->found) name_place(pair->scene.model, &p);
  return compared;
}

void weft_pair_locate_race(weft_pair *pair, uint32_t substep, weft_divergence *divergence) {
  place p = {.told = divergence};
  search_prefixes(pair, substep, &p);
  if (divergence->found) name_place(pair->scene.model, &p);
}
