/* levels.c: builds the chain of levels: means, masses, anchors, colours. */
#include "levels.h"

#include <math.h>
#include <string.h>

#include "base.h"
#include "vec3d.h"

/* A level that keeps more than this fraction of the nodes below is not worth its sweeps. */
static const double max_left = 0.7;

static void *copied(const void *items, size_t count, size_t size) {
  void *copy = weft_alloc(count, size);
  if (count) memcpy(copy, items, count * size);
  return copy;
}

void weft_coarsening_free(weft_coarsening *c) {
  weft_free(c->row_at);
  weft_free(c->column_at);
  weft_free(c->seeds);
  weft_free(c->parents);
  weft_free(c->weights);
  *c = (weft_coarsening){0};
}

static void nodes_free(weft_level_nodes *n) {
  weft_free(n->row_at);
  weft_free(n->column_at);
  weft_free(n->masses);
  weft_free(n->fixed);
  weft_free(n->positions);
  weft_free(n->flat);
  weft_free(n->spread);
  weft_free(n->particles);
  weft_free(n->edges);
  weft_free(n->lengths);
  *n = (weft_level_nodes){0};
}

static void nodes_alloc(weft_level_nodes *n, uint32_t count) {
  n->count = count;
  n->masses = weft_alloc(count, sizeof *n->masses);
  n->fixed = weft_alloc(count, sizeof *n->fixed);
  n->positions = weft_alloc(3 * (size_t)count, sizeof *n->positions);
  n->spread = weft_alloc(count, sizeof *n->spread);
  n->particles = weft_alloc(count, sizeof *n->particles);
  n->flat = weft_alloc(2 * (size_t)count, sizeof *n->flat);
}

/* ---- the particles themselves ---- */

static double distance(const double *a, const double *b) {
  return weft_v3d_distance(weft_v3d_at(a), weft_v3d_at(b));
}

/* Metres along each row from its first column, and along each column from its first row. */
static void unroll(weft_level_nodes *n) {
  for (uint32_t k = 0; k < n->count; ++k) {
    double *flat = n->flat + 2 * (size_t)k;
    const double *at = n->positions + 3 * (size_t)k;
    if (k % n->columns) flat[0] = flat[-2] + distance(at, at - 3);
    if (k >= n->columns) {
      flat[1] = flat[1 - 2 * (ptrdiff_t)n->columns] + distance(at, at - 3 * (ptrdiff_t)n->columns);
    }
  }
}

static void begin(const weft_model *model, weft_level_nodes *n) {
  *n = (weft_level_nodes){0};
  nodes_alloc(n, model->particle_count);
  for (uint32_t i = 0; i < n->count; ++i) {
    n->fixed[i] = model->inverse_masses[i] == 0;
    n->masses[i] = n->fixed[i] ? 0 : (double)model->masses[i];
    n->particles[i] = i;
    const weft_vec3 *p = &model->rest_positions[i];
    double *at = n->positions + 3 * (size_t)i;
    at[0] = (double)p->x;
    at[1] = (double)p->y;
    at[2] = (double)p->z;
  }
  n->rows = model->grid_rows;
  n->columns = model->grid_columns;
  n->row_at = weft_alloc(n->rows, sizeof *n->row_at);
  n->column_at = weft_alloc(n->columns, sizeof *n->column_at);
  for (uint32_t r = 0; r < n->rows; ++r) n->row_at[r] = r;
  for (uint32_t c = 0; c < n->columns; ++c) n->column_at[c] = c;
  unroll(n);
}

/* ---- means ---- */

/* Fixed finer nodes are in no mean. A coarser node at a fixed one is that one. */
static bool counts(const weft_level_nodes *finer, const weft_coarsening *c, uint32_t i,
                   uint32_t node) {
  if (finer->fixed[c->seeds[node]]) return i == c->seeds[node];
  return !finer->fixed[i];
}

