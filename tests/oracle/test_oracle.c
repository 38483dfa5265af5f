/* weft against the oracle: a solver that shares no line with it, one substep at a time from the
 * same state, in doubles. Not seen here: how tables, lists and orders come about (that is in
 * test_rest_data.c), what floats round, and what differs between backends (weft validate). */
#include <weft_kit/import.h>

#include <weft/change.h>
#include "compare.h"

/* ---- models ---- */

static weft_model *preprocess(weft_mesh *mesh, weft_model_desc desc) {
  weft_model *model = NULL;
  weft_error err = {0};
  desc.mesh = mesh;
  if (weft_model_create(&desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  weft_mesh_free(mesh);
  return model;
}

/* Columns 3 cm apart, rows 4 cm, so that warp and weft differ; held at the corners of row 0. */
static weft_model *sheet(uint32_t rows, uint32_t columns, weft_grid_pattern pattern,
                         const weft_material *material, weft_bending bending) {
  weft_mesh mesh = {0};
  const weft_grid_desc grid = {.rows = rows,
                               .columns = columns,
                               .width = 0.03f * (float)(columns - 1),
                               .height = 0.04f * (float)(rows - 1),
                               .pattern = pattern,
                               .plane = WEFT_PLANE_XZ};
  assert_int_equal(weft_mesh_grid(&grid, &mesh, NULL), WEFT_OK);
  const weft_pin corners = {.rule = WEFT_PIN_CORNERS};
  return preprocess(
      &mesh, (weft_model_desc){
                 .material = material, .bending = bending, .pins = &corners, .pin_count = 1});
}

static weft_model *plain_sheet(uint32_t side) {
  return sheet(side, side, WEFT_GRID_SAME_DIAGONAL, NULL, WEFT_BENDING_ISOMETRIC);
}

/* A tube is no grid, its rest pose is curved, and it closes. */
static weft_model *tube(weft_bending bending, const char *fabric) {
  weft_mesh mesh = {0};
  const weft_tube_desc desc = {.rings = 14, .segments = 24};
  assert_int_equal(weft_mesh_tube(&desc, &mesh, NULL), WEFT_OK);
  const weft_pin list = {.rule = WEFT_PIN_LIST, .list = (uint32_t[]){0, 1, 2, 9, 17}, 5};
  return preprocess(&mesh, (weft_model_desc){.material = weft_material_find(fabric),
                                             .bending = bending,
                                             .pins = &list,
                                             .pin_count = 1});
}

static weft_model *particles(const weft_particles_desc *desc) {
  weft_model *model = NULL;
  weft_error err = {0};
  if (weft_model_create_particles(desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  return model;
}

static float between(weft_rng *rng, float low, float high) {
  return weft_rng_float(rng, low, high);
}

static weft_vec3 anywhere(weft_rng *rng, float half) {
  float x = between(rng, -half, half), y = between(rng, -half, half);
  return weft_v3(x, y, between(rng, -half, half));
}

/* A tube, and over it pieces of its own: a pyramid that is small beside its triangles, and a quad
 * that is not. */
static weft_model *tube_with_pieces(void) {
  enum { PIECES = 8, FACES = 6 };
  static const uint32_t faces[3 * FACES] = {0, 1, 3, 1, 2, 3, 2, 0, 3, 0, 2, 1, 4, 5, 6, 4, 6, 7};
  weft_mesh mesh = {0};
  const weft_tube_desc desc = {.rings = 14, .segments = 24};
  assert_int_equal(weft_mesh_tube(&desc, &mesh, NULL), WEFT_OK);
  const uint32_t first = mesh.vertex_count, faces_before = mesh.triangle_count;
  mesh.vertex_count += PIECES;
  mesh.triangle_count += FACES;
  mesh.positions = weft_realloc(mesh.positions, mesh.vertex_count, sizeof *mesh.positions);
  mesh.triangles = weft_realloc(mesh.triangles, 3 * (size_t)mesh.triangle_count, sizeof(uint32_t));
  bool *attached = weft_alloc(mesh.vertex_count, sizeof *attached);
  for (uint32_t k = 0; k < PIECES; ++k) {
    const weft_vec3 near = mesh.positions[k < 4 ? 130 : 205];
    const float size = k < 4 ? 0.006f : 0.1f, angle = 1.6f * (float)k;
    mesh.positions[first + k] =
        weft_v3(1.02f * near.x + (k == 3 ? size : 0), near.y + size * cosf(angle),
                1.02f * near.z + size * sinf(angle));
    attached[first + k] = true;
  }
  for (uint32_t c = 0; c < 3 * FACES; ++c) {
    mesh.triangles[3 * (size_t)faces_before + c] = faces[c] + first;
  }
  const weft_pin list = {.rule = WEFT_PIN_LIST, .list = (uint32_t[]){0, 1, 2, 9, 17}, 5};
  weft_model *model =
      preprocess(&mesh, (weft_model_desc){.pins = &list, .pin_count = 1, .attached = attached});
  weft_free(attached);
  return model;
}

/* ---- comparisons ---- */

/* Shakes a model, and compares some frames of it. What acted is returned. */
static oracle_counts shaken(const char *name, const weft_model *model, const weft_params *params,
                            float metres, uint32_t frames) {
  comparison c;
  comparison_open(&c, name, model, params);
  comparison_shake(&c, 3, metres, 1);
  comparison_frames(&c, frames);
  oracle_counts counts = c.oracle->counts;
  comparison_close(&c);
  return counts;
}

/* The same of a model that nobody needs afterwards. */
static oracle_counts shaken_once(const char *name, weft_model *model, weft_params params,
                                 float metres) {
  oracle_counts counts = shaken(name, model, &params, metres, 2);
  weft_model_destroy(model);
  return counts;
}

/* Relaxation of contact between particles: with 1, a lone pair is parted to where it just touches,
 * and whether that counts as an overlap of one more is for the last bit to say. */
static const float never_touching = 0.95f;

/* ---- scenes ---- */

static void compare_scene(const char *name, uint32_t size, uint32_t skip) {
  weft_scene_instance scene;
  weft_error err = {0};
  const weft_scene_options options = {.size = size};
  if (weft_scene_make(weft_scene_find(name), &options, &scene, &err) != WEFT_OK) {
    fail_msg("%s: %s", name, err.message);
  }
  comparison c;
  scene.params.relaxation = never_touching;
  scene.params.self_collision =
      false; /* physics.test_self_collision judges it, test_bodies these */
  uint32_t bodies = scene.params.body_count;
  scene.params.body_count = 0;
  comparison_open(&c, name, scene.model, &scene.params);
  c.scene = &scene;
  comparison_skip(&c, skip);
  comparison_frames(&c, 3);
  comparison_close(&c);
  scene.params.body_count = bodies;
  weft_scene_free(&scene);
}

static void every_scene(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t size, skip; /* frames, to where it is in full motion */
  } rows[] = {{"duel", 14, 60},        {"wring", 20, 20},   {"hanging", 14, 20},
              {"drape", 16, 40},       {"flag", 14, 10},    {"curtain", 16, 140},
              {"skirt", 16, 60},       {"poncho", 16, 60},  {"pleats", 12, 20},
              {"tumble", 16, 50},      {"heap", 16, 10},    {"stack", 6, 20},
              {"handkerchief", 12, 6}, {"walk", 12, 20},    {"knot", 16, 20},
              {"bead", 5, 20},         {"pendulum", 4, 20}, {"rope", 8, 30},
              {"fur", 6, 60},          {"threads", 8, 60},  {"sand", 10, 30}};
  for (uint32_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    assert_non_null(weft_scene_at(k)); /* none is forgotten */
    assert_string_equal(weft_scene_at(k)->name, rows[k].name);
    compare_scene(rows[k].name, rows[k].size, rows[k].skip);
  }
  assert_null(weft_scene_at(sizeof rows / sizeof *rows));
}

/* ---- constraints ---- */

static const char *const mode_names[] = {"gs", "jacobi", "hybrid"};
static const char *const bending_names[] = {"isometric", "dihedral", "across", "none", "mixed"};
static const char *const pattern_names[] = {"same", "alternating", "equilateral"};

static weft_params few_substeps(void) {
  return (weft_params){.substeps = 4, .hybrid_min = 30, .damping = 0.3f};
}

/* One model in all modes and with several iterations. */
static void every_mode_of(const char *name, const weft_model *model, weft_params params) {
  for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
    for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
      char title[128];
      snprintf(title, sizeof title, "%s, %s, %u iterations", name, mode_names[mode], iterations);
      params.mode = (weft_mode)mode;
      params.iterations = iterations;
      params.relaxation = mode == WEFT_MODE_HYBRID ? 0.8f : 0;
      oracle_counts n = shaken(title, model, &params, 0.004f, 1);
      assert_true(n.distances > 0);
      assert_true((n.jacobi > 0) == (mode != WEFT_MODE_GS));
      assert_true((n.accumulated > 0) == (iterations > 1 && params.method == WEFT_METHOD_XPBD));
    }
  }
}

static void every_bending_and_mode(void **state) {
  (void)state;
  weft_material damped = *weft_material_find("denim");
  damped.damping_time = 0.01f;
  for (int bending = 0; bending <= WEFT_BENDING_MIXED; ++bending) {
    for (int pattern = 0; pattern <= WEFT_GRID_EQUILATERAL; ++pattern) {
      char name[64];
      snprintf(name, sizeof name, "%s, %s", bending_names[bending], pattern_names[pattern]);
      const weft_material *fabric = pattern == WEFT_GRID_ALTERNATING ? &damped : NULL;
      weft_model *model = sheet(9, 8, (weft_grid_pattern)pattern, fabric, (weft_bending)bending);
      every_mode_of(name, model, few_substeps());
      weft_model_destroy(model);
    }
  }
}

static void every_mode_of_pbd(void **state) {
  (void)state;
  weft_params params = few_substeps();
  params.method = WEFT_METHOD_PBD;
  params.pbd_stretch = 0.7f;
  params.pbd_bending = 0.2f;
  for (int bending = 0; bending <= WEFT_BENDING_ACROSS; ++bending) {
    char name[64];
    snprintf(name, sizeof name, "pbd, %s", bending_names[bending]);
    weft_model *model = sheet(8, 9, WEFT_GRID_ALTERNATING, NULL, (weft_bending)bending);
    every_mode_of(name, model, params);
    weft_model_destroy(model);
  }
}

/* The algorithm of 2007 as it stands there: contacts in each iteration, global damping. */
static void mueller_2007(void **state) {
  (void)state;
  const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE,
                              .a = {0.02f, -0.04f, 0},
                              .radius = 0.08f,
                              .friction_static = 0.5f,
                              .friction_dynamic = 0.3f};
  weft_params params = {.colliders = &ball, .collider_count = 1};
  weft_params_mueller2007(&params);
  oracle_counts n = shaken_once("mueller 2007", plain_sheet(12), params, 0.004f);
  assert_true(n.spheres > 0 && n.rigid_bodies > 0);
}

