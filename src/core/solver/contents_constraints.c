/* contents_constraints.c: the elements of constraints, and the list of corrections that each
 * particle gathers after Jacobi projections. Whatever is constant for a time step is divided
 * here, once, in double precision. Compiled twice, see src/core/solver_f64/double.h. */
#include <math.h>
#include <string.h>

#include "fill.h"
#include "ranges.h"

/* Mueller et al. 2007, section 3.3: n projections that each leave (1-k') of the error leave (1-k)
 * of it together. */
static double part_of(const weft_constraint_group *g, const weft_params *params) {
  if (params->method != WEFT_METHOD_PBD) return 1;
  bool bending = g->role == WEFT_ROLE_BENDING;
  double k = (double)(bending ? params->pbd_bending : params->pbd_stretch);
  return 1 - pow(1 - k, 1.0 / params->iterations);
}

/* ---- elements ---- */

typedef vec4 numbers_of(const weft_fill *f, uint32_t i);

static numbers_of *const numbers[WEFT_CONSTRAINT_TYPE_COUNT] = {
#define WEFT_CONSTRAINT(ID, name, ...) weft_fill_##name,
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
};

/* Destination of a group's elements. */
typedef struct target {
  const weft_fill *fill;
  weft_pair_element *pairs; /* or quads */
  weft_quad_element *quads;
  weft_xpbd *terms; /* NULL: the terms are part of the element */
} target;

static weft_quad_element quad_of(const uint32_t *p, uint32_t arity, vec4 data) {
  return (weft_quad_element){{p[0], p[1], arity > 2 ? p[2] : 0, arity > 3 ? p[3] : 0}, data};
}

static void fill_elements(void *context, uint32_t part, size_t first, size_t end) {
  (void)part;
  const target *to = context;
  weft_fill f = *to->fill;
  const weft_constraint_group *g = f.group;
  for (size_t k = first; k < end; ++k) {
    uint32_t i = (uint32_t)k;
    const uint32_t *p = &g->particles[k * g->arity];
    if (k == first || i - f.first == WEFT_FILL_BLOCK) {
      weft_fill_see(&f, i, end - k < WEFT_FILL_BLOCK ? (uint32_t)(end - k) : WEFT_FILL_BLOCK);
    }
    vec4 data = numbers[g->type](&f, i);
    if (to->pairs) {
      to->pairs[k] = (weft_pair_element){p[0], p[1], data.x, data.y};
    } else {
      to->quads[k] = quad_of(p, g->arity, data);
    }
    if (to->terms) to->terms[k] = weft_fill_terms(&f, i);
  }
}

void weft_fill_valence(const weft_model *model, const weft_constraint_group *g,
                       const weft_split *split, const bool *taken, uint32_t *valence) {
  memset(valence, 0, model->particle_count * sizeof *valence);
  size_t end = (size_t)(split->tail_first + split->tail_count) * g->arity;
  for (size_t k = (size_t)split->tail_first * g->arity; k < end; ++k) {
    if (!taken || !taken[k / g->arity]) ++valence[g->particles[k]];
  }
}

static void set_contents(const weft_model *model, weft_contents *contents) {
  uint64_t counts[WEFT_CONSTRAINT_TYPE_COUNT] = {0};
  for (uint32_t g = 0; g < model->group_count; ++g)
    counts[model->groups[g].type] += model->groups[g].count;
  for (int type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT; ++type) {
    weft_constraint_buffers of = weft_constraint_buffers_of[type];
    weft_contents_set(contents, of.elements, counts[type]);
    if (of.terms != WEFT_BUFFER_COUNT) weft_contents_set(contents, of.terms, counts[type]);
    weft_contents_set(contents, of.multipliers, counts[type]);
  }
}

static target target_of(const weft_fill *f, uint32_t base, bool terms, weft_contents *contents) {
  weft_constraint_type type = f->group->type;
  weft_constraint_buffers of = weft_constraint_buffers_of[type];
  void *elements = contents->buffers[of.elements].data;
  target to = {.fill = f};
  if (weft_constraint_infos[type].pair) {
    to.pairs = (weft_pair_element *)elements + base;
  } else {
    to.quads = (weft_quad_element *)elements + base;
  }
  if (terms && of.terms != WEFT_BUFFER_COUNT) {
    to.terms = (weft_xpbd *)contents->buffers[of.terms].data + base;
  }
  return to;
}

