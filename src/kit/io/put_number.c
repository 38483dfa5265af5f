/* put_number.c: numbers as text.
 *
 * printf's decimal point follows the locale and costs most of the time of a large file, so numbers
 * are written here: nine significant digits, which read back as the same float, rounded exactly in
 * 64-bit integers over the range cloth lives in. */
#include "put_number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

char *weft_put_uint(char *out, uint64_t value) {
  char digits[24];
  int n = 0;
  do digits[n++] = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  while (n > 0) *out++ = digits[--n];
  return out;
}

/* Any finite float by printf, with the locale's decimal point put right. */
static char *put_float_by_printf(char *out, float value) {
  int n = snprintf(out, 40, "%.9g", (double)value);
  const char *point = localeconv()->decimal_point;
  char *found = strcmp(point, ".") == 0 ? NULL : strstr(out, point);
  if (found) {
    size_t width = strlen(point);
    *found = '.';
    memmove(found + 1, found + width, strlen(found + width) + 1);
    n -= (int)width - 1;
  }
  return out + n;
}

static const uint64_t powers[] = {1,
                                  10,
                                  100,
                                  1000,
                                  10000,
                                  100000,
                                  1000000,
                                  10000000,
                                  100000000,
                                  1000000000,
                                  UINT64_C(10000000000),
                                  UINT64_C(100000000000),
                                  UINT64_C(1000000000000)};

/* magnitude * 10^places rounded to nearest, ties to even; magnitude * 10^places < 1e9 and
 * magnitude >= 1e-4, so that 24 bits times 10^12 fit into 64. */
static uint64_t scaled(float magnitude, int places) {
  int exponent;
  uint64_t mantissa = (uint64_t)ldexpf(frexpf(magnitude, &exponent), 24);
  exponent -= 24;
  uint64_t product = mantissa * powers[places];
  if (exponent >= 0) return product << exponent;
  uint64_t half = UINT64_C(1) << (-exponent - 1);
  uint64_t whole = product >> -exponent, rest = product & (2 * half - 1);
  return whole + (rest > half || (rest == half && (whole & 1)));
}

char *weft_put_float(char *out, float value) {
  float magnitude = fabsf(value);
  if (!((double)magnitude >= 1e-4 && magnitude < 1e8f) && magnitude != 0) {
    return put_float_by_printf(out, value);
  }
  if (signbit(value)) *out++ = '-';
  int places = 12; /* digits after the point */
  while (places > 0 && (double)magnitude * (double)powers[places] >= 999999999.5) --places;
  uint64_t digits = magnitude == 0 ? 0 : scaled(magnitude, places);
  out = weft_put_uint(out, digits / powers[places]);
  uint64_t fraction = digits % powers[places];
  if (fraction == 0) return out;
  *out++ = '.';
  while (fraction != 0) {
    fraction *= 10;
    *out++ = (char)('0' + fraction / powers[places]);
    fraction %= powers[places];
  }
  return out;
}
