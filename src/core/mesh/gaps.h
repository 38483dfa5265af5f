/* gaps.h: seams that rounded coordinates have opened. */
#ifndef WEFT_MESH_GAPS_H
#define WEFT_MESH_GAPS_H

#include <weft/mesh.h>

typedef struct weft_mesh_gaps {
  uint32_t vertices;      /* border vertices that nearly coincide with another one */
  uint32_t pieces, after; /* connected pieces, and how many there would be after welding */
  double widest;          /* m: the largest of these distances. 0: there are none */
} weft_mesh_gaps;

/* Nearly: within a millimetre, a twentieth of the mean edge and a quarter of the edges there.
 * Vertices at equal positions do not count: welding seams has left them as layers. */
weft_mesh_gaps weft_mesh_find_gaps(const weft_mesh *mesh);

#endif
