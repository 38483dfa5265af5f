/* Distances along the cloth against geometry: straight lines where it is flat, around corners and
 * slits, unrolled prisms and cones, great circles, and on real garments an independent search. */
#include "geodesic.h"

#include <math.h>
#include <stdio.h>
#include <weft_kit/import.h>

#include "cmocka_all.h"
#include "steiner.h"
#include "test_model_meshes.h"

static const double pi = 3.14159265358979323846;

/* ---- helpers ---- */

static weft_model *preprocess_pinned(const weft_mesh *mesh, const uint32_t *pins, uint32_t count) {
  uint32_t *numbers = weft_alloc(count, sizeof *numbers); /* lists count as the file does */
  for (uint32_t k = 0; k < count; ++k) numbers[k] = weft_mesh_number(mesh, pins[k]);
  weft_pin pin = {.rule = WEFT_PIN_LIST, .list = numbers, .list_count = count};
  weft_model_desc desc = {
      .mesh = mesh, .pins = &pin, .pin_count = count ? 1 : 0, .bending = WEFT_BENDING_NONE};
  weft_model *model = NULL;
  weft_error err = {0};
  if (weft_model_create(&desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  weft_free(numbers);
  return model;
}

static weft_geodesics measure(const weft_model *model) {
  weft_geodesics g;
  weft_geodesics_build(model, &g);
  return g;
}

static double straight(weft_vec3 a, weft_vec3 b) {
  return sqrt(pow((double)a.x - (double)b.x, 2) + pow((double)a.y - (double)b.y, 2) +
              pow((double)a.z - (double)b.z, 2));
}

typedef struct error_range {
  double low, high; /* relative: how far below and above the expectation */
} error_range;

static void add_error(error_range *range, double value, double expected) {
  double error = value / expected - 1;
  if (error < range->low) range->low = error;
  if (error > range->high) range->high = error;
}

static void assert_range(error_range range, double low, double high, const char *what) {
  print_message("%-44s error %+.2e to %+.2e\n", what, range.low, range.high);
  if (!(range.low >= low && range.high <= high)) {
    fail_msg("%s: allowed is %g to %g", what, low, high);
  }
}

/* ---- flat and convex: Euclid ---- */

/* A square with straight sides, jittered inside, edges flipped at random. */
static weft_mesh irregular_square(uint32_t n, uint64_t seed, uint32_t flips) {
  weft_rng rng = weft_rng_seed(seed);
  weft_mesh m = test_grid(n, n, WEFT_GRID_SAME_DIAGONAL, 1, 1);
  m.grid_rows = m.grid_columns = 0;
  for (uint32_t r = 1; r + 1 < n; ++r) {
    for (uint32_t c = 1; c + 1 < n; ++c) {
      m.positions[r * n + c].x += weft_rng_float(&rng, -0.25f, 0.25f);
      m.positions[r * n + c].y += weft_rng_float(&rng, -0.25f, 0.25f);
    }
  }
  uint32_t *across = flip_across(&m);
  for (uint32_t i = 0; i < flips; ++i) {
    flip_try(&m, across, weft_rng_u32(&rng) % (3 * m.triangle_count));
  }
  weft_free(across);
  return m;
}

/* Every particle's nearest pin and its distance against all pins. */
static error_range flat_errors(const weft_mesh *mesh, const uint32_t *pins, uint32_t count) {
  weft_model *model = preprocess_pinned(mesh, pins, count);
  weft_geodesics g = measure(model);
  error_range range = {0, 0};
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (model->inverse_masses[v] == 0) {
      assert_int_equal(g.anchors[4 * v], UINT32_MAX);
      continue;
    }
    double nearest = HUGE_VAL;
    for (uint32_t k = 0; k < count; ++k) {
      nearest = fmin(nearest, straight(mesh->positions[v], mesh->positions[pins[k]]));
    }
    assert_int_not_equal(g.anchors[4 * v], UINT32_MAX);
    double own = straight(mesh->positions[v], mesh->positions[g.anchors[4 * v]]);
    assert_true(g.lengths[4 * v] >= own);
    add_error(&range, g.lengths[4 * v], nearest);
  }
  weft_geodesics_free(&g);
  weft_model_destroy(model);
  return range;
}

static void on_a_flat_convex_sheet_every_length_is_the_straight_line(void **state) {
  (void)state;
  enum { N = 41 };
  static const char *const names[] = {"same diagonal", "alternating", "equilateral", "jittered",
                                      "irregular"};
  for (int kind = 0; kind < 5; ++kind) {
    weft_mesh mesh = kind < 3 ? test_grid(N, N, (weft_grid_pattern)kind, 0.025f, 0.02f)
                              : irregular_square(N, 7, kind == 3 ? 0 : 10 * N * N);
    uint32_t corner = 0, middle = N * (N / 2) + N / 2, corners[2] = {0, N - 1}, row[N];
    for (uint32_t k = 0; k < N; ++k) row[k] = k;
    const struct {
      const char *name;
      const uint32_t *list;
      uint32_t count;
    } pins[] = {
        {"middle", &middle, 1}, {"corner", &corner, 1}, {"corners", corners, 2}, {"top", row, N}};
    /* The equilateral sheet has toothed sides: only from its middle is every particle in sight. */
    for (int k = 0; k < (kind == WEFT_GRID_EQUILATERAL ? 1 : 4); ++k) {
      char what[96];
      snprintf(what, sizeof what, "%s, pinned: %s", names[kind], pins[k].name);
      /* A vertex keeps a few sources of an island only. With a pin at every step, and triangles as
       * bad as these, the nearest can be among those it does not keep: the length is too long. */
      double allowed = kind < 3 || pins[k].count < N ? 1e-5 : kind == 3 ? 5e-3 : 1;
      assert_range(flat_errors(&mesh, pins[k].list, pins[k].count), -1e-7, allowed, what);
    }
    test_mesh_free(&mesh);
  }
}

/* ---- garments made by others ---- */

static void pin_top(const weft_mesh *mesh, float part, uint32_t *pins, uint32_t *count) {
  float low = HUGE_VALF, high = -HUGE_VALF;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    low = fminf(low, mesh->positions[v].y);
    high = fmaxf(high, mesh->positions[v].y);
  }
  *count = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (mesh->positions[v].y >= high - part * (high - low)) pins[(*count)++] = v;
  }
}

