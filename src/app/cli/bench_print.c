/* bench_print.c: the rows of `weft bench` as a table and as CSV. */
#include <math.h>
#include <string.h>

#include "bench_print.h"

#include "build_info.h"
#include "cli.h"
#include "gl.h"
#include "json.h"
#include "machine.h"

const char *weft_bench_slow_build(void) {
  return weft_build_is_slow() ? "this is a debug or sanitized build: its times mean nothing" : NULL;
}

static void print_left(FILE *file, const weft_bench_table *table) {
  if (table->left_count) fputs("\nleft out\n", file);
  for (size_t k = 0; k < table->left_count; ++k) {
    fprintf(file, "  %s: %s\n", table->left[k].what, table->left[k].why);
  }
}

/* ---- a line for each row ---- */

/* Of the column of names, which are those of files, too. */
static int name_width(const weft_bench_table *t) {
  size_t width = 8;
  for (size_t k = 0; k < t->count; ++k) {
    if (strlen(t->rows[k].scene) > width) width = strlen(t->rows[k].scene);
  }
  return (int)width;
}

/* "cpu", or "cpu, jacobi, patches" where rows of the table differ in that. */
static void name_backend(const weft_bench_table *t, const weft_bench_row *r, char *text,
                         size_t size) {
  bool modes = false, schedules = false;
  for (size_t k = 0; k < t->count; ++k) {
    modes = modes || strcmp(t->rows[k].mode, t->rows[0].mode) != 0;
    schedules = schedules || strcmp(t->rows[k].schedule, t->rows[0].schedule) != 0;
  }
  snprintf(text, size, "%s%s%s%s%s", r->backend, modes ? ", " : "", modes ? r->mode : "",
           schedules ? ", " : "", schedules ? r->schedule : "");
}

static void print_row(FILE *file, const weft_bench_table *t, const weft_bench_row *r, int width) {
  char backend[48], fps[24];
  name_backend(t, r, backend, sizeof backend);
  double rate = 1e3 / r->ms.median;
  snprintf(fps, sizeof fps, "%.3g", rate);
  if (rate >= 100) snprintf(fps, sizeof fps, "%s", weft_cli_grouped((uint64_t)(rate + 0.5)));
  fprintf(file, "%-*s %10s  %-*s %10.*f %8s %10.3g %%\n", name_width(t), r->scene,
          weft_cli_grouped(r->particles), width, backend, r->ms.median < 10 ? 2 : 1, r->ms.median,
          fps, 100 * r->seen.max);
}

/* What measured them: honest about drivers and about other work. */
static void print_machine(FILE *file, const weft_bench_table *t, const weft_gl *gl) {
  char driver[260];
  fprintf(file, "%s, %u processor%s", weft_processor_name(), t->processors,
          weft_plural(t->processors));
  if (gl) {
    fprintf(file, "; gl is %s%s", weft_driver_short_name(gl, driver, sizeof driver),
            weft_gl_is_software(gl) ? ", a software driver, no GPU" : "");
  }
  if (t->load >= 1) fprintf(file, "; load %.1f: others were at work", t->load);
  fputc('\n', file);
}

void weft_bench_print_rows(FILE *file, const weft_bench_table *table, const weft_gl *gl) {
  int width = 7;
  for (size_t k = 0; k < table->count; ++k) {
    char backend[48];
    name_backend(table, &table->rows[k], backend, sizeof backend);
    if ((int)strlen(backend) > width) width = (int)strlen(backend);
  }
  fprintf(file, "%-*s %10s  %-*s %10s %8s %12s\n", name_width(table), "scene", "particles", width,
          "backend", "ms a frame", "fps", "strain (p99)");
  for (size_t k = 0; k < table->count; ++k) print_row(file, table, &table->rows[k], width);
  print_machine(file, table, gl);
  if (weft_bench_slow_build()) fprintf(file, "warning: %s\n", weft_bench_slow_build());
  print_left(file, table);
}

/* ---- changes ---- */

static void print_change(FILE *file, const weft_bench_changed *row, uint32_t k) {
  const weft_bench_change *c = &row->changes[k];
  if (c->ms <= 0) return;
  fprintf(file, "  %-25s %10.4f %10.4f %10.3f\n", weft_bench_change_name(k), c->ms, c->later_ms,
          (c->ms + c->later_ms) / row->frame_ms);
}

