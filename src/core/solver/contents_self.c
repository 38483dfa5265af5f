/* contents_self.c: initial contents of self-collision: tables, and empty lists. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "self_cook.h"
#include "solver.h"

/* ---- cloth and bodies together ---- */

/* Bodies come after the cloth. Positions are relative to the origin. */
typedef struct surface {
  uint32_t particles, triangles;
  uint32_t cloth_particles, cloth_triangles;
  uint32_t shape_particles; /* the last ones: of bodies inside shapes */
  weft_vec3d *positions;
  uint32_t *corners;
} surface;

static bool stands_for_shape(const weft_params *params, uint32_t body) {
  return body + params->shape_bodies >= params->body_count;
}

static surface surface_of(const weft_model *model, const weft_params *params, weft_vec3d origin) {
  const weft_bodies bodies = weft_bodies_of(params);
  surface all = {.cloth_particles = model->particle_count,
                 .cloth_triangles = weft_cloth_triangles(model)};
  all.positions =
      weft_alloc((size_t)model->particle_count + bodies.particles, sizeof *all.positions);
  all.corners = weft_alloc(3 * ((size_t)all.cloth_triangles + bodies.triangles), sizeof(uint32_t));
  for (; all.particles < model->particle_count; ++all.particles) {
    const uint32_t i = all.particles;
    const weft_vec3d p =
        weft_v3d((double)model->rest_positions[i].x, (double)model->rest_positions[i].y,
                 (double)model->rest_positions[i].z);
    all.positions[i] = weft_v3d_sub(p, origin);
  }
  memcpy(all.corners, model->triangles, 3 * (size_t)all.cloth_triangles * sizeof(uint32_t));
  all.triangles = all.cloth_triangles;
  for (uint32_t b = 0; b < bodies.count; ++b) {
    const weft_mesh *mesh = bodies.items[b].mesh;
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
      all.corners[3 * (size_t)all.triangles + c] = mesh->triangles[c] + all.particles;
    }
    all.triangles += mesh->triangle_count;
    const bool shape = stands_for_shape(params, b);
    const weft_vec3d from = shape ? weft_v3d(0, 0, 0) : origin;
    if (shape) all.shape_particles += mesh->vertex_count;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      const weft_vec3d p = weft_v3d((double)mesh->positions[i].x, (double)mesh->positions[i].y,
                                    (double)mesh->positions[i].z);
      all.positions[all.particles++] = weft_v3d_sub(p, from);
    }
  }
  return all;
}

static void free_surface(surface *all) {
  weft_free(all->positions);
  weft_free(all->corners);
}

/* ---- distances ---- */

static double length_of(const surface *all, uint32_t a, uint32_t b) {
  weft_vec3d d = weft_v3d_sub(all->positions[a], all->positions[b]);
  return sqrt(weft_v3d_dot(d, d));
}

/* The mean length of the edges of all cloth triangles. */
static double mean_edge_of(const surface *all) {
  double sum = 0;
  for (uint32_t t = 0; t < all->cloth_triangles; ++t) {
    const uint32_t *c = &all->corners[3 * (size_t)t];
    for (uint32_t k = 0; k < 3; ++k) sum += length_of(all, c[k], c[(k + 1) % 3]);
  }
  return sum / (3.0 * all->cloth_triangles);
}

/* Thickness of cloth against cloth. */
static double thickness_of(const surface *all, const weft_params *params) {
  if ((double)params->self_thickness > 0) return (double)params->self_thickness;
  return fmin(0.003, 0.5 * mean_edge_of(all));
}

static double body_thickness(const weft_body *body, double of_cloth) {
  return (double)body->thickness > 0 ? (double)body->thickness : of_cloth;
}

