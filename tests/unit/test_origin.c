/* The origin that goes along with the cloth: how far it goes, that nothing is rounded on the way,
 * that the same cloth does the same wherever it is, and that all there is goes along. */
#include "../physics/ball.h"
#include "rig.h"
/* after rig.h */
#include "cpu.h"
#include "find_nonfinite.h"

/* ---- how far ---- */

static weft_vec3d way(double low, double high) {
  return weft_origin_way(weft_v3d(low, -0.1, 0), weft_v3d(high, 0.1, 0.2));
}

static void it_stays_near_and_goes_to_the_middle_of_what_is_far(void **state) {
  (void)state;
  assert_true(way(-0.5, 0.5).x == 0);
  assert_true(way(1.9, 2.9).x == 0); /* within twice its size */
  assert_true(way(2.1, 3.1).x == 2.59375);
  assert_true(way(-3.1, -2.1).x == -2.59375);
  assert_true(way(1000, 1001).x == 1000.5);
  assert_true(way(0.39, 0.4).x == 0); /* thin, but 0.2 m wide otherwise */
  assert_true(way(0.41, 0.42).x > 0 && way(0.41, 0.42).y == 0 && way(0.41, 0.42).z == 0);
  assert_true(way(NAN, 1001).x == 0 && way(3, INFINITY).x == 0 && way(3, -3e38).x == 0);
}

/* Nobody is farther from where it goes than from where it was, and floats have all that lies
 * between. */
static void no_way_rounds_a_float(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(7);
  int moved = 0;
  for (int k = 0; k < 100000; ++k) {
    float low = exp2f(weft_rng_float(&rng, -2, 20));
    float high = low * (1 + weft_rng_float(&rng, 0, 0.6f)); /* some too large to go */
    float part = weft_rng_float(&rng, 0, 1), x = low + part * (high - low);
    double d = way((double)low, (double)high).x, exact = (double)x - d;
    moved += d > 0;
    assert_true((double)(float)d == d);
    assert_true((double)(float)exact == exact && fabs(exact) <= (double)x);
  }
  assert_true(moved > 50000);
}

/* ---- the same anywhere ---- */

enum { SIDE = 9 };

/* Its middle is the place; coordinates are multiples of 2^-9 m, which floats have up to 2^14 m. */
static weft_model *sheet_at(weft_vec3 place, weft_pin_rule pins) {
  weft_mesh mesh = rig_grid(&(weft_grid_desc){
      .rows = SIDE, .columns = SIDE, .width = 0.25f, .height = 0.25f, .plane = WEFT_PLANE_XZ});
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    mesh.positions[i].y = 0.001953125f * ((float)(i * i % 5) - 2);
    mesh.positions[i] = weft_v3_add(mesh.positions[i], place);
  }
  const weft_pin pin = {.rule = pins};
  weft_model *model = rig_preprocess(&(weft_model_desc){
      .mesh = &mesh, .material = weft_material_find("tshirt"), .pins = &pin, .pin_count = 1});
  weft_mesh_free(&mesh);
  return model;
}

static double *state_of(weft_solver *solver) {
  const uint32_t n = solver->model->particle_count;
  double *x = weft_alloc(6 * (size_t)n, sizeof *x);
  assert_int_equal(weft_solver_read_f64(solver, x, x + 3 * (size_t)n, NULL), WEFT_OK);
  return x;
}

/* Positions differ by `place`, velocities not at all. */
static void expect_moved(weft_solver *here, weft_solver *there, weft_vec3 place) {
  double *a = state_of(here), *b = state_of(there);
  const size_t n = 3 * (size_t)here->model->particle_count;
  const double by[3] = {(double)place.x, (double)place.y, (double)place.z};
  for (size_t k = 0; k < n; ++k) {
    if (a[k] + by[k % 3] == b[k] && a[n + k] == b[n + k]) continue;
    fail_msg("particle %zu at %g: %.12g here, %.12g there", k / 3, by[0], a[k], b[k] - by[k % 3]);
  }
  weft_free(a);
  weft_free(b);
}