static void check_garment(const char *name, float part) {
  char path[512], what[128];
  snprintf(path, sizeof path, "%s/%s", WEFT_MESH_DIR, name);
  weft_mesh mesh = {0};
  weft_error err = {0};
  if (weft_mesh_import(path, &(weft_import_desc){.scale = 1}, &mesh, &err) != WEFT_OK) {
    print_message("%s\n", err.message);
    skip();
  }
  uint32_t *pins = weft_alloc(mesh.vertex_count, sizeof *pins), count = 0;
  pin_top(&mesh, part, pins, &count);
  if (part == 0) count = 1;
  weft_model *model = preprocess_pinned(&mesh, pins, count);
  weft_geodesics g = measure(model);
  double *bound = steiner_distances(&mesh, pins, count, 6);
  error_range range = {0, 0};
  double sum = 0;
  uint32_t reached = 0;
  for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
    if (model->inverse_masses[v] == 0) continue;
    assert_int_equal(g.anchors[4 * v] == UINT32_MAX, isinf(bound[v]));
    if (isinf(bound[v])) continue;
    assert_true(isfinite(g.lengths[4 * v]));
    assert_true(g.lengths[4 * v] >= straight(mesh.positions[v], mesh.positions[g.anchors[4 * v]]));
    add_error(&range, g.lengths[4 * v], bound[v]);
    sum += g.lengths[4 * v] / bound[v] - 1;
    ++reached;
  }
  snprintf(what, sizeof what, "%s, %u of %u pinned", strrchr(name, '/') + 1, count,
           mesh.vertex_count);
  print_message("mean %+.2e ", sum / reached);
  assert_range(range, -0.12, 0.2, what);
  assert_true(fabs(sum / reached) < 0.02);
  weft_free(bound);
  weft_free(pins);
  weft_geodesics_free(&g);
  weft_model_destroy(model);
  weft_mesh_free(&mesh);
}

