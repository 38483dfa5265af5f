/* case_pendulum.c: pendulums of 1, 2, 3 and 8 hard links beside Lagrange's equations. */
#include <math.h>
#include <string.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"
#include "hung.h"

enum {
  SYSTEMS = WEFT_HUNG_SYSTEMS - 1,
  MAX_LINKS = WEFT_HUNG_LINKS,
  FRAMES = 180,
  EARLY = 45,
  RUNS = 6
};
static const double counts[RUNS] = {10, 20, 40, 80, 160, 320};
static const double frame_dt = (double)(1.0f / 60.0f);

/* Of the shared systems all but the bead. */
static const weft_hung *const systems = weft_hung_systems + 1;

/* ---- theory ---- */

typedef struct path {
  double x[FRAMES + 1][MAX_LINKS], y[FRAMES + 1][MAX_LINKS]; /* frame 0: the start */
  double energy[FRAMES + 1];
} path;

static void solve_paths(path *paths) {
  for (int s = 0; s < SYSTEMS; ++s) {
    weft_pendulum p = weft_hung_start(&systems[s]);
    for (int f = 0; f <= FRAMES; ++f) {
      if (f) weft_pendulum_advance(&p, frame_dt, 1e-12);
      weft_pendulum_positions(&p, paths[s].x[f], paths[s].y[f]);
      paths[s].energy[f] = weft_pendulum_energy(&p);
    }
  }
}

/* ---- the run: all pendulums in one model, side by side ---- */

static uint32_t first_particle(int s) {
  uint32_t first = 0;
  for (int k = 0; k < s; ++k) first += systems[k].links + 1;
  return first;
}

static void take_frame(const weft_rig *rig, int f, path *paths) {
  for (int s = 0; s < SYSTEMS; ++s) {
    uint32_t first = first_particle(s) + 1;
    paths[s].energy[f] = 0;
    for (uint32_t i = 0; i < systems[s].links; ++i) {
      weft_vec3d x = weft_rig_at(rig, first + i), v = weft_v3d_at(&rig->v[3 * (first + i)]);
      paths[s].x[f][i] = x.x;
      paths[s].y[f][i] = x.y;
      paths[s].energy[f] += systems[s].mass[i] * (WEFT_PHYSICS_G * x.y + 0.5 * weft_v3d_dot(v, v));
    }
  }
}

static void swing(weft_physics_run *run, const weft_model *model, uint32_t substeps, path *paths) {
  weft_rig rig;
  weft_rig_open(run, model, &(weft_params){.substeps = substeps}, &rig);
  for (int f = 0; f <= FRAMES && weft_physics_ok(run); ++f) {
    if (f) {
      weft_rig_step(&rig, 1);
      weft_rig_read(&rig);
    }
    take_frame(&rig, f, paths);
  }
  weft_rig_close(&rig);
}

/* ---- measures ---- */

static double distance(const path *a, const path *b, int s, int frame) {
  double max = 0;
  for (uint32_t i = 0; i < systems[s].links; ++i) {
    max = fmax(max, hypot(a->x[frame][i] - b->x[frame][i], a->y[frame][i] - b->y[frame][i]));
  }
  return max;
}

static double early_distance(const path *a, const path *b, int s) {
  double max = 0;
  for (int f = 0; f <= EARLY; ++f) max = fmax(max, distance(a, b, s, f));
  return max;
}

/* What is left when the first order is taken out of two runs: 2 x(dt/2) - x(dt). */
static double extrapolated_distance(const path *coarse, const path *fine, const path *exact,
                                    int s) {
  double max = 0;
  for (int f = 0; f <= EARLY; ++f) {
    for (uint32_t i = 0; i < systems[s].links; ++i) {
      double x = 2 * fine->x[f][i] - coarse->x[f][i], y = 2 * fine->y[f][i] - coarse->y[f][i];
      max = fmax(max, hypot(x - exact->x[f][i], y - exact->y[f][i]));
    }
  }
  return max;
}

/* Until some mass is a twentieth of the pendulum's length from where it should be. */
static double parting_time(const path *a, const path *b, int s) {
  for (int f = 0; f <= FRAMES; ++f) {
    if (distance(a, b, s, f) > 0.05) return f * frame_dt;
  }
  return FRAMES * frame_dt;
}

