/* figures.c: digits, groups of three, prefixes. */
#include "figures.h"

#include <math.h>
#include <string.h>

#include "base.h"

void weft_demo_figure(char *text, double value) {
  double size = fabs(value);
  if (size == 0) {
    snprintf(text, WEFT_DEMO_FIGURE, "0");
  } else if (!(size < 1e15)) {
    snprintf(text, WEFT_DEMO_FIGURE, isnan(value) ? "?" : "%.2e", value);
  } else if (size >= 999.5) {
    double unit = pow(10, floor(log10(size)) - 2);
    char digits[32];
    weft_group_digits(digits, (uint64_t)(floor(size / unit + 0.5) * unit + 0.5));
    snprintf(text, WEFT_DEMO_FIGURE, "%s%s", value < 0 ? "-" : "", digits);
  } else {
    int places = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
    snprintf(text, WEFT_DEMO_FIGURE, "%.*f", places, size < 0.0005 ? 0 : value);
  }
}

void weft_demo_figure_of(char *text, double value, const char *unit) {
  static const struct {
    double factor;
    const char *name;
  } prefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "\xc2\xb5"}};
  size_t last = sizeof prefixes / sizeof *prefixes - 1, k = 0;
  double size = fabs(value);
  while (k < last && size < 0.9995 * prefixes[k].factor) k++;
  bool whole = strcmp(unit, "%") == 0 || (k > 3 && *unit == '/'); /* "m/s" is no rate */
  if (whole || size < 0.9995 * prefixes[last].factor || !(size < 1e12)) k = 3;
  weft_demo_figure(text, value / prefixes[k].factor);
  size_t used = strlen(text);
  snprintf(text + used, WEFT_DEMO_FIGURE - used, " %s%s", prefixes[k].name, unit);
}

void weft_demo_promise(char *text, double limit, double now) {
  char asked[WEFT_DEMO_FIGURE], is[WEFT_DEMO_FIGURE];
  weft_demo_figure_of(asked, 100 * limit, "%");
  weft_demo_figure_of(is, 100 * now, "%");
  const char *form = now > limit ? ", %s asked, now %s" : ", for at most %s";
  snprintf(text, WEFT_DEMO_PROMISE, form, asked, is);
}
