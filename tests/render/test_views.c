/* What a view shows, against values computed here from the same state; legends, and that looking
 * changes nothing. */
#include "show.h"

/* The numbers under the bar, with a blank between them. */
static void read_numbers(show *s, char *text) {
  weft_render_mark marks[WEFT_LEGEND_LABELS * WEFT_LEGEND_LABEL_SIZE];
  const weft_render_legend *legend = weft_renderer_legend(s->renderer);
  weft_gl_buffer_read(&legend->marks, legend->label_first * sizeof *marks, sizeof marks, marks);
  for (uint32_t k = 0; k < WEFT_LEGEND_LABELS * WEFT_LEGEND_LABEL_SIZE; ++k) {
    if (k > 0 && k % WEFT_LEGEND_LABEL_SIZE == 0) *text++ = ' ';
    if (marks[k].what.x == WEFT_MARK_GLYPH) *text++ = (char)(' ' + marks[k].what.y);
  }
  *text = '\0';
}

/* ---- colours of maps, from their definition ---- */

static int srgb_byte(double x) {
  x = fmin(fmax(x, 0), 1);
  double s = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
  return (int)(255 * s + 0.5);
}

/* OKLab's inverse (Ottosson 2020), hue in degrees. */
static void oklch_bytes(double lightness, double chroma, double hue, int rgb[3]) {
  static const double to_lms[3][2] = {
      {0.3963377774, 0.2158037573}, {-0.1055613458, -0.0638541728}, {-0.0894841775, -1.2914855480}};
  static const double to_rgb[3][3] = {{4.0767416621, -3.3077115913, 0.2309699292},
                                      {-1.2684380046, 2.6097574011, -0.3413193965},
                                      {-0.0041960863, -0.7034186147, 1.7076147010}};
  double a = chroma * cos(hue * 3.14159265358979 / 180);
  double b = chroma * sin(hue * 3.14159265358979 / 180), lms[3];
  for (int k = 0; k < 3; ++k) lms[k] = pow(lightness + to_lms[k][0] * a + to_lms[k][1] * b, 3);
  for (int k = 0; k < 3; ++k) {
    rgb[k] = srgb_byte(to_rgb[k][0] * lms[0] + to_rgb[k][1] * lms[1] + to_rgb[k][2] * lms[2]);
  }
}

static void diverging_bytes(double u, int rgb[3]) {
  oklch_bytes(0.94 - 0.44 * fabs(u), 0.16 * fabs(u), u < 0 ? 255 : 27, rgb);
}

static void sequential_bytes(double t, int rgb[3]) {
  oklch_bytes(0.36 + 0.56 * t, 0.12 - 0.144 * t + 0.204 * t * t, 300 - 195 * t, rgb);
}

