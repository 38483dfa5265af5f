/* wavefront_map.c: sorts particles into the boxes of a lattice; within a box they keep their
 * order. */
#include "wavefront_map.h"

#include <math.h>
#include <string.h>

#include "base.h"
#include "ranges.h"

/* Approximate particles of a surface in a box: their cells fill a page or two. */
enum { IN_A_BOX = 256, MAX_BITS = 7 };

typedef struct survey {
  const weft_model *model;
  weft_wavefront_map *map;
  weft_vec3 low;
  float per_metre; /* boxes */
  uint32_t side;   /* boxes along each axis */
} survey;

/* ---- order ---- */

static void find_lattice(survey *s) {
  const weft_vec3 *x = s->model->rest_positions;
  weft_vec3 high = s->low = x[0];
  for (uint32_t v = 1; v < s->model->particle_count; ++v) {
    s->low = weft_v3(fminf(s->low.x, x[v].x), fminf(s->low.y, x[v].y), fminf(s->low.z, x[v].z));
    high = weft_v3(fmaxf(high.x, x[v].x), fmaxf(high.y, x[v].y), fmaxf(high.z, x[v].z));
  }
  weft_vec3 size = weft_v3_sub(high, s->low);
  float widest = fmaxf(size.x, fmaxf(size.y, size.z));
  uint32_t bits = 0;
  while (bits < MAX_BITS && (size_t)IN_A_BOX << 2 * bits < s->model->particle_count) ++bits;
  s->side = 1U << bits;
  s->per_metre = widest > 0 ? (float)s->side / widest : 0;
}

static uint32_t along(const survey *s, float offset) {
  float at = offset * s->per_metre;
  return at < (float)s->side ? (uint32_t)at : s->side - 1;
}

static uint32_t box_of(const survey *s, uint32_t particle) {
  weft_vec3 p = weft_v3_sub(s->model->rest_positions[particle], s->low);
  return (along(s, p.z) * s->side + along(s, p.y)) * s->side + along(s, p.x);
}

static void sort(const survey *s) {
  uint32_t n = s->model->particle_count, boxes = s->side * s->side * s->side, sum = 0;
  uint32_t *next = weft_alloc(boxes, sizeof *next);
  for (uint32_t v = 0; v < n; ++v) next[box_of(s, v)]++;
  for (uint32_t b = 0; b < boxes; ++b) {
    uint32_t count = next[b];
    next[b] = sum;
    sum += count;
  }
  for (uint32_t v = 0; v < n; ++v) {
    uint32_t c = next[box_of(s, v)]++;
    s->map->cell_of[v] = c;
    s->map->cells[c].particle = v;
  }
  weft_free(next);
}

/* ---- rings ---- */

static const uint32_t *offsets_of(const survey *s) {
  return s->map->links->offsets ? s->map->links->offsets : s->model->corner_offsets;
}

/* The index of a particle among the neighbours found so far. */
static uint32_t meet(const survey *s, uint32_t *ring, uint32_t particle) {
  uint32_t cell = s->map->cell_of[particle], *near = ring + 2, k = 0;
  while (k < ring[0] && near[k] != cell) ++k;
  if (k == ring[0]) near[ring[0]++] = cell;
  return k;
}

static uint32_t meet_item(const survey *s, uint32_t *ring, uint32_t i) {
  if (s->map->links->offsets) {
    uint32_t end = meet(s, ring, s->map->links->ends[i]);
    return end | end << 16;
  }
  uint32_t item = s->model->corner_items[i], corner = item % 3;
  const uint32_t *v = s->model->triangles + (item - corner);
  uint32_t p = meet(s, ring, v[(corner + 1) % 3]);
  return p | meet(s, ring, v[(corner + 2) % 3]) << 16;
}

/* Most words of a ring, besides the two counts, for each triangle or link: two neighbours and an
 * item, or a neighbour, an item and a length. */
enum { WORDS = 3 };

/* Returns the end of the ring. */
static uint32_t *fill_ring(const survey *s, uint32_t particle, uint32_t *ring) {
  const uint32_t *offsets = offsets_of(s);
  uint32_t first = offsets[particle], count = offsets[particle + 1] - first;
  /* Items are written after all possible neighbours, until the number of these is known. */
  uint32_t *items = ring + 2 + (WORDS - 1) * (size_t)count;
  ring[0] = 0;
  ring[1] = count;
  for (uint32_t i = 0; i < count; ++i) items[i] = meet_item(s, ring, first + i);
  uint32_t *end = ring + 2 + ring[0];
  memmove(end, items, count * sizeof *end);
  end += count;
  if (!s->map->links->offsets) return end;
  memcpy(end, s->map->links->lengths + first, count * sizeof *end);
  return end + count;
}

static void fill_cells(void *context, uint32_t part, size_t first, size_t end) {
  (void)part;
  const survey *s = context;
  weft_cell *cells = s->map->cells;
  const uint32_t *offsets = offsets_of(s);
  /* A thread's range starts where it would if all rings before it had their greatest length. The
   * gaps between ranges are never touched. */
  size_t at = 2 * first;
  for (size_t c = 0; c < first; ++c) {
    at += WORDS * (size_t)(offsets[cells[c].particle + 1] - offsets[cells[c].particle]);
  }
  for (size_t c = first; c < end; ++c) {
    cells[c].place = s->model->rest_positions[cells[c].particle];
    cells[c].ring = at;
    at = (size_t)(fill_ring(s, cells[c].particle, s->map->rings + at) - s->map->rings);
  }
}

void weft_wavefront_map_build(const weft_model *model, const weft_wavefront_links *links,
                              weft_wavefront_map *map) {
  size_t n = model->particle_count;
  *map = (weft_wavefront_map){.links = links,
                              .cells = weft_alloc(n, sizeof *map->cells),
                              .cell_of = weft_alloc(n, sizeof *map->cell_of)};
  survey s = {.model = model, .map = map};
  find_lattice(&s);
  sort(&s);
  map->rings = weft_alloc(2 * n + WORDS * (size_t)offsets_of(&s)[n], sizeof *map->rings);
  weft_ranges_run(n, weft_ranges_worth(n), fill_cells, &s);
}

void weft_wavefront_map_free(weft_wavefront_map *map) {
  weft_free(map->cells);
  weft_free(map->cell_of);
  weft_free(map->rings);
}
