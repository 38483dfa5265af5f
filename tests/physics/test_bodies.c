/* Bodies of triangles: cloth never passes through them, still or moving, on any backend, with the
 * same bits; what stands still costs nothing and changes nothing; a ball of triangles drapes as the
 * shape does; meshes made by others; what is refused. */
#include <math.h>
#include <stdio.h>
#include <weft_kit/import.h>

#include "../refuses.h"
#include "rig.h"
/* after rig.h */
#include "ball.h"
#include "cpu.h"
#include "intersections.h"

static void free_ball(weft_mesh *mesh) { weft_mesh_free(mesh); }

/* ---- a cloth and its bodies ---- */

typedef struct scene {
  weft_mesh meshes[2];
  weft_body bodies[2];
  weft_model *model;
  weft_params params;
} scene;

static weft_model *sheet_at(uint32_t side, float width, weft_vec3 centre) {
  weft_mesh mesh = rig_grid(&(weft_grid_desc){.rows = side,
                                              .columns = side,
                                              .width = width,
                                              .height = width,
                                              .plane = WEFT_PLANE_XZ,
                                              .centre = centre});
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    mesh.positions[i].y += 0.004f * sinf(9 * mesh.positions[i].x + 5 * mesh.positions[i].z);
  }
  weft_model *model =
      rig_preprocess(&(weft_model_desc){.mesh = &mesh, .material = weft_material_find("tshirt")});
  weft_mesh_free(&mesh);
  return model;
}

/* A sheet above two balls, side by side and far from even. */
static void open_scene(scene *s) {
  *s = (scene){.meshes = {ball(14, 22, 0.15f, weft_v3(-0.05f, 0, 0.02f)),
                          ball(9, 12, 0.08f, weft_v3(0.16f, 0.05f, -0.06f))}};
  s->bodies[0] =
      (weft_body){.mesh = &s->meshes[0], .friction_static = 0.5f, .friction_dynamic = 0.4f};
  s->bodies[1] = (weft_body){.mesh = &s->meshes[1],
                             .friction_static = 0.1f,
                             .friction_dynamic = 0.1f,
                             .thickness = 0.005f};
  s->model = sheet_at(20, 0.6f, weft_v3(0, 0.17f, 0));
  s->params = (weft_params){.substeps = 12,
                            .self_static = 0.3f,
                            .self_dynamic = 0.2f,
                            .bodies = s->bodies,
                            .body_count = 2};
}

static void close_scene(scene *s) {
  weft_model_destroy(s->model);
  free_ball(&s->meshes[0]);
  free_ball(&s->meshes[1]);
}

/* Where the first body is at the end of a frame: it comes up, turns, and stops. */
static void lead(const scene *s, weft_solver *solver, uint32_t frame, uint32_t until) {
  const weft_mesh *mesh = &s->meshes[0];
  weft_vec3 *to = weft_alloc(mesh->vertex_count, sizeof *to);
  weft_error err = {0};
  float t = (float)(frame < until ? frame : until) / 60, turn = 4 * t;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    weft_vec3 p = mesh->positions[i];
    to[i] = weft_v3(p.x * cosf(turn) + p.z * sinf(turn), p.y + 1.5f * t,
                    p.z * cosf(turn) - p.x * sinf(turn));
  }
  if (frame <= until) {
    assert_int_equal(weft_solver_move_body(solver, 0, to, &err), WEFT_OK);
  }
  weft_free(to);
}

/* ---- intersections, by the counter that knows nothing of the solver ---- */

typedef struct crossings {
  uint64_t cloth, with_bodies;
} crossings;

