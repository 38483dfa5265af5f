/* plan.c: roles of passes, packing, and what plans are made of. */
#include "plan.h"

#include <string.h>

#include "base.h"
#include "grid_layout.h"
#include "ranges.h"
#include "solver.h"

weft_cpu_role weft_cpu_role_of(const weft_pass *pass) {
  weft_cpu_role role = weft_pass_infos[pass->kind].cpu;
  bool jacobi = (pass->variant & WEFT_VARIANT_JACOBI) != 0;
  return role == WEFT_CPU_BATCH && jacobi ? WEFT_CPU_RANGES : role;
}

bool weft_cpu_is_of_levels(weft_pass_kind kind) {
  switch (kind) {
    case WEFT_PASS_LEVEL_GATHER:
    case WEFT_PASS_LEVEL_RESTRICT:
    case WEFT_PASS_LEVEL_SMALL:
    case WEFT_PASS_LEVEL_PROJECT:
    case WEFT_PASS_LEVEL_PROLONG:
    case WEFT_PASS_LEVEL_SPREAD:
      return true;
    default:
      return false;
  }
}

bool weft_cpu_pass_can_stay(const weft_pass *pass) {
  if (pass->variant || pass->when || pass->counted) return false;
  int type = weft_pass_constraint(pass->kind);
  if (type >= 0) return weft_lanes_best()->project[type][WEFT_UNIT];
  if (weft_cpu_is_of_levels(pass->kind)) return true;
  switch (pass->kind) {
    case WEFT_PASS_PREDICT:
    case WEFT_PASS_MOVE_PINS:
    case WEFT_PASS_PROJECT_BENDS:
    case WEFT_PASS_PROJECT_LINES:
    case WEFT_PASS_LRA:
    case WEFT_PASS_COLLIDE:
    case WEFT_PASS_UPDATE_VELOCITY:
      return true;
    default:
      return false;
  }
}

uint32_t weft_plan_partition(const weft_plan_desc *desc, uint32_t partition) {
  uint32_t particles = weft_plan_cloth(desc);
  size_t share = desc->halves ? desc->halves->share : 0, begin = share * partition;
  if (!share || (particles + share - 1) / share != desc->members) {
    return (uint32_t)((uint64_t)particles * partition / desc->members);
  }
  return begin < particles ? (uint32_t)begin : particles;
}

uint32_t weft_plan_partition_of(const weft_plan_desc *desc, uint32_t particle) {
  uint32_t p = (uint32_t)((uint64_t)particle * desc->members / weft_plan_cloth(desc));
  while (particle < weft_plan_partition(desc, p)) --p;
  while (particle >= weft_plan_partition(desc, p + 1)) ++p;
  return p;
}

/* Rows of a constraint's table. */
static const void *rows_of(const weft_memory *memory, int type) {
  return memory->payload[weft_constraint_buffers_of[type].elements];
}

uint32_t weft_plan_particles(const weft_memory *memory, const weft_pass *pass, uint32_t element,
                             uint32_t particles[4]) {
  size_t i = (size_t)pass->first + element;
  int type = weft_pass_constraint(pass->kind);
  if (type < 0) {
    particles[0] = (uint32_t)i;
    return 1;
  }
  if (weft_constraint_infos[type].pair) {
    const weft_pair_element *row = (const weft_pair_element *)rows_of(memory, type) + i;
    particles[0] = row->a;
    particles[1] = row->b;
  } else {
    const weft_quad_element *row = (const weft_quad_element *)rows_of(memory, type) + i;
    memcpy(particles, &row->particles, sizeof row->particles);
  }
  return weft_constraint_infos[type].arity;
}

/* ---- edges of lines ---- */

const weft_line_edge *weft_plan_edges(const weft_plan_desc *desc) {
  const weft_line_edge *edges = (const void *)desc->memory->payload[WEFT_BUFFER_LINE_EDGES];
  if (desc->crowd) edges += weft_plan_first_edge(desc->crowd, desc->memory, desc->block);
  return edges;
}

uint32_t weft_plan_first_edge(const weft_crowd *crowd, const weft_memory *memory, uint32_t block) {
  uint64_t edges = memory->bytes[WEFT_BUFFER_LINE_EDGES] / sizeof(weft_line_edge);
  return weft_crowd_part(crowd, block, 0) * (uint32_t)(edges / crowd->parts);
}

