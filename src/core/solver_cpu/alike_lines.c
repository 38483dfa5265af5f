/* alike_lines.c: project_lines and project_bends on split positions, packed for vectors where
 * bundles are alike: as those of a grid are, line by line. See lanes_alike_lines.h. */
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "exact.h"
#include "plan.h"

#include <kernels/lang_c.h>
/* in that language */
#include <kernels/line.h>
/* after it */
#include <kernels/lang_c_end.h>

/* A bundle, and its particles line by line. */
typedef struct thread {
  weft_line_bundle bundle;
  uint32_t *slots; /* particles */
  uint32_t slot_count;
  uint32_t place; /* of the first */
  uint32_t lane;  /* of a crowd */
  uint32_t table; /* of bends */
} thread;

typedef struct packing {
  weft_cpu_plan *plan;
  const weft_plan_desc *desc;
  const weft_line_edge *edges;
  const vec4 *x;
  const float *scales; /* of lines, for bends */
  uint32_t pass, lanes, blocks;
  bool bends;
  size_t item;
} packing;

static uint32_t place_of(const packing *p, const thread *t, uint32_t slot) {
  return weft_plan_place(p->desc, t->slots[slot], t->lane);
}

static bool line_ends(const packing *p, const weft_line_bundle *b, uint32_t k) {
  const weft_line_edge *e = p->edges + b->first + k;
  return k + 1 == b->count || e[1].a != e[0].b;
}

static uint32_t count_slots(const packing *p, const weft_line_bundle *b) {
  uint32_t count = b->count;
  for (uint32_t k = 0; k < b->count; ++k) count += line_ends(p, b, k);
  return count;
}

static thread thread_of(const packing *p, const weft_line_bundle *b, uint32_t lane) {
  thread t = {.bundle = *b, .slot_count = count_slots(p, b), .lane = lane};
  t.slots = weft_alloc(t.slot_count, sizeof *t.slots);
  uint32_t filled = 0;
  for (uint32_t k = 0; k < b->count; ++k) {
    const weft_line_edge *e = p->edges + b->first + k;
    t.slots[filled++] = e->a;
    if (line_ends(p, b, k)) t.slots[filled++] = e->b;
  }
  t.place = place_of(p, &t, 0);
  return t;
}

static bool are_alike(const packing *p, const thread *a, const thread *b) {
  bool alike = a->bundle.count == b->bundle.count && a->bundle.steps == b->bundle.steps &&
               a->slot_count == b->slot_count && a->slot_count <= WEFT_LINE_ROOM &&
               a->bundle.steps > 0 && a->table == b->table;
  for (uint32_t k = 0; k < a->bundle.count && alike; ++k) {
    alike = line_ends(p, &a->bundle, k) == line_ends(p, &b->bundle, k);
  }
  return alike;
}

/* Whether every particle of b lies one place further than that of a. */
static bool are_side_by_side(const packing *p, const thread *a, const thread *b) {
  if (!are_alike(p, a, b)) return false;
  for (uint32_t s = 0; s < a->slot_count; ++s) {
    if (place_of(p, b, s) != place_of(p, a, s) + 1) return false;
  }
  return true;
}

/* Whether each particle lies behind the last but one, as the first and the second do. */
static bool runs_along(const packing *p, const thread *t) {
  for (uint32_t s = 2; s < t->slot_count; ++s) {
    if (place_of(p, t, s) != place_of(p, t, s - 2) + 1) return false;
  }
  return true;
}

/* ---- a block ---- */

static uint32_t whole_lines(uint32_t words) { return (words + 15) / 16 * 16; }

static uint32_t *put_weight(const packing *p, uint32_t particle, float scale, uint32_t *lane) {
  float weight = line_weight(p->x[particle].w, scale);
  memcpy(lane, &weight, sizeof weight);
  return lane + p->lanes;
}

