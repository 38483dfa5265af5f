/* shape_choice.h: which shape's function is meant, from the rows of shapes.def, in the language of
 * kernels: the pose says which, the same for all lanes of a vector. */
#ifndef WEFT_REF_SHAPE_CHOICE_H
#define WEFT_REF_SHAPE_CHOICE_H

KERNEL contact shape_contact(weft_collider_pose pose, shape_axis axis, bool pairs, pair3 from) {
  switch (pose.shape) {
#define WEFT_SHAPE(ID, name, ...) \
  case WEFT_COLLIDER_##ID:        \
    return name##_contact(pose, axis, pairs, from);
#include "shapes.def"
#undef WEFT_SHAPE
  }
  return (contact){.depth = K(0)};
}

KERNEL real3 shape_carried(weft_collider_pose pose, shape_axis axis, real3 from) {
  switch (pose.shape) {
#define WEFT_SHAPE(ID, name, ...) \
  case WEFT_COLLIDER_##ID:        \
    return name##_carried(pose, axis, from);
#include "shapes.def"
#undef WEFT_SHAPE
  }
  return from;
}

KERNEL real3 shape_start(weft_collider_pose pose, shape_axis axis_then, real3 before) {
  switch (pose.shape) {
#define WEFT_SHAPE(ID, name, ...) \
  case WEFT_COLLIDER_##ID:        \
    return name##_start(pose, axis_then, before);
#include "shapes.def"
#undef WEFT_SHAPE
  }
  return before;
}

KERNEL real shape_enter(weft_collider_pose pose, shape_axis axis, real3 from, real3 move) {
  switch (pose.shape) {
#define WEFT_SHAPE(ID, name, ...) \
  case WEFT_COLLIDER_##ID:        \
    return name##_enter(pose, axis, from, move);
#include "shapes.def"
#undef WEFT_SHAPE
  }
  return K(2);
}

#endif
