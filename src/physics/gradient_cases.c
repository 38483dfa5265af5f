/* gradient_cases.c: every kind of constraint the solver has: random poses, and C(x) as a textbook
 * would write it, not as the solver does. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "gradient_case.h"

#define PI 3.14159265358979323846

/* ---- vectors and chance ---- */

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static double length(const double *a) { return sqrt(dot(a, a)); }
static void sub(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; ++k) out[k] = a[k] - b[k];
}
static void along(const double *from, const double *direction, double way, double *out) {
  for (int k = 0; k < 3; ++k) out[k] = from[k] + way * direction[k];
}
static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}
static double between(weft_rng *rng, double low, double high) {
  return low + (high - low) * (double)weft_rng_float(rng, 0, 1);
}
static void random_point(weft_rng *rng, double *p) {
  for (int k = 0; k < 3; ++k) p[k] = between(rng, -0.5, 0.5);
}
static void random_unit(weft_rng *rng, double *u) {
  double size;
  do {
    for (int k = 0; k < 3; ++k) u[k] = between(rng, -1, 1);
    size = length(u);
  } while (size > 1 || size < 0.1);
  for (int k = 0; k < 3; ++k) u[k] /= size;
}
/* Square to u. */
static void random_side(weft_rng *rng, const double *u, double *side) {
  double other[3];
  do {
    random_unit(rng, other);
    cross(u, other, side);
  } while (length(side) < 0.1);
  double size = length(side);
  for (int k = 0; k < 3; ++k) side[k] /= size;
}
static void random_weights(weft_rng *rng, uint32_t count, weft_stencil *s) {
  for (uint32_t i = 0; i < count; ++i) s->w[i] = between(rng, 0.2, 5);
}

/* ---- distance: data[0] the rest length ---- */

/* Stretched (sign 1) or pressed (-1), by a tenth to a half. */
static void pose_distance(weft_rng *rng, weft_stencil *s, double sign) {
  double direction[3];
  random_point(rng, s->x[0]);
  random_unit(rng, direction);
  s->data[0] = between(rng, 0.3, 1);
  along(s->x[0], direction, s->data[0] * (1 + sign * between(rng, 0.1, 0.5)), s->x[1]);
  random_weights(rng, 2, s);
}
static void pose_link(weft_rng *rng, weft_stencil *s) {
  pose_distance(rng, s, between(rng, -1, 1) < 0 ? -1 : 1);
}
static void pose_stretched(weft_rng *rng, weft_stencil *s) { pose_distance(rng, s, 1); }
static void pose_pressed(weft_rng *rng, weft_stencil *s) { pose_distance(rng, s, -1); }

static double value_distance(const weft_stencil *s, const double (*x)[3]) {
  double d[3];
  sub(x[0], x[1], d);
  return length(d) - s->data[0];
}

static uint32_t tables_distance(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  e[0].buffer = WEFT_BUFFER_DISTANCE;
  e[0].count = 1;
  e[0].scalars[WEFT_AT(weft_distance, b)] = 1;
  e[0].scalars[WEFT_AT(weft_distance, rest_length)] = s->data[0];
  e[0].scalars[WEFT_AT(weft_distance, inv_denominator)] = 1 / (s->w[0] + s->w[1]);
  return 1;
}

/* ---- tether: x[0] on the points x[1] and x[2], slack on the second: data[0..1] the lengths ----
 */

static void pose_tether(weft_rng *rng, weft_stencil *s) {
  double direction[3], l = between(rng, 0.3, 1);
  random_point(rng, s->x[1]);
  random_point(rng, s->x[2]);
  random_unit(rng, direction);
  along(s->x[1], direction, l, s->x[0]);
  s->data[0] = l * between(rng, 0.5, 0.9);
  s->data[1] = 5; /* out of the question */
  random_weights(rng, 1, s);
}

