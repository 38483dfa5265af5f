/* contents_bends.c: bends along the lines of a grid as equations.
 *
 * A sweep over hinges carries bending across a few cells only, so fine grids would lose it.
 * Where lines are solved as a whole, bending along them is, too. A bend is the second difference
 * C of three particles at distances h. Its energy, the rigidity B times the square of C/h^2
 * times half the cloth's area that belongs to it, is that of the plate along the line. Hinges
 * over diagonals keep the twist: half of what all hinges together give it, as in the plate.
 *
 * The matrix of a line is the same in every substep: it is reduced here, in double precision.
 * Compiled twice, see src/core/solver_f64/double.h. */
#include <math.h>
#include <string.h>

#include "exact.h"
#include "fill.h"
#include "lines.h"

/* A compliance below this fraction of the weights is lost in a float. */
static const double least_compliance = 1e-6;
/* Lines solve bends whose alpha~ is below so many times the weight of a particle: a hinge over
 * an edge of squares has four of these. */
static const double kept_by_hinges = 4 * WEFT_HINGES_KEEP;
/* Tables that differ by no more are shared: masses of equal cells differ by rounding. Not in
 * doubles, with which the other backends are compared. */
static const double alike = sizeof(float) == sizeof(double) ? 0 : 1e-4;
/* Relative tolerance for equal edges of a line. */
static const double even = 1e-3;
/* How many of the last tables are searched for an equal one. */
enum { LOOK_BACK = 16 };

/* 1/alpha of bends, times h^2: hinges over edges along rows bend along columns, and hinges over
 * edges along columns along rows. */
typedef struct stiffness {
  double *of_rows, *of_columns;     /* [particles] */
  double *row_edges, *column_edges; /* [particles] m, to the next in the row or column */
} stiffness;

/* ---- whether lines solve bending ---- */

static bool is_bending(const weft_constraint_group *g) { return g->role == WEFT_ROLE_BENDING; }

static bool hinges_allow(const weft_constraint_group *g) {
  if (g->type != WEFT_CONSTRAINT_ISOMETRIC) return false;
  for (uint32_t i = 0; i < g->count; ++i) {
    if (g->damping[i] > 0 || !(g->compliance[i] > 0)) return false;
  }
  return true;
}

/* Whether lines are whole rows and columns, each of edges of equal length. */
static bool lines_allow(const weft_model *model, const weft_lines *lines) {
  uint32_t rows = model->grid_rows, columns = model->grid_columns;
  if (rows < 2 || columns < 2 || lines->line_count != rows + columns) return false;
  for (uint32_t l = 0; l < lines->line_count; ++l) {
    uint32_t first = lines->offsets[l], end = lines->offsets[l + 1];
    uint32_t a = lines->particles[2 * (size_t)first], b = lines->particles[2 * (size_t)first + 1];
    if (end - first != (a / columns == b / columns ? columns : rows) - 1) return false;
    double length = 0;
    for (uint32_t e = first; e < end; ++e) {
      double rest = (double)model->groups[lines->groups[e]].rest[lines->constraints[e]];
      if (e == first) length = rest;
      if (fabs(rest - length) > even * length) return false;
    }
  }
  return true;
}

static bool active(const weft_model *model, const weft_params *params, const weft_lines *lines) {
  bool any = false;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    if (!is_bending(&model->groups[g])) continue;
    if (!hinges_allow(&model->groups[g])) return false;
    any = true;
  }
  return any && params->mode == WEFT_MODE_GS && lines_allow(model, lines);
}

/* ---- hinges ---- */

static void measure_edges(const weft_model *model, const weft_lines *lines, const stiffness *to) {
  for (uint32_t e = 0; e < lines->edge_count; ++e) {
    uint32_t a = lines->particles[2 * (size_t)e], b = lines->particles[2 * (size_t)e + 1];
    double rest = (double)model->groups[lines->groups[e]].rest[lines->constraints[e]];
    bool row = a / model->grid_columns == b / model->grid_columns;
    (row ? to->row_edges : to->column_edges)[a < b ? a : b] = rest;
  }
}

/* A hinge over a diagonal of cells h by g has K = s (1, 1, -1, -1), so C = s h g times the
 * twist. */
static void keep_twist(const weft_constraint_group *g, uint32_t i, double dt,
                       weft_quad_element *element, weft_xpbd *terms) {
  double s = (double)g->weights[4 * (size_t)i], times = s * s / 2;
  if (element->data.w == 0) return;
  double compliance = (double)g->compliance[i] / (dt * dt);
  double weight = 1 / (double)element->data.w - compliance;
  element->data.w = (float)(1 / (weight + times * compliance));
  terms->compliance = (float)(times * (double)terms->compliance);
}

