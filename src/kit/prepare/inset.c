/* inset.c */
#include "inset.h"

#include <string.h>

#include "base.h"
#include "medial.h"
#include "mesh_internal.h"

/* ---- one body ---- */

weft_result weft_eroded_begin(const weft_mesh *mesh, const char *name, weft_eroded *body,
                              weft_error *err) {
  size_t corners = 3 * (size_t)mesh->triangle_count;
  *body = (weft_eroded){.mesh = mesh};
  body->welded = weft_alloc(mesh->vertex_count, sizeof *body->welded);
  body->triangles = weft_alloc(corners, sizeof *body->triangles);
  body->ways = weft_alloc(mesh->vertex_count, sizeof *body->ways);
  body->parts = weft_alloc(mesh->vertex_count, sizeof *body->parts);
  body->aside = weft_alloc(mesh->vertex_count, sizeof *body->aside);
  weft_weld_map(mesh->positions, mesh->vertex_count, 0, body->welded);
  for (size_t c = 0; c < corners; ++c) body->triangles[c] = body->welded[mesh->triangles[c]];
  weft_edges_build(mesh->vertex_count, body->triangles, mesh->triangle_count, &body->edges);
  body->shells = weft_shells_make(mesh);
  uint32_t open = weft_shells_open_edges(body->shells);
  if (open > 0) {
    weft_eroded_end(body);
    return weft_fail(err, WEFT_ERROR_MESH,
                     "cloth cannot be dressed on %s, which is open and has no inside: %u "
                     "edge%s of it %s run along more often one way than the other",
                     name, open, weft_plural(open), open == 1 ? "is" : "are");
  }
  weft_medial_ways(mesh->positions, mesh->vertex_count, body->triangles, mesh->triangle_count,
                   &body->edges, body->ways);
  return WEFT_OK;
}

void weft_eroded_end(weft_eroded *body) {
  weft_free(body->welded);
  weft_free(body->triangles);
  weft_edges_free(&body->edges);
  weft_shells_free(body->shells);
  weft_free(body->ways);
  weft_free(body->parts);
  weft_free(body->aside);
  *body = (weft_eroded){0};
}

void weft_eroded_at(const weft_eroded *body, double grown, weft_vec3 *positions) {
  for (uint32_t i = 0; i < body->mesh->vertex_count; ++i) {
    uint32_t v = body->welded[i];
    double part = (1 - grown) * body->parts[v];
    positions[i] = body->mesh->positions[i];
    if (part == 0) continue;
    weft_vec3d x = weft_v3d_from(positions[i]);
    x = weft_v3d_add_scaled(x, part, body->ways[v]);
    positions[i] = weft_v3d_round(weft_v3d_add_scaled(x, 1 - grown, body->aside[v]));
  }
}

/* ---- cloth and bodies ---- */

static uint32_t total(const weft_eroded *bodies, uint32_t count, bool triangles) {
  uint32_t sum = 0;
  for (uint32_t b = 0; b < count; ++b) {
    sum += triangles ? bodies[b].mesh->triangle_count : bodies[b].mesh->vertex_count;
  }
  return sum;
}

static void count_pairs(const weft_fit_cloth *cloth, const weft_eroded *bodies, uint32_t count,
                        const weft_vec3 *shapes, uint8_t *marks, weft_fit_look *look) {
  uint32_t vertices = cloth->particle_count + total(bodies, count, false);
  uint32_t triangles = cloth->triangle_count + total(bodies, count, true);
  weft_vec3 *x = weft_alloc(vertices, sizeof *x);
  uint32_t *corners = weft_alloc(3 * (size_t)triangles, sizeof *corners);
  size_t first = cloth->particle_count, at = 3 * (size_t)cloth->triangle_count;
  memcpy(x, cloth->positions, first * sizeof *x);
  memcpy(x + first, shapes, (vertices - first) * sizeof *x);
  memcpy(corners, cloth->triangles, at * sizeof *corners);
  for (uint32_t b = 0; b < count; ++b) {
    for (size_t c = 0; c < 3 * (size_t)bodies[b].mesh->triangle_count; ++c) {
      corners[at++] = bodies[b].triangles[c] + (uint32_t)first;
    }
    first += bodies[b].mesh->vertex_count;
  }
  weft_intersections found[2];
  weft_error err;
  weft_result result = weft_count_intersections_with(x, vertices, corners, triangles,
                                                     cloth->triangle_count, marks, found, &err);
  WEFT_CHECK(result == WEFT_OK, "cloth and bodies have finite positions");
  look->own = found[0];
  look->with_bodies = found[1];
  weft_free(x);
  weft_free(corners);
}

