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
  const weft_memory *memory;
  const weft_halves *halves;
  weft_pass_kind kind;
  uint32_t pass, lanes, begin, end;
} packing;

static const void *table(const packing *p, weft_buffer_id id) { return p->memory->payload[id]; }

static uint32_t bytes(uint32_t row) { return row * (uint32_t)sizeof(vec4); }

/* ---- blocks of elements that have the same shape ---- */

/* Writes an element's words into lane `lane` of a block, `lanes` words from one to the next. */
typedef void put_element(const packing *p, uint32_t element, uint32_t shape, uint32_t *lane);

static void add_shape(const packing *p, weft_cpu_kind kind, uint32_t shape, uint32_t words,
                      const uint32_t *elements, uint32_t count, put_element *put) {
  uint32_t blocks = (count + p->lanes - 1) / p->lanes;
  weft_cpu_item *item = weft_plan_add_item(p->plan, kind, p->pass);
  item->first = shape;
  item->count = blocks;
  uint32_t *block = weft_plan_add_words(p->plan, (size_t)blocks * words * p->lanes);
  for (uint32_t k = 0; k < blocks * p->lanes; ++k) {
    put(p, elements[k < count ? k : count - 1], shape, block + k % p->lanes);
    if (k % p->lanes == p->lanes - 1) block += (size_t)words * p->lanes;
  }
}

/* ---- level_project ---- */

static bool is_held(const packing *p, uint32_t edge) {
  const weft_level_edge *c = (const weft_level_edge *)table(p, WEFT_BUFFER_LEVEL_EDGES) + edge;
  const vec4 *nodes = table(p, WEFT_BUFFER_LEVEL_X);
  return !(nodes[c->a].w > 0 && nodes[c->b].w > 0);
}

static void put_edge(const packing *p, uint32_t edge, uint32_t held, uint32_t *lane) {
  (void)held;
  const weft_level_edge *c = (const weft_level_edge *)table(p, WEFT_BUFFER_LEVEL_EDGES) + edge;
  lane[0] = bytes(c->a);
  lane[p->lanes] = bytes(c->b);
  memcpy(lane + 2 * (size_t)p->lanes, &c->rest_length, sizeof *lane);
  memcpy(lane + 3 * (size_t)p->lanes, &c->inv_denominator, sizeof *lane);
}

static void add_edges(const packing *p) {
  uint32_t *edges = weft_alloc(p->end - p->begin, sizeof *edges);
  for (uint32_t held = 0; held < 2; ++held) {
    uint32_t count = 0;
    for (uint32_t e = p->begin; e < p->end; ++e) {
      if (is_held(p, e) == held) edges[count++] = e;
    }
    if (!held) count = weft_plan_add_edge_rows(p->plan, p->memory, p->lanes, p->pass, edges, count);
    if (count) add_shape(p, WEFT_CPU_EDGES, held, WEFT_EDGE_WORDS, edges, count, put_edge);
  }
  weft_free(edges);
}

/* ---- the others: by how many children or parents ---- */

static uint32_t children_of(const packing *p, uint32_t node) {
  const uint32_t *offsets = table(p, WEFT_BUFFER_LEVEL_OFFSETS);
  return offsets[node + 1] - offsets[node];
}

static void put_node(const packing *p, uint32_t node, uint32_t children, uint32_t *lane) {
  const uint32_t *offsets = table(p, WEFT_BUFFER_LEVEL_OFFSETS);
  const weft_level_child *child = table(p, WEFT_BUFFER_LEVEL_CHILDREN);
  child += offsets[node];
  size_t lanes = p->lanes;
  lane[0] = bytes(node);
  lane[lanes] = bytes(child[0].node);
  for (uint32_t k = 1; k < children; ++k) {
    lane[2 * k * lanes] = bytes(child[k].node);
    memcpy(lane + (2 * k + 1) * lanes, &child[k].share, sizeof *lane);
  }
}

