/* palette.c: bookkeeping of colours while a colouring is made. */
#include "palette.h"

#include <string.h>

#include "base.h"

static void count_incidence(weft_palette *p) {
  const weft_colouring_desc *d = p->desc;
  size_t total = (size_t)d->count * d->arity;
  p->offsets = weft_alloc((size_t)d->particle_count + 1, sizeof *p->offsets);
  for (size_t i = 0; i < total; ++i) p->offsets[d->particles[i] + 1]++;
  for (uint32_t v = 0; v < d->particle_count; ++v) {
    if (p->offsets[v + 1] > p->max) p->max = p->offsets[v + 1];
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

weft_palette weft_palette_create(const weft_colouring_desc *desc) {
  weft_palette p = {.desc = desc};
  count_incidence(&p);
  p.limit = p.max ? desc->arity * (p.max - 1) + 2 : 1;
  if (!desc->keys || p.limit > 64) list_incidence(&p); /* without it the masks hold all colours */
  p.colours = weft_alloc(desc->count, sizeof *p.colours);
  memset(p.colours, 0xff, desc->count * sizeof *p.colours);
  p.low = weft_alloc(desc->particle_count, sizeof *p.low);
  p.sizes = weft_alloc(p.limit, sizeof *p.sizes);
  p.taken = weft_alloc(p.limit / 64 + 1, sizeof *p.taken);
  return p;
}

void weft_palette_free(weft_palette *p) {
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
uint32_t weft_palette_first_free(weft_palette *p, uint32_t constraint) {
  gather(p, constraint);
  uint32_t word = 0;
  while (word < p->opened / 64 && ~p->taken[word] == 0) ++word;
  if (~p->taken[word] == 0) return p->opened;
  uint32_t colour = word * 64 + (uint32_t)__builtin_ctzll(~p->taken[word]);
  return colour < p->opened ? colour : p->opened;
}

/* The least used free colour among the first 64, which keeps batches even; past them the first. */
uint32_t weft_palette_least_used(weft_palette *p, uint32_t constraint) {
  uint32_t best = weft_palette_first_free(p, constraint);
  uint64_t open = p->opened >= 64 ? UINT64_MAX : (UINT64_C(1) << p->opened) - 1;
  for (uint64_t free = ~p->taken[0] & open; free; free &= free - 1) {
    uint32_t colour = (uint32_t)__builtin_ctzll(free);
    if (p->sizes[colour] < p->sizes[best]) best = colour;
  }
  return best;
}

void weft_palette_assign_opening(weft_palette *p, uint32_t constraint, uint32_t colour) {
  if (colour == p->opened) p->opened++;
  weft_palette_assign(p, constraint, colour);
}
