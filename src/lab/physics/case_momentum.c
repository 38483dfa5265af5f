/* case_momentum.c: what no force inside cloth may change. */
#include <math.h>
#include <string.h>

#include "base.h"
#include "cases.h"
#include "orders.h"

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
    if (weft_pass_arity(pass->kind) == 0) continue;
    weft_rig_read(rig);
    memcpy(before, rig->x, bytes);
    rig->run->backend->run(solver->instance, pass, 0);
    if (pass->variant & WEFT_VARIANT_JACOBI) {
      rig->run->backend->run(solver->instance, &solver->passes.items[k + 1], 0);
    }
    weft_rig_read(rig);
    weft_momenta moved = {0};
    for (uint32_t i = 0; i < rig->count; ++i) {
      weft_vec3d x = weft_v3d_at(before + 3 * (size_t)i);
      weft_momenta_add(&moved, 1 / (double)rig->model->inverse_masses[i], x,
                       weft_v3d_sub(weft_rig_at(rig, i), x));
    }
    *linear = fmax(*linear, weft_v3d_length(moved.linear) / moved.size);
    *angular = fmax(*angular, weft_v3d_length(moved.angular) / moved.size);
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
      weft_physics_expect(
          run, weft_physics_text("linear, %s, %s", bendings[b], weft_mode_name((weft_mode)m)), "",
          linear, 0, allowed, source, why);
      weft_physics_expect(
          run, weft_physics_text("angular, %s, %s", bendings[b], weft_mode_name((weft_mode)m)), "m",
          angular, 0, allowed, source, why);
      weft_rig_close(&rig);
      weft_free(x);
    }
    weft_model_destroy(model);
  }
}

/* ---- global damping: particles with nothing between them ---- */

enum { CLOUD = 40 };

typedef struct motion {
  weft_momenta of_all;
  double energy; /* J, of what is not rigid motion of the whole */
} motion;

/* Solves a x = b, the columns of a given, by Cramer's rule. */
static weft_vec3d solve3(const weft_vec3d a[3], weft_vec3d b) {
  weft_vec3d across = weft_v3d_cross(a[1], a[2]);
  weft_vec3d x = {weft_v3d_dot(b, across), weft_v3d_dot(a[0], weft_v3d_cross(b, a[2])),
                  weft_v3d_dot(a[0], weft_v3d_cross(a[1], b))};
  return weft_v3d_scale(x, 1 / weft_v3d_dot(a[0], across));
}

/* Columns of m (r^2 1 - r r^T). */
static void add_inertia(double m, weft_vec3d r, weft_vec3d columns[3]) {
  double r2 = weft_v3d_dot(r, r);
  weft_vec3d x = {r2, 0, 0}, y = {0, r2, 0}, z = {0, 0, r2};
  columns[0] = weft_v3d_add_scaled(columns[0], m, weft_v3d_add_scaled(x, -r.x, r));
  columns[1] = weft_v3d_add_scaled(columns[1], m, weft_v3d_add_scaled(y, -r.y, r));
  columns[2] = weft_v3d_add_scaled(columns[2], m, weft_v3d_add_scaled(z, -r.z, r));
}

static motion motion_of(const double *x, const double *v, const double *masses) {
  motion m = {0};
  double total = 0;
  weft_vec3d centre = {0, 0, 0}, inertia[3] = {{0, 0, 0}};
  for (int i = 0; i < CLOUD; ++i) {
    total += masses[i];
    centre = weft_v3d_add_scaled(centre, masses[i], weft_v3d_at(x + 3 * i));
    weft_momenta_add(&m.of_all, masses[i], weft_v3d_at(x + 3 * i), weft_v3d_at(v + 3 * i));
  }
  centre = weft_v3d_scale(centre, 1 / total);
  for (int i = 0; i < CLOUD; ++i) {
    add_inertia(masses[i], weft_v3d_sub(weft_v3d_at(x + 3 * i), centre), inertia);
  }
  weft_vec3d drift = weft_v3d_scale(m.of_all.linear, 1 / total);
  weft_vec3d about_centre = weft_v3d_sub(m.of_all.angular, weft_v3d_cross(centre, m.of_all.linear));
  weft_vec3d spin = solve3(inertia, about_centre);
  for (int i = 0; i < CLOUD; ++i) {
    weft_vec3d r = weft_v3d_sub(weft_v3d_at(x + 3 * i), centre);
    weft_vec3d rigid = weft_v3d_add(drift, weft_v3d_cross(spin, r));
    weft_vec3d other = weft_v3d_sub(weft_v3d_at(v + 3 * i), rigid);
    m.energy += 0.5 * masses[i] * weft_v3d_dot(other, other);
  }
  return m;
}

static double change(weft_vec3d a, weft_vec3d b) {
  return weft_v3d_distance(a, b) / weft_v3d_length(b);
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
    weft_physics_expect(run, "global damping: linear", "",
                        change(after.of_all.linear, before.of_all.linear), 0, allowed, source, why);
    weft_physics_expect(run, "global damping: angular", "",
                        change(after.of_all.angular, before.of_all.angular), 0, allowed, source,
                        why);
    weft_physics_expect(run, "global damping: other energy", "", after.energy / before.energy,
                        exp(-2 * rate * dt), weft_physics_is_double(run) ? 1e-7 : 2e-6,
                        "exp(-2 rate dt): what is not rigid motion decays by 1 - k = exp(-rate dt)",
                        "rounding of k to a float and of the velocities");
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

/* ---- a free sheet over frames ---- */

static weft_momenta momenta_of(const weft_rig *rig) {
  weft_momenta sums = {0};
  for (uint32_t i = 0; i < rig->count && rig->model; ++i) {
    weft_momenta_add(&sums, (double)rig->model->masses[i], weft_rig_at(rig, i),
                     weft_v3d_at(rig->v + 3 * (size_t)i));
  }
  return sums;
}

/* What a spinning sheet loses of its angular momentum. */
static double lost_spin(weft_physics_run *run, const weft_params *params, const void *user) {
  static const weft_grid_desc grid = {.rows = 5, .columns = 5, .width = 0.5f, .height = 0.5f};
  weft_model *model =
      weft_physics_sheet(run, &grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  weft_vec3 v[25] = {{0}};
  weft_rig rig;
  (void)user;
  weft_rig_open(run, model, params, &rig);
  for (uint32_t i = 0; i < rig.count && model; ++i) {
    weft_vec3 p = model->rest_positions[i];
    v[i] = weft_v3(-2 * p.y, 2 * p.x, 0);
  }
  weft_rig_write(&rig, NULL, v);
  weft_momenta before = momenta_of(&rig);
  weft_rig_step(&rig, 15);
  weft_rig_read(&rig);
  weft_momenta after = momenta_of(&rig);
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return change(after.angular, before.angular);
}

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
  weft_momenta before = momenta_of(&rig);
  weft_rig_step(&rig, 30);
  weft_rig_read(&rig);
  weft_momenta after = momenta_of(&rig);
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
  weft_order_run(run,
                 &(weft_order){.name = "spinning sheet",
                               .measure = lost_spin,
                               .params = {.no_gravity = true},
                               .title = "Angular momentum that a spinning sheet loses in 0.25 s",
                               .axis = "part lost"});
}

const weft_physics_case weft_case_momentum = {
    "momentum", "Linear and angular momentum are kept by every projection and by global damping",
    "Each batch of a crumpled free sheet is projected alone, in each mode and with each bending. "
    "Global damping acts for one substep on 40 free particles of different mass. A spinning sheet "
    "flies for 30 frames.",
    momentum};
