/* What weft measures on the rest pose and makes of the fabric, found anew from mesh and material:
 * by angles instead of products, by Heron's formula, by the energy that a cloth of known stiffness
 * has when it is stretched, sheared and bent. */
#include "rest.h"

static const double single = 3e-7; /* relative: a float, and positions that are floats */

/* ---- the cloths that are looked at ---- */

typedef void check(const rest_case *c);

static void check_mesh(const char *name, weft_mesh mesh, check *what) {
  for (int bending = 0; bending <= WEFT_BENDING_MIXED; ++bending) {
    weft_mesh copy = mesh;
    copy.map = (weft_mesh_map){0}; /* which stays that of the original */
    copy.positions = malloc(mesh.vertex_count * sizeof *mesh.positions);
    copy.triangles = malloc(3 * (size_t)mesh.triangle_count * sizeof *mesh.triangles);
    memcpy(copy.positions, mesh.positions, mesh.vertex_count * sizeof *mesh.positions);
    memcpy(copy.triangles, mesh.triangles,
           3 * (size_t)mesh.triangle_count * sizeof *mesh.triangles);
    weft_material fabric = *weft_material_find("denim"); /* C11 and C22 very different */
    fabric.damping_time = 0.02f;
    const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
    rest_case c = rest_open(
        name, copy,
        (weft_model_desc){
            .material = &fabric, .bending = (weft_bending)bending, .pins = &pin, .pin_count = 1},
        (weft_params){0});
    what(&c);
    c.mesh = (weft_mesh){0}; /* whose arrays are this test's */
    rest_close(&c);
    free(copy.positions);
    free(copy.triangles);
  }
  weft_mesh_free(&mesh);
}

static weft_mesh folded_mesh(void) {
  weft_mesh mesh = grid_mesh(7, 9, WEFT_GRID_SAME_DIAGONAL);
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    if (i % 9 % 4 >= 2) mesh.positions[i].z += 0.02f;
  }
  return mesh;
}

static void check_cloths(check *what) {
  check_mesh("same diagonal", grid_mesh(6, 8, WEFT_GRID_SAME_DIAGONAL), what);
  check_mesh("alternating", grid_mesh(8, 7, WEFT_GRID_ALTERNATING), what);
  check_mesh("equilateral", grid_mesh(6, 6, WEFT_GRID_EQUILATERAL), what);
  check_mesh("folded", folded_mesh(), what);
  check_mesh("tube", tube_mesh(), what);
  check_mesh("poncho", poncho_mesh(), what);
  weft_mesh garment;
  if (garment_mesh("diffcloth_tshirt1900.obj", &garment)) check_mesh("tshirt", garment, what);
}

static bool is_pinned(const rest_case *c, uint32_t i) { return c->s.inverse_masses[i] == 0; }

/* ---- masses ---- */

static void check_masses(const rest_case *c) {
  double *areas = calloc(c->s.particle_count, sizeof *areas);
  uint32_t pins = 0;
  for (size_t t = 0; t < c->mesh.triangle_count; ++t) {
    const uint32_t *corners = c->mesh.triangles + 3 * t;
    for (int k = 0; k < 3; ++k) areas[corners[k]] += area_of(c, corners) / 3;
    assert_memory_equal(corners, c->s.triangles + 3 * t, 3 * sizeof *corners);
  }
  for (uint32_t i = 0; i < c->s.particle_count; ++i) {
    pins += is_pinned(c, i);
    double mass = (double)c->fabric.area_density * areas[i];
    if (!is_pinned(c, i)) near(1 / c->s.inverse_masses[i], mass, 4 * single, "a mass");
  }
  assert_int_equal(pins, 2);
  free(areas);
}

static void masses_are_area_times_density(void **state) {
  (void)state;
  check_cloths(check_masses);
}

/* ---- lengths ---- */

/* Along the columns' direction, along the rows', or neither. */
static int thread_of(const rest_case *c, uint32_t p, uint32_t q) {
  uint32_t columns = c->mesh.grid_columns;
  if (columns == 0 || c->mesh.grid_pattern == WEFT_GRID_EQUILATERAL) return -1;
  if (p / columns == q / columns) return 0;
  return p % columns == q % columns ? 1 : 2;
}

