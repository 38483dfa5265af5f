/* Preprocessing in ranges: what comes out does not depend on how many processors there are, the
 * first of several refusals is the one told, and edges are those that a plain comparison of all
 * pairs finds.
 */
#define _GNU_SOURCE
#include <string.h>
#include <weft/model.h>

#include "adjacency.h"
#include "base.h"
#include "model.h"
#include "one_processor.h"
#include "ranges.h"

enum { ROWS = 310, COLUMNS = 300 };

static weft_mesh wavy_sheet(void) {
  weft_mesh mesh = {0};
  weft_grid_desc desc = {
      .rows = ROWS, .columns = COLUMNS, .pattern = WEFT_GRID_ALTERNATING, .plane = WEFT_PLANE_XZ};
  assert_int_equal(weft_mesh_grid(&desc, &mesh, NULL), WEFT_OK);
  weft_rng rng = weft_rng_seed(4);
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    /* flat here and there, so that mixed bending has both kinds in every range */
    if (i / COLUMNS % 16 < 8) mesh.positions[i].y = weft_rng_float(&rng, -1e-3f, 1e-3f);
  }
  return mesh;
}

static weft_model *preprocessed(const weft_mesh *mesh, weft_bending bending) {
  weft_pin pin = {.rule = WEFT_PIN_TOP};
  weft_model_desc desc = {.mesh = mesh, .bending = bending, .pins = &pin, .pin_count = 1};
  weft_model *model = NULL;
  weft_error err = {0};
  if (weft_model_create(&desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  return model;
}

static void same(const void *a, const void *b, size_t bytes) {
  assert_true((a == NULL) == (b == NULL));
  if (a) assert_memory_equal(a, b, bytes);
}

static void assert_same_models(const weft_model *a, const weft_model *b) {
  size_t n = a->particle_count;
  same(a->masses, b->masses, n * sizeof *a->masses);
  same(a->inverse_masses, b->inverse_masses, n * sizeof *a->inverse_masses);
  assert_int_equal(a->pinned_count, b->pinned_count);
  assert_int_equal(a->group_count, b->group_count);
  for (uint32_t k = 0; k < a->group_count; ++k) {
    const weft_constraint_group *g = &a->groups[k], *h = &b->groups[k];
    assert_int_equal(g->count, h->count);
    assert_int_equal(g->colour_count, h->colour_count);
    size_t count = g->count;
    same(g->particles, h->particles, count * g->arity * sizeof *g->particles);
    same(g->rest, h->rest, count * sizeof *g->rest);
    same(g->weights, h->weights, 4 * count * sizeof *g->weights);
    same(g->compliance, h->compliance, count * sizeof *g->compliance);
    same(g->colour_first, h->colour_first, (g->colour_count + 1) * sizeof *g->colour_first);
  }
}

static void models_do_not_depend_on_processors(void **state) {
  (void)state;
  static const weft_bending bendings[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_MIXED,
                                          WEFT_BENDING_ACROSS};
  weft_mesh mesh = wavy_sheet();
  for (int k = 0; k < 3; ++k) {
    weft_model *many = preprocessed(&mesh, bendings[k]);
    cpu_set_t before;
    on_one_processor(&before);
    weft_model *one = preprocessed(&mesh, bendings[k]);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_true(one->groups[0].count > 4 * ROWS * COLUMNS / 2);
    assert_same_models(many, one);
    weft_model_destroy(many);
    weft_model_destroy(one);
  }
  weft_mesh_free(&mesh);
}

/* Sum of rounding errors would differ in another order: masses are those of triangles one by one.
 */
static void masses_are_thirds_of_the_triangles_around(void **state) {
  (void)state;
  weft_mesh mesh = wavy_sheet();
  weft_model *model = preprocessed(&mesh, WEFT_BENDING_NONE);
  double all = 0, sum = 0;
  for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
    const uint32_t *v = mesh.triangles + 3 * (size_t)t;
    weft_vec3 e = weft_v3_sub(mesh.positions[v[1]], mesh.positions[v[0]]);
    weft_vec3 f = weft_v3_sub(mesh.positions[v[2]], mesh.positions[v[0]]);
    all += 0.5 * (double)weft_v3_length(weft_v3_cross(e, f));
  }
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) sum += (double)model->masses[i];
  all *= (double)weft_material_find("tablecloth")->area_density;
  assert_true(sum > all * (1 - 1e-6) && sum < all * (1 + 1e-6));
  weft_model_destroy(model);
  weft_mesh_free(&mesh);
}