static void on_real_garments_lengths_lie_between_the_straight_line_and_a_way_found(void **state) {
  (void)state;
  static const char *const names[] = {"garments/diffcloth_tshirt1900.obj",
                                      "garments/dedo_apron_2_dense.obj",
                                      "garments/makehuman_male_worksuit01.obj",
                                      "cloth/cipc_skirt4K.obj", "garments/makehuman_fedora.obj"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    check_garment(names[k], 0);
    check_garment(names[k], 0.001f);
    check_garment(names[k], 0.02f);
    check_garment(names[k], 0.1f);
  }
}

/* ---- one pin, all particles, a formula ---- */

typedef double expectation(const weft_mesh *mesh, uint32_t pin, uint32_t vertex);

/* Vertices for which the expectation is below 0 are left out. */
static error_range errors_against(const weft_mesh *mesh, uint32_t pin, expectation *expected) {
  weft_model *model = preprocess_pinned(mesh, &pin, 1);
  weft_geodesics g = measure(model);
  error_range range = {0, 0};
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    double wanted = v == pin ? -1 : expected(mesh, pin, v);
    if (wanted > 0) add_error(&range, g.lengths[4 * (size_t)v], wanted);
  }
  weft_geodesics_free(&g);
  weft_model_destroy(model);
  return range;
}

/* ---- around corners ---- */

/* The unit square without its lower right quarter; n cells along a side. */
static weft_mesh l_shape(uint32_t n) {
  weft_mesh m = test_grid(n + 1, n + 1, WEFT_GRID_ALTERNATING, 1 / (float)n, 1 / (float)n);
  uint32_t kept = 0, *new_index = weft_alloc(m.vertex_count, sizeof *new_index);
  for (uint32_t v = 0; v < m.vertex_count; ++v) {
    bool gone = v / (n + 1) > n / 2 && v % (n + 1) > n / 2;
    m.positions[kept] = m.positions[v];
    new_index[v] = gone ? UINT32_MAX : kept++;
  }
  m.vertex_count = kept;
  uint32_t triangles = 0;
  for (uint32_t t = 0; t < m.triangle_count; ++t) {
    uint32_t v[3];
    for (int k = 0; k < 3; ++k) v[k] = new_index[m.triangles[3 * t + (uint32_t)k]];
    if (v[0] == UINT32_MAX || v[1] == UINT32_MAX || v[2] == UINT32_MAX) continue;
    memcpy(&m.triangles[3 * triangles++], v, sizeof v);
  }
  m.triangle_count = triangles;
  m.grid_rows = m.grid_columns = 0;
  weft_free(new_index);
  return m;
}

/* From the upper right corner region to the lower left one the way bends at the middle. */
static double around_the_corner(const weft_mesh *mesh, uint32_t pin, uint32_t vertex) {
  weft_vec3 a = mesh->positions[pin], b = mesh->positions[vertex], c = weft_v3(0.5f, -0.5f, 0);
  double side = ((double)b.x - (double)a.x) * ((double)c.y - (double)a.y) -
                ((double)b.y - (double)a.y) * ((double)c.x - (double)a.x);
  /* Behind the corner, seen from the pin: below the middle and right of the line through it. */
  bool hidden = b.y < -0.5f && side < -1e-9;
  return hidden ? straight(a, c) + straight(c, b) : straight(a, b);
}

static void the_way_around_a_corner_is_found_and_the_error_shrinks(void **state) {
  (void)state;
  double before = HUGE_VAL;
  for (uint32_t n = 16; n <= 64; n *= 2) {
    weft_mesh mesh = l_shape(n);
    uint32_t pin = (n + 1) * (n / 4) + n; /* on the right side, a quarter down */
    error_range range = errors_against(&mesh, pin, around_the_corner);
    char what[64];
    snprintf(what, sizeof what, "L of %u cells", n);
    assert_range(range, -1e-7, 0.02 / sqrt(n), what);
    double worst = fmax(-range.low, range.high);
    assert_true(worst < before);
    before = worst;
    test_mesh_free(&mesh);
  }
}

