/* tiles.c: partitions, boundaries and tiles of fused passes. See plan.h.
 *
 * Particles are taken in the order of their indices, in which grids and most meshes are local. Two
 * rules, applied pass by pass, place every element:
 *   - region: that of its particles when they agree, else the boundary between their partitions;
 * whatever touches a boundary's particle later belongs to the boundary as well;
 *   - tile: the latest of its particles', which they all have from then on.
 * So at every particle regions and tiles follow each other in the order of the passes. */
#include "base.h"
#include "binned.h"
#include "ranges.h"

/* Boundaries are run with fewer threads. Where they hold more than this part of all elements, or
 * the whole cloth stays in the last cache, partitions had better wait for each other stage by
 * stage. */
static const double max_in_boundary = 0.1;
enum { MIN_IN_PARTITIONS = 300000 };

/* Regions: partitions are 0 .. partitions-1, the boundary above partition k is partitions + k. */
typedef struct tiling {
  uint32_t partitions;
  uint32_t *first_bin; /* [2*partitions]: bins of a region are its tiles */
  uint32_t *region;    /* [particles] */
  uint32_t *tile;      /* [particles] within the region */
} tiling;

static void start(tiling *t, const weft_plan_desc *desc) {
  uint32_t partitions = desc->members, particles = weft_plan_cloth(desc), tile = desc->tile;
  *t = (tiling){.partitions = partitions};
  t->first_bin = weft_alloc(2 * (size_t)partitions, sizeof *t->first_bin);
  t->region = weft_alloc(particles, sizeof *t->region);
  t->tile = weft_alloc(particles, sizeof *t->tile);
  uint32_t bins = 0;
  for (uint32_t s = 0; s < partitions; ++s) {
    uint32_t begin = weft_plan_partition(desc, s), end = weft_plan_partition(desc, s + 1);
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

static void forget_particles(tiling *t) {
  weft_free(t->region);
  weft_free(t->tile);
  t->region = t->tile = NULL;
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

typedef struct placing {
  tiling *t;
  const weft_memory *memory;
  const weft_pass *pass;
  uint32_t *bin;                         /* [pass->count] */
  uint64_t in_boundary[WEFT_RANGES_MAX]; /* of the ranges */
  bool met[WEFT_RANGES_MAX];             /* two boundaries, in one of its elements */
} placing;

/* Elements of a pass share no particle, so ranges of them can be placed at the same time. */
static void place_range(void *context, uint32_t part, size_t first, size_t end) {
  placing *p = context;
  uint32_t boundary = p->t->first_bin[p->t->partitions];
  for (size_t e = first; e < end; ++e) {
    uint32_t particles[4];
    uint32_t arity = weft_plan_particles(p->memory, p->pass, (uint32_t)e, particles);
    p->bin[e] = place(p->t, particles, arity);
    p->met[part] = p->bin[e] == UINT32_MAX;
    if (p->met[part]) return;
    p->in_boundary[part] += p->bin[e] >= boundary;
  }
}

/* Elements of a pass into their bins. Adds those in boundaries to *in_boundary; false when
 * boundaries meet. */
static bool sort_pass(tiling *t, const weft_memory *memory, const weft_pass *pass, weft_binned *out,
                      uint64_t *in_boundary) {
  placing p = {.t = t, .memory = memory, .pass = pass};
  uint32_t parts = weft_ranges_worth(pass->count);
  p.bin = weft_alloc(pass->count, sizeof *p.bin);
  weft_ranges_run(pass->count, parts, place_range, &p);
  bool placed = true;
  for (uint32_t k = 0; k < parts; ++k) {
    placed = placed && !p.met[k];
    *in_boundary += p.in_boundary[k];
  }
  if (placed) *out = weft_binned_of(p.bin, pass->count, bin_count(t));
  weft_free(p.bin);
  return placed;
}

/* ---- emitting ---- */

typedef struct regions {
  const weft_plan_desc *desc;
  const tiling *t;
  const weft_staged *all;
  uint32_t first; /* region */
} regions;

/* A part: the tiles of a region one after the other, each through all stages. */
static void fill_region(void *context, weft_cpu_plan *plan, uint32_t part) {
  const regions *r = context;
  const uint32_t *bins = r->t->first_bin + r->first + part;
  for (uint32_t b = bins[0]; b < bins[1]; ++b) {
    for (uint32_t k = 0; k < r->all->count; ++k) weft_stage_emit(plan, r->desc, r->all, k, b);
  }
}

static void emit(weft_cpu_plan *plan, const tiling *t, regions *r) {
  weft_plan_parts parts = weft_stages_parts(plan, r->desc, r->all, 0, r->all->count);
  parts.count = t->partitions;
  r->first = 0;
  weft_plan_add_parts(plan, &parts, fill_region, r);
  r->first = t->partitions;
  parts = (weft_plan_parts){.count = t->partitions - 1};
  if (parts.count) weft_plan_add_parts(plan, &parts, fill_region, r);
}

bool weft_plan_add_tiles(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                         uint32_t end) {
  uint32_t particles = weft_plan_cloth(desc);
  if (desc->members > 1 && particles < MIN_IN_PARTITIONS) return false;
  if (particles < 2 * desc->members) return false;
  tiling t;
  start(&t, desc);
  weft_staged all = {0};
  weft_stages_list(plan, desc, first, end, &all);
  uint64_t elements = 0, in_boundary = 0;
  bool placed = true;
  for (uint32_t k = 0; k < all.count && placed; ++k) {
    weft_pass pass = weft_stage_pass(plan, &all.stages[k], particles);
    elements += pass.count;
    placed = sort_pass(&t, desc->memory, &pass, &all.binned[k], &in_boundary);
  }
  forget_particles(&t);
  placed = placed && (double)in_boundary <= max_in_boundary * (double)elements;
  if (placed) weft_stages_begin(plan, desc, first);
  if (placed) emit(plan, &t, &(regions){.desc = desc, .t = &t, .all = &all});
  if (placed) plan->partitions = t.partitions;
  uint32_t slots = all.slots ? weft_slots_count(all.slots) : 0;
  if (slots > plan->slots) plan->slots = slots;
  weft_stages_free(&all);
  weft_free(t.first_bin);
  return placed;
}