void weft_fill_group(const weft_model *model, const weft_params *params, uint32_t g,
                     const bool *taken, weft_contents *contents) {
  const weft_constraint_group *group = &model->groups[g];
  uint32_t *valence = weft_alloc(model->particle_count, sizeof *valence);
  weft_fill f = {.model = model,
                 .group = group,
                 .split = weft_group_split(model, g, params),
                 .valence = valence,
                 .dt = (double)params->frame_dt / params->substeps,
                 .omega = (double)params->relaxation,
                 .part = part_of(group, params),
                 .rigid = params->method == WEFT_METHOD_PBD};
  weft_fill_valence(model, group, &f.split, taken, valence);
  target to =
      target_of(&f, weft_group_base(model, g), weft_group_has_terms(group, params), contents);
  weft_ranges_run(group->count, weft_ranges_worth(group->count), fill_elements, &to);
  weft_free(valence);
}

void weft_fill_groups(const weft_model *model, const weft_params *params, weft_contents *contents) {
  set_contents(model, contents);
  for (uint32_t g = 0; g < model->group_count; ++g) {
    weft_fill_group(model, params, g, NULL, contents);
  }
}

/* ---- the Jacobi gather: slot (i - tail_first)*arity + role, ascending per particle ---- */

/* Drivers cut long shader loops off silently (llvmpipe after 65,535 iterations). */
enum { WEFT_MAX_GATHER = 60000 };

static weft_result too_many(uint32_t particle, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_LIMIT, "particle %u has more than %d constraints or triangles",
                   particle, WEFT_MAX_GATHER);
}

weft_result weft_fill_check_corners(const weft_model *model, weft_error *err) {
  for (uint32_t p = 0; p < model->particle_count; ++p) {
    if (model->corner_offsets[p + 1] - model->corner_offsets[p] > WEFT_MAX_GATHER) {
      return too_many(p, err);
    }
  }
  return WEFT_OK;
}

weft_result weft_fill_gather(const weft_model *model, const weft_params *params,
                             weft_contents *contents, weft_error *err) {
  uint64_t slots = 0, max_slots = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    weft_split split = weft_group_split(model, g, params);
    uint64_t n = (uint64_t)split.tail_count * model->groups[g].arity;
    slots += n;
    if (n > max_slots) max_slots = n;
  }
  uint64_t entries = slots ? (uint64_t)model->group_count * (model->particle_count + 1ull) : 0;
  if (slots > UINT32_MAX / 3 || entries > UINT32_MAX) {
    return weft_fail(err, WEFT_ERROR_LIMIT,
                     "the Jacobi gather of %u particles needs more than 2^32 entries; use mode gs",
                     model->particle_count);
  }
  weft_contents_set(contents, WEFT_BUFFER_DELTA, max_slots);
  uint32_t *offsets = weft_contents_set(contents, WEFT_BUFFER_GATHER_OFFSETS, entries);
  uint32_t *items = weft_contents_set(contents, WEFT_BUFFER_GATHER_SLOTS, slots);
  if (slots == 0) return WEFT_OK;
  uint32_t begin = 0;
  uint32_t *next = weft_alloc(model->particle_count, sizeof *next);
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    weft_split split = weft_group_split(model, g, params);
    uint32_t *own = offsets + (size_t)g * (model->particle_count + 1);
    weft_fill_valence(model, group, &split, NULL, next);
    for (uint32_t p = 0; p < model->particle_count; ++p) {
      if (next[p] > WEFT_MAX_GATHER) {
        weft_free(next);
        return too_many(p, err);
      }
      own[p] = begin;
      begin += next[p];
      next[p] = own[p];
    }
    own[model->particle_count] = begin;
    uint32_t tail_slots = split.tail_count * group->arity;
    const uint32_t *particles = group->particles + (size_t)split.tail_first * group->arity;
    for (uint32_t slot = 0; slot < tail_slots; ++slot) items[next[particles[slot]]++] = slot;
  }
  weft_free(next);
  return WEFT_OK;
}
