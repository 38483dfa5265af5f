/* Nothing tunnels: particles shot at thin and small shapes, still, moving and turning, from all
 * sides at 1 to 300 m/s. Where each must arrive is found by marching along its way in double, by
 * the distance to the shape (Hart 1996, "Sphere tracing"), not by solving for the entry. */
#include "base.h"
#include "rig.h"

/* ---- a target, and the way from the world into its own frame ---- */

typedef struct target {
  const weft_collider *shape; /* at time 0, unturned: the frame's origin is the centre */
  weft_vec3d extent;          /* where shots aim: up to this far from the centre */
  float thickness;
  weft_vec3d centre, velocity, rotation, spin;
  float friction;
} target;

static weft_vec3d to_own(const target *t, weft_vec3d p, double time) {
  weft_vec3d from = weft_v3d_add_scaled(weft_v3d_add_scaled(p, -1, t->centre), -time, t->velocity);
  return weft_v3d_rotate(from, weft_v3d_scale(weft_v3d_add_scaled(t->rotation, time, t->spin), -1));
}

static weft_vec3d to_world(const target *t, weft_vec3d p) {
  return weft_v3d_add(weft_v3d_rotate(p, t->rotation), t->centre);
}

static double above(double a) { return a > 0 ? a : 0; }

static double distance(const target *t, weft_vec3d p) {
  const weft_collider *c = t->shape;
  if (c->shape == WEFT_COLLIDER_BOX) {
    weft_vec3d h = weft_v3d_from(c->half_size);
    weft_vec3d q = {fabs(p.x) - h.x, fabs(p.y) - h.y, fabs(p.z) - h.z};
    double inside = fmin(fmax(q.x, fmax(q.y, q.z)), 0);
    return weft_v3d_length((weft_vec3d){above(q.x), above(q.y), above(q.z)}) + inside -
           (double)t->thickness;
  }
  if (c->shape == WEFT_COLLIDER_CAPSULE) { /* along y */
    p.y -= fmax(fmin(p.y, (double)c->b.y), (double)c->a.y);
  }
  return weft_v3d_length(p) - (double)c->radius - (double)t->thickness;
}

static double dimension(const target *t) { return -2 * distance(t, (weft_vec3d){0, 0, 0}); }

static weft_vec3d entry_of(const target *t, weft_vec3d start, weft_vec3d direction) {
  weft_vec3d p = start;
  for (int k = 0; k < 4000 && distance(t, p) > 1e-10; ++k)
    p = weft_v3d_add_scaled(p, distance(t, p), direction);
  return p;
}

static weft_vec3d normal_at(const target *t, weft_vec3d p) {
  const double e = 1e-7;
  weft_vec3d g = {distance(t, weft_v3d_add_scaled(p, e, (weft_vec3d){1, 0, 0})) -
                      distance(t, weft_v3d_add_scaled(p, -e, (weft_vec3d){1, 0, 0})),
                  distance(t, weft_v3d_add_scaled(p, e, (weft_vec3d){0, 1, 0})) -
                      distance(t, weft_v3d_add_scaled(p, -e, (weft_vec3d){0, 1, 0})),
                  distance(t, weft_v3d_add_scaled(p, e, (weft_vec3d){0, 0, 1})) -
                      distance(t, weft_v3d_add_scaled(p, -e, (weft_vec3d){0, 0, 1}))};
  return weft_v3d_scale(g, 1 / weft_v3d_length(g));
}

static weft_collider_key key_at(const target *t, float time) {
  weft_collider_key key = {.time = time};
  weft_vec3d from = weft_v3d_add_scaled(t->centre, (double)time, t->velocity);
  bool axis = t->shape->shape == WEFT_COLLIDER_CAPSULE;
  weft_vec3d a =
      axis ? weft_v3d_rotate(weft_v3d_from(t->shape->a), t->rotation) : (weft_vec3d){0, 0, 0};
  weft_vec3d b =
      axis ? weft_v3d_rotate(weft_v3d_from(t->shape->b), t->rotation) : (weft_vec3d){0, 0, 0};
  key.a = weft_v3d_round(weft_v3d_add_scaled(from, 1, a));
  key.b = weft_v3d_round(weft_v3d_add_scaled(from, 1, b));
  key.rotation = weft_v3d_round(weft_v3d_add_scaled(t->rotation, (double)time, t->spin));
  return key;
}

