/* Memory that runs out: every public function of the core and the kit that allocates meets it at
 * each of its allocations, one after the other. It answers WEFT_ERROR_MEMORY with how much was
 * missing, leaves nothing behind, and what was there before can be used or destroyed. */
#include <weft/weft.h>
#include <weft_kit/weft_kit.h>

#include "failing_memory.h"
/* and */
#include "rig.h"

/* ---- meshes ---- */

static bool is_empty(const weft_mesh *mesh) {
  const weft_mesh empty = {0};
  return memcmp(mesh, &empty, sizeof empty) == 0;
}

static weft_result give(weft_mesh *mesh, weft_result result) {
  if (result != WEFT_OK) assert_true(is_empty(mesh));
  weft_mesh_free(mesh);
  return result;
}

static weft_result run_grid(void *context, weft_error *err) {
  (void)context;
  weft_mesh mesh;
  return give(&mesh, weft_mesh_grid(&(weft_grid_desc){.rows = 4, .columns = 4}, &mesh, err));
}
static weft_result run_disc(void *context, weft_error *err) {
  (void)context;
  weft_mesh mesh;
  return give(&mesh, weft_mesh_disc(&(weft_disc_desc){.rings = 3}, &mesh, err));
}
static weft_result run_tube(void *context, weft_error *err) {
  (void)context;
  weft_mesh mesh;
  return give(&mesh, weft_mesh_tube(&(weft_tube_desc){.rings = 3, .segments = 5}, &mesh, err));
}
static weft_result run_poncho(void *context, weft_error *err) {
  (void)context;
  weft_mesh mesh;
  return give(&mesh, weft_mesh_poncho(&(weft_poncho_desc){.rings = 6}, &mesh, err));
}

/* Of its arrays and counts. */
static uint64_t hash_mesh(const weft_mesh *m) {
  uint64_t hash =
      weft_hash_bytes(WEFT_HASH_SEED, m->positions, m->vertex_count * sizeof *m->positions);
  hash = weft_hash_bytes(hash, m->triangles, 3 * (size_t)m->triangle_count * sizeof *m->triangles);
  hash = weft_hash_bytes(hash, &m->grid_rows, sizeof m->grid_rows);
  if (m->map.numbers) {
    hash = weft_hash_bytes(hash, m->map.numbers, m->vertex_count * sizeof *m->map.numbers);
    hash = weft_hash_bytes(hash, m->map.faces, m->triangle_count * sizeof *m->map.faces);
  }
  return hash;
}

/* Two cells, one of whose triangles has no area; one is there twice and one is turned. */
static weft_mesh torn(void) {
  static const weft_vec3 positions[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                        {1, 1, 0}, {2, 0, 0}, {5, 5, 5}};
  static const uint32_t triangles[] = {0, 1, 2, 2, 3, 1, 1, 1, 4, 1, 4, 3, 1, 4, 3};
  weft_mesh mesh = {.vertex_count = 6, .triangle_count = 5};
  mesh.positions = weft_alloc(6, sizeof *positions);
  mesh.triangles = weft_alloc(15, sizeof *triangles);
  memcpy(mesh.positions, positions, sizeof positions);
  memcpy(mesh.triangles, triangles, sizeof triangles);
  return mesh;
}

/* What changes a mesh leaves it as it was. */
static weft_result change(weft_mesh (*make)(void), weft_result (*by)(weft_mesh *, weft_error *),
                          weft_error *err) {
  const long number = failing_memory.fails;
  failing_arm(0);
  weft_mesh mesh = make();
  const uint64_t before = hash_mesh(&mesh);
  failing_arm(number);
  const weft_result result = by(&mesh, err);
  if (result != WEFT_OK) assert_true(hash_mesh(&mesh) == before);
  weft_mesh_free(&mesh);
  return result;
}

static weft_result repair(weft_mesh *mesh, weft_error *err) {
  return weft_mesh_repair(mesh, NULL, err);
}
static weft_result run_repair(void *context, weft_error *err) {
  (void)context;
  return change(torn, repair, err);
}