static void assert_colour(const uint8_t *pixel, const int rgb[3], int tolerance) {
  for (int k = 0; k < 3; ++k) {
    if (abs(pixel[k] - rgb[k]) <= tolerance) continue;
    fail_msg("a pixel is %02x%02x%02x, expected %02x%02x%02x", pixel[0], pixel[1], pixel[2],
             (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
  }
}

/* ---- values ---- */

static void stretch(show *s, float factor) {
  for (uint32_t i = 0; i < s->count; ++i) s->places[i].x *= factor;
  put_state(s, NULL);
}

/* Tension alone in one view, compression alone in the other. */
static void a_sheet_stretched_by_a_tenth_has_the_colour_of_a_tenth(void **state) {
  (void)state;
  show s;
  open_sheet(&s, 9, WEFT_BENDING_ISOMETRIC);
  s.picture.no_legend = true;
  s.picture.view_range = 20; /* percent */
  const struct {
    float factor;
    double u;
  } rows[] = {{1.1f, 0.5}, {1, 0}, {0.9f, -0.5}};
  for (int k = 0; k < 3; ++k) {
    memcpy(s.places, weft_model_rest_positions(s.model), s.count * sizeof *s.places);
    stretch(&s, rows[k].factor);
    for (int side = 0; side < 2; ++side) {
      double expected = fmax(side ? -rows[k].u : rows[k].u, 0);
      float *values = values_of(&s, side ? WEFT_VIEW_COMPRESSION : WEFT_VIEW_STRAIN);
      for (uint32_t i = 0; i < s.count; ++i) {
        assert_true(fabs((double)values[2 * i] - 0.2 * expected) < 1e-5);
      }
      int rgb[3];
      diverging_bytes(side ? -expected : expected, rgb);
      assert_colour(pixel_at(&s.image, 0.5, 0.5), rgb, 3);
      weft_free(values);
    }
  }
  close_show(&s);
}

/* Random positions; the strain of every edge of the mesh, straight from its triangles. */
static void strain_is_that_of_the_most_stretched_edge(void **state) {
  (void)state;
  show s;
  open_sheet(&s, 12, WEFT_BENDING_ISOMETRIC);
  weft_rng rng = weft_rng_seed(5);
  for (uint32_t i = 0; i < s.count; ++i) {
    s.places[i].z += 0.02f * (float)(weft_rng_u32(&rng) % 1000) / 1000;
    s.places[i].x *= 1 + 0.1f * (float)(weft_rng_u32(&rng) % 1000) / 1000;
  }
  put_state(&s, NULL);
  float *values = values_of(&s, WEFT_VIEW_STRAIN);
  float *pushed = values_of(&s, WEFT_VIEW_COMPRESSION);
  double *max = weft_alloc(s.count, sizeof *max), *min = weft_alloc(s.count, sizeof *min);
  const uint32_t *t = weft_model_triangles(s.model);
  const weft_vec3 *rest = weft_model_rest_positions(s.model);
  for (uint32_t k = 0; k < 3 * weft_model_triangle_count(s.model); ++k) {
    uint32_t a = t[k], b = t[k % 3 == 2 ? k - 2 : k + 1];
    double before = (double)weft_v3_length(weft_v3_sub(rest[a], rest[b]));
    double strain = (double)weft_v3_length(weft_v3_sub(s.places[a], s.places[b])) / before - 1;
    max[a] = fmax(max[a], strain);
    max[b] = fmax(max[b], strain);
    min[a] = fmin(min[a], strain);
    min[b] = fmin(min[b], strain);
  }
  uint32_t both = 0;
  for (uint32_t i = 0; i < s.count; ++i) {
    assert_true(fabs((double)values[2 * i] - max[i]) < 2e-5);
    assert_true(fabs((double)pushed[2 * i] + min[i]) < 2e-5);
    both += max[i] > 0 && min[i] < 0;
  }
  assert_true(both > s.count / 2);
  weft_free(max);
  weft_free(min);
  weft_free(pushed);
  weft_free(values);
  close_show(&s);
}

/* Four particles in a row with links that always act, only when stretched, only when compressed. */
static void a_loose_rope_is_not_strained(void **state) {
  (void)state;
  const weft_vec3 places[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {5, 5, 5}};
  const float masses[] = {1, 1, 1, 1, 1};
  const weft_link links[] = {{.a = 0, .b = 1, .rest_length = 1.25f, .sense = WEFT_SENSE_AT_MOST},
                             {.a = 1, .b = 2, .rest_length = 0.8f, .sense = WEFT_SENSE_AT_LEAST},
                             {.a = 2, .b = 3, .rest_length = 0.5f, .sense = WEFT_SENSE_AT_MOST}};
  const weft_particles_desc desc = {
      .particle_count = 5, .positions = places, .masses = masses, .links = links, .link_count = 3};
  weft_model *model;
  assert_int_equal(weft_model_create_particles(&desc, &model, NULL), WEFT_OK);
  const weft_strand strands[] = {{0, 1, 0.05f, 0}, {1, 2, 0.05f, 0}, {3, 2, 0.05f, 0}};
  show s;
  open_show(&s, model, (weft_params){.no_gravity = true}, strands, 3);
  s.picture.no_legend = true;
  float *values = values_of(&s, WEFT_VIEW_STRAIN);
  assert_true(values[0] == 0 && values[2] == 0);
  assert_true(fabsf(values[4] - 1) < 1e-6f && fabsf(values[6] - 1) < 1e-6f);
  assert_true(values[8] < -1e29f); /* nothing to measure */
  for (int k = 0; k < 3; ++k) {    /* a rod has the colour of its own link alone */
    int rgb[3];
    diverging_bytes(k == 2 ? 1 : 0, rgb);
    s.picture.camera.target = weft_v3(0.5f + (float)k, 0, 0);
    draw(&s, WEFT_VIEW_STRAIN);
    assert_colour(pixel_at(&s.image, 0.5, 0.5), rgb, 3);
  }
  weft_free(values);
  close_show(&s);
}

/* Folded along the middle column by a known angle: hinges are bent there and nowhere else. */
static void bending_is_the_angle_of_a_fold(void **state) {
  (void)state;
  const weft_bending kinds[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL};
  const double fold = 1.0471975512; /* 60 degrees */
  for (int k = 0; k < 2; ++k) {
    show s;
    open_sheet(&s, 9, kinds[k]);
    for (uint32_t i = 0; i < s.count; ++i) {
      float x = s.places[i].x;
      if (x <= 0) continue;
      s.places[i].x = x * (float)cos(fold);
      s.places[i].z = x * (float)sin(fold);
    }
    put_state(&s, NULL);
    float *values = values_of(&s, WEFT_VIEW_BEND_ANGLE);
    const weft_vec3 *rest = weft_model_rest_positions(s.model);
    uint32_t at_fold = 0, flat = 0;
    for (uint32_t i = 0; i < s.count; ++i) {
      if (fabsf(rest[i].x) < 1e-4f) { /* all of them are at a hinge of the fold */
        assert_true(fabs((double)values[2 * i] - fold) < 1e-4);
        ++at_fold;
      } else if (fabsf(rest[i].x) > 0.2f) { /* no wing of one */
        assert_true(fabsf(values[2 * i]) < 1e-3f);
        ++flat;
      }
    }
    assert_true(at_fold == 9 && flat > 30);
    char numbers[64];
    read_numbers(&s, numbers);
    assert_string_equal(numbers, "0 15 30 45 60");
    weft_free(values);
    close_show(&s);
  }
}

/* Rolled round a cylinder of radius R a cloth of rigidity B stores B / (2 R^2) per area. */
static void bending_energy_is_that_of_a_cylinder(void **state) {
  (void)state;
  const weft_bending kinds[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL, WEFT_BENDING_MIXED};
  const double R = 0.5, B = (double)weft_material_find("tablecloth")->bending;
  const double expected = B / (2 * R * R); /* J/m^2 */
  for (int k = 0; k < 3; ++k) {
    show s;
    open_sheet(&s, 33, kinds[k]);
    const weft_vec3 *rest = weft_model_rest_positions(s.model);
    for (uint32_t i = 0; i < s.count; ++i) {
      double angle = (double)rest[i].x / R;
      s.places[i].x = (float)(R * sin(angle));
      s.places[i].z = (float)(R * cos(angle) - R);
    }
    put_state(&s, NULL);
    s.picture.no_legend = true;
    s.picture.view_range = (float)(4 * 1000 * expected); /* mJ/m^2: in the middle of the root */
    float *values = values_of(&s, WEFT_VIEW_BENDING);
    uint32_t inside = 0;
    for (uint32_t i = 0; i < s.count; ++i) {
      if (fabsf(rest[i].x) > 0.45f || fabsf(rest[i].y) > 0.45f) continue;
      assert_true(fabs((double)values[2 * i] - expected) < 0.002 * expected);
      ++inside;
    }
    assert_true(inside > 700);
    int rgb[3];
    sequential_bytes(0.5, rgb);
    assert_colour(pixel_at(&s.image, 0.5, 0.5), rgb, 2);
    s.picture.no_legend = false;
    s.picture.view_range = 16;
    draw(&s, WEFT_VIEW_BENDING);
    char numbers[64];
    read_numbers(&s, numbers);
    assert_string_equal(numbers, "0 1 4 9 16");
    weft_free(values);
    close_show(&s);
  }
}

/* Uneven at rest: some hinges flat, some creased. */
static weft_model *rough_model(weft_bending bending) {
  weft_mesh mesh = test_sheet(12, 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0});
  weft_rng rng = weft_rng_seed(3);
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    if (mesh.positions[i].x > 0) mesh.positions[i].z = 0.02f * weft_rng_float(&rng, -1, 1);
  }
  weft_model *model;
  weft_error err = {0};
  if (weft_model_create(&(weft_model_desc){.mesh = &mesh, .bending = bending}, &model, &err)) {
    fail_msg("%s", err.message);
  }
  weft_mesh_free(&mesh);
  return model;
}