/* Removes hinges over rows and columns; `left` counts the remaining ones of each batch. */
static void take_hinges(const weft_model *model, const weft_params *params, uint32_t group,
                        weft_contents *contents, uint32_t *left) {
  const weft_constraint_group *g = &model->groups[group];
  uint32_t base = weft_group_base(model, group), colour = 0;
  weft_quad_element *elements = contents->buffers[WEFT_BUFFER_ISOMETRIC].data;
  weft_xpbd *terms = contents->buffers[WEFT_BUFFER_ISOMETRIC_XPBD].data;
  double dt = (double)params->frame_dt / params->substeps;
  for (uint32_t i = 0; i < g->count; ++i) {
    const uint32_t *edge = &g->particles[4 * (size_t)i];
    while (g->colour_first[colour + 1] <= i) ++colour;
    if (weft_along_thread(model, edge[0], edge[1])) {
      elements[base + i].data.w = 0;
      --left[colour];
    } else {
      keep_twist(g, i, dt, &elements[base + i], &terms[base + i]);
    }
  }
}

static void add_stiffness(const weft_model *model, const weft_constraint_group *g,
                          const stiffness *to) {
  uint32_t columns = model->grid_columns;
  for (uint32_t i = 0; i < g->count; ++i) {
    const uint32_t *edge = &g->particles[4 * (size_t)i];
    if (!weft_along_thread(model, edge[0], edge[1])) continue;
    bool row = edge[0] / columns == edge[1] / columns;
    double e = (row ? to->row_edges : to->column_edges)[edge[0] < edge[1] ? edge[0] : edge[1]];
    double stiff = e * e / (2 * (double)g->compliance[i]), *by = row ? to->of_columns : to->of_rows;
    by[edge[0]] += stiff;
    by[edge[1]] += stiff;
  }
}

/* alpha~ of the bend at a particle of a line with edges of length h. */
static double bend_compliance(const weft_model *model, const stiffness *s, const uint32_t *edge,
                              double h, double dt) {
  bool row = edge[0] / model->grid_columns == edge[1] / model->grid_columns;
  return h * h / ((row ? s->of_rows : s->of_columns)[edge[1]] * dt * dt);
}

/* Whether a sweep over hinges would lose bending along lines. */
static bool are_needed(const weft_model *model, const weft_params *params, const weft_lines *lines,
                       const stiffness *s) {
  double dt = (double)params->frame_dt / params->substeps;
  for (uint32_t l = 0; l < lines->line_count; ++l) {
    for (uint32_t e = lines->offsets[l]; e + 1 < lines->offsets[l + 1]; ++e) {
      const uint32_t *edge = &lines->particles[2 * (size_t)e];
      double h = (double)model->groups[lines->groups[e]].rest[lines->constraints[e]];
      double soft = bend_compliance(model, s, edge, h, dt);
      if (soft < kept_by_hinges * (double)model->inverse_masses[edge[1]]) return true;
    }
  }
  return false;
}

/* ---- matrices ---- */

typedef struct block {
  double m[2][2];
} block;

static block times(const block *a, const block *b) {
  block c;
  for (int r = 0; r < 2; ++r) {
    for (int k = 0; k < 2; ++k) c.m[r][k] = a->m[r][0] * b->m[0][k] + a->m[r][1] * b->m[1][k];
  }
  return c;
}

static block less(const block *a, const block *b) {
  block c;
  for (int r = 0; r < 2; ++r) {
    for (int k = 0; k < 2; ++k) c.m[r][k] = a->m[r][k] - b->m[r][k];
  }
  return c;
}

static block inverse(const block *a) {
  double det = a->m[0][0] * a->m[1][1] - a->m[0][1] * a->m[1][0];
  return (block){{{a->m[1][1] / det, -a->m[0][1] / det}, {-a->m[1][0] / det, a->m[0][0] / det}}};
}

static float number(double value) { return fabs(value) < WEFT_FLUSH ? 0 : (float)value; }

static void put(vec4 *to, const block *b) {
  *to = (vec4){number(b->m[0][0]), number(b->m[0][1]), number(b->m[1][0]), number(b->m[1][1])};
}

/* The block equations of a bundle: the coupling to the previous block, the block itself, and the
 * coupling to the next. */
typedef struct equations {
  uint32_t blocks;
  block *before, *own, *after;
} equations;

/* Cyclic reduction, see shaders/passes/project_bends.h: three matrices a block, its inverse and
 * the factors of both neighbours' multipliers; then two for each reduction step. */
