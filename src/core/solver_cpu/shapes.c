/* shapes.c: bounds of shapes, in double and rounded outward. */
#include "shapes.h"

#include <math.h>
#include <string.h>

#include "shape.h"
#include "shape_rows.h"
#include "vec3d.h"

typedef struct bound {
  weft_vec3 a, axis, normal;
  double inverse, reach, move, turn, limit;
} bound;

static double product(weft_vec3 a, weft_vec3 b) {
  return weft_v3d_dot(weft_v3d_from(a), weft_v3d_from(b));
}

static double length_of(weft_vec3 v) { return sqrt(product(v, v)); }

/* In its own axes a point is as far from a box's centre as in space, if these are of length 1 and
 * square to each other. */
static bool is_upright(const weft_collider_pose *shape) {
  const weft_vec3 axes[3] = {exact_xyz(shape->axis_x), exact_xyz(shape->axis_y),
                             exact_xyz(shape->axis_z)};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double off = fabs(product(axes[i], axes[j]) - (i == j ? 1 : 0));
      if (!(off < (double)WEFT_BOUND_SLACK / 16)) return false;
    }
  }
  return true;
}

static void bound_axis(const weft_collider_pose *shape, bound *b) {
  b->axis = exact_flush3(weft_v3_sub(exact_xyz(shape->b), exact_xyz(shape->a)));
  double axis2 = product(b->axis, b->axis);
  /* Of an axis shorter than what is added to `reach` any point will do. */
  b->inverse = axis2 > 1e-24 ? 1 / axis2 : 0;
  b->reach += (double)WEFT_BOUND_SLACK * length_of(b->axis);
  b->move += length_of(weft_v3_sub(exact_xyz(shape->move_b), exact_xyz(shape->move_a)));
}

static void bound_box(const weft_collider_pose *shape, bound *b) {
  b->reach += is_upright(shape) ? length_of(exact_xyz(shape->b)) : INFINITY;
  b->turn = weft_v3d_length(weft_v3d(length_of(exact_xyz(shape->turn_x)),
                                     length_of(exact_xyz(shape->turn_y)),
                                     length_of(exact_xyz(shape->turn_z))));
}

static bound bound_of(const weft_collider_pose *shape) {
  bound b = {.a = exact_xyz(shape->a),
             .reach = fmax((double)shape->a.w, 0),
             .move = length_of(exact_xyz(shape->move_a)),
             .limit = sqrt((double)shape->axis_x.w)};
  if (weft_shape_infos[shape->shape].axis) bound_axis(shape, &b);
  if (weft_shape_infos[shape->shape].size == WEFT_SHAPE_HALF) bound_box(shape, &b);
  if (shape->shape == WEFT_COLLIDER_PLANE) {
    b.normal = exact_xyz(shape->b);
    b.reach /= length_of(b.normal); /* not a number without a normal, and then never far away */
    b.limit = INFINITY;
  }
  if (!weft_shape_infos[shape->shape].bounded) { /* anybody may touch it, and be swept */
    b.reach = INFINITY;
    b.limit = 0;
  }
  const double more = 1 + (double)WEFT_BOUND_SLACK;
  b.reach = b.reach * more + 1e-9;
  b.move *= more;
  b.turn *= more;
  b.limit /= more;
  return b;
}

static void put3(float *field, uint32_t lanes, weft_vec3 v) {
  field[0] = v.x;
  field[lanes] = v.y;
  field[2 * lanes] = v.z;
}

static void put_bound(float *field, uint32_t lanes, const weft_collider_pose *shape) {
  bound b = bound_of(shape);
  uint32_t plane = shape->shape == WEFT_COLLIDER_PLANE ? UINT32_MAX : 0;
  put3(field + WEFT_BOUND_A * lanes, lanes, b.a);
  put3(field + WEFT_BOUND_AXIS * lanes, lanes, b.axis);
  put3(field + WEFT_BOUND_NORMAL * lanes, lanes, b.normal);
  memcpy(field + WEFT_BOUND_PLANE * lanes, &plane, sizeof plane);
  field[WEFT_BOUND_INVERSE * lanes] = (float)b.inverse;
  field[WEFT_BOUND_REACH * lanes] = (float)b.reach;
  field[WEFT_BOUND_MOVE * lanes] = (float)b.move;
  field[WEFT_BOUND_TURN * lanes] = (float)b.turn;
  field[WEFT_BOUND_LIMIT * lanes] = (float)b.limit;
}

static weft_shape_axis plain(shape_axis axis) {
  return (weft_shape_axis){axis.axis, axis.axis2, axis.inverse};
}

void weft_shapes_prepare(weft_shapes *shapes, const weft_collider_pose *poses, uint32_t count,
                         uint32_t lanes) {
  shapes->poses = poses;
  shapes->count = count;
  shapes->solid = false;
  for (uint32_t k = 0; k < count; ++k) {
    shapes->axes[k] = plain(shape_axis_now(poses[k]));
    shapes->axes_then[k] = plain(shape_axis_then(poses[k]));
    shapes->swept[k] = shape_is_swept(poses[k]);
    shapes->solid |= shapes->swept[k];
    float *block = shapes->bounds + (size_t)(k / lanes) * lanes * WEFT_BOUND_FIELDS;
    put_bound(block + k % lanes, lanes, &poses[k]);
  }
}
