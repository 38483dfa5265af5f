/* A fabric drapes alike whatever its cells: the drape coefficient (Cusick 1968) of a square of 30
 * cm on a round pedestal of 18 cm, in 64 x 64 and 192 x 192 particles, with the substeps that the
 * program chooses. Swept hinges would lose bending on the fine cells. */
#include <math.h>
#include <stdlib.h>
#include <weft/solver.h>

#include "cmocka_all.h"

static const double side = 0.3, pedestal = 0.09;

static weft_model *square(uint32_t n, const char *fabric, weft_mesh *mesh) {
  const weft_grid_desc grid = {
      .rows = n, .columns = n, .width = (float)side, .height = (float)side, .plane = WEFT_PLANE_XZ};
  assert_int_equal(weft_mesh_grid(&grid, mesh, NULL), WEFT_OK);
  uint32_t *held = calloc((size_t)n * n, sizeof *held), count = 0;
  for (uint32_t k = 0; k < n * n; ++k) {
    double row = (double)(k / n) / (n - 1) - 0.5, column = (double)(k % n) / (n - 1) - 0.5;
    if (hypot(row, column) * side < pedestal) held[count++] = k;
  }
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = held, .list_count = count};
  const weft_model_desc desc = {
      .mesh = mesh, .material = weft_material_find(fabric), .pins = &pin, .pin_count = 1};
  weft_model *model = NULL;
  assert_int_equal(weft_model_create(&desc, &model, NULL), WEFT_OK);
  free(held);
  return model;
}

/* ---- the shadow from above ---- */

enum { PIXELS = 400 };

static double twice_area(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static void darken(double corner[3][2], char *pixels) {
  double low[2], high[2], area = twice_area(corner[0], corner[1], corner[2]);
  for (int d = 0; d < 2; ++d) {
    low[d] = floor(fmin(corner[0][d], fmin(corner[1][d], corner[2][d])));
    high[d] = ceil(fmax(corner[0][d], fmax(corner[1][d], corner[2][d])));
    assert_true(low[d] >= 0 && high[d] < PIXELS);
  }
  for (int i = (int)low[0]; i <= (int)high[0]; ++i) {
    for (int j = (int)low[1]; j <= (int)high[1]; ++j) {
      const double p[2] = {i + 0.5, j + 0.5};
      double a = twice_area(p, corner[1], corner[2]) / area;
      double b = twice_area(corner[0], p, corner[2]) / area;
      if (a >= 0 && b >= 0 && a + b <= 1) pixels[i * PIXELS + j] = 1;
    }
  }
}

static double shadow(const weft_mesh *mesh, const weft_vec3 *x, double *middle) {
  char *pixels = calloc(PIXELS * PIXELS, 1);
  const double size = 1.05 * side / PIXELS;
  size_t dark = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    double corner[3][2];
    for (int k = 0; k < 3; ++k) {
      weft_vec3 p = x[mesh->triangles[3 * (size_t)t + (size_t)k]];
      corner[k][0] = ((double)p.x - middle[0]) / size + PIXELS / 2;
      corner[k][1] = ((double)p.z - middle[1]) / size + PIXELS / 2;
    }
    darken(corner, pixels);
  }
  for (size_t k = 0; k < PIXELS * PIXELS; ++k) dark += (size_t)pixels[k];
  free(pixels);
  return (double)dark * size * size;
}

static double drape_coefficient(uint32_t n, const char *fabric) {
  weft_mesh mesh = {0};
  weft_model *model = square(n, fabric, &mesh);
  weft_params params = {.damping = 4};
  weft_strain_choice choice;
  weft_solver *solver = NULL;
  assert_int_equal(weft_params_choose_for_strain(model, 0, 0, &params, &choice, NULL), WEFT_OK);
  assert_int_equal(weft_solver_create(model, &params, weft_backend_cpu(0), &solver, NULL), WEFT_OK);
  for (int f = 0; f < 120; ++f) assert_int_equal(weft_solver_step(solver, NULL), WEFT_OK);
  weft_vec3 *x = calloc((size_t)n * n, sizeof *x);
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  const weft_vec3 first = mesh.positions[0], last = mesh.positions[n * n - 1];
  double middle[2] = {0.5 * ((double)first.x + (double)last.x),
                      0.5 * ((double)first.z + (double)last.z)};
  double disc = acos(-1) * pedestal * pedestal;
  double drape = (shadow(&mesh, x, middle) - disc) / (side * side - disc);
  free(x);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_mesh_free(&mesh);
  return drape;
}

static void a_fabric_drapes_alike_whatever_its_cells(void **state) {
  (void)state;
  static const char *const fabrics[] = {"tablecloth", "tshirt", "denim"};
  for (int k = 0; k < 3; ++k) {
    double coarse = drape_coefficient(64, fabrics[k]), fine = drape_coefficient(192, fabrics[k]);
    print_message("%s: %.1f and %.1f %%\n", fabrics[k], 100 * coarse, 100 * fine);
    assert_true(fabs(fine / coarse - 1) < 0.1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_fabric_drapes_alike_whatever_its_cells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
