/* Frees a colour for one more edge in an edge colouring: Kempe chains, and the fans of Misra and
 * Gries ("A constructive proof of Vizing's theorem", 1992). */
#include <string.h>

#include "base.h"
#include "palette.h"

/* Pairs of colours that are tried for an edge before its fan is built. */
enum { KEMPE_ATTEMPTS = 64 };

static uint32_t other_end(const weft_palette *p, uint32_t edge, uint32_t vertex) {
  const uint32_t *v = p->desc->particles + (size_t)edge * 2;
  return v[0] == vertex ? v[1] : v[0];
}

static uint32_t next_free(const weft_palette *p, uint32_t vertex, uint32_t colour) {
  while (colour < p->opened && weft_palette_has(p, vertex, colour)) ++colour;
  return colour;
}

/* A path of edges whose colours alternate. */
typedef struct chain {
  uint32_t *edges;
  size_t count, capacity;
  uint32_t end; /* the vertex it leads to */
} chain;

/* Starts at a vertex that has at most `first` of the two colours. */
static void chain_follow(const weft_palette *p, uint32_t start, uint32_t first, uint32_t second,
                         chain *path) {
  path->count = 0;
  path->end = start;
  uint32_t colour = first;
  for (;;) {
    if (!weft_palette_has(p, path->end, colour)) return;
    uint32_t edge = weft_palette_holder(p, path->end, colour);
    weft_grow((void **)&path->edges, &path->capacity, path->count + 1, sizeof *path->edges);
    path->edges[path->count++] = edge;
    path->end = other_end(p, edge, path->end);
    colour = colour == first ? second : first;
  }
}

static void chain_swap(weft_palette *p, chain *path, uint32_t first, uint32_t second) {
  for (size_t i = 0; i < path->count; ++i) weft_palette_unassign(p, path->edges[i]);
  for (size_t i = 0; i < path->count; ++i) {
    weft_palette_assign(p, path->edges[i], i % 2 == 0 ? second : first);
  }
}

/* With a free at u and b free at v, the a-b chain from v is swapped unless it ends at u; then a is
 * free at both. */
bool weft_recolour_kempe(weft_palette *p, uint32_t edge) {
  const uint32_t *v = p->desc->particles + (size_t)edge * 2;
  chain path = {0};
  bool done = false;
  uint32_t attempts = 0;
  for (uint32_t a = next_free(p, v[0], 0); a < p->opened && !done; a = next_free(p, v[0], a + 1)) {
    for (uint32_t b = next_free(p, v[1], 0); b < p->opened && attempts < KEMPE_ATTEMPTS;
         b = next_free(p, v[1], b + 1)) {
      ++attempts;
      chain_follow(p, v[1], a, b, &path);
      if (path.end == v[0]) continue;
      chain_swap(p, &path, a, b);
      weft_palette_assign(p, edge, a);
      done = true;
      break;
    }
  }
  weft_free(path.edges);
  return done;
}

/* A fan of u: neighbours, the first over the uncoloured edge, such that the edge to each next one
 * has a colour that is free at the one before. */
typedef struct fan {
  uint32_t u;
  uint32_t *edges; /* [count] edges from u */
  uint32_t count;
} fan;

static bool fan_holds(const fan *f, uint32_t edge) {
  for (uint32_t i = 0; i < f->count; ++i) {
    if (f->edges[i] == edge) return true;
  }
  return false;
}

static bool fan_extend(const weft_palette *p, fan *f) {
  uint32_t last = other_end(p, f->edges[f->count - 1], f->u);
  for (uint32_t i = p->offsets[f->u]; i < p->offsets[f->u + 1]; ++i) {
    uint32_t edge = p->items[i], colour = p->colours[edge];
    if (colour == WEFT_UNCOLOURED || fan_holds(f, edge)) continue;
    if (weft_palette_has(p, last, colour)) continue;
    f->edges[f->count++] = edge;
    return true;
  }
  return false;
}

/* The longest prefix of the fan whose last vertex lacks the colour: shifting it works. */
static uint32_t fan_prefix(const weft_palette *p, const fan *f, uint32_t colour) {
  for (uint32_t i = 0; i < f->count; ++i) {
    uint32_t vertex = other_end(p, f->edges[i], f->u);
    if (!weft_palette_has(p, vertex, colour)) return i + 1;
    if (i + 1 < f->count && weft_palette_has(p, vertex, p->colours[f->edges[i + 1]])) break;
  }
  return 0;
}

/* Every edge of the prefix takes the colour of its successor, the last one the given colour. */
static void fan_rotate(weft_palette *p, fan *f, uint32_t prefix, uint32_t colour) {
  for (uint32_t i = 1; i < prefix; ++i) {
    uint32_t shifted = p->colours[f->edges[i]];
    weft_palette_unassign(p, f->edges[i]);
    weft_palette_assign(p, f->edges[i - 1], shifted);
  }
  weft_palette_assign(p, f->edges[prefix - 1], colour);
}

bool weft_recolour_fan(weft_palette *p, uint32_t edge) {
  uint32_t u = p->desc->particles[(size_t)edge * 2];
  fan f = {u, weft_alloc(p->offsets[u + 1] - p->offsets[u], sizeof(uint32_t)), 1};
  f.edges[0] = edge;
  while (fan_extend(p, &f)) continue;
  uint32_t last = other_end(p, f.edges[f.count - 1], u);
  uint32_t c = next_free(p, u, 0), d = next_free(p, last, 0);
  chain path = {0};
  chain_follow(p, u, d, c, &path); /* afterwards d is free at u */
  chain_swap(p, &path, d, c);
  uint32_t prefix = fan_prefix(p, &f, d);
  if (prefix > 0) fan_rotate(p, &f, prefix, d);
  weft_free(path.edges);
  weft_free(f.edges);
  return prefix > 0;
}