static crossings count(weft_solver *solver) {
  const weft_model *model = weft_solver_model(solver);
  const weft_bodies bodies = weft_bodies_of(weft_solver_params(solver));
  uint32_t n = model->particle_count, t = model->triangle_count;
  weft_vec3 *x = weft_alloc((size_t)n + bodies.particles, sizeof *x);
  uint32_t *corners = weft_alloc(3 * ((size_t)t + bodies.triangles), sizeof *corners);
  weft_error err = {0};
  assert_int_equal(weft_solver_read(solver, x, NULL, &err), WEFT_OK);
  memcpy(corners, model->triangles, 3 * (size_t)t * sizeof *corners);
  uint32_t first = n, *next = corners + 3 * (size_t)t;
  for (uint32_t b = 0; b < bodies.count; ++b) {
    const weft_mesh *mesh = bodies.items[b].mesh;
    assert_int_equal(weft_solver_read_body(solver, b, x + first, &err), WEFT_OK);
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
      *next++ = mesh->triangles[c] + first;
    }
    first += mesh->vertex_count;
  }
  weft_intersections found[2];
  assert_int_equal(
      weft_count_intersections_with(x, first, corners, t + bodies.triangles, t, NULL, found, &err),
      WEFT_OK);
  weft_free(x);
  weft_free(corners);
  return (crossings){found[0].triangle_pairs, found[1].triangle_pairs};
}

static void is_apart(weft_solver *solver, const char *what, uint32_t frame) {
  crossings now = count(solver);
  if (now.cloth == 0 && now.with_bodies == 0) return;
  fail_msg("%s, frame %u: %llu pairs of cloth intersect, %llu with bodies", what, frame,
           (unsigned long long)now.cloth, (unsigned long long)now.with_bodies);
}

/* ---- bits ---- */

enum { FRAMES = 24, UNTIL = 12 };

/* Positions of all bodies are part of it. */
static uint64_t hash_of(weft_solver *solver) {
  uint64_t hash = rig_hash(solver);
  weft_error err = {0};
  const weft_params *p = weft_solver_params(solver);
  for (uint32_t b = 0; b < p->body_count; ++b) {
    uint32_t n = p->bodies[b].mesh->vertex_count;
    weft_vec3 *x = weft_alloc(n, sizeof *x);
    assert_int_equal(weft_solver_read_body(solver, b, x, &err), WEFT_OK);
    hash = weft_hash_bytes(hash, x, n * sizeof *x);
    weft_free(x);
  }
  return hash;
}

static uint64_t run(const scene *s, const weft_backend *backend, uint32_t until,
                    weft_metrics *metrics) {
  weft_solver *solver = rig_solver(s->model, &s->params, backend);
  weft_error err = {0};
  for (uint32_t f = 1; f <= FRAMES; ++f) {
    if (until) lead(s, solver, f, until);
    rig_step(solver, 1);
  }
  assert_int_equal(weft_solver_metrics(solver, metrics, &err), WEFT_OK);
  uint64_t hash = hash_of(solver);
  weft_solver_destroy(solver);
  return hash;
}

static void every_backend_has_the_same_bits(void **state) {
  const weft_cpu_desc descs[] = {{.threads = 1, .tile = 200},
                                 {.threads = 2, .exactly = true, .tile = 200},
                                 {.threads = 3, .exactly = true, .lanes = weft_lanes_usable(4)},
                                 {.threads = 2, .exactly = true, .plain = true}};
  enum { ON_CPU = sizeof descs / sizeof *descs };
  scene s;
  open_scene(&s);
  for (uint32_t until = 0; until <= UNTIL; until += UNTIL) {
    weft_metrics m, other;
    uint64_t expected = run(&s, weft_backend_ref(), until, &m);
    assert_true(m.self_pairs > 100);
    for (int b = 0; b <= ON_CPU; ++b) {
      if (b == ON_CPU && !rig_gl_context) continue;
      weft_backend on_cpu = b < ON_CPU ? weft_cpu_backend_of(&descs[b]) : (weft_backend){0};
      const weft_backend *backend = b < ON_CPU ? &on_cpu : rig_backend(state);
      if (run(&s, backend, until, &other) != expected) {
        fail_msg("%s, place %d: other bits on %s", until ? "moving" : "still", b,
                 weft_backend_name(backend));
      }
      assert_int_equal(m.self_pairs, other.self_pairs);
      assert_int_equal(m.self_driven, other.self_driven);
    }
  }
  close_scene(&s);
}