/* A grid whose numbers nobody knows. */
static weft_mesh plain_grid(void) {
  weft_mesh mesh = rig_grid(&(weft_grid_desc){.rows = 5, .columns = 4});
  mesh.grid_rows = mesh.grid_columns = 0;
  return mesh;
}

static weft_result find_grid(weft_mesh *mesh, weft_error *err) {
  return said(weft_mesh_find_grid(mesh), err);
}
static weft_result run_find_grid(void *context, weft_error *err) {
  (void)context;
  return change(plain_grid, find_grid, err);
}

/* A sheet of enough vertices, numbered all over the place. */
static weft_mesh shuffled(void) {
  weft_mesh mesh = rig_grid(&(weft_grid_desc){.rows = 128, .columns = 129});
  mesh.grid_rows = mesh.grid_columns = 0;
  const uint32_t n = mesh.vertex_count;
  uint32_t *at = malloc(n * sizeof *at);
  weft_vec3 *from = malloc(n * sizeof *from);
  memcpy(from, mesh.positions, n * sizeof *from);
  for (uint32_t v = 0; v < n; ++v) at[v] = (uint32_t)((uint64_t)v * 7919 % n);
  for (uint32_t v = 0; v < n; ++v) mesh.positions[at[v]] = from[v];
  for (size_t c = 0; c < 3 * (size_t)mesh.triangle_count; ++c)
    mesh.triangles[c] = at[mesh.triangles[c]];
  free(at);
  free(from);
  return mesh;
}
static weft_result order(weft_mesh *mesh, weft_error *err) {
  return said(weft_mesh_order(mesh), err);
}
static weft_result run_order(void *context, weft_error *err) {
  (void)context;
  return change(shuffled, order, err);
}

/* The sheet twice, in one place. */
static weft_mesh doubled(void) {
  weft_mesh one = rig_grid(&(weft_grid_desc){.rows = 4, .columns = 4}), two = {0};
  two.vertex_count = 2 * one.vertex_count;
  two.triangle_count = 2 * one.triangle_count;
  two.positions = weft_alloc(two.vertex_count, sizeof *two.positions);
  two.triangles = weft_alloc(3 * (size_t)two.triangle_count, sizeof *two.triangles);
  for (uint32_t v = 0; v < two.vertex_count; ++v)
    two.positions[v] = one.positions[v % one.vertex_count];
  for (uint32_t c = 0; c < 3 * two.triangle_count; ++c) {
    two.triangles[c] = one.triangles[c % (3 * one.triangle_count)] +
                       (c < 3 * one.triangle_count ? 0 : one.vertex_count);
  }
  weft_mesh_free(&one);
  return two;
}
static weft_result separate(weft_mesh *mesh, weft_error *err) {
  return weft_mesh_separate_layers(mesh, 0, err);
}
static weft_result run_separate(void *context, weft_error *err) {
  (void)context;
  return change(doubled, separate, err);
}

static weft_result run_inspect(void *context, weft_error *err) {
  weft_mesh_report report;
  weft_mesh_inspect(context, &report);
  return said(report.triangle_count > 0, err);
}
static weft_result run_attached(void *context, weft_error *err) {
  bool attached[64] = {false};
  weft_mesh_find_attached(context, attached);
  return said(!failing_memory.has_failed, err);
}
static weft_result run_creases(void *context, weft_error *err) {
  weft_mesh_creases(context, NULL);
  return said(!failing_memory.has_failed, err);
}

static void meshes_are_whole_or_as_they_were(void **state) {
  (void)state;
  weft_mesh two = doubled();
  const trial trials[] = {{"grid", run_grid, NULL},       {"disc", run_disc, NULL},
                          {"tube", run_tube, NULL},       {"poncho", run_poncho, NULL},
                          {"repair", run_repair, NULL},   {"find grid", run_find_grid, NULL},
                          {"order", run_order, NULL},     {"separate layers", run_separate, NULL},
                          {"inspect", run_inspect, &two}, {"find attached", run_attached, &two},
                          {"creases", run_creases, &two}};
  SWEEP(trials);
  weft_mesh_free(&two);
}

/* ---- models ---- */

static weft_result drop(weft_model *model, weft_result result) {
  assert_true((model != NULL) == (result == WEFT_OK));
  weft_model_destroy(model);
  return result;
}

