/* clusters.h explains what clusters are for. */
#include "clusters.h"

#include <string.h>

#include "base.h"

/* Iterations of Lloyd; cells hardly change after these. */
enum { LLOYD = 4 };

typedef struct builder {
  const weft_cluster_graph *graph;
  uint32_t max;
  uint32_t *cluster; /* of each vertex: of the diagram so far */
  uint32_t *seen;    /* [vertices] the walk that was here last */
  uint32_t walk;
  uint32_t *queue; /* [vertices] */
  uint32_t *seeds; /* [seed_count] */
  size_t seed_count, seed_capacity;
} builder;

static bool lonely(const weft_cluster_graph *g, uint32_t v) {
  return g->offsets[v] == g->offsets[v + 1];
}

static void add_seed(builder *b, uint32_t v) {
  weft_grow((void **)&b->seeds, &b->seed_capacity, b->seed_count + 1, sizeof *b->seeds);
  b->seeds[b->seed_count++] = v;
}

/* The `ball` vertices nearest to v are marked as covered. */
static void cover(builder *b, uint32_t v, uint32_t ball, bool *covered, uint32_t *queue) {
  const weft_cluster_graph *g = b->graph;
  uint32_t head = 0, tail = 0;
  ++b->walk;
  queue[tail++] = v;
  b->seen[v] = b->walk;
  while (head < tail) {
    uint32_t at = queue[head++];
    covered[at] = true;
    for (uint32_t k = g->offsets[at]; k < g->offsets[at + 1] && tail < ball; ++k) {
      uint32_t next = g->neighbours[k];
      if (b->seen[next] == b->walk) continue;
      b->seen[next] = b->walk;
      queue[tail++] = next;
    }
  }
}

/* Seeds at such distances that cells get the wanted size: in breadth-first order, each vertex
 * that no earlier seed's ball of three cells' vertices covers. */
static void choose_seeds(builder *b, uint32_t cell) {
  const weft_cluster_graph *g = b->graph;
  uint32_t n = g->count, ball = 3 * cell < n ? 3 * cell : n;
  bool *covered = weft_alloc(n, sizeof *covered), *queued = weft_alloc(n, sizeof *queued);
  uint32_t *near = weft_alloc(ball, sizeof *near);
  for (uint32_t first = 0; first < n; ++first) {
    if (queued[first] || lonely(g, first)) continue;
    uint32_t head = 0, tail = 0;
    b->queue[tail++] = first;
    queued[first] = true;
    while (head < tail) {
      uint32_t v = b->queue[head++];
      if (!covered[v]) {
        add_seed(b, v);
        cover(b, v, ball, covered, near);
      }
      for (uint32_t k = g->offsets[v]; k < g->offsets[v + 1]; ++k) {
        uint32_t next = g->neighbours[k];
        if (queued[next]) continue;
        queued[next] = true;
        b->queue[tail++] = next;
      }
    }
  }
  weft_free(covered);
  weft_free(queued);
  weft_free(near);
}

/* Assigns each vertex to its nearest seed, the lowest of several. Returns how many vertices were
 * assigned; they stay in the queue. */
static uint32_t assign(builder *b) {
  const weft_cluster_graph *g = b->graph;
  memset(b->cluster, 0xff, g->count * sizeof *b->cluster);
  uint32_t head = 0, tail = 0;
  for (size_t s = 0; s < b->seed_count; ++s) {
    b->cluster[b->seeds[s]] = (uint32_t)s;
    b->queue[tail++] = b->seeds[s];
  }
  while (head < tail) {
    uint32_t v = b->queue[head++];
    for (uint32_t k = g->offsets[v]; k < g->offsets[v + 1]; ++k) {
      uint32_t next = g->neighbours[k];
      if (b->cluster[next] != WEFT_NO_CLUSTER) continue;
      b->cluster[next] = b->cluster[v];
      b->queue[tail++] = next;
    }
  }
  return tail;
}

static bool at_seam(const builder *b, uint32_t v) {
  const weft_cluster_graph *g = b->graph;
  for (uint32_t k = g->offsets[v]; k < g->offsets[v + 1]; ++k) {
    if (b->cluster[g->neighbours[k]] != b->cluster[v]) return true;
  }
  return false;
}

/* Moves each seed to the vertex of its cell that is farthest from all seams, by a breadth-first
 * search from these. A cell without seams keeps its seed. */
static void centre(builder *b) {
  const weft_cluster_graph *g = b->graph;
  uint32_t head = 0, tail = 0;
  ++b->walk;
  for (uint32_t v = 0; v < g->count; ++v) {
    if (b->cluster[v] == WEFT_NO_CLUSTER || !at_seam(b, v)) continue;
    b->seen[v] = b->walk;
    b->queue[tail++] = v;
  }
  while (head < tail) {
    uint32_t v = b->queue[head++];
    b->seeds[b->cluster[v]] = v;
    for (uint32_t k = g->offsets[v]; k < g->offsets[v + 1]; ++k) {
      uint32_t next = g->neighbours[k];
      if (b->seen[next] == b->walk) continue;
      b->seen[next] = b->walk;
      b->queue[tail++] = next;
    }
  }
}

/* ---- limits ---- */

/* The last vertex of a cell that a breadth-first search from v reaches; how many it reached. */
static uint32_t farthest(builder *b, uint32_t v, uint32_t *reached) {
  const weft_cluster_graph *g = b->graph;
  uint32_t head = 0, tail = 0;
  ++b->walk;
  b->seen[v] = b->walk;
  b->queue[tail++] = v;
  while (head < tail) {
    uint32_t at = b->queue[head++];
    for (uint32_t k = g->offsets[at]; k < g->offsets[at + 1]; ++k) {
      uint32_t next = g->neighbours[k];
      if (b->cluster[next] != b->cluster[v] || b->seen[next] == b->walk) continue;
      b->seen[next] = b->walk;
      b->queue[tail++] = next;
    }
  }
  *reached = tail;
  return b->queue[tail - 1];
}

