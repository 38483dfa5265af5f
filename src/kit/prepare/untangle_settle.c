/* untangle_settle.c: edges back to their lengths; and, once nothing intersects, cloth a little
 * apart.
 */
#include <string.h>

#include "base.h"
#include "untangling.h"

/* ---- stretch ---- */

/* Strain that is left alone, so that what is far from all crossings stays where it is. */
static const double unfelt = 1e-4;

void weft_untangle_stretch(loosening *l, int sweeps, double stiffness) {
  for (int s = 0; s < sweeps; ++s) {
    for (uint32_t e = 0; e < l->cloth_edges; ++e) {
      const weft_edge *edge = &l->edges.items[e];
      double wa = !l->fixed[edge->a], wb = !l->fixed[edge->b];
      weft_vec3d d = weft_v3d_sub(l->x[edge->b], l->x[edge->a]);
      double length = weft_v3d_length(d), over = length - l->lengths[e];
      if (fabs(over) <= unfelt * l->lengths[e] || length < 1e-12 || wa + wb == 0) continue;
      d = weft_v3d_scale(d, stiffness * over / (length * (wa + wb)));
      l->x[edge->a] = weft_v3d_add_scaled(l->x[edge->a], wa, d);
      l->x[edge->b] = weft_v3d_add_scaled(l->x[edge->b], -wb, d);
    }
  }
}

/* ---- two features ---- */

/* What particles may not pass: how near each is to anything, and where pairs want to go. */
typedef struct settling {
  loosening *l;
  double *room; /* [all_particles] m, least distance of the features of a particle */
  double reach; /* m: what is further apart is not seen */
  double least; /* m, of pairs with something that was moved */
  uint32_t one; /* the triangle that looks around */
  bool *moved;  /* [all_particles] is elsewhere than at the start, or wants to be */
  bool *active; /* [all_triangles] has such a corner */
  bool wants;   /* pairs are to be parted */
  bool sharing; /* the two triangles looked at have a vertex in common */
} settling;

/* What is near in the mesh may be as near as it was. */
static double wanted(const settling *s, const uint32_t *particles, const double *shares,
                     int count) {
  weft_vec3d off = {0, 0, 0};
  if (!s->sharing) return s->l->apart;
  for (int k = 0; k < count; ++k) {
    off = weft_v3d_add_scaled(off, shares[k], s->l->start[particles[k]]);
  }
  return fmin(s->l->apart, 0.9 * weft_v3d_length(off));
}

static void saw(settling *s, const uint32_t *particles, const double *shares, int count,
                weft_vec3d n, double distance) {
  bool moved = false;
  for (int k = 0; k < count; ++k) {
    s->room[particles[k]] = fmin(s->room[particles[k]], distance);
    moved = moved || s->moved[particles[k]];
  }
  double target = moved ? wanted(s, particles, shares, count) : 0;
  if (distance >= target) return;
  s->least = fmin(s->least, distance);
  if (s->wants) weft_untangle_part(s->l, particles, shares, count, n, 1.01 * target - distance);
}

static bool names(const uint32_t *corners, uint32_t i) {
  return corners[0] == i || corners[1] == i || corners[2] == i;
}

/* Boxes around a few points. */
static bool clearly_apart(const settling *s, const uint32_t *a, int count_a, const uint32_t *b,
                          int count_b) {
  const weft_vec3d *x = s->l->x;
  double low[2][3], high[2][3];
  for (int side = 0; side < 2; ++side) {
    const uint32_t *p = side ? b : a;
    for (int k = 0; k < (side ? count_b : count_a); ++k) {
      const double at[3] = {x[p[k]].x, x[p[k]].y, x[p[k]].z};
      for (int c = 0; c < 3; ++c) low[side][c] = k ? fmin(low[side][c], at[c]) : at[c];
      for (int c = 0; c < 3; ++c) high[side][c] = k ? fmax(high[side][c], at[c]) : at[c];
    }
  }
  for (int c = 0; c < 3; ++c) {
    if (low[0][c] > high[1][c] + s->reach || low[1][c] > high[0][c] + s->reach) return true;
  }
  return false;
}

static void vertex_and_triangle(settling *s, uint32_t i, const uint32_t *c) {
  const weft_vec3d *x = s->l->x;
  weft_nearest found;
  if (names(c, i) || clearly_apart(s, &i, 1, c, 3)) return;
  weft_nearest_in_triangle(x[i], x[c[0]], x[c[1]], x[c[2]], &found);
  if (found.distance >= s->reach) return;
  const uint32_t particles[4] = {i, c[0], c[1], c[2]};
  const double shares[4] = {1, -found.weights[0], -found.weights[1], -found.weights[2]};
  saw(s, particles, shares, 4, weft_untangle_unit(weft_v3d_sub(x[i], found.at)), found.distance);
}

static void two_edges(settling *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  const weft_vec3d *x = s->l->x;
  double u, v;
  const uint32_t particles[4] = {a, b, c, d};
  if (a == c || a == d || b == c || b == d) return;
  if (clearly_apart(s, particles, 2, particles + 2, 2)) return;
  double distance = weft_nearest_of_segments(x[a], x[b], x[c], x[d], &u, &v);
  if (distance >= s->reach) return;
  weft_vec3d p = weft_v3d_add_scaled(x[a], u, weft_v3d_sub(x[b], x[a]));
  weft_vec3d q = weft_v3d_add_scaled(x[c], v, weft_v3d_sub(x[d], x[c]));
  const double shares[4] = {1 - u, u, v - 1, -v};
  saw(s, particles, shares, 4, weft_untangle_unit(weft_v3d_sub(p, q)), distance);
}

