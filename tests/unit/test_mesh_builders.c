/* Mesh builders against theory: Euler characteristic, area, valence, winding, evenness. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/mesh.h>

#include "adjacency.h"
#include "base.h"
#include "cmocka_all.h"

static const double pi = 3.141592653589793;

static int euler(const weft_mesh_report *r) {
  return (int)r->vertex_count - (int)r->edge_count + (int)r->triangle_count;
}

static weft_mesh_report sound(const weft_mesh *mesh) {
  weft_mesh_report r;
  weft_mesh_inspect(mesh, &r);
  assert_int_equal(r.nonmanifold_edges, 0);
  assert_int_equal(r.flipped_edges, 0);
  assert_int_equal(r.zero_area_triangles, 0);
  assert_int_equal(r.duplicate_triangles, 0);
  assert_int_equal(r.unused_vertices, 0);
  assert_int_equal(r.duplicate_positions, 0);
  assert_int_equal(r.components, 1);
  return r;
}

static void assert_near(double a, double b, double relative) {
  if (fabs(a - b) > relative * fabs(b)) fail_msg("%.9g is not near %.9g", a, b);
}

static uint32_t max_valence(const weft_mesh *mesh) {
  weft_edges edges;
  weft_edges_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &edges);
  uint32_t *valence = calloc(mesh->vertex_count, sizeof *valence), max = 0;
  for (uint32_t e = 0; e < edges.count; ++e) {
    ++valence[edges.items[e].a];
    ++valence[edges.items[e].b];
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) max = max < valence[v] ? valence[v] : max;
  free(valence);
  weft_edges_free(&edges);
  return max;
}

/* The component of every triangle's normal along an axis (0 x, 1 y, 2 z) is positive. */
static void assert_faces(const weft_mesh *mesh, int axis) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *c = mesh->triangles + 3 * (size_t)t;
    weft_vec3 a = mesh->positions[c[0]];
    weft_vec3 n =
        weft_v3_cross(weft_v3_sub(mesh->positions[c[1]], a), weft_v3_sub(mesh->positions[c[2]], a));
    float along = axis == 0 ? n.x : axis == 1 ? n.y : n.z;
    if (!(along > 0)) fail_msg("triangle %u faces away", t);
  }
}

static void grids_of_every_pattern_are_sound_sheets(void **state) {
  (void)state;
  for (int pattern = 0; pattern <= WEFT_GRID_EQUILATERAL; ++pattern) {
    for (int plane = 0; plane <= WEFT_PLANE_XZ; ++plane) {
      weft_grid_desc d = {.rows = 17,
                          .columns = 23,
                          .width = 2.2f,
                          .height = 1.6f,
                          .pattern = (weft_grid_pattern)pattern,
                          .plane = (weft_plane)plane,
                          .centre = {1, 2, 3}};
      weft_mesh mesh;
      assert_int_equal(weft_mesh_grid(&d, &mesh, NULL), WEFT_OK);
      weft_mesh_report r = sound(&mesh);
      assert_int_equal(r.triangle_count, 2 * 16 * 22);
      assert_int_equal(euler(&r), 1);
      assert_int_equal(r.boundary_edges, 2 * (16 + 22));
      assert_faces(&mesh, plane == WEFT_PLANE_XY ? 2 : 1);
      assert_int_equal(max_valence(&mesh), pattern == WEFT_GRID_ALTERNATING ? 8 : 6);
      assert_int_equal(mesh.grid_rows, 17);
      assert_int_equal(mesh.grid_columns, 23);
      assert_near(r.box_min.x + r.box_max.x, 2, 1e-6);
      assert_near(r.box_max.x - r.box_min.x, 2.2, 1e-6);
      double middle =
          plane == WEFT_PLANE_XY ? r.box_min.y + r.box_max.y : r.box_min.z + r.box_max.z;
      assert_near(middle, plane == WEFT_PLANE_XY ? 4 : 6, 1e-6);
      if (pattern != WEFT_GRID_EQUILATERAL) {
        assert_near(r.area, 2.2 * 1.6, 1e-6);
      } else {
        assert_near(r.longest_edge, r.shortest_edge, 1e-5);
        assert_near(r.smallest_angle, 60, 1e-4);
        double side = 2.2 / 22.5;
        assert_near(r.area, r.triangle_count * sqrt(3) / 4 * side * side, 1e-5);
      }
      weft_mesh_free(&mesh);
    }
  }
}

