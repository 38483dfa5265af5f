/* The preprocessed model: masses, rest values, compliances and pins against hand calculation and
 * the continuum, refusals, and the validator against planted faults. */
#include "model.h"

#include "hinge.h"
#include "rig.h"
#include "test_model_meshes.h"

static const double pi = 3.14159265358979323846;

/* ---- helpers ---- */
static weft_constraint_group *find(weft_model *model, const char *name) {
  for (uint32_t i = 0; i < model->group_count; ++i) {
    if (strcmp(model->groups[i].name, name) == 0) return &model->groups[i];
  }
  return NULL;
}

static void assert_close(double value, double wanted, double relative) {
  if (!(fabs(value - wanted) <= relative * fabs(wanted))) {
    print_message("%.9g instead of %.9g\n", value, wanted);
  }
  assert_true(fabs(value - wanted) <= relative * fabs(wanted));
}

/* The constraint of a distance group that joins a and b. */
static uint32_t between(const weft_constraint_group *g, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < g->count; ++i) {
    const uint32_t *p = g->particles + 2 * i;
    if ((p[0] == a && p[1] == b) || (p[0] == b && p[1] == a)) return i;
  }
  fail_msg("no constraint between %u and %u", a, b);
  return 0;
}

static weft_vec3 bend_vector(const weft_constraint_group *g, uint32_t i, const weft_vec3 *x) {
  double c[3] = {0, 0, 0};
  for (uint32_t k = 0; k < 4; ++k) {
    weft_vec3 v = x[g->particles[4 * i + k]];
    double w = (double)g->weights[4 * i + k];
    c[0] += w * (double)v.x;
    c[1] += w * (double)v.y;
    c[2] += w * (double)v.z;
  }
  return weft_v3((float)c[0], (float)c[1], (float)c[2]);
}

/* Sum of C^2/(2 alpha) over a group at some positions. */
static double energy(const weft_constraint_group *g, const weft_vec3 *x) {
  double sum = 0;
  for (uint32_t i = 0; i < g->count; ++i) {
    const uint32_t *p = g->particles + (size_t)g->arity * i;
    double c = 0;
    if (g->type == WEFT_CONSTRAINT_DISTANCE) {
      c = weft_v3_distance(x[p[0]], x[p[1]]) -
          weft_v3_distance(weft_v3(0, 0, 0), weft_v3(g->rest[i], 0, 0));
    } else if (g->type == WEFT_CONSTRAINT_DIHEDRAL) {
      c = weft_hinge_angle(x[p[0]], x[p[1]], x[p[2]], x[p[3]]) - (double)g->rest[i];
    } else {
      c = weft_v3_distance(bend_vector(g, i, x), weft_v3(0, 0, 0));
    }
    sum += c * c / (2 * (double)g->compliance[i]);
  }
  return sum;
}

/* ---- masses and lengths ---- */
static void masses_sum_to_density_times_area(void **state) {
  (void)state;
  weft_mesh m = test_irregular(40, 7);
  weft_model *model =
      rig_preprocess(&(weft_model_desc){.mesh = &m, .material = weft_material_find("denim")});
  double area = 0, mass = 0;
  for (uint32_t t = 0; t < m.triangle_count; ++t) {
    weft_vec3 a = m.positions[m.triangles[3 * t]];
    weft_vec3 u = weft_v3_sub(m.positions[m.triangles[3 * t + 1]], a);
    weft_vec3 v = weft_v3_sub(m.positions[m.triangles[3 * t + 2]], a);
    area += 0.5 * (double)weft_v3_length(weft_v3_cross(u, v));
  }
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    mass += (double)model->masses[i];
    assert_close((double)model->masses[i] * (double)model->inverse_masses[i], 1, 2e-7);
  }
  assert_close(mass, 0.324 * area, 1e-6);
  weft_model_destroy(model);
  test_mesh_free(&m);
}

static void a_square_grid_shares_its_mass_by_triangles(void **state) {
  (void)state;
  weft_mesh m = test_grid(3, 3, WEFT_GRID_SAME_DIAGONAL, 0.1f, 0.1f);
  weft_material cloth = {"cloth", 0.3f, 1000, 1000, 10, 1e-5f, 0};
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &m, .material = &cloth});
  /* Triangles of 0.005 m^2, a third of 0.0015 kg each: six at the middle, two and one at corners.
   */
  assert_close((double)model->masses[4], 6 * 0.0005, 1e-6);
  assert_close((double)model->masses[0], 2 * 0.0005, 1e-6);
  assert_close((double)model->masses[2], 1 * 0.0005, 1e-6);
  weft_model_destroy(model);
  test_mesh_free(&m);
}

static void rest_lengths_are_the_distances_of_the_mesh(void **state) {
  (void)state;
  weft_mesh m = test_irregular(20, 3);
  weft_model *model =
      rig_preprocess(&(weft_model_desc){.mesh = &m, .bending = WEFT_BENDING_ACROSS});
  assert_int_equal(model->group_count, 2);
  for (uint32_t k = 0; k < 2; ++k) {
    weft_constraint_group *g = &model->groups[k];
    for (uint32_t i = 0; i < g->count; ++i) {
      double d =
          weft_v3_distance(m.positions[g->particles[2 * i]], m.positions[g->particles[2 * i + 1]]);
      assert_true(g->rest[i] == (float)d);
    }
  }
  assert_int_equal(model->groups[0].count, 3 * 20 * 20 - 4 * 20 + 1);
  weft_model_destroy(model);
  test_mesh_free(&m);
}

