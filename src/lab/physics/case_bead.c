/* case_bead.c: beads on circular wires: one particle each, kept at a distance from a fixed centre.
 *
 * One substep moves a bead freely and puts it back on the circle along the radius. Expanding that
 * in dt gives the equation it really solves, to first order:
 *   theta'' = -(g/R) sin theta - dt theta' (theta'^2 + (g/R) cos theta),
 *   theta'(0) = -dt/2 (g/R) sin theta(0) when released at rest.
 * The bracket is the wire's force per mass and radius: what the method loses, and how fast. */
#include <math.h>
#include <string.h>

#include "analytic.h"
#include "cases.h"

enum { BEADS = 3, FRAMES = 60, RUNS = 7, RUNS_GL = 5 };
static const double radii[BEADS] = {0.25, 0.5, 1};
static const double masses[BEADS] = {0.1, 5, 1};
static const double start_angle = 2;                              /* rad from the lowest point */
static const double counts[RUNS] = {5, 10, 20, 40, 80, 160, 320}; /* substeps per frame */
static const double frame_dt = (double)(1.0f / 60.0f);

/* ---- theory ---- */

typedef struct wire {
  double radius, dt; /* dt 0: the exact bead */
} wire;

static void bead_slope(const void *user, double t, const double *y, double *dy) {
  const wire *w = user;
  double g = WEFT_PHYSICS_G / w->radius;
  (void)t;
  dy[0] = y[1];
  dy[1] = -g * sin(y[0]) - w->dt * y[1] * (y[1] * y[1] + g * cos(y[0]));
}

/* Angle and angular speed after each frame. */
static void solve_bead(double radius, double dt, double (*state)[2]) {
  wire w = {radius, dt};
  double y[2] = {start_angle, -0.5 * dt * WEFT_PHYSICS_G / radius * sin(start_angle)};
  for (int f = 0; f < FRAMES; ++f) {
    weft_ode_solve(bead_slope, &w, 2, f * frame_dt, frame_dt, 1e-12, y);
    state[f][0] = y[0];
    state[f][1] = y[1];
  }
}

/* ---- the run ---- */

static weft_model *wires(weft_physics_run *run) {
  weft_vec3 positions[2 * BEADS] = {{0}};
  float all_masses[2 * BEADS] = {0};
  weft_link links[BEADS] = {{0}};
  for (uint32_t b = 0; b < BEADS; ++b) {
    positions[b].z = positions[BEADS + b].z = (float)b;
    positions[BEADS + b].x = (float)(radii[b] * sin(start_angle));
    positions[BEADS + b].y = (float)(-radii[b] * cos(start_angle));
    all_masses[BEADS + b] = (float)masses[b];
    links[b] = (weft_link){.a = b, .b = BEADS + b, .rest_length = (float)radii[b]};
  }
  return weft_physics_particles(run, &(weft_particles_desc){.particle_count = 2 * BEADS,
                                                            .positions = positions,
                                                            .masses = all_masses,
                                                            .links = links,
                                                            .link_count = BEADS});
}

typedef struct bead_track {
  double x[FRAMES], y[FRAMES];
  double force[FRAMES]; /* N, of the wire, towards the centre */
} bead_track;

static void record(weft_physics_run *run, const weft_model *model, uint32_t substeps,
                   weft_method method, bead_track *tracks) {
  weft_rig rig;
  weft_params params = {.substeps = substeps, .method = method, .keep_multipliers = true};
  weft_rig_open(run, model, &params, &rig);
  for (int f = 0; f < FRAMES && weft_physics_ok(run); ++f) {
    float newtons[BEADS] = {0};
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    weft_solver_link_forces(rig.solver, newtons, &run->err);
    for (int b = 0; b < BEADS; ++b) {
      tracks[b].x[f] = rig.x[3 * (BEADS + b)];
      tracks[b].y[f] = rig.x[3 * (BEADS + b) + 1];
      tracks[b].force[f] = (double)newtons[b];
    }
  }
  weft_rig_close(&rig);
}

