/* levels.c: the passes of levels, packed for vectors. Nodes with equally many
 * children and rows with equally many parents share blocks; within a pass their order is free. */
#include <string.h>

#include "base.h"
#include "plan.h"

bool weft_plan_packs_levels(const weft_plan_desc *desc, const weft_pass *pass) {
  return desc->lanes && weft_cpu_is_of_levels(pass->kind);
}

/* What is being packed: elements [begin, end) of a kind of pass. */
typedef struct packing {
  weft_cpu_plan *plan;
  const weft_plan_desc *desc;
  const weft_memory *memory;
  weft_pass_kind kind;
  uint32_t pass, begin, end;
  bool split; /* particles are, and moves of their parents; else rows */
} packing;

static const void *table(const packing *p, weft_buffer_id id) { return p->memory->payload[id]; }

static uint32_t bytes(uint32_t row) { return row * (uint32_t)sizeof(vec4); }

/* ---- elements that have the same shape ---- */

/* Writes an element's places and numbers. */
typedef void pack_element(const packing *p, uint32_t element, uint32_t shape, uint32_t *words);

static void add_shape(const packing *p, weft_plan_elements *e, const uint32_t *elements,
                      pack_element *pack) {
  uint32_t each = e->places + e->values, *which = weft_alloc(e->count, sizeof *which);
  e->pass = p->pass;
  e->words = weft_alloc((size_t)e->count * each, sizeof *e->words);
  for (uint32_t k = 0; k < e->count; ++k) {
    which[k] = k;
    pack(p, elements[k], e->shape, e->words + (size_t)k * each);
  }
  if (p->split) {
    weft_plan_add_vectors(p->plan, p->desc, e);
  } else {
    weft_plan_add_blocks(p->plan, p->desc, e, WEFT_ROWS, which, e->count);
  }
  weft_free(e->words);
  weft_free(which);
}

/* ---- level_project ---- */

static bool is_held(const packing *p, uint32_t edge) {
  const weft_level_edge *c = (const weft_level_edge *)table(p, WEFT_BUFFER_LEVEL_EDGES) + edge;
  const vec4 *nodes = table(p, WEFT_BUFFER_LEVEL_X);
  return !(nodes[c->a].w > 0 && nodes[c->b].w > 0);
}

static void pack_edge(const packing *p, uint32_t edge, uint32_t held, uint32_t *words) {
  (void)held;
  const weft_level_edge *c = (const weft_level_edge *)table(p, WEFT_BUFFER_LEVEL_EDGES) + edge;
  words[0] = bytes(c->a);
  words[1] = bytes(c->b);
  memcpy(words + 2, &c->rest_length, sizeof *words);
  memcpy(words + 3, &c->inv_denominator, sizeof *words);
}

static void add_edges(const packing *p) {
  uint32_t *edges = weft_alloc(p->end - p->begin, sizeof *edges);
  for (uint32_t held = 0; held < 2; ++held) {
    weft_plan_elements e = {.kind = WEFT_CPU_EDGES, .shape = held, .places = 2, .values = 2};
    for (uint32_t k = p->begin; k < p->end; ++k) {
      if (is_held(p, k) == held) edges[e.count++] = k;
    }
    if (!held) e.count = weft_plan_add_edge_rows(p->plan, p->desc, p->pass, edges, e.count);
    if (e.count) add_shape(p, &e, edges, pack_edge);
  }
  weft_free(edges);
}

/* ---- the others: by how many children or parents ---- */

static uint32_t children_of(const packing *p, uint32_t node) {
  const uint32_t *offsets = table(p, WEFT_BUFFER_LEVEL_OFFSETS);
  return offsets[node + 1] - offsets[node];
}

static void pack_node(const packing *p, uint32_t node, uint32_t children, uint32_t *words) {
  const uint32_t *offsets = table(p, WEFT_BUFFER_LEVEL_OFFSETS);
  const weft_level_child *child = table(p, WEFT_BUFFER_LEVEL_CHILDREN);
  child += offsets[node];
  words[0] = p->split ? node : bytes(node);
  for (uint32_t k = 0; k < children; ++k) {
    words[1 + k] = p->split ? weft_plan_place(p->desc, child[k].node, 0) : bytes(child[k].node);
    if (k) memcpy(words + children + k, &child[k].share, sizeof *words);
  }
}

static const weft_level_parents *parents_of(const packing *p, uint32_t row) {
  bool spread = p->kind == WEFT_PASS_LEVEL_SPREAD;
  weft_buffer_id id = spread ? WEFT_BUFFER_LEVEL_PARENTS : WEFT_BUFFER_LEVEL_NODE_PARENTS;
  return (const weft_level_parents *)table(p, id) + row;
}

static uint32_t parent_count(const packing *p, uint32_t row) {
  uint32_t nodes[4], count = 0;
  memcpy(nodes, &parents_of(p, row)->nodes, sizeof nodes);
  while (count < 4 && nodes[count] != WEFT_NO_PARENT) ++count;
  return count;
}

static void pack_row(const packing *p, uint32_t row, uint32_t parents, uint32_t *words) {
  uint32_t nodes[4];
  memcpy(nodes, &parents_of(p, row)->nodes, sizeof nodes);
  words[0] = p->split ? weft_plan_place(p->desc, row, 0) : bytes(row);
  for (uint32_t k = 0; k < parents; ++k) words[1 + k] = p->split ? nodes[k] : bytes(nodes[k]);
  memcpy(words + 1 + parents, &parents_of(p, row)->weights, parents * sizeof *words);
}