/* A sheet cut from its right side to the middle: rows above and below the cut share the inner end.
 */
static weft_mesh slit_sheet(uint32_t n) {
  weft_mesh m = test_grid(n + 1, n + 1, WEFT_GRID_ALTERNATING, 1 / (float)n, 1 / (float)n);
  uint32_t row = n / 2, first = row * (n + 1) + n / 2 + 1, doubled = n / 2;
  m.positions = weft_realloc(m.positions, m.vertex_count + doubled, sizeof *m.positions);
  memcpy(m.positions + m.vertex_count, m.positions + first, doubled * sizeof *m.positions);
  for (size_t k = 6 * (size_t)row * n; k < 3 * (size_t)m.triangle_count; ++k) {
    uint32_t v = m.triangles[k];
    if (v >= first && v < first + doubled) m.triangles[k] = m.vertex_count + v - first;
  }
  m.vertex_count += doubled;
  m.grid_rows = m.grid_columns = 0;
  return m;
}

static double around_the_slit(const weft_mesh *mesh, uint32_t pin, uint32_t vertex) {
  weft_vec3 a = mesh->positions[pin], b = mesh->positions[vertex], c = weft_v3(0.5f, -0.5f, 0);
  bool below = b.y < -0.5f;
  if (b.y == -0.5f) return -1; /* the cut itself: which lip a vertex is on is not to be seen */
  double side = ((double)b.x - (double)a.x) * ((double)c.y - (double)a.y) -
                ((double)b.y - (double)a.y) * ((double)c.x - (double)a.x);
  return below && side < -1e-9 ? straight(a, c) + straight(c, b) : straight(a, b);
}

static void the_way_around_a_slit_is_found_and_the_error_shrinks(void **state) {
  (void)state;
  double before = HUGE_VAL;
  for (uint32_t n = 16; n <= 64; n *= 2) {
    weft_mesh mesh = slit_sheet(n);
    uint32_t pin = (n + 1) * (n / 4) + n;
    error_range range = errors_against(&mesh, pin, around_the_slit);
    char what[64];
    snprintf(what, sizeof what, "slit sheet of %u cells", n);
    assert_range(range, -1e-7, 0.02 / sqrt(n), what);
    double worst = fmax(-range.low, range.high);
    assert_true(worst < before);
    before = worst;
    test_mesh_free(&mesh);
  }
}

/* ---- developable: unrolled ---- */

enum { SEGMENTS = 64, RINGS = 33 };

/* A prism or the frustum of a pyramid, `segments` sides: unrolled about the apex, exactly. */
static double unrolled(const weft_mesh *mesh, uint32_t pin, uint32_t vertex) {
  weft_vec3 a = mesh->positions[pin], b = mesh->positions[vertex];
  weft_vec3 top = mesh->positions[0], bottom = mesh->positions[SEGMENTS * (RINGS - 1)];
  double turns = fabs((double)(pin % SEGMENTS) - (double)(vertex % SEGMENTS));
  if (turns > SEGMENTS / 2.0) turns = SEGMENTS - turns;
  double r0 = hypot((double)top.x, (double)top.z), r1 = hypot((double)bottom.x, (double)bottom.z);
  double half_chord = sin(pi / SEGMENTS);
  if (fabs(r1 - r0) < 1e-6) {
    return hypot(2 * r0 * half_chord * turns, (double)a.y - (double)b.y);
  }
  double slant = straight(top, bottom) / (r1 - r0); /* from the apex, over the radius */
  double angle = 2 * asin(half_chord / slant) * turns;
  double sa = slant * hypot((double)a.x, (double)a.z), sb = slant * hypot((double)b.x, (double)b.z);
  double way = sqrt(sa * sa + sb * sb - 2 * sa * sb * cos(angle));
  /* The line may not cut through the hole at the top. */
  double nearest = sa * sb * sin(angle) / way, hole = slant * r0;
  bool foot_between = sa * sa < sb * sb + way * way && sb * sb < sa * sa + way * way;
  return foot_between && nearest < hole ? -1 : way;
}

