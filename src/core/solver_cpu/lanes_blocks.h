/* lanes_blocks.h: packed constraints off the grid without care for small numbers (lanes_fast.h).
 * A part of lanes_kernels.h. */

/* Blocks and rows. One alone is a chain of operations that wait for each other, and so long that a
 * processor has few of them under way; three are slower again where registers are few. */
enum { PACKED_AT_ONCE = 2 };

/* ---- distances: roots first, as in strips ---- */

/* A vector of pairs, measured. */
typedef struct measured_pairs {
  v4 a, b;
  fast_distance_pull pull;
} measured_pairs;

LANE measured_pairs measure_pairs(const vec4 *x, const uint32_t *block) {
  v4 a = load_particles(x, block), b = load_particles(x, block + WEFT_LANES);
  fast_distance_pull pull =
      fast_distance_measure(corners_of(a, b, a, a), numbers_of(block + 2 * WEFT_LANES, true), false,
                            no_history(), WEFT_ACTS_ALWAYS);
  return (measured_pairs){a, b, pull};
}

/* One particle at a time: what two have in common hides the one that is out of bounds. */
LANE vu large_before_and_after(v4 p, v3 to) {
  return top_bit_if_large(common(p.x, to.x)) & top_bit_if_large(common(p.y, to.y)) &
         top_bit_if_large(common(p.z, to.z));
}

/* False where care is needed, and nothing is written. */
LANE bool move_pairs(vec4 *x, const uint32_t *block, const measured_pairs *m) {
  projection to = fast_distance_moves(m->pull, m->a.w, m->b.w);
  v3 a = add(xyz(m->a), to.d0), b = add(xyz(m->b), to.d1);
  vu large = large_before_and_after(m->a, a) & large_before_and_after(m->b, b);
  if (!all_have_top_bit(large)) return false;
  store_particles(x, block, a, m->a.w);
  store_particles(x, block + WEFT_LANES, b, m->b.w);
  return true;
}

LANE void project_pair_blocks(const weft_projection_run *run, const uint32_t *block, int count) {
  enum { WORDS = WEFT_EDGE_WORDS * WEFT_LANES };
  measured_pairs m[PACKED_AT_ONCE];
#pragma GCC unroll 2
  for (int k = 0; k < count; ++k) {
    fetch_ahead(block + k * WORDS, WEFT_EDGE_WORDS);
    m[k] = measure_pairs(run->x, block + k * WORDS);
  }
#pragma GCC unroll 2
  for (int k = 0; k < count; ++k, block += WORDS) {
    if (move_pairs(run->x, block, &m[k])) continue;
    project_block(run, kind_distance, false, false, block);
  }
}

/* Pairs that act both ways. */
static void project_distance_tame(const weft_projection_run *run, const uint32_t *block,
                                  size_t count) {
  enum { WORDS = WEFT_EDGE_WORDS * WEFT_LANES };
  for (; count >= PACKED_AT_ONCE; count -= PACKED_AT_ONCE, block += PACKED_AT_ONCE * WORDS) {
    project_pair_blocks(run, block, PACKED_AT_ONCE);
  }
  for (; count; --count, block += WORDS) project_pair_blocks(run, block, 1);
}

/* ---- bends: their components are alike, so rows stay rows ---- */

enum { ROW_WORDS = WEFT_ROW_WORDS * SIDE_BY_SIDE };

/* Whether the vector in each quad has all top bits. */
LANE bool vectors_have_top_bits(vu large, vi vector) {
  vu next_to_top = (vu)vector & (1u << 30);
#if WEFT_LANES == 16 && defined __AVX512DQ__
  __mmask16 parts = _mm512_movepi32_mask((__m512i)vector);
  return !_mm512_mask_testn_epi32_mask(parts, (__m512i)large, (__m512i)next_to_top);
#elif WEFT_LANES == 8 && defined __AVX__
  return _mm256_testc_si256((__m256i)large, (__m256i)next_to_top);
#else
  return everywhere((large & next_to_top) == next_to_top);
#endif
}

LANE v4 spread_quads(vf of) {
  return (v4){SPREAD(of, 0), SPREAD(of, 1), SPREAD(of, 2), SPREAD(of, 3)};
}

