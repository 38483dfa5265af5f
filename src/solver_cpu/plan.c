/* plan.c: roles of passes, packing, and the plan that goes pass by pass. */
#include "plan.h"

#include <string.h>

#include "base.h"

/* Passes on the GPU run all their elements at once, but some add up by atomics, some sum a tree.
 * So only those known to be maps are cut; a pass without a row here is run whole. */
static const weft_cpu_role roles[WEFT_PASS_KIND_COUNT] = {
    [WEFT_PASS_AERO_FORCE] = WEFT_CPU_RANGES,         [WEFT_PASS_AERO_GATHER] = WEFT_CPU_RANGES,
    [WEFT_PASS_DAMP_LINEAR] = WEFT_CPU_RANGES,        [WEFT_PASS_DAMP_SUM] = WEFT_CPU_RANGES,
    [WEFT_PASS_DAMP_ANGULAR] = WEFT_CPU_RANGES,       [WEFT_PASS_DAMP_VELOCITY] = WEFT_CPU_RANGES,
    [WEFT_PASS_PREDICT] = WEFT_CPU_PARTICLES,         [WEFT_PASS_PROJECT_DISTANCE] = WEFT_CPU_BATCH,
    [WEFT_PASS_PROJECT_ISOMETRIC] = WEFT_CPU_BATCH,   [WEFT_PASS_PROJECT_DIHEDRAL] = WEFT_CPU_BATCH,
    [WEFT_PASS_JACOBI_APPLY] = WEFT_CPU_RANGES,       [WEFT_PASS_TETHER] = WEFT_CPU_RANGES,
    [WEFT_PASS_GRID_CLEAR] = WEFT_CPU_RANGES,         [WEFT_PASS_GRID_SUM] = WEFT_CPU_RANGES,
    [WEFT_PASS_GRID_SCAN] = WEFT_CPU_RANGES,          [WEFT_PASS_GRID_SORT] = WEFT_CPU_RANGES,
    [WEFT_PASS_CONTACT_FIND] = WEFT_CPU_RANGES,       [WEFT_PASS_CONTACT_COUNT] = WEFT_CPU_RANGES,
    [WEFT_PASS_CONTACT_PROJECT] = WEFT_CPU_RANGES,    [WEFT_PASS_CONTACT_APPLY] = WEFT_CPU_RANGES,
    [WEFT_PASS_CONTACT_KEEP] = WEFT_CPU_RANGES,       [WEFT_PASS_COLLIDE] = WEFT_CPU_PARTICLES,
    [WEFT_PASS_UPDATE_VELOCITY] = WEFT_CPU_PARTICLES, [WEFT_PASS_PICK_NEAR] = WEFT_CPU_RANGES,
    [WEFT_PASS_PICK_BEST] = WEFT_CPU_RANGES,          [WEFT_PASS_LEVEL_GATHER] = WEFT_CPU_RANGES,
    [WEFT_PASS_LEVEL_RESTRICT] = WEFT_CPU_RANGES,     [WEFT_PASS_LEVEL_PROJECT] = WEFT_CPU_RANGES,
    [WEFT_PASS_LEVEL_PROLONG] = WEFT_CPU_RANGES,      [WEFT_PASS_LEVEL_SPREAD] = WEFT_CPU_RANGES,
};

weft_cpu_role weft_cpu_role_of(const weft_pass *pass) {
  if (weft_pass_by_group(pass->kind)) return WEFT_CPU_RANGES; /* no two share a particle */
  weft_cpu_role role = roles[pass->kind];
  bool jacobi = (pass->variant & WEFT_VARIANT_JACOBI) != 0;
  return role == WEFT_CPU_BATCH && jacobi ? WEFT_CPU_RANGES : role;
}

uint32_t weft_plan_particles(const weft_memory *memory, const weft_pass *pass, uint32_t element,
                             uint32_t particles[4]) {
  size_t i = (size_t)pass->first + element;
  const weft_distance *distance = (const void *)memory->payload[WEFT_BUFFER_DISTANCE];
  const weft_isometric *isometric = (const void *)memory->payload[WEFT_BUFFER_ISOMETRIC];
  const weft_dihedral *dihedral = (const void *)memory->payload[WEFT_BUFFER_DIHEDRAL];
  switch (pass->kind) {
    case WEFT_PASS_PROJECT_DISTANCE:
      particles[0] = distance[i].a;
      particles[1] = distance[i].b;
      return 2;
    case WEFT_PASS_PROJECT_ISOMETRIC:
      memcpy(particles, &isometric[i].particles, sizeof isometric[i].particles);
      return 4;
    case WEFT_PASS_PROJECT_DIHEDRAL:
      memcpy(particles, &dihedral[i].particles, sizeof dihedral[i].particles);
      return 4;
    default:
      particles[0] = (uint32_t)i;
      return 1;
  }
}