/* ---- packing: particles, numbers and, where multipliers are kept, terms and where the multiplier
 * is ---- */

uint32_t weft_plan_packed_words(const weft_plan_desc *desc, const weft_pass *pass) {
  int type = weft_pass_constraint(pass->kind);
  if (!desc->lanes || type < 0 || pass->variant & WEFT_VARIANT_JACOBI) return 0;
  const weft_constraint_info *info = &weft_constraint_infos[type];
  uint32_t words = info->pair ? 4 : 8;
  if (!(pass->variant & WEFT_VARIANT_LAMBDA)) return words;
  return words + (info->terms ? 2 : 0) + 1;
}

void weft_plan_pack(const weft_memory *memory, const weft_pass *pass, uint32_t element,
                    uint32_t words[WEFT_PACKED_MAX]) {
  int type = weft_pass_constraint(pass->kind);
  const weft_constraint_info *info = &weft_constraint_infos[type];
  size_t i = (size_t)pass->first + element;
  weft_plan_particles(memory, pass, element, words);
  uint32_t *more = words + 4;
  if (info->pair) {
    const weft_pair_element *row = (const weft_pair_element *)rows_of(memory, type) + i;
    memcpy(words + 2, &row->rest, 2 * sizeof *words);
  } else {
    const weft_quad_element *row = (const weft_quad_element *)rows_of(memory, type) + i;
    memcpy(words + 4, &row->data, sizeof row->data);
    more = words + 8;
  }
  if (!(pass->variant & WEFT_VARIANT_LAMBDA)) return;
  if (info->terms) {
    const weft_xpbd *terms = (const void *)memory->payload[weft_constraint_buffers_of[type].terms];
    memcpy(more, &terms[i], sizeof *terms);
    more += 2;
  }
  *more = (uint32_t)(info->multipliers == 1 ? i : i * sizeof(vec4));
}

static uint32_t *on_a_line(void *room) {
  uintptr_t over = (uintptr_t)room % WEFT_CACHE_LINE;
  return (void *)((char *)room + (over ? WEFT_CACHE_LINE - over : 0));
}

/* A large array moves by its pages, so it is never there twice. */
static void resize_words(weft_cpu_part *part, size_t capacity) {
  size_t before = part->room ? (size_t)((char *)part->words - (char *)part->room) : 0;
  part->room = weft_realloc(part->room, capacity * sizeof *part->words + WEFT_CACHE_LINE, 1);
  part->words = on_a_line(part->room);
  char *now = (char *)part->room + before;
  if ((char *)part->words != now) memmove(part->words, now, part->word_count * sizeof(uint32_t));
  part->word_capacity = capacity;
}

uint32_t *weft_plan_add_words(weft_cpu_plan *plan, size_t count) {
  enum { MIN_ROOM = 1024 };
  weft_cpu_part *part = &plan->parts[plan->part_count - 1];
  size_t need = part->word_count + count, capacity = part->word_capacity;
  if (capacity == 0) capacity = plan->room < MIN_ROOM ? MIN_ROOM : plan->room;
  while (capacity < need) capacity *= 2;
  if (capacity > part->word_capacity) resize_words(part, capacity);
  part->word_count = need;
  return part->words + need - count;
}

/* ---- building ---- */

weft_cpu_phase *weft_plan_add_phase(weft_cpu_plan *plan) {
  weft_grow((void **)&plan->phases, &plan->phase_capacity, plan->phase_count + 1,
            sizeof *plan->phases);
  weft_cpu_phase *phase = &plan->phases[plan->phase_count++];
  uint32_t before = (uint32_t)plan->phase_count - 1;
  *phase = (weft_cpu_phase){.first = (uint32_t)plan->part_count, .after = before};
  return phase;
}

weft_cpu_part *weft_plan_add_part(weft_cpu_plan *plan) {
  weft_grow((void **)&plan->parts, &plan->part_capacity, plan->part_count + 1, sizeof *plan->parts);
  weft_cpu_part *part = &plan->parts[plan->part_count++];
  *part = (weft_cpu_part){.first = plan->item_count};
  plan->phases[plan->phase_count - 1].count++;
  return part;
}

void weft_plan_fill_line(weft_cpu_plan *plan) {
  enum { LINE_WORDS = WEFT_CACHE_LINE / sizeof(uint32_t) };
  size_t over = plan->parts[plan->part_count - 1].word_count % LINE_WORDS;
  if (!over) return;
  uint32_t *fill = weft_plan_add_words(plan, LINE_WORDS - over);
  memset(fill, 0, (LINE_WORDS - over) * sizeof *fill);
}

