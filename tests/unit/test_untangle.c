/* Starts that are loosened: no intersection is left by a count of another kind (all pairs, signs of
 * volumes), what was moved is apart by distances of another kind, edges keep their lengths, and
 * what need not move does not. */
#include <weft_kit/untangle.h>

#include "blend.h"
#include "cmocka_all.h"
/* after cmocka */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "refuses.h"
#include "rig.h"

/* ---- another count ---- */

static weft_vec3d at(const weft_vec3 *x, uint32_t i) { return weft_v3d_from(x[i]); }

static double volume(weft_vec3d a, weft_vec3d b, weft_vec3d c, weft_vec3d d) {
  return weft_v3d_dot(weft_v3d_cross(weft_v3d_sub(b, a), weft_v3d_sub(c, a)), weft_v3d_sub(d, a));
}

static bool passes(const weft_vec3 *x, uint32_t p, uint32_t q, const uint32_t *t) {
  weft_vec3d a = at(x, t[0]), b = at(x, t[1]), c = at(x, t[2]), d = at(x, p), e = at(x, q);
  double from = volume(a, b, c, d), to = volume(a, b, c, e);
  if (from * to > 0 || (from == 0 && to == 0)) return false; /* flat sheets lie in one plane */
  double u = volume(d, e, a, b), v = volume(d, e, b, c), w = volume(d, e, c, a);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

static bool share(const uint32_t *t, uint32_t i) { return t[0] == i || t[1] == i || t[2] == i; }

static uint32_t crossings(const weft_vec3 *x, const uint32_t *t, uint32_t count) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t j = 0; j < count; ++j) {
      const uint32_t *one = t + 3 * (size_t)i, *other = t + 3 * (size_t)j;
      for (int k = 0; k < 3; ++k) {
        uint32_t p = one[k], q = one[(k + 1) % 3];
        if (share(other, p) || share(other, q)) continue;
        found += passes(x, p, q, other);
      }
    }
  }
  return found;
}

/* ---- meshes ---- */

/* A sheet and, behind it, another one or a body. */
typedef struct two {
  weft_mesh mesh;
  uint32_t first; /* vertices of the one */
} two;

static two both(weft_mesh a, weft_mesh b) {
  two t = {.first = a.vertex_count};
  t.mesh.vertex_count = a.vertex_count + b.vertex_count;
  t.mesh.triangle_count = a.triangle_count + b.triangle_count;
  t.mesh.positions = weft_alloc(t.mesh.vertex_count, sizeof(weft_vec3));
  t.mesh.triangles = weft_alloc(3 * (size_t)t.mesh.triangle_count, sizeof(uint32_t));
  memcpy(t.mesh.positions, a.positions, a.vertex_count * sizeof(weft_vec3));
  memcpy(t.mesh.positions + t.first, b.positions, b.vertex_count * sizeof(weft_vec3));
  size_t corners = 3 * (size_t)a.triangle_count;
  memcpy(t.mesh.triangles, a.triangles, corners * sizeof(uint32_t));
  for (size_t c = 0; c < 3 * (size_t)b.triangle_count; ++c) {
    t.mesh.triangles[corners + c] = b.triangles[c] + t.first;
  }
  weft_mesh_free(&a);
  weft_mesh_free(&b);
  return t;
}

enum { SIDE = 14 };

static weft_mesh lying(float width) {
  return rig_grid(&(weft_grid_desc){
      .rows = SIDE, .columns = SIDE, .width = width, .height = width, .plane = WEFT_PLANE_XZ});
}

/* On end across the middle of what lies. */
static weft_mesh standing(float width, weft_vec3 centre) {
  return rig_grid(&(weft_grid_desc){.rows = SIDE,
                                    .columns = SIDE,
                                    .width = width,
                                    .height = width,
                                    .plane = WEFT_PLANE_XY,
                                    .centre = centre});
}

