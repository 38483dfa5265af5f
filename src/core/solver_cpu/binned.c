/* binned.c: elements by bin, as runs; and the stages that have them. */
#include "binned.h"

#include "base.h"

static bool begins(const uint32_t *bin, uint32_t e) { return e == 0 || bin[e] != bin[e - 1]; }

static void count_runs(const uint32_t *bin, uint32_t count, uint32_t bins, uint32_t *first) {
  for (uint32_t e = 0; e < count; ++e) {
    if (begins(bin, e)) ++first[bin[e] + 1];
  }
  for (uint32_t b = 0; b < bins; ++b) first[b + 1] += first[b];
}

weft_binned weft_binned_of(const uint32_t *bin, uint32_t count, uint32_t bins) {
  weft_binned out = {.first = weft_alloc((size_t)bins + 1, sizeof *out.first)};
  count_runs(bin, count, bins, out.first);
  out.runs = weft_alloc(out.first[bins], sizeof *out.runs);
  weft_element_run *run = NULL;
  for (uint32_t e = 0; e < count; ++e) {
    if (begins(bin, e)) {
      run = &out.runs[out.first[bin[e]]++];
      run->first = e;
    }
    ++run->count;
  }
  for (uint32_t b = bins; b > 0; --b) out.first[b] = out.first[b - 1];
  out.first[0] = 0;
  return out;
}

void weft_binned_free(weft_binned *binned) {
  weft_free(binned->runs);
  weft_free(binned->first);
  *binned = (weft_binned){0};
}

uint32_t *weft_binned_elements(const weft_binned *binned, uint32_t begin, uint32_t end,
                               uint32_t *count) {
  uint32_t first = binned->first[begin], last = binned->first[end], filled = 0;
  *count = 0;
  for (uint32_t r = first; r < last; ++r) *count += binned->runs[r].count;
  if (!*count) return NULL;
  uint32_t *elements = weft_alloc(*count, sizeof *elements);
  for (uint32_t r = first; r < last; ++r) {
    const weft_element_run *run = &binned->runs[r];
    for (uint32_t k = 0; k < run->count; ++k) elements[filled++] = run->first + k;
  }
  return elements;
}

/* ---- stages ---- */

static void add_stage(weft_staged *all, weft_cpu_kind kind, uint32_t pass) {
  all->stages[all->count++] = (weft_stage){kind, pass};
}

/* Batches, and what follows levels. */
static bool is_packed(const weft_pass *pass) {
  return weft_cpu_role_of(pass) == WEFT_CPU_BATCH || pass->kind == WEFT_PASS_LEVEL_SPREAD;
}

static void list_staying(const weft_cpu_plan *plan, uint32_t first, uint32_t end,
                         weft_staged *all) {
  for (uint32_t k = first; k < end; ++k) {
    add_stage(all, is_packed(&plan->passes[k]) ? WEFT_CPU_PROJECT : WEFT_CPU_STAYING, k);
    if (weft_plan_settles(plan->passes, plan->pass_count, k)) ++k;
  }
}

static void list_split(const weft_cpu_plan *plan, uint32_t first, uint32_t end, weft_staged *all) {
  bool inside = plan->split;
  for (uint32_t k = first; k < end; ++k) {
    bool batch = is_packed(&plan->passes[k]);
    if (batch != inside) add_stage(all, batch ? WEFT_CPU_SPLIT : WEFT_CPU_JOIN, k);
    inside = batch;
    add_stage(all, batch ? WEFT_CPU_PROJECT : WEFT_CPU_RUN, k);
  }
  if (inside) add_stage(all, WEFT_CPU_JOIN, end - 1);
}

void weft_stages_list(const weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                      uint32_t end, weft_staged *all) {
  if (plan->stays) {
    list_staying(plan, first, end, all);
  } else if (weft_plan_runs_along(plan, desc, first, end)) {
    list_split(plan, first, end, all);
  } else {
    for (uint32_t k = first; k < end; ++k) add_stage(all, WEFT_CPU_RUN, k);
  }
}

void weft_stages_free(weft_staged *all) {
  for (uint32_t k = 0; k < all->count; ++k) weft_binned_free(&all->binned[k]);
}

weft_pass weft_stage_pass(const weft_cpu_plan *plan, const weft_stage *s, uint32_t particles) {
  bool all = s->kind == WEFT_CPU_SPLIT || s->kind == WEFT_CPU_JOIN;
  /* Any pass over particles: only which it touches counts here. */
  return all ? (weft_pass){.kind = WEFT_PASS_PREDICT, .count = particles} : plan->passes[s->pass];
}

static void add_elements(weft_cpu_plan *plan, const weft_plan_desc *desc, const weft_stage *s,
                         const uint32_t *elements, uint32_t count) {
  weft_pass_kind kind = plan->passes[s->pass].kind;
  if (s->kind == WEFT_CPU_RUN) {
    weft_plan_add_elements(plan, desc, s->pass, elements, count);
  } else if (s->kind == WEFT_CPU_STAYING && kind == WEFT_PASS_LRA) {
    weft_plan_add_split_lra(plan, desc, s->pass, elements, count);
  } else if (s->kind == WEFT_CPU_PROJECT && kind == WEFT_PASS_LEVEL_SPREAD) {
    weft_plan_add_split_followers(plan, desc, s->pass, elements, count);
  } else if (s->kind == WEFT_CPU_PROJECT) {
    weft_plan_add_strips(plan, desc, s->pass, elements, count);
  } else {
    weft_plan_add_runs(plan, s->kind, s->pass, elements, count);
  }
}

void weft_stage_emit(weft_cpu_plan *plan, const weft_plan_desc *desc, const weft_staged *all,
                     uint32_t stage, uint32_t bin) {
  uint32_t count;
  uint32_t *elements = weft_binned_elements(&all->binned[stage], bin, bin + 1, &count);
  if (count) add_elements(plan, desc, &all->stages[stage], elements, count);
  weft_free(elements);
}

weft_plan_parts weft_stages_parts(const weft_cpu_plan *plan, const weft_plan_desc *desc,
                                  const weft_staged *all, uint32_t begin, uint32_t end) {
  weft_plan_parts parts = {0};
  for (uint32_t k = begin; k < end; ++k) {
    weft_pass pass = weft_stage_pass(plan, &all->stages[k], weft_plan_cloth(desc));
    parts.elements += pass.count;
    parts.words += (uint64_t)pass.count * weft_plan_packed_words(desc, &pass);
  }
  return parts;
}

void weft_stages_begin(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first) {
  if (plan->passes[first].kind == WEFT_PASS_LEVEL_SPREAD) {
    weft_plan_add_split_moves(plan, desc, first);
  }
}
