/* lanes_collide.h: particles against rigid shapes. A part of lanes_kernels.h.
 *
 * Sixteen particles side by side in memory are a herd: the box around it says at once of as many
 * shapes as there are lanes which of them nobody in it can touch. The others are taken in their
 * order, lane for lane in the statements of src/solver_ref/contact.h. */
#include <math.h>

enum { HERD = 16, HERD_VECTORS = HERD / WEFT_LANES };

/* ---- twins of src/solver_ref/contact.h ---- */

typedef struct contact {
  v3 n;
  vf depth;
} contact;

LANE v3 every(vec4 v) { return (v3){all(v.x), all(v.y), all(v.z)}; }

LANE vf along_axis(const weft_shape_axis *axis, v3 from) {
  const v3 a = {all(axis->axis.x), all(axis->axis.y), all(axis->axis.z)};
  vf along = dot(a, from);
  along = flush(along);
  vf t = along * axis->inverse;
  if (!(axis->axis2 > 0.0f)) return all(0);
  t = kept_if(t > all(0), t);
  t = choose(t < all(1), t, all(1));
  t = flush(t);
  return t;
}

LANE v3 reached(const weft_shape_axis *axis, vf t) {
  return (v3){axis->axis.x * t, axis->axis.y * t, axis->axis.z * t};
}

LANE v3 to_local(const weft_collider_pose *shape, v3 v) {
  v3 q = {dot(every(shape->axis_x), v), dot(every(shape->axis_y), v), dot(every(shape->axis_z), v)};
  return flush3(q);
}

LANE v3 to_world(const weft_collider_pose *shape, v3 q) {
  v3 v = add(scale(every(shape->axis_x), q.x), scale(every(shape->axis_y), q.y));
  v = add(v, scale(every(shape->axis_z), q.z));
  return flush3(v);
}

LANE contact meet_round(v3 from, float radius) {
  from = flush3(from);
  vf distance2 = dot(from, from);
  vf inverse = rsqrt(distance2);
  vf away = distance2 * inverse;
  vf depth = radius - away;
  v3 n = scale(from, inverse);
  return (contact){flush3(n), kept_if(distance2 > all(0), depth)};
}

LANE contact meet_plane(const weft_collider_pose *shape, v3 from) {
  v3 n = every(shape->b);
  vf height = dot(from, n);
  height = flush(height);
  return (contact){n, shape->a.w - height};
}

LANE contact meet_box(const weft_collider_pose *shape, v3 from) {
  v3 q = to_local(shape, flush3(from));
  v3 over = {absolute(q.x) - shape->b.x, absolute(q.y) - shape->b.y, absolute(q.z) - shape->b.z};
  const vf zero = all(0), one = all(1);
  v3 side = {choose(q.x < zero, -one, one), choose(q.y < zero, -one, one),
             choose(q.z < zero, -one, one)};
  vi on_x = (over.x >= over.y) & (over.x >= over.z);
  vi on_y = ~on_x & (over.y >= over.z);
  vi on_z = ~on_x & ~on_y;
  vf away = choose(on_x, over.x, choose(on_y, over.y, over.z));
  vi outside = away > zero;
  v3 corner = {kept_if(over.x > zero, over.x) * side.x, kept_if(over.y > zero, over.y) * side.y,
               kept_if(over.z > zero, over.z) * side.z};
  contact met = meet_round(corner, shape->a.w);
  v3 face = {kept_if(on_x, side.x), kept_if(on_y, side.y), kept_if(on_z, side.z)};
  v3 n = choose3(outside, met.n, face);
  return (contact){to_world(shape, n), choose(outside, met.depth, shape->a.w - away)};
}

LANE contact meet_at(const weft_collider_pose *shape, const weft_shape_axis *axis, v3 p) {
  v3 from = sub(p, every(shape->a));
  if (shape->shape == WEFT_COLLIDER_PLANE) return meet_plane(shape, from);
  if (shape->shape == WEFT_COLLIDER_BOX) return meet_box(shape, from);
  if (shape->shape == WEFT_COLLIDER_CAPSULE)
    from = sub(from, reached(axis, along_axis(axis, from)));
  return meet_round(from, shape->a.w);
}

LANE v3 bend_of(const weft_collider_pose *shape, vf t) {
  return scale(sub(every(shape->move_b), every(shape->move_a)), t);
}