/* All the kinds of things that a solver counts from its origin. */
typedef struct place {
  weft_vec3 at;
  weft_mesh ball;
  weft_body body;
  weft_collider colliders[4];
  weft_model *model;
  weft_solver *solver;
} place;

static weft_vec3 moved(const place *p, float x, float y, float z) {
  return weft_v3_add(p->at, weft_v3(x, y, z));
}

/* What is under the cloth: shapes alone; shapes that hold its edges and faces too; a body. */
typedef enum under { SHAPES, SHAPES_THAT_HOLD, BODY } under;

static void open_place(place *p, weft_vec3 at, under what, bool compensated,
                       const weft_backend *backend) {
  *p = (place){.at = at, .model = sheet_at(at, WEFT_PIN_CORNERS)};
  p->ball = ball(8, 12, 0.125f, weft_v3(0, 0, 0));
  for (uint32_t i = 0; i < p->ball.vertex_count; ++i) { /* multiples of 2^-9 */
    weft_vec3 v = p->ball.positions[i];
    p->ball.positions[i] =
        moved(p, roundf(512 * v.x) / 512, roundf(512 * v.y) / 512 - 0.25f, roundf(512 * v.z) / 512);
  }
  p->body = (weft_body){.mesh = &p->ball, .friction_static = 0.4f, .friction_dynamic = 0.3f};
  p->colliders[0] = (weft_collider){.a = moved(p, 0, -0.375f, 0), .b = {0, 1, 0}};
  p->colliders[1] = (weft_collider){
      .shape = WEFT_COLLIDER_SPHERE, .a = moved(p, 0.125f, -0.1875f, 0.125f), .radius = 0.0625f};
  p->colliders[2] = (weft_collider){.shape = WEFT_COLLIDER_CAPSULE,
                                    .a = moved(p, -0.125f, -0.125f, 0),
                                    .b = moved(p, -0.125f, -0.125f, 0.25f),
                                    .radius = 0.03125f};
  p->colliders[3] = (weft_collider){.shape = WEFT_COLLIDER_BOX,
                                    .a = moved(p, 0, -0.125f, -0.125f),
                                    .half_size = {0.0625f, 0.03125f, 0.03125f}};
  const weft_params params = {.substeps = 8,
                              .grab = true,
                              .compensated = compensated,
                              .self_collision = what != SHAPES,
                              .colliders = p->colliders,
                              .collider_count = what == BODY ? 0 : 4,
                              .bodies = &p->body,
                              .body_count = what == BODY};
  p->solver = rig_solver(p->model, &params, backend);
}

static void close_place(place *p) {
  weft_solver_destroy(p->solver);
  weft_model_destroy(p->model);
  weft_mesh_free(&p->ball);
}

/* Pins, a grab, an offset and a body go about. */
static void run_place(place *p, uint32_t frames) {
  weft_error err = {0};
  const uint32_t pins[] = {0, SIDE - 1}, held = SIDE * SIDE - 1;
  weft_solver *s = p->solver;
  for (uint32_t f = 0; f < frames; ++f) {
    const float t = (float)f / 64;
    const weft_vec3 to[] = {moved(p, -0.125f + t, 0.25f * t, -0.125f),
                            moved(p, 0.125f + t, 0.25f * t, -0.125f)};
    assert_int_equal(weft_solver_move_pins(s, pins, to, 2, &err), WEFT_OK);
    if (f == 2) {
      assert_int_equal(weft_solver_grab(s, held, moved(p, 0.125f, 0.0625f, 0.125f), &err), WEFT_OK);
    }
    if (f > 2) weft_solver_move_grab(s, moved(p, 0.125f + t, 0.0625f, 0.125f), &err);
    if (s->params.collider_count) {
      weft_solver_move_collider(s, 1, weft_v3(0, 0.5f * t, 0), &err);
    }
    if (s->params.body_count) {
      weft_vec3 *x = weft_alloc(p->ball.vertex_count, sizeof *x);
      for (uint32_t i = 0; i < p->ball.vertex_count; ++i) {
        x[i] = weft_v3_add(p->ball.positions[i], weft_v3(t, 0.25f * t, 0));
      }
      assert_int_equal(weft_solver_move_body(s, 0, x, &err), WEFT_OK);
      weft_free(x);
    }
    rig_step(s, 1);
  }
}