static void reduce(equations *q, uint32_t steps, vec4 *table) {
  const block none = {{{0}}};
  vec4 *next = table + 3 * (size_t)q->blocks;
  for (uint32_t s = 0; s <= steps; ++s) {
    uint32_t stride = 1u << s;
    for (uint32_t b = stride - 1; b < q->blocks; b += s == steps ? stride : 2 * stride) {
      block own = inverse(&q->own[b]);
      block before = times(&own, &q->before[b]), after = times(&own, &q->after[b]);
      put(&table[3 * (size_t)b], &own);
      put(&table[3 * (size_t)b + 1], &before);
      put(&table[3 * (size_t)b + 2], &after);
    }
    for (uint32_t b = 2 * stride - 1; b < q->blocks && s < steps; b += 2 * stride, next += 2) {
      uint32_t l = b - stride, r = b + stride;
      block inverse_l = inverse(&q->own[l]), by_l = times(&q->before[b], &inverse_l), by_r = none;
      block part = times(&by_l, &q->after[l]);
      q->own[b] = less(&q->own[b], &part);
      part = times(&by_l, &q->before[l]);
      q->before[b] = less(&none, &part);
      if (r < q->blocks) {
        block inverse_r = inverse(&q->own[r]);
        by_r = times(&q->after[b], &inverse_r);
        part = times(&by_r, &q->before[r]);
        q->own[b] = less(&q->own[b], &part);
        part = times(&by_r, &q->after[r]);
        q->after[b] = less(&none, &part);
      } else {
        q->after[b] = none;
      }
      put(&next[0], &by_l);
      put(&next[1], &by_r);
    }
  }
}

/* ---- bundles ---- */

/* Coefficients of the equations of a bundle, edge by edge: the weights of its ends, and the
 * compliance of the bend at its end, 0 where the line ends. */
typedef struct bends {
  uint32_t count;
  double *a, *b, *compliance;
} bends;

static bool close_to(const double *x, const double *y, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    if (fabs(x[k] - y[k]) > alike * fmax(fabs(x[k]), fabs(y[k]))) return false;
  }
  return true;
}

static bool are_alike(const bends *x, const bends *y) {
  return x->count == y->count && close_to(x->a, y->a, x->count) && close_to(x->b, y->b, x->count) &&
         close_to(x->compliance, y->compliance, x->count);
}

static bends bends_of(uint32_t count) {
  return (bends){count, weft_alloc(count, sizeof(double)), weft_alloc(count, sizeof(double)),
                 weft_alloc(count, sizeof(double))};
}

static void free_bends(bends *b) {
  weft_free(b->a);
  weft_free(b->b);
  weft_free(b->compliance);
}

static bool goes_on(const bends *b, uint32_t k) { return k < b->count && b->compliance[k] > 0; }

/* The row of bend k: its diagonal, and the two couplings after it. */
static void equation(const bends *b, uint32_t k, double to[3]) {
  to[0] = 1;
  to[1] = to[2] = 0;
  if (!goes_on(b, k)) return;
  double last = b->b[k + 1];
  to[0] = b->compliance[k] + b->a[k] + 4 * b->b[k] + last;
  if (!goes_on(b, k + 1)) return;
  to[1] = -2 * (b->b[k] + last);
  if (goes_on(b, k + 2)) to[2] = last;
}

static void set_up(const bends *b, equations *q) {
  q->blocks = (b->count + 1) / 2;
  for (uint32_t k = 0; k < q->blocks; ++k) {
    double upper[3], lower[3], before[3] = {0};
    equation(b, 2 * k, upper);
    equation(b, 2 * k + 1, lower);
    q->own[k] = (block){{{upper[0], upper[1]}, {upper[1], lower[0]}}};
    q->after[k] = (block){{{upper[2], 0}, {lower[1], lower[2]}}};
    if (k > 0) equation(b, 2 * k - 2, before);
    double above[3] = {0};
    if (k > 0) equation(b, 2 * k - 1, above);
    q->before[k] = (block){{{before[2], above[1]}, {0, above[2]}}};
  }
}

/* Weights and compliances of the line that begins at edge `first`, divided by the largest
 * weight, whose reciprocal is the scale. Returns the end of the line. */
