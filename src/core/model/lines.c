/* lines.c: joins edges into lines where they continue straight. */
#include "lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "vec3d.h"

/* Two edges at a particle continue straight if they bend by at most 32 degrees. */
static const double straight = -0.85;

/* At a particle with more edges than this no pairs are searched. */
enum { MAX_EDGES = 64 };

typedef struct edge {
  uint32_t a, b, group, constraint;
} edge;

typedef struct work {
  const weft_model *model;
  edge *edges;
  uint32_t count;
  uint32_t *offsets, *at; /* edges at each particle, CSR */
  uint32_t *next;         /* [2*count] the edge that continues at a, at b; UINT32_MAX for none */
  bool *done;             /* [count] */
  uint32_t *colours;      /* [lines] */
  uint64_t *taken;        /* [particles] colours of the lines there */
} work;

static bool wanted(const weft_model *model, const weft_constraint_group *g, uint32_t i) {
  uint32_t a = g->particles[2 * (size_t)i], b = g->particles[2 * (size_t)i + 1];
  if (g->damping[i] > 0) return false;
  /* On a grid bends reach across edges between pins, so these count. */
  bool held = model->inverse_masses[a] == 0 && model->inverse_masses[b] == 0;
  return weft_along_thread(model, a, b) && (!held || model->grid_rows > 0);
}

static void collect_edges(work *w) {
  uint32_t max = 0;
  for (uint32_t g = 0; g < w->model->group_count; ++g) max += w->model->groups[g].count;
  w->edges = weft_alloc(max, sizeof *w->edges);
  for (uint32_t k = 0; k < w->model->group_count; ++k) {
    const weft_constraint_group *g = &w->model->groups[k];
    bool stretch = g->type == WEFT_CONSTRAINT_DISTANCE && g->role == WEFT_ROLE_STRETCH;
    if (!stretch || g->sense != WEFT_SENSE_EQUAL) continue;
    for (uint32_t i = 0; i < g->count; ++i) {
      if (!wanted(w->model, g, i)) continue;
      w->edges[w->count++] =
          (edge){g->particles[2 * (size_t)i], g->particles[2 * (size_t)i + 1], k, i};
    }
  }
}

static void collect_at(work *w) {
  uint32_t n = w->model->particle_count;
  w->offsets = weft_alloc(n + 2ull, sizeof *w->offsets);
  w->at = weft_alloc(2 * (size_t)w->count, sizeof *w->at);
  uint32_t *fill = w->offsets + 1;
  for (uint32_t e = 0; e < w->count; ++e) {
    ++fill[w->edges[e].a + 1];
    ++fill[w->edges[e].b + 1];
  }
  for (uint32_t p = 0; p < n; ++p) fill[p + 1] += fill[p];
  for (uint32_t e = 0; e < w->count; ++e) {
    w->at[fill[w->edges[e].a]++] = e;
    w->at[fill[w->edges[e].b]++] = e;
  }
}

/* ---- which edge continues which ---- */

static weft_vec3d direction(const work *w, uint32_t e, uint32_t p) {
  const weft_vec3 *x = w->model->rest_positions;
  uint32_t q = w->edges[e].a == p ? w->edges[e].b : w->edges[e].a;
  weft_vec3d d = weft_v3d_sub(weft_v3d_from(x[q]), weft_v3d_from(x[p]));
  double length = weft_v3d_length(d);
  return weft_v3d_scale(d, length > 0 ? 1 / length : 0);
}

static void join(work *w, uint32_t e, uint32_t f, uint32_t p) {
  w->next[2 * (size_t)e + (w->edges[e].b == p)] = f;
  w->next[2 * (size_t)f + (w->edges[f].b == p)] = e;
}

