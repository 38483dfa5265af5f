/* gradient_cases.c: every kind of constraint the solver has: random poses, and C(x) as a textbook
 * would write it, not as the solver does. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "gradient_case.h"
#include "model.h"

#define PI 3.14159265358979323846

/* ---- vectors and chance ---- */

static double between(weft_rng *rng, double low, double high) {
  return low + (high - low) * (double)weft_rng_float(rng, 0, 1);
}
static weft_vec3d random_vector(weft_rng *rng, double size) {
  double x = between(rng, -size, size), y = between(rng, -size, size);
  return weft_v3d(x, y, between(rng, -size, size));
}
static weft_vec3d random_point(weft_rng *rng) { return random_vector(rng, 0.5); }
static weft_vec3d unit(weft_vec3d v) { return weft_v3d_scale(v, 1 / weft_v3d_length(v)); }
static weft_vec3d random_unit(weft_rng *rng) {
  weft_vec3d v;
  do v = random_vector(rng, 1);
  while (weft_v3d_length(v) > 1 || weft_v3d_length(v) < 0.1);
  return unit(v);
}
/* Square to u. */
static weft_vec3d random_side(weft_rng *rng, weft_vec3d u) {
  weft_vec3d side;
  do side = weft_v3d_cross(u, random_unit(rng));
  while (weft_v3d_length(side) < 0.1);
  return unit(side);
}
static void random_weights(weft_rng *rng, uint32_t count, weft_stencil *s) {
  for (uint32_t i = 0; i < count; ++i) s->w[i] = between(rng, 0.2, 5);
}

/* ---- distance: data[0] the rest length ---- */

/* Stretched (sign 1) or pressed (-1), by a tenth to a half. */
static void pose_distance(weft_rng *rng, weft_stencil *s, double sign) {
  s->x[0] = random_point(rng);
  weft_vec3d direction = random_unit(rng);
  s->data[0] = between(rng, 0.3, 1);
  s->x[1] =
      weft_v3d_add_scaled(s->x[0], s->data[0] * (1 + sign * between(rng, 0.1, 0.5)), direction);
  random_weights(rng, 2, s);
}
static void pose_link(weft_rng *rng, weft_stencil *s) {
  pose_distance(rng, s, between(rng, -1, 1) < 0 ? -1 : 1);
}
static void pose_stretched(weft_rng *rng, weft_stencil *s) { pose_distance(rng, s, 1); }
static void pose_pressed(weft_rng *rng, weft_stencil *s) { pose_distance(rng, s, -1); }

static double value_distance(const weft_stencil *s, const weft_vec3d *x) {
  return weft_v3d_distance(x[0], x[1]) - s->data[0];
}

static uint32_t contents_distance(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  e[0].buffer = WEFT_BUFFER_DISTANCE;
  e[0].count = 1;
  e[0].scalars[WEFT_AT(weft_pair_element, b)] = 1;
  e[0].scalars[WEFT_AT(weft_pair_element, rest)] = s->data[0];
  e[0].scalars[WEFT_AT(weft_pair_element, factor)] = 1 / (s->w[0] + s->w[1]);
  return 1;
}

/* ---- attachment: x[0] on the points x[1] and x[2], slack on the second: data[0..1] the lengths
 * ----
 */

static void pose_lra(weft_rng *rng, weft_stencil *s) {
  double l = between(rng, 0.3, 1);
  s->x[1] = random_point(rng);
  s->x[2] = random_point(rng);
  weft_vec3d direction = random_unit(rng);
  s->x[0] = weft_v3d_add_scaled(s->x[1], l, direction);
  s->data[0] = l * between(rng, 0.5, 0.9);
  s->data[1] = 5; /* out of the question */
  random_weights(rng, 1, s);
}

