/* case_air.c: damping, drag and wind on what nothing holds. */
#include <math.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"
#include "orders.h"

enum { FRAMES = 60, SUBSTEPS = 10 };
static const double frame_dt = (double)(1.0f / 60.0f);
static const double air = (double)1.2f, drag = (double)1.2f, density = 0.125;

/* ---- damping ---- */

static void claim_damping(weft_physics_run *run) {
  static const weft_vec3 start = {0, 0, 0}, velocity = {3, 0, 0};
  static const float mass = 1;
  weft_model *model = weft_physics_particles(
      run, &(weft_particles_desc){.particle_count = 1, .positions = &start, .masses = &mass});
  for (uint32_t substeps = 1; substeps <= 100; substeps *= 10) {
    weft_params params = {.substeps = substeps, .no_gravity = true, .damping = 2};
    weft_rig rig;
    weft_rig_open(run, model, &params, &rig);
    weft_rig_write(&rig, NULL, &velocity);
    weft_rig_step(&rig, FRAMES);
    weft_rig_read(&rig);
    double n = FRAMES * substeps, left = exp(-2 * FRAMES * frame_dt);
    weft_physics_expect(run, weft_physics_text("damping 2/s, %u substeps", substeps), "m/s",
                        rig.v[0], 3 * left,
                        weft_physics_is_double(run) ? 1e-12 : 2 * n * weft_half_ulp(1) * 3 * left,
                        "3 exp(-2 t) after a second, at any substep",
                        "rounding: half an ulp of the factor and of the speed a substep");
    weft_rig_close(&rig);
  }
  weft_model_destroy(model);
}

/* ---- drag ---- */

static const weft_vec3 still = {0, 0, 0};

/* A level or upright sheet of triangles that nothing joins: every particle has its share of mass
 * and area alike, so it moves as a plate does. */
static weft_model *plate(weft_physics_run *run, weft_plane plane) {
  weft_grid_desc grid = {.rows = 5, .columns = 5, .plane = plane};
  weft_material dust = {.name = "dust", .area_density = (float)density};
  weft_mesh mesh = {0};
  weft_model *model = NULL;
  if (weft_physics_ok(run) && weft_mesh_grid(&grid, &mesh, &run->err) == WEFT_OK) {
    weft_model_desc desc = {.mesh = &mesh, .material = &dust, .bending = WEFT_BENDING_NONE};
    weft_model_create(&desc, &model, &run->err);
  }
  weft_mesh_free(&mesh);
  return model;
}

/* Speeds along an axis after each frame, of a plate that starts with `velocity`. */
static void record(weft_physics_run *run, weft_plane plane, const weft_params *params,
                   weft_vec3 velocity, int axis, double *speed) {
  weft_model *model = plate(run, plane);
  weft_rig rig;
  weft_rig_open(run, model, params, &rig);
  weft_vec3 *all = weft_alloc(rig.count, sizeof *all);
  for (uint32_t i = 0; i < rig.count; ++i) all[i] = velocity;
  weft_rig_write(&rig, NULL, all);
  for (int f = 0; f < FRAMES && weft_physics_ok(run); ++f) {
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    speed[f] = fabs(rig.v[3 * (rig.count / 2) + (uint32_t)axis]);
  }
  weft_free(all);
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

static double farthest(const double *a, const double *b) {
  double max = 0;
  for (int f = 0; f < FRAMES; ++f) max = fmax(max, fabs(a[f] - b[f]));
  return max;
}

static void claim_drag(weft_physics_run *run) {
  const double k = 0.5 * air * drag / density, wind = 5, dt = frame_dt / SUBSTEPS;
  double terminal = sqrt(WEFT_PHYSICS_G / k), time[FRAMES], speed[2][FRAMES], exact[2][FRAMES];
  for (int f = 0; f < FRAMES; ++f) {
    time[f] = (f + 1) * frame_dt;
    exact[0][f] = terminal * tanh(WEFT_PHYSICS_G * time[f] / terminal);
    exact[1][f] = wind * (1 - 1 / (1 + k * wind * time[f]));
  }
  weft_params falling = {.substeps = SUBSTEPS, .air_density = (float)air, .drag = (float)drag};
  weft_params blown = falling;
  blown.no_gravity = true;
  blown.wind = weft_v3(0, 0, (float)wind);
  record(run, WEFT_PLANE_XZ, &falling, still, 1, speed[0]);
  record(run, WEFT_PLANE_XY, &blown, still, 2, speed[1]);
  /* Explicit steps lag by at most half a step of the steepest change of the drag. */
  weft_physics_expect(run, "terminal speed of a plate", "m/s", speed[0][FRAMES - 1],
                      exact[0][FRAMES - 1], 1e-4 * terminal,
                      "sqrt(2 density g/(rho Cd)) tanh(...), after a second",
                      "1e-4: at rest in the stream explicit steps have no error, only rounding");
  weft_physics_expect(run, "falling plate, max error", "m/s", farthest(speed[0], exact[0]), 0,
                      0.5 * WEFT_PHYSICS_G * dt, "v = v_t tanh(g t/v_t)",
                      "first order: explicit drag, half a substep of the steepest change of speed");
  weft_physics_expect(run, "blown plate, max error", "m/s", farthest(speed[1], exact[1]), 0,
                      0.5 * k * wind * wind * dt,
                      "v = W(1 - 1/(1 + k W t)), k = rho Cd/(2 density)",
                      "first order: explicit drag, half a substep of the steepest change of speed");
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"A plate falling through air, and one in a wind of 5 m/s",
                                "time (s)", "speed (m/s)", false, false, false});
  static const char *const names[] = {"falling", "blown"};
  for (int p = 0; p < 2; ++p) {
    weft_physics_theory(run, plot, weft_physics_text("theory, %s", names[p]), FRAMES, time,
                        exact[p]);
    weft_physics_curve(run, plot, names[p], FRAMES, time, speed[p]);
  }
}