/* ---- shots ---- */

enum { SHOTS = 64 };

typedef struct shots {
  const target *target;
  double speed;                              /* relative to the target */
  double min_slope;                          /* of a way against the surface it meets: its sine */
  uint32_t substeps;                         /* of 1/1200 s in a frame; 0: 20 */
  weft_vec3d start[SHOTS], direction[SHOTS]; /* in the target's frame */
  weft_vec3 velocity[SHOTS];                 /* in the world */
  weft_model *model;
  weft_solver *solver;
} shots;

static double within(weft_rng *rng, double size_of) {
  return (double)weft_rng_float(rng, -1, 1) * size_of;
}

static weft_vec3d any_direction(weft_rng *rng) {
  weft_vec3d v;
  do {
    v = (weft_vec3d){within(rng, 1), within(rng, 1), within(rng, 1)};
  } while (weft_v3d_length(v) > 1 || weft_v3d_length(v) < 0.1);
  return weft_v3d_add_scaled((weft_vec3d){0, 0, 0}, 1 / weft_v3d_length(v), v);
}

/* Aims at a point inside the target, from outside, not grazing. */
static void aim(shots *s, weft_rng *rng, int i) {
  const target *t = s->target;
  double graze;
  do {
    weft_vec3d at = {within(rng, t->extent.x), within(rng, t->extent.y), within(rng, t->extent.z)};
    s->direction[i] = any_direction(rng);
    s->start[i] =
        weft_v3d_add_scaled(at, -(double)weft_rng_float(rng, 0.03f, 0.2f), s->direction[i]);
    weft_vec3d n = normal_at(t, entry_of(t, s->start[i], s->direction[i]));
    graze = -weft_v3d_dot(n, s->direction[i]);
  } while (distance(t, s->start[i]) < 0.005 || graze < s->min_slope);
}

static void shoot(shots *s, const weft_backend *backend, uint64_t seed) {
  const target *t = s->target;
  weft_rng rng = weft_rng_seed(seed);
  weft_vec3 positions[SHOTS];
  float masses[SHOTS];
  for (int i = 0; i < SHOTS; ++i) {
    aim(s, &rng, i);
    positions[i] = weft_v3d_round(to_world(t, s->start[i]));
    weft_vec3d v = weft_v3d_rotate(s->direction[i], t->rotation);
    s->velocity[i] = weft_v3d_round(weft_v3d_add_scaled(t->velocity, s->speed, v));
    masses[i] = 1;
  }
  s->model = rig_model(SHOTS, positions, masses);
  weft_collider shape = *t->shape;
  weft_collider_key keys[] = {key_at(t, 0), key_at(t, 1)};
  shape.keys = keys;
  shape.key_count = 2;
  shape.friction_static = shape.friction_dynamic = t->friction;
  weft_params params = {
      .no_gravity = true, .colliders = &shape, .collider_count = 1, .thickness = t->thickness};
  params.substeps = s->substeps ? s->substeps : 20;
  params.frame_dt = (float)params.substeps / 1200;
  s->solver = rig_solver(s->model, &params, backend);
  rig_write(s->solver, NULL, s->velocity);
}

static void put_away(shots *s) {
  weft_solver_destroy(s->solver);
  rig_model_free(s->model);
}

static const double speeds[] = {1, 3, 10, 30, 100, 300};
enum { SPEEDS = sizeof speeds / sizeof *speeds };

static const weft_collider plate = {.shape = WEFT_COLLIDER_BOX, .half_size = {0.2f, 0.0005f, 0.2f}};
static const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE, .radius = 0.001f};
static const weft_collider wire = {
    .shape = WEFT_COLLIDER_CAPSULE, .a = {0, -0.1f, 0}, .b = {0, 0.1f, 0}, .radius = 0.0005f};