static void compare_places(weft_vec3 at, under what, bool compensated,
                           const weft_backend *backend) {
  place here, there;
  open_place(&here, weft_v3(0, 0, 0), what, compensated, backend);
  open_place(&there, at, what, compensated, backend);
  assert_true(weft_solver_origin(there.solver).x == (double)at.x);
  assert_true((weft_solver_shape_count(here.solver) == 3) == (what == SHAPES_THAT_HOLD));
  run_place(&here, 12);
  run_place(&there, 12);
  expect_moved(here.solver, there.solver, at);
  const weft_ray ray = {.origin = moved(&here, 0.25f, 1, 0), .direction = {0, -1, 0}, .slope = 1};
  weft_ray far = ray;
  weft_hit a, b;
  far.origin = weft_v3_add(ray.origin, at);
  assert_int_equal(weft_solver_pick(here.solver, &ray, &a, NULL), WEFT_OK);
  assert_int_equal(weft_solver_pick(there.solver, &far, &b, NULL), WEFT_OK);
  assert_true(a.particle != WEFT_NO_PARTICLE && a.particle == b.particle &&
              a.distance == b.distance);
  close_place(&here);
  close_place(&there);
}

static void cloth_far_out_does_what_it_does_at_zero(void **state) {
  (void)state;
  const weft_vec3 places[] = {{200, 0, 0}, {1000, 0, 0}, {1024, -2048, 512}};
  for (int k = 0; k < 3; ++k) {
    for (int what = SHAPES; what <= BODY; ++what) {
      compare_places(places[k], (under)what, false, weft_backend_ref());
      compare_places(places[k], (under)what, false, weft_backend_cpu(2));
    }
  }
  compare_places(places[2], SHAPES, true, weft_backend_ref());
}

/* A plane that is given by a point far away, and moves and turns with it, moves what lies on it as
 * that point and the turn say. */