/* ---- steps of the air that are longer than substeps ---- */

/* The air acts 16 times in a frame of 96 substeps, and each time for as long as until the next. */
static void claim_long_steps(weft_physics_run *run) {
  enum { MANY = 96, STEPS = 16, EACH = MANY / STEPS };
  const double k = 0.5 * air * drag / density, dt = frame_dt / MANY,
               terminal = sqrt(WEFT_PHYSICS_G / k);
  double speed[FRAMES], exact[FRAMES];
  for (int f = 0; f < FRAMES; ++f) {
    exact[f] = terminal * tanh(WEFT_PHYSICS_G * (f + 1) * frame_dt / terminal);
  }
  weft_params params = {.substeps = MANY, .air_density = (float)air, .drag = (float)drag};
  record(run, WEFT_PLANE_XZ, &params, still, 1, speed);
  weft_physics_expect(run, "falling plate, 96 substeps", "m/s", farthest(speed, exact), 0,
                      0.5 * WEFT_PHYSICS_G * EACH * dt, "v = v_t tanh(g t/v_t)",
                      "first order: the air acts every 6th substep: half of such a step");
  const double wind = 8;
  for (int f = 0; f < FRAMES; ++f) exact[f] = wind * (1 - 1 / (1 + k * wind * (f + 1) * frame_dt));
  params.no_gravity = true;
  params.wind = weft_v3(0, (float)wind, 0);
  record(run, WEFT_PLANE_XZ, &params, still, 1, speed);
  weft_physics_expect(run, "blown at 8 m/s, 96 substeps", "m/s", farthest(speed, exact), 0,
                      0.5 * k * wind * wind * 3 * dt, "v = W(1 - 1/(1 + k W t))",
                      "first order: the air acts after two or three substeps: half of three");
}

/* ---- a falling plate in shorter substeps ---- */

static double off_tanh(weft_physics_run *run, const weft_params *params, const void *user) {
  const double *exact = user;
  double speed[FRAMES] = {0};
  record(run, WEFT_PLANE_XZ, params, still, 1, speed);
  return farthest(speed, exact);
}

static void claim_order(weft_physics_run *run) {
  double exact[FRAMES], terminal = sqrt(WEFT_PHYSICS_G * 2 * density / (air * drag));
  for (int f = 0; f < FRAMES; ++f) {
    exact[f] = terminal * tanh(WEFT_PHYSICS_G * (f + 1) * frame_dt / terminal);
  }
  weft_order_run(run, &(weft_order){.name = "falling plate",
                                    .measure = off_tanh,
                                    .user = exact,
                                    .params = {.air_density = (float)air, .drag = (float)drag},
                                    .title = "Max error of a falling plate's speed in 1 s",
                                    .axis = "error (m/s)",
                                    .doubles_only = true});
}

