/* Boxes, and shapes that turn: the surface carries what lies on it. */
#include "rig.h"

static weft_model *one_particle(void) {
  weft_vec3 start = {0, 0, 0};
  float mass = 1;
  return rig_model(1, &start, &mass);
}

/* ---- the top of a box turned about z is a slope ---- */

static double slide_on_box(const weft_backend *backend, double angle, double hold, double rub) {
  weft_model *model = one_particle();
  const double half = 0.25, thickness = 0.01;
  weft_vec3 n = {(float)sin(angle), (float)cos(angle), 0};
  weft_collider box = {.shape = WEFT_COLLIDER_BOX,
                       .a = weft_v3_scale(n, (float)(-half - thickness)),
                       .half_size = {8, (float)half, 1},
                       .rotation = {0, 0, (float)-angle},
                       .friction_static = (float)hold,
                       .friction_dynamic = (float)rub};
  weft_params params = {.colliders = &box, .collider_count = 1, .thickness = (float)thickness};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_step(solver, 60);
  weft_vec3 x = rig_position(solver, 0);
  rig_near((double)x.x * sin(angle) + (double)x.y * cos(angle), 0, 2e-6, "height above the box");
  weft_solver_destroy(solver);
  rig_model_free(model);
  return (double)x.x * cos(angle) - (double)x.y * sin(angle);
}

static void a_block_on_a_tilted_box_obeys_both_frictions(void **state) {
  const weft_backend *backend = rig_backend(state);
  double critical = atan(0.5);
  rig_near(slide_on_box(backend, critical - 0.02, 0.5, 0.5), 0, 1e-5, "way of the held block");
  static const double steeper[] = {0.05, 0.2, 0.5};
  for (int k = 0; k < 3; ++k) {
    double angle = critical + steeper[k];
    double way = 0.5 * 9.81 * (sin(angle) - 0.5 * cos(angle));
    rig_near(slide_on_box(backend, angle, 0.5, 0.5), way, 0.01 * way, "way of the sliding block");
  }
  rig_near(slide_on_box(backend, atan(0.4), 0.6, 0.2), 0, 1e-5, "way between the two angles");
  double angle = atan(0.7), way = 0.5 * 9.81 * (sin(angle) - 0.2 * cos(angle));
  rig_near(slide_on_box(backend, angle, 0.6, 0.2), way, 0.01 * way, "way past both angles");
}

/* ---- where a box pushes: worked out in its own frame ---- */

typedef struct push {
  weft_vec3d at, to; /* of the box's own frame, m */
} push;

static void a_box_pushes_out_of_faces_edges_and_corners(void **state) {
  const weft_backend *backend = rig_backend(state);
  /* half size 0.3 0.2 0.1, thickness 0.05: 3-4-5 and 1-2-2 triangles past edges and corners */
  const push pushes[] = {
      {{0.32, 0.1, 0}, {0.35, 0.1, 0}},
      {{-0.1, -0.21, 0.05}, {-0.1, -0.25, 0.05}},
      {{0, 0.1, 0.13}, {0, 0.1, 0.15}},
      {{0.315, 0.22, 0.03}, {0.33, 0.24, 0.03}},
      {{-0.315, 0.05, -0.12}, {-0.33, 0.05, -0.14}},
      {{0.31, 0.22, 0.12}, {0.3 + 0.05 / 3, 0.2 + 0.1 / 3, 0.1 + 0.1 / 3}},
      {{-0.32, -0.21, 0.12}, {-0.3 - 0.1 / 3, -0.2 - 0.05 / 3, 0.1 + 0.1 / 3}},
      {{0.28, 0.05, 0.02}, {0.35, 0.05, 0.02}}, /* inside: out of the nearest face */
      {{0.1, 0.05, -0.06}, {0.1, 0.05, -0.15}},
      {{0.1, -0.19, 0.02}, {0.1, -0.25, 0.02}},
      {{0.3, 0, 0}, {0.35, 0, 0}},            /* on the face */
      {{0.341, 0.241, 0}, {0.341, 0.241, 0}}, /* past the rounded edge: no contact */
  };
  const weft_vec3d rotation = {0.4, -1.1, 0.7};
  enum { COUNT = sizeof pushes / sizeof *pushes };
  weft_vec3 starts[COUNT];
  float masses[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    starts[i] = weft_v3d_round(weft_v3d_rotate(pushes[i].at, rotation));
    masses[i] = 1;
  }
  weft_model *model = rig_model(COUNT, starts, masses);
  weft_collider box = {
      .shape = WEFT_COLLIDER_BOX, .half_size = {0.3f, 0.2f, 0.1f}, .rotation = {0.4f, -1.1f, 0.7f}};
  weft_params params = {.substeps = 1,
                        .no_gravity = true,
                        .colliders = &box,
                        .collider_count = 1,
                        .thickness = 0.05f};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_step(solver, 1);
  for (int i = 0; i < COUNT; ++i) {
    weft_vec3 there = weft_v3d_round(weft_v3d_rotate(pushes[i].to, rotation));
    float miss = weft_v3_length(weft_v3_sub(rig_position(solver, (uint32_t)i), there));
    if (!(miss < 2e-7f)) fail_msg("push %d misses by %g m", i, (double)miss);
  }
  weft_solver_destroy(solver);
  rig_model_free(model);
}

