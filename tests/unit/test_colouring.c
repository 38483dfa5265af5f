/* Colouring: validity by an independent count, and the number of colours against theory. */
#include "colouring.h"

#include <stdio.h>
#include <stdlib.h>

#include "adjacency.h"
#include "cmocka_all.h"
#include "grid_order.h"
#include "test_model_meshes.h"

/* Constraints of one kind over a mesh. */
typedef struct constraint_list {
  uint32_t *particles;
  uint8_t *keys;
  uint32_t arity, count;
} constraint_list;

static void list_free(constraint_list *l) {
  weft_free(l->particles);
  weft_free(l->keys);
}

static constraint_list edges_of(const weft_mesh *mesh) {
  weft_edges edges;
  weft_edges_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &edges);
  constraint_list l = {weft_alloc((size_t)edges.count * 2, 4), weft_alloc(edges.count, 1), 2, 0};
  for (uint32_t i = 0; i < edges.count; ++i) {
    const weft_edge *e = &edges.items[i];
    l.particles[2 * i] = e->a;
    l.particles[2 * i + 1] = e->b;
    if (mesh->grid_rows) l.keys[i] = weft_grid_pair_key(mesh, e->a, e->b);
  }
  l.count = edges.count;
  weft_edges_free(&edges);
  return l;
}

static constraint_list hinges_of(const weft_mesh *mesh, bool across) {
  weft_edges edges;
  weft_edges_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &edges);
  constraint_list l = {weft_alloc((size_t)edges.count * 4, 4), weft_alloc(edges.count, 1),
                       across ? 2 : 4, 0};
  for (uint32_t i = 0; i < edges.count; ++i) {
    const weft_edge *e = &edges.items[i];
    if (e->triangle_count != 2) continue;
    uint32_t edge[2] = {e->a, e->b};
    uint32_t *p = l.particles + (size_t)l.count * l.arity;
    p[0] = e->opposite[0];
    p[1] = e->opposite[1];
    if (!across) {
      p[2] = e->a;
      p[3] = e->b;
    }
    if (mesh->grid_rows && across) l.keys[l.count] = weft_grid_pair_key(mesh, p[0], p[1]);
    if (mesh->grid_rows && !across) l.keys[l.count] = weft_grid_hinge_key(mesh, edge, e->opposite);
    l.count++;
  }
  weft_edges_free(&edges);
  return l;
}

static weft_colouring colour(const constraint_list *l, const weft_mesh *mesh, bool simple) {
  weft_colouring c;
  weft_colouring_build(&(weft_colouring_desc){l->particles, l->arity, l->count, mesh->vertex_count,
                                              mesh->grid_rows ? l->keys : NULL, simple},
                       &c);
  return c;
}

/* Every (particle, colour) pair at most once, counted by sorting; the bound by counting. */
static int compare_u64(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void assert_valid(const constraint_list *l, const weft_mesh *mesh, const weft_colouring *c) {
  size_t total = (size_t)l->count * l->arity;
  uint64_t *pairs = weft_alloc(total, sizeof *pairs);
  uint32_t *valence = weft_alloc(mesh->vertex_count, sizeof *valence);
  uint32_t max = 0;
  for (size_t i = 0; i < total; ++i) {
    uint32_t p = l->particles[i], k = c->colours[i / l->arity];
    assert_true(k < c->colour_count);
    pairs[i] = (uint64_t)p << 32 | k;
    if (++valence[p] > max) max = valence[p];
  }
  qsort(pairs, total, sizeof *pairs, compare_u64);
  for (size_t i = 1; i < total; ++i) assert_true(pairs[i] != pairs[i - 1]);
  assert_int_equal(max, c->lower_bound);
  weft_free(pairs);
  weft_free(valence);
}

static uint32_t colours_needed(constraint_list l, const weft_mesh *mesh, bool simple) {
  weft_colouring c = colour(&l, mesh, simple);
  assert_valid(&l, mesh, &c);
  uint32_t count = c.colour_count;
  assert_true(count >= c.lower_bound);
  weft_colouring_free(&c);
  list_free(&l);
  return count;
}

/* ---- grids ---- */
static const uint32_t sizes[][2] = {{2, 2},   {2, 7},   {3, 5},   {5, 3},    {7, 8},
                                    {16, 16}, {64, 64}, {65, 63}, {256, 256}};

static void check_grids(weft_grid_pattern pattern, uint32_t edges, uint32_t hinges,
                        uint32_t across) {
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    weft_mesh m = test_grid(sizes[i][0], sizes[i][1], pattern, 0.01f, 0.01f);
    bool large = sizes[i][0] >= 7 && sizes[i][1] >= 7;
    uint32_t found[3] = {colours_needed(edges_of(&m), &m, true),
                         colours_needed(hinges_of(&m, false), &m, false),
                         colours_needed(hinges_of(&m, true), &m, false)};
    uint32_t wanted[3] = {edges, hinges, across};
    for (int k = 0; k < 3; ++k) {
      assert_true(found[k] <= wanted[k]);
      if (large) assert_int_equal(found[k], wanted[k]);
    }
    test_mesh_free(&m);
  }
}

