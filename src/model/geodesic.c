/* geodesic.c: one front runs from all pinned particles at once, nearest first.
 *
 * A label says: this vertex is so far from that source. It also knows the root, the vertex where
 * the way bent last (around a corner, a hole, a saddle), and the distance up to there; from the
 * root on the way is straight in the unfolded triangles. Two corners of a triangle that know the
 * same source give the third by unfolding: both distances from the root place it in the plane of
 * the triangle, and the third corner's distance is a straight line (the virtual point source of
 * Novotni and Klein 2002). That is exact on anything flat or developable. Where the line misses the
 * edge between the two, the way follows an edge and has a new root.
 *
 * An obtuse triangle can bring a better value after a label was settled: it is then opened again,
 * a limited number of times.
 *
 * Neighbours below a row of pins have different nearest ones, and two corners with different
 * sources cannot be unfolded. So a vertex keeps the nearest few sources of an island while the
 * front runs, and only the nearest in the end. */
#include "geodesic.h"

#include <math.h>
#include <string.h>

#include "base.h"
#include "vec3d.h"

enum { NONE = UINT32_MAX, SOURCES_PER_ISLAND = 4, MOST_REOPENED = 250 };

/* Distances this close (relative) are equal, and a way that misses an edge by this part of it
 * crosses the edge's end: rounding must not make a straight way look bent. */
static const double tie = 1e-9, edge_margin = 1e-6;

typedef struct label {
  double distance; /* from the source */
  double base;     /* of that, up to the root */
  uint32_t source; /* a pinned particle */
  uint32_t root;
  uint32_t next;   /* another label of the same vertex, or NONE */
  uint8_t placed;  /* was the nearest of the front once: the vertex keeps it */
  uint8_t waiting; /* in the heap */
  uint8_t reopened;
} label;

typedef struct entry {
  double distance;
  uint32_t vertex, label;
} entry;

typedef struct march {
  const weft_model *model;
  uint32_t *island; /* [particles] of a pinned particle: the smallest index in its island */
  uint32_t *first;  /* [particles] label, or NONE */
  label *labels;
  size_t label_count, label_capacity;
  entry *heap;
  size_t heap_count, heap_capacity;
  /* Links at each particle, for a model without triangles (CSR). */
  uint32_t *link_offsets, *link_ends;
  float *link_lengths;
} march;

/* ---- a binary heap; equal distances come in the order of vertices, then of labels ---- */

static bool nearer(const entry *a, const entry *b) {
  if (a->distance != b->distance) return a->distance < b->distance;
  if (a->vertex != b->vertex) return a->vertex < b->vertex;
  return a->label < b->label;
}

