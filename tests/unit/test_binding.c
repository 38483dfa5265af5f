/* Points bound to a mesh: to the nearest triangle, by another formula; rigidly with a body that
 * keeps its shape; by shares of the corners with one that does not. */
#include <math.h>
#include <weft/body.h>

#include "base.h"
#include "blend.h"
#include "refuses.h"
#include "rig.h"
#include "vec3d.h"

enum { POINTS = 60 };

static weft_mesh lump(void) {
  const weft_blend_solid solids[] = {
      {.a = {0, 0, 0}, .b = {0.3f, 0.1f, 0}, .radius_a = 0.2f, .radius_b = 0.1f},
      {.a = {0, 0, 0}, .b = {0, 0.4f, 0.2f}, .radius_a = 0.1f, .radius_b = 0.15f, .blend = 0.05f}};
  const weft_blend_desc desc = {.solids = solids, .solid_count = 2, .edge = 0.06f};
  weft_mesh mesh = {0};
  weft_error err = {0};
  if (weft_mesh_blend(&desc, &mesh, &err) != WEFT_OK) fail_msg("%s", err.message);
  return mesh;
}

static void scatter(weft_vec3 *points) {
  weft_rng rng = weft_rng_seed(7);
  for (int k = 0; k < POINTS; ++k) {
    points[k] = weft_v3(weft_rng_float(&rng, -0.4f, 0.6f), weft_rng_float(&rng, -0.4f, 0.8f),
                        weft_rng_float(&rng, -0.4f, 0.5f));
  }
}

