/* Colliders, bodies and pins that change while a solver runs, and states that are kept and set:
 * what a person would see, against geometry, and bits against solvers made so. */
#include "rig.h"
/* after rig.h */
#include <weft/change.h>

#include "base.h"
#include "inspect.h"
#include "intersections.h"

static weft_model *sheet(weft_pin_rule pins) {
  weft_grid_desc grid = {.rows = 12, .columns = 12, .plane = WEFT_PLANE_XZ};
  return rig_sheet(&grid, "tablecloth", WEFT_BENDING_ISOMETRIC, false, pins);
}

#define MUST(call)                                       \
  do {                                                   \
    weft_error must = {0};                               \
    if ((call) != WEFT_OK) fail_msg("%s", must.message); \
  } while (0)
#define E &must

/* m: the least distance of the cloth from a point, and its lowest height. */
static double nearest(weft_solver *solver, weft_vec3 to) {
  const uint32_t n = weft_model_particle_count(weft_solver_model(solver));
  weft_vec3 *x = weft_alloc(n, sizeof *x);
  double least = INFINITY;
  MUST(weft_solver_read(solver, x, NULL, E));
  for (uint32_t i = 0; i < n; ++i) least = fmin(least, weft_v3_distance(x[i], to));
  weft_free(x);
  return least;
}

static double lowest(weft_solver *solver) {
  weft_metrics m;
  MUST(weft_solver_metrics(solver, &m, E));
  return (double)m.box_min.y;
}

/* ---- colliders ---- */

static const weft_collider ball = {
    .shape = WEFT_COLLIDER_SPHERE, .a = {0, -0.5f, 0}, .radius = 0.3f, .friction_static = 0.5f};

/* Where tables are held, what takes new ones is refused, changes nothing and moves no view; the
 * rest goes on. */
static void held_tables_stay(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_PIN_CORNERS), *other = sheet(WEFT_PIN_TOP);
  weft_mesh mesh = {0};
  MUST(weft_mesh_grid(&(weft_grid_desc){.rows = 4, .columns = 4, .centre = {0, -9, 0}}, &mesh, E));
  weft_params p = {.substeps = 8, .colliders = &ball, .collider_count = 1};
  weft_solver *a = rig_solver(model, &p, weft_backend_cpu(1));
  weft_solver *b = rig_solver(model, &p, weft_backend_cpu(1));
  weft_view before, after;
  MUST(weft_solver_view(a, &before, E));
  weft_solver_hold_tables(a, true);
  weft_params wanted = *weft_solver_params(a);
  wanted.self_collision = !wanted.self_collision;
  const uint32_t middle = 66;
  weft_error err;
#define HELD(call)                                    \
  do {                                                \
    assert_int_equal((call), WEFT_ERROR_ARGUMENT);    \
    assert_non_null(strstr(err.message, "are held")); \
  } while (0)
  HELD(weft_solver_set_params(a, &wanted, &err));
  HELD(weft_solver_set_pins(a, &middle, 1, 0.5f, &err));
  HELD(weft_solver_add_collider(a, &ball, NULL, &err));
  HELD(weft_solver_remove_collider(a, 0, &err));
  HELD(weft_solver_add_body(a, &(weft_body){.mesh = &mesh}, NULL, &err));
  wanted = *weft_solver_params(a); /* what needs no new ones */
  wanted.gravity.x = 1;
  wanted.substeps = 7;
  MUST(weft_solver_set_params(a, &wanted, E));
  MUST(weft_solver_set_params(b, &wanted, E));
  MUST(weft_solver_set_model(a, other, E));
  MUST(weft_solver_set_model(b, other, E));
  rig_step(a, 10);
  rig_step(b, 10);
  MUST(weft_solver_view(a, &after, E));
  assert_ptr_equal(before.positions, after.positions);
  assert_true(rig_hash(a) == rig_hash(b));
  weft_solver_hold_tables(a, false);
  wanted.self_collision = !wanted.self_collision;
  MUST(weft_solver_set_params(a, &wanted, E));
  weft_solver_destroy(a);
  weft_solver_destroy(b);
  weft_model_destroy(model);
  weft_model_destroy(other);
  weft_mesh_free(&mesh);
}

