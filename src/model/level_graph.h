/* level_graph.h: what coarsening of irregular meshes and the lengths of its edges share. */
#ifndef WEFT_MODEL_LEVEL_GRAPH_H
#define WEFT_MODEL_LEVEL_GRAPH_H

#include "levels.h"
#include "vec3d.h"

/* The edges at each node (CSR), in the order of the edge list; lengths between means. */
typedef struct weft_level_links {
  uint32_t *offsets; /* [count+1] */
  uint32_t *ends;
  double *lengths;
} weft_level_links;

void weft_level_links_build(const weft_level_nodes *nodes, weft_level_links *links);
void weft_level_links_free(weft_level_links *links);

/* Adds d d^T / n to moments: the upper triangle xx xy xz yy yz zz. */
void weft_add_moments(weft_vec3d d, double n, double moments[6]);

/* Two unit vectors along which points spread most: the plane that fits them best. Takes their
 * second moments about the centre; returns the moment across the plane. */
double weft_best_plane(const double moments[6], weft_vec3d plane[2]);

#endif