/* A rest shape with folds, which hinges keep; turned inside out, angles pass pi. */
static void folded_rest_shapes(void **state) {
  (void)state;
  for (int bending = WEFT_BENDING_DIHEDRAL; bending <= WEFT_BENDING_MIXED; bending += 3) {
    weft_params params = {.substeps = 5, .iterations = 2};
    weft_mesh mesh = {0};
    assert_int_equal(weft_mesh_grid(&(weft_grid_desc){.rows = 7, .columns = 9}, &mesh, NULL),
                     WEFT_OK);
    for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
      if (i % 9 % 4 >= 2) mesh.positions[i].z += 0.6f;
    }
    weft_model *model = preprocess(&mesh, (weft_model_desc){.bending = (weft_bending)bending});
    oracle_counts n = shaken_once(bending_names[bending], model, params, 0.1f);
    assert_true(n.hinges > 0 && n.accumulated > 0);
  }
}

/* ---- particles with links and hinges of all kinds ---- */

enum { PARTICLES = 40, LINKS = 90, HINGES = 25 };

static void random_link(weft_rng *rng, weft_link *l) {
  static const float compliances[] = {0, 1e-6f, 1e-4f, 1e-3f, 1e-2f};
  l->a = weft_rng_u32(rng) % PARTICLES;
  l->b = (l->a + 1 + weft_rng_u32(rng) % (PARTICLES - 1)) % PARTICLES;
  l->rest_length = between(rng, 0.1f, 1.5f);
  l->compliance = compliances[weft_rng_u32(rng) % 5];
  l->damping = weft_rng_u32(rng) % 2 ? between(rng, 0, 3) : 0;
  l->sense = (weft_sense)(weft_rng_u32(rng) % 3);
  l->bending = weft_rng_u32(rng) % 4 == 0;
}

