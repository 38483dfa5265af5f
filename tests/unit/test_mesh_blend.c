/* Solids that flow into one another as a mesh: closed, turned outwards, even, on the surface that
 * the formulas give, of the volume and area that geometry knows, and free of itself. */
#include <string.h>
#include <weft/mesh.h>

#include "base.h"
#include "blend.h"
#include "cmocka_all.h"
#include "fewer.h"
#include "intersections.h"
#include "vec3d.h"

static const double pi = 3.141592653589793;

static weft_blend_solid capsule(weft_vec3 a, weft_vec3 b, float radius, float blend) {
  return (weft_blend_solid){.a = a, .b = b, .radius_a = radius, .radius_b = radius, .blend = blend};
}

static weft_mesh blended(const weft_blend_solid *solids, uint32_t count, float edge) {
  weft_mesh mesh;
  weft_error err = {0};
  const weft_blend_desc desc = {.solids = solids, .solid_count = count, .edge = edge};
  if (weft_mesh_blend(&desc, &mesh, &err) != WEFT_OK) fail_msg("%s", err.message);
  return mesh;
}

static double volume_of(const weft_mesh *mesh) {
  double sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *c = mesh->triangles + 3 * (size_t)t;
    weft_vec3d p = weft_v3d_from(mesh->positions[c[0]]);
    weft_vec3d q = weft_v3d_from(mesh->positions[c[1]]);
    sum += weft_v3d_dot(p, weft_v3d_cross(q, weft_v3d_from(mesh->positions[c[2]]))) / 6;
  }
  return sum;
}

/* Closed, manifold, wound alike, with handles as told, free of itself, and even. */
static weft_mesh_report sound(const weft_mesh *mesh, uint32_t components, int euler, double edge) {
  weft_mesh_report r;
  weft_mesh_inspect(mesh, &r);
  assert_int_equal(r.boundary_edges, 0);
  assert_int_equal(r.nonmanifold_edges, 0);
  assert_int_equal(r.flipped_edges, 0);
  assert_int_equal(r.zero_area_triangles, 0);
  assert_int_equal(r.duplicate_triangles, 0);
  assert_int_equal(r.unused_vertices, 0);
  assert_int_equal(r.components, components);
  assert_int_equal((int)r.vertex_count - (int)r.edge_count + (int)r.triangle_count, euler);
  assert_true((double)r.smallest_angle > 18);
  assert_true((double)r.longest_edge < 1.8 * edge && (double)r.shortest_edge > 0.25 * edge);
  assert_true(fabs((double)r.mean_edge / edge - 1.03) < 0.06);
  weft_intersections found;
  assert_int_equal(weft_count_intersections(mesh->positions, mesh->vertex_count, mesh->triangles,
                                            mesh->triangle_count, NULL, &found, NULL),
                   WEFT_OK);
  assert_int_equal(found.edge_triangle_pairs, 0);
  assert_true(volume_of(mesh) > 0); /* turned outwards */
  return r;
}

static void assert_near(double a, double b, double relative) {
  if (fabs(a - b) > relative * fabs(b)) fail_msg("%.9g is not near %.9g", a, b);
}

static void a_ball_is_a_ball(void **state) {
  (void)state;
  weft_blend_solid ball = capsule(weft_v3(1, 2, 3), weft_v3(1, 2, 3), 0.1f, 0);
  double off[2];
  for (int fine = 0; fine < 2; ++fine) {
    float edge = fine ? 0.006f : 0.012f;
    weft_mesh mesh = blended(&ball, 1, edge);
    weft_mesh_report r = sound(&mesh, 1, 2, (double)edge);
    assert_true((double)r.smallest_angle > 30);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
      assert_true(fabs(weft_v3_distance(mesh.positions[v], ball.a) - 0.1) < 1e-6);
    }
    off[fine] = 1 - volume_of(&mesh) / (4 * pi * 1e-3 / 3);
    assert_near(r.area, 4 * pi * 0.01, 0.005);
    weft_mesh_free(&mesh);
  }
  assert_true(off[0] > 0 && off[0] < 0.006); /* a polyhedron inside of it */
  assert_true(off[1] < 0.3 * off[0]);        /* by the square of the edge */
}

static void a_capsule_is_a_capsule(void **state) {
  (void)state;
  weft_blend_solid solid = capsule(weft_v3(0, 0, 0), weft_v3(0.18f, 0.24f, 0), 0.05f, 0);
  weft_mesh mesh = blended(&solid, 1, 0.006f);
  weft_mesh_report r = sound(&mesh, 1, 2, 0.006);
  assert_near(volume_of(&mesh), pi * 0.0025 * 0.3 + 4 * pi * 1.25e-4 / 3, 0.004);
  assert_near(r.area, 2 * pi * 0.05 * 0.3 + 4 * pi * 0.0025, 0.003);
  weft_mesh_free(&mesh);
}

