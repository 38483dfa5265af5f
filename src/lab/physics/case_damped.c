/* case_damped.c: bending that is damped. Let go along its own mode, a hinge of compliance alpha and
 * damping beta is an oscillator, and a substep of XPBD a step of implicit Euler of it: the angle is
 * Re(c z^n) with z = 1/(1 - dt mu) and mu^2 + alpha beta w^2 mu + w^2 = 0, since the force of eq.
 * 26 (Macklin et al. 2016) is -(C + alpha beta dC/dt)/alpha. */
#include <complex.h>
#include <math.h>

#include "cases.h"
#include "orders.h"

/* Three of a kind, the plane of each turned by a quarter: one swings along z, one along x, one
 * along y. */
enum { COPIES = 3, FRAMES = 60 };
static const double frame_dt = (double)(1.0f / 60.0f);
static const double start = 3e-4;    /* rad */
static const double decay = 2;       /* 1/s */
static const float rigidity = 1e-3f; /* N m, a thousand times cloth: it must swing in a second */

/* x0 and x1 opposite, x2 x3 the edge, which runs along the first axis. */
static const float along[4] = {0.03f, 0.08f, 0, 0.1f}, aside[4] = {0.08f, -0.07f, 0, 0};

/* How the angle grows as each particle leaves the plane: 1/h for the opposite ones, and for the
 * edge's ends minus their shares of those. */
static void leave_plane(double *g) {
  double edge = (double)along[3], h0 = (double)aside[0], h1 = -(double)aside[1];
  double t0 = (double)along[0] / edge, t1 = (double)along[1] / edge;
  g[0] = 1 / h0;
  g[1] = 1 / h1;
  g[2] = -((1 - t0) / h0 + (1 - t1) / h1);
  g[3] = -(t0 / h0 + t1 / h1);
}

static weft_vec3 place(int copy, float a, float b, float out) {
  weft_vec3 turns[COPIES] = {{a, b, out}, {out, a, b}, {b, out, a}};
  return turns[copy];
}

typedef struct hinges {
  const char *name;
  weft_bending bending;
  bool cloth;
} hinges;

static const hinges kinds[] = {{"hinge of particles", WEFT_BENDING_DIHEDRAL, false},
                               {"cloth, dihedral", WEFT_BENDING_DIHEDRAL, true},
                               {"cloth, isometric", WEFT_BENDING_ISOMETRIC, true}};

static double compliance_of(const hinges *kind) {
  double edge = (double)along[3], heights = (double)aside[0] - (double)aside[1];
  return kind->cloth ? 0.5 * edge * heights / ((double)rigidity * edge * edge) : 0.5;
}

/* `time` is damping over stiffness, alpha beta, in seconds. */
static weft_model *hang(weft_physics_run *run, const hinges *kind, double time) {
  static const float masses[4] = {0.25f, 0.5f, 1, 2};
  weft_vec3 positions[4 * COPIES];
  float all_masses[4 * COPIES];
  uint32_t triangles[6 * COPIES];
  weft_hinge joints[COPIES];
  for (uint32_t k = 0; k < COPIES; ++k) {
    const uint32_t first = 4 * k, corners[] = {0, 2, 3, 1, 3, 2};
    for (uint32_t i = 0; i < 4; ++i) {
      positions[first + i] = place((int)k, along[i], aside[i], 0);
      all_masses[first + i] = masses[i];
    }
    for (uint32_t i = 0; i < 6; ++i) triangles[6 * k + i] = first + corners[i];
    joints[k] = (weft_hinge){.particles = {first, first + 1, first + 2, first + 3},
                             .compliance = (float)compliance_of(kind),
                             .damping = (float)(time / compliance_of(kind))};
  }
  if (!kind->cloth) {
    return weft_physics_particles(run, &(weft_particles_desc){.particle_count = 4 * COPIES,
                                                              .positions = positions,
                                                              .masses = all_masses,
                                                              .hinges = joints,
                                                              .hinge_count = COPIES});
  }
  weft_mesh mesh = {.vertex_count = 4 * COPIES,
                    .triangle_count = 2 * COPIES,
                    .positions = positions,
                    .triangles = triangles};
  weft_material material = {.name = "only bending",
                            .area_density = 0.2f,
                            .bending = rigidity,
                            .damping_time = (float)time};
  weft_model_desc desc = {.mesh = &mesh, .material = &material, .bending = kind->bending};
  weft_model *model = NULL;
  if (weft_physics_ok(run)) weft_model_create(&desc, &model, &run->err);
  return model;
}

/* Masses of a kind: of particles as given, of cloth a third of each triangle. */
static void weigh(const hinges *kind, double *w) {
  static const double masses[4] = {0.25, 0.5, 1, 2};
  double edge = (double)along[3], density = (double)0.2f;
  double third[2] = {density * edge * (double)aside[0] / 6, -density * edge * (double)aside[1] / 6};
  for (int i = 0; i < 4; ++i) {
    double mass = kind->cloth ? (i < 2 ? third[i] : third[0] + third[1]) : masses[i];
    w[i] = 1 / mass;
  }
}