/* A ball that is placed each frame pushes as one that has its path as keys. */
static void a_placed_collider_goes_the_way_of_keys(void **state) {
  (void)state;
  const weft_collider_key keys[] = {{.time = 0, .a = {0, -0.5f, 0}},
                                    {.time = 0.5f, .a = {0.1f, -0.2f, 0}, .rotation = {0, 1, 0}}};
  weft_collider on_keys = ball;
  on_keys.keys = keys;
  on_keys.key_count = 2;
  for (int self = 0; self < 2; ++self) {
    weft_model *model = sheet(WEFT_PIN_CORNERS);
    weft_params p = {.substeps = 8, .collider_count = 1, .self_collision = self == 1};
    p.colliders = &on_keys;
    weft_solver *a = rig_solver(model, &p, weft_backend_cpu(1));
    p.colliders = &ball;
    weft_solver *b = rig_solver(model, &p, weft_backend_cpu(1));
    const void *instance = b->instance;
    weft_collider to = ball;
    for (uint32_t f = 1; f <= 30; ++f) {
      const float part = (float)f / 30;
      to.a = weft_v3(0.1f * part, -0.5f + 0.3f * part, 0);
      to.rotation.y = part;
      MUST(weft_solver_place_collider(b, 0, &to, E));
      if (f == 10) { /* new tables while it is on its way */
        weft_params other = *weft_solver_params(b);
        other.iterations = 2;
        MUST(weft_solver_set_params(b, &other, E));
        instance = b->instance;
      }
      rig_step(a, 1);
      rig_step(b, 1);
      const float *there = &a->poses[0].a.x, *here = &b->poses[0].a.x;
      for (size_t k = 0; k < p.substeps * sizeof *a->poses / sizeof(float); ++k) {
        rig_near((double)here[k], (double)there[k], 3e-6, "a number of a pose");
      }
    }
    assert_ptr_equal(b->instance, instance);
    assert_true(nearest(b, to.a) > 0.3 - 5e-3 && nearest(b, to.a) < 0.31); /* it was reached */
    weft_solver_destroy(a);
    weft_solver_destroy(b);
    weft_model_destroy(model);
  }
}

/* One that grows lifts what lies on it: the cloth is never further inside than floats allow. */
static void a_collider_that_grows_pushes_cloth_out(void **state) {
  (void)state;
  for (int self = 0; self < 2; ++self) {
    weft_model *model = sheet(WEFT_PIN_NONE);
    const weft_params p = {
        .substeps = 10, .colliders = &ball, .collider_count = 1, .self_collision = self == 1};
    weft_solver *solver = rig_solver(model, &p, weft_backend_cpu(1));
    rig_step(solver, 20);
    weft_collider to = ball;
    for (uint32_t f = 1; f <= 20; ++f) {
      to.radius = 0.3f + 0.005f * (float)f;
      MUST(weft_solver_place_collider(solver, 0, &to, E));
      rig_step(solver, 1);
      const double gap = nearest(solver, to.a) - (double)to.radius;
      if (gap < -3e-3) fail_msg("frame %u: %g m inside", f, -gap);
    }
    rig_step(solver, 10);
    rig_near(nearest(solver, to.a), 0.4, 2e-3 + (self ? 2e-3 : 0), "the cloth on it");
    weft_solver_destroy(solver);
    weft_model_destroy(model);
  }
}

