/* strain.c: chooses parameters that keep strain below a limit.
 *
 * weft/solver.h states the rule, docs/max-strain.md the measurements behind it. */
#include <math.h>
#include <stdlib.h>

#include "solver.h"
#include "vec3d.h"

enum { MAX_ITERATIONS = 16, MAX_LINE_SWEEPS = 16 };
/* With fewer substeps self-collision truncates displacements repeatedly, which stretches
 * threads: with one line sweep or none, and with two. */
enum { MIN_SUBSTEPS = 12, MIN_APART = 20, MIN_APART_TWO = 24 };
enum { MAX_SUBSTEPS = 200, MAX_SMALL = 400 /* strain of the plain sweep off the grid */ };

static const double by_default = 0.01; /* target above the fabric's own strain */
/* Off the grid also, if it is more: this fraction of the strain at which the fabric itself stops
 * a fall from its own extent. That is the speed, sqrt(g L), over the wave speed, sqrt(C/rho), or
 * the root of its strain by own weight. */
static const double of_a_stop = 0.25;
static const double beside = 0.05;    /* distance from a pole, as a fraction of the cloth's
                                         extent */
static const double max_slack = 0.25; /* fraction of the target */
static const double min_target = 1e-5, max_target = 0.5;

/* ---- measures of a cloth ---- */

typedef struct thread {
  double length;
  uint32_t pair[2];
} thread;

/* Edges along threads; `out`, if not NULL, has capacity for all stretch constraints. */
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

static double from_segment(weft_vec3 a, weft_vec3 b, weft_vec3 x) {
  weft_vec3d axis = weft_v3d_sub(weft_v3d_from(b), weft_v3d_from(a));
  weft_vec3d from = weft_v3d_sub(weft_v3d_from(x), weft_v3d_from(a));
  double length2 = weft_v3d_dot(axis, axis);
  double t = length2 > 0 ? fmin(fmax(weft_v3d_dot(axis, from) / length2, 0), 1) : 0;
  return weft_v3d_length(weft_v3d_sub(from, weft_v3d_scale(axis, t)));
}

/* Whether all pins lie along a fixed pole. */
static bool is_hung_along(const weft_model *model, const weft_collider *c) {
  if (c->shape != WEFT_COLLIDER_CAPSULE || c->key_count > 0 || model->pinned_count == 0) {
    return false;
  }
  double near = (double)c->radius + beside * weft_model_extent(model);
  weft_vec3 a = weft_v3_add(c->a, c->offset), b = weft_v3_add(c->b, c->offset);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    if (model->inverse_masses[i] == 0 && from_segment(a, b, model->rest_positions[i]) > near) {
      return false;
    }
  }
  return true;
}

/* Whether cloth meets obstacles. A plane counts little: cloth comes down on it flat, or not at
 * all. */
typedef enum meeting { MEETS_NOTHING, MEETS_POLE, MEETS_ROUND, MEETS_EDGES } meeting;

static meeting meeting_of(const weft_model *model, const weft_params *p) {
  meeting most = p->body_count > 0 ? MEETS_EDGES : MEETS_NOTHING;
  for (uint32_t k = 0; k < p->collider_count; ++k) {
    const weft_collider *c = &p->colliders[k];
    meeting m = MEETS_ROUND;
    if (c->shape == WEFT_COLLIDER_PLANE) m = MEETS_NOTHING;
    if (c->shape == WEFT_COLLIDER_BOX) m = MEETS_EDGES;
    if (is_hung_along(model, c)) m = MEETS_POLE;
    if (m > most) most = m;
  }
  return most;
}

/* m/s: how fast gusts drive cloth that is pinned. */
static double wind_of(const weft_params *p) {
  const double speed = (double)weft_v3_length(p->wind) * (1 + (double)p->gust);
  return p->air_density > 0 ? speed : 0;
}

/* ---- the rule ---- */

/* A power law for the substeps that keep the strain of lines_at: so many at one edge a frame,
 * times the edges a frame to the power `grows`; at least `least`. */
typedef struct law {
  double substeps, grows;
  uint32_t least;
} law;

/* Strain with one line sweep, and with two. Cloth in contact shakes its threads by the
 * displacement of a substep, so more substeps help, and refinement hardly hurts. The second
 * sweep removes what the first leaves across it, and what shapes push between the two. */
typedef struct laws {
  law one, two;
} laws;