static void gather_members(const weft_level_nodes *finer, const weft_coarsening *c,
                           weft_level_members *m) {
  size_t slots = WEFT_LEVEL_PARENTS * (size_t)finer->count;
  m->offsets = weft_alloc((size_t)c->count + 1, sizeof *m->offsets);
  for (size_t k = 0; k < slots; ++k) {
    uint32_t node = c->parents[k];
    if (node != UINT32_MAX && counts(finer, c, (uint32_t)(k / WEFT_LEVEL_PARENTS), node)) {
      m->offsets[node + 1]++;
    }
  }
  for (uint32_t k = 0; k < c->count; ++k) m->offsets[k + 1] += m->offsets[k];
  m->finer = weft_alloc(m->offsets[c->count], sizeof *m->finer);
  m->shares = weft_alloc(m->offsets[c->count], sizeof *m->shares);
  uint32_t *next = copied(m->offsets, c->count, sizeof *next);
  for (size_t k = 0; k < slots; ++k) {
    uint32_t node = c->parents[k], i = (uint32_t)(k / WEFT_LEVEL_PARENTS);
    if (node == UINT32_MAX || !counts(finer, c, i, node)) continue;
    m->finer[next[node]] = i;
    m->shares[next[node]++] = finer->fixed[i] ? 1 : finer->masses[i] * c->weights[k];
  }
  weft_free(next);
}

static void members_free(weft_level_members *m) {
  weft_free(m->offsets);
  weft_free(m->finer);
  weft_free(m->shares);
  *m = (weft_level_members){0};
}

/* The mean of positions in space, or on the unrolled grid. */
typedef struct frame {
  size_t axes;
  const double *at;
} frame;

/* Divides the shares of a node by their sum and returns the sum: its mass, if it is free. */
static double normalise(weft_level_members *m, uint32_t node) {
  double mass = 0;
  for (uint32_t e = m->offsets[node]; e < m->offsets[node + 1]; ++e) mass += m->shares[e];
  for (uint32_t e = m->offsets[node]; e < m->offsets[node + 1]; ++e) m->shares[e] /= mass;
  return mass;
}

static void mean_of(const weft_level_members *m, uint32_t node, frame from, double *mean) {
  for (size_t k = 0; k < from.axes; ++k) mean[k] = 0;
  for (uint32_t e = m->offsets[node]; e < m->offsets[node + 1]; ++e) {
    const double *at = from.at + from.axes * m->finer[e];
    for (size_t k = 0; k < from.axes; ++k) mean[k] += m->shares[e] * at[k];
  }
}

/* m^2: variance of a node's particles about its mean, from that of its children. */
static double spread_of(const weft_level_nodes *finer, const weft_level_members *m, uint32_t node,
                        frame from, const double *mean) {
  double sum = 0;
  for (uint32_t e = m->offsets[node]; e < m->offsets[node + 1]; ++e) {
    const double *at = from.at + from.axes * m->finer[e];
    double square = finer->spread[m->finer[e]];
    for (size_t k = 0; k < from.axes; ++k) square += (at[k] - mean[k]) * (at[k] - mean[k]);
    sum += m->shares[e] * square;
  }
  return sum;
}

static void take_means(const weft_level_nodes *finer, const weft_coarsening *c,
                       weft_level_members *m, weft_level_nodes *coarser) {
  const frame rest = {3, finer->positions}, unrolled = {2, finer->flat};
  for (uint32_t node = 0; node < c->count; ++node) {
    double mass = normalise(m, node), *position = coarser->positions + 3 * (size_t)node;
    double *flat = coarser->flat + 2 * (size_t)node;
    mean_of(m, node, rest, position);
    mean_of(m, node, unrolled, flat);
    coarser->spread[node] = spread_of(finer, m, node, unrolled, flat);
    coarser->fixed[node] = finer->fixed[c->seeds[node]];
    coarser->masses[node] = coarser->fixed[node] ? 0 : mass;
    coarser->particles[node] = finer->particles[c->seeds[node]];
  }
}

/* ---- one more level ---- */