/* ---- compliances ---- */
static const weft_material hand = {"hand", 0.2f, 400, 1000, 50, 2e-5f, 0.01f};

static void grid_compliances_match_the_hand_calculation(void **state) {
  (void)state;
  weft_mesh m = test_grid(4, 5, WEFT_GRID_SAME_DIAGONAL, 0.1f, 0.1f);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &m, .material = &hand});
  weft_constraint_group *g = find(model, "stretch"), *s = find(model, "shear");
  assert_close((double)g->compliance[between(g, 6, 7)], 1 / 400.0, 1e-5);   /* in a row: warp */
  assert_close((double)g->compliance[between(g, 6, 11)], 1 / 1000.0, 1e-5); /* in a column: weft */
  assert_close((double)g->compliance[between(g, 0, 1)], 2 / 400.0, 1e-5);   /* half a strip */
  assert_close((double)g->compliance[between(g, 5, 10)], 2 / 1000.0, 1e-5);
  assert_close((double)g->compliance[between(g, 6, 12)], 1 / 50.0, 1e-5);
  assert_close((double)s->compliance[between(s, 7, 11)], 1 / 50.0, 1e-5);
  assert_int_equal(s->count, 3 * 4);
  assert_close((double)g->damping[between(g, 6, 7)], 0.01 * 400, 1e-5);
  weft_model_destroy(model);
  model = rig_preprocess(&(weft_model_desc){.mesh = &m, .material = &hand, .no_shear = true});
  assert_null(find(model, "shear"));
  g = find(model, "stretch");
  assert_close((double)g->compliance[between(g, 6, 12)], 1 / 100.0, 1e-5);
  weft_model_destroy(model);
  test_mesh_free(&m);
}

static void grid_compliances_do_not_depend_on_the_spacing(void **state) {
  (void)state;
  for (float spacing = 1e-3f; spacing < 2; spacing *= 10) {
    weft_mesh m = test_grid(4, 5, WEFT_GRID_ALTERNATING, spacing, 2 * spacing);
    weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &m, .material = &hand});
    weft_constraint_group *g = find(model, "stretch");
    /* Cells twice as tall as wide: strips along rows of the grid are short and broad. */
    assert_close((double)g->compliance[between(g, 6, 7)], 0.5 / 400, 1e-5);
    assert_close((double)g->compliance[between(g, 6, 11)], 2.0 / 1000, 1e-5);
    weft_model_destroy(model);
    test_mesh_free(&m);
  }
}

static void stretched_energy(weft_grid_pattern pattern, bool no_shear) {
  weft_mesh m = test_grid(9, 12, pattern, 0.03f, 0.02f);
  weft_model *model =
      rig_preprocess(&(weft_model_desc){.mesh = &m, .material = &hand, .no_shear = no_shear});
  double area = 8 * 11 * 0.03 * 0.02, strain = 1e-2, sum[3] = {0, 0, 0};
  weft_vec3 *x = weft_alloc(m.vertex_count, sizeof *x);
  for (int k = 0; k < 3; ++k) {
    for (uint32_t i = 0; i < m.vertex_count; ++i) {
      weft_vec3 p = m.positions[i];
      float e = (float)strain;
      x[i] = k == 0   ? weft_v3(p.x * (1 + e), p.y, 0)
             : k == 1 ? weft_v3(p.x, p.y * (1 + e), 0)
                      : weft_v3(p.x + e * p.y, p.y, 0);
    }
    for (uint32_t g = 0; g < model->group_count; ++g) {
      if (model->groups[g].type == WEFT_CONSTRAINT_DISTANCE) sum[k] += energy(&model->groups[g], x);
    }
  }
  /* Diagonals of cells dx by dy add G*(dx/dy)^2 and G*(dy/dx)^2 to the two stretch moduli. */
  double unit = 0.5 * area * strain * strain;
  assert_close(sum[0], unit * (400 + 50 * 2.25), 0.02);
  assert_close(sum[1], unit * (1000 + 50 / 2.25), 0.02);
  assert_close(sum[2], unit * 50, 0.02);
  weft_free(x);
  weft_model_destroy(model);
  test_mesh_free(&m);
}

/* Borders included: the energy of a stretched or sheared sheet is that of the membrane. */
static void stretch_and_shear_store_the_energy_of_the_membrane(void **state) {
  (void)state;
  stretched_energy(WEFT_GRID_SAME_DIAGONAL, false);
  stretched_energy(WEFT_GRID_ALTERNATING, false);
  stretched_energy(WEFT_GRID_ALTERNATING, true);
}

static void infinite_stiffness_is_hard_and_zero_leaves_out(void **state) {
  (void)state;
  weft_mesh m = test_grid(4, 4, WEFT_GRID_SAME_DIAGONAL, 0.1f, 0.1f);
  weft_model *model = rig_preprocess(
      &(weft_model_desc){.mesh = &m, .material = weft_material_find("inextensible")});
  for (uint32_t k = 0; k < 2; ++k) {
    for (uint32_t i = 0; i < model->groups[k].count; ++i) {
      assert_true(model->groups[k].compliance[i] == 0 && model->groups[k].damping[i] == 0);
    }
  }
  weft_model_destroy(model);
  weft_material loose = {"loose", 0.2f, 100, 0, 0, 0, 0};
  model = rig_preprocess(&(weft_model_desc){.mesh = &m, .material = &loose});
  assert_int_equal(model->group_count, 1);
  assert_int_equal(model->groups[0].count, 4 * 3); /* nothing but the rows */
  weft_model_destroy(model);
  test_mesh_free(&m);
}

