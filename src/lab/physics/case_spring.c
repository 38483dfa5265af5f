/* case_spring.c: one mass on one compliant link. For a linear spring a substep of XPBD is a step of
 * implicit Euler, z -> z / (1 - dt mu) for each eigenvalue mu of the exact motion; so the simulated
 * stretch is known in closed form, damping included, and not only in the limit. */
#include <complex.h>
#include <math.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"

/* Macklin et al. 2016, section 6.1. */
static const double alpha = (double)0.001f, mass = 1, start = 0.5;
static const double frame_dt = (double)1e-3f;
enum { FRAMES = 460, SUBSTEPS = 2 }; /* two periods and a bit */

static weft_model *spring(weft_physics_run *run, float damping) {
  static const weft_vec3 positions[] = {{0, 0, 0}, {0, -1, 0}};
  const float masses[] = {0, (float)mass};
  const weft_link link = {
      .a = 0, .b = 1, .rest_length = 1, .compliance = (float)alpha, .damping = damping};
  return weft_physics_particles(run, &(weft_particles_desc){.particle_count = 2,
                                                            .positions = positions,
                                                            .masses = masses,
                                                            .links = &link,
                                                            .link_count = 1});
}

/* Stretch after each frame, the start at 0. */
static void swing(weft_physics_run *run, const weft_model *model, uint32_t substeps,
                  uint32_t iterations, double *stretch) {
  static const weft_vec3 pulled[] = {{0, 0, 0}, {0, -1.5f, 0}};
  weft_params params = {
      .no_gravity = true, .frame_dt = 1e-3f, .substeps = substeps, .iterations = iterations};
  if (run->place == WEFT_PHYSICS_GL) params.schedule = WEFT_SCHEDULE_SINGLE; /* the same bits */
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_write(&rig, pulled, NULL);
  for (int f = 0; f <= FRAMES && weft_physics_ok(run); ++f) {
    stretch[f] = -rig.x[4] - 1;
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
  }
  weft_rig_close(&rig);
}

/* Re(c z^n); `time` is damping over stiffness, alpha beta; dt 0 gives the exact motion at t. */
static double theory(double time, double dt, double t) {
  double turn2 = 1 / (mass * alpha), decay = 0.5 * time * turn2;
  double turn = sqrt(turn2 - decay * decay);
  double complex mu = -decay + I * turn, c = start * (1 - I * decay / turn);
  double complex grown = dt > 0 ? cpow(1 / (1 - dt * mu), t / dt) : cexp(mu * t);
  return creal(c * grown);
}

static double period(const double *stretch) {
  double first = 0, last = 0;
  int crossings = 0;
  for (int f = 1; f <= FRAMES; ++f) {
    if (!(stretch[f - 1] > 0 && stretch[f] <= 0)) continue;
    last = (f - 1 + stretch[f - 1] / (stretch[f - 1] - stretch[f])) * frame_dt;
    if (crossings++ == 0) first = last;
  }
  return (last - first) / (crossings - 1);
}

static double farthest(const double *stretch, double time, double dt) {
  double max = 0;
  for (int f = 0; f <= FRAMES; ++f) {
    max = fmax(max, fabs(stretch[f] - theory(time, dt, f * frame_dt)));
  }
  return max;
}

/* Every substep rounds a position of 1 to 2 m, and the speed by that over dt; the spring's period
 * keeps a walk of n steps to sqrt(n) of them. */
static double rounding(const weft_physics_run *run, double dt) {
  double n = FRAMES * frame_dt / dt;
  if (weft_physics_is_double(run)) return 1e-11;
  return 4 * weft_half_ulp(1.5) * sqrt(n) / (dt / sqrt(mass * alpha));
}

/* ---- undamped, at several iteration counts ---- */

