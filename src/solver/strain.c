/* strain.c: parameters with which cloth does not stretch.
 *
 * The rule stands in weft/solver.h, what it was measured on in docs/max-strain.md. */
#include <math.h>
#include <stdlib.h>

#include "solver.h"

enum { MAX_ITERATIONS = 16, MAX_LINE_SWEEPS = 16 };
/* A sheet that swings freely on its pins needs fewer than one that meets something or itself. Below
 * 20, self-collision of what touches cuts motions short again and again, and threads stretch for
 * it. */
enum { MIN_SWINGING = 10, MIN_SUBSTEPS = 12, MIN_APART = 20 };
enum { MAX_SUBSTEPS = 200, MAX_SMALL = 400 /* of the plain sweep off the grid */ };

static const double by_default = 0.01; /* above what the fabric takes */
/* Off the grid as well, if that is more: of the strain with which the fabric itself stops what
 * falls its own extent. That is the speed, sqrt(g L), over that of its waves, sqrt(C/rho), or the
 * root of its stretch by own weight. */
static const double of_a_stop = 0.25;
static const double max_slack = 0.25; /* of the target */
static const double min_target = 1e-5, max_target = 0.5;

/* ---- what is to be known of a cloth ---- */

typedef struct thread {
  double length;
  uint32_t pair[2];
} thread;

/* Edges along threads; `out`, if not NULL, has room for all that stretch. */
static uint32_t threads_of(const weft_model *model, thread *out) {
  uint32_t count = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    if (group->role != WEFT_ROLE_STRETCH || group->type != WEFT_CONSTRAINT_DISTANCE) continue;
    for (uint32_t i = 0; i < group->count; ++i) {
      const uint32_t *pair = &group->particles[2 * (size_t)i];
      if (!weft_along_thread(model, pair[0], pair[1])) continue;
      if (out) out[count] = (thread){(double)group->rest[i], {pair[0], pair[1]}};
      ++count;
    }
  }
  return count;
}

static int longest_first(const void *a, const void *b) {
  double x = ((const thread *)a)->length, y = ((const thread *)b)->length;
  return (x < y) - (x > y);
}

static bool meets_bodies(const weft_params *p) {
  bool bodies = p->body_count > 0;
  for (uint32_t k = 0; k < p->collider_count; ++k) {
    bodies = bodies || p->colliders[k].shape != WEFT_COLLIDER_PLANE;
  }
  return bodies;
}

/* ---- the rule ---- */

/* What stays the same while parameters are tried. */
typedef struct rule {
  double room;   /* for what the solver adds to the fabric's own stretch */
  double way;    /* metres in a frame */
  double edges;  /* the same in edges */
  double uneven; /* how much longer the mean edge is than the harmonic mean; 1 for even meshes */
  double slack;  /* of levels and attachments */
  bool grid, pinned, touches, swings, loose;
  bool many;       /* edges, so that levels pay */
  double substeps; /* for 1 % where one edge a frame is gone */
  uint32_t line_sweeps;
} rule;

static bool lines_possible(const weft_params *p) { return p->method == WEFT_METHOD_XPBD; }

/* Cloth in contact shakes its threads by an edge of a substep's length at a time, so that they hold
 * the better the more substeps there are, and hardly the worse the finer it is. */
static const double pinned_touch = 15, fallen_touch = 20, touch_grows = 0.35;
static const double nearly_even = 1.06;
/* The same law for a sheet that swings, with levels; without, it is c cubed. */
static const double swing = 2.2, swing_grows = 0.7, falls = 2.5, cubed = 0.25;
static const double lines_at = 0.009; /* what those are for */
static const double lines_loose = 0.3, levels_free = 0.13, levels_else = 0.4, levels_loose = 1;
static const double many = 4; /* edges a frame from which levels pay on grids */
/* Off the grid the plain sweep in small steps (Macklin et al. 2019): strain falls with the length
 * of a substep, and grows with the edges a frame, of what falls with their root, and with how
 * uneven they are. */
static const double small_pinned = 0.3, small_fallen = 0.8;

/* Of `count` edges that are `sum` metres long, the sum of their inverses `inverse`. */
static void space(rule *r, uint32_t count, double sum, double inverse) {
  r->edges = sum > 0 ? r->way * count / sum : 0;
  r->uneven = count > 0 ? fmax(sum / count * (inverse / count) / nearly_even, 1) : 1;
}