/* Bodies among themselves do not matter, and each pair is seen once. */
static void two_triangles(void *context, uint32_t other) {
  settling *s = context;
  if (s->active[other] && other <= s->one) return;
  const uint32_t *a = &s->l->corners[3 * (size_t)s->one], *b = &s->l->corners[3 * (size_t)other];
  if (clearly_apart(s, a, 3, b, 3)) return;
  s->sharing = names(a, b[0]) || names(a, b[1]) || names(a, b[2]);
  for (int k = 0; k < 3; ++k) {
    vertex_and_triangle(s, a[k], b);
    vertex_and_triangle(s, b[k], a);
    for (int m = 0; m < 3; ++m) two_edges(s, a[k], a[(k + 1) % 3], b[m], b[(m + 1) % 3]);
  }
}

static void look_around(settling *s, weft_triangle_tree *tree) {
  loosening *l = s->l;
  for (uint32_t i = 0; i < l->all_particles; ++i) s->room[i] = s->reach;
  s->least = s->reach;
  for (uint32_t t = 0; t < l->triangles; ++t) {
    const uint32_t *c = &l->corners[3 * (size_t)t];
    s->active[t] = s->moved[c[0]] || s->moved[c[1]] || s->moved[c[2]];
  }
  weft_triangle_tree_fit(tree);
  for (s->one = 0; s->one < l->triangles; ++s->one) {
    const uint32_t *c = &l->corners[3 * (size_t)s->one];
    if (!s->active[s->one]) continue;
    weft_vec3d low = l->x[c[0]], high = low;
    for (int k = 1; k < 3; ++k) {
      weft_vec3d p = l->x[c[k]];
      low = weft_v3d(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
      high = weft_v3d(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    weft_triangle_tree_around(tree, low, high, s->reach, two_triangles, s);
  }
}

/* ---- small moves ---- */

/* To where stretch and pairs want a particle, by at most 0.4 of its room: two that move so stay
 * apart. One that did not look around waits for the next round. In doubles: what is nearer than
 * floats tell apart could not move in floats. */
static void go(settling *s, const weft_vec3d *ways) {
  loosening *l = s->l;
  for (uint32_t i = 0; i < l->particles; ++i) {
    weft_vec3d way = ways[i];
    if (l->weights[i] > 0) way = weft_v3d_add_scaled(way, 1 / l->weights[i], l->moves[i]);
    double length = weft_v3d_length(way), most = s->moved[i] ? 0.4 * s->room[i] : 0;
    if (length > most) way = weft_v3d_scale(way, most / length);
    if (length > 0) l->x[i] = weft_v3d_add(l->x[i], way);
    if (length > 0) s->moved[i] = true;
    l->moves[i] = weft_v3d(0, 0, 0);
    l->weights[i] = 0;
  }
}

/* The way that a sweep over stretch would take a particle; it stays where it is. */
static void plan(settling *s, bool stretch, weft_vec3d *from, weft_vec3d *ways) {
  loosening *l = s->l;
  memcpy(from, l->x, l->particles * sizeof *from);
  if (stretch) weft_untangle_stretch(l, 1, 0.5);
  for (uint32_t i = 0; i < l->particles; ++i) {
    ways[i] = weft_v3d_sub(l->x[i], from[i]);
    if (weft_v3d_length(ways[i]) > 0) s->moved[i] = true;
  }
  memcpy(l->x, from, l->particles * sizeof *from);
}

/* Stretch is taken out in the first of them, and where cloth is too near it goes apart in all. */
enum { ROUNDS = 200, STRETCHING = 30 };

double weft_untangle_settle(loosening *l) {
  settling s = {.l = l, .reach = 2 * l->apart};
  s.room = weft_alloc(l->all_particles, sizeof *s.room);
  s.moved = weft_alloc(l->all_particles, sizeof *s.moved);
  s.active = weft_alloc(l->all_triangles, sizeof *s.active);
  weft_vec3d *from = weft_alloc(l->particles, sizeof *from);
  weft_vec3d *ways = weft_alloc(l->particles, sizeof *ways);
  weft_triangle_tree *tree = weft_triangle_tree_create(l->x, l->corners, 0, l->all_triangles);
  for (uint32_t i = 0; i < l->particles; ++i) {
    s.moved[i] = weft_v3d_distance(l->x[i], l->start[i]) > 0;
  }
  for (int round = 0; round < ROUNDS; ++round) {
    plan(&s, round < STRETCHING, from, ways);
    s.wants = true;
    look_around(&s, tree);
    if (round >= STRETCHING && s.least >= l->apart) break;
    go(&s, ways);
  }
  s.wants = false;
  look_around(&s, tree);
  weft_triangle_tree_free(tree);
  weft_free(s.room);
  weft_free(s.moved);
  weft_free(s.active);
  weft_free(from);
  weft_free(ways);
  return fmin(s.least, l->apart);
}
