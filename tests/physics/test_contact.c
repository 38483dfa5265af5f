/* Colliders and friction. */
#include "rig.h"

/* ---- a block on a slope, g = 9.81 down, the slope's normal tilted about z ---- */

static const double mu = 0.5;

static double slide_after_a_second(const weft_backend *backend, double angle, double hold,
                                   double rub) {
  weft_vec3 start = {0, 0, 0};
  float mass = 1;
  weft_model *model = rig_model(1, &start, &mass);
  weft_collider slope = {.shape = WEFT_COLLIDER_PLANE,
                         .b = {(float)sin(angle), (float)cos(angle), 0},
                         .friction_static = (float)hold,
                         .friction_dynamic = (float)rub};
  weft_params params = {.colliders = &slope, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_step(solver, 60);
  weft_vec3 x = rig_position(solver, 0);
  rig_near((double)x.x * sin(angle) + (double)x.y * cos(angle), 0, 1e-6, "height above the slope");
  weft_solver_destroy(solver);
  rig_model_free(model);
  return (double)x.x * cos(angle) - (double)x.y * sin(angle);
}

static void a_block_slides_only_when_the_slope_exceeds_the_friction_angle(void **state) {
  const weft_backend *backend = rig_backend(state);
  double critical = atan(mu);
  rig_near(slide_after_a_second(backend, critical - 0.02, mu, mu), 0, 1e-5,
           "way of the block that holds");
  static const double steeper[] = {0.05, 0.2, 0.5};
  for (int k = 0; k < 3; ++k) {
    double angle = critical + steeper[k];
    double acceleration = 9.81 * (sin(angle) - mu * cos(angle));
    double way = 0.5 * acceleration;
    rig_near(slide_after_a_second(backend, angle, mu, mu), way, 0.01 * way,
             "way of the block that slides");
  }
}

/* Between the two friction angles a resting block stays; past the static one it slides, and then
 * only the kinetic coefficient holds it back. */
static void static_friction_holds_and_kinetic_friction_slows(void **state) {
  const weft_backend *backend = rig_backend(state);
  rig_near(slide_after_a_second(backend, atan(0.4), 0.6, 0.2), 0, 1e-5, "way of the held block");
  double angle = atan(0.7);
  double way = 0.5 * 9.81 * (sin(angle) - 0.2 * cos(angle));
  rig_near(slide_after_a_second(backend, angle, 0.6, 0.2), way, 0.01 * way, "way once it slides");
}

/* ---- cloth falling on shapes ---- */

static double depth_below(const weft_collider *c, weft_vec3 p) {
  weft_vec3 from = weft_v3_sub(p, c->a);
  if (c->shape == WEFT_COLLIDER_PLANE) return -(double)weft_v3_dot(from, c->b);
  if (c->shape == WEFT_COLLIDER_CAPSULE) {
    weft_vec3 axis = weft_v3_sub(c->b, c->a);
    float t = weft_v3_dot(from, axis) / weft_v3_dot(axis, axis);
    t = fminf(fmaxf(t, 0), 1);
    from = weft_v3_sub(from, weft_v3_scale(axis, t));
  }
  return (double)c->radius - (double)weft_v3_length(from);
}

/* The collision pass is the last to move particles: none is left below the surface plus thickness.
 */
static void drop_on(const weft_backend *backend, const weft_collider *shape) {
  weft_grid_desc grid = {
      .rows = 17, .columns = 17, .plane = WEFT_PLANE_XZ, .centre = {0, 0.35f, 0}};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_DIHEDRAL, false, WEFT_PIN_NONE);
  weft_params params = {.colliders = shape, .collider_count = 1, .thickness = 0.005f};
  weft_solver *solver = rig_solver(model, &params, backend);
  double highest = 1; /* depth of the particle nearest to the surface, negative outside */
  for (int frame = 0; frame < 40; ++frame) {
    rig_step(solver, 1);
    for (uint32_t i = 0; i < model->particle_count; ++i) {
      double depth = depth_below(shape, rig_position(solver, i));
      assert_true(depth <= -0.005 + 2e-6);
      highest = fmin(highest, -depth);
    }
  }
  rig_near(highest, 0.005, 1e-5, "distance of the particle that rests on the shape");
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void cloth_rests_on_a_plane_a_sphere_and_a_capsule(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_collider shapes[] = {
      {.shape = WEFT_COLLIDER_PLANE, .b = {0, 1, 0}, .friction_static = 0.4f},
      {.shape = WEFT_COLLIDER_SPHERE, .radius = 0.25f, .friction_static = 0.4f},
      {.shape = WEFT_COLLIDER_CAPSULE,
       .a = {-0.3f, 0, 0.1f},
       .b = {0.3f, 0.05f, 0},
       .radius = 0.2f,
       .friction_static = 0.4f,
       .friction_dynamic = 0.3f},
  };
  for (int k = 0; k < 3; ++k) drop_on(backend, &shapes[k]);
}

/* ---- a conveyor: a plane that starts to move at v; friction mu g brings the cloth up to speed
 * over v^2 / (2 mu g) of slip ---- */

static void a_moving_plane_carries_cloth_by_friction(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_grid_desc grid = {.rows = 9, .columns = 9, .plane = WEFT_PLANE_XZ};
  weft_model *model = rig_sheet(&grid, "trousers", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  weft_collider_key path[] = {{0.25f, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
                              {1.25f, {0.5f, 0, 0}, {0, 1, 0}, {0, 0, 0}}};
  weft_collider plane = {.shape = WEFT_COLLIDER_PLANE,
                         .friction_static = 0.8f,
                         .friction_dynamic = 0.8f,
                         .keys = path,
                         .key_count = 2};
  weft_params params = {.colliders = &plane, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  weft_vec3 start = rig_position(solver, 40);
  rig_step(solver, 15);
  rig_near((double)rig_position(solver, 40).x, (double)start.x, 1e-6, "cloth on a still plane");
  rig_step(solver, 60);
  double slip = 0.5 * 0.5 / (2 * 0.8 * 9.81);
  weft_vec3 end = rig_position(solver, 40);
  rig_near((double)end.x - (double)start.x, 0.5 - slip, 0.002, "way the cloth was carried");
  rig_near((double)rig_velocity(solver, 40).x, 0.5, 0.01, "speed of the carried cloth");
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void a_frictionless_plane_carries_nothing(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_vec3 start = {0, 0, 0};
  float mass = 1;
  weft_model *model = rig_model(1, &start, &mass);
  weft_collider_key path[] = {{0, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
                              {1, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}}};
  weft_collider plane = {.shape = WEFT_COLLIDER_PLANE, .keys = path, .key_count = 2};
  weft_params params = {.colliders = &plane, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_step(solver, 60);
  assert_true(rig_position(solver, 0).x == 0);
  weft_solver_destroy(solver);
  rig_model_free(model);
}

/* A plane that rises lifts what lies on it. */
static void a_rising_plane_lifts_cloth(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_vec3 start = {0, 0, 0};
  float mass = 1;
  weft_model *model = rig_model(1, &start, &mass);
  weft_collider_key path[] = {{0, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
                              {1, {0, 0.5f, 0}, {0, 1, 0}, {0, 0, 0}}};
  weft_collider plane = {.shape = WEFT_COLLIDER_PLANE, .keys = path, .key_count = 2};
  weft_params params = {.colliders = &plane, .collider_count = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_step(solver, 30);
  rig_near((double)rig_position(solver, 0).y, 0.25, 1e-5, "height of the lifted particle");
  weft_solver_destroy(solver);
  rig_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(a_block_slides_only_when_the_slope_exceeds_the_friction_angle),
      RIG_BOTH(static_friction_holds_and_kinetic_friction_slows),
      RIG_BOTH(cloth_rests_on_a_plane_a_sphere_and_a_capsule),
      RIG_BOTH(a_moving_plane_carries_cloth_by_friction),
      RIG_BOTH(a_frictionless_plane_carries_nothing),
      RIG_BOTH(a_rising_plane_lifts_cloth),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
