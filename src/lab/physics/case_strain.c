/* case_strain.c: how far a hung sheet stretches when each constraint is projected once a substep.
 *
 * At rest a sweep must lift every particle by exactly what it falls in a substep, G = g dt^2. That
 * one condition decides the pose, whatever the order of the sweep and the number of constraints. On
 * threads alone it is statics: a link's multiplier is G times the mass below it, and what is left
 * of a link is w times the multiplier of each neighbour that is projected after it, which sums up
 * to G N^2/2, as in a chain. Diagonals carry part of the weight, how much depends on the order;
 * there the condition is solved by Newton's method, on a sweep in the plane of this file's own. */
#include <math.h>
#include <string.h>
#include <weft/structure.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"
#include "model.h"

enum { COLUMNS = 5, SUBSTEPS = 20, FRAMES = 75 };
static const double damping = 16, density = (double)0.125f;

typedef struct fabric {
  const char *name;
  bool lone;   /* one diagonal a quad instead of two */
  float shear; /* N/m; 0: no diagonals */
  weft_mode mode;
} fabric;

enum { FABRICS = 7, SIZES = 3 };
static const fabric fabrics[FABRICS] = {
    {"threads alone", true, 0, WEFT_MODE_GS},
    {"one hard diagonal", true, INFINITY, WEFT_MODE_GS},
    {"two hard diagonals", false, INFINITY, WEFT_MODE_GS},
    {"two of 19 N/m", false, 19, WEFT_MODE_GS},
    {"two of 105 N/m", false, 105, WEFT_MODE_GS},
    {"jacobi, one hard", true, INFINITY, WEFT_MODE_JACOBI},
    {"jacobi, two hard", false, INFINITY, WEFT_MODE_JACOBI},
};
static const double sizes[SIZES] = {16, 32, 64};

static weft_model *hang(weft_physics_run *run, const fabric *f, uint32_t edges) {
  weft_grid_desc grid = {.rows = edges + 1, .columns = COLUMNS, .width = 4.0f / (float)edges};
  weft_material material = {.name = f->name,
                            .area_density = (float)density,
                            .stretch_warp = INFINITY,
                            .stretch_weft = INFINITY,
                            .shear = f->shear};
  weft_pin pin = {.rule = WEFT_PIN_TOP};
  weft_mesh mesh = {0};
  weft_model *model = NULL;
  weft_model_desc desc = {.mesh = &mesh,
                          .material = &material,
                          .bending = WEFT_BENDING_NONE,
                          .no_shear = f->lone,
                          .pins = &pin,
                          .pin_count = 1};
  if (weft_physics_ok(run) && weft_mesh_grid(&grid, &mesh, &run->err) == WEFT_OK) {
    weft_model_create(&desc, &model, &run->err);
  }
  weft_mesh_free(&mesh);
  return model;
}

/* ---- theory: a sweep in the plane, in doubles ---- */

typedef struct tie {
  uint32_t a, b;
  double length, soft; /* soft: compliance over dt^2 */
  double share; /* of its correction that it makes: 1, with Jacobi 1 over the most at an end */
} tie;

typedef struct sheet {
  uint32_t rows, count, tie_count, batch_count;
  tie *ties;         /* in the order of the sweep */
  uint32_t *batches; /* [batch_count+1] of ties that go together */
  bool together;     /* Jacobi: all of a batch from the same positions */
  double *w;         /* [count] */
  double fall;       /* G */
} sheet;

static double rest_x(const sheet *s, uint32_t i) { return (double)(i % COLUMNS) / (s->rows - 1); }
static double rest_y(const sheet *s, uint32_t i) { return -(double)(i / COLUMNS) / (s->rows - 1); }

/* A third of each triangle; the top row is held. */
static void weigh(const weft_model *model, sheet *s) {
  double third = density / (6.0 * (s->rows - 1) * (s->rows - 1));
  double *mass = s->w;
  for (uint32_t i = 0; i < 3 * model->triangle_count; ++i) mass[model->triangles[i]] += third;
  for (uint32_t i = 0; i < s->count; ++i) s->w[i] = i < COLUMNS ? 0 : 1 / mass[i];
}

