/* What weft arranges: the order of constraints, lines, attachments, levels and lists of the
 * passes, checked by what makes each of them right. */
#include "rest.h"
/* after cmocka */
#include "solver.h"

/* ---- helpers ---- */

static rest_case cloth(const char *name, weft_mesh mesh, weft_pin_rule rule, weft_params params) {
  const weft_pin pin = {.rule = rule};
  return rest_open(name, mesh, (weft_model_desc){.pins = &pin, .pin_count = 1}, params);
}

static weft_mesh disc_mesh(void) {
  weft_mesh mesh = {0};
  assert_int_equal(weft_mesh_disc(&(weft_disc_desc){.rings = 6}, &mesh, NULL), WEFT_OK);
  return mesh;
}

typedef void check(const rest_case *c);

static void check_cloths(weft_pin_rule rule, weft_params params, check *what) {
  static const char *const garments[] = {"diffcloth_tshirt1900.obj", "makehuman_fedora.obj"};
  weft_mesh meshes[] = {grid_mesh(9, 12, WEFT_GRID_SAME_DIAGONAL),
                        grid_mesh(17, 17, WEFT_GRID_ALTERNATING),
                        grid_mesh(8, 8, WEFT_GRID_EQUILATERAL),
                        tube_mesh(),
                        poncho_mesh(),
                        disc_mesh()};
  for (size_t k = 0; k < sizeof meshes / sizeof *meshes; ++k) {
    rest_case c = cloth("a mesh", meshes[k], rule, params);
    what(&c);
    rest_close(&c);
  }
  for (int k = 0; k < 2; ++k) {
    weft_mesh garment;
    if (!garment_mesh(garments[k], &garment)) continue;
    rest_case c = cloth(garments[k], garment, rule, params);
    what(&c);
    rest_close(&c);
  }
}

static bool is_pinned(const rest_case *c, uint32_t i) { return c->s.inverse_masses[i] == 0; }

static uint32_t total(const rest_case *c) {
  uint32_t sum = 0;
  for (uint32_t g = 0; g < c->s.group_count; ++g) sum += c->s.groups[g].count;
  return sum;
}

/* ---- the order of an iteration ---- */

/* Each constraint once, in a batch or on a line; no two of a batch touch. */
static void check_order(const rest_case *c) {
  const weft_structure *s = &c->s;
  uint32_t *base = calloc(s->group_count + 1u, sizeof *base);
  for (uint32_t g = 0; g < s->group_count; ++g) base[g + 1] = base[g] + s->groups[g].count;
  unsigned char *seen = calloc(total(c), 1);
  uint32_t *batch_of = calloc(s->particle_count, sizeof *batch_of), ordered = 0, held = 0;
  for (uint32_t b = 0; b < s->batch_count; ++b) {
    const weft_structure_batch *batch = &s->batches[b];
    const weft_structure_group *g = &s->groups[batch->group];
    assert_int_equal(batch->first, ordered);
    assert_true(batch->count > 0);
    ordered += batch->count;
    for (uint32_t k = batch->first; k < ordered; ++k) {
      assert_true(s->order[k] < g->count);
      assert_int_equal(seen[base[batch->group] + s->order[k]]++, 0);
      for (uint32_t r = 0; r < g->arity && !batch->jacobi; ++r) {
        uint32_t p = g->particles[(size_t)s->order[k] * g->arity + r];
        assert_int_not_equal(batch_of[p], b + 1);
        batch_of[p] = b + 1;
      }
    }
  }
  assert_int_equal(ordered, s->order_count);
  for (uint32_t e = 0; s->line_count && e < s->line_offsets[s->line_count]; ++e) {
    assert_int_equal(seen[base[s->line_groups[e]] + s->line_constraints[e]]++, 0);
    ++held;
  }
  assert_int_equal(ordered + held, total(c));
  free(base);
  free(seen);
  free(batch_of);
}

static void every_constraint_is_projected_once(void **state) {
  (void)state;
  const weft_params all[] = {{0},
                             {.mode = WEFT_MODE_JACOBI},
                             {.mode = WEFT_MODE_HYBRID},
                             {.schedule = WEFT_SCHEDULE_PATCHES},
                             {.line_sweeps = 1},
                             {.line_sweeps = 1, .schedule = WEFT_SCHEDULE_PATCHES}};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
    check_cloths(WEFT_PIN_CORNERS, all[k], check_order);
  }
}

