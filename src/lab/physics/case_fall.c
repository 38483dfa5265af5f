/* case_fall.c: a particle under gravity alone, as a substep of symplectic Euler has it. */
#include <math.h>

#include "analytic.h"
#include "cases.h"
#include "orders.h"

enum { HEIGHTS = 3, COUNTS = 5, FRAMES = 12 };
static const double heights[HEIGHTS] = {0, 2, 10};
static const double counts[COUNTS] = {20, 50, 100, 200, 400}; /* substeps per frame */

static weft_model *falling(weft_physics_run *run) {
  static const float masses[HEIGHTS] = {0.1f, 1, 10};
  weft_vec3 positions[HEIGHTS] = {{0}};
  for (int i = 0; i < HEIGHTS; ++i) positions[i].y = (float)heights[i];
  return weft_physics_particles(
      run,
      &(weft_particles_desc){.particle_count = HEIGHTS, .positions = positions, .masses = masses});
}

/* A constant step rounds to the same side for as long as the speed keeps its exponent. */
static double speed_rounding(double n, double speed) { return n * weft_half_ulp(speed); }

/* While a substep moves less than an ulp of the height, all of it may be lost; later rounding goes
 * either way. What the speed is wrong by adds up. */
static double fall_rounding(double n, double dt, double speed, double height) {
  double half = weft_half_ulp(fmax(height, 0.5 * speed * n * dt));
  double crawling = 2 * half / (WEFT_PHYSICS_G * dt * dt);
  return (fmin(crawling, n) + 4 * sqrt(n)) * half + 0.5 * n * dt * speed_rounding(n, speed);
}

/* Behind Galilei's g t^2/2. */
static double lag(weft_physics_run *run, const weft_params *params, const void *user) {
  const weft_model *model = user;
  weft_rig rig;
  weft_rig_open(run, model, params, &rig);
  weft_rig_step(&rig, FRAMES);
  weft_rig_read(&rig);
  double time = FRAMES * (double)(1.0f / 60.0f);
  double far = heights[1] - rig.x[3 + 1] - 0.5 * WEFT_PHYSICS_G * time * time;
  weft_rig_close(&rig);
  return fabs(far);
}

static void fall(weft_physics_run *run) {
  weft_model *model = falling(run);
  double error[HEIGHTS][COUNTS];
  bool wide = weft_physics_is_double(run);
  for (int k = 0; k < COUNTS; ++k) {
    weft_rig rig;
    weft_rig_open(run, model, &(weft_params){.substeps = (uint32_t)counts[k]}, &rig);
    weft_rig_step(&rig, FRAMES);
    weft_rig_read(&rig);
    double n = FRAMES * counts[k], dt = (double)(1.0f / 60.0f) / counts[k];
    double speed = WEFT_PHYSICS_G * n * dt, way = 0.5 * WEFT_PHYSICS_G * dt * dt * n * (n + 1);
    for (uint32_t i = 0; i < HEIGHTS && weft_physics_ok(run); ++i) {
      double fallen = heights[i] - rig.x[3 * i + 1];
      error[i][k] = fabs(fallen - way);
      weft_physics_expect(
          run, weft_physics_text("fall from %.0f m, %.0f substeps", heights[i], counts[k]), "m",
          fallen, way, wide ? 1e-11 : fall_rounding(n, dt, speed, heights[i]),
          "g dt^2 n(n+1)/2 after n substeps of symplectic Euler, exactly",
          "float rounding: half an ulp of the height a substep, all to one side "
          "while a substep moves less than an ulp, and the speed's; in double 1e-11");
    }
    for (uint32_t i = 0; i < 1 && weft_physics_ok(run); ++i) {
      weft_physics_expect(run, weft_physics_text("speed, %.0f substeps", counts[k]), "m/s",
                          -rig.v[1], speed, wide ? 1e-11 : speed_rounding(n, speed), "g dt n",
                          "float rounding: half an ulp of the speed a substep");
    }
    weft_rig_close(&rig);
  }
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"Error of a fall over 0.2 s", "substeps per frame", "error (m)",
                                true, true, false});
  for (int i = 0; i < HEIGHTS; ++i) {
    weft_physics_curve(run, plot, weft_physics_text("from %.0f m", heights[i]), COUNTS, counts,
                       error[i]);
  }
  weft_order_run(run, &(weft_order){.name = "from 2 m",
                                    .measure = lag,
                                    .user = model,
                                    .title = "Distance from g t^2/2 after 0.2 s",
                                    .axis = "distance (m)"});
  weft_model_destroy(model);
}

const weft_physics_case weft_case_fall = {
    "fall", "Free fall: n substeps fall by g dt^2 n(n+1)/2, at any height",
    "Three particles of 0.1, 1 and 10 kg fall for 12 frames from heights of 0, 2 and 10 m. There "
    "is "
    "no error of the method here, only rounding: the same fall from a greater height is rounded "
    "more coarsely, and more substeps round more often.",
    fall};
