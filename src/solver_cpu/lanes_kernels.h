/* lanes_kernels.h: the passes in vectors of WEFT_LANES floats, by the vector extensions of GCC and
 * Clang. Included by one source for each width, after that has set WEFT_LANES.
 *
 * Every statement rounds once, as in the twin; what a branch decides there is a mask here. */
#if defined __SSE__
#include <immintrin.h>
#endif
#include <string.h>

#include "base.h"
#include "lanes.h"

#if WEFT_LANES != 4 && WEFT_LANES != 8 && WEFT_LANES != 16
#error "WEFT_LANES is 4, 8 or 16"
#endif

/* Vectors in registers cross no calls. */
#define LANE static inline __attribute__((always_inline))

typedef float quad __attribute__((vector_size(16)));
typedef float vf __attribute__((vector_size(4 * WEFT_LANES)));
typedef int32_t vi __attribute__((vector_size(4 * WEFT_LANES)));
typedef uint32_t vu __attribute__((vector_size(4 * WEFT_LANES)));

typedef struct v3 {
  vf x, y, z;
} v3;
typedef struct v4 {
  vf x, y, z, w;
} v4;

/* ---- lanes in another order. Always within quads of four lanes, as the hardware likes it ---- */
#define SHUFFLE __builtin_shufflevector
#if WEFT_LANES == 4
#define IN_QUADS(a, b, i, j, k, l) SHUFFLE(a, b, i, j, (k) + 4, (l) + 4)
#elif WEFT_LANES == 8
#define IN_QUADS(a, b, i, j, k, l) \
  SHUFFLE(a, b, i, j, (k) + 8, (l) + 8, (i) + 4, (j) + 4, (k) + 12, (l) + 12)
#else
#define IN_QUADS(a, b, i, j, k, l)                                                                \
  SHUFFLE(a, b, i, j, (k) + 16, (l) + 16, (i) + 4, (j) + 4, (k) + 20, (l) + 20, (i) + 8, (j) + 8, \
          (k) + 24, (l) + 24, (i) + 12, (j) + 12, (k) + 28, (l) + 28)
#endif
/* One lane of each quad in all of it: of particles side by side, one component. */
#define SPREAD(a, i) IN_QUADS(a, a, i, i, i, i)

LANE quad load_quad(const vec4 *x, uint32_t bytes) {
  quad q;
  memcpy(&q, (const char *)x + bytes, sizeof q);
  return q;
}

LANE void store_quad(vec4 *x, uint32_t bytes, quad q) { memcpy((char *)x + bytes, &q, sizeof q); }

LANE vf load(const void *from) {
  vf v;
  memcpy(&v, from, sizeof v);
  return v;
}

LANE void store(void *to, vf v) { memcpy(to, &v, sizeof v); }