/* The tail of small colours, in the order of the colours of mode gs. */
static void check_hybrid(const rest_case *c) {
  const weft_structure *s = &c->s;
  uint32_t b = 0, given = weft_solver_params(c->solver)->hybrid_min;
  for (uint32_t g = 0; g < s->group_count; ++g) {
    weft_group_info info = weft_model_group(c->model, g);
    uint32_t min_size = given ? given : info.colour_sizes[0] / 16, tail = 0, colour = 0;
    while (colour < info.colour_count && info.colour_sizes[colour] >= min_size) {
      assert_false(s->batches[b].jacobi);
      assert_int_equal(s->batches[b++].count, info.colour_sizes[colour++]);
    }
    while (colour < info.colour_count) tail += info.colour_sizes[colour++];
    if (tail == 0) continue;
    assert_true(s->batches[b].jacobi);
    assert_int_equal(s->batches[b++].count, tail);
  }
  assert_int_equal(b, s->batch_count);
}

static void hybrid_leaves_small_colours_to_jacobi(void **state) {
  (void)state;
  check_cloths(WEFT_PIN_CORNERS, (weft_params){.mode = WEFT_MODE_HYBRID}, check_hybrid);
  check_cloths(WEFT_PIN_NONE, (weft_params){.mode = WEFT_MODE_HYBRID, .hybrid_min = 30},
               check_hybrid);
}

/* ---- lines ---- */

static vec direction(const rest_case *c, uint32_t edge) {
  const uint32_t *p = c->s.line_particles + 2 * (size_t)edge;
  return unit(sub(at(c, p[1]), at(c, p[0])));
}

static void check_line(const rest_case *c, uint32_t l, uint32_t colour, uint32_t *line_of,
                       uint32_t *colour_of) {
  const weft_structure *s = &c->s;
  uint32_t first = s->line_offsets[l], end = s->line_offsets[l + 1];
  assert_true(end > first && end - first <= 1024);
  for (uint32_t e = first; e < end; ++e) {
    const uint32_t *p = s->line_particles + 2 * (size_t)e;
    const weft_structure_group *g = &s->groups[s->line_groups[e]];
    const uint32_t *q = g->particles + 2 * (size_t)s->line_constraints[e];
    assert_true((p[0] == q[0] && p[1] == q[1]) || (p[0] == q[1] && p[1] == q[0]));
    assert_int_equal(g->role, WEFT_RESISTS_STRETCH);
    if (e > first) assert_int_equal(p[0], p[-1]);
    if (e > first) assert_true(dot(direction(c, e - 1), direction(c, e)) > cos(0.56)); /* 32 deg */
    for (int k = e == first ? 0 : 1; k < 2; ++k) {
      assert_int_not_equal(line_of[p[k]], l + 1); /* no particle twice */
      assert_int_not_equal(colour_of[p[k]], colour + 1);
      line_of[p[k]] = l + 1;
    }
  }
  for (uint32_t e = 2 * first; e < 2 * end; ++e) colour_of[s->line_particles[e]] = colour + 1;
}

/* A grid without diagonals is all lines. */
static void check_lines(const rest_case *c) {
  const weft_structure *s = &c->s;
  uint32_t *line_of = calloc(s->particle_count, sizeof *line_of), threads = 0;
  uint32_t *colour_of = calloc(s->particle_count, sizeof *colour_of);
  for (uint32_t k = 0; k < s->line_colour_count; ++k) {
    for (uint32_t l = s->line_colour_first[k]; l < s->line_colour_first[k + 1]; ++l) {
      check_line(c, l, k, line_of, colour_of);
    }
  }
  assert_int_equal(s->line_colour_first[s->line_colour_count], s->line_count);
  uint32_t rows = c->mesh.grid_rows, columns = c->mesh.grid_columns;
  if (rows > 0 && c->mesh.grid_pattern != WEFT_GRID_EQUILATERAL) {
    threads = rows * (columns - 1) + columns * (rows - 1);
    assert_int_equal(s->line_offsets[s->line_count], threads);
    assert_int_equal(s->line_count, rows + columns);
    assert_int_equal(s->line_colour_count, 2);
  }
  assert_true(s->line_offsets[s->line_count] > s->groups[0].count / 2);
  free(line_of);
  free(colour_of);
}