/* Rings without the half step of the garments' tubes, so that the sides are flat. */
static weft_mesh prism(double top, double bottom, double height) {
  weft_mesh m = {.vertex_count = SEGMENTS * RINGS};
  m.positions = weft_alloc(m.vertex_count, sizeof *m.positions);
  m.triangles = weft_alloc(6 * SEGMENTS * (RINGS - 1), sizeof *m.triangles);
  for (uint32_t v = 0; v < m.vertex_count; ++v) {
    double t = v / SEGMENTS / (RINGS - 1.0), angle = 2 * pi * (v % SEGMENTS) / SEGMENTS;
    double radius = top + t * (bottom - top);
    m.positions[v] =
        weft_v3((float)(radius * cos(angle)), (float)(-t * height), (float)(-radius * sin(angle)));
    if (v / SEGMENTS + 1 == RINGS) continue;
    uint32_t b = v / SEGMENTS * SEGMENTS + (v + 1) % SEGMENTS, c = v + SEGMENTS, d = b + SEGMENTS;
    put_triangle(&m, v, c, v % 2 ? b : d);
    put_triangle(&m, v % 2 ? c : v, d, b);
  }
  return m;
}

static void on_prisms_and_cones_lengths_are_those_of_the_unrolled_surface(void **state) {
  (void)state;
  for (int k = 0; k < 2; ++k) {
    weft_mesh mesh = prism(k ? 0.1 : 0.2, 0.2, 0.5);
    error_range range = errors_against(&mesh, SEGMENTS * (RINGS / 2) + 5, unrolled);
    assert_range(range, -1e-6, 1e-5,
                 k ? "cone, pinned half way down" : "cylinder, pinned half way");
    /* From the rim of a cone some ways bend along the rim, with the error of corners beside them.
     */
    range = errors_against(&mesh, 7, unrolled);
    assert_range(range, -1e-6, k ? 2e-3 : 1e-5, k ? "cone, at the top" : "cylinder, at the top");
    test_mesh_free(&mesh);
  }
}

/* ---- doubly curved: a sphere ---- */

/* An octahedron, each face cut into n*n triangles, blown up to the unit sphere; welded. */
static uint32_t sphere_vertex(weft_mesh *m, weft_vec3 p) {
  p = weft_v3_scale(p, 1 / weft_v3_length(p));
  for (uint32_t v = 0; v < m->vertex_count; ++v) {
    if (weft_v3_length(weft_v3_sub(m->positions[v], p)) < 1e-5f) return v;
  }
  m->positions[m->vertex_count] = p;
  return m->vertex_count++;
}

static weft_mesh sphere(uint32_t n) {
  weft_mesh m = {0};
  m.positions = weft_alloc(4 * (size_t)n * n + 2, sizeof *m.positions);
  m.triangles = weft_alloc(24 * (size_t)n * n, sizeof *m.triangles);
  for (uint32_t face = 0; face < 8; ++face) {
    float sx = face & 1 ? -1 : 1, sy = face & 2 ? -1 : 1, sz = face & 4 ? -1 : 1;
    uint32_t *index = weft_alloc((size_t)(n + 1) * (n + 1), sizeof *index);
    for (uint32_t i = 0; i <= n; ++i) {
      for (uint32_t j = 0; i + j <= n; ++j) {
        weft_vec3 p = weft_v3(sx * (float)i, sy * (float)j, sz * (float)(n - i - j));
        index[i * (n + 1) + j] = sphere_vertex(&m, p);
      }
    }
    bool turned = sx * sy * sz < 0;
    for (uint32_t i = 0; i < n; ++i) {
      for (uint32_t j = 0; i + j < n; ++j) {
        uint32_t a = index[i * (n + 1) + j], b = index[(i + 1) * (n + 1) + j];
        uint32_t c = index[i * (n + 1) + j + 1];
        put_triangle(&m, a, turned ? c : b, turned ? b : c);
        if (i + j + 1 == n) continue;
        uint32_t d = index[(i + 1) * (n + 1) + j + 1];
        put_triangle(&m, b, turned ? c : d, turned ? d : c);
      }
    }
    weft_free(index);
  }
  return m;
}