static weft_result run_model(void *context, weft_error *err) {
  weft_model *model = (weft_model *)context;
  return drop(model, weft_model_create(context, &model, err));
}

static weft_result run_particles(void *context, weft_error *err) {
  weft_model *model = (weft_model *)context;
  return drop(model, weft_model_create_particles(context, &model, err));
}

static weft_result run_with_pins(void *context, weft_error *err) {
  weft_model *model = (weft_model *)context;
  return drop(model, weft_model_with_pins(context, &(uint32_t){3}, 1, true, &model, err));
}

static weft_result run_join(void *context, weft_error *err) {
  const weft_model *const models[] = {context, context, context};
  weft_model *model = (weft_model *)context;
  return drop(model, weft_model_join(models, 3, &model, err));
}

static weft_result run_validate(void *context, weft_error *err) {
  return weft_model_validate(context, err);
}

static weft_result run_choose(void *context, weft_error *err) {
  weft_params params = {0};
  weft_strain_choice choice = {.kept = 77};
  const weft_result result = weft_params_choose_for_strain(context, 0.01, 0, &params, &choice, err);
  if (result != WEFT_OK) assert_int_equal(choice.kept, 77);
  return result;
}

static weft_result run_estimate(void *context, weft_error *err) {
  weft_memory_need need = {.model = 77};
  const weft_result result = weft_memory_estimate(context, NULL, weft_backend_cpu(1), &need, err);
  if (result != WEFT_OK) assert_int_equal(need.model, 77);
  return result;
}

static void models_are_made_or_nothing_is(void **state) {
  (void)state;
  weft_mesh grid = rig_grid(&(weft_grid_desc){.rows = 6, .columns = 6}), garment = doubled();
  weft_mesh large = rig_grid(&(weft_grid_desc){.rows = 190, .columns = 190}); /* on threads */
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  const weft_model_desc isometric = {.mesh = &grid, .pins = &pin, .pin_count = 1},
                        dihedral = {.mesh = &grid, .bending = WEFT_BENDING_DIHEDRAL},
                        mixed = {.mesh = &garment, .bending = WEFT_BENDING_MIXED},
                        wide = {.mesh = &large};
  const weft_vec3 positions[] = {{0, 0, 0}, {0, -1, 0}, {0, -2, 0}, {0, -3, 0}};
  const float masses[] = {0, 1, 1, 1};
  const weft_link links[] = {{.a = 0, .b = 1, .rest_length = 1},
                             {.a = 1, .b = 2, .rest_length = 1},
                             {.a = 2, .b = 3, .rest_length = 1}};
  const weft_particles_desc rope = {.positions = positions,
                                    .masses = masses,
                                    .particle_count = 4,
                                    .links = links,
                                    .link_count = 3};
  weft_model *model = rig_preprocess(&isometric);
  const trial trials[] = {{"model", run_model, (void *)(uintptr_t)&isometric},
                          {"dihedral model", run_model, (void *)(uintptr_t)&dihedral},
                          {"mixed model", run_model, (void *)(uintptr_t)&mixed},
                          {"large model", run_model, (void *)(uintptr_t)&wide},
                          {"particles", run_particles, (void *)(uintptr_t)&rope},
                          {"with pins", run_with_pins, model},
                          {"join", run_join, model},
                          {"validate", run_validate, model},
                          {"estimate", run_estimate, (void *)(uintptr_t)&isometric},
                          {"choose for strain", run_choose, model}};
  SWEEP(trials);
  weft_model_destroy(model);
  weft_mesh_free(&grid);
  weft_mesh_free(&garment);
  weft_mesh_free(&large);
}

/* ---- solvers ---- */

typedef struct setting {
  const char *name;
  weft_model *model;
  weft_params params;
  const weft_backend *backend;
} setting;

static weft_result run_create(void *context, weft_error *err) {
  const setting *s = context;
  weft_solver *solver = context;
  const weft_result result = weft_solver_create(s->model, &s->params, s->backend, &solver, err);
  assert_true((solver != NULL) == (result == WEFT_OK));
  weft_solver_destroy(solver);
  return result;
}

