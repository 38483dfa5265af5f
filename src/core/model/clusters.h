/* clusters.h: cuts a graph into round pieces of bounded size, for patches.
 *
 * Cells of a Voronoi diagram by hops, their seeds moved into the middle a few times (Lloyd 1982).
 * Integers alone and a stated order decide, so a graph is cut the same way on every machine; a
 * partitioning library would draw its random numbers from the C library's generator and give other
 * patches, and so other bits, elsewhere. On surfaces such cells are nearly hexagons, whose seams
 * are as short as any partition's. */
#ifndef WEFT_MODEL_CLUSTERS_H
#define WEFT_MODEL_CLUSTERS_H

#include <weft/types.h>

#define WEFT_NO_CLUSTER 0xffffffffu

/* Vertices without neighbours belong to no cluster. */
typedef struct weft_cluster_graph {
  uint32_t count;
  const uint32_t *offsets;    /* [count+1] */
  const uint32_t *neighbours; /* both ways; repeats do no harm */
} weft_cluster_graph;

/* Fills cluster[count] with numbers from 0 on, neighbours mostly near each other, or
 * WEFT_NO_CLUSTER; no cluster holds more than `most` vertices (at least 2). Returns how many. */
uint32_t weft_clusters_build(const weft_cluster_graph *graph, uint32_t max, uint32_t *cluster);

/* Another clustering of the same graph, with the seams of `cluster` inside: seeds are the vertices
 * that lie furthest from the middle of its cells, where three or more meet. Replaces it. */
uint32_t weft_clusters_shift(const weft_cluster_graph *graph, uint32_t max, uint32_t *cluster);

#endif