static void check_distances(const rest_case *c, const weft_structure_group *g) {
  for (uint32_t i = 0; i < g->count; ++i) {
    const uint32_t *p = g->particles + 2 * (size_t)i;
    near(g->rest[i], distance(at(c, p[0]), at(c, p[1])), single, "a rest length");
    if (g->compliance[i] > 0) {
      near(g->damping[i] * g->compliance[i], (double)c->fabric.damping_time, single,
           "damping times compliance");
    }
  }
}

/* Every edge once; the other diagonal of every quad once; nothing else. */
static void check_lengths(const rest_case *c) {
  rest_edges edges = edges_of(c);
  uint32_t quads = 0, *seen = calloc(edges.count, sizeof *seen);
  const weft_structure_group *stretch = group_of(c, WEFT_RESISTS_STRETCH, WEFT_KIND_DISTANCE);
  const weft_structure_group *shear = group_of(c, WEFT_RESISTS_SHEAR, WEFT_KIND_DISTANCE);
  assert_int_equal(stretch->count, edges.count);
  for (uint32_t i = 0; i < stretch->count; ++i) {
    const rest_edge *e =
        find_edge(&edges, stretch->particles[2 * i], stretch->particles[2 * i + 1]);
    assert_non_null(e);
    assert_int_equal(seen[e - edges.items]++, 0);
  }
  check_distances(c, stretch);
  for (uint32_t k = 0; k < edges.count; ++k) {
    const rest_edge *e = &edges.items[k];
    if (thread_of(c, e->a, e->b) != 2 || e->triangles != 2) continue;
    ++quads;
    bool found = false;
    for (uint32_t i = 0; i < shear->count; ++i) {
      const uint32_t *p = shear->particles + 2 * (size_t)i;
      found = found || (p[0] == e->opposite[0] && p[1] == e->opposite[1]) ||
              (p[0] == e->opposite[1] && p[1] == e->opposite[0]);
    }
    assert_true(found);
  }
  assert_int_equal(shear ? shear->count : 0, quads);
  if (shear) check_distances(c, shear);
  free(edges.items);
  free(seen);
}

static void lengths_are_those_of_the_mesh(void **state) {
  (void)state;
  check_cloths(check_lengths);
}

/* ---- stiffness: energies of a cloth that is deformed evenly ---- */

typedef vec deformation(vec p, double size);
static vec pull_x(vec p, double e) { return (vec){p.x * (1 + e), p.y, p.z}; }
static vec pull_y(vec p, double e) { return (vec){p.x, p.y * (1 + e), p.z}; }
static vec shear_xy(vec p, double e) { return (vec){p.x + e * p.y / 2, p.y + e * p.x / 2, p.z}; }
/* Of a sheet with Poisson's ratio 1/3 under a pull along x. */
static vec pull_free(vec p, double e) { return (vec){p.x * (1 + e), p.y * (1 - e / 3), p.z}; }

/* J, of the distances whose thread is in `threads` (bits). */
static double energy_of(const rest_case *c, unsigned threads, deformation *deform, double size) {
  double sum = 0;
  for (uint32_t g = 0; g < c->s.group_count; ++g) {
    const weft_structure_group *group = &c->s.groups[g];
    if (group->kind != WEFT_KIND_DISTANCE || group->role == WEFT_RESISTS_BENDING) continue;
    for (uint32_t i = 0; i < group->count; ++i) {
      uint32_t p = group->particles[2 * i], q = group->particles[2 * i + 1];
      if (!(threads >> (thread_of(c, p, q) + 1) & 1)) continue;
      vec a = at(c, p), b = at(c, q);
      double change = distance(deform(a, size), deform(b, size)) - distance(a, b);
      sum += change * change / (2 * group->compliance[i]);
    }
  }
  return sum;
}

