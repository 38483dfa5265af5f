/* case_momentum.c: what no force inside cloth may change. */
#include <math.h>
#include <string.h>

#include "base.h"
#include "cases.h"

typedef struct sums {
  double linear[3], angular[3], size; /* size: sum of m |d|, what could have been moved */
} sums;

static void add(sums *s, double mass, const double *at, const double *d) {
  for (int a = 0; a < 3; ++a) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    s->linear[a] += mass * d[a];
    s->angular[a] += mass * (at[b] * d[c] - at[c] * d[b]);
  }
  s->size += mass * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double length(const double *v) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* ---- each projection alone ---- */

static void crumple(const weft_model *model, weft_rng *rng, float by, weft_vec3 *x) {
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    weft_vec3 p = model->rest_positions[i];
    x[i] = weft_v3(p.x + weft_rng_float(rng, -by, by), p.y + weft_rng_float(rng, -by, by),
                   p.z + weft_rng_float(rng, -by, by));
  }
}

/* The largest part of what a batch moved that did not cancel, over all batches. */
static void check_batches(weft_rig *rig, double *linear, double *angular) {
  weft_solver *solver = rig->solver;
  size_t bytes = 3 * (size_t)rig->count * sizeof(double);
  double *before = weft_alloc(bytes, 1);
  for (size_t k = 0; k < solver->passes.count && weft_physics_ok(rig->run); ++k) {
    const weft_pass *pass = &solver->passes.items[k];
    if (weft_pass_infos[pass->kind].arity == 0) continue;
    weft_rig_read(rig);
    memcpy(before, rig->x, bytes);
    rig->run->backend->run(solver->instance, pass, 0);
    if (pass->variant & WEFT_VARIANT_JACOBI) {
      rig->run->backend->run(solver->instance, &solver->passes.items[k + 1], 0);
    }
    weft_rig_read(rig);
    sums s = {{0}, {0}, 0};
    for (uint32_t i = 0; i < rig->count; ++i) {
      double d[3];
      for (uint32_t a = 0; a < 3; ++a) d[a] = rig->x[3 * i + a] - before[3 * i + a];
      add(&s, 1 / (double)rig->model->inverse_masses[i], &before[3 * i], d);
    }
    *linear = fmax(*linear, length(s.linear) / s.size);
    *angular = fmax(*angular, length(s.angular) / s.size);
  }
  weft_free(before);
}

static void claim_projections(weft_physics_run *run) {
  static const char *const bendings[] = {"isometric", "dihedral", "across"};
  static const weft_grid_desc grid = {.rows = 12, .columns = 15, .width = 0.6f, .height = 0.5f};
  weft_rng rng = weft_rng_seed(11);
  for (int b = 0; b < 3; ++b) {
    weft_model *model =
        weft_physics_sheet(run, &grid, "tshirt", (weft_bending)b, false, WEFT_PIN_NONE);
    for (int m = 0; m < 3 && model; ++m) {
      weft_params params = {.no_gravity = true, .substeps = 1, .mode = (weft_mode)m};
      weft_vec3 *x = weft_alloc(model->particle_count, sizeof *x);
      double linear = 0, angular = 0;
      weft_rig rig;
      weft_rig_open(run, model, &params, &rig);
      crumple(model, &rng, 0.01f, x);
      weft_rig_write(&rig, x, NULL);
      if (weft_physics_ok(run)) weft_solver_begin_frame(rig.solver);
      check_batches(&rig, &linear, &angular);
      static const char source[] =
          "0: the corrections of a constraint cancel, and so do their "
          "moments; the worst batch, as a part of sum m |d|";
      static const char why[] =
          "rounding: half an ulp of 0.3 m at each particle against moves of "
          "1e-5 to 1e-2 m, in no common direction; 1e-12 in double";
      double allowed = weft_physics_is_double(run) ? 1e-12 : 1e-4;
      weft_physics_expect(run, weft_physics_text("linear, %s, %s", bendings[b], weft_mode_names[m]),
                          "", linear, 0, allowed, source, why);
      weft_physics_expect(run,
                          weft_physics_text("angular, %s, %s", bendings[b], weft_mode_names[m]),
                          "m", angular, 0, allowed, source, why);
      weft_rig_close(&rig);
      weft_free(x);
    }
    weft_model_destroy(model);
  }
}