static const weft_collider pill = {
    .shape = WEFT_COLLIDER_CAPSULE, .a = {0, -0.002f, 0}, .b = {0, 0.002f, 0}, .radius = 0.001f};

enum { TARGETS = 8 };
static const target targets[TARGETS] = {
    {.shape = &plate, .extent = {0.19, 0.0004, 0.19}, .rotation = {0.3, 0.2, -0.8}},
    {.shape = &plate,
     .extent = {0.19, 0.0004, 0.19},
     .centre = {0.2, 1, -0.3},
     .rotation = {1.3, 0.2, 0.5},
     .velocity = {20, 30, -10}},
    {.shape = &plate, .extent = {0.15, 0.002, 0.15}, .thickness = 0.002f},
    {.shape = &ball, .extent = {0.0005, 0.0005, 0.0005}, .centre = {0.1, 0.2, 0.3}},
    {.shape = &ball,
     .extent = {0.0005, 0.0005, 0.0005},
     .velocity = {-40, 5, 0},
     .spin = {0, 90, 9}},
    {.shape = &wire, .extent = {0.0002, 0.1, 0.0002}, .rotation = {0.3, 0.2, -0.8}},
    {.shape = &wire, .extent = {0.0002, 0.1, 0.0002}, .velocity = {0, 30, 20}},
    {.shape = &pill, .extent = {0.0005, 0.0025, 0.0005}, .rotation = {1, 0, 0.5}},
};

/* ---- what must hold ---- */

/* With friction that holds everything each particle is stopped where its way first meets the
 * target, in the substep it does. */
static void check_stops(shots *s, const target *t, uint32_t substeps) {
  weft_vec3d entry[SHOTS];
  double due[SHOTS]; /* substeps */
  for (int i = 0; i < SHOTS; ++i) {
    entry[i] = entry_of(t, s->start[i], s->direction[i]);
    due[i] = weft_v3d_length(weft_v3d_add_scaled(entry[i], -1, s->start[i])) * 1200 / s->speed;
  }
  for (uint32_t f = 1; f <= substeps; ++f) {
    rig_step(s->solver, 1);
    for (uint32_t i = 0; i < SHOTS; ++i) {
      if (f != (uint32_t)ceil(due[i])) continue;
      weft_vec3d end = to_own(t, weft_v3d_from(rig_position(s->solver, i)), f / 1200.0);
      double miss = weft_v3d_length(weft_v3d_add_scaled(end, -1, entry[i]));
      /* Float's share: each substep rounds the place it has flown to. */
      double flown = (s->speed + weft_v3d_length(t->velocity)) * f / 1200;
      if (miss > 1e-5 + f * 6e-8 * flown) {
        fail_msg("at %g m/s shot %u stops %g m from where it enters", s->speed, i, miss);
      }
    }
  }
}

static void a_shot_sticks_where_it_enters(void **state) {
  const weft_backend *backend = rig_backend(state);
  for (int k = 0; k < TARGETS; ++k) {
    for (int v = 0; v < SPEEDS; ++v) {
      target t = targets[k];
      if (speeds[v] / 1200 < dimension(&t) / 4) continue; /* judged at the step's end */
      if (weft_v3d_length(t.spin) > 0) continue; /* its own frame turns under a straight way */
      t.friction = 1000;
      shots s = {.target = &t, .speed = speeds[v], .substeps = 1, .min_slope = 0.1};
      shoot(&s, backend, 17 + (uint64_t)k);
      check_stops(&s, &t, (uint32_t)(1200 * 0.25 / speeds[v]) + 20);
      put_away(&s);
    }
  }
}

static bool was_stopped(const shots *s, uint32_t i) {
  weft_vec3 change = weft_v3_sub(rig_velocity(s->solver, i), s->velocity[i]);
  return weft_v3d_length(weft_v3d_from(change)) > 0.01 * s->speed;
}