static double farther(double most, weft_vec3d p) {
  return fmax(most, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
}

/* The largest coordinate of cloth, bodies and centres of shapes, relative to the origin. */
static double reach_of(const surface *all, const weft_params *params, weft_vec3d origin) {
  double most = 0.5;
  for (uint32_t i = 0; i < all->particles - all->shape_particles; ++i) {
    const bool moved = params->start && i < all->cloth_particles;
    weft_vec3d p = all->positions[i];
    if (moved) {
      p = weft_v3d((double)params->start[i].x, (double)params->start[i].y,
                   (double)params->start[i].z);
      p = weft_v3d_sub(p, origin);
    }
    most = farther(most, p);
  }
  for (uint32_t c = 0; c < params->collider_count; ++c) {
    const weft_collider *shape = &params->colliders[c];
    if (shape->shape == WEFT_COLLIDER_PLANE) continue;
    const weft_vec3d a = weft_v3d((double)shape->a.x, (double)shape->a.y, (double)shape->a.z);
    most = farther(most, weft_v3d_sub(a, origin));
  }
  return most;
}

/* Epsilon is 2^-17 of a power of two above all coordinates: 256 times the spacing of floats
 * there. */
enum { FLOOR_BITS = 17, FLOATS_APART = 256 };

static double least_of(const surface *all, const weft_params *params, weft_vec3d origin) {
  double scale = exp2(ceil(log2(2 * reach_of(all, params, origin))));
  return scale / (1 << FLOOR_BITS);
}

double weft_self_least(const weft_model *model, const weft_params *params, weft_vec3d origin) {
  surface all = surface_of(model, params, origin);
  double least = least_of(&all, params, origin);
  free_surface(&all);
  return least;
}

/* Settings of an instance: thickness of its cloth against cloth; the largest of that and of its
 * bodies, plus a margin; epsilon. */
typedef struct distances {
  double thickness, reach, least;
} distances;

static void fill_cloth(const surface *all, weft_self_vertex *vertices) {
  for (uint32_t i = 0; i < all->cloth_particles; ++i) {
    weft_vec3d p = all->positions[i];
    vertices[i].rest.x = exact_flush((float)p.x);
    vertices[i].rest.y = exact_flush((float)p.y);
    vertices[i].rest.z = exact_flush((float)p.z);
  }
}

static void fill_bodies(const weft_params *params, double of_cloth, weft_self_vertex *vertices,
                        weft_self_friction *friction) {
  uint32_t i = 0;
  for (uint32_t b = 0; b < params->body_count; ++b) {
    const weft_body *body = &params->bodies[b];
    for (uint32_t end = i + body->mesh->vertex_count; i < end; ++i) {
      vertices[i].thickness = (float)body_thickness(body, of_cloth);
      friction[i].at_rest = exact_flush((float)body->friction_static);
      friction[i].sliding = exact_flush((float)body->friction_dynamic);
    }
  }
}

static void fill_vertices(const surface *all, const weft_params *params, const distances *d,
                          weft_contents *contents) {
  const uint32_t of_bodies = all->particles - all->cloth_particles;
  weft_self_vertex *vertices =
      weft_contents_set(contents, WEFT_BUFFER_SELF_VERTICES, all->particles);
  weft_self_friction *friction =
      weft_contents_set(contents, WEFT_BUFFER_SELF_FRICTION, of_bodies ? of_bodies : 1);
  for (uint32_t i = 0; i < all->particles; ++i) {
    vertices[i].thickness = (float)d->thickness;
    vertices[i].floor = (float)d->least;
    vertices[i].reach = (float)d->reach;
  }
  fill_cloth(all, vertices);
  fill_bodies(params, d->thickness, vertices + all->cloth_particles, friction);
}

/* An untangled triangle that can own a vertex, or an edge from it to another vertex; which one,
 * as a bit of the triangle. */
typedef struct owner {
  uint32_t triangle, bit; /* bit 0: none */
} owner;

static uint32_t corner_of(const weft_self_triangle *t, uint32_t k) {
  const uint32_t three[3] = {t->corners.x, t->corners.y, t->corners.z};
  return three[k % 3];
}

static owner free_owner(const weft_self_cooked *cooked, const weft_self_triangle *triangles,
                        uint32_t particle, uint32_t other) {
  const weft_self_star *star = &cooked->stars[particle];
  for (uint32_t f = star->first; f < star->first + star->count; ++f) {
    uint32_t triangle = cooked->fans[f] >> 2, k = cooked->fans[f] & 3;
    const weft_self_triangle *t = &triangles[triangle];
    if (t->flags & WEFT_SELF_TANGLED) continue;
    if (other == particle) return (owner){triangle, 1u << k};
    if (corner_of(t, k + 1) == other) return (owner){triangle, 8u << k};
    if (corner_of(t, k + 2) == other) return (owner){triangle, 8u << (k + 2) % 3};
  }
  return (owner){0, 0};
}

/* Two tangled triangles are no pair. So a vertex or edge that a tangled triangle shares with an
 * untangled one must be owned by the latter, which forms pairs with all. */
static void free_what_is_shared(const weft_self_cooked *cooked, weft_self_triangle *triangles) {
  for (uint32_t t = 0; t < cooked->patches * WEFT_SELF_PATCH; ++t) {
    weft_self_triangle *own = &triangles[t];
    if (!(own->flags & WEFT_SELF_TANGLED)) continue;
    for (uint32_t k = 0; k < 6; ++k) {
      if (!(own->flags >> k & 1)) continue;
      uint32_t a = corner_of(own, k % 3), b = corner_of(own, k < 3 ? k : k % 3 + 1);
      owner to = free_owner(cooked, triangles, a, b);
      if (!to.bit) continue;
      own->flags &= ~(1u << k);
      triangles[to.triangle].flags |= to.bit;
    }
  }
}

/* Triangles and connected pieces come from `cooked`, tangled marks from the first state. */
static void fill_triangles(const weft_model *model, const weft_params *params, weft_vec3d origin,
                           const weft_self_cooked *cooked, weft_contents *contents) {
  uint32_t count = cooked->patches * WEFT_SELF_PATCH;
  weft_self_triangle *to = weft_contents_set(contents, WEFT_BUFFER_SELF_TRIANGLES, count);
  uint8_t *marks = weft_shapes_mark_tangled(model, params, origin);
  for (uint32_t t = 0; t < count; ++t) {
    to[t] = cooked->triangles[t];
    uint32_t triangle = cooked->order[t];
    bool tangled = triangle != UINT32_MAX && marks[triangle];
    to[t].flags |= (tangled ? WEFT_SELF_TANGLED : 0) | cooked->piece[to[t].corners.x]
                                                           << WEFT_SELF_PIECE;
  }
  free_what_is_shared(cooked, to);
  weft_free(marks);
}

/* Buffers have at least one element. */
static void fill_table(weft_contents *contents, weft_buffer_id id, const void *from,
                       uint32_t count) {
  void *to = weft_contents_set(contents, id, count ? count : 1);
  if (count) memcpy(to, from, (size_t)count * contents->buffers[id].stride);
}

static void fill_certificates(const weft_self_cooked *cooked, double thickness, double least,
                              uint32_t particles, weft_contents *contents) {
  fill_table(contents, WEFT_BUFFER_SELF_PATCHES, cooked->patch, cooked->patches);
  weft_self_patch *patches = contents->buffers[WEFT_BUFFER_SELF_PATCHES].data;
  for (uint32_t p = 0; p < cooked->patches; ++p) patches[p].reach = (float)thickness;
  fill_table(contents, WEFT_BUFFER_SELF_ADJACENT, cooked->beside, cooked->beside_count);
  fill_table(contents, WEFT_BUFFER_SELF_HULLS, cooked->hulls, cooked->hull_count);
  fill_table(contents, WEFT_BUFFER_SELF_SHARED, cooked->shared, cooked->shared_count);
  fill_table(contents, WEFT_BUFFER_SELF_STARS, cooked->stars, particles);
  weft_self_star *stars = contents->buffers[WEFT_BUFFER_SELF_STARS].data;
  for (uint32_t i = 0; i < particles; ++i) stars[i].floor = (float)least;
  fill_table(contents, WEFT_BUFFER_SELF_FANS, cooked->fans, cooked->fan_count);
}

enum { MOST_TRIANGLES = 1 << 24 };

static weft_result check(const weft_model *model, const weft_params *params, weft_vec3d origin,
                         const surface *all, weft_error *err) {
  double thickness = thickness_of(all, params), least = least_of(all, params, origin);
  const weft_self_room room = weft_self_room_of(model, params, all->triangles);
  const double part = fmin((double)WEFT_SELF_MOST_PAIRS / (double)room.pairs,
                           (double)MOST_TRIANGLES / model->triangle_count);
  if (room.pairs > WEFT_SELF_MOST_PAIRS || model->triangle_count > MOST_TRIANGLES) {
    return weft_fail(err, WEFT_ERROR_LIMIT,
                     "self-collision of %u particles and %u triangles with room for %u pairs a "
                     "particle is too large on any backend: at most %u pairs and 2^24 triangles, "
                     "which such a cloth of %.0f particles has",
                     model->particle_count, model->triangle_count, params->self_room,
                     (unsigned)WEFT_SELF_MOST_PAIRS, floor(part * model->particle_count));
  }
  for (uint32_t b = 0; b < params->body_count; ++b) {
    thickness = fmin(thickness, body_thickness(&params->bodies[b], thickness));
  }
  if (thickness >= 4 * least) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "a self-collision thickness of %g m is too small: something lies %g m from the "
                   "middle of the cloth, where floats are %g m apart, and %d times that is needed",
                   thickness, reach_of(all, params, origin), least / FLOATS_APART,
                   4 * FLOATS_APART);
}