static void random_hinge(weft_rng *rng, weft_hinge *h) {
  static const float compliances[] = {0, 1e-3f, 0.1f, 1};
  uint32_t first = weft_rng_u32(rng) % PARTICLES;
  static const uint32_t steps[3] = {3, 11, 26}; /* different from each other, whatever the first */
  h->particles[0] = first;
  for (int k = 1; k < 4; ++k) h->particles[k] = (first + steps[k - 1]) % PARTICLES;
  h->rest_angle = between(rng, -3.1f, 3.1f);
  h->compliance = compliances[weft_rng_u32(rng) % 4];
  h->damping = weft_rng_u32(rng) % 2 ? between(rng, 0, 0.01f) : 0;
}

static weft_model *random_system(uint64_t seed) {
  weft_rng rng = weft_rng_seed(seed);
  weft_vec3 positions[PARTICLES];
  float masses[PARTICLES];
  weft_link links[LINKS] = {0};
  weft_hinge hinges[HINGES] = {0};
  for (int i = 0; i < PARTICLES; ++i) {
    positions[i] = anywhere(&rng, 0.7f);
    masses[i] = i % 9 == 0 ? 0 : expf(between(&rng, -5, 2));
  }
  for (int k = 0; k < LINKS; ++k) random_link(&rng, &links[k]);
  for (int k = 0; k < HINGES; ++k) random_hinge(&rng, &hinges[k]);
  return particles(&(weft_particles_desc){.particle_count = PARTICLES,
                                          .positions = positions,
                                          .masses = masses,
                                          .links = links,
                                          .link_count = LINKS,
                                          .hinges = hinges,
                                          .hinge_count = HINGES});
}

static void random_systems(void **state) {
  (void)state;
  oracle_counts before = all_counts;
  for (uint32_t k = 0; k < 60; ++k) {
    char name[64];
    snprintf(name, sizeof name, "random system %u", k);
    weft_params params = {.substeps = 3,
                          .mode = (weft_mode)(k % 3),
                          .method = k % 5 == 0 ? WEFT_METHOD_PBD : WEFT_METHOD_XPBD,
                          .iterations = 1 + k % 4,
                          .hybrid_min = 4,
                          .schedule = k % 6 == 3 ? WEFT_SCHEDULE_PATCHES : WEFT_SCHEDULE_AUTO,
                          .lra = k % 7 == 0 ? 4 : 0};
    shaken_once(name, random_system(100 + k), params, 0.05f);
  }
  assert_true(all_counts.clamped > before.clamped + 100);
  assert_true(all_counts.undone > before.undone + 100);
  assert_true(all_counts.damped > before.damped + 100);
  assert_true(all_counts.hinges > before.hinges + 100);
}

/* Where nothing has a direction: everything in one point, some of it pinned. */
static void no_direction_anywhere(void **state) {
  (void)state;
  weft_model *model = sheet(5, 6, WEFT_GRID_ALTERNATING, NULL, WEFT_BENDING_DIHEDRAL);
  weft_vec3 x[30] = {{0}};
  comparison c;
  comparison_open(&c, "one point", model,
                  &(weft_params){.substeps = 3,
                                 .iterations = 2,
                                 .no_gravity = true,
                                 .air_density = 1,
                                 .global_damping = 1,
                                 .line_sweeps = 2,
                                 .multilevel = WEFT_ALL_LEVELS,
                                 .lra = 2});
  assert_int_equal(weft_solver_write(c.solver, x, NULL, NULL), WEFT_OK);
  comparison_frames(&c, 1);
  comparison_close(&c);
  weft_model_destroy(model);
}

/* A cloth that has shrunk to a point, nearly: below a part of 2^-20 of its rest length an edge
 * rests, above it is drawn out. */
static void next_to_no_length(void **state) {
  (void)state;
  static const float parts[] = {8e-7f, 1.1e-6f};
  for (int k = 0; k < 4; ++k) {
    weft_params params = {.substeps = 2, .no_gravity = true, .line_sweeps = k / 2 ? 1 : 0};
    weft_model *model = plain_sheet(5);
    weft_vec3 x[25];
    for (int i = 0; i < 25; ++i) {
      x[i] = weft_v3_scale(weft_model_rest_positions(model)[i], parts[k % 2]);
    }
    comparison c;
    comparison_open(&c, "next to no length", model, &params);
    assert_int_equal(weft_solver_write(c.solver, x, NULL, NULL), WEFT_OK);
    comparison_frames(&c, 1);
    double extent = 0;
    for (int i = 0; i < 75; ++i) extent = fmax(extent, fabs(c.x[i]));
    assert_true((extent > 1e-3) == (k % 2 == 1));
    comparison_close(&c);
    weft_model_destroy(model);
  }
}

/* ---- what acts on many constraints at once ---- */

static void patches(void **state) {
  (void)state;
  for (int bending = 0; bending <= WEFT_BENDING_ACROSS; ++bending) {
    for (uint32_t iterations = 1; iterations <= 2; ++iterations) {
      char name[64];
      snprintf(name, sizeof name, "patches, %s, %u iterations", bending_names[bending], iterations);
      weft_params params = {
          .substeps = 4, .iterations = iterations, .schedule = WEFT_SCHEDULE_PATCHES};
      shaken_once(name, sheet(24, 25, WEFT_GRID_SAME_DIAGONAL, NULL, (weft_bending)bending), params,
                  0.004f);
    }
  }
  const weft_params more = {.substeps = 4,
                            .iterations = 2,
                            .schedule = WEFT_SCHEDULE_PATCHES,
                            .line_sweeps = 1,
                            .multilevel = WEFT_ALL_LEVELS,
                            .lra = 2};
  shaken_once("patches, lines, levels, attachments", plain_sheet(24), more, 0.004f);
}

