/* seams.c: which coincident vertices are one, and which belong to coincident layers.
 *
 * A seam is a set of coincident edges of which at most one is inside a surface and the others
 * are borders: an exporter split the cloth there, or its panels meet. Two coincident layers have
 * such edges as well, but there their triangles leave the edge in the same direction, or have
 * the same face. So coincident edges are distributed, in the order of the file, to seams in
 * which no two surfaces coincide: one for each layer. */
#include <stdlib.h>

#include "adjacency.h"
#include "mesh_internal.h"
#include "sets.h"
#include "vec3d.h"

/* More coincident edges than this are no layers of cloth, and testing all pairs would take too
 * long: they are one seam. */
enum { MAX_LAYERS = 16 };

/* An edge of the mesh, and the directions in which its triangles leave it. */
typedef struct place_edge {
  uint32_t low, high; /* the first vertices at the positions of its ends */
  uint32_t at_low, at_high;
  uint32_t triangle[2]; /* UINT32_MAX for none */
} place_edge;

typedef struct seams {
  weft_mesh *mesh;
  const uint32_t *same; /* [vertex_count] the first vertex at this position */
  uint64_t *outlines;   /* [source_face_count] hashes of faces, whatever their winding and
                           diagonals */
  uint32_t *sets;
} seams;

static uint64_t mix(uint32_t a, uint32_t b) {
  uint64_t hash = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ hash >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
  return hash ^ hash >> 29;
}

/* Diagonals of a face occur in both directions and cancel. */
static void find_outlines(seams *s) {
  const weft_mesh *mesh = s->mesh;
  s->outlines = weft_alloc(mesh->map.source_face_count, sizeof *s->outlines);
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
    const uint32_t a = s->same[mesh->triangles[c]],
                   b = s->same[mesh->triangles[c - c % 3 + (c + 1) % 3]];
    s->outlines[mesh->map.faces[c / 3]] += mix(a, b) - mix(b, a);
  }
  for (uint32_t f = 0; f < mesh->map.source_face_count; ++f) {
    if (s->outlines[f] > 0 - s->outlines[f]) s->outlines[f] = 0 - s->outlines[f];
  }
}

/* ---- coincident edges ---- */

static int by_place(const void *x, const void *y) {
  const place_edge *a = x, *b = y;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return a->triangle[0] < b->triangle[0] ? -1 : a->triangle[0] > b->triangle[0];
}

/* Sorted by position, then by triangle. An edge without length has two equal ends. */
static place_edge *sort_edges(seams *s, uint32_t *count) {
  weft_edges edges;
  weft_edges_build(s->mesh->vertex_count, s->mesh->triangles, s->mesh->triangle_count, &edges);
  place_edge *sorted = weft_alloc(edges.count, sizeof *sorted);
  *count = 0;
  for (uint32_t e = 0; e < edges.count; ++e) {
    const weft_edge *edge = edges.items + e;
    const uint32_t a = s->same[edge->a], b = s->same[edge->b];
    if (a == b) {
      weft_set_join(s->sets, edge->a, edge->b);
      continue;
    }
    sorted[(*count)++] = (place_edge){.low = a < b ? a : b,
                                      .high = a < b ? b : a,
                                      .at_low = a < b ? edge->a : edge->b,
                                      .at_high = a < b ? edge->b : edge->a,
                                      .triangle = {edge->triangle[0], edge->triangle[1]}};
  }
  weft_edges_free(&edges);
  if (*count) qsort(sorted, *count, sizeof *sorted, by_place);
  return sorted;
}

/* The direction in which a triangle leaves an edge, perpendicular to it; (0, 0, 0) if it has no
 * area. */
