/* hold.c: the search of `weft bench --hold-strain`.
 *
 * What is affordable: every choice of levels, attachments and lines is tried with the first mode
 * and the first number of iterations; other modes and more iterations only with the choice that
 * held it with the fewest sweeps. Substeps are looked for on a scale of about a fifth from one to
 * the next, up or down by doubles from where a candidate like it held, then between. A run ends
 * when it is past the target. A candidate is given up when it does not hold and already takes four
 * times the sweeps of one that holds. So which runs there are depends on strain alone, not on what
 * else the machine does; clocks come in where all candidates that hold are timed. */
#include "hold.h"
#include "bench_internal.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "model.h"

enum { DOUBLE = 4, SAMPLED = 6, TOO_DEAR = 4 };

static const uint32_t scale[] = {1,  2,  3,   4,   5,   6,   7,   8,   10,  12,
                                 14, 17, 20,  24,  28,  34,  40,  48,  57,  68,
                                 80, 96, 114, 136, 160, 192, 228, 272, 320, 384};
enum { SCALE = sizeof scale / sizeof *scale };

static uint32_t sweeps(const weft_params *p) {
  return p->substeps * (p->iterations ? p->iterations : 1);
}

static int place_of(uint32_t substeps) {
  int at = 0;
  while (at + 1 < SCALE && scale[at] < substeps) ++at;
  return at;
}

/* ---- one run ---- */

typedef struct search {
  const weft_bench_request *request;
  weft_scene_instance *scene;
  const weft_backend *backend;
  weft_hold *hold;
  uint32_t min; /* sweeps a frame, of what held so far; 0: nothing did */
  weft_vec3 *positions;
  int start; /* where on the scale the next candidate begins */
} search;

/* Infinite also where the state is. */
static double strain_now(search *s, weft_solver *solver) {
  if (weft_solver_read(solver, s->positions, NULL, NULL) != WEFT_OK) return INFINITY;
  weft_metrics metrics = {0};
  weft_measure_strain(s->scene->model, s->positions, &metrics);
  return metrics.strain_threads_p99;
}

static bool to_sample(const weft_hold *hold, uint32_t frame) {
  return frame >= hold->sample_from && (hold->frames - frame) % hold->sample_every == 0;
}

/* As long as strain stays under the target. */
static weft_result run_frames(search *s, weft_solver *solver, weft_hold_probe *probe,
                              weft_error *err) {
  weft_result result = WEFT_OK;
  double seconds = 0;
  uint32_t frame = 0;
  probe->held = true;
  while (frame < s->hold->frames && result == WEFT_OK && probe->held) {
    clock_t start = clock();
    result = weft_scene_step(s->scene, solver, err);
    if (result == WEFT_OK) result = weft_bench_go_on(&s->request->plan, err);
    weft_solver_finish(solver);
    seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
    if (!to_sample(s->hold, ++frame)) continue;
    double strain = strain_now(s, solver);
    if (!(strain <= probe->strain)) probe->strain = strain;
    probe->held = probe->strain <= s->hold->target;
  }
  probe->ms = 1e3 * seconds / frame;
  return result;
}

static weft_result run_probe(search *s, weft_hold_try *candidate, uint32_t substeps,
                             weft_error *err) {
  weft_hold_probe *probe = &candidate->probes[candidate->probe_count];
  *probe = (weft_hold_probe){.substeps = substeps};
  candidate->params.substeps = substeps;
  weft_solver *solver;
  weft_result result =
      weft_solver_create(s->scene->model, &candidate->params, s->backend, &solver, err);
  if (result != WEFT_OK) return result;
  weft_bench_progress_show(&s->request->plan, 0.8 * s->hold->count / WEFT_HOLD_MAX_TRIES);
  result = run_frames(s, solver, probe, err);
  weft_solver_destroy(solver);
  if (candidate->probe_count++ == 0 || probe->strain < candidate->min) {
    candidate->min = probe->strain;
    candidate->min_substeps = substeps;
  }
  s->hold->runs++;
  if (result != WEFT_OK || !probe->held) return result;
  candidate->held = true;
  candidate->strain = probe->strain;
  candidate->search_ms = probe->ms;
  if (s->min == 0 || sweeps(&candidate->params) < s->min) s->min = sweeps(&candidate->params);
  return WEFT_OK;
}

/* ---- one candidate ---- */

