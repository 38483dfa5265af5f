/* plain_wavefront.h: the rules of src/core/model/wavefront.c once more, as plainly as they can be
 * said: labels in lists at the model's own particles, one wavefront for all islands, a heap of what
 * waits. Distances must have the same bits. For models of triangles. */
#ifndef TEST_PLAIN_WAVEFRONT_H
#define TEST_PLAIN_WAVEFRONT_H

#include <math.h>

#include "base.h"
#include "geodesic.h"
#include "vec3d.h"

typedef struct plain_label {
  double distance, base;
  uint32_t vertex, source, root, next;
  bool settled, waiting;
  int reopened;
} plain_label;

typedef struct plain_entry {
  double distance;
  uint32_t vertex, label;
} plain_entry;

typedef struct plain_wavefront {
  const weft_model *model;
  uint32_t *island, *first;
  plain_label *labels;
  size_t label_count, label_capacity;
  plain_entry *heap;
  size_t count, capacity;
} plain_wavefront;

static inline bool plain_before(plain_entry a, plain_entry b) {
  if (a.distance != b.distance) return a.distance < b.distance;
  return a.vertex != b.vertex ? a.vertex < b.vertex : a.label < b.label;
}

static inline void plain_push(plain_wavefront *f, plain_entry e) {
  weft_grow((void **)&f->heap, &f->capacity, f->count + 1, sizeof *f->heap);
  size_t i = f->count++;
  for (; i > 0 && plain_before(e, f->heap[(i - 1) / 2]); i = (i - 1) / 2) {
    f->heap[i] = f->heap[(i - 1) / 2];
  }
  f->heap[i] = e;
}

static inline plain_entry plain_pop(plain_wavefront *f) {
  plain_entry top = f->heap[0], last = f->heap[--f->count];
  size_t i = 0;
  for (size_t c = 1; c < f->count; c = 2 * i + 1) {
    if (c + 1 < f->count && plain_before(f->heap[c + 1], f->heap[c])) ++c;
    if (!plain_before(f->heap[c], last)) break;
    f->heap[i] = f->heap[c];
    i = c;
  }
  f->heap[i] = last;
  return top;
}

static inline weft_vec3d plain_between(const plain_wavefront *f, uint32_t a, uint32_t b) {
  return weft_v3d_sub(weft_v3d_from(f->model->rest_positions[b]),
                      weft_v3d_from(f->model->rest_positions[a]));
}

static inline double plain_distance(const plain_wavefront *f, uint32_t a, uint32_t b) {
  return weft_v3d_length(plain_between(f, a, b));
}

static inline bool plain_better(const plain_label *a, const plain_label *b) {
  if (a->distance < b->distance * (1 - 1e-9)) return true;
  return a->distance <= b->distance * (1 + 1e-9) && a->base < b->base;
}

/* A vertex keeps four sources of an island and four islands. */
static inline bool plain_room(plain_wavefront *f, const plain_label *l, bool evict) {
  plain_label *own[4] = {NULL};
  uint32_t of_island = 0, others = 0, seen[4];
  for (uint32_t k = f->first[l->vertex]; k != UINT32_MAX; k = f->labels[k].next) {
    plain_label *p = &f->labels[k];
    if (!p->settled) continue;
    if (f->island[p->source] == f->island[l->source]) {
      own[of_island++] = p;
      continue;
    }
    uint32_t s = 0;
    while (s < others && seen[s] != f->island[p->source]) ++s;
    if (s == others) seen[others++] = f->island[p->source];
  }
  if (of_island == 0) return others < 4;
  if (of_island < 4) return true;
  plain_label *farthest = own[0]; /* of equal ones the youngest, which comes first in the list */
  for (int k = 1; k < 4; ++k) {
    if (own[k]->distance > farthest->distance) farthest = own[k];
  }
  if (!(l->distance < farthest->distance)) return false;
  if (evict) farthest->settled = false;
  return true;
}

static inline uint32_t plain_find(const plain_wavefront *f, uint32_t vertex, uint32_t source) {
  uint32_t k = f->first[vertex];
  while (k != UINT32_MAX && f->labels[k].source != source) k = f->labels[k].next;
  return k;
}

static inline void plain_offer(plain_wavefront *f, plain_label way) {
  uint32_t k = plain_find(f, way.vertex, way.source);
  if (k != UINT32_MAX && !plain_better(&way, &f->labels[k])) return;
  way.distance = fmax(way.distance, plain_distance(f, way.vertex, way.source));
  way.waiting = true;
  if (k == UINT32_MAX) {
    if (!plain_room(f, &way, false)) return;
    weft_grow((void **)&f->labels, &f->label_capacity, f->label_count + 1, sizeof *f->labels);
    k = (uint32_t)f->label_count++;
    way.next = f->first[way.vertex];
    way.settled = false;
    way.reopened = 0;
    f->first[way.vertex] = k;
  } else {
    plain_label *known = &f->labels[k];
    if (!plain_better(&way, known)) return;
    if (known->settled && known->reopened == 250) return;
    way.next = known->next;
    way.settled = known->settled;
    way.reopened = known->reopened + known->settled;
  }
  f->labels[k] = way;
  plain_push(f, (plain_entry){way.distance, way.vertex, k});
}

static inline plain_label plain_along(const plain_label *l, uint32_t to, double length) {
  plain_label way = *l;
  way.vertex = to;
  way.distance += length;
  if (l->root != l->vertex) {
    way.root = l->vertex;
    way.base = l->distance;
  }
  return way;
}

