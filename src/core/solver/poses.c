/* poses.c: poses of colliders in each substep, and the motion of their surfaces. Computed in
 * double and rounded once. */
#include <math.h>

#include "exact.h"
#include "shape.h"
#include "solver.h"

typedef struct matrix {
  double m[3][3];
} matrix;

static double between(float from, float to, double t) {
  return (double)from + t * ((double)to - (double)from);
}

static weft_vec3d mix(weft_vec3 a, weft_vec3 b, double t) {
  return weft_v3d(between(a.x, b.x, t), between(a.y, b.y, t), between(a.z, b.z, t));
}

/* The unrounded pose of a collider at a time. */
typedef struct place {
  weft_vec3d a, b, rotation;
} place;

static place path_at(const weft_collider *c, const weft_collider *from, double time, double part) {
  if (c->key_count == 0) {
    return (place){mix(from->a, c->a, part), mix(from->b, c->b, part),
                   mix(from->rotation, c->rotation, part)};
  }
  uint32_t next = 0;
  while (next < c->key_count && (double)c->keys[next].time <= time) ++next;
  const weft_collider_key *k0 = &c->keys[next == 0 ? 0 : next - 1];
  const weft_collider_key *k1 = &c->keys[next == c->key_count ? next - 1 : next];
  double span = (double)k1->time - (double)k0->time;
  double t = span > 0 ? (time - (double)k0->time) / span : 0;
  return (place){mix(k0->a, k1->a, t), mix(k0->b, k1->b, t), mix(k0->rotation, k1->rotation, t)};
}

weft_collider weft_collider_without_keys(const weft_collider *c, double time) {
  const place p = path_at(c, c, time, 1);
  weft_collider still = *c;
  still.keys = NULL;
  still.key_count = 0;
  still.a = weft_v3d_round(p.a);
  still.b = weft_v3d_round(p.b);
  still.rotation = weft_v3d_round(p.rotation);
  return still;
}

/* The other end of an axis moves too; for a plane b is a direction. */
static place place_at(const weft_collider *c, const weft_collider_step *step, double time,
                      double part) {
  const weft_collider *from = step->from ? step->from : c;
  place p = path_at(c, from, time, part);
  weft_vec3d by = weft_v3d_sub(mix(from->offset, c->offset, part), step->origin);
  p.a = weft_v3d_add(p.a, by);
  if (weft_shape_infos[c->shape].axis) p.b = weft_v3d_add(p.b, by);
  return p;
}

static weft_vec3d unit(weft_vec3d d) {
  double length = weft_v3d_length(d);
  return weft_v3d(d.x / length, d.y / length, d.z / length);
}

/* exp of the cross-product matrix of r (Rodrigues). */
static matrix rotation_of(weft_vec3d rotation) {
  const double r[3] = {rotation.x, rotation.y, rotation.z};
  double angle = weft_v3d_length(rotation);
  double half = 0.5 * angle;
  double first = angle > 0 ? sin(angle) / angle : 1;
  double ratio = half > 0 ? sin(half) / half : 1;
  double second = 0.5 * ratio * ratio;
  const double k[3][3] = {{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}};
  matrix out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double squared = r[i] * r[j] - (i == j ? angle * angle : 0);
      out.m[i][j] = (i == j ? 1 : 0) + first * k[i][j] + second * squared;
    }
  }
  return out;
}

/* A plane given by a point far from the origin is represented by its point nearest to the
 * origin, which turns with it. */
static void come_near(place *before, place *now) {
  static const double far = 1; /* m */
  weft_vec3d n = weft_v3d_rotate(unit(now->b), now->rotation);
  weft_vec3d foot = weft_v3d_scale(n, weft_v3d_dot(n, now->a));
  weft_vec3d arm = weft_v3d_sub(foot, now->a);
  if (!(weft_v3d_length(arm) > far)) return;
  weft_vec3d back = weft_v3d_rotate(arm, weft_v3d_scale(now->rotation, -1));
  before->a = weft_v3d_add(before->a, weft_v3d_rotate(back, before->rotation));
  now->a = foot;
}

static weft_placement rounded(const place *p) {
  return (weft_placement){weft_v3d_round(p->a), weft_v3d_round(p->b), p->rotation};
}

