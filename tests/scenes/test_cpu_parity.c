/* The backend cpu has the bits of the reference: on every scene, at odd sizes, in every mode, on
 * one to four threads, with every kind of vector, pass by pass and in tiles. */
#include "cpu.h"
#include "lanes_wide.h"
#include "plan.h"
#include "rig_scene.h"

/* Off the plane and off rest, two neighbours at one place, one far below the smallest number that
 * is kept. */
static void crumple(weft_solver *solver) {
  uint32_t n = solver->model->particle_count;
  weft_vec3 *x = weft_alloc(n, sizeof *x), *v = weft_alloc(n, sizeof *v);
  weft_rng rng = weft_rng_seed(11);
  for (uint32_t i = 0; i < n; ++i) {
    weft_vec3 noise =
        weft_v3(weft_rng_float(&rng, -1e-3f, 1e-3f), weft_rng_float(&rng, -1e-3f, 1e-3f),
                weft_rng_float(&rng, -1e-3f, 1e-3f));
    x[i] = weft_v3_add(solver->model->rest_positions[i], noise);
    v[i] = weft_v3_scale(noise, 50);
  }
  if (n > 3) x[2] = x[3];
  if (n > 5) x[5] = weft_v3(1e-14f, -1e-30f, 0);
  assert_int_equal(weft_solver_write(solver, x, v, NULL), WEFT_OK);
  weft_free(x);
  weft_free(v);
}

static const weft_lanes *kind_of_vectors(uint32_t k) {
  const weft_lanes *kinds[] = {weft_lanes_usable(4), weft_lanes_usable(8), weft_lanes_usable(16),
                               lanes_wide()};
  return kinds[k];
}
enum { KINDS = 4 };

/* All threads and vectors; tiles smaller than any cloth and no tiles in turn. */
static void check_all_ways(weft_scene_instance *s, const weft_params *given, uint32_t frames,
                           bool crumpled) {
  static uint32_t turn = 0;
  weft_params copy = *given, *params = &copy;
  params->substeps = 5;
  uint64_t expected =
      rig_scene_hash(s, params, weft_backend_ref(), frames, crumpled ? crumple : NULL);
  turn += 1;
  for (uint32_t way = turn % 2; way < 2 * 4; way += turn % 4 < 2 ? 2 : 3) {
    const weft_lanes *lanes = kind_of_vectors(way % KINDS);
    weft_cpu_desc desc = {.threads = 1 + way % 4,
                          .lanes = lanes,
                          .plain = !lanes,
                          .no_split = way % 3 == 2,
                          .tile = way < 4 ? 50 : 0,
                          .exactly = true};
    weft_backend cpu = weft_cpu_backend_of(&desc);
    if (rig_scene_hash(s, params, &cpu, frames, crumpled ? crumple : NULL) != expected) {
      fail_msg("%s: cpu differs from ref on %u threads with %s, tiles of %u", s->name, desc.threads,
               lanes ? lanes->name : "no vectors", desc.tile);
    }
  }
}

/* Of the grid of 150 x 150 the finest level is too large for one work group, so that each level
 * pass runs alone; curtain and skirt have pins that move, and the skirt is no grid. */
static void levels_and_lra_have_the_reference_s_bits(void **state) {
  (void)state;
  static const char *const names[] = {"hanging", "curtain", "skirt"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    weft_scene_instance s = rig_scene(names[k], k ? 30 : 150);
    weft_params params = s.params;
    params.multilevel = WEFT_ALL_LEVELS;
    params.multilevel_sweeps = 1 + (uint32_t)k;
    params.lra = 4;
    check_all_ways(&s, &params, 2, false);
    weft_scene_free(&s);
  }
}

/* Lines of a grid are alike, those of a skirt of all lengths; fewer bundles than lanes, and more.
 * Where one is small it touches itself, too. */
static void lines_have_the_reference_s_bits(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t size;
  } cloths[] = {{"hanging", 12}, {"drape", 33}, {"hanging", 150},
                {"skirt", 40},   {"skirt", 90}, {"curtain", 40}};
  for (size_t k = 0; k < sizeof cloths / sizeof *cloths; ++k) {
    weft_scene_instance s = rig_scene(cloths[k].name, cloths[k].size);
    weft_params params = s.params;
    params.self_collision = cloths[k].size < 40;
    for (params.line_sweeps = 1; params.line_sweeps <= 2; ++params.line_sweeps) {
      for (int crumpled = 0; crumpled < 2; ++crumpled) {
        params.lra = crumpled ? 4 : 0;
        check_all_ways(&s, &params, 2, crumpled);
      }
    }
    weft_scene_free(&s);
  }
}

static void every_scene_has_the_reference_s_bits(void **state) {
  (void)state;
  static const uint32_t sizes[] = {5, 17, 26};
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    const weft_scene *scene = weft_scene_at(k);
    for (uint32_t z = 0; z < 3; ++z) {
      weft_scene_instance s = {0};
      weft_error err = {0};
      weft_scene_options options = {.size = scene->uses & WEFT_SCENE_CLOTH ? sizes[z] : 0};
      if (weft_scene_make(scene, &options, &s, &err) != WEFT_OK) continue; /* too small for it */
      weft_params params = s.params;
      check_all_ways(&s, &params, 2, false);
      weft_scene_free(&s);
      if (!options.size) break;
    }
  }
}