/* ---- a turntable: friction mu g holds what needs omega^2 r ---- */

static const double mu = 0.5, radius = 0.3, spun = 2;

/* A particle that starts at `radius` on the way of the table; where it is after `spun` seconds. */
static weft_vec3 spin_on(const weft_backend *backend, weft_collider table, double omega) {
  weft_vec3 start = {(float)radius, 0, 0}, velocity = {0, 0, (float)(-omega * radius)};
  float mass = 1;
  weft_model *model = rig_model(1, &start, &mass);
  weft_collider_key keys[] = {
      {0, table.a, table.b, {0, 0, 0}},
      {4, table.a, table.b, {0, (float)(4 * omega), 0}},
  };
  table.keys = keys;
  table.key_count = 2;
  table.friction_static = table.friction_dynamic = (float)mu;
  weft_params params = {.colliders = &table, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_write(solver, NULL, &velocity);
  rig_step(solver, (uint32_t)(60 * spun));
  weft_vec3 x = rig_position(solver, 0);
  rig_near((double)x.y, 0, 1e-6, "height over the table");
  weft_solver_destroy(solver);
  rig_model_free(model);
  return x;
}

static void a_turntable_carries_what_friction_can_hold(void **state) {
  const weft_backend *backend = rig_backend(state);
  const weft_collider tables[] = {
      {.shape = WEFT_COLLIDER_PLANE, .b = {0, 1, 0}},
      {.shape = WEFT_COLLIDER_BOX, .a = {0, -0.25f, 0}, .half_size = {9, 0.25f, 9}},
  };
  double critical = sqrt(mu * 9.81 / radius);
  for (int k = 0; k < 2; ++k) {
    double omega = 0.97 * critical;
    weft_vec3 held = spin_on(backend, tables[k], omega);
    rig_near((double)held.x, radius * cos(omega * spun), 2e-4, "x of the carried particle");
    rig_near((double)held.z, -radius * sin(omega * spun), 2e-4, "z of the carried particle");
    weft_vec3 lost = spin_on(backend, tables[k], 1.03 * critical);
    assert_true(hypot((double)lost.x, (double)lost.z) > radius + 0.1);
  }
}

static void a_turntable_brings_resting_cloth_round(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_grid_desc grid = {
      .rows = 9, .columns = 9, .width = 0.3f, .height = 0.3f, .plane = WEFT_PLANE_XZ};
  weft_model *model = rig_sheet(&grid, "trousers", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  weft_collider_key keys[] = {{0, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
                              {1, {0, 0, 0}, {0, 1, 0}, {0, 1.5f, 0}},
                              {2, {0, 0, 0}, {0, 1, 0}, {0, 1.5f, 0}}};
  weft_collider table = {.shape = WEFT_COLLIDER_PLANE,
                         .friction_static = 1,
                         .friction_dynamic = 1,
                         .keys = keys,
                         .key_count = 3};
  weft_params params = {.colliders = &table, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  weft_vec3 start = rig_position(solver, 0);
  rig_step(solver, 100);
  weft_vec3 end = rig_position(solver, 0);
  /* A corner slips at most r omega^2 / (2 mu g) radians while it starts and stops. */
  double angle = atan2((double)start.z * (double)end.x - (double)start.x * (double)end.z,
                       (double)start.x * (double)end.x + (double)start.z * (double)end.z);
  rig_near(angle, 1.5, 0.03, "angle that the cloth was turned by");
  rig_near((double)rig_velocity(solver, 0).x, 0, 1e-4, "speed once the table stands");
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- a ball and a roller that spin under a particle at their top: it is dragged by mu times its
 * weight, less what flying off takes: R theta'' = mu (g cos theta - R theta'^2) + g sin theta ----
 */

static double dragged_angle(double ball, double seconds) {
  double angle = 0, rate = 0, dt = 1e-6;
  for (double t = 0; t < seconds; t += dt) {
    double load = 9.81 * cos(angle) - ball * rate * rate;
    rate += dt * (mu * load + 9.81 * sin(angle)) / ball;
    angle += dt * rate;
  }
  return angle;
}

static void a_spinning_surface_drags_what_lies_on_it(void **state) {
  const weft_backend *backend = rig_backend(state);
  const weft_collider shapes[] = {
      {.shape = WEFT_COLLIDER_SPHERE, .radius = 1},
      {.shape = WEFT_COLLIDER_CAPSULE, .radius = 1},
  };
  for (int k = 0; k < 2; ++k) {
    weft_model *model = one_particle();
    weft_collider roller = shapes[k];
    weft_collider_key keys[] = {{0, {0, -1, -1}, {0, -1, 1}, {0, 0, 0}},
                                {1, {0, -1, -1}, {0, -1, 1}, {0, 0, -20}}};
    if (k == 0) keys[0].a.z = keys[1].a.z = 0;
    roller.keys = keys;
    roller.key_count = 2;
    roller.friction_static = roller.friction_dynamic = (float)mu;
    weft_params params = {.colliders = &roller, .collider_count = 1};
    weft_solver *solver = rig_solver(model, &params, backend);
    rig_step(solver, 18);
    weft_vec3 x = rig_position(solver, 0);
    double expected = dragged_angle(1, 0.3);
    rig_near(atan2((double)x.x, 1 + (double)x.y), expected, 0.01 * expected, "angle dragged");
    weft_solver_destroy(solver);
    rig_model_free(model);
  }
}

/* Two turns between two keys are two turns, not none. */
static void several_turns_between_keys_are_made(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_vec3 start = {0.05f, 0, 0};
  float mass = 1;
  weft_model *model = rig_model(1, &start, &mass);
  weft_collider_key keys[] = {{0, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
                              {4, {0, 0, 0}, {0, 1, 0}, {0, 6.2831853f, 0}},
                              {7, {0, 0, 0}, {0, 1, 0}, {0, 18.849556f, 0}}};
  weft_collider table = {.shape = WEFT_COLLIDER_PLANE,
                         .friction_static = 2,
                         .friction_dynamic = 2,
                         .keys = keys,
                         .key_count = 3};
  weft_params params = {.colliders = &table, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  double angle = 0;
  weft_vec3 last = start;
  for (int frame = 0; frame < 420; ++frame) {
    rig_step(solver, 1);
    weft_vec3 now = rig_position(solver, 0);
    angle += atan2((double)last.z * (double)now.x - (double)last.x * (double)now.z,
                   (double)last.x * (double)now.x + (double)last.z * (double)now.z);
    last = now;
  }
  rig_near(angle, 18.849556, 0.02, "angle after three turns");
  weft_solver_destroy(solver);
  rig_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(a_block_on_a_tilted_box_obeys_both_frictions),
      RIG_BOTH(a_box_pushes_out_of_faces_edges_and_corners),
      RIG_BOTH(a_turntable_carries_what_friction_can_hold),
      RIG_BOTH(a_turntable_brings_resting_cloth_round),
      RIG_BOTH(a_spinning_surface_drags_what_lies_on_it),
      RIG_BOTH(several_turns_between_keys_are_made),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