/* ---- global damping: particles with nothing between them ---- */

enum { CLOUD = 40 };

typedef struct motion {
  double linear[3], angular[3]; /* kg m/s; kg m^2/s about the origin */
  double energy;                /* J, of what is not rigid motion of the whole */
} motion;

/* Solves the 3 x 3 system by Cramer's rule. */
static void solve3(double (*a)[3], const double *b, double *x) {
  double det = 0;
  for (int k = 0; k < 3; ++k) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    det += a[0][k] * (a[1][i] * a[2][j] - a[1][j] * a[2][i]);
  }
  for (int k = 0; k < 3; ++k) {
    double m[3][3];
    memcpy(m, a, sizeof m);
    for (int r = 0; r < 3; ++r) m[r][k] = b[r];
    double d = 0;
    for (int c = 0; c < 3; ++c) {
      int i = (c + 1) % 3, j = (c + 2) % 3;
      d += m[0][c] * (m[1][i] * m[2][j] - m[1][j] * m[2][i]);
    }
    x[k] = d / det;
  }
}

static motion motion_of(const double *x, const double *v, const double *masses) {
  double total = 0, centre[3] = {0}, spin[3] = {0}, inertia[3][3] = {{0}}, turn[3];
  motion m = {{0}, {0}, 0};
  for (int i = 0; i < CLOUD; ++i) {
    total += masses[i];
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      centre[a] += masses[i] * x[3 * i + a];
      m.linear[a] += masses[i] * v[3 * i + a];
      m.angular[a] += masses[i] * (x[3 * i + b] * v[3 * i + c] - x[3 * i + c] * v[3 * i + b]);
    }
  }
  for (int a = 0; a < 3; ++a) centre[a] /= total;
  for (int a = 0; a < 3; ++a) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    spin[a] = m.angular[a] - (centre[b] * m.linear[c] - centre[c] * m.linear[b]);
  }
  for (int i = 0; i < CLOUD; ++i) {
    double r[3], r2 = 0;
    for (int a = 0; a < 3; ++a) r[a] = x[3 * i + a] - centre[a];
    for (int a = 0; a < 3; ++a) r2 += r[a] * r[a];
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        inertia[a][b] += masses[i] * ((a == b ? r2 : 0) - r[a] * r[b]);
      }
    }
  }
  solve3(inertia, spin, turn);
  for (int i = 0; i < CLOUD; ++i) {
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      double rigid = m.linear[a] / total + turn[b] * (x[3 * i + c] - centre[c]) -
                     turn[c] * (x[3 * i + b] - centre[b]);
      m.energy += 0.5 * masses[i] * (v[3 * i + a] - rigid) * (v[3 * i + a] - rigid);
    }
  }
  return m;
}

static double change(const double *a, const double *b) {
  double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return length(d) / length(b);
}

/* One substep: particles that nothing joins keep the damped velocity as it is. The damping pass
 * acts at the places where the substep begins. */
