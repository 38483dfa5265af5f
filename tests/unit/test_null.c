/* NULL for every pointer of every public function, alone and in descriptors, and indices past the
 * end: a sentence that names the argument, or nothing, as weft/types.h says; never a crash. Those
 * that need a GL context are in tests/gl/test_null_gl.c. */
#include <dirent.h>
#include <weft/body.h>
#include <weft/change.h>
#include <weft/structure.h>
#include <weft_kit/export.h>
#include <weft_kit/fit.h>
#include <weft_kit/layers.h>
#include <weft_kit/motion.h>
#include <weft_kit/scene.h>
#include <weft_kit/source.h>
#include <weft_kit/untangle.h>

#include "base.h"
#include "blend.h"
#include "refuses.h"
#include "rig.h"

/* ---- meshes ---- */

static void meshes(void **state) {
  (void)state;
  weft_mesh mesh = {0}, hollow = {.vertex_count = 3, .triangle_count = 1};
  weft_mesh_group *groups = (weft_mesh_group *)&mesh;
  uint32_t count = 7, pair[2] = {0, 9};
  weft_vec3 position = {0, 0, 0};
  weft_mesh_free(NULL);
  weft_mesh_groups_free(NULL, 3);
  REFUSES("mesh", weft_mesh_grid(&(weft_grid_desc){0}, NULL, E));
  REFUSES("mesh", weft_mesh_from_arrays(&position, 1, pair, 0, NULL, E));
  REFUSES("positions", weft_mesh_from_arrays(NULL, 1, pair, 0, &mesh, E));
  REFUSES("triangles", weft_mesh_from_arrays(&position, 1, NULL, 1, &mesh, E));
  REFUSES("mesh", weft_mesh_disc(&(weft_disc_desc){0}, NULL, E));
  REFUSES("mesh", weft_mesh_tube(&(weft_tube_desc){0}, NULL, E));
  REFUSES("mesh", weft_mesh_poncho(&(weft_poncho_desc){0}, NULL, E));
  REFUSES("mesh", weft_mesh_import("a.obj", NULL, NULL, E));
  REFUSES("mesh", weft_mesh_blend(&(weft_blend_desc){0}, NULL, E));
  REFUSES("desc", weft_mesh_blend(NULL, &mesh, E));
  REFUSES("solids", weft_mesh_blend(&(weft_blend_desc){.solid_count = 1}, &mesh, E));
  REFUSES("path", weft_mesh_import(NULL, NULL, &mesh, E));
  REFUSES("path", weft_mesh_groups(NULL, &groups, &count, E));
  assert_true(groups == NULL && count == 0);
  REFUSES("groups", weft_mesh_groups("a.obj", NULL, &count, E));
  REFUSES("count", weft_mesh_groups("a.obj", &groups, NULL, E));
  REFUSES("mesh", weft_mesh_repair(NULL, NULL, E));
  REFUSES("mesh", weft_mesh_repair(&hollow, NULL, E));
  REFUSES("mesh", weft_mesh_separate_layers(NULL, 0.01f, E));
  REFUSES("mesh", weft_mesh_separate_layers(&hollow, 0.01f, E));
  REFUSES("path", weft_mesh_export_obj(NULL, &mesh, NULL, E));
  REFUSES("mesh", weft_mesh_export_obj("/dev/null", NULL, &position, E));
  REFUSES("mesh", weft_mesh_export_obj("/dev/null", &hollow, NULL, E));
  REFUSES("path", weft_mesh_export_lines(NULL, &position, 1, NULL, 0, E));
  REFUSES("positions", weft_mesh_export_lines("/dev/null", NULL, 1, NULL, 0, E));
  REFUSES("pairs", weft_mesh_export_lines("/dev/null", &position, 1, NULL, 1, E));
  REFUSES("vertex 9", weft_mesh_export_lines("/dev/null", &position, 1, pair, 1, E));
  assert_false(weft_mesh_find_grid(NULL));
  assert_false(weft_mesh_find_grid(&hollow));
  assert_int_equal(weft_mesh_find_attached(NULL, &(bool){false}), 0);
  assert_int_equal(weft_mesh_find_attached(&mesh, NULL), 0);
  assert_int_equal(weft_mesh_find_attached(&hollow, (bool[3]){false}), 0);
  assert_false(weft_mesh_order(NULL));
  assert_false(weft_mesh_order(&hollow));
  assert_int_equal(weft_mesh_number(NULL, 5), 5);
  assert_int_equal(weft_mesh_face(NULL, 5), 5);
}

