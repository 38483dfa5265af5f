/* Self-collision: cloth that starts free of intersections stays free of them, counted by exact
 * predicates that share nothing with the passes, and what no contact asks for it leaves alone. */
#include "rig.h"
/* after rig.h */
#include "../rig_scene.h"
#include "base.h"
#include "intersections.h"
#include "map.h"
#include "model.h"

/* ---- looking at a state ---- */

static uint64_t crossings(weft_solver *solver, const weft_model *model) {
  weft_vec3 *x = calloc(model->particle_count, sizeof *x);
  weft_error err = {0};
  weft_intersections found;
  assert_int_equal(weft_solver_read(solver, x, NULL, &err), WEFT_OK);
  assert_int_equal(weft_count_intersections(x, model->particle_count, model->triangles,
                                            model->triangle_count, NULL, &found, &err),
                   WEFT_OK);
  free(x);
  return found.triangle_pairs;
}

static weft_metrics metrics_of(weft_solver *solver) {
  weft_metrics m;
  weft_error err = {0};
  assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
  return m;
}

/* What a run did in all, and that no frame of it has an intersection. */
typedef struct tally {
  uint64_t pairs, limited, looks, pauses, overflows, driven, worst;
} tally;

static void add_frame(tally *t, weft_solver *solver, const weft_model *model) {
  weft_metrics m = metrics_of(solver);
  t->pairs += m.self_pairs;
  t->limited += m.self_limited;
  t->looks += m.self_detections;
  t->pauses += m.self_pauses;
  t->overflows += m.self_overflows;
  t->driven += m.self_driven;
  uint64_t now = crossings(solver, model);
  if (now > t->worst) t->worst = now;
}

static tally run_scene(weft_scene_instance *s, const weft_params *params,
                       const weft_backend *backend, uint32_t frames) {
  weft_solver *solver = rig_solver(s->model, params, backend);
  tally t = {0};
  for (uint32_t f = 0; f < frames; ++f) {
    rig_scene_step(s, solver, 1);
    add_frame(&t, solver, s->model);
  }
  weft_solver_destroy(solver);
  return t;
}

/* ---- no intersections ---- */

static tally check_free(const char *name, uint32_t size, uint32_t frames,
                        const weft_params *change) {
  weft_scene_instance s = rig_scene(name, size);
  weft_params params = s.params;
  if (change) {
    params.mode = change->mode;
    params.no_self_pushes = change->no_self_pushes;
    params.line_sweeps = change->line_sweeps;
    params.lra = change->lra;
    params.multilevel = change->multilevel;
    if (change->self_room) params.self_room = change->self_room;
  }
  tally t = run_scene(&s, &params, weft_backend_cpu(0), frames);
  print_message("%s %u: %llu pairs, %llu motions cut, %llu redetections, %llu pauses\n", name, size,
                (unsigned long long)t.pairs, (unsigned long long)t.limited,
                (unsigned long long)t.looks, (unsigned long long)t.pauses);
  assert_true(t.worst == 0);
  weft_scene_free(&s);
  return t;
}

static void folds_and_twists_stay_free(void **state) {
  (void)state;
  weft_params whole = {0};
  assert_true(check_free("heap", 24, 60, NULL).pairs > 1000);
  tally wring = check_free("wring", 24, 330, NULL);
  assert_true(wring.limited > 0 && wring.driven == 0);
  whole.mode = WEFT_MODE_JACOBI;
  check_free("heap", 16, 50, &whole);
  whole.mode = WEFT_MODE_HYBRID;
  check_free("heap", 16, 50, &whole);
}

/* Scenes of many layers: the knot is shut after 110 frames, the cloths lie on the ball after 60. */
static void stacks_and_knots_stay_free(void **state) {
  (void)state;
  assert_true(check_free("stack", 12, 70, NULL).pairs > 1000);
  assert_true(check_free("knot", 24, 120, NULL).pairs > 1000);
}

