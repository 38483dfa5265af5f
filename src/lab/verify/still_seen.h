/* still_seen.h: free particles that stood still although they were to move, over a run, in words.
 */
#ifndef WEFT_VERIFY_STILL_SEEN_H
#define WEFT_VERIFY_STILL_SEEN_H

#include "inspect.h"

typedef struct weft_still_seen {
  weft_standstill last; /* of the last frame that was asked for */
  weft_standstill most; /* of the frame in which most stood still */
  uint64_t most_frame;
} weft_still_seen;

/* After each frame. Without `now` it asks only where more stand still than before. */
weft_result weft_still_sample(weft_still_seen *seen, weft_solver *solver, bool now,
                              weft_error *err);
/* "uncertain", "cut", "list". */
const char *weft_still_reason_name(weft_still_reason reason);
/* "in pairs too near to be told apart". */
const char *weft_still_reason_text(weft_still_reason reason);
/* "14 of 867 free particles stand still since frame 1 (14 in pairs too near to be told apart, the
 * nearest edges 176-370 and 369-909, 6.8e-06 m)", with the numbers of the file. */
void weft_still_describe(const weft_model *model, const weft_standstill *still, char *text,
                         size_t size);

#endif