static weft_binding *bound(const weft_mesh *mesh, const weft_vec3 *points, uint32_t count) {
  weft_binding *binding = NULL;
  weft_error err = {0};
  if (weft_binding_create(mesh, points, count, &binding, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  return binding;
}

static double to_segment(weft_vec3d p, weft_vec3d a, weft_vec3d b) {
  weft_vec3d ab = weft_v3d_sub(b, a);
  double t = weft_v3d_dot(weft_v3d_sub(p, a), ab) / weft_v3d_dot(ab, ab);
  return weft_v3d_distance(p, weft_v3d_add_scaled(a, fmin(fmax(t, 0), 1), ab));
}

/* To the plane where the foot lies within the edges, else to the nearest of these. */
static double to_triangle(weft_vec3d p, const weft_vec3d *x) {
  weft_vec3d n = weft_v3d_cross(weft_v3d_sub(x[1], x[0]), weft_v3d_sub(x[2], x[0]));
  double least = INFINITY;
  bool within = true;
  for (int k = 0; k < 3; ++k) {
    weft_vec3d a = x[k], b = x[(k + 1) % 3];
    least = fmin(least, to_segment(p, a, b));
    weft_vec3d inwards = weft_v3d_cross(n, weft_v3d_sub(b, a));
    within = within && weft_v3d_dot(inwards, weft_v3d_sub(p, a)) >= 0;
  }
  double high = fabs(weft_v3d_dot(n, weft_v3d_sub(p, x[0]))) / weft_v3d_length(n);
  return within ? high : least;
}

static void points_are_bound_to_the_nearest_triangle(void **state) {
  (void)state;
  weft_mesh mesh = lump();
  weft_vec3 points[POINTS], back[POINTS];
  scatter(points);
  weft_binding *binding = bound(&mesh, points, POINTS);
  for (uint32_t k = 0; k < POINTS; ++k) {
    double least = INFINITY;
    for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
      weft_vec3d x[3];
      for (int c = 0; c < 3; ++c) {
        x[c] = weft_v3d_from(mesh.positions[mesh.triangles[3 * t + (uint32_t)c]]);
      }
      least = fmin(least, to_triangle(weft_v3d_from(points[k]), x));
    }
    rig_near(weft_binding_distance(binding, k), least, 1e-12, "distance");
  }
  assert_true(weft_binding_distance(binding, POINTS) == 0 && weft_binding_distance(NULL, 0) == 0);
  /* Where the mesh has not moved, neither have they. */
  assert_int_equal(weft_binding_at(binding, mesh.positions, back, NULL), WEFT_OK);
  for (int k = 0; k < POINTS; ++k) {
    rig_near3(weft_v3d_from(back[k]), weft_v3d_from(points[k]), 1e-7, "at rest");
  }
  weft_binding_destroy(binding);
  weft_mesh_free(&mesh);
}

/* Over a vertex of a level sheet all its triangles are as near: the first of the list is meant,
 * whatever order they are looked at in, as the normal tells once the sheet is crumpled. */
static void of_many_as_near_the_first_is_meant(void **state) {
  (void)state;
  enum { SIDE = 129 }; /* 32,768 triangles, whose corners are exact */
  const float high = 0.125f;
  weft_mesh mesh = {0};
  assert_int_equal(weft_mesh_grid(&(weft_grid_desc){.rows = SIDE, .columns = SIDE}, &mesh, NULL),
                   WEFT_OK);
  const uint32_t n = mesh.vertex_count;
  weft_vec3 *over = weft_alloc(n, sizeof *over), *after = weft_alloc(n, sizeof *after);
  uint32_t *first = weft_alloc(n, sizeof *first);
  for (size_t c = 3 * (size_t)mesh.triangle_count; c-- > 0;) {
    first[mesh.triangles[c]] = (uint32_t)(c / 3);
  }
  for (uint32_t v = 0; v < n; ++v) {
    over[v] = weft_v3_add(mesh.positions[v], weft_v3(0, 0, high));
  }
  weft_binding *binding = bound(&mesh, over, n);
  weft_rng rng = weft_rng_seed(5);
  for (uint32_t v = 0; v < n; ++v) mesh.positions[v].z = weft_rng_float(&rng, 0, 0.02f);
  assert_int_equal(weft_binding_at(binding, mesh.positions, after, NULL), WEFT_OK);
  for (uint32_t v = 0; v < n; ++v) {
    weft_vec3d x[3];
    for (size_t k = 0; k < 3; ++k) {
      x[k] = weft_v3d_from(mesh.positions[mesh.triangles[3 * (size_t)first[v] + k]]);
    }
    weft_vec3d up = weft_v3d_cross(weft_v3d_sub(x[1], x[0]), weft_v3d_sub(x[2], x[0]));
    up = weft_v3d_scale(up, (up.z < 0 ? -1 : 1) * (double)high / weft_v3d_length(up));
    rig_near3(weft_v3d_from(after[v]), weft_v3d_add(weft_v3d_from(mesh.positions[v]), up), 1e-6,
              "over its vertex");
  }
  weft_binding_destroy(binding);
  weft_free(over);
  weft_free(after);
  weft_free(first);
  weft_mesh_free(&mesh);
}

static weft_vec3 moved(weft_vec3 p) {
  const weft_vec3d turn = {0.7, -1.9, 0.4}, by = {0.3, -0.2, 1.1};
  return weft_v3d_round(weft_v3d_add(weft_v3d_rotate(weft_v3d_from(p), turn), by));
}

static void a_rigid_body_takes_them_along_rigidly(void **state) {
  (void)state;
  weft_mesh mesh = lump();
  weft_vec3 points[POINTS], after[POINTS];
  scatter(points);
  weft_binding *binding = bound(&mesh, points, POINTS);
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) mesh.positions[i] = moved(mesh.positions[i]);
  assert_int_equal(weft_binding_at(binding, mesh.positions, after, NULL), WEFT_OK);
  for (int k = 0; k < POINTS; ++k) { /* corners are rounded, and edges are 6 cm long */
    rig_near3(weft_v3d_from(after[k]), weft_v3d_from(moved(points[k])), 1e-5, "moved");
  }
  weft_binding_destroy(binding);
  weft_mesh_free(&mesh);
}

/* A triangle of legs 1 stretched to twice its width: what was above a quarter of it still is, and
 * as high. */
