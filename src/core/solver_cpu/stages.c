/* stages.c: the rims between the cores of tiles.c stage by stage: each cut into a part a member, in
 * as few phases as keep members from each other's particles. */
#include <string.h>

#include "base.h"
#include "binned.h"

enum { NOBODY = WEFT_RIMS_NOBODY };

/* A partition has two bins: what is its own, and what touches particles that another one touches,
 * its border. */
static uint32_t own_bin(uint32_t partition) { return 2 * partition; }

/* What stages of a phase have touched so far. */
typedef struct touched {
  const weft_rims *rims;
  uint32_t *owner; /* [particles] in this one */
  bool *late;      /* [particles] in the borders of this one, which come after what is own */
} touched;

static void forget_touched(const weft_plan_desc *desc, touched *d) {
  uint32_t particles = weft_plan_cloth(desc);
  memset(d->owner, 0xff, particles * sizeof *d->owner);
  memset(d->late, 0, particles * sizeof *d->late);
}

static bool is_in_border(const touched *d, const uint32_t *particles, uint32_t arity) {
  bool border = false;
  for (uint32_t a = 0; a < arity; ++a) {
    border =
        border || d->rims->touching[particles[a]] == WEFT_RIMS_SEVERAL || d->late[particles[a]];
  }
  for (uint32_t a = 0; a < arity && border; ++a) d->late[particles[a]] = true;
  return border;
}

/* Elements of a pass that are in the rims, by the partition of their first particle, and where they
 * are in it; those of cores in a last bin. */
static weft_binned share_pass(const weft_plan_desc *desc, const weft_pass *pass,
                              const weft_binned *placed, touched *d) {
  uint32_t *bin = weft_alloc(pass->count, sizeof *bin), particles[4], count;
  uint32_t *elements = weft_binned_elements(placed, d->rims->bin, d->rims->bin + 1, &count);
  for (uint32_t e = 0; e < pass->count; ++e) bin[e] = own_bin(desc->members);
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t e = elements[k], arity = weft_plan_particles(desc->memory, pass, e, particles);
    bin[e] =
        own_bin(weft_plan_partition_of(desc, particles[0])) + is_in_border(d, particles, arity);
  }
  weft_binned shared = weft_binned_of(bin, pass->count, own_bin(desc->members) + 1);
  weft_free(elements);
  weft_free(bin);
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

/* Adds a stage; false where a partition's elements touch what another one's have touched. */
static bool touch(const weft_plan_desc *desc, const weft_pass *pass, const weft_binned *placed,
                  weft_binned *shared, touched *d) {
  bool apart = true;
  weft_binned_free(shared);
  *shared = share_pass(desc, pass, placed, d);
  for (uint32_t p = 0; p < desc->members; ++p) {
    for (uint32_t r = shared->first[own_bin(p)]; r < shared->first[own_bin(p + 1)]; ++r) {
      apart = touch_elements(d->owner, p, desc->memory, pass, &shared->runs[r]) && apart;
    }
  }
  return apart;
}

/* Stages [begin, end), in the bins from one of them on. */
typedef struct some_stages {
  const weft_plan_desc *desc;
  const weft_staged *all;
  uint32_t begin, end, bin;
} some_stages;

static void fill_stages(void *context, weft_cpu_plan *plan, uint32_t part) {
  const some_stages *s = context;
  for (uint32_t k = s->begin; k < s->end; ++k) {
    weft_stage_emit(plan, s->desc, s->all, k, s->bin + own_bin(part));
  }
}

/* A phase of them that comes after so many. */
static void emit_bins(weft_cpu_plan *plan, some_stages *s, uint32_t bin, uint32_t after) {
  weft_plan_parts parts = weft_stages_parts(plan, s->desc, s->all, s->begin, s->end);
  parts.count = s->desc->members;
  s->bin = bin;
  weft_plan_add_parts(plan, &parts, fill_stages, s);
  plan->phases[plan->phase_count - 1].after = after;
}

/* What is a partition's own waits for nobody, borders for those before. `first`: phases before all
 * of these stages. */
static void emit_stages(weft_cpu_plan *plan, some_stages *s, uint32_t first) {
  uint32_t before = (uint32_t)plan->phase_count;
  emit_bins(plan, s, 0, first);
  emit_bins(plan, s, 1, before);
  s->begin = s->end;
}

static void group_stages(weft_cpu_plan *plan, const weft_plan_desc *desc, const weft_staged *placed,
                         weft_staged *all, touched *d, uint32_t first) {
  some_stages group = {.desc = desc, .all = all};
  forget_touched(desc, d);
  for (; group.end < all->count; ++group.end) {
    uint32_t k = group.end;
    weft_pass pass = weft_stage_pass(plan, &all->stages[k], weft_plan_cloth(desc));
    if (touch(desc, &pass, &placed->binned[k], &all->binned[k], d)) continue;
    emit_stages(plan, &group, first);
    forget_touched(desc, d);
    touch(desc, &pass, &placed->binned[k], &all->binned[k], d);
  }
  emit_stages(plan, &group, first);
}

void weft_plan_add_rims(weft_cpu_plan *plan, const weft_plan_desc *desc, const weft_rims *rims,
                        const weft_staged *placed, uint32_t first) {
  uint32_t particles = weft_plan_cloth(desc);
  weft_staged all = *placed;
  memset(all.binned, 0, sizeof all.binned);
  touched d = {.rims = rims,
               .owner = weft_alloc(particles, sizeof *d.owner),
               .late = weft_alloc(particles, sizeof *d.late)};
  group_stages(plan, desc, placed, &all, &d, first);
  weft_free(d.owner);
  weft_free(d.late);
  for (uint32_t k = 0; k < all.count; ++k) weft_binned_free(&all.binned[k]);
}