static void lines_are_lines(void **state) {
  (void)state;
  check_cloths(WEFT_PIN_NONE, (weft_params){.line_sweeps = 1}, check_lines);
}

/* ---- lengths along the cloth ---- */

/* m from `start` to every particle along edges of the mesh (Dijkstra, without a heap). */
static double *along_edges(const rest_case *c, const rest_edges *edges, uint32_t start) {
  uint32_t n = c->s.particle_count;
  double *lengths = malloc(n * sizeof *lengths);
  for (uint32_t i = 0; i < n; ++i) lengths[i] = i == start ? 0 : INFINITY;
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (uint32_t k = 0; k < edges->count; ++k) {
      uint32_t a = edges->items[k].a, b = edges->items[k].b;
      double l = distance(at(c, a), at(c, b));
      double to_a = lengths[b] + l, to_b = lengths[a] + l;
      shorter = shorter || to_a < lengths[a] || to_b < lengths[b];
      lengths[a] = fmin(lengths[a], to_a);
      lengths[b] = fmin(lengths[b], to_b);
    }
  }
  return lengths;
}

/* Pins first, nearest first, one an island; never shorter than the straight line, nor longer than
 * the path along edges. On flat convex cloth the straight line itself. */
static void check_attachments(const rest_case *c, bool flat) {
  rest_edges edges = edges_of(c);
  const weft_structure *s = &c->s;
  double **from = calloc(s->particle_count, sizeof *from);
  unsigned long count = 0;
  for (size_t k = 0; k < 4 * (size_t)s->particle_count; ++k) {
    uint32_t i = (uint32_t)(k / 4), anchor = s->anchors[k];
    if (is_pinned(c, i)) assert_int_equal(anchor, WEFT_NO_PARTICLE);
    if (anchor == WEFT_NO_PARTICLE) continue;
    double straight = distance(at(c, i), at(c, anchor)), l = s->attachment_lengths[k];
    assert_true(is_pinned(c, anchor));
    assert_true(k % 4 == 0 || l >= s->attachment_lengths[k - 1]);
    if (!from[anchor]) from[anchor] = along_edges(c, &edges, anchor);
    assert_true(l >= straight * (1 - 1e-6) && l <= from[anchor][i] * (1 + 1e-6));
    if (flat) near(l, straight, 1e-5, "an attachment");
    ++count;
  }
  assert_true(count > 0);
  for (uint32_t i = 0; i < s->particle_count; ++i) free(from[i]);
  free(from);
  free(edges.items);
}

static void check_any_attachments(const rest_case *c) { check_attachments(c, false); }

static void attachments_are_as_long_as_the_cloth(void **state) {
  (void)state;
  check_cloths(WEFT_PIN_CORNERS, (weft_params){.lra = 4}, check_any_attachments);
  static const weft_pin_rule rules[] = {WEFT_PIN_CORNERS, WEFT_PIN_TOP, WEFT_PIN_LEFT};
  for (int pattern = 0; pattern <= WEFT_GRID_ALTERNATING; ++pattern) {
    for (int k = 0; k < 3; ++k) {
      rest_case c = cloth("flat", grid_mesh(9, 11, (weft_grid_pattern)pattern), rules[k],
                          (weft_params){.lra = 4});
      check_attachments(&c, true);
      /* Corners are two islands, a row or a column of pins is one. */
      uint32_t last = c.s.particle_count - 1;
      assert_int_equal(c.s.anchors[4 * last + 1] != WEFT_NO_PARTICLE, k == 0);
      if (k == 1) assert_int_equal(c.s.anchors[4 * last], 10);
      rest_close(&c);
    }
  }
}

/* ---- levels ---- */

/* Mean and mean square about it of the particles below a row, at rest; as if none were pinned. */
typedef struct cloud {
  vec mean;
  double spread; /* m^2 */
} cloud;

static cloud cloud_of(const rest_case *c, uint32_t row) {
  uint32_t n = c->s.particle_count;
  if (row < n) return (cloud){at(c, row), 0};
  cloud all = {{0, 0, 0}, 0};
  uint32_t first = c->s.child_offsets[row - n], end = c->s.child_offsets[row - n + 1];
  for (uint32_t k = first; k < end; ++k) {
    all.mean = along(all.mean, c->s.child_shares[k], cloud_of(c, c->s.children[k]).mean);
  }
  for (uint32_t k = first; k < end; ++k) {
    cloud part = cloud_of(c, c->s.children[k]);
    vec off = sub(part.mean, all.mean);
    all.spread += c->s.child_shares[k] * (part.spread + dot(off, off));
  }
  return all;
}

