/* A large mesh in a bad order: put in a good one, it moves as before, and everything that has a
 * vertex's number on it still has the number of the file. */
#include <math.h>
#include <string.h>
/* before cmocka */
#include "cmocka_all.h"
/* after cmocka */
#include <weft/solver.h>
#include <weft_kit/export.h>

#include "base.h"
#include "model.h"
#include "text_of.h"

enum { ROWS = 140, COLUMNS = 150, VERTICES = ROWS * COLUMNS };

static weft_mesh sheet(void) {
  weft_mesh mesh = {0};
  weft_grid_desc desc = {.rows = ROWS, .columns = COLUMNS, .plane = WEFT_PLANE_XZ};
  assert_int_equal(weft_mesh_grid(&desc, &mesh, NULL), WEFT_OK);
  mesh.grid_rows = mesh.grid_columns = 0; /* as from a file */
  return mesh;
}

static void shuffle(uint32_t *items, uint32_t count, weft_rng *rng) {
  for (uint32_t i = 0; i < count; ++i) items[i] = i;
  for (uint32_t i = count - 1; i > 0; --i) {
    uint32_t k = weft_rng_u32(rng) % (i + 1), swap = items[i];
    items[i] = items[k];
    items[k] = swap;
  }
}

/* The sheet with vertices and triangles in random order, in two pieces that do not touch. */
static weft_mesh shuffled_sheet(void) {
  weft_mesh from = sheet(), mesh = sheet();
  weft_rng rng = weft_rng_seed(3);
  uint32_t *place = weft_alloc(VERTICES, sizeof *place), n = 0;
  uint32_t *triangle = weft_alloc(from.triangle_count, sizeof *triangle);
  shuffle(place, VERTICES, &rng);
  shuffle(triangle, from.triangle_count, &rng);
  for (uint32_t v = 0; v < VERTICES; ++v) mesh.positions[place[v]] = from.positions[v];
  for (uint32_t t = 0; t < from.triangle_count; ++t) {
    const uint32_t *v = from.triangles + 3 * (size_t)triangle[t];
    bool upper = v[0] / COLUMNS < 60 || v[1] / COLUMNS < 60 || v[2] / COLUMNS < 60;
    bool lower = v[0] / COLUMNS >= 60 || v[1] / COLUMNS >= 60 || v[2] / COLUMNS >= 60;
    if (upper && lower) continue;
    for (int c = 0; c < 3; ++c) mesh.triangles[3 * (size_t)n + (size_t)c] = place[v[c]];
    ++n;
  }
  mesh.triangle_count = n;
  weft_free(place);
  weft_free(triangle);
  weft_mesh_free(&from);
  return mesh;
}

static weft_mesh copy_of(const weft_mesh *mesh) {
  weft_mesh copy = *mesh;
  size_t corners = 3 * (size_t)mesh->triangle_count;
  copy.positions = weft_alloc(mesh->vertex_count, sizeof *copy.positions);
  copy.triangles = weft_alloc(corners, sizeof *copy.triangles);
  memcpy(copy.positions, mesh->positions, mesh->vertex_count * sizeof *copy.positions);
  memcpy(copy.triangles, mesh->triangles, corners * sizeof *copy.triangles);
  return copy;
}

static double mean_span(const weft_mesh *mesh) {
  double sum = 0;
  for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
    uint32_t a = mesh->triangles[i], b = mesh->triangles[i - i % 3 + (i + 1) % 3];
    sum += a < b ? b - a : a - b;
  }
  return sum / (3.0 * mesh->triangle_count);
}

static void an_ordered_mesh_is_the_same_mesh_with_its_numbers_kept(void **state) {
  (void)state;
  weft_mesh file = shuffled_sheet(), mesh = copy_of(&file);
  assert_true(weft_mesh_order(&mesh));
  unsigned char *met = weft_alloc(VERTICES, 1);
  for (uint32_t v = 0; v < VERTICES; ++v) {
    uint32_t number = weft_mesh_number(&mesh, v);
    assert_true(number < VERTICES && !met[number]);
    met[number] = 1;
    assert_memory_equal(&mesh.positions[v], &file.positions[number], sizeof(weft_vec3));
  }
  unsigned char *met_triangle = weft_alloc(file.triangle_count, 1);
  for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
    uint32_t number = weft_mesh_face(&mesh, t);
    assert_true(number < file.triangle_count && !met_triangle[number]);
    met_triangle[number] = 1;
    for (size_t c = 0; c < 3; ++c) {
      uint32_t is = weft_mesh_number(&mesh, mesh.triangles[3 * (size_t)t + c]);
      assert_int_equal(is, file.triangles[3 * (size_t)number + c]);
    }
  }
  /* A third of all vertices apart before; no further than the front is long now. */
  assert_true(mean_span(&file) > 0.3 * VERTICES);
  assert_true(mean_span(&mesh) < COLUMNS);
  weft_free(met);
  weft_free(met_triangle);
  weft_mesh_free(&file);
  weft_mesh_free(&mesh);
}

