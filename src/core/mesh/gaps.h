/* gaps.h: seams that a rounding of coordinates has opened. */
#ifndef WEFT_MESH_GAPS_H
#define WEFT_MESH_GAPS_H

#include <weft/mesh.h>

typedef struct weft_mesh_gaps {
  uint32_t vertices;      /* of borders that nearly lie on another such vertex */
  uint32_t pieces, after; /* connected pieces, and those there would be were they welded */
  double widest;          /* m: the largest of these distances. 0: there are none */
} weft_mesh_gaps;

/* Nearly is within a millimetre, a twentieth of the mean edge and a quarter of those there. What
 * lies in one place exactly does not count: welding seams has left it as layers. */
weft_mesh_gaps weft_mesh_find_gaps(const weft_mesh *mesh);

#endif
