/* The pleated skirt keeps its pleats by mixed bending, and only by bending that knows rest angles.
 * Angles are measured between the normals of neighbouring triangles, found here from the triangles
 * alone. */
#include "base.h"
#include "rig_scene.h"

static const double degrees = 57.29577951308232;

typedef struct side {
  uint32_t low, high, triangle;
  bool upwards; /* the triangle runs from low to high */
} side;

static int compare(const void *a, const void *b) {
  const side *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

/* Two triangles and the edge between them, which the first runs along from low to high. */
typedef struct fold {
  uint32_t triangles[2], low, high;
  double rest; /* radians */
} fold;

static weft_vec3 normal_of(const uint32_t *t, const weft_vec3 *x) {
  return weft_v3_cross(weft_v3_sub(x[t[1]], x[t[0]]), weft_v3_sub(x[t[2]], x[t[0]]));
}

/* Positive and negative as the normals turn about the edge one way or the other. */
static double angle_of(const fold *f, const uint32_t *triangles, const weft_vec3 *x) {
  weft_vec3 n0 = normal_of(triangles + 3 * (size_t)f->triangles[0], x);
  weft_vec3 n1 = normal_of(triangles + 3 * (size_t)f->triangles[1], x);
  weft_vec3 edge = weft_v3_sub(x[f->high], x[f->low]);
  float sine = weft_v3_dot(weft_v3_cross(n0, n1), edge) / weft_v3_length(edge);
  return atan2((double)sine, (double)weft_v3_dot(n0, n1));
}

/* The folds of more than 20 degrees at rest. */
static fold *creases_of(const weft_model *model, uint32_t *count) {
  uint32_t sides = 3 * weft_model_triangle_count(model);
  const uint32_t *t = weft_model_triangles(model);
  side *all = weft_alloc(sides, sizeof *all);
  fold *folds = weft_alloc(sides, sizeof *folds);
  for (uint32_t i = 0; i < sides; ++i) {
    uint32_t a = t[i], b = t[i % 3 == 2 ? i - 2 : i + 1];
    all[i] = (side){a < b ? a : b, a < b ? b : a, i / 3, a < b};
  }
  qsort(all, sides, sizeof *all, compare);
  *count = 0;
  for (uint32_t i = 1; i < sides; ++i) {
    if (all[i].low != all[i - 1].low || all[i].high != all[i - 1].high) continue;
    uint32_t first = all[i].upwards ? 0 : 1;
    fold f = {{all[i - first].triangle, all[i - 1 + first].triangle}, all[i].low, all[i].high, 0};
    f.rest = angle_of(&f, t, weft_model_rest_positions(model));
    if (fabs(f.rest) > 20 / degrees) folds[(*count)++] = f;
  }
  weft_free(all);
  return folds;
}

typedef struct pleat_state {
  uint32_t creases;
  double rest, mean, deviation; /* degrees: mean rest angle, mean angle, mean distance from rest */
} pleat_state;

static pleat_state hang(weft_bending bending, uint32_t size, uint32_t frames) {
  const weft_scene_options options = {.size = size, .bending = bending, .bending_set = true};
  weft_scene_instance scene = rig_scene_of(weft_scene_find("pleats"), &options);
  weft_solver *solver =
      rig_solver(scene.model, &scene.params, weft_backend_cpu(1)); /* the reference takes minutes */
  rig_scene_step(&scene, solver, frames);
  uint32_t n = weft_model_particle_count(scene.model);
  weft_vec3 *x = weft_alloc(n, sizeof *x);
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  pleat_state s = {0};
  fold *folds = creases_of(scene.model, &s.creases);
  for (uint32_t i = 0; i < s.creases; ++i) {
    double now = angle_of(&folds[i], weft_model_triangles(scene.model), x);
    s.rest += fabs(folds[i].rest) * degrees / s.creases;
    s.mean += (folds[i].rest > 0 ? now : -now) * degrees / s.creases;
    s.deviation += fabs(now - folds[i].rest) * degrees / s.creases;
  }
  weft_free(folds);
  weft_free(x);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
  return s;
}

static void every_crease_has_the_angle_it_was_pressed_to(void **state) {
  (void)state;
  const uint32_t sizes[] = {12, 24, 48, 72};
  for (int k = 0; k < 4; ++k) {
    weft_scene_instance scene;
    weft_scene_options options = {.size = sizes[k]};
    assert_int_equal(weft_scene_make(weft_scene_find("pleats"), &options, &scene, NULL), WEFT_OK);
    uint32_t count;
    fold *folds = creases_of(scene.model, &count);
    assert_true(count >= 12);
    /* On a round waist a ridge turns further than a valley: by the angle of one whole pleat. Their
     * mean in the level section is 80 degrees; the flare takes off a little. */
    double sum[2] = {0, 0}, min[2] = {180, 180}, max[2] = {0, 0};
    uint32_t folded[2] = {0, 0};
    for (uint32_t i = 0; i < count; ++i) {
      int ridge = folds[i].rest > 0;
      double angle = fabs(folds[i].rest) * degrees;
      sum[ridge] += angle;
      min[ridge] = fmin(min[ridge], angle);
      max[ridge] = fmax(max[ridge], angle);
      ++folded[ridge];
    }
    assert_int_equal(folded[0], folded[1]);
    assert_true(max[0] - min[0] < 0.1 && max[1] - min[1] < 0.1);
    assert_true(fabs((sum[0] + sum[1]) / count - 79) < 2.5);
    weft_free(folds);
    weft_scene_free(&scene);
  }
}

/* Two seconds under its own weight: mixed bending holds the mean crease within 15 degrees of its
 * rest angle. Isometric bending irons the creases out, and without bending they go anywhere. */
static void mixed_bending_holds_the_pleats_and_isometric_opens_them(void **state) {
  (void)state;
  pleat_state mixed = hang(WEFT_BENDING_MIXED, 44, 120);
  pleat_state isometric = hang(WEFT_BENDING_ISOMETRIC, 44, 120);
  pleat_state none = hang(WEFT_BENDING_NONE, 44, 120);
  print_message(
      "rest %.1f, mixed %.1f +- %.1f, isometric %.1f +- %.1f, none %.1f +- %.1f degrees\n",
      mixed.rest, mixed.mean, mixed.deviation, isometric.mean, isometric.deviation, none.mean,
      none.deviation);
  assert_true(fabs(mixed.mean - mixed.rest) < 15);
  assert_true(mixed.deviation < 15);
  assert_true(isometric.mean < mixed.rest - 30);
  assert_true(none.deviation > 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_crease_has_the_angle_it_was_pressed_to),
      cmocka_unit_test(mixed_bending_holds_the_pleats_and_isometric_opens_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
