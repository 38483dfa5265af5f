/* A driver may flush subnormals to zero, and every GPU may do so. The reference run with the
 * processor's own flush-to-zero switched on stands for such a driver: the same bits must come out,
 * also where a disturbance dies away in a flat sheet (each colour passes on a part of a part of
 * it). */
#include <string.h>

#include "cmocka_all.h"
/* after cmocka */
#include <math.h>
#include "exact.h"
#include "solver.h"

#if defined(__SSE__)
#include <xmmintrin.h>
static void flush_to_zero(bool on) {
  unsigned mode = _mm_getcsr() & ~0x8040u;
  _mm_setcsr(on ? mode | 0x8040u : mode); /* FTZ and DAZ */
}
#else
static void flush_to_zero(bool on) { (void)on; }
#endif

/* A flat sheet hung from its top, so that it is under tension, and poked by a small sphere. */
static weft_model *make_sheet(weft_bending bending) {
  weft_error err;
  weft_mesh mesh = {0};
  weft_grid_desc grid = {.rows = 48, .columns = 48, .width = 1, .height = 1};
  assert_int_equal(weft_mesh_grid(&grid, &mesh, &err), WEFT_OK);
  weft_pin top = {.rule = WEFT_PIN_TOP};
  weft_material material = *weft_material_find("tablecloth");
  material.damping_time = 1e-3f;
  weft_model_desc desc = {
      .mesh = &mesh, .material = &material, .bending = bending, .pins = &top, .pin_count = 1};
  weft_model *model = NULL;
  assert_int_equal(weft_model_create(&desc, &model, &err), WEFT_OK);
  weft_mesh_free(&mesh);
  return model;
}

static weft_solver *make_solver(const weft_model *model, weft_mode mode, uint32_t iterations,
                                bool compensated) {
  weft_error err;
  weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE,
                        .a = {0.013f, 0.007f, -0.03f},
                        .radius = 0.031f,
                        .friction_static = 0.3f,
                        .friction_dynamic = 0.2f};
  weft_params params = {.plain = true,
                        .frame_dt = 1e-3f,
                        .substeps = 1,
                        .mode = mode,
                        .iterations = iterations,
                        .compensated = compensated,
                        .colliders = &ball,
                        .collider_count = 1,
                        .hybrid_min = 700};
  weft_solver *solver = NULL;
  assert_int_equal(weft_solver_create(model, &params, weft_backend_ref(), &solver, &err), WEFT_OK);
  return solver;
}

static void compare_buffer(weft_solver *keeps, weft_solver *flushes, weft_buffer_id id,
                           const char *when) {
  weft_contents strides;
  weft_contents_init(&strides);
  uint64_t rows = weft_solver_buffer_count(keeps, id);
  uint32_t stride = strides.buffers[id].stride;
  void *kept = weft_alloc((size_t)rows, stride), *flushed = weft_alloc((size_t)rows, stride);
  weft_solver_read_buffer(keeps, id, 0, rows, kept);
  weft_solver_read_buffer(flushes, id, 0, rows, flushed);
  if (memcmp(kept, flushed, (size_t)rows * stride) != 0) {
    fail_msg("flushing changed %s in %s", strides.buffers[id].name, when);
  }
  weft_free(kept);
  weft_free(flushed);
}

/* Steps two solvers, the second flushing, and compares after every substep: what dies away passes
 * through the subnormals at its front only. */
