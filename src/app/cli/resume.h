/* resume.h: a run that is kept in a file, to go on from there: --checkpoint and --resume. */
#ifndef WEFT_CLI_RESUME_H
#define WEFT_CLI_RESUME_H

#include "intersections_seen.h"
#include "outputs.h"
#include "watch.h"

typedef struct weft_cli_checkpoint {
  const char *path, *from; /* --checkpoint, --resume; NULL: not given */
  uint32_t every;          /* frames */
  void *bytes;             /* of `from` */
  size_t size;
  uint64_t process; /* that wrote it */
  uint64_t frame;   /* that it was written after, or the one read */
  bool failed;      /* one could not be written */
} weft_cli_checkpoint;

/* What a run has seen so far, for its summary. */
typedef struct weft_cli_seen {
  double *stepping; /* s */
  weft_watch *watch;
  weft_intersections_seen *intersections;
} weft_cli_seen;

/* Before anything is written: reads what --resume names, and holds it against the options. */
weft_result weft_cli_resume_read(weft_cli_checkpoint *checkpoint, const weft_cli_options *options,
                                 weft_error *err);
/* Puts the solver into the state that was read, and what was seen until then. */
weft_result weft_cli_resume(const weft_cli_checkpoint *checkpoint, weft_solver *solver,
                            const weft_cli_seen *seen, weft_error *err);
/* After a frame, if it is time or `now`: first what the outputs have so far, then the run.
 * WEFT_ERROR_NOT_FINITE where the state is no more; where it cannot be written the run goes on, and
 * what was written before stays. */
weft_result weft_cli_checkpoint_write(weft_cli_checkpoint *checkpoint, bool now,
                                      const weft_cli_options *options, weft_solver *solver,
                                      const weft_cli_seen *seen, weft_cli_outputs *outputs,
                                      weft_error *err);
void weft_cli_checkpoint_free(weft_cli_checkpoint *checkpoint);

#endif
