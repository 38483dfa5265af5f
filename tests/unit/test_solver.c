/* The solver's data: parameters, contents, pass list; and its public API on the reference. */
#include "rig.h"

static weft_model *sheet(uint32_t rows, uint32_t columns, const char *fabric, weft_bending bending,
                         weft_pin_rule pins) {
  const weft_grid_desc grid = {.rows = rows, .columns = columns};
  return rig_sheet(&grid, fabric, bending, false, pins);
}

static weft_solver *on_ref(const weft_model *model, const weft_params *params) {
  return rig_solver(model, params, weft_backend_ref());
}

/* ---- parameters ---- */

static void defaults_are_put_in(void **state) {
  (void)state;
  weft_params out;
  assert_int_equal(weft_params_resolve(&(weft_params){0}, &out, NULL), WEFT_OK);
  assert_true(out.frame_dt == 1.0f / 60 && out.substeps == 0 && out.iterations == 1);
  assert_true(out.gravity.y == -9.81f && out.gravity.x == 0 && out.relaxation == 1);
  assert_int_equal(weft_params_resolve(&(weft_params){.no_gravity = true}, &out, NULL), WEFT_OK);
  assert_true(out.gravity.y == 0);
  weft_params in = {.no_self_pushes = true, .self_iterations = 3};
  assert_int_equal(weft_params_resolve(&in, &out, NULL), WEFT_OK);
  assert_int_equal(out.self_iterations, 0);
  assert_int_equal(weft_params_resolve(&out, &out, NULL), WEFT_OK);
  assert_int_equal(out.self_iterations, 0);
}

/* What is complete keeps its zeros. */
static void a_zero_can_be_said(void **state) {
  (void)state;
  weft_params out, in = weft_params_default();
  assert_int_equal(weft_params_resolve(&in, &out, NULL), WEFT_OK);
  assert_true(out.substeps == 0 && out.gravity.y == -9.81f && out.drag == 1.2f);
  in.drag = in.skin_friction = in.thickness = 0;
  in.gravity = weft_v3(0, 0, 0);
  assert_int_equal(weft_params_resolve(&in, &out, NULL), WEFT_OK);
  assert_true(out.drag == 0 && out.skin_friction == 0 && out.gravity.y == 0);
  in.iterations = 0;
  assert_int_equal(weft_params_resolve(&in, &out, NULL), WEFT_ERROR_ARGUMENT);
  in.iterations = 1;
  in.plain = true; /* nobody chooses */
  assert_int_equal(weft_params_resolve(&in, &out, NULL), WEFT_OK);
  assert_int_equal(out.substeps, 20);
}