static void compare_runs(const weft_model *model, weft_mode mode, uint32_t iterations,
                         bool compensated) {
  enum { SUBSTEPS = 40 };
  weft_error err;
  weft_solver *keeps = make_solver(model, mode, iterations, compensated);
  weft_solver *flushes = make_solver(model, mode, iterations, compensated);
  uint32_t n = weft_model_particle_count(model);
  vec4 *kept = weft_alloc(n, sizeof *kept), *flushed = weft_alloc(n, sizeof *flushed);
  uint32_t moved = 0;
  for (int substep = 0; substep < SUBSTEPS; ++substep) {
    weft_solver_step(keeps, &err);
    flush_to_zero(true);
    weft_solver_step(flushes, &err);
    flush_to_zero(false);
    weft_solver_read_buffer(keeps, WEFT_BUFFER_V, 0, n, kept);
    weft_solver_read_buffer(flushes, WEFT_BUFFER_V, 0, n, flushed);
    assert_memory_equal(kept, flushed, n * sizeof *kept);
    weft_solver_read_buffer(keeps, WEFT_BUFFER_X, 0, n, kept);
    weft_solver_read_buffer(flushes, WEFT_BUFFER_X, 0, n, flushed);
    assert_memory_equal(kept, flushed, n * sizeof *kept);
  }
  for (uint32_t i = 0; i < n; ++i) moved += kept[i].z != 0;
  if (compensated) {
    compare_buffer(keeps, flushes, WEFT_BUFFER_X_LOW, "a run");
    compare_buffer(keeps, flushes, WEFT_BUFFER_V_LOW, "a run");
  }
  assert_true(moved > 0);
  weft_free(kept);
  weft_free(flushed);
  weft_solver_destroy(keeps);
  weft_solver_destroy(flushes);
}

static void flushing_changes_no_bit(void **state) {
  (void)state;
#if !defined(__SSE__)
  print_message("skipped: no way to switch flush-to-zero on here\n");
  skip();
#endif
  const weft_bending bendings[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL};
  for (size_t b = 0; b < 2; ++b) {
    weft_model *model = make_sheet(bendings[b]);
    for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
      compare_runs(model, (weft_mode)mode, 1, false);
      compare_runs(model, (weft_mode)mode, 4, false);
      compare_runs(model, (weft_mode)mode, 1, true);
      compare_runs(model, (weft_mode)mode, 4, true);
    }
    weft_model_destroy(model);
  }
}

/* ---- every other pass ---- */

static weft_solver *solver_of(const weft_model *model, const weft_params *params) {
  weft_error err;
  weft_solver *solver = NULL;
  weft_params plain = *params;
  plain.plain = true;
  assert_int_equal(weft_solver_create(model, &plain, weft_backend_ref(), &solver, &err), WEFT_OK);
  return solver;
}

/* Sizes over the whole range in which things become 0, and on both sides of it. */
static float tiny(weft_rng *rng) {
  float size = ldexpf(1, -(int)(weft_rng_u32(rng) % 70));
  float part = weft_rng_float(rng, 1, 2);
  return weft_rng_u32(rng) % 6 == 0 ? 0 : weft_rng_u32(rng) % 2 ? size * part : -size * part;
}

static weft_vec3 tiny3(weft_rng *rng) { return weft_v3(tiny(rng), tiny(rng), tiny(rng)); }

/* Anything that passes may leave in positions, former positions and velocities. */
static void scatter(weft_solver *keeps, weft_solver *flushes, weft_rng *rng) {
  uint32_t n = weft_model_particle_count(keeps->model);
  vec4 *x = weft_alloc(n, sizeof *x), *x_prev = weft_alloc(n, sizeof *x_prev);
  vec4 *v = weft_alloc(n, sizeof *v);
  for (uint32_t i = 0; i < n; ++i) {
    float w = keeps->model->inverse_masses[i];
    x[i] = exact_vec4(exact_flush3(tiny3(rng)), w);
    x_prev[i] = exact_vec4(exact_snap3(tiny3(rng)), w);
    v[i] = exact_vec4(exact_snap3(tiny3(rng)), 0);
  }
  weft_solver *both[] = {keeps, flushes};
  for (int k = 0; k < 2; ++k) {
    weft_solver_write_buffer(both[k], WEFT_BUFFER_X, 0, n, x);
    weft_solver_write_buffer(both[k], WEFT_BUFFER_X_PREV, 0, n, x_prev);
    weft_solver_write_buffer(both[k], WEFT_BUFFER_V, 0, n, v);
  }
  weft_free(x);
  weft_free(x_prev);
  weft_free(v);
}

/* Each pass from such places; those of contact and of the sums all from the same, since they hand
 * on to each other what they found there. */