/* Against the energy between the start and hanging straight down. */
static double energy_drift(const path *a, int s, int frame) {
  double depth = 0, lowest = 0;
  for (uint32_t i = 0; i < systems[s].links; ++i) {
    depth += systems[s].length[i];
    lowest -= systems[s].mass[i] * WEFT_PHYSICS_G * depth;
  }
  return (a->energy[frame] - a->energy[0]) / (a->energy[0] - lowest);
}

/* ---- what is claimed ---- */

static void claim_system(weft_physics_run *run, int s, path (*tracks)[SYSTEMS], const path *exact) {
  uint32_t links = systems[s].links;
  weft_physics_expect(run, weft_physics_text("%u-link, from 10 and 20", links), "m",
                      extrapolated_distance(&tracks[0][s], &tracks[1][s], &exact[s], s), 0, 4e-3,
                      "2 x(dt/2) - x(dt) against Lagrange's equations, max distance in 0.75 s",
                      "second order in dt, more with more links: under 0.4 % of the length of 1 m; "
                      "gravity or a length wrong by 2 % would be 1 to 2 cm");
}

static void claim_finest(weft_physics_run *run, int s, path (*tracks)[SYSTEMS], const path *exact) {
  weft_physics_expect(
      run, weft_physics_text("%u-link, from 160 and 320", systems[s].links), "m",
      extrapolated_distance(&tracks[RUNS - 2][s], &tracks[RUNS - 1][s], &exact[s], s), 0, 5e-5,
      "2 x(dt/2) - x(dt) against Lagrange's equations, in double",
      "second order in dt: 256 times less than from 10 and 20 substeps");
}

static void claim_orders(weft_physics_run *run, int s, path (*tracks)[SYSTEMS], const path *exact) {
  uint32_t links = systems[s].links;
  double early[RUNS], extrapolated[RUNS], drift[RUNS];
  for (int k = 3; k < RUNS; ++k) {
    early[k] = early_distance(&tracks[k][s], &exact[s], s);
    drift[k] = energy_drift(&tracks[k][s], s, EARLY);
    extrapolated[k] = extrapolated_distance(&tracks[k - 1][s], &tracks[k][s], &exact[s], s);
  }
  static const char source[] =
      "the method is of first order, so what extrapolation leaves is of "
      "second: slopes over 80 to 320 substeps, in double";
  static const char why[] =
      "what the next order adds at 80 substeps, most for 8 links in one sweep";
  weft_physics_expect(run, weft_physics_text("%u-link, order", links), "",
                      -weft_physics_slope(3, counts + 3, early + 3), 1, 0.05, source, why);
  weft_physics_expect(run, weft_physics_text("%u-link, order of energy lost", links), "",
                      -weft_physics_slope(3, counts + 3, drift + 3), 1, 0.05, source, why);
  weft_physics_expect(run, weft_physics_text("%u-link, order extrapolated", links), "",
                      -weft_physics_slope(3, counts + 3, extrapolated + 3), 2, 0.15, source, why);
}

static void note_system(weft_physics_run *run, int s, path (*tracks)[SYSTEMS], const path *exact) {
  for (int k = 1; k < RUNS; ++k) {
    weft_physics_note(
        run,
        weft_physics_text("%u-link, %.0f: separation over 5 cm at", systems[s].links, counts[k]),
        "s", parting_time(&tracks[k][s], &exact[s], s),
        "no claim: time until a mass is 5 cm from Lagrange's (3: not within 3 s), and the part of "
        "the energy gained in 3 s");
    weft_physics_note(
        run, weft_physics_text("%u-link, %.0f: energy drift", systems[s].links, counts[k]), "",
        energy_drift(&tracks[k][s], s, FRAMES),
        "no claim: time until a mass is 5 cm from Lagrange's (3: not within 3 s), and the part of "
        "the energy gained in 3 s");
  }
}

/* ---- plots ---- */

