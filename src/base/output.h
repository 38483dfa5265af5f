/* output.h: of weft_output what few need: where a file comes to be, and what is left of it.
 *
 * Links are followed; an older file keeps its mode, and is refused where it may not be written. A
 * named pipe that was checked stays open for weft_output_open: to its reader closing is the end. */
#ifndef WEFT_BASE_OUTPUT_H
#define WEFT_BASE_OUTPUT_H

#include "base.h"

/* The file that is written where `path` is: links followed, its folder without any, as far as there
 * is one. Freed with weft_free. */
char *weft_output_place(const char *path);

/* After a write that failed: leaves the first `bytes` of the file and goes on behind them. False
 * where that cannot be. */
bool weft_output_cut(weft_output *out, uint64_t bytes);

#endif
