/* case_chain.c: chains of links hanging from one end. */
#include <math.h>

#include "analytic.h"
#include "cases.h"

enum { MOST = 32 };

static weft_model *hanging(weft_physics_run *run, uint32_t links, float length, float mass,
                           float compliance) {
  static const double down[3] = {0, -1, 0};
  float lengths[MOST], masses[MOST];
  for (uint32_t i = 0; i < links; ++i) {
    lengths[i] = length;
    masses[i] = mass;
  }
  return weft_physics_chain(run, links, lengths, masses, compliance, down);
}

static double tip_stretch(weft_physics_run *run, const weft_model *model, const weft_params *params,
                          uint32_t frames, uint32_t links, float length) {
  weft_rig rig;
  weft_rig_open(run, model, params, &rig);
  weft_rig_step(&rig, frames);
  weft_rig_read(&rig);
  double stretch = weft_physics_ok(run) ? -rig.x[3 * links + 1] - links * (double)length : NAN;
  weft_rig_close(&rig);
  return stretch;
}

/* ---- XPBD section 6.2 ---- */

static void top_force(weft_physics_run *run) {
  enum { LINKS = 20 };
  static const struct {
    uint32_t iterations, frames;
    double error;
  } cases[] = {{50, 60, 0.06}, {100, 40, 0.02}, {1000, 6, 0.005}};
  weft_model *model = hanging(run, LINKS, 0.05f, 1, 1e-8f);
  double counts[3], error[3], published[3];
  for (int k = 0; k < 3; ++k) {
    float newtons[LINKS] = {0};
    const double damping = 4;
    weft_params params = {.substeps = 1,
                          .iterations = cases[k].iterations,
                          .damping = (float)damping,
                          .keep_multipliers = true};
    weft_rig rig;
    weft_rig_open(run, model, &params, &rig);
    weft_rig_step(&rig, cases[k].frames);
    if (weft_physics_ok(run)) weft_solver_link_forces(rig.solver, newtons, &run->err);
    double weight = LINKS * WEFT_PHYSICS_G * exp(-damping * (double)(1.0f / 60.0f));
    weft_physics_expect(run, weft_physics_text("top force, %u iterations", cases[k].iterations),
                        "N", (double)newtons[0], weight, cases[k].error * weight,
                        "the weight of 20 kg, less what damping at 4/s takes of a step's gravity",
                        "6, 2 and 0.5 %: the errors at 50, 100 and 1000 iterations in Macklin "
                        "2016, section 6.2");
    counts[k] = cases[k].iterations;
    error[k] = fabs((double)newtons[0] / weight - 1);
    published[k] = cases[k].error;
    weft_rig_close(&rig);
  }
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"Error of the force at the top of a stiff chain", "iterations",
                                "relative error", true, true, false});
  weft_physics_theory(run, plot, "Macklin 2016", 3, counts, published);
  weft_physics_curve(run, plot, "measured", 3, counts, error);
  weft_model_destroy(model);
}

/* ---- an elastic chain ---- */

static void elastic_tip(weft_physics_run *run) {
  const uint32_t links = 10;
  const double alpha = (double)1e-3f, mass = (double)0.1f, damping = 20, dt = 1.0 / 1200;
  weft_model *model = hanging(run, links, 0.1f, (float)mass, (float)alpha);
  weft_params params = {.damping = (float)damping, .iterations = 2};
  double stretch = tip_stretch(run, model, &params, 100, links, 0.1f);
  double g = WEFT_PHYSICS_G * exp(-damping * dt), n = links;
  double expected = alpha * mass * g * n * (n + 1) / 2;
  weft_physics_expect(run, "tip of an elastic chain", "m", stretch, expected,
                      n * (n / 2 + 1) * g * dt * dt / 2 + 0.002 * expected,
                      "alpha m g N(N+1)/2, less what damping at 20/s takes of a step's gravity",
                      "what two sweeps leave, N(N/2+1) g dt^2/2, and 0.2 % for coming to rest");
  weft_model_destroy(model);
}

/* ---- what one sweep leaves of a hard chain's stretch ---- */

/* One substep adds G = g dt^2 of stretch to the first link, and each projection hands half of a
 * link's to each neighbour (the pin takes none, so the first link hands on all). Odd links first:
 * at rest link j, odd, has 2G(N - j) when its turn comes and the even ones nothing after theirs;
 * the sum is G N^2/2. Even links first: 2G(N - i), and the sum after the sweep is G(N(N/2 + 1) -
 * 1). */
static double sweep_sum(const weft_model *model, double n) {
  bool even_first = model && model->groups[0].particles[0] % 2 == 0;
  return even_first ? n * (n / 2 + 1) - 1 : n * n / 2;
}

static void sweep_law(weft_physics_run *run) {
  enum { LINKS = 20, RUNS = 3 };
  static const double counts[RUNS] = {10, 20, 40};
  const double damping = 16;
  weft_model *model = hanging(run, LINKS, 0.05f, 0.05f, 0);
  double stretch[RUNS], law[RUNS];
  for (int k = 0; k < RUNS; ++k) {
    weft_params params = {.damping = (float)damping, .substeps = (uint32_t)counts[k]};
    double dt = (double)(1.0f / 60.0f) / counts[k];
    stretch[k] = tip_stretch(run, model, &params, 70, LINKS, 0.05f);
    law[k] = WEFT_PHYSICS_G * exp(-damping * dt) * dt * dt * sweep_sum(model, LINKS);
    weft_physics_expect(
        run, weft_physics_text("hard chain, %.0f substeps", counts[k]), "m", stretch[k], law[k],
        0.001 * law[k] + (weft_physics_is_double(run) ? 0 : 2 * LINKS * weft_half_ulp(1)),
        "g dt^2 N^2/2 for N links, every other one projected first, once a substep: derived by "
        "balancing a sweep",
        "0.1 % for coming to rest; rounding, half an ulp of 1 m at both ends of a link");
  }
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"What one sweep leaves of a hard chain's stretch",
                                "substeps per frame", "stretch of 1 m (m)", true, true, false});
  weft_physics_theory(run, plot, "g dt^2 N^2/2", RUNS, counts, law);
  weft_physics_curve(run, plot, "measured", RUNS, counts, stretch);
  weft_model_destroy(model);
}

static void chain(weft_physics_run *run) {
  top_force(run);
  elastic_tip(run);
  sweep_law(run);
}

const weft_physics_case weft_case_chain = {
    "chain", "Hanging chains: force at the top, stretch of the tip, what a sweep leaves",
    "A chain of 20 links of 1 kg and compliance 1e-8 m/N in one step a frame (Macklin 2016, "
    "section "
    "6.2): the multiplier of the top link over dt^2 is the force on the pin. An elastic chain of "
    "10 "
    "links, hung until it is still. A hard chain of 20 links in one sweep a substep.",
    chain};