LANE v3 carried_by(const weft_collider_pose *shape, const weft_shape_axis *axis, v3 p) {
  v3 carried = every(shape->move_a);
  v3 arm = sub(p, every(shape->a));
  if (shape->shape == WEFT_COLLIDER_CAPSULE) {
    vf t = along_axis(axis, arm);
    arm = sub(arm, reached(axis, t));
    carried = add(carried, bend_of(shape, t));
  }
  arm = flush3(arm);
  v3 turned = {dot(every(shape->turn_x), arm), dot(every(shape->turn_y), arm),
               dot(every(shape->turn_z), arm)};
  return flush3(add(carried, turned));
}

/* ---- twins of the sweep: for the few who are that fast ---- */

LANE v3 start_with(const weft_collider_pose *shape, const weft_shape_axis *axis_then, v3 before) {
  v3 start = add(before, every(shape->move_a));
  if (shape->shape == WEFT_COLLIDER_CAPSULE) {
    v3 a = sub(every(shape->a), every(shape->move_a));
    vf t = along_axis(axis_then, sub(before, a));
    start = add(start, bend_of(shape, t));
  }
  if (shape->shape == WEFT_COLLIDER_BOX) {
    v3 arm = flush3(sub(start, every(shape->a)));
    v3 x = scale(every(shape->turn_x), arm.x);
    v3 y = scale(every(shape->turn_y), arm.y);
    v3 z = scale(every(shape->turn_z), arm.z);
    start = sub(start, add(add(x, y), z));
  }
  return flush3(start);
}

LANE vf enter_ball(v3 from, v3 move, float radius) {
  vf from2 = dot(from, from);
  vf radius2 = all(radius * radius);
  vf move2 = dot(move, move);
  vf toward = -dot(from, move);
  toward = flush(toward);
  vf nearest = toward * rcp(move2);
  nearest = flush(nearest);
  v3 miss = flush3(add(from, scale(move, nearest)));
  vf miss2 = dot(miss, miss);
  vf under = radius2 - miss2;
  vf half_chord = under * rsqrt(under);
  vf back = half_chord * rsqrt(move2);
  vf t = nearest - back;
  t = kept_if(t > all(0), t);
  t = flush(t);
  vi enters = (toward > all(0)) & (under > all(0));
  return kept_if(~(from2 <= radius2), choose(enters, t, all(2)));
}

LANE vf part_along(v3 v, v3 axis, float inverse) {
  vf part = dot(v, axis);
  part = flush(part);
  part = part * inverse;
  return flush(part);
}

LANE v3 square_to(v3 v, v3 axis, float inverse) {
  v3 part = scale(axis, part_along(v, axis, inverse));
  return flush3(sub(v, part));
}

LANE vf enter_capsule(const weft_collider_pose *shape, const weft_shape_axis *own, v3 from,
                      v3 move) {
  float radius = shape->a.w, inverse = own->inverse;
  vf at_a = enter_ball(from, move, radius);
  if (!(own->axis2 > 0.0f)) return at_a;
  const v3 axis = {all(own->axis.x), all(own->axis.y), all(own->axis.z)};
  v3 from_side = square_to(from, axis, inverse);
  v3 move_side = square_to(move, axis, inverse);
  vf side2 = dot(move_side, move_side);
  vf parallel = dot(move, move) * (float)WEFT_MIN_LENGTH_RATIO2;
  vf t = kept_if(side2 > parallel, enter_ball(from_side, move_side, radius));
  vf along = part_along(add(from, scale(move, t)), axis, inverse);
  vf at_b = enter_ball(flush3(sub(from, axis)), move, radius);
  vf entry = choose(along > all(1), at_b, t);
  entry = choose(along < all(0), at_a, entry);
  return choose(t > all(1), all(2), entry);
}

typedef struct span {
  vf in, out;
} span;

LANE span slab(vf from, vf move, float half_size) {
  vf inverse = rcp(absolute(move));
  vf along = choose(move < all(0), -from, from);
  vf in = -half_size - along;
  in = in * inverse;
  vf out = half_size - along;
  out = out * inverse;
  vi still = move == all(0), beside = absolute(from) > all(half_size);
  in = choose(still, choose(beside, all(2), all(-1)), in);
  out = choose(still, choose(beside, all(-1), all(2)), out);
  return (span){in, out};
}