/* After n substeps of dt, or exactly after n seconds for dt 0. */
static double theory(double stiffness, double time, double dt, double n) {
  double slow = 0.5 * time * stiffness;
  double turn = sqrt(stiffness - slow * slow);
  double complex mu = -slow + I * turn, grown = dt > 0 ? cpow(1 / (1 - dt * mu), n) : cexp(mu * n);
  return creal(start * (1 - I * slow / turn) * grown);
}

typedef struct fading {
  double stiffness, time;
  double angles[COPIES][FRAMES], seconds[FRAMES];
} fading;

static void record(weft_physics_run *run, const hinges *kind, const weft_params *params,
                   fading *f) {
  double g[4], w[4], weight = 0;
  leave_plane(g);
  weigh(kind, w);
  for (int i = 0; i < 4; ++i) weight += w[i] * g[i] * g[i];
  f->stiffness = weight / compliance_of(kind);
  f->time = (double)(float)(2 * decay / f->stiffness);
  weft_model *model = hang(run, kind, f->time);
  weft_vec3 bent[4 * COPIES];
  for (int k = 0; k < 4 * COPIES; ++k) {
    int i = k % 4;
    bent[k] = place(k / 4, along[i], aside[i], (float)(start / weight * w[i] * g[i]));
  }
  weft_rig rig;
  weft_rig_open(run, model, params, &rig);
  weft_rig_write(&rig, bent, NULL);
  for (int n = 0; n < FRAMES && weft_physics_ok(run); ++n) {
    static const int out[COPIES] = {2, 0, 1};
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    f->seconds[n] = (n + 1) * frame_dt;
    for (int k = 0; k < COPIES; ++k) {
      f->angles[k][n] = 0;
      for (int i = 0; i < 4; ++i) f->angles[k][n] += g[i] * rig.x[3 * (4 * k + i) + out[k]];
    }
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

/* From what substeps of dt make of it, or from the exact swing for dt 0. */
static double farthest(const fading *f, double dt) {
  double max = 0;
  for (int n = 0; n < FRAMES; ++n) {
    double steps = dt > 0 ? (n + 1) * frame_dt / dt : f->seconds[n];
    double exact = theory(f->stiffness, f->time, dt, steps);
    for (int k = 0; k < COPIES; ++k) max = fmax(max, fabs(f->angles[k][n] - exact));
  }
  return max;
}

static void claim_fading(weft_physics_run *run, const hinges *kind, uint32_t substeps,
                         uint32_t iterations) {
  static fading f;
  record(run, kind,
         &(weft_params){.no_gravity = true, .substeps = substeps, .iterations = iterations}, &f);
  weft_physics_expect(
      run, weft_physics_text("%s, %u substeps, n = %u", kind->name, substeps, iterations), "rad",
      farthest(&f, frame_dt / substeps), 0, 1e-4 * start,
      "Re(c z^n), z = 1/(1 - dt mu), mu^2 + alpha beta w^2 mu + w^2 = 0, w^2 = sum w_i g_i^2/alpha "
      "with the heights' gradients: the angle over a second, farthest of three planes",
      "0.01 % of the amplitude: rounding of angles this small, and the square of the angle; a "
      "damping wrong by 2 % is off by 0.7 %");
  if (weft_physics_ok(run) && substeps > 2 && iterations == 1 && !weft_physics_is_double(run)) {
    uint32_t plot = weft_physics_plot(
        run, &(weft_physics_axes){"Two triangles swinging about flat, damped", "time (s)",
                                  "angle (rad)", false, false, false});
    weft_physics_curve(run, plot, kind->name, FRAMES, f.seconds, f.angles[0]);
  }
}

static double off_swing(weft_physics_run *run, const weft_params *params, const void *user) {
  static fading f;
  record(run, user, params, &f);
  return weft_physics_ok(run) ? farthest(&f, 0) : NAN;
}

static void damped(weft_physics_run *run) {
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    claim_fading(run, &kinds[k], 20, 1);
    claim_fading(run, &kinds[k], 20, 3);
    claim_fading(run, &kinds[k], 2, 1); /* where damping weighs in the denominator */
  }
  weft_order_run(run,
                 &(weft_order){.name = "isometric cloth",
                               .measure = off_swing,
                               .user = &kinds[2],
                               .params = {.no_gravity = true},
                               .title = "Max error of the angle of damped isometric cloth in 1 s",
                               .axis = "error (rad)"});
}

const weft_physics_case weft_case_damped = {
    "damped", "Damped bending fades as its damping says: hinges, dihedral and isometric cloth",
    "Two unequal triangles swing about flat and lose e^-2 of their angle in a second, in planes "
    "across x, y and z. An angle this small swings as a linear oscillator, of which a substep is a "
    "step of implicit Euler, damping included, at any number of iterations.",
    damped};