/* Pairs edges at a particle, the straightest pair first. */
static void pair_at(work *w, uint32_t p) {
  uint32_t count = w->offsets[p + 1] - w->offsets[p];
  if (count < 2 || count > MAX_EDGES) return;
  const uint32_t *edges = w->at + w->offsets[p];
  weft_vec3d d[MAX_EDGES];
  bool used[MAX_EDGES] = {false};
  for (uint32_t k = 0; k < count; ++k) d[k] = direction(w, edges[k], p);
  while (true) {
    double best = straight;
    uint32_t first = UINT32_MAX, second = UINT32_MAX;
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t j = i + 1; j < count && !used[i]; ++j) {
        double cosine = used[j] ? 1 : weft_v3d_dot(d[i], d[j]);
        if (cosine >= best) continue;
        best = cosine;
        first = i;
        second = j;
      }
    }
    if (first == UINT32_MAX) return;
    used[first] = used[second] = true;
    join(w, edges[first], edges[second], p);
  }
}

/* ---- lines ---- */

static uint32_t end_of(const work *w, uint32_t e, uint32_t from) {
  return w->edges[e].a == from ? w->edges[e].b : w->edges[e].a;
}

/* Goes back from an edge to the first one of its line, or around a ring to the next edge. Also
 * the number of edges of a piece: a ring is cut in two. */
static uint32_t beginning(const work *w, uint32_t e, uint32_t *from, uint32_t *max) {
  uint32_t at = e, p = w->edges[e].a, length = 1;
  *max = WEFT_LINE_MAX;
  while (true) {
    uint32_t before = w->next[2 * (size_t)at + (w->edges[at].b == p)];
    if (before == UINT32_MAX || w->done[before]) break;
    if (before == e) {
      if ((length + 1) / 2 < *max) *max = (length + 1) / 2;
      break;
    }
    p = end_of(w, before, p);
    at = before;
    ++length;
  }
  *from = p;
  return at;
}

static void add_edge(weft_lines *lines, const work *w, uint32_t e, uint32_t from) {
  size_t k = lines->edge_count++;
  lines->particles[2 * k] = from;
  lines->particles[2 * k + 1] = end_of(w, e, from);
  lines->groups[k] = w->edges[e].group;
  lines->constraints[k] = w->edges[e].constraint;
}

static void end_line(weft_lines *lines) { lines->offsets[++lines->line_count] = lines->edge_count; }

/* Writes one line from its first edge to its last, split where it exceeds the most edges or
 * meets a particle again; `seen` holds the number of the last piece at each particle. */
static void follow(weft_lines *lines, work *w, uint32_t e, uint32_t from, uint32_t max,
                   uint32_t *seen) {
  uint32_t length = 0;
  while (true) {
    uint32_t to = end_of(w, e, from), piece = lines->line_count + 1;
    bool again = length > 0 && seen[to] == piece;
    if (length == max || again) {
      end_line(lines);
      piece = lines->line_count + 1;
      length = 0;
    }
    seen[from] = seen[to] = piece;
    w->done[e] = true;
    add_edge(lines, w, e, from);
    ++length;
    uint32_t next = w->next[2 * (size_t)e + (w->edges[e].b == to)];
    if (next == UINT32_MAX || w->done[next]) break;
    e = next;
    from = to;
  }
  end_line(lines);
}

/* ---- colours ---- */

/* The lowest colour free at all particles of each line; lines without a free colour are dropped. */
static void colour_lines(const weft_lines *lines, work *w) {
  for (uint32_t l = 0; l < lines->line_count; ++l) {
    uint64_t taken = 0;
    for (size_t k = 2 * (size_t)lines->offsets[l]; k < 2 * (size_t)lines->offsets[l + 1]; ++k) {
      taken |= w->taken[lines->particles[k]];
    }
    uint32_t colour = 0;
    while (colour < WEFT_LINE_COLOURS && taken >> colour & 1) ++colour;
    w->colours[l] = colour;
    if (colour == WEFT_LINE_COLOURS) continue;
    for (size_t k = 2 * (size_t)lines->offsets[l]; k < 2 * (size_t)lines->offsets[l + 1]; ++k) {
      w->taken[lines->particles[k]] |= (uint64_t)1 << colour;
    }
  }
}

