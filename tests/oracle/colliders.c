/* colliders.c: particles stay outside of rigid shapes that stand, move and turn.
 *
 * A particle below the surface goes out along the normal at the nearest surface point, and friction
 * takes back what it slid past that point of the surface (Coulomb; as positions, Macklin et al.
 * 2014, eq. 24). One that goes so far in a substep that the nearest point at its end may be on the
 * wrong side is swept: seen from the shape, its path is a straight line, and the plane in which it
 * meets the shape is that of the point where the line enters. */
#include "deviations.h"
#include "oracle.h"

typedef struct rotation {
  vec rows[3];
} rotation;

/* A collider at the end of a substep, and how it came there. */
typedef struct shape {
  const weft_collider *c;
  double reach; /* m from the core (a plane, a point, a segment, a box) to the surface */
  double sweep; /* m: longer paths are swept */
  vec a, b;     /* a point of the plane, a centre or the ends of the axis */
  vec a_move, b_move;
  vec normal;  /* planes */
  vec axes[3]; /* boxes */
  vec half;
  rotation turned; /* what turning adds to a movement, by where a point now lies from a */
} shape;

/* ---- poses ---- */

static vec rotate(const rotation *r, vec v) {
  return (vec){dot(r->rows[0], v), dot(r->rows[1], v), dot(r->rows[2], v)};
}

static vec rotate_back(const rotation *r, vec v) {
  vec sum = scale(v.x, r->rows[0]);
  return along(along(sum, v.y, r->rows[1]), v.z, r->rows[2]);
}

/* Axis times angle, from the unit quaternion s + q. */
static rotation rotation_of(const double r[3]) {
  double angle = length(from3(r));
  vec q = angle > 0 ? scale(sin(angle / 2) / angle, from3(r)) : (vec){0, 0, 0};
  double s = cos(angle / 2);
  return (rotation){
      {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - s * q.z), 2 * (q.x * q.z + s * q.y)},
       {2 * (q.x * q.y + s * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - s * q.x)},
       {2 * (q.x * q.z - s * q.y), 2 * (q.y * q.z + s * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}}};
}

static vec as_floats(vec v) { return (vec){as_float(v.x), as_float(v.y), as_float(v.z)}; }

/* 1 - R0 R1^T: a point now at p (from a) was at R0 R1^T p. */
static rotation turn_of(const rotation *r0, const rotation *r1) {
  rotation out;
  for (int i = 0; i < 3; ++i) {
    vec row = {i == 0, i == 1, i == 2};
    out.rows[i] = as_floats(sub(row, rotate(r1, r0->rows[i])));
  }
  return out;
}

static double smallest(const weft_collider *c) {
  if (c->shape != WEFT_COLLIDER_BOX) return (double)c->radius;
  return fmin((double)c->half_size.x, fmin((double)c->half_size.y, (double)c->half_size.z));
}

static shape shape_of(const weft_collider *c, const weft_collider_motion *m, double thickness) {
  bool round = c->shape == WEFT_COLLIDER_SPHERE || c->shape == WEFT_COLLIDER_CAPSULE;
  rotation r0 = rotation_of(m->rotation[0]), r1 = rotation_of(m->rotation[1]);
  shape s = {.c = c, .a = from3(m->a[1]), .b = from3(m->b[1])};
  s.reach = as_float((round ? (double)c->radius : 0) + thickness);
  s.sweep = SWEEP_RATIO * (smallest(c) + thickness);
  s.a_move = as_floats(sub(s.a, from3(m->a[0])));
  s.b_move = as_floats(sub(s.b, from3(m->b[0])));
  s.half = (vec){(double)c->half_size.x, (double)c->half_size.y, (double)c->half_size.z};
  if (c->shape == WEFT_COLLIDER_PLANE) s.normal = as_floats(rotate(&r1, as_floats(unit(s.b))));
  for (int k = 0; k < 3; ++k) {
    s.axes[k] = as_floats(rotate(&r1, (vec){k == 0, k == 1, k == 2}));
  }
  s.turned = turn_of(&r0, &r1);
  return s;
}

/* A vector of space in a box's own axes. */
static vec local(const shape *s, vec v) {
  return (vec){dot(s->axes[0], v), dot(s->axes[1], v), dot(s->axes[2], v)};
}

static vec world(const shape *s, vec v) {
  return along(along(scale(v.x, s->axes[0]), v.y, s->axes[1]), v.z, s->axes[2]);
}

/* ---- the nearest point ---- */

typedef struct contact {
  vec normal;   /* out of the shape; 0 where there is no direction */
  double depth; /* m below the surface, below 0 outside */
} contact;

