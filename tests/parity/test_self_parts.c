/* Self-collision of joined models: each part goes as it goes alone, bit for bit, on every backend:
 * also beside a part of another thickness or far from the origin, beside one that rests for want of
 * room, where pins are held back, and where shapes hold edges and faces. Metrics are sums, and a
 * tangled part is named. */
#include "../physics/rig.h"
/* after rig.h */
#include "cpu.h"

enum { PARTS = 3, SIDE = 12, PARTICLES = SIDE * SIDE, FRAMES = 60 };

/* ---- parts ---- */

/* A sheet, and how fast its particles are at the start. */
typedef struct sheet {
  weft_plane plane;
  float side, softness; /* m; compliances are times this */
  weft_vec3 centre;
  float speed; /* m/s */
} sheet;

/* Three that collide with themselves in different ways: the second is so fine that it is thinner,
 * the third so far out that floats tell less apart there, though not so far that alone it would
 * have an origin of its own. */
static const sheet unlike[PARTS] = {{WEFT_PLANE_XY, 0.3f, 1, {0, 0.16f, 0}, 0.5f},
                                    {WEFT_PLANE_XY, 0.05f, 30, {0.1f, 0.03f, 0}, 0.3f},
                                    {WEFT_PLANE_XY, 0.25f, 5, {0.55f, 0.14f, 0}, 0.8f}};

/* The second lies and has nothing to do with itself. */
static const sheet one_lies[PARTS] = {{WEFT_PLANE_XY, 0.3f, 1, {0, 0.16f, 0}, 0.5f},
                                      {WEFT_PLANE_XZ, 0.3f, 1, {0, 0.02f, 0}, 0},
                                      {WEFT_PLANE_XY, 0.25f, 5, {0.5f, 0.14f, 0}, 0.8f}};

static const sheet hung[PARTS] = {{WEFT_PLANE_XZ, 0.3f, 1, {0, 0.35f, 0}, 0.1f},
                                  {WEFT_PLANE_XZ, 0.2f, 30, {0, 0.35f, 0}, 0},
                                  {WEFT_PLANE_XZ, 0.3f, 5, {0.4f, 0.35f, 0}, 0.4f}};

/* Over shapes, with edges of 55, 3 and 45 mm; the third so far out that nothing is as small as what
 * the others tell apart, and through a ball. */
static const sheet over[PARTS] = {{WEFT_PLANE_XZ, 0.6f, 1, {0, 0.24f, 0}, 0.1f},
                                  {WEFT_PLANE_XZ, 0.03f, 30, {0.02f, 0.2f, 0}, 0.1f},
                                  {WEFT_PLANE_XY, 0.5f, 5, {0.45f, 0.3f, 0}, 0.3f}};

static weft_model *model_of(const sheet *s, weft_pin_rule pins) {
  weft_material material = *weft_material_find("tshirt");
  material.stretch_warp = material.stretch_weft = material.shear = 1e4f / s->softness;
  const weft_grid_desc grid = {.rows = SIDE,
                               .columns = SIDE,
                               .width = s->side,
                               .height = s->side,
                               .plane = s->plane,
                               .centre = s->centre};
  const weft_pin pin = {.rule = pins};
  return rig_grid_model(&grid,
                        (weft_model_desc){.material = &material, .pins = &pin, .pin_count = 1});
}

/* Waves that no two parts have. */
static void fill_velocities(const sheet *sheets, uint32_t first, uint32_t parts, weft_vec3 *v) {
  for (uint32_t p = 0; p < parts; ++p) {
    const sheet *s = &sheets[first + p];
    for (uint32_t i = 0; i < PARTICLES; ++i) {
      float across = (float)(i % SIDE), along = (float)(i / SIDE), n = (float)(first + p);
      float wave = sinf(0.9f * along + 0.2f * across + n) + 0.3f * sinf(0.5f * across + n);
      weft_vec3 out = s->plane == WEFT_PLANE_XY ? weft_v3(0, 0, 1) : weft_v3(0, 1, 0);
      v[p * PARTICLES + i] = weft_v3_scale(out, s->speed * wave);
    }
  }
}