static void the_first_of_several_refusals_is_told(void **state) {
  (void)state;
  weft_mesh mesh = wavy_sheet();
  uint32_t early = 5 * COLUMNS + 7, late = 300 * COLUMNS + 7;
  mesh.positions[late + 1] = mesh.positions[late];
  weft_model_desc desc = {.mesh = &mesh};
  weft_model *model = NULL;
  weft_error err = {0};
  char expected[64];
  for (int k = 0; k < 2; ++k) {
    assert_int_equal(weft_model_create(&desc, &model, &err), WEFT_ERROR_MESH);
    uint32_t at = k == 0 ? late : early;
    snprintf(expected, sizeof expected, "between vertices %u and %u", at, at + 1);
    assert_non_null(strstr(err.message, expected));
    mesh.positions[early + 1] = mesh.positions[early];
  }
  weft_mesh_free(&mesh);
}

/* ---- ranges ---- */

static void count_visits(void *context, uint32_t part, size_t first, size_t end) {
  unsigned char *visits = context;
  for (size_t i = first; i < end; ++i) visits[i] = (unsigned char)(visits[i] + 1 + 0 * part);
}

static void every_item_is_in_one_range(void **state) {
  (void)state;
  static const size_t counts[] = {0, 1, 15, 16, 17, 100003};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
    for (uint32_t parts = 1; parts <= WEFT_RANGES_MAX; parts += 5) {
      unsigned char *visits = weft_alloc(counts[k], 1);
      weft_ranges_run(counts[k], parts, count_visits, visits);
      for (size_t i = 0; i < counts[k]; ++i) assert_int_equal(visits[i], 1);
      weft_free(visits);
    }
  }
  assert_int_equal(weft_ranges_worth(100), 1);
}

/* ---- edges ---- */

static void edges_are_those_of_all_pairs(void **state) {
  (void)state;
  enum { VERTICES = 90, TRIANGLES = 400 };
  uint32_t triangles[3 * TRIANGLES];
  weft_rng rng = weft_rng_seed(11);
  for (uint32_t t = 0; t < TRIANGLES; ++t) {
    for (int c = 0; c < 3; ++c) triangles[3 * t + (uint32_t)c] = weft_rng_u32(&rng) % VERTICES;
    if (t % 3 == 0) triangles[3 * t] = 2; /* a hub: more half-edges than a short list holds */
  }
  weft_edges edges;
  weft_edges_build(VERTICES, triangles, TRIANGLES, &edges);
  uint32_t next = 0;
  for (uint32_t a = 0; a < VERTICES; ++a) {
    for (uint32_t b = a + 1; b < VERTICES; ++b) {
      weft_edge expected = {a, b, {UINT32_MAX, UINT32_MAX}, {UINT32_MAX, UINT32_MAX}, 0};
      for (uint32_t t = 0; t < TRIANGLES; ++t) {
        const uint32_t *v = triangles + 3 * t;
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
        for (int c = 0; c < 3; ++c) {
          uint32_t p = v[c], q = v[(c + 1) % 3];
          if (!((p == a && q == b) || (p == b && q == a))) continue;
          if (expected.triangle_count < 2) {
            expected.triangle[expected.triangle_count] = t;
            expected.opposite[expected.triangle_count] = v[(c + 2) % 3];
          }
          ++expected.triangle_count;
        }
      }
      if (expected.triangle_count == 0) continue;
      assert_true(next < edges.count);
      assert_memory_equal(&edges.items[next++], &expected, sizeof expected);
    }
  }
  assert_int_equal(next, edges.count);
  weft_edges_free(&edges);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_do_not_depend_on_processors),
      cmocka_unit_test(masses_are_thirds_of_the_triangles_around),
      cmocka_unit_test(the_first_of_several_refusals_is_told),
      cmocka_unit_test(every_item_is_in_one_range),
      cmocka_unit_test(edges_are_those_of_all_pairs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