static double elastic_energy(const weft_model *model, const weft_vec3 *places) {
  weft_vec3 *still = weft_alloc(weft_model_particle_count(model), sizeof *still);
  weft_metrics metrics;
  weft_measure(model, &(weft_params){0}, (weft_vec3d){0, 0, 0}, places, still, &metrics);
  weft_free(still);
  return metrics.elastic_energy;
}

/* Summed over the cloth it is what a cloth with bending stores more than one without, as the
 * metrics have it: any kind of constraint, at random positions. */
static void bending_energy_adds_up_to_that_of_the_cloth(void **state) {
  (void)state;
  const weft_bending kinds[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL, WEFT_BENDING_MIXED,
                                WEFT_BENDING_ACROSS};
  weft_model *limp = rough_model(WEFT_BENDING_NONE);
  for (int k = 0; k < 4; ++k) {
    show s;
    open_show(&s, rough_model(kinds[k]), (weft_params){.no_gravity = true}, NULL, 0);
    weft_rng rng = weft_rng_seed(11);
    for (uint32_t i = 0; i < s.count; ++i) s.places[i].z += 0.03f * weft_rng_float(&rng, -1, 1);
    put_state(&s, NULL);
    double expected = elastic_energy(s.model, s.places) - elastic_energy(limp, s.places);
    float *values = values_of(&s, WEFT_VIEW_BENDING);
    double *area = weft_alloc(s.count, sizeof *area), sum = 0;
    const uint32_t *t = weft_model_triangles(s.model);
    const weft_vec3 *rest = weft_model_rest_positions(s.model);
    for (uint32_t c = 0; c < 3 * weft_model_triangle_count(s.model); ++c) {
      const uint32_t *v = t + c / 3 * 3;
      weft_vec3 n =
          weft_v3_cross(weft_v3_sub(rest[v[1]], rest[v[0]]), weft_v3_sub(rest[v[2]], rest[v[0]]));
      area[t[c]] += (double)weft_v3_length(n) / 6;
    }
    for (uint32_t i = 0; i < s.count; ++i) {
      if (values[2 * i] >= 0) sum += area[i] * (double)values[2 * i];
    }
    assert_true(expected > 0 && fabs(sum - expected) < 1e-4 * expected);
    weft_free(area);
    weft_free(values);
    close_show(&s);
  }
  weft_model_destroy(limp);
}