/* How near a straight way from p to q comes to the target: its distance is convex. */
static double nearest(const target *t, weft_vec3d p, weft_vec3d q) {
  weft_vec3d way = weft_v3d_add_scaled(q, -1, p);
  double low = 0, high = 1;
  for (int k = 0; k < 80; ++k) {
    double third = (high - low) / 3;
    if (distance(t, weft_v3d_add_scaled(p, low + third, way)) <
        distance(t, weft_v3d_add_scaled(p, high - third, way))) {
      high -= third;
    } else {
      low += third;
    }
  }
  return distance(t, weft_v3d_add_scaled(p, low, way));
}

/* Looks after every substep: no way since the last detection has been through the target. A
 * particle that was stopped came in two straight parts on the same side of a tangent plane, so that
 * the straight way from end to end is outside as well. */
static void check_ways(shots *s, const target *t, uint32_t substeps, uint32_t min) {
  weft_vec3d last[SHOTS];
  uint32_t met = 0;
  for (int i = 0; i < SHOTS; ++i) last[i] = s->start[i];
  for (uint32_t f = 1; f <= substeps; ++f) {
    rig_step(s->solver, 1);
    for (int i = 0; i < SHOTS; ++i) {
      weft_vec3d now = to_own(t, weft_v3d_from(rig_position(s->solver, (uint32_t)i)), f / 1200.0);
      double depth = -nearest(t, last[i], now);
      /* Where steps are judged at their end alone, the chord of a round cuts in by s^2/(8 R). */
      if (depth > dimension(t) / 64 + 1e-5) {
        fail_msg("at %g m/s shot %d goes %g m deep in substep %u", s->speed, i, depth, f);
      }
      last[i] = now;
    }
  }
  for (uint32_t i = 0; i < SHOTS; ++i) met += was_stopped(s, i);
  if (met < min) fail_msg("at %g m/s only %u shots met the target", s->speed, met);
}

/* Frictionless or not, nothing ever goes through. */
static void a_shot_never_goes_through(void **state) {
  const weft_backend *backend = rig_backend(state);
  for (int k = 0; k < TARGETS; ++k) {
    for (int v = 0; v < SPEEDS; ++v) {
      target t = targets[k];
      t.friction = v % 2 ? 0.3f : 0;
      shots s = {.target = &t, .speed = speeds[v], .substeps = 1, .min_slope = 0.05};
      shoot(&s, backend, 99 + (uint64_t)k);
      check_ways(&s, &t, (uint32_t)(1200 * 0.25 / speeds[v]) + 20, SHOTS);
      put_away(&s);
    }
  }
}

static void a_turning_plate_lets_nothing_through(void **state) {
  const weft_backend *backend = rig_backend(state);
  target t = {.shape = &plate,
              .extent = {0.1, 0.0004, 0.1},
              .rotation = {0.3, 0.2, -0.8},
              .velocity = {3, 8, 0},
              .friction = 1};
  const weft_vec3d spins[] = {{2, -3, 9}, {-0.6, -0.4, 1.6}};
  for (int v = 0; v < 2 * SPEEDS; ++v) {
    t.spin = spins[v / SPEEDS];
    shots s = {.target = &t, .speed = speeds[v % SPEEDS], .substeps = 1, .min_slope = 0.05};
    shoot(&s, backend, 5);
    check_ways(&s, &t, (uint32_t)(1200 * 0.25 / s.speed) + 20, SHOTS / 2);
    put_away(&s);
  }
}

