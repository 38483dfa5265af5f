/* validate_kernel.c: each pass and permutation alone against its twin, over made-up inputs, at
 * counts around the group size and past the largest number of groups a dispatch is promised.
 *
 * Every buffer is compared whole: what a pass must not touch counts as much as what it writes.
 * Outputs that a pass overwrites start as a marked NaN, and guard words surround every buffer. */
#include "validate_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate.h"

enum { GUARD = 256, HUGE_GROUP = 32, PROMISED_GROUPS = 65535 };

typedef struct kernel_run {
  weft_validation *v;
  const weft_backend *backend;
  json_t *rows;
  uint32_t cases, different, refused;
} kernel_run;

typedef struct kernel_result {
  weft_difference difference;
  weft_buffer_id buffer; /* of the first difference, or of the broken guard */
  bool guard_broken, unwritten;
} kernel_result;

static void read_all(const weft_backend *backend, void *instance, const weft_table *table,
                     weft_buffer_id id, void *data) {
  if (table->count) backend->read(instance, id, 0, table->count, data);
}

/* A marked NaN that both left inside the range a pass owes. */
static bool left_unwritten(const weft_kernel_case *c, weft_buffer_id id, const weft_table *table,
                           const uint32_t *words) {
  const weft_binding *binding = NULL;
  const weft_pass_info *info = &weft_pass_infos[c->pass.kind];
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    if (info->bindings[k].buffer == id) binding = &info->bindings[k];
  }
  if (!binding || !binding->written || !weft_binding_used(binding, c->pass.variant)) return false;
  uint64_t first = c->pass.first, count = c->pass.count;
  if (id == WEFT_BUFFER_DELTA) {
    first = c->pass.delta_first;
    count *= info->arity;
  }
  if (c->pass.kind == WEFT_PASS_MOVE_PINS) first = WEFT_KERNEL_PAD; /* particles run backwards */
  bool read_first = id == WEFT_BUFFER_X || id == WEFT_BUFFER_LEVEL_X ||
                    id == WEFT_BUFFER_LEVEL_BASE || id == WEFT_BUFFER_LINE_LAMBDA;
  if (!binding->streamed && read_first) return false; /* never marked */
  uint32_t width = table->stride / 4;
  for (uint64_t k = first * width; k < (first + count) * width; ++k) {
    if (words[k] == WEFT_KERNEL_UNWRITTEN) return true;
  }
  return false;
}

static void compare_all(kernel_run *run, const weft_kernel_case *c, const weft_tables *tables,
                        void *ref, void *gl, kernel_result *result) {
  const weft_backend *on_ref = weft_backend_ref();
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const weft_table *table = &tables->buffers[id];
    if (table->count == 0) continue;
    uint32_t *a = weft_alloc((size_t)table->count, table->stride);
    uint32_t *b = weft_alloc((size_t)table->count, table->stride);
    read_all(on_ref, ref, table, (weft_buffer_id)id, a);
    read_all(run->backend, gl, table, (weft_buffer_id)id, b);
    if (weft_buffer_unordered((weft_buffer_id)id)) {
      weft_sort_words(a, table->count);
      weft_sort_words(b, table->count);
    }
    uint64_t before = result->difference.differing;
    weft_compare_rows(a, b, 0, table->count, table->stride / 4, &result->difference);
    if (before == 0 && result->difference.differing > 0) result->buffer = (weft_buffer_id)id;
    if (before == 0 && left_unwritten(c, (weft_buffer_id)id, table, b)) {
      if (!result->unwritten && result->difference.differing == 0)
        result->buffer = (weft_buffer_id)id;
      result->unwritten = true;
    }
    weft_free(a);
    weft_free(b);
  }
  weft_buffer_id broken = run->backend->broken_guard(gl);
  if (broken == WEFT_BUFFER_COUNT) broken = on_ref->broken_guard(ref);
  if (broken == WEFT_BUFFER_COUNT) return;
  result->guard_broken = true;
  result->buffer = broken;
}