/* Of particles it is J, half of a link's at either end; a slack rope stores none. */
static void bending_links_store_energy_only_while_they_act(void **state) {
  (void)state;
  const weft_vec3 places[] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {4, 0, 0},
                              {6, 0, 0}, {7, 0, 0}, {9, 0, 0}, {10, 0, 0}};
  const float masses[] = {1, 1, 1, 1, 1, 1, 1, 1};
  const weft_link links[] = {
      {.a = 0, .b = 1, .rest_length = 0.8f, .compliance = 0.5f, .bending = true},
      {.a = 2,
       .b = 3,
       .rest_length = 1.2f,
       .compliance = 0.5f,
       .bending = true,
       .sense = WEFT_SENSE_AT_MOST},
      {.a = 4,
       .b = 5,
       .rest_length = 0.6f,
       .compliance = 0.5f,
       .bending = true,
       .sense = WEFT_SENSE_AT_MOST},
      {.a = 6,
       .b = 7,
       .rest_length = 1.2f,
       .compliance = 0.5f,
       .bending = true,
       .sense = WEFT_SENSE_AT_LEAST}};
  const double each[] = {0.02, 0, 0.08, 0.02}; /* C^2 / (2 alpha), shared by two */
  const weft_particles_desc desc = {
      .particle_count = 8, .positions = places, .masses = masses, .links = links, .link_count = 4};
  weft_model *model;
  assert_int_equal(weft_model_create_particles(&desc, &model, NULL), WEFT_OK);
  const weft_strand strands[] = {{0, 0, 0.05f, 0}};
  show s;
  open_show(&s, model, (weft_params){.no_gravity = true}, strands, 1);
  float *values = values_of(&s, WEFT_VIEW_BENDING);
  for (int i = 0; i < 8; ++i) assert_true(fabs((double)values[2 * i] - each[i / 2]) < 1e-6);
  weft_free(values);
  close_show(&s);
}

/* Particle counts around the size of a work group. */
static void a_sheet_that_moves_as_one_has_one_speed(void **state) {
  (void)state;
  const uint32_t sides[] = {2, 7, 8, 9, 33};
  for (int k = 0; k < 5; ++k) {
    show s;
    open_sheet(&s, sides[k], WEFT_BENDING_ISOMETRIC);
    weft_vec3 *velocities = weft_alloc(s.count, sizeof *velocities);
    for (uint32_t i = 0; i < s.count; ++i) velocities[i] = weft_v3(2, -1, 2);
    put_state(&s, velocities);
    s.picture.view_range = 6; /* m/s */
    s.picture.no_legend = true;
    float *values = values_of(&s, WEFT_VIEW_VELOCITY);
    for (uint32_t i = 0; i < s.count; ++i) assert_true(fabsf(values[2 * i] - 3) < 1e-6f);
    int rgb[3];
    sequential_bytes(0.5, rgb);
    assert_colour(pixel_at(&s.image, 0.5, 0.5), rgb, 2);
    weft_free(values);
    weft_free(velocities);
    close_show(&s);
  }
}

static void normals_are_colours(void **state) {
  (void)state;
  const struct {
    float yaw;
    int rgb[3];
  } rows[] = {{0, {128, 128, 255}}, {1.5707963f, {255, 128, 128}}};
  for (int k = 0; k < 2; ++k) {
    show s;
    open_sheet(&s, 5, WEFT_BENDING_ISOMETRIC);
    for (uint32_t i = 0; i < s.count && k == 1; ++i) { /* turned to face +x */
      s.places[i] = weft_v3(0, s.places[i].y, -s.places[i].x);
    }
    put_state(&s, NULL);
    s.picture.camera.yaw = rows[k].yaw;
    s.picture.no_legend = true;
    draw(&s, WEFT_VIEW_NORMALS);
    assert_colour(pixel_at(&s.image, 0.5, 0.5), rows[k].rgb, 2);
    close_show(&s);
  }
}

