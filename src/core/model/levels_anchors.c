/* levels_anchors.c: pins between the nodes of a level.
 *
 * A pin that is no node itself but has a free parent holds that node. For each such node the
 * nearest pin becomes a fixed node, appended to the others, unless a nearer fixed node is also a
 * parent of that pin and holds for it. */
#include <math.h>
#include <string.h>

#include "base.h"
#include "levels.h"

typedef struct hold {
  uint32_t pin;  /* a finer node */
  double length; /* m; INFINITY: no pin */
} hold;

static double flat_distance(const weft_level_nodes *finer, const weft_level_nodes *coarser,
                            uint32_t node, uint32_t pin) {
  const double *a = finer->flat + 2 * (size_t)pin, *b = coarser->flat + 2 * (size_t)node;
  return hypot(a[0] - b[0], a[1] - b[1]);
}

/* Upper bound of the mean distance of a node's particles from a pin. */
static double reach(const weft_level_nodes *finer, const weft_level_nodes *coarser, uint32_t node,
                    uint32_t pin) {
  double flat = flat_distance(finer, coarser, node, pin);
  return sqrt(flat * flat + coarser->spread[node]);
}

static hold *nearest_pins(const weft_level_nodes *finer, const weft_coarsening *c,
                          const weft_level_nodes *coarser) {
  hold *holds = weft_alloc(c->count, sizeof *holds);
  for (uint32_t k = 0; k < c->count; ++k) holds[k].length = INFINITY;
  for (size_t k = 0; k < WEFT_LEVEL_PARENTS * (size_t)finer->count; ++k) {
    uint32_t node = c->parents[k], i = (uint32_t)(k / WEFT_LEVEL_PARENTS);
    if (!finer->fixed[i] || node == UINT32_MAX || coarser->fixed[node]) continue;
    double length = reach(finer, coarser, node, i);
    if (length < holds[node].length) holds[node] = (hold){i, length};
  }
  return holds;
}

static void leave_to_nodes(const weft_level_nodes *finer, const weft_coarsening *c,
                           const weft_level_nodes *coarser, hold *holds) {
  for (uint32_t node = 0; node < c->count; ++node) {
    if (holds[node].length == INFINITY) continue;
    const uint32_t *parents = c->parents + WEFT_LEVEL_PARENTS * (size_t)holds[node].pin;
    for (uint32_t k = 0; k < WEFT_LEVEL_PARENTS && parents[k] != UINT32_MAX; ++k) {
      uint32_t seed = c->seeds[parents[k]];
      if (!finer->fixed[seed] || reach(finer, coarser, node, seed) > holds[node].length) continue;
      holds[node].length = INFINITY;
      break;
    }
  }
}

static void grow_nodes(weft_level_nodes *n, uint32_t count, size_t edges) {
  n->masses = weft_realloc(n->masses, count, sizeof *n->masses);
  n->fixed = weft_realloc(n->fixed, count, sizeof *n->fixed);
  n->positions = weft_realloc(n->positions, 3 * (size_t)count, sizeof *n->positions);
  n->spread = weft_realloc(n->spread, count, sizeof *n->spread);
  n->particles = weft_realloc(n->particles, count, sizeof *n->particles);
  n->flat = weft_realloc(n->flat, 2 * (size_t)count, sizeof *n->flat);
  n->edges = weft_realloc(n->edges, 2 * edges, sizeof *n->edges);
  n->lengths = weft_realloc(n->lengths, edges, sizeof *n->lengths);
}

static void set_node(const weft_level_nodes *finer, uint32_t pin, weft_level_nodes *coarser,
                     uint32_t node) {
  coarser->masses[node] = 0;
  coarser->fixed[node] = true;
  coarser->spread[node] = 0;
  coarser->particles[node] = finer->particles[pin];
  memcpy(coarser->positions + 3 * (size_t)node, finer->positions + 3 * (size_t)pin,
         3 * sizeof(double));
  memcpy(coarser->flat + 2 * (size_t)node, finer->flat + 2 * (size_t)pin, 2 * sizeof(double));
}

/* The mean of a new node is its pin alone. */
static void set_members(const weft_coarsening *c, uint32_t before, weft_level_members *m) {
  uint32_t extra = c->count - before, used = m->offsets[before];
  m->offsets = weft_realloc(m->offsets, (size_t)c->count + 1, sizeof *m->offsets);
  m->finer = weft_realloc(m->finer, (size_t)used + extra, sizeof *m->finer);
  m->shares = weft_realloc(m->shares, (size_t)used + extra, sizeof *m->shares);
  for (uint32_t k = 0; k < extra; ++k) {
    m->finer[used + k] = c->seeds[before + k];
    m->shares[used + k] = 1;
    m->offsets[before + k + 1] = used + k + 1;
  }
}

void weft_anchor_nodes(const weft_level_nodes *finer, weft_coarsening *c, weft_level_members *m,
                       weft_level_nodes *coarser) {
  hold *holds = nearest_pins(finer, c, coarser);
  leave_to_nodes(finer, c, coarser, holds);
  uint32_t *node_of = weft_alloc(finer->count, sizeof *node_of); /* 0: none yet */
  uint32_t before = c->count, held = 0;
  c->seeds = weft_realloc(c->seeds, 2 * (size_t)before, sizeof *c->seeds);
  for (uint32_t node = 0; node < before; ++node) {
    uint32_t pin = holds[node].pin;
    if (holds[node].length == INFINITY) continue;
    ++held;
    if (node_of[pin] != 0) continue;
    c->seeds[c->count] = pin;
    node_of[pin] = c->count++;
  }
  grow_nodes(coarser, c->count, (size_t)coarser->edge_count + held);
  for (uint32_t node = before; node < c->count; ++node) {
    set_node(finer, c->seeds[node], coarser, node);
  }
  set_members(c, before, m);
  for (uint32_t node = 0; node < before; ++node) {
    if (holds[node].length == INFINITY) continue;
    uint32_t e = coarser->edge_count++;
    coarser->edges[2 * (size_t)e] = node;
    coarser->edges[2 * (size_t)e + 1] = node_of[holds[node].pin];
    coarser->lengths[e] = holds[node].length;
  }
  coarser->count = c->count;
  weft_free(node_of);
  weft_free(holds);
}
