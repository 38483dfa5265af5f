/* Times of frames that follow each other evenly. */
#include "motion_internal.h"

weft_result weft_motion_even_times(const char *path, uint64_t count, double interval,
                                   weft_motion_source *source, weft_error *err) {
  if (count > WEFT_MOTION_MAX_FRAMES) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %llu frames; at most %d", weft_shown_path(path),
                     (unsigned long long)count, WEFT_MOTION_MAX_FRAMES);
  }
  source->frame_count = (uint32_t)count;
  source->times = weft_alloc(count, sizeof *source->times);
  for (uint32_t k = 0; k < count; ++k) source->times[k] = k * interval;
  return WEFT_OK;
}
