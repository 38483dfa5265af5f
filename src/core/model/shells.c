/* shells.c: closed surfaces and their winding number about a point: the triangles above it that
 * face up less those that face down. */
#include "shells.h"

#include <stdlib.h>
#include <string.h>

#include "mesh_internal.h"
#include "sets.h"
#include "vec3d.h"

struct weft_shells {
  uint32_t *corners; /* [3*count] of closed shells; vertices at equal positions have one number */
  uint32_t count, open_edges;
};

/* ---- which shells are closed ---- */

/* A triangle's direction along an edge: from its lower vertex to the higher one, or back. */
typedef struct edge_side {
  uint32_t higher, triangle;
  int way;
} edge_side;

typedef struct sides {
  edge_side *items;
  size_t *first; /* [vertex_count + 1] of those with this lower vertex */
} sides;

static int by_edge(const void *a, const void *b) {
  uint32_t x = ((const edge_side *)a)->higher, y = ((const edge_side *)b)->higher;
  return (x > y) - (x < y);
}

static uint32_t lower_of(const uint32_t *corners, size_t c, uint32_t *higher) {
  uint32_t a = corners[c], b = corners[c % 3 == 2 ? c - 2 : c + 1];
  *higher = a > b ? a : b;
  return a > b ? b : a;
}

static sides sides_of(const uint32_t *corners, uint32_t triangles, uint32_t vertices) {
  size_t count = 3 * (size_t)triangles;
  sides s = {.items = weft_alloc(count, sizeof *s.items),
             .first = weft_alloc((size_t)vertices + 2, sizeof *s.first)};
  size_t *next = s.first + 1; /* becomes the end of each, the start of the next */
  uint32_t higher;
  for (size_t c = 0; c < count; ++c) next[lower_of(corners, c, &higher) + 1]++;
  for (uint32_t v = 0; v < vertices; ++v) next[v + 1] += next[v];
  for (size_t c = 0; c < count; ++c) {
    uint32_t lower = lower_of(corners, c, &higher);
    s.items[next[lower]++] = (edge_side){higher, (uint32_t)(c / 3), corners[c] == lower ? 1 : -1};
  }
  for (uint32_t v = 0; v < vertices; ++v) {
    qsort(s.items + s.first[v], s.first[v + 1] - s.first[v], sizeof *s.items, by_edge);
  }
  return s;
}

typedef void edge_visitor(const edge_side *items, size_t count, void *user);

/* An edge between vertices at equal positions does not count. */
static void visit_edges(const sides *s, uint32_t vertices, edge_visitor *visit, void *user) {
  for (uint32_t v = 0; v < vertices; ++v) {
    for (size_t k = s->first[v], to; k < s->first[v + 1]; k = to) {
      to = k + 1;
      while (to < s->first[v + 1] && s->items[to].higher == s->items[k].higher) ++to;
      if (s->items[k].higher != v) visit(&s->items[k], to - k, user);
    }
  }
}

typedef struct parts {
  uint32_t *shell; /* [triangles] connected shell */
  uint8_t *open;   /* [triangles] of the first of each shell */
  uint32_t open_edges;
} parts;

static void join_around(const edge_side *items, size_t count, void *user) {
  parts *p = user;
  for (size_t k = 1; k < count; ++k) weft_set_join(p->shell, items[0].triangle, items[k].triangle);
}

static void find_open(const edge_side *items, size_t count, void *user) {
  parts *p = user;
  int sum = 0;
  for (size_t k = 0; k < count; ++k) sum += items[k].way;
  if (sum == 0) return;
  p->open[weft_set_root(p->shell, items[0].triangle)] = 1;
  p->open_edges++;
}

weft_shells *weft_shells_make(const weft_mesh *mesh) {
  weft_shells *shells = weft_alloc(1, sizeof *shells);
  uint32_t n = mesh->vertex_count, t = mesh->triangle_count;
  uint32_t *kept = weft_alloc(n, sizeof *kept);
  parts p = {.shell = weft_sets(t), .open = weft_alloc(t, 1)};
  shells->corners = weft_alloc(3 * (size_t)t, sizeof *shells->corners);
  weft_weld_map(mesh->positions, n, 0, kept);
  for (size_t c = 0; c < 3 * (size_t)t; ++c) shells->corners[c] = kept[mesh->triangles[c]];
  sides s = sides_of(shells->corners, t, n);
  visit_edges(&s, n, join_around, &p);
  visit_edges(&s, n, find_open, &p);
  for (uint32_t k = 0; k < t; ++k) {
    if (p.open[weft_set_root(p.shell, k)]) continue;
    memmove(shells->corners + 3 * (size_t)shells->count++, shells->corners + 3 * (size_t)k,
            3 * sizeof *shells->corners);
  }
  shells->open_edges = p.open_edges;
  weft_free(s.items);
  weft_free(s.first);
  weft_free(p.open);
  weft_free(p.shell);
  weft_free(kept);
  return shells;
}

void weft_shells_free(weft_shells *shells) {
  if (!shells) return;
  weft_free(shells->corners);
  weft_free(shells);
}

uint32_t weft_shells_triangles(const weft_shells *shells) { return shells->count; }
uint32_t weft_shells_open_edges(const weft_shells *shells) { return shells->open_edges; }

/* ---- winding numbers ---- */

/* Whether an edge passes the point 0 to its right, seen along z: 1 going up, -1 going down. The
 * same sum decides for both triangles of an edge, so a ray through an edge or a vertex is
 * counted once. */
