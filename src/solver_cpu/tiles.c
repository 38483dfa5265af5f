/* tiles.c: partitions, boundaries and tiles of fused passes. See plan.h.
 *
 * Particles are taken in the order of their indices, in which grids and most meshes are local. Two
 * rules, applied pass by pass, place every element:
 *   - region: that of its particles when they agree, else the boundary between their partitions;
 * whatever touches a boundary's particle later belongs to the boundary as well;
 *   - tile: the latest of its particles', which they all have from then on.
 * So at every particle regions and tiles follow each other in the order of the passes. */
#include <string.h>

#include "base.h"
#include "plan.h"

/* Boundaries are run with fewer threads. Where they hold more than this part of all elements, or
 * the whole cloth stays in the last cache, partitions had better wait for each other stage by
 * stage. */
static const double max_in_boundary = 0.1;
enum { MIN_IN_PARTITIONS = 300000 };

/* Regions: partitions are 0 .. partitions-1, the boundary above partition k is partitions + k. */
typedef struct tiling {
  uint32_t partitions, particles;
  uint32_t *first_bin; /* [2*partitions]: bins of a region are its tiles */
  uint32_t *region;    /* [particles] */
  uint32_t *tile;      /* [particles] within the region */
} tiling;

/* A pass of the chain, or the way of all particles into the split positions or back. */
typedef struct stage {
  weft_cpu_kind kind; /* WEFT_CPU_RUN: a pass */
  uint32_t pass;
} stage;

enum { STAGES_MAX = WEFT_FUSED_MAX + 2 };

/* The elements of one stage, sorted by bin. */
typedef struct sorted {
  uint32_t *elements; /* [count] */
  uint32_t *first;    /* [bins+1] */
} sorted;

static uint32_t partition_begin(const tiling *t, uint32_t partition) {
  return (uint32_t)((uint64_t)t->particles * partition / t->partitions);
}

static void start(tiling *t, uint32_t partitions, uint32_t particles, uint32_t tile) {
  *t = (tiling){.partitions = partitions, .particles = particles};
  t->first_bin = weft_alloc(2 * (size_t)partitions, sizeof *t->first_bin);
  t->region = weft_alloc(particles, sizeof *t->region);
  t->tile = weft_alloc(particles, sizeof *t->tile);
  uint32_t bins = 0;
  for (uint32_t s = 0; s < partitions; ++s) {
    uint32_t begin = partition_begin(t, s), end = partition_begin(t, s + 1);
    for (uint32_t i = begin; i < end; ++i) {
      t->region[i] = s;
      t->tile[i] = (i - begin) / tile;
    }
    t->first_bin[s] = bins;
    bins += (end - begin + tile - 1) / tile;
  }
  for (uint32_t boundary = partitions; boundary < 2 * partitions; ++boundary)
    t->first_bin[boundary] = bins++;
}

static void stop(tiling *t) {
  weft_free(t->first_bin);
  weft_free(t->region);
  weft_free(t->tile);
}

/* The last region is no boundary, only where the bins end. */
static uint32_t bin_count(const tiling *t) { return t->first_bin[2 * t->partitions - 1]; }

/* The boundary that joins two regions, UINT32_MAX when they have none in common. */
static uint32_t boundary_of(const tiling *t, uint32_t a, uint32_t b) {
  uint32_t low = a < b ? a : b, high = a < b ? b : a;
  if (high < t->partitions) return high == low + 1 ? t->partitions + low : UINT32_MAX;
  if (low >= t->partitions) return UINT32_MAX; /* two boundaries */
  uint32_t below = high - t->partitions;
  return low == below || low == below + 1 ? high : UINT32_MAX;
}

/* The bin of an element, and what its particles become; UINT32_MAX when boundaries meet. */
static uint32_t place(tiling *t, const uint32_t *particles, uint32_t arity) {
  uint32_t region = t->region[particles[0]], tile = t->tile[particles[0]];
  for (uint32_t k = 1; k < arity; ++k) {
    uint32_t other = t->region[particles[k]];
    if (other != region) region = boundary_of(t, region, other);
    if (region == UINT32_MAX) return UINT32_MAX;
    if (t->tile[particles[k]] > tile) tile = t->tile[particles[k]];
  }
  if (region >= t->partitions) tile = 0;
  for (uint32_t k = 0; k < arity; ++k) {
    t->region[particles[k]] = region;
    t->tile[particles[k]] = tile;
  }
  return t->first_bin[region] + tile;
}