/* A sheet that stands in a tilted row of shapes; who touches is known from distances. */
static void contacts_are_particles_within_reach_of_a_shape(void **state) {
  (void)state;
  const weft_collider shapes[] = {
      {.shape = WEFT_COLLIDER_SPHERE, .a = {0.3f, 0.3f, 0}, .radius = 0.1f},
      {.shape = WEFT_COLLIDER_PLANE, .a = {0, -0.4f, 0}, .b = {0, 1, 0}},
      {.shape = WEFT_COLLIDER_BOX, .a = {-0.4f, 0.4f, 0}, .half_size = {0.1f, 0.1f, 0.2f}}};
  const double reach = 0.02 * 1.1 + 0.001; /* thickness, a tenth of it, a millimetre */
  show s;
  open_show(&s, sheet_model(30, WEFT_BENDING_ISOMETRIC),
            (weft_params){
                .no_gravity = true, .thickness = 0.02f, .colliders = shapes, .collider_count = 3},
            NULL, 0);
  s.picture.colliders = shapes;
  s.picture.collider_count = 3;
  float *values = values_of(&s, WEFT_VIEW_CONTACTS);
  uint32_t touching = 0;
  for (uint32_t i = 0; i < s.count; ++i) {
    weft_vec3 p = s.places[i];
    double ball = hypot(p.x - 0.3, p.y - 0.3) - 0.1, floor_at = p.y + 0.4;
    double qx = fmax(fabs(p.x + 0.4) - 0.1, 0), qy = fmax(fabs(p.y - 0.4) - 0.1, 0);
    double nearest = fmin(fmin(ball, floor_at), hypot(qx, qy));
    if (fabs(nearest - reach) < 1e-5) continue;
    assert_true(values[2 * i] == (nearest < reach ? 1.0f : 0.0f));
    assert_true(values[2 * i + 1] == 0);
    touching += nearest < reach;
  }
  assert_true(touching > 60 && touching < s.count / 2);
  weft_free(values);
  close_show(&s);
}

static void contacts_are_particles_that_touch_each_other(void **state) {
  (void)state;
  const weft_vec3 places[] = {{0, 0, 0}, {0.19f, 0, 0}, {0.5f, 0, 0}, {0.715f, 0, 0}};
  const float masses[] = {1, 1, 1, 1};
  const weft_particles_desc desc = {
      .particle_count = 4, .positions = places, .masses = masses, .radius = 0.1f};
  weft_model *model;
  assert_int_equal(weft_model_create_particles(&desc, &model, NULL), WEFT_OK);
  const weft_strand strands[] = {
      {0, 0, 0.1f, 0}, {1, 1, 0.1f, 0}, {2, 2, 0.1f, 0}, {3, 3, 0.1f, 0}};
  show s;
  open_show(&s, model, (weft_params){.no_gravity = true, .particle_contact = true, .substeps = 1},
            strands, 4);
  float *before = values_of(&s, WEFT_VIEW_CONTACTS); /* nobody has looked yet */
  for (int i = 0; i < 4; ++i) assert_true(before[2 * i + 1] == 0);
  assert_int_equal(weft_solver_step(s.solver, NULL), WEFT_OK);
  put_state(&s, NULL); /* back, and at rest; the lists of neighbours stay */
  float *values = values_of(&s, WEFT_VIEW_CONTACTS);
  const float expected[] = {1, 1, 0, 0}; /* 0.19 and 0.215 m apart, two radii are 0.2 */
  for (int i = 0; i < 4; ++i) {
    assert_true(values[2 * i] == 0);
    assert_true(values[2 * i + 1] == expected[i]);
  }
  weft_free(before);
  weft_free(values);
  close_show(&s);
}

/* A sheet over a body, after a substep. */
static void show_on_body(show *s, uint32_t side, const weft_body *body) {
  open_show(s, sheet_model(side, WEFT_BENDING_ISOMETRIC),
            (weft_params){.no_gravity = true,
                          .substeps = 1,
                          .self_collision = true,
                          .self_thickness = 0.01f,
                          .bodies = body,
                          .body_count = 1},
            NULL, 0);
  assert_int_equal(weft_solver_step(s->solver, NULL), WEFT_OK);
}

/* A plate beneath the middle of the sheet. Who touches is known but for the triangles at its rim.
 */
static void contacts_are_particles_that_touch_a_body(void **state) {
  (void)state;
  enum { SIDE = 25 };
  const double edge = 1.5 / (SIDE - 1);
  const struct {
    float lift; /* m, after the pairs were found */
    bool touches;
  } rows[] = {{0, true}, {0.0025f, true}, {0.0035f, false}}; /* thickness, a tenth, a millimetre */
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    weft_mesh plate =
        rig_grid(&(weft_grid_desc){.rows = 4, .columns = 4, .width = 0.4f, .height = 0.4f});
    for (uint32_t i = 0; i < plate.vertex_count; ++i) plate.positions[i].z -= 0.009f;
    const weft_body body = {.mesh = &plate};
    show s;
    show_on_body(&s, SIDE, &body);
    for (uint32_t i = 0; i < s.count; ++i) s.places[i].z += rows[k].lift;
    put_state(&s, NULL); /* back, and at rest; the pairs stay */
    float *values = values_of(&s, WEFT_VIEW_CONTACTS);
    uint32_t touching = 0;
    for (uint32_t i = 0; i < s.count; ++i) {
      double off = fmax(fabs((double)s.places[i].x), fabs((double)s.places[i].y)) - 0.2;
      if (off < -edge) assert_true(values[2 * i] == (rows[k].touches ? 1.0f : 0.0f));
      if (off > edge) assert_true(values[2 * i] == 0);
      assert_true(values[2 * i + 1] == 0);
      touching += values[2 * i] == 1;
    }
    assert_true(rows[k].touches ? touching > 20 : touching == 0);
    weft_free(values);
    close_show(&s);
    weft_mesh_free(&plate);
  }
}