static void check_stretch(weft_grid_pattern pattern, bool no_shear) {
  const double e = 1e-4;
  const weft_material *fabric = weft_material_find("denim");
  rest_case c =
      rest_open("grid", grid_mesh(7, 9, pattern),
                (weft_model_desc){.material = fabric, .no_shear = no_shear}, (weft_params){0});
  double area = 0;
  for (size_t t = 0; t < c.mesh.triangle_count; ++t) area += area_of(&c, c.mesh.triangles + 3 * t);
  double unit_energy = e * e * area / 2, c11 = (double)fabric->stretch_warp;
  double c22 = (double)fabric->stretch_weft, mean = (c11 + c22) / 2;
  if (pattern == WEFT_GRID_EQUILATERAL) {
    near(energy_of(&c, 1u, pull_free, e), mean * unit_energy, 3e-4, "the energy of a pull");
  } else {
    near(energy_of(&c, 2u, pull_x, e), c11 * unit_energy, 3e-4, "the energy of the warp");
    near(energy_of(&c, 4u, pull_y, e), c22 * unit_energy, 3e-4, "the energy of the weft");
    near(energy_of(&c, 8u, shear_xy, e), (double)fabric->shear * unit_energy, 3e-4,
         "the energy of shear");
  }
  rest_close(&c);
}

static void stretch_and_shear_have_the_energy_of_the_fabric(void **state) {
  (void)state;
  check_stretch(WEFT_GRID_SAME_DIAGONAL, false);
  check_stretch(WEFT_GRID_SAME_DIAGONAL, true);
  check_stretch(WEFT_GRID_ALTERNATING, false);
  check_stretch(WEFT_GRID_EQUILATERAL, false);
}

/* Edge by edge on any mesh: l^2/(C A), A the area beside the edge (Van Gelder 1998). */
static void check_compliance(const rest_case *c) {
  rest_edges edges = edges_of(c);
  const weft_structure_group *g = group_of(c, WEFT_RESISTS_STRETCH, WEFT_KIND_DISTANCE);
  double mean = ((double)c->fabric.stretch_warp + (double)c->fabric.stretch_weft) / 2;
  const double stiffness[] = {mean, (double)c->fabric.stretch_warp, (double)c->fabric.stretch_weft};
  for (uint32_t i = 0; i < g->count; ++i) {
    uint32_t p = g->particles[2 * i], q = g->particles[2 * i + 1];
    const rest_edge *e = find_edge(&edges, p, q);
    int thread = thread_of(c, p, q);
    double l = distance(at(c, p), at(c, q));
    if (thread == 2 || e->area < 1e-5 * l * l) continue; /* slivers are no strips */
    near(g->compliance[i], l * l / (stiffness[thread + 1] * e->area), 1e-5, "a compliance");
  }
  free(edges.items);
}

static void an_edge_is_as_stiff_as_the_strip_along_it(void **state) {
  (void)state;
  check_cloths(check_compliance);
}

/* ---- bending ---- */

static double angle_at(vec corner, vec p, vec q) {
  vec u = unit(sub(p, corner)), v = unit(sub(q, corner));
  return acos(clamp(dot(u, v), -1, 1));
}

static double cot(double angle) { return 1 / tan(angle); }

/* Triangle x2 lies on the left of the edge from x0 to x1, seen from where its normal points. The
 * hinge is bent upwards (above 0) where x3 is below that triangle. */
static double hinge_angle(vec x0, vec x1, vec x2, vec x3) {
  vec n = cross(sub(x1, x0), sub(x2, x0)), m = cross(sub(x0, x1), sub(x3, x1));
  double angle = acos(clamp(dot(unit(n), unit(m)), -1, 1));
  return dot(sub(x3, x0), n) < 0 ? angle : -angle;
}

