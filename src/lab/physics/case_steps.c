/* case_steps.c: more and shorter substeps come nearer to theory, in pairs of floats as in doubles.
 *
 * The method is of first order: with twice as many substeps the distance from theory halves. In
 * single floats it does not, since each substep rounds positions, and velocities by that over dt.
 */
#include <math.h>
#include <string.h>

#include "analytic.h"
#include "cases.h"
#include "hung.h"
#include "orders.h"
#include "steps_lines.h"

enum {
  SYSTEMS = WEFT_HUNG_SYSTEMS,
  MAX_LINKS = WEFT_HUNG_LINKS,
  FRAMES = 30,
  RUNS = WEFT_ORDER_RUNS,
  CHAIN = 24,
  ITERATIONS = 4
};
static const double frame_dt = (double)(1.0f / 60.0f);

static const weft_hung *const systems = weft_hung_systems;

/* ---- theory ---- */

typedef struct path {
  double x[FRAMES + 1][MAX_LINKS], y[FRAMES + 1][MAX_LINKS];
} path;

static void solve(path *paths) {
  for (int s = 0; s < SYSTEMS; ++s) {
    weft_pendulum p = weft_hung_start(&systems[s]);
    for (int f = 0; f <= FRAMES; ++f) {
      if (f) weft_pendulum_advance(&p, frame_dt, 1e-12);
      weft_pendulum_positions(&p, paths[s].x[f], paths[s].y[f]);
    }
  }
}

/* ---- runs: all systems in one model, side by side ---- */

/* The largest distance of a mass of each system from theory, at the ends of frames, and the force
 * of the bead's wire at the last. */
static void swing(weft_physics_run *run, const weft_model *model, const weft_params *params,
                  const path *exact, double *far, double *force) {
  weft_rig rig;
  weft_rig_open(run, model, params, &rig);
  for (int s = 0; s < SYSTEMS; ++s) far[s] = 0;
  for (int f = 1; f <= FRAMES && weft_physics_ok(run); ++f) {
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    uint32_t particle = 0;
    for (int s = 0; s < SYSTEMS; ++s) {
      ++particle;
      for (uint32_t i = 0; i < systems[s].links; ++i, ++particle) {
        weft_vec3d x = weft_rig_at(&rig, particle);
        far[s] = fmax(far[s], hypot(x.x - exact[s].x[f][i], x.y - exact[s].y[f][i]));
      }
    }
  }
  float newtons[SYSTEMS * MAX_LINKS] = {0};
  if (weft_physics_ok(run)) weft_solver_link_forces(rig.solver, newtons, &run->err);
  *force = (double)newtons[0];
  weft_rig_close(&rig);
}

/* A hard chain that hangs: how far its end has come in half a second. It should not move. */
static double sag(weft_physics_run *run, const weft_params *params) {
  float lengths[CHAIN], masses[CHAIN];
  for (int k = 0; k < CHAIN; ++k) {
    lengths[k] = 0.075f;
    masses[k] = 1;
  }
  const double down[3] = {0, -1, 0};
  weft_model *model = weft_physics_chain(run, CHAIN, lengths, masses, 0, down);
  weft_rig rig;
  weft_params often = *params;
  often.iterations = ITERATIONS;
  weft_rig_open(run, model, &often, &rig);
  double start = weft_physics_ok(run) ? rig.x[3 * CHAIN + 1] : 0;
  weft_rig_step(&rig, FRAMES);
  weft_rig_read(&rig);
  double moved = weft_physics_ok(run) ? fabs(rig.x[3 * CHAIN + 1] - start) : 0;
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return moved;
}

/* ---- the case ---- */

typedef struct distances {
  double far[SYSTEMS][RUNS], force[RUNS], sag[RUNS];
} distances;

static void measure(weft_physics_run *run, const path *exact, bool compensated, distances *d) {
  weft_model *model = weft_hung_model(run, systems, SYSTEMS);
  for (int k = 0; k < RUNS; ++k) {
    double far[SYSTEMS];
    weft_params params =
        weft_order_params(run, &(weft_params){.keep_multipliers = true}, k, compensated);
    swing(run, model, &params, exact, far, &d->force[k]);
    for (int s = 0; s < SYSTEMS; ++s) d->far[s][k] = far[s];
    d->sag[k] = sag(run, &params);
  }
  weft_model_destroy(model);
}

static void plot(weft_physics_run *run, const distances *d, const char *kind) {
  for (int s = 0; s <= SYSTEMS; ++s) {
    const char *name = s < SYSTEMS ? systems[s].name : "hanging chain";
    uint32_t at = weft_physics_plot(
        run, &(weft_physics_axes){weft_physics_text("Max distance from theory in 0.5 s: %s", name),
                                  "substeps per frame", "distance (m)", true, true, false});
    weft_physics_curve(run, at, kind, RUNS, weft_order_counts, s < SYSTEMS ? d->far[s] : d->sag);
  }
}

static void steps(weft_physics_run *run) {
  static path exact[SYSTEMS];
  static distances here, doubles, singles;
  weft_steps_of_lines(run);
  solve(exact);
  measure(run, exact, true, &here);
  bool is_double = weft_physics_is_double(run);
  if (is_double) {
    for (int s = 0; s < SYSTEMS; ++s) weft_order_claim_first(run, systems[s].name, here.far[s]);
    plot(run, &here, "doubles");
    return;
  }
  weft_physics_run f64 = weft_order_in_doubles(run);
  measure(&f64, exact, false, &doubles);
  weft_order_join(run, &f64);
  for (int s = 0; s < SYSTEMS; ++s) {
    weft_order_claim_near(run, systems[s].name, here.far[s], doubles.far[s]);
    weft_order_claim_first(run, systems[s].name, here.far[s]);
  }
  weft_order_claim_near(run, "hanging chain", here.sag, doubles.sag);
  for (int k = 0; k < RUNS; ++k) {
    weft_physics_expect(
        run, weft_physics_text("force of the wire, %.0f substeps", weft_order_counts[k]), "N",
        here.force[k], doubles.force[k], 1e-4, "the same substeps in double precision",
        "a multiplier is a force times dt^2, so a length is wanted to 48 bits");
  }
  plot(run, &here, "pairs of floats");
  if (run->place == WEFT_PHYSICS_GL) return; /* the same, and said so above */
  measure(run, exact, false, &singles);
  plot(run, &singles, "single floats");
  for (int s = 0; s < SYSTEMS; ++s) {
    weft_physics_note(run, weft_physics_text("%s, 1000 substeps, single floats", systems[s].name),
                      "m", singles.far[s][RUNS - 1], "no claim: what pairs are for");
  }
}

const weft_physics_case weft_case_steps = {
    "steps", "Shorter substeps come nearer to theory, up to 1,000 a frame",
    "A bead on a wire, pendulums of 1, 2, 3 and 8 links, a rope of 16 and a hard chain of 24 links "
    "that only hangs, for half a second with 20 to 1,000 substeps a frame; and a chain between two "
    "points, a second after it was laid out as its statics say. With positions and velocities as "
    "pairs of floats (compensated) the distance from theory falls with the substep as it does in "
    "doubles. Single floats part from that line where rounding of positions, divided by the "
    "substep, is more than the method's own error.",
    steps};
