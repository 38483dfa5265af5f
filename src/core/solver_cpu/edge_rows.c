/* edge_rows.c: edges of a level whose nodes follow each other in memory, as those of a grid do:
 * they are loaded in whole vectors. Abreast: first nodes follow each other, and second ones. End to
 * end: all nodes do, edge by edge. */
#include <string.h>

#include "base.h"
#include "plan.h"

typedef struct packing {
  weft_cpu_plan *plan;
  const weft_level_edge *edges;
  uint32_t lanes, pass;
} packing;

/* Whether edge b is by so much further than a, at both ends. */
static bool is_further(const weft_level_edge *a, const weft_level_edge *b, uint32_t step) {
  return b->a == a->a + step && b->b == a->b + step;
}

/* Of edges that follow e[0] in these steps, as many as there are lanes. */
static bool make_a_vector(const packing *p, const uint32_t *e, uint32_t count, uint32_t step) {
  if (count < p->lanes) return false;
  for (uint32_t k = 1; k < p->lanes; ++k) {
    if (!is_further(&p->edges[e[k - 1]], &p->edges[e[k]], step)) return false;
  }
  return true;
}

static bool are_abreast(const packing *p, const uint32_t *e, uint32_t count) {
  return make_a_vector(p, e, count, 1);
}

static bool are_end_to_end(const packing *p, const uint32_t *e, uint32_t count) {
  const weft_level_edge *first = &p->edges[e[0]];
  return p->lanes > 4 && first->b == first->a + 1 && make_a_vector(p, e, count, 2);
}

/* Which of as many that follow each other in memory a lane has where vectors of them are loaded
 * whole and transposed; and which edge, where those vectors hold both ends of each. */
static uint32_t lane_in_a_row(uint32_t lane, uint32_t lanes) {
  return lane % 4 * (lanes / 4) + lane / 4;
}

static uint32_t lane_end_to_end(uint32_t lane, uint32_t lanes) {
  uint32_t half = lanes / 2;
  return lane - lane % half + lane % 4 * (lanes / 8) + lane % half / 4;
}

static void add_block(const packing *p, const uint32_t *e, bool abreast) {
  uint32_t words = WEFT_EDGES_HEAD + 2 * p->lanes;
  uint32_t *to = weft_plan_add_words(p->plan, words);
  memset(to, 0, words * sizeof *to);
  to[0] = p->edges[e[0]].a;
  to[1] = p->edges[e[0]].b;
  to += WEFT_EDGES_HEAD;
  for (uint32_t lane = 0; lane < p->lanes; ++lane) {
    uint32_t own = abreast ? lane_in_a_row(lane, p->lanes) : lane_end_to_end(lane, p->lanes);
    const weft_level_edge *c = &p->edges[e[own]];
    memcpy(to + lane, &c->rest_length, sizeof *to);
    memcpy(to + p->lanes + lane, &c->inv_denominator, sizeof *to);
  }
}

typedef bool make_a_row(const packing *p, const uint32_t *e, uint32_t count);

static uint32_t add_rows(const packing *p, uint32_t *edges, uint32_t count, make_a_row *are_one,
                         weft_layout layout) {
  uint32_t left = 0, blocks = 0;
  size_t item = p->plan->item_count;
  for (uint32_t k = 0; k < count;) {
    if (!are_one(p, edges + k, count - k)) {
      edges[left++] = edges[k++];
      continue;
    }
    if (!blocks++) weft_plan_add_packed(p->plan, WEFT_CPU_EDGES, layout, p->pass);
    add_block(p, edges + k, layout == WEFT_ABREAST);
    k += p->lanes;
  }
  if (blocks) p->plan->items[item].count = blocks;
  return left;
}

uint32_t weft_plan_add_edge_rows(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                                 uint32_t *edges, uint32_t count) {
  const packing p = {.plan = plan,
                     .edges = (const void *)desc->memory->payload[WEFT_BUFFER_LEVEL_EDGES],
                     .lanes = desc->lanes->lanes,
                     .pass = pass};
  uint32_t left = add_rows(&p, edges, count, are_abreast, WEFT_ABREAST);
  return add_rows(&p, edges, left, are_end_to_end, WEFT_END_TO_END);
}