/* The edge between the two triangles of a hinge. */
static rest_edge *check_hinge(const rest_case *c, const rest_edges *edges, const uint32_t edge[2],
                              const uint32_t opposite[2], uint32_t *seen) {
  rest_edge *e = find_edge(edges, edge[0], edge[1]);
  assert_non_null(e);
  assert_int_equal(seen[e - edges->items]++, 0);
  assert_int_equal(e->triangles, 2);
  assert_true((e->opposite[0] == opposite[0] && e->opposite[1] == opposite[1]) ||
              (e->opposite[0] == opposite[1] && e->opposite[1] == opposite[0]));
  (void)c;
  return e;
}

static void check_isometric(const rest_case *c, const rest_edges *edges, uint32_t *seen) {
  const weft_structure_group *g = group_of(c, WEFT_RESISTS_BENDING, WEFT_KIND_ISOMETRIC);
  for (uint32_t i = 0; g && i < g->count; ++i) {
    const uint32_t *p = g->particles + 4 * (size_t)i;
    const double *k = g->weights + 4 * (size_t)i;
    const rest_edge *e = check_hinge(c, edges, p, p + 2, seen);
    vec x0 = at(c, p[0]), x1 = at(c, p[1]), x2 = at(c, p[2]), x3 = at(c, p[3]);
    double at_0 = cot(angle_at(x0, x1, x2)) + cot(angle_at(x0, x1, x3));
    double at_1 = cot(angle_at(x1, x0, x2)) + cot(angle_at(x1, x0, x3));
    double first = cot(angle_at(x0, x1, x2)) + cot(angle_at(x1, x0, x2));
    double second = cot(angle_at(x0, x1, x3)) + cot(angle_at(x1, x0, x3));
    const double expected[4] = {at_1, at_0, -first, -second};
    double largest = 0;
    for (int j = 0; j < 4; ++j) largest = fmax(largest, fabs(expected[j]));
    for (int j = 0; j < 4; ++j) assert_true(fabs(k[j] - expected[j]) < 1e-6 * largest * largest);
    assert_true(k[0] + k[1] + k[2] + k[3] == 0);
    near(g->compliance[i], e->area / (double)c->fabric.bending, 1e-5, "an isometric compliance");
  }
}

static void check_dihedral(const rest_case *c, const rest_edges *edges, uint32_t *seen) {
  const weft_structure_group *g = group_of(c, WEFT_RESISTS_BENDING, WEFT_KIND_DIHEDRAL);
  for (uint32_t i = 0; g && i < g->count; ++i) {
    const uint32_t *p = g->particles + 4 * (size_t)i;
    const rest_edge *e = check_hinge(c, edges, p + 2, p, seen);
    assert_int_equal(p[0], e->opposite[0]);
    assert_int_equal(p[2], e->forward ? e->a : e->b); /* as the triangle of x0 runs */
    double angle = hinge_angle(at(c, p[2]), at(c, p[3]), at(c, p[0]), at(c, p[1]));
    double l = distance(at(c, p[2]), at(c, p[3]));
    assert_true(fabs(remainder(g->rest[i] - angle, 2 * acos(-1.0))) < 3e-5);
    near(g->compliance[i], e->area / ((double)c->fabric.bending * l * l), 1e-5,
         "a dihedral compliance");
  }
}

/* Every inner edge has one hinge: where isometric and dihedral ones are mixed, those that are bent
 * by at most 20 degrees have an isometric one. */
static void check_bending(const rest_case *c) {
  rest_edges edges = edges_of(c);
  uint32_t *flat = calloc(edges.count, sizeof *flat), *folded = calloc(edges.count, sizeof *folded);
  uint32_t inner = 0, hinges = 0;
  check_isometric(c, &edges, flat);
  check_dihedral(c, &edges, folded);
  const weft_structure_group *across = group_of(c, WEFT_RESISTS_BENDING, WEFT_KIND_DISTANCE);
  bool mixed = group_of(c, WEFT_RESISTS_BENDING, WEFT_KIND_ISOMETRIC) &&
               group_of(c, WEFT_RESISTS_BENDING, WEFT_KIND_DIHEDRAL);
  for (uint32_t k = 0; k < edges.count; ++k) {
    const rest_edge *e = &edges.items[k];
    inner += e->triangles == 2;
    hinges += flat[k] + folded[k];
    if (!mixed || e->triangles != 2) continue;
    double angle =
        hinge_angle(at(c, e->a), at(c, e->b), at(c, e->opposite[0]), at(c, e->opposite[1]));
    if (fabs(fabs(angle) - 0.349066) > 1e-4 && flat[k] + folded[k] == 1) {
      assert_int_equal(folded[k], fabs(angle) > 0.349066);
    }
  }
  if (across) {
    assert_int_equal(hinges, 0);
    check_distances(c, across);
    hinges = across->count;
  }
  assert_true(hinges == 0 || hinges > 0.97 * inner); /* hinges at slivers do not bend */
  free(edges.items);
  free(flat);
  free(folded);
}

