/* coloured.c: cloth as most write it first: an array of particles, a list of distance constraints
 * sorted by colour, and a loop over each colour that threads share. Knows nothing of a grid once
 * the list is made. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "peer.h"

typedef struct particle {
  float x[3], old[3], v[3], w; /* m, m, m/s, inverse mass */
} particle;

typedef struct constraint {
  int a, b;
  float rest; /* m */
} constraint;

enum { MOST_COLOURS = 64 };

typedef struct cloth {
  int size, threads, particle_count;
  particle *particles;
  constraint *constraints;
  int colour_count, first[MOST_COLOURS + 1]; /* where each colour begins */
} cloth;

static void list_colour(cloth *c, int k) {
  const peer_colour *colour = &peer_colours[k];
  int count = c->first[k];
  for (int i = 0; i < c->particle_count; ++i) {
    if (!peer_has(colour, c->size, i / c->size, i % c->size)) continue;
    int b = i + colour->down * c->size + colour->right;
    c->constraints[count++] = (constraint){i, b, peer_rest(colour, c->size)};
  }
  c->first[k + 1] = count;
}

static void destroy(void *cloth_) {
  cloth *c = cloth_;
  free(c->particles);
  free(c->constraints);
  free(c);
}

/* The colours of peer.h. */
static bool list_all(cloth *c) {
  c->colour_count = PEER_COLOURS;
  for (int k = 0; k < PEER_COLOURS; ++k) list_colour(c, k);
  return true;
}

static bool take_constraint(cloth *c, int at, int colour, int a, int b) {
  if (a < 0 || b < 0 || a >= c->particle_count || b >= c->particle_count || a == b) return false;
  if (colour < c->colour_count - 1 || colour > c->colour_count || colour >= MOST_COLOURS)
    return false;
  peer_colour between = {abs(b / c->size - a / c->size), abs(b % c->size - a % c->size), 0};
  c->constraints[at] = (constraint){a, b, peer_rest(&between, c->size)};
  c->colour_count = colour + 1;
  c->first[colour + 1] = at + 1;
  return true;
}

/* Those of a file, in its order. */
static bool read_order(cloth *c, const char *path) {
  FILE *file = fopen(path, "r");
  int count = peer_count_all(c->size), at = 0, colour, a, b;
  while (file && at < count && fscanf(file, "%d %d %d", &colour, &a, &b) == 3 &&
         take_constraint(c, at, colour, a, b))
    ++at;
  if (file) fclose(file);
  if (at < count) fprintf(stderr, "%s: line %d of %d is missing or wrong\n", path, at + 1, count);
  return at == count;
}

static void *create(const peer_task *task) {
  int size = task->size;
  cloth *c = peer_alloc(sizeof *c);
  c->size = size;
  c->threads = task->threads;
  c->particle_count = size * size;
  c->particles = peer_alloc((unsigned long)c->particle_count * sizeof *c->particles);
  c->constraints = peer_alloc((unsigned long)peer_count_all(size) * sizeof *c->constraints);
  for (int i = 0; i < c->particle_count; ++i) {
    peer_start(size, i / size, i % size, c->particles[i].x);
    c->particles[i].w = peer_inverse_mass(size, i / size, i % size);
  }
  if (task->order ? read_order(c, task->order) : list_all(c)) return c;
  destroy(c);
  return NULL;
}

static void predict(particle *p, float dt) {
  if (p->w == 0) return;
  p->v[1] -= (float)PEER_GRAVITY * dt;
  for (int k = 0; k < 3; ++k) {
    p->old[k] = p->x[k];
    p->x[k] += p->v[k] * dt;
  }
}

/* XPBD with compliance 0: both ends move along the constraint by their part of its error. */
static void project(const constraint *c, particle *particles) {
  particle *a = &particles[c->a], *b = &particles[c->b];
  float dx = b->x[0] - a->x[0], dy = b->x[1] - a->x[1], dz = b->x[2] - a->x[2];
  float part = (1 - c->rest / sqrtf(1e-30f + dx * dx + dy * dy + dz * dz)) / (a->w + b->w);
  float pa = a->w * part, pb = b->w * part;
  a->x[0] += pa * dx, a->x[1] += pa * dy, a->x[2] += pa * dz;
  b->x[0] -= pb * dx, b->x[1] -= pb * dy, b->x[2] -= pb * dz;
}

static void update_velocity(particle *p, float per_dt) {
  if (p->w == 0) return;
  for (int k = 0; k < 3; ++k) p->v[k] = (p->x[k] - p->old[k]) * per_dt;
}

/* Each thread runs it; loops are shared, with a barrier after each. */
static void substep(cloth *c) {
#pragma omp for schedule(static)
  for (int i = 0; i < c->particle_count; ++i) predict(&c->particles[i], (float)PEER_DT);
  for (int k = 0; k < c->colour_count; ++k) {
#pragma omp for schedule(static)
    for (int i = c->first[k]; i < c->first[k + 1]; ++i) project(&c->constraints[i], c->particles);
  }
#pragma omp for schedule(static)
  for (int i = 0; i < c->particle_count; ++i)
    update_velocity(&c->particles[i], (float)(1 / PEER_DT));
}

static bool step(void *cloth_) {
  cloth *c = cloth_;
#pragma omp parallel num_threads(c->threads)
  for (int s = 0; s < PEER_SUBSTEPS; ++s) substep(c);
  return true;
}

static bool read(void *cloth_, float (*positions)[3]) {
  cloth *c = cloth_;
  for (int i = 0; i < c->particle_count; ++i)
    for (int k = 0; k < 3; ++k) positions[i][k] = c->particles[i].x[k];
  return true;
}

int main(int argc, char **argv) {
  return peer_main(&(peer_program){"coloured", create, step, read, destroy}, argc, argv);
}