static void compare_passes(weft_solver *keeps, weft_solver *flushes, weft_rng *rng) {
  weft_solver_begin_frame(keeps);
  weft_solver_begin_frame(flushes);
  weft_pass_kind last = WEFT_PASS_KIND_COUNT;
  for (size_t k = 0; k < keeps->passes.count; ++k) {
    const weft_pass *pass = &keeps->passes.items[k];
    const weft_pass_info *info = &weft_pass_infos[pass->kind];
    bool sums = pass->kind >= WEFT_PASS_DAMP_SUM && pass->kind <= WEFT_PASS_DAMP_VELOCITY;
    bool contact = pass->kind > WEFT_PASS_GRID_CLEAR && pass->kind <= WEFT_PASS_CONTACT_APPLY;
    if (!sums && !contact && last != pass->kind) scatter(keeps, flushes, rng);
    last = pass->kind;
    if (!weft_solver_pass_active(keeps, pass)) continue;
    keeps->backend->run(keeps->instance, pass, 0);
    flush_to_zero(true);
    flushes->backend->run(flushes->instance, pass, 0);
    flush_to_zero(false);
    for (uint32_t b = 0; b < info->binding_count; ++b) {
      if (info->bindings[b].writes && weft_binding_used(&info->bindings[b], pass->variant)) {
        compare_buffer(keeps, flushes, info->bindings[b].buffer, info->name);
      }
    }
  }
  weft_solver_end_frame(keeps);
  weft_solver_end_frame(flushes);
}

/* Two runs, the second flushing, side by side; x and v: where they start, NULL for the rest. */
static void compare_steps(const weft_model *model, const weft_params *params, const weft_vec3 *x,
                          const weft_vec3 *v, int steps) {
  weft_error err;
  weft_solver *keeps = solver_of(model, params);
  weft_solver *flushes = solver_of(model, params);
  assert_int_equal(weft_solver_write(keeps, x, v, &err), WEFT_OK);
  assert_int_equal(weft_solver_write(flushes, x, v, &err), WEFT_OK);
  for (int step = 0; step < steps; ++step) {
    weft_solver_step(keeps, &err);
    flush_to_zero(true);
    weft_solver_step(flushes, &err);
    flush_to_zero(false);
    compare_buffer(keeps, flushes, WEFT_BUFFER_X, "a frame");
    compare_buffer(keeps, flushes, WEFT_BUFFER_V, "a frame");
    compare_buffer(keeps, flushes, WEFT_BUFFER_CONTACTS_KEPT, "a frame");
  }
  weft_rng rng = weft_rng_seed(7);
  for (int round = 0; round < steps; ++round) compare_passes(keeps, flushes, &rng);
  weft_solver_destroy(keeps);
  weft_solver_destroy(flushes);
}

static void skip_without_sse(void) {
#if !defined(__SSE__)
  print_message("skipped: no way to switch flush-to-zero on here\n");
  skip();
#endif
}

/* Boxes, capsules and balls that move and turn by next to nothing or by a lot, and particles so
 * fast that they are swept, so slow that they are not, and at such places. */
