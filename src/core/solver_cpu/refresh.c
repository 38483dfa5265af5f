/* refresh.c: a plan whose constraints have other numbers, and nothing else: those are packed anew
 * where they lie. */
#include <string.h>

#include "base.h"
#include "plan.h"

typedef struct item {
  const weft_plan_desc *desc;
  const weft_pass *pass;
  const weft_cpu_item *of;
  const uint32_t *sources;
  uint32_t *words;
  uint32_t places, numbers; /* of a constraint; its terms and multiplier follow */
} item;

/* Its words; false where it may not take the fast path, and has to. */
static bool pack(const item *t, uint32_t source, bool fast, uint32_t one[WEFT_PACKED_MAX]) {
  const vec4 *x = (const void *)t->desc->memory->payload[WEFT_BUFFER_X];
  weft_plan_pack(t->desc->memory, t->pass, source, one);
  if (!fast) return true;
  return weft_plan_fast_safe(weft_pass_constraint(t->pass->kind), x, one, one + t->places);
}

/* Numbers of a vector of constraints; one that is not full repeats the last. */
static bool put_vector(const item *t, const uint32_t *sources, uint32_t count, bool fast,
                       uint32_t *to) {
  const uint32_t lanes = t->desc->lanes->lanes;
  uint32_t one[WEFT_PACKED_MAX];
  for (uint32_t l = 0; l < lanes; ++l) {
    if (l < count && !pack(t, sources[l], fast, one)) return false;
    for (uint32_t w = 0; w < t->numbers; ++w) to[w * lanes + l] = one[t->places + w];
  }
  return true;
}

static bool put_blocks(const item *t) {
  const uint32_t lanes = t->desc->lanes->lanes, count = (uint32_t)t->of->source_count;
  const size_t step = (size_t)weft_plan_packed_words(t->desc, t->pass) * lanes;
  uint32_t *to = t->words + t->places * lanes;
  for (uint32_t k = 0; k < count; k += lanes, to += step) {
    if (!put_vector(t, t->sources + k, count - k, t->of->fast, to)) return false;
  }
  return true;
}

/* Narrow numbers may not fit any longer. */
static bool put_strips(const item *t) {
  const uint32_t lanes = t->desc->lanes->lanes;
  const uint32_t *sources = t->sources;
  uint32_t *strip = t->words;
  for (uint32_t s = 0; s < t->of->count; ++s) {
    const uint32_t vectors = strip[WEFT_STRIP_VECTORS], last = strip[WEFT_STRIP_LAST];
    const bool fast = strip[WEFT_STRIP_FAST_SAFE];
    if (strip[WEFT_STRIP_NARROW]) return false;
    strip += weft_strip_head(t->places);
    for (uint32_t v = 0; v < vectors; ++v, strip += t->numbers * lanes) {
      const uint32_t count = v + 1 < vectors ? lanes : last;
      if (!put_vector(t, sources, count, fast, strip)) return false;
      sources += count;
    }
  }
  return true;
}

static bool put_quads(const item *t) {
  const vec4 *x = (const void *)t->desc->memory->payload[WEFT_BUFFER_X];
  const uint32_t side = t->desc->lanes->lanes / 4, count = (uint32_t)t->of->source_count;
  uint32_t one[WEFT_PACKED_MAX];
  for (uint32_t k = 0; k < t->of->count * side; ++k) {
    if (k < count && !pack(t, t->sources[k], true, one)) return false;
    weft_plan_put_bend(x, one, t->words + (size_t)(k / side) * side * WEFT_ROW_WORDS, k % side,
                       side);
  }
  return true;
}

static bool put_constraints(item *t) {
  const weft_constraint_info *info = &weft_constraint_infos[weft_pass_constraint(t->pass->kind)];
  const bool terms = t->pass->variant & WEFT_VARIANT_LAMBDA && info->terms;
  t->places = info->pair ? 2 : 4;
  t->numbers = t->places + (terms ? 2 : 0);
  if (t->of->layout == WEFT_QUADS) return put_quads(t);
  return t->of->layout == WEFT_UNIT ? put_strips(t) : put_blocks(t);
}

static void put_compliances(const item *t) {
  const weft_line_edge *edges = weft_plan_edges(t->desc);
  const size_t lanes = t->desc->lanes->lanes;
  uint32_t *block = t->words;
  for (uint32_t k = 0; k < t->of->count; ++k, block += block[WEFT_LINES_WORDS]) {
    const uint32_t *of_lanes = block + WEFT_LINES_HEAD;
    uint32_t *numbers = block + block[WEFT_LINES_WEIGHTS] + block[WEFT_LINES_SLOTS] * lanes;
    for (size_t l = 0; l < lanes; ++l) {
      const weft_line_edge *edge = edges + of_lanes[WEFT_LINES_FIRST * lanes + l];
      const uint32_t count = of_lanes[WEFT_LINES_LANE_EDGES * lanes + l];
      for (uint32_t e = 0; e < count; ++e, ++edge) {
        memcpy(numbers + (2 * e + 1) * lanes + l, &edge->compliance, sizeof *numbers);
      }
    }
  }
}

bool weft_plan_refresh(weft_cpu_plan *plan, const weft_plan_desc *desc) {
  if (!plan->remembers || plan->crowd) return false;
  for (size_t p = 0; p < plan->part_count; ++p) {
    const weft_cpu_part *part = &plan->parts[p];
    for (size_t i = part->first; i < part->first + part->count; ++i) {
      const weft_cpu_item *of = &plan->items[i];
      item t = {.desc = desc, .pass = &plan->passes[of->pass], .of = of};
      t.words = part->words ? part->words + of->at : NULL;
      t.sources = part->sources ? part->sources + of->sources : NULL;
      if (of->kind == WEFT_CPU_PROJECT && !put_constraints(&t)) return false;
      if (of->kind == WEFT_CPU_LINES) put_compliances(&t);
    }
  }
  return true;
}