void weft_collider_places(const weft_collider *c, const weft_collider_step *step,
                          weft_placement *before, weft_placement *now) {
  place p0 = place_at(c, step, step->before, step->part_before);
  place p1 = place_at(c, step, step->now, step->part_now);
  if (weft_shape_infos[c->shape].size == WEFT_SHAPE_ENDLESS) come_near(&p0, &p1);
  *before = rounded(&p0);
  *now = rounded(&p1);
}

/* I - R0 R1^T: the displacement by a rotation from R0 to R1, as a function of the final
 * position. */
static matrix turn_between(const weft_placement *p0, const weft_placement *p1, const matrix *r0,
                           const matrix *r1) {
  matrix out = {{{0}}};
  weft_vec3d from = p0->rotation, to = p1->rotation;
  if (from.x == to.x && from.y == to.y && from.z == to.z) return out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += r0->m[i][k] * r1->m[j][k];
      out.m[i][j] = (i == j ? 1 : 0) - sum;
    }
  }
  return out;
}

/* The smallest rotation from one unit vector to another. */
static matrix turn_onto(weft_vec3d from, weft_vec3d to) {
  weft_vec3d axis = weft_v3d_cross(from, to);
  double sine = weft_v3d_length(axis), cosine = weft_v3d_dot(from, to);
  weft_vec3d across = weft_v3d_cross(
      from, fabs(from.x) < 0.5 ? weft_v3d(1, 0, 0) : weft_v3d(0, 1, 0)); /* of half a turn */
  double angle = atan2(sine, cosine);
  if (sine < 1e-12) axis = across, sine = weft_v3d_length(across);
  return rotation_of(weft_v3d_scale(axis, angle / sine));
}

static matrix product(const matrix *a, const matrix *b) {
  matrix out = {{{0}}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) out.m[i][j] += a->m[i][k] * b->m[k][j];
    }
  }
  return out;
}

/* For an axis without length any frame will do, if it is always the same. */
static weft_vec3d direction_of(weft_vec3 a, weft_vec3 b) {
  weft_vec3d d = weft_v3d_sub(weft_v3d_from(b), weft_v3d_from(a));
  double length = weft_v3d_length(d);
  return length > 0 ? weft_v3d_scale(d, 1 / length) : weft_v3d(0, 0, 1);
}

/* The axes of a shape, the last one along its axis. They turn as little as possible from its start,
 * and spin as its surface does. */
static matrix axes_along(const weft_collider *c, const weft_placement *now) {
  const bool keyed = c->key_count > 0;
  weft_vec3d first = direction_of(keyed ? c->keys[0].a : c->a, keyed ? c->keys[0].b : c->b);
  weft_vec3d along = direction_of(now->a, now->b);
  matrix begin = turn_onto(weft_v3d(0, 0, 1), first), onto = turn_onto(first, along);
  matrix spin = rotation_of(weft_v3d_scale(along, weft_v3d_dot(now->rotation, along)));
  matrix turned_onto = product(&onto, &begin);
  return product(&spin, &turned_onto);
}

static vec4 pack(weft_vec3 v, float w) { return exact_vec4(exact_flush3(v), w); }

static vec4 pack_row(const double row[3], float w) {
  return pack(weft_v3d_round(weft_v3d_at(row)), w);
}

static vec4 pack_column(const matrix *r, int j, float w) {
  return pack_row((const double[3]){r->m[0][j], r->m[1][j], r->m[2][j]}, w);
}

static weft_vec3 turned(const matrix *r, weft_vec3 v) {
  weft_vec3d d = weft_v3d_from(v);
  return weft_v3d_round(weft_v3d(weft_v3d_dot(weft_v3d_at(r->m[0]), d),
                                 weft_v3d_dot(weft_v3d_at(r->m[1]), d),
                                 weft_v3d_dot(weft_v3d_at(r->m[2]), d)));
}

/* Displacements beyond this are swept: half of the depth at which the far side becomes the
 * nearer exit, a quarter of the smallest dimension. */
static float sweep_of(const weft_collider *c, float thickness) {
  if (weft_shape_infos[c->shape].size != WEFT_SHAPE_HALF) return 0.5f * (c->radius + thickness);
  weft_vec3 h = c->half_size;
  return 0.5f * (fminf(fminf(h.x, h.y), h.z) + thickness);
}