static uint32_t tables_tether(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  e[0].buffer = WEFT_BUFFER_TETHERS;
  e[0].count = 1;
  double *anchors = &e[0].scalars[WEFT_AT(weft_tether, anchors)];
  anchors[0] = 1;
  anchors[1] = 2;
  anchors[2] = anchors[3] = WEFT_NO_ANCHOR;
  memcpy(&e[0].scalars[WEFT_AT(weft_tether, lengths)], s->data, 2 * sizeof *s->data);
  return 1;
}

/* ---- contact of two particles: data[0] the least distance, frictionless ---- */

static void pose_touching(weft_rng *rng, weft_stencil *s) {
  pose_pressed(rng, s);
  s->data[0] = (double)(float)s->data[0]; /* a uniform */
}

/* Each has the other, and nobody else, for a neighbour. */
static uint32_t tables_touching(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  u->contact_distance = (float)s->data[0];
  u->contact_relaxation = 1;
  e[0].buffer = WEFT_BUFFER_CONTACTS;
  e[1].buffer = WEFT_BUFFER_CONTACT_FOUND;
  e[2].buffer = WEFT_BUFFER_CONTACT_LOAD;
  for (size_t i = 0; i < 2; ++i) {
    size_t list = i * WEFT_CONTACT_SLOTS * sizeof(weft_neighbour) / 4;
    e[0].scalars[list + WEFT_AT(weft_neighbour, other)] = (double)(1 - i);
    e[1].scalars[i] = e[2].scalars[i] = 1;
  }
  e[0].count = e[1].count = e[2].count = 2;
  return 3;
}

/* ---- isometric bending: data[0..3] the weights K, of which the solver keeps three ---- */

/* Four points of a plane as a hinge, opened to `angle` (0: flat again). x0 and x1 are the edge. */
static void pose_isometric(weft_rng *rng, weft_stencil *s) {
  double e[3], out[3], up[3], a[2], b[2], l = between(rng, 0.4, 1);
  random_point(rng, s->x[0]);
  random_unit(rng, e);
  random_side(rng, e, out);
  cross(e, out, up);
  double angle = between(rng, 0.3, 3);
  for (int k = 0; k < 2; ++k) {
    a[k] = between(rng, -0.2, 1.2) * l;
    b[k] = between(rng, 0.3, 1) * l;
  }
  along(s->x[0], e, l, s->x[1]);
  along(s->x[0], e, a[0], s->x[2]);
  along(s->x[2], out, b[0], s->x[2]);
  along(s->x[0], e, a[1], s->x[3]);
  along(s->x[3], out, -b[1] * cos(angle), s->x[3]);
  along(s->x[3], up, b[1] * sin(angle), s->x[3]);
  /* Cotangents at x0 and x1 in either triangle, from its foot and its height. */
  double c01 = a[0] / b[0], c02 = a[1] / b[1], c03 = (l - a[0]) / b[0], c04 = (l - a[1]) / b[1];
  s->data[0] = c03 + c04;
  s->data[1] = c01 + c02;
  s->data[2] = -c01 - c03;
  s->data[3] = -c02 - c04;
  random_weights(rng, 4, s);
}

/* The length of sum K x: its square is twice the energy. */
static double value_isometric(const weft_stencil *s, const double (*x)[3]) {
  double c[3] = {0, 0, 0};
  for (int i = 0; i < 4; ++i) along(c, x[i], s->data[i], c);
  return length(c);
}

static uint32_t tables_isometric(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += s->w[i] * s->data[i] * s->data[i];
  e[0].buffer = WEFT_BUFFER_ISOMETRIC;
  e[0].count = 1;
  for (size_t i = 0; i < 4; ++i) {
    e[0].scalars[WEFT_AT(weft_isometric, particles) + i] = (double)i;
    e[0].scalars[WEFT_AT(weft_isometric, weights) + i] = i < 3 ? s->data[i] : 1 / sum;
  }
  return 1;
}

/* ---- dihedral bending: data[0] the rest angle ---- */

static double wrapped(double angle) {
  while (angle > PI) angle -= 2 * PI;
  while (angle < -PI) angle += 2 * PI;
  return angle;
}

