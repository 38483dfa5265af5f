/* untangle_crossings.c: what moves an edge and a triangle want that cross each other. */
#include <stdlib.h>

#include "base.h"
#include "untangling.h"

weft_vec3d weft_untangle_normal(const loosening *l, uint32_t triangle) {
  const uint32_t *c = &l->corners[3 * (size_t)triangle];
  const loosen_body *body = weft_untangle_body_of(l, triangle);
  weft_vec3d n =
      weft_v3d_cross(weft_v3d_sub(l->x[c[1]], l->x[c[0]]), weft_v3d_sub(l->x[c[2]], l->x[c[0]]));
  return body && body->inward ? weft_v3d_scale(n, -1) : n;
}

weft_vec3d weft_untangle_unit(weft_vec3d v) {
  double length = weft_v3d_length(v);
  return length > 1e-30 ? weft_v3d_scale(v, 1 / length) : weft_v3d(0, 0, 0);
}

const loosen_body *weft_untangle_body_of(const loosening *l, uint32_t triangle) {
  for (uint32_t b = 0; b < l->body_count; ++b) {
    if (triangle >= l->bodies[b].first && triangle < l->bodies[b].end) return &l->bodies[b];
  }
  return NULL;
}

void weft_untangle_want(loosening *l, uint32_t i, weft_vec3d move, double weight) {
  double length = weft_v3d_length(move);
  if (length > l->step) move = weft_v3d_scale(move, l->step / length);
  l->moves[i] = weft_v3d_add_scaled(l->moves[i], weight, move);
  l->weights[i] += weight;
}

void weft_untangle_part(loosening *l, const uint32_t *particles, const double *shares, int count,
                        weft_vec3d n, double by) {
  double sum = 0;
  by = fmin(by, l->step);
  for (int k = 0; k < count; ++k) sum += l->fixed[particles[k]] ? 0 : shares[k] * shares[k];
  if (sum < 1e-6) return;
  for (int k = 0; k < count; ++k) {
    if (l->fixed[particles[k]]) continue;
    weft_untangle_want(l, particles[k], weft_v3d_scale(n, by * shares[k] / sum), fabs(shares[k]));
  }
}

/* ---- one crossing ---- */

typedef struct crossed {
  const weft_edge *edge;
  uint32_t triangle;
  const uint32_t *corners;
  weft_vec3d n;        /* of the triangle, of unit length */
  double heights[2];   /* of the ends above it */
  double along;        /* of the edge, where it crosses: 0 to 1 */
  weft_nearest inside; /* the crossing, in the triangle */
} crossed;

static int edge_against(const void *key, const void *item) {
  const uint32_t *a = key;
  const weft_edge *b = item;
  if (a[0] != b->a) return a[0] < b->a ? -1 : 1;
  return a[1] < b->b ? -1 : a[1] > b->b;
}

static bool look_at(const loosening *l, const weft_crossing *k, crossed *c) {
  c->edge = bsearch(k->edge, l->edges.items, l->edges.count, sizeof *l->edges.items, edge_against);
  WEFT_CHECK(c->edge, "an edge that crosses is one");
  c->triangle = k->triangle;
  c->corners = &l->corners[3 * (size_t)k->triangle];
  c->n = weft_untangle_unit(weft_untangle_normal(l, k->triangle));
  if (weft_v3d_dot(c->n, c->n) < 0.5) return false;
  weft_vec3d a = l->x[c->edge->a], b = l->x[c->edge->b], p = l->x[c->corners[0]];
  c->heights[0] = weft_v3d_dot(c->n, weft_v3d_sub(a, p));
  c->heights[1] = weft_v3d_dot(c->n, weft_v3d_sub(b, p));
  double from = c->heights[0] - c->heights[1];
  c->along = fabs(from) > 1e-12 ? fmin(1, fmax(0, c->heights[0] / from)) : 0.5;
  weft_vec3d at = weft_v3d_add_scaled(a, c->along, weft_v3d_sub(b, a));
  weft_nearest_in_triangle(at, l->x[c->corners[0]], l->x[c->corners[1]], l->x[c->corners[2]],
                           &c->inside);
  return true;
}

/* The edge along n against the triangle, by so much. */
static void part_both(loosening *l, const crossed *c, weft_vec3d n, double by) {
  const uint32_t particles[5] = {c->edge->a, c->edge->b, c->corners[0], c->corners[1],
                                 c->corners[2]};
  const double *w = c->inside.weights;
  const double shares[5] = {1 - c->along, c->along, -w[0], -w[1], -w[2]};
  weft_untangle_part(l, particles, shares, 5, n, by);
}

