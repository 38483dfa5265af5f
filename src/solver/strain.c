/* strain.c: parameters for a strain that shall not be passed.
 *
 * The rule stands in weft/solver.h, what it was measured on in docs/max-strain.md. The one number
 * in it, edges that cloth can go in a substep, also gives the law of a plain sweep: a sheet of N
 * rows stretches like g dt^2 N^2/L. */
#include <math.h>

#include "solver.h"

enum { MIN_SUBSTEPS = 12, MAX_SUBSTEPS = 200, MAX_ITERATIONS = 16, MAX_LINE_SWEEPS = 16 };

/* p99 after one iteration of c edges a substep: so much times c; of plain c squared, of quick c
 * cubed. */
static const double free_sheets = 0.13, elsewhere = 0.4, without_lra = 1, plain = 5;
/* With lines; what hangs without attachments is like other meshes. */
static const double lines_free = 0.02, lines_bodies = 0.13, lines_meshes = 0.3, quick = 0.3;
static const double max_slack = 0.25; /* of the target */
static const double min_target = 1e-5, max_target = 0.5;

/* ---- what is to be known of a cloth ---- */

/* The mean over edges along threads. */
static double spacing(const weft_model *model) {
  double sum = 0;
  uint64_t count = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    if (group->role != WEFT_ROLE_STRETCH || group->type != WEFT_CONSTRAINT_DISTANCE) continue;
    for (uint32_t i = 0; i < group->count; ++i) {
      const uint32_t *pair = &group->particles[2 * (size_t)i];
      if (!weft_along_thread(model, pair[0], pair[1])) continue;
      sum += (double)group->rest[i];
      ++count;
    }
  }
  return count > 0 ? sum / (double)count : 0;
}

/* Edges a frame. */
static double edges_a_frame(const weft_model *model, const weft_params *p) {
  double edge = spacing(model);
  double speed = sqrt((double)weft_v3_length(p->gravity) * weft_model_extent(model));
  return edge > 0 ? speed * (double)p->frame_dt / edge : 0;
}

static bool meets_bodies(const weft_params *p) {
  bool bodies = false;
  for (uint32_t k = 0; k < p->collider_count; ++k) {
    bodies = bodies || p->colliders[k].shape != WEFT_COLLIDER_PLANE;
  }
  return bodies;
}

/* ---- the rule ---- */

/* What stays the same while parameters are tried. */
typedef struct rule {
  double target, edges_a_frame, own;
  double levels_leave, lines_leave; /* of c */
  bool lines;                       /* they can run */
  uint32_t line_sweeps;             /* that lines_leave is for */
} rule;

static bool lines_possible(const weft_params *p) {
  return p->mode == WEFT_MODE_GS && p->method == WEFT_METHOD_XPBD;
}

static rule rule_of(const weft_model *model, double target, const weft_params *p) {
  bool grid = model->grid_rows > 0, bodies = meets_bodies(p);
  bool loose = model->pinned_count > 0 && p->lra == 0;
  rule r = {.target = target, .edges_a_frame = edges_a_frame(model, p)};
  r.own = weft_levels_own_slack(model, p);
  r.lines = lines_possible(p);
  r.line_sweeps = grid ? 1 : 4;
  r.levels_leave = loose ? without_lra : grid && !bodies ? free_sheets : elsewhere;
  r.lines_leave = !grid || loose ? lines_meshes : bodies ? lines_bodies : lines_free;
  return r;
}

static double expect(const rule *r, const weft_params *p) {
  double c = r->edges_a_frame / p->substeps, left = plain * c * c, slack = 0;
  if (p->multilevel > 0) {
    left = r->levels_leave * c;
    slack = fmin((double)p->multilevel_slack, max_slack * r->target);
  }
  if (p->line_sweeps == 0) return left / sqrt(p->iterations) + slack;
  if (p->multilevel == 0) slack = fmin(r->own, max_slack * r->target);
  left = r->lines_leave * c + quick * c * c * c;
  return left * pow((double)r->line_sweeps / p->line_sweeps, 0.25) + slack;
}