static weft_mesh on_a_corner(weft_vec3 centre) {
  weft_mesh mesh = standing(0.4f, (weft_vec3){0, 0, 0});
  const float c = 0.70710678f;
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    weft_vec3 p = mesh.positions[i];
    mesh.positions[i] =
        (weft_vec3){c * (p.x - p.y) + centre.x, c * (p.x + p.y) + centre.y, p.z + centre.z};
  }
  return mesh;
}

/* ---- what loosening must do ---- */

typedef struct loosened {
  weft_vec3 *x;
  weft_untangled report;
} loosened;

static loosened loosen(weft_untangle_desc desc) {
  weft_error err = {0};
  uint32_t n = weft_model_particle_count(desc.model);
  loosened l = {.x = weft_alloc(n, sizeof *l.x)};
  if (weft_untangle(&desc, l.x, &l.report, &err) != WEFT_OK) fail_msg("%s", err.message);
  weft_vec3 *again = weft_alloc(n, sizeof *again);
  assert_int_equal(weft_untangle(&desc, again, NULL, &err), WEFT_OK);
  assert_memory_equal(l.x, again, n * sizeof *again);
  weft_free(again);
  return l;
}

/* Over edges of triangles. */
static double largest_strain(const weft_mesh *mesh, const weft_vec3 *x) {
  double most = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    for (int k = 0; k < 3; ++k) {
      uint32_t a = mesh->triangles[3 * (size_t)t + (size_t)k];
      uint32_t b = mesh->triangles[3 * (size_t)t + (size_t)((k + 1) % 3)];
      double rest = weft_v3_distance(mesh->positions[a], mesh->positions[b]);
      most = fmax(most, fabs(weft_v3_distance(x[a], x[b]) / rest - 1));
    }
  }
  return most;
}

static void comes_free(two t, double strain, double way) {
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &t.mesh});
  assert_true(crossings(t.mesh.positions, t.mesh.triangles, t.mesh.triangle_count) > 0);
  loosened l = loosen((weft_untangle_desc){.model = model});
  assert_true(l.report.self_before > 0);
  assert_int_equal(l.report.self_after, 0);
  assert_int_equal(crossings(l.x, t.mesh.triangles, t.mesh.triangle_count), 0);
  assert_true(l.report.gap > 0.99 * 0.003 / 8); /* an eighth of the thickness */
  double most = 0;
  for (uint32_t i = 0; i < t.mesh.vertex_count; ++i) {
    most = fmax(most, weft_v3_distance(l.x[i], t.mesh.positions[i]));
  }
  assert_true(fabs(most - l.report.largest_move) < 1e-12);
  if (most > way) fail_msg("moved by %g m", most);
  double strained = largest_strain(&t.mesh, l.x);
  assert_true(fabs(strained - l.report.strain_max) < 1e-12);
  if (strained > strain) fail_msg("strained by %g", strained);
  weft_free(l.x);
  weft_model_destroy(model);
  weft_mesh_free(&t.mesh);
}

static void test_a_border_comes_back(void **state) {
  (void)state;
  comes_free(both(lying(0.5f), standing(0.4f, (weft_vec3){0.007f, 0.17f, 0.011f})), 0.02, 0.04);
}

static void test_a_corner_comes_back(void **state) {
  (void)state;
  comes_free(both(lying(0.5f), on_a_corner((weft_vec3){0.01f, 0.24f, 0.013f})), 0.02, 0.06);
}

/* By more than a fifth of a metre: as a whole. */
static void test_crossed_sheets_part(void **state) {
  (void)state;
  comes_free(both(lying(0.5f), standing(0.4f, (weft_vec3){0.007f, 0.01f, 0.011f})), 0.1, 0.25);
}

/* Neither is cut in two: the contour's length alone says where to. */
static void test_one_slides_out_of_the_other(void **state) {
  (void)state;
  comes_free(both(lying(0.5f), standing(0.5f, (weft_vec3){0.47f, 0.007f, 0.011f})), 0.3, 0.05);
}