/* x2, x3 the edge. The wings stand out from it, turned against each other by pi + angle. */
static void pose_dihedral(weft_rng *rng, weft_stencil *s, double angle, double error) {
  double e[3], out[3], up[3], l = between(rng, 0.4, 1);
  random_point(rng, s->x[2]);
  random_unit(rng, e);
  random_side(rng, e, out);
  cross(e, out, up);
  along(s->x[2], e, l, s->x[3]);
  along(s->x[2], e, between(rng, -0.5, 1.5) * l, s->x[0]);
  along(s->x[0], out, between(rng, 0.2, 1) * l, s->x[0]);
  double height = between(rng, 0.2, 1) * l;
  along(s->x[2], e, between(rng, -0.5, 1.5) * l, s->x[1]);
  along(s->x[1], out, height * cos(PI + angle), s->x[1]);
  along(s->x[1], up, height * sin(PI + angle), s->x[1]);
  s->data[0] = wrapped(angle - error);
  random_weights(rng, 4, s);
}
static double either_sign(weft_rng *rng, double low, double high) {
  double size = between(rng, low, high);
  return between(rng, -1, 1) < 0 ? -size : size;
}
static void pose_hinge(weft_rng *rng, weft_stencil *s) {
  double angle = either_sign(rng, 0.01, PI - 0.01);
  pose_dihedral(rng, s, angle, either_sign(rng, 0.05, 2));
}
static void pose_nearly_flat(weft_rng *rng, weft_stencil *s) {
  double angle = either_sign(rng, 3e-4, 1e-3);
  pose_dihedral(rng, s, angle, angle); /* flat at rest */
}
static void pose_nearly_folded(weft_rng *rng, weft_stencil *s) {
  double angle = either_sign(rng, PI - 1e-3, PI - 1e-5);
  pose_dihedral(rng, s, angle, either_sign(rng, 0.05, 2));
}
/* The short way to the rest angle leads through the fold. */
static void pose_through_the_fold(weft_rng *rng, weft_stencil *s) {
  double angle = either_sign(rng, PI - 0.3, PI - 0.1);
  pose_dihedral(rng, s, angle, angle > 0 ? -between(rng, 0.5, 1) : between(rng, 0.5, 1));
}

/* Between what is left of the wings square to the edge. */
static double value_dihedral(const weft_stencil *s, const double (*x)[3]) {
  double e[3], a[3], b[3], turned[3];
  sub(x[3], x[2], e);
  double l = length(e);
  for (int k = 0; k < 3; ++k) e[k] /= l;
  sub(x[0], x[2], a);
  sub(x[1], x[2], b);
  along(a, e, -dot(a, e), a);
  along(b, e, -dot(b, e), b);
  cross(a, b, turned);
  double between_wings = atan2(dot(turned, e), dot(a, b));
  return wrapped(wrapped(between_wings + PI) - s->data[0]);
}

static uint32_t tables_dihedral(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  e[0].buffer = WEFT_BUFFER_DIHEDRAL;
  e[0].count = 1;
  for (size_t i = 0; i < 4; ++i) e[0].scalars[WEFT_AT(weft_dihedral, particles) + i] = (double)i;
  e[0].scalars[WEFT_AT(weft_dihedral, rest_angle)] = s->data[0];
  e[0].scalars[WEFT_AT(weft_dihedral, relaxation)] = 1;
  return 1;
}

/* ---- contact with a shape: data[0] its radius and thickness, frictionless ---- */

static void place(double *scalars, size_t at, const double *v) {
  memcpy(scalars + at, v, 3 * sizeof *v);
}

static uint32_t shape_tables(const weft_stencil *s, weft_element *e, uint32_t shape) {
  e[0].buffer = WEFT_BUFFER_COLLIDERS;
  e[0].count = 1;
  double *to = e[0].scalars;
  place(to, WEFT_AT(weft_collider_pose, a), s->points[0]);
  to[WEFT_AT(weft_collider_pose, a) + 3] = s->data[0];
  bool plane = shape == WEFT_SHAPE_PLANE;
  place(to, WEFT_AT(weft_collider_pose, b), plane ? s->directions[0] : s->points[1]);
  to[WEFT_AT(weft_collider_pose, shape)] = shape;
  return 1;
}

