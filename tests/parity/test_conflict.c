/* A colour conflict planted on purpose: two constraints of one batch share a particle. The model's
 * own validator refuses it, and were it let through, order within the batch would show. */
#include "../physics/rig.h"

static weft_model *sheet(void) {
  weft_grid_desc grid = {.rows = 12, .columns = 12};
  return rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
}

/* Makes the second constraint of the first colour begin where the first one does. */
static void plant_conflict(weft_model *model, uint32_t group) {
  weft_constraint_group *g = &model->groups[group];
  assert_true(g->colour_sizes[0] >= 2);
  g->particles[g->arity] = g->particles[0];
}

static void the_validator_refuses_a_planted_conflict_in_any_group(void **state) {
  (void)state;
  for (uint32_t group = 0;; ++group) {
    weft_model *model = sheet();
    if (group == model->group_count) {
      weft_model_destroy(model);
      break;
    }
    assert_int_equal(weft_model_validate(model, NULL), WEFT_OK);
    plant_conflict(model, group);
    weft_error err = {0};
    assert_int_not_equal(weft_model_validate(model, &err), WEFT_OK);
    print_message("%s\n", err.message);
    weft_model_destroy(model);
  }
}

static void run_backwards(weft_solver *solver) {
  for (size_t k = 0; k < solver->passes.count; ++k) {
    weft_pass pass = solver->passes.items[k];
    if (!weft_solver_pass_active(solver, &pass)) continue;
    uint32_t first = pass.first, count = pass.count;
    for (uint32_t i = count; i-- > 0;) {
      pass.first = first + i;
      pass.count = 1;
      solver->backend->run(solver->instance, &pass, 0);
    }
  }
}

/* The same substep with each batch walked forward and backward: equal without a conflict, different
 * with one. This is what a device that runs a batch in any order would meet. */
static void order_shows_only_where_a_conflict_is(void **state) {
  const weft_backend *backend = rig_backend(state);
  for (int planted = 0; planted < 2; ++planted) {
    weft_model *model = sheet();
    if (planted) plant_conflict(model, 0);
    weft_params params = {.substeps = 1};
    weft_solver *one = rig_solver(model, &params, weft_backend_ref());
    weft_solver *other = rig_solver(model, &params, backend);
    weft_vec3 *stretched = calloc(model->particle_count, sizeof *stretched);
    for (uint32_t i = 0; i < model->particle_count; ++i) {
      stretched[i] = weft_v3_scale(model->rest_positions[i], 1.1f);
    }
    rig_write(one, stretched, NULL);
    rig_write(other, stretched, NULL);
    free(stretched);
    weft_solver_begin_frame(one);
    weft_solver_begin_frame(other);
    weft_solver_run_substep(one, 0);
    run_backwards(other);
    assert_true((rig_hash(one) == rig_hash(other)) == !planted);
    weft_solver_destroy(one);
    weft_solver_destroy(other);
    weft_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_validator_refuses_a_planted_conflict_in_any_group),
      RIG_BOTH(order_shows_only_where_a_conflict_is),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
