/* Levels of irregular meshes against geometry: who stays, who hangs on whom, and how far apart two
 * means can be: measured on the flat cloth, on sheets bent and folded, on cylinders, cones and
 * spheres, and on real garments. */
#include <dirent.h>
#include <stdio.h>
#include <time.h>

#include "cmocka_all.h"
#include "level_rig.h"
#include "test_model_meshes.h"

static const double pi = 3.14159265358979323846;

/* Of this program alone, whatever else the machine does. */
static double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* ---- meshes ---- */

/* A square of unit cells with straight sides, jittered inside, edges flipped at random. */
static weft_mesh irregular_sheet(uint32_t rows, uint32_t columns, uint64_t seed, uint32_t flips) {
  weft_rng rng = weft_rng_seed(seed);
  weft_mesh m = test_grid(rows, columns, WEFT_GRID_SAME_DIAGONAL, 1, 1);
  for (uint32_t r = 1; r + 1 < rows; ++r) {
    for (uint32_t c = 1; c + 1 < columns; ++c) {
      m.positions[r * columns + c].x += weft_rng_float(&rng, -0.25f, 0.25f);
      m.positions[r * columns + c].y += weft_rng_float(&rng, -0.25f, 0.25f);
    }
  }
  uint32_t *across = flip_across(&m);
  for (uint32_t i = 0; i < flips; ++i) {
    flip_try(&m, across, weft_rng_u32(&rng) % (3 * m.triangle_count));
  }
  weft_free(across);
  return m;
}

typedef enum pinning { FREE, CORNERS, TOP, MIDDLE, PININGS } pinning;
static const char *const pinning_names[] = {"free", "corners", "top row", "middle"};

static bool *pins_of(uint32_t rows, uint32_t columns, pinning kind) {
  bool *fixed = weft_alloc((size_t)rows * columns, sizeof *fixed);
  if (kind == CORNERS) fixed[0] = fixed[columns - 1] = true;
  for (uint32_t c = 0; kind == TOP && c < columns; ++c) fixed[c] = true;
  if (kind == MIDDLE) {
    for (uint32_t c = 0; c < 5; ++c) fixed[(rows / 2) * columns + columns / 2 + c] = true;
  }
  return fixed;
}

static rig_chain *sheet_chain(const weft_mesh *mesh, uint32_t rows, uint32_t columns,
                              pinning kind) {
  bool *fixed = pins_of(rows, columns, kind);
  rig_chain *chain = rig_build(rig_mesh_nodes(mesh, fixed), WEFT_MAX_LEVELS);
  weft_free(fixed);
  return chain;
}

typedef void (*bending)(const double flat[2], double scale, double out[3]);

/* Means of all levels for particles somewhere else. */
typedef struct poses {
  double *at[WEFT_MAX_LEVELS + 1];
} poses;

static poses carry_up(const rig_chain *chain, const double *particles) {
  poses p = {0};
  for (uint32_t k = 0; k < chain->count; ++k) {
    const weft_level_nodes *n = &chain->level[k].nodes;
    p.at[k] = weft_alloc(3 * (size_t)n->count, sizeof **p.at);
    if (k == 0) {
      memcpy(p.at[0], particles, 3 * (size_t)n->count * sizeof **p.at);
    } else {
      rig_means(&chain->level[k - 1].members, n->count, p.at[k - 1], p.at[k]);
    }
  }
  return p;
}

static void poses_free(poses *p) {
  for (uint32_t k = 0; k <= WEFT_MAX_LEVELS; ++k) weft_free(p->at[k]);
}

static double edge_at(const weft_level_nodes *n, const double *at, uint32_t e) {
  return rig_distance(at + 3 * (size_t)n->edges[2 * (size_t)e],
                      at + 3 * (size_t)n->edges[2 * (size_t)e + 1]);
}

/* ---- who stays, who hangs on whom ---- */

static void check_seeds(const rig_level *l) {
  const weft_level_nodes *n = &l->nodes;
  uint8_t *seed = weft_alloc(n->count, 1), *covered = weft_alloc(n->count, 1);
  uint8_t *holds = weft_alloc(n->count, 1);
  for (uint32_t k = 0; k < l->coarsening.count; ++k) {
    uint32_t i = l->coarsening.seeds[k];
    assert_true(i < n->count && !seed[i]);
    seed[i] = covered[i] = 1;
  }
  for (size_t e = 0; e < n->edge_count; ++e) {
    uint32_t a = n->edges[2 * e], b = n->edges[2 * e + 1];
    if (seed[a] && seed[b]) fail_msg("nodes %u and %u are neighbours and both stay", a, b);
    covered[a] |= seed[b];
    covered[b] |= seed[a];
    holds[a] |= !n->fixed[b];
    holds[b] |= !n->fixed[a];
  }
  for (uint32_t i = 0; i < n->count; ++i) {
    if (!n->fixed[i]) assert_true(covered[i]);
    if (n->fixed[i] && seed[i]) assert_true(holds[i]);
  }
  weft_free(seed);
  weft_free(covered);
  weft_free(holds);
}