/* Only which constraints there are and their order come from the solver. */
static void order_ties(const weft_structure *from, const fabric *f, double dt, sheet *s) {
  s->ties = weft_alloc(from->order_count, sizeof *s->ties);
  s->batches = weft_alloc(from->batch_count + 1, sizeof *s->batches);
  s->batch_count = from->batch_count;
  for (uint32_t b = 0; b < from->batch_count; ++b) {
    const weft_structure_batch *batch = &from->batches[b];
    for (uint32_t i = 0; i < batch->count; ++i) {
      const uint32_t *p = &from->groups[batch->group].particles[2 * from->order[batch->first + i]];
      tie *t = &s->ties[s->tie_count++];
      *t = (tie){.a = p[0], .b = p[1], .share = 1};
      t->length = hypot(rest_x(s, t->a) - rest_x(s, t->b), rest_y(s, t->a) - rest_y(s, t->b));
      bool diagonal = t->a % COLUMNS != t->b % COLUMNS && t->a / COLUMNS != t->b / COLUMNS;
      if (diagonal && f->shear < INFINITY) t->soft = 1 / ((double)f->shear * dt * dt);
    }
    s->batches[b + 1] = s->tie_count;
  }
}

/* Of those that go together, the most at an end that can move. */
static void share_out(sheet *s) {
  uint32_t *at = weft_alloc(s->count, sizeof *at);
  for (uint32_t b = 0; b < s->batch_count; ++b) {
    for (uint32_t i = s->batches[b]; i < s->batches[b + 1]; ++i) {
      ++at[s->ties[i].a];
      ++at[s->ties[i].b];
    }
    for (uint32_t i = s->batches[b]; i < s->batches[b + 1]; ++i) {
      tie *t = &s->ties[i];
      uint32_t from_a = s->w[t->a] > 0 ? at[t->a] : 1, from_b = s->w[t->b] > 0 ? at[t->b] : 1;
      t->share = 1.0 / (from_a > from_b ? from_a : from_b);
    }
    for (uint32_t i = 0; i < s->count; ++i) at[i] = 0;
  }
  weft_free(at);
}

static void open_sheet(const weft_rig *rig, const fabric *f, uint32_t edges, sheet *s) {
  weft_structure structure = {0};
  double dt = weft_rig_dt(rig);
  *s = (sheet){.rows = edges + 1,
               .count = (edges + 1) * COLUMNS,
               .together = f->mode == WEFT_MODE_JACOBI,
               .fall = WEFT_PHYSICS_G * exp(-damping * dt) * dt * dt};
  s->w = weft_alloc(s->count, sizeof *s->w);
  if (!weft_physics_ok(rig->run)) return;
  if (weft_solver_structure(rig->solver, &structure, &rig->run->err) != WEFT_OK) return;
  weigh(rig->model, s);
  order_ties(&structure, f, dt, s);
  if (s->together) share_out(s);
  weft_structure_free(&structure);
}

static void close_sheet(sheet *s) {
  weft_free(s->ties);
  weft_free(s->batches);
  weft_free(s->w);
}

/* x: [2*count]. Each tie comes back to its length, as far as it is not soft. */
static void sweep(const sheet *s, double *x) {
  double *moves = weft_alloc(2 * (size_t)s->count, sizeof *moves);
  for (uint32_t b = 0; b < s->batch_count; ++b) {
    double *to = s->together ? moves : x;
    for (uint32_t i = s->batches[b]; i < s->batches[b + 1]; ++i) {
      const tie *t = &s->ties[i];
      double dx = x[2 * t->b] - x[2 * t->a], dy = x[2 * t->b + 1] - x[2 * t->a + 1];
      double far = hypot(dx, dy), sum = s->w[t->a] + s->w[t->b] + t->soft;
      double pull = sum > 0 ? t->share * (far - t->length) / (sum * far) : 0;
      to[2 * t->a] += s->w[t->a] * pull * dx;
      to[2 * t->a + 1] += s->w[t->a] * pull * dy;
      to[2 * t->b] -= s->w[t->b] * pull * dx;
      to[2 * t->b + 1] -= s->w[t->b] * pull * dy;
    }
    for (uint32_t k = 0; s->together && k < 2 * s->count; ++k) {
      x[k] += moves[k];
      moves[k] = 0;
    }
  }
  weft_free(moves);
}

/* The unknowns are both coordinates of every particle below the top row. */
static uint32_t unknown_count(const sheet *s) { return 2 * (s->count - COLUMNS); }

/* How far a sweep from `fallen` misses to lift all by G; `swept` is where it ends. */
static double miss(const sheet *s, const double *fallen, double *swept, double *out) {
  double most = 0;
  memcpy(swept, fallen, 2 * (size_t)s->count * sizeof *swept);
  sweep(s, swept);
  for (uint32_t k = 0; k < unknown_count(s); ++k) {
    uint32_t i = 2 * COLUMNS + k;
    out[k] = swept[i] - fallen[i] - (i % 2 ? s->fall : 0);
    most = fmax(most, fabs(out[k]));
  }
  return most;
}

