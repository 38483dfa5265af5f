/* Every scene of the table: can be made at several sizes, stays finite, is not torn, stays out of
 * its colliders, and does what its name says. Long runs are made on the backend cpu, which gives
 * the bits of the reference (test_cpu_parity) in a third of the time. */
#include "base.h"
#include "rig_scene.h"

static void make(const char *name, const weft_scene_options *options, weft_scene_instance *scene,
                 weft_solver **solver) {
  *scene = rig_scene_of(weft_scene_find(name), options);
  *solver = rig_solver(scene->model, &scene->params, weft_backend_cpu(1));
}

static weft_vec3 *positions_of(weft_solver *solver) {
  uint32_t n = weft_model_particle_count(weft_solver_model(solver));
  weft_vec3 *x = weft_alloc(n, sizeof *x);
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  return x;
}

/* ---- where a collider is, worked out here once more ---- */

static weft_vec3 between(weft_vec3 a, weft_vec3 b, float t) {
  return weft_v3_add(a, weft_v3_scale(weft_v3_sub(b, a), t));
}

/* Where a collider is: its points, and how it is turned. */
typedef struct stand {
  weft_vec3 a, b, rotation;
} stand;

static stand stand_at(const weft_collider *c, float time) {
  stand s = {c->a, c->b, c->rotation};
  for (uint32_t k = 0; k < c->key_count; ++k) {
    const weft_collider_key *now = &c->keys[k];
    if (k == 0 || now->time <= time) {
      s = (stand){now->a, now->b, now->rotation};
      continue;
    }
    const weft_collider_key *last = &c->keys[k - 1];
    float t = (time - last->time) / (now->time - last->time);
    return (stand){between(last->a, now->a, t), between(last->b, now->b, t),
                   between(last->rotation, now->rotation, t)};
  }
  return s;
}

/* v turned back by a rotation. */
static weft_vec3 turned_back(weft_vec3 v, weft_vec3 rotation) {
  float angle = weft_v3_length(rotation);
  if (!(angle > 0)) return v;
  weft_vec3 axis = weft_v3_scale(rotation, 1 / angle);
  weft_vec3 across = weft_v3_scale(weft_v3_cross(v, axis), sinf(angle));
  weft_vec3 along = weft_v3_scale(axis, weft_v3_dot(axis, v) * (1 - cosf(angle)));
  return weft_v3_add(weft_v3_add(weft_v3_scale(v, cosf(angle)), across), along);
}

static float box_clearance(const weft_collider *c, weft_vec3 q) {
  const float over[3] = {fabsf(q.x) - c->half_size.x, fabsf(q.y) - c->half_size.y,
                         fabsf(q.z) - c->half_size.z};
  weft_vec3 out = {fmaxf(over[0], 0), fmaxf(over[1], 0), fmaxf(over[2], 0)};
  return weft_v3_length(out) + fminf(fmaxf(fmaxf(over[0], over[1]), over[2]), 0);
}

static float clearance(const weft_collider *c, const stand *s, weft_vec3 p) {
  weft_vec3 a = s->a, b = s->b;
  if (c->shape == WEFT_COLLIDER_BOX) {
    return box_clearance(c, turned_back(weft_v3_sub(p, a), s->rotation));
  }
  if (c->shape == WEFT_COLLIDER_PLANE) {
    return weft_v3_dot(weft_v3_sub(p, a), b) / weft_v3_length(b);
  }
  weft_vec3 nearest = a;
  if (c->shape == WEFT_COLLIDER_CAPSULE) {
    weft_vec3 axis = weft_v3_sub(b, a);
    float length2 = weft_v3_dot(axis, axis);
    float t = length2 > 0 ? weft_v3_dot(weft_v3_sub(p, a), axis) / length2 : 0;
    nearest = between(a, b, fminf(fmaxf(t, 0), 1));
  }
  return weft_v3_length(weft_v3_sub(p, nearest)) - c->radius;
}