static void space_by_all(rule *r, const weft_model *model) {
  thread *threads = weft_alloc(threads_of(model, NULL), sizeof *threads);
  uint32_t count = threads_of(model, threads);
  double sum = 0, inverse = 0;
  for (uint32_t i = 0; i < count; ++i) {
    sum += threads[i].length;
    inverse += 1 / threads[i].length;
  }
  space(r, count, sum, inverse);
  weft_free(threads);
}

static rule rule_of(const weft_model *model, const weft_strain_choice *choice,
                    const weft_params *p) {
  bool pinned = model->pinned_count > 0, bodies = meets_bodies(p);
  rule r = {.grid = model->grid_rows > 0, .pinned = pinned};
  double speed = sqrt((double)weft_v3_length(p->gravity) * weft_model_extent(model));
  r.way = speed * (double)p->frame_dt;
  space_by_all(&r, model);
  r.many = r.grid && r.edges > many;
  r.loose = pinned && p->lra == 0;
  r.touches = bodies || (p->self_collision && p->touches_itself);
  r.swings = r.grid && pinned && !r.touches;
  r.substeps = pinned ? pinned_touch : fallen_touch;
  r.line_sweeps = r.grid ? 1 : 4;
  r.slack = choice->by_default ? choice->own : fmin(choice->own, max_slack * choice->target);
  r.room = choice->target - r.slack;
  return r;
}

static double with_lines(const rule *r, const weft_params *p) {
  double c = r->edges / p->substeps;
  double touch = r->substeps * r->uneven * pow(r->edges, touch_grows);
  double left = lines_at * pow(touch / p->substeps, falls);
  if (r->swings && r->many && p->multilevel > 0) {
    left = lines_at * pow(swing * pow(r->edges, swing_grows) / p->substeps, falls);
  } else if (r->swings) {
    left = cubed * c * c * c + 0.1 * lines_at;
  }
  if (r->loose) left = fmax(left, lines_loose * c * (1 + c * c));
  return left * pow((double)r->line_sweeps / p->line_sweeps, 0.25);
}

static double in_small_steps(const rule *r, const weft_params *p) {
  double left = small_pinned * r->edges * pow(r->uneven, 3.5);
  if (!r->pinned || r->loose) left = small_fallen * sqrt(r->edges) * pow(r->uneven, 2);
  return left / p->substeps;
}

/* What the solver leaves above slack. */
static double expect(const rule *r, const weft_params *p) {
  double c = r->edges / p->substeps, left = 5 * c * c;
  if (p->line_sweeps > 0) return with_lines(r, p);
  if (!r->grid) return in_small_steps(r, p) / sqrt(p->iterations);
  if (p->multilevel > 0)
    left = c * (r->loose ? levels_loose : r->swings ? levels_free : levels_else);
  return left / sqrt(p->iterations);
}

static void choose_substeps(const rule *r, weft_params *p) {
  const bool small = !r->grid && p->line_sweeps == 0;
  const uint32_t most = small ? MAX_SMALL : MAX_SUBSTEPS;
  p->substeps = r->swings ? MIN_SWINGING : p->self_collision ? MIN_APART : MIN_SUBSTEPS;
  while (p->substeps < most && expect(r, p) > r->room) p->substeps++;
}

static void choose_iterations(const rule *r, weft_params *p) {
  p->iterations = 1;
  while (p->iterations < MAX_ITERATIONS && expect(r, p) > r->room) p->iterations++;
}

static void choose_line_sweeps(const rule *r, weft_params *p) {
  p->line_sweeps = r->line_sweeps;
  while (p->line_sweeps < MAX_LINE_SWEEPS && expect(r, p) > r->room) p->line_sweeps++;
}

/* Substeps that by experience would hold it, though they are more than are chosen. */
static uint32_t enough(const rule *r, weft_params p) {
  enum { MOST = 1000000 };
  uint32_t below = p.substeps, above = MOST;
  while (above - below > 1) {
    p.substeps = below + (above - below) / 2;
    if (expect(r, &p) > r->room) {
      below = p.substeps;
    } else {
      above = p.substeps;
    }
  }
  return above;
}

/* The shortest edges without which it would be held, unless that is most of them. */
static void find_in_the_way(const weft_model *model, rule r, const weft_params *p,
                            weft_strain_choice *choice) {
  thread *threads = weft_alloc(threads_of(model, NULL), sizeof *threads);
  uint32_t count = threads_of(model, threads), held = 0;
  qsort(threads, count, sizeof *threads, longest_first);
  double sum = 0, inverse = 0;
  for (uint32_t k = 0; k < count; ++k) {
    sum += threads[k].length;
    inverse += 1 / threads[k].length;
    space(&r, k + 1, sum, inverse);
    if (expect(&r, p) <= r.room) held = k + 1;
  }
  if (held > count / 2 && held < count) {
    choice->in_the_way = count - held;
    choice->length = threads[held - 1].length;
    for (int k = 0; k < 2; ++k) {
      choice->shortest[k] = weft_model_number(model, threads[count - 1].pair[k]);
    }
  }
  weft_free(threads);
}