/* ---- skin friction: along the plate, with a coefficient of its own ---- */

static const char first_order[] =
    "first order: explicit drag, half a substep of the steepest change of speed";

static void claim_glide(weft_physics_run *run) {
  static const float speeds[] = {1, 5, 20}, skin = 0.02f;
  const double k = 0.5 * air * (double)skin / density, dt = frame_dt / SUBSTEPS;
  for (int s = 0; s < 3; ++s) {
    double speed[FRAMES], exact[FRAMES], u = (double)speeds[s];
    weft_params params = {
        .substeps = SUBSTEPS, .no_gravity = true, .air_density = (float)air, .skin_friction = skin};
    record(run, WEFT_PLANE_XZ, &params, weft_v3(speeds[s], 0, 0), 0, speed);
    for (int f = 0; f < FRAMES; ++f) exact[f] = u / (1 + k * u * (f + 1) * frame_dt);
    weft_physics_expect(run, weft_physics_text("gliding from %g m/s, error", u), "m/s",
                        farthest(speed, exact), 0, 0.5 * k * u * u * dt,
                        "v = u/(1 + k u t), k = rho Cs/(2 density): the square of the speed at "
                        "each of three speeds",
                        first_order);
  }
}

/* Let fall on edge; with four times the gravity twice as fast. */
static void claim_edgewise(weft_physics_run *run) {
  static const float skin = 0.8f;
  const double k = 0.5 * air * (double)skin / density;
  for (int times = 1; times <= 4; times *= 4) {
    double speed[FRAMES], g = times * WEFT_PHYSICS_G;
    weft_params params = {.substeps = SUBSTEPS,
                          .gravity = weft_v3(0, (float)-g, 0),
                          .air_density = (float)air,
                          .skin_friction = skin};
    record(run, WEFT_PLANE_XY, &params, still, 1, speed);
    weft_physics_expect(run, weft_physics_text("falling on edge, %d g", times), "m/s",
                        speed[FRAMES - 1], sqrt(g / k) * tanh(sqrt(g * k) * FRAMES * frame_dt),
                        1e-4 * sqrt(g / k), "sqrt(2 density g/(rho Cs)) tanh(...), after a second",
                        "1e-4: at rest in the stream explicit steps have no error, only rounding");
  }
}

/* Pressed across and dragged along by one wind: the two do not mix. */
static void claim_slanting(weft_physics_run *run) {
  static const float wind[] = {4, 3}, coefficients[] = {0.1f, 0.3f};
  static const char *const names[] = {"along", "across"};
  const double dt = frame_dt / SUBSTEPS;
  weft_params params = {.substeps = SUBSTEPS,
                        .no_gravity = true,
                        .air_density = (float)air,
                        .skin_friction = coefficients[0],
                        .drag = coefficients[1],
                        .wind = weft_v3(wind[0], wind[1], 0)};
  for (int axis = 0; axis < 2; ++axis) {
    double speed[FRAMES], exact[FRAMES], w = (double)wind[axis];
    double k = 0.5 * air * (double)coefficients[axis] / density;
    record(run, WEFT_PLANE_XZ, &params, still, axis, speed);
    for (int f = 0; f < FRAMES; ++f) exact[f] = w * (1 - 1 / (1 + k * w * (f + 1) * frame_dt));
    weft_physics_expect(run, weft_physics_text("slanting wind, %s", names[axis]), "m/s",
                        farthest(speed, exact), 0, 0.5 * k * w * w * dt,
                        "v = W(1 - 1/(1 + k W t)) with the wind's part along or across the plate "
                        "and the coefficient of that",
                        first_order);
  }
}

static void in_air(weft_physics_run *run) {
  claim_damping(run);
  claim_drag(run);
  claim_glide(run);
  claim_edgewise(run);
  claim_slanting(run);
  claim_long_steps(run);
  claim_order(run);
}

const weft_physics_case weft_case_air = {
    "air", "Damping, drag and wind slow and carry as their equations say",
    "A particle coasts under velocity damping. A level plate of triangles falls through air up to "
    "its "
    "terminal speed; an upright one is taken along by a wind. Along itself a plate feels skin "
    "friction only: it glides at three speeds, falls on edge, and a wind aslant drags and presses "
    "it.",
    in_air};