/* ---- runs ---- */

typedef struct scene {
  const sheet *sheets;
  weft_pin_rule pins;
  uint32_t room, frames;
  const weft_collider *colliders; /* NULL: the ground */
  uint32_t collider_count;
  uint32_t passed_on; /* after so many frames another solver goes on, with a collider more */
} scene;

/* After every frame. */
typedef struct frame {
  weft_vec3 x[PARTICLES], v[PARTICLES];
} frame;

typedef struct history {
  frame *frames; /* [parts][FRAMES] */
  weft_metrics metrics[FRAMES];
} history;

static const weft_collider ground = {.shape = WEFT_COLLIDER_PLANE, .b = {0, 1, 0}};

static weft_params params_of(const scene *s) {
  return (weft_params){.substeps = 8,
                       .air_density = 1.2f,
                       .self_collision = true,
                       .self_static = 0.4f,
                       .self_dynamic = 0.3f,
                       .self_room = s->room,
                       .thickness = s->colliders ? 0.0002f : 0,
                       .colliders = s->colliders ? s->colliders : &ground,
                       .collider_count = s->colliders ? s->collider_count : 1};
}

/* The first pin of each part goes to where its last one is, and into the cloth there. */
static void drive(weft_solver *solver, uint32_t parts, uint32_t f) {
  uint32_t pins = solver->pinned_count / parts;
  const weft_vec3 *rest = weft_model_rest_positions(solver->model);
  for (uint32_t p = 0; p < parts && pins; ++p) {
    uint32_t first = solver->pin_particles[p * pins],
             last = solver->pin_particles[(p + 1) * pins - 1];
    float way = fminf(1, (float)(f + 1) / 8);
    weft_vec3 to = weft_v3_add(weft_v3_scale(rest[first], 1 - way), weft_v3_scale(rest[last], way));
    assert_int_equal(weft_solver_move_pins(solver, &first, &to, 1, NULL), WEFT_OK);
  }
}

static weft_solver *pass_on(const scene *s, weft_solver *from) {
  weft_params params = params_of(s);
  ++params.collider_count;
  weft_solver *to = rig_solver(from->model, &params, from->backend);
  assert_int_equal(weft_solver_copy_state_from(to, from, NULL), WEFT_OK);
  weft_solver_destroy(from);
  return to;
}

static history run(const scene *s, const weft_model *model, uint32_t first, uint32_t parts,
                   const weft_backend *backend) {
  const weft_params params = params_of(s);
  weft_solver *solver = rig_solver(model, &params, backend);
  size_t n = (size_t)parts * PARTICLES;
  weft_vec3 *state = weft_alloc(2 * n, sizeof *state);
  fill_velocities(s->sheets, first, parts, state);
  for (size_t i = 0; i < n; ++i) {
    if (model->inverse_masses[i] == 0) state[i] = weft_v3(0, 0, 0);
  }
  rig_write(solver, NULL, state);
  history h = {.frames = weft_alloc((size_t)parts * FRAMES, sizeof *h.frames)};
  for (uint32_t f = 0; f < s->frames; ++f) {
    if (f > 0 && f == s->passed_on) solver = pass_on(s, solver);
    drive(solver, parts, f);
    rig_step(solver, 1);
    weft_error err = {0};
    assert_int_equal(weft_solver_metrics(solver, &h.metrics[f], &err), WEFT_OK);
    assert_int_equal(h.metrics[f].nonfinite, 0);
    assert_int_equal(weft_solver_read(solver, state, state + n, &err), WEFT_OK);
    for (uint32_t p = 0; p < parts; ++p) {
      frame *to = &h.frames[p * FRAMES + f];
      memcpy(to->x, state + (size_t)p * PARTICLES, sizeof to->x);
      memcpy(to->v, state + n + (size_t)p * PARTICLES, sizeof to->v);
    }
  }
  weft_free(state);
  weft_solver_destroy(solver);
  return h;
}

