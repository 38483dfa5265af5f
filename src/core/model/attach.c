/* attach.c: loose pieces that are fastened to the cloth beneath them: buttons, zips, patches.
 *
 * A piece that is small compared with the triangles beneath it is fastened to one of them and
 * stays rigid. Each particle of a larger one is fastened to the triangle nearest to it, and the
 * piece bends with the cloth. The corners of these triangles carry its mass. */
#include <math.h>
#include <string.h>

#include "base.h"
#include "map.h"
#include "mesh_internal.h"
#include "preprocess.h"
#include "triangle_tree.h"

/* Largest size of a rigid piece, in edges of the triangle beneath. */
static const double stiff_edges = 2;

/* ---- which triangles ---- */

static weft_result check(const bool *attached, const weft_model *model, uint32_t *riding,
                         weft_error *err) {
  *riding = 0;
  for (uint32_t t = 0; t < model->triangle_count; ++t) {
    const uint32_t *c = model->triangles + 3 * (size_t)t;
    const int count = attached[c[0]] + attached[c[1]] + attached[c[2]];
    *riding += count == 3;
    if (count % 3 == 0) continue;
    return weft_fail(
        err, WEFT_ERROR_ARGUMENT,
        "triangle %u joins what is attached to the rest (vertices %u, %u and %u): only "
        "a piece that shares no vertex with the rest can ride on it",
        model->map.faces ? model->map.faces[t] : t, weft_model_number(model, c[0]),
        weft_model_number(model, c[1]), weft_model_number(model, c[2]));
  }
  if (*riding < model->triangle_count) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "all of the cloth is attached, so nothing is left to ride on");
}

/* Moves riding triangles behind the others, both in their order. */
static void put_last(weft_model *model) {
  const uint32_t n = model->triangle_count;
  uint32_t *sorted = weft_alloc(3 * (size_t)n, sizeof *sorted), at = 0;
  uint32_t *from = weft_alloc(n, sizeof *from);
  for (int riding = 0; riding < 2; ++riding) {
    for (uint32_t t = 0; t < n; ++t) {
      const uint32_t *corners = model->triangles + 3 * (size_t)t;
      if (model->rides[corners[0]] != (bool)riding) continue;
      memcpy(sorted + 3 * (size_t)at, corners, 3 * sizeof *corners);
      from[at++] = t;
    }
  }
  weft_map_triangles(&model->map, from, n);
  weft_free(from);
  weft_free(model->triangles);
  model->triangles = sorted;
}

weft_result weft_attach_begin(const bool *attached, weft_model *model, weft_error *err) {
  uint32_t riding = 0;
  weft_result result = attached ? check(attached, model, &riding, err) : WEFT_OK;
  if (result != WEFT_OK || riding == 0) return result;
  model->rider_triangles = riding;
  model->rides = weft_alloc(model->particle_count, sizeof *model->rides);
  memcpy(model->rides, attached, model->particle_count * sizeof *model->rides);
  for (uint32_t i = 0; i < model->particle_count; ++i) model->rider_count += attached[i];
  put_last(model);
  return WEFT_OK;
}

/* ---- positions ---- */

static weft_vec3d foot_of(const weft_vec3d x[3], const double weights[3]) {
  weft_vec3d foot = weft_v3d_add_scaled(x[0], weights[1], weft_v3d_sub(x[1], x[0]));
  return weft_v3d_add_scaled(foot, weights[2], weft_v3d_sub(x[2], x[0]));
}

void weft_model_place_riders(const weft_model *model, weft_vec3 *positions) {
  for (uint32_t k = 0; k < model->rider_count; ++k) {
    const weft_model_rider *r = &model->riders[k];
    weft_vec3d x[3], axes[3];
    for (int c = 0; c < 3; ++c) x[c] = weft_v3d_from(positions[r->corners[c]]);
    weft_vec3d at = foot_of(x, r->weights);
    if (weft_v3d_frame(x, axes)) {
      at = weft_v3d_add_scaled(at, r->offset.x, axes[0]);
      at = weft_v3d_add_scaled(at, r->offset.y, axes[1]);
      at = weft_v3d_add_scaled(at, r->offset.z, axes[2]);
    }
    positions[r->particle] = weft_v3d_round(at);
  }
}

/* ---- fastening ---- */

/* Non-degenerate triangles of the cloth beneath, and the tree over them. */
typedef struct ground {
  weft_vec3d *x;     /* [particle_count] */
  uint32_t *corners; /* [3*count] */
  uint32_t count;
  weft_triangle_tree *tree;
} ground;

static ground open_ground(const weft_model *model) {
  const uint32_t cloth = weft_cloth_triangles(model);
  ground g = {.x = weft_alloc(model->particle_count, sizeof *g.x),
              .corners = weft_alloc(3 * (size_t)cloth, sizeof *g.corners)};
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    g.x[i] = weft_v3d_from(model->rest_positions[i]);
  }
  for (uint32_t t = 0; t < cloth; ++t) {
    const uint32_t *c = model->triangles + 3 * (size_t)t;
    const weft_vec3d x[3] = {g.x[c[0]], g.x[c[1]], g.x[c[2]]};
    weft_vec3d unused[3];
    if (!weft_v3d_frame(x, unused)) continue;
    memcpy(g.corners + 3 * (size_t)g.count++, c, 3 * sizeof *c);
  }
  g.tree = g.count ? weft_triangle_tree_create(g.x, g.corners, 0, g.count) : NULL;
  return g;
}