static void check_weights(const rig_level *l) {
  const weft_level_nodes *n = &l->nodes;
  const weft_coarsening *c = &l->coarsening;
  for (uint32_t i = 0; i < n->count; ++i) {
    const uint32_t *parents = c->parents + 4 * (size_t)i;
    const double *weights = c->weights + 4 * (size_t)i;
    double sum = 0;
    bool ended = false;
    for (int k = 0; k < 4; ++k) {
      ended = ended || parents[k] == UINT32_MAX;
      if (ended) {
        assert_int_equal(parents[k], UINT32_MAX);
        continue;
      }
      assert_true(parents[k] < c->count && weights[k] > 0 && weights[k] <= 1);
      for (int j = 0; j < k; ++j) assert_int_not_equal(parents[j], parents[k]);
      sum += weights[k];
    }
    if (!n->fixed[i] || sum > 0) assert_float_equal(sum, 1, 1e-12);
  }
  for (uint32_t k = 0; k < c->count; ++k) {
    bool own = false;
    for (int j = 0; j < 4; ++j) own = own || c->parents[4 * (size_t)c->seeds[k] + (size_t)j] == k;
    assert_true(own);
  }
}

static void seeds_are_independent_and_near_and_weights_sum_to_one(void **state) {
  (void)state;
  for (int flips = 0; flips < 2; ++flips) {
    for (int kind = 0; kind < PININGS; ++kind) {
      weft_mesh mesh = irregular_sheet(40, 50, 5, flips ? 8000 : 0);
      rig_chain *chain = sheet_chain(&mesh, 40, 50, (pinning)kind);
      assert_true(chain->count >= 5);
      for (uint32_t k = 0; k + 1 < chain->count; ++k) {
        check_seeds(&chain->level[k]);
        check_weights(&chain->level[k]);
      }
      rig_free(chain);
      test_mesh_free(&mesh);
    }
  }
}

static void levels_shrink_to_a_third_and_keep_a_pin_of_each_row(void **state) {
  (void)state;
  weft_mesh mesh = irregular_sheet(60, 60, 9, 7000);
  for (int kind = 0; kind < PININGS; ++kind) {
    rig_chain *chain = sheet_chain(&mesh, 60, 60, (pinning)kind);
    for (uint32_t k = 1; k < chain->count; ++k) {
      const weft_level_nodes *n = &chain->level[k].nodes;
      uint32_t fixed = 0;
      for (uint32_t i = 0; i < n->count; ++i) fixed += n->fixed[i];
      print_message("%s: level %u has %u nodes, %u fixed, %u edges\n", pinning_names[kind], k,
                    n->count, fixed, n->edge_count);
      if (k < 5) assert_true(n->count < 0.36 * chain->level[k - 1].nodes.count);
      if (k < 5) assert_true(n->edge_count > 2 * n->count && n->edge_count < 3.3 * n->count);
      assert_true((fixed > 0) == (kind != FREE));
    }
    rig_free(chain);
  }
  test_mesh_free(&mesh);
}

static void pins_behind_pins_are_not_kept(void **state) {
  (void)state;
  weft_mesh mesh = irregular_sheet(40, 40, 2, 0);
  bool *fixed = weft_alloc(1600, sizeof *fixed);
  for (uint32_t i = 0; i < 20 * 40; ++i) fixed[i] = true;
  rig_chain *chain = rig_build(rig_mesh_nodes(&mesh, fixed), 1);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < chain->level[1].nodes.count; ++i) kept += chain->level[1].nodes.fixed[i];
  assert_in_range(kept, 14, 20); /* of 40 in the last row of 20 */
  weft_free(fixed);
  rig_free(chain);
  test_mesh_free(&mesh);
}

static void the_same_mesh_gives_the_same_bits(void **state) {
  (void)state;
  weft_mesh mesh = irregular_sheet(30, 30, 11, 3000);
  uint64_t hash[2];
  for (int run = 0; run < 2; ++run) {
    rig_chain *chain = sheet_chain(&mesh, 30, 30, TOP);
    hash[run] = WEFT_HASH_SEED;
    for (uint32_t k = 0; k + 1 < chain->count; ++k) {
      const rig_level *l = &chain->level[k];
      const weft_level_nodes *n = &l[1].nodes;
      hash[run] = weft_hash_bytes(hash[run], l->coarsening.parents, 16 * (size_t)l->nodes.count);
      hash[run] = weft_hash_bytes(hash[run], l->coarsening.weights, 32 * (size_t)l->nodes.count);
      hash[run] = weft_hash_bytes(hash[run], n->edges, 8 * (size_t)n->edge_count);
      hash[run] = weft_hash_bytes(hash[run], n->lengths, 8 * (size_t)n->edge_count);
    }
    rig_free(chain);
  }
  assert_true(hash[0] == hash[1]);
  test_mesh_free(&mesh);
}

/* ---- an even stretch arrives evenly ---- */

typedef struct arrival {
  double error;  /* root mean square over nodes inside, in mean edges */
  double slope;  /* the same of the difference along edges, relative to their length */
  double border; /* as error, of all */
} arrival;

