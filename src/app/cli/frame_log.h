/* frame_log.h: --log, a row a frame of what the cloth does. */
#ifndef WEFT_CLI_FRAME_LOG_H
#define WEFT_CLI_FRAME_LOG_H

#include <jansson.h>

#include "cli.h"
#include "watch.h"

/* Zero-initialised: nothing is written. */
typedef struct weft_frame_log {
  const char *path; /* .csv or .jsonl; NULL: none */
  bool instances;   /* a row of each instance */
  FILE *file;
  bool csv, headed; /* headed: the first row is written */
  json_t *run;      /* owned: what the first row holds besides, for weft verify; NULL: nothing */
  bool failed;      /* the error is one of writing: WEFT_EXIT_OUTPUT */
} weft_frame_log;

/* Before anything runs: the ending, and whether it can be written, over nothing that the options
 * name to be read. */
weft_result weft_frame_log_check(weft_frame_log *log, const weft_cli_options *options,
                                 weft_error *err);
/* Begins the file, or goes on behind the row of the solver's frame. The first row of JSON holds the
 * scene, for weft verify. Rows are there as soon as they are written: a run that is killed leaves
 * those of its frames. */
weft_result weft_frame_log_open(weft_frame_log *log, const weft_cli_options *options,
                                const weft_cli_session *session, weft_error *err);
/* The solver's present state, `state` on the host; ms: of the frame that led to it, below 0: none
 * did. */
weft_result weft_frame_log_row(weft_frame_log *log, weft_solver *solver,
                               const weft_kept_state *state, double ms, weft_error *err);
weft_result weft_frame_log_close(weft_frame_log *log, weft_error *err); /* one not open as well */

#endif