/* Elements of a pass into their bins, ascending in each. Adds those in boundaries to *in_seams. */
static bool sort_pass(tiling *t, const weft_memory *memory, const weft_pass *pass, sorted *out,
                      uint64_t *in_boundary) {
  uint32_t bins = bin_count(t), boundary = t->first_bin[t->partitions];
  uint32_t *bin = weft_alloc(pass->count, sizeof *bin);
  out->first = weft_alloc((size_t)bins + 1, sizeof *out->first);
  out->elements = weft_alloc(pass->count, sizeof *out->elements);
  bool placed = true;
  for (uint32_t e = 0; e < pass->count && placed; ++e) {
    uint32_t particles[4];
    uint32_t arity = weft_plan_particles(memory, pass, e, particles);
    bin[e] = place(t, particles, arity);
    placed = bin[e] != UINT32_MAX;
    if (!placed) break;
    out->first[bin[e] + 1]++;
    *in_boundary += bin[e] >= boundary;
  }
  for (uint32_t b = 0; b < bins; ++b) out->first[b + 1] += out->first[b];
  for (uint32_t e = 0; e < pass->count && placed; ++e) out->elements[out->first[bin[e]]++] = e;
  for (uint32_t b = bins; b > 0; --b) out->first[b] = out->first[b - 1];
  out->first[0] = 0;
  weft_free(bin);
  return placed;
}

static void free_sorted(sorted *stages, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    weft_free(stages[k].elements);
    weft_free(stages[k].first);
  }
}

/* ---- stages ---- */

/* The passes in order; where the batches run along split positions, these around the batches. */
static uint32_t list_stages(const weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                            uint32_t end, stage *stages) {
  bool split = weft_plan_runs_along(plan, desc, first, end);
  uint32_t count = 0;
  bool inside = split && plan->split;
  for (uint32_t k = first; k < end; ++k) {
    weft_pass_kind kind = plan->passes[k].kind;
    bool batch =
        weft_cpu_role_of(&plan->passes[k]) == WEFT_CPU_BATCH || kind == WEFT_PASS_LEVEL_SPREAD;
    if (split && batch != inside) {
      stages[count++] = (stage){batch ? WEFT_CPU_SPLIT : WEFT_CPU_JOIN, k};
      inside = batch;
    }
    stages[count++] = (stage){split && batch ? WEFT_CPU_STRIPS : WEFT_CPU_RUN, k};
  }
  if (inside) stages[count++] = (stage){WEFT_CPU_JOIN, end - 1};
  return count;
}

static weft_pass pass_of(const weft_cpu_plan *plan, const stage *s, uint32_t particles) {
  bool all = s->kind == WEFT_CPU_SPLIT || s->kind == WEFT_CPU_JOIN;
  /* Any pass over particles: only which it touches counts here. */
  return all ? (weft_pass){.kind = WEFT_PASS_PREDICT, .count = particles} : plan->passes[s->pass];
}

static void emit_stage(weft_cpu_plan *plan, const weft_plan_desc *desc, const stage *s,
                       const uint32_t *elements, uint32_t count) {
  if (!count) return;
  if (s->kind == WEFT_CPU_RUN) {
    weft_plan_add_elements(plan, desc, s->pass, elements, count);
  } else if (s->kind == WEFT_CPU_STRIPS && plan->passes[s->pass].kind == WEFT_PASS_LEVEL_SPREAD) {
    weft_plan_add_follow_strips(plan, desc, s->pass, elements, count);
  } else if (s->kind == WEFT_CPU_STRIPS) {
    weft_plan_add_strips(plan, desc, s->pass, elements, count);
  } else {
    weft_plan_add_runs(plan, s->kind, s->pass, elements, count);
  }
}

typedef struct staged {
  stage stages[STAGES_MAX];
  sorted sorted[STAGES_MAX];
  uint32_t count;
} staged;

/* A part: the tiles of a region one after the other, each through all stages. */
static void emit_region(weft_cpu_plan *plan, const weft_plan_desc *desc, const staged *all,
                        uint32_t bin, uint32_t end_bin) {
  weft_plan_add_part(plan);
  for (uint32_t b = bin; b < end_bin; ++b) {
    for (uint32_t k = 0; k < all->count; ++k) {
      const sorted *s = &all->sorted[k];
      emit_stage(plan, desc, &all->stages[k], s->elements + s->first[b],
                 s->first[b + 1] - s->first[b]);
    }
  }
}

static void emit(weft_cpu_plan *plan, const weft_plan_desc *desc, const tiling *t,
                 const staged *all) {
  weft_plan_add_phase(plan);
  for (uint32_t s = 0; s < t->partitions; ++s) {
    emit_region(plan, desc, all, t->first_bin[s], t->first_bin[s + 1]);
  }
  if (t->partitions == 1) return;
  weft_plan_add_phase(plan);
  for (uint32_t s = t->partitions; s + 1 < 2 * t->partitions; ++s) {
    emit_region(plan, desc, all, t->first_bin[s], t->first_bin[s] + 1);
  }
}

static bool spreads_first(const weft_cpu_plan *plan, uint32_t first) {
  return plan->passes[first].kind == WEFT_PASS_LEVEL_SPREAD;
}