/* Boxes of what stands still are not made anew on cpu: nobody may see it. */
static void a_body_told_to_stay_is_one_that_stands_still(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  const weft_cpu_desc desc = {.threads = 2, .exactly = true};
  const weft_backend cpu = weft_cpu_backend_of(&desc);
  weft_metrics m;
  uint64_t still = run(&s, &cpu, 0, &m);
  weft_solver *solver = rig_solver(s.model, &s.params, &cpu);
  weft_error err = {0};
  for (uint32_t f = 0; f < FRAMES; ++f) {
    for (uint32_t b = 0; b < 2; ++b) {
      assert_int_equal(weft_solver_move_body(solver, b, s.meshes[b].positions, &err), WEFT_OK);
    }
    rig_step(solver, 1);
  }
  assert_true(hash_of(solver) == still);
  weft_solver_destroy(solver);
  close_scene(&s);
}

static void a_reset_solver_and_one_that_takes_over_go_the_same_way(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  weft_solver *a = rig_solver(s.model, &s.params, weft_backend_cpu(1));
  weft_solver *b = rig_solver(s.model, &s.params, weft_backend_ref());
  weft_error err = {0};
  for (uint32_t f = 1; f <= 8; ++f) {
    lead(&s, a, f, UNTIL);
    rig_step(a, 1);
  }
  assert_int_equal(weft_solver_copy_state_from(b, a, &err), WEFT_OK);
  for (uint32_t f = 9; f <= FRAMES; ++f) {
    lead(&s, a, f, UNTIL);
    lead(&s, b, f, UNTIL);
    rig_step(a, 1);
    rig_step(b, 1);
  }
  uint64_t end = hash_of(a);
  assert_true(hash_of(b) == end);
  assert_int_equal(weft_solver_reset(a, &err), WEFT_OK);
  for (uint32_t f = 1; f <= FRAMES; ++f) {
    lead(&s, a, f, UNTIL);
    rig_step(a, 1);
  }
  assert_true(hash_of(a) == end);
  weft_solver_destroy(a);
  weft_solver_destroy(b);
  close_scene(&s);
}

/* ---- what cloth may and may not do ---- */

static bool is_where_it_was_told(const scene *s, weft_solver *solver, uint32_t frame) {
  const weft_mesh *mesh = &s->meshes[0];
  weft_vec3 *x = weft_alloc(mesh->vertex_count, sizeof *x);
  weft_error err = {0};
  float t = (float)frame / 60, turn = 4 * t, off = 0;
  assert_int_equal(weft_solver_read_body(solver, 0, x, &err), WEFT_OK);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    weft_vec3 p = mesh->positions[i];
    weft_vec3 to = weft_v3(p.x * cosf(turn) + p.z * sinf(turn), p.y + 1.5f * t,
                           p.z * cosf(turn) - p.x * sinf(turn));
    off = fmaxf(off, weft_v3_length(weft_v3_sub(to, x[i])));
  }
  weft_free(x);
  return off < 1e-6f;
}

static void cloth_stays_out_of_bodies(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  weft_solver *solver = rig_solver(s.model, &s.params, weft_backend_cpu(0));
  for (uint32_t f = 1; f <= 2 * FRAMES; ++f) {
    lead(&s, solver, f, UNTIL);
    rig_step(solver, 1);
    is_apart(solver, "a ball that comes up under a sheet", f);
  }
  assert_true(is_where_it_was_told(&s, solver, UNTIL));
  weft_solver_destroy(solver);
  close_scene(&s);
}