void weft_fit_look_at(const weft_fit_cloth *cloth, const weft_eroded *bodies, uint32_t count,
                      const weft_vec3 *shapes, uint8_t *marks, uint32_t *inside,
                      weft_fit_look *look) {
  uint8_t *own = weft_alloc(cloth->particle_count, 1), *any = weft_alloc(cloth->particle_count, 1);
  count_pairs(cloth, bodies, count, shapes, marks, look);
  look->inside = 0;
  for (uint32_t b = 0; b < count; ++b) {
    memset(own, 0, cloth->particle_count);
    weft_shells_mark_inside(bodies[b].shells, shapes, cloth->positions, cloth->particle_count, own);
    if (inside) inside[b] = 0;
    for (uint32_t i = 0; i < cloth->particle_count; ++i) {
      if (cloth->rides && cloth->rides[i]) continue;
      if (inside) inside[b] += own[i];
      look->inside += own[i] && !any[i];
      any[i] |= own[i];
    }
    shapes += bodies[b].mesh->vertex_count;
  }
  weft_free(own);
  weft_free(any);
}

/* ---- until it fits ---- */

/* Parts of the way: in a round, at most; and how much less deep a neighbour may lie, as a slope. */
static const double step = 0.04, most = 0.95, slope = 0.4, margin = 0.08;

static void deepen(weft_eroded *body, uint32_t v, double by) {
  body->parts[v] = fmin(most, body->parts[v] + by);
}

/* What meets cloth goes deeper, once a round. */
static void deepen_marked(weft_eroded *body, const uint8_t *marks) {
  uint8_t *wanted = weft_alloc(body->mesh->vertex_count, 1);
  for (size_t c = 0; c < 3 * (size_t)body->mesh->triangle_count; ++c) {
    if (marks[c / 3]) wanted[body->triangles[c]] = 1;
  }
  for (uint32_t v = 0; v < body->mesh->vertex_count; ++v) {
    if (wanted[v]) deepen(body, v, step);
  }
  weft_free(wanted);
}

/* What lies beside a deep vertex comes along, so that the surface does not fold. */
static void level(weft_eroded *body) {
  enum { SWEEPS = 4 };
  const weft_vec3 *x = body->mesh->positions;
  for (int sweep = 0; sweep < SWEEPS; ++sweep) {
    for (uint32_t k = 0; k < body->edges.count; ++k) {
      const weft_edge *edge = &body->edges.items[sweep % 2 ? body->edges.count - 1 - k : k];
      double reach = slope * weft_v3_distance(x[edge->a], x[edge->b]);
      double way_a = weft_v3d_length(body->ways[edge->a]);
      double way_b = weft_v3d_length(body->ways[edge->b]);
      double a = body->parts[edge->a] * way_a, b = body->parts[edge->b] * way_b;
      if (a < b - reach && way_a > 0) {
        body->parts[edge->a] = fmin(most, fmax(body->parts[edge->a], (b - reach) / way_a));
      } else if (b < a - reach && way_b > 0) {
        body->parts[edge->b] = fmin(most, fmax(body->parts[edge->b], (a - reach) / way_b));
      }
    }
  }
}

/* Whether anything could go deeper. */
static bool deepen_all(weft_eroded *bodies, uint32_t count, const weft_fit_look *look,
                       const uint8_t *marks, const uint32_t *inside) {
  bool more = false;
  for (uint32_t b = 0; b < count; ++b) {
    weft_eroded *body = &bodies[b];
    double before = 0, after = 0;
    for (uint32_t v = 0; v < body->mesh->vertex_count; ++v) before += body->parts[v];
    deepen_marked(body, marks);
    marks += body->mesh->triangle_count;
    bool all = look->with_bodies.triangle_pairs == 0 && inside[b] > 0;
    for (uint32_t v = 0; all && v < body->mesh->vertex_count; ++v) deepen(body, v, step);
    level(body);
    for (uint32_t v = 0; v < body->mesh->vertex_count; ++v) after += body->parts[v];
    more = more || after > before;
  }
  return more;
}

