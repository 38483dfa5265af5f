/* picked.h: the values of one particle. Its constraints are looked up in the model when it is
 * picked; after that only its own rows and those of its partners come to the host, as often as the
 * figures are renewed. */
#ifndef WEFT_DEMO_PICKED_H
#define WEFT_DEMO_PICKED_H

#include "inspect.h"
#include "ui_state.h"

/* An edge or link, as the view of strain counts them. */
typedef struct weft_demo_edge {
  uint32_t other;
  float rest_length; /* m */
  weft_sense sense;
} weft_demo_edge;

/* Zero-initialise. */
typedef struct weft_demo_partners {
  uint32_t particle;
  weft_demo_edge *edges;
  size_t edge_count, capacity;
  uint32_t neighbours; /* particles that share a constraint with it */
} weft_demo_partners;

void weft_demo_partners_find(weft_demo_partners *partners, const weft_model *model,
                             uint32_t particle);
void weft_demo_partners_free(weft_demo_partners *partners); /* a zeroed one as well */

/* Reads a few rows, which waits. */
weft_result weft_demo_picked_read(const weft_demo_partners *partners, weft_solver *solver,
                                  weft_demo_picked *picked, weft_error *err);
/* In one line. */
void weft_demo_picked_describe(const weft_demo_picked *picked, char *text, size_t size);

#endif