static void the_limit_alone_keeps_cloth_free(void **state) {
  (void)state;
  const weft_params alone = {.no_self_pushes = true};
  assert_true(check_free("heap", 20, 60, &alone).limited > 100);
}

static void lines_levels_and_attachments_do_not_pull_through(void **state) {
  (void)state;
  const weft_params held = {.line_sweeps = 1, .lra = 2, .multilevel = 24};
  check_free("wring", 24, 240, &held);
}

/* ---- what is not asked for ---- */

/* Before anything touches the bits are those without. Shapes are left out: with self-collision
 * they hold edges and faces too, so that cloth on them moves differently. */
static void without_contact_the_bits_are_the_same(void **state) {
  (void)state;
  static const char *const names[] = {"hanging", "drape", "flag", "curtain", "pleats"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    weft_scene_instance s = rig_scene(names[k], 24);
    weft_params with = s.params, without = s.params;
    with.collider_count = without.collider_count = 0;
    with.self_collision = true;
    without.self_collision = false;
    weft_solver *a = rig_solver(s.model, &with, weft_backend_cpu(0));
    weft_solver *b = rig_solver(s.model, &without, weft_backend_cpu(0));
    for (uint32_t f = 0; f < 8; ++f) {
      rig_scene_step(&s, a, 1);
      rig_scene_step(&s, b, 1);
      assert_int_equal(metrics_of(a).self_limited, 0);
    }
    assert_true(rig_hash(a) == rig_hash(b));
    weft_solver_destroy(a);
    weft_solver_destroy(b);
    weft_scene_free(&s);
  }
}

enum { SIDE = 40 };

static weft_model *sheets(uint32_t count, float apart, float tilt) {
  weft_grid_desc grid = {.rows = SIDE, .columns = SIDE, .width = 0.6f, .height = 0.6f};
  weft_mesh one = rig_grid(&grid), all = {0};
  uint32_t n = one.vertex_count, t = one.triangle_count;
  all.vertex_count = n * count;
  all.triangle_count = t * count;
  all.positions = weft_alloc(all.vertex_count, sizeof *all.positions);
  all.triangles = weft_alloc(3 * (size_t)all.triangle_count, sizeof *all.triangles);
  float c = cosf(tilt), sn = sinf(tilt);
  for (uint32_t k = 0; k < count; ++k) {
    for (uint32_t i = 0; i < n; ++i) {
      weft_vec3 p = one.positions[i];
      /* The second lies a little askew, so that vertices are not over vertices. */
      float x = p.x + 0.0037f * (float)k, y = p.y + 0.0021f * (float)k;
      float z = p.z + apart * (float)k;
      all.positions[k * n + i] = weft_v3(x, c * y - sn * z, sn * y + c * z);
    }
    for (uint32_t i = 0; i < 3 * t; ++i) all.triangles[3 * k * t + i] = one.triangles[i] + k * n;
  }
  weft_model *model = rig_preprocess(
      &(weft_model_desc){.mesh = &all, .material = weft_material_find("tablecloth")});
  weft_mesh_free(&one);
  weft_free(all.positions);
  weft_free(all.triangles);
  return model;
}

static void give_velocity(weft_solver *solver, const weft_model *model, weft_vec3 velocity) {
  weft_vec3 *v = calloc(model->particle_count, sizeof *v);
  for (uint32_t i = 0; i < model->particle_count; ++i) v[i] = velocity;
  rig_write(solver, NULL, v);
  free(v);
}

/* Two sheets that come from 30 mm to 10 mm in one long substep could meet, so they are pairs; they
 * do not touch, and the bits are those without. */