weft_result weft_self_check(const weft_model *model, const weft_params *params, weft_error *err) {
  const weft_vec3d origin = weft_origin_at_start(model, params);
  surface all = surface_of(model, params, origin);
  weft_result result = check(model, params, origin, &all, err);
  free_surface(&all);
  return result;
}

static void fill_cooked(const weft_model *model, const weft_params *params, weft_vec3d origin,
                        const weft_self_cooked *cooked, const distances *d, uint32_t particles,
                        weft_contents *contents) {
  fill_triangles(model, params, origin, cooked, contents);
  fill_certificates(cooked, d->reach, d->least, particles, contents);
}

static distances distances_of(const surface *all, const weft_params *params, weft_vec3d origin) {
  distances d = {.thickness = thickness_of(all, params), .least = least_of(all, params, origin)};
  d.reach = d.thickness;
  for (uint32_t b = 0; b < params->body_count; ++b) {
    d.reach = fmax(d.reach, body_thickness(&params->bodies[b], d.thickness));
  }
  d.reach *= weft_self_beyond(params);
  return d;
}

static void fill_part(const surface *all, const distances *d, weft_contents *contents) {
  weft_self_part *part = weft_contents_set(contents, WEFT_BUFFER_SELF_PARTS, 1);
  part->reach = (float)d->reach;
  part->longest = (float)(0.25 * mean_edge_of(all));
}