static const laws swinging = {{2.2, 0.7, 10}, {2, 0.5, 8}};
static const laws along_a_pole = {{5.7, 0.62, MIN_SUBSTEPS}, {3, 0.5, 8}};
static const laws pinned_touch = {{15, 0.35, MIN_SUBSTEPS}, {7.5, 0.5, 16}};
static const laws fallen_on_round = {{15, 0.35, MIN_SUBSTEPS}, {5.6, 0.5, 16}};
static const laws fallen_on_edges = {{20, 0.35, MIN_SUBSTEPS}, {8.2, 0.5, 16}};
static const laws fallen_on_itself = {{20, 0.35, MIN_SUBSTEPS}, {15, 0.5, 16}};
static const double lines_at = 0.009, falls = 2.5;

/* Constants of a search over parameters. */
typedef struct rule {
  double room;   /* strain that the solver may add to the fabric's own */
  double way;    /* metres in a frame */
  double edges;  /* the same in edges */
  double uneven; /* mean edge over harmonic mean edge; 1 for even meshes */
  double slack;  /* slack of levels and attachments */
  double driven; /* substeps that keep lines_at of a grid against wind, or a grab */
  bool grid, pinned, swings, loose;
  bool many;  /* edges from which levels pay */
  laws lines; /* strain after line sweeps */
} rule;

static bool lines_possible(const weft_params *p) { return p->method == WEFT_METHOD_XPBD; }

static const double nearly_even = 1.06;
static const double cubed = 0.25; /* strain of a sheet that swings, with one sweep and without
                                     levels */
static const double lines_loose = 0.3, levels_free = 0.13, levels_else = 0.4, levels_loose = 1;
static const double many = 4; /* edges a frame from which levels pay on grids */
/* Wind and a grab pull pinned cloth harder than its weight. Of a grid lines_at is left by so many
 * substeps for each part of its extent that wind blows in a frame, times the fourth root of the
 * edges across it; a grab at its default limit is like a wind of so many m/s. */
static const double driven_at = 56, by_a_grab = 25;
/* Off the grid the plain sweep in small steps (Macklin et al. 2019): strain falls with the
 * length of a substep. It grows with the edges that cloth moves in a frame, as a root if it
 * falls, and with how uneven edges are. */
static const double small_pinned = 0.3, small_fallen = 0.8;

/* For `count` edges with this sum of lengths, m, and this sum of inverse lengths. */
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
  const bool pinned = model->pinned_count > 0;
  rule r = {.grid = model->grid_rows > 0, .pinned = pinned};
  double speed = sqrt((double)weft_v3_length(p->gravity) * weft_model_extent(model));
  if (pinned && !r.grid) speed += wind_of(p);
  r.way = speed * (double)p->frame_dt;
  space_by_all(&r, model);
  r.many = r.grid && r.edges > many;
  r.loose = pinned && p->lra == 0;
  const meeting meets = meeting_of(model, p);
  const bool itself = p->self_collision && p->touches_itself;
  if (pinned && r.grid && r.edges > 0) {
    const double wind = meets == MEETS_POLE ? 0 : wind_of(p), extent = weft_model_extent(model);
    const double part = fmax(wind, p->grab ? by_a_grab : 0) * (double)p->frame_dt / extent;
    r.driven = driven_at * part * pow(r.edges / r.way * extent, 0.25);
  }
  r.swings = r.grid && pinned && meets == MEETS_NOTHING && !itself;
  if (r.swings) {
    r.lines = swinging;
  } else if (pinned) {
    r.lines = meets == MEETS_POLE && !itself ? along_a_pole : pinned_touch;
  } else {
    r.lines = meets == MEETS_EDGES   ? fallen_on_edges
              : meets == MEETS_ROUND ? fallen_on_round
                                     : fallen_on_itself;
  }
  r.slack = choice->by_default ? choice->own : fmin(choice->own, max_slack * choice->target);
  r.room = choice->target - r.slack;
  return r;
}

static double left_by(const rule *r, const law *l, const weft_params *p) {
  double substeps = l->substeps * r->uneven * pow(r->edges, l->grows);
  return lines_at * pow(substeps / p->substeps, falls);
}

/* Beyond two sweeps strain falls at least with the fourth root of their number. Four off the
 * grid are as good as one on it. */
