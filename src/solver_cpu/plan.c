/* plan.c: roles of passes, packing, and what plans are made of. */
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

void weft_plan_add_run(weft_cpu_plan *plan, weft_cpu_kind kind, uint32_t pass, uint32_t first,
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
    weft_plan_add_run(plan, kind, pass, numbers[k], run);
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
