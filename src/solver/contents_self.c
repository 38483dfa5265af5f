/* contents_self.c: the tree and the lists of self-collision.
 *
 * Triangles are sorted along a Morton curve through the rest pose, so that 8, 64, 512 in a row lie
 * together; the tree over them keeps its shape for good, and only its boxes change. Each vertex and
 * each edge belongs to the first triangle that has it (Curtis et al. 2008, "Fast collision
 * detection for deformable models using representative-triangles"). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "solver.h"

/* ---- the order of triangles ---- */

typedef struct keyed {
  uint64_t key;
  uint32_t triangle;
} keyed;

static int by_key(const void *a, const void *b) {
  const keyed *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

/* 16 bits of each coordinate in turn. */
static uint64_t interleave(const uint32_t cell[3]) {
  uint64_t key = 0;
  for (int bit = 15; bit >= 0; --bit) {
    for (int k = 0; k < 3; ++k) key = key << 1 | (cell[k] >> bit & 1u);
  }
  return key;
}

static weft_vec3d rest_of(const weft_model *model, uint32_t particle) {
  return weft_v3d((double)model->rest_positions[particle].x,
                  (double)model->rest_positions[particle].y,
                  (double)model->rest_positions[particle].z);
}

static weft_vec3d centre_of(const weft_model *model, uint32_t triangle) {
  const uint32_t *c = &model->triangles[3 * (size_t)triangle];
  weft_vec3d sum = weft_v3d_add(rest_of(model, c[0]), rest_of(model, c[1]));
  return weft_v3d_scale(weft_v3d_add(sum, rest_of(model, c[2])), 1.0 / 3);
}

static keyed *sorted_triangles(const weft_model *model) {
  weft_vec3d low = rest_of(model, 0), high = low;
  for (uint32_t i = 1; i < model->particle_count; ++i) {
    weft_vec3d p = rest_of(model, i);
    low = weft_v3d(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
    high = weft_v3d(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
  }
  double side = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
  double scale = side > 0 ? 65535 / side : 0;
  keyed *order = weft_alloc(model->triangle_count, sizeof *order);
  for (uint32_t t = 0; t < model->triangle_count; ++t) {
    weft_vec3d p = weft_v3d_scale(weft_v3d_sub(centre_of(model, t), low), scale);
    order[t] =
        (keyed){interleave((const uint32_t[3]){(uint32_t)p.x, (uint32_t)p.y, (uint32_t)p.z}), t};
  }
  qsort(order, model->triangle_count, sizeof *order, by_key);
  return order;
}

/* ---- whose a vertex and an edge are ---- */

typedef struct edge {
  uint32_t low, high, triangle, corner; /* triangle: in the tree's order */
} edge;

static int by_ends(const void *a, const void *b) {
  const edge *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

static void own_vertices(weft_self_triangle *triangles, const weft_model *model) {
  unsigned char *owned = weft_alloc(model->particle_count, 1);
  for (uint32_t t = 0; t < model->triangle_count; ++t) {
    const uint32_t corners[3] = {triangles[t].corners.x, triangles[t].corners.y,
                                 triangles[t].corners.z};
    for (uint32_t k = 0; k < 3; ++k) {
      if (!owned[corners[k]]) triangles[t].corners.w |= 1u << k;
      owned[corners[k]] = 1;
    }
  }
  weft_free(owned);
}

/* Edges sorted by their ends; the first of equal ones is the owner's. */
static edge *sorted_edges(const weft_self_triangle *triangles, uint32_t count) {
  edge *edges = weft_alloc(3 * (size_t)count, sizeof *edges);
  for (uint32_t t = 0; t < count; ++t) {
    const uint32_t corners[3] = {triangles[t].corners.x, triangles[t].corners.y,
                                 triangles[t].corners.z};
    for (uint32_t k = 0; k < 3; ++k) {
      uint32_t a = corners[k], b = corners[(k + 1) % 3];
      edges[3 * (size_t)t + k] = (edge){a < b ? a : b, a < b ? b : a, t, k};
    }
  }
  qsort(edges, 3 * (size_t)count, sizeof *edges, by_ends);
  return edges;
}

static double length_of(const weft_model *model, const edge *e) {
  weft_vec3d d = weft_v3d_sub(rest_of(model, e->low), rest_of(model, e->high));
  return sqrt(weft_v3d_dot(d, d));
}

/* ---- distances ---- */

/* The mean over the edges of all triangles. */
static double thickness_of(const weft_model *model, const weft_params *params) {
  if ((double)params->self_thickness > 0) return (double)params->self_thickness;
  double sum = 0;
  for (uint32_t t = 0; t < model->triangle_count; ++t) {
    const uint32_t *c = &model->triangles[3 * (size_t)t];
    for (uint32_t k = 0; k < 3; ++k) sum += length_of(model, &(edge){c[k], c[(k + 1) % 3], t, k});
  }
  return fmin(0.003, 0.5 * sum / (3.0 * model->triangle_count));
}

/* A power of two above all coordinates of cloth and shapes. */
static double scale_of(const weft_model *model, const weft_params *params) {
  double most = 0.5;
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    weft_vec3d p = rest_of(model, i);
    most = fmax(most, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
  }
  for (uint32_t c = 0; c < params->collider_count; ++c) {
    const weft_collider *shape = &params->colliders[c];
    if (shape->shape == WEFT_COLLIDER_PLANE) continue;
    most = fmax(most, fmax(fabs((double)shape->a.x),
                           fmax(fabs((double)shape->a.y), fabs((double)shape->a.z))));
  }
  return exp2(ceil(log2(2 * most)));
}

enum { FLOOR_BITS = 17 };

/* What floats can tell apart there. */
static double least_of(const weft_model *model, const weft_params *params) {
  return scale_of(model, params) / (1 << FLOOR_BITS);
}

static void fill_reach(const weft_model *model, const edge *edges, double thickness, double least,
                       weft_contents *contents) {
  uint32_t n = model->particle_count;
  vec4 *rest = weft_contents_set(contents, WEFT_BUFFER_SELF_REST, (uint64_t)n + 1);
  rest[n].x = (float)thickness;
  rest[n].y = (float)least;
  double *shortest = weft_alloc(n, sizeof *shortest);
  for (uint32_t i = 0; i < n; ++i) shortest[i] = 2 * thickness;
  for (size_t k = 0; k < 3 * (size_t)model->triangle_count; ++k) {
    double length = length_of(model, &edges[k]);
    shortest[edges[k].low] = fmin(shortest[edges[k].low], length);
    shortest[edges[k].high] = fmin(shortest[edges[k].high], length);
  }
  for (uint32_t i = 0; i < n; ++i) {
    weft_vec3d p = rest_of(model, i);
    double reach = fmin(thickness / 4, shortest[i] / 8);
    rest[i].x = exact_flush((float)p.x);
    rest[i].y = exact_flush((float)p.y);
    rest[i].z = exact_flush((float)p.z);
    rest[i].w = exact_flush((float)reach);
  }
  weft_free(shortest);
}

static void fill_triangles(const weft_model *model, weft_self_triangle *triangles) {
  keyed *order = sorted_triangles(model);
  const weft_tangles *tangles = weft_model_tangles(model);
  for (uint32_t t = 0; t < model->triangle_count; ++t) {
    const uint32_t *c = &model->triangles[3 * (size_t)order[t].triangle];
    weft_vec3d centre = centre_of(model, order[t].triangle);
    double radius2 = 0;
    for (uint32_t k = 0; k < 3; ++k) {
      weft_vec3d d = weft_v3d_sub(rest_of(model, c[k]), centre);
      radius2 = fmax(radius2, weft_v3d_dot(d, d));
    }
    uint32_t tangled = tangles->marks[order[t].triangle] ? WEFT_SELF_TANGLED : 0;
    triangles[t].corners = (uvec4){c[0], c[1], c[2], tangled};
    triangles[t].rest.x = exact_flush((float)centre.x);
    triangles[t].rest.y = exact_flush((float)centre.y);
    triangles[t].rest.z = exact_flush((float)centre.z);
    triangles[t].rest.w = (float)sqrt(radius2);
  }
  weft_free(order);
}

weft_result weft_self_check(const weft_model *model, const weft_params *params, weft_error *err) {
  double thickness = thickness_of(model, params), least = least_of(model, params);
  uint64_t room = (uint64_t)params->self_room * model->particle_count;
  if (4 * room > UINT32_MAX || model->triangle_count > 1u << 24) {
    return weft_fail(err, WEFT_ERROR_LIMIT,
                     "self-collision of %u particles and %u triangles with room for %u pairs a "
                     "particle is too large: at most 2^30 pairs and 2^24 triangles",
                     model->particle_count, model->triangle_count, params->self_room);
  }
  if (thickness >= 4 * least) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "a self-collision thickness of %g m is too small beside coordinates of up to %g "
                   "m: floats tell %g m apart there, and at least 4 times that is needed",
                   thickness, least * (1 << FLOOR_BITS), least);
}

weft_result weft_self_fill(const weft_model *model, const weft_params *params,
                           weft_contents *contents, weft_error *err) {
  if (!weft_self_active(model, params)) return WEFT_OK;
  weft_result result = weft_self_check(model, params, err);
  if (result != WEFT_OK) return result;
  double thickness = thickness_of(model, params), least = least_of(model, params);
  uint32_t n = model->particle_count, t = model->triangle_count;
  weft_self_triangle *triangles = weft_contents_set(contents, WEFT_BUFFER_SELF_TRIANGLES, t);
  fill_triangles(model, triangles);
  own_vertices(triangles, model);
  edge *edges = sorted_edges(triangles, t);
  for (size_t k = 0; k < 3 * (size_t)t; ++k) {
    bool first = k == 0 || edges[k].low != edges[k - 1].low || edges[k].high != edges[k - 1].high;
    if (first) triangles[edges[k].triangle].corners.w |= 8u << edges[k].corner;
  }
  fill_reach(model, edges, thickness, least, contents);
  weft_free(edges);
  uint32_t nodes = t, top = 0;
  for (uint32_t count = t; count > 1; ++top) {
    count = (count - 1) / WEFT_SELF_FAN + 1;
    nodes += count;
  }
  uint64_t room = (uint64_t)params->self_room * n;
  weft_contents_set(contents, WEFT_BUFFER_SELF_NODES, nodes);
  uint32_t *shares = weft_contents_set(contents, WEFT_BUFFER_SELF_SHARES, n);
  for (uint32_t k = 0; k < 2 * n; ++k) shares[k] = WEFT_SELF_WHOLE; /* nothing is cut yet */
  weft_contents_set(contents, WEFT_BUFFER_SELF_MARKS, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PUSHES, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CANDIDATES, 4 * room);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PAIRS, room);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PLANES, room);
  weft_contents_set(contents, WEFT_BUFFER_SELF_COUNTS, WEFT_SELF_COUNTS);
  uint64_t kept = weft_self_remembers(params) ? room : 1;
  weft_contents_set(contents, WEFT_BUFFER_SELF_KEPT, kept);
  weft_contents_set(contents, WEFT_BUFFER_SELF_KEPT_COUNT, 1);
  weft_contents_set(contents, WEFT_BUFFER_SELF_HEADS, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_NEXT, kept);
  weft_contents_set(contents, WEFT_BUFFER_SELF_SIZES, WEFT_SELF_SIZES);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  double dt = (double)params->frame_dt / params->substeps;
  u->self_triangles = t;
  u->self_candidates = (uint32_t)(4 * room);
  u->self_pairs = (uint32_t)room;
  u->self_nodes = nodes;
  u->self_particles = n;
  u->self_parts = 1;
  u->self_static = exact_flush(params->self_static);
  u->self_dynamic = exact_flush(params->self_dynamic);
  u->self_escape = (float)(2 * dt); /* 2 m/s */
  u->self_top = top;
  return WEFT_OK;
}