static void shares_of_corners_and_height_are_kept(void **state) {
  (void)state;
  weft_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  uint32_t triangle[3] = {0, 1, 2};
  const weft_mesh mesh = {
      .vertex_count = 3, .triangle_count = 1, .positions = corners, .triangles = triangle};
  const weft_vec3 points[3] = {{0.25f, 0.5f, 0.125f}, {0.25f, 0.25f, -0.5f}, {-0.5f, 0.5f, 0.25f}};
  weft_vec3 after[3];
  weft_binding *binding = bound(&mesh, points, 3);
  rig_near(weft_binding_distance(binding, 0), 0.125, 1e-12, "height");
  rig_near(weft_binding_distance(binding, 2), sqrt(0.25 + 0.0625), 1e-12, "beside the edge");
  corners[1] = weft_v3(2, 0, 0);
  assert_int_equal(weft_binding_at(binding, corners, after, NULL), WEFT_OK);
  rig_near3(weft_v3d_from(after[0]), weft_v3d(0.5, 0.5, 0.125), 1e-7, "above");
  rig_near3(weft_v3d_from(after[1]), weft_v3d(0.5, 0.25, -0.5), 1e-7, "below");
  rig_near3(weft_v3d_from(after[2]), weft_v3d(-0.5, 0.5, 0.25), 1e-7, "beside");
  corners[2] = corners[1]; /* no area: on what is left of it */
  assert_int_equal(weft_binding_at(binding, corners, after, NULL), WEFT_OK);
  rig_near3(weft_v3d_from(after[0]), weft_v3d(1.5, 0, 0), 1e-7, "collapsed");
  weft_binding_destroy(binding);
}

/* Two halves of a square: the points on the diagonal belong to the first. One without area before
 * them is passed over. */
static void the_first_of_two_as_near_is_meant(void **state) {
  (void)state;
  weft_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  uint32_t triangles[9] = {0, 2, 2, 0, 1, 2, 0, 2, 3};
  const weft_mesh mesh = {
      .vertex_count = 4, .triangle_count = 3, .positions = corners, .triangles = triangles};
  const weft_vec3 points[2] = {{0.25f, 0.75f, 0.5f}, {0.5f, 0.5f, 0.25f}};
  weft_vec3 after[2];
  weft_binding *binding = bound(&mesh, points, 2);
  corners[3].z = 1; /* folds the second half up */
  assert_int_equal(weft_binding_at(binding, corners, after, NULL), WEFT_OK);
  rig_near3(weft_v3d_from(after[1]), weft_v3d(0.5, 0.5, 0.25), 1e-7, "stays");
  assert_true(after[0].z > 0.6f);
  weft_binding_destroy(binding);
}

static void what_cannot_be_bound_is_refused(void **state) {
  (void)state;
  weft_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, point = {0, 0, 0};
  uint32_t triangle[3] = {0, 1, 2};
  weft_mesh mesh = {
      .vertex_count = 3, .triangle_count = 1, .positions = corners, .triangles = triangle};
  const weft_mesh hollow = {.vertex_count = 3, .triangle_count = 1};
  weft_binding *binding = (weft_binding *)&mesh;
  weft_error err = {0};
  REFUSES("binding", weft_binding_create(&mesh, &point, 1, NULL, E));
  REFUSES("mesh", weft_binding_create(NULL, &point, 1, &binding, E));
  assert_null(binding);
  REFUSES("points", weft_binding_create(&mesh, NULL, 1, &binding, E));
  REFUSES("positions", weft_binding_create(&hollow, &point, 1, &binding, E));
  REFUSES("binding", weft_binding_at(NULL, corners, &point, E));
  assert_int_equal(weft_binding_create(&mesh, &point, 1, &binding, &err), WEFT_ERROR_MESH);
  assert_non_null(strstr(err.message, "without area"));
  triangle[2] = 3;
  assert_int_equal(weft_binding_create(&mesh, &point, 1, &binding, &err), WEFT_ERROR_MESH);
  assert_non_null(strstr(err.message, "triangle 0"));
  triangle[2] = 2;
  corners[2].y = 1;
  point.y = NAN;
  assert_int_equal(weft_binding_create(&mesh, &point, 1, &binding, &err), WEFT_ERROR_NOT_FINITE);
  assert_null(binding);
  weft_binding_destroy(NULL);
  binding = bound(&mesh, NULL, 0);
  assert_int_equal(weft_binding_at(binding, corners, NULL, NULL), WEFT_OK);
  REFUSES("positions", weft_binding_at(binding, NULL, NULL, E));
  weft_binding_destroy(binding);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_are_bound_to_the_nearest_triangle),
      cmocka_unit_test(a_rigid_body_takes_them_along_rigidly),
      cmocka_unit_test(shares_of_corners_and_height_are_kept),
      cmocka_unit_test(the_first_of_two_as_near_is_meant),
      cmocka_unit_test(of_many_as_near_the_first_is_meant),
      cmocka_unit_test(what_cannot_be_bound_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