/* Lane k of every quad of the result row: the particles k, k+4, k+8, k+12. */
LANE vf load_row(const vec4 *x, const uint32_t *at) {
#if WEFT_LANES == 4
  return load_quad(x, at[0]);
#elif WEFT_LANES == 8
  return SHUFFLE(load_quad(x, at[0]), load_quad(x, at[4]), 0, 1, 2, 3, 4, 5, 6, 7);
#else
  typedef float half __attribute__((vector_size(32)));
  half low = SHUFFLE(load_quad(x, at[0]), load_quad(x, at[4]), 0, 1, 2, 3, 4, 5, 6, 7);
  half high = SHUFFLE(load_quad(x, at[8]), load_quad(x, at[12]), 0, 1, 2, 3, 4, 5, 6, 7);
  return SHUFFLE(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

LANE void store_row(vec4 *x, const uint32_t *at, vf row) {
#if WEFT_LANES == 4
  store_quad(x, at[0], row);
#else
  store_quad(x, at[0], SHUFFLE(row, row, 0, 1, 2, 3));
  store_quad(x, at[4], SHUFFLE(row, row, 4, 5, 6, 7));
#if WEFT_LANES == 16
  store_quad(x, at[8], SHUFFLE(row, row, 8, 9, 10, 11));
  store_quad(x, at[12], SHUFFLE(row, row, 12, 13, 14, 15));
#endif
#endif
}

LANE v4 transposed(vf r0, vf r1, vf r2, vf r3) {
  vf a = IN_QUADS(r0, r1, 0, 1, 0, 1), b = IN_QUADS(r2, r3, 0, 1, 0, 1);
  vf c = IN_QUADS(r0, r1, 2, 3, 2, 3), d = IN_QUADS(r2, r3, 2, 3, 2, 3);
  v4 out;
  out.x = IN_QUADS(a, b, 0, 2, 0, 2);
  out.y = IN_QUADS(a, b, 1, 3, 1, 3);
  out.z = IN_QUADS(c, d, 0, 2, 0, 2);
  out.w = IN_QUADS(c, d, 1, 3, 1, 3);
  return out;
}

LANE v4 load_particles(const vec4 *x, const uint32_t *at) {
  return transposed(load_row(x, at), load_row(x, at + 1), load_row(x, at + 2), load_row(x, at + 3));
}

LANE void store_particles(vec4 *x, const uint32_t *at, v3 p, vf w) {
  v4 rows = transposed(p.x, p.y, p.z, w);
  store_row(x, at, rows.x);
  store_row(x, at + 1, rows.y);
  store_row(x, at + 2, rows.z);
  store_row(x, at + 3, rows.w);
}

/* ---- twins of src/solver/exact.h ---- */

LANE vf all(float s) { return s - (vf){0}; }
LANE vf absolute(vf x) { return (vf)((vi)x & 0x7fffffff); }
LANE vf choose(vi mask, vf yes, vf no) { return (vf)(((vi)yes & mask) | ((vi)no & ~mask)); }
LANE vf kept_if(vi mask, vf x) { return (vf)((vi)x & mask); }

LANE vf zero_below(vf x, float least) {
  vi small = absolute(x) < all(least);
  return (vf)((vi)x & ~small);
}

LANE vf snap(vf x) { return zero_below(x, (float)WEFT_SNAP); }
LANE vf flush(vf x) { return zero_below(x, (float)WEFT_FLUSH); }
LANE vf trim(vf x) { return zero_below(x, (float)WEFT_TRIM); }
LANE v3 flush3(v3 v) { return (v3){flush(v.x), flush(v.y), flush(v.z)}; }
LANE v3 trim3(v3 v) { return (v3){trim(v.x), trim(v.y), trim(v.z)}; }

LANE v3 add(v3 a, v3 b) { return (v3){a.x + b.x, a.y + b.y, a.z + b.z}; }
LANE v3 sub(v3 a, v3 b) { return (v3){a.x - b.x, a.y - b.y, a.z - b.z}; }
LANE v3 scale(v3 a, vf s) { return (v3){a.x * s, a.y * s, a.z * s}; }
LANE v3 xyz(v4 a) { return (v3){a.x, a.y, a.z}; }
LANE v3 choose3(vi mask, v3 yes, v3 no) {
  return (v3){choose(mask, yes.x, no.x), choose(mask, yes.y, no.y), choose(mask, yes.z, no.z)};
}

LANE vf dot(v3 a, v3 b) {
  vf xx = a.x * b.x;
  vf yy = a.y * b.y;
  vf zz = a.z * b.z;
  vf s = xx + yy;
  s = s + zz;
  return s;
}

LANE vf rcp(vf x) {
  vf y = (vf)(0x7EF311C7u - (vu)x);
  vf t = x * y;
  t = 2.0f - t;
  y = y * t;
  t = x * y;
  t = 2.0f - t;
  y = y * t;
  t = x * y;
  t = 1.0f - t;
  t = y * t;
  y = y + t;
  return y;
}

LANE vf rsqrt(vf x) {
  vf h = 0.5f * x;
  vf y = (vf)(0x5F375A86u - ((vu)x >> 1));
  vf t = h * y;
  t = t * y;
  t = 1.5f - t;
  y = y * t;
  t = h * y;
  t = t * y;
  t = 1.5f - t;
  y = y * t;
  t = h * y;
  t = t * y;
  t = 0.5f - t;
  t = y * t;
  y = y + t;
  return y;
}

/* The same for two, statement by statement. */
LANE void rsqrt_two(const vf x[2], vf y[2]) {
  vf h[2], t[2];
#define BOTH(statement)           \
  do {                            \
    for (int k = 0; k < 2; ++k) { \
      statement;                  \
    }                             \
  } while (0)
  BOTH(h[k] = 0.5f * x[k]);
  BOTH(y[k] = (vf)(0x5F375A86u - ((vu)x[k] >> 1)));
  BOTH(t[k] = h[k] * y[k]);
  BOTH(t[k] = t[k] * y[k]);
  BOTH(t[k] = 1.5f - t[k]);
  BOTH(y[k] = y[k] * t[k]);
  BOTH(t[k] = h[k] * y[k]);
  BOTH(t[k] = t[k] * y[k]);
  BOTH(t[k] = 1.5f - t[k]);
  BOTH(y[k] = y[k] * t[k]);
  BOTH(t[k] = h[k] * y[k]);
  BOTH(t[k] = t[k] * y[k]);
  BOTH(t[k] = 0.5f - t[k]);
  BOTH(t[k] = y[k] * t[k]);
  BOTH(y[k] = y[k] + t[k]);
#undef BOTH
}

/* The sign of each lane as a bit. */
LANE uint32_t signs(vi v) {
#if WEFT_LANES == 16 && defined __AVX512DQ__
  return _mm512_movepi32_mask((__m512i)v);
#elif WEFT_LANES == 8 && defined __AVX__
  return (uint32_t)_mm256_movemask_ps((__m256)v);
#elif WEFT_LANES == 4 && defined __SSE__
  return (uint32_t)_mm_movemask_ps((__m128)v);
#else
  uint32_t bits = 0;
  for (int k = 0; k < WEFT_LANES; ++k) bits |= (uint32_t)(v[k] < 0) << k;
  return bits;
#endif
}

LANE bool any(vi mask) { return signs(mask) != 0; }
LANE bool everywhere(vi mask) { return signs(mask) == (1u << WEFT_LANES) - 1; }

/* ---- the first `n` lanes only: the others are neither read nor written ---- */

#if WEFT_LANES == 8 && defined __AVX__
LANE __m256i first_lanes(uint32_t n) {
  static const int32_t ones_and_zeros[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_loadu_si256((const __m256i *)(ones_and_zeros + 8 - n));
}
#endif

/* Those not read are `rest`. */
LANE vf load_first(const float *x, uint32_t n, float rest) {
#if WEFT_LANES == 16 && defined __AVX512F__
  return (vf)_mm512_mask_loadu_ps((__m512)all(rest), (__mmask16)((1u << n) - 1), x);
#elif WEFT_LANES == 8 && defined __AVX__
  __m256i mask = first_lanes(n);
  return choose((vi)mask, (vf)_mm256_maskload_ps(x, mask), all(rest));
#else
  vf v = all(rest);
  for (uint32_t k = 0; k < n; ++k) v[k] = x[k];
  return v;
#endif
}

LANE void store_first(float *x, uint32_t n, vf v) {
#if WEFT_LANES == 16 && defined __AVX512F__
  _mm512_mask_storeu_ps(x, (__mmask16)((1u << n) - 1), (__m512)v);
#elif WEFT_LANES == 8 && defined __AVX__
  _mm256_maskstore_ps(x, first_lanes(n), (__m256)v);
#else
  for (uint32_t k = 0; k < n; ++k) x[k] = v[k];
#endif
}

LANE v4 load_split_first(const float *x, size_t component, uint32_t n, float rest) {
  return (v4){load_first(x, n, rest), load_first(x + component, n, rest),
              load_first(x + 2 * component, n, rest), load_first(x + 3 * component, n, 0)};
}

LANE void store_split_first(float *x, size_t component, uint32_t n, v3 p) {
  store_first(x, n, p.x);
  store_first(x + component, n, p.y);
  store_first(x + 2 * component, n, p.z);
}

/* ---- split positions: a component is an array, see weft_halves ---- */

LANE v4 load_split(const float *x, size_t component) {
  return (v4){load(x), load(x + component), load(x + 2 * component), load(x + 3 * component)};
}

LANE v3 load_three(const float *x, size_t component) {
  return (v3){load(x), load(x + component), load(x + 2 * component)};
}

LANE void store_split(float *x, size_t component, v3 p) {
  store(x, p.x);
  store(x + component, p.y);
  store(x + 2 * component, p.z);
}

LANE vf gather(const float *x, const uint32_t *at) {
  float lanes[WEFT_LANES];
  for (int k = 0; k < WEFT_LANES; ++k) lanes[k] = x[at[k]];
  return load(lanes);
}

LANE void scatter(float *x, const uint32_t *at, vf v) {
  for (int k = 0; k < WEFT_LANES; ++k) x[at[k]] = v[k];
}

LANE v4 gather_split(const float *x, size_t component, const uint32_t *at) {
  return (v4){gather(x, at), gather(x + component, at), gather(x + 2 * component, at),
              gather(x + 3 * component, at)};
}

LANE void scatter_split(float *x, size_t component, const uint32_t *at, v3 p) {
  scatter(x, at, p.x);
  scatter(x + component, at, p.y);
  scatter(x + 2 * component, at, p.z);
}

/* Words come from far away, one after the other, in one go from the first to the last. What is
 * needed some hundred nanoseconds from now is asked for line by line: a processor looks ahead by
 * itself, but by less than main memory takes. */
enum { AHEAD = 1024 };

/* `words` of each lane. */
LANE void fetch_ahead(const uint32_t *values, uint32_t words) {
  enum { LINE_WORDS = WEFT_CACHE_LINE / sizeof(uint32_t) };
  for (uint32_t k = 0; k < words * WEFT_LANES; k += LINE_WORDS) {
    __builtin_prefetch(values + AHEAD + k);
  }
}

/* ---- in a hurry ----
 *
 * A third of a projection sees to it that no number gets so small that a machine may flush it,
 * which hardly ever has anything to do. Where all that went in and came out is at least 2^-26, it
 * has nothing to do at all (metres; on a sheet a metre wide, one coordinate in ten million is
 * less):
 *   - differences of two are 0 or at least 2^-49;
 *   - what trim, or flush inside of a bend, would have made 0 moves nobody: it is a part of 2^-25
 * of the position, given that inverse masses are not out of this world ("tame", see strips.c);
 *   - a pair at rest comes out as it went in.
 * So a vector is first done without, and done again with care where a number was smaller. */

/* Numbers that are all at least 2^-26 have exponents of 101 and more, and what their exponents have
 * in common is no larger than any of them. 27 more is a number of 128 and more: its top bit. */
LANE vu top_bit_if_large(vu common) { return common + (27u << 23); }

LANE bool all_have_top_bit(vu v) { return everywhere((vi)(v + v)); }

LANE vu common(vf a, vf b) { return (vu)a & (vu)b; }

/* ---- project_distance ---- */

typedef struct moved_pair {
  v3 a, b;
} moved_pair;

/* All after the root. */
LANE moved_pair moved_along(v4 pa, v4 pb, v3 difference, vf length2, vf inverse, vf rest_length,
                            vf inv_denominator, uint32_t sense) {
  vf shortest2 = rest_length * rest_length;
  shortest2 = shortest2 * (float)WEFT_MIN_LENGTH_RATIO2;
  vf len = length2 * inverse;
  v3 n = scale(difference, inverse);
  vf violation = len - rest_length;
  vf step = violation * inv_denominator;
  step = kept_if(length2 > shortest2, step);
  step = trim(step);
  if (sense == WEFT_ACTS_STRETCHED) step = kept_if(~(step < all(0)), step);
  if (sense == WEFT_ACTS_COMPRESSED) step = kept_if(~(step > all(0)), step);
  vi rests = step == all(0);
  vf step_a = pa.w * step;
  vf step_b = pb.w * step;
  v3 delta_a = scale(n, step_a);
  v3 delta_b = scale(n, step_b);
  v3 new_a = sub(xyz(pa), delta_a);
  v3 new_b = add(xyz(pb), delta_b);
  return (moved_pair){choose3(rests, xyz(pa), flush3(new_a)),
                      choose3(rests, xyz(pb), flush3(new_b))};
}

LANE moved_pair project_distance(v4 pa, v4 pb, vf rest_length, vf inv_denominator, uint32_t sense) {
  v3 difference = sub(xyz(pa), xyz(pb));
  difference = flush3(difference);
  vf length2 = dot(difference, difference);
  vf inverse = rsqrt(length2);
  return moved_along(pa, pb, difference, length2, inverse, rest_length, inv_denominator, sense);
}

/* Two vectors at a time: a root is a chain of operations that wait for each other, and two such
 * chains side by side keep the units busy. */
LANE void distance_two(float *a, float *b, size_t component, const uint32_t *values,
                       uint32_t sense) {
  v4 pa = load_split(a, component), pb = load_split(b, component);
  v4 qa = load_split(a + WEFT_LANES, component), qb = load_split(b + WEFT_LANES, component);
  v3 difference[2] = {flush3(sub(xyz(pa), xyz(pb))), flush3(sub(xyz(qa), xyz(qb)))};
  vf length2[2] = {dot(difference[0], difference[0]), dot(difference[1], difference[1])};
  vf inverse[2];
  rsqrt_two(length2, inverse);
  const uint32_t *more = values + 2 * WEFT_LANES;
  moved_pair p = moved_along(pa, pb, difference[0], length2[0], inverse[0], load(values),
                             load(values + WEFT_LANES), sense);
  moved_pair q = moved_along(qa, qb, difference[1], length2[1], inverse[1], load(more),
                             load(more + WEFT_LANES), sense);
  store_split(a, component, p.a);
  store_split(b, component, p.b);
  store_split(a + WEFT_LANES, component, q.a);
  store_split(b + WEFT_LANES, component, q.b);
}

static void distance(vec4 *x, const uint32_t *block, size_t count, uint32_t sense) {
  for (size_t k = 0; k < count; ++k, block += WEFT_DISTANCE_WORDS * WEFT_LANES) {
    const uint32_t *a = block, *b = block + WEFT_LANES;
    fetch_ahead(block, WEFT_DISTANCE_WORDS);
    v4 pa = load_particles(x, a), pb = load_particles(x, b);
    moved_pair moved =
        project_distance(pa, pb, load(block + 2 * WEFT_LANES), load(block + 3 * WEFT_LANES), sense);
    store_particles(x, a, moved.a, pa.w);
    store_particles(x, b, moved.b, pb.w);
  }
}

/* A root is a chain of operations that wait for each other. So roots of some vectors come first,
 * and are short enough for a processor to have several under way; then all that follows. */
enum { AT_ONCE = 8 };

typedef struct roots {
  vf inverse[AT_ONCE], step[AT_ONCE];
} roots;

/* Whether all pairs are longer than what counts as no length. */
LANE bool find_roots(const float *a, const float *b, size_t component, const uint32_t *values,
                     uint32_t count, roots *r) {
  vi long_enough = ~(vi){0};
  for (uint32_t k = 0; k < count; ++k, values += 2 * WEFT_LANES) {
    v3 pa = load_three(a + k * WEFT_LANES, component),
       pb = load_three(b + k * WEFT_LANES, component);
    v3 difference = sub(pa, pb);
    vf length2 = dot(difference, difference);
    vf rest_length = load(values);
    vf shortest2 = rest_length * rest_length;
    shortest2 = shortest2 * (float)WEFT_MIN_LENGTH_RATIO2;
    long_enough &= length2 > shortest2;
    vf inverse = rsqrt(length2);
    vf len = length2 * inverse;
    vf violation = len - rest_length;
    r->inverse[k] = inverse;
    r->step[k] = violation * load(values + WEFT_LANES);
  }
  return everywhere(long_enough);
}

/* False where care is needed, and nothing is written. */
LANE bool move_quickly(float *a, float *b, size_t component, vf inverse, vf step) {
  v3 pa = load_three(a, component), pb = load_three(b, component);
  v3 n = scale(sub(pa, pb), inverse);
  vf step_a = load(a + 3 * component) * step;
  vf step_b = load(b + 3 * component) * step;
  v3 new_a = sub(pa, scale(n, step_a));
  v3 new_b = add(pb, scale(n, step_b));
  vu large = top_bit_if_large(common(pa.x, pb.x) & common(new_a.x, new_b.x));
  large &= top_bit_if_large(common(pa.y, pb.y) & common(new_a.y, new_b.y));
  large &= top_bit_if_large(common(pa.z, pb.z) & common(new_a.z, new_b.z));
  if (!all_have_top_bit(large)) return false;
  store_split(a, component, new_a);
  store_split(b, component, new_b);
  return true;
}

/* How many vectors of pairs that act both ways it has done before one that needs care. */
LANE uint32_t distance_quickly(float *a, float *b, size_t component, const uint32_t *values,
                               uint32_t count) {
  for (uint32_t done = 0; done < count; done += AT_ONCE) {
    uint32_t part = count - done < AT_ONCE ? count - done : AT_ONCE;
    roots r;
    if (!find_roots(a, b, component, values, part, &r)) return done;
    for (uint32_t k = 0; k < part; ++k, a += WEFT_LANES, b += WEFT_LANES) {
      fetch_ahead(values, 2);
      if (!move_quickly(a, b, component, r.inverse[k], r.step[k])) return done + k;
      values += 2 * WEFT_LANES;
    }
  }
  return count;
}

static void distance_with_care(float *a, float *b, size_t component, const uint32_t *values,
                               uint32_t count, uint32_t sense) {
  uint32_t k = 0;
  for (; k + 2 <= count; k += 2, values += 4 * WEFT_LANES) {
    fetch_ahead(values, 4);
    distance_two(a, b, component, values, sense);
    a += 2 * WEFT_LANES;
    b += 2 * WEFT_LANES;
  }
  if (k == count) return;
  v4 pa = load_split(a, component), pb = load_split(b, component);
  moved_pair moved = project_distance(pa, pb, load(values), load(values + WEFT_LANES), sense);
  store_split(a, component, moved.a);
  store_split(b, component, moved.b);
}

/* The last vector of a strip, of which n lanes count; the others hold pairs that nothing moves. */
static void distance_last(float *a, float *b, size_t component, const uint32_t *values, uint32_t n,
                          uint32_t sense) {
  v4 pa = load_split_first(a, component, n, 1), pb = load_split_first(b, component, n, 2);
  moved_pair moved = project_distance(pa, pb, load(values), load(values + WEFT_LANES), sense);
  store_split_first(a, component, n, moved.a);
  store_split_first(b, component, n, moved.b);
}

static void distance_strips(const weft_halves *halves, const uint32_t *strip, size_t count,
                            uint32_t sense) {
  size_t component = halves->component;
  for (size_t s = 0; s < count; ++s) {
    float *a = halves->x + strip[1], *b = halves->x + strip[2];
    const uint32_t *values = strip + WEFT_STRIP_HEAD;
    uint32_t last = strip[WEFT_STRIP_LAST], vectors = strip[0] - (last < WEFT_LANES);
    bool quick = strip[WEFT_STRIP_TAME] && sense == WEFT_ACTS_ALWAYS;
    uint32_t done = quick ? distance_quickly(a, b, component, values, vectors) : 0;
    if (done < vectors) {
      size_t on = (size_t)done * WEFT_LANES;
      distance_with_care(a + on, b + on, component, values + 2 * on, vectors - done, sense);
    }
    size_t end = (size_t)vectors * WEFT_LANES;
    values += 2 * end;
    if (last < WEFT_LANES) {
      distance_last(a + end, b + end, component, values, last, sense);
      values += 2 * WEFT_LANES;
    }
    strip = values;
  }
}

static void distance_strays(const weft_halves *halves, const uint32_t *block, size_t count,
                            uint32_t sense) {
  for (size_t k = 0; k < count; ++k, block += WEFT_DISTANCE_WORDS * WEFT_LANES) {
    const uint32_t *a = block, *b = block + WEFT_LANES;
    v4 pa = gather_split(halves->x, halves->component, a);
    v4 pb = gather_split(halves->x, halves->component, b);
    moved_pair moved =
        project_distance(pa, pb, load(block + 2 * WEFT_LANES), load(block + 3 * WEFT_LANES), sense);
    scatter_split(halves->x, halves->component, a, moved.a);
    scatter_split(halves->x, halves->component, b, moved.b);
  }
}

/* ---- project_isometric ---- */

typedef struct moved_four {
  v3 at[4];
} moved_four;

LANE v3 move_by(v4 p, v3 step, vf k) {
  vf s = p.w * k;
  v3 delta = scale(step, s);
  v3 moved = sub(xyz(p), delta);
  return flush3(moved);
}

LANE moved_four project_isometric(v4 p0, v4 p1, v4 p2, v4 p3, const uint32_t *values) {
  vf k0 = load(values), k1 = load(values + WEFT_LANES);
  vf k2 = load(values + 2 * WEFT_LANES), factor = load(values + 3 * WEFT_LANES);
  vf k3 = k0 + k1;
  k3 = k3 + k2;
  k3 = -k3;
  v3 d0 = sub(xyz(p0), xyz(p3));
  v3 d1 = sub(xyz(p1), xyz(p3));
  v3 d2 = sub(xyz(p2), xyz(p3));
  d0 = scale(d0, k0);
  d1 = scale(d1, k1);
  d2 = scale(d2, k2);
  v3 violation = add(d0, d1);
  violation = add(violation, d2);
  violation = flush3(violation);
  v3 step = scale(violation, factor);
  step = trim3(step);
  return (moved_four){
      {move_by(p0, step, k0), move_by(p1, step, k1), move_by(p2, step, k2), move_by(p3, step, k3)}};
}

static void isometric(vec4 *x, const uint32_t *q, size_t count) {
  for (size_t k = 0; k < count; ++k, q += WEFT_ISOMETRIC_WORDS * WEFT_LANES) {
    fetch_ahead(q, WEFT_ISOMETRIC_WORDS);
    v4 p0 = load_particles(x, q), p1 = load_particles(x, q + WEFT_LANES);
    v4 p2 = load_particles(x, q + 2 * WEFT_LANES), p3 = load_particles(x, q + 3 * WEFT_LANES);
    moved_four moved = project_isometric(p0, p1, p2, p3, q + 4 * WEFT_LANES);
    store_particles(x, q, moved.at[0], p0.w);
    store_particles(x, q + WEFT_LANES, moved.at[1], p1.w);
    store_particles(x, q + 2 * WEFT_LANES, moved.at[2], p2.w);
    store_particles(x, q + 3 * WEFT_LANES, moved.at[3], p3.w);
  }
}

/* What the components of a bend share. */
typedef struct bend {
  vf k0, k1, k2, factor;
  vf s0, s1, s2, minus_s3; /* weights times inverse masses */
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

LANE bend load_bend(float *const q[4], size_t component, const uint32_t *values, uint32_t n) {
  bend b;
  b.k0 = load(values);
  b.k1 = load(values + WEFT_LANES);
  b.k2 = load(values + 2 * WEFT_LANES);
  b.factor = load(values + 3 * WEFT_LANES);
  vf minus_k3 = b.k0 + b.k1;
  minus_k3 = minus_k3 + b.k2;
  b.s0 = load_of(q[0] + 3 * component, n) * b.k0;
  b.s1 = load_of(q[1] + 3 * component, n) * b.k1;
  b.s2 = load_of(q[2] + 3 * component, n) * b.k2;
  b.minus_s3 = load_of(q[3] + 3 * component, n) * minus_k3;
  return b;
}

/* One component of the four, `at` floats on. */
LANE void bend_component(float *const q[4], size_t at, const bend *b, bool quick, uint32_t n) {
  vf p0 = load_of(q[0] + at, n), p1 = load_of(q[1] + at, n);
  vf p2 = load_of(q[2] + at, n), p3 = load_of(q[3] + at, n);
  vf d0 = (p0 - p3) * b->k0;
  vf d1 = (p1 - p3) * b->k1;
  vf d2 = (p2 - p3) * b->k2;
  vf violation = d0 + d1;
  violation = violation + d2;
  for (;; quick = false) {
    vf step = (quick ? violation : flush(violation)) * b->factor;
    if (!quick) step = trim(step);
    vf n0 = p0 - step * b->s0;
    vf n1 = p1 - step * b->s1;
    vf n2 = p2 - step * b->s2;
    vf n3 = p3 + step * b->minus_s3;
    if (quick && !all_have_top_bit(top_bit_if_large(common(n0, n1) & common(n2, n3)))) continue;
    store_of(q[0] + at, n, quick ? n0 : flush(n0));
    store_of(q[1] + at, n, quick ? n1 : flush(n1));
    store_of(q[2] + at, n, quick ? n2 : flush(n2));
    store_of(q[3] + at, n, quick ? n3 : flush(n3));
    return;
  }
}

LANE void project_bend(float *const q[4], size_t component, const uint32_t *values, bool tame,
                       uint32_t n) {
  bend b = load_bend(q, component, values, n);
  bend_component(q, 0, &b, tame, n);
  bend_component(q, component, &b, tame, n);
  bend_component(q, 2 * component, &b, tame, n);
}

static void isometric_strips(const weft_halves *halves, const uint32_t *strip, size_t count) {
  size_t component = halves->component;
  for (size_t s = 0; s < count; ++s) {
    float *q[4];
    for (int r = 0; r < 4; ++r) q[r] = halves->x + strip[1 + r];
    const uint32_t *values = strip + WEFT_STRIP_HEAD;
    bool tame = strip[WEFT_STRIP_TAME];
    uint32_t last = strip[WEFT_STRIP_LAST], vectors = strip[0] - (last < WEFT_LANES);
    for (uint32_t k = 0; k < vectors; ++k, values += 4 * WEFT_LANES) {
      fetch_ahead(values, 4);
      project_bend(q, component, values, tame, WEFT_LANES);
      for (int r = 0; r < 4; ++r) q[r] += WEFT_LANES;
    }
    if (last < WEFT_LANES) {
      project_bend(q, component, values, tame, last);
      values += 4 * WEFT_LANES;
    }
    strip = values;
  }
}

static void isometric_strays(const weft_halves *halves, const uint32_t *q, size_t count) {
  float *x = halves->x;
  size_t component = halves->component;
  for (size_t k = 0; k < count; ++k, q += WEFT_ISOMETRIC_WORDS * WEFT_LANES) {
    moved_four moved =
        project_isometric(gather_split(x, component, q), gather_split(x, component, q + WEFT_LANES),
                          gather_split(x, component, q + 2 * WEFT_LANES),
                          gather_split(x, component, q + 3 * WEFT_LANES), q + 4 * WEFT_LANES);
    for (int r = 0; r < 4; ++r) scatter_split(x, component, q + r * WEFT_LANES, moved.at[r]);
  }
}

/* ---- into the split positions and back ---- */

static void split_one(const weft_halves *halves, const vec4 *x, size_t i) {
  size_t place = weft_halves_place(halves, i);
  halves->x[place] = x[i].x;
  halves->x[place + halves->component] = x[i].y;
  halves->x[place + 2 * halves->component] = x[i].z;
  halves->x[place + 3 * halves->component] = x[i].w;
}

static void join_one(const weft_halves *halves, vec4 *x, size_t i) {
  size_t place = weft_halves_place(halves, i);
  x[i].x = halves->x[place];
  x[i].y = halves->x[place + halves->component];
  x[i].z = halves->x[place + 2 * halves->component];
}

/* Bytes from one particle of a parity to the next. */
LANE void every_other(uint32_t at[WEFT_LANES]) {
  for (uint32_t k = 0; k < WEFT_LANES; ++k) at[k] = 2 * k * (uint32_t)sizeof(vec4);
}

static void split_particles(const weft_halves *halves, const vec4 *x, size_t first, size_t count) {
  uint32_t at[WEFT_LANES];
  every_other(at);
  size_t i = first, end = first + count;
  for (; i + 2 * WEFT_LANES <= end; i += 2 * WEFT_LANES) {
    for (size_t k = i; k < i + 2; ++k) {
      v4 p = load_particles(x + k, at);
      float *to = halves->x + weft_halves_place(halves, k);
      store_split(to, halves->component, xyz(p));
      store(to + 3 * halves->component, p.w);
    }
  }
  for (; i < end; ++i) split_one(halves, x, i);
}

static void join_particles(const weft_halves *halves, vec4 *x, size_t first, size_t count) {
  uint32_t at[WEFT_LANES];
  every_other(at);
  size_t i = first, end = first + count;
  for (; i + 2 * WEFT_LANES <= end; i += 2 * WEFT_LANES) {
    for (size_t k = i; k < i + 2; ++k) {
      v4 p = load_split(halves->x + weft_halves_place(halves, k), halves->component);
      store_particles(x + k, at, xyz(p), p.w);
    }
  }
  for (; i < end; ++i) join_one(halves, x, i);
}

#include "lanes_dihedral.h"
#include "lanes_lambda.h"
#include "lanes_particles.h"
/* after it */
#include "lanes_air.h"
#include "lanes_collide.h"
/* after it */
#include "lanes_levels.h"
/* after it */
#include "lanes_lines.h"

#define LANES_TABLE(isa)                                                                          \
  {                                                                                               \
    .name = isa, .lanes = WEFT_LANES, .distance = distance, .isometric = isometric,               \
    .dihedral = dihedral, .dihedral_lambda = dihedral_lambda, .distance_lambda = distance_lambda, \
    .isometric_lambda = isometric_lambda, .distance_strips = distance_strips,                     \
    .distance_strays = distance_strays, .isometric_strips = isometric_strips,                     \
    .isometric_strays = isometric_strays, .split = split_particles, .join = join_particles,       \
    .predict = predict, .update_velocity = update_velocity, .collide = collide,                   \
    .aero_force = aero_force, .aero_gather = aero_gather, .level_edges = level_edges,             \
    .level_means = level_means, .level_moves = level_moves,                                       \
    .level_moves_split = level_moves_split, .level_mean_strip = level_mean_strip,                 \
    .level_follow_strip = level_follow_strip, .level_follow_strays = level_follow_strays,         \
    .level_follow = level_follow, .tethers = tethers, .lines = lines                              \
  }