/* Corrections that are the means' own positions must come out as the nodes' positions. */
static arrival prolong(const rig_level *l, const weft_level_nodes *coarser, double margin) {
  const weft_level_nodes *n = &l->nodes;
  double *got = weft_alloc(3 * (size_t)n->count, sizeof *got), h = 0;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  bool *inside = weft_alloc(n->count, sizeof *inside);
  for (uint32_t e = 0; e < n->edge_count; ++e) h += edge_at(n, n->positions, e) / n->edge_count;
  for (size_t i = 0; i < n->count; ++i) {
    for (size_t k = 0; k < 2; ++k) {
      low[k] = fmin(low[k], n->positions[3 * i + k]);
      high[k] = fmax(high[k], n->positions[3 * i + k]);
    }
    for (size_t j = 4 * i; j < 4 * i + 4; ++j) {
      if (l->coarsening.parents[j] == UINT32_MAX) continue;
      const double *at = coarser->positions + 3 * (size_t)l->coarsening.parents[j];
      for (size_t k = 0; k < 3; ++k) got[3 * i + k] += l->coarsening.weights[j] * at[k];
    }
  }
  arrival a = {0};
  uint32_t count = 0, edges = 0;
  for (size_t i = 0; i < n->count; ++i) {
    const double *at = n->positions + 3 * i;
    double error = rig_distance(at, got + 3 * i) / h;
    inside[i] = at[0] > low[0] + margin * h && at[0] < high[0] - margin * h &&
                at[1] > low[1] + margin * h && at[1] < high[1] - margin * h;
    a.border += error * error / n->count;
    if (!inside[i]) continue;
    a.error += error * error;
    ++count;
  }
  for (uint32_t e = 0; e < n->edge_count; ++e) {
    size_t p = n->edges[2 * (size_t)e], q = n->edges[2 * (size_t)e + 1];
    if (!inside[p] || !inside[q]) continue;
    double square = 0;
    for (size_t k = 0; k < 3; ++k) {
      double d =
          got[3 * p + k] - got[3 * q + k] - n->positions[3 * p + k] + n->positions[3 * q + k];
      square += d * d;
    }
    a.slope += square / pow(edge_at(n, n->positions, e), 2);
    ++edges;
  }
  a.error = sqrt(a.error / count);
  a.slope = sqrt(a.slope / edges);
  a.border = sqrt(a.border);
  weft_free(inside);
  weft_free(got);
  return a;
}

static void an_even_stretch_arrives_evenly(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t flips;
    double allowed; /* mean edges; also of the slope */
  } cases[] = {{"grid", 0, 1e-12}, {"jittered", 0, 0.1}, {"irregular", 8000, 0.25}};
  for (int k = 0; k < 3; ++k) {
    weft_mesh mesh = k == 0 ? test_grid(64, 64, WEFT_GRID_SAME_DIAGONAL, 1, 1)
                            : irregular_sheet(64, 64, 3, cases[k].flips);
    rig_chain *chain = sheet_chain(&mesh, 64, 64, FREE);
    for (uint32_t level = 0; level < 2; ++level) {
      arrival a = prolong(&chain->level[level], &chain->level[level + 1].nodes, 5);
      print_message("%s, level %u: off by %.3f edges (%.3f with the border), slope by %.3f\n",
                    cases[k].name, level, a.error, a.border, a.slope);
      assert_true(a.error <= cases[k].allowed);
      assert_true(a.slope <= 1.2 * cases[k].allowed);
      assert_true(a.border < 0.3);
    }
    rig_free(chain);
    test_mesh_free(&mesh);
  }
}

/* ---- lengths on flat and on bent cloth ---- */

static void on_a_flat_sheet_the_distance_is_that_of_the_means(void **state) {
  (void)state;
  for (int kind = 0; kind < PININGS; ++kind) {
    weft_mesh mesh = irregular_sheet(50, 40, 21, 4000);
    rig_chain *chain = sheet_chain(&mesh, 50, 40, (pinning)kind);
    for (uint32_t k = 1; k < chain->count; ++k) {
      const weft_level_nodes *n = &chain->level[k].nodes;
      double more = 0, max = 0;
      uint32_t free_edges = 0;
      for (uint32_t e = 0; e < n->edge_count; ++e) {
        double far = edge_at(n, n->positions, e);
        assert_true(fabs(n->distances[e] - far) <= 1e-9 * far);
        assert_true(n->lengths[e] >= n->distances[e]);
        const uint32_t *ends = n->edges + 2 * (size_t)e;
        assert_false(n->fixed[ends[0]] && n->fixed[ends[1]]);
        if (n->fixed[ends[0]] || n->fixed[ends[1]]) continue;
        more += n->lengths[e] / far - 1;
        max = fmax(max, n->lengths[e] / far - 1);
        ++free_edges;
      }
      if (free_edges == 0) continue;
      print_message("%s, level %u: lengths are %.2f %% above distances, %.1f %% at most\n",
                    pinning_names[kind], k, 100 * more / free_edges, 100 * max);
      assert_true(more / free_edges < 0.01);
    }
    rig_free(chain);
    test_mesh_free(&mesh);
  }
}

static void roll(const double flat[2], double radius, double out[3]) {
  double angle = flat[0] / radius;
  out[0] = radius * sin(angle);
  out[1] = flat[1];
  out[2] = radius * cos(angle);
}

/* A spiral that keeps lengths: along an involute, s = (t^2) scale/2. */
static void spiral(const double flat[2], double scale, double out[3]) {
  double t = sqrt(2 * (flat[0] + 4 * scale) / scale);
  out[0] = scale * (cos(t) + t * sin(t));
  out[1] = flat[1];
  out[2] = scale * (sin(t) - t * cos(t));
}

/* Sheets as cones: polar coordinates about a point beside the sheet, angles made smaller. */
static void cone(const double flat[2], double sharpness, double out[3]) {
  double x = flat[0] + 20, y = flat[1] - 60, r = hypot(x, y), angle = atan2(y, x) / sharpness;
  out[0] = r * sharpness * cos(angle);
  out[1] = r * sqrt(1 - sharpness * sharpness);
  out[2] = r * sharpness * sin(angle);
}