static void colliders_come_and_go(void **state) {
  (void)state;
  for (int self = 0; self < 2; ++self) {
    weft_model *model = sheet(WEFT_PIN_NONE);
    const weft_params p = {.substeps = 10, .self_collision = self == 1};
    weft_solver *solver = rig_solver(model, &p, weft_backend_cpu(1));
    uint32_t number = 9;
    weft_collider far = ball, floor = {.a = {0, -1, 0}, .b = {0, 1, 0}};
    far.a.x = 5;
    rig_step(solver, 5);
    MUST(weft_solver_add_collider(solver, &far, &number, E));
    assert_int_equal(number, 0);
    MUST(weft_solver_add_collider(solver, &ball, &number, E));
    MUST(weft_solver_add_collider(solver, &floor, NULL, E));
    assert_int_equal(number, 1);
    rig_step(solver, 25);
    assert_true(nearest(solver, ball.a) > 0.3 - 2e-3); /* it hangs over the ball */
    assert_true(nearest(solver, ball.a) < 0.31);
    MUST(weft_solver_remove_collider(solver, 0, E));
    rig_step(solver, 1);
    assert_true(nearest(solver, ball.a) > 0.3 - 2e-3);
    MUST(weft_solver_remove_collider(solver, 0, E)); /* the ball moved up */
    rig_step(solver, 60);
    rig_near(lowest(solver), -1, 6e-3, "it lies on the floor");
    assert_int_equal(weft_solver_remove_collider(solver, 1, NULL), WEFT_ERROR_ARGUMENT);
    weft_solver_destroy(solver);
    weft_model_destroy(model);
  }
}

/* A keyed ball that is placed goes on from where its keys had it, at once or through new tables. A
 * reset brings it to where they began, a state to where they had it. */
static void a_collider_placed_leaves_its_keys_where_they_are(void **state) {
  (void)state;
  const weft_collider_key keys[] = {{.time = 0, .a = {0, -0.6f, 0}},
                                    {.time = 1, .a = {0.6f, -0.6f, 0}}};
  weft_collider on_keys = ball;
  on_keys.a = weft_v3(7, 7, 7); /* not used where there are keys */
  on_keys.keys = keys;
  on_keys.key_count = 2;
  for (int self = 0; self < 2; ++self) {
    const weft_params p = {
        .substeps = 8, .colliders = &on_keys, .collider_count = 1, .self_collision = self == 1};
    weft_model *model = sheet(WEFT_PIN_CORNERS);
    weft_solver *solver = rig_solver(model, &p, weft_backend_cpu(1));
    weft_state *kept = NULL;
    rig_step(solver, 30); /* 0.5 s */
    MUST(weft_solver_keep_state(solver, &kept, E));
    weft_collider to = ball;
    to.a = weft_v3(0.3f, -0.52f, 0);
    to.radius = 0.25f;
    MUST(weft_solver_place_collider(solver, 0, &to, E));
    rig_step(solver, 1);
    for (uint32_t s = 0; s < 8; ++s) {
      const double y = -0.6 + 0.08 * (s + 1) / 8;
      rig_near((double)solver->poses[s].a.x, 0.3, 1e-6, "where its keys had it");
      rig_near((double)solver->poses[s].a.y, y, 1e-6, "its way from there");
    }
    if (weft_solver_set_state(solver, kept, NULL) == WEFT_OK) {
      rig_step(solver, 1);
      rig_near((double)solver->poses[7].a.x, 0.3, 1e-6, "back to where the state had it");
      rig_near((double)solver->poses[7].a.y, -0.6, 1e-6, "back to where the state had it");
    } else {
      assert_int_equal(self, 1); /* whose shape has other particles at another size */
    }
    MUST(weft_solver_reset(solver, E));
    rig_step(solver, 1);
    rig_near((double)solver->poses[0].a.x, 0, 1e-6, "where its keys began");
    rig_near((double)solver->poses[0].a.y, -0.6, 1e-6, "where its keys began");
    weft_state_destroy(kept);
    weft_solver_destroy(solver);
    weft_model_destroy(model);
  }
}

