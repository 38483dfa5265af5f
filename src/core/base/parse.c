/* Decimal text to double under any locale. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"

/* newlocale() wants the C locale once; strtod_l would need _GNU_SOURCE, so the thread's locale is
 * swapped around strtod instead. */
static locale_t c_locale(void) {
  static locale_t locale;
  if (!locale) locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return locale;
}

const char *weft_parse_double(const char *begin, const char *end, double *value) {
  char text[64];
  size_t n = 0;
  while (begin + n < end && n + 1 < sizeof text) {
    char c = begin[n];
    bool number = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' ||
                  (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!number) break;
    text[n++] = c;
  }
  text[n] = 0;
  if (n == 0 || (n + 1 == sizeof text)) return begin;
  locale_t before = uselocale(c_locale());
  char *stop;
  *value = strtod(text, &stop);
  uselocale(before);
  return begin + (stop - text);
}
