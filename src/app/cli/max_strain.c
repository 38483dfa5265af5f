/* max_strain.c: one setting instead of five, and whether it was kept. */
#include "max_strain.h"

#include <math.h>
#include <string.h>

static const double min_target = 1e-5, max_target = 0.5;

/* ---- reading ---- */

weft_result weft_cli_read_max_strain(const char *text, double *target, weft_error *err) {
  size_t length = strlen(text);
  bool percent = length > 0 && text[length - 1] == '%';
  const char *end = text + length - percent;
  double value = 0;
  bool plain = end > text;
  for (const char *c = text; c < end; ++c) plain = plain && strchr("0123456789+-.eE", *c);
  if (!plain || weft_parse_double(text, end, &value) != end || !isfinite(value)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--max-strain: \"%s\" is neither a percentage (1%%) nor a part (0.01)", text);
  }
  if (percent) value /= 100;
  if (value < min_target || value > max_target) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--max-strain: %s is out of range, allowed is 0.001%% to 50%%, or 0.00001 to "
                     "0.5",
                     text);
  }
  *target = value;
  return WEFT_OK;
}

/* What of it was given: WEFT_KEEP_ bits. */
static unsigned strain_kept(const weft_cli_options *o) {
  unsigned kept = 0;
  if (weft_cli_gave(o, substeps) || o->mueller2007) kept |= WEFT_KEEP_SUBSTEPS;
  if (weft_cli_gave(o, iterations) || o->mueller2007) kept |= WEFT_KEEP_ITERATIONS;
  if (weft_cli_gave(o, multilevel)) kept |= WEFT_KEEP_MULTILEVEL;
  if (weft_cli_gave(o, multilevel_sweeps)) kept |= WEFT_KEEP_MULTILEVEL_SWEEPS;
  if (o->params.multilevel_slack > 0) kept |= WEFT_KEEP_MULTILEVEL_SLACK;
  if (weft_cli_gave(o, lra)) kept |= WEFT_KEEP_LRA;
  if (weft_cli_gave(o, lra_slack)) kept |= WEFT_KEEP_LRA_SLACK;
  if (weft_cli_gave(o, line_sweeps)) kept |= WEFT_KEEP_LINE_SWEEPS;
  return kept;
}

/* What is done by default yields to what it does not go with. */
static void say_plain(const weft_cli_options *options, const weft_scene_instance *scene) {
  const weft_params *p = &scene->params;
  bool cloth = weft_model_triangle_count(scene->model) > 0;
  if (p->method == WEFT_METHOD_XPBD || !cloth || weft_cli_gave(options, line_sweeps)) return;
  weft_log(WEFT_LOG_WARNING,
           "the sweep is plain and cloth may stretch: lines go with --method xpbd alone");
}

weft_result weft_cli_hold_strain(const weft_cli_options *options, weft_scene_instance *scene,
                                 weft_error *err) {
  weft_error why = {0};
  if (options->plain && options->max_strain > 0) {
    weft_scene_free(scene);
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--plain leaves out what --max-strain chooses: give one");
  }
  scene->params.plain = options->plain;
  if (options->plain) return WEFT_OK;
  weft_result result = weft_scene_hold(scene, scene->model, options->max_strain,
                                       strain_kept(options), &scene->params, &scene->held, &why);
  if (result == WEFT_OK && !(scene->held.target > 0)) say_plain(options, scene);
  if (result == WEFT_OK) return WEFT_OK;
  weft_fail(err, result, "%s%s: %.900s", options->max_strain > 0 ? "--max-strain for " : "",
            scene->name, why.message);
  weft_scene_free(scene);
  return result;
}

/* ---- saying ---- */

static void print_kept(FILE *file, unsigned kept) {
  for (uint32_t k = 0; weft_kept_name(kept, k); ++k) {
    fprintf(file, "%s%s", k ? ", " : " (as given: ", weft_kept_name(kept, k));
  }
  if (kept) fprintf(file, ")");
}

static void print_lines(FILE *file, const weft_params *p) {
  if (p->line_sweeps == 0) return;
  fprintf(file, "%u line sweep%s, ", p->line_sweeps, weft_plural(p->line_sweeps));
}

