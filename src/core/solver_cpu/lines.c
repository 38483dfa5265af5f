/* lines.c: project_lines and project_bends packed for vectors, a bundle a lane: see lanes_lines.h.
 */
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
  bool split; /* positions are; else rows */
  size_t item;
} packing;

/* Where a particle is that a lane works on: its place in split positions, or bytes from the first
 * row. */
static uint32_t word_of(const packing *p, uint32_t particle, uint32_t lane) {
  return p->split ? weft_plan_place(p->desc, particle, lane) : particle * (uint32_t)sizeof(vec4);
}

static uint32_t place_of(const packing *p, const thread *t, uint32_t slot) {
  return word_of(p, t->slots[slot], t->lane);
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
               a->slot_count == b->slot_count && a->bundle.steps > 0 && a->table == b->table;
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

typedef struct block {
  const thread *threads[WEFT_LANES_MAX];
  uint32_t head[WEFT_LINES_HEAD];
  uint32_t ends[WEFT_LINE_ROOM]; /* of edges, as in the words */
  uint32_t *words;
} block;

static uint32_t *part_of(const block *b, uint32_t entry) { return b->words + b->head[entry]; }

/* Where a line of any lane ends all have two slots, the first of which means nothing where the line
 * goes on. */
static void find_ends(const packing *p, block *b, uint32_t count) {
  memset(b->ends, 0, sizeof b->ends);
  for (uint32_t l = 0; l < count; ++l) {
    const weft_line_bundle *own = &b->threads[l]->bundle;
    for (uint32_t k = 0; k < own->count; ++k) b->ends[k] |= line_ends(p, own, k);
  }
}

static void least(uint32_t *of, uint32_t value) { *of = value < *of ? value : *of; }
static void most(uint32_t *of, uint32_t value) { *of = value > *of ? value : *of; }

/* Slots of a lane: up to the end of its last edge. */
static uint32_t lane_slots(const block *b, uint32_t lane) {
  uint32_t count = b->threads[lane]->bundle.count, slots = count;
  for (uint32_t k = 0; k < count; ++k) slots += b->ends[k];
  return slots;
}

static void measure(const packing *p, block *b, uint32_t lie) {
  uint32_t *head = b->head;
  head[WEFT_LINES_STEPS] = 1;
  head[WEFT_LINES_MIN_EDGES] = head[WEFT_LINES_MIN_STEPS] = head[WEFT_LINES_MIN_SLOTS] = UINT32_MAX;
  for (uint32_t l = 0; l < p->lanes; ++l) {
    const weft_line_bundle *own = &b->threads[l]->bundle;
    uint32_t slots = lane_slots(b, l);
    most(&head[WEFT_LINES_EDGES], own->count);
    most(&head[WEFT_LINES_STEPS], own->steps);
    most(&head[WEFT_LINES_SLOTS], slots);
    least(&head[WEFT_LINES_MIN_EDGES], own->count);
    least(&head[WEFT_LINES_MIN_STEPS], own->steps);
    least(&head[WEFT_LINES_MIN_SLOTS], slots);
  }
  uint32_t edges = head[WEFT_LINES_EDGES], slots = head[WEFT_LINES_SLOTS];
  bool across = lie == WEFT_LINES_ACROSS, ragged = lie >= WEFT_LINES_RAGGED;
  uint32_t at = WEFT_LINES_HEAD + WEFT_LINES_LANES * p->lanes + whole_lines(edges);
  const uint32_t parts[][2] = {
      {WEFT_LINES_PLACES, across ? slots : 0},
      {WEFT_LINES_WEIGHTS, (slots + (p->bends ? 0 : 2 * edges)) * p->lanes},
      {WEFT_LINES_GO_ON, ragged ? edges * p->lanes : 0},
      {WEFT_LINES_AT, across || lie == WEFT_LINES_ALONG ? 0 : slots * p->lanes}};
  for (uint32_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
    head[parts[k][0]] = at;
    at += whole_lines(parts[k][1]);
  }
  head[WEFT_LINES_WORDS] = at;
  head[WEFT_LINES_LIE] = lie;
  head[WEFT_LINES_TABLE] = b->threads[0]->table;
}

static void put_weight(const packing *p, uint32_t particle, float scale, uint32_t *lane) {
  float weight = line_weight(p->x[particle].w, scale);
  memcpy(lane, &weight, sizeof weight);
}

/* What a lane has of its slots and edges. Those past its end have its last particle. */
static void put_slots(const packing *p, const block *b, uint32_t lane) {
  const thread *t = b->threads[lane];
  const weft_line_edge *edges = p->edges + t->bundle.first;
  uint32_t *weight = part_of(b, WEFT_LINES_WEIGHTS) + lane, last = t->bundle.count - 1;
  uint32_t *at = part_of(b, WEFT_LINES_AT) + lane;
  bool places = b->head[WEFT_LINES_AT] < b->head[WEFT_LINES_WORDS];
  for (uint32_t k = 0; k < b->head[WEFT_LINES_EDGES]; ++k) {
    float scale = t->bundle.scale;
    if (p->bends) scale = p->scales[t->bundle.first + k];
    uint32_t ends[2] = {k <= last ? edges[k].a : edges[last].b, edges[k < last ? k : last].b};
    for (uint32_t s = 0; s <= b->ends[k]; ++s, weight += p->lanes, at += p->lanes) {
      put_weight(p, ends[s], scale, weight);
      if (places) *at = word_of(p, ends[s], t->lane);
    }
  }
}

static void put_edges(const packing *p, const block *b, uint32_t lane) {
  const thread *t = b->threads[lane];
  const weft_line_edge *edges = p->edges + t->bundle.first;
  size_t lanes = p->lanes;
  uint32_t *numbers = part_of(b, WEFT_LINES_WEIGHTS) + b->head[WEFT_LINES_SLOTS] * lanes + lane;
  uint32_t *goes_on = part_of(b, WEFT_LINES_GO_ON) + lane;
  bool ragged = b->head[WEFT_LINES_LIE] >= WEFT_LINES_RAGGED;
  for (uint32_t k = 0; k < t->bundle.count; ++k) {
    if (ragged) goes_on[k * lanes] = line_ends(p, &t->bundle, k) ? 0 : UINT32_MAX;
    if (p->bends) continue;
    memcpy(numbers + 2 * k * lanes, &edges[k].rest_length, sizeof *numbers);
    memcpy(numbers + (2 * k + 1) * lanes, &edges[k].compliance, sizeof *numbers);
  }
}

static void put_lane(const packing *p, const block *b, uint32_t lane) {
  const thread *t = b->threads[lane];
  uint32_t *to = b->words + WEFT_LINES_HEAD + lane;
  to[WEFT_LINES_FIRST * p->lanes] = t->bundle.first;
  for (uint32_t s = 0; s < 2; ++s) {
    to[(WEFT_LINES_STARTS + s) * p->lanes] = place_of(p, t, s) * (uint32_t)sizeof(float);
  }
  to[WEFT_LINES_LANE_EDGES * p->lanes] = t->bundle.count;
  to[WEFT_LINES_LANE_STEPS * p->lanes] = t->bundle.steps;
  to[WEFT_LINES_LANE_SLOTS * p->lanes] = lane_slots(b, lane);
  put_slots(p, b, lane);
  put_edges(p, b, lane);
}

/* Where there are fewer bundles than lanes, the last is solved, and written, more than once. */
static void add_block(packing *p, const thread *threads, uint32_t count, uint32_t lie) {
  block b;
  memset(b.head, 0, sizeof b.head);
  for (uint32_t l = 0; l < p->lanes; ++l) b.threads[l] = &threads[l < count ? l : count - 1];
  find_ends(p, &b, count);
  measure(p, &b, lie);
  if (!p->blocks++) {
    p->item = p->plan->item_count;
    weft_plan_add_packed(p->plan, p->bends ? WEFT_CPU_BENDS : WEFT_CPU_LINES,
                         p->split ? WEFT_UNIT : WEFT_ROWS, p->pass);
  }
  p->plan->items[p->item].count = p->blocks;
  b.words = weft_plan_add_words(p->plan, b.head[WEFT_LINES_WORDS]);
  memset(b.words, 0, b.head[WEFT_LINES_WORDS] * sizeof *b.words);
  memcpy(b.words, b.head, sizeof b.head);
  memcpy(b.words + WEFT_LINES_HEAD + WEFT_LINES_LANES * p->lanes, b.ends,
         b.head[WEFT_LINES_EDGES] * sizeof *b.ends);
  for (uint32_t s = 0; lie == WEFT_LINES_ACROSS && s < threads->slot_count; ++s) {
    part_of(&b, WEFT_LINES_PLACES)[s] = place_of(p, threads, s);
  }
  for (uint32_t l = 0; l < p->lanes; ++l) put_lane(p, &b, l);
  for (uint32_t l = 0; l < count; ++l) weft_free(threads[l].slots);
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

/* The longest first, so that those of a block are much alike. */
static int by_length(const void *a, const void *b) {
  const weft_line_bundle *x = &((const thread *)a)->bundle, *y = &((const thread *)b)->bundle;
  if (x->steps != y->steps) return x->steps > y->steps ? -1 : 1;
  if (x->count != y->count) return x->count > y->count ? -1 : 1;
  return (x->first > y->first) - (x->first < y->first);
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
      add_block(p, threads + k, run, WEFT_LINES_ACROSS);
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
      bool lies = lie == WEFT_LINES_APART || runs_along(p, t);
      if (!lies || !are_alike(p, &threads[k], t)) break;
    }
    if (run) {
      add_block(p, threads + k, run, lie);
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
                   .split = plan->stays,
                   .bends = plan->passes[pass].kind == WEFT_PASS_PROJECT_BENDS};
}

static void add_lines(packing *p, thread *threads, uint32_t count) {
  if (p->split) {
    count = add_across(p, threads, count);
    count = add_alike(p, threads, count, WEFT_LINES_ALONG);
  }
  qsort(threads, count, sizeof *threads, by_length);
  for (uint32_t k = 0; k < count; k += p->lanes) {
    uint32_t left = count - k < p->lanes ? count - k : p->lanes;
    add_block(p, threads + k, left, p->split ? WEFT_LINES_RAGGED : WEFT_LINES_RAGGED_ROWS);
  }
}

static void add_bends(packing *p, thread *threads, uint32_t count) {
  count = add_across(p, threads, count);
  qsort(threads, count, sizeof *threads, by_table); /* every second row may have another one */
  count = add_alike(p, threads, count, WEFT_LINES_ALONG);
  add_alike(p, threads, count, WEFT_LINES_APART);
}

/* Lines of one edge have no bends. */
void weft_plan_add_lines(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                         uint32_t begin, uint32_t end) {
  packing p = packing_of(plan, desc, pass);
  if (p.bends && !p.split) {
    weft_plan_add_run(plan, WEFT_CPU_RUN, pass, begin, end - begin);
    return;
  }
  const weft_line_bundle *bundles = (const void *)desc->memory->payload[WEFT_BUFFER_LINE_BUNDLES];
  const uint32_t *tables = (const void *)desc->memory->payload[WEFT_BUFFER_LINE_TABLES];
  uint32_t first = plan->passes[pass].first, count = 0;
  thread *threads = weft_alloc(end - begin, sizeof *threads);
  for (uint32_t k = first + begin; k < first + end; ++k) {
    if (bundles[k].count == 0 || (p.bends && bundles[k].steps == 0)) continue;
    threads[count] = thread_of(&p, &bundles[k], 0);
    threads[count++].table = p.bends ? tables[k] : 0;
  }
  (p.bends ? add_bends : add_lines)(&p, threads, count);
  weft_free(threads);
}

void weft_plan_add_crowd_lines(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                               const weft_line_bundle *bundles) {
  packing p = packing_of(plan, desc, pass);
  thread threads[WEFT_LANES_MAX];
  bool across = true;
  for (uint32_t l = 0; l < p.lanes; ++l) {
    threads[l] = thread_of(&p, &bundles[l], l);
    across = across && (l == 0 ? are_alike(&p, threads, threads)
                               : are_side_by_side(&p, &threads[l - 1], &threads[l]));
  }
  add_block(&p, threads, p.lanes, across ? WEFT_LINES_ACROSS : WEFT_LINES_RAGGED);
}