static void add(weft_metrics *sum, const weft_metrics *m) {
  sum->self_candidates += m->self_candidates;
  sum->self_pairs += m->self_pairs;
  sum->self_limited += m->self_limited;
  sum->self_uncertain += m->self_uncertain;
  sum->self_detections += m->self_detections;
  sum->self_pauses += m->self_pauses;
  sum->self_overflows += m->self_overflows;
  sum->self_driven += m->self_driven;
  sum->self_tangled += m->self_tangled;
}

static void expect_sums(const weft_backend *backend, uint32_t f, const weft_metrics *all,
                        const weft_metrics *sum) {
  /* How often a list that was too short was looked through again depends on what it had room for.
   */
  bool looks = all->self_detections == sum->self_detections || sum->self_overflows;
  if (all->self_candidates != sum->self_candidates || all->self_pairs != sum->self_pairs ||
      all->self_limited != sum->self_limited || all->self_uncertain != sum->self_uncertain ||
      all->self_pauses != sum->self_pauses || all->self_overflows != sum->self_overflows ||
      all->self_driven != sum->self_driven || all->self_tangled != sum->self_tangled || !looks) {
    fail_msg("%s, frame %u: metrics are no sums", weft_backend_name(backend), f + 1);
  }
}

/* What parts do alone, on the reference. */
typedef struct apart {
  weft_model *models[PARTS], *joined;
  history parts[PARTS];
  weft_metrics sums[FRAMES];
} apart;

static void expect_same(const scene *s, const apart *a, const weft_backend *backend,
                        uint32_t frames) {
  scene some = *s;
  some.frames = frames;
  history h = run(&some, a->joined, 0, PARTS, backend);
  for (uint32_t f = 0; f < frames; ++f) {
    for (uint32_t p = 0; p < PARTS; ++p) {
      const frame *of = &h.frames[p * FRAMES + f], *own = &a->parts[p].frames[f];
      if (memcmp(of, own, sizeof *of) != 0) {
        fail_msg("part %u on %s: other bits in frame %u", p, weft_backend_name(backend), f + 1);
      }
    }
    expect_sums(backend, f, &h.metrics[f], &a->sums[f]);
  }
  weft_free(h.frames);
}