static void flushing_changes_no_bit_of_contact(void **state) {
  (void)state;
  skip_without_sse();
  enum { N = 96 };
  static const weft_collider_shape shapes[] = {WEFT_COLLIDER_BOX, WEFT_COLLIDER_CAPSULE,
                                               WEFT_COLLIDER_SPHERE, WEFT_COLLIDER_PLANE};
  for (uint32_t seed = 0; seed < 400; ++seed) {
    weft_rng rng = weft_rng_seed(seed);
    weft_vec3 x[N], v[N];
    float masses[N];
    for (int i = 0; i < N; ++i) {
      x[i] = tiny3(&rng);
      float fast = i % 3 ? 1 : i % 2 ? 300 : 20;
      v[i] = weft_v3_scale(tiny3(&rng), fast);
      masses[i] = 1;
    }
    weft_collider_key keys[2][2];
    weft_collider colliders[2];
    for (int c = 0; c < 2; ++c) {
      for (int k = 0; k < 2; ++k) {
        keys[c][k] = (weft_collider_key){0.25f * (float)k, tiny3(&rng), tiny3(&rng), tiny3(&rng)};
        if (c == 0) keys[c][k].b = weft_v3_add(keys[c][k].b, weft_v3(0, 3, 0));
      }
      colliders[c] =
          (weft_collider){.shape = shapes[(seed + (uint32_t)c) % 4],
                          .radius = 1e-6f + fabsf(tiny(&rng)),
                          .half_size = {1e-6f + fabsf(tiny(&rng)), 1e-6f + fabsf(tiny(&rng)),
                                        1e-6f + fabsf(tiny(&rng))},
                          .friction_static = fabsf(tiny(&rng)),
                          .friction_dynamic = fabsf(tiny(&rng)),
                          .keys = keys[c],
                          .key_count = 2};
      for (int k = 0; k < 2 && colliders[c].shape == WEFT_COLLIDER_PLANE; ++k) {
        keys[c][k].b = weft_v3_add(weft_v3_scale(tiny3(&rng), 0.1f), weft_v3(0, 1, 0));
      }
    }
    weft_particles_desc desc = {.particle_count = N, .positions = x, .masses = masses};
    weft_model *model = NULL;
    weft_error err = {0};
    assert_int_equal(weft_model_create_particles(&desc, &model, &err), WEFT_OK);
    weft_params params = {.substeps = 4,
                          .colliders = colliders,
                          .collider_count = 2,
                          .thickness = seed % 3 ? fabsf(tiny(&rng)) : 0,
                          .no_gravity = seed % 2 == 0};
    compare_steps(model, &params, x, v, 3);
    weft_model_destroy(model);
  }
}

/* Grains on top of one another, nearly in one place, of very different mass, sliding by next to
 * nothing; under global damping. */
static void flushing_changes_no_bit_of_grains(void **state) {
  (void)state;
  skip_without_sse();
  enum { N = 40 };
  for (uint32_t seed = 0; seed < 300; ++seed) {
    weft_rng rng = weft_rng_seed(seed);
    weft_vec3 x[N], v[N];
    float masses[N];
    for (int i = 0; i < N; ++i) {
      x[i] = weft_v3_scale(tiny3(&rng), 0.2f);
      v[i] = tiny3(&rng);
      masses[i] = i % 9 == 8 ? 0 : i % 4 ? 1 : ldexpf(1, -(int)(weft_rng_u32(&rng) % 30));
    }
    weft_particles_desc desc = {
        .particle_count = N, .positions = x, .masses = masses, .radius = 0.05f};
    if (seed % 5 == 0) desc.radius = 1e-9f;
    weft_model *model = NULL;
    weft_error err = {0};
    assert_int_equal(weft_model_create_particles(&desc, &model, &err), WEFT_OK);
    weft_params params = {.substeps = 4,
                          .particle_contact = true,
                          .contact_static = seed % 2 ? 0.5f : fabsf(tiny(&rng)),
                          .contact_dynamic = seed % 2 ? 0.4f : fabsf(tiny(&rng)),
                          .global_damping = seed % 3 ? fabsf(tiny(&rng)) : 1e-38f,
                          .relaxation = seed % 4 ? 1 : 1e-3f,
                          .no_gravity = seed % 4 == 0};
    compare_steps(model, &params, x, v, 4);
    weft_model_destroy(model);
  }
}

/* Links of every sense, with multipliers, and attachments, between particles that are next to
 * nothing apart. */
