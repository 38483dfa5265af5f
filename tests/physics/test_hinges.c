/* Bending constraints against geometry in double precision. */
#include "rig.h"

/* Angle between the triangles x0 x2 x3 and x1 x3 x2 about x2 x3: the turn, seen along the edge,
 * from one height to the opposite of the other. Heights instead of normals: not the shader's
 * formula. */
static double hinge_angle(const weft_vec3d *x) {
  weft_vec3d e = weft_v3d_sub(x[3], x[2]), h[2];
  for (int k = 0; k < 2; ++k) {
    weft_vec3d d = weft_v3d_sub(x[k], x[2]);
    h[k] = weft_v3d_add_scaled(d, -weft_v3d_dot(d, e) / weft_v3d_dot(e, e), e);
  }
  weft_vec3d out = weft_v3d_scale(h[1], -1);
  double sine = weft_v3d_dot(weft_v3d_cross(h[0], out), e) / weft_v3d_length(e);
  return atan2(sine, weft_v3d_dot(h[0], out));
}

static double angle_of(weft_solver *solver) {
  weft_vec3d x[4];
  for (uint32_t i = 0; i < 4; ++i) x[i] = weft_v3d_from(rig_position(solver, i));
  return hinge_angle(x);
}

/* Edge along x; x0 to one side, x1 turned by `angle` out of the plane of the other. */
static void open_hinge(double angle, double size, weft_vec3 *x) {
  float s = (float)size;
  x[2] = weft_v3(0, 0, 0);
  x[3] = weft_v3(s, 0, 0);
  x[0] = weft_v3(0.4f * s, s, 0);
  x[1] = weft_v3(0.6f * s, -s * (float)cos(angle), s * (float)sin(angle));
}

static weft_model *hinge_model(double rest, double size) {
  weft_vec3 x[4];
  static const float masses[] = {1, 2, 1.5f, 1};
  static const uint32_t particles[] = {0, 1, 2, 3};
  open_hinge(rest, size, x);
  weft_model *model = rig_model(4, x, masses);
  weft_vec3d d[4];
  for (int i = 0; i < 4; ++i) d[i] = weft_v3d_from(x[i]);
  rig_group(model, WEFT_CONSTRAINT_DIHEDRAL, 1, particles)->rest[0] = (float)hinge_angle(d);
  return model;
}

static weft_solver *still_solver(const weft_model *model, const weft_backend *backend,
                                 const weft_vec3 *x) {
  /* Damping this strong stops all motion: only positions are projected. */
  weft_params params = {.no_gravity = true, .substeps = 1, .iterations = 1, .damping = 10000};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_write(solver, x, NULL);
  return solver;
}

static void a_hinge_pushed_from_six_poses_returns_to_its_rest_angle(void **state) {
  const weft_backend *backend = rig_backend(state);
  static const double poses[] = {0, 3.14159, -3.14159, 1.5707, -1.5707, 2.9};
  static const double rests[] = {0, 0.6, -1.2};
  for (int r = 0; r < 3; ++r) {
    weft_model *model = hinge_model(rests[r], 0.05);
    double rest = (double)model->groups[0].rest[0];
    for (int k = 0; k < 6; ++k) {
      weft_vec3 x[4];
      open_hinge(poses[k], 0.05, x);
      weft_solver *solver = still_solver(model, backend, x);
      rig_step(solver, 60);
      double error = remainder(angle_of(solver) - rest, 6.283185307179586);
      rig_near(error, 0, 1e-3, "distance to the rest angle");
      weft_solver_destroy(solver);
    }
    rig_model_free(model);
  }
}