static weft_result run_case(kernel_run *run, const weft_kernel_case *c, kernel_result *result,
                            weft_error *err) {
  weft_tables tables;
  weft_tables_init(&tables);
  weft_rng rng = weft_rng_seed(run->v->options->seed + c->pass.kind * 1000003u + c->pass.count);
  weft_kernel_fills[c->pass.kind](c, &rng, &tables);
  const weft_backend *on_ref = weft_backend_ref();
  void *ref = NULL, *gl = NULL;
  weft_result made = on_ref->create(on_ref, &tables, GUARD, &ref, err);
  if (made == WEFT_OK) made = run->backend->create(run->backend, &tables, GUARD, &gl, err);
  if (made == WEFT_OK) {
    run->backend->run(gl, &c->pass, c->substep);
    on_ref->run(ref, &c->pass, c->substep);
    run->backend->finish(gl);
    compare_all(run, c, &tables, ref, gl, result);
  }
  if (ref) on_ref->destroy(ref);
  if (gl) run->backend->destroy(gl);
  weft_tables_free(&tables);
  return made;
}

static void say_case(kernel_run *run, const char *name, const weft_kernel_case *c,
                     const kernel_result *r) {
  bool bad = r->difference.differing > 0 || r->guard_broken || r->unwritten;
  json_t *row =
      json_pack("{s:s, s:I, s:b}", "pass", name, "count", (json_int_t)c->pass.count, "equal", !bad);
  json_array_append_new(run->rows, row);
  if (!bad) return;
  run->different++;
  json_object_set_new(row, "buffer", json_string(weft_buffer_infos[r->buffer].name));
  json_object_set_new(row, "guard_broken", json_boolean(r->guard_broken));
  json_object_set_new(row, "unwritten", json_boolean(r->unwritten));
  printf("\n    count %u: ", c->pass.count);
  if (r->guard_broken) printf("WROTE OUTSIDE buffer %s; ", weft_buffer_infos[r->buffer].name);
  if (r->unwritten) printf("LEFT UNWRITTEN part of buffer %s; ", weft_buffer_infos[r->buffer].name);
  const weft_difference *d = &r->difference;
  if (d->differing == 0) return;
  json_object_set_new(row, "difference", weft_difference_json(d));
  printf(
      "DIFFERENT in buffer %s, %llu of %llu components, first row %llu component %u: ref %s, %s %s",
      weft_buffer_infos[r->buffer].name, (unsigned long long)d->differing,
      (unsigned long long)d->compared, (unsigned long long)d->row, d->component,
      weft_bits_text(d->ref_bits), weft_backend_name(run->backend), weft_bits_text(d->gl_bits));
}

static weft_kernel_case make_case(weft_pass_kind kind, uint32_t variant, uint32_t first_iteration,
                                  uint32_t count) {
  weft_kernel_case c = {.pass = {.kind = kind,
                                 .variant = variant,
                                 .first = WEFT_KERNEL_FIRST,
                                 .count = count,
                                 .first_iteration = first_iteration}};
  c.sparse = count > 100000;
  c.substep = 1 + count % 2;
  if (kind == WEFT_PASS_PROJECT_DISTANCE) c.pass.acts = count % 3;
  if (kind == WEFT_PASS_PROJECT_LINES) c.pass.first_iteration = count % 2;
  if (kind == WEFT_PASS_MOVE_PINS) c.substep = count % 3;
  weft_kernel_damp_case(&c);
  weft_kernel_level_case(&c);
  weft_kernel_patch_case(&c);
  if (kind == WEFT_PASS_GRID_SUM || kind == WEFT_PASS_GRID_SCAN) {
    c.pass.level_first = 7;
    c.pass.above_first = c.pass.level_first + WEFT_GRID_BLOCK * weft_kernel_rows(&c);
  }
  if (kind == WEFT_PASS_GRID_SCAN && count % 5 == 0) c.pass.above_first = WEFT_GRID_TOP;
  if (kind == WEFT_PASS_JACOBI_APPLY) c.pass.gather_first = 7;
  if (variant & WEFT_VARIANT_JACOBI) c.pass.delta_first = 7;
  return c;
}

