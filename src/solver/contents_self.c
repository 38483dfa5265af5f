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

/* ---- cloth and bodies together ---- */

/* Those of bodies stand behind those of the cloth. */
typedef struct surface {
  uint32_t particles, triangles;
  uint32_t cloth_particles, cloth_triangles;
  weft_vec3d *positions;
  uint32_t *corners;
} surface;

static surface surface_of(const weft_model *model, const weft_params *params) {
  const weft_bodies bodies = weft_bodies_of(params);
  surface all = {.cloth_particles = model->particle_count,
                 .cloth_triangles = model->triangle_count};
  all.positions =
      weft_alloc((size_t)model->particle_count + bodies.particles, sizeof *all.positions);
  all.corners =
      weft_alloc(3 * ((size_t)model->triangle_count + bodies.triangles), sizeof(uint32_t));
  for (; all.particles < model->particle_count; ++all.particles) {
    const uint32_t i = all.particles;
    all.positions[i] =
        weft_v3d((double)model->rest_positions[i].x, (double)model->rest_positions[i].y,
                 (double)model->rest_positions[i].z);
  }
  memcpy(all.corners, model->triangles, 3 * (size_t)model->triangle_count * sizeof(uint32_t));
  all.triangles = model->triangle_count;
  for (uint32_t b = 0; b < bodies.count; ++b) {
    const weft_mesh *mesh = bodies.items[b].mesh;
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
      all.corners[3 * (size_t)all.triangles + c] = mesh->triangles[c] + all.particles;
    }
    all.triangles += mesh->triangle_count;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      all.positions[all.particles++] = weft_v3d(
          (double)mesh->positions[i].x, (double)mesh->positions[i].y, (double)mesh->positions[i].z);
    }
  }
  return all;
}

static void free_surface(surface *all) {
  weft_free(all->positions);
  weft_free(all->corners);
}

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

static weft_vec3d centre_of(const surface *all, uint32_t triangle) {
  const uint32_t *c = &all->corners[3 * (size_t)triangle];
  weft_vec3d sum = weft_v3d_add(all->positions[c[0]], all->positions[c[1]]);
  return weft_v3d_scale(weft_v3d_add(sum, all->positions[c[2]]), 1.0 / 3);
}

