/* lanes_isometric.h: isometric bends by the fast path (lanes_fast.h). Their components are alike. A
 * part of lanes_kernels.h. */

/* ---- rows: as they lie, a bend in each four lanes, see rows.c ---- */

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

LANE void move_bends_safely(const uint32_t *at, vf p[4], vi vector) {
  const v4 data = spread_quads(load(at + 4 * SIDE_BY_SIDE));
  const v4 share = spread_quads(load(at + 8 * SIDE_BY_SIDE));
  const vf shares[4] = {share.x, share.y, share.z, share.w};
  vf step = isometric_step(isometric_sum(p[0], p[1], p[2], p[3], data), data.w);
  for (int r = 0; r < 4; ++r) {
    p[r] = choose(vector, moved_on(p[r], isometric_move(step, shares[r])), p[r]);
  }
}

static __attribute__((noinline)) void bend_quads_safely(vec4 *x, const uint32_t *at, int count) {
  const vi vector = vector_part();
  for (int k = 0; k < count; ++k, at += ROW_WORDS) {
    vf p[4];
    load_bends(x, at, p);
    move_bends_safely(at, p, vector);
    store_bends(x, at, p);
  }
}

/* Where rows go, step by step for all of them; false where numbers are too small. */
LANE bool try_bends(const vec4 *x, const uint32_t *at, vi vector, int count,
                    vf p[ROWS_AT_ONCE][4]) {
  vf step[ROWS_AT_ONCE];
  vu large = ~(vu){0};
  for (int k = 0; k < count; ++k) load_bends(x, at + k * ROW_WORDS, p[k]);
  for (int k = 0; k < count; ++k) step[k] = measure_bends(at + k * ROW_WORDS, p[k], vector);
  for (int k = 0; k < count; ++k) large &= move_bends(at + k * ROW_WORDS, step[k], p[k]);
  return vectors_have_top_bits(large, vector);
}

LANE void bend_quads(vec4 *x, const uint32_t *at, vi vector, int count) {
  vf p[ROWS_AT_ONCE][4];
  if (!try_bends(x, at, vector, count, p)) {
    bend_quads_safely(x, at, count);
    return;
  }
  for (int k = 0; k < count; ++k) store_bends(x, at + k * ROW_WORDS, p[k]);
}

static void project_isometric_quads(const weft_packed_run *run, const uint32_t *row, size_t count) {
  vec4 *x = run->x;
  const vi vector = vector_part();
  for (; count >= ROWS_AT_ONCE; count -= ROWS_AT_ONCE, row += ROWS_AT_ONCE * ROW_WORDS) {
    fetch_words_ahead(row, ROWS_AT_ONCE * ROW_WORDS);
    bend_quads(x, row, vector, ROWS_AT_ONCE);
  }
  for (; count; --count, row += ROW_WORDS) bend_quads(x, row, vector, 1);
}

/* ---- structure of arrays: a component after the other ---- */

/* What the components of a bend share: weights and factor, and the particles' shares. */
typedef struct bend {
  v4 data;
  vf share[4];
} bend;

/* n: lanes that count. Where they are all, the masks fall away. */
LANE vf load_of(const float *x, uint32_t n) {
  return n == WEFT_LANES ? load(x) : load_first(x, n, 1);
}

LANE void store_of(float *x, uint32_t n, vf v) {
  if (n == WEFT_LANES) {
    store(x, v);
  } else {
    store_first(x, n, v);
  }
}

LANE bend load_bend(float *const q[4], size_t component, v4 data, uint32_t n) {
  bend b = {.data = data};
  const vf weights[4] = {b.data.x, b.data.y, b.data.z, isometric_last_weight(b.data)};
  for (int r = 0; r < 4; ++r) {
    b.share[r] = isometric_share(load_of(q[r] + 3 * component, n), weights[r]);
  }
  return b;
}

/* One component of the four, `at` floats on. */
LANE void bend_safely(float *const q[4], size_t at, const bend *b, const vf p[4], uint32_t n) {
  vf step = isometric_step(isometric_sum(p[0], p[1], p[2], p[3], b->data), b->data.w);
  for (int r = 0; r < 4; ++r) {
    store_of(q[r] + at, n, moved_on(p[r], isometric_move(step, b->share[r])));
  }
}

LANE void bend_component(float *const q[4], size_t at, const bend *b, bool fast, uint32_t n) {
  vf p[4], to[4];
  for (int r = 0; r < 4; ++r) p[r] = load_of(q[r] + at, n);
  if (fast) {
    vf step = fast_isometric_step(fast_isometric_sum(p[0], p[1], p[2], p[3], b->data), b->data.w);
    for (int r = 0; r < 4; ++r) to[r] = p[r] + fast_isometric_move(step, b->share[r]);
    if (all_have_top_bit(top_bit_if_large(common(to[0], to[1]) & common(to[2], to[3])))) {
      for (int r = 0; r < 4; ++r) store_of(q[r] + at, n, to[r]);
      return;
    }
  }
  bend_safely(q, at, b, p, n);
}

LANE void project_bend(float *const q[4], size_t component, v4 data, bool fast, uint32_t n) {
  bend b = load_bend(q, component, data, n);
  bend_component(q, 0, &b, fast, n);
  bend_component(q, component, &b, fast, n);
  bend_component(q, 2 * component, &b, fast, n);
}

/* Of parts side by side. */
LANE void some_bends(const weft_packed_run *run, const constraints *c, size_t first,
                     uint32_t count) {
  UNUSED(run);
  for (size_t k = first; k < first + count; ++k) {
    float *q[4];
    for (uint32_t r = 0; r < 4; ++r) q[r] = corner_place(c, k, r);
    project_bend(q, c->component, values_of(c, k), true, WEFT_LANES);
  }
}
PROJECT_BESIDE(isometric, some_bends)