LANE void load_bends(const vec4 *x, const uint32_t *at, vf p[4]) {
  for (int r = 0; r < 4; ++r) p[r] = load_quads(x, at + r * SIDE_BY_SIDE, 1);
}

/* By how much all move, times their shares; inverse masses stay. */
LANE vf measure_bends(const uint32_t *at, const vf p[4], vi vector) {
  const v4 data = spread_quads(load(at + 4 * SIDE_BY_SIDE));
  vf step = fast_isometric_step(fast_isometric_sum(p[0], p[1], p[2], p[3], data), data.w);
  return kept_if(vector, step);
}

/* Top bits where all that they move to is at least 2^-26, see top_bit_if_large. A number of a bend
 * that is out of bounds makes all four so, and that of another must not hide it. */
LANE vu move_bends(const uint32_t *at, vf step, vf p[4]) {
  const v4 share = spread_quads(load(at + 8 * SIDE_BY_SIDE));
  p[0] = p[0] + fast_isometric_move(step, share.x);
  p[1] = p[1] + fast_isometric_move(step, share.y);
  p[2] = p[2] + fast_isometric_move(step, share.z);
  p[3] = p[3] + fast_isometric_move(step, share.w);
  return top_bit_if_large(common(p[0], p[1]) & common(p[2], p[3]));
}

LANE void store_bends(vec4 *x, const uint32_t *at, const vf to[4]) {
  for (int r = 0; r < 4; ++r) store_quads(x, at + r * SIDE_BY_SIDE, 1, to[r]);
}

LANE void move_bends_with_care(const uint32_t *at, vf p[4], vi vector) {
  const v4 data = spread_quads(load(at + 4 * SIDE_BY_SIDE));
  const v4 share = spread_quads(load(at + 8 * SIDE_BY_SIDE));
  const vf shares[4] = {share.x, share.y, share.z, share.w};
  vf step = isometric_step(isometric_sum(p[0], p[1], p[2], p[3], data), data.w);
  for (int r = 0; r < 4; ++r) {
    p[r] = choose(vector, moved_on(p[r], isometric_move(step, shares[r])), p[r]);
  }
}

static __attribute__((noinline)) void bend_rows_with_care(vec4 *x, const uint32_t *at, int count) {
  const vi vector = vector_part();
  for (int k = 0; k < count; ++k, at += ROW_WORDS) {
    vf p[4];
    load_bends(x, at, p);
    move_bends_with_care(at, p, vector);
    store_bends(x, at, p);
  }
}

/* Where rows go, step by step for all of them; false where care is needed. */
LANE bool try_bends(const vec4 *x, const uint32_t *at, vi vector, int count,
                    vf p[PACKED_AT_ONCE][4]) {
  vf step[PACKED_AT_ONCE];
  vu large = ~(vu){0};
  for (int k = 0; k < count; ++k) load_bends(x, at + k * ROW_WORDS, p[k]);
  for (int k = 0; k < count; ++k) step[k] = measure_bends(at + k * ROW_WORDS, p[k], vector);
  for (int k = 0; k < count; ++k) large &= move_bends(at + k * ROW_WORDS, step[k], p[k]);
  return vectors_have_top_bits(large, vector);
}

LANE void bend_rows(vec4 *x, const uint32_t *at, vi vector, int count) {
  vf p[PACKED_AT_ONCE][4];
  if (!try_bends(x, at, vector, count, p)) {
    bend_rows_with_care(x, at, count);
    return;
  }
  for (int k = 0; k < count; ++k) store_bends(x, at + k * ROW_WORDS, p[k]);
}

static void project_isometric_rows(vec4 *x, const uint32_t *row, size_t count) {
  const vi vector = vector_part();
  for (; count >= PACKED_AT_ONCE; count -= PACKED_AT_ONCE, row += PACKED_AT_ONCE * ROW_WORDS) {
    fetch_words_ahead(row, PACKED_AT_ONCE * ROW_WORDS);
    bend_rows(x, row, vector, PACKED_AT_ONCE);
  }
  for (; count; --count, row += ROW_WORDS) bend_rows(x, row, vector, 1);
}