static void claim_iterations(weft_physics_run *run, const weft_model *model, double *curve) {
  static const uint32_t iterations[] = {1, 2, 10};
  double dt = frame_dt / SUBSTEPS, turn = 1 / sqrt(mass * alpha);
  double exact = 2 * acos(-1) / turn, lag = turn * dt * turn * dt / 3;
  static double stretch[FRAMES + 1];
  for (int k = 0; k < 3; ++k) {
    swing(run, model, SUBSTEPS, iterations[k], stretch);
    double noise = rounding(run, dt);
    weft_physics_expect(run, weft_physics_text("period, %u iterations", iterations[k]), "s",
                        period(stretch), exact, 1.2 * exact * lag + noise * 0.1,
                        "2 pi sqrt(m alpha) = 0.19869 s (Macklin 2016, section 6.1)",
                        "implicit Euler turns by atan(w dt) a step: longer by (w dt)^2/3, 8e-5");
    for (int f = 0; f <= FRAMES && k == 0; ++f) curve[f] = stretch[f];
    weft_physics_expect(run, weft_physics_text("swing, %u iterations", iterations[k]), "m",
                        farthest(stretch, 0, dt), 0, noise,
                        "Re(z^n)/2, z = 1/(1 - i w dt), the whole swing: multipliers kept over "
                        "iterations make their number irrelevant",
                        "rounding: half an ulp of 1.5 m a substep, over w dt in the swing, a walk "
                        "of n; 1e-11 in double");
  }
  double n = FRAMES * SUBSTEPS;
  weft_physics_note(run, "amplitude left in 0.46 s", "m",
                    start * pow(1 + turn * dt * turn * dt, -0.5 * n),
                    "no claim: what implicit Euler leaves of 0.5 m, in closed form");
}

/* ---- against the exact swing, as the step shrinks ---- */

static void claim_order(weft_physics_run *run, const weft_model *model) {
  enum { RUNS = 5 };
  static const double counts[RUNS] = {1, 2, 4, 8, 16};
  static double stretch[FRAMES + 1];
  double error[RUNS], predicted[RUNS];
  for (int k = 0; k < RUNS; ++k) {
    swing(run, model, (uint32_t)counts[k], 1, stretch);
    error[k] = farthest(stretch, 0, 0);
    predicted[k] = 0;
    for (int f = 0; f <= FRAMES; ++f) {
      double t = f * frame_dt;
      predicted[k] = fmax(predicted[k], fabs(theory(0, frame_dt / counts[k], t) - theory(0, 0, t)));
    }
  }
  if (weft_physics_is_double(run)) {
    weft_physics_expect(
        run, "order from the exact swing", "", -weft_physics_slope(3, counts + 2, error + 2), 1,
        0.05, "implicit Euler is of first order: slope over 4 to 16 a millisecond, in double",
        "what the next order adds at 4 substeps a millisecond");
  }
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"Max distance from the exact swing in 0.46 s",
                                "substeps per millisecond", "distance (m)", true, true, false});
  weft_physics_theory(run, plot, "implicit Euler, closed form", RUNS, counts, predicted);
  weft_physics_curve(run, plot, "XPBD", RUNS, counts, error);
}

/* ---- damped ---- */

static void claim_damping(weft_physics_run *run, double *curve) {
  const double time = (double)2e-3f;
  static double stretch[FRAMES + 1];
  weft_model *model = spring(run, (float)(time / alpha));
  double beta = (double)(float)(time / alpha), dt = frame_dt / SUBSTEPS;
  swing(run, model, SUBSTEPS, 1, stretch);
  for (int f = 0; f <= FRAMES; ++f) curve[f] = stretch[f];
  weft_physics_expect(run, "damped swing", "m", farthest(stretch, alpha * beta, dt), 0,
                      rounding(run, dt),
                      "Re(c z^n), z = 1/(1 - dt mu), mu^2 + alpha beta w^2 mu + w^2 = 0: eq. 26 "
                      "makes the force -(C + alpha beta dC/dt)/alpha",
                      "rounding as above");
  weft_model_destroy(model);
}

static void plot_swings(weft_physics_run *run, const double *free_swing, const double *damped) {
  double t[FRAMES + 1], exact[2][FRAMES + 1];
  uint32_t plot =
      weft_physics_plot(run, &(weft_physics_axes){"A spring let go at 0.5 m", "time (s)",
                                                  "stretch (m)", false, false, false});
  for (int f = 0; f <= FRAMES; ++f) {
    t[f] = f * frame_dt;
    exact[0][f] = theory(0, 0, t[f]);
    exact[1][f] = theory(2e-3, 0, t[f]);
  }
  weft_physics_theory(run, plot, "exact", FRAMES + 1, t, exact[0]);
  weft_physics_theory(run, plot, "exact, damped", FRAMES + 1, t, exact[1]);
  if (weft_physics_is_double(run)) return;
  weft_physics_curve(run, plot, "2 substeps per ms", FRAMES + 1, t, free_swing);
  weft_physics_curve(run, plot, "damped", FRAMES + 1, t, damped);
}

