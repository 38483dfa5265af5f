/* From collected constraints to a finished group: coloured, sorted by colour, damped. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "colouring.h"
#include "preprocess.h"
#include "ranges.h"

void weft_group_free(weft_constraint_group *g) {
  weft_free(g->particles);
  weft_free(g->rest);
  weft_free(g->weights);
  weft_free(g->compliance);
  weft_free(g->damping);
  weft_free(g->source);
  weft_free(g->colour_first);
  weft_free(g->colour_sizes);
  *g = (weft_constraint_group){0};
}

typedef struct colour_size {
  uint32_t colour, size;
} colour_size;

static int by_size_descending(const void *a, const void *b) {
  const colour_size *x = a, *y = b;
  if (x->size != y->size) return x->size < y->size ? 1 : -1;
  return x->colour < y->colour ? -1 : x->colour > y->colour;
}

/* Fills the colour fields and returns place[constraint], its sorted index. */
static uint32_t *place_by_colour(const weft_colouring *c, weft_constraint_group *g) {
  uint32_t n = c->colour_count;
  colour_size *sizes = weft_alloc(n, sizeof *sizes);
  uint32_t *cursor = weft_alloc(n, sizeof *cursor);
  uint32_t *place = weft_alloc(g->count, sizeof *place);
  for (uint32_t k = 0; k < n; ++k) sizes[k].colour = k;
  for (uint32_t i = 0; i < g->count; ++i) sizes[c->colours[i]].size++;
  qsort(sizes, n, sizeof *sizes, by_size_descending);
  while (n > 0 && sizes[n - 1].size == 0) --n; /* colours emptied by recolouring */
  g->colour_count = n;
  g->lower_bound = c->lower_bound;
  g->colour_first = weft_alloc((size_t)n + 1, sizeof *g->colour_first);
  g->colour_sizes = weft_alloc(n, sizeof *g->colour_sizes);
  for (uint32_t k = 0; k < n; ++k) {
    g->colour_sizes[k] = sizes[k].size;
    g->colour_first[k + 1] = g->colour_first[k] + sizes[k].size;
    cursor[sizes[k].colour] = g->colour_first[k];
  }
  for (uint32_t i = 0; i < g->count; ++i) place[i] = cursor[c->colours[i]]++;
  weft_free(sizes);
  weft_free(cursor);
  return place;
}

typedef struct moving {
  const uint32_t *from, *place;
  uint32_t *to;
  size_t words;
} moving;

static void move_range(void *context, uint32_t part, size_t first, size_t end) {
  (void)part;
  const moving *m = context;
  switch (m->words) { /* a constant size compiles to single moves */
    case 1:
      for (size_t i = first; i < end; ++i) m->to[m->place[i]] = m->from[i];
      break;
    case 2:
      for (size_t i = first; i < end; ++i)
        memcpy(m->to + 2 * (size_t)m->place[i], m->from + 2 * i, 8);
      break;
    case 4:
      for (size_t i = first; i < end; ++i)
        memcpy(m->to + 4 * (size_t)m->place[i], m->from + 4 * i, 16);
      break;
    default:
      for (size_t i = first; i < end; ++i)
        memcpy(m->to + m->words * m->place[i], m->from + m->words * i, 4 * m->words);
      break;
  }
}

/* Moves item i to place[i]; `words` of 32 bits each. NULL stays NULL. */
static void *permuted(void *items, size_t words, const uint32_t *place, uint32_t count) {
  if (!items) return NULL;
  moving m = {.from = items, .place = place, .words = words};
  m.to = weft_alloc((size_t)count * words, sizeof *m.to);
  weft_ranges_run(count, weft_ranges_worth(count), move_range, &m);
  weft_free(items);
  return m.to;
}

static void sort_by_colour(weft_constraint_group *g, const weft_colouring *colouring) {
  uint32_t *place = place_by_colour(colouring, g);
  g->particles = permuted(g->particles, g->arity, place, g->count);
  g->rest = permuted(g->rest, 1, place, g->count);
  g->weights = permuted(g->weights, 4, place, g->count);
  g->compliance = permuted(g->compliance, 1, place, g->count);
  g->damping = permuted(g->damping, 1, place, g->count);
  g->source = permuted(g->source, 1, place, g->count);
  weft_free(place);
}

/* beta = damping_time/alpha; a hard constraint has nothing to damp. */
static void set_damping(weft_constraint_group *g, float damping_time) {
  if (g->damping) return; /* given for each constraint */
  g->damping = weft_alloc(g->count, sizeof *g->damping);
  for (uint32_t i = 0; i < g->count && damping_time > 0; ++i) {
    double alpha = (double)g->compliance[i];
    if (alpha > 0) g->damping[i] = (float)fmin((double)damping_time / alpha, (double)FLT_MAX);
  }
}

void weft_group_finish(weft_raw_group *raw, float damping_time, weft_model *model) {
  weft_constraint_group *g = &raw->group;
  if (g->count > 0) {
    double start = weft_clock_seconds();
    weft_colouring colouring;
    weft_colouring_build(&(weft_colouring_desc){.particles = g->particles,
                                                .arity = g->arity,
                                                .count = g->count,
                                                .particle_count = model->particle_count,
                                                .keys = raw->keys,
                                                .simple_graph = raw->simple_graph},
                         &colouring);
    double coloured = weft_clock_seconds();
    sort_by_colour(g, &colouring);
    set_damping(g, damping_time);
    weft_colouring_free(&colouring);
    weft_log(WEFT_LOG_DEBUG,
             "%s: %u constraints, %u colours (bound %u), coloured in %.3f s, sorted in %.3f s",
             g->name, g->count, g->colour_count, g->lower_bound, coloured - start,
             weft_clock_seconds() - coloured);
    model->groups[model->group_count++] = *g;
    *g = (weft_constraint_group){0};
  }
  weft_group_free(g);
  weft_free(raw->keys);
  *raw = (weft_raw_group){0};
}
