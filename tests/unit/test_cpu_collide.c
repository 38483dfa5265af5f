/* The pass collide of the backend cpu against the reference's: shapes of every kind, still, moving,
 * turning and degenerate, touched, just not touched and far away, by slow and by fast particles, in
 * single floats and in pairs, with every kind of vector; and the bounds by which it leaves shapes
 * out against the reference. */
#include "cmocka_all.h"
/* after cmocka */
#include <math.h>
#include <string.h>

#include "cpu.h"
#include "lanes_wide.h"
#include "made_up.h"
#include "shape_rows.h"
#include "solver.h"

/* ---- shapes and particles ---- */

enum { PARTICLES_MAX = 50 };

typedef struct world {
  weft_collider_pose poses[WEFT_MAX_COLLIDERS];
  uint32_t shapes, particles;
  vec4 x[PARTICLES_MAX], x_prev[PARTICLES_MAX];
  vec4 x_low[PARTICLES_MAX], x_prev_low[PARTICLES_MAX]; /* of pairs */
} world;

static weft_vec3 direction(weft_rng *rng) {
  weft_vec3 v = anywhere(rng, 1);
  float length2 = weft_v3_dot(v, v);
  return length2 > 1e-4f ? weft_v3_scale(v, 1 / sqrtf(length2)) : weft_v3(0, 1, 0);
}

static weft_collider_pose random_shape(weft_rng *rng, weft_collider_shape kind) {
  weft_collider c = {.shape = kind,
                     .radius = PICK(rng, 0, 1e-4f, 0.05f, 0.3f),
                     .half_size = anywhere(rng, 0.4f),
                     .friction_static = PICK(rng, 0, 0.3f, 1.5f),
                     .friction_dynamic = PICK(rng, 0, 0.2f, 1)};
  c.half_size = weft_v3(fabsf(c.half_size.x), fabsf(c.half_size.y), fabsf(c.half_size.z));
  if (one_in(rng, 4)) c.half_size.y = 1e-4f;
  weft_collider_key keys[2];
  float away = one_in(rng, 8) ? 1e4f : 1;
  keys[0] = (weft_collider_key){0, anywhere(rng, away), anywhere(rng, 1), anywhere(rng, 3)};
  keys[0].b = weft_v3_add(keys[0].a, keys[0].b);
  if (kind == WEFT_COLLIDER_PLANE) keys[0].b = direction(rng);
  if (kind == WEFT_COLLIDER_CAPSULE && one_in(rng, 6)) keys[0].b = keys[0].a;
  if (kind == WEFT_COLLIDER_CAPSULE && one_in(rng, 6)) keys[0].b.x += (float)WEFT_SNAP;
  keys[1] = keys[0];
  keys[1].time = 1;
  float speed = PICK(rng, 0, 1, 40), turn = PICK(rng, 0, 2, 200);
  keys[1].a = weft_v3_add(keys[1].a, anywhere(rng, speed));
  if (kind != WEFT_COLLIDER_PLANE) keys[1].b = weft_v3_add(keys[1].b, anywhere(rng, speed));
  keys[1].rotation = weft_v3_add(keys[1].rotation, anywhere(rng, turn));
  c.keys = keys;
  c.key_count = 2;
  return weft_collider_pose_at(&c, 0.01, 0.01 + 1.0 / 1200, PICK(rng, 0, 0.003f));
}

/* A point on the surface, in it, or as far off it as `off`. */
static weft_vec3 beside(weft_rng *rng, const weft_collider_pose *p, float off) {
  weft_vec3 at = exact_xyz(p->a);
  if (p->shape == WEFT_COLLIDER_CAPSULE) {
    weft_vec3 axis = weft_v3_sub(exact_xyz(p->b), at);
    at = weft_v3_add(at, weft_v3_scale(axis, PICK(rng, 0, 1, weft_rng_float(rng, -0.2f, 1.2f))));
  }
  if (p->shape == WEFT_COLLIDER_PLANE) {
    weft_vec3 n = exact_xyz(p->b), aside = anywhere(rng, 1);
    aside = weft_v3_sub(aside, weft_v3_scale(n, weft_v3_dot(aside, n)));
    return weft_v3_add(at, weft_v3_add(aside, weft_v3_scale(n, p->a.w + off)));
  }
  if (p->shape != WEFT_COLLIDER_BOX) {
    return weft_v3_add(at, weft_v3_scale(direction(rng), p->a.w + off));
  }
  weft_vec3 q = exact_xyz(p->b);
  q.x = (q.x + p->a.w + off) * PICK(rng, -1, 1, weft_rng_float(rng, -1, 1));
  q.y = (q.y + p->a.w + off) * PICK(rng, -1, 1, weft_rng_float(rng, -1, 1));
  q.z = (q.z + p->a.w + off) * PICK(rng, -1, 1, weft_rng_float(rng, -1, 1));
  return weft_v3_add(at, shape_world(*p, q));
}