/* The same where children are places of split positions. */
static void put_node_of_places(const packing *p, uint32_t node, uint32_t children, uint32_t *lane) {
  put_node(p, node, children, lane);
  for (uint32_t k = 0; k < children; ++k) {
    uint32_t *word = &lane[(k ? 2 * k : 1) * (size_t)p->lanes];
    *word = (uint32_t)weft_halves_place(p->halves, *word / sizeof(vec4));
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

static void put_row(const packing *p, uint32_t row, uint32_t parents, uint32_t *lane) {
  uint32_t nodes[4], weights[4];
  memcpy(nodes, &parents_of(p, row)->nodes, sizeof nodes);
  memcpy(weights, &parents_of(p, row)->weights, sizeof weights);
  size_t lanes = p->lanes;
  lane[0] = bytes(row);
  for (uint32_t k = 0; k < parents; ++k) {
    lane[(2 * k + 1) * lanes] = bytes(nodes[k]);
    lane[(2 * k + 2) * lanes] = weights[k];
  }
}

typedef uint32_t shape_of_element(const packing *p, uint32_t element);

/* One item a shape, small shapes first; what has shape 0 is left out. */
static void add_shapes(const packing *p, weft_cpu_kind kind, const uint32_t *elements,
                       uint32_t count, shape_of_element *shape_of, put_element *put) {
  uint32_t done = 0, shape = 0;
  uint32_t *alike = weft_alloc(count, sizeof *alike);
  while (done < count) {
    uint32_t next = UINT32_MAX, filled = 0;
    for (uint32_t k = 0; k < count; ++k) {
      uint32_t own = shape_of(p, elements[k]);
      if (own == shape) alike[filled++] = elements[k];
      if (own > shape && own < next) next = own;
    }
    uint32_t words = kind == WEFT_CPU_FOLLOW ? 1 + 2 * shape : 2 * shape;
    if (shape && filled) add_shape(p, kind, shape, words, alike, filled, put);
    done += filled;
    shape = next;
  }
  weft_free(alike);
}

static void add_means(const packing *p, const weft_plan_desc *desc) {
  uint32_t count = 0, *nodes = weft_alloc(p->end - p->begin, sizeof *nodes);
  if (desc->halves && p->plan->split && p->kind == WEFT_PASS_LEVEL_GATHER) {
    count = weft_plan_add_mean_strips(p->plan, desc, p->pass, p->begin, p->end, nodes);
    add_shapes(p, WEFT_CPU_MEAN_REMAINDER, nodes, count, children_of, put_node_of_places);
  } else {
    for (uint32_t n = p->begin; n < p->end; ++n) nodes[count++] = n;
    add_shapes(p, WEFT_CPU_MEANS, nodes, count, children_of, put_node);
  }
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
  if (first >= end) return;
  weft_cpu_item *item = weft_plan_add_item(p->plan, WEFT_CPU_MOVES, p->pass);
  item->first = first;
  item->count = end - first;
}

static void add_followers(const packing *p) {
  uint32_t count = p->end - p->begin, *rows = weft_alloc(count, sizeof *rows);
  for (uint32_t k = 0; k < count; ++k) rows[k] = p->begin + k;
  add_moves(p);
  add_shapes(p, WEFT_CPU_FOLLOW, rows, count, parent_count, put_row);
  weft_free(rows);
}

static void add_step(const packing *p, const weft_plan_desc *desc) {
  switch (p->kind) {
    case WEFT_PASS_LEVEL_PROJECT:
      add_edges(p);
      return;
    case WEFT_PASS_LEVEL_GATHER:
    case WEFT_PASS_LEVEL_RESTRICT:
      add_means(p, desc);
      return;
    default:
      add_followers(p);
      return;
  }
}

static void add_small(packing *p, const weft_plan_desc *desc, const weft_pass *pass) {
  static const weft_pass_kind kinds[] = {[WEFT_LEVEL_RESTRICT] = WEFT_PASS_LEVEL_RESTRICT,
                                         [WEFT_LEVEL_PROJECT] = WEFT_PASS_LEVEL_PROJECT,
                                         [WEFT_LEVEL_PROLONG] = WEFT_PASS_LEVEL_PROLONG};
  const weft_level_step *steps = table(p, WEFT_BUFFER_LEVEL_STEPS);
  for (uint32_t s = pass->first; s < pass->first + pass->steps; ++s) {
    p->kind = kinds[steps[s].kind];
    p->begin = steps[s].first;
    p->end = p->begin + steps[s].count;
    add_step(p, desc);
  }
}

void weft_plan_add_levels(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                          uint32_t begin, uint32_t end) {
  weft_pass of = plan->passes[pass];
  packing p = {.plan = plan,
               .memory = desc->memory,
               .halves = desc->halves,
               .kind = of.kind,
               .pass = pass,
               .lanes = desc->lanes->lanes,
               .begin = of.first + begin,
               .end = of.first + end};
  if (of.kind == WEFT_PASS_LEVEL_SMALL) {
    add_small(&p, desc, &of);
  } else {
    add_step(&p, desc);
  }
}
