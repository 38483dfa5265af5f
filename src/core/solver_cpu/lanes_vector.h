/* lanes_vector.h: vectors of WEFT_LANES floats by the vector extensions of GCC and Clang, and how
 * they get to and from memory. */
#if defined __SSE__
#include <immintrin.h>
#endif
#include <string.h>

#include "base.h"

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

/* 16 bits a lane, more than the bits of `base`. */
LANE vf load_above(vu base, const void *from) {
  typedef uint16_t narrow __attribute__((vector_size(2 * WEFT_LANES)));
  narrow v;
  memcpy(&v, from, sizeof v);
  return (vf)(base + __builtin_convertvector(v, vu));
}

LANE void store(void *to, vf v) { memcpy(to, &v, sizeof v); }

/* Quads side by side, at places that are `step` words apart, and back. */
LANE vf load_quads(const vec4 *x, const uint32_t *at, uint32_t step) {
#if WEFT_LANES == 4
  (void)step;
  return load_quad(x, at[0]);
#elif WEFT_LANES == 8
  return SHUFFLE(load_quad(x, at[0]), load_quad(x, at[step]), 0, 1, 2, 3, 4, 5, 6, 7);
#elif defined __AVX512DQ__
  __m256 low = _mm256_castps128_ps256((__m128)load_quad(x, at[0]));
  __m256 high = _mm256_castps128_ps256((__m128)load_quad(x, at[2 * step]));
  low = _mm256_insertf128_ps(low, (__m128)load_quad(x, at[step]), 1);
  high = _mm256_insertf128_ps(high, (__m128)load_quad(x, at[3 * step]), 1);
  return (vf)_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
#else
  typedef float half __attribute__((vector_size(32)));
  quad a = load_quad(x, at[0]), b = load_quad(x, at[step]);
  half low = SHUFFLE(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  a = load_quad(x, at[2 * step]);
  b = load_quad(x, at[3 * step]);
  half high = SHUFFLE(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  return SHUFFLE(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

LANE void store_quads(vec4 *x, const uint32_t *at, uint32_t step, vf quads) {
#if WEFT_LANES == 4
  (void)step;
  store_quad(x, at[0], quads);
#elif WEFT_LANES == 16 && defined __AVX512DQ__
  /* A half of a vector costs half as much to move as a quad of all of it. */
  __m256 low = _mm512_castps512_ps256((__m512)quads);
  __m256 high = _mm512_extractf32x8_ps((__m512)quads, 1);
  store_quad(x, at[0], (quad)_mm256_castps256_ps128(low));
  store_quad(x, at[step], (quad)_mm256_extractf128_ps(low, 1));
  store_quad(x, at[2 * step], (quad)_mm256_castps256_ps128(high));
  store_quad(x, at[3 * step], (quad)_mm256_extractf128_ps(high, 1));
#else
  store_quad(x, at[0], SHUFFLE(quads, quads, 0, 1, 2, 3));
  store_quad(x, at[step], SHUFFLE(quads, quads, 4, 5, 6, 7));
#if WEFT_LANES == 16
  store_quad(x, at[2 * step], SHUFFLE(quads, quads, 8, 9, 10, 11));
  store_quad(x, at[3 * step], SHUFFLE(quads, quads, 12, 13, 14, 15));
#endif
#endif
}

/* Lane k of every quad of the result row: the particles k, k+4, k+8, k+12. */
LANE vf load_row(const vec4 *x, const uint32_t *at) { return load_quads(x, at, 4); }

LANE void store_row(vec4 *x, const uint32_t *at, vf row) { store_quads(x, at, 4, row); }

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

/* Particles that follow each other in memory need not be gathered. Lanes have them in another
 * order: lane 4q + i is particle i * SIDE_BY_SIDE + q, see edge_rows.c. */
enum { SIDE_BY_SIDE = WEFT_LANES / 4 };

LANE v4 load_in_a_row(const vec4 *x) {
  return transposed(load(x), load(x + SIDE_BY_SIDE), load(x + 2 * SIDE_BY_SIDE),
                    load(x + 3 * SIDE_BY_SIDE));
}

LANE void store_in_a_row(vec4 *x, v3 p, vf w) {
  v4 rows = transposed(p.x, p.y, p.z, w);
  store(x, rows.x);
  store(x + SIDE_BY_SIDE, rows.y);
  store(x + 2 * SIDE_BY_SIDE, rows.z);
  store(x + 3 * SIDE_BY_SIDE, rows.w);
}

/* Every second quad of two vectors, from the first one or the second one on, and back. */
#if WEFT_LANES == 16
LANE vf even_quads(vf a, vf b) {
  return SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
}
LANE vf odd_quads(vf a, vf b) {
  return SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
}
LANE vf low_quads(vf even, vf odd) {
  return SHUFFLE(even, odd, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
}
LANE vf high_quads(vf even, vf odd) {
  return SHUFFLE(even, odd, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
}
#elif WEFT_LANES == 8
LANE vf even_quads(vf a, vf b) { return SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11); }
LANE vf odd_quads(vf a, vf b) { return SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15); }
LANE vf low_quads(vf even, vf odd) { return SHUFFLE(even, odd, 0, 1, 2, 3, 8, 9, 10, 11); }
LANE vf high_quads(vf even, vf odd) { return SHUFFLE(even, odd, 4, 5, 6, 7, 12, 13, 14, 15); }
#endif

/* ---- arithmetic ---- */

LANE vf all(float s) { return s - (vf){0}; }
LANE vf absolute(vf x) { return (vf)((vi)x & 0x7fffffff); }
LANE vf choose(vi mask, vf yes, vf no) { return (vf)(((vi)yes & mask) | ((vi)no & ~mask)); }
/* The less and the more of two; the second where they are equal or one is not a number. */
LANE vf less_of(vf a, vf b) {
#if WEFT_LANES == 16 && defined __AVX512F__
  return (vf)_mm512_min_ps((__m512)a, (__m512)b);
#elif WEFT_LANES == 8 && defined __AVX__
  return (vf)_mm256_min_ps((__m256)a, (__m256)b);
#elif WEFT_LANES == 4 && defined __SSE__
  return (vf)_mm_min_ps((__m128)a, (__m128)b);
#else
  return choose(a < b, a, b);
#endif
}
LANE vf more_of(vf a, vf b) {
#if WEFT_LANES == 16 && defined __AVX512F__
  return (vf)_mm512_max_ps((__m512)a, (__m512)b);
#elif WEFT_LANES == 8 && defined __AVX__
  return (vf)_mm256_max_ps((__m256)a, (__m256)b);
#elif WEFT_LANES == 4 && defined __SSE__
  return (vf)_mm_max_ps((__m128)a, (__m128)b);
#else
  return choose(a > b, a, b);
#endif
}
LANE vf kept_if(vi mask, vf x) { return (vf)((vi)x & mask); }

/* Of the processor, for bounds: kernels have roots of their own. */
LANE vf native_root(vf x) {
#if WEFT_LANES == 16 && defined __AVX512F__
  return (vf)_mm512_sqrt_ps((__m512)x);
#elif WEFT_LANES == 8 && defined __AVX__
  return (vf)_mm256_sqrt_ps((__m256)x);
#elif WEFT_LANES == 4 && defined __SSE__
  return (vf)_mm_sqrt_ps((__m128)x);
#else
  for (int k = 0; k < WEFT_LANES; ++k) x[k] = __builtin_sqrtf(x[k]);
  return x;
#endif
}

LANE v3 add(v3 a, v3 b) { return (v3){a.x + b.x, a.y + b.y, a.z + b.z}; }
LANE v3 sub(v3 a, v3 b) { return (v3){a.x - b.x, a.y - b.y, a.z - b.z}; }
LANE v3 scale(v3 a, vf s) { return (v3){a.x * s, a.y * s, a.z * s}; }
LANE v3 neg(v3 a) { return (v3){-a.x, -a.y, -a.z}; }
LANE v3 xyz(v4 a) { return (v3){a.x, a.y, a.z}; }
LANE v3 every(vec4 v) { return (v3){all(v.x), all(v.y), all(v.z)}; }
LANE v3 choose3(vi mask, v3 yes, v3 no) {
  return (v3){choose(mask, yes.x, no.x), choose(mask, yes.y, no.y), choose(mask, yes.z, no.z)};
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

/* The lanes of these bits. */
LANE vi lanes_of(uint32_t bits) {
  vu lane;
  for (uint32_t k = 0; k < WEFT_LANES; ++k) lane[k] = 1u << k;
  return (vi)((lane & (bits - (vu){0})) != 0);
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

LANE v3 gather_three(const float *x, size_t component, const uint32_t *at) {
  return (v3){gather(x, at), gather(x + component, at), gather(x + 2 * component, at)};
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

LANE void store_lanes(float *x, vi on, vf v) {
#if WEFT_LANES == 16 && defined __AVX512DQ__
  _mm512_mask_storeu_ps(x, (__mmask16)signs(on), (__m512)v);
#elif WEFT_LANES == 8 && defined __AVX__
  _mm256_maskstore_ps(x, (__m256i)on, (__m256)v);
#else
  for (uint32_t k = 0; k < WEFT_LANES; ++k) {
    if (on[k]) x[k] = v[k];
  }
#endif
}

/* Lanes of a mask; the others may be somebody else's. */
LANE void store_split_where(float *x, size_t component, v3 p, vi on) {
  store_lanes(x, on, p.x);
  store_lanes(x + component, on, p.y);
  store_lanes(x + 2 * component, on, p.z);
}

LANE void scatter_split_where(float *x, size_t component, const uint32_t *at, v3 p, vi on) {
  for (int k = 0; k < WEFT_LANES; ++k) {
    if (!on[k]) continue;
    x[at[k]] = p.x[k];
    x[at[k] + component] = p.y[k];
    x[at[k] + 2 * component] = p.z[k];
  }
}

/* Words come from far away, one after the other, in one go from the first to the last. What is
 * needed some hundred nanoseconds from now is asked for line by line: a processor looks ahead by
 * itself, but by less than main memory takes. */
enum { AHEAD = 1024 };

LANE void fetch_words_ahead(const uint32_t *values, uint32_t words) {
  enum { LINE_WORDS = WEFT_CACHE_LINE / sizeof(uint32_t) };
  for (uint32_t k = 0; k < words; k += LINE_WORDS) {
    __builtin_prefetch(values + AHEAD + k);
  }
}

/* `words` of each lane. */
LANE void fetch_ahead(const uint32_t *values, uint32_t words) {
  fetch_words_ahead(values, words * WEFT_LANES);
}

/* ---- particles side by side: a quad of lanes is a particle ---- */

/* Ones in x, y and z of each quad, zeros in w. */
LANE vi vector_part(void) {
  const quad one = {1, 1, 1, 0};
  vf ones;
  for (int k = 0; k < SIDE_BY_SIDE; ++k) memcpy((char *)&ones + 16 * k, &one, sizeof one);
  return ones > all(0);
}

LANE vf in_each_quad(vec4 v) {
  vf all_of_it;
  for (int k = 0; k < SIDE_BY_SIDE; ++k) memcpy((char *)&all_of_it + 16 * k, &v, sizeof v);
  return all_of_it;
}

/* Bytes from one particle to the next. */
LANE void every_one(uint32_t at[WEFT_LANES]) {
  for (uint32_t k = 0; k < WEFT_LANES; ++k) at[k] = k * (uint32_t)sizeof(vec4);
}

/* Rows of the lanes of a mask. */
LANE void store_where(vec4 *x, const uint32_t *at, v3 p, vf w, vi mask) {
  for (int k = 0; k < WEFT_LANES; ++k) {
    if (mask[k]) store_quad(x, at[k], (quad){p.x[k], p.y[k], p.z[k], w[k]});
  }
}

/* Four lanes as the first of a vector, and back. */
LANE vf of_quad(quad q) {
  vf v = {q[0], q[1], q[2], q[3]};
  return v;
}

LANE quad first_quad(vf v) {
  quad q;
  memcpy(&q, &v, sizeof q);
  return q;
}

/* ---- quads ---- */

typedef int32_t quad_bits __attribute__((vector_size(16)));

LANE quad quad_all(float s) { return s - (quad){0}; }
LANE bool quad_any(quad_bits v) {
#if defined __SSE__
  return _mm_movemask_ps((__m128)v) != 0;
#else
  return (v[0] | v[1] | v[2] | v[3]) != 0;
#endif
}
LANE quad quad_absolute(quad q) { return (quad)((quad_bits)q & 0x7fffffff); }
LANE quad quad_xyz(quad q) { return (quad)((quad_bits)q & (quad_bits){-1, -1, -1, 0}); }
LANE quad quad_choose(quad_bits mask, quad yes, quad no) {
  return (quad)(((quad_bits)yes & mask) | ((quad_bits)no & ~mask));
}

/* The less and the more of two; the second where they are equal or one is not a number. */
LANE quad quad_less(quad a, quad b) {
#if defined __SSE__
  return (quad)_mm_min_ps((__m128)a, (__m128)b);
#else
  return quad_choose(a < b, a, b);
#endif
}

LANE quad quad_more(quad a, quad b) {
#if defined __SSE__
  return (quad)_mm_max_ps((__m128)a, (__m128)b);
#else
  return quad_choose(a > b, a, b);
#endif
}

/* In every lane the most of all lanes. */
LANE quad quad_most(quad q) {
  q = quad_more(q, SHUFFLE(q, q, 1, 0, 3, 2));
  return quad_more(q, SHUFFLE(q, q, 2, 3, 0, 1));
}
