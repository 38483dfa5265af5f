/* lines.c: project_lines, packed for vectors: a bundle a lane. Bundles of a colour come longest
 * first, so those of a vector are much alike. */
#include <string.h>

#include "base.h"
#include "plan.h"

bool weft_plan_packs_lines(const weft_plan_desc *desc, const weft_pass *pass) {
  bool lines = pass->kind == WEFT_PASS_PROJECT_LINES || pass->kind == WEFT_PASS_PROJECT_BENDS;
  return desc->lanes && lines;
}

uint32_t weft_plan_line_edges(const weft_memory *memory, const weft_pass *pass) {
  const weft_line_bundle *bundles = (const void *)memory->payload[WEFT_BUFFER_LINE_BUNDLES];
  uint32_t count = 0;
  for (uint32_t k = 0; k < pass->count; ++k) count += bundles[pass->first + k].count;
  return count;
}

/* Where a particle is that a lane works on: its place in split positions, or bytes from the first
 * row. */
static uint32_t word_of(const weft_plan_desc *desc, bool split, uint32_t particle, uint32_t lane) {
  return split ? weft_plan_place(desc, particle, lane) : particle * (uint32_t)sizeof(vec4);
}

/* Words of a block's edge `k` for one lane; past the end of a bundle those of its last edge. */
static void put_edge(const weft_plan_desc *desc, bool split, const weft_line_bundle *bundle,
                     uint32_t k, uint32_t lane, uint32_t *words) {
  const weft_line_edge *e = weft_plan_edges(desc) + bundle->first;
  e += k < bundle->count ? k : bundle->count - 1;
  uint32_t lanes = desc->lanes->lanes;
  words += lane;
  words[0] = word_of(desc, split, e->a, lane);
  words[lanes] = word_of(desc, split, e->b, lane);
  memcpy(words + 2 * (size_t)lanes, &e->rest_length, sizeof *words);
  memcpy(words + 3 * (size_t)lanes, &e->compliance, sizeof *words);
}

static void put_head(const weft_line_bundle *bundles, uint32_t count, uint32_t head[4]) {
  head[WEFT_LINES_MAX] = head[WEFT_LINES_MAX_STEPS] = 0;
  head[WEFT_LINES_MIN] = head[WEFT_LINES_MIN_STEPS] = UINT32_MAX;
  for (uint32_t l = 0; l < count; ++l) {
    const weft_line_bundle *b = bundles + l;
    if (b->count > head[WEFT_LINES_MAX]) head[WEFT_LINES_MAX] = b->count;
    if (b->count < head[WEFT_LINES_MIN]) head[WEFT_LINES_MIN] = b->count;
    if (b->steps > head[WEFT_LINES_MAX_STEPS]) head[WEFT_LINES_MAX_STEPS] = b->steps;
    if (b->steps < head[WEFT_LINES_MIN_STEPS]) head[WEFT_LINES_MIN_STEPS] = b->steps;
  }
}

/* Where there are fewer bundles than lanes, the last is solved, and written, more than once. */
static void add_block(weft_cpu_plan *plan, const weft_plan_desc *desc,
                      const weft_line_bundle *bundles, uint32_t count) {
  uint32_t lanes = desc->lanes->lanes, head[4];
  put_head(bundles, count, head);
  size_t step = (size_t)WEFT_EDGE_WORDS * lanes;
  size_t words = WEFT_LINES_HEAD + WEFT_BUNDLE_WORDS * lanes + head[WEFT_LINES_MAX] * step;
  uint32_t *to = weft_plan_add_words(plan, words);
  memcpy(to, head, sizeof head);
  to += WEFT_LINES_HEAD;
  for (uint32_t l = 0; l < lanes; ++l) {
    const weft_line_bundle *bundle = bundles + (l < count ? l : count - 1);
    to[l] = bundle->first;
    to[lanes + l] = bundle->count;
    to[2 * lanes + l] = bundle->steps;
    memcpy(to + 3 * lanes + l, &bundle->scale, sizeof *to);
    for (uint32_t k = 0; k < head[WEFT_LINES_MAX]; ++k) {
      put_edge(desc, plan->stays, bundle, k, l, to + WEFT_BUNDLE_WORDS * lanes + k * step);
    }
  }
}

void weft_plan_add_lines(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                         uint32_t begin, uint32_t end) {
  const weft_line_bundle *all = (const void *)desc->memory->payload[WEFT_BUFFER_LINE_BUNDLES];
  all += plan->passes[pass].first;
  if (plan->passes[pass].kind == WEFT_PASS_PROJECT_BENDS) {
    weft_plan_add_bends(plan, desc, pass, begin, end);
    return;
  }
  uint32_t count = 0, blocks = 0, lanes = desc->lanes->lanes;
  weft_line_bundle *bundles = weft_alloc(end - begin, sizeof *bundles);
  for (uint32_t k = begin; k < end; ++k) {
    if (all[k].count) bundles[count++] = all[k];
  }
  if (plan->stays) count = weft_plan_add_alike_lines(plan, desc, pass, bundles, count);
  size_t item = plan->item_count;
  if (count) weft_plan_add_item(plan, plan->stays ? WEFT_CPU_SPLIT_LINES : WEFT_CPU_LINES, pass);
  for (uint32_t k = 0; k < count; k += lanes, ++blocks) {
    add_block(plan, desc, bundles + k, count - k < lanes ? count - k : lanes);
  }
  if (count) plan->items[item].count = blocks;
  weft_free(bundles);
}

void weft_plan_add_crowd_lines(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                               weft_line_bundle *bundles) {
  if (weft_plan_add_alike_bundle(plan, desc, pass, bundles)) return;
  weft_plan_add_item(plan, WEFT_CPU_SPLIT_LINES, pass)->count = 1;
  add_block(plan, desc, bundles, desc->lanes->lanes);
}