/* ---- bending ---- */
/* Two triangles over the edge (0,0,0)-(0,length,0), the second turned up by the angle. */
static weft_mesh folded(double length, double angle) {
  weft_mesh m = {.vertex_count = 4};
  m.positions = weft_alloc(4, sizeof *m.positions);
  m.triangles = weft_alloc(6, sizeof *m.triangles);
  float c = (float)cos(angle), s = (float)sin(angle);
  m.positions[1] = weft_v3(0, (float)length, 0);
  m.positions[2] = weft_v3(-1.0f, 0.3f, 0);
  m.positions[3] = weft_v3(0.8f * c, 0.6f, 0.8f * s);
  put_triangle(&m, 0, 1, 2); /* fronts towards +z when flat */
  put_triangle(&m, 1, 0, 3);
  return m;
}

static void isometric_vector_measures_the_fold(void **state) {
  (void)state;
  weft_mesh flat = folded(1.25, 0);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &flat});
  weft_constraint_group *g = find(model, "bend isometric");
  assert_int_equal(g->count, 1);
  assert_int_equal(g->particles[0] + g->particles[1], 1); /* the edge first */
  for (int i = -17; i <= 17; ++i) {
    double angle = i * pi / 18;
    weft_mesh bent = folded(1.25, angle);
    weft_vec3 c = bend_vector(g, 0, bent.positions);
    double wanted = 2 * 1.25 * sin(fabs(angle) / 2);
    assert_true(fabs((double)weft_v3_length(c) - wanted) < 2e-6);
    test_mesh_free(&bent);
  }
  weft_model_destroy(model);
  test_mesh_free(&flat);
}

static void isometric_weights_sum_to_exactly_zero(void **state) {
  (void)state;
  weft_mesh m = test_irregular(60, 11);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &m});
  weft_constraint_group *g = find(model, "bend isometric");
  for (uint32_t i = 0; i < g->count; ++i) {
    const float *k = g->weights + 4 * i;
    assert_true((double)k[0] + (double)k[1] + (double)k[2] + (double)k[3] == 0);
    weft_vec3 c = bend_vector(g, i, m.positions); /* flat: nothing to bend */
    float scale = fabsf(k[0]) + fabsf(k[1]) + fabsf(k[2]) + fabsf(k[3]);
    assert_true(weft_v3_length(c) < 2e-5f * scale);
  }
  weft_model_destroy(model);
  test_mesh_free(&m);
}

static void isometric_length_survives_rigid_motion(void **state) {
  (void)state;
  weft_mesh flat = folded(1, 0), bent = folded(1, 0.7);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &flat});
  weft_constraint_group *g = find(model, "bend isometric");
  double before = (double)weft_v3_length(bend_vector(g, 0, bent.positions));
  double a = 0.9, c = cos(a), s = sin(a);
  for (uint32_t i = 0; i < 4; ++i) { /* a turn about x, then about z, then a shift */
    weft_vec3 p = bent.positions[i];
    double y = c * (double)p.y - s * (double)p.z, z = s * (double)p.y + c * (double)p.z;
    bent.positions[i] = weft_v3((float)(c * (double)p.x - s * y + 3),
                                (float)(s * (double)p.x + c * y - 2), (float)(z + 5));
  }
  assert_close((double)weft_v3_length(bend_vector(g, 0, bent.positions)), before, 2e-6);
  weft_model_destroy(model);
  test_mesh_free(&flat);
  test_mesh_free(&bent);
}

/* Random flat hinges, one vertex lifted a little: Bergou's |c| agrees with |e|*theta to first
 * order, whatever the shape of the triangles. */
static void isometric_and_dihedral_agree_near_flat(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(5);
  const uint32_t edge[2] = {0, 1}, opposite[2] = {2, 3};
  for (int n = 0; n < 1000; ++n) {
    weft_vec3 x[4] = {{0, 0, 0},
                      {weft_rng_float(&rng, 0.2f, 2), 0, 0},
                      {weft_rng_float(&rng, -1, 2), weft_rng_float(&rng, 0.2f, 1), 0},
                      {weft_rng_float(&rng, -1, 2), weft_rng_float(&rng, -1, -0.2f), 0}};
    weft_hinge_shape shape;
    weft_hinge_measure(x, edge, opposite, &shape);
    assert_false(shape.degenerate);
    x[n % 4].z += 1e-3f;
    double c = 1e-3 * fabs(shape.weights[n % 4]);
    assert_close(shape.length * fabs(weft_hinge_angle(x[2], x[3], x[0], x[1])), c, 1e-2);
  }
}