/* Those of the cloth first, each along a curve through the box around its own particles. */
static void sort_triangles(const surface *all, bool bodies, keyed *order) {
  uint32_t begin = bodies ? all->cloth_particles : 0, first = bodies ? all->cloth_triangles : 0;
  uint32_t end = bodies ? all->particles : all->cloth_particles;
  uint32_t count = bodies ? all->triangles - first : all->cloth_triangles;
  if (count == 0) return;
  weft_vec3d low = all->positions[begin], high = low;
  for (uint32_t i = begin; i < end; ++i) {
    weft_vec3d p = all->positions[i];
    low = weft_v3d(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
    high = weft_v3d(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
  }
  double side = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
  double scale = side > 0 ? 65535 / side : 0;
  for (uint32_t t = first; t < first + count; ++t) {
    weft_vec3d p = weft_v3d_scale(weft_v3d_sub(centre_of(all, t), low), scale);
    order[t] =
        (keyed){interleave((const uint32_t[3]){(uint32_t)p.x, (uint32_t)p.y, (uint32_t)p.z}), t};
  }
  qsort(order + first, count, sizeof *order, by_key);
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

static void own_vertices(weft_self_triangle *triangles, const surface *all) {
  unsigned char *owned = weft_alloc(all->particles, 1);
  for (uint32_t t = 0; t < all->triangles; ++t) {
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

static double length_of(const surface *all, const edge *e) {
  weft_vec3d d = weft_v3d_sub(all->positions[e->low], all->positions[e->high]);
  return sqrt(weft_v3d_dot(d, d));
}

/* ---- distances ---- */

/* Of cloth on cloth. The mean over the edges of all its triangles. */
static double thickness_of(const surface *all, const weft_params *params) {
  if ((double)params->self_thickness > 0) return (double)params->self_thickness;
  double sum = 0;
  for (uint32_t t = 0; t < all->cloth_triangles; ++t) {
    const uint32_t *c = &all->corners[3 * (size_t)t];
    for (uint32_t k = 0; k < 3; ++k) sum += length_of(all, &(edge){c[k], c[(k + 1) % 3], t, k});
  }
  return fmin(0.003, 0.5 * sum / (3.0 * all->cloth_triangles));
}

static double body_thickness(const weft_body *body, double of_cloth) {
  return (double)body->thickness > 0 ? (double)body->thickness : of_cloth;
}

/* A power of two above all coordinates of cloth, bodies and shapes. */
static double scale_of(const surface *all, const weft_params *params) {
  double most = 0.5;
  for (uint32_t i = 0; params->start && i < all->cloth_particles; ++i) {
    most =
        fmax(most, fmax(fabs((double)params->start[i].x),
                        fmax(fabs((double)params->start[i].y), fabs((double)params->start[i].z))));
  }
  for (uint32_t i = 0; i < all->particles; ++i) {
    weft_vec3d p = all->positions[i];
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
static double least_of(const surface *all, const weft_params *params) {
  return scale_of(all, params) / (1 << FLOOR_BITS);
}

/* A body's triangles are near nothing in the rest pose. */
static const float nowhere = 1e15f;

static void fill_reach(const surface *all, const edge *edges, double thickness, vec4 *rest) {
  double *shortest = weft_alloc(all->particles, sizeof *shortest);
  for (uint32_t i = 0; i < all->particles; ++i) shortest[i] = 2 * thickness;
  for (size_t k = 0; k < 3 * (size_t)all->triangles; ++k) {
    double length = length_of(all, &edges[k]);
    shortest[edges[k].low] = fmin(shortest[edges[k].low], length);
    shortest[edges[k].high] = fmin(shortest[edges[k].high], length);
  }
  for (uint32_t i = 0; i < all->particles; ++i) {
    weft_vec3d p = all->positions[i];
    double reach = fmin(thickness / 4, shortest[i] / 8);
    rest[i].x = exact_flush((float)p.x);
    rest[i].y = exact_flush((float)p.y);
    rest[i].z = exact_flush((float)p.z);
    rest[i].w = exact_flush((float)reach);
  }
  weft_free(shortest);
}

static void fill_bodies(const surface *all, const weft_params *params, double thickness,
                        vec4 *rest) {
  uint32_t i = all->cloth_particles;
  for (uint32_t b = 0; b < params->body_count; ++b) {
    const weft_body *body = &params->bodies[b];
    for (uint32_t end = i + body->mesh->vertex_count; i < end; ++i) {
      rest[i].x = exact_flush((float)body->friction_static);
      rest[i].y = exact_flush((float)body->friction_dynamic);
      rest[i].z = (float)body_thickness(body, thickness);
    }
  }
}

static void fill_triangles(const weft_model *model, const weft_params *params, const surface *all,
                           weft_self_triangle *triangles) {
  keyed *order = weft_alloc(all->triangles, sizeof *order);
  sort_triangles(all, false, order);
  sort_triangles(all, true, order);
  const weft_bodies bodies = weft_bodies_of(params);
  uint8_t *marks = weft_model_marks_with(model, &bodies, params->start);
  for (uint32_t t = 0; t < all->triangles; ++t) {
    const uint32_t *c = &all->corners[3 * (size_t)order[t].triangle];
    weft_vec3d centre = centre_of(all, order[t].triangle);
    double radius2 = 0;
    for (uint32_t k = 0; k < 3; ++k) {
      weft_vec3d d = weft_v3d_sub(all->positions[c[k]], centre);
      radius2 = fmax(radius2, weft_v3d_dot(d, d));
    }
    bool body = t >= all->cloth_triangles;
    uint32_t bits =
        (marks[order[t].triangle] ? WEFT_SELF_TANGLED : 0) | (body ? WEFT_SELF_BODY : 0);
    triangles[t].corners = (uvec4){c[0], c[1], c[2], bits};
    triangles[t].rest.x = body ? nowhere : exact_flush((float)centre.x);
    triangles[t].rest.y = exact_flush((float)centre.y);
    triangles[t].rest.z = exact_flush((float)centre.z);
    triangles[t].rest.w = (float)sqrt(radius2);
  }
  weft_free(marks);
  weft_free(order);
}

/* Pairs that a list has room for: a particle of a body counts as one of the cloth, up to twice as
 * many of them; most lie far from it. */
static uint64_t room_of(const weft_model *model, const weft_params *params) {
  uint64_t bodies = weft_bodies_of(params).particles, most = 2 * (uint64_t)model->particle_count;
  return params->self_room * (model->particle_count + (bodies < most ? bodies : most));
}

static weft_result check(const weft_model *model, const weft_params *params, const surface *all,
                         weft_error *err) {
  double thickness = thickness_of(all, params), least = least_of(all, params);
  if (4 * room_of(model, params) > UINT32_MAX || model->triangle_count > 1u << 24) {
    return weft_fail(err, WEFT_ERROR_LIMIT,
                     "self-collision of %u particles and %u triangles with room for %u pairs a "
                     "particle is too large: at most 2^30 pairs and 2^24 triangles",
                     model->particle_count, model->triangle_count, params->self_room);
  }
  for (uint32_t b = 0; b < params->body_count; ++b) {
    thickness = fmin(thickness, body_thickness(&params->bodies[b], thickness));
  }
  if (thickness >= 4 * least) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "a self-collision thickness of %g m is too small beside coordinates of up to %g "
                   "m: floats tell %g m apart there, and at least 4 times that is needed",
                   thickness, least * (1 << FLOOR_BITS), least);
}

weft_result weft_self_check(const weft_model *model, const weft_params *params, weft_error *err) {
  surface all = surface_of(model, params);
  weft_result result = check(model, params, &all, err);
  free_surface(&all);
  return result;
}

static void fill_tables(const weft_model *model, const weft_params *params, const surface *all,
                        weft_contents *contents) {
  uint32_t t = all->triangles;
  weft_self_triangle *triangles = weft_contents_set(contents, WEFT_BUFFER_SELF_TRIANGLES, t);
  fill_triangles(model, params, all, triangles);
  own_vertices(triangles, all);
  edge *edges = sorted_edges(triangles, t);
  for (size_t k = 0; k < 3 * (size_t)t; ++k) {
    bool first = k == 0 || edges[k].low != edges[k - 1].low || edges[k].high != edges[k - 1].high;
    if (first) triangles[edges[k].triangle].corners.w |= 8u << edges[k].corner;
  }
  double thickness = thickness_of(all, params), most = thickness;
  for (uint32_t b = 0; b < params->body_count; ++b) {
    most = fmax(most, body_thickness(&params->bodies[b], thickness));
  }
  vec4 *rest = weft_contents_set(contents, WEFT_BUFFER_SELF_REST, (uint64_t)all->particles + 1);
  fill_reach(all, edges, most, rest);
  fill_bodies(all, params, thickness, rest);
  rest[all->particles].x = (float)most;
  rest[all->particles].y = (float)least_of(all, params);
  rest[all->particles].z = (float)thickness;
  weft_free(edges);
}

weft_result weft_self_fill(const weft_model *model, const weft_params *params,
                           weft_contents *contents, weft_error *err) {
  if (!weft_self_active(model, params)) return WEFT_OK;
  surface all = surface_of(model, params);
  weft_result result = check(model, params, &all, err);
  if (result == WEFT_OK) fill_tables(model, params, &all, contents);
  uint32_t n = all.particles, t = all.triangles;
  free_surface(&all);
  if (result != WEFT_OK) return result;
  uint32_t nodes = t, top = 0;
  for (uint32_t count = t; count > 1; ++top) {
    count = (count - 1) / WEFT_SELF_FAN + 1;
    nodes += count;
  }
  uint64_t room = room_of(model, params);
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
