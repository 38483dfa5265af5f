/* case_clamp.c: inequalities over several iterations. A rope that an early iteration pulled too far
 * gives back what a shorter rope takes over, down to a tension of 0 and not below; so a substep
 * ends where both ropes would balance, and not where the first of them threw the particle. */
#include <math.h>

#include "cases.h"
#include "model.h"

/* A particle on two links that lie along x, the first to a pin at 0, the second to a pin at -0.5.
 * What it ends with is a balance of two springs of which each may be slack. */
enum { KINDS = 6, SYSTEMS = 2 * KINDS, MANY = 64 };
static const double frame_dt = (double)(1.0f / 60.0f);
static const float mass = 0.5f, second_pin = -0.5f;

static const struct {
  const char *name;
  bool strut;
  float x, rest[2], compliance[2];
} kinds[KINDS] = {
    {"two ropes, both taut", false, 1.2f, {1, 1.47f}, {3e-4f, 2e-4f}},
    {"a rope let go slack", false, 1.2f, {1, 1.4f}, {3e-4f, 2e-5f}},
    {"a hard rope let go slack", false, 1.2f, {1, 1.4f}, {0, 2e-5f}},
    {"two struts, both pressed", true, 0.8f, {1, 1.53f}, {3e-4f, 2e-4f}},
    {"a strut let go slack", true, 0.8f, {1, 1.6f}, {3e-4f, 2e-5f}},
    {"a hard strut let go slack", true, 0.8f, {1, 1.6f}, {0, 2e-5f}},
};

/* System 2k and 2k + 1 are of kind k, their links listed in either order: some link is projected
 * first that has to give back. */
static weft_model *hang(weft_physics_run *run) {
  weft_vec3 positions[3 * SYSTEMS];
  float masses[3 * SYSTEMS];
  weft_link links[2 * SYSTEMS];
  for (uint32_t s = 0; s < SYSTEMS; ++s) {
    const uint32_t k = s / 2, first = 3 * s;
    positions[first] = weft_v3(0, 0, (float)s);
    positions[first + 1] = weft_v3(second_pin, 0, (float)s);
    positions[first + 2] = weft_v3(kinds[k].x, 0, (float)s);
    masses[first] = masses[first + 1] = 0;
    masses[first + 2] = mass;
    for (uint32_t l = 0; l < 2; ++l) {
      links[2 * s + (l ^ (s & 1))] =
          (weft_link){.a = first + l,
                      .b = first + 2,
                      .rest_length = kinds[k].rest[l],
                      .compliance = kinds[k].compliance[l],
                      .sense = kinds[k].strut ? WEFT_SENSE_AT_LEAST : WEFT_SENSE_AT_MOST};
    }
  }
  return weft_physics_particles(run, &(weft_particles_desc){.particle_count = 3 * SYSTEMS,
                                                            .positions = positions,
                                                            .masses = masses,
                                                            .links = links,
                                                            .link_count = 2 * SYSTEMS});
}

/* Which of a system's links the colouring projects first: 0 is that to the pin at 0. */
static int first_link(const weft_model *model, uint32_t system) {
  for (uint32_t g = 0; model && g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    for (uint32_t i = 0; i < group->count; ++i) {
      const uint32_t *p = &group->particles[2 * i];
      if (p[0] / 3 == system) return (int)(p[0] < p[1] ? p[0] % 3 : p[1] % 3);
    }
  }
  return 0;
}

/* ---- theory ---- */

typedef struct held {
  double x, v, tension; /* of the first link, N; pressure of a strut is negative */
} held;

static double end_of(int k, int link) {
  return (double)kinds[k].rest[link] + (link ? (double)second_pin : 0);
}

/* One long step from rest, in closed form. The force of a link that holds is (x - end)/(alpha + 0),
 * a hard one's what the other leaves; x = x0 - w dt^2 (sum of forces). */
static held balance(int k, double dt) {
  double step = dt * dt / (double)mass, near = end_of(k, 0), far = end_of(k, 1);
  double alpha = (double)kinds[k].compliance[0], s0, s1 = step / (double)kinds[k].compliance[1];
  double x = ((double)kinds[k].x + s1 * far) / (1 + s1); /* the second link alone */
  bool slack = kinds[k].strut ? x > near : x < near;
  held h = {.x = x};
  if (slack) return h;
  s0 = step / alpha;
  h.x = ((double)kinds[k].x + s0 * near + s1 * far) / (1 + s0 + s1);
  h.tension = (h.x - near) / alpha;
  return h;
}

/* The projected Gauss-Seidel method on both multipliers, in one dimension: each is solved for with
 * the other fixed, and kept on its own side of 0. */