static void sources(void **state) {
  (void)state;
  weft_source source = {0};
  weft_mesh_map map = {0};
  weft_vec3 position = {0, 0, 0};
  REFUSES("source", weft_source_read("a.obj", NULL, NULL, E));
  REFUSES("path", weft_source_read(NULL, NULL, &source, E));
  REFUSES("source", weft_source_place(NULL, &map, &position, &position, E));
  REFUSES("map", weft_source_place(&source, NULL, &position, &position, E));
  REFUSES("positions", weft_source_place(&source, &map, NULL, &position, E));
  REFUSES("placed", weft_source_place(&source, &map, &position, NULL, E));
  const float rgb[3] = {0, 0, 0};
  bool marked = false;
  REFUSES("source", weft_source_select(NULL, WEFT_SOURCE_GROUP, "a", &marked, E));
  REFUSES("name", weft_source_select(&source, WEFT_SOURCE_GROUP, NULL, &marked, E));
  REFUSES("marked", weft_source_select(&source, WEFT_SOURCE_GROUP, "a", NULL, E));
  REFUSES("a", weft_source_select(&source, WEFT_SOURCE_GROUP, "a", &marked, E));
  REFUSES("source", weft_source_select_coloured(NULL, rgb, 1, &marked, E));
  REFUSES("rgb", weft_source_select_coloured(&source, NULL, 1, &marked, E));
  REFUSES("marked", weft_source_select_coloured(&source, rgb, 1, NULL, E));
  REFUSES("colour", weft_source_select_coloured(&source, rgb, 1, &marked, E));
  REFUSES("path", weft_source_write_obj(NULL, &source, &map, &position, E));
  REFUSES("source", weft_source_write_obj("/dev/null", NULL, &map, &position, E));
  weft_source_free(NULL);
  weft_source_free(&source);
}

static void caches(void **state) {
  (void)state;
  weft_mesh mesh = {0}, hollow = {.vertex_count = 3, .triangle_count = 1};
  weft_source source = {.vertex_count = 1};
  weft_export *cache;
  REFUSES("source", weft_source_from_mesh(&mesh, NULL, E));
  REFUSES("mesh", weft_source_from_mesh(NULL, &source, E));
  REFUSES("mesh", weft_source_from_mesh(&hollow, &source, E));
  REFUSES("desc", weft_export_open(NULL, &cache, E));
  REFUSES("cache", weft_export_open(&(weft_export_desc){0}, NULL, E));
  REFUSES("path", weft_export_open(&(weft_export_desc){.source = &source}, &cache, E));
  REFUSES("source", weft_export_open(&(weft_export_desc){.path = "a.pc2"}, &cache, E));
  weft_export_desc desc = {.path = "/dev/null", .source = &source, .link_count = 1};
  REFUSES("links", weft_export_open(&desc, &cache, E));
  REFUSES("cache", weft_export_frame(NULL, source.positions, E));
  REFUSES("cache", weft_export_close(NULL, E));
  weft_export_abandon(NULL);
  assert_null(weft_export_format_of(NULL));
  assert_null(weft_export_format_at(1000));
}

static void reports_of_meshes(void **state) {
  (void)state;
  weft_mesh hollow = {.vertex_count = 3, .triangle_count = 1};
  weft_mesh_report report = {.edge_count = 4}, empty = {0};
  weft_mesh_inspect(NULL, NULL);
  weft_mesh_inspect(&hollow, NULL);
  weft_mesh_inspect(NULL, &report);
  assert_memory_equal(&report, &empty, sizeof report);
  report.edge_count = 4;
  weft_mesh_inspect(&hollow, &report);
  assert_memory_equal(&report, &empty, sizeof report);
  weft_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  uint32_t triangle[3] = {0, 1, 3};
  weft_mesh broken = {
      .vertex_count = 3, .triangle_count = 1, .positions = corners, .triangles = triangle};
  weft_mesh_inspect(&broken, &report);
  assert_true(report.triangle_count == 1 && report.edge_count == 0);
  assert_int_equal(weft_mesh_export_obj("/dev/null", &broken, NULL, NULL), WEFT_ERROR_MESH);
}

