/* plan_build.c: the plan of fused passes, pass by pass or tiled. */
#include <string.h>

#include "base.h"
#include "grid_layout.h"
#include "plan.h"

/* Ranges are whole vectors. */
enum { MIN_RANGE = 64 };

/* What a work group does is a range of its own; bundles of lines fill a vector. */
static uint32_t min_range(const weft_plan_desc *desc, const weft_pass *pass) {
  if (weft_plan_packs_lines(desc, pass)) return desc->lanes->lanes;
  return weft_pass_infos[pass->kind].group ? 1 : MIN_RANGE;
}

static uint32_t range_end(uint32_t count, uint32_t part, uint32_t parts, uint32_t min) {
  if (part + 1 == parts) return count;
  uint64_t end = (uint64_t)count * (part + 1) / parts;
  return (uint32_t)(end / min * min);
}

/* A pass cut into ranges of its elements. */
typedef struct cut {
  const weft_plan_desc *desc;
  uint32_t pass, parts, min;
} cut;

static void add_packed(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                       uint32_t begin, uint32_t end) {
  uint32_t *elements = weft_alloc(end - begin, sizeof *elements);
  for (uint32_t e = begin; e < end; ++e) elements[e - begin] = e;
  weft_plan_add_elements(plan, desc, pass, elements, end - begin);
  weft_free(elements);
}

static void fill_range(void *context, weft_cpu_plan *plan, uint32_t part) {
  const cut *c = context;
  const weft_pass *p = &plan->passes[c->pass];
  uint32_t begin = part ? range_end(p->count, part - 1, c->parts, c->min) : 0;
  uint32_t end = range_end(p->count, part, c->parts, c->min);
  if (p->kind == WEFT_PASS_MOVE_PINS && plan->stays) {
    weft_plan_add_run(plan, WEFT_CPU_STAYING, c->pass, begin, end - begin);
  } else if (p->kind == WEFT_PASS_LRA && c->desc->lanes) {
    weft_plan_add_lra(plan, c->desc, c->pass, p->first + begin, p->first + end);
  } else if (weft_plan_packs_levels(c->desc, p)) {
    weft_plan_add_levels(plan, c->desc, c->pass, begin, end);
  } else if (weft_plan_packs_lines(c->desc, p)) {
    weft_plan_add_lines(plan, c->desc, c->pass, begin, end);
  } else if (weft_plan_packed_words(c->desc, p)) {
    add_packed(plan, c->desc, c->pass, begin, end);
  } else {
    weft_plan_add_run(plan, WEFT_CPU_RUN, c->pass, begin, end - begin);
  }
}

void weft_plan_add_pass(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass) {
  const weft_pass *p = &plan->passes[pass];
  bool serial = weft_cpu_role_of(p) == WEFT_CPU_SERIAL;
  uint32_t min = min_range(desc, p), max = p->count / min + 1;
  uint32_t parts = serial ? 1 : desc->members < max ? desc->members : max;
  cut c = {desc, pass, parts, min};
  bool lines = weft_plan_packs_lines(desc, p);
  uint64_t elements = lines ? weft_plan_line_edges(desc->memory, p) : p->count;
  uint64_t words = (uint64_t)p->count * weft_plan_packed_words(desc, p);
  weft_plan_add_parts(plan, &(weft_plan_parts){parts, elements, words}, fill_range, &c);
}

/* Passes [first, end) that tiles can take. */
static bool may_be_tiled(const weft_pass *pass, bool particles) {
  weft_cpu_role role = weft_cpu_role_of(pass);
  return role == WEFT_CPU_BATCH || (particles && role == WEFT_CPU_PARTICLES);
}

/* A member costs a fifth of a microsecond a phase and the way of what it shares with others from
 * one cache to the next: it must find some ten microseconds of work. */
enum { MIN_FOR_A_MEMBER = 8192 };

static uint32_t useful_members(const weft_memory *memory, const weft_pass *passes, uint32_t count,
                               uint32_t members) {
  uint64_t elements = 0;
  for (uint32_t k = 0; k < count; ++k) {
    bool lines =
        passes[k].kind == WEFT_PASS_PROJECT_LINES || passes[k].kind == WEFT_PASS_PROJECT_BENDS;
    elements += lines ? weft_plan_line_edges(memory, &passes[k]) : passes[k].count;
  }
  uint64_t max = elements / MIN_FOR_A_MEMBER;
  return max < 1 ? 1 : max < members ? (uint32_t)max : members;
}

