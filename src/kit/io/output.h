/* output.h: files that are written.
 *
 * Links are followed; an older file keeps its mode, and is refused where it may not be written. A
 * named pipe that was checked stays open for weft_output_open: to its reader closing is the end. */
#ifndef WEFT_IO_OUTPUT_H
#define WEFT_IO_OUTPUT_H

#include <stdio.h>

#include "base.h"

/* A file written under a temporary name beside `path`, checked on close, then renamed over it:
 * a failed or interrupted write loses nothing. weft_output_close(NULL-safe) returns the verdict. */
typedef struct weft_output weft_output; /* of the path "-": standard output, as it comes */
weft_result weft_output_open(const char *path, weft_output **out, weft_error *err);
/* Standard output is for outputs named "-" alone: what else is printed goes to standard error. */
void weft_output_take_standard(void);
/* Whether that would open: for before a long run. NULL: nothing is to be written. */
weft_result weft_output_check(const char *path, weft_error *err);
FILE *weft_output_file(weft_output *out); /* for fprintf/fwrite/libpng */
/* The name it is written under until it is closed, for another program to write to. */
const char *weft_output_writes_to(const weft_output *out);
weft_result weft_output_close(weft_output *out, weft_error *err); /* flush, check, rename */
void weft_output_abandon(weft_output *out);                       /* remove the temporary */
/* What is written so far is on the disk when this returns. */
weft_result weft_output_sync(weft_output *out, weft_error *err);
/* From now on its temporary file is left where the run ends without closing it: a checkpoint counts
 * on it. */
void weft_output_keep(weft_output *out);
bool weft_output_kept(const weft_output *out);
/* Gives what a process left of a file a name that no other process takes; where that is, or NULL
 * where nothing was left, to be freed with weft_free. */
void weft_output_set_aside(const char *path, uint64_t process);
char *weft_output_aside(const char *path);
/* What was set aside is needed no longer. */
void weft_output_forget_aside(const char *path);
/* Of all that are open, for a process that ends at once; a handler of signals may call it on the
 * thread that outputs belong to. */
void weft_outputs_abandon(void);

/* The file that is written where `path` is: links followed, its folder without any, as far as there
 * is one. Freed with weft_free. */
char *weft_output_place(const char *path);

/* After a write that failed: leaves the first `bytes` of the file and goes on behind them. False
 * where that cannot be. */
bool weft_output_cut(weft_output *out, uint64_t bytes);

#endif