static void flushing_changes_no_bit_of_links_and_lra(void **state) {
  (void)state;
  skip_without_sse();
  enum { N = 24 };
  for (uint32_t seed = 0; seed < 300; ++seed) {
    weft_rng rng = weft_rng_seed(seed);
    weft_vec3 x[N], v[N];
    float masses[N];
    weft_link links[N - 1];
    for (uint32_t i = 0; i < N; ++i) {
      x[i] = tiny3(&rng);
      v[i] = tiny3(&rng);
      masses[i] = i % 8 == 0 ? 0 : 1;
    }
    for (uint32_t i = 0; i + 1 < N; ++i) {
      links[i] = (weft_link){.a = i, .b = i + 1, .rest_length = 1e-9f + fabsf(tiny(&rng))};
      links[i].sense = (weft_sense)(weft_rng_u32(&rng) % 3);
      links[i].compliance = i % 2 ? 0 : fabsf(tiny(&rng));
      links[i].damping = i % 4 ? 0 : fabsf(tiny(&rng));
    }
    weft_particles_desc desc = {
        .particle_count = N, .positions = x, .masses = masses, .links = links, .link_count = N - 1};
    weft_model *model = NULL;
    weft_error err = {0};
    assert_int_equal(weft_model_create_particles(&desc, &model, &err), WEFT_OK);
    weft_params params = {.substeps = 3,
                          .iterations = 1 + seed % 3,
                          .mode = (weft_mode)(seed / 3 % 3),
                          .lra = 1 + seed % 4,
                          .global_damping = fabsf(tiny(&rng))};
    compare_steps(model, &params, x, v, 4);
    weft_model_destroy(model);
  }
}

/* Threads of two rows, drawn straight or left next to nothing apart, of masses from 2^-30 to 2^30
 * kg. */
static void flushing_changes_no_bit_of_lines(void **state) {
  (void)state;
  skip_without_sse();
  enum { COLUMNS = 40, N = 2 * COLUMNS };
  for (uint32_t seed = 0; seed < 300; ++seed) {
    weft_rng rng = weft_rng_seed(seed);
    weft_error err = {0};
    weft_mesh mesh = {0};
    weft_grid_desc grid = {.rows = 2, .columns = COLUMNS, .width = seed % 2 ? 4 : 1e-4f};
    assert_int_equal(weft_mesh_grid(&grid, &mesh, &err), WEFT_OK);
    weft_model_desc desc = {.mesh = &mesh};
    weft_model *model = NULL;
    assert_int_equal(weft_model_create(&desc, &model, &err), WEFT_OK);
    weft_vec3 x[N], v[N];
    for (uint32_t i = 0; i < N; ++i) {
      x[i] = seed % 3 ? tiny3(&rng) : weft_v3_add(mesh.positions[i], tiny3(&rng));
      v[i] = tiny3(&rng);
      if (i % 2) model->inverse_masses[i] = ldexpf(1, (int)(weft_rng_u32(&rng) % 61) - 30);
    }
    for (uint32_t i = 0; i < model->groups[0].count; i += 2) {
      model->groups[0].compliance[i] = fabsf(tiny(&rng));
    }
    weft_params params = {.substeps = 3, .line_sweeps = 1 + seed % 3};
    compare_steps(model, &params, x, v, 4);
    weft_model_destroy(model);
    weft_mesh_free(&mesh);
  }
}

/* A material too soft for float is switched off, not turned into NaN. */
static void absurdly_soft_cloth_stays_finite(void **state) {
  (void)state;
  weft_error err;
  weft_mesh mesh = {0};
  weft_grid_desc grid = {.rows = 4, .columns = 4};
  assert_int_equal(weft_mesh_grid(&grid, &mesh, &err), WEFT_OK);
  weft_material material = *weft_material_find("tablecloth");
  material.stretch_warp = material.stretch_weft = 1e-34f;
  material.bending = 1e-37f;
  weft_model_desc desc = {.mesh = &mesh, .material = &material};
  weft_model *model = NULL;
  assert_int_equal(weft_model_create(&desc, &model, &err), WEFT_OK);
  weft_params params = {.plain = true, .iterations = 3};
  weft_solver *solver;
  assert_int_equal(weft_solver_create(model, &params, weft_backend_ref(), &solver, &err), WEFT_OK);
  weft_solver_step(solver, &err);
  weft_metrics metrics;
  assert_int_equal(weft_solver_metrics(solver, &metrics, &err), WEFT_OK);
  assert_int_equal(metrics.nonfinite, 0);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_mesh_free(&mesh);
}