static double distance(const bead_track *t, int frame, double radius, const double *state) {
  return hypot(t->x[frame] - radius * sin(state[0]), t->y[frame] + radius * cos(state[0]));
}

static double largest_distance(const bead_track *t, double radius, double (*states)[2]) {
  double max = 0;
  for (int f = 0; f < FRAMES; ++f) max = fmax(max, distance(t, f, radius, states[f]));
  return max;
}

static double normal_force(int b, const double *state) {
  return masses[b] * (radii[b] * state[1] * state[1] + WEFT_PHYSICS_G * cos(state[0]));
}

static double rms(double sum) { return sqrt(sum / FRAMES); }

/* Root mean square over the frames, relative to the max analytic force. */
static double force_error(const bead_track *t, int b, double (*exact)[2]) {
  double sum = 0, max = 0;
  for (int f = 0; f < FRAMES; ++f) {
    double force = normal_force(b, exact[f]);
    sum += (t->force[f] - force) * (t->force[f] - force);
    max = fmax(max, fabs(force));
  }
  return rms(sum) / max;
}

/* The same of the modified bead, and of one that is a substep late. */
static double force_allowed(int b, double dt, double noise, double (*exact)[2],
                            double (*modified)[2]) {
  double drift = 0, late = 0, max = 0;
  for (int f = 0; f < FRAMES; ++f) {
    double force = normal_force(b, exact[f]), other = normal_force(b, modified[f]);
    double rate = -3 * masses[b] * WEFT_PHYSICS_G * sin(exact[f][0]) * exact[f][1];
    drift += (other - force) * (other - force);
    late += rate * dt * rate * dt;
    max = fmax(max, fabs(force));
  }
  return (rms(drift) + rms(late) + noise) / max;
}

/* ---- what is claimed ---- */

typedef struct bead_theory {
  double exact[BEADS][FRAMES][2], modified[BEADS][RUNS][FRAMES][2];
} bead_theory;

static double apart(double (*a)[2], double (*b)[2], double radius) {
  double max = 0;
  for (int f = 0; f < FRAMES; ++f) {
    max = fmax(max, 2 * radius * fabs(sin(0.5 * (a[f][0] - b[f][0]))));
  }
  return max;
}

/* Each substep rounds the position by up to half an ulp, which enters the velocity as that over dt:
 * after n substeps the place has walked sigma sqrt(n^3/3), sigma an ulp over sqrt(12). */
static double walk(const weft_physics_run *run, double size, double substeps) {
  double n = substeps * FRAMES;
  if (weft_physics_is_double(run)) return 0;
  return 2 * weft_half_ulp(size) / sqrt(12) * sqrt(n * n * n / 3);
}

static double path_allowed(const weft_physics_run *run, int b, int k) {
  double dt = frame_dt / counts[k], turn = sqrt(WEFT_PHYSICS_G / radii[b]);
  return 0.2 * radii[b] * turn * turn * turn * dt * dt + 3 * walk(run, radii[b], counts[k]);
}

static const char why_path[] =
    "second order, 0.2 R (g/R)^1.5 dt^2; in floats each substep rounds the position, and the "
    "velocity by that over dt: a walk of an ulp/sqrt(12) sqrt(n^3/3), three times";

static void claim_paths(weft_physics_run *run, int runs, bead_track (*tracks)[BEADS],
                        bead_theory *theory) {
  /* At 320 substeps a path in floats is mostly rounding. */
  int max = weft_physics_is_double(run) ? runs : RUNS_GL;
  for (int k = 0; k < max; k += 2) {
    for (int b = 0; b < BEADS; ++b) {
      weft_physics_expect(
          run, weft_physics_text("lag, R %g m, %.0f substeps", radii[b], counts[k]), "m",
          largest_distance(&tracks[k][b], radii[b], theory->exact[b]),
          apart(theory->exact[b], theory->modified[b][k], radii[b]), path_allowed(run, b, k),
          "max distance over 1 s between the exact bead, theta'' = -(g/R) sin(theta), and the "
          "equation one substep solves to first order, with -dt theta'(theta'^2 + (g/R) "
          "cos(theta))",
          why_path);
    }
  }
  for (int b = 0; b < BEADS; ++b) {
    weft_physics_expect(run, weft_physics_text("path, R %g m, 20 substeps", radii[b]), "m",
                        largest_distance(&tracks[2][b], radii[b], theory->modified[b][2]), 0,
                        path_allowed(run, b, 2), "the same equation, at every frame", why_path);
  }
}

