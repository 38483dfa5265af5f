/* count_words.c: counts as they are said. */
#include <stdio.h>

#include "base.h"

const char *weft_plural(uint64_t count) { return count == 1 ? "" : "s"; }

void weft_group_digits(char *text, uint64_t value) {
  char digits[24];
  int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
  for (int k = 0; k < count; ++k) {
    if (k && (count - k) % 3 == 0) *text++ = ',';
    *text++ = digits[k];
  }
  *text = 0;
}