static void harmonic(weft_physics_run *run) {
  static double free_swing[FRAMES + 1], damped[FRAMES + 1];
  weft_model *model = spring(run, 0);
  claim_iterations(run, model, free_swing);
  claim_order(run, model);
  claim_damping(run, damped);
  plot_swings(run, free_swing, damped);
  weft_model_destroy(model);
}

const weft_physics_case weft_case_spring = {
    "spring", "XPBD's harmonic spring: period 0.19869 s at any iteration count, damped as set",
    "A mass of 1 kg on a link of compliance 0.001 m/N is let go 0.5 m beyond its rest length. For "
    "a "
    "linear spring a substep is a step of implicit Euler, so the whole swing is known in closed "
    "form, at any number of iterations and with damping.",
    harmonic};

/* ---- stiffness and iterations ---- */

/* What one substep leaves of a stretch of 1 m, without gravity. */
static double left_over(weft_physics_run *run, float k, uint32_t iterations) {
  static const weft_vec3 positions[] = {{0, 0, 0}, {1, 0, 0}},
                         pulled[] = {{-0.5f, 0, 0}, {1.5f, 0, 0}};
  static const float masses[] = {1, 1};
  static const weft_link link = {.a = 0, .b = 1, .rest_length = 1};
  weft_model *model = weft_physics_particles(run, &(weft_particles_desc){.particle_count = 2,
                                                                         .positions = positions,
                                                                         .masses = masses,
                                                                         .links = &link,
                                                                         .link_count = 1});
  weft_params params = {.no_gravity = true,
                        .substeps = 1,
                        .iterations = iterations,
                        .method = WEFT_METHOD_PBD,
                        .pbd_stretch = k};
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_write(&rig, pulled, NULL);
  weft_rig_step(&rig, 1);
  weft_rig_read(&rig);
  double left = weft_physics_ok(run) ? rig.x[3] - rig.x[0] - 1 : NAN;
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return left;
}

/* Hung on the spring until it is still; at steps this long implicit Euler damps by itself. */
static double stretch_at_rest(weft_physics_run *run, const weft_model *model, uint32_t rate,
                              uint32_t iterations) {
  weft_rig rig;
  weft_rig_open(
      run, model,
      &(weft_params){.frame_dt = 1 / (float)rate, .substeps = 1, .iterations = iterations}, &rig);
  weft_rig_step(&rig, 200);
  weft_rig_read(&rig);
  double stretch = -rig.x[4] - 1;
  weft_rig_close(&rig);
  return stretch;
}

static void stiffness(weft_physics_run *run) {
  static const float ks[] = {0.1f, 0.5f, 0.9f};
  static const uint32_t iterations[] = {1, 4, 16, 64};
  bool wide = weft_physics_is_double(run);
  for (int k = 0; k < 3; ++k) {
    for (int n = 0; n < 4; ++n) {
      weft_physics_expect(
          run, weft_physics_text("PBD, k = %g, n = %u: left", (double)ks[k], iterations[n]), "m",
          left_over(run, ks[k], iterations[n]), 1 - (double)ks[k],
          wide ? 1e-7 : (2.0 * iterations[n] + 2) * weft_half_ulp(1.5),
          "(1 - k') each of n times with k' = 1 - (1 - k)^(1/n): 1 - k of 1 m",
          "rounding: two positions an iteration, half an ulp of 1.5 m each");
    }
  }
  weft_model *model = spring(run, 0);
  static const uint32_t ways[][2] = {{60, 1}, {60, 4}, {60, 16}, {30, 1}};
  for (int k = 0; k < 4; ++k) {
    weft_physics_expect(
        run, weft_physics_text("XPBD, %u Hz, n = %u: rest", ways[k][0], ways[k][1]), "m",
        stretch_at_rest(run, model, ways[k][0], ways[k][1]), alpha * mass * WEFT_PHYSICS_G,
        wide ? 1e-9 : 8 * weft_half_ulp(1),
        "alpha m g, whatever the step and the number of iterations",
        "rounding: a few half ulps of 1 m; 1e-9 in double, what is left of the swing");
  }
  weft_model_destroy(model);
}

const weft_physics_case weft_case_stiffness = {
    "stiffness", "Stiffness does not depend on the number of iterations, in PBD and in XPBD",
    "PBD: one link stretched by 1 m is projected for one substep of n iterations, without gravity. "
    "XPBD: a mass hangs on a spring until it is still.",
    stiffness};
