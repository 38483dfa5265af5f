/* compare.c: two arrays of 32-bit words, bit by bit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "verify_internal.h"

static float as_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Position of a float on the line of all floats, so that neighbours are one apart. */
static int64_t position_of(uint32_t bits) {
  int64_t magnitude = bits & 0x7FFFFFFF;
  return bits >> 31 ? -magnitude : magnitude;
}

static void measure(uint32_t ref, uint32_t other, weft_difference *d) {
  double gap = fabs((double)as_float(ref) - (double)as_float(other));
  if (isnan(gap)) gap = INFINITY;
  if (gap > d->max) d->max = gap;
  int64_t steps = position_of(ref) - position_of(other);
  uint64_t ulps = (uint64_t)(steps < 0 ? -steps : steps);
  if (ulps > d->max_ulps) d->max_ulps = ulps;
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static int by_words(const uint32_t *a, const uint32_t *b, uint32_t width) {
  for (uint32_t k = 0; k < width; ++k) {
    int order = ascending(a + k, b + k);
    if (order) return order;
  }
  return 0;
}
static int by_2(const void *a, const void *b) { return by_words(a, b, 2); }
static int by_4(const void *a, const void *b) { return by_words(a, b, 4); }
static int by_8(const void *a, const void *b) { return by_words(a, b, 8); }
static int by_16(const void *a, const void *b) { return by_words(a, b, 16); }

void weft_sort_elements(void *elements, uint64_t count, uint32_t width) {
  if (count == 0) return;
  int (*order)(const void *, const void *) = width == 1    ? ascending
                                             : width == 2  ? by_2
                                             : width == 4  ? by_4
                                             : width == 8  ? by_8
                                             : width == 16 ? by_16
                                                           : NULL;
  WEFT_CHECK(order, "no order for elements of this width");
  qsort(elements, (size_t)count, width * sizeof(uint32_t), order);
}

/* Of each element the second word is one of the list. */
static void sort_asked(uint32_t *asked, uint64_t count, uint64_t listed) {
  uint32_t *list = weft_alloc((size_t)count, sizeof *list);
  for (uint64_t k = 0; k < listed; ++k) list[k] = asked[2 * k + 1];
  weft_sort_elements(list, listed, 1);
  for (uint64_t k = 0; k < count; ++k) asked[2 * k + 1] = list[k];
  weft_free(list);
}

void weft_sort_table(weft_buffer_id id, void *elements, uint64_t count, uint64_t listed) {
  if (id == WEFT_BUFFER_SELF_UNCERTIFIED)
    sort_asked(elements, count, listed < count ? listed : count);
  if (!weft_buffer_unordered(id)) return;
  weft_sort_elements(elements, count, weft_buffer_infos[id].stride / 4);
}

bool weft_has_overrun(const uint32_t *self_counts, uint64_t count) {
  uint32_t flags = 0;
  for (uint64_t k = WEFT_SELF_AT_FLAGS; k < count; k += WEFT_SELF_COUNTS) flags |= self_counts[k];
  return flags != 0;
}

/* Parts of this many words are skipped at once when equal. */
enum { PART = 1024 };

static void compare_part(const uint32_t *ref, const uint32_t *other, uint64_t begin, uint64_t end,
                         uint64_t first, uint32_t width, weft_difference *d) {
  for (uint64_t k = begin; k < end; ++k) {
    if (ref[k] == other[k]) continue;
    if (d->differing++ == 0) {
      d->element = first + k / width;
      d->component = (uint32_t)(k % width);
      d->ref_bits = ref[k];
      d->other_bits = other[k];
    }
    measure(ref[k], other[k], d);
  }
}

void weft_compare_elements(const void *ref, const void *other, uint64_t first, uint64_t elements,
                           uint32_t width, weft_difference *d) {
  uint64_t words = elements * width;
  d->compared += words;
  if (words == 0 || memcmp(ref, other, (size_t)words * sizeof(uint32_t)) == 0) return;
  const uint32_t *a = ref, *b = other;
  for (uint64_t begin = 0; begin < words; begin += PART) {
    uint64_t end = begin + PART < words ? begin + PART : words;
    if (memcmp(a + begin, b + begin, (size_t)(end - begin) * sizeof *a) == 0) continue;
    compare_part(a, b, begin, end, first, width, d);
  }
}