static double mass_of(const rest_case *c, uint32_t row) {
  uint32_t n = c->s.particle_count;
  double w = row < n ? c->s.inverse_masses[row] : c->s.node_inverse_masses[row - n];
  return w > 0 ? 1 / w : 0;
}

static double weight_in(const rest_case *c, uint32_t row, uint32_t node) {
  for (size_t k = 4 * (size_t)row; k < 4 * (size_t)row + 4; ++k) {
    if (c->s.parents[k] == node) return c->s.parent_weights[k];
  }
  return 0;
}

/* A free node weighs what hangs on it, m w of each, and is the mean of just that; a fixed one is
 * one pin. */
static void check_node(const rest_case *c, uint32_t node) {
  const weft_structure *s = &c->s;
  double mass = 1 / s->node_inverse_masses[node], shares = 0, below = 0;
  uint32_t first = s->child_offsets[node], end = s->child_offsets[node + 1];
  for (uint32_t k = first; k < end; ++k) {
    uint32_t row = s->children[k];
    double part = mass_of(c, row) * weight_in(c, row, node);
    shares += s->child_shares[k];
    below += part;
    if (s->node_inverse_masses[node] > 0) near(s->child_shares[k], part / mass, 3e-7, "a share");
  }
  near(shares, 1, 1e-12, "the sum of shares");
  if (s->node_inverse_masses[node] > 0) {
    near(below, mass, 3e-7, "the mass of a node");
  } else {
    assert_int_equal(end - first, 1);
    assert_true(mass_of(c, s->children[first]) == 0);
  }
}

/* The parents of a row share it out; a part that hung on pins is lost. */
static void check_rows(const rest_case *c, uint32_t first, uint32_t count, bool pins) {
  for (uint32_t row = first; row < first + count; ++row) {
    double sum = 0;
    for (size_t k = 4 * (size_t)row; k < 4 * (size_t)row + 4; ++k) {
      if (c->s.parents[k] == WEFT_NO_PARTICLE) continue;
      double w = c->s.parent_weights[k];
      assert_true(w > 0 && mass_of(c, row) > 0);
      sum += w;
    }
    assert_true(sum <= 1 + 1e-12);
    if (!pins) near(sum, 1, 1e-12, "the sum of weights");
  }
}

/* Shares of all particles in a node, [particles]. */
static double *particles_of(const rest_case *c, uint32_t node) {
  uint32_t n = c->s.particle_count;
  double *shares = calloc(n + c->s.node_count, sizeof *shares);
  shares[n + node] = 1;
  for (uint32_t k = c->s.node_count; k-- > 0;) {
    for (uint32_t e = c->s.child_offsets[k]; e < c->s.child_offsets[k + 1]; ++e) {
      shares[c->s.children[e]] += shares[n + k] * c->s.child_shares[e];
    }
  }
  return shares;
}

/* m: root of the mean square of the path along edges between the particles of two nodes. */
static double path_between(const rest_case *c, const rest_edges *edges, uint32_t a, uint32_t b) {
  double *in_a = particles_of(c, a), *in_b = particles_of(c, b), square = 0;
  for (uint32_t i = 0; i < c->s.particle_count; ++i) {
    if (in_a[i] == 0) continue;
    double *path = along_edges(c, edges, i);
    for (uint32_t j = 0; j < c->s.particle_count; ++j)
      square += in_a[i] * in_b[j] * path[j] * path[j];
    free(path);
  }
  free(in_a);
  free(in_b);
  return sqrt(square);
}

/* Cloth as it lies is not stretched: no coarse edge acts on it. Nor is an edge longer than its
 * particles are from each other, but for what laying a closed surface flat adds. */
static void check_edge(const rest_case *c, const rest_edges *edges, uint32_t e, bool both) {
  uint32_t n = c->s.particle_count, a = c->s.level_edges[2 * e], b = c->s.level_edges[2 * e + 1];
  double separation = distance(cloud_of(c, n + a).mean, cloud_of(c, n + b).mean);
  double l = c->s.level_lengths[e];
  if (!(l >= separation * (1 - 2e-6)))
    fail_msg("coarse edge %u: %.9g m, %.9g m at rest", e, l, separation);
  if (!both) return;
  double max = 1.1 * path_between(c, edges, a, b);
  if (!(l <= max)) fail_msg("coarse edge %u: %.9g m, at most %.9g m", e, l, max);
}

