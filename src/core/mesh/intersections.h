/* intersections.h: self-intersections of a triangle mesh, counted exactly. It judges solvers and
 * shares no code with them.
 *
 * Positions are floats and taken as they are: no tolerance, no rounding. Triangles and edges are
 * closed sets, so touching counts.
 *
 * Edges are counted that meet a triangle with which they share no vertex. Two triangles
 * intersect if an edge of one so meets the other. For two that share no vertex this is every
 * intersection; for two that share one vertex, every intersection beyond that vertex. Two that
 * share an edge are not counted, even when one is folded flat onto the other. Sharing goes by
 * vertex numbers: vertices at equal positions with different numbers touch.
 *
 * A degenerate triangle is the segment or point of its corners, and counts as that. One that
 * names a vertex twice is left out. */
#ifndef WEFT_MESH_INTERSECTIONS_H
#define WEFT_MESH_INTERSECTIONS_H

#include <weft/types.h>

enum { WEFT_INTERSECTIONS_LISTED = 8 };

typedef struct weft_intersections {
  uint64_t edge_triangle_pairs; /* an edge between two triangles is one edge */
  uint64_t triangle_pairs;
  uint64_t sharing_pairs; /* of these: that share a vertex */
  uint32_t triangles;     /* that are in any pair */
  /* The first triangle pairs in ascending order, the lower number first in each. */
  uint32_t listed;
  uint32_t pairs[WEFT_INTERSECTIONS_LISTED][2];
} weft_intersections;

/* `triangles` are [3*triangle_count] indices into `positions`, [vertex_count]. marks[t] becomes
 * 1 for a triangle that intersects another, else 0; `marks` may be NULL.
 *
 * WEFT_ERROR_MESH for an index out of range, WEFT_ERROR_NOT_FINITE for a corner that is infinite
 * or NaN; then *found and marks are zero. Time grows as n log n and with the number of triangles
 * whose boxes overlap. */
weft_result weft_count_intersections(const weft_vec3 *positions, uint32_t vertex_count,
                                     const uint32_t *triangles, uint32_t triangle_count,
                                     uint8_t *marks, weft_intersections *found, weft_error *err);

/* For cloth and bodies: triangles from `bodies_from` on are those of bodies, and bodies among
 * themselves do not count. found[0]: cloth and cloth; found[1]: cloth and bodies. */
weft_result weft_count_intersections_with(const weft_vec3 *positions, uint32_t vertex_count,
                                          const uint32_t *triangles, uint32_t triangle_count,
                                          uint32_t bodies_from, uint8_t *marks,
                                          weft_intersections found[2], weft_error *err);

/* An edge that meets a triangle with which it shares no vertex. */
typedef struct weft_crossing {
  uint32_t edge[2]; /* vertices, the lower first */
  uint32_t triangle;
} weft_crossing;

/* All of them, as weft_count_intersections_with counts them, sorted by edge, then triangle:
 * *crossings is [*count] and freed with weft_free. Errors as there. */
weft_result weft_list_crossings(const weft_vec3 *positions, uint32_t vertex_count,
                                const uint32_t *triangles, uint32_t triangle_count,
                                uint32_t bodies_from, weft_crossing **crossings, size_t *count,
                                weft_error *err);

/* Whether segment p q meets triangle a b c, all closed, possibly degenerate. A point is three
 * doubles that hold finite floats. */
bool weft_segment_meets_triangle(const double *p, const double *q, const double *a, const double *b,
                                 const double *c);

#endif