static void what_cannot_be_placed_is_refused(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_PIN_CORNERS);
  const weft_params p = {.substeps = 2, .colliders = &ball, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &p, weft_backend_ref());
  const weft_collider_key key = {.time = 0};
  weft_collider bad[5] = {ball, ball, ball, ball, ball};
  bad[0].shape = WEFT_COLLIDER_BOX;
  bad[1].radius = -1;
  bad[2].a.x = NAN;
  bad[3].keys = &key, bad[3].key_count = 1;
  bad[4].rotation.y = 4; /* rad: more than a quarter turn in each of two substeps */
  for (size_t k = 0; k < 5; ++k) {
    weft_error err = {0};
    assert_true(weft_solver_place_collider(solver, 0, &bad[k], &err) != WEFT_OK);
    assert_true(strlen(err.message) > 10);
  }
  assert_int_equal(weft_solver_place_collider(solver, 1, &ball, NULL), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_solver_add_collider(solver, &bad[1], NULL, NULL), WEFT_ERROR_ARGUMENT);
  rig_step(solver, 3);
  const uint64_t hash = rig_hash(solver);
  assert_true(hash == rig_hash_after(model, &p, weft_backend_ref(), 3));
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- bodies ---- */

/* A closed block. */
static weft_mesh block(weft_vec3 at, float half) {
  static const uint32_t triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  weft_mesh mesh = {.vertex_count = 8, .triangle_count = 12};
  mesh.positions = weft_alloc(8, sizeof *mesh.positions);
  mesh.triangles = weft_alloc(36, sizeof *mesh.triangles);
  memcpy(mesh.triangles, triangles, sizeof triangles);
  for (uint32_t k = 0; k < 8; ++k) {
    mesh.positions[k] = weft_v3(at.x + (k & 1 ? half : -half), at.y + (k & 2 ? half : -half),
                                at.z + (k & 4 ? half : -half));
  }
  return mesh;
}

/* Pairs of triangles of the cloth and of a body that intersect, counted anew. */
static uint64_t crossings(weft_solver *solver, const weft_mesh *body) {
  const weft_model *model = weft_solver_model(solver);
  const uint32_t n = model->particle_count, cloth = model->triangle_count;
  weft_vec3 *x = weft_alloc(n + body->vertex_count, sizeof *x);
  uint32_t *t = weft_alloc(3 * ((size_t)cloth + body->triangle_count), sizeof *t);
  MUST(weft_solver_read(solver, x, NULL, E));
  memcpy(x + n, body->positions, body->vertex_count * sizeof *x);
  memcpy(t, model->triangles, 3 * (size_t)cloth * sizeof *t);
  for (uint32_t k = 0; k < 3 * body->triangle_count; ++k) t[3 * cloth + k] = n + body->triangles[k];
  weft_intersections found;
  MUST(weft_count_intersections(x, n + body->vertex_count, t, cloth + body->triangle_count, NULL,
                                &found, E));
  weft_free(x);
  weft_free(t);
  return found.triangle_pairs;
}

/* Added beneath cloth that falls, it holds it up; what lies on the second of two bodies goes on
 * lying there when the first is removed. */
