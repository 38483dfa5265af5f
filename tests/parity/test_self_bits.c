/* Self-collision has the same bits on the reference, on cpu with any number of threads and any
 * width of vectors, and on the GPU: in folds, in a towel that is wrung, with the limit alone, and
 * where the lists are too short, and grow. */
#include "../physics/rig.h"
/* after rig.h */
#include "../rig_scene.h"
#include "cpu.h"

typedef struct row {
  const char *scene;
  uint32_t size, skip, frames; /* the reference alone goes the first so many frames */
  weft_mode mode;
  uint32_t iterations, room;
  uint32_t substeps, steps; /* contact steps; 0: as the scene has them, one each */
} row;

static void change(const row *r, weft_params *p) {
  assert_int_equal(weft_params_resolve(p, p, NULL), WEFT_OK);
  p->complete = true;
  p->mode = r->mode;
  p->self_iterations = r->iterations;
  p->self_room = r->room;
  if (r->substeps) p->substeps = r->substeps;
  if (r->steps) p->self_steps = r->steps;
}

/* The state after `skip` frames, which every backend goes on from. */
typedef struct start {
  weft_vec3 *x, *v;
} start;

static weft_metrics frames_on(const row *r, const weft_backend *backend, const start *from,
                              uint64_t *hash) {
  weft_scene_instance s = rig_scene(r->scene, r->size);
  weft_params params = s.params;
  change(r, &params);
  weft_solver *solver = rig_solver(s.model, &params, backend);
  weft_error err = {0};
  if (from->x) rig_write(solver, from->x, from->v);
  rig_scene_step(&s, solver, r->frames);
  weft_metrics m;
  assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
  *hash = rig_hash(solver);
  weft_solver_destroy(solver);
  weft_scene_free(&s);
  return m;
}

static start go_to(const row *r) {
  weft_scene_instance s = rig_scene(r->scene, r->size);
  weft_params params = s.params;
  change(r, &params);
  if (r->room < 16) params.self_room = 16;
  weft_solver *solver = rig_solver(s.model, &params, weft_backend_cpu(0));
  rig_scene_step(&s, solver, r->skip);
  uint32_t n = s.model->particle_count;
  start state = {calloc(n, sizeof *state.x), calloc(n, sizeof *state.v)};
  weft_error err = {0};
  assert_int_equal(weft_solver_read(solver, state.x, state.v, &err), WEFT_OK);
  weft_solver_destroy(solver);
  weft_scene_free(&s);
  return state;
}

/* Looks keep work for each other on cpu: sheets that swing, fold, are wrung and lie on each other.
 * In rows of one frame pins are turned back, and cloth holds them. Two have bodies, one that stands
 * still and one that walks. The last have contact steps of several substeps, not of equally many.
 */
static const row rows[] = {
    {"hanging", 24, 20, 8, WEFT_MODE_GS, 4, 16, 0, 0},
    {"wring", 16, 200, 6, WEFT_MODE_GS, 4, 16, 0, 0},
    {"heap", 20, 40, 6, WEFT_MODE_GS, 4, 16, 0, 0},
    {"heap", 16, 40, 6, WEFT_MODE_JACOBI, 4, 16, 0, 0},
    {"heap", 16, 30, 10, WEFT_MODE_GS, 0, 16, 0, 0},
    {"stack", 8, 45, 3, WEFT_MODE_GS, 4, 1, 0, 0},
    {"drape", 20, 50, 4, WEFT_MODE_HYBRID, 4, 16, 0, 0},
    {"wring", 16, 380, 1, WEFT_MODE_GS, 4, 16, 0, 0},
    {"handkerchief", 20, 22, 6, WEFT_MODE_GS, 4, 16, 0, 0},
    {"walk", 12, 30, 4, WEFT_MODE_GS, 4, 16, 0, 0},
    {"heap", 20, 40, 4, WEFT_MODE_GS, 4, 16, 33, 7},
    {"walk", 12, 30, 3, WEFT_MODE_GS, 4, 16, 40, 11},
    {"wring", 16, 380, 1, WEFT_MODE_GS, 4, 16, 40, 20},
    {"heap", 16, 30, 6, WEFT_MODE_GS, 0, 16, 24, 8},
};