/* The hull of two balls: caps that end where a cone touches both. */
static void a_tapered_capsule_has_its_volume(void **state) {
  (void)state;
  const double a = 0.1, b = 0.04, l = 0.3, sine = (a - b) / l, cosine = sqrt(1 - sine * sine);
  weft_blend_solid solid = {.b = {0, 0, (float)l}, .radius_a = (float)a, .radius_b = (float)b};
  weft_mesh mesh = blended(&solid, 1, 0.007f);
  sound(&mesh, 1, 2, 0.007);
  double ra = a * cosine, rb = b * cosine, high = l + (b - a) * sine;
  double cone = pi * high * (ra * ra + ra * rb + rb * rb) / 3;
  double cap_a = a * (1 + sine), cap_b = b * (1 - sine);
  double caps = pi * cap_a * cap_a * (3 * a - cap_a) / 3 + pi * cap_b * cap_b * (3 * b - cap_b) / 3;
  assert_near(volume_of(&mesh), cone + caps, 0.004);
  weft_mesh_free(&mesh);
}

static void a_flattened_ball_is_an_ellipsoid(void **state) {
  (void)state;
  weft_blend_solid ball = capsule(weft_v3(0.2f, 0, 0), weft_v3(0.2f, 0, 0), 0.1f, 0);
  ball.flatness = 0.5f;
  ball.flat = weft_v3(0, 3, 0);
  weft_mesh mesh = blended(&ball, 1, 0.007f);
  sound(&mesh, 1, 2, 0.007);
  assert_near(volume_of(&mesh), 4 * pi * 0.5e-3 / 3, 0.005);
  for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
    weft_vec3d p = weft_v3d_from(mesh.positions[v]);
    assert_true(fabs(hypot(hypot(p.x - 0.2, p.z), 2 * p.y) - 0.1) < 1e-5);
  }
  weft_mesh_free(&mesh);
}

/* ---- what flows ---- */

static double to_capsule(const weft_blend_solid *s, weft_vec3d p) {
  weft_vec3d a = weft_v3d_from(s->a), along = weft_v3d_sub(weft_v3d_from(s->b), a);
  double t = weft_v3d_dot(weft_v3d_sub(p, a), along) / weft_v3d_dot(along, along);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return weft_v3d_distance(p, weft_v3d_add_scaled(a, t, along)) - (double)s->radius_a;
}

static double smooth_least(double a, double b, double k) {
  double h = k - fabs(a - b);
  return (a < b ? a : b) - (h > 0 ? h * h * h / (6 * k * k) : 0);
}

static void vertices_lie_on_the_smooth_union(void **state) {
  (void)state;
  const weft_blend_solid cross[] = {
      capsule(weft_v3(-0.2f, 0, 0), weft_v3(0.2f, 0, 0), 0.05f, 0),
      capsule(weft_v3(0, -0.2f, 0.03f), weft_v3(0.02f, 0.2f, 0), 0.04f, 0.06f),
  };
  weft_mesh mesh = blended(cross, 2, 0.01f);
  sound(&mesh, 1, 2, 0.01);
  double flowed = 0;
  for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
    weft_vec3d p = weft_v3d_from(mesh.positions[v]);
    double a = to_capsule(&cross[0], p), b = to_capsule(&cross[1], p);
    if (fabs(smooth_least(a, b, 0.06)) > 1e-4 * 0.4) fail_msg("vertex %u is off", v);
    flowed = fmax(flowed, fmin(a, b));
  }
  assert_near(flowed, 0.01, 0.05); /* where both are as near: a sixth of the blend */
  weft_mesh_free(&mesh);
}

static void limbs_do_not_flow_into_one_another(void **state) {
  (void)state;
  weft_blend_solid solids[] = {
      capsule(weft_v3(0, 0, 0), weft_v3(0.3f, 0, 0), 0.05f, 0.075f),
      capsule(weft_v3(0.05f, 0, 0), weft_v3(0.12f, 0.4f, 0), 0.03f, 0.075f),
      capsule(weft_v3(0.25f, 0, 0), weft_v3(0.2f, 0.4f, 0), 0.03f, 0.075f),
  };
  for (int apart = 0; apart < 2; ++apart) {
    solids[1].limb = apart ? 2 : 0;
    solids[2].limb = apart ? 7 : 0;
    weft_mesh mesh = blended(solids, 3, 0.008f);
    sound(&mesh, 1, apart ? 2 : 0, 0.008); /* else their ends, 3 cm apart, grow together */
    weft_mesh_free(&mesh);
  }
}

static void a_ring_has_a_hole_and_two_balls_are_two(void **state) {
  (void)state;
  const weft_vec3 corners[] = {{0.2f, 0, 0}, {0, 0.2f, 0}, {-0.2f, 0, 0}, {0, -0.2f, 0}};
  weft_blend_solid solids[4];
  for (int k = 0; k < 4; ++k) solids[k] = capsule(corners[k], corners[(k + 1) % 4], 0.04f, 0.02f);
  weft_mesh mesh = blended(solids, 4, 0.01f);
  sound(&mesh, 1, 0, 0.01);
  weft_mesh_free(&mesh);
  for (int k = 0; k < 2; ++k) solids[k] = capsule(corners[k], corners[k], 0.05f, 0.02f);
  mesh = blended(solids, 2, 0.01f);
  sound(&mesh, 2, 4, 0.01);
  weft_mesh_free(&mesh);
}

