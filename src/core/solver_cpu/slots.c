/* slots.c: which slot each particle lies in, followed through a plan while it is built. */
#include "slots.h"

#include <string.h>

#include "base.h"

/* Times that a particle is touched on average, at least: the way back is half as much work as one
 * of them. */
enum { MIN_TOUCHES = 4 };

/* Words of all constraints, at most: 2 MB. More do not stay in a core's own cache from substep to
 * substep, and where they come from further away, slots take room from them for nothing. */
enum { MAX_WORDS = 1 << 19 };

/* ---- which passes ---- */

static bool can_take_slots(const weft_plan_desc *desc, const weft_pass *pass) {
  int type = weft_pass_constraint(pass->kind);
  if (type < 0 || pass->variant || pass->acts != WEFT_ACTS_ALWAYS) return false;
  return weft_cpu_role_of(pass) == WEFT_CPU_BATCH && desc->lanes->project_slots[type];
}

static bool pays(const weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t begin,
                 uint32_t end) {
  uint64_t touches = 0, words = 0;
  for (uint32_t k = begin; k < end; ++k) {
    uint32_t arity = weft_pass_arity(plan->passes[k].kind);
    touches += (uint64_t)plan->passes[k].count * arity;
    words += (uint64_t)plan->passes[k].count * (arity == 2 ? WEFT_EDGE_WORDS : WEFT_ROW_WORDS);
  }
  return touches >= (uint64_t)MIN_TOUCHES * weft_plan_cloth(desc) && words <= MAX_WORDS;
}

static bool are_fast_safe(const weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t begin,
                          uint32_t end) {
  bool safe = true;
  for (uint32_t k = begin; k < end; ++k) {
    const weft_pass *pass = &plan->passes[k];
    for (uint32_t e = 0; e < pass->count && safe; ++e) {
      safe = weft_plan_are_fast_safe(desc->memory, pass, &e, 1);
    }
  }
  return safe;
}

/* In 32 bits: no line is empty, so there are no more than particles. */
static bool can_count_places(const weft_plan_desc *desc) {
  uint64_t lines = (uint64_t)weft_plan_cloth(desc) * desc->lanes->lanes * sizeof(float);
  return weft_slots_begin(desc->memory) + lines <= UINT32_MAX;
}

bool weft_slots_find(const weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                     uint32_t last, uint32_t *begin, uint32_t *end) {
  if (desc->members != 1 || !desc->lanes || !desc->lanes->leave_slots) return false;
  if (!can_count_places(desc)) return false;
  for (uint32_t k = first; k < last; k = *end + 1) {
    *begin = *end = k;
    while (*end < last && can_take_slots(desc, &plan->passes[*end])) ++*end;
    if (*end > *begin && pays(plan, desc, *begin, *end) &&
        are_fast_safe(plan, desc, *begin, *end)) {
      return true;
    }
  }
  return false;
}

/* ---- where they lie ---- */

uint64_t weft_slots_begin(const weft_memory *memory) {
  uint64_t end = memory->bytes[WEFT_BUFFER_X] + memory->guard;
  return (end + WEFT_CACHE_LINE - 1) / WEFT_CACHE_LINE * WEFT_CACHE_LINE;
}

void weft_slots_make_room(weft_memory *memory, uint32_t count) {
  unsigned char *begin = memory->payload[WEFT_BUFFER_X] - memory->guard;
  size_t slots = (size_t)weft_slots_begin(memory) + memory->guard;
  unsigned char *room = weft_alloc_lines(slots + count * sizeof(vec4), 1);
  memcpy(room, begin, (size_t)memory->bytes[WEFT_BUFFER_X] + 2 * (size_t)memory->guard);
  weft_free(begin);
  memory->payload[WEFT_BUFFER_X] = room + memory->guard;
}

/* ---- lines ---- */

weft_slots *weft_slots_create(const weft_plan_desc *desc) {
  weft_slots *s = weft_alloc(1, sizeof *s);
  uint32_t particles = weft_plan_cloth(desc);
  s->at = weft_alloc(particles, sizeof *s->at);
  for (uint32_t i = 0; i < particles; ++i) s->at[i] = i * (uint32_t)sizeof(vec4);
  s->begin = (uint32_t)weft_slots_begin(desc->memory);
  s->side = desc->lanes->lanes / 4;
  return s;
}

void weft_slots_free(weft_slots *s) {
  if (!s) return;
  weft_free(s->at);
  weft_free(s->taken);
  weft_free(s->free);
  weft_free(s);
}

uint32_t weft_slots_count(const weft_slots *s) { return s->line_count * s->side; }

static uint32_t line_bytes(const weft_slots *s) { return s->side * (uint32_t)sizeof(vec4); }

