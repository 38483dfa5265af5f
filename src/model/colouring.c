/* Greedy colouring of constraints; the reasons are in colouring.h. */
#include "colouring.h"

#include <string.h>

#include "base.h"
#include "palette.h"

/* A particle with more constraints than this leaves its neighbours' degrees alone during the
 * smallest-last ordering: its constraints form one clique, whose inner order cannot matter, and
 * following them would take time quadratic in the valence. */
enum { HUB_VALENCE = 256 };

/* ---- palette ---- */
static void count_incidence(weft_palette *p) {
  const weft_colouring_desc *d = p->desc;
  size_t total = (size_t)d->count * d->arity;
  p->offsets = weft_alloc((size_t)d->particle_count + 1, sizeof *p->offsets);
  for (size_t i = 0; i < total; ++i) p->offsets[d->particles[i] + 1]++;
  for (uint32_t v = 0; v < d->particle_count; ++v) {
    if (p->offsets[v + 1] > p->most) p->most = p->offsets[v + 1];
    p->offsets[v + 1] += p->offsets[v];
  }
}

static void list_incidence(weft_palette *p) {
  const weft_colouring_desc *d = p->desc;
  size_t total = (size_t)d->count * d->arity;
  p->items = weft_alloc(total, sizeof *p->items);
  uint32_t *cursor = weft_alloc(d->particle_count, sizeof *cursor);
  memcpy(cursor, p->offsets, d->particle_count * sizeof *cursor);
  for (size_t i = 0; i < total; ++i) {
    p->items[cursor[d->particles[i]]++] = (uint32_t)(i / d->arity);
  }
  weft_free(cursor);
}

static weft_palette palette_create(const weft_colouring_desc *desc) {
  weft_palette p = {.desc = desc};
  count_incidence(&p);
  p.limit = p.most ? desc->arity * (p.most - 1) + 2 : 1;
  if (!desc->keys || p.limit > 64) list_incidence(&p); /* else the masks say it all */
  p.colours = weft_alloc(desc->count, sizeof *p.colours);
  memset(p.colours, 0xff, desc->count * sizeof *p.colours);
  p.low = weft_alloc(desc->particle_count, sizeof *p.low);
  p.sizes = weft_alloc(p.limit, sizeof *p.sizes);
  p.taken = weft_alloc(p.limit / 64 + 1, sizeof *p.taken);
  return p;
}

static void palette_free(weft_palette *p) {
  weft_free(p->offsets);
  weft_free(p->items);
  weft_free(p->low);
  weft_free(p->sizes);
  weft_free(p->taken);
}

static const uint32_t *particles_of(const weft_palette *p, uint32_t constraint) {
  return p->desc->particles + (size_t)constraint * p->desc->arity;
}

void weft_palette_assign(weft_palette *p, uint32_t constraint, uint32_t colour) {
  const uint32_t *v = particles_of(p, constraint);
  p->colours[constraint] = colour;
  p->sizes[colour]++;
  for (uint32_t k = 0; k < p->desc->arity && colour < 64; ++k)
    p->low[v[k]] |= UINT64_C(1) << colour;
}

void weft_palette_unassign(weft_palette *p, uint32_t constraint) {
  const uint32_t *v = particles_of(p, constraint);
  uint32_t colour = p->colours[constraint];
  p->colours[constraint] = WEFT_UNCOLOURED;
  p->sizes[colour]--;
  for (uint32_t k = 0; k < p->desc->arity && colour < 64; ++k) {
    p->low[v[k]] &= ~(UINT64_C(1) << colour);
  }
}

uint32_t weft_palette_holder(const weft_palette *p, uint32_t particle, uint32_t colour) {
  for (uint32_t i = p->offsets[particle]; i < p->offsets[particle + 1]; ++i) {
    if (p->colours[p->items[i]] == colour) return p->items[i];
  }
  return WEFT_UNCOLOURED;
}

bool weft_palette_has(const weft_palette *p, uint32_t particle, uint32_t colour) {
  if (colour < 64) return p->low[particle] >> colour & 1;
  return weft_palette_holder(p, particle, colour) != WEFT_UNCOLOURED;
}