/* The deepest any free particle lies in a collider (negative: inside). */
static float min_clearance(const weft_scene_instance *scene, weft_solver *solver) {
  const float *w = weft_model_inverse_masses(scene->model);
  uint32_t n = weft_model_particle_count(scene->model);
  weft_vec3 *x = positions_of(solver);
  float min = INFINITY;
  for (uint32_t k = 0; k < scene->params.collider_count; ++k) {
    stand now = stand_at(&scene->colliders[k], (float)weft_solver_time(solver));
    for (uint32_t i = 0; i < n; ++i) {
      if (w[i] > 0) min = fminf(min, clearance(&scene->colliders[k], &now, x[i]));
    }
  }
  weft_free(x);
  return min;
}

/* ---- all scenes ---- */

/* The README names every scene between backquotes. */
static void names_are_those_documented(void **state) {
  (void)state;
  FILE *file = fopen(WEFT_SOURCE_DIR "/README.md", "rb");
  assert_non_null(file);
  char *text = weft_alloc(1 << 20, 1), quoted[64];
  assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    snprintf(quoted, sizeof quoted, "`%s`", weft_scene_at(k)->name);
    if (!strstr(text, quoted)) fail_msg("the README does not name scene %s", quoted);
    assert_ptr_equal(weft_scene_find(weft_scene_at(k)->name), weft_scene_at(k));
  }
  weft_free(text);
  assert_null(weft_scene_find("no such scene"));
  assert_null(weft_scene_find(NULL));
}

static void size_sets_the_number_of_particles(void **state) {
  (void)state;
  static const uint32_t sizes[] = {4, 16, 40, 100};
  static const char *const sheets[] = {"duel", "hanging", "drape", "flag", "curtain", "tumble"};
  for (uint32_t s = 0; weft_scene_at(s); ++s) {
    const weft_scene *scene = weft_scene_at(s);
    bool sheet = false;
    for (size_t k = 0; k < sizeof sheets / sizeof *sheets; ++k) {
      sheet |= strcmp(scene->name, sheets[k]) == 0;
    }
    if (!(scene->uses & WEFT_SCENE_CLOTH)) continue;
    for (size_t k = 0; k < 4; ++k) {
      const weft_scene_options options = {.size = sizes[k]};
      weft_scene_instance instance = rig_scene_of(scene, &options);
      uint32_t count = weft_model_particle_count(instance.model);
      uint32_t square = sizes[k] * sizes[k];
      if (strcmp(scene->name, "wring") == 0) square = square * 35 / 100; /* 1 m by 0.35 m */
      if (strcmp(scene->name, "stack") == 0) square *= 10;
      if (sheet) {
        assert_int_equal(count, square);
      } else if (sizes[k] >= 16) {
        assert_in_range(count, square * 3 / 4, square * 4 / 3);
      }
      weft_scene_free(&instance);
    }
  }
}

static void sizes_out_of_range_are_refused(void **state) {
  (void)state;
  weft_scene_instance instance;
  weft_error err = {0};
  weft_scene_options options = {.size = 3};
  assert_int_equal(weft_scene_make(weft_scene_at(0), &options, &instance, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, weft_scene_at(0)->name));
  options.size = 5000;
  assert_int_equal(weft_scene_make(weft_scene_at(0), &options, &instance, &err),
                   WEFT_ERROR_ARGUMENT);
}

static void every_scene_starts_clear_of_its_colliders(void **state) {
  (void)state;
  for (uint32_t s = 0; weft_scene_at(s); ++s) {
    weft_scene_instance scene;
    weft_solver *solver;
    make(weft_scene_at(s)->name, NULL, &scene, &solver);
    float clear = min_clearance(&scene, solver);
    if (clear < scene.params.thickness) {
      fail_msg("%s starts %g m from a collider", scene.name, (double)clear);
    }
    weft_solver_destroy(solver);
    weft_scene_free(&scene);
  }
}

static void every_scene_stays_finite_single_and_outside(void **state) {
  (void)state;
  for (uint32_t s = 0; weft_scene_at(s); ++s) {
    weft_scene_instance scene;
    weft_solver *solver;
    const char *name = weft_scene_at(s)->name;
    uint32_t size = strcmp(name, "stack") == 0 ? 10 : 32; /* of each of its ten cloths */
    make(name, &(weft_scene_options){.size = size}, &scene, &solver);
    for (int detection = 0; detection < 8; ++detection) {
      rig_scene_step(&scene, solver, 20);
      weft_metrics m;
      assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
      float clear = min_clearance(&scene, solver);
      if (m.nonfinite || m.strain_p99 > 0.2 || clear < -0.001f) {
        fail_msg("%s, frame %d: %u not finite, p99 strain %g, clearance %g m", scene.name,
                 20 * (detection + 1), m.nonfinite, m.strain_p99, (double)clear);
      }
    }
    weft_solver_destroy(solver);
    weft_scene_free(&scene);
  }
}