static double great_circle(const weft_mesh *mesh, uint32_t pin, uint32_t vertex) {
  double chord = straight(mesh->positions[pin], mesh->positions[vertex]);
  return 2 * asin(fmin(1, chord / 2));
}

static void on_a_sphere_lengths_tend_to_great_circles(void **state) {
  (void)state;
  double before = HUGE_VAL;
  for (uint32_t n = 8; n <= 32; n *= 2) {
    weft_mesh mesh = sphere(n);
    error_range range = errors_against(&mesh, 3, great_circle);
    char what[64];
    snprintf(what, sizeof what, "sphere, %u edges a quadrant", n);
    assert_range(range, -0.4 / n, 0.4 / n, what);
    double worst = fmax(-range.low, range.high);
    assert_true(worst < before);
    before = worst;
    test_mesh_free(&mesh);
  }
}

/* ---- which pins, which particles ---- */

static void every_island_of_pins_counts_once_and_the_nearest_four_are_kept(void **state) {
  (void)state;
  enum { N = 31 };
  weft_mesh mesh = test_grid(N, N, WEFT_GRID_SAME_DIAGONAL, 0.1f, 0.1f);
  /* Five islands: four corners, and two neighbours in the middle. */
  const uint32_t pins[] = {0, N - 1, N * (N - 1), N * N - 1, N * 15 + 15, N * 15 + 16};
  const uint32_t islands[] = {0, 1, 2, 3, 4, 4};
  weft_model *model = preprocess_pinned(&mesh, pins, 6);
  weft_geodesics g = measure(model);
  assert_int_equal(g.island_count, 5);
  for (uint32_t v = 0; v < N * N; ++v) {
    if (model->inverse_masses[v] == 0) continue;
    double wanted[5] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int k = 0; k < 6; ++k) {
      double d = straight(mesh.positions[v], mesh.positions[pins[k]]);
      wanted[islands[k]] = fmin(wanted[islands[k]], d);
    }
    for (int i = 0; i < 5; ++i) { /* sorted */
      for (int j = i + 1; j < 5; ++j) {
        if (wanted[j] >= wanted[i]) continue;
        double swap = wanted[i];
        wanted[i] = wanted[j];
        wanted[j] = swap;
      }
    }
    for (int k = 0; k < 4; ++k) {
      assert_int_not_equal(g.anchors[4 * v + (uint32_t)k], UINT32_MAX);
      assert_true(fabs(g.lengths[4 * v + (uint32_t)k] - wanted[k]) < 1e-6 * wanted[k]);
    }
  }
  weft_geodesics_free(&g);
  weft_model_destroy(model);
  test_mesh_free(&mesh);
}

static void what_hangs_together_with_no_pin_has_no_attachment(void **state) {
  (void)state;
  weft_mesh mesh = test_grid(4, 4, WEFT_GRID_SAME_DIAGONAL, 1, 1);
  mesh.grid_rows = mesh.grid_columns = 0;
  mesh.positions = weft_realloc(mesh.positions, 20, sizeof *mesh.positions);
  mesh.triangles = weft_realloc(mesh.triangles, 6 + 3 * mesh.triangle_count, sizeof(uint32_t));
  for (uint32_t k = 0; k < 4; ++k)
    mesh.positions[16 + k] = weft_v3(9 + (float)(k % 2), (float)(k / 2), 1);
  mesh.vertex_count = 20;
  put_triangle(&mesh, 16, 17, 18);
  put_triangle(&mesh, 18, 17, 19);
  const uint32_t pin = 5;
  weft_model *model = preprocess_pinned(&mesh, &pin, 1);
  weft_geodesics g = measure(model);
  for (uint32_t v = 0; v < 20; ++v) {
    assert_int_equal(g.anchors[4 * v], v == pin || v >= 16 ? UINT32_MAX : pin);
    assert_int_equal(g.anchors[4 * v + 1], UINT32_MAX);
  }
  weft_geodesics_free(&g);
  weft_model_destroy(model);
  model = preprocess_pinned(&mesh, NULL, 0);
  g = measure(model);
  assert_int_equal(g.island_count, 0);
  for (uint32_t v = 0; v < 20; ++v) assert_int_equal(g.anchors[4 * v], UINT32_MAX);
  weft_geodesics_free(&g);
  weft_model_destroy(model);
  test_mesh_free(&mesh);
}