/* ---- which passes go together ---- */

/* Levels of a grid go to and from split positions, if the batches behind them are projected there.
 */
static bool levels_are_split(const weft_cpu_plan *plan, const weft_plan_desc *desc,
                             uint32_t gather) {
  if (plan->passes[gather].kind != WEFT_PASS_LEVEL_GATHER || !desc->halves || !desc->tile)
    return false;
  uint32_t k = gather;
  while (k < plan->pass_count && plan->passes[k].kind != WEFT_PASS_LEVEL_SPREAD) ++k;
  uint32_t end = k + 1;
  while (end < plan->pass_count && may_be_tiled(&plan->passes[end], true)) ++end;
  return end - k > 2 && end <= plan->pass_count && weft_plan_runs_along(plan, desc, k + 1, end);
}

/* Passes that neither move particles nor ask where they are. */
static bool is_among_nodes(const weft_pass *pass) {
  return pass->kind == WEFT_PASS_LEVEL_RESTRICT || pass->kind == WEFT_PASS_LEVEL_SMALL ||
         pass->kind == WEFT_PASS_LEVEL_PROJECT || pass->kind == WEFT_PASS_LEVEL_PROLONG;
}

/* Attachments read pins, which may stand in other tiles: predict writes them anew, and
 * batches write them back as they are. What follows attachments leaves pins alone. */
static bool begins_with_attachments(const weft_cpu_plan *plan, uint32_t first) {
  return plan->stays && plan->passes[first].kind == WEFT_PASS_LRA;
}

/* Where the passes end, before `last`, that can be tiled together with this one. */
static uint32_t tiled_end(const weft_cpu_plan *plan, uint32_t first, uint32_t last) {
  uint32_t end = first;
  bool follows = plan->split && plan->passes[first].kind == WEFT_PASS_LEVEL_SPREAD;
  if (follows || begins_with_attachments(plan, first)) ++end;
  while (end < last && may_be_tiled(&plan->passes[end], true)) ++end;
  return end;
}

static bool is_batch(const weft_pass *pass) { return weft_cpu_role_of(pass) == WEFT_CPU_BATCH; }

static bool is_over_particles(const weft_pass *pass) {
  return weft_cpu_role_of(pass) == WEFT_CPU_PARTICLES || pass->kind == WEFT_PASS_LRA ||
         pass->kind == WEFT_PASS_LEVEL_SPREAD;
}

/* predict begins a substep and update_velocity ends it. */
static bool can_stay(const weft_plan_desc *desc, const weft_pass *pass, bool begins, bool ends) {
  if (!weft_cpu_pass_can_stay(pass)) return false;
  if (!is_over_particles(pass)) return true;
  if (pass->first > 0 || pass->count != weft_plan_cloth(desc)) return false;
  if (pass->kind == WEFT_PASS_PREDICT) return begins;
  return pass->kind != WEFT_PASS_UPDATE_VELOCITY || ends;
}

/* Where there are no batches, what they do in other chains of the substep decides: it is split. */
static bool runs_along(const weft_plan_desc *desc, const weft_cpu_plan *plan) {
  bool batches = false;
  for (uint32_t k = 0; k < plan->pass_count; ++k) batches |= is_batch(&plan->passes[k]);
  if (batches) return weft_plan_runs_along(plan, desc, 0, plan->pass_count);
  return plan->passes[0].kind != WEFT_PASS_PREDICT;
}

static bool chain_can_stay(const weft_plan_desc *desc, const weft_cpu_plan *plan) {
  if (!desc->may_stay || !desc->tile || !desc->lanes) return false;
  if (weft_plan_cloth(desc) < 2 * desc->members) return false;
  uint32_t count = plan->pass_count;
  for (uint32_t k = 0; k < count; ++k) {
    if (!can_stay(desc, &plan->passes[k], k == 0, k + 1 == count)) return false;
  }
  return runs_along(desc, plan);
}

static bool add_tiled(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                      uint32_t end) {
  uint32_t min = plan->stays ? 1 : 2;
  if (end - first < min || !desc->tile) return false;
  return weft_plan_add_tiles(plan, desc, first, end);
}

/* Whether split positions are those of the passes so far, where the plan does not stay. */
static bool is_split_after(const weft_cpu_plan *plan, uint32_t pass) {
  return plan->split &&
         (plan->passes[pass].kind == WEFT_PASS_LEVEL_GATHER || is_among_nodes(&plan->passes[pass]));
}

