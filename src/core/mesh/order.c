/* order.c: reorders vertices and triangles for memory locality.
 *
 * What a constraint reads together should be close in memory, and the constraints of a colour,
 * which are sorted by their lowest vertex, should walk through memory. The numbering of Cuthill
 * and McKee ("Reducing the bandwidth of sparse symmetric matrices", 1969) does both: vertices
 * are numbered by a wavefront from one end of the mesh, so that numbers of neighbours differ by
 * no more than the wavefront is long. A mesh from a file that is nearly as good, like a sheet
 * row by row, keeps its order; so does a small one, which any cache holds. */
#include "mesh_internal.h"

#include "adjacency.h"
#include "map.h"

enum { NONE = UINT32_MAX };

/* Positions of fewer vertices take a quarter of a megabyte. */
static const uint32_t min_vertices = 1 << 14;

/* The file's order is kept if the numbers of neighbours differ by at most this factor more. */
static const double good_enough = 2;

typedef struct wavefront {
  const weft_mesh *mesh;
  uint32_t *offsets, *items; /* corners at each vertex */
  uint8_t *seen;             /* [vertices] bits of the sweeps that reached it */
  uint32_t *queue;           /* [vertices] vertices in the order in which they were found */
} wavefront;

/* In a randomly ordered file every access is a cache miss, but the queue tells what will be
 * needed. So it is prefetched: of vertices further back the offset of their triangles, then the
 * list, then the triangles. */
static void look_ahead(const wavefront *f, uint32_t at, uint32_t end) {
  enum { STEP = 8 };
  if (end - at > 3 * STEP) __builtin_prefetch(&f->offsets[f->queue[at + 3 * STEP]]);
  if (end - at > 2 * STEP) __builtin_prefetch(&f->items[f->offsets[f->queue[at + 2 * STEP]]]);
  if (end - at <= STEP) return;
  uint32_t v = f->queue[at + STEP];
  for (uint32_t i = f->offsets[v]; i < f->offsets[v + 1]; ++i) {
    __builtin_prefetch(&f->mesh->triangles[f->items[i] / 3 * (size_t)3]);
  }
}

/* Visits what is connected to `start`, into the queue from `begin` on; returns its end. */
static uint32_t sweep(wavefront *f, uint32_t start, uint8_t bit, uint32_t begin) {
  uint32_t end = begin;
  f->seen[start] |= bit;
  f->queue[end++] = start;
  for (uint32_t at = begin; at < end; ++at) {
    uint32_t v = f->queue[at];
    look_ahead(f, at, end);
    for (uint32_t i = f->offsets[v]; i < f->offsets[v + 1]; ++i) {
      const uint32_t *t = f->mesh->triangles + 3 * (size_t)(f->items[i] / 3);
      for (int c = 0; c < 3; ++c) {
        if (f->seen[t[c]] & bit) continue;
        f->seen[t[c]] |= bit;
        f->queue[end++] = t[c];
      }
    }
  }
  return end;
}

/* queue[new number] = old number: piece by piece, each from the end farthest from its first
 * vertex. */
static uint32_t *front_order(const weft_mesh *mesh) {
  uint32_t n = mesh->vertex_count, begin = 0;
  wavefront f = {.mesh = mesh};
  weft_corners_build(n, mesh->triangles, mesh->triangle_count, &f.offsets, &f.items);
  f.seen = weft_alloc(n, 1);
  f.queue = weft_alloc(n, sizeof *f.queue);
  for (uint32_t v = 0; v < n; ++v) {
    if (f.seen[v]) continue;
    uint32_t end = sweep(&f, v, 1, begin);
    sweep(&f, f.queue[end - 1], 2, begin);
    begin = end;
  }
  weft_free(f.offsets);
  weft_free(f.items);
  weft_free(f.seen);
  return f.queue;
}

/* Summed difference of the numbers of all edges' ends; place[v] is the new number of v, NULL:
 * unchanged. */
static double span(const weft_mesh *mesh, const uint32_t *place) {
  double sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles + 3 * (size_t)t;
    for (int c = 0; c < 3; ++c) {
      uint32_t a = v[c], b = v[(c + 1) % 3];
      if (place) {
        a = place[a];
        b = place[b];
      }
      sum += a < b ? b - a : a - b;
    }
  }
  return sum;
}

static uint32_t *places(const uint32_t *numbers, uint32_t count) {
  uint32_t *place = weft_alloc(count, sizeof *place);
  for (uint32_t v = 0; v < count; ++v) place[numbers[v]] = v;
  return place;
}

void weft_mesh_renumber(weft_mesh *mesh, const uint32_t *numbers) {
  uint32_t *place = places(numbers, mesh->vertex_count);
  weft_vec3 *positions = weft_alloc(mesh->vertex_count, sizeof *positions);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) positions[v] = mesh->positions[numbers[v]];
  weft_free(mesh->positions);
  mesh->positions = positions;
  weft_map_vertices(&mesh->map, place, mesh->vertex_count, mesh->vertex_count);
  for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
    mesh->triangles[i] = place[mesh->triangles[i]];
  }
  weft_free(place);
}

static uint32_t lowest(const uint32_t *t) {
  uint32_t low = t[0] < t[1] ? t[0] : t[1];
  return low < t[2] ? low : t[2];
}

/* Sorted by their lowest vertex, in the file's order among equals. */
static void sort_triangles(weft_mesh *mesh) {
  uint32_t n = mesh->triangle_count;
  uint32_t *slots = weft_alloc((size_t)mesh->vertex_count + 1, sizeof *slots);
  uint32_t *sorted = weft_alloc(3 * (size_t)n, sizeof *sorted);
  uint32_t *from = weft_alloc(n, sizeof *from);
  for (uint32_t t = 0; t < n; ++t) ++slots[lowest(mesh->triangles + 3 * (size_t)t) + 1];
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) slots[v + 1] += slots[v];
  for (uint32_t t = 0; t < n; ++t) {
    const uint32_t *corners = mesh->triangles + 3 * (size_t)t;
    uint32_t at = slots[lowest(corners)]++;
    memcpy(sorted + 3 * (size_t)at, corners, 3 * sizeof *corners);
    from[at] = t;
  }
  weft_map_triangles(&mesh->map, from, n);
  weft_free(from);
  weft_free(slots);
  weft_free(mesh->triangles);
  mesh->triangles = sorted;
}

bool weft_mesh_order(weft_mesh *mesh) {
  WEFT_GUARD_OR(false);
  if (!mesh || !weft_mesh_is_whole(mesh)) return false;
  if (mesh->grid_rows > 0 || mesh->vertex_count < min_vertices) return false;
  if (weft_check_indices(mesh, NULL) != WEFT_OK) return false;
  double start = weft_clock_seconds();
  uint32_t *numbers = front_order(mesh);
  uint32_t *place = places(numbers, mesh->vertex_count);
  double before = span(mesh, NULL), after = span(mesh, place);
  bool better = before > good_enough * after;
  if (better) {
    weft_mesh ordered = weft_mesh_copy(mesh);
    weft_map_begin(&ordered);
    weft_mesh_renumber(&ordered, numbers);
    sort_triangles(&ordered);
    weft_mesh_swap(mesh, &ordered);
    weft_mesh_free(&ordered);
  }
  weft_free(numbers);
  weft_free(place);
  double edges = 3.0 * (double)mesh->triangle_count;
  weft_log(WEFT_LOG_DEBUG, "neighbours lie %.0f vertices apart, %.0f by a wavefront: %s, %.3f s",
           before / edges, after / edges, better ? "ordered" : "left as they are",
           weft_clock_seconds() - start);
  return better;
}
