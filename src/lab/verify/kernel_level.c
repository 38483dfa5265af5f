/* kernel_level.c: inputs for the passes over coarser levels: means of one and of many,
 * edges just slack, just taut and of no length, nodes that are fixed, parents that did not move. */
#include <math.h>
#include <string.h>

#include "kernel_data.h"

enum {
  SOURCES = 1000,   /* nodes or particles that are only read */
  MAX_CHILDREN = 9, /* of a node */
  SMALL_STEPS = 9,
  SMALL_MAX = 1500, /* nodes of a level in level_small */
};

void weft_kernel_level_case(weft_kernel_case *c) {
  if (c->pass.kind != WEFT_PASS_LEVEL_SMALL) return;
  c->pass.batch = c->pass.count < SMALL_MAX ? c->pass.count : SMALL_MAX;
  c->pass.steps = c->pass.count ? SMALL_STEPS : 0;
  c->pass.count = c->pass.count ? 1 : 0;
}

static vec4 node(weft_rng *rng) {
  bool fixed = weft_rng_u32(rng) % 8 == 0;
  return weft_kernel_vector(rng, fixed ? 0 : weft_kernel_inverse_mass(rng));
}

/* Buffers of `count` nodes, moved and before. */
static vec4 *set_nodes(uint32_t count, weft_rng *rng, weft_contents *contents) {
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_LEVEL_X, count);
  vec4 *base = weft_contents_set(contents, WEFT_BUFFER_LEVEL_BASE, count);
  for (uint32_t i = 0; i < count; ++i) {
    x[i] = node(rng);
    base[i] = i % 5 == 0 ? x[i] : weft_kernel_nearby(rng, x[i]);
  }
  return x;
}

/* Means of nodes [first, first + of), or particles: one member, two, up to nine. */
static void set_children(uint32_t nodes, uint32_t first, uint32_t of, bool sparse, weft_rng *rng,
                         weft_contents *contents) {
  uint32_t *offsets = weft_contents_set(contents, WEFT_BUFFER_LEVEL_OFFSETS, nodes + 1ull);
  for (uint32_t i = 0; i < nodes; ++i) {
    offsets[i + 1] = offsets[i] + 1 + (sparse ? i % 2 : weft_rng_u32(rng) % MAX_CHILDREN);
  }
  weft_level_child *children =
      weft_contents_set(contents, WEFT_BUFFER_LEVEL_CHILDREN, offsets[nodes]);
  for (uint32_t k = 0; k < offsets[nodes]; ++k) {
    float share = k % 11 == 0 ? 0 : weft_rng_float(rng, 1e-6f, 1);
    children[k] = (weft_level_child){first + weft_rng_u32(rng) % of, share};
  }
}

static void set_parents(weft_buffer_id id, uint32_t elements, uint32_t first, uint32_t of,
                        weft_rng *rng, weft_contents *contents) {
  weft_level_parents *parents = weft_contents_set(contents, id, elements);
  for (uint32_t i = 0; i < elements; ++i) {
    uint32_t nodes[4], used = weft_rng_u32(rng) % 5;
    float weights[4];
    for (uint32_t k = 0; k < 4; ++k) {
      nodes[k] = k < used ? first + weft_rng_u32(rng) % of : WEFT_NO_PARENT;
      weights[k] = k < used ? weft_rng_float(rng, 1e-6f, 1) : 0;
    }
    parents[i].nodes = (uvec4){nodes[0], nodes[1], nodes[2], nodes[3]};
    parents[i].weights = (vec4){weights[0], weights[1], weights[2], weights[3]};
  }
}

static float awkward_length(weft_rng *rng, float between) {
  switch (weft_rng_u32(rng) % 6) {
    case 0:
      return between;
    case 1:
      return nextafterf(between, 0);
    case 2:
      return between * 2;
    case 3:
      return 1e-9f;
    default:
      return between * weft_rng_float(rng, 0.5f, 1);
  }
}