/* A tip beneath the sheet, which is the first vertex of its body, and touches one triangle alone.
 */
static void contacts_are_seen_at_the_first_vertex_of_a_body(void **state) {
  (void)state;
  static const weft_vec3 places[] = {
      {0.02f, 0.035f, -0.009f}, {0.1f, 0, -0.2f}, {-0.1f, 0.1f, -0.2f}, {-0.1f, -0.1f, -0.2f}};
  static const uint32_t corners[] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
  weft_mesh tip = {.vertex_count = 4, .triangle_count = 4};
  tip.positions = weft_alloc(4, sizeof *tip.positions);
  tip.triangles = weft_alloc(12, sizeof *tip.triangles);
  memcpy(tip.positions, places, sizeof places);
  memcpy(tip.triangles, corners, sizeof corners);
  const weft_body body = {.mesh = &tip};
  show s;
  show_on_body(&s, 13, &body);
  put_state(&s, NULL);
  float *values = values_of(&s, WEFT_VIEW_CONTACTS);
  uint32_t touching = 0;
  for (uint32_t i = 0; i < s.count; ++i) touching += values[2 * i] == 1;
  assert_int_equal(touching, 3);
  weft_free(values);
  close_show(&s);
  weft_mesh_free(&tip);
}

/* ---- graph colours ---- */

static int by_bits(const void *a, const void *b) { return memcmp(a, b, 3 * sizeof(float)); }

static void no_two_lines_of_a_batch_meet(void **state) {
  (void)state;
  show s;
  open_sheet(&s, 12, WEFT_BENDING_DIHEDRAL);
  draw(&s, WEFT_VIEW_COLOURS);
  const weft_render_segments *segments = weft_renderer_segments(s.renderer);
  vec4 *ends = weft_alloc(2 * (size_t)segments->count, sizeof *ends);
  weft_gl_buffer_read(&segments->ends, 0, 2 * (uint64_t)segments->count * sizeof *ends, ends);
  assert_int_equal(segments->batch_count, weft_view_batch_count(s.model));
  assert_true(segments->batch_count > 6);
  for (uint32_t k = 0; k < segments->batch_count; ++k) {
    const weft_render_batch *batch = &segments->batches[k];
    for (uint32_t other = 0; other < k; ++other) {
      assert_true(segments->batches[other].rgb != batch->rgb);
    }
    vec4 *own = ends + 2 * (size_t)batch->first;
    qsort(own, 2 * (size_t)batch->count, sizeof *own, by_bits);
    for (uint32_t i = 1; i < 2 * batch->count; ++i) {
      assert_true(memcmp(&own[i - 1], &own[i], 3 * sizeof(float)) != 0);
    }
  }
  weft_free(ends);
  close_show(&s);
}

static uint32_t count_near(const weft_image *image, uint32_t rgb) {
  uint32_t count = 0;
  for (size_t i = 0; i < (size_t)image->width * image->height; ++i) {
    const uint8_t *p = image->pixels + 3 * i;
    count += abs(p[0] - (int)(rgb >> 16)) <= 2 && abs(p[1] - (int)(rgb >> 8 & 255)) <= 2 &&
             abs(p[2] - (int)(rgb & 255)) <= 2;
  }
  return count;
}

static void one_batch_is_seen_alone(void **state) {
  (void)state;
  show s;
  open_sheet(&s, 6, WEFT_BENDING_ISOMETRIC);
  s.picture.no_legend = true;
  draw(&s, WEFT_VIEW_COLOURS);
  const weft_render_segments *segments = weft_renderer_segments(s.renderer);
  for (uint32_t k = 0; k < segments->batch_count; ++k) {
    bool hinge = segments->batches[k].role == WEFT_ROLE_BENDING;
    assert_true((count_near(&s.image, segments->batches[k].rgb) > 30) == !hinge);
  }
  s.picture.one_batch = true;
  for (uint32_t shown = 0; shown < segments->batch_count; ++shown) {
    s.picture.batch = shown;
    draw(&s, WEFT_VIEW_COLOURS);
    for (uint32_t k = 0; k < segments->batch_count; ++k) {
      assert_true((count_near(&s.image, segments->batches[k].rgb) > 30) == (k == shown));
    }
  }
  weft_error err = {0};
  s.picture.batch = segments->batch_count;
  assert_int_equal(weft_renderer_draw(s.renderer, &s.picture, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "batches 0 to"));
  close_show(&s);
}

/* ---- legends ---- */

