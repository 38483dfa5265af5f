// contact.glsl: where a particle meets a rigid shape, and how that shape's surface moves there.
//
// Twin of src/solver_ref/contact.h, statement for statement. Every shape is convex, so whatever lies
// beyond a tangent plane is clear of it: that is what makes one plane enough for a fast particle.

// Which shapes there can be, a bit for each: where it is known that there are only planes, no driver
// need carry the text of boxes along.
#ifndef WEFT_SHAPES
#define WEFT_SHAPES 15u
#endif
#define contact_is(pose, kind) \
  (WEFT_SHAPES == 1u << kind || ((WEFT_SHAPES & 1u << kind) != 0u && pose.shape == kind))

struct weft_contact {
  vec3 n;      // out of the shape, of length 1; 0 where no direction is right
  float depth; // m below the surface, thickness included; negative outside
};

// Where to look for contact: at the end of a step, or where it enters.
struct weft_lookout {
  vec3 at;
  bool swept;
};

// ---- where a point lies ----

// Part of the way along an axis from its start to the point of it nearest to `from`.
float contact_along(vec3 axis, vec3 from) {
  precise float axis2 = exact_dot(axis, axis);
  precise float along = exact_dot(axis, from);
  along = exact_flush(along);
  precise float inverse = exact_rcp(axis2);
  precise float t = along * inverse;
  t = axis2 > 0.0 ? t : 0.0;
  t = t > 0.0 ? t : 0.0;
  t = t < 1.0 ? t : 1.0;
  t = exact_flush(t);
  return t;
}

// A vector of space in a box's own axes, and back.
vec3 contact_local(weft_collider_pose shape, vec3 v) {
  precise vec3 q;
  q.x = exact_dot(shape.axis_x.xyz, v);
  q.y = exact_dot(shape.axis_y.xyz, v);
  q.z = exact_dot(shape.axis_z.xyz, v);
  q = exact_flush3(q);
  return q;
}

vec3 contact_world(weft_collider_pose shape, vec3 q) {
  precise vec3 x = shape.axis_x.xyz * q.x;
  precise vec3 y = shape.axis_y.xyz * q.y;
  precise vec3 z = shape.axis_z.xyz * q.z;
  precise vec3 v = x + y;
  v = v + z;
  v = exact_flush3(v);
  return v;
}

// Against all points within a radius of the one that is `from` away.
weft_contact contact_round(vec3 from, float radius) {
  from = exact_flush3(from);
  precise float distance2 = exact_dot(from, from);
  precise float inverse = exact_rsqrt(distance2);
  precise float away = distance2 * inverse;
  precise float depth = radius - away;
  precise vec3 n = from * inverse;
  n = exact_flush3(n);
  // In the very centre no direction is right: leave the particle to the others.
  depth = distance2 > 0.0 ? depth : 0.0;
  return weft_contact(n, depth);
}

weft_contact contact_plane(weft_collider_pose shape, vec3 from) {
  precise vec3 n = shape.b.xyz;
  precise float height = exact_dot(from, n);
  height = exact_flush(height);
  precise float depth = shape.a.w - height;
  return weft_contact(n, depth);
}

weft_contact contact_capsule(weft_collider_pose shape, vec3 from) {
  precise vec3 axis = shape.b.xyz - shape.a.xyz;
  axis = exact_flush3(axis);
  precise float t = contact_along(axis, from);
  precise vec3 reach = axis * t;
  precise vec3 out_of = from - reach;
  return contact_round(out_of, shape.a.w);
}

// Outside: the nearest point of the box. Inside: out of the nearest face.
weft_contact contact_box(weft_collider_pose shape, vec3 from) {
  precise vec3 q = contact_local(shape, exact_flush3(from));
  precise vec3 over = abs(q) - shape.b.xyz;
  vec3 side = vec3(q.x < 0.0 ? -1.0 : 1.0, q.y < 0.0 ? -1.0 : 1.0, q.z < 0.0 ? -1.0 : 1.0);
  bool on_x = over.x >= over.y && over.x >= over.z;
  bool on_y = !on_x && over.y >= over.z;
  bool on_z = !on_x && !on_y;
  precise float away = on_x ? over.x : (on_y ? over.y : over.z);
  if (away > 0.0) {
    over.x = over.x > 0.0 ? over.x : 0.0;
    over.y = over.y > 0.0 ? over.y : 0.0;
    over.z = over.z > 0.0 ? over.z : 0.0;
    over = over * side;
    weft_contact corner = contact_round(over, shape.a.w);
    precise vec3 slant = contact_world(shape, corner.n);
    return weft_contact(slant, corner.depth);
  }
  precise float depth = shape.a.w - away;
  precise vec3 n = vec3(on_x ? side.x : 0.0, on_y ? side.y : 0.0, on_z ? side.z : 0.0);
  n = contact_world(shape, n);
  return weft_contact(n, depth);
}

