/* Inspection and repair: planted defects are counted and mended, nothing else is touched. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/mesh.h>

#include "base.h"
#include "cmocka_all.h"

static weft_mesh copy_of(uint32_t vertex_count, const weft_vec3 *positions, uint32_t triangle_count,
                         const uint32_t *triangles) {
  weft_mesh mesh = {.vertex_count = vertex_count, .triangle_count = triangle_count};
  mesh.positions = weft_alloc(vertex_count, sizeof *positions);
  mesh.triangles = weft_alloc(3 * (size_t)triangle_count, sizeof *triangles);
  memcpy(mesh.positions, positions, vertex_count * sizeof *positions);
  memcpy(mesh.triangles, triangles, 3 * (size_t)triangle_count * sizeof *triangles);
  return mesh;
}

static const weft_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},    {0, 1, 0},
                                    {2, 0, 0}, {7, 7, 7}, {0, 0, -0.0f}};

static void planted_defects_are_counted(void **state) {
  (void)state;
  /* 0 and 1: a square, wound apart; 2 repeats an index; 3 has no area; 4 doubles 0. */
  const uint32_t t[] = {0, 1, 2, 0, 3, 2, 3, 3, 2, 0, 1, 4, 2, 0, 1};
  weft_mesh mesh = copy_of(7, corners, 5, t);
  weft_mesh_report r;
  weft_mesh_inspect(&mesh, &r);
  assert_int_equal(r.zero_area_triangles, 2);
  assert_int_equal(r.duplicate_triangles, 1);
  assert_int_equal(r.unused_vertices, 2);
  assert_int_equal(r.duplicate_positions, 1); /* -0 is 0 */
  assert_int_equal(r.components, 1);
  assert_int_equal(r.nonmanifold_edges, 2); /* 0-1 and 0-2 */
  assert_true(fabs(r.area - 1.5) < 1e-12);
  assert_true(r.smallest_angle == 45);
  assert_true(r.box_max.x == 7 && r.box_min.x == 0);
  assert_true(fabsf(r.longest_edge - 2) < 1e-6f && r.shortest_edge == 1);
  weft_mesh_report before;
  assert_int_equal(weft_mesh_repair(&mesh, &before, NULL), WEFT_OK);
  assert_memory_equal(&before, &r, sizeof r);
  const uint32_t expected[] = {0, 1, 2, 0, 2, 3};
  assert_int_equal(mesh.triangle_count, 2);
  assert_int_equal(mesh.vertex_count, 4);
  assert_memory_equal(mesh.triangles, expected, sizeof expected);
  weft_mesh_free(&mesh);
}

static void a_sound_grid_is_left_alone(void **state) {
  (void)state;
  weft_mesh mesh, copy;
  weft_grid_desc d = {.rows = 9, .columns = 7};
  assert_int_equal(weft_mesh_grid(&d, &mesh, NULL), WEFT_OK);
  assert_int_equal(weft_mesh_grid(&d, &copy, NULL), WEFT_OK);
  assert_int_equal(weft_mesh_repair(&mesh, NULL, NULL), WEFT_OK);
  assert_int_equal(mesh.grid_rows, 9);
  assert_memory_equal(mesh.triangles, copy.triangles, 12 * (size_t)copy.triangle_count);
  weft_mesh_free(&mesh);
  weft_mesh_free(&copy);
}

static void turned_triangles_turn_back_with_the_majority(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(2);
  for (int round = 0; round < 20; ++round) {
    weft_mesh mesh;
    weft_tube_desc d = {.rings = 12, .segments = 16};
    assert_int_equal(weft_mesh_tube(&d, &mesh, NULL), WEFT_OK);
    weft_mesh_report r;
    for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
      if (weft_rng_u32(&rng) % 3 != 0) continue;
      uint32_t *c = mesh.triangles + 3 * (size_t)t, swap = c[0];
      c[0] = c[1], c[1] = swap;
    }
    assert_int_equal(weft_mesh_repair(&mesh, &r, NULL), WEFT_OK);
    assert_true(r.flipped_edges > 0);
    weft_mesh_inspect(&mesh, &r);
    assert_int_equal(r.flipped_edges, 0);
    for (uint32_t t = 0; t < mesh.triangle_count; ++t) { /* outwards, as two thirds were */
      const uint32_t *c = mesh.triangles + 3 * (size_t)t;
      weft_vec3 a = mesh.positions[c[0]];
      weft_vec3 n =
          weft_v3_cross(weft_v3_sub(mesh.positions[c[1]], a), weft_v3_sub(mesh.positions[c[2]], a));
      assert_true(n.x * a.x + n.z * a.z > 0);
    }
    weft_mesh_free(&mesh);
  }
}

