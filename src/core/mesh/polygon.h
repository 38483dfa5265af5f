/* polygon.h: normals and triangulation of polygons. */
#ifndef WEFT_MESH_POLYGON_H
#define WEFT_MESH_POLYGON_H

#include "mesh_internal.h"
#include "vec3d.h"

/* Newell's: the sum over edges of the cross products, which is the normal times twice the area, for
 * bent polygons too. */
weft_vec3d weft_polygon_normal(const weft_vec3 *positions, const uint32_t *corners, uint32_t count);

/* Scratch memory that grows with the largest polygon. Ear clipping costs up to the cube of the
 * corner count on hostile polygons, so a file has a budget of tests; after that, the rest is cut
 * as fans. */
typedef struct weft_cutter {
  double *plane;   /* [2*n] corners in the best-fit plane */
  uint32_t *next;  /* [n] ring of the corners left */
  uint32_t *prior; /* [n] */
  size_t space;
  uint64_t budget;
} weft_cutter;

void weft_cutter_start(weft_cutter *cutter);
void weft_cutter_free(weft_cutter *cutter);

/* Writes count-2 triangles wound like the polygon to out. */
void weft_polygon_cut(weft_cutter *cutter, const weft_vec3 *positions, const uint32_t *corners,
                      uint32_t count, uint32_t *out);

#endif
