/* attachments.c: the pass of attachments, packed for vectors: particles side by side in rows or in
 * split positions. They share tiles with what follows them, and not with what comes before: predict
 * writes pins anew, and batches write them back as they are, while attachments of another tile
 * would read them. After attachments nobody writes a pin. Only lanes that are taut are written. */
#include <math.h>
#include <string.h>

#include "base.h"
#include "plan.h"

typedef struct packing {
  weft_cpu_plan *plan;
  const weft_lra *rows;
  const weft_plan_desc *desc;
  bool split; /* positions are; else rows */
  uint32_t lanes;
} packing;

/* Where a particle is that a lane works on: its place, or bytes from the first row. */
static uint32_t word_of(const packing *p, uint32_t particle, uint32_t lane) {
  if (p->split) return weft_plan_place(p->desc, particle, lane);
  return particle * (uint32_t)sizeof(vec4);
}

/* What a block holds of each lane; lanes that hold nobody have no attachments. */
typedef struct lra_lanes {
  uint32_t particles[WEFT_LANES_MAX];
  uint32_t anchors[4][WEFT_LANES_MAX];
  float lengths[4][WEFT_LANES_MAX];
  uint32_t filled, count; /* lanes; attachments of the longest list */
} lra_lanes;

static void read_lane(const packing *p, lra_lanes *t, uint32_t lane) {
  uint32_t anchors[4];
  float lengths[4];
  const weft_lra *row = &p->rows[t->particles[lane]];
  memcpy(anchors, &row->anchors, sizeof anchors);
  memcpy(lengths, &row->lengths, sizeof lengths);
  bool ended = lane >= t->filled;
  for (uint32_t k = 0; k < 4; ++k) {
    ended = ended || anchors[k] == WEFT_NO_ANCHOR;
    t->anchors[k][lane] = ended ? WEFT_NO_ANCHOR : anchors[k];
    t->lengths[k][lane] = ended ? INFINITY : lengths[k];
    if (!ended && t->count < k + 1) t->count = k + 1;
  }
}

/* Particles from the first one on, `step` apart. */
static lra_lanes read_lanes(const packing *p, uint32_t first, uint32_t step, uint32_t filled) {
  lra_lanes t = {.filled = filled};
  for (uint32_t lane = 0; lane < p->lanes; ++lane) {
    t.particles[lane] = first + (lane < filled ? lane : 0) * step;
    read_lane(p, &t, lane);
  }
  return t;
}

/* The anchor that all lanes have in this place, as far as they have one. */
static uint32_t common_anchor(const packing *p, const uint32_t anchors[WEFT_LANES_MAX]) {
  uint32_t common = WEFT_NO_ANCHOR;
  for (uint32_t k = 0; k < p->lanes; ++k) {
    if (anchors[k] == WEFT_NO_ANCHOR) continue;
    if (common != WEFT_NO_ANCHOR && anchors[k] != common) return WEFT_OWN_ANCHORS;
    common = anchors[k];
  }
  return common == WEFT_NO_ANCHOR ? 0 : word_of(p, common, 0);
}

/* On split positions, where anchors of neighbours are neighbours: that of the first lane, or of
 * where it would be. */
static bool anchors_in_a_row(const packing *p, const uint32_t anchors[WEFT_LANES_MAX],
                             uint32_t *first) {
  bool any = false;
  for (uint32_t lane = 0; p->split && lane < p->lanes; ++lane) {
    if (anchors[lane] == WEFT_NO_ANCHOR) continue;
    uint32_t place = word_of(p, anchors[lane], lane);
    if (place < lane || (any && place - lane != *first)) return false;
    *first = place - lane;
    any = true;
  }
  return any;
}

/* Where all lanes find their anchors in this place, or WEFT_OWN_ANCHORS. */
static uint32_t anchors_word(const packing *p, const uint32_t anchors[WEFT_LANES_MAX]) {
  uint32_t common = common_anchor(p, anchors), first;
  if (common != WEFT_OWN_ANCHORS || !anchors_in_a_row(p, anchors, &first)) return common;
  return first | WEFT_ANCHORS_IN_A_ROW;
}

