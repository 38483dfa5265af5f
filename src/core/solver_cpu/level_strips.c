/* level_strips.c: the way between a grid and its finest level on split positions (see weft_halves).
 *
 * Nodes side by side in a row of the level have children one place apart, and particles one place
 * apart follow nodes side by side: so both are strips, and no rows need to be transposed. */
#include <string.h>

#include "base.h"
#include "plan.h"

/* How many of a run make a strip: whole vectors, and what is left if that fills a quarter of one.
 */
static uint32_t strip_of(uint32_t run, uint32_t lanes) {
  uint32_t left = run % lanes;
  return left * 4 < lanes ? run - left : run;
}

/* Words, rounded up to whole lines. */
static uint32_t head_words(uint32_t entries) { return (entries + 7) / 8 * 8; }

static uint32_t place_of(const weft_plan_desc *desc, uint32_t particle) {
  return (uint32_t)weft_halves_place(desc->halves, particle);
}

/* ---- level_gather ---- */

static const weft_level_child *children_of(const weft_plan_desc *desc, uint32_t node,
                                           uint32_t *count) {
  const uint32_t *offsets = (const void *)desc->memory->payload[WEFT_BUFFER_LEVEL_OFFSETS];
  *count = offsets[node + 1] - offsets[node];
  const weft_level_child *all = (const void *)desc->memory->payload[WEFT_BUFFER_LEVEL_CHILDREN];
  return all + offsets[node];
}

/* Whether all children of the second are one place further than those of the first. */
static bool one_place_on(const weft_plan_desc *desc, uint32_t first, uint32_t second) {
  uint32_t counts[2];
  const weft_level_child *a = children_of(desc, first, &counts[0]);
  const weft_level_child *b = children_of(desc, second, &counts[1]);
  if (counts[0] != counts[1]) return false;
  for (uint32_t k = 0; k < counts[0]; ++k) {
    if (place_of(desc, b[k].node) != place_of(desc, a[k].node) + 1) return false;
  }
  return true;
}

static void add_mean_strip(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                           uint32_t first, uint32_t nodes) {
  uint32_t count, lanes = desc->lanes->lanes, vectors = (nodes + lanes - 1) / lanes;
  const weft_level_child *children = children_of(desc, first, &count);
  weft_cpu_item *item = weft_plan_add_item(plan, WEFT_CPU_MEAN_STRIP, pass);
  item->first = count;
  item->count = vectors;
  size_t values = (size_t)(count - 1) * lanes, head = head_words(2 + count);
  uint32_t *words = weft_plan_add_words(plan, head + vectors * values);
  memset(words, 0, (head + vectors * values) * sizeof *words);
  words[0] = first;
  words[1] = nodes - (vectors - 1) * lanes;
  for (uint32_t k = 0; k < count; ++k) words[2 + k] = place_of(desc, children[k].node);
  words += head;
  for (uint32_t n = 0; n < nodes; ++n) {
    uint32_t *vector = words + n / lanes * values + n % lanes;
    children = children_of(desc, first + n, &count);
    for (uint32_t k = 1; k < count; ++k) {
      memcpy(vector + (size_t)(k - 1) * lanes, &children[k].share, sizeof *vector);
    }
  }
}

uint32_t weft_plan_add_mean_strips(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                                   uint32_t begin, uint32_t end, uint32_t *left) {
  uint32_t left_count = 0, lanes = desc->lanes->lanes;
  for (uint32_t n = begin; n < end;) {
    uint32_t run = 1, count;
    while (n + run < end && one_place_on(desc, n + run - 1, n + run)) ++run;
    children_of(desc, n, &count);
    uint32_t nodes = count ? strip_of(run, lanes) : 0;
    if (nodes) {
      add_mean_strip(plan, desc, pass, n, nodes);
      n += nodes;
    } else {
      left[left_count++] = n++;
    }
  }
  return left_count;
}

/* ---- level_spread ---- */

typedef struct follower {
  uint32_t place, count, nodes[4], weights[4];
} follower;

static follower follower_of(const weft_plan_desc *desc, uint32_t particle) {
  const weft_level_parents *rows = (const void *)desc->memory->payload[WEFT_BUFFER_LEVEL_PARENTS];
  follower f = {.place = place_of(desc, particle)};
  memcpy(f.nodes, &rows[particle].nodes, sizeof f.nodes);
  memcpy(f.weights, &rows[particle].weights, sizeof f.weights);
  while (f.count < 4 && f.nodes[f.count] != WEFT_NO_PARENT) ++f.count;
  return f;
}

static bool side_by_side(const follower *a, const follower *b) {
  bool follows = a->count == b->count && b->place == a->place + 1;
  for (uint32_t k = 0; k < a->count && follows; ++k) follows = b->nodes[k] == a->nodes[k] + 1;
  return follows;
}

