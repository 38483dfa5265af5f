/* kernel.c: each pass and permutation alone against the reference, over made-up inputs, at
 * counts around the group size and past the largest number of groups a dispatch is promised.
 *
 * Every buffer is compared whole: what a pass must not touch counts as much as what it writes.
 * Outputs that a pass overwrites start as a marked NaN, and guard words surround every buffer. */
#include <stdio.h>
#include <string.h>

#include "kernel_data.h"
#include "verify_internal.h"

enum { GUARD = 256, LARGE_GROUP = 32, PROMISED_GROUPS = 65535 };

typedef struct kernel_run {
  const weft_verify_request *request;
  const weft_backend *backend;
  weft_kernel_findings *findings;
  bool large;
} kernel_run;

/* A marked NaN that both left inside the range a pass owes. */
static bool left_unwritten(const weft_kernel_case *c, weft_buffer_id id,
                           const weft_buffer_contents *table, const uint32_t *words) {
  const weft_binding *binding = NULL;
  const weft_pass_info *info = &weft_pass_infos[c->pass.kind];
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    if (info->bindings[k].buffer == id) binding = &info->bindings[k];
  }
  if (!binding || !binding->writes || !weft_binding_used(binding, c->pass.variant)) return false;
  uint64_t first = c->pass.first, count = c->pass.count;
  if (id == WEFT_BUFFER_DELTA) {
    first = c->pass.delta_first;
    count *= weft_pass_arity(c->pass.kind);
  }
  if (c->pass.kind == WEFT_PASS_MOVE_PINS) first = WEFT_KERNEL_PAD; /* particles run backwards */
  bool read_first = id == WEFT_BUFFER_X || id == WEFT_BUFFER_X_LOW || id == WEFT_BUFFER_LEVEL_X ||
                    id == WEFT_BUFFER_LEVEL_BASE || id == WEFT_BUFFER_LINE_LAMBDA;
  if (!binding->streamed && read_first) return false; /* never marked */
  uint32_t width = table->stride / 4;
  uint64_t end = first + count < table->count ? first + count : table->count;
  for (uint64_t k = first * width; k < end * width; ++k) {
    if (words[k] == WEFT_KERNEL_UNWRITTEN) return true;
  }
  return false;
}

/* cpu finds what friction remembers in a table of its own instead of these chains. */
static bool is_kept_elsewhere(const weft_backend *backend, weft_buffer_id id) {
  bool chains = id == WEFT_BUFFER_SELF_CACHE_HEADS || id == WEFT_BUFFER_SELF_CACHE_NEXT;
  return chains && strcmp(weft_backend_name(backend), "cpu") == 0;
}

static bool ran_over(const weft_contents *contents, weft_instance *ref) {
  uint64_t count = contents->buffers[WEFT_BUFFER_SELF_COUNTS].count;
  if (count == 0) return false;
  uint32_t *counts = weft_alloc((size_t)count, sizeof *counts);
  weft_instance_read(ref, WEFT_BUFFER_SELF_COUNTS, count, counts);
  bool overrun = weft_has_overrun(counts, count);
  weft_free(counts);
  return overrun;
}

static bool is_short_list(weft_buffer_id id) {
  return id == WEFT_BUFFER_SELF_PATCH_PAIRS || id == WEFT_BUFFER_SELF_TRIANGLE_PAIRS ||
         id == WEFT_BUFFER_SELF_CANDIDATES;
}

/* Everything in every buffer, and the guards around them. The first that is wrong is named. */
static void compare_all(const kernel_run *run, const weft_kernel_case *c,
                        const weft_contents *contents, weft_instance *ref, weft_instance *other,
                        weft_kernel_finding *f) {
  bool overrun = ran_over(contents, ref);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const weft_buffer_contents *table = &contents->buffers[id];
    if (table->count == 0 || is_kept_elsewhere(run->backend, (weft_buffer_id)id)) continue;
    if (overrun && is_short_list((weft_buffer_id)id)) continue;
    uint32_t *a = weft_alloc((size_t)table->count, table->stride);
    uint32_t *b = weft_alloc((size_t)table->count, table->stride);
    weft_instance_read(ref, (weft_buffer_id)id, table->count, a);
    weft_instance_read(other, (weft_buffer_id)id, table->count, b);
    weft_sort_table((weft_buffer_id)id, a, table->count, table->count);
    weft_sort_table((weft_buffer_id)id, b, table->count, table->count);
    uint64_t before = f->difference.differing;
    weft_compare_elements(a, b, 0, table->count, table->stride / 4, &f->difference);
    if (before == 0 && f->difference.differing > 0) f->buffer = table->name;
    if (before == 0 && left_unwritten(c, (weft_buffer_id)id, table, b)) {
      if (!f->left_unwritten && f->difference.differing == 0) f->buffer = table->name;
      f->left_unwritten = true;
    }
    weft_free(a);
    weft_free(b);
  }
  weft_buffer_id broken = weft_instance_broken_guard(other);
  if (broken == WEFT_BUFFER_COUNT) broken = weft_instance_broken_guard(ref);
  if (broken == WEFT_BUFFER_COUNT) return;
  f->wrote_outside = true;
  f->buffer = contents->buffers[broken].name;
}

