/* motion_internal.h: what a source of motion gives, and the sources there are. */
#ifndef WEFT_MOTION_INTERNAL_H
#define WEFT_MOTION_INTERNAL_H

#include <weft_kit/motion.h>

#include "base.h"
#include "files.h"
#include "mesh_internal.h"

enum { WEFT_MOTION_MAX_FRAMES = 1000000 };

/* A file with frames has `frame`; one that has a pose for any time has `pose`, and times are those
 * at which it is measured. Positions are metres, and are checked by the caller. */
typedef struct weft_motion_source {
  const char *kind;
  void *self;
  void (*free)(void *self);
  weft_result (*frame)(void *self, uint32_t frame, weft_vec3 *positions, weft_error *err);
  void (*pose)(void *self, double seconds, weft_vec3 *positions);
  uint32_t frame_count;
  double *times;                /* [frame_count] seconds, ascending from 0 */
  double file_start, file_step; /* as in weft_motion_info; 0 is a step of 1 */
} weft_motion_source;

/* desc has its defaults. OBJ files and glTF fill the mesh, the others find it filled. On failure
 * the source has nothing but perhaps times. */
typedef weft_result weft_motion_open(const weft_motion_desc *desc, weft_mesh *mesh,
                                     weft_motion_source *source, weft_error *err);
weft_motion_open weft_sequence_open, weft_pc2_open, weft_mdd_open, weft_gltf_motion_open,
    weft_keys_open;

/* Fills times with those of frames_per_second up to a duration, and that. */
weft_result weft_motion_measured_times(const weft_motion_desc *desc, double duration,
                                       weft_motion_source *source, weft_error *err);
/* Fills times with those of so many frames. */
weft_result weft_motion_even_times(const char *path, uint64_t count, double interval,
                                   weft_motion_source *source, weft_error *err);

/* The last of ascending times that is not after `seconds`; the first where all are. */
static inline uint32_t weft_motion_last_before(const double *times, uint32_t count,
                                               double seconds) {
  uint32_t low = 0, high = count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (times[middle] <= seconds) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Whether a motion is the text of a key file instead of its name; and what it is called in
 * messages.
 */
static inline bool weft_is_key_text(const char *motion) { return motion[0] == '{'; }
static inline const char *weft_motion_name(const weft_motion_desc *desc) {
  return weft_is_key_text(desc->motion) ? "keys" : weft_shown_path(desc->motion);
}

#endif