bool weft_plan_add_tiles(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                         uint32_t end) {
  uint32_t particles = weft_plan_cloth(desc);
  if (desc->members > 1 && particles < MIN_IN_PARTITIONS) return false;
  if (particles < 2 * desc->members) return false;
  tiling t;
  start(&t, desc->members, particles, desc->tile);
  staged all = {0};
  all.count = list_stages(plan, desc, first, end, all.stages);
  uint64_t elements = 0, in_boundary = 0;
  bool placed = true;
  for (uint32_t k = 0; k < all.count && placed; ++k) {
    weft_pass pass = pass_of(plan, &all.stages[k], particles);
    elements += pass.count;
    placed = sort_pass(&t, desc->memory, &pass, &all.sorted[k], &in_boundary);
  }
  placed = placed && (double)in_boundary <= max_in_boundary * (double)elements;
  if (placed && spreads_first(plan, first)) weft_plan_add_split_moves(plan, desc, first);
  if (placed) emit(plan, desc, &t, &all);
  if (placed) plan->partitions = t.partitions;
  free_sorted(all.sorted, all.count);
  stop(&t);
  return placed;
}

/* ---- stage by stage ---- */

enum { NOBODY = UINT32_MAX };

static uint32_t partition_of(const tiling *t, uint32_t particle) {
  uint32_t p = (uint32_t)((uint64_t)particle * t->partitions / t->particles);
  return particle < partition_begin(t, p + 1) ? p : p + 1;
}

/* Elements of a pass by the partition of their first particle, ascending in each. */
static void share_pass(const tiling *t, const weft_memory *memory, const weft_pass *pass,
                       sorted *out) {
  uint32_t *partition = weft_alloc(pass->count, sizeof *partition), particles[4];
  out->first = weft_alloc((size_t)t->partitions + 2, sizeof *out->first);
  out->elements = weft_alloc(pass->count, sizeof *out->elements);
  for (uint32_t e = 0; e < pass->count; ++e) {
    weft_plan_particles(memory, pass, e, particles);
    partition[e] = partition_of(t, particles[0]);
    out->first[partition[e] + 2]++;
  }
  for (uint32_t p = 0; p < t->partitions; ++p) out->first[p + 2] += out->first[p + 1];
  for (uint32_t e = 0; e < pass->count; ++e) out->elements[out->first[partition[e] + 1]++] = e;
  weft_free(partition);
}

/* Whether no partition's elements touch what another one's have touched; they touch it then. */
static bool touch(uint32_t *owner, uint32_t partitions, const weft_memory *memory,
                  const weft_pass *pass, const sorted *shared) {
  bool apart = true;
  for (uint32_t p = 0; p < partitions; ++p) {
    for (uint32_t k = shared->first[p]; k < shared->first[p + 1]; ++k) {
      uint32_t particles[4], arity;
      arity = weft_plan_particles(memory, pass, shared->elements[k], particles);
      for (uint32_t a = 0; a < arity; ++a) {
        apart = apart && (owner[particles[a]] == NOBODY || owner[particles[a]] == p);
        owner[particles[a]] = p;
      }
    }
  }
  return apart;
}

/* A phase of stages [begin, end). */
static void emit_stages(weft_cpu_plan *plan, const weft_plan_desc *desc, const staged *all,
                        uint32_t begin, uint32_t end) {
  weft_plan_add_phase(plan);
  for (uint32_t p = 0; p < desc->members; ++p) {
    weft_plan_add_part(plan);
    for (uint32_t k = begin; k < end; ++k) {
      const sorted *s = &all->sorted[k];
      emit_stage(plan, desc, &all->stages[k], s->elements + s->first[p],
                 s->first[p + 1] - s->first[p]);
    }
  }
}

bool weft_plan_add_stages(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                          uint32_t end) {
  if (desc->members == 1) return false;
  const tiling t = {.partitions = desc->members, .particles = weft_plan_cloth(desc)};
  staged all = {0};
  all.count = list_stages(plan, desc, first, end, all.stages);
  if (spreads_first(plan, first)) weft_plan_add_split_moves(plan, desc, first);
  uint32_t *owner = weft_alloc(t.particles, sizeof *owner), begin = 0;
  memset(owner, 0xff, t.particles * sizeof *owner);
  for (uint32_t k = 0; k < all.count; ++k) {
    weft_pass pass = pass_of(plan, &all.stages[k], t.particles);
    share_pass(&t, desc->memory, &pass, &all.sorted[k]);
    if (touch(owner, t.partitions, desc->memory, &pass, &all.sorted[k])) continue;
    emit_stages(plan, desc, &all, begin, k);
    memset(owner, 0xff, t.particles * sizeof *owner);
    touch(owner, t.partitions, desc->memory, &pass, &all.sorted[k]);
    begin = k;
  }
  emit_stages(plan, desc, &all, begin, all.count);
  weft_free(owner);
  free_sorted(all.sorted, all.count);
  return true;
}