/* points[0] on the plane, directions[0] out of it */
static void pose_plane(weft_rng *rng, weft_stencil *s) {
  random_point(rng, s->points[0]);
  random_unit(rng, s->directions[0]);
  s->data[0] = between(rng, 0, 0.1);
  double side[3];
  random_side(rng, s->directions[0], side);
  along(s->points[0], side, between(rng, -1, 1), s->x[0]);
  along(s->x[0], s->directions[0], s->data[0] - between(rng, 0.01, 0.3), s->x[0]);
  random_weights(rng, 1, s);
}
static double value_plane(const weft_stencil *s, const double (*x)[3]) {
  double from[3];
  sub(x[0], s->points[0], from);
  return dot(from, s->directions[0]) - s->data[0];
}
static uint32_t tables_plane(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  return shape_tables(s, e, WEFT_SHAPE_PLANE);
}

/* points[0] the centre */
static void pose_sphere(weft_rng *rng, weft_stencil *s) {
  double direction[3];
  random_point(rng, s->points[0]);
  random_unit(rng, direction);
  s->data[0] = between(rng, 0.2, 0.8);
  along(s->points[0], direction, s->data[0] * between(rng, 0.3, 0.95), s->x[0]);
  random_weights(rng, 1, s);
}
static double value_sphere(const weft_stencil *s, const double (*x)[3]) {
  double from[3];
  sub(x[0], s->points[0], from);
  return length(from) - s->data[0];
}
static uint32_t tables_sphere(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  return shape_tables(s, e, WEFT_SHAPE_SPHERE);
}

/* points[0] and points[1] the ends */
static void pose_capsule(weft_rng *rng, weft_stencil *s) {
  double e[3], out[3], l = between(rng, 0.3, 1);
  random_point(rng, s->points[0]);
  random_unit(rng, e);
  random_side(rng, e, out);
  along(s->points[0], e, l, s->points[1]);
  s->data[0] = between(rng, 0.2, 0.5);
  double away = s->data[0] * between(rng, 0.3, 0.8), where = between(rng, -0.4, 1.4);
  double past = where < 0 ? -where * l : (where > 1 ? (where - 1) * l : 0);
  if (past > 0.4 * s->data[0]) where = 0.5; /* past the round end */
  along(s->points[0], e, where * l, s->x[0]);
  along(s->x[0], out, away, s->x[0]);
  random_weights(rng, 1, s);
}
static double value_capsule(const weft_stencil *s, const double (*x)[3]) {
  double axis[3], from_a[3], from_b[3], square[3];
  sub(s->points[1], s->points[0], axis);
  sub(x[0], s->points[0], from_a);
  sub(x[0], s->points[1], from_b);
  if (dot(from_a, axis) < 0) return length(from_a) - s->data[0];
  if (dot(from_b, axis) > 0) return length(from_b) - s->data[0];
  cross(axis, from_a, square);
  return length(square) / length(axis) - s->data[0];
}
static uint32_t tables_capsule(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  return shape_tables(s, e, WEFT_SHAPE_CAPSULE);
}

/* points[0] the centre, directions its axes, data[1..3] half its size, data[0] the thickness: it
 * has round edges as wide as that. */

/* Nearest to a face from inside, by far enough from any other that the way out is in no doubt. */
static void pose_in_box(weft_rng *rng, const double *half, double *q) {
  int nearest = (int)between(rng, 0, 2.99);
  double depth = between(rng, 0.03, 0.1);
  for (int k = 0; k < 3; ++k) {
    q[k] = k == nearest ? half[k] - depth : between(rng, 0.01, half[k] - depth - 0.03);
  }
}

/* Before a face, an edge or a corner, within the thickness. */
static void pose_at_box(weft_rng *rng, const double *half, double thickness, double *q) {
  bool out[3];
  for (int k = 0; k < 3; ++k) out[k] = between(rng, 0, 1) < 0.5;
  if (!out[0] && !out[1] && !out[2]) out[2] = true;
  for (int k = 0; k < 3; ++k) {
    q[k] = out[k] ? half[k] + thickness * between(rng, 0.2, 0.5) : between(rng, 0, half[k] - 0.02);
  }
}