static void lines(void **state) {
  (void)state;
  static const char *const fabrics[] = {"inextensible", "ribknit"};
  for (uint32_t sweeps = 1; sweeps <= 3; sweeps += 2) {
    for (int k = 0; k < 2; ++k) {
      const weft_params params = {.substeps = 4, .iterations = sweeps, .line_sweeps = sweeps};
      const weft_material *fabric = weft_material_find(fabrics[k]);
      oracle_counts n = shaken_once(
          "lines of a grid", sheet(13, 11, WEFT_GRID_ALTERNATING, fabric, WEFT_BENDING_ISOMETRIC),
          params, 0.004f);
      assert_true(n.lines > 0 && (n.line_sweeps > 0) == (sweeps > 1));
      n = shaken_once("lines of a tube", tube(WEFT_BENDING_DIHEDRAL, fabrics[k]), params, 0.004f);
      assert_true(n.lines > 0 && n.distances == 0); /* all edges go straight on in others */
    }
  }
}

/* Bent so hard for its cells that hinges would lose it; lines of many lengths, in bundles of many.
 */
static void bends_along_lines(void **state) {
  (void)state;
  const weft_material stiff = {"stiff", 0.128f, 4004, 4055, 19, 1e-3f, 0};
  static const uint32_t sizes[][2] = {{13, 11}, {2, 9}, {3, 40}, {34, 3}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    for (uint32_t sweeps = 1; sweeps <= 2; ++sweeps) {
      weft_params params = {.substeps = 4, .iterations = sweeps, .line_sweeps = sweeps};
      if (k == 0 && sweeps == 1) params.schedule = WEFT_SCHEDULE_PATCHES;
      weft_grid_pattern pattern = k % 2 ? WEFT_GRID_SAME_DIAGONAL : WEFT_GRID_ALTERNATING;
      oracle_counts n = shaken_once(
          "bends along lines",
          sheet(sizes[k][0], sizes[k][1], pattern, &stiff, WEFT_BENDING_ISOMETRIC), params, 0.004f);
      assert_true(n.bends > 0 && n.twists > 0 && n.twists == n.isometrics);
    }
  }
  const weft_params hinges = {.substeps = 4, .line_sweeps = 1};
  assert_int_equal(shaken_once("hinges", plain_sheet(9), hinges, 0.004f).bends, 0);
}

/* So many edges meet at its middle that some find no colour among lines: those are left to the
 * sweep, and where corrections are added up they alone share the middle. */
