/* levels_graph.c: coarser levels of any mesh: which nodes stay, and which others follow them.
 *
 * Nodes that stay (seeds) are a maximal independent set of the graph of edges: no two are
 * neighbours, and every node is one or has one for a neighbour. They are chosen along a wavefront
 * that grows from the first, so that they pack as regularly as the mesh does.
 *
 * A node hangs on the seeds around it by weights 1 - d/R, where R is the distance of the fifth
 * nearest: so the four nearest count, a seed that is about to be replaced by another counts
 * nothing, and weights change without jumps from node to node. On a square lattice halved this
 * gives bilinear hats. Then weights are moved, as little as possible relative to themselves, to
 * where the node is the weighted mean of its seeds (moving least squares: Lancaster and Salkauskas
 * 1981), as far as that goes without negative ones: corrections that grow evenly along the cloth
 * shall arrive evenly. */
#include <math.h>
#include <string.h>

#include "base.h"
#include "level_graph.h"

enum {
  NONE = UINT32_MAX,
  MAX_HOPS = 3,
  MAX_AROUND = 96, /* nodes looked at around a node */
  MAX_SEEDS = WEFT_LEVEL_PARENTS + 1,
  HUB = 24 /* edges: a node with more is tried early, so that what it has around is one level */
};

/* Coarse nodes are worth their work up to this part of the finer ones. */
static const double max_left = 0.7;
/* A pin this many mean edges from one that stays is not needed. */
static const double pin_spacing = 1.5;
/* Parents that carry less than this part are left out. */
static const double min_weight = 1e-3;

typedef enum choice { OPEN = 0, COVERED, SEED } choice;

typedef struct wavefront {
  const weft_level_nodes *nodes;
  weft_level_links links;
  uint8_t *choices;
  bool *queued;
  uint32_t *queue; /* nodes two edges from a seed, first come first served */
  uint32_t first, end;
} wavefront;

static double distance(const double *positions, uint32_t a, uint32_t b) {
  return weft_v3d_distance(weft_v3d_at(positions + 3 * (size_t)a),
                           weft_v3d_at(positions + 3 * (size_t)b));
}

static double mean_length(const weft_level_links *links, uint32_t node) {
  uint32_t first = links->offsets[node], end = links->offsets[node + 1];
  double sum = 0;
  for (uint32_t k = first; k < end; ++k) sum += links->lengths[k];
  return end > first ? sum / (end - first) : 0;
}

/* ---- the wavefront ---- */

static void enqueue(wavefront *f, uint32_t node) {
  if (f->choices[node] != OPEN || f->queued[node]) return;
  f->queued[node] = true;
  f->queue[f->end++] = node;
}

static void plant(wavefront *f, uint32_t node) {
  const weft_level_links *l = &f->links;
  f->choices[node] = SEED;
  for (uint32_t k = l->offsets[node]; k < l->offsets[node + 1]; ++k) {
    uint32_t beside = l->ends[k];
    if (f->choices[beside] == OPEN) f->choices[beside] = COVERED;
  }
  for (uint32_t k = l->offsets[node]; k < l->offsets[node + 1]; ++k) {
    uint32_t beside = l->ends[k], first = l->offsets[beside], end = l->offsets[beside + 1];
    for (uint32_t j = first; j < end && end - first <= MAX_AROUND; ++j) enqueue(f, l->ends[j]);
  }
}

/* Pins have no edges between them on coarser levels, so those across a common neighbour are looked
 * at as well. */
static void plant_pin(wavefront *f, uint32_t node) {
  const weft_level_links *l = &f->links;
  double reach = pin_spacing * mean_length(l, node);
  plant(f, node);
  for (uint32_t k = l->offsets[node]; k < l->offsets[node + 1]; ++k) {
    uint32_t beside = l->ends[k], first = l->offsets[beside], end = l->offsets[beside + 1];
    for (uint32_t j = first; j < end && end - first <= MAX_AROUND; ++j) {
      uint32_t other = l->ends[j];
      if (!f->nodes->fixed[other] || f->choices[other] != OPEN) continue;
      if (distance(f->nodes->positions, node, other) <= reach) f->choices[other] = COVERED;
    }
  }
}