/* Fills p->taken with the colours held at any particle of the constraint. */
static void gather(weft_palette *p, uint32_t constraint) {
  const uint32_t *v = particles_of(p, constraint);
  memset(p->taken, 0, (p->opened / 64 + 1) * sizeof *p->taken);
  for (uint32_t k = 0; k < p->desc->arity; ++k) {
    p->taken[0] |= p->low[v[k]];
    for (uint32_t i = p->offsets[v[k]]; p->opened > 64 && i < p->offsets[v[k] + 1]; ++i) {
      uint32_t colour = p->colours[p->items[i]];
      if (colour != WEFT_UNCOLOURED) p->taken[colour / 64] |= UINT64_C(1) << (colour % 64);
    }
  }
}

/* The first free colour; p->opened when every opened one is taken. */
static uint32_t first_free(weft_palette *p, uint32_t constraint) {
  gather(p, constraint);
  uint32_t word = 0;
  while (word < p->opened / 64 && ~p->taken[word] == 0) ++word;
  if (~p->taken[word] == 0) return p->opened;
  uint32_t colour = word * 64 + (uint32_t)__builtin_ctzll(~p->taken[word]);
  return colour < p->opened ? colour : p->opened;
}

/* The least used free colour among the first 64, which keeps batches even; past them the first. */
static uint32_t least_used_free(weft_palette *p, uint32_t constraint) {
  uint32_t best = first_free(p, constraint);
  uint64_t open = p->opened >= 64 ? UINT64_MAX : (UINT64_C(1) << p->opened) - 1;
  for (uint64_t free = ~p->taken[0] & open; free; free &= free - 1) {
    uint32_t colour = (uint32_t)__builtin_ctzll(free);
    if (p->sizes[colour] < p->sizes[best]) best = colour;
  }
  return best;
}

static void assign_opening(weft_palette *p, uint32_t constraint, uint32_t colour) {
  if (colour == p->opened) p->opened++;
  weft_palette_assign(p, constraint, colour);
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
  size_t degrees = (size_t)d->arity * p->most + 1;
  buckets b = {weft_alloc(degrees, sizeof(uint32_t)), weft_alloc(d->count, sizeof(uint32_t)),
               weft_alloc(d->count, sizeof(uint32_t)), weft_alloc(d->count, sizeof(uint32_t))};
  memset(b.head, 0xff, degrees * sizeof *b.head);
  for (uint32_t i = d->count; i-- > 0;) { /* backwards: the natural first lies on top */
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
 * The conflict graph is never built: neighbours are met through their particles. */
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
    assign_opening(p, order[i], first_free(p, order[i]));
}

static void colour_least_used(weft_palette *p, const uint32_t *order) {
  for (uint32_t i = 0; i < p->desc->count; ++i) {
    assign_opening(p, order[i], least_used_free(p, order[i]));
  }
}

/* Edges: as many colours as the largest degree where Kempe chains suffice, one more where not. */
static void colour_edges(weft_palette *p, uint32_t *order) {
  uint32_t left = 0;
  p->opened = p->most;
  for (uint32_t i = 0; i < p->desc->count; ++i) {
    uint32_t colour = least_used_free(p, order[i]);
    if (colour < p->opened) {
      weft_palette_assign(p, order[i], colour);
    } else if (!weft_recolour_kempe(p, order[i])) {
      order[left++] = order[i];
    }
  }
  if (left > 0 && p->desc->simple_graph) p->opened++;
  for (uint32_t i = 0; i < left; ++i) {
    uint32_t colour = first_free(p, order[i]);
    bool done = colour == p->opened && p->desc->simple_graph && weft_recolour_fan(p, order[i]);
    if (!done) assign_opening(p, order[i], colour);
  }
}

void weft_colouring_build(const weft_colouring_desc *desc, weft_colouring *colouring) {
  weft_palette p = palette_create(desc);
  uint32_t *order = desc->keys ? key_order(desc) : smallest_last_order(&p);
  if (desc->keys) {
    colour_first_fit(&p, order);
  } else if (desc->arity == 2) {
    colour_edges(&p, order);
  } else {
    colour_least_used(&p, order);
  }
  weft_free(order);
  *colouring = (weft_colouring){p.colours, p.opened, p.most};
  palette_free(&p);
}

void weft_colouring_free(weft_colouring *colouring) {
  weft_free(colouring->colours);
  *colouring = (weft_colouring){0};
}