static void push(march *m, entry e) {
  weft_grow((void **)&m->heap, &m->heap_capacity, m->heap_count + 1, sizeof *m->heap);
  size_t i = m->heap_count++;
  while (i > 0 && nearer(&e, &m->heap[(i - 1) / 2])) {
    m->heap[i] = m->heap[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  m->heap[i] = e;
}

static entry pop(march *m) {
  entry top = m->heap[0];
  entry last = m->heap[--m->heap_count];
  size_t i = 0;
  for (size_t child = 1; child < m->heap_count; child = 2 * i + 1) {
    if (child + 1 < m->heap_count && nearer(&m->heap[child + 1], &m->heap[child])) ++child;
    if (!nearer(&m->heap[child], &last)) break;
    m->heap[i] = m->heap[child];
    i = child;
  }
  m->heap[i] = last;
  return top;
}

/* ---- labels ---- */

/* Makes room at a vertex for a source of an island, or says that there is none. Where the vertex
 * keeps as many of that island as it may, the furthest goes, if it is further than the new one. */
static bool make_room(march *m, uint32_t vertex, uint32_t source, double distance, bool evict) {
  uint32_t of_island = 0, islands = 0, seen[WEFT_MAX_TETHERS], furthest = NONE;
  for (uint32_t k = m->first[vertex]; k != NONE; k = m->labels[k].next) {
    if (!m->labels[k].placed) continue;
    uint32_t island = m->island[m->labels[k].source];
    if (island == m->island[source]) {
      ++of_island;
      if (furthest == NONE || m->labels[k].distance > m->labels[furthest].distance) furthest = k;
    }
    bool known = false;
    for (uint32_t s = 0; s < islands; ++s) known = known || seen[s] == island;
    if (!known) seen[islands++] = island;
  }
  if (of_island == 0) return islands < WEFT_MAX_TETHERS;
  if (of_island < SOURCES_PER_ISLAND) return true;
  if (!(distance < m->labels[furthest].distance)) return false;
  if (evict) m->labels[furthest].placed = false;
  return true;
}

static uint32_t find(const march *m, uint32_t vertex, uint32_t source) {
  uint32_t k = m->first[vertex];
  while (k != NONE && m->labels[k].source != source) k = m->labels[k].next;
  return k;
}

static bool is_better(const label *candidate, const label *known) {
  if (candidate->distance < known->distance * (1 - tie)) return true;
  return candidate->distance <= known->distance * (1 + tie) && candidate->base < known->base;
}

/* A way to a vertex: taken when it is shorter than what is known of its source, the label k. */
static void offer(march *m, uint32_t vertex, uint32_t k, label candidate) {
  const weft_vec3 *x = m->model->rest_positions;
  if (k != NONE && !is_better(&candidate, &m->labels[k])) return;
  candidate.distance = fmax(candidate.distance, weft_distance(x[vertex], x[candidate.source]));
  if (k != NONE) {
    label *known = &m->labels[k];
    if (!is_better(&candidate, known)) return;
    if (known->placed && known->reopened++ == MOST_REOPENED) {
      known->reopened = MOST_REOPENED;
      return;
    }
    known->distance = candidate.distance;
    known->base = candidate.base;
    known->root = candidate.root;
    known->waiting = true;
  } else {
    if (!make_room(m, vertex, candidate.source, candidate.distance, false)) return;
    weft_grow((void **)&m->labels, &m->label_capacity, m->label_count + 1, sizeof *m->labels);
    WEFT_CHECK(m->label_count < NONE, "labels are counted in 32 bits");
    k = (uint32_t)m->label_count++;
    candidate.next = m->first[vertex];
    candidate.placed = false;
    candidate.waiting = true;
    candidate.reopened = 0;
    m->labels[k] = candidate;
    m->first[vertex] = k;
  }
  push(m, (entry){candidate.distance, vertex, k});
}

/* ---- the two ways on ---- */

static label along_edge(uint32_t from, const label *l, double length) {
  label way = *l;
  way.distance += length;
  if (l->root != from) {
    way.root = from;
    way.base = l->distance;
  }
  return way;
}

/* Through the edge between two corners to the third. In the plane of the triangle the edge is
 * (0,0) to (length,0), the third corner lies above, the root below. False when the line misses the
 * edge. */
static bool across(const weft_vec3 *x, uint32_t a, const label *la, uint32_t b, const label *lb,
                   uint32_t to, label *out) {
  weft_vec3d edge = weft_v3d_sub(weft_v3d(x[b]), weft_v3d(x[a]));
  weft_vec3d side = weft_v3d_sub(weft_v3d(x[to]), weft_v3d(x[a]));
  double length = weft_v3d_length(edge);
  if (!(length > 0)) return false;
  double to_x = weft_v3d_dot(edge, side) / length;
  double to_y = weft_v3d_length(weft_v3d_cross(edge, side)) / length;
  /* Where the roots differ, one way bent a little earlier: see both from the older root. */
  label way = la->base <= lb->base ? *la : *lb;
  double ra = la->distance - way.base, rb = lb->distance - way.base;
  double root_x = ((ra - rb) * (ra + rb) + length * length) / (2 * length);
  double root_y2 = (ra - root_x) * (ra + root_x);
  if (root_y2 < -edge_margin * length * length) return false;
  double root_y = root_y2 > 0 ? sqrt(root_y2) : 0;
  double height = root_y + to_y;
  if (!(height > 0)) return false;
  double crossing = root_x + (to_x - root_x) * (root_y / height);
  if (!(crossing >= -edge_margin * length && crossing <= (1 + edge_margin) * length)) return false;
  way.distance = way.base + sqrt((to_x - root_x) * (to_x - root_x) + height * height);
  *out = way;
  return true;
}

/* From a vertex to a corner, along the edge or across the one to the third corner, whose label is
 * `side` or NULL. */
static void spread_to(march *m, uint32_t vertex, const label *l, uint32_t third, const label *side,
                      uint32_t to, uint32_t known) {
  const weft_vec3 *x = m->model->rest_positions;
  label way = along_edge(vertex, l, weft_distance(x[vertex], x[to])), straight;
  if (side && across(x, vertex, l, third, side, to, &straight) && is_better(&straight, &way)) {
    way = straight;
  }
  offer(m, to, known, way);
}

static void spread_triangle(march *m, uint32_t vertex, const label *l, uint32_t p, uint32_t q) {
  uint32_t known_p = find(m, p, l->source), known_q = find(m, q, l->source);
  bool has_p = known_p != NONE && m->labels[known_p].placed;
  bool has_q = known_q != NONE && m->labels[known_q].placed;
  label at_p, at_q; /* copies: an offer may move the array */
  if (has_p) at_p = m->labels[known_p];
  if (has_q) at_q = m->labels[known_q];
  spread_to(m, vertex, l, q, has_q ? &at_q : NULL, p, known_p);
  spread_to(m, vertex, l, p, has_p ? &at_p : NULL, q, known_q);
}

static void spread(march *m, uint32_t vertex, label l) {
  const weft_model *model = m->model;
  for (uint32_t i = model->corner_offsets[vertex]; i < model->corner_offsets[vertex + 1]; ++i) {
    uint32_t item = model->corner_items[i], corner = item % 3;
    const uint32_t *v = model->triangles + (size_t)(item - corner);
    spread_triangle(m, vertex, &l, v[(corner + 1) % 3], v[(corner + 2) % 3]);
  }
  if (!m->link_offsets) return;
  for (uint32_t i = m->link_offsets[vertex]; i < m->link_offsets[vertex + 1]; ++i) {
    uint32_t to = m->link_ends[i];
    label way = along_edge(vertex, &l, (double)m->link_lengths[i]);
    offer(m, to, find(m, to, l.source), way);
  }
}

static void run(march *m) {
  while (m->heap_count > 0) {
    entry e = pop(m);
    label *l = &m->labels[e.label];
    if (!l->waiting || e.distance > l->distance) continue;
    l->waiting = false;
    if (!l->placed && !make_room(m, e.vertex, l->source, l->distance, true)) continue;
    l->placed = true;
    spread(m, e.vertex, *l);
  }
}

/* ---- islands of pins ---- */

static uint32_t island_of(uint32_t *parent, uint32_t v) {
  while (parent[v] != v) {
    parent[v] = parent[parent[v]];
    v = parent[v];
  }
  return v;
}

static void join(const march *m, uint32_t a, uint32_t b) {
  const float *w = m->model->inverse_masses;
  if (w[a] != 0 || w[b] != 0) return;
  uint32_t ia = island_of(m->island, a), ib = island_of(m->island, b);
  m->island[ia > ib ? ia : ib] = ia > ib ? ib : ia;
}

static uint32_t find_islands(march *m) {
  const weft_model *model = m->model;
  m->island = weft_alloc(model->particle_count, sizeof *m->island);
  for (uint32_t v = 0; v < model->particle_count; ++v) m->island[v] = v;
  for (uint32_t t = 0; t < model->triangle_count; ++t) {
    const uint32_t *v = model->triangles + 3 * (size_t)t;
    join(m, v[0], v[1]);
    join(m, v[1], v[2]);
    join(m, v[2], v[0]);
  }
  for (uint32_t v = 0; m->link_offsets && v < model->particle_count; ++v) {
    for (uint32_t i = m->link_offsets[v]; i < m->link_offsets[v + 1]; ++i) {
      join(m, v, m->link_ends[i]);
    }
  }
  uint32_t count = 0;
  for (uint32_t v = 0; v < model->particle_count; ++v) {
    m->island[v] = island_of(m->island, v);
    if (model->inverse_masses[v] == 0 && m->island[v] == v) ++count;
  }
  return count;
}

/* ---- links, where there are no triangles ---- */

static void add_link(march *m, uint32_t *next, uint32_t a, uint32_t b, float length) {
  m->link_ends[next[a]] = b;
  m->link_lengths[next[a]++] = length;
  m->link_ends[next[b]] = a;
  m->link_lengths[next[b]++] = length;
}

/* What only keeps particles apart holds nobody. */
static bool holds(const weft_constraint_group *g) {
  return g->type == WEFT_CONSTRAINT_DISTANCE && g->sense != WEFT_SENSE_AT_LEAST;
}

static void find_links(march *m) {
  const weft_model *model = m->model;
  uint32_t n = model->particle_count;
  m->link_offsets = weft_alloc((size_t)n + 1, sizeof *m->link_offsets);
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    for (size_t k = 0; holds(group) && k < 2 * (size_t)group->count; ++k) {
      m->link_offsets[group->particles[k] + 1]++;
    }
  }
  for (uint32_t v = 0; v < n; ++v) m->link_offsets[v + 1] += m->link_offsets[v];
  m->link_ends = weft_alloc(m->link_offsets[n], sizeof *m->link_ends);
  m->link_lengths = weft_alloc(m->link_offsets[n], sizeof *m->link_lengths);
  uint32_t *next = weft_alloc(n, sizeof *next);
  memcpy(next, m->link_offsets, n * sizeof *next);
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    for (uint32_t i = 0; holds(group) && i < group->count; ++i) {
      const uint32_t *p = &group->particles[2 * (size_t)i];
      add_link(m, next, p[0], p[1], group->rest[i]);
    }
  }
  weft_free(next);
}