static void parameters_out_of_range_are_refused_by_name(void **state) {
  (void)state;
  static const weft_collider no_normal = {.shape = WEFT_COLLIDER_PLANE};
  static const weft_collider no_radius = {.shape = WEFT_COLLIDER_SPHERE};
  static const weft_collider unknown = {.shape = (weft_collider_shape)7, .radius = 1};
  static const weft_collider_key back[] = {{1, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
                                           {0, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}}};
  static const weft_collider backwards = {
      .shape = WEFT_COLLIDER_PLANE, .keys = back, .key_count = 2};
  static const weft_collider no_size = {.shape = WEFT_COLLIDER_BOX, .half_size = {1, 0, 1}};
  static const weft_collider lost = {
      .shape = WEFT_COLLIDER_SPHERE, .radius = 1, .rotation = {0, NAN, 0}};
  static const weft_collider_key whirl[] = {{0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                                            {1, {0, 0, 0}, {0, 0, 0}, {0, 2000, 0}}};
  static const weft_collider whirling = {
      .shape = WEFT_COLLIDER_SPHERE, .radius = 1, .keys = whirl, .key_count = 2};
  const struct {
    weft_params params;
    const char *word;
  } cases[] = {
      {{.frame_dt = -1}, "frame time"},
      {{.frame_dt = NAN}, "frame time"},
      {{.substeps = WEFT_MAX_SUBSTEPS + 1}, "substeps"},
      {{.iterations = WEFT_MAX_ITERATIONS + 1}, "iterations"},
      {{.relaxation = 2}, "relaxation"},
      {{.damping = -1}, "damping"},
      {{.thickness = -1}, "thickness"},
      {{.gravity = {INFINITY, 0, 0}}, "gravity"},
      {{.wind = {0, NAN, 0}}, "wind"},
      {{.gust = 1.5f}, "gust"},
      {{.mode = (weft_mode)9}, "mode"},
      {{.colliders = &no_normal, .collider_count = 1}, "normal"},
      {{.colliders = &no_radius, .collider_count = 1}, "radius"},
      {{.colliders = &unknown, .collider_count = 1}, "shape"},
      {{.colliders = &backwards, .collider_count = 1}, "ascend"},
      {{.colliders = &no_size, .collider_count = 1}, "half size (m) along y of collider 0"},
      {{.colliders = &lost, .collider_count = 1}, "rotation (rad) of collider 0"},
      {{.plain = true, .colliders = &whirling, .collider_count = 1}, "more substeps"},
      {{.collider_count = WEFT_MAX_COLLIDERS + 1}, "colliders"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    weft_error err = {0};
    weft_params out;
    assert_int_equal(weft_params_resolve(&cases[k].params, &out, &err), WEFT_ERROR_ARGUMENT);
    if (!strstr(err.message, cases[k].word)) fail_msg("'%s' in: %s", cases[k].word, err.message);
  }
}

/* What becomes of a complete set in which one component of one row is so. */
static void expect_of_row(uint32_t row, uint32_t component, double value, bool taken) {
  const weft_param_info *p = &weft_param_infos[row];
  weft_params in = weft_params_default();
  void *at = (char *)&in + p->offset;
  const bool real = p->kind == WEFT_KIND_REAL || p->kind == WEFT_KIND_VEC3;
  if (real) ((float *)at)[component] = (float)value;
  if (!real) *(uint32_t *)at = (uint32_t)value;
  weft_error err = {0};
  const weft_result result = weft_params_resolve(&in, &in, &err);
  if (taken == (result == WEFT_OK) && (taken || strstr(err.message, p->what))) return;
  fail_msg("%s, component %u, %g: %s", p->name, component, value, taken ? err.message : "taken");
}

static void every_row_is_held_to_its_range(void **state) {
  (void)state;
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    const weft_param_info *p = &weft_param_infos[k];
    const bool choice = p->kind == WEFT_KIND_CHOICE, count = p->kind == WEFT_KIND_COUNT;
    const double high = choice ? 1 : p->high, step = choice || count ? 1 : 1e-6 * fabs(high);
    double past = high + step;
    while (choice && p->choices[(int)past]) past += 1;
    if (p->kind == WEFT_KIND_FLAG) continue;
    for (uint32_t c = 0; c < (p->kind == WEFT_KIND_VEC3 ? 3 : 1); ++c) {
      expect_of_row(k, c, p->low, true);
      expect_of_row(k, c, high, true);
      if (past <= UINT32_MAX || !count) expect_of_row(k, c, past, false);
      if (!choice && !count) expect_of_row(k, c, NAN, false);
      if (!choice && !count) expect_of_row(k, c, p->low - step, false);
      if (count && p->low == 1) expect_of_row(k, c, 0, p->otherwise == 0);
    }
  }
}

static void zeros_become_the_defaults_of_every_row(void **state) {
  (void)state;
  weft_params out;
  const weft_params defaults = weft_params_default();
  assert_int_equal(weft_params_resolve(&(weft_params){0}, &out, NULL), WEFT_OK);
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    if (!weft_param_same(&out, &defaults, k)) fail_msg("%s", weft_param_infos[k].name);
    const uint32_t up = weft_param_infos[k].kind == WEFT_KIND_VEC3;
    assert_true((float)weft_param_of(&out, k, up) == (float)weft_param_infos[k].otherwise);
  }
}

/* ---- the pass list ---- */