/* Passes that know nothing of a particle but its position and its inverse mass. */
static bool is_of_positions(const weft_plan_desc *desc, const weft_pass *pass) {
  if (!can_stay(desc, pass, false, false)) return false;
  return pass->kind != WEFT_PASS_MOVE_PINS && pass->kind != WEFT_PASS_COLLIDE;
}

/* Where passes of positions from this one on end. */
static uint32_t positions_end(const weft_cpu_plan *plan, const weft_plan_desc *desc,
                              uint32_t first) {
  uint32_t end = first;
  while (end < plan->pass_count && is_of_positions(desc, &plan->passes[end])) ++end;
  return end;
}

/* Whether such passes are worth to be split together: lines and attachments would work on rows. */
static bool split_together(const weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                           uint32_t end) {
  bool gains = false;
  for (uint32_t k = first; k < end; ++k) {
    weft_pass_kind kind = plan->passes[k].kind;
    gains |= kind == WEFT_PASS_PROJECT_LINES || kind == WEFT_PASS_LRA;
  }
  return gains && desc->tile && desc->lanes && weft_plan_cloth(desc) >= 2 * desc->members &&
         weft_plan_runs_along(plan, desc, first, end);
}

/* Passes [first, end), which begin nothing that is split as a whole. */
static void build_passes(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                         uint32_t end) {
  for (uint32_t k = first; k < end;) {
    uint32_t tiled = tiled_end(plan, k, end);
    if (!plan->stays && levels_are_split(plan, desc, k)) {
      weft_plan_add_split(plan, desc, k);
      plan->split = true;
    }
    if (add_tiled(plan, desc, k, tiled)) {
      k = tiled;
      plan->split = plan->stays;
    } else {
      weft_plan_add_pass(plan, desc, k);
      plan->split = plan->stays || is_split_after(plan, k);
      ++k;
    }
  }
}

/* As passes of a chain that stays split, between the ways there and back. */
static void build_split(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                        uint32_t end) {
  weft_plan_add_split(plan, desc, first);
  plan->stays = plan->split = true;
  build_passes(plan, desc, first, end);
  plan->stays = plan->split = false;
  weft_plan_add_join(plan, desc, end - 1);
}

void weft_plan_build(const weft_plan_desc *given, const weft_pass *passes, uint32_t count,
                     weft_cpu_plan *plan) {
  weft_plan_desc tight = *given;
  const weft_plan_desc *desc = &tight;
  if (!given->exactly) tight.members = useful_members(given->memory, passes, count, given->members);
  *plan = (weft_cpu_plan){.pass_count = count,
                          .members = desc->members,
                          .may_stay = desc->may_stay,
                          .remembers = desc->remembers};
  memcpy(plan->passes, passes, count * sizeof *passes);
  if (given->crowd) {
    weft_plan_add_crowd(plan, desc);
    return;
  }
  plan->stays = plan->split = chain_can_stay(desc, plan);
  uint32_t built = 0;
  for (uint32_t k = 0, end; k < count && !plan->stays; k = end > k ? end : k + 1) {
    end = positions_end(plan, desc, k);
    if (end == k || !split_together(plan, desc, k, end)) continue;
    build_passes(plan, desc, built, k);
    build_split(plan, desc, k, end);
    built = end;
  }
  build_passes(plan, desc, built, count);
}

void weft_plan_free(weft_cpu_plan *plan) {
  for (size_t k = 0; k < plan->part_count; ++k) {
    weft_free(plan->parts[k].room);
    weft_free(plan->parts[k].sources);
  }
  weft_free(plan->items);
  weft_free(plan->parts);
  weft_free(plan->phases);
  *plan = (weft_cpu_plan){0};
}

bool weft_plan_fits(const weft_cpu_plan *plan, const weft_pass *passes, uint32_t count,
                    bool may_stay) {
  if (plan->pass_count != count || plan->may_stay != may_stay) return false;
  for (uint32_t k = 0; k < count; ++k) {
    const weft_pass *a = &plan->passes[k], *b = &passes[k];
    bool same = a->kind == b->kind && a->variant == b->variant && a->first == b->first &&
                a->count == b->count && a->delta_first == b->delta_first;
    if (!same) return false;
  }
  return true;
}