static void mirrored_pins_give_mirrored_lengths_and_runs_the_same_bits(void **state) {
  (void)state;
  enum { N = 24 };
  weft_mesh mesh = test_grid(N, N, WEFT_GRID_EQUILATERAL, 0.05f, 0.05f);
  const uint32_t pins[] = {3, 7, 8, N * N - 5};
  weft_model *model = preprocess_pinned(&mesh, pins, 4);
  weft_geodesics a = measure(model), b = measure(model);
  assert_memory_equal(a.anchors, b.anchors, 4 * N * N * sizeof *a.anchors);
  assert_memory_equal(a.lengths, b.lengths, 4 * N * N * sizeof *a.lengths);
  weft_geodesics_free(&b);
  for (uint32_t v = 0; v < mesh.vertex_count; ++v) mesh.positions[v].x = -mesh.positions[v].x;
  weft_model *mirrored = preprocess_pinned(&mesh, pins, 4);
  b = measure(mirrored);
  for (uint32_t k = 0; k < 4 * N * N; ++k) assert_true(fabs(a.lengths[k] - b.lengths[k]) < 1e-9);
  weft_geodesics_free(&a);
  weft_geodesics_free(&b);
  weft_model_destroy(model);
  weft_model_destroy(mirrored);
  test_mesh_free(&mesh);
}

/* Triangles without area, edges without length, two particles in one place. */
static void degenerate_triangles_give_no_nan_and_no_shortcut(void **state) {
  (void)state;
  enum { N = 12 };
  weft_mesh mesh = test_grid(N, N, WEFT_GRID_SAME_DIAGONAL, 0.1f, 0.1f);
  const uint32_t pin = 0;
  weft_model *model = preprocess_pinned(&mesh, &pin, 1);
  weft_vec3 *x = model->rest_positions; /* after preprocessing, which refuses some of this */
  x[N * 5 + 5] = x[N * 5 + 6];
  x[N * 7 + 3] = x[N * 7 + 4] = x[N * 8 + 4];
  x[N * 3 + 8] = weft_v3_scale(weft_v3_add(x[N * 3 + 7], x[N * 3 + 9]), 0.5f);
  for (uint32_t c = 0; c < N; ++c) x[N * 10 + c] = x[N * 9 + c];
  weft_geodesics g = measure(model);
  for (uint32_t v = 1; v < N * N; ++v) {
    double direct = straight(x[v], x[0]);
    assert_int_equal(g.anchors[4 * v], 0);
    assert_true(isfinite(g.lengths[4 * v]));
    assert_true(g.lengths[4 * v] >= direct && g.lengths[4 * v] <= 1.2 * direct + 0.1);
  }
  weft_geodesics_free(&g);
  weft_model_destroy(model);
  test_mesh_free(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_a_flat_convex_sheet_every_length_is_the_straight_line),
      cmocka_unit_test(the_way_around_a_corner_is_found_and_the_error_shrinks),
      cmocka_unit_test(the_way_around_a_slit_is_found_and_the_error_shrinks),
      cmocka_unit_test(on_prisms_and_cones_lengths_are_those_of_the_unrolled_surface),
      cmocka_unit_test(on_a_sphere_lengths_tend_to_great_circles),
      cmocka_unit_test(every_island_of_pins_counts_once_and_the_nearest_four_are_kept),
      cmocka_unit_test(what_hangs_together_with_no_pin_has_no_attachment),
      cmocka_unit_test(mirrored_pins_give_mirrored_lengths_and_runs_the_same_bits),
      cmocka_unit_test(degenerate_triangles_give_no_nan_and_no_shortcut),
      cmocka_unit_test(on_real_garments_lengths_lie_between_the_straight_line_and_a_way_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
