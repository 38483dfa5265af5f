/* level_chart.c: node after node is settled by its distances from two that lie already, which is
 * exact on everything that can be unrolled. What else there is gets its lengths evened out. */
#include "level_chart.h"

#include <math.h>
#include <string.h>

#include "base.h"

enum { MAX_PAIRS = 8, ROUNDS = 40, LAST_STAGE = 3 };

/* Relative errors: flat enough to be taken as it lies; exact enough to be left alone; too much. */
static const double flat = 1e-6, fine = 1e-4, torn = 0.05;
/* Above this height, relative to the spread, the rest pose does not tell left from right. */
static const double curved = 0.35;

typedef struct point {
  double x, y;
} point;

typedef struct neighbour {
  point at;
  double length;
  uint32_t node;
} neighbour;

/* One chart being unrolled. */
typedef struct unrolling {
  const weft_chart_maker *maker;
  weft_chart *chart;
  const double *rest; /* as it lies in the rest pose, projected */
  bool curved;
} unrolling;

void weft_chart_maker_begin(weft_chart_maker *m, const weft_level_nodes *nodes,
                            const weft_level_links *links) {
  *m = (weft_chart_maker){.nodes = nodes, .links = links};
  m->slot = weft_alloc(nodes->count, sizeof *m->slot);
}

void weft_chart_maker_end(weft_chart_maker *m) {
  weft_free(m->slot);
  weft_free(m->settled);
  weft_free(m->rest);
  *m = (weft_chart_maker){0};
}

static point point_of(const weft_chart *c, uint32_t k) {
  return (point){c->at[2 * (size_t)k], c->at[2 * (size_t)k + 1]};
}

static void put(const weft_chart_maker *m, weft_chart *c, uint32_t k, point p) {
  c->at[2 * (size_t)k] = p.x;
  c->at[2 * (size_t)k + 1] = p.y;
  m->settled[k] = true;
}

static double apart(point a, point b) {
  double x = a.x - b.x, y = a.y - b.y;
  return sqrt(x * x + y * y);
}

/* ---- how true it is ---- */

static double measure(const weft_chart_maker *m, const weft_chart *c) {
  double sum = 0;
  uint32_t count = 0;
  for (uint32_t k = 0; k < c->count; ++k) {
    for (uint32_t e = m->links->offsets[c->nodes[k]]; e < m->links->offsets[c->nodes[k] + 1]; ++e) {
      uint32_t j = m->slot[m->links->ends[e]];
      double length = m->links->lengths[e];
      if (j <= k + 1 || !(length > 0)) continue;
      double error = apart(point_of(c, k), point_of(c, j - 1)) / length - 1;
      sum += error * error;
      ++count;
    }
  }
  return count ? sqrt(sum / count) : 0;
}

static void relax(const weft_chart_maker *m, weft_chart *c) {
  for (uint32_t k = 0; k < c->count; ++k) {
    for (uint32_t e = m->links->offsets[c->nodes[k]]; e < m->links->offsets[c->nodes[k] + 1]; ++e) {
      uint32_t j = m->slot[m->links->ends[e]];
      if (j <= k + 1) continue;
      double *a = c->at + 2 * (size_t)k, *b = c->at + 2 * (size_t)(j - 1);
      double x = b[0] - a[0], y = b[1] - a[1], length = sqrt(x * x + y * y);
      if (!(length > 0)) continue;
      double half = 0.5 * (length - m->links->lengths[e]) / length;
      a[0] += half * x;
      a[1] += half * y;
      b[0] -= half * x;
      b[1] -= half * y;
    }
  }
}

/* ---- as it lies in the rest pose ---- */

static weft_vec3d from_first(const weft_chart_maker *m, const weft_chart *c, uint32_t k) {
  const double *positions = m->nodes->positions;
  return weft_v3d_sub(weft_v3d_at(positions + 3 * (size_t)c->nodes[k]),
                      weft_v3d_at(positions + 3 * (size_t)c->nodes[0]));
}

/* Onto the plane that fits best. Returns how far the nodes are from it, relative to their spread.
 */