static double *bend(const double *flat, uint32_t count, bending bent, double scale) {
  double *out = weft_alloc(3 * (size_t)count, sizeof *out);
  for (size_t i = 0; i < count; ++i) bent(flat + 3 * i, scale, out + 3 * i);
  return out;
}

/* The rest pose is bent, the lengths are those of the flat sheet: distances must be, too. */
static double worst_when_bent(const weft_mesh *mesh, bending bent, double scale, uint32_t levels) {
  weft_level_nodes nodes = rig_mesh_nodes(mesh, NULL);
  double *flat = nodes.positions, worst = 0;
  nodes.positions = bend(flat, nodes.count, bent, scale);
  rig_chain *chain = rig_build(nodes, levels);
  poses p = carry_up(chain, flat);
  for (uint32_t k = 1; k < chain->count; ++k) {
    const weft_level_nodes *n = &chain->level[k].nodes;
    for (uint32_t e = 0; e < n->edge_count; ++e) {
      worst = fmax(worst, fabs(n->distances[e] / edge_at(n, p.at[k], e) - 1));
    }
  }
  poses_free(&p);
  rig_free(chain);
  weft_free(flat);
  return worst;
}

static void a_bent_rest_pose_is_laid_flat(void **state) {
  (void)state;
  static const struct {
    const char *name;
    bending bent;
    double scale;
    uint32_t levels;
  } cases[] = {{"cylinder, radius 40", roll, 40, 4}, {"cylinder, radius 12", roll, 12, 3},
               {"cylinder, radius 8", roll, 8, 2},   {"spiral", spiral, 3, 3},
               {"cone, blunt", cone, 0.9, 3},        {"cone, sharp", cone, 0.5, 3}};
  for (uint32_t flips = 0; flips <= 5000; flips += 5000) { /* with flips there are slivers */
    weft_mesh mesh = irregular_sheet(50, 50, 33, flips);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
      double worst = worst_when_bent(&mesh, cases[k].bent, cases[k].scale, cases[k].levels);
      print_message("%s, %s: distances off by %.2e at most\n", cases[k].name,
                    flips ? "irregular" : "jittered", worst);
      assert_true(worst < (flips ? 0.03 : 0.01));
    }
    test_mesh_free(&mesh);
  }
}

/* By what part of its length an edge is longer, at most, with the particles there. */
static double worst_excess(const rig_chain *chain, const double *particles) {
  poses p = carry_up(chain, particles);
  double worst = -INFINITY;
  for (uint32_t k = 1; k < chain->count; ++k) {
    const weft_level_nodes *n = &chain->level[k].nodes;
    for (uint32_t e = 0; e < n->edge_count; ++e) {
      worst = fmax(worst, edge_at(n, p.at[k], e) / n->lengths[e] - 1);
    }
  }
  poses_free(&p);
  return worst;
}

/* ---- closed and curved surfaces ---- */

static rig_chain *surface_chain(uint32_t rings, uint32_t around, double radius, double step,
                                uint32_t levels) {
  uint32_t count = rings * around, triangles = 0;
  double *at = weft_alloc(3 * (size_t)count, sizeof *at);
  uint32_t *t = weft_alloc(6 * (size_t)count, sizeof *t);
  for (uint32_t r = 0; r < rings; ++r) {
    for (uint32_t k = 0; k < around; ++k) {
      double angle = 2 * pi * (k + 0.5 * (r % 2)) / around;
      size_t i = r * around + k;
      at[3 * i] = radius * cos(angle);
      at[3 * i + 1] = r * step;
      at[3 * i + 2] = radius * sin(angle);
      if (r + 1 == rings) continue;
      uint32_t a = r * around + k, b = r * around + (k + 1) % around, c = a + around,
               d = b + around;
      uint32_t quad[6] = {a, r % 2 ? d : c, b, r % 2 ? a : b, c, d};
      memcpy(t + 3 * (size_t)triangles, quad, sizeof quad);
      triangles += 2;
    }
  }
  rig_chain *chain = rig_build(rig_nodes(at, count, t, triangles, NULL), levels);
  weft_free(at);
  weft_free(t);
  return chain;
}

/* Means in angle and height, angles counted from the seed's. */
static void unrolled_means(const rig_level *l, uint32_t node, double radius, double from,
                           double out[2]) {
  out[0] = out[1] = 0;
  for (uint32_t e = l->members.offsets[node]; e < l->members.offsets[node + 1]; ++e) {
    const double *at = l->nodes.positions + 3 * (size_t)l->members.finer[e];
    double angle = remainder(atan2(at[2], at[0]) - from, 2 * pi);
    out[0] += l->members.shares[e] * radius * angle;
    out[1] += l->members.shares[e] * at[1];
  }
}

static void on_a_tube_the_distance_is_that_on_the_unrolled_cloth(void **state) {
  (void)state;
  enum { AROUND = 48, RINGS = 40 };
  double radius = AROUND / (2 * pi);
  rig_chain *chain = surface_chain(RINGS, AROUND, radius, 0.9, 1);
  const rig_level *l = &chain->level[0];
  const weft_level_nodes *n = &chain->level[1].nodes;
  double worst = 0;
  for (uint32_t e = 0; e < n->edge_count; ++e) {
    const uint32_t *ends = n->edges + 2 * (size_t)e;
    const double *seed = l->nodes.positions + 3 * (size_t)l->coarsening.seeds[ends[0]];
    double a[2], b[2], from = atan2(seed[2], seed[0]);
    unrolled_means(l, ends[0], radius, from, a);
    unrolled_means(l, ends[1], radius, from, b);
    worst = fmax(worst, fabs(n->distances[e] / hypot(a[0] - b[0], a[1] - b[1]) - 1));
  }
  print_message("tube: distances off by %.2e at most\n", worst);
  assert_true(n->edge_count > 2.5 * n->count && worst < 0.01);
  rig_free(chain);
}