static void grid_rows_run_down_and_columns_along_x(void **state) {
  (void)state;
  weft_mesh mesh;
  weft_grid_desc d = {.rows = 3, .columns = 2, .width = 1, .height = 2};
  assert_int_equal(weft_mesh_grid(&d, &mesh, NULL), WEFT_OK);
  const float expected[6][3] = {{-0.5f, 1, 0}, {0.5f, 1, 0},   {-0.5f, 0, 0},
                                {0.5f, 0, 0},  {-0.5f, -1, 0}, {0.5f, -1, 0}};
  for (int v = 0; v < 6; ++v) {
    assert_true(mesh.positions[v].x == expected[v][0]);
    assert_true(mesh.positions[v].y == expected[v][1]);
    assert_true(mesh.positions[v].z == expected[v][2]);
  }
  weft_mesh_free(&mesh);
  d.plane = WEFT_PLANE_XZ;
  assert_int_equal(weft_mesh_grid(&d, &mesh, NULL), WEFT_OK);
  assert_true(mesh.positions[0].z == -1 && mesh.positions[4].z == 1 && mesh.positions[4].y == 0);
  weft_mesh_free(&mesh);
  assert_int_equal(weft_mesh_grid(NULL, &mesh, NULL), WEFT_OK);
  assert_int_equal(mesh.vertex_count, 64 * 64);
  weft_mesh_free(&mesh);
}

static void disc_is_round_and_even(void **state) {
  (void)state;
  for (uint32_t rings = 1; rings <= 65; rings += 16) {
    weft_mesh mesh;
    weft_disc_desc d = {.radius = 0.3f, .rings = rings, .centre = {0, 1, 0}};
    assert_int_equal(weft_mesh_disc(&d, &mesh, NULL), WEFT_OK);
    weft_mesh_report r = sound(&mesh);
    assert_int_equal(r.vertex_count, 1 + 3 * rings * (rings + 1));
    assert_int_equal(euler(&r), 1);
    assert_int_equal(r.boundary_edges, 6 * rings);
    double n = 6.0 * rings; /* the rim is a regular polygon */
    assert_near(r.area, 0.5 * n * 0.09 * sin(2 * pi / n), 1e-5);
    assert_int_equal(max_valence(&mesh), 6);
    assert_true(r.longest_edge < 1.5f * r.shortest_edge);
    assert_true(r.smallest_angle > 40);
    assert_faces(&mesh, 1);
    weft_mesh_free(&mesh);
  }
}

static void disc_with_a_hole_is_a_ring(void **state) {
  (void)state;
  weft_mesh mesh;
  weft_disc_desc d = {.radius = 0.5f, .inner_radius = 0.1f, .rings = 24};
  assert_int_equal(weft_mesh_disc(&d, &mesh, NULL), WEFT_OK);
  weft_mesh_report r = sound(&mesh);
  assert_int_equal(euler(&r), 0);
  assert_near(r.area, pi * (0.25 - 0.01), 0.005);
  assert_true(r.longest_edge < 1.6f * r.shortest_edge);
  assert_true(r.smallest_angle > 35);
  assert_true(max_valence(&mesh) <= 8);
  assert_faces(&mesh, 1);
  weft_mesh_free(&mesh);
}

