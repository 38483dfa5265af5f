/* Dressing: the middle of bodies, bodies that are eroded and grow back, and cloth that starts
 * inside of them and ends outside, judged by the formula of a ball and by the exact counter. */
#include <weft_kit/fit.h>

#include "../physics/ball.h"
#include "blend.h"
#include "rig.h"
/* after rig.h */
#include "inset.h"
#include "medial.h"

enum { RINGS = 18, SEGMENTS = 26 };
static const float radius = 0.1f;
static const weft_vec3 centre = {0.02f, 0.3f, -0.05f};

static double from_centre(weft_vec3 p) { return weft_v3_distance(p, centre); }

/* ---- cloth: a band around the middle of the ball, narrower than it ---- */

typedef struct scene {
  weft_mesh ball;
  weft_body body;
  weft_model *model;
  weft_params params;
} scene;

static weft_model *band(float width, weft_vec3 top, const weft_pin *pin) {
  weft_mesh mesh = {0};
  weft_error err = {0};
  const weft_tube_desc desc = {.top_radius = width,
                               .bottom_radius = width,
                               .height = 0.12f,
                               .rings = 9,
                               .segments = 32,
                               .centre_top = top};
  assert_int_equal(weft_mesh_tube(&desc, &mesh, &err), WEFT_OK);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &mesh,
                                                        .material = weft_material_find("tshirt"),
                                                        .pins = pin,
                                                        .pin_count = pin != NULL});
  weft_mesh_free(&mesh);
  return model;
}

static void open_scene(scene *s, float width, const weft_pin *pin) {
  *s = (scene){.ball = ball(RINGS, SEGMENTS, radius, centre)};
  s->body = (weft_body){.mesh = &s->ball, .friction_static = 0.4f, .friction_dynamic = 0.3f};
  s->model = band(width, weft_v3(centre.x, centre.y + 0.06f, centre.z), pin);
  s->params = (weft_params){.self_thickness = 0.002f, .bodies = &s->body, .body_count = 1};
}

static void close_scene(scene *s) {
  weft_model_destroy(s->model);
  weft_mesh_free(&s->ball);
}

static weft_fit_cloth cloth_of(const weft_model *model) {
  return (weft_fit_cloth){.positions = model->rest_positions,
                          .triangles = model->triangles,
                          .particle_count = model->particle_count,
                          .triangle_count = model->triangle_count};
}

/* ---- the middle ---- */

static weft_vec3d *ways_of(const weft_mesh *mesh) {
  weft_edges edges;
  weft_vec3d *ways = weft_alloc(mesh->vertex_count, sizeof *ways);
  weft_edges_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &edges);
  weft_medial_ways(mesh->positions, mesh->vertex_count, mesh->triangles, mesh->triangle_count,
                   &edges, ways);
  weft_edges_free(&edges);
  return ways;
}

static void the_middle_of_a_ball_is_its_centre(void **state) {
  (void)state;
  weft_mesh mesh = ball(RINGS, SEGMENTS, radius, centre);
  weft_vec3d *ways = ways_of(&mesh);
  for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
    weft_vec3d at = weft_v3d_add(weft_v3d_from(mesh.positions[v]), ways[v]);
    assert_true(weft_v3d_distance(at, weft_v3d_from(centre)) < 0.2 * (double)radius);
  }
  weft_free(ways);
  weft_mesh_free(&mesh);
}