static void pose_box(weft_rng *rng, weft_stencil *s) {
  double q[3];
  random_point(rng, s->points[0]);
  random_unit(rng, s->directions[0]);
  random_side(rng, s->directions[0], s->directions[1]);
  cross(s->directions[0], s->directions[1], s->directions[2]);
  s->data[0] = between(rng, 0.1, 0.3);
  for (int k = 1; k <= 3; ++k) s->data[k] = between(rng, 0.2, 0.6);
  if (between(rng, 0, 1) < 0.5) {
    pose_in_box(rng, &s->data[1], q);
  } else {
    pose_at_box(rng, &s->data[1], s->data[0], q);
  }
  memcpy(s->x[0], s->points[0], sizeof s->x[0]);
  for (int k = 0; k < 3; ++k) {
    along(s->x[0], s->directions[k], between(rng, -1, 1) < 0 ? -q[k] : q[k], s->x[0]);
  }
  random_weights(rng, 1, s);
}

static double value_box(const weft_stencil *s, const double (*x)[3]) {
  double from[3], outside[3], inside = -1e9;
  sub(x[0], s->points[0], from);
  for (int k = 0; k < 3; ++k) {
    double over = fabs(dot(from, s->directions[k])) - s->data[k + 1];
    inside = fmax(inside, over);
    outside[k] = fmax(over, 0);
  }
  return (inside < 0 ? inside : length(outside)) - s->data[0];
}

static uint32_t tables_box(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  shape_tables(s, e, WEFT_SHAPE_BOX);
  double *to = e[0].scalars;
  place(to, WEFT_AT(weft_collider_pose, b), &s->data[1]);
  place(to, WEFT_AT(weft_collider_pose, axis_x), s->directions[0]);
  place(to, WEFT_AT(weft_collider_pose, axis_y), s->directions[1]);
  place(to, WEFT_AT(weft_collider_pose, axis_z), s->directions[2]);
  return 1;
}

/* ---- the table ---- */

#define LINK(sense) WEFT_PASS_PROJECT_DISTANCE, 1, sense, WEFT_BUFFER_X, 2, false, 1
#define TETHER WEFT_PASS_TETHER, 1, 0, WEFT_BUFFER_X, 3, true, 1
#define TOUCHING WEFT_PASS_CONTACT_PROJECT, 2, 0, WEFT_BUFFER_CONTACT_DELTA, 2, false, 1
#define PATCH(arity, edge) WEFT_PASS_PATCH, 1, 0, WEFT_BUFFER_X, arity, false, edge
#define ISOMETRIC WEFT_PASS_PROJECT_ISOMETRIC, 1, 0, WEFT_BUFFER_X, 4, false, 0.2
#define DIHEDRAL WEFT_PASS_PROJECT_DIHEDRAL, 1, 0, WEFT_BUFFER_X, 4, false, 0.2
#define COLLIDE WEFT_PASS_COLLIDE, 1, 0, WEFT_BUFFER_X, 1, true

/* ---- patches: the same constraints, one alone in a patch ---- */

/* Row, range and list of a patch of `arity` particles in their order. */
static void patch_words(weft_element *e, uint32_t kind, uint32_t sense, uint32_t arity) {
  const double words[6] = {6, arity, 4, 1, 0, (double)(1u | kind << 16 | sense << 20)};
  e->buffer = WEFT_BUFFER_PATCH_WORDS;
  e->count = 6 + arity;
  memcpy(e->scalars, words, sizeof words);
  for (uint32_t i = 0; i < arity; ++i) e->scalars[6 + i] = i;
}