static void test_what_is_free_stays(void **state) {
  (void)state;
  two t = both(lying(0.5f), standing(0.4f, (weft_vec3){0.007f, 0.2005f, 0.011f}));
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &t.mesh});
  loosened l = loosen((weft_untangle_desc){.model = model});
  assert_memory_equal(l.x, t.mesh.positions, t.mesh.vertex_count * sizeof *l.x);
  assert_int_equal(l.report.moved + l.report.iterations, 0);
  weft_free(l.x);
  weft_model_destroy(model);
  weft_mesh_free(&t.mesh);
}

/* A pinned sheet does not move; the other one goes the whole way. */
static void test_pins_stay(void **state) {
  (void)state;
  two t = both(lying(0.5f), standing(0.4f, (weft_vec3){0.007f, 0.17f, 0.011f}));
  uint32_t *list = weft_alloc(t.first, sizeof *list);
  for (uint32_t i = 0; i < t.first; ++i) list[i] = i;
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = list, .list_count = t.first};
  weft_model *model =
      rig_preprocess(&(weft_model_desc){.mesh = &t.mesh, .pins = &pin, .pin_count = 1});
  loosened l = loosen((weft_untangle_desc){.model = model});
  assert_memory_equal(l.x, t.mesh.positions, t.first * sizeof *l.x);
  assert_int_equal(crossings(l.x, t.mesh.triangles, t.mesh.triangle_count), 0);
  weft_free(l.x);
  weft_free(list);
  weft_model_destroy(model);
  weft_mesh_free(&t.mesh);
}

static void test_says_what_is_left(void **state) {
  (void)state;
  two t = both(lying(0.5f), standing(0.4f, (weft_vec3){0.007f, 0.01f, 0.011f}));
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &t.mesh});
  loosened l = loosen((weft_untangle_desc){.model = model, .iterations = 3});
  assert_int_equal(l.report.iterations, 3);
  assert_true(l.report.self_after > 0 && l.report.self_after <= l.report.self_before);
  assert_true(crossings(l.x, t.mesh.triangles, t.mesh.triangle_count) > 0);
  assert_true(l.report.gap == 0);
  /* by a quarter of the thickness in an iteration, and what edges add */
  assert_true(l.report.largest_move < 3 * 0.003);
  weft_free(l.x);
  weft_model_destroy(model);
  weft_mesh_free(&t.mesh);
}

/* ---- layers ---- */

static void test_layers_come_into_order(void **state) {
  (void)state;
  weft_mesh waves = lying(0.45f), flat = lying(0.5f);
  for (uint32_t i = 0; i < waves.vertex_count; ++i) {
    weft_vec3 *p = &waves.positions[i];
    p->y = 0.02f * sinf(20 * p->x) * cosf(18 * p->z) - 0.004f;
    p->x += 0.0123f;
  }
  two t = both(flat, waves);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &t.mesh});
  weft_vec3d n = weft_v3d_cross(weft_v3d_sub(at(t.mesh.positions, t.mesh.triangles[1]),
                                             at(t.mesh.positions, t.mesh.triangles[0])),
                                weft_v3d_sub(at(t.mesh.positions, t.mesh.triangles[2]),
                                             at(t.mesh.positions, t.mesh.triangles[0])));
  int32_t *layers = weft_alloc(t.mesh.vertex_count, sizeof *layers);
  for (int order = -1; order <= 1; order += 2) { /* the waves above the sheet, and below */
    for (uint32_t i = 0; i < t.mesh.vertex_count; ++i) layers[i] = i < t.first ? 5 : 5 + order;
    loosened l = loosen((weft_untangle_desc){.model = model, .layers = layers});
    assert_int_equal(crossings(l.x, t.mesh.triangles, t.mesh.triangle_count), 0);
    assert_int_equal(l.report.inside_after, 0);
    double mean[2] = {0, 0};
    for (uint32_t i = 0; i < t.mesh.vertex_count; ++i) mean[i >= t.first] += (double)l.x[i].y;
    double above = (mean[1] - mean[0]) / t.first * (n.y > 0 ? 1 : -1);
    /* each wave's height and depth are 20 mm: those of the wrong side are gone */
    if (above * order < 0.005) fail_msg("layer %d lies %g m in front", order, above * order);
    weft_free(l.x);
  }
  weft_free(layers);
  weft_model_destroy(model);
  weft_mesh_free(&t.mesh);
}

