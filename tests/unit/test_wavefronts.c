/* The fronts that measure distances along the cloth, bit by bit against the same rules said plainly
 * (plain_wavefront.h), for one processor and all; along links against Bellman and Ford. */
#define _GNU_SOURCE
#include "one_processor.h"
#include "plain_wavefront.h"
#include "ranges.h"
#include "rig.h"
#include "test_model_meshes.h"

static weft_model *preprocess(const weft_mesh *mesh, const uint32_t *pins, uint32_t count) {
  weft_pin pin = {.rule = WEFT_PIN_LIST, .list = pins, .list_count = count};
  weft_model_desc desc = {
      .mesh = mesh, .pins = &pin, .pin_count = count ? 1 : 0, .bending = WEFT_BENDING_NONE};
  return rig_preprocess(&desc);
}

static void assert_same(const weft_geodesics *a, const weft_geodesics *b, const char *what) {
  for (size_t k = 0; k < 4 * (size_t)a->particle_count; ++k) {
    if (a->anchors[k] == b->anchors[k] && a->lengths[k] == b->lengths[k]) continue;
    fail_msg("%s: place %zu of particle %zu: %u at %.17g m, expected %u at %.17g m", what, k % 4,
             k / 4, a->anchors[k], a->lengths[k], b->anchors[k], b->lengths[k]);
  }
}

static void check(const weft_model *model, const char *what) {
  weft_geodesics g, plain = plain_geodesics(model);
  weft_geodesics_build(model, &g);
  assert_same(&g, &plain, what);
  weft_geodesics_free(&g);
  weft_geodesics_free(&plain);
}

/* A sheet, jittered in all directions, with edges flipped at random. */
static weft_mesh rough_sheet(uint32_t n, uint64_t seed, uint32_t flips) {
  weft_rng rng = weft_rng_seed(seed);
  weft_mesh m = test_grid(n, n, WEFT_GRID_ALTERNATING, 1, 1);
  m.grid_rows = m.grid_columns = 0;
  for (uint32_t v = 0; v < m.vertex_count; ++v) {
    m.positions[v].x += weft_rng_float(&rng, -0.25f, 0.25f);
    m.positions[v].y += weft_rng_float(&rng, -0.25f, 0.25f);
    m.positions[v].z += weft_rng_float(&rng, -0.25f, 0.25f);
  }
  uint32_t *across = flip_across(&m);
  for (uint32_t i = 0; i < flips; ++i) {
    flip_try(&m, across, weft_rng_u32(&rng) % (3 * m.triangle_count));
  }
  weft_free(across);
  return m;
}

/* ---- pins in many ways ---- */

enum { N = 24 };

/* Equal distances abound on a square lattice: whatever comes first must come first. */
static void on_lattices_and_rough_sheets_all_bits_are_those_of_the_plain_rules(void **state) {
  (void)state;
  uint32_t row[N], ring[4 * 7], all[N * N / 3];
  for (uint32_t k = 0; k < N; ++k) row[k] = k;
  for (uint32_t k = 0; k < N * N / 3; ++k) all[k] = 3 * k;
  uint32_t on_ring = 0;
  for (uint32_t r = 8; r < 16; ++r) {
    for (uint32_t c = 8; c < 16; ++c) {
      if (r == 8 || r == 15 || c == 8 || c == 15) ring[on_ring++] = r * N + c;
    }
  }
  const uint32_t corners[] = {0, N - 1, N * N - N, N * N - 1};
  const uint32_t five[] = {0, N - 1, N * N - N, N * N - 1, N * 12 + 12, N * 12 + 13};
  const uint32_t many[] = {5, 61, 150, 151, 152, 300, 333, 390, 391, 415, 500, 570};
  const struct {
    const char *name;
    const uint32_t *list;
    uint32_t count;
  } pins[] = {{"a corner", corners, 1},  {"two corners", corners, 2}, {"corners", corners, 4},
              {"five islands", five, 6}, {"many", many, 12},          {"a row", row, N},
              {"a ring", ring, on_ring}, {"a third", all, N * N / 3}, {"none", NULL, 0}};
  for (int kind = 0; kind < 5; ++kind) {
    weft_mesh mesh = kind < 3 ? test_grid(N, N, (weft_grid_pattern)kind, 0.125f, 0.125f)
                              : rough_sheet(N, (uint64_t)kind, kind == 3 ? 0 : 10 * N * N);
    for (size_t k = 0; k < sizeof pins / sizeof *pins; ++k) {
      char what[64];
      snprintf(what, sizeof what, "mesh %d, pinned: %s", kind, pins[k].name);
      weft_model *model = preprocess(&mesh, pins[k].list, pins[k].count);
      check(model, what);
      weft_model_destroy(model);
    }
    test_mesh_free(&mesh);
  }
}

