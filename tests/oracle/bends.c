/* bends.c: bending along a line of a grid, all of it at once.
 *
 * A plate bends with B/2 (k_xx^2 + k_yy^2 + 2 k_xy^2) per area. Along a line of particles h apart
 * k_xx is the second difference C over h^2, and the cloth that belongs to it h times half of the
 * cells on both sides wide. The system is that of XPBD for all bends of the line,
 *
 *   (K M^-1 K^T + A) lambda = -C,      A = diag(alpha/dt^2), K = (1, -2, 1) row by row,
 *
 * for each component, eliminated from one end to the other. The cross term stays with hinges over
 * diagonals, whose sum is s times the area of a cell times k_xy. */
#include <stdlib.h>

#include "oracle.h"

static double rest_length(const oracle *o, uint32_t edge) {
  return o->s->groups[o->s->line_groups[edge]].rest[o->s->line_constraints[edge]];
}

/* Which edge of a line it is; none: UINT32_MAX. */
static uint32_t edge_between(const weft_structure *s, uint32_t a, uint32_t b) {
  for (uint32_t e = 0; e < s->line_offsets[s->line_count]; ++e) {
    const uint32_t *p = s->line_particles + 2 * (size_t)e;
    if ((p[0] == a && p[1] == b) || (p[0] == b && p[1] == a)) return e;
  }
  return UINT32_MAX;
}

static uint32_t line_of(const weft_structure *s, uint32_t edge) {
  uint32_t l = 0;
  while (s->line_offsets[l + 1] <= edge) ++l;
  return l;
}

/* A hinge over an edge of the length e between cells h long is there for half an edge of the bends
 * at its two ends, across it: B e/(2 h^3) each, with alpha = (cells' halves, e h)/B. */
static void add_hinge(oracle *o, const weft_structure_group *g, uint32_t i) {
  const weft_structure *s = o->s;
  const uint32_t *p = g->particles + 4 * (size_t)i;
  uint32_t own = edge_between(s, p[0], p[1]);
  if (own == UINT32_MAX) return;
  for (uint32_t k = 0; k < s->line_offsets[s->line_count]; ++k) {
    uint32_t middle = s->line_particles[2 * (size_t)k + 1];
    bool ends = k + 1 == s->line_offsets[line_of(s, k) + 1];
    if (ends || (middle != p[0] && middle != p[1]) || line_of(s, k) == line_of(s, own)) continue;
    double e = rest_length(o, own), h = rest_length(o, k), B = e * h / g->compliance[i];
    o->bend_stiffness[k] += B * e / (2 * h * h * h);
  }
}

void oracle_begin_bends(oracle *o) {
  const weft_structure *s = o->s;
  if (!s->lines_bend) return;
  o->bend_stiffness = oracle_array(s->line_offsets[s->line_count], sizeof *o->bend_stiffness);
  for (uint32_t g = 0; g < s->group_count; ++g) {
    if (s->groups[g].kind != WEFT_KIND_ISOMETRIC) continue;
    for (uint32_t i = 0; i < s->groups[g].count; ++i) add_hinge(o, &s->groups[g], i);
  }
}

double oracle_twist(const oracle *o, const weft_structure_group *g, uint32_t i) {
  if (!o->s->lines_bend || g->kind != WEFT_KIND_ISOMETRIC) return 1;
  double sum = g->weights[4 * (size_t)i];
  return sum * sum / 2;
}

/* ---- one line ---- */

typedef struct bend {
  uint32_t p[3];
  double own, next, after; /* the equation's own multiplier and the two behind it */
  vec right;
} bend;

static bend bend_of(const oracle *o, uint32_t edge) {
  const uint32_t *p = o->s->line_particles + 2 * (size_t)edge;
  const double *w = o->s->inverse_masses;
  bend b = {.p = {p[0], p[1], p[3]}};
  b.own = w[b.p[0]] + 4 * w[b.p[1]] + w[b.p[2]] + 1 / (o->bend_stiffness[edge] * o->dt * o->dt);
  b.next = -2 * (w[b.p[1]] + w[b.p[2]]);
  b.after = w[b.p[2]];
  b.right = scale(-1, sub(add(o->x[b.p[0]], o->x[b.p[2]]), scale(2, o->x[b.p[1]])));
  return b;
}

static void eliminate(bend *b, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    if (k + 1 < count) {
      double part = b[k].next / b[k].own;
      b[k + 1].own -= part * b[k].next;
      b[k + 1].next -= k + 2 < count ? part * b[k].after : 0;
      b[k + 1].right = along(b[k + 1].right, -part, b[k].right);
    }
    if (k + 2 < count) {
      double part = b[k].after / b[k].own;
      b[k + 2].own -= part * b[k].after;
      b[k + 2].right = along(b[k + 2].right, -part, b[k].right);
    }
  }
  for (uint32_t k = count; k-- > 0;) {
    if (k + 1 < count) b[k].right = along(b[k].right, -b[k].next, b[k + 1].right);
    if (k + 2 < count) b[k].right = along(b[k].right, -b[k].after, b[k + 2].right);
    b[k].right = scale(1 / b[k].own, b[k].right);
  }
}

void oracle_bend(oracle *o, uint32_t first, uint32_t edges) {
  const double *w = o->s->inverse_masses;
  if (!o->bend_stiffness || edges < 2) return;
  uint32_t count = edges - 1;
  bend *b = oracle_array(count, sizeof *b);
  for (uint32_t k = 0; k < count; ++k) b[k] = bend_of(o, first + k);
  eliminate(b, count);
  for (uint32_t k = 0; k < count; ++k) {
    static const double share[] = {1, -2, 1};
    for (int r = 0; r < 3; ++r) {
      o->x[b[k].p[r]] = along(o->x[b[k].p[r]], share[r] * w[b[k].p[r]], b[k].right);
    }
  }
  free(b);
  ++o->counts.bends;
}