/* Of a shape that grows or shrinks in this frame, at the end of the substep. */
static weft_collider sized(const weft_collider *c, const weft_collider_step *step) {
  weft_collider now = *c;
  if (!step->from) return now;
  now.half_size = weft_v3d_round(mix(step->from->half_size, c->half_size, step->part_now));
  now.radius = (float)between(step->from->radius, c->radius, step->part_now);
  return now;
}

weft_collider_pose weft_collider_pose_between(const weft_collider *of,
                                              const weft_collider_step *step, float thickness) {
  const weft_collider now = sized(of, step), *c = &now;
  weft_placement p0, p1;
  weft_collider_places(of, step, &p0, &p1);
  matrix r0 = rotation_of(p0.rotation), r1 = rotation_of(p1.rotation);
  matrix turn = turn_between(&p0, &p1, &r0, &r1);
  float sweep = sweep_of(c, thickness);
  weft_vec3 b = p1.b, move_b = weft_v3_sub(p1.b, p0.b);
  float reach = c->radius + thickness;
  const weft_shape_info *shape = &weft_shape_infos[c->shape];
  if (shape->size == WEFT_SHAPE_ENDLESS) b = turned(&r1, weft_v3d_round(unit(weft_v3d_from(p1.b))));
  if (shape->size == WEFT_SHAPE_HALF) b = c->half_size;
  if (!shape->axis) move_b = weft_v3(0, 0, 0);
  if (shape->axis) r1 = axes_along(step->home ? step->home : of, &p1);
  if (shape->size != WEFT_SHAPE_RADIUS) reach = thickness;
  return (weft_collider_pose){
      .a = pack(p1.a, reach),
      .b = pack(b, sweep),
      .move_a = pack(weft_v3_sub(p1.a, p0.a), c->friction_static),
      .move_b = pack(move_b, c->friction_dynamic),
      .axis_x = pack_column(&r1, 0, sweep * sweep),
      .axis_y = pack_column(&r1, 1, 0),
      .axis_z = pack_column(&r1, 2, 0),
      .turn_x = pack_row(turn.m[0], 0),
      .turn_y = pack_row(turn.m[1], 0),
      .turn_z = pack_row(turn.m[2], 0),
      .shape = (uint32_t)c->shape,
  };
}

weft_collider_pose weft_collider_pose_at(const weft_collider *c, double before, double now,
                                         float thickness) {
  const weft_collider_step step = {.before = before, .now = now, .part_before = 1, .part_now = 1};
  return weft_collider_pose_between(c, &step, thickness);
}

/* ---- poses of a solver's frame ---- */

double weft_solver_time(const weft_solver *solver) {
  if (!solver) return 0;
  return solver->began + (double)solver->frame * (double)solver->params.frame_dt;
}

/* ---- offsets ---- */

static const float farthest = 1e6f; /* m */

static weft_result check_offset(weft_vec3 o, weft_error *err) {
  if (!isfinite(o.x) || !isfinite(o.y) || !isfinite(o.z)) {
    return weft_fail(err, WEFT_ERROR_NOT_FINITE, "the offset of a collider is not finite");
  }
  if (fabsf(o.x) <= farthest && fabsf(o.y) <= farthest && fabsf(o.z) <= farthest) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "the offset of a collider is (%g, %g, %g), each component may reach %g m",
                   (double)o.x, (double)o.y, (double)o.z, (double)farthest);
}

weft_result weft_solver_move_collider(weft_solver *solver, uint32_t collider, weft_vec3 offset,
                                      weft_error *err) {
  WEFT_NEED(solver);
  WEFT_GUARD_CHANGE(&solver->owned, err);
  if (collider >= solver->params.collider_count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "collider %u does not exist, there are %u", collider,
                     solver->params.collider_count);
  }
  weft_result result = check_offset(offset, err);
  if (result == WEFT_OK) solver->colliders[collider].offset = offset;
  return result;
}

void weft_solver_settle_colliders(weft_solver *solver) {
  for (uint32_t c = 0; c < solver->params.collider_count; ++c) {
    solver->colliders_from[c] = solver->colliders[c];
  }
}