static weft_vec3d leaves(const seams *s, const place_edge *edge, uint32_t triangle) {
  const uint32_t *t = s->mesh->triangles + 3 * (size_t)triangle;
  uint32_t opposite = t[0];
  for (int k = 1; k < 3; ++k) {
    if (opposite == edge->at_low || opposite == edge->at_high) opposite = t[k];
  }
  const weft_vec3d a = weft_v3d_from(s->mesh->positions[edge->low]);
  const weft_vec3d along = weft_v3d_sub(weft_v3d_from(s->mesh->positions[edge->high]), a);
  const weft_vec3d to = weft_v3d_sub(weft_v3d_from(s->mesh->positions[opposite]), a);
  const double part = weft_v3d_dot(to, along) / weft_v3d_dot(along, along);
  const weft_vec3d off = weft_v3d_sub(to, weft_v3d_scale(along, part));
  const double length = sqrt(weft_v3d_dot(off, off));
  return length > 1e-12 * sqrt(weft_v3d_dot(to, to)) ? weft_v3d_scale(off, 1 / length)
                                                     : (weft_vec3d){0, 0, 0};
}

/* Whether two coincident edges belong to surfaces that coincide there. */
static bool coincide(const seams *s, const place_edge *a, const place_edge *b) {
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2; ++k) {
      const uint32_t t = a->triangle[i], u = b->triangle[k];
      if (t == UINT32_MAX || u == UINT32_MAX) continue;
      const weft_mesh_map *map = &s->mesh->map;
      if (map->faces[t] != map->faces[u] &&
          s->outlines[map->faces[t]] == s->outlines[map->faces[u]]) {
        return true;
      }
      const weft_vec3d p = leaves(s, a, t), q = leaves(s, b, u), apart = weft_v3d_sub(p, q);
      if (weft_v3d_dot(p, p) > 0.5 && weft_v3d_dot(q, q) > 0.5 &&
          weft_v3d_dot(apart, apart) < 1e-6) {
        return true; /* within a twentieth of a degree */
      }
    }
  }
  return false;
}

static void sew(seams *s, const place_edge *a, const place_edge *b) {
  weft_set_join(s->sets, a->at_low, b->at_low);
  weft_set_join(s->sets, a->at_high, b->at_high);
}

/* Each edge joins the first seam that it fits: none of whose edges belong to a coincident
 * surface, and only one of which is inside a surface. */
static void deal_out(seams *s, const place_edge *edges, uint32_t count) {
  uint32_t seam_of[MAX_LAYERS];
  for (uint32_t e = 0; e < count; ++e) {
    if (count > MAX_LAYERS) {
      sew(s, edges, edges + e);
      continue;
    }
    const bool inside = edges[e].triangle[1] != UINT32_MAX;
    bool taken[MAX_LAYERS] = {false};
    for (uint32_t k = 0; k < e; ++k) {
      const bool both = inside && edges[k].triangle[1] != UINT32_MAX;
      if (both || coincide(s, edges + k, edges + e)) taken[seam_of[k]] = true;
    }
    uint32_t seam = 0;
    while (taken[seam]) ++seam;
    seam_of[e] = seam;
    for (uint32_t k = 0; k < e; ++k) {
      if (seam_of[k] == seam) sew(s, edges + k, edges + e);
    }
  }
}

/* ---- single faces ---- */

typedef struct outline {
  uint64_t hash;
  uint32_t face;
  bool hangs; /* connected to other faces */
} outline;

static int by_hash(const void *x, const void *y) {
  const outline *a = x, *b = y;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return a->face < b->face ? -1 : a->face > b->face;
}

/* Triangles of a face are consecutive: the first of each, and the end. */
static uint32_t *first_triangles(const weft_mesh *mesh) {
  uint32_t faces = mesh->map.source_face_count;
  uint32_t *first = weft_alloc((size_t)faces + 1, sizeof *first);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) ++first[mesh->map.faces[t] + 1];
  for (uint32_t f = 0; f < faces; ++f) first[f + 1] += first[f];
  return first;
}

/* An unconnected face that coincides with one of a larger surface is no layer but a duplicate:
 * it becomes the other, with its diagonals, and is dropped later. If none of the coincident
 * faces is connected to anything, each is a layer of one face. */