static void choose_substeps(const rule *r, weft_params *p) {
  p->substeps = MIN_SUBSTEPS;
  while (p->substeps < MAX_SUBSTEPS && expect(r, p) > r->target) p->substeps++;
}

static void choose_iterations(const rule *r, weft_params *p) {
  p->iterations = 1;
  while (p->iterations < MAX_ITERATIONS && expect(r, p) > r->target) p->iterations++;
}

static void choose_line_sweeps(const rule *r, weft_params *p) {
  p->line_sweeps = r->line_sweeps;
  while (p->line_sweeps < MAX_LINE_SWEEPS && expect(r, p) > r->target) p->line_sweeps++;
}

/* Levels too where the fabric alone would pass the limit: lines leave its stretch to it. */
static void choose_passes(const weft_strain_choice *choice, const rule *r, weft_params *p) {
  unsigned kept = choice->kept;
  if (!(kept & WEFT_KEEP_LINE_SWEEPS)) p->line_sweeps = r->lines ? r->line_sweeps : 0;
  bool soft = choice->own > max_slack * choice->target;
  if (!(kept & WEFT_KEEP_MULTILEVEL))
    p->multilevel = p->line_sweeps == 0 || soft ? WEFT_ALL_LEVELS : 0;
}

static void choose(const weft_model *model, weft_strain_choice *choice, weft_params *p) {
  unsigned kept = choice->kept;
  float slack = (float)fmin(choice->own, max_slack * choice->target);
  if (!(kept & WEFT_KEEP_MULTILEVEL_SWEEPS)) p->multilevel_sweeps = 1;
  if (!(kept & WEFT_KEEP_MULTILEVEL_SLACK)) p->multilevel_slack = slack;
  if (!(kept & WEFT_KEEP_LRA) && p->lra == 0 && model->pinned_count > 0) p->lra = 1;
  if (!(kept & WEFT_KEEP_LRA_SLACK) && p->lra_slack == 0) p->lra_slack = slack;
  if (!(kept & WEFT_KEEP_ITERATIONS)) p->iterations = 1;
  const rule r = rule_of(model, choice->target, p);
  choose_passes(choice, &r, p);
  if (!(kept & WEFT_KEEP_SUBSTEPS)) choose_substeps(&r, p);
  if (p->line_sweeps > 0) {
    if (!(kept & WEFT_KEEP_LINE_SWEEPS)) choose_line_sweeps(&r, p);
  } else if (!(kept & WEFT_KEEP_ITERATIONS)) {
    choose_iterations(&r, p);
  }
  choice->steps = r.edges_a_frame / p->substeps;
  choice->expected = expect(&r, p);
  choice->short_of = choice->expected > choice->target;
  bool more = choice->short_of && p->line_sweeps == 0;
  if (!(kept & WEFT_KEEP_MULTILEVEL_SWEEPS) && more) p->multilevel_sweeps = 4;
}

weft_result weft_params_hold_strain(const weft_model *model, double target, unsigned kept,
                                    weft_params *params, weft_strain_choice *choice,
                                    weft_error *err) {
  WEFT_NEED(model);
  WEFT_NEED(params);
  WEFT_NEED(choice);
  if (!(target >= min_target && target <= max_target)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "max strain is %g, allowed is %g to %g", target,
                     min_target, max_target);
  }
  if (model->triangle_count == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "max strain is for cloth, and there is no triangle");
  }
  weft_params p;
  weft_result result = weft_params_resolve(params, &p, err);
  if (result != WEFT_OK) return result;
  *choice = (weft_strain_choice){.target = target, .kept = kept};
  choice->own = weft_levels_own_slack(model, &p);
  choice->stiffer = choice->own > target;
  choose(model, choice, &p);
  *params = p;
  return WEFT_OK;
}