static uint32_t patch_distance(const weft_stencil *s, weft_element *e, uint32_t sense) {
  patch_words(&e[0], WEFT_PATCH_DISTANCE, sense, 2);
  e[1].buffer = WEFT_BUFFER_PATCH_DISTANCE;
  e[1].count = 1;
  e[1].scalars[WEFT_AT(weft_patch_distance, ab)] = 1u << 16;
  e[1].scalars[WEFT_AT(weft_patch_distance, rest_length)] = s->data[0];
  e[1].scalars[WEFT_AT(weft_patch_distance, inv_denominator)] = 1 / (s->w[0] + s->w[1]);
  return 2;
}
static uint32_t tables_patch_link(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  return patch_distance(s, e, WEFT_ACTS_ALWAYS);
}
static uint32_t tables_patch_rope(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  return patch_distance(s, e, WEFT_ACTS_STRETCHED);
}

/* What the table of the plain constraint has after its four particles. */
static uint32_t patch_quad(const weft_element *plain, weft_element *e, uint32_t kind) {
  patch_words(&e[0], kind, 0, 4);
  e[1].buffer = WEFT_BUFFER_PATCH_QUAD;
  e[1].count = 1;
  e[1].scalars[WEFT_AT(weft_patch_quad, p01)] = 1u << 16;
  e[1].scalars[WEFT_AT(weft_patch_quad, p23)] = 2u | 3u << 16;
  e[2].buffer = WEFT_BUFFER_PATCH_WEIGHTS;
  e[2].count = 1;
  memcpy(e[2].scalars, &plain->scalars[4], 4 * sizeof *plain->scalars);
  return 3;
}
static uint32_t tables_patch_isometric(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  weft_element plain = {.count = 0};
  tables_isometric(s, &plain, u);
  return patch_quad(&plain, e, WEFT_PATCH_ISOMETRIC);
}
static uint32_t tables_patch_dihedral(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  weft_element plain = {.count = 0};
  tables_dihedral(s, &plain, u);
  return patch_quad(&plain, e, WEFT_PATCH_DIHEDRAL);
}

const weft_gradient_case weft_gradient_cases[] = {
    {"distance", LINK(WEFT_SENSE_EQUAL), pose_link, value_distance, tables_distance},
    {"distance at most", LINK(WEFT_SENSE_AT_MOST), pose_stretched, value_distance, tables_distance},
    {"distance at least", LINK(WEFT_SENSE_AT_LEAST), pose_pressed, value_distance, tables_distance},
    {"long-range attachment", TETHER, pose_tether, value_distance, tables_tether},
    {"contact of two particles", TOUCHING, pose_touching, value_distance, tables_touching},
    {"isometric bending", ISOMETRIC, pose_isometric, value_isometric, tables_isometric},
    {"dihedral bending", DIHEDRAL, pose_hinge, value_dihedral, tables_dihedral},
    {"dihedral, nearly flat", DIHEDRAL, pose_nearly_flat, value_dihedral, tables_dihedral},
    {"dihedral, nearly folded", DIHEDRAL, pose_nearly_folded, value_dihedral, tables_dihedral},
    {"dihedral, through the fold", DIHEDRAL, pose_through_the_fold, value_dihedral,
     tables_dihedral},
    {"distance in a patch", PATCH(2, 0.3), pose_link, value_distance, tables_patch_link},
    {"distance at most in a patch", PATCH(2, 0.3), pose_stretched, value_distance,
     tables_patch_rope},
    {"isometric bending in a patch", PATCH(4, 0.3), pose_isometric, value_isometric,
     tables_patch_isometric},
    {"dihedral bending in a patch", PATCH(4, 0.1), pose_hinge, value_dihedral,
     tables_patch_dihedral},
    {"contact with a plane", COLLIDE, 1, pose_plane, value_plane, tables_plane},
    {"contact with a sphere", COLLIDE, 0.5, pose_sphere, value_sphere, tables_sphere},
    {"contact with a capsule", COLLIDE, 1, pose_capsule, value_capsule, tables_capsule},
    {"contact with a box", COLLIDE, 0.1, pose_box, value_box, tables_box},
};
const uint32_t weft_gradient_case_count = sizeof weft_gradient_cases / sizeof *weft_gradient_cases;