static void put_anchors(const packing *p, const lra_lanes *t, uint32_t k, uint32_t *to) {
  for (uint32_t lane = 0; lane < p->lanes; ++lane) {
    uint32_t anchor = t->anchors[k][lane];
    to[lane] = word_of(p, anchor == WEFT_NO_ANCHOR ? t->particles[lane] : anchor, lane);
  }
}

static void add_block(const packing *p, const lra_lanes *t) {
  uint32_t head[WEFT_LRA_HEAD] = {word_of(p, t->particles[0], 0), t->count};
  size_t words = WEFT_LRA_HEAD;
  head[WEFT_LRA_FILLED] = t->filled;
  for (uint32_t k = 0; k < t->count; ++k) {
    uint32_t common = anchors_word(p, t->anchors[k]);
    head[WEFT_LRA_ANCHORS + k] = common;
    words += (common == WEFT_OWN_ANCHORS ? 2u : 1u) * p->lanes;
  }
  uint32_t *to = weft_plan_add_words(p->plan, words);
  memcpy(to, head, sizeof head);
  to += WEFT_LRA_HEAD;
  for (uint32_t k = 0; k < t->count; ++k) {
    if (head[WEFT_LRA_ANCHORS + k] == WEFT_OWN_ANCHORS) {
      put_anchors(p, t, k, to);
      to += p->lanes;
    }
    memcpy(to, t->lengths[k], p->lanes * sizeof *to);
    to += p->lanes;
  }
}

static packing packing_for(weft_cpu_plan *plan, const weft_plan_desc *desc) {
  return (packing){.plan = plan,
                   .desc = desc,
                   .rows = (const void *)desc->memory->payload[WEFT_BUFFER_LRA],
                   .lanes = desc->lanes->lanes};
}

/* What does not fill a vector is left to the reference. */
void weft_plan_add_lra(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                       uint32_t begin, uint32_t end) {
  const packing p = packing_for(plan, desc);
  uint32_t blocks = (end - begin) / p.lanes, done = begin + blocks * p.lanes;
  size_t item = plan->item_count;
  if (blocks) weft_plan_add_packed(plan, WEFT_CPU_LRA, WEFT_ROWS, pass);
  for (uint32_t first = begin; first < done; first += p.lanes) {
    lra_lanes t = read_lanes(&p, first, 1, p.lanes);
    add_block(&p, &t);
  }
  if (blocks) plan->items[item].count = blocks;
  if (done == end) return;
  weft_plan_add_run(plan, WEFT_CPU_RUN, pass, done - plan->passes[pass].first, end - done);
}

/* Every second one of particles that follow each other: neighbours in split positions. Returns how
 * many blocks. */
static uint32_t add_every_second(const packing *p, uint32_t first, uint32_t end) {
  uint32_t blocks = 0;
  for (; first < end; first += 2 * p->lanes, ++blocks) {
    uint32_t left = (end - first + 1) / 2;
    lra_lanes t = read_lanes(p, first, 2, left < p->lanes ? left : p->lanes);
    add_block(p, &t);
  }
  return blocks;
}

void weft_plan_add_split_lra(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                             const uint32_t *particles, uint32_t count) {
  packing p = packing_for(plan, desc);
  p.split = true;
  uint32_t blocks = 0;
  size_t item = plan->item_count;
  weft_plan_add_packed(plan, WEFT_CPU_LRA, WEFT_UNIT, pass);
  for (uint32_t k = 0, run; k < count; k += run) {
    size_t together = weft_halves_together(desc->halves, particles[k], count - k);
    for (run = 1; run < together && particles[k + run] == particles[k] + run;) ++run;
    blocks += add_every_second(&p, particles[k], particles[k] + run);
    blocks += add_every_second(&p, particles[k] + 1, particles[k] + run);
  }
  plan->items[item].count = blocks;
}

void weft_plan_add_crowd_lra(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass) {
  packing p = packing_for(plan, desc);
  p.split = true;
  uint32_t each = desc->crowd->particles;
  weft_plan_add_packed(plan, WEFT_CPU_LRA, WEFT_UNIT, pass)->count = each;
  for (uint32_t i = 0; i < each; ++i) {
    lra_lanes t = {.filled = p.lanes};
    for (uint32_t lane = 0; lane < p.lanes; ++lane) {
      t.particles[lane] = weft_crowd_part(desc->crowd, desc->block, lane) * each + i;
      read_lane(&p, &t, lane);
    }
    add_block(&p, &t);
  }
}