static void print_levels(FILE *file, const weft_params *p) {
  if (p->multilevel == 0) {
    fprintf(file, "no levels");
  } else if (p->multilevel >= WEFT_ALL_LEVELS) {
    fprintf(file, "all levels");
  } else {
    fprintf(file, "%u level%s", p->multilevel, weft_plural(p->multilevel));
  }
  if (p->multilevel == 0) return;
  fprintf(file, " with %u sweep%s", p->multilevel_sweeps, weft_plural(p->multilevel_sweeps));
  if (p->multilevel_slack > 0)
    fprintf(file, " and %.3g %% slack", 100 * (double)p->multilevel_slack);
}

static void print_short_of(FILE *file, const weft_strain_choice *held) {
  fprintf(file, "            too few by experience: they leave about %.2g %%",
          100 * held->expected);
  if (held->needed <= 1000) fprintf(file, ", and %u substeps would hold it", held->needed);
  fprintf(file, "\n");
  if (!held->in_the_way) return;
  fprintf(
      file,
      "            in the way are %s edge%s shorter than %.3g mm, the shortest from vertex %u to "
      "%u: by experience it would be held without them\n",
      weft_cli_grouped(held->in_the_way), weft_plural(held->in_the_way), 1000 * held->length,
      held->shortest[0], held->shortest[1]);
}

void weft_cli_strain_print_choice(FILE *file, const weft_params *p,
                                  const weft_strain_choice *held) {
  if (!(held->target > 0)) return;
  fprintf(file, "  held to   ");
  if (held->by_default) {
    fprintf(file, "what the fabric takes: ");
  } else {
    fprintf(file, "%.3g %%: ", 100 * held->target);
  }
  fprintf(file, "%u substep%s, %u iteration%s, ", p->substeps, weft_plural(p->substeps),
          p->iterations, weft_plural(p->iterations));
  print_lines(file, p);
  print_levels(file, p);
  fprintf(file, ", %u attachment%s", p->lra, weft_plural(p->lra));
  print_kept(file, held->kept);
  fprintf(file, "\n");
  if (held->short_of) print_short_of(file, held);
  if (!held->stiffer && !(held->by_default && held->own >= 0.01)) return;
  fprintf(file, "            this fabric stretches %s%.2g %% under its own weight",
          held->own >= 0.25 ? "more than " : "", 100 * held->own);
  if (held->stiffer) {
    fprintf(file, ": held to %.3g %% it is stiffer than measured", 100 * held->target);
  }
  fprintf(file, "\n");
}

void weft_cli_bending_print(FILE *file, const weft_solver *solver) {
  uint32_t needed = weft_solver_bending_substeps(solver);
  if (needed == 0) return;
  uint32_t substeps = weft_solver_params(solver)->substeps;
  fprintf(file,
          "  bending   softer than the fabric's with %u substep%s a frame: cells so fine want %u\n",
          substeps, weft_plural(substeps), needed);
}

static void warn(const weft_strain_choice *held, const weft_params *p,
                 const weft_strain_seen *strain) {
  char advice[160];
  if (held->short_of) {
    bool lines = p->line_sweeps > 0;
    uint32_t times = lines ? p->line_sweeps : p->iterations;
    snprintf(advice, sizeof advice, "%u substep%s x %u %s%s are too few for this mesh", p->substeps,
             weft_plural(p->substeps), times, lines ? "line sweep" : "iteration",
             weft_plural(times));
  } else if (held->stiffer) {
    snprintf(advice, sizeof advice, "the fabric is softer than that");
  } else {
    snprintf(advice, sizeof advice,
             "impacts, folding or fast motion: a smaller --max-strain or more --substeps may help");
  }
  weft_log(WEFT_LOG_WARNING,
           "max strain %.3g %% was not reached, p99 was %.3g %% in frame %llu (%s)",
           100 * held->target, 100 * strain->max, (unsigned long long)strain->max_frame, advice);
}

void weft_cli_strain_print_reached(FILE *file, const weft_params *params,
                                   const weft_strain_choice *held, const weft_strain_seen *strain) {
  if (!(held->target > 0) || strain->samples == 0) return;
  bool good = held->by_default || weft_strain_held(held, strain);
  fprintf(file,
          "  reached   p99 along threads %.3g %% at most (frame %llu), %.3g %% in frame %llu, of "
          "%u looked at%s\n",
          100 * strain->max, (unsigned long long)strain->max_frame, 100 * strain->last,
          (unsigned long long)strain->last_frame, strain->samples,
          held->by_default ? ""
          : good           ? ": held"
                           : ": NOT HELD");
  fflush(file);
  if (!good) warn(held, params, strain);
}