static bool give_up(const search *s, weft_hold_try *candidate) {
  const weft_hold_probe *last = &candidate->probes[candidate->probe_count - 1];
  uint32_t own = sweeps(&candidate->params);
  if (last->held || s->min == 0 || own <= TOO_DEAR * s->min) return false;
  snprintf(candidate->lost, sizeof candidate->lost,
           "given up: %.3g %% with %.1f times the sweeps of one that holds", 100 * last->strain,
           (double)own / s->min);
  return true;
}

/* Between `fails` and `holds`, places on the scale; -1 and SCALE where nothing was run. */
static weft_result narrow(search *s, weft_hold_try *candidate, int fails, int holds,
                          weft_error *err) {
  weft_result result = WEFT_OK;
  int at = s->start;
  while (result == WEFT_OK && holds - fails > 1 && candidate->probe_count < WEFT_HOLD_MAX_PROBES) {
    result = run_probe(s, candidate, scale[at], err);
    if (result != WEFT_OK) break;
    if (candidate->probes[candidate->probe_count - 1].held) {
      holds = at;
    } else {
      fails = at;
    }
    if (give_up(s, candidate)) break;
    if (fails < 0) {
      at = holds - DOUBLE > 0 ? holds - DOUBLE : 0;
    } else if (holds == SCALE) {
      at = fails + DOUBLE < SCALE ? fails + DOUBLE : SCALE - 1;
    } else {
      at = (fails + holds) / 2;
    }
  }
  if (result != WEFT_OK || holds == SCALE) return result;
  candidate->params.substeps = scale[holds];
  s->start = holds;
  return WEFT_OK;
}

/* What was measured at the fewest substeps that held. */
static void settle(weft_hold_try *candidate) {
  for (uint32_t k = 0; k < candidate->probe_count; ++k) {
    const weft_hold_probe *probe = &candidate->probes[k];
    if (!probe->held || probe->substeps != candidate->params.substeps) continue;
    candidate->strain = probe->strain;
    candidate->search_ms = probe->ms;
  }
  if (candidate->held) candidate->lost[0] = 0;
  if (candidate->held || candidate->lost[0]) return;
  const weft_hold_probe *last = &candidate->probes[candidate->probe_count - 1];
  snprintf(candidate->lost, sizeof candidate->lost, "%u substep%s leave %.3g %%", last->substeps,
           weft_plural(last->substeps), 100 * last->strain);
}

static bool same_candidate(const weft_params *a, const weft_params *b) {
  return a->mode == b->mode && a->schedule == b->schedule && a->iterations == b->iterations &&
         a->lra == b->lra && a->multilevel == b->multilevel && a->line_sweeps == b->line_sweeps;
}

static weft_hold_try *add_candidate(weft_hold *hold, const weft_params *params) {
  for (uint32_t k = 0; k < hold->count; ++k) {
    if (!hold->tries[k].by_rule && same_candidate(&hold->tries[k].params, params)) return NULL;
  }
  if (hold->count == WEFT_HOLD_MAX_TRIES) return NULL;
  weft_hold_try *candidate = &hold->tries[hold->count++];
  *candidate = (weft_hold_try){.params = *params};
  return candidate;
}

/* Whether hybrid leaves every colour to Gauss-Seidel. */
static bool same_as_gs(const weft_model *model, const weft_params *params) {
  bool same = params->mode == WEFT_MODE_HYBRID;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    same = same && weft_group_split(model, g, params).tail_count == 0;
  }
  return same;
}

/* What a backend refuses is a candidate that is lost. */
static weft_result try_candidate(search *s, const weft_params *params, weft_error *err) {
  weft_hold_try *candidate = add_candidate(s->hold, params);
  if (!candidate) return WEFT_OK;
  if (same_as_gs(s->scene->model, params)) {
    snprintf(candidate->lost, sizeof candidate->lost,
             "the same as gs: no colour of this cloth is small");
    return WEFT_OK;
  }
  weft_error why = {0};
  weft_result result = s->hold->kept & WEFT_KEEP_SUBSTEPS
                           ? run_probe(s, candidate, params->substeps, &why)
                           : narrow(s, candidate, -1, SCALE, &why);
  if (result == WEFT_ERROR_LIMIT || result == WEFT_ERROR_ARGUMENT) {
    snprintf(candidate->lost, sizeof candidate->lost, "refused: %.180s", why.message);
    return WEFT_OK;
  }
  if (result != WEFT_OK) return weft_fail(err, result, "%s", why.message);
  settle(candidate);
  return WEFT_OK;
}