/* Tubes of three to eight around, pressed flat: with so few nodes around a piece of cloth meets
 * itself, and no length may come of that which the tube could exceed. */
static void a_thin_tube_pressed_flat_exceeds_no_length(void **state) {
  (void)state;
  for (uint32_t around = 3; around <= 8; ++around) {
    rig_chain *chain = surface_chain(40, around, 1 / (2 * sin(pi / around)), 0.9, 4);
    const weft_level_nodes *n = &chain->level[0].nodes;
    double *at = weft_alloc(3 * (size_t)n->count, sizeof *at), worst = -INFINITY;
    for (int turn = 0; turn < 24; ++turn) {
      for (size_t i = 0; i < n->count; ++i) {
        double angle = atan2(n->positions[3 * i + 2], n->positions[3 * i]) + turn * pi / 24;
        double part = acos(cos(angle)) / (2 * pi); /* of the way around, there and back */
        at[3 * i] = part * around;
        at[3 * i + 1] = n->positions[3 * i + 1];
      }
      worst = fmax(worst, worst_excess(chain, at));
    }
    print_message("%u around, %u levels, pressed flat: %+.2e\n", around, chain->count - 1, worst);
    assert_true(worst <= 0.03);
    weft_free(at);
    rig_free(chain);
  }
}

/* A cap of a sphere: the flat sheet seen as polar coordinates about its middle. */
static void cap(const double flat[2], double radius, double out[3]) {
  double x = flat[0] - 25, y = flat[1] + 25, r = hypot(x, y), angle = r / radius;
  double part = r > 0 ? sin(angle) / r : 1 / radius;
  out[0] = radius * part * x;
  out[1] = radius * part * y;
  out[2] = radius * cos(angle);
}

static void on_a_sphere_distances_are_great_circles(void **state) {
  (void)state;
  weft_mesh mesh = irregular_sheet(51, 51, 8, 0);
  double radius = 40;
  weft_level_nodes flat = rig_mesh_nodes(&mesh, NULL);
  double *at = bend(flat.positions, flat.count, cap, radius);
  rig_nodes_free(&flat);
  rig_chain *chain =
      rig_build(rig_nodes(at, mesh.vertex_count, mesh.triangles, mesh.triangle_count, NULL), 3);
  for (uint32_t k = 1; k < chain->count; ++k) {
    const weft_level_nodes *n = &chain->level[k].nodes;
    double low = INFINITY, high = -INFINITY, mean = 0;
    for (uint32_t e = 0; e < n->edge_count; ++e) {
      const double *a = n->positions + 3 * (size_t)n->edges[2 * (size_t)e];
      const double *b = n->positions + 3 * (size_t)n->edges[2 * (size_t)e + 1];
      weft_vec3d p = weft_v3d_at(a), q = weft_v3d_at(b);
      double cosine = weft_v3d_dot(p, q) / (weft_v3d_length(p) * weft_v3d_length(q));
      double error = n->distances[e] / (radius * acos(cosine)) - 1;
      low = fmin(low, error);
      high = fmax(high, error);
      mean += error / n->edge_count;
    }
    print_message("sphere, level %u: %u edges, distances off by %+.4f (%+.4f to %+.4f)\n", k,
                  n->edge_count, mean, low, high);
    assert_true(fabs(mean) < 0.01 && low > -0.05 && high < 0.05);
  }
  rig_free(chain);
  weft_free(at);
  test_mesh_free(&mesh);
}

/* ---- no folding brings two means further apart than the length ---- */

/* Over a line of the plane, what is beyond comes back. Done again and again, a sheet becomes as
 * small as one likes and as crooked. */
static void fold(double *at, uint32_t count, weft_rng *rng) {
  double angle = (double)weft_rng_float(rng, 0, 6.2831853f), c = cos(angle), s = sin(angle);
  uint32_t through = weft_rng_u32(rng) % count;
  double offset = c * at[3 * (size_t)through] + s * at[3 * (size_t)through + 1];
  for (size_t i = 0; i < count; ++i) {
    double beyond = c * at[3 * i] + s * at[3 * i + 1] - offset;
    if (beyond <= 0) continue;
    at[3 * i] -= 2 * beyond * c;
    at[3 * i + 1] -= 2 * beyond * s;
  }
}

static double worst_rolled(const rig_chain *chain, double smallest, weft_rng *rng) {
  const weft_level_nodes *n = &chain->level[0].nodes;
  double *turned = weft_alloc(3 * (size_t)n->count, sizeof *turned), worst = -INFINITY;
  for (double radius = 200; radius > smallest; radius *= 0.8) {
    double angle = (double)weft_rng_float(rng, 0, 6.2831853f), c = cos(angle), s = sin(angle);
    for (size_t i = 0; i < n->count; ++i) {
      double x = n->positions[3 * i], y = n->positions[3 * i + 1];
      turned[3 * i] = c * x - s * y;
      turned[3 * i + 1] = s * x + c * y;
    }
    double *bent = bend(turned, n->count, roll, radius);
    worst = fmax(worst, worst_excess(chain, bent));
    weft_free(bent);
  }
  weft_free(turned);
  return worst;
}