void weft_bench_print_changes(FILE *file, const weft_bench_changes *changes) {
  for (size_t k = 0; k < changes->count; ++k) {
    const weft_bench_changed *row = &changes->rows[k];
    fprintf(file, "%s%u x %u, %s%s: %.3f ms a frame\n", k ? "\n" : "", row->size, row->size,
            row->backend, row->self ? ", self-collision" : "", row->frame_ms);
    fprintf(file, "  %-25s %10s %10s %10s\n", "change", "ms", "ms later", "frames");
    for (uint32_t c = 0; c < WEFT_BENCH_CHANGES; ++c) print_change(file, row, c);
  }
  if (changes->load >= 1) {
    fprintf(file, "load %.1f: others were at work\n", changes->load);
  }
  if (weft_bench_slow_build()) fprintf(file, "warning: %s\n", weft_bench_slow_build());
}

/* ---- the long table ---- */

static const double mebibyte = 1048576;

static void print_name(FILE *file, const weft_bench_table *t, const weft_bench_row *r) {
  fprintf(file, "%-*s %5u %-7s %-6s %-8s", name_width(t), r->scene, r->size, r->backend, r->mode,
          r->schedule);
}

static void print_head(FILE *file, const weft_bench_table *t, const char *rest) {
  fprintf(file, "\n%-*s %5s %-7s %-6s %-8s%s\n", name_width(t), "scene", "size", "backend", "mode",
          "schedule", rest);
}

static void print_what_strain(FILE *file, const weft_bench_row *r) {
  fprintf(file,
          "  strain: mean, p99 and max of |length/rest - 1| of stretch in frame %u; max p99: the "
          "largest of %u look%s on the way there\n",
          r->warmup + r->frames, r->seen.samples, weft_plural(r->seen.samples));
}

/* More than all of it is a question that the table has to answer itself. */
static void print_what_roofline(FILE *file, const weft_bench_table *t) {
  bool above = false;
  for (size_t k = 0; k < t->count; ++k) above = above || weft_bench_roofline_part(&t->rows[k]) > 1;
  if (!above) return;
  fputs(
      "  bound above 100 %: bytes counted as moved by every pass were found in a cache, or others "
      "held up the copy; there the bound is none\n",
      file);
}

static void print_times(FILE *file, const weft_bench_table *t) {
  char head[200];
  snprintf(head, sizeof head, " %9s %9s %9s %9s %7s %9s %8s %7s %8s %8s %8s %8s  %s", "particles",
           "ms/frame", "p95", "min", "spread", "proc. ms", "Mproj/s", "bound", "strain", "p99",
           "max", "max p99", "state hash");
  print_head(file, t, head);
  for (size_t k = 0; k < t->count; ++k) {
    const weft_bench_row *r = &t->rows[k];
    print_name(file, t, r);
    fprintf(file, " %9u %9.3f %9.3f %9.3f %6.1f%% %9.3f %8.1f %6.1f%%", r->particles, r->ms.median,
            r->ms.p95, r->ms.min, 100 * weft_bench_spread(&r->ms), r->processor_ms, 1e-6 * r->rate,
            100 * weft_bench_roofline_part(r));
    fprintf(file, " %7.3f%% %7.3f%% %7.3f%% %7.3f%%  %016llx\n", 100 * r->metrics.strain_mean,
            100 * r->metrics.strain_p99, 100 * r->metrics.strain_max, 100 * r->max_p99,
            (unsigned long long)r->hash);
  }
  print_what_strain(file, &t->rows[0]);
  print_what_roofline(file, t);
}

/* Of a small cloth it is mostly what the driver and the allocator keep. */
static void print_host_bytes(FILE *file, const weft_bench_row *r) {
  enum { ENOUGH = 10000 };
  double bytes = weft_bench_host_bytes_per_particle(r);
  if (r->particles >= ENOUGH && bytes > 0) {
    fprintf(file, " %7.0f", bytes);
  } else {
    fprintf(file, " %7s", "-");
  }
}

static void print_costs(FILE *file, const weft_bench_table *t) {
  char head[200];
  snprintf(head, sizeof head, " %11s %7s %9s %9s %9s %9s %7s %7s %10s %10s %10s", "constraints",
           "colours", "scene ms", "solver ms", "host MiB", "buf. MiB", "B/part.", "host B",
           "kinetic J", "potent. J", "elastic J");
  print_head(file, t, head);
  for (size_t k = 0; k < t->count; ++k) {
    const weft_bench_row *r = &t->rows[k];
    print_name(file, t, r);
    fprintf(file, " %11llu %7u %9.2f %9.2f %9.1f %9.2f %7.0f", (unsigned long long)r->constraints,
            r->colours, r->scene_ms, r->solver_ms, (double)r->host_peak / mebibyte,
            (double)r->buffer_bytes / mebibyte, weft_bench_bytes_per_particle(r));
    print_host_bytes(file, r);
    fprintf(file, " %10.3g %10.3g %10.3g\n", r->metrics.kinetic_energy, r->metrics.potential_energy,
            r->metrics.elastic_energy);
  }
}