static int passes(weft_vec3d a, weft_vec3d b) {
  int way = a.y <= 0 && b.y > 0 ? 1 : b.y <= 0 && a.y > 0 ? -1 : 0;
  if (way == 0) return 0;
  weft_vec3d low = way > 0 ? a : b, high = way > 0 ? b : a;
  return low.x * high.y - high.x * low.y > 0 ? way : 0;
}

/* 1 for a triangle above the point that faces up, -1 for one that faces down, 0 for others. */
static int above(const weft_vec3 *corners[3], weft_vec3 point) {
  weft_vec3d p = weft_v3d_from(point), c[3];
  for (int k = 0; k < 3; ++k) c[k] = weft_v3d_sub(weft_v3d_from(*corners[k]), p);
  int facing = passes(c[0], c[1]) + passes(c[1], c[2]) + passes(c[2], c[0]);
  if (facing == 0) return 0;
  return facing * weft_v3d_dot(c[0], weft_v3d_cross(c[1], c[2])) > 0 ? facing : 0;
}

/* Points in the box of all shells, sorted into the cells of a grid seen along z. */
typedef struct grid {
  weft_vec3 low, high;
  uint32_t side, count;
  uint32_t *first;  /* [side*side + 1] */
  uint32_t *points; /* [count] */
  int *winding;     /* [count] */
} grid;

static bool in_box(const grid *g, weft_vec3 p) {
  return p.x >= g->low.x && p.x <= g->high.x && p.y >= g->low.y && p.y <= g->high.y &&
         p.z >= g->low.z && p.z <= g->high.z;
}

/* Monotone in x. */
static uint32_t cell_along(float low, float high, uint32_t cells, float x) {
  double part = high > low ? ((double)x - (double)low) / ((double)high - (double)low) : 0;
  uint32_t cell = (uint32_t)(part * cells);
  return cell < cells ? cell : cells - 1;
}

static uint32_t column(const grid *g, float x) {
  return cell_along(g->low.x, g->high.x, g->side, x);
}
static uint32_t row(const grid *g, float y) { return cell_along(g->low.y, g->high.y, g->side, y); }

static grid sort_points(const weft_shells *shells, const weft_vec3 *x, const weft_vec3 *points,
                        uint32_t count) {
  grid g = {.low = x[shells->corners[0]], .high = x[shells->corners[0]]};
  for (size_t c = 0; c < 3 * (size_t)shells->count; ++c) {
    weft_vec3 p = x[shells->corners[c]];
    g.low = weft_v3(fminf(g.low.x, p.x), fminf(g.low.y, p.y), fminf(g.low.z, p.z));
    g.high = weft_v3(fmaxf(g.high.x, p.x), fmaxf(g.high.y, p.y), fmaxf(g.high.z, p.z));
  }
  for (uint32_t i = 0; i < count; ++i) g.count += in_box(&g, points[i]);
  double wanted = sqrt((double)g.count / 2);
  g.side = wanted < 1 ? 1 : wanted > 1024 ? 1024 : (uint32_t)wanted;
  g.first = weft_alloc((size_t)g.side * g.side + 2, sizeof *g.first);
  g.points = weft_alloc(g.count, sizeof *g.points);
  g.winding = weft_alloc(g.count, sizeof *g.winding);
  uint32_t *next = g.first + 1; /* becomes the end of each cell */
  for (uint32_t i = 0; i < count; ++i) {
    if (in_box(&g, points[i])) {
      next[row(&g, points[i].y) * g.side + column(&g, points[i].x) + 1]++;
    }
  }
  for (uint32_t k = 0; k < g.side * g.side; ++k) next[k + 1] += next[k];
  for (uint32_t i = 0; i < count; ++i) {
    if (!in_box(&g, points[i])) continue;
    g.points[next[row(&g, points[i].y) * g.side + column(&g, points[i].x)]++] = i;
  }
  return g;
}

static void wind(grid *g, const weft_vec3 *corners[3], const weft_vec3 *points) {
  const weft_vec3 *a = corners[0], *b = corners[1], *c = corners[2];
  uint32_t left = column(g, fminf(a->x, fminf(b->x, c->x)));
  uint32_t right = column(g, fmaxf(a->x, fmaxf(b->x, c->x)));
  uint32_t last = row(g, fmaxf(a->y, fmaxf(b->y, c->y)));
  for (uint32_t r = row(g, fminf(a->y, fminf(b->y, c->y))); r <= last; ++r) {
    uint32_t end = g->first[r * g->side + right + 1];
    for (uint32_t k = g->first[r * g->side + left]; k < end; ++k) {
      g->winding[k] += above(corners, points[g->points[k]]);
    }
  }
}

void weft_shells_mark_inside(const weft_shells *shells, const weft_vec3 *positions,
                             const weft_vec3 *points, uint32_t count, uint8_t *marks) {
  if (shells->count == 0) return;
  grid g = sort_points(shells, positions, points, count);
  for (size_t t = 0; t < shells->count && g.count > 0; ++t) {
    const uint32_t *c = shells->corners + 3 * t;
    wind(&g, (const weft_vec3 *[3]){&positions[c[0]], &positions[c[1]], &positions[c[2]]}, points);
  }
  for (uint32_t k = 0; k < g.count; ++k) {
    if (g.winding[k] != 0) marks[g.points[k]] = 1;
  }
  weft_free(g.first);
  weft_free(g.points);
  weft_free(g.winding);
}