static void add_follow_strip(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                             const follower *followers, uint32_t particles) {
  uint32_t count = followers[0].count, lanes = desc->lanes->lanes;
  uint32_t vectors = (particles + lanes - 1) / lanes;
  weft_cpu_item *item = weft_plan_add_item(plan, WEFT_CPU_FOLLOW_STRIP, pass);
  item->first = count;
  item->count = vectors;
  size_t size = 8 + (size_t)vectors * count * lanes;
  uint32_t *words = weft_plan_add_words(plan, size);
  memset(words, 0, size * sizeof *words);
  words[0] = followers[0].place;
  memcpy(words + 1, followers[0].nodes, count * sizeof *words);
  words[5] = particles - (vectors - 1) * lanes;
  words += 8;
  for (uint32_t n = 0; n < particles; ++n) {
    uint32_t *vector = words + (size_t)(n / lanes) * count * lanes + n % lanes;
    for (uint32_t k = 0; k < count; ++k) vector[k * lanes] = followers[n].weights[k];
  }
}

/* Those with as many parents as asked for. */
static void add_follow_remainder(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                                 const follower *remainder, uint32_t count, uint32_t parents) {
  uint32_t lanes = desc->lanes->lanes, filled = 0, *block = NULL;
  size_t item = plan->item_count, size = (1 + 2 * (size_t)parents) * lanes;
  for (uint32_t n = 0; n < count; ++n) {
    const follower *f = &remainder[n];
    if (f->count != parents) continue;
    if (!filled) weft_plan_add_item(plan, WEFT_CPU_FOLLOW_REMAINDER, pass)->first = parents;
    if (filled % lanes == 0) block = weft_plan_add_words(plan, size);
    /* Lanes that stay empty do what the last one does. */
    for (uint32_t lane = filled++ % lanes; lane < lanes; ++lane) {
      block[lane] = f->place;
      for (uint32_t k = 0; k < parents; ++k) {
        block[(1 + 2 * k) * lanes + lane] = f->nodes[k];
        block[(2 + 2 * k) * lanes + lane] = f->weights[k];
      }
    }
  }
  if (filled) plan->items[item].count = (filled + lanes - 1) / lanes;
}

void weft_plan_add_follow_strips(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                                 const uint32_t *elements, uint32_t count) {
  follower *followers = weft_alloc(count, sizeof *followers);
  follower *remainder = weft_alloc(count, sizeof *remainder);
  uint32_t filled = 0, remainder_count = 0, lanes = desc->lanes->lanes;
  uint32_t first = plan->passes[pass].first;
  for (uint32_t parity = 0; parity < 2; ++parity) {
    for (uint32_t k = 0; k < count; ++k) {
      uint32_t particle = first + elements[k];
      if (particle % 2 == parity) followers[filled++] = follower_of(desc, particle);
    }
  }
  for (uint32_t k = 0; k < count;) {
    uint32_t run = 1;
    while (k + run < count && side_by_side(&followers[k + run - 1], &followers[k + run])) ++run;
    uint32_t particles = followers[k].count ? strip_of(run, lanes) : 0;
    if (particles) add_follow_strip(plan, desc, pass, followers + k, particles);
    if (!particles) remainder[remainder_count++] = followers[k];
    k += particles ? particles : 1;
  }
  for (uint32_t parents = 1; parents <= 4; ++parents) {
    add_follow_remainder(plan, desc, pass, remainder, remainder_count, parents);
  }
  weft_free(followers);
  weft_free(remainder);
}

/* ---- phases ---- */

static void add_ranges(weft_cpu_plan *plan, const weft_plan_desc *desc, weft_cpu_kind kind,
                       uint32_t pass, uint32_t count) {
  weft_plan_add_phase(plan);
  for (uint32_t m = 0; m < desc->members; ++m) {
    uint32_t begin = (uint32_t)((uint64_t)count * m / desc->members);
    uint32_t end = (uint32_t)((uint64_t)count * (m + 1) / desc->members);
    weft_plan_add_part(plan);
    weft_cpu_item *item = weft_plan_add_item(plan, kind, pass);
    item->first = begin;
    item->count = end - begin;
  }
}

void weft_plan_add_split(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass) {
  add_ranges(plan, desc, WEFT_CPU_SPLIT, pass, weft_plan_cloth(desc));
}

void weft_plan_add_join(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass) {
  add_ranges(plan, desc, WEFT_CPU_JOIN, pass, weft_plan_cloth(desc));
}

void weft_plan_add_split_moves(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass) {
  const weft_level_parents *rows = (const void *)desc->memory->payload[WEFT_BUFFER_LEVEL_PARENTS];
  size_t particles = desc->memory->bytes[WEFT_BUFFER_LEVEL_PARENTS] / sizeof *rows;
  uint32_t end = 0; /* of the finest level, which is first */
  for (size_t i = 0; i < particles; ++i) {
    uint32_t nodes[4];
    memcpy(nodes, &rows[i].nodes, sizeof nodes);
    for (uint32_t k = 0; k < 4 && nodes[k] != WEFT_NO_PARENT; ++k) {
      end = nodes[k] >= end ? nodes[k] + 1 : end;
    }
  }
  add_ranges(plan, desc, WEFT_CPU_SPLIT_MOVES, pass, end);
}