static void dihedral_rest_angles_carry_size_and_sign(void **state) {
  (void)state;
  for (int i = -17; i <= 17; ++i) {
    double angle = i * pi / 18;
    weft_mesh m = folded(1.25, angle);
    weft_model *model =
        rig_preprocess(&(weft_model_desc){.mesh = &m, .bending = WEFT_BENDING_DIHEDRAL});
    weft_constraint_group *g = find(model, "bend dihedral");
    assert_int_equal(g->particles[0] + g->particles[1], 2 + 3); /* opposite vertices first */
    /* Triangle 0 1 2 runs along +y, so the edge is 0 to 1. Lifting the second triangle on the right
     * turns its normal from +z towards -x: negative about +y. */
    assert_int_equal(g->particles[0], 2);
    assert_int_equal(g->particles[2], 0);
    assert_true(fabs((double)g->rest[0] + angle) < 1e-6);
    /* The same cloth with its triangles named the other way round bends the same way. */
    uint32_t swapped[6] = {1, 0, 3, 0, 1, 2};
    memcpy(m.triangles, swapped, sizeof swapped);
    weft_model *other =
        rig_preprocess(&(weft_model_desc){.mesh = &m, .bending = WEFT_BENDING_DIHEDRAL});
    assert_true(fabs((double)find(other, "bend dihedral")->rest[0] + angle) < 1e-6);
    double area = 0.5 * 1.25 * 1.0 + 0.5 * 1.25 * 0.8;
    double B = (double)weft_material_find("tablecloth")->bending;
    assert_close((double)g->compliance[0], area / (B * 1.25 * 1.25), 1e-5);
    weft_model_destroy(other);
    weft_model_destroy(model);
    test_mesh_free(&m);
  }
}

/* A sheet rolled to a cylinder of curvature kappa stores B*kappa^2/2 for each square metre (of the
 * strips between its first and last column of cells). */
static void a_rolled_sheet_stores_the_energy_of_a_plate(void **state) {
  (void)state;
  const weft_bending kinds[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL};
  for (int n = 0; n < 4; ++n) {
    weft_grid_pattern pattern = n < 2 ? WEFT_GRID_SAME_DIAGONAL : WEFT_GRID_ALTERNATING;
    weft_mesh m = test_grid(20, 30, pattern, 0.01f, 0.01f);
    weft_model *model =
        rig_preprocess(&(weft_model_desc){.mesh = &m, .material = &hand, .bending = kinds[n % 2]});
    double radius = 0.2, turn = 0.01 / radius;
    for (uint32_t i = 0; i < m.vertex_count; ++i) {
      double angle = turn * (i % 30);
      m.positions[i].x = (float)(radius * sin(angle));
      m.positions[i].z = (float)(radius * (1 - cos(angle)));
    }
    double wanted = 0.5 * 2e-5 / (radius * radius) * (28 * 0.01) * (19 * 0.01);
    assert_close(energy(&model->groups[2], m.positions), wanted, 0.01);
    weft_model_destroy(model);
    test_mesh_free(&m);
  }
}

static void across_springs_match_the_hinge_at_45_degrees(void **state) {
  (void)state;
  weft_mesh flat = folded(1.25, 0), bent = folded(1.25, pi / 4);
  weft_model *model =
      rig_preprocess(&(weft_model_desc){.mesh = &flat, .bending = WEFT_BENDING_ACROSS});
  weft_model *hinge =
      rig_preprocess(&(weft_model_desc){.mesh = &flat, .bending = WEFT_BENDING_DIHEDRAL});
  double spring = energy(find(model, "bend across"), bent.positions);
  assert_close(spring, energy(find(hinge, "bend dihedral"), bent.positions), 1e-4);
  weft_model_destroy(model);
  weft_model_destroy(hinge);
  test_mesh_free(&flat);
  test_mesh_free(&bent);
}

static char last_warning[1024];
static void keep_warning(weft_log_level level, const char *line, void *user) {
  (void)user;
  if (level == WEFT_LOG_WARNING) snprintf(last_warning, sizeof last_warning, "%s", line);
}

static void thin_triangles_lose_their_hinges_with_a_warning(void **state) {
  (void)state;
  weft_mesh m = folded(1.25, 0);
  m.positions[2].x = -1e-6f; /* all but on the edge, which is 1.25 m long */
  weft_log_set(keep_warning, NULL, WEFT_LOG_WARNING);
  last_warning[0] = 0;
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &m});
  assert_null(find(model, "bend isometric"));
  assert_non_null(strstr(last_warning, "1 hinge "));
  weft_model_destroy(model);
  /* A sliver of half a degree, as real garments have, is kept and finite. */
  m.positions[2] = weft_v3(-0.005f, 0.6f, 0);
  model = rig_preprocess(&(weft_model_desc){.mesh = &m});
  assert_int_equal(find(model, "bend isometric")->count, 1);
  weft_model_destroy(model);
  test_mesh_free(&m);
  m = folded(1, 0.5);
  model = rig_preprocess(&(weft_model_desc){.mesh = &m});
  assert_non_null(strstr(last_warning, "28.6 degrees"));
  weft_log_set(NULL, NULL, WEFT_LOG_WARNING);
  weft_model_destroy(model);
  test_mesh_free(&m);
}

static void edges_of_three_triangles_do_not_hinge(void **state) {
  (void)state;
  weft_mesh m = {.vertex_count = 5};
  m.positions = weft_alloc(5, sizeof *m.positions);
  m.triangles = weft_alloc(9, sizeof *m.triangles);
  m.positions[1] = weft_v3(0, 1, 0);
  for (uint32_t i = 0; i < 3; ++i) {
    m.positions[2 + i] = weft_v3(cosf((float)i * 2), 0.5f, sinf((float)i * 2));
    put_triangle(&m, 0, 1, 2 + i);
  }
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &m});
  assert_int_equal(model->group_count, 1);
  assert_int_equal(model->groups[0].count, 7);
  weft_model_destroy(model);
  test_mesh_free(&m);
}

