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

static inline contact shape_contact(weft_collider_pose pose, shape_axis axis, weft_vec3 from) {
  switch (pose.shape) {
#define WEFT_SHAPE(ID, name, ...) \
  case WEFT_COLLIDER_##ID:        \
    return name##_contact(pose, axis, from);
#include "shapes.def"
#undef WEFT_SHAPE
  }
  return (contact){.depth = 0};
}

static inline weft_vec3 shape_carried(weft_collider_pose pose, shape_axis axis, weft_vec3 p) {
  switch (pose.shape) {
#define WEFT_SHAPE(ID, name, ...) \
  case WEFT_COLLIDER_##ID:        \
    return name##_carried(pose, axis, p);
#include "shapes.def"
#undef WEFT_SHAPE
  }
  return p;
}

static inline weft_vec3 shape_start(weft_collider_pose pose, shape_axis axis_then,
                                    weft_vec3 before) {
  switch (pose.shape) {
#define WEFT_SHAPE(ID, name, ...) \
  case WEFT_COLLIDER_##ID:        \
    return name##_start(pose, axis_then, before);
#include "shapes.def"
#undef WEFT_SHAPE
  }
  return before;
}

static inline float shape_enter(weft_collider_pose pose, shape_axis axis, weft_vec3 from,
                                weft_vec3 move) {
  switch (pose.shape) {
#define WEFT_SHAPE(ID, name, ...) \
  case WEFT_COLLIDER_##ID:        \
    return name##_enter(pose, axis, from, move);
#include "shapes.def"
#undef WEFT_SHAPE
  }
  return 2;
}

#include <kernels/collide.h>

#include <kernels/lang_c_end.h>

#endif