/* Wholly on the wrong side, with no two triangles that intersect. */
static void test_a_layer_comes_from_behind(void **state) {
  (void)state;
  weft_mesh flat = lying(0.5f), patch = lying(0.2f);
  for (uint32_t i = 0; i < patch.vertex_count; ++i) patch.positions[i].y = -0.01f;
  two t = both(flat, patch);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &t.mesh});
  int32_t *layers = weft_alloc(t.mesh.vertex_count, sizeof *layers);
  const uint32_t *c = t.mesh.triangles;
  const weft_vec3 *x = t.mesh.positions;
  weft_vec3d n = weft_v3d_cross(weft_v3d_sub(at(x, c[1]), at(x, c[0])),
                                weft_v3d_sub(at(x, c[2]), at(x, c[0])));
  /* what lies in front of the sheet is to go behind the patch, or the patch in front of it */
  for (uint32_t i = 0; i < t.mesh.vertex_count; ++i) layers[i] = (i < t.first) == (n.y < 0);
  loosened l = loosen((weft_untangle_desc){.model = model, .layers = layers});
  assert_int_equal(l.report.self_before, 0);
  assert_true(l.report.inside_before > 0);
  assert_int_equal(l.report.self_after + l.report.inside_after, 0);
  assert_int_equal(crossings(l.x, t.mesh.triangles, t.mesh.triangle_count), 0);
  double sheet = 0, above = 0; /* at the middle of both */
  for (uint32_t i = 0; i < t.mesh.vertex_count; ++i) {
    if (fabsf(x[i].x) > 0.03f || fabsf(x[i].z) > 0.03f) continue;
    if (i < t.first) sheet = (double)l.x[i].y;
    if (i >= t.first) above = (double)l.x[i].y;
  }
  assert_true(above > sheet);
  weft_free(l.x);
  weft_free(layers);
  weft_model_destroy(model);
  weft_mesh_free(&t.mesh);
}

/* ---- bodies ---- */

static weft_mesh ball(weft_vec3 centre, float radius) {
  const weft_blend_solid solid = {.a = centre, .b = centre, .radius_a = radius, .radius_b = radius};
  weft_mesh mesh = {0};
  weft_error err = {0};
  if (weft_mesh_blend(&(weft_blend_desc){&solid, 1, 0.02f}, &mesh, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  return mesh;
}

/* A sheet that lies in a ball: some particles inside, some of the ball's through triangles. */
static void test_cloth_leaves_a_body(void **state) {
  (void)state;
  const weft_vec3 centre = {0.003f, -0.07f, 0.005f};
  const float radius = 0.1f;
  weft_mesh sheet = lying(0.5f), mesh = ball(centre, radius);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &sheet});
  const weft_body body = {.mesh = &mesh};
  loosened l = loosen((weft_untangle_desc){.model = model, .bodies = &body, .body_count = 1});
  assert_true(l.report.body_before > 0 && l.report.inside_before > 0);
  assert_int_equal(l.report.body_after, 0);
  assert_int_equal(l.report.inside_after, 0);
  for (uint32_t i = 0; i < sheet.vertex_count; ++i) {
    double off = weft_v3_distance(l.x[i], centre);
    if (off < (double)radius - 0.001) fail_msg("particle %u is %g m from the middle", i, off);
  }
  uint32_t n = sheet.vertex_count;
  two t = both(sheet, mesh);
  memcpy(t.mesh.positions, l.x, n * sizeof *l.x);
  assert_int_equal(crossings(t.mesh.positions, t.mesh.triangles, t.mesh.triangle_count), 0);
  weft_free(l.x);
  weft_model_destroy(model);
  weft_mesh_free(&t.mesh);
}

