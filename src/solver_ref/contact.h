/* contact.h: where a particle meets a rigid shape, and how that shape's surface moves there.
 *
 * Twin of shaders/lib/contact.glsl, statement for statement. */
#ifndef WEFT_REF_CONTACT_H
#define WEFT_REF_CONTACT_H

#include "backend.h"
#include "exact.h"

typedef struct weft_contact {
  weft_vec3 n; /* out of the shape, of length 1; 0 where no direction is right */
  float depth; /* m below the surface, thickness included; negative outside */
} weft_contact;

typedef struct weft_lookout {
  weft_vec3 at;
  bool swept;
} weft_lookout;

/* ---- where a point lies ---- */

/* Part of the way along an axis from its start to the point of it nearest to `from`. */
static inline float contact_along(weft_vec3 axis, weft_vec3 from) {
  float axis2 = exact_dot(axis, axis);
  float along = exact_dot(axis, from);
  along = exact_flush(along);
  float inverse = exact_rcp(axis2);
  float t = along * inverse;
  t = axis2 > 0.0f ? t : 0.0f;
  t = t > 0.0f ? t : 0.0f;
  t = t < 1.0f ? t : 1.0f;
  t = exact_flush(t);
  return t;
}

/* A vector of space in a box's own axes, and back. */
static inline weft_vec3 contact_local(const weft_collider_pose *shape, weft_vec3 v) {
  weft_vec3 q;
  q.x = exact_dot(exact_xyz(shape->axis_x), v);
  q.y = exact_dot(exact_xyz(shape->axis_y), v);
  q.z = exact_dot(exact_xyz(shape->axis_z), v);
  q = exact_flush3(q);
  return q;
}

static inline weft_vec3 contact_world(const weft_collider_pose *shape, weft_vec3 q) {
  weft_vec3 x = weft_v3_scale(exact_xyz(shape->axis_x), q.x);
  weft_vec3 y = weft_v3_scale(exact_xyz(shape->axis_y), q.y);
  weft_vec3 z = weft_v3_scale(exact_xyz(shape->axis_z), q.z);
  weft_vec3 v = weft_v3_add(x, y);
  v = weft_v3_add(v, z);
  v = exact_flush3(v);
  return v;
}

/* Component by component: GLSL's product of two vectors. */
static inline weft_vec3 contact_times(weft_vec3 a, weft_vec3 b) {
  return weft_v3(a.x * b.x, a.y * b.y, a.z * b.z);
}

/* Against all points within a radius of the one that is `from` away. */
static inline weft_contact contact_round(weft_vec3 from, float radius) {
  from = exact_flush3(from);
  float distance2 = exact_dot(from, from);
  float inverse = exact_rsqrt(distance2);
  float away = distance2 * inverse;
  float depth = radius - away;
  weft_vec3 n = weft_v3_scale(from, inverse);
  n = exact_flush3(n);
  /* In the very centre no direction is right: leave the particle to the others. */
  depth = distance2 > 0.0f ? depth : 0.0f;
  return (weft_contact){n, depth};
}

static inline weft_contact contact_plane(const weft_collider_pose *shape, weft_vec3 from) {
  weft_vec3 n = exact_xyz(shape->b);
  float height = exact_dot(from, n);
  height = exact_flush(height);
  float depth = shape->a.w - height;
  return (weft_contact){n, depth};
}

static inline weft_contact contact_capsule(const weft_collider_pose *shape, weft_vec3 from) {
  weft_vec3 axis = weft_v3_sub(exact_xyz(shape->b), exact_xyz(shape->a));
  axis = exact_flush3(axis);
  float t = contact_along(axis, from);
  weft_vec3 reach = weft_v3_scale(axis, t);
  weft_vec3 out_of = weft_v3_sub(from, reach);
  return contact_round(out_of, shape->a.w);
}

