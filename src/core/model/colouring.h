/* colouring.h: splits constraints into colours such that no two of a colour share a particle; a
 * colour then is a batch the GPU may project at once.
 *
 * With keys (grids) constraints are visited class by class and take the first free colour. Where
 * each class holds no two neighbours, that needs at most as many colours as there are classes.
 *
 * Without keys the order is smallest-last (Matula and Beck 1983) and the colour the least used of
 * the free ones. Pairs are edges of a graph, so more can be had: an edge that finds no free colour
 * swaps two colours along a Kempe chain, and what remains gets one colour more by the fans of Misra
 * and Gries (1992), whose proof is Vizing's theorem: a simple graph needs at most one colour more
 * than its largest degree. */
#ifndef WEFT_MODEL_COLOURING_H
#define WEFT_MODEL_COLOURING_H

#include <weft/types.h>

typedef struct weft_colouring_desc {
  const uint32_t *particles; /* [count*arity], distinct within a constraint */
  uint32_t arity;            /* at most 4 */
  uint32_t count;
  uint32_t particle_count;
  const uint8_t *keys; /* [count] visit class, or NULL for a mesh without natural order */
  bool simple_graph;   /* arity 2, and no pair of particles twice: Vizing's theorem holds */
} weft_colouring_desc;

typedef struct weft_colouring {
  uint32_t *colours; /* [count] */
  uint32_t colour_count;
  uint32_t lower_bound; /* most constraints at one particle */
} weft_colouring;

void weft_colouring_build(const weft_colouring_desc *desc, weft_colouring *colouring);
void weft_colouring_free(weft_colouring *colouring);

#endif