/* A limb of 30 mm at the end of a trunk of 100 mm: the limb keeps its own axis. */
static void the_middle_of_a_limb_is_its_axis(void **state) {
  (void)state;
  const weft_blend_solid solids[] = {
      {.a = {0, 0, 0}, .b = {0, 0.2f, 0}, .radius_a = 0.1f, .radius_b = 0.1f},
      {.a = {0, 0.1f, 0}, .b = {0.5f, 0.1f, 0}, .radius_a = 0.03f, .radius_b = 0.03f, .limb = 1}};
  weft_mesh mesh = {0};
  weft_error err = {0};
  const weft_blend_desc desc = {.solids = solids, .solid_count = 2, .edge = 0.012f};
  assert_int_equal(weft_mesh_blend(&desc, &mesh, &err), WEFT_OK);
  weft_vec3d *ways = ways_of(&mesh);
  uint32_t limb = 0, trunk = 0;
  for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
    weft_vec3d x = weft_v3d_from(mesh.positions[v]), at = weft_v3d_add(x, ways[v]);
    double y = at.y - 0.1, off_limb = sqrt(y * y + at.z * at.z);
    double off_trunk = sqrt(at.x * at.x + at.z * at.z);
    if (x.x > 0.2 && x.x < 0.45) limb++, assert_true(off_limb < 0.01);
    if (x.x < -0.02) trunk++, assert_true(off_trunk < 0.01);
  }
  assert_true(limb > 100 && trunk > 100);
  weft_free(ways);
  weft_mesh_free(&mesh);
}

/* ---- erosion ---- */

static void erosion_frees_the_cloth_and_stays_within(void **state) {
  (void)state;
  scene s;
  open_scene(&s, 0.085f, NULL);
  weft_fit_cloth cloth = cloth_of(s.model);
  weft_eroded body;
  weft_fit_look before, after;
  weft_error err = {0};
  weft_vec3 *shape = weft_alloc(s.ball.vertex_count, sizeof *shape);
  assert_int_equal(weft_eroded_begin(&s.ball, 0, &body, &err), WEFT_OK);
  weft_eroded_at(&body, 0, shape);
  assert_memory_equal(shape, s.ball.positions, s.ball.vertex_count * sizeof *shape);
  weft_fit_look_at(&cloth, &body, 1, shape, NULL, NULL, &before);
  uint32_t inside = 0;
  for (uint32_t i = 0; i < cloth.particle_count; ++i) {
    inside += from_centre(cloth.positions[i]) < 0.98 * (double)radius;
  }
  assert_true(inside > 50 && before.inside >= inside);
  assert_true(before.with_bodies.triangle_pairs > 20);
  assert_true(weft_inset(&cloth, &body, 1, &after));
  assert_true(after.inside == 0 && after.with_bodies.triangle_pairs == 0);
  double least = 1;
  weft_eroded_at(&body, 0, shape);
  for (uint32_t v = 0; v < s.ball.vertex_count; ++v) {
    least = fmin(least, from_centre(shape[v]));
    assert_true(from_centre(shape[v]) <= from_centre(s.ball.positions[v]) + 1e-7);
  }
  assert_true(least < 0.085 && least > 0.05); /* as far as it had to, and no further */
  weft_vec3 middle = centre;
  uint8_t mark = 0;
  weft_shells_mark_inside(body.shells, shape, &middle, 1, &mark);
  assert_int_equal(mark, 1); /* still closed around it */
  weft_eroded_at(&body, 1, shape);
  assert_memory_equal(shape, s.ball.positions, s.ball.vertex_count * sizeof *shape);
  weft_eroded_end(&body);
  weft_free(shape);
  close_scene(&s);
}

/* ---- dressing ---- */

/* By the formula, and by the exact counter over cloth and ball. */
static void is_outside(const scene *s, const weft_vec3 *x) {
  uint32_t n = s->model->particle_count, t = s->model->triangle_count;
  weft_vec3 *all = weft_alloc((size_t)n + s->ball.vertex_count, sizeof *all);
  uint32_t *corners = weft_alloc(3 * ((size_t)t + s->ball.triangle_count), sizeof *corners);
  memcpy(all, x, n * sizeof *all);
  memcpy(all + n, s->ball.positions, s->ball.vertex_count * sizeof *all);
  memcpy(corners, s->model->triangles, 3 * (size_t)t * sizeof *corners);
  for (size_t c = 0; c < 3 * (size_t)s->ball.triangle_count; ++c) {
    corners[3 * (size_t)t + c] = s->ball.triangles[c] + n;
  }
  weft_intersections found[2];
  weft_error err = {0};
  assert_int_equal(weft_count_intersections_with(all, n + s->ball.vertex_count, corners,
                                                 t + s->ball.triangle_count, t, NULL, found, &err),
                   WEFT_OK);
  assert_true(found[0].triangle_pairs == 0 && found[1].triangle_pairs == 0);
  /* The middle of the largest triangle of the ball lies 2 % deeper than its corners. */
  for (uint32_t i = 0; i < n; ++i) assert_true(from_centre(x[i]) > 0.98 * (double)radius);
  weft_free(all);
  weft_free(corners);
}