static double project(const weft_chart_maker *m, weft_chart *c) {
  double moments[6] = {0};
  weft_vec3d plane[2], mean = {0, 0, 0};
  for (uint32_t k = 0; k < c->count; ++k) {
    weft_vec3d d = from_first(m, c, k);
    mean = weft_v3d_add(mean, weft_v3d(d.x / c->count, d.y / c->count, d.z / c->count));
  }
  for (uint32_t k = 0; k < c->count; ++k) {
    weft_add_moments(weft_v3d_sub(from_first(m, c, k), mean), 1, moments);
  }
  double across = weft_best_plane(moments, plane);
  for (uint32_t k = 0; k < c->count; ++k) {
    weft_vec3d d = from_first(m, c, k);
    c->at[2 * (size_t)k] = weft_v3d_dot(plane[0], d);
    c->at[2 * (size_t)k + 1] = weft_v3d_dot(plane[1], d);
  }
  double size = moments[0] + moments[3] + moments[5];
  return size > 0 ? sqrt(fmax(0, across) / size) : 0;
}

/* ---- unrolled ---- */

static uint32_t settled_neighbours(const weft_chart_maker *m, const weft_chart *c, uint32_t k,
                                   neighbour found[MAX_PAIRS]) {
  uint32_t count = 0, node = c->nodes[k];
  for (uint32_t e = m->links->offsets[node]; e < m->links->offsets[node + 1]; ++e) {
    uint32_t j = m->slot[m->links->ends[e]];
    if (!j || !m->settled[j - 1] || !(m->links->lengths[e] > 0)) continue;
    found[count++] = (neighbour){point_of(c, j - 1), m->links->lengths[e], m->links->ends[e]};
    if (count == MAX_PAIRS) break;
  }
  return count;
}

/* The two points at the given distances from two others; false when they are in one place. How far
 * from their line, relative to the longer distance, says how well this is defined. */
static bool cross(const neighbour *u, const neighbour *v, point out[2], double *height) {
  double x = v->at.x - u->at.x, y = v->at.y - u->at.y, base = sqrt(x * x + y * y);
  double longer = fmax(u->length, v->length);
  if (!(base > 1e-9 * longer)) return false;
  double along = (u->length * u->length - v->length * v->length + base * base) / (2 * base);
  double up = sqrt(fmax(0, (u->length - along) * (u->length + along)));
  x /= base;
  y /= base;
  out[0] = (point){u->at.x + along * x - up * y, u->at.y + along * y + up * x};
  out[1] = (point){u->at.x + along * x + up * y, u->at.y + along * y - up * x};
  *height = fmin(up, base) / longer;
  return true;
}

/* What lies already on both of two nodes, seen from two mirrored places: positive when it is nearer
 * to the first, so that the second is the one on the other side. */
static double leaning(const weft_chart_maker *m, const weft_chart *c, uint32_t u, uint32_t v,
                      const point places[2]) {
  const weft_level_links *l = m->links;
  double sum = 0;
  if (l->offsets[u + 1] - l->offsets[u] > l->offsets[v + 1] - l->offsets[v]) {
    uint32_t swap = u;
    u = v;
    v = swap;
  }
  for (uint32_t e = l->offsets[u]; e < l->offsets[u + 1]; ++e) {
    uint32_t third = l->ends[e], j = m->slot[third];
    if (!j || !m->settled[j - 1]) continue;
    for (uint32_t d = l->offsets[third]; d < l->offsets[third + 1]; ++d) {
      if (l->ends[d] != v) continue;
      point p = point_of(c, j - 1);
      sum += apart(places[1], p) - apart(places[0], p);
    }
  }
  return sum;
}

/* On which side of the line from u to v a node is in the rest pose: the sine of the angle, left
 * positive. Nothing where the rest pose is too curved to tell. */
static double side_at_rest(const unrolling *r, uint32_t u, uint32_t v, uint32_t k) {
  const double *p = r->rest + 2 * (size_t)u, *q = r->rest + 2 * (size_t)v;
  const double *w = r->rest + 2 * (size_t)k;
  double x = q[0] - p[0], y = q[1] - p[1], dx = w[0] - p[0], dy = w[1] - p[1];
  double size = sqrt((x * x + y * y) * (dx * dx + dy * dy));
  return r->curved || !(size > 0) ? 0 : (x * dy - y * dx) / size;
}

/* Which of two mirrored places, the first left of the line from u to v: the one that suits the
 * other neighbours; without such, what the rest pose says, or the other side of what lies there. */