/* ---- the whole ---- */
static void preprocessing_twice_gives_the_same_bits(void **state) {
  (void)state;
  weft_mesh m = test_irregular(30, 2);
  weft_model *a = rig_preprocess(&(weft_model_desc){.mesh = &m}),
             *b = rig_preprocess(&(weft_model_desc){.mesh = &m});
  assert_memory_equal(a->inverse_masses, b->inverse_masses, a->particle_count * 4);
  for (uint32_t k = 0; k < a->group_count; ++k) {
    weft_constraint_group *g = &a->groups[k], *h = &b->groups[k];
    assert_memory_equal(g->particles, h->particles, (size_t)g->count * g->arity * 4);
    assert_memory_equal(g->compliance, h->compliance, (size_t)g->count * 4);
  }
  weft_model_destroy(a);
  weft_model_destroy(b);
  test_mesh_free(&m);
}

static void colours_come_largest_first_and_add_up(void **state) {
  (void)state;
  weft_mesh m = test_irregular(50, 2);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &m});
  for (uint32_t k = 0; k < weft_model_group_count(model); ++k) {
    weft_group_info info = weft_model_group(model, k);
    uint32_t sum = 0;
    for (uint32_t c = 0; c < info.colour_count; ++c) {
      assert_true(c == 0 || info.colour_sizes[c] <= info.colour_sizes[c - 1]);
      sum += info.colour_sizes[c];
    }
    assert_int_equal(sum, info.constraint_count);
    assert_true(info.colour_count >= info.lower_bound);
  }
  weft_model_destroy(model);
  test_mesh_free(&m);
}

/* The grids users get: that the builder's diagonals and shifts are those the classes expect. */
static void built_grids_are_preprocessed_with_the_fewest_colours(void **state) {
  (void)state;
  const uint32_t wanted[3][3] = {{6, 2, 12}, {8, 4, 16}, {6, 12, 0}};
  for (int k = 0; k < 3; ++k) {
    weft_mesh m = {0};
    weft_grid_desc desc = {.rows = 33, .columns = 30, .pattern = (weft_grid_pattern)k};
    assert_int_equal(weft_mesh_grid(&desc, &m, NULL), WEFT_OK);
    weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &m});
    assert_int_equal(model->group_count, k == WEFT_GRID_EQUILATERAL ? 2 : 3);
    for (uint32_t g = 0; g < model->group_count; ++g) {
      assert_int_equal(weft_model_group(model, g).colour_count, wanted[k][g]);
      assert_int_equal(weft_model_group(model, g).lower_bound, wanted[k][g]);
    }
    weft_model_destroy(model);
    weft_mesh_free(&m);
  }
}

static void presets_are_the_published_figures(void **state) {
  (void)state;
  const weft_material *denim = weft_material_find("denim");
  assert_true(denim->area_density == 0.324f && denim->stretch_warp == 411);
  assert_true(denim->stretch_weft == 2028 && denim->shear == 53);
  assert_close((double)denim->bending, 58e-6 / 3, 1e-6);
  assert_null(weft_material_find("chainmail"));
  assert_null(weft_material_find(NULL));
  const char *names[] = {"denim",   "trousers", "tablecloth", "tshirt",
                         "ribknit", "ponte",    "jacket",     "inextensible"};
  uint32_t count = 0;
  while (weft_material_at(count)) ++count;
  assert_int_equal(count, 8);
  for (int i = 0; i < 8; ++i) {
    const weft_material *m = weft_material_find(names[i]);
    assert_non_null(m);
    assert_true(m->bending > 3e-6f && m->bending < 40e-6f);
  }
}

/* ---- pins ---- */
static uint32_t pinned_by(const weft_mesh *m, const weft_pin *pins, uint32_t count,
                          uint64_t *which) {
  weft_model *model =
      rig_preprocess(&(weft_model_desc){.mesh = m, .pins = pins, .pin_count = count});
  uint32_t pinned = weft_model_pinned_count(model);
  *which = 0;
  for (uint32_t i = 0; i < model->particle_count && i < 64; ++i) {
    if (model->inverse_masses[i] == 0) *which |= UINT64_C(1) << i;
    assert_true(model->masses[i] > 0);
  }
  weft_model_destroy(model);
  return pinned;
}

static void pin_rules_select_what_they_say(void **state) {
  (void)state;
  uint64_t which;
  weft_mesh m = test_grid(3, 4, WEFT_GRID_SAME_DIAGONAL, 1, 1);
  const uint32_t list[] = {5, 5, 10};
  for (int grid = 1; grid >= 0; --grid) { /* with the grid's own rules, then by position */
    if (!grid) m.grid_rows = m.grid_columns = 0;
    assert_int_equal(pinned_by(&m, &(weft_pin){.rule = WEFT_PIN_CORNERS}, 1, &which), 2);
    assert_true(which == 0x009);
    assert_int_equal(pinned_by(&m, &(weft_pin){.rule = WEFT_PIN_TOP}, 1, &which), 4);
    assert_true(which == 0x00f);
    assert_int_equal(pinned_by(&m, &(weft_pin){.rule = WEFT_PIN_LEFT}, 1, &which), 3);
    assert_true(which == 0x111);
  }
  weft_pin both[] = {{.rule = WEFT_PIN_LIST, .list = list, .list_count = 3},
                     {.rule = WEFT_PIN_BOX, .box_min = {-0.5f, -2.5f, 0}, .box_max = {1, -1, 0}},
                     {.rule = WEFT_PIN_NONE}};
  assert_int_equal(pinned_by(&m, both, 1, &which), 2);
  assert_true(which == 0x420);
  assert_int_equal(pinned_by(&m, both, 3, &which), 5); /* 4 5 8 9 of the box, 10 of the list */
  assert_true(which == 0x730);
  assert_int_equal(pinned_by(&m, NULL, 0, &which), 0);
  test_mesh_free(&m);
}