/* Outside: the nearest point of the box. Inside: out of the nearest face. */
static inline weft_contact contact_box(const weft_collider_pose *shape, weft_vec3 from) {
  weft_vec3 q = contact_local(shape, exact_flush3(from));
  weft_vec3 over = weft_v3_sub(weft_v3(fabsf(q.x), fabsf(q.y), fabsf(q.z)), exact_xyz(shape->b));
  weft_vec3 side =
      weft_v3(q.x < 0.0f ? -1.0f : 1.0f, q.y < 0.0f ? -1.0f : 1.0f, q.z < 0.0f ? -1.0f : 1.0f);
  bool on_x = over.x >= over.y && over.x >= over.z;
  bool on_y = !on_x && over.y >= over.z;
  bool on_z = !on_x && !on_y;
  float away = on_x ? over.x : (on_y ? over.y : over.z);
  if (away > 0.0f) {
    over.x = over.x > 0.0f ? over.x : 0.0f;
    over.y = over.y > 0.0f ? over.y : 0.0f;
    over.z = over.z > 0.0f ? over.z : 0.0f;
    over = contact_times(over, side);
    weft_contact corner = contact_round(over, shape->a.w);
    weft_vec3 slant = contact_world(shape, corner.n);
    return (weft_contact){slant, corner.depth};
  }
  float depth = shape->a.w - away;
  weft_vec3 n = weft_v3(on_x ? side.x : 0.0f, on_y ? side.y : 0.0f, on_z ? side.z : 0.0f);
  n = contact_world(shape, n);
  return (weft_contact){n, depth};
}

static inline weft_contact contact_at(const weft_collider_pose *shape, weft_vec3 p) {
  weft_vec3 from = weft_v3_sub(p, exact_xyz(shape->a));
  if (shape->shape == WEFT_SHAPE_PLANE) return contact_plane(shape, from);
  if (shape->shape == WEFT_SHAPE_CAPSULE) return contact_capsule(shape, from);
  if (shape->shape == WEFT_SHAPE_BOX) return contact_box(shape, from);
  return contact_round(from, shape->a.w);
}

/* ---- how the shape moves ---- */

/* How far the surface point that is now at p was carried in this substep. */
static inline weft_vec3 contact_carried(const weft_collider_pose *shape, weft_vec3 p) {
  weft_vec3 carried = exact_xyz(shape->move_a);
  weft_vec3 arm = weft_v3_sub(p, exact_xyz(shape->a));
  if (shape->shape == WEFT_SHAPE_CAPSULE) {
    weft_vec3 axis = weft_v3_sub(exact_xyz(shape->b), exact_xyz(shape->a));
    axis = exact_flush3(axis);
    float t = contact_along(axis, arm);
    weft_vec3 reach = weft_v3_scale(axis, t);
    arm = weft_v3_sub(arm, reach);
    weft_vec3 bend = weft_v3_sub(exact_xyz(shape->move_b), exact_xyz(shape->move_a));
    bend = weft_v3_scale(bend, t);
    carried = weft_v3_add(carried, bend);
  }
  arm = exact_flush3(arm);
  weft_vec3 turned;
  turned.x = exact_dot(exact_xyz(shape->turn_x), arm);
  turned.y = exact_dot(exact_xyz(shape->turn_y), arm);
  turned.z = exact_dot(exact_xyz(shape->turn_z), arm);
  carried = weft_v3_add(carried, turned);
  carried = exact_flush3(carried);
  return carried;
}

/* Where a particle's start would be had it gone with the shape: the shape then stands still at its
 * end. A ball looks the same however it spins, so that only a box takes the turn along, by the
 * transposed matrix. */
static inline weft_vec3 contact_start(const weft_collider_pose *shape, weft_vec3 before) {
  weft_vec3 start = weft_v3_add(before, exact_xyz(shape->move_a));
  if (shape->shape == WEFT_SHAPE_CAPSULE) {
    weft_vec3 a = weft_v3_sub(exact_xyz(shape->a), exact_xyz(shape->move_a));
    weft_vec3 b = weft_v3_sub(exact_xyz(shape->b), exact_xyz(shape->move_b));
    weft_vec3 axis = weft_v3_sub(b, a);
    axis = exact_flush3(axis);
    weft_vec3 from = weft_v3_sub(before, a);
    float t = contact_along(axis, from);
    weft_vec3 bend = weft_v3_sub(exact_xyz(shape->move_b), exact_xyz(shape->move_a));
    bend = weft_v3_scale(bend, t);
    start = weft_v3_add(start, bend);
  }
  if (shape->shape == WEFT_SHAPE_BOX) {
    weft_vec3 arm = weft_v3_sub(start, exact_xyz(shape->a));
    arm = exact_flush3(arm);
    weft_vec3 x = weft_v3_scale(exact_xyz(shape->turn_x), arm.x);
    weft_vec3 y = weft_v3_scale(exact_xyz(shape->turn_y), arm.y);
    weft_vec3 z = weft_v3_scale(exact_xyz(shape->turn_z), arm.z);
    weft_vec3 turned = weft_v3_add(x, y);
    turned = weft_v3_add(turned, z);
    start = weft_v3_sub(start, turned);
  }
  start = exact_flush3(start);
  return start;
}