static double worst_folded(const rig_chain *chain, weft_rng *rng) {
  const weft_level_nodes *n = &chain->level[0].nodes;
  double *at = weft_alloc(3 * (size_t)n->count, sizeof *at), worst = -INFINITY;
  for (int run = 0; run < 40; ++run) {
    memcpy(at, n->positions, 3 * (size_t)n->count * sizeof *at);
    for (int times = 0; times < 20; ++times) {
      fold(at, n->count, rng);
      worst = fmax(worst, worst_excess(chain, at));
    }
  }
  weft_free(at);
  return worst;
}

/* Rolled loosely, as cloth is, by next to nothing; crumpled by twenty folds, at the scale of an
 * edge, by a little: lengths know how far means are spread, not their shapes. A row of pins is left
 * out: it is neither rolled nor folded. */
static void bending_and_folding_bring_no_two_means_further_apart_than_their_length(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(12);
  for (uint32_t flips = 0; flips <= 4000; flips += 4000) {
    for (int kind = 0; kind < PININGS; ++kind) {
      if (kind == TOP) continue;
      weft_mesh mesh = irregular_sheet(40, 40, 44, flips);
      rig_chain *chain = sheet_chain(&mesh, 40, 40, (pinning)kind);
      double rolled = worst_rolled(chain, 8, &rng), tightly = worst_rolled(chain, 0.5, &rng);
      double folded = worst_folded(chain, &rng);
      print_message("%s, %s: rolled %+.1e, tightly %+.1e, folded %+.1e\n",
                    flips ? "irregular" : "jittered", pinning_names[kind], rolled, tightly, folded);
      assert_true(rolled <= (flips ? 1e-3 : 1e-4));
      assert_true(tightly <= (flips ? 0.03 : 0.005));
      assert_true(folded <= (flips ? 0.08 : 0.03));
      rig_free(chain);
      test_mesh_free(&mesh);
    }
  }
}

/* Gathered like an umbrella about its pin: every particle straight below at its distance. */
static void cloth_gathered_below_a_pin_is_not_pulled_up(void **state) {
  (void)state;
  weft_mesh mesh = irregular_sheet(41, 41, 46, 0);
  bool *fixed = weft_alloc(mesh.vertex_count, sizeof *fixed);
  uint32_t pin = 20 * 41 + 20;
  fixed[pin] = true;
  rig_chain *chain = rig_build(rig_mesh_nodes(&mesh, fixed), 1);
  const weft_level_nodes *n = &chain->level[0].nodes;
  double *at = weft_alloc(3 * (size_t)n->count, sizeof *at);
  for (size_t i = 0; i < n->count; ++i) {
    at[3 * i + 1] = -rig_distance(n->positions + 3 * i, n->positions + 3 * (size_t)pin);
  }
  poses p = carry_up(chain, at);
  n = &chain->level[1].nodes;
  uint32_t held = 0;
  for (uint32_t e = 0; e < n->edge_count; ++e) {
    if (!n->fixed[n->edges[2 * (size_t)e]] && !n->fixed[n->edges[2 * (size_t)e + 1]]) continue;
    ++held;
    assert_true(fabs(edge_at(n, p.at[1], e) / n->lengths[e] - 1) < 1e-9);
    assert_true(n->lengths[e] > 1.01 * n->distances[e]);
  }
  assert_true(held >= 3);
  poses_free(&p);
  weft_free(at);
  weft_free(fixed);
  rig_free(chain);
  test_mesh_free(&mesh);
}

/* Below a whole row of pins nothing can gather: lengths are those of the flat sheet. */
static void cloth_below_a_row_of_pins_is_held_by_the_row(void **state) {
  (void)state;
  weft_mesh mesh = test_grid(40, 60, WEFT_GRID_SAME_DIAGONAL, 1, 1);
  rig_chain *chain = sheet_chain(&mesh, 40, 60, TOP);
  const weft_level_nodes *n = &chain->level[1].nodes;
  uint32_t held = 0;
  double mean = 0;
  for (uint32_t e = 0; e < n->edge_count; ++e) {
    if (!n->fixed[n->edges[2 * (size_t)e]] && !n->fixed[n->edges[2 * (size_t)e + 1]]) continue;
    ++held;
    mean += n->lengths[e] / n->distances[e] - 1;
  }
  print_message("row of pins: lengths %.2f %% above distances\n", 100 * mean / held);
  assert_true(held > 40 && mean / held < 0.02);
  rig_free(chain);
  test_mesh_free(&mesh);
}

/* ---- what should not happen ---- */