static void every_mode_has_the_reference_s_bits_from_a_crumpled_start(void **state) {
  (void)state;
  for (uint32_t size = 9; size < 30; size += 18) {
    for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
      for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
        weft_scene_instance s = rig_scene("drape", size);
        weft_params params = s.params;
        params.mode = (weft_mode)mode;
        params.iterations = iterations;
        params.hybrid_min = 30;
        params.air_density = 1.2f;
        params.wind = weft_v3(2, 0, 1);
        params.global_damping = 0.5f;
        params.lra = mode == WEFT_MODE_GS ? 2 : 0;
        check_all_ways(&s, &params, 2, true);
        weft_scene_free(&s);
      }
    }
  }
}

static void every_kind_of_bending_and_method_has_the_reference_s_bits(void **state) {
  (void)state;
  for (int bending = WEFT_BENDING_ISOMETRIC; bending <= WEFT_BENDING_MIXED; ++bending) {
    for (int method = WEFT_METHOD_XPBD; method <= WEFT_METHOD_PBD; ++method) {
      weft_scene_options options = {
          .size = 21, .bending = (weft_bending)bending, .bending_set = true};
      weft_scene_instance s = rig_scene_of(weft_scene_find("flag"), &options);
      weft_params params = s.params;
      params.method = (weft_method)method;
      params.iterations = 2;
      check_all_ways(&s, &params, 2, true);
      weft_scene_free(&s);
    }
  }
}

/* The reference leaves a pair alone whose correction is zero: written back, a particle that is not
 * a number would spoil its neighbours, and a coordinate of -0 would lose its sign. */
static void check_pairs_at_rest(bool zeros) {
  weft_scene_options options = {.size = 20, .bending = WEFT_BENDING_NONE, .bending_set = true};
  weft_scene_instance s = rig_scene_of(weft_scene_find("hanging"), &options);
  uint32_t n = s.model->particle_count;
  vec4 *rows[3] = {weft_alloc(n, sizeof(vec4)), weft_alloc(n, sizeof(vec4)),
                   weft_alloc(n, sizeof(vec4))};
  weft_cpu_desc descs[2] = {{.threads = 1, .tile = 60},
                            {.threads = 1, .tile = 60, .no_split = true}};
  for (int k = 0; k < 3; ++k) {
    weft_backend cpu = weft_cpu_backend_of(&descs[k == 2]);
    weft_solver *solver = rig_guarded(s.model, &s.params, k ? &cpu : weft_backend_ref(), 256);
    weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, rows[k]);
    rows[k][210].y = NAN;
    for (uint32_t i = 0; i < n; ++i) rows[k][i].z = zeros ? i % 3 ? 0.0f : -0.0f : 0.25f;
    weft_solver_write_buffer(solver, WEFT_BUFFER_X, 0, n, rows[k]);
    /* A rest state: gravity comes with the prediction, which is left out. */
    for (size_t p = 0; p < solver->passes.count; ++p) {
      bool batch = weft_cpu_role_of(&solver->passes.items[p]) == WEFT_CPU_BATCH;
      if (batch) solver->backend->run(solver->instance, &solver->passes.items[p], 0);
    }
    weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, rows[k]);
    weft_solver_destroy(solver);
  }
  for (int k = 1; k < 3; ++k) assert_memory_equal(rows[0], rows[k], n * sizeof(vec4));
  for (int k = 0; k < 3; ++k) weft_free(rows[k]);
  weft_scene_free(&s);
}

static void a_pair_at_rest_is_not_written(void **state) {
  (void)state;
  check_pairs_at_rest(false);
  check_pairs_at_rest(true);
}

/* Where the cloth is flat all heights are small. One row in `rarity` gets a coordinate that is far
 * too small, or far too large, or -0, or its neighbour's, or another inverse mass: 0, or one out of
 * this world. */
static void make_awkward(vec4 *x, uint32_t n, uint32_t rarity, bool flat, weft_rng *rng) {
  for (uint32_t i = 1; i < n; ++i) {
    if (flat) x[i].y = ldexpf(weft_rng_float(rng, -1, 1), -45 - (int)(weft_rng_u32(rng) % 30));
    if (weft_rng_u32(rng) % rarity) continue;
    float tiny = weft_rng_float(rng, -1, 1);
    int exponent = -(int)(weft_rng_u32(rng) % 150);
    switch (weft_rng_u32(rng) % 7) {
      case 0:
        x[i].x = ldexpf(tiny, exponent);
        break;
      case 1:
        x[i].y = x[i - 1].y = ldexpf(tiny, exponent);
        break;
      case 2:
        x[i].z = weft_rng_u32(rng) % 2 ? -0.0f : 0.0f;
        break;
      case 3:
        x[i] = x[i - 1];
        break;
      case 4:
        x[i].w = weft_rng_u32(rng) % 2 ? 0.0f : ldexpf(1, (int)(weft_rng_u32(rng) % 100));
        break;
      case 5:
        x[i].x = ldexpf(tiny, -exponent / 2);
        break;
      default:
        x[i] = (vec4){ldexpf(tiny, exponent), ldexpf(tiny, exponent - 30), tiny, x[i].w};
    }
  }
}