static void a_band_inside_comes_out_alike_on_backends(void **state) {
  (void)state;
  scene s;
  open_scene(&s, 0.085f, NULL);
  uint32_t n = s.model->particle_count;
  weft_vec3 *x = weft_alloc(2 * (size_t)n, sizeof *x);
  weft_fit_report report[2];
  weft_error err = {0};
  for (int k = 0; k < 2; ++k) {
    const weft_fit_desc desc = {.model = s.model,
                                .params = &s.params,
                                .backend = k ? weft_backend_cpu(2) : weft_backend_ref(),
                                .seconds = 0.4f};
    if (weft_fit(&desc, x + (size_t)k * n, &report[k], &err) != WEFT_OK) {
      fail_msg("%s", err.message);
    }
  }
  assert_memory_equal(x, x + n, n * sizeof *x);
  assert_memory_equal(&report[0], &report[1], sizeof report[0]);
  assert_true(report[0].before.inside > 50 && report[0].before.with_bodies > 20);
  assert_true(report[0].after.inside == 0 && report[0].after.with_bodies == 0);
  assert_true(report[0].frames >= 24 && report[0].held == 0);
  assert_true(report[0].eroded > 0.015 && report[0].eroded < 0.06);
  assert_true(report[0].before.strain_p99 < 1e-5 && report[0].after.strain_p99 > 0.05);
  is_outside(&s, x);
  double height = 0; /* nothing pulls it down */
  for (uint32_t i = 0; i < n; ++i) height += (double)x[i].y / n;
  assert_true(fabs(height - (double)centre.y) < 0.002);
  weft_vec3 *started = weft_alloc(n, sizeof *started);
  s.params.start = x;
  weft_solver *solver = rig_solver(s.model, &s.params, weft_backend_ref());
  weft_metrics m;
  assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
  assert_int_equal(m.self_tangled, 0);
  rig_step(solver, 10);
  assert_int_equal(weft_solver_read(solver, started, NULL, &err), WEFT_OK);
  is_outside(&s, started);
  weft_solver_destroy(solver);
  weft_free(started);
  weft_free(x);
  close_scene(&s);
}

/* From where no triangle meets the ball and every particle is inside. */
static weft_result dress_from_inside(float width, double *strain, weft_error *err) {
  scene s;
  open_scene(&s, width, NULL);
  weft_vec3 *x = weft_alloc(s.model->particle_count, sizeof *x);
  weft_fit_report report;
  for (uint32_t i = 0; i < s.model->particle_count; ++i) {
    weft_vec3 p = s.model->rest_positions[i];
    x[i] = weft_v3(p.x, centre.y + 0.5f * (p.y - centre.y), p.z);
  }
  s.params.start = x;
  const weft_fit_desc desc = {
      .model = s.model, .params = &s.params, .backend = weft_backend_cpu(1), .seconds = 0.5f};
  weft_vec3 *out = weft_alloc(s.model->particle_count, sizeof *out);
  weft_result result = weft_fit(&desc, out, &report, err);
  assert_true(report.before.with_bodies == 0);
  assert_int_equal(report.before.inside, s.model->particle_count);
  is_outside(&s, out);
  *strain = report.after.strain_p99;
  weft_free(out);
  weft_free(x);
  close_scene(&s);
  return result;
}

