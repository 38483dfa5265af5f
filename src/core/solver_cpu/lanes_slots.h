/* lanes_slots.h: constraints off the grid whose particles lie in slots (slots.h), without care for
 * small numbers (lanes_fast.h). Words: blocks or rows as in lanes_blocks.h, then for each the lines
 * that its particles go to. They come from a core's own cache, so nothing is asked for ahead. A
 * part of lanes_kernels.h. */

#if WEFT_LANES > 4

LANE void store_line(vec4 *x, uint32_t line, vf rows) { store((char *)x + line, rows); }

/* ---- distances ---- */

/* Blocks at once, roots first: see PACKED_AT_ONCE. */
enum {
  SLOT_PAIRS_AT_ONCE = WEFT_LANES == 16 ? 3 : 2,
  PAIR_WORDS = WEFT_EDGE_WORDS * WEFT_LANES,
  PAIR_LINES = 8
};

LANE void store_in_lines(vec4 *x, const uint32_t *lines, v3 p, vf w) {
  v4 rows = transposed(p.x, p.y, p.z, w);
  store_line(x, lines[0], rows.x);
  store_line(x, lines[1], rows.y);
  store_line(x, lines[2], rows.z);
  store_line(x, lines[3], rows.w);
}

static __attribute__((noinline)) void slot_pairs_with_care(vec4 *x, const uint32_t *block,
                                                           const uint32_t *lines, int count) {
  for (int k = 0; k < count; ++k, block += PAIR_WORDS, lines += PAIR_LINES) {
    const v4 a = load_particles(x, block), b = load_particles(x, block + WEFT_LANES);
    const v4 data = numbers_of(block + 2 * WEFT_LANES, true);
    projection to = project_constraint(kind_distance.type, corners_of(a, b, a, a), data, false,
                                       no_history(), WEFT_ACTS_ALWAYS);
    store_in_lines(x, lines, moved_if(to.moves, a, to.d0), a.w);
    store_in_lines(x, lines + 4, moved_if(to.moves, b, to.d1), b.w);
  }
}

/* Moves both; top bits where no care was needed. */
LANE vu move_measured(measured_pairs *m) {
  projection to = fast_distance_moves(m->pull, m->a.w, m->b.w);
  v3 a = add(xyz(m->a), to.d0), b = add(xyz(m->b), to.d1);
  vu large = large_before_and_after(m->a, a) & large_before_and_after(m->b, b);
  m->a = (v4){a.x, a.y, a.z, m->a.w};
  m->b = (v4){b.x, b.y, b.z, m->b.w};
  return large;
}

/* One question for all: after each of its own a compiler would measure the next block only then. */
LANE void project_slot_pairs(vec4 *x, const uint32_t *block, const uint32_t *lines, int count) {
  measured_pairs m[SLOT_PAIRS_AT_ONCE];
  vu large = ~(vu){0};
#pragma GCC unroll 3
  for (int k = 0; k < count; ++k) {
    m[k] = measure_pairs(x, block + k * PAIR_WORDS);
  }
#pragma GCC unroll 3
  for (int k = 0; k < count; ++k) large &= move_measured(&m[k]);
  if (!all_have_top_bit(large)) {
    slot_pairs_with_care(x, block, lines, count);
    return;
  }
#pragma GCC unroll 3
  for (int k = 0; k < count; ++k, lines += PAIR_LINES) {
    store_in_lines(x, lines, xyz(m[k].a), m[k].a.w);
    store_in_lines(x, lines + 4, xyz(m[k].b), m[k].b.w);
  }
}

static void project_distance_slots(vec4 *x, const uint32_t *block, size_t count) {
  enum { AT = SLOT_PAIRS_AT_ONCE };
  const uint32_t *lines = block + count * PAIR_WORDS;
  for (; count >= AT; count -= AT, block += AT * PAIR_WORDS, lines += AT * PAIR_LINES) {
    project_slot_pairs(x, block, lines, AT);
  }
  for (; count; --count, block += PAIR_WORDS, lines += PAIR_LINES) {
    project_slot_pairs(x, block, lines, 1);
  }
}

/* ---- bends ---- */

enum { BEND_LINES = 4 };

LANE void store_bend_lines(vec4 *x, const uint32_t *lines, const vf to[4]) {
  for (int r = 0; r < 4; ++r) store_line(x, lines[r], to[r]);
}

static __attribute__((noinline)) void slot_bends_with_care(vec4 *x, const uint32_t *at,
                                                           const uint32_t *lines, int count) {
  const vi vector = vector_part();
  for (int k = 0; k < count; ++k, at += ROW_WORDS, lines += BEND_LINES) {
    vf p[4];
    load_bends(x, at, p);
    move_bends_with_care(at, p, vector);
    store_bend_lines(x, lines, p);
  }
}

LANE void project_slot_bends(vec4 *x, const uint32_t *at, const uint32_t *lines, vi vector,
                             int count) {
  vf p[PACKED_AT_ONCE][4];
  if (!try_bends(x, at, vector, count, p)) {
    slot_bends_with_care(x, at, lines, count);
    return;
  }
  for (int k = 0; k < count; ++k) store_bend_lines(x, lines + k * BEND_LINES, p[k]);
}

static void project_isometric_slots(vec4 *x, const uint32_t *row, size_t count) {
  enum { AT = PACKED_AT_ONCE };
  const vi vector = vector_part();
  const uint32_t *lines = row + count * ROW_WORDS;
  for (; count >= AT; count -= AT, row += AT * ROW_WORDS, lines += AT * BEND_LINES) {
    project_slot_bends(x, row, lines, vector, AT);
  }
  for (; count; --count, row += ROW_WORDS, lines += BEND_LINES) {
    project_slot_bends(x, row, lines, vector, 1);
  }
}

/* ---- back ---- */

static void leave_slots(vec4 *x, const uint32_t *at, size_t first, size_t count) {
  vec4 *to = x + first;
  for (; count >= SIDE_BY_SIDE; count -= SIDE_BY_SIDE, to += SIDE_BY_SIDE, at += SIDE_BY_SIDE) {
    store(to, load_quads(x, at, 1));
  }
  for (; count; --count, ++to, ++at) store_quad(to, 0, load_quad(x, *at));
}

#endif