static bool coarsen(const weft_level_nodes *finer, weft_coarsening *c, weft_level_members *m,
                    weft_level_nodes *coarser) {
  if (!weft_coarsen_lattice(finer, c)) return false;
  nodes_alloc(coarser, c->count);
  coarser->rows = c->rows;
  coarser->columns = c->columns;
  coarser->row_at = copied(c->row_at, c->rows, sizeof *c->row_at);
  coarser->column_at = copied(c->column_at, c->columns, sizeof *c->column_at);
  gather_members(finer, c, m);
  take_means(finer, c, m, coarser);
  weft_lattice_edges(finer, c, m, coarser);
  weft_anchor_nodes(finer, c, m, coarser);
  return coarser->edge_count > 0 && coarser->count <= max_left * finer->count;
}

/* The first colour free at both ends; fixed nodes are never written, so they have no colours.
 * Returns the number of colours, or 0 when there are too many edges at a node. */
static uint32_t colour_edges(const weft_level_nodes *n, uint8_t *colours) {
  uint64_t *used = weft_alloc(n->count, sizeof *used);
  uint32_t max = 0;
  for (uint32_t e = 0; e < n->edge_count; ++e) {
    uint32_t a = n->edges[2 * (size_t)e], b = n->edges[2 * (size_t)e + 1];
    uint64_t taken = (n->fixed[a] ? 0 : used[a]) | (n->fixed[b] ? 0 : used[b]);
    uint32_t colour = 0;
    while (colour < WEFT_LEVEL_COLOURS && taken >> colour & 1) ++colour;
    colours[e] = (uint8_t)colour;
    if (colour == WEFT_LEVEL_COLOURS) continue; /* the edge is dropped */
    used[a] |= UINT64_C(1) << colour;
    used[b] |= UINT64_C(1) << colour;
    if (colour + 1 > max) max = colour + 1;
  }
  weft_free(used);
  return max;
}

/* ---- appending to the result ---- */

static void append_edges(weft_levels *out, const weft_level_nodes *n) {
  weft_level *level = &out->level[out->level_count];
  uint8_t *colours = weft_alloc(n->edge_count, sizeof *colours);
  level->colour_count = colour_edges(n, colours);
  level->edge_first = out->edge_count;
  size_t need = (size_t)out->edge_count + n->edge_count;
  out->edges = weft_realloc(out->edges, 2 * need, sizeof *out->edges);
  out->lengths = weft_realloc(out->lengths, need, sizeof *out->lengths);
  for (uint32_t colour = 0; colour < level->colour_count; ++colour) {
    level->colour_first[colour] = level->edge_count;
    for (uint32_t e = 0; e < n->edge_count; ++e) {
      if (colours[e] != colour) continue;
      size_t at = out->edge_count++;
      out->edges[2 * at] = level->node_first + n->edges[2 * (size_t)e];
      out->edges[2 * at + 1] = level->node_first + n->edges[2 * (size_t)e + 1];
      out->lengths[at] = n->lengths[e];
      ++level->edge_count;
    }
  }
  level->colour_first[level->colour_count] = level->edge_count;
  weft_free(colours);
}

/* Row of a node of the level below the new one. */
static uint32_t row_below(const weft_levels *out, uint32_t finer) {
  if (out->level_count == 0) return finer;
  return out->particle_count + out->level[out->level_count - 1].node_first + finer;
}

static void grow_rows(weft_levels *out, size_t nodes, size_t children) {
  size_t slots = WEFT_LEVEL_PARENTS * (out->particle_count + nodes);
  size_t used = WEFT_LEVEL_PARENTS * ((size_t)out->particle_count + out->node_count);
  out->inverse_masses = weft_realloc(out->inverse_masses, nodes, sizeof(double));
  out->positions = weft_realloc(out->positions, 3 * nodes, sizeof(double));
  out->child_offsets = weft_realloc(out->child_offsets, nodes + 1, sizeof(uint32_t));
  out->children = weft_realloc(out->children, children, sizeof(uint32_t));
  out->shares = weft_realloc(out->shares, children, sizeof(double));
  out->parents = weft_realloc(out->parents, slots, sizeof(uint32_t));
  out->weights = weft_realloc(out->weights, slots, sizeof(double));
  for (size_t k = used; k < slots; ++k) { /* until there is a level above */
    out->parents[k] = UINT32_MAX;
    out->weights[k] = 0;
  }
}