/* The levels of a grid and its first batches: the fewer, the less of what is small is lost in sums.
 * Returns positions, behind them those of the finest nodes. */
static vec4 *awkward_rows(const weft_backend *backend, weft_scene_instance *s, uint32_t rarity,
                          bool flat, uint32_t batches, uint32_t *count) {
  weft_solver *solver = rig_guarded(s->model, &s->params, backend, 256);
  uint32_t n = s->model->particle_count, done = 0, nodes = 0;
  for (size_t p = 0; p < solver->passes.count; ++p) {
    const weft_pass *pass = &solver->passes.items[p];
    if (pass->kind == WEFT_PASS_LEVEL_GATHER) nodes = pass->count;
  }
  vec4 *rows = weft_alloc(n + nodes, sizeof(vec4));
  crumple(solver);
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, rows);
  weft_rng rng = weft_rng_seed(rarity + batches);
  make_awkward(rows, n, rarity, flat, &rng);
  weft_solver_write_buffer(solver, WEFT_BUFFER_X, 0, n, rows);
  for (size_t p = 0; p < solver->passes.count && done <= batches; ++p) {
    const weft_pass *pass = &solver->passes.items[p];
    bool batch = weft_cpu_role_of(pass) == WEFT_CPU_BATCH;
    bool level = pass->kind >= WEFT_PASS_LEVEL_GATHER && pass->kind <= WEFT_PASS_LEVEL_SPREAD;
    done += batch;
    if (level || (batch && done <= batches)) solver->backend->run(solver->instance, pass, 0);
  }
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, rows);
  if (nodes) weft_solver_read_buffer(solver, WEFT_BUFFER_LEVEL_X, 0, nodes, rows + n);
  weft_solver_destroy(solver);
  *count = n + nodes;
  return rows;
}

static void check_awkward(weft_scene_instance *s, uint32_t rarity, bool flat, uint32_t batches) {
  uint32_t n = 0;
  vec4 *expected = awkward_rows(weft_backend_ref(), s, rarity, flat, batches, &n);
  for (uint32_t k = 0; k < 2 * KINDS; ++k) {
    weft_cpu_desc desc = {
        .threads = 1, .lanes = kind_of_vectors(k % KINDS), .no_split = k >= KINDS, .tile = 600};
    if (!desc.lanes) continue;
    weft_backend cpu = weft_cpu_backend_of(&desc);
    vec4 *rows = awkward_rows(&cpu, s, rarity, flat, batches, &n);
    for (uint32_t i = 0; i < n; ++i) {
      const vec4 *a = &rows[i], *b = &expected[i];
      if (memcmp(a, b, sizeof *a) == 0) continue;
      if (isnan(b->x + b->y + b->z)) continue; /* of any bits */
      fail_msg("%s%s, one in %u: row %u is %a %a %a, the reference's %a %a %a", desc.lanes->name,
               desc.no_split ? ", off the grid" : "", rarity, i, (double)a->x, (double)a->y,
               (double)a->z, (double)b->x, (double)b->y, (double)b->z);
    }
    weft_free(rows);
  }
  weft_free(expected);
}

static void awkward_numbers_have_the_reference_s_bits(void **state) {
  (void)state;
  for (int bending = WEFT_BENDING_ISOMETRIC; bending <= WEFT_BENDING_ACROSS; ++bending) {
    weft_scene_options options = {
        .size = 66, .bending = (weft_bending)bending, .bending_set = true};
    weft_scene_instance s = rig_scene_of(weft_scene_find("hanging"), &options);
    for (uint32_t rarity = 2; rarity < 5000; rarity *= 3) {
      s.params.multilevel = 0;
      for (uint32_t k = 0; k < 6; ++k) check_awkward(&s, rarity, k % 2, 2 + k * k);
      s.params.multilevel = WEFT_ALL_LEVELS;
      for (uint32_t k = 0; k < 4; ++k) check_awkward(&s, rarity, k % 2, 2 * k);
    }
    weft_scene_free(&s);
  }
}

/* ---- hinges of a sheet so small and flat that normals must be flushed ---- */

/* Flat to some multiples of 2^-49, all coordinates at least 2^-26. */
static void lay_flat(vec4 *x, const weft_vec3 *rest, uint32_t n, int scale, uint32_t most,
                     weft_rng *rng) {
  for (uint32_t i = 0; i < n; ++i) {
    x[i].x = ldexpf(rest[i].x + 2, -scale);
    x[i].y = 0x1p-26f + ldexpf((float)(weft_rng_u32(rng) % most), -49);
    x[i].z = ldexpf(rest[i].z + 2, -scale);
  }
}