typedef uint32_t shape_of_element(const packing *p, uint32_t element);

/* Small shapes first; what has shape 0 is left out. */
static void add_shapes(const packing *p, weft_cpu_kind kind, const uint32_t *elements,
                       uint32_t count, shape_of_element *shape_of, pack_element *pack) {
  uint32_t done = 0, shape = 0;
  uint32_t *alike = weft_alloc(count, sizeof *alike);
  while (done < count) {
    uint32_t next = UINT32_MAX, filled = 0;
    for (uint32_t k = 0; k < count; ++k) {
      uint32_t own = shape_of(p, elements[k]);
      if (own == shape) alike[filled++] = elements[k];
      if (own > shape && own < next) next = own;
    }
    weft_plan_elements e = {
        .kind = kind, .shape = shape, .places = 1 + shape, .values = shape, .count = filled};
    if (kind == WEFT_CPU_MEANS) --e.values;
    if (shape && filled) add_shape(p, &e, alike, pack);
    done += filled;
    shape = next;
  }
  weft_free(alike);
}

static void add_means(packing *p) {
  uint32_t count = p->end - p->begin, *nodes = weft_alloc(count, sizeof *nodes);
  for (uint32_t k = 0; k < count; ++k) nodes[k] = p->begin + k;
  p->split = p->desc->halves && p->plan->split && p->kind == WEFT_PASS_LEVEL_GATHER;
  add_shapes(p, WEFT_CPU_MEANS, nodes, count, children_of, pack_node);
  weft_free(nodes);
}

/* All parents of all elements lie in one range. */
static void add_moves(const packing *p) {
  uint32_t first = UINT32_MAX, end = 0;
  for (uint32_t e = p->begin; e < p->end; ++e) {
    uint32_t nodes[4], count = parent_count(p, e);
    memcpy(nodes, &parents_of(p, e)->nodes, sizeof nodes);
    for (uint32_t k = 0; k < count; ++k) {
      first = nodes[k] < first ? nodes[k] : first;
      end = nodes[k] >= end ? nodes[k] + 1 : end;
    }
  }
  if (first < end) weft_plan_add_run(p->plan, WEFT_CPU_MOVES, p->pass, first, end - first);
}

static void add_followers(const packing *p) {
  uint32_t count = p->end - p->begin, *rows = weft_alloc(count, sizeof *rows);
  for (uint32_t k = 0; k < count; ++k) rows[k] = p->begin + k;
  add_moves(p);
  add_shapes(p, WEFT_CPU_FOLLOW, rows, count, parent_count, pack_row);
  weft_free(rows);
}

static packing packing_of(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass) {
  return (packing){.plan = plan,
                   .desc = desc,
                   .memory = desc->memory,
                   .kind = plan->passes[pass].kind,
                   .pass = pass};
}

/* First particles of even index, then odd ones, since those are neighbours in split positions. */
void weft_plan_add_split_followers(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                                   const uint32_t *elements, uint32_t count) {
  packing p = packing_of(plan, desc, pass);
  uint32_t filled = 0, first = plan->passes[pass].first;
  uint32_t *particles = weft_alloc(count, sizeof *particles);
  p.split = true;
  for (uint32_t parity = 0; parity < 2; ++parity) {
    for (uint32_t k = 0; k < count; ++k) {
      if ((first + elements[k]) % 2 == parity) particles[filled++] = first + elements[k];
    }
  }
  add_shapes(&p, WEFT_CPU_FOLLOW, particles, count, parent_count, pack_row);
  weft_free(particles);
}

static void add_step(packing *p) {
  switch (p->kind) {
    case WEFT_PASS_LEVEL_PROJECT:
      add_edges(p);
      return;
    case WEFT_PASS_LEVEL_GATHER:
    case WEFT_PASS_LEVEL_RESTRICT:
      add_means(p);
      return;
    default:
      add_followers(p);
      return;
  }
}

static void add_small(packing *p, const weft_pass *pass) {
  static const weft_pass_kind kinds[] = {[WEFT_LEVEL_RESTRICT] = WEFT_PASS_LEVEL_RESTRICT,
                                         [WEFT_LEVEL_PROJECT] = WEFT_PASS_LEVEL_PROJECT,
                                         [WEFT_LEVEL_PROLONG] = WEFT_PASS_LEVEL_PROLONG};
  const weft_level_step *steps = table(p, WEFT_BUFFER_LEVEL_STEPS);
  for (uint32_t s = pass->first; s < pass->first + pass->steps; ++s) {
    p->kind = kinds[steps[s].kind];
    p->begin = steps[s].first;
    p->end = p->begin + steps[s].count;
    add_step(p);
  }
}

void weft_plan_add_levels(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                          uint32_t begin, uint32_t end) {
  const weft_pass of = plan->passes[pass];
  packing p = packing_of(plan, desc, pass);
  p.begin = of.first + begin;
  p.end = of.first + end;
  if (of.kind == WEFT_PASS_LEVEL_SMALL) {
    add_small(&p, &of);
  } else {
    add_step(&p);
  }
}