static void every_backend_has_the_same_bits(void **state) {
  const weft_cpu_desc descs[] = {{.threads = 1, .tile = 200},
                                 {.threads = 3, .exactly = true, .tile = 200},
                                 {.threads = 2, .exactly = true, .lanes = weft_lanes_usable(4)},
                                 {.threads = 2, .exactly = true, .plain = true}};
  enum { ON_CPU = sizeof descs / sizeof *descs };
  weft_backend on_cpu[ON_CPU];
  const weft_backend *backends[ON_CPU + 1];
  for (size_t b = 0; b < ON_CPU; ++b) {
    on_cpu[b] = weft_cpu_backend_of(&descs[b]);
    backends[b] = &on_cpu[b];
  }
  backends[ON_CPU] = rig_gl_context ? rig_backend(state) : NULL;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    const row *r = &rows[k];
    start from = go_to(r);
    uint64_t expected, hash;
    weft_metrics m = frames_on(r, weft_backend_ref(), &from, &expected);
    if (strcmp(r->scene, "heap") == 0) assert_true(m.self_pairs + m.self_overflows > 0);
    if (r->frames == 1) assert_true(m.self_driven > 0);
    assert_int_equal(m.self_overflows, 0);
    if (r->room == 1) {
      row roomy = *r;
      roomy.room = 16;
      frames_on(&roomy, weft_backend_ref(), &from, &hash);
      assert_int_equal(hash, expected);
    }
    for (size_t b = 0; b <= ON_CPU && backends[b]; ++b) {
      weft_metrics other = frames_on(r, backends[b], &from, &hash);
      if (hash != expected) {
        fail_msg("%s %u on %s: other bits", r->scene, r->size, weft_backend_name(backends[b]));
      }
      assert_int_equal(m.self_candidates, other.self_candidates);
      assert_int_equal(m.self_pairs, other.self_pairs);
      assert_int_equal(m.self_limited, other.self_limited);
      assert_int_equal(m.self_pauses, other.self_pauses);
      assert_int_equal(m.self_driven, other.self_driven);
    }
    free(from.x);
    free(from.v);
  }
}

/* ---- bodies that are shaken ---- */

enum { CORNERS = 8, SHAKES = 80 };

/* What is shaken under a sheet of so many vertices a side, about its own middle; or what rests
 * there, until the sheet has fallen on it. */
typedef struct shaken {
  weft_mesh body;
  uint32_t side, frames;
  bool on_gl, rests;
} shaken;

static weft_mesh cube_mesh(void) {
  static uint32_t triangles[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  static weft_vec3 x[CORNERS];
  for (uint32_t k = 0; k < CORNERS; ++k) {
    x[k] = (weft_vec3){k & 1 ? 0.06f : -0.06f, k & 2 ? 0.05f : -0.05f, k & 4 ? 0.07f : -0.07f};
  }
  return (weft_mesh){
      .vertex_count = CORNERS, .triangle_count = 12, .positions = x, .triangles = triangles};
}

/* A mound whose triangles are much smaller than those of the sheet. */
static weft_mesh mound_mesh(uint32_t side) {
  weft_mesh mesh = {0};
  weft_error err = {0};
  const weft_grid_desc grid = {
      .rows = side, .columns = side, .width = 0.2f, .height = 0.2f, .plane = WEFT_PLANE_XZ};
  assert_int_equal(weft_mesh_grid(&grid, &mesh, &err), WEFT_OK);
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    weft_vec3 *p = &mesh.positions[i];
    p->y = 0.05f - 3 * (p->x * p->x + p->z * p->z);
  }
  return mesh;
}

