/* tiles.c: slabs, seams and tiles of a chain. See plan.h.
 *
 * Particles are taken in the order of their indices, in which grids and most meshes are local. Two
 * rules, applied pass by pass, place every element:
 *   - region: that of its particles when they agree, else the seam between their slabs; whatever
 *     touches a seam's particle later belongs to the seam as well;
 *   - tile: the latest of its particles', which they all have from then on.
 * So at every particle regions and tiles follow each other in the order of the passes. */
#include <string.h>

#include "base.h"
#include "plan.h"

/* A slab whose seams hold more than this part of all elements is better run pass by pass. */
static const double most_in_seams = 0.25;

/* Regions: slabs are 0 .. slabs-1, the seam above slab k is slabs + k. */
typedef struct tiling {
  uint32_t slabs, particles;
  uint32_t *first_bin; /* [2*slabs]: bins of a region are its tiles */
  uint32_t *region;    /* [particles] */
  uint32_t *tile;      /* [particles] within the region */
} tiling;

/* The elements of one pass, sorted by bin. */
typedef struct sorted {
  uint32_t *elements; /* [count] */
  uint32_t *first;    /* [bins+1] */
} sorted;

static uint32_t slab_begin(const tiling *t, uint32_t slab) {
  return (uint32_t)((uint64_t)t->particles * slab / t->slabs);
}

static void start(tiling *t, uint32_t slabs, uint32_t particles, uint32_t tile) {
  *t = (tiling){.slabs = slabs, .particles = particles};
  t->first_bin = weft_alloc(2 * (size_t)slabs, sizeof *t->first_bin);
  t->region = weft_alloc(particles, sizeof *t->region);
  t->tile = weft_alloc(particles, sizeof *t->tile);
  uint32_t bins = 0;
  for (uint32_t s = 0; s < slabs; ++s) {
    uint32_t begin = slab_begin(t, s), end = slab_begin(t, s + 1);
    for (uint32_t i = begin; i < end; ++i) {
      t->region[i] = s;
      t->tile[i] = (i - begin) / tile;
    }
    t->first_bin[s] = bins;
    bins += (end - begin + tile - 1) / tile;
  }
  for (uint32_t seam = slabs; seam < 2 * slabs; ++seam) t->first_bin[seam] = bins++;
}

static void stop(tiling *t) {
  weft_free(t->first_bin);
  weft_free(t->region);
  weft_free(t->tile);
}

/* The last region is no seam, only where the bins end. */
static uint32_t bin_count(const tiling *t) { return t->first_bin[2 * t->slabs - 1]; }

/* The seam that joins two regions, UINT32_MAX when they have none in common. */
static uint32_t seam_of(const tiling *t, uint32_t a, uint32_t b) {
  uint32_t low = a < b ? a : b, high = a < b ? b : a;
  if (high < t->slabs) return high == low + 1 ? t->slabs + low : UINT32_MAX;
  if (low >= t->slabs) return UINT32_MAX; /* two seams */
  uint32_t below = high - t->slabs;
  return low == below || low == below + 1 ? high : UINT32_MAX;
}

/* The bin of an element, and what its particles become; UINT32_MAX when seams meet. */
static uint32_t place(tiling *t, const uint32_t *particles, uint32_t arity) {
  uint32_t region = t->region[particles[0]], tile = t->tile[particles[0]];
  for (uint32_t k = 1; k < arity; ++k) {
    uint32_t other = t->region[particles[k]];
    if (other != region) region = seam_of(t, region, other);
    if (region == UINT32_MAX) return UINT32_MAX;
    if (t->tile[particles[k]] > tile) tile = t->tile[particles[k]];
  }
  if (region >= t->slabs) tile = 0;
  for (uint32_t k = 0; k < arity; ++k) {
    t->region[particles[k]] = region;
    t->tile[particles[k]] = tile;
  }
  return t->first_bin[region] + tile;
}

/* Elements of a pass into their bins, ascending in each. Adds those in seams to *in_seams. */
static bool sort_pass(tiling *t, const weft_memory *memory, const weft_pass *pass, sorted *out,
                      uint64_t *in_seams) {
  uint32_t bins = bin_count(t), seams = t->first_bin[t->slabs];
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
    *in_seams += bin[e] >= seams;
  }
  for (uint32_t b = 0; b < bins; ++b) out->first[b + 1] += out->first[b];
  for (uint32_t e = 0; e < pass->count && placed; ++e) out->elements[out->first[bin[e]]++] = e;
  for (uint32_t b = bins; b > 0; --b) out->first[b] = out->first[b - 1];
  out->first[0] = 0;
  weft_free(bin);
  return placed;
}

static void free_sorted(sorted *passes, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    weft_free(passes[k].elements);
    weft_free(passes[k].first);
  }
}

/* A part: the tiles of a region one after the other, each through all passes. */
static void emit_region(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                        uint32_t count, const sorted *passes, uint32_t bin, uint32_t end_bin) {
  weft_plan_add_part(plan);
  for (uint32_t b = bin; b < end_bin; ++b) {
    for (uint32_t k = 0; k < count; ++k) {
      const sorted *s = &passes[k];
      weft_plan_add_elements(plan, desc, first + k, s->elements + s->first[b],
                             s->first[b + 1] - s->first[b]);
    }
  }
}

static void emit(weft_cpu_plan *plan, const weft_plan_desc *desc, const tiling *t, uint32_t first,
                 uint32_t count, const sorted *passes) {
  weft_plan_add_phase(plan);
  for (uint32_t s = 0; s < t->slabs; ++s) {
    emit_region(plan, desc, first, count, passes, t->first_bin[s], t->first_bin[s + 1]);
  }
  if (t->slabs == 1) return;
  weft_plan_add_phase(plan);
  for (uint32_t s = t->slabs; s + 1 < 2 * t->slabs; ++s) {
    emit_region(plan, desc, first, count, passes, t->first_bin[s], t->first_bin[s] + 1);
  }
}

static bool try_tiles(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first, uint32_t end,
                      uint32_t slabs) {
  uint32_t particles = (uint32_t)(desc->memory->bytes[WEFT_BUFFER_X] / sizeof(vec4));
  tiling t;
  start(&t, slabs, particles, desc->tile);
  sorted passes[WEFT_CHAIN_MOST] = {0};
  uint64_t elements = 0, in_seams = 0;
  bool placed = true;
  for (uint32_t k = first; k < end && placed; ++k) {
    elements += plan->passes[k].count;
    placed = sort_pass(&t, desc->memory, &plan->passes[k], &passes[k - first], &in_seams);
  }
  placed = placed && (double)in_seams <= most_in_seams * (double)elements;
  if (placed) emit(plan, desc, &t, first, end - first, passes);
  if (placed) plan->slabs = slabs;
  free_sorted(passes, end - first);
  stop(&t);
  return placed;
}

bool weft_plan_add_tiles(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                         uint32_t end) {
  uint32_t particles = (uint32_t)(desc->memory->bytes[WEFT_BUFFER_X] / sizeof(vec4));
  if (particles < 2 * desc->members) return false;
  return try_tiles(plan, desc, first, end, desc->members);
}
