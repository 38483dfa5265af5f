/* case_carry.c: what friction does on surfaces that are tilted, turn or run: a block on a box, a
 * particle on a turntable, on a conveyor belt and on a ball that spins under it. */
#include <math.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"
#include "orders.h"

enum { SUBSTEPS = 20 };
static const double frame_dt = (double)(1.0f / 60.0f);
static const double degree = 3.14159265358979323846 / 180;

typedef struct ride {
  double x[3], v[3];
} ride;

/* One particle of 1 kg. */
static ride carry(weft_physics_run *run, const weft_collider *under, const weft_params *steps,
                  weft_vec3 start, weft_vec3 velocity, uint32_t frames) {
  static const float mass = 1;
  weft_model *model = weft_physics_particles(
      run, &(weft_particles_desc){.particle_count = 1, .positions = &start, .masses = &mass});
  weft_params params = *steps;
  params.colliders = under;
  params.collider_count = 1;
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_write(&rig, NULL, &velocity);
  weft_rig_step(&rig, frames);
  weft_rig_read(&rig);
  ride r = {{rig.x[0], rig.x[1], rig.x[2]}, {rig.v[0], rig.v[1], rig.v[2]}};
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return r;
}

static const weft_params usual = {.substeps = SUBSTEPS}, finer = {.substeps = 2 * SUBSTEPS};

/* Each substep rounds the place by up to half an ulp, and the speed by that over dt. */
static double walk(const weft_physics_run *run, double size, double substeps) {
  if (weft_physics_is_double(run)) return 0;
  return 3 * 2 * weft_half_ulp(size) / sqrt(12) * sqrt(substeps * substeps * substeps / 3);
}

/* ---- the top of a box that is turned about z is a slope ---- */

enum { SLID = 30 };

/* Way along it, downhill. */
static double slide_on_box(weft_physics_run *run, double angle, double hold, double rub,
                           const weft_params *steps) {
  const double half = 0.25;
  weft_collider box = {
      .shape = WEFT_COLLIDER_BOX,
      .a = weft_v3((float)(-half * sin(angle)), (float)(-half * cos(angle)), 0),
      .half_size = {4, (float)half, 1},
      .rotation = {0, 0, (float)-angle},
      .friction_static = (float)hold,
      .friction_dynamic = (float)rub,
  };
  ride r = carry(run, &box, steps, weft_v3(0, 0, 0), weft_v3(0, 0, 0), SLID);
  return r.x[0] * cos(angle) - r.x[1] * sin(angle);
}

static void claim_box(weft_physics_run *run, double angle, double hold, double rub) {
  const double n = SUBSTEPS * SLID, dt = frame_dt / SUBSTEPS;
  double way = slide_on_box(run, angle, hold, rub, &usual), slope = tan(angle);
  double pull = slope <= hold ? 0 : WEFT_PHYSICS_G * (sin(angle) - rub * cos(angle));
  double expected = 0.5 * pull * dt * dt * n * (n + 1);
  weft_physics_expect(
      run, weft_physics_text("box tilted %.2f deg, mu %g/%g", angle / degree, hold, rub), "m", way,
      expected, 1e-6 + 1e-6 * expected + (pull > 0 ? walk(run, 0.5, n) : 0),
      "Coulomb: stays for tan(angle) <= mu_s, else slides by g(sin - mu_k cos) dt^2 n(n+1)/2 in "
      "half a second",
      "1e-6, as the box is turned by a float; for what slides in floats an ulp/sqrt(12) a substep, "
      "and the speed by that over dt: a "
      "walk of sqrt(n^3/3), three times");
}

/* ---- in pairs of floats, on a box and along the top of a tilted capsule ---- */

static const double mu = 0.5, rim = 0.3;

static double exact_slide(double angle) {
  double time = SLID * frame_dt;
  return 0.5 * WEFT_PHYSICS_G * (sin(angle) - mu * cos(angle)) * time * time;
}

static double off_box(weft_physics_run *run, const weft_params *params, const void *user) {
  const double *angle = user;
  return fabs(slide_on_box(run, *angle, mu, mu, params) - exact_slide(*angle));
}

