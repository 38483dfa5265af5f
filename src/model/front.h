/* front.h: a front that runs over a model from some of its pins, nearest first, and leaves labels
 * at what it reaches. Inside src/model/geodesic.c. */
#ifndef WEFT_MODEL_FRONT_H
#define WEFT_MODEL_FRONT_H

#include "front_map.h"
#include "geodesic.h"

/* Says: this particle is so far from that source. */
typedef struct weft_label {
  double distance; /* from the source */
  double base;     /* of that, up to the root */
  uint32_t source; /* a pinned particle */
  uint32_t island; /* of the source */
  uint32_t root;   /* the cell where the way bent last */
  uint8_t placed;  /* was the nearest of the front once: the particle keeps it */
  uint8_t waiting; /* in the queue */
  uint8_t reopened;
} weft_label;

/* The labels of a cell, oldest first. */
typedef struct weft_known {
  uint32_t first, count;
} weft_known;

typedef struct weft_front_entry {
  double distance;
  uint32_t cell, label; /* label: counted from the cell's first */
} weft_front_entry;

typedef struct weft_near weft_near;

typedef struct weft_front {
  const weft_front_map *map;
  const uint32_t *island; /* [particles] of a pinned particle: the smallest index in its island */
  weft_known *known;      /* [cells] */
  weft_label *labels;
  size_t label_count, label_capacity;
  uint32_t spare_labels[32]; /* first of a list of given up places for 2^k labels */
  weft_front_entry *heap;
  size_t heap_count, heap_capacity;
  weft_near *near; /* the neighbours of the cell at work */
  size_t near_capacity;
} weft_front;

void weft_front_init(weft_front *front, const weft_front_map *map, uint32_t particle_count,
                     const uint32_t *island);
/* A pinned particle to run from. */
void weft_front_add(weft_front *front, uint32_t particle);
void weft_front_run(weft_front *front);
/* What a cell knows in the end, placed or not. */
const weft_label *weft_front_labels(const weft_front *front, uint32_t cell, uint32_t *count);
void weft_front_free(weft_front *front);

#endif