LANE vf enter_box(const weft_collider_pose *shape, v3 from, v3 move) {
  v3 q = to_local(shape, from), step = to_local(shape, move);
  span x = slab(q.x, step.x, shape->b.x + shape->a.w);
  span y = slab(q.y, step.y, shape->b.y + shape->a.w);
  span z = slab(q.z, step.z, shape->b.z + shape->a.w);
  vf in = choose(x.in > y.in, x.in, y.in);
  in = choose(in > z.in, in, z.in);
  vf out = choose(x.out < y.out, x.out, y.out);
  out = choose(out < z.out, out, z.out);
  vi misses = (in > out) | (out < all(0));
  in = kept_if(in > all(0), in);
  return choose(misses, all(2), flush(in));
}

LANE vf enter(const weft_collider_pose *shape, const weft_shape_axis *axis, v3 start, v3 move) {
  v3 from = flush3(sub(start, every(shape->a)));
  if (shape->shape == WEFT_COLLIDER_CAPSULE) return enter_capsule(shape, axis, from, move);
  if (shape->shape == WEFT_COLLIDER_BOX) return enter_box(shape, from, move);
  return enter_ball(from, move, shape->a.w);
}

typedef struct lookout {
  v3 at;
  vi swept;
} lookout;

/* Out of line: hardly ever called, and long. */
static __attribute__((noinline)) void look_out(const weft_shapes *shapes, uint32_t k,
                                               const v3 *before, const v3 *p, lookout *look) {
  const weft_collider_pose *shape = &shapes->poses[k];
  const weft_shape_axis *axis = &shapes->axes[k];
  *look = (lookout){*p, {0}};
  v3 start = start_with(shape, &shapes->axes_then[k], *before);
  v3 move = flush3(sub(*p, start));
  vf move2 = dot(move, move);
  vi swept = move2 > all(shape->axis_x.w);
  if (!any(swept)) return;
  contact outset = meet_at(shape, axis, start);
  vf n2 = dot(outset.n, outset.n);
  swept = swept & ~((outset.depth > all(shape->b.w)) | (n2 == all(0)));
  vf t = enter(shape, axis, start, move);
  swept = swept & ~(t > all(1));
  v3 entry = flush3(add(start, scale(move, t)));
  *look = (lookout){choose3(swept, entry, *p), swept};
}

/* ---- twins of src/solver_ref/pass_collide.c ---- */

LANE v3 held_by_friction(const weft_collider_pose *shape, contact met, v3 slide) {
  vf normal_part = dot(slide, met.n);
  normal_part = flush(normal_part);
  v3 across = sub(slide, scale(met.n, normal_part));
  across = flush3(across);
  vf slide2 = dot(across, across);
  vf inverse = rsqrt(slide2);
  vf slid = slide2 * inverse;
  vf grip = shape->move_a.w * met.depth;
  vf rub = shape->move_b.w * met.depth;
  vf part = rub * inverse;
  part = choose(part < all(1), part, all(1));
  part = choose(slid <= grip, all(1), part);
  v3 held = scale(across, part);
  vi slides = ~(slide2 == all(0));
  return (v3){kept_if(slides, held.x), kept_if(slides, held.y), kept_if(slides, held.z)};
}

/* Whether it has moved anybody. may_sweep: somebody could be fast enough to be swept. */
LANE bool meet(const weft_shapes *shapes, uint32_t k, bool may_sweep, v4 *p, const v3 *before) {
  const weft_collider_pose *shape = &shapes->poses[k];
  const weft_shape_axis *axis = &shapes->axes[k];
  v3 now = xyz(*p);
  lookout look = {now, {0}};
  if (may_sweep && shape->shape != WEFT_COLLIDER_PLANE) look_out(shapes, k, before, &now, &look);
  contact met = meet_at(shape, axis, look.at);
  v3 rest = flush3(sub(now, look.at));
  vf above = dot(rest, met.n);
  above = flush(above);
  met.depth = met.depth - above;
  vi touched = (met.depth > all(0)) & ~(p->w == all(0));
  if (!any(touched)) return false;
  v3 pushed = add(now, scale(met.n, met.depth));
  v3 slide = sub(sub(pushed, *before), carried_by(shape, axis, look.at));
  slide = choose3(look.swept, sub(pushed, look.at), slide);
  v3 held = held_by_friction(shape, met, slide);
  v3 after = choose3(touched, sub(pushed, held), now);
  *p = (v4){after.x, after.y, after.z, p->w};
  return true;
}