static void awkward(weft_rng *rng, vec4 *x) {
  float *component = &x->x + weft_rng_u32(rng) % 3;
  float sign = one_in(rng, 2) ? -1.0f : 1.0f;
  *component = sign * PICK(rng, 0, 1e-30f, (float)WEFT_SNAP, 1e-40f, 1e30f, INFINITY, NAN);
}

/* Sixteen at a time are together: at one place, in a bunch or anywhere near. */
static void place_particles(weft_rng *rng, world *w, bool with_awkward) {
  weft_vec3 centre = {0};
  float spread = 0, step = 0;
  for (uint32_t i = 0; i < w->particles; ++i) {
    if (i % 16 == 0) {
      float off = PICK(rng, 0, 1e-7f, -1e-7f, 1e-3f, -1e-3f, -0.1f, 0.02f, 0.1f, 1);
      centre = anywhere(rng, 1);
      if (w->shapes) centre = beside(rng, &w->poses[weft_rng_u32(rng) % w->shapes], off);
      spread = PICK(rng, 0, 1e-6f, 1e-3f, 0.05f, 0.5f);
      step = PICK(rng, 0, 1e-4f, 1e-3f, 0.02f, 0.2f, 2);
    }
    weft_vec3 x = exact_snap3(weft_v3_add(centre, anywhere(rng, spread)));
    weft_vec3 before = exact_snap3(weft_v3_add(x, anywhere(rng, step)));
    if (w->shapes && one_in(rng, 12)) { /* from the very centre */
      const weft_collider_pose *p = &w->poses[weft_rng_u32(rng) % w->shapes];
      before = weft_v3_sub(exact_xyz(p->a), exact_xyz(p->move_a));
    }
    float weight = one_in(rng, 8) ? 0 : weft_rng_float(rng, 1, 1000);
    w->x[i] = exact_vec4(x, weight);
    w->x_prev[i] = exact_vec4(before, weight);
    if (with_awkward && one_in(rng, 20)) awkward(rng, &w->x[i]);
    if (with_awkward && one_in(rng, 40)) awkward(rng, &w->x_prev[i]);
  }
}

/* At most half an ulp of each component. */
static vec4 low_part(weft_rng *rng, vec4 high) {
  weft_vec3 low = weft_v3(weft_rng_float(rng, -0x1p-25f, 0x1p-25f) * high.x,
                          weft_rng_float(rng, -0x1p-25f, 0x1p-25f) * high.y,
                          weft_rng_float(rng, -0x1p-25f, 0x1p-25f) * high.z);
  return exact_vec4(exact_flush3(low), 0);
}

/* kind: of all shapes, or any where it is none. */
static world make_world(weft_rng *rng, uint32_t kind, uint32_t shapes, bool with_awkward) {
  world w = {.shapes = shapes, .particles = 1 + weft_rng_u32(rng) % PARTICLES_MAX};
  for (uint32_t k = 0; k < shapes; ++k) {
    uint32_t of = kind <= WEFT_COLLIDER_BOX ? kind : weft_rng_u32(rng) % 4;
    w.poses[k] = random_shape(rng, (weft_collider_shape)of);
  }
  place_particles(rng, &w, with_awkward);
  for (uint32_t i = 0; i < w.particles; ++i) {
    w.x_low[i] = low_part(rng, w.x[i]);
    w.x_prev_low[i] = low_part(rng, w.x_prev[i]);
  }
  return w;
}

/* ---- the pass ---- */

enum { BEFORE = 3 }; /* particles that are not the pass's */

/* Positions, and the low parts of them where they are pairs. */
typedef struct outcome {
  vec4 x[PARTICLES_MAX], low[PARTICLES_MAX];
} outcome;

