/* hierarchy.c: stretch is taken out on coarser copies of the cloth first (after Mueller 2008,
 * "Hierarchical Position Based Dynamics").
 *
 * A node is the weighted mean of the nodes, or particles, below it; how far it is moved, they
 * follow by the same weights. So a pair of nodes that is brought together by inverse mass moves
 * all particles below as one constraint between two means, and both momenta are kept. */
#include "deviations.h"
#include "oracle.h"

static vec position(const oracle *o, uint32_t row) {
  uint32_t n = o->s->particle_count;
  return row < n ? o->x[row] : o->means[row - n];
}

static void gather(oracle *o, const weft_structure_level *level) {
  const weft_structure *s = o->s;
  for (uint32_t k = level->node_first; k < level->node_first + level->node_count; ++k) {
    vec mean = {0, 0, 0};
    for (uint32_t c = s->child_offsets[k]; c < s->child_offsets[k + 1]; ++c) {
      mean = along(mean, s->child_shares[c], position(o, s->children[c]));
    }
    o->means[k] = o->means_before[k] = mean;
  }
}

/* Not longer than the cloth between the two, measured along the line they had at first. */
static void project_edge(oracle *o, uint32_t edge) {
  const weft_structure *s = o->s;
  uint32_t a = s->level_edges[2 * edge], b = s->level_edges[2 * edge + 1];
  double wa = s->node_inverse_masses[a], wb = s->node_inverse_masses[b];
  vec line = sub(o->means_before[a], o->means_before[b]);
  if (length(line) == 0 || wa + wb == 0) return;
  double max = s->level_lengths[edge] * (1 + s->multilevel_slack) * (1 + LENGTH_ROUNDING);
  double excess = dot(sub(o->means[a], o->means[b]), unit(line)) - max;
  if (!(excess > 0)) return;
  o->means[a] = along(o->means[a], -wa / (wa + wb) * excess, unit(line));
  o->means[b] = along(o->means[b], wb / (wa + wb) * excess, unit(line));
  ++o->counts.coarse_edges;
}

/* A row goes along with the nodes above it. */
static vec follow(const oracle *o, uint32_t r) {
  vec to = position(o, r);
  for (size_t k = 4 * (size_t)r; k < 4 * (size_t)r + 4; ++k) {
    uint32_t parent = o->s->parents[k];
    if (parent == WEFT_NO_PARTICLE) break;
    to = along(to, o->s->parent_weights[k], sub(o->means[parent], o->means_before[parent]));
  }
  return to;
}

void oracle_levels(oracle *o) {
  const weft_structure *s = o->s;
  for (uint32_t l = 0; l < s->level_count; ++l) gather(o, &s->levels[l]);
  for (uint32_t l = s->level_count; l-- > 0;) {
    const weft_structure_level *level = &s->levels[l];
    for (uint32_t sweep = 0; sweep < o->p->multilevel_sweeps; ++sweep) {
      for (uint32_t e = 0; e < level->edge_count; ++e) project_edge(o, level->edge_first + e);
    }
    if (l == 0) break;
    for (uint32_t k = 0; k < s->levels[l - 1].node_count; ++k) {
      uint32_t node = s->levels[l - 1].node_first + k;
      o->means[node] = follow(o, s->particle_count + node);
    }
  }
  for (uint32_t i = 0; i < s->particle_count && s->level_count > 0; ++i) o->x[i] = follow(o, i);
}