/* A tube by its positions, every other vertex of its rings higher; at the top by `wave`. */
static weft_mesh wavy_tube(uint32_t segments, uint32_t rings, float wave) {
  weft_mesh m = {0};
  weft_tube_desc desc = {.rings = rings, .segments = segments, .height = 1};
  assert_int_equal(weft_mesh_tube(&desc, &m, NULL), WEFT_OK);
  m.grid_rows = m.grid_columns = 0;
  for (uint32_t i = 0; i < segments; i += 2) m.positions[i].y += wave;
  return m;
}

/* Blankets on a bed: sheets that lie at different heights, beside one that hangs. */
static void pieces_that_lie_are_held_by_their_far_edge(void **state) {
  (void)state;
  const weft_pin top = {.rule = WEFT_PIN_TOP};
  uint64_t which;
  enum { SIDE = 4, SHEET = SIDE * SIDE, SHEETS = 3 };
  weft_mesh one = test_grid(SIDE, SIDE, WEFT_GRID_SAME_DIAGONAL, 0.1f, 0.1f), all = {0};
  all.positions = weft_alloc(SHEETS * SHEET, sizeof *all.positions);
  all.triangles = weft_alloc(3 * SHEETS * (size_t)one.triangle_count, sizeof *all.triangles);
  for (uint32_t s = 0; s < SHEETS; ++s) {
    for (uint32_t i = 0; i < SHEET; ++i) {
      const weft_vec3 p = one.positions[i]; /* row 0 of those that lie has the smallest z */
      all.positions[all.vertex_count++] =
          s < 2 ? weft_v3(p.x, (float)s, -p.y) : weft_v3(p.x, p.y, 2);
    }
    for (uint32_t t = 0; t < one.triangle_count; ++t) {
      const uint32_t *v = one.triangles + 3 * (size_t)t;
      put_triangle(&all, v[0] + s * SHEET, v[1] + s * SHEET, v[2] + s * SHEET);
    }
  }
  assert_int_equal(pinned_by(&all, &top, 1, &which), SHEETS * SIDE);
  assert_true(which == (UINT64_C(0xf) | UINT64_C(0xf) << SHEET | UINT64_C(0xf) << 2 * SHEET));
  test_mesh_free(&all);
  test_mesh_free(&one);
}

static void tops_without_a_grid_are_rings_edges_or_strips(void **state) {
  (void)state;
  const weft_pin top = {.rule = WEFT_PIN_TOP}, left = {.rule = WEFT_PIN_LEFT};
  uint64_t which;
  weft_mesh m = wavy_tube(10, 5, 0.2f); /* the whole waist, though half of it lies deeper */
  assert_int_equal(pinned_by(&m, &top, 1, &which), 10);
  assert_true(which == 0x3ff);
  for (uint32_t i = 0; i < m.vertex_count; ++i) { /* lying down, its waist to the left */
    m.positions[i] = weft_v3(-m.positions[i].y, m.positions[i].x, m.positions[i].z);
  }
  assert_int_equal(pinned_by(&m, &left, 1, &which), 10);
  assert_true(which == 0x3ff);
  weft_mesh_free(&m);

  m = wavy_tube(10, 5, 0.4f); /* deeper than a waist is: a level edge, or the highest fiftieth */
  assert_int_equal(pinned_by(&m, &top, 1, &which), 5);
  assert_true(which == 0x155);
  m.positions[0].y += 0.01f; /* one alone is no edge */
  assert_int_equal(pinned_by(&m, &top, 1, &which), 5);
  m.positions[0].y += 0.5f;
  assert_int_equal(pinned_by(&m, &top, 1, &which), 1);
  weft_mesh_free(&m);

  m = test_grid(6, 5, WEFT_GRID_SAME_DIAGONAL, 1, 1); /* a suit: two pieces, one above the other */
  m.grid_rows = m.grid_columns = 0;
  uint32_t kept = 0;
  for (uint32_t t = 0; t < m.triangle_count; ++t) {
    const uint32_t *corner = m.triangles + 3 * t;
    bool between_pieces = false;
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) between_pieces |= corner[k] / 5 == 2 && corner[j] / 5 == 3;
    }
    if (between_pieces) continue;
    memmove(m.triangles + 3 * kept++, corner, 3 * sizeof *corner);
  }
  m.triangle_count = kept;
  assert_int_equal(pinned_by(&m, &top, 1, &which), 10);
  assert_true(which == 0xf801f);
  test_mesh_free(&m);

  m = test_grid(4, 5, WEFT_GRID_SAME_DIAGONAL, 1,
                1); /* lying: its top is where row 0 of a grid is */
  m.grid_rows = m.grid_columns = 0;
  for (uint32_t i = 0; i < m.vertex_count; ++i) {
    m.positions[i] = weft_v3(m.positions[i].x, 0, -m.positions[i].y);
  }
  assert_int_equal(pinned_by(&m, &top, 1, &which), 5);
  assert_true(which == 0x1f);
  test_mesh_free(&m);
}

/* ---- refusals ---- */
static void refused(const weft_model_desc *desc, weft_result code, const char *words) {
  weft_model *model = (weft_model *)1;
  weft_error err = {0};
  assert_int_equal(weft_model_create(desc, &model, &err), code);
  if (!strstr(err.message, words)) print_message("%s\n", err.message);
  assert_non_null(strstr(err.message, words));
  assert_null(model);
  assert_int_equal(weft_model_create(desc, &model, NULL), code); /* silent without a place */
}

