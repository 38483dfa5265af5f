/* lanes_bends.h: project_bends in vectors on split positions: bundles of a block are alike and have
 * the same matrices. A part of lanes_kernels.h. */

typedef struct bend_block {
  line_block lines;
  v3 *bends; /* two a block, in the room; then the multipliers */
  const vec4 *matrices;
  uint32_t blocks;
} bend_block;

/* What of the slots so far the next bend goes on from. */
typedef struct bend_ends {
  v3 before, at;
  uint32_t slot; /* of `at` */
} bend_ends;

LANE void set_up_bend(const bend_block *b, uint32_t k, bend_ends *e) {
  const line_block *l = &b->lines;
  if (!l->ends[k]) {
    v3 after = slot_position(l, ++e->slot);
    b->bends[k] = bend_of(e->before, e->at, after);
    e->before = e->at;
    e->at = after;
    return;
  }
  b->bends[k] = (v3){all(0), all(0), all(0)};
  if (k + 1 == l->edges) return;
  e->before = slot_position(l, e->slot + 1);
  e->slot += 2;
  e->at = slot_position(l, e->slot);
}

LANE void take_block(const bend_block *b, uint32_t block, uint32_t other, const vec4 *by) {
  v3 *own = b->bends + 2 * (size_t)block;
  const v3 *o = b->bends + 2 * (size_t)other;
  own[0] = bend_less3(own[0], o[0], o[1], all(by->x), all(by->y));
  own[1] = bend_less3(own[1], o[0], o[1], all(by->z), all(by->w));
}

LANE void reduce_block(const bend_block *b, uint32_t block, uint32_t stride, const vec4 *by) {
  take_block(b, block, block - stride, by);
  if (block + stride < b->blocks) take_block(b, block, block + stride, by + 1);
}

/* A block between two is reduced as soon as the second is known. Returns the next matrices. */
LANE const vec4 *set_up_bends(const bend_block *b) {
  const line_block *l = &b->lines;
  const vec4 *next = b->matrices + 3 * (size_t)b->blocks;
  bend_ends e = {slot_position(l, 0), slot_position(l, 1), 1};
  for (uint32_t block = 0; block < b->blocks; ++block) {
    set_up_bend(b, 2 * block, &e);
    if (2 * block + 1 < l->edges) {
      set_up_bend(b, 2 * block + 1, &e);
    } else {
      b->bends[2 * block + 1] = (v3){all(0), all(0), all(0)};
    }
    bool last = block + 1 == b->blocks;
    if (l->steps == 0 || (block % 2 == 1 && !last) || block == 0) continue;
    reduce_block(b, block % 2 == 1 ? block : block - 1, 1, next);
    next += 2;
  }
  return next;
}

LANE void reduce_bends(const bend_block *b, const vec4 *next) {
  for (uint32_t s = 1; s < b->lines.steps; ++s) {
    uint32_t stride = 1u << s;
    for (uint32_t k = 2 * stride - 1; k < b->blocks; k += 2 * stride, next += 2) {
      reduce_block(b, k, stride, next);
    }
  }
}

LANE void solve_block(const bend_block *b, uint32_t block) {
  v3 *own = b->bends + 2 * (size_t)block;
  const vec4 *by = b->matrices + 3 * (size_t)block;
  v3 upper = bend_row3(own[0], own[1], all(by->x), all(by->y));
  own[1] = bend_row3(own[0], own[1], all(by->z), all(by->w));
  own[0] = upper;
}

LANE void substitute_block(const bend_block *b, uint32_t block, uint32_t stride) {
  const vec4 *by = b->matrices + 3 * (size_t)block + 1;
  solve_block(b, block);
  if (block >= stride) take_block(b, block, block - stride, by);
  if (block + stride < b->blocks) take_block(b, block, block + stride, by + 1);
}

/* All but every second block, which the next step needs. */
LANE void substitute_bends(const bend_block *b) {
  uint32_t alone = 1u << b->lines.steps;
  for (uint32_t k = alone - 1; k < b->blocks; k += alone) solve_block(b, k);
  for (uint32_t s = b->lines.steps; s > 1; --s) {
    uint32_t stride = 1u << (s - 1);
    for (uint32_t k = stride - 1; k < b->blocks; k += 2 * stride) substitute_block(b, k, stride);
  }
}

LANE void pull_slot(const bend_block *b, uint32_t slot, v3 pull) {
  v3 to = bend_move(slot_position(&b->lines, slot), slot_weight(&b->lines, slot), pull);
  store_split(slot_at(&b->lines, slot), b->lines.component, to);
}

LANE void apply_bends(const bend_block *b) {
  const line_block *l = &b->lines;
  const v3 none = {all(0), all(0), all(0)};
  uint32_t slot = 0;
  v3 middle = none, last = none;
  for (uint32_t k = 0; k < l->edges; ++k) {
    if (k % 4 == 0 && l->steps > 0) substitute_block(b, k / 2, 1);
    v3 first = b->bends[k];
    pull_slot(b, slot++, bend_pull(first, middle, last));
    last = middle;
    middle = first;
    if (!l->ends[k]) continue;
    pull_slot(b, slot++, bend_pull(none, none, last));
    middle = last = none;
  }
}

#define SOLVE_BENDS(name, across)                                                                 \
  static __attribute__((noinline)) void name(const weft_packed_run *run, const uint32_t *words) { \
    uint32_t lie = words[WEFT_LINES_LIE];                                                         \
    bend_block b = {                                                                              \
        .lines = line_block_of(run, words, across ? WEFT_LINES_ACROSS : WEFT_LINES_ALONG),        \
        .bends = (v3 *)run->room,                                                                 \
        .matrices = run->matrices + words[WEFT_LINES_TABLE]};                                     \
    b.blocks = (b.lines.edges + 1) / 2;                                                           \
    if (!across) bring_slots(run, &b.lines, words, lie, false);                                   \
    reduce_bends(&b, set_up_bends(&b));                                                           \
    substitute_bends(&b);                                                                         \
    apply_bends(&b);                                                                              \
    if (!across) bring_slots(run, &b.lines, words, lie, true);                                    \
  }
SOLVE_BENDS(bends_across, true)
SOLVE_BENDS(bends_in_room, false)

static void bends(const weft_packed_run *run, const uint32_t *words, size_t count) {
  for (; count; --count, words += words[WEFT_LINES_WORDS]) {
    bool across = words[WEFT_LINES_LIE] == WEFT_LINES_ACROSS;
    (across ? bends_across : bends_in_room)(run, words);
  }
}