/* 0 at the end a of a segment, 1 at b. */
static double part_along(vec a, vec b, vec p) {
  vec axis = sub(b, a);
  double square = dot(axis, axis);
  return square > 0 ? clamp(dot(sub(p, a), axis) / square, 0, 1) : 0;
}

static contact from_point(vec core, vec p, double reach) {
  double away = distance(p, core);
  if (away == 0) return (contact){{0, 0, 0}, 0};
  return (contact){unit(sub(p, core)), reach - away};
}

/* From inside a box the push leads through the nearest face. */
static contact out_of_face(const shape *s, vec q) {
  vec gaps = {s->half.x - fabs(q.x), s->half.y - fabs(q.y), s->half.z - fabs(q.z)};
  double min = fmin(gaps.x, fmin(gaps.y, gaps.z));
  vec n = {0, 0, copysign(1, q.z)};
  if (gaps.y == min) n = (vec){0, copysign(1, q.y), 0};
  if (gaps.x == min) n = (vec){copysign(1, q.x), 0, 0};
  return (contact){world(s, n), s->reach + min};
}

static bool inside_box(const shape *s, vec q) {
  return fabs(q.x) <= s->half.x && fabs(q.y) <= s->half.y && fabs(q.z) <= s->half.z;
}

static contact contact_at(const shape *s, vec p) {
  switch (s->c->shape) {
    case WEFT_COLLIDER_PLANE:
      return (contact){s->normal, s->reach - dot(sub(p, s->a), s->normal)};
    case WEFT_COLLIDER_SPHERE:
      return from_point(s->a, p, s->reach);
    case WEFT_COLLIDER_CAPSULE:
      return from_point(mix(s->a, s->b, part_along(s->a, s->b, p)), p, s->reach);
    case WEFT_COLLIDER_BOX:
      break;
  }
  vec q = local(s, sub(p, s->a));
  if (inside_box(s, q)) return out_of_face(s, q);
  vec nearest = {clamp(q.x, -s->half.x, s->half.x), clamp(q.y, -s->half.y, s->half.y),
                 clamp(q.z, -s->half.z, s->half.z)};
  contact touched = from_point(nearest, q, s->reach);
  return (contact){world(s, touched.normal), touched.depth};
}

/* ---- where a path enters: the first t from 0 to 1 at which p + t d is inside; 2 for none ---- */

/* |p + t d| = r is a quadratic equation. */
static double enter_round(vec p, vec d, double r) {
  double a = dot(d, d), b = 2 * dot(p, d), c = dot(p, p) - r * r;
  if (c <= 0) return 0;
  double root = b * b - 4 * a * c;
  if (a == 0 || b >= 0 || root <= 0) return 2;
  return (-b - sqrt(root)) / (2 * a);
}

/* A capsule is two balls and the cylinder between them. */
static double enter_capsule(const shape *s, vec p, vec d) {
  double first =
      fmin(enter_round(sub(p, s->a), d, s->reach), enter_round(sub(p, s->b), d, s->reach));
  vec axis = sub(s->b, s->a);
  double long_ = length(axis);
  if (long_ == 0) return first;
  vec n = unit(axis), from = sub(p, s->a);
  double t = enter_round(tangential(from, n), tangential(d, n), s->reach);
  double at = dot(along(from, t, d), n);
  return t <= 1 && at >= 0 && at <= long_ ? fmin(first, t) : first;
}

