/* tiles.c: cores and tiles of fused passes. See plan.h.
 *
 * Particles are taken in the order of their indices, in which grids and most meshes are local. Two
 * rules, applied pass by pass, place every element:
 *   - it is in the rims when one of its particles is touched by several partitions, or was touched
 * in the rims; else in the core of its partition;
 *   - tile: the latest of its particles', which they all have from then on.
 * So at every particle cores come before rims, and tiles follow each other in the order of the
 * passes. */
#include <string.h>

#include "base.h"
#include "binned.h"
#include "ranges.h"

enum { IN_RIMS = UINT32_MAX };

typedef struct tiling {
  const weft_plan_desc *desc;
  weft_rims rims;
  uint32_t *first_bin; /* [members+1]: bins of a core are its tiles; the last bin has the rims */
  uint32_t *tile;      /* [particles] the latest, or IN_RIMS */
} tiling;

/* ---- who touches what ---- */

typedef struct touching {
  const tiling *t;
  const weft_pass *pass;
} touching;

/* Elements of a pass share no particle, so ranges of them can go at the same time. */
static void touch_range(void *context, uint32_t part, size_t first, size_t end) {
  const touching *c = context;
  const weft_plan_desc *desc = c->t->desc;
  (void)part;
  for (size_t e = first; e < end; ++e) {
    uint32_t particles[4], arity;
    arity = weft_plan_particles(desc->memory, c->pass, (uint32_t)e, particles);
    uint32_t partition = weft_plan_partition_of(desc, particles[0]);
    for (uint32_t a = 0; a < arity; ++a) {
      uint32_t *by = &c->t->rims.touching[particles[a]];
      *by = *by == WEFT_RIMS_NOBODY || *by == partition ? partition : WEFT_RIMS_SEVERAL;
    }
  }
}

static void find_touching(const weft_cpu_plan *plan, tiling *t, const weft_staged *all) {
  uint32_t particles = weft_plan_cloth(t->desc);
  t->rims.touching = weft_alloc(particles, sizeof *t->rims.touching);
  if (t->desc->members == 1) return;
  memset(t->rims.touching, 0xff, particles * sizeof *t->rims.touching);
  for (uint32_t k = 0; k < all->count; ++k) {
    weft_pass pass = weft_stage_pass(plan, &all->stages[k], particles);
    weft_ranges_run(pass.count, weft_ranges_worth(pass.count), touch_range, &(touching){t, &pass});
  }
}

/* ---- placing ---- */

static void start(tiling *t) {
  const weft_plan_desc *desc = t->desc;
  t->first_bin = weft_alloc((size_t)desc->members + 1, sizeof *t->first_bin);
  t->tile = weft_alloc(weft_plan_cloth(desc), sizeof *t->tile);
  for (uint32_t p = 0; p < desc->members; ++p) {
    uint32_t begin = weft_plan_partition(desc, p), end = weft_plan_partition(desc, p + 1);
    for (uint32_t i = begin; i < end; ++i) {
      t->tile[i] = t->rims.touching[i] == p ? t->first_bin[p] + (i - begin) / desc->tile : IN_RIMS;
    }
    t->first_bin[p + 1] = t->first_bin[p] + (end - begin + desc->tile - 1) / desc->tile;
  }
}

static uint32_t bin_of_rims(const tiling *t) { return t->first_bin[t->desc->members]; }

/* The bin of an element, and what its particles become. */
static uint32_t place(const tiling *t, const uint32_t *particles, uint32_t arity) {
  uint32_t latest = 0;
  for (uint32_t a = 0; a < arity; ++a) {
    if (t->tile[particles[a]] > latest) latest = t->tile[particles[a]];
  }
  for (uint32_t a = 0; a < arity; ++a) t->tile[particles[a]] = latest;
  return latest == IN_RIMS ? bin_of_rims(t) : latest;
}

typedef struct placing {
  const tiling *t;
  const weft_pass *pass;
  uint32_t *bin; /* [pass->count] */
} placing;

static void place_range(void *context, uint32_t part, size_t first, size_t end) {
  const placing *p = context;
  (void)part;
  for (size_t e = first; e < end; ++e) {
    uint32_t particles[4], arity;
    arity = weft_plan_particles(p->t->desc->memory, p->pass, (uint32_t)e, particles);
    p->bin[e] = place(p->t, particles, arity);
  }
}

static weft_binned sort_pass(const tiling *t, const weft_pass *pass) {
  placing p = {.t = t, .pass = pass, .bin = weft_alloc(pass->count, sizeof *p.bin)};
  weft_ranges_run(pass->count, weft_ranges_worth(pass->count), place_range, &p);
  weft_binned binned = weft_binned_of(p.bin, pass->count, bin_of_rims(t) + 1);
  weft_free(p.bin);
  return binned;
}

/* ---- emitting ---- */

typedef struct core_parts {
  const tiling *t;
  const weft_staged *all;
} core_parts;

/* A part: the tiles of a core one after the other, each through all stages. */
static void fill_core(void *context, weft_cpu_plan *plan, uint32_t part) {
  const core_parts *c = context;
  for (uint32_t b = c->t->first_bin[part]; b < c->t->first_bin[part + 1]; ++b) {
    for (uint32_t k = 0; k < c->all->count; ++k) {
      weft_stage_emit(plan, c->t->desc, c->all, k, b);
    }
  }
}

static bool have_rims(const tiling *t, const weft_staged *all) {
  bool have = false;
  for (uint32_t k = 0; k < all->count; ++k) {
    const uint32_t *runs = all->binned[k].first + t->rims.bin;
    have = have || runs[1] > runs[0];
  }
  return have;
}

static void emit(weft_cpu_plan *plan, tiling *t, weft_staged *all) {
  uint32_t before = (uint32_t)plan->phase_count;
  weft_plan_parts parts = weft_stages_parts(plan, t->desc, all, 0, all->count);
  parts.count = t->desc->members;
  weft_plan_add_parts(plan, &parts, fill_core, &(core_parts){t, all});
  if (have_rims(t, all)) weft_plan_add_rims(plan, t->desc, &t->rims, all, before);
}

bool weft_plan_add_tiles(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                         uint32_t end) {
  if (weft_plan_cloth(desc) < 2 * desc->members) return false;
  weft_staged all = {0};
  weft_stages_list(plan, desc, first, end, &all);
  tiling t = {.desc = desc};
  find_touching(plan, &t, &all);
  start(&t);
  t.rims.bin = bin_of_rims(&t);
  for (uint32_t k = 0; k < all.count; ++k) {
    weft_pass pass = weft_stage_pass(plan, &all.stages[k], weft_plan_cloth(desc));
    all.binned[k] = sort_pass(&t, &pass);
  }
  weft_free(t.tile);
  weft_stages_begin(plan, desc, first);
  emit(plan, &t, &all);
  weft_stages_free(&all);
  weft_free(t.rims.touching);
  weft_free(t.first_bin);
  return true;
}