weft_contact contact_at(weft_collider_pose shape, vec3 p) {
  precise vec3 from = p - shape.a.xyz;
  if (contact_is(shape, WEFT_SHAPE_PLANE)) return contact_plane(shape, from);
  if (contact_is(shape, WEFT_SHAPE_CAPSULE)) return contact_capsule(shape, from);
  if (contact_is(shape, WEFT_SHAPE_BOX)) return contact_box(shape, from);
  return contact_round(from, shape.a.w);
}

// ---- how the shape moves ----

// How far the surface point that is now at p was carried in this substep.
vec3 contact_carried(weft_collider_pose shape, vec3 p) {
  precise vec3 carried = shape.move_a.xyz;
  precise vec3 arm = p - shape.a.xyz;
  if (contact_is(shape, WEFT_SHAPE_CAPSULE)) {
    precise vec3 axis = shape.b.xyz - shape.a.xyz;
    axis = exact_flush3(axis);
    precise float t = contact_along(axis, arm);
    precise vec3 reach = axis * t;
    arm = arm - reach;
    precise vec3 bend = shape.move_b.xyz - shape.move_a.xyz;
    bend = bend * t;
    carried = carried + bend;
  }
  arm = exact_flush3(arm);
  precise vec3 turned;
  turned.x = exact_dot(shape.turn_x.xyz, arm);
  turned.y = exact_dot(shape.turn_y.xyz, arm);
  turned.z = exact_dot(shape.turn_z.xyz, arm);
  carried = carried + turned;
  carried = exact_flush3(carried);
  return carried;
}

// Where a particle's start would be had it gone with the shape: the shape then stands still at its
// end. A ball looks the same however it spins, so that only a box takes the turn along, by the
// transposed matrix.
vec3 contact_start(weft_collider_pose shape, vec3 before) {
  precise vec3 start = before + shape.move_a.xyz;
  if (contact_is(shape, WEFT_SHAPE_CAPSULE)) {
    precise vec3 a = shape.a.xyz - shape.move_a.xyz;
    precise vec3 b = shape.b.xyz - shape.move_b.xyz;
    precise vec3 axis = b - a;
    axis = exact_flush3(axis);
    precise vec3 from = before - a;
    precise float t = contact_along(axis, from);
    precise vec3 bend = shape.move_b.xyz - shape.move_a.xyz;
    bend = bend * t;
    start = start + bend;
  }
  if (contact_is(shape, WEFT_SHAPE_BOX)) {
    precise vec3 arm = start - shape.a.xyz;
    arm = exact_flush3(arm);
    precise vec3 x = shape.turn_x.xyz * arm.x;
    precise vec3 y = shape.turn_y.xyz * arm.y;
    precise vec3 z = shape.turn_z.xyz * arm.z;
    precise vec3 turned = x + y;
    turned = turned + z;
    start = start - turned;
  }
  start = exact_flush3(start);
  return start;
}

// ---- where a path enters: the part of `move` before it does, 2 when it does not ----

// Into a ball about the point that is `from` away from the start. Solved about the path's nearest
// point, where the textbook quadratic would lose a small ball to a long path.
float contact_enter_ball(vec3 from, vec3 move, float radius) {
  precise float from2 = exact_dot(from, from);
  precise float radius2 = radius * radius;
  if (from2 <= radius2) return 0.0;
  precise float move2 = exact_dot(move, move);
  precise float toward = exact_dot(from, move);
  toward = -toward;
  toward = exact_flush(toward);
  if (!(toward > 0.0)) return 2.0;
  precise float inverse2 = exact_rcp(move2);
  precise float nearest = toward * inverse2;
  nearest = exact_flush(nearest);
  precise vec3 reach = move * nearest;
  precise vec3 miss = from + reach;
  miss = exact_flush3(miss);
  precise float miss2 = exact_dot(miss, miss);
  precise float under = radius2 - miss2;
  if (!(under > 0.0)) return 2.0;
  precise float half_chord = exact_rsqrt(under);
  half_chord = under * half_chord;
  precise float inverse = exact_rsqrt(move2);
  precise float back = half_chord * inverse;
  precise float t = nearest - back;
  t = t > 0.0 ? t : 0.0;
  t = exact_flush(t);
  return t;
}

// How far along an axis v reaches, as part of it; and what is left of v square to it.
float contact_part(vec3 v, vec3 axis, float inverse_axis2) {
  precise float part = exact_dot(v, axis);
  part = exact_flush(part);
  part = part * inverse_axis2;
  part = exact_flush(part);
  return part;
}

vec3 contact_square_to(vec3 v, vec3 axis, float inverse_axis2) {
  precise float along = contact_part(v, axis, inverse_axis2);
  precise vec3 part = axis * along;
  precise vec3 rest = v - part;
  rest = exact_flush3(rest);
  return rest;
}