static void place_all(const weft_eroded *bodies, uint32_t count, weft_vec3 *shapes) {
  for (uint32_t b = 0; b < count; ++b) {
    weft_eroded_at(&bodies[b], 0, shapes);
    shapes += bodies[b].mesh->vertex_count;
  }
}

/* ---- thin and still in the way: a limb beside the sleeve that it belongs into ---- */

/* m: how far around a crossing bodies move, and by how much in a round. */
static const double around = 0.08, sleeve = 0.025, stride = 0.003;

/* 1 in the middle, 0 from `around` on. */
static double nearness(weft_vec3d a, weft_vec3d b, double reach) {
  weft_vec3d apart = weft_v3d_sub(a, b);
  double left = 1 - weft_v3d_dot(apart, apart) / (reach * reach);
  return left > 0 ? left * left : 0;
}

/* The way the cloth faces around a point, of length 1 or 0: not further off than the other side of
 * a sleeve, unless there is nothing nearer. */
static weft_vec3d facing(const weft_fit_cloth *cloth, weft_vec3d point) {
  for (double reach = sleeve; reach < 8 * sleeve; reach *= 2) {
    weft_vec3d sum = {0};
    for (uint32_t t = 0; t < cloth->triangle_count; ++t) {
      const uint32_t *c = cloth->triangles + 3 * (size_t)t;
      weft_vec3d p = weft_v3d_from(cloth->positions[c[0]]);
      weft_vec3d q = weft_v3d_from(cloth->positions[c[1]]);
      weft_vec3d r = weft_v3d_from(cloth->positions[c[2]]);
      weft_vec3d middle = weft_v3d_scale(weft_v3d_add(weft_v3d_add(p, q), r), 1.0 / 3);
      double weight = nearness(middle, point, reach);
      if (weight == 0) continue;
      weft_vec3d n = weft_v3d_cross(weft_v3d_sub(q, p), weft_v3d_sub(r, p));
      sum = weft_v3d_add_scaled(sum, weight, n);
    }
    double length = weft_v3d_length(sum);
    if (length > 0) return weft_v3d_scale(sum, 1 / length);
  }
  return weft_v3d(0, 0, 0);
}

enum { CROSSINGS = 64 };

/* Some of the places where a body meets cloth. */
typedef struct crossings {
  weft_vec3d at[CROSSINGS], back[CROSSINGS]; /* m; the way to the back of the cloth */
  uint32_t count;
} crossings;

static void find_crossings(const weft_fit_cloth *cloth, const weft_eroded *body,
                           const weft_vec3 *shape, const uint8_t *marks, crossings *c) {
  uint32_t marked = 0, seen = 0;
  c->count = 0;
  for (uint32_t t = 0; t < body->mesh->triangle_count; ++t) marked += marks[t] != 0;
  for (uint32_t t = 0; t < body->mesh->triangle_count; ++t) {
    if (!marks[t] || seen++ % (marked / CROSSINGS + 1) != 0) continue;
    weft_vec3d at = weft_v3d_from(shape[body->triangles[3 * (size_t)t]]);
    c->at[c->count] = at;
    c->back[c->count++] = weft_v3d_scale(facing(cloth, at), -1);
  }
}

/* Crossings that are near each other go one way. */
static void agree(crossings *c) {
  crossings own = *c;
  for (uint32_t k = 0; k < c->count; ++k) {
    weft_vec3d sum = {0};
    for (uint32_t j = 0; j < c->count; ++j) {
      sum = weft_v3d_add_scaled(sum, nearness(own.at[j], own.at[k], 2 * around), own.back[j]);
    }
    double length = weft_v3d_length(sum);
    c->back[k] = weft_v3d_scale(sum, length > 0 ? 1 / length : 0);
  }
}

/* The nearest crossing, and how near. */
static double nearest(const crossings *c, weft_vec3d x, uint32_t *which) {
  double most_near = 0;
  for (uint32_t k = 0; k < c->count; ++k) {
    double near = nearness(x, c->at[k], around);
    if (near > most_near) *which = k;
    most_near = fmax(most_near, near);
  }
  return most_near;
}

static double bulk(const weft_eroded *body, uint32_t v) {
  return fmax(0, fmin(1, (weft_v3d_length(body->ways[v]) - 0.015) / 0.01));
}