static double with_lines(const rule *r, const weft_params *p) {
  const bool levels = !r->pinned || !r->many || p->multilevel > 0; /* where they are needed */
  double c = r->edges / p->substeps, sweeps = r->grid ? 1 : 4;
  double left = left_by(r, r->pinned && !levels ? &pinned_touch.one : &r->lines.one, p);
  const double stays = r->swings && !(r->many && levels) ? 0.1 * lines_at : 0;
  if (stays > 0) left = cubed * c * c * c + stays;
  if (r->grid && levels && p->line_sweeps > 1) {
    left = fmin(left, left_by(r, &r->lines.two, p) + stays);
    sweeps = 2;
  }
  if (r->loose) left = fmax(left, lines_loose * c * (1 + c * c));
  left = fmax(left, lines_at * pow(r->driven / p->substeps, falls));
  return left * pow(sweeps / p->line_sweeps, 0.25);
}

static double in_small_steps(const rule *r, const weft_params *p) {
  double left = small_pinned * r->edges * pow(r->uneven, 3.5);
  if (!r->pinned || r->loose) left = small_fallen * sqrt(r->edges) * pow(r->uneven, 2);
  return left / p->substeps;
}

/* Strain that the solver leaves above slack. */
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
  const bool two = r->grid && p->line_sweeps > 1;
  const uint32_t apart = !p->self_collision || r->swings ? 0 : two ? MIN_APART_TWO : MIN_APART;
  p->substeps = p->line_sweeps == 0 ? MIN_SUBSTEPS : two ? r->lines.two.least : r->lines.one.least;
  if (p->substeps < apart) p->substeps = apart;
  while (p->substeps < most && expect(r, p) > r->room) p->substeps++;
}

/* A line sweep costs about as much as the rest of a substep. */
static uint32_t work_of(const weft_params *p) { return p->substeps * (1 + p->line_sweeps); }

/* Of one sweep and two, the one that costs less. */
static void choose_line_substeps(const rule *r, weft_params *p) {
  weft_params two = *p;
  choose_substeps(r, p);
  two.line_sweeps = 2;
  choose_substeps(r, &two);
  const bool one_does = expect(r, p) <= r->room, two_do = expect(r, &two) <= r->room;
  if (one_does ? work_of(&two) < work_of(p) : two_do) *p = two;
}

static void choose_iterations(const rule *r, weft_params *p) {
  p->iterations = 1;
  while (p->iterations < MAX_ITERATIONS && expect(r, p) > r->room) p->iterations++;
}

static void choose_line_sweeps(const rule *r, weft_params *p) {
  while (p->line_sweeps < MAX_LINE_SWEEPS && expect(r, p) > r->room) p->line_sweeps++;
}

/* Substeps that should suffice by the rule, although they exceed the most that is chosen. */
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

/* The shortest edges without which the target would be met, unless those are most of them. */
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

/* Whether the cloth shall stretch less than its fabric does. */
static bool is_soft(const weft_strain_choice *choice, const rule *r) {
  return !choice->by_default && choice->own > r->slack;
}

/* Levels replace lines where these cannot run, stiffen a fabric that is softer than wanted, and
 * carry corrections over many edges of fine grids. */
static void choose_passes(const weft_strain_choice *choice, const rule *r, bool lines,
                          weft_params *p) {
  unsigned kept = choice->kept;
  if (!(kept & WEFT_KEEP_LINE_SWEEPS)) p->line_sweeps = lines && r->grid ? 1 : 0;
  const bool wanted = p->line_sweeps == 0 || r->many || is_soft(choice, r);
  if (!(kept & WEFT_KEEP_MULTILEVEL)) p->multilevel = r->grid && wanted ? WEFT_ALL_LEVELS : 0;
}

/* With one attachment the edges halfway between two pins carry what pulls at both. That is
 * borne in air that moves no faster than the cloth falls. */
static uint32_t attachments_for(const weft_model *model, const weft_params *p) {
  const double falls_at = sqrt((double)weft_v3_length(p->gravity) * weft_model_extent(model));
  const bool blown = wind_of(p) > falls_at && meeting_of(model, p) != MEETS_POLE;
  const bool driven = p->grab || blown;
  if (model->pinned_count == 0) return 0;
  return driven ? WEFT_MAX_ATTACHMENTS : 1;
}