/* Weights of particles, then what edges have. */
static void put_lane(const packing *p, const thread *t, uint32_t *lane) {
  const weft_line_edge *edges = p->edges + t->bundle.first;
  for (uint32_t k = 0; k < t->bundle.count; ++k) {
    float scale = p->bends ? p->scales[t->bundle.first + k] : t->bundle.scale;
    lane = put_weight(p, edges[k].a, scale, lane);
    if (line_ends(p, &t->bundle, k)) lane = put_weight(p, edges[k].b, scale, lane);
  }
  for (uint32_t k = 0; k < t->bundle.count && !p->bends; ++k, lane += 2 * (size_t)p->lanes) {
    memcpy(lane, &edges[k].rest_length, sizeof *lane);
    memcpy(lane + p->lanes, &edges[k].compliance, sizeof *lane);
  }
}

/* Where lanes begin; of the first: where its lines end, and its places. */
static void put_places(const packing *p, const thread *threads, uint32_t count, uint32_t *to) {
  const weft_line_bundle *b = &threads->bundle;
  for (uint32_t l = 0; l < p->lanes; ++l) {
    const thread *t = &threads[l < count ? l : count - 1];
    to[l] = t->bundle.first;
    for (uint32_t s = 0; s < 2; ++s) {
      to[(1 + s) * p->lanes + l] = place_of(p, t, s) * (uint32_t)sizeof(float);
    }
  }
  to += whole_lines(3 * p->lanes);
  for (uint32_t k = 0; k < b->count; ++k) to[k] = line_ends(p, b, k);
  to += whole_lines(b->count);
  for (uint32_t s = 0; s < threads->slot_count; ++s) to[s] = place_of(p, threads, s);
}

static void add_block(packing *p, const thread *threads, uint32_t count, uint32_t lie) {
  uint32_t edges = threads->bundle.count, slots = threads->slot_count, lanes = p->lanes;
  uint32_t before =
      WEFT_ALIKE_HEAD + whole_lines(3 * lanes) + whole_lines(edges) + whole_lines(slots);
  uint32_t numbers = whole_lines((slots + (p->bends ? 0 : 2 * edges)) * lanes);
  uint32_t words = before + numbers + (lie == WEFT_ALIKE_APART ? whole_lines(slots * lanes) : 0);
  if (!p->blocks++) {
    p->item = p->plan->item_count;
    weft_plan_add_item(p->plan, p->bends ? WEFT_CPU_ALIKE_BENDS : WEFT_CPU_ALIKE_LINES, p->pass);
  }
  uint32_t *to = weft_plan_add_words(p->plan, words);
  memset(to, 0, words * sizeof *to);
  to[WEFT_ALIKE_EDGES] = edges;
  to[WEFT_ALIKE_STEPS] = threads->bundle.steps;
  to[WEFT_ALIKE_SLOTS] = slots;
  to[WEFT_ALIKE_LIE] = lie;
  to[WEFT_ALIKE_WORDS] = words;
  to[WEFT_ALIKE_TABLE] = threads->table;
  put_places(p, threads, count, to + WEFT_ALIKE_HEAD);
  for (uint32_t l = 0; l < lanes; ++l) {
    const thread *t = &threads[l < count ? l : count - 1];
    put_lane(p, t, to + before + l);
    for (uint32_t k = 0; k < slots && lie == WEFT_ALIKE_APART; ++k) {
      to[before + numbers + k * lanes + l] = place_of(p, t, k);
    }
  }
}

/* ---- which bundles make one ---- */

static int by_place(const void *a, const void *b) {
  uint32_t x = ((const thread *)a)->place, y = ((const thread *)b)->place;
  return (x > y) - (x < y);
}

static int by_table(const void *a, const void *b) {
  uint32_t x = ((const thread *)a)->table, y = ((const thread *)b)->table;
  return x == y ? by_place(a, b) : x < y ? -1 : 1;
}

/* Adds those that stand side by side; returns how many are left, in front. */
static uint32_t add_across(packing *p, thread *threads, uint32_t count) {
  uint32_t left = 0;
  qsort(threads, count, sizeof *threads, by_place);
  for (uint32_t k = 0, run; k < count; k += run) {
    for (run = 1; run < p->lanes && k + run < count;) {
      if (!are_side_by_side(p, &threads[k + run - 1], &threads[k + run])) break;
      ++run;
    }
    if (run == p->lanes) {
      add_block(p, threads + k, run, WEFT_ALIKE_ACROSS);
      for (uint32_t l = 0; l < run; ++l) weft_free(threads[k + l].slots);
    } else {
      memmove(threads + left, threads + k, run * sizeof *threads);
      left += run;
    }
  }
  return left;
}