/* Which way the triangles of a body face does not matter. */
static void test_a_body_may_face_inwards(void **state) {
  (void)state;
  const weft_vec3 centre = {0.003f, -0.07f, 0.005f};
  weft_mesh sheet = lying(0.5f), mesh = ball(centre, 0.1f);
  for (size_t t = 0; t < mesh.triangle_count; ++t) {
    uint32_t *c = &mesh.triangles[3 * t], kept = c[1];
    c[1] = c[2];
    c[2] = kept;
  }
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &sheet});
  const weft_body body = {.mesh = &mesh};
  loosened l = loosen((weft_untangle_desc){.model = model, .bodies = &body, .body_count = 1});
  assert_int_equal(l.report.body_after + l.report.inside_after, 0);
  for (uint32_t i = 0; i < sheet.vertex_count; ++i) {
    assert_true(weft_v3_distance(l.x[i], centre) > 0.099);
  }
  weft_free(l.x);
  weft_model_destroy(model);
  weft_mesh_free(&sheet);
  weft_mesh_free(&mesh);
}

/* All of it inside: no two triangles intersect, and it comes out. */
static void test_what_is_inside_comes_out(void **state) {
  (void)state;
  weft_mesh sheet = lying(0.05f), mesh = ball((weft_vec3){0, -0.05f, 0}, 0.1f);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &sheet});
  const weft_body body = {.mesh = &mesh};
  loosened l = loosen((weft_untangle_desc){.model = model, .bodies = &body, .body_count = 1});
  assert_int_equal(l.report.body_before, 0);
  assert_int_equal(l.report.inside_before, sheet.vertex_count);
  assert_int_equal(l.report.inside_after + l.report.body_after, 0);
  for (uint32_t i = 0; i < sheet.vertex_count; ++i) {
    assert_true(weft_v3_distance(l.x[i], (weft_vec3){0, -0.05f, 0}) > 0.099);
  }
  weft_free(l.x);
  weft_model_destroy(model);
  weft_mesh_free(&sheet);
  weft_mesh_free(&mesh);
}

/* An open one has no inside: the corner goes back. */
static void test_a_corner_leaves_an_open_body(void **state) {
  (void)state;
  weft_mesh mesh = lying(0.5f), sheet = on_a_corner((weft_vec3){0.01f, 0.24f, 0.013f});
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &sheet});
  const weft_body body = {.mesh = &mesh};
  loosened l = loosen((weft_untangle_desc){.model = model, .bodies = &body, .body_count = 1});
  assert_true(l.report.body_before > 0 && l.report.inside_before == 0);
  assert_int_equal(l.report.body_after, 0);
  for (uint32_t i = 0; i < sheet.vertex_count; ++i) assert_true(l.x[i].y > 0);
  weft_free(l.x);
  weft_model_destroy(model);
  weft_mesh_free(&sheet);
  weft_mesh_free(&mesh);
}

/* ---- solvers ---- */

static weft_result make(const weft_model *model, const weft_params *params, uint32_t *tangled,
                        weft_error *err) {
  weft_solver *solver = NULL;
  weft_metrics metrics = {0};
  weft_result result = weft_solver_create(model, params, weft_backend_ref(), &solver, err);
  if (result == WEFT_OK) result = weft_solver_metrics(solver, &metrics, err);
  weft_solver_destroy(solver);
  *tangled = metrics.self_tangled;
  return result;
}