static void print_roofline(FILE *file, const weft_bench_row *r) {
  fprintf(file, "  bound %.4f ms: %.3f MB a frame, %s moving its own once", r->roofline_ms,
          1e-6 * r->roofline_bytes, r->roofline_of);
  fprintf(file, ", at the %.2f GB/s at which %s copies %.2f MiB", 1e-9 * r->machine.bytes_per_s,
          r->machine.copier, (double)r->machine.copied / mebibyte);
  fprintf(file, ", %.2f us to start a pass\n", 1e6 * r->machine.dispatch_s);
}

static void print_passes(FILE *file, const weft_bench_row *r) {
  double all = weft_bench_passes_ms(r->passes), runs = weft_bench_passes_runs(r->passes);
  fprintf(file, "\n%s %u %s %s %s: %.6g %s a frame, %.3f ms together (%s)\n", r->scene, r->size,
          r->backend, r->mode, r->schedule, runs, runs == 1 ? "pass" : "passes", all,
          r->pass_clock);
  print_roofline(file, r);
  fprintf(file, "  %-18s %9s %10s %6s %9s %8s %8s %8s\n", "pass", "per frame", "ms/frame", "part",
          "us each", "MB", "GB/s", "bound");
  for (int kind = 0; kind < WEFT_TIMED_KINDS; ++kind) {
    const weft_bench_pass *pass = &r->passes[kind];
    if (pass->runs == 0) continue;
    fprintf(file, "  %-18s %9.6g %10.4f %5.1f%% %9.2f %8.3f %8.3f %7.1f%%\n", weft_timed_name(kind),
            pass->runs, pass->ms, all > 0 ? 100 * pass->ms / all : 0, 1e3 * pass->ms / pass->runs,
            1e-6 * pass->bytes, pass->ms > 0 ? 1e-6 * pass->bytes / pass->ms : 0,
            pass->ms > 0 ? 100 * pass->roofline_ms / pass->ms : 0);
  }
}

/* Not every pass is dispatched: see what self-collision leaves out. */
static void print_issued(FILE *file, const weft_bench_row *r) {
  if (r->dispatches == 0) return;
  fprintf(file, "  issued in a timed frame: %.6g dispatches, %.6g calls of OpenGL\n", r->dispatches,
          r->gl_calls);
}

/* What self-collision is of that; lists are those of the last frame. */
static void print_self(FILE *file, const weft_bench_row *r) {
  const weft_metrics *m = &r->metrics;
  const weft_bench_pass self = weft_bench_self(r->passes);
  double substeps = r->substeps, steps = m->self_steps, all = weft_bench_passes_ms(r->passes);
  if (self.runs == 0) return;
  fprintf(file, "  self-collision: %.4g passes", self.runs / substeps);
  if (r->dispatches > 0) fprintf(file, " in %.4g dispatches", self.dispatches / substeps);
  fprintf(
      file,
      ", %.4g ms (%.1f%%) and %.4g MB a substep; %.0f pairs of %.0f candidates a contact step\n",
      self.ms / substeps, all > 0 ? 100 * self.ms / all : 0, 1e-6 * self.bytes / substeps,
      m->self_pairs / steps, m->self_candidates / steps);
  fprintf(file, "  in the last frame: %s\n", weft_cli_self_text(m));
}

static void print_scaling(FILE *file, const weft_bench_table *table) {
  json_t *all = weft_bench_json(table, NULL);
  weft_bench_print_scaling(file, json_object_get(all, "scaling"));
  json_decref(all);
}

static void print_setting(void *user, const char *name, const char *text) {
  fprintf(user, "settings   %s: %s\n", name, text);
}

/* Without them a time says nothing. */
static void print_settings(FILE *file, const weft_bench_table *t) {
  json_t *all = weft_bench_json(t, NULL);
  weft_bench_say_settings(json_object_get(all, "rows"), print_setting, file);
  json_decref(all);
}