static void join_face(seams *s, const uint32_t *first, uint32_t face, uint32_t onto) {
  uint32_t *corners = s->mesh->triangles;
  const uint32_t count = first[face + 1] - first[face];
  if (count != first[onto + 1] - first[onto]) return;
  for (size_t c = 3 * (size_t)first[face]; c < 3 * (size_t)first[face + 1]; ++c) {
    for (size_t k = 3 * (size_t)first[onto]; k < 3 * (size_t)first[onto + 1]; ++k) {
      if (s->same[corners[c]] == s->same[corners[k]]) {
        weft_set_join(s->sets, corners[c], corners[k]);
      }
    }
  }
  memcpy(corners + 3 * (size_t)first[face], corners + 3 * (size_t)first[onto],
         3 * (size_t)count * sizeof *corners);
}

/* Faces of each connected piece, by its first vertex: 2 for more than one. */
static uint8_t *count_faces(const seams *s, uint32_t *pieces) {
  const weft_mesh *mesh = s->mesh;
  uint8_t *faces = weft_alloc(mesh->vertex_count, 1);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) pieces[v] = weft_set_root(s->sets, v);
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
    weft_set_join(pieces, mesh->triangles[c], mesh->triangles[c - c % 3]);
  }
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    uint8_t *count = faces + weft_set_root(pieces, mesh->triangles[3 * (size_t)t]);
    if (t > 0 && mesh->map.faces[t] == mesh->map.faces[t - 1] && *count > 0) continue;
    if (*count < 2) ++*count;
  }
  return faces;
}

static void join_single_faces(seams *s) {
  const weft_mesh *mesh = s->mesh;
  uint32_t count = 0, *first = first_triangles(mesh);
  uint32_t *pieces = weft_alloc(mesh->vertex_count, sizeof *pieces);
  uint8_t *faces = count_faces(s, pieces);
  outline *sorted = weft_alloc(mesh->map.source_face_count, sizeof *sorted);
  for (uint32_t f = 0; f < mesh->map.source_face_count; ++f) {
    if (first[f] < first[f + 1]) sorted[count++] = (outline){s->outlines[f], f, false};
  }
  if (count) qsort(sorted, count, sizeof *sorted, by_hash);
  for (uint32_t k = 0, end; k < count; k = end) {
    uint32_t onto = k; /* the first one that is part of a larger piece */
    for (end = k; end < count && sorted[end].hash == sorted[k].hash; ++end) {
      const uint32_t v = mesh->triangles[3 * (size_t)first[sorted[end].face]];
      sorted[end].hangs = faces[weft_set_root(pieces, v)] > 1;
      if (sorted[end].hangs && !sorted[onto].hangs) onto = end;
    }
    for (uint32_t i = k; i < end && sorted[onto].hangs; ++i) {
      const uint32_t f = sorted[i].face, triangles = first[f + 1] - first[f];
      if (sorted[i].hangs || triangles > MAX_LAYERS) continue;
      join_face(s, first, f, sorted[onto].face);
    }
  }
  weft_free(sorted);
  weft_free(faces);
  weft_free(pieces);
  weft_free(first);
}

static void seam_map(weft_mesh *mesh, uint32_t *kept) {
  uint32_t count, *same = weft_alloc(mesh->vertex_count, sizeof *same);
  weft_weld_map(mesh->positions, mesh->vertex_count, 0, same);
  seams s = {.mesh = mesh, .same = same, .sets = kept};
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) kept[v] = v;
  find_outlines(&s);
  place_edge *edges = sort_edges(&s, &count);
  for (uint32_t e = 0, end; e < count; e = end) {
    for (end = e + 1; end < count; ++end) {
      if (edges[end].low != edges[e].low || edges[end].high != edges[e].high) break;
    }
    if (end - e > 1) deal_out(&s, edges + e, end - e);
  }
  join_single_faces(&s);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) kept[v] = weft_set_root(kept, v);
  weft_free(edges);
  weft_free(same);
  weft_free(s.outlines);
}

void weft_mesh_weld_seams(weft_mesh *mesh) {
  uint32_t *kept = weft_alloc(mesh->vertex_count, sizeof *kept);
  seam_map(mesh, kept);
  weft_mesh_weld_to(mesh, kept);
  weft_free(kept);
}