/* Zeros mean defaults, and so does no descriptor. */
static void descriptors_that_may_be_left_out(void **state) {
  (void)state;
  weft_mesh mesh = {0};
  assert_int_equal(weft_mesh_grid(NULL, &mesh, NULL), WEFT_OK);
  assert_int_equal(mesh.vertex_count, 64 * 64);
  weft_mesh_free(&mesh);
  assert_int_equal(weft_mesh_disc(NULL, &mesh, NULL), WEFT_OK);
  weft_mesh_free(&mesh);
  assert_int_equal(weft_mesh_tube(NULL, &mesh, NULL), WEFT_OK);
  weft_mesh_free(&mesh);
  assert_int_equal(weft_mesh_poncho(NULL, &mesh, NULL), WEFT_OK);
  weft_mesh_free(&mesh);
  assert_int_equal(weft_mesh_import("/nowhere.obj", NULL, &mesh, NULL), WEFT_ERROR_FILE);
  weft_params params, zeros;
  assert_int_equal(weft_params_resolve(NULL, &params, NULL), WEFT_OK);
  assert_int_equal(weft_params_resolve(&(weft_params){0}, &zeros, NULL), WEFT_OK);
  assert_true(params.substeps == zeros.substeps && params.gravity.y == zeros.gravity.y);
}

/* ---- scene files ---- */

static void scene_files(void **state) {
  (void)state;
  static const char *const text = "{\"weft\": 1, \"cloth\": {\"scene\": \"bead\"}}";
  weft_scene_file *scene = NULL;
  weft_solver *solver = (weft_solver *)&scene;
  REFUSES("path", weft_scene_file_read(NULL, &scene, E));
  REFUSES("scene", weft_scene_file_read("a.weft.json", NULL, E));
  REFUSES("text", weft_scene_file_parse(NULL, NULL, &scene, E));
  REFUSES("scene", weft_scene_file_parse(text, NULL, NULL, E));
  REFUSES("scene", weft_scene_file_write(NULL, "/dev/null", E));
  REFUSES("scene", weft_scene_file_solver(NULL, weft_backend_ref(), &solver, E));
  assert_null(solver);
  REFUSES("scene", weft_scene_file_step(NULL, NULL, E));
  assert_int_equal(weft_scene_file_parse(text, NULL, &scene, NULL), WEFT_OK);
  REFUSES("path", weft_scene_file_write(scene, NULL, E));
  REFUSES("solver", weft_scene_file_solver(scene, weft_backend_ref(), NULL, E));
  REFUSES("backend", weft_scene_file_solver(scene, NULL, &solver, E));
  REFUSES("solver", weft_scene_file_step(scene, NULL, E));
  weft_scene_file_destroy(scene);
  weft_scene_file_destroy(NULL);
  assert_null(weft_scene_file_model(NULL));
  assert_null(weft_scene_file_params(NULL));
  assert_int_equal(weft_scene_file_frames(NULL), 0);
  assert_null(weft_scene_builtin(1000));
}

/* ---- motions ---- */

static void motions(void **state) {
  (void)state;
  weft_motion *motion;
  weft_vec3 position;
  REFUSES("motion", weft_motion_load(&(weft_motion_desc){.motion = "a.pc2"}, NULL, E));
  REFUSES("desc", weft_motion_load(NULL, &motion, E));
  REFUSES("motion", weft_motion_load(&(weft_motion_desc){0}, &motion, E));
  REFUSES("motion", weft_motion_at(NULL, 0, &position, E));
  weft_motion_free(NULL);
  assert_null(weft_motion_mesh(NULL));
  assert_int_equal(weft_motion_describe(NULL).frame_count, 0);
  assert_true(weft_motion_frame_seconds(NULL, 0) == 0 && weft_motion_duration(NULL) == 0);
}