/* p99 of strain along threads after so many frames. */
static double duel_strain(bool plain, int frames) {
  const weft_scene_options options = {.size = 64, .seed = 1, .plain = plain};
  weft_scene_instance s;
  weft_metrics m;
  assert_int_equal(weft_scene_make(weft_scene_find("duel"), &options, &s, NULL), WEFT_OK);
  assert_int_equal(s.beside, WEFT_BESIDE_PLAIN);
  if (plain) weft_params_plain(&s.params);
  weft_solver *solver = rig_solver(s.model, &s.params, weft_backend_cpu(1));
  rig_scene_step(&s, solver, (uint32_t)frames);
  assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
  weft_solver_destroy(solver);
  weft_scene_free(&s);
  return m.strain_threads_p99;
}

static void the_duel_is_won(void **state) {
  (void)state;
  const int looks[] = {30, 90, 160};
  for (int k = 0; k < 3; ++k) {
    double plain = duel_strain(true, looks[k]), own = duel_strain(false, looks[k]);
    if (own > 0.03 || plain < 5 * own) {
      fail_msg("frame %d: strain %.3g under a plain sweep, %.3g of its own", looks[k], plain, own);
    }
  }
}

static void same_options_give_the_same_bits_and_another_seed_others(void **state) {
  (void)state;
  uint64_t hashes[3];
  const uint64_t seeds[3] = {1, 1, 2};
  for (int k = 0; k < 3; ++k) {
    weft_scene_instance scene;
    weft_solver *solver;
    make("drape", &(weft_scene_options){.size = 16, .seed = seeds[k]}, &scene, &solver);
    rig_scene_step(&scene, solver, 10);
    hashes[k] = rig_hash(solver);
    weft_solver_destroy(solver);
    weft_scene_free(&scene);
  }
  assert_true(hashes[0] == hashes[1]);
  assert_true(hashes[0] != hashes[2]);
}

static void given_pins_replace_the_scenes_own(void **state) {
  (void)state;
  weft_pin none = {.rule = WEFT_PIN_NONE};
  for (uint32_t s = 0; weft_scene_at(s); ++s) {
    if (!(weft_scene_at(s)->uses & WEFT_SCENE_CLOTH)) continue;
    weft_scene_instance scene;
    weft_solver *solver;
    weft_scene_options options = {.size = 12, .pins = &none, .pin_count = 1};
    make(weft_scene_at(s)->name, &options, &scene, &solver);
    assert_int_equal(weft_model_pinned_count(scene.model), 0);
    assert_null(scene.animate);
    rig_scene_step(&scene, solver, 2);
    weft_solver_destroy(solver);
    weft_scene_free(&scene);
  }
}

/* ---- what their names say ---- */

static void drape_covers_the_sphere_and_reaches_the_ground(void **state) {
  (void)state;
  weft_scene_instance scene;
  weft_solver *solver;
  make("drape", &(weft_scene_options){.size = 40}, &scene, &solver);
  rig_scene_step(&scene, solver, 120);
  weft_metrics m;
  assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
  assert_true(m.box_max.y > 0.68f && m.box_max.y < 0.7f); /* the top of the sphere */
  assert_true(m.box_min.y < 0.02f);
  assert_true(m.max_speed < 1);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
}

static void flag_streams_downwind(void **state) {
  (void)state;
  weft_scene_instance scene;
  weft_solver *solver;
  make("flag", &(weft_scene_options){.size = 24}, &scene, &solver);
  rig_scene_step(&scene, solver, 150);
  weft_vec3 *x = positions_of(solver);
  uint32_t n = scene.mesh.grid_columns;
  double mean = 0;
  for (uint32_t row = 0; row < n; ++row) mean += (double)x[row * n + n - 1].x / n;
  assert_true(mean > 0.7); /* still air would let it hang by the pole, below 0.5 */
  weft_free(x);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
}