static void close_ground(ground *g) {
  weft_triangle_tree_free(g->tree);
  weft_free(g->corners);
  weft_free(g->x);
}

/* A particle and its foot, or that of its rigid piece. */
static weft_model_rider fasten(const ground *g, uint32_t particle, const weft_nearest *foot) {
  const uint32_t *c = g->corners + 3 * (size_t)foot->triangle;
  const weft_vec3d x[3] = {g->x[c[0]], g->x[c[1]], g->x[c[2]]};
  weft_model_rider r = {.particle = particle, .corners = {c[0], c[1], c[2]}};
  weft_vec3d axes[3] = {0};
  weft_v3d_frame(x, axes);
  memcpy(r.weights, foot->weights, sizeof r.weights);
  const weft_vec3d beyond = weft_v3d_sub(g->x[particle], foot_of(x, r.weights));
  r.offset = weft_v3d(weft_v3d_dot(beyond, axes[0]), weft_v3d_dot(beyond, axes[1]),
                      weft_v3d_dot(beyond, axes[2]));
  return r;
}

static weft_nearest foot_under(const ground *g, weft_vec3d point) {
  weft_nearest foot;
  weft_triangle_tree_nearest(g->tree, point, INFINITY, &foot);
  return foot;
}

/* A piece, stored at the lowest of its particles. */
typedef struct piece {
  weft_vec3 low, high;
  weft_vec3d sum;
  uint32_t count;
  weft_nearest foot; /* foot of its middle */
  bool stiff;
} piece;

static double mean_edge(const ground *g, uint32_t triangle) {
  const uint32_t *c = g->corners + 3 * (size_t)triangle;
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    sum += weft_v3d_length(weft_v3d_sub(g->x[c[k]], g->x[c[(k + 1) % 3]]));
  }
  return sum / 3;
}

static void grow(piece *p, weft_vec3 x) {
  p->low = weft_v3(fminf(p->low.x, x.x), fminf(p->low.y, x.y), fminf(p->low.z, x.z));
  p->high = weft_v3(fmaxf(p->high.x, x.x), fmaxf(p->high.y, x.y), fmaxf(p->high.z, x.z));
  p->sum = weft_v3d_add(p->sum, weft_v3d_from(x));
  ++p->count;
}

static piece *find_pieces(const weft_model *model, const ground *g, const uint32_t *root) {
  piece *pieces = weft_alloc(model->particle_count, sizeof *pieces);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    if (!model->rides[i]) continue;
    const weft_vec3 x = model->rest_positions[i];
    if (root[i] == i) pieces[i] = (piece){.low = x, .high = x};
    grow(&pieces[root[i]], x);
  }
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    piece *p = &pieces[i];
    if (p->count == 0) continue;
    p->foot = foot_under(g, weft_v3d_scale(p->sum, 1.0 / p->count));
    p->stiff = weft_v3_distance(p->low, p->high) < stiff_edges * mean_edge(g, p->foot.triangle);
  }
  return pieces;
}

weft_result weft_attach(weft_model *model, weft_error *err) {
  if (model->rider_count == 0) return WEFT_OK;
  ground g = open_ground(model);
  if (g.count == 0) {
    close_ground(&g);
    return weft_fail(err, WEFT_ERROR_MESH, "nothing can be attached to cloth without area");
  }
  const weft_mesh mesh = {.vertex_count = model->particle_count,
                          .triangle_count = model->triangle_count,
                          .positions = model->rest_positions,
                          .triangles = model->triangles};
  uint32_t *root = weft_mesh_pieces(&mesh), at = 0;
  piece *pieces = find_pieces(model, &g, root);
  model->riders = weft_alloc(model->rider_count, sizeof *model->riders);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    if (!model->rides[i]) continue;
    const piece *p = &pieces[root[i]];
    const weft_nearest foot = p->stiff ? p->foot : foot_under(&g, g.x[i]);
    model->riders[at++] = fasten(&g, i, &foot);
  }
  weft_free(pieces);
  weft_free(root);
  close_ground(&g);
  return WEFT_OK;
}

/* ---- mass ---- */

double *weft_attach_masses(const weft_model *model, double area_density, const double *areas) {
  if (model->rider_count == 0) return NULL;
  double *carried = weft_alloc(model->particle_count, sizeof *carried);
  for (uint32_t k = 0; k < model->rider_count; ++k) {
    const weft_model_rider *r = &model->riders[k];
    double area = 0;
    for (uint32_t i = model->corner_offsets[r->particle];
         i < model->corner_offsets[r->particle + 1]; ++i) {
      area += areas[model->corner_items[i] / 3];
    }
    for (int c = 0; c < 3; ++c) carried[r->corners[c]] += r->weights[c] * area_density * area / 3;
  }
  return carried;
}

/* ---- access ---- */

uint32_t weft_model_attached_count(const weft_model *model) {
  return model ? model->rider_count : 0;
}

bool weft_model_is_attached(const weft_model *model, uint32_t particle) {
  return model && particle < model->particle_count && weft_rides(model, particle);
}

bool weft_model_is_pinned(const weft_model *model, uint32_t particle) {
  return model && particle < model->particle_count && weft_is_pin(model, particle);
}
