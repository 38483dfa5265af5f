/* strips.c: constraints packed for split positions (see weft_halves): strips where every particle
 * of the next constraint lies one place on, remainder for the rest. */
#include <string.h>

#include "base.h"
#include "grid_layout.h"
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
  bool narrow;                         /* strips may be */
} packing;

static void gather_one(const packing *p, const weft_plan_desc *desc, uint32_t element,
                       uint32_t to) {
  uint32_t *one = p->packed[to];
  weft_plan_pack(desc->memory, &p->plan->passes[p->pass], element, one);
  memcpy(p->particles[to], one, p->arity * sizeof *one);
  for (uint32_t a = 0; a < p->arity; ++a) {
    one[a] = (uint32_t)weft_halves_place(desc->halves, one[a]);
  }
}

static void gather_constraints(packing *p, const weft_plan_desc *desc, const uint32_t *elements) {
  const weft_pass *pass = &p->plan->passes[p->pass];
  p->packed = weft_alloc(p->count, sizeof *p->packed);
  p->particles = weft_alloc(p->count, sizeof *p->particles);
  uint32_t filled = 0;
  for (uint32_t parity = 0; parity < 2; ++parity) {
    for (uint32_t k = 0; k < p->count; ++k) {
      uint32_t particles[4];
      weft_plan_particles(desc->memory, pass, elements[k], particles);
      if (particles[0] % 2 == parity) gather_one(p, desc, elements[k], filled++);
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

/* Of each value the least and the greatest bits. */
typedef struct value_bits {
  uint32_t least[4], most[4];
} value_bits;

static value_bits no_bits(void) {
  value_bits bits = {{0}, {0}};
  memset(bits.least, 0xff, sizeof bits.least);
  return bits;
}

/* Takes constraints [from, from+count) in; whether all are at most 16 bits apart then. */
static bool take_in(const packing *p, uint32_t from, uint32_t count, value_bits *bits) {
  bool narrow = true;
  for (uint32_t w = 0; w < p->words - p->arity; ++w) {
    for (uint32_t k = from; k < from + count; ++k) {
      uint32_t own = p->packed[k][p->arity + w];
      if (own < bits->least[w]) bits->least[w] = own;
      if (own > bits->most[w]) bits->most[w] = own;
    }
    narrow = narrow && bits->most[w] - bits->least[w] <= UINT16_MAX;
  }
  return narrow;
}

/* How many of the constraints of a strip can be narrow together, from the first on: whole vectors,
 * or all. None where that is too few to be worth a strip. */
static uint32_t narrow_from(const packing *p, uint32_t from, uint32_t count) {
  enum { MIN_VECTORS = 4 };
  if (!p->narrow) return 0;
  value_bits bits = no_bits();
  uint32_t done = 0;
  while (done < count) {
    uint32_t part = count - done < p->lanes ? count - done : p->lanes;
    if (!take_in(p, from + done, part, &bits)) break;
    done += part;
  }
  return done < MIN_VECTORS * p->lanes ? 0 : done;
}

/* And how many it takes whole until a narrow strip begins. */
static uint32_t wide_from(const packing *p, uint32_t from, uint32_t count) {
  uint32_t done = 0;
  while (done < count && !narrow_from(p, from + done, count - done)) {
    done += count - done < p->lanes ? count - done : p->lanes;
  }
  return done;
}

/* One vector of a strip: a constraint a lane, the last one repeated. */
static void put_vector(const packing *p, uint32_t from, uint32_t count, const uint32_t *bases,
                       uint32_t *to) {
  uint32_t values = p->words - p->arity;
  for (uint32_t k = 0; k < p->lanes; ++k) {
    const uint32_t *one = p->packed[from + (k < count ? k : count - 1)] + p->arity;
    for (uint32_t w = 0; w < values; ++w) {
      if (bases) {
        ((uint16_t *)to)[w * p->lanes + k] = (uint16_t)(one[w] - bases[w]);
      } else {
        to[w * p->lanes + k] = one[w];
      }
    }
  }
}

static void add_strip(const packing *p, uint32_t from, uint32_t count, bool narrow) {
  uint32_t vectors = (count + p->lanes - 1) / p->lanes, values = p->words - p->arity;
  value_bits bits = no_bits();
  take_in(p, from, count, &bits);
  size_t step = (size_t)values * p->lanes / (narrow ? 2 : 1);
  uint32_t *strip = weft_plan_add_words(p->plan, WEFT_STRIP_HEAD + vectors * step);
  memset(strip, 0, WEFT_STRIP_HEAD * sizeof *strip);
  strip[0] = vectors;
  memcpy(strip + 1, p->packed[from], p->arity * sizeof *strip);
  strip[WEFT_STRIP_FAST_SAFE] = all_fast_safe(p, from, count);
  strip[WEFT_STRIP_LAST] = count - (vectors - 1) * p->lanes;
  strip[WEFT_STRIP_NARROW] = narrow;
  memcpy(strip + WEFT_STRIP_BASES, bits.least, values * sizeof *strip);
  strip += WEFT_STRIP_HEAD;
  for (uint32_t v = 0; v < vectors; ++v) {
    uint32_t done = v * p->lanes;
    put_vector(p, from + done, count - done, narrow ? bits.least : NULL, strip + v * step);
  }
}

/* A strip along the whole of some constraints, or several: at the border of a sheet numbers are
 * far from those beside it. Returns how many. */
static uint32_t add_strips(const packing *p, uint32_t from, uint32_t count) {
  uint32_t strips = 0;
  for (uint32_t done = 0; done < count; ++strips) {
    uint32_t narrow = narrow_from(p, from + done, count - done);
    uint32_t part = narrow ? narrow : wide_from(p, from + done, count - done);
    add_strip(p, from + done, part, narrow > 0);
    done += part;
  }
  return strips;
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
               .count = count,
               .narrow = desc->narrow || weft_plan_cloth(desc) >= WEFT_CPU_NARROW};
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
    if (!strip_count) weft_plan_add_item(plan, WEFT_CPU_STRIPS, pass);
    strip_count += add_strips(&p, k, along);
    k += along;
  }
  if (strip_count) plan->items[item].count = strip_count;
  if (remainder_count) add_remainder(&p, remainder, remainder_count);
  weft_free(remainder);
  weft_free(p.packed);
  weft_free(p.particles);
}