static held sweep(int k, int first, uint32_t substeps, uint32_t iterations) {
  double dt = frame_dt / substeps, w = 1 / (double)mass;
  held h = {.x = (double)kinds[k].x};
  for (uint32_t s = 0; s < substeps; ++s) {
    double from = h.x, lambda[2] = {0, 0};
    h.x += dt * h.v;
    for (uint32_t n = 0; n < 2 * iterations; ++n) {
      int l = n % 2 ? !first : first;
      double soft = (double)kinds[k].compliance[l] / (dt * dt);
      double whole = lambda[l] + (end_of(k, l) - h.x - soft * lambda[l]) / (w + soft);
      whole = kinds[k].strut ? fmax(whole, 0) : fmin(whole, 0);
      h.x += w * (whole - lambda[l]);
      lambda[l] = whole;
    }
    h.v = (h.x - from) / dt;
    h.tension = -lambda[0] / (dt * dt);
  }
  return h;
}

/* ---- claims ---- */

static void simulate(weft_physics_run *run, const weft_model *model, uint32_t substeps,
                     uint32_t iterations, held *measured) {
  float newtons[2 * SYSTEMS] = {0};
  weft_rig rig;
  weft_rig_open(run, model,
                &(weft_params){.no_gravity = true,
                               .substeps = substeps,
                               .iterations = iterations,
                               .keep_multipliers = true},
                &rig);
  weft_rig_step(&rig, 1);
  weft_rig_read(&rig);
  if (weft_physics_ok(run)) weft_solver_link_forces(rig.solver, newtons, &run->err);
  for (uint32_t s = 0; s < SYSTEMS && model; ++s) {
    measured[s] = (held){.x = rig.x[3 * (3 * s + 2)],
                         .v = rig.v[3 * (3 * s + 2)],
                         .tension = (double)newtons[2 * s + (s & 1)]};
  }
  weft_rig_close(&rig);
}

static double farther(double a, double b, double expected) {
  return fabs(a - expected) > fabs(b - expected) ? a : b;
}

static void claim_balance(weft_physics_run *run, const weft_model *model) {
  held measured[SYSTEMS] = {{0}};
  simulate(run, model, 1, MANY, measured);
  bool wide = weft_physics_is_double(run);
  for (int k = 0; k < KINDS; ++k) {
    const held *m = &measured[2 * k];
    held expected = balance(k, frame_dt);
    weft_physics_expect(run, weft_physics_text("%s, x", kinds[k].name), "m",
                        farther(m[0].x, m[1].x, expected.x), expected.x,
                        wide ? 1e-12 : 8 * weft_half_ulp(1),
                        "x (1 + sum s_i) = x0 + sum s_i end_i, s_i = dt^2/(m alpha_i) over what "
                        "holds; the worse of both orders, after 64 iterations",
                        "rounding: a few half ulps of 1 m; 1e-12 in double");
  }
  for (int k = 0; k < KINDS; ++k) {
    const held *m = &measured[2 * k];
    held expected = balance(k, frame_dt);
    weft_physics_expect(
        run, weft_physics_text("%s, tension", kinds[k].name), "N",
        farther(m[0].tension, m[1].tension, expected.tension), expected.tension,
        (wide ? 1e-6 : 16 * weft_half_ulp(1) / frame_dt / frame_dt) + 1e-6 * fabs(expected.tension),
        "(x - end)/alpha where it holds, and exactly 0 where the other link has "
        "taken over: the multiplier stops there",
        "rounding of a position over dt^2; forces are read as floats");
  }
}

static void claim_few(weft_physics_run *run, const weft_model *model, uint32_t iterations) {
  enum { STEPS = 4 };
  held measured[SYSTEMS] = {{0}};
  simulate(run, model, STEPS, iterations, measured);
  for (int k = 0; k < KINDS; ++k) {
    double worst = 0;
    for (uint32_t s = 2 * (uint32_t)k; s < 2 * (uint32_t)k + 2; ++s) {
      held own = sweep(k, first_link(model, s), STEPS, iterations);
      worst = fmax(worst, fabs(measured[s].x - own.x));
    }
    weft_physics_expect(run, weft_physics_text("%s, n = %u", kinds[k].name, iterations), "m", worst,
                        0, weft_physics_is_double(run) ? 1e-12 : 4e-6,
                        "projected Gauss-Seidel on two multipliers, in one dimension and doubles: "
                        "four substeps, the worse of both orders",
                        "rounding of a position over dt in the speed, which goes on for four "
                        "substeps; clamped wrongly it is off by centimetres");
  }
}

static void clamp(weft_physics_run *run) {
  weft_model *model = hang(run);
  claim_balance(run, model);
  claim_few(run, model, 2);
  claim_few(run, model, 3);
  weft_model_destroy(model);
}

const weft_physics_case weft_case_clamp = {
    "clamp", "Ropes and struts give back in later iterations what they overdid, and no more",
    "A particle hangs on two ropes side by side, or stands between two struts, one of which should "
    "take over part or all of what the other holds. A multiplier is clamped at 0 over the sum of "
    "its iterations, so many of them end in the balance of two springs, of which one may be slack, "
    "and a few where the projected Gauss-Seidel method stands.",
    clamp};