static void plant_wavefront(wavefront *f) {
  while (f->first < f->end) {
    uint32_t node = f->queue[f->first++];
    if (f->choices[node] == OPEN) plant(f, node);
  }
}

/* Whether a pin has a node to hold. */
static bool holds(const wavefront *f, uint32_t node) {
  for (uint32_t k = f->links.offsets[node]; k < f->links.offsets[node + 1]; ++k) {
    if (!f->nodes->fixed[f->links.ends[k]]) return true;
  }
  return false;
}

static void choose_seeds(wavefront *f) {
  uint32_t n = f->nodes->count;
  for (uint32_t i = 0; i < n; ++i) {
    if (f->nodes->fixed[i] && !holds(f, i)) f->choices[i] = COVERED;
  }
  for (uint32_t i = 0; i < n; ++i) {
    if (f->nodes->fixed[i] && f->choices[i] == OPEN) plant_pin(f, i);
  }
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t degree = f->links.offsets[i + 1] - f->links.offsets[i];
    if (f->choices[i] == OPEN && degree > HUB) plant(f, i);
  }
  plant_wavefront(f);
  for (uint32_t i = 0; i < n; ++i) {
    if (f->choices[i] != OPEN) continue;
    plant(f, i);
    plant_wavefront(f);
  }
}

/* ---- what is around a node ---- */

/* A node near another, by the shortest way of a few edges. `straight` is the sum of the rest
 * pose's distances along that way: their ratio says how much the pose is curved here. */
typedef struct passer {
  uint32_t node, hops;
  double along, straight;
} passer;

typedef struct hanging {
  const weft_level_nodes *nodes;
  weft_level_links links;
  const uint32_t *number; /* [finer count] of a seed: which coarse node it is, else NONE */
  uint32_t *slot;         /* [finer count] place in `around` plus 1, 0 for nodes further away */
  passer around[MAX_AROUND];
  uint32_t around_count;
} hanging;

static void visit(hanging *h, uint32_t node, passer way) {
  if (h->slot[node]) {
    passer *known = &h->around[h->slot[node] - 1];
    if (way.hops <= known->hops + 1 && way.along < known->along) {
      known->along = way.along;
      known->straight = way.straight;
    }
    return;
  }
  if (h->around_count == MAX_AROUND) return;
  way.node = node;
  h->around[h->around_count++] = way;
  h->slot[node] = h->around_count;
}

static void look_around(hanging *h, uint32_t node) {
  for (uint32_t k = 0; k < h->around_count; ++k) h->slot[h->around[k].node] = 0;
  h->around_count = 0;
  visit(h, node, (passer){0});
  for (uint32_t at = 0; at < h->around_count; ++at) {
    passer from = h->around[at];
    if (from.hops == MAX_HOPS || h->around_count == MAX_AROUND) break;
    for (uint32_t k = h->links.offsets[from.node]; k < h->links.offsets[from.node + 1]; ++k) {
      if (h->around_count == MAX_AROUND) break;
      uint32_t to = h->links.ends[k];
      visit(h, to,
            (passer){to, from.hops + 1, from.along + h->links.lengths[k],
                     from.straight + distance(h->nodes->positions, from.node, to)});
    }
  }
}

/* ---- weights ---- */

typedef struct near_seed {
  uint32_t node;
  double distance, weight;
} near_seed;

/* The nearest ones, in order; those equally far by index. */
static uint32_t nearest_seeds(const hanging *h, near_seed found[MAX_SEEDS]) {
  uint32_t count = 0, node = h->around[0].node;
  for (uint32_t k = 0; k < h->around_count; ++k) {
    const passer *p = &h->around[k];
    if (h->number[p->node] == NONE) continue;
    double far = distance(h->nodes->positions, node, p->node);
    if (p->straight > 0) far = fmin(far * (p->along / p->straight), p->along);
    uint32_t at = count < MAX_SEEDS ? count++ : MAX_SEEDS;
    for (; at > 0; --at) {
      const near_seed *b = &found[at - 1];
      if (b->distance < far || (b->distance == far && b->node < p->node)) break;
      if (at < MAX_SEEDS) found[at] = *b;
    }
    if (at < MAX_SEEDS) found[at] = (near_seed){p->node, far, 0};
  }
  return count;
}

