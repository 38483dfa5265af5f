/* The particle a ray meets first, against a search on the host that knows nothing of the passes. */
#include "rig.h"
/* after rig.h */
#include "base.h"
#include "solver_gl.h"

static weft_model *cloud(uint32_t count, uint64_t seed) {
  weft_rng rng = weft_rng_seed(seed);
  weft_vec3 *positions = calloc(count, sizeof *positions);
  float *masses = calloc(count, sizeof *masses);
  for (uint32_t i = 0; i < count; ++i) {
    positions[i].x = weft_rng_float(&rng, -1, 1);
    positions[i].y = weft_rng_float(&rng, -1, 1);
    positions[i].z = weft_rng_float(&rng, -1, 1);
    masses[i] = i % 7 ? 1 : 0; /* pinned ones can be picked */
  }
  weft_model *model = rig_model(count, positions, masses);
  free(positions);
  free(masses);
  return model;
}

static weft_hit pick(weft_solver *solver, const weft_ray *ray) {
  weft_hit hit;
  weft_error err = {0};
  if (weft_solver_pick(solver, ray, &hit, &err) != WEFT_OK) fail_msg("%s", err.message);
  return hit;
}

typedef struct seen {
  double along, offset, inside; /* m; inside: how far within the cone, negative outside */
} seen;

static seen detection(const weft_ray *ray, weft_vec3 x) {
  weft_vec3d d = weft_v3d_from(ray->direction);
  weft_vec3d a = weft_v3d_sub(weft_v3d_from(x), weft_v3d_from(ray->origin));
  double length = weft_v3d_length(d), along = weft_v3d_dot(a, d) / length;
  double offset = weft_v3d_length(weft_v3d_add_scaled(a, -along / length, d));
  return (seen){along, offset, (double)ray->radius + (double)ray->slope * along - offset};
}

/* Every particle is looked at in double; what lies on the edge within rounding may go either way.
 */
static void check_hit(const weft_ray *ray, const weft_vec3 *x, uint32_t count, weft_hit hit) {
  const double edge = 2e-6;
  double nearest = INFINITY;
  for (uint32_t i = 0; i < count; ++i) {
    seen s = detection(ray, x[i]);
    if (s.along > edge && s.inside > edge && s.along < nearest) nearest = s.along;
  }
  if (hit.particle == WEFT_NO_PARTICLE) {
    if (nearest < INFINITY) fail_msg("missed a particle at %g m", nearest);
    return;
  }
  assert_true(hit.particle < count);
  seen s = detection(ray, x[hit.particle]);
  assert_true(s.along > -edge && s.inside > -edge);
  rig_near((double)hit.distance, s.along, edge, "distance along the ray");
  rig_near((double)hit.offset, s.offset, 2e-4, "distance from the ray"); /* root of a rounding */
  if (nearest < s.along - edge) fail_msg("%g m away, one is at %g m", s.along, nearest);
}

static weft_ray random_ray(weft_rng *rng) {
  weft_ray ray = {.radius = weft_rng_u32(rng) % 3 ? weft_rng_float(rng, 0, 0.3f) : 0,
                  .slope = weft_rng_u32(rng) % 3 ? weft_rng_float(rng, 0, 0.1f) : 0};
  float *v[] = {&ray.origin.x,    &ray.origin.y,    &ray.origin.z,
                &ray.direction.x, &ray.direction.y, &ray.direction.z};
  for (int k = 0; k < 6; ++k) *v[k] = weft_rng_float(rng, k < 3 ? -2 : -1, k < 3 ? 2 : 1);
  ray.direction = weft_v3_sub(ray.direction, ray.origin); /* at a point of the cloud */
  return ray;
}

static void it_is_what_a_search_on_the_host_finds(void **state) {
  static const uint32_t counts[] = {1, 2, 63, 64, 65, 4095, 4096, 4097, 5000, 262145};
  weft_rng rng = weft_rng_seed(4);
  for (int c = 0; c < 10; ++c) {
    weft_model *model = cloud(counts[c], 17 + (uint64_t)c);
    weft_solver *solver = rig_solver(model, &(weft_params){0}, rig_backend(state));
    uint32_t met = 0, rays = counts[c] > 100000 ? 8 : 60;
    for (uint32_t k = 0; k < rays; ++k) {
      weft_ray ray = random_ray(&rng);
      weft_hit hit = pick(solver, &ray);
      check_hit(&ray, model->rest_positions, counts[c], hit);
      met += hit.particle != WEFT_NO_PARTICLE;
    }
    if (counts[c] > 1000) assert_true(met > rays / 4);
    weft_solver_destroy(solver);
    rig_model_free(model);
  }
}

static void both_backends_answer_with_the_same_bits(void **state) {
  (void)state;
  rig_place place = RIG_GL;
  void *gl = &place;
  weft_rng rng = weft_rng_seed(12);
  weft_model *model = cloud(5000, 3);
  weft_solver *a = rig_solver(model, &(weft_params){0}, weft_backend_ref());
  weft_solver *b = rig_solver(model, &(weft_params){0}, rig_backend(&gl));
  for (int k = 0; k < 200; ++k) {
    weft_ray ray = random_ray(&rng);
    weft_hit on_ref = pick(a, &ray), on_gl = pick(b, &ray);
    assert_memory_equal(&on_ref, &on_gl, sizeof on_ref);
  }
  weft_solver_destroy(a);
  weft_solver_destroy(b);
  rig_model_free(model);
}