/* Walks along a row in the middle and counts how often the cloth crosses from one side of the
 * curtain to the other by more than a centimetre. */
static void curtain_is_drawn_into_folds(void **state) {
  (void)state;
  weft_scene_instance scene;
  weft_solver *solver;
  make("curtain", &(weft_scene_options){.size = 64}, &scene, &solver);
  rig_scene_step(&scene, solver, 110); /* the ball comes later */
  weft_vec3 *x = positions_of(solver);
  uint32_t n = scene.mesh.grid_columns, row = n / 4;
  float width = x[n - 1].x - x[0].x;
  assert_true(fabsf(width - 1.2f) < 0.01f);
  float mean = 0;
  for (uint32_t c = 0; c < n; ++c) mean += x[row * n + c].z / (float)n;
  int folds = 0, side = 0;
  for (uint32_t c = 0; c < n; ++c) {
    float z = x[row * n + c].z - mean;
    int now = z > 0.01f ? 1 : z < -0.01f ? -1 : side;
    folds += side && now != side;
    side = now;
  }
  assert_in_range(folds, 6, 30);
  weft_free(x);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
}

/* No foot goes into the ground, and at every key one of them is on it. */
static void a_foot_stands_on_the_ground(void **state) {
  (void)state;
  weft_scene_instance scene;
  weft_solver *solver;
  make("skirt", &(weft_scene_options){.size = 8}, &scene, &solver);
  const weft_collider *first = NULL;
  for (uint32_t k = 0; !first; ++k) {
    if (scene.params.colliders[k].keys) first = &scene.params.colliders[k];
  }
  assert_true(first->key_count > 60);
  for (uint32_t key = 0; key < first->key_count; ++key) {
    float lowest = 1;
    for (uint32_t k = 0; k < scene.params.collider_count; ++k) {
      const weft_collider *c = &scene.params.colliders[k];
      if (c->shape != WEFT_COLLIDER_CAPSULE) continue;
      lowest = fminf(lowest, fminf(c->keys[key].a.y, c->keys[key].b.y) - c->radius);
    }
    assert_true(fabsf(lowest) < 1e-6f);
  }
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
}

/* A hook freed while the curtain is drawn falls, the others go on as if nothing were; pinned again,
 * it stays where it is put. */
static void a_pin_let_go_is_moved_no_more(void **state) {
  (void)state;
  weft_scene_instance scene;
  weft_solver *solver, *freed = NULL, *again = NULL;
  weft_model *without, *with;
  weft_error err = {0};
  make("curtain", &(weft_scene_options){.size = 29}, &scene, &solver);
  rig_scene_step(&scene, solver, 10);
  const uint32_t hook = 0, other = 28;
  assert_true(weft_scene_leads(&scene, hook));
  assert_false(weft_scene_leads(&scene, 29));
  weft_scene_let_go(&scene, hook);
  assert_false(weft_scene_leads(&scene, hook));
  if (weft_model_with_pins(scene.model, &hook, 1, false, &without, &err) ||
      weft_solver_create(without, weft_solver_params(solver), weft_backend_ref(), &freed, &err) ||
      weft_solver_copy_state_from(freed, solver, &err)) {
    fail_msg("%s", err.message);
  }
  rig_scene_step(&scene, freed, 30);
  weft_vec3 *x = positions_of(freed), rest = weft_model_rest_positions(scene.model)[hook];
  assert_true(fabsf(x[hook].z - rest.z) > 0.02f); /* led, it would not leave the rail */
  assert_true(x[other].x < -rest.x * 0.95f);      /* drawn in */
  if (weft_model_with_pins(without, &hook, 1, true, &with, &err) ||
      weft_solver_create(with, weft_solver_params(solver), weft_backend_ref(), &again, &err) ||
      weft_solver_copy_state_from(again, freed, &err)) {
    fail_msg("%s", err.message);
  }
  rig_scene_step(&scene, again, 10);
  weft_vec3 *end = positions_of(again);
  assert_memory_equal(&end[hook], &x[hook], sizeof *x);
  assert_true(end[other].x < x[other].x);
  weft_free(x);
  weft_free(end);
  weft_solver_destroy(solver);
  weft_solver_destroy(freed);
  weft_solver_destroy(again);
  weft_model_destroy(without);
  weft_model_destroy(with);
  weft_scene_free(&scene);
}