static void nothing_to_make_levels_of_is_refused(void **state) {
  (void)state;
  double at[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  uint32_t triangle[3] = {0, 1, 2};
  bool fixed[3] = {true, true, true};
  weft_coarsening c = {0};
  weft_level_nodes n = rig_nodes(at, 3, triangle, 1, fixed);
  assert_false(weft_coarsen_graph(&n, &c)); /* no node is free */
  rig_coarsening_free(&c);
  rig_nodes_free(&n);
  n = rig_nodes(at, 3, NULL, 0, NULL);
  assert_false(weft_coarsen_graph(&n, &c)); /* no node has a neighbour */
  rig_coarsening_free(&c);
  rig_nodes_free(&n);
}

static void check_finite(const rig_chain *chain) {
  for (uint32_t k = 1; k < chain->count; ++k) {
    const weft_level_nodes *n = &chain->level[k].nodes;
    for (size_t i = 0; i < 3 * (size_t)n->count; ++i) assert_true(isfinite(n->positions[i]));
    for (uint32_t e = 0; e < n->edge_count; ++e) {
      assert_true(isfinite(n->lengths[e]) && n->lengths[e] > 0);
      assert_true(n->lengths[e] >= (1 - 1e-12) * edge_at(n, n->positions, e));
    }
    check_seeds(&chain->level[k - 1]);
    check_weights(&chain->level[k - 1]);
  }
}

/* Points in one place, edges of no length, a hub with a thousand spokes. */
static void degenerate_meshes_give_no_nan_and_take_no_time(void **state) {
  (void)state;
  weft_mesh mesh = irregular_sheet(30, 30, 4, 0);
  for (uint32_t i = 0; i < 5; ++i) mesh.positions[100 + i] = mesh.positions[99];
  for (uint32_t i = 0; i < 30; ++i) mesh.positions[600 + i] = mesh.positions[570 + i];
  rig_chain *chain = sheet_chain(&mesh, 30, 30, CORNERS);
  check_finite(chain);
  rig_free(chain);
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) mesh.positions[i] = weft_v3(1, 2, 3);
  chain = sheet_chain(&mesh, 30, 30, FREE);
  rig_free(chain);
  test_mesh_free(&mesh);
  enum { SPOKES = 20000 };
  double *at = weft_alloc(3 * (SPOKES + 1), sizeof *at);
  uint32_t *t = weft_alloc(3 * SPOKES, sizeof *t);
  for (uint32_t k = 0; k < SPOKES; ++k) {
    at[3 * (size_t)k] = cos(2 * pi * k / SPOKES);
    at[3 * (size_t)k + 1] = sin(2 * pi * k / SPOKES);
    uint32_t corners[3] = {SPOKES, k, (k + 1) % SPOKES};
    memcpy(t + 3 * (size_t)k, corners, sizeof corners);
  }
  double start = processor_seconds();
  chain = rig_build(rig_nodes(at, SPOKES + 1, t, SPOKES, NULL), WEFT_MAX_LEVELS);
  rig_free(chain);
  double took = processor_seconds() - start;
  print_message("a hub of %d spokes: %.3f s\n", SPOKES, took);
  assert_true(took < 5);
  weft_free(at);
  weft_free(t);
}

/* A pin and a hub with many pages between them, all of which the pin covers: more than are looked
 * at around the hub, and none of them stays. Before it comes a triangle of its own. */
static void a_hub_hangs_on_the_seed_beside_it(void **state) {
  (void)state;
  enum { PAGES = 150, HUB = 3, PIN = HUB + PAGES + 1, COUNT };
  double at[3 * COUNT] = {5, 0, 0, 6, 0, 0, 5, 1, 0};
  uint32_t t[3 * (PAGES + 1)] = {0, 1, 2};
  bool fixed[COUNT] = {[PIN] = true};
  at[3 * PIN + 2] = 1;
  for (uint32_t k = 0; k < PAGES; ++k) {
    uint32_t page = HUB + 1 + k, corners[3] = {HUB, page, PIN};
    at[3 * (size_t)page] = cos(2 * pi * k / PAGES);
    at[3 * (size_t)page + 1] = sin(2 * pi * k / PAGES);
    memcpy(t + 3 * (size_t)(k + 1), corners, sizeof corners);
  }
  rig_chain *chain = rig_build(rig_nodes(at, COUNT, t, PAGES + 1, fixed), 1);
  assert_int_equal(chain->count, 2);
  check_finite(chain);
  const weft_coarsening *c = &chain->level[0].coarsening;
  assert_int_equal(c->count, 2);
  assert_int_equal(c->seeds[1], PIN);
  assert_int_equal(c->parents[4 * HUB], 1);
  assert_int_equal(c->parents[4 * HUB + 1], UINT32_MAX);
  rig_free(chain);
}

static void check_garment(const char *path) {
  weft_mesh mesh = {0};
  weft_error err = {0};
  if (weft_mesh_import(path, &(weft_import_desc){.scale = 1}, &mesh, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  float low = HUGE_VALF, high = -HUGE_VALF;
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    low = fminf(low, mesh.positions[i].y);
    high = fmaxf(high, mesh.positions[i].y);
  }
  bool *fixed = weft_alloc(mesh.vertex_count, sizeof *fixed);
  for (int pinned = 0; pinned < (high > low ? 2 : 1); ++pinned) {
    for (uint32_t i = 0; pinned && i < mesh.vertex_count; ++i) {
      fixed[i] = mesh.positions[i].y >= high - 0.03f * (high - low);
    }
    rig_chain *chain = rig_build(rig_mesh_nodes(&mesh, fixed), WEFT_MAX_LEVELS);
    check_finite(chain);
    print_message("%s, %s:", strrchr(path, '/') + 1, pinned ? "pinned" : "free");
    for (uint32_t k = 0; k < chain->count; ++k) {
      const weft_level_nodes *n = &chain->level[k].nodes;
      print_message(" %u/%u", n->count, n->edge_count);
      if (k > 0) assert_true(n->count <= 0.7 * chain->level[k - 1].nodes.count);
    }
    print_message(" nodes/edges\n");
    assert_true(chain->count >= 3);
    assert_true(chain->level[1].nodes.edge_count > 2 * chain->level[1].nodes.count);
    rig_free(chain);
  }
  weft_free(fixed);
  weft_mesh_free(&mesh);
}

static void on_real_garments_levels_are_finite_and_shrink(void **state) {
  (void)state;
  static const char *const folders[] = {"garments", "cloth"};
  uint32_t found = 0;
  for (int k = 0; k < 2; ++k) {
    char folder[512], path[1024];
    snprintf(folder, sizeof folder, "%s/%s", WEFT_MESH_DIR, folders[k]);
    DIR *dir = opendir(folder);
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
      const char *dot = strrchr(entry->d_name, '.');
      if (!dot || strcmp(dot, ".obj") != 0) continue;
      snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
      check_garment(path);
      ++found;
    }
    if (dir) closedir(dir);
  }
  if (found == 0) {
    print_message("no meshes in %s\n", WEFT_MESH_DIR);
    skip();
  }
}

