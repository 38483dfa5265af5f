/* Whatever a caller asks for, a state stays finite or the request is refused with a sentence.
 * Meshes, systems of particles and parameters are drawn at random from a seed, mostly from the ends
 * of what is allowed and a little past them, and run for a second or more. WEFT_TEST_SEED and
 * WEFT_TEST_CASES repeat or lengthen the sweep. */
#include "rig.h"
/* after cmocka */
#include "find_nonfinite.h"

/* ---- drawing ---- */

static bool chance(weft_rng *rng, float part) { return weft_rng_float(rng, 0, 1) < part; }
static uint32_t below(weft_rng *rng, uint32_t count) { return weft_rng_u32(rng) % count; }

/* 10^low to 10^high, evenly over the exponents. */
static float power(weft_rng *rng, float low, float high) {
  return (float)pow(10, (double)weft_rng_float(rng, low, high));
}

static float pick(weft_rng *rng, const float *values, size_t count) {
  return values[below(rng, (uint32_t)count)];
}
#define PICK(rng, ...) \
  pick(rng, (const float[]){__VA_ARGS__}, sizeof((float[]){__VA_ARGS__}) / sizeof(float))

static weft_vec3 direction(weft_rng *rng) {
  return weft_v3(weft_rng_float(rng, -1, 1), weft_rng_float(rng, -1, 1),
                 weft_rng_float(rng, -1, 1));
}

/* ---- models ---- */

static weft_material draw_material(weft_rng *rng) {
  weft_material m = {.name = "drawn", .area_density = chance(rng, 0.5f) ? 0.2f : power(rng, -9, 5)};
  float *stiffness[] = {&m.stretch_warp, &m.stretch_weft, &m.shear, &m.bending};
  for (int k = 0; k < 4; ++k) {
    *stiffness[k] =
        chance(rng, 0.3f) ? PICK(rng, 0, INFINITY, 1e-30f, 1e30f, -1, NAN, 1) : power(rng, -8, 9);
  }
  if (chance(rng, 0.4f)) m.damping_time = chance(rng, 0.2f) ? 3e38f : power(rng, -8, 12);
  return m;
}

/* A sheet that has been disturbed: scaled, flattened to needles, vertices moved onto each
 * other, triangles repeated, turned, made of one vertex. */
static weft_mesh draw_mesh(weft_rng *rng) {
  weft_mesh mesh = {0};
  const weft_grid_desc grid = {.rows = 2 + below(rng, 5),
                               .columns = 2 + below(rng, 5),
                               .pattern = (weft_grid_pattern)below(rng, 3)};
  assert_int_equal(weft_mesh_grid(&grid, &mesh, NULL), WEFT_OK);
  float scale = chance(rng, 0.5f) ? 1 : power(rng, -7, 6);
  float flat = chance(rng, 0.2f) ? power(rng, -9, 0) : 1;
  weft_vec3 away =
      chance(rng, 0.2f) ? weft_v3_scale(direction(rng), power(rng, 0, 6)) : direction(rng);
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    weft_vec3 p = mesh.positions[i];
    p.y *= flat;
    if (chance(rng, 0.1f)) p = weft_v3_add(p, weft_v3_scale(direction(rng), power(rng, -9, 0)));
    mesh.positions[i] = weft_v3_add(weft_v3_scale(p, scale), away);
  }
  if (chance(rng, 0.2f)) { /* coincident */
    mesh.positions[below(rng, mesh.vertex_count)] = mesh.positions[below(rng, mesh.vertex_count)];
  }
  if (chance(rng, 0.2f)) { /* anything with anything */
    mesh.triangles[below(rng, 3 * mesh.triangle_count)] = below(rng, mesh.vertex_count + 1);
  }
  if (chance(rng, 0.2f)) { /* twice the same */
    uint32_t t = below(rng, mesh.triangle_count), s = below(rng, mesh.triangle_count);
    memcpy(mesh.triangles + 3 * t, mesh.triangles + 3 * s, 3 * sizeof *mesh.triangles);
  }
  if (chance(rng, 0.03f))
    mesh.positions[below(rng, mesh.vertex_count)].y = PICK(rng, NAN, INFINITY);
  if (chance(rng, 0.5f)) mesh.grid_rows = mesh.grid_columns = 0;
  return mesh;
}