/* At ten times the thickness a substep, with nothing but the limit. */
static void not_at_any_speed(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  s.params.no_self_pushes = true;
  weft_solver *solver = rig_solver(s.model, &s.params, weft_backend_cpu(0));
  weft_error err = {0};
  const weft_mesh *mesh = &s.meshes[0];
  weft_vec3 *to = weft_alloc(mesh->vertex_count, sizeof *to);
  for (uint32_t f = 1; f <= 10; ++f) {
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      to[i] = mesh->positions[i];
      to[i].y += 0.4f * (float)(f % 2); /* 24 m/s, up and down */
    }
    assert_int_equal(weft_solver_move_body(solver, 0, to, &err), WEFT_OK);
    rig_step(solver, 1);
    is_apart(solver, "a ball that strikes", f);
  }
  weft_free(to);
  weft_solver_destroy(solver);
  close_scene(&s);
}

/* ---- a body of a finer mesh than the cloth ---- */

/* A plate with a peak in its middle, so high. */
static void raise(weft_vec3 *x, const weft_mesh *plate, float height) {
  for (uint32_t i = 0; i < plate->vertex_count; ++i) {
    weft_vec3 p = plate->positions[i];
    float off = sqrtf(p.x * p.x + p.z * p.z) / 0.025f;
    x[i] = weft_v3(p.x, p.y + height * fmaxf(0, 1 - off), p.z);
  }
}

/* Coarse cloth lies on a fine plate, dozens of pairs a particle, and is pinned about it. One place
 * of the plate comes up: the cloth goes out of its way, though all other pairs say that it is well
 * where it is. */
static void many_shallow_pairs_do_not_hold_a_deep_one(void **state) {
  (void)state;
  enum { SIDE = 25, FRAMES_UP = 4 };
  weft_mesh plate = rig_grid(&(weft_grid_desc){
      .rows = SIDE, .columns = SIDE, .width = 0.3f, .height = 0.3f, .plane = WEFT_PLANE_XZ});
  const weft_body body = {.mesh = &plate, .friction_static = 0.4f, .friction_dynamic = 0.3f};
  weft_model *model = sheet_at(6, 0.3f, weft_v3(0.01f, 0.0085f, 0.004f));
  const weft_params params = {.bodies = &body, .body_count = 1, .self_room = 64, .damping = 0.5f};
  weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
  weft_vec3 *to = weft_alloc(plate.vertex_count, sizeof *to);
  weft_error err = {0};
  weft_metrics m;
  double late = 0;
  rig_step(solver, 30);
  for (uint32_t f = 1; f <= FRAMES_UP; ++f) {
    raise(to, &plate, 0.05f * (float)f); /* 3 m/s */
    assert_int_equal(weft_solver_move_body(solver, 0, to, &err), WEFT_OK);
    rig_step(solver, 1);
    is_apart(solver, "a peak below a sheet", f);
    assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
    assert_int_equal(m.self_overflows, 0);
    late = fmax(late, m.body_held_most);
  }
  print_message("a peak of %u vertices is held back by %.3g mm at most\n", SIDE * SIDE, 1e3 * late);
  assert_true(late < 1e-4);
  weft_free(to);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_mesh_free(&plate);
}

/* ---- a ball of 20,000 triangles and the shape ---- */

static float drape(bool triangles, weft_vec3 *x) {
  enum { RINGS = 72, SEGMENTS = 142, SIDE = 24 };
  const float radius = 0.2f, thickness = 0.003f;
  weft_mesh mesh = ball(RINGS, SEGMENTS, radius, weft_v3(0, 0, 0));
  assert_true(mesh.triangle_count > 20000);
  const weft_body body = {.mesh = &mesh, .friction_static = 0.6f, .friction_dynamic = 0.6f};
  const weft_collider shape = {.shape = WEFT_COLLIDER_SPHERE,
                               .radius = radius,
                               .friction_static = 0.6f,
                               .friction_dynamic = 0.6f};
  weft_model *model = sheet_at(SIDE, 0.3f, weft_v3(0, radius + 0.008f, 0));
  weft_params params = {
      .self_collision = true, .self_thickness = thickness, .thickness = thickness, .damping = 2};
  if (triangles) params.bodies = &body, params.body_count = 1;
  if (!triangles) params.colliders = &shape, params.collider_count = 1;
  weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
  weft_error err = {0};
  rig_step(solver, 90);
  assert_int_equal(weft_solver_read(solver, x, NULL, &err), WEFT_OK);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_mesh_free(&mesh);
  float chord = 1 - cosf(3.14159265f / RINGS); /* of the radius */
  return radius * chord + thickness;
}