static weft_result run_counts(kernel_run *run, weft_pass_kind kind, uint32_t variant,
                              uint32_t first_iteration, const uint32_t *counts, size_t count_count,
                              weft_error *err) {
  char name[96];
  weft_kernel_case first = make_case(kind, variant, first_iteration, 0);
  weft_pass_describe(&first.pass, name, sizeof name);
  if (first_iteration) strcat(name, " (first iteration)");
  printf("  %-52s", name);
  uint32_t before = run->different;
  for (size_t k = 0; k < count_count; ++k) {
    weft_kernel_case c = make_case(kind, variant, first_iteration, counts[k]);
    kernel_result result = {.buffer = WEFT_BUFFER_COUNT};
    weft_error refusal = {0};
    weft_result made = run_case(run, &c, &result, &refusal);
    run->cases++;
    if (made == WEFT_ERROR_LIMIT) {
      printf(" refused (%s)", refusal.message);
      run->refused++;
    } else if (made != WEFT_OK) {
      return weft_fail(err, made, "%s", refusal.message);
    } else {
      say_case(run, name, &c, &result);
    }
  }
  printf(run->different == before ? " equal\n" : "\n");
  fflush(stdout);
  return WEFT_OK;
}

static weft_result run_kinds(kernel_run *run, const uint32_t *counts, size_t count_count,
                             weft_error *err) {
  weft_result result = WEFT_OK;
  for (int kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    if (!weft_kernel_fills[kind]) {
      printf("  %-52s has NO TEST\n", weft_pass_infos[kind].name);
      run->different++;
      continue;
    }
    for (uint32_t variant = 0; variant < WEFT_VARIANT_COUNT && result == WEFT_OK; ++variant) {
      if (variant & ~weft_pass_infos[kind].variants) continue;
      uint32_t iterations = variant & WEFT_VARIANT_LAMBDA ? 2 : 1;
      for (uint32_t first_iteration = 0; first_iteration < iterations && result == WEFT_OK;
           ++first_iteration) {
        result = run_counts(run, (weft_pass_kind)kind, variant, first_iteration, counts,
                            count_count, err);
      }
    }
  }
  return result;
}

/* One past the promised number of groups, with the smallest group so that it fits in memory. */
static weft_result run_huge(kernel_run *run, weft_error *err) {
  weft_app_options options = *run->v->options;
  options.group_size = HUGE_GROUP;
  weft_gl *gl = NULL;
  const weft_backend *backend = NULL;
  weft_result result = weft_app_make_gl(&options, &gl, err);
  if (result == WEFT_OK) result = weft_backend_gl(gl, &backend, err);
  if (result == WEFT_OK) {
    uint32_t count = PROMISED_GROUPS * HUGE_GROUP + 1;
    printf("kernel: %s elements, one past %d groups of %d\n", weft_app_grouped(count),
           PROMISED_GROUPS, HUGE_GROUP);
    run->backend = backend;
    result = run_kinds(run, &count, 1, err);
  }
  weft_gl_destroy(gl);
  return result;
}

weft_result weft_validate_kernels(weft_validation *v, weft_error *err) {
  static const uint32_t counts[] = {0, 1, 63, 64, 65, 1023, 1025};
  kernel_run run = {.v = v, .backend = v->backend, .rows = json_array()};
  printf("kernel: each pass alone, counts 0 1 63 64 65 1023 1025, seed %llu\n",
         (unsigned long long)v->options->seed);
  weft_result result = run_kinds(&run, counts, sizeof counts / sizeof *counts, err);
  /* What fails on a handful of elements need not be shown on millions. */
  if (result == WEFT_OK && run.different == 0 && v->gl) result = run_huge(&run, err);
  json_object_set_new(v->report, "kernel",
                      json_pack("{s:I, s:i, s:i, s:i, s:o}", "seed", (json_int_t)v->options->seed,
                                "cases", (int)run.cases, "different", (int)run.different, "refused",
                                (int)run.refused, "rows", run.rows));
  if (result != WEFT_OK) return result;
  printf("  %u cases, %u different, %u refused by the driver's limits: %s\n", run.cases,
         run.different, run.refused, run.different ? "DIFFERENT" : "EQUAL in every bit");
  if (run.different) v->different = true;
  return WEFT_OK;
}