/* Over the same vertices, still closed, and nowhere far off. */
static void fewer_triangles_are_still_closed(void **state) {
  (void)state;
  const weft_blend_solid solids[] = {
      capsule(weft_v3(0, 0, 0), weft_v3(0.3f, 0, 0), 0.06f, 0),
      capsule(weft_v3(0.1f, 0, 0), weft_v3(0.12f, 0.3f, 0), 0.05f, 0.05f),
  };
  weft_mesh mesh = blended(solids, 2, 0.008f), few = mesh;
  weft_mesh_fewer(&mesh, 0.018, &few.triangles, &few.triangle_count);
  weft_mesh_report r;
  weft_mesh_inspect(&few, &r);
  assert_true(few.triangle_count > 100 && few.triangle_count < mesh.triangle_count / 3);
  assert_int_equal(r.boundary_edges + r.nonmanifold_edges + r.flipped_edges, 0);
  assert_int_equal(r.components, 1);
  assert_near(volume_of(&few), volume_of(&mesh), 0.02);
  weft_free(few.triangles);
  mesh.triangle_count--; /* not closed any more */
  weft_mesh_fewer(&mesh, 0.018, &few.triangles, &few.triangle_count);
  assert_int_equal(few.triangle_count, mesh.triangle_count);
  weft_free(few.triangles);
  weft_mesh_free(&mesh);
}

static void it_is_the_same_every_time(void **state) {
  (void)state;
  weft_blend_solid solids[] = {
      capsule(weft_v3(0, 0, 0), weft_v3(0.3f, 0, 0), 0.05f, 0),
      capsule(weft_v3(0.1f, 0, 0), weft_v3(0.12f, 0.3f, 0), 0.04f, 0.05f),
  };
  weft_mesh one = blended(solids, 2, 0.01f), two = blended(solids, 2, 0.01f);
  assert_int_equal(one.vertex_count, two.vertex_count);
  assert_memory_equal(one.positions, two.positions, one.vertex_count * sizeof *one.positions);
  assert_memory_equal(one.triangles, two.triangles, 3 * one.triangle_count * sizeof(uint32_t));
  weft_mesh_free(&one);
  weft_mesh_free(&two);
}

static void refuses(weft_blend_solid solid, uint32_t count, float edge, const char *why) {
  weft_mesh mesh;
  weft_error err = {0};
  const weft_blend_desc desc = {.solids = &solid, .solid_count = count, .edge = edge};
  assert_int_equal(weft_mesh_blend(&desc, &mesh, &err), WEFT_ERROR_ARGUMENT);
  if (!strstr(err.message, why)) fail_msg("\"%s\" does not say \"%s\"", err.message, why);
  assert_null(mesh.positions);
}

static void bad_input_gets_a_sentence(void **state) {
  (void)state;
  weft_blend_solid good = capsule(weft_v3(0, 0, 0), weft_v3(0.3f, 0, 0), 0.05f, 0), s = good;
  refuses(good, 0, 0.01f, "0 solids");
  refuses(good, 5000, 0.01f, "5000 solids");
  refuses(good, 1, 0, "edge");
  refuses(good, 1, NAN, "edge");
  refuses(good, 1, 1e-5f, "too short");
  refuses(good, 1, 0.9f, "too long");
  s.radius_b = -1;
  refuses(s, 1, 0.01f, "radius of solid 0");
  s = good, s.a.y = INFINITY;
  refuses(s, 1, 0.01f, "centre");
  s = good, s.blend = -0.1f;
  refuses(s, 1, 0.01f, "blend of solid 0");
  s = good, s.flatness = 0.5f;
  refuses(s, 1, 0.01f, "flattened");
  s.flat = weft_v3(0, 1, 0), s.flatness = 1.5f;
  refuses(s, 1, 0.01f, "flattened");
  weft_mesh mesh;
  assert_int_equal(weft_mesh_blend(NULL, &mesh, NULL), WEFT_ERROR_ARGUMENT);
  const weft_blend_desc none = {.solid_count = 1, .edge = 0.1f};
  assert_int_equal(weft_mesh_blend(&none, &mesh, NULL), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_mesh_blend(&none, NULL, NULL), WEFT_ERROR_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_is_a_ball),
      cmocka_unit_test(a_capsule_is_a_capsule),
      cmocka_unit_test(a_tapered_capsule_has_its_volume),
      cmocka_unit_test(a_flattened_ball_is_an_ellipsoid),
      cmocka_unit_test(vertices_lie_on_the_smooth_union),
      cmocka_unit_test(limbs_do_not_flow_into_one_another),
      cmocka_unit_test(a_ring_has_a_hole_and_two_balls_are_two),
      cmocka_unit_test(fewer_triangles_are_still_closed),
      cmocka_unit_test(it_is_the_same_every_time),
      cmocka_unit_test(bad_input_gets_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