static weft_model *draw_cloth(weft_rng *rng, weft_error *err) {
  weft_mesh mesh = draw_mesh(rng);
  if (chance(rng, 0.5f) && weft_mesh_repair(&mesh, NULL, err) != WEFT_OK) {
    weft_mesh_free(&mesh);
    return NULL;
  }
  weft_material material = draw_material(rng);
  const weft_pin pins[] = {
      {.rule = (weft_pin_rule)below(rng, 4)},
      {.rule = WEFT_PIN_BOX, .box_min = {-1e7f, -1e7f, -1e7f}, .box_max = {1e7f, 1e7f, 1e7f}}};
  const weft_model_desc desc = {.mesh = &mesh,
                                .material = chance(rng, 0.3f) ? NULL : &material,
                                .bending = (weft_bending)below(rng, WEFT_BENDING_NONE + 2),
                                .no_shear = chance(rng, 0.3f),
                                .pins = pins,
                                .pin_count = chance(rng, 0.05f) ? 2 : below(rng, 2)};
  weft_model *model = NULL;
  weft_model_create(&desc, &model, err);
  weft_mesh_free(&mesh);
  return model;
}

enum { PARTICLES = 12, LINKS = 20, HINGES = 4 };

static weft_model *draw_particles(weft_rng *rng, weft_error *err) {
  weft_vec3 positions[PARTICLES];
  float masses[PARTICLES];
  weft_link links[LINKS];
  weft_hinge hinges[HINGES];
  uint32_t n = 1 + below(rng, PARTICLES);
  float scale = chance(rng, 0.5f) ? 1 : power(rng, -9, 6);
  for (uint32_t i = 0; i < n; ++i) {
    positions[i] = i && chance(rng, 0.1f) ? positions[i - 1] : weft_v3_scale(direction(rng), scale);
    masses[i] = chance(rng, 0.5f) ? 1 : power(rng, -12, 12);
    if (chance(rng, 0.1f)) masses[i] = 0;
    if (chance(rng, 0.01f)) masses[i] = PICK(rng, -1, NAN, INFINITY, 1e-38f, 1e38f);
  }
  uint32_t link_count = n > 1 ? below(rng, LINKS) : 0;
  for (uint32_t i = 0; i < link_count; ++i) {
    links[i] = (weft_link){.a = below(rng, n),
                           .b = below(rng, n),
                           .rest_length = chance(rng, 0.5f) ? scale : power(rng, -9, 6),
                           .sense = (weft_sense)below(rng, 3),
                           .bending = chance(rng, 0.2f)};
    if (links[i].a == links[i].b) links[i].b = (links[i].a + 1) % n;
    if (chance(rng, 0.4f)) links[i].compliance = power(rng, -20, 20);
    if (chance(rng, 0.4f)) links[i].damping = chance(rng, 0.1f) ? 3e38f : power(rng, -20, 20);
    if (chance(rng, 0.005f)) links[i].rest_length = PICK(rng, 0, -1, NAN, INFINITY);
    if (chance(rng, 0.005f)) links[i].compliance = PICK(rng, -1, NAN, INFINITY);
    if (chance(rng, 0.005f)) links[i].b = links[i].a;
    if (chance(rng, 0.005f)) links[i].b = n;
  }
  uint32_t hinge_count = n > 4 ? below(rng, HINGES) : 0;
  for (uint32_t i = 0; i < hinge_count; ++i) {
    hinges[i] = (weft_hinge){.rest_angle = weft_rng_float(rng, -3.1f, 3.1f)};
    uint32_t first = below(rng, n);
    for (uint32_t k = 0; k < 4; ++k) hinges[i].particles[k] = (first + k) % n;
    if (chance(rng, 0.5f)) hinges[i].compliance = power(rng, -20, 20);
    if (chance(rng, 0.3f)) hinges[i].damping = power(rng, -20, 20);
  }
  const weft_particles_desc desc = {.particle_count = n,
                                    .positions = positions,
                                    .masses = masses,
                                    .links = links,
                                    .link_count = link_count,
                                    .hinges = hinges,
                                    .hinge_count = hinge_count,
                                    .radius = chance(rng, 0.5f) ? 0 : power(rng, -6, 3)};
  weft_model *model = NULL;
  weft_model_create_particles(&desc, &model, err);
  return model;
}

