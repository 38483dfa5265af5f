/* Edges and corners of a triangle list by counting sort. */
#include "adjacency.h"

#include "base.h"

/* Half-edge h = 3*triangle + corner runs from that corner to the next one. The sort carries the
 * keys along, so that each pass reads memory in order. */
typedef struct half_edge {
  uint32_t low, high; /* its vertices */
  uint32_t number;
} half_edge;

static bool has_area(const uint32_t *t) { return t[0] != t[1] && t[1] != t[2] && t[2] != t[0]; }

/* counts[k+1] holds how many items have key k; afterwards counts[k] is where key k begins. */
static void prefix_sum(uint32_t *counts, uint32_t key_count) {
  for (uint32_t k = 0; k < key_count; ++k) counts[k + 1] += counts[k];
}

/* Moves begin offsets back by one slot after a scatter advanced each to its end. */
static void rewind_offsets(uint32_t *offsets, uint32_t key_count) {
  for (uint32_t k = key_count; k > 0; --k) offsets[k] = offsets[k - 1];
  offsets[0] = 0;
}

/* Half-edges in order of their higher end, ascending by number among equals. */
static half_edge *order_by_high(uint32_t vertex_count, const uint32_t *triangles,
                                uint32_t triangle_count, uint32_t *half_count) {
  uint32_t *slots = weft_alloc((size_t)vertex_count + 1, sizeof *slots);
  for (uint32_t t = 0; t < triangle_count; ++t) {
    const uint32_t *v = triangles + 3 * (size_t)t;
    if (!has_area(v)) continue;
    for (int c = 0; c < 3; ++c) {
      WEFT_CHECK(v[c] < vertex_count, "a triangle names a vertex that the mesh lacks");
      uint32_t end = v[c == 2 ? 0 : c + 1];
      ++slots[(v[c] > end ? v[c] : end) + 1];
    }
  }
  prefix_sum(slots, vertex_count);
  *half_count = slots[vertex_count];
  half_edge *order = weft_alloc(*half_count, sizeof *order);
  for (uint32_t t = 0; t < triangle_count; ++t) {
    const uint32_t *v = triangles + 3 * (size_t)t;
    if (!has_area(v)) continue;
    for (uint32_t c = 0; c < 3; ++c) {
      uint32_t a = v[c], b = v[c == 2 ? 0 : c + 1];
      half_edge half = {a < b ? a : b, a < b ? b : a, 3 * t + c};
      order[slots[half.high]++] = half;
    }
  }
  weft_free(slots);
  return order;
}

/* Stable second pass, so that the result is ordered by (low, high, number). */
static half_edge *order_by_low(uint32_t vertex_count, const half_edge *by_high,
                               uint32_t half_count) {
  uint32_t *slots = weft_alloc((size_t)vertex_count + 1, sizeof *slots);
  for (uint32_t i = 0; i < half_count; ++i) ++slots[by_high[i].low + 1];
  prefix_sum(slots, vertex_count);
  half_edge *order = weft_alloc(half_count, sizeof *order);
  for (uint32_t i = 0; i < half_count; ++i) order[slots[by_high[i].low]++] = by_high[i];
  weft_free(slots);
  return order;
}

static bool same_edge(half_edge a, half_edge b) { return a.low == b.low && a.high == b.high; }

static uint32_t count_unique(const half_edge *order, uint32_t count) {
  uint32_t unique = count > 0;
  for (uint32_t i = 1; i < count; ++i) unique += !same_edge(order[i - 1], order[i]);
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
  uint32_t half_count;
  half_edge *by_high = order_by_high(vertex_count, triangles, triangle_count, &half_count);
  half_edge *order = order_by_low(vertex_count, by_high, half_count);
  weft_free(by_high);
  edges->count = 0;
  edges->items = weft_alloc(count_unique(order, half_count), sizeof *edges->items);
  for (uint32_t i = 0; i < half_count; ++i) {
    if (i == 0 || !same_edge(order[i - 1], order[i])) {
      edges->items[edges->count++] = (weft_edge){
          order[i].low, order[i].high, {UINT32_MAX, UINT32_MAX}, {UINT32_MAX, UINT32_MAX}, 0};
    }
    edge_add(edges->items + edges->count - 1, triangles, order[i].number);
  }
  weft_free(order);
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