static void plot_errors(weft_physics_run *run, path (*tracks)[SYSTEMS], const path *exact) {
  uint32_t error = weft_physics_plot(
      run, &(weft_physics_axes){"Max distance from Lagrange's equations in 0.75 s",
                                "substeps per frame", "distance (m)", true, true, false});
  uint32_t part = weft_physics_plot(
      run, &(weft_physics_axes){"Time until the separation exceeds 5 cm", "substeps per frame",
                                "time (s), at most 3", true, false, false});
  for (int s = 0; s < SYSTEMS; ++s) {
    double early[RUNS], time[RUNS];
    for (int k = 0; k < RUNS; ++k) {
      early[k] = early_distance(&tracks[k][s], &exact[s], s);
      time[k] = parting_time(&tracks[k][s], &exact[s], s);
    }
    const char *name = weft_physics_text("%u link%s", systems[s].links, s ? "s" : "");
    weft_physics_curve(run, error, name, RUNS, counts, early);
    weft_physics_curve(run, part, name, RUNS, counts, time);
  }
}

static void plot_path(weft_physics_run *run, int s, path (*tracks)[SYSTEMS], const path *exact) {
  uint32_t last = systems[s].links - 1;
  double x[FRAMES + 1], y[FRAMES + 1];
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){
               weft_physics_text("Path of the last of %u masses in 3 s", systems[s].links),
               "horizontal position (m)", "height (m)", false, false, true});
  for (int k = -1; k < 2; ++k) {
    const path *p = k < 0 ? &exact[s] : &tracks[k][s];
    for (int f = 0; f <= FRAMES; ++f) {
      x[f] = p->x[f][last];
      y[f] = p->y[f][last];
    }
    if (k < 0) {
      weft_physics_theory(run, plot, "Lagrange's equations", FRAMES + 1, x, y);
    } else if (run->place != WEFT_PHYSICS_F64) {
      weft_physics_curve(run, plot, weft_physics_text("%.0f substeps", counts[k]), FRAMES + 1, x,
                         y);
    }
  }
}

static void plot_energy(weft_physics_run *run, path (*tracks)[SYSTEMS]) {
  double time[FRAMES + 1], drift[FRAMES + 1];
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"Energy gained, 20 substeps", "time (s)",
                                "part of the energy above rest", false, false, false});
  for (int s = 0; s < SYSTEMS; ++s) {
    for (int f = 0; f <= FRAMES; ++f) {
      time[f] = f * frame_dt;
      drift[f] = energy_drift(&tracks[1][s], s, f);
    }
    weft_physics_curve(run, plot, weft_physics_text("%u link%s", systems[s].links, s ? "s" : ""),
                       FRAMES + 1, time, drift);
  }
}

static void pendulums(weft_physics_run *run) {
  static path exact[SYSTEMS], tracks[RUNS][SYSTEMS];
  weft_model *model = weft_hung_model(run, systems, SYSTEMS);
  solve_paths(exact);
  for (int k = 0; k < RUNS; ++k) swing(run, model, (uint32_t)counts[k], tracks[k]);
  for (int s = 0; s < SYSTEMS; ++s) claim_system(run, s, tracks, exact);
  if (weft_physics_is_double(run)) {
    for (int s = 0; s < SYSTEMS; ++s) claim_finest(run, s, tracks, exact);
    for (int s = 0; s < SYSTEMS; ++s) claim_orders(run, s, tracks, exact);
  }
  for (int s = 0; s < SYSTEMS; ++s) note_system(run, s, tracks, exact);
  plot_errors(run, tracks, exact);
  for (int s = 1; s < 3; ++s) plot_path(run, s, tracks, exact);
  plot_energy(run, tracks);
  weft_model_destroy(model);
}

const weft_physics_case weft_case_pendulum = {
    "pendulum", "Pendulums of 1, 2, 3 and 8 hard links follow Lagrange's equations",
    "Four pendulums, each 1 m long, with unequal masses and links, are released from rest and "
    "watched for 3 s beside Lagrange's equations, integrated in double precision with the step "
    "halved until nothing changes. The distance shrinks with the substep until, in floats, "
    "rounding takes over: each substep rounds positions, and velocities by that over dt. Chaos "
    "then tears any two solutions apart, so later times are reported without a claim.",
    pendulums};