/* Marks each projected element of a group; every one must be projected once per iteration. */
static void check_coverage(const weft_model *model, const weft_params *params,
                           const weft_pass_list *list) {
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    uint32_t base = weft_group_base(model, g);
    uint32_t *hits = calloc(group->count, sizeof *hits);
    for (size_t k = 0; k < list->count; ++k) {
      const weft_pass *p = &list->items[k];
      if (p->kind != weft_project_pass(group->type)) continue;
      if (p->first < base || p->first >= base + group->count) continue;
      assert_true(p->first + p->count <= base + group->count);
      for (uint32_t i = 0; i < p->count; ++i) hits[p->first - base + i]++;
    }
    for (uint32_t i = 0; i < group->count; ++i) assert_int_equal(hits[i], params->iterations);
    free(hits);
  }
}

static void every_constraint_is_projected_once_an_iteration_in_every_mode(void **state) {
  (void)state;
  weft_model *model = sheet(13, 9, "tshirt", WEFT_BENDING_ISOMETRIC, WEFT_PIN_CORNERS);
  for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
    for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
      weft_params in = {
          .plain = true, .mode = (weft_mode)mode, .iterations = iterations, .hybrid_min = 30};
      weft_params params;
      assert_int_equal(weft_params_resolve(&in, &params, NULL), WEFT_OK);
      weft_pass_list list = {0};
      weft_solver_pass_list(model, &params, NULL, &list);
      check_coverage(model, &params, &list);
      assert_int_equal(list.items[0].kind, WEFT_PASS_PREDICT);
      assert_int_equal(list.items[list.count - 1].kind, WEFT_PASS_UPDATE_VELOCITY);
      weft_free(list.items);
    }
  }
  weft_model_destroy(model);
}

static void multipliers_are_kept_only_where_they_are_needed(void **state) {
  (void)state;
  weft_model *model = sheet(6, 6, "tshirt", WEFT_BENDING_ISOMETRIC, WEFT_PIN_NONE);
  for (uint32_t iterations = 1; iterations <= 2; ++iterations) {
    weft_params params;
    weft_params_resolve(&(weft_params){.plain = true, .iterations = iterations}, &params, NULL);
    weft_pass_list list = {0};
    weft_solver_pass_list(model, &params, NULL, &list);
    uint32_t resets = 0, projections = 0;
    for (size_t k = 0; k < list.count; ++k) {
      if (weft_pass_arity(list.items[k].kind) == 0) continue;
      ++projections;
      resets += list.items[k].first_iteration;
      bool lambda = list.items[k].variant & WEFT_VARIANT_LAMBDA;
      assert_true(lambda == (iterations > 1));
    }
    assert_int_equal(resets, projections / iterations); /* once a substep */
    weft_free(list.items);
  }
  weft_model_destroy(model);
}

static void air_and_colliders_add_their_passes(void **state) {
  (void)state;
  weft_model *model = sheet(4, 4, "tshirt", WEFT_BENDING_NONE, WEFT_PIN_TOP);
  weft_collider floor = {.shape = WEFT_COLLIDER_PLANE, .b = {0, 1, 0}};
  weft_params params;
  weft_params_resolve(
      &(weft_params){.plain = true, .air_density = 1.2f, .colliders = &floor, .collider_count = 1},
      &params, NULL);
  weft_pass_list list = {0};
  weft_solver_pass_list(model, &params, NULL, &list);
  assert_int_equal(list.items[0].kind, WEFT_PASS_AERO_FORCE);
  assert_int_equal(list.items[1].kind, WEFT_PASS_AERO_GATHER);
  assert_int_equal(list.items[3].kind, WEFT_PASS_MOVE_PINS);
  assert_int_equal(list.items[list.count - 2].kind, WEFT_PASS_COLLIDE);
  weft_free(list.items);
  weft_model_destroy(model);
}

/* ---- initial contents ---- */