/* A plate takes off at 60 m/s under particles that rest on it: they are on it still. */
static void a_plate_that_takes_off_takes_along_what_rests_on_it(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_vec3 rest[SHOTS];
  float masses[SHOTS];
  weft_rng rng = weft_rng_seed(3);
  for (int i = 0; i < SHOTS; ++i) {
    rest[i] = weft_v3((float)within(&rng, 0.19), 0.0005f, (float)within(&rng, 0.19));
    masses[i] = 1;
  }
  weft_model *model = rig_model(SHOTS, rest, masses);
  weft_collider_key keys[] = {{0.1f, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                              {0.2f, {0, 6, 0}, {0, 0, 0}, {0, 0, 0}}};
  weft_collider lift = plate;
  lift.keys = keys;
  lift.key_count = 2;
  lift.friction_static = lift.friction_dynamic = 0.5f;
  weft_params params = {.colliders = &lift, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_step(solver, 12);
  for (uint32_t i = 0; i < SHOTS; ++i) {
    rig_near((double)rig_position(solver, i).y, 6.0005, 1e-4, "height of the lifted particle");
  }
  weft_solver_destroy(solver);
  rig_model_free(model);
}

/* A wire 1 mm thick swings like a door, its far end at 60 m/s: all that stood before it still does.
 */
static void a_swinging_wire_drives_everything_before_it(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_vec3 rest[SHOTS];
  float masses[SHOTS];
  weft_rng rng = weft_rng_seed(8);
  for (int i = 0; i < SHOTS; ++i) {
    float along = weft_rng_float(&rng, 0.1f, 0.9f);
    rest[i] = weft_v3(along, 0, weft_rng_float(&rng, 0.002f, 0.5f * along));
    masses[i] = 1;
  }
  weft_model *model = rig_model(SHOTS, rest, masses);
  weft_collider_key keys[] = {{0, {0, 0, 0}, {1, 0, 0}, {0, 0, 0}},
                              {1, {0, 0, 0}, {1, 0, 60}, {0, 0, 0}}};
  weft_collider door = wire;
  door.keys = keys;
  door.key_count = 2;
  weft_params params = {
      .no_gravity = true, .colliders = &door, .collider_count = 1, .frame_dt = 1.0f / 1200};
  params.substeps = 1;
  weft_solver *solver = rig_solver(model, &params, backend);
  for (uint32_t f = 1; f <= 12; ++f) {
    rig_step(solver, 1);
    for (uint32_t i = 0; i < SHOTS; ++i) {
      weft_vec3d x = weft_v3d_from(rig_position(solver, i));
      double slope = f * 60 / 1200.0;
      double before = (x.z - slope * x.x) / sqrt(1 + slope * slope);
      if (before < 0.0005 - 1e-5) fail_msg("particle %u lies %g m behind the door", i, -before);
    }
  }
  weft_solver_destroy(solver);
  rig_model_free(model);
}

/* Coulomb's impulse: a hit that takes the normal speed takes mu times that of the other. */
static void a_slanting_hit_loses_mu_times_its_normal_speed(void **state) {
  const weft_backend *backend = rig_backend(state);
  for (int v = 0; v < SPEEDS; ++v) {
    float speed = (float)speeds[v];
    weft_vec3 start = {-0.01f, 0.0113f, 0}, velocity = {speed, -speed, 0};
    float mass = 1;
    weft_model *model = rig_model(1, &start, &mass);
    weft_collider shape = plate;
    shape.half_size = weft_v3(500, 0.0005f, 1);
    shape.friction_static = shape.friction_dynamic = 0.3f;
    weft_params params = {.no_gravity = true, .colliders = &shape, .collider_count = 1};
    weft_solver *solver = rig_solver(model, &params, backend);
    rig_write(solver, NULL, &velocity);
    rig_step(solver, 3);
    rig_near((double)rig_velocity(solver, 0).x, 0.7 * speeds[v], 0.002 * speeds[v],
             "speed along the plate");
    rig_near((double)rig_velocity(solver, 0).y, 0, 0.001 * speeds[v], "speed off the plate");
    weft_solver_destroy(solver);
    rig_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(a_shot_sticks_where_it_enters),
      RIG_BOTH(a_shot_never_goes_through),
      RIG_BOTH(a_turning_plate_lets_nothing_through),
      RIG_BOTH(a_plate_that_takes_off_takes_along_what_rests_on_it),
      RIG_BOTH(a_swinging_wire_drives_everything_before_it),
      RIG_BOTH(a_slanting_hit_loses_mu_times_its_normal_speed),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