static void planes_carry_as_the_point_that_gives_them(void **state) {
  (void)state;
  const weft_collider_key keys[] = {
      {.time = 0, .a = {30, 0.5f, -20}, .b = {0.1f, 1, 0.2f}, .rotation = {0, 0.1f, 0}},
      {.time = 1, .a = {31, 0.25f, -20}, .b = {0.1f, 1, 0.2f}, .rotation = {0.05f, 0.6f, 0}}};
  const weft_collider plane = {.keys = keys, .key_count = 2};
  const double before = 0.5, now = 0.51;
  const weft_vec3d origin = {0.25, 1.5, -2};
  const weft_collider_step step = {
      .before = before, .now = now, .part_before = 1, .part_now = 1, .origin = origin};
  const weft_collider_pose pose = weft_collider_pose_between(&plane, &step, 0);
  weft_vec3d a[2], r[2];
  for (int k = 0; k < 2; ++k) {
    const double t = k ? now : before;
    a[k] = weft_v3d(30 + t, 0.5 - 0.25 * t, -20);
    r[k] = weft_v3d(0.05 * t, 0.1 + 0.5 * t, 0);
  }
  const weft_vec3d n = weft_v3d_rotate(weft_v3d(0.1, 1, 0.2), r[1]);
  assert_true(fabsf(pose.a.x) + fabsf(pose.a.y) + fabsf(pose.a.z) < 12); /* near the origin */
  for (int k = 0; k < 5; ++k) {
    weft_vec3d arm = weft_v3d_sub(origin, a[1]); /* then onto the plane, 3 m about */
    arm = weft_v3d_add(arm, weft_v3d(k, 0, 3 - k));
    arm = weft_v3d_add_scaled(arm, -weft_v3d_dot(arm, n) / weft_v3d_dot(n, n), n);
    const weft_vec3d local = weft_v3d_sub(weft_v3d_add(a[1], arm), origin);
    const weft_vec3d back = weft_v3d_rotate(arm, weft_v3d_scale(r[1], -1));
    const weft_vec3d was = weft_v3d_add(a[0], weft_v3d_rotate(back, r[0]));
    const weft_vec3d moved = weft_v3d_sub(weft_v3d_add(a[1], arm), was);
    const weft_vec3d off = weft_v3d_sub(local, weft_v3d(pose.a.x, pose.a.y, pose.a.z));
    const double height =
        off.x * (double)pose.b.x + off.y * (double)pose.b.y + off.z * (double)pose.b.z;
    rig_near(height, 0, 2e-6, "height over the plane");
    const vec4 *turn[] = {&pose.turn_x, &pose.turn_y, &pose.turn_z};
    const double shift[] = {(double)pose.move_a.x, (double)pose.move_a.y, (double)pose.move_a.z};
    const double want[] = {moved.x, moved.y, moved.z};
    for (int c = 0; c < 3; ++c) {
      double got = shift[c] + (double)turn[c]->x * off.x + (double)turn[c]->y * off.y +
                   (double)turn[c]->z * off.z;
      rig_near(got, want[c], 2e-6, "how far the plane moves there");
    }
  }
}

/* ---- on the way ---- */