/* Splits a cell in half by distance from its far end; that half gets a new number. */
static void halve(builder *b, uint32_t v) {
  uint32_t size, fresh = (uint32_t)b->seed_count;
  uint32_t end = farthest(b, farthest(b, v, &size), &size);
  farthest(b, end, &size); /* leaves the cell in the queue */
  for (uint32_t k = 0; k < size / 2; ++k) b->cluster[b->queue[k]] = fresh;
  add_seed(b, end);
}

/* Halves cells above the limit until none is. Fragments that a split separates get new numbers
 * as well. */
static void bound(builder *b) {
  const weft_cluster_graph *g = b->graph;
  bool *done = weft_alloc(g->count, sizeof *done);
  bool *taken = weft_alloc(2 * (size_t)g->count + 1, sizeof *taken); /* of numbers */
  for (uint32_t v = 0; v < g->count; ++v) {
    while (b->cluster[v] != WEFT_NO_CLUSTER && !done[v]) {
      uint32_t size;
      farthest(b, v, &size);
      if (size > b->max) {
        halve(b, v);
        continue;
      }
      uint32_t number = b->cluster[v];
      if (taken[number]) {
        number = (uint32_t)b->seed_count;
        add_seed(b, v);
      }
      taken[number] = true;
      for (uint32_t k = 0; k < size; ++k) {
        b->cluster[b->queue[k]] = number;
        done[b->queue[k]] = true;
      }
    }
  }
  weft_free(done);
  weft_free(taken);
}

/* Merges small cells with consecutive numbers, and closes gaps in the numbers. */
static uint32_t pack(builder *b) {
  uint32_t n = b->graph->count, count = 0, room = 0;
  uint32_t *size = weft_alloc(b->seed_count, sizeof *size);
  uint32_t *number = weft_alloc(b->seed_count, sizeof *number);
  for (uint32_t v = 0; v < n; ++v) {
    if (b->cluster[v] != WEFT_NO_CLUSTER) ++size[b->cluster[v]];
  }
  for (size_t s = 0; s < b->seed_count; ++s) {
    if (size[s] == 0) continue;
    if (size[s] > room) {
      ++count;
      room = b->max;
    }
    number[s] = count - 1;
    room -= size[s];
  }
  for (uint32_t v = 0; v < n; ++v) {
    if (b->cluster[v] != WEFT_NO_CLUSTER) b->cluster[v] = number[b->cluster[v]];
  }
  weft_free(size);
  weft_free(number);
  return count;
}

static void finish(builder *b) {
  weft_free(b->seen);
  weft_free(b->queue);
  weft_free(b->seeds);
}

static uint32_t count_clusters(const weft_cluster_graph *graph, const uint32_t *cluster) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < graph->count; ++v) {
    if (cluster[v] != WEFT_NO_CLUSTER && cluster[v] >= count) count = cluster[v] + 1;
  }
  return count;
}

uint32_t weft_clusters_shift(const weft_cluster_graph *graph, uint32_t max, uint32_t *cluster) {
  uint32_t n = graph->count, cells = count_clusters(graph, cluster);
  builder b = {.graph = graph,
               .max = max,
               .cluster = cluster,
               .seen = weft_alloc(n, sizeof *b.seen),
               .queue = weft_alloc(n, sizeof *b.queue)};
  for (uint32_t c = 0; c < cells; ++c) add_seed(&b, 0);
  /* The middle of a cell that fills a component, and so has no seam, is its lowest vertex. */
  for (uint32_t v = n; v-- > 0;) {
    if (cluster[v] != WEFT_NO_CLUSTER) b.seeds[cluster[v]] = v;
  }
  centre(&b);
  /* Leaves all vertices in the queue, the farthest from their middle last. */
  uint32_t reached = assign(&b);
  uint32_t ball = 3 * (max / 2) < n ? 3 * (max / 2) : n;
  bool *covered = weft_alloc(n, sizeof *covered);
  uint32_t *order = weft_alloc(n, sizeof *order), *near = weft_alloc(ball, sizeof *near);
  memcpy(order, b.queue, reached * sizeof *order);
  b.seed_count = 0;
  for (uint32_t k = reached; k-- > 0;) {
    if (covered[order[k]]) continue;
    add_seed(&b, order[k]);
    cover(&b, order[k], ball, covered, near);
  }
  weft_free(covered);
  weft_free(order);
  weft_free(near);
  assign(&b);
  bound(&b);
  uint32_t count = pack(&b);
  finish(&b);
  return count;
}

uint32_t weft_clusters_build(const weft_cluster_graph *graph, uint32_t max, uint32_t *cluster) {
  WEFT_CHECK(max >= 2, "a cluster holds two vertices or more");
  uint32_t n = graph->count;
  builder b = {.graph = graph,
               .max = max,
               .cluster = cluster,
               .seen = weft_alloc(n, sizeof *b.seen),
               .queue = weft_alloc(n, sizeof *b.queue)};
  choose_seeds(&b, max / 2 > 0 ? max / 2 : 1);
  assign(&b);
  for (int k = 0; k < LLOYD; ++k) {
    centre(&b);
    assign(&b);
  }
  bound(&b);
  uint32_t count = pack(&b);
  finish(&b);
  return count;
}