static void a_ball_of_triangles_is_a_ball(void **state) {
  enum { SIDE = 24, N = SIDE * SIDE };
  (void)state;
  weft_vec3 a[N], b[N];
  float allowed = drape(true, a), worst = 0, highest = 0;
  drape(false, b);
  for (uint32_t i = 0; i < N; ++i) {
    float across = (float)(i % SIDE) / (SIDE - 1) - 0.5f;
    float along = (float)(i / SIDE) / (SIDE - 1) - 0.5f;
    if (across * across + along * along > 0.03f) continue; /* what hangs down folds as it likes */
    worst = fmaxf(worst, fabsf(weft_v3_length(a[i]) - weft_v3_length(b[i])));
    highest = fmaxf(highest, weft_v3_length(a[i]));
  }
  print_message("distance from the middle differs by %.3g m at most, allowed %.3g m\n",
                (double)worst, (double)allowed);
  print_message("its triangles keep it up to %.4g m from there\n", (double)highest);
  assert_true(highest < 0.2f + 2 * 0.003f); /* it lies on the ball */
  assert_true(worst < allowed);
}

/* ---- meshes made by others ---- */

static bool read_mesh(const char *name, const char *groups, weft_mesh *mesh) {
  char path[400];
  weft_error err = {0};
  snprintf(path, sizeof path, WEFT_MESH_DIR "/%s", name);
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  fclose(file);
  if (weft_mesh_import(path, &(weft_import_desc){.groups = groups}, mesh, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  return true;
}

static void dress(const char *cloth, const char *body, float scale, weft_vec3 by, uint32_t frames) {
  weft_mesh c = {0}, b = {0};
  if (!read_mesh(cloth, NULL, &c) || !read_mesh(body, NULL, &b)) {
    weft_mesh_free(&c);
    print_message("%s is not there\n", cloth);
    skip();
  }
  for (uint32_t i = 0; i < c.vertex_count; ++i) {
    c.positions[i] = weft_v3_add(weft_v3_scale(c.positions[i], scale), by);
  }
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &c});
  const weft_body under = {.mesh = &b, .friction_static = 0.4f, .friction_dynamic = 0.3f};
  const weft_params params = {.bodies = &under, .body_count = 1, .damping = 0.5f};
  weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
  for (uint32_t f = 1; f <= frames; ++f) {
    rig_step(solver, 1);
    is_apart(solver, body, f);
  }
  weft_metrics m;
  weft_error err = {0};
  assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
  assert_int_equal(m.self_tangled, 0);
  assert_int_equal(m.self_overflows, 0);
  assert_true(m.self_pairs > 100);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_mesh_free(&c);
  weft_mesh_free(&b);
}

static void a_shirt_falls_on_a_dog(void **state) {
  (void)state;
  dress("garments/diffcloth_tshirt1900.obj", "bodies/mujoco_spot.obj", 0.1f, weft_v3(0, 0.9f, 0.2f),
        30);
}

static void a_tablecloth_lies_on_a_table(void **state) {
  (void)state;
  dress("cloth/cipc_tableCloth.obj", "bodies/cipc_table.obj", 1, weft_v3(0, 0, 0), 6);
}

static void a_skirt_hangs_on_a_woman(void **state) {
  (void)state;
  dress("animated/makehuman_skirt.obj", "animated/makehuman_walk_rest.obj", 1, weft_v3(0, 0, 0),
        20);
}

