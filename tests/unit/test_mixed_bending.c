/* Mixed bending: every hinge in exactly one of two groups, with what the pure kinds would give it.
 */
#include "hinge.h"
#include "rig.h"
#include "test_model_meshes.h"

static const double fold_angle = 1.1; /* between panels of the accordion, radians */

/* Panels of two columns, folded to and fro about every second column. */
static weft_mesh accordion(uint32_t rows, uint32_t panels, double angle) {
  uint32_t columns = 2 * panels + 1;
  weft_mesh m = test_grid(rows, columns, WEFT_GRID_ALTERNATING, 0.02f, 0.03f);
  double slope = angle / 2;
  for (uint32_t i = 0; i < m.vertex_count; ++i) {
    uint32_t column = i % columns, in_pair = column % 4;
    double up = in_pair <= 2 ? in_pair : 4 - in_pair;
    m.positions[i].x = (float)(0.02 * column * cos(slope));
    m.positions[i].z = (float)(0.02 * up * sin(slope));
  }
  return m;
}

static weft_model *preprocess(const weft_mesh *mesh, weft_bending bending) {
  return rig_preprocess(&(weft_model_desc){.mesh = mesh, .bending = bending});
}

static const weft_constraint_group *find(const weft_model *model, const char *name) {
  for (uint32_t i = 0; i < model->group_count; ++i) {
    if (strcmp(model->groups[i].name, name) == 0) return &model->groups[i];
  }
  return NULL;
}

/* The constraint over the same edge: its place in the group, or UINT32_MAX. */
static uint32_t over_edge(const weft_constraint_group *g, uint32_t a, uint32_t b) {
  uint32_t at = g->type == WEFT_CONSTRAINT_DIHEDRAL ? 2 : 0;
  for (uint32_t i = 0; i < g->count; ++i) {
    const uint32_t *p = g->particles + 4 * (size_t)i + at;
    if ((p[0] == a && p[1] == b) || (p[0] == b && p[1] == a)) return i;
  }
  return UINT32_MAX;
}

static void creases_are_counted(void **state) {
  (void)state;
  const uint32_t rows = 5, panels = 6;
  static const double angles[] = {0, 0.3, 0.34, 0.36, 1.1};
  for (size_t k = 0; k < sizeof angles / sizeof *angles; ++k) {
    double sharpest;
    weft_mesh m = accordion(rows, panels, angles[k]);
    uint32_t wanted = angles[k] > 0.35 ? (rows - 1) * (panels - 1) : 0; /* 20 degrees */
    assert_int_equal(weft_mesh_creases(&m, &sharpest), wanted);
    assert_true(fabs(sharpest - angles[k]) < 1e-5);
    m.triangles[4] = m.vertex_count;
    assert_int_equal(weft_mesh_creases(&m, &sharpest), 0);
    weft_mesh_free(&m);
  }
}

static void folds_are_dihedral_with_their_angle_and_panels_isometric(void **state) {
  (void)state;
  const uint32_t rows = 5, panels = 6;
  weft_mesh m = accordion(rows, panels, fold_angle);
  weft_model *model = preprocess(&m, WEFT_BENDING_MIXED);
  const weft_constraint_group *folds = find(model, "bend dihedral");
  assert_non_null(folds);
  assert_int_equal(folds->count, (rows - 1) * (panels - 1));
  uint32_t columns = 2 * panels + 1;
  for (uint32_t i = 0; i < folds->count; ++i) {
    const uint32_t *p = folds->particles + 4 * (size_t)i;
    assert_int_equal(p[2] % columns, p[3] % columns); /* along a fold */
    assert_int_equal(p[2] % columns % 2, 0);
    /* Fronts face +z: past a valley the next panel rises, and its front turns about +y by less. */
    bool valley = p[2] % columns % 4 == 0;
    assert_true(fabs((double)folds->rest[i] - (valley ? -fold_angle : fold_angle)) < 1e-5);
  }
  weft_model_destroy(model);
  test_mesh_free(&m);
}

static void each_hinge_is_in_one_group_with_the_values_of_the_pure_kind(void **state) {
  (void)state;
  weft_mesh m = accordion(6, 5, fold_angle);
  weft_model *mixed = preprocess(&m, WEFT_BENDING_MIXED);
  weft_model *dihedral = preprocess(&m, WEFT_BENDING_DIHEDRAL);
  weft_model *isometric = preprocess(&m, WEFT_BENDING_ISOMETRIC);
  const weft_constraint_group *all = find(dihedral, "bend dihedral");
  const weft_constraint_group *quadratic = find(isometric, "bend isometric");
  const weft_constraint_group *folds = find(mixed, "bend dihedral");
  const weft_constraint_group *flats = find(mixed, "bend isometric");
  assert_int_equal(folds->count + flats->count, all->count);
  for (uint32_t i = 0; i < all->count; ++i) {
    const uint32_t *p = all->particles + 4 * (size_t)i;
    uint32_t fold = over_edge(folds, p[2], p[3]), flat = over_edge(flats, p[2], p[3]);
    assert_true((fold == UINT32_MAX) != (flat == UINT32_MAX));
    if (fold != UINT32_MAX) {
      assert_memory_equal(folds->particles + 4 * (size_t)fold, p, 4 * sizeof *p);
      assert_true(folds->rest[fold] == all->rest[i]);
      assert_true(folds->compliance[fold] == all->compliance[i]);
    } else {
      uint32_t k = over_edge(quadratic, p[2], p[3]);
      assert_memory_equal(flats->weights + 4 * (size_t)flat, quadratic->weights + 4 * (size_t)k,
                          4 * sizeof(float));
      assert_true(flats->compliance[flat] == quadratic->compliance[k]);
    }
  }
  weft_model_destroy(mixed);
  weft_model_destroy(dihedral);
  weft_model_destroy(isometric);
  test_mesh_free(&m);
}

/* Only what the rest shape needs: no empty group, and up to 20 degrees counts as round, not as a
 * crease. */
static void round_cloth_is_all_isometric_and_creases_are_dihedral(void **state) {
  (void)state;
  const struct {
    double degrees;
    bool folded;
  } rows[] = {{0, false}, {19.5, false}, {-19.5, false}, {20.5, true}, {90, true}, {-60, true}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    weft_mesh m = accordion(3, 4, rows[k].degrees / 57.29577951308232);
    weft_model *model = preprocess(&m, WEFT_BENDING_MIXED);
    assert_non_null(find(model, "bend isometric"));
    assert_true((find(model, "bend dihedral") != NULL) == rows[k].folded);
    weft_model_destroy(model);
    test_mesh_free(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(creases_are_counted),
      cmocka_unit_test(folds_are_dihedral_with_their_angle_and_panels_isometric),
      cmocka_unit_test(each_hinge_is_in_one_group_with_the_values_of_the_pure_kind),
      cmocka_unit_test(round_cloth_is_all_isometric_and_creases_are_dihedral),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