static void what_is_wholly_inside_comes_out(void **state) {
  (void)state;
  weft_error err = {0};
  double strain;
  if (dress_from_inside(0.085f, &strain, &err) != WEFT_OK) fail_msg("%s", err.message);
  assert_in_range((long)(100 * strain), 10, 99);
}

/* A tube of half the width comes out as well, and nobody can wear it. */
static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  weft_error err = {0};
  double strain;
  assert_int_equal(dress_from_inside(0.045f, &strain, &err), WEFT_ERROR_TANGLED);
  assert_non_null(strstr(err.message, "the cloth does not fit: "));
  assert_true(strain > 1);
}

/* An arm whose axis lies in the side of its sleeve: it is moved aside, into it. */
static void an_arm_beside_its_sleeve_gets_into_it(void **state) {
  (void)state;
  const float thick = 0.03f, wide = 0.05f;
  const weft_blend_solid arm = {
      .a = {0, -0.3f, 0}, .b = {0, 0.3f, 0}, .radius_a = thick, .radius_b = thick};
  weft_mesh mesh = {0};
  weft_error err = {0};
  assert_int_equal(
      weft_mesh_blend(&(weft_blend_desc){.solids = &arm, .solid_count = 1, .edge = 0.01f}, &mesh,
                      &err),
      WEFT_OK);
  const weft_body body = {.mesh = &mesh};
  weft_model *model = band(wide, weft_v3(wide, 0.06f, 0), NULL);
  const weft_params params = {.bodies = &body, .body_count = 1};
  const weft_fit_desc desc = {
      .model = model, .params = &params, .backend = weft_backend_cpu(1), .seconds = 0.5f};
  weft_vec3 *x = weft_alloc(model->particle_count, sizeof *x);
  weft_fit_report report;
  if (weft_fit(&desc, x, &report, &err) != WEFT_OK) fail_msg("%s", err.message);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    assert_true(sqrtf(x[i].x * x[i].x + x[i].z * x[i].z) > 0.97f * thick);
  }
  double turned = 0; /* of the middle ring around the axis */
  for (uint32_t k = 0; k < 32; ++k) {
    weft_vec3 a = x[4 * 32 + k], b = x[4 * 32 + (k + 1) % 32];
    turned += atan2((double)(a.x * b.z - a.z * b.x), (double)(a.x * b.x + a.z * b.z));
  }
  assert_true(fabs(fabs(turned) - 6.2831853) < 1e-3);
  weft_free(x);
  weft_model_destroy(model);
  weft_mesh_free(&mesh);
}

static weft_result dress(scene *s, bool hold_pins, float seconds, weft_vec3 *x,
                         weft_fit_report *report, weft_error *err) {
  const weft_fit_desc desc = {.model = s->model,
                              .params = &s->params,
                              .backend = weft_backend_cpu(1),
                              .seconds = seconds,
                              .hold_pins = hold_pins};
  return weft_fit(&desc, x, report, err);
}

/* Pinned particles inside make way, unless they are to be held: then what is left is told. */
static void pins_make_way_or_are_told(void **state) {
  (void)state;
  const weft_pin pin = {.rule = WEFT_PIN_BOX,
                        .box_min = {-1, centre.y - 0.001f, -1},
                        .box_max = {1, centre.y + 0.001f, 1}};
  scene s;
  open_scene(&s, 0.085f, &pin);
  weft_vec3 *x = weft_alloc(s.model->particle_count, sizeof *x);
  weft_fit_report report;
  weft_error err = {0};
  assert_int_equal(s.model->pinned_count, 32);
  assert_int_equal(dress(&s, false, 0.3f, x, &report, &err), WEFT_OK);
  is_outside(&s, x);
  assert_int_equal(dress(&s, true, 0.1f, x, &report, &err), WEFT_ERROR_TANGLED);
  assert_true(strstr(err.message, "the cloth cannot be dressed: after 24 frames"));
  assert_true(strstr(err.message, "(counted from 0)"));
  assert_true(report.frames == 24 && report.held > 0);
  assert_true(report.after.inside > 0 || report.after.with_bodies > 0);
  for (uint32_t i = 0; i < s.model->particle_count; ++i) {
    if (s.model->inverse_masses[i] > 0) continue;
    assert_memory_equal(&x[i], &s.model->rest_positions[i], sizeof x[i]);
  }
  weft_free(x);
  close_scene(&s);
}