/* Nothing acts, so cloth that is thrown goes straight on, whatever its origin does. */
static void throw_one(bool compensated, const weft_backend *backend) {
  weft_model *model = sheet_at(weft_v3(0, 0, 0), WEFT_PIN_NONE);
  const uint32_t n = model->particle_count;
  const weft_params params = {.no_gravity = true, .substeps = 8, .compensated = compensated};
  weft_solver *solver = rig_solver(model, &params, backend);
  weft_vec3 *v = weft_alloc(n, sizeof *v);
  for (uint32_t i = 0; i < n; ++i) v[i] = weft_v3(7.5f, 0, -15); /* 1/64 and 1/32 m a substep */
  rig_write(solver, weft_model_rest_positions(model), v);
  double *before = state_of(solver);
  bool shifted = false;
  for (uint32_t f = 1; f <= 100; ++f) {
    const weft_vec3d at = weft_solver_origin(solver);
    double *last = state_of(solver);
    weft_solver_begin_frame(solver);
    const weft_vec3d now = weft_solver_origin(solver);
    double *first = state_of(solver);
    /* In the sum that is read; of pairs that is the upper part alone. */
    const double rounds = compensated ? 2e-6 : backend == weft_backend_f64() ? 2e-14 : 0;
    for (size_t k = 0; k < 6 * (size_t)n; ++k) assert_true(fabs(last[k] - first[k]) <= rounds);
    shifted = shifted || at.x != now.x;
    weft_solver_run_substeps(solver, 0, params.substeps);
    weft_solver_end_frame(solver);
    weft_free(last);
    weft_free(first);
  }
  assert_true(shifted);
  double *after = state_of(solver);
  const double dt = (double)(1.0f / 60.0f);
  for (uint32_t i = 0; i < n; ++i) {
    rig_near(after[3 * i] - before[3 * i], 750 * dt, 5e-3, "its way along x");
    rig_near(after[3 * i + 2] - before[3 * i + 2], -1500 * dt, 5e-3, "its way along z");
    assert_true(fabs(after[3 * i] - weft_solver_origin(solver).x) < 5);
  }
  weft_free(after);
  weft_free(before);
  weft_free(v);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void the_origin_follows_without_rounding_anything(void **state) {
  (void)state;
  throw_one(false, weft_backend_ref());
  throw_one(false, weft_backend_cpu(2));
  throw_one(true, weft_backend_ref());
  throw_one(false, weft_backend_f64());
}

/* The low parts of pairs count from nowhere: only with what they belong to. */
static void pairs_keep_their_low_parts(void **state) {
  (void)state;
  weft_model *model = sheet_at(weft_v3(0, 0, 0), WEFT_PIN_NONE);
  const uint32_t n = model->particle_count;
  weft_solver *solver = rig_solver(model, &(weft_params){.compensated = true, .no_gravity = true},
                                   weft_backend_ref());
  vec4 *x = weft_alloc(2 * (size_t)n, sizeof *x), *low = x + n;
  double *sums = weft_alloc(3 * (size_t)n, sizeof *sums);
  for (int after = 0; after < 2; ++after) {
    weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, x);
    for (uint32_t i = 0; i < n && !after; ++i) {
      x[i].x += 100;
      low[i] = (vec4){3e-6f * (float)(i % 3), 0, 0, 0};
    }
    if (!after) {
      weft_solver_write_buffer(solver, WEFT_BUFFER_X, 0, n, x);
      weft_solver_write_buffer(solver, WEFT_BUFFER_X_LOW, 0, n, low);
      solver->frame = 16;
    }
    weft_solver_read_buffer(solver, WEFT_BUFFER_X_LOW, 0, n, low);
    for (uint32_t i = 0; i < n; ++i) {
      double sum = (double)x[i].x + (double)low[i].x + weft_solver_origin(solver).x;
      if (!after) sums[i] = sum;
      rig_near(sum, sums[i], 1e-13, "a pair");
      if (after) assert_true(fabsf(low[i].x) <= 0x1p-24f * fabsf(x[i].x));
    }
    if (!after) weft_origin_follow(solver);
  }
  assert_true(weft_solver_origin(solver).x > 99);
  weft_free(x);
  weft_free(sums);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- all that goes along ---- */

/* Cloth on a ball that stands still, one that moves, and a held one: when the origin moves under
 * them, what is told to be somewhere is there to the last bit, and cloth does not pass through. */
static void bodies_go_along(void **state) {
  (void)state;
  place p;
  weft_error err = {0};
  open_place(&p, weft_v3(3.1f, 0.5f, 0.7f), BODY, false, weft_backend_cpu(1));
  const uint32_t n = p.ball.vertex_count;
  weft_vec3 *x = weft_alloc(n, sizeof *x);
  rig_step(p.solver, 20);
  weft_solver *s = p.solver;
  const weft_vec3d from = weft_solver_origin(s);
  weft_origin_set(s, weft_v3d_add(from, weft_v3d(100, 0, 0)));
  weft_origin_set(s, weft_v3d_add(from, weft_v3d(0.5, 0, 0.25)));
  assert_int_equal(weft_solver_read_body(s, 0, x, &err), WEFT_OK);
  assert_memory_equal(x, p.ball.positions, n * sizeof *x);
  vec4 *raw = weft_alloc(2 * (size_t)n, sizeof *raw);
  weft_solver_read_buffer(s, WEFT_BUFFER_X, s->model->particle_count, n, raw);
  weft_solver_read_buffer(s, WEFT_BUFFER_X_PREV, s->model->particle_count, n, raw + n);
  assert_memory_equal(raw, raw + n, n * sizeof *raw); /* at rest */
  weft_free(raw);
  weft_free(x);
  close_place(&p);
}

/* Counted from 64 m away, where floats are 8 um apart, until the origin comes: in the frame after
 * it what is told to be somewhere is there to the last bit. */
static void what_is_under_the_cloth_comes_along(under what) {
  place near, far;
  vec4 *x[2], *last[2];
  uint32_t all = 0;
  for (int k = 0; k < 2; ++k) {
    place *p = k ? &far : &near;
    open_place(p, weft_v3(0, 0, 0), what, false, weft_backend_cpu(1));
    weft_solver *s = p->solver;
    all = s->model->particle_count + s->body_particles + s->shapes.particles;
    x[k] = weft_alloc(all, sizeof *x[k]);
    last[k] = weft_alloc(all, sizeof *last[k]);
    weft_solver_read_buffer(s, WEFT_BUFFER_X, 0, all, x[k]);
    for (uint32_t i = 0; i < all && k; ++i) x[k][i].x += 64;
    weft_solver_write_buffer(s, WEFT_BUFFER_X, 0, all, x[k]);
    weft_solver_write_buffer(s, WEFT_BUFFER_X_PREV, 0, all, x[k]);
    if (k) s->origin.x = -64;
    s->frame = 16;
    rig_step(s, 1);
    assert_true(weft_solver_origin(s).x == 0);
    weft_solver_read_buffer(s, WEFT_BUFFER_X, 0, all, x[k]);
    weft_solver_read_buffer(s, WEFT_BUFFER_X_PREV, 0, all, last[k]);
  }
  assert_true(all > near.solver->model->particle_count + 20);
  for (uint32_t i = 0; i < all; ++i) {
    if (memcmp(&x[0][i], &x[1][i], sizeof(vec4)) ||
        memcmp(&last[0][i], &last[1][i], sizeof(vec4))) {
      fail_msg("particle %u of %u is %g m off", i, all, (double)(x[1][i].x - x[0][i].x));
    }
  }
  for (int k = 0; k < 2; ++k) {
    weft_free(x[k]);
    weft_free(last[k]);
    close_place(k ? &far : &near);
  }
}

static void shapes_and_bodies_come_along(void **state) {
  (void)state;
  what_is_under_the_cloth_comes_along(SHAPES_THAT_HOLD);
  what_is_under_the_cloth_comes_along(BODY);
}

/* A run that is kept, goes on over a shift, and is restored goes on as it did. */
static void kept_states_know_their_origin(void **state) {
  (void)state;
  const weft_backend *backends[] = {weft_backend_ref(), weft_backend_cpu(2)};
  weft_model *model = sheet_at(weft_v3(0, 0, 0), WEFT_PIN_NONE);
  const weft_collider floor = {.a = {0, -40, 0}, .b = {0.1f, 1, 0}, .friction_static = 0.2f};
  const weft_params params = {.substeps = 8, .colliders = &floor, .collider_count = 1};
  for (int b = 0; b < 2; ++b) {
    weft_solver *solver = rig_solver(model, &params, backends[b]);
    weft_kept_state kept;
    weft_kept_state_alloc(solver, &kept);
    rig_step(solver, 90);
    assert_int_equal(weft_solver_keep(solver, &kept, NULL), WEFT_OK);
    const weft_vec3d then = weft_solver_origin(solver);
    rig_step(solver, 20);
    assert_true(weft_solver_origin(solver).y != then.y);
    const uint64_t hash = rig_hash(solver);
    weft_solver_restore(solver, &kept);
    assert_true(weft_solver_origin(solver).y == then.y);
    rig_step(solver, 20);
    assert_true(rig_hash(solver) == hash);
    /* Another solver goes on from there, and a reset begins anew. */
    weft_solver *other = rig_solver(model, &params, weft_backend_ref());
    weft_solver_restore(solver, &kept);
    assert_int_equal(weft_solver_copy_state_from(other, solver, NULL), WEFT_OK);
    rig_step(other, 20);
    assert_true(rig_hash(other) == hash);
    assert_int_equal(weft_solver_reset(other, NULL), WEFT_OK);
    assert_true(weft_solver_origin(other).y == 0);
    rig_step(other, 110);
    assert_true(rig_hash(other) == hash);
    weft_kept_state_free(&kept);
    weft_solver_destroy(other);
    weft_solver_destroy(solver);
  }
  weft_model_destroy(model);
}

/* Lists are too short in the very frame in which the origin moves, so it is run again. */
static void a_frame_that_runs_again_has_its_origin(void **state) {
  (void)state;
  weft_model *model = sheet_at(weft_v3(0, 0, 0), WEFT_PIN_NONE);
  const uint32_t n = model->particle_count, rooms[] = {1, 64};
  vec4 *x = weft_alloc(n, sizeof *x);
  uint64_t hashes[2];
  for (int r = 0; r < 2; ++r) {
    const weft_params params = {
        .substeps = 8, .self_collision = true, .self_thickness = 0.02f, .self_room = rooms[r]};
    weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(1));
    weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, x);
    for (uint32_t i = 0; i < n; ++i) { /* one half over the other */
      if (x[i].x > 0) x[i].y += 0.015625f, x[i].x = -x[i].x;
      x[i].x += 64;
    }
    weft_solver_write_buffer(solver, WEFT_BUFFER_X, 0, n, x);
    solver->frame = 16;
    rig_step(solver, 1);
    assert_true(weft_solver_origin(solver).x > 60);
    assert_true(weft_solver_params(solver)->self_room > rooms[0]);
    hashes[r] = rig_hash(solver);
    weft_solver_destroy(solver);
  }
  assert_true(hashes[0] == hashes[1]);
  weft_free(x);
  weft_model_destroy(model);
}