static void what_only_could_touch_is_not_touched(void **state) {
  (void)state;
  weft_model *model = sheets(2, 0.030f, 0);
  uint64_t hashes[2];
  for (int self = 0; self < 2; ++self) {
    const weft_params params = {.self_collision = self == 1, .no_gravity = true, .substeps = 1};
    weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
    uint32_t n = model->particle_count;
    weft_vec3 *v = calloc(n, sizeof *v);
    for (uint32_t i = 0; i < n; ++i) v[i] = weft_v3(0, 0, i < n / 2 ? 1.2f : 0);
    rig_write(solver, NULL, v);
    free(v);
    rig_step(solver, 1);
    hashes[self] = rig_hash(solver);
    if (self) {
      weft_metrics m = metrics_of(solver);
      print_message("%u pairs that only could touch, %u cut\n", m.self_pairs, m.self_limited);
      assert_true(m.self_pairs > 1000 && m.self_limited == 0);
    }
    weft_solver_destroy(solver);
  }
  assert_true(hashes[0] == hashes[1]);
  weft_model_destroy(model);
}

/* A tilted sheet at rest and at 10 m/s: motion that is shared costs nothing and holds nothing. */
static void a_flying_sheet_does_not_freeze(void **state) {
  (void)state;
  weft_model *model = sheets(1, 0, 0.5f);
  const weft_params params = {.self_collision = true, .no_gravity = true};
  uint32_t candidates[2];
  for (int fast = 0; fast < 2; ++fast) {
    weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
    give_velocity(solver, model, weft_v3(fast ? 7 : 0, fast ? -6 : 0, fast ? 4 : 0));
    rig_step(solver, 5);
    weft_metrics m = metrics_of(solver);
    assert_int_equal(m.self_limited, 0);
    candidates[fast] = m.self_candidates;
    weft_solver_destroy(solver);
  }
  print_message("candidates: %u at rest, %u at 10 m/s\n", candidates[0], candidates[1]);
  assert_true(candidates[1] <= candidates[0] + candidates[0] / 2 + 20 * SIDE * SIDE);
  weft_model_destroy(model);
}

/* Two layers 1 mm apart fall together for half a second: nothing is cut, and they stay as they
 * were but for what pushes them to the thickness. */
static void layers_that_fall_together_are_not_held(void **state) {
  (void)state;
  weft_model *model = sheets(2, 0.001f, 0.3f);
  const weft_params params = {.self_collision = true, .self_thickness = 0.001f};
  weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
  weft_vec3 from = rig_position(solver, 100);
  for (uint32_t f = 0; f < 30; ++f) {
    rig_step(solver, 1);
    assert_int_equal(metrics_of(solver).self_limited, 0);
  }
  /* g t (t + dt) / 2 in small steps. */
  rig_near((double)(rig_position(solver, 100).y - from.y), -0.5 * 9.81 * 0.5 * (0.5 + 1.0 / 1200),
           2e-4, "the way fallen");
  assert_true(crossings(solver, model) == 0);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static weft_vec3d momentum(weft_solver *solver, const weft_model *model) {
  weft_vec3d sum = {0, 0, 0};
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    weft_vec3 v = rig_velocity(solver, i);
    double m = (double)model->masses[i];
    sum = weft_v3d_add(sum, weft_v3d((double)v.x * m, (double)v.y * m, (double)v.z * m));
  }
  return sum;
}