static void bindings(void **state) {
  (void)state;
  weft_binding *binding;
  weft_vec3 position = {0, 0, 0};
  REFUSES("mesh", weft_binding_create(NULL, &position, 1, &binding, E));
  assert_null(binding);
  REFUSES("binding", weft_binding_at(NULL, &position, &position, E));
  weft_binding_destroy(NULL);
  assert_true(weft_binding_distance(NULL, 0) == 0);
}

/* ---- models ---- */

static weft_model *small_model(void) {
  return rig_sheet(&(weft_grid_desc){.rows = 4, .columns = 4}, "tshirt", WEFT_BENDING_NONE, false,
                   WEFT_PIN_CORNERS);
}

static void models(void **state) {
  (void)state;
  weft_mesh mesh = rig_grid(&(weft_grid_desc){.rows = 4, .columns = 4});
  const weft_mesh hollow = {.vertex_count = 3, .triangle_count = 1};
  const weft_pin list = {.rule = WEFT_PIN_LIST, .list_count = 2};
  weft_model *model = (weft_model *)&mesh, *sound = small_model();
  REFUSES("model", weft_model_create(&(weft_model_desc){.mesh = &mesh}, NULL, E));
  REFUSES("desc", weft_model_create(NULL, &model, E));
  assert_null(model);
  REFUSES("mesh", weft_model_create(&(weft_model_desc){0}, &model, E));
  assert_int_equal(weft_mesh_creases(NULL, NULL), 0);
  assert_int_equal(weft_mesh_creases(&hollow, NULL), 0);
  REFUSES("positions", weft_model_create(&(weft_model_desc){.mesh = &hollow}, &model, E));
  REFUSES("pins", weft_model_create(&(weft_model_desc){.mesh = &mesh, .pin_count = 1}, &model, E));
  REFUSES("list", weft_model_create(
                      &(weft_model_desc){.mesh = &mesh, .pins = &list, .pin_count = 1}, &model, E));
  REFUSES("out", weft_model_with_pins(sound, NULL, 0, true, NULL, E));
  REFUSES("model", weft_model_with_pins(NULL, NULL, 0, true, &model, E));
  REFUSES("particles", weft_model_with_pins(sound, NULL, 1, true, &model, E));
  const weft_model *both[2] = {sound, NULL};
  REFUSES("model", weft_model_join(both, 1, NULL, E));
  REFUSES("models", weft_model_join(NULL, 2, &model, E));
  REFUSES("models[m]", weft_model_join(both, 2, &model, E));
  REFUSES("none", weft_model_join(both, 0, &model, E));
  REFUSES("model", weft_model_validate(NULL, E));
  assert_null(model);
  weft_model_destroy(NULL);
  weft_model_destroy(sound);
  weft_mesh_free(&mesh);
}

static void models_of_particles(void **state) {
  (void)state;
  const weft_vec3 positions[2] = {{0, 0, 0}, {1, 0, 0}};
  const float masses[2] = {1, 1};
  weft_model *model = (weft_model *)&state;
  weft_particles_desc desc = {.particle_count = 2, .positions = positions, .masses = masses};
  REFUSES("model", weft_model_create_particles(&desc, NULL, E));
  REFUSES("desc", weft_model_create_particles(NULL, &model, E));
  desc.positions = NULL;
  REFUSES("positions", weft_model_create_particles(&desc, &model, E));
  desc.positions = positions;
  desc.masses = NULL;
  REFUSES("masses", weft_model_create_particles(&desc, &model, E));
  desc.masses = masses;
  desc.link_count = 1;
  REFUSES("links", weft_model_create_particles(&desc, &model, E));
  desc.link_count = 0;
  desc.hinge_count = 1;
  REFUSES("hinges", weft_model_create_particles(&desc, &model, E));
  REFUSES("", weft_model_create_particles(&(weft_particles_desc){0}, &model, E));
  assert_null(model);
}

