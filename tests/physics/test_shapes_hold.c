/* Shapes hold edges and faces of cloth, not its vertices alone: how deep cloth is in a shape is
 * worked out here, from positions and from where the shape is told to be. Still, moving and
 * turning; from a start inside; the same bits on backends. */
#include "rig.h"
/* after rig.h */
#include "cpu.h"

/* ---- how deep a triangle reaches into a shape ---- */

typedef struct place {
  weft_collider_shape shape;
  weft_vec3d a, b, rotation; /* rad */
  double radius;
  weft_vec3d half;
} place;

static weft_vec3d mixed(const weft_vec3d t[3], double u, double v) {
  return weft_v3d_add_scaled(weft_v3d_add_scaled(weft_v3d_scale(t[0], 1 - u - v), u, t[1]), v,
                             t[2]);
}

/* Below the surface at a point. Concave in it, as every shape is convex. */
static double depth_at(const place *p, weft_vec3d x) {
  weft_vec3d from = weft_v3d_sub(x, p->a);
  if (p->shape == WEFT_COLLIDER_PLANE) return -weft_v3d_dot(from, p->b);
  if (p->shape == WEFT_COLLIDER_SPHERE) return p->radius - weft_v3d_length(from);
  if (p->shape == WEFT_COLLIDER_CAPSULE) {
    weft_vec3d axis = weft_v3d_sub(p->b, p->a);
    double t = weft_v3d_dot(from, axis) / weft_v3d_dot(axis, axis);
    t = fmin(fmax(t, 0), 1);
    return p->radius - weft_v3d_length(weft_v3d_add_scaled(from, -t, axis));
  }
  weft_vec3d q = weft_v3d_rotate(from, weft_v3d_scale(p->rotation, -1));
  return fmin(p->half.x - fabs(q.x), fmin(p->half.y - fabs(q.y), p->half.z - fabs(q.z)));
}

enum { THIRDS = 32 };

static double deepest_along(const place *p, const weft_vec3d t[3], double u) {
  double low = 0, high = 1 - u;
  for (int k = 0; k < THIRDS; ++k) {
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (depth_at(p, mixed(t, u, a)) < depth_at(p, mixed(t, u, b)))
      low = a;
    else
      high = b;
  }
  return depth_at(p, mixed(t, u, (low + high) / 2));
}

static double depth_of(const place *p, const weft_vec3d t[3]) {
  double low = 0, high = 1;
  for (int k = 0; k < THIRDS; ++k) {
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (deepest_along(p, t, a) < deepest_along(p, t, b))
      low = a;
    else
      high = b;
  }
  return deepest_along(p, t, (low + high) / 2);
}

static bool is_near(const place *p, const weft_vec3d t[3]) {
  double reach = p->radius + weft_v3d_length(p->half) + 1e-9;
  if (p->shape == WEFT_COLLIDER_PLANE) return true;
  if (p->shape == WEFT_COLLIDER_CAPSULE) reach += weft_v3d_distance(p->a, p->b);
  double edge = fmax(weft_v3d_distance(t[0], t[1]), weft_v3d_distance(t[0], t[2]));
  return weft_v3d_distance(t[0], p->a) < reach + edge;
}

/* m, of the whole cloth; 0 where it is outside. */
static double depth_of_cloth(const weft_model *model, const weft_vec3 *x, const place *p) {
  double most = 0;
  for (size_t t = 0; t < model->triangle_count; ++t) {
    const uint32_t *c = &model->triangles[3 * t];
    const weft_vec3d corners[3] = {weft_v3d_from(x[c[0]]), weft_v3d_from(x[c[1]]),
                                   weft_v3d_from(x[c[2]])};
    if (is_near(p, corners)) most = fmax(most, depth_of(p, corners));
  }
  return most;
}

/* Keys are straight between the first and the last, which is all that is used here. */
static place place_at(const weft_collider *c, double time) {
  place p = {c->shape,
             weft_v3d_from(c->a),
             weft_v3d_from(c->b),
             weft_v3d_from(c->rotation),
             (double)c->radius,
             weft_v3d_from(c->half_size)};
  if (c->key_count == 0) return p;
  const weft_collider_key *k = c->keys;
  double t = (time - (double)k[0].time) / ((double)k[1].time - (double)k[0].time);
  t = fmin(fmax(t, 0), 1);
  p.a = weft_v3d_add_scaled(weft_v3d_from(k[0].a), t, weft_v3d_from(weft_v3_sub(k[1].a, k[0].a)));
  p.b = weft_v3d_add_scaled(weft_v3d_from(k[0].b), t, weft_v3d_from(weft_v3_sub(k[1].b, k[0].b)));
  p.rotation = weft_v3d_add_scaled(weft_v3d_from(k[0].rotation), t,
                                   weft_v3d_from(weft_v3_sub(k[1].rotation, k[0].rotation)));
  return p;
}

