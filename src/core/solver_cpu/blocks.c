/* blocks.c: constraints of a pass packed off the grid: as quads (rows.c) where they may be, else as
 * blocks of a vector's constraints; or, with no vector version, as runs. */
#include "base.h"
#include "plan.h"
#include "solver.h"

/* Whether there is a fast path for these constraints, and all may take it. */
static bool are_fast_safe(const weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                          const uint32_t *elements, uint32_t count) {
  const weft_pass *p = &plan->passes[pass];
  bool acts_always = p->acts == WEFT_ACTS_ALWAYS && !p->variant;
  int type = weft_pass_constraint(p->kind);
  if (!acts_always || !desc->lanes->project_fast[type][WEFT_ROWS]) return false;
  return weft_plan_are_fast_safe(desc->memory, p, elements, count);
}

/* Particles as bytes from the first row. */
static void add_blocks(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                       const uint32_t *elements, uint32_t count, uint32_t words) {
  const weft_pass *of = &plan->passes[pass];
  uint32_t places = weft_constraint_infos[weft_pass_constraint(of->kind)].pair ? 2 : 4;
  weft_plan_elements e = {
      .kind = WEFT_CPU_PROJECT, .pass = pass, .places = places, .values = words - places};
  e.sources = elements;
  e.words = weft_alloc((size_t)count * words, sizeof *e.words);
  uint32_t *which = weft_alloc(count, sizeof *which);
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t one[WEFT_PACKED_MAX];
    weft_plan_pack(desc->memory, of, elements[k], one);
    which[k] = k;
    for (uint32_t w = 0; w < words; ++w) {
      e.words[(size_t)k * words + w] = w < places ? one[w] * (uint32_t)sizeof(vec4) : one[w];
    }
  }
  weft_cpu_item *item = weft_plan_add_blocks(plan, desc, &e, WEFT_ROWS, which, count);
  item->fast = are_fast_safe(plan, desc, pass, elements, count);
  weft_free(e.words);
  weft_free(which);
}

void weft_plan_add_elements(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                            const uint32_t *elements, uint32_t count) {
  uint32_t words = weft_plan_packed_words(desc, &plan->passes[pass]);
  bool quads = count && weft_plan_packs_quads(desc, &plan->passes[pass]);
  if (quads && weft_plan_add_quads(plan, desc, pass, elements, count)) return;
  if (words && count) add_blocks(plan, desc, pass, elements, count, words);
  if (!words) weft_plan_add_runs(plan, WEFT_CPU_RUN, pass, elements, count);
}