static weft_vec3d offset(const double *positions, uint32_t from, uint32_t to) {
  return weft_v3d_sub(weft_v3d_at(positions + 3 * (size_t)to),
                      weft_v3d_at(positions + 3 * (size_t)from));
}

/* The plane that the cloth around a node lies in. */
static void local_plane(const hanging *h, weft_vec3d plane[2]) {
  double m[6] = {0};
  weft_vec3d sum = {0, 0, 0};
  for (uint32_t k = 0; k < h->around_count; ++k) {
    weft_vec3d d = offset(h->nodes->positions, h->around[0].node, h->around[k].node);
    weft_add_moments(d, 1, m);
    sum = weft_v3d_add(sum, d);
  }
  weft_add_moments(sum, -(double)h->around_count, m);
  weft_best_plane(m, plane);
}

static void normalise(near_seed *s, uint32_t count) {
  double sum = 0;
  for (uint32_t k = 0; k < count; ++k) sum += s[k].weight;
  for (uint32_t k = 0; k < count; ++k) s[k].weight /= sum;
}

/* Weights times 1 + slope.(e - mean), the least relative change that makes the mean of the seeds'
 * offsets e zero; only a part of it where a weight would fall below zero. */
static void balance(const hanging *h, near_seed *s, uint32_t count) {
  weft_vec3d plane[2];
  double e[WEFT_LEVEL_PARENTS][2], mean[2] = {0}, c[3] = {0};
  local_plane(h, plane);
  for (uint32_t k = 0; k < count; ++k) {
    weft_vec3d d = offset(h->nodes->positions, h->around[0].node, s[k].node);
    for (int r = 0; r < 2; ++r) {
      e[k][r] = weft_v3d_dot(plane[r], d);
      mean[r] += s[k].weight * e[k][r];
    }
  }
  for (uint32_t k = 0; k < count; ++k) {
    double x = e[k][0] - mean[0], y = e[k][1] - mean[1];
    c[0] += s[k].weight * x * x;
    c[1] += s[k].weight * x * y;
    c[2] += s[k].weight * y * y;
  }
  double soft = 1e-4 * (c[0] + c[2]);
  double xx = c[0] + soft, yy = c[2] + soft, det = xx * yy - c[1] * c[1];
  if (!(det > 0)) return;
  double slope[2] = {(c[1] * mean[1] - yy * mean[0]) / det, (c[1] * mean[0] - xx * mean[1]) / det};
  double lowest = 0;
  for (uint32_t k = 0; k < count; ++k) {
    lowest = fmin(lowest, slope[0] * (e[k][0] - mean[0]) + slope[1] * (e[k][1] - mean[1]));
  }
  double part = lowest < -1 ? -1 / lowest : 1;
  for (uint32_t k = 0; k < count; ++k) {
    double change = slope[0] * (e[k][0] - mean[0]) + slope[1] * (e[k][1] - mean[1]);
    s[k].weight = fmax(0, s[k].weight * (1 + part * change));
  }
}

/* A free node that is no seed has one beside it, but a hub has more beside it than is looked at. */
static uint32_t seed_beside(const hanging *h, uint32_t node, near_seed s[MAX_SEEDS]) {
  const weft_level_links *l = &h->links;
  uint32_t count = 0;
  for (uint32_t k = l->offsets[node]; k < l->offsets[node + 1]; ++k) {
    if (h->number[l->ends[k]] == NONE) continue;
    if (count && l->lengths[k] >= s[0].distance) continue;
    s[0] = (near_seed){l->ends[k], l->lengths[k], 0};
    count = 1;
  }
  WEFT_CHECK(count, "a node beside no seed would be one");
  return count;
}