static void gs_denominators_are_one_over_w_plus_alpha(void **state) {
  (void)state;
  weft_model *model = sheet(7, 5, "tshirt", WEFT_BENDING_NONE, WEFT_PIN_CORNERS);
  weft_params params;
  weft_params_resolve(&(weft_params){.plain = true}, &params, NULL);
  weft_contents contents;
  assert_int_equal(weft_solver_contents(model, &params, &contents, NULL), WEFT_OK);
  const weft_pair_element *rows = contents.buffers[WEFT_BUFFER_DISTANCE].data;
  double dt = (double)params.frame_dt / 20;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    for (uint32_t i = 0; i < group->count; ++i) {
      const weft_pair_element *row = &rows[weft_group_base(model, g) + i];
      double w = (double)model->inverse_masses[row->a] + (double)model->inverse_masses[row->b];
      double expected = w > 0 ? 1 / (w + (double)group->compliance[i] / (dt * dt)) : 0;
      assert_true(fabs((double)row->factor - expected) <= 1e-7 * expected);
      assert_true(row->rest == group->rest[i]);
    }
  }
  weft_contents_free(&contents);
  weft_model_destroy(model);
}

static void jacobi_gathers_each_slot_once_in_ascending_order(void **state) {
  (void)state;
  weft_model *model = sheet(7, 5, "tshirt", WEFT_BENDING_ISOMETRIC, WEFT_PIN_NONE);
  weft_params params;
  weft_params_resolve(&(weft_params){.plain = true, .mode = WEFT_MODE_JACOBI}, &params, NULL);
  weft_contents contents;
  assert_int_equal(weft_solver_contents(model, &params, &contents, NULL), WEFT_OK);
  const uint32_t *offsets = contents.buffers[WEFT_BUFFER_GATHER_OFFSETS].data;
  const uint32_t *slots = contents.buffers[WEFT_BUFFER_GATHER_SLOTS].data;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    const uint32_t *row = offsets + (size_t)g * (model->particle_count + 1);
    uint32_t *hits = calloc((size_t)group->count * group->arity, sizeof *hits);
    for (uint32_t p = 0; p < model->particle_count; ++p) {
      for (uint32_t k = row[p]; k < row[p + 1]; ++k) {
        assert_true(k == row[p] || slots[k] > slots[k - 1]);
        assert_int_equal(group->particles[slots[k]], p);
        hits[slots[k]]++;
      }
    }
    for (uint32_t s = 0; s < group->count * group->arity; ++s) assert_int_equal(hits[s], 1);
    free(hits);
  }
  weft_contents_free(&contents);
  weft_model_destroy(model);
}

/* ---- the API ---- */