static void bodies_come_and_go(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_PIN_NONE);
  weft_mesh aside = block(weft_v3(3, 0, 0), 0.2f), under = block(weft_v3(0, -0.7f, 0), 0.25f);
  const weft_params p = {.substeps = 10, .damping = 2};
  weft_solver *solver = rig_solver(model, &p, weft_backend_cpu(2));
  rig_step(solver, 10);
  uint32_t number = 9;
  MUST(weft_solver_add_body(solver, &(weft_body){.mesh = &aside}, &number, E));
  assert_int_equal(number, 0);
  const weft_body rough = {.mesh = &under, .friction_static = 1, .friction_dynamic = 0.8f};
  MUST(weft_solver_add_body(solver, &rough, &number, E));
  assert_int_equal(number, 1);
  for (uint32_t f = 0; f < 60; ++f) {
    rig_step(solver, 1);
    assert_int_equal(crossings(solver, &under), 0);
  }
  uint32_t touching = 0, after = 0;
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE_COUNT, 0, 1, &touching);
  assert_true(touching > 0);
  weft_self_cached *was = weft_alloc(touching, sizeof *was), *is = weft_alloc(touching, sizeof *is);
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE, 0, touching, was);
  MUST(weft_solver_remove_body(solver, 0, E));
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE_COUNT, 0, 1, &after);
  assert_int_equal(after, touching); /* friction remembers all of them */
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE, 0, touching, is);
  for (uint32_t k = 0; k < touching; ++k) { /* of the particles whose numbers have changed */
    const uvec4 old = weft_self_particles(was[k].pair), new = weft_self_particles(is[k].pair);
    const uint32_t before[] = {old.x, old.y, old.z, old.w}, now[] = {new.x, new.y, new.z, new.w};
    for (size_t i = 0; i < 4; ++i) {
      const bool body = before[i] >= model->particle_count;
      assert_int_equal(now[i], before[i] - (body ? aside.vertex_count : 0));
    }
  }
  weft_free(was);
  weft_free(is);
  weft_vec3 now[8];
  MUST(weft_solver_read_body(solver, 0, now, E));
  assert_memory_equal(now, under.positions, sizeof now);
  const double height = lowest(solver);
  for (uint32_t f = 0; f < 10; ++f) {
    rig_step(solver, 1);
    assert_int_equal(crossings(solver, &under), 0);
  }
  rig_near(lowest(solver), height, 0.01, "it lies there still");
  MUST(weft_solver_remove_body(solver, 0, E));
  assert_int_equal(weft_solver_params(solver)->body_count, 0);
  rig_step(solver, 40);
  assert_true(lowest(solver) < height - 0.5); /* it falls */
  assert_int_equal(weft_solver_remove_body(solver, 0, NULL), WEFT_ERROR_ARGUMENT);
  weft_solver_destroy(solver);
  weft_mesh_free(&aside);
  weft_mesh_free(&under);
  weft_model_destroy(model);
}

/* A body that is moved while another comes and goes: it stays on its way. */
static void a_body_on_its_way_goes_on(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_PIN_NONE);
  weft_mesh under = block(weft_v3(0, -0.3f, 0), 0.25f), aside = block(weft_v3(3, 0, 0), 0.2f);
  const weft_body body = {.mesh = &under};
  const weft_params p = {.substeps = 10, .bodies = &body, .body_count = 1};
  weft_solver *solver = rig_solver(model, &p, weft_backend_ref());
  weft_mesh moved = block(weft_v3(0, 0, 0), 0);
  for (uint32_t f = 1; f <= 20; ++f) {
    for (uint32_t k = 0; k < 8; ++k) {
      moved.positions[k] = under.positions[k];
      moved.positions[k].y += 0.02f * (float)f;
    }
    MUST(weft_solver_move_body(solver, 0, moved.positions, E));
    if (f == 5) MUST(weft_solver_add_body(solver, &(weft_body){.mesh = &aside}, NULL, E));
    if (f == 9) MUST(weft_solver_remove_body(solver, 1, E));
    rig_step(solver, 1);
    weft_vec3 now[8];
    MUST(weft_solver_read_body(solver, 0, now, E));
    for (uint32_t k = 0; k < 8; ++k) {
      rig_near((double)now[k].y, (double)moved.positions[k].y, 1e-6, "its way");
    }
    assert_int_equal(crossings(solver, &moved), 0);
  }
  weft_metrics m;
  MUST(weft_solver_metrics(solver, &m, E));
  assert_true((double)m.box_max.y > 0.35); /* it lifted the cloth */
  weft_solver_destroy(solver);
  weft_mesh_free(&moved);
  weft_mesh_free(&under);
  weft_mesh_free(&aside);
  weft_model_destroy(model);
}

