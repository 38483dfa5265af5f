/* crowd.c: the plan of passes on the parts of a joined model side by side: see crowd.h. */
#include "crowd.h"

#include <string.h>

#include "base.h"
#include "grid_layout.h"
#include "plan.h"

/* Parts of a block, and elements of a pass that each has. */
typedef struct block {
  weft_cpu_plan *plan;
  const weft_plan_desc *desc;
  uint32_t pass, each;
} block;

/* An element of the part in a lane, counted from the pass's first. */
static uint32_t element_of(const block *b, uint32_t element, uint32_t lane) {
  return weft_crowd_part(b->desc->crowd, b->desc->block, lane) * b->each + element;
}

/* ---- constraints ---- */

/* A constraint of every part: so many words of particles, then of numbers. */
typedef struct constraint {
  uint32_t words[WEFT_LANES_MAX][WEFT_PACKED_MAX], each;
} constraint;

static uint32_t each_of(weft_pass_kind kind) {
  return weft_constraint_infos[weft_pass_constraint(kind)].pair ? 2 : 4;
}

/* Returns the WEFT_CROWD_ bits that it allows. */
static uint32_t pack(const block *b, uint32_t number, constraint *c) {
  const weft_pass *pass = &b->plan->passes[b->pass];
  const vec4 *x = (const void *)b->desc->memory->payload[WEFT_BUFFER_X];
  int type = weft_pass_constraint(pass->kind);
  bool same = true, safe = true;
  c->each = each_of(pass->kind);
  for (uint32_t l = 0; l < b->desc->lanes->lanes; ++l) {
    uint32_t particles[4], *values = c->words[l] + c->each;
    weft_plan_pack(b->desc->memory, pass, element_of(b, number, l), c->words[l]);
    memcpy(particles, c->words[l], c->each * sizeof *particles);
    safe = safe && weft_plan_fast_safe(type, x, particles, values);
    same = same && memcmp(values, c->words[0] + c->each, c->each * sizeof *values) == 0;
  }
  return (same ? WEFT_CROWD_SAME : 0) | (safe ? WEFT_CROWD_FAST_SAFE : 0);
}

static void put_places(const block *b, const constraint *c, uint32_t *to) {
  for (uint32_t a = 0; a < c->each; ++a) to[a] = weft_plan_place(b->desc, c->words[0][a], 0);
}

static void put_values(const constraint *c, uint32_t lanes, uint32_t *to) {
  for (uint32_t l = 0; l < lanes; ++l) {
    for (uint32_t w = 0; w < c->each; ++w) to[w * lanes + l] = c->words[l][c->each + w];
  }
}

static void add_constraints(const block *b) {
  uint32_t each = each_of(b->plan->passes[b->pass].kind), how = UINT32_MAX;
  constraint c;
  for (uint32_t k = 0; k < b->each; ++k) how &= pack(b, k, &c);
  uint32_t lanes = how & WEFT_CROWD_SAME ? 1 : b->desc->lanes->lanes;
  weft_cpu_item *item = weft_plan_add_packed(b->plan, WEFT_CPU_PROJECT, WEFT_BESIDE, b->pass);
  item->first = how;
  item->count = b->each;
  uint32_t *places = weft_plan_add_words(b->plan, (size_t)b->each * each);
  for (uint32_t k = 0; k < b->each; ++k, places += each) {
    pack(b, k, &c);
    put_places(b, &c, places);
  }
  weft_plan_fill_line(b->plan);
  uint32_t *values = weft_plan_add_words(b->plan, (size_t)b->each * each * lanes);
  for (uint32_t k = 0; k < b->each; ++k, values += each * lanes) {
    pack(b, k, &c);
    put_values(&c, lanes, values);
  }
}

/* ---- lines ---- */

static void add_lines(const block *b) {
  const weft_memory *memory = b->desc->memory;
  const weft_line_bundle *all = (const void *)memory->payload[WEFT_BUFFER_LINE_BUNDLES];
  weft_line_bundle bundles[WEFT_LANES_MAX];
  all += b->plan->passes[b->pass].first;
  for (uint32_t k = 0; k < b->each; ++k) {
    if (all[element_of(b, k, 0)].count == 0) continue;
    for (uint32_t l = 0; l < b->desc->lanes->lanes; ++l) {
      bundles[l] = all[element_of(b, k, l)];
      bundles[l].first -= weft_plan_first_edge(b->desc->crowd, memory, b->desc->block);
    }
    weft_plan_add_crowd_lines(b->plan, b->desc, b->pass, bundles);
  }
}

/* ---- all ---- */

static void add_pass(const block *b) {
  const weft_pass *pass = &b->plan->passes[b->pass];
  if (weft_pass_constraint(pass->kind) >= 0) {
    add_constraints(b);
  } else if (pass->kind == WEFT_PASS_PROJECT_LINES) {
    add_lines(b);
  } else if (pass->kind == WEFT_PASS_LRA) {
    weft_plan_add_crowd_lra(b->plan, b->desc, b->pass);
  } else {
    weft_plan_add_run(b->plan, WEFT_CPU_STAYING, b->pass, 0, b->each);
  }
}

static bool can_crowd(const weft_crowd *crowd, const weft_lanes *lanes, const weft_pass *pass,
                      bool begins, bool ends) {
  int type = weft_pass_constraint(pass->kind);
  if (pass->count % crowd->parts) return false;
  if (type >= 0) return !pass->variant && lanes->project[type][WEFT_BESIDE];
  if (weft_cpu_is_of_levels(pass->kind) || !weft_cpu_pass_can_stay(pass)) return false;
  if (pass->kind == WEFT_PASS_PROJECT_BENDS) return false;
  if (pass->kind == WEFT_PASS_PREDICT) return begins;
  return pass->kind != WEFT_PASS_UPDATE_VELOCITY || ends;
}

bool weft_plan_can_crowd(const weft_crowd *crowd, const weft_lanes *lanes, const weft_pass *passes,
                         uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    if (!can_crowd(crowd, lanes, &passes[k], k == 0, k + 1 == count)) return false;
  }
  return true;
}

/* Where all parts are of one fabric, blocks have the same words. */
static void share_words(weft_cpu_plan *plan) {
  weft_cpu_part *last = &plan->parts[plan->part_count - 1];
  const weft_cpu_part *first = plan->parts;
  bool same = last != first && last->word_count == first->word_count;
  if (!same || memcmp(last->words, first->words, last->word_count * sizeof *last->words) != 0) {
    return;
  }
  weft_free(last->room);
  last->room = NULL;
  last->words = first->words;
}

void weft_plan_add_crowd(weft_cpu_plan *plan, const weft_plan_desc *given) {
  weft_plan_desc desc = *given;
  plan->stays = plan->crowd = true;
  weft_plan_add_phase(plan);
  for (desc.block = 0; desc.block < desc.crowd->blocks; ++desc.block) {
    weft_plan_add_part(plan);
    for (uint32_t k = 0; k < plan->pass_count; ++k) {
      block b = {plan, &desc, k, plan->passes[k].count / desc.crowd->parts};
      add_pass(&b);
      if (weft_plan_settles(plan->passes, plan->pass_count, k)) ++k;
    }
    share_words(plan);
    plan->room = plan->parts->word_count;
  }
}
