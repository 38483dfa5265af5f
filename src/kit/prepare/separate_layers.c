/* separate_layers.c: layers that were drawn in one place, such as a lining that is a copy of its
 * cloth, are put over each other.
 *
 * A piece lies on another where a triangle of it has its corners in places of vertices of the
 * other. The one that comes later in the mesh moves, as a whole and along its normals: away from
 * the side that it faces by so many distances as pieces lie under it. A piece that faces the other
 * way, as linings do, so goes to the other side. */
#include <weft_kit/layers.h>

#include "adjacency.h"
#include "mesh_internal.h"
#include "sets.h"
#include "vec3d.h"

/* More of them in one place are no cloth. */
enum { MAX_LAYERS = 16 };

typedef struct layering {
  const weft_mesh *mesh;
  uint32_t *piece; /* [vertex_count] its lowest vertex */
  uint32_t *next;  /* [vertex_count] vertex + 1 of the next one in the same place; 0: none */
  uint32_t *first; /* [vertex_count] the first one in the same place */
  uint8_t *layer;  /* [vertex_count] of a piece, at its lowest vertex: pieces beneath it */
} layering;

static layering begin(const weft_mesh *mesh) {
  const uint32_t count = mesh->vertex_count;
  layering l = {.mesh = mesh,
                .piece = weft_mesh_pieces(mesh),
                .next = weft_alloc(count, sizeof *l.next),
                .first = weft_alloc(count, sizeof *l.first),
                .layer = weft_alloc(count, sizeof *l.layer)};
  weft_weld_map(mesh->positions, count, 0, l.first);
  for (uint32_t v = count; v-- > 0;) {
    const uint32_t f = l.first[v];
    if (f == v) continue;
    l.next[v] = l.next[f];
    l.next[f] = v + 1;
  }
  return l;
}

static void end(layering *l) {
  weft_free(l->piece);
  weft_free(l->next);
  weft_free(l->first);
  weft_free(l->layer);
}

/* Whether a vertex of this piece is in the place of vertex v. */
static bool is_there(const layering *l, uint32_t v, uint32_t piece) {
  uint32_t looked = 0;
  for (uint32_t u = l->first[v] + 1; u != 0 && looked < MAX_LAYERS; u = l->next[u - 1], ++looked) {
    if (l->piece[u - 1] == piece) return true;
  }
  return false;
}

/* Over each piece before its own that this triangle lies on. */
static bool raise(layering *l, const uint32_t *t) {
  const uint32_t own = l->piece[t[0]];
  uint32_t looked = 0;
  bool raised = false;
  for (uint32_t u = l->first[t[0]] + 1; u != 0 && looked < MAX_LAYERS; ++looked) {
    const uint32_t other = l->piece[u - 1];
    u = l->next[u - 1];
    if (other >= own || l->layer[own] > l->layer[other] || l->layer[other] == MAX_LAYERS) continue;
    if (!is_there(l, t[1], other) || !is_there(l, t[2], other)) continue;
    l->layer[own] = (uint8_t)(l->layer[other] + 1);
    raised = true;
  }
  return raised;
}

/* Returns whether any piece lies on another. */
static bool find_layers(layering *l) {
  bool any = false, again = true;
  for (int round = 0; again && round < MAX_LAYERS; ++round) {
    again = false;
    for (uint32_t t = 0; t < l->mesh->triangle_count; ++t) {
      again = raise(l, l->mesh->triangles + 3 * (size_t)t) || again;
    }
    any = any || again;
  }
  return any;
}

/* ---- moving ---- */

static weft_vec3d unit(weft_vec3d v) {
  const double length = weft_v3d_length(v);
  return length > 1e-30 ? weft_v3d_scale(v, 1 / length) : weft_v3d(0, 0, 0);
}

static weft_vec3d normal_of(const weft_mesh *mesh, uint32_t triangle) {
  const uint32_t *t = mesh->triangles + 3 * (size_t)triangle;
  const weft_vec3d a = weft_v3d_from(mesh->positions[t[0]]);
  return unit(weft_v3d_cross(weft_v3d_sub(weft_v3d_from(mesh->positions[t[1]]), a),
                             weft_v3d_sub(weft_v3d_from(mesh->positions[t[2]]), a)));
}

/* The way by which all triangles at a vertex move by 1 along their normals; where these differ by
 * much, by less. */
static weft_vec3d *find_ways(const weft_mesh *mesh) {
  weft_vec3d *ways = weft_alloc(mesh->vertex_count, sizeof *ways);
  double *least = weft_alloc(mesh->vertex_count, sizeof *least);
  const size_t corners = 3 * (size_t)mesh->triangle_count;
  for (size_t c = 0; c < corners; ++c) {
    weft_vec3d *way = ways + mesh->triangles[c];
    *way = weft_v3d_add(*way, normal_of(mesh, (uint32_t)(c / 3)));
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    ways[v] = unit(ways[v]);
    least[v] = 1;
  }
  for (size_t c = 0; c < corners; ++c) {
    const uint32_t v = mesh->triangles[c];
    least[v] = fmin(least[v], weft_v3d_dot(ways[v], normal_of(mesh, (uint32_t)(c / 3))));
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    ways[v] = weft_v3d_scale(ways[v], 1 / fmax(0.5, least[v]));
  }
  weft_free(least);
  return ways;
}

static uint32_t move(const layering *l, weft_mesh *mesh, double distance) {
  weft_vec3d *ways = find_ways(mesh);
  uint32_t moved = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const uint8_t layer = l->layer[l->piece[v]];
    if (layer == 0) continue;
    const weft_vec3d at = weft_v3d_from(mesh->positions[v]);
    mesh->positions[v] = weft_v3d_round(weft_v3d_add_scaled(at, layer * distance, ways[v]));
    ++moved;
  }
  weft_free(ways);
  return moved;
}

/* What self-collision keeps apart by default. */
static double default_distance(const weft_mesh *mesh) {
  double sum = 0;
  const size_t corners = 3 * (size_t)mesh->triangle_count;
  for (size_t c = 0; c < corners; ++c) {
    const uint32_t a = mesh->triangles[c], b = mesh->triangles[c - c % 3 + (c + 1) % 3];
    sum += weft_v3_distance(mesh->positions[a], mesh->positions[b]);
  }
  return fmin(0.003, 0.5 * sum / (double)corners);
}

weft_result weft_mesh_separate_layers(weft_mesh *mesh, float distance, weft_error *err) {
  WEFT_NEED_MESH(mesh);
  WEFT_GUARD(err);
  if (!(distance >= 0 && distance <= 1)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "distance of layers is %g m, allowed is 0 to 1",
                     (double)distance);
  }
  weft_result result = weft_check_indices(mesh, err);
  if (result != WEFT_OK || mesh->triangle_count == 0) return result;
  layering l = begin(mesh);
  if (find_layers(&l)) {
    const double apart = distance > 0 ? (double)distance : default_distance(mesh);
    mesh->map.mending.vertices_parted += move(&l, mesh, apart);
    mesh->grid_rows = mesh->grid_columns = 0;
  }
  end(&l);
  return WEFT_OK;
}