/* Positions after the batches of hinges, without any other pass. */
static void project_flat_hinges(const weft_backend *backend, weft_scene_instance *s, int scale,
                                uint32_t most, vec4 *rows) {
  uint32_t n = s->model->particle_count;
  weft_solver *solver = rig_guarded(s->model, &s->params, backend, 256);
  weft_rng rng = weft_rng_seed(most);
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, rows);
  lay_flat(rows, s->model->rest_positions, n, scale, most, &rng);
  weft_solver_write_buffer(solver, WEFT_BUFFER_X, 0, n, rows);
  for (size_t p = 0; p < solver->passes.count; ++p) {
    const weft_pass *pass = &solver->passes.items[p];
    if (pass->kind == WEFT_PASS_PROJECT_DIHEDRAL) solver->backend->run(solver->instance, pass, 0);
  }
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, rows);
  weft_solver_destroy(solver);
}

static void hinges_of_tiny_cloth_have_the_reference_s_bits(void **state) {
  (void)state;
  weft_scene_options options = {.size = 24, .bending = WEFT_BENDING_DIHEDRAL, .bending_set = true};
  weft_scene_instance s = rig_scene_of(weft_scene_find("hanging"), &options);
  uint32_t n = s.model->particle_count;
  vec4 *expected = weft_alloc(n, sizeof *expected), *rows = weft_alloc(n, sizeof *rows);
  for (int scale = 0; scale < 22; ++scale) {
    for (uint32_t most = 1; most < 1u << 22; most *= 8) {
      project_flat_hinges(weft_backend_ref(), &s, scale, most, expected);
      for (uint32_t k = 0; k < KINDS; ++k) {
        weft_cpu_desc desc = {.threads = 1, .lanes = kind_of_vectors(k)};
        if (!desc.lanes) continue;
        weft_backend cpu = weft_cpu_backend_of(&desc);
        project_flat_hinges(&cpu, &s, scale, most, rows);
        if (memcmp(rows, expected, n * sizeof *rows) == 0) continue;
        fail_msg("%s: edges scaled by 2^-%d, flat to %u", desc.lanes->name, scale, most);
      }
    }
  }
  weft_free(expected);
  weft_free(rows);
  weft_scene_free(&s);
}

/* ---- the same in the middle of a run ---- */

static void state_read_and_written_between_passes_is_the_reference_s(void **state) {
  (void)state;
  weft_scene_instance s = rig_scene("hanging", 23);
  weft_cpu_desc desc = {.threads = 2, .tile = 60, .exactly = true};
  weft_backend cpu = weft_cpu_backend_of(&desc);
  weft_solver *solvers[2] = {rig_guarded(s.model, &s.params, weft_backend_ref(), 256),
                             rig_guarded(s.model, &s.params, &cpu, 256)};
  size_t bytes = s.model->particle_count * sizeof(vec4);
  vec4 *x[2] = {weft_alloc(1, bytes), weft_alloc(1, bytes)};
  for (int k = 0; k < 2; ++k) {
    crumple(solvers[k]);
    weft_solver_begin_frame(solvers[k]);
  }
  for (size_t p = 0; p < solvers[0]->passes.count; ++p) {
    for (int k = 0; k < 2; ++k) {
      weft_solver *solver = solvers[k];
      solver->backend->run(solver->instance, &solver->passes.items[p], 0);
      if (p % 5 == 4) continue; /* a chain of two */
      weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, s.model->particle_count, x[k]);
      x[k][7].x += 0.001f;
      weft_solver_write_buffer(solver, WEFT_BUFFER_X, 7, 1, &x[k][7]);
    }
    assert_memory_equal(x[0], x[1], bytes);
  }
  for (int k = 0; k < 2; ++k) {
    weft_solver_destroy(solvers[k]);
    weft_free(x[k]);
  }
  weft_scene_free(&s);
}

/* A float of each table that plans pack, and what it becomes. */
static const struct {
  weft_buffer_id buffer;
  uint32_t row;
  size_t byte;
  float to;
} packed[] = {
    {WEFT_BUFFER_DISTANCE, 40, offsetof(weft_pair_element, rest), 0.01f},
    {WEFT_BUFFER_ISOMETRIC, 70, offsetof(weft_quad_element, data), 0.3f},
    {WEFT_BUFFER_DISTANCE_XPBD, 40, offsetof(weft_xpbd, compliance), 0.1f},
    {WEFT_BUFFER_ISOMETRIC_XPBD, 70, offsetof(weft_xpbd, compliance), 1e5f},
    {WEFT_BUFFER_LRA, 90, offsetof(weft_lra, lengths), 0.1f},
    {WEFT_BUFFER_LEVEL_X, 40, offsetof(vec4, w), 0},
    {WEFT_BUFFER_LEVEL_EDGES, 30, offsetof(weft_level_edge, rest_length), 0.01f},
    {WEFT_BUFFER_LEVEL_CHILDREN, 77, offsetof(weft_level_child, share), 0.4f},
    {WEFT_BUFFER_LEVEL_PARENTS, 100, offsetof(weft_level_parents, weights), 0.4f},
    {WEFT_BUFFER_LEVEL_NODE_PARENTS, 20, offsetof(weft_level_parents, weights), 0.4f},
    {WEFT_BUFFER_LINE_EDGES, 50, offsetof(weft_line_edge, rest_length), 0.01f},
};