/* In doubles, what is written comes back as near as floats near the cloth are. */
static void doubles_go_in_and_out(void **state) {
  (void)state;
  weft_model *model = sheet_at(weft_v3(0, 0, 0), WEFT_PIN_CORNERS);
  weft_solver *solver = rig_solver(model, NULL, weft_backend_ref());
  const size_t n = 3 * (size_t)model->particle_count;
  double *x = state_of(solver);
  for (size_t k = 0; k < n; ++k) x[k] += 12345.678901234;
  assert_int_equal(weft_solver_write_f64(solver, x, NULL, NULL), WEFT_OK);
  double *back = state_of(solver);
  for (size_t k = 0; k < n; ++k) rig_near(back[k], x[k], 2e-8, "a coordinate");
  const uint32_t pin = 0;
  const double to[] = {x[0] + 1e-5, x[1], x[2]};
  assert_int_equal(weft_solver_move_pins_f64(solver, &pin, to, 1, NULL), WEFT_OK);
  rig_step(solver, 1);
  weft_free(back);
  back = state_of(solver);
  rig_near(back[0] - x[0], 1e-5, 2e-8, "the way of a pin");
  weft_metrics m;
  assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
  rig_near((double)m.box_min.x, 12345.678901234 - 0.125, 2e-3, "the box");
  weft_metrics here;
  assert_int_equal(weft_solver_reset(solver, NULL), WEFT_OK);
  rig_step(solver, 1);
  assert_int_equal(weft_solver_metrics(solver, &here, NULL), WEFT_OK);
  rig_near(m.strain_max, here.strain_max, 1e-3, "strain");
  weft_free(back);
  weft_free(x);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_stays_near_and_goes_to_the_middle_of_what_is_far),
      cmocka_unit_test(no_way_rounds_a_float),
      cmocka_unit_test(cloth_far_out_does_what_it_does_at_zero),
      cmocka_unit_test(planes_carry_as_the_point_that_gives_them),
      cmocka_unit_test(the_origin_follows_without_rounding_anything),
      cmocka_unit_test(pairs_keep_their_low_parts),
      cmocka_unit_test(bodies_go_along),
      cmocka_unit_test(shapes_and_bodies_come_along),
      cmocka_unit_test(kept_states_know_their_origin),
      cmocka_unit_test(a_frame_that_runs_again_has_its_origin),
      cmocka_unit_test(doubles_go_in_and_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