/* ---- a coarse sheet over a shape ---- */

/* Edges of 100 mm. */
static weft_model *coarse_sheet(float height, weft_pin_rule pins) {
  const weft_grid_desc grid = {.rows = 11,
                               .columns = 11,
                               .width = 1,
                               .height = 1,
                               .plane = WEFT_PLANE_XZ,
                               .centre = {0, height, 0}};
  return rig_sheet(&grid, "tablecloth", WEFT_BENDING_ISOMETRIC, false, pins);
}

typedef struct run {
  weft_collider shape;
  float height, thickness;
  weft_pin_rule pins;
  uint32_t frames;
  double most;    /* m, that cloth may be inside of it */
  uint32_t parts; /* of a joined model; 0: of none */
} run;

/* Parts begin at other heights. */
static weft_model *model_of(const run *r) {
  enum { MOST = 4 };
  if (r->parts == 0) return coarse_sheet(r->height, r->pins);
  weft_model *joined = NULL, *parts[MOST];
  assert_true(r->parts <= MOST);
  for (uint32_t p = 0; p < r->parts; ++p) {
    parts[p] = coarse_sheet(r->height + 0.005f * (float)p, r->pins);
  }
  assert_int_equal(weft_model_join((const weft_model *const *)parts, r->parts, &joined, NULL),
                   WEFT_OK);
  for (uint32_t p = 0; p < r->parts; ++p) weft_model_destroy(parts[p]);
  return joined;
}