/* Two sheets that fall onto each other, with lists too short for it. */
static weft_model *two_sheets(void) {
  weft_mesh mesh = doubled();
  for (uint32_t v = mesh.vertex_count / 2; v < mesh.vertex_count; ++v)
    mesh.positions[v].z += 0.004f;
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  weft_model *model = rig_preprocess(&(weft_model_desc){
      .mesh = &mesh, .material = weft_material_find("tshirt"), .pins = &pin, .pin_count = 1});
  weft_mesh_free(&mesh);
  return model;
}

enum { SETTINGS = 12 };

static const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE, .radius = 0.2f};

static void make_settings(setting out[SETTINGS], weft_mesh *body_mesh, weft_body *body) {
  const weft_grid_desc grid = {.rows = 8, .columns = 8};
  *body_mesh = rig_grid(&(weft_grid_desc){.rows = 3, .columns = 3, .centre = {0, -2, 0}});
  *body = (weft_body){.mesh = body_mesh, .name = "board"};
  weft_model *sheet = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  weft_model *dihedral = rig_sheet(&grid, "tshirt", WEFT_BENDING_DIHEDRAL, false, WEFT_PIN_CORNERS);
  weft_model *sheets = two_sheets();
  const weft_model *const three[] = {sheet, sheet, sheet};
  weft_model *joined = NULL;
  assert_int_equal(weft_model_join(three, 3, &joined, NULL), WEFT_OK);
  const weft_params lists = {
      .self_collision = true, .self_thickness = 0.01f, .self_room = 1, .substeps = 2};
  const weft_params much = {.multilevel = 2,
                            .lra = 2,
                            .line_sweeps = 1,
                            .substeps = 2,
                            .colliders = &ball,
                            .collider_count = 1};
  weft_params bodies = lists;
  bodies.bodies = body;
  bodies.body_count = 1;
  const setting settings[SETTINGS] = {
      {"ref", sheet, {.substeps = 2, .grab = 1}, weft_backend_ref()},
      {"f64", sheet, {.substeps = 2}, weft_backend_f64()},
      {"cpu", sheet, {.substeps = 2}, weft_backend_cpu(1)},
      {"cpu, 2 threads", dihedral, {.substeps = 2}, weft_backend_cpu(2)},
      {"ref with levels, lines, attachments", sheet, much, weft_backend_ref()},
      {"cpu with levels, lines, attachments", sheet, much, weft_backend_cpu(2)},
      {"cpu with patches",
       sheet,
       {.schedule = WEFT_SCHEDULE_PATCHES, .substeps = 2},
       weft_backend_cpu(2)},
      {"ref with self-collision", sheets, lists, weft_backend_ref()},
      {"cpu with self-collision", sheets, lists, weft_backend_cpu(2)},
      {"cpu with a body", sheets, bodies, weft_backend_cpu(2)},
      {"f64 with self-collision", sheets, lists, weft_backend_f64()},
      {"cpu, joined", joined, {.substeps = 2}, weft_backend_cpu(2)}};
  memcpy(out, settings, sizeof settings);
  /* What a model keeps of its first solver. */
  for (int k = 0; k < SETTINGS; ++k) assert_int_equal(run_create(&out[k], NULL), WEFT_OK);
}

static void free_settings(const setting s[SETTINGS], weft_mesh *body) {
  for (int k = 0; k < SETTINGS; ++k) {
    bool seen = false;
    for (int i = 0; i < k; ++i) seen |= s[i].model == s[k].model;
    if (!seen) weft_model_destroy(s[k].model);
  }
  weft_mesh_free(body);
}

static void solvers_are_made_or_nothing_is(void **state) {
  (void)state;
  setting settings[SETTINGS];
  weft_mesh mesh;
  weft_body body;
  make_settings(settings, &mesh, &body);
  for (int k = 0; k < SETTINGS; ++k) {
    char name[96];
    snprintf(name, sizeof name, "create %s", settings[k].name);
    sweep(&(trial){name, run_create, &settings[k]});
  }
  free_settings(settings, &mesh);
}

/* ---- what changes a solver ---- */

