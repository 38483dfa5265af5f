/* strips.c: elements packed for vectors: blocks of one a lane; and in split positions (weft_halves)
 * strips, where every place of the next element is one on, and blocks of what is left. */
#include <string.h>

#include "base.h"
#include "grid_layout.h"
#include "model.h"
#include "plan.h"

/* Below this part of constraints in strips, transposing rows is faster. */
static const double min_along = 0.8;

/* Whether b's places are those of a, each `step` further. */
static bool follows(const uint32_t *a, const uint32_t *b, uint32_t places, uint32_t step) {
  for (uint32_t k = 0; k < places; ++k) {
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
    if (!desc->lanes->project[weft_pass_constraint(pass->kind)][WEFT_UNIT]) return false;
    along += count_along(desc->memory, pass);
    constraints += pass->count;
  }
  return constraints && (double)along >= min_along * (double)constraints;
}

/* ---- blocks ---- */

static const uint32_t *words_of(const weft_plan_elements *e, uint32_t element) {
  return e->words + (size_t)element * (e->places + e->values);
}

/* Words [first, first+words) of as many elements as there are lanes, a vector for each; the last
 * element repeated. Where it is narrow, 16 bits above those of `bases`. */
static void put_vector(const weft_plan_elements *e, const uint32_t *which, uint32_t count,
                       uint32_t lanes, uint32_t first, const uint32_t *bases, uint32_t *to) {
  for (uint32_t l = 0; l < lanes; ++l) {
    const uint32_t *one = words_of(e, which[l < count ? l : count - 1]) + first;
    for (uint32_t w = 0; w < e->places + e->values - first; ++w) {
      if (bases) {
        ((uint16_t *)to)[w * lanes + l] = (uint16_t)(one[w] - bases[w]);
      } else {
        to[w * lanes + l] = one[w];
      }
    }
  }
}

weft_cpu_item *weft_plan_add_blocks(weft_cpu_plan *plan, const weft_plan_desc *desc,
                                    const weft_plan_elements *e, weft_layout layout,
                                    const uint32_t *which, uint32_t count) {
  uint32_t lanes = desc->lanes->lanes, blocks = (count + lanes - 1) / lanes;
  size_t step = (size_t)(e->places + e->values) * lanes;
  weft_cpu_item *item = weft_plan_add_packed(plan, e->kind, layout, e->pass);
  item->first = e->shape;
  item->count = blocks;
  uint32_t *to = weft_plan_add_words(plan, blocks * step);
  for (uint32_t k = 0; k < blocks; ++k, to += step) {
    put_vector(e, which + k * lanes, count - k * lanes, lanes, 0, NULL, to);
  }
  for (uint32_t k = 0; k < count; ++k) weft_plan_note(plan, e->sources, which[k]);
  return item;
}

/* ---- strips ---- */

typedef struct packing {
  weft_cpu_plan *plan;
  const weft_plan_elements *e;
  const uint32_t *which; /* all elements */
  uint32_t lanes;
} packing;

/* Elements from `from` on that make a strip: whole vectors, and what is left if that fills a
 * quarter of one, as fewer are quicker one by one. 0: none. */
static uint32_t strip_from(const packing *p, uint32_t from) {
  uint32_t run = 1;
  while (from + run < p->e->count &&
         follows(words_of(p->e, from + run - 1), words_of(p->e, from + run), p->e->places, 1)) {
    ++run;
  }
  uint32_t left = run % p->lanes;
  return left * 4 < p->lanes ? run - left : run;
}

static bool all_fast_safe(const packing *p, uint32_t from, uint32_t count) {
  for (uint32_t k = from; p->e->safe_only && k < from + count; ++k) {
    if (p->e->safe_only[k]) return false;
  }
  return true;
}

/* Of each number the least and the greatest bits. */
typedef struct value_bits {
  uint32_t least[4], most[4];
} value_bits;

static value_bits no_bits(void) {
  value_bits bits = {.most = {0}};
  memset(bits.least, 0xff, sizeof bits.least);
  return bits;
}

/* Takes elements [from, from+count) in; whether all are at most 16 bits apart then. */
static bool take_in(const packing *p, uint32_t from, uint32_t count, value_bits *bits) {
  bool narrow = true;
  for (uint32_t w = 0; w < p->e->values; ++w) {
    for (uint32_t k = from; k < from + count; ++k) {
      uint32_t own = words_of(p->e, k)[p->e->places + w];
      if (own < bits->least[w]) bits->least[w] = own;
      if (own > bits->most[w]) bits->most[w] = own;
    }
    narrow = narrow && bits->most[w] - bits->least[w] <= UINT16_MAX;
  }
  return narrow;
}

/* How many of the elements of a strip can be narrow together, from the first on: whole vectors, or
 * all. None where that is too few to be worth a strip. */
