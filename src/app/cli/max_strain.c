/* max_strain.c: what is said of --max-strain. */
#include "max_strain.h"

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
