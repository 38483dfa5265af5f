/* Levels of a mesh for tests, put together here so that they do not lean on the code that does it
 * for models: nodes from triangles, members and means of a coarsening. */
#ifndef LEVEL_RIG_H
#define LEVEL_RIG_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/mesh.h>

#include "adjacency.h"
#include "base.h"
#include "levels.h"
#include "vec3d.h"

typedef struct rig_level {
  weft_level_nodes nodes;
  weft_coarsening coarsening; /* of these nodes; count 0 on the last level */
  weft_level_members members;
} rig_level;

typedef struct rig_chain {
  uint32_t count; /* levels, the mesh itself being the first */
  rig_level level[WEFT_MAX_LEVELS + 1];
} rig_chain;

static inline double rig_distance(const double *a, const double *b) {
  return weft_v3d_distance(weft_v3d_at(a), weft_v3d_at(b));
}

static inline void rig_alloc(weft_level_nodes *n, uint32_t count) {
  *n = (weft_level_nodes){.count = count};
  n->masses = weft_alloc(count, sizeof *n->masses);
  n->fixed = weft_alloc(count, sizeof *n->fixed);
  n->positions = weft_alloc(3 * (size_t)count, sizeof *n->positions);
  n->spread = weft_alloc(count, sizeof *n->spread);
}

/* The vertices of a mesh, each with a third of its triangles' areas for a mass. */
static inline weft_level_nodes rig_nodes(const double *positions, uint32_t count,
                                         const uint32_t *triangles, uint32_t triangle_count,
                                         const bool *fixed) {
  weft_level_nodes n;
  rig_alloc(&n, count);
  memcpy(n.positions, positions, 3 * (size_t)count * sizeof *positions);
  for (uint32_t t = 0; t < triangle_count; ++t) {
    const double *p[3];
    for (int k = 0; k < 3; ++k) p[k] = positions + 3 * (size_t)triangles[3 * (size_t)t + (size_t)k];
    double a = rig_distance(p[0], p[1]), b = rig_distance(p[1], p[2]), c = rig_distance(p[2], p[0]);
    double s = (a + b + c) / 2, area = sqrt(fmax(0, s * (s - a) * (s - b) * (s - c)));
    for (int k = 0; k < 3; ++k) n.masses[triangles[3 * (size_t)t + (size_t)k]] += area / 3;
  }
  for (uint32_t i = 0; i < count; ++i) {
    n.fixed[i] = fixed && fixed[i];
    if (n.fixed[i]) n.masses[i] = 0;
  }
  weft_edges edges;
  weft_edges_build(count, triangles, triangle_count, &edges);
  n.edges = weft_alloc(2 * (size_t)edges.count, sizeof *n.edges);
  n.lengths = weft_alloc(edges.count, sizeof *n.lengths);
  n.edge_count = edges.count;
  for (uint32_t e = 0; e < edges.count; ++e) {
    n.edges[2 * (size_t)e] = edges.items[e].a;
    n.edges[2 * (size_t)e + 1] = edges.items[e].b;
    n.lengths[e] = rig_distance(positions + 3 * (size_t)edges.items[e].a,
                                positions + 3 * (size_t)edges.items[e].b);
  }
  weft_edges_free(&edges);
  return n;
}

static inline weft_level_nodes rig_mesh_nodes(const weft_mesh *mesh, const bool *fixed) {
  double *p = weft_alloc(3 * (size_t)mesh->vertex_count, sizeof *p);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    p[3 * (size_t)i] = (double)mesh->positions[i].x;
    p[3 * (size_t)i + 1] = (double)mesh->positions[i].y;
    p[3 * (size_t)i + 2] = (double)mesh->positions[i].z;
  }
  weft_level_nodes n =
      rig_nodes(p, mesh->vertex_count, mesh->triangles, mesh->triangle_count, fixed);
  weft_free(p);
  return n;
}

/* The means of values given for the finer nodes. */
static inline void rig_means(const weft_level_members *m, uint32_t count, const double *values,
                             double *means) {
  for (uint32_t c = 0; c < count; ++c) {
    double *out = means + 3 * (size_t)c;
    out[0] = out[1] = out[2] = 0;
    for (uint32_t e = m->offsets[c]; e < m->offsets[c + 1]; ++e) {
      for (size_t k = 0; k < 3; ++k) out[k] += m->shares[e] * values[3 * (size_t)m->finer[e] + k];
    }
  }
}

