/* made_up.h: numbers and places that tests make up. */
#ifndef WEFT_TESTS_MADE_UP_H
#define WEFT_TESTS_MADE_UP_H

#include "base.h"

static inline bool one_in(weft_rng *rng, uint32_t n) { return weft_rng_u32(rng) % n == 0; }

static inline float pick(weft_rng *rng, const float *values, uint32_t count) {
  return values[weft_rng_u32(rng) % count];
}
#define PICK(rng, ...) \
  pick(rng, (const float[]){__VA_ARGS__}, sizeof((const float[]){__VA_ARGS__}) / sizeof(float))

static inline weft_vec3 anywhere(weft_rng *rng, float size) {
  return weft_v3(weft_rng_float(rng, -size, size), weft_rng_float(rng, -size, size),
                 weft_rng_float(rng, -size, size));
}

#endif
