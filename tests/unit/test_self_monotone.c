/* Pairs of patches whose gradients certify it are apart, all the way of a substep: cloth at rest is
 * deformed at random, about the threshold and beyond, and features of certified pairs are measured
 * at seventeen points of their way. And what lies over a hull is there. */
#include <stdio.h>

#include "cmocka_all.h"
#include "self_distances.h"
#include "self_rest.h"

enum { TIMES = 17, MEASURED = 60, SHAPES = 8, SLIT = 7 };

/* ---- certificates, as the passes compute them ---- */

typedef struct numbers {
  weft_vec3d a, b;
  double least, most; /* lambda, phi */
} numbers;

typedef enum leave_out { NOTHING, TURN, BEND, END, NEIGHBOURS } leave_out;

typedef struct detection {
  const weft_self_surface *s;
  const weft_self_cooked *c;
  const weft_vec3d *p, *x;
  numbers *numbers;
  leave_out without; /* to see that it matters */
} detection;

static weft_vec3d axis_of(const detection *l, const weft_self_patch *patch, bool second) {
  const uvec4 a = patch->fixed_a, b = patch->fixed_b;
  const uint32_t at[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
  const vec4 first = second ? patch->v_a : patch->u_a, last = second ? patch->v_b : patch->u_b;
  const float weights[8] = {first.x, first.y, first.z, first.w, last.x, last.y, last.z, last.w};
  weft_vec3d sum = {0, 0, 0};
  for (int k = 0; k < 8; ++k) {
    sum = weft_v3d_add_scaled(sum, (double)weights[k], weft_v3d_sub(l->p[at[k]], l->p[at[0]]));
  }
  return weft_v3d_scale(sum, 1 / weft_v3d_length(sum));
}

/* Its columns. */
static void gradient_of(const weft_self_triangle *t, const weft_vec3d *x, weft_vec3d f[2]) {
  weft_vec3d d = weft_v3d_sub(x[t->corners.y], x[t->corners.x]);
  weft_vec3d e = weft_v3d_sub(x[t->corners.z], x[t->corners.x]);
  const vec4 g = t->inverse;
  f[0] = weft_v3d_add_scaled(weft_v3d_scale(d, (double)g.x), (double)g.y, e);
  f[1] = weft_v3d_add_scaled(weft_v3d_scale(d, (double)g.z), (double)g.w, e);
}

static void add_triangle(const weft_self_triangle *t, const weft_vec3d *x, numbers *n) {
  weft_vec3d f[2];
  gradient_of(t, x, f);
  double m11 = weft_v3d_dot(n->a, f[0]), m12 = weft_v3d_dot(n->a, f[1]);
  double m21 = weft_v3d_dot(n->b, f[0]), m22 = weft_v3d_dot(n->b, f[1]);
  double least = 0.5 * (m11 + m22) - 0.5 * hypot(m11 - m22, m12 + m21);
  n->least = fmin(n->least, least);
  n->most = fmax(n->most, sqrt(weft_v3d_dot(f[0], f[0]) + weft_v3d_dot(f[1], f[1])));
}

static void fill_numbers(detection *l) {
  for (uint32_t r = 0; r < l->c->patches; ++r) {
    numbers *n = &l->numbers[r];
    n->a = axis_of(l, &l->c->patch[r], false);
    n->b = axis_of(l, &l->c->patch[r], true);
    n->least = INFINITY;
    n->most = 0;
    for (uint32_t i = WEFT_SELF_PATCH * r; i < WEFT_SELF_PATCH * (r + 1); ++i) {
      add_triangle(&l->c->triangles[i], l->p, n);
      if (l->without != END) add_triangle(&l->c->triangles[i], l->x, n);
    }
  }
}

/* Of a reference and its entries. */
static double bound_of(const detection *l, const weft_self_hull *hulls, uint32_t count) {
  const numbers *r = &l->numbers[hulls[0].of];
  double bound = count > 0 ? INFINITY : -INFINITY;
  for (uint32_t k = 0; k < (l->without == NEIGHBOURS && count > 0 ? 1 : count); ++k) {
    const numbers *e = &l->numbers[hulls[k].of];
    double c = l->without == TURN ? 1 : (double)hulls[k].turn_c;
    double s = l->without == TURN ? 0 : (double)hulls[k].turn_s;
    double j = l->without == BEND ? 0 : (double)hulls[k].bend;
    weft_vec3d u = weft_v3d_add_scaled(weft_v3d_scale(e->a, c), s, e->b);
    weft_vec3d v = weft_v3d_add_scaled(weft_v3d_scale(e->b, c), -s, e->a);
    double turned = hypot(weft_v3d_distance(u, r->a), weft_v3d_distance(v, r->b));
    double lost = (turned * (1 + j) + sqrt(2.0) * j) * e->most;
    bound = fmin(bound, e->least - lost);
  }
  return bound;
}

/* ---- the reference's plane ---- */

/* Axes at rest of a patch: those in which its triangles' gradients are the identity. */
typedef struct plane {
  weft_vec3d u, v;
} plane;

static plane plane_of(const detection *l, uint32_t patch) {
  weft_vec3d n = {0, 0, 0};
  const weft_vec3d *x = l->s->positions;
  for (uint32_t i = WEFT_SELF_PATCH * patch; i < WEFT_SELF_PATCH * (patch + 1); ++i) {
    const weft_uvec3 t = l->c->triangles[i].corners;
    if (l->c->triangles[i].flags & WEFT_SELF_EMPTY) continue;
    n = weft_v3d_add(n, weft_v3d_cross(weft_v3d_sub(x[t.y], x[t.x]), weft_v3d_sub(x[t.z], x[t.x])));
  }
  n = weft_v3d_scale(n, 1 / weft_v3d_length(n));
  weft_vec3d f[2];
  gradient_of(&l->c->triangles[WEFT_SELF_PATCH * patch], x, f);
  return (plane){weft_v3d_add_scaled(f[0], -weft_v3d_dot(f[0], n), n),
                 weft_v3d_add_scaled(f[1], -weft_v3d_dot(f[1], n), n)};
}

static weft_vec3d seen(const plane *p, weft_vec3d x) {
  return weft_v3d(weft_v3d_dot(p->u, x), weft_v3d_dot(p->v, x), 0);
}

static double distance_in(const detection *l, const features *f, const plane *p) {
  weft_vec3d at[4];
  features own = {{0, 1, 2, 3}, f->edges};
  for (int k = 0; k < 4; ++k) at[k] = seen(p, l->s->positions[f->particle[k]]);
  return distance_of(&own, at);
}

/* ---- features of two patches ---- */

static const weft_self_triangle *any_of(const detection *l, uint32_t patch, weft_rng *rng) {
  for (;;) {
    const weft_self_triangle *t =
        &l->c->triangles[WEFT_SELF_PATCH * patch + weft_rng_u32(rng) % WEFT_SELF_PATCH];
    if (!(t->flags & WEFT_SELF_EMPTY)) return t;
  }
}

/* False where they share a particle. */
static bool choose(const detection *l, uint32_t a, uint32_t b, weft_rng *rng, features *f) {
  const weft_uvec3 t = any_of(l, a, rng)->corners, u = any_of(l, b, rng)->corners;
  const uint32_t x[3] = {t.x, t.y, t.z}, y[3] = {u.x, u.y, u.z};
  uint32_t i = weft_rng_u32(rng) % 3, k = weft_rng_u32(rng) % 3, kind = weft_rng_u32(rng) % 3;
  f->edges = kind == 0;
  if (kind == 0) *f = (features){{x[i], x[(i + 1) % 3], y[k], y[(k + 1) % 3]}, true};
  if (kind == 1) *f = (features){{x[i], y[0], y[1], y[2]}, false};
  if (kind == 2) *f = (features){{y[i], x[0], x[1], x[2]}, false};
  for (int m = f->edges ? 2 : 1; m < 4; ++m) {
    if (f->particle[m] == f->particle[0]) return false;
    if (f->edges && f->particle[m] == f->particle[1]) return false;
  }
  return true;
}

/* The least distance on the way, over that at rest. */
static double ratio_of(const detection *l, const features *f, const plane *p) {
  double rest_distance = distance_in(l, f, p), least = INFINITY;
  const features own = {{0, 1, 2, 3}, f->edges};
  for (int s = 0; s < TIMES; ++s) {
    double part = (double)s / (TIMES - 1);
    weft_vec3d at[4];
    for (int k = 0; k < 4; ++k) {
      weft_vec3d from = l->p[f->particle[k]], to = l->x[f->particle[k]];
      at[k] = weft_v3d_add_scaled(from, part, weft_v3d_sub(to, from));
    }
    least = fmin(least, distance_of(&own, at));
  }
  return least / rest_distance;
}

typedef struct tally {
  uint64_t pairs, certified, measured, broken;
  double least;
} tally;

static void measure(const detection *l, const weft_self_adjacent *pair, uint32_t reference,
                    weft_rng *rng, tally *all) {
  const plane p = plane_of(l, reference);
  for (int k = 0; k < MEASURED; ++k) {
    features f;
    if (!choose(l, pair->first, pair->second, rng, &f)) continue;
    double ratio = ratio_of(l, &f, &p);
    ++all->measured;
    all->broken += !(ratio >= 0.1 * (1 - 1e-6));
    all->least = fmin(all->least, ratio);
  }
}

static void measure_pairs(detection *l, weft_rng *rng, tally *all) {
  fill_numbers(l);
  for (uint32_t k = 0; k < l->c->beside_count; ++k) {
    const weft_self_adjacent *pair = &l->c->beside[k];
    const weft_self_hull *hulls = l->c->hulls + pair->hulls;
    ++all->pairs;
    bool certified = false;
    if (pair->from_first > 0 && bound_of(l, hulls, pair->from_first) > WEFT_SELF_MONOTONE) {
      measure(l, pair, pair->first, rng, all);
      certified = true;
    }
    if (pair->from_second > 0 &&
        bound_of(l, hulls + pair->from_first, pair->from_second) > WEFT_SELF_MONOTONE) {
      measure(l, pair, pair->second, rng, all);
      certified = true;
    }
    all->certified += certified;
  }
}

/* ---- random states ---- */

typedef struct wave {
  weft_vec3d k, by;
  double phase;
} wave;

enum { WAVES = 4 };

static weft_vec3d random_vector(weft_rng *rng, double size) {
  double x = (double)weft_rng_float(rng, -1, 1), y = (double)weft_rng_float(rng, -1, 1);
  return weft_v3d(size * x, size * y, size * (double)weft_rng_float(rng, -1, 1));
}

/* Waves of any length with slopes up to `steep`, and noise. */
static void disturb(const weft_vec3d *from, weft_vec3d *to, uint32_t count, double steep,
                    double noise, weft_rng *rng) {
  wave waves[WAVES];
  for (int w = 0; w < WAVES; ++w) {
    double length = 0.05 * exp((double)weft_rng_float(rng, 0, 2));
    waves[w].k = random_vector(rng, 6.283185307179586 / length);
    waves[w].by = random_vector(rng, steep / WAVES / (1e-9 + weft_v3d_length(waves[w].k)));
    waves[w].phase = (double)weft_rng_float(rng, 0, 6.2831853F);
  }
  for (uint32_t i = 0; i < count; ++i) {
    weft_vec3d p = weft_v3d_add(from[i], random_vector(rng, noise));
    for (int w = 0; w < WAVES; ++w) {
      double s = sin(weft_v3d_dot(waves[w].k, from[i]) + waves[w].phase);
      p = weft_v3d_add_scaled(p, s, waves[w].by);
    }
    to[i] = p;
  }
}

/* Rolled up to the whole way round, about any line through the middle. */
static void roll(weft_vec3d *x, uint32_t count, double per_metre, weft_rng *rng) {
  double way = (double)weft_rng_float(rng, 0, 3.1415926F), c = cos(way), s = sin(way);
  if (fabs(per_metre) < 0.01) return;
  for (uint32_t i = 0; i < count; ++i) {
    double u = c * x[i].x + s * x[i].z, v = c * x[i].z - s * x[i].x;
    double angle = u * per_metre, radius = 1 / per_metre - x[i].y;
    double along = radius * sin(angle), up = 1 / per_metre - radius * cos(angle);
    x[i] = weft_v3d(c * along - s * v, up, s * along + c * v);
  }
}

/* Small numbers more often. */
static double some(weft_rng *rng, double most) {
  double part = (double)weft_rng_float(rng, 0, 1);
  return most * part * part;
}

static void deform(const rest *r, weft_vec3d *p, weft_vec3d *x, weft_rng *rng) {
  double steep = some(rng, 4), noise = some(rng, 0.005);
  double moved = some(rng, 4), shaken = some(rng, 0.005);
  disturb(r->x, p, r->particles, steep, noise, rng);
  roll(p, r->particles, (double)weft_rng_float(rng, -1, 1) * some(rng, 20), rng);
  disturb(p, x, r->particles, moved, shaken, rng);
  if (weft_rng_u32(rng) % 4 == 0) { /* turned as a whole */
    weft_vec3d turn = random_vector(rng, 1);
    for (uint32_t i = 0; i < r->particles; ++i) x[i] = weft_v3d_rotate(x[i], turn);
  }
}

/* One side of a slit across the other. */
static void close_slit(const rest *r, weft_vec3d *x, weft_rng *rng) {
  double by = (double)weft_rng_float(rng, 0, 0.4F);
  for (uint32_t i = 0; i < r->particles; ++i) {
    double below = fmax(0, 13 * 0.02 - r->x[i].z);
    if (r->x[i].x < 8.5 * 0.02) x[i].x += by * below;
  }
}

static tally try_states(rest *r, int shape, int states, leave_out without) {
  const weft_self_surface s = rest_surface(r);
  weft_self_cooked c = weft_self_cook(&s);
  weft_vec3d *p = weft_alloc(r->particles, sizeof *p), *x = weft_alloc(r->particles, sizeof *x);
  detection l = {&s, &c, p, x, weft_alloc(c.patches, sizeof(numbers)), without};
  tally all = {.least = INFINITY};
  for (int k = 0; k < states; ++k) {
    weft_rng rng = weft_rng_seed((uint64_t)k + 1);
    deform(r, p, x, &rng);
    if (shape == SLIT) close_slit(r, x, &rng);
    measure_pairs(&l, &rng, &all);
  }
  weft_free(l.numbers);
  weft_free(p);
  weft_free(x);
  weft_self_cooked_free(&c);
  return all;
}

/* ---- meshes ---- */

/* From below between columns 7 and 9; its sides can be closed. */
static bool in_slit(uint32_t column, uint32_t row) { return column == 8 && row < 13; }

static const char *make(rest *r, int shape) {
  static const char *names[SHAPES] = {"flat", "rolled", "rolled tightly", "wavy",
                                      "tube", "uneven", "ring",           "slit"};
  static const double flat[1] = {0}, wide[1] = {0.25}, tight[1] = {0.13}, waves[2] = {0.02, 0.3};
  static const double tube[1] = {30 * 0.02 / 6.283185307179586};
  *r = (rest){0};
  if (shape == 0) rest_sheet(r, 15, 13, 0.02, rest_flat, flat, NULL, false);
  if (shape == 1) rest_sheet(r, 15, 13, 0.02, rest_rolled, wide, NULL, false);
  if (shape == 2) rest_sheet(r, 15, 13, 0.02, rest_rolled, tight, NULL, false);
  if (shape == 3) rest_sheet(r, 15, 13, 0.02, rest_wavy, waves, NULL, false);
  if (shape == 4) rest_sheet(r, 30, 10, 0.02, rest_rolled, tube, NULL, true);
  static const double middle[1] = {0.4};
  if (shape == 6) rest_sheet(r, 24, 8, 0.02, rest_ring, middle, NULL, false);
  if (shape == SLIT) rest_sheet(r, 17, 16, 0.02, rest_flat, flat, in_slit, false);
  if (shape == 5) {
    weft_rng rng = weft_rng_seed(7);
    rest_sheet(r, 15, 13, 0.02, rest_flat, flat, NULL, false);
    for (uint32_t i = 0; i < r->particles; ++i) {
      if (i % 16 % 15 == 0 || i < 16 || i >= 13 * 16) continue; /* the border stays straight */
      weft_vec3d d = random_vector(&rng, 0.004);
      r->x[i] = weft_v3d_add(r->x[i], weft_v3d(d.x, 0.5 * d.y, d.z));
    }
  }
  return names[shape];
}

static void print_tally(const char *name, const tally *t) {
  printf(
      "%s: %llu of %llu pairs certified, least %.3f of the distance at rest, %llu of %llu "
      "below 0.1\n",
      name, (unsigned long long)t->certified, (unsigned long long)t->pairs, t->least,
      (unsigned long long)t->broken, (unsigned long long)t->measured);
}

static void test_apart(void **state) {
  (void)state;
  for (int shape = 0; shape < SHAPES; ++shape) {
    rest r;
    const char *name = make(&r, shape);
    const tally all = try_states(&r, shape, 400, NOTHING);
    print_tally(name, &all);
    assert_int_equal(all.broken, 0);
    assert_in_range(all.certified, all.pairs / 100, all.pairs - all.pairs / 100);
    rest_free(&r);
  }
}

/* ---- what lies over hulls ---- */

static weft_vec3d point_in(const detection *l, uint32_t patch, const plane *p, weft_rng *rng) {
  const weft_uvec3 t = any_of(l, patch, rng)->corners;
  double u = (double)weft_rng_float(rng, 0, 1), v = (double)weft_rng_float(rng, 0, 1);
  if (u + v > 1) u = 1 - u, v = 1 - v;
  const weft_vec3d *x = l->s->positions;
  weft_vec3d at = weft_v3d_add_scaled(x[t.x], u, weft_v3d_sub(x[t.y], x[t.x]));
  return seen(p, weft_v3d_add_scaled(at, v, weft_v3d_sub(x[t.z], x[t.x])));
}

static bool is_seen_in(const detection *l, const plane *p, weft_uvec3 t, weft_vec3d at) {
  const weft_vec3d *x = l->s->positions;
  const weft_vec3d c[3] = {seen(p, x[t.x]), seen(p, x[t.y]), seen(p, x[t.z])};
  for (int k = 0; k < 3; ++k) {
    weft_vec3d d = weft_v3d_sub(c[(k + 1) % 3], c[k]);
    double side = weft_v3d_cross(d, weft_v3d_sub(at, c[k])).z;
    if (side < -1e-9 * weft_v3d_length(d)) return false;
  }
  return true;
}

static bool is_covered(const detection *l, const plane *p, const weft_self_hull *hulls,
                       uint32_t count, weft_vec3d at) {
  for (uint32_t k = 0; k < count; ++k) {
    for (uint32_t i = 0; i < WEFT_SELF_PATCH; ++i) {
      const weft_uvec3 t = l->c->triangles[WEFT_SELF_PATCH * hulls[k].of + i].corners;
      if (is_seen_in(l, p, t, at)) return true;
    }
  }
  return false;
}

/* How far a triangle's change of planes is from the turn of its entry. */
static double bend_of(const weft_self_triangle *t, const weft_vec3d *x, const plane *p,
                      const weft_self_hull *entry) {
  weft_vec3d f[2]; /* seen in the reference's plane: what leads back */
  gradient_of(t, x, f);
  double xx = weft_v3d_dot(p->u, f[0]), xy = weft_v3d_dot(p->u, f[1]);
  double yx = weft_v3d_dot(p->v, f[0]), yy = weft_v3d_dot(p->v, f[1]), det = xx * yy - xy * yx;
  double c = (double)entry->turn_c, s = (double)entry->turn_s;
  double a[2][2] = {{yy / det, -xy / det}, {-yx / det, xx / det}};
  double b[2][2] = {{a[0][0] * c - a[0][1] * s - 1, a[0][0] * s + a[0][1] * c},
                    {a[1][0] * c - a[1][1] * s, a[1][0] * s + a[1][1] * c - 1}};
  double sum = hypot(b[0][0] + b[1][1], b[1][0] - b[0][1]);
  return 0.5 * (sum + hypot(b[0][0] - b[1][1], b[1][0] + b[0][1]));
}

/* All triangles of the other patch are over the hull. */
static void check_bends(const detection *l, uint32_t reference, uint32_t other,
                        const weft_self_hull *hulls, uint32_t count) {
  const plane p = plane_of(l, reference);
  for (uint32_t k = 0; k < count; ++k) {
    if (hulls[k].of != other) continue;
    for (uint32_t i = 0; i < WEFT_SELF_PATCH; ++i) {
      const weft_self_triangle *t = &l->c->triangles[WEFT_SELF_PATCH * other + i];
      double bend = bend_of(t, l->s->positions, &p, &hulls[k]);
      assert_true((double)hulls[k].bend >= bend - 1e-5);
    }
  }
}

/* Lines between points of both run over triangles of the entries, where no border turns inwards. */
static void check_cover(const detection *l, uint32_t reference, uint32_t other,
                        const weft_self_hull *hulls, uint32_t count, weft_rng *rng) {
  if (count == 0) return;
  assert_int_equal(hulls[0].of, reference);
  check_bends(l, reference, other, hulls, count);
  if ((double)hulls[0].bend > 1e-4) return;
  const plane p = plane_of(l, reference);
  for (int k = 0; k < 20; ++k) {
    weft_vec3d a = point_in(l, reference, &p, rng), b = point_in(l, other, &p, rng);
    for (double part = 0.1; part < 1; part += 0.2) {
      weft_vec3d at = weft_v3d_add_scaled(a, part, weft_v3d_sub(b, a));
      assert_true(is_covered(l, &p, hulls, count, at));
    }
  }
}

static void test_cover(void **state) {
  (void)state;
  for (int shape = 0; shape < SHAPES; ++shape) {
    rest r;
    make(&r, shape);
    const weft_self_surface s = rest_surface(&r);
    weft_self_cooked c = weft_self_cook(&s);
    detection l = {.s = &s, .c = &c};
    weft_rng rng = weft_rng_seed(3);
    for (uint32_t k = 0; k < c.beside_count; ++k) {
      const weft_self_adjacent *b = &c.beside[k];
      const weft_self_hull *hulls = c.hulls + b->hulls;
      check_cover(&l, b->first, b->second, hulls, b->from_first, &rng);
      check_cover(&l, b->second, b->first, hulls + b->from_first, b->from_second, &rng);
    }
    weft_self_cooked_free(&c);
    rest_free(&r);
  }
}

/* ---- what each term is for ---- */

/* Of states at one end, or of the reference alone, no bound holds. */
static void test_terms(void **state) {
  (void)state;
  static const leave_out terms[2] = {END, NEIGHBOURS};
  for (int k = 0; k < 2; ++k) {
    tally all = {.least = INFINITY};
    for (int shape = 0; shape < SHAPES; ++shape) {
      rest r;
      make(&r, shape);
      all.broken += try_states(&r, shape, 200, terms[k]).broken;
      rest_free(&r);
    }
    assert_true(all.broken > 0);
  }
}

/* Turns are what makes patches whose axes differ comparable, so without them less is certified. */
static void test_turns(void **state) {
  (void)state;
  rest r;
  make(&r, 3);
  assert_true(2 * try_states(&r, 3, 100, TURN).certified <
              try_states(&r, 3, 100, NOTHING).certified);
  rest_free(&r);
}

/* As seen from the first of both. */
static uint32_t certified_of(const detection *l) {
  uint32_t certified = 0;
  for (uint32_t k = 0; k < l->c->beside_count; ++k) {
    const weft_self_adjacent *pair = &l->c->beside[k];
    const weft_self_hull *hulls = l->c->hulls + pair->hulls;
    certified += pair->from_first > 0 && bound_of(l, hulls, pair->from_first) > WEFT_SELF_MONOTONE;
  }
  return certified;
}

/* A sheet turned over half way round: each end is flat and proves itself from its own axes, but
 * straight ways lead through a line, where all meets. One frame for both ends tells. */
static void test_way(void **state) {
  (void)state;
  rest r;
  make(&r, 0);
  const weft_self_surface s = rest_surface(&r);
  weft_self_cooked c = weft_self_cook(&s);
  weft_vec3d *over = weft_alloc(r.particles, sizeof *over);
  weft_vec3d *half = weft_alloc(r.particles, sizeof *half);
  for (int degrees = 0; degrees <= 180; degrees += 20) {
    double turn = degrees * 3.14159265358979324 / 180;
    for (uint32_t i = 0; i < r.particles; ++i) {
      over[i] = weft_v3d_rotate(r.x[i], weft_v3d(turn, 0, 0));
      half[i] = weft_v3d_scale(weft_v3d_add(r.x[i], over[i]), 0.5);
    }
    detection l = {&s, &c, r.x, r.x, weft_alloc(c.patches, sizeof(numbers)), NOTHING};
    fill_numbers(&l);
    assert_int_equal(certified_of(&l), c.beside_count);
    l.p = l.x = over;
    fill_numbers(&l);
    assert_int_equal(certified_of(&l), c.beside_count);
    l.p = r.x;
    fill_numbers(&l);
    /* The ends of a column, halfway. */
    double apart = weft_v3d_distance(half[0], half[r.particles - 16]);
    assert_true(fabs(apart - 13 * 0.02 * cos(turn / 2)) < 1e-6);
    assert_int_equal(certified_of(&l), cos(turn) > WEFT_SELF_MONOTONE ? c.beside_count : 0);
    weft_free(l.numbers);
  }
  weft_free(over);
  weft_free(half);
  weft_self_cooked_free(&c);
  rest_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_apart), cmocka_unit_test(test_way),   cmocka_unit_test(test_cover),
      cmocka_unit_test(test_terms), cmocka_unit_test(test_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