/* Elimination within a band, without pivots: masses times the matrix has a definite symmetric part
 * (a sweep never adds energy). m: [n*n]. */
static void eliminate(uint32_t n, uint32_t band, double *m, double *y) {
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t end = k + band + 1 < n ? k + band + 1 : n;
    for (uint32_t i = k + 1; i < end; ++i) {
      double part = m[(size_t)i * n + k] / m[(size_t)k * n + k];
      for (uint32_t j = k + 1; j < end && part != 0; ++j) {
        m[(size_t)i * n + j] -= part * m[(size_t)k * n + j];
      }
      y[i] -= part * y[k];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    uint32_t end = k + band + 1 < n ? k + band + 1 : n;
    for (uint32_t j = k + 1; j < end; ++j) y[k] -= m[(size_t)k * n + j] * y[j];
    y[k] /= m[(size_t)k * n + k];
  }
}

/* One step of Newton's method. */
static void improve(const sheet *s, double *fallen, double *swept) {
  const uint32_t n = unknown_count(s);
  const double step = 1e-7;
  uint32_t band = 0;
  double *m = weft_alloc((size_t)n * n, sizeof *m), *y = weft_alloc(n, sizeof *y);
  double *shifted = weft_alloc(n, sizeof *shifted);
  miss(s, fallen, swept, y);
  for (uint32_t j = 0; j < n; ++j) {
    double *moved = &fallen[2 * COLUMNS + j], before = *moved;
    *moved = before + step;
    miss(s, fallen, swept, shifted);
    *moved = before;
    for (uint32_t i = 0; i < n; ++i) {
      double slope = (shifted[i] - y[i]) / step;
      if (shifted[i] == y[i]) continue;
      m[(size_t)i * n + j] = slope;
      if (fabs(slope) > 1e-6 && (i > j ? i - j : j - i) > band) band = i > j ? i - j : j - i;
    }
  }
  eliminate(n, band, m, y);
  for (uint32_t k = 0; k < n; ++k) fallen[2 * COLUMNS + k] -= y[k];
  weft_free(m);
  weft_free(y);
  weft_free(shifted);
}

static double mean_strain_down(uint32_t rows, uint32_t stride, const double *x) {
  double sum = 0, l = 1.0 / (rows - 1);
  for (uint32_t i = COLUMNS; i < rows * COLUMNS; ++i) {
    const double *low = x + (size_t)stride * i, *high = low - (size_t)stride * COLUMNS;
    double out = stride > 2 ? low[2] - high[2] : 0;
    sum += sqrt(pow(low[0] - high[0], 2) + pow(low[1] - high[1], 2) + out * out) / l - 1;
  }
  return sum / ((rows - 1) * COLUMNS);
}

/* Mean strain of the pose that a sweep lifts by G everywhere. */
static double still_strain(const sheet *s) {
  const double close = 1e-6; /* of G */
  double *fallen = weft_alloc(2 * (size_t)s->count, sizeof *fallen);
  double *swept = weft_alloc(2 * (size_t)s->count, sizeof *swept);
  double *off = weft_alloc(unknown_count(s), sizeof *off), strain;
  for (uint32_t i = 0; i < s->count; ++i) {
    fallen[2 * i] = rest_x(s, i);
    fallen[2 * i + 1] = rest_y(s, i);
  }
  for (int k = 0; k < 20 && miss(s, fallen, swept, off) > close * s->fall; ++k) {
    improve(s, fallen, swept);
  }
  strain =
      miss(s, fallen, swept, off) <= close * s->fall ? mean_strain_down(s->rows, 2, swept) : NAN;
  weft_free(fallen);
  weft_free(swept);
  weft_free(off);
  return strain;
}