static point choose_side(const unrolling *r, const neighbour *near, uint32_t count, uint32_t u,
                         uint32_t v, uint32_t k, const point places[2]) {
  const weft_chart_maker *m = r->maker;
  double misfit[2] = {0, 0}, scale = near[u].length + near[v].length;
  for (uint32_t n = 0; n < count; ++n) {
    if (n == u || n == v) continue;
    for (int s = 0; s < 2; ++s) misfit[s] += fabs(apart(places[s], near[n].at) - near[n].length);
  }
  if (fabs(misfit[0] - misfit[1]) > 0.1 * scale) return places[misfit[1] < misfit[0]];
  double side = side_at_rest(r, m->slot[near[u].node] - 1, m->slot[near[v].node] - 1, k);
  if (fabs(side) > 0.1) return places[side < 0];
  return places[leaning(m, r->chart, near[u].node, near[v].node, places) > 0];
}

/* With one neighbour only: in the direction that the rest pose says. */
static point ahead_of(const neighbour *from, point from_rest, point rest) {
  double x = rest.x - from_rest.x, y = rest.y - from_rest.y, far = sqrt(x * x + y * y);
  if (!(far > 0)) return (point){from->at.x + from->length, from->at.y};
  return (point){from->at.x + x / far * from->length, from->at.y + y / far * from->length};
}

static bool place(const unrolling *r, uint32_t k, double min, bool alone) {
  const weft_chart_maker *m = r->maker;
  neighbour near[MAX_PAIRS];
  uint32_t count = settled_neighbours(m, r->chart, k, near), best_u = 0, best_v = 0;
  if (count == 0 || (count == 1 && !alone)) return false;
  double best = min;
  point best_places[2];
  for (uint32_t u = 0; u < count; ++u) {
    for (uint32_t v = u + 1; v < count; ++v) {
      double height;
      point places[2];
      if (!cross(&near[u], &near[v], places, &height) || !(height > best)) continue;
      best = height;
      best_u = u;
      best_v = v;
      memcpy(best_places, places, sizeof places);
    }
  }
  if (best > min) {
    put(m, r->chart, k, choose_side(r, near, count, best_u, best_v, k, best_places));
  } else if (alone) {
    const double *p = r->rest + 2 * (size_t)k;
    const double *q = r->rest + 2 * (size_t)(m->slot[near[0].node] - 1);
    put(m, r->chart, k, ahead_of(&near[0], (point){q[0], q[1]}, (point){p[0], p[1]}));
  } else {
    return false;
  }
  return true;
}

/* Rounds over the nodes until all lie. A node that would be settled badly, because the two it hangs
 * on and itself are almost in line, or by one neighbour alone, waits while there are others. False
 * when the chart is in pieces. */
static bool unroll(const unrolling *r) {
  static const double min[] = {0.4, 0.15, 0, 0};
  weft_chart *c = r->chart;
  put(r->maker, c, 0, (point){0, 0});
  uint32_t left = c->count - 1;
  int stage = LAST_STAGE; /* the second node */
  while (left > 0) {
    uint32_t before = left;
    for (uint32_t k = 1; k < c->count; ++k) {
      if (r->maker->settled[k] || !place(r, k, min[stage], stage == LAST_STAGE)) continue;
      --left;
      if (stage > 0) break;
    }
    if (left == before && stage == LAST_STAGE) return false;
    stage = left == before ? stage + 1 : 0;
  }
  return true;
}

static void even_out(const weft_chart_maker *m, weft_chart *c, int rounds) {
  c->error = measure(m, c);
  for (int round = 0; round < rounds && c->error > fine; ++round) {
    relax(m, c);
    if (round % 8 == 7) c->error = measure(m, c);
  }
}

void weft_chart_lay(weft_chart_maker *m, weft_chart *c) {
  weft_grow((void **)&m->settled, &m->settled_capacity, c->count, sizeof *m->settled);
  weft_grow((void **)&m->rest, &m->rest_capacity, 2 * (size_t)c->count, sizeof *m->rest);
  memset(m->settled, 0, c->count * sizeof *m->settled);
  for (uint32_t k = 0; k < c->count; ++k) m->slot[c->nodes[k]] = k + 1;
  double height = project(m, c);
  c->error = measure(m, c);
  if (!(height < flat && c->error < flat)) {
    memcpy(m->rest, c->at, 2 * (size_t)c->count * sizeof *m->rest);
    unrolling r = {m, c, m->rest, height > curved};
    c->error = INFINITY;
    if (unroll(&r)) even_out(m, c, ROUNDS);
    if (!(c->error <= torn)) {
      memcpy(c->at, m->rest, 2 * (size_t)c->count * sizeof *m->rest);
      even_out(m, c, 2 * ROUNDS);
    }
    if (!(c->error <= torn)) c->error = INFINITY;
  }
  for (uint32_t k = 0; k < c->count; ++k) m->slot[c->nodes[k]] = 0;
}