static void planes_that_turn_over_are_refused(void **state) {
  (void)state;
  weft_error err;
  weft_collider_key keys[2] = {{0, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
                               {1, {0, 0, 0}, {0, -1, 0}, {0, 0, 0}}};
  weft_collider plane = {.shape = WEFT_COLLIDER_PLANE, .keys = keys, .key_count = 2};
  weft_params params = {.colliders = &plane, .collider_count = 1}, resolved;
  assert_int_equal(weft_params_resolve(&params, &resolved, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "turns over"));
  keys[1].b = weft_v3(1, 0.1f, 0);
  assert_int_equal(weft_params_resolve(&params, &resolved, &err), WEFT_OK);
}

static void compare_picks(weft_solver *keeps, weft_solver *flushes, weft_rng *rng) {
  const weft_ray ray = {.origin = tiny3(rng),
                        .direction = weft_v3_add(tiny3(rng), weft_v3(0, 0, 1e-6f)),
                        .radius = fabsf(tiny(rng)),
                        .slope = fabsf(tiny(rng))};
  weft_hit kept, flushed;
  weft_error err;
  assert_int_equal(weft_solver_pick(keeps, &ray, &kept, &err), WEFT_OK);
  flush_to_zero(true);
  weft_solver_pick(flushes, &ray, &flushed, &err);
  flush_to_zero(false);
  assert_memory_equal(&kept, &flushed, sizeof kept);
  compare_buffer(keeps, flushes, WEFT_BUFFER_PICK, "a pick");
}

/* Springs from next to nothing to as hard as they come, to places next to nothing away; rays that
 * pass as near. */
static void flushing_changes_no_bit_of_a_hand_and_a_ray(void **state) {
  (void)state;
  skip_without_sse();
  enum { N = 130 };
  for (uint32_t seed = 0; seed < 200; ++seed) {
    weft_rng rng = weft_rng_seed(seed);
    weft_vec3 x[N];
    float masses[N];
    for (int i = 0; i < N; ++i) {
      x[i] = tiny3(&rng);
      masses[i] = ldexpf(1, (int)(weft_rng_u32(&rng) % 100) - 50);
    }
    weft_particles_desc desc = {.particle_count = N, .positions = x, .masses = masses};
    weft_model *model = NULL;
    weft_error err = {0};
    assert_int_equal(weft_model_create_particles(&desc, &model, &err), WEFT_OK);
    weft_params params = {.substeps = 4,
                          .grab = true,
                          .grab_stiffness = fabsf(tiny(&rng)),
                          .grab_damping = fabsf(tiny(&rng)),
                          .grab_limit = fabsf(tiny(&rng)),
                          .no_gravity = true};
    weft_solver *keeps = solver_of(model, &params), *flushes = solver_of(model, &params);
    for (uint32_t k = 0; k < 8; ++k) {
      weft_vec3 target = tiny3(&rng), then = tiny3(&rng);
      weft_solver *both[] = {keeps, flushes};
      for (int s = 0; s < 2; ++s) {
        assert_int_equal(weft_solver_grab(both[s], k, target, &err), WEFT_OK);
        assert_int_equal(weft_solver_move_grab(both[s], then, &err), WEFT_OK);
      }
      compare_picks(keeps, flushes, &rng);
      compare_passes(keeps, flushes, &rng);
    }
    weft_solver_destroy(keeps);
    weft_solver_destroy(flushes);
    weft_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flushing_changes_no_bit),
      cmocka_unit_test(flushing_changes_no_bit_of_contact),
      cmocka_unit_test(flushing_changes_no_bit_of_grains),
      cmocka_unit_test(flushing_changes_no_bit_of_links_and_lra),
      cmocka_unit_test(flushing_changes_no_bit_of_lines),
      cmocka_unit_test(flushing_changes_no_bit_of_a_hand_and_a_ray),
      cmocka_unit_test(absurdly_soft_cloth_stays_finite),
      cmocka_unit_test(planes_that_turn_over_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