/* The same of threads alone, by statics. A link is known by the particle at its lower end. */
static double thread_strain(const sheet *s) {
  uint32_t *rank = weft_alloc(s->count, sizeof *rank);
  double *pull = weft_alloc(s->count, sizeof *pull), sum = 0;
  for (uint32_t i = 0; i < s->tie_count; ++i) {
    const tie *t = &s->ties[i];
    if (t->a % COLUMNS == t->b % COLUMNS) rank[t->a > t->b ? t->a : t->b] = i;
  }
  for (uint32_t i = s->count; i-- > COLUMNS;) {
    double below = i + COLUMNS < s->count ? pull[i + COLUMNS] : 0;
    pull[i] = below + s->fall / s->w[i];
  }
  for (uint32_t i = COLUMNS; i < s->count; ++i) {
    uint32_t high = i - COLUMNS, low = i + COLUMNS;
    if (high >= COLUMNS && rank[high] > rank[i]) sum += s->w[high] * pull[high];
    if (low < s->count && rank[low] > rank[i]) sum += s->w[i] * pull[low];
  }
  weft_free(rank);
  weft_free(pull);
  return sum / COLUMNS;
}

/* ---- claims: strain over G N^2/L ---- */

/* Theory is worked out at the first place; it is the same at all. */
static double expected_strain(weft_physics_run *run, const weft_rig *rig, int f, int size) {
  static double known[FABRICS][SIZES];
  double *law = &known[f][size];
  if (*law != 0 || !weft_physics_ok(run)) return *law;
  sheet s;
  open_sheet(rig, &fabrics[f], (uint32_t)sizes[size], &s);
  if (weft_physics_ok(run)) {
    double strain = fabrics[f].shear == 0 ? thread_strain(&s) : still_strain(&s);
    *law = strain / (s.fall * sizes[size] * sizes[size]);
  }
  close_sheet(&s);
  if (isnan(*law)) {
    weft_fail(&run->err, WEFT_ERROR_ARGUMENT, "Newton's method finds no pose of \"%s\" at rest",
              fabrics[f].name);
  }
  return *law;
}

static double hung_strain(weft_physics_run *run, int f, int size, double *law) {
  uint32_t edges = (uint32_t)sizes[size];
  weft_model *model = hang(run, &fabrics[f], edges);
  weft_params params = {.damping = (float)damping, .substeps = SUBSTEPS, .mode = fabrics[f].mode};
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  *law = expected_strain(run, &rig, f, size);
  weft_rig_step(&rig, FRAMES);
  weft_rig_read(&rig);
  double dt = weft_rig_dt(&rig), fall = WEFT_PHYSICS_G * exp(-damping * dt) * dt * dt;
  double strain = weft_physics_ok(run) ? mean_strain_down(edges + 1, 3, rig.x) : NAN;
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return strain / (fall * edges * edges);
}

static void strain_law(weft_physics_run *run) {
  static const char statics[] =
      "strain over g N^2 dt^2/L by statics: each link keeps w times the weight, in dt^2, that "
      "hangs "
      "on neighbours projected after it; 1/2 less some 1/N";
  static const char balance[] =
      "strain over g N^2 dt^2/L of the pose that one sweep lifts by g dt^2 everywhere, found by "
      "Newton's method on a sweep in doubles";
  double measured[FABRICS][SIZES], law[FABRICS][SIZES];
  for (int f = 0; f < FABRICS; ++f) {
    for (int size = 0; size < SIZES; ++size) {
      measured[f][size] = hung_strain(run, f, size, &law[f][size]);
      double allowed = fabrics[f].mode == WEFT_MODE_JACOBI ? 0.003 : 0.002;
      weft_physics_expect(run, weft_physics_text("%s, %.0f edges", fabrics[f].name, sizes[size]),
                          "", measured[f][size], law[f][size], allowed * law[f][size],
                          f == 0 ? statics : balance,
                          "0.2 % for coming to rest and rounding; 0.3 % with jacobi, which rests "
                          "more slowly");
    }
  }
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"Mean strain of a hung sheet, over g N^2 dt^2 / L",
                                "edges from top to bottom", "strain over the law's scale", true,
                                false, false});
  for (int f = 0; f < FABRICS; ++f) {
    if (fabrics[f].mode == WEFT_MODE_JACOBI) continue;
    weft_physics_theory(run, plot, weft_physics_text("theory, %s", fabrics[f].name), SIZES, sizes,
                        law[f]);
    weft_physics_curve(run, plot, fabrics[f].name, SIZES, sizes, measured[f]);
  }
}

const weft_physics_case weft_case_strain = {
    "strain", "A hung sheet rests where one sweep lifts it by what it falls in a substep",
    "A sheet of hard threads, 1 m long and N edges high, hangs still from its top edge at 20 "
    "substeps of one sweep a frame: without diagonals, with one or two hard ones a quad, with soft "
    "ones, and with Jacobi. Measured is the mean strain of the edges that run down, over g N^2 "
    "dt^2/L with the gravity that damping leaves.",
    strain_law};
