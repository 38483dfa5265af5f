/* The view of gaps: distances between two sheets found here by trying every pair in doubles, and
 * whose motion was cut short by how far each came. */
#include "show.h"

typedef struct v3 {
  double x, y, z;
} v3;
static v3 minus(v3 a, v3 b) { return (v3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static v3 moved(v3 a, v3 d, double s) { return (v3){a.x + s * d.x, a.y + s * d.y, a.z + s * d.z}; }
static double dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static double apart(v3 a, v3 b) { return sqrt(dot(minus(a, b), minus(a, b))); }
static double within(double s) { return s < 0 ? 0 : s > 1 ? 1 : s; }

static double vertex_to_edge(v3 p, v3 a, v3 b) {
  v3 d = minus(b, a);
  return apart(p, moved(a, d, within(dot(minus(p, a), d) / dot(d, d))));
}

static double vertex_to_triangle(v3 p, v3 a, v3 b, v3 c) {
  v3 d = minus(b, a), e = minus(c, a), w = minus(p, a);
  double dd = dot(d, d), de = dot(d, e), ee = dot(e, e), det = dd * ee - de * de;
  double s = (ee * dot(w, d) - de * dot(w, e)) / det, r = (dd * dot(w, e) - de * dot(w, d)) / det;
  if (s >= 0 && r >= 0 && s + r <= 1) return apart(p, moved(moved(a, d, s), e, r));
  return fmin(vertex_to_edge(p, a, b), fmin(vertex_to_edge(p, b, c), vertex_to_edge(p, c, a)));
}

/* To and fro between the two, each time to the nearest point: the distance is convex. */
static double edge_to_edge(v3 a, v3 b, v3 c, v3 d) {
  double s = 0.5, r = 0.5;
  v3 first = minus(b, a), second = minus(d, c);
  for (int k = 0; k < 300; ++k) {
    r = within(dot(minus(moved(a, first, s), c), second) / dot(second, second));
    s = within(dot(minus(moved(c, second, r), a), first) / dot(first, first));
  }
  return apart(moved(a, first, s), moved(c, second, r));
}

static void lower(double *least, const uint32_t *four, double value) {
  for (uint32_t k = 0; k < 4; ++k) least[four[k]] = fmin(least[four[k]], value);
}

static void meet_edges(const v3 *x, const uint32_t *t, const uint32_t *o, double *least) {
  for (uint32_t e = 0; e < 9; ++e) {
    const uint32_t four[] = {t[e / 3], t[(e / 3 + 1) % 3], o[e % 3], o[(e % 3 + 1) % 3]};
    lower(least, four, edge_to_edge(x[four[0]], x[four[1]], x[four[2]], x[four[3]]));
  }
}

/* Of each particle: vertices and triangles of different sheets, and edges and edges. */
static void least_distances(const show *s, double *least) {
  const uint32_t *triangles = weft_model_triangles(s->model), half = s->count / 2;
  uint32_t count = weft_model_triangle_count(s->model);
  v3 *x = weft_alloc(s->count, sizeof *x);
  for (uint32_t i = 0; i < s->count; ++i) {
    x[i] = (v3){(double)s->places[i].x, (double)s->places[i].y, (double)s->places[i].z};
    least[i] = 1e9;
  }
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t *t = triangles + 3 * (size_t)k;
    bool lower_sheet = t[0] < half;
    for (uint32_t i = lower_sheet ? half : 0; i < (lower_sheet ? s->count : half); ++i) {
      const uint32_t four[] = {i, t[0], t[1], t[2]};
      lower(least, four, vertex_to_triangle(x[i], x[t[0]], x[t[1]], x[t[2]]));
    }
    for (uint32_t j = k + 1; j < count; ++j) {
      const uint32_t *o = triangles + 3 * (size_t)j;
      if (lower_sheet != (o[0] < half)) meet_edges(x, t, o, least);
    }
  }
  weft_free(x);
}

enum { SIDE = 9 };

/* Two sheets, far apart in the rest pose: what is near there need not keep the thickness. */
static weft_model *two_sheets(void) {
  const weft_grid_desc grid = {.rows = SIDE, .columns = SIDE, .width = 0.16f, .height = 0.16f};
  weft_mesh one = rig_grid(&grid), two = {0};
  uint32_t n = one.vertex_count, t = 3 * one.triangle_count;
  two.vertex_count = 2 * n;
  two.triangle_count = 2 * one.triangle_count;
  two.positions = weft_alloc(two.vertex_count, sizeof *two.positions);
  two.triangles = weft_alloc(2 * (size_t)t, sizeof *two.triangles);
  for (uint32_t i = 0; i < n; ++i) {
    weft_vec3 p = one.positions[i];
    two.positions[i] = p;
    two.positions[n + i] = weft_v3(p.x, p.y, p.z + 0.5f);
  }
  for (uint32_t k = 0; k < t; ++k) {
    two.triangles[k] = one.triangles[k];
    two.triangles[t + k] = one.triangles[k] + n;
  }
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &two});
  weft_mesh_free(&one);
  weft_free(two.positions);
  weft_free(two.triangles);
  return model;
}

/* The second above the first by `above`, rising along x by `slope`, moved by `beside`. */
static void bring_together(show *s, float above, float slope, float beside) {
  uint32_t n = s->count / 2;
  for (uint32_t i = 0; i < n; ++i) {
    weft_vec3 p = s->places[i];
    s->places[n + i] = weft_v3(p.x + beside, p.y + 0.0031f, p.z + above + slope * (p.x + 0.08f));
  }
}

