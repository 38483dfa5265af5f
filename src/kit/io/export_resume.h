/* export_resume.h: a file of frames goes on where an earlier run left it. */
#ifndef WEFT_IO_EXPORT_RESUME_H
#define WEFT_IO_EXPORT_RESUME_H

#include <weft_kit/export.h>

/* Frames so far are on the disk when this returns, and stay there whatever becomes of the run. */
weft_result weft_export_hold(weft_export *cache, weft_error *err);
/* Into a cache that has none yet: so many frames of a file that one of the same format wrote, whole
 * or left by a process that was killed. The last of them must be `last`, in every bit, so that they
 * are those of this run. False where they are not; then it has none again. */
bool weft_export_take(weft_export *cache, const char *path, uint32_t frames, const weft_vec3 *last);

#endif