/* Each figure is the largest number of constraints at one vertex: none can do with less. */
static void same_diagonal_grids_reach_the_bounds(void **state) {
  (void)state;
  check_grids(WEFT_GRID_SAME_DIAGONAL, 6, 12, 6);
}

static void alternating_grids_reach_the_bounds(void **state) {
  (void)state;
  check_grids(WEFT_GRID_ALTERNATING, 8, 16, 8);
}

static void equilateral_grids_reach_the_bounds(void **state) {
  (void)state;
  check_grids(WEFT_GRID_EQUILATERAL, 6, 12, 6);
}

/* The grid fields only suggest an order: a mesh that wrongly claims them is coloured validly. */
static void a_false_grid_is_still_coloured_validly(void **state) {
  (void)state;
  weft_mesh m = test_grid(24, 24, WEFT_GRID_ALTERNATING, 1, 1);
  m.grid_rows = 36;
  m.grid_columns = 16;
  m.grid_pattern = WEFT_GRID_EQUILATERAL;
  colours_needed(edges_of(&m), &m, true);
  colours_needed(hinges_of(&m, false), &m, false);
  colours_needed(hinges_of(&m, true), &m, false);
  test_mesh_free(&m);
}

/* ---- other meshes ---- */
/* Least-used colours: the smallest batch is nearly as large as the largest. */
static void assert_even(const constraint_list *l, const weft_colouring *c) {
  uint32_t *used = weft_alloc(c->colour_count, sizeof *used), min = l->count, max = 0;
  for (uint32_t i = 0; i < l->count; ++i) used[c->colours[i]]++;
  for (uint32_t k = 0; k < c->colour_count; ++k) {
    if (used[k] < min) min = used[k];
    if (used[k] > max) max = used[k];
  }
  assert_true(min * 10 >= max * 9);
  weft_free(used);
}

/* Vizing promises the bound and one. Planar graphs of largest degree 7 and more even have a
 * colouring with the bound itself (Sanders and Zhao 2001), and on meshes Kempe chains find it. */
static void irregular_edges_reach_the_bound(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 5; ++round) { /* ever more flips, ever larger valences */
    uint64_t seed = round + 1;
    weft_mesh m = test_irregular_flips(300, seed, round * round * 40000);
    constraint_list l = edges_of(&m);
    weft_colouring c = colour(&l, &m, true);
    assert_valid(&l, &m, &c);
    print_message("seed %u: %u edges, %u colours, bound %u\n", (unsigned)seed, l.count,
                  c.colour_count, c.lower_bound);
    assert_int_equal(l.count, 3 * 300 * 300 - 4 * 300 + 1);
    assert_true(round == 0 ? c.lower_bound == 6 : c.lower_bound > 8);
    assert_int_equal(c.colour_count, c.lower_bound);
    assert_even(&l, &c);
    weft_colouring_free(&c);
    list_free(&l);
    test_mesh_free(&m);
  }
}

/* No theory promises this; it is what smallest-last is chosen for: within three of the bound, as
 * on grids coloured without their lattice. */
static void irregular_hinges_stay_within_three_of_the_bound(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 4; ++round) {
    weft_mesh m = test_irregular_flips(300, round + 1, round * round * 40000);
    constraint_list l = hinges_of(&m, false);
    weft_colouring c = colour(&l, &m, false);
    assert_valid(&l, &m, &c);
    print_message("%u hinges, %u colours, bound %u\n", l.count, c.colour_count, c.lower_bound);
    assert_true(c.colour_count <= c.lower_bound + 3);
    assert_even(&l, &c);
    weft_colouring_free(&c);
    list_free(&l);
    colours_needed(hinges_of(&m, true), &m, false);
    test_mesh_free(&m);
  }
}