/* ---- a herd ---- */

typedef int32_t quad_bits __attribute__((vector_size(16)));

typedef struct herd {
  float centre[3], half[3]; /* m: of a box about all of them */
  float step;               /* m: nobody has come further, the sum of the components */
  float size;               /* m: how large coordinates are, likewise */
  bool tiny;                /* somebody has a coordinate that may have to be 0 */
} herd;

LANE vf lesser(vf a, vf b) { return choose(a < b, a, b); }
LANE vf larger(vf a, vf b) { return choose(a > b, a, b); }

/* The same of quads, from all quads of a vector. */
LANE quad least_quad(vf v) {
  quad part[SIDE_BY_SIDE], least;
  memcpy(part, &v, sizeof v);
  least = part[0];
  for (int k = 1; k < SIDE_BY_SIDE; ++k) {
    quad_bits less = part[k] < least;
    least = (quad)(((quad_bits)part[k] & less) | ((quad_bits)least & ~less));
  }
  return least;
}

/* A particle that is not a number is in no box: it touches nothing either. */
LANE herd herd_of(const vec4 *x, const vec4 *x_prev, bool solid) {
  vf low = all(INFINITY), high = -low, least = all(1), step = all(0);
  for (int k = 0; k < HERD; k += SIDE_BY_SIDE) {
    vf p = load(x + k);
    low = lesser(p, low);
    high = larger(p, high);
    least = lesser(absolute(p), least);
    if (solid) step = larger(absolute(p - load(x_prev + k)), step);
  }
  quad down = least_quad(low), up = -least_quad(-high), fastest = -least_quad(-step);
  herd h;
  quad centre = 0.5f * down + 0.5f * up;
  for (int k = 0; k < 3; ++k) {
    float above = up[k] - centre[k], below = centre[k] - down[k];
    h.centre[k] = centre[k];
    h.half[k] = above > below ? above : below;
  }
  h.step = fastest[0] + fastest[1] + fastest[2];
  h.size = fabsf(centre[0]) + fabsf(centre[1]) + fabsf(centre[2]);
  vi small = (least < all((float)WEFT_FLUSH)) & vector_part();
  h.tiny = any(small);
  return h;
}

/* Shapes of a block as bits: whom somebody may touch, and in whose frame somebody may be swept.
 *
 * Let w point from the nearest point of the segment (a plane: its point a) to the centre of the
 * box, d along the normal of the plane that parts the two: w itself, a plane's own. No point of the
 * box is nearer to the segment than (d.w - |d|.half) / |d|, and none is touched where that is more
 * than `reach`: a capsule's surface is its radius away from the segment, a box's corners are its
 * half diagonal away from its centre. It does not matter whether rounding has the twin take another
 * point of the segment, which is only further away; here a wrong one can be nearer by what the
 * slack allows for. Comparisons with what is not a number leave a shape in. */
typedef struct near_some {
  uint32_t touch, sweep;
} near_some;

LANE near_some near_shapes(const float *block, const herd *h) {
#define FIELD(f) load(block + (f)*WEFT_LANES)
#define FIELD3(f) ((v3){FIELD(f), FIELD((f) + 1), FIELD((f) + 2)})
  const v3 half = {all(h->half[0]), all(h->half[1]), all(h->half[2])};
  const v3 centre = {all(h->centre[0]), all(h->centre[1]), all(h->centre[2])};
  v3 from = sub(centre, FIELD3(WEFT_BOUND_A)), axis = FIELD3(WEFT_BOUND_AXIS);
  vf t = dot(axis, from) * FIELD(WEFT_BOUND_INVERSE);
  t = kept_if(t > all(0), t);
  t = choose(t < all(1), t, all(1));
  v3 w = sub(from, scale(axis, t));
  v3 d = choose3((vi)FIELD(WEFT_BOUND_PLANE), FIELD3(WEFT_BOUND_NORMAL), w);
  v3 side = {absolute(d.x), absolute(d.y), absolute(d.z)};
  vf apart = dot(d, w) - dot(side, half);
  vf furthest = absolute(from.x) + absolute(from.y) + absolute(from.z);
  furthest = furthest + (h->half[0] + h->half[1] + h->half[2]);
  vf reach = FIELD(WEFT_BOUND_REACH) + furthest * WEFT_BOUND_SLACK;
  vi beyond = (apart > all(0)) & (apart * apart > reach * reach * dot(d, d));
  vf move = FIELD(WEFT_BOUND_MOVE) + h->step;
  vf way = move + FIELD(WEFT_BOUND_TURN) * (furthest + move);
  way = way + (furthest + h->size) * (WEFT_BOUND_SLACK / 16);
  vi slow = way < FIELD(WEFT_BOUND_LIMIT);
  return (near_some){signs(~(beyond & slow)), signs(~slow)};
#undef FIELD3
#undef FIELD
}