/* ---- what is kept ---- */

/* Puts a source into a row sorted by distance, where an island appears once. */
static void keep(const march *m, const label *l, uint32_t *anchors, double *lengths) {
  uint32_t at = 0;
  while (at < WEFT_MAX_TETHERS && anchors[at] != NONE &&
         (lengths[at] < l->distance || (lengths[at] == l->distance && anchors[at] < l->source))) {
    if (m->island[anchors[at]] == m->island[l->source]) return;
    ++at;
  }
  if (at == WEFT_MAX_TETHERS) return;
  uint32_t end = at; /* the place that goes: an old one of this island, the first free, the last */
  while (end + 1 < WEFT_MAX_TETHERS && anchors[end] != NONE &&
         m->island[anchors[end]] != m->island[l->source]) {
    ++end;
  }
  for (; end > at; --end) {
    anchors[end] = anchors[end - 1];
    lengths[end] = lengths[end - 1];
  }
  anchors[at] = l->source;
  lengths[at] = l->distance;
}

static void collect(const march *m, weft_geodesics *out) {
  for (uint32_t v = 0; v < out->particle_count; ++v) {
    uint32_t *anchors = &out->anchors[WEFT_MAX_TETHERS * (size_t)v];
    double *lengths = &out->lengths[WEFT_MAX_TETHERS * (size_t)v];
    for (int k = 0; k < WEFT_MAX_TETHERS; ++k) anchors[k] = NONE;
    if (m->model->inverse_masses[v] == 0) continue;
    for (uint32_t k = m->first[v]; k != NONE; k = m->labels[k].next) {
      if (m->labels[k].placed) keep(m, &m->labels[k], anchors, lengths);
    }
  }
}

