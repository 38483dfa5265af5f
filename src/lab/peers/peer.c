/* peer.c: see peer.h. */
#define _POSIX_C_SOURCE 200809L
#include "peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the sheet ---- */

const peer_colour peer_colours[PEER_COLOURS] = {
    {0, 1, 0}, {0, 1, 1}, {0, 2, 0}, {0, 2, 1}, {1, 0, 0},
    {1, 1, 0}, {1, 0, 1}, {1, 1, 1}, {2, 0, 0}, {2, 0, 1},
};

bool peer_has(const peer_colour *c, int size, int row, int column) {
  int span = c->down ? row / c->down : column / c->right;
  return row + c->down < size && column + c->right < size && span % 2 == c->phase;
}

float peer_rest(const peer_colour *c, int size) {
  return (float)(sqrt((double)(c->down * c->down + c->right * c->right)) / (size - 1));
}

int peer_count(const peer_colour *c, int size) {
  int count = 0;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) count += peer_has(c, size, i, j);
  return count;
}

int peer_count_all(int size) {
  int count = 0;
  for (int k = 0; k < PEER_COLOURS; ++k) count += peer_count(&peer_colours[k], size);
  return count;
}

void peer_start(int size, int row, int column, float xyz[3]) {
  double x = (double)column / (size - 1) - 0.5, z = (double)row / (size - 1);
  xyz[0] = (float)x;
  xyz[1] = (float)(0.001 * sin(9 * x) * cos(7 * z));
  xyz[2] = (float)z;
}

float peer_inverse_mass(int size, int row, int column) {
  return row == 0 && (column == 0 || column == size - 1) ? 0.0f : 1.0f;
}

void *peer_alloc(unsigned long bytes) {
  unsigned long rounded = (bytes + 63) / 64 * 64;
  void *memory = aligned_alloc(64, rounded);
  if (!memory) {
    fprintf(stderr, "no memory for %lu bytes\n", bytes);
    exit(1);
  }
  return memset(memory, 0, rounded);
}

/* ---- measuring ---- */

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct measured {
  const peer_task *task;
  double *ms;       /* [frames], ascending once all are there */
  double processor; /* ms a frame, of all threads together */
  float (*positions)[3];
} measured;

static bool run_frames(const peer_program *p, void *cloth, measured *m) {
  double before = seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (int f = 0; f < m->task->frames; ++f) {
    double begin = seconds(CLOCK_MONOTONIC);
    if (!p->step(cloth)) return false;
    m->ms[f] = 1e3 * (seconds(CLOCK_MONOTONIC) - begin);
  }
  m->processor = 1e3 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - before) / m->task->frames;
  qsort(m->ms, (size_t)m->task->frames, sizeof *m->ms, ascending);
  return p->read(cloth, m->positions);
}

/* ---- the report ---- */

static double distance(const float a[3], const float b[3]) {
  double x = (double)a[0] - b[0], y = (double)a[1] - b[1], z = (double)a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

/* The 99th percentile of |length/rest - 1| over constraints that are not there against bending. */
static double strain_p99(const measured *m) {
  int size = m->task->size, count = 0;
  double *strain = peer_alloc((unsigned long)peer_count_all(size) * sizeof *strain);
  for (int k = 0; k < PEER_COLOURS; ++k) {
    const peer_colour *c = &peer_colours[k];
    if (c->down > 1 || c->right > 1) continue;
    for (int i = 0; i < size * size; ++i)
      if (peer_has(c, size, i / size, i % size))
        strain[count++] =
            fabs(distance(m->positions[i], m->positions[i + c->down * size + c->right]) /
                     (double)peer_rest(c, size) -
                 1);
  }
  qsort(strain, (size_t)count, sizeof *strain, ascending);
  double p99 = strain[(int)(0.99 * (count - 1))];
  free(strain);
  return p99;
}

static double lowest(const measured *m) {
  double y = (double)m->positions[0][1];
  for (int i = 1; i < m->task->size * m->task->size; ++i) y = fmin(y, (double)m->positions[i][1]);
  return y;
}

static void print_report(const char *name, const measured *m) {
  int count = peer_count_all(m->task->size);
  double median = m->ms[m->task->frames / 2];
  printf(
      "{\"program\": \"%s\", \"threads\": %d, \"size\": %d, \"constraints\": %d, \"frames\": %d, "
      "\"ms_median\": %.4f, \"ms_least\": %.4f, \"processor_ms\": %.4f, \"ns_projection\": %.4f, "
      "\"strain_p99\": %.6f, \"lowest_m\": %.6f}\n",
      name, m->task->threads, m->task->size, count, m->task->frames, median, m->ms[0], m->processor,
      1e6 * median / ((double)count * PEER_SUBSTEPS), strain_p99(m), lowest(m));
}

static bool write_positions(const char *path, const measured *m) {
  size_t count = (size_t)m->task->size * (size_t)m->task->size;
  FILE *file = fopen(path, "wb");
  bool done = file && fwrite(m->positions, sizeof *m->positions, count, file) == count;
  if (file && fclose(file) != 0) done = false;
  if (!done) fprintf(stderr, "%s could not be written\n", path);
  return done;
}

/* ---- the command line ---- */

static bool read_number(const char *text, int low, int high, int *number) {
  char *end;
  long value = strtol(text, &end, 10);
  *number = (int)value;
  return end != text && !*end && value >= low && value <= high;
}

static bool run(const peer_program *p, measured *m) {
  void *cloth = p->create(m->task);
  bool done = cloth && run_frames(p, cloth, m);
  if (done) print_report(p->name, m);
  if (done && m->task->positions) done = write_positions(m->task->positions, m);
  if (cloth) p->destroy(cloth);
  return done;
}

static bool read_task(int argc, char **argv, peer_task *t) {
  if (argc < 4 || argc > 6 || !read_number(argv[1], 4, 4096, &t->size)) return false;
  if (!read_number(argv[2], 1, 64, &t->threads) || !read_number(argv[3], 1, 100000, &t->frames))
    return false;
  t->positions = argc > 4 ? argv[4] : NULL;
  t->order = argc > 5 ? argv[5] : NULL;
  return true;
}

int peer_main(const peer_program *program, int argc, char **argv) {
  peer_task task;
  if (!read_task(argc, argv, &task)) {
    fprintf(stderr, "usage: %s SIZE(4-4096) THREADS(1-64) FRAMES(1-100000) [POSITIONS [ORDER]]\n",
            program->name);
    return 2;
  }
  unsigned long particles = (unsigned long)task.size * (unsigned long)task.size;
  measured m = {.task = &task};
  m.ms = peer_alloc((unsigned long)task.frames * sizeof *m.ms);
  m.positions = peer_alloc(particles * sizeof *m.positions);
  bool done = run(program, &m);
  free(m.ms);
  free(m.positions);
  return done ? 0 : 1;
}