static inline weft_level_members rig_members(const weft_level_nodes *finer,
                                             const weft_coarsening *c) {
  weft_level_members m = {0};
  m.offsets = weft_alloc((size_t)c->count + 1, sizeof *m.offsets);
  m.finer = weft_alloc(4 * (size_t)finer->count + c->count, sizeof *m.finer);
  m.shares = weft_alloc(4 * (size_t)finer->count + c->count, sizeof *m.shares);
  for (int round = 0; round < 2; ++round) {
    for (size_t k = 0; k < 4 * (size_t)finer->count; ++k) {
      uint32_t i = (uint32_t)(k / 4), node = c->parents[k];
      if (node == UINT32_MAX) continue;
      uint32_t seed = c->seeds[node];
      if (finer->fixed[seed] ? i != seed : finer->fixed[i]) continue;
      if (round == 0) {
        m.offsets[node + 1]++;
        continue;
      }
      uint32_t at = m.offsets[node]++;
      m.finer[at] = i;
      m.shares[at] = finer->fixed[i] ? 1 : finer->masses[i] * c->weights[k];
    }
    if (round == 0) {
      for (uint32_t k = 0; k < c->count; ++k) m.offsets[k + 1] += m.offsets[k];
    } else {
      memmove(m.offsets + 1, m.offsets, c->count * sizeof *m.offsets);
      m.offsets[0] = 0;
    }
  }
  return m;
}

static inline void rig_coarser(const weft_level_nodes *finer, const weft_coarsening *c,
                               weft_level_members *m, weft_level_nodes *coarser) {
  rig_alloc(coarser, c->count);
  for (uint32_t k = 0; k < c->count; ++k) {
    double mass = 0;
    for (uint32_t e = m->offsets[k]; e < m->offsets[k + 1]; ++e) mass += m->shares[e];
    for (uint32_t e = m->offsets[k]; e < m->offsets[k + 1]; ++e) m->shares[e] /= mass;
    coarser->fixed[k] = finer->fixed[c->seeds[k]];
    coarser->masses[k] = coarser->fixed[k] ? 0 : mass;
  }
  rig_means(m, c->count, finer->positions, coarser->positions);
  for (uint32_t k = 0; k < c->count; ++k) {
    for (uint32_t e = m->offsets[k]; e < m->offsets[k + 1]; ++e) {
      double far = rig_distance(finer->positions + 3 * (size_t)m->finer[e],
                                coarser->positions + 3 * (size_t)k);
      coarser->spread[k] += m->shares[e] * (far * far + finer->spread[m->finer[e]]);
    }
  }
}

static inline void rig_nodes_free(weft_level_nodes *n) {
  weft_free(n->masses);
  weft_free(n->fixed);
  weft_free(n->positions);
  weft_free(n->spread);
  weft_free(n->edges);
  weft_free(n->lengths);
  weft_free(n->distances);
}

static inline void rig_coarsening_free(weft_coarsening *c) {
  weft_free(c->seeds);
  weft_free(c->parents);
  weft_free(c->weights);
  *c = (weft_coarsening){0};
}

/* Takes the nodes over. */
static inline rig_chain *rig_build(weft_level_nodes nodes, uint32_t max) {
  rig_chain *chain = weft_alloc(1, sizeof *chain);
  chain->level[0].nodes = nodes;
  chain->count = 1;
  while (chain->count <= max && chain->count <= WEFT_MAX_LEVELS) {
    rig_level *l = &chain->level[chain->count - 1], *next = l + 1;
    if (!weft_coarsen_graph(&l->nodes, &l->coarsening)) {
      rig_coarsening_free(&l->coarsening);
      break;
    }
    l->members = rig_members(&l->nodes, &l->coarsening);
    rig_coarser(&l->nodes, &l->coarsening, &l->members, &next->nodes);
    weft_graph_edges(&l->nodes, &l->coarsening, &l->members, &next->nodes);
    ++chain->count;
    if (next->nodes.edge_count == 0) break;
  }
  return chain;
}

static inline void rig_free(rig_chain *chain) {
  for (uint32_t k = 0; k < chain->count; ++k) {
    rig_level *l = &chain->level[k];
    rig_nodes_free(&l->nodes);
    rig_coarsening_free(&l->coarsening);
    weft_free(l->members.offsets);
    weft_free(l->members.finer);
    weft_free(l->members.shares);
  }
  weft_free(chain);
}

#endif
