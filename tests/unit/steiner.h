/* steiner.h: an independent search for short ways over a mesh: Dijkstra on a graph of the vertices
 * and of points strewn along every edge, where any two points of a triangle are joined by a
 * straight line. What it finds is a way, so never shorter than the shortest; with more points it
 * comes down to it. */
#ifndef TEST_STEINER_H
#define TEST_STEINER_H

#include <math.h>
#include <stdlib.h>
#include <weft/mesh.h>

#include "adjacency.h"
#include "base.h"
#include "vec3d.h"

typedef struct steiner_node {
  double distance;
  uint32_t node;
} steiner_node;

typedef struct steiner {
  const weft_mesh *mesh;
  weft_edges edges;
  uint32_t points; /* on an edge, without its ends */
  uint32_t *offsets, *corners;
  double *distances; /* [nodes] vertices first, then the points edge by edge */
  steiner_node *heap;
  size_t count, capacity;
} steiner;

static inline uint32_t steiner_edge(const steiner *s, uint32_t a, uint32_t b) {
  uint32_t low = 0, high = s->edges.count, x = a < b ? a : b, y = a < b ? b : a;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    const weft_edge *e = &s->edges.items[middle];
    if (e->a < x || (e->a == x && e->b < y)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static inline weft_vec3d steiner_place(const steiner *s, uint32_t node) {
  const weft_vec3 *x = s->mesh->positions;
  uint32_t n = s->mesh->vertex_count;
  weft_vec3d a = weft_v3d_from(x[node < n ? node : s->edges.items[(node - n) / s->points].a]);
  weft_vec3d b = weft_v3d_from(x[node < n ? node : s->edges.items[(node - n) / s->points].b]);
  double t = node < n ? 0 : ((node - n) % s->points + 1.0) / (s->points + 1.0);
  return weft_v3d_add_scaled(a, t, weft_v3d_sub(b, a));
}

static inline void steiner_offer(steiner *s, uint32_t node, double distance) {
  if (distance >= s->distances[node]) return;
  s->distances[node] = distance;
  weft_grow((void **)&s->heap, &s->capacity, s->count + 1, sizeof *s->heap);
  size_t i = s->count++;
  for (; i > 0 && s->heap[(i - 1) / 2].distance > distance; i = (i - 1) / 2) {
    s->heap[i] = s->heap[(i - 1) / 2];
  }
  s->heap[i] = (steiner_node){distance, node};
}

static inline steiner_node steiner_pop(steiner *s) {
  steiner_node top = s->heap[0], last = s->heap[--s->count];
  size_t i = 0;
  for (size_t c = 1; c < s->count; c = 2 * i + 1) {
    if (c + 1 < s->count && s->heap[c + 1].distance < s->heap[c].distance) ++c;
    if (s->heap[c].distance >= last.distance) break;
    s->heap[i] = s->heap[c];
    i = c;
  }
  s->heap[i] = last;
  return top;
}

static inline void steiner_join(steiner *s, steiner_node from, uint32_t to) {
  double length = weft_v3d_distance(steiner_place(s, from.node), steiner_place(s, to));
  steiner_offer(s, to, from.distance + length);
}

static inline void steiner_triangle(steiner *s, steiner_node from, uint32_t triangle) {
  if (triangle == UINT32_MAX) return;
  const uint32_t *v = &s->mesh->triangles[3 * triangle];
  for (int k = 0; k < 3; ++k) {
    steiner_join(s, from, v[k]);
    uint32_t first = s->mesh->vertex_count + s->points * steiner_edge(s, v[k], v[(k + 1) % 3]);
    for (uint32_t p = 0; p < s->points; ++p) steiner_join(s, from, first + p);
  }
}

/* Distances of all vertices from the nearest source; freed with weft_free. For meshes without edges
 * of more than two triangles. */
static inline double *steiner_distances(const weft_mesh *mesh, const uint32_t *sources,
                                        uint32_t source_count, uint32_t points) {
  steiner s = {.mesh = mesh, .points = points};
  weft_edges_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &s.edges);
  weft_corners_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &s.offsets,
                     &s.corners);
  size_t nodes = mesh->vertex_count + (size_t)points * s.edges.count;
  s.distances = weft_alloc(nodes, sizeof *s.distances);
  for (size_t k = 0; k < nodes; ++k) s.distances[k] = HUGE_VAL;
  for (uint32_t k = 0; k < source_count; ++k) steiner_offer(&s, sources[k], 0);
  while (s.count > 0) {
    steiner_node at = steiner_pop(&s);
    if (at.distance > s.distances[at.node]) continue;
    if (at.node >= mesh->vertex_count) {
      const weft_edge *e = &s.edges.items[(at.node - mesh->vertex_count) / points];
      steiner_triangle(&s, at, e->triangle[0]);
      steiner_triangle(&s, at, e->triangle[1]);
    } else {
      for (uint32_t i = s.offsets[at.node]; i < s.offsets[at.node + 1]; ++i) {
        steiner_triangle(&s, at, s.corners[i] / 3);
      }
    }
  }
  weft_edges_free(&s.edges);
  weft_free(s.offsets);
  weft_free(s.corners);
  weft_free(s.heap);
  return s.distances;
}

#endif
