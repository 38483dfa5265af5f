/* Chooses pins at the top or the left of a mesh without a grid. A garment hangs from its topmost
 * ring (a waist, a neck hole), a sheet from its edge, and other meshes from a narrow strip.
 * Every connected piece is pinned separately: a suit is a jacket and trousers. */
#include <math.h>

#include "preprocess.h"
#include "sets.h"

/* Fractions of a piece's height. */
static const double rim = 1e-3;         /* level with its end */
static const double strip = 0.02;       /* height of the strip that is pinned if nothing better
                                           is found */
static const double ring_depth = 0.25;  /* waists and neck holes are not level */
static const double flat_extent = 0.02; /* fraction of its diagonal: a flatter mesh or piece has
                                           no height */

/* A connected component: a piece by its edges, a hem by border edges. Stored at its root. */
typedef struct part {
  double low, high;
  uint32_t count;
  uint32_t level; /* of a piece: vertices at the height of its end */
  uint32_t ring;  /* of a piece: the root of the hem that reaches farthest; UINT32_MAX: none */
} part;

static double *heights(const weft_mesh *mesh, weft_vec3 towards) {
  double *y = weft_alloc(mesh->vertex_count, sizeof *y);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    y[v] = (double)weft_v3_dot(towards, mesh->positions[v]);
  }
  return y;
}

static part *measure(uint32_t count, uint32_t *sets, const double *y) {
  part *parts = weft_alloc(count, sizeof *parts);
  for (uint32_t v = 0; v < count; ++v) {
    part *p = &parts[weft_set_root(sets, v)];
    p->low = p->count ? fmin(p->low, y[v]) : y[v];
    p->high = p->count ? fmax(p->high, y[v]) : y[v];
    p->ring = UINT32_MAX;
    p->count++;
  }
  return parts;
}

static double reach(const part *p, double share) { return p->high - share * (p->high - p->low); }

static void join_edges(const weft_mesh *mesh, uint32_t *pieces, uint32_t *hems) {
  weft_edges edges;
  weft_edges_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &edges);
  for (uint32_t k = 0; k < edges.count; ++k) {
    const weft_edge *edge = &edges.items[k];
    weft_set_join(pieces, edge->a, edge->b);
    if (edge->triangle_count == 1) weft_set_join(hems, edge->a, edge->b);
  }
  weft_edges_free(&edges);
}

/* Counts vertices at the end, and finds the hem that reaches farthest; it is a ring if all of it
 * lies near the end. */
static void find_tops(uint32_t count, uint32_t *pieces, const part *hems, const double *y,
                      part *of) {
  for (uint32_t v = 0; v < count; ++v) {
    part *p = &of[weft_set_root(pieces, v)];
    p->level += y[v] >= reach(p, rim);
    if (hems[v].count < 3) continue; /* no hem, or not its root */
    if (p->ring == UINT32_MAX || hems[v].high > hems[p->ring].high) p->ring = v;
  }
  for (uint32_t v = 0; v < count; ++v) {
    part *p = &of[v];
    if (p->ring != UINT32_MAX && hems[p->ring].low < reach(p, ring_depth)) p->ring = UINT32_MAX;
  }
}

/* The edge of a sheet has about as many vertices as the square root of their number. */
static double limit(const part *p) {
  const double level = p->level;
  return reach(p, 4 * level * level >= p->count ? rim : strip);
}

typedef struct box {
  weft_vec3 low, high;
  bool begun;
} box;

static void widen(box *b, weft_vec3 p) {
  const weft_vec3 points[] = {p, b->begun ? b->low : p, b->begun ? b->high : p};
  weft_v3_bounds(points, 3, &b->low, &b->high);
  b->begun = true;
}

bool weft_lies_flat(weft_vec3 low, weft_vec3 high, weft_vec3 towards) {
  const weft_vec3 size = weft_v3_sub(high, low);
  return fabs((double)weft_v3_dot(towards, size)) < flat_extent * (double)weft_v3_length(size);
}

static const weft_vec3 from_above = {0, 0, -1}; /* a thing that lies flat has no top */

/* Of several pieces some may lie flat, like blankets on a bed. */
static void turn_flat_pieces(const weft_mesh *mesh, uint32_t *pieces, weft_vec3 towards,
                             double *y) {
  box *boxes = weft_alloc(mesh->vertex_count, sizeof *boxes);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    widen(&boxes[weft_set_root(pieces, v)], mesh->positions[v]);
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const box *b = &boxes[weft_set_root(pieces, v)];
    if (!weft_lies_flat(b->low, b->high, towards)) continue;
    y[v] = (double)weft_v3_dot(from_above, mesh->positions[v]);
  }
  weft_free(boxes);
}

static void pin_towards(const weft_mesh *mesh, weft_vec3 towards, bool *pinned) {
  const uint32_t n = mesh->vertex_count;
  uint32_t *pieces = weft_sets(n), *hems = weft_sets(n);
  double *y = heights(mesh, towards);
  join_edges(mesh, pieces, hems);
  turn_flat_pieces(mesh, pieces, towards, y);
  part *of = measure(n, pieces, y), *hem = measure(n, hems, y);
  find_tops(n, pieces, hem, y, of);
  for (uint32_t v = 0; v < n; ++v) {
    const part *p = &of[weft_set_root(pieces, v)];
    if (p->ring != UINT32_MAX ? weft_set_root(hems, v) == p->ring : y[v] >= limit(p)) {
      pinned[v] = true;
    }
  }
  weft_free(y);
  weft_free(hem);
  weft_free(of);
  weft_free(hems);
  weft_free(pieces);
}

void weft_pin_end(const weft_mesh *mesh, weft_vec3 towards, bool *pinned) {
  weft_vec3 low, high;
  weft_v3_bounds(mesh->positions, mesh->vertex_count, &low, &high);
  pin_towards(mesh, weft_lies_flat(low, high, towards) ? from_above : towards, pinned);
}