static uint32_t measure_line(const weft_model *model, const weft_line_edge *edges, double dt,
                             const stiffness *stiff, uint32_t first, bends *b, float *scales) {
  uint32_t end = first + 1;
  while (end < b->count && edges[end].a == edges[end - 1].b) ++end;
  double max = (double)model->inverse_masses[edges[first].a];
  for (uint32_t k = first; k < end; ++k) max = fmax(max, (double)model->inverse_masses[edges[k].b]);
  double scale = max > 0 ? 1 / max : 1;
  for (uint32_t k = first; k < end; ++k) {
    const uint32_t edge[2] = {edges[k].a, edges[k].b};
    double h = (double)edges[k].rest_length;
    double soft = bend_compliance(model, stiff, edge, h, dt) * scale;
    b->a[k] = scale * (double)model->inverse_masses[edges[k].a];
    b->b[k] = scale * (double)model->inverse_masses[edges[k].b];
    b->compliance[k] = k + 1 < end ? fmax(soft, least_compliance) : 0;
    scales[k] = (float)scale;
  }
  return end;
}

/* Tables so far. */
typedef struct tables {
  vec4 *matrices;
  size_t count, capacity;
  bends last[LOOK_BACK];
  uint32_t at[LOOK_BACK], made;
} tables;

static uint32_t table_of(tables *t, bends *b, uint32_t steps) {
  for (uint32_t k = 0; k < LOOK_BACK && k < t->made; ++k) {
    if (are_alike(&t->last[k], b)) {
      free_bends(b);
      return t->at[k];
    }
  }
  uint32_t at = (uint32_t)t->count, slot = t->made++ % LOOK_BACK, blocks = (b->count + 1) / 2;
  size_t room = t->count + 5 * (size_t)blocks;
  weft_grow((void **)&t->matrices, &t->capacity, room, sizeof *t->matrices);
  equations q = {0, weft_alloc(blocks, sizeof(block)), weft_alloc(blocks, sizeof(block)),
                 weft_alloc(blocks, sizeof(block))};
  set_up(b, &q);
  memset(t->matrices + at, 0, 5 * (size_t)blocks * sizeof *t->matrices);
  reduce(&q, steps, t->matrices + at);
  t->count = room;
  weft_free(q.before);
  weft_free(q.own);
  weft_free(q.after);
  if (t->made > LOOK_BACK) free_bends(&t->last[slot]);
  t->last[slot] = *b;
  t->at[slot] = at;
  return at;
}

static void fill_tables(const weft_model *model, const weft_params *params, const stiffness *stiff,
                        weft_contents *contents) {
  const weft_line_edge *edges = contents->buffers[WEFT_BUFFER_LINE_EDGES].data;
  const weft_line_bundle *bundles = contents->buffers[WEFT_BUFFER_LINE_BUNDLES].data;
  uint64_t count = contents->buffers[WEFT_BUFFER_LINE_BUNDLES].count;
  uint32_t *to = weft_contents_set(contents, WEFT_BUFFER_LINE_TABLES, count);
  float *scales = weft_contents_set(contents, WEFT_BUFFER_LINE_SCALES,
                                    contents->buffers[WEFT_BUFFER_LINE_EDGES].count);
  double dt = (double)params->frame_dt / params->substeps;
  tables t = {0};
  for (uint64_t k = 0; k < count; ++k) {
    bends b = bends_of(bundles[k].count);
    uint32_t first = bundles[k].first;
    for (uint32_t e = 0; e < b.count;) {
      e = measure_line(model, edges + first, dt, stiff, e, &b, scales + first);
    }
    to[k] = table_of(&t, &b, bundles[k].steps);
  }
  vec4 *matrices = weft_contents_set(contents, WEFT_BUFFER_LINE_BENDS, t.count);
  memcpy(matrices, t.matrices, t.count * sizeof *matrices);
  for (uint32_t k = 0; k < LOOK_BACK && k < t.made; ++k) free_bends(&t.last[k]);
  weft_free(t.matrices);
}

void weft_bends_fill(const weft_model *model, const weft_params *params, const weft_lines *lines,
                     weft_contents *contents) {
  if (!active(model, params, lines)) return;
  double *numbers = weft_alloc(4 * (size_t)model->particle_count, sizeof *numbers);
  size_t n = model->particle_count;
  stiffness s = {numbers, numbers + n, numbers + 2 * n, numbers + 3 * n};
  measure_edges(model, lines, &s);
  for (uint32_t g = 0; g < model->group_count; ++g) {
    if (is_bending(&model->groups[g])) add_stiffness(model, &model->groups[g], &s);
  }
  bool needed = are_needed(model, params, lines, &s);
  uint32_t *left = contents->buffers[WEFT_BUFFER_LINE_LEFT].data;
  for (uint32_t g = 0; g < model->group_count && needed; left += model->groups[g++].colour_count) {
    if (is_bending(&model->groups[g])) take_hinges(model, params, g, contents, left);
  }
  if (needed) fill_tables(model, params, &s, contents);
  weft_free(numbers);
}