static uint32_t narrow_from(const packing *p, uint32_t from, uint32_t count) {
  enum { MIN_VECTORS = 4 };
  if (!p->e->narrow) return 0;
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
  if (!p->e->narrow) return count;
  uint32_t done = 0;
  while (done < count && !narrow_from(p, from + done, count - done)) {
    done += count - done < p->lanes ? count - done : p->lanes;
  }
  return done;
}

static void add_strip(const packing *p, uint32_t from, uint32_t count, bool narrow) {
  const weft_plan_elements *e = p->e;
  uint32_t vectors = (count + p->lanes - 1) / p->lanes, head = weft_strip_head(e->places);
  value_bits bits = no_bits();
  if (narrow) take_in(p, from, count, &bits);
  size_t step = (size_t)e->values * p->lanes / (narrow ? 2 : 1);
  uint32_t *strip = weft_plan_add_words(p->plan, head + vectors * step);
  memset(strip, 0, head * sizeof *strip);
  strip[WEFT_STRIP_VECTORS] = vectors;
  strip[WEFT_STRIP_LAST] = count - (vectors - 1) * p->lanes;
  strip[WEFT_STRIP_FAST_SAFE] = all_fast_safe(p, from, count);
  strip[WEFT_STRIP_NARROW] = narrow;
  memcpy(strip + WEFT_STRIP_BASES, bits.least, sizeof bits.least);
  memcpy(strip + WEFT_STRIP_PLACES, words_of(e, from), e->places * sizeof *strip);
  strip += head;
  for (uint32_t done = 0; done < count; done += p->lanes, strip += step) {
    put_vector(e, p->which + from + done, count - done, p->lanes, e->places,
               narrow ? bits.least : NULL, strip);
  }
  for (uint32_t k = from; k < from + count; ++k) weft_plan_note(p->plan, e->sources, k);
}

/* A strip along the whole of some elements, or several: at the border of a sheet numbers are far
 * from those beside it. Returns how many. */
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

void weft_plan_add_vectors(weft_cpu_plan *plan, const weft_plan_desc *desc,
                           const weft_plan_elements *e) {
  uint32_t *which = weft_alloc(2 * (size_t)e->count, sizeof *which), *left = which + e->count;
  for (uint32_t k = 0; k < e->count; ++k) which[k] = k;
  packing p = {plan, e, which, desc->lanes->lanes};
  uint32_t left_count = 0, strips = 0;
  size_t item = plan->item_count;
  for (uint32_t k = 0, along; k < e->count; k += along ? along : 1) {
    along = strip_from(&p, k);
    if (!along) left[left_count++] = k;
    if (along && !strips) {
      weft_plan_add_packed(plan, e->kind, WEFT_UNIT, e->pass)->first = e->shape;
    }
    if (along) strips += add_strips(&p, k, along);
  }
  if (strips) plan->items[item].count = strips;
  if (left_count) weft_plan_add_blocks(plan, desc, e, WEFT_PLACES, left, left_count);
  weft_free(which);
}

/* ---- constraints ---- */

static void pack_one(const weft_plan_desc *desc, const weft_pass *pass, uint32_t element,
                     const weft_plan_elements *e, uint32_t to) {
  const vec4 *x = (const void *)desc->memory->payload[WEFT_BUFFER_X];
  uint32_t one[WEFT_PACKED_MAX], *words = e->words + (size_t)to * (e->places + e->values);
  weft_plan_pack(desc->memory, pass, element, one);
  e->safe_only[to] =
      !weft_plan_fast_safe(weft_pass_constraint(pass->kind), x, one, one + e->places);
  memcpy(words, one, (e->places + e->values) * sizeof *words);
  for (uint32_t a = 0; a < e->places; ++a) words[a] = weft_plan_place(desc, one[a], 0);
}

/* First those whose first particle is even. */
void weft_plan_add_strips(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                          const uint32_t *elements, uint32_t count) {
  const weft_pass *of = &plan->passes[pass];
  uint32_t words = weft_plan_packed_words(desc, of), filled = 0;
  uint32_t *sources = weft_alloc(count, sizeof *sources);
  weft_plan_elements e = {.kind = WEFT_CPU_PROJECT,
                          .pass = pass,
                          .places = words / 2,
                          .values = words / 2,
                          .count = count,
                          .words = weft_alloc((size_t)count * words, sizeof *e.words),
                          .sources = sources,
                          .safe_only = weft_alloc(count, sizeof *e.safe_only),
                          .narrow = desc->narrow || weft_plan_cloth(desc) >= WEFT_CPU_NARROW};
  for (uint32_t parity = 0; parity < 2; ++parity) {
    for (uint32_t k = 0; k < count; ++k) {
      uint32_t particles[4];
      weft_plan_particles(desc->memory, of, elements[k], particles);
      if (particles[0] % 2 != parity) continue;
      sources[filled] = elements[k];
      pack_one(desc, of, elements[k], &e, filled++);
    }
  }
  weft_plan_add_vectors(plan, desc, &e);
  weft_free(e.words);
  weft_free(e.safe_only);
  weft_free(sources);
}
