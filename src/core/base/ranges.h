/* ranges.h: work on many items, a range of them for each processor. For preprocessing, where arrays
 * of millions of items are filled one by one. What comes out must not depend on the number of
 * ranges: it differs from machine to machine. */
#ifndef WEFT_RANGES_H
#define WEFT_RANGES_H

#include <stddef.h>
#include <stdint.h>

enum { WEFT_RANGES_MAX = 16 };

/* That this process may use. */
uint32_t weft_processors(void);

/* Items [first, end), the part-th range of all. */
typedef void weft_range_work(void *context, uint32_t part, size_t first, size_t end);

/* Ranges worth making of so many items here: 1 to WEFT_RANGES_MAX. */
uint32_t weft_ranges_worth(size_t count);
size_t weft_range_first(size_t count, uint32_t parts, uint32_t part);
/* Calls work for each of `parts` ranges, at once where threads can be had, and returns when all are
 * done. Memory that runs out in one of them is out when all have ended. */
void weft_ranges_run(size_t count, uint32_t parts, weft_range_work *work, void *context);

#endif
