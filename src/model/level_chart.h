/* level_chart.h: a small piece of cloth laid flat.
 *
 * A mean of nodes moves no further than they do, so how far two means can be apart is a matter of
 * the cloth when it is flat, not of its rest pose, in which a garment is curved. A chart holds the
 * nodes around one coarser node in the plane, true to the lengths of the edges between them. */
#ifndef WEFT_MODEL_LEVEL_CHART_H
#define WEFT_MODEL_LEVEL_CHART_H

#include "level_graph.h"

typedef struct weft_chart {
  uint32_t count;
  uint32_t *nodes; /* of the finer level */
  double *at;      /* [2*count] m */
  double error; /* of lengths, relative, root mean square; INFINITY when it cannot be laid flat */
} weft_chart;

/* Scratch memory for one chart after another. */
typedef struct weft_chart_maker {
  const weft_level_nodes *nodes;
  const weft_level_links *links;
  uint32_t *slot; /* [finer count] place in the chart plus 1, 0 outside */
  bool *settled;
  double *rest;
  size_t settled_capacity, rest_capacity;
} weft_chart_maker;

void weft_chart_maker_begin(weft_chart_maker *m, const weft_level_nodes *nodes,
                            const weft_level_links *links);
void weft_chart_maker_end(weft_chart_maker *m);

/* Takes count and nodes; fills `at` (the caller's memory) and error. The first node comes to the
 * origin. */
void weft_chart_lay(weft_chart_maker *m, weft_chart *chart);

#endif