static void what_is_clear_stays_as_it_starts(void **state) {
  (void)state;
  scene s;
  open_scene(&s, 0.115f, NULL);
  uint32_t n = s.model->particle_count;
  weft_vec3 *x = weft_alloc(2 * (size_t)n, sizeof *x), *start = x + n;
  weft_fit_report report;
  weft_error err = {0};
  assert_int_equal(dress(&s, false, 0, x, &report, &err), WEFT_OK);
  assert_int_equal(report.frames, 0);
  assert_memory_equal(x, s.model->rest_positions, n * sizeof *x);
  /* Elsewhere than at rest: moved up by 10 mm, and clear; moved aside, and not. */
  for (uint32_t i = 0; i < n; ++i) {
    start[i] = weft_v3_add(s.model->rest_positions[i], weft_v3(0, 0.01f, 0));
  }
  s.params.start = start;
  assert_int_equal(dress(&s, false, 0, x, &report, &err), WEFT_OK);
  assert_memory_equal(x, start, n * sizeof *x);
  for (uint32_t i = 0; i < n; ++i) {
    start[i] = weft_v3_add(s.model->rest_positions[i], weft_v3(0.03f, 0, 0));
  }
  assert_int_equal(dress(&s, false, 0.3f, x, &report, &err), WEFT_OK);
  assert_true(report.before.inside > 10 && report.frames > 0);
  is_outside(&s, x);
  weft_free(x);
  close_scene(&s);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  scene s;
  open_scene(&s, 0.085f, NULL);
  weft_vec3 *x = weft_alloc(s.model->particle_count, sizeof *x);
  weft_error err = {0};
  assert_int_equal(dress(&s, false, 0.001f, x, NULL, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "0.01 to 100"));
  assert_int_equal(dress(&s, false, NAN, x, NULL, &err), WEFT_ERROR_ARGUMENT);
  s.params.body_count = 0;
  assert_int_equal(dress(&s, false, 1, x, NULL, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "a body to put it on"));
  s.params.body_count = 1;
  s.ball.triangle_count--;
  assert_int_equal(dress(&s, false, 1, x, NULL, &err), WEFT_ERROR_MESH);
  assert_non_null(strstr(err.message, "body 0, which is open"));
  s.ball.triangle_count++;
  uint32_t corner = s.ball.triangles[0];
  s.ball.triangles[0] = s.ball.vertex_count;
  assert_int_equal(dress(&s, false, 1, x, NULL, &err), WEFT_ERROR_MESH);
  s.ball.triangles[0] = corner;
  const weft_model *two[] = {s.model, s.model};
  weft_model *joined = NULL, *own = s.model;
  assert_int_equal(weft_model_join(two, 2, &joined, &err), WEFT_OK);
  s.model = joined;
  assert_int_equal(dress(&s, false, 1, x, NULL, &err), WEFT_ERROR_ARGUMENT);
  s.model = own;
  weft_model_destroy(joined);
  weft_free(x);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_middle_of_a_ball_is_its_centre),
      cmocka_unit_test(the_middle_of_a_limb_is_its_axis),
      cmocka_unit_test(erosion_frees_the_cloth_and_stays_within),
      cmocka_unit_test(a_band_inside_comes_out_alike_on_backends),
      cmocka_unit_test(what_is_wholly_inside_comes_out),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(an_arm_beside_its_sleeve_gets_into_it),
      cmocka_unit_test(pins_make_way_or_are_told),
      cmocka_unit_test(what_is_clear_stays_as_it_starts),
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