/* One projection moves particle i by -w_i g_i C / (sum w |g|^2). */
static void the_first_move_follows_the_finite_difference_gradient(void **state) {
  const weft_backend *backend = rig_backend(state);
  static const double angles[] = {0.3, -0.9, 2.2, -2.8, 1e-3};
  weft_model *model = hinge_model(0, 0.1);
  for (int k = 0; k < 5; ++k) {
    weft_vec3 x[4];
    open_hinge(angles[k], 0.1, x);
    weft_vec3d d[4], g[4];
    for (int i = 0; i < 4; ++i) d[i] = weft_v3d_from(x[i]);
    double c = hinge_angle(d), sum = 0;
    for (int i = 0; i < 4; ++i) {
      double *part[] = {&d[i].x, &d[i].y, &d[i].z}, *slope[] = {&g[i].x, &g[i].y, &g[i].z};
      for (int a = 0; a < 3; ++a) {
        double at = *part[a], h = 1e-6;
        *part[a] = at + h;
        double more = hinge_angle(d);
        *part[a] = at - h;
        *slope[a] = (more - hinge_angle(d)) / (2 * h);
        *part[a] = at;
      }
      sum += (double)model->inverse_masses[i] * weft_v3d_dot(g[i], g[i]);
    }
    model->groups[0].rest[0] = (float)(c - 1e-2); /* a small violation */
    weft_solver *solver = still_solver(model, backend, x);
    rig_step(solver, 1);
    for (uint32_t i = 0; i < 4; ++i) {
      weft_vec3 moved = weft_v3_sub(rig_position(solver, i), x[i]);
      double scale = -(double)model->inverse_masses[i] * 1e-2 / sum;
      rig_near((double)moved.x, scale * g[i].x, 1e-7, "move along x");
      rig_near((double)moved.y, scale * g[i].y, 1e-7, "move along y");
      rig_near((double)moved.z, scale * g[i].z, 1e-7, "move along z");
    }
    weft_solver_destroy(solver);
  }
  rig_model_free(model);
}

/* A hinge of two triangles as the model preprocesses it. */
static weft_model *two_triangles(weft_bending bending) {
  weft_vec3 x[4];
  open_hinge(0, 0.1, x);
  weft_vec3 positions[] = {x[0], x[1], x[2], x[3]};
  uint32_t triangles[] = {0, 2, 3, 1, 3, 2};
  weft_mesh mesh = {
      .vertex_count = 4, .triangle_count = 2, .positions = positions, .triangles = triangles};
  weft_model_desc desc = {.mesh = &mesh, .bending = bending};
  weft_model *model = rig_preprocess(&desc);
  return model;
}

/* Bergou 2006: for a fold without stretch |sum K x| = 2 |e| sin(theta / 2). Read from the
 * multiplier of one projection, -c / (sum w K^2 + alpha~). */
static void the_isometric_violation_is_twice_the_edge_times_the_half_sine(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_model *model = two_triangles(WEFT_BENDING_ISOMETRIC);
  weft_constraint_group *bend = &model->groups[model->group_count - 1];
  assert_int_equal(bend->type, WEFT_CONSTRAINT_ISOMETRIC);
  bend->compliance[0] = 1e-9f;
  for (double theta = 0.1; theta < 3.1; theta += 0.5) {
    weft_vec3 x[4];
    open_hinge(theta, 0.1, x);
    weft_params params = {
        .no_gravity = true, .substeps = 1, .iterations = 2, .damping = 10000, .frame_dt = 1};
    weft_solver *solver = rig_solver(model, &params, backend);
    rig_write(solver, x, NULL);
    weft_solver_begin_frame(solver);
    weft_quad_element row;
    weft_solver_read_buffer(solver, WEFT_BUFFER_ISOMETRIC, 0, 1, &row);
    for (size_t k = 0; k < solver->passes.count; ++k) { /* that one pass alone */
      const weft_pass *pass = &solver->passes.items[k];
      if (pass->kind != WEFT_PASS_PROJECT_ISOMETRIC) continue;
      backend->run(solver->instance, pass, 0);
      break;
    }
    vec4 lambda;
    weft_solver_read_buffer(solver, WEFT_BUFFER_ISOMETRIC_LAMBDA, 0, 1, &lambda);
    weft_vec3d l = {(double)lambda.x, (double)lambda.y, (double)lambda.z};
    double c = sqrt(weft_v3d_dot(l, l)) / (double)row.data.w;
    rig_near(c, 2 * 0.1 * sin(theta / 2), 2e-6, "length of the violation");
    weft_solver_destroy(solver);
  }
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(a_hinge_pushed_from_six_poses_returns_to_its_rest_angle),
      RIG_BOTH(the_first_move_follows_the_finite_difference_gradient),
      RIG_BOTH(the_isometric_violation_is_twice_the_edge_times_the_half_sine),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
