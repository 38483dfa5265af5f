/* wavefront.c: labels spread from particle to particle, nearest first.
 *
 * Two corners of a triangle with labels of the same source give the third by unfolding: both
 * distances from the root place it in the plane of the triangle, and the third corner's distance
 * is a straight line (the virtual point source of Novotni and Klein 2002). That is exact on
 * anything flat or developable. If the line misses the edge between the two, the path follows an
 * edge and has a new root.
 *
 * An obtuse triangle can give a shorter path after a label was settled: it is then opened again,
 * a limited number of times.
 *
 * Neighbours below a row of pins have different nearest pins, and two corners with different
 * sources cannot be unfolded. So while the wavefront runs, a particle keeps the nearest few
 * sources of an island, and only the nearest at the end. */
#include "wavefront.h"

#include <math.h>
#include <string.h>

#include "base.h"
#include "vec3d.h"

enum { NONE = UINT32_MAX, SOURCES_PER_ISLAND = 4, MAX_REOPENED = 250 };

/* Distances this close (relative) are equal. A path that misses an edge by this fraction of it
 * goes through the edge's end: rounding must not bend a straight path. */
static const double tie = 1e-9, edge_margin = 1e-6;

/* A neighbour of the current cell, and its label of the current source. */
struct weft_near {
  weft_vec3d edge; /* from the cell at work */
  double length;
  double distance, base; /* of the label */
  uint32_t cell, label;  /* label: counted from the cell's first, or NONE */
  uint32_t root;
  bool settled;
};

/* ---- a binary heap; equal distances come in the order of particles, then of labels ---- */

static bool nearer(const weft_wavefront *f, const weft_wavefront_entry *a,
                   const weft_wavefront_entry *b) {
  if (a->distance != b->distance) return a->distance < b->distance;
  if (a->cell != b->cell) return f->map->cells[a->cell].particle < f->map->cells[b->cell].particle;
  return a->label < b->label;
}