static uint32_t contents_lra(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  e[0].buffer = WEFT_BUFFER_LRA;
  e[0].count = 1;
  double *anchors = &e[0].scalars[WEFT_AT(weft_lra, anchors)];
  anchors[0] = 1;
  anchors[1] = 2;
  anchors[2] = anchors[3] = WEFT_NO_ANCHOR;
  memcpy(&e[0].scalars[WEFT_AT(weft_lra, lengths)], s->data, 2 * sizeof *s->data);
  return 1;
}

/* ---- contact of two particles: data[0] the least distance, frictionless ---- */

static void pose_touching(weft_rng *rng, weft_stencil *s) {
  pose_pressed(rng, s);
  s->data[0] = (double)(float)s->data[0]; /* a uniform */
}

/* Each has the other as its only neighbour. */
static uint32_t contents_touching(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
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
  double a[2], b[2], l = between(rng, 0.4, 1);
  s->x[0] = random_point(rng);
  weft_vec3d e = random_unit(rng), out = random_side(rng, e), up = weft_v3d_cross(e, out);
  double angle = between(rng, 0.3, 3);
  for (int k = 0; k < 2; ++k) {
    a[k] = between(rng, -0.2, 1.2) * l;
    b[k] = between(rng, 0.3, 1) * l;
  }
  s->x[1] = weft_v3d_add_scaled(s->x[0], l, e);
  s->x[2] = weft_v3d_add_scaled(s->x[0], a[0], e);
  s->x[2] = weft_v3d_add_scaled(s->x[2], b[0], out);
  s->x[3] = weft_v3d_add_scaled(s->x[0], a[1], e);
  s->x[3] = weft_v3d_add_scaled(s->x[3], -b[1] * cos(angle), out);
  s->x[3] = weft_v3d_add_scaled(s->x[3], b[1] * sin(angle), up);
  /* Cotangents at x0 and x1 in either triangle, from its foot and its height. */
  double c01 = a[0] / b[0], c02 = a[1] / b[1], c03 = (l - a[0]) / b[0], c04 = (l - a[1]) / b[1];
  s->data[0] = c03 + c04;
  s->data[1] = c01 + c02;
  s->data[2] = -c01 - c03;
  s->data[3] = -c02 - c04;
  random_weights(rng, 4, s);
}

/* The length of sum K x: its square is twice the energy. */
static double value_isometric(const weft_stencil *s, const weft_vec3d *x) {
  weft_vec3d c = {0, 0, 0};
  for (int i = 0; i < 4; ++i) c = weft_v3d_add_scaled(c, s->data[i], x[i]);
  return weft_v3d_length(c);
}

