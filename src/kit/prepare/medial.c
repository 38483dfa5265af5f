/* medial.c: inscribed balls. One that touches at x with inward normal -n and has q on its surface
 * has the radius |x - q|^2 / (2 n.(x - q)), so the largest without any vertex inside is the least
 * of these. */
#include "medial.h"

#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "ranges.h"

enum { LEAF = 8, ROUNDS = 12, SWEEPS = 100 };

/* Vertices by halving boxes along their longest side: node k has children 2k+1 and 2k+2. */
typedef struct ball_search {
  const weft_vec3 *positions;
  const weft_vec3d *normals;
  weft_vec3d *ways;
  uint32_t *order;
  weft_vec3 *low, *high; /* of nodes */
  double most;           /* m: no ball is larger */
} ball_search;

static float part_of(weft_vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

/* Hoare's selection: what stands at `middle` afterwards divides the rest. Ties go by number. */
static void divide(const ball_search *s, uint32_t *items, uint32_t count, uint32_t middle,
                   int axis) {
  uint32_t low = 0, high = count - 1;
  while (low < high) {
    uint32_t pivot = items[low + (high - low) / 2], i = low, j = high;
    float at = part_of(s->positions[pivot], axis);
    for (;;) {
      for (;; ++i) {
        float x = part_of(s->positions[items[i]], axis);
        if (!(x < at || (x == at && items[i] < pivot))) break;
      }
      for (;; --j) {
        float x = part_of(s->positions[items[j]], axis);
        if (!(x > at || (x == at && items[j] > pivot))) break;
      }
      if (i >= j) break;
      uint32_t swap = items[i];
      items[i++] = items[j];
      items[j--] = swap;
    }
    if (middle <= j) {
      high = j;
    } else {
      low = j + 1;
    }
  }
}

static void build(ball_search *s, size_t node, uint32_t first, uint32_t end) {
  weft_vec3 low = s->positions[s->order[first]], high = low;
  for (uint32_t k = first + 1; k < end; ++k) {
    weft_vec3 p = s->positions[s->order[k]];
    low = weft_v3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
    high = weft_v3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
  }
  s->low[node] = low;
  s->high[node] = high;
  if (end - first <= LEAF) return;
  weft_vec3 size = weft_v3_sub(high, low);
  int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  uint32_t middle = first + (end - first) / 2;
  divide(s, s->order + first, end - first, middle - first, axis);
  build(s, 2 * node + 1, first, middle);
  build(s, 2 * node + 2, middle, end);
}

static size_t nodes_of(uint32_t count) {
  size_t nodes = 1;
  for (uint32_t size = count; size > LEAF; size = size - size / 2) nodes = 2 * nodes + 1;
  return nodes;
}

static double distance_to(const ball_search *s, size_t node, weft_vec3 p) {
  double x = fmax(0, fmax((double)(s->low[node].x - p.x), (double)(p.x - s->high[node].x)));
  double y = fmax(0, fmax((double)(s->low[node].y - p.y), (double)(p.y - s->high[node].y)));
  double z = fmax(0, fmax((double)(s->low[node].z - p.z), (double)(p.z - s->high[node].z)));
  return sqrt(x * x + y * y + z * z);
}

/* A vertex at distance d leaves a radius of d/2 at least. */
static void shrink(const ball_search *s, size_t node, uint32_t first, uint32_t end, uint32_t v,
                   double *radius) {
  if (distance_to(s, node, s->positions[v]) >= 2 * *radius) return;
  if (end - first > LEAF) {
    uint32_t middle = first + (end - first) / 2;
    size_t left = 2 * node + 1;
    bool near = distance_to(s, left, s->positions[v]) <= distance_to(s, left + 1, s->positions[v]);
    if (near) shrink(s, left, first, middle, v, radius);
    shrink(s, left + 1, middle, end, v, radius);
    if (!near) shrink(s, left, first, middle, v, radius);
    return;
  }
  weft_vec3d x = weft_v3d_from(s->positions[v]);
  for (uint32_t k = first; k < end; ++k) {
    weft_vec3d apart = weft_v3d_sub(x, weft_v3d_from(s->positions[s->order[k]]));
    double along = weft_v3d_dot(apart, s->normals[v]), square = weft_v3d_dot(apart, apart);
    if (along > 0 && square < 2 * along * *radius) *radius = square / (2 * along);
  }
}

typedef struct range_of {
  const ball_search *search;
  uint32_t count;
} range_of;

static void shrink_range(void *context, uint32_t part, size_t first, size_t end) {
  const range_of *range = context;
  const ball_search *s = range->search;
  (void)part;
  for (size_t v = first; v < end; ++v) {
    double radius = s->most;
    shrink(s, 0, 0, range->count, (uint32_t)v, &radius);
    s->ways[v] = weft_v3d_scale(s->normals[v], -radius);
  }
}

/* By area, of length 1 or 0. */
static void find_normals(const weft_vec3 *x, uint32_t vertex_count, const uint32_t *triangles,
                         uint32_t triangle_count, weft_vec3d *normals) {
  memset(normals, 0, vertex_count * sizeof *normals);
  for (uint32_t t = 0; t < triangle_count; ++t) {
    const uint32_t *c = triangles + 3 * (size_t)t;
    weft_vec3d a = weft_v3d_from(x[c[0]]);
    weft_vec3d n = weft_v3d_cross(weft_v3d_sub(weft_v3d_from(x[c[1]]), a),
                                  weft_v3d_sub(weft_v3d_from(x[c[2]]), a));
    for (int k = 0; k < 3; ++k) normals[c[k]] = weft_v3d_add(normals[c[k]], n);
  }
  for (uint32_t v = 0; v < vertex_count; ++v) {
    double length = weft_v3d_length(normals[v]);
    normals[v] = weft_v3d_scale(normals[v], length > 0 ? 1 / length : 0);
  }
}

/* A ball of the surface. */
typedef struct ball {
  weft_vec3d centre;
  double radius;
} ball;

/* A ball reaches vertices on it up to `reach` radii from its centre; those of features that are
 * small beside it, a jaw with a hollow mouth, a fold, up to `far_reach`. */
static const double reach = 1.25, far_reach = 1.75, small = 0.25;

static bool reaches(const ball *b, const ball *other, weft_vec3 p) {
  double radii = other->radius < small * b->radius ? far_reach : reach;
  return weft_v3d_distance(b->centre, weft_v3d_from(p)) <= radii * b->radius;
}

/* A vertex takes over the largest ball that reaches it, from neighbour to neighbour (after Miklos,
 * Giesen and Pauly 2010, "Discrete scale axis representations for 3D geometry"): what is small
 * beside its surroundings has their middle. */
static void take_over(const weft_vec3 *x, const weft_edges *edges, ball *balls) {
  bool changed = true;
  for (int sweep = 0; changed && sweep < SWEEPS; ++sweep) {
    changed = false;
    for (uint32_t k = 0; k < edges->count; ++k) {
      const weft_edge *edge = &edges->items[sweep % 2 ? edges->count - 1 - k : k];
      bool up = balls[edge->a].radius < balls[edge->b].radius;
      uint32_t to = up ? edge->a : edge->b, from = up ? edge->b : edge->a;
      if (balls[to].radius == balls[from].radius || !reaches(&balls[from], &balls[to], x[to]))
        continue;
      balls[to] = balls[from];
      changed = true;
    }
  }
}

static void simplify(const weft_vec3 *x, uint32_t count, const weft_edges *edges,
                     weft_vec3d *ways) {
  ball *balls = weft_alloc(count, sizeof *balls);
  for (uint32_t v = 0; v < count; ++v) {
    balls[v].centre = weft_v3d_add(weft_v3d_from(x[v]), ways[v]);
    balls[v].radius = weft_v3d_length(ways[v]);
  }
  take_over(x, edges, balls);
  for (uint32_t v = 0; v < count; ++v) {
    ways[v] = weft_v3d_sub(balls[v].centre, weft_v3d_from(x[v]));
  }
  weft_free(balls);
}

/* Each round: half its own, half the mean of its neighbours. */
static void even_out(uint32_t count, const weft_edges *edges, weft_vec3d *ways) {
  weft_vec3d *sums = weft_alloc(count, sizeof *sums);
  uint32_t *neighbours = weft_alloc(count, sizeof *neighbours);
  for (int round = 0; round < ROUNDS; ++round) {
    memset(sums, 0, count * sizeof *sums);
    memset(neighbours, 0, count * sizeof *neighbours);
    for (uint32_t e = 0; e < edges->count; ++e) {
      uint32_t a = edges->items[e].a, b = edges->items[e].b;
      sums[a] = weft_v3d_add(sums[a], ways[b]);
      sums[b] = weft_v3d_add(sums[b], ways[a]);
      neighbours[a]++, neighbours[b]++;
    }
    for (uint32_t v = 0; v < count; ++v) {
      if (neighbours[v] == 0) continue;
      ways[v] = weft_v3d_add_scaled(weft_v3d_scale(ways[v], 0.5), 0.5 / neighbours[v], sums[v]);
    }
  }
  weft_free(sums);
  weft_free(neighbours);
}

void weft_medial_ways(const weft_vec3 *positions, uint32_t vertex_count, const uint32_t *triangles,
                      uint32_t triangle_count, const weft_edges *edges, weft_vec3d *ways) {
  weft_vec3d *normals = weft_alloc(vertex_count, sizeof *normals);
  find_normals(positions, vertex_count, triangles, triangle_count, normals);
  ball_search s = {.positions = positions, .normals = normals, .ways = ways};
  s.order = weft_alloc(vertex_count, sizeof *s.order);
  for (uint32_t v = 0; v < vertex_count; ++v) s.order[v] = v;
  size_t nodes = nodes_of(vertex_count);
  s.low = weft_alloc(nodes, sizeof *s.low);
  s.high = weft_alloc(nodes, sizeof *s.high);
  build(&s, 0, 0, vertex_count);
  s.most = 0.5 * (double)weft_v3_length(weft_v3_sub(s.high[0], s.low[0]));
  range_of range = {&s, vertex_count};
  weft_ranges_run(vertex_count, weft_ranges_worth(vertex_count), shrink_range, &range);
  simplify(positions, vertex_count, edges, ways);
  even_out(vertex_count, edges, ways);
  weft_free(normals);
  weft_free(s.order);
  weft_free(s.low);
  weft_free(s.high);
}
