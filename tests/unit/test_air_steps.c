/* Steps of the air: how many there are, that they fill a frame, and that a wind that changes from
 * frame to frame changes them on every backend alike. */
#include "../rig.h"
/* after rig.h */
#include <weft/change.h>

#include "cpu.h"
#include "inspect.h"
#include "ref.h"

static void still_air_acts_once_a_millisecond_and_wind_as_it_passes(void **state) {
  (void)state;
  const struct {
    float frame_dt;
    uint32_t substeps;
    weft_vec3 wind;
    float gust;
    uint32_t steps;
  } rows[] = {
      {1.0f / 60, 96, {0, 0, 0}, 0, 16},    /* 16.7 ms x 4.8 m/s / 5 mm */
      {1.0f / 60, 12, {0, 0, 0}, 0, 12},    /* no more than substeps */
      {1.0f / 60, 120, {0, 0, 0}, 0, 20},   /* at most six substeps long */
      {1.0f / 60, 96, {3, -2, 6}, 0, 39},   /* 11.8 m/s: 39.3 */
      {1.0f / 60, 96, {0, 0, 8}, 0.5f, 96}, /* gusts of 12 m/s: 56, which is more than half */
      {1.0f / 60, 96, {0, 300, 0}, 0, 96},  /* storm */
      {1.0f / 30, 96, {0, 0, 0}, 0, 32},    {1e-4f, 10, {0, 0, 0}, 0, 2},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    const weft_params p = {.frame_dt = rows[k].frame_dt,
                           .substeps = rows[k].substeps,
                           .wind = rows[k].wind,
                           .gust = rows[k].gust};
    assert_int_equal(weft_air_steps(&p), rows[k].steps);
  }
}

static void steps_fill_the_frame(void **state) {
  (void)state;
  for (uint32_t substeps = 1; substeps <= 130; ++substeps) {
    const weft_params p = {
        .frame_dt = 1.0f / 60, .substeps = substeps, .wind = {(float)(substeps % 7), 0, 0}};
    const double dt = (double)p.frame_dt / substeps;
    double end = 0;
    uint32_t steps = 0;
    for (uint32_t s = 0; s < substeps; ++s) {
      const double air = (double)weft_air_dt(&p, s);
      if (air == 0) {
        assert_true(end > (s + 0.5) * dt); /* a step that began earlier goes on */
        continue;
      }
      rig_near(end, s * dt, 1e-8, "s: where a step begins");
      assert_true(air < 6.01 * dt);
      end += air;
      ++steps;
    }
    rig_near(end, (double)p.frame_dt, 1e-8, "s of air in a frame");
    assert_int_equal(steps, weft_air_steps(&p));
  }
}

static weft_model *sheet(void) {
  return rig_grid_model(&(weft_grid_desc){.rows = 9, .columns = 14, .width = 1, .height = 0.7f},
                        (weft_model_desc){.material = weft_material_find("tshirt")});
}

static uint64_t blown(const weft_model *model, const weft_backend *backend) {
  weft_solver *solver =
      rig_solver(model, &(weft_params){.substeps = 60, .air_density = 1.2f}, backend);
  for (int f = 0; f < 6; ++f) {
    weft_params params = *weft_solver_params(solver);
    params.wind = weft_v3(0, 0, (float)(f * f));
    assert_int_equal(weft_solver_set_params(solver, &params, NULL), WEFT_OK);
    rig_step(solver, 1);
  }
  const uint64_t hash = rig_hash(solver);
  weft_solver_destroy(solver);
  return hash;
}

static void a_wind_that_rises_is_the_same_on_cpu(void **state) {
  (void)state;
  weft_model *model = sheet();
  const uint64_t expected = blown(model, weft_backend_ref());
  for (uint32_t threads = 1; threads <= 2; ++threads) {
    assert_int_equal(blown(model, weft_backend_cpu(threads)), expected);
  }
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(still_air_acts_once_a_millisecond_and_wind_as_it_passes),
      cmocka_unit_test(steps_fill_the_frame),
      cmocka_unit_test(a_wind_that_rises_is_the_same_on_cpu),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