static void meshes_no_cloth_can_be_made_of_are_refused(void **state) {
  (void)state;
  weft_mesh m = test_grid(3, 3, WEFT_GRID_SAME_DIAGONAL, 1, 1);
  weft_model_desc desc = {.mesh = &m};
  weft_mesh empty = {0};
  refused(&(weft_model_desc){.mesh = &empty}, WEFT_ERROR_MESH, "no triangles");
  uint32_t kept = m.triangles[4];
  m.triangles[4] = 9;
  refused(&desc, WEFT_ERROR_MESH, "triangle 1 names vertex 9");
  m.triangles[4] = m.triangles[3];
  refused(&desc, WEFT_ERROR_MESH, "triangle 1 names a vertex twice");
  m.triangles[4] = kept;
  weft_vec3 place = m.positions[4];
  m.positions[4].y = NAN;
  refused(&desc, WEFT_ERROR_MESH, "vertex 4 has a position that is not finite");
  m.positions[4] = m.positions[5];
  refused(&desc, WEFT_ERROR_MESH, "a length of 0 m");
  m.positions[4] = weft_v3(0, 0, -2e6f);
  refused(&desc, WEFT_ERROR_MESH, "vertex 4 lies at (0 0 -2e+06)");
  m.positions[4] = place;
  m.grid_columns = 4;
  refused(&desc, WEFT_ERROR_MESH, "claims a grid of 3 rows and 4 columns");
  m.grid_rows = m.grid_columns = 0;
  m.triangle_count -= 2; /* the last vertex loses its triangles */
  refused(&desc, WEFT_ERROR_MESH, "vertex 8 belongs to no triangle");
  for (uint32_t i = 0; i < 9; ++i) m.positions[i].y = 0;
  m.triangle_count += 2;
  refused(&desc, WEFT_ERROR_MESH, "has a mass of 0 kg");
  test_mesh_free(&m);
}

static void hubs_of_too_many_edges_are_refused(void **state) {
  (void)state;
  uint32_t n = 5000;
  weft_mesh m = {.vertex_count = n + 1};
  m.positions = weft_alloc(n + 1, sizeof *m.positions);
  m.triangles = weft_alloc((size_t)3 * n, sizeof *m.triangles);
  for (uint32_t i = 0; i < n; ++i) {
    double angle = 2 * pi * i / n;
    m.positions[1 + i] = weft_v3((float)cos(angle), (float)sin(angle), 0);
    put_triangle(&m, 0, 1 + i, 1 + (i + 1) % n);
  }
  refused(&(weft_model_desc){.mesh = &m}, WEFT_ERROR_MESH, "vertex 0 belongs to 5000 edges");
  test_mesh_free(&m);
}

static void materials_that_are_none_are_refused(void **state) {
  (void)state;
  weft_mesh m = test_grid(3, 3, WEFT_GRID_SAME_DIAGONAL, 1, 1);
  const float bad[] = {-1, NAN};
  for (int i = 0; i < 2; ++i) {
    weft_material w = hand;
    weft_model_desc desc = {.mesh = &m, .material = &w};
    w.stretch_warp = bad[i];
    refused(&desc, WEFT_ERROR_ARGUMENT, "warp stretch");
    w = hand;
    w.stretch_weft = bad[i];
    refused(&desc, WEFT_ERROR_ARGUMENT, "weft stretch");
    w = hand;
    w.shear = bad[i];
    refused(&desc, WEFT_ERROR_ARGUMENT, "shear stiffness");
    w = hand;
    w.bending = bad[i];
    refused(&desc, WEFT_ERROR_ARGUMENT, "bending stiffness");
    w = hand;
    w.area_density = bad[i];
    refused(&desc, WEFT_ERROR_ARGUMENT, "area density");
    w = hand;
    w.damping_time = bad[i];
    refused(&desc, WEFT_ERROR_ARGUMENT, "damping time");
  }
  refused(&(weft_model_desc){.mesh = &m, .bending = (weft_bending)9}, WEFT_ERROR_ARGUMENT,
          "bending 9");
  test_mesh_free(&m);
}

static void pins_that_hold_nothing_are_refused(void **state) {
  (void)state;
  weft_mesh m = test_grid(3, 3, WEFT_GRID_SAME_DIAGONAL, 1, 1);
  const uint32_t list[] = {3, 9};
  weft_pin pin = {.rule = WEFT_PIN_BOX, .box_min = {5, 5, 5}, .box_max = {6, 6, 6}};
  weft_model_desc desc = {.mesh = &m, .pins = &pin, .pin_count = 1};
  refused(&desc, WEFT_ERROR_ARGUMENT, "\"box\" selects no vertex: they are from (");
  pin = (weft_pin){.rule = WEFT_PIN_LIST};
  refused(&desc, WEFT_ERROR_ARGUMENT, "\"list\" selects no vertex");
  pin = (weft_pin){.rule = WEFT_PIN_LIST, .list = list, .list_count = 2};
  refused(&desc, WEFT_ERROR_ARGUMENT, "vertex 9 does not exist");
  pin = (weft_pin){.rule = (weft_pin_rule)77};
  refused(&desc, WEFT_ERROR_ARGUMENT, "pin rule 77");
  test_mesh_free(&m);
}

/* ---- the validator ---- */
static void invalid(weft_model *model, const char *words) {
  weft_error err = {0};
  assert_int_equal(weft_model_validate(model, &err), WEFT_ERROR_MESH);
  if (!strstr(err.message, words)) print_message("%s\n", err.message);
  assert_non_null(strstr(err.message, words));
}

