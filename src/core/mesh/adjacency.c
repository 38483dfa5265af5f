/* Edges and corners of a triangle list by counting sort. */
#include "adjacency.h"

#include <stdlib.h>

#include "base.h"

/* Half-edge h = 3*triangle + corner runs from that corner to the next one. It is sorted by its
 * lower vertex. */
typedef struct half_edge {
  uint32_t high, number;
} half_edge;

/* A vertex with more half-edges than this has them sorted by qsort. */
enum { SHORT_LIST = 32 };

static bool has_area(const uint32_t *t) { return t[0] != t[1] && t[1] != t[2] && t[2] != t[0]; }

/* counts[k+1] holds how many items have key k; afterwards counts[k] is where key k begins. */
static void prefix_sum(uint32_t *counts, uint32_t key_count) {
  for (uint32_t k = 0; k < key_count; ++k) counts[k + 1] += counts[k];
}

/* A scatter advanced each offset to its end; this restores the beginnings by shifting one slot. */
static void rewind_offsets(uint32_t *offsets, uint32_t key_count) {
  for (uint32_t k = key_count; k > 0; --k) offsets[k] = offsets[k - 1];
  offsets[0] = 0;
}

/* Half-edges sorted by lower end: those of vertex v are [(*offsets)[v], (*offsets)[v + 1]). */
static half_edge *file_by_low(uint32_t vertex_count, const uint32_t *triangles,
                              uint32_t triangle_count, uint32_t **offsets) {
  uint32_t *slots = weft_alloc((size_t)vertex_count + 1, sizeof *slots);
  for (uint32_t t = 0; t < triangle_count; ++t) {
    const uint32_t *v = triangles + 3 * (size_t)t;
    if (!has_area(v)) continue;
    for (int c = 0; c < 3; ++c) {
      WEFT_CHECK(v[c] < vertex_count, "a triangle names a vertex that the mesh lacks");
      uint32_t end = v[c == 2 ? 0 : c + 1];
      ++slots[(v[c] < end ? v[c] : end) + 1];
    }
  }
  prefix_sum(slots, vertex_count);
  half_edge *filed = weft_alloc(slots[vertex_count], sizeof *filed);
  for (uint32_t t = 0; t < triangle_count; ++t) {
    const uint32_t *v = triangles + 3 * (size_t)t;
    if (!has_area(v)) continue;
    for (uint32_t c = 0; c < 3; ++c) {
      uint32_t a = v[c], b = v[c == 2 ? 0 : c + 1];
      filed[slots[a < b ? a : b]++] = (half_edge){a < b ? b : a, 3 * t + c};
    }
  }
  rewind_offsets(slots, vertex_count);
  *offsets = slots;
  return filed;
}

static bool before(half_edge a, half_edge b) {
  return a.high < b.high || (a.high == b.high && a.number < b.number);
}

static int by_high(const void *a, const void *b) {
  const half_edge *x = a, *y = b;
  return before(*x, *y) ? -1 : before(*y, *x);
}

/* By higher end, ascending by number among equals. */
static void sort_list(half_edge *list, uint32_t count) {
  if (count > SHORT_LIST) {
    qsort(list, count, sizeof *list, by_high);
    return;
  }
  for (uint32_t i = 1; i < count; ++i) {
    half_edge one = list[i];
    uint32_t k = i;
    for (; k > 0 && before(one, list[k - 1]); --k) list[k] = list[k - 1];
    list[k] = one;
  }
}

static uint32_t count_unique(const half_edge *list, uint32_t count) {
  uint32_t unique = count > 0;
  for (uint32_t i = 1; i < count; ++i) unique += list[i - 1].high != list[i].high;
  return unique;
}

static void edge_add(weft_edge *edge, const uint32_t *triangles, uint32_t h) {
  uint32_t side = edge->triangle_count++;
  if (side > 1) return;
  edge->triangle[side] = h / 3;
  edge->opposite[side] = triangles[h - h % 3 + (h % 3 + 2) % 3];
}

void weft_edges_build(uint32_t vertex_count, const uint32_t *triangles, uint32_t triangle_count,
                      weft_edges *edges) {
  WEFT_CHECK(triangle_count <= UINT32_MAX / 3, "half-edges are numbered with 32 bits");
  uint32_t *offsets, total = 0;
  half_edge *filed = file_by_low(vertex_count, triangles, triangle_count, &offsets);
  for (uint32_t v = 0; v < vertex_count; ++v) {
    sort_list(filed + offsets[v], offsets[v + 1] - offsets[v]);
    total += count_unique(filed + offsets[v], offsets[v + 1] - offsets[v]);
  }
  edges->count = 0;
  edges->items = weft_alloc(total, sizeof *edges->items);
  for (uint32_t v = 0; v < vertex_count; ++v) {
    for (uint32_t i = offsets[v]; i < offsets[v + 1]; ++i) {
      if (i == offsets[v] || filed[i - 1].high != filed[i].high) {
        edges->items[edges->count++] =
            (weft_edge){v, filed[i].high, {UINT32_MAX, UINT32_MAX}, {UINT32_MAX, UINT32_MAX}, 0};
      }
      edge_add(edges->items + edges->count - 1, triangles, filed[i].number);
    }
  }
  weft_free(offsets);
  weft_free(filed);
}

void weft_edges_free(weft_edges *edges) {
  weft_free(edges->items);
  *edges = (weft_edges){0};
}

static bool runs_from_to(const uint32_t *t, uint32_t a, uint32_t b) {
  return (t[0] == a && t[1] == b) || (t[1] == a && t[2] == b) || (t[2] == a && t[0] == b);
}

bool weft_edge_flipped(const weft_edge *edge, const uint32_t *triangles) {
  if (edge->triangle_count != 2) return false;
  const uint32_t *t0 = triangles + 3 * (size_t)edge->triangle[0];
  const uint32_t *t1 = triangles + 3 * (size_t)edge->triangle[1];
  return runs_from_to(t0, edge->a, edge->b) == runs_from_to(t1, edge->a, edge->b);
}

void weft_corners_build(uint32_t vertex_count, const uint32_t *triangles, uint32_t triangle_count,
                        uint32_t **offsets, uint32_t **items) {
  WEFT_CHECK(triangle_count <= UINT32_MAX / 3, "corners are numbered with 32 bits");
  uint32_t corner_count = 3 * triangle_count;
  uint32_t *slots = weft_alloc((size_t)vertex_count + 1, sizeof *slots);
  uint32_t *out = weft_alloc(corner_count, sizeof *out);
  for (uint32_t c = 0; c < corner_count; ++c) {
    WEFT_CHECK(triangles[c] < vertex_count, "a triangle names a vertex that the mesh lacks");
    ++slots[triangles[c] + 1];
  }
  prefix_sum(slots, vertex_count);
  for (uint32_t c = 0; c < corner_count; ++c) out[slots[triangles[c]]++] = c;
  rewind_offsets(slots, vertex_count);
  *offsets = slots;
  *items = out;
}
