/* Decimal numbers, fast where they are short: a mantissa below 2^53 and a power of ten up to 22
 * are both exact doubles, so one multiplication or division rounds correctly (Clinger 1990). */
#include <stdlib.h>

#include "obj.h"

typedef struct decimal {
  uint64_t mantissa; /* first 19 significant digits */
  int digits;        /* significant digits seen */
  long exponent;     /* power of ten of the last digit seen */
  bool negative, any;
} decimal;

static const char *scan_digits(const char *at, const char *end, decimal *d, long step) {
  for (; at < end && *at >= '0' && *at <= '9'; ++at) {
    d->any = true;
    d->exponent += step;
    if (d->digits == 0 && *at == '0') continue;
    if (d->digits < 19) d->mantissa = 10 * d->mantissa + (uint64_t)(*at - '0');
    if (d->digits < (1 << 30)) ++d->digits;
  }
  return at;
}

/* False when [at, end) is no exponent. */
static bool scan_exponent(const char *at, const char *end, decimal *d) {
  if (at == end) return true;
  if (*at != 'e' && *at != 'E') return false;
  bool negative = ++at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  long exponent = 0;
  if (at == end) return false;
  for (; at < end; ++at) {
    if (*at < '0' || *at > '9') return false;
    if (exponent < 100000) exponent = 10 * exponent + (*at - '0');
  }
  d->exponent += negative ? -exponent : exponent;
  return true;
}

/* Long numbers go through strtod as DIGITSeEXPONENT. Forty digits are kept, with a 1 after them
 * when anything but zeros was cut off, which is enough to fall on the right side of a tie. */
static double slow_value(const char *begin, const char *end, const decimal *d) {
  enum { KEEP = 40 };
  char text[64];
  int kept = 0, seen = 0;
  bool rest = false;
  for (const char *at = begin; at < end && *at != 'e' && *at != 'E'; ++at) {
    if (*at < '0' || *at > '9' || (seen == 0 && *at == '0')) continue;
    ++seen;
    if (kept < KEEP) {
      text[kept++] = *at;
    } else {
      rest = rest || *at != '0';
    }
  }
  if (rest) text[kept++] = '1';
  long exponent = d->exponent + seen - kept;
  exponent = exponent > 9999 ? 9999 : exponent < -9999 ? -9999 : exponent;
  int n = kept + snprintf(text + kept, sizeof text - (size_t)kept, "e%ld", exponent);
  double value = 0;
  weft_parse_double(text, text + n, &value);
  return value;
}

bool weft_text_number(const char *begin, const char *end, double *value) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  decimal d = {0};
  const char *at = begin;
  if (at < end && (*at == '-' || *at == '+')) d.negative = *at++ == '-';
  at = scan_digits(at, end, &d, 0);
  if (at < end && *at == '.') at = scan_digits(at + 1, end, &d, -1);
  if (!d.any || !scan_exponent(at, end, &d)) return false;
  double magnitude;
  if (d.mantissa == 0) {
    magnitude = 0;
  } else if (d.digits <= 19 && d.mantissa <= UINT64_C(1) << 53 && labs(d.exponent) <= 22) {
    double m = (double)d.mantissa;
    magnitude = d.exponent < 0 ? m / powers[-d.exponent] : m * powers[d.exponent];
  } else {
    magnitude = slow_value(begin, end, &d);
  }
  *value = d.negative ? -magnitude : magnitude;
  return true;
}