#define PLANT(place, value, words)                               \
  do {                                                           \
    const __typeof__(place) keep_ = (place);                     \
    (place) = (value);                                           \
    invalid(model, words);                                       \
    (place) = keep_;                                             \
    assert_int_equal(weft_model_validate(model, NULL), WEFT_OK); \
  } while (0)

static void the_validator_names_a_planted_conflict(void **state) {
  (void)state;
  weft_mesh m = test_irregular(30, 4);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &m});
  for (uint32_t k = 0; k < model->group_count; ++k) {
    weft_constraint_group *g = &model->groups[k];
    char words[200];
    uint32_t first = g->colour_first[2], last = g->colour_first[3] - 1;
    snprintf(words, sizeof words, "%s colour 2: constraints %u and %u share particle %u", g->name,
             first, last, g->particles[(size_t)first * g->arity + 1]);
    PLANT(g->particles[(size_t)last * g->arity], g->particles[(size_t)first * g->arity + 1], words);
    PLANT(g->particles[0], model->particle_count, "does not exist");
    PLANT(g->particles[0], g->particles[1], "twice");
    PLANT(g->compliance[7], -1.0f, "constraint 7: its compliance");
    PLANT(g->compliance[7], NAN, "constraint 7: its compliance");
    PLANT(g->compliance[7], INFINITY, "constraint 7: its compliance");
    PLANT(g->damping[7], NAN, "constraint 7: its damping");
    PLANT(g->colour_first[1], g->colour_first[1] + 1, "colour 0");
    PLANT(g->colour_sizes[1], g->colour_sizes[1] - 1, "colour 1");
    PLANT(g->colour_first[g->colour_count], g->count - 1, "do not cover");
  }
  PLANT(model->groups[0].rest[3], 0.0f, "constraint 3: its rest value");
  PLANT(model->groups[1].weights[12], model->groups[1].weights[12] + 0.5f,
        "constraint 3: its weights");
  weft_model_destroy(model);
  test_mesh_free(&m);
}

static void the_validator_names_planted_faults_of_particles(void **state) {
  (void)state;
  weft_mesh m = test_irregular(10, 4);
  weft_model *model =
      rig_preprocess(&(weft_model_desc){.mesh = &m, .bending = WEFT_BENDING_DIHEDRAL});
  PLANT(model->rest_positions[5].y, NAN, "particle 5: rest position");
  PLANT(model->masses[5], -1.0f, "particle 5: a mass");
  PLANT(model->inverse_masses[5], model->inverse_masses[5] * 1.001f, "particle 5: inverse mass");
  PLANT(model->inverse_masses[5], 0.0f, "1 particles are pinned, but 0");
  PLANT(model->triangles[4], 100, "triangle 1: particle 100");
  PLANT(model->triangles[4], model->triangles[4] ^ 1, "corner list");
  PLANT(model->corner_items[4], model->corner_items[5], "corner list");
  PLANT(model->corner_offsets[4], 1000000, "corner list");
  PLANT(model->corner_offsets[100], 1, "corner lists do not cover");
  PLANT(model->groups[1].rest[2], 4.0f, "constraint 2: its rest angle");
  weft_model_destroy(model);
  test_mesh_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_sum_to_density_times_area),
      cmocka_unit_test(a_square_grid_shares_its_mass_by_triangles),
      cmocka_unit_test(rest_lengths_are_the_distances_of_the_mesh),
      cmocka_unit_test(grid_compliances_match_the_hand_calculation),
      cmocka_unit_test(grid_compliances_do_not_depend_on_the_spacing),
      cmocka_unit_test(stretch_and_shear_store_the_energy_of_the_membrane),
      cmocka_unit_test(infinite_stiffness_is_hard_and_zero_leaves_out),
      cmocka_unit_test(isometric_vector_measures_the_fold),
      cmocka_unit_test(isometric_weights_sum_to_exactly_zero),
      cmocka_unit_test(isometric_length_survives_rigid_motion),
      cmocka_unit_test(isometric_and_dihedral_agree_near_flat),
      cmocka_unit_test(dihedral_rest_angles_carry_size_and_sign),
      cmocka_unit_test(a_rolled_sheet_stores_the_energy_of_a_plate),
      cmocka_unit_test(across_springs_match_the_hinge_at_45_degrees),
      cmocka_unit_test(thin_triangles_lose_their_hinges_with_a_warning),
      cmocka_unit_test(edges_of_three_triangles_do_not_hinge),
      cmocka_unit_test(preprocessing_twice_gives_the_same_bits),
      cmocka_unit_test(colours_come_largest_first_and_add_up),
      cmocka_unit_test(built_grids_are_preprocessed_with_the_fewest_colours),
      cmocka_unit_test(presets_are_the_published_figures),
      cmocka_unit_test(pin_rules_select_what_they_say),
      cmocka_unit_test(tops_without_a_grid_are_rings_edges_or_strips),
      cmocka_unit_test(pieces_that_lie_are_held_by_their_far_edge),
      cmocka_unit_test(meshes_no_cloth_can_be_made_of_are_refused),
      cmocka_unit_test(hubs_of_too_many_edges_are_refused),
      cmocka_unit_test(materials_that_are_none_are_refused),
      cmocka_unit_test(pins_that_hold_nothing_are_refused),
      cmocka_unit_test(the_validator_names_a_planted_conflict),
      cmocka_unit_test(the_validator_names_planted_faults_of_particles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