static void claim_forces(weft_physics_run *run, int runs, bead_track (*tracks)[BEADS],
                         bead_theory *theory) {
  /* At 320 substeps a force in floats is mostly rounding. */
  int max = weft_physics_is_double(run) ? runs : RUNS_GL;
  for (int k = 0; k < max; k += 2) {
    for (int b = 0; b < BEADS; ++b) {
      double dt = frame_dt / counts[k];
      double noise = weft_physics_is_double(run) ? 0 : 3 * weft_half_ulp(radii[b]) / (dt * dt);
      weft_physics_expect(
          run, weft_physics_text("force, R %g m, %.0f substeps", radii[b], counts[k]), "",
          force_error(&tracks[k][b], b, theory->exact[b]), 0,
          force_allowed(b, dt, noise * masses[b], theory->exact[b], theory->modified[b][k]),
          "lambda/dt^2 against m(v^2/R + g cos(theta)), root mean square relative to the max",
          "first order: the lag of the bead, and one substep of the force's own change; in floats "
          "three half ulps of R over dt^2");
    }
  }
}

static void claim_orders(weft_physics_run *run, bead_track (*tracks)[BEADS], bead_theory *theory) {
  for (int b = 0; b < BEADS; ++b) {
    double path[RUNS], force[RUNS];
    for (int k = 0; k < RUNS; ++k) {
      path[k] = largest_distance(&tracks[k][b], radii[b], theory->exact[b]);
      force[k] = force_error(&tracks[k][b], b, theory->exact[b]);
    }
    weft_physics_expect(run, weft_physics_text("order of lag, R %g m", radii[b]), "",
                        -weft_physics_slope(3, counts + 4, path + 4), 1, 0.05,
                        "first order in dt: half at twice the substeps (80 to 320, in double)",
                        "what the next order adds at 80 substeps");
    weft_physics_expect(run, weft_physics_text("order of force, R %g m", radii[b]), "",
                        -weft_physics_slope(3, counts + 4, force + 4), 1, 0.05,
                        "first order in dt: half at twice the substeps (80 to 320, in double)",
                        "what the next order adds at 80 substeps");
  }
}

/* ---- plots ---- */

static void plot_errors(weft_physics_run *run, int runs, bead_track (*tracks)[BEADS],
                        bead_theory *theory) {
  uint32_t lag = weft_physics_plot(
      run, &(weft_physics_axes){"Max distance from the exact bead over 1 s", "substeps per frame",
                                "distance (m)", true, true, false});
  uint32_t pull =
      weft_physics_plot(run, &(weft_physics_axes){"Error of the wire's force", "substeps per frame",
                                                  "rms error / max force", true, true, false});
  for (int b = 0; b < BEADS; ++b) {
    double path[RUNS], force[RUNS], predicted[RUNS];
    for (int k = 0; k < runs; ++k) {
      path[k] = largest_distance(&tracks[k][b], radii[b], theory->exact[b]);
      force[k] = force_error(&tracks[k][b], b, theory->exact[b]);
    }
    for (int k = 0; k < RUNS; ++k) {
      predicted[k] = apart(theory->exact[b], theory->modified[b][k], radii[b]);
    }
    const char *name = weft_physics_text("R = %g m", radii[b]);
    weft_physics_theory(run, lag, weft_physics_text("predicted, %s", name), RUNS, counts,
                        predicted);
    weft_physics_curve(run, lag, name, (uint32_t)runs, counts, path);
    weft_physics_curve(run, pull, name, (uint32_t)runs, counts, force);
  }
}