static void what_a_model_says_of_itself(void **state) {
  (void)state;
  assert_true(weft_model_radius(NULL) == 0);
  assert_int_equal(weft_model_link_count(NULL), 0);
  assert_null(weft_model_links(NULL));
  assert_int_equal(weft_model_part_count(NULL), 0);
  assert_null(weft_model_part(NULL, 0));
  assert_int_equal(weft_model_particle_count(NULL), 0);
  assert_int_equal(weft_model_number(NULL, 3), 3);
  assert_int_equal(weft_model_numbered(NULL, 3), 3);
  assert_int_equal(weft_model_triangle_count(NULL), 0);
  assert_null(weft_model_triangles(NULL));
  assert_null(weft_model_rest_positions(NULL));
  assert_null(weft_model_inverse_masses(NULL));
  assert_int_equal(weft_model_pinned_count(NULL), 0);
  assert_false(weft_model_is_pinned(NULL, 0));
  assert_int_equal(weft_model_attached_count(NULL), 0);
  assert_false(weft_model_is_attached(NULL, 0));
  assert_int_equal(weft_model_group_count(NULL), 0);
  assert_int_equal(weft_model_constraint_count(NULL), 0);
  assert_int_equal(weft_model_colour_count(NULL), 0);
  assert_null(weft_model_group(NULL, 0).name);
  weft_model *model = small_model();
  assert_null(weft_model_group(model, weft_model_group_count(model)).name);
  assert_null(weft_model_part(model, 1));
  assert_int_equal(weft_model_number(model, UINT32_MAX), UINT32_MAX);
  weft_model_destroy(model);
  assert_null(weft_material_find(NULL));
  assert_null(weft_material_at(UINT32_MAX));
}

/* ---- solvers ---- */

static void parameters_and_creation(void **state) {
  (void)state;
  weft_model *model = small_model();
  weft_solver *solver = (weft_solver *)model;
  weft_params params = {0};
  weft_strain_choice choice;
  const weft_backend *ref = weft_backend_ref();
  REFUSES("out", weft_params_resolve(&params, NULL, E));
  REFUSES("desc", weft_untangle(NULL, NULL, NULL, E));
  REFUSES("model", weft_params_choose_for_strain(NULL, 0.01, 0, &params, &choice, E));
  REFUSES("params", weft_params_choose_for_strain(model, 0.01, 0, NULL, &choice, E));
  REFUSES("choice", weft_params_choose_for_strain(model, 0.01, 0, &params, NULL, E));
  (void)weft_params_default(); /* takes nothing */
  weft_params_mueller2007(NULL);
  weft_params_plain(NULL);
  REFUSES("solver", weft_solver_create(model, &params, ref, NULL, E));
  REFUSES("model", weft_solver_create(NULL, &params, ref, &solver, E));
  assert_null(solver);
  REFUSES("backend", weft_solver_create(model, &params, NULL, &solver, E));
  params.collider_count = 1;
  REFUSES("colliders", weft_solver_create(model, &params, ref, &solver, E));
  const weft_collider keyless = {.shape = WEFT_COLLIDER_SPHERE, .radius = 1, .key_count = 2};
  params.colliders = &keyless;
  REFUSES("keys", weft_solver_create(model, &params, ref, &solver, E));
  weft_solver_destroy(NULL);
  assert_int_equal(weft_solver_create(model, NULL, ref, &solver, NULL), WEFT_OK);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  assert_null(weft_backend_name(NULL));
  assert_non_null(weft_backend_cpu(0));
  assert_non_null(weft_backend_cpu_describe());
}

