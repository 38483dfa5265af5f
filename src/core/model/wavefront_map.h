/* wavefront_map.h: a model as the wavefronts of src/core/model/wavefront.c read it: particles
 * that are close in space are close in memory, each with the data of its neighbours. In the
 * order of a sheet, row by row, every particle of a wavefront would be on a page of its own. */
#ifndef WEFT_MODEL_WAVEFRONT_MAP_H
#define WEFT_MODEL_WAVEFRONT_MAP_H

#include "model.h"

/* Links at each particle, for a model without triangles (CSR); all NULL for one with triangles. */
typedef struct weft_wavefront_links {
  uint32_t *offsets, *ends;
  float *lengths;
} weft_wavefront_links;

typedef struct weft_cell {
  weft_vec3 place;
  uint32_t particle;
  size_t ring; /* its first word in `rings` */
} weft_cell;

typedef struct weft_wavefront_map {
  const weft_wavefront_links *links;
  weft_cell *cells;  /* [particles] */
  uint32_t *cell_of; /* [particles] */
  /* Of each cell: how many neighbours, and how many triangles or links; the neighbours, cells; for
   * each triangle the two other corners, for each link twice the other end, as indices among the
   * neighbours, 16 bits each (preprocessing refuses more than WEFT_MAX_VALENCE); lengths of links.
   */
  uint32_t *rings;
} weft_wavefront_map;

void weft_wavefront_map_build(const weft_model *model, const weft_wavefront_links *links,
                              weft_wavefront_map *map);
void weft_wavefront_map_free(weft_wavefront_map *map);

#endif
