/* Times of frames. */
#include "files.h"
#include "motion_internal.h"

static weft_result too_many(const char *path, double count, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %.0f frames; at most %d", weft_shown_path(path),
                   count, WEFT_MOTION_MAX_FRAMES);
}

weft_result weft_motion_even_times(const char *path, uint64_t count, double interval,
                                   weft_motion_source *source, weft_error *err) {
  if (count > WEFT_MOTION_MAX_FRAMES) return too_many(path, (double)count, err);
  source->frame_count = (uint32_t)count;
  source->times = weft_alloc(count, sizeof *source->times);
  for (uint32_t k = 0; k < count; ++k) source->times[k] = k * interval;
  return WEFT_OK;
}

weft_result weft_motion_measured_times(const weft_motion_desc *desc, double duration,
                                       weft_motion_source *source, weft_error *err) {
  /* A duration in floats may be a bit longer than so many frames. */
  double count = ceil(duration * desc->frames_per_second - 1e-3) + 1;
  if (!(count <= WEFT_MOTION_MAX_FRAMES)) return too_many(desc->motion, count, err);
  weft_result result = weft_motion_even_times(desc->motion, count < 1 ? 1 : (uint64_t)count,
                                              1 / desc->frames_per_second, source, err);
  if (source->frame_count > 1) source->times[source->frame_count - 1] = duration;
  return result;
}