/* ---- tangled starts, and what is refused ---- */

static void a_tangled_start_is_counted_and_stays_with_itself(void **state) {
  (void)state;
  weft_mesh in_it = ball(10, 16, 0.1f, weft_v3(0, 0.165f, 0));
  const weft_body body = {.mesh = &in_it};
  weft_model *model = sheet_at(16, 0.5f, weft_v3(0, 0.17f, 0));
  const weft_params params = {.bodies = &body, .body_count = 1};
  weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(1));
  weft_metrics m;
  weft_error err = {0};
  rig_step(solver, 2);
  assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
  assert_true(m.self_tangled > 10);
  assert_true(m.self_tangled < model->triangle_count / 2);
  assert_int_equal(count(solver).cloth, 0);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_mesh_free(&in_it);
}

static void bad_bodies_are_refused(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  weft_solver *solver = NULL;
  weft_params p = s.params;
  weft_body bad[2] = {s.bodies[0], s.bodies[1]};
  p.bodies = bad;
  bad[1].friction_static = -1;
  REFUSES("static friction of body 1 is -1",
          weft_solver_create(s.model, &p, weft_backend_ref(), &solver, E));
  bad[1] = s.bodies[1];
  p.body_count = 65;
  REFUSES("65 bodies, at most 64", weft_solver_create(s.model, &p, weft_backend_ref(), &solver, E));
  p.body_count = 2;
  weft_error err = {0};
  weft_mesh empty = {0};
  bad[0].mesh = &empty;
  assert_int_equal(weft_solver_create(s.model, &p, weft_backend_ref(), &solver, &err),
                   WEFT_ERROR_MESH);
  assert_string_equal(err.message, "body 0 has no triangles");
  bad[0] = s.bodies[0];
  weft_vec3 kept = s.meshes[0].positions[5];
  s.meshes[0].positions[5].y = NAN;
  assert_int_equal(weft_solver_create(s.model, &p, weft_backend_ref(), &solver, &err),
                   WEFT_ERROR_NOT_FINITE);
  assert_string_equal(err.message, "vertex 5 of body 0 is not finite");
  s.meshes[0].positions[5] = kept;
  const weft_model *twice[] = {s.model, s.model};
  weft_model *joined = NULL;
  assert_int_equal(weft_model_join(twice, 2, &joined, &err), WEFT_OK);
  REFUSES("joined models", weft_solver_create(joined, &p, weft_backend_ref(), &solver, E));
  weft_model_destroy(joined);
  solver = rig_solver(s.model, &s.params, weft_backend_ref());
  REFUSES("body 2 does not exist, the solver has 2",
          weft_solver_move_body(solver, 2, s.meshes[0].positions, E));
  s.meshes[0].positions[5].x = INFINITY;
  assert_int_equal(weft_solver_move_body(solver, 0, s.meshes[0].positions, &err),
                   WEFT_ERROR_NOT_FINITE);
  s.meshes[0].positions[5] = kept;
  weft_solver_destroy(solver);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_shallow_pairs_do_not_hold_a_deep_one),
      cmocka_unit_test(a_ball_of_triangles_is_a_ball),
      {"every_backend_has_the_same_bits", every_backend_has_the_same_bits, NULL, NULL,
       &rig_places[1]},
      cmocka_unit_test(a_body_told_to_stay_is_one_that_stands_still),
      cmocka_unit_test(a_reset_solver_and_one_that_takes_over_go_the_same_way),
      cmocka_unit_test(cloth_stays_out_of_bodies),
      cmocka_unit_test(not_at_any_speed),
      cmocka_unit_test(a_shirt_falls_on_a_dog),
      cmocka_unit_test(a_tablecloth_lies_on_a_table),
      cmocka_unit_test(a_skirt_hangs_on_a_woman),
      cmocka_unit_test(a_tangled_start_is_counted_and_stays_with_itself),
      cmocka_unit_test(bad_bodies_are_refused),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