/* What a body goes through when it comes is told, or refused. */
static void a_body_in_the_middle_of_cloth_is_told(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_PIN_CORNERS);
  weft_params p = {.substeps = 10, .tangled = WEFT_TANGLED_REFUSE};
  weft_solver *solver = rig_solver(model, &p, weft_backend_ref());
  rig_step(solver, 25); /* its hem hangs far below where it began */
  const uint64_t before = rig_hash(solver);
  weft_vec3 *x = weft_alloc(model->particle_count, sizeof *x);
  MUST(weft_solver_read(solver, x, NULL, E));
  const weft_vec3 hem = x[model->particle_count - 1];
  assert_true(hem.y < -0.15f);
  weft_mesh through = block(hem, 0.05f);
  weft_free(x);
  const weft_body body = {.mesh = &through};
  weft_error err = {0};
  assert_int_equal(weft_solver_add_body(solver, &body, NULL, &err), WEFT_ERROR_MESH);
  assert_true(rig_hash(solver) == before && weft_solver_params(solver)->body_count == 0);
  p = *weft_solver_params(solver);
  p.tangled = WEFT_TANGLED_KEEP;
  MUST(weft_solver_set_params(solver, &p, E));
  MUST(weft_solver_add_body(solver, &body, NULL, E));
  rig_step(solver, 1);
  weft_metrics m;
  MUST(weft_solver_metrics(solver, &m, E));
  assert_true(m.self_tangled > 0);
  MUST(weft_solver_reset(solver, E)); /* to the start, where nothing was in the way of cloth */
  weft_vec3 first;
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, 1, solver->staging);
  first = weft_solver_placed(solver, solver->staging[0]);
  assert_memory_equal(&first, &model->rest_positions[0], sizeof first);
  weft_solver_destroy(solver);
  weft_mesh_free(&through);
  weft_model_destroy(model);
}

/* ---- pins and models ---- */

static void pins_are_set_and_released_with_the_bits_of_other_models(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_PIN_CORNERS);
  const weft_params p = {.substeps = 8, .lra = 1, .line_sweeps = 1, .self_collision = true};
  const uint32_t middle[] = {66, 67}, corner[] = {0};
  const weft_backend *backends[] = {weft_backend_ref(), weft_backend_cpu(2),
                                    rig_gl_context ? rig_backend_on(rig_gl_context) : NULL};
  uint64_t wanted = 0;
  for (size_t b = 0; b < 3 && backends[b]; ++b) {
    weft_solver *solver = rig_solver(model, &p, backends[b]);
    rig_step(solver, 5);
    MUST(weft_solver_set_pins(solver, middle, 2, 1, E));
    assert_true(weft_solver_pin_weight(solver, 66) == 1 && weft_solver_pin_weight(solver, 65) == 0);
    const weft_vec3 held = rig_position(solver, 66);
    rig_step(solver, 5);
    const weft_vec3 still = rig_position(solver, 66);
    assert_memory_equal(&held, &still, sizeof held);
    MUST(weft_solver_set_pins(solver, corner, 1, 0, E));
    assert_true(weft_model_pinned_count(weft_solver_model(solver)) == 3);
    rig_step(solver, 10);
    const uint64_t hash = rig_hash(solver);
    if (b == 0) wanted = hash;
    assert_true(hash == wanted);
    weft_solver_destroy(solver);
  }
  weft_model *held = NULL, *freed = NULL;
  MUST(weft_model_with_pins(model, middle, 2, true, &held, E));
  MUST(weft_model_with_pins(held, corner, 1, false, &freed, E));
  weft_solver *one = rig_solver(model, &p, weft_backend_ref());
  weft_solver *two = rig_solver(held, &p, weft_backend_ref());
  weft_solver *three = rig_solver(freed, &p, weft_backend_ref());
  rig_step(one, 5);
  MUST(weft_solver_copy_state_from(two, one, E));
  rig_step(two, 5);
  MUST(weft_solver_copy_state_from(three, two, E));
  rig_step(three, 10);
  assert_true(rig_hash(three) == wanted);
  weft_solver_destroy(one);
  weft_solver_destroy(two);
  weft_solver_destroy(three);
  weft_model_destroy(held);
  weft_model_destroy(freed);
  weft_model_destroy(model);
}