static void tube_is_an_open_cone_facing_outwards(void **state) {
  (void)state;
  weft_mesh mesh;
  weft_tube_desc d = {.rings = 20, .segments = 96, .centre_top = {0, 1, 0}};
  assert_int_equal(weft_mesh_tube(&d, &mesh, NULL), WEFT_OK);
  weft_mesh_report r = sound(&mesh);
  assert_int_equal(euler(&r), 0);
  assert_int_equal(r.boundary_edges, 2 * 96);
  assert_int_equal(mesh.grid_rows, 0);
  assert_int_equal(max_valence(&mesh), 6);
  double slant = hypot(0.28, 0.55);
  assert_near(r.area, pi * (0.14 + 0.42) * slant, 0.005);
  assert_near(r.box_max.y, 1, 1e-6);
  assert_near(r.box_min.y, 0.45, 1e-6);
  assert_true(mesh.positions[0].y == 1);
  assert_faces(&mesh, 1); /* a widening tube faces up as well as out */
  weft_mesh_free(&mesh);
  d.bottom_radius = 0.14f;
  assert_int_equal(weft_mesh_tube(&d, &mesh, NULL), WEFT_OK);
  for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
    const uint32_t *c = mesh.triangles + 3 * (size_t)t;
    weft_vec3 a = mesh.positions[c[0]];
    weft_vec3 n =
        weft_v3_cross(weft_v3_sub(mesh.positions[c[1]], a), weft_v3_sub(mesh.positions[c[2]], a));
    assert_true(n.x * a.x + n.z * a.z > 0);
  }
  weft_mesh_free(&mesh);
}

static void assert_poncho(weft_poncho_desc d, double min_angle) {
  weft_mesh mesh;
  weft_error err;
  if (weft_mesh_poncho(&d, &mesh, &err) != WEFT_OK) fail_msg("%s", err.message);
  weft_mesh_report r = sound(&mesh);
  assert_int_equal(euler(&r), 0);
  double neck =
      0.5 * d.segments * (double)d.neck_radius * (double)d.neck_radius * sin(2 * pi / d.segments);
  assert_near(r.area, (double)d.width * d.depth - neck, 1e-4);
  assert_near(r.box_max.x - r.box_min.x, d.width, 1e-6);
  assert_near(r.box_max.z - r.box_min.z, d.depth, 1e-6);
  assert_faces(&mesh, 1);
  uint32_t on_neck = 0;
  for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
    double radius = hypot((double)mesh.positions[v].x, (double)mesh.positions[v].z);
    on_neck += radius < 1.0001 * (double)d.neck_radius;
  }
  assert_int_equal(on_neck, d.segments);
  if (!((double)r.smallest_angle > min_angle)) {
    fail_msg("smallest angle %.3g", (double)r.smallest_angle);
  }
  assert_true(max_valence(&mesh) <= 9);
  weft_mesh_free(&mesh);
}

static void poncho_is_a_sheet_with_a_round_neck(void **state) {
  (void)state;
  assert_poncho((weft_poncho_desc){1.2f, 1.2f, 0.12f, 128, 48, {0, 0, 0}}, 20);
  assert_poncho((weft_poncho_desc){1.2f, 0.8f, 0.12f, 64, 32, {0, 0, 0}}, 15);
  assert_poncho((weft_poncho_desc){1.2f, 1.2f, 0.12f, 32, 100, {0, 0, 0}}, 15);
  assert_poncho((weft_poncho_desc){1.2f, 1.2f, 0.12f, 8, 2, {0, 0, 0}}, 1);
  assert_poncho((weft_poncho_desc){1, 1, 0.45f, 64, 4, {0, 0, 0}}, 1);
  weft_mesh mesh;
  assert_int_equal(weft_mesh_poncho(NULL, &mesh, NULL), WEFT_OK);
  assert_true(mesh.vertex_count > 1000);
  weft_mesh_free(&mesh);
}

#define REFUSED(call, part)                                           \
  do {                                                                \
    weft_error err = {0};                                             \
    weft_mesh mesh;                                                   \
    assert_int_equal((call), WEFT_ERROR_ARGUMENT);                    \
    if (!strstr(err.message, part)) print_error("%s\n", err.message); \
    assert_non_null(strstr(err.message, part));                       \
    assert_null(mesh.positions);                                      \
  } while (0)

