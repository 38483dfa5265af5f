/* lines.c: the distances along a line of the cloth, solved together.
 *
 * All constraints of a line at once want multipliers with
 *
 *   (grad C M^-1 grad C^T + A) dlambda = -C - A lambda,      A = diag(alpha/dt^2)
 *
 * (XPBD, eq. 16; for rods Deul et al. 2018). Edges k and k+1 share one particle, p, whose gradients
 * are n_k and -n_k+1: the matrix is tridiagonal, with w_p n_k . -n_k+1 beside its diagonal, and
 * elimination goes from one end to the other and back (Thomas's algorithm). */
#include <stdlib.h>

#include "deviations.h"
#include "oracle.h"

typedef struct row {
  uint32_t a, b; /* particles */
  vec n;         /* direction from a to b; 0 where there is none */
  double diagonal, above, right;
} row;

static double compliance_of(const oracle *o, uint32_t edge) {
  const weft_structure_group *g = &o->s->groups[o->s->line_groups[edge]];
  return g->compliance[o->s->line_constraints[edge]] / (o->dt * o->dt);
}

static row row_of(const oracle *o, uint32_t edge) {
  const weft_structure *s = o->s;
  double rest = s->groups[s->line_groups[edge]].rest[s->line_constraints[edge]];
  row r = {.a = s->line_particles[2 * edge], .b = s->line_particles[2 * edge + 1]};
  double separation = distance(o->x[r.a], o->x[r.b]), a = compliance_of(o, edge);
  r.diagonal = LINE_DIAGONAL * (s->inverse_masses[r.a] + s->inverse_masses[r.b]) + a;
  if (s->inverse_masses[r.a] + s->inverse_masses[r.b] == 0) r.diagonal = 1; /* moves nothing */
  if (!(separation > MIN_LENGTH_RATIO * rest) || r.diagonal == 1) return r;
  r.n = unit(sub(o->x[r.b], o->x[r.a]));
  r.right = -(separation - rest) - a * o->line_multipliers[edge];
  return r;
}

/* Leaves the solution in `right`. */
static void eliminate(row *rows, uint32_t count) {
  for (uint32_t k = 1; k < count; ++k) {
    double part = rows[k - 1].above / rows[k - 1].diagonal;
    rows[k].diagonal -= part * rows[k - 1].above;
    rows[k].right -= part * rows[k - 1].right;
  }
  for (uint32_t k = count; k-- > 0;) {
    if (k + 1 < count) rows[k].right -= rows[k].above * rows[k + 1].right;
    rows[k].right /= rows[k].diagonal;
  }
}

static void solve_line(oracle *o, uint32_t first, uint32_t count, row *rows) {
  const double *w = o->s->inverse_masses;
  for (uint32_t k = 0; k < count; ++k) rows[k] = row_of(o, first + k);
  for (uint32_t k = 0; k + 1 < count; ++k) {
    rows[k].above = -w[rows[k].b] * dot(rows[k].n, rows[k + 1].n);
  }
  eliminate(rows, count);
  for (uint32_t k = 0; k < count; ++k) {
    const row *r = &rows[k];
    o->counts.line_sweeps += o->line_multipliers[first + k] != 0;
    o->line_multipliers[first + k] += r->right;
    o->x[r->a] = along(o->x[r->a], -w[r->a] * r->right, r->n);
    o->x[r->b] = along(o->x[r->b], w[r->b] * r->right, r->n);
  }
  o->counts.lines += count > 1;
}

void oracle_lines(oracle *o, const weft_collider_motion *motions) {
  const weft_structure *s = o->s;
  if (s->line_count == 0) return;
  uint32_t edges = s->line_offsets[s->line_count];
  row *rows = oracle_array(edges, sizeof *rows);
  for (uint32_t e = 0; e < edges; ++e) o->line_multipliers[e] = 0;
  for (uint32_t sweep = 0; sweep < o->p->line_sweeps; ++sweep) {
    if (sweep > 0) oracle_collide(o, motions);
    for (uint32_t l = 0; l < s->line_count; ++l) {
      uint32_t first = s->line_offsets[l], count = s->line_offsets[l + 1] - first;
      if (sweep == 0) oracle_bend(o, first, count);
      solve_line(o, first, count, rows);
    }
  }
  free(rows);
}