/* ---- parameters ---- */

static weft_collider draw_collider(weft_rng *rng, const weft_model *model,
                                   weft_collider_key *keys) {
  weft_collider c = {.shape = (weft_collider_shape)below(rng, WEFT_COLLIDER_BOX + 1),
                     .radius = chance(rng, 0.5f) ? 0.3f : power(rng, -6, 6),
                     .friction_static = PICK(rng, 0, 0.5f, 1e6f),
                     .friction_dynamic = PICK(rng, 0, 0.4f, 1e6f)};
  c.half_size = weft_v3(0.2f, chance(rng, 0.3f) ? 1e-6f : 0.1f, power(rng, -3, 3));
  if (chance(rng, 0.5f)) c.rotation = weft_v3_scale(direction(rng), power(rng, -3, 2));
  /* Often exactly at a particle. */
  uint32_t p = below(rng, weft_model_particle_count(model));
  c.a = chance(rng, 0.5f) ? weft_model_rest_positions(model)[p] : direction(rng);
  c.b = c.shape == WEFT_COLLIDER_PLANE || chance(rng, 0.7f) ? direction(rng) : c.a;
  if (chance(rng, 0.3f)) {
    float reach = chance(rng, 0.2f) ? 1e6f : 10;
    keys[0] = (weft_collider_key){.time = 0, .a = c.a, .b = c.b};
    keys[1] = (weft_collider_key){.time = PICK(rng, 1e-6f, 1, 1e6f), .b = c.b};
    keys[1].a = weft_v3_scale(direction(rng), reach);
    keys[0].rotation = c.rotation;
    keys[1].rotation = weft_v3_scale(direction(rng), chance(rng, 0.2f) ? 1e5f : 1);
    c.keys = keys;
    c.key_count = 2;
  }
  return c;
}

static weft_params draw_params(weft_rng *rng, const weft_model *model, weft_collider *colliders,
                               weft_collider_key *keys) {
  weft_params p = {.plain = true,
                   .frame_dt = chance(rng, 0.6f) ? 1.0f / 60 : PICK(rng, 1e-6f, 1e-3f, 0.1f, 1),
                   .substeps = chance(rng, 0.02f) ? 1000 : 1 + below(rng, 12),
                   .iterations = chance(rng, 0.02f) ? 1000 : 1 + below(rng, 4),
                   .mode = (weft_mode)below(rng, 3),
                   .method = (weft_method)(chance(rng, 0.2f)),
                   .relaxation = PICK(rng, 0, 1e-3f, 0.5f, 1),
                   .hybrid_min = below(rng, 12),
                   .keep_multipliers = chance(rng, 0.2f)};
  if (chance(rng, 0.3f)) p.gravity = weft_v3_scale(direction(rng), power(rng, -3, 6));
  if (chance(rng, 0.3f)) p.damping = power(rng, -3, 4);
  if (chance(rng, 0.3f)) p.global_damping = power(rng, -3, 4);
  if (chance(rng, 0.3f)) p.thickness = power(rng, -6, 3);
  if (p.method == WEFT_METHOD_PBD) {
    p.pbd_stretch = PICK(rng, 0, 1e-6f, 0.5f, 1);
    p.pbd_bending = PICK(rng, 0, 1e-6f, 0.5f, 1);
    p.collide_each_iteration = chance(rng, 0.5f);
  }
  if (chance(rng, 0.4f)) {
    p.air_density = chance(rng, 0.5f) ? 1.2f : power(rng, -6, 4);
    p.wind = weft_v3_scale(direction(rng), power(rng, -3, 3));
    p.gust = weft_rng_float(rng, 0, 1);
    p.drag = chance(rng, 0.5f) ? 0 : power(rng, -6, 3);
    p.skin_friction = chance(rng, 0.5f) ? 0 : power(rng, -6, 3);
  }
  if (chance(rng, 0.01f)) p.frame_dt = PICK(rng, -1, NAN, INFINITY);
  p.collider_count = chance(rng, 0.5f) ? below(rng, 4) : 0;
  p.colliders = colliders;
  for (uint32_t k = 0; k < p.collider_count; ++k) {
    colliders[k] = draw_collider(rng, model, keys + 2 * k);
  }
  bool lines = p.method == WEFT_METHOD_XPBD;
  if (lines && chance(rng, 0.4f)) p.line_sweeps = 1 + below(rng, 3);
  return p;
}