/* ---- packing ---- */

uint32_t weft_plan_packed_words(const weft_plan_desc *desc, const weft_pass *pass) {
  if (!desc->lanes || pass->variant & WEFT_VARIANT_JACOBI) return 0;
  bool lambda = pass->variant & WEFT_VARIANT_LAMBDA;
  if (pass->kind == WEFT_PASS_PROJECT_DISTANCE) {
    return lambda ? WEFT_DISTANCE_LAMBDA_WORDS : WEFT_DISTANCE_WORDS;
  }
  if (pass->kind == WEFT_PASS_PROJECT_ISOMETRIC) {
    return lambda ? WEFT_ISOMETRIC_LAMBDA_WORDS : WEFT_ISOMETRIC_WORDS;
  }
  if (pass->kind == WEFT_PASS_PROJECT_DIHEDRAL) {
    return lambda ? WEFT_DIHEDRAL_LAMBDA_WORDS : WEFT_DIHEDRAL_WORDS;
  }
  return 0;
}

static void pack_multiplier(const weft_memory *memory, const weft_pass *pass, size_t i,
                            uint32_t *more) {
  if (pass->kind == WEFT_PASS_PROJECT_DIHEDRAL) {
    more[0] = (uint32_t)i;
    return;
  }
  bool pair = pass->kind == WEFT_PASS_PROJECT_DISTANCE;
  weft_buffer_id id = pair ? WEFT_BUFFER_DISTANCE_XPBD : WEFT_BUFFER_ISOMETRIC_XPBD;
  const weft_xpbd *xpbd = (const void *)memory->payload[id];
  memcpy(more, &xpbd[i].compliance, sizeof *more);
  memcpy(more + 1, &xpbd[i].gamma, sizeof *more);
  more[2] = (uint32_t)(pair ? i : i * sizeof(vec4));
}

void weft_plan_pack(const weft_memory *memory, const weft_pass *pass, uint32_t element,
                    uint32_t words[WEFT_PACKED_MOST]) {
  uint32_t arity = weft_plan_particles(memory, pass, element, words);
  size_t i = (size_t)pass->first + element;
  const weft_distance *distance = (const void *)memory->payload[WEFT_BUFFER_DISTANCE];
  const weft_isometric *isometric = (const void *)memory->payload[WEFT_BUFFER_ISOMETRIC];
  const weft_dihedral *dihedral = (const void *)memory->payload[WEFT_BUFFER_DIHEDRAL];
  if (pass->kind == WEFT_PASS_PROJECT_DISTANCE) {
    memcpy(words + 2, &distance[i].rest_length, 2 * sizeof *words);
  } else if (pass->kind == WEFT_PASS_PROJECT_ISOMETRIC) {
    memcpy(words + 4, &isometric[i].weights, 4 * sizeof *words);
  } else {
    memcpy(words + 4, &dihedral[i].rest_angle, sizeof *words);
    memcpy(words + 5, &dihedral[i].compliance, sizeof *words);
    memcpy(words + 6, &dihedral[i].gamma, sizeof *words);
    memcpy(words + 7, &dihedral[i].relaxation, sizeof *words);
  }
  if (pass->variant & WEFT_VARIANT_LAMBDA) pack_multiplier(memory, pass, i, words + 2 * arity);
}

uint32_t *weft_plan_add_words(weft_cpu_plan *plan, size_t count) {
  void *grown = plan->words;
  weft_grow(&grown, &plan->word_capacity, plan->word_count + count, sizeof *plan->words);
  plan->words = grown;
  plan->word_count += count;
  return plan->words + plan->word_count - count;
}

/* ---- building ---- */

weft_cpu_phase *weft_plan_add_phase(weft_cpu_plan *plan) {
  weft_grow((void **)&plan->phases, &plan->phase_capacity, plan->phase_count + 1,
            sizeof *plan->phases);
  weft_cpu_phase *phase = &plan->phases[plan->phase_count++];
  *phase = (weft_cpu_phase){.first = (uint32_t)plan->part_count};
  return phase;
}

weft_cpu_part *weft_plan_add_part(weft_cpu_plan *plan) {
  weft_grow((void **)&plan->parts, &plan->part_capacity, plan->part_count + 1, sizeof *plan->parts);
  weft_cpu_part *part = &plan->parts[plan->part_count++];
  *part = (weft_cpu_part){.first = plan->item_count};
  plan->phases[plan->phase_count - 1].count++;
  return part;
}