void weft_geodesics_build(const weft_model *model, weft_geodesics *out) {
  double start = weft_clock_seconds();
  uint32_t n = model->particle_count;
  march m = {.model = model};
  if (model->triangle_count == 0) find_links(&m);
  *out = (weft_geodesics){.particle_count = n, .island_count = find_islands(&m)};
  out->anchors = weft_alloc(WEFT_MAX_TETHERS * (size_t)n, sizeof *out->anchors);
  out->lengths = weft_alloc(WEFT_MAX_TETHERS * (size_t)n, sizeof *out->lengths);
  m.first = weft_alloc(n, sizeof *m.first);
  for (uint32_t v = 0; v < n; ++v) m.first[v] = NONE;
  for (uint32_t v = 0; v < n; ++v) {
    if (model->inverse_masses[v] == 0) offer(&m, v, NONE, (label){.source = v, .root = v});
  }
  run(&m);
  collect(&m, out);
  weft_log(WEFT_LOG_DEBUG, "distances of %u particles from %u islands of pins: %.3f s, %zu labels",
           n, out->island_count, weft_clock_seconds() - start, m.label_count);
  weft_free(m.island);
  weft_free(m.first);
  weft_free(m.labels);
  weft_free(m.heap);
  weft_free(m.link_offsets);
  weft_free(m.link_ends);
  weft_free(m.link_lengths);
}

void weft_geodesics_free(weft_geodesics *geodesics) {
  weft_free(geodesics->anchors);
  weft_free(geodesics->lengths);
  *geodesics = (weft_geodesics){0};
}
