/* bench_hold_print.c: what --hold-strain found and what lost, as a table and as CSV. */
#include <math.h>
#include <string.h>

#include "bench_print.h"
#include "hold.h"

/* ---- table ---- */

static void print_conditions(FILE *file, const weft_hold *h) {
  fprintf(
      file,
      "\nheld under %.4g %%: p99 of strain along threads in runs of %u frames from the rest pose, "
      "looked at every %u frame%s from frame %u\n",
      100 * h->target, h->frames, h->sample_every, weft_plural(h->sample_every),
      h->sample_from + (h->frames - h->sample_from) % h->sample_every);
}

/* Of candidates of which none holds; NULL when none was run. */
static const weft_hold_try *nearest(const weft_hold *h) {
  const weft_hold_try *near = NULL;
  for (uint32_t k = 0; k < h->count; ++k) {
    const weft_hold_try *candidate = &h->tries[k];
    if (candidate->probe_count > 0 && (!near || candidate->min < near->min)) near = candidate;
  }
  return near;
}

static void print_none(FILE *file, const weft_hold *h) {
  const weft_hold_try *candidate = nearest(h);
  fputs("  nothing that was tried holds it", file);
  if (candidate && isfinite(candidate->min)) {
    char setting[120];
    weft_params params = candidate->params;
    params.substeps = candidate->min_substeps;
    weft_hold_describe(&params, setting, sizeof setting);
    fprintf(file, "; the smallest was %.3g %%: %s", 100 * candidate->min, setting);
  }
  fputc('\n', file);
}

static void print_best(FILE *file, const weft_hold *h) {
  fprintf(file, "%-8s %5u %-7s %9u", h->scene, h->size, h->backend, h->particles);
  if (h->best < 0) {
    print_none(file, h);
    return;
  }
  const weft_hold_try *candidate = &h->tries[h->best];
  char setting[120];
  weft_hold_describe(&candidate->params, setting, sizeof setting);
  fprintf(file, " %9.3f %9.3f %6.1f%% %7.3f%%  %s\n", candidate->ms.median, candidate->ms.p95,
          100 * weft_bench_spread(&candidate->ms), 100 * candidate->strain, setting);
}

static void print_candidate(FILE *file, const weft_hold_try *candidate, bool best) {
  char setting[120];
  weft_hold_describe(&candidate->params, setting, sizeof setting);
  if (candidate->samples) {
    fprintf(file, "  %9.3f", candidate->ms.median);
  } else {
    fprintf(file, "  %9s", "-");
  }
  if (candidate->held) {
    fprintf(file, " %7.3f%%", 100 * candidate->strain);
  } else {
    fprintf(file, " %8s", "-");
  }
  fprintf(file, "  %-58s %s%s\n", setting, best ? "<- cheapest" : candidate->lost,
          candidate->by_rule ? " (as --max-strain chooses)" : "");
}

static void print_ways(FILE *file, const weft_hold *h) {
  fprintf(file, "\n%s %u %s: %u setting%s, strain looked at in %u run%s on %s (%.1f s)\n", h->scene,
          h->size, h->backend, h->count, weft_plural(h->count), h->runs, weft_plural(h->runs),
          h->searched_on, h->search_s);
  fprintf(file, "  %9s %8s  %-58s %s\n", "ms/frame", "strain", "setting", "why not");
  for (uint32_t k = 0; k < h->count; ++k) print_candidate(file, &h->tries[k], (int)k == h->best);
}

static void print_growth(FILE *file, const weft_bench_table *t, const weft_hold *first) {
  double x[WEFT_BENCH_MAX_NAMES], y[WEFT_BENCH_MAX_NAMES];
  size_t count = 0;
  for (size_t k = 0; k < t->hold_count && count < WEFT_BENCH_MAX_NAMES; ++k) {
    const weft_hold *h = &t->holds[k];
    if (h->best < 0 || strcmp(h->scene, first->scene) != 0) continue;
    if (strcmp(h->backend, first->backend) != 0) continue;
    x[count] = h->particles;
    y[count++] = h->tries[h->best].ms.median;
  }
  weft_bench_fit fit = weft_bench_fit_power(x, y, count);
  if (!isfinite(fit.exponent)) return;
  fprintf(file, "%s on %s: ms per frame at this strain grow as particles^%.2f over %zu sizes\n",
          first->scene, first->backend, fit.exponent, count);
}

void weft_hold_print(FILE *file, const weft_bench_table *t) {
  if (t->hold_count == 0) return;
  print_conditions(file, &t->holds[0]);
  fprintf(file, "%-8s %5s %-7s %9s %9s %9s %7s %8s  %s\n", "scene", "size", "backend", "particles",
          "ms/frame", "p95", "spread", "strain", "cheapest that holds it");
  for (size_t k = 0; k < t->hold_count; ++k) print_best(file, &t->holds[k]);
  for (size_t k = 0; k < t->hold_count; ++k) {
    bool seen = false;
    for (size_t j = 0; j < k; ++j) {
      seen = seen || (strcmp(t->holds[j].scene, t->holds[k].scene) == 0 &&
                      strcmp(t->holds[j].backend, t->holds[k].backend) == 0);
    }
    if (!seen) print_growth(file, t, &t->holds[k]);
  }
  for (size_t k = 0; k < t->hold_count; ++k) print_ways(file, &t->holds[k]);
}

/* ---- CSV ---- */

static void print_csv_candidate(FILE *file, const weft_hold *h, const weft_hold_try *candidate,
                                bool best) {
  const weft_params *p = &candidate->params;
  weft_bench_print_csv_text(file, h->scene);
  fprintf(file, ",%u,%u,%s,%.6g,%u,%s,%s,%u,%u,%u,%u,%u,%.6g,%s,%s", h->size, h->particles,
          h->backend, h->target, h->frames, weft_mode_name(p->mode),
          weft_schedule_name(p->schedule), p->substeps, p->iterations ? p->iterations : 1, p->lra,
          p->multilevel, p->line_sweeps, (double)p->multilevel_slack,
          candidate->by_rule ? "yes" : "no", candidate->held ? "yes" : "no");
  if (candidate->held) fprintf(file, ",%.6g,%.6g", candidate->strain, candidate->search_ms);
  if (!candidate->held) fputs(",,", file);
  fprintf(file, ",%u", candidate->samples);
  if (candidate->samples) {
    fprintf(file, ",%.6g,%.6g,%.6g", candidate->ms.median, candidate->ms.p95,
            weft_bench_spread(&candidate->ms));
  } else {
    fputs(",,,", file);
  }
  fprintf(file, ",%s,\"%s\"\n", best ? "yes" : "no", candidate->lost);
}

void weft_hold_print_csv(FILE *file, const weft_bench_table *t) {
  fputs(
      "scene,size,particles,backend,target,frames,mode,schedule,substeps,iterations,lra,multilevel,"
      "line_sweeps,multilevel_slack,by_max_strain,held,strain,search_ms_per_frame,samples,ms_per_"
      "frame_"
      "median,"
      "ms_per_frame_p95,spread,cheapest,why_not\n",
      file);
  for (size_t k = 0; k < t->hold_count; ++k) {
    const weft_hold *h = &t->holds[k];
    for (uint32_t w = 0; w < h->count; ++w) {
      print_csv_candidate(file, h, &h->tries[w], (int)w == h->best);
    }
  }
}