/* Longer by half, so that edges of levels and attachments pull. */
static void stretch(weft_solver *solver) {
  uint32_t n = solver->model->particle_count;
  weft_vec3 *x = weft_alloc(n, sizeof *x);
  for (uint32_t i = 0; i < n; ++i) x[i] = weft_v3_scale(solver->model->rest_positions[i], 1.5f);
  assert_int_equal(weft_solver_write(solver, x, NULL, NULL), WEFT_OK);
  weft_free(x);
}

static uint64_t hash_with_changed(const weft_backend *backend, weft_scene_instance *s,
                                  const weft_params *params, size_t change) {
  weft_solver *solver = rig_guarded(s->model, params, backend, 256);
  assert_int_equal(weft_solver_step(solver, NULL), WEFT_OK);
  stretch(solver);
  if (change < sizeof packed / sizeof *packed) {
    unsigned char row[64];
    weft_solver_read_buffer(solver, packed[change].buffer, packed[change].row, 1, row);
    memcpy(row + packed[change].byte, &packed[change].to, sizeof(float));
    weft_solver_write_buffer(solver, packed[change].buffer, packed[change].row, 1, row);
  }
  assert_int_equal(weft_solver_step(solver, NULL), WEFT_OK);
  uint64_t hash = rig_hash(solver);
  weft_solver_destroy(solver);
  return hash;
}

static void a_table_written_in_mid_run_counts_at_once(void **state) {
  (void)state;
  weft_scene_instance s = rig_scene("hanging", 18);
  weft_params params = s.params;
  params.multilevel = WEFT_ALL_LEVELS;
  params.lra = 2;
  for (params.iterations = 1; params.iterations <= 2; ++params.iterations) {
    for (size_t k = 0; k < sizeof packed / sizeof *packed; ++k) {
      /* Lines take constraints out of the other contents. */
      params.line_sweeps = packed[k].buffer == WEFT_BUFFER_LINE_EDGES;
      uint64_t unchanged = hash_with_changed(weft_backend_ref(), &s, &params, SIZE_MAX);
      bool kept = packed[k].buffer == WEFT_BUFFER_DISTANCE_XPBD ||
                  packed[k].buffer == WEFT_BUFFER_ISOMETRIC_XPBD;
      if (kept && params.iterations == 1) continue; /* there is no such table */
      uint64_t expected = hash_with_changed(weft_backend_ref(), &s, &params, k);
      if (expected == unchanged) fail_msg("nothing hangs on buffer %u", packed[k].buffer);
      if (hash_with_changed(weft_backend_cpu(2), &s, &params, k) != expected) {
        fail_msg("cpu goes on with its copy of buffer %u", packed[k].buffer);
      }
    }
  }
  weft_scene_free(&s);
}

/* ---- plans ---- */

typedef struct rig {
  weft_scene_instance scene;
  weft_memory memory;
  weft_pass_list list;
  weft_cpu_plan plan;
} rig;

static void rig_open_with(rig *r, const char *name, uint32_t size, uint32_t levels,
                          uint32_t members, uint32_t tile) {
  weft_error err = {0};
  weft_contents contents;
  *r = (rig){.scene = rig_scene(name, size)};
  r->scene.params.multilevel = levels;
  r->scene.params.self_collision = false; /* its passes are not planned */
  weft_params params;
  assert_int_equal(weft_params_resolve(&r->scene.params, &params, &err), WEFT_OK);
  assert_int_equal(weft_solver_contents(r->scene.model, &params, &contents, &err), WEFT_OK);
  weft_memory_create(&r->memory, &contents, 0);
  weft_pass_list all = {0};
  weft_solver_pass_list(r->scene.model, &params, &contents, &all);
  weft_contents_free(&contents);
  for (size_t k = 0; k < all.count; ++k) { /* pins stand still */
    if (all.items[k].kind != WEFT_PASS_MOVE_PINS) all.items[r->list.count++] = all.items[k];
  }
  r->list.items = all.items;
  /* Unpacked items name their elements. */
  weft_plan_desc desc = {.memory = &r->memory, .members = members, .exactly = true, .tile = tile};
  assert_true(r->list.count <= WEFT_FUSED_MAX);
  weft_plan_build(&desc, r->list.items, (uint32_t)r->list.count, &r->plan);
}

static void rig_open(rig *r, const char *name, uint32_t size, uint32_t members, uint32_t tile) {
  rig_open_with(r, name, size, 0, members, tile);
}

static void rig_close(rig *r) {
  weft_plan_free(&r->plan);
  weft_free(r->list.items);
  weft_memory_destroy(&r->memory);
  weft_scene_free(&r->scene);
}

/* Who touched a particle last, each counted from 1. */
typedef struct touch {
  uint32_t part, phase;
} touch;

/* Another part must have been waited for. */
static void check_waiting(const weft_cpu_plan *plan, const touch *last, touch now, uint32_t q) {
  if (!last->part || last->part == now.part) return;
  if (last->phase == now.phase) fail_msg("two parts touch %u", q);
  uint32_t after = plan->phases[now.phase - 1].after;
  if (last->phase > after) {
    fail_msg("phase %u comes after %u, part %u touched %u in %u", now.phase, after, last->part, q,
             last->phase);
  }
}

/* Walks the plan as it would be run: each particle must meet its passes in their order, be touched
 * by one part of a phase only, after all others that did, and nothing may be left out or come
 * twice. */