/* Steep as 3:4, so that floats have the axis and touch the block exactly. */
static double off_capsule(weft_physics_run *run, const weft_params *params, const void *user) {
  weft_collider capsule = {
      .shape = WEFT_COLLIDER_CAPSULE,
      .a = weft_v3(-0.1875f - 4, -0.25f + 3, 0),
      .b = weft_v3(-0.1875f + 4, -0.25f - 3, 0),
      .radius = 0.3125f,
      .friction_static = (float)mu,
      .friction_dynamic = (float)mu,
  };
  ride r = carry(run, &capsule, params, weft_v3(0, 0, 0), weft_v3(0, 0, 0), SLID);
  (void)user;
  return fabs(r.x[0] * 0.8 - r.x[1] * 0.6 - exact_slide(atan(0.75)));
}

static void claim_orders_of_slides(weft_physics_run *run) {
  const double steep = atan(mu) + 0.3;
  weft_order_run(run, &(weft_order){.name = "block on a tilted box",
                                    .measure = off_box,
                                    .user = &steep,
                                    .title = "Distance from theory after 0.5 s on a tilted box",
                                    .axis = "distance (m)",
                                    .near = true});
  weft_order_run(run, &(weft_order){.name = "block on a tilted capsule",
                                    .measure = off_capsule,
                                    .title = "Distance from theory after 0.5 s on a tilted capsule",
                                    .axis = "distance (m)",
                                    .near = true});
}

/* ---- a turntable ---- */