/* An edge between two nodes; some in one place, some both fixed. */
static weft_level_edge edge(uint32_t a, uint32_t b, vec4 *x, weft_rng *rng) {
  if (weft_rng_u32(rng) % 16 == 0) memcpy(&x[b], &x[a], 3 * sizeof(float));
  float sum = x[a].w + x[b].w;
  return (weft_level_edge){a, b, awkward_length(rng, weft_kernel_distance(x[a], x[b])),
                           sum > 0 ? 1 / sum : 0};
}

void weft_kernel_level_mean(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint32_t elements = weft_kernel_elements(c);
  bool particles = c->pass.kind == WEFT_PASS_LEVEL_GATHER;
  set_nodes(elements + SOURCES, rng, contents);
  set_children(elements + SOURCES, particles ? 0 : elements, SOURCES, c->sparse, rng, contents);
  if (!particles) return;
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, SOURCES);
  for (uint32_t i = 0; i < SOURCES; ++i) x[i] = node(rng);
}

void weft_kernel_level_follow(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint32_t elements = weft_kernel_elements(c);
  if (c->pass.kind == WEFT_PASS_LEVEL_PROLONG) {
    set_nodes(elements + SOURCES, rng, contents);
    set_parents(WEFT_BUFFER_LEVEL_NODE_PARENTS, elements + SOURCES, elements, SOURCES, rng,
                contents);
    return;
  }
  set_nodes(SOURCES, rng, contents);
  set_parents(WEFT_BUFFER_LEVEL_PARENTS, elements, 0, SOURCES, rng, contents);
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, elements);
  for (uint32_t i = 0; i < elements; ++i) x[i] = node(rng);
}

/* With very many edges most share two nodes that nothing can move. */
void weft_kernel_level_project(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint32_t elements = weft_kernel_elements(c), own = c->sparse ? 2 * SOURCES : 2 * elements;
  vec4 *x = set_nodes(own + 2, rng, contents);
  x[own].w = x[own + 1].w = 0;
  weft_level_edge *edges = weft_contents_set(contents, WEFT_BUFFER_LEVEL_EDGES, elements);
  uint32_t every = c->sparse ? elements / SOURCES + 1 : 1;
  for (uint32_t i = 0; i < elements; ++i) {
    uint32_t k = i / every;
    bool active = i % every == 0 && 2 * k < own;
    edges[i] = active ? edge(2 * k, 2 * k + 1, x, rng) : edge(own, own + 1, x, rng);
  }
}

/* Two levels, three times up and down: every step needs what the one before it wrote. */
void weft_kernel_level_small(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint32_t finer = 2 + c->pass.batch, coarser = 2 + c->pass.batch / 3, nodes = finer + coarser;
  vec4 *x = set_nodes(nodes, rng, contents);
  set_children(nodes, 0, finer, false, rng, contents);
  set_parents(WEFT_BUFFER_LEVEL_NODE_PARENTS, nodes, finer, coarser, rng, contents);
  uint32_t fine_edges = finer / 2, coarse_edges = coarser / 2;
  weft_level_edge *edges =
      weft_contents_set(contents, WEFT_BUFFER_LEVEL_EDGES, fine_edges + coarse_edges);
  for (uint32_t k = 0; k < fine_edges + coarse_edges; ++k) {
    uint32_t a = k < fine_edges ? 2 * k : finer + 2 * (k - fine_edges);
    edges[k] = edge(a, a + 1, x, rng);
  }
  const weft_level_step round[SMALL_STEPS / 3] = {
      {WEFT_LEVEL_RESTRICT, finer, coarser, 2},
      {WEFT_LEVEL_PROJECT, 0, fine_edges + coarse_edges, 2},
      {WEFT_LEVEL_PROLONG, 0, finer, 1},
  };
  weft_level_step *steps =
      weft_contents_set(contents, WEFT_BUFFER_LEVEL_STEPS, WEFT_KERNEL_FIRST + SMALL_STEPS);
  for (uint32_t k = 0; k < SMALL_STEPS; ++k) {
    steps[WEFT_KERNEL_FIRST + k] = round[k % (SMALL_STEPS / 3)];
  }
}