static void choose(const weft_model *model, weft_strain_choice *choice, weft_params *p) {
  unsigned kept = choice->kept;
  bool lines = lines_possible(p);
  if (!(kept & WEFT_KEEP_LRA)) p->lra = attachments_for(model, p);
  if (!(kept & WEFT_KEEP_ITERATIONS)) p->iterations = 1;
  const rule r = rule_of(model, choice, p);
  if (!(kept & WEFT_KEEP_MULTILEVEL_SWEEPS)) p->multilevel_sweeps = 1;
  if (!(kept & WEFT_KEEP_MULTILEVEL_SLACK)) p->multilevel_slack = (float)r.slack;
  if (!(kept & WEFT_KEEP_LRA_SLACK)) p->lra_slack = (float)r.slack;
  choose_passes(choice, &r, lines, p);
  const bool sweeps = r.grid && p->line_sweeps > 0 && !(kept & WEFT_KEEP_LINE_SWEEPS);
  if (!(kept & WEFT_KEEP_SUBSTEPS)) {
    if (sweeps) {
      choose_line_substeps(&r, p);
      /* For falling cloth a second sweep leaves levels nothing to correct. */
      bool carry = r.pinned || p->line_sweeps == 1 || is_soft(choice, &r);
      if (!(kept & WEFT_KEEP_MULTILEVEL) && !carry) p->multilevel = 0;
    } else {
      choose_substeps(&r, p);
    }
  }
  if (choice->by_default) {
    /* No extra mechanism. */
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

/* ---- what was given ---- */

static const struct {
  unsigned bit;
  uint32_t param;
} choosable[] = {{WEFT_KEEP_SUBSTEPS, WEFT_PARAM_substeps},
                 {WEFT_KEEP_ITERATIONS, WEFT_PARAM_iterations},
                 {WEFT_KEEP_MULTILEVEL, WEFT_PARAM_multilevel},
                 {WEFT_KEEP_MULTILEVEL_SWEEPS, WEFT_PARAM_multilevel_sweeps},
                 {WEFT_KEEP_MULTILEVEL_SLACK, WEFT_PARAM_multilevel_slack},
                 {WEFT_KEEP_LRA, WEFT_PARAM_lra},
                 {WEFT_KEEP_LRA_SLACK, WEFT_PARAM_lra_slack},
                 {WEFT_KEEP_LINE_SWEEPS, WEFT_PARAM_line_sweeps}};
enum { CHOOSABLE = sizeof choosable / sizeof *choosable };

const char *weft_kept_name(unsigned kept, uint32_t index) {
  for (size_t k = 0; k < CHOOSABLE; ++k) {
    if ((kept & choosable[k].bit) && index-- == 0) {
      return weft_param_infos[choosable[k].param].option;
    }
  }
  return NULL;
}

unsigned weft_keep_bit(uint32_t row) {
  for (size_t k = 0; k < CHOOSABLE; ++k) {
    if (choosable[k].param == row) return choosable[k].bit;
  }
  return 0;
}

static unsigned given_in(const weft_params *p) {
  unsigned given = p->keep;
  for (size_t k = 0; k < CHOOSABLE; ++k) {
    const uint32_t param = choosable[k].param;
    const double nothing = p->complete ? weft_param_infos[param].otherwise : 0;
    if (weft_param_of(p, param, 0) != nothing) given |= choosable[k].bit;
  }
  return given;
}

/* ---- the choice ---- */

/* The default needs lines. */
static bool stays_plain(const weft_model *model, unsigned kept, const weft_params *p) {
  if (model->triangle_count == 0 || !lines_possible(p)) return true;
  return (kept & WEFT_KEEP_LINE_SWEEPS) && p->line_sweeps == 0;
}

weft_result weft_params_choose_for_strain(const weft_model *model, double target, unsigned kept,
                                          weft_params *params, weft_strain_choice *choice,
                                          weft_error *err) {
  WEFT_GUARD(err);
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
  weft_strain_choice made = {.target = target, .kept = kept, .by_default = target == 0};
  params->plain = p.plain = true;
  if (made.by_default && stays_plain(model, kept, &p)) return *choice = made, WEFT_OK;
  made.own = weft_levels_own_slack(model, &p);
  double above = model->grid_rows > 0 ? 0 : of_a_stop * sqrt(made.own);
  if (made.by_default) made.target = made.own + fmax(above, by_default);
  made.stiffer = made.own > made.target;
  choose(model, &made, &p);
  *choice = made;
  *params = p;
  return WEFT_OK;
}

weft_result weft_params_choose(const weft_model *model, weft_params *params, weft_error *err) {
  weft_strain_choice choice;
  if (!params->plain) {
    const weft_result result = weft_params_choose_for_strain(
        model, params->max_strain, given_in(params), params, &choice, err);
    if (result == WEFT_OK) params->max_strain = 0; /* it is kept now, as they are */
    return result;
  }
  if (params->max_strain == 0) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "plain leaves out what max_strain chooses: give one of them");
}