static void run_on(const weft_backend *backend, const world *w, bool pairs, outcome *to) {
  weft_contents contents;
  weft_contents_init(&contents);
  weft_uniforms *u = weft_contents_set(&contents, WEFT_BUFFER_UNIFORMS, 1);
  u->collider_count = w->shapes;
  weft_collider_pose *poses = weft_contents_set(&contents, WEFT_BUFFER_COLLIDERS, 2 * w->shapes);
  memcpy(poses + w->shapes, w->poses, w->shapes * sizeof *poses); /* of the second substep */
  uint32_t n = BEFORE + w->particles;
  vec4 *at = weft_contents_set(&contents, WEFT_BUFFER_X, n);
  vec4 *before = weft_contents_set(&contents, WEFT_BUFFER_X_PREV, n);
  vec4 *low = weft_contents_set(&contents, WEFT_BUFFER_X_LOW, n);
  vec4 *before_low = weft_contents_set(&contents, WEFT_BUFFER_X_PREV_LOW, n);
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t from = i < BEFORE ? 0 : i - BEFORE;
    at[i] = w->x[from];
    before[i] = w->x_prev[from];
    low[i] = w->x_low[from];
    before_low[i] = w->x_prev_low[from];
  }
  void *instance = NULL;
  assert_int_equal(backend->create(backend, &contents, 256, &instance, NULL), WEFT_OK);
  const weft_pass pass = {.kind = WEFT_PASS_COLLIDE,
                          .variant = pairs ? WEFT_VARIANT_PAIRS : 0,
                          .first = BEFORE,
                          .count = w->particles};
  backend->run(instance, &pass, 1);
  backend->read(instance, WEFT_BUFFER_X, 0, n, at);
  backend->read(instance, WEFT_BUFFER_X_LOW, 0, n, low);
  assert_int_equal(backend->broken_guard(instance), WEFT_BUFFER_COUNT);
  backend->destroy(instance);
  for (uint32_t i = 0; i < BEFORE; ++i) assert_memory_equal(&at[i], &w->x[0], sizeof *at);
  memcpy(to->x, at + BEFORE, w->particles * sizeof *at);
  memcpy(to->low, low + BEFORE, w->particles * sizeof *low);
  weft_contents_free(&contents);
}

