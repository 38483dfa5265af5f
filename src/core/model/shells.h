/* shells.h: the closed surfaces of a mesh, and which points lie inside them. */
#ifndef WEFT_MODEL_SHELLS_H
#define WEFT_MODEL_SHELLS_H

#include <weft/mesh.h>

/* The closed surfaces of a mesh. */
typedef struct weft_shells weft_shells;

/* A shell is connected by edges; vertices at equal positions count as one. It is closed if
 * triangles run along every edge as often one way as the other: then its winding number about a
 * point is an integer, whether it crosses itself, faces inwards, or has edges of four triangles. */
weft_shells *weft_shells_make(const weft_mesh *mesh);
void weft_shells_free(weft_shells *shells); /* NULL is allowed */
/* Triangles that belong to closed shells; 0: the mesh has no inside. */
uint32_t weft_shells_triangles(const weft_shells *shells);
/* Edges of open shells along which triangles run more often one way than the other. */
uint32_t weft_shells_open_edges(const weft_shells *shells);

/* Sets marks[i] to 1 where the winding number of points[i], [count], is not 0, and leaves the
 * others unchanged. `positions` are the current vertices of the mesh. Time grows with the
 * triangles, and for each point in their box with those above and below it. */
void weft_shells_mark_inside(const weft_shells *shells, const weft_vec3 *positions,
                             const weft_vec3 *points, uint32_t count, uint8_t *marks);

#endif
