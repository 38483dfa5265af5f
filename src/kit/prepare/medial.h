/* medial.h: where the middle of a closed surface is, seen from each of its vertices. */
#ifndef WEFT_PREPARE_MEDIAL_H
#define WEFT_PREPARE_MEDIAL_H

#include "adjacency.h"
#include "vec3d.h"

/* ways[v], metres: from vertex v to the centre of the largest ball that touches the surface there
 * from within and has no vertex inside (a point of the medial axis; Ma, Bae and Choi 2012, "3D
 * medial axis point approximation using nearest neighbors and the normal field"), evened out over
 * the surface. 0 for vertices without a normal. */
void weft_medial_ways(const weft_vec3 *positions, uint32_t vertex_count, const uint32_t *triangles,
                      uint32_t triangle_count, const weft_edges *edges, weft_vec3d *ways);

#endif