static void plot_motion(weft_physics_run *run, bead_track (*tracks)[BEADS], bead_theory *theory) {
  double time[FRAMES], exact_x[FRAMES], exact_force[FRAMES];
  uint32_t place =
      weft_physics_plot(run, &(weft_physics_axes){"The bead of R = 0.25 m", "time (s)",
                                                  "horizontal position (m)", false, false, false});
  uint32_t pull = weft_physics_plot(
      run, &(weft_physics_axes){"The wire's force on the bead of R = 0.25 m, 0.1 kg", "time (s)",
                                "force to the centre (N)", false, false, false});
  for (int f = 0; f < FRAMES; ++f) {
    time[f] = (f + 1) * frame_dt;
    exact_x[f] = radii[0] * sin(theory->exact[0][f][0]);
    exact_force[f] = normal_force(0, theory->exact[0][f]);
  }
  weft_physics_theory(run, place, "exact", FRAMES, time, exact_x);
  weft_physics_theory(run, pull, "m (v^2/R + g cos)", FRAMES, time, exact_force);
  for (int k = 0; k <= 4; k += 2) {
    const char *name = weft_physics_text("%.0f substeps", counts[k]);
    weft_physics_curve(run, place, name, FRAMES, time, tracks[k][0].x);
    weft_physics_curve(run, pull, name, FRAMES, time, tracks[k][0].force);
  }
}

/* ---- the case ---- */

static void claim_pbd(weft_physics_run *run, const weft_model *model, bead_track *xpbd) {
  static bead_track pbd[BEADS];
  double max = 0;
  record(run, model, (uint32_t)counts[2], WEFT_METHOD_PBD, pbd);
  for (int b = 0; b < BEADS; ++b) {
    for (int f = 0; f < FRAMES; ++f) {
      max = fmax(max, hypot(pbd[b].x[f] - xpbd[b].x[f], pbd[b].y[f] - xpbd[b].y[f]));
    }
  }
  weft_physics_expect(run, "PBD with k = 1 from XPBD", "m", max, 0, 0,
                      "0: a hard constraint has the same denominators in both",
                      "none: every bit is the same");
}

static void bead(weft_physics_run *run) {
  static bead_theory theory;
  static bead_track tracks[RUNS][BEADS];
  weft_model *model = wires(run);
  int runs = run->place == WEFT_PHYSICS_GL ? RUNS_GL : RUNS;
  for (int b = 0; b < BEADS; ++b) {
    solve_bead(radii[b], 0, theory.exact[b]);
    for (int k = 0; k < RUNS; ++k)
      solve_bead(radii[b], frame_dt / counts[k], theory.modified[b][k]);
  }
  for (int k = 0; k < runs; ++k) {
    record(run, model, (uint32_t)counts[k], WEFT_METHOD_XPBD, tracks[k]);
  }
  claim_paths(run, runs, tracks, &theory);
  claim_forces(run, runs, tracks, &theory);
  claim_pbd(run, model, tracks[2]);
  if (weft_physics_is_double(run)) claim_orders(run, tracks, &theory);
  plot_errors(run, runs, tracks, &theory);
  plot_motion(run, tracks, &theory);
  weft_model_destroy(model);
}

const weft_physics_case weft_case_bead = {
    "bead", "Beads on wires: theta'' = -(g/R) sin(theta), and the wire's force m(v^2/R + g cos)",
    "Three beads of different mass and radius, each kept at its distance from a fixed centre, are "
    "released at 2 rad from the lowest point and watched for a second. The method is of first "
    "order: "
    "it loses dt theta'(theta'^2 + (g/R) cos(theta)), the wire's force per mass and radius, and "
    "that "
    "loss is itself held against theory. In floats more substeps help only until rounding takes "
    "over; the double-precision run shows what the method alone would do.",
    bead};