static void print_load(FILE *file, const weft_bench_table *table) {
  if (!isfinite(table->load)) return;
  fprintf(file, "load       %.2f before the first row, on %u processor%s%s\n", table->load,
          table->processors, weft_plural(table->processors),
          table->load >= 1 ? ": others were at work, compare neighbours only" : "");
}

void weft_bench_print_table(FILE *file, const weft_bench_table *table, const char *driver) {
  fprintf(file, "weft commit %s, %s (%s)\nprocessor  %s\ndriver     %s\n", weft_build.commit,
          weft_build.compiler, weft_build.type, weft_processor_name(), driver ? driver : "none");
  print_load(file, table);
  print_settings(file, table);
  if (weft_bench_slow_build()) fprintf(file, "warning    %s\n", weft_bench_slow_build());
  if (table->count) print_times(file, table);
  if (table->count) print_costs(file, table);
  print_scaling(file, table);
  print_left(file, table);
  for (size_t k = 0; k < table->count; ++k) {
    print_passes(file, &table->rows[k]);
    print_issued(file, &table->rows[k]);
    print_self(file, &table->rows[k]);
  }
}

/* ---- CSV ---- */

static void print_csv_row(FILE *file, const weft_bench_row *r) {
  const weft_metrics *m = &r->metrics;
  weft_bench_print_csv_text(file, r->scene);
  fprintf(file, ",%u,%u,%llu,%u,%s,%s,%s,%u,%u,%u,%u,%u", r->size, r->particles,
          (unsigned long long)r->constraints, r->colours, r->backend, r->mode, r->schedule,
          r->substeps, r->iterations, r->warmup, r->frames, r->samples);
  fprintf(file, ",%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", r->ms.median, r->ms.p95, r->ms.min,
          r->ms.lower, r->ms.upper, weft_bench_spread(&r->ms), r->rate);
  fprintf(file, ",%.6g", r->processor_ms);
  fprintf(file, ",%.6g,%.6g", weft_bench_passes_runs(r->passes), weft_bench_passes_ms(r->passes));
  fprintf(file, ",%.6g,%.6g,%.6g,%.6g,%.6g", r->machine.bytes_per_s, 1e6 * r->machine.dispatch_s,
          r->roofline_bytes, r->roofline_ms, weft_bench_roofline_part(r));
  fprintf(file, ",%s", r->roofline_of);
  fprintf(file, ",%.6g,%.6g,%llu,%llu,%.6g,%.6g", r->scene_ms, r->solver_ms,
          (unsigned long long)r->host_peak, (unsigned long long)r->buffer_bytes,
          weft_bench_bytes_per_particle(r), weft_bench_host_bytes_per_particle(r));
  fprintf(file, ",%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", m->strain_mean, m->strain_p99,
          m->strain_threads_p99, m->strain_max, r->max_p99, r->seen.max);
  fprintf(file, ",%.6g,%.6g,%.6g,%016llx", m->kinetic_energy, m->potential_energy,
          m->elastic_energy, (unsigned long long)r->hash);
}

void weft_bench_print_csv(FILE *file, const weft_bench_table *table, const char *driver) {
  fputs(
      "scene,size,particles,constraints,colours,backend,mode,schedule,substeps,iterations,warmup,"
      "frames,"
      "samples,"
      "ms_per_frame_median,ms_per_frame_p95,ms_per_frame_min,ms_per_frame_lower_quartile,"
      "ms_per_frame_upper_quartile,spread,projections_per_s,processor_ms_per_frame,passes_per_"
      "frame,"
      "passes_ms_per_frame,copy_bytes_per_s,dispatch_us,roofline_bytes_per_frame,"
      "roofline_ms_per_frame,roofline_part,roofline_of,scene_ms,solver_ms,host_peak_bytes,"
      "buffer_bytes,bytes_per_particle,host_bytes_per_particle,strain_mean,strain_p99,strain_"
      "threads_p99,strain_max,strain_p99_max,strain_threads_p99_max,kinetic_energy_J,"
      "potential_energy_J,elastic_energy_J,hash,settings,processor,driver,compiler,build_type,"
      "commit\n",
      file);
  for (size_t k = 0; k < table->count; ++k) {
    print_csv_row(file, &table->rows[k]);
    fputc(',', file);
    weft_bench_print_csv_text(file, table->rows[k].settings);
    fprintf(file, ",\"%s\",\"%s\",\"%s\",%s,%s\n", weft_processor_name(), driver ? driver : "none",
            weft_build.compiler, weft_build.type, weft_build.commit);
  }
}
