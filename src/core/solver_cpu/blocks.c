/* blocks.c: elements of a pass packed off the grid: as rows (rows.c) where they may be, else as
 * blocks of a vector's constraints, an array a field; or, with no vector version, as runs. */
#include "base.h"
#include "plan.h"
#include "solver.h"

/* Whether there is a path without care for these constraints, and all may take it. */
static bool are_fast_safe(const weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                          const uint32_t *elements, uint32_t count) {
  const weft_pass *p = &plan->passes[pass];
  bool acts_always = p->acts == WEFT_ACTS_ALWAYS && !p->variant;
  if (!acts_always || !desc->lanes->project_tame[weft_pass_constraint(p->kind)]) return false;
  return weft_plan_are_fast_safe(desc->memory, p, elements, count);
}

static void add_blocks(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                       const uint32_t *elements, uint32_t count, uint32_t words) {
  uint32_t lanes = desc->lanes->lanes, blocks = (count + lanes - 1) / lanes;
  int type = weft_pass_constraint(plan->passes[pass].kind);
  uint32_t places = weft_constraint_infos[type].pair ? 2 : 4;
  weft_cpu_item *item = weft_plan_add_item(plan, WEFT_CPU_BLOCKS, pass);
  item->count = blocks;
  item->first = are_fast_safe(plan, desc, pass, elements, count);
  uint32_t *block = weft_plan_add_words(plan, (size_t)blocks * words * lanes);
  for (uint32_t k = 0; k < blocks * lanes; ++k) {
    uint32_t one[WEFT_PACKED_MAX];
    weft_plan_pack(desc->memory, &plan->passes[pass], elements[k < count ? k : count - 1], one);
    for (uint32_t w = 0; w < words; ++w) {
      bool particle = w < places; /* as bytes from the first */
      block[w * lanes + k % lanes] = particle ? one[w] * (uint32_t)sizeof(vec4) : one[w];
    }
    if (k % lanes == lanes - 1) block += (size_t)words * lanes;
  }
}

void weft_plan_add_elements(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                            const uint32_t *elements, uint32_t count) {
  uint32_t words = weft_plan_packed_words(desc, &plan->passes[pass]);
  bool rows = count && weft_plan_packs_rows(desc, &plan->passes[pass]);
  if (rows && weft_plan_add_rows(plan, desc, pass, elements, count)) return;
  if (words && count) add_blocks(plan, desc, pass, elements, count, words);
  if (!words) weft_plan_add_runs(plan, WEFT_CPU_RUN, pass, elements, count);
}
