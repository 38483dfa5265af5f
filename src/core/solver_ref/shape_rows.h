/* shape_rows.h: what the rows of shapes.def make of the kernels of collision, in C. */
#ifndef WEFT_REF_SHAPE_ROWS_H
#define WEFT_REF_SHAPE_ROWS_H

#include "backend.h"
#include "exact.h"

#include <kernels/lang_c.h>
/* in that language */
#include <rows/shape_kernels.h>

#define NOW_AXIS shape_axis_at_end(pose)
#define THEN_AXIS shape_axis_at_start(pose)
#define NOW_ROUND shape_axis_none()
#define THEN_ROUND shape_axis_none()
#define IS_SWEPT true
#define IS_UNSWEPT false

static inline bool shape_is_swept(weft_collider_pose pose) {
  switch (pose.shape) {
#define WEFT_SHAPE(ID, name, swept, axis, ...) \
  case WEFT_COLLIDER_##ID:                     \
    return IS_##swept;
#include "shapes.def"
#undef WEFT_SHAPE
  }
  return false;
}

/* At the end of the substep, and at its beginning. */
static inline shape_axis shape_axis_now(weft_collider_pose pose) {
  switch (pose.shape) {
#define WEFT_SHAPE(ID, name, swept, axis, ...) \
  case WEFT_COLLIDER_##ID:                     \
    return NOW_##axis;
#include "shapes.def"
#undef WEFT_SHAPE
  }
  return NOW_ROUND;
}

static inline shape_axis shape_axis_then(weft_collider_pose pose) {
  switch (pose.shape) {
#define WEFT_SHAPE(ID, name, swept, axis, ...) \
  case WEFT_COLLIDER_##ID:                     \
    return THEN_##axis;
#include "shapes.def"
#undef WEFT_SHAPE
  }
  return NOW_ROUND;
}

#include "shape_choice.h"

#include <kernels/collide.h>

#include <kernels/lang_c_end.h>

#endif
