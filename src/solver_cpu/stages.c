/* stages.c: passes stage by stage: each cut into a part a member, in as few phases as keep members
 * from each other's particles. */
#include <string.h>

#include "base.h"
#include "binned.h"

enum { NOBODY = UINT32_MAX, SEVERAL = UINT32_MAX - 1 };

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

/* A partition has two bins: what is its own, and what touches particles that another one touches,
 * its border. */
static uint32_t own_bin(uint32_t partition) { return 2 * partition; }

/* Who touches particle by particle; SEVERAL at the borders. */
static void find_touching(const shares *t, const weft_pass *pass, uint32_t *touching) {
  uint32_t particles[4];
  for (uint32_t e = 0; e < pass->count; ++e) {
    uint32_t arity = weft_plan_particles(t->desc->memory, pass, e, particles);
    uint32_t partition = partition_of(t, particles[0]);
    for (uint32_t a = 0; a < arity; ++a) {
      uint32_t *by = &touching[particles[a]];
      *by = *by == NOBODY || *by == partition ? partition : SEVERAL;
    }
  }
}

/* What stages of a phase have touched so far. */
typedef struct touched {
  const uint32_t *by_all; /* [particles] in any phase: a partition, or SEVERAL */
  uint32_t *owner;        /* [particles] in this one */
  bool *late;             /* [particles] in the borders of this one, which come after what is own */
} touched;

static void forget_touched(const shares *t, touched *d) {
  memset(d->owner, 0xff, t->particles * sizeof *d->owner);
  memset(d->late, 0, t->particles * sizeof *d->late);
}

static bool is_in_border(const touched *d, const uint32_t *particles, uint32_t arity) {
  bool border = false;
  for (uint32_t a = 0; a < arity; ++a) {
    border = border || d->by_all[particles[a]] == SEVERAL || d->late[particles[a]];
  }
  for (uint32_t a = 0; a < arity && border; ++a) d->late[particles[a]] = true;
  return border;
}

/* Elements of a pass by the partition of their first particle, and where they are in it. */
static weft_binned share_pass(const shares *t, const weft_pass *pass, touched *d) {
  uint32_t *bin = weft_alloc(pass->count, sizeof *bin), particles[4];
  for (uint32_t e = 0; e < pass->count; ++e) {
    uint32_t arity = weft_plan_particles(t->desc->memory, pass, e, particles);
    bin[e] = own_bin(partition_of(t, particles[0])) + is_in_border(d, particles, arity);
  }
  weft_binned shared = weft_binned_of(bin, pass->count, own_bin(t->partitions));
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
static bool touch(const shares *t, const weft_pass *pass, weft_binned *shared, touched *d) {
  bool apart = true;
  weft_binned_free(shared);
  *shared = share_pass(t, pass, d);
  for (uint32_t p = 0; p < t->partitions; ++p) {
    for (uint32_t r = shared->first[own_bin(p)]; r < shared->first[own_bin(p + 1)]; ++r) {
      apart = touch_elements(d->owner, p, t->desc->memory, pass, &shared->runs[r]) && apart;
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

static uint32_t *find_touching_all(const weft_cpu_plan *plan, const shares *t,
                                   const weft_staged *all) {
  uint32_t *touching = weft_alloc(t->particles, sizeof *touching);
  memset(touching, 0xff, t->particles * sizeof *touching);
  for (uint32_t k = 0; k < all->count; ++k) {
    weft_pass pass = weft_stage_pass(plan, &all->stages[k], t->particles);
    find_touching(t, &pass, touching);
  }
  return touching;
}

static void group_stages(weft_cpu_plan *plan, const shares *t, weft_staged *all, touched *d) {
  some_stages group = {.desc = t->desc, .all = all};
  uint32_t first = (uint32_t)plan->phase_count;
  forget_touched(t, d);
  for (; group.end < all->count; ++group.end) {
    weft_pass pass = weft_stage_pass(plan, &all->stages[group.end], t->particles);
    if (touch(t, &pass, &all->binned[group.end], d)) continue;
    emit_stages(plan, &group, first);
    forget_touched(t, d);
    touch(t, &pass, &all->binned[group.end], d);
  }
  emit_stages(plan, &group, first);
}

bool weft_plan_add_stages(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                          uint32_t end) {
  if (desc->members == 1) return false;
  const shares t = {desc, desc->members, weft_plan_cloth(desc)};
  weft_staged all = {0};
  weft_stages_list(plan, desc, first, end, &all);
  weft_stages_begin(plan, desc, first);
  uint32_t *by_all = find_touching_all(plan, &t, &all);
  touched d = {.by_all = by_all,
               .owner = weft_alloc(t.particles, sizeof *d.owner),
               .late = weft_alloc(t.particles, sizeof *d.late)};
  group_stages(plan, &t, &all, &d);
  weft_free(by_all);
  weft_free(d.owner);
  weft_free(d.late);
  weft_stages_free(&all);
  return true;
}