/* ---- where a path enters: the part of `move` before it does, 2 when it does not ---- */

/* Into a ball about the point that is `from` away from the start. Solved about the path's nearest
 * point, where the textbook quadratic would lose a small ball to a long path. */
static inline float contact_enter_ball(weft_vec3 from, weft_vec3 move, float radius) {
  float from2 = exact_dot(from, from);
  float radius2 = radius * radius;
  if (from2 <= radius2) return 0.0f;
  float move2 = exact_dot(move, move);
  float toward = exact_dot(from, move);
  toward = -toward;
  toward = exact_flush(toward);
  if (!(toward > 0.0f)) return 2.0f;
  float inverse2 = exact_rcp(move2);
  float nearest = toward * inverse2;
  nearest = exact_flush(nearest);
  weft_vec3 reach = weft_v3_scale(move, nearest);
  weft_vec3 miss = weft_v3_add(from, reach);
  miss = exact_flush3(miss);
  float miss2 = exact_dot(miss, miss);
  float under = radius2 - miss2;
  if (!(under > 0.0f)) return 2.0f;
  float half_chord = exact_rsqrt(under);
  half_chord = under * half_chord;
  float inverse = exact_rsqrt(move2);
  float back = half_chord * inverse;
  float t = nearest - back;
  t = t > 0.0f ? t : 0.0f;
  t = exact_flush(t);
  return t;
}

/* How far along an axis v reaches, as part of it; and what is left of v square to it. */
static inline float contact_part(weft_vec3 v, weft_vec3 axis, float inverse_axis2) {
  float part = exact_dot(v, axis);
  part = exact_flush(part);
  part = part * inverse_axis2;
  part = exact_flush(part);
  return part;
}

static inline weft_vec3 contact_square_to(weft_vec3 v, weft_vec3 axis, float inverse_axis2) {
  float along = contact_part(v, axis, inverse_axis2);
  weft_vec3 part = weft_v3_scale(axis, along);
  weft_vec3 rest = weft_v3_sub(v, part);
  rest = exact_flush3(rest);
  return rest;
}

/* Into the endless cylinder first; where that lies past an end of the axis, only that end's ball
 * can be met. */
static inline float contact_enter_capsule(const weft_collider_pose *shape, weft_vec3 from,
                                          weft_vec3 move) {
  weft_vec3 axis = weft_v3_sub(exact_xyz(shape->b), exact_xyz(shape->a));
  axis = exact_flush3(axis);
  float axis2 = exact_dot(axis, axis);
  if (!(axis2 > 0.0f)) return contact_enter_ball(from, move, shape->a.w);
  float inverse = exact_rcp(axis2);
  weft_vec3 from_side = contact_square_to(from, axis, inverse);
  weft_vec3 move_side = contact_square_to(move, axis, inverse);
  float side2 = exact_dot(move_side, move_side);
  float move2 = exact_dot(move, move);
  float parallel = move2 * (float)WEFT_MIN_LENGTH_RATIO2;
  float t = 0.0f;
  if (side2 > parallel) t = contact_enter_ball(from_side, move_side, shape->a.w);
  if (t > 1.0f) return 2.0f;
  weft_vec3 reach = weft_v3_scale(move, t);
  weft_vec3 entry = weft_v3_add(from, reach);
  float along = contact_part(entry, axis, inverse);
  if (along < 0.0f) return contact_enter_ball(from, move, shape->a.w);
  if (along > 1.0f) {
    weft_vec3 from_b = weft_v3_sub(from, axis);
    from_b = exact_flush3(from_b);
    return contact_enter_ball(from_b, move, shape->a.w);
  }
  return t;
}

typedef struct contact_span {
  float x, y;
} contact_span;