/* Leaves out triangles at random, but one at each particle. */
static void make_holes(weft_mesh *m, weft_rng *rng) {
  uint32_t *around = weft_alloc(m->vertex_count, sizeof *around), kept = 0;
  for (uint32_t i = 0; i < 3 * m->triangle_count; ++i) around[m->triangles[i]]++;
  for (uint32_t t = 0; t < m->triangle_count; ++t) {
    const uint32_t v[3] = {m->triangles[3 * t], m->triangles[3 * t + 1], m->triangles[3 * t + 2]};
    bool needed = around[v[0]] == 1 || around[v[1]] == 1 || around[v[2]] == 1;
    if (!needed && weft_rng_u32(rng) % 3 == 0) {
      for (int k = 0; k < 3; ++k) around[v[k]]--;
    } else {
      memcpy(&m->triangles[3 * kept++], v, sizeof v);
    }
  }
  m->triangle_count = kept;
  m->grid_rows = m->grid_columns = 0;
  weft_free(around);
}

/* Lattices are full of equal distances: of sources equally far the younger one has to go. */
static void whatever_is_pinned_on_a_lattice_all_bits_are_those_of_the_plain_rules(void **state) {
  (void)state;
  enum { SIDE = 13, SETS = 300 };
  weft_rng rng = weft_rng_seed(3);
  for (uint32_t k = 0; k < SETS; ++k) {
    uint32_t pins[SIDE * SIDE], count = 0, one_in = 3 + k % 12;
    weft_mesh mesh = test_grid(SIDE, SIDE, (weft_grid_pattern)(k % 2), 1, 1);
    if (k % 4 > 1) make_holes(&mesh, &rng);
    for (uint32_t v = 0; v < SIDE * SIDE; ++v) {
      /* a row in the middle makes one island of all that touches it */
      bool row = k % 3 == 0 && v / SIDE == SIDE / 2;
      if (row || weft_rng_u32(&rng) % one_in == 0) pins[count++] = v;
    }
    char what[64];
    snprintf(what, sizeof what, "set %u, %u pins", k, count);
    weft_model *model = preprocess(&mesh, pins, count);
    check(model, what);
    weft_model_destroy(model);
    test_mesh_free(&mesh);
  }
}

/* Pieces that hold no pin, and all particles in one place: distances of 0, and one box of the map.
 */
static void pieces_out_of_reach_and_collapsed_sheets_have_the_bits_of_the_plain_rules(
    void **state) {
  (void)state;
  weft_mesh mesh = test_grid(N, N, WEFT_GRID_SAME_DIAGONAL, 0.5f, 0.25f);
  mesh.grid_rows = mesh.grid_columns = 0;
  uint32_t kept = 0; /* without the triangles of a row the sheet is two */
  for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
    if (t / (2 * (N - 1)) == 11) continue;
    memmove(&mesh.triangles[3 * kept++], &mesh.triangles[3 * t], 3 * sizeof *mesh.triangles);
  }
  mesh.triangle_count = kept;
  const uint32_t pins[] = {3, 70, 200};
  weft_model *model = preprocess(&mesh, pins, 3);
  check(model, "two pieces");
  weft_geodesics g;
  weft_geodesics_build(model, &g);
  assert_int_equal(g.island_count, 3);
  for (uint32_t v = 12 * N; v < N * N; ++v) assert_int_equal(g.anchors[4 * v], UINT32_MAX);
  weft_geodesics_free(&g);
  for (uint32_t v = 0; v < N * N; ++v) model->rest_positions[v].x = 1; /* after preprocessing */
  check(model, "a sheet without width");
  for (uint32_t v = 0; v < N * N; ++v) model->rest_positions[v] = weft_v3(1, 2, 3);
  check(model, "a sheet in a point");
  weft_model_destroy(model);
  test_mesh_free(&mesh);
}

/* ---- large enough for all processors, and for a map of several boxes along each axis ---- */

static void any_number_of_processors_gives_the_bits_of_the_plain_rules(void **state) {
  (void)state;
  enum { LARGE = 270 };
  weft_mesh mesh = rough_sheet(LARGE, 9, 3 * LARGE * LARGE);
  const uint32_t islands[] = {0,         LARGE - 1,         LARGE * LARGE / 2,    1,
                              LARGE * 3, LARGE * LARGE - 1, LARGE * LARGE - 2000, 30};
  const uint32_t counts[] = {2, 5, 8};
  assert_true(weft_ranges_worth(mesh.vertex_count) > 1 || weft_ranges_worth(1 << 20) == 1);
  for (int k = 0; k < 3; ++k) {
    weft_model *model = preprocess(&mesh, islands, counts[k]);
    weft_geodesics many, one, plain = plain_geodesics(model);
    weft_geodesics_build(model, &many);
    cpu_set_t before;
    on_one_processor(&before);
    weft_geodesics_build(model, &one);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_same(&many, &plain, "all processors");
    assert_same(&one, &plain, "one processor");
    weft_geodesics_free(&many);
    weft_geodesics_free(&one);
    weft_geodesics_free(&plain);
    weft_model_destroy(model);
  }
  test_mesh_free(&mesh);
}

