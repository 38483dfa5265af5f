/* The values of a picked particle, against what its place and its partners' say. On the reference.
 */
#include "picked.h"

#include "rig.h"

enum { SIDE = 5, MIDDLE = 12 };

typedef struct sheet {
  weft_mesh mesh;
  weft_model *model;
  weft_solver *solver;
  weft_demo_partners partners;
  weft_demo_picked picked;
} sheet;

/* A metre wide, 0.25 m from particle to particle, flat at height 0. */
static sheet open_sheet(weft_params params) {
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  const weft_grid_desc grid = {
      .rows = SIDE, .columns = SIDE, .width = 1, .height = 1, .plane = WEFT_PLANE_XZ};
  sheet s = {.mesh = rig_grid(&grid)};
  s.model = rig_preprocess(&(weft_model_desc){.mesh = &s.mesh, .pins = &pin, .pin_count = 1});
  s.solver = rig_solver(s.model, &params, weft_backend_ref());
  return s;
}

static void read_one(sheet *s, uint32_t particle) {
  weft_error err = {0};
  weft_demo_partners_find(&s->partners, s->model, particle);
  if (weft_demo_picked_read(&s->partners, s->solver, &s->picked, &err)) fail_msg("%s", err.message);
}

static void write_state(sheet *s, const weft_vec3 *velocities) {
  rig_write(s->solver, s->mesh.positions, velocities);
}

static void close_sheet(sheet *s) {
  weft_demo_partners_free(&s->partners);
  weft_solver_destroy(s->solver);
  weft_model_destroy(s->model);
  weft_mesh_free(&s->mesh);
}

static void place_speed_and_mass_are_the_solvers(void **state) {
  (void)state;
  sheet s = open_sheet((weft_params){0});
  weft_vec3 velocities[SIDE * SIDE] = {0};
  velocities[MIDDLE] = weft_v3(1, -2, 2);
  write_state(&s, velocities);
  read_one(&s, MIDDLE);
  assert_true(s.picked.known);
  assert_int_equal(s.picked.particle, MIDDLE);
  assert_memory_equal(&s.picked.at, &s.mesh.positions[MIDDLE], sizeof s.picked.at);
  assert_memory_equal(&s.picked.velocity, &velocities[MIDDLE], sizeof s.picked.velocity);
  assert_true(s.picked.inverse_mass == weft_model_inverse_masses(s.model)[MIDDLE]);
  assert_true(s.picked.inverse_mass > 0);
  read_one(&s, 0);
  assert_true(s.picked.inverse_mass == 0);
  close_sheet(&s);
}

/* Six edges of the mesh meet in the middle; bending joins it to further ones across each of them.
 */
static void edges_and_neighbours_are_those_of_the_mesh(void **state) {
  (void)state;
  sheet s = open_sheet((weft_params){0});
  bool joined[SIDE * SIDE] = {0};
  for (uint32_t t = 0; t < s.mesh.triangle_count; ++t) {
    const uint32_t *c = &s.mesh.triangles[3 * t];
    bool here = c[0] == MIDDLE || c[1] == MIDDLE || c[2] == MIDDLE;
    for (int k = 0; here && k < 3; ++k) joined[c[k]] = true;
  }
  uint32_t edges = 0;
  for (uint32_t k = 0; k < SIDE * SIDE; ++k) edges += joined[k] && k != MIDDLE;
  read_one(&s, MIDDLE);
  assert_int_equal(s.picked.edges, edges);
  assert_in_range(s.picked.neighbours, edges, 18);
  close_sheet(&s);
}

/* 3 % along x: edges along it have 3 %, those across none, diagonals in between. */
static void strain_is_that_of_the_worst_edge_with_its_sign(void **state) {
  (void)state;
  sheet s = open_sheet((weft_params){0});
  for (uint32_t k = 0; k < SIDE * SIDE; ++k) s.mesh.positions[k].x *= 1.03f;
  write_state(&s, NULL);
  read_one(&s, MIDDLE);
  assert_true(fabsf(s.picked.strain - 0.03f) < 1e-5f);
  for (uint32_t k = 0; k < SIDE * SIDE; ++k) s.mesh.positions[k].z *= 0.92f;
  write_state(&s, NULL);
  read_one(&s, MIDDLE);
  assert_true(fabsf(s.picked.strain + 0.08f) < 1e-5f);
  close_sheet(&s);
}

static void contact_begins_where_cloth_of_this_thickness_rests(void **state) {
  (void)state;
  const weft_collider floor = {.shape = WEFT_COLLIDER_PLANE, .b = {0, 1, 0}};
  sheet s = open_sheet((weft_params){.thickness = 0.01f, .colliders = &floor, .collider_count = 1});
  const float heights[] = {0.0099f, 0.0101f, 0.05f};
  for (int k = 0; k < 3; ++k) {
    s.mesh.positions[MIDDLE].y = heights[k];
    write_state(&s, NULL);
    read_one(&s, MIDDLE);
    assert_int_equal(s.picked.touches_collider, k < 2);
  }
  assert_false(s.picked.touches_particle);
  close_sheet(&s);
}

static void grains_know_what_is_near_and_what_they_touch(void **state) {
  (void)state;
  weft_error err = {0};
  const weft_vec3 places[] = {{0, 0, 0}, {0.02f, 0, 0}, {0, 1, 0}};
  const float masses[] = {1, 1, 1};
  weft_demo_partners partners = {0};
  weft_demo_picked picked;
  const weft_particles_desc desc = {
      .positions = places, .masses = masses, .particle_count = 3, .radius = 0.01f};
  const weft_params params = {.particle_contact = true, .no_gravity = true};
  weft_model *model = rig_particles(&desc);
  weft_solver *solver = rig_solver(model, &params, weft_backend_ref());
  rig_step(solver, 1);
  for (uint32_t k = 0; k < 3; ++k) {
    weft_demo_partners_find(&partners, model, k);
    if (weft_demo_picked_read(&partners, solver, &picked, &err)) fail_msg("%s", err.message);
    assert_int_equal(picked.touches_particle, k < 2);
    assert_int_equal(picked.near, k < 2);
    assert_int_equal(picked.edges, 0);
  }
  weft_demo_partners_free(&partners);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void a_line_says_it_all_and_is_cut_rather_than_overrun(void **state) {
  (void)state;
  sheet s = open_sheet((weft_params){0});
  char text[400], small[40];
  read_one(&s, 0);
  weft_demo_picked_describe(&s.picked, text, sizeof text);
  assert_non_null(strstr(text, "particle 0: at (-0.5, 0, "));
  assert_non_null(strstr(text, "inverse mass 0 /kg (pinned)"));
  assert_non_null(strstr(text, "touches nothing"));
  for (size_t size = 1; size <= sizeof small; ++size) {
    memset(small, '#', sizeof small);
    weft_demo_picked_describe(&s.picked, small, size);
    assert_true(strlen(small) < size);
  }
  close_sheet(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(place_speed_and_mass_are_the_solvers),
      cmocka_unit_test(edges_and_neighbours_are_those_of_the_mesh),
      cmocka_unit_test(strain_is_that_of_the_worst_edge_with_its_sign),
      cmocka_unit_test(contact_begins_where_cloth_of_this_thickness_rests),
      cmocka_unit_test(grains_know_what_is_near_and_what_they_touch),
      cmocka_unit_test(a_line_says_it_all_and_is_cut_rather_than_overrun),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