static weft_model *wheel(void) {
  enum { SPOKES = 90 };
  weft_vec3 x[SPOKES + 1] = {{0}};
  uint32_t corners[3 * SPOKES];
  for (uint32_t k = 0; k < SPOKES; ++k) {
    double angle = 6.283185307179586 * k / SPOKES;
    x[k + 1] = weft_v3(0.5f * (float)cos(angle), 0.5f * (float)sin(angle), 0);
    corners[3 * k] = 0;
    corners[3 * k + 1] = k + 1;
    corners[3 * k + 2] = (k + 1) % SPOKES + 1;
  }
  const weft_mesh mesh = {
      .positions = x, .vertex_count = SPOKES + 1, .triangles = corners, .triangle_count = SPOKES};
  weft_model *model = NULL;
  weft_error err = {0};
  const weft_model_desc desc = {.mesh = &mesh, .material = weft_material_find("tshirt")};
  if (weft_model_create(&desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  return model;
}

static void lines_after_every_mode(void **state) {
  (void)state;
  for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
    for (uint32_t iterations = 1; iterations <= 2; ++iterations) {
      weft_params params = few_substeps();
      params.mode = (weft_mode)mode;
      params.iterations = params.line_sweeps = iterations;
      oracle_counts n =
          shaken_once("lines of a grid in every mode", plain_sheet(12), params, 0.004f);
      assert_true(n.lines > 0 && (n.jacobi > 0) == (mode != WEFT_MODE_GS));
      n = shaken_once("lines of a wheel in every mode", wheel(), params, 0.004f);
      assert_true(n.lines > 0 && n.distances > 0);
    }
  }
}

/* Drawn straight between its pins, a stiff line has a singular system, but for deviations.h. */
static void a_line_drawn_tight(void **state) {
  (void)state;
  weft_mesh mesh = {0};
  assert_int_equal(weft_mesh_grid(&(weft_grid_desc){.rows = 3, .columns = 40}, &mesh, NULL),
                   WEFT_OK);
  const weft_pin ends = {.rule = WEFT_PIN_LIST, .list = (uint32_t[]){0, 39, 40, 79, 80, 119}, 6};
  weft_model *model = preprocess(
      &mesh, (weft_model_desc){
                 .material = weft_material_find("inextensible"), .pins = &ends, .pin_count = 1});
  weft_params params = {.substeps = 4, .line_sweeps = 2};
  shaken_once("a line drawn tight", model, params, 0);
}

static void levels(void **state) {
  (void)state;
  for (uint32_t sweeps = 1; sweeps <= 2; ++sweeps) {
    weft_params params = {.substeps = 4,
                          .multilevel = sweeps == 1 ? WEFT_ALL_LEVELS : 2,
                          .multilevel_sweeps = sweeps,
                          .multilevel_slack = sweeps == 1 ? 0 : 0.002f};
    oracle_counts n = shaken_once("levels of a grid", plain_sheet(20), params, 0.03f);
    assert_true(n.coarse_edges > 0);
    n = shaken_once("no levels of a tube", tube(WEFT_BENDING_ISOMETRIC, "tshirt"), params, 0.05f);
    assert_true(n.coarse_edges == 0);
  }
}

static void attachments(void **state) {
  (void)state;
  weft_params params = {.substeps = 4, .lra = 4, .lra_slack = 0.01f};
  oracle_counts n = shaken_once("attachments of a sheet", plain_sheet(9), params, 0.03f);
  assert_true(n.attachments > 0 && n.second_attachments > 0);
  params.lra = 1;
  n = shaken_once("attachments of a tube", tube(WEFT_BENDING_ISOMETRIC, "tshirt"), params, 0.03f);
  assert_true(n.attachments > 0 && n.second_attachments == 0);
}

/* ---- what pulls from outside ---- */

static void winds(void **state) {
  (void)state;
  weft_params params = {.substeps = 4,
                        .wind = {4, -1, 2},
                        .gust = 0.5f,
                        .air_density = 1.2f,
                        .drag = 0.9f,
                        .skin_friction = 0.3f};
  oracle_counts n = shaken_once("breeze", plain_sheet(9), params, 0.004f);
  assert_true(n.blown > 0 && n.drag_capped == 0);
  params.substeps = 160; /* of which it acts in 37 */
  n = shaken_once("steps of a breeze", plain_sheet(9), params, 0.004f);
  assert_true(n.blown > 0);
  params.substeps = 4;
  params.wind = weft_v3(300, 900, -500);
  params.skin_friction = 20;
  n = shaken_once("storm", plain_sheet(9), params, 0.004f);
  assert_true(n.drag_capped > 0);
}

/* Turning, and drawn out along itself: after a substep it is no line any more. */
static void damp_line(const weft_particles_desc *line) {
  weft_model *model = particles(line);
  comparison c;
  comparison_open(&c, "damped line", model, &(weft_params){.substeps = 1, .global_damping = 5});
  weft_vec3 v[5];
  for (int i = 0; i < 5; ++i) {
    weft_vec3 turning = weft_v3_cross(weft_v3(1, 1, 1), line->positions[i]);
    v[i] = weft_v3_add(turning, weft_v3_scale(line->positions[1], i % 2 ? 0.3f : -0.8f));
  }
  assert_int_equal(weft_solver_write(c.solver, NULL, v, NULL), WEFT_OK);
  comparison_frames(&c, 1);
  assert_true(c.oracle->counts.rigid_lines > 0);
  comparison_close(&c);
  weft_model_destroy(model);
}

static void global_damping(void **state) {
  (void)state;
  const weft_params params = {.substeps = 4, .global_damping = 5, .damping = 1};
  assert_true(shaken_once("damped sheet", plain_sheet(9), params, 0.004f).rigid_bodies > 0);
  weft_vec3 on_a_line[5];
  float masses[5] = {1, 2, 0.5f, 3, 1};
  for (int i = 0; i < 5; ++i) on_a_line[i] = weft_v3((float)i, -2 * (float)i, 0.5f * (float)i);
  const weft_particles_desc line = {.particle_count = 5, .positions = on_a_line, .masses = masses};
  damp_line(&line);
  const weft_particles_desc point = {.particle_count = 1, .positions = on_a_line, .masses = masses};
  shaken_once("damped point", particles(&point), params, 0);
}

/* Pins that move, and colliders moved by hand within a frame. */
static void attached_pieces(void **state) {
  (void)state;
  const weft_params params = {
      .substeps = 5, .iterations = 2, .wind = {3, 1, -2}, .air_density = 1.2f, .lra = 2};
  oracle_counts n = shaken_once("attached pieces", tube_with_pieces(), params, 0.01f);
  assert_int_equal(n.ridden, 2 * 5 * 8);
  weft_params other = {.substeps = 3, .mode = WEFT_MODE_JACOBI, .global_damping = 2};
  shaken_once("attached pieces, jacobi", tube_with_pieces(), other, 0.01f);
  other = (weft_params){.substeps = 3, .multilevel = WEFT_ALL_LEVELS, .line_sweeps = 2};
  shaken_once("attached pieces, levels", tube_with_pieces(), other, 0.01f);
  other = (weft_params){.substeps = 3, .schedule = WEFT_SCHEDULE_PATCHES};
  shaken_once("attached pieces, patches", tube_with_pieces(), other, 0.01f);
}

static void moving_pins(void **state) {
  (void)state;
  weft_model *model = plain_sheet(9);
  const weft_collider box = {.shape = WEFT_COLLIDER_BOX,
                             .a = {0, -0.08f, 0.05f},
                             .half_size = {0.1f, 0.05f, 0.06f},
                             .rotation = {0.2f, 0.5f, 0},
                             .friction_static = 0.6f,
                             .friction_dynamic = 0.4f};
  const weft_params params = {.substeps = 7,
                              .iterations = 2,
                              .lra = 2,
                              .line_sweeps = 1,
                              .multilevel = 3,
                              .thickness = 0.004f,
                              .colliders = &box,
                              .collider_count = 1};
  comparison c;
  comparison_open(&c, "moving pins", model, &params);
  const uint32_t pins[2] = {0, 8};
  for (int frame = 0; frame < 6; ++frame) {
    float shift = 0.03f * (float)(frame + 1);
    const weft_vec3 targets[2] = {{-0.12f, shift, -0.16f + shift}, {0.12f + shift, -shift, -0.16f}};
    if (frame % 3 != 2) {
      assert_int_equal(weft_solver_move_pins(c.solver, pins, targets, frame % 2 ? 2 : 1, NULL),
                       WEFT_OK);
    }
    assert_int_equal(weft_solver_move_collider(c.solver, 0, weft_v3(0, shift, 0), NULL), WEFT_OK);
    comparison_frames(&c, 1);
  }
  assert_true(c.oracle->counts.pins_moved > 0 && c.oracle->counts.carried > 0);
  comparison_close(&c);
  weft_model_destroy(model);
}

static void soft_pins(void **state) {
  (void)state;
  weft_model *model = plain_sheet(9);
  const weft_params params = {.substeps = 5, .line_sweeps = 1};
  comparison c;
  comparison_open(&c, "soft pins", model, &params);
  comparison_shake(&c, 5, 0.003f, 0.5f);
  const uint32_t row[] = {30, 31, 32, 40}, one[] = {70};
  assert_int_equal(weft_solver_set_pins(c.solver, row, 4, 0.6f, NULL), WEFT_OK);
  assert_int_equal(weft_solver_set_pins(c.solver, one, 1, 0.05f, NULL), WEFT_OK);
  comparison_frames(&c, 1);
  const weft_vec3 to[] = {{0.1f, 0.2f, 0.05f}, {0.3f, -0.2f, 0}};
  const uint32_t moved[] = {31, 70};
  assert_int_equal(weft_solver_move_pins(c.solver, moved, to, 2, NULL), WEFT_OK);
  comparison_frames(&c, 2);
  const unsigned long held = c.oracle->counts.held_softly;
  assert_true(held == 3 * 5 * 5);
  assert_int_equal(weft_solver_set_pins(c.solver, row, 4, 0, NULL), WEFT_OK);
  comparison_frames(&c, 1);
  assert_true(c.oracle->counts.held_softly == held + 5);
  comparison_close(&c);
  weft_model_destroy(model);
}

static void grab_with(const char *name, weft_params params, weft_vec3 target) {
  weft_model *model = plain_sheet(9);
  params.grab = true;
  params.substeps = 5;
  comparison c;
  comparison_open(&c, name, model, &params);
  comparison_shake(&c, 5, 0.003f, 0.5f);
  assert_int_equal(weft_solver_grab(c.solver, 40, weft_v3(0.01f, 0.02f, 0), NULL), WEFT_OK);
  comparison_frames(&c, 1);
  assert_int_equal(weft_solver_move_grab(c.solver, target, NULL), WEFT_OK);
  comparison_frames(&c, 2);
  weft_solver_release(c.solver);
  unsigned long held = c.oracle->counts.grabbed;
  comparison_frames(&c, 1);
  assert_true(held > 0 && c.oracle->counts.grabbed == held);
  comparison_close(&c);
  weft_model_destroy(model);
}

static void grabs(void **state) {
  (void)state;
  grab_with("gentle grab", (weft_params){.grab_patch = 5}, weft_v3(0, 0.02f, 0.01f));
  assert_true(all_counts.grabbed > all_counts.grab_capped);
  unsigned long hard = all_counts.grab_capped;
  const weft_params rough = {
      .grab_stiffness = 3000, .grab_damping = 0.4f, .grab_limit = 2, .grab_patch = 12};
  grab_with("rough grab", rough, weft_v3(3, 1, 2));
  assert_true(all_counts.grab_capped > hard);
}

/* ---- contact between particles ---- */

static weft_model *grains(uint32_t count, float radius, float half, const weft_link *links,
                          uint32_t link_count) {
  weft_rng rng = weft_rng_seed(count);
  weft_vec3 *positions = calloc(count, sizeof *positions);
  float *masses = calloc(count, sizeof *masses);
  for (uint32_t i = 0; i < count; ++i) {
    positions[i] = anywhere(&rng, half);
    masses[i] = i % 11 == 7 ? 0 : between(&rng, 0.5f, 2);
  }
  weft_model *model = particles(&(weft_particles_desc){.particle_count = count,
                                                       .positions = positions,
                                                       .masses = masses,
                                                       .radius = radius,
                                                       .links = links,
                                                       .link_count = link_count});
  free(positions);
  free(masses);
  return model;
}

static weft_params sandy(float mu_s, float mu_k) {
  static const weft_collider ground = {.shape = WEFT_COLLIDER_PLANE,
                                       .a = {0, -0.3f, 0},
                                       .b = {0.1f, 1, 0},
                                       .friction_static = 0.5f,
                                       .friction_dynamic = 0.4f};
  return (weft_params){.substeps = 6,
                       .particle_contact = true,
                       .relaxation = never_touching,
                       .contact_static = mu_s,
                       .contact_dynamic = mu_k,
                       .thickness = 0.02f,
                       .colliders = &ground,
                       .collider_count = 1};
}

/* Long enough for friction to have something to remember. */
static void grains_with_friction(void **state) {
  (void)state;
  static const float mu[][2] = {{0, 0}, {0.5f, 0.3f}, {0.9f, 0.9f}};
  for (int k = 0; k < 3; ++k) {
    weft_model *model = grains(150, 0.04f, 0.2f, NULL, 0);
    weft_params params = sandy(mu[k][0], mu[k][1]);
    if (k == 1) params.relaxation = 1.2f;
    oracle_counts n = shaken("grains", model, &params, 0.01f, 12);
    assert_true(n.overlaps > 1000 && n.planes > 0);
    assert_true((n.remembered > 100) == (k > 0) && (n.grains_stuck > 100) == (k > 0));
    assert_true(n.grains_slid > 100);
    weft_model_destroy(model);
  }
}

static void crowded_grains(void **state) {
  (void)state;
  weft_params params = sandy(0.4f, 0.4f);
  oracle_counts n = shaken_once("crowd", grains(60, 0.1f, 0.15f, NULL, 0), params, 0);
  assert_true(n.neighbours_cut > 0);
  n = shaken_once("grains in one point", grains(5, 0.1f, 0, NULL, 0), params, 0);
  assert_true(n.overlaps > 0);
}

static void grains_on_a_string(void **state) {
  (void)state;
  weft_link links[20];
  for (uint32_t k = 0; k < 20; ++k)
    links[k] = (weft_link){.a = k, .b = k + 1, .rest_length = 0.09f};
  weft_params params = sandy(0.3f, 0.2f);
  params.iterations = 3;
  params.collide_each_iteration = true;
  shaken_once("grains on a string", grains(60, 0.04f, 0.15f, links, 20), params, 0);
}

/* ---- colliders ---- */

static const weft_collider_key spinning[] = {
    {.time = 0, .a = {-0.1f, 0, 0}, .b = {0.2f, 0.3f, 0.1f}, .rotation = {0, 0, 0}},
    {.time = 0.2f, .a = {0.3f, 0.1f, 0}, .b = {0.1f, 0.4f, 0.4f}, .rotation = {1, 8, -3}},
};
static const weft_collider_key tilting[] = {
    {.time = 0, .a = {0, -0.1f, 0}, .b = {0, 1, 0}, .rotation = {0, 0, 0}},
    {.time = 0.2f, .a = {0, 0.1f, 0}, .b = {0.3f, 1, 0}, .rotation = {0, 2, 0}},
};

static const weft_collider shapes[] = {
    {.shape = WEFT_COLLIDER_PLANE, .b = {0.2f, 2, -0.4f}},
    {.shape = WEFT_COLLIDER_PLANE, .keys = tilting, .key_count = 2},
    {.shape = WEFT_COLLIDER_SPHERE, .radius = 0.25f},
    {.shape = WEFT_COLLIDER_SPHERE, .radius = 0.25f, .keys = spinning, .key_count = 2},
    {.shape = WEFT_COLLIDER_CAPSULE, .a = {-0.2f, 0, 0}, .b = {0.2f, 0.1f, 0}, .radius = 0.15f},
    {.shape = WEFT_COLLIDER_CAPSULE, .radius = 0.15f, .keys = spinning, .key_count = 2},
    {.shape = WEFT_COLLIDER_BOX, .half_size = {0.3f, 0.1f, 0.2f}, .rotation = {0.3f, 0.1f, -0.5f}},
    {.shape = WEFT_COLLIDER_BOX, .half_size = {0.3f, 0.1f, 0.2f}, .keys = spinning, .key_count = 2},
};
static const char *const shape_names[] = {"plane",   "tilting plane",  "sphere", "moving sphere",
                                          "capsule", "moving capsule", "box",    "tumbling box"};

/* A cloud of particles in and around a shape, at a speed. */
static void shoot_at(uint32_t k, float speed, float thickness) {
  enum { CLOUD = 400 };
  weft_rng rng = weft_rng_seed(k + 1);
  weft_vec3 positions[CLOUD];
  float masses[CLOUD];
  for (int i = 0; i < CLOUD; ++i) {
    positions[i] = anywhere(&rng, 0.5f);
    masses[i] = i % 40 == 0 ? 0 : 1;
  }
  weft_model *model = particles(
      &(weft_particles_desc){.particle_count = CLOUD, .positions = positions, .masses = masses});
  weft_collider collider = shapes[k];
  collider.friction_static = 0.6f;
  collider.friction_dynamic = 0.35f;
  const weft_params params = {
      .substeps = 10, .thickness = thickness, .colliders = &collider, .collider_count = 1};
  char name[64];
  snprintf(name, sizeof name, "%s, %g m/s, %g mm", shape_names[k], (double)speed,
           1000 * (double)thickness);
  comparison c;
  comparison_open(&c, name, model, &params);
  comparison_shake(&c, k, 0, speed);
  comparison_frames(&c, speed > 50 ? 1 : 4);
  comparison_close(&c);
  weft_model_destroy(model);
}

static void colliders(void **state) {
  (void)state;
  for (uint32_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
    oracle_counts before = all_counts;
    static const float speeds[] = {1, 20, 150};
    for (int s = 0; s < 3; ++s) {
      shoot_at(k, speeds[s], 0);
      shoot_at(k, speeds[s], 0.01f);
    }
    assert_true(all_counts.stuck > before.stuck && all_counts.slid > before.slid);
    assert_true((all_counts.carried > before.carried) == (shapes[k].key_count > 0));
  }
  assert_true(all_counts.swept_spheres > 50 && all_counts.swept_capsules > 50 &&
              all_counts.swept_boxes > 50 && all_counts.box_faces > 50);
}

/* One after the other, the later with the last word, in cloth, in every iteration and between line
 * sweeps. */
static void several_colliders(void **state) {
  (void)state;
  weft_collider all[8];
  for (int k = 0; k < 8; ++k) {
    all[k] = shapes[k];
    all[k].offset =
        weft_v3(0.08f * (float)(k % 3) - 0.08f, k < 2 ? -0.02f : -0.1f, 0.03f * (float)k - 0.1f);
    all[k].friction_static = all[k].friction_dynamic = 0.1f * (float)k;
  }
  const weft_params params = {.substeps = 5,
                              .iterations = 3,
                              .line_sweeps = 2,
                              .collide_each_iteration = true,
                              .thickness = 0.005f,
                              .colliders = all,
                              .collider_count = 8};
  oracle_counts n = shaken_once("several colliders", plain_sheet(14), params, 0.01f);
  assert_true(n.planes > 0 && n.spheres > 0 && n.capsules > 0 && n.boxes > 0);
}

/* ---- everything together ---- */

static weft_model *random_sheet(weft_rng *rng) {
  static const char *const fabrics[] = {"denim", "tshirt", "tablecloth", "inextensible"};
  weft_material fabric = *weft_material_find(fabrics[weft_rng_u32(rng) % 4]);
  if (weft_rng_u32(rng) % 3 == 0) fabric.damping_time = 0.002f;
  return sheet(5 + weft_rng_u32(rng) % 9, 5 + weft_rng_u32(rng) % 9,
               (weft_grid_pattern)(weft_rng_u32(rng) % 3), &fabric,
               (weft_bending)(weft_rng_u32(rng) % 5));
}

/* Lines go with gs and xpbd alone, patches with gs. */
static weft_params random_params(weft_rng *rng, weft_collider all[3]) {
  for (int k = 0; k < 3; ++k) {
    all[k] = shapes[weft_rng_u32(rng) % (sizeof shapes / sizeof *shapes)];
    all[k].offset = anywhere(rng, 0.2f);
    all[k].friction_static = between(rng, 0, 1);
    all[k].friction_dynamic = all[k].friction_static * between(rng, 0, 1);
  }
  weft_params p = {.frame_dt = between(rng, 0.005f, 0.03f),
                   .substeps = 1 + weft_rng_u32(rng) % 9,
                   .iterations = 1 + weft_rng_u32(rng) % 3,
                   .mode = (weft_mode)(weft_rng_u32(rng) % 3),
                   .method = (weft_method)(weft_rng_u32(rng) % 2),
                   .hybrid_min = weft_rng_u32(rng) % 40,
                   .relaxation = between(rng, 0.3f, 1.3f),
                   .damping = between(rng, 0, 2),
                   .global_damping = weft_rng_u32(rng) % 2 ? between(rng, 0, 20) : 0,
                   .collide_each_iteration = weft_rng_u32(rng) % 2,
                   .keep_multipliers = weft_rng_u32(rng) % 2,
                   .thickness = between(rng, 0, 0.01f),
                   .wind = anywhere(rng, 9),
                   .gust = between(rng, 0, 1),
                   .air_density = weft_rng_u32(rng) % 2 ? 1.2f : 0,
                   .lra = weft_rng_u32(rng) % 5,
                   .multilevel = weft_rng_u32(rng) % 4,
                   .multilevel_sweeps = weft_rng_u32(rng) % 3,
                   .gravity = anywhere(rng, 10),
                   .colliders = all,
                   .collider_count = weft_rng_u32(rng) % 4};
  if (p.method == WEFT_METHOD_XPBD) p.line_sweeps = weft_rng_u32(rng) % 3;
  if (p.mode == WEFT_MODE_GS && weft_rng_u32(rng) % 2) p.schedule = WEFT_SCHEDULE_PATCHES;
  return p;
}

static void random_combinations(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(2024);
  for (uint32_t k = 0; k < 120; ++k) {
    char name[64];
    snprintf(name, sizeof name, "random combination %u", k);
    weft_collider all[3];
    weft_model *model = random_sheet(&rng);
    shaken_once(name, model, random_params(&rng, all), between(&rng, 0, 0.02f));
  }
}

/* ---- garments made by others ---- */

static void wear(const char *file, weft_params params, uint32_t frames) {
  char path[512];
  snprintf(path, sizeof path, "%s/garments/%s", WEFT_MESH_DIR, file);
  weft_mesh mesh = {0};
  weft_scene_instance scene;
  weft_error err = {0};
  if (weft_mesh_import(path, &(weft_import_desc){0}, &mesh, &err) != WEFT_OK) {
    print_message("no garment: %s\n", err.message);
    skip();
  }
  assert_int_equal(weft_scene_from_mesh(file, &mesh, NULL, &scene, NULL), WEFT_OK);
  params.colliders = scene.params.colliders;
  params.collider_count = scene.params.collider_count;
  params.substeps = 4;
  oracle_counts n = shaken(file, scene.model, &params, 0.002f, frames);
  assert_true(n.distances + n.lines > 0);
  weft_scene_free(&scene);
}

static void garments(void **state) {
  (void)state;
  wear("diffcloth_tshirt1900.obj", (weft_params){.iterations = 2, .air_density = 1.2f}, 1);
  wear("diffcloth_tshirt1900.obj", (weft_params){.line_sweeps = 4, .lra = 4}, 2);
  wear("makehuman_fedora.obj", (weft_params){.schedule = WEFT_SCHEDULE_PATCHES, .iterations = 2},
       1);
}

/* ---- the oracle's own ---- */

/* Gradients are those of its angle, by differences. */
static void the_hinge_of_the_oracle_has_its_gradients(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(1);
  for (int k = 0; k < 200; ++k) {
    vec x[4], gradients[4], unused[4];
    double value, up, down;
    for (int i = 0; i < 4; ++i) {
      weft_vec3 p = anywhere(&rng, 1);
      x[i] = (vec){(double)p.x, (double)p.y, (double)p.z};
    }
    if (!oracle_hinge(x, 0, &value, gradients) || fabs(value) > 3) continue;
    for (int i = 0; i < 12; ++i) {
      const double h = 1e-6;
      vec step = {i % 3 == 0, i % 3 == 1, i % 3 == 2}, kept = x[i / 3];
      x[i / 3] = along(kept, h, step);
      assert_true(oracle_hinge(x, 0, &up, unused));
      x[i / 3] = along(kept, -h, step);
      assert_true(oracle_hinge(x, 0, &down, unused));
      x[i / 3] = kept;
      double slope = (up - down) / (2 * h), size = 1 + length(gradients[i / 3]);
      assert_true(fabs(slope - dot(gradients[i / 3], step)) < 1e-6 * size * size * size);
    }
  }
}

/* Far out and fast, so that the origin moves on the way, beside what the host gives. */
static void far_from_zero(void **state) {
  (void)state;
  weft_mesh mesh = {0};
  const weft_grid_desc grid = {
      .rows = 8, .columns = 8, .width = 0.2f, .height = 0.3f, .plane = WEFT_PLANE_XZ};
  assert_int_equal(weft_mesh_grid(&grid, &mesh, NULL), WEFT_OK);
  weft_model *model = preprocess(&mesh, (weft_model_desc){0});
  const uint32_t n = weft_model_particle_count(model);
  const weft_collider_key keys[] = {
      {.time = 0, .a = {40, 0.01f, 3}, .b = {0.1f, 1, 0.05f}, .rotation = {0, 0.2f, 0}},
      {.time = 2, .a = {44, 0.02f, 3}, .b = {0.1f, 1, 0.05f}, .rotation = {0.02f, 1.5f, 0}}};
  const weft_collider colliders[] = {
      {.friction_static = 0.4f, .friction_dynamic = 0.3f, .keys = keys, .key_count = 2},
      {.shape = WEFT_COLLIDER_SPHERE, .a = {206, 97, -300}, .radius = 0.5f}};
  const weft_params params = {
      .substeps = 4, .colliders = colliders, .collider_count = 2, .wind = {3, 0, 1}};
  weft_vec3 *x = calloc(2 * (size_t)n, sizeof *x);
  for (uint32_t i = 0; i < n; ++i) {
    const weft_vec3 rest = weft_model_rest_positions(model)[i];
    x[i] = weft_v3_add(rest, weft_v3(200, 97, -300));
    x[n + i] = weft_v3(9, 0.5f, 20);
  }
  comparison c;
  comparison_open(&c, "far from zero", model, &params);
  comparison_write(&c, x);
  const weft_vec3d before = weft_solver_origin(c.solver);
  comparison_frames(&c, 40);
  assert_true(weft_solver_origin(c.solver).z != before.z);
  /* And on the plane that is given by a point far away. */
  for (uint32_t i = 0; i < n; ++i) {
    x[i] = weft_model_rest_positions(model)[i];
    x[i].y += 4 - 0.1f * x[i].x;
    x[n + i] = weft_v3(0, -1, 0);
  }
  comparison_write(&c, x);
  comparison_frames(&c, 20);
  comparison_close(&c);
  weft_model_destroy(model);
  free(x);
}

static void every_mechanism_has_acted(void **state) {
  (void)state;
  bool idle = false;
#define TELL(name)                                      \
  print_message("%-20s %lu\n", #name, all_counts.name); \
  idle = idle || all_counts.name == 0;
  ORACLE_COUNTS(TELL)
#undef TELL
  print_message("max difference %.2g m and %.2g m/s\n", all_worst_x, all_worst_v);
  assert_false(idle);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hinge_of_the_oracle_has_its_gradients),
      cmocka_unit_test(every_scene),
      cmocka_unit_test(every_bending_and_mode),
      cmocka_unit_test(every_mode_of_pbd),
      cmocka_unit_test(mueller_2007),
      cmocka_unit_test(folded_rest_shapes),
      cmocka_unit_test(random_systems),
      cmocka_unit_test(no_direction_anywhere),
      cmocka_unit_test(next_to_no_length),
      cmocka_unit_test(patches),
      cmocka_unit_test(lines),
      cmocka_unit_test(bends_along_lines),
      cmocka_unit_test(lines_after_every_mode),
      cmocka_unit_test(a_line_drawn_tight),
      cmocka_unit_test(levels),
      cmocka_unit_test(attachments),
      cmocka_unit_test(winds),
      cmocka_unit_test(global_damping),
      cmocka_unit_test(attached_pieces),
      cmocka_unit_test(moving_pins),
      cmocka_unit_test(soft_pins),
      cmocka_unit_test(grabs),
      cmocka_unit_test(grains_with_friction),
      cmocka_unit_test(crowded_grains),
      cmocka_unit_test(grains_on_a_string),
      cmocka_unit_test(colliders),
      cmocka_unit_test(several_colliders),
      cmocka_unit_test(random_combinations),
      cmocka_unit_test(garments),
      cmocka_unit_test(far_from_zero),
      cmocka_unit_test(every_mechanism_has_acted), /* last: it looks back at all of them */
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