static void append_nodes(weft_levels *out, const weft_level_members *m, const weft_level_nodes *n) {
  weft_level *level = &out->level[out->level_count];
  level->node_first = out->node_count;
  level->node_count = n->count;
  uint32_t filled = out->child_offsets[out->node_count];
  grow_rows(out, (size_t)out->node_count + n->count, (size_t)filled + m->offsets[n->count]);
  for (uint32_t k = 0; k < n->count; ++k) {
    size_t node = level->node_first + k;
    out->inverse_masses[node] = n->fixed[k] ? 0 : 1 / n->masses[k];
    memcpy(out->positions + 3 * node, n->positions + 3 * (size_t)k, 3 * sizeof(double));
    for (uint32_t e = m->offsets[k]; e < m->offsets[k + 1]; ++e) {
      out->children[filled] = row_below(out, m->finer[e]);
      out->shares[filled++] = m->shares[e];
    }
    out->child_offsets[node + 1] = filled;
  }
  out->node_count += n->count;
}

/* Fixed parents do not move, so their weight is dropped. */
static void append_parents(weft_levels *out, const weft_level_nodes *finer,
                           const weft_coarsening *c, const weft_level_nodes *n) {
  uint32_t first = out->level[out->level_count].node_first;
  for (uint32_t i = 0; i < finer->count; ++i) {
    if (finer->fixed[i]) continue;
    size_t from = WEFT_LEVEL_PARENTS * (size_t)i;
    size_t to = WEFT_LEVEL_PARENTS * (size_t)row_below(out, i);
    for (size_t r = 0; r < WEFT_LEVEL_PARENTS; ++r) {
      uint32_t parent = c->parents[from + r];
      if (parent == UINT32_MAX || n->fixed[parent]) continue;
      out->parents[to] = first + parent;
      out->weights[to++] = c->weights[from + r];
    }
  }
}

bool weft_has_levels(const weft_model *model) {
  return model->triangle_count > 0 && model->grid_rows > 1 && model->grid_columns > 1;
}

void weft_levels_build(const weft_model *model, uint32_t max, weft_levels *levels) {
  *levels = (weft_levels){.particle_count = model->particle_count};
  size_t slots = WEFT_LEVEL_PARENTS * (size_t)model->particle_count;
  levels->parents = weft_alloc(slots, sizeof *levels->parents);
  levels->weights = weft_alloc(slots, sizeof *levels->weights);
  levels->child_offsets = weft_alloc(1, sizeof *levels->child_offsets);
  memset(levels->parents, 0xff, slots * sizeof *levels->parents);
  if (!weft_has_levels(model) || weft_free_count(model) == 0) return;
  weft_level_nodes finer, coarser;
  begin(model, &finer);
  while (levels->level_count < max && levels->level_count < WEFT_MAX_LEVELS) {
    coarser = (weft_level_nodes){0};
    weft_coarsening c = {0};
    weft_level_members m = {0};
    bool worth_it = coarsen(&finer, &c, &m, &coarser);
    if (worth_it) {
      append_nodes(levels, &m, &coarser);
      append_parents(levels, &finer, &c, &coarser);
      append_edges(levels, &coarser);
      ++levels->level_count;
    }
    weft_coarsening_free(&c);
    members_free(&m);
    nodes_free(&finer);
    finer = coarser;
    if (!worth_it) break;
  }
  nodes_free(&finer);
}

void weft_levels_free(weft_levels *l) {
  weft_free(l->inverse_masses);
  weft_free(l->positions);
  weft_free(l->parents);
  weft_free(l->weights);
  weft_free(l->child_offsets);
  weft_free(l->children);
  weft_free(l->shares);
  weft_free(l->edges);
  weft_free(l->lengths);
  *l = (weft_levels){0};
}