/* Another fabric: heavier cloth that stretches more; the state goes on. */
static void a_model_of_another_fabric_takes_over(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_PIN_CORNERS);
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  const weft_grid_desc grid = {.rows = 12, .columns = 12, .plane = WEFT_PLANE_XZ};
  weft_material soft = *weft_material_find("tablecloth");
  soft.stretch_warp = soft.stretch_weft = 20;
  weft_model *other =
      rig_grid_model(&grid, (weft_model_desc){.material = &soft, .pins = &pin, .pin_count = 1});
  const weft_params p = {.substeps = 12};
  weft_solver *solver = rig_solver(model, &p, weft_backend_cpu(1));
  rig_step(solver, 60);
  const uint64_t before = rig_hash(solver);
  weft_metrics stiff, hung;
  MUST(weft_solver_metrics(solver, &stiff, E));
  MUST(weft_solver_set_model(solver, other, E));
  assert_true(rig_hash(solver) == before);
  rig_step(solver, 60);
  MUST(weft_solver_metrics(solver, &hung, E));
  assert_true(hung.strain_mean > 3 * stiff.strain_mean);
  weft_model *small = rig_sheet(&(weft_grid_desc){.rows = 4, .columns = 4}, "tshirt",
                                WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  assert_int_equal(weft_solver_set_model(solver, small, NULL), WEFT_ERROR_ARGUMENT);
  weft_solver_destroy(solver);
  weft_model_destroy(small);
  weft_model_destroy(other);
  weft_model_destroy(model);
}

/* ---- states ---- */

static void lead(weft_solver *solver, const weft_mesh *under, uint32_t frame) {
  weft_vec3 to[8], pin = weft_v3(-0.5f, 0.01f * (float)frame, -0.5f);
  const uint32_t corner = 0;
  for (uint32_t k = 0; k < 8; ++k) {
    to[k] = under->positions[k];
    to[k].y += 0.01f * (float)frame;
  }
  MUST(weft_solver_move_body(solver, 0, to, E));
  MUST(weft_solver_move_pins(solver, &corner, &pin, 1, E));
  MUST(weft_solver_move_collider(solver, 0, weft_v3(0.01f * (float)frame, 0, 0), E));
}

/* Back to a state, with all that is on its way: the same frames follow, in another solver too. */
static void frames_after_a_state_are_those_that_followed_it(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_PIN_CORNERS);
  weft_mesh under = block(weft_v3(0, -0.3f, 0), 0.25f);
  const weft_body body = {.mesh = &under, .friction_static = 0.5f, .friction_dynamic = 0.5f};
  const weft_collider_key path[] = {{.time = 0, .a = {0.3f, -0.45f, 0.3f}},
                                    {.time = 1, .a = {0.3f, -0.35f, 0.3f}}};
  weft_collider aside = ball; /* whose keys are each solver's own */
  aside.keys = path;
  aside.key_count = 2;
  const weft_params p = {.substeps = 10,
                         .bodies = &body,
                         .body_count = 1,
                         .colliders = &aside,
                         .collider_count = 1,
                         .self_static = 0.5f,
                         .keep_multipliers = true,
                         .grab = true};
  const weft_backend *backends[] = {weft_backend_ref(), weft_backend_cpu(2),
                                    rig_gl_context ? rig_backend_on(rig_gl_context) : NULL};
  for (size_t b = 0; b < 3 && backends[b]; ++b) {
    weft_solver *solver = rig_solver(model, &p, backends[b]);
    weft_state *kept = NULL, *second = NULL;
    MUST(weft_solver_grab(solver, 100, weft_v3(0.3f, 0.3f, 0.3f), E));
    for (uint32_t f = 1; f <= 20; ++f) {
      lead(solver, &under, f);
      rig_step(solver, 1);
    }
    lead(solver, &under, 21); /* all of it is on its way */
    MUST(weft_solver_keep_state(solver, &kept, E));
    uint64_t hashes[4];
    weft_solver *other = rig_solver(model, &p, backends[b]);
    for (int run = 0; run < 3; ++run) {
      weft_solver *at = run == 2 ? other : solver;
      if (run > 0) MUST(weft_solver_set_state(at, kept, E));
      assert_int_equal(weft_solver_frame(at), 20);
      rig_step(at, 1);
      weft_solver_release(at);
      for (uint32_t f = 22; f <= 30; ++f) {
        lead(at, &under, f);
        rig_step(at, 1);
      }
      hashes[run] = rig_hash(at);
      assert_true(hashes[run] == hashes[0]);
    }
    weft_state *again = kept;
    MUST(weft_solver_keep_state(solver, &again, E));
    assert_ptr_equal(again, kept); /* nothing was made */
    const uint32_t one = 60;
    MUST(weft_solver_set_pins(solver, &one, 1, 1, E));
    assert_int_equal(weft_solver_set_state(solver, kept, NULL), WEFT_ERROR_ARGUMENT);
    MUST(weft_solver_keep_state(solver, &second, E));
    MUST(weft_solver_set_state(solver, second, E));
    weft_state_destroy(kept);
    weft_state_destroy(second);
    weft_solver_destroy(other);
    weft_solver_destroy(solver);
  }
  weft_mesh_free(&under);
  weft_model_destroy(model);
}

