/* palette.h: bookkeeping of a colouring while it is made: the constraints of each colour, and
 * the colours taken at each particle. Private to colouring.c and recolour.c.
 *
 * Colours below 64 are a bit mask per particle, which suffices for most meshes; the rest are
 * found by walking the constraints at the particle, so memory is proportional to the mesh
 * whatever its largest valence. */
#ifndef WEFT_MODEL_PALETTE_H
#define WEFT_MODEL_PALETTE_H

#include "colouring.h"

enum { WEFT_UNCOLOURED = UINT32_MAX };

typedef struct weft_palette {
  const weft_colouring_desc *desc;
  uint32_t *offsets; /* [particle_count+1] constraints at each particle, CSR */
  uint32_t *items;   /* [count*arity] ascending; NULL where colours 0..63 must suffice */
  uint32_t *colours; /* [count] */
  uint64_t *low;     /* [particle_count] colours 0..63 taken there */
  uint32_t *sizes;   /* [size_capacity] constraints of each colour */
  uint64_t *taken;   /* [word_capacity] scratch: colours taken around a constraint */
  uint32_t opened;   /* colours in use: 0..opened-1 */
  uint32_t max;      /* most constraints at one particle */
  uint32_t limit;    /* one more than any greedy colouring needs: arity*(most-1)+2 */
} weft_palette;

weft_palette weft_palette_create(const weft_colouring_desc *desc);
void weft_palette_free(weft_palette *p); /* but for p->colours */

void weft_palette_assign(weft_palette *p, uint32_t constraint, uint32_t colour);
/* The same of a colour that may be the next one. */
void weft_palette_assign_opening(weft_palette *p, uint32_t constraint, uint32_t colour);
void weft_palette_unassign(weft_palette *p, uint32_t constraint);

/* The first free colour; p->opened when every opened one is taken. */
uint32_t weft_palette_first_free(weft_palette *p, uint32_t constraint);
/* The least used free colour among the first 64, which keeps batches even; past them the first. */
uint32_t weft_palette_least_used(weft_palette *p, uint32_t constraint);

/* Whether a constraint at this particle has the colour, and which. */
bool weft_palette_has(const weft_palette *p, uint32_t particle, uint32_t colour);
uint32_t weft_palette_holder(const weft_palette *p, uint32_t particle, uint32_t colour);

/* ---- recolour.c ---- */

/* Pairs only: makes room for an uncoloured edge by swapping two colours below p->opened along a
 * Kempe chain, and colours it. False when no chain helps. */
bool weft_recolour_kempe(weft_palette *p, uint32_t edge);

/* Simple graphs with p->opened = p->most + 1: always colours the edge. */
bool weft_recolour_fan(weft_palette *p, uint32_t edge);

#endif