/* Items begin on cache lines, so that what is a vector in them lies in one. */
static void fill_line(weft_cpu_plan *plan) {
  enum { LINE_WORDS = WEFT_CACHE_LINE / sizeof(uint32_t) };
  size_t over = plan->word_count % LINE_WORDS;
  if (!over) return;
  uint32_t *fill = weft_plan_add_words(plan, LINE_WORDS - over);
  memset(fill, 0, (LINE_WORDS - over) * sizeof *fill);
}

weft_cpu_item *weft_plan_add_item(weft_cpu_plan *plan, weft_cpu_kind kind, uint32_t pass) {
  weft_grow((void **)&plan->items, &plan->item_capacity, plan->item_count + 1, sizeof *plan->items);
  fill_line(plan);
  weft_cpu_item *item = &plan->items[plan->item_count++];
  *item = (weft_cpu_item){.kind = kind, .pass = pass, .at = plan->word_count};
  plan->parts[plan->part_count - 1].count++;
  return item;
}

static void add_run(weft_cpu_plan *plan, weft_cpu_kind kind, uint32_t pass, uint32_t first,
                    uint32_t count) {
  weft_cpu_item *item = weft_plan_add_item(plan, kind, pass);
  item->first = first;
  item->count = count;
}

void weft_plan_add_runs(weft_cpu_plan *plan, weft_cpu_kind kind, uint32_t pass,
                        const uint32_t *numbers, uint32_t count) {
  for (uint32_t k = 0; k < count;) {
    uint32_t run = 1;
    while (k + run < count && numbers[k + run] == numbers[k] + run) ++run;
    add_run(plan, kind, pass, numbers[k], run);
    k += run;
  }
}

static uint32_t arity_of(const weft_pass *pass) {
  return pass->kind == WEFT_PASS_PROJECT_DISTANCE ? 2 : 4;
}

static void add_blocks(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                       const uint32_t *elements, uint32_t count, uint32_t words) {
  uint32_t lanes = desc->lanes->lanes, blocks = (count + lanes - 1) / lanes;
  weft_plan_add_item(plan, WEFT_CPU_BLOCKS, pass)->count = blocks;
  uint32_t *block = weft_plan_add_words(plan, (size_t)blocks * words * lanes);
  for (uint32_t k = 0; k < blocks * lanes; ++k) {
    uint32_t one[WEFT_PACKED_MOST], arity = arity_of(&plan->passes[pass]);
    weft_plan_pack(desc->memory, &plan->passes[pass], elements[k < count ? k : count - 1], one);
    for (uint32_t w = 0; w < words; ++w) {
      bool particle = w < arity; /* as bytes from the first */
      block[w * lanes + k % lanes] = particle ? one[w] * (uint32_t)sizeof(vec4) : one[w];
    }
    if (k % lanes == lanes - 1) block += (size_t)words * lanes;
  }
}

void weft_plan_add_elements(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                            const uint32_t *elements, uint32_t count) {
  uint32_t words = weft_plan_packed_words(desc, &plan->passes[pass]);
  if (words && count) add_blocks(plan, desc, pass, elements, count, words);
  if (!words) weft_plan_add_runs(plan, WEFT_CPU_RUN, pass, elements, count);
}

/* Ranges are whole vectors. */
enum { LEAST_RANGE = 64 };

/* What a work group does is a range of its own; bundles of lines fill a vector. */
static uint32_t least_range(const weft_plan_desc *desc, const weft_pass *pass) {
  if (weft_plan_packs_lines(desc, pass)) return desc->lanes->lanes;
  return weft_pass_by_group(pass->kind) ? 1 : LEAST_RANGE;
}

static uint32_t range_end(uint32_t count, uint32_t part, uint32_t parts, uint32_t least) {
  if (part + 1 == parts) return count;
  uint64_t end = (uint64_t)count * (part + 1) / parts;
  return (uint32_t)(end / least * least);
}