static ride on_table(weft_physics_run *run, double omega, const weft_params *steps, bool moving,
                     uint32_t frames) {
  weft_collider_key keys[] = {
      {0, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
      {4, {0, 0, 0}, {0, 1, 0}, {0, (float)(4 * omega), 0}},
  };
  weft_collider table = {.shape = WEFT_COLLIDER_PLANE,
                         .keys = keys,
                         .key_count = 2,
                         .friction_static = (float)mu,
                         .friction_dynamic = (float)mu};
  weft_vec3 velocity = weft_v3(0, 0, moving ? (float)(-omega * (double)(float)rim) : 0);
  return carry(run, &table, steps, weft_v3((float)rim, 0, 0), velocity, frames);
}

enum { HELD = 60, DRAGGED = 24 };
static const double table_turns = 6; /* rad/s, of the one something is put on */

static double off_drag(weft_physics_run *run, const weft_params *params, const void *user) {
  const double *exact = user;
  ride r = on_table(run, table_turns, params, false, DRAGGED);
  return hypot(r.x[0] - exact[0], r.x[2] - exact[1]);
}

static void claim_turntable(weft_physics_run *run) {
  const double critical = sqrt(mu * WEFT_PHYSICS_G / rim);
  double omega = 0.99 * critical, angle = omega * HELD * frame_dt;
  ride held = on_table(run, omega, &usual, true, HELD);
  weft_physics_expect(
      run, "turntable 1 % below leaving: distance", "m",
      hypot(held.x[0] - rim * cos(angle), held.x[2] + rim * sin(angle)), 0,
      weft_physics_is_double(run) ? 1e-4 : 2e-4,
      "0 from the position on the table after a second: mu g > omega^2 r",
      "the first substep starts along the tangent, not the chord; in floats "
      "rounding of a position, half an ulp of 0.3 m, beside 7e-6 m of friction margin");
  omega = 1.01 * critical;
  double y[4] = {rim, 0, 1e-6, -omega * rim};
  weft_ode_solve(weft_turntable_slope, &(weft_turntable){omega, mu}, 4, 0, HELD * frame_dt, 1e-10,
                 y);
  ride lost = on_table(run, omega, &usual, true, HELD);
  weft_physics_expect(
      run, "turntable 1 % above: distance gained", "m", hypot(lost.x[0], lost.x[2]) - rim,
      hypot(y[0], y[1]) - rim, weft_physics_is_double(run) ? 2e-4 : 4e-3,
      "Newton's equation with friction mu g against the slip",
      "first order in dt; in floats a walk of 6e-4 m, and slipping outward feeds on itself");
  omega = table_turns;
  double z[4] = {rim, 0, 0, 0};
  weft_ode_solve(weft_turntable_slope, &(weft_turntable){omega, mu}, 4, 0, DRAGGED * frame_dt,
                 1e-12, z);
  ride coarse = on_table(run, omega, &usual, false, DRAGGED);
  ride fine = on_table(run, omega, &finer, false, DRAGGED);
  for (int a = 0; a < 3; a += 2) {
    weft_physics_expect(
        run, weft_physics_text("put on a turntable: %s", a ? "along" : "across"), "m",
        2 * fine.x[a] - coarse.x[a], z[a / 2], 2e-4 + walk(run, 0.3, 2 * SUBSTEPS * DRAGGED),
        "Newton's equation with friction mu g against the slip, 0.4 s; 2 x(dt/2) - x(dt)",
        "second order in dt; in floats a walk of an ulp/sqrt(12) sqrt(n^3/3), three times");
  }
  weft_order_run(run,
                 &(weft_order){.name = "put on a turntable",
                               .measure = off_drag,
                               .user = z,
                               .title = "Distance from theory 0.4 s after being put on a turntable",
                               .axis = "distance (m)",
                               .near = true});
}

/* ---- a conveyor belt ---- */

enum { BELT_FRAMES = 36 };
static const double belt_mu = 0.25, belt_speed = 1;

typedef struct belt_track {
  double time[BELT_FRAMES + 1], way[BELT_FRAMES + 1], speed[BELT_FRAMES + 1];
} belt_track;

static void theory_belt(belt_track *t) {
  const double dt = frame_dt / SUBSTEPS;
  double x = 0, v = 0;
  for (int i = 0; i <= BELT_FRAMES * SUBSTEPS; ++i) {
    if (i) v = fmin(belt_mu * WEFT_PHYSICS_G * dt * i, belt_speed);
    x += dt * v;
    if (i % SUBSTEPS) continue;
    t->time[i / SUBSTEPS] = i * dt;
    t->way[i / SUBSTEPS] = x;
    t->speed[i / SUBSTEPS] = v;
  }
}

static void run_belt(weft_physics_run *run, belt_track *t) {
  const weft_vec3 start = {0, 0, 0};
  const float mass = 1;
  weft_model *model = weft_physics_particles(
      run, &(weft_particles_desc){.particle_count = 1, .positions = &start, .masses = &mass});
  weft_collider_key keys[] = {{0, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
                              {2, {(float)(2 * belt_speed), 0, 0}, {0, 1, 0}, {0, 0, 0}}};
  weft_collider conveyor = {.shape = WEFT_COLLIDER_PLANE,
                            .keys = keys,
                            .key_count = 2,
                            .friction_static = (float)belt_mu,
                            .friction_dynamic = (float)belt_mu};
  weft_params params = {.colliders = &conveyor, .collider_count = 1, .substeps = SUBSTEPS};
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  for (int f = 0; f <= BELT_FRAMES; ++f) {
    if (f) weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    t->time[f] = f * frame_dt;
    t->way[f] = rig.x[0];
    t->speed[f] = rig.v[0];
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

static void claim_belt(weft_physics_run *run) {
  belt_track measured, exact;
  bool wide = weft_physics_is_double(run);
  theory_belt(&exact);
  run_belt(run, &measured);
  for (int f = 12; f <= BELT_FRAMES; f += 12) {
    weft_physics_expect(
        run, weft_physics_text("belt: distance in %.1f s", exact.time[f]), "m", measured.way[f],
        exact.way[f], wide ? 1e-6 : 5e-6 + walk(run, exact.way[f], f * SUBSTEPS),
        "sum of dt min(mu g t, V): dragged by mu g until it goes along after V/(mu g) = 0.41 s",
        "rounding of the belt's positions to float, 1e-6; in floats a walk of an ulp/sqrt(12) "
        "sqrt(n^3/3), three times");
    weft_physics_expect(
        run, weft_physics_text("belt: speed after %.1f s", exact.time[f]), "m/s", measured.speed[f],
        exact.speed[f], wide ? 1e-4 : 1e-3, "min(mu g t, V)",
        "the belt's positions are floats: half an ulp of 1 m over dt, 7e-5 m/s, and "
        "in floats the particle's, a walk");
  }
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"Dragged along by a conveyor belt of 1 m/s, mu = 0.25", "time (s)",
                                "speed (m/s)", false, false, false});
  weft_physics_theory(run, plot, "min(mu g t, V)", BELT_FRAMES + 1, exact.time, exact.speed);
  weft_physics_curve(run, plot, "particle", BELT_FRAMES + 1, measured.time, measured.speed);
}

/* ---- a ball that spins under a particle at its top ---- */

static void ball_slope(const void *user, double t, const double *y, double *dy) {
  double radius = *(const double *)user;
  double load = WEFT_PHYSICS_G * cos(y[0]) - radius * y[1] * y[1];
  (void)t;
  dy[0] = y[1];
  dy[1] = (mu * load + WEFT_PHYSICS_G * sin(y[0])) / radius;
}

enum { SPUN = 18 };

static ride on_ball(weft_physics_run *run, double radius, const weft_params *steps) {
  weft_collider_key keys[] = {{0, {0, -1, 0}, {0, 0, 0}, {0, 0, 0}},
                              {1, {0, -1, 0}, {0, 0, 0}, {0, 0, -20}}};
  weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE,
                        .radius = (float)radius,
                        .keys = keys,
                        .key_count = 2,
                        .friction_static = (float)mu,
                        .friction_dynamic = (float)mu};
  return carry(run, &ball, steps, weft_v3(0, 0, 0), weft_v3(0, 0, 0), SPUN);
}

static double off_ball(weft_physics_run *run, const weft_params *params, const void *user) {
  const double *angle = user;
  ride r = on_ball(run, 1, params);
  return hypot(r.x[0] - sin(*angle), 1 + r.x[1] - cos(*angle));
}

static void claim_ball(weft_physics_run *run) {
  const double radius = 1;
  double angle[2], state[2] = {0, 0};
  weft_ode_solve(ball_slope, &radius, 2, 0, SPUN * frame_dt, 1e-12, state);
  for (uint32_t k = 0; k < 2; ++k) {
    ride r = on_ball(run, radius, k ? &finer : &usual);
    angle[k] = atan2(r.x[0], 1 + r.x[1]);
  }
  weft_physics_expect(
      run, "spinning ball: angle dragged", "rad", 2 * angle[1] - angle[0], state[0],
      1e-4 + walk(run, 0.3, 2 * SUBSTEPS * SPUN),
      "R theta'' = mu(g cos(theta) - R theta'^2) + g sin(theta), 0.3 s; 2 x(dt/2) - x(dt)",
      "second order in dt; in floats a walk of an ulp/sqrt(12) sqrt(n^3/3), three times");
  weft_order_run(run, &(weft_order){.name = "on a spinning ball",
                                    .measure = off_ball,
                                    .user = state,
                                    .title = "Distance from theory after 0.3 s on a spinning ball",
                                    .axis = "distance (m)",
                                    .near = true});
}

static void carried(weft_physics_run *run) {
  const double critical = atan(mu);
  claim_box(run, critical - 0.005, mu, mu);
  claim_box(run, critical + 0.005, mu, mu);
  claim_box(run, critical + 0.3, mu, mu);
  claim_box(run, atan(0.4), 0.6, 0.2);
  claim_box(run, atan(0.7), 0.6, 0.2);
  claim_orders_of_slides(run);
  claim_turntable(run);
  claim_belt(run);
  claim_ball(run);
}

const weft_physics_case weft_case_carry = {
    "carry", "Friction on a tilted box, a turntable, a conveyor belt and a spinning ball",
    "One particle of 1 kg lies on a shape with friction. A block on a box slides at g(sin - mu_k "
    "cos) "
    "once it is steeper than mu_s. On a turntable mu g holds what needs omega^2 r, tried 1 % below "
    "and above; one put down on a table that turns is dragged as Newton's equation says, one on a "
    "belt by mu g until it goes along, one on a spinning ball by mu times what presses it on.",
    carried};