/* Arrays of the caller's become a mesh that may be changed; broken ones are named. */
static void arrays_are_copied(void **state) {
  (void)state;
  weft_mesh grid = {0}, mesh = {0};
  weft_error err = {0};
  assert_int_equal(weft_mesh_grid(&(weft_grid_desc){.rows = 3, .columns = 4}, &grid, &err), 0);
  const uint32_t n = grid.vertex_count, m = grid.triangle_count;
  assert_int_equal(weft_mesh_from_arrays(grid.positions, n, grid.triangles, m, &mesh, &err), 0);
  assert_true(mesh.positions != grid.positions && mesh.triangles != grid.triangles);
  assert_memory_equal(mesh.positions, grid.positions, n * sizeof *mesh.positions);
  assert_int_equal(mesh.grid_rows, 0);
  assert_true(weft_mesh_find_grid(&mesh) && mesh.grid_rows == 3 && mesh.grid_columns == 4);
  weft_mesh_free(&mesh);
  grid.triangles[4] = n;
  assert_int_equal(weft_mesh_from_arrays(grid.positions, n, grid.triangles, m, &mesh, &err),
                   WEFT_ERROR_MESH);
  assert_non_null(strstr(err.message, "triangle 1 names vertex 12"));
  grid.positions[5].y = NAN;
  assert_int_equal(weft_mesh_from_arrays(grid.positions, n, grid.triangles, 1, &mesh, &err),
                   WEFT_ERROR_MESH);
  assert_non_null(strstr(err.message, "vertex 5"));
  assert_int_equal(weft_mesh_from_arrays(grid.positions, 1 << 25, grid.triangles, 1, &mesh, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_null(mesh.positions);
  weft_mesh_free(&grid);
}

static void bad_sizes_are_refused_in_a_sentence(void **state) {
  (void)state;
  REFUSED(weft_mesh_grid(&(weft_grid_desc){.rows = 1}, &mesh, &err), "1 x 64");
  REFUSED(weft_mesh_grid(&(weft_grid_desc){.width = -1}, &mesh, &err), "width is -1");
  REFUSED(weft_mesh_grid(&(weft_grid_desc){.height = NAN}, &mesh, &err), "height is nan");
  REFUSED(weft_mesh_grid(&(weft_grid_desc){.width = INFINITY}, &mesh, &err), "width is inf");
  REFUSED(weft_mesh_grid(&(weft_grid_desc){.centre = {NAN, 0, 0}}, &mesh, &err), "centre");
  REFUSED(weft_mesh_grid(&(weft_grid_desc){.rows = 65536, .columns = 65537}, &mesh, &err), "large");
  REFUSED(weft_mesh_grid(&(weft_grid_desc){.rows = UINT32_MAX, .columns = UINT32_MAX}, &mesh, &err),
          "large");
  REFUSED(weft_mesh_grid(&(weft_grid_desc){.rows = 4097, .columns = 4096}, &mesh, &err), "large");
  REFUSED(weft_mesh_disc(&(weft_disc_desc){.radius = -1}, &mesh, &err), "radius is -1");
  REFUSED(weft_mesh_disc(&(weft_disc_desc){.inner_radius = 0.5f}, &mesh, &err), "no cloth");
  REFUSED(weft_mesh_disc(&(weft_disc_desc){.inner_radius = NAN}, &mesh, &err), "nan");
  REFUSED(weft_mesh_disc(&(weft_disc_desc){.rings = UINT32_MAX}, &mesh, &err), "large");
  REFUSED(weft_mesh_disc(&(weft_disc_desc){.rings = 3000}, &mesh, &err), "large");
  REFUSED(weft_mesh_disc(&(weft_disc_desc){.rings = 100, .inner_radius = 0.4999f}, &mesh, &err),
          "no cloth");
  REFUSED(weft_mesh_tube(&(weft_tube_desc){.segments = 2}, &mesh, &err), "2 segments");
  REFUSED(weft_mesh_tube(&(weft_tube_desc){.rings = 1}, &mesh, &err), "1 rings");
  REFUSED(weft_mesh_tube(&(weft_tube_desc){.height = -2}, &mesh, &err), "height is -2");
  REFUSED(
      weft_mesh_tube(&(weft_tube_desc){.rings = UINT32_MAX, .segments = UINT32_MAX}, &mesh, &err),
      "large");
  REFUSED(weft_mesh_poncho(&(weft_poncho_desc){.segments = 10}, &mesh, &err), "multiple of 4");
  REFUSED(weft_mesh_poncho(&(weft_poncho_desc){.neck_radius = 0.6f}, &mesh, &err), "does not fit");
  REFUSED(weft_mesh_poncho(&(weft_poncho_desc){.width = 100}, &mesh, &err), "narrow");
  REFUSED(weft_mesh_poncho(&(weft_poncho_desc){.rings = 1}, &mesh, &err), "rings is 1");
  REFUSED(weft_mesh_poncho(&(weft_poncho_desc){.rings = 2000000}, &mesh, &err), "large");
}

static void a_million_vertices_take_no_time(void **state) {
  (void)state;
  weft_mesh mesh;
  double begin = weft_clock_seconds();
  weft_grid_desc d = {.rows = 1024, .columns = 1024};
  assert_int_equal(weft_mesh_grid(&d, &mesh, NULL), WEFT_OK);
  double built = weft_clock_seconds();
  weft_edges edges;
  weft_edges_build(mesh.vertex_count, mesh.triangles, mesh.triangle_count, &edges);
  double sorted = weft_clock_seconds();
  assert_int_equal(edges.count, 3 * 1023 * 1023 + 2 * 1023);
  print_message("1024 x 1024: grid %.0f ms, edges %.0f ms\n", 1e3 * (built - begin),
                1e3 * (sorted - built));
  assert_true(sorted - begin < 20); /* generous: sanitizers and busy machines */
  weft_edges_free(&edges);
  weft_mesh_free(&mesh);
}

/* Against an O(n^2) count over random triangle soup with repeats. */
static void edges_and_corners_equal_a_plain_count(void **state) {
  (void)state;
  enum { VERTICES = 12, TRIANGLES = 60 };
  weft_rng rng = weft_rng_seed(7);
  uint32_t t[3 * TRIANGLES];
  for (size_t i = 0; i < 3 * TRIANGLES; ++i) t[i] = weft_rng_u32(&rng) % VERTICES;
  weft_edges edges;
  weft_edges_build(VERTICES, t, TRIANGLES, &edges);
  uint32_t at = 0;
  for (uint32_t a = 0; a < VERTICES; ++a) {
    for (uint32_t b = a + 1; b < VERTICES; ++b) {
      uint32_t count = 0, found[2] = {UINT32_MAX, UINT32_MAX}, far[2] = {UINT32_MAX, UINT32_MAX};
      for (uint32_t k = 0; k < TRIANGLES; ++k) {
        const uint32_t *c = t + 3 * k;
        if (c[0] == c[1] || c[1] == c[2] || c[0] == c[2]) continue;
        bool has_a = c[0] == a || c[1] == a || c[2] == a;
        bool has_b = c[0] == b || c[1] == b || c[2] == b;
        if (!has_a || !has_b) continue;
        if (count < 2) found[count] = k, far[count] = c[0] + c[1] + c[2] - a - b;
        ++count;
      }
      if (count == 0) continue;
      assert_true(at < edges.count);
      const weft_edge *e = edges.items + at++;
      assert_true(e->a == a && e->b == b && e->triangle_count == count);
      assert_memory_equal(e->triangle, found, sizeof found);
      assert_memory_equal(e->opposite, far, sizeof far);
    }
  }
  assert_int_equal(at, edges.count);
  weft_edges_free(&edges);
  uint32_t *offsets, *items, n = 0;
  weft_corners_build(VERTICES, t, TRIANGLES, &offsets, &items);
  for (uint32_t v = 0; v < VERTICES; ++v) {
    assert_int_equal(offsets[v], n);
    for (uint32_t c = 0; c < 3 * TRIANGLES; ++c) {
      if (t[c] == v) assert_int_equal(items[n++], c);
    }
  }
  assert_int_equal(offsets[VERTICES], n);
  weft_free(offsets);
  weft_free(items);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grids_of_every_pattern_are_sound_sheets),
      cmocka_unit_test(grid_rows_run_down_and_columns_along_x),
      cmocka_unit_test(disc_is_round_and_even),
      cmocka_unit_test(disc_with_a_hole_is_a_ring),
      cmocka_unit_test(tube_is_an_open_cone_facing_outwards),
      cmocka_unit_test(poncho_is_a_sheet_with_a_round_neck),
      cmocka_unit_test(arrays_are_copied),
      cmocka_unit_test(bad_sizes_are_refused_in_a_sentence),
      cmocka_unit_test(a_million_vertices_take_no_time),
      cmocka_unit_test(edges_and_corners_equal_a_plain_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