static void the_largest_value_is_rounded_up_for_the_legend(void **state) {
  (void)state;
  const struct {
    float speed, given;
    const char *numbers;
  } rows[] = {{3.1f, 0, "0 1 2 3 4"},
              {1, 0, "0 0.25 0.5 0.75 1"},
              {0.0123f, 0, "0 0.005 0.01 0.015 0.02"},
              {0, 0, "0 0.25 0.5 0.75 1"},
              {12, 0, "0 5 10 15 20"},
              {730, 0, "0 200 400 600 800"},
              {0.00002f, 0, "0 0.5e-5 1e-5 1.5e-5 2e-5"},
              {3, 8, "0 2 4 6 8"},
              {30, 0.1f, "0 0.025 0.05 0.075 0.1"},
              {3, 123.5f, "0 30.9 61.8 92.6 123.5"},
              {3, 2e6f, "0 0.5e6 1e6 1.5e6 2e6"}};
  show s;
  open_sheet(&s, 12, WEFT_BENDING_ISOMETRIC);
  weft_vec3 *velocities = weft_alloc(s.count, sizeof *velocities);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    char numbers[64];
    velocities[7] = weft_v3(0, rows[k].speed, 0);
    put_state(&s, velocities);
    s.picture.view_range = rows[k].given;
    draw(&s, WEFT_VIEW_VELOCITY);
    read_numbers(&s, numbers);
    assert_string_equal(numbers, rows[k].numbers);
  }
  weft_free(velocities);
  s.picture.view_range = 0;
  stretch(&s, 1.047f);
  char numbers[64];
  draw(&s, WEFT_VIEW_STRAIN);
  read_numbers(&s, numbers);
  assert_string_equal(numbers, "0 1.25 2.5 3.75 5");
  close_show(&s);
}

/* Of 1024 particles one is pulled far out: strain has the range of the others, whose 99th
 * percentile is counted here. */
static void a_single_peak_does_not_set_the_range(void **state) {
  (void)state;
  show s;
  open_sheet(&s, 32, WEFT_BENDING_ISOMETRIC);
  stretch(&s, 1.047f);
  s.places[33].z += 0.5f;
  put_state(&s, NULL);
  float *values = values_of(&s, WEFT_VIEW_STRAIN);
  uint32_t above = 0;
  for (uint32_t i = 0; i < s.count; ++i) above += values[2 * i] > 0.05f;
  assert_true(above > 3 && above <= s.count / 100);
  char numbers[64];
  read_numbers(&s, numbers);
  assert_string_equal(numbers, "0 1.25 2.5 3.75 5");
  s.places[33 * 20].z += 0.5f; /* now they are more than one in a hundred */
  put_state(&s, NULL);
  draw(&s, WEFT_VIEW_STRAIN);
  read_numbers(&s, numbers);
  assert_true(atof(strrchr(numbers, ' ')) > 100);
  weft_free(values);
  close_show(&s);
}

/* Where the legend's bar is drawn: read from its own mark. */
static void the_bar_runs_through_the_map(void **state) {
  (void)state;
  const weft_view_mode modes[] = {WEFT_VIEW_STRAIN, WEFT_VIEW_VELOCITY};
  for (int m = 0; m < 2; ++m) {
    show s;
    open_sheet(&s, 5, WEFT_BENDING_ISOMETRIC);
    draw(&s, modes[m]);
    const weft_render_legend *legend = weft_renderer_legend(s.renderer);
    weft_render_mark marks[64], *bar = marks;
    weft_gl_buffer_read(&legend->marks, 0, sizeof marks, marks);
    while (bar->what.x != WEFT_MARK_BAR) ++bar;
    double top = s.image.height - 8.0 - (double)legend->height; /* one pixel a dot */
    for (int k = 0; k <= 10; ++k) {
      double x = 8 + (double)bar->box.x + ((double)bar->box.z - 1) * k / 10 + 0.5;
      double y = top + (double)bar->box.y + 0.5 * (double)bar->box.w;
      const uint8_t *pixel = s.image.pixels + 3 * ((size_t)y * s.image.width + (size_t)x);
      double t = (floor(x) + 0.5 - 8 - (double)bar->box.x) / (double)bar->box.z;
      int rgb[3];
      if (m == 0) {
        diverging_bytes(t, rgb);
      } else {
        sequential_bytes(t, rgb);
      }
      assert_colour(pixel, rgb, 2);
    }
    close_show(&s);
  }
}

/* Lightness of the sequential map rises evenly: grey pictures keep the order. */
static void the_maps_order_survives_in_grey(void **state) {
  (void)state;
  int before = -1;
  for (int k = 0; k <= 20; ++k) {
    int rgb[3];
    sequential_bytes(k / 20.0, rgb);
    int luma = (2126 * rgb[0] + 7152 * rgb[1] + 722 * rgb[2]) / 10000;
    assert_true(luma > before + 2);
    before = luma;
  }
}