/* ---- all candidates ---- */

static uint32_t list_lra(const search *s, uint32_t *list) {
  uint32_t count = 0, own = s->scene->params.lra;
  if (s->hold->kept & WEFT_KEEP_LRA) {
    list[count++] = own;
    return count;
  }
  if (s->scene->model->pinned_count > 0) list[count++] = 1;
  list[count++] = 0;
  if (own > 1) list[count++] = own;
  return count;
}

static uint32_t list_levels(const search *s, uint32_t *list) {
  uint32_t count = 0, own = s->scene->params.multilevel;
  if (s->hold->kept & WEFT_KEEP_MULTILEVEL) {
    list[count++] = own;
    return count;
  }
  if (s->scene->model->triangle_count > 0) list[count++] = WEFT_ALL_LEVELS;
  list[count++] = 0;
  return count;
}

/* Lines go with compliances only. */
static uint32_t list_lines(const search *s, uint32_t *list) {
  const weft_params *p = &s->scene->params;
  const weft_model *model = s->scene->model;
  uint32_t count = 0;
  bool can = p->method == WEFT_METHOD_XPBD;
  if (!s->hold->lines_given && p->line_sweeps == 0 && can && model->triangle_count > 0) {
    list[count++] = model->grid_rows > 0 ? 1 : 4;
  }
  list[count++] = p->line_sweeps;
  return count;
}

static weft_params with(const search *s, uint32_t lra, uint32_t levels, uint32_t lines) {
  weft_params p = s->scene->params;
  p.lra = lra;
  p.multilevel = levels;
  p.line_sweeps = lines;
  if (levels && !(s->hold->kept & WEFT_KEEP_MULTILEVEL_SLACK))
    p.multilevel_slack = s->hold->multilevel_slack;
  if (!(s->hold->kept & WEFT_KEEP_ITERATIONS)) p.iterations = 1;
  return p;
}

static weft_result try_lra(search *s, weft_params from, weft_error *err) {
  uint32_t lra[3], count = list_lra(s, lra);
  weft_result result = WEFT_OK;
  for (uint32_t t = 0; t < count && result == WEFT_OK; ++t) {
    from.lra = lra[t];
    result = try_candidate(s, &from, err);
  }
  return result;
}

static weft_result try_aids(search *s, weft_schedule schedule, weft_error *err) {
  uint32_t lines[2], levels[2];
  uint32_t line_count = list_lines(s, lines), level_count = list_levels(s, levels);
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < line_count; ++k) {
    for (uint32_t l = 0; l < level_count && result == WEFT_OK; ++l) {
      weft_params p = with(s, 0, levels[l], lines[k]);
      p.schedule = schedule;
      result = try_lra(s, p, err);
    }
  }
  return result;
}

/* The one from `first` on that held with the fewest sweeps; the count when none did. */
static uint32_t best_of(const weft_hold *hold, uint32_t first) {
  uint32_t best = hold->count;
  for (uint32_t k = first; k < hold->count; ++k) {
    const weft_hold_try *candidate = &hold->tries[k];
    if (!candidate->held) continue;
    if (best == hold->count || sweeps(&candidate->params) < sweeps(&hold->tries[best].params))
      best = k;
  }
  return best;
}

static weft_result try_iterations(search *s, const weft_params *from, weft_error *err) {
  weft_result result = WEFT_OK;
  bool kept = s->hold->kept & WEFT_KEEP_ITERATIONS;
  for (uint32_t n = 2; n <= 4 && result == WEFT_OK && !kept; n *= 2) {
    weft_params p = *from;
    p.iterations = n;
    s->start = place_of(from->substeps / n);
    result = try_candidate(s, &p, err);
  }
  return result;
}

static weft_result try_modes(search *s, const weft_params *from, weft_error *err) {
  weft_result result = WEFT_OK;
  const weft_bench_names *modes = &s->request->modes;
  for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID && result == WEFT_OK; ++mode) {
    bool wanted = modes->count == 0;
    for (uint32_t k = 0; k < modes->count; ++k) {
      wanted = wanted || weft_mode_named(modes->text[k]) == mode;
    }
    weft_params p = *from;
    p.mode = (weft_mode)mode;
    s->start = place_of(from->substeps);
    if (wanted) result = try_candidate(s, &p, err);
  }
  return result;
}