static uint32_t contents_isometric(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += s->w[i] * s->data[i] * s->data[i];
  e[0].buffer = WEFT_BUFFER_ISOMETRIC;
  e[0].count = 1;
  for (size_t i = 0; i < 4; ++i) {
    e[0].scalars[WEFT_AT(weft_quad_element, particles) + i] = (double)i;
    e[0].scalars[WEFT_AT(weft_quad_element, data) + i] = i < 3 ? s->data[i] : 1 / sum;
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
  double l = between(rng, 0.4, 1);
  s->x[2] = random_point(rng);
  weft_vec3d e = random_unit(rng), out = random_side(rng, e), up = weft_v3d_cross(e, out);
  s->x[3] = weft_v3d_add_scaled(s->x[2], l, e);
  s->x[0] = weft_v3d_add_scaled(s->x[2], between(rng, -0.5, 1.5) * l, e);
  s->x[0] = weft_v3d_add_scaled(s->x[0], between(rng, 0.2, 1) * l, out);
  double height = between(rng, 0.2, 1) * l;
  s->x[1] = weft_v3d_add_scaled(s->x[2], between(rng, -0.5, 1.5) * l, e);
  s->x[1] = weft_v3d_add_scaled(s->x[1], height * cos(PI + angle), out);
  s->x[1] = weft_v3d_add_scaled(s->x[1], height * sin(PI + angle), up);
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
static double value_dihedral(const weft_stencil *s, const weft_vec3d *x) {
  weft_vec3d e = unit(weft_v3d_sub(x[3], x[2]));
  weft_vec3d a = weft_v3d_sub(x[0], x[2]), b = weft_v3d_sub(x[1], x[2]);
  a = weft_v3d_add_scaled(a, -weft_v3d_dot(a, e), e);
  b = weft_v3d_add_scaled(b, -weft_v3d_dot(b, e), e);
  double between_wings = atan2(weft_v3d_dot(weft_v3d_cross(a, b), e), weft_v3d_dot(a, b));
  return wrapped(wrapped(between_wings + PI) - s->data[0]);
}

static uint32_t contents_dihedral(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  e[0].buffer = WEFT_BUFFER_DIHEDRAL;
  e[0].count = 1;
  for (size_t i = 0; i < 4; ++i)
    e[0].scalars[WEFT_AT(weft_quad_element, particles) + i] = (double)i;
  e[0].scalars[WEFT_AT(weft_quad_element, data)] = s->data[0];
  e[0].scalars[WEFT_AT(weft_quad_element, data) + 3] = 1;
  return 1;
}

/* ---- contact with a shape: data[0] its radius and thickness, frictionless ---- */

static void place(double *scalars, size_t at, weft_vec3d v) {
  scalars[at] = v.x;
  scalars[at + 1] = v.y;
  scalars[at + 2] = v.z;
}

static uint32_t shape_contents(const weft_stencil *s, weft_element *e, uint32_t shape) {
  e[0].buffer = WEFT_BUFFER_COLLIDERS;
  e[0].count = 1;
  double *to = e[0].scalars;
  place(to, WEFT_AT(weft_collider_pose, a), s->points[0]);
  to[WEFT_AT(weft_collider_pose, a) + 3] = s->data[0];
  bool plane = shape == WEFT_COLLIDER_PLANE;
  place(to, WEFT_AT(weft_collider_pose, b), plane ? s->directions[0] : s->points[1]);
  to[WEFT_AT(weft_collider_pose, shape)] = shape;
  return 1;
}

/* points[0] on the plane, directions[0] out of it */
static void pose_plane(weft_rng *rng, weft_stencil *s) {
  s->points[0] = random_point(rng);
  s->directions[0] = random_unit(rng);
  s->data[0] = between(rng, 0, 0.1);
  weft_vec3d side = random_side(rng, s->directions[0]);
  s->x[0] = weft_v3d_add_scaled(s->points[0], between(rng, -1, 1), side);
  s->x[0] = weft_v3d_add_scaled(s->x[0], s->data[0] - between(rng, 0.01, 0.3), s->directions[0]);
  random_weights(rng, 1, s);
}
static double value_plane(const weft_stencil *s, const weft_vec3d *x) {
  return weft_v3d_dot(weft_v3d_sub(x[0], s->points[0]), s->directions[0]) - s->data[0];
}
static uint32_t contents_plane(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  return shape_contents(s, e, WEFT_COLLIDER_PLANE);
}

/* points[0] the centre */
static void pose_sphere(weft_rng *rng, weft_stencil *s) {
  s->points[0] = random_point(rng);
  weft_vec3d direction = random_unit(rng);
  s->data[0] = between(rng, 0.2, 0.8);
  s->x[0] = weft_v3d_add_scaled(s->points[0], s->data[0] * between(rng, 0.3, 0.95), direction);
  random_weights(rng, 1, s);
}
static double value_sphere(const weft_stencil *s, const weft_vec3d *x) {
  return weft_v3d_distance(x[0], s->points[0]) - s->data[0];
}
static uint32_t contents_sphere(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  return shape_contents(s, e, WEFT_COLLIDER_SPHERE);
}

/* points[0] and points[1] the ends */
static void pose_capsule(weft_rng *rng, weft_stencil *s) {
  double l = between(rng, 0.3, 1);
  s->points[0] = random_point(rng);
  weft_vec3d e = random_unit(rng), out = random_side(rng, e);
  s->points[1] = weft_v3d_add_scaled(s->points[0], l, e);
  s->data[0] = between(rng, 0.2, 0.5);
  double away = s->data[0] * between(rng, 0.3, 0.8), where = between(rng, -0.4, 1.4);
  double past = where < 0 ? -where * l : (where > 1 ? (where - 1) * l : 0);
  if (past > 0.4 * s->data[0]) where = 0.5; /* past the round end */
  s->x[0] = weft_v3d_add_scaled(s->points[0], where * l, e);
  s->x[0] = weft_v3d_add_scaled(s->x[0], away, out);
  random_weights(rng, 1, s);
}
static double value_capsule(const weft_stencil *s, const weft_vec3d *x) {
  weft_vec3d axis = weft_v3d_sub(s->points[1], s->points[0]);
  weft_vec3d from_a = weft_v3d_sub(x[0], s->points[0]), from_b = weft_v3d_sub(x[0], s->points[1]);
  if (weft_v3d_dot(from_a, axis) < 0) return weft_v3d_length(from_a) - s->data[0];
  if (weft_v3d_dot(from_b, axis) > 0) return weft_v3d_length(from_b) - s->data[0];
  double twice_area = weft_v3d_length(weft_v3d_cross(axis, from_a));
  return twice_area / weft_v3d_length(axis) - s->data[0];
}
static uint32_t contents_capsule(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  return shape_contents(s, e, WEFT_COLLIDER_CAPSULE);
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
  s->points[0] = random_point(rng);
  s->directions[0] = random_unit(rng);
  s->directions[1] = random_side(rng, s->directions[0]);
  s->directions[2] = weft_v3d_cross(s->directions[0], s->directions[1]);
  s->data[0] = between(rng, 0.1, 0.3);
  for (int k = 1; k <= 3; ++k) s->data[k] = between(rng, 0.2, 0.6);
  if (between(rng, 0, 1) < 0.5) {
    pose_in_box(rng, &s->data[1], q);
  } else {
    pose_at_box(rng, &s->data[1], s->data[0], q);
  }
  s->x[0] = s->points[0];
  for (int k = 0; k < 3; ++k) {
    s->x[0] =
        weft_v3d_add_scaled(s->x[0], between(rng, -1, 1) < 0 ? -q[k] : q[k], s->directions[k]);
  }
  random_weights(rng, 1, s);
}

static double value_box(const weft_stencil *s, const weft_vec3d *x) {
  weft_vec3d from = weft_v3d_sub(x[0], s->points[0]);
  double outside[3], inside = -1e9;
  for (int k = 0; k < 3; ++k) {
    double over = fabs(weft_v3d_dot(from, s->directions[k])) - s->data[k + 1];
    inside = fmax(inside, over);
    outside[k] = fmax(over, 0);
  }
  return (inside < 0 ? inside : weft_v3d_length(weft_v3d_at(outside))) - s->data[0];
}

static uint32_t contents_box(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  shape_contents(s, e, WEFT_COLLIDER_BOX);
  double *to = e[0].scalars;
  place(to, WEFT_AT(weft_collider_pose, b), weft_v3d_at(&s->data[1]));
  place(to, WEFT_AT(weft_collider_pose, axis_x), s->directions[0]);
  place(to, WEFT_AT(weft_collider_pose, axis_y), s->directions[1]);
  place(to, WEFT_AT(weft_collider_pose, axis_z), s->directions[2]);
  return 1;
}

/* ---- the table ---- */

#define LINK(sense) WEFT_PASS_PROJECT_DISTANCE, 1, sense, WEFT_BUFFER_X, 2, false, 1
#define LRA WEFT_PASS_LRA, 1, 0, WEFT_BUFFER_X, 3, true, 1
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
  patch_words(&e[0], WEFT_CONSTRAINT_DISTANCE, sense, 2);
  e[1].buffer = WEFT_BUFFER_PATCH_PAIRS;
  e[1].count = 1;
  e[1].scalars[WEFT_AT(weft_patch_pair, ab)] = 1u << 16;
  e[1].scalars[WEFT_AT(weft_patch_pair, rest)] = s->data[0];
  e[1].scalars[WEFT_AT(weft_patch_pair, factor)] = 1 / (s->w[0] + s->w[1]);
  return 2;
}
static uint32_t contents_patch_link(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  return patch_distance(s, e, WEFT_ACTS_ALWAYS);
}
static uint32_t contents_patch_rope(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  (void)u;
  return patch_distance(s, e, WEFT_ACTS_STRETCHED);
}

/* What the table of the plain constraint has after its four particles. */
static uint32_t patch_quad(const weft_element *plain, weft_element *e, uint32_t kind) {
  patch_words(&e[0], kind, 0, 4);
  e[1].buffer = WEFT_BUFFER_PATCH_QUADS;
  e[1].count = 1;
  e[1].scalars[WEFT_AT(weft_patch_quad, p01)] = 1u << 16;
  e[1].scalars[WEFT_AT(weft_patch_quad, p23)] = 2u | 3u << 16;
  e[2].buffer = WEFT_BUFFER_PATCH_DATA;
  e[2].count = 1;
  memcpy(e[2].scalars, &plain->scalars[4], 4 * sizeof *plain->scalars);
  return 3;
}
static uint32_t contents_patch_isometric(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  weft_element plain = {.count = 0};
  contents_isometric(s, &plain, u);
  return patch_quad(&plain, e, WEFT_CONSTRAINT_ISOMETRIC);
}
static uint32_t contents_patch_dihedral(const weft_stencil *s, weft_element *e, weft_uniforms *u) {
  weft_element plain = {.count = 0};
  contents_dihedral(s, &plain, u);
  return patch_quad(&plain, e, WEFT_CONSTRAINT_DIHEDRAL);
}

const weft_gradient_case weft_gradient_cases[] = {
    {"distance", LINK(WEFT_SENSE_EQUAL), pose_link, value_distance, contents_distance},
    {"distance at most", LINK(WEFT_SENSE_AT_MOST), pose_stretched, value_distance,
     contents_distance},
    {"distance at least", LINK(WEFT_SENSE_AT_LEAST), pose_pressed, value_distance,
     contents_distance},
    {"long-range attachment", LRA, pose_lra, value_distance, contents_lra},
    {"contact of two particles", TOUCHING, pose_touching, value_distance, contents_touching},
    {"isometric bending", ISOMETRIC, pose_isometric, value_isometric, contents_isometric},
    {"dihedral bending", DIHEDRAL, pose_hinge, value_dihedral, contents_dihedral},
    {"dihedral, nearly flat", DIHEDRAL, pose_nearly_flat, value_dihedral, contents_dihedral},
    {"dihedral, nearly folded", DIHEDRAL, pose_nearly_folded, value_dihedral, contents_dihedral},
    {"dihedral, through the fold", DIHEDRAL, pose_through_the_fold, value_dihedral,
     contents_dihedral},
    {"distance in a patch", PATCH(2, 0.3), pose_link, value_distance, contents_patch_link},
    {"distance at most in a patch", PATCH(2, 0.3), pose_stretched, value_distance,
     contents_patch_rope},
    {"isometric bending in a patch", PATCH(4, 0.3), pose_isometric, value_isometric,
     contents_patch_isometric},
    {"dihedral bending in a patch", PATCH(4, 0.1), pose_hinge, value_dihedral,
     contents_patch_dihedral},
    {"contact with a plane", COLLIDE, 1, pose_plane, value_plane, contents_plane},
    {"contact with a sphere", COLLIDE, 0.5, pose_sphere, value_sphere, contents_sphere},
    {"contact with a capsule", COLLIDE, 1, pose_capsule, value_capsule, contents_capsule},
    {"contact with a box", COLLIDE, 0.1, pose_box, value_box, contents_box},
};
const uint32_t weft_gradient_case_count = sizeof weft_gradient_cases / sizeof *weft_gradient_cases;