static void copy_line(const weft_lines *from, uint32_t l, weft_lines *to) {
  for (uint32_t e = from->offsets[l]; e < from->offsets[l + 1]; ++e) {
    size_t k = to->edge_count++;
    to->particles[2 * k] = from->particles[2 * (size_t)e];
    to->particles[2 * k + 1] = from->particles[2 * (size_t)e + 1];
    to->groups[k] = from->groups[e];
    to->constraints[k] = from->constraints[e];
  }
  end_line(to);
}

static void allocate(weft_lines *lines, uint32_t max) {
  *lines = (weft_lines){0};
  lines->offsets = weft_alloc(max + 1ull, sizeof *lines->offsets);
  lines->particles = weft_alloc(2 * (size_t)max, sizeof *lines->particles);
  lines->groups = weft_alloc(max, sizeof *lines->groups);
  lines->constraints = weft_alloc(max, sizeof *lines->constraints);
}

/* By colour, and within a colour longest first, so that lines solved side by side have similar
 * lengths. */
typedef struct rank {
  uint32_t colour, length, line;
} rank;

static int by_rank(const void *a, const void *b) {
  const rank *p = a, *q = b;
  if (p->colour != q->colour) return p->colour < q->colour ? -1 : 1;
  if (p->length != q->length) return p->length > q->length ? -1 : 1;
  return p->line < q->line ? -1 : p->line > q->line;
}

static void sort_lines(const weft_lines *raw, const work *w, weft_lines *lines) {
  rank *ranks = weft_alloc(raw->line_count, sizeof *ranks);
  for (uint32_t l = 0; l < raw->line_count; ++l) {
    ranks[l] = (rank){w->colours[l], raw->offsets[l + 1] - raw->offsets[l], l};
  }
  if (raw->line_count) qsort(ranks, raw->line_count, sizeof *ranks, by_rank);
  for (uint32_t k = 0; k < raw->line_count; ++k) {
    if (ranks[k].colour == WEFT_LINE_COLOURS) break;
    while (lines->colour_count <= ranks[k].colour) {
      lines->colour_first[lines->colour_count++] = lines->line_count;
    }
    copy_line(raw, ranks[k].line, lines);
  }
  lines->colour_first[lines->colour_count] = lines->line_count;
  weft_free(ranks);
}

void weft_lines_build(const weft_model *model, weft_lines *lines) {
  work w = {.model = model};
  collect_edges(&w);
  collect_at(&w);
  w.next = weft_alloc(2 * (size_t)w.count, sizeof *w.next);
  memset(w.next, 0xff, 2 * (size_t)w.count * sizeof *w.next);
  for (uint32_t p = 0; p < model->particle_count; ++p) pair_at(&w, p);
  w.done = weft_alloc(w.count, sizeof *w.done);
  weft_lines raw;
  allocate(&raw, w.count);
  uint32_t *seen = weft_alloc(model->particle_count, sizeof *seen);
  for (uint32_t e = 0; e < w.count; ++e) {
    if (w.done[e]) continue;
    uint32_t from, max, first = beginning(&w, e, &from, &max);
    follow(&raw, &w, first, from, max, seen);
  }
  w.colours = weft_alloc(raw.line_count, sizeof *w.colours);
  w.taken = weft_alloc(model->particle_count, sizeof *w.taken);
  colour_lines(&raw, &w);
  allocate(lines, w.count);
  sort_lines(&raw, &w, lines);
  weft_lines_free(&raw);
  weft_free(seen);
  weft_free(w.edges);
  weft_free(w.offsets);
  weft_free(w.at);
  weft_free(w.next);
  weft_free(w.done);
  weft_free(w.colours);
  weft_free(w.taken);
}

void weft_lines_free(weft_lines *lines) {
  weft_free(lines->offsets);
  weft_free(lines->particles);
  weft_free(lines->groups);
  weft_free(lines->constraints);
  *lines = (weft_lines){0};
}