static weft_result try_order(search *s, weft_schedule schedule, weft_error *err) {
  uint32_t first = s->hold->count;
  weft_result result = try_aids(s, schedule, err);
  uint32_t best = best_of(s->hold, first);
  if (result != WEFT_OK || best == s->hold->count) return result;
  weft_params from = s->hold->tries[best].params;
  result = try_iterations(s, &from, err);
  return result == WEFT_OK ? try_modes(s, &from, err) : result;
}

/* As --max-strain would; one run. */
static weft_result try_rule(search *s, weft_error *err) {
  weft_strain_choice choice;
  weft_params p = s->scene->params;
  weft_error why;
  if (weft_scene_hold(s->scene, s->scene->model, s->hold->target, s->hold->kept, &p, &choice,
                      &why) != WEFT_OK ||
      s->hold->count == WEFT_HOLD_MAX_TRIES) {
    return WEFT_OK;
  }
  weft_hold_try *candidate = &s->hold->tries[s->hold->count++];
  *candidate = (weft_hold_try){.params = p, .by_rule = true};
  weft_result result = run_probe(s, candidate, p.substeps, err);
  if (result == WEFT_OK) settle(candidate);
  return result;
}

/* ---- the search ---- */

static float find_slack(const weft_hold *hold, const weft_scene_instance *scene) {
  weft_strain_choice choice;
  weft_params p = scene->params;
  weft_error why;
  bool usable =
      weft_scene_hold(scene, scene->model, hold->target, hold->kept, &p, &choice, &why) == WEFT_OK;
  return usable ? p.multilevel_slack : 0;
}

void weft_hold_begin(const weft_bench_request *request, const weft_bench_row *input,
                     const weft_scene_instance *scene, weft_hold *hold) {
  uint32_t frames = request->hold.frames, half = frames - frames / 2;
  *hold = (weft_hold){.size = input->size,
                      .particles = input->particles,
                      .target = (double)request->hold.target,
                      .frames = frames,
                      .sample_from = half,
                      .sample_every = (frames - half) / SAMPLED ? (frames - half) / SAMPLED : 1,
                      .kept = request->hold.kept,
                      .lines_given = request->hold.lines_given,
                      .best = -1};
  memcpy(hold->scene, input->scene, sizeof hold->scene);
  hold->multilevel_slack = find_slack(hold, scene);
}

bool weft_hold_same_order(weft_schedule a, weft_schedule b) {
  return (a == WEFT_SCHEDULE_PATCHES) == (b == WEFT_SCHEDULE_PATCHES);
}

/* The first of the named schedules that projects in the order of patches, or in that of colours. */
static bool find_order(const weft_bench_request *request, bool patches, weft_schedule *schedule) {
  weft_schedule like = patches ? WEFT_SCHEDULE_PATCHES : WEFT_SCHEDULE_COLOURS;
  for (uint32_t k = 0; k < request->schedules.count; ++k) {
    *schedule = (weft_schedule)weft_schedule_named(request->schedules.text[k]);
    if (weft_hold_same_order(*schedule, like)) return true;
  }
  *schedule = WEFT_SCHEDULE_AUTO;
  return request->schedules.count == 0 && !patches;
}

weft_result weft_hold_search(const weft_bench_request *request, weft_scene_instance *scene,
                             const weft_backend *backend, weft_hold *hold, weft_error *err) {
  search s = {request, scene, backend, hold, 0, NULL, place_of(20)};
  weft_params given = scene->params;
  double start = weft_clock_seconds();
  s.positions = weft_alloc(hold->particles, sizeof *s.positions);
  hold->count = hold->runs = 0;
  hold->searched_on = weft_backend_name(backend);
  if (request->modes.count) scene->params.mode = (weft_mode)weft_mode_named(request->modes.text[0]);
  weft_result result = WEFT_OK;
  for (int patches = 0; patches < 2 && result == WEFT_OK; ++patches) {
    weft_schedule schedule;
    if (find_order(request, patches, &schedule)) result = try_order(&s, schedule, err);
  }
  if (result == WEFT_OK) result = try_rule(&s, err);
  scene->params = given;
  weft_free(s.positions);
  hold->search_s = weft_clock_seconds() - start;
  return result;
}