/* Two free sheets meet at 2 m/s: pushes act in pairs, so the sum of momenta stays. */
static void pushes_keep_momentum(void **state) {
  (void)state;
  weft_model *model = sheets(2, 0.02f, 0);
  const weft_params params = {
      .self_collision = true, .no_gravity = true, .self_static = 0.3f, .self_dynamic = 0.3f};
  weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
  uint32_t n = model->particle_count;
  weft_vec3 *v = calloc(n, sizeof *v);
  for (uint32_t i = 0; i < n; ++i) v[i] = weft_v3(0.2f, 0, i < n / 2 ? 2 : 0);
  rig_write(solver, NULL, v);
  free(v);
  weft_vec3d before = momentum(solver, model);
  tally t = {0};
  for (uint32_t f = 0; f < 6; ++f) {
    rig_step(solver, 1);
    add_frame(&t, solver, model);
  }
  weft_vec3d after = momentum(solver, model), off = weft_v3d_sub(after, before);
  double given = 0; /* to the sheet that was at rest */
  for (uint32_t i = n / 2; i < n; ++i) {
    given += (double)model->masses[i] * (double)rig_velocity(solver, i).z;
  }
  print_message("momentum: %.3g given, %.3g lost, %llu motions cut\n", given,
                sqrt(weft_v3d_dot(off, off)), (unsigned long long)t.limited);
  assert_true(t.pairs > 0 && t.worst == 0 && t.limited == 0);
  assert_true(given > 0.2 * before.z);
  /* Velocities are floats: 3,200 of them are rounded in each of 120 substeps. */
  assert_true(sqrt(weft_v3d_dot(off, off)) < 5e-5 * given);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- tangled starts ---- */

/* Two sheets that cross in the middle, and two in front that nothing touches yet: 0 and 1, 2 and 3.
 * Triangles have the numbers that they had before they were put the other way round. */
static weft_model *crossed_sheets(void) {
  weft_grid_desc grid = {.rows = 16, .columns = 16, .width = 0.3f, .height = 0.3f};
  weft_mesh one = rig_grid(&grid), all = {0};
  uint32_t n = one.vertex_count, t = one.triangle_count;
  all.vertex_count = 4 * n;
  all.triangle_count = 4 * t;
  all.positions = weft_alloc(all.vertex_count, sizeof *all.positions);
  all.triangles = weft_alloc(3 * (size_t)all.triangle_count, sizeof *all.triangles);
  weft_map_begin(&all);
  for (uint32_t k = 0; k < 4; ++k) {
    for (uint32_t i = 0; i < n; ++i) {
      weft_vec3 p = one.positions[i];
      if (k == 1) p = weft_v3(0.011f, p.y + 0.0071f, p.x + 0.003f);
      if (k >= 2) p = weft_v3(p.x + 0.0037f * (float)k, p.y, 0.3f + 0.02f * (float)k);
      all.positions[k * n + i] = p;
    }
    for (uint32_t i = 0; i < 3 * t; ++i) all.triangles[3 * k * t + i] = one.triangles[i] + k * n;
  }
  for (uint32_t i = 0; i < 4 * t; ++i) all.map.faces[i] = 4 * t - 1 - i;
  weft_model *model = rig_preprocess(
      &(weft_model_desc){.mesh = &all, .material = weft_material_find("tablecloth")});
  weft_mesh_free(&one);
  weft_free(all.positions);
  weft_free(all.triangles);
  weft_map_free(&all.map);
  return model;
}

typedef struct words {
  uint32_t lines;
  char last[2048];
} words;

static void hear(weft_log_level level, const char *line, void *user) {
  words *w = user;
  if (level != WEFT_LOG_WARNING || !strstr(line, "tangled")) return;
  ++w->lines;
  snprintf(w->last, sizeof w->last, "%s", line);
}

/* Marks those that intersect now. */
static weft_intersections find_crossings(const weft_model *model, const weft_vec3 *x,
                                         uint8_t *marks) {
  weft_intersections found;
  weft_error err = {0};
  assert_int_equal(weft_count_intersections(x, model->particle_count, model->triangles,
                                            model->triangle_count, marks, &found, &err),
                   WEFT_OK);
  return found;
}

/* Half a second: sheets 0 and 2 fly at 1 and 3. Whatever intersects is among `tangled`. */
static void run_tangled(weft_solver *solver, const weft_model *model, const uint8_t *tangled) {
  uint32_t n = model->particle_count, total = model->triangle_count;
  weft_vec3 *x = calloc(2 * (size_t)n, sizeof *x);
  uint8_t *marks = calloc(total, 1);
  for (uint32_t i = 0; i < n / 4; ++i) {
    x[n + i] = weft_v3(0.5f, 0, 0);
    x[n + n / 2 + i] = weft_v3(0, 0, 1.5f);
  }
  rig_write(solver, NULL, x + n);
  uint64_t pairs = 0;
  for (uint32_t f = 0; f < 30; ++f) {
    rig_step(solver, 1);
    weft_metrics m = metrics_of(solver);
    assert_int_equal(m.nonfinite, 0);
    pairs += m.self_pairs;
    /* Triangles that intersect cannot be told apart, and would be held where they are. */
    if (f == 0) assert_int_equal(m.self_uncertain, 0);
    assert_int_equal(weft_solver_read(solver, x, NULL, &(weft_error){0}), WEFT_OK);
    find_crossings(model, x, marks);
    for (uint32_t t = 0; t < total; ++t) {
      if (marks[t] && !tangled[t]) fail_msg("frame %u: triangle %u got through", f + 1, t);
    }
  }
  assert_true(pairs > 1000);
  free(marks);
  free(x);
}

/* What counts is where the cloth begins, not its rest pose. */
static void a_start_elsewhere_is_looked_at_instead_of_the_rest_pose(void **state) {
  (void)state;
  words heard = {0};
  weft_log_set(hear, &heard, WEFT_LOG_WARNING);
  weft_model *model = crossed_sheets();
  uint32_t n = model->particle_count;
  weft_vec3 *start = calloc(n, sizeof *start);
  memcpy(start, model->rest_positions, n * sizeof *start);
  weft_params params = {.self_collision = true, .no_gravity = true, .start = start};
  weft_intersections crossed = find_crossings(model, start, NULL);
  weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
  assert_int_equal(heard.lines, 1);
  assert_int_equal(metrics_of(solver).self_tangled, crossed.triangles);
  weft_solver_destroy(solver);
  for (uint32_t i = 0; i < n / 4; ++i) start[i].x += 3; /* one of the two that cross */
  solver = rig_solver(model, &params, weft_backend_cpu(0));
  assert_int_equal(heard.lines, 1);
  assert_int_equal(metrics_of(solver).self_tangled, 0);
  rig_step(solver, 2);
  weft_vec3 *x = calloc(n, sizeof *x);
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  assert_int_equal(find_crossings(model, x, NULL).triangle_pairs, 0);
  assert_true(fabsf(x[0].x - start[0].x) < 0.1f);
  weft_solver_destroy(solver);
  weft_log_set(NULL, NULL, WEFT_LOG_WARNING);
  free(start);
  free(x);
  weft_model_destroy(model);
}

static void a_tangled_start_is_named_and_the_rest_stays_free(void **state) {
  (void)state;
  words heard = {0};
  weft_log_set(hear, &heard, WEFT_LOG_WARNING);
  weft_model *model = crossed_sheets();
  uint8_t *tangled = calloc(model->triangle_count, 1);
  weft_intersections start = find_crossings(model, model->rest_positions, tangled);
  assert_true(start.triangle_pairs > 10 && start.triangles < model->triangle_count / 8);
  const weft_params with = {.self_collision = true, .no_gravity = true}, without = {0};
  weft_solver_destroy(rig_solver(model, &without, weft_backend_cpu(0)));
  assert_int_equal(heard.lines, 0);
  weft_solver *solver = rig_solver(model, &with, weft_backend_cpu(0));
  weft_solver_destroy(rig_solver(model, &with, weft_backend_ref()));
  assert_int_equal(heard.lines, 1);
  char pairs[80], first[80];
  uint32_t last = model->triangle_count - 1;
  snprintf(pairs, sizeof pairs, "%llu pairs", (unsigned long long)start.triangle_pairs);
  snprintf(first, sizeof first, "first %u and %u, %u and %u,", last - start.pairs[0][0],
           last - start.pairs[0][1], last - start.pairs[1][0], last - start.pairs[1][1]);
  print_message("%s\n", heard.last);
  assert_non_null(strstr(heard.last, pairs));
  assert_non_null(strstr(heard.last, first));
  assert_int_equal(metrics_of(solver).self_tangled, start.triangles);
  run_tangled(solver, model, tangled);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_model *clean = sheets(2, 0.01f, 0);
  solver = rig_solver(clean, &with, weft_backend_cpu(0));
  assert_int_equal(heard.lines, 1);
  assert_int_equal(metrics_of(solver).self_tangled, 0);
  weft_log_set(NULL, NULL, WEFT_LOG_WARNING);
  weft_solver_destroy(solver);
  weft_model_destroy(clean);
  free(tangled);
}

/* ---- any two triangles ---- */

/* Pairs of triangles at random, near each other, of all shapes and slivers, thrown at random: at 33
 * moments of each substep's straight way none meets the other. */
enum { TWOS = 1500, APART = 6 };

static weft_vec3 any_point(weft_rng *rng, float side) {
  return weft_v3(weft_rng_float(rng, -side, side), weft_rng_float(rng, -side, side),
                 weft_rng_float(rng, -side, side));
}

static bool two_meet(const double x[6][3]) {
  for (int k = 0; k < 3; ++k) {
    if (weft_segment_meets_triangle(x[k], x[(k + 1) % 3], x[3], x[4], x[5])) return true;
    if (weft_segment_meets_triangle(x[3 + k], x[3 + (k + 1) % 3], x[0], x[1], x[2])) return true;
  }
  return false;
}

/* Six corners, in floats so that predicates are exact, at part s of the way. */
static void corners_at(const weft_vec3 *from, const weft_vec3 *to, float s, double x[6][3]) {
  for (int k = 0; k < 6; ++k) {
    x[k][0] = (double)(from[k].x + s * (to[k].x - from[k].x));
    x[k][1] = (double)(from[k].y + s * (to[k].y - from[k].y));
    x[k][2] = (double)(from[k].z + s * (to[k].z - from[k].z));
  }
}

static void make_two(weft_rng *rng, uint32_t kind, weft_vec3 p[6]) {
  double x[6][3];
  do {
    for (int k = 0; k < 6; ++k) p[k] = any_point(rng, 0.02f);
    if (kind % 4 == 1) p[2] = weft_v3_add(p[0], weft_v3_scale(weft_v3_sub(p[1], p[0]), 0.37f));
    if (kind % 4 == 2) { /* one over the other, edges parallel */
      weft_vec3 up = any_point(rng, 0.002f);
      for (int k = 0; k < 3; ++k) p[3 + k] = weft_v3_add(p[k], up);
    }
    if (kind % 4 == 3) p[4].z = p[5].z = p[3].z = p[0].z + 0.0005f;
    corners_at(p, p, 0, x);
  } while (two_meet(x));
}

static void no_two_triangles_meet_on_their_way(void **state) {
  (void)state;
  weft_mesh mesh = {.vertex_count = 6 * TWOS, .triangle_count = 2 * TWOS};
  mesh.positions = weft_alloc(mesh.vertex_count, sizeof *mesh.positions);
  mesh.triangles = weft_alloc(3 * (size_t)mesh.triangle_count, sizeof *mesh.triangles);
  weft_vec3 *v = calloc(mesh.vertex_count, sizeof *v);
  weft_rng rng = weft_rng_seed(11);
  for (uint32_t k = 0; k < TWOS; ++k) {
    make_two(&rng, k, &mesh.positions[6 * (size_t)k]);
    weft_vec3 place = weft_v3(0.2f * (float)(k % 20) - 2, 0.2f * (float)(k / 20 % 20) - 2,
                              0.2f * (float)(k / 400));
    for (uint32_t i = 0; i < 6; ++i) {
      weft_vec3 *p = &mesh.positions[6 * (size_t)k + i];
      *p = weft_v3_add(*p, place);
      v[6 * (size_t)k + i] = any_point(&rng, k % 3 ? 12 : 2);
    }
    for (uint32_t i = 0; i < 6; ++i) mesh.triangles[6 * (size_t)k + i] = 6 * k + i;
  }
  weft_model *model = rig_preprocess(&(weft_model_desc){
      .mesh = &mesh, .material = weft_material_find("tablecloth"), .bending = WEFT_BENDING_NONE});
  const weft_params params = {.self_collision = true, .no_gravity = true, .substeps = 20};
  weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
  rig_write(solver, NULL, v);
  weft_vec3 *from = calloc(mesh.vertex_count, sizeof *from),
            *to = calloc(mesh.vertex_count, sizeof *to);
  vec4 *rows = calloc(mesh.vertex_count, sizeof *rows);
  uint64_t cut = 0;
  for (uint32_t s = 0; s < 20; ++s) {
    if (s == 0) weft_solver_begin_frame(solver);
    weft_solver_run_substep(solver, s);
    for (int now = 0; now < 2; ++now) {
      weft_solver_read_buffer(solver, now ? WEFT_BUFFER_X : WEFT_BUFFER_X_PREV, 0,
                              mesh.vertex_count, rows);
      for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
        (now ? to : from)[i] = weft_v3(rows[i].x, rows[i].y, rows[i].z);
      }
    }
    for (uint32_t k = 0; k < TWOS; ++k) {
      for (int part = 0; part <= 32; ++part) {
        double x[6][3];
        corners_at(&from[6 * (size_t)k], &to[6 * (size_t)k], (float)part / 32, x);
        if (part == 32) corners_at(&to[6 * (size_t)k], &to[6 * (size_t)k], 0, x);
        if (two_meet(x))
          fail_msg("two triangles, %u, meet in substep %u at part %d/32", k, s, part);
      }
    }
  }
  cut += metrics_of(solver).self_limited;
  print_message("%d pairs of triangles, %llu motions cut\n", TWOS, (unsigned long long)cut);
  assert_true(cut > TWOS / 4);
  free(from);
  free(to);
  free(rows);
  free(v);
  weft_free(mesh.positions);
  weft_free(mesh.triangles);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- refusals ---- */

static void refuses(const weft_params *params, const weft_model *model, const char *word) {
  weft_solver *solver = NULL;
  weft_error err = {0};
  assert_int_not_equal(weft_solver_create(model, params, weft_backend_ref(), &solver, &err),
                       WEFT_OK);
  if (!strstr(err.message, word)) fail_msg("no \"%s\" in: %s", word, err.message);
}

static void what_cannot_be_kept_is_refused(void **state) {
  (void)state;
  weft_model *model = sheets(1, 0, 0);
  refuses(&(weft_params){.self_collision = true, .compensated = true}, model, "compensated");
  refuses(&(weft_params){.self_collision = true, .self_thickness = 1e-6f}, model, "thickness");
  refuses(&(weft_params){.self_collision = true, .self_room = 257}, model, "room");
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(folds_and_twists_stay_free),
      cmocka_unit_test(a_start_elsewhere_is_looked_at_instead_of_the_rest_pose),
      cmocka_unit_test(a_tangled_start_is_named_and_the_rest_stays_free),
      cmocka_unit_test(stacks_and_knots_stay_free),
      cmocka_unit_test(the_limit_alone_keeps_cloth_free),
      cmocka_unit_test(lines_levels_and_attachments_do_not_pull_through),
      cmocka_unit_test(without_contact_the_bits_are_the_same),
      cmocka_unit_test(what_only_could_touch_is_not_touched),
      cmocka_unit_test(a_flying_sheet_does_not_freeze),
      cmocka_unit_test(layers_that_fall_together_are_not_held),
      cmocka_unit_test(pushes_keep_momentum),
      cmocka_unit_test(no_two_triangles_meet_on_their_way),
      cmocka_unit_test(what_cannot_be_kept_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