static void hinges_have_the_angles_of_the_mesh(void **state) {
  (void)state;
  check_cloths(check_bending);
}

/* Rolled onto a cylinder of a large radius about the y axis. */
static vec rolled(vec p, double radius) {
  return (vec){radius * sin(p.x / radius), p.y, radius * (1 - cos(p.x / radius))};
}

static double bend_energy(const rest_case *c, const weft_structure_group *g, uint32_t i,
                          double radius) {
  const uint32_t *p = g->particles + 4 * (size_t)i;
  vec x[4], sum = {0, 0, 0};
  for (int k = 0; k < 4; ++k) x[k] = rolled(at(c, p[k]), radius);
  if (g->kind == WEFT_KIND_DIHEDRAL) {
    double angle = hinge_angle(x[2], x[3], x[0], x[1]) - g->rest[i];
    return angle * angle / (2 * g->compliance[i]);
  }
  for (int k = 0; k < 4; ++k) sum = along(sum, g->weights[4 * i + (uint32_t)k], x[k]);
  return dot(sum, sum) / (2 * g->compliance[i]);
}

/* Inside, where each triangle has its three hinges, half of each its own: B/2 kappa^2 times the
 * area. */
static void check_rigidity(weft_grid_pattern pattern, weft_bending bending) {
  const double radius = 20;
  rest_case c = rest_open("rolled", grid_mesh(9, 9, pattern), (weft_model_desc){.bending = bending},
                          (weft_params){0});
  const weft_structure_group *g =
      group_of(&c, WEFT_RESISTS_BENDING,
               bending == WEFT_BENDING_DIHEDRAL ? WEFT_KIND_DIHEDRAL : WEFT_KIND_ISOMETRIC);
  for (size_t t = 0; t < c.mesh.triangle_count; ++t) {
    const uint32_t *corners = c.mesh.triangles + 3 * t;
    double energy = 0;
    int sides = 0;
    for (uint32_t i = 0; i < g->count; ++i) {
      const uint32_t *p = g->particles + 4 * (size_t)i;
      const uint32_t *edge = bending == WEFT_BENDING_DIHEDRAL ? p + 2 : p;
      int shared = 0;
      for (int k = 0; k < 3; ++k) shared += corners[k] == edge[0] || corners[k] == edge[1];
      if (shared == 2) energy += bend_energy(&c, g, i, radius) / 2;
      sides += shared == 2;
    }
    double expected = (double)c.fabric.bending / (2 * radius * radius);
    expected *= area_of(&c, corners);
    if (sides == 3) near(energy, expected, 1e-3, "the energy of a bent triangle");
  }
  rest_close(&c);
}

static void bending_has_the_energy_of_the_fabric(void **state) {
  (void)state;
  for (int pattern = 0; pattern <= WEFT_GRID_EQUILATERAL; ++pattern) {
    check_rigidity((weft_grid_pattern)pattern, WEFT_BENDING_ISOMETRIC);
    check_rigidity((weft_grid_pattern)pattern, WEFT_BENDING_DIHEDRAL);
  }
}