/* What a solver refuses, and warns of, is what was loosened. */
static void test_a_solver_takes_it(void **state) {
  (void)state;
  two t = both(lying(0.5f), standing(0.4f, (weft_vec3){0.007f, 0.17f, 0.011f}));
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &t.mesh});
  loosened l = loosen((weft_untangle_desc){.model = model});
  weft_params params = {.self_collision = true};
  weft_error err = {0};
  uint32_t tangled = 0;
  assert_int_equal(make(model, &params, &tangled, &err), WEFT_OK);
  assert_true(tangled > 0);
  params.tangled = WEFT_TANGLED_REFUSE;
  assert_int_equal(make(model, &params, &tangled, &err), WEFT_ERROR_MESH);
  assert_non_null(strstr(err.message, "pairs of triangles of the cloth intersect, first "));
  params.start = l.x;
  assert_int_equal(make(model, &params, &tangled, &err), WEFT_OK);
  assert_int_equal(tangled, 0);
  params.start = NULL;
  params.self_collision = false; /* nothing is kept apart, so nothing is asked */
  assert_int_equal(make(model, &params, &tangled, &err), WEFT_OK);
  params.tangled = (weft_tangled)7;
  REFUSES("unknown choice for a tangled start 7", make(model, &params, &tangled, E));
  weft_free(l.x);
  weft_model_destroy(model);
  weft_mesh_free(&t.mesh);
}

/* ---- refusals ---- */

static void test_refuses(void **state) {
  (void)state;
  weft_mesh sheet = lying(0.5f);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &sheet});
  weft_vec3 *x = weft_alloc(sheet.vertex_count, sizeof *x);
  weft_untangle_desc desc = {.model = model};
  REFUSES("desc", weft_untangle(NULL, x, NULL, E));
  REFUSES("desc->model", weft_untangle(&(weft_untangle_desc){0}, x, NULL, E));
  REFUSES("positions", weft_untangle(&desc, NULL, NULL, E));
  desc.thickness = 2;
  REFUSES("thickness (m) is 2", weft_untangle(&desc, x, NULL, E));
  desc.thickness = NAN;
  REFUSES("thickness (m)", weft_untangle(&desc, x, NULL, E));
  desc.thickness = 0;
  desc.iterations = WEFT_MAX_UNTANGLE_ITERATIONS + 1;
  REFUSES("100001 iterations", weft_untangle(&desc, x, NULL, E));
  desc.iterations = 0;
  desc.body_count = 1;
  REFUSES("1 bodies", weft_untangle(&desc, x, NULL, E));
  desc.bodies = &(weft_body){0};
  REFUSES("body 0 has no triangles", weft_untangle(&desc, x, NULL, E));
  desc.body_count = 0;
  int32_t *layers = weft_alloc(sheet.vertex_count, sizeof *layers);
  for (uint32_t i = 0; i < sheet.vertex_count; ++i) layers[i] = (int32_t)i;
  desc.layers = layers;
  REFUSES("more than 64 layers", weft_untangle(&desc, x, NULL, E));
  desc.layers = NULL;
  weft_free(layers);
  weft_error err = {0};
  memcpy(x, sheet.positions, sheet.vertex_count * sizeof *x);
  x[7].y = NAN;
  desc.start = x;
  assert_int_equal(weft_untangle(&desc, x, NULL, &err), WEFT_ERROR_NOT_FINITE);
  weft_free(x);
  weft_model_destroy(model);
  weft_mesh_free(&sheet);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_border_comes_back),
      cmocka_unit_test(test_a_corner_comes_back),
      cmocka_unit_test(test_crossed_sheets_part),
      cmocka_unit_test(test_one_slides_out_of_the_other),
      cmocka_unit_test(test_what_is_free_stays),
      cmocka_unit_test(test_pins_stay),
      cmocka_unit_test(test_says_what_is_left),
      cmocka_unit_test(test_layers_come_into_order),
      cmocka_unit_test(test_a_layer_comes_from_behind),
      cmocka_unit_test(test_cloth_leaves_a_body),
      cmocka_unit_test(test_a_body_may_face_inwards),
      cmocka_unit_test(test_what_is_inside_comes_out),
      cmocka_unit_test(test_a_corner_leaves_an_open_body),
      cmocka_unit_test(test_a_solver_takes_it),
      cmocka_unit_test(test_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
