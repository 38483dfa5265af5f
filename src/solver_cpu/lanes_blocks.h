/* lanes_blocks.h: packed constraints off the grid without care for small numbers (lanes_fast.h).
 * A part of lanes_kernels.h. */

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

/* Pairs that act both ways. */
static void project_distance_tame(const weft_projection_run *run, const uint32_t *block,
                                  size_t count) {
  enum { WORDS = WEFT_EDGE_WORDS * WEFT_LANES };
  measured_pairs m[AT_ONCE];
  for (size_t done = 0; done < count; done += AT_ONCE) {
    size_t part = count - done < AT_ONCE ? count - done : AT_ONCE;
    for (size_t k = 0; k < part; ++k) {
      fetch_ahead(block + k * WORDS, WEFT_EDGE_WORDS);
      m[k] = measure_pairs(run->x, block + k * WORDS);
    }
    for (size_t k = 0; k < part; ++k, block += WORDS) {
      if (move_pairs(run->x, block, &m[k])) continue;
      project_block(run, kind_distance, false, false, block);
    }
  }
}

/* ---- bends: their components are alike, so rows stay rows ---- */

/* Whether all components of the vectors in each quad are at least 2^-26, see top_bit_if_large. */
LANE bool vectors_are_large(vu common, vi vector) {
  vu next_to_top = (vu)vector & (1u << 30);
#if WEFT_LANES == 8 && defined __AVX__
  return _mm256_testc_si256((__m256i)top_bit_if_large(common), (__m256i)next_to_top);
#else
  return everywhere((top_bit_if_large(common) & next_to_top) == next_to_top);
#endif
}

/* What a row of bends has besides places, each spread over its quad. */
typedef struct bent {
  v4 data;
  vf share[4];
} bent;

LANE bent bent_of(const uint32_t *values) {
  vf data = load(values), share = load(values + WEFT_LANES);
  return (bent){{SPREAD(data, 0), SPREAD(data, 1), SPREAD(data, 2), SPREAD(data, 3)},
                {SPREAD(share, 0), SPREAD(share, 1), SPREAD(share, 2), SPREAD(share, 3)}};
}

LANE void bend_rows_with_care(const vf p[4], const bent *b, vi vector, vf to[4]) {
  vf step = isometric_step(isometric_sum(p[0], p[1], p[2], p[3], b->data), b->data.w);
  for (int r = 0; r < 4; ++r) {
    to[r] = choose(vector, moved_on(p[r], isometric_move(step, b->share[r])), p[r]);
  }
}

LANE void bend_rows(vec4 *x, const uint32_t *at, vi vector) {
  const bent b = bent_of(at + 4 * SIDE_BY_SIDE);
  vf p[4], to[4];
  for (int r = 0; r < 4; ++r) p[r] = load_quads(x, at + r * SIDE_BY_SIDE, 1);
  vf step = fast_isometric_step(fast_isometric_sum(p[0], p[1], p[2], p[3], b.data), b.data.w);
  step = kept_if(vector, step); /* inverse masses stay */
  for (int r = 0; r < 4; ++r) to[r] = p[r] + fast_isometric_move(step, b.share[r]);
  if (!vectors_are_large(common(to[0], to[1]) & common(to[2], to[3]), vector)) {
    bend_rows_with_care(p, &b, vector, to);
  }
  for (int r = 0; r < 4; ++r) store_quads(x, at + r * SIDE_BY_SIDE, 1, to[r]);
}

static void project_isometric_rows(vec4 *x, const uint32_t *row, size_t count) {
  enum { WORDS = WEFT_ROW_WORDS * SIDE_BY_SIDE };
  const vi vector = vector_part();
  for (size_t k = 0; k < count; ++k, row += WORDS) {
    __builtin_prefetch(row + AHEAD);
    bend_rows(x, row, vector);
  }
}
