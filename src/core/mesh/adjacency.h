/* adjacency.h: unique edges of a triangle list, and the corners at each vertex.
 *
 * Both are built by one counting sort each, so time and memory are proportional to the mesh
 * whatever its shape (but for a logarithm at a hub with a million spokes), and the order of the
 * result depends on the triangle list alone. Indices must be in range. */
#ifndef WEFT_MESH_ADJACENCY_H
#define WEFT_MESH_ADJACENCY_H

#include <weft/types.h>

/* An edge with its first two triangles in ascending order. */
typedef struct weft_edge {
  uint32_t a, b;           /* vertices, a < b */
  uint32_t triangle[2];    /* UINT32_MAX when none */
  uint32_t opposite[2];    /* vertex of that triangle not on the edge, UINT32_MAX when none */
  uint32_t triangle_count; /* more than 2 on a non-manifold edge */
} weft_edge;

typedef struct weft_edges {
  weft_edge *items; /* sorted by (a, b) */
  uint32_t count;
} weft_edges;

/* Triangles that name a vertex twice have no edges here. */
void weft_edges_build(uint32_t vertex_count, const uint32_t *triangles, uint32_t triangle_count,
                      weft_edges *edges);
void weft_edges_free(weft_edges *edges);

/* True when both triangles of a manifold interior edge run the same way along it, so that their
 * windings disagree. */
bool weft_edge_flipped(const weft_edge *edge, const uint32_t *triangles);

/* Corners at each vertex: vertex v owns items [offsets[v], offsets[v+1]), ascending; an item is
 * 3*triangle + corner. Both arrays are freed with weft_free. */
void weft_corners_build(uint32_t vertex_count, const uint32_t *triangles, uint32_t triangle_count,
                        uint32_t **offsets, uint32_t **items);

#endif
