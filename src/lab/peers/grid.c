/* grid.c: the same constraints in the same order by one who knows that the cloth is a grid: an
 * array a component, no list, and loops that the compiler turns into vectors.
 *
 * A row keeps its columns in four stripes, those with remainder 0, 1, 2 and 3 by 4. Then any two
 * columns that a constraint joins lie in two runs of floats that do not overlap, or in two rows. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "peer.h"

enum { STRIPES = 4, PLACES_TOGETHER = 16 };

typedef struct cloth {
  int size, threads;
  int stripe; /* places in a stripe, rounded up to whole cache lines */
  float *x[3], *old[3], *v[3], *w;
} cloth;

static long row_begin(const cloth *c, int row) { return (long)row * STRIPES * c->stripe; }

static long place(const cloth *c, int row, int column) {
  return row_begin(c, row) + (long)(column % STRIPES) * c->stripe + column / STRIPES;
}

static void start(cloth *c, int row, int column) {
  float xyz[3];
  long i = place(c, row, column);
  peer_start(c->size, row, column, xyz);
  for (int k = 0; k < 3; ++k) c->x[k][i] = c->old[k][i] = xyz[k];
  c->w[i] = peer_inverse_mass(c->size, row, column);
}

static void *create(const peer_task *task) {
  if (task->order) {
    fprintf(stderr, "the order of grid cannot be changed\n");
    return NULL;
  }
  int size = task->size;
  cloth *c = peer_alloc(sizeof *c);
  c->size = size;
  c->threads = task->threads;
  c->stripe =
      ((size + STRIPES - 1) / STRIPES + PLACES_TOGETHER - 1) / PLACES_TOGETHER * PLACES_TOGETHER;
  unsigned long bytes = (unsigned long)row_begin(c, size) * sizeof(float);
  for (int k = 0; k < 3; ++k) {
    c->x[k] = peer_alloc(bytes);
    c->old[k] = peer_alloc(bytes);
    c->v[k] = peer_alloc(bytes);
  }
  c->w = peer_alloc(bytes);
  for (int i = 0; i < size * size; ++i) start(c, i / size, i % size);
  return c;
}

static void destroy(void *cloth_) {
  cloth *c = cloth_;
  for (int k = 0; k < 3; ++k) {
    free(c->x[k]);
    free(c->old[k]);
    free(c->v[k]);
  }
  free(c->w);
  free(c);
}

/* Padding has w 0 and stays. */
static void predict_row(cloth *c, int row) {
  long begin = row_begin(c, row), end = row_begin(c, row + 1);
  float dt = (float)PEER_DT, fall[3] = {0, (float)PEER_GRAVITY * dt, 0};
  for (int k = 0; k < 3; ++k) {
    float *x = c->x[k], *old = c->old[k], *v = c->v[k], *w = c->w;
#pragma omp simd
    for (long i = begin; i < end; ++i) {
      v[i] = w[i] > 0 ? v[i] - fall[k] : 0;
      old[i] = x[i];
      x[i] += v[i] * dt;
    }
  }
}

static void update_row(cloth *c, int row) {
  long begin = row_begin(c, row), end = row_begin(c, row + 1);
  for (int k = 0; k < 3; ++k) {
    float *x = c->x[k], *old = c->old[k], *v = c->v[k];
#pragma omp simd
    for (long i = begin; i < end; ++i) v[i] = (x[i] - old[i]) * (float)(1 / PEER_DT);
  }
}

/* `count` constraints between places a, a + 1, ... and b, b + 1, ...: two runs that do not overlap.
 */
static void project_run(cloth *c, long a, long b, int count, float rest) {
  float *x = c->x[0], *y = c->x[1], *z = c->x[2], *w = c->w;
#pragma omp simd
  for (int i = 0; i < count; ++i) {
    float dx = x[b + i] - x[a + i], dy = y[b + i] - y[a + i], dz = z[b + i] - z[a + i];
    float wa = w[a + i], wb = w[b + i];
    float part = (1 - rest / sqrtf(1e-30f + dx * dx + dy * dy + dz * dz)) / (wa + wb);
    float pa = wa * part, pb = wb * part;
    x[a + i] += pa * dx, y[a + i] += pa * dy, z[a + i] += pa * dz;
    x[b + i] -= pb * dx, y[b + i] -= pb * dy, z[b + i] -= pb * dz;
  }
}

/* Constraints from the columns of a stripe to those `right` of them, `down` rows below. */
static void project_stripe(cloth *c, const peer_colour *colour, int row, int stripe) {
  int left = c->size - colour->right -
             stripe; /* columns from the stripe's first to the last that begins one */
  if (left <= 0) return;
  project_run(c, place(c, row, stripe), place(c, row + colour->down, stripe + colour->right),
              (left + STRIPES - 1) / STRIPES, peer_rest(colour, c->size));
}

/* A row's part of a colour. */
static void project_row(cloth *c, const peer_colour *colour, int row) {
  if (row + colour->down >= c->size) return;
  for (int s = 0; s < STRIPES; ++s)
    if (colour->down || s / colour->right % 2 == colour->phase) project_stripe(c, colour, row, s);
}

/* Colours that join a row and the one below it, as no two of a phase share a row. */
static void project_down(cloth *c, int from, int to, int row) {
  for (int k = from; k < to; ++k) project_row(c, &peer_colours[k], row);
}

/* Each thread runs it; loops are shared, with a barrier after each. */
static void substep(cloth *c) {
#pragma omp for schedule(static)
  for (int i = 0; i < c->size; ++i) {
    predict_row(c, i);
    project_down(c, 0, 4, i);
  }
#pragma omp for schedule(static)
  for (int i = 0; i < c->size; i += 2) project_down(c, 4, 6, i);
#pragma omp for schedule(static)
  for (int i = 1; i < c->size; i += 2) project_down(c, 6, 8, i);
  for (int k = 8; k < PEER_COLOURS; ++k) {
#pragma omp for schedule(static)
    for (int i = 0; i < c->size; ++i)
      if (i / 2 % 2 == peer_colours[k].phase) project_row(c, &peer_colours[k], i);
  }
#pragma omp for schedule(static)
  for (int i = 0; i < c->size; ++i) update_row(c, i);
}

static bool step(void *cloth_) {
  cloth *c = cloth_;
#pragma omp parallel num_threads(c->threads)
  for (int s = 0; s < PEER_SUBSTEPS; ++s) substep(c);
  return true;
}

static bool read(void *cloth_, float (*positions)[3]) {
  cloth *c = cloth_;
  for (int i = 0; i < c->size * c->size; ++i)
    for (int k = 0; k < 3; ++k) positions[i][k] = c->x[k][place(c, i / c->size, i % c->size)];
  return true;
}

int main(int argc, char **argv) {
  return peer_main(&(peer_program){"grid", create, step, read, destroy}, argc, argv);
}