/* Complete graphs: with an odd number of vertices Vizing's bound is met exactly (n colours), with
 * an even number n - 1 suffice; both lie within the bound and one. */
static void complete_graphs_stay_within_vizings_bound(void **state) {
  (void)state;
  for (uint32_t n = 2; n <= 90; ++n) {
    constraint_list l = {weft_alloc((size_t)n * n, 4), weft_alloc(1, 1), 2, 0};
    for (uint32_t a = 0; a < n; ++a) {
      for (uint32_t b = a + 1; b < n; ++b) {
        l.particles[2 * l.count] = a;
        l.particles[2 * l.count++ + 1] = b;
      }
    }
    weft_mesh m = {.vertex_count = n};
    uint32_t found = colours_needed(l, &m, true);
    assert_true(found <= n);
    if (n % 2 == 1 && n > 2) assert_int_equal(found, n);
  }
}

/* Koenig's theorem: bipartite graphs need no more than their largest degree. Greedy colouring of a
 * complete one is filling a Latin square line by line, and gets stuck; Kempe chains never do. */
static void bipartite_graphs_reach_the_bound(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(3);
  for (uint32_t n = 1; n <= 80; n += n < 10 ? 1 : 7) {
    constraint_list l = {weft_alloc((size_t)2 * n * n, 4), weft_alloc(1, 1), 2, n * n};
    for (uint32_t i = 0; i < n * n; ++i) { /* in random order */
      uint32_t j = weft_rng_u32(&rng) % (i + 1);
      memmove(l.particles + 2 * i, l.particles + 2 * j, 8);
      l.particles[2 * j] = i % n;
      l.particles[2 * j + 1] = n + i / n;
    }
    weft_mesh m = {.vertex_count = 2 * n};
    assert_int_equal(colours_needed(l, &m, true), n);
  }
}

/* A wheel: the hub's valence passes 64, so colours no longer fit one word of bits. */
static void hubs_of_any_valence_are_coloured(void **state) {
  (void)state;
  const uint32_t spokes[] = {63, 64, 65, 127, 128, 129, 1000};
  for (size_t i = 0; i < sizeof spokes / sizeof spokes[0]; ++i) {
    uint32_t n = spokes[i];
    weft_mesh m = {.vertex_count = n + 1};
    m.triangles = weft_alloc((size_t)3 * n, sizeof *m.triangles);
    for (uint32_t k = 0; k < n; ++k) put_triangle(&m, 0, 1 + k, 1 + (k + 1) % n);
    assert_true(colours_needed(edges_of(&m), &m, true) <= n + 1);
    /* A wheel's hinges: one about each spoke, all at the hub. */
    assert_int_equal(colours_needed(hinges_of(&m, false), &m, false), n);
    test_mesh_free(&m);
  }
}

/* The same pair several times over: Vizing's theorem does not hold, but a valid colouring exists.
 */
static void parallel_pairs_are_coloured_validly(void **state) {
  (void)state;
  weft_mesh m = {.vertex_count = 3};
  constraint_list l = {weft_alloc(60, 4), weft_alloc(1, 1), 2, 30};
  for (uint32_t i = 0; i < 30; ++i) {
    l.particles[2 * i] = i % 3;
    l.particles[2 * i + 1] = (i + 1) % 3;
  }
  /* Any two of the thirty share a particle (Shannon's extremal case). */
  assert_int_equal(colours_needed(l, &m, false), 30);
}

static void nothing_to_colour_needs_no_colour(void **state) {
  (void)state;
  weft_mesh m = {.vertex_count = 3};
  constraint_list l = {weft_alloc(1, 4), weft_alloc(1, 1), 2, 0};
  assert_int_equal(colours_needed(l, &m, true), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_diagonal_grids_reach_the_bounds),
      cmocka_unit_test(alternating_grids_reach_the_bounds),
      cmocka_unit_test(equilateral_grids_reach_the_bounds),
      cmocka_unit_test(a_false_grid_is_still_coloured_validly),
      cmocka_unit_test(irregular_edges_reach_the_bound),
      cmocka_unit_test(irregular_hinges_stay_within_three_of_the_bound),
      cmocka_unit_test(complete_graphs_stay_within_vizings_bound),
      cmocka_unit_test(bipartite_graphs_reach_the_bound),
      cmocka_unit_test(hubs_of_any_valence_are_coloured),
      cmocka_unit_test(parallel_pairs_are_coloured_validly),
      cmocka_unit_test(nothing_to_colour_needs_no_colour),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