/* No two of a colour move the same node. */
static void check_colour(const rest_case *c, const weft_structure_level *level, uint32_t colour) {
  uint32_t *used = calloc(c->s.node_count, sizeof *used);
  for (uint32_t k = level->colour_first[colour]; k < level->colour_first[colour + 1]; ++k) {
    for (uint32_t end = 0; end < 2; ++end) {
      uint32_t node = c->s.level_edges[2 * (level->edge_first + k) + end];
      assert_true(node - level->node_first < level->node_count);
      if (c->s.node_inverse_masses[node] > 0) assert_int_equal(used[node]++, 0);
    }
  }
  free(used);
}

static void check_level(const rest_case *c, const weft_structure_level *level) {
  rest_edges edges = edges_of(c);
  bool small = c->s.particle_count < 300;
  for (uint32_t k = 0; k < level->node_count; ++k) check_node(c, level->node_first + k);
  for (uint32_t colour = 0; colour < level->colour_count; ++colour) check_colour(c, level, colour);
  assert_int_equal(level->colour_first[level->colour_count], level->edge_count);
  for (uint32_t k = 0; k < level->edge_count; ++k) {
    check_edge(c, &edges, level->edge_first + k, small && k % 7 == 0);
  }
  free(edges.items);
}

static void check_levels(const rest_case *c) {
  const weft_structure *s = &c->s;
  uint32_t first = 0, count = s->particle_count, nodes = 0, edges = 0;
  bool rectangles = c->mesh.grid_rows > 0 && c->mesh.grid_pattern != WEFT_GRID_EQUILATERAL;
  assert_int_equal(s->level_count > 0, rectangles);
  for (uint32_t l = 0; l < s->level_count; ++l) {
    const weft_structure_level *level = &s->levels[l];
    assert_int_equal(level->node_first, nodes);
    assert_int_equal(level->edge_first, edges);
    assert_true(level->node_count < count);
    check_rows(c, first, count, weft_model_pinned_count(c->model) > 0);
    check_level(c, level);
    first = s->particle_count + nodes;
    count = level->node_count;
    nodes += count;
    edges += level->edge_count;
  }
  assert_int_equal(nodes, s->node_count);
}

static void levels_are_means(void **state) {
  (void)state;
  check_cloths(WEFT_PIN_CORNERS, (weft_params){.multilevel = WEFT_ALL_LEVELS}, check_levels);
  check_cloths(WEFT_PIN_NONE, (weft_params){.multilevel = 2}, check_levels);
}

/* On flat grids lengths are the distances of means; about a single pin particles can gather on one
 * side, by the root of their mean square. A row of pins leaves no side. (2^n + 1 rows and columns:
 * every second one stays, to the end.) */
static void coarse_edges_of_a_grid_have_its_lengths(void **state) {
  (void)state;
  static const weft_pin_rule rules[] = {WEFT_PIN_NONE, WEFT_PIN_CORNERS, WEFT_PIN_TOP};
  for (int k = 0; k < 3; ++k) {
    rest_case c = cloth("levels of a grid", grid_mesh(17, 33, WEFT_GRID_SAME_DIAGONAL), rules[k],
                        (weft_params){.multilevel = WEFT_ALL_LEVELS});
    uint32_t n = c.s.particle_count, pinned = 0, edges = 0;
    for (uint32_t l = 0; l < c.s.level_count; ++l) edges += c.s.levels[l].edge_count;
    for (uint32_t e = 0; e < edges; ++e) {
      uint32_t a = c.s.level_edges[2 * e], b = c.s.level_edges[2 * e + 1];
      cloud p = cloud_of(&c, n + a), q = cloud_of(&c, n + b);
      double flat = distance(p.mean, q.mean), expected = flat;
      bool held = c.s.node_inverse_masses[a] == 0 || c.s.node_inverse_masses[b] == 0;
      if (held && rules[k] == WEFT_PIN_CORNERS) {
        expected = sqrt(flat * flat + p.spread + q.spread); /* that of a pin is 0 */
      }
      near(c.s.level_lengths[e], expected, 1e-6, "a coarse edge");
      pinned += held;
    }
    assert_true((pinned > 0) == (k > 0));
    rest_close(&c);
  }
}