static uint32_t weigh(hanging *h, uint32_t node, near_seed s[MAX_SEEDS]) {
  look_around(h, node);
  uint32_t count = nearest_seeds(h, s);
  if (count == 0) count = seed_beside(h, node, s);
  double reach = 2 * mean_length(&h->links, node);
  if (count == MAX_SEEDS) reach = s[--count].distance;
  for (uint32_t k = 0; k < count; ++k) {
    s[k].weight = reach > 0 ? fmax(0, 1 - s[k].distance / reach) : 0;
  }
  if (!(s[0].weight > 0)) {
    s[0].weight = 1;
    return 1;
  }
  while (!(s[count - 1].weight > 0)) --count;
  normalise(s, count);
  if (count > 1) balance(h, s, count);
  normalise(s, count);
  return count;
}

/* A fixed node hangs on the fixed seed that is nearest, or on none where no pin is needed. */
static uint32_t weigh_pin(hanging *h, uint32_t node, near_seed s[MAX_SEEDS]) {
  look_around(h, node);
  double nearest = INFINITY;
  for (uint32_t k = 0; k < h->around_count; ++k) {
    uint32_t seed = h->around[k].node;
    if (h->number[seed] == NONE || !h->nodes->fixed[seed]) continue;
    if (!(h->around[k].along < nearest)) continue;
    nearest = h->around[k].along;
    s[0] = (near_seed){seed, nearest, 1};
  }
  return nearest < INFINITY;
}

static void hang(hanging *h, uint32_t node, uint32_t *parents, double *weights) {
  near_seed s[MAX_SEEDS];
  uint32_t count = h->nodes->fixed[node] ? weigh_pin(h, node, s) : weigh(h, node, s), kept = 0;
  for (uint32_t k = 0; k < count; ++k) {
    if (s[k].weight >= min_weight) s[kept++] = s[k];
  }
  if (kept) normalise(s, kept);
  for (uint32_t k = 0; k < WEFT_LEVEL_PARENTS; ++k) {
    parents[k] = k < kept ? h->number[s[k].node] : NONE;
    weights[k] = k < kept ? s[k].weight : 0;
  }
}

static void hang_all(const wavefront *f, weft_coarsening *out) {
  const weft_level_nodes *nodes = f->nodes;
  uint32_t *number = weft_alloc(nodes->count, sizeof *number);
  for (uint32_t i = 0; i < nodes->count; ++i) number[i] = NONE;
  for (uint32_t k = 0; k < out->count; ++k) number[out->seeds[k]] = k;
  hanging h = {.nodes = nodes, .links = f->links, .number = number};
  h.slot = weft_alloc(nodes->count, sizeof *h.slot);
  size_t slots = WEFT_LEVEL_PARENTS * (size_t)nodes->count;
  out->parents = weft_alloc(slots, sizeof *out->parents);
  out->weights = weft_alloc(slots, sizeof *out->weights);
  for (uint32_t i = 0; i < nodes->count; ++i) {
    size_t first = WEFT_LEVEL_PARENTS * (size_t)i;
    hang(&h, i, out->parents + first, out->weights + first);
  }
  weft_free(h.slot);
  weft_free(number);
}

bool weft_coarsen_graph(const weft_level_nodes *finer, weft_coarsening *out) {
  wavefront f = {.nodes = finer};
  weft_level_links_build(finer, &f.links);
  f.choices = weft_alloc(finer->count, sizeof *f.choices);
  f.queued = weft_alloc(finer->count, sizeof *f.queued);
  f.queue = weft_alloc(finer->count, sizeof *f.queue);
  choose_seeds(&f);
  *out = (weft_coarsening){0};
  bool any_free = false;
  out->seeds = weft_alloc(finer->count, sizeof *out->seeds);
  for (uint32_t i = 0; i < finer->count; ++i) {
    if (f.choices[i] != SEED) continue;
    out->seeds[out->count++] = i;
    any_free = any_free || !finer->fixed[i];
  }
  bool worth_it = any_free && out->count <= max_left * finer->count;
  if (worth_it) hang_all(&f, out);
  weft_level_links_free(&f.links);
  weft_free(f.choices);
  weft_free(f.queued);
  weft_free(f.queue);
  return worth_it;
}