static void solvers(void **state) {
  (void)state;
  weft_model *model = small_model();
  const weft_params params = {.grab = true, .keep_multipliers = true};
  weft_solver *solver = rig_solver(model, &params, weft_backend_ref());
  weft_solver *doubles = rig_solver(model, &params, weft_backend_f64());
  const weft_vec3 target = {0, 0, 0};
  const uint32_t particle = 0;
  const weft_ray ray = {.direction = {0, 0, 1}};
  weft_vec3 there;
  weft_hit hit;
  rig_step(solver, 1);
  REFUSES("solver", weft_solver_step(NULL, E));
  REFUSES("solver", weft_solver_read(NULL, NULL, NULL, E));
  REFUSES("solver", weft_solver_write(NULL, NULL, NULL, E));
  weft_view view = {.stride = 9};
  REFUSES("solver", weft_solver_view(NULL, &view, E));
  assert_int_equal(view.stride, 0);
  REFUSES("solver", weft_solver_read_f64(NULL, NULL, NULL, E));
  REFUSES("solver", weft_solver_write_f64(NULL, NULL, NULL, E));
  REFUSES("solver", weft_solver_reset(NULL, E));
  REFUSES("solver", weft_solver_move_pins(NULL, &particle, &target, 1, E));
  REFUSES("particles", weft_solver_move_pins(solver, NULL, &target, 1, E));
  REFUSES("targets", weft_solver_move_pins(solver, &particle, NULL, 1, E));
  const double wide[3] = {0, 0, 0};
  REFUSES("solver", weft_solver_move_pins_f64(NULL, &particle, wide, 1, E));
  REFUSES("particles", weft_solver_move_pins_f64(solver, NULL, wide, 1, E));
  REFUSES("targets", weft_solver_move_pins_f64(solver, &particle, NULL, 1, E));
  REFUSES("solver", weft_solver_move_body_f64(NULL, 0, wide, E));
  REFUSES("positions", weft_solver_move_body_f64(solver, 0, NULL, E));
  REFUSES("solver", weft_solver_grab(NULL, 0, target, E));
  REFUSES("solver", weft_solver_move_grab(NULL, target, E));
  REFUSES("solver", weft_solver_move_collider(NULL, 0, target, E));
  REFUSES("solver", weft_solver_set_body_friction(NULL, 0, 0.5f, 0.4f, E));
  REFUSES("solver", weft_solver_move_body(NULL, 0, &target, E));
  REFUSES("positions", weft_solver_move_body(solver, 0, NULL, E));
  REFUSES("solver", weft_solver_read_body(NULL, 0, &there, E));
  REFUSES("positions", weft_solver_read_body(solver, 0, NULL, E));
  REFUSES("solver", weft_solver_pick(NULL, &ray, &hit, E));
  REFUSES("ray", weft_solver_pick(solver, NULL, &hit, E));
  assert_int_equal(hit.particle, WEFT_NO_PARTICLE);
  REFUSES("hit", weft_solver_pick(solver, &ray, NULL, E));
  REFUSES("to", weft_solver_copy_state_from(NULL, solver, E));
  REFUSES("from", weft_solver_copy_state_from(solver, NULL, E));
  weft_state *kept = NULL;
  const weft_collider collider = {.b = {0, 1, 0}};
  const weft_body body = {0};
  REFUSES("solver", weft_solver_set_params(NULL, NULL, E));
  weft_solver_hold_tables(NULL, true);
  REFUSES("solver", weft_solver_set_model(NULL, model, E));
  REFUSES("model", weft_solver_set_model(solver, NULL, E));
  REFUSES("solver", weft_solver_set_pins(NULL, &particle, 1, 1, E));
  REFUSES("particles", weft_solver_set_pins(solver, NULL, 1, 1, E));
  assert_true(weft_solver_pin_weight(NULL, 0) == 0);
  REFUSES("solver", weft_solver_place_collider(NULL, 0, &collider, E));
  REFUSES("to", weft_solver_place_collider(solver, 0, NULL, E));
  REFUSES("solver", weft_solver_add_collider(NULL, &collider, NULL, E));
  REFUSES("collider", weft_solver_add_collider(solver, NULL, NULL, E));
  REFUSES("solver", weft_solver_remove_collider(NULL, 0, E));
  REFUSES("solver", weft_solver_add_body(NULL, &body, NULL, E));
  REFUSES("body", weft_solver_add_body(solver, NULL, NULL, E));
  REFUSES("solver", weft_solver_remove_body(NULL, 0, E));
  REFUSES("solver", weft_solver_set_budget(NULL, 1, E));
  REFUSES("solver", weft_solver_keep_state(NULL, &kept, E));
  REFUSES("state", weft_solver_keep_state(solver, NULL, E));
  REFUSES("solver", weft_solver_set_state(NULL, NULL, E));
  REFUSES("state", weft_solver_set_state(solver, NULL, E));
  weft_state_destroy(NULL);
  void *bytes = solver;
  size_t size = 1;
  REFUSES("solver", weft_solver_save(NULL, &bytes, &size, E));
  assert_true(bytes == NULL && size == 0);
  REFUSES("bytes", weft_solver_save(solver, NULL, &size, E));
  REFUSES("size", weft_solver_save(solver, &bytes, NULL, E));
  REFUSES("solver", weft_solver_load(NULL, &size, sizeof size, E));
  REFUSES("bytes", weft_solver_load(solver, NULL, 1, E));
  REFUSES("solver", weft_solver_read_instance(NULL, 0, NULL, NULL, E));
  REFUSES("solver", weft_solver_write_instance(NULL, 0, NULL, NULL, E));
  REFUSES("solver", weft_solver_reset_instances(NULL, NULL, E));
  REFUSES("marked", weft_solver_reset_instances(solver, NULL, E));
  REFUSES("solver", weft_solver_link_forces(NULL, NULL, E));
  REFUSES("newtons", weft_solver_link_forces(solver, NULL, E));
  REFUSES("solver", weft_solver_hash(NULL, NULL, E));
  REFUSES("hash", weft_solver_hash(solver, NULL, E));
  weft_structure structure;
  weft_frame_input input;
  REFUSES("solver", weft_solver_structure(NULL, &structure, E));
  REFUSES("structure", weft_solver_structure(solver, NULL, E));
  weft_structure_free(NULL);
  weft_solver_frame_input(NULL, &input);
  assert_int_equal(input.substep_count, 0);
  weft_solver_frame_input(solver, NULL);
  weft_frame_input_free(NULL);
  REFUSES("solver", weft_solver_metrics(NULL, NULL, E));
  REFUSES("metrics", weft_solver_metrics(solver, NULL, E));
  REFUSES("solver", weft_solver_standstill(NULL, NULL, E));
  REFUSES("still", weft_solver_standstill(solver, NULL, E));
  /* Allowed: nothing to read or write, no pins to move. */
  assert_int_equal(weft_solver_read(solver, NULL, NULL, NULL), WEFT_OK);
  assert_int_equal(weft_solver_read_f64(doubles, NULL, NULL, NULL), WEFT_OK);
  REFUSES("view", weft_solver_view(solver, NULL, E));
  assert_int_equal(weft_solver_write(solver, NULL, NULL, NULL), WEFT_OK);
  assert_int_equal(weft_solver_read_instance(solver, 0, NULL, NULL, NULL), WEFT_OK);
  assert_int_equal(weft_solver_write_instance(solver, 0, NULL, NULL, NULL), WEFT_OK);
  assert_int_equal(weft_solver_load(solver, NULL, 0, NULL), WEFT_ERROR_FORMAT);
  assert_int_equal(weft_solver_write_f64(solver, NULL, NULL, NULL), WEFT_OK);
  assert_int_equal(weft_solver_move_pins_f64(solver, NULL, NULL, 0, NULL), WEFT_OK);
  assert_int_equal(weft_solver_move_pins(solver, NULL, NULL, 0, NULL), WEFT_OK);
  weft_solver_destroy(doubles);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static void what_a_solver_says_of_itself(void **state) {
  (void)state;
  assert_int_equal(weft_solver_frame(NULL), 0);
  assert_true(weft_solver_time(NULL) == 0);
  assert_int_equal(weft_solver_grabbed(NULL), WEFT_NO_PARTICLE);
  weft_solver_release(NULL);
  assert_null(weft_solver_model(NULL));
  assert_null(weft_solver_params(NULL));
  assert_int_equal(weft_solver_bending_substeps(NULL), 0);
  assert_int_equal(weft_solver_schedule(NULL), WEFT_SCHEDULE_AUTO);
  weft_log_set(NULL, NULL, WEFT_LOG_DEBUG);
  weft_progress_set(NULL, NULL);
  weft_free(NULL);
  const weft_mesh empty = {0};
  weft_memory_need need;
  uint64_t bytes;
  assert_int_equal(weft_model_memory(NULL), 0);
  REFUSES("solver", weft_solver_memory(NULL, &bytes, NULL, E));
  REFUSES("desc", weft_memory_estimate(NULL, NULL, NULL, &need, E));
  REFUSES("mesh", weft_memory_estimate(&(weft_model_desc){0}, NULL, NULL, &need, E));
  REFUSES("need", weft_memory_estimate(&(weft_model_desc){.mesh = &empty}, NULL, NULL, NULL, E));
  REFUSES("allocate", weft_set_allocator(&(weft_allocator){0}, E));
  assert_int_equal(weft_set_allocator(NULL, NULL), WEFT_OK);
}

/* ---- that none is left out ---- */

static char *text_of(const char *path) {
  char full[1024];
  snprintf(full, sizeof full, "%s/%s", WEFT_SOURCE_DIR, path);
  FILE *file = fopen(full, "rb");
  if (!file) fail_msg("%s cannot be read", full);
  char *text = weft_alloc(1 << 20, 1);
  text[fread(text, 1, (1 << 20) - 1, file)] = 0;
  fclose(file);
  return text;
}

/* The next "weft_NAME(" from `at` on; its end, or NULL. */
static const char *next_function(const char *at, char *name, size_t size) {
  for (; (at = strstr(at, "weft_")); ++at) {
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
    if (at[length] != '(' || length + 2 > size) continue;
    snprintf(name, size, "%.*s(", (int)length, at);
    return at + length;
  }
  return NULL;
}

static void dressing(void **state) {
  (void)state;
  weft_vec3 x;
  weft_model *model = (weft_model *)&x; /* not looked at */
  weft_params params = {0};
  weft_fit_report report;
  REFUSES("desc", weft_fit(NULL, &x, &report, E));
  REFUSES("model", weft_fit(&(weft_fit_desc){0}, &x, &report, E));
  REFUSES("params", weft_fit(&(weft_fit_desc){.model = model}, &x, &report, E));
  REFUSES("backend", weft_fit(&(weft_fit_desc){.model = model, .params = &params}, &x, &report, E));
  REFUSES(
      "positions",
      weft_fit(&(weft_fit_desc){.model = model, .params = &params, .backend = weft_backend_ref()},
               NULL, &report, E));
}

static void every_public_function_is_called_here(void **state) {
  (void)state;
  char *here = text_of("tests/unit/test_null.c"), *there = text_of("tests/gl/test_null_gl.c");
  uint32_t functions = 0;
  DIR *folder = opendir(WEFT_SOURCE_DIR "/include/weft");
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    char path[300], name[80];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "include/weft/%s", entry->d_name);
    char *header = text_of(path);
    for (const char *at = header; (at = next_function(at, name, sizeof name)); ++functions) {
      if (!strstr(here, name) && !strstr(there, name))
        fail_msg("%s) is not called with NULL", name);
    }
    weft_free(header);
  }
  closedir(folder);
  assert_true(functions > 70);
  weft_free(here);
  weft_free(there);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(meshes),
      cmocka_unit_test(sources),
      cmocka_unit_test(caches),
      cmocka_unit_test(reports_of_meshes),
      cmocka_unit_test(scene_files),
      cmocka_unit_test(motions),
      cmocka_unit_test(bindings),
      cmocka_unit_test(descriptors_that_may_be_left_out),
      cmocka_unit_test(models),
      cmocka_unit_test(models_of_particles),
      cmocka_unit_test(what_a_model_says_of_itself),
      cmocka_unit_test(parameters_and_creation),
      cmocka_unit_test(solvers),
      cmocka_unit_test(what_a_solver_says_of_itself),
      cmocka_unit_test(dressing),
      cmocka_unit_test(every_public_function_is_called_here),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