static void check_order(rig *r) {
  uint32_t n = r->scene.model->particle_count;
  uint32_t *last = weft_alloc(n, sizeof *last);
  touch *touched = weft_alloc(n, sizeof *touched);
  uint64_t elements[WEFT_FUSED_MAX] = {0};
  for (size_t k = 0; k < r->plan.phase_count; ++k) {
    assert_true(r->plan.phases[k].after <= k);
    for (uint32_t p = 0; p < r->plan.phases[k].count; ++p) {
      const weft_cpu_part *part = &r->plan.parts[r->plan.phases[k].first + p];
      for (size_t i = part->first; i < part->first + part->count; ++i) {
        const weft_cpu_item *item = &r->plan.items[i];
        elements[item->pass] += item->count;
        for (uint32_t e = item->first; e < item->first + item->count; ++e) {
          uint32_t q[4];
          uint32_t arity = weft_plan_particles(&r->memory, &r->plan.passes[item->pass], e, q);
          if (weft_cpu_role_of(&r->plan.passes[item->pass]) < WEFT_CPU_PARTICLES) arity = 0;
          for (uint32_t a = 0; a < arity; ++a) {
            const touch now = {p + 1, (uint32_t)k + 1};
            check_waiting(&r->plan, &touched[q[a]], now, q[a]);
            touched[q[a]] = now;
            if (last[q[a]] > item->pass) fail_msg("pass %u comes late at %u", item->pass, q[a]);
            last[q[a]] = item->pass;
          }
        }
      }
    }
  }
  for (uint32_t k = 0; k < r->list.count; ++k)
    assert_int_equal(elements[k], r->list.items[k].count);
  weft_free(last);
  weft_free(touched);
}

static void plans_keep_the_order_at_every_particle(void **state) {
  (void)state;
  static const char *const names[] = {"hanging", "drape", "skirt", "pleats", "poncho"};
  for (uint32_t k = 0; k < sizeof names / sizeof *names; ++k) {
    if (!weft_scene_find(names[k])) continue;
    for (uint32_t members = 1; members <= 4; ++members) {
      rig r;
      rig_open(&r, names[k], 61, members, 150);
      check_order(&r);
      rig_close(&r);
    }
  }
}

/* Of packed constraints in phases [first, end). */
static uint64_t words_in(const weft_cpu_plan *plan, size_t first, size_t end) {
  uint64_t words = 0;
  for (size_t k = first; k < end; ++k) {
    for (uint32_t p = 0; p < plan->phases[k].count; ++p) {
      words += plan->parts[plan->phases[k].first + p].word_count;
    }
  }
  return words;
}

/* Cores first. Then rims, one colour after the other, but no waiting between those that keep to
 * their own particles, and none of what is far from the border: every second phase. */
static void check_phases(const weft_cpu_plan *plan, uint32_t members) {
  for (size_t k = 0; k < plan->phase_count; ++k) {
    assert_int_equal(plan->phases[k].count, members);
    assert_int_equal(plan->phases[k].after, k > 0 && k % 2 == 0 ? k - 1 : 0);
  }
}

static void a_large_sheet_is_nearly_all_cores(void **state) {
  (void)state;
  for (uint32_t members = 1; members <= 3; ++members) {
    rig r;
    rig_open(&r, "hanging", 801, members, 1000);
    if (members == 1) assert_int_equal(r.plan.phase_count, 1);
    check_phases(&r.plan, members);
    uint64_t all = words_in(&r.plan, 0, r.plan.phase_count);
    assert_true((double)words_in(&r.plan, 0, 1) >= 0.9 * (double)all);
    check_order(&r);
    rig_close(&r);
  }
}

static void a_small_sheet_is_cut_too(void **state) {
  (void)state;
  for (uint32_t members = 2; members <= 4; members += 2) {
    rig r;
    rig_open(&r, "hanging", 64, members, 1000);
    assert_in_range(r.plan.phase_count, 1 + 2 * 3, 1 + 2 * (r.list.count - 3));
    check_phases(&r.plan, members);
    check_order(&r);
    rig_close(&r);
  }
}

/* ---- split positions ---- */

static bool is_packed(const weft_cpu_item *item, weft_cpu_kind kind, weft_layout layout) {
  return item->kind == kind && item->layout == layout;
}

/* Constraints in a layout. */
static uint32_t items_of(const weft_cpu_plan *plan, weft_layout layout) {
  uint32_t count = 0;
  for (size_t k = 0; k < plan->item_count; ++k) {
    count += is_packed(&plan->items[k], WEFT_CPU_PROJECT, layout);
  }
  return count;
}

/* Of the part that has item k. */
static const uint32_t *words_of(const weft_cpu_plan *plan, size_t k) {
  const weft_cpu_part *part = plan->parts;
  while (k < part->first || k >= part->first + part->count) ++part;
  return part->words + plan->items[k].at;
}

static const uint32_t *next_strip(const uint32_t *strip, uint32_t values, uint32_t lanes) {
  size_t words = (size_t)strip[WEFT_STRIP_VECTORS] * values * lanes;
  return strip + weft_strip_head(values) + (strip[WEFT_STRIP_NARROW] ? words / 2 : words);
}