static void what_is_in_good_order_stays(void **state) {
  (void)state;
  weft_mesh rows = sheet();
  assert_false(weft_mesh_order(&rows));
  assert_null(rows.map.numbers);
  assert_int_equal(weft_mesh_number(&rows, 77), 77);
  weft_mesh_free(&rows);

  weft_mesh mesh = shuffled_sheet();
  assert_true(weft_mesh_order(&mesh));
  uint32_t first = mesh.map.numbers[0];
  assert_false(weft_mesh_order(&mesh)); /* nor is an ordered one ordered again */
  assert_int_equal(mesh.map.numbers[0], first);
  weft_mesh_free(&mesh);

  weft_mesh grid = {0};
  assert_int_equal(weft_mesh_grid(&(weft_grid_desc){.rows = ROWS, .columns = COLUMNS}, &grid, NULL),
                   WEFT_OK);
  assert_false(weft_mesh_order(&grid));
  weft_mesh_free(&grid);
}

static void files_have_the_old_order(void **state) {
  (void)state;
  weft_mesh file = shuffled_sheet(), mesh = copy_of(&file);
  weft_mesh_order(&mesh);
  char a[] = "/tmp/weft_order_a.obj", b[] = "/tmp/weft_order_b.obj";
  assert_int_equal(weft_mesh_export_obj(a, &file, NULL, NULL), WEFT_OK);
  assert_int_equal(weft_mesh_export_obj(b, &mesh, NULL, NULL), WEFT_OK);
  char *as = text_of(a), *bs = text_of(b);
  assert_true(strcmp(as, bs) == 0);
  mesh.positions[500].x = NAN;
  weft_error err = {0};
  char expected[40];
  snprintf(expected, sizeof expected, "vertex %u is not", weft_mesh_number(&mesh, 500));
  assert_int_equal(weft_mesh_export_obj(b, &mesh, NULL, &err), WEFT_ERROR_NOT_FINITE);
  assert_non_null(strstr(err.message, expected));
  remove(a);
  remove(b);
  weft_free(as);
  weft_free(bs);
  weft_mesh_free(&file);
  weft_mesh_free(&mesh);
}

static const uint32_t pinned[] = {17, 4000, 20999};

