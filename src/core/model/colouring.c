/* Greedy colouring of constraints; the reasons are in colouring.h. */
#include "colouring.h"

#include <string.h>

#include "base.h"
#include "palette.h"

/* A particle with more constraints than this leaves its neighbours' degrees alone during the
 * smallest-last ordering: its constraints form one clique, whose inner order cannot matter, and
 * following them would take time quadratic in the valence. */
enum { HUB_VALENCE = 256 };

static const uint32_t *particles_of(const weft_palette *p, uint32_t constraint) {
  return p->desc->particles + (size_t)constraint * p->desc->arity;
}

/* ---- orders ---- */
/* Constraints by key, in natural order within a key. */
static uint32_t *key_order(const weft_colouring_desc *d) {
  uint32_t first[257] = {0};
  uint32_t *order = weft_alloc(d->count, sizeof *order);
  for (uint32_t i = 0; i < d->count; ++i) first[d->keys[i] + 1]++;
  for (uint32_t k = 0; k < 256; ++k) first[k + 1] += first[k];
  for (uint32_t i = 0; i < d->count; ++i) order[first[d->keys[i]]++] = i;
  return order;
}

/* Buckets of constraints by the number of constraints left around them: doubly linked lists. */
typedef struct buckets {
  uint32_t *head;        /* [degree] */
  uint32_t *next, *prev; /* [constraint] */
  uint32_t *degree;      /* [constraint]; UINT32_MAX once removed */
} buckets;

enum { END = UINT32_MAX };

static void bucket_push(buckets *b, uint32_t i) {
  uint32_t d = b->degree[i], old = b->head[d];
  b->next[i] = old;
  b->prev[i] = END;
  if (old != END) b->prev[old] = i;
  b->head[d] = i;
}

static void bucket_unlink(buckets *b, uint32_t i) {
  uint32_t next = b->next[i], prev = b->prev[i];
  if (next != END) b->prev[next] = prev;
  if (prev != END) {
    b->next[prev] = next;
  } else {
    b->head[b->degree[i]] = next;
  }
}

static buckets buckets_create(const weft_palette *p) {
  const weft_colouring_desc *d = p->desc;
  size_t degrees = (size_t)d->arity * p->max + 1;
  buckets b = {weft_alloc(degrees, sizeof(uint32_t)), weft_alloc(d->count, sizeof(uint32_t)),
               weft_alloc(d->count, sizeof(uint32_t)), weft_alloc(d->count, sizeof(uint32_t))};
  memset(b.head, 0xff, degrees * sizeof *b.head);
  for (uint32_t i = d->count; i-- > 0;) { /* pushed in descending order, so that the first
                                             constraint is on top */
    const uint32_t *v = particles_of(p, i);
    for (uint32_t k = 0; k < d->arity; ++k) b.degree[i] += p->offsets[v[k] + 1] - p->offsets[v[k]];
    bucket_push(&b, i);
  }
  return b;
}

static void buckets_free(buckets *b) {
  weft_free(b->head);
  weft_free(b->next);
  weft_free(b->prev);
  weft_free(b->degree);
}

/* One constraint fewer around each neighbour of a removed one. */
static void lower_neighbours(const weft_palette *p, buckets *b, uint32_t removed) {
  const uint32_t *v = particles_of(p, removed);
  for (uint32_t k = 0; k < p->desc->arity; ++k) {
    uint32_t begin = p->offsets[v[k]], end = p->offsets[v[k] + 1];
    if (end - begin > HUB_VALENCE) continue;
    for (uint32_t i = begin; i < end; ++i) {
      uint32_t j = p->items[i];
      if (b->degree[j] == END) continue;
      bucket_unlink(b, j);
      b->degree[j]--;
      bucket_push(b, j);
    }
  }
}

/* Removes the constraint with the fewest left around it, again and again; colouring runs backwards.
 * The conflict graph is never built: neighbours are found through their particles. */
static uint32_t *smallest_last_order(const weft_palette *p) {
  uint32_t count = p->desc->count, arity = p->desc->arity, degree = 0;
  uint32_t *order = weft_alloc(count, sizeof *order);
  buckets b = buckets_create(p);
  for (uint32_t left = count; left-- > 0;) {
    while (b.head[degree] == END) ++degree;
    uint32_t i = b.head[degree];
    bucket_unlink(&b, i);
    b.degree[i] = END;
    order[left] = i;
    lower_neighbours(p, &b, i);
    degree = degree > arity ? degree - arity : 0;
  }
  buckets_free(&b);
  return order;
}

/* ---- colouring ---- */
static void colour_first_fit(weft_palette *p, const uint32_t *order) {
  for (uint32_t i = 0; i < p->desc->count; ++i)
    weft_palette_assign_opening(p, order[i], weft_palette_first_free(p, order[i]));
}

static void colour_least_used(weft_palette *p, const uint32_t *order) {
  for (uint32_t i = 0; i < p->desc->count; ++i) {
    weft_palette_assign_opening(p, order[i], weft_palette_least_used(p, order[i]));
  }
}

/* Edges: as many colours as the largest degree where Kempe chains suffice, one more where not. */
static void colour_edges(weft_palette *p, uint32_t *order) {
  uint32_t left = 0;
  p->opened = p->max;
  for (uint32_t i = 0; i < p->desc->count; ++i) {
    uint32_t colour = weft_palette_least_used(p, order[i]);
    if (colour < p->opened) {
      weft_palette_assign(p, order[i], colour);
    } else if (!weft_recolour_kempe(p, order[i])) {
      order[left++] = order[i];
    }
  }
  if (left > 0 && p->desc->simple_graph) p->opened++;
  for (uint32_t i = 0; i < left; ++i) {
    uint32_t colour = weft_palette_first_free(p, order[i]);
    bool done = colour == p->opened && p->desc->simple_graph && weft_recolour_fan(p, order[i]);
    if (!done) weft_palette_assign_opening(p, order[i], colour);
  }
}

void weft_colouring_build(const weft_colouring_desc *desc, weft_colouring *colouring) {
  weft_palette p = weft_palette_create(desc);
  uint32_t *order = desc->keys ? key_order(desc) : smallest_last_order(&p);
  if (desc->keys) {
    colour_first_fit(&p, order);
  } else if (desc->arity == 2) {
    colour_edges(&p, order);
  } else {
    colour_least_used(&p, order);
  }
  weft_free(order);
  *colouring = (weft_colouring){p.colours, p.opened, p.max};
  weft_palette_free(&p);
}

void weft_colouring_free(weft_colouring *colouring) {
  weft_free(colouring->colours);
  *colouring = (weft_colouring){0};
}