/* From a model, with all that makes levels of it. */
static void a_model_of_a_mesh_gets_levels(void **state) {
  (void)state;
  weft_mesh mesh = irregular_sheet(40, 40, 6, 3000);
  mesh.grid_rows = mesh.grid_columns = 0;
  uint32_t corners[2] = {0, 39};
  weft_pin pin = {.rule = WEFT_PIN_LIST, .list = corners, .list_count = 2};
  weft_model_desc desc = {.mesh = &mesh, .pins = &pin, .pin_count = 1};
  weft_model *model = NULL;
  weft_error err = {0};
  if (weft_model_create(&desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  weft_levels levels;
  weft_levels_build(model, WEFT_MAX_LEVELS, &levels);
  print_message("%u levels, %u nodes, %u edges\n", levels.level_count, levels.node_count,
                levels.edge_count);
  assert_in_range(levels.level_count, 4, 8);
  for (uint32_t k = 0; k < levels.level_count; ++k) {
    const weft_level *l = &levels.level[k];
    assert_true(l->colour_count <= 24);
    for (uint32_t c = 0; c < l->colour_count; ++c) {
      uint8_t *used = weft_alloc(levels.node_count, 1);
      for (uint32_t e = l->colour_first[c]; e < l->colour_first[c + 1]; ++e) {
        for (size_t end = 0; end < 2; ++end) {
          uint32_t node = levels.edges[2 * ((size_t)l->edge_first + e) + end];
          assert_true(node >= l->node_first && node < l->node_first + l->node_count);
          if (levels.inverse_masses[node] > 0) assert_int_equal(used[node]++, 0);
        }
      }
      weft_free(used);
    }
  }
  for (uint32_t node = 0; node < levels.node_count; ++node) {
    double sum = 0;
    for (uint32_t e = levels.child_offsets[node]; e < levels.child_offsets[node + 1]; ++e) {
      sum += levels.shares[e];
    }
    assert_true(fabs(sum - 1) < 1e-12);
  }
  weft_levels_free(&levels);
  weft_model_destroy(model);
  test_mesh_free(&mesh);
}

static void preprocessing_time_grows_with_the_mesh(void **state) {
  (void)state;
  double per_node[2];
  for (int k = 0; k < 2; ++k) {
    uint32_t n = k ? 240 : 80;
    weft_mesh mesh = irregular_sheet(n, n, 1, n * n);
    double best = INFINITY;
    for (int run = 0; run < 3; ++run) {
      weft_level_nodes nodes = rig_mesh_nodes(&mesh, NULL);
      double start = processor_seconds();
      rig_chain *chain = rig_build(nodes, WEFT_MAX_LEVELS);
      best = fmin(best, processor_seconds() - start);
      rig_free(chain);
    }
    per_node[k] = best / mesh.vertex_count;
    print_message("%u nodes: %.3f s, %.2f us each\n", mesh.vertex_count, best, 1e6 * per_node[k]);
    test_mesh_free(&mesh);
  }
  assert_true(per_node[1] < 3 * per_node[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(seeds_are_independent_and_near_and_weights_sum_to_one),
      cmocka_unit_test(levels_shrink_to_a_third_and_keep_a_pin_of_each_row),
      cmocka_unit_test(pins_behind_pins_are_not_kept),
      cmocka_unit_test(the_same_mesh_gives_the_same_bits),
      cmocka_unit_test(an_even_stretch_arrives_evenly),
      cmocka_unit_test(on_a_flat_sheet_the_distance_is_that_of_the_means),
      cmocka_unit_test(a_bent_rest_pose_is_laid_flat),
      cmocka_unit_test(on_a_tube_the_distance_is_that_on_the_unrolled_cloth),
      cmocka_unit_test(a_thin_tube_pressed_flat_exceeds_no_length),
      cmocka_unit_test(on_a_sphere_distances_are_great_circles),
      cmocka_unit_test(bending_and_folding_bring_no_two_means_further_apart_than_their_length),
      cmocka_unit_test(cloth_gathered_below_a_pin_is_not_pulled_up),
      cmocka_unit_test(cloth_below_a_row_of_pins_is_held_by_the_row),
      cmocka_unit_test(nothing_to_make_levels_of_is_refused),
      cmocka_unit_test(degenerate_meshes_give_no_nan_and_take_no_time),
      cmocka_unit_test(a_hub_hangs_on_the_seed_beside_it),
      cmocka_unit_test(on_real_garments_levels_are_finite_and_shrink),
      cmocka_unit_test(a_model_of_a_mesh_gets_levels),
      cmocka_unit_test(preprocessing_time_grows_with_the_mesh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