static void place_body(const weft_mesh *mesh, weft_vec3 centre, weft_vec3 *x) {
  for (uint32_t k = 0; k < mesh->vertex_count; ++k) {
    x[k] = weft_v3_add(centre, mesh->positions[k]);
  }
}

/* Where it is at the end of a frame: it rests, goes on, or is thrown, at 4 m/s at most, and is
 * never far from the cloth for long. */
static weft_vec3 shake(weft_rng *rng, uint32_t frame, weft_vec3 at) {
  const float by = frame % 5 == 0 ? 0 : frame % 5 == 3 ? 0.04f : 0.01f;
  const weft_vec3 away = weft_v3(weft_rng_float(rng, -by, by), weft_rng_float(rng, -by, by),
                                 weft_rng_float(rng, -by, by));
  return weft_v3_add(weft_v3_scale(at, by > 0 ? 0.9f : 1), away);
}

/* The sheet hangs by its corners over the body. */
static weft_model *sheet_model(uint32_t side) {
  weft_mesh sheet = {0};
  weft_error err = {0};
  const weft_grid_desc grid = {
      .rows = side, .columns = side, .width = 0.4f, .height = 0.4f, .plane = WEFT_PLANE_XZ};
  assert_int_equal(weft_mesh_grid(&grid, &sheet, &err), WEFT_OK);
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  weft_model *model = NULL;
  const weft_model_desc desc = {.mesh = &sheet, .pins = &pin, .pin_count = 1};
  assert_int_equal(weft_model_create(&desc, &model, &err), WEFT_OK);
  weft_mesh_free(&sheet);
  return model;
}