static weft_solver *start(const run *r, weft_model *model, const weft_backend *backend,
                          bool self_collision) {
  const weft_params params = {.plain = true,
                              .self_collision = self_collision,
                              .thickness = r->thickness,
                              .colliders = &r->shape,
                              .collider_count = 1};
  weft_solver *solver = NULL;
  weft_error err = {0};
  if (weft_solver_create(model, &params, backend, &solver, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  return solver;
}

/* Of the part that is deepest, or of that which is least deep. */
static double depth_of_parts(const weft_model *model, const weft_vec3 *x, const place *p,
                             bool least) {
  double found = depth_of_cloth(weft_model_part(model, 0), x, p);
  for (uint32_t k = 1; k < weft_model_part_count(model); ++k) {
    const weft_model *part = weft_model_part(model, k);
    const double depth = depth_of_cloth(part, x + k * part->particle_count, p);
    found = least ? fmin(found, depth) : fmax(found, depth);
  }
  return found;
}

/* The most of all frames, m; without self-collision of the part that is least deep. */
static double deepest(const run *r, const weft_backend *backend, bool self_collision,
                      uint64_t *hash) {
  weft_model *model = model_of(r);
  weft_solver *solver = start(r, model, backend, self_collision);
  weft_vec3 *x = weft_alloc(model->particle_count, sizeof *x);
  weft_error err = {0};
  double most = 0;
  for (uint32_t frame = 0; frame < r->frames; ++frame) {
    assert_int_equal(weft_solver_step(solver, &err), WEFT_OK);
    assert_int_equal(weft_solver_read(solver, x, NULL, &err), WEFT_OK);
    const place now = place_at(&r->shape, weft_solver_time(solver));
    most = fmax(most, depth_of_parts(model, x, &now, !self_collision));
  }
  if (hash) *hash = rig_hash(solver);
  weft_free(x);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  return most;
}

static void holds(const char *what, const run *r) {
  double alone = deepest(r, weft_backend_cpu(1), false, NULL);
  double held = deepest(r, weft_backend_cpu(1), true, NULL);
  print_message("%s: %.3f mm inside without self-collision, %.3f mm with it\n", what, 1e3 * alone,
                1e3 * held);
  if (held > r->most) fail_msg("%s: cloth is %.3f mm inside", what, 1e3 * held);
  if (!(alone > 2 * r->most)) fail_msg("%s: vertices alone hold it", what);
}

static const double half_a_millimetre = 0.0005;

static void corners_of_a_box_stay_below(void **state) {
  (void)state;
  const float thicknesses[] = {0, 0.001f, 0.004f};
  for (size_t k = 0; k < 3; ++k) {
    const run r = {.shape = {.shape = WEFT_COLLIDER_BOX,
                             .a = {0.03f, 0, -0.02f},
                             .half_size = {0.2f, 0.1f, 0.2f},
                             .friction_static = 0.3f,
                             .friction_dynamic = 0.3f},
                   .height = 0.12f,
                   .thickness = thicknesses[k],
                   .frames = 60,
                   .most = half_a_millimetre};
    holds("a box", &r);
  }
}

static void balls_smaller_than_a_face_do_not_fall_through(void **state) {
  (void)state;
  const float radii[] = {0.01f, 0.015f, 0.02f, 0.03f};
  for (size_t k = 0; k < 4; ++k) {
    const run r = {
        .shape = {.shape = WEFT_COLLIDER_SPHERE, .a = {0.033f, 0, 0.021f}, .radius = radii[k]},
        .height = 0.06f,
        .thickness = 0.001f,
        .pins = WEFT_PIN_CORNERS,
        .frames = 60,
        .most = half_a_millimetre};
    holds("a ball", &r);
  }
}

static void a_thin_capsule_does_not_fall_through(void **state) {
  (void)state;
  const run r = {.shape = {.shape = WEFT_COLLIDER_CAPSULE,
                           .a = {-0.12f, 0, 0.03f},
                           .b = {0.17f, 0.02f, 0.055f},
                           .radius = 0.01f},
                 .height = 0.06f,
                 .thickness = 0.001f,
                 .pins = WEFT_PIN_CORNERS,
                 .frames = 60,
                 .most = half_a_millimetre};
  holds("a capsule", &r);
}

/* The same on every backend that is here. */
static void has_the_reference_s_bits(const char *what, const run *r) {
  run some = *r;
  some.frames = 24;
  uint64_t ref, cpu;
  deepest(&some, weft_backend_ref(), true, &ref);
  deepest(&some, weft_backend_cpu(2), true, &cpu);
  if (ref != cpu) fail_msg("%s: cpu has other bits than ref", what);
}

static void moving_and_turning_shapes_hold(void **state) {
  (void)state;
  const weft_collider_key rises[] = {{0, {0.03f, -0.25f, 0.02f}, {0, 0, 0}, {0.2f, 0.1f, 0}},
                                     {0.5f, {0.03f, 0.1f, 0.02f}, {0, 0, 0}, {0.9f, 2.1f, 0.4f}}};
  const weft_collider_key turns[] = {{0, {-0.15f, -0.1f, 0}, {0.15f, -0.1f, 0.06f}, {0, 0, 0}},
                                     {0.5f, {0.06f, 0.1f, -0.15f}, {0, 0.1f, 0.15f}, {3, 0, 0}}};
  const run box = {.shape = {.shape = WEFT_COLLIDER_BOX,
                             .half_size = {0.07f, 0.05f, 0.06f},
                             .keys = rises,
                             .key_count = 2},
                   .height = 0.01f,
                   .thickness = 0.002f,
                   .pins = WEFT_PIN_CORNERS,
                   .frames = 45,
                   .most = half_a_millimetre};
  const run capsule = {
      .shape = {.shape = WEFT_COLLIDER_CAPSULE, .radius = 0.012f, .keys = turns, .key_count = 2},
      .height = 0.01f,
      .thickness = 0.002f,
      .pins = WEFT_PIN_CORNERS,
      .frames = 45,
      .most = half_a_millimetre};
  holds("a box that rises and turns", &box);
  holds("a capsule that rises and turns", &capsule);
  has_the_reference_s_bits("a box that rises and turns", &box);
  has_the_reference_s_bits("a capsule that rises and turns", &capsule);
}

static void shapes_hold_every_part_of_a_joined_model(void **state) {
  (void)state;
  const weft_collider shapes[] = {
      {.shape = WEFT_COLLIDER_BOX, .a = {0.03f, 0, -0.02f}, .half_size = {0.2f, 0.05f, 0.2f}},
      {.shape = WEFT_COLLIDER_SPHERE, .a = {0.033f, 0, 0.021f}, .radius = 0.015f},
      {.shape = WEFT_COLLIDER_CAPSULE,
       .a = {-0.12f, 0, 0.03f},
       .b = {0.17f, 0.02f, 0.055f},
       .radius = 0.01f}};
  for (size_t k = 0; k < 3; ++k) {
    const run r = {.shape = shapes[k],
                   .height = 0.06f,
                   .thickness = 0.001f,
                   .pins = k ? WEFT_PIN_CORNERS : WEFT_PIN_NONE,
                   .frames = 60,
                   .most = half_a_millimetre,
                   .parts = 3};
    holds("of three, what is least held", &r);
    has_the_reference_s_bits("three", &r);
  }
}

/* Vertices above a plane hold all between them. */
static void a_plane_holds(void **state) {
  (void)state;
  const run r = {.shape = {.shape = WEFT_COLLIDER_PLANE, .b = {0.3f, 1, 0.1f}},
                 .height = 0.25f,
                 .thickness = 0.001f,
                 .frames = 60};
  double length = sqrt(1.1);
  run unit = r;
  unit.shape.b = weft_v3((float)(0.3 / length), (float)(1 / length), (float)(0.1 / length));
  double held = deepest(&unit, weft_backend_cpu(1), true, NULL);
  if (held > 0) fail_msg("cloth is %g m below a plane", held);
}

/* ---- a start inside ---- */

static void what_starts_inside_comes_out(void **state) {
  (void)state;
  const weft_collider shapes[] = {
      {.shape = WEFT_COLLIDER_SPHERE, .a = {0.033f, 0, 0.021f}, .radius = 0.03f},
      {.shape = WEFT_COLLIDER_SPHERE, .a = {0, 0, 0}, .radius = 0.16f},
      {.shape = WEFT_COLLIDER_BOX, .a = {0.03f, 0.01f, 0}, .half_size = {0.12f, 0.06f, 0.12f}},
      {.shape = WEFT_COLLIDER_CAPSULE,
       .a = {-0.1f, 0.01f, 0},
       .b = {0.1f, -0.01f, 0},
       .radius = 0.03f}};
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
    const run r = {.shape = shapes[k], .thickness = 0.001f, .pins = WEFT_PIN_CORNERS};
    weft_model *model = coarse_sheet(0, r.pins);
    weft_solver *solver = start(&r, model, weft_backend_cpu(1), true);
    weft_vec3 *x = weft_alloc(model->particle_count, sizeof *x);
    weft_error err = {0};
    const place there = place_at(&r.shape, 0);
    assert_int_equal(weft_solver_read(solver, x, NULL, &err), WEFT_OK);
    double before = depth_of_cloth(model, x, &there), after = before, fastest = 0;
    assert_true(before > 0.02);
    /* At 1/8 m/s and, from the middle, on either side. */
    const uint32_t frames = 30 + (uint32_t)(60 * 2 * 0.16 / 0.125);
    for (uint32_t frame = 0; frame < frames && after > half_a_millimetre; ++frame) {
      double last = after;
      assert_int_equal(weft_solver_step(solver, &err), WEFT_OK);
      assert_int_equal(weft_solver_read(solver, x, NULL, &err), WEFT_OK);
      after = depth_of_cloth(model, x, &there);
      if (frame > 0) fastest = fmax(fastest, 60 * (last - after));
    }
    weft_metrics metrics;
    assert_int_equal(weft_solver_metrics(solver, &metrics, &err), WEFT_OK);
    print_message("shape %zu: from %.1f mm inside to %.3f mm, at most %.2f m/s\n", k, 1e3 * before,
                  1e3 * after, fastest);
    if (after > half_a_millimetre) fail_msg("shape %zu: %.2f mm are left inside", k, 1e3 * after);
    if (metrics.self_pauses) fail_msg("shape %zu: %u pauses", k, metrics.self_pauses);
    weft_free(x);
    weft_solver_destroy(solver);
    weft_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corners_of_a_box_stay_below),
      cmocka_unit_test(balls_smaller_than_a_face_do_not_fall_through),
      cmocka_unit_test(a_thin_capsule_does_not_fall_through),
      cmocka_unit_test(moving_and_turning_shapes_hold),
      cmocka_unit_test(shapes_hold_every_part_of_a_joined_model),
      cmocka_unit_test(a_plane_holds),
      cmocka_unit_test(what_starts_inside_comes_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