static void push(weft_wavefront *f, weft_wavefront_entry e) {
  weft_grow((void **)&f->heap, &f->heap_capacity, f->heap_count + 1, sizeof *f->heap);
  size_t i = f->heap_count++;
  while (i > 0 && nearer(f, &e, &f->heap[(i - 1) / 2])) {
    f->heap[i] = f->heap[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  f->heap[i] = e;
}

static weft_wavefront_entry pop(weft_wavefront *f) {
  weft_wavefront_entry top = f->heap[0];
  weft_wavefront_entry last = f->heap[--f->heap_count];
  size_t i = 0;
  for (size_t child = 1; child < f->heap_count; child = 2 * i + 1) {
    if (child + 1 < f->heap_count && nearer(f, &f->heap[child + 1], &f->heap[child])) ++child;
    if (!nearer(f, &f->heap[child], &last)) break;
    f->heap[i] = f->heap[child];
    i = child;
  }
  f->heap[i] = last;
  return top;
}

/* ---- labels ---- */

static uint32_t class_of(uint32_t count) { return 31 - (uint32_t)__builtin_clz(count); }

/* Capacities for labels are powers of two; a full list moves to one of twice the capacity. */
static weft_label *add_label(weft_wavefront *f, uint32_t cell) {
  weft_cell_labels *cell_labels = &f->cell_labels[cell];
  uint32_t count = cell_labels->count++, kept = cell_labels->first;
  if (count & (count - 1)) return &f->labels[kept + count];
  uint32_t class = count == 0 ? 0 : class_of(count) + 1;
  if (f->spare_labels[class] != NONE) {
    cell_labels->first = f->spare_labels[class];
    f->spare_labels[class] = f->labels[cell_labels->first].root;
  } else {
    size_t end = f->label_count + ((size_t)1 << class);
    WEFT_CHECK(end < NONE, "labels are counted in 32 bits");
    weft_grow((void **)&f->labels, &f->label_capacity, end, sizeof *f->labels);
    cell_labels->first = (uint32_t)f->label_count;
    f->label_count = end;
  }
  if (count > 0) {
    memcpy(&f->labels[cell_labels->first], &f->labels[kept], count * sizeof *f->labels);
    f->labels[kept].root = f->spare_labels[class - 1];
    f->spare_labels[class - 1] = kept;
  }
  return &f->labels[cell_labels->first + count];
}

/* Reserves a label at a cell for a source of an island; false if there is none. If the cell has
 * as many of that island as it may, the farthest is replaced if it is farther than the new one. */
static bool make_room(weft_wavefront *f, uint32_t cell, uint32_t island, double distance,
                      bool evict) {
  uint32_t of_island = 0, islands = 0, seen[WEFT_MAX_LRA];
  weft_label *labels = &f->labels[f->cell_labels[cell].first], *farthest = NULL;
  for (weft_label *l = labels; l < labels + f->cell_labels[cell].count; ++l) {
    if (!l->settled) continue;
    if (l->island == island) {
      ++of_island;
      if (!farthest || l->distance >= farthest->distance) farthest = l;
    }
    bool known = false;
    for (uint32_t s = 0; s < islands; ++s) known = known || seen[s] == l->island;
    if (!known) seen[islands++] = l->island;
  }
  if (of_island == 0) return islands < WEFT_MAX_LRA;
  if (of_island < SOURCES_PER_ISLAND) return true;
  if (!(distance < farthest->distance)) return false;
  if (evict) farthest->settled = false;
  return true;
}

/* ---- paths ---- */

typedef struct path {
  double distance, base;
  uint32_t root;
} path;

static bool is_better(double distance, double base, double known_distance,
                      double cell_labels_base) {
  if (distance < known_distance * (1 - tie)) return true;
  return distance <= known_distance * (1 + tie) && base < cell_labels_base;
}

/* Offers a path to a neighbour, which takes it if it is shorter than that of its label. */
static void offer(weft_wavefront *f, const weft_label *from, weft_near *to, path w) {
  if (to->label != NONE && !is_better(w.distance, w.base, to->distance, to->base)) return;
  weft_vec3 source = f->map->cells[f->map->cell_of[from->source]].place;
  w.distance = fmax(w.distance, weft_v3_distance(f->map->cells[to->cell].place, source));
  weft_label *l;
  if (to->label != NONE) {
    if (!is_better(w.distance, w.base, to->distance, to->base)) return;
    l = &f->labels[f->cell_labels[to->cell].first + to->label];
    if (l->settled && l->reopened++ == MAX_REOPENED) {
      l->reopened = MAX_REOPENED;
      return;
    }
  } else {
    if (!make_room(f, to->cell, from->island, w.distance, false)) return;
    to->label = f->cell_labels[to->cell].count;
    l = add_label(f, to->cell);
    *l = (weft_label){.source = from->source, .island = from->island};
  }
  l->distance = to->distance = w.distance;
  l->base = to->base = w.base;
  l->root = to->root = w.root;
  l->waiting = true;
  push(f, (weft_wavefront_entry){w.distance, to->cell, to->label});
}

static path along_edge(uint32_t cell, const weft_label *l, double length) {
  path w = {l->distance + length, l->base, l->root};
  if (l->root != cell) {
    w.root = cell;
    w.base = l->distance;
  }
  return w;
}

/* A third corner in the plane of its triangle, where the edge from the current cell to a
 * neighbour is (0,0) to (length,0) and the third corner lies above. */
typedef struct corner {
  double length, x, y;
} corner;

/* A straight path through that edge to the third corner; the root lies below. False if it misses
 * the edge. */
static bool across(const weft_label *l, const path *side, corner to, path *out) {
  double length = to.length;
  if (!(length > 0)) return false;
  /* If the roots differ, one path bent slightly earlier: both distances are then measured from
   * the older root. */
  path w = l->base <= side->base ? (path){l->distance, l->base, l->root} : *side;
  double ra = l->distance - w.base, rb = side->distance - w.base;
  double root_x = ((ra - rb) * (ra + rb) + length * length) / (2 * length);
  double root_y2 = (ra - root_x) * (ra + root_x);
  if (root_y2 < -edge_margin * length * length) return false;
  double root_y = root_y2 > 0 ? sqrt(root_y2) : 0;
  double height = root_y + to.y;
  if (!(height > 0)) return false;
  double crossing = root_x + (to.x - root_x) * (root_y / height);
  if (!(crossing >= -edge_margin * length && crossing <= (1 + edge_margin) * length)) return false;
  w.distance = w.base + sqrt((to.x - root_x) * (to.x - root_x) + height * height);
  *out = w;
  return true;
}

/* ---- spreading ---- */

static void look_at(weft_wavefront *f, uint32_t cell, uint32_t source, weft_near *n) {
  const weft_cell_labels *cell_labels = &f->cell_labels[cell];
  const weft_label *labels = &f->labels[cell_labels->first];
  n->cell = cell;
  n->label = NONE;
  n->settled = false;
  for (uint32_t i = 0; i < cell_labels->count; ++i) {
    if (labels[i].source != source) continue;
    n->label = i;
    n->settled = labels[i].settled;
    n->distance = labels[i].distance;
    n->base = labels[i].base;
    n->root = labels[i].root;
    return;
  }
}

static void look_around(weft_wavefront *f, uint32_t cell, uint32_t source, const uint32_t *ring) {
  weft_vec3d x = weft_v3d_from(f->map->cells[cell].place);
  weft_grow((void **)&f->near, &f->near_capacity, ring[0], sizeof *f->near);
  for (uint32_t k = 0; k < ring[0]; ++k) {
    weft_near *n = &f->near[k];
    look_at(f, ring[2 + k], source, n);
    n->edge = weft_v3d_sub(weft_v3d_from(f->map->cells[n->cell].place), x);
    n->length = weft_v3d_length(n->edge);
  }
}

static void spread_triangle(weft_wavefront *f, uint32_t cell, const weft_label *l, weft_near *p,
                            weft_near *q) {
  path to_p = along_edge(cell, l, p->length), to_q = along_edge(cell, l, q->length), straight;
  if (p->settled || q->settled) {
    double x = weft_v3d_dot(p->edge, q->edge);
    double y = weft_v3d_length(weft_v3d_cross(p->edge, q->edge));
    path by_p = {p->distance, p->base, p->root}, by_q = {q->distance, q->base, q->root};
    corner at_p = {q->length, x / q->length, y / q->length};
    corner at_q = {p->length, x / p->length, y / p->length};
    if (q->settled && across(l, &by_q, at_p, &straight) &&
        is_better(straight.distance, straight.base, to_p.distance, to_p.base)) {
      to_p = straight;
    }
    if (p->settled && across(l, &by_p, at_q, &straight) &&
        is_better(straight.distance, straight.base, to_q.distance, to_q.base)) {
      to_q = straight;
    }
  }
  offer(f, l, p, to_p);
  offer(f, l, q, to_q);
}

static void spread(weft_wavefront *f, uint32_t cell, weft_label l) {
  const uint32_t *ring = f->map->rings + f->map->cells[cell].ring;
  look_around(f, cell, l.source, ring);
  const uint32_t *items = ring + 2 + ring[0], count = ring[1];
  for (uint32_t i = 0; i < count; ++i) {
    weft_near *p = &f->near[items[i] & 0xffff], *q = &f->near[items[i] >> 16];
    if (f->map->links->offsets) {
      float length;
      memcpy(&length, items + count + i, sizeof length);
      offer(f, &l, p, along_edge(cell, &l, (double)length));
    } else {
      spread_triangle(f, cell, &l, p, q);
    }
  }
}

/* ---- the wavefront ---- */

void weft_wavefront_init(weft_wavefront *wavefront, const weft_wavefront_map *map,
                         uint32_t particle_count, const uint32_t *island) {
  *wavefront = (weft_wavefront){.map = map, .island = island};
  wavefront->cell_labels = weft_alloc(particle_count, sizeof *wavefront->cell_labels);
  for (int k = 0; k < 32; ++k) wavefront->spare_labels[k] = NONE;
}

void weft_wavefront_add(weft_wavefront *wavefront, uint32_t particle) {
  uint32_t cell = wavefront->map->cell_of[particle];
  *add_label(wavefront, cell) = (weft_label){
      .source = particle, .island = wavefront->island[particle], .root = cell, .waiting = true};
  push(wavefront, (weft_wavefront_entry){0, cell, 0});
}

void weft_wavefront_run(weft_wavefront *wavefront) {
  while (wavefront->heap_count > 0) {
    weft_wavefront_entry e = pop(wavefront);
    weft_label *l = &wavefront->labels[wavefront->cell_labels[e.cell].first + e.label];
    if (!l->waiting || e.distance > l->distance) continue;
    l->waiting = false;
    if (!l->settled && !make_room(wavefront, e.cell, l->island, l->distance, true)) continue;
    l->settled = true;
    spread(wavefront, e.cell, *l);
  }
}

const weft_label *weft_wavefront_labels(const weft_wavefront *wavefront, uint32_t cell,
                                        uint32_t *count) {
  *count = wavefront->cell_labels[cell].count;
  return wavefront->labels + wavefront->cell_labels[cell].first;
}

void weft_wavefront_free(weft_wavefront *wavefront) {
  weft_free(wavefront->cell_labels);
  weft_free(wavefront->labels);
  weft_free(wavefront->heap);
  weft_free(wavefront->near);
}