/* From l and m, two corners of a triangle, straight to the third. */
static inline bool plain_straight(const plain_wavefront *f, const plain_label *l,
                                  const plain_label *m, uint32_t to, plain_label *way) {
  weft_vec3d e = plain_between(f, l->vertex, m->vertex), s = plain_between(f, l->vertex, to);
  double length = weft_v3d_length(e);
  if (!(length > 0)) return false;
  double x = weft_v3d_dot(e, s) / length, y = weft_v3d_length(weft_v3d_cross(e, s)) / length;
  *way = l->base <= m->base ? *l : *m;
  way->vertex = to;
  double rl = l->distance - way->base, rm = m->distance - way->base;
  double root_x = ((rl - rm) * (rl + rm) + length * length) / (2 * length);
  double below2 = (rl - root_x) * (rl + root_x);
  if (below2 < -1e-6 * length * length) return false;
  double below = below2 > 0 ? sqrt(below2) : 0, height = below + y;
  if (!(height > 0)) return false;
  double at = root_x + (x - root_x) * (below / height);
  if (!(at >= -1e-6 * length && at <= (1 + 1e-6) * length)) return false;
  way->distance = way->base + sqrt((x - root_x) * (x - root_x) + height * height);
  return true;
}

static inline plain_label plain_way(const plain_wavefront *f, const plain_label *l, uint32_t to,
                                    uint32_t side) {
  plain_label way = plain_along(l, to, plain_distance(f, l->vertex, to)), straight;
  uint32_t k = plain_find(f, side, l->source);
  if (k == UINT32_MAX || !f->labels[k].settled) return way;
  if (!plain_straight(f, l, &f->labels[k], to, &straight)) return way;
  return plain_better(&straight, &way) ? straight : way;
}

static inline void plain_spread(plain_wavefront *f, plain_label l) {
  const weft_model *m = f->model;
  for (uint32_t i = m->corner_offsets[l.vertex]; i < m->corner_offsets[l.vertex + 1]; ++i) {
    uint32_t t = m->corner_items[i] / 3 * 3, k = m->corner_items[i] % 3;
    uint32_t p = m->triangles[t + (k + 1) % 3], q = m->triangles[t + (k + 2) % 3];
    plain_label to_p = plain_way(f, &l, p, q), to_q = plain_way(f, &l, q, p);
    plain_offer(f, to_p);
    plain_offer(f, to_q);
  }
}

/* The smallest index goes round in an island of pins until nothing changes. */
static inline void plain_islands(plain_wavefront *f) {
  const weft_model *m = f->model;
  for (uint32_t v = 0; v < m->particle_count; ++v) f->island[v] = v;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < 3 * m->triangle_count; ++i) {
      uint32_t a = m->triangles[i], b = m->triangles[i % 3 == 2 ? i - 2 : i + 1];
      if (m->inverse_masses[a] != 0 || m->inverse_masses[b] != 0) continue;
      if (f->island[a] == f->island[b]) continue;
      uint32_t min = f->island[a] < f->island[b] ? f->island[a] : f->island[b];
      f->island[a] = f->island[b] = min;
      changed = true;
    }
  }
}

/* Of each island its nearest source, and of these the nearest four. */
static inline void plain_keep(const plain_wavefront *f, uint32_t v, uint32_t *anchors,
                              double *lengths) {
  for (int k = 0; k < 4; ++k) {
    const plain_label *best = NULL;
    for (uint32_t i = f->first[v]; i != UINT32_MAX; i = f->labels[i].next) {
      const plain_label *l = &f->labels[i];
      bool taken = !l->settled;
      for (int j = 0; j < k; ++j) {
        taken = taken || f->island[anchors[j]] == f->island[l->source];
      }
      if (taken) continue;
      if (!best || l->distance < best->distance ||
          (l->distance == best->distance && l->source < best->source)) {
        best = l;
      }
    }
    if (!best) return;
    anchors[k] = best->source;
    lengths[k] = best->distance;
  }
}

/* What weft_geodesics_build makes, freed in the same way; islands are not counted. */
static inline weft_geodesics plain_geodesics(const weft_model *model) {
  uint32_t n = model->particle_count;
  plain_wavefront f = {.model = model};
  f.island = weft_alloc(n, sizeof *f.island);
  f.first = weft_alloc(n, sizeof *f.first);
  plain_islands(&f);
  for (uint32_t v = 0; v < n; ++v) f.first[v] = UINT32_MAX;
  for (uint32_t v = 0; v < n; ++v) {
    if (model->inverse_masses[v] != 0) continue;
    plain_offer(&f, (plain_label){.vertex = v, .source = v, .root = v});
  }
  while (f.count > 0) {
    plain_entry e = plain_pop(&f);
    plain_label *l = &f.labels[e.label];
    if (!l->waiting || e.distance > l->distance) continue;
    l->waiting = false;
    if (!l->settled && !plain_room(&f, l, true)) continue;
    l->settled = true;
    plain_spread(&f, *l);
  }
  weft_geodesics g = {.particle_count = n};
  g.anchors = weft_alloc(4 * (size_t)n, sizeof *g.anchors);
  g.lengths = weft_alloc(4 * (size_t)n, sizeof *g.lengths);
  for (uint32_t v = 0; v < n; ++v) {
    for (int k = 0; k < 4; ++k) g.anchors[4 * v + (uint32_t)k] = UINT32_MAX;
    if (model->inverse_masses[v] == 0) continue;
    plain_keep(&f, v, &g.anchors[4 * v], &g.lengths[4 * v]);
  }
  weft_free(f.island);
  weft_free(f.first);
  weft_free(f.labels);
  weft_free(f.heap);
  return g;
}

#endif
