/* What self-collision looks at in a contact step: nothing in cloth that swings flat, and little
 * more than what is near in cloth that folds. Bounds are those that its cost was planned with. */
#include "../rig.h"
/* after it */
#include "inspect.h"
#include "scenes.h"

/* Of the last contact step of a frame. */
typedef struct detection {
  uint64_t patches, triangles, features, candidates;
} detection;

static uint32_t owned(uint32_t flags, uint32_t first) {
  return (uint32_t)__builtin_popcount(flags >> first & 7u);
}

/* Of two triangles, by their flags; those that share a corner have fewer. */
static uint32_t features_of(uint32_t a, uint32_t b) {
  return owned(a, 0) + owned(b, 0) + owned(a, 3) * owned(b, 3);
}

static void *read_all(weft_solver *solver, weft_buffer_id id) {
  uint64_t n = weft_solver_buffer_count(solver, id);
  void *data = calloc((size_t)n, weft_buffer_infos[id].stride);
  weft_solver_read_buffer(solver, id, 0, n, data);
  return data;
}

static detection look_at(weft_solver *solver) {
  uint32_t *counts = read_all(solver, WEFT_BUFFER_SELF_COUNTS);
  weft_self_two *close = read_all(solver, WEFT_BUFFER_SELF_TRIANGLE_PAIRS);
  weft_self_triangle *t = read_all(solver, WEFT_BUFFER_SELF_TRIANGLES);
  detection l = {.patches = counts[WEFT_SELF_AT_PATCH_PAIRS],
                 .triangles = counts[WEFT_SELF_AT_TRIANGLE_PAIRS],
                 .candidates = counts[WEFT_SELF_AT_CANDIDATES]};
  assert_int_equal(counts[WEFT_SELF_AT_FLAGS], 0);
  /* A redetection lists others in their place. */
  bool kept = counts[WEFT_SELF_AT_REDETECT] == 0;
  for (uint32_t k = 0; kept && k < l.triangles; ++k) {
    l.features += features_of(t[close[k].first].flags, t[close[k].second].flags);
  }
  free(counts);
  free(close);
  free(t);
  return l;
}

/* The mean of so many frames from the start on; features of those in which they are known. */
static detection mean_of(const char *name, uint32_t size, uint32_t frames) {
  weft_scene_instance s = {0};
  weft_error err = {0};
  const weft_scene_options options = {.size = size, .seed = 1};
  assert_int_equal(weft_scene_make(weft_scene_find(name), &options, &s, &err), WEFT_OK);
  weft_params params = s.params;
  params.self_collision = true;
  weft_solver *solver = rig_solver(s.model, &params, weft_backend_cpu(0));
  detection sum = {0};
  uint32_t known = 0;
  for (uint32_t f = 0; f < frames; ++f) {
    if (weft_scene_step(&s, solver, &err) != WEFT_OK) fail_msg("%s", err.message);
    detection l = look_at(solver);
    sum.patches += l.patches;
    sum.triangles += l.triangles;
    sum.features += l.features;
    sum.candidates += l.candidates;
    known += l.triangles == 0 || l.features > 0;
  }
  weft_solver_destroy(solver);
  weft_scene_free(&s);
  assert_true(2 * known > frames);
  detection mean = {sum.patches / frames, sum.triangles / frames, sum.features / known,
                    sum.candidates / frames};
  print_message("%s %u: %llu pairs of patches, %llu of triangles, %llu of features, %llu listed\n",
                name, size, (unsigned long long)mean.patches, (unsigned long long)mean.triangles,
                (unsigned long long)mean.features, (unsigned long long)mean.candidates);
  return mean;
}

static void cloth_that_swings_is_hardly_looked_at(void **state) {
  (void)state;
  detection l = mean_of("hanging", 128, 30);
  assert_true(l.features < 1000);
  assert_int_equal(l.candidates, 0);
}

static void cloth_that_folds_is_looked_at_where_it_is_near(void **state) {
  (void)state;
  detection l = mean_of("drape", 128, 45); /* a third of it with the triangles in the ball */
  assert_in_range(l.features, 1, 100000);
  assert_in_range(l.candidates, 1, 2000);
  l = mean_of("heap", 64, 50);
  assert_in_range(l.features, 1, 40000);
  assert_in_range(l.candidates, 1, 2500);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth_that_swings_is_hardly_looked_at),
      cmocka_unit_test(cloth_that_folds_is_looked_at_where_it_is_near),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
