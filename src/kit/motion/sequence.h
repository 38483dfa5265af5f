/* sequence.h: names that stand for a file a frame: body-%04d.obj. */
#ifndef WEFT_MOTION_SEQUENCE_H
#define WEFT_MOTION_SEQUENCE_H

#include <weft/types.h>

/* Whether a name stands for a file a frame: it has a %, and no file is called just so. */
bool weft_is_sequence(const char *path);

/* Calls `see` with the name of each file that there is. The errors are those of
 * weft_motion_load; then nothing was seen. */
weft_result weft_sequence_list(const char *pattern, void (*see)(const char *path, void *user),
                               void *user, weft_error *err);

#endif