/* Adds those that run along, or wherever they are; returns how many are left, in front. */
static uint32_t add_alike(packing *p, thread *threads, uint32_t count, uint32_t lie) {
  uint32_t left = 0;
  for (uint32_t k = 0, run; k < count; k += run) {
    for (run = 0; run < p->lanes && k + run < count; ++run) {
      const thread *t = &threads[k + run];
      bool lies = lie == WEFT_ALIKE_APART || runs_along(p, t);
      if (!lies || !are_alike(p, &threads[k], t)) break;
    }
    if (run) {
      add_block(p, threads + k, run, lie);
      for (uint32_t l = 0; l < run; ++l) weft_free(threads[k + l].slots);
    } else {
      threads[left++] = threads[k];
      run = 1;
    }
  }
  return left;
}

static packing packing_of(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass) {
  return (packing){.plan = plan,
                   .desc = desc,
                   .edges = weft_plan_edges(desc),
                   .x = (const void *)desc->memory->payload[WEFT_BUFFER_X],
                   .scales = (const void *)desc->memory->payload[WEFT_BUFFER_LINE_SCALES],
                   .pass = pass,
                   .lanes = desc->lanes->lanes,
                   .bends = plan->passes[pass].kind == WEFT_PASS_PROJECT_BENDS};
}

uint32_t weft_plan_add_alike_lines(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                                   weft_line_bundle *bundles, uint32_t count) {
  packing p = packing_of(plan, desc, pass);
  thread *threads = weft_alloc(count, sizeof *threads);
  for (uint32_t k = 0; k < count; ++k) threads[k] = thread_of(&p, &bundles[k], 0);
  uint32_t left = add_across(&p, threads, count);
  left = add_alike(&p, threads, left, WEFT_ALIKE_ALONG);
  if (p.blocks) plan->items[p.item].count = p.blocks;
  for (uint32_t k = 0; k < left; ++k) {
    bundles[k] = threads[k].bundle;
    weft_free(threads[k].slots);
  }
  weft_free(threads);
  return left;
}

bool weft_plan_add_alike_bundle(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                                const weft_line_bundle *bundles) {
  packing p = packing_of(plan, desc, pass);
  thread threads[WEFT_LANES_MAX];
  bool alike = true;
  for (uint32_t l = 0; l < p.lanes; ++l) {
    threads[l] = thread_of(&p, &bundles[l], l);
    alike = alike && (l == 0 ? are_alike(&p, threads, threads)
                             : are_side_by_side(&p, &threads[l - 1], &threads[l]));
  }
  if (alike) add_block(&p, threads, p.lanes, WEFT_ALIKE_ACROSS);
  if (alike) plan->items[p.item].count = 1;
  for (uint32_t l = 0; l < p.lanes; ++l) weft_free(threads[l].slots);
  return alike;
}

/* Lines of one edge have no bends. */
void weft_plan_add_bends(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                         uint32_t begin, uint32_t end) {
  if (!plan->stays) {
    weft_plan_add_run(plan, WEFT_CPU_RUN, pass, begin, end - begin);
    return;
  }
  const weft_line_bundle *bundles = (const void *)desc->memory->payload[WEFT_BUFFER_LINE_BUNDLES];
  const uint32_t *tables = (const void *)desc->memory->payload[WEFT_BUFFER_LINE_TABLES];
  packing p = packing_of(plan, desc, pass);
  uint32_t first = plan->passes[pass].first, count = 0;
  thread *threads = weft_alloc(end - begin, sizeof *threads);
  for (uint32_t k = first + begin; k < first + end; ++k) {
    if (bundles[k].steps == 0) continue;
    threads[count] = thread_of(&p, &bundles[k], 0);
    threads[count++].table = tables[k];
  }
  count = add_across(&p, threads, count);
  qsort(threads, count, sizeof *threads, by_table); /* every second row may have another one */
  count = add_alike(&p, threads, count, WEFT_ALIKE_ALONG);
  add_alike(&p, threads, count, WEFT_ALIKE_APART);
  if (p.blocks) plan->items[p.item].count = p.blocks;
  weft_free(threads);
}