/* In one substep, without pushes. */
static weft_params look_alone(float thickness) {
  weft_params params = weft_params_default();
  params.gravity = weft_v3(0, 0, 0);
  params.self_collision = true;
  params.self_thickness = thickness;
  params.no_self_pushes = true;
  params.substeps = 1;
  return params;
}

/* Sheets that are close to each other, with a body far below them. */
static void cloth_on_cloth_touches_no_body(void **state) {
  (void)state;
  weft_mesh plate = rig_grid(&(weft_grid_desc){.rows = 4, .columns = 4});
  for (uint32_t i = 0; i < plate.vertex_count; ++i) plate.positions[i].z = -1;
  const weft_body body = {.mesh = &plate};
  weft_params params = look_alone(0.006f);
  params.bodies = &body;
  params.body_count = 1;
  show s;
  open_show(&s, two_sheets(), params, NULL, 0);
  bring_together(&s, 0.001f, 0.05f, 0.0043f);
  put_state(&s, NULL);
  assert_int_equal(weft_solver_step(s.solver, NULL), WEFT_OK);
  put_state(&s, NULL);
  float *gaps = values_of(&s, WEFT_VIEW_GAPS), *touches = values_of(&s, WEFT_VIEW_CONTACTS);
  uint32_t close = 0;
  for (uint32_t i = 0; i < s.count; ++i) {
    close += gaps[2 * i] < 0.9f;
    assert_true(touches[2 * i] == 0);
  }
  assert_true(close > s.count / 4);
  weft_free(gaps);
  weft_free(touches);
  close_show(&s);
  weft_mesh_free(&plate);
}

static void gaps_are_the_least_distances(void **state) {
  (void)state;
  show s;
  open_show(&s, two_sheets(), look_alone(0.006f), NULL, 0);
  bring_together(&s, 0.001f, 0.05f, 0.0043f);
  put_state(&s, NULL);
  float *before = values_of(&s, WEFT_VIEW_GAPS); /* nobody has looked yet */
  for (uint32_t i = 0; i < s.count; ++i) {
    assert_true(before[2 * i] == 1 && before[2 * i + 1] == 0);
  }
  assert_int_equal(weft_solver_step(s.solver, NULL), WEFT_OK);
  put_state(&s, NULL); /* back, and at rest; the pairs stay */
  float *values = values_of(&s, WEFT_VIEW_GAPS);
  double *least = weft_alloc(s.count, sizeof *least);
  least_distances(&s, least);
  uint32_t close = 0, far = 0;
  for (uint32_t i = 0; i < s.count; ++i) {
    double expected = least[i] / 0.006, shown = (double)values[2 * i];
    bool near = expected < 0.999;
    if (near && !(fabs(shown - expected) < 2e-3))
      fail_msg("particle %u: %g thicknesses, not %g", i, shown, expected);
    if (expected > 1.001) assert_true(shown == 1);
    close += near;
    far += shown == 1;
  }
  assert_true(close > s.count / 4 && far > s.count / 8);
  weft_free(before);
  weft_free(values);
  weft_free(least);
  close_show(&s);
}

/* The second sheet comes down on a part of the first, and would pass through it in one substep. */
static void cut_motions_are_those_that_came_less_far(void **state) {
  (void)state;
  const float way = 0.02f;
  show s;
  open_show(&s, two_sheets(), look_alone(0.003f), NULL, 0);
  bring_together(&s, 0.006f, 0, 0.09f);
  weft_vec3 *x = weft_alloc(s.count, sizeof *x), *v = weft_alloc(s.count, sizeof *v);
  float dt = weft_solver_params(s.solver)->frame_dt;
  for (uint32_t i = s.count / 2; i < s.count; ++i) v[i].z = -way / dt;
  put_state(&s, v);
  assert_int_equal(weft_solver_step(s.solver, NULL), WEFT_OK);
  assert_int_equal(weft_solver_read(s.solver, x, NULL, NULL), WEFT_OK);
  float *values = values_of(&s, WEFT_VIEW_GAPS);
  uint32_t cut = 0, whole = 0;
  for (uint32_t i = s.count / 2; i < s.count; ++i) {
    double part = ((double)s.places[i].z - (double)x[i].z) / (double)way;
    bool less = part < 0.99;
    assert_true(values[2 * i + 1] == (less ? 1.0f : 0.0f));
    cut += less;
    whole += !less;
  }
  for (uint32_t i = 0; i < s.count / 2; ++i) assert_true(values[2 * i + 1] == 0);
  assert_true(cut > SIDE && whole > SIDE);
  weft_free(values);
  weft_free(x);
  weft_free(v);
  close_show(&s);
}

static void without_self_collision_there_is_none(void **state) {
  (void)state;
  show s;
  open_sheet(&s, 8, WEFT_BENDING_ISOMETRIC);
  assert_int_equal(weft_solver_step(s.solver, NULL), WEFT_OK);
  float *values = values_of(&s, WEFT_VIEW_GAPS);
  for (uint32_t i = 0; i < s.count; ++i) {
    assert_true(values[2 * i] == (float)WEFT_NO_VALUE && values[2 * i + 1] == 0);
  }
  weft_free(values);
  close_show(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaps_are_the_least_distances),
      cmocka_unit_test(cloth_on_cloth_touches_no_body),
      cmocka_unit_test(cut_motions_are_those_that_came_less_far),
      cmocka_unit_test(without_self_collision_there_is_none),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