/* An end of the edge to the other side: along n, of unit length. */
static void bring_back(loosening *l, const crossed *c, int end, weft_vec3d n) {
  const uint32_t particles[4] = {end ? c->edge->b : c->edge->a, c->corners[0], c->corners[1],
                                 c->corners[2]};
  const double *w = c->inside.weights;
  const double shares[4] = {1, -w[0], -w[1], -w[2]};
  weft_untangle_part(l, particles, shares, 4, n, fabs(c->heights[end]) + l->apart);
}

/* How the contour's length changes as the triangle moves against the edge, twice: for each triangle
 * of the edge R - 2 (E.R)/(E.N) N, R along the contour away from the edge. */
static weft_vec3d gradient_of(const loosening *l, const crossed *c) {
  weft_vec3d sum = {0, 0, 0}, a = l->x[c->edge->a];
  weft_vec3d e = weft_untangle_unit(weft_v3d_sub(l->x[c->edge->b], a));
  double slope = weft_v3d_dot(e, c->n);
  if (fabs(slope) < 0.05) slope = slope < 0 ? -0.05 : 0.05;
  for (uint32_t k = 0; k < 2 && k < c->edge->triangle_count; ++k) {
    weft_vec3d m = weft_untangle_unit(weft_untangle_normal(l, c->edge->triangle[k]));
    weft_vec3d r = weft_untangle_unit(weft_v3d_cross(m, c->n));
    weft_vec3d in = weft_v3d_sub(l->x[c->edge->opposite[k]], a);
    in = weft_v3d_add_scaled(in, -weft_v3d_dot(in, e), e);
    if (weft_v3d_dot(in, r) < 0) r = weft_v3d_scale(r, -1);
    sum = weft_v3d_add(sum, weft_v3d_add_scaled(r, -2 * weft_v3d_dot(e, r) / slope, c->n));
  }
  return sum;
}

static void shorten(loosening *l, const crossed *c) {
  weft_vec3d g = gradient_of(l, c);
  part_both(l, c, weft_untangle_unit(g), l->step * fmin(1, weft_v3d_length(g)));
}

/* The smaller of two regions comes back through what it came through. */
static bool smaller_back(loosening *l, const crossed *c) {
  uint32_t a = l->region[c->edge->a], b = l->region[c->edge->b];
  if (a == b) return false;
  bool second =
      l->region_size[b] < l->region_size[a] || (l->region_size[b] == l->region_size[a] && b > a);
  l->wrong[second ? b : a] = true;
  double side = c->heights[!second] - c->heights[second] > 0 ? 1 : -1;
  bring_back(l, c, second, weft_v3d_scale(c->n, side));
  return true;
}

/* Of an edge: the mean of its triangles' normals. */
static weft_vec3d edge_normal(const loosening *l, const weft_edge *e) {
  weft_vec3d sum = {0, 0, 0};
  for (uint32_t k = 0; k < 2 && k < e->triangle_count; ++k) {
    sum = weft_v3d_add(sum, weft_untangle_unit(weft_untangle_normal(l, e->triangle[k])));
  }
  return weft_untangle_unit(sum);
}

/* Where it is known which side of the triangle is outside. */
static void to_the_front(loosening *l, const crossed *c) {
  for (int end = 0; end < 2; ++end) {
    if (c->heights[end] <= 0) bring_back(l, c, end, c->n);
  }
}

/* And where it is known of the edge. */
static void off_the_edge(loosening *l, const crossed *c) {
  part_both(l, c, weft_v3d_scale(edge_normal(l, c->edge), -1), l->step);
}

static int32_t layer_of(const loosening *l, uint32_t i) { return l->layers ? l->layers[i] : 0; }

static void of_cloth(loosening *l, const crossed *c) {
  int32_t edge = layer_of(l, c->edge->a), face = layer_of(l, c->corners[0]);
  if (edge > face) {
    to_the_front(l, c);
  } else if (edge < face) {
    off_the_edge(l, c);
  } else if (!smaller_back(l, c)) {
    shorten(l, c);
  }
}

static void of_body(loosening *l, const crossed *c) {
  const bool edges_body = c->edge->a >= l->particles;
  const loosen_body *body =
      weft_untangle_body_of(l, edges_body ? c->edge->triangle[0] : c->triangle);
  if (body->closed && edges_body) {
    off_the_edge(l, c);
  } else if (body->closed) {
    to_the_front(l, c);
  } else if (edges_body || !smaller_back(l, c)) {
    shorten(l, c);
  }
}

void weft_untangle_crossings(loosening *l) {
  for (size_t k = 0; k < l->crossing_count; ++k) {
    crossed c;
    if (!look_at(l, &l->crossings[k], &c)) continue;
    if (c.edge->a >= l->particles || c.triangle >= l->triangles) {
      of_body(l, &c);
    } else {
      of_cloth(l, &c);
    }
  }
}