/* Each particle goes over once before its batches and comes back once; what is packed holds each
 * constraint once: all lanes that count are at least the constraints, and more only where a block
 * of remainder is not full. */
static void check_split(rig *r, const weft_cpu_plan *plan, uint32_t lanes) {
  uint64_t over = 0, back = 0, wanted = 0, filled = 0;
  for (size_t k = 0; k < plan->item_count; ++k) {
    const weft_cpu_item *item = &plan->items[k];
    if (item->kind == WEFT_CPU_SPLIT) over += item->count;
    if (item->kind == WEFT_CPU_JOIN) back += item->count;
    bool left = is_packed(item, WEFT_CPU_PROJECT, WEFT_PLACES);
    if (left) filled += (uint64_t)item->count * lanes;
    if (!is_packed(item, WEFT_CPU_PROJECT, WEFT_UNIT)) continue;
    const uint32_t *strip = words_of(plan, k);
    uint32_t values = plan->passes[item->pass].kind == WEFT_PASS_PROJECT_DISTANCE ? 2 : 4;
    for (uint32_t s = 0; s < item->count; ++s) {
      uint32_t last = strip[WEFT_STRIP_LAST];
      assert_in_range(last, strip[WEFT_STRIP_VECTORS] > 1 ? 1 : (lanes + 3) / 4, lanes);
      filled += (uint64_t)(strip[WEFT_STRIP_VECTORS] - 1) * lanes + last;
      strip = next_strip(strip, values, lanes);
    }
  }
  for (uint32_t k = 0; k < plan->pass_count; ++k) {
    if (weft_cpu_role_of(&plan->passes[k]) == WEFT_CPU_BATCH) wanted += plan->passes[k].count;
  }
  assert_int_equal(over, r->scene.model->particle_count);
  assert_int_equal(back, r->scene.model->particle_count);
  assert_true(filled >= wanted);
  assert_true(filled <= wanted + (uint64_t)items_of(plan, WEFT_PLACES) * (lanes - 1));
}

static void a_grid_is_packed_in_strips_and_a_garment_in_blocks(void **state) {
  (void)state;
  static const char *const names[] = {"hanging", "skirt"};
  for (uint32_t k = 0; k < 2; ++k) {
    rig r;
    rig_open(&r, names[k], 130, 1, 1000);
    weft_halves halves = {.x = NULL, .half = 20000, .component = 50000};
    weft_plan_desc desc = {.memory = &r.memory,
                           .lanes = weft_lanes_4(),
                           .halves = &halves,
                           .members = 2,
                           .exactly = true,
                           .tile = 1000};
    weft_cpu_plan plan;
    weft_plan_build(&desc, r.list.items, (uint32_t)r.list.count, &plan);
    bool grid = k == 0;
    assert_int_equal(items_of(&plan, WEFT_UNIT) > 0, grid);
    assert_int_equal(items_of(&plan, WEFT_ROWS) > 0, !grid);
    if (grid) check_split(&r, &plan, 4);
    weft_plan_free(&plan);
    rig_close(&r);
  }
}

/* Elements in the strips of means or followers. */
static uint32_t in_strips(const weft_cpu_plan *plan, size_t item, uint32_t lanes) {
  const uint32_t *strip = words_of(plan, item);
  uint32_t shape = plan->items[item].first, count = 0;
  bool means = plan->items[item].kind == WEFT_CPU_MEANS;
  for (uint32_t s = 0; s < plan->items[item].count; ++s) {
    uint32_t vectors = strip[WEFT_STRIP_VECTORS];
    count += (vectors - 1) * lanes + strip[WEFT_STRIP_LAST];
    strip += weft_strip_head(1 + shape) + (size_t)vectors * (shape - means) * lanes;
  }
  return count;
}

/* What a plan does with split positions, in the order of its items: into them once, from them to
 * the finest level and back, and out of them once. */
static void levels_of_a_grid_are_reached_in_strips(void **state) {
  (void)state;
  rig r;
  rig_open_with(&r, "hanging", 150, WEFT_ALL_LEVELS, 1, 1000);
  weft_halves halves = {.x = NULL, .half = 20000, .component = 50000};
  weft_plan_desc desc = {.memory = &r.memory,
                         .lanes = weft_lanes_4(),
                         .halves = &halves,
                         .members = 2,
                         .exactly = true,
                         .tile = 1000};
  weft_cpu_plan plan;
  weft_plan_build(&desc, r.list.items, (uint32_t)r.list.count, &plan);
  uint32_t over = 0, back = 0, gathered = 0, spread = 0, by_the_way = 0;
  for (size_t k = 0; k < plan.item_count; ++k) {
    const weft_cpu_item *item = &plan.items[k];
    weft_pass_kind kind = plan.passes[item->pass].kind;
    if (item->kind == WEFT_CPU_SPLIT) over += item->count;
    if (item->kind == WEFT_CPU_JOIN) back += item->count;
    bool spreads = kind == WEFT_PASS_LEVEL_SPREAD;
    if (is_packed(item, WEFT_CPU_MEANS, WEFT_UNIT)) gathered += in_strips(&plan, k, 4);
    if (is_packed(item, WEFT_CPU_FOLLOW, WEFT_UNIT)) spread += in_strips(&plan, k, 4);
    if (is_packed(item, WEFT_CPU_FOLLOW, WEFT_PLACES)) by_the_way += 4 * item->count;
    if (item->kind == WEFT_CPU_FOLLOW) assert_int_equal(spreads, item->layout != WEFT_ROWS);
  }
  assert_int_equal(over, 150 * 150);
  assert_int_equal(back, 150 * 150);
  assert_true(gathered > 75 * 75 * 8 / 10);
  assert_true(spread > 150 * 150 * 8 / 10);
  assert_true(spread + by_the_way >= 150 * 150 - 2); /* two are pinned */
  weft_plan_free(&plan);
  rig_close(&r);
}

