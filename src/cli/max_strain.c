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

unsigned weft_cli_strain_kept(const weft_cli_options *o) {
  unsigned kept = 0;
  if (o->substeps || o->mueller2007) kept |= WEFT_KEEP_SUBSTEPS;
  if (o->iterations || o->mueller2007) kept |= WEFT_KEEP_ITERATIONS;
  if (o->multilevel_given) kept |= WEFT_KEEP_MULTILEVEL;
  if (o->multilevel_sweeps) kept |= WEFT_KEEP_MULTILEVEL_SWEEPS;
  if (o->numbers.multilevel_slack > 0) kept |= WEFT_KEEP_MULTILEVEL_SLACK;
  if (o->lra_given) kept |= WEFT_KEEP_LRA;
  if (o->given.lra_slack) kept |= WEFT_KEEP_LRA_SLACK;
  if (o->line_sweeps_given) kept |= WEFT_KEEP_LINE_SWEEPS;
  return kept;
}

weft_result weft_cli_hold_strain(const weft_cli_options *options, weft_scene_instance *scene,
                                 weft_error *err) {
  if (!(options->max_strain > 0)) return WEFT_OK;
  weft_error why = {0};
  weft_result result =
      weft_params_hold_strain(scene->model, options->max_strain, weft_cli_strain_kept(options),
                              &scene->params, &scene->held, &why);
  if (result == WEFT_OK) return WEFT_OK;
  weft_fail(err, result, "--max-strain for %s: %.900s", scene->name, why.message);
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

void weft_cli_strain_print_choice(FILE *file, const weft_params *p,
                                  const weft_strain_choice *held) {
  if (!(held->target > 0)) return;
  fprintf(file, "  held to   %.3g %%: %u substep%s, %u iteration%s, ", 100 * held->target,
          p->substeps, weft_plural(p->substeps), p->iterations, weft_plural(p->iterations));
  print_lines(file, p);
  print_levels(file, p);
  fprintf(file, ", %u attachment%s", p->lra, weft_plural(p->lra));
  print_kept(file, held->kept);
  fprintf(file, "\n");
  if (!held->stiffer) return;
  fprintf(file,
          "            this fabric stretches %s%.2g %% under its own weight: held to %.3g %% it is "
          "stiffer than measured\n",
          held->own >= 0.25 ? "more than " : "", 100 * held->own, 100 * held->target);
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
  bool good = weft_strain_held(held, strain);
  fprintf(file,
          "  reached   p99 along threads %.3g %% at most (frame %llu), %.3g %% in frame %llu, of "
          "%u looked at: %s\n",
          100 * strain->max, (unsigned long long)strain->max_frame, 100 * strain->last,
          (unsigned long long)strain->last_frame, strain->samples, good ? "held" : "NOT HELD");
  fflush(file);
  if (!good) warn(held, params, strain);
}