/* ---- links ---- */

/* Bellman and Ford: every link in turn, until nothing gets shorter. */
static void relax(const weft_link *links, uint32_t count, double *lengths) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < count; ++i) {
      if (links[i].sense == WEFT_SENSE_AT_LEAST) continue;
      double length = (double)links[i].rest_length;
      uint32_t a = links[i].a, b = links[i].b;
      if (lengths[a] > lengths[b] + length) lengths[a] = lengths[b] + length, changed = true;
      if (lengths[b] > lengths[a] + length) lengths[b] = lengths[a] + length, changed = true;
    }
  }
}

static void along_links_lengths_are_those_of_bellman_and_ford(void **state) {
  (void)state;
  enum { POINTS = 300, LINKS = 500, REACHED = 280, PINS = 3 };
  weft_rng rng = weft_rng_seed(5);
  weft_vec3 *x = weft_alloc(POINTS, sizeof *x);
  float *masses = weft_alloc(POINTS, sizeof *masses);
  weft_link *links = weft_alloc(LINKS, sizeof *links);
  for (uint32_t v = 0; v < POINTS; ++v) {
    x[v] = weft_v3(weft_rng_float(&rng, 0, 1), weft_rng_float(&rng, 0, 1), 0);
    masses[v] = v < PINS ? 0.0f : 1.0f;
  }
  for (uint32_t i = 0; i < LINKS; ++i) {
    bool far = i % 20 == 0; /* between points that no pin holds */
    uint32_t first = far ? REACHED : 0, count = far ? POINTS - REACHED : REACHED;
    uint32_t a = weft_rng_u32(&rng) % count, b = (a + 1 + weft_rng_u32(&rng) % (count - 1)) % count;
    if (a < PINS && b < PINS) b = PINS; /* each pin an island */
    links[i] = (weft_link){.a = first + a, .b = first + b};
    float longer = weft_rng_float(&rng, 1, 2);
    links[i].rest_length =
        longer * (0.01f + weft_v3_length(weft_v3_sub(x[first + a], x[first + b])));
    links[i].sense = i % 7 == 3 ? WEFT_SENSE_AT_LEAST : WEFT_SENSE_EQUAL;
  }
  weft_particles_desc desc = {.particle_count = POINTS,
                              .positions = x,
                              .masses = masses,
                              .links = links,
                              .link_count = LINKS};
  weft_model *model = NULL;
  weft_error err = {0};
  if (weft_model_create_particles(&desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  weft_geodesics g;
  weft_geodesics_build(model, &g);
  assert_int_equal(g.island_count, PINS);
  double lengths[PINS][POINTS];
  for (uint32_t p = 0; p < PINS; ++p) {
    for (uint32_t v = 0; v < POINTS; ++v) lengths[p][v] = v == p ? 0 : HUGE_VAL;
    relax(links, LINKS, lengths[p]);
  }
  uint32_t reached = 0;
  for (uint32_t v = PINS; v < POINTS; ++v) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < PINS; ++p) count += isfinite(lengths[p][v]) ? 1 : 0;
    reached += count > 0;
    for (uint32_t k = 0; k < 4; ++k) {
      uint32_t anchor = g.anchors[4 * v + k];
      assert_int_equal(anchor == UINT32_MAX, k >= count);
      if (k >= count) continue;
      assert_true(anchor < PINS);
      double expected = lengths[anchor][v], length = g.lengths[4 * v + k];
      assert_true(fabs(length - expected) <= 1e-8 * expected);
      assert_true(k == 0 || length >= g.lengths[4 * v + k - 1]);
    }
  }
  assert_true(reached > REACHED / 2 && reached <= REACHED - PINS);
  weft_geodesics_free(&g);
  weft_model_destroy(model);
  weft_free(x);
  weft_free(masses);
  weft_free(links);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_lattices_and_rough_sheets_all_bits_are_those_of_the_plain_rules),
      cmocka_unit_test(whatever_is_pinned_on_a_lattice_all_bits_are_those_of_the_plain_rules),
      cmocka_unit_test(pieces_out_of_reach_and_collapsed_sheets_have_the_bits_of_the_plain_rules),
      cmocka_unit_test(any_number_of_processors_gives_the_bits_of_the_plain_rules),
      cmocka_unit_test(along_links_lengths_are_those_of_bellman_and_ford),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