/* The solver is made without want, and `by` with it. */
typedef struct use {
  const setting *setting;
  weft_result (*by)(weft_solver *solver, weft_error *err);
} use;

static weft_result run_change(void *context, weft_error *err) {
  const use *u = context;
  const setting *s = u->setting;
  const long number = failing_memory.fails;
  failing_arm(0);
  weft_solver *solver = rig_solver(s->model, &s->params, s->backend);
  failing_arm(number);
  const weft_result result = u->by(solver, err);
  const bool failed = failing_memory.has_failed;
  failing_arm(0);
  failing_memory.has_failed = failed;
  weft_error later = {0};
  uint64_t hash;
  if (result == WEFT_ERROR_MEMORY) {
    assert_int_equal(weft_solver_step(solver, &later), WEFT_ERROR_MEMORY);
    assert_non_null(strstr(later.message, "only be destroyed"));
    assert_int_equal(weft_solver_hash(solver, &hash, NULL), WEFT_ERROR_MEMORY);
  }
  weft_solver_destroy(solver);
  return result;
}

static weft_result step(weft_solver *solver, weft_error *err) {
  weft_result result = WEFT_OK;
  for (int frame = 0; frame < 3 && result == WEFT_OK; ++frame) {
    result = weft_solver_step(solver, err);
  }
  return result;
}
static weft_result grab(weft_solver *solver, weft_error *err) {
  return weft_solver_grab(solver, 20, (weft_vec3){0, 0, 1}, err);
}
static weft_result pick(weft_solver *solver, weft_error *err) {
  weft_hit hit;
  const weft_ray ray = {.origin = {0, 0, 2}, .direction = {0, 0, -1}};
  return weft_solver_pick(solver, &ray, &hit, err);
}
static weft_result reset(weft_solver *solver, weft_error *err) {
  return weft_solver_reset(solver, err);
}
static weft_result reset_instances(weft_solver *solver, weft_error *err) {
  const bool marked[3] = {true, false, true};
  return weft_solver_reset_instances(solver, marked, err);
}
static weft_result write_instance(weft_solver *solver, weft_error *err) {
  return weft_solver_write_instance(solver, 0, weft_model_rest_positions(solver->model), NULL, err);
}
static weft_result rub(weft_solver *solver, weft_error *err) {
  return weft_solver_set_body_friction(solver, 0, 0.5f, 0.5f, err);
}

static void solvers_that_were_being_changed_are_lost_and_leave_nothing(void **state) {
  (void)state;
  setting settings[SETTINGS];
  weft_mesh mesh;
  weft_body body;
  make_settings(settings, &mesh, &body);
  for (int k = 0; k < SETTINGS; ++k) {
    char name[96];
    snprintf(name, sizeof name, "step %s", settings[k].name);
    if (settings[k].backend == weft_backend_cpu(1) || settings[k].backend == weft_backend_cpu(2) ||
        settings[k].params.self_collision) {
      sweep(&(trial){name, run_change, &(use){&settings[k], step}});
    }
  }
  sweep(&(trial){"grab", run_change, &(use){&settings[0], grab}});
  sweep(&(trial){"pick", run_change, &(use){&settings[2], pick}});
  sweep(&(trial){"reset", run_change, &(use){&settings[0], reset}});
  sweep(&(trial){"reset instances", run_change, &(use){&settings[SETTINGS - 1], reset_instances}});
  sweep(&(trial){"write instance", run_change, &(use){&settings[SETTINGS - 1], write_instance}});
  sweep(&(trial){"body friction", run_change, &(use){&settings[9], rub}});
  free_settings(settings, &mesh);
}

/* ---- what looks at a solver ---- */

/* The solver goes on as if it had not been asked. */
typedef struct look {
  weft_solver *solver;
  weft_result (*by)(weft_solver *solver, weft_error *err);
} look;

static weft_result run_look(void *context, weft_error *err) {
  const look *l = context;
  return l->by(l->solver, err);
}

