/* stages.c: passes stage by stage: each cut into a part a member, in as few phases as keep members
 * from each other's particles. */
#include <string.h>

#include "base.h"
#include "binned.h"

enum { NOBODY = UINT32_MAX };

typedef struct shares {
  const weft_plan_desc *desc;
  uint32_t partitions, particles;
} shares;

static uint32_t partition_of(const shares *t, uint32_t particle) {
  uint32_t p = (uint32_t)((uint64_t)particle * t->partitions / t->particles);
  while (particle < weft_plan_partition(t->desc, p)) --p;
  while (particle >= weft_plan_partition(t->desc, p + 1)) ++p;
  return p;
}

/* Elements of a pass by the partition of their first particle. */
static weft_binned share_pass(const shares *t, const weft_memory *memory, const weft_pass *pass) {
  uint32_t *partition = weft_alloc(pass->count, sizeof *partition), particles[4];
  for (uint32_t e = 0; e < pass->count; ++e) {
    weft_plan_particles(memory, pass, e, particles);
    partition[e] = partition_of(t, particles[0]);
  }
  weft_binned shared = weft_binned_of(partition, pass->count, t->partitions);
  weft_free(partition);
  return shared;
}

/* A partition's own: whether nobody else has touched what they touch. */
static bool touch_elements(uint32_t *owner, uint32_t partition, const weft_memory *memory,
                           const weft_pass *pass, const weft_element_run *run) {
  bool apart = true;
  for (uint32_t k = 0; k < run->count; ++k) {
    uint32_t particles[4], arity;
    arity = weft_plan_particles(memory, pass, run->first + k, particles);
    for (uint32_t a = 0; a < arity; ++a) {
      uint32_t *of = &owner[particles[a]];
      apart = apart && (*of == NOBODY || *of == partition);
      *of = partition;
    }
  }
  return apart;
}

/* Whether no partition's elements touch what another one's have touched; they touch it then. */
static bool touch(uint32_t *owner, uint32_t partitions, const weft_memory *memory,
                  const weft_pass *pass, const weft_binned *shared) {
  bool apart = true;
  for (uint32_t p = 0; p < partitions; ++p) {
    for (uint32_t r = shared->first[p]; r < shared->first[p + 1]; ++r) {
      apart = touch_elements(owner, p, memory, pass, &shared->runs[r]) && apart;
    }
  }
  return apart;
}

/* Stages [begin, end). */
typedef struct some_stages {
  const weft_plan_desc *desc;
  const weft_staged *all;
  uint32_t begin, end;
} some_stages;

static void fill_stages(void *context, weft_cpu_plan *plan, uint32_t part) {
  const some_stages *s = context;
  for (uint32_t k = s->begin; k < s->end; ++k) weft_stage_emit(plan, s->desc, s->all, k, part);
}

/* A phase of them. */
static void emit_stages(weft_cpu_plan *plan, const weft_plan_desc *desc, const weft_staged *all,
                        uint32_t begin, uint32_t end) {
  some_stages s = {desc, all, begin, end};
  weft_plan_parts parts = weft_stages_parts(plan, desc, all, begin, end);
  parts.count = desc->members;
  weft_plan_add_parts(plan, &parts, fill_stages, &s);
}

bool weft_plan_add_stages(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                          uint32_t end) {
  if (desc->members == 1) return false;
  const shares t = {desc, desc->members, weft_plan_cloth(desc)};
  weft_staged all = {0};
  weft_stages_list(plan, desc, first, end, &all);
  weft_stages_begin(plan, desc, first);
  uint32_t *owner = weft_alloc(t.particles, sizeof *owner), begin = 0;
  memset(owner, 0xff, t.particles * sizeof *owner);
  for (uint32_t k = 0; k < all.count; ++k) {
    weft_pass pass = weft_stage_pass(plan, &all.stages[k], t.particles);
    all.binned[k] = share_pass(&t, desc->memory, &pass);
    if (touch(owner, t.partitions, desc->memory, &pass, &all.binned[k])) continue;
    emit_stages(plan, desc, &all, begin, k);
    memset(owner, 0xff, t.particles * sizeof *owner);
    touch(owner, t.partitions, desc->memory, &pass, &all.binned[k]);
    begin = k;
  }
  emit_stages(plan, desc, &all, begin, all.count);
  weft_free(owner);
  weft_stages_free(&all);
  return true;
}
