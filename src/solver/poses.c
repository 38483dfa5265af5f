/* poses.c: where colliders are in each substep, and how their surfaces move in it. Worked out in
 * double and rounded once. */
#include <math.h>

#include "exact.h"
#include "solver.h"

typedef struct matrix {
  double m[3][3];
} matrix;

static double between(float from, float to, double t) {
  return (double)from + t * ((double)to - (double)from);
}

static weft_vec3 mix(weft_vec3 a, weft_vec3 b, double t) {
  return weft_v3((float)between(a.x, b.x, t), (float)between(a.y, b.y, t),
                 (float)between(a.z, b.z, t));
}

static void mix_rotation(weft_vec3 a, weft_vec3 b, double t, double rotation[3]) {
  rotation[0] = between(a.x, b.x, t);
  rotation[1] = between(a.y, b.y, t);
  rotation[2] = between(a.z, b.z, t);
}

static weft_placement path_at(const weft_collider *c, double time) {
  weft_placement place = {c->a, c->b, {0}};
  mix_rotation(c->rotation, c->rotation, 0, place.rotation);
  if (c->key_count == 0) return place;
  uint32_t next = 0;
  while (next < c->key_count && (double)c->keys[next].time <= time) ++next;
  const weft_collider_key *k0 = &c->keys[next == 0 ? 0 : next - 1];
  const weft_collider_key *k1 = &c->keys[next == c->key_count ? next - 1 : next];
  double span = (double)k1->time - (double)k0->time;
  double t = span > 0 ? (time - (double)k0->time) / span : 0;
  place.a = mix(k0->a, k1->a, t);
  place.b = mix(k0->b, k1->b, t);
  mix_rotation(k0->rotation, k1->rotation, t, place.rotation);
  return place;
}

static weft_vec3 shifted(weft_vec3 v, const double by[3]) {
  return weft_v3((float)((double)v.x + by[0]), (float)((double)v.y + by[1]),
                 (float)((double)v.z + by[2]));
}

/* The other end of a capsule goes along; of a plane b is a direction. */
static weft_placement place_at(const weft_collider *c, double time, weft_vec3 from, double part) {
  weft_placement place = path_at(c, time);
  const double by[3] = {between(from.x, c->offset.x, part), between(from.y, c->offset.y, part),
                        between(from.z, c->offset.z, part)};
  place.a = shifted(place.a, by);
  if (c->shape == WEFT_COLLIDER_CAPSULE) place.b = shifted(place.b, by);
  return place;
}

weft_placement weft_collider_before(const weft_collider *c, const weft_collider_step *step) {
  return place_at(c, step->before, step->from, step->part_before);
}

weft_placement weft_collider_now(const weft_collider *c, const weft_collider_step *step) {
  return place_at(c, step->now, step->from, step->part_now);
}

static weft_vec3 unit(weft_vec3 v) {
  double length =
      sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
  return weft_v3((float)((double)v.x / length), (float)((double)v.y / length),
                 (float)((double)v.z / length));
}

/* exp of the cross-product matrix of r (Rodrigues). */
static matrix rotation_of(const double r[3]) {
  double angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
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

/* I - R0 R1^T: how far turning from R0 to R1 moved a point, by where the point came to lie. */
static matrix turn_between(const weft_placement *p0, const weft_placement *p1, const matrix *r0,
                           const matrix *r1) {
  matrix out = {{{0}}};
  const double *from = p0->rotation, *to = p1->rotation;
  if (from[0] == to[0] && from[1] == to[1] && from[2] == to[2]) return out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += r0->m[i][k] * r1->m[j][k];
      out.m[i][j] = (i == j ? 1 : 0) - sum;
    }
  }
  return out;
}

static vec4 pack(weft_vec3 v, float w) { return exact_vec4(exact_flush3(v), w); }

static vec4 pack_row(const double row[3], float w) {
  return pack(weft_v3((float)row[0], (float)row[1], (float)row[2]), w);
}

static vec4 pack_column(const matrix *r, int j, float w) {
  const double column[3] = {r->m[0][j], r->m[1][j], r->m[2][j]};
  return pack_row(column, w);
}

static weft_vec3 turned(const matrix *r, weft_vec3 v) {
  float out[3];
  for (int i = 0; i < 3; ++i) {
    out[i] =
        (float)(r->m[i][0] * (double)v.x + r->m[i][1] * (double)v.y + r->m[i][2] * (double)v.z);
  }
  return weft_v3(out[0], out[1], out[2]);
}

/* Half of how deep a particle can be before the way out on the far side is the shorter one: a
 * quarter of the smallest dimension. */
static float sweep_of(const weft_collider *c, float thickness) {
  if (c->shape != WEFT_COLLIDER_BOX) return 0.5f * (c->radius + thickness);
  weft_vec3 h = c->half_size;
  return 0.5f * (fminf(fminf(h.x, h.y), h.z) + thickness);
}

weft_collider_pose weft_collider_pose_between(const weft_collider *c,
                                              const weft_collider_step *step, float thickness) {
  weft_placement p0 = weft_collider_before(c, step), p1 = weft_collider_now(c, step);
  matrix r0 = rotation_of(p0.rotation), r1 = rotation_of(p1.rotation);
  matrix turn = turn_between(&p0, &p1, &r0, &r1);
  float sweep = sweep_of(c, thickness);
  weft_vec3 b = p1.b, move_b = weft_v3_sub(p1.b, p0.b);
  float reach = c->radius + thickness;
  if (c->shape == WEFT_COLLIDER_PLANE) b = turned(&r1, unit(p1.b));
  if (c->shape == WEFT_COLLIDER_BOX) b = c->half_size;
  if (c->shape != WEFT_COLLIDER_CAPSULE) move_b = weft_v3(0, 0, 0);
  if (c->shape == WEFT_COLLIDER_PLANE || c->shape == WEFT_COLLIDER_BOX) reach = thickness;
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
  const weft_collider_step step = {before, now, c->offset, 1, 1};
  return weft_collider_pose_between(c, &step, thickness);
}

/* ---- offsets ---- */

static const float furthest = 1e6f; /* m */

static weft_result check_offset(weft_vec3 o, weft_error *err) {
  if (!isfinite(o.x) || !isfinite(o.y) || !isfinite(o.z)) {
    return weft_fail(err, WEFT_ERROR_NOT_FINITE, "the offset of a collider is not finite");
  }
  if (fabsf(o.x) <= furthest && fabsf(o.y) <= furthest && fabsf(o.z) <= furthest) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "the offset of a collider is (%g, %g, %g), each component may reach %g m",
                   (double)o.x, (double)o.y, (double)o.z, (double)furthest);
}

weft_result weft_solver_move_collider(weft_solver *solver, uint32_t collider, weft_vec3 offset,
                                      weft_error *err) {
  WEFT_CHECK(solver, "a solver whose collider is to move");
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
    solver->offsets_from[c] = solver->colliders[c].offset;
  }
}