static weft_result hash_of(weft_solver *solver, weft_error *err) {
  uint64_t hash;
  return weft_solver_hash(solver, &hash, err);
}
static weft_result measure(weft_solver *solver, weft_error *err) {
  weft_metrics metrics;
  return weft_solver_metrics(solver, &metrics, err);
}
static weft_result structure(weft_solver *solver, weft_error *err) {
  weft_structure s;
  const weft_structure empty = {0};
  const weft_result result = weft_solver_structure(solver, &s, err);
  if (result != WEFT_OK) assert_memory_equal(&s, &empty, sizeof s);
  weft_structure_free(&s);
  return result;
}
static weft_result frame_input(weft_solver *solver, weft_error *err) {
  weft_frame_input input;
  weft_solver_frame_input(solver, &input);
  const weft_result result = said(input.substep_count > 0, err);
  weft_frame_input_free(&input);
  return result;
}
/* What is read is whole before any of it is taken. */
static weft_result save_and_load(weft_solver *solver, weft_error *err) {
  void *bytes = solver;
  size_t size;
  weft_result result = weft_solver_save(solver, &bytes, &size, err);
  assert_true((bytes != NULL) == (result == WEFT_OK));
  if (result == WEFT_OK) result = weft_solver_load(solver, bytes, size, err);
  weft_free(bytes);
  return result;
}
static weft_result bending(weft_solver *solver, weft_error *err) {
  weft_solver_bending_substeps(solver);
  return said(!failing_memory.has_failed, err);
}

static void solvers_that_were_only_looked_at_go_on(void **state) {
  (void)state;
  setting settings[SETTINGS];
  weft_mesh mesh;
  weft_body body;
  make_settings(settings, &mesh, &body);
  for (int k = 8; k <= 9; ++k) {
    const setting *s = &settings[k];
    weft_solver *solver = rig_solver(s->model, &s->params, s->backend);
    weft_metrics metrics;
    const uint64_t expected = rig_hash_after(s->model, &s->params, s->backend, 2);
    rig_step(solver, 1);
    /* What it makes when it is first asked. */
    if (k == 9) assert_int_equal(weft_solver_metrics(solver, &metrics, NULL), WEFT_OK);
    const trial trials[] = {{"hash", run_look, &(look){solver, hash_of}},
                            {"metrics", run_look, &(look){solver, measure}},
                            {"structure", run_look, &(look){solver, structure}},
                            {"frame input", run_look, &(look){solver, frame_input}},
                            {"save and load", run_look, &(look){solver, save_and_load}},
                            {"bending substeps", run_look, &(look){solver, bending}}};
    SWEEP(trials);
    rig_step(solver, 1);
    assert_true(rig_hash(solver) == expected);
    weft_solver_destroy(solver);
  }
  free_settings(settings, &mesh);
}

/* What a solver makes when it is first asked stays its own. */
static void what_is_made_on_the_way_stays(void **state) {
  (void)state;
  setting settings[SETTINGS];
  weft_mesh mesh;
  weft_body body;
  make_settings(settings, &mesh, &body);
  const setting *s = &settings[9];
  for (long number = 1, failed = 1; failed; ++number) {
    weft_solver *solver = rig_solver(s->model, &s->params, s->backend);
    weft_metrics metrics;
    const long blocks = failing_memory.blocks;
    weft_vec3 moved[9]; /* so that what is held back is counted after that */
    for (int v = 0; v < 9; ++v) moved[v] = weft_v3(mesh.positions[v].x, -2.01f, 0);
    assert_int_equal(weft_solver_move_body(solver, 0, moved, NULL), WEFT_OK);
    rig_step(solver, 1);
    failing_arm(number);
    failed = weft_solver_metrics(solver, &metrics, NULL) == WEFT_ERROR_MEMORY;
    failing_arm(0);
    assert_int_equal(weft_solver_metrics(solver, &metrics, NULL), WEFT_OK);
    weft_solver_destroy(solver);
    assert_true(failing_memory.blocks < blocks);
  }
  free_settings(settings, &mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      failing_test(meshes_are_whole_or_as_they_were),
      failing_test(models_are_made_or_nothing_is),
      failing_test(solvers_are_made_or_nothing_is),
      failing_test(solvers_that_were_being_changed_are_lost_and_leave_nothing),
      failing_test(solvers_that_were_only_looked_at_go_on),
      failing_test(what_is_made_on_the_way_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