static apart run_alone(const scene *s, const weft_backend *backend) {
  apart a = {0};
  for (uint32_t p = 0; p < PARTS; ++p) {
    a.models[p] = model_of(&s->sheets[p], s->pins);
    a.parts[p] = run(s, a.models[p], p, 1, backend);
    for (uint32_t f = 0; f < s->frames; ++f) add(&a.sums[f], &a.parts[p].metrics[f]);
  }
  weft_error err = {0};
  if (weft_model_join((const weft_model *const *)a.models, PARTS, &a.joined, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  return a;
}

static void free_alone(apart *a) {
  for (uint32_t p = 0; p < PARTS; ++p) {
    weft_model_destroy(a->models[p]);
    weft_free(a->parts[p].frames);
  }
  weft_model_destroy(a->joined);
}

/* Of one part, over all frames. */
static weft_metrics total_of(const scene *s, const apart *a, uint32_t part) {
  weft_metrics sum = {0};
  for (uint32_t f = 0; f < s->frames; ++f) add(&sum, &a->parts[part].metrics[f]);
  return sum;
}

/* On the GPU, which takes longer, so many frames; and in doubles, against doubles. */
static void expect_same_everywhere(void **state, const scene *s, const apart *a, uint32_t on_gl) {
  const weft_cpu_desc descs[] = {{.threads = 1},
                                 {.threads = 3, .exactly = true, .tile = 100},
                                 {.threads = 2, .exactly = true, .lanes = weft_lanes_usable(4)},
                                 {.threads = 2, .exactly = true, .plain = true}};
  expect_same(s, a, weft_backend_ref(), s->frames);
  for (size_t b = 0; b < sizeof descs / sizeof *descs; ++b) {
    const weft_backend cpu = weft_cpu_backend_of(&descs[b]);
    expect_same(s, a, &cpu, s->frames);
  }
  if (rig_gl_context) expect_same(s, a, rig_backend(state), on_gl);
  scene some = *s;
  some.frames = on_gl;
  apart doubles = run_alone(&some, weft_backend_f64());
  expect_same(&some, &doubles, weft_backend_f64(), some.frames);
  free_alone(&doubles);
}

/* ---- tests ---- */

static void parts_go_as_they_do_alone(void **state) {
  const scene s = {.sheets = unlike, .pins = WEFT_PIN_NONE, .room = 32, .frames = FRAMES};
  apart a = run_alone(&s, weft_backend_ref());
  weft_metrics all = {0};
  for (uint32_t p = 0; p < PARTS; ++p) {
    weft_metrics m = total_of(&s, &a, p);
    print_message("part %u: %u pairs, %u motions cut, %u redetections\n", p, m.self_pairs,
                  m.self_limited, m.self_detections);
    assert_true(m.self_pairs > 1000);
    add(&all, &m);
  }
  assert_true(all.self_limited > 0 && all.self_detections > 0 && all.self_overflows == 0);
  expect_same_everywhere(state, &s, &a, 30);
  free_alone(&a);
}

/* Two find the lists too short, in different frames; that they grow for all is seen by none. */
static void parts_without_room_get_some(void **state) {
  const scene s = {.sheets = one_lies, .pins = WEFT_PIN_NONE, .room = 1, .frames = FRAMES},
              roomy = {.sheets = one_lies, .pins = WEFT_PIN_NONE, .room = 32, .frames = FRAMES};
  apart a = run_alone(&s, weft_backend_ref()), b = run_alone(&roomy, weft_backend_ref());
  for (uint32_t p = 0; p < PARTS; ++p) {
    assert_int_equal(total_of(&s, &a, p).self_pauses, 0);
    assert_memory_equal(a.parts[p].frames, b.parts[p].frames, FRAMES * sizeof(frame));
  }
  expect_same_everywhere(state, &s, &a, 30);
  free_alone(&a);
  free_alone(&b);
}

static void pins_of_a_part_are_held_back_by_its_own_cloth(void **state) {
  const scene s = {.sheets = hung, .pins = WEFT_PIN_CORNERS, .room = 32, .frames = 24};
  apart a = run_alone(&s, weft_backend_ref());
  for (uint32_t p = 0; p < PARTS; ++p) {
    weft_metrics m = total_of(&s, &a, p);
    print_message("part %u: %u pairs, %u pins held\n", p, m.self_pairs, m.self_driven);
    assert_true(m.self_driven > 0);
  }
  expect_same_everywhere(state, &s, &a, 12);
  free_alone(&a);
}

/* ---- shapes ---- */

enum { TINY = 1, BALL = 2, AROUND = 5 }; /* of those with bodies; of all */

/* The smallest is less than what floats tell apart where the third part is, which has no body of
 * it. The last one comes later. */
static const weft_collider around[AROUND + 1] = {
    {.shape = WEFT_COLLIDER_PLANE, .b = {0, 1, 0}},
    {.shape = WEFT_COLLIDER_BOX, .a = {0, 0.14f, 0}, .half_size = {0.1f, 0.03f, 0.1f}},
    {.shape = WEFT_COLLIDER_SPHERE, .a = {-0.2f, 0.2f, 0.1f}, .radius = 0.0003f},
    {.shape = WEFT_COLLIDER_SPHERE, .a = {0.45f, 0.2f, 0.004f}, .radius = 0.05f},
    {.shape = WEFT_COLLIDER_CAPSULE,
     .a = {-0.25f, 0.18f, -0.2f},
     .b = {-0.05f, 0.18f, -0.25f},
     .radius = 0.01f,
     .friction_static = 0.4f,
     .friction_dynamic = 0.3f},
    {.shape = WEFT_COLLIDER_SPHERE, .a = {0.1f, 0.12f, -0.15f}, .radius = 0.015f}};

static void expect_unlike_bodies(const scene *s, const apart *a) {
  const weft_params params = params_of(s);
  weft_solver *solver = rig_solver(a->joined, &params, weft_backend_ref());
  const weft_shape_bodies *b = &solver->shapes;
  assert_int_equal(b->each, 4);
  assert_int_equal(b->count, PARTS * b->each);
  assert_true(b->own[BALL].point_count != b->own[b->each + BALL].point_count);
  assert_true(b->own[TINY].point_count > 0 && b->own[2 * b->each + TINY].point_count == 0);
  assert_true(b->states[BALL].fit.size == 1 && b->states[2 * b->each + BALL].fit.size < 1);
  rig_step(solver, 1); /* vertices that the third part has only so that there are as many stay */
  assert_true(b->awake && b->paths[b->first[2 * b->each + TINY]].stays);
  weft_solver_destroy(solver);
}

/* keys: two, of the box. */
static void expect_shapes_hold(void **state, const weft_collider_key *keys, uint32_t passed_on) {
  weft_collider shapes[AROUND + 1];
  memcpy(shapes, around, sizeof shapes);
  if (keys) shapes[1].keys = keys, shapes[1].key_count = 2;
  const scene s = {.sheets = over,
                   .room = 32,
                   .frames = 40,
                   .colliders = shapes,
                   .collider_count = AROUND,
                   .passed_on = passed_on};
  apart a = run_alone(&s, weft_backend_ref());
  for (uint32_t p = 0; p < PARTS; ++p) {
    const weft_metrics m = total_of(&s, &a, p);
    print_message("part %u: %u pairs, %u motions cut\n", p, m.self_pairs, m.self_limited);
    assert_true(m.self_pairs > 50);
  }
  expect_unlike_bodies(&s, &a);
  expect_same_everywhere(state, &s, &a, 24);
  free_alone(&a);
}

/* They grow in the third part, and sleep in the others. */
static void shapes_hold_parts_as_they_do_alone(void **state) { expect_shapes_hold(state, NULL, 0); }

static void moving_shapes_hold_parts_as_they_do_alone(void **state) {
  static const weft_collider_key keys[] = {{0.1f, {0, 0.1f, 0}, {0, 0, 0}, {0, 0, 0}},
                                           {0.4f, {0.05f, 0.2f, 0}, {0, 0, 0}, {0.2f, 0.9f, 0}}};
  expect_shapes_hold(state, keys, 0);
}

static void shapes_go_on_in_another_solver(void **state) { expect_shapes_hold(state, NULL, 14); }

/* ---- more parts, or less of them ---- */

/* Two triangles, far fewer than threads and vectors have at once; and one model joined of itself
 * alone. */
static void parts_may_be_tiny_and_one(void **state) {
  (void)state;
  enum { MANY = 70 };
  const weft_grid_desc grid = {.rows = 2, .columns = 2, .width = 0.05f, .height = 0.05f};
  weft_model *one = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  const weft_params params = {.substeps = 4, .self_collision = true};
  const weft_cpu_desc threads = {.threads = 3, .exactly = true};
  const weft_backend cpu = weft_cpu_backend_of(&threads);
  const weft_backend *const backends[] = {weft_backend_ref(), &cpu};
  const weft_model *models[MANY];
  for (uint32_t p = 0; p < MANY; ++p) models[p] = one;
  for (int b = 0; b < 2; ++b) {
    uint64_t expected = rig_hash_after(one, &params, backends[b], 4);
    weft_model *joined = NULL;
    assert_int_equal(weft_model_join(models, 1, &joined, NULL), WEFT_OK);
    assert_true(rig_hash_after(joined, &params, backends[b], 4) == expected);
    weft_model_destroy(joined);
    assert_int_equal(weft_model_join(models, MANY, &joined, NULL), WEFT_OK);
    weft_solver *alone = rig_solver(one, &params, backends[b]);
    weft_solver *all = rig_solver(joined, &params, backends[b]);
    rig_step(alone, 4);
    rig_step(all, 4);
    for (uint32_t i = 0; i < 4 * MANY; ++i) {
      weft_vec3 x = rig_position(all, i), own = rig_position(alone, i % 4);
      assert_memory_equal(&x, &own, sizeof x);
    }
    weft_solver_destroy(alone);
    weft_solver_destroy(all);
    weft_model_destroy(joined);
  }
  weft_model_destroy(one);
}

/* ---- a tangled part ---- */

typedef struct words {
  int lines;
  char all[2000];
} words;

static void hear(weft_log_level level, const char *line, void *user) {
  words *w = user;
  if (level != WEFT_LOG_WARNING || !strstr(line, "tangled")) return;
  ++w->lines;
  strncat(w->all, line, sizeof w->all - strlen(w->all) - 1);
}

/* A corner is stuck through the middle. */
static weft_model *tangled_sheet(void) {
  weft_mesh mesh = rig_grid(&(weft_grid_desc){
      .rows = SIDE, .columns = SIDE, .plane = WEFT_PLANE_XZ, .centre = {0, 1, 0}});
  weft_vec3 middle = mesh.positions[SIDE / 2 * SIDE + SIDE / 2];
  mesh.positions[0] = weft_v3(middle.x + 0.01f, middle.y - 0.02f, middle.z + 0.013f);
  mesh.positions[1].y += 0.05f;
  mesh.positions[SIDE].y += 0.05f;
  weft_model *model =
      rig_preprocess(&(weft_model_desc){.mesh = &mesh, .material = weft_material_find("tshirt")});
  weft_mesh_free(&mesh);
  return model;
}

static void a_tangled_part_is_named(void **state) {
  (void)state;
  words heard = {0};
  const sheet flat = {WEFT_PLANE_XZ, 1, 1, {0, 1, 0}, 0};
  weft_model *clean = model_of(&flat, WEFT_PIN_NONE), *tangled = tangled_sheet(), *joined = NULL;
  const weft_params params = {.self_collision = true};
  weft_log_set(hear, &heard, WEFT_LOG_WARNING);
  weft_solver *solver = rig_solver(tangled, &params, weft_backend_ref());
  weft_metrics m, all;
  assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
  assert_true(m.self_tangled > 0);
  assert_int_equal(heard.lines, 1);
  assert_null(strstr(heard.all, "instance"));
  weft_solver_destroy(solver);
  /* Once for each that is, also where it was told of before. */
  const weft_model *const models[] = {clean, tangled, clean, tangled};
  heard = (words){0};
  assert_int_equal(weft_model_join(models, 4, &joined, NULL), WEFT_OK);
  for (int k = 0; k < 2; ++k) {
    const weft_backend *backend = k ? weft_backend_cpu(2) : weft_backend_ref();
    solver = rig_solver(joined, &params, backend);
    assert_int_equal(weft_solver_metrics(solver, &all, NULL), WEFT_OK);
    assert_int_equal(all.self_tangled, 2 * m.self_tangled);
    assert_int_equal(heard.lines, 2);
    assert_non_null(strstr(heard.all, "instance 2 of 4: the start pose is tangled"));
    assert_non_null(strstr(heard.all, "instance 4 of 4: the start pose is tangled"));
    weft_solver_destroy(solver);
  }
  weft_log_set(NULL, NULL, WEFT_LOG_WARNING);
  weft_model_destroy(joined);
  weft_model_destroy(clean);
  weft_model_destroy(tangled);
}

#define ON_GL(test) \
  { #test, test, NULL, NULL, &rig_places[1] }

int main(void) {
  const struct CMUnitTest tests[] = {
      ON_GL(parts_go_as_they_do_alone),
      ON_GL(parts_without_room_get_some),
      ON_GL(pins_of_a_part_are_held_back_by_its_own_cloth),
      ON_GL(shapes_hold_parts_as_they_do_alone),
      ON_GL(moving_shapes_hold_parts_as_they_do_alone),
      ON_GL(shapes_go_on_in_another_solver),
      cmocka_unit_test(parts_may_be_tiny_and_one),
      cmocka_unit_test(a_tangled_part_is_named),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