void weft_plan_add_pass(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass) {
  const weft_pass *p = &plan->passes[pass];
  bool whole = weft_cpu_role_of(p) == WEFT_CPU_WHOLE;
  uint32_t least = least_range(desc, p), most = p->count / least + 1;
  uint32_t parts = whole ? 1 : desc->members < most ? desc->members : most;
  weft_plan_add_phase(plan);
  for (uint32_t k = 0; k < parts; ++k) {
    uint32_t begin = k ? range_end(p->count, k - 1, parts, least) : 0;
    uint32_t end = range_end(p->count, k, parts, least);
    weft_plan_add_part(plan);
    if (weft_plan_packs_levels(desc, p)) {
      weft_plan_add_levels(plan, desc, pass, begin, end);
      continue;
    }
    if (weft_plan_packs_lines(desc, p)) {
      weft_plan_add_lines(plan, desc, pass, begin, end);
      continue;
    }
    if (!weft_plan_packed_words(desc, p)) {
      add_run(plan, WEFT_CPU_RUN, pass, begin, end - begin);
      continue;
    }
    uint32_t *elements = weft_alloc(end - begin, sizeof *elements);
    for (uint32_t e = begin; e < end; ++e) elements[e - begin] = e;
    weft_plan_add_elements(plan, desc, pass, elements, end - begin);
    weft_free(elements);
  }
}

/* Passes [first, end) that tiles can take. */
static bool may_be_tiled(const weft_pass *pass, bool particles) {
  weft_cpu_role role = weft_cpu_role_of(pass);
  return role == WEFT_CPU_BATCH || (particles && role == WEFT_CPU_PARTICLES);
}

/* A member costs barriers, and on a busy machine the wait for one that does not run: it must find a
 * fifth of a millisecond of work. */
enum { LEAST_FOR_A_MEMBER = 65536 };

static uint32_t useful_members(const weft_memory *memory, const weft_pass *passes, uint32_t count,
                               uint32_t members) {
  uint64_t elements = 0;
  for (uint32_t k = 0; k < count; ++k) {
    bool lines = passes[k].kind == WEFT_PASS_PROJECT_LINES;
    elements += lines ? weft_plan_line_edges(memory, &passes[k]) : passes[k].count;
  }
  uint64_t most = elements / LEAST_FOR_A_MEMBER;
  return most < 1 ? 1 : most < members ? (uint32_t)most : members;
}

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

/* Where the passes end that can be tiled together with this one. */
static uint32_t tiled_end(const weft_cpu_plan *plan, uint32_t first) {
  uint32_t end = first;
  if (plan->split && plan->passes[first].kind == WEFT_PASS_LEVEL_SPREAD) ++end;
  while (end < plan->pass_count && may_be_tiled(&plan->passes[end], true)) ++end;
  return end;
}

/* Words grew with the plan; for good they get an array of their own, of their size. */
static void settle_words(weft_cpu_plan *plan) {
  uint32_t *words = weft_alloc_lines(plan->word_count, sizeof *words);
  if (plan->word_count) memcpy(words, plan->words, plan->word_count * sizeof *words);
  weft_free(plan->words);
  plan->words = words;
  plan->word_capacity = plan->word_count;
}

void weft_plan_build(const weft_plan_desc *given, const weft_pass *passes, uint32_t count,
                     weft_cpu_plan *plan) {
  weft_plan_desc tight = *given;
  const weft_plan_desc *desc = &tight;
  if (!given->exactly) tight.members = useful_members(given->memory, passes, count, given->members);
  *plan = (weft_cpu_plan){.pass_count = count, .members = desc->members};
  memcpy(plan->passes, passes, count * sizeof *passes);
  for (uint32_t k = 0; k < count;) {
    uint32_t end = tiled_end(plan, k);
    if (levels_are_split(plan, desc, k)) {
      weft_plan_add_split(plan, desc, k);
      plan->split = true;
    }
    if (end - k > 1 && desc->tile && weft_plan_add_tiles(plan, desc, k, end)) {
      k = end;
      plan->split = false;
    } else {
      weft_plan_add_pass(plan, desc, k);
      plan->split =
          plan->split && (passes[k].kind == WEFT_PASS_LEVEL_GATHER || is_among_nodes(&passes[k]));
      ++k;
    }
  }
  settle_words(plan);
}

void weft_plan_free(weft_cpu_plan *plan) {
  weft_free(plan->items);
  weft_free(plan->parts);
  weft_free(plan->phases);
  weft_free(plan->words);
  *plan = (weft_cpu_plan){0};
}

bool weft_plan_fits(const weft_cpu_plan *plan, const weft_pass *passes, uint32_t count) {
  if (plan->pass_count != count) return false;
  for (uint32_t k = 0; k < count; ++k) {
    const weft_pass *a = &plan->passes[k], *b = &passes[k];
    bool same = a->kind == b->kind && a->variant == b->variant && a->first == b->first &&
                a->count == b->count && a->delta_first == b->delta_first;
    if (!same) return false;
  }
  return true;
}
