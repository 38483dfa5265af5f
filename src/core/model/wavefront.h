/* wavefront.h: a wavefront that runs over a model from some of its pins, nearest first, and
 * labels what it reaches. Private to src/core/model/geodesic.c. */
#ifndef WEFT_MODEL_WAVEFRONT_H
#define WEFT_MODEL_WAVEFRONT_H

#include "geodesic.h"
#include "wavefront_map.h"

/* A label: the distance of this particle from a source. */
typedef struct weft_label {
  double distance; /* m from the source */
  double base;     /* m of that, up to the root */
  uint32_t source; /* a pinned particle */
  uint32_t island; /* of the source */
  uint32_t root;   /* the cell where the path last bent */
  uint8_t settled; /* it was the nearest of the wavefront: final unless opened again */
  uint8_t waiting; /* in the queue */
  uint8_t reopened;
} weft_label;

/* The labels of a cell, oldest first. */
typedef struct weft_cell_labels {
  uint32_t first, count;
} weft_cell_labels;

typedef struct weft_wavefront_entry {
  double distance;
  uint32_t cell, label; /* label: counted from the cell's first */
} weft_wavefront_entry;

typedef struct weft_near weft_near;

typedef struct weft_wavefront {
  const weft_wavefront_map *map;
  const uint32_t *island; /* [particles] of a pinned particle: the smallest index in its island */
  weft_cell_labels *cell_labels; /* [cells] */
  weft_label *labels;
  size_t label_count, label_capacity;
  uint32_t spare_labels[32]; /* first of a list of released ranges for 2^k labels */
  weft_wavefront_entry *heap;
  size_t heap_count, heap_capacity;
  weft_near *near; /* the neighbours of the current cell */
  size_t near_capacity;
} weft_wavefront;

void weft_wavefront_init(weft_wavefront *wavefront, const weft_wavefront_map *map,
                         uint32_t particle_count, const uint32_t *island);
/* Starts at a pinned particle. */
void weft_wavefront_add(weft_wavefront *wavefront, uint32_t particle);
void weft_wavefront_run(weft_wavefront *wavefront);
/* The final labels of a cell, settled or not. */
const weft_label *weft_wavefront_labels(const weft_wavefront *wavefront, uint32_t cell,
                                        uint32_t *count);
void weft_wavefront_free(weft_wavefront *wavefront);

#endif