/* ---- folding: maps that bring no two points farther from each other ---- */

typedef vec folding(vec p, vec about);
static vec onto_a_line(vec p, vec about) { return (vec){0, distance(p, about), 0}; }
static vec over_an_edge(vec p, vec about) { return (vec){fabs(p.x - about.x), p.y, p.z}; }
static vec over_a_diagonal(vec p, vec about) {
  vec n = unit((vec){1, 1, 1});
  double height = dot(sub(p, about), n);
  return along(p, fabs(height) - height, n);
}

static vec folded_mean(const rest_case *c, uint32_t row, folding *fold, vec about) {
  uint32_t n = c->s.particle_count;
  vec mean = {0, 0, 0};
  if (row < n) return fold(at(c, row), about);
  for (uint32_t k = c->s.child_offsets[row - n]; k < c->s.child_offsets[row - n + 1]; ++k) {
    vec part = folded_mean(c, c->s.children[k], fold, about);
    mean = along(mean, c->s.child_shares[k], part);
  }
  return mean;
}

/* By how much the coarse edge of flat cloth that it stretches most is stretched. */
static double strain_of(const rest_case *c, folding *fold, vec about) {
  uint32_t n = c->s.particle_count, edges = 0;
  double max = 0;
  for (uint32_t l = 0; l < c->s.level_count; ++l) edges += c->s.levels[l].edge_count;
  for (uint32_t e = 0; e < edges; ++e) {
    uint32_t a = c->s.level_edges[2 * e], b = c->s.level_edges[2 * e + 1];
    double separation =
        distance(folded_mean(c, n + a, fold, about), folded_mean(c, n + b, fold, about));
    max = fmax(max, separation / c->s.level_lengths[e] - 1);
  }
  return max;
}

/* About a corner that is pinned, or without pins over any particle. Where the last interval of a
 * grid is a short one, two means are not alike, and folds part them by a little. */
static double fold_grid(uint32_t rows, uint32_t columns, bool pinned) {
  uint32_t corner = columns - 1;
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = &corner, .list_count = 1};
  rest_case c = rest_open("folded", grid_mesh(rows, columns, WEFT_GRID_ALTERNATING),
                          (weft_model_desc){.pins = &pin, .pin_count = pinned},
                          (weft_params){.multilevel = WEFT_ALL_LEVELS});
  double max = strain_of(&c, onto_a_line, at(&c, corner));
  for (uint32_t i = 3; i < c.s.particle_count && !pinned; i += 29) {
    max = fmax(max, strain_of(&c, over_an_edge, at(&c, i)));
    max = fmax(max, strain_of(&c, over_a_diagonal, at(&c, i)));
    max = fmax(max, strain_of(&c, onto_a_line, at(&c, i)));
  }
  print_message("%u x %u, %s: %.2g\n", rows, columns, pinned ? "pinned" : "free", max);
  rest_close(&c);
  return max;
}

static void folds_stretch_no_coarse_edge(void **state) {
  (void)state;
  static const uint32_t sizes[][2] = {{9, 9}, {17, 33}, {16, 16}, {17, 21}, {20, 20}, {23, 12}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    for (int pinned = 0; pinned < 2; ++pinned) {
      double max = fold_grid(sizes[k][0], sizes[k][1], pinned);
      assert_true(max < (k < 2 ? 2e-6 : 0.011));
    }
  }
}

/* The slack that levels have when none is given: the strain of the cloth in its own weight, of a
 * grid by its softer threads, rho g L/C. */
static void own_slack_is_the_strain_of_its_weight(void **state) {
  (void)state;
  weft_material denim = *weft_material_find("denim");
  rest_case c = rest_open("slack", grid_mesh(17, 17, WEFT_GRID_SAME_DIAGONAL),
                          (weft_model_desc){.material = &denim}, (weft_params){.multilevel = 3});
  double extent = 0.04 * 16, width = 0.03 * 16;
  double weight = (double)denim.area_density * extent * width * (double)9.81f;
  /* C times the area of the cloth for C times its width. */
  double strength = (double)denim.stretch_warp * extent * width;
  near(c.s.multilevel_slack, weight * extent / strength, 1e-5, "the slack of levels");
  rest_close(&c);
}