static void fill_tables(const weft_model *model, const weft_params *params, weft_vec3d origin,
                        const surface *all, weft_contents *contents) {
  const distances d = distances_of(all, params, origin);
  const weft_self_surface of = {
      all->particles, all->triangles, all->cloth_particles, all->cloth_triangles, all->positions,
      all->corners,   d.least};
  const weft_self_cooked *kept = weft_self_take_kept(model, &of);
  weft_self_cooked own;
  if (!kept) own = weft_self_cook(&of);
  fill_cooked(model, params, origin, kept ? kept : &own, &d, all->particles, contents);
  if (kept) weft_self_give_kept(model);
  if (!kept) weft_self_cooked_free(&own);
  fill_vertices(all, params, &d, contents);
  fill_part(all, &d, contents);
}

weft_result weft_self_fill_distances(const weft_model *model, const weft_params *params,
                                     weft_vec3d origin, weft_contents *contents, weft_error *err) {
  surface all = surface_of(model, params, origin);
  const weft_result result = check(model, params, origin, &all, err);
  const distances d = distances_of(&all, params, origin);
  fill_vertices(&all, params, &d, contents);
  fill_part(&all, &d, contents);
  free_surface(&all);
  return result;
}

static void set_anew(weft_contents *contents, weft_buffer_id id, uint64_t count) {
  if (!contents->buffers[id].kept) weft_free(contents->buffers[id].data);
  contents->buffers[id].data = NULL;
  contents->buffers[id].kept = false;
  weft_contents_set(contents, id, count);
}