/* What slows velocities after many rejected steps is how many there were in a row. None of them
 * comes about here, so the counter is written. */
static void count_rejected(weft_solver *solver, uint32_t count) {
  weft_solver_write_buffer(solver, WEFT_BUFFER_SELF_COUNTS, WEFT_SELF_AT_REJECTED_NOW, 1, &count);
}

static void expect_rejected(weft_solver *solver, uint32_t wanted) {
  uint32_t count;
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_COUNTS, WEFT_SELF_AT_REJECTED_NOW, 1, &count);
  assert_int_equal(count, wanted);
}

static void rejected_steps_in_a_row_are_kept(void **state) {
  (void)state;
  weft_model *model = sheet(WEFT_PIN_CORNERS);
  const weft_params p = {.substeps = 10, .self_collision = true};
  const weft_backend *backends[] = {weft_backend_ref(), weft_backend_cpu(2), weft_backend_f64(),
                                    rig_gl_context ? rig_backend_on(rig_gl_context) : NULL};
  for (size_t b = 0; b < 4 && backends[b]; ++b) {
    weft_solver *solver = rig_solver(model, &p, backends[b]);
    weft_solver *other = rig_solver(model, &p, backends[b]);
    weft_state *kept = NULL;
    rig_step(solver, 3);
    count_rejected(solver, 7);
    MUST(weft_solver_keep_state(solver, &kept, E));
    rig_step(solver, 1);
    expect_rejected(solver, 0); /* a step that was not */
    MUST(weft_solver_set_state(solver, kept, E));
    expect_rejected(solver, 7);
    MUST(weft_solver_set_state(other, kept, E));
    expect_rejected(other, 7);
    MUST(weft_solver_reset(other, E));
    expect_rejected(other, 0);
    MUST(weft_solver_copy_state_from(other, solver, E));
    expect_rejected(other, 7);
    weft_params more = *weft_solver_params(solver);
    more.substeps = 12; /* new tables */
    MUST(weft_solver_set_params(solver, &more, E));
    expect_rejected(solver, 7);
    weft_state_destroy(kept);
    weft_solver_destroy(other);
    weft_solver_destroy(solver);
  }
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(held_tables_stay),
      cmocka_unit_test(a_placed_collider_goes_the_way_of_keys),
      cmocka_unit_test(a_collider_placed_leaves_its_keys_where_they_are),
      cmocka_unit_test(a_collider_that_grows_pushes_cloth_out),
      cmocka_unit_test(colliders_come_and_go),
      cmocka_unit_test(what_cannot_be_placed_is_refused),
      cmocka_unit_test(bodies_come_and_go),
      cmocka_unit_test(a_body_on_its_way_goes_on),
      cmocka_unit_test(a_body_in_the_middle_of_cloth_is_told),
      cmocka_unit_test(pins_are_set_and_released_with_the_bits_of_other_models),
      cmocka_unit_test(a_model_of_another_fabric_takes_over),
      cmocka_unit_test(frames_after_a_state_are_those_that_followed_it),
      cmocka_unit_test(rejected_steps_in_a_row_are_kept),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