static void pictures_without_room_have_no_legend(void **state) {
  (void)state;
  show s;
  open_sheet(&s, 5, WEFT_BENDING_ISOMETRIC);
  s.picture.camera.target = weft_v3(100, 0, 0); /* nothing but backdrop and legend */
  draw(&s, WEFT_VIEW_STRAIN);
  weft_image with = s.image;
  s.image.pixels = NULL;
  s.picture.no_legend = true;
  draw(&s, WEFT_VIEW_STRAIN);
  size_t bytes = (size_t)3 * with.width * with.height;
  assert_true(memcmp(with.pixels, s.image.pixels, bytes) != 0);
  weft_free(with.pixels);
  close_show(&s);
  const uint32_t sizes[][2] = {{1, 1}, {40, 300}, {300, 20}};
  for (int k = 0; k < 3; ++k) {
    open_sheet(&s, 5, WEFT_BENDING_ISOMETRIC);
    weft_renderer_desc desc = {.width = sizes[k][0],
                               .height = sizes[k][1],
                               .samples = 1,
                               .particle_count = s.count,
                               .triangle_count = weft_model_triangle_count(s.model),
                               .triangles = weft_model_triangles(s.model),
                               .rest_positions = weft_model_rest_positions(s.model)};
    weft_renderer_destroy(s.renderer);
    assert_int_equal(weft_renderer_create(test_gl, &desc, &s.renderer, NULL), WEFT_OK);
    draw(&s, WEFT_VIEW_STRAIN);
    weft_image small = s.image;
    s.image.pixels = NULL;
    s.picture.no_legend = true;
    draw(&s, WEFT_VIEW_STRAIN);
    assert_memory_equal(small.pixels, s.image.pixels, (size_t)3 * sizes[k][0] * sizes[k][1]);
    weft_free(small.pixels);
    close_show(&s);
  }
}

static void views_have_names(void **state) {
  (void)state;
  weft_error err = {0};
  weft_view_mode mode;
  for (int k = 0; k < WEFT_VIEW_MODE_COUNT; ++k) {
    assert_int_equal(weft_view_parse(weft_view_name((weft_view_mode)k), &mode, NULL), WEFT_OK);
    assert_int_equal(mode, k);
  }
  assert_int_equal(weft_view_parse("colors", &mode, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "colours"));
}

/* ---- looking changes nothing ---- */

static uint64_t hash_of_all_buffers(const weft_solver *solver) {
  uint64_t hash = WEFT_HASH_SEED;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    weft_gl_view view;
    assert_true(weft_solver_gl_view(solver, (weft_buffer_id)id, &view));
    if (view.size == 0) continue;
    uint8_t *bytes = weft_alloc((size_t)view.size, 1);
    glBindBuffer(GL_COPY_READ_BUFFER, view.buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, (GLintptr)view.offset, (GLsizeiptr)view.size, bytes);
    hash = weft_hash_bytes(hash, bytes, (size_t)view.size);
    weft_free(bytes);
  }
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  return hash;
}

static void looking_changes_nothing_of_the_solver(void **state) {
  (void)state;
  const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE, .a = {0, -0.7f, 0}, .radius = 0.4f};
  show s;
  open_show(&s, sheet_model(12, WEFT_BENDING_MIXED),
            (weft_params){
                .iterations = 2, .self_collision = true, .colliders = &ball, .collider_count = 1},
            NULL, 0);
  s.picture.colliders = &ball;
  s.picture.collider_count = 1;
  for (int frame = 0; frame < 3; ++frame) weft_solver_step(s.solver, NULL);
  uint64_t before = hash_of_all_buffers(s.solver);
  weft_gl_counts counts = weft_solver_gl_counts(test_gl);
  for (int mode = 0; mode < WEFT_VIEW_MODE_COUNT; ++mode) draw(&s, (weft_view_mode)mode);
  weft_gl_counts after = weft_solver_gl_counts(test_gl);
  assert_true(before == hash_of_all_buffers(s.solver));
  assert_true(counts.reads == after.reads && counts.dispatches == after.dispatches);
  close_show(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sheet_stretched_by_a_tenth_has_the_colour_of_a_tenth),
      cmocka_unit_test(strain_is_that_of_the_most_stretched_edge),
      cmocka_unit_test(a_loose_rope_is_not_strained),
      cmocka_unit_test(bending_is_the_angle_of_a_fold),
      cmocka_unit_test(bending_energy_is_that_of_a_cylinder),
      cmocka_unit_test(bending_energy_adds_up_to_that_of_the_cloth),
      cmocka_unit_test(bending_links_store_energy_only_while_they_act),
      cmocka_unit_test(a_sheet_that_moves_as_one_has_one_speed),
      cmocka_unit_test(normals_are_colours),
      cmocka_unit_test(contacts_are_particles_within_reach_of_a_shape),
      cmocka_unit_test(contacts_are_particles_that_touch_each_other),
      cmocka_unit_test(contacts_are_particles_that_touch_a_body),
      cmocka_unit_test(contacts_are_seen_at_the_first_vertex_of_a_body),
      cmocka_unit_test(no_two_lines_of_a_batch_meet),
      cmocka_unit_test(one_batch_is_seen_alone),
      cmocka_unit_test(the_largest_value_is_rounded_up_for_the_legend),
      cmocka_unit_test(a_single_peak_does_not_set_the_range),
      cmocka_unit_test(the_bar_runs_through_the_map),
      cmocka_unit_test(the_maps_order_survives_in_grey),
      cmocka_unit_test(pictures_without_room_have_no_legend),
      cmocka_unit_test(views_have_names),
      cmocka_unit_test(looking_changes_nothing_of_the_solver),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