static void a_moebius_band_keeps_one_seam(void **state) {
  (void)state;
  enum { N = 24 };
  weft_vec3 p[2 * N];
  uint32_t t[6 * N];
  for (uint32_t i = 0; i < N; ++i) {
    double u = 6.283185307179586 * i / N;
    for (uint32_t side = 0; side < 2; ++side) {
      double v = side ? 0.3 : -0.3, radius = 1 + v * cos(u / 2);
      p[2 * i + side] =
          weft_v3((float)(radius * cos(u)), (float)(radius * sin(u)), (float)(v * sin(u / 2)));
    }
    uint32_t a = 2 * i, b = 2 * i + 1, c = i + 1 < N ? a + 2 : 1, d = i + 1 < N ? b + 2 : 0;
    const uint32_t two[] = {a, c, b, b, c, d};
    memcpy(t + 6 * (size_t)i, two, sizeof two);
  }
  weft_mesh mesh = copy_of(2 * N, p, 2 * N, t);
  weft_mesh_report r;
  assert_int_equal(weft_mesh_repair(&mesh, NULL, NULL), WEFT_OK);
  weft_mesh_inspect(&mesh, &r);
  assert_int_equal(r.nonmanifold_edges, 0);
  assert_int_equal(r.boundary_edges, 2 * N);
  assert_int_equal((int)r.vertex_count - (int)r.edge_count + (int)r.triangle_count, 0);
  assert_true(r.flipped_edges >= 1 && r.flipped_edges <= 2);
  weft_mesh_free(&mesh);
}

static void nonmanifold_edges_are_counted_and_kept(void **state) {
  (void)state;
  const weft_vec3 p[] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}};
  const uint32_t t[] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
  weft_mesh mesh = copy_of(5, p, 3, t);
  weft_mesh_report r;
  assert_int_equal(weft_mesh_repair(&mesh, &r, NULL), WEFT_OK);
  assert_int_equal(r.nonmanifold_edges, 1);
  assert_int_equal(r.flipped_edges, 0);
  assert_memory_equal(mesh.triangles, t, sizeof t);
  weft_mesh_free(&mesh);
}

static void components_and_their_windings_are_independent(void **state) {
  (void)state;
  const weft_vec3 p[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}};
  const uint32_t t[] = {0, 1, 2, 3, 5, 4};
  weft_mesh mesh = copy_of(6, p, 2, t);
  weft_mesh_report r;
  assert_int_equal(weft_mesh_repair(&mesh, &r, NULL), WEFT_OK);
  assert_int_equal(r.components, 2);
  assert_int_equal(r.boundary_edges, 6);
  assert_memory_equal(mesh.triangles, t, sizeof t);
  weft_mesh_free(&mesh);
}

static void a_mesh_without_area_or_with_nan_is_refused(void **state) {
  (void)state;
  const uint32_t line[] = {0, 1, 4};
  weft_mesh mesh = copy_of(7, corners, 1, line);
  weft_error err = {0};
  assert_int_equal(weft_mesh_repair(&mesh, NULL, &err), WEFT_ERROR_MESH);
  assert_non_null(strstr(err.message, "no triangle is left"));
  weft_mesh_free(&mesh);
  const uint32_t face[] = {0, 1, 2};
  mesh = copy_of(7, corners, 1, face);
  mesh.positions[1].y = NAN;
  assert_int_equal(weft_mesh_repair(&mesh, NULL, &err), WEFT_ERROR_MESH);
  assert_non_null(strstr(err.message, "vertex 1 is not finite"));
  weft_mesh_free(&mesh);
  mesh = (weft_mesh){0};
  assert_int_equal(weft_mesh_repair(&mesh, NULL, &err), WEFT_ERROR_MESH);
  weft_mesh_report r;
  weft_mesh_inspect(&mesh, &r);
  assert_int_equal(r.edge_count, 0);
  weft_mesh_free(&mesh);
  weft_mesh_free(NULL);
}

/* A hub with many spokes: quadratic work at one vertex would show. */
static void a_hub_of_many_spokes_takes_no_time(void **state) {
  (void)state;
  enum { N = 200000 };
  weft_vec3 *p = calloc(N + 1, sizeof *p);
  uint32_t *t = calloc(3 * N, sizeof *t);
  for (uint32_t i = 0; i < N; ++i) {
    p[i + 1] = weft_v3((float)cos(6.283185307 * i / N), (float)sin(6.283185307 * i / N), 0);
    t[3 * i + 1] = i + 1;
    t[3 * i + 2] = i + 1 < N ? i + 2 : 1;
  }
  weft_mesh mesh = copy_of(N + 1, p, N, t);
  double begin = weft_clock_seconds();
  weft_mesh_report r;
  assert_int_equal(weft_mesh_repair(&mesh, &r, NULL), WEFT_OK);
  assert_true(weft_clock_seconds() - begin < 10);
  assert_int_equal(r.edge_count, 2 * N);
  assert_int_equal(r.boundary_edges, N);
  weft_mesh_free(&mesh);
  free(p);
  free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planted_defects_are_counted),
      cmocka_unit_test(a_sound_grid_is_left_alone),
      cmocka_unit_test(turned_triangles_turn_back_with_the_majority),
      cmocka_unit_test(a_moebius_band_keeps_one_seam),
      cmocka_unit_test(nonmanifold_edges_are_counted_and_kept),
      cmocka_unit_test(components_and_their_windings_are_independent),
      cmocka_unit_test(a_mesh_without_area_or_with_nan_is_refused),
      cmocka_unit_test(a_hub_of_many_spokes_takes_no_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