static weft_model *preprocessed(const weft_mesh *mesh) {
  weft_pin pin = {.rule = WEFT_PIN_LIST, .list = pinned, .list_count = 3};
  weft_model_desc desc = {.mesh = mesh, .pins = &pin, .pin_count = 1};
  weft_model *model = NULL;
  weft_error err = {0};
  if (weft_model_create(&desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  return model;
}

static void pins_and_particles_are_called_by_their_numbers(void **state) {
  (void)state;
  weft_mesh mesh = shuffled_sheet();
  weft_mesh_order(&mesh);
  weft_model *model = preprocessed(&mesh), *again = NULL;
  assert_int_equal(weft_model_pinned_count(model), 3);
  for (int k = 0; k < 3; ++k) {
    uint32_t particle = weft_model_numbered(model, pinned[k]);
    assert_int_equal(weft_model_number(model, particle), pinned[k]);
    assert_true(weft_model_inverse_masses(model)[particle] == 0);
  }
  assert_int_equal(weft_model_numbered(model, VERTICES), WEFT_NO_VERTEX);
  /* Also in a copy with other pins. */
  uint32_t one = 12;
  assert_int_equal(weft_model_with_pins(model, &one, 1, true, &again, NULL), WEFT_OK);
  assert_int_equal(weft_model_number(again, 700), weft_model_number(model, 700));
  weft_model_destroy(model);
  assert_true(weft_model_number(again, weft_model_numbered(again, 4000)) == 4000);
  weft_model_destroy(again);
  weft_mesh_free(&mesh);
}

/* Those of a part come after all of the part before, as its particles do. */
static void joined_models_number_their_parts(void **state) {
  (void)state;
  weft_mesh mesh = shuffled_sheet();
  weft_mesh_order(&mesh);
  weft_model *parts[] = {preprocessed(&mesh), preprocessed(&mesh), preprocessed(&mesh)},
             *all = NULL;
  assert_int_equal(weft_model_join((const weft_model *const *)parts, 3, &all, NULL), WEFT_OK);
  weft_model_destroy(parts[0]);
  weft_model_destroy(parts[1]);
  for (uint32_t p = 0; p < 3; ++p) {
    uint32_t own = weft_model_number(parts[2], 700), joined = p * VERTICES + own;
    assert_int_equal(weft_model_number(all, p * VERTICES + 700), joined);
    assert_int_equal(weft_model_numbered(all, joined), p * VERTICES + 700);
    assert_int_equal(weft_model_number(weft_model_part(all, p), 700), own);
  }
  weft_model_destroy(all);
  weft_model_destroy(parts[2]);
  weft_mesh_free(&mesh);
}

static void refusals_name_vertices_by_their_numbers(void **state) {
  (void)state;
  weft_mesh mesh = shuffled_sheet();
  uint32_t a = mesh.triangles[300], b = mesh.triangles[301];
  mesh.positions[b] = mesh.positions[a];
  weft_mesh_order(&mesh);
  weft_model *model = NULL;
  weft_error err = {0};
  char one[48], other[48];
  snprintf(one, sizeof one, "vertices %u and %u:", a, b);
  snprintf(other, sizeof other, "vertices %u and %u:", b, a);
  assert_int_equal(weft_model_create(&(weft_model_desc){.mesh = &mesh}, &model, &err),
                   WEFT_ERROR_MESH);
  assert_true(strstr(err.message, one) || strstr(err.message, other));
  weft_mesh_free(&mesh);
}

static weft_vec3 *positions_after(const weft_model *model, uint32_t frames) {
  weft_solver *solver = NULL;
  weft_params params = {.plain = true, .substeps = 4, .iterations = 2};
  assert_int_equal(weft_solver_create(model, &params, weft_backend_ref(), &solver, NULL), WEFT_OK);
  for (uint32_t f = 0; f < frames; ++f) assert_int_equal(weft_solver_step(solver, NULL), WEFT_OK);
  weft_vec3 *x = weft_alloc(weft_model_particle_count(model), sizeof *x);
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  weft_solver_destroy(solver);
  return x;
}

/* Other colours, so another order of projections: it shows at the ends of the threads that pull at
 * pins, by parts of what those move. */
static void an_ordered_cloth_moves_as_it_did(void **state) {
  (void)state;
  weft_mesh file = shuffled_sheet(), mesh = copy_of(&file);
  weft_mesh_order(&mesh);
  weft_model *before = preprocessed(&file), *after = preprocessed(&mesh);
  weft_vec3 *x = positions_after(before, 3), *y = positions_after(after, 3);
  double fallen = 0, apart = 0;
  for (uint32_t v = 0; v < VERTICES; ++v) {
    weft_vec3 was = x[weft_mesh_number(&mesh, v)];
    apart += (double)weft_v3_length(weft_v3_sub(was, y[v]));
    fallen += (double)weft_v3_length(weft_v3_sub(mesh.positions[v], y[v]));
  }
  assert_true(fallen / VERTICES > 1e-3);
  assert_true(apart < 0.01 * fallen);
  weft_free(x);
  weft_free(y);
  weft_model_destroy(before);
  weft_model_destroy(after);
  weft_mesh_free(&file);
  weft_mesh_free(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_ordered_mesh_is_the_same_mesh_with_its_numbers_kept),
      cmocka_unit_test(what_is_in_good_order_stays),
      cmocka_unit_test(files_have_the_old_order),
      cmocka_unit_test(pins_and_particles_are_called_by_their_numbers),
      cmocka_unit_test(joined_models_number_their_parts),
      cmocka_unit_test(refusals_name_vertices_by_their_numbers),
      cmocka_unit_test(an_ordered_cloth_moves_as_it_did),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
