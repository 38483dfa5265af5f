/* levels_lattice.c: coarser levels of a grid: every second row and column, with hat functions as
 * weights.
 *
 * Constraints run along rows and columns only. Woven cloth is soft along the diagonals (shear),
 * which is left to the finest level. */
#include <math.h>

#include "base.h"
#include "levels.h"

/* Which of `count` lines are kept: every second one, and the last. */
static uint32_t halve(const uint32_t *at, uint32_t count, uint32_t *kept, uint32_t *lines) {
  uint32_t n = 0;
  for (uint32_t k = 0; k + 1 < count; k += 2) {
    kept[n] = at[k];
    lines[n++] = k;
  }
  kept[n] = at[count - 1];
  lines[n++] = count - 1;
  return n;
}

/* The two kept lines beside a line, and its fraction between them. */
typedef struct between {
  uint32_t line;
  double part; /* 0 at the first, 1 at the second */
} between;

static between locate(const uint32_t *kept, uint32_t count, uint32_t at) {
  uint32_t low = 0, high = count - 1;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (kept[middle] <= at) {
      low = middle;
    } else {
      high = middle;
    }
  }
  if (count == 1) return (between){0, 0};
  double part = ((double)at - kept[low]) / ((double)kept[low + 1] - kept[low]);
  return (between){low, part};
}

static void hang(const weft_coarsening *c, between row, between column, uint32_t *parents,
                 double *weights) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < WEFT_LEVEL_PARENTS; ++k) {
    double down = k & 2 ? row.part : 1 - row.part;
    double across = k & 1 ? column.part : 1 - column.part;
    if (!(down * across > 0)) continue;
    parents[n] = (row.line + (k >> 1)) * c->columns + column.line + (k & 1);
    weights[n++] = down * across;
  }
  while (n < WEFT_LEVEL_PARENTS) parents[n++] = UINT32_MAX;
}

/* Row and column of a node in the mesh's grid. */
static void place_of(const weft_level_nodes *finer, uint32_t mesh_columns, uint32_t node,
                     uint32_t *row, uint32_t *column) {
  if (node < finer->rows * finer->columns) {
    *row = finer->row_at[node / finer->columns];
    *column = finer->column_at[node % finer->columns];
  } else {
    *row = finer->particles[node] / mesh_columns;
    *column = finer->particles[node] % mesh_columns;
  }
}

bool weft_coarsen_lattice(const weft_level_nodes *finer, weft_coarsening *out) {
  if (finer->rows <= 3 && finer->columns <= 3) return false;
  *out = (weft_coarsening){.row_at = weft_alloc(finer->rows, sizeof *out->row_at),
                           .column_at = weft_alloc(finer->columns, sizeof *out->column_at)};
  uint32_t *row_lines = weft_alloc(finer->rows, sizeof *row_lines);
  uint32_t *column_lines = weft_alloc(finer->columns, sizeof *column_lines);
  out->rows = halve(finer->row_at, finer->rows, out->row_at, row_lines);
  out->columns = halve(finer->column_at, finer->columns, out->column_at, column_lines);
  out->count = out->rows * out->columns;
  out->seeds = weft_alloc(out->count, sizeof *out->seeds);
  for (uint32_t k = 0; k < out->count; ++k) {
    out->seeds[k] = row_lines[k / out->columns] * finer->columns + column_lines[k % out->columns];
  }
  weft_free(row_lines);
  weft_free(column_lines);
  uint32_t mesh_columns = finer->column_at[finer->columns - 1] + 1;
  out->parents = weft_alloc(WEFT_LEVEL_PARENTS * (size_t)finer->count, sizeof *out->parents);
  out->weights = weft_alloc(WEFT_LEVEL_PARENTS * (size_t)finer->count, sizeof *out->weights);
  for (uint32_t i = 0; i < finer->count; ++i) {
    uint32_t row, column;
    place_of(finer, mesh_columns, i, &row, &column);
    size_t first = WEFT_LEVEL_PARENTS * (size_t)i;
    hang(out, locate(out->row_at, out->rows, row), locate(out->column_at, out->columns, column),
         out->parents + first, out->weights + first);
  }
  return true;
}

/* ---- edges ---- */

static const double *flat_of(const weft_level_nodes *nodes, uint32_t node) {
  return nodes->flat + 2 * (size_t)node;
}

static double flat_distance(const double *a, const double *b) {
  return hypot(a[0] - b[0], a[1] - b[1]);
}

/* Whether the line of finer nodes beside all members of `node`, through the fixed node `pin`, is
 * fixed as well: then the mean hangs from a seam rather than from a point. */
static bool on_seam(const weft_level_nodes *finer, const weft_coarsening *c,
                    const weft_level_members *members, uint32_t node, uint32_t pin,
                    bool along_row) {
  uint32_t lattice = finer->rows * finer->columns, seed = c->seeds[pin];
  for (uint32_t e = members->offsets[node]; e < members->offsets[node + 1]; ++e) {
    uint32_t i = members->finer[e];
    if (i >= lattice) return false;
    uint32_t row = along_row ? i / finer->columns : seed / finer->columns;
    uint32_t column = along_row ? seed % finer->columns : i % finer->columns;
    if (!finer->fixed[row * finer->columns + column]) return false;
  }
  return true;
}

/* Particles of a mean can gather on one side of a point, so the mean can be further from it than
 * on the flat cloth; by the spread at most, since the mean of a distance is at most the root of
 * its mean square. */
static double length_between(const weft_level_nodes *finer, const weft_coarsening *c,
                             const weft_level_members *members, const weft_level_nodes *coarser,
                             uint32_t a, uint32_t b, bool along_row) {
  double flat = flat_distance(flat_of(coarser, a), flat_of(coarser, b));
  if (!coarser->fixed[a] && !coarser->fixed[b]) return flat;
  uint32_t node = coarser->fixed[a] ? b : a, pin = coarser->fixed[a] ? a : b;
  if (on_seam(finer, c, members, node, pin, along_row)) return flat;
  return sqrt(flat * flat + coarser->spread[node]);
}

static void add(const weft_level_nodes *finer, const weft_coarsening *c,
                const weft_level_members *members, weft_level_nodes *coarser, uint32_t a,
                uint32_t b, bool along_row) {
  if (coarser->fixed[a] && coarser->fixed[b]) return;
  uint32_t *edge = coarser->edges + 2 * (size_t)coarser->edge_count;
  edge[0] = a;
  edge[1] = b;
  coarser->lengths[coarser->edge_count++] =
      length_between(finer, c, members, coarser, a, b, along_row);
}

/* Even edges first, so that four colours suffice. */
void weft_lattice_edges(const weft_level_nodes *finer, const weft_coarsening *c,
                        const weft_level_members *members, weft_level_nodes *coarser) {
  size_t max = 2 * (size_t)c->rows * c->columns;
  coarser->edges = weft_alloc(2 * max, sizeof *coarser->edges);
  coarser->lengths = weft_alloc(max, sizeof *coarser->lengths);
  for (uint32_t odd = 0; odd < 2; ++odd) {
    for (uint32_t k = 0; k < c->rows * c->columns; ++k) {
      uint32_t column = k % c->columns;
      if (column % 2 == odd && column + 1 < c->columns) {
        add(finer, c, members, coarser, k, k + 1, true);
      }
    }
  }
  for (uint32_t odd = 0; odd < 2; ++odd) {
    for (uint32_t k = 0; k + c->columns < c->rows * c->columns; ++k) {
      if (k / c->columns % 2 == odd) add(finer, c, members, coarser, k, k + c->columns, false);
    }
  }
}