static void claim_damping(weft_physics_run *run) {
  const double rate = 30, dt = (double)(1.0f / 60.0f);
  weft_vec3 x[CLOUD], v[CLOUD];
  float masses[CLOUD];
  double wide_masses[CLOUD], x0[3 * CLOUD];
  weft_rng rng = weft_rng_seed(5);
  for (int i = 0; i < CLOUD; ++i) {
    x[i] = weft_v3(weft_rng_float(&rng, -1, 1), weft_rng_float(&rng, -0.5f, 0.5f),
                   weft_rng_float(&rng, -0.2f, 0.2f));
    v[i] = weft_v3(0.5f - 2 * x[i].y + weft_rng_float(&rng, -1, 1),
                   2 * x[i].x + weft_rng_float(&rng, -1, 1), weft_rng_float(&rng, -1, 1));
    masses[i] = ldexpf(1, (int)(weft_rng_u32(&rng) % 4) - 2);
    wide_masses[i] = (double)masses[i];
  }
  weft_model *model = weft_physics_particles(
      run, &(weft_particles_desc){.particle_count = CLOUD, .positions = x, .masses = masses});
  weft_params params = {.no_gravity = true, .substeps = 1, .global_damping = (float)rate};
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_write(&rig, x, v);
  if (weft_physics_ok(run)) {
    memcpy(x0, rig.x, sizeof x0);
    motion before = motion_of(x0, rig.v, wide_masses);
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    motion after = motion_of(x0, rig.v, wide_masses);
    double allowed = weft_physics_is_double(run) ? 1e-12 : 2e-6;
    static const char source[] =
        "Mueller 2007, section 3.5: v += k(v_cm + w x r - v) keeps both "
        "momenta of 40 free particles";
    static const char why[] =
        "rounding: sums of 40 terms and the inverse of the inertia; 1e-12 in "
        "double";
    weft_physics_expect(run, "global damping: linear", "", change(after.linear, before.linear), 0,
                        allowed, source, why);
    weft_physics_expect(run, "global damping: angular", "", change(after.angular, before.angular),
                        0, allowed, source, why);
    weft_physics_expect(run, "global damping: other energy", "", after.energy / before.energy,
                        exp(-2 * rate * dt), weft_physics_is_double(run) ? 1e-7 : 2e-6,
                        "exp(-2 rate dt): what is not rigid motion decays by 1 - k = exp(-rate dt)",
                        "rounding of k to a float and of the velocities");
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

/* ---- a free sheet over frames ---- */

static void claim_flight(weft_physics_run *run) {
  static const weft_grid_desc grid = {.rows = 12, .columns = 12, .width = 0.5f, .height = 0.5f};
  weft_model *model =
      weft_physics_sheet(run, &grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  weft_rig rig;
  weft_rig_open(run, model, &(weft_params){.no_gravity = true}, &rig);
  weft_vec3 *v = weft_alloc(rig.count, sizeof *v);
  for (uint32_t i = 0; i < rig.count && model; ++i) { /* spinning about z at 2 rad/s, drifting */
    weft_vec3 p = model->rest_positions[i];
    v[i] = weft_v3(0.3f - 2 * p.y, 2 * p.x, 0);
  }
  weft_rig_write(&rig, NULL, v);
  sums before = {{0}, {0}, 0}, after = {{0}, {0}, 0};
  for (uint32_t i = 0; i < rig.count && model; ++i) {
    add(&before, (double)model->masses[i], &rig.x[3 * i], &rig.v[3 * i]);
  }
  weft_rig_step(&rig, 30);
  weft_rig_read(&rig);
  for (uint32_t i = 0; i < rig.count && model; ++i) {
    add(&after, (double)model->masses[i], &rig.x[3 * i], &rig.v[3 * i]);
  }
  bool wide = weft_physics_is_double(run);
  weft_physics_expect(
      run, "free sheet: linear", "", change(after.linear, before.linear), 0, wide ? 1e-12 : 2e-4,
      "0 over 30 frames of 20 substeps",
      "rounding a position by half an ulp of 0.5 m is 2e-5 m/s at this step; over 600 "
      "substeps and 144 particles a walk of 4e-5 m/s beside 0.3; 1e-12 in double");
  weft_physics_expect(
      run, "free sheet: angular", "", change(after.angular, before.angular), 0, 2e-3,
      "0 over 30 frames of 20 substeps",
      "first order: corrections act where the substep ends, 2 rad/s times dt of 8e-4 s "
      "of what stretch and bending do");
  weft_free(v);
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

static void momentum(weft_physics_run *run) {
  claim_projections(run);
  claim_damping(run);
  claim_flight(run);
}

const weft_physics_case weft_case_momentum = {
    "momentum", "Linear and angular momentum are kept by every projection and by global damping",
    "Each batch of a crumpled free sheet is projected alone, in each mode and with each bending. "
    "Global damping acts for one substep on 40 free particles of different mass. A spinning sheet "
    "flies for 30 frames.",
    momentum};