/* ---- the lists that passes gather by ---- */

static uint32_t *read_words(const rest_case *c, weft_buffer_id id, uint64_t *count) {
  *count = weft_solver_buffer_count(c->solver, id);
  uint32_t *words = calloc(*count + 1, sizeof *words);
  weft_solver_read_buffer(c->solver, id, 0, *count, words);
  return words;
}

/* The triangles at each particle, ascending, each once. */
static void check_corners(const rest_case *c) {
  uint64_t rows, count;
  uint32_t *offsets = read_words(c, WEFT_BUFFER_CORNER_OFFSETS, &rows);
  uint32_t *items = read_words(c, WEFT_BUFFER_CORNER_ITEMS, &count);
  assert_int_equal(rows, c->s.particle_count + 1);
  assert_int_equal(count, 3 * c->s.triangle_count);
  for (uint32_t i = 0; i < c->s.particle_count; ++i) {
    for (uint32_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      const uint32_t *t = c->mesh.triangles + 3 * (size_t)items[k];
      assert_true(t[0] == i || t[1] == i || t[2] == i);
      assert_true(k == offsets[i] || items[k] > items[k - 1]);
    }
  }
  assert_int_equal(offsets[c->s.particle_count], count);
  free(offsets);
  free(items);
}

/* For each group the slots of each particle's roles, ascending, each once. */
static void check_gather(const rest_case *c) {
  uint64_t rows, count;
  uint32_t *offsets = read_words(c, WEFT_BUFFER_GATHER_OFFSETS, &rows), n = c->s.particle_count;
  uint32_t *slots = read_words(c, WEFT_BUFFER_GATHER_SLOTS, &count), expected = 0;
  assert_int_equal(rows, c->s.group_count * (n + 1));
  for (uint32_t g = 0; g < c->s.group_count; ++g) {
    const weft_structure_group *group = &c->s.groups[g];
    const uint32_t *of = offsets + (size_t)g * (n + 1);
    assert_int_equal(of[0], expected);
    for (uint32_t i = 0; i < n; ++i) {
      for (uint32_t k = of[i]; k < of[i + 1]; ++k) {
        assert_int_equal(group->particles[slots[k]], i); /* all of a group is its tail */
        assert_true(k == of[i] || slots[k] > slots[k - 1]);
      }
    }
    expected += group->count * group->arity;
    assert_int_equal(of[n], expected);
  }
  assert_int_equal(count, expected);
  free(offsets);
  free(slots);
}

static void passes_gather_what_belongs_to_a_particle(void **state) {
  (void)state;
  check_cloths(WEFT_PIN_NONE, (weft_params){.air_density = 1}, check_corners);
  check_cloths(WEFT_PIN_NONE, (weft_params){.mode = WEFT_MODE_JACOBI}, check_gather);
}

/* ---- refusals ---- */

static void joined_models_are_refused(void **state) {
  (void)state;
  rest_case c =
      cloth("part", grid_mesh(4, 4, WEFT_GRID_SAME_DIAGONAL), WEFT_PIN_CORNERS, (weft_params){0});
  weft_model *joined = NULL;
  weft_solver *solver = NULL;
  weft_structure s;
  weft_error err = {0};
  const weft_model *parts[2] = {c.model, c.model};
  assert_int_equal(weft_model_join(parts, 2, &joined, NULL), WEFT_OK);
  assert_int_equal(weft_solver_create(joined, &(weft_params){0}, weft_backend_ref(), &solver, NULL),
                   WEFT_OK);
  assert_int_equal(weft_solver_structure(solver, &s, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "joined"));
  weft_structure_free(&s); /* left empty */
  weft_solver_destroy(solver);
  weft_model_destroy(joined);
  rest_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_constraint_is_projected_once),
      cmocka_unit_test(hybrid_leaves_small_colours_to_jacobi),
      cmocka_unit_test(lines_are_lines),
      cmocka_unit_test(attachments_are_as_long_as_the_cloth),
      cmocka_unit_test(levels_are_means),
      cmocka_unit_test(coarse_edges_of_a_grid_have_its_lengths),
      cmocka_unit_test(folds_stretch_no_coarse_edge),
      cmocka_unit_test(own_slack_is_the_strain_of_its_weight),
      cmocka_unit_test(passes_gather_what_belongs_to_a_particle),
      cmocka_unit_test(joined_models_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