weft_cpu_item *weft_plan_add_item(weft_cpu_plan *plan, weft_cpu_kind kind, uint32_t pass) {
  weft_grow((void **)&plan->items, &plan->item_capacity, plan->item_count + 1, sizeof *plan->items);
  weft_plan_fill_line(plan);
  weft_cpu_part *part = &plan->parts[plan->part_count - 1];
  weft_cpu_item *item = &plan->items[plan->item_count++];
  *item = (weft_cpu_item){
      .kind = kind, .pass = pass, .at = part->word_count, .sources = part->source_count};
  part->count++;
  return item;
}

void weft_plan_note(weft_cpu_plan *plan, const uint32_t *sources, uint32_t which) {
  if (!plan->remembers || !sources) return;
  weft_cpu_part *part = &plan->parts[plan->part_count - 1];
  weft_grow((void **)&part->sources, &part->source_capacity, part->source_count + 1,
            sizeof *part->sources);
  part->sources[part->source_count++] = sources[which];
  plan->items[plan->item_count - 1].source_count++;
}

weft_cpu_item *weft_plan_add_packed(weft_cpu_plan *plan, weft_cpu_kind kind, weft_layout layout,
                                    uint32_t pass) {
  weft_cpu_item *item = weft_plan_add_item(plan, kind, pass);
  item->layout = layout;
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

/* ---- phases of all particles, or nodes ---- */

static void add_ranges(weft_cpu_plan *plan, const weft_plan_desc *desc, weft_cpu_kind kind,
                       uint32_t pass, uint32_t count) {
  weft_plan_add_phase(plan);
  for (uint32_t m = 0; m < desc->members; ++m) {
    uint32_t begin = (uint32_t)((uint64_t)count * m / desc->members);
    uint32_t end = (uint32_t)((uint64_t)count * (m + 1) / desc->members);
    weft_plan_add_part(plan);
    weft_plan_add_run(plan, kind, pass, begin, end - begin);
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

/* ---- parts that are filled at the same time ---- */

typedef struct filling {
  weft_cpu_plan *plans; /* one a part */
  weft_plan_fill *fill;
  void *context;
} filling;

static void fill_parts(void *context, uint32_t thread, size_t first, size_t end) {
  (void)thread;
  const filling *f = context;
  for (size_t k = first; k < end; ++k) {
    weft_cpu_plan *plan = &f->plans[k];
    weft_plan_add_phase(plan);
    weft_plan_add_part(plan);
    f->fill(f->context, plan, (uint32_t)k);
    if (plan->parts->room) resize_words(plan->parts, plan->parts->word_count);
  }
}

/* The one part of `from` behind those of the plan, which takes its words. */
static void take_part(weft_cpu_plan *plan, weft_cpu_plan *from) {
  weft_cpu_part *part = weft_plan_add_part(plan);
  size_t first = part->first, need = first + from->item_count;
  *part = *from->parts;
  part->first = first;
  weft_grow((void **)&plan->items, &plan->item_capacity, need, sizeof *plan->items);
  if (from->item_count) {
    memcpy(plan->items + first, from->items, from->item_count * sizeof *from->items);
  }
  plan->item_count = need;
  weft_free(from->items);
  weft_free(from->parts);
  weft_free(from->phases);
}

void weft_plan_add_parts(weft_cpu_plan *plan, const weft_plan_parts *parts, weft_plan_fill *fill,
                         void *context) {
  filling f = {weft_alloc(parts->count, sizeof *f.plans), fill, context};
  for (uint32_t k = 0; k < parts->count; ++k) {
    f.plans[k] =
        (weft_cpu_plan){.pass_count = plan->pass_count, .stays = plan->stays, .split = plan->split};
    f.plans[k].remembers = plan->remembers;
    f.plans[k].room = (size_t)(parts->words / parts->count);
    memcpy(f.plans[k].passes, plan->passes, sizeof plan->passes);
  }
  uint32_t threads = weft_ranges_worth((size_t)parts->elements);
  weft_ranges_run(parts->count, threads < parts->count ? threads : parts->count, fill_parts, &f);
  weft_plan_add_phase(plan);
  for (uint32_t k = 0; k < parts->count; ++k) take_part(plan, &f.plans[k]);
  weft_free(f.plans);
}