static double component(vec v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

/* Through one of the six faces of the box grown by the thickness, whose edges stay sharp: where the
 * path crosses the face's plane inward, between the four others. */
static double enter_box(const shape *s, vec p, vec d) {
  vec q = local(s, sub(p, s->a)), step = local(s, d);
  vec half = {s->half.x + s->reach, s->half.y + s->reach, s->half.z + s->reach};
  double first = 2;
  int outside = 0;
  for (int k = 0; k < 3; ++k) {
    double from = component(q, k), move = component(step, k), h = component(half, k);
    if (fabs(from) <= h) continue;
    ++outside;
    if (from * move >= 0) return 2; /* outside of a face, and not moving toward it */
    double t = (fabs(from) - h) / fabs(move);
    vec at = along(q, t, step);
    bool between = true;
    for (int j = 0; j < 3; ++j) {
      between = between && (j == k || fabs(component(at, j)) <= component(half, j));
    }
    if (between) first = fmin(first, t);
  }
  return outside ? first : 0;
}

static double enter(const shape *s, vec p, vec d) {
  if (s->c->shape == WEFT_COLLIDER_BOX) return enter_box(s, p, d);
  if (s->c->shape == WEFT_COLLIDER_CAPSULE) return enter_capsule(s, p, d);
  return enter_round(sub(p, s->a), d, s->reach);
}

/* ---- how the surface moves ---- */

/* How far the point of the surface that is now at p came in the substep. */
static vec carried(const shape *s, vec p) {
  if (s->c->shape != WEFT_COLLIDER_CAPSULE) {
    return add(s->a_move, rotate(&s->turned, sub(p, s->a)));
  }
  double t = part_along(s->a, s->b, p);
  return add(mix(s->a_move, s->b_move, t), rotate(&s->turned, sub(p, mix(s->a, s->b, t))));
}

/* Where a particle that was at p would be had it gone with the shape. How a ball spins about its
 * centre or axis cannot be seen from outside. */
static vec start_of(const shape *s, vec p) {
  if (s->c->shape == WEFT_COLLIDER_SPHERE) return add(p, s->a_move);
  if (s->c->shape == WEFT_COLLIDER_CAPSULE) {
    double t = part_along(sub(s->a, s->a_move), sub(s->b, s->b_move), p);
    return add(p, mix(s->a_move, s->b_move, t));
  }
  vec arm = sub(add(p, s->a_move), s->a);
  return add(s->a, sub(arm, rotate_back(&s->turned, arm)));
}

/* ---- one particle, one shape ---- */

oracle_friction_state oracle_friction(vec slide, double depth, double mu_s, double mu_k,
                                      vec *taken) {
  double slid = length(slide);
  *taken = slide;
  if (slid == 0) return ORACLE_REST;
  if (slid <= mu_s * depth) return ORACLE_STUCK;
  *taken = scale(fmin(1, mu_k * depth / slid), slide);
  return ORACLE_SLID;
}

/* Where to look for contact: where the path enters the shape, for one that must be swept. */
static bool swept(const shape *s, vec before, vec p, vec *entry) {
  if (s->c->shape == WEFT_COLLIDER_PLANE) return false;
  vec start = start_of(s, before), path = sub(p, start);
  if (!(length(path) > s->sweep)) return false;
  contact outset = contact_at(s, start);
  if (outset.depth > s->sweep || length(outset.normal) == 0) return false; /* it began inside */
  double t = enter(s, start, path);
  *entry = along(start, t, path);
  return t <= 1;
}

static void count_contact(oracle *o, const shape *s, bool was_swept, bool moved, vec p) {
  oracle_counts *n = &o->counts;
  unsigned long *touched[] = {[WEFT_COLLIDER_PLANE] = &n->planes,
                              [WEFT_COLLIDER_SPHERE] = &n->spheres,
                              [WEFT_COLLIDER_CAPSULE] = &n->capsules,
                              [WEFT_COLLIDER_BOX] = &n->boxes};
  unsigned long *path[] = {[WEFT_COLLIDER_PLANE] = NULL,
                           [WEFT_COLLIDER_SPHERE] = &n->swept_spheres,
                           [WEFT_COLLIDER_CAPSULE] = &n->swept_capsules,
                           [WEFT_COLLIDER_BOX] = &n->swept_boxes};
  ++*touched[s->c->shape];
  if (was_swept) ++*path[s->c->shape];
  n->carried += moved;
  n->box_faces +=
      s->c->shape == WEFT_COLLIDER_BOX && !was_swept && inside_box(s, local(s, sub(p, s->a)));
}

static void collide(oracle *o, const shape *s, uint32_t i) {
  vec p = o->x[i], query = p;
  bool was_swept = swept(s, o->before[i], p, &query);
  if (!was_swept) query = p;
  contact touched = contact_at(s, query);
  double depth = touched.depth - dot(sub(p, query), touched.normal);
  if (!(depth > 0)) return;
  o->x[i] = along(p, depth, touched.normal);
  vec with = was_swept ? (vec){0, 0, 0} : carried(s, p);
  vec slide = was_swept ? sub(o->x[i], query) : sub(sub(o->x[i], o->before[i]), with), taken;
  count_contact(o, s, was_swept, length(with) > 1e-9, p);
  oracle_friction_state state =
      oracle_friction(tangential(slide, touched.normal), depth, (double)s->c->friction_static,
                      (double)s->c->friction_dynamic, &taken);
  o->x[i] = sub(o->x[i], taken);
  o->counts.stuck += state == ORACLE_STUCK;
  o->counts.slid += state == ORACLE_SLID && s->c->friction_dynamic > 0;
}

void oracle_collide(oracle *o, const weft_collider_motion *motions) {
  for (uint32_t c = 0; c < o->p->collider_count; ++c) {
    shape s = shape_of(&o->p->colliders[c], &motions[c], (double)o->p->thickness);
    for (uint32_t i = 0; i < o->s->particle_count; ++i) {
      if (!oracle_pinned(o, i)) collide(o, &s, i);
    }
  }
}