static void of_several_at_one_distance_it_is_the_lowest_index(void **state) {
  enum { COUNT = 9000 };
  weft_model *model = cloud(COUNT, 8);
  static const uint32_t same[] = {8999, 5000, 4096, 4095, 130, 65, 64};
  weft_ray ray = {.origin = {0, 0, -5}, .direction = {0, 0, 3}, .radius = 0.01f};
  for (int k = 0; k < 7; ++k) {
    model->rest_positions[same[k]] = (weft_vec3){0, k % 2 ? 0.005f : 0, -2};
    weft_solver *solver = rig_solver(model, &(weft_params){0}, rig_backend(state));
    weft_hit hit = pick(solver, &ray);
    assert_int_equal(hit.particle, same[k]);
    rig_near((double)hit.distance, 3, 1e-6, "distance");
    weft_solver_destroy(solver);
  }
  rig_model_free(model);
}

/* A cloth of two layers 0.2 m apart, and a pointer wide enough to meet several particles of each:
 * the layer before the eye is met, from either side. */
static void of_a_folded_cloth_the_layer_before_the_eye_is_met(void **state) {
  enum { SIDE = 33 };
  weft_grid_desc grid = {.rows = SIDE, .columns = SIDE};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_NONE, true, WEFT_PIN_NONE);
  weft_solver *solver = rig_solver(model, &(weft_params){0}, rig_backend(state));
  weft_vec3 folded[SIDE * SIDE];
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
    uint32_t row = i / SIDE, column = i % SIDE, half = SIDE / 2;
    folded[i].x = (float)column / SIDE;
    folded[i].y = (float)(row <= half ? row : SIDE - 1 - row) / SIDE;
    folded[i].z = row <= half ? 0.1f : -0.1f;
  }
  rig_write(solver, folded, NULL);
  weft_rng rng = weft_rng_seed(21);
  for (int k = 0; k < 60; ++k) {
    bool front = k % 2 == 0;
    weft_ray ray = {.slope = 0.03f};
    ray.origin = weft_v3(weft_rng_float(&rng, 0.1f, 0.8f), 0.2f, front ? 2 : -2.0f);
    weft_vec3 target = {weft_rng_float(&rng, 0.1f, 0.8f), weft_rng_float(&rng, 0.05f, 0.4f), 0};
    ray.direction = weft_v3_sub(target, ray.origin);
    weft_hit hit = pick(solver, &ray);
    assert_true(hit.particle != WEFT_NO_PARTICLE);
    assert_true((folded[hit.particle].z > 0) == front);
    check_hit(&ray, folded, SIDE * SIDE, hit);
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void it_changes_no_state_and_reads_sixteen_bytes_once(void **state) {
  (void)state;
  rig_place place = RIG_GL;
  void *gl = &place;
  weft_model *model = cloud(5000, 3);
  weft_solver *solver = rig_solver(model, &(weft_params){.grab = true}, rig_backend(&gl));
  rig_step(solver, 2);
  uint64_t before, after;
  before = rig_hash(solver);
  weft_gl_counts counts = weft_solver_gl_counts(rig_gl_context);
  weft_ray ray = {.origin = {0, 0, -5}, .direction = {0, 0, 1}, .radius = 0.2f};
  weft_hit first = pick(solver, &ray);
  weft_gl_counts then = weft_solver_gl_counts(rig_gl_context);
  assert_int_equal(then.reads - counts.reads, 1);
  assert_int_equal(then.dispatches - counts.dispatches, 3); /* 5000, 79, 2 */
  assert_int_equal(then.barriers - counts.barriers, 3);
  assert_int_equal(then.buffers_created, counts.buffers_created);
  assert_int_equal(sizeof(weft_pick), 16);
  after = rig_hash(solver);
  assert_true(before == after);
  weft_hit again = pick(solver, &ray);
  assert_memory_equal(&first, &again, sizeof first);
  weft_solver_destroy(solver);
  rig_model_free(model);
}

static void a_ray_that_is_none_is_refused_in_a_sentence(void **state) {
  (void)state;
  weft_model *model = cloud(10, 1);
  weft_solver *solver = rig_solver(model, &(weft_params){0}, weft_backend_ref());
  const weft_ray bad[] = {{.direction = {0, 0, 0}},
                          {.direction = {NAN, 0, 0}},
                          {.direction = {0, INFINITY, 0}},
                          {.direction = {0, 0, 1}, .origin = {NAN, 0, 0}},
                          {.direction = {0, 0, 1}, .origin = {0, 2e6f, 0}},
                          {.direction = {0, 0, 1}, .radius = -1},
                          {.direction = {0, 0, 1}, .slope = NAN}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    weft_error err = {0};
    weft_hit hit = {.particle = 3};
    assert_int_equal(weft_solver_pick(solver, &bad[k], &hit, &err), WEFT_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "ray"));
    assert_int_equal(hit.particle, WEFT_NO_PARTICLE);
  }
  weft_solver_destroy(solver);
  rig_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(it_is_what_a_search_on_the_host_finds),
      cmocka_unit_test(both_backends_answer_with_the_same_bits),
      RIG_BOTH(of_several_at_one_distance_it_is_the_lowest_index),
      RIG_BOTH(of_a_folded_cloth_the_layer_before_the_eye_is_met),
      cmocka_unit_test(it_changes_no_state_and_reads_sixteen_bytes_once),
      cmocka_unit_test(a_ray_that_is_none_is_refused_in_a_sentence),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
