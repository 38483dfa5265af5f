/* figures.h: numbers for people: three digits that count, and a unit. */
#ifndef WEFT_DEMO_FIGURES_H
#define WEFT_DEMO_FIGURES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_DEMO_FIGURE = 48 }; /* bytes that any figure fits in */

/* "12,300", "108", "1.08", "0.013": at most three digits count and three follow the point. */
void weft_demo_figure(char *text, double value);
/* With a unit and, where that makes it shorter, a prefix: "4.23 mJ", "2.1 M/s". "%" has none. */
void weft_demo_figure_of(char *text, double value, const char *unit);

/* Of p99 of strain, parts: ", for at most 1.03 %", and where more is measured ", 1.03 % asked, now
 * 4.20 %". */
enum { WEFT_DEMO_PROMISE = 3 * WEFT_DEMO_FIGURE };
void weft_demo_promise(char *text, double limit, double now);

#ifdef __cplusplus
}
#endif

#endif