void weft_self_size_tree(weft_contents *contents, uint32_t patches, uint32_t self_room) {
  uint32_t nodes = patches, top = 0;
  for (uint32_t count = patches; count > 1; ++top) {
    count = (count - 1) / WEFT_SELF_FAN + 1;
    nodes += count;
  }
  set_anew(contents, WEFT_BUFFER_SELF_NODES, nodes);
  set_anew(contents, WEFT_BUFFER_SELF_CERTIFICATES, patches);
  set_anew(contents, WEFT_BUFFER_SELF_PATCH_PAIRS, weft_self_meets(patches, self_room));
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->self_triangles = patches * WEFT_SELF_PATCH;
  u->self_patches = patches;
  u->self_meets = (uint32_t)weft_self_meets(patches, self_room);
  u->self_nodes = nodes;
  u->self_top = top;
}

void weft_self_set_room(void *uniforms, const weft_self_room *room) {
  weft_room_tell(room, uniforms);
}

weft_result weft_self_fill(const weft_model *model, const weft_params *params, weft_vec3d origin,
                           weft_contents *contents, weft_error *err) {
  if (!weft_self_active(model, params)) return WEFT_OK;
  surface all = surface_of(model, params, origin);
  weft_result result = check(model, params, origin, &all, err);
  if (result == WEFT_OK) fill_tables(model, params, origin, &all, contents);
  uint32_t n = all.particles;
  free_surface(&all);
  if (result != WEFT_OK) return result;
  const uint32_t patches = (uint32_t)contents->buffers[WEFT_BUFFER_SELF_PATCHES].count;
  weft_self_size_tree(contents, patches, params->self_room);
  const weft_self_room room = weft_self_room_of(model, params, patches);
  weft_contents_set(contents, WEFT_BUFFER_SELF_UNCERTIFIED, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_TRIANGLE_PAIRS, room.close);
  uint32_t *shares = weft_contents_set(contents, WEFT_BUFFER_SELF_FRACTIONS, n);
  for (uint32_t k = 0; k < 2 * n; ++k) shares[k] = WEFT_SELF_WHOLE; /* nothing is truncated yet */
  weft_contents_set(contents, WEFT_BUFFER_SELF_STEP_START,
                    weft_self_steps_are_long(params) ? n : 0);
  weft_contents_set(contents, WEFT_BUFFER_SELF_DIRTY, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CORRECTIONS, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CANDIDATES, room.candidates);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PAIRS, room.pairs);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PLANES, room.pairs);
  weft_contents_set(contents, WEFT_BUFFER_SELF_COUNTS, WEFT_SELF_COUNTS);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CACHE, room.kept);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CACHE_COUNT, 1);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CACHE_HEADS, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CACHE_NEXT, room.kept);
  weft_contents_set(contents, WEFT_BUFFER_SELF_DISPATCH_ARGS, WEFT_SELF_SIZES);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  weft_self_set_room(u, &room);
  u->self_particles = n;
  u->self_cloth = model->particle_count;
  u->self_parts = 1;
  return WEFT_OK;
}