/* Between the two faces across one axis: where the path comes in (x) and goes out (y). */
static inline contact_span contact_slab(float from, float move, float half_size) {
  if (move == 0.0f)
    return fabsf(from) > half_size ? (contact_span){2.0f, -1.0f} : (contact_span){-1.0f, 2.0f};
  float inverse = exact_rcp(fabsf(move));
  float along = move < 0.0f ? -from : from;
  float near = -half_size;
  near = near - along;
  near = near * inverse;
  float far = half_size - along;
  far = far * inverse;
  return (contact_span){near, far};
}

/* Into the box grown by the thickness, whose edges stay sharp. */
static inline float contact_enter_box(const weft_collider_pose *shape, weft_vec3 from,
                                      weft_vec3 move) {
  weft_vec3 q = contact_local(shape, from);
  weft_vec3 step = contact_local(shape, move);
  weft_vec3 grown = weft_v3_add(exact_xyz(shape->b), weft_v3(shape->a.w, shape->a.w, shape->a.w));
  contact_span x = contact_slab(q.x, step.x, grown.x);
  contact_span y = contact_slab(q.y, step.y, grown.y);
  contact_span z = contact_slab(q.z, step.z, grown.z);
  float enter = x.x > y.x ? x.x : y.x;
  enter = enter > z.x ? enter : z.x;
  float leave = x.y < y.y ? x.y : y.y;
  leave = leave < z.y ? leave : z.y;
  if (enter > leave || leave < 0.0f) return 2.0f;
  enter = enter > 0.0f ? enter : 0.0f;
  enter = exact_flush(enter);
  return enter;
}

static inline float contact_enter(const weft_collider_pose *shape, weft_vec3 start,
                                  weft_vec3 move) {
  weft_vec3 from = weft_v3_sub(start, exact_xyz(shape->a));
  from = exact_flush3(from);
  if (shape->shape == WEFT_SHAPE_CAPSULE) return contact_enter_capsule(shape, from, move);
  if (shape->shape == WEFT_SHAPE_BOX) return contact_enter_box(shape, from, move);
  return contact_enter_ball(from, move, shape->a.w);
}

/* ---- one particle, one shape, one substep ---- */

/* Where to look for contact on the way from `before` to p. A step that the test at its end sees
 * alone: there. A longer one that began outside, or hardly inside: where it enters, in the frame of
 * the shape at its end. */
static inline weft_lookout contact_lookout(const weft_collider_pose *shape, weft_vec3 before,
                                           weft_vec3 p) {
  weft_vec3 start = contact_start(shape, before);
  weft_vec3 move = weft_v3_sub(p, start);
  move = exact_flush3(move);
  float move2 = exact_dot(move, move);
  if (!(move2 > shape->axis_x.w)) return (weft_lookout){p, false};
  weft_contact outset = contact_at(shape, start);
  float n2 = exact_dot(outset.n, outset.n);
  if (outset.depth > shape->b.w || n2 == 0.0f) return (weft_lookout){p, false};
  float t = contact_enter(shape, start, move);
  if (t > 1.0f) return (weft_lookout){p, false};
  weft_vec3 way = weft_v3_scale(move, t);
  weft_vec3 entry = weft_v3_add(start, way);
  entry = exact_flush3(entry);
  return (weft_lookout){entry, true};
}

/* The contact of one particle with one shape in one substep: against the tangent plane nearest to
 * the lookout. */
static inline weft_contact contact_find(const weft_collider_pose *shape, weft_vec3 lookout,
                                        weft_vec3 p) {
  weft_contact met = contact_at(shape, lookout);
  weft_vec3 rest = weft_v3_sub(p, lookout);
  rest = exact_flush3(rest);
  float above = exact_dot(rest, met.n);
  above = exact_flush(above);
  float depth = met.depth - above;
  return (weft_contact){met.n, depth};
}

/* How far the particle, now at p, slid over the surface: in the whole substep, or since it came in.
 */
static inline weft_vec3 contact_slide(const weft_collider_pose *shape, weft_lookout look,
                                      weft_vec3 before, weft_vec3 p) {
  weft_vec3 slide = weft_v3_sub(p, look.at);
  if (look.swept) return slide;
  slide = weft_v3_sub(p, before);
  weft_vec3 carried = contact_carried(shape, look.at);
  slide = weft_v3_sub(slide, carried);
  return slide;
}

#endif