static void a_reset_run_repeats_its_hash_and_differs_from_other_states(void **state) {
  (void)state;
  weft_model *model = sheet(8, 8, "tshirt", WEFT_BENDING_ISOMETRIC, WEFT_PIN_CORNERS);
  weft_solver *solver = on_ref(model, &(weft_params){0});
  uint64_t start, first, second, again;
  start = rig_hash(solver);
  weft_solver_step(solver, NULL);
  first = rig_hash(solver);
  weft_solver_step(solver, NULL);
  second = rig_hash(solver);
  assert_true(start != first && first != second);
  assert_int_equal(weft_solver_frame(solver), 2);
  assert_true(fabs(weft_solver_time(solver) - 2.0 / 60) < 1e-7);
  weft_solver_reset(solver, NULL);
  assert_int_equal(weft_solver_frame(solver), 0);
  again = rig_hash(solver);
  assert_true(again == start);
  weft_solver_step(solver, NULL);
  again = rig_hash(solver);
  assert_true(again == first);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void state_written_is_state_read(void **state) {
  (void)state;
  weft_model *model = sheet(5, 5, "tshirt", WEFT_BENDING_NONE, WEFT_PIN_NONE);
  weft_solver *solver = on_ref(model, &(weft_params){0});
  weft_vec3 x[25], v[25], x2[25], v2[25];
  weft_rng rng = weft_rng_seed(5);
  for (int i = 0; i < 25; ++i) {
    x[i] = weft_v3(weft_rng_float(&rng, -1, 1), weft_rng_float(&rng, -1, 1), 0.5f);
    v[i] = weft_v3(weft_rng_float(&rng, -1, 1), 0, weft_rng_float(&rng, -1, 1));
  }
  assert_int_equal(weft_solver_write(solver, x, v, NULL), WEFT_OK);
  assert_int_equal(weft_solver_read(solver, x2, v2, NULL), WEFT_OK);
  assert_memory_equal(x, x2, sizeof x);
  assert_memory_equal(v, v2, sizeof v);
  weft_error err = {0};
  x[7].y = NAN;
  assert_int_equal(weft_solver_write(solver, x, NULL, &err), WEFT_ERROR_NOT_FINITE);
  assert_non_null(strstr(err.message, "particle 7"));
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* A start is what writing the same state makes, from the first frame on and after a reset. */
static void a_run_begins_where_it_is_told(void **state) {
  (void)state;
  weft_model *model = sheet(5, 5, "tshirt", WEFT_BENDING_NONE, WEFT_PIN_CORNERS);
  weft_vec3 start[25], x[25];
  for (int i = 0; i < 25; ++i) {
    weft_vec3 p = model->rest_positions[i];
    start[i] = weft_v3(p.z - 0.25f, p.y + 2, 1.01f * p.x);
  }
  const weft_backend *backends[] = {weft_backend_ref(), weft_backend_cpu(1), weft_backend_f64()};
  for (size_t k = 0; k < 3; ++k) {
    const weft_params begin = {.start = start}, plain = {0};
    weft_error err = {0};
    weft_solver *told = NULL, *written = NULL;
    assert_int_equal(weft_solver_create(model, &begin, backends[k], &told, &err), WEFT_OK);
    assert_int_equal(weft_solver_create(model, &plain, backends[k], &written, &err), WEFT_OK);
    assert_int_equal(weft_solver_read(told, x, NULL, &err), WEFT_OK);
    assert_memory_equal(x, start, sizeof x);
    assert_int_equal(weft_solver_write(written, start, NULL, &err), WEFT_OK);
    uint64_t hashes[3];
    for (int frame = 0; frame < 3; ++frame) {
      assert_int_equal(weft_solver_step(told, &err), WEFT_OK);
      assert_int_equal(weft_solver_step(written, &err), WEFT_OK);
    }
    assert_int_equal(weft_solver_hash(told, &hashes[0], &err), WEFT_OK);
    assert_int_equal(weft_solver_hash(written, &hashes[1], &err), WEFT_OK);
    const uint32_t first_pin = 0; /* a pin that is told where to go shows where all are held */
    assert_int_equal(weft_solver_move_pins(told, &first_pin, start, 1, &err), WEFT_OK);
    weft_solver_step(told, &err);
    weft_solver_read(told, x, NULL, &err);
    for (int i = 0; i < 25; ++i) {
      if (model->inverse_masses[i] == 0) assert_memory_equal(&x[i], &start[i], sizeof *x);
    }
    assert_int_equal(weft_solver_reset(told, &err), WEFT_OK);
    weft_solver_read(told, x, NULL, &err);
    assert_memory_equal(x, start, sizeof x);
    for (int frame = 0; frame < 3; ++frame) weft_solver_step(told, &err);
    assert_int_equal(weft_solver_hash(told, &hashes[2], &err), WEFT_OK);
    assert_int_equal(hashes[0], hashes[1]);
    assert_int_equal(hashes[0], hashes[2]);
    weft_solver_destroy(told);
    weft_solver_destroy(written);
  }
  weft_solver *solver = NULL;
  weft_error err = {0};
  start[7].y = NAN;
  const weft_params bad = {.start = start};
  assert_int_equal(weft_solver_create(model, &bad, weft_backend_ref(), &solver, &err),
                   WEFT_ERROR_NOT_FINITE);
  assert_string_equal(err.message, "the start position of particle 7 is not finite");
  assert_null(solver);
  weft_model_destroy(model);
}

static void only_pins_can_be_moved(void **state) {
  (void)state;
  weft_model *model = sheet(5, 5, "tshirt", WEFT_BENDING_NONE, WEFT_PIN_CORNERS);
  weft_solver *solver = on_ref(model, &(weft_params){0});
  weft_error err = {0};
  uint32_t free_particle = 12, pinned = 4;
  weft_vec3 target = {0, 1, 0}, nowhere = {0, NAN, 0};
  assert_int_equal(weft_solver_move_pins(solver, &free_particle, &target, 1, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "12"));
  assert_int_equal(weft_solver_move_pins(solver, &pinned, &target, 1, &err), WEFT_OK);
  assert_int_equal(weft_solver_move_pins(solver, &pinned, &nowhere, 1, &err),
                   WEFT_ERROR_NOT_FINITE);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void metrics_measure_a_known_state(void **state) {
  (void)state;
  weft_model *model = sheet(3, 3, "tshirt", WEFT_BENDING_NONE, WEFT_PIN_NONE);
  weft_solver *solver = on_ref(model, &(weft_params){0});
  weft_vec3 x[9], v[9];
  for (int i = 0; i < 9; ++i) {
    x[i] = weft_v3_scale(weft_model_rest_positions(model)[i], 1.02f); /* 2 % larger */
    v[i] = weft_v3(3, 0, 0);
  }
  weft_solver_write(solver, x, v, NULL);
  weft_metrics m;
  assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
  double mass = (double)weft_material_find("tshirt")->area_density; /* of a square metre */
  assert_true(fabs(m.strain_mean - 0.02) < 1e-6 && fabs(m.strain_max - 0.02) < 1e-6);
  assert_true(fabs(m.kinetic_energy - 0.5 * mass * 9) < 1e-6);
  assert_true(fabs(m.momentum[0] - 3 * mass) < 1e-6 && fabs(m.momentum[1]) < 1e-9);
  assert_true(m.nonfinite == 0 && fabs(m.max_speed - 3) < 1e-6);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* Every invocation of a batch may run in any order: walking it backwards must not change a bit. */
static void the_order_within_a_batch_does_not_matter(void **state) {
  (void)state;
  weft_model *model = sheet(9, 11, "tshirt", WEFT_BENDING_DIHEDRAL, WEFT_PIN_CORNERS);
  weft_solver *forward = on_ref(model, &(weft_params){0});
  weft_solver *backward = on_ref(model, &(weft_params){0});
  for (int frame = 0; frame < 3; ++frame) {
    weft_solver_step(forward, NULL);
    weft_solver_begin_frame(backward);
    for (uint32_t s = 0; s < 20; ++s) {
      for (size_t k = 0; k < backward->passes.count; ++k) {
        weft_pass pass = backward->passes.items[k];
        if (!weft_solver_pass_active(backward, &pass)) continue;
        uint32_t first = pass.first, count = pass.count;
        for (uint32_t i = count; i-- > 0;) {
          pass.first = first + i;
          pass.count = 1;
          backward->backend->run(backward->instance, &pass, s);
        }
      }
    }
    weft_solver_end_frame(backward);
  }
  uint64_t a, b;
  a = rig_hash(forward);
  b = rig_hash(backward);
  assert_true(a == b);
  weft_solver_destroy(forward);
  weft_solver_destroy(backward);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_are_put_in),
      cmocka_unit_test(a_zero_can_be_said),
      cmocka_unit_test(parameters_out_of_range_are_refused_by_name),
      cmocka_unit_test(every_row_is_held_to_its_range),
      cmocka_unit_test(zeros_become_the_defaults_of_every_row),
      cmocka_unit_test(every_constraint_is_projected_once_an_iteration_in_every_mode),
      cmocka_unit_test(multipliers_are_kept_only_where_they_are_needed),
      cmocka_unit_test(air_and_colliders_add_their_passes),
      cmocka_unit_test(gs_denominators_are_one_over_w_plus_alpha),
      cmocka_unit_test(jacobi_gathers_each_slot_once_in_ascending_order),
      cmocka_unit_test(a_reset_run_repeats_its_hash_and_differs_from_other_states),
      cmocka_unit_test(state_written_is_state_read),
      cmocka_unit_test(a_run_begins_where_it_is_told),
      cmocka_unit_test(only_pins_can_be_moved),
      cmocka_unit_test(metrics_measure_a_known_state),
      cmocka_unit_test(the_order_within_a_batch_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