/* Thin parts around crossings go to the back of the cloth, each vertex as the nearest of them. */
static void move_aside(weft_eroded *body, const weft_vec3 *shape, const crossings *c) {
  for (uint32_t v = 0; v < body->mesh->vertex_count; ++v) {
    uint32_t k = 0;
    double near = nearest(c, weft_v3d_from(shape[v]), &k),
           part = body->parts[v] / most * bulk(body, v);
    body->aside[v] = weft_v3d_add_scaled(body->aside[v], stride * near * part, c->back[k]);
  }
}

/* What sticks out around crossings is drawn in, to the mean of its neighbours. */
static void draw_in(weft_eroded *body, const weft_vec3 *shape, const crossings *c) {
  enum { SWEEPS = 30 };
  uint32_t count = body->mesh->vertex_count;
  weft_vec3d *x = weft_alloc(count, sizeof *x), *sums = weft_alloc(count, sizeof *sums);
  double *near = weft_alloc(count, sizeof *near), *n = weft_alloc(count, sizeof *n);
  for (uint32_t v = 0, k; v < count; ++v) {
    x[v] = weft_v3d_from(shape[v]);
    near[v] = nearest(c, x[v], &k) * (1 - bulk(body, v));
  }
  for (int sweep = 0; sweep < SWEEPS; ++sweep) {
    memset(sums, 0, count * sizeof *sums);
    memset(n, 0, count * sizeof *n);
    for (uint32_t e = 0; e < body->edges.count; ++e) {
      uint32_t a = body->edges.items[e].a, b = body->edges.items[e].b;
      sums[a] = weft_v3d_add(sums[a], x[b]);
      sums[b] = weft_v3d_add(sums[b], x[a]);
      n[a]++, n[b]++;
    }
    for (uint32_t v = 0; v < count; ++v) {
      if (near[v] == 0 || n[v] == 0) continue;
      weft_vec3d by = weft_v3d_sub(weft_v3d_scale(sums[v], 1 / n[v]), x[v]);
      by = weft_v3d_scale(by, 0.5 * near[v]);
      x[v] = weft_v3d_add(x[v], by);
      body->aside[v] = weft_v3d_add(body->aside[v], by);
    }
  }
  weft_free(x);
  weft_free(sums);
  weft_free(near);
  weft_free(n);
}

static void move_all_aside(const weft_fit_cloth *cloth, weft_eroded *bodies, uint32_t count,
                           const weft_vec3 *shapes, const uint8_t *marks) {
  crossings c;
  for (uint32_t b = 0; b < count; ++b) {
    find_crossings(cloth, &bodies[b], shapes, marks, &c);
    draw_in(&bodies[b], shapes, &c);
    {
      agree(&c);
      move_aside(&bodies[b], shapes, &c);
    }
    shapes += bodies[b].mesh->vertex_count;
    marks += bodies[b].mesh->triangle_count;
  }
}

/* What was eroded at all, further: cloth shall have some room. */
static void deepen_eroded(weft_eroded *bodies, uint32_t count) {
  for (uint32_t b = 0; b < count; ++b) {
    for (uint32_t v = 0; v < bodies[b].mesh->vertex_count; ++v) {
      if (bodies[b].parts[v] > 0) deepen(&bodies[b], v, margin);
    }
    level(&bodies[b]);
  }
}

bool weft_inset(const weft_fit_cloth *cloth, weft_eroded *bodies, uint32_t count,
                weft_fit_look *look) {
  uint32_t triangles = cloth->triangle_count + total(bodies, count, true);
  weft_vec3 *shapes = weft_alloc(total(bodies, count, false), sizeof *shapes);
  uint8_t *marks = weft_alloc(triangles, 1);
  uint32_t *inside = weft_alloc(count, sizeof *inside);
  enum { STRIDES = 80 };
  bool clear = false, roomy = false;
  int strides = 0;
  while (!(clear && roomy) && strides < STRIDES) {
    place_all(bodies, count, shapes);
    weft_fit_look_at(cloth, bodies, count, shapes, marks, inside, look);
    clear = look->with_bodies.triangle_pairs == 0 && look->inside == 0;
    if (clear && !roomy) {
      roomy = true;
      deepen_eroded(bodies, count);
      clear = false;
      continue;
    }
    if (clear || deepen_all(bodies, count, look, marks + cloth->triangle_count, inside)) continue;
    move_all_aside(cloth, bodies, count, shapes, marks + cloth->triangle_count);
    strides++;
  }
  weft_free(shapes);
  weft_free(marks);
  weft_free(inside);
  return clear;
}
