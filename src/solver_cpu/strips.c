/* strips.c: constraints packed for split positions (see weft_halves): strips where every particle
 * of the next constraint lies one place on, remainder for the rest. */
#include <string.h>

#include "base.h"
#include "model.h"
#include "plan.h"

/* Below this part of constraints in strips, transposing rows is faster. */
static const double min_along = 0.8;

/* Whether b's particles are those of a, each `step` further. */
static bool follows(const uint32_t *a, const uint32_t *b, uint32_t arity, uint32_t step) {
  for (uint32_t k = 0; k < arity; ++k) {
    if (b[k] != a[k] + step) return false;
  }
  return true;
}

static uint32_t count_along(const weft_memory *memory, const weft_pass *pass) {
  uint32_t along = 0, ring[3][4];
  for (uint32_t e = 0; e < pass->count; ++e) {
    uint32_t arity = weft_plan_particles(memory, pass, e, ring[e % 3]);
    bool by_two = e > 0 && follows(ring[(e + 2) % 3], ring[e % 3], arity, 2);
    along += by_two || (e > 1 && follows(ring[(e + 1) % 3], ring[e % 3], arity, 2));
  }
  return along;
}

bool weft_plan_runs_along(const weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                          uint32_t end) {
  if (!desc->halves) return false;
  uint64_t along = 0, constraints = 0;
  for (uint32_t k = first; k < end; ++k) {
    const weft_pass *pass = &plan->passes[k];
    if (weft_cpu_role_of(pass) != WEFT_CPU_BATCH) continue;
    if (!weft_plan_packed_words(desc, pass) || pass->variant) return false;
    if (!desc->lanes->project_strips[weft_pass_constraint(pass->kind)]) return false;
    along += count_along(desc->memory, pass);
    constraints += pass->count;
  }
  return constraints && (double)along >= min_along * (double)constraints;
}

/* What is being packed: constraints with their particles as places. */
typedef struct packing {
  weft_cpu_plan *plan;
  const vec4 *x;
  uint32_t pass, words, arity, lanes, count;
  uint32_t (*packed)[WEFT_PACKED_MAX]; /* [count] first those whose first particle is even */
  uint32_t (*particles)[4];            /* [count] as they are numbered everywhere else */
} packing;

static void gather_constraints(packing *p, const weft_plan_desc *desc, const uint32_t *elements) {
  p->packed = weft_alloc(p->count, sizeof *p->packed);
  p->particles = weft_alloc(p->count, sizeof *p->particles);
  uint32_t filled = 0;
  for (uint32_t parity = 0; parity < 2; ++parity) {
    for (uint32_t k = 0; k < p->count; ++k) {
      uint32_t *one = p->packed[filled];
      weft_plan_pack(desc->memory, &p->plan->passes[p->pass], elements[k], one);
      if (one[0] % 2 != parity) continue;
      memcpy(p->particles[filled], one, p->arity * sizeof *one);
      for (uint32_t a = 0; a < p->arity; ++a) {
        one[a] = (uint32_t)weft_halves_place(desc->halves, one[a]);
      }
      if (++filled == p->count) return;
    }
  }
}

/* Constraints from `from` on that make a strip: whole vectors, and what is left if that fills a
 * quarter of one, as fewer are quicker one by one. 0: none. */
static uint32_t strip_from(const packing *p, uint32_t from) {
  uint32_t run = 1;
  while (from + run < p->count &&
         follows(p->packed[from + run - 1], p->packed[from + run], p->arity, 1)) {
    ++run;
  }
  uint32_t left = run % p->lanes;
  return left * 4 < p->lanes ? run - left : run;
}

static bool all_fast_safe(const packing *p, uint32_t from, uint32_t count) {
  int type = weft_pass_constraint(p->plan->passes[p->pass].kind);
  for (uint32_t k = from; k < from + count; ++k) {
    const uint32_t *values = p->packed[k] + (p->arity == 2 ? 2 : 4);
    if (!weft_plan_fast_safe(type, p->x, p->particles[k], values)) return false;
  }
  return true;
}

static void add_strip(const packing *p, uint32_t from, uint32_t count) {
  uint32_t values = p->words - p->arity, vectors = (count + p->lanes - 1) / p->lanes;
  uint32_t *strip =
      weft_plan_add_words(p->plan, WEFT_STRIP_HEAD + (size_t)vectors * values * p->lanes);
  memset(strip, 0, WEFT_STRIP_HEAD * sizeof *strip);
  strip[0] = vectors;
  memcpy(strip + 1, p->packed[from], p->arity * sizeof *strip);
  strip[WEFT_STRIP_FAST_SAFE] = all_fast_safe(p, from, count);
  strip[WEFT_STRIP_LAST] = count - (vectors - 1) * p->lanes;
  strip += WEFT_STRIP_HEAD;
  for (uint32_t k = 0; k < vectors * p->lanes; ++k) {
    uint32_t *vector = strip + (size_t)(k / p->lanes) * values * p->lanes;
    for (uint32_t w = 0; w < values; ++w) {
      uint32_t one = from + (k < count ? k : count - 1);
      vector[w * p->lanes + k % p->lanes] = p->packed[one][p->arity + w];
    }
  }
}

static void add_remainder(const packing *p, const uint32_t *remainder, uint32_t count) {
  uint32_t blocks = (count + p->lanes - 1) / p->lanes;
  weft_plan_add_item(p->plan, WEFT_CPU_REMAINDER, p->pass)->count = blocks;
  uint32_t *block = weft_plan_add_words(p->plan, (size_t)blocks * p->words * p->lanes);
  for (uint32_t k = 0; k < blocks * p->lanes; ++k) {
    const uint32_t *one = p->packed[remainder[k < count ? k : count - 1]];
    for (uint32_t w = 0; w < p->words; ++w) block[w * p->lanes + k % p->lanes] = one[w];
    if (k % p->lanes == p->lanes - 1) block += (size_t)p->words * p->lanes;
  }
}

void weft_plan_add_strips(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                          const uint32_t *elements, uint32_t count) {
  uint32_t words = weft_plan_packed_words(desc, &plan->passes[pass]);
  packing p = {.plan = plan,
               .x = (const void *)desc->memory->payload[WEFT_BUFFER_X],
               .pass = pass,
               .words = words,
               .arity = words / 2,
               .lanes = desc->lanes->lanes,
               .count = count};
  gather_constraints(&p, desc, elements);
  uint32_t *remainder = weft_alloc(count, sizeof *remainder);
  uint32_t remainder_count = 0, strip_count = 0;
  size_t item = plan->item_count;
  for (uint32_t k = 0; k < count;) {
    uint32_t along = strip_from(&p, k);
    if (!along) {
      remainder[remainder_count++] = k++;
      continue;
    }
    if (!strip_count++) weft_plan_add_item(plan, WEFT_CPU_STRIPS, pass);
    add_strip(&p, k, along);
    k += along;
  }
  if (strip_count) plan->items[item].count = strip_count;
  if (remainder_count) add_remainder(&p, remainder, remainder_count);
  weft_free(remainder);
  weft_free(p.packed);
  weft_free(p.particles);
}