static void skirt_turns_with_the_waist(void **state) {
  (void)state;
  weft_scene_instance scene;
  weft_solver *solver;
  make("skirt", &(weft_scene_options){.size = 24}, &scene, &solver);
  rig_scene_step(&scene, solver, 70); /* 1.17 s: turned to one side, in the middle of a stride */
  weft_vec3 *x = positions_of(solver);
  const weft_vec3 *rest = weft_model_rest_positions(scene.model);
  /* Particle 0 is on the waist: same radius, turned by a good angle, and down with the hips, which
   * come lower in a stride. */
  double radius = hypot((double)x[0].x, (double)x[0].z);
  assert_true(fabs(radius - hypot((double)rest[0].x, (double)rest[0].z)) < 1e-5);
  double turned = acos(((double)x[0].x * (double)rest[0].x + (double)x[0].z * (double)rest[0].z) /
                       (radius * radius));
  assert_true(turned > 0.2);
  assert_true(x[0].y < rest[0].y - 0.01f && x[0].y > rest[0].y - 0.06f);
  weft_free(x);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
}

/* The same scene with a ball that stands still: the spinning one drags the sheet further. */
static void tumble_is_dragged_along_by_its_ball(void **state) {
  (void)state;
  double centre[2];
  for (int k = 0; k < 2; ++k) {
    weft_scene_instance scene;
    weft_solver *solver;
    make("tumble", &(weft_scene_options){.size = 32}, &scene, &solver);
    weft_solver_destroy(solver);
    weft_collider *ball = &scene.colliders[2];
    assert_int_equal(ball->shape, WEFT_COLLIDER_SPHERE);
    if (k) {
      ball->a = ball->keys[0].a;
      ball->key_count = 0;
    }
    weft_error err = {0};
    assert_int_equal(
        weft_solver_create(scene.model, &scene.params, weft_backend_ref(), &solver, &err), WEFT_OK);
    rig_scene_step(&scene, solver, 75);
    weft_metrics m;
    assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
    centre[k] = (double)(m.box_min.x + m.box_max.x) / 2;
    weft_solver_destroy(solver);
    weft_scene_free(&scene);
  }
  assert_true(centre[0] - centre[1] > 0.02); /* its top runs towards +x */
}

static void poncho_comes_to_rest_on_the_shoulders(void **state) {
  (void)state;
  weft_scene_instance scene;
  weft_solver *solver;
  make("poncho", &(weft_scene_options){.size = 40}, &scene, &solver);
  rig_scene_step(&scene, solver, 120);
  weft_metrics m;
  assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
  assert_true(m.box_max.y > 1.38f && m.box_max.y < 1.5f);
  assert_true(m.box_min.y > 0.5f); /* not on the ground */
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
}

/* ---- imported meshes ---- */

static void a_mesh_hangs_alike_at_any_scale(void **state) {
  (void)state;
  static const float scales[] = {0.1f, 1, 10};
  for (size_t k = 0; k < 3; ++k) {
    weft_mesh mesh;
    weft_error err = {0};
    weft_grid_desc grid = {.rows = 12, .columns = 12, .width = scales[k], .height = scales[k]};
    assert_int_equal(weft_mesh_grid(&grid, &mesh, &err), WEFT_OK);
    mesh.grid_rows = mesh.grid_columns = 0; /* as if imported */
    weft_scene_instance scene;
    const weft_scene_options options = {.ground = WEFT_GROUND_ON};
    if (weft_scene_from_mesh("cloth.obj", &mesh, &options, &scene, &err)) {
      fail_msg("%s", err.message);
    }
    assert_int_equal(mesh.vertex_count, 0); /* taken over */
    assert_string_equal(scene.name, "cloth.obj");
    assert_int_equal(weft_model_pinned_count(scene.model), 12);
    assert_true(fabsf(scene.view_radius / scales[k] - 0.78f) < 0.05f);
    assert_true(scene.ground && scene.colliders[0].a.y < -0.5f * scales[k]);
    weft_solver *solver;
    assert_int_equal(
        weft_solver_create(scene.model, &scene.params, weft_backend_ref(), &solver, &err), WEFT_OK);
    rig_scene_step(&scene, solver, 20);
    weft_metrics m;
    assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
    assert_int_equal(m.nonfinite, 0);
    assert_true(m.strain_p99 < 0.2);
    weft_solver_destroy(solver);
    weft_scene_free(&scene);
  }
}