/* A spring across the edge stores at a bend of 45 degrees what a hinge would. */
static void springs_across_store_what_a_hinge_does(void **state) {
  (void)state;
  const double bend = acos(-1.0) / 4;
  rest_case c = rest_open("across", grid_mesh(5, 6, WEFT_GRID_EQUILATERAL),
                          (weft_model_desc){.bending = WEFT_BENDING_ACROSS}, (weft_params){0});
  rest_edges edges = edges_of(&c);
  const weft_structure_group *g = group_of(&c, WEFT_RESISTS_BENDING, WEFT_KIND_DISTANCE);
  for (uint32_t i = 0; i < g->count; ++i) {
    for (uint32_t k = 0; k < edges.count; ++k) {
      const rest_edge *e = &edges.items[k];
      const uint32_t *p = g->particles + 2 * (size_t)i;
      bool own = e->triangles == 2 && ((p[0] == e->opposite[0] && p[1] == e->opposite[1]) ||
                                       (p[0] == e->opposite[1] && p[1] == e->opposite[0]));
      if (!own) continue;
      double l = distance(at(&c, e->a), at(&c, e->b)), height = l * sqrt(0.75);
      double change = 2 * height * (1 - cos(bend / 2)); /* of the distance across */
      double hinge = (double)c.fabric.bending * l * l * bend * bend / (2 * e->area);
      near(change * change / (2 * g->compliance[i]), hinge, 1e-5, "the energy of a spring across");
    }
  }
  free(edges.items);
  rest_close(&c);
}

/* ---- particles with links and hinges: as they were given ---- */

static void check_links(const weft_particles_desc *d, const weft_structure *s) {
  for (uint32_t k = 0; k < d->link_count; ++k) {
    const weft_link *l = &d->links[k];
    int found = 0;
    for (uint32_t g = 0; g < s->group_count; ++g) {
      const weft_structure_group *group = &s->groups[g];
      bool bending = group->role == WEFT_RESISTS_BENDING;
      if (group->kind != WEFT_KIND_DISTANCE || group->sense != l->sense) continue;
      for (uint32_t i = 0; i < group->count; ++i) {
        found += bending == l->bending && group->particles[2 * i] == l->a &&
                 group->particles[2 * i + 1] == l->b && group->rest[i] == (double)l->rest_length &&
                 group->compliance[i] == (double)l->compliance &&
                 group->damping[i] == (double)l->damping;
      }
    }
    assert_int_equal(found, 1);
  }
}