static uint32_t wild_strips(const weft_cpu_plan *plan, uint32_t lanes) {
  uint32_t wild = 0;
  for (size_t k = 0; k < plan->item_count; ++k) {
    const weft_cpu_item *item = &plan->items[k];
    if (!is_packed(item, WEFT_CPU_PROJECT, WEFT_UNIT)) continue;
    const uint32_t *strip = words_of(plan, k);
    uint32_t values = plan->passes[item->pass].kind == WEFT_PASS_PROJECT_DISTANCE ? 2 : 4;
    for (uint32_t s = 0; s < item->count; ++s) {
      wild += !strip[WEFT_STRIP_FAST_SAFE];
      strip = next_strip(strip, values, lanes);
    }
  }
  return wild;
}

/* Items of distances off the grid that must not take the fast path. */
static uint32_t safe_rows(const weft_cpu_plan *plan) {
  uint32_t safe = 0;
  for (size_t k = 0; k < plan->item_count; ++k) {
    const weft_cpu_item *item = &plan->items[k];
    if (plan->passes[item->pass].kind != WEFT_PASS_PROJECT_DISTANCE) continue;
    safe += is_packed(item, WEFT_CPU_PROJECT, WEFT_ROWS) && !item->fast;
  }
  return safe;
}

/* A mass so small that a step of 2^-100 would be seen, or with which a bend overshoots far. */
static void masses_out_of_this_world_take_the_safe_path(void **state) {
  (void)state;
  static const float inverse_masses[] = {1000, 0x1p50f, INFINITY, NAN, 0};
  for (uint32_t k = 0; k < 5; ++k) {
    rig r;
    rig_open(&r, "hanging", 130, 1, 1000);
    vec4 *x = (void *)r.memory.payload[WEFT_BUFFER_X];
    x[5000].w = inverse_masses[k];
    weft_halves halves = {.x = NULL, .half = 20000, .component = 50000};
    weft_plan_desc desc = {.memory = &r.memory,
                           .lanes = weft_lanes_4(),
                           .halves = &halves,
                           .members = 1,
                           .tile = 1000};
    weft_cpu_plan plan;
    weft_plan_build(&desc, r.list.items, (uint32_t)r.list.count, &plan);
    bool wild = k > 0 && k < 4;
    assert_int_equal(wild_strips(&plan, 4) > 10, wild);
    weft_plan_free(&plan);
    desc.halves = NULL;
    weft_plan_build(&desc, r.list.items, (uint32_t)r.list.count, &plan);
    assert_in_range(safe_rows(&plan), wild ? 4 : 0, wild ? 100 : 0);
    weft_plan_free(&plan);
    rig_close(&r);
  }
}

static void a_small_cloth_is_left_to_one_thread(void **state) {
  (void)state;
  rig r;
  rig_open(&r, "hanging", 20, 4, 4096);
  weft_plan_desc desc = {.memory = &r.memory, .members = 4, .tile = 4096};
  weft_cpu_plan plan;
  weft_plan_build(&desc, r.list.items, (uint32_t)r.list.count, &plan);
  assert_int_equal(plan.members, 1);
  weft_plan_free(&plan);
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_scene_has_the_reference_s_bits),
      cmocka_unit_test(levels_and_lra_have_the_reference_s_bits),
      cmocka_unit_test(lines_have_the_reference_s_bits),
      cmocka_unit_test(every_mode_has_the_reference_s_bits_from_a_crumpled_start),
      cmocka_unit_test(every_kind_of_bending_and_method_has_the_reference_s_bits),
      cmocka_unit_test(a_pair_at_rest_is_not_written),
      cmocka_unit_test(awkward_numbers_have_the_reference_s_bits),
      cmocka_unit_test(hinges_of_tiny_cloth_have_the_reference_s_bits),
      cmocka_unit_test(state_read_and_written_between_passes_is_the_reference_s),
      cmocka_unit_test(a_table_written_in_mid_run_counts_at_once),
      cmocka_unit_test(plans_keep_the_order_at_every_particle),
      cmocka_unit_test(a_large_sheet_is_nearly_all_cores),
      cmocka_unit_test(a_small_sheet_is_cut_too),
      cmocka_unit_test(a_grid_is_packed_in_strips_and_a_garment_in_blocks),
      cmocka_unit_test(levels_of_a_grid_are_reached_in_strips),
      cmocka_unit_test(masses_out_of_this_world_take_the_safe_path),
      cmocka_unit_test(a_small_cloth_is_left_to_one_thread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