// Into the endless cylinder first; where that lies past an end of the axis, only that end's ball can
// be met.
float contact_enter_capsule(weft_collider_pose shape, vec3 from, vec3 move) {
  precise vec3 axis = shape.b.xyz - shape.a.xyz;
  axis = exact_flush3(axis);
  precise float axis2 = exact_dot(axis, axis);
  if (!(axis2 > 0.0)) return contact_enter_ball(from, move, shape.a.w);
  precise float inverse = exact_rcp(axis2);
  precise vec3 from_side = contact_square_to(from, axis, inverse);
  precise vec3 move_side = contact_square_to(move, axis, inverse);
  precise float side2 = exact_dot(move_side, move_side);
  precise float move2 = exact_dot(move, move);
  precise float parallel = move2 * WEFT_MIN_LENGTH_RATIO2;
  precise float t = 0.0;
  if (side2 > parallel) t = contact_enter_ball(from_side, move_side, shape.a.w);
  if (t > 1.0) return 2.0;
  precise vec3 reach = move * t;
  precise vec3 entry = from + reach;
  precise float along = contact_part(entry, axis, inverse);
  if (along < 0.0) return contact_enter_ball(from, move, shape.a.w);
  if (along > 1.0) {
    precise vec3 from_b = from - axis;
    from_b = exact_flush3(from_b);
    return contact_enter_ball(from_b, move, shape.a.w);
  }
  return t;
}

// Between the two faces across one axis: where the path comes in (x) and goes out (y).
vec2 contact_slab(float from, float move, float half_size) {
  if (move == 0.0) return abs(from) > half_size ? vec2(2.0, -1.0) : vec2(-1.0, 2.0);
  precise float inverse = exact_rcp(abs(move));
  precise float along = move < 0.0 ? -from : from;
  precise float near = -half_size;
  near = near - along;
  near = near * inverse;
  precise float far = half_size - along;
  far = far * inverse;
  return vec2(near, far);
}

// Into the box grown by the thickness, whose edges stay sharp.
float contact_enter_box(weft_collider_pose shape, vec3 from, vec3 move) {
  precise vec3 q = contact_local(shape, from);
  precise vec3 step = contact_local(shape, move);
  precise vec3 grown = shape.b.xyz + vec3(shape.a.w);
  vec2 x = contact_slab(q.x, step.x, grown.x);
  vec2 y = contact_slab(q.y, step.y, grown.y);
  vec2 z = contact_slab(q.z, step.z, grown.z);
  float enter = x.x > y.x ? x.x : y.x;
  enter = enter > z.x ? enter : z.x;
  float leave = x.y < y.y ? x.y : y.y;
  leave = leave < z.y ? leave : z.y;
  if (enter > leave || leave < 0.0) return 2.0;
  enter = enter > 0.0 ? enter : 0.0;
  enter = exact_flush(enter);
  return enter;
}

float contact_enter(weft_collider_pose shape, vec3 start, vec3 move) {
  precise vec3 from = start - shape.a.xyz;
  from = exact_flush3(from);
  if (contact_is(shape, WEFT_SHAPE_CAPSULE)) return contact_enter_capsule(shape, from, move);
  if (contact_is(shape, WEFT_SHAPE_BOX)) return contact_enter_box(shape, from, move);
  return contact_enter_ball(from, move, shape.a.w);
}

// ---- one particle, one shape, one substep ----

// Whether a particle came farther than the test at its end can judge.
bool contact_is_far(weft_collider_pose shape, vec3 before, vec3 p) {
  if (contact_is(shape, WEFT_SHAPE_PLANE)) return false;
  precise vec3 start = contact_start(shape, before);
  precise vec3 move = p - start;
  move = exact_flush3(move);
  precise float move2 = exact_dot(move, move);
  return move2 > shape.axis_x.w;
}

// Where to look for contact on the way from `before` to p. A step that the test at its end sees
// alone: there. A longer one that began outside, or hardly inside: where it enters, in the frame of
// the shape at its end.
weft_lookout contact_lookout(weft_collider_pose shape, vec3 before, vec3 p) {
  precise vec3 start = contact_start(shape, before);
  precise vec3 move = p - start;
  move = exact_flush3(move);
  precise float move2 = exact_dot(move, move);
  if (!(move2 > shape.axis_x.w)) return weft_lookout(p, false);
  weft_contact outset = contact_at(shape, start);
  precise float n2 = exact_dot(outset.n, outset.n);
  if (outset.depth > shape.b.w || n2 == 0.0) return weft_lookout(p, false);
  precise float t = contact_enter(shape, start, move);
  if (t > 1.0) return weft_lookout(p, false);
  precise vec3 way = move * t;
  precise vec3 entry = start + way;
  entry = exact_flush3(entry);
  return weft_lookout(entry, true);
}

// The contact of one particle with one shape in one substep: against the tangent plane nearest to
// the lookout.
weft_contact contact_find(weft_collider_pose shape, vec3 lookout, vec3 p) {
  weft_contact met = contact_at(shape, lookout);
  precise vec3 rest = p - lookout;
  rest = exact_flush3(rest);
  precise float above = exact_dot(rest, met.n);
  above = exact_flush(above);
  precise float depth = met.depth - above;
  return weft_contact(met.n, depth);
}

// How far the particle, now at p, slid over the surface: in the whole substep, or since it came in.
vec3 contact_slide(weft_collider_pose shape, weft_lookout look, vec3 before, vec3 p) {
  precise vec3 slide = p - look.at;
  if (look.swept) return slide;
  slide = p - before;
  precise vec3 carried = contact_carried(shape, look.at);
  slide = slide - carried;
  return slide;
}