/* ---- running ---- */

typedef struct tally {
  uint32_t ran, refused, failed;
} tally;

/* Enough frames for a second, within a budget of passes. */
static uint32_t frames_of(const weft_params *p, uint64_t passes) {
  uint64_t wanted = (uint64_t)ceil(1.0 / (double)p->frame_dt);
  uint64_t max = passes / ((uint64_t)p->substeps * p->iterations);
  if (wanted > 60) wanted = 60;
  if (wanted < 3) wanted = 3;
  return (uint32_t)(wanted < max ? wanted : max > 1 ? max : 1);
}

static void run_case(uint64_t seed, weft_solver *solver, uint64_t passes, tally *t) {
  weft_kept_state good;
  weft_kept_state_alloc(solver, &good);
  assert_int_equal(weft_solver_keep(solver, &good, NULL), WEFT_OK);
  const weft_params *p = weft_solver_params(solver);
  uint32_t frames = frames_of(p, passes), n = weft_model_particle_count(solver->model);
  rig_step(solver, frames);
  weft_kept_state last;
  weft_kept_state_alloc(solver, &last);
  assert_int_equal(weft_solver_keep(solver, &last, NULL), WEFT_OK);
  ++t->ran;
  if (weft_kept_state_nonfinite(&last, n) != UINT32_MAX) {
    weft_nonfinite place;
    char text[256] = "not found again";
    weft_solver_find_nonfinite(solver, &good, frames, NULL, NULL, &place, NULL);
    if (place.found) weft_nonfinite_describe(solver, &place, text, sizeof text);
    print_message(
        "seed %llu: %s\n  dt %g, %u substeps, %u iterations, mode %d, method %d, omega %g\n",
        (unsigned long long)seed, text, (double)p->frame_dt, p->substeps, p->iterations,
        (int)p->mode, (int)p->method, (double)p->relaxation);
    ++t->failed;
  }
  weft_kept_state_free(&good);
  weft_kept_state_free(&last);
}

static void try_case(uint64_t seed, const weft_backend *backend, uint64_t passes, tally *t) {
  weft_rng rng = weft_rng_seed(seed);
  weft_error err = {0};
  weft_collider colliders[4];
  weft_collider_key keys[8];
  weft_solver *solver = NULL;
  weft_model *model = chance(&rng, 0.6f) ? draw_cloth(&rng, &err) : draw_particles(&rng, &err);
  if (model) {
    const weft_params params = draw_params(&rng, model, colliders, keys);
    weft_solver_create(model, &params, backend, &solver, &err);
  }
  if (solver) {
    run_case(seed, solver, passes, t);
  } else {
    ++t->refused;
    assert_int_not_equal(err.code, WEFT_OK);
    assert_true(strlen(err.message) > 15);
    assert_null(strchr(err.message, '\n'));
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

static uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

static void quiet(weft_log_level level, const char *line, void *user) {
  (void)level, (void)line, (void)user;
}

static void states_stay_finite_or_requests_are_refused(void **state) {
  const weft_backend *backend = rig_backend(state);
  bool ref = backend == weft_backend_ref();
  uint64_t seed = setting("WEFT_TEST_SEED", 1),
           cases = setting("WEFT_TEST_CASES", 2000) / (ref ? 1 : 40);
  tally t = {0};
  weft_log_set(quiet, NULL, WEFT_LOG_ERROR);
  for (uint64_t k = 0; k < cases; ++k) try_case(seed + k, backend, ref ? 2000 : 300, &t);
  print_message("seeds %llu to %llu: %u ran, %u refused, %u became infinite or NaN\n",
                (unsigned long long)seed, (unsigned long long)(seed + cases - 1), t.ran, t.refused,
                t.failed);
  assert_int_equal(t.failed, 0);
  if (cases >= 50) assert_true(t.ran > cases / 3 && t.refused > cases / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {RIG_BOTH(states_stay_finite_or_requests_are_refused)};
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