/* Low parts of vectors: up to half an ulp of each component, and as in a state not too small. */
static void fill_low(weft_rng *rng, weft_contents *contents, weft_buffer_id high,
                     weft_buffer_id low) {
  const weft_buffer_contents *from = &contents->buffers[high];
  const vec4 *whole = from->data;
  vec4 *part = weft_contents_set(contents, low, from->count);
  for (uint64_t i = 0; i < from->count; ++i) {
    part[i].x = exact_flush(weft_rng_float(rng, -0x1p-25f, 0x1p-25f) * whole[i].x);
    part[i].y = exact_flush(weft_rng_float(rng, -0x1p-25f, 0x1p-25f) * whole[i].y);
    part[i].z = exact_flush(weft_rng_float(rng, -0x1p-25f, 0x1p-25f) * whole[i].z);
  }
}

static void fill_pairs(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  if (!(c->pass.variant & WEFT_VARIANT_PAIRS)) return;
  fill_low(rng, contents, WEFT_BUFFER_X, WEFT_BUFFER_X_LOW);
  fill_low(rng, contents, WEFT_BUFFER_X_PREV, WEFT_BUFFER_X_PREV_LOW);
  fill_low(rng, contents, WEFT_BUFFER_V, WEFT_BUFFER_V_LOW);
}

static weft_result run_case(const kernel_run *run, const weft_kernel_case *c,
                            weft_kernel_finding *f, weft_error *err) {
  weft_contents contents;
  weft_contents_init(&contents);
  weft_rng rng = weft_rng_seed(run->request->seed + c->pass.kind * 1000003u + c->pass.count);
  weft_kernel_fills[c->pass.kind](c, &rng, &contents);
  fill_pairs(c, &rng, &contents);
  weft_instance *ref = NULL, *other = NULL;
  weft_result made = weft_instance_create(weft_backend_ref(), &contents, GUARD, &ref, err);
  if (made == WEFT_OK) made = weft_instance_create(run->backend, &contents, GUARD, &other, err);
  if (made == WEFT_OK) {
    weft_instance_run(other, &c->pass, c->substep);
    weft_instance_run(ref, &c->pass, c->substep);
    compare_all(run, c, &contents, ref, other, f);
    bool equal = f->difference.differing == 0 && !f->wrote_outside && !f->left_unwritten;
    f->outcome = equal ? WEFT_KERNEL_EQUAL : WEFT_KERNEL_DIFFERENT;
  }
  weft_instance_destroy(ref);
  weft_instance_destroy(other);
  weft_contents_free(&contents);
  return made;
}

static weft_kernel_finding *add_finding(kernel_run *run, const char *pass, uint32_t count) {
  weft_kernel_findings *all = run->findings;
  void *items = all->items;
  weft_grow(&items, &all->capacity, all->count + 1, sizeof *all->items);
  all->items = items;
  weft_kernel_finding *f = &all->items[all->count++];
  *f = (weft_kernel_finding){.count = count, .large = run->large};
  snprintf(f->pass, sizeof f->pass, "%s", pass);
  return f;
}

