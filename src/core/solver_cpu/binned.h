/* binned.h: the elements of a pass, ascending in each of some bins. Neighbours mostly share a bin,
 * so they are kept as runs. Inside of tiles.c and stages.c. */
#ifndef WEFT_CPU_BINNED_H
#define WEFT_CPU_BINNED_H

#include "plan.h"

/* Elements [first, first+count). */
typedef struct weft_element_run {
  uint32_t first, count;
} weft_element_run;

typedef struct weft_binned {
  weft_element_run *runs; /* by bin */
  uint32_t *first;        /* [bins+1] of a bin's runs */
} weft_binned;

/* Elements 0 to count-1, of which element e is in bin[e]. */
weft_binned weft_binned_of(const uint32_t *bin, uint32_t count, uint32_t bins);
void weft_binned_free(weft_binned *binned);
/* Those of bins [begin, end), for weft_free; *count: how many, none are NULL. */
uint32_t *weft_binned_elements(const weft_binned *binned, uint32_t begin, uint32_t end,
                               uint32_t *count);

/* ---- stages: what a chain of passes does one after the other ---- */

/* A pass of the chain, or the way of all particles into split positions, or back. */
typedef struct weft_stage {
  weft_cpu_kind kind; /* WEFT_CPU_RUN: a pass; PROJECT, STAYING: on what is split */
  uint32_t pass;
} weft_stage;

enum { WEFT_STAGES_MAX = WEFT_FUSED_MAX + 2 };

typedef struct weft_staged {
  weft_stage stages[WEFT_STAGES_MAX];
  weft_binned binned[WEFT_STAGES_MAX];
  uint32_t count;
} weft_staged;

/* Passes [first, end) in order; where the batches run along split positions, the ways into them and
 * back around the batches. */
void weft_stages_list(const weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                      uint32_t end, weft_staged *all);
void weft_stages_free(weft_staged *all);
/* What a stage goes through; `particles` of the cloth. */
weft_pass weft_stage_pass(const weft_cpu_plan *plan, const weft_stage *stage, uint32_t particles);
/* Adds items for what a stage has in a bin. */
void weft_stage_emit(weft_cpu_plan *plan, const weft_plan_desc *desc, const weft_staged *all,
                     uint32_t stage, uint32_t bin);
/* What there is to pack in stages [begin, end); no count. */
weft_plan_parts weft_stages_parts(const weft_cpu_plan *plan, const weft_plan_desc *desc,
                                  const weft_staged *all, uint32_t begin, uint32_t end);
/* What cores leave: who touches each particle in any stage, a partition, SEVERAL or NOBODY, and the
 * bin of what is in the rims. */
typedef struct weft_rims {
  uint32_t *touching; /* [particles] */
  uint32_t bin;
} weft_rims;
enum { WEFT_RIMS_NOBODY = UINT32_MAX, WEFT_RIMS_SEVERAL = UINT32_MAX - 1 };
/* Phases for the rims of stages that are placed, behind those of the cores, which came after
 * `first` phases. */
void weft_plan_add_rims(weft_cpu_plan *plan, const weft_plan_desc *desc, const weft_rims *rims,
                        const weft_staged *placed, uint32_t first);
/* Before stages that begin with the way from levels to particles. */
void weft_stages_begin(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first);

#endif