/* Levels take the part of lines where these cannot run, stiffen a fabric that is softer than it
 * shall be, and carry what lines leave over many edges of fine grids. */
static void choose_passes(const weft_strain_choice *choice, const rule *r, bool lines,
                          weft_params *p) {
  unsigned kept = choice->kept;
  if (!(kept & WEFT_KEEP_LINE_SWEEPS)) p->line_sweeps = lines && r->grid ? 1 : 0;
  bool soft = !choice->by_default && choice->own > r->slack;
  bool instead = r->grid && p->line_sweeps == 0;
  if (!(kept & WEFT_KEEP_MULTILEVEL))
    p->multilevel = instead || soft || r->many ? WEFT_ALL_LEVELS : 0;
}

static void choose(const weft_model *model, weft_strain_choice *choice, weft_params *p) {
  unsigned kept = choice->kept;
  bool lines = lines_possible(p);
  if (!(kept & WEFT_KEEP_LRA) && p->lra == 0 && model->pinned_count > 0) p->lra = 1;
  if (!(kept & WEFT_KEEP_ITERATIONS)) p->iterations = 1;
  const rule r = rule_of(model, choice, p);
  if (!(kept & WEFT_KEEP_MULTILEVEL_SWEEPS)) p->multilevel_sweeps = 1;
  if (!(kept & WEFT_KEEP_MULTILEVEL_SLACK)) p->multilevel_slack = (float)r.slack;
  if (!(kept & WEFT_KEEP_LRA_SLACK) && p->lra_slack == 0) p->lra_slack = (float)r.slack;
  choose_passes(choice, &r, lines, p);
  if (!(kept & WEFT_KEEP_SUBSTEPS)) choose_substeps(&r, p);
  if (choice->by_default) {
    /* Nothing more. */
  } else if (p->line_sweeps > 0) {
    if (!(kept & WEFT_KEEP_LINE_SWEEPS)) choose_line_sweeps(&r, p);
  } else if (!(kept & WEFT_KEEP_ITERATIONS)) {
    choose_iterations(&r, p);
  }
  choice->steps = r.edges / p->substeps;
  choice->expected = expect(&r, p) + r.slack;
  choice->short_of = choice->expected > choice->target;
  choice->needed = choice->short_of ? enough(&r, *p) : 0;
  bool small = !r.grid && p->line_sweeps == 0 && !(kept & WEFT_KEEP_SUBSTEPS);
  if (choice->short_of && small) find_in_the_way(model, r, p, choice);
  bool more = choice->short_of && p->multilevel > 0 && p->line_sweeps == 0;
  if (!(kept & WEFT_KEEP_MULTILEVEL_SWEEPS) && more) p->multilevel_sweeps = 4;
}

/* What the default would do needs lines. */
static bool stays_plain(const weft_model *model, unsigned kept, const weft_params *p) {
  if (model->triangle_count == 0 || !lines_possible(p)) return true;
  return (kept & WEFT_KEEP_LINE_SWEEPS) && p->line_sweeps == 0;
}

weft_result weft_params_hold_strain(const weft_model *model, double target, unsigned kept,
                                    weft_params *params, weft_strain_choice *choice,
                                    weft_error *err) {
  WEFT_NEED(model);
  WEFT_NEED(params);
  WEFT_NEED(choice);
  if (target != 0 && !(target >= min_target && target <= max_target)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "max strain is %g, allowed is %g to %g", target,
                     min_target, max_target);
  }
  if (target > 0 && model->triangle_count == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "max strain is for cloth, and there is no triangle");
  }
  weft_params p;
  weft_result result = weft_params_resolve(params, &p, err);
  if (result != WEFT_OK) return result;
  *choice = (weft_strain_choice){.target = target, .kept = kept, .by_default = target == 0};
  if (choice->by_default && stays_plain(model, kept, &p)) return WEFT_OK;
  choice->own = weft_levels_own_slack(model, &p);
  double above = model->grid_rows > 0 ? 0 : of_a_stop * sqrt(choice->own);
  if (choice->by_default) choice->target = choice->own + fmax(above, by_default);
  choice->stiffer = choice->own > choice->target;
  choose(model, choice, &p);
  *params = p;
  return WEFT_OK;
}