static void a_mesh_lying_flat_is_held_at_two_corners(void **state) {
  (void)state;
  weft_mesh mesh;
  weft_grid_desc grid = {.rows = 8, .columns = 8, .plane = WEFT_PLANE_XZ};
  assert_int_equal(weft_mesh_grid(&grid, &mesh, NULL), WEFT_OK);
  mesh.grid_rows = mesh.grid_columns = 0;
  weft_scene_instance scene;
  assert_int_equal(weft_scene_from_mesh("flat", &mesh, NULL, &scene, NULL), WEFT_OK);
  assert_int_equal(weft_model_pinned_count(scene.model), 2);
  assert_false(scene.ground);
  assert_int_equal(scene.params.collider_count, 0);
  weft_scene_free(&scene);
}

/* All scenes of cloth and particles: their ground where it is asked for, or none. */
static void every_scene_has_the_ground_that_is_asked_for(void **state) {
  (void)state;
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    for (weft_scene_ground asked = WEFT_GROUND_OWN; asked <= WEFT_GROUND_AT; ++asked) {
      const weft_scene_options options = {
          .size = 8, .plain = true, .ground = asked, .ground_height = -0.25f};
      weft_scene_instance scene;
      weft_error err = {0};
      if (weft_scene_make(weft_scene_at(k), &options, &scene, &err)) fail_msg("%s", err.message);
      uint32_t level = 0;
      for (uint32_t c = 0; c < scene.params.collider_count; ++c) {
        if (scene.colliders[c].shape != WEFT_COLLIDER_PLANE) continue;
        assert_true(scene.colliders[c].a.y == (asked == WEFT_GROUND_AT ? -0.25f : 0));
        ++level;
      }
      if (asked == WEFT_GROUND_OWN) assert_true(level <= 1);
      if (asked != WEFT_GROUND_OWN) assert_int_equal(level, asked != WEFT_GROUND_OFF);
      if (asked != WEFT_GROUND_OWN) assert_int_equal(scene.ground, asked != WEFT_GROUND_OFF);
      weft_scene_free(&scene);
    }
  }
}

static void an_empty_mesh_is_refused_by_name(void **state) {
  (void)state;
  weft_mesh mesh = {0};
  weft_error err = {0};
  weft_scene_instance scene;
  assert_int_equal(weft_scene_from_mesh("void.obj", &mesh, NULL, &scene, &err), WEFT_ERROR_MESH);
  assert_non_null(strstr(err.message, "void.obj"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_those_documented),
      cmocka_unit_test(size_sets_the_number_of_particles),
      cmocka_unit_test(sizes_out_of_range_are_refused),
      cmocka_unit_test(every_scene_starts_clear_of_its_colliders),
      cmocka_unit_test(every_scene_stays_finite_single_and_outside),
      cmocka_unit_test(the_duel_is_won),
      cmocka_unit_test(same_options_give_the_same_bits_and_another_seed_others),
      cmocka_unit_test(given_pins_replace_the_scenes_own),
      cmocka_unit_test(drape_covers_the_sphere_and_reaches_the_ground),
      cmocka_unit_test(flag_streams_downwind),
      cmocka_unit_test(curtain_is_drawn_into_folds),
      cmocka_unit_test(a_foot_stands_on_the_ground),
      cmocka_unit_test(a_pin_let_go_is_moved_no_more),
      cmocka_unit_test(skirt_turns_with_the_waist),
      cmocka_unit_test(tumble_is_dragged_along_by_its_ball),
      cmocka_unit_test(poncho_comes_to_rest_on_the_shoulders),
      cmocka_unit_test(a_mesh_hangs_alike_at_any_scale),
      cmocka_unit_test(a_mesh_lying_flat_is_held_at_two_corners),
      cmocka_unit_test(every_scene_has_the_ground_that_is_asked_for),
      cmocka_unit_test(an_empty_mesh_is_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