static weft_kernel_case make_case(weft_pass_kind kind, uint32_t variant, uint32_t first_iteration,
                                  uint32_t count) {
  weft_kernel_case c = {.pass = {.kind = kind,
                                 .variant = variant,
                                 .first = WEFT_KERNEL_FIRST,
                                 .count = count,
                                 .first_iteration = first_iteration}};
  c.sparse = count > 100000;
  /* A work group each, so that past the promised number of groups is far fewer than elsewhere. */
  if (c.sparse && weft_pass_infos[kind].group) c.pass.count = PROMISED_GROUPS + 1;
  c.substep = 1 + count % 2;
  if (weft_pass_constraint(kind) >= 0) c.pass.acts = count % 3; /* of no account to some */
  weft_kernel_lines_case(&c);
  if (kind == WEFT_PASS_MOVE_PINS || kind == WEFT_PASS_MOVE_BODIES ||
      kind == WEFT_PASS_MOVE_SHAPES) {
    c.substep = count % 3;
  }
  weft_kernel_damp_case(&c);
  weft_kernel_level_case(&c);
  weft_kernel_patch_case(&c);
  weft_kernel_self_case(&c);
  if (kind == WEFT_PASS_GRID_SUM || kind == WEFT_PASS_GRID_SCAN) {
    c.pass.level_first = 7;
    c.pass.above_first = c.pass.level_first + WEFT_GRID_BLOCK * weft_kernel_elements(&c);
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
  for (size_t k = 0; k < count_count; ++k) {
    weft_kernel_case c = make_case(kind, variant, first_iteration, counts[k]);
    weft_kernel_finding *f = add_finding(run, name, counts[k]);
    weft_error refusal = {0};
    weft_result made = run_case(run, &c, f, &refusal);
    if (made != WEFT_OK && made != WEFT_ERROR_LIMIT) {
      return weft_fail(err, made, "%s", refusal.message);
    }
    if (made == WEFT_ERROR_LIMIT) {
      f->outcome = WEFT_KERNEL_REFUSED;
      snprintf(f->refusal, sizeof f->refusal, "%.299s", refusal.message);
    }
    run->findings->cases++;
    run->findings->refused += f->outcome == WEFT_KERNEL_REFUSED;
    run->findings->different += f->outcome == WEFT_KERNEL_DIFFERENT;
  }
  return WEFT_OK;
}

static weft_result run_variants(kernel_run *run, weft_pass_kind kind, const uint32_t *counts,
                                size_t count_count, weft_error *err) {
  weft_result result = WEFT_OK;
  for (uint32_t variant = 0; variant < WEFT_VARIANT_COUNT; ++variant) {
    if (variant & ~weft_pass_infos[kind].variants) continue;
    uint32_t iterations = variant & WEFT_VARIANT_LAMBDA ? 2 : 1;
    for (uint32_t first = 0; first < iterations && result == WEFT_OK; ++first) {
      result = run_counts(run, kind, variant, first, counts, count_count, err);
    }
  }
  return result;
}

static weft_result run_kinds(kernel_run *run, const uint32_t *counts, size_t count_count,
                             weft_error *err) {
  weft_result result = WEFT_OK;
  for (int kind = 0; kind < WEFT_PASS_KIND_COUNT && result == WEFT_OK; ++kind) {
    const char *only = run->request->pass;
    if (only && strcmp(only, weft_pass_infos[kind].name) != 0) continue;
    if (weft_kernel_fills[kind]) {
      result = run_variants(run, (weft_pass_kind)kind, counts, count_count, err);
    } else {
      add_finding(run, weft_pass_infos[kind].name, 0)->outcome = WEFT_KERNEL_UNTESTED;
      run->findings->different++;
    }
    weft_progress("kernels", (uint64_t)kind + 1, WEFT_PASS_KIND_COUNT);
  }
  weft_progress_end();
  return result;
}

/* One past the promised number of groups, with the smallest group so that it fits in memory. */
static weft_result run_large(kernel_run *run, weft_error *err) {
  weft_gl_desc desc = run->request->gl_desc;
  desc.group_size = LARGE_GROUP;
  weft_gl *gl = NULL;
  weft_result result = weft_gl_create_headless(&desc, &gl, err);
  if (result == WEFT_OK) result = weft_backend_gl(gl, &run->backend, err);
  if (result == WEFT_OK) {
    uint32_t count = PROMISED_GROUPS * LARGE_GROUP + 1;
    run->findings->large_count = count;
    run->findings->large_group = LARGE_GROUP;
    run->large = true;
    result = run_kinds(run, &count, 1, err);
  }
  weft_gl_destroy(gl);
  return result;
}

const uint32_t weft_kernel_counts[WEFT_KERNEL_COUNTS] = {0, 1, 63, 64, 65, 1023, 1025};

weft_result weft_verify_kernels(const weft_verify_request *request, weft_kernel_findings *findings,
                                weft_error *err) {
  *findings = (weft_kernel_findings){.seed = request->seed};
  kernel_run run = {.request = request, .backend = request->backend, .findings = findings};
  weft_result result = run_kinds(&run, weft_kernel_counts, WEFT_KERNEL_COUNTS, err);
  /* What fails on a handful of elements need not be shown on millions. */
  if (result == WEFT_OK && findings->different == 0 && request->gl) result = run_large(&run, err);
  return result;
}

void weft_kernel_findings_free(weft_kernel_findings *findings) {
  weft_free(findings->items);
  *findings = (weft_kernel_findings){0};
}