/* Hash and candidates of every frame; returns the pairs that there were in all of them. */
static double shake_on(const shaken *what, const weft_backend *backend, uint64_t *hashes,
                       double *candidates) {
  weft_mesh placed = what->body;
  weft_vec3 at = {0, what->rests ? -0.06f : -0.12f, 0},
            *to = calloc(placed.vertex_count, sizeof *to);
  placed.positions = calloc(placed.vertex_count, sizeof *to);
  place_body(&what->body, at, placed.positions);
  weft_error err = {0};
  weft_model *model = sheet_model(what->side);
  const weft_body body = {.mesh = &placed, .friction_static = 0.4f, .friction_dynamic = 0.3f};
  const weft_params params = {
      .substeps = 8, .self_collision = true, .self_room = 64, .bodies = &body, .body_count = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  weft_rng rng = weft_rng_seed(3);
  double pairs = 0;
  for (uint32_t f = 0; f < what->frames; ++f) {
    weft_metrics m;
    if (!what->rests) at = shake(&rng, f, at);
    place_body(&what->body, at, to);
    if (f % 5 && !what->rests) {
      assert_int_equal(weft_solver_move_body(solver, 0, to, &err), WEFT_OK);
    }
    assert_int_equal(weft_solver_step(solver, &err), WEFT_OK);
    assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
    hashes[f] = rig_hash(solver);
    candidates[f] = (double)m.self_candidates;
    pairs += (double)m.self_pairs;
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  free(placed.positions);
  free(to);
  return pairs;
}

static void check_shaken(void **state, const shaken *what) {
  uint64_t expected[SHAKES], hashes[SHAKES];
  double wanted[SHAKES], candidates[SHAKES];
  const weft_cpu_desc descs[] = {{.threads = 1},
                                 {.threads = 2, .exactly = true, .lanes = weft_lanes_usable(4)},
                                 {.threads = 1, .lanes = weft_lanes_usable(8)}};
  assert_true(shake_on(what, weft_backend_ref(), expected, wanted) > 1000);
  for (size_t b = 0; b <= sizeof descs / sizeof *descs; ++b) {
    const bool on_cpu = b < sizeof descs / sizeof *descs;
    if (!on_cpu && (!rig_gl_context || !what->on_gl)) break;
    weft_backend cpu = weft_cpu_backend_of(&descs[on_cpu ? b : 0]);
    shake_on(what, on_cpu ? &cpu : rig_backend(state), hashes, candidates);
    for (uint32_t f = 0; f < what->frames; ++f) {
      if (hashes[f] == expected[f] && candidates[f] == wanted[f]) continue;
      fail_msg("frame %u, backend %zu: other bits, %g candidates for %g", f, b, candidates[f],
               wanted[f]);
    }
  }
}

/* Cpu keeps from detection to detection what a body that moves in jerks leaves least of. */
static void a_shaken_body_is_met_by_all(void **state) {
  check_shaken(state, &(shaken){cube_mesh(), 14, SHAKES, true, false});
}

/* Hundreds of groups of triangles about one of a coarse sheet, which cpu has room for; and about
 * those of a finer one, of which it keeps what comes soonest. */
static void a_dense_body_is_met_by_all(void **state) {
  shaken what = {mound_mesh(56), 8, 7, false, false};
  check_shaken(state, &what);
  what.rests = true;
  what.frames = 9;
  check_shaken(state, &what);
  weft_mesh_free(&what.body);
  what = (shaken){mound_mesh(80), 24, 6, false, false};
  check_shaken(state, &what);
  weft_mesh_free(&what.body);
}

/* ---- particles that are nowhere ---- */

/* What a frame from there makes: whether it could, what it hashes to, and its candidates. */
typedef struct outcome {
  weft_result result;
  uint64_t hash;
  double candidates;
} outcome;

/* Its particle `lost` at x, past what weft_solver_write takes. */
static outcome a_frame_with(uint32_t lost, weft_vec3 x, const weft_backend *backend) {
  weft_error err = {0};
  weft_model *model = sheet_model(9);
  const weft_params params = {.substeps = 2, .self_collision = true, .self_room = 64};
  weft_solver *solver = rig_solver(model, &params, backend);
  vec4 element;
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, lost, 1, &element);
  element = (vec4){x.x, x.y, x.z, element.w};
  weft_solver_write_buffer(solver, WEFT_BUFFER_X, lost, 1, &element);
  outcome made = {.result = weft_solver_step(solver, &err)};
  weft_metrics m = {0};
  if (weft_solver_metrics(solver, &m, &err) == WEFT_OK) made.candidates = (double)m.self_candidates;
  made.hash = rig_hash(solver);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  return made;
}

/* A box around such a particle is all of space, and everything is near it. What such a state ends
 * in is not compared: some of it are no numbers, whose sign is anyone's. */
static void particles_that_are_nowhere_are_near_all(void **state) {
  const weft_vec3 nowhere[] = {{4e29f, 4e29f, 4e29f}, {0, 1e30f, 0}, {2e29f, 2e29f, 2e29f}};
  const weft_cpu_desc descs[] = {{.threads = 1, .lanes = weft_lanes_usable(4)},
                                 {.threads = 1, .lanes = weft_lanes_usable(8)}};
  enum { SIDE = 9, LOST = SIDE * SIDE / 2 };
  for (size_t k = 0; k < sizeof nowhere / sizeof *nowhere; ++k) {
    outcome expected = a_frame_with(LOST, nowhere[k], weft_backend_ref());
    for (size_t b = 0; b < sizeof descs / sizeof *descs; ++b) {
      weft_backend cpu = weft_cpu_backend_of(&descs[b]);
      outcome found = a_frame_with(LOST, nowhere[k], &cpu);
      assert_int_equal(found.result, expected.result);
      assert_true(found.candidates == expected.candidates);
    }
  }
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"particles_that_are_nowhere_are_near_all", particles_that_are_nowhere_are_near_all, NULL,
       NULL, &rig_places[1]},
      {"every_backend_has_the_same_bits", every_backend_has_the_same_bits, NULL, NULL,
       &rig_places[1]},
      {"a_shaken_body_is_met_by_all", a_shaken_body_is_met_by_all, NULL, NULL, &rig_places[1]},
      {"a_dense_body_is_met_by_all", a_dense_body_is_met_by_all, NULL, NULL, &rig_places[1]},
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
