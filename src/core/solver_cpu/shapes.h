/* shapes.h: what collide knows of the shapes of a substep before it looks at any particle. */
#ifndef WEFT_CPU_SHAPES_H
#define WEFT_CPU_SHAPES_H

#include "backend.h"

/* What the kernels call shape_axis, worked out once instead of for every particle. */
typedef struct weft_shape_axis {
  weft_vec3 axis;
  float axis2, inverse;
} weft_shape_axis;

/* A block of bounds: a vector for each field, a lane for each shape. No particle that is further
 * than `reach` from the segment from a to a + axis is touched (a plane: from its surface), and none
 * is swept whose way in its frame is shorter than `limit`. That frame moves by up to `move`, and by
 * `turn` for each metre from a. */
enum {
  WEFT_BOUND_A = 0, /* three fields */
  WEFT_BOUND_AXIS = 3,
  WEFT_BOUND_NORMAL = 6, /* of a plane, else 0 */
  WEFT_BOUND_PLANE = 9,  /* bits: ones for a plane */
  WEFT_BOUND_INVERSE = 10,
  WEFT_BOUND_REACH = 11,
  WEFT_BOUND_MOVE = 12,
  WEFT_BOUND_TURN = 13,
  WEFT_BOUND_LIMIT = 14,
  WEFT_BOUND_FIELDS = 15
};

/* Bounds are worked out in float from rounded numbers: they are wider by this part of all lengths
 * that go into them, a thousand times what rounding can do. */
#define WEFT_BOUND_SLACK 0x1p-14f

typedef struct weft_shapes {
  const weft_collider_pose *poses;
  uint32_t count;
  bool solid;                     /* long steps are swept against some of them, */
  bool swept[WEFT_MAX_COLLIDERS]; /* and against which */
  weft_shape_axis axes[WEFT_MAX_COLLIDERS];
  weft_shape_axis axes_then[WEFT_MAX_COLLIDERS]; /* when the substep began */
  float bounds[WEFT_BOUND_FIELDS * WEFT_MAX_COLLIDERS];
} weft_shapes;

/* At most WEFT_MAX_COLLIDERS, which is whole blocks of any number of lanes. */
void weft_shapes_prepare(weft_shapes *shapes, const weft_collider_pose *poses, uint32_t count,
                         uint32_t lanes);

#endif