static uint32_t take_line(weft_slots *s) {
  if (s->free_count) return s->free[--s->free_count];
  weft_grow((void **)&s->taken, &s->taken_capacity, (size_t)s->line_count + 1, sizeof *s->taken);
  s->taken[s->line_count] = 0;
  return s->line_count++;
}

static void free_line(weft_slots *s, uint32_t line) {
  weft_grow((void **)&s->free, &s->free_capacity, (size_t)s->free_count + 1, sizeof *s->free);
  s->free[s->free_count++] = line;
}

static uint32_t place_of(const weft_slots *s, uint32_t line, uint32_t slot) {
  return s->begin + line * line_bytes(s) + slot * (uint32_t)sizeof(vec4);
}

static void put(weft_slots *s, uint32_t particle, uint32_t line, uint32_t slot) {
  s->at[particle] = place_of(s, line, slot);
  s->taken[line]++;
}

/* Nobody lies there any more. */
static void leave(weft_slots *s, uint32_t place) {
  if (place < s->begin) return;
  uint32_t line = (place - s->begin) / line_bytes(s);
  if (--s->taken[line] == 0) free_line(s, line);
}

/* ---- back ---- */

/* How many of ascending numbers follow each other without a gap. */
static uint32_t run_of(const uint32_t *numbers, uint32_t count) {
  uint32_t run = 1;
  while (run < count && numbers[run] == numbers[0] + run) ++run;
  return run;
}

void weft_slots_add_leave(weft_cpu_plan *plan, weft_slots *s, uint32_t pass,
                          const uint32_t *particles, uint32_t count) {
  for (uint32_t k = 0, run; k < count; k += run) {
    run = run_of(particles + k, count - k);
    weft_plan_add_run(plan, WEFT_CPU_LEAVE_SLOTS, pass, particles[k], run);
    memcpy(weft_plan_add_words(plan, run), s->at + particles[k], run * sizeof *s->at);
    for (uint32_t i = 0; i < run; ++i) leave(s, s->at[particles[k] + i]);
  }
}

/* ---- constraints ---- */

/* What is packed for one vector: `places` of `wide` constraints each, of which `used` are no
 * repetitions, and which lines the rows go to, `rows` for the first place of all, then for the
 * second and so on. Row r has constraints r, r + rows and so on side by side. */
typedef struct packed_vector {
  uint32_t *words, *lines;
  uint32_t places, wide, used, rows;
} packed_vector;

/* Particles of the vector, by place; words name their slots from then on. */
static void read_slots(weft_slots *s, const packed_vector *v, uint32_t *particles) {
  for (uint32_t k = 0; k < v->places * v->wide; ++k) {
    particles[k] = v->words[k] / (uint32_t)sizeof(vec4);
    v->words[k] = s->at[particles[k]];
  }
  for (uint32_t k = 0; k < v->places * v->wide; ++k) {
    if (k % v->wide < v->used) leave(s, v->words[k]);
  }
}

static void write_slots(weft_slots *s, const packed_vector *v, const uint32_t *particles) {
  uint32_t lines = v->places * v->rows;
  for (uint32_t l = 0; l < lines; ++l) v->lines[l] = take_line(s);
  for (uint32_t k = 0; k < v->places * v->wide; ++k) {
    uint32_t place = k / v->wide, c = k % v->wide;
    if (c < v->used) put(s, particles[k], v->lines[place * v->rows + c % v->rows], c / v->rows);
  }
  for (uint32_t l = 0; l < lines; ++l) {
    if (!s->taken[v->lines[l]]) free_line(s, v->lines[l]);
    v->lines[l] = place_of(s, v->lines[l], 0);
  }
}

void weft_slots_add_elements(weft_cpu_plan *plan, const weft_plan_desc *desc, weft_slots *s,
                             uint32_t pass, const uint32_t *elements, uint32_t count) {
  weft_plan_add_elements(plan, desc, pass, elements, count);
  weft_cpu_item *item = &plan->items[plan->item_count - 1];
  bool of_bends = item->kind == WEFT_CPU_ROWS;
  packed_vector v = {.places = of_bends ? 4 : 2, .rows = of_bends ? 1 : 4};
  v.wide = s->side * v.rows;
  uint32_t words = v.wide * (of_bends ? (uint32_t)WEFT_ROW_WORDS : (uint32_t)WEFT_EDGE_WORDS);
  item->kind = WEFT_CPU_SLOTS;
  v.lines = weft_plan_add_words(plan, (size_t)item->count * v.places * v.rows);
  v.words = v.lines - (size_t)item->count * words;
  for (uint32_t k = 0; k < item->count; ++k) {
    uint32_t particles[2 * WEFT_LANES_MAX], left = count - k * v.wide;
    v.used = left < v.wide ? left : v.wide;
    read_slots(s, &v, particles);
    write_slots(s, &v, particles);
    v.words += words;
    v.lines += v.places * v.rows;
  }
}