LANE void every_one(uint32_t at[WEFT_LANES]) {
  for (uint32_t k = 0; k < WEFT_LANES; ++k) at[k] = k * (uint32_t)sizeof(vec4);
}

/* What the twin does to who touches nothing. */
LANE void keep_normal(vec4 *x) {
  const vi vector = vector_part();
  for (int k = 0; k < HERD; k += SIDE_BY_SIDE) {
    vf p = load(x + k);
    vi moves = (SPREAD(p, 3) != all(0)) & vector;
    store(x + k, choose(moves, flush(p), p));
  }
}

/* The shapes of a block in their order, as far as they are near. What is pushed may come near to
 * others, or leave them. */
LANE void meet_block(const weft_shapes *shapes, uint32_t first, vec4 *x, const vec4 *x_prev,
                     herd *h) {
  uint32_t at[WEFT_LANES];
  every_one(at);
  const float *block = shapes->bounds + (size_t)first * WEFT_BOUND_FIELDS;
  uint32_t rest = shapes->count - first;
  uint32_t left = rest < WEFT_LANES ? (1u << rest) - 1 : (uint32_t)((1ull << WEFT_LANES) - 1);
  near_some near = near_shapes(block, h);
  while (left & near.touch) {
    uint32_t k = (uint32_t)__builtin_ctz(left & near.touch);
    left &= ~1u << k;
    bool met = false;
    for (int v = 0; v < HERD; v += WEFT_LANES) {
      v4 p = load_particles(x + v, at);
      v3 before = xyz(load_particles(x_prev + v, at));
      if (!meet(shapes, first + k, near.sweep >> k & 1, &p, &before)) continue;
      store_particles(x + v, at, xyz(p), p.w);
      met = true;
    }
    if (!met) continue;
    *h = herd_of(x, x_prev, shapes->solid);
    near = near_shapes(block, h);
  }
}

/* Of planes, which are few, this is quicker found without a box: nobody is swept by them. */
LANE bool clear_of_planes(const weft_shapes *shapes, const vec4 *x) {
  uint32_t at[WEFT_LANES];
  every_one(at);
  vi met = {0};
  for (int v = 0; v < HERD; v += WEFT_LANES) {
    v3 p = xyz(load_particles(x + v, at));
    for (uint32_t k = 0; k < shapes->count; ++k) {
      const weft_collider_pose *plane = &shapes->poses[k];
      met = met | (meet_plane(plane, sub(p, every(plane->a))).depth > all(0));
    }
  }
  return !any(met);
}

static void collide_herd(const weft_shapes *shapes, vec4 *x, const vec4 *x_prev) {
  if (!shapes->solid && clear_of_planes(shapes, x)) {
    keep_normal(x);
    return;
  }
  herd h = herd_of(x, x_prev, shapes->solid);
  for (uint32_t first = 0; first < shapes->count; first += WEFT_LANES) {
    meet_block(shapes, first, x, x_prev, &h);
  }
  if (h.tiny) keep_normal(x);
}

static void collide(const weft_shapes *shapes, vec4 *x, const vec4 *x_prev, size_t count) {
  size_t k = 0;
  for (; k + HERD <= count; k += HERD) collide_herd(shapes, x + k, x_prev + k);
  if (k == count) return;
  /* The last few, and the last of all once more for each that is missing. */
  vec4 p[HERD], before[HERD];
  for (size_t i = 0; i < HERD; ++i) {
    p[i] = x[k + i < count ? k + i : count - 1];
    before[i] = x_prev[k + i < count ? k + i : count - 1];
  }
  collide_herd(shapes, p, before);
  memcpy(x + k, p, (count - k) * sizeof *p);
}
