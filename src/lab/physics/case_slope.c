/* case_slope.c: a block on a slope with Coulomb friction. */
#include <math.h>

#include "analytic.h"
#include "cases.h"
#include "orders.h"

enum { SUBSTEPS = 20, FRAMES = 30 };
static const double frame_dt = (double)(1.0f / 60.0f);

/* Way along the slope, downhill. */
static double slide(weft_physics_run *run, double angle, double hold, double rub,
                    const weft_params *steps, double *lifted) {
  static const weft_vec3 start = {0, 0, 0};
  static const float mass = 1;
  weft_model *model = weft_physics_particles(
      run, &(weft_particles_desc){.particle_count = 1, .positions = &start, .masses = &mass});
  weft_collider slope = {.shape = WEFT_COLLIDER_PLANE,
                         .b = {(float)sin(angle), (float)cos(angle), 0},
                         .friction_static = (float)hold,
                         .friction_dynamic = (float)rub};
  weft_params params = *steps;
  params.colliders = &slope;
  params.collider_count = 1;
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_step(&rig, FRAMES);
  weft_rig_read(&rig);
  double way = rig.x[0] * cos(angle) - rig.x[1] * sin(angle);
  *lifted = rig.x[0] * sin(angle) + rig.x[1] * cos(angle);
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return way;
}

static const weft_params usual = {.substeps = SUBSTEPS};

static double theory(double angle, double hold, double rub) {
  double n = SUBSTEPS * FRAMES, dt = frame_dt / SUBSTEPS;
  if (tan(angle) <= hold) return 0;
  return 0.5 * WEFT_PHYSICS_G * (sin(angle) - rub * cos(angle)) * dt * dt * n * (n + 1);
}

/* Returns how far it ended from the slope. */
static double claim_slide(weft_physics_run *run, double angle, double hold, double rub) {
  double lifted = 0, way = slide(run, angle, hold, rub, &usual, &lifted),
         expected = theory(angle, hold, rub);
  double n = SUBSTEPS * FRAMES;
  /* Friction is decided anew each substep from moves of g dt^2 and v dt, rounded as positions are.
   */
  double allowed = 1e-6 + 1e-6 * expected;
  if (!weft_physics_is_double(run) && expected > 0) {
    allowed += 3 * 2 * weft_half_ulp(0.5) / sqrt(12) * sqrt(n * n * n / 3);
  }
  weft_physics_expect(
      run, weft_physics_text("mu %g/%g, %.2f deg", hold, rub, angle * 57.29577951308232), "m", way,
      expected, allowed,
      "Coulomb: stays for tan(angle) <= mu_s, else slides by g(sin - mu_k cos) dt^2 n(n+1)/2 in "
      "half a "
      "second",
      "1e-6, as the plane's normal is of floats; for what slides in floats an ulp/sqrt(12) a "
      "substep, and the speed by that over dt: a walk of sqrt(n^3/3), three times");
  return fabs(lifted);
}

static double off_slide(weft_physics_run *run, const weft_params *params, const void *user) {
  const double *angle = user, mu = 0.5, time = FRAMES * frame_dt;
  double pull = WEFT_PHYSICS_G * (sin(*angle) - mu * cos(*angle)), ignored;
  return fabs(slide(run, *angle, mu, mu, params, &ignored) - 0.5 * pull * time * time);
}

static void slope(weft_physics_run *run) {
  enum { STEPS = 13 };
  double degrees[STEPS], way[STEPS], expected[STEPS], ignored;
  const double mu = 0.5, critical = atan(mu);
  const double slides[][3] = {{critical - 0.005, mu, mu}, {critical + 0.005, mu, mu},
                              {critical + 0.2, mu, mu},   {critical + 0.5, mu, mu},
                              {atan(0.4), 0.6, 0.2},      {atan(0.7), 0.6, 0.2}};
  double highest = 0;
  for (int k = 0; k < 6; ++k) {
    highest = fmax(highest, claim_slide(run, slides[k][0], slides[k][1], slides[k][2]));
  }
  weft_physics_expect(run, "max distance off the slope", "m", highest, 0, 1e-6, "0: it stays on it",
                      "rounding of a position 1 m down the slope, and of the plane's normal");
  const double steep = critical + 0.2;
  weft_order_run(run, &(weft_order){.name = "sliding block",
                                    .measure = off_slide,
                                    .user = &steep,
                                    .title = "Distance of a sliding block from theory after 0.5 s",
                                    .axis = "distance (m)",
                                    .near = true});
  if (run->place == WEFT_PHYSICS_GL) return; /* the rows are enough there */
  for (int k = 0; k < STEPS; ++k) {
    degrees[k] = 5 * k + 1;
    way[k] = slide(run, degrees[k] / 57.29577951308232, mu, mu, &usual, &ignored);
    expected[k] = theory(degrees[k] / 57.29577951308232, mu, mu);
  }
  uint32_t plot = weft_physics_plot(
      run,
      &(weft_physics_axes){"Distance down a slope with mu = 0.5 in half a second",
                           "angle of the slope (degrees)", "distance (m)", false, false, false});
  weft_physics_theory(run, plot, "g(sin - mu cos) t^2/2", STEPS, degrees, expected);
  weft_physics_curve(run, plot, "block", STEPS, degrees, way);
}

const weft_physics_case weft_case_slope = {
    "slope", "A block slides when its angle of friction says so, and as far as it says",
    "A particle of 1 kg lies on a plane with static and kinetic friction, from 0.005 rad below the "
    "angle of friction to well above it, for half a second.",
    slope};