static void links_and_hinges_are_as_given(void **state) {
  (void)state;
  const weft_vec3 x[6] = {{0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 1, 1}};
  const float masses[6] = {0, 1, 2, 3, 4, 5};
  weft_link links[9];
  for (uint32_t k = 0; k < 9; ++k) {
    links[k] = (weft_link){.a = k % 6,
                           .b = (k + 1 + k / 6) % 6,
                           .rest_length = 1 + 0.1f * (float)k,
                           .compliance = 1e-3f * (float)(k + 1),
                           .damping = 0.1f * (float)k,
                           .sense = (weft_sense)(k % 3),
                           .bending = k % 2};
  }
  const weft_hinge hinge = {
      .particles = {3, 0, 5, 2}, .rest_angle = -0.4f, .compliance = 0.1f, .damping = 0.2f};
  const weft_particles_desc d = {.particle_count = 6,
                                 .positions = x,
                                 .masses = masses,
                                 .links = links,
                                 .link_count = 9,
                                 .hinges = &hinge,
                                 .hinge_count = 1};
  weft_model *model = NULL;
  weft_solver *solver = NULL;
  weft_structure s;
  assert_int_equal(weft_model_create_particles(&d, &model, NULL), WEFT_OK);
  assert_int_equal(weft_solver_create(model, &(weft_params){0}, weft_backend_f64(), &solver, NULL),
                   WEFT_OK);
  assert_int_equal(weft_solver_structure(solver, &s, NULL), WEFT_OK);
  check_links(&d, &s);
  assert_int_equal(s.order_count, 10);
  const weft_structure_group *last = &s.groups[s.group_count - 1];
  assert_int_equal(last->kind, WEFT_KIND_DIHEDRAL);
  assert_memory_equal(last->particles, hinge.particles, sizeof hinge.particles);
  assert_true(last->rest[0] == (double)hinge.rest_angle &&
              last->compliance[0] == (double)hinge.compliance &&
              last->damping[0] == (double)hinge.damping);
  for (uint32_t i = 0; i < 6; ++i) {
    if (i == 0) assert_true(s.inverse_masses[0] == 0);
    if (i > 0) near(s.inverse_masses[i], 1 / (double)masses[i], single, "an inverse mass");
  }
  weft_structure_free(&s);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- what a frame gets from outside ---- */

static const weft_collider_key path[] = {
    {.time = 0.1f, .a = {0, 1, 0}, .b = {1, 1, 0}, .rotation = {0, 0.5f, 0}},
    {.time = 0.3f, .a = {2, 1, -1}, .b = {2, 2, 0}, .rotation = {1, 0.5f, -2}},
    {.time = 0.4f, .a = {2, 0, -1}, .b = {2, 1, 0}, .rotation = {1, 1.5f, -2}},
};

/* On the path at a time, by its keys. */
static vec on_path(double time, vec k0, vec k1, vec k2) {
  const double times[3] = {(double)path[0].time, (double)path[1].time, (double)path[2].time};
  if (time <= times[0]) return k0;
  if (time <= times[1]) return mix(k0, k1, (time - times[0]) / (times[1] - times[0]));
  return mix(k1, k2, fmin(1, (time - times[1]) / (times[2] - times[1])));
}

static vec wide(weft_vec3 v) { return (vec){(double)v.x, (double)v.y, (double)v.z}; }

static void check_motion(const weft_collider_motion *m, int end, double time, vec offset) {
  vec a = on_path(time, wide(path[0].a), wide(path[1].a), wide(path[2].a));
  vec b = on_path(time, wide(path[0].b), wide(path[1].b), wide(path[2].b));
  vec r = on_path(time, wide(path[0].rotation), wide(path[1].rotation), wide(path[2].rotation));
  assert_true(distance(from3(m->a[end]), add(a, offset)) < 1e-6);
  assert_true(distance(from3(m->b[end]), add(b, offset)) < 1e-6);
  assert_true(distance(from3(m->rotation[end]), r) < 1e-9);
}

/* Along the wind, by a factor that swings about 1 by the gust at most. */
static double check_wind(const weft_substep_input *in, const weft_params *p) {
  vec wind = wide(p->wind), now = from3(in->wind);
  double factor = dot(now, wind) / dot(wind, wind);
  assert_true(distance(now, scale(factor, wind)) < 1e-5);
  assert_true(fabs(factor - 1) <= (double)p->gust + 1e-6);
  return factor;
}

static void frames_bring_what_was_asked_for(void **state) {
  (void)state;
  const weft_collider capsule = {.shape = WEFT_COLLIDER_CAPSULE,
                                 .radius = 0.1f,
                                 .keys = path,
                                 .key_count = 3,
                                 .offset = {0.5f, 0, 0}};
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  rest_case c = rest_open("frames", grid_mesh(5, 5, WEFT_GRID_SAME_DIAGONAL),
                          (weft_model_desc){.pins = &pin, .pin_count = 1},
                          (weft_params){.substeps = 5,
                                        .wind = {3, 1, -2},
                                        .gust = 0.4f,
                                        .gust_period = 0.2f,
                                        .colliders = &capsule,
                                        .collider_count = 1});
  const weft_params *p = weft_solver_params(c.solver);
  double dt = (double)p->frame_dt / 5, min = 1, max = 1;
  for (uint32_t frame = 0; frame < 30; ++frame) {
    weft_frame_input in;
    double from = 0.5 + 0.1 * (frame > 3 ? frame - 3 : 0),
           to = 0.5 + 0.1 * (frame > 2 ? frame - 2 : 0);
    const uint32_t corner = 4;
    const weft_vec3 target = {0.1f * (float)frame, 0, 0};
    weft_solver_move_collider(c.solver, 0, (weft_vec3){(float)to, 0, 0}, NULL);
    if (frame > 0) weft_solver_move_pins(c.solver, &corner, &target, 1, NULL);
    weft_solver_frame_input(c.solver, &in);
    assert_int_equal(in.substep_count, 5);
    assert_int_equal(in.pin_count, frame > 0 ? 2 : 0);
    for (uint32_t s = 0; s < 5; ++s) {
      double time = weft_solver_time(c.solver) + s * dt;
      double t0 = s / 5.0, t1 = (s + 1) / 5.0;
      check_motion(&in.colliders[s], 0, time, (vec){from + t0 * (to - from), 0, 0});
      check_motion(&in.colliders[s], 1, time + dt, (vec){from + t1 * (to - from), 0, 0});
      near(in.substeps[s].fraction, t1, 1e-7, "the fraction of a pin's path");
      double factor = check_wind(&in.substeps[s], p);
      min = fmin(min, factor);
      max = fmax(max, factor);
    }
    assert_true(in.substeps[4].fraction == 1);
    if (frame > 1) {
      assert_int_equal(in.pins[1], corner);
      near(in.pin_to[3] - in.pin_from[3], 0.1, 1e-5, "a pin's path");
    }
    weft_frame_input_free(&in);
    assert_int_equal(weft_solver_step(c.solver, NULL), WEFT_OK);
  }
  assert_true(min < 0.8 && max > 1.2);
  rest_close(&c);
}

/* The piece that is grabbed is all that hangs together: without hinges, a row of pins parts a sheet
 * in two. */
static void grabs_pull_as_their_piece_weighs(void **state) {
  (void)state;
  weft_mesh mesh = grid_mesh(5, 9, WEFT_GRID_SAME_DIAGONAL);
  uint32_t middle[5];
  for (uint32_t r = 0; r < 5; ++r) middle[r] = 9 * r + 4;
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = middle, .list_count = 5};
  rest_case c = rest_open(
      "grab", mesh, (weft_model_desc){.bending = WEFT_BENDING_NONE, .pins = &pin, .pin_count = 1},
      (weft_params){.grab = true, .grab_patch = 3});
  double mass = 0, held = 0;
  for (uint32_t i = 0; i < 45; ++i) {
    if (i % 9 < 4) mass += 1 / c.s.inverse_masses[i];
  }
  weft_frame_input in;
  const weft_vec3 target = {0.2f, 0.3f, 0.1f};
  assert_int_equal(weft_solver_grab(c.solver, 19, target, NULL), WEFT_OK);
  weft_solver_frame_input(c.solver, &in);
  assert_int_equal(in.grab_count, 3);
  assert_int_equal(in.grabbed[0], 19);
  for (size_t k = 0; k < 3; ++k) {
    held += 1 / c.s.inverse_masses[in.grabbed[k]];
    vec offset = sub(at(&c, in.grabbed[k]), at(&c, 19));
    assert_true(length(offset) < 0.06); /* it or neighbours */
    assert_true(distance(from3(in.grab_to + 3 * k), add(wide(target), offset)) < 1e-6);
  }
  near(in.grab_stiffness, 2500 * mass, 1e-6, "the stiffness of a grab");
  near(in.grab_damping, sqrt(in.grab_stiffness * held), 1e-6, "the damping of a grab");
  near(in.grab_limit, 40 * mass, 1e-6, "the limit of a grab");
  weft_frame_input_free(&in);
  rest_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_are_area_times_density),
      cmocka_unit_test(lengths_are_those_of_the_mesh),
      cmocka_unit_test(stretch_and_shear_have_the_energy_of_the_fabric),
      cmocka_unit_test(an_edge_is_as_stiff_as_the_strip_along_it),
      cmocka_unit_test(hinges_have_the_angles_of_the_mesh),
      cmocka_unit_test(bending_has_the_energy_of_the_fabric),
      cmocka_unit_test(springs_across_store_what_a_hinge_does),
      cmocka_unit_test(links_and_hinges_are_as_given),
      cmocka_unit_test(frames_bring_what_was_asked_for),
      cmocka_unit_test(grabs_pull_as_their_piece_weighs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