static bool same(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool same_row(const vec4 *a, const vec4 *b) {
  return same(a->x, b->x) && same(a->y, b->y) && same(a->z, b->z) && same(a->w, b->w);
}

/* How many particles of this world the reference moved. */
__attribute__((noinline)) static uint32_t check_world_of(const world *w, bool pairs) {
  const weft_lanes *kinds[] = {weft_lanes_usable(4), weft_lanes_usable(8), weft_lanes_usable(16),
                               lanes_wide()};
  outcome expected, got;
  run_on(weft_backend_ref(), w, pairs, &expected);
  for (uint32_t k = 0; k < 4; ++k) {
    weft_cpu_desc desc = {.threads = 1, .lanes = kinds[k]};
    if (!desc.lanes) continue;
    weft_backend cpu = weft_cpu_backend_of(&desc);
    run_on(&cpu, w, pairs, &got);
    for (uint32_t i = 0; i < w->particles; ++i) {
      const vec4 *a = &got.x[i], *b = &expected.x[i];
      bool equal = same_row(a, b);
      if (equal && same_row(&got.low[i], &expected.low[i])) continue;
      if (equal) a = &got.low[i], b = &expected.low[i];
      fail_msg(
          "%s, %s of %s, %u shapes, the first of kind %u: particle %u of %u is %a %a %a, the "
          "reference's %a %a %a",
          desc.lanes->name, equal ? "low parts" : "positions", pairs ? "pairs" : "single floats",
          w->shapes, w->poses[0].shape, i, w->particles, (double)a->x, (double)a->y, (double)a->z,
          (double)b->x, (double)b->y, (double)b->z);
    }
  }
  uint32_t moved = 0;
  for (uint32_t i = 0; i < w->particles; ++i) {
    moved += memcmp(&expected.x[i], &w->x[i], sizeof *w->x) != 0;
  }
  return moved;
}

static uint32_t check_world(const world *w) {
  check_world_of(w, true);
  return check_world_of(w, false);
}

/* How many particles are swept by a shape in the reference, as they are before they meet any. */
static uint32_t count_swept(const world *w) {
  uint32_t swept = 0;
  for (uint32_t k = 0; k < w->shapes; ++k) {
    for (uint32_t i = 0; i < w->particles && w->poses[k].shape != WEFT_COLLIDER_PLANE; ++i) {
      weft_collider_pose pose = w->poses[k];
      swept += shape_query_frame(pose, shape_axis_now(pose), shape_axis_then(pose),
                                 exact_xyz(w->x_prev[i]), pair3_single(exact_xyz(w->x[i])))
                   .swept;
    }
  }
  return swept;
}

static void each_kind_of_shape_has_the_reference_s_bits(void **state) {
  (void)state;
  for (uint32_t kind = WEFT_COLLIDER_PLANE; kind <= WEFT_COLLIDER_BOX; ++kind) {
    weft_rng rng = weft_rng_seed(kind + 1);
    uint32_t particles = 0, moved = 0, swept = 0;
    for (uint32_t round = 0; round < 3000; ++round) {
      world w = make_world(&rng, kind, 1 + round % 2, false);
      particles += w.particles;
      moved += check_world(&w);
      swept += count_swept(&w);
    }
    assert_in_range(moved, particles / 8, particles * 7 / 8);
    if (kind != WEFT_COLLIDER_PLANE) assert_in_range(swept, particles / 40, particles);
  }
}

/* More than there are lanes, and as many as there can be: a push by one leads to the next. */
static void many_shapes_have_the_reference_s_bits(void **state) {
  (void)state;
  static const uint32_t counts[] = {0, 3, 4, 5, 8, 15, 16, 17, 33, WEFT_MAX_COLLIDERS};
  weft_rng rng = weft_rng_seed(77);
  for (uint32_t round = 0; round < 1000; ++round) {
    world w = make_world(&rng, 9, counts[round % 10], false);
    uint32_t moved = check_world(&w);
    if (w.shapes == 0) assert_int_equal(moved, 0);
  }
}

static void awkward_numbers_have_the_reference_s_bits(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(78);
  for (uint32_t round = 0; round < 4000; ++round) {
    world w = make_world(&rng, 9, round % 5, true);
    check_world(&w);
  }
}

/* ---- bounds ---- */

/* What is left out is not touched, and no particle is fast enough for a sweep there. */
static bool check_left_out(const weft_collider_pose *shape, const vec4 *x, const vec4 *x_prev,
                           bool touch, bool sweep) {
  bool far = true;
  for (uint32_t i = 0; i < 16; ++i) {
    weft_vec3 p = exact_xyz(x[i]), before = exact_xyz(x_prev[i]);
    float depth = shape_meets(*shape, shape_axis_now(*shape), false, pair3_single(p)).depth;
    weft_vec3 way = weft_v3_sub(p, shape_start(*shape, shape_axis_then(*shape), before));
    bool fast = shape_is_swept(*shape) && exact_dot(way, way) > shape->axis_x.w;
    if (depth > 0.0f) assert_true(touch);
    if (fast) assert_true(sweep && touch);
    far &= !fast && depth < -0.1f;
  }
  return far;
}

static void only_shapes_out_of_reach_are_left_out(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(79);
  uint32_t left_out = 0, all_of_them = 0, far = 0;
  for (uint32_t round = 0; round < 20000; ++round) {
    world w = make_world(&rng, 9, 16, false);
    if (w.particles < 16) continue;
    weft_shapes shapes;
    weft_shapes_prepare(&shapes, w.poses, w.shapes, 16);
    lanes_near near = lanes_wide_near(&shapes, w.x, w.x_prev);
    for (uint32_t k = 0; k < w.shapes; ++k) {
      bool touch = near.touch >> k & 1, sweep = near.sweep >> k & 1;
      far += check_left_out(&w.poses[k], w.x, w.x_prev, touch, sweep);
      left_out += !touch;
      all_of_them += 1;
    }
  }
  /* Of those that are clearly out of reach most are left out. */
  assert_true(far > all_of_them / 8);
  assert_true(left_out > far * 3 / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_kind_of_shape_has_the_reference_s_bits),
      cmocka_unit_test(many_shapes_have_the_reference_s_bits),
      cmocka_unit_test(awkward_numbers_have_the_reference_s_bits),
      cmocka_unit_test(only_shapes_out_of_reach_are_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
